package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/stats"
)

type compareFlags struct {
	studyFlags
	formFlags
	pictureFlags
	args      []string
	sides     [2]gameFlags
	players   int
	seats     string
	precision float64
	time      time.Duration
}

func (s *session) compareVerb() *cobra.Command {
	o := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare RULESET [RULESET]",
		Short: "Say how two rule books, or two settings of one, differ in play",
		Long: `compare plays the same games with two rule books, house rules or settings, A and B, until
it is sure how they differ, and says so: are games longer, is it an advantage to begin,
are there games that do not end, what happens more often. Of one RULESET, B is the one with
the flags that end in -b; without any, A is what it builds on.

The seats take turns in beginning, and game k has the same chance in both. The comparison
looks at what it has again and again; its intervals allow for that, and for their number:
with a probability of 95 % all of them hold, whatever the games are like. So the numbers of
a game (throws, decisions, how often an act is done) are counted up to a limit, printed
with them; a trial of 100 other games sets it to about twice what is usual. How many games
go beyond it is said; what those make of the mean is too rare to say. It stops when each
main difference (throws, decisions, the first seat's edge, games that reach the limit of
throws) is known, or known to be small: under 1 % of the mean, under 2 points of a share.
--precision 0.5 goes on until each is known to half a per cent, or half a point, either way.`,
		Example: s.examples("compare RULESET --with-b house.rules", "compare mine.rules --games 20000",
			"compare RULESET --set-b option=value --precision 0.5", "compare RULESET --with-b house.rules --seats greedy,greedy --time 1m"),
		Args: arguments(1, 2, "one RULESET or two"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.args, o.again = args, again(cmd, args)
			return s.compare(cmd.Context(), o)
		},
		ValidArgsFunction: s.completeRuleset,
	}
	o.studyFlags.bind(cmd, 100_000)
	f := cmd.Flags()
	f.Lookup("games").Usage = "how many games of each at most: `N`, some 400 at least"
	o.pictureFlags.bind(s, cmd)
	f.Float64Var(&o.precision, "precision", 0, "go on until the main differences are known to `P` per cent or points")
	f.DurationVar(&o.time, "time", 0, "stop after so `long`, such as 30s")
	f.StringVar(&o.seats, "seats", "", "who plays, in turn order: `random,greedy,…` (default chance)")
	o.formFlags.bind(cmd)
	for i, side := range []string{"a", "b"} {
		g := &o.sides[i]
		g.side = "-" + side
		f.StringArrayVar(&g.set, "set-"+side, nil, "give an option of "+strings.ToUpper(side)+" a value, as `name=value`; may be repeated")
		f.StringArrayVar(&g.with, "with-"+side, nil, "apply a house rule to "+strings.ToUpper(side)+", a `file` or the name of a shipped one; may be repeated")
		s.completeFlag(cmd, "with-"+side, completeRules)
		s.completeFlag(cmd, "set-"+side, s.completeSet(g))
	}
	f.IntVar(&o.players, "players", 0, "how many players: `N` (default what the rules say)")
	s.completeFlag(cmd, "seats", completeBots)
	s.completeFlag(cmd, "players", s.completePlayers(&o.sides[0]))
	return cmd
}

func (s *session) compare(ctx context.Context, o *compareFlags) error {
	if err := errors.Join(o.studyFlags.check(), o.formFlags.check(), o.pictureFlags.check()); err != nil {
		return err
	}
	switch {
	case o.precision < 0 || o.precision > 100:
		return usagef("flag --precision: got %v, want 0 to 100", o.precision)
	case o.time < 0:
		return usagef("flag --time: got %v, want a time such as 30s", o.time)
	}
	if o.seats != "" && o.players == 0 {
		o.players = len(bot.Split(o.seats))
	}
	co := stats.CompareOptions{Games: o.games, Seed: o.seed, Threads: o.threads, MaxThrows: o.maxThrows, Precision: o.precision / 100}
	var games [2]*interpreter.Game
	for i := range games {
		l, err := s.sideOf(o, i)
		if err != nil {
			return err
		}
		if games[i], err = s.game(l, &o.sides[i]); err != nil {
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
	tallies, err := s.lengths(whole, o, c, games, &co)
	if err != nil {
		return err
	}
	err = s.printStudy(study.Compare(c, co.Precision, tallies[0], tallies[1], o.again), &o.formFlags, &o.pictureFlags)
	if err == nil && whole.Err() != nil {
		return fmt.Errorf("stopped after %s of each", gameCount(c.Games))
	}
	return err
}

// sideOf is the rule book of A or B.
func (s *session) sideOf(o *compareFlags, i int) (*loaded, error) {
	g := &o.sides[i]
	g.players = o.players
	if len(o.args) == 2 {
		return s.load(o.args[i], g)
	}
	l, err := s.load(o.args[0], g)
	a, b := &o.sides[0], &o.sides[1]
	if err != nil || i == 1 || len(a.set)+len(a.with)+len(b.set)+len(b.with) > 0 {
		return l, err
	}
	book, err := s.baseOf(o.args[0], l, "name a second RULESET, or say what differs with --set-b or --with-b")
	if err != nil {
		return nil, err
	}
	return &loaded{book: book, arg: book.Name()}, nil
}

// lengthGames is how many games of each are played again for the drawing of their lengths.
const lengthGames = 10_000

// lengths are tallies of the first games of either, played again for the drawing of their lengths: a comparison keeps
// differences only. They are nil where nothing is drawn.
func (s *session) lengths(ctx context.Context, o *compareFlags, c *stats.Comparison, games [2]*interpreter.Game, co *stats.CompareOptions) (tallies [2]*stats.Tally, err error) {
	if !o.wanted() {
		return tallies, nil
	}
	for i, g := range games {
		tallies[i], err = stats.Run(ctx, g, stats.Options{
			To: min(c.Games, lengthGames), Seed: co.Seed, Threads: co.Threads, Rotate: true, MaxThrows: co.MaxThrows, Seats: co.Seats[i], Players: co.Players[i],
		})
		if err != nil {
			return tallies, err
		}
	}
	return tallies, nil
}
