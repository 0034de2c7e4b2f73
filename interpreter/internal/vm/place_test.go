package vm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// table is a simple model of the pieces: for each place its pieces in order of arrival; for each piece its place and node, and whether it
// is in the hand.
type table struct {
	here     [][]int
	at, node []int
	hand     []bool
}

func (b *table) clone() *table {
	out := &table{at: slices.Clone(b.at), node: slices.Clone(b.node), hand: slices.Clone(b.hand)}
	for _, x := range b.here {
		out.here = append(out.here, slices.Clone(x))
	}
	return out
}

func (b *table) takeUp(p int) {
	b.here[b.at[p]] = slices.DeleteFunc(b.here[b.at[p]], func(q int) bool { return q == p })
	b.hand[p] = true
}

func (b *table) setDown(p, place, node int) {
	if !b.hand[p] {
		b.takeUp(p)
	}
	b.here[place] = append(b.here[place], p)
	b.at[p], b.node[p], b.hand[p] = place, node, false
}

// says is the track sets of a square for a colour, given the pieces on it, according to the rules of the book.
var says = map[string]func(colour int, square string, colours []int) uint64{
	"pairs": func(_ int, _ string, colours []int) uint64 {
		return in(code.SetStops, len(colours) == 2) | in(code.SetEnds, len(colours) == 3)
	},
	"undone": func(_ int, _ string, colours []int) uint64 { return in(code.SetStops, len(colours) == 2) },
	"ring": func(colour int, square string, colours []int) uint64 {
		others := 0
		for _, c := range colours {
			if c != colour {
				others++
			}
		}
		return in(code.SetStops, others >= 2) | in(code.SetEnds, others > 0 && (square == "4" || square == "7"))
	},
	"dodges": func(_ int, _ string, colours []int) uint64 {
		return in(code.SetStops, len(colours) == 1 || len(colours) > 2) | in(code.SetTurns, len(colours) == 1)
	},
}

func in(set int, holds bool) uint64 {
	if holds {
		return code.In(set)
	}
	return 0
}

// TestPlaces moves pieces at random and compares lists, links, derived words and track sets with the model.
func TestPlaces(t *testing.T) {
	for name, text := range books {
		t.Run(name, func(t *testing.T) {
			u := compiled(t, text)
			l := &u.Program.Layout
			r := rand.New(rand.NewPCG(3, 1))
			m := vm.New(u.Program)
			b := &table{here: make([][]int, l.Places)}
			for p := range l.Pieces {
				home := u.Rules.PiecesAt[p/u.Rules.PieceCount]
				b.here[home] = append(b.here[home], p)
				b.at, b.node, b.hand = append(b.at, home), append(b.node, int(m.State()[l.Node+p])), append(b.hand, false)
			}
			kept, what := b.clone(), "the beginning"
			m.Native(code.Snapshot, 0)
			few := []int{u.Rules.PiecesAt[0]}
			for _, name := range []string{"1", "4", "7", "69"} { // few places, so that pieces meet; the ring continues from its last square to its first
				for i, x := range u.Rules.Board.Places {
					if x.Name == name {
						few = append(few, i)
					}
				}
			}
			for range 4000 {
				p, place := r.IntN(l.Pieces), few[r.IntN(len(few))]
				node := int(u.Program.Tables[l.NodeAt+p/l.PerColour*l.Places+place])
				switch k := r.IntN(10); {
				case k < 5:
					what = fmt.Sprintf("piece %d is set down on %d", p, place)
					m.Native(code.SetDown, 0, p, place, node)
					b.setDown(p, place, node)
				case k == 5:
					what = fmt.Sprintf("piece %d is put on %d", p, place)
					m.Native(code.PutAt, 0, p, place)
					b.setDown(p, place, node)
				case k == 6 && !b.hand[p] && u.Program.TakesUp:
					what = fmt.Sprintf("piece %d is taken up", p)
					m.Native(code.TakeUp, 0, p)
					b.takeUp(p)
				case k == 7 && !b.hand[p]:
					what = fmt.Sprintf("piece %d is lifted and put back", p)
					m.Lift(p)
					during := b.clone()
					during.takeUp(p)
					same(t, u, m, during, what, name, true)
					m.Relink(p)
				case k == 8 && l.Keeps:
					what = "the state is kept"
					m.Native(code.Snapshot, 0)
					kept = b.clone()
				case k == 9 && l.Keeps:
					what = "the state is undone"
					m.Native(code.Undo, 0)
					b = kept.clone()
				}
				if same(t, u, m, b, what, name, false); t.Failed() {
					return
				}
			}
		})
	}
}

// same compares a machine with the model. While a piece is lifted its own links stay, and track sets are not updated.
func same(t *testing.T, u *compile.Unit, m *vm.Machine, b *table, what, book string, lifted bool) {
	t.Helper()
	l, st := &u.Program.Layout, m.State()
	for place, want := range b.here {
		var got, back []int
		for p := int(st[l.Head+place]); p >= 0 && len(got) <= l.Pieces; p = int(st[l.Next+p]) {
			got = append(got, p)
		}
		for p := int(st[l.Tail+place]); p >= 0 && len(back) <= l.Pieces; p = int(st[l.Prev+p]) {
			back = append(back, p)
		}
		slices.Reverse(back)
		if !slices.Equal(got, want) || !slices.Equal(back, want) || int(st[l.Count+place]) != len(want) {
			t.Errorf("%s: on %d stand %v, from the last %v, counted %d; want %v", what, place, got, back, st[l.Count+place], want)
		}
	}
	var hand, squares, crowd uint64
	sets := make([]uint64, l.Places)
	for p := range b.at {
		if int(st[l.At+p]) != b.at[p] || int(st[l.Node+p]) != b.node[p] {
			t.Errorf("%s: piece %d is at %d, node %d; want %d, %d", what, p, st[l.At+p], st[l.Node+p], b.at[p], b.node[p])
		}
		if !lifted && (st[l.Prev+p] == code.InHand) != b.hand[p] {
			t.Errorf("%s: piece %d is in the hand: %v", what, p, !b.hand[p])
		}
		sets[b.at[p]] |= 1 << p
		hand |= in(p, b.hand[p])
		squares |= in(p, b.at[p] >= l.FirstSquare)
		for q := range b.at {
			crowd |= in(p, p != q && b.at[p] == b.at[q] && p/l.PerColour == q/l.PerColour)
		}
	}
	if dv := m.Derived(); len(dv) > 0 {
		for k, want := range map[int]uint64{code.DerivedHand: hand, code.DerivedSquares: squares, code.DerivedCrowd: crowd} {
			if dv[k] != want {
				t.Errorf("%s: derived word %d is %b, want %b", what, k, dv[k], want)
			}
		}
		if !slices.Equal(dv[code.DerivedPlaces:], sets) {
			t.Errorf("%s: the sets of places are %b, want %b", what, dv[code.DerivedPlaces:], sets)
		}
		if got, want := m.First(1<<l.Pieces-1), firsts(u, m, b); got != want {
			t.Errorf("%s: the first of those that are alike are %b, want %b", what, got, want)
		}
	}
	tracks := u.Program.Tracks
	if tracks == nil || lifted {
		return
	}
	for colour := range tracks.Base {
		for i := range tracks.Length[colour] {
			node := tracks.Base[colour] + i
			place := int(u.Program.Tables[l.NodePlace+node])
			if tracks.Loop && i < code.MaxStraight {
				if past := m.Squares()[node+tracks.Length[colour]]; past != m.Squares()[node] {
					t.Errorf("%s: past its last square colour %d's ring has sets %b, at its square %d %b", what, colour, past, i, m.Squares()[node])
				}
			}
			if say := says[book]; say != nil {
				var colours []int
				for _, p := range b.here[place] {
					colours = append(colours, p/l.PerColour)
				}
				if got, want := m.Squares()[node], uint8(say(colour, u.Rules.Board.Places[place].Name, colours)); got != want {
					t.Errorf("%s: for colour %d square %s with %v is in sets %b, want %b", what, colour, u.Rules.Board.Places[place].Name, colours, got, want)
				}
			}
		}
	}
	for q := range tracks.Questions {
		for p := range b.at {
			for place := range b.here {
				if tracks.Questions[q].Stands && (b.at[p] != place || b.hand[p]) {
					continue
				}
				if got, want := m.Told(q, p, place), m.Asked(q, p, place); got != want {
					t.Errorf("%s: question %d of piece %d and place %d, with %v: the table says %v, the rules %v", what, q, p, place, b.here[place], got, want)
				}
			}
		}
	}
}

// firsts keeps the first of each group of interchangeable pieces.
func firsts(u *compile.Unit, m *vm.Machine, b *table) (out uint64) {
next:
	for p := range b.at {
		for q := range p {
			if m.Equal(p, q) != (p/u.Program.Layout.PerColour == q/u.Program.Layout.PerColour && b.at[p] == b.at[q] && b.node[p] == b.node[q]) {
				continue // their variables differ
			}
			if m.Equal(p, q) {
				continue next
			}
		}
		out |= 1 << p
	}
	return out
}

// TestSort sorts random values; equal keys keep their order.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	m := vm.New(compiled(t, books["pairs"]).Program)
	for range 200 {
		var keys, values, order []int16
		for i := range 1 + r.IntN(12) {
			keys, values, order = append(keys, int16(r.IntN(5)-2)), append(values, int16(100+i)), append(order, int16(i))
		}
		slices.SortStableFunc(order, func(a, b int16) int { return int(keys[a]) - int(keys[b]) })
		before := slices.Clone(keys)
		m.SortScratch(keys, values)
		for i, k := range order {
			if keys[i] != before[k] || values[i] != 100+k {
				t.Fatalf("%v sorted is %v with values %v, want value %d at %d", before, keys, values, 100+k, i)
			}
		}
	}
}

// TestFilter filters random options by their duties, and drops equal ones.
func TestFilter(t *testing.T) {
	u := compiled(t, books["questions"])
	p, r := u.Program, rand.New(rand.NewPCG(2, 4))
	m := vm.New(p)
	m.PlaceAt(1, 5, 9) // the others of its colour are interchangeable
	for range 3000 {
		var opts []vm.Option
		for range r.IntN(6) {
			o := vm.Option{Move: 1, Params: [4]int16{int16(r.IntN(3)), -1, -1, -1}, To: int16(r.IntN(2)), Node: int16(r.IntN(2)), Steps: int16(r.IntN(2)), From: int16(r.IntN(2)), Number: int16(r.IntN(2)), Duties: uint64(r.IntN(4))}
			if r.IntN(4) == 0 {
				o.Move = 0
			}
			opts = append(opts, o)
		}
		before := slices.Clone(m.Counters)
		want, fires := slices.Clone(opts), map[int]uint64{}
		for d, clause := range p.Duties {
			met := slices.DeleteFunc(slices.Clone(want), func(o vm.Option) bool { return o.Duties>>d&1 == 0 })
			if len(met) > 0 && len(met) < len(want) {
				want = met
				fires[clause]++
			}
		}
		var once []vm.Option
		for _, o := range want {
			if !slices.ContainsFunc(once, func(x vm.Option) bool {
				return x.Move == o.Move && x.To == o.To && x.Node == o.Node && x.Steps == o.Steps && x.From == o.From && (x.Params == o.Params || x.Params[0] != 1 && o.Params[0] != 1)
			}) {
				once = append(once, o)
			}
		}
		got := slices.Clone(m.FilterOptions(opts))
		if !slices.Equal(got, once) {
			t.Fatalf("of %v\nstay %v\nwant %v", opts, got, once)
		}
		for i := range m.Counters {
			if m.Counters[i]-before[i] != fires[i] {
				t.Fatalf("of %v: counter %d counts %d, want %d", opts, i, m.Counters[i]-before[i], fires[i])
			}
		}
	}
}

// TestCandidates collects candidates, equal ones once.
func TestCandidates(t *testing.T) {
	m := vm.New(compiled(t, books["pairs"]).Program)
	m.PlaceAt(1, 5, 9)
	for _, c := range []struct {
		pieces     int
		list, want []int
	}{{0, []int{3, 1, 3, 0, 1}, []int{3, 1, 0}}, {1, []int{2, 1, 0, 5, 3, -1, -1}, []int{2, 1, 5, -1}}} {
		m.Native(code.PickReset, 0)
		for _, x := range c.list {
			m.Native(code.PickAdd, c.pieces, x)
		}
		n, _ := m.Native(code.PickCount, 0)
		if n != len(c.want) {
			t.Errorf("of %v there are %d candidates, want %v", c.list, n, c.want)
		}
		for i, want := range c.want {
			if got, _ := m.Native(code.PickGet, 0, i); got != want {
				t.Errorf("of %v candidate %d is %d, want %d", c.list, i, got, want)
			}
		}
	}
	if n, _ := m.Native(code.PickBits, 7, 0b1011); n != 3 || !slices.Equal(m.Picks(), []int16{7, 8, 10}) {
		t.Errorf("the numbers of a set are %v", m.Picks())
	}
}
