package learn

import (
	"math"
	"slices"
)

// maxUnits is the largest number of hidden units.
const maxUnits = 32

// net computes a team's score from its features: a linear part, plus one hidden layer of rectified linear units. The win
// probabilities are the softmax of the teams' scores.
type net struct {
	units  int
	all    []float32
	linear []float32 // by feature
	inner  []float32 // by feature and unit
	bias   []float32 // by unit
	outer  []float32 // by unit
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

// score is the score of a view. It leaves the inputs of the hidden units in sums.
func (n *net) score(view []Term, sums *[maxUnits]float32) float32 {
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

// gradient adds to grad the gradient of a view's score by each weight, times a factor (backpropagation). sums are those of
// score.
func (n *net) gradient(grad *net, view []Term, sums *[maxUnits]float32, times float32) {
	var back [maxUnits]float32
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
	most, sum := slices.Max(scores), 0.0
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
