package interpreter_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// byHand is a game played at random by an independent model: a small program written from the words of a rule file, which
// knows nothing of the engine. A model draws from it and takes down here what happens.
type byHand struct {
	*rand.Rand
	playedOut
}

// playedOut is what happened in one game.
type playedOut struct {
	throws    int
	first     int // throws until the first player was ranked, or until the end
	turns     int
	decisions int // with two options or more
	winner    int
	moves     tally
	acts      tally
	counts    tally // what the test lets a Runner count besides
}

// tally counts by name. Names are few and looked for one after the other: models are timed, and a map would take a fifth of that.
type tally []struct {
	name string
	n    int
}

func (t *tally) add(name string, n int) {
	for i := range *t {
		if x := &(*t)[i]; x.name == name {
			x.n += n
			return
		}
	}
	*t = append(*t, struct {
		name string
		n    int
	}{name, n})
}

func (t tally) of(name string) int {
	for _, x := range t {
		if x.name == name {
			return x.n
		}
	}
	return 0
}

// throw is the sum of so many dice, each with the numbers from low to high.
func (g *byHand) throw(dice, low, high int) int {
	g.throws++
	sum := 0
	for range dice {
		sum += low + g.IntN(high-low+1)
	}
	return sum
}

// choose is the number of one of n options, each as likely.
func (g *byHand) choose(n int) int {
	if n < 2 {
		return 0
	}
	g.decisions++
	return g.IntN(n)
}

// add appends an option, unless an equal one is there.
func add[T comparable](options []T, o T) []T {
	if slices.Contains(options, o) {
		return options
	}
	return append(options, o)
}

// figures are sums over games of the numbers that are compared, and of their squares.
type figures struct {
	games     float64
	sums      map[string]*[2]float64
	uncounted bool // what a Runner counts is left out
}

func (f *figures) count(what string, x float64) {
	s := f.sums[what]
	if s == nil {
		s = new([2]float64)
		f.sums[what] = s
	}
	s[0] += x
	s[1] += x * x
}

func (f *figures) add(x *playedOut) {
	f.games++
	f.count("throws", float64(x.throws))
	f.count("throws until the first is ranked", float64(x.first))
	f.count("decisions", float64(x.decisions))
	f.count(fmt.Sprint("won by seat ", x.winner), 1)
	moves, acts := 0, 0
	for _, m := range x.moves {
		moves += m.n
	}
	f.count("moves", float64(moves))
	for _, m := range x.moves {
		f.count("share of "+m.name, float64(m.n)/float64(moves))
	}
	for _, a := range x.acts {
		f.count("act "+a.name, float64(a.n))
		acts += a.n
	}
	// These differ less from game to game, so they show smaller changes of the rules.
	f.count("throws a turn", float64(x.throws)/float64(x.turns))
	f.count("moves a throw", float64(moves)/float64(x.throws))
	f.count("decisions a throw", float64(x.decisions)/float64(x.throws))
	f.count("acts a move", float64(acts)/float64(moves))
	f.count("enter less acts", float64(x.moves.of("enter")-acts))
	for _, c := range x.counts {
		f.count("count "+c.name, float64(c.n))
	}
}

// mean is the mean of a figure and the square of its standard error.
func (f *figures) mean(what string) (mean, square float64) {
	s := f.sums[what]
	if s == nil {
		return 0, 0
	}
	mean = s[0] / f.games
	return mean, (s[1]/f.games - mean*mean) / (f.games - 1)
}

// compare holds the figures of the engine against those of the model: each mean within 4.5 standard errors.
func (f *figures) compare(t *testing.T, want *figures) {
	t.Helper()
	names := maps.Clone(f.sums)
	maps.Copy(names, want.sums)
	if f.uncounted {
		maps.DeleteFunc(names, func(what string, _ *[2]float64) bool { return strings.HasPrefix(what, "count ") })
	}
	for _, what := range slices.Sorted(maps.Keys(names)) {
		got, a := f.mean(what)
		model, b := want.mean(what)
		far := math.Abs(got-model) / max(math.Sqrt(a+b), 1e-9)
		t.Logf("%-34s %10.4f, the model has %10.4f: %.1f standard errors of %.4f", what, got, model, far, math.Sqrt(a+b))
		if !(far <= 4.5) {
			t.Errorf("%s: got %.4f, the model has %.4f: %.1f standard errors", what, got, model, far)
		}
	}
}

// models are the games played by hand, and how many of them are compared.
var models = []struct {
	file   string
	games  int
	play   func(g *byHand)
	counts string
}{
	{file: "../examples/games/ur.rules", games: 3000, play: playUr},
	{file: "../examples/games/ludo.rules", games: 2000, play: playLudo},
	{file: "../examples/games/senet.rules", games: 400, play: playSenet, counts: senetCounts},
	{file: "../examples/games/yut.rules", games: 1500, play: playYut, counts: yutCounts},
	{file: "../examples/house/two_dice.rules", games: 1000, play: (&parchisTable{twoDice: true}).play, counts: parchisCounts},
	{file: "../examples/house/overtaking.rules", games: 1000, play: (&parchisTable{overtaking: true}).play, counts: parchisCounts},
	{file: "testdata/rules/kept.rules", games: 2000, play: playKept},
}

// TestIndependentModels plays some thousand games of each model, and as many with the engine: node by node, and with a Runner.
// Nothing but the figures is compared.
func TestIndependentModels(t *testing.T) {
	for _, c := range models {
		t.Run(filepath.Base(c.file), func(t *testing.T) {
			t.Parallel()
			g := gameOf(t, c.file, c.counts)
			hand := &figures{sums: map[string]*[2]float64{}}
			for k := range c.games {
				x := &byHand{rand.New(rand.NewPCG(11, uint64(k))), playedOut{}}
				c.play(x)
				if x.first == 0 {
					x.first = x.throws
				}
				hand.add(&x.playedOut)
			}
			t.Run("nodes", func(t *testing.T) { nodeFigures(t, g, c.games).compare(t, hand) })
			t.Run("runner", func(t *testing.T) { runnerFigures(t, g, c.games).compare(t, hand) })
		})
	}
}

// gameOf compiles a rule file with its default settings, and with counts in addition.
func gameOf(tb testing.TB, path, counts string) *interpreter.Game {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	g, err := interpreter.Compile(testbook.Rules(tb, filepath.Base(path), string(data)+counts, os.DirFS(filepath.Dir(path)), dsl.Setting{}))
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// eventCount takes down the moves and acts of a game.
type eventCount struct{ *playedOut }

func (c eventCount) Fired(x *model.Clause) {
	if x.Kind == model.ClauseMay {
		c.moves.add(x.Move.Name, 1)
	}
}
func (c eventCount) Acted(a *model.Act, _ []int) { c.acts.add(a.Name, 1) }
func (c eventCount) Put(_, _, _ int)             {}

// nodeFigures plays games with the engine, one node after the other.
func nodeFigures(t *testing.T, g *interpreter.Game, games int) *figures {
	t.Helper()
	f := &figures{sums: map[string]*[2]float64{}, uncounted: true}
	counted, err := g.Counted()
	if err != nil {
		t.Fatal(err)
	}
	p := counted.Start(0)
	for k := range games {
		x := playedOut{}
		r := interpreter.NewRandom(12, uint64(k))
		p.Watch(eventCount{&x})
		begun := p.TurnsBegun()
		for p.Restart(0); p.Kind() == interpreter.Throw || p.Kind() == interpreter.Choice; {
			if p.Kind() == interpreter.Throw {
				p.ThrowRandom(&r)
			} else {
				if p.OptionCount() > 1 {
					x.decisions++
				}
				p.ChooseRandom(&r)
			}
			if x.first == 0 && (p.Ranked() > 0 || p.Kind() == interpreter.Over) {
				x.first = p.Throws()
			}
		}
		if p.Err() != nil {
			t.Fatal(p.Err())
		}
		x.throws, x.turns, x.winner = p.Throws(), p.TurnsBegun()-begun, p.Result().Winners[0]
		f.add(&x)
	}
	return f
}

// runnerFigures plays games with a Runner. It does not stop at the first who is ranked: playouts do.
func runnerFigures(t *testing.T, g *interpreter.Game, games int) *figures {
	t.Helper()
	runner, err := interpreter.NewRunner(g, interpreter.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := &figures{sums: map[string]*[2]float64{}}
	p := g.Start(0)
	for k := range uint64(games) {
		played, err := runner.Play(13, k)
		if err != nil || played.Unfinished {
			t.Fatal(played, err)
		}
		x := playedOut{}
		x.throws, x.turns, x.decisions, x.winner = played.Throws, played.Turns, played.Decisions, slices.Index(played.Won, true)
		for i, n := range played.Moves {
			x.moves.add(g.Rules().Moves[i].Name, int(n))
		}
		for i, n := range played.Acts {
			x.acts.add(g.Rules().Acts[i].Name, int(n))
		}
		for i, n := range played.Counts {
			x.counts.add(g.Rules().Counts[i].Name, n)
		}
		if x.first = x.throws; len(played.Ranking) > 0 {
			r := interpreter.NewRandom(14, k)
			p.Restart(0)
			p.Playout(&r, interpreter.Until{Ranked: 1})
			x.first = p.Throws()
		}
		f.add(&x)
	}
	return f
}
