package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// offer is the rows of a may clause for the pieces of one colour.
type offer struct {
	*sheet
	may    *model.Clause
	set    *ir.Local // the pieces that remain
	colour int       // -1: the colour in turn, or any
	piece  *ir.Local // any piece of the colour, for expressions that depend only on the colour; nil for all colours
	begin  *ir.Expr  // the value of piece
	to     func(p *ir.Expr) *ir.Expr
	toOf   *ir.Local // the common place where all pieces end, or nil
	alone  bool      // there is only one row: the set becomes its set
	sure   bool      // the set of that row is definitely assigned
}

// ofAll emits the rows for pieces of any colours. What does not depend on the piece at all is a single row for all colours.
func (p *offer) ofAll(by, rest *model.Expr, v *env) ir.Body {
	c, x, m := p.compiler, p.may, p.may.Move
	if by != nil && by.Op == model.OpIf && !asksOf(by.Args[0], x.Params) {
		cond := c.expr(by.Args[0], v)
		return ir.When(cond, p.ofAll(by.Args[1], rest, v), p.ofAll(by.Args[2], rest, v))
	}
	if (by == nil || !asksOf(by, x.Params)) && (m.Where == nil || !asksOf(m.Where, m.Params)) {
		q := *p
		q.colour = -1
		return ir.When(ir.Op2(ir.Ne, ir.Get(p.set), ir.K(0)), q.numbers(by, rest, v, q.bind(v, x.Params, ir.Get(q.piece))), nil)
	}
	var out ir.Body
	for colour := range c.layout.Colours {
		q := *p
		q.set, q.colour = local("part"), colour
		out = ir.Seq(out, ir.Assign(q.set, intersect(ir.Get(p.set), at(ir.Masks, c.masks.colour, ir.K(colour)))),
			q.ofColour(by, nil, rest, v))
	}
	return out
}

// ofColour emits the rows for pieces of one colour: of, or the colour of the offer if of is nil.
func (p *offer) ofColour(by *model.Expr, of *ir.Expr, rest *model.Expr, v *env) ir.Body {
	p.piece, p.begin = &ir.Local{Name: "first", NonNil: true}, ir.K(p.colour*p.layout.PerColour)
	if of != nil {
		p.begin = ir.Op2(ir.Mul, of, ir.K(p.layout.PerColour))
	}
	out := p.numbers(by, rest, v, p.bind(v, p.may.Params, ir.Get(p.piece)))
	if ir.Uses(out, p.piece) {
		out = ir.Seq(ir.Assign(p.piece, p.begin), out)
	}
	return ir.When(ir.Op2(ir.Ne, ir.Get(p.set), ir.K(0)), out, nil)
}

// numbers emits the rows for the numbers of by, which is evaluated in env here. A conditional becomes a branch, a list a
// group of rows.
func (p *offer) numbers(by, rest *model.Expr, v, here *env) ir.Body {
	c := p.compiler
	switch {
	case by == nil:
		return p.row(nil, rest, v, 0)
	case by.Op == model.OpIf:
		if !c.colourOnly(by.Args[0], here, p.piece) {
			return p.fail()
		}
		cond := c.expr(by.Args[0], here)
		if cond.Op == ir.Const {
			return p.numbers(by.Args[2-cond.K], rest, v, here)
		}
		return ir.When(cond, p.numbers(by.Args[1], rest, v, here), p.numbers(by.Args[2], rest, v, here))
	case by.Op == model.OpCall && by.Type.List:
		if slices.ContainsFunc(by.Args, func(a *model.Expr) bool { return a.Type.List || !c.colourOnly(a, here, p.piece) }) {
			return p.fail()
		}
		pre, inner := c.call(by, here)
		return append(pre, p.numbers(by.Let.Body, rest, v, inner)...)
	}
	return p.leaf(by, rest, v, here)
}

// leaf emits a row for each number of a list literal, or for a single number.
func (p *offer) leaf(by, rest *model.Expr, v, here *env) ir.Body {
	list := []*model.Expr{by}
	if by.Type.List {
		if by.Op != model.OpList {
			return p.fail()
		}
		list = by.Args
	}
	p.groups++
	group := p.groups
	var out ir.Body
	for _, e := range list {
		if !p.colourOnly(e, here, p.piece) {
			return p.fail()
		}
		steps := local("steps")
		number := p.expr(e, here)
		out = append(out, ir.Assign(steps, number))
		if short := number.Op == ir.Cell || number.Op == ir.Const && number.K == int(int16(number.K)); !short {
			out = append(out, p.fits(steps, e))
		}
		out = append(out, p.row(steps, rest, v.withCells(map[model.Cell]*ir.Expr{model.CellSteps: ir.Get(steps)}), group)...)
	}
	return out
}

// row emits the row of options with one number.
func (p *offer) row(steps *ir.Local, rest *model.Expr, v *env, group int) ir.Body {
	c, x, m := p.compiler, p.may, p.may.Move
	r := &sheetRow{set: local("row"), steps: steps, duties: make([]duty, len(p.duties))}
	r.Clause, r.Move, r.Colour, r.Group = x.Index, m.Index, p.colour, group
	q := *p
	q.set = r.set
	var out ir.Body
	if p.alone {
		r.set, q.set, r.sure = p.set, p.set, p.sure
	} else {
		out = append(out, ir.Assign(r.set, ir.Get(p.set)))
	}
	if rest != nil && x.To == nil {
		out = append(out, q.keep(rest, v, x.Params)...)
	}
	here := q.bind(v, m.Params, ir.Get(p.piece))
	if (m.Kind == model.MoveWalk || m.Kind == model.MoveTo) && !c.colourOnly(m.Where, here, p.piece) {
		return p.fail()
	}
	out = append(out, q.aim(r, here)...)
	if rest != nil && x.To != nil {
		out = append(out, q.keep(rest, v, x.Params)...)
	}
	for _, n := range c.clauses(model.ClauseNever) {
		if n.Move != nil && n.Move != m {
			continue
		}
		hit := local("hit")
		out = append(out, q.holding(n, hit, v)...)
		forbid := ir.Body{
			nativeOf(code.Later, n.Index, ir.Get(hit)),
			ir.Assign(r.set, andNot(ir.Get(r.set), ir.Get(hit))),
		}
		out = append(out, ir.When(ir.Op2(ir.Ne, ir.Get(hit), ir.K(0)), forbid, nil)...)
	}
	for i, d := range p.duties {
		switch {
		case d.Move != nil && d.Move != m:
			r.duties[i] = duty{sure: ir.K(0)}
		case p.asks[i] == nil:
			r.duties[i] = duty{sure: ir.K(-1)}
		default: // evaluated when the code reaches this row
			r.duties[i] = duty{asked: func(hit *ir.Local) (*ir.Expr, ir.Body) { return q.meeting(p.asks[i], d, hit, v) }}
		}
	}
	p.rows = append(p.rows, r)
	return out
}

// aim computes where the pieces of a row end; of a walk it keeps those that can walk.
func (p *offer) aim(r *sheetRow, here *env) (out ir.Body) {
	c, m := p.compiler, p.may.Move
	switch m.Kind {
	case model.MoveWalk:
		r.Kind = code.RowWalk
		r.number = c.expr(m.Where, here)
		if r.number.Op != ir.Cell && r.number.Op != ir.Const && r.number.Op != ir.Use {
			number := local("number")
			out = append(out, ir.Assign(number, r.number))
			r.number = ir.Get(number)
		}
		p.to = func(piece *ir.Expr) *ir.Expr { return p.end(piece, r.number) }
		return append(out, ir.Assign(r.set, &ir.Expr{Op: ir.Walkers, A: ir.Get(r.set), B: r.number}))
	case model.MoveTo:
		r.Kind = code.RowTo
		r.to = &ir.Local{Name: "to", NonNil: true}
		p.toOf = r.to
		return append(out, ir.Assign(r.to, c.must(m.Where, here)))
	}
	r.Kind = code.RowStay
	if m.Kind == model.MoveNothing {
		r.Kind = code.RowNone
	}
	p.to = func(piece *ir.Expr) *ir.Expr { return at(ir.CellAt, c.layout.At, piece) }
	return nil
}

// meeting splits the condition of a duty as those does, and sets hit to all pieces of the row before.
func (p *offer) meeting(cond *model.Expr, d *model.Clause, hit *ir.Local, v *env) (once *ir.Expr, each ir.Body) {
	once, each = p.those(cond, d.Params, d.To, hit, v)
	each = ir.Seq(ir.Assign(hit, ir.Get(p.set)), each)
	begin := func() ir.Body { return ir.Body{ir.Assign(p.piece, p.begin)} }
	if ir.Uses(each, p.piece) {
		each = ir.Seq(begin(), each)
	}
	if ir.Uses(ir.Body{{Op: ir.Return, A: once}}, p.piece) {
		once = ir.With(begin(), once)
	}
	return once, each
}

// end is the place where a piece ends after a number of steps.
func (p *offer) end(piece, number *ir.Expr) *ir.Expr {
	c := p.compiler
	if c.tracks.Has[code.SetTurns] || c.lowest(p.may.Move.Where) < 0 {
		n := &ir.Local{Name: "node", NonNil: true}
		follow := nativeTo(n, code.WalkEnd, piece, number)
		return ir.With(ir.Body{follow}, at(ir.Table, c.tables.nodePlace, ir.Get(n)))
	}
	node := ir.Op2(ir.Add, at(ir.CellAt, c.layout.Node, piece), number)
	if !c.tracks.Loop {
		return at(ir.Table, c.tables.nodePlace, node)
	}
	n := local("node")
	colour := at(ir.Table, c.tables.pieceColour, piece)
	size := c.tracks.Length[0]
	past := ir.Op2(ir.Le, ir.Op2(ir.Add, ir.Op2(ir.Mul, colour, ir.K(size+code.NodeGap)), ir.K(size+code.NodeFirst)), ir.Get(n))
	return ir.With(ir.Body{ir.Assign(n, node)}, at(ir.Table, c.tables.nodePlace, ir.Choose(past, ir.Op2(ir.Sub, ir.Get(n), ir.K(size)), ir.Get(n))))
}

// bind binds the first name of a clause to the piece.
func (p *offer) bind(v *env, params []*model.Local, piece *ir.Expr) *env {
	if len(params) > 0 {
		v = v.with(params[0], piece)
	}
	return v
}

// keep removes from the set the pieces for which a condition fails.
func (p *offer) keep(cond *model.Expr, v *env, params []*model.Local) ir.Body {
	once, each := p.those(cond, params, p.may.To, p.set, v)
	if once.Is(1) {
		return each
	}
	return ir.When(once, each, set(p.set, 0))
}

// holding sets hit to the pieces of the set that match a never or must clause.
func (p *offer) holding(x *model.Clause, hit *ir.Local, v *env) ir.Body {
	take := ir.Body{ir.Assign(hit, ir.Get(p.set))}
	if x.When == nil {
		return take
	}
	once, each := p.those(x.When, x.Params, x.To, hit, v)
	if once.Is(1) {
		return append(take, each...)
	}
	return ir.Seq(set(hit, 0), ir.When(once, append(take, each...), nil))
}

// those splits a condition. once is its loop-invariant prefix, tested once for all pieces. each is the code that removes
// from hit the pieces for which the rest fails, by a bitset if possible, otherwise piece by piece.
func (p *offer) those(cond *model.Expr, params []*model.Local, to *model.Local, hit *ir.Local, v *env) (once *ir.Expr, each ir.Body) {
	c := p.compiler
	once = ir.K(1)
	for _, part := range conjuncts(cond) {
		needsTo := to != nil && mentions(part, to) && p.toOf == nil
		named := asksOf(part, params)
		here := v
		if p.toOf != nil {
			here = here.with(to, ir.Get(p.toOf))
		}
		if !needsTo && (!named || p.piece != nil) {
			w := p.bind(here, params, ir.Get(p.piece))
			if !named || c.colourOnly(part, w, p.piece) {
				x := c.expr(part, w)
				if len(each) == 0 {
					once = ir.AndAlso(once, x)
				} else {
					each = append(each, ir.When(ir.Negate(x), set(hit, 0), nil)...)
				}
				continue
			}
		}
		if !needsTo {
			self := ir.Get(&ir.Local{Name: "each", NonNil: true})
			if m := c.filterMaskOf(part, p.bind(here, params, self), self); m != nil {
				each = append(each, ir.Assign(hit, intersect(ir.Get(hit), m)))
				continue
			}
		}
		loop := p.ask(part, params, to, hit, v)
		if !needsTo && named {
			if n := c.question(part, params[0], nil); n >= 0 {
				loop = ir.Body{{Op: ir.Block, Label: ir.NewBlock(), Body: loop, Asks: &ir.Asks{K: n, Set: hit}}}
			}
		}
		each = append(each, loop...)
	}
	return once, each
}

// ask tests a condition piece by piece, and removes from hit the pieces for which it fails.
func (p *offer) ask(cond *model.Expr, params []*model.Local, to *model.Local, hit *ir.Local, v *env) ir.Body {
	rest, piece, loop := local("rest"), &ir.Local{Name: "piece", NonNil: true}, ir.NewLoop()
	w := p.bind(v, params, ir.Get(piece))
	bit := at(ir.Masks, p.masks.piece, ir.Get(piece))
	body := ir.Seq(ir.BreakIf(ir.Op2(ir.Eq, ir.Get(rest), ir.K(0)), loop),
		ir.Assign(piece, &ir.Expr{Op: ir.Lowest, A: ir.Get(rest)}), ir.Assign(rest, andNot(ir.Get(rest), bit)))
	if to != nil {
		switch {
		case p.toOf != nil:
			w = w.with(to, ir.Get(p.toOf))
		case p.to != nil:
			end := &ir.Local{Name: "end", NonNil: true}
			body = append(body, ir.Assign(end, p.to(ir.Get(piece))))
			w = w.with(to, ir.Get(end))
		}
	}
	drop := ir.Body{ir.Assign(hit, andNot(ir.Get(hit), bit))}
	body = append(body, ir.When(ir.Negate(p.expr(cond, w)), drop, nil)...)
	return ir.Body{ir.Assign(rest, ir.Get(hit)), ir.LoopOf(loop, body)}
}

// asksOf reports whether an expression mentions the first of the names, which is the piece.
func asksOf(e *model.Expr, params []*model.Local) bool {
	return len(params) > 0 && mentions(e, params[0])
}

// mentions reports whether an expression uses a name.
func mentions(e *model.Expr, l *model.Local) bool {
	return seq.Any(e.All(), func(x *model.Expr) bool { return x.Op == model.OpLocal && x.Local == l })
}

// colourOnly reports whether an expression depends on a piece, bound to a local, only through its colour.
func (c *compiler) colourOnly(e *model.Expr, v *env, piece *ir.Local) bool {
	is := func(x *model.Expr) bool {
		return x.Op == model.OpLocal && !x.Type.List && isLocal(v.lookup(x.Local), piece)
	}
	switch e.Op {
	case model.OpLocal:
		if e.Type.List {
			list, where := v.listOf(e.Local)
			return list == nil || c.colourOnly(list, where, piece)
		}
		return !is(e)
	case model.OpField:
		switch e.Field {
		case model.FieldColour, model.FieldPlayer, model.FieldTeam:
			if is(e.Args[0]) {
				return true
			}
		}
	case model.OpCall:
		inner := &env{}
		for i, p := range e.Let.Params {
			switch {
			case p.Type.List:
				inner = &env{outer: inner, local: p, list: e.Args[i], listAt: v}
			case is(e.Args[i]):
				inner = inner.with(p, ir.Get(piece))
			case !c.colourOnly(e.Args[i], v, piece):
				return false
			}
		}
		return c.colourOnly(e.Let.Body, inner, piece)
	}
	return !slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return !c.colourOnly(a, v, piece) })
}

func isLocal(x *ir.Expr, l *ir.Local) bool { return x != nil && x.Op == ir.Use && x.Local == l }
