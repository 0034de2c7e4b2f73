package solve

import (
	"context"
	"math"
)

// values has the value of each position.
type values struct {
	g     *graph
	sides int
	wins  []float64 // per position the probability that each side wins, then that none does
	// throws and turns are the expected numbers that follow, ways the expected number of positions; where players
	// could make the game endless, ways is its maximum.
	throws, turns, ways []float64
	taken               []uint32  // at a choice of kind best: the option taken
	hopeless            []bool    // no end is reachable
	part                []uint32  // its component
	row                 []float64 // a row of wins, as a buffer
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

// won returns the row of wins of a position.
func (v *values) won(i uint32) []float64 {
	n := uint64(v.sides + 1)
	return v.wins[uint64(i)*n : (uint64(i)+1)*n]
}

// chance is the probability that a side wins after an edge.
func (v *values) chance(w way, side int8) float64 {
	return v.won(w.to)[v.g.perms[v.g.labels[w.label].perm][side]]
}

// Constants of the iteration.
const (
	// gain is how much better an option must be than the one taken before; smaller differences are rounding errors.
	gain = 1e-13
	// shorter is how much shorter, relatively, an equally good option must be.
	shorter   = 1e-9
	maxSweeps = 200_000
	// lookEvery is the interval, in sweeps, of the test whether the chosen options lead to an end at all.
	lookEvery = 20_000
	// unit is the relative rounding error of one operation.
	unit = 1.0 / (1 << 53)
)

// settle computes the values of all components, in reverse topological order.
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

// endings finds hopeless positions, and whether the deciding sides together could make the game endless.
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
			lasting[i] = g.kind[i] != over && hope // a hopeless position has no decisions
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

// lasts reports whether all edges of a position lead to lasting ones, or one edge if a player decides.
func (v *values) lasts(i uint32, lasting []bool) bool {
	g := v.g
	for _, w := range g.row(i) {
		if lasting[w.to] == (g.kind[i] == best) {
			return lasting[w.to]
		}
	}
	return g.kind[i] == chance
}

// settlePart computes the values of one component. It stops when the change in a sweep, times the longest way to the
// end, is within the tolerance, or when only rounding errors are left.
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
			return nil // rounding errors alternate
		}
		stuck := sweep%lookEvery == 0 && !v.leads(part)
		if stuck || sweep >= maxSweeps {
			return &UnsettledError{States: len(part), Sweeps: sweep, Change: change, Endless: stuck}
		}
	}
}

// leads reports whether with the chosen options an end, or a hopeless position, is reachable from everywhere in a
// component.
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

// update computes a position's values from those of its successors. It returns the largest change, relative for
// lengths.
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

// moved assigns a new length and returns the relative change.
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

// decide takes the best option: the one with the largest probability to win, among equal ones one that makes the game
// clearly shorter than the present one.
func (v *values) decide(i uint32) {
	g := v.g
	side := g.side[i]
	ways := g.row(i)
	most := 0.0
	for _, w := range ways {
		most = max(most, v.chance(w, side))
	}
	now := int(v.taken[i])
	if v.chance(ways[now], side) < most-gain {
		now = none
	}
	for at, w := range ways {
		if v.chance(w, side) < most-gain {
			continue
		}
		if length := v.throws[w.to]; now == none || length+shorter*max(1, length) < v.throws[ways[now].to] {
			now = at
		}
	}
	v.taken[i] = uint32(now)
}

// none means no option.
const none = -1

// lengths are the expected distances to the end.
type lengths struct{ throws, turns, ways float64 }

// expect computes the value of a position from its successors; the probabilities to win go into v.row. With looped,
// edges from the position to itself are eliminated algebraically instead of iterated.
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
		won := v.won(w.to)
		for s, to := range g.perms[g.labels[w.label].perm] {
			v.row[s] = won[to]
		}
		n.throws += v.throws[w.to]
		n.turns += float64(g.labels[w.label].turns) + v.turns[w.to]
		n.ways += max(longest, v.ways[w.to])
		return n
	}
	back := 0.0
	for _, w := range ways {
		l := &g.labels[w.label]
		n.turns += float64(l.p * float64(l.turns)) // rounded explicitly, so that no machine uses a fused multiply-add: the result is the same on all
		if w.to == i && l.perm == 0 && looped {
			back += l.p
			continue
		}
		won := v.won(w.to)
		for s, to := range g.perms[l.perm] {
			v.row[s] += float64(l.p * won[to])
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

// judge computes bounds on the errors from the residuals. If every value differs from the mean over its edges by at
// most r, then it differs from the true value by at most r times the expected number of positions to come. That
// number is at most h/(1-d), where h is the computed one and d its residual.
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

// missed is how much larger the probability to win would be with another option than the one taken.
func (v *values) missed(i uint32) float64 {
	g, most := v.g, 0.0
	for _, w := range g.row(i) {
		most = max(most, v.chance(w, g.side[i]))
	}
	return most - v.won(i)[g.side[i]]
}
