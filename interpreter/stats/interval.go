package stats

import "math"

// Interval is an interval from Low to High.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Share is a proportion of games.
type Share struct {
	K, N int
}

// Value is the share, from 0 to 1; 0 without games.
func (s Share) Value() float64 {
	if s.N == 0 {
		return 0
	}
	return float64(s.K) / float64(s.N)
}

// Interval is Wilson's 95 % confidence interval for the share; without games it is from 0 to 1.
func (s Share) Interval() Interval { return s.IntervalAt(Confidence) }

// IntervalAt is Wilson's interval at a confidence level such as 0.95.
func (s Share) IntervalAt(confidence float64) Interval {
	return wilson(s.Value(), float64(s.N), deviate(1-confidence))
}

// Wilson is the 95 % confidence interval for a share of n independent games, from "Probable Inference, the Law of
// Succession, and Statistical Inference" (1927). Unlike the normal approximation it is valid near 0 and 1 and for few
// games. Without games it is from 0 to 1.
func Wilson(p, n float64) Interval { return wilson(p, n, deviate(1-Confidence)) }

func wilson(p, n, z float64) Interval {
	if n <= 0 {
		return Interval{0, 1}
	}
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	i := Interval{max(0, middle-half), min(1, middle+half)}
	if p == 0 { // exact, without rounding errors
		i.Low = 0
	}
	if p == 1 {
		i.High = 1
	}
	return i
}

// Interval is the 95 % confidence interval for the mean; see IntervalAt.
func (m Mean) Interval() Interval { return m.IntervalAt(Confidence) }

// IntervalAt is a confidence interval for the mean of whole numbers: Student's, widened by a term that matters only
// if nearly all numbers are equal. A rare value may not be in the sample, and for numbers that are all 0 Student's
// interval has no width; this one then has about the width of Wilson's. For fewer than two numbers it is unbounded.
// It assumes that no very large number is too rare to be in the sample; Compare does not.
func (m Mean) IntervalAt(confidence float64) Interval {
	if m.N < 2 {
		return Interval{math.Inf(-1), math.Inf(1)}
	}
	t := student(1-confidence, m.N-1)
	half := t * math.Hypot(m.SE, t/float64(m.N))
	return Interval{m.Mean - half, m.Mean + half}
}

// deviate is the two-sided normal deviate of a probability.
func deviate(alpha float64) float64 { return math.Sqrt2 * math.Erfcinv(alpha) }

// student is the two-sided deviate of Student's distribution: Hill's algorithm 396 (Communications of the ACM, 1970),
// accurate to some six digits.
func student(alpha float64, degrees int) float64 {
	switch degrees {
	case 1:
		return 1 / math.Tan(alpha*math.Pi/2)
	case 2:
		return math.Sqrt(2/(alpha*(2-alpha)) - 2)
	}
	n := float64(degrees)
	a := 1 / (n - 0.5)
	b := 48 / (a * a)
	c := ((20700*a/b-98)*a-16)*a + 96.36
	d := ((94.5/(b+c)-3)/b + 1) * math.Sqrt(a*math.Pi/2) * n
	y := math.Pow(d*alpha, 2/n)
	if y <= a+0.05 {
		y = ((1/(((n+6)/(n*y)-0.089*d-0.822)*(n+2)*3)+0.5/(n+4))*y-1)*(n+1)/(n+2) + 1/y
		return math.Sqrt(n * y)
	}
	x := -deviate(alpha)
	y = x * x
	if degrees < 5 {
		c += 0.3 * (n - 4.5) * (x + 0.6)
	}
	c += (((0.05*d*x-5)*x-7)*x-2)*x + b
	y = (((((0.4*y+6.3)*y+36)*y+94.5)/c-y-3)/b + 1) * x
	return math.Sqrt(n * math.Expm1(a*y*y))
}
