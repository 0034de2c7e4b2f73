package interpreter

import "github.com/rulerun/rulerun/interpreter/internal/random"

// Random is a source of random numbers: splitmix64 (Steele, Lea and Flood, 2014). The zero value is a source with
// seed 0; it belongs to one goroutine. Its numbers are the same on every machine.
type Random struct {
	source random.Source
}

// NewRandom returns the source for game number of a run with a seed. Games of one run are independent, and each
// depends only on the seed and its own number.
func NewRandom(seed, game uint64) Random {
	r := Random{random.Source(seed)}
	r.source = random.Source(r.Uint64() ^ game*0xd1342543de82ef95)
	r.source = random.Source(r.Uint64())
	return r
}

// Uint64 is the next 64 random bits.
func (r *Random) Uint64() uint64 { return r.source.Uint64() }

// IntN is uniform from 0 to n-1, to within n/2⁴⁸. n must be above 0.
func (r *Random) IntN(n int) int { return r.source.IntN(n) }
