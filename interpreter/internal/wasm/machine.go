package wasm

import (
	"math/bits"
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// What package vm does in Go for each program alike stands here once more as functions of the module; the comments there
// say why. Each is written only for programs that call it.

// cell is a cell of the state.
func (g *gen) cell(k int) val {
	if x, ok := g.scalars[k]; ok {
		return read(x)
	}
	return load(i32, 16, g.f.base(), g.mem.state+2*k)
}

// cellAt is cell k+i. An index below 0 lies outside the memory: trouble.
func (g *gen) cellAt(k int, i val) val { return load(i32, 16, i.narrow().shl(c32(1)), g.mem.state+2*k) }

func (g *gen) setCell(k int, v val) {
	if x, ok := g.scalars[k]; ok {
		g.f.write(x, v)
		return
	}
	g.f.store(16, g.f.base(), g.mem.state+2*k, v.narrow())
}

// flush writes what stands in variables to the state, reload reads it from there.
func (g *gen) flush() {
	for _, k := range g.order {
		g.f.store(16, g.f.base(), g.mem.state+2*k, read(g.scalars[k]))
	}
	for k, x := range g.sets {
		g.f.store(64, g.f.base(), g.mem.derived+8*k, read(x))
	}
}

func (g *gen) reload() {
	for _, k := range g.order {
		g.f.write(g.scalars[k], load(i32, 16, g.f.base(), g.mem.state+2*k))
	}
	for k, x := range g.sets {
		g.f.write(x, load(i64, 64, g.f.base(), g.mem.derived+8*k))
	}
}

func (g *gen) setCellAt(k int, i, v val) {
	g.f.store(16, i.narrow().shl(c32(1)), g.mem.state+2*k, v)
}

func (g *gen) word(w word) val { return read(g.words[w]) }

func (g *gen) setWord(w word, v val) { g.f.write(g.words[w], v) }

// at32, at16, at64 are elements of tables.
func at32(table int, i val) val { return load(i32, 32, i.shl(c32(2)), table) }
func at16(table int, i val) val { return load(i32, 16, i.narrow().shl(c32(1)), table) }
func at64(table int, i val) val { return load(i64, 64, i.narrow().shl(c32(3)), table) }

// derived is word k of what follows from the state.
func (g *gen) derived(k int) val {
	if k < len(g.sets) {
		return read(g.sets[k])
	}
	return load(i64, 64, g.f.base(), g.mem.derived+8*k)
}

// setDerived sets one of the first words.
func (g *gen) setDerived(k int, v val) { g.f.write(g.sets[k], v) }

// bit is the set of one piece.
func bit(p local) val { return c64(1).shl(get(p).wide()) }

// fire counts something that the program itself tells of once more, fireBy n times.
func (g *gen) fire(counter int) { g.fireBy(counter, c64(1)) }

func (g *gen) fireBy(counter int, n val) {
	x, ok := g.counters[counter]
	if !ok {
		x = g.module.newGlobal(i64)
		g.counters[counter], g.counted = x, append(g.counted, counter)
	}
	g.f.write(x, read(x).add(n))
}

// function is a function of the machine, made when it is first asked for.
func (g *gen) function(name string, result kind, params []kind, body func()) *fn {
	if f := g.natives[name]; f != nil {
		return f
	}
	f := g.module.newFunc(name, result, params...)
	g.natives[name] = f
	g.within(f, body)
	return f
}

// within makes the body of a function.
func (g *gen) within(f *fn, body func()) {
	was := *g
	g.f, g.labels, g.marks, g.homes, g.inTry = f, map[any]label{}, map[any]label{}, map[any]local{}, nil
	g.waiting, g.waits = map[int]local{}, nil
	body()
	g.f, g.labels, g.marks, g.homes, g.inTry, g.waiting, g.waits = was.f, was.labels, was.marks, was.homes, was.inTry, was.waiting, was.waits
}

// random gives the next 64 random bits: splitmix64, as in the interpreter.
func (g *gen) random() val {
	f := g.f
	s := f.temp(g.word(wRandom).add(c64(-0x61c8864680b583eb)))
	g.setWord(wRandom, get(s))
	f.set(s, get(s).xor(get(s).shr(c64(30))).op(opMul, c64(-0x40a7b892e31b1a47)))
	f.set(s, get(s).xor(get(s).shr(c64(27))).op(opMul, c64(-0x6b2fb644ecceee15)))
	return get(s).xor(get(s).shr(c64(31)))
}

// below is a random number from 0 to n-1: the upper half of the product with 64 random bits. n is below 2³².
func (g *gen) below(n val) val {
	f := g.f
	x, wide := f.temp(g.random()), f.temp(n.wide())
	low := get(x).and(c64(0xffffffff)).op(opMul, get(wide)).shr(c64(32))
	return get(x).shr(c64(32)).op(opMul, get(wide)).add(low).shr(c64(32)).narrow()
}

// later counts for a clause when it is settled that the options are rows.
func (g *gen) later(counter int, n val) {
	x, ok := g.waiting[counter]
	if !ok {
		x = g.f.local(i32)
		g.waiting[counter], g.waits = x, append(g.waits, counter)
	}
	g.f.set(x, get(x).add(n))
}

// unsettled begins to let what is told by later wait, for a decision; settled ends it. Nothing waits from one to the next.
func (g *gen) unsettled() (at int) {
	g.setWord(wPending, c32(0))
	g.waiting, g.waits = map[int]local{}, nil
	return len(g.f.body)
}

// settled makes sure that a decision, whose instructions begin at, begins with nothing that waits.
func (g *gen) settled(at int) {
	f := g.f
	rest := slices.Clone(f.body[at:])
	f.body = f.body[:at]
	for _, n := range g.waits {
		f.set(g.waiting[n], c32(0))
	}
	f.body = append(f.body, rest...)
}

// settle lets what waits count: what this program noted, and what the host did.
func (g *gen) settle() {
	f := g.f
	for _, n := range g.waits {
		g.fireBy(n, get(g.waiting[n]).wide())
	}
	f.when(g.word(wPending), func() {
		entry := f.temp(g.word(wPending).shl(c32(3)))
		f.repeat(func(_, out label) {
			f.brIf(out, get(entry).isZero())
			f.set(entry, get(entry).sub(c32(8)))
			n := load(i32, 32, get(entry), g.mem.fires+4).wide()
			at := f.temp(load(i32, 32, get(entry), g.mem.fires).shl(c32(3)))
			f.store(64, get(at), g.mem.counters, load(i64, 64, get(at), g.mem.counters).add(n))
		})
	}, nil)
}

// pieceCells reaches the cells of a piece, placeCells those of a place, by a pinned index.
func (g *gen) pieceCells(p local) func(k int) val {
	l := &g.p.Layout
	at := g.f.pin(get(p).shl(c32(1)))
	g.drop(load(i32, 16, get(at), g.mem.state+2*max(l.Node, l.At, l.Prev, l.Next)))
	return func(k int) val { return load(i32, 16, get(at), g.mem.state+2*k) }
}

func (g *gen) placeCells(place local) func(k int) val {
	at := g.f.pin(get(place).shl(c32(1)))
	if g.p.Tracks != nil {
		g.drop(load(i32, 16, get(at), g.mem.quiet))
	} else {
		l := &g.p.Layout
		g.drop(load(i32, 16, get(at), g.mem.state+2*max(l.Head, l.Tail, l.Count)))
	}
	return func(k int) val { return load(i32, 16, get(at), g.mem.state+2*k) }
}

// drop works a value out for nothing but the check of its address.
func (g *gen) drop(v val) {
	g.f.eval(v)
	g.f.emit(0x1a)
}

// pinned is the local pinned last but n.
func (f *fn) pinned(n int) local { return f.pins[len(f.pins)-1-n] }

// link writes cell v of piece q, or where there is none (below 0) cell w of a place.
func (g *gen) link(q local, v int, place local, w int, value val) {
	cell := choose(get(q).lt(c32(0)), get(place).add(c32(2*w)), get(q).shl(c32(1)).add(c32(2*v)))
	g.f.store(16, cell, g.mem.state, value)
}

// unlink takes a piece out of the list of its place. Its cells, and those of the place, are the last two pinned.
func (g *gen) unlink(piece, at func(k int) val) {
	f, l := g.f, &g.p.Layout
	place := f.pinned(0)
	next, prev := f.temp(piece(l.Next)), f.temp(piece(l.Prev))
	g.link(prev, l.Next, place, l.Head, get(next))
	g.link(next, l.Prev, place, l.Tail, get(prev))
	f.store(16, get(place), g.mem.state+2*l.Count, at(l.Count).sub(c32(1)))
}

// quiet is how many pieces may stand on a place without any set of squares holding it; the place is pinned.
func (g *gen) quiet(place local) val { return load(i32, 16, get(place), g.mem.quiet) }

// leave is a piece taken off its place for good.
func (g *gen) leave() *fn {
	return g.function("leave", none, []kind{i32}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		p := f.param(0)
		piece := g.pieceCells(p)
		place := f.temp(piece(l.At))
		at := g.placeCells(place)
		before, track := f.local(i64), f.local(i32)
		if t != nil {
			f.set(track, at(l.Count).sub(g.quiet(f.pinned(0))))
			f.when(get(track).op(opGtS, c32(0)), func() { f.set(before, call(g.held(), get(place))) }, nil)
		}
		g.unlink(piece, at)
		if len(g.p.Derived) > 0 {
			g.setDerived(code.DerivedHand, g.derived(code.DerivedHand).or(bit(p)))
		}
		if t != nil {
			f.when(get(track).op(opGtS, c32(0)), func() { g.noteChanged(place, before, get(track).op(opGtS, c32(1))) }, nil)
		}
		f.unpin(2)
	})
}

// setDown is a piece put on a place, from the hand or from where it stands: piece, place, node.
func (g *gen) setDown() *fn {
	return g.function("set down", none, []kind{i32, i32, i32}, func() { g.setDownHere(g.f.param(0), g.f.param(1), g.f.param(2)) })
}

// setDownHere is the same in the place of a call.
func (g *gen) setDownHere(p, place, node local) {
	{
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		piece := g.pieceCells(p)
		cells := f.pinned(0)
		if g.lead.entry == 0 {
			g.advance(p, cells, node)
		}
		from := f.temp(piece(l.At))
		f.when(piece(l.Prev).ne(c32(code.InHand)), func() {
			at := g.placeCells(from)
			if t == nil {
				g.unlink(piece, at)
			} else {
				f.when(g.quiet(f.pinned(0)).lt(at(l.Count)), func() { f.do(g.leave(), get(p)) }, func() { g.unlink(piece, at) })
			}
			f.unpin(1)
		}, nil)
		at := g.placeCells(place)
		to := f.pinned(0)
		track, before, count := f.local(i32), f.local(i64), f.temp(at(l.Count))
		if t != nil {
			f.set(track, get(count).sub(g.quiet(to)))
			f.set(before, c64(0))
			f.when(get(track).op(opGtS, c32(0)), func() { f.set(before, call(g.held(), get(place))) }, nil)
		}
		tail := f.temp(at(l.Tail))
		set := func(at local, k int, v val) { f.store(16, get(at), g.mem.state+2*k, v) }
		set(cells, l.Node, get(node)) // the highest address first
		set(cells, l.At, get(place))
		set(cells, l.Prev, get(tail))
		set(cells, l.Next, c32(-1))
		set(to, l.Tail, get(p))
		set(to, l.Count, get(count).add(c32(1)))
		g.link(tail, l.Next, to, l.Head, get(p))
		f.unpin(2)
		if len(g.p.Derived) > 0 {
			g.noteMoved(p, from, place)
			if t != nil {
				f.when(get(track).ge(c32(0)), func() { g.noteChanged(place, before, c32(1)) }, nil)
			}
		}
	}
}

// noteMoved brings the derived sets of pieces up to date.
func (g *gen) noteMoved(p, from, place local) {
	f := g.f
	const places = 8 * code.DerivedPlaces
	one := f.temp(bit(p))
	others := f.temp(get(one).not())
	left, there := f.local(i64), f.local(i64)
	at := f.temp(get(from).shl(c32(3)))
	f.set(left, load(i64, 64, get(at), g.mem.derived+places).and(get(others)))
	f.store(64, get(at), g.mem.derived+places, get(left))
	f.set(at, get(place).shl(c32(3)))
	f.set(there, load(i64, 64, get(at), g.mem.derived+places).or(get(one)))
	f.store(64, get(at), g.mem.derived+places, get(there))
	g.setDerived(code.DerivedHand, g.derived(code.DerivedHand).and(get(others)))
	on := choose(get(place).lt(c32(g.p.Layout.FirstSquare)), c64(0), get(one))
	g.setDerived(code.DerivedSquares, g.derived(code.DerivedSquares).and(get(others)).or(on))
	// Those that do not stand alone among their colour; mostly all do.
	mates := f.temp(g.mates(p))
	g.setDerived(code.DerivedCrowd, g.derived(code.DerivedCrowd).and(get(others)))
	f.set(left, get(left).and(get(mates)))
	f.when(get(left), func() {
		f.when(get(left).and(get(left).sub(c64(1))).isZero(), func() {
			g.setDerived(code.DerivedCrowd, g.derived(code.DerivedCrowd).and(get(left).not()))
		}, nil)
	}, nil)
	f.set(there, get(there).and(get(mates)))
	f.when(get(there).ne(get(one)), func() {
		g.setDerived(code.DerivedCrowd, g.derived(code.DerivedCrowd).or(get(there)))
	}, nil)
}

// putAt is a piece put at the first node of its track on a place.
func (g *gen) putAt() *fn {
	return g.function("put at", none, []kind{i32, i32}, func() {
		f, l := g.f, &g.p.Layout
		p, place := f.param(0), f.param(1)
		f.when(get(p).or(get(place)).lt(c32(0)), f.trap, nil)
		f.do(g.setDown(), get(p), get(place), at16(g.mem.tables+2*l.NodeAt, g.colour(get(p)).op(opMul, c32(l.Places)).add(get(place))))
	})
}

// shift is the power of two that a colour's pieces are, -1 where they are none.
func (g *gen) shift() int {
	n := g.p.Layout.PerColour
	if n&(n-1) != 0 {
		return -1
	}
	return bits.TrailingZeros(uint(n))
}

// colour is the colour of a piece.
func (g *gen) colour(p val) val {
	if by := g.shift(); by >= 0 {
		return p.shr(c32(by))
	}
	return p.op(opDiv, c32(g.p.Layout.PerColour))
}

// mates is the set of the pieces of a piece's colour.
func (g *gen) mates(p local) val {
	l := &g.p.Layout
	return c64(1<<l.PerColour - 1).shl(g.colour(get(p)).op(opMul, c32(l.PerColour)).wide())
}

// evenly is a number that each piece has: worked out where it grows evenly from colour to colour, else looked up.
func (g *gen) evenly(p, lookup val, of func(p int) int) val {
	l := &g.p.Layout
	first, each := of(0), 0
	if l.Colours > 1 {
		each = of(l.PerColour) - first
	}
	for q := range l.Pieces {
		if of(q) != first+q/l.PerColour*each {
			return lookup
		}
	}
	return g.colour(p).op(opMul, c32(each)).add(c32(first))
}

// firstBit is the bit of the derived words that stands for the step after a piece's node 0, firstNode its track's first node, and
// nodes how many it has.
func (g *gen) firstBit(p val) val {
	return g.evenly(p, at32(g.mem.first0, p), func(q int) int { return g.p.Tracks.Walker[q].First })
}

func (g *gen) firstNode(p val) val {
	return g.evenly(p, at32(g.mem.node0, p), func(q int) int { return g.p.Tracks.Walker[q].Node })
}

func (g *gen) nodes(p val) val {
	return g.evenly(p, at32(g.mem.length, p), func(q int) int { return g.p.Tracks.Walker[q].End - g.p.Tracks.Walker[q].Node })
}

// key is what stands on a place as a number, see vm.Machine; -1 for more than is tabulated.
func (g *gen) key(place local) local {
	f, l := g.f, &g.p.Layout
	at := g.placeCells(place)
	key, count := f.local(i32), f.temp(at(l.Count))
	colour := func(k int) val { return g.colour(at(k)) }
	f.block(func(out label) {
		f.set(key, c32(0))
		f.brIf(out, get(count).isZero())
		f.set(key, c32(-1))
		f.brIf(out, get(count).op(opGtS, c32(2)))
		f.set(key, colour(l.Head).add(c32(1)))
		f.brIf(out, get(count).eq(c32(1)))
		f.set(key, get(key).op(opMul, c32(l.Colours)).add(colour(l.Tail)).add(c32(1)))
	})
	f.unpin(1)
	return key
}

// told is what the tables say of a place as it is now, else what the judges say when they are asked.
func (g *gen) told(name string, table int, w word) *fn {
	return g.function(name, i64, []kind{i32}, func() {
		f := g.f
		place := f.param(0)
		k := g.key(place)
		f.when(get(k).ge(c32(0)), func() { f.give(at64(table, get(place).op(opMul, c32(g.p.Tracks.Keys)).add(get(k)))) }, nil)
		f.do(g.spoken(), get(place))
		f.eval(g.word(w))
	})
}

// held is which sets hold a place as it is now, saying which judges speak of it.
func (g *gen) held() *fn   { return g.told("held", g.mem.table, wHolds) }
func (g *gen) saying() *fn { return g.told("saying", g.mem.tableSays, wSays) }

// spoken asks the judges of a place one by one.
func (g *gen) spoken() *fn {
	return g.function("spoken", none, []kind{i32}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		place := f.param(0)
		says, holds := f.local(i64), f.local(i64)
		p0, to := f.temp(g.cell(code.CellP0)), f.temp(g.cell(code.CellTo))
		g.setCell(code.CellTo, get(place))
		for colour := range t.Base {
			f.when(at16(g.mem.index+2*colour*l.Places, get(place)).ge(c32(0)), func() {
				g.setCell(code.CellP0, c32(colour*l.PerColour))
				for j := range t.Judges {
					f.when(call(g.entry(t.Judges[j].Entry)), func() {
						f.set(says, get(says).or(c64(1<<(8*j+colour))))
						f.set(holds, get(holds).or(c64(1<<(8*t.Judges[j].Set+colour))))
					}, nil)
				}
			}, nil)
		}
		g.setCell(code.CellP0, get(p0))
		g.setCell(code.CellTo, get(to))
		g.setWord(wSays, get(says))
		g.setWord(wHolds, g.parted(holds))
	})
}

// parted is the sets that hold a place, as code.Parted makes them of those told one by one.
func (g *gen) parted(holds local) val {
	f := g.f
	lane := func(set int) val {
		return get(holds).shr(c64(int64(code.MaxTrackColours * set))).and(c64(1<<code.MaxTrackColours - 1))
	}
	in := func(set int, v val) val { return v.shl(c64(int64(code.MaxTrackColours * set))) }
	hard, last := f.temp(lane(code.SetHard)), f.temp(lane(code.SetHardLast))
	stops := f.temp(lane(code.SetStops).or(get(hard)))
	turns := f.temp(lane(code.SetTurns).and(lane(code.SetStops).not()))
	out := get(stops).or(get(turns)).or(in(code.SetEnds, lane(code.SetEnds).or(get(last))))
	return out.or(in(code.SetHard, get(hard))).or(in(code.SetHardLast, get(last))).or(in(code.SetTurns, get(turns)))
}

// noteChanged brings the sets of squares up to date where a place was held by the sets of before. Unless it is loud, none holds it now.
func (g *gen) noteChanged(place, before local, loud val) {
	f := g.f
	f.when(loud, func() { f.set(before, get(before).xor(call(g.held(), get(place)))) }, nil)
	f.when(get(before), func() { f.do(g.changed(), get(place), get(before)) }, nil)
}

// changed turns the bits of a place in some of the sets of squares: set and colour, as in code.Tracks.Holds.
func (g *gen) changed() *fn {
	return g.function("changed", none, []kind{i32, i64}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		place, diff := f.param(0), f.param(1)
		colours := f.temp(c64(0))
		for set := range t.Number {
			f.set(colours, get(colours).or(get(diff).shr(c64(int64(code.MaxTrackColours*set)))))
		}
		f.set(colours, get(colours).and(c64(1<<code.MaxTrackColours-1)))
		f.each(colours, func(colour local) {
			of := f.temp(get(diff).shr(get(colour).wide()))
			i := f.temp(at16(g.mem.index, get(colour).op(opMul, c32(l.Places)).add(get(place))))
			flip := func() {
				at := f.temp(get(colour).op(opMul, c32(64*t.Words)).add(get(i)))
				addr, bit := f.temp(get(at).shr(c32(3))), f.temp(get(at).and(c32(7)))
				for set := t.Number - 1; set >= 0; set-- { // the highest address first
					word := g.mem.derived + 8*(t.Sets+set*t.Stride)
					turned := get(of).shr(c64(int64(code.MaxTrackColours * set))).narrow().and(c32(1)).shl(get(bit))
					f.store(8, get(addr), word, load(i32, 8, get(addr), word).xor(turned))
				}
			}
			flip()
			if t.Loop {
				f.when(get(i).lt(c32(code.MaxStraight)), func() {
					f.set(i, get(i).add(at32(g.mem.lengths, get(colour))))
					flip()
				}, nil)
			}
		})
	})
}

// window is the bits of a set of squares from bit i of the derived words on, 57 of them at least; for sets that hold nothing
// it is 0.
func (g *gen) window(addr, shift local, set int) val {
	if !g.p.Tracks.Has[set] {
		return c64(0)
	}
	return load(i64, 64, get(addr), g.mem.derived+8*set*g.p.Tracks.Stride).shr(get(shift))
}

// maxWindow is how many steps a window shows.
const maxWindow = 57

// ahead is where the windows of a piece's next steps lie: the address and the shift.
func (g *gen) ahead(p, node local) (addr, shift local) {
	f := g.f
	i := f.temp(g.firstBit(get(p)).add(get(node)))
	return f.temp(get(i).shr(c32(3))), f.temp(get(i).and(c32(7)).wide())
}

// steps is the bits of so many steps.
func steps(n local) val { return c64(-1).shr(c64(64).sub(get(n).wide())) }

// walkers leaves in a set the pieces that can walk some steps. Walks that turn, and such backwards, the host follows.
func (g *gen) walkers(set, n local) {
	f, t := g.f, g.p.Tracks
	f.block(func(out label) {
		f.when(get(n).sub(c32(1)).op(opGeU, c32(maxWindow)), func() {
			f.set(set, g.followers(set, n))
			f.br(out)
		}, nil)
		all := f.temp(steps(n))
		last := f.temp(get(all).xor(get(all).shr(c64(1))))
		stopped := f.temp(c64(0))
		g.stopped(set, stopped, all, last)
		f.brIf(out, get(stopped).isZero())
		f.set(set, get(set).and(get(stopped).not()))
		if t.Has[code.SetTurns] || t.Has[code.SetHardLast] {
			f.set(set, get(set).or(g.followers(stopped, n)))
			return
		}
		f.each(stopped, func(p local) { g.barred(p, n) })
	})
}

// maxTogether is how many pieces of a colour are looked at all together, whether they are in a set or not.
const maxTogether = 4

// stopped finds the pieces of a set whose next steps some set of squares holds, the last of them in another way. Who is
// stopped cannot be foreseen, nor how many there are: so where they are of one colour there is no branch.
func (g *gen) stopped(set, stopped, all, last local) {
	f, l := g.f, &g.p.Layout
	stops := func(first val, node local) val { // all of the bits that stop a piece, in no order
		i := f.temp(first.add(get(node)))
		addr, shift := f.temp(get(i).shr(c32(3))), f.temp(get(i).and(c32(7)).wide())
		ends := f.temp(g.window(addr, shift, code.SetEnds).and(get(last)))
		off := get(node).op(opShrS, c32(31)).wide() // all of them where it stands off its track
		return g.window(addr, shift, code.SetStops).and(get(all)).or(get(ends)).or(off)
	}
	each := func() {
		rest := f.temp(get(set))
		f.each(rest, func(p local) {
			node := f.temp(g.cellAt(l.Node, get(p)))
			one := get(rest).and(c64(0).sub(get(rest)))
			f.set(stopped, get(stopped).or(one.and(c64(0).sub(stops(g.firstBit(get(p)), node).truth().wide()))))
		})
	}
	if l.PerColour > maxTogether {
		each()
		return
	}
	begin := f.temp(g.colour(get(set).lowest().and(c32(63))).op(opMul, c32(l.PerColour)))
	mates := f.temp(c64(1<<l.PerColour - 1).shl(get(begin).wide()))
	f.when(get(set).and(get(mates).not()), each, func() {
		first, at := f.temp(g.firstBit(get(begin))), f.temp(get(begin).shl(c32(1)))
		some := f.temp(c64(0))
		for p := l.PerColour - 1; p >= 0; p-- { // the highest address first
			node := f.temp(load(i32, 16, get(at), g.mem.state+2*(l.Node+p)))
			f.set(some, get(some).or(stops(get(first), node).truth().wide().shl(c64(int64(p)))))
		}
		f.set(stopped, get(some).shl(get(begin).wide()).and(get(set)))
	})
}

// followers is the pieces of a set that can walk some steps, followed by the host one by one.
func (g *gen) followers(set, n local) val {
	f := g.f
	g.flush() // the host may ask the clauses
	kept := f.temp(call(g.host.followers, get(set), get(n), g.word(wPending)))
	told := func(w word) val { return load(i32, 32, f.base(), g.mem.words+8*int(w)) }
	g.setWord(wHard, g.word(wHard).or(told(wHard)))
	g.setWord(wPending, told(wPending))
	return get(kept)
}

// barred notes which clause bars a straight walk.
func (g *gen) barred(p, n local) {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	f.block(func(out label) {
		node := f.temp(g.cellAt(l.Node, get(p)))
		f.brIf(out, get(node).lt(c32(0)))
		addr, shift := g.ahead(p, node)
		bars := f.temp(g.window(addr, shift, code.SetStops).and(steps(n)))
		if t.Has[code.SetHard] {
			met := get(bars).and(c64(0).sub(get(bars)))
			f.when(g.window(addr, shift, code.SetHard).and(met), func() {
				g.setWord(wHard, c32(1))
				f.br(out)
			}, nil)
		}
		ends := f.temp(get(bars).isZero())
		f.when(get(ends), func() { f.set(bars, c64(1).shl(get(n).sub(c32(1)).wide())) }, nil)
		length := f.temp(g.nodes(get(p)))
		i := f.temp(get(node).sub(g.firstNode(get(p))).add(c32(1)).add(get(bars).lowest()))
		if t.Loop {
			f.set(i, get(i).op(opRem, get(length)))
		} else {
			f.when(get(i).ge(get(length)), func() {
				if t.Beyond >= 0 {
					g.later(t.Beyond, c32(1))
				}
				f.br(out)
			}, nil)
		}
		place := f.temp(at16(g.mem.tables+2*l.NodePlace, g.firstNode(get(p)).add(get(i))))
		f.when(get(ends), func() { g.speak(code.SetEnds, p, place) }, func() { g.speak(code.SetStops, p, place) })
	})
}

// speak notes the first judge that holds a place in a set; where there is but one it must be that.
func (g *gen) speak(set int, p, place local) {
	f := g.f
	var judges []int
	for j := range g.p.Tracks.Judges {
		if g.p.Tracks.Judges[j].Set == set {
			judges = append(judges, j)
		}
	}
	if len(judges) == 1 {
		g.later(g.p.Tracks.Judges[judges[0]].Counter, c32(1))
		return
	}
	says := f.temp(call(g.saying(), get(place)).shr(g.colour(get(p)).wide()))
	f.block(func(out label) {
		for _, j := range judges {
			f.when(get(says).shr(c64(int64(8*j))).and(c64(1)), func() {
				g.later(g.p.Tracks.Judges[j].Counter, c32(1))
				f.br(out)
			}, nil)
		}
	})
}

// walked is the node a piece comes to with a walk that is allowed, and what it leaves in the cells: the direction and the path.
func (g *gen) walked(p, n local, cells bool) local {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	node, out := f.temp(g.cellAt(l.Node, get(p))), f.local(i32)
	straight := func() {
		f.set(out, get(node).add(get(n)))
		if t.Loop {
			size := f.temp(g.nodes(get(p)))
			f.set(out, get(out).sub(choose(get(out).sub(g.firstNode(get(p))).ge(get(size)), get(size), c32(0))))
		}
		if cells {
			g.setCell(code.CellHeading, c32(1))
			if l.Path >= 0 {
				g.straightPath(n)
			}
		}
	}
	winding := func() {
		g.flush() // the host may ask the clauses
		packed := f.temp(call(g.host.follow, get(p), get(n)))
		f.set(out, get(packed).op(opShrS, c32(1)))
		if cells {
			g.setCell(code.CellHeading, c32(1).sub(get(packed).and(c32(1)).shl(c32(1))))
			if l.Path >= 0 {
				for _, k := range []int{code.CellPathLen, code.CellPathLast} {
					g.setCell(k, load(i32, 16, f.base(), g.mem.state+2*k))
				}
			}
		}
	}
	f.when(get(n).sub(c32(1)).op(opGeU, c32(maxWindow)), winding, func() {
		if !g.p.Tracks.Has[code.SetTurns] {
			straight()
			return
		}
		addr, shift := g.ahead(p, node)
		f.when(g.window(addr, shift, code.SetStops).and(steps(n)), winding, straight)
	})
	return out
}

// firsts is the first of each interchangeable pieces of a set.
func (g *gen) firsts() *fn {
	return g.function("firsts", i64, []kind{i64}, func() {
		f, l := g.f, &g.p.Layout
		set := f.param(0)
		crowd := f.temp(get(set).and(g.derived(code.DerivedCrowd)))
		f.set(crowd, get(crowd).and(get(crowd).sub(c64(1))))
		same := f.local(i64)
		f.each(crowd, func(p local) {
			place := g.cellAt(l.At, get(p))
			f.set(same, get(set).and(bit(p).sub(c64(1))).and(at64(g.mem.derived+8*code.DerivedPlaces, place)).and(g.mates(p)))
			q := f.local(i32)
			f.repeat(func(_, out label) {
				f.brIf(out, get(same).isZero())
				f.set(q, get(same).lowest())
				alike := g.cellAt(l.Node, get(p)).eq(g.cellAt(l.Node, get(q)))
				for _, v := range g.p.PieceVars {
					alike = alike.and(g.cellAt(v, get(p)).eq(g.cellAt(v, get(q))))
				}
				f.when(alike, func() {
					f.set(set, get(set).and(bit(p).not()))
					f.br(out)
				}, nil)
				f.set(same, get(same).and(get(same).sub(c64(1))))
			})
		})
		f.eval(get(set))
	})
}

// nextTurn gives the turn to the next player still in the game, or colour: 1 if there is one. Mostly it is the next one.
func (g *gen) nextTurn(colours bool) val {
	f, l := g.f, &g.p.Layout
	n, at := l.Players, code.CellMe
	if colours {
		n, at = l.Colours, code.CellColour
	}
	x, left, player, found := f.temp(g.cell(at)), f.temp(c32(n)), f.local(i32), f.local(i32)
	f.set(found, c32(0))
	f.repeat(func(_, out label) {
		f.set(x, get(x).add(c32(1)))
		if n&(n-1) == 0 {
			f.set(x, get(x).and(c32(n-1)))
		} else {
			f.set(x, choose(get(x).ge(c32(n)), c32(0), get(x)))
		}
		f.set(player, get(x))
		if colours {
			f.set(player, at16(g.mem.tables+2*l.ColourPlayer, get(x)))
		}
		f.when(g.cellAt(l.Status, get(player)).eq(c32(code.Playing)), func() {
			g.setCell(code.CellMe, get(player))
			if colours {
				g.setCell(code.CellColour, get(x))
			}
			f.set(found, c32(1))
			f.br(out)
		}, nil)
		f.set(left, get(left).sub(c32(1)))
		f.brIf(out, get(left).isZero())
	})
	return get(found)
}

// pathAt is the code of a step of the path being carried out.
func (g *gen) pathAt(i val) val {
	at := g.f.temp(i.narrow())
	return load(i32, 16, get(at).shr(c32(2)).shl(c32(1)), g.mem.state+2*g.p.Layout.Path).shr(get(at).and(c32(3)).shl(c32(2))).and(c32(15))
}

// stride takes the steps that no reaction waits for: step, node, whether backwards → step | node<<16.
func (g *gen) stride(table int) *fn {
	name := "stride"
	for n := table; n > 0; n /= 10 {
		name += string(rune('0' + n%10))
	}
	return g.function(name, i32, []kind{i32, i32, i32}, func() {
		f, l := g.f, &g.p.Layout
		i, node, back := f.param(0), f.param(1), f.param(2)
		ways := f.temp(choose(get(back), c32(2*l.NodePrev), c32(2*l.NodeNext)))
		heading := f.temp(choose(get(back), c32(-1), c32(1)))
		n, next := f.temp(g.cell(code.CellPathLen)), f.local(i32)
		f.repeat(func(_, out label) {
			f.brIf(out, get(i).ge(get(n)))
			f.brIf(out, g.pathAt(get(i)).eq(c32(code.PathTurn)))
			f.set(next, load(i32, 16, get(ways).add(get(node).shl(c32(1))), g.mem.tables))
			left := at16(g.mem.tables+2*table, get(node)).and(c32(1))
			entered := at16(g.mem.tables+2*table, get(next)).and(c32(2))
			f.brIf(out, left.or(entered))
			f.set(node, get(next))
			g.setCell(code.CellHeading, get(heading))
			f.set(i, get(i).add(c32(1)))
		})
		f.eval(get(i).or(get(node).shl(c32(16))))
	})
}

// pick adds a candidate: a number that is not there yet.
func (g *gen) pick() *fn {
	return g.function("pick", none, []kind{i32}, func() {
		f := g.f
		f.block(func(out label) {
			f.times(g.word(wPicks), func(i local) { f.brIf(out, at16(g.mem.picks, get(i)).eq(get(f.param(0)))) })
			n := f.temp(g.word(wPicks))
			f.when(get(n).ge(c32(code.MaxOptions)), f.trap, nil)
			f.store(16, get(n).shl(c32(1)), g.mem.picks, get(f.param(0)))
			g.setWord(wPicks, get(n).add(c32(1)))
		})
	})
}

// sort orders n values of a stretch of scratch by their keys, keeping the order of equal ones.
func (g *gen) sort() *fn {
	return g.function("sort", none, []kind{i32, i32, i32}, func() {
		f := g.f
		keys, values := f.temp(get(f.param(0)).shl(c32(1))), f.temp(get(f.param(1)).shl(c32(1)))
		n := f.param(2)
		read := func(list, i local) val {
			return load(i32, 16, get(list).add(get(i).shl(c32(1))), g.mem.scratch)
		}
		write := func(list, i local, v val) {
			f.store(16, get(list).add(get(i).shl(c32(1))), g.mem.scratch, v)
		}
		k, v, j, before := f.local(i32), f.local(i32), f.local(i32), f.local(i32)
		f.times(get(n), func(i local) {
			f.set(k, read(keys, i))
			f.set(v, read(values, i))
			f.set(j, get(i))
			f.repeat(func(_, out label) {
				f.brIf(out, get(j).isZero())
				f.set(before, get(j).sub(c32(1)))
				f.brIf(out, read(keys, before).op(opLeS, get(k)))
				write(keys, j, read(keys, before))
				write(values, j, read(values, before))
				f.set(j, get(before))
			})
			write(keys, j, get(k))
			write(values, j, get(v))
		})
	})
}

// copyMemory copies n bytes.
func (g *gen) copyMemory(to, from, n int) {
	g.f.eval(c32(to))
	g.f.eval(c32(from))
	g.f.eval(c32(n))
	g.f.emit(0xfc, 10, 0, 0)
}
