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

// TestMerged solves games with symmetric positions merged, and the same games without merging.
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

// TestForms solves a game in all forms of the iteration: with lengths and without, in one share and in several.
func TestForms(t *testing.T) {
	text, err := os.ReadFile("../../examples/games/ur.rules")
	if err != nil {
		t.Fatal(err)
	}
	defer func(n uint32) { shared = n }(shared)
	setting := dsl.Setting{Options: map[string]string{"pieces_each": "2"}}
	g, err := interpreter.Compile(testbook.Rules(t, "ur.rules", string(text), os.DirFS("../../examples/games"), setting))
	if err == nil {
		g, err = g.Counted()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, play := range [][]Play{nil, {Best, Random}} {
		var first *Result
		for _, x := range []struct {
			wins   bool
			shared uint32
		}{{false, 1 << 30}, {true, 1 << 30}, {false, 100}, {true, 100}} {
			shared = x.shared
			r, err := Solve(t.Context(), g.Start(0), Options{Play: play, Tolerance: 1e-10, Wins: x.wins})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = r
			}
			if !(math.Abs(r.Wins[0]-first.Wins[0]) < 1e-11) || !(r.Error < 1e-9) || x.wins != math.IsNaN(r.Throws) || !x.wins && !(math.Abs(r.Throws-first.Throws) < 1e-7) {
				t.Errorf("wins only %t, parts from %d positions: %v %v, at first %v %v, error %g", x.wins, x.shared, r.Wins, r.Throws, first.Wins, first.Throws, r.Error)
			}
		}
	}
}

// choose is the tree of a choice of side 0 among positions of the only layer; next is 0 for the end, which side 0 wins.
func choose(t *testing.T, g *graph, next ...uint32) []byte {
	t.Helper()
	out := little.AppendUint16(little.AppendUint16(little.AppendUint16(nil, opChoice), uint16(len(next))), 0)
	for _, n := range next {
		by, err := g.number(label{end: n == 0})
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			out = little.AppendUint16(out, opEnd|by)
		} else {
			out = little.AppendUint32(little.AppendUint16(out, opLeaf|by), n-1)
		}
	}
	return out
}

// TestReachesEnd tests whether the chosen options lead to an end. Two positions lead to each other, and the second to the
// end.
func TestReachesEnd(t *testing.T) {
	l := newLayer(0, nil, 1)
	l.count = 2
	g := &graph{layers: []*layer{l}, labelled: map[label]uint16{}, perms: [][]int{{0, 1}}, states: 2}
	l.keep(choose(t, g, 2))
	l.keep(choose(t, g, 1, 0))
	line, parts := g.order(l)
	if want := []uint32{1, 0}; !slices.Equal(line, want) || len(parts) != 2 {
		t.Fatalf("the order is %v in %v", line, parts)
	}
	v := &values{g: g, sides: 1, wins: 2, row: 4, o: Options{Tolerance: DefaultTolerance}}
	v.endings(l, parts)
	if v.reachesEnd(l, 0, 2) || !v.avoidable {
		t.Error("the first options lead round in a circle for ever")
	}
	little.PutUint16(l.of(1)[4:], 1)
	if !v.reachesEnd(l, 0, 2) {
		t.Error("the second leads to the end")
	}
	little.PutUint16(l.of(1)[4:], 0)
	if err := v.layer(t.Context(), l, 0); err != nil || l.rows[0] != 1 || little.Uint16(l.of(1)[4:]) != 1 {
		t.Errorf("who can win does: %v %v", l.rows, err)
	}
}

// TestKeys encodes snapshots and decodes them.
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
