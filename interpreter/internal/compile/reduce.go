package compile

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// reduce lowers an operation that reduces a list to a single value.
func (c *compiler) reduce(e *model.Expr, v *env) *ir.Expr {
	switch e.Op {
	case model.OpAny, model.OpNone, model.OpAll, model.OpCount, model.OpFind:
		if e.Op == model.OpCount && c.plainCount(e, v) != nil {
			break
		}
		if x := c.reduceMask(e, v); x != nil {
			return x
		}
	}
	list := e.Args[0]
	holds := func(elem *ir.Expr) *ir.Expr {
		if len(e.Args) < 2 {
			return ir.K(1)
		}
		return c.expr(e.Args[1], v.withElem(elem))
	}
	r := local("r")
	out := ir.NewBlock()
	begin := func(value int, loop ir.Body) *ir.Expr {
		return ir.With(ir.Body{ir.Assign(r, ir.K(value)), ir.BlockOf(out, loop)}, ir.Get(r))
	}
	leave := func(value *ir.Expr) ir.Body { return ir.Body{ir.Assign(r, value), ir.BreakTo(out)} }
	switch e.Op {
	case model.OpAny:
		return search(0, func(yes, _ *ir.Label) ir.Body {
			return c.each(list, v, func(elem *ir.Expr) ir.Body { return ir.BreakIf(holds(elem), yes) })
		})
	case model.OpNone:
		return search(1, func(_, no *ir.Label) ir.Body {
			return c.each(list, v, func(elem *ir.Expr) ir.Body { return ir.BreakIf(holds(elem), no) })
		})
	case model.OpAll:
		return search(1, func(_, no *ir.Label) ir.Body {
			return c.each(list, v, func(elem *ir.Expr) ir.Body {
				return ir.BreakIf(ir.Negate(holds(elem)), no)
			})
		})
	case model.OpCount:
		if n := c.plainCount(e, v); n != nil {
			return n
		}
		return begin(0, c.each(list, v, func(elem *ir.Expr) ir.Body {
			return ir.When(holds(elem), increment(r), nil)
		}))
	case model.OpSum:
		return begin(0, c.each(list, v, func(elem *ir.Expr) ir.Body {
			x := elem
			if len(e.Args) > 1 {
				x = c.expr(e.Args[1], v.withElem(elem))
			}
			return ir.Body{ir.Assign(r, ir.Op2(ir.Add, ir.Get(r), x))}
		}))
	case model.OpFind:
		return begin(-1, c.each(list, v, func(elem *ir.Expr) ir.Body { return ir.When(holds(elem), leave(elem), nil) }))
	case model.OpFirst:
		if p := c.endOf(list, c.layout.Head, v); p != nil {
			return p
		}
		if x := c.nextOf(list, v); x != nil {
			return x
		}
		return begin(-1, c.each(list, v, leave))
	case model.OpLast:
		if p := c.endOf(list, c.layout.Tail, v); p != nil {
			return p
		}
		return begin(-1, c.each(list, v, func(elem *ir.Expr) ir.Body { return ir.Body{ir.Assign(r, elem)} }))
	}
	return c.index(e, v)
}

// counted rewrites count > 0 and 0 < count to an existence test.
func (c *compiler) counted(e *model.Expr, v *env, otherwise *ir.Expr) *ir.Expr {
	count, zero := e.Args[0], e.Args[1]
	if e.Op == model.OpLt {
		count, zero = zero, count
	}
	if some, ok := c.someOf(count, zero, v); ok {
		return some
	}
	return otherwise
}

// someOf is the condition that a count is greater than 0, for a count that is compared with 0.
func (c *compiler) someOf(count, zero *model.Expr, v *env) (*ir.Expr, bool) {
	if !zero.IsConst(0) || count.Op != model.OpCount {
		return nil, false
	}
	if len(count.Args) == 1 {
		if word := c.word(count.Args[0], v); word != nil {
			return ir.Op2(ir.Ne, word, ir.K(0)), true
		}
	}
	if c.plainCount(count, v) != nil {
		return nil, false
	}
	any := &model.Expr{Op: model.OpAny, Type: model.Of(model.Flag), Args: count.Args, Span: count.Span}
	if len(any.Args) == 1 {
		any.Args = []*model.Expr{count.Args[0], model.Const(model.Of(model.Flag), 1, count.Span)}
	}
	return c.expr(any, v), true
}

// plainCount is a count that needs no loop: of the pieces on a place, or of a constant list. It is nil for other counts.
func (c *compiler) plainCount(e *model.Expr, v *env) *ir.Expr {
	if len(e.Args) != 1 {
		return nil
	}
	list := e.Args[0]
	if word := c.word(list, v); word != nil {
		return &ir.Expr{Op: ir.Bits, A: word}
	}
	if list.Op != model.OpSet {
		return nil
	}
	switch l := c.layout; list.Set {
	case model.SetCopies:
		return c.bagSize(list, v)
	case model.SetPiecesOf:
		if list.Args[0].Type.Kind == model.Place {
			return at(ir.CellAt, l.Count, c.must(list.Args[0], v))
		}
	case model.SetPieces:
		return ir.K(l.Pieces)
	case model.SetColours:
		return ir.K(l.Colours)
	case model.SetPlayers:
		return ir.K(l.Players)
	case model.SetTeams:
		return ir.K(l.Teams)
	case model.SetSquares:
		return ir.K(l.Places - c.tables.firstSquare)
	}
	return nil
}

// membership reports whether a value is in a list.
func (c *compiler) membership(e *model.Expr, v *env) *ir.Expr {
	body, x := c.operand("x", c.expr(e.Args[0], v))
	list := e.Args[1]
	switch {
	case list.Op == model.OpList:
		found := ir.K(0)
		for _, a := range list.Args {
			found = ir.OrElse(found, ir.Op2(ir.Eq, x, c.expr(a, v)))
		}
		return ir.With(body, found)
	case list.Op == model.OpRange:
		return ir.With(body, ir.AndAlso(ir.Op2(ir.Le, c.expr(list.Args[0], v), x), ir.Op2(ir.Le, x, c.expr(list.Args[1], v))))
	case list.Op == model.OpSet && list.Set == model.SetVar:
		low, high := c.bounds(list.Var)
		inside := ir.AndAlso(ir.Op2(ir.Le, ir.K(low), x), ir.Op2(ir.Le, x, ir.K(high)))
		return ir.With(body, ir.AndAlso(inside, c.hasBit(list, x, v)))
	}
	return ir.With(body, search(0, func(yes, _ *ir.Label) ir.Body {
		return c.each(list, v, func(elem *ir.Expr) ir.Body {
			return ir.BreakIf(ir.Op2(ir.Eq, elem, x), yes)
		})
	}))
}

// search is a condition with early exit: the body breaks to yes or no. Otherwise its value is the default.
func search(otherwise int, body func(yes, no *ir.Label) ir.Body) *ir.Expr {
	e := &ir.Expr{Op: ir.Search, K: otherwise, Yes: ir.NewBlock(), No: ir.NewBlock()}
	e.Body = body(e.Yes, e.No)
	return e
}

// extreme is the minimum or maximum of some numbers.
func (c *compiler) extreme(e *model.Expr, v *env) *ir.Expr {
	best, x := local("best"), local("x")
	better := func() *ir.Expr {
		if e.Op == model.OpMin {
			return ir.Op2(ir.Lt, ir.Get(x), ir.Get(best))
		}
		return ir.Op2(ir.Lt, ir.Get(best), ir.Get(x))
	}
	if !e.Args[0].Type.List {
		if fixed := c.fixedExtreme(e, v); fixed != nil {
			return fixed
		}
		body := ir.Body{ir.Assign(best, c.expr(e.Args[0], v))}
		for _, a := range e.Args[1:] {
			body = ir.Seq(body, ir.Assign(x, c.expr(a, v)), ir.When(better(), ir.Assign(best, ir.Get(x)), nil))
		}
		return ir.With(body, ir.Get(best))
	}
	some := local("some")
	body := ir.Seq(
		set(best, -1), set(some, 0), set(x, 0),
		c.each(e.Args[0], v, func(elem *ir.Expr) ir.Body {
			return ir.Seq(ir.Assign(x, elem),
				ir.When(ir.OrElse(ir.Op2(ir.Eq, ir.Get(some), ir.K(0)), better()), ir.Assign(best, ir.Get(x)), nil),
				set(some, 1))
		}),
		c.failIf(ir.Op2(ir.Eq, ir.Get(some), ir.K(0)), code.FaultIndex, e.Span),
	)
	return ir.With(body, ir.Get(best))
}

// fixedExtreme folds the minimum or maximum of constants, nil otherwise.
func (c *compiler) fixedExtreme(e *model.Expr, v *env) *ir.Expr {
	best := 0
	for i, a := range e.Args {
		x := c.expr(a, v)
		if x.Op != ir.Const {
			return nil
		}
		if i == 0 || e.Op == model.OpMin && x.K < best || e.Op == model.OpMax && x.K > best {
			best = x.K
		}
	}
	return ir.K(best)
}

// index is one element of a list. An index out of range is a fault.
func (c *compiler) index(e *model.Expr, v *env) *ir.Expr {
	list, n := e.Args[0], e.Args[1]
	if first := c.endOf(list, c.layout.Head, v); first != nil && n.Op == model.OpConst && n.Int <= 3 {
		p := &ir.Expr{Op: ir.Present, K: int(code.FaultIndex), A: first, Site: c.site(e.Span)}
		for range n.Int {
			p = &ir.Expr{Op: ir.Present, K: int(code.FaultIndex), A: at(ir.CellAt, c.layout.Next, p), Site: c.site(e.Span)}
		}
		return p
	}
	if n.Op == model.OpConst && !c.plain {
		if t, owner, ok := c.fixedList(list, v, c.expr); ok && n.Int < t.least {
			switch {
			case t.each > 0:
				return ir.Op2(ir.Add, ir.Op2(ir.Mul, c.sure(owner), ir.K(t.each)), ir.K(n.Int))
			case t.run:
				return ir.Op2(ir.Add, at(ir.Table, t.start, owner), ir.K(n.Int))
			}
			return at(ir.Table, n.Int, at(ir.Table, t.start, owner))
		}
	}
	r, left := local("r"), local("left")
	out := ir.NewBlock()
	loop := ir.Seq(c.each(list, v, func(elem *ir.Expr) ir.Body {
		return ir.Seq(ir.When(ir.Op2(ir.Eq, ir.Get(left), ir.K(0)), ir.Body{ir.Assign(r, elem), ir.BreakTo(out)}, nil),
			ir.Assign(left, ir.Op2(ir.Sub, ir.Get(left), ir.K(1))))
	}), c.failIf(ir.K(1), code.FaultIndex, e.Span))
	return ir.With(ir.Body{set(r, -1), ir.Assign(left, c.expr(n, v)), ir.BlockOf(out, loop)}, ir.Get(r))
}

// indexOf is the index of a value in a list, -1 if it is absent.
func (c *compiler) indexOf(e *model.Expr, v *env) *ir.Expr {
	body, x := c.operand("x", c.expr(e.Args[1], v))
	r, i, out := local("r"), local("i"), ir.NewBlock()
	loop := c.each(e.Args[0], v, func(elem *ir.Expr) ir.Body {
		return ir.Seq(ir.When(ir.Op2(ir.Eq, elem, x), ir.Body{ir.Assign(r, ir.Get(i)), ir.BreakTo(out)}, nil), increment(i))
	})
	return ir.With(ir.Seq(body, set(r, -1), set(i, 0), ir.BlockOf(out, loop)), ir.Get(r))
}

// endOf is the first or last piece on a place.
func (c *compiler) endOf(list *model.Expr, base int, v *env) *ir.Expr {
	if list.Op == model.OpSet && list.Set == model.SetPiecesOf && list.Args[0].Type.Kind == model.Place {
		return at(ir.CellAt, base, c.must(list.Args[0], v))
	}
	return nil
}

// nextOf is the first player or colour after another one. It reads a table, if no player leaves the game before it is over.
func (c *compiler) nextOf(list *model.Expr, v *env) *ir.Expr {
	if c.plain || list.Op != model.OpSet || list.Set != model.SetAfter || c.removes() {
		return nil
	}
	table, n := &c.tables.nextPlayer, c.layout.Players
	if list.Type.Kind == model.Colour {
		table, n = &c.tables.nextColour, c.layout.Colours
	}
	if n < 2 {
		return nil
	}
	if *table < 0 {
		*table = c.tableOf(n, func(x int) int { return (x + 1) % n })
	}
	return at(ir.Table, *table, c.must(list.Args[0], v))
}

// fixedList locates a constant list of colours, players or pieces in the tables, with its owner, which expr lowers.
func (c *compiler) fixedList(e *model.Expr, v *env, expr func(*model.Expr, *env) *ir.Expr) (t listTable, owner *ir.Expr, ok bool) {
	switch e.Op {
	case model.OpMine:
		if c.rules.TurnsByColour {
			return c.tables.piecesOfColour, cell(code.CellColour), true
		}
		return c.tables.piecesOfPlayer, cell(code.CellMe), true
	case model.OpSet:
	default:
		return t, nil, false
	}
	var kind model.Kind
	if len(e.Args) > 0 {
		kind = e.Args[0].Type.Kind
	}
	switch {
	case e.Set == model.SetPiecesOf && kind == model.Colour:
		t = c.tables.piecesOfColour
	case e.Set == model.SetPiecesOf && kind == model.Player:
		t = c.tables.piecesOfPlayer
	case e.Set == model.SetPiecesOf && kind == model.Team:
		t = c.tables.piecesOfTeam
	case e.Set == model.SetColoursOf && kind == model.Team:
		t = c.tables.coloursOfTeam
	case e.Set == model.SetColoursOf:
		t = c.tables.coloursOfPlayer
	case e.Set == model.SetPlayersOf:
		t = c.tables.playersOfTeam
	default:
		return t, nil, false
	}
	return t, expr(e.Args[0], v), true
}
