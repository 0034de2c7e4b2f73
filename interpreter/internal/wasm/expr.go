package wasm

import (
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

var operations = map[ir.Op]operation{
	ir.Add: opAdd, ir.Sub: opSub, ir.Mul: opMul, ir.Div: opDiv, ir.Mod: opRem, ir.And: opAnd, ir.Or: opOr, ir.Shl: opShl, ir.Shr: opShrS,
	ir.Eq: opEq, ir.Ne: opNe, ir.Lt: opLtS, ir.Le: opLeS,
}

// expr returns the value of an expression. If the evaluation needs statements, they are emitted first and the value is held in a local, so
// that the caller can use the value in any position.
func (g *gen) expr(e *ir.Expr) val {
	f := g.f
	switch e.Op {
	case ir.Const:
		return konst(kindFor(g.width.of(e)), int64(e.K))
	case ir.Use:
		return get(g.home(e.Local))
	case ir.Result:
		return g.word(wTaken)
	case ir.Cell:
		return g.cell(e.K)
	case ir.CellAt:
		if e.A.Op == ir.Const && e.A.K >= 0 {
			return g.cell(e.K + e.A.K)
		}
		return g.cellAt(e.K, g.index(e.A))
	case ir.Table:
		if e.A.Op == ir.Const && e.A.K >= 0 {
			return c32(int(g.p.Tables[e.K+e.A.K]))
		}
		if l, a := &g.p.Layout, e.A.A; l.Owner < 0 && e.A.Op == ir.Present && a.Op == ir.CellAt && slices.Contains([]int{l.Head, l.Tail, l.Next, l.Prev}, a.K) {
			p := g.expr(e.A) // a piece
			return g.byColour(p, g.at16(g.mem.tables+2*e.K, p), func(q int) int { return int(g.p.Tables[e.K+q]) })
		}
		return g.at16(g.mem.tables+2*e.K, g.index(e.A))
	case ir.Scratch:
		return g.at16(g.mem.scratch+2*e.K, g.index(e.A))
	case ir.Derived:
		if e.A.Op == ir.Const && e.A.K >= 0 {
			return g.derived(e.K + e.A.K)
		}
		return g.piecesAt(e)
	case ir.Masks:
		if e.A.Op == ir.Const && e.A.K >= 0 {
			return c64(int64(g.p.Masks[e.K+e.A.K]))
		}
		if v, ok := g.mask(e); ok {
			return v
		}
		after := g.expr(e.A).narrow().add(c32(1)) // the index may be -1
		return load(i64, 64, after.shl(c32(3)), g.mem.masks+8*(e.K-1))
	case ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.And, ir.Or, ir.AndNot, ir.Shl, ir.Shr:
		return g.arithmetic(e)
	case ir.Eq, ir.Ne, ir.Lt, ir.Le:
		a, b := g.operands(e.A, e.B)
		if e.Op == ir.Eq && b.konst && b.k == 0 {
			return a.isZero()
		}
		return a.op(operations[e.Op], b)
	case ir.Not:
		return c32(1).sub(g.expr(e.A).narrow())
	case ir.Bits:
		return g.expr(e.A).bits()
	case ir.Lowest:
		x := f.temp(g.expr(e.A).wide())
		return choose(get(x).isZero(), c32(-1), get(x).lowest())
	case ir.Both, ir.Either, ir.Search, ir.NextTurn:
		t := f.local(i32)
		f.set(t, c32(0))
		f.block(func(out label) {
			g.cond(e, out, false)
			f.set(t, c32(1))
		})
		return get(t)
	case ir.Pick:
		return g.conditional(e)
	case ir.Do:
		g.exprBody(e.Body)
		return g.expr(e.A)
	case ir.Present:
		x := f.temp(g.expr(e.A))
		f.when(get(x).lt(konst(x.kind, 0)), g.fault, nil)
		return get(x)
	case ir.Having:
		return g.having(e)
	case ir.Offers:
		return g.word(wOptions)
	case ir.Offer:
		return g.offered(e)
	case ir.Walkers:
		a, b := g.operands(e.A, e.B)
		set, n := f.temp(a.wide()), f.temp(b.narrow())
		g.walkers(set, n, e.A)
		return get(set)
	}
	g.fail("expression", e.Op)
	return val{}
}

// index evaluates an index that must not be negative. A negative index produces an address outside the memory, which traps. Where a fault has
// a label, the code tests for it and branches there: with g.checked always, otherwise if the index is known to be nil at times.
func (g *gen) index(e *ir.Expr) val {
	v := g.expr(e)
	if v.konst || !g.checked && (g.inTry == nil || !ir.MayBeNil(e)) {
		return v
	}
	x := g.f.temp(v.narrow())
	g.f.when(get(x).lt(c32(0)), g.fault, nil)
	return get(x)
}

// piecesAt returns the set of pieces on a place; the place may be nowhere, -1.
func (g *gen) piecesAt(e *ir.Expr) val {
	if e.K != code.DerivedPlaces {
		g.fail("an index of derived word", e.K)
	}
	i := g.expr(e.A)
	if i.from != nil {
		if _, ok := g.f.indexed(*i.from); ok { // indexes are not negative
			return g.setAt(g.setIndex(i), g.mem.sets)
		}
	}
	return g.setAt(i.narrow().add(c32(1)).op(opMul, c32(g.mem.setSize)), g.mem.sets-g.mem.setSize)
}

// operands evaluates two operands in order.
func (g *gen) operands(a, b *ir.Expr) (val, val) {
	x := g.expr(a)
	if !stackOnly(b) && !x.konst {
		x = get(g.f.temp(x))
	}
	return x, g.expr(b)
}

// stackOnly reports whether an expression emits no statements, so that an operand before it can stay on the WebAssembly stack.
func stackOnly(e *ir.Expr) bool {
	if e == nil {
		return true
	}
	switch e.Op {
	case ir.Do, ir.Search, ir.Both, ir.Either, ir.Pick, ir.Present, ir.NextTurn, ir.Walkers, ir.Having, ir.Lowest:
		return false
	}
	return stackOnly(e.A) && stackOnly(e.B)
}

func (g *gen) arithmetic(e *ir.Expr) val {
	f := g.f
	if e.Op == ir.AndNot && stackOnly(e.B) {
		if first, n := g.maskRange(e.B); n > 0 {
			return g.expr(e.A).and(rotl(c64(-1<<n), first))
		}
	}
	a, b := g.operands(e.A, e.B)
	k := kindFor(g.width.of(e))
	if e.Op != ir.And && (a.kind == i64 || b.kind == i64) { // a small result of And depends only on the low bits of the operands
		k = i64
	}
	if e.Op == ir.Mul { // the interpreter multiplies 32-bit operands too
		a, b = a.narrow().as(k), b.narrow().as(k)
	}
	a, b = a.as(k), b.as(k)
	switch e.Op {
	case ir.AndNot:
		if b.konst {
			return a.and(konst(k, ^b.k))
		}
		return a.and(b.not())
	case ir.Div, ir.Mod:
		if e.B.Op != ir.Const || e.B.K == 0 {
			y := f.temp(b)
			f.when(get(y).isZero(), g.fault, nil)
			b = get(y)
		}
	}
	return a.op(operations[e.Op], b)
}

// conditional lowers A ? B : C. Cheap operands without side effects are both evaluated, and a select replaces the branch.
func (g *gen) conditional(e *ir.Expr) val {
	f := g.f
	if cheap(e.B) && cheap(e.C) && stackOnly(e.A) {
		cond := g.expr(e.A)
		return choose(cond, g.expr(e.B), g.expr(e.C))
	}
	t := f.local(kindFor(max(g.width.of(e.B), g.width.of(e.C))))
	f.block(func(end label) {
		f.block(func(els label) {
			g.cond(e.A, els, false)
			f.set(t, g.expr(e.B))
			f.br(end)
		})
		f.set(t, g.expr(e.C))
	})
	return get(t)
}

func cheap(e *ir.Expr) bool {
	return e.Op == ir.Const || e.Op == ir.Use || e.Op == ir.Cell || e.Op == ir.Derived && e.A.Op == ir.Const
}

// readsTable reports whether a condition reads a table, such as the kind of a square. The result is unpredictable. A cheap condition next
// to it is therefore evaluated too, which saves a second branch.
func readsTable(e *ir.Expr) bool {
	switch e.Op {
	case ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Not:
		return stackOnly(e) && (readsTable(e.A) || e.B != nil && readsTable(e.B))
	case ir.Table:
		return stackOnly(e) && e.A.Op != ir.Const
	}
	return false
}

// quick reports whether a condition takes a few instructions and can never fault.
func quick(e *ir.Expr) bool {
	if e == nil {
		return true
	}
	switch e.Op {
	case ir.Const, ir.Use, ir.Cell:
		return true
	case ir.Derived, ir.Masks:
		return e.A.Op == ir.Const || e.A.Op == ir.Use || e.A.Op == ir.Cell
	case ir.And, ir.AndNot, ir.Or, ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Bits:
		return quick(e.A) && quick(e.B)
	}
	return false
}

// exprBody lowers the statements of an expression; they contain no marks.
func (g *gen) exprBody(stmts ir.Body) {
	for _, s := range stmts {
		g.stmt(s)
	}
}

// cond branches to a label if the value of the condition is want, and falls through otherwise.
func (g *gen) cond(e *ir.Expr, to label, want bool) {
	f := g.f
	switch e.Op {
	case ir.Const:
		if (e.K != 0) == want {
			f.br(to)
		}
	case ir.Not:
		g.cond(e.A, to, !want)
	case ir.Both, ir.Either:
		if readsTable(e.A) && quick(e.B) {
			a, b := g.expr(e.A).truth(), g.expr(e.B).truth()
			if e.Op == ir.Both {
				a = a.and(b)
			} else {
				a = a.or(b)
			}
			if !want {
				a = a.isZero()
			}
			f.brIf(to, a)
			return
		}
		if (e.Op == ir.Both) == !want { // leave at the first operand that decides
			g.cond(e.A, to, want)
			g.cond(e.B, to, want)
			return
		}
		f.block(func(skip label) {
			g.cond(e.A, skip, !want)
			g.cond(e.B, to, want)
		})
	case ir.Do:
		g.exprBody(e.Body)
		g.cond(e.A, to, want)
	case ir.NextTurn:
		if want {
			g.nextTurn(e.K != 0, to)
			return
		}
		f.block(func(found label) {
			g.nextTurn(e.K != 0, found)
			f.br(to)
		})
	case ir.Search:
		f.block(func(skip label) {
			g.labels[e.Yes], g.labels[e.No] = to, skip
			if !want {
				g.labels[e.Yes], g.labels[e.No] = skip, to
			}
			g.exprBody(e.Body)
			if (e.K != 0) == want {
				f.br(to)
			}
			delete(g.labels, e.Yes)
			delete(g.labels, e.No)
		})
	default:
		v := g.expr(e).truth()
		if !want {
			v = v.isZero()
		}
		f.brIf(to, v)
	}
}
