package compile

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Factors and products lie between these, so that sums of them are exact.
const leastProduct, greatestProduct = -1<<30 + 1, 1 << 30

// product is a product. Where it is not plain that it stays small, what becomes too large is a fault.
func (c *compiler) product(e *model.Expr, a, b *ir.Expr) *ir.Expr {
	if largest(a) <= greatestProduct && largest(b) <= greatestProduct && largest(a)*largest(b) <= greatestProduct {
		return ir.Op2(ir.Mul, a, b)
	}
	var body []*ir.Stmt
	checked := func(x *ir.Expr) *ir.Expr {
		n := &ir.Local{Name: "n"}
		body = append(body, ir.Assign(n, x), &ir.Stmt{Op: ir.Check, A: ir.Get(n), Low: leastProduct, High: greatestProduct, Site: c.site(e.Span)})
		return ir.Get(n)
	}
	a, b = checked(a), checked(b)
	p := checked(ir.Op2(ir.Mul, a, b))
	return ir.With(body, p)
}

// largest is how large a value can be at most, either side of 0.
func largest(e *ir.Expr) int {
	const unknown = 1 << 40
	switch e.Op {
	case ir.Const:
		return max(e.K, -e.K)
	case ir.Cell:
		if e.K == code.CellHeading {
			return 1
		}
		return 1 << 15
	case ir.CellAt, ir.Table:
		return 1 << 15
	case ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Not, ir.Both, ir.Either, ir.Search:
		return 1
	case ir.Bits:
		return 64
	case ir.Add, ir.Sub:
		return min(unknown, largest(e.A)+largest(e.B))
	case ir.Mul:
		if a, b := largest(e.A), largest(e.B); a < unknown && b < unknown {
			return min(unknown, a*b)
		}
	case ir.Pick:
		return max(largest(e.B), largest(e.C))
	case ir.Do, ir.Present:
		return largest(e.A)
	}
	return unknown
}

// lowest is a number that the value of a number, or of every number of a list, is never below. Steps are bounded by
// what the rules play and earn.
func (c *compiler) lowest(e *model.Expr) int {
	const none = -1 << 15
	switch e.Op {
	case model.OpConst:
		return e.Int
	case model.OpDie:
		if len(e.Die.Faces) == 0 {
			if e.Die.Choice == nil {
				return none
			}
			return min(0, c.lowest(e.Die.Choice))
		}
		return min(0, e.Die.Faces[0].Value) // before it is thrown it is 0
	case model.OpIf:
		return min(c.lowest(e.Args[1]), c.lowest(e.Args[2]))
	case model.OpCall:
		return c.lowest(e.Let.Body)
	case model.OpAdd:
		return max(none, c.lowest(e.Args[0])+c.lowest(e.Args[1]))
	case model.OpCount:
		return 0
	case model.OpList, model.OpMin, model.OpMax:
		low := 1 << 15
		for _, a := range e.Args {
			low = min(low, c.lowest(a))
		}
		return low
	case model.OpRange, model.OpFilter:
		return c.lowest(e.Args[0])
	case model.OpSet:
		if e.Set == model.SetVar {
			return c.slots[e.Var.Index].Low
		}
	case model.OpVar:
		return e.Var.Low
	case model.OpCell:
		if e.Cell == model.CellSteps {
			return c.lowestSteps()
		}
	}
	return none
}

// lowestSteps is what steps are never below.
func (c *compiler) lowestSteps() int {
	if c.stepsLow != nil {
		return *c.stepsLow
	}
	low := -1 << 15
	c.stepsLow = &low // what is counted in terms of steps themselves stays unknown
	least := 1 << 15
	c.rules.Walk(func(s *model.Stmt) {
		if s.Kind == model.StmtEarn || s.Kind == model.StmtPlay && s.Value != nil {
			least = min(least, c.lowest(s.Value))
		}
	})
	for _, r := range c.rules.Rules {
		for _, x := range r.Clauses {
			if x.By != nil {
				least = min(least, c.lowestBy(x.By))
			}
		}
	}
	low = least
	return low
}

// lowestBy is lowest for the numbers of by, where steps themselves say nothing new.
func (c *compiler) lowestBy(e *model.Expr) int {
	const all = 1 << 15
	switch {
	case e.Op == model.OpCell && e.Cell == model.CellSteps:
		return all
	case e.Op == model.OpList:
		low := all
		for _, a := range e.Args {
			low = min(low, c.lowestBy(a))
		}
		return low
	case e.Op == model.OpIf:
		return min(c.lowestBy(e.Args[1]), c.lowestBy(e.Args[2]))
	case e.Op == model.OpCall:
		return c.lowestBy(e.Let.Body)
	}
	return c.lowest(e)
}
