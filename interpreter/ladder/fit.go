package ladder

import (
	"math"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Strength is the rating of an entrant on Elo's scale: a difference of 400 points means odds of 10 to 1 in a game of
// two. The mean of all entrants is 0.
type Strength struct {
	Entrant  int
	Elo      float64
	Interval stats.Interval // 95 %
}

// eloPoint is a point of Elo's scale in natural log odds.
const eloPoint = math.Ln10 / 400

// z95 is the two-sided normal deviate of 95 %.
const z95 = 1.959963984540054

// Fit estimates the ratings of n entrants from their duels, the strongest first. The model is that of Bradley and
// Terry ("Rank Analysis of Incomplete Block Designs", 1952), with Luce's choice axiom (1959) for more than two sides:
// the single entrant wins with the odds of its strength against the sum of the others'. The estimate is the maximum
// likelihood; one extra game per duel with an even result keeps it finite if an entrant won all games. Intervals are
// from the curvature of the likelihood.
func Fit(n int, duels []Duel) []Strength {
	f := &fit{n: n, duels: duels, at: make([]float64, n)}
	if n == 0 {
		return nil
	}
	f.climb()
	cov := f.covariance()
	out := make([]Strength, n)
	for i := range out {
		elo, half := f.at[i]/eloPoint, z95*math.Sqrt(max(0, cov[i][i]))/eloPoint
		out[i] = Strength{i, elo, stats.Interval{Low: elo - half, High: elo + half}}
	}
	for i := 1; i < n; i++ { // stable: equal ones keep their order
		for j := i; j > 0 && out[j].Elo > out[j-1].Elo+1e-9; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// fit maximises the likelihood of ratings, in log odds.
type fit struct {
	n     int
	duels []Duel
	at    []float64
}

// each calls do for every duel with the predicted probability, the number of games it counts for, and the share won.
func (f *fit) each(at []float64, do func(d *Duel, chance, games, share float64)) {
	for i := range f.duels {
		d := &f.duels[i]
		x := at[d.Alone] - at[d.Others] - math.Log(float64(max(1, d.Teams-1)))
		games := 1.0
		share := d.Equal()
		if d.Games > 0 {
			n := d.effective()
			share = (n*d.Share() + share) / (n + 1)
			games = n + 1
		}
		do(d, 1/(1+math.Exp(-x)), games, share)
	}
}

func (f *fit) likelihood(at []float64) float64 {
	sum := 0.0
	f.each(at, func(_ *Duel, chance, games, share float64) {
		const least = 1e-300
		sum += games * (share*math.Log(max(chance, least)) + (1-share)*math.Log(max(1-chance, least)))
	})
	return sum
}

// climb is Newton's method with step halving. The likelihood is concave, so it has one maximum.
func (f *fit) climb() {
	now := f.likelihood(f.at)
	for range 100 {
		slope := make([]float64, f.n)
		f.each(f.at, func(d *Duel, chance, games, share float64) {
			slope[d.Alone] += games * (share - chance)
			slope[d.Others] -= games * (share - chance)
		})
		step := solve(f.curvature(), slope)
		next := make([]float64, f.n)
		better := false
		for scale := 1.0; scale > 1e-6 && !better; scale /= 2 {
			for i := range next {
				next[i] = f.at[i] + scale*step[i]
			}
			if l := f.likelihood(next); l > now+1e-12 {
				copy(f.at, next)
				now, better = l, true
			}
		}
		if !better {
			return
		}
	}
}

// curvature is the negative Hessian of the likelihood. Fixing the mean makes it regular.
func (f *fit) curvature() [][]float64 {
	h := seq.Of(f.n, func(int) []float64 { return slices.Repeat([]float64{1}, f.n) })
	f.each(f.at, func(d *Duel, chance, games, _ float64) {
		w := max(games*chance*(1-chance), 1e-12)
		h[d.Alone][d.Alone] += w
		h[d.Others][d.Others] += w
		h[d.Alone][d.Others] -= w
		h[d.Others][d.Alone] -= w
	})
	return h
}

// covariance is the covariance matrix of the ratings around their mean.
func (f *fit) covariance() [][]float64 {
	h := f.curvature()
	out := make([][]float64, f.n)
	n := float64(f.n)
	for i := range out {
		unit := make([]float64, f.n)
		unit[i] = 1
		out[i] = solve(h, unit)
		for j := range out[i] {
			out[i][j] -= 1 / (n * n)
		}
	}
	return out
}

// solve solves a system of linear equations by Gaussian elimination. It does not modify its arguments.
func solve(system [][]float64, right []float64) []float64 {
	n := len(right)
	a := seq.Of(n, func(i int) []float64 { return append(append([]float64(nil), system[i]...), right[i]) })
	for c := range n {
		pivot := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[pivot][c]) {
				pivot = r
			}
		}
		a[c], a[pivot] = a[pivot], a[c]
		if a[c][c] == 0 {
			continue // an entrant without duels
		}
		for r := range n {
			if r == c {
				continue
			}
			times := a[r][c] / a[c][c]
			for k := c; k <= n; k++ {
				a[r][k] -= times * a[c][k]
			}
		}
	}
	out := make([]float64, n)
	for i := range out {
		if a[i][i] != 0 {
			out[i] = a[i][n] / a[i][i]
		}
	}
	return out
}
