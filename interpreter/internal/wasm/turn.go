package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Walks that turn, and such backwards, are followed square by square.

// What follow gives beside a node times 4.
const (
	walkEnds = 1  // the walk leads there
	walkBack = 2  // its last step is backwards
	walkHard = -1 // the sets cannot tell
)

// maxTurns is how often a walk may turn before it is left to the plain form: what clauses say of all pieces together is counted in bytes.
func (g *gen) maxTurns() int { return min(6, 255/g.p.Layout.Pieces-1) }

// follow walks a piece: piece, steps, backwards where they are below 0 → where it comes to and how, 0 where it comes nowhere, walkHard where
// the sets cannot tell. Without trace what the clauses have said goes to wTold and wBeyond; with it the path goes to the state.
func (g *gen) follow(trace bool) *fn {
	name := "follow"
	if trace {
		name = "trace"
	}
	return g.function(name, i32, []kind{i32, i32}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		p, n := f.param(0), f.param(1)
		first, size := f.temp(g.firstNode(get(p))), f.temp(g.nodes(get(p)))
		own := f.temp(g.cellAt(l.Node, get(p)))
		f.when(get(own).lt(c32(0)).or(get(n).isZero()), func() { f.give(c32(0)) }, nil)
		f.set(own, get(own).sub(get(first)))
		at, back := f.temp(get(own)), f.temp(get(n).lt(c32(0)))
		left := f.temp(choose(get(back), c32(0).sub(get(n)), get(n)))
		hard := func(cond val) { f.when(cond, func() { f.give(c32(walkHard)) }, nil) }
		hard(get(left).op(opGtS, c32(code.MaxStraight)))
		taken, turned, turns, next, said := f.temp(c32(0)), f.temp(c32(0)), f.temp(c32(0)), f.local(i32), f.local(i32)
		told, beyond, path := f.temp(c64(0)), f.temp(c32(0)), newTrail(g, trace)
		speak := func(set int) {
			if !trace {
				g.tell(set, p, next, own, first, size, told, beyond, hard)
			}
		}
		give := func(v val) {
			if trace {
				path.end()
			} else {
				g.setWord(wTold, g.word(wTold).add(get(told)))
				g.setWord(wBeyond, g.word(wBeyond).add(get(beyond)))
			}
			f.give(v)
		}
		in := func(sets ...int) val {
			bits := 0
			for _, set := range sets {
				bits |= 1 << set
			}
			return get(said).and(c32(bits))
		}
		f.repeat(func(again, out label) {
			f.brIf(out, get(left).isZero())
			if !t.Loop {
				hard(get(back).and(get(at).lt(get(left))))
			}
			f.set(next, get(at).add(c32(1)).sub(get(back).shl(c32(1))))
			if t.Loop {
				f.set(next, choose(get(next).lt(c32(0)), get(next).add(get(size)), get(next)))
				f.set(next, choose(get(next).ge(get(size)), get(next).sub(get(size)), get(next)))
			}
			f.set(said, load(i32, 8, get(first).add(get(next)), g.mem.squares))
			f.when(get(turns).ne(c32(0)).and(get(next).eq(get(own))), func() { g.absent(p, said, hard) }, nil)
			f.when(get(left).op(opGtS, c32(1)), func() { f.set(said, get(said).and(c32(^(1<<code.SetEnds | 1<<code.SetHardLast)))) }, nil)
			f.when(in(code.SetStops, code.SetEnds).isZero(), func() {
				f.set(at, get(next))
				f.set(taken, c32(1))
				f.set(turned, c32(0))
				f.set(left, get(left).sub(c32(1)))
				path.push(1)
				f.br(again)
			}, nil)
			hard(in(code.SetHard, code.SetHardLast))
			f.when(in(code.SetStops, code.SetTurns).eq(c32(1<<code.SetStops)), func() {
				speak(code.SetStops)
				give(c32(0))
			}, nil)
			f.when(in(code.SetEnds), func() {
				speak(code.SetEnds)
				give(c32(0))
			}, nil)
			speak(code.SetTurns)
			path.push(code.PathTurn)
			f.set(back, c32(1).sub(get(back)))
			f.set(turns, get(turns).add(c32(1)))
			hard(get(turns).op(opGtS, c32(g.maxTurns())))
			f.brIf(out, get(turned)) // twice with no step between: there it ends
			f.set(turned, c32(1))
		})
		if t.Early { // may it end there?
			hard(get(taken).and(get(left).op(opGtS, c32(0))))
		}
		node := get(first).add(get(at)).shl(c32(2))
		give(choose(get(taken), node.add(get(back).shl(c32(1))).add(c32(walkEnds)), c32(0)))
	})
}

// absent makes what holds a piece's own square what would hold it without the piece.
func (g *gen) absent(p, said local, hard func(cond val)) {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	place := f.temp(g.cellAt(l.At, get(p)))
	count := f.temp(g.cellAt(l.Count, get(place)))
	hard(get(count).op(opGtS, c32(2)))
	other, head := f.local(i32), f.temp(g.cellAt(l.Head, get(place)))
	f.set(other, choose(get(head).eq(get(p)), g.cellAt(l.Tail, get(place)), get(head)))
	key := choose(get(count).eq(c32(1)), c32(0), g.colour(get(other)).add(c32(1)))
	holds := at64(g.mem.table, get(place).op(opMul, c32(t.Keys)).add(key))
	f.set(said, holds.shr(g.colour(get(p)).shl(c32(3)).wide()).narrow().and(c32(255)))
}

// tell notes the clause that says something of the square at an index, as which a set holds it.
func (g *gen) tell(set int, p, at, own, first, size, told, beyond local, hard func(cond val)) {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	f.block(func(out label) {
		if !t.Loop {
			f.when(get(at).op(opGeU, get(size)), func() {
				if t.Beyond >= 0 {
					f.set(beyond, get(beyond).add(c32(1)))
				}
				f.br(out)
			}, nil)
		}
		note := func(j int) { f.set(told, get(told).add(c64(1<<(8*j)))) }
		judges := g.judges(set)
		if len(judges) == 1 {
			note(judges[0])
			return
		}
		hard(get(at).eq(get(own))) // where the piece itself stands in the way of the answer
		place := g.at16(g.mem.tables+2*l.NodePlace, get(first).add(get(at)))
		says := f.temp(call(g.saying(), place).shr(g.colour(get(p)).wide()))
		for _, j := range judges {
			f.when(get(says).shr(c64(int64(8*j))).and(c64(1)), func() {
				note(j)
				f.br(out)
			}, nil)
		}
	})
}

// judges are the clauses that speak as a set says.
func (g *gen) judges(set int) []int {
	var out []int
	for j := range g.p.Tracks.Judges {
		if g.p.Tracks.Judges[j].Set == set {
			out = append(out, j)
		}
	}
	return out
}

// trail writes the path of a walk to the state while it is followed: a code of 4 bits for each step.
type trail struct {
	g                *gen
	on               bool
	word             local // of 16 steps, being filled
	length, last, to local
}

func newTrail(g *gen, on bool) *trail {
	x := &trail{g: g, on: on && g.p.Layout.Path >= 0}
	if f := g.f; x.on {
		x.word, x.length, x.last, x.to = f.temp(c64(0)), f.temp(c32(0)), f.temp(g.cell(code.CellPathLast)), f.temp(c32(0))
		for w := code.MaxPath/16 - 1; w >= 0; w-- { // the highest address first
			f.store(64, f.base(), g.mem.state+2*g.p.Layout.Path+8*w, c64(0))
		}
	}
	return x
}

// push adds a step, or a turn.
func (x *trail) push(step int) {
	if !x.on {
		return
	}
	f := x.g.f
	if step != 0 {
		f.set(x.word, get(x.word).or(c64(int64(step)).shl(get(x.length).and(c32(15)).shl(c32(2)).wide())))
		f.set(x.last, get(x.length))
	}
	f.set(x.length, get(x.length).add(c32(1)))
	f.when(get(x.length).and(c32(15)).isZero(), func() {
		x.store()
		f.set(x.to, get(x.to).add(c32(8)))
		f.set(x.word, c64(0))
	}, nil)
}

func (x *trail) store() { x.g.f.store(64, get(x.to), x.g.mem.state+2*x.g.p.Layout.Path, get(x.word)) }

// end writes what is not written yet.
func (x *trail) end() {
	if x.on {
		x.store()
		x.g.setCell(code.CellPathLen, get(x.length))
		x.g.setCell(code.CellPathLast, get(x.last))
	}
}

// laterOften counts for a clause that may speak so often of each piece when it is settled that the options are rows.
func (g *gen) laterOften(counter int, n val, often int) {
	g.waits[counter] += often - 1
	g.later(counter, n)
}

// followers is the pieces of a set that can walk some steps, followed one by one.
func (g *gen) followers(set, n local) val {
	f, t := g.f, g.p.Tracks
	kept := f.temp(c64(0))
	g.setWord(wTold, c64(0))
	g.setWord(wBeyond, c32(0))
	rest := f.temp(get(set))
	f.each(rest, func(p local) {
		comes := f.temp(call(g.follow(false), get(p), get(n)))
		one := get(rest).and(c64(0).sub(get(rest)))
		f.when(get(comes).lt(c32(0)), g.trouble, nil)
		f.set(kept, get(kept).or(choose(get(comes), one, c64(0))))
	})
	often := 1
	if t.Has[code.SetTurns] {
		often += g.maxTurns()
	}
	for j := range t.Judges {
		g.laterOften(t.Judges[j].Counter, g.word(wTold).shr(c64(int64(8*j))).and(c64(255)), often)
	}
	if t.Beyond >= 0 {
		g.laterOften(t.Beyond, g.word(wBeyond), often)
	}
	return get(kept)
}
