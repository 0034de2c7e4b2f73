package code

import "github.com/rulerun/rulerun/interpreter/internal/ir"

// expr generates e and returns the register of its value.
func (g *generator) expr(e *ir.Expr) int {
	if e.Op == ir.Use {
		if h, ok := g.locals[e.Local]; ok && !h.cell {
			return h.at
		}
	}
	r := g.reg()
	g.exprTo(e, r)
	return r
}

var binaries = map[ir.Op]Op{
	ir.Add: Add, ir.Sub: Sub, ir.Mul: Mul, ir.Div: Div, ir.Mod: Mod, ir.And: And, ir.Or: Or, ir.AndNot: AndNot, ir.Shl: Shl, ir.Shr: Shr,
	ir.Eq: Eq, ir.Ne: Ne, ir.Lt: Lt, ir.Le: Le,
}

var withConst = map[ir.Op]Op{ir.Add: AddK, ir.Mul: MulK, ir.And: AndK, ir.Shl: ShlK, ir.Shr: ShrK, ir.Eq: EqK}

// exprTo generates e into register dst. It releases the registers allocated meanwhile.
func (g *generator) exprTo(e *ir.Expr, dst int) {
	defer g.at(e.Site)()
	mark := g.regs
	d := uint8(dst)
	switch e.Op {
	case ir.Const:
		g.emit(Instr{Op: LoadK, A: d, K: int32(e.K)})
	case ir.Use:
		h := g.homeOf(e.Local)
		switch {
		case h.cell:
			g.emit(Instr{Op: Load, A: d, K: int32(h.at)})
		case h.at != dst:
			g.emit(Instr{Op: Move, A: d, B: uint8(h.at)})
		}
	case ir.Cell:
		g.emit(Instr{Op: Load, A: d, K: int32(e.K)})
	case ir.CellAt, ir.Table, ir.Scratch, ir.Derived, ir.Masks:
		op := map[ir.Op]Op{ir.CellAt: LoadX, ir.Table: LoadT, ir.Scratch: LoadS, ir.Derived: LoadD, ir.Masks: LoadM}[e.Op]
		if e.A.Op == ir.Const && e.A.K >= 0 {
			switch e.Op {
			case ir.CellAt:
				g.emit(Instr{Op: Load, A: d, K: int32(e.K + e.A.K)})
				return
			case ir.Derived:
				g.emit(Instr{Op: LoadW, A: d, K: int32(e.K + e.A.K)})
				return
			case ir.Table:
				g.emit(Instr{Op: LoadK, A: d, K: int32(g.p.Tables[e.K+e.A.K])})
				return
			}
		}
		g.emit(Instr{Op: op, A: d, B: uint8(g.expr(e.A)), K: int32(e.K)})
	case ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.And, ir.Or, ir.AndNot, ir.Shl, ir.Shr, ir.Eq, ir.Ne, ir.Lt, ir.Le:
		if op, ok := withConst[e.Op]; ok && e.B.Op == ir.Const {
			g.emit(Instr{Op: op, A: d, B: uint8(g.expr(e.A)), K: int32(e.B.K)})
			break
		}
		if e.Op == ir.Sub && e.B.Op == ir.Const {
			g.emit(Instr{Op: AddK, A: d, B: uint8(g.expr(e.A)), K: int32(-e.B.K)})
			break
		}
		g.emit(Instr{Op: binaries[e.Op], A: d, B: uint8(g.expr(e.A)), C: uint8(g.expr(e.B))})
	case ir.Not, ir.Bits, ir.Lowest:
		op := map[ir.Op]Op{ir.Not: Not, ir.Bits: Bits, ir.Lowest: Lowest}[e.Op]
		g.emit(Instr{Op: op, A: d, B: uint8(g.expr(e.A))})
	case ir.Both, ir.Either:
		// dst may be read by the operands; work it out in branches.
		no, end := &label{}, &label{}
		g.cond(e, no, false)
		g.emit(Instr{Op: LoadK, A: d, K: 1})
		g.jump(end)
		g.bind(no, nil)
		g.emit(Instr{Op: LoadK, A: d, K: 0})
		g.bind(end, nil)
	case ir.Pick:
		no, end := &label{}, &label{}
		g.cond(e.A, no, false)
		g.release(mark)
		g.exprTo(e.B, dst)
		g.release(mark)
		g.jump(end)
		g.bind(no, nil)
		g.exprTo(e.C, dst)
		g.bind(end, nil)
	case ir.Do:
		g.inExpr++
		g.bodyKeep(e.Body)
		g.exprTo(e.A, dst)
		g.inExpr--
	case ir.Search:
		yes, no, end := g.open(e.Yes), g.open(e.No), &label{}
		g.inExpr++
		g.body(e.Body)
		g.inExpr--
		g.emit(Instr{Op: LoadK, A: d, K: int32(e.K)})
		for i, l := range []*label{no, yes} {
			if len(l.refs) > 0 {
				g.jump(end)
				g.bind(l, nil)
				g.emit(Instr{Op: LoadK, A: d, K: int32(i)})
			}
		}
		g.bind(end, nil)
		delete(g.labels, e.Yes)
		delete(g.labels, e.No)
	case ir.Present:
		g.exprTo(e.A, dst)
		fault := FaultNil
		if e.K != 0 {
			fault = Fault(e.K)
		}
		g.emit(Instr{Op: Present, A: d, K: int32(fault)})
	case ir.NextTurn:
		g.emit(Instr{Op: NextOp, A: d, C: uint8(e.K)})
	case ir.Walkers:
		a := g.expr(e.A)
		if e.B.Op == ir.Cell {
			g.emit(Instr{Op: WalkersIn, A: d, B: uint8(a), K: int32(e.B.K)})
			break
		}
		b := g.expr(e.B)
		g.emit(Instr{Op: WalkersOp, A: d, B: uint8(a), C: uint8(b)})
	case ir.Having:
		g.emit(Instr{Op: HavingOp, A: d, B: uint8(g.expr(e.A)), C: uint8(g.expr(e.B)), K: int32(e.K)})
	case ir.Offers:
		g.emit(Instr{Op: Offers, A: d})
	case ir.Offer:
		g.emit(Instr{Op: Offer, A: d, B: uint8(g.expr(e.A)), K: int32(e.K)})
	case ir.Result:
		g.emit(Instr{Op: Result, A: d})
	}
	g.release(mark)
}

// fitsByte reports whether a constant fits the immediate byte of a compare-and-jump.
func fitsByte(e *ir.Expr) bool { return e.Op == ir.Const && e.K >= -1<<7 && e.K < 1<<7 }

// cond generates a jump to target that is taken if the value of the condition is want; otherwise execution falls through.
func (g *generator) cond(e *ir.Expr, target *label, want bool) {
	defer g.at(e.Site)()
	mark := g.regs
	if e.Asks != nil {
		a, b := g.expr(e.Asks.Piece), g.expr(e.Asks.Place)
		op := [2]Op{JumpNotPredicate, JumpPredicate}[Truth(want)]
		target.refs = append(target.refs, g.emit(Instr{Op: op, A: uint8(a), B: uint8(b), C: uint8(e.Asks.K)}))
		g.release(mark)
		return
	}
	jump := func(in Instr) { target.refs = append(target.refs, g.emit(in)) }
	switch e.Op {
	case ir.Const:
		if (e.K != 0) == want {
			g.jump(target)
		}
	case ir.Not:
		g.cond(e.A, target, !want)
	case ir.Both, ir.Either:
		if (e.Op == ir.Both) == !want { // leave at the first operand that decides
			g.cond(e.A, target, want)
			g.release(mark)
			g.cond(e.B, target, want)
			break
		}
		skip := &label{}
		g.cond(e.A, skip, !want)
		g.release(mark)
		g.cond(e.B, target, want)
		g.bind(skip, nil)
	case ir.Eq, ir.Ne, ir.Lt, ir.Le:
		g.compare(e, want, jump)
	case ir.Do:
		g.inExpr++
		g.bodyKeep(e.Body)
		g.cond(e.A, target, want)
		g.inExpr--
	case ir.Search:
		skip := &label{}
		g.labels[e.Yes], g.labels[e.No] = target, skip
		if !want {
			g.labels[e.Yes], g.labels[e.No] = skip, target
		}
		g.inExpr++
		g.body(e.Body)
		g.inExpr--
		if (e.K != 0) == want {
			g.jump(target)
		}
		g.bind(skip, nil)
		delete(g.labels, e.Yes)
		delete(g.labels, e.No)
	default:
		jump(Instr{Op: [2]Op{JumpZ, JumpNZ}[Truth(want)], A: uint8(g.expr(e))})
	}
	g.release(mark)
}

// compare generates a compare-and-jump.
func (g *generator) compare(e *ir.Expr, want bool, jump func(Instr)) {
	a, b, op := e.A, e.B, e.Op
	if a.Op == ir.Const && (op == ir.Eq || op == ir.Ne) {
		a, b = b, a
	}
	if fitsByte(b) {
		r := g.expr(a)
		ops := map[ir.Op][2]Op{ir.Eq: {JumpNeK, JumpEqK}, ir.Ne: {JumpEqK, JumpNeK}, ir.Lt: {JumpGeK, JumpLtK}, ir.Le: {JumpGtK, JumpLeK}}
		jump(Instr{Op: ops[op][Truth(want)], A: uint8(r), C: uint8(b.K)})
		return
	}
	if fitsByte(a) { // k < b
		r := g.expr(b)
		ops := map[ir.Op][2]Op{ir.Lt: {JumpLeK, JumpGtK}, ir.Le: {JumpLtK, JumpGeK}}
		jump(Instr{Op: ops[op][Truth(want)], A: uint8(r), C: uint8(a.K)})
		return
	}
	x, y := g.expr(a), g.expr(b)
	if !want && (op == ir.Lt || op == ir.Le) { // not x < y is y <= x
		x, y = y, x
	}
	ops := map[ir.Op][2]Op{ir.Eq: {JumpNe, JumpEq}, ir.Ne: {JumpEq, JumpNe}, ir.Lt: {JumpLe, JumpLt}, ir.Le: {JumpLt, JumpLe}}
	jump(Instr{Op: ops[op][Truth(want)], A: uint8(x), B: uint8(y)})
}

// Truth is 1 for true and 0 for false.
func Truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
