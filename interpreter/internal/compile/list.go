package compile

import (
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// each emits the loop over the elements of a list; body emits the statements for one element. It may be called several times
// if the list has several forms.
func (c *compiler) each(e *model.Expr, v *env, body func(elem *ir.Expr) ir.Body) ir.Body {
	c.spend()
	if t, owner, ok := c.fixedList(e, v, c.must); ok {
		return c.eachIn(t, owner, body)
	}
	switch e.Op {
	case model.OpSet:
		return c.eachOf(e, v, body)
	case model.OpCall:
		pre, inner := c.call(e, v)
		return append(pre, c.each(e.Let.Body, inner, body)...)
	case model.OpLocal: // a list parameter of a let
		list, where := v.listOf(e.Local)
		return c.each(list, where, body)
	case model.OpFilter:
		list, rest, each := e.Args[0], e.Args[1], c.each
		if set, left := c.pieceSet(e, v); set != nil {
			rest, each = left, func(_ *model.Expr, _ *env, body func(*ir.Expr) ir.Body) ir.Body { return c.eachPiece(set, body) }
		}
		return each(list, v, func(elem *ir.Expr) ir.Body {
			if rest == nil {
				return body(elem)
			}
			return c.when(c.expr(rest, v.withElem(elem)), body(elem), nil)
		})
	case model.OpMap:
		return c.each(e.Args[0], v, func(elem *ir.Expr) ir.Body {
			return hold(local("x"), c.expr(e.Args[1], v.withElem(elem)), body)
		})
	case model.OpIf:
		return c.when(c.expr(e.Args[0], v), c.each(e.Args[1], v, body), c.each(e.Args[2], v, body))
	case model.OpRange:
		if low, high := e.Args[0], e.Args[1]; low.Op == model.OpConst && high.Op == model.OpConst && high.Int-low.Int < maxUnrolled {
			if rounds := c.unroll(through(low.Int, high.Int), body); rounds != nil {
				return rounds
			}
		}
		i, end := local("i"), local("end")
		out := ir.Body{ir.Assign(i, c.expr(e.Args[0], v)), ir.Assign(end, c.expr(e.Args[1], v))}
		return append(out, countUntil(i, ir.Op2(ir.Lt, ir.Get(end), ir.Get(i)), body)...)
	case model.OpList:
		return c.eachListed(e, v, body)
	case model.OpSortBy:
		return c.eachSorted(e, v, body)
	}
	return nil
}

// pieceSet splits a filtered list of pieces: the longest prefix of its conditions that lowers to a bitset, and the
// conditions left to test for each piece (nil for none). The set is nil if not even the first condition lowers to one, or if
// the list is not in ascending order.
func (c *compiler) pieceSet(e *model.Expr, v *env) (set *ir.Expr, rest *model.Expr) {
	list := e.Args[0]
	if list.Type.Kind != model.Piece || !c.ascending(list, v) {
		return nil, nil
	}
	if set = c.mask(list, v); set == nil {
		return nil, nil
	}
	parts := conjuncts(e.Args[1])
	n := 0
	for ; n < len(parts); n++ {
		w := c.filterMask(parts[n], v)
		if w == nil {
			break
		}
		set = c.narrowed(set, w)
	}
	if n == 0 {
		return nil, nil
	}
	return set, joined(parts[n:]...)
}

// eachPiece loops over the pieces of a bitset, in ascending order. The body must not reach a node.
func (c *compiler) eachPiece(set *ir.Expr, body func(*ir.Expr) ir.Body) ir.Body {
	return c.eachLeft(set, func(piece *ir.Expr, _ *ir.Local) ir.Body { return body(piece) })
}

// eachLeft is eachPiece with a body that knows, and may change, the set of the pieces still to come.
func (c *compiler) eachLeft(set *ir.Expr, body func(piece *ir.Expr, rest *ir.Local) ir.Body) ir.Body {
	rest, piece, loop := &ir.Local{Name: "rest", Brief: true}, &ir.Local{Name: "piece", NonNil: true, Brief: true}, ir.NewLoop()
	round := ir.Seq(ir.BreakIf(ir.Op2(ir.Eq, ir.Get(rest), ir.K(0)), loop),
		ir.Assign(piece, &ir.Expr{Op: ir.Lowest, A: ir.Get(rest)}),
		ir.Assign(rest, andNot(ir.Get(rest), at(ir.Masks, c.masks.piece, ir.Get(piece)))))
	return ir.Body{ir.Assign(rest, set), ir.LoopOf(loop, round, body(ir.Get(piece), rest))}
}

// countLoop emits the loop that counts i up to, but not including, end.
func countLoop(i *ir.Local, end *ir.Expr, body func(*ir.Expr) ir.Body) ir.Body {
	return countUntil(i, ir.Op2(ir.Le, end, ir.Get(i)), body)
}

// times is the loop that counts from 0.
func times(end *ir.Expr, body func(i *ir.Expr) ir.Body) ir.Body {
	i := local("i")
	return ir.Seq(set(i, 0), countLoop(i, end, body))
}

// hold assigns a value to a local, and emits what follows with the local.
func hold(l *ir.Local, x *ir.Expr, body func(*ir.Expr) ir.Body) ir.Body {
	return ir.Seq(ir.Assign(l, x), body(ir.Get(l)))
}

func countUntil(i *ir.Local, stop *ir.Expr, body func(*ir.Expr) ir.Body) ir.Body {
	loop := ir.NewLoop()
	return ir.Body{ir.LoopOf(loop, ir.BreakIf(stop, loop), body(ir.Get(i)), increment(i))}
}

// eachListed emits the body for each element of a list literal.
func (c *compiler) eachListed(e *model.Expr, v *env, body func(*ir.Expr) ir.Body) ir.Body {
	switch len(e.Args) {
	case 0:
		return nil
	case 1:
		if only := e.Args[0]; only.Op == model.OpConst && e.Type.Kind == model.Number && !c.plain {
			return body(ir.K(only.Int))
		}
		return hold(local("x"), c.expr(e.Args[0], v), body)
	}
	if len(e.Args) <= maxUnrolled && e.Type.Kind == model.Number {
		if !slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return a.Op != model.OpConst }) {
			if rounds := c.unroll(seq.Map(e.Args, func(a *model.Expr) int { return a.Int }), body); rounds != nil {
				return rounds
			}
		}
	}
	return times(ir.K(len(e.Args)), func(i *ir.Expr) ir.Body {
		value := c.expr(e.Args[len(e.Args)-1], v)
		for n := len(e.Args) - 2; n >= 0; n-- {
			value = ir.Choose(ir.Op2(ir.Eq, i, ir.K(n)), c.expr(e.Args[n], v), value)
		}
		return hold(local("x"), value, body)
	})
}

// Limits for unrolling. A loop over a few constants is unrolled, so that constants fold in each iteration. A long body, or
// one with calls, loops or native effects, is not.
const (
	maxUnrolled = 8
	maxBody     = 60 // nodes: statements and operands
)

// unroll emits the body once per value; nil if the loop should stay.
func (c *compiler) unroll(values []int, body func(*ir.Expr) ir.Body) ir.Body {
	if c.plain || c.notes != nil || !unrollable(body(ir.Get(local("x")))) {
		return nil
	}
	return seq.Flat(values, func(n int) ir.Body { return body(ir.K(n)) })
}

// through lists the numbers from low to high.
func through(low, high int) []int {
	return seq.Of(max(0, high-low+1), func(i int) int { return low + i })
}

// unrollable reports whether a body is small and contains no call, loop or native effect.
func unrollable(stmts ir.Body) bool {
	n, pure := 0, true
	ir.Walk(stmts, func(s *ir.Stmt) bool {
		n++
		switch s.Op {
		case ir.Set, ir.Store, ir.If, ir.Block, ir.Break, ir.Check, ir.Fail:
		case ir.Native:
			pure = pure && code.Effect(s.K) == ir.Harmless
		default:
			pure = false
		}
		return pure
	}, func(*ir.Expr) bool {
		n++
		return pure
	})
	return pure && n <= maxBody
}

// eachSorted collects the elements in scratch memory, sorts them there, and loops over them.
func (c *compiler) eachSorted(e *model.Expr, v *env, body func(*ir.Expr) ir.Body) ir.Body {
	area := code.SortArea{Capacity: c.maxLen(e.Args[0])}
	area.Base = c.scratch(2 * area.Capacity)
	c.prog.Sorts = append(c.prog.Sorts, area)
	number := len(c.prog.Sorts) - 1
	n := local("n")
	out := ir.Seq(set(n, 0), c.each(e.Args[0], v, func(elem *ir.Expr) ir.Body {
		s := c.failIf(ir.Op2(ir.Le, ir.K(area.Capacity), ir.Get(n)), code.FaultOptions, e.Span)
		key := local("key")
		return ir.Seq(s, ir.Assign(key, c.expr(e.Args[1], v.withElem(elem))), c.fits(key, e.Args[1]),
			storeScratch(area.Base, ir.Get(n), ir.Get(key)),
			storeScratch(area.Base+area.Capacity, ir.Get(n), elem), increment(n))
	}), nativeOf(code.Sort, number, ir.Get(n)))
	x := &ir.Local{Name: "x", NonNil: distinct(e.Args[0])}
	return append(out, times(ir.Get(n), func(i *ir.Expr) ir.Body { return hold(x, at(ir.Scratch, area.Base+area.Capacity, i), body) })...)
}

// fits checks that a number fits 16 bits.
func (c *compiler) fits(l *ir.Local, e *model.Expr) *ir.Stmt {
	return &ir.Stmt{Op: ir.Check, A: ir.Get(l), Low: -1 << 15, High: 1<<15 - 1, Site: c.site(e.Span)}
}

func (c *compiler) scratch(n int) int {
	c.tables.scratch += n
	if c.tables.scratch > 1<<20 {
		panic(tooLarge{})
	}
	return c.tables.scratch - n
}

// maxLen bounds the length of a list.
func (c *compiler) maxLen(e *model.Expr) int {
	l := c.layout
	switch e.Op {
	case model.OpFilter, model.OpMap, model.OpSortBy:
		return c.maxLen(e.Args[0])
	case model.OpCall:
		return c.maxLen(e.Let.Body)
	case model.OpIf:
		return max(c.maxLen(e.Args[1]), c.maxLen(e.Args[2]))
	case model.OpList:
		return len(e.Args)
	case model.OpRange:
		return 1000
	case model.OpSet:
		if e.Set == model.SetOffered {
			return code.MaxOptions
		}
		if e.Set == model.SetVar {
			low, high := c.bounds(e.Var)
			return high - low + 1
		}
	}
	switch e.Type.Kind {
	case model.Piece:
		return l.Pieces
	case model.Place:
		return max(l.Places, c.longestTrack())
	}
	return max(l.Colours, l.Players)
}

func (c *compiler) longestTrack() int {
	return slices.Max(append(seq.Map(c.rules.Track.Runs, func(r boards.Run) int { return len(r.Nodes) }), 0))
}

// eachIn loops over one owner's list in a table.
func (c *compiler) eachIn(t listTable, owner *ir.Expr, body func(*ir.Expr) ir.Body) ir.Body {
	i, end := &ir.Local{Name: "i", NonNil: true}, local("end")
	pre := ir.Body{}
	if owner.Op != ir.Const && owner.Op != ir.Use {
		o := &ir.Local{Name: "owner", NonNil: owner.Op == ir.Cell && owner.K < code.HeaderCells || c.nonNil(owner)}
		pre = append(pre, ir.Assign(o, owner))
		owner = ir.Get(o)
	}
	if t.each > 0 {
		pre = append(pre, ir.Assign(i, ir.Op2(ir.Mul, ir.Must(owner), ir.K(t.each))), ir.Assign(end, ir.Op2(ir.Add, ir.Get(i), ir.K(t.each))))
		return append(pre, nonEmpty(countLoop(i, ir.Get(end), body))...)
	}
	start := at(ir.Table, t.start, owner)
	pre = append(pre, ir.Assign(i, start), ir.Assign(end, ir.Op2(ir.Add, at(ir.Table, t.length, owner), ir.Get(i))))
	if t.run {
		return append(pre, countLoop(i, ir.Get(end), body)...)
	}
	x := &ir.Local{Name: "x", NonNil: true}
	return append(pre, countLoop(i, ir.Get(end), func(i *ir.Expr) ir.Body { return hold(x, at(ir.Table, 0, i), body) })...)
}

func (c *compiler) upTo(from, end int, body func(*ir.Expr) ir.Body) ir.Body {
	if from >= end {
		return nil
	}
	i := &ir.Local{Name: "i", NonNil: from >= 0}
	return ir.Seq(set(i, from), nonEmpty(countLoop(i, ir.K(end), body)))
}

// nonEmpty marks a loop that runs at least once.
func nonEmpty(loop ir.Body) ir.Body {
	loop[0].Sure = true
	return loop
}

// eachOf loops over a built-in list that fixedList does not locate.
func (c *compiler) eachOf(e *model.Expr, v *env, body func(*ir.Expr) ir.Body) ir.Body {
	t, l := &c.tables, c.layout
	var owner *ir.Expr
	if len(e.Args) > 0 && e.Set != model.SetVar && e.Set != model.SetCopies {
		owner = c.must(e.Args[0], v)
	}
	switch e.Set {
	case model.SetPiecesOf:
		return c.eachOn(owner, body)
	case model.SetTrackOf:
		return c.eachIn(t.trackOf, owner, body)
	case model.SetPieces:
		return c.upTo(0, l.Pieces, body)
	case model.SetColours:
		return c.upTo(0, l.Colours, body)
	case model.SetPlayers:
		return c.upTo(0, l.Players, body)
	case model.SetTeams:
		return c.upTo(0, l.Teams, body)
	case model.SetSquares:
		return c.upTo(t.firstSquare, l.Places, body)
	case model.SetAfter:
		return c.eachAfter(owner, e.Type.Kind == model.Colour, body)
	case model.SetVar:
		low, high := c.bounds(e.Var)
		if word := c.word(e, v); word != nil {
			return c.eachBit(word, low, body)
		}
		if e.Var.Bag {
			return c.eachWord(e.Var, func(x, word *ir.Expr) ir.Body {
				return ir.When(ir.Op2(ir.Lt, ir.K(0), c.copies(e, word, v)), body(x), nil)
			})
		}
		return c.upTo(low, high+1, func(x *ir.Expr) ir.Body { return ir.When(c.hasBit(e, x, v), body(x), nil) })
	case model.SetCopies:
		return c.eachCopy(e, v, body)
	case model.SetHand:
		if c.rules.TurnsByColour {
			return body(&ir.Expr{Op: ir.Cell, K: code.CellColour})
		}
		return c.eachIn(t.coloursOfPlayer, &ir.Expr{Op: ir.Cell, K: code.CellMe}, body)
	case model.SetOffered:
		return times(&ir.Expr{Op: ir.Offers}, body)
	}
	return nil
}

// eachOn loops over the pieces on a place, the oldest arrival first.
func (c *compiler) eachOn(place *ir.Expr, body func(*ir.Expr) ir.Body) ir.Body {
	q := &ir.Local{Name: "q", NonNil: true} // nil ends the loop
	loop := ir.NewLoop()
	stmts := ir.Seq(ir.BreakIf(ir.Op2(ir.Lt, ir.Get(q), ir.K(0)), loop), body(ir.Get(q)),
		ir.Assign(q, at(ir.CellAt, c.layout.Next, ir.Get(q))))
	return ir.Body{ir.Assign(q, at(ir.CellAt, c.layout.Head, place)), ir.LoopOf(loop, stmts)}
}

// eachAfter loops over the players or colours still in the game, in turn order, starting after x.
func (c *compiler) eachAfter(x *ir.Expr, colours bool, body func(*ir.Expr) ir.Body) ir.Body {
	n := c.layout.Players
	if colours {
		n = c.layout.Colours
	}
	start, i, y := local("start"), local("i"), &ir.Local{Name: "y", NonNil: true}
	return ir.Seq(ir.Assign(start, x), set(i, 1), countLoop(i, ir.K(n), func(*ir.Expr) ir.Body {
		next := ir.Op2(ir.Add, ir.Get(start), ir.Get(i))
		stmts := ir.Seq(ir.Assign(y, next),
			ir.When(ir.Op2(ir.Le, ir.K(n), ir.Get(y)), ir.Assign(y, ir.Op2(ir.Sub, ir.Get(y), ir.K(n))), nil))
		player := ir.Get(y)
		if colours {
			player = at(ir.Table, c.tables.colourPlayer, ir.Get(y))
		}
		return append(stmts, ir.When(ir.Op2(ir.Eq, at(ir.CellAt, c.layout.Status, player), ir.K(code.Playing)), body(ir.Get(y)), nil)...)
	}))
}
