package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

type compareFlags struct {
	studyFlags           // its game is B, or that of a sweep
	a          gameFlags // of A
	args       []string
	over       []string
	precision  float64
	small      string
	time       time.Duration
}

// sweptGames is how many games a row of a sweep has, where the command line does not say.
const sweptGames = 1000

func (s *session) compareVerb() *cobra.Command {
	o := &compareFlags{a: gameFlags{side: "-a"}}
	cmd := &cobra.Command{
		Use:   "compare RULESET [RULESET] | compare RULESET --sweep OPTION=VALUES",
		Short: "Say how rule books, house rules or options differ in play",
		Long: `compare plays the same games by two rule books or settings, A and B, until it is
sure how they differ: length, who wins, what happens. --set and --with are for
B, --set-a and --with-a for A. Of one RULESET without them, A is what it builds
on. --sweep prints a row for every value of an option, from 1000 games each.
The formats are text, json and csv. "rulerun help comparing" says more.`,
		Example:           s.examples("compare RULESET --with house.rules", "compare RULESET --set option=value --precision 0.5", "compare RULESET --sweep option=1..5,10 --sweep players"),
		ValidArgsFunction: s.completeRuleset,
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.over, "sweep", nil, "options and values, as `option=1..5`; may be repeated")
	f.Float64Var(&o.precision, "precision", 0, "go on until differences are known to `P` per cent")
	f.StringVar(&o.small, "small", "1,2", "what matters: `PERCENT,POINTS` of numbers, shares")
	bindTime(cmd, &o.time)
	o.bind(s, cmd, 100_000)
	o.bindSeats(s, cmd)
	o.bindPace(cmd)
	f.StringArrayVar(&o.a.set, "set-a", nil, "--set for A: `NAME=VALUE`")
	f.StringArrayVar(&o.a.with, "with-a", nil, "--with for A: a `FILE`")
	s.completeFlag(cmd, "with-a", s.completeRules)
	s.completeFlag(cmd, "set-a", s.completeSet(&o.a))
	s.completeFlag(cmd, "sweep", s.completeSet(&o.gameFlags))
	oldSpelling(cmd, "set-b", "set")
	oldSpelling(cmd, "with-b", "with")
	oldSpelling(cmd, "over", "sweep")
	cmd.RunE = runMode(
		mode{low: 1, high: 2, what: "one RULESET or two", flags: []string{"precision", "small", "time", "set-a", "with-a", "set-b", "with-b"},
			run: func(args []string) error {
				o.args, o.again = args, again(cmd, args)
				return s.compare(cmd.Context(), o)
			}},
		mode{flag: "sweep", low: 1, high: 1, what: "a RULESET", flags: []string{"over"},
			run: func(args []string) error {
				o.args, o.again = args, again(cmd, args)
				if !f.Changed("games") {
					o.games = sweptGames
				}
				return s.sweep(cmd.Context(), o)
			}},
	)
	return cmd
}

func (s *session) compare(ctx context.Context, o *compareFlags) error {
	if err := o.check(); err != nil {
		return err
	}
	switch {
	case o.precision < 0 || o.precision > 100:
		return usagef("flag --precision: got %v, want 0 to 100", o.precision)
	case o.time < 0:
		return usagef("flag --time: got %v, want a time such as 30s", o.time)
	}
	o.seatPlayers()
	co := stats.CompareOptions{Games: o.games, Seed: o.seed, Threads: o.threads, MaxThrows: o.maxThrows, Precision: o.precision / 100}
	var err error
	if co.Small, err = smallOf(o.small); err != nil {
		return err
	}
	if co.Pace, err = o.paceOf(); err != nil {
		return err
	}
	var games [2]*interpreter.Game
	for i := range games {
		l, err := s.sideOf(o, i)
		if err != nil {
			return err
		}
		if games[i], err = s.game(l, o.side(i)); err != nil {
			return err
		}
		if co.Seats[i], co.Players[i], err = players(games[i], o.seats); err != nil {
			return err
		}
	}
	whole := ctx
	if o.time > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, o.time)
		defer stop()
	}
	p := s.progress("games of each at most", o.games, o.time)
	co.Progress = p.at
	c, err := stats.Compare(ctx, games[0], games[1], co)
	p.end()
	if err != nil {
		return err
	}
	err = s.printStudy(study.Compare(c, co.Precision, o.again), &o.formFlags, &o.pictureFlags)
	if err == nil && whole.Err() != nil {
		return fmt.Errorf("stopped after %s of each", gameCount(c.Games))
	}
	return err
}

// smallOf reads the --small flag.
func smallOf(text string) (small stats.Small, err error) {
	small.Number, small.Share, err = pair("small", text, 100)
	if err == nil && (small.Number == 0 || small.Share == 0) {
		err = usagef("flag --small: got %q, want two numbers above 0, such as 1,2", text)
	}
	return stats.Small{Number: small.Number / 100, Share: small.Share / 100}, err
}

// side is the flags of A or B.
func (o *compareFlags) side(i int) *gameFlags {
	if i == 1 {
		return &o.gameFlags
	}
	o.a.players = o.players
	return &o.a
}

// sideOf is the rule book of A or B.
func (s *session) sideOf(o *compareFlags, i int) (*loaded, error) {
	g := o.side(i)
	if len(o.args) == 2 {
		return s.load(o.args[i], g)
	}
	l, err := s.load(o.args[0], g)
	if err != nil || i == 1 || len(o.a.set)+len(o.a.with)+len(o.set)+len(o.with) > 0 {
		return l, err
	}
	book, err := s.baseOf(o.args[0], l, "name a second RULESET, or say what differs with --set or --with")
	if err != nil {
		return nil, err
	}
	return &loaded{book: book, arg: book.Name()}, nil
}
