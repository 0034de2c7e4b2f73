package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/logs"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/review"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// simFlags say which of the games of sim are played, and where the counts go.
type simFlags struct {
	studyFlags
	shard string
	out   string
	// judged is the number of games that are judged too.
	judged int
	table  string // of best play
	log    string // the file of decisions
}

func (s *session) simVerb() *cobra.Command {
	o := &simFlags{}
	cmd := verb("sim", s.completeRuleset,
		mode{low: 1, high: 1, what: "a RULESET",
			flags: []string{"games", "seed", "threads", "max-throws", "starter", "rotate", "seats", "pace", "judge", "table", "log", "shard", "set", "players", "with"},
			run: func(cmd *cobra.Command, args []string) error {
				o.ruleset = args[0]
				return s.sim(cmd.Context(), o)
			}},
		mode{flag: "merge", low: 1, high: -1, what: "the files of the PARTs",
			run: func(_ *cobra.Command, args []string) error { return s.merge(args, o) }},
	)
	f := cmd.Flags()
	f.StringVar(&o.shard, "shard", "", "play part `I/N` of the games only, as 1/3, 2/3 and 3/3")
	f.StringVarP(&o.out, "out", "o", "", "write what was counted to a `FILE`, for --merge")
	f.Bool("merge", false, "join the files that --shard and --out have written")
	f.IntVar(&o.judged, "judge", 0, "judge `N` games too: luck, skill, decisions that matter")
	f.StringVar(&o.log, "log", "", "log decisions and games to `FILE`s for programs: see help logs")
	f.StringVar(&o.table, "table", "", "judge, and the bot exact, by what solve --keep `DIR` found")
	f.Lookup("table").Hidden = true // "help studies" names it
	o.bind(s, cmd, 10_000)
	o.bindSeats(cmd)
	o.bindPace(cmd)
	o.bindBeginning(cmd)
	return cmd
}

func (s *session) sim(ctx context.Context, o *simFlags) error {
	if err := cmp.Or(o.check(), numberIn("judge", o.judged, 0, mostJudged)); err != nil {
		return err
	}
	so := stats.Options{To: o.games, Of: o.games, Seed: o.seed, Threads: o.threads, Rotate: o.rotate, MaxThrows: o.maxThrows}
	var err error
	if so.Pace, err = o.paceOf(); err != nil {
		return err
	}
	if o.shard != "" {
		if o.judged > 0 {
			return usagef("flags --shard and --judge do not go together: parts are not judged")
		}
		i, n, err := shard(o.shard, o.games)
		switch {
		case err != nil:
			return err
		case o.out == "":
			return usagef("flag --shard: nothing says where the part goes").hintf("give a file with --out")
		case o.svg+o.png+o.page != "":
			return usagef("flag --shard: a part is not drawn").hintf("draw the whole with --merge")
		}
		so.From, so.To = o.games*(i-1)/n, o.games*i/n
	}
	o.seatPlayers()
	o.study = true
	_, g, err := s.loadGame(o.ruleset, &o.gameFlags)
	if err != nil {
		return err
	}
	if err := useTable(g, o.table); err != nil {
		return err
	}
	if err := o.seating(g, &so); err != nil {
		return err
	}
	begun := s.now()
	p := s.progress("games", so.To-so.From, 0)
	so.Progress = p.at
	t, err := played(ctx, g, so, o.log)
	p.end()
	if err != nil {
		return err
	}
	seconds := max(s.now().Sub(begun).Seconds(), 1e-6)
	if err := writeTally(o.out, t); err != nil {
		return err
	}
	if o.shard == "" {
		r := study.Sim(t, seconds)
		if o.judged > 0 && t.Games() == so.To {
			judged, err := s.judge(ctx, g, o.judged, so)
			if err != nil {
				return err
			}
			study.Judged(r, judged)
		}
		if err := s.printStudy(r, &o.resultFlags); err != nil {
			return err
		}
	}
	if !o.json && !o.csv {
		fmt.Fprintf(s.err, "%s in %.1f s: %s games, %s throws a second\n", phrase.Plural(t.Games(), "game"), seconds,
			phrase.Thousands(float64(t.Games())/seconds), phrase.Thousands(float64(t.Throws.Sum().Total())/seconds))
	}
	return stoppedIf(t.Games() < so.To-so.From, "%s", phrase.Plural(t.Games(), "game"))
}

// played plays the games of a study and counts them. It also logs them, unless the name of the log is "".
func played(ctx context.Context, g *interpreter.Game, so stats.Options, log string) (t *stats.Tally, err error) {
	if log == "" {
		return stats.Run(ctx, g, so)
	}
	var fault error
	err = writeFile(log, func(decisions io.Writer) error {
		return writeFile(logs.GamesFile(log), func(games io.Writer) error {
			t, fault = logs.Run(ctx, g, so, decisions, games)
			return fault
		})
	})
	if _, disk := errors.AsType[*fs.PathError](fault); fault != nil && !disk {
		return nil, fault // of the rules
	}
	return t, err
}

// mostJudged is how many games are judged at most.
const mostJudged = 1_000_000

// judge judges games as a study plays them.
func (s *session) judge(ctx context.Context, g *interpreter.Game, games int, so stats.Options) (*review.Tally, error) {
	ro := review.Options{Options: so, Playouts: usualPlayouts}
	p := s.progress("games judged", games, 0)
	defer p.end()
	ro.To, ro.Of, ro.Progress = games, games, p.at
	return review.Count(ctx, g, ro)
}

// writeTally writes counts to a file; "" is none.
func writeTally(path string, t *stats.Tally) error {
	if path == "" {
		return nil
	}
	data, err := t.Write()
	if err != nil {
		return err
	}
	return save(path, data)
}

// shard reads the --shard flag: the i-th of n parts, counted from 1.
func shard(text string, games int) (i, n int, err error) {
	left, right, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(left)
	n, err2 := strconv.Atoi(right)
	switch {
	case !ok || err1 != nil || err2 != nil || n < 1 || i < 1 || i > n:
		return 0, 0, usagef("flag --shard: got %q, want I/N with I from 1 to N", text)
	case n > games:
		return 0, 0, usagef("flag --shard: there are %s for %d parts", phrase.Plural(games, "game"), n)
	case n > maxParts:
		return 0, 0, usagef("flag --shard: got %d parts, want %d at most", n, maxParts)
	}
	return i, n, nil
}

// maxParts is how many parts a run has at most.
const maxParts = 1_000_000

// starter is the seat a --starter flag names.
func starter(g *interpreter.Game, name string) (int, error) {
	switch name {
	case "first":
		return 0, nil
	case "thrown":
		return interpreter.ByTheRules, nil
	}
	known := []string{"first", "thrown"}
	for seat := range g.Players() {
		if g.SeatName(seat) == name {
			return seat, nil
		}
		known = append(known, g.SeatName(seat))
	}
	return 0, told("usage.no_player", "flag", "starter", "name", strconv.Quote(name)).nearest(name, known)
}

// seating reads who plays and who begins.
func (o *studyFlags) seating(g *interpreter.Game, so *stats.Options) (err error) {
	if so.First, err = starter(g, o.starter); err != nil {
		return err
	}
	if o.rotate && so.First < 0 {
		return usagef("flags --rotate and --starter thrown: one of them says who begins")
	}
	so.Seats, so.Players, so.Deal, err = o.choosers(g)
	return err
}

// choosers reads who plays, and gives what makes the players of a thread; nil where chance plays all seats. deal means that they
// change seats.
func (o *studyFlags) choosers(g *interpreter.Game) (names []string, players func() []interpreter.Chooser, deal bool, err error) {
	if o.seats == "" {
		return nil, nil, false, nil
	}
	names, deal = o.seated()
	flag, byChance := "seats"+o.side, true
	for i, who := range names {
		if names[i], err = botOf(g, flag, who, bot.Default); err != nil {
			return nil, nil, false, err
		}
		byChance = byChance && names[i] == stats.Chance
	}
	switch {
	case deal && len(names) > g.Players(), !deal && len(names) != g.Players():
		return nil, nil, false, usagef("flag --%s: got %s, but %d play", flag, diag.Plural(len(names), "seat"), g.Players())
	case deal && len(slices.Compact(slices.Clone(names))) == 1:
		return nil, nil, false, usagef("flag --%s: players who change seats differ, such as greedy+random", flag)
	case byChance:
		return names, nil, deal, nil
	}
	return names, func() []interpreter.Chooser {
		return seq.Map(names, func(who string) interpreter.Chooser {
			if b, err := bot.New(who); err == nil && who != stats.Chance {
				return b
			}
			return nil
		})
	}, deal, nil
}

// seated are the names that the --seats flag has, and whether they change seats.
func (o *studyFlags) seated() (names []string, deal bool) {
	if !strings.Contains(o.seats, "+") {
		return bot.Split(o.seats), false
	}
	return seq.Map(strings.Split(o.seats, "+"), strings.TrimSpace), true
}

// merge joins the files of the parts of a run.
func (s *session) merge(paths []string, o *simFlags) error {
	if err := o.resultFlags.check(); err != nil {
		return err
	}
	parts := make([]*stats.Tally, len(paths))
	for i, path := range paths {
		text, err := readText(path)
		if err != nil {
			return err
		}
		if parts[i], err = stats.Read([]byte(text)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	t, err := stats.Join(parts...)
	if refused, ok := errors.AsType[*stats.JoinError](err); ok && refused.Part >= 0 {
		return fmt.Errorf("%s and %s cannot be joined: %w", paths[refused.Other], paths[refused.Part], err)
	}
	if err != nil {
		return err
	}
	if err := writeTally(o.out, t); err != nil {
		return err
	}
	return s.printStudy(study.Sim(t, 0), &o.resultFlags)
}
