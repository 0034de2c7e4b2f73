// Package random is the source of random numbers: splitmix64 (Steele, Lea and Flood, 2014).
package random

import "math/bits"

// Source is a source of random numbers: where it stands. The zero value is one with seed 0. It belongs to one goroutine.
type Source uint64

const gamma = 0x9e3779b97f4a7c15

// Uint64 is the next 64 random bits.
func (s *Source) Uint64() uint64 {
	*s += gamma
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Back takes back the last call of Uint64.
func (s *Source) Back() { *s -= gamma }

// IntN is a number from 0 to n-1, each as likely as the others to within n/2⁴⁸. n must be above 0.
func (s *Source) IntN(n int) int {
	x := s.Uint64()
	if n <= 1<<16 {
		return Part(x, n)
	}
	hi, _ := bits.Mul64(x, uint64(n))
	return int(hi)
}

// Part is the number below n that IntN makes of random bits, for n up to 65,536.
func Part(x uint64, n int) int { return int(x >> 16 * uint64(n) >> 48) }
