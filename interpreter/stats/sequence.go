package stats

import "math"

// A confidence sequence is valid at all looks at once, with a probability of 1-alpha, even if a look decides when to
// stop. Those here use betting: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting"
// (Journal of the Royal Statistical Society B, 2024). A gambler who bets against "the mean is m" multiplies the
// capital by 1+λ(x-m) at each number x. If m is the mean, the capital ever reaches 1/alpha with a probability of at
// most alpha (Ville, 1939). So the sequence excludes each m against which the gambler has won that much. The numbers
// must be bounded; there are no other conditions on the number of games or on the tail.
//
// The stake is divided among a few fixed λ. So the capital does not depend on the order of the numbers; their count,
// sum and sum of squares are enough. Numbers with periodically changing means, such as those of seats that take turns
// in beginning, are valid too: after a whole period the capital is at most what it would be with the mean of those
// means.

// rates are the λ of a gambler, relative to the largest one that cannot go bankrupt. The stakes are proportional to
// the square roots of the rates: the large ones matter while games are few.
var rates = [...]float64{0.95, 0.95 / 2, 0.95 / 4, 0.95 / 8, 0.95 / 16, 0.95 / 32, 0.95 / 64, 0.95 / 128}

// capital is the logarithm of the total capital of all rates, from a stake of 1, given the logarithm for each rate.
func capital(of func(rate float64) float64) float64 {
	var logs [len(rates)]float64
	most := math.Inf(-1)
	for i, rate := range rates {
		logs[i] = of(rate)
		most = max(most, logs[i])
	}
	if math.IsInf(most, -1) {
		return most
	}
	sum, stakes := 0.0, 0.0
	for i, rate := range rates {
		stake := math.Sqrt(rate)
		stakes += stake
		sum += stake * math.Exp(logs[i]-most)
	}
	return most + math.Log(sum/stakes)
}

// sequence is a confidence sequence for the mean of n numbers from -reach to reach.
func sequence(n int, s Sum, reach, alpha float64) Interval {
	total, squares := float64(s.total), math.Ldexp(float64(s.high), 64)+float64(s.low)
	return Interval{below(float64(n), total, squares, reach, alpha/2), -below(float64(n), -total, squares, reach, alpha/2)}
}

// below is a lower confidence bound for the mean of n numbers from -reach to reach, valid at all looks with a
// probability of 1-alpha.
func below(n, total, squares, reach, alpha float64) float64 {
	if n == 0 {
		return -reach
	}
	mean := total / n
	want := -math.Log(alpha)
	// refuted reports whether m is too low to be the mean. It replaces log(1+y), y = λ(x-m) >= -c, by a lower bound
	// (Fan, Grama and Liu, "Exponential inequalities for martingales with applications", 2015, lemma 4.1): y minus y²
	// times (-log(1-c)-c)/c². Then the sums are enough. Every value below a refuted m is refuted too, since the true
	// capital grows as m falls.
	refuted := func(m float64) bool {
		z, q := total-n*m, squares-2*m*total+n*m*m
		return capital(func(rate float64) float64 {
			c := rate * (m + reach) / reach
			if c <= 0 || c >= 1 {
				return math.Inf(-1)
			}
			by := rate / reach
			return by*z - by*by*q*(-math.Log1p(-c)-c)/(c*c)
		}) >= want
	}
	spread := math.Sqrt(max(0, squares-total*mean) * want)
	step := (spread + want*reach/2) / n / 4
	near := mean // not refuted
	far := mean - step
	for ; !refuted(far); far = mean - step {
		if far <= -reach {
			return -reach
		}
		near = far
		step *= 1.2
	}
	for range 25 {
		if m := (near + far) / 2; refuted(m) {
			far = m
		} else {
			near = m
		}
	}
	return far
}

// quantileSequence is a confidence sequence for quantile q of whole numbers from 0 to most: the smallest number such
// that a share q of them are not above it. The gambler bets on whether a number is above it.
func quantileSequence(h *Histogram, q float64, most int, alpha float64) Interval {
	n, want := float64(h.N()), -math.Log(alpha/2)
	// few reports whether k numbers not above v are significantly fewer than a share q, many whether they are
	// significantly more.
	few := func(k float64) bool {
		return capital(func(rate float64) float64 { return k*math.Log1p(-rate) + (n-k)*math.Log1p(rate*q/(1-q)) }) >= want
	}
	many := func(k float64) bool {
		return capital(func(rate float64) float64 { return k*math.Log1p(rate*(1-q)/q) + (n-k)*math.Log1p(-rate) }) >= want
	}
	in := Interval{0, float64(most)}
	k, found := 0.0, !few(0)
	for v, times := range h.All() {
		k += float64(times)
		if !found && !few(k) {
			found, in.Low = true, float64(v)
		}
		if many(k) {
			in.High = float64(v)
			break
		}
	}
	return in
}
