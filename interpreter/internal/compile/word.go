package compile

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// A set variable with a small range is a bitset in a single cell. Its operations need one or two instructions and no loop.
// The highest bit is the sign of the cell, and stays free.
const wordBits = 15

// oneWord reports whether a set variable is a bitset in a single cell.
func (c *compiler) oneWord(x *model.Var) bool {
	low, high := c.bounds(x)
	return !c.plain && c.notes == nil && x.Type.List && !x.Bag && high-low < wordBits
}

// word reads a set variable that is a single word, nil for other lists.
func (c *compiler) word(e *model.Expr, v *env) *ir.Expr {
	if e.Op != model.OpSet || e.Set != model.SetVar || !c.oneWord(e.Var) {
		return nil
	}
	base, index := c.wordAt(e, nil, v)
	return at(ir.CellAt, base, index)
}

// eachBit loops over the bits of a word, the lowest first. low is the number of the first bit.
func (c *compiler) eachBit(word *ir.Expr, low int, body func(*ir.Expr) ir.Body) ir.Body {
	rest, bit, loop := local("rest"), &ir.Local{Name: "bit", NonNil: true}, ir.NewLoop()
	round := ir.Seq(ir.BreakIf(ir.Op2(ir.Eq, ir.Get(rest), ir.K(0)), loop),
		ir.Assign(bit, &ir.Expr{Op: ir.Lowest, A: ir.Get(rest)}),
		ir.Assign(rest, andNot(ir.Get(rest), &ir.Expr{Op: ir.Shl, A: ir.K(1), B: ir.Get(bit)})))
	x := &ir.Local{Name: "x", NonNil: low >= 0}
	round = append(round, ir.Assign(x, ir.Op2(ir.Add, ir.Get(bit), ir.K(low))))
	return ir.Body{ir.Assign(rest, word), ir.LoopOf(loop, round, body(ir.Get(x)))}
}

// assignWord lowers an assignment to a set variable that is one word, nil if the value needs a loop.
func (c *compiler) assignWord(target *model.Expr, op model.AssignOp, value *model.Expr, v *env) ir.Body {
	if !c.oneWord(target.Var) || op == model.AssignSet && !value.Type.List {
		return nil
	}
	s := c.slots[target.Var.Index]
	low, high := c.bounds(target.Var)
	bits, inside := ir.K(0), ir.K(1)
	var out ir.Body
	switch {
	case !value.Type.List:
		x := local("x")
		out = append(out, ir.Assign(x, c.expr(value, v)))
		bits = &ir.Expr{Op: ir.Shl, A: ir.K(1), B: ir.Op2(ir.Sub, ir.Get(x), ir.K(low))}
		if op == model.AssignSub { // removing a number outside the range does nothing
			inside = ir.AndAlso(ir.Op2(ir.Le, ir.K(low), ir.Get(x)), ir.Op2(ir.Le, ir.Get(x), ir.K(high)))
		} else {
			out = append(out, &ir.Stmt{Op: ir.Check, A: ir.Get(x), Low: low, High: high, Site: c.site(value.Span)})
		}
	case value.Op == model.OpList:
		for _, a := range value.Args {
			if a.Op != model.OpConst || a.Int < low || a.Int > high {
				return nil
			}
			bits.K |= 1 << (a.Int - low)
		}
	default:
		return nil
	}
	var owner *ir.Expr
	read := cell(s.Cell)
	if len(target.Args) > 0 {
		o := &ir.Local{Name: "owner", NonNil: true}
		out = append(out, ir.Assign(o, &ir.Expr{Op: ir.Present, A: c.expr(target.Args[0], v), Site: c.site(target.Span)}))
		owner = ir.Get(o)
		read = at(ir.CellAt, s.Cell, owner)
	}
	x := bits
	switch op {
	case model.AssignAdd:
		x = &ir.Expr{Op: ir.Or, A: read, B: bits}
	case model.AssignSub:
		x = andNot(read, bits)
	}
	return append(out, ir.When(inside, setCellAt(s.Cell, owner, x), nil)...)
}

// choices lists the numbers a player may choose from. An empty list is a fault.
func (c *compiler) choices(e *model.Expr) ir.Body {
	n := local("n")
	var out ir.Body
	if word := c.word(e, &env{}); word != nil {
		low, _ := c.bounds(e.Var)
		out = append(out, &ir.Stmt{Op: ir.Native, K: int(code.PickBits), Low: low, Local: n, Args: []*ir.Expr{word}})
	} else {
		if !rising(e) {
			e = &model.Expr{Op: model.OpSortBy, Type: e.Type, Args: []*model.Expr{e, {Op: model.OpElem, Type: model.Of(model.Number), Span: e.Span}}, Span: e.Span}
		}
		out = ir.Seq(out, native(code.PickReset), c.each(e, &env{}, func(elem *ir.Expr) ir.Body {
			n := local("n")
			return ir.Body{ir.Assign(n, elem), c.fits(n, e), native(code.PickAdd, ir.Get(n))}
		}), nativeTo(n, code.PickCount))
	}
	return append(out, c.failIf(ir.Op2(ir.Eq, ir.Get(n), ir.K(0)), code.FaultEmpty, source.Span{})...)
}

// rising reports whether a list of numbers is in ascending order for certain.
func rising(e *model.Expr) bool {
	switch e.Op {
	case model.OpRange, model.OpSet:
		return true
	case model.OpFilter:
		return rising(e.Args[0])
	case model.OpIf:
		return rising(e.Args[1]) && rising(e.Args[2])
	case model.OpCall:
		return rising(e.Let.Body)
	case model.OpList:
		for i, a := range e.Args {
			if a.Op != model.OpConst || i > 0 && a.Int < e.Args[i-1].Int {
				return false
			}
		}
		return true
	}
	return false
}

// bounds are the least and greatest element of a set variable.
func (c *compiler) bounds(x *model.Var) (low, high int) {
	switch x.Type.Kind {
	case model.Place:
		return 0, c.layout.Places - 1
	case model.Piece:
		return 0, c.layout.Pieces - 1
	case model.Colour:
		return 0, c.layout.Colours - 1
	case model.Player:
		return 0, c.layout.Players - 1
	case model.Team:
		return 0, c.layout.Teams - 1
	}
	return x.Low, x.High
}

// wordAt is the cell of a set variable that holds a bit.
func (c *compiler) wordAt(e *model.Expr, bit *ir.Expr, v *env) (base int, index *ir.Expr) {
	s := c.slots[e.Var.Index]
	owners := c.owners(e.Var.Scope)
	index = ir.K(0)
	if len(e.Args) > 0 {
		index = c.expr(e.Args[0], v)
	}
	if s.Words > 1 {
		word := ir.Op2(ir.Mul, &ir.Expr{Op: ir.Shr, A: bit, B: ir.K(4)}, ir.K(owners))
		if index.Op != ir.Const {
			index = &ir.Expr{Op: ir.Present, A: index}
		}
		index = ir.Op2(ir.Add, word, index)
	}
	return s.Cell, index
}

// hasBit reports whether a set or bag contains x, which lies within its bounds.
func (c *compiler) hasBit(e *model.Expr, x *ir.Expr, v *env) *ir.Expr {
	low, _ := c.bounds(e.Var)
	bit := ir.Op2(ir.Sub, x, ir.K(low))
	if e.Var.Bag {
		return ir.Op2(ir.Lt, ir.K(0), c.copies(e, bit, v))
	}
	base, index := c.wordAt(e, bit, v)
	return &ir.Expr{Op: ir.And, A: &ir.Expr{Op: ir.Shr, A: at(ir.CellAt, base, index), B: &ir.Expr{Op: ir.And, A: bit, B: ir.K(15)}}, B: ir.K(1)}
}
