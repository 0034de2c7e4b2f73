package bot

import "github.com/rulerun/rulerun/interpreter"

// expectimax searches all positions up to a depth in throws. It averages over the outcomes of a throw with their
// exact probabilities, and at a decision takes the best option for the deciding side (max^n; with two sides this is
// ordinary expectimax, because the game is zero-sum). At the depth limit it evaluates the lead, or what was learned. It deepens
// iteratively until it has used its nodes, and takes the result of the last complete iteration.
type expectimax struct {
	Depth int  // maximum depth, in throws
	Nodes int  // maximum number of positions in a decision
	needs bool // it plays with a learned evaluation alone
	look
	levels []*level
	left   int // nodes left
	cut    bool
	totals []float64
}

// level has the buffers for one depth.
type level struct {
	p        *interpreter.Position
	shares   []float64
	outcomes [maxDevices][]interpreter.Outcome
}

// maxDevices is the largest number of devices in one throw that are averaged over.
const maxDevices = 16

// decide implements searcher.
func (b *expectimax) decide(p *interpreter.Position, r *interpreter.Random, n int) int {
	if len(b.levels) > 0 && b.levels[0].p.Game() != p.Game() {
		b.levels = b.levels[:0]
	}
	b.totals = append(b.totals[:0], make([]float64, n)...)
	times := guesses(p)
	for range times {
		b.guess(p, r)
		b.ways(n, b.Nodes/times)
		for i, w := range b.worth {
			b.totals[i] += w
		}
	}
	copy(b.worth, b.totals)
	return b.pick(r)
}

// ways evaluates each of the n options at the root for the deciding team, with a limit on nodes.
func (b *expectimax) ways(n, nodes int) {
	team := b.team(b.root)
	chosen := b.root.Kind() == interpreter.Throw // a chosen number: it counts as a throw
	b.clear(n)
	for i := range n { // depth 0 first, in case no iteration is complete
		x := b.level(0)
		x.p.CopyFrom(b.root)
		if b.take(x.p, i) {
			b.shares(x.p, x.shares)
			b.worth[i] = x.shares[team]
		}
	}
	b.left = nodes
	deepest := b.Depth
	if chosen {
		deepest = max(0, deepest-1)
	}
	found := make([]float64, n)
	for depth := 0; depth <= deepest; depth++ {
		b.cut = false
		for i := 0; i < n && !b.cut; i++ {
			x := b.level(0)
			x.p.CopyFrom(b.root)
			found[i] = 0
			if b.take(x.p, i) {
				b.value(0, depth)
				found[i] = x.shares[team]
			}
		}
		if b.cut {
			return
		}
		copy(b.worth, found)
	}
}

// level returns the buffers for depth n.
func (b *expectimax) level(n int) *level {
	if n == len(b.levels) {
		b.levels = append(b.levels, &level{p: b.root.Copy(), shares: make([]float64, len(b.far))})
	}
	return b.levels[n]
}

// value computes the shares of the position at level n, with a search depth in throws. It stops when no nodes are
// left.
func (b *expectimax) value(n, throws int) {
	x := b.levels[n]
	if b.left--; b.left < 0 {
		b.cut = true
		return
	}
	if x.p.Ranked() > b.ranked || x.p.Kind() == interpreter.Throw && throws == 0 {
		b.shares(x.p, x.shares)
		return
	}
	ways := b.decision(x.p)
	switch {
	case ways > 0:
		b.choice(n, ways, throws)
	case x.p.Kind() == interpreter.Throw:
		b.chance(n, throws)
	default:
		b.shares(x.p, x.shares)
	}
}

// choice takes the best option for the deciding team.
func (b *expectimax) choice(n, ways, throws int) {
	x, y := b.levels[n], b.level(n+1)
	team := b.team(x.p)
	if x.p.Kind() == interpreter.Throw {
		throws--
	}
	clear(x.shares)
	found := false
	for i := range ways {
		y.p.CopyFrom(x.p)
		if !b.take(y.p, i) {
			continue
		}
		b.value(n+1, throws)
		if b.cut {
			return
		}
		if !found || y.shares[team] > x.shares[team] {
			copy(x.shares, y.shares)
			found = true
		}
	}
}

// chance averages over the outcomes of the devices.
func (b *expectimax) chance(n, throws int) {
	x, y := b.levels[n], b.level(n+1)
	devices := max(1, len(x.p.Dice())) // a lot has no device and one number
	if devices > maxDevices {
		b.shares(x.p, x.shares)
		return
	}
	for i := range devices {
		x.outcomes[i] = x.p.Outcomes(x.outcomes[i][:0], i)
	}
	clear(x.shares)
	var at, numbers [maxDevices]int
	total := 0.0
	for {
		weight := 1.0
		for i := range devices {
			o := x.outcomes[i][at[i]]
			numbers[i] = o.Value
			weight *= float64(o.Weight)
		}
		y.p.CopyFrom(x.p)
		if y.p.Throw(numbers[:devices]...) == nil {
			b.value(n+1, throws-1)
			if b.cut {
				return
			}
			total += weight
			for team, share := range y.shares {
				x.shares[team] += weight * share
			}
		}
		i := devices - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < len(x.outcomes[i]) {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			break
		}
	}
	for team := range x.shares {
		x.shares[team] /= total
	}
}
