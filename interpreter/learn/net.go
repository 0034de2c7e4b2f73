package learn

import "math"

// mostUnits is the largest number of hidden units.
const mostUnits = 32

// net gives a team a score from its features: a linear part, and a layer of hidden units (rectified: what is below 0
// counts as 0). The probabilities of the teams to win are the softmax of their scores.
type net struct {
	units  int
	all    []float32
	linear []float32 // of each feature
	inner  []float32 // of each feature and unit
	bias   []float32 // of each unit
	outer  []float32 // of each unit
}

// size is the number of weights of a net.
func size(features, units int) int { return features*(1+units) + 2*units }

func newNet(features, units int) *net {
	n := &net{units: units, all: make([]float32, size(features, units))}
	rest := n.all
	cut := func(k int) []float32 {
		out := rest[:k:k]
		rest = rest[k:]
		return out
	}
	n.linear, n.inner, n.bias, n.outer = cut(features), cut(features*units), cut(units), cut(units)
	return n
}

// score is the score of a view. It leaves the sums of the hidden units in sums.
func (n *net) score(view []Term, sums *[mostUnits]float32) float32 {
	score := float32(0)
	at := sums[:n.units]
	copy(at, n.bias)
	for _, x := range view {
		score += n.linear[x.Feature] * x.Value
		for i, w := range n.inner[int(x.Feature)*len(at):][:len(at)] {
			at[i] += w * x.Value
		}
	}
	for i, sum := range at {
		if sum > 0 {
			score += n.outer[i] * sum
		}
	}
	return score
}

// slope adds to grad how the score of a view changes with each weight, times a factor. The sums are those of score.
func (n *net) slope(grad *net, view []Term, sums *[mostUnits]float32, times float32) {
	var back [mostUnits]float32
	for i, sum := range sums[:n.units] {
		if sum > 0 {
			back[i] = times * n.outer[i]
			grad.outer[i] += times * sum
			grad.bias[i] += back[i]
		}
	}
	for _, x := range view {
		grad.linear[x.Feature] += times * x.Value
		row := grad.inner[int(x.Feature)*n.units:][:n.units]
		for i := range row {
			row[i] += back[i] * x.Value
		}
	}
}

// softmax turns scores into probabilities.
func softmax(scores []float64) {
	most, sum := math.Inf(-1), 0.0
	for _, s := range scores {
		most = max(most, s)
	}
	if math.IsInf(most, -1) {
		clear(scores)
		return
	}
	for i, s := range scores {
		scores[i] = math.Exp(s - most)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}
