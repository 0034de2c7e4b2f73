package solve

import (
	"math"
	"testing"
)

// TestExtrapolation iterates a linear map with a known limit. The extrapolation finds it in a few uses, even where the
// iteration converges slowly.
func TestExtrapolation(t *testing.T) {
	const n = 40
	rows, want := make([]float64, n), make([]float64, n)
	for i := range want {
		want[i] = 1 + math.Sin(float64(i))
	}
	far := func() (most float64) {
		for i, x := range rows {
			most = max(most, math.Abs(x-want[i]))
		}
		return most
	}
	var x extrapolation
	sweeps := 0
	for ; far() > 1e-12 && sweeps < 1000; sweeps++ {
		next := make([]float64, n)
		for i := range next {
			next[i] = want[i] + 0.495*(rows[(i+1)%n]-want[(i+1)%n]+rows[(i+n-1)%n]-want[(i+n-1)%n])
		}
		copy(rows, next)
		x.next(rows)
	}
	if sweeps > 500 {
		t.Errorf("after %d sweeps the rows are %g from their limit", sweeps, far())
	}
	for range 3 * window { // at the limit nothing changes
		x.next(rows)
	}
	if far() > 1e-12 {
		t.Errorf("rows at their limit went %g away", far())
	}
}
