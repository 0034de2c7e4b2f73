package sense

import (
	"maps"
	"slices"
	"sync"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// harmFact is a line that stops the game with a fault in some position.
type harmFact struct {
	code, text, hint string
	setting          int // in which it was found
}

func (x *setting) harm(code string, at source.Span, text, hint string) {
	if h := x.harms[at]; x.own(at) && (h == nil || h.setting == x.order) { // the first setting is the most usual one
		x.harms[at] = &harmFact{code, text, hint, x.order}
	}
}

// needs looks for pieces that may be missing where one is needed. It knows little of which positions come up, so it looks only where
// no condition asks about the position before: any that does may be the author's care.
type needs struct {
	*setting
	pieces []*model.Local // pieces that stand on the board
	free   []*model.Local // places of which nothing says that a piece stands there
	lets   map[*model.Local]argument
	filled []*model.Var    // sets and bags that something is put into before
	called int             // lets around
	known  func() []*facts // what is known where the clause is asked
	given  []given         // the conditions before that ask about the position
}

// argument is what a let is called with, or the value of a let in a block, and what is known where it is.
type argument struct {
	e     *model.Expr
	where *needs
}

// maxCalls is how deep lets are followed.
const maxCalls = 6

// ofClause is what is known in the condition and the block of a clause; ok is false where other lines decide what there is.
func (x *setting) ofClause(c *model.Clause) (n needs, ok bool) {
	n = needs{setting: x, known: sync.OnceValue(func() []*facts { return x.begin(c) })}
	for _, p := range c.Params {
		switch {
		case p == nil:
		case p.Type.Kind == model.Piece && !p.Type.List:
			n.pieces = append(n.pieces, p)
		case p.Type.Kind == model.Place:
			n.free = append(n.free, p)
		}
	}
	if c.To != nil {
		n.free = append(n.free, c.To)
	}
	switch c.Kind {
	case model.ClauseStep, model.ClauseEnd, model.ClauseBeyond:
		n.pieces = nil // the walker is in the hand
	case model.ClauseOn:
		switch c.Event {
		case model.EventAct, model.EventDrop, model.EventRank, model.EventGameEnds:
			return n, false
		case model.EventLeave, model.EventStep, model.EventPass, model.EventTurned:
			n.pieces = nil
		case model.EventLand, model.EventMove:
			n.free = nil
		}
	case model.ClauseBefore:
		return n, c.Act == nil
	}
	return n, true
}

// expr looks at an expression.
func (n *needs) expr(e *model.Expr) {
	if e == nil {
		return
	}
	switch e.Op {
	case model.OpAnd, model.OpOr, model.OpIf:
		n.expr(e.Args[0])
		n.where(e.Args[0], e.Op != model.OpOr).expr(e.Args[1])
		if e.Op == model.OpIf {
			n.where(e.Args[0], false).expr(e.Args[2])
		}
		return
	case model.OpCall:
		for _, a := range e.Args {
			n.expr(a)
		}
		if n.called < maxCalls {
			n.inside(e).expr(e.Let.Body)
		}
		return
	case model.OpField, model.OpTag, model.OpFamily, model.OpAttr, model.OpMark, model.OpVar:
		if len(e.Args) > 0 {
			n.something(e.Args[0])
		}
	case model.OpSet:
		if len(e.Args) > 0 && e.Set != model.SetAfter {
			n.something(e.Args[0])
		}
	case model.OpMin, model.OpMax:
		if list := e.Args[0]; len(e.Args) == 1 && list.Type.List && n.mayLack(list, nil, 0) {
			n.harm("bad-index", list.Span, "this list may be empty, and then it has no such number"+n.askedBefore(), "ask first: len(…) > 0")
		}
	case model.OpIndex:
		if i := e.Args[1]; i.Op == model.OpConst && n.mayLack(e.Args[0], nil, i.Int) {
			n.harm("bad-index", i.Span, "\""+words(e.Args[0].Span)+"\" may have no element "+words(i.Span)+n.askedBefore(), "ask first: len("+words(e.Args[0].Span)+") > "+words(i.Span))
		}
	}
	for i, a := range e.Args {
		if i > 0 && e.OverElements() {
			continue // an element looked at may be why there is one
		}
		n.expr(a)
	}
}

// inside is what is known in the body of a let that is called.
func (n *needs) inside(call *model.Expr) *needs {
	inner := *n
	inner.called++
	inner.lets = map[*model.Local]argument{}
	for i, p := range call.Let.Params {
		inner.lets[p] = argument{call.Args[i], n}
	}
	return &inner
}

// resolve replaces a parameter of a let by what it stands for, and a let by its body.
func (n *needs) resolve(e *model.Expr) (*model.Expr, *needs) {
	for range 2 * maxCalls {
		switch {
		case e.Op == model.OpCall:
			e, n = e.Let.Body, n.inside(e)
		case e.Op == model.OpLocal && n.lets[e.Local].e != nil:
			a, here := n.lets[e.Local], *n // what is known here holds where the value was taken too
			here.lets, here.called = a.where.lets, a.where.called
			e, n = a.e, &here
		default:
			return e, n
		}
	}
	return e, n
}

// something records a value that may be nil where it must not be.
func (n *needs) something(e *model.Expr) {
	x, in := n.resolve(e)
	may := false
	switch x.Op {
	case model.OpFind:
		may = in.mayLack(x.Args[0], x.Args[1:], 0)
	case model.OpFirst, model.OpLast:
		may = in.mayLack(x.Args[0], nil, 0)
	}
	if may {
		text := words(e.Span)
		n.harm("may-be-nil", e.Span, "\""+text+"\" may be nil"+n.askedBefore(), "ask first: "+text+" != nil")
	}
}

// mayLack reports whether a list may have no element at an index: a list of pieces, or a set or bag.
func (n *needs) mayLack(list *model.Expr, where []*model.Expr, index int) bool {
	if known, _ := n.length(n.intern(list, nil, 0), nil); known > index && len(where) == 0 {
		return false
	}
	for {
		list, n = n.resolve(list)
		switch list.Op {
		case model.OpFilter:
			where = append(where, list.Args[1])
		case model.OpSortBy, model.OpMap:
		case model.OpSet, model.OpMine:
			return n.baseMayLack(list, where, index)
		default:
			return false
		}
		list = list.Args[0]
	}
}

func (n *needs) baseMayLack(base *model.Expr, where []*model.Expr, index int) bool {
	switch {
	case base.Op == model.OpSet && base.Set == model.SetVar:
		return len(n.given) == 0 && len(base.Args) == 0 && len(base.Var.Initial) == 0 && !slices.Contains(n.filled, base.Var)
	case base.Op == model.OpSet && base.Set == model.SetPiecesOf && base.Args[0].Type.Kind == model.Place:
		return len(n.given) == 0 && n.placeMayLack(base.Args[0], where, index)
	case base.Op == model.OpMine, base.Op == model.OpSet && (base.Set == model.SetPieces || base.Set == model.SetPiecesOf):
		if len(where) == 0 || n.oneIs(where) {
			return false
		}
		if len(n.given) > 0 {
			return n.withoutOne(base, where)
		}
		return !slices.ContainsFunc(where, func(e *model.Expr) bool { return !n.leaves(e) })
	}
	return false
}

// placeMayLack reports whether too few pieces may stand on a place.
func (n *needs) placeMayLack(place *model.Expr, where []*model.Expr, index int) bool {
	x, in := n.resolve(place)
	switch {
	case x.Op == model.OpLocal && slices.Contains(in.free, x.Local):
		return true
	case x.Op == model.OpField && x.Field == model.FieldAt:
		if p, _ := in.resolve(x.Args[0]); index == 0 && (p.Op != model.OpLocal || len(where) == 0 || in.is(p.Local, where)) {
			return false
		}
	case x.Op == model.OpLocal && len(in.pieces) == 0:
		return false
	case x.Op != model.OpLocal && x.Op != model.OpConst && x.Op != model.OpMark:
		return false
	}
	return index > 0 || !n.oneIs(where)
}

// oneIs reports whether one of the pieces in hand may be what a list is asked for.
func (n *needs) oneIs(where []*model.Expr) bool {
	return slices.ContainsFunc(n.pieces, func(p *model.Local) bool { return n.is(p, where) })
}

// is reports whether conditions on elements may hold for a piece.
func (n *needs) is(p *model.Local, where []*model.Expr) bool {
	return n.possibleAfter(n.known(), seq.Map(where, func(e *model.Expr) id { return n.intern(forElement(e, p), n.terms(), 0) })...)
}

// terms are the terms of the parameters of the lets around.
func (n *needs) terms() substitution {
	if n.lets == nil {
		return nil
	}
	sub := substitution{}
	for p, a := range n.lets {
		if !p.Type.List {
			sub[p] = n.intern(a.e, a.where.terms(), 0)
		}
	}
	return sub
}

// forElement is a condition on elements for a piece.
func forElement(e *model.Expr, p *model.Local) *model.Expr {
	if e.Op == model.OpElem {
		return &model.Expr{Op: model.OpLocal, Type: e.Type, Local: p, Span: e.Span}
	}
	out := *e
	out.Args = slices.Clone(e.Args)
	for i, a := range e.Args {
		if i == 0 || !e.OverElements() {
			out.Args[i] = forElement(a, p)
		}
	}
	return &out
}

// leaves reports whether there is a time when a condition on pieces holds for none of them: it asks for the place where they begin,
// which they leave, or for what is not so there.
func (n *needs) leaves(e *model.Expr) bool {
	if e.Op == model.OpAnd {
		return n.leaves(e.Args[0]) || n.leaves(e.Args[1])
	}
	at := func(e *model.Expr) bool {
		return e.Op == model.OpField && e.Field == model.FieldAt && e.Args[0].Op == model.OpElem
	}
	switch e.Op {
	case model.OpEq:
		return at(e.Args[0]) && e.Args[1].Op == model.OpConst || at(e.Args[1]) && e.Args[0].Op == model.OpConst
	case model.OpTag, model.OpFamily, model.OpField:
		if !at(e.Args[0]) {
			return false
		}
		holds := n.flagOf(e.Op, e.Field, e.Int)
		return holds != nil && !slices.ContainsFunc(n.r.PiecesAt, holds)
	}
	return false
}

// ofPosition are the lists that the position decides.
var ofPosition = []model.Set{model.SetPiecesOf, model.SetPieces, model.SetVar, model.SetCopies, model.SetOffered}

// asks reports whether a condition asks about the position, or what the rules remember of it.
func (n *needs) asks(e *model.Expr, deep int) bool {
	return seq.Any(e.All(), func(x *model.Expr) bool {
		switch x.Op {
		case model.OpVar:
			return !n.countsThrows(x.Var, deep)
		case model.OpMine:
			return true
		case model.OpLocal:
			a := n.lets[x.Local]
			return a.e == nil && x.Type.Kind == model.Flag || a.e != nil && deep < maxCalls && a.where.asks(a.e, deep+1)
		case model.OpField:
			return ofPart(x.Field) || (x.Field == model.FieldAt || x.Field == model.FieldIndex) && x.Args[0].Op != model.OpLocal
		case model.OpSet:
			return slices.Contains(ofPosition, x.Set)
		case model.OpCall:
			return deep >= maxCalls || n.asks(x.Let.Body, deep+1)
		}
		return false
	})
}

// countsThrows reports whether a variable depends on nothing but what was thrown in the turn.
func (n *needs) countsThrows(v *model.Var, deep int) bool {
	if v == n.r.Throws || deep >= maxCalls {
		return v == n.r.Throws
	}
	adds := n.counter(v)
	return v.Scope == model.ScopeTurn && adds != nil && adds.Event == model.EventThrow && (adds.When == nil || !n.asks(adds.When, deep+1))
}

// block looks at statements. What a condition around them asks ends the look, and so does what may have changed the position.
func (n needs) block(b *model.Block) {
	for _, s := range stmts(b) {
		for _, e := range s.Reads() {
			n.expr(e)
		}
		switch s.Kind {
		case model.StmtPut, model.StmtExchange:
			n.something(s.Value)
			n.something(s.Other)
		case model.StmtDo:
			for i, a := range s.Args {
				if p := s.Act.Params[i]; p.Type.Kind.Ref() && !p.Type.List && !comparesNil(s.Act.Block, p) {
					n.something(a)
				}
			}
		case model.StmtIf:
			n.where(s.Value, true).block(s.Then)
			n.where(s.Value, false).block(s.Else)
		case model.StmtFor, model.StmtChoose:
			switch {
			case s.Local != nil && s.Once():
				inner := n
				inner.lets = map[*model.Local]argument{s.Local: {s.Value.Args[0], &n}}
				maps.Copy(inner.lets, n.lets)
				inner.block(s.Then)
			case s.Local != nil && s.Local.Type.Kind == model.Piece:
				inner := n
				inner.pieces = append(slices.Clip(n.pieces), s.Local)
				inner.block(s.Then)
			case s.Once():
				n.block(s.Then)
			}
		case model.StmtAssign:
			if len(s.Target.Args) > 0 { // whose variable it is
				n.something(s.Target.Args[0])
			}
			if s.Target.Var != nil && s.Target.Type.List {
				n.filled = append(slices.Clip(n.filled), s.Target.Var)
			}
		}
		switch s.Kind {
		case model.StmtIf, model.StmtFor, model.StmtAssign, model.StmtThrow, model.StmtEarn, model.StmtAgain:
		default:
			return
		}
	}
}

// comparesNil reports whether statements ask whether a name is nil.
func comparesNil(b *model.Block, l *model.Local) bool {
	asks := func(e *model.Expr) bool {
		return (e.Op == model.OpCoalesce || (e.Op == model.OpEq || e.Op == model.OpNe) && (e.Args[0].IsConst(-1) || e.Args[1].IsConst(-1))) && mentions(e, l)
	}
	return seq.Any(b.Reads(), func(e *model.Expr) bool { return seq.Any(e.All(), asks) }) || !uses(b, l)
}

// missing looks for pieces that may be missing, over all clauses and the turn.
func (x *setting) missing() {
	x.thrown(true)
	x.setSteps(span(least, greatest))
	if x.r.Turn != nil && x.concerns(x.r.Turn) {
		needs{setting: x, known: x.open}.block(x.r.Turn)
	}
	for c := range x.r.Clauses() {
		if n, ok := x.ofClause(c); ok && x.own(c.Span) {
			n.expr(c.When)
			n.expr(c.By)
			n.where(c.When, true).block(c.Block)
		}
	}
}

// tooLate records conditions that ask, in a chain of && or ||, whether there is something that one before has looked at already.
func (x *setting) tooLate(chain []*model.Expr, and bool, depth int) {
	nilOp := model.OpEq
	if and {
		nilOp = model.OpNe
	}
	for i, e := range chain {
		var t id
		switch {
		case i == 0 || len(e.Args) != 2:
			continue
		case e.Op == nilOp && e.Args[1].IsConst(-1):
			t = x.intern(e.Args[0], nil, depth)
		case e.Op == nilOp && e.Args[0].IsConst(-1):
			t = x.intern(e.Args[1], nil, depth)
		case e.Op >= model.OpEq && e.Op <= model.OpGe && e.Args[0].Op == model.OpCount && len(e.Args[0].Args) == 1:
			t = x.intern(e.Args[0].Args[0], nil, depth)
		default:
			continue
		}
		for _, before := range chain[:i] {
			if at := x.needed(before, t, depth); at != nil {
				if x.own(e.Span) {
					x.askedLate = append(x.askedLate, at.Span)
				}
				x.harm("asked-late", e.Span, "this is asked too late: \""+words(at.Span)+"\" needs it before", "the conditions of a line are looked at from left to right")
			}
		}
	}
}

// needed finds what needs a value, or an element of a list, in a condition that does not ask before.
func (x *setting) needed(e *model.Expr, t id, depth int) *model.Expr {
	var found *model.Expr
	e.Walk(func(a *model.Expr) bool {
		if found != nil {
			return false
		}
		switch a.Op {
		case model.OpAnd, model.OpOr, model.OpIf:
			found = x.needed(a.Args[0], t, depth)
			return false
		case model.OpField, model.OpTag, model.OpFamily, model.OpAttr, model.OpMark, model.OpVar, model.OpSet, model.OpIndex:
			if len(a.Args) > 0 && x.intern(a.Args[0], nil, depth) == t {
				found = a
			}
		}
		return !a.OverElements() && found == nil
	})
	return found
}

// alwaysNil records a value that is nil in all positions where it is looked at.
func (x *setting) alwaysNil(e *model.Expr, depth int, known []*facts) {
	if !x.own(e.Span) || e.Op == model.OpConst || !e.Type.Kind.Ref() || !x.always(x.intern(e, nil, depth), -1, known) {
		return
	}
	where := "here"
	if len(x.r.Seats) == 1 {
		where = "with 1 player"
	}
	x.harm("may-be-nil", e.Span, quote(words(e.Span))+" is always nil "+where, "nil has no fields; ask first: "+words(e.Span)+" != nil")
}
