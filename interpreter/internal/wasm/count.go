package wasm

import "slices"

// tally is a variable of its own for a counter.
type tally struct {
	sum     global
	counter int
}

// fire counts something that the program itself tells of once more.
func (g *gen) fire(counter int) {
	at := slices.IndexFunc(g.tallies, func(x tally) bool { return x.counter == counter })
	if at < 0 {
		at = len(g.tallies)
		g.tallies = append(g.tallies, tally{g.module.newGlobal(i64), counter})
	}
	x := g.tallies[at].sum
	g.f.write(x, read(x).add(g.one()))
}

// clearCounts begins to count from 0, giveCounts adds what has been counted to the counters in the memory.
func (g *gen) clearCounts() {
	for _, x := range g.tallies {
		g.f.write(x.sum, c64(0))
	}
	for _, x := range g.pools {
		g.f.write(x.sum, c64(0))
	}
	g.forget()
}

func (g *gen) giveCounts() {
	for _, x := range g.pools {
		g.f.do(x.pour)
	}
	for _, x := range g.tallies {
		g.count(x.counter, read(x.sum))
	}
}

// count adds to a counter in the memory.
func (g *gen) count(counter int, n val) {
	f, to := g.f, g.mem.counters+8*counter
	f.store(64, f.base(), to, load(i64, 64, f.base(), to).add(n))
}

// Counts that come up while options are worked out as sets wait until it is settled that the sets can tell; else they
// are forgotten. There are many of them, and nearly always they are 0: so they are packed into words, a field for each counter, and
// poured into the counters only before a field could overflow.

// pool is the words of some counters.
type pool struct {
	waits    global // what waits for the decision at hand
	sum      global // what has been settled and is not poured yet
	counters []int
	pour     *fn
}

const (
	poolBits   = 12
	poolFields = 64 / poolBits
	poolMost   = 1<<(poolBits-1) - 1 // may wait at one decision for each counter
)

// field is where a counter waits.
func (g *gen) field(counter int) (x *pool, at int) {
	for _, x := range g.pools {
		if at := slices.Index(x.counters, counter); at >= 0 {
			return x, at
		}
	}
	if x = g.pools[len(g.pools)-1]; len(x.counters) == poolFields {
		x = g.newPool()
	}
	x.counters = append(x.counters, counter)
	return x, len(x.counters) - 1
}

func (g *gen) newPool() *pool {
	x := &pool{waits: g.module.newGlobal(i64), sum: g.module.newGlobal(i64), pour: g.module.newFunc("pour", none)}
	g.pools = append(g.pools, x)
	return x
}

// later counts for a clause when it is settled that the options are rows: a number of pieces.
func (g *gen) later(counter int, n val) {
	x, at := g.field(counter)
	g.f.write(x.waits, read(x.waits).add(n.wide().shl(c64(int64(poolBits*at)))))
	if g.waits[counter]++; g.waits[counter]*g.p.Layout.Pieces > poolMost {
		g.fail("a decision that counts more than", poolMost)
	}
}

// settle lets what waits count. Nothing waits from one decision to the next.
func (g *gen) settle() {
	f := g.f
	waits := read(g.pools[0].waits)
	for _, x := range g.pools[1:] {
		waits = waits.or(read(x.waits))
	}
	f.when(waits, func() {
		full := int64(0)
		for at := range poolFields {
			full |= 1 << (poolBits*at + poolBits - 1)
		}
		for _, x := range g.pools {
			sum := f.temp(read(x.sum).add(read(x.waits)))
			f.write(x.sum, get(sum))
			f.when(get(sum).and(c64(full)), func() { f.do(x.pour) }, nil)
		}
		g.forget()
	}, nil)
}

// forget lets nothing wait.
func (g *gen) forget() {
	for _, x := range g.pools {
		g.f.write(x.waits, c64(0))
	}
}

// pouring adds what has been settled to the counters.
func (g *gen) pouring(x *pool) {
	for at, counter := range x.counters {
		g.count(counter, read(x.sum).shr(c64(int64(poolBits*at))).and(c64(1<<poolBits-1)))
	}
	g.f.write(x.sum, c64(0))
}
