package interpreter_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
	"github.com/rulerun/rulerun/rulesets"
)

// games lists a game for every shipped rule book, and for each word of its options and each number of players.
func games(t *testing.T, each func(t *testing.T, g *interpreter.Game)) {
	files, err := fs.Glob(rulesets.FS, "*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("no rule books", err)
	}
	settings := map[string][]dsl.Setting{
		"parchis4a":          {{}, {Players: 1}, {Players: 2}, {Players: 3}},
		"parchis":            {{}, {Players: 2, Options: map[string]string{"two_on_first_five": "true", "mixed_barriers": "true", "barriers_only_on_safe": "true"}}},
		"ludoteka":           {{}, {Options: map[string]string{"colours": "3"}}, {Options: map[string]string{"colours": "6", "seven_not_twelve": "true"}}},
		"ludoteka_two":       {{}, {Options: map[string]string{"by_colour": "true"}}, {Players: 3, Options: map[string]string{"colours": "6"}}},
		"ludoteka_teams":     {{}, {Options: map[string]string{"colours": "6", "help_partner": "true"}}},
		"cicloparchis":       {{}, {Options: map[string]string{"mode": "secret"}}, {Options: map[string]string{"mode": "three", "zero": "true"}}},
		"patolli":            {{}, {Players: 4}, {Options: map[string]string{"captured_stones": "home", "reserve": "3"}}},
		"ludoteka_sin_dados": {{}},
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".rules")
		list := settings[name]
		if list == nil {
			list = []dsl.Setting{{}}
		}
		for i, s := range list {
			t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) {
				t.Parallel()
				each(t, shipped(t, name, s))
			})
		}
	}
}

// step goes on by one node.
func step(t *testing.T, p *interpreter.Position, r *interpreter.Random) {
	t.Helper()
	switch p.Kind() {
	case interpreter.Throw:
		p.ThrowRandom(r)
	case interpreter.Choice:
		p.ChooseRandom(r)
	case interpreter.Broken:
		t.Fatalf("the rules fail: %v", p.Err())
	default:
		p.Restart(0)
	}
}

// story is the course of a game in words, as far as it goes.
func story(t *testing.T, p *interpreter.Position, r interpreter.Random, nodes int) string {
	t.Helper()
	var b strings.Builder
	for range nodes {
		switch p.Kind() {
		case interpreter.Over:
			fmt.Fprintln(&b, "over", p.Result())
			return b.String()
		case interpreter.Broken:
			t.Fatalf("the rules fail: %v", p.Err())
		case interpreter.Choice:
			for _, o := range p.Options() {
				fmt.Fprint(&b, p.Game().OptionText(o), "; ")
			}
		}
		step(t, p, &r)
		fmt.Fprintln(&b, p.Turn(), p.Places(nil))
	}
	return b.String()
}

// TestEveryOptionApplies takes every option at every choice of some random games: none breaks the rules, and no two
// read the same.
func TestEveryOptionApplies(t *testing.T) {
	games(t, func(t *testing.T, g *interpreter.Game) {
		p, q := g.Start(0), g.Start(0)
		r := interpreter.NewRandom(3, 1)
		for range 1500 {
			if p.Kind() == interpreter.Choice {
				for i := range p.OptionCount() {
					q.CopyFrom(p)
					if err := q.Choose(i); err != nil {
						t.Fatal(err)
					}
					if q.Err() != nil {
						t.Fatalf("option %s: %v", g.OptionText(p.Options()[i]), q.Err())
					}
				}
			}
			step(t, p, &r)
		}
	})
}

// TestSameSeedSameGame plays twice with one seed, and with another.
func TestSameSeedSameGame(t *testing.T) {
	games(t, func(t *testing.T, g *interpreter.Game) {
		a := story(t, g.Start(0), interpreter.NewRandom(5, 2), 400)
		b := story(t, g.Start(0), interpreter.NewRandom(5, 2), 400)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Error(diff)
		}
		if c := story(t, g.Start(0), interpreter.NewRandom(5, 3), 400); a == c {
			t.Error("another game of the run is the same game")
		}
	})
}

// TestCopyPlaysTheSame copies positions in the middle of everything and plays both on.
func TestCopyPlaysTheSame(t *testing.T) {
	games(t, func(t *testing.T, g *interpreter.Game) {
		p := g.Start(0)
		r := interpreter.NewRandom(7, 1)
		for range 40 {
			for range 1 + r.IntN(40) {
				step(t, p, &r)
			}
			q := p.Copy()
			if !p.Equal(q) {
				t.Fatal("a copy is not equal")
			}
			fork := interpreter.NewRandom(9, r.Uint64())
			if diff := cmp.Diff(story(t, p.Copy(), fork, 60), story(t, q, fork, 60)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// TestWrittenPositionIsTheSame writes positions at the beginning of turns as JSON, reads them back and plays both on.
func TestWrittenPositionIsTheSame(t *testing.T) {
	games(t, func(t *testing.T, g *interpreter.Game) {
		p := g.Start(0)
		r := interpreter.NewRandom(11, 1)
		for done := 0; done < 40; {
			for range 1 + r.IntN(20) {
				step(t, p, &r)
			}
			if !p.AtTurn() {
				continue
			}
			done++
			data, err := json.Marshal(p.Setup())
			if err != nil {
				t.Fatal(err)
			}
			var s interpreter.Setup
			if err := json.Unmarshal(data, &s); err != nil {
				t.Fatal(err)
			}
			q, err := g.Setup(&s)
			if err != nil {
				t.Fatalf("%s: %v", data, err)
			}
			fork := interpreter.NewRandom(13, r.Uint64())
			if diff := cmp.Diff(story(t, p.Copy(), fork, 60), story(t, q, fork, 60)); diff != "" {
				t.Fatalf("%s\n%s", data, diff)
			}
		}
	})
}

// TestEveryGameEnds plays whole games of every shipped rule book: none breaks, none reaches the limit.
func TestEveryGameEnds(t *testing.T) {
	games(t, func(t *testing.T, g *interpreter.Game) {
		s, err := stats.Run(t.Context(), g, stats.Options{To: 40, Seed: 1, First: interpreter.ByTheRules})
		if err != nil {
			t.Fatal(err)
		}
		if s.Unfinished > 0 || s.Games() != 40 {
			t.Errorf("%d of %d games reached the limit of throws", s.Unfinished, s.Games())
		}
	})
}

// TestFigures compares random play with the figures of independent implementations, within the error of the games
// played: five standard errors.
func TestFigures(t *testing.T) {
	setting := func(options ...string) dsl.Setting {
		s := dsl.Setting{Options: map[string]string{}}
		for i := 0; i < len(options); i += 2 {
			s.Options[options[i]] = options[i+1]
		}
		return s
	}
	for _, x := range []struct {
		rules                       string
		setting                     dsl.Setting
		games                       int
		throws, decisions, captures float64
		sd                          float64 // of the throws of one game, 0 where it is not known
	}{
		{"parchis4a", setting(), 3000, 434.7, 296.0, 18.47, 46},
		{"cicloparchis", setting(), 2000, 422.3, 348.3, 15.04, 0},
		{"cicloparchis", setting("mode", "secret"), 2000, 422.2, 348.3, 15.04, 0},
		{"cicloparchis", setting("mode", "teams"), 2000, 525.9, 441.2, 18.95, 0},
		{"cicloparchis", setting("mode", "two"), 2000, 537.3, 470.8, 19.76, 0},
		{"cicloparchis", setting("zero", "true"), 2000, 490.5, 425.8, 16.47, 0},
	} {
		t.Run(x.rules+fmt.Sprint(x.setting.Options), func(t *testing.T) {
			s, err := stats.Run(t.Context(), shipped(t, x.rules, x.setting), stats.Options{To: x.games, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			near := func(what string, m stats.Mean, want float64) {
				t.Helper()
				if d := m.Mean - want; d > 5*m.SE+0.05 || d < -5*m.SE-0.05 {
					t.Errorf("%s: %.2f ± %.2f, want %.2f", what, m.Mean, m.SE, want)
				}
			}
			near("throws", s.Throws.Mean(), x.throws)
			near("decisions", s.Decisions.Mean(), x.decisions)
			near("captures", s.Acts[0].Over(s.Games()), x.captures)
			if sd := s.Throws.Mean().SD; x.sd > 0 && (sd < x.sd-3 || sd > x.sd+3) {
				t.Errorf("standard deviation of one game: %.1f, want %.0f", sd, x.sd)
			}
		})
	}
}

// TestNothingIsAllocated plays on a warm position.
func TestNothingIsAllocated(t *testing.T) {
	for _, name := range []string{"parchis4a", "cicloparchis", "patolli"} {
		g := shipped(t, name, dsl.Setting{})
		p, q := g.Start(0), g.Start(0)
		r := interpreter.NewRandom(1, 1)
		for range 20000 {
			step(t, p, &r)
		}
		if n := testing.AllocsPerRun(2000, func() {
			step(t, p, &r)
			q.CopyFrom(p)
		}); n > 0 {
			t.Errorf("%s: %.1f allocations a node", name, n)
		}
	}
}

// TestNoGameAllocates plays whole games on a warm runner, by the interpreter and as machine code.
func TestNoGameAllocates(t *testing.T) {
	for _, name := range []string{"parchis4a", "ludoteka_two", "cicloparchis"} {
		for _, interpret := range []bool{true, false} {
			r, err := interpreter.NewRunner(shipped(t, name, dsl.Setting{}), interpreter.RunOptions{Interpret: interpret})
			if err != nil {
				t.Fatal(err)
			}
			k := uint64(0)
			play := func() {
				if _, err := r.Play(1, k); err != nil {
					t.Fatal(err)
				}
				k++
			}
			for begun := time.Now(); k < 20 || !interpret && time.Since(begun) < time.Second; { // machine code is made after a tenth of that
				play()
			}
			if n := testing.AllocsPerRun(20, play); n > 0 {
				t.Errorf("%s, interpreted %t: %.1f allocations a game", name, interpret, n)
			}
		}
	}
}
