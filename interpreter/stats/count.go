package stats

import "math/bits"

// Count is what a count of the rules came to in some games. The zero value is that of none. It belongs to one goroutine while
// it is added to.
type Count struct {
	// Sum is exact, and so are the mean and the deviation.
	Sum Sum `json:"sum"`
	// Histogram says how often each number occurred. A number may be anything an expression gives, so large ones are kept
	// to 12 binary digits, rounded towards 0: the memory it takes is bounded, and the order of games does not matter.
	Histogram Histogram `json:"histogram"`
}

// countDigits is how many binary digits of a number a histogram of counts keeps.
const countDigits = 12

// Add counts a number. It allocates only where the number is none of those before.
func (c *Count) Add(v int) {
	c.Sum.Add(v)
	c.Histogram.Add(rough(v))
}

// rough is a number with its first digits only, the others 0.
func rough(v int) int {
	if v < 0 {
		return -rough(-v)
	}
	shift := max(0, bits.Len(uint(v))-countDigits)
	return v >> shift << shift
}

// join adds another count.
func (c *Count) join(o *Count) {
	c.Sum.join(o.Sum)
	c.Histogram.join(&o.Histogram)
}

func (c *Count) clear() {
	c.Sum = Sum{}
	c.Histogram.clear()
}

// possible reports whether there are n numbers that come to this.
func (c *Count) possible(n int) bool {
	for v := range c.Histogram.All() {
		if rough(v) != v {
			return false
		}
	}
	return c.Histogram.N() == n && c.Sum.possible(n)
}
