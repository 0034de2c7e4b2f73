package wasm

import "slices"

// tally is a module variable that holds a counter.
type tally struct {
	sum     global
	counter int
}

// fire emits an increment of a counter.
func (g *gen) fire(counter int) {
	at := slices.IndexFunc(g.tallies, func(x tally) bool { return x.counter == counter })
	if at < 0 {
		at = len(g.tallies)
		g.tallies = append(g.tallies, tally{g.module.newGlobal(i64), counter})
	}
	x := g.tallies[at].sum
	g.f.write(x, read(x).add(g.countUnit()))
}

// clearCounters resets all counters in variables; flushCounters adds them to the counters in memory.
func (g *gen) clearCounters() {
	for _, x := range g.tallies {
		g.f.write(x.sum, c64(0))
	}
	for _, x := range g.packs {
		g.f.write(x.sum, c64(0))
	}
	g.discardPending()
}

func (g *gen) flushCounters() {
	for _, x := range g.packs {
		g.f.do(x.drain)
	}
	for _, x := range g.tallies {
		g.count(x.counter, read(x.sum))
	}
}

// count emits an addition to a counter in memory.
func (g *gen) count(counter int, n val) {
	f, to := g.f, g.mem.counters+8*counter
	f.store(64, f.base(), to, load(i64, 64, f.base(), to).add(n))
}

// Counts that occur while options are computed as sets are pending until the sets turn out to be exact; otherwise they are discarded. There
// are many of these counters and nearly all counts are 0. Therefore they are packed into words, a bit field for each counter. A pack is
// drained into the counters in memory only before a field could overflow.

// pack holds packed counters.
type pack struct {
	pending  global // counts of the current decision
	sum      global // committed counts that are not drained yet
	counters []int
	drain    *fn
}

const (
	packBits   = 12
	packFields = 64 / packBits
	packMax    = 1<<(packBits-1) - 1 // largest pending count of a counter at one decision
)

// packOf returns the pack and the field number of a counter.
func (g *gen) packOf(counter int) (x *pack, at int) {
	for _, x := range g.packs {
		if at := slices.Index(x.counters, counter); at >= 0 {
			return x, at
		}
	}
	if x = g.packs[len(g.packs)-1]; len(x.counters) == packFields {
		x = g.newPack()
	}
	x.counters = append(x.counters, counter)
	return x, len(x.counters) - 1
}

func (g *gen) newPack() *pack {
	x := &pack{pending: g.module.newGlobal(i64), sum: g.module.newGlobal(i64), drain: g.module.newFunc("drain", none)}
	g.packs = append(g.packs, x)
	return x
}

// fireLater adds n to the pending count of a clause.
func (g *gen) fireLater(counter int, n val) {
	x, at := g.packOf(counter)
	g.f.write(x.pending, read(x.pending).add(n.wide().shl(c64(int64(packBits*at)))))
	if g.pending[counter]++; g.pending[counter]*g.p.Layout.Pieces > packMax {
		g.fail("a decision that counts more than", packMax)
	}
}

// commitPending adds the pending counts to the committed ones. No count stays pending from one decision to the next.
func (g *gen) commitPending() {
	f := g.f
	pending := read(g.packs[0].pending)
	for _, x := range g.packs[1:] {
		pending = pending.or(read(x.pending))
	}
	f.when(pending, func() {
		full := int64(0)
		for at := range packFields {
			full |= 1 << (packBits*at + packBits - 1)
		}
		for _, x := range g.packs {
			sum := f.temp(read(x.sum).add(read(x.pending)))
			f.write(x.sum, get(sum))
			f.when(get(sum).and(c64(full)), func() { f.do(x.drain) }, nil)
		}
		g.discardPending()
	}, nil)
}

// discardPending clears all pending counts.
func (g *gen) discardPending() {
	for _, x := range g.packs {
		g.f.write(x.pending, c64(0))
	}
}

// drainPack adds the committed counts of a pack to the counters in memory.
func (g *gen) drainPack(x *pack) {
	for at, counter := range x.counters {
		g.count(counter, read(x.sum).shr(c64(int64(packBits*at))).and(c64(1<<packBits-1)))
	}
	g.f.write(x.sum, c64(0))
}
