package interpreter

import "math/bits"

// Random is a source of random numbers: splitmix64 (Steele, Lea and Flood, 2014). The zero value is a source with
// seed 0; it belongs to one goroutine. Its numbers are the same on every machine.
type Random struct {
	state uint64
}

// NewRandom returns the source for game number of a run with a seed. Games of one run are independent, and each
// depends on the seed and its own number alone.
func NewRandom(seed, game uint64) Random {
	r := Random{state: seed}
	r.state = r.Uint64() ^ game*0xd1342543de82ef95
	r.state = r.Uint64()
	return r
}

// Uint64 is the next 64 random bits.
func (r *Random) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// IntN is a number from 0 to n-1, each as likely as the others to within n/2⁴⁸. n must be above 0.
func (r *Random) IntN(n int) int {
	x := r.Uint64()
	if n <= 1<<16 {
		return int(x >> 16 * uint64(n) >> 48)
	}
	hi, _ := bits.Mul64(x, uint64(n))
	return int(hi)
}
