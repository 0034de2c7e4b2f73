package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// sheet computes the options of a decision as bitsets of pieces, one row for each clause, number and colour. It is the other
// form of the generator, for decisions where every option moves one piece. Both forms have the same result; for what the
// sheet cannot express, the plain form is the slow path.
type sheet struct {
	*compiler
	site   *site
	duties []*model.Clause
	heads  []*ir.Expr    // by duty: the loop-invariant part of its condition, tested once
	asks   []*model.Expr // by duty: the rest of its condition, nil if empty
	rows   []*sheetRow
	groups int
	mine   *ir.Local // the pieces of the colours in hand
	failed bool
}

// pieces is the bitset of pieces of a clause. The set of the colours in hand is computed once.
func (h *sheet) pieces(e *model.Expr, v *env) *ir.Expr {
	if e.Op != model.OpMine {
		return h.mask(e, v)
	}
	if h.mine == nil {
		h.mine = local("mine")
	}
	return ir.Get(h.mine)
}

// sheetRow is a row during generation.
type sheetRow struct {
	code.Row
	set, to, steps *ir.Local
	sure           bool     // its set is definitely assigned
	number         *ir.Expr // the number of steps walked
	duties         []duty
}

// duty is the subset of a row that meets a duty: all (-1), none (0), or the elements left in hit.
type duty struct {
	sure  *ir.Expr
	asked func(hit *ir.Local) (once *ir.Expr, each ir.Body)
}

// locals are the locals that must live as long as the row, except for its set.
func (r *sheetRow) locals() []*ir.Local {
	var out []*ir.Local
	if r.number != nil && r.number.Op == ir.Use {
		out = append(out, r.number.Local)
	}
	return append(out, seq.Filter([]*ir.Local{r.to, r.steps}, func(l *ir.Local) bool { return l != nil })...)
}

// setsMiss reports whether clauses use what the sheet cannot express: despite, otherwise, or several kinds of option in a
// must.
func (c *compiler) setsMiss() bool {
	return slices.ContainsFunc(c.clauses(model.ClauseMay), func(x *model.Clause) bool { return x.Despite || x.Otherwise }) ||
		slices.ContainsFunc(c.clauses(model.ClauseMust), func(x *model.Clause) bool { return len(x.Or) > 0 })
}

// sheet is the number of options of a decision, or -1 if the plain form must list them at run time. It is nil if the plain
// form is always needed.
func (c *compiler) sheet(s *site) *ir.Expr {
	if c.tracks == nil || !c.ordered || s.list || s.explain || c.asksOffered() || c.setsMiss() {
		return nil
	}
	h := &sheet{compiler: c, site: s, duties: c.clauses(model.ClauseMust)}
	words := map[model.Cell]*ir.Expr{
		model.CellThrown: ir.K(code.Truth(s.thrown)), model.CellEarned: ir.K(code.Truth(s.earned)), model.CellSteps: cell(code.CellSteps),
	}
	v := (&env{}).withCells(words)
	for _, d := range h.duties {
		head, rest := h.head(d, v)
		h.heads, h.asks = append(h.heads, head), append(h.asks, rest)
	}
	body := seq.Flat(c.clauses(model.ClauseMay), func(x *model.Clause) ir.Body { return c.from(x.Span, h.clause(x, v)) })
	if h.failed || len(h.rows) == 0 || len(h.rows) > code.MaxRows {
		return nil
	}
	out := ir.Body{{Op: ir.Try}}
	if h.mine != nil {
		out = append(out, ir.Assign(h.mine, c.mask(&model.Expr{Op: model.OpMine}, v)))
	}
	for _, r := range h.rows { // a row that is not reached stays empty
		if r.sure {
			out = append(out, &ir.Stmt{Op: ir.Declare, Local: r.set})
		} else {
			out = append(out, set(r.set, 0))
		}
	}
	for _, r := range h.rows { // nothing reads the locals of an empty row
		for _, l := range r.locals() {
			out = append(out, &ir.Stmt{Op: ir.Declare, Local: l, Sure: true})
		}
	}
	out = ir.Seq(out, body, h.narrow())
	rows := &ir.Expr{Op: ir.Rows, K: len(c.prog.Rows)}
	var list []code.Row
	for _, r := range h.rows {
		to, steps, number := ir.K(-1), cell(code.CellSteps), ir.K(0)
		if r.to != nil {
			to = ir.Get(r.to)
		}
		if r.steps != nil {
			steps = ir.Get(r.steps)
		}
		if r.number != nil {
			number = r.number
		}
		rows.Args = append(rows.Args, ir.Get(r.set), to, steps, number)
		list = append(list, r.Row)
	}
	c.prog.Rows = append(c.prog.Rows, code.RowSet{Rows: list})
	return ir.With(out, rows)
}

// asksOffered reports whether any reaction reads the options that were offered.
func (c *compiler) asksOffered() bool {
	asks := func(e *model.Expr) bool {
		return e.Has(func(x *model.Expr) bool { return x.Op == model.OpSet && x.Set == model.SetOffered })
	}
	return slices.ContainsFunc(c.clauses(model.ClauseBefore), func(x *model.Clause) bool { return asks(x.When) }) ||
		seq.Any(c.rules.Blocks(), func(b *model.Block) bool { return seq.Any(b.Reads(), asks) }) // acts that a reaction does too
}

// clause emits the rows of a may clause.
func (h *sheet) clause(x *model.Clause, v *env) ir.Body {
	c, m := h.compiler, x.Move
	if len(m.Params) != 1 || !c.prog.MovesPiece[m.Index] || m.Carrying != nil || !c.ascending(m.Sets[0], v) {
		return h.fail()
	}
	all := h.pieces(m.Sets[0], v)
	if all == nil {
		return h.fail()
	}
	pieces := local("pieces")
	from := m.From
	self := ir.Get(&ir.Local{Name: "each", NonNil: true})
	if from != nil { // a condition that is a set too needs no instruction of its own
		if w := c.filterMaskOf(from, v.with(m.Params[0], self), self); w != nil {
			all, from = h.narrowed(all, w), nil
		}
	}
	var first []*model.Expr
	rest := x.When
	if from == nil && h.sureNumbers(x.By, (&offer{}).bind(v, x.Params, self)) {
		first, rest = h.split(x)
	}
	begin := ir.K(1)
	for _, part := range first {
		begin = ir.AndAlso(begin, c.expr(part, v))
	}
	if begin.Is(0) {
		return nil
	}
	body := ir.Body{ir.Assign(pieces, all)}
	if h.site.earned {
		with := cell(code.CellWith)
		one := ir.Assign(pieces, intersect(ir.Get(pieces), at(ir.Masks, c.masks.piece, with)))
		body = append(body, ir.When(ir.Op2(ir.Le, ir.K(0), with), one, nil)...)
	}
	p := &offer{sheet: h, may: x, set: pieces}
	if from != nil {
		body = append(body, p.keep(from, v, m.Params[:1])...)
	}
	if of := c.oneColour(m.Sets[0]); of != nil {
		p.colour, p.alone, p.sure = -1, x.By == nil, x.By == nil && begin.Is(1)
		return ir.When(begin, append(body, p.ofColour(x.By, of, rest, v)...), nil)
	}
	return ir.When(begin, append(body, p.ofAll(x.By, rest, v)...), nil)
}

// sureNumbers reports whether the numbers of a clause can be evaluated without a fault.
func (h *sheet) sureNumbers(by *model.Expr, v *env) bool {
	short := func(e *ir.Expr) bool { return h.faultFree(e) && largest(e) <= 1<<15 }
	switch {
	case by == nil:
		return true
	case !by.Type.List:
		return short(h.expr(by, v))
	}
	sure := true
	stmts := h.each(by, v, func(elem *ir.Expr) ir.Body {
		sure = sure && short(elem)
		return nil
	})
	return sure && h.faultFreeAll(stmts)
}

// split divides the condition of a clause. first is the prefix that does not depend on the piece and never faults: it is
// tested once.
func (h *sheet) split(may *model.Clause) (first []*model.Expr, rest *model.Expr) {
	if may.When == nil || may.To != nil { // the condition reads where an option ends
		return nil, may.When
	}
	parts := conjuncts(may.When)
	for len(parts) > 0 && !personal(may, parts[0]) && h.faultFree(h.expr(parts[0], &env{})) {
		first, parts = append(first, parts[0]), parts[1:]
	}
	return first, joined(parts...)
}

// personal reports whether a condition may differ between pieces or numbers.
func personal(may *model.Clause, e *model.Expr) bool {
	return may.By != nil && asksSteps(e) || seq.Any(e.All(), func(x *model.Expr) bool { return x.Op == model.OpLocal })
}

func (h *sheet) fail() ir.Body {
	h.failed = true
	return nil
}

// oneColour is the colour of all pieces of a set, nil if they may differ.
func (c *compiler) oneColour(e *model.Expr) *ir.Expr {
	if e.Op != model.OpMine {
		return nil
	}
	if c.rules.TurnsByColour {
		return cell(code.CellColour)
	}
	same := true
	for seat, s := range c.rules.Seats {
		if len(s.Colours) != 1 {
			return nil
		}
		same = same && s.Colours[0] == seat
	}
	if same {
		return cell(code.CellMe)
	}
	return c.firstColour()
}

// narrow filters the rows by the duties, in file order.
func (h *sheet) narrow() ir.Body {
	var out ir.Body
	for i, d := range h.duties {
		by := h.narrowBy(i, d)
		if len(by) == 0 && !h.faultFree(h.heads[i]) { // keep a condition that may fault
			by = ir.Body{ir.Assign(local("met"), ir.K(1))}
		}
		out = append(out, ir.When(h.heads[i], by, nil)...)
	}
	return out
}

// head splits a duty's condition into its loop-invariant prefix and the rest.
func (h *sheet) head(d *model.Clause, v *env) (head *ir.Expr, rest *model.Expr) {
	head = ir.K(1)
	if d.When == nil {
		return head, nil
	}
	varied := slices.ContainsFunc(h.clauses(model.ClauseMay), func(x *model.Clause) bool { return x.By != nil })
	for _, part := range conjuncts(d.When) {
		if rest == nil && !asksOf(part, d.Params) && !mentions(part, d.To) && !(varied && asksSteps(part)) {
			head = ir.AndAlso(head, h.expr(part, v))
			continue
		}
		rest = joined(rest, part)
	}
	return head, rest
}

// asksSteps reports whether an expression reads the number being played, which may differ between options.
func asksSteps(e *model.Expr) bool { return asksCell(e, model.CellSteps) }

// asksVar reports whether an expression reads a variable, also through lets.
func asksVar(e *model.Expr, v *model.Var) bool {
	return e.Has(func(x *model.Expr) bool { return v != nil && x.Var == v })
}

// asksCell reports whether an expression reads a context word, also through lets.
func asksCell(e *model.Expr, cell model.Cell) bool {
	return e.Has(func(x *model.Expr) bool { return x.Op == model.OpCell && x.Cell == cell })
}

// narrowBy filters the rows by one duty, if some elements meet it and some do not.
func (h *sheet) narrowBy(i int, d *model.Clause) ir.Body {
	some, rest := ir.K(0), ir.K(0)
	var leave ir.Body
	var asked []question
	sure := false
	for _, r := range h.rows {
		set := ir.Get(r.set)
		switch x := r.duties[i]; {
		case x.asked != nil:
			meets := local("meets")
			once, each := x.asked(meets)
			if left := ir.Op2(ir.Ne, set, ir.K(0)); r.to != nil || r.steps != nil { // an empty row has no valid place or number
				once = ir.AndAlso(left, once)
			} else {
				once = ir.AndAlso(once, left)
			}
			asked = append(asked, question{meets, once, each})
			some = union(some, intersect(set, ir.Get(meets)))
			rest = union(rest, andNot(set, ir.Get(meets)))
			leave = append(leave, ir.Assign(r.set, intersect(set, ir.Get(meets))))
		case x.sure.Is(0):
			rest = union(rest, set)
			leave = append(leave, ir.Assign(r.set, ir.K(0)))
		default:
			sure = true
			some = union(some, set)
		}
	}
	if some.Is(0) || rest.Is(0) {
		return nil
	}
	leave = ir.Seq(nativeOf(code.Later, d.Index, ir.K(1)), leave)
	narrow := ir.When(ir.AndAlso(ir.Op2(ir.Ne, some, ir.K(0)), ir.Op2(ir.Ne, rest, ir.K(0))), leave, nil)
	if len(asked) == 1 && !sure { // without the test, no piece meets the duty
		return ir.When(asked[0].once, ir.Seq(asked[0].each, narrow), nil)
	}
	var out ir.Body
	for _, q := range asked {
		out = ir.Seq(out, set(q.meets, 0), ir.When(q.once, q.each, nil))
	}
	return append(out, narrow...)
}

// question is the code that finds the elements of a row that meet a duty.
type question struct {
	meets *ir.Local
	once  *ir.Expr
	each  ir.Body
}

func union(a, b *ir.Expr) *ir.Expr {
	if a.Is(0) {
		return b
	}
	return &ir.Expr{Op: ir.Or, A: a, B: b}
}
