package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
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
}

func (g *gen) reload() {
	for _, k := range g.order {
		g.f.write(g.scalars[k], load(i32, 16, g.f.base(), g.mem.state+2*k))
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
func (g *gen) derived(k int) val { return load(i64, 64, g.f.base(), g.mem.derived+8*k) }

func (g *gen) setDerived(k int, v val) { g.f.store(64, g.f.base(), g.mem.derived+8*k, v) }

// bit is the set of one piece.
func bit(p local) val { return c64(1).shl(get(p).wide()) }

// count adds to a counter.
func (g *gen) fire(counter int, n val) {
	at := g.mem.counters + 8*counter
	g.f.store(64, g.f.base(), at, load(i64, 64, g.f.base(), at).add(n.wide()))
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
	f.begin(g.mem.changing)
	body()
	g.f, g.labels, g.marks, g.homes, g.inTry = was.f, was.labels, was.marks, was.homes, was.inTry
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
func (g *gen) later(counter, n val) {
	g.f.do(g.function("later", none, []kind{i32, i32}, func() {
		f := g.f
		at := f.temp(g.word(wPending))
		f.when(get(at).eq(c32(vm.MaxFires)), func() { g.setWord(wHard, c32(1)) }, func() {
			entry := f.temp(get(at).shl(c32(3)))
			f.store(32, get(entry), g.mem.fires, get(f.param(0)))
			f.store(32, get(entry), g.mem.fires+4, get(f.param(1)))
			g.setWord(wPending, get(at).add(c32(1)))
		})
	}), counter, n)
}

// settle lets what waits count.
func (g *gen) settle() {
	f := g.f
	f.when(g.word(wPending), func() {
		f.do(g.function("settle", none, nil, func() {
			f := g.f
			f.times(g.word(wPending), func(i local) {
				entry := f.temp(get(i).shl(c32(3)))
				at := f.temp(load(i32, 32, get(entry), g.mem.fires).shl(c32(3)))
				f.store(64, get(at), g.mem.counters, load(i64, 64, get(at), g.mem.counters).add(load(i32, 32, get(entry), g.mem.fires+4).wide()))
			})
		}))
	}, nil)
}

// unlink takes a piece out of the list of its place.
func (g *gen) unlink(p, place local) {
	f, l := g.f, &g.p.Layout
	next, prev := f.temp(g.cellAt(l.Next, get(p))), f.temp(g.cellAt(l.Prev, get(p)))
	f.when(get(prev).lt(c32(0)), func() { g.setCellAt(l.Head, get(place), get(next)) }, func() { g.setCellAt(l.Next, get(prev), get(next)) })
	f.when(get(next).lt(c32(0)), func() { g.setCellAt(l.Tail, get(place), get(prev)) }, func() { g.setCellAt(l.Prev, get(next), get(prev)) })
	g.setCellAt(l.Count, get(place), g.cellAt(l.Count, get(place)).sub(c32(1)))
}

// leave is a piece taken off its place for good.
func (g *gen) leave() *fn {
	return g.function("leave", none, []kind{i32}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		p := f.param(0)
		place := f.temp(g.cellAt(l.At, get(p)))
		before, track := f.local(i64), f.local(i32)
		if t != nil {
			f.set(track, at16(g.mem.quiet, get(place)).lt(g.cellAt(l.Count, get(place))))
			f.when(get(track), func() { f.set(before, call(g.held(), get(place))) }, nil)
		}
		g.unlink(p, place)
		if len(g.p.Derived) > 0 {
			g.setDerived(code.DerivedHand, g.derived(code.DerivedHand).or(bit(p)))
		}
		if t != nil {
			f.when(get(track), func() { f.do(g.changed(), get(place), get(before)) }, nil)
		}
	})
}

// setDown is a piece put on a place, from the hand or from where it stands: piece, place, node.
func (g *gen) setDown() *fn {
	return g.function("set down", none, []kind{i32, i32, i32}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		p, place, node := f.param(0), f.param(1), f.param(2)
		g.setWord(wMoved, g.word(wMoved).or(bit(p)))
		from := f.temp(g.cellAt(l.At, get(p)))
		f.when(g.cellAt(l.Prev, get(p)).ne(c32(code.InHand)), func() {
			if t == nil {
				g.unlink(p, from)
				return
			}
			f.when(at16(g.mem.quiet, get(from)).lt(g.cellAt(l.Count, get(from))), func() { f.do(g.leave(), get(p)) }, func() { g.unlink(p, from) })
		}, nil)
		track, before, count := f.local(i32), f.local(i64), f.temp(g.cellAt(l.Count, get(place)))
		if t != nil {
			f.set(track, get(count).ge(at16(g.mem.quiet, get(place))))
			f.when(get(track), func() { f.set(before, call(g.held(), get(place))) }, nil)
		}
		tail := f.temp(g.cellAt(l.Tail, get(place)))
		g.setCellAt(l.Next, get(p), c32(-1))
		g.setCellAt(l.Prev, get(p), get(tail))
		f.when(get(tail).lt(c32(0)), func() { g.setCellAt(l.Head, get(place), get(p)) }, func() { g.setCellAt(l.Next, get(tail), get(p)) })
		g.setCellAt(l.Tail, get(place), get(p))
		g.setCellAt(l.Count, get(place), get(count).add(c32(1)))
		g.setCellAt(l.Node, get(p), get(node))
		g.setCellAt(l.At, get(p), get(place))
		if len(g.p.Derived) > 0 {
			g.noteMoved(p, from, place)
			if t != nil {
				f.when(get(track), func() { f.do(g.changed(), get(place), get(before)) }, nil)
			}
		}
	})
}

// noteMoved brings the derived sets of pieces up to date.
func (g *gen) noteMoved(p, from, place local) {
	f := g.f
	of := func(place local) val { return at64(g.mem.derived+8*code.DerivedPlaces, get(place)) }
	setOf := func(place local, v val) {
		f.store(64, get(place).shl(c32(3)), g.mem.derived+8*code.DerivedPlaces, v)
	}
	one := f.temp(bit(p))
	others := f.temp(get(one).not())
	left := f.temp(of(from).and(get(others)))
	setOf(from, get(left))
	there := f.temp(of(place).or(get(one)))
	setOf(place, get(there))
	g.setDerived(code.DerivedHand, g.derived(code.DerivedHand).and(get(others)))
	on := choose(get(place).lt(c32(g.p.Layout.FirstSquare)), c64(0), get(one))
	g.setDerived(code.DerivedSquares, g.derived(code.DerivedSquares).and(get(others)).or(on))
	mates := f.temp(at64(g.mem.mates, get(p)))
	crowd := f.temp(g.derived(code.DerivedCrowd).and(get(others)))
	f.set(left, get(left).and(get(mates)))
	f.set(there, get(there).and(get(mates)))
	several := func(set local) val { return get(set).and(get(set).sub(c64(1))) }
	f.set(crowd, get(crowd).and(choose(several(left), c64(-1), get(left).not())))
	f.set(crowd, get(crowd).or(choose(several(there), get(there), c64(0))))
	g.setDerived(code.DerivedCrowd, get(crowd))
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

// colour is the colour of a piece.
func (g *gen) colour(p val) val {
	if l := &g.p.Layout; l.Pieces > 64 {
		return p.op(opDiv, c32(l.PerColour))
	}
	return load(i32, 8, p, g.mem.colourOf)
}

// key is what stands on a place as a number, see vm.Machine; -1 for more than is tabulated.
func (g *gen) key() *fn {
	return g.function("key", i32, []kind{i32}, func() {
		f, l := g.f, &g.p.Layout
		place := f.param(0)
		count := f.temp(g.cellAt(l.Count, get(place)))
		f.when(get(count).isZero(), func() { f.give(c32(0)) }, nil)
		first := f.temp(g.colour(g.cellAt(l.Head, get(place))))
		f.when(get(count).eq(c32(1)), func() { f.give(get(first).add(c32(1))) }, nil)
		f.when(get(count).eq(c32(2)), func() {
			f.give(get(first).op(opMul, c32(l.Colours)).add(g.colour(g.cellAt(l.Tail, get(place)))).add(c32(1 + l.Colours)))
		}, nil)
		f.eval(c32(-1))
	})
}

// held is which sets hold a place as it is now.
func (g *gen) held() *fn {
	return g.function("held", i64, []kind{i32}, func() {
		f := g.f
		place := f.param(0)
		k := f.temp(call(g.key(), get(place)))
		f.when(get(k).ge(c32(0)), func() {
			f.give(at64(g.mem.table, get(place).op(opMul, c32(g.p.Tracks.Keys)).add(get(k))))
		}, nil)
		f.do(g.spoken(), get(place))
		f.eval(g.word(wHolds))
	})
}

// saying is which judges speak of a place as it is now.
func (g *gen) saying() *fn {
	return g.function("saying", i64, []kind{i32}, func() {
		f := g.f
		place := f.param(0)
		k := f.temp(call(g.key(), get(place)))
		f.when(get(k).ge(c32(0)), func() {
			f.give(at64(g.mem.tableSays, get(place).op(opMul, c32(g.p.Tracks.Keys)).add(get(k))))
		}, nil)
		f.do(g.spoken(), get(place))
		f.eval(g.word(wSays))
	})
}

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
	turns := f.temp(lane(code.SetTurns).and(get(stops).not()))
	out := get(stops).or(get(turns)).or(in(code.SetEnds, lane(code.SetEnds).or(get(last))))
	return out.or(in(code.SetHard, get(hard))).or(in(code.SetHardLast, get(last))).or(in(code.SetTurns, get(turns)))
}

// changed brings the sets of squares up to date where a place was held by the sets of before.
func (g *gen) changed() *fn {
	return g.function("changed", none, []kind{i32, i64}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		place := f.param(0)
		diff := f.temp(call(g.held(), get(place)).xor(get(f.param(1))))
		f.each(diff, func(b local) {
			set, colour := f.temp(get(b).shr(c32(3))), f.temp(get(b).and(c32(7)))
			i := f.temp(at16(g.mem.index, get(colour).op(opMul, c32(l.Places)).add(get(place))))
			first := f.temp(get(set).op(opMul, c32(64*t.Stride)).add(get(colour).op(opMul, c32(64*t.Words))).add(c32(64 * t.Sets)))
			flip := func() {
				at := f.temp(get(first).add(get(i)))
				addr := f.temp(get(at).shr(c32(3)))
				f.store(8, get(addr), g.mem.derived, load(i32, 8, get(addr), g.mem.derived).xor(c32(1).shl(get(at).and(c32(7)))))
			}
			flip()
			if t.Loop {
				f.when(get(i).lt(c32(code.MaxStraight)), func() {
					f.set(i, get(i).add(at32(g.mem.length, get(colour))))
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
	i := f.temp(at32(g.mem.first0, get(p)).add(get(node)))
	return f.temp(get(i).shr(c32(3))), f.temp(get(i).and(c32(7)).wide())
}

// steps is the bits of so many steps.
func steps(n local) val { return c64(-1).shr(c64(64).sub(get(n).wide())) }

// bends is what may make a walk other than straight, of the sets of squares.
func (g *gen) bends(addr, shift local) val {
	return g.window(addr, shift, code.SetHard).or(g.window(addr, shift, code.SetHardLast)).or(g.window(addr, shift, code.SetTurns))
}

// winding reports whether any walk may be other than straight.
func (g *gen) winding() bool {
	has := &g.p.Tracks.Has
	return has[code.SetHard] || has[code.SetHardLast] || has[code.SetTurns]
}

// walkers is the pieces of a set that can walk some steps. Walks that turn, and such backwards, the host follows.
func (g *gen) walkers() *fn {
	return g.function("walkers", i64, []kind{i64, i32}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		set, n := f.param(0), f.param(1)
		f.when(get(n).sub(c32(1)).op(opGeU, c32(maxWindow)), func() { f.give(g.followers(set, n)) }, nil)
		all := f.temp(steps(n))
		stopped, rest, bent := f.local(i64), f.temp(get(set)), f.local(i64)
		f.each(rest, func(p local) {
			node := f.temp(g.cellAt(l.Node, get(p)))
			stops := f.local(i64)
			f.when(get(node).lt(c32(0)), func() { f.set(stops, c64(1)) }, func() {
				addr, shift := g.ahead(p, node)
				f.set(stops, g.window(addr, shift, code.SetStops).and(get(all)))
				if t.Has[code.SetEnds] {
					f.set(stops, get(stops).or(g.window(addr, shift, code.SetEnds).shr(get(n).sub(c32(1)).wide()).and(c64(1))))
				}
				if g.winding() {
					bends := f.temp(g.bends(addr, shift).and(get(all)))
					f.when(get(bends), func() { f.set(bent, get(bent).or(bit(p))) }, nil)
				}
			})
			f.when(get(stops), func() { f.set(stopped, get(stopped).or(bit(p))) }, nil)
		})
		if g.winding() {
			f.when(get(bent), func() {
				f.set(stopped, get(stopped).and(get(bent).not()))
				f.set(set, get(set).and(get(bent).not()).or(g.followers(bent, n)))
			}, nil)
		}
		f.when(get(stopped).isZero(), func() { f.give(get(set)) }, nil)
		f.set(rest, get(stopped))
		f.each(rest, func(p local) { f.do(g.barred(), get(p), get(n)) })
		f.eval(get(set).and(get(stopped).not()))
	})
}

// followers is the pieces of a set that can walk some steps, followed by the host one by one.
func (g *gen) followers(set, n local) val {
	f := g.f
	kept := f.temp(call(g.host.followers, get(set), get(n), g.word(wPending)))
	told := func(w word) val { return load(i32, 32, f.base(), g.mem.words+8*int(w)) }
	g.setWord(wHard, g.word(wHard).or(told(wHard)))
	g.setWord(wPending, told(wPending))
	return get(kept)
}

// barred notes which clause bars a straight walk.
func (g *gen) barred() *fn {
	return g.function("barred", none, []kind{i32, i32}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		p, n := f.param(0), f.param(1)
		f.block(func(out label) {
			node := f.temp(g.cellAt(l.Node, get(p)))
			f.brIf(out, get(node).lt(c32(0)))
			addr, shift := g.ahead(p, node)
			bars := f.temp(g.window(addr, shift, code.SetStops).and(steps(n)))
			set := f.local(i32)
			f.when(get(bars).isZero(), func() {
				f.set(set, c32(1))
				f.set(bars, c64(1).shl(get(n).sub(c32(1)).wide()))
			}, func() { f.set(set, c32(0)) })
			colour := f.temp(g.colour(get(p)))
			length := f.temp(at32(g.mem.length, get(colour)))
			i := f.temp(get(node).sub(at32(g.mem.node0, get(p))).add(c32(1)).add(get(bars).lowest()))
			if t.Loop {
				f.set(i, get(i).op(opRem, get(length)))
			} else {
				f.when(get(i).ge(get(length)), func() {
					if t.Beyond >= 0 {
						g.later(c32(t.Beyond), c32(1))
					}
					f.br(out)
				}, nil)
			}
			place := at16(g.mem.tables+2*l.NodePlace, at32(g.mem.node0, get(p)).add(get(i)))
			says := f.temp(call(g.saying(), place))
			for j := range t.Judges {
				want := t.Judges[j].Set
				if want != code.SetStops && want != code.SetEnds {
					continue
				}
				speaks := get(says).shr(get(colour).wide().add(c64(int64(8 * j)))).and(c64(1)).narrow()
				f.when(get(set).eq(c32(want)).and(speaks), func() {
					g.later(c32(t.Judges[j].Counter), c32(1))
					f.br(out)
				}, nil)
			}
		})
	})
}

// walked is the node a piece comes to with a walk that is allowed, and what it leaves in the cells: the direction and the path.
func (g *gen) walked(p, n local, cells bool) local {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	node, out := f.temp(g.cellAt(l.Node, get(p))), f.local(i32)
	straight := func() {
		f.set(out, get(node).add(get(n)))
		if t.Loop {
			size := f.temp(at32(g.mem.length, g.colour(get(p))))
			f.set(out, get(out).sub(choose(get(out).sub(at32(g.mem.node0, get(p))).ge(get(size)), get(size), c32(0))))
		}
		if cells {
			g.setCell(code.CellHeading, c32(1))
			if l.Path >= 0 {
				g.straightPath(n)
			}
		}
	}
	winding := func() {
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
		f.when(g.window(addr, shift, code.SetTurns).and(steps(n)), winding, straight)
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
			f.set(same, get(set).and(bit(p).sub(c64(1))).and(at64(g.mem.derived+8*code.DerivedPlaces, place)).and(at64(g.mem.mates, get(p))))
			q := f.local(i32)
			f.block(func(out label) {
				f.loop(func(again label) {
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
					f.br(again)
				})
			})
		})
		f.eval(get(set))
	})
}

// nextTurn gives the turn to the next player still in the game, or colour: 1 if there is one.
func (g *gen) nextTurn(colours bool) *fn {
	name := "next player"
	if colours {
		name = "next colour"
	}
	return g.function(name, i32, nil, func() {
		f, l := g.f, &g.p.Layout
		n, at := l.Players, code.CellMe
		if colours {
			n, at = l.Colours, code.CellColour
		}
		x, player := f.temp(g.cell(at)), f.local(i32)
		f.times(c32(n), func(local) {
			f.set(x, get(x).add(c32(1)))
			f.set(x, choose(get(x).ge(c32(n)), c32(0), get(x)))
			f.set(player, get(x))
			if colours {
				f.set(player, at16(g.mem.tables+2*l.ColourPlayer, get(x)))
			}
			f.when(g.cellAt(l.Status, get(player)).eq(c32(code.Playing)), func() {
				g.setCell(code.CellMe, get(player))
				if colours {
					g.setCell(code.CellColour, get(x))
				}
				f.give(c32(1))
			}, nil)
		})
		f.eval(c32(0))
	})
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
		f.block(func(out label) {
			f.loop(func(again label) {
				f.brIf(out, get(i).ge(get(n)))
				f.brIf(out, g.pathAt(get(i)).eq(c32(code.PathTurn)))
				f.set(next, load(i32, 16, get(ways).add(get(node).shl(c32(1))), g.mem.tables))
				left := at16(g.mem.tables+2*table, get(node)).and(c32(1))
				entered := at16(g.mem.tables+2*table, get(next)).and(c32(2))
				f.brIf(out, left.or(entered))
				f.set(node, get(next))
				g.setCell(code.CellHeading, get(heading))
				f.set(i, get(i).add(c32(1)))
				f.br(again)
			})
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
			f.block(func(out label) {
				f.loop(func(again label) {
					f.brIf(out, get(j).isZero())
					f.set(before, get(j).sub(c32(1)))
					f.brIf(out, read(keys, before).op(opLeS, get(k)))
					write(keys, j, read(keys, before))
					write(values, j, read(values, before))
					f.set(j, get(before))
					f.br(again)
				})
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
