package solve

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// TestMerged solves games in which positions that differ only in names are one, and the same games with all positions
// apart.
func TestMerged(t *testing.T) {
	for _, x := range []struct {
		path    string
		setting dsl.Setting
		play    []Play
	}{
		{"../../examples/games/ur.rules", dsl.Setting{Options: map[string]string{"pieces_each": "1"}}, nil},
		{"../../examples/games/ur.rules", dsl.Setting{Options: map[string]string{"pieces_each": "1"}}, []Play{Random, Random}},
		{"../../examples/games/ur.rules", dsl.Setting{Options: map[string]string{"pieces_each": "1"}}, []Play{Best, Random}},
		{"../../examples/games/ludo.rules", dsl.Setting{Players: 2, Options: map[string]string{"tokens": "1"}}, []Play{Random, Random}},
		{"../../examples/games/snakes.rules", dsl.Setting{Players: 2}, nil},
	} {
		t.Run(filepath.Base(x.path), func(t *testing.T) {
			text, err := os.ReadFile(x.path)
			if err != nil {
				t.Fatal(err)
			}
			g, err := interpreter.Compile(testbook.Rules(t, filepath.Base(x.path), string(text), os.DirFS(filepath.Dir(x.path)), x.setting))
			if err == nil {
				g, err = g.Counted()
			}
			if err != nil {
				t.Fatal(err)
			}
			for first := range g.Players() {
				var all [2]*Result
				for i, apart := range []bool{false, true} {
					if all[i], err = Solve(t.Context(), g.Start(first), Options{Play: x.play, Tolerance: 1e-10, MaxStates: 3_000_000, apart: apart}); err != nil {
						t.Fatal(err)
					}
				}
				a, b := all[0], all[1]
				for seat := range a.Wins {
					if math.Abs(a.Wins[seat]-b.Wins[seat]) > 1e-9 {
						t.Errorf("seat %d begins: %v, apart %v", first, a.Wins, b.Wins)
					}
				}
				if math.Abs(a.Throws-b.Throws) > 1e-7*b.Throws || math.Abs(a.Turns-b.Turns) > 1e-7*b.Turns || a.States >= b.States {
					t.Errorf("seat %d begins: %d positions, %v throws, %v turns; apart %d, %v, %v", first, a.States, a.Throws, a.Turns, b.States, b.Throws, b.Turns)
				}
			}
		})
	}
}

// TestLeads looks whether what is chosen leads to an end: two positions lead to one another, and the second to the end.
func TestLeads(t *testing.T) {
	g := &graph{kind: []kind{best, best, over}, side: []int8{0, 0, 0}, throws: make([]bool, 3), rows: make([]uint64, 3), edges: map[label]uint32{}, perms: [][]int{{0, 1}}}
	g.keep(0, []draft{{to: 1}}, 1)
	g.keep(1, []draft{{to: 0}, {to: 2}}, 1)
	g.order()
	if want := []uint32{2, 1, 0}; !slices.Equal(g.line, want) || len(g.parts) != 3 {
		t.Fatalf("the order is %v in %v", g.line, g.parts)
	}
	v := newValues(g, 1)
	v.endings()
	part := g.line[1:]
	if v.leads(part) || !v.avoidable {
		t.Error("the first options lead round in a circle for ever")
	}
	v.taken[1] = 1
	if !v.leads(part) {
		t.Error("the second leads to the end")
	}
	v.taken[1] = 0
	if err := v.settle(t.Context(), Options{Tolerance: DefaultTolerance}); err != nil || v.won(0)[0] != 1 || v.taken[1] != 1 {
		t.Errorf("who can win does: %v %v", v.won(0), err)
	}
}

// TestKeys keeps snapshots and gives them back.
func TestKeys(t *testing.T) {
	first := make([]byte, 301)
	k := newKeys(first)
	var all [][]byte
	for i := range 5000 {
		s := slices.Clone(first)
		s[i*7%301] = byte(1 + i%9)
		s[i*13%301] ^= byte(i >> 4)
		n, fresh := k.number(s)
		if at := slices.IndexFunc(all, func(x []byte) bool { return slices.Equal(x, s) }); at >= 0 {
			if fresh || n != at {
				t.Fatalf("%d is %d again", at, n)
			}
			continue
		}
		if !fresh || n != len(all) {
			t.Fatalf("a new one is %d, want %d", n, len(all))
		}
		all = append(all, s)
	}
	for n, s := range all {
		if got := k.snapshot(nil, n); !slices.Equal(got, s) {
			t.Fatalf("%d comes back as %v", n, got)
		}
	}
}
