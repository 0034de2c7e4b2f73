package interpreter

import (
	"math"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// TestRunnerAgrees wants a runner's game to be the one that comes out node by node with the same random numbers, each option of each
// decision equally likely. TestBatchesAgree holds WebAssembly against the runner, TestPlayoutAgrees playouts.
func TestRunnerAgrees(t *testing.T) {
	everyGame(t, func(t *testing.T, rules *model.Rules) {
		g, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		runnerAgrees(t, g, 31, 8)
	})
}

// runnerAgrees plays some games by a runner and node by node.
func runnerAgrees(t testing.TB, g *Game, seed, games uint64) {
	t.Helper()
	const most = 300
	fast, err := NewRunner(g, RunOptions{First: ByTheRules, MaxThrows: most, Interpret: true})
	if err != nil {
		t.Fatal(err)
	}
	byHand, err := NewRunner(g, RunOptions{First: ByTheRules, MaxThrows: most, Players: make([]Chooser, g.Players())}) // no seat has a player
	if err != nil {
		t.Fatal(err)
	}
	counted, err := g.Counted() // a runner asks the counts too, and they can fail
	if err != nil {
		t.Fatal(err)
	}
	p := counted.Start(ByTheRules)
	for k := range games {
		throws, decisions := oneGame(p, NewRandom(seed, k), most)
		for _, r := range []*Runner{fast, byHand} {
			x, err := r.Play(seed, k)
			if err != nil {
				if p.Kind() != Broken {
					t.Fatal(err)
				}
				continue
			}
			if x.Throws != throws || x.Decisions != decisions || x.Unfinished == (p.Kind() == Over) || !slices.Equal(r.p.Places(nil), p.Places(nil)) {
				t.Fatalf("game %d: %d throws, %d decisions, unfinished %v; node by node %d, %d, kind %d", k, x.Throws, x.Decisions, x.Unfinished, throws, decisions, p.Kind())
			}
		}
	}
}

// oneGame plays a game node by node and counts its throws, and the choices of its turns.
func oneGame(p *Position, r Random, most int) (throws, decisions int) {
	p.Restart(ByTheRules)
	for choices := 0; choices < MaxChoices; {
		switch p.Kind() {
		case Throw:
			if p.Throws() >= most {
				return p.Throws(), decisions
			}
			choices = 0
			p.ThrowRandom(&r)
		case Choice:
			choices++
			if p.m.State()[code.CellPlays] >= 0 { // a turn has begun
				decisions++
			}
			p.ChooseRandom(&r)
		default:
			return p.Throws(), decisions
		}
	}
	return p.Throws(), decisions
}

// TestEvenChance wants each option of a decision equally likely however many questions it leads to, in games that are played in every way
// there is, and the questions of turns counted as decisions.
func TestEvenChance(t *testing.T) {
	const games = 4000
	files := map[string]*ruleFile{}
	for _, f := range ruleFiles(t) {
		files[f.name] = f
	}
	// What a game comes to is a variable: how likely that is above 0, or what it is.
	for _, x := range []struct {
		file, variable string
		holds          func(v int) bool
		share          float64
		decisions      float64
	}{
		{"questions", "taken", func(v int) bool { return v == 1 }, 1. / 2, 3.5},
		{"naming", "named", func(v int) bool { return v > 0 }, 1. / 2, 2.5},
		{"naming", "named", func(v int) bool { return v == 7 }, 1. / 18, 2.5},
	} {
		book, faults := dsl.Load(files[x.file].source(), files[x.file].library)
		if book == nil {
			t.Fatal(faults)
		}
		rules, faults := book.Rules(dsl.Setting{})
		if rules == nil {
			t.Fatal(faults)
		}
		g, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		v := rules.Vars[slices.IndexFunc(rules.Vars, func(v *model.Var) bool { return v.Name == x.variable })]
		even := func(way string, play func(k uint64) *Position) {
			t.Helper()
			n := 0
			for k := range uint64(games) {
				p := play(k)
				if p.Kind() != Over {
					t.Fatalf("%s, %s: game %d stands at kind %d: %v", x.file, way, k, p.Kind(), p.Err())
				}
				if x.holds(p.game.getVar(p.m.State(), v, 0)[0]) {
					n++
				}
			}
			got, se := float64(n)/games, math.Sqrt(x.share*(1-x.share)/games)
			if math.Abs(got-x.share) > 5*se {
				t.Errorf("%s, %s: %s is as asked in %.4f of the games, want %.4f", x.file, way, x.variable, got, x.share)
			}
		}
		p := g.Start(0)
		even("node by node", func(k uint64) *Position {
			oneGame(p, NewRandom(1, k), 100)
			return p
		})
		even("playout", func(k uint64) *Position {
			r := NewRandom(2, k)
			p.Restart(0)
			p.Playout(&r, Until{})
			return p
		})
		run := func(way string, r *Runner, seed uint64) {
			t.Helper()
			decisions := 0
			even(way, func(k uint64) *Position {
				got, err := r.Play(seed, k)
				if err != nil {
					t.Fatal(err)
				}
				decisions += got.Decisions
				r.p.m.Node = code.NodeOver // also where a batch has played
				return r.p
			})
			if got := float64(decisions) / games; math.Abs(got-x.decisions) > 0.15 {
				t.Errorf("%s, %s: %.3f decisions a game, want %.3f", x.file, way, got, x.decisions)
			}
		}
		for seed, o := range []RunOptions{{Interpret: true}, {Players: make([]Chooser, g.Players())}, {}} {
			r, err := NewRunner(g, o)
			if err != nil {
				t.Fatal(err)
			}
			r.study.batches.spent.Store(int64(batchAfter))
			run([]string{"interpreter", "choosers", "batch"}[seed], r, uint64(3+seed))
		}
	}
}
