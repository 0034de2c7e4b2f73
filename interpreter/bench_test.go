package interpreter_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// shipped compiles a shipped rule book.
func shipped(tb testing.TB, name string, s dsl.Setting) *interpreter.Game {
	tb.Helper()
	game, err := interpreter.Compile(testbook.Shipped(tb, name, s))
	if err != nil {
		tb.Fatal(err)
	}
	return game
}

var ruleBooks = []string{
	"parchis4a", "parchis", "ludoteka", "ludoteka_two", "ludoteka_teams", "ludoteka_sin_dados", "cicloparchis", "patolli",
}

// BenchmarkGames plays whole games as statistics do, as WebAssembly where that can be had; an operation is one throw with
// everything that follows from it.
func BenchmarkGames(b *testing.B) {
	for _, name := range ruleBooks {
		b.Run(name, func(b *testing.B) { benchmarkGames(b, shipped(b, name, dsl.Setting{})) })
	}
}

func benchmarkGames(b *testing.B, g *interpreter.Game) {
	r, err := interpreter.NewRunner(g, interpreter.RunOptions{Leads: true})
	if err != nil {
		b.Fatal(err)
	}
	k := uint64(0)
	play := func(throws int) {
		for n := 0; n < throws; k++ {
			x, err := r.Play(1, k)
			if err != nil {
				b.Fatal(err)
			}
			n += x.Throws
		}
	}
	play(100_000) // until WebAssembly pays
	measured(b, func() { play(b.N) })
}

// measured runs the operations of a benchmark. Beside the time it tells the processor time, which a busy machine spoils less.
func measured(b *testing.B, run func()) {
	b.ReportAllocs()
	b.ResetTimer()
	begun, ok := processorTime()
	run()
	if end, _ := processorTime(); ok {
		b.ReportMetric(float64(end-begun)/float64(b.N), "cpu-ns/op")
	}
}

// BenchmarkPlayout plays whole games in the interpreter; an operation is likewise one throw.
func BenchmarkPlayout(b *testing.B) {
	for _, name := range ruleBooks {
		b.Run(name, func(b *testing.B) {
			p := shipped(b, name, dsl.Setting{}).Start(0)
			r := interpreter.NewRandom(1, 0)
			b.ReportAllocs()
			b.ResetTimer()
			for n := 0; n < b.N; n += p.Throws() {
				p.Restart(0)
				p.Playout(&r, interpreter.Until{})
			}
		})
	}
}

// BenchmarkThrow plays random games node by node; an operation is likewise one throw.
func BenchmarkThrow(b *testing.B) {
	for _, name := range ruleBooks {
		b.Run(name, func(b *testing.B) {
			g := shipped(b, name, dsl.Setting{})
			b.ReportAllocs()
			p := g.Start(0)
			r := interpreter.NewRandom(1, 0)
			for b.Loop() {
				throws := p.Throws()
				for p.Throws() == throws {
					switch p.Kind() {
					case interpreter.Throw:
						p.ThrowRandom(&r)
					case interpreter.Choice:
						p.ChooseRandom(&r)
					default:
						p.Restart(0)
						throws = -1
					}
				}
			}
		})
	}
}

// BenchmarkCompile compiles checked rules.
func BenchmarkCompile(b *testing.B) {
	rules := shipped(b, "parchis4a", dsl.Setting{}).Rules()
	for b.Loop() {
		if _, err := interpreter.Compile(rules); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkModels plays whole games of each model, and as many throws of the same game by the engine; an operation is one throw.
// What the engine takes of its model's time is how far it stands from a program written for that game alone.
func BenchmarkModels(b *testing.B) {
	for _, m := range models {
		name := strings.TrimSuffix(filepath.Base(m.file), ".rules")
		b.Run(name+"/engine", func(b *testing.B) { benchmarkGames(b, gameOf(b, m.file, "")) })
		b.Run(name+"/model", func(b *testing.B) {
			x := &byHand{rand.New(rand.NewPCG(1, 2)), playedOut{}}
			measured(b, func() {
				for x.throws < b.N {
					m.play(x)
				}
			})
		})
	}
}

// BenchmarkUnlike plays whole games of rule books unlike the shipped ones; an operation is one throw. They are to be read
// beside parchis4a.
func BenchmarkUnlike(b *testing.B) {
	b.Run("parchis4a", func(b *testing.B) { benchmarkGames(b, shipped(b, "parchis4a", dsl.Setting{})) })
	for _, path := range unlike(b) {
		b.Run(strings.TrimSuffix(filepath.Base(path), ".rules"), func(b *testing.B) { benchmarkGames(b, gameOf(b, path, "")) })
	}
}

// unlike lists the rule files that are there to be measured.
func unlike(tb testing.TB) []string {
	tb.Helper()
	var all []string
	for _, dir := range []string{"testdata/games", "../examples/games"} {
		paths, err := filepath.Glob(dir + "/*.rules")
		if err != nil || len(paths) == 0 {
			tb.Fatal("no rule files in", dir, err)
		}
		all = append(all, paths...)
	}
	return all
}

// TestUnlike plays some games of each of them, as WebAssembly too where that can be had, and node by node.
func TestUnlike(t *testing.T) {
	for _, path := range unlike(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			g := gameOf(t, path, "")
			nodes, runner := nodeFigures(t, g, 200), runnerFigures(t, g, 200)
			runner.compare(t, nodes)
		})
	}
}
