package bot

import (
	"math"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// exact is the chance of the first player in a position of risk before a throw, worked out by hand.
func exact(total [2]int, turns int) float64 {
	if turns == 6 {
		worth := func(n int) int {
			if n > 5 {
				return 0
			}
			return n
		}
		if worth(total[0]) > worth(total[1]) {
			return 1
		}
		return 0
	}
	hold, one, three := after(total, turns, 2), after(total, turns, 1), after(total, turns, 3)
	if turns%2 == 0 {
		return (2*max(hold, one) + max(hold, three)) / 3
	}
	return (2*min(hold, one) + min(hold, three)) / 3
}

func after(total [2]int, turns, add int) float64 {
	total[turns%2] += add
	return exact(total, turns+1)
}

// TestExpectimaxIsExact holds what expectimax finds, deep enough, against the values worked out by hand, at every decision
// of a few games, and that a tree search comes close.
func TestExpectimaxIsExact(t *testing.T) {
	g, err := interpreter.Compile(testbook.Rules(t, "risk.rules", testbook.Risk, nil, dsl.Setting{}))
	if err != nil {
		t.Fatal(err)
	}
	b := &expectimax{Depth: 6, Nodes: 1_000_000}
	tree := &mcts{Playouts: 4_000, Depth: 10, Explore: 3}
	decisions := 0
	for k := range uint64(6) {
		r := interpreter.NewRandom(1, k)
		p := g.Start(0)
		total, turns := [2]int{}, 0
		for p.Kind() != interpreter.Over {
			if p.Kind() == interpreter.Throw {
				p.ThrowRandom(&r)
				continue
			}
			die := p.Numbers()[0]
			seat := p.Player()
			want := []float64{after(total, turns, die), after(total, turns, 2)} // hit, hold
			if seat == 1 {
				want[0], want[1] = 1-want[0], 1-want[1]
			}
			b.begin(p)
			b.ways(p.OptionCount(), b.Nodes)
			for i, w := range want {
				if math.Abs(b.worth[i]-w) > 1e-12 {
					t.Fatalf("totals %v, a %d: option %d is worth %v, want %v", total, die, i, b.worth[i], w)
				}
			}
			i := (player{b}).Choose(p, &r)
			if want[i] < max(want[0], want[1])-1e-12 {
				t.Fatalf("totals %v, a %d: it takes %d of %v", total, die, i, want)
			}
			if j := (player{tree}).Choose(p, &r); want[j] < max(want[0], want[1])-0.02 {
				t.Errorf("totals %v, a %d: the tree search takes %d of %v", total, die, j, want)
			}
			decisions++
			total[seat] += []int{die, 2}[i]
			turns++
			if err := p.Choose(i); err != nil {
				t.Fatal(err)
			}
		}
	}
	if decisions == 0 {
		t.Fatal("there was no decision")
	}
}

// TestShallower gives expectimax too few nodes: it falls back, and still sees what wins at once.
func TestShallower(t *testing.T) {
	g, err := interpreter.Compile(testbook.Rules(t, "risk.rules", testbook.Risk, nil, dsl.Setting{}))
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start(0)
	for _, i := range []int{1, 1, 1, 1, 1} { // hold
		if err := p.Throw(1); err != nil {
			t.Fatal(err)
		}
		if err := p.Choose(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Throw(1); err != nil {
		t.Fatal(err)
	}
	b := &expectimax{Depth: 20, Nodes: 1} // 6 is nothing against 4 and 1, which are 5
	r := interpreter.NewRandom(0, 0)
	if i := (player{b}).Choose(p, &r); i != 0 {
		t.Errorf("it takes option %d", i)
	}
}
