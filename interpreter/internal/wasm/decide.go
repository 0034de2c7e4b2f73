package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// decision makes rows of sets the options of a play, draws one and takes it. Where the sets cannot tell, the plain form does all that.
func (g *gen) decision(s *ir.Stmt) {
	f := g.f
	f.block(func(taken label) {
		f.block(func(nothing label) {
			f.block(func(slow label) { g.rows(s, taken, nothing, slow) })
			g.forget()
			g.body(s.Else)
			f.br(taken)
		})
		g.body(s.Body)
	})
}

// draw is the number of an option of several, each as likely; that of the only one is 0 and draws nothing. Whether there are
// several cannot be foreseen: so there is no branch.
func (g *gen) draw(n local) local {
	f := g.f
	several := f.temp(c64(1).sub(get(n)).op(opShrS, c64(63))) // all bits or none
	i := f.temp(part(g.word(wNext), get(n)))
	g.mix(get(several).and(c64(gamma)))
	g.decides(get(several).narrow())
	return i
}

// maxFuel is how often loops may begin anew between two nodes. The interpreter counts other jumps than loops have here, so this
// is far less than it allows: a game that comes to this end is played by the interpreter, which alone says what is too much.
const maxFuel = code.MaxFuel / 4

// refuel lets a run of the program begin anew: a node has been met.
func (g *gen) refuel() { g.setWord(wFuel, c32(maxFuel)) }

// tooLong leaves a game that goes on and on to the interpreter.
func (g *gen) tooLong() {
	g.f.do(g.function("too long", none, nil, func() { g.f.store(32, g.f.base(), g.mem.words+8*int(wLong), c32(1)) }))
	g.f.trap()
}

// row is a row of options while one is chosen.
type row struct {
	*code.Row
	set, count        local // in 64 bits
	to, steps, number *ir.Expr
}

// rows works the rows out and takes one of their options: then it goes to taken, to nothing where there are none, and to
// slow where the sets cannot tell.
func (g *gen) rows(s *ir.Stmt, taken, nothing, slow label) {
	f, e := g.f, s.A
	g.waits = map[int]int{}
	g.inTry = &slow
	if e.Op == ir.Do {
		g.bodyOf(e.Body)
		e = e.A
	}
	list := make([]row, len(g.p.Rows[e.K].Rows))
	for i := range list {
		a := e.Args[4*i:]
		r := &list[i]
		*r = row{Row: &g.p.Rows[e.K].Rows[i], set: f.temp(g.expr(a[0]).wide()), to: a[1], steps: a[2], number: a[3]}
		for j := range i {
			if q := &list[j]; q.Move == r.Move && (q.Colour == r.Colour || q.Colour < 0 || r.Colour < 0) { // they may offer the same
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
	f.when(all.and(get(crowd)), func() { // of interchangeable pieces the first stands for all
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
	g.settle()
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

// takeOfRow takes option i if the row has as many; else what is left of i is for the next.
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

// nth is bit i of a set, counted among those that are set; i is used up. Which it is cannot be foreseen: so there is no branch
// for the first few.
func (g *gen) nth(set, i local) local {
	f := g.f
	left := f.temp(get(set))
	for k := range 3 { // without its lowest bit, if i is more than k: then 1 less is and-ed, else itself
		less := c64(int64(k)).sub(get(i)).op(opShrS, c64(63))
		f.set(left, get(left).and(less.add(get(left))))
	}
	f.repeat(func(_, out label) {
		f.brIf(out, get(i).op(opLeS, c64(3)))
		f.set(left, get(left).and(get(left).sub(c64(1))))
		f.set(i, get(i).sub(c64(1)))
	})
	return f.temp(get(left).lowest())
}

// takeOfGroup takes option i of rows that are one list, piece by piece and then row by row.
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

// takeOption writes the option of a piece into the state.
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

// straightPath writes the path of a walk that does not turn: a code of 4 bits for each step, 16 steps a word.
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
