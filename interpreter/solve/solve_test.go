package solve_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/interpreter/solve"
)

const games = "../../examples/games"

// game compiles a rule file in the counted form.
func game(t *testing.T, dir, name, text string, setting dsl.Setting) *interpreter.Game {
	t.Helper()
	g, err := interpreter.Compile(testbook.Rules(t, name, text, os.DirFS(dir), setting))
	if err != nil {
		t.Fatal(err)
	}
	counted, err := g.Counted()
	if err != nil {
		t.Fatal(err)
	}
	return counted
}

// example compiles a game of the examples.
func example(t *testing.T, name string, setting dsl.Setting) *interpreter.Game {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(games, name))
	if err != nil {
		t.Fatal(err)
	}
	return game(t, games, name, string(text), setting)
}

func solved(t *testing.T, p *interpreter.Position, o solve.Options) *solve.Result {
	t.Helper()
	r, err := solve.Solve(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d states, %d choices, %d ways, %d components up to %d, %d sweeps, residuals %.2g %.2g, errors %.2g %.2g: wins %v, %v throws, %v turns",
		r.States, r.Choices, r.Transitions, r.Components, r.Largest, r.Sweeps, r.Residual, r.LengthResidual, r.Error, r.LengthError, r.Wins, r.Throws, r.Turns)
	return r
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: got %.12f, want %.12f", what, got, want)
	}
}

// TestKnown compares three games with published or independently computed values.
func TestKnown(t *testing.T) {
	t.Run("snakes", func(t *testing.T) {
		r := solved(t, example(t, "snakes.rules", dsl.Setting{Players: 1}).Start(0), solve.Options{})
		near(t, "throws", r.Throws, 39.2251223082, 6e-11)
		near(t, "turns", r.Turns, r.Throws, 1e-10)
		near(t, "win", r.Wins[0], 1, 1e-12)
		if r.States != 81 || r.LengthError > 1e-10 {
			t.Errorf("%d states, error %g", r.States, r.LengthError)
		}
	})
	t.Run("ludo", func(t *testing.T) {
		g := example(t, "ludo.rules", dsl.Setting{Players: 1, Options: map[string]string{"tokens": "1"}})
		r := solved(t, g.Start(0), solve.Options{})
		near(t, "throws", r.Throws, 26.884926665, 6e-10)
	})
	t.Run("ur", func(t *testing.T) {
		g := example(t, "ur.rules", dsl.Setting{Options: map[string]string{"pieces_each": "1"}})
		p, err := g.Setup(&interpreter.Setup{Turn: "white", Pieces: map[string][]string{"white": {"white-14"}, "black": {"black-14"}}})
		if err != nil {
			t.Fatal(err)
		}
		r := solved(t, p, solve.Options{})
		near(t, "white", r.Wins[0], 4.0/7, 1e-12)
		near(t, "black", r.Wins[1], 3.0/7, 1e-12)
		near(t, "throws", r.Throws, 4, 1e-11) // each is the last with 1/4
	})
}

// line starts the toy game of testdata, with replacements in its text.
func line(t *testing.T, setting dsl.Setting, replace ...string) *interpreter.Position {
	t.Helper()
	text, err := os.ReadFile("testdata/line.rules")
	if err != nil {
		t.Fatal(err)
	}
	return game(t, "testdata", "line.rules", strings.NewReplacer(replace...).Replace(string(text)), setting).Start(0)
}

// TestToys solves games with values computed by hand. A piece has two steps to go; a 1 has probability 1/4, a 2 has 3/4.
func TestToys(t *testing.T) {
	with := func(players int, waiting string) dsl.Setting {
		return dsl.Setting{Players: players, Options: map[string]string{"waiting": waiting}}
	}
	br, random := []solve.Play{solve.Best, solve.Random}, []solve.Play{solve.Random, solve.Random}
	for _, x := range []struct {
		name          string
		setting       dsl.Setting
		play          []solve.Play
		first, throws float64 // NaN: not computed
		choices       int
	}{
		// e1 = 4, and e2 = 1 + e1/4: without a choice, a 1 leads to the square where only another 1 ends the game.
		{"alone, no choice", with(1, "no"), nil, 1, 2, 0},
		// Passing on a 1 is better: e2 = 1 + e2/4.
		{"alone, best", with(1, "ones"), nil, 1, 4.0 / 3, 1},
		// e2 = 1 + 1/4 (e2/2 + 4/2).
		{"alone, by chance", with(1, "ones"), random[:1], 1, 12.0 / 7, 1},
		// A side that passes on a 1 wins with 3/4 each turn: (3/4)/(1-1/16).
		{"two, best", with(2, "ones"), nil, 4.0 / 5, 4.0 / 3, 3},
		// u22 = 3/4 + (1-u22)/8 + (1-u21)/8 with u21 = 1440/1624.
		{"two, by chance", with(2, "ones"), random, (7.0/8 + (1-1440.0/1624)/8) / (9.0 / 8), math.NaN(), 3},
		// x2 = 3/4 + (x2+x1)/32 with x1 = 12/13.
		{"two, best against chance", with(2, "ones"), br, (3.0/4 + 12.0/13/32) / (31.0 / 32), math.NaN(), 4},
		// Three in a row with 3/4 each: (3/4)/(1-1/64). The symmetry merges the players, except that the order of arrival on
		// a square distinguishes positions.
		{"three, best", with(3, "ones"), nil, 16.0 / 21, 4.0 / 3, 9},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := solved(t, line(t, x.setting), solve.Options{Play: x.play})
			near(t, "first seat", r.Wins[0], x.first, 1e-12)
			if !math.IsNaN(x.throws) {
				near(t, "throws", r.Throws, x.throws, 1e-11)
			}
			all := 0.0
			for _, w := range r.Wins {
				all += w
			}
			near(t, "wins", all, 1, 1e-11)
			near(t, "turns", r.Turns, r.Throws, 1e-11)
			if r.Choices != x.choices || r.Avoidable || r.Endless != 0 || !(r.Error < 1e-10 && r.LengthError < 1e-9) {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestNoEnd solves games that may be endless, or are.
func TestNoEnd(t *testing.T) {
	none := dsl.Setting{Players: 1, Options: map[string]string{"waiting": "no"}}
	r := solved(t, line(t, none, "{1: 1, 2: 3}", "{3: 1}"), solve.Options{})
	if r.Endless != 1 || r.Wins[0] != 0 || !math.IsInf(r.Throws, 1) || r.Hopeless != r.States {
		t.Errorf("no player can ever move: %+v", r)
	}
	// A 2 wins at once. A 1 leads to square 2, from where the end is barred: the game is endless.
	r = solved(t, line(t, dsl.Setting{Players: 1, Options: map[string]string{"waiting": "no"}}, "{1: 1, 2: 3}", "{1: 1, 2: 3}",
		"step beyond: bar", "step beyond: bar\n  step into s: bar when s == end && p.at == square(\"2\")"), solve.Options{})
	near(t, "never ends", r.Endless, 1.0/4, 1e-12)
	near(t, "wins", r.Wins[0], 3.0/4, 1e-12)
	if !math.IsInf(r.Turns, 1) || r.Hopeless != 1 || math.IsInf(r.Error, 1) {
		t.Errorf("%+v", r)
	}
	// A player who may always pass could pass forever, but gains nothing by it.
	r = solved(t, line(t, dsl.Setting{Players: 1, Options: map[string]string{"waiting": "always"}}), solve.Options{})
	near(t, "throws", r.Throws, 4.0/3, 1e-11)
	if !r.Avoidable || !math.IsInf(r.Error, 1) {
		t.Errorf("%+v", r)
	}
}

// TestNoWinner solves a game that a 1 on the last square ends without a winner: who moves to square 2 cannot win any more.
func TestNoWinner(t *testing.T) {
	r := solved(t, line(t, dsl.Setting{Players: 1, Options: map[string]string{"waiting": "no"}},
		"win player x when all(x.pieces, .at == end)", "win player x when die == 2 && all(x.pieces, .at == end)\n  draw when all(game.pieces, .at == end)"), solve.Options{})
	near(t, "wins", r.Wins[0], 3.0/4, 1e-12)
	near(t, "drawn", r.Drawn, 1.0/4, 1e-12)
	if r.Endless != 0 {
		t.Errorf("%+v", r)
	}
}

// TestManyPieces throws two times 20 pieces, which fall in 4^40 ways: more than an integer holds.
func TestManyPieces(t *testing.T) {
	r := solved(t, line(t, dsl.Setting{Players: 1, Options: map[string]string{"waiting": "no"}},
		"die = {1: 1, 2: 3}", "a, b = 20 x {0: 3, 1}", "throw die\n  play  die", "throw a, b\n  if a < b { win me } else { draw }"), solve.Options{})
	equal := 0.0 // both throws give the same number
	for k, ways := 0, 1.0; k <= 20; k++ {
		one := ways * math.Pow(0.25, float64(k)) * math.Pow(0.75, float64(20-k))
		equal += one * one
		ways *= float64(20-k) / float64(k+1)
	}
	near(t, "wins", r.Wins[0], (1-equal)/2, 1e-12)
}

// TestAgreesWithGames compares the solution for random play with played games.
func TestAgreesWithGames(t *testing.T) {
	g := example(t, "ur.rules", dsl.Setting{Options: map[string]string{"pieces_each": "1"}})
	for name, g := range map[string]*interpreter.Game{"ur": g, "ludo": example(t, "ludo.rules", dsl.Setting{Players: 2, Options: map[string]string{"tokens": "1"}})} {
		r := solved(t, g.Start(0), solve.Options{Play: []solve.Play{solve.Random, solve.Random}})
		runner, err := interpreter.NewRunner(g, interpreter.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		const games = 4000
		var won, throws, turns, square float64
		for k := range uint64(games) {
			x, err := runner.Play(1, k)
			if err != nil {
				t.Fatal(err)
			}
			if x.Won[0] {
				won++
			}
			throws += float64(x.Throws) / games
			turns += float64(x.Turns) / games
			square += float64(x.Throws*x.Throws) / games
		}
		se := math.Sqrt((square - throws*throws) / games)
		near(t, name+" throws", throws, r.Throws, 4*se)
		near(t, name+" turns", turns, r.Turns, 4*se)
		near(t, name+" wins", won/games, r.Wins[0], 4*0.5/math.Sqrt(games))
	}
}

// indifferent is a bot that rates all options equal.
type indifferent struct{ all []int }

func (b *indifferent) Choose(p *interpreter.Position, r *interpreter.Random) int {
	b.all = b.all[:0]
	for i := range p.OptionCount() {
		b.all = append(b.all, i)
	}
	return 0
}

func (b *indifferent) Number(p *interpreter.Position, r *interpreter.Random) int {
	panic("no number is chosen")
}

func (b *indifferent) Equal() []int { return b.all }

// TestDrawn: a bot that draws among equal options takes each with equal probability.
func TestDrawn(t *testing.T) {
	p := example(t, "ur.rules", dsl.Setting{Options: map[string]string{"pieces_each": "2"}}).Start(0)
	want := solved(t, p, solve.Options{Play: []solve.Play{solve.Random, solve.Best}})
	got := solved(t, p, solve.Options{Bots: []string{"indifferent", ""}, Bot: func(string) (interpreter.Chooser, error) { return new(indifferent), nil }})
	near(t, "wins", got.Wins[0], want.Wins[0], 1e-9)
	near(t, "throws", got.Throws, want.Throws, 1e-9)
}

// TestSame solves a game with choices twice, and visits its decisions.
func TestSame(t *testing.T) {
	p := line(t, dsl.Setting{Players: 2, Options: map[string]string{"waiting": "ones"}})
	a, b := solved(t, p, solve.Options{}), solved(t, p, solve.Options{})
	if !reflect.DeepEqual(a.Wins, b.Wins) || a.Throws != b.Throws || a.Sweeps != b.Sweeps || a.States != b.States {
		t.Errorf("%+v is not %+v", a, b)
	}
	met := 0
	err := a.Decisions(t.Context(), p, func(d *solve.Decision) error {
		met++
		o := d.Position.Options()[d.Option]
		if name := d.Position.Game().Rules().Moves[o.Move].Name; name != "pass" || !(d.Worst < d.Win) {
			t.Errorf("%s is best, win %g, worst %g", name, d.Win, d.Worst)
		}
		return nil
	})
	if err != nil || met != a.Choices {
		t.Errorf("%d of %d choices met: %v", met, a.Choices, err)
	}
}

// TestBounds exceeds the limits. There is no size estimate if an undo restores earlier positions.
func TestBounds(t *testing.T) {
	setting := dsl.Setting{Players: 2, Options: map[string]string{"tokens": "1"}}
	text, err := os.ReadFile(filepath.Join(games, "ludo.rules"))
	if err != nil {
		t.Fatal(err)
	}
	undo := game(t, games, "ludo.rules", strings.Replace(string(text), "sixes == 3 { end turn }", "sixes == 3 { undo turn }", 1), setting)
	_, err = solve.Solve(t.Context(), undo.Start(0), solve.Options{MaxStates: 5000})
	var limit *solve.LimitError
	if !errors.As(err, &limit) || limit.States != 5000 || limit.Looked == 0 {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	progress := 0
	_, err = solve.Solve(ctx, example(t, "ludo.rules", setting).Start(0), solve.Options{Progress: func(s solve.Progress) {
		if progress++; progress == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || progress > 4 {
		t.Errorf("got %v after %d reports", err, progress)
	}
}

// TestUr solves the Royal Game of Ur with two pieces a side. The expected value is from a program written for that game
// alone. There are 12,869 placements, seen from the player in turn.
func TestUr(t *testing.T) {
	g := example(t, "ur.rules", dsl.Setting{Options: map[string]string{"pieces_each": "2"}})
	r := solved(t, g.Start(0), solve.Options{Tolerance: 1e-10})
	near(t, "who begins wins", r.Wins[0], 0.518572907496, 1e-9)
	if r.States != 12_869 {
		t.Errorf("%d positions at throws", r.States)
	}
}

// countdown is a context that is done after a number of calls of Err.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestStopped cancels at many moments: there is either no result, or one with a valid error bound.
func TestStopped(t *testing.T) {
	p := example(t, "snakes.rules", dsl.Setting{Players: 2}).Start(0)
	ctx := &countdown{Context: t.Context()}
	ctx.left.Store(math.MaxInt64)
	truth, err := solve.Solve(ctx, p, solve.Options{})
	if err != nil || truth.Stopped {
		t.Fatal(err)
	}
	stopped, most := 0, 0.0
	all := math.MaxInt64 - ctx.left.Load()
	for n := all - 1000; n < all-900; n += 10 { // in the sweeps over the large component
		ctx.left.Store(n)
		r, err := solve.Solve(ctx, p, solve.Options{})
		switch {
		case errors.Is(err, context.Canceled):
			continue
		case err != nil:
			t.Fatal(err)
		case r.Stopped:
			stopped++
			most = max(most, r.Error)
			t.Logf("after %d of %d: %v within %g", n, all, r.Wins, r.Error)
		}
		if r.Error < truth.Error || math.Abs(r.Wins[0]-truth.Wins[0]) > r.Error || math.Abs(r.Throws-truth.Throws) > r.LengthError {
			t.Errorf("after %d: %v within %g, and %g throws within %g, want %v and %g", n, r.Wins, r.Error, r.Throws, r.LengthError, truth.Wins, truth.Throws)
		}
	}
	if stopped < 3 || most < 1e-9 {
		t.Errorf("%d stopped, the largest bound is %g", stopped, most)
	}
}
