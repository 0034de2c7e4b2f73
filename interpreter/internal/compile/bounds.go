package compile

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Bounds on factors and products, so that sums of them do not overflow.
const leastProduct, greatestProduct = -1<<30 + 1, 1 << 30

// product lowers a multiplication. It emits range checks unless the result is small for certain.
func (c *compiler) product(e *model.Expr, a, b *ir.Expr) *ir.Expr {
	if largest(a) <= greatestProduct && largest(b) <= greatestProduct && largest(a)*largest(b) <= greatestProduct {
		return ir.Op2(ir.Mul, a, b)
	}
	var body ir.Body
	checked := func(x *ir.Expr) *ir.Expr {
		n := local("n")
		body = append(body, ir.Assign(n, x), &ir.Stmt{Op: ir.Check, A: ir.Get(n), Low: leastProduct, High: greatestProduct, Site: c.site(e.Span)})
		return ir.Get(n)
	}
	a, b = checked(a), checked(b)
	p := checked(ir.Op2(ir.Mul, a, b))
	return ir.With(body, p)
}

// largest bounds the absolute value of an expression. A local is unbounded.
func largest(e *ir.Expr) int64 {
	return ir.Largest(e, func(x *ir.Expr) int64 {
		switch {
		case x.Op == ir.Use:
			return ir.Unbounded
		case x.K == code.CellHeading:
			return 1
		}
		return ir.Sixteen
	})
}

// interval is the range of numbers from Low to High. It is empty if Low is above High.
type interval struct{ Low, High int }

var (
	unbounded = interval{-1 << 15, 1 << 15}
	noNumbers = interval{1 << 15, -1 << 15}
)

// or is the smallest interval that covers both.
func (a interval) or(b interval) interval { return interval{min(a.Low, b.Low), max(a.High, b.High)} }

// within clips an interval to the numbers a value may have.
func (a interval) within() interval {
	return interval{max(a.Low, unbounded.Low), min(a.High, unbounded.High)}
}

// rangeOf is an interval analysis: it covers the value of a number, or every element of a list. If steps is nil, the value
// of steps is bounded by the numbers that the rules play and earn.
func (c *compiler) rangeOf(e *model.Expr, steps *interval) interval {
	of := func(i int) interval { return c.rangeOf(e.Args[i], steps) }
	switch e.Op {
	case model.OpConst:
		return interval{e.Int, e.Int}
	case model.OpDie:
		thrown := unbounded
		switch {
		case len(e.Die.Faces) > 0:
			thrown = interval{e.Die.Faces[0].Value, e.Die.Faces[len(e.Die.Faces)-1].Value}
		case e.Die.Choice != nil:
			thrown = c.rangeOf(e.Die.Choice, steps)
		}
		return thrown.or(interval{}) // the value before the first throw
	case model.OpIf:
		return of(1).or(of(2))
	case model.OpCall:
		return c.rangeOf(e.Let.Body, steps)
	case model.OpAdd:
		a, b := of(0), of(1)
		return interval{a.Low + b.Low, a.High + b.High}.within()
	case model.OpSub:
		a, b := of(0), of(1)
		return interval{a.Low - b.High, a.High - b.Low}.within()
	case model.OpCount:
		return interval{0, unbounded.High}
	case model.OpList, model.OpMin, model.OpMax:
		all := noNumbers
		for i := range e.Args {
			all = all.or(of(i))
		}
		return all
	case model.OpRange:
		return interval{of(0).Low, of(1).High}
	case model.OpFilter:
		return of(0)
	case model.OpSet:
		if e.Set == model.SetVar || e.Set == model.SetCopies {
			low, high := c.bounds(e.Var)
			return interval{low, high}
		}
	case model.OpVar:
		return interval{e.Var.Low, e.Var.High}
	case model.OpCell:
		switch {
		case e.Cell != model.CellSteps:
		case steps != nil:
			return *steps
		default:
			return c.rangeOfSteps()
		}
	}
	return unbounded
}

// lowest is a lower bound of a number, or of every element of a list.
func (c *compiler) lowest(e *model.Expr) int { return c.rangeOf(e, nil).Low }

// rangeOfSteps covers all values of steps, and is memoized. A played number that itself depends on steps is unbounded; a
// number after "by" may be steps itself.
func (c *compiler) rangeOfSteps() interval {
	if c.steps != nil {
		return *c.steps
	}
	all := noNumbers
	for s := range c.rules.Stmts() {
		if s.Kind == model.StmtEarn || s.Kind == model.StmtPlay && s.Value != nil {
			for _, numbers := range append([]*model.Expr{s.Value}, s.Args...) {
				all = all.or(c.rangeOf(numbers, &unbounded))
			}
		}
	}
	for _, x := range c.allClauses() {
		if x.By != nil {
			all = all.or(c.rangeOfBy(x.By))
		}
	}
	c.steps = &all
	return all
}

// rangeOfBy is rangeOf for a number after "by". The value steps itself adds nothing to the interval.
func (c *compiler) rangeOfBy(e *model.Expr) interval {
	switch {
	case e.Op == model.OpCell && e.Cell == model.CellSteps:
		return noNumbers
	case e.Op == model.OpList:
		all := noNumbers
		for _, a := range e.Args {
			all = all.or(c.rangeOfBy(a))
		}
		return all
	case e.Op == model.OpIf:
		return c.rangeOfBy(e.Args[1]).or(c.rangeOfBy(e.Args[2]))
	case e.Op == model.OpCall:
		return c.rangeOfBy(e.Let.Body)
	}
	return c.rangeOf(e, &unbounded)
}
