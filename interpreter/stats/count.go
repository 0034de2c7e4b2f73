package stats

import "math/bits"

// Count has the values of a count of the rules over some games. The zero value is empty. It belongs to one goroutine
// while it is added to.
type Count struct {
	// Sum is exact, and so are the mean and the deviation.
	Sum Sum `json:"sum"`
	// Histogram has the frequency of each number. Large numbers are rounded towards 0 to 12 significant binary
	// digits. So its memory is bounded, and the order of games does not matter.
	Histogram Histogram `json:"histogram"`
}

// countDigits is the number of significant binary digits in a histogram of counts.
const countDigits = 12

// Add counts a number. It allocates only for a number that is new.
func (c *Count) Add(v int) {
	c.Sum.Add(v)
	c.Histogram.Add(rough(v))
}

// rough rounds a number towards 0 to its first digits.
func rough(v int) int {
	if v < 0 {
		return -rough(-v)
	}
	shift := max(0, bits.Len(uint(v))-countDigits)
	return v >> shift << shift
}

func (c *Count) join(o *Count) {
	c.Sum.join(o.Sum)
	c.Histogram.join(&o.Histogram)
}

func (c *Count) clear() {
	c.Sum = Sum{}
	c.Histogram.clear()
}

// possible reports whether n numbers can have these sums.
func (c *Count) possible(n int) bool {
	for v := range c.Histogram.All() {
		if rough(v) != v {
			return false
		}
	}
	return c.Histogram.N() == n && c.Sum.possible(n)
}
