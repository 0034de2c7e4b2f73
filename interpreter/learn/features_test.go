package learn_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/interpreter/learn"
	"github.com/rulerun/rulerun/rulesets"
)

// game compiles a shipped rule book or an example.
func game(t testing.TB, name string, s dsl.Setting) *interpreter.Game {
	t.Helper()
	var folder fs.FS = rulesets.FS
	if _, err := fs.Stat(folder, name+".rules"); err != nil {
		folder = os.DirFS("../../examples/games")
	}
	g, err := interpreter.Compile(testbook.In(t, folder, name+".rules", s))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// played are the games for feature tests.
var played = []struct {
	name    string
	players int
}{{"ur", 2}, {"parchis4a", 2}, {"parchis4a", 4}, {"ludoteka_teams", 4}, {"patolli", 3}, {"cicloparchis", 4}, {"senet", 2}, {"yut", 2}}

func eachGame(t *testing.T, f func(t *testing.T, g *interpreter.Game)) {
	for _, x := range played {
		t.Run(fmt.Sprint(x.name, x.players), func(t *testing.T) { f(t, game(t, x.name, dsl.Setting{Players: x.players})) })
	}
}

// values are the features of a position by name, for a team.
func values(f *learn.Features, view []learn.Term) map[string]float64 {
	out := map[string]float64{}
	for _, x := range view {
		out[f.Names()[x.Feature]] += float64(x.Value)
	}
	maps.DeleteFunc(out, func(_ string, v float64) bool { return math.Abs(v) < 1e-5 })
	return out
}

// positions calls f with positions at throws of random games.
func positions(g *interpreter.Game, games int, f func(p *interpreter.Position)) {
	for k := range uint64(games) {
		r := interpreter.NewRandom(11, k)
		p := g.Start(0)
		for p.Kind() == interpreter.Throw || p.Kind() == interpreter.Choice {
			if p.Kind() == interpreter.Throw && !p.Opening() && r.IntN(10) == 0 {
				f(p)
			}
			if p.Throws() > 400 {
				break
			}
			p.ThrowRandom(&r)
			p.ChooseRandom(&r)
		}
	}
}

// TestFeatures compares the features with a slow computation from the definitions. TestTerrain covers the tables of the
// terrain.
func TestFeatures(t *testing.T) {
	eachGame(t, func(t *testing.T, g *interpreter.Game) {
		f := learn.NewFeatures(g)
		if names := slices.Compact(slices.Sorted(slices.Values(f.Names()))); len(names) != len(f.Names()) {
			t.Errorf("two features have one name: %q", f.Names())
		}
		read := f.NewReader()
		n := 0
		positions(g, 3, func(p *interpreter.Position) {
			n++
			for team, view := range read.Read(p) {
				if diff := cmp.Diff(f.Slow(p, team), values(f, view), cmpopts.EquateApprox(0, 1e-5)); diff != "" {
					t.Fatalf("team %d of %+v (-slow +fast):\n%s", team, p.Setup(), diff)
				}
			}
		})
		if n < 10 {
			t.Errorf("only %d positions", n)
		}
		p, r := g.Start(0), interpreter.NewRandom(1, 1)
		p.Playout(&r, interpreter.Until{Throws: 50})
		if n := testing.AllocsPerRun(50, func() { read.Read(p) }); n > 0 {
			t.Errorf("it allocates %v times", n)
		}
	})
}

// TestTerrain compares the probed properties of places with those of the boards and rule books.
func TestTerrain(t *testing.T) {
	tag := func(g *interpreter.Game, place int, name string) bool {
		board := g.Rules().Board
		return board.Places[place].Tags[slices.Index(board.Tags, name)]
	}
	for _, x := range []struct {
		name                string
		players             int
		one, two, bars, bar func(g *interpreter.Game, place int) bool
	}{
		{"parchis4a", 2,
			func(g *interpreter.Game, s int) bool { return !tag(g, s, "safe") }, nil,
			nil, func(*interpreter.Game, int) bool { return true }},
		{"ludoteka_teams", 4,
			func(g *interpreter.Game, s int) bool { return !tag(g, s, "safe") }, nil,
			nil, func(*interpreter.Game, int) bool { return true }},
		{"ur", 2,
			func(g *interpreter.Game, s int) bool { return !tag(g, s, "rosette") },
			func(g *interpreter.Game, s int) bool { return !tag(g, s, "rosette") },
			nil, nil},
		{"patolli", 4,
			func(g *interpreter.Game, s int) bool { return tag(g, s, "central") || tag(g, s, "near") }, nil,
			nil, nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			g := game(t, x.name, dsl.Setting{Players: x.players})
			f := learn.NewFeatures(g)
			f.NewReader() // probes the engine
			for colour := range g.Rules().Colours {
				for place, p := range g.Rules().Board.Places {
					if !f.Open(colour, place) || slices.ContainsFunc(f.Starts(), func(start int) bool { return start == place }) {
						continue // no steps lead to the start of a track
					}
					for i, want := range []func(*interpreter.Game, int) bool{x.one, x.two, x.bars, x.bar} {
						got := []bool{f.Hit(colour, 1, place), f.Hit(colour, 2, place), f.Bars(colour, 1, place), f.Bars(colour, 2, place)}[i]
						if expected := want != nil && want(g, place); got != expected {
							t.Errorf("%s on %s: %s is %v, want %v", g.ColourName(colour), p.Name, []string{"sent away", "two sent away", "bars", "two bar"}[i], got, expected)
						}
					}
				}
			}
		})
	}
}

// TestReach compares the reach of a throw with the die, within a tolerance for blocked moves.
func TestReach(t *testing.T) {
	f := learn.NewFeatures(game(t, "parchis4a", dsl.Setting{Players: 2}))
	f.NewReader() // probes the engine
	for d := range 13 {
		low, high := 0.0, 0.0
		switch { // a 5 must bring a piece in, a 6 can count 7
		case d >= 1 && d <= 4:
			low, high = 0.14, 0.18
		case d >= 5 && d <= 7:
			low, high = 0.02, 0.17
		}
		if p := float64(f.Reach(d)); p < low || p > high {
			t.Errorf("%d steps have probability %.3f, want %.2f to %.2f", d, p, low, high)
		}
	}
}

// TestFeaturesTurn tests that features mean the same for every seat: exchanging the players' colours exchanges the features.
func TestFeaturesTurn(t *testing.T) {
	g := game(t, "parchis4a", dsl.Setting{Players: 2})
	f := learn.NewFeatures(g)
	read := f.NewReader()
	board := g.Rules().Board
	turned := func(place string) string { // half a round on
		var n int
		if _, err := fmt.Sscanf(place, "%d", &n); err == nil {
			return fmt.Sprint((n+33)%68 + 1)
		}
		for a, b := range map[string]string{"yellow": "red", "red": "yellow"} {
			if _, err := fmt.Sscanf(place, a+"-%d", &n); err == nil {
				return fmt.Sprintf("%s-%d", b, n)
			}
		}
		return place
	}
	names := map[string]string{"yellow": "red", "red": "yellow"}
	n := 0
	positions(g, 4, func(p *interpreter.Position) {
		if !p.AtTurn() {
			return
		}
		s := p.Setup()
		x := &interpreter.Setup{Turn: names[s.Turn], Pieces: map[string][]string{}, Vars: map[string]any{}}
		for colour, pieces := range s.Pieces {
			for _, place := range pieces {
				x.Pieces[names[colour]] = append(x.Pieces[names[colour]], turned(place))
			}
		}
		for name, v := range s.Vars {
			if owned, ok := v.(map[string]any); ok {
				swapped := map[string]any{}
				for colour, v := range owned {
					swapped[names[colour]] = v
				}
				v = swapped
			}
			x.Vars[name] = v
		}
		q, err := g.Setup(x)
		if err != nil {
			t.Fatalf("%v: %+v", err, x)
		}
		n++
		one, two := values(f, read.Read(p)[0]), values(f, read.Read(q)[1])
		for name, v := range one { // reach is pooled over colours, entries are sampled per colour
			if math.Abs(v-two[name]) > 0.05 {
				t.Fatalf("%s is %v, turned %v; %+v", name, v, two[name], s.Pieces)
			}
		}
	})
	if n < 10 || len(board.Places) == 0 {
		t.Errorf("only %d positions", n)
	}
}
