package random

import (
	"math"
	"math/big"
	"testing"
)

// TestUint64 gives the numbers of the published algorithm: those of its reference implementation for seed 1234567.
func TestUint64(t *testing.T) {
	s := Source(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := s.Uint64(); got != want {
			t.Errorf("number %d: got %d, want %d", i, got, want)
		}
	}
}

// TestBack takes numbers back: the same ones come again.
func TestBack(t *testing.T) {
	s := Source(5)
	first, second := s.Uint64(), s.Uint64()
	s.Back()
	if got := s.Uint64(); got != second {
		t.Errorf("one taken back: got %d, want %d", got, second)
	}
	s.Back()
	s.Back()
	if got := s.Uint64(); got != first || s == 5 {
		t.Errorf("two taken back: got %d, want %d", got, first)
	}
}

// TestPart: the least bits give 0, the greatest n-1, and each number begins where its share of all bits does.
func TestPart(t *testing.T) {
	for _, n := range []int{1, 2, 3, 6, 7, 100, 1<<16 - 1, 1 << 16} {
		if got := Part(0, n); got != 0 {
			t.Errorf("below %d: the least is %d", n, got)
		}
		if got := Part(math.MaxUint64, n); got != n-1 {
			t.Errorf("below %d: the greatest is %d", n, got)
		}
		for _, k := range []int{1, n / 2, n - 1} {
			if k == 0 || k == n {
				continue
			}
			begin := (uint64(k)<<48 + uint64(n) - 1) / uint64(n) << 16
			if low, high := Part(begin-1, n), Part(begin, n); low != k-1 || high != k {
				t.Errorf("below %d: where %d begins stand %d and %d", n, k, low, high)
			}
		}
	}
}

// TestIntN: numbers below large and small n follow from the bits alone, rounded down.
func TestIntN(t *testing.T) {
	for _, n := range []int{1, 6, 1 << 16, 1<<16 + 1, min(1<<32, math.MaxInt), math.MaxInt} {
		s := Source(11)
		bits := s
		for range 200 {
			share := new(big.Int).Mul(new(big.Int).SetUint64(bits.Uint64()), big.NewInt(int64(n)))
			want := int(share.Rsh(share, 64).Int64())
			if got := s.IntN(n); got != want {
				t.Fatalf("below %d: got %d, want %d", n, got, want)
			}
		}
	}
}

// TestEven counts how often each number comes: chi-squared stays below what it exceeds once in a million.
func TestEven(t *testing.T) {
	const draws = 600_000
	for n, most := range map[int]float64{2: 23.93, 6: 35.89, 100: 181} {
		s, counts := Source(1), make([]int, n)
		for range draws {
			counts[s.IntN(n)]++
		}
		sum, each := 0.0, float64(draws)/float64(n)
		for _, c := range counts {
			sum += (float64(c) - each) * (float64(c) - each) / each
		}
		if sum > most {
			t.Errorf("below %d: chi-squared is %.1f, more than %.1f: %v", n, sum, most, counts)
		}
	}
}
