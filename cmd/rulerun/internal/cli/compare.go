package cli

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/review"
	"github.com/rulerun/rulerun/interpreter/stats"
)

type compareFlags struct {
	studyFlags            // its game is B, or that of a sweep
	a          studyFlags // of A: the game, the seats and the starter
	args       []string
	over       []string
	precision  float64
	small      string
	time       time.Duration
	eachOne    bool
	wanted     string
	judged     int // the number of games of each that are judged too
}

// How many games there are, where the command line does not say.
const (
	comparedGames = 100_000 // of each, at most
	sweptGames    = 1000    // of a row of a sweep
)

func (s *session) compareVerb() *cobra.Command {
	o := &compareFlags{a: studyFlags{gameFlags: gameFlags{side: "-a"}}}
	run := func(games int, verb func(context.Context, *compareFlags) error) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) error {
			o.args = args
			if !cmd.Flags().Changed("games") {
				o.games = games
			}
			return verb(cmd.Context(), o)
		}
	}
	cmd := verb("compare", s.completeRuleset,
		mode{low: 1, high: 2, what: "one RULESET or two",
			flags: []string{"precision", "small", "time", "judge", "starter", "set-a", "with-a", "players-a", "seats-a", "starter-a", "set-b", "with-b"}, run: run(comparedGames, s.compare)},
		mode{flag: "each", low: 1, high: 1, what: "a RULESET", flags: []string{"small", "time"}, run: run(eachGames, s.each)},
		mode{flag: "sweep", low: 1, high: 1, what: "a RULESET", flags: []string{"over"}, run: run(sweptGames, s.sweep)},
		mode{flag: "want", low: 1, high: 1, what: "a RULESET", flags: []string{"over", "time"}, run: run(wantedGames, s.want)},
	)
	f := cmd.Flags()
	f.StringArrayVar(&o.over, "sweep", nil, "options and values, as `option=1..5`; may be repeated")
	f.BoolVar(&o.eachOne, "each", false, "turn each option and leave out each rule in turn")
	f.StringVar(&o.wanted, "want", "", "find options and rules with these figures (`WISHES`)")
	f.Float64Var(&o.precision, "precision", 0, "go on until differences are known to `P` per cent")
	f.StringVar(&o.small, "small", "1,2", "what matters: `PERCENT,POINTS` of numbers, shares")
	f.DurationVar(&o.time, "time", 0, "")
	f.IntVar(&o.judged, "judge", 0, "judge `N` games of each too: luck, skill, decisions that matter")
	f.Lookup("judge").Hidden = true // "help comparing" names it
	o.bind(s, cmd, comparedGames)
	o.bindSeats(cmd)
	o.bindPace(cmd)
	bindStarter(cmd, &o.starter, "")
	f.StringArrayVar(&o.a.set, "set-a", nil, "for A: --set-a, --with-a, --players-a, --seats-a, --starter-a")
	f.StringArrayVar(&o.a.with, "with-a", nil, "--with for A")
	f.IntVar(&o.a.players, "players-a", 0, "--players for A")
	stringFlag(cmd, &o.a.seats, "seats-a", "", "--seats for A", completeBots)
	f.StringVar(&o.a.starter, "starter-a", "", "--starter for A")
	completeFlag(cmd, "with-a", s.completeRules)
	completeFlag(cmd, "set-a", s.completeSet(&o.a.gameFlags))
	completeFlag(cmd, "players-a", s.completePlayers(&o.a.gameFlags))
	completeFlag(cmd, "sweep", s.completeSet(&o.gameFlags))
	oldSpelling(cmd, "set-b", "set")
	oldSpelling(cmd, "with-b", "with")
	oldSpelling(cmd, "over", "sweep")
	return cmd
}

func (s *session) compare(ctx context.Context, o *compareFlags) error {
	if err := cmp.Or(o.check(), numberIn("judge", o.judged, 0, mostJudged)); err != nil {
		return err
	}
	o.seatPlayers()
	differs := o.sideA()
	co, err := o.compareOptions()
	if err != nil {
		return err
	}
	var games [2]*interpreter.Game
	for _, i := range []int{1, 0} { // A takes from B what its flags leave open: mistakes are those of B first
		side := [2]*studyFlags{&o.a, &o.studyFlags}[i]
		l, err := s.sideOf(o, i, differs)
		if err != nil {
			return err
		}
		if games[i], err = s.game(l, &side.gameFlags); err != nil {
			return err
		}
		if co.Seats[i], co.Players[i], co.Deal[i], err = side.choosers(games[i]); err != nil {
			return err
		}
		if side.starter != "" {
			first, err := starter(games[i], side.starter)
			if err != nil {
				return err
			}
			co.First[i] = &first
		}
	}
	whole := ctx
	ctx, stop := within(ctx, o.time)
	defer stop()
	p := s.progress("games of each at most", o.games, o.time)
	co.Progress = p.at
	c, err := stats.Compare(ctx, games[0], games[1], co)
	p.end()
	if err != nil {
		return err
	}
	r := study.Compare(c, co.Precision)
	if o.judged > 0 && whole.Err() == nil {
		var tallies [2]*review.Tally
		for i, g := range games {
			if tallies[i], err = s.judge(whole, g, o.judged, co.Of(i)); err != nil {
				return err
			}
		}
		study.JudgedBoth(r, tallies[0], tallies[1], c.Small)
	}
	return cmp.Or(s.printStudy(r, &o.resultFlags), stoppedIf(whole.Err() != nil, "%s of each", phrase.Plural(c.Games, "game")))
}

// compareOptions reads what the flags say of every comparison.
func (o *compareFlags) compareOptions() (co stats.CompareOptions, err error) {
	if o.precision < 0 || o.precision > 100 {
		return co, usagef("flag --precision: got %v, want 0 to 100", o.precision)
	}
	if err := someTime(o.time); err != nil {
		return co, err
	}
	co = stats.CompareOptions{Games: o.games, Seed: o.seed, Threads: o.threads, MaxThrows: o.maxThrows, Precision: o.precision / 100}
	if co.Small, err = smallOf(o.small); err == nil {
		co.Pace, err = o.paceOf()
	}
	return co, err
}

func smallOf(text string) (small stats.Small, err error) {
	small.Number, small.Share, err = pair("small", text, 100)
	if err == nil && (small.Number == 0 || small.Share == 0) {
		err = usagef("flag --small: got %q, want two numbers above 0, such as 1,2", text)
	}
	return stats.Small{Number: small.Number / 100, Share: small.Share / 100}, err
}

// sideA completes the flags of A by those of B, and reports whether the flags make the two different.
func (o *compareFlags) sideA() bool {
	a := &o.a
	differs := len(a.set)+len(a.with)+len(o.set)+len(o.with)+a.players > 0 || a.seats != "" || a.starter != ""
	a.seatPlayers()
	a.players, a.seats, a.starter = cmp.Or(a.players, o.players), cmp.Or(a.seats, o.seats), cmp.Or(a.starter, o.starter)
	return differs
}

// sideOf is the rule book of A or B.
func (s *session) sideOf(o *compareFlags, i int, differs bool) (*dsl.Book, error) {
	g := [2]*gameFlags{&o.a.gameFlags, &o.gameFlags}[i]
	if len(o.args) == 2 {
		return s.load(o.args[i], g)
	}
	l, err := s.load(o.args[0], g)
	if err != nil || i == 1 || differs {
		return l, err
	}
	return s.baseOf(o.args[0], l, "name a second RULESET, or say what differs with --set or --with")
}
