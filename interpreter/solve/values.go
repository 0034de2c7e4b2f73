package solve

import (
	"context"
	"math"
)

// values are what each position is worth.
type values struct {
	g     *graph
	sides int
	wins  []float64 // of each position how likely each side wins, then how likely none does
	// throws and turns are how many follow on average, ways how many positions; of the latter, where players could not keep the
	// game from ending, how many there can be at most.
	throws, turns, ways []float64
	taken               []uint32  // at a choice of kind best: the option taken
	hopeless            []bool    // no end can be reached
	part                []uint32  // its component
	row                 []float64 // of wins, to work in
	avoidable           bool
	sweeps              int
}

func newValues(g *graph, sides int) *values {
	n := len(g.kind)
	v := &values{
		g: g, sides: sides, wins: make([]float64, n*(sides+1)), throws: make([]float64, n), turns: make([]float64, n), ways: make([]float64, n),
		taken: make([]uint32, n), hopeless: make([]bool, n), part: make([]uint32, n), row: make([]float64, sides+1),
	}
	return v
}

// won is a position's row of wins.
func (v *values) won(i uint32) []float64 {
	n := uint64(v.sides + 1)
	return v.wins[uint64(i)*n : (uint64(i)+1)*n]
}

// Figures of the iteration.
const (
	// gain is how much better an option must be than the one taken before: less is rounding.
	gain = 1e-13
	// shorter is how much shorter, in proportion, an option as good must be.
	shorter   = 1e-9
	maxSweeps = 200_000
	// lookEvery is after how many sweeps it is looked whether what is chosen leads to an end at all.
	lookEvery = 20_000
	// unit is the rounding of one operation.
	unit = 1.0 / (1 << 53)
)

// settle works out the values of all components, those that come last in a game first.
func (v *values) settle(ctx context.Context, o Options) error {
	v.endings()
	for c := range len(v.g.parts) - 1 {
		part := v.g.line[v.g.parts[c]:v.g.parts[c+1]]
		if err := v.settlePart(ctx, part, o); err != nil {
			return err
		}
		if o.Progress != nil && (c&0xfff == 0 || len(part) > 0xfff) {
			o.Progress(Progress{States: len(v.g.kind), Looked: len(v.g.kind), Settled: int(v.g.parts[c+1])})
		}
	}
	return nil
}

// endings finds positions without hope, and whether those who decide could together keep the game from ending.
func (v *values) endings() {
	g := v.g
	part := v.part
	lasting := make([]bool, len(g.kind)) // they could from here
	for c := range len(g.parts) - 1 {
		members := g.line[g.parts[c]:g.parts[c+1]]
		hope := false
		for _, i := range members {
			part[i] = uint32(c)
		}
		for _, i := range members {
			hope = hope || g.kind[i] == over
			for _, w := range g.row(i) {
				hope = hope || part[w.to] != uint32(c) && !v.hopeless[w.to]
			}
		}
		for _, i := range members {
			v.hopeless[i] = !hope
			lasting[i] = g.kind[i] != over && hope // where there is none, nothing is decided
		}
		for changed := true; changed; {
			changed = false
			for _, i := range members {
				if lasting[i] && !v.lasts(i, lasting) {
					lasting[i], changed = false, true
				}
			}
		}
		for _, i := range members {
			v.avoidable = v.avoidable || lasting[i]
		}
	}
}

// lasts reports whether a position leads to lasting ones alone, or where a player decides to one.
func (v *values) lasts(i uint32, lasting []bool) bool {
	g := v.g
	for _, w := range g.row(i) {
		if lasting[w.to] == (g.kind[i] == best) {
			return lasting[w.to]
		}
	}
	return g.kind[i] == chance
}

// settlePart works out the values of one component. It stops when what a sweep changes, times the longest way to the end, is
// within the tolerance, or nothing but rounding is left.
func (v *values) settlePart(ctx context.Context, part []uint32, o Options) error {
	if v.hopeless[part[0]] {
		for _, i := range part {
			v.throws[i], v.turns[i] = math.Inf(1), math.Inf(1)
		}
		return nil
	}
	least, since := math.Inf(1), 0
	work := 0
	for sweep := 1; ; sweep++ {
		change, longest := 0.0, 0.0
		for _, i := range part {
			change = max(change, v.update(i))
			longest = max(longest, v.ways[i])
			if work++; work&0xffff == 0 {
				if err := ctx.Err(); err != nil {
					return err
				}
			}
		}
		v.sweeps = max(v.sweeps, sweep)
		if change*longest <= o.Tolerance {
			return nil
		}
		if since++; change < least {
			least, since = change, 0
		}
		if least < 1e-13 && since > 100 {
			return nil // rounding goes round in circles
		}
		stuck := sweep%lookEvery == 0 && !v.leads(part)
		if stuck || sweep >= maxSweeps {
			return &UnsettledError{States: len(part), Sweeps: sweep, Change: change, Endless: stuck}
		}
	}
}

// leads reports whether by what is chosen now an end, or a position without hope, can be reached from all of a component.
func (v *values) leads(part []uint32) bool {
	g := v.g
	c := v.part[part[0]]
	leading := map[uint32]bool{}
	for before := -1; before < len(leading); {
		before = len(leading)
		for _, i := range part {
			ways := g.row(i)
			if g.kind[i] == best {
				ways = ways[v.taken[i]:][:1]
			}
			for _, w := range ways {
				if v.part[w.to] != c || leading[w.to] {
					leading[i] = true
					break
				}
			}
		}
	}
	return len(leading) == len(part)
}

// update works out a position's values from those of the positions that follow. It returns the largest change, of lengths in
// proportion.
func (v *values) update(i uint32) float64 {
	g := v.g
	switch g.kind[i] {
	case over:
		side := int(g.side[i])
		if side == noSide {
			side = v.sides
		}
		v.won(i)[side] = 1
		return 0
	case best:
		v.decide(i)
	}
	next := v.expect(i, true)
	change := 0.0
	won := v.won(i)
	for s, w := range v.row {
		change = max(change, math.Abs(w-won[s]))
		won[s] = w
	}
	change = max(change, moved(&v.throws[i], next.throws), moved(&v.turns[i], next.turns), moved(&v.ways[i], next.ways))
	return change
}

// moved gives a length its new value and returns how much that changes it, in proportion.
func moved(old *float64, now float64) float64 {
	was := *old
	*old = now
	switch {
	case was == now:
		return 0
	case math.IsInf(now, 1):
		return 1
	}
	return math.Abs(now-was) / max(1, now)
}

// decide takes the best option: what makes the side most likely to win, of that what makes the game clearly shorter than the one taken
// before.
func (v *values) decide(i uint32) {
	g := v.g
	side := g.side[i]
	ways := g.row(i)
	most := 0.0
	for _, w := range ways {
		most = max(most, v.won(w.to)[side])
	}
	now := int(v.taken[i])
	if v.won(ways[now].to)[side] < most-gain {
		now = none
	}
	for at, w := range ways {
		if v.won(w.to)[side] < most-gain {
			continue
		}
		if length := v.throws[w.to]; now == none || length+shorter*max(1, length) < v.throws[ways[now].to] {
			now = at
		}
	}
	v.taken[i] = uint32(now)
}

// none is no option.
const none = -1

// lengths are how far it is to the end.
type lengths struct{ throws, turns, ways float64 }

// expect is what a position is worth by those that follow; the chances to win are in v.row. Where looped, ways that lead back to the position
// itself are reckoned out instead of being followed.
func (v *values) expect(i uint32, looped bool) lengths {
	g := v.g
	clear(v.row)
	n := lengths{ways: 1}
	if g.throws[i] {
		n.throws = 1
	}
	ways := g.row(i)
	if g.kind[i] == best {
		longest := 0.0
		for at := 0; at < len(ways) && !v.avoidable; at++ {
			longest = max(longest, v.ways[ways[at].to])
		}
		w := ways[v.taken[i]]
		copy(v.row, v.won(w.to))
		n.throws += v.throws[w.to]
		n.turns += float64(g.labels[w.label].turns) + v.turns[w.to]
		n.ways += max(longest, v.ways[w.to])
		return n
	}
	back := 0.0
	for _, w := range ways {
		l := &g.labels[w.label]
		n.turns += float64(l.p * float64(l.turns)) // rounded, so that no machine fuses the two: the result is the same on all
		if w.to == i && looped {
			back += l.p
			continue
		}
		for s, x := range v.won(w.to) {
			v.row[s] += float64(l.p * x)
		}
		n.throws += float64(l.p * v.throws[w.to])
		n.turns += float64(l.p * v.turns[w.to])
		n.ways += float64(l.p * v.ways[w.to])
	}
	if back > 0 {
		on := 1 - back
		for s := range v.row {
			v.row[s] /= on
		}
		n.throws, n.turns, n.ways = n.throws/on, n.turns/on, n.ways/on
	}
	return n
}

// judge finds how well the values agree with one another, and from that how far off they can be. Let every value differ from what its ways give
// by at most r; then it differs from the true one by at most r times the number of positions still to come, which is h/(1-d) at most where h was found for
// it, and d is how well that agrees.
func (v *values) judge(r *Result) {
	g := v.g
	widest, d, longest := 0.0, 0.0, 0.0
	for n := range g.kind {
		i := uint32(n)
		if g.kind[i] == over || v.hopeless[i] {
			continue
		}
		widest = max(widest, float64(len(g.row(i))))
		next := v.expect(i, false)
		for s, w := range v.won(i) {
			r.Residual = max(r.Residual, math.Abs(v.row[s]-w))
		}
		if g.kind[i] == best {
			r.Residual = max(r.Residual, v.missed(i))
		}
		d = max(d, math.Abs(next.ways-v.ways[i]))
		if !math.IsInf(next.throws, 1) {
			r.LengthResidual = max(r.LengthResidual, math.Abs(next.throws-v.throws[i]), math.Abs(next.turns-v.turns[i]))
			longest = max(longest, v.throws[i], v.turns[i])
		}
	}
	r.Error, r.LengthError = math.Inf(1), math.Inf(1)
	if v.avoidable || d >= 1 {
		return
	}
	far := v.ways[0] / (1 - d)
	rounding := (widest + 3) * unit
	r.Error = far * (r.Residual + rounding)
	if r.Endless == 0 {
		r.LengthError = far * (r.LengthResidual + rounding*longest)
	}
}

// missed is how much likelier the side would be to win by another option than the one taken.
func (v *values) missed(i uint32) float64 {
	g, most := v.g, 0.0
	for _, w := range g.row(i) {
		most = max(most, v.won(w.to)[g.side[i]])
	}
	return most - v.won(i)[g.side[i]]
}
