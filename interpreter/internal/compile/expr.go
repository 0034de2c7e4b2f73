package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// expr lowers an expression that is not a list.
func (c *compiler) expr(e *model.Expr, v *env) *ir.Expr {
	x := c.lower(e, v)
	if x.Site == 0 && x.Op != ir.Const && x.Op != ir.Use {
		x.Site = c.site(e.Span)
	}
	return c.noteOutcome(e, x)
}

// holds lowers a condition; without one it holds.
func (c *compiler) holds(cond *model.Expr, v *env) *ir.Expr {
	if cond == nil {
		return ir.K(1)
	}
	return c.expr(cond, v)
}

// must lowers an expression and checks that its value is not nil.
func (c *compiler) must(e *model.Expr, v *env) *ir.Expr {
	x := c.expr(e, v)
	if c.nonNil(x) {
		return x
	}
	return &ir.Expr{Op: ir.Present, A: x, Site: c.site(e.Span)}
}

// sure checks that a value is not nil, unless it can never be.
func (c *compiler) sure(x *ir.Expr) *ir.Expr {
	if c.nonNil(x) {
		return x
	}
	return ir.Must(x)
}

func (c *compiler) lower(e *model.Expr, v *env) *ir.Expr {
	c.spend()
	arg := func(i int) *ir.Expr { return c.expr(e.Args[i], v) }
	switch e.Op {
	case model.OpConst:
		return ir.K(e.Int)
	case model.OpLocal:
		return v.lookup(e.Local)
	case model.OpElem:
		return v.elem
	case model.OpCell:
		return c.cell(e.Cell, v)
	case model.OpDie:
		return &ir.Expr{Op: ir.Cell, K: c.layout.Dice + e.Die.Index}
	case model.OpVar:
		return c.variable(e, v)
	case model.OpField:
		return c.field(e, v)
	case model.OpTag:
		return c.entry(c.tables.tags[e.Int], arg(0))
	case model.OpFamily:
		return c.entry(c.tables.families[e.Int], arg(0))
	case model.OpAttr:
		return c.entry(c.tables.attributes[e.Int], arg(0))
	case model.OpMark:
		return c.entry(c.tables.marks[e.Int], arg(0))
	case model.OpCall:
		body, inner := c.call(e, v)
		return ir.With(body, c.expr(e.Let.Body, inner))
	case model.OpAll, model.OpAny, model.OpNone, model.OpCount, model.OpFind, model.OpFirst, model.OpLast, model.OpIndex, model.OpSum:
		return c.reduce(e, v)
	case model.OpMin, model.OpMax:
		return c.extreme(e, v)
	case model.OpIndexOf:
		return c.indexOf(e, v)
	case model.OpIn:
		return c.membership(e, v)
	case model.OpAdd:
		return ir.Op2(ir.Add, arg(0), arg(1))
	case model.OpSub:
		return ir.Op2(ir.Sub, arg(0), arg(1))
	case model.OpMul:
		return c.product(e, arg(0), arg(1))
	case model.OpDiv:
		return &ir.Expr{Op: ir.Div, A: arg(0), B: arg(1)}
	case model.OpMod:
		return &ir.Expr{Op: ir.Mod, A: arg(0), B: arg(1)}
	case model.OpInt: // of a division: a quotient of integers is an integer already
		return arg(0)
	case model.OpNeg:
		return ir.Op2(ir.Sub, ir.K(0), arg(0))
	case model.OpAbs:
		x := local("x")
		get := ir.Get(x)
		return ir.With(ir.Body{ir.Assign(x, arg(0))}, ir.Choose(ir.Op2(ir.Lt, get, ir.K(0)), ir.Op2(ir.Sub, ir.K(0), get), get))
	case model.OpEq, model.OpNe:
		return c.equality(e, v)
	case model.OpLt:
		return c.counted(e, v, ir.Op2(ir.Lt, arg(0), arg(1)))
	case model.OpLe:
		return ir.Op2(ir.Le, arg(0), arg(1))
	case model.OpGt:
		return c.counted(e, v, ir.Op2(ir.Lt, arg(1), arg(0)))
	case model.OpGe:
		return ir.Op2(ir.Le, arg(1), arg(0))
	case model.OpNot:
		return ir.Negate(arg(0))
	case model.OpAnd:
		if a := arg(0); !a.Is(0) {
			b := arg(1)
			if x := c.flags(a, b); x != nil {
				return x
			}
			return ir.AndAlso(a, b)
		}
		return ir.K(0)
	case model.OpOr:
		if a := arg(0); !a.Is(1) {
			return ir.OrElse(a, arg(1))
		}
		return ir.K(1)
	case model.OpIf:
		cond := arg(0)
		if cond.Op == ir.Const {
			return arg(2 - cond.K)
		}
		return ir.Choose(cond, arg(1), arg(2))
	case model.OpCoalesce:
		x := local("x")
		return ir.With(ir.Body{ir.Assign(x, arg(0))}, ir.Choose(ir.Op2(ir.Le, ir.K(0), ir.Get(x)), ir.Get(x), arg(1)))
	}
	return ir.K(-1)
}

// at indexes a table or cell range. A nil check on the index is folded into the access, which faults itself.
func at(op ir.Op, base int, index *ir.Expr) *ir.Expr {
	site := 0
	if index.Op == ir.Present && index.K == 0 {
		index, site = index.A, index.Site
	}
	return &ir.Expr{Op: op, K: base, A: index, Site: site}
}

// entry reads a table, and folds the access if the index is constant.
func (c *compiler) entry(base int, x *ir.Expr) *ir.Expr {
	if x.Op == ir.Const && x.K >= 0 && !c.plain {
		return ir.K(int(c.prog.Tables[base+x.K]))
	}
	if t := &c.tables; x.Op == ir.Table && x.K == t.pieceColour && !c.plain { // for the colour of a piece, a table over pieces saves one access
		return &ir.Expr{Op: ir.Table, K: c.byPiece(base), A: x.A, Site: x.Site} // a nil piece faults when its colour is read
	}
	return at(ir.Table, base, x)
}

// byPiece is the table over pieces that composes a table over colours with the colour of the piece. It is cached.
func (c *compiler) byPiece(base int) int {
	of, ok := c.tables.byPiece[base]
	if !ok {
		of = c.tableOf(c.layout.Pieces, func(p int) int { return int(c.prog.Tables[base+p/c.layout.PerColour]) })
		if c.tables.byPiece == nil {
			c.tables.byPiece = map[int]int{}
		}
		c.tables.byPiece[base] = of
	}
	return of
}

var headerCells = map[model.Cell]int{
	model.CellMe: code.CellMe, model.CellSteps: code.CellSteps, model.CellThrown: code.CellThrown, model.CellEarned: code.CellEarned,
	model.CellHeading: code.CellHeading, model.CellUsable: code.CellUsable,
}

// nonNil reports whether an expression can never be nil.
func (c *compiler) nonNil(e *ir.Expr) bool {
	switch e.Op {
	case ir.Use:
		return e.Local.NonNil
	case ir.Const:
		return e.K >= 0
	case ir.Cell:
		return e.K == code.CellMe || e.K == code.CellColour || c.judging && (e.K == code.CellP0 || e.K == code.CellTo)
	case ir.CellAt:
		return e.K == c.layout.At
	case ir.Table:
		t := &c.tables
		if slices.Contains(c.sureMarks, e.K) || c.listAt(e.K) != nil { // the start of a list, or its first element
			return true
		}
		if e.A.Op == ir.Table { // an element of a list
			if l := c.listAt(e.A.K); l != nil && !l.run {
				return true
			}
		}
		return slices.Contains([]int{t.nextPlayer, t.nextColour, t.nodePlace, t.pieceColour, t.piecePlayer, t.pieceTeam, t.colourPlayer, t.colourTeam, t.playerTeam}, e.K)
	case ir.Present:
		return true
	}
	return false
}

// listAt returns the lists whose starts are in a table, or nil.
func (c *compiler) listAt(table int) *listTable {
	t := &c.tables
	lists := []*listTable{&t.piecesOfColour, &t.piecesOfPlayer, &t.piecesOfTeam, &t.coloursOfPlayer, &t.coloursOfTeam, &t.playersOfTeam}
	if i := slices.IndexFunc(lists, func(l *listTable) bool { return l.start == table }); i >= 0 {
		return lists[i]
	}
	return nil
}

func (c *compiler) cell(cell model.Cell, v *env) *ir.Expr {
	if x := v.cells[cell]; x != nil {
		return x
	}
	if cell == model.CellHere { // no step is being judged
		return ir.K(-1)
	}
	if k, ok := headerCells[cell]; ok {
		return &ir.Expr{Op: ir.Cell, K: k}
	}
	return ir.K(0)
}

// variable reads a variable that is no list.
func (c *compiler) variable(e *model.Expr, v *env) *ir.Expr {
	s := c.slots[e.Var.Index]
	if len(e.Args) == 0 {
		return &ir.Expr{Op: ir.Cell, K: s.Cell}
	}
	return at(ir.CellAt, s.Cell, c.expr(e.Args[0], v))
}

func (c *compiler) field(e *model.Expr, v *env) *ir.Expr {
	x := c.expr(e.Args[0], v)
	kind := e.Args[0].Type.Kind
	t, l := &c.tables, c.layout
	switch e.Field {
	case model.FieldAt:
		return at(ir.CellAt, l.At, x)
	case model.FieldColour:
		return at(ir.Table, t.pieceColour, x)
	case model.FieldPlayer:
		if kind == model.Piece {
			return at(ir.Table, t.piecePlayer, x)
		}
		return at(ir.Table, t.colourPlayer, x)
	case model.FieldTeam:
		switch kind {
		case model.Piece:
			return at(ir.Table, t.pieceTeam, x)
		case model.Colour:
			return at(ir.Table, t.colourTeam, x)
		}
		return at(ir.Table, t.playerTeam, x)
	case model.FieldIndex:
		n := local("node")
		return ir.With(ir.Body{ir.Assign(n, at(ir.CellAt, l.Node, x))},
			ir.Choose(ir.Op2(ir.Lt, ir.Get(n), ir.K(0)), ir.K(-1), at(ir.Table, t.nodeIdx, ir.Get(n))))
	case model.FieldSeat:
		return c.sure(x)
	case model.FieldSquare:
		return ir.Op2(ir.Le, ir.K(t.firstSquare), c.sure(x))
	case model.FieldPlaying:
		return ir.Op2(ir.Eq, at(ir.CellAt, l.Status, x), ir.K(code.Playing))
	case model.FieldRanked:
		return ir.Op2(ir.Eq, at(ir.CellAt, l.Status, x), ir.K(code.Ranked))
	case model.FieldWon:
		x = c.sure(x)
		switch kind {
		case model.Player:
			x = at(ir.Table, t.playerTeam, x)
		case model.Colour:
			x = at(ir.Table, t.colourTeam, x)
		}
		return c.won(x)
	case model.FieldPiece:
		return &ir.Expr{Op: ir.Offer, K: vm.OfferPiece, A: x}
	case model.FieldTo:
		return &ir.Expr{Op: ir.Offer, K: vm.OfferTo, A: x}
	case model.FieldSteps:
		return &ir.Expr{Op: ir.Offer, K: vm.OfferSteps, A: x}
	}
	return ir.K(-1)
}

// equality lowers a comparison. A count compared with 0 becomes an existence test.
func (c *compiler) equality(e *model.Expr, v *env) *ir.Expr {
	op := ir.Eq
	if e.Op == model.OpNe {
		op = ir.Ne
	}
	for i, a := range e.Args {
		if some, ok := c.someOf(a, e.Args[1-i], v); ok {
			if op == ir.Eq {
				return ir.Negate(some)
			}
			return some
		}
	}
	return ir.Op2(op, c.expr(e.Args[0], v), c.expr(e.Args[1], v))
}

// failIf faults if a condition holds.
func (c *compiler) failIf(cond *ir.Expr, f code.Fault, at source.Span) ir.Body {
	return ir.When(cond, ir.Body{{Op: ir.Fail, K: int(f), Site: c.site(at)}}, nil)
}
