package stats

import (
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"math"
	"slices"
)

// Histogram has the frequency of each whole number. The zero value is empty. It belongs to one goroutine while it is
// added to.
type Histogram struct {
	few      []uint64       // of 0, 1, 2 and so on
	from, to int            // all of few that are not 0 are in few[from:to]
	rest     map[int]uint64 // of all other numbers
}

// maxFew is the largest number kept in the array instead of the map.
const maxFew = 1 << 17

// Add counts a number. It allocates only for a number larger than all before.
func (h *Histogram) Add(v int) { h.add(v, 1) }

func (h *Histogram) add(v int, n uint64) {
	switch {
	case v < 0 || v >= maxFew:
		if h.rest == nil {
			h.rest = map[int]uint64{}
		}
		h.rest[v] += n
		return
	case v >= len(h.few):
		size := max(64, len(h.few))
		for size <= v {
			size *= 2
		}
		h.few = append(h.few, make([]uint64, size-len(h.few))...)
	}
	if h.from == h.to {
		h.from, h.to = v, v+1
	}
	h.from, h.to = min(h.from, v), max(h.to, v+1)
	h.few[v] += n
}

// clear removes all numbers, and keeps the memory.
func (h *Histogram) clear() {
	clear(h.few[h.from:h.to])
	clear(h.rest)
	h.from, h.to = 0, 0
}

// join adds the contents of another histogram.
func (h *Histogram) join(o *Histogram) {
	for i, n := range o.few[o.from:o.to] {
		if n > 0 {
			h.add(o.from+i, n)
		}
	}
	for v, n := range o.rest {
		h.add(v, n)
	}
}

// All iterates over the numbers that occurred, ascending, with their frequencies.
func (h *Histogram) All() iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		rest := slices.Sorted(maps.Keys(h.rest))
		for len(rest) > 0 && rest[0] < 0 {
			if !yield(rest[0], h.rest[rest[0]]) {
				return
			}
			rest = rest[1:]
		}
		for i, n := range h.few[h.from:h.to] {
			if n > 0 && !yield(h.from+i, n) {
				return
			}
		}
		for _, v := range rest {
			if !yield(v, h.rest[v]) {
				return
			}
		}
	}
}

// N is the number of numbers counted.
func (h *Histogram) N() int {
	n := uint64(0)
	for _, c := range h.All() {
		n += c
	}
	return int(n)
}

// Sum returns the sums of the numbers and of their squares.
func (h *Histogram) Sum() Sum {
	var s Sum
	for v, n := range h.All() {
		s.addTimes(v, n)
	}
	return s
}

// Mean is the mean of the numbers.
func (h *Histogram) Mean() Mean { return h.Sum().Over(h.N()) }

// Quantile is the smallest number such that at least a share q, from 0 to 1, of all numbers are not above it:
// definition 1 of Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996), the inverse of the empirical
// distribution function. It is 0 for an empty histogram.
func (h *Histogram) Quantile(q float64) int {
	want := uint64(math.Ceil(q * float64(h.N())))
	last, below := 0, uint64(0)
	for v, n := range h.All() {
		last = v
		if below += n; below >= max(want, 1) {
			return v
		}
	}
	return last
}

// Bin is a range of numbers, both ends included, with its frequency.
type Bin struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	N    uint64 `json:"n"`
}

// Bins divides the range from the smallest number to quantile q into at most n bins of one width: 1, 2 or 5 times a
// power of ten. Each begins with a multiple of its width. One more bin has the larger numbers, if there are any. If
// there are negative numbers and others, it makes at least two bins.
func (h *Histogram) Bins(n int, q float64) []Bin {
	if h.N() == 0 || n < 1 {
		return nil
	}
	low, high, most := h.Quantile(0), h.Quantile(q), h.Quantile(1)
	if low < 0 && high >= 0 {
		n = max(n, 2)
	}
	width := 1
	for i := 0; floor(high, width)-floor(low, width) >= n; i++ {
		width = width * []int{2, 5, 2}[i%3]
		if i%3 == 1 {
			width /= 2
		}
	}
	bins := make([]Bin, floor(high, width)-floor(low, width)+1)
	for i := range bins {
		from := (floor(low, width) + i) * width
		bins[i] = Bin{From: from, To: from + width - 1}
	}
	if end := bins[len(bins)-1].To; most > end {
		bins = append(bins, Bin{From: end + 1, To: most})
	}
	for v, c := range h.All() {
		bins[min(floor(v, width)-floor(low, width), len(bins)-1)].N += c
	}
	return bins
}

// floor is the quotient a/b rounded down.
func floor(a, b int) int {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// MarshalJSON writes the numbers that occurred, ascending, as pairs with their frequencies.
func (h Histogram) MarshalJSON() ([]byte, error) {
	pairs := [][2]int64{}
	for v, n := range h.All() {
		pairs = append(pairs, [2]int64{int64(v), int64(n)})
	}
	return json.Marshal(pairs)
}

var errHistogram = errors.New("a histogram is a list of pairs of a number and how often it occurred, ascending")

// UnmarshalJSON reads what MarshalJSON writes.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	var pairs [][]int64
	if err := json.Unmarshal(data, &pairs); err != nil {
		return errHistogram
	}
	*h = Histogram{}
	for i, p := range pairs {
		if len(p) != 2 || p[1] < 1 || p[1] > maxGames || p[0] < -maxValue || p[0] > maxValue || i > 0 && p[0] <= pairs[i-1][0] {
			return errHistogram
		}
		h.add(int(p[0]), uint64(p[1]))
	}
	return nil
}
