package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// The search for settings: sequential halving (Z. Karnin, T. Koren and O. Somekh, Almost optimal exploration in multi-armed
// bandits, 2013) with quarters. The last round is played anew, so that what chance favoured in the search does not count.
const (
	mostSettings = 400  // looked at
	firstRound   = 200  // games a setting
	finalists    = 8    // at most
	wantedGames  = 5000 // of each finalist, where the command line does not say
)

// candidate is a setting with its game.
type candidate struct {
	setting []model.OptionValue
	game    *interpreter.Game
	options stats.Options
}

// want searches options and house rules for settings that have what is wished.
func (s *session) want(ctx context.Context, o *compareFlags) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.eachOne {
		return usagef("flags --each and --want do not go together")
	}
	wishes, err := study.ParseWishes(o.wanted)
	if err != nil {
		return usagef("flag --want: %v", err)
	}
	co, err := o.compareOptions()
	if err != nil {
		return err
	}
	l, err := s.load(o.args[0], &o.gameFlags)
	if err != nil {
		return err
	}
	axes, own, all, err := wantedAxes(o, l)
	if err != nil {
		return err
	}
	found := study.Search{Wishes: wishes, Of: all, First: min(firstRound, o.games)}
	begun := s.now()
	searching, stop := within(ctx, (o.time+1)/2)
	defer stop()
	r := &search{found: &found, games: found.First, progress: &progress{}, over: seq.Map(axes, func(a axis) string { return a.name })}
	books := map[string]*dsl.Book{} // by the house rules
	for _, n := range chosenSettings(all, o.seed) {
		c := candidate{setting: settingOf(axes, n)}
		c.game, err = s.settingGame(o, c.setting, own, books)
		if err == nil {
			if c.options, err = o.settingOptions(c.game, co.Pace); err != nil {
				return err
			}
		}
		if searching.Err() != nil {
			break
		}
		if err != nil {
			r.impossible(c, err)
			continue
		}
		r.list = append(r.list, c)
	}
	r.progress = s.progress("games", planned(len(r.list), found.First, o.games), o.time)
	defer func() { r.progress.end() }()
	left := func() time.Duration { return max(1, o.time-s.now().Sub(begun)) }
	sweep, finished, err := r.halve(ctx, searching, o, left)
	if err != nil {
		return err
	}
	r.progress.end()
	r.progress = &progress{}
	err = s.printStudy(sweep.Wanted(found), &o.resultFlags)
	switch {
	case err != nil || finished && ctx.Err() == nil:
		return err
	case finished:
		return fmt.Errorf("stopped after %d of %s that were found", len(sweep.Rows), diag.Plural(sweep.Of, "setting"))
	}
	return fmt.Errorf("stopped in the search; these are %s of it", diag.Plural(len(sweep.Rows), "setting"))
}

// wantedAxes are what is searched: options, the first own of them, and house rules; all is the number of their combinations.
func wantedAxes(o *compareFlags, l *dsl.Book) (axes []axis, own, all int, err error) {
	over := o.over
	if len(over) == 0 {
		over = searched(l, &o.gameFlags)
	}
	if len(over) > 0 {
		if axes, err = axesOf(l, over, &o.gameFlags); err != nil {
			return nil, 0, 0, err
		}
	}
	own = len(axes)
	axes = append(axes, seq.Map(o.with, func(w string) axis { return axis{"with " + w, []string{"no", "yes"}} })...)
	if len(axes) == 0 {
		return nil, 0, 0, usagef("nothing says what to search").hintf("give options with --sweep, or house rules with --with")
	}
	o.seatSettings(axes)
	all = 1
	for _, a := range axes {
		if all *= len(a.values); all > 1<<40 {
			return nil, 0, 0, usagef("flag --want: there are too many settings; name fewer with --sweep")
		}
	}
	return axes, own, all, nil
}

// halve plays rounds, each with the best quarter of the settings before, until all finalists have played, or the time is over: then
// the last whole round counts. left is the time that the last round has.
func (r *search) halve(ctx, searching context.Context, o *compareFlags, left func() time.Duration) (_ *study.Sweep, finished bool, err error) {
	var before *study.Sweep
	for {
		last, limit := len(r.list) <= finalists, time.Duration(0)
		within := searching
		if last {
			r.games, within = o.games, ctx
			if o.time > 0 {
				limit = left()
			}
		}
		sweep, err := r.round(within, limit)
		if err != nil {
			return nil, false, err
		}
		if before == nil {
			r.found.Settings = len(sweep.Rows) + len(r.found.Impossible)
		}
		if len(sweep.Rows) == 0 {
			sweep, last = before, false // of the search
		}
		switch {
		case sweep == nil && searching.Err() == nil && ctx.Err() == nil:
			return nil, false, fmt.Errorf("no setting has a game: %s", r.found.Impossible[0])
		case sweep == nil:
			return nil, false, errors.New("stopped before anything was found")
		}
		known := sweep.Figures()
		for _, w := range r.found.Wishes {
			if !slices.Contains(known, w.Name) {
				return nil, false, usagef("flag --want: no figure is called %q; there are %s", w.Name, door.Join(known)).nearest(w.Name, known)
			}
		}
		order := sweep.Rank(r.found.Wishes)
		if last {
			return sweep, true, nil
		}
		if ctx.Err() != nil || sweep == before {
			r.found.Among = len(sweep.Rows)
			sweep.Rows = seq.Map(order[:min(finalists, len(order))], func(i int) study.Row { return sweep.Rows[i] })
			return sweep, false, nil
		}
		keep := max(finalists, len(order)/4)
		if searching.Err() != nil {
			keep = finalists
		}
		kept := seq.Map(order[:min(keep, len(order))], func(i int) candidate { return r.list[i] })
		before, r.list, r.games = sweep, kept, min(4*r.games, o.games)
	}
}

// search has the rounds of a search.
type search struct {
	found    *study.Search
	list     []candidate
	over     []string
	from     int // the next game: no round plays those of another
	games    int // of each in this round
	played   int
	progress *progress
}

// round plays a round, as far as the context lets it: of each setting all games, or with a limit of time as many as its part of
// that allows.
func (r *search) round(ctx context.Context, limit time.Duration) (*study.Sweep, error) {
	sweep := &study.Sweep{Of: len(r.list), Over: r.over}
	var list []candidate
	for _, c := range r.list {
		part, stop := within(ctx, (limit+time.Duration(len(r.list))-1)/time.Duration(len(r.list)))
		so := c.options
		so.From, so.To, so.Progress = r.from, r.from+r.games, func(done int) { r.progress.at(r.played + done) }
		var err error
		if r.from == 0 {
			err = ends(part, c.game, c.options)
		}
		var t *stats.Tally
		if err == nil {
			t, err = stats.Run(part, c.game, so)
		}
		stop()
		switch {
		case part.Err() == nil && err != nil:
			r.impossible(c, err)
			continue
		case err != nil:
			return nil, err
		}
		if t.Games() == r.games || limit > 0 && t.Games() >= min(firstRound, r.games) {
			list = append(list, c)
			sweep.Rows = append(sweep.Rows, study.Row{Setting: c.setting, Tally: t, Sides: len(c.game.Rules().Teams)})
		}
		if r.played += r.games; ctx.Err() != nil {
			break
		}
	}
	r.from += r.games
	r.list = list
	return sweep, nil
}

// impossible notes a setting without a game.
func (r *search) impossible(c candidate, err error) {
	row := study.Row{Setting: c.setting}
	r.found.Impossible = append(r.found.Impossible, row.String()+": "+reason(err))
}

// planned is how many games a search plays.
func planned(settings, first, finally int) int {
	all, games := 0, first
	for settings > finalists {
		all += settings * games
		settings, games = max(finalists, settings/4), min(4*games, finally)
	}
	return all + settings*finally
}

// chosenSettings are the numbers of the settings that are looked at, all or so many, in an order drawn at random: a search that is
// stopped has looked at some of all kinds.
func chosenSettings(all int, seed uint64) []int {
	r := rand.New(rand.NewPCG(seed, 0))
	if all <= mostSettings {
		return r.Perm(all)
	}
	out, drawn := []int{}, map[int]bool{}
	for len(out) < mostSettings {
		if n := r.IntN(all); !drawn[n] {
			drawn[n] = true
			out = append(out, n)
		}
	}
	return out
}

// settingGame is the game of a setting whose first values are of options, and the others of house rules.
func (s *session) settingGame(o *compareFlags, setting []model.OptionValue, own int, books map[string]*dsl.Book) (*interpreter.Game, error) {
	flags := o.gameFlags
	flags.with = nil
	for i, x := range setting[own:] {
		if x.Value == "yes" {
			flags.with = append(flags.with, o.with[i])
		}
	}
	key := strings.Join(flags.with, ",")
	if books[key] == nil {
		var err error
		if books[key], err = s.load(o.args[0], &flags); err != nil {
			return nil, err
		}
	}
	return s.gameOf(books[key], o, setting[:own])
}

// searched are the options that are searched where the command line names none: those whose values are known.
func searched(book *dsl.Book, flags *gameFlags) []string {
	fixed, _ := flags.options() // load has read them
	free := seq.Filter(book.Options(), func(x model.Option) bool {
		_, set := fixed[x.Name]
		return !set && (len(x.Values) > 0 || x.Bounded())
	})
	return seq.Map(free, func(x model.Option) string { return x.Name })
}
