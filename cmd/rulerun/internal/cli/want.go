package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
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
	setting []stats.Option
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
	pace, err := o.paceOf()
	if err != nil {
		return err
	}
	l, err := s.load(o.args[0], &o.gameFlags)
	if err != nil {
		return err
	}
	over := o.over
	if len(over) == 0 {
		over = s.searched(l.book, &o.gameFlags)
	}
	var axes []axis
	if len(over) > 0 {
		if axes, err = axesOf(l.book, over, &o.gameFlags); err != nil {
			return err
		}
	}
	own := len(axes)
	for _, w := range o.with {
		axes = append(axes, axis{"with " + w, []string{"no", "yes"}})
	}
	if len(axes) == 0 {
		return &usageError{message: "nothing says what to search", hint: "give options with --sweep, or house rules with --with"}
	}
	if !slices.ContainsFunc(axes, func(a axis) bool { return a.name == numberOfPlayers }) {
		o.seatPlayers()
	}
	all := 1
	for _, a := range axes {
		if all *= len(a.values); all > 1<<40 {
			return usagef("flag --want: there are too many settings; name fewer with --sweep")
		}
	}
	found := study.Search{Wishes: wishes, Of: all, First: min(firstRound, o.games)}
	var list []candidate
	books := map[string]*loaded{} // by the house rules
	for _, n := range chosenSettings(all, o.seed) {
		c := candidate{setting: settingOf(axes, n)}
		c.game, err = s.settingGame(o, c.setting, own, books)
		if err == nil {
			c.options = stats.Options{Seed: o.seed, Threads: o.threads, Rotate: true, MaxThrows: o.maxThrows, Pace: pace}
			if c.options.Seats, c.options.Players, c.options.Deal, err = o.choosers(c.game); err != nil {
				return err
			}
			err = ends(ctx, c.game, c.options)
		}
		if ctx.Err() != nil {
			return errors.New("stopped before anything was found")
		}
		found.Settings++
		if err != nil {
			row := study.Row{Setting: c.setting}
			found.Impossible = append(found.Impossible, row.String()+": "+reason(err))
			continue
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return fmt.Errorf("no setting has a game: %s", found.Impossible[0])
	}
	from, games := 0, found.First
	play := func() (*study.Sweep, error) {
		sweep := &study.Sweep{Of: len(list)}
		for _, a := range axes {
			sweep.Over = append(sweep.Over, a.name)
		}
		p := s.progress("games", len(list)*games, 0)
		defer p.end()
		for i, c := range list {
			so := c.options
			so.From, so.To, so.Progress = from, from+games, func(done int) { p.at(i*games + done) }
			t, err := stats.Run(ctx, c.game, so)
			if err != nil {
				return nil, err
			}
			if ctx.Err() != nil {
				return sweep, fmt.Errorf("stopped in the round of %s", diag.Plural(len(list), "setting"))
			}
			sweep.Rows = append(sweep.Rows, study.Row{Setting: c.setting, Tally: t, Sides: len(c.game.Rules().Teams)})
		}
		from += games
		return sweep, nil
	}
	for {
		last := len(list) <= finalists
		if last {
			games = o.games
		}
		sweep, err := play()
		if err != nil {
			if last && sweep != nil && len(sweep.Rows) > 0 { // what there is
				if err := s.printStudy(sweep.Wanted(found, o.again), &o.formFlags, &o.pictureFlags); err != nil {
					return err
				}
			}
			return err
		}
		known := sweep.Figures()
		for _, w := range wishes {
			if !slices.Contains(known, w.Name) {
				return usagef("flag --want: no figure is called %q; there are %s", w.Name, door.Join(known)).nearest(w.Name, known)
			}
		}
		if last {
			return s.printStudy(sweep.Wanted(found, o.again), &o.formFlags, &o.pictureFlags)
		}
		var kept []candidate
		for _, i := range sweep.Rank(wishes)[:max(finalists, len(list)/4)] {
			kept = append(kept, list[i])
		}
		list, games = kept, min(4*games, o.games)
	}
}

// chosenSettings are the numbers of the settings that are looked at: all, or so many drawn at random.
func chosenSettings(all int, seed uint64) []int {
	var out []int
	if all <= mostSettings {
		for n := range all {
			out = append(out, n)
		}
		return out
	}
	r, drawn := rand.New(rand.NewPCG(seed, 0)), map[int]bool{}
	for len(out) < mostSettings {
		if n := r.IntN(all); !drawn[n] {
			drawn[n] = true
			out = append(out, n)
		}
	}
	return out
}

// settingGame is the game of a setting whose first values are of options, and the others of house rules.
func (s *session) settingGame(o *compareFlags, setting []stats.Option, own int, books map[string]*loaded) (*interpreter.Game, error) {
	flags := o.gameFlags
	flags.with = nil
	for i, x := range setting[own:] {
		if x.Value == "yes" {
			flags.with = append(flags.with, o.with[i])
		}
	}
	key := strings.Join(flags.with, ",")
	if books[key] == nil {
		l, err := s.load(o.args[0], &flags)
		if err != nil {
			return nil, err
		}
		books[key] = l
	}
	return s.gameOf(books[key], o, setting[:own])
}

// searched are the options that are searched where the command line names none: those whose values are known.
func (s *session) searched(book *dsl.Book, flags *gameFlags) []string {
	fixed, _ := flags.options() // load has read them
	var out []string
	for _, x := range book.Options() {
		if _, set := fixed[x.Name]; !set && (len(x.Values) > 0 || x.Bounded()) {
			out = append(out, x.Name)
		}
	}
	return out
}
