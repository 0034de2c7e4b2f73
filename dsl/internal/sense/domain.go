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
	in     []uint64 // bitmap: its first word has the multiples of 64 around lo, so that words of domains combine; nil means all of the range
}

// The range of numbers in the language.
const (
	least    = -1 << 15
	greatest = 1<<15 - 1
)

// maxListed is the largest range that is enumerated.
const maxListed = 2048

// bitmap has room for every range that is enumerated.
type bitmap [maxListed/64 + 1]uint64

var (
	nothing  = domain{lo: 0, hi: -1}
	anyTruth = span(0, 1)
)

func span(lo, hi int) domain { return domain{lo: lo, hi: hi} }

func only(v int) domain { return domain{lo: v, hi: v} }

func listed(values ...int) domain {
	if len(values) == 0 {
		return nothing
	}
	lo, hi := slices.Min(values), slices.Max(values)
	if hi-lo >= maxListed {
		return span(lo, hi)
	}
	var in bitmap
	for _, v := range values {
		in[v>>6-lo>>6] |= 1 << (v & 63)
	}
	return in.domain(lo, hi)
}

// domain is the domain of the bits from lo to hi, which are all that are set.
func (b *bitmap) domain(lo, hi int) domain {
	first, last := 0, hi>>6-lo>>6
	for first <= last && b[first] == 0 {
		first++
	}
	if first > last {
		return nothing
	}
	for b[last] == 0 {
		last--
	}
	from := lo&^63 + first*64
	d := domain{lo: from + bits.TrailingZeros64(b[first]), hi: from + (last-first)*64 + 63 - bits.LeadingZeros64(b[last])}
	n := 0
	for _, w := range b[first : last+1] {
		n += bits.OnesCount64(w)
	}
	if n <= d.hi-d.lo {
		d.in = slices.Clone(b[first : last+1])
	}
	return d
}

// word is the word of a bitmap with the multiples of 64 at n*64.
func (d domain) word(n int) uint64 {
	first, last := d.lo>>6, d.hi>>6
	if n < first || n > last {
		return 0
	}
	if d.in != nil {
		return d.in[n-first]
	}
	w := ^uint64(0)
	if n == first {
		w <<= d.lo & 63
	}
	if n == last {
		w &= ^uint64(0) >> (63 - d.hi&63)
	}
	return w
}

func (d domain) empty() bool { return d.lo > d.hi }

func (d domain) has(v int) bool {
	if v < d.lo || v > d.hi {
		return false
	}
	return d.in == nil || d.in[v>>6-d.lo>>6]>>(v&63)&1 != 0
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

// all goes through the elements in ascending order.
func (d domain) all(yield func(v int) bool) {
	for v := d.lo; v <= d.hi; v++ {
		if d.has(v) && !yield(v) {
			return
		}
	}
}

// keep filters a domain by a predicate. It returns a domain that is too large to enumerate unchanged.
func (d domain) keep(f func(v int) bool) domain {
	if d.empty() || d.hi-d.lo >= maxListed {
		return d
	}
	var in bitmap
	for n := d.lo >> 6; n <= d.hi>>6; n++ {
		for w := d.word(n); w != 0; w &= w - 1 {
			if v := n*64 + bits.TrailingZeros64(w); f(v) {
				in[n-d.lo>>6] |= w & -w
			}
		}
	}
	return in.domain(d.lo, d.hi)
}

func (d domain) meet(o domain) domain {
	out := span(max(d.lo, o.lo), min(d.hi, o.hi))
	switch {
	case out.empty():
		return nothing
	case d.in == nil && o.in == nil:
		return out
	case o.in == nil && out.lo == d.lo && out.hi == d.hi:
		return d
	case d.in == nil && out.lo == o.lo && out.hi == o.hi, d.equal(o):
		return o
	}
	var in bitmap
	for n := out.lo >> 6; n <= out.hi>>6; n++ {
		in[n-out.lo>>6] = d.word(n) & o.word(n)
	}
	return in.domain(out.lo, out.hi)
}

// meets reports whether two domains have an element in common.
func (d domain) meets(o domain) bool {
	lo, hi := max(d.lo, o.lo), min(d.hi, o.hi)
	if lo > hi || d.in == nil && o.in == nil {
		return lo <= hi
	}
	for n := lo >> 6; n <= hi>>6; n++ {
		if d.word(n)&o.word(n) != 0 {
			return true
		}
	}
	return false
}

func (d domain) join(o domain) domain {
	switch {
	case d.empty():
		return o
	case o.empty(), o.lo == o.hi && d.has(o.lo):
		return d
	}
	out := span(min(d.lo, o.lo), max(d.hi, o.hi))
	if out.hi-out.lo >= maxListed || d.in == nil && o.in == nil && d.lo <= o.hi+1 && o.lo <= d.hi+1 {
		return out
	}
	var in bitmap
	for n := out.lo >> 6; n <= out.hi>>6; n++ {
		in[n-out.lo>>6] = d.word(n) | o.word(n)
	}
	return in.domain(out.lo, out.hi)
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
	out := span(d.lo+n, d.hi+n)
	if d.in == nil {
		return out
	}
	return out.keep(func(v int) bool { return d.has(v - n) })
}

func (d domain) equal(o domain) bool {
	if d.empty() || o.empty() {
		return d.empty() == o.empty()
	}
	return d.lo == o.lo && d.hi == o.hi && slices.Equal(d.in, o.in)
}

// whole clips a domain to the range of the language.
func (d domain) whole() domain { return d.meet(span(least, greatest)) }

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

// reverse negates the elements of a domain.
func (d domain) reverse() domain {
	if d.empty() || d.in == nil {
		return domain{lo: -d.hi, hi: -d.lo}
	}
	return span(-d.hi, -d.lo).keep(func(v int) bool { return d.has(-v) })
}
