package stats

import "math"

// Interval is a stretch from Low to High.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// z95 is the normal deviate of a two-sided probability of 95 %.
const z95 = 1.959963984540054

// Share is how many of some games something happened in.
type Share struct {
	K, N int
}

// Value is the share, from 0 to 1; 0 of no games.
func (s Share) Value() float64 {
	if s.N == 0 {
		return 0
	}
	return float64(s.K) / float64(s.N)
}

// Interval is Wilson's 95 % interval for the share; of no games it is from 0 to 1.
func (s Share) Interval() Interval { return Wilson(s.Value(), float64(s.N)) }

// Wilson is the 95 % interval for a share of n independent games, from "Probable Inference, the Law of Succession, and
// Statistical Inference" (1927): unlike that of the normal approximation it holds near 0 and 1 and with few games. Of no
// games it is from 0 to 1.
func Wilson(p, n float64) Interval {
	if n <= 0 {
		return Interval{0, 1}
	}
	middle := (p + z95*z95/(2*n)) / (1 + z95*z95/n)
	half := z95 / (1 + z95*z95/n) * math.Sqrt(p*(1-p)/n+z95*z95/(4*n*n))
	i := Interval{max(0, middle-half), min(1, middle+half)}
	if p == 0 { // exactly, whatever rounding says
		i.Low = 0
	}
	if p == 1 {
		i.High = 1
	}
	return i
}

// Interval is the 95 % interval of the normal approximation for the mean.
func (m Mean) Interval() Interval { return Interval{m.Mean - z95*m.SE, m.Mean + z95*m.SE} }
