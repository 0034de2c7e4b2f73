package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// env is what names and context words mean where an expression stands. It is never changed; with… makes another.
type env struct {
	outer *env
	local *model.Local
	value *ir.Expr

	list   *model.Expr // of a list parameter: the list, and where it stands
	listAt *env
	arg    *model.Expr // of another parameter: what was given for it, and where that stands
	argAt  *env

	elem  *ir.Expr                // what # is
	cells map[model.Cell]*ir.Expr // context words that are not cells here
}

func (e *env) with(l *model.Local, v *ir.Expr) *env {
	if l == nil {
		return e
	}
	return &env{outer: e, local: l, value: v, elem: e.elem, cells: e.cells}
}

func (e *env) looking(at *ir.Expr) *env {
	return &env{outer: e, elem: at, cells: e.cells}
}

func (e *env) saying(cells map[model.Cell]*ir.Expr) *env {
	all := map[model.Cell]*ir.Expr{}
	for k, v := range e.cells {
		all[k] = v
	}
	for k, v := range cells {
		all[k] = v
	}
	return &env{outer: e, elem: e.elem, cells: all}
}

func (e *env) lookup(l *model.Local) *ir.Expr {
	for x := e; x != nil; x = x.outer {
		if x.local == l && l != nil {
			return x.value
		}
	}
	return ir.K(-1)
}

// listOf is the list a parameter stands for.
func (e *env) listOf(l *model.Local) (*model.Expr, *env) {
	for x := e; x != nil; x = x.outer {
		if x.local == l {
			return x.list, x.listAt
		}
	}
	return nil, nil
}

// argOf is what was given for a parameter of a let, nil for other names.
func (e *env) argOf(l *model.Local) (*model.Expr, *env) {
	for x := e; x != nil; x = x.outer {
		if x.local == l {
			return x.arg, x.argAt
		}
	}
	return nil, nil
}

// expr lowers a plain value.
func (c *compiler) expr(e *model.Expr, v *env) *ir.Expr {
	x := c.lower(e, v)
	if x.Site == 0 && x.Op != ir.Const && x.Op != ir.Use {
		x.Site = c.site(e.Span)
	}
	return c.judged(e, x)
}

// must lowers a value that must not be nil.
func (c *compiler) must(e *model.Expr, v *env) *ir.Expr {
	x := c.expr(e, v)
	if c.nonNil(x) {
		return x
	}
	return &ir.Expr{Op: ir.Present, A: x, Site: c.site(e.Span)}
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
	case model.OpInt: // of a division: whole numbers divide so by themselves
		return arg(0)
	case model.OpNeg:
		return ir.Op2(ir.Sub, ir.K(0), arg(0))
	case model.OpAbs:
		x := &ir.Local{Name: "x"}
		get := ir.Get(x)
		return ir.With([]*ir.Stmt{ir.Assign(x, arg(0))}, ir.Choose(ir.Op2(ir.Lt, get, ir.K(0)), ir.Op2(ir.Sub, ir.K(0), get), get))
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
		x := &ir.Local{Name: "x"}
		return ir.With([]*ir.Stmt{ir.Assign(x, arg(0))}, ir.Choose(ir.Op2(ir.Le, ir.K(0), ir.Get(x)), ir.Get(x), arg(1)))
	}
	return ir.K(-1)
}

// at reads what belongs to index; a nil index is a fault of the reading itself.
func at(op ir.Op, base int, index *ir.Expr) *ir.Expr {
	if index.Op == ir.Present && index.K == 0 {
		index = index.A
	}
	return &ir.Expr{Op: op, K: base, A: index}
}

// entry reads a table, at once where the index is settled.
func (c *compiler) entry(base int, x *ir.Expr) *ir.Expr {
	if x.Op == ir.Const && x.K >= 0 && !c.plain {
		return ir.K(int(c.prog.Tables[base+x.K]))
	}
	if t := &c.tables; x.Op == ir.Table && x.K == t.pieceColour && !c.plain { // of a piece's colour: one look
		return &ir.Expr{Op: ir.Table, K: c.byPiece(base), A: x.A}
	}
	return at(ir.Table, base, x)
}

// byPiece is the table of the pieces that says of each what another says of its colour.
func (c *compiler) byPiece(base int) int {
	of, ok := c.tables.byPiece[base]
	if !ok {
		var values []int
		for p := range c.layout.Pieces {
			values = append(values, int(c.prog.Tables[base+p/c.layout.PerColour]))
		}
		of = c.table(values...)
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

// nonNil reports whether an expression can never be nil: where a piece stands, what a table holds of nodes.
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
		if slices.Contains(c.sureMarks, e.K) {
			return true
		}
		if c.listAt(e.K) != nil { // where a list stands, or its first element
			return true
		}
		if e.A.Op == ir.Table { // an element of a list
			if l := c.listAt(e.A.K); l != nil && !l.run {
				return true
			}
		}
		return e.K == t.nextPlayer || e.K == t.nextColour || e.K == t.nodePlace || e.K == t.pieceColour || e.K == t.piecePlayer || e.K == t.pieceTeam || e.K == t.colourPlayer || e.K == t.colourTeam || e.K == t.playerTeam
	case ir.Present:
		return true
	}
	return false
}

// listAt is the lists of owners whose beginnings a table holds, or nil.
func (c *compiler) listAt(table int) *listTable {
	t := &c.tables
	for _, l := range []*listTable{&t.piecesOfColour, &t.piecesOfPlayer, &t.piecesOfTeam, &t.coloursOfPlayer, &t.coloursOfTeam, &t.playersOfTeam} {
		if l.start == table {
			return l
		}
	}
	return nil
}

func (c *compiler) cell(cell model.Cell, v *env) *ir.Expr {
	if x := v.cells[cell]; x != nil {
		return x
	}
	if k, ok := headerCells[cell]; ok {
		return &ir.Expr{Op: ir.Cell, K: k}
	}
	return ir.K(0)
}

// variable reads a plain variable.
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
		n := &ir.Local{Name: "node"}
		return ir.With([]*ir.Stmt{ir.Assign(n, at(ir.CellAt, l.Node, x))},
			ir.Choose(ir.Op2(ir.Lt, ir.Get(n), ir.K(0)), ir.K(-1), at(ir.Table, t.nodeIdx, ir.Get(n))))
	case model.FieldSeat:
		if !c.nonNil(x) {
			x = ir.Must(x)
		}
		return x
	case model.FieldSquare:
		if !c.nonNil(x) {
			x = ir.Must(x)
		}
		return ir.Op2(ir.Le, ir.K(t.firstSquare), x)
	case model.FieldPlaying:
		return ir.Op2(ir.Eq, at(ir.CellAt, l.Status, x), ir.K(code.Playing))
	case model.FieldRanked:
		return ir.Op2(ir.Eq, at(ir.CellAt, l.Status, x), ir.K(code.Ranked))
	case model.FieldPiece:
		return &ir.Expr{Op: ir.Offer, K: vm.OfferPiece, A: x}
	case model.FieldTo:
		return &ir.Expr{Op: ir.Offer, K: vm.OfferTo, A: x}
	case model.FieldSteps:
		return &ir.Expr{Op: ir.Offer, K: vm.OfferSteps, A: x}
	}
	return ir.K(-1)
}

// call binds a let's parameters: plain ones to their place, others to a local.
func (c *compiler) call(e *model.Expr, v *env) ([]*ir.Stmt, *env) {
	inner := &env{cells: v.cells}
	body := c.note(NoteLet, e.Let.Span)
	for i, p := range e.Let.Params {
		if p.Type.List {
			// A list parameter is the list itself, looked at anew each time.
			inner = &env{outer: inner, local: p, list: e.Args[i], listAt: v, cells: inner.cells}
			continue
		}
		x := c.expr(e.Args[i], v)
		if x.Op != ir.Const && x.Op != ir.Use {
			l := &ir.Local{Name: p.Name, NonNil: c.nonNil(x)}
			body = append(body, ir.Assign(l, x))
			x = ir.Get(l)
		}
		inner = inner.with(p, x)
		inner.arg, inner.argAt = e.Args[i], v
	}
	return body, inner
}

// equality compares; counts with 0 stop at the first element.
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

// counted turns count > 0 and 0 < count into "some".
func (c *compiler) counted(e *model.Expr, v *env, plain *ir.Expr) *ir.Expr {
	count, zero := e.Args[0], e.Args[1]
	if e.Op == model.OpLt {
		count, zero = zero, count
	}
	if some, ok := c.someOf(count, zero, v); ok {
		return some
	}
	return plain
}

// someOf is the condition that a count that is compared with 0 is more than that.
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

// plainCount is the number of a place's pieces, which is kept, or of a list that never changes; nil for other counts.
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
	case model.SetPiecesOf:
		if list.Args[0].Type.Kind == model.Place {
			return at(ir.CellAt, l.Count, c.expr(list.Args[0], v))
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

// membership is whether a value is in a list.
func (c *compiler) membership(e *model.Expr, v *env) *ir.Expr {
	x := c.expr(e.Args[0], v)
	list := e.Args[1]
	var body []*ir.Stmt
	if x.Op != ir.Const && x.Op != ir.Use {
		l := &ir.Local{Name: "x"}
		body = append(body, ir.Assign(l, x))
		x = ir.Get(l)
	}
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
	return ir.With(body, search(0, func(yes, _ *ir.Label) []*ir.Stmt {
		return c.each(list, v, func(elem *ir.Expr) []*ir.Stmt {
			return ir.When(ir.Op2(ir.Eq, elem, x), []*ir.Stmt{ir.BreakTo(yes)}, nil)
		})
	}))
}

// search is a condition that a body settles by breaking to yes or no, and that is otherwise what it is by default.
func search(otherwise int, body func(yes, no *ir.Label) []*ir.Stmt) *ir.Expr {
	e := &ir.Expr{Op: ir.Search, K: otherwise, Yes: ir.NewBlock(), No: ir.NewBlock()}
	e.Body = body(e.Yes, e.No)
	return e
}

// bounds are the least and greatest value a set variable may hold.
func (c *compiler) bounds(x *model.Var) (low, high int) {
	s := c.slots[x.Index]
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
	return s.Low, x.High
}

// wordAt is the cell of a set variable that holds bit.
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

// hasBit is whether a set variable holds x, which lies within its bounds.
func (c *compiler) hasBit(e *model.Expr, x *ir.Expr, v *env) *ir.Expr {
	low, _ := c.bounds(e.Var)
	bit := ir.Op2(ir.Sub, x, ir.K(low))
	base, index := c.wordAt(e, bit, v)
	return &ir.Expr{Op: ir.And, A: &ir.Expr{Op: ir.Shr, A: at(ir.CellAt, base, index), B: &ir.Expr{Op: ir.And, A: bit, B: ir.K(15)}}, B: ir.K(1)}
}

// fixedExtreme is the least or greatest of numbers that are all constants here; nil otherwise.
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

// extreme is the least or greatest of some numbers.
func (c *compiler) extreme(e *model.Expr, v *env) *ir.Expr {
	best, x := &ir.Local{Name: "best"}, &ir.Local{Name: "x"}
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
		body := []*ir.Stmt{ir.Assign(best, c.expr(e.Args[0], v))}
		for _, a := range e.Args[1:] {
			body = append(body, ir.Assign(x, c.expr(a, v)))
			body = append(body, ir.When(better(), []*ir.Stmt{ir.Assign(best, ir.Get(x))}, nil)...)
		}
		return ir.With(body, ir.Get(best))
	}
	some := &ir.Local{Name: "some"}
	body := []*ir.Stmt{ir.Assign(best, ir.K(-1)), ir.Assign(some, ir.K(0)), ir.Assign(x, ir.K(0))}
	body = append(body, c.each(e.Args[0], v, func(elem *ir.Expr) []*ir.Stmt {
		out := []*ir.Stmt{ir.Assign(x, elem)}
		out = append(out, ir.When(ir.OrElse(ir.Op2(ir.Eq, ir.Get(some), ir.K(0)), better()), []*ir.Stmt{ir.Assign(best, ir.Get(x))}, nil)...)
		return append(out, ir.Assign(some, ir.K(1)))
	})...)
	body = append(body, ir.When(ir.Op2(ir.Eq, ir.Get(some), ir.K(0)), []*ir.Stmt{c.fail(code.FaultIndex, e)}, nil)...)
	return ir.With(body, ir.Get(best))
}

func (c *compiler) fail(f code.Fault, e *model.Expr) *ir.Stmt {
	return &ir.Stmt{Op: ir.Fail, K: int(f), Site: c.site(e.Span)}
}

// reduce lowers what makes a plain value of a list.
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
		return c.expr(e.Args[1], v.looking(elem))
	}
	r := &ir.Local{Name: "r"}
	out := ir.NewBlock()
	begin := func(value int, loop []*ir.Stmt) *ir.Expr {
		return ir.With([]*ir.Stmt{ir.Assign(r, ir.K(value)), ir.BlockOf(out, loop...)}, ir.Get(r))
	}
	leave := func(value *ir.Expr) []*ir.Stmt { return []*ir.Stmt{ir.Assign(r, value), ir.BreakTo(out)} }
	switch e.Op {
	case model.OpAny:
		return search(0, func(yes, _ *ir.Label) []*ir.Stmt {
			return c.each(list, v, func(elem *ir.Expr) []*ir.Stmt { return ir.When(holds(elem), []*ir.Stmt{ir.BreakTo(yes)}, nil) })
		})
	case model.OpNone:
		return search(1, func(_, no *ir.Label) []*ir.Stmt {
			return c.each(list, v, func(elem *ir.Expr) []*ir.Stmt { return ir.When(holds(elem), []*ir.Stmt{ir.BreakTo(no)}, nil) })
		})
	case model.OpAll:
		return search(1, func(_, no *ir.Label) []*ir.Stmt {
			return c.each(list, v, func(elem *ir.Expr) []*ir.Stmt {
				return ir.When(ir.Negate(holds(elem)), []*ir.Stmt{ir.BreakTo(no)}, nil)
			})
		})
	case model.OpCount:
		if n := c.plainCount(e, v); n != nil {
			return n
		}
		return begin(0, c.each(list, v, func(elem *ir.Expr) []*ir.Stmt {
			return ir.When(holds(elem), []*ir.Stmt{ir.Assign(r, ir.Op2(ir.Add, ir.Get(r), ir.K(1)))}, nil)
		}))
	case model.OpSum:
		return begin(0, c.each(list, v, func(elem *ir.Expr) []*ir.Stmt {
			x := elem
			if len(e.Args) > 1 {
				x = c.expr(e.Args[1], v.looking(elem))
			}
			return []*ir.Stmt{ir.Assign(r, ir.Op2(ir.Add, ir.Get(r), x))}
		}))
	case model.OpFind:
		return begin(-1, c.each(list, v, func(elem *ir.Expr) []*ir.Stmt { return ir.When(holds(elem), leave(elem), nil) }))
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
		return begin(-1, c.each(list, v, func(elem *ir.Expr) []*ir.Stmt { return []*ir.Stmt{ir.Assign(r, elem)} }))
	}
	return c.index(e, v)
}

// endOf is the first or last piece of a place.
func (c *compiler) endOf(list *model.Expr, base int, v *env) *ir.Expr {
	if list.Op == model.OpSet && list.Set == model.SetPiecesOf && list.Args[0].Type.Kind == model.Place {
		return at(ir.CellAt, base, c.expr(list.Args[0], v))
	}
	return nil
}

// nextOf is the first player or colour after another one, from a table where no player leaves the game before it is over.
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
		var next []int
		for x := range n {
			next = append(next, (x+1)%n)
		}
		*table = c.table(next...)
	}
	return at(ir.Table, *table, c.expr(list.Args[0], v))
}

// fixedList is where a list stands in the tables, and its owner, for lists of colours, players and pieces that never change.
func (c *compiler) fixedList(e *model.Expr, v *env) (t listTable, owner *ir.Expr, ok bool) {
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
	return t, c.expr(e.Args[0], v), true
}

// index is one element of a list; one that is not there is a fault.
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
		if t, owner, ok := c.fixedList(list, v); ok && n.Int < t.least {
			switch {
			case t.each > 0:
				if !c.nonNil(owner) {
					owner = ir.Must(owner)
				}
				return ir.Op2(ir.Add, ir.Op2(ir.Mul, owner, ir.K(t.each)), ir.K(n.Int))
			case t.run:
				return ir.Op2(ir.Add, at(ir.Table, t.start, owner), ir.K(n.Int))
			}
			return at(ir.Table, n.Int, at(ir.Table, t.start, owner))
		}
	}
	r, left := &ir.Local{Name: "r"}, &ir.Local{Name: "left"}
	out := ir.NewBlock()
	loop := c.each(list, v, func(elem *ir.Expr) []*ir.Stmt {
		return append(ir.When(ir.Op2(ir.Eq, ir.Get(left), ir.K(0)), []*ir.Stmt{ir.Assign(r, elem), ir.BreakTo(out)}, nil),
			ir.Assign(left, ir.Op2(ir.Sub, ir.Get(left), ir.K(1))))
	})
	loop = append(loop, c.fail(code.FaultIndex, e))
	return ir.With([]*ir.Stmt{ir.Assign(r, ir.K(-1)), ir.Assign(left, c.expr(n, v)), ir.BlockOf(out, loop...)}, ir.Get(r))
}
