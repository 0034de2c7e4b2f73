package stats

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// Limits of the numbers counted: below them no sum overflows.
const (
	maxGames = min(1<<40, math.MaxInt)
	maxValue = 1 << 31
)

// Sum has the sum of whole numbers and the sum of their squares. The zero value is empty.
type Sum struct {
	total     int64
	high, low uint64 // of the sum of the squares
}

// Add adds a number.
func (s *Sum) Add(v int) { s.addTimes(v, 1) }

// addTimes adds a number n times.
func (s *Sum) addTimes(v int, n uint64) {
	s.total += int64(v) * int64(n)
	a := uint64(max(v, -v))
	high, low := bits.Mul64(a*a, n)
	s.squares(high, low)
}

func (s *Sum) squares(high, low uint64) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, low, 0)
	s.high, _ = bits.Add64(s.high, high, carry)
}

func (s *Sum) join(o Sum) {
	s.total += o.total
	s.squares(o.high, o.low)
}

// Total is the sum of the numbers.
func (s Sum) Total() int64 { return s.total }

// Squares is the sum of the squares.
func (s Sum) Squares() *big.Int {
	x := new(big.Int).SetUint64(s.high)
	return x.Add(x.Lsh(x, 64), new(big.Int).SetUint64(s.low))
}

// Mean is the mean of a number over the games played.
type Mean struct {
	N    int     // numbers
	Mean float64 // 0 if there are none
	SD   float64 // sample standard deviation, with denominator n-1; 0 for fewer than two numbers
	SE   float64 // standard error of the mean, SD/√n
}

// Over is the mean of n numbers with this sum. All arithmetic is in whole numbers up to the last step: the standard
// deviation is the root of (n·Σx² − (Σx)²) / (n·(n−1)).
func (s Sum) Over(n int) Mean {
	m := Mean{N: n}
	if n == 0 {
		return m
	}
	count := big.NewInt(int64(n))
	m.Mean, _ = new(big.Rat).SetFrac(big.NewInt(s.total), count).Float64()
	if n > 1 {
		a := s.Squares()
		a.Mul(a, count)
		b := big.NewInt(s.total)
		a.Sub(a, b.Mul(b, b))
		v, _ := new(big.Rat).SetFrac(a, new(big.Int).Mul(count, big.NewInt(int64(n-1)))).Float64()
		m.SD = math.Sqrt(v)
		m.SE = math.Sqrt(v / float64(n))
	}
	return m
}

// possible reports whether n numbers can have this sum and this sum of squares, by mean and variance.
func (s Sum) possible(n int) bool {
	squares, total := s.Squares(), big.NewInt(s.total)
	return squares.Mul(squares, big.NewInt(int64(n))).Cmp(total.Mul(total, total)) >= 0
}

// MarshalJSON writes both sums as a list, with all digits.
func (s Sum) MarshalJSON() ([]byte, error) {
	return []byte("[" + big.NewInt(s.total).String() + "," + s.Squares().String() + "]"), nil
}

var errSum = errors.New("a sum is a list of two whole numbers, the sum and that of the squares")

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Sum) UnmarshalJSON(data []byte) error {
	text := string(data)
	total, squares, ok := strings.Cut(strings.Trim(text, "[] \t\r\n"), ",")
	if !ok || !strings.HasPrefix(text, "[") || len(text) > 100 {
		return errSum
	}
	t, ok := new(big.Int).SetString(strings.TrimSpace(total), 10)
	q, ok2 := new(big.Int).SetString(strings.TrimSpace(squares), 10)
	if !ok || !ok2 || !t.IsInt64() || q.Sign() < 0 || q.BitLen() > 127 {
		return errSum
	}
	*s = Sum{total: t.Int64(), low: new(big.Int).And(q, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), high: q.Rsh(q, 64).Uint64()}
	return nil
}

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
