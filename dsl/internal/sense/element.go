package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// ofNone records a condition on the elements of a list that holds for none of them, or for every one where that is asked.
func (x *setting) ofNone(e *model.Expr, depth int, known []*facts) {
	body := e.Args[1]
	if body.Type != model.Of(model.Flag) || body.Op == model.OpConst || !x.own(body.Span) || e.Op == model.OpMap || e.Op == model.OpSortBy || x.lives("elements", body.Span) && x.lives("every element", body.Span) {
		return
	}
	t := x.terms[x.intern(e, nil, depth)]
	_, high := x.length(t.args[0], nil)
	each, _, _ := x.ofEach(t, nil)
	never := len(known) == 0 || high > 0 && !each.has(1)
	always := !never && high > 0 && !each.has(0) && (e.Op == model.OpAll || e.Op == model.OpFilter || e.Op == model.OpCount)
	x.foundOf(never, "elements", "always-same", body.Span, "%s is never true", said{body})
	x.foundOf(always, "every element", "always-same", body.Span, "%s is always true", said{body})
}

// ofAny records a condition on the elements of a list, or a value for each, that does not look at them.
func (x *setting) ofAny(e *model.Expr) {
	body := e.Args[1]
	if !x.own(body.Span) {
		return
	}
	why := ""
	switch {
	case body.Op != model.OpConst && !looksAtElement(body):
		why = quote(words(body.Span)) + " does not look at the elements: it is the same for all of them"
	case e.Op == model.OpSortBy && x.ofOneSide(e.Args[0]) && asksOwner(body):
		why = "all of these pieces are of one side: " + quote(words(body.Span)) + " is the same for all of them"
	}
	x.warnOf("any element", "always-same", body.Span, why)
	x.ofOther(e)
}

// ofOther records a side of && in a condition on the elements of a list that asks for a variable of another thing of their kind, and not of
// the elements, where another side does look at them.
func (x *setting) ofOther(e *model.Expr) {
	sides := chained(model.OpAnd, e.Args[1])
	if len(sides) == 1 {
		return
	}
	kind := e.Args[0].Type.Kind
	for _, side := range sides {
		other := side.Has(func(a *model.Expr) bool {
			return a.Var != nil && len(a.Args) > 0 && a.Args[0].Type == model.Of(kind) && a.Args[0].Op != model.OpCell
		})
		x.foundOf(other && !looksAtElement(side) && slices.ContainsFunc(sides, looksAtElement), "other element", "always-same", side.Span,
			"%s does not look at the elements, but asks for another %s", said{side}, kind).info = true
	}
}

// ofOneSide reports whether all pieces of a list are of one colour.
func (x *setting) ofOneSide(list *model.Expr) bool {
	y := x.terms[x.unfiltered(x.intern(list, nil, 0))]
	one := y.op == model.OpMine && x.r.Mine == nil || y.op == model.OpSet && y.set == model.SetPiecesOf &&
		(x.terms[y.args[0]].typ.Kind == model.Player || x.terms[y.args[0]].typ.Kind == model.Colour)
	return one && x.r.Owner == nil && !slices.ContainsFunc(x.r.Seats, func(s model.Seat) bool { return len(s.Colours) > 1 })
}

// asksOwner reports whether an expression asks an element for nothing but its owner.
func asksOwner(e *model.Expr) bool {
	if e.Op == model.OpField && e.Args[0].Op == model.OpElem {
		return e.Field == model.FieldColour || e.Field == model.FieldPlayer || e.Field == model.FieldTeam
	}
	return e.Op != model.OpElem && !e.OverElements() && !slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return !asksOwner(a) })
}

// findsItself records a search for what is the same as something that is named already.
func (x *setting) findsItself(e *model.Expr) {
	if e.Op != model.OpFind || !x.own(e.Span) {
		return
	}
	why, body := "", e.Args[1]
	for i, a := range body.Args {
		if body.Op == model.OpEq && a.Op == model.OpElem && !looksAtElement(body.Args[1-i]) {
			why = "this finds " + quote(words(body.Args[1-i].Span)) + " itself, or nothing"
		}
	}
	x.warnOf("finds itself", "always-same", e.Span, why)
}

// looksAtElement reports whether an expression looks at the element of the list that it is about.
func looksAtElement(e *model.Expr) bool {
	if e.Op == model.OpElem {
		return true
	}
	if e.OverElements() {
		return looksAtElement(e.Args[0])
	}
	return slices.ContainsFunc(e.Args, looksAtElement)
}

// ofOnePiece records a question where the first or the last piece of a side stands, of a list in no order: that is always the same piece.
func (x *setting) ofOnePiece(e *model.Expr) {
	one := e.Args[0]
	if e.Op != model.OpField || e.Field != model.FieldAt && e.Field != model.FieldIndex || one.Op != model.OpFirst && one.Op != model.OpLast || !x.own(e.Span) {
		return
	}
	list := one.Args[0]
	side := list.Op == model.OpMine || list.Op == model.OpSet && list.Set == model.SetPiecesOf && list.Args[0].Type.Kind != model.Place
	_, most := x.length(x.intern(list, nil, 0), nil)
	x.foundOf(side && most > 1, "one piece", "misnamed", e.Span, "%s is one piece, the same one all the time: the pieces of a side are in no order", said{one}).info = true
}

// ofAllAtOnce records a condition that one thing is the landmark of every colour or player, where no two have one in common.
func (x *setting) ofAllAtOnce(e *model.Expr) {
	list, body := e.Args[0], e.Args[1]
	side := list.Op == model.OpSet && (list.Set == model.SetColours || list.Set == model.SetPlayers)
	if e.Op != model.OpAll || !side || body.Op != model.OpEq || len(x.r.Colours) < 2 || !x.own(e.Span) {
		return
	}
	for i, a := range body.Args {
		if a.Op != model.OpMark || len(a.Args) == 0 || !looksAtElement(a) || looksAtElement(body.Args[1-i]) {
			continue
		}
		places := seq.Map(x.r.Colours, func(c model.ColourInUse) int { return x.r.Board.Landmarks[a.Int].Values[c.Board] })
		x.foundOf(len(seq.Distinct(places)) == len(places), "all at once", "always-same", e.Span, "this is never true: each has another %s; ask for any of them", words(a.Span))
	}
}
