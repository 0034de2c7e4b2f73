package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/table"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/record"
)

type playOptions struct {
	gameFlags
	ruleset   string
	seats     string
	seed      uint64
	seeded    bool
	starter   string
	position  string
	record    string
	resume    string
	table     string
	test      string
	games     int
	autoThrow bool
	why       bool
	plain     bool
	watch     bool
	web       bool
	page      pageFlags
	replay    replayOptions
	analyse   analyseOptions
	fixed     []string // flags given that a resumed game has settled already
}

// maxGames is the longest series.
const maxGames = 10_000

func (s *session) playVerb() *cobra.Command {
	o := &playOptions{}
	cmd := verb("play", s.completeRuleset,
		mode{name: "a RULESET", high: 1, what: "a RULESET", run: func(cmd *cobra.Command, args []string) error { return s.begin(cmd, o, args) },
			flags: []string{"seats", "set", "players", "with", "seed", "starter", "position", "test", "record", "games", "resume", "table", "auto-throw", "watch", "web", "why"}},
		mode{name: "a RECORD", low: 1, high: 1, what: "a RECORD",
			when: func(cmd *cobra.Command, args []string) bool {
				return cmd.CalledAs() == "replay" || len(args) > 0 && (filepath.Ext(args[0]) == ".txt" || isRecord(args[0]))
			},
			run:   func(cmd *cobra.Command, args []string) error { return s.again(cmd.Context(), o, args[0]) },
			flags: []string{"step", "draw", "board", "ruleset", "web", "why"}},
		mode{flag: "analyse", name: "--analyse of a RECORD", low: 1, high: 1, what: "a RECORD",
			run:   func(cmd *cobra.Command, args []string) error { return s.analyse(cmd.Context(), o, args[0]) },
			flags: []string{"analyse", "ruleset", "table", "playouts", "format", "json", "csv", "svg", "png", "dark", "page"}},
	)
	f := cmd.Flags()
	stringFlag(cmd, &o.seats, "seats", "", "", completeSeats)
	o.bind(s, cmd)
	f.Uint64Var(&o.seed, "seed", 0, "")
	bindStarter(cmd, &o.starter, "thrown")
	stringFlag(cmd, &o.position, "position", "", "", completeExt("json"))
	f.StringVar(&o.test, "test", "", "")
	f.StringVar(&o.record, "record", "", "")
	f.IntVar(&o.games, "games", 1, "")
	f.StringVar(&o.table, "table", "", "")
	f.StringVar(&o.resume, "resume", "", "")
	f.BoolVar(&o.autoThrow, "auto-throw", false, "")
	f.BoolVar(&o.why, "why", false, "")
	f.BoolVar(&o.plain, "plain", false, "")
	f.BoolVar(&o.web, "web", false, "")
	o.page.bind(cmd)
	f.BoolVar(&o.watch, "watch", false, "")
	o.replay.bind(s, cmd)
	o.analyse.bind(cmd)
	bindLang(cmd, &o.page.lang)
	oldSpelling(cmd, "explain", "why")
	return cmd
}

// begin reads the flags of a game that is played, and plays it.
func (s *session) begin(cmd *cobra.Command, o *playOptions, args []string) error {
	if len(args) > 0 {
		o.ruleset = args[0]
	}
	if err := numberIn("games", o.games, 1, maxGames); err != nil {
		return err
	}
	switch {
	case o.web && (o.plain || o.games > 1):
		return told("usage.together", "a", "--web", "b", []string{"--plain", "--games"})
	case o.watch && (o.plain || o.resume != "" || !o.web && !s.wholeScreen()):
		return told("usage.watch")
	case o.games > 1 && o.resume != "":
		return told("usage.games_resume")
	case o.test != "" && (o.position != "" || o.players != 0 || len(o.set) > 0):
		return told("usage.test_alone")
	case o.games > 1 && o.test != "":
		return told("usage.games_test")
	case o.games > 1 && o.position != "":
		return told("usage.games_position")
	}
	o.seeded = cmd.Flags().Changed("seed")
	o.fixed = seq.Filter([]string{"set", "players", "with", "seed", "starter", "position", "record"}, cmd.Flags().Changed)
	if o.web {
		return s.playInBrowser(cmd.Context(), o)
	}
	return s.play(cmd.Context(), o)
}

func completeSeats(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	bots, more := completeBots(cmd, args, word)
	return append([]string{word[:strings.LastIndex(word, ",")+1] + "human\ta person"}, bots...), more
}

func (s *session) play(ctx context.Context, o *playOptions) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var lines <-chan string
	if o.plain || !s.wholeScreen() {
		lines = readLines(ctx, s.in)
	}
	game, log, err := s.prepare(o)
	run := &series{games: o.games}
	var outcome door.Outcome
	var fault error
	for {
		if err != nil {
			return s.misfit(err)
		}
		g := game.Game()
		if run.wins == nil {
			run.wins, run.worth = make([]int, g.Players()), make([]int, g.Players())
		}
		if before := run.before(game); !o.plain && s.wholeScreen() {
			outcome, fault = s.playOnScreen(ctx, game, before, log, o, run.played+1 < run.games)
		} else {
			t := &table.Table{
				Session: game, Before: before, Lines: lines, Echo: terminal(s.in) == nil, Screen: s.lineScreen(),
				AutoThrow: o.autoThrow, Explain: o.why, Save: save, CanResume: s.canResume,
			}
			outcome, fault = t.Play(ctx)
		}
		kept := log.close(outcome)
		if fault != nil {
			return errors.Join(s.misfit(fault), kept)
		}
		if kept != nil {
			return kept
		}
		if outcome.End != door.Over && log.path != "" && (outcome.Moved || !log.own) {
			if log.own {
				fmt.Fprintln(s.out, s.say("play.kept_as", "file", log.path))
			} else {
				fmt.Fprintln(s.out, s.say("play.kept", "file", shellWord(log.path)))
			}
		}
		more := run.add(outcome)
		if run.games > 1 && !more && run.played > 0 {
			fmt.Fprintln(s.out, run.standing(game))
		}
		switch {
		case outcome.End == door.Resume:
			o = &playOptions{resume: outcome.Resume, autoThrow: o.autoThrow, why: o.why}
			run = &series{games: 1}
			game, log, err = s.prepare(o)
		case more:
			game, log, err = s.nextGame(game, outcome.Result, recordOf(o.record, run.played+1, run.games))
		default:
			return nil
		}
	}
}

// prepare makes the session: a new game, or one that is gone on with.
func (s *session) prepare(o *playOptions) (*door.Session, *log, error) {
	if o.resume == "last" {
		var err error
		if o.resume, err = s.lastKept(); err != nil {
			return nil, nil, err
		}
	}
	if o.resume != "" {
		return s.prepareResume(o)
	}
	if o.ruleset == "" && o.position == "" {
		return nil, nil, told("usage.needs", "verb", "play", "what", thing("a RULESET")).hinted("usage.there_are", "names", shippedNames())
	}
	if o.seats != "" && o.players == 0 {
		o.players = len(bot.Split(o.seats))
	}
	var setup *interpreter.Setup
	if o.position != "" {
		var err error
		if setup, err = onePosition(o.position); err != nil {
			return nil, nil, err
		}
		if o.ruleset, err = s.finderFor(o.position, o.ruleset, gameFlags{}).argument(setup.Ruleset); err != nil {
			return nil, nil, err
		}
		o.players = cmp.Or(o.players, setup.Players)
		o.settle(setup)
	}
	l, g, err := s.loadGame(o.ruleset, &o.gameFlags)
	if err != nil {
		return nil, nil, err
	}
	if o.test != "" {
		if g, setup, err = testPosition(l.In(s.lang), o.test); err != nil {
			return nil, nil, err
		}
		o.players = g.Players() // for --watch
		o.settle(setup)
	}
	if err := useTable(g, o.table); err != nil {
		return nil, nil, err
	}
	seats, err := s.seats(g, o.seats, o.web)
	if err != nil {
		return nil, nil, err
	}
	h := &record.Header{
		Rules: o.ruleset, With: o.with, Print: record.Fingerprint(g), Players: g.Players(), Seats: seats, Seed: o.seed, Position: setup,
		Options: g.Rules().Options,
	}
	if !o.seeded {
		h.Seed = chance()
	}
	if first, err := starter(g, o.starter); err != nil {
		return nil, nil, err
	} else if first != interpreter.ByTheRules {
		h.First = g.SeatName(first)
	}
	for n := 1; n <= o.games; n++ { // before anything is played
		if path := recordOf(o.record, n, o.games); o.games > 1 && path != "" {
			if _, err := os.Lstat(path); err == nil {
				return nil, nil, isThere(path)
			}
		}
	}
	return s.newGame(g, h, recordOf(o.record, 1, o.games))
}

// testPosition is the game of a test of a rule book, and the position it begins with. A part of the test's name is enough if no other
// name has it.
func testPosition(book *dsl.Book, name string) (*interpreter.Game, *interpreter.Setup, error) {
	var names []string
	var found []*dsl.Scenario
	for _, t := range book.Scenarios() {
		english, row, _ := strings.Cut(t.Name, " [") // of a table
		called := book.Text("test."+english, english)
		if row != "" {
			called += " [" + row
		}
		names = append(names, called)
		if t.Name == name || called == name {
			found = []*dsl.Scenario{t}
			break
		}
		if strings.Contains(t.Name, name) || strings.Contains(called, name) {
			found = append(found, t)
		}
	}
	switch {
	case len(found) == 0:
		return nil, nil, told("usage.no_test", "book", book.Name(), "name", strconv.Quote(name)).nearest(name, names)
	case len(found) > 1:
		return nil, nil, told("usage.tests", "n", len(found), "book", book.Name(), "name", strconv.Quote(name)).hinted("usage.one_test", "name", strconv.Quote(found[0].Name))
	}
	rules, faults := found[0].Rules()
	if rules == nil {
		return nil, nil, faults
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		return nil, nil, err
	}
	p, err := g.Given(rules.Tests[0])
	if err != nil {
		return nil, nil, err
	}
	return g, p.Setup(), nil
}

// newGame begins a game with a head, and the file of its record.
func (s *session) newGame(g *interpreter.Game, h *record.Header, path string) (*door.Session, *log, error) {
	game, err := door.Open(g, h, nil)
	if err != nil {
		return nil, nil, err
	}
	log, err := s.newLog(path, g.Rules().Name, slices.Contains(h.Seats, "human"))
	if err != nil {
		return nil, nil, err
	}
	if log.file != nil {
		head := *h
		if log.own { // it is gone on with from who knows where
			head.Rules, head.With = fullPath(h.Rules), seq.Map(h.With, fullPath)
		}
		if game.Log, err = record.NewWriter(log.file, &head); err != nil {
			return nil, nil, writeError(log.path, err)
		}
	}
	return game, log, nil
}

// fullPath is a RULESET argument that means the same from every folder.
func fullPath(arg string) string {
	if !isPath(arg) {
		return arg
	}
	if full, err := filepath.Abs(arg); err == nil {
		return full
	}
	return arg
}

// seats reads who plays. Without a text a person has the first seat if there is one, at the terminal or at a page.
func (s *session) seats(g *interpreter.Game, text string, page bool) ([]string, error) {
	if text == "" {
		return seq.Of(g.Players(), func(seat int) string {
			if seat == 0 && (page || terminal(s.in) != nil) {
				return "human"
			}
			return bot.Usual(g.Rules())
		}), nil
	}
	out, err := seq.Try(bot.Split(text), func(who string) (string, error) { return playerOf(g, who) })
	if err != nil {
		return nil, err
	}
	if len(out) != g.Players() {
		return nil, told("usage.seats", "n", len(out), "players", g.Players())
	}
	return out, nil
}

// chance is a random seed, short enough to be typed again.
func chance() uint64 { return rand.Uint64N(1_000_000_000) }

// shellWord is a text as a shell takes it for one word.
func shellWord(s string) string {
	if s == "" || strings.ContainsAny(s, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}
