package solve

import "math"

// The extrapolation uses the differences of window sweeps, or fewer if there are many rows.
const (
	window   = 8
	maxSteps = 1 << 30 // numbers in all steps, to bound memory
)

// An extrapolation predicts the limit of the rows from the last sweeps: reduced rank extrapolation (R. P. Eddy,
// Extrapolating to the limit of a vector sequence, 1979), restarted after each use. The limit is a weighted mean of the last
// rows. The weights minimise the same mean of the row differences. The method assumes that a sweep is a linear map. This
// holds while no chosen option changes; otherwise the limit is a guess, which the next sweeps correct.
type extrapolation struct {
	last  []float64   // the rows after the last sweep
	steps [][]float32 // row differences between sweeps; only their proportions matter, so float32 is enough
	n     int         // number of steps stored
	wide  int         // number of steps to use
}

// next adds the rows after a sweep. When it has enough steps, it replaces the rows by their extrapolated limit.
func (x *extrapolation) next(rows []float64) {
	if len(rows) > maxSteps/2 { // would need too much memory
		return
	}
	switch {
	case x.last == nil:
		x.last = make([]float64, len(rows))
		x.n, x.wide = -1, min(window, maxSteps/max(1, len(rows)))
	case x.n >= 0:
		if x.n == len(x.steps) {
			x.steps = append(x.steps, make([]float32, len(rows)))
		}
		step := x.steps[x.n]
		for i, now := range rows {
			step[i] = float32(now - x.last[i])
		}
	}
	if x.n++; x.n == x.wide {
		if weights, ok := x.weights(); ok {
			behind := 0.0
			for k, w := range weights[:x.wide-1] {
				behind += w
				for i, s := range x.steps[k+1] {
					rows[i] -= float64(behind * float64(s))
				}
			}
		}
		x.n = -1
		return
	}
	copy(x.last, rows)
}

// weights computes the weights, with sum 1, that minimise the mean step. ok is false if the steps do not determine them.
func (x *extrapolation) weights() (w [window]float64, ok bool) {
	var m [window][window + 1]float64 // the Gram matrix of the steps, and the right-hand side
	for i := range x.wide {
		for j := range i + 1 {
			sum := 0.0
			other := x.steps[j]
			for k, s := range x.steps[i] {
				sum += float64(float64(s) * float64(other[k]))
			}
			m[i][j], m[j][i] = sum, sum
		}
		m[i][x.wide] = 1
	}
	for i := range x.wide {
		m[i][i] += 1e-12 * m[0][0]
	}
	for i := range x.wide { // the Gram matrix is positive definite: elimination needs no other pivot
		if !(m[i][i] > 0) {
			return w, false
		}
		for j := i + 1; j < x.wide; j++ {
			f := m[j][i] / m[i][i]
			for k := i; k <= x.wide; k++ {
				m[j][k] -= float64(f * m[i][k])
			}
		}
	}
	sum := 0.0
	for i := x.wide - 1; i >= 0; i-- {
		w[i] = m[i][x.wide]
		for j := i + 1; j < x.wide; j++ {
			w[i] -= float64(m[i][j] * w[j])
		}
		w[i] /= m[i][i]
		sum += w[i]
	}
	for i := range w[:x.wide] {
		w[i] /= sum
		ok = !math.IsNaN(w[i]) && !math.IsInf(w[i], 0)
	}
	return w, ok && sum > 0
}
