package interpreter_test

import (
	"io/fs"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/rulesets"
)

// shipped compiles a shipped rule book.
func shipped(tb testing.TB, name string, s dsl.Setting) *interpreter.Game {
	tb.Helper()
	data, err := fs.ReadFile(rulesets.FS, name+".rules")
	if err != nil {
		tb.Fatal(err)
	}
	book, faults := dsl.Load(source.New(name+".rules", string(data)), dsl.Library{Shipped: rulesets.FS})
	if book == nil {
		tb.Fatal(faults)
	}
	rules, faults := book.Rules(s)
	if rules == nil {
		tb.Fatal(faults)
	}
	game, err := interpreter.Compile(rules)
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
		b.Run(name, func(b *testing.B) {
			r, err := interpreter.NewRunner(shipped(b, name, dsl.Setting{}), interpreter.RunOptions{Leads: true})
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
			b.ReportAllocs()
			b.ResetTimer()
			play(b.N)
		})
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
