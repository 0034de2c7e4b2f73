package stats

import "math"

// radius is half the width of an asymptotic confidence sequence for a mean, two-sided, after t numbers with a variance. The
// sequence holds for all t at once with a probability of 1-alpha: whoever looks at it again and again, and stops when he
// likes what he sees, is wrong no more often.
//
// It is that of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic
// confidence sequences" (Annals of Statistics, 2024), theorem 2.2: Robbins' normal mixture (1970) with the variance that
// was seen in the place of the true one. It is asymptotic: it wants some numbers before the first look.
func radius(t int, variance, alpha float64) float64 {
	n := float64(t)
	// The mixture is made the narrowest at tightest numbers.
	b := -2 * math.Log(alpha)
	r := (b + math.Log(b) + 1) / tightest
	return math.Sqrt(variance * 2 * (n*r + 1) / (n * n * r) * math.Log(math.Sqrt(n*r+1)/alpha))
}

// tightest is after how many numbers the sequence is narrowest, for its length. It hardly matters: ten times as many
// or as few cost about a tenth of the width.
const tightest = 2000
