package wasm

import (
	"math/bits"
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// cells returns an accessor for the cells of a piece or a place.
func (g *gen) cells(of local) func(k int) val {
	at := g.f.index(of)
	return func(k int) val { return g.field(at, k) }
}

// field is a cell of a piece or a place, which is an index; setField sets it.
func (g *gen) field(of local, k int) val { return load(i32, 16, get(of), g.mem.state+2*k) }

func (g *gen) setField(of local, k int, v val) { g.f.store(16, get(of), g.mem.state+2*k, v) }

// addField adds to a cell.
func (g *gen) addField(of local, k, n int) { g.setField(of, k, g.field(of, k).add(c32(n))) }

// link writes cell v of piece q, or cell w of a place if q is negative (end of the linked list).
func (g *gen) link(q local, v int, place local, w int, value val) {
	cell := choose(get(q).lt(c32(0)), get(place).add(c32(2*w)), get(q).shl(c32(1)).add(c32(2*v)))
	g.f.store(16, cell, g.mem.state, value)
}

// unlink removes a piece from the linked list of its place; both are indexes.
func (g *gen) unlink(piece func(k int) val, place local) {
	f, l := g.f, &g.p.Layout
	next, prev := f.temp(piece(l.Next)), f.temp(piece(l.Prev))
	g.link(prev, l.Next, place, l.Head, get(next))
	g.link(next, l.Prev, place, l.Tail, get(prev))
	g.addField(place, l.Count, -1)
}

// quiet is the number of pieces that may stand on a place without changing its track sets; the place is an index.
func (g *gen) quiet(place local) val { return load(i32, 16, get(place), g.mem.quiet) }

// lift removes a piece from its place. Its own links stay, so that relink can restore the exact position.
func (g *gen) lift() *fn {
	return g.function("lift", none, []kind{i32}, func() {
		f, l := g.f, &g.p.Layout
		p := f.param(0)
		piece := g.cells(p)
		place := f.index(f.temp(piece(l.At)))
		f.when(alone(l, piece), func() { g.holds(place, c32(-1), 0) }, func() { g.unlink(piece, place) })
		g.inHand(p, true)
	})
}

// relink undoes lift.
func (g *gen) relink() *fn {
	return g.function("relink", none, []kind{i32}, func() {
		f, l := g.f, &g.p.Layout
		p := f.param(0)
		piece := g.cells(p)
		place := f.index(f.temp(piece(l.At)))
		f.when(alone(l, piece), func() { g.holds(place, get(p), 1) }, func() {
			next, prev := f.temp(piece(l.Next)), f.temp(piece(l.Prev))
			g.link(prev, l.Next, place, l.Head, get(p))
			g.link(next, l.Prev, place, l.Tail, get(p))
			g.addField(place, l.Count, 1)
		})
		g.inHand(p, false)
	})
}

// alone reports whether a piece is the only element of the list of its place.
func alone(l *code.Layout, piece func(k int) val) val {
	return piece(l.Prev).and(piece(l.Next)).eq(c32(-1))
}

// holds sets the list of a place, which is an index, to one piece or to none.
func (g *gen) holds(place local, p val, n int) {
	l := &g.p.Layout
	g.setField(place, l.Count, c32(n))
	g.setField(place, l.Tail, p)
	g.setField(place, l.Head, p)
}

// inHand records that a piece is off its place, or back.
func (g *gen) inHand(p local, off bool) {
	if len(g.p.Derived) == 0 {
		return
	}
	hand := g.derived(code.DerivedHand)
	if off {
		g.setDerived(code.DerivedHand, hand.or(bit(p)))
	} else {
		g.setDerived(code.DerivedHand, hand.and(allBut(p)))
	}
}

// leave removes a piece from its place permanently.
func (g *gen) leave(p local) {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	piece := g.cells(p)
	place := f.temp(piece(l.At))
	at := f.index(place)
	before, track := f.local(i64), f.local(i32)
	if t != nil {
		f.set(track, g.cellAt(l.Count, get(place)).sub(g.quiet(at)))
		f.when(get(track).op(opGtS, c32(0)), func() { f.set(before, call(g.trackSets(), get(place))) }, nil)
	}
	g.unlink(piece, at)
	if t != nil {
		f.when(get(track).op(opGtS, c32(0)), func() {
			g.inHand(p, true) // the judges read this
			g.updateTrackSets(place, before, get(track).op(opGtS, c32(1)))
		}, nil)
	}
}

// setDown moves a piece from the hand or from its place: parameters piece, place, node.
func (g *gen) setDown() *fn {
	return g.function("set down", none, []kind{i32, i32, i32}, func() { g.setDownHere(g.f.param(0), g.f.param(1), g.f.param(2)) })
}

// setDownHere is the inlined form. In the common case the piece stands alone and the target is empty; then no list needs to be read.
func (g *gen) setDownHere(p, place, node local) {
	f, l := g.f, &g.p.Layout
	piece := g.cells(p)
	cells := f.index(p)
	if g.markTeamDirty(p); g.lead.entry == 0 {
		g.updateProgress(p, cells, node)
	}
	from := f.temp(piece(l.At))
	hand := len(g.p.Derived) > 0 && g.p.TakesUp // a piece in the hand stays in the set of its place, but leaves its list
	single := alone(l, piece)
	if hand {
		single = single.and(g.pieces(from).eq(bit(p)))
	}
	f.when(g.trackSetsFixed(from, single), func() {
		g.holds(f.index(from), c32(-1), 0)
		if len(g.p.Derived) > 0 {
			g.setPieces(from, c64(0))
		}
	}, func() { f.do(g.removePiece(), get(p)) })
	to := f.index(place)
	empty := g.cellAt(l.Count, get(place)).isZero()
	if hand {
		empty = empty.and(g.pieces(place).isZero())
	}
	f.when(g.trackSetsFixed(place, empty), func() {
		g.setField(cells, l.Node, get(node)) // highest address first: one bounds check
		g.setField(cells, l.At, get(place))
		g.holds(to, get(p), 1)
		if len(g.p.Derived) > 0 {
			g.setPieces(place, bit(p))
		}
	}, func() { f.do(g.insertPiece(), get(p), get(place), get(node)) })
	if len(g.p.Derived) > 0 {
		first := c32(g.p.Layout.FirstSquare)
		moved := func() {
			others := g.derived(code.DerivedSquares).and(allBut(p))
			g.setDerived(code.DerivedSquares, others.or(choose(get(place).lt(first), c64(0), bit(p))))
		}
		f.when(get(from).lt(first), moved, func() { f.when(get(place).lt(first), moved, nil) })
	}
}

// trackSetsFixed returns the condition "also, and a single piece does not change the track sets of the place".
func (g *gen) trackSetsFixed(place local, also val) val {
	t := g.p.Tracks
	if t == nil || slices.Min(t.Quiet[:g.p.Layout.Places]) > 0 {
		return also
	}
	return g.at16(g.mem.quiet, get(place)).op(opGtS, c32(0)).and(also)
}

// removePiece takes a piece from its place, which may hold others, or from the hand.
func (g *gen) removePiece() *fn {
	return g.function("remove piece", none, []kind{i32}, func() {
		f, l := g.f, &g.p.Layout
		p := f.param(0)
		f.index(p)
		f.when(g.cellAt(l.Prev, get(p)).ne(c32(code.InHand)), func() { g.leave(p) }, nil)
		g.setCellAt(l.Prev, get(p), c32(-1))
		g.setCellAt(l.Next, get(p), c32(-1))
		if len(g.p.Derived) == 0 {
			return
		}
		from, all := f.temp(g.cellAt(l.At, get(p))), f.temp(allBut(p))
		f.index(from)
		left := f.temp(g.pieces(from).and(get(all)))
		g.setPieces(from, get(left))
		g.setDerived(code.DerivedHand, g.derived(code.DerivedHand).and(get(all)))
		g.setDerived(code.DerivedCrowd, g.derived(code.DerivedCrowd).and(get(all)))
		f.set(left, get(left).and(g.mates(p)))
		f.when(withoutLowest(left).isZero(), func() { // a single remaining piece stands alone
			g.setDerived(code.DerivedCrowd, g.derived(code.DerivedCrowd).and(get(left).not()))
		}, nil)
	})
}

// insertPiece appends a piece that stands nowhere to a place: parameters piece, place, node.
func (g *gen) insertPiece() *fn {
	return g.function("insert piece", none, []kind{i32, i32, i32}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		p, place, node := f.param(0), f.param(1), f.param(2)
		cells, at, to := f.index(p), g.cells(place), f.index(place)
		track, before, count := f.local(i32), f.local(i64), f.temp(at(l.Count))
		if t != nil {
			f.set(track, get(count).sub(g.quiet(to)))
			f.when(get(track).ge(c32(0)), func() { f.set(before, g.currentSets(place, get(track).op(opGtS, c32(0)))) }, nil)
		}
		tail := f.temp(at(l.Tail))
		g.setField(cells, l.Node, get(node)) // highest address first: one bounds check
		g.setField(cells, l.At, get(place))
		g.setField(cells, l.Prev, get(tail))
		g.setField(to, l.Tail, get(p))
		g.setField(to, l.Count, get(count).add(c32(1)))
		g.link(tail, l.Next, to, l.Head, get(p))
		if len(g.p.Derived) == 0 {
			return
		}
		one := f.temp(bit(p))
		there := f.temp(g.pieces(place).or(get(one)))
		g.setPieces(place, get(there))
		f.set(there, get(there).and(g.mates(p)))
		f.when(get(there).ne(get(one)), func() { // none of them stands alone within its colour
			g.setDerived(code.DerivedCrowd, g.derived(code.DerivedCrowd).or(get(there)))
		}, nil)
		if t != nil {
			f.when(get(track).ge(c32(0)), func() { g.updateTrackSets(place, before, c32(1)) }, nil)
		}
	})
}

// pieces is the set of pieces on a place.
func (g *gen) pieces(place local) val { return g.setAt(g.setIndex(get(place)), g.mem.sets) }

func (g *gen) setPieces(place local, set val) {
	g.f.store(8*g.mem.setSize, g.setIndex(get(place)), g.mem.sets, set)
}

// setIndex is the byte offset of a place's set.
func (g *gen) setIndex(place val) val {
	if g.mem.setSize == 2 {
		return g.f.twice(place)
	}
	return place.narrow().op(opMul, c32(g.mem.setSize))
}

// setAt loads a place's set.
func (g *gen) setAt(index val, at int) val {
	op := map[int]byte{2: 0x33, 4: 0x35, 8: 0x29}[g.mem.setSize]
	return join(i64, uleb([]byte{op, 0}, uint64(at)), index)
}

// putAt puts a piece on the first node of its track on a place.
func (g *gen) putAt() *fn {
	return g.function("put at", none, []kind{i32, i32}, func() {
		f, l := g.f, &g.p.Layout
		p, place := f.param(0), f.param(1)
		f.when(get(p).or(get(place)).lt(c32(0)), f.trap, nil)
		f.do(g.setDown(), get(p), get(place), g.at16(g.mem.tables+2*l.NodeAt, g.colour(get(p)).op(opMul, c32(l.Places)).add(get(place))))
	})
}

// giveTo gives a piece to a colour.
func (g *gen) giveTo() *fn {
	return g.function("give", none, []kind{i32, i32}, func() {
		f, l := g.f, &g.p.Layout
		p, colour := f.param(0), f.param(1)
		f.when(get(p).or(get(colour)).lt(c32(0)), f.trap, nil)
		f.index(p)
		f.when(g.colour(get(p)).ne(get(colour)), func() {
			g.setCellAt(l.Owner, get(p), get(colour))
			f.when(g.cellAt(l.Prev, get(p)).eq(c32(code.InHand)), func() {
				f.do(g.putAt(), get(p), g.cellAt(l.At, get(p)))
			}, func() {
				g.setCellAt(l.Node, get(p), g.at16(g.mem.tables+2*l.NodeAt, get(colour).op(opMul, c32(l.Places)).add(g.cellAt(l.At, get(p)))))
			})
		}, nil)
	})
}

// shift is the log2 of the number of pieces of a colour, -1 if that is not a power of two.
func (g *gen) shift() int {
	n := g.p.Layout.PerColour
	if n&(n-1) != 0 {
		return -1
	}
	return bits.TrailingZeros(uint(n))
}

// colour is the colour of a piece.
func (g *gen) colour(p val) val {
	if at := g.p.Layout.Owner; at >= 0 {
		return g.cellAt(at, p)
	}
	if by := g.shift(); by >= 0 {
		return p.shr(c32(by))
	}
	return p.op(opDiv, c32(g.p.Layout.PerColour))
}

// mates is the set of pieces of a piece's colour.
func (g *gen) mates(p local) val {
	l := &g.p.Layout
	return c64(1<<l.PerColour - 1).shl(g.colour(get(p)).op(opMul, c32(l.PerColour)).wide())
}

// byColour is an attribute of a piece: computed if it is a linear function of the colour, otherwise looked up.
func (g *gen) byColour(p, lookup val, of func(p int) int) val {
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

// firsts keeps only the first of each group of interchangeable pieces of a set.
func (g *gen) firsts() *fn {
	return g.function("firsts", i64, []kind{i64}, func() {
		f, l := g.f, &g.p.Layout
		set := f.param(0)
		crowd := f.temp(get(set).and(g.derived(code.DerivedCrowd)))
		f.set(crowd, withoutLowest(crowd))
		same := f.local(i64)
		f.each(crowd, func(p local) {
			f.index(p)
			place := f.temp(g.cellAt(l.At, get(p)))
			f.set(same, get(set).and(bit(p).sub(c64(1))).and(g.pieces(place)).and(g.mates(p)))
			q := f.local(i32)
			f.repeat(func(_, out label) {
				f.brIf(out, get(same).isZero())
				f.set(q, get(same).lowest())
				alike := g.cellAt(l.Node, get(p)).eq(g.cellAt(l.Node, get(q)))
				f.when(g.sameVars(p, q, alike), func() {
					f.set(set, get(set).and(allBut(p)))
					f.br(out)
				}, nil)
				f.set(same, withoutLowest(same))
			})
		})
		f.eval(get(set))
	})
}
