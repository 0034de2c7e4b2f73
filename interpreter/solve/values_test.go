package solve

import (
	"slices"
	"testing"
)

// TestLeads looks whether what is chosen leads to an end: two positions lead to one another, and the second to the end.
func TestLeads(t *testing.T) {
	g := &graph{kind: []kind{best, best, over}, side: []int8{0, 0, 0}, throws: make([]bool, 3), rows: make([]uint64, 3), known: map[label]uint32{}}
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
