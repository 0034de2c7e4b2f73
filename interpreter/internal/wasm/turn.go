package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Walks that turn, and such walks backwards, are followed square by square.

// Flags in the result of follow, below the node.
const (
	walkEnds = 1  // the walk is permitted
	walkBack = 2  // its last step is backwards
	walkHard = -1 // the track sets are not exact here
)

// maxTurns is how often a walk may turn before the plain form takes over: the counts of a clause for all pieces must fit a byte.
func (g *gen) maxTurns() int { return min(6, 255/g.p.Layout.Pieces-1) }

// follow walks a piece: parameters piece and steps, backwards if negative. The result is node*4 with flags, 0 if the walk is not permitted,
// walkHard if the track sets are not exact. Without trace it adds the counts of the clauses to wClauseCounts and wBeyondCounts; with trace
// it writes the path to the state.
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
		f.when(get(own).lt(c32(0)).or(get(n).isZero()), func() { f.ret(c32(0)) }, nil)
		f.set(own, get(own).sub(get(first)))
		at, back := f.temp(get(own)), f.temp(get(n).lt(c32(0)))
		left := f.temp(choose(get(back), c32(0).sub(get(n)), get(n)))
		hard := func(cond val) { f.when(cond, func() { f.ret(c32(walkHard)) }, nil) }
		hard(get(left).op(opGtS, c32(code.MaxStraight)))
		taken, turned, turns, next, squareSets := f.temp(c32(0)), f.temp(c32(0)), f.temp(c32(0)), f.local(i32), f.local(i32)
		clauseCounts, beyond, path := f.temp(c64(0)), f.temp(c32(0)), newPathWriter(g, trace)
		noteSet := func(set int) {
			if !trace {
				g.noteClause(set, p, next, own, first, size, clauseCounts, beyond, hard)
			}
		}
		give := func(v val) {
			if trace {
				path.end()
			} else {
				g.setWord(wClauseCounts, g.word(wClauseCounts).add(get(clauseCounts)))
				g.setWord(wBeyondCounts, g.word(wBeyondCounts).add(get(beyond)))
			}
			f.ret(v)
		}
		in := func(sets ...int) val {
			bits := 0
			for _, set := range sets {
				bits |= 1 << set
			}
			return get(squareSets).and(c32(bits))
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
			f.set(squareSets, load(i32, 8, get(first).add(get(next)), g.mem.squares))
			f.when(get(turns).ne(c32(0)).and(get(next).eq(get(own))), func() { g.setsWithout(p, squareSets, hard) }, nil)
			f.when(get(left).op(opGtS, c32(1)), func() { f.set(squareSets, get(squareSets).and(c32(^(1<<code.SetEnds | 1<<code.SetHardLast)))) }, nil)
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
				noteSet(code.SetStops)
				give(c32(0))
			}, nil)
			f.when(in(code.SetEnds), func() {
				noteSet(code.SetEnds)
				give(c32(0))
			}, nil)
			noteSet(code.SetTurns)
			path.push(code.PathTurn)
			f.set(back, c32(1).sub(get(back)))
			f.increment(turns)
			hard(get(turns).op(opGtS, c32(g.maxTurns())))
			f.brIf(out, get(turned)) // two turns without a step between: the walk ends
			f.set(turned, c32(1))
		})
		if t.Early { // the walk may end here
			hard(get(taken).and(get(left).op(opGtS, c32(0))))
		}
		node := get(first).add(get(at)).shl(c32(2))
		give(choose(get(taken), node.add(get(back).shl(c32(1))).add(c32(walkEnds)), c32(0)))
	})
}

// setsWithout replaces the sets of a piece's own square by those that the square has without the piece.
func (g *gen) setsWithout(p, squareSets local, hard func(cond val)) {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	place := f.temp(g.cellAt(l.At, get(p)))
	count := f.temp(g.cellAt(l.Count, get(place)))
	hard(get(count).op(opGtS, c32(2)))
	other, head := f.local(i32), f.temp(g.cellAt(l.Head, get(place)))
	f.set(other, choose(get(head).eq(get(p)), g.cellAt(l.Tail, get(place)), get(head)))
	key := choose(get(count).eq(c32(1)), c32(0), g.colour(get(other)).add(c32(1)))
	holds := at64(g.mem.setTable, get(place).op(opMul, c32(t.Keys)).add(key))
	f.set(squareSets, holds.shr(g.colour(get(p)).shl(c32(3)).wide()).narrow().and(c32(255)))
}

// noteClause counts the clause that puts the square at an index into a set.
func (g *gen) noteClause(set int, p, at, own, first, size, clauseCounts, beyond local, hard func(cond val)) {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	f.block(func(out label) {
		if !t.Loop {
			f.when(get(at).op(opGeU, get(size)), func() {
				if t.Beyond >= 0 {
					f.increment(beyond)
				}
				f.br(out)
			}, nil)
		}
		place := func() val {
			hard(get(at).eq(get(own))) // the answer would depend on the piece itself
			return g.at16(g.mem.tables+2*l.NodePlace, get(first).add(get(at)))
		}
		g.firstJudge(set, p, place, func(j int) { f.set(clauseCounts, get(clauseCounts).add(c64(1<<(8*j)))) })
	})
}

// pathWriter writes the path of a walk to the state while it is followed: 4 bits for each step.
type pathWriter struct {
	g                *gen
	on               bool
	word             local // 16 steps, being filled
	length, last, to local
}

func newPathWriter(g *gen, on bool) *pathWriter {
	x := &pathWriter{g: g, on: on && g.p.Layout.Path >= 0}
	if f := g.f; x.on {
		x.word, x.length, x.last, x.to = f.temp(c64(0)), f.temp(c32(0)), f.temp(g.cell(code.CellPathLast)), f.temp(c32(0))
		for w := code.MaxPath/16 - 1; w >= 0; w-- { // highest address first: one bounds check
			f.store(64, f.base(), g.mem.state+2*g.p.Layout.Path+8*w, c64(0))
		}
	}
	return x
}

// push appends a step, or a turn.
func (x *pathWriter) push(step int) {
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

func (x *pathWriter) store() {
	x.g.f.store(64, get(x.to), x.g.mem.state+2*x.g.p.Layout.Path, get(x.word))
}

// end writes the last word.
func (x *pathWriter) end() {
	if x.on {
		x.store()
		x.g.setCell(code.CellPathLen, get(x.length))
		x.g.setCell(code.CellPathLast, get(x.last))
	}
}

// fireLaterUpTo is fireLater for a clause that may apply up to often times to each piece.
func (g *gen) fireLaterUpTo(counter int, n val, often int) {
	g.pending[counter] += often - 1
	g.fireLater(counter, n)
}

// followers keeps the pieces of a set whose walk is permitted; each walk is followed.
func (g *gen) followers(set, n local) val {
	f, t := g.f, g.p.Tracks
	kept := f.temp(c64(0))
	g.setWord(wClauseCounts, c64(0))
	g.setWord(wBeyondCounts, c32(0))
	rest := f.temp(get(set))
	f.each(rest, func(p local) {
		end := f.temp(call(g.follow(false), get(p), get(n)))
		one := get(rest).and(c64(0).sub(get(rest)))
		f.when(get(end).lt(c32(0)), g.fault, nil)
		f.set(kept, get(kept).or(choose(get(end), one, c64(0))))
	})
	often := 1
	if t.Has[code.SetTurns] {
		often += g.maxTurns()
	}
	for j := range t.Judges {
		g.fireLaterUpTo(t.Judges[j].Counter, g.word(wClauseCounts).shr(c64(int64(8*j))).and(c64(255)), often)
	}
	if t.Beyond >= 0 {
		g.fireLaterUpTo(t.Beyond, g.word(wBeyondCounts), often)
	}
	return get(kept)
}
