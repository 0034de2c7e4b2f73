package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// A bag is a multiset: one cell for each number it may hold, with the number of copies. The functions here call the index of
// that cell among the cells of one owner the word.

// copies reads how often a bag holds a number.
func (c *compiler) copies(e *model.Expr, word *ir.Expr, v *env) *ir.Expr {
	index := ir.Op2(ir.Mul, word, ir.K(c.owners(e.Var.Scope)))
	if len(e.Args) > 0 {
		index = ir.Op2(ir.Add, index, c.must(e.Args[0], v))
	}
	if base := c.slots[e.Var.Index].Cell; index.Op != ir.Const {
		return at(ir.CellAt, base, index)
	} else {
		return cell(base + index.K)
	}
}

// eachCopy loops over the elements of a bag, with repetition.
func (c *compiler) eachCopy(e *model.Expr, v *env, body func(*ir.Expr) ir.Body) ir.Body {
	return c.eachWord(e.Var, func(x, word *ir.Expr) ir.Body {
		i, n := local("i"), local("copies")
		return ir.Seq(set(i, 0), ir.Assign(n, c.copies(e, word, v)), countLoop(i, ir.Get(n), func(*ir.Expr) ir.Body { return body(x) }))
	})
}

// eachWord loops over all numbers in the range of a bag.
func (c *compiler) eachWord(x *model.Var, body func(x, word *ir.Expr) ir.Body) ir.Body {
	of := func(n *ir.Expr) ir.Body { return body(n, ir.Op2(ir.Sub, n, ir.K(x.Low))) }
	if x.High-x.Low < maxUnrolled {
		if rounds := c.unroll(through(x.Low, x.High), of); rounds != nil {
			return rounds
		}
	}
	return c.upTo(x.Low, x.High+1, of)
}

// bagSize sums the copies in a bag.
func (c *compiler) bagSize(e *model.Expr, v *env) *ir.Expr {
	n := local("n")
	return ir.With(ir.Seq(set(n, 0), c.eachWord(e.Var, func(_, word *ir.Expr) ir.Body {
		return ir.Body{ir.Assign(n, ir.Op2(ir.Add, ir.Get(n), c.copies(e, word, v)))}
	})), ir.Get(n))
}

// assignBag lowers an assignment to a bag.
func (c *compiler) assignBag(target *model.Expr, op model.AssignOp, value *model.Expr, v *env) ir.Body {
	x, s, owners := target.Var, c.slots[target.Var.Index], c.owners(target.Var.Scope)
	checked := func(n *ir.Expr, low, high int) (*ir.Expr, ir.Body) {
		l := local("n")
		return ir.Get(l), ir.Body{ir.Assign(l, n), {Op: ir.Check, A: ir.Get(l), Low: low, High: high, Site: c.site(value.Span)}}
	}
	// one emits change for one copy of n. Removing a number outside the range of the bag does nothing; adding one is a
	// fault.
	one := func(n *ir.Expr, change func(word *ir.Expr) ir.Body) ir.Body {
		if op == model.AssignSub {
			l := local("n")
			inside := ir.AndAlso(ir.Op2(ir.Le, ir.K(x.Low), ir.Get(l)), ir.Op2(ir.Le, ir.Get(l), ir.K(x.High)))
			return ir.Seq(ir.Assign(l, n), ir.When(inside, change(ir.Op2(ir.Sub, ir.Get(l), ir.K(x.Low))), nil))
		}
		n, out := checked(n, x.Low, x.High)
		return append(out, change(ir.Op2(ir.Sub, n, ir.K(x.Low)))...)
	}
	owner, owned := ir.K(0), ir.Body(nil)
	if len(target.Args) > 0 {
		o := &ir.Local{Name: "owner", NonNil: true}
		owned = ir.Body{ir.Assign(o, &ir.Expr{Op: ir.Present, A: c.expr(target.Args[0], v), Site: c.site(target.Span)})}
		owner = ir.Get(o)
	}
	// by adds n copies to the cell of a word, subtracts them, or stores n.
	by := func(word, n *ir.Expr) ir.Body {
		index := local("index")
		out := ir.Body{ir.Assign(index, ir.Op2(ir.Add, ir.Op2(ir.Mul, word, ir.K(owners)), owner))}
		there := at(ir.CellAt, s.Cell, ir.Get(index))
		if op == model.AssignSub {
			less := setCellAt(s.Cell, ir.Get(index), ir.Op2(ir.Sub, there, n))
			gone := setCellAt(s.Cell, ir.Get(index), ir.K(0))
			return append(out, &ir.Stmt{Op: ir.If, A: ir.Op2(ir.Lt, n, there), Body: ir.Body{less}, Else: ir.Body{gone}})
		}
		if op == model.AssignSet {
			return append(out, setCellAt(s.Cell, ir.Get(index), n))
		}
		sum, check := checked(ir.Op2(ir.Add, there, n), 0, model.MaxCopies)
		return ir.Seq(out, check, setCellAt(s.Cell, ir.Get(index), sum))
	}
	if !value.Type.List { // evaluation order: the value, then the owner
		l := local("value")
		return ir.Seq(ir.Assign(l, c.expr(value, v)),
			one(ir.Get(l), func(word *ir.Expr) ir.Body { return append(owned, by(word, ir.K(1))...) }))
	}
	if value.Op == model.OpList && len(value.Args) == 0 && op == model.AssignSet {
		return append(owned, c.eachWord(x, func(_, word *ir.Expr) ir.Body { return by(word, ir.K(0)) })...)
	}
	// Count the new elements in scratch words first: they may depend on the old ones.
	counts := c.scratch(s.Words)
	return ir.Seq(
		c.upTo(0, s.Words, func(w *ir.Expr) ir.Body { return ir.Body{storeScratch(counts, w, ir.K(0))} }),
		c.each(value, v, func(elem *ir.Expr) ir.Body {
			return one(elem, func(word *ir.Expr) ir.Body {
				w := local("w")
				sum, check := checked(ir.Op2(ir.Add, at(ir.Scratch, counts, ir.Get(w)), ir.K(1)), 0, model.MaxCopies)
				return ir.Seq(ir.Assign(w, word), check, storeScratch(counts, ir.Get(w), sum))
			})
		}),
		owned, c.upTo(0, s.Words, func(w *ir.Expr) ir.Body { return by(w, at(ir.Scratch, counts, w)) }),
	)
}

// noBag records that the numbers played from here on come from no bag.
func (c *compiler) noBag() ir.Body {
	if c.layout.Bag < 0 {
		return nil
	}
	return ir.Body{setCell(c.layout.Bag, ir.K(-1))}
}

// beginBag records which bag, and whose, is being played.
func (c *compiler) beginBag(bag *model.Expr, v *env) ir.Body {
	l := c.layout
	out := ir.Body{setCell(l.Bag, ir.K(slices.Index(c.bags, bag.Var)))}
	if len(bag.Args) > 0 {
		owner := &ir.Expr{Op: ir.Present, A: c.expr(bag.Args[0], v), Site: c.site(bag.Span)}
		out = append(out, setCell(l.Bag+1, owner))
	}
	return out
}

// playedAt is the index of a number's cell in the bag being played. The layout's cells name the owner.
func (c *compiler) playedAt(x *model.Var, word *ir.Expr) *ir.Expr {
	index := ir.Op2(ir.Mul, word, ir.K(c.owners(x.Scope)))
	if x.Scope.Owned() {
		index = ir.Op2(ir.Add, index, cell(c.layout.Bag+1))
	}
	return index
}

// bagNumbers fills the list of numbers to play from the bag being played. With all, each number appears once per copy,
// otherwise once.
func (c *compiler) bagNumbers(s *model.Stmt, all bool) ir.Body {
	x := s.Target.Var
	base := c.slots[x.Index].Cell
	out := ir.Seq(setCell(code.CellNumbers, ir.K(0)), c.upTo(x.Low, x.High+1, func(n *ir.Expr) ir.Body {
		copies := at(ir.CellAt, base, c.playedAt(x, ir.Op2(ir.Sub, n, ir.K(x.Low))))
		if !all {
			return ir.When(ir.Op2(ir.Lt, ir.K(0), copies), c.addNumber(n, 0), nil)
		}
		return times(copies, func(*ir.Expr) ir.Body { return ir.Seq(c.numberFits(s, cell(code.CellNumbers)), c.addNumber(n, 0)) })
	}))
	if c.layout.Lists >= 0 {
		out = append(out, c.lengths(cell(code.CellNumbers), cell(code.CellNumbers))...)
	}
	return out
}

// removePlayed removes the number being played from its bag.
func (c *compiler) removePlayed() ir.Body {
	l := c.layout
	var out ir.Body
	for i, x := range c.bags {
		index := local("index")
		base := c.slots[x.Index].Cell
		number := at(ir.CellAt, l.Numbers, cell(code.CellNumber))
		copies := at(ir.CellAt, base, ir.Get(index))
		take := ir.Body{ir.Assign(index, c.playedAt(x, ir.Op2(ir.Sub, number, ir.K(x.Low))))}
		less := ir.Body{setCellAt(base, ir.Get(index), ir.Op2(ir.Sub, copies, ir.K(1)))}
		take = ir.Seq(take, ir.When(ir.Op2(ir.Lt, ir.K(0), copies), less, nil),
			c.checkEndings(effects{vars: map[*model.Var]bool{x: true}}))
		out = append(out, ir.When(ir.Op2(ir.Eq, cell(l.Bag), ir.K(i)), take, nil)...)
	}
	return out
}
