package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// firstNode is the first node of a piece's track, and nodes how many it has.
func (g *gen) firstNode(p val) val {
	return g.evenly(p, at32(g.mem.node0, p), func(q int) int { return g.p.Tracks.Walker[q].Node })
}

func (g *gen) nodes(p val) val {
	return g.evenly(p, at32(g.mem.length, p), func(q int) int { return g.p.Tracks.Walker[q].End - g.p.Tracks.Walker[q].Node })
}

// key is what stands on a place as a number, see vm.Machine; -1 for more than is tabulated.
func (g *gen) key(place local) local {
	f, l := g.f, &g.p.Layout
	at := g.cells(place)
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
			f.when(g.at16(g.mem.square+2*colour*l.Places, get(place)), func() {
				g.setCell(code.CellP0, c32(colour*l.PerColour))
				for j := range t.Judges {
					f.when(call(g.entry(t.Judges[j].Entry)), func() {
						f.set(says, get(says).or(c64(1<<(8*j+colour))))
						f.set(holds, get(holds).or(c64(int64(code.In(t.Judges[j].Set)<<(8*colour)))))
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
	set := func(n int) val { return get(holds).shr(c64(int64(n))).and(c64(code.Every)) }
	in := func(n int, v val) val { return v.shl(c64(int64(n))) }
	bars, hard, last := f.temp(set(code.SetStops)), f.temp(set(code.SetHard)), f.temp(set(code.SetHardLast))
	turns := f.temp(set(code.SetTurns).and(get(bars).not()))
	out := in(code.SetStops, get(bars).or(get(hard)).or(get(turns))).or(in(code.SetEnds, set(code.SetEnds).or(get(last))))
	return out.or(in(code.SetHard, get(hard))).or(in(code.SetHardLast, get(last))).or(in(code.SetTurns, get(turns)))
}

// heldNow is which sets hold a place. Unless it is loud, they are those that hold it when it is empty.
func (g *gen) heldNow(place local, loud val) val {
	f, t := g.f, g.p.Tracks
	holds := f.temp(c64(0))
	f.when(loud, func() { f.set(holds, call(g.held(), get(place))) }, func() {
		for p := range g.p.Layout.Places {
			if t.Holds[p*t.Keys] != 0 {
				f.set(holds, at64(g.mem.resting, get(place)))
				return
			}
		}
	})
	return get(holds)
}

// noteChanged brings the sets of squares up to date where a place was held by the sets of before.
func (g *gen) noteChanged(place, before local, loud val) {
	f := g.f
	f.set(before, get(before).xor(g.heldNow(place, loud)))
	f.when(get(before), func() { f.do(g.changed(), get(place), get(before)) }, nil)
}

// changed turns what holds a place in some of the sets: place, colour and set, as in code.Tracks.Holds. Where the place is not on a
// colour's track nothing of that is turned.
func (g *gen) changed() *fn {
	return g.function("changed", none, []kind{i32, i64}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		at, diff := f.temp(get(f.param(0)).shl(c32(1))), f.param(1)
		for colour := l.Colours - 1; colour >= 0; colour-- { // the highest address first
			i := f.temp(load(i32, 16, get(at), g.mem.square+2*colour*l.Places))
			turned := f.temp(get(diff).shr(c64(int64(8 * colour))).narrow())
			flip := func(more int) {
				at := g.mem.squares + more
				f.store(8, get(i), at, load(i32, 8, get(i), at).xor(get(turned)))
			}
			if t.Loop {
				f.when(get(i).lt(c32(t.Base[colour]+code.MaxStraight)), func() { flip(t.Length[colour]) }, nil)
			}
			flip(0)
		}
	})
}

// shown is the squares from a node on: code.Ahead of them.
func (g *gen) shown(i val) val { return load(i64, 64, i, g.mem.squares) }

// way is what stops a walk, see code.Way, of no more than code.Ahead steps.
func (g *gen) way(n local) val { return at64(g.mem.ways, get(n)) }

// short is the same for a walk of one step at least, without a look at the memory.
func short(n local) val {
	return c64(int64(code.Way(code.Ahead))).shr(get(n).wide().op(opMul, c64(-8)))
}

// upTo is whether a number is from 1 to most.
func upTo(n local, most int) val { return get(n).sub(c32(1)).op(opLtU, c32(most)) }

// after is the node after a node, also after that of a piece off its track.
func after(node local) val { return get(node).add(c32(1)) }

// met is where on the next squares something stops a walk: node, steps → how many it goes before that, no fewer than all where
// nothing does.
func (g *gen) met() *fn {
	return g.function("met", i32, []kind{i32, i32}, func() {
		f := g.f
		at, n := f.param(0), f.param(1)
		gone, left, stops := f.temp(c32(0)), f.local(i32), f.local(i64)
		f.repeat(func(_, out label) {
			f.brIf(out, get(gone).ge(get(n)))
			f.set(left, get(n).sub(get(gone)))
			f.set(left, choose(get(left).op(opGtS, c32(code.Ahead)), c32(code.Ahead+1), get(left)))
			f.set(stops, g.shown(get(at).add(get(gone))).and(g.way(left)))
			f.when(get(stops), func() { f.give(get(gone).add(get(stops).lowest().shr(c32(3)))) }, nil)
			f.set(gone, get(gone).add(c32(code.Ahead)))
		})
		f.eval(get(gone))
	})
}

// walkers leaves in a set, that an expression gave, the pieces that can walk some steps. Walks that turn, and such backwards, are
// followed.
func (g *gen) walkers(set, n local, of *ir.Expr) {
	f, t, l := g.f, g.p.Tracks, &g.p.Layout
	f.block(func(out label) {
		stopped := f.temp(c64(0))
		f.when(upTo(n, code.Ahead), func() { g.stopped(set, stopped, n, of, 1) }, func() {
			f.when(upTo(n, code.MaxStraight), nil, func() {
				f.set(set, g.followers(set, n))
				f.br(out)
			})
			f.when(upTo(n, maxLooks*code.Ahead), func() { g.stopped(set, stopped, n, of, maxLooks) }, func() {
				rest := f.temp(get(set))
				f.each(rest, func(p local) {
					node := f.temp(g.cellAt(l.Node, get(p)))
					stops := call(g.met(), after(node), get(n)).lt(get(n))
					f.set(stopped, get(stopped).or(stops.wide().shl(get(p).wide())))
				})
			})
		})
		f.brIf(out, get(stopped).isZero())
		f.set(set, get(set).xor(get(stopped)))
		if t.Has[code.SetTurns] || t.Has[code.SetHardLast] {
			f.set(set, get(set).or(g.followers(stopped, n)))
			return
		}
		f.each(stopped, func(p local) { g.barred(p, n) })
	})
}

// maxTogether is how many pieces of a colour are looked at all together, whether they are in a set or not.
const maxTogether = 4

// maxLooks is how many looks ahead are taken one beside the other.
const maxLooks = 3

// stopped finds the pieces of a set that something stops on the next squares, no more than some looks show. Who is stopped
// cannot be foreseen, nor how many there are: so where they are of one colour there is no branch.
func (g *gen) stopped(set, stopped, n local, of *ir.Expr, looks int) {
	f, l := g.f, &g.p.Layout
	ways := []local{f.temp(c64(code.Every << code.SetStops))}
	if looks == 1 {
		ways[0] = f.temp(short(n))
	}
	for k := 1; k < looks; k++ { // none is left, all are on the way, or the walk ends there
		left := f.temp(get(n).sub(c32(code.Ahead * k)))
		f.set(left, choose(get(left).op(opGtS, c32(code.Ahead)), c32(code.Ahead+1), get(left)))
		ways = append(ways, f.temp(g.way(f.temp(get(left).and(get(left).op(opShrS, c32(31)).not())))))
	}
	free := func(node local) val { // 0 or 1: of no bits the lowest has the number 64
		if looks == 1 {
			return ctz(g.shown(after(node)).and(get(ways[0]))).shr(c64(6))
		}
		at := f.temp(after(node))
		out := c64(0)
		for k := looks - 1; k >= 0; k-- { // the highest address first
			out = load(i64, 64, get(at), g.mem.squares+code.Ahead*k).and(get(ways[k])).or(out)
		}
		return ctz(out).shr(c64(6))
	}
	if l.PerColour > maxTogether {
		rest := f.temp(get(set))
		f.each(rest, func(p local) {
			node := f.temp(g.cellAt(l.Node, get(p)))
			f.set(stopped, get(stopped).or(free(node).xor(c64(1)).shl(get(p).wide())))
		})
		return
	}
	together := func(begin local) {
		at := f.temp(get(begin).shl(c32(1)))
		some := f.local(i64)
		for p := l.PerColour - 1; p >= 0; p-- { // the highest address first
			one := free(f.temp(load(i32, 16, get(at), g.mem.state+2*(l.Node+p))))
			if p < l.PerColour-1 {
				one = get(some).shl(c64(1)).or(one)
			}
			f.set(some, one)
		}
		f.set(stopped, get(some).xor(c64(1<<l.PerColour-1)).shl(get(begin).wide()).and(get(set)).or(get(stopped)))
	}
	if begin, ok := g.ofOne(of); ok {
		together(begin)
		return
	}
	rest := f.temp(get(set))
	f.repeat(func(_, out label) { // colour by colour
		f.brIf(out, get(rest).isZero())
		begin := f.temp(g.colour(get(rest).lowest()).op(opMul, c32(l.PerColour)))
		together(begin)
		f.set(rest, get(rest).and(c64(1<<l.PerColour-1).shl(get(begin).wide()).not()))
	})
}

// barred notes which clause bars a straight walk.
func (g *gen) barred(p, n local) {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	f.block(func(out label) {
		node := f.temp(g.cellAt(l.Node, get(p)))
		f.brIf(out, get(node).lt(c32(0)))
		next := f.temp(after(node))
		gone, said := f.local(i32), f.local(i32)
		f.when(upTo(n, code.Ahead), func() {
			ahead := f.temp(g.shown(get(next)))
			at := f.temp(get(ahead).and(short(n)).lowest().and(c32(^7)))
			f.set(gone, get(at).shr(c32(3)))
			f.set(said, get(ahead).shr(get(at).wide()).narrow().and(c32(255)))
		}, func() {
			f.set(gone, call(g.met(), get(next), get(n)))
			f.set(said, load(i32, 8, get(next).add(get(gone)), g.mem.squares))
		})
		if t.Has[code.SetHard] {
			hard := get(said).and(c32(1<<code.SetStops | 1<<code.SetHard)).eq(c32(1<<code.SetStops | 1<<code.SetHard))
			f.when(hard, g.trouble, nil)
		}
		length := f.temp(g.nodes(get(p)))
		i := f.temp(get(node).sub(g.firstNode(get(p))).add(c32(1)).add(get(gone)))
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
		place := f.temp(g.at16(g.mem.tables+2*l.NodePlace, g.firstNode(get(p)).add(get(i))))
		stops := get(said).and(c32(1 << code.SetStops))
		f.when(stops, func() { g.speak(code.SetStops, p, place) }, func() { g.speak(code.SetEnds, p, place) })
	})
}

// speak notes the first judge that holds a place in a set; where there is but one it must be that.
func (g *gen) speak(set int, p, place local) {
	f := g.f
	judges := g.judges(set)
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
		comes := f.temp(call(g.follow(true), get(p), get(n)))
		f.when(get(comes).lt(c32(0)), f.trap, nil) // it has been followed before
		f.set(out, get(comes).op(opShrS, c32(2)))
		if cells {
			g.setCell(code.CellHeading, c32(1).sub(get(comes).and(c32(walkBack))))
		}
	}
	if !t.Has[code.SetTurns] {
		f.when(upTo(n, code.MaxStraight), straight, winding)
		return out
	}
	f.when(upTo(n, code.Ahead), func() {
		f.when(g.shown(after(node)).and(g.turning(n)), winding, straight)
	}, winding)
	return out
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
			left := g.at16(g.mem.tables+2*table, get(node)).and(c32(1))
			entered := g.at16(g.mem.tables+2*table, get(next)).and(c32(2))
			f.brIf(out, left.or(entered))
			f.set(node, get(next))
			g.setCell(code.CellHeading, get(heading))
			f.set(i, get(i).add(c32(1)))
		})
		f.eval(get(i).or(get(node).shl(c32(16))))
	})
}

// turning is where on the next squares, no more than code.Ahead, a walk of so many steps may turn.
func (g *gen) turning(n local) val {
	return short(n).and(c64(code.Every << code.SetStops)).shl(c64(code.SetTurns - code.SetStops))
}
