package solve

import "math"

// A limit is found from the differences of so many sweeps, fewer where there are many rows.
const (
	window   = 8
	maxSteps = 1 << 30 // numbers of all steps
)

// An extrapolation finds the limit of the rows that sweeps make before they are there: reduced rank extrapolation (R. P. Eddy,
// Extrapolating to the limit of a vector sequence, 1979), begun anew after each use. The limit is the mean of the last rows whose
// weights make the same mean of their differences least. Where no option changes, rows follow one another linearly; elsewhere it
// is a guess, which the next sweeps mend.
type extrapolation struct {
	last  []float64   // the rows after the last sweep
	steps [][]float32 // how rows differ from one sweep to the next: only their proportions count, so that they need not be exact
	n     int         // steps known
	wide  int         // steps it takes
}

// next takes the rows after a sweep, and moves them to their limit if it knows enough.
func (x *extrapolation) next(rows []float64) {
	if len(rows) > maxSteps/2 { // no room
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

// weights are those of the steps whose sum is 1 and whose mean step is least. There are none if the steps do not tell.
func (x *extrapolation) weights() (w [window]float64, ok bool) {
	var m [window][window + 1]float64 // the products of the steps, and the right side
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
	for i := range x.wide { // the products are positive definite: no other pivot is needed
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
