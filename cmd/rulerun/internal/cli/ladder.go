package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/ladder"
	"github.com/rulerun/rulerun/interpreter/solve"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// duelFlags say who plays against whom in a ladder or a study of skill.
type duelFlags struct {
	studyFlags
	bots    string
	fresh   bool
	better  string
	against string
	time    time.Duration
}

// usualBots play a ladder where the command line does not say, and learned if it has learned the game.
const usualBots = "random,greedy,flat:50,expectimax:1,mcts:100"

// mostBots is how many take part in a ladder at most.
const mostBots = 32

// How many games are played, where the command line does not say: by each pair of a ladder, and at most against each player of a study of skill.
const (
	ladderGames = 100
	skillGames  = 20_000
)

func (s *session) botsVerb() *cobra.Command {
	o := &duelFlags{}
	run := func(games int, limit time.Duration, verb func(context.Context, *duelFlags) error) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) error {
			o.ruleset = args[0]
			if f := cmd.Flags(); !f.Changed("games") {
				if o.games = games; !f.Changed("time") {
					o.time = limit
				}
			}
			return verb(cmd.Context(), o)
		}
	}
	cmd := verb("bots", s.completeRuleset,
		mode{name: "a ladder", low: 1, high: 1, what: "a RULESET", flags: []string{"bots"}, run: run(ladderGames, 0, s.ladder)},
		mode{flag: "skill", low: 1, high: 1, what: "a RULESET", flags: []string{"better", "against"}, run: run(skillGames, skillTime, s.skill)},
		mode{flag: "train", low: 1, high: 1, what: "a RULESET", flags: []string{"train", "fresh"}, run: run(0, trainTime, s.train)},
	)
	f := cmd.Flags()
	stringFlag(cmd, &o.bots, "bots", usualBots, "the `BOTS` of the ladder", completeBots)
	f.Bool("skill", false, "say how much skill matters")
	stringFlag(cmd, &o.better, "better", "", "the better `BOT` of --skill (default the best of a ladder)", completeBots)
	stringFlag(cmd, &o.against, "against", "random,greedy", "the weaker `BOTS` of --skill", completeBots)
	f.Bool("train", false, "learn the game; --fresh begins anew")
	f.BoolVar(&o.fresh, "fresh", false, "")
	f.Lookup("fresh").Hidden = true
	o.bind(s, cmd, ladderGames)
	f.DurationVar(&o.time, "time", 0, "")
	return cmd
}

func (s *session) ladder(ctx context.Context, o *duelFlags) error {
	g, names, err := s.entrants(o, "bots", o.bots)
	if err != nil {
		return err
	}
	if o.bots == usualBots && fits(g, "learned") == nil {
		names = append(names, "learned")
	}
	if len(names) < 2 || len(names) > mostBots {
		return usagef("flag --bots: got %s, want 2 to %d", diag.Plural(len(names), "bot"), mostBots)
	}
	l := &study.Ladder{Names: names, Duels: ladder.All(len(names), len(g.Rules().Teams)), Worth: g.Rules().Worth != nil}
	err = s.duels(ctx, g, l, o, func() error {
		l.Strengths = ladder.Fit(len(names), l.Duels)
		return s.printStudy(l.Result(), &o.resultFlags)
	})
	if err == nil && !o.json && !o.csv {
		s.againstBest(ctx, g, names[l.Strengths[0].Entrant])
	}
	return err
}

// A game is worked out for a ladder if it has so few positions, and takes no longer.
const (
	solvedStates = 30_000
	solvedTime   = time.Minute
)

// againstBest says how often a bot wins against best play, over both seats, where a game of two sides is small enough to
// be worked out.
func (s *session) againstBest(ctx context.Context, g *interpreter.Game, who string) {
	counted, err := g.Counted()
	if err != nil || g.Players() != 2 {
		return
	}
	ctx, stop := context.WithTimeout(ctx, solvedTime)
	defer stop()
	p, share := counted.Start(0), 0.0
	if size, err := solve.Size(ctx, p, nil); err != nil || size == 0 || size > solvedStates {
		return
	}
	bots := s.progress("seats against best play", 2, solvedTime)
	for seat := range 2 {
		o := solve.Options{Bots: make([]string, 2), Bot: func(name string) (interpreter.Chooser, error) { return bot.New(name) }, MaxStates: 2 * solvedStates, Wins: true, Tolerance: 1e-6}
		o.Bots[seat] = who
		r, err := solve.Solve(ctx, p, o)
		if err != nil {
			bots.end()
			return // it is said only where it is known
		}
		bots.at(seat + 1)
		share += (r.Wins[seat] + r.Drawn/2) / 2
	}
	bots.end()
	fmt.Fprintf(s.err, "against best play, worked out exactly, %s wins %.2f %%\n", who, 100*share)
}

// skillTime is how long a study of skill takes at most, where nothing is said: a throw takes a hundred times as long in
// some rule books as in others.
const skillTime = time.Minute

// affordable is how many throws the better player looks at in a game, about, for one side.
const affordable = 50_000

func (s *session) skill(ctx context.Context, o *duelFlags) error {
	g, names, err := s.entrants(o, "against", o.against)
	if err != nil {
		return err
	}
	if len(names) > mostBots {
		return usagef("flag --against: got %d bots, want %d at most", len(names), mostBots)
	}
	better := o.better
	begun := s.now()
	if better == "" {
		if better, err = s.strongest(ctx, g, o); err != nil {
			return err
		}
	}
	if better, err = botOf(g, "better", better, bot.Default); err != nil {
		return err
	}
	if slices.Contains(names, better) {
		return usagef("flag --against: %s is the better player", better)
	}
	l := &study.Ladder{Names: append(names, better), Worth: g.Rules().Worth != nil}
	l.Duels = seq.Of(len(names), func(i int) ladder.Duel { return ladder.Duel{Alone: len(names), Others: i} })
	if o.time > 0 {
		o.time = max(1, o.time-s.now().Sub(begun))
	}
	return s.duels(ctx, g, l, o, func() error {
		return s.printStudy(l.SkillResult(), &o.resultFlags)
	})
}

// entrants loads the game, and reads the bots of a flag.
func (s *session) entrants(o *duelFlags, flag, list string) (*interpreter.Game, []string, error) {
	if err := cmp.Or(o.check(), someTime(o.time)); err != nil {
		return nil, nil, err
	}
	l, g, err := s.loadGame(o.ruleset, &o.gameFlags)
	if err != nil {
		return nil, nil, err
	}
	if len(g.Rules().Teams) < 2 {
		e := usagef("%s has one side only, and no other to play against", l.Title())
		if numbers := l.PlayerNumbers(nil); len(numbers) > 1 {
			e.players(numbers)
		}
		return nil, nil, e
	}
	var names []string
	for _, who := range bot.Split(list) {
		who, err := botOf(g, flag, who, bot.Default)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(names, who) {
			return nil, nil, usagef("flag --%s: %s is there twice", flag, who)
		}
		names = append(names, who)
	}
	return g, names, nil
}

// duels plays the duels and prints what came of them.
func (s *session) duels(ctx context.Context, g *interpreter.Game, l *study.Ladder, o *duelFlags, print func() error) error {
	l.Subject = stats.SubjectOf(g, stats.Options{Seed: o.seed, MaxThrows: o.maxThrows})
	entrants := entrantsOf(l.Names)
	of := ladder.Total(o.games, len(g.Rules().Teams), len(l.Duels))
	begun := s.now()
	limited, stop := within(ctx, o.time)
	defer stop()
	p := s.progress("games", of, o.time)
	err := ladder.Play(limited, g, entrants, l.Duels, ladder.Options{Games: o.games, Seed: o.seed, Threads: o.threads, MaxThrows: o.maxThrows, Progress: p.at, Now: s.now})
	p.end()
	if err != nil {
		return err
	}
	games := l.Games()
	l.Whole = games == of
	if err := print(); err != nil {
		return err
	}
	if !o.json && !o.csv {
		fmt.Fprintf(s.err, "%s in %.1f s\n", phrase.Plural(games, "game"), s.now().Sub(begun).Seconds())
		if moves := moveTimes(entrants); moves != "" {
			fmt.Fprintf(s.err, "milliseconds a move (the longest): %s\n", moves)
		}
	}
	switch {
	case l.Whole:
	case ctx.Err() != nil:
		return fmt.Errorf("stopped after %s", phrase.Plural(games, "game"))
	case games == 0:
		return fmt.Errorf("no round of games was over within %v: give --time more, or players that think less", o.time)
	case !o.json && !o.csv:
		fmt.Fprintf(s.err, "there was no time for the other %s: --time or --games allows more\n", phrase.Plural(of-games, "game"))
	}
	return nil
}

func entrantsOf(names []string) []ladder.Entrant {
	return seq.Map(names, func(name string) ladder.Entrant {
		return ladder.Entrant{Name: name, Make: func() interpreter.Chooser {
			b, err := bot.New(name)
			if err != nil {
				panic(err) // it has been made before
			}
			return b
		}}
	})
}

// moveTimes says how long players think about a move with a choice, on average and at most.
func moveTimes(entrants []ladder.Entrant) string {
	thought := seq.Filter(entrants, func(e ladder.Entrant) bool { return e.Moves > 0 })
	return strings.Join(seq.Map(thought, func(e ladder.Entrant) string {
		return fmt.Sprintf("%s %.2g (%.2g)", e.Name, e.Spent.Seconds()*1000/float64(e.Moves), e.Longest.Seconds()*1000)
	}), ", ")
}

// strongest chooses the better player of a study of skill: the strongest in a short ladder, with other dice than the
// study. In a ladder without a decision it is the first.
func (s *session) strongest(ctx context.Context, g *interpreter.Game, o *duelFlags) (string, error) {
	names := []string{bot.Strong(g, affordable), "expectimax:1", "expectimax:2"}
	if fits(g, "learned") == nil {
		names = append(names, "learned")
	}
	ctx, stop := within(ctx, o.time/4)
	defer stop()
	duels := ladder.All(len(names), len(g.Rules().Teams))
	games := min(choosingGames, max(1, o.games))
	p := s.progress("games to choose the better player", ladder.Total(games, len(g.Rules().Teams), len(duels)), o.time/4)
	err := ladder.Play(ctx, g, entrantsOf(names), duels, ladder.Options{Games: games, Seed: ^o.seed, Threads: o.threads, MaxThrows: o.maxThrows, Progress: p.at})
	p.end()
	if err != nil {
		return "", err
	}
	if seq.Sum(duels, func(d ladder.Duel) uint64 { return d.Decisions }) == 0 { // more games would show no more
		o.games = games
	}
	return names[ladder.Fit(len(names), duels)[0].Entrant], nil
}

// choosingGames is how many games the players of strongest play against one another.
const choosingGames = 100

func completeBots(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	before := word[:strings.LastIndex(word, ",")+1]
	out := seq.Map(bot.Names(), func(w string) string { return before + w + "\t" + bot.Describe(w) })
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
