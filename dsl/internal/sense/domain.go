package sense

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// domain is a set of integers: a range from lo to hi, with holes. It is empty if lo is greater than hi. Flags are 0
// and 1. Places, pieces and the like count from 0, and -1 is nil.
type domain struct {
	lo, hi int
	in     []uint64 // bitmap: bit i is lo+i; nil means all of the range
}

// The range of numbers in the language.
const (
	least    = -1 << 15
	greatest = 1<<15 - 1
)

// maxListed is the largest range that is enumerated.
const maxListed = 2048

var (
	nothing = domain{lo: 0, hi: -1}
	anyway  = span(0, 1)
)

func span(lo, hi int) domain { return domain{lo: lo, hi: hi} }

func only(v int) domain { return domain{lo: v, hi: v} }

func listed(values ...int) domain {
	if len(values) == 0 {
		return nothing
	}
	d := span(slices.Min(values), slices.Max(values))
	if d.hi-d.lo >= maxListed {
		return d
	}
	d.in = make([]uint64, (d.hi-d.lo)/64+1)
	for _, v := range values {
		d.in[(v-d.lo)/64] |= 1 << ((v - d.lo) % 64)
	}
	if d.size() == d.hi-d.lo+1 {
		d.in = nil
	}
	return d
}

func (d domain) empty() bool { return d.lo > d.hi }

func (d domain) has(v int) bool {
	if v < d.lo || v > d.hi {
		return false
	}
	i := v - d.lo
	return d.in == nil || d.in[i/64]>>(i%64)&1 != 0
}

// single returns the value of a domain with one element.
func (d domain) single() (int, bool) { return d.lo, d.lo == d.hi }

// size is the number of elements.
func (d domain) size() int {
	if d.in == nil {
		return max(0, d.hi-d.lo+1)
	}
	n := 0
	for _, w := range d.in {
		n += bits.OnesCount64(w)
	}
	return n
}

// keep filters a domain by a predicate. It returns a domain that is too large to enumerate unchanged.
func (d domain) keep(f func(v int) bool) domain {
	if d.empty() || d.hi-d.lo >= maxListed {
		return d
	}
	lo, hi, n := 0, -1, 0
	var in [maxListed / 64]uint64
	for v := d.lo; v <= d.hi; v++ {
		if !d.has(v) || !f(v) {
			continue
		}
		if n == 0 {
			lo = v
		}
		hi = v
		n++
		in[(v-d.lo)/64] |= 1 << ((v - d.lo) % 64)
	}
	if n == 0 {
		return nothing
	}
	out := domain{lo: lo, hi: hi}
	if n == hi-lo+1 {
		return out
	}
	out.in = make([]uint64, (hi-lo)/64+1)
	for v := lo; v <= hi; v++ {
		if i := v - d.lo; in[i/64]>>(i%64)&1 != 0 {
			out.in[(v-lo)/64] |= 1 << ((v - lo) % 64)
		}
	}
	return out
}

func (d domain) meet(o domain) domain {
	out := domain{lo: max(d.lo, o.lo), hi: min(d.hi, o.hi)}
	switch {
	case d.in == nil && o.in == nil:
		return out
	case o.in == nil && out.lo == d.lo && out.hi == d.hi:
		return d
	case d.in == nil && out.lo == o.lo && out.hi == o.hi, d.equal(o):
		return o
	}
	return out.keep(func(v int) bool { return d.has(v) && o.has(v) })
}

func (d domain) join(o domain) domain {
	switch {
	case d.empty():
		return o
	case o.empty():
		return d
	}
	if o.lo == o.hi && d.has(o.lo) {
		return d
	}
	out := domain{lo: min(d.lo, o.lo), hi: max(d.hi, o.hi)}
	if d.in == nil && o.in == nil && d.lo <= o.hi+1 && o.lo <= d.hi+1 {
		return out
	}
	return out.keep(func(v int) bool { return d.has(v) || o.has(v) })
}

func (d domain) without(v int) domain {
	switch {
	case !d.has(v):
		return d
	case d.in == nil && v == d.lo:
		return span(v+1, d.hi)
	case d.in == nil && v == d.hi:
		return span(d.lo, v-1)
	}
	return d.keep(func(x int) bool { return x != v })
}

// shift adds n to all elements.
func (d domain) shift(n int) domain {
	if d.empty() {
		return d
	}
	return domain{lo: d.lo + n, hi: d.hi + n, in: d.in}
}

func (d domain) equal(o domain) bool {
	if d.empty() || o.empty() {
		return d.empty() == o.empty()
	}
	return d.lo == o.lo && d.hi == o.hi && slices.Equal(d.in, o.in)
}

// whole clips a domain to the range of the language.
func (d domain) whole() domain {
	return d.meet(span(least, greatest))
}

// maxNamed is how many numbers and ranges of numbers a message lists.
const maxNamed = 6

// words prints the domain: "1 to 6", "0 or 1", "1 to 6, 8 or 9", "at least 0".
func (d domain) words() string {
	switch {
	case d.empty():
		return "nothing"
	case d.lo == d.hi:
		return strconv.Itoa(d.lo)
	case d.in == nil && d.hi == greatest:
		return "at least " + strconv.Itoa(d.lo)
	case d.in == nil && d.lo == least:
		return "at most " + strconv.Itoa(d.hi)
	case d.in == nil && d.hi-d.lo > 1:
		return strconv.Itoa(d.lo) + " to " + strconv.Itoa(d.hi)
	}
	var list []string
	for v := d.lo; v <= d.hi; v++ {
		if !d.has(v) {
			continue
		}
		from := v
		for d.has(v + 1) {
			v++
		}
		switch v - from {
		case 0:
			list = append(list, strconv.Itoa(v))
		case 1:
			list = append(list, strconv.Itoa(from), strconv.Itoa(v))
		default:
			list = append(list, strconv.Itoa(from)+" to "+strconv.Itoa(v))
		}
	}
	if len(list) > maxNamed {
		return "one of " + strconv.Itoa(d.size()) + " numbers between " + strconv.Itoa(d.lo) + " and " + strconv.Itoa(d.hi)
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}
