package sense

import (
	"math/rand/v2"
	"testing"
)

// TestDomain holds the operations on domains against sets of numbers.
func TestDomain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const low, high = -9, 80
	pick := func() (domain, map[int]bool) {
		d, set := nothing, map[int]bool{}
		for range r.IntN(9) {
			v := low + r.IntN(high-low)
			d, set[v] = d.join(only(v)), true
		}
		if r.IntN(3) == 0 {
			from := low + r.IntN(40)
			to := from + r.IntN(40)
			d = d.join(span(from, to))
			for v := from; v <= to; v++ {
				set[v] = true
			}
		}
		return d, set
	}
	for range 5000 {
		a, inA := pick()
		b, inB := pick()
		v := low + r.IntN(high-low)
		meet, join, without, shift, reverse := a.meet(b), a.join(b), a.without(v), a.shift(3), a.reverse()
		size := 0
		for x := 2 * low; x <= 2*high; x++ {
			if inA[x] {
				size++
			}
			for what, pair := range map[string][2]bool{
				"has": {a.has(x), inA[x]}, "meet": {meet.has(x), inA[x] && inB[x]}, "join": {join.has(x), inA[x] || inB[x]},
				"without": {without.has(x), inA[x] && x != v}, "shift": {shift.has(x), inA[x-3]}, "reverse": {reverse.has(x), inA[-x]},
			} {
				if pair[0] != pair[1] {
					t.Fatalf("%s: %d of %+v and %+v is %v", what, x, a, b, pair[0])
				}
			}
		}
		if a.size() != size || a.empty() != (size == 0) || a.equal(b) != same(inA, inB) {
			t.Fatalf("%+v and %+v: size %d, want %d", a, b, a.size(), size)
		}
	}
}

func same(a, b map[int]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for v := range a {
		if !b[v] {
			return false
		}
	}
	return true
}

func TestWords(t *testing.T) {
	for want, d := range map[string]domain{
		"nothing": nothing, "3": only(3), "1 to 6": span(1, 6), "0 or 1": span(0, 1), "1, 3 or 5": listed(1, 3, 5),
		"one of 7 numbers between 1 and 15": listed(1, 3, 5, 7, 9, 11, 15),
	} {
		if got := d.words(); got != want {
			t.Errorf("%+v is %q, want %q", d, got, want)
		}
	}
}
