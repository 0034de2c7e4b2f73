package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// decision lowers a choice between rows of sets: compute the rows, draw an option, take it. If the sets are not exact, the plain form does
// this.
func (g *gen) decision(s *ir.Stmt) {
	f := g.f
	f.block(func(taken label) {
		f.block(func(nothing label) {
			f.block(func(slow label) { g.rows(s, taken, nothing, slow) })
			g.discardPending()
			g.body(s.Else)
			f.br(taken)
		})
		g.body(s.Body)
	})
}

// draw emits a uniform random choice of one of n options. A single option has number 0 and consumes no random number. The test for several
// options is unpredictable, so the code has no branch.
func (g *gen) draw(n local) local {
	f := g.f
	several := f.temp(c64(1).sub(get(n)).op(opShrS, c64(63))) // a mask: all bits set, or none
	i := f.temp(part(g.word(wNext), get(n)))
	g.mix(get(several).and(c64(gamma)))
	g.countDecision(get(several).narrow())
	return i
}

// maxFuel is the number of loop iterations allowed between two nodes. The interpreter counts more kinds of jumps, so this limit is far
// below its own. A game that runs out of fuel here is played by the interpreter, whose limit decides.
const maxFuel = code.MaxFuel / 4

// refuel resets the fuel at a node.
func (g *gen) refuel() { g.setWord(wFuel, c32(maxFuel)) }

// tooLong hands a game that exceeds a limit to the interpreter.
func (g *gen) tooLong() {
	g.f.do(g.function("too long", none, nil, func() { g.f.store(32, g.f.base(), g.mem.word(wLong), c32(1)) }))
	g.f.trap()
}

// row is a row of options during the choice.
type row struct {
	*code.Row
	set, count        local // 64 bits
	to, steps, number *ir.Expr
}

// rows computes the rows and takes one of their options. It branches to taken afterwards, to nothing if there are no options, and to slow
// if the sets are not exact.
func (g *gen) rows(s *ir.Stmt, taken, nothing, slow label) {
	f, e := g.f, s.A
	g.pending = map[int]int{}
	g.inTry = &slow
	if e.Op == ir.Do {
		g.exprBody(e.Body)
		e = e.A
	}
	list := make([]row, len(g.p.Rows[e.K].Rows))
	for i := range list {
		a := e.Args[4*i:]
		r := &list[i]
		*r = row{Row: &g.p.Rows[e.K].Rows[i], set: f.temp(g.expr(a[0]).wide()), to: a[1], steps: a[2], number: a[3]}
		for j := range i {
			if q := &list[j]; q.Move == r.Move && (q.Colour == r.Colour || q.Colour < 0 || r.Colour < 0) { // both rows may offer the same option
				both := get(q.set).ne(c64(0)).and(get(r.set).ne(c64(0)))
				f.brIf(slow, both.and(g.expr(q.steps).eq(g.expr(r.steps))))
			}
		}
	}
	g.inTry = nil
	crowd, all := f.temp(g.derived(code.DerivedCrowd)), get(list[0].set)
	for _, r := range list[1:] {
		all = all.or(get(r.set))
	}
	f.when(all.and(get(crowd)), func() { // the first of several interchangeable pieces represents all
		for _, r := range list {
			f.when(get(r.set).and(get(crowd)), func() { f.set(r.set, call(g.firsts(), get(r.set))) }, nil)
		}
	}, nil)
	for i := range list {
		list[i].count = f.temp(get(list[i].set).ones())
	}
	sum := get(list[0].count)
	for _, r := range list[1:] {
		sum = sum.add(get(r.count))
	}
	count := f.temp(sum)
	g.commitPending()
	f.brIf(nothing, get(count).isZero())
	i := g.draw(count)
	for n := 0; n < len(list); {
		end := n + 1
		for list[n].Group != 0 && end < len(list) && list[end].Group == list[n].Group {
			end++
		}
		if end > n+1 {
			g.takeOfGroup(list[n:end], i, taken)
		} else {
			g.takeOfRow(&list[n], i, taken, n == len(list)-1)
		}
		n = end
	}
	f.br(taken)
}

// takeOfRow takes option i if the row has more than i options; otherwise it subtracts the row's count from i.
func (g *gen) takeOfRow(r *row, i local, taken label, last bool) {
	f := g.f
	choose := func() { g.takeOption(r, g.nth(r.set, i)) }
	if last {
		choose()
		return
	}
	f.when(get(i).lt(get(r.count)), func() {
		choose()
		f.br(taken)
	}, nil)
	f.set(i, get(i).sub(get(r.count)))
}

// nth emits the number of the i-th set bit of a set; it consumes i. The position is unpredictable, so the first three steps have no branch.
func (g *gen) nth(set, i local) local {
	f := g.f
	left := f.temp(get(set))
	for k := range 3 { // clears the lowest bit if i > k: the operand of the AND is then left-1, otherwise left
		less := c64(int64(k)).sub(get(i)).op(opShrS, c64(63))
		f.set(left, get(left).and(less.add(get(left))))
	}
	f.repeat(func(_, out label) {
		f.brIf(out, get(i).op(opLeS, c64(3)))
		f.set(left, withoutLowest(left))
		f.set(i, get(i).sub(c64(1)))
	})
	return f.temp(get(left).lowest())
}

// takeOfGroup takes option i of rows that form one list, ordered by piece and then by row.
func (g *gen) takeOfGroup(rows []row, i local, taken label) {
	f := g.f
	all := f.temp(get(rows[0].set))
	for _, r := range rows[1:] {
		f.set(all, get(all).or(get(r.set)))
	}
	f.each(all, func(p local) {
		for n := range rows {
			r := &rows[n]
			f.when(get(r.set).shr(get(p).wide()).and(c64(1)), func() {
				f.when(get(i).isZero(), func() {
					g.takeOption(r, p)
					f.br(taken)
				}, nil)
				f.set(i, get(i).sub(c64(1)))
			}, nil)
		}
	})
}

// takeOption writes the option of a piece to the state.
func (g *gen) takeOption(r *row, p local) {
	f, l := g.f, &g.p.Layout
	steps := f.temp(g.expr(r.steps).narrow())
	walk, node, to := f.local(i32), f.local(i32), f.local(i32)
	f.set(walk, c32(0))
	f.set(node, c32(-1))
	switch r.Kind {
	case code.RowWalk:
		f.set(walk, g.expr(r.number))
		f.set(node, get(g.walked(p, walk, true)))
		f.set(to, g.at16(g.mem.tables+2*l.NodePlace, get(node)))
	case code.RowTo:
		f.set(to, g.expr(r.to))
		f.set(node, g.at16(g.mem.tables+2*l.NodeAt, g.colour(get(p)).op(opMul, c32(l.Places)).add(get(to))))
	case code.RowStay:
		f.set(node, g.cellAt(l.Node, get(p)))
		f.set(to, g.cellAt(l.At, get(p)))
	case code.RowNone:
		f.set(to, g.cellAt(l.At, get(p)))
	}
	for _, c := range []struct {
		cell int
		v    val
	}{
		{code.CellMove, c32(r.Move)}, {code.CellP0, get(p)}, {code.CellP1, c32(-1)}, {code.CellP2, c32(-1)}, {code.CellP3, c32(-1)},
		{code.CellTo, get(to)}, {code.CellNode, get(node)}, {code.CellNumber, c32(0)}, {code.CellSteps, get(steps)},
		{code.CellWalk, get(walk)},
	} {
		g.setCell(c.cell, c.v)
	}
	g.fire(r.Clause)
	if r.Kind != code.RowWalk {
		g.setCell(code.CellHeading, c32(1))
		if l.Path >= 0 {
			g.straightPath(walk)
		}
	}
}

// straightPath writes the path of a walk without turns: 4 bits for each step, 16 steps in a word.
func (g *gen) straightPath(walk local) {
	f, l := g.f, &g.p.Layout
	const words, straight = code.MaxPath / 16, code.MaxStraight / 16
	for w := range words {
		bits := c64(0)
		if w < straight {
			left := f.temp(get(walk).sub(c32(16 * w)))
			some := f.temp(c64(0x1111111111111111).and(c64(1).shl(get(left).and(c32(15)).shl(c32(2)).wide()).sub(c64(1))))
			bits = choose(get(left).ge(c32(16)), c64(0x1111111111111111), choose(get(left).op(opGtS, c32(0)), get(some), c64(0)))
		}
		f.store(64, f.base(), g.mem.state+2*l.Path+8*w, bits)
	}
	g.setCell(code.CellPathLen, get(walk))
	f.when(get(walk), func() { g.setCell(code.CellPathLast, get(walk).sub(c32(1))) }, nil)
}
