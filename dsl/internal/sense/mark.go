package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// onesOwn records moves and statements that take pieces of every colour to a landmark of one colour, where the others have another place
// for it.
func (x *setting) onesOwn() {
	for _, m := range x.r.Moves {
		if m.Kind != model.MoveTo || !x.own(m.Span) {
			continue
		}
		asked := slices.Concat([]*model.Expr{m.From}, m.Sets)
		for _, f := range x.may {
			if f.x.Move == m {
				asked = append(asked, f.x.When)
			}
		}
		x.oneOfAll(m.Where, m.Params[0].Name, asked)
	}
	for _, p := range x.sites() {
		if p.s.Kind == model.StmtPut && x.own(p.s.Span) {
			asked := seq.Map(p.under, func(c condition) *model.Expr { return c.e })
			x.oneOfAll(p.s.Other, words(p.s.Value.Span), append(asked, p.s.Value))
		}
	}
}

// oneOfAll records a place that is the landmark of a colour for any piece, unless what is asked of the piece tells colours apart.
func (x *setting) oneOfAll(e *model.Expr, piece string, asked []*model.Expr) {
	if e.Op != model.OpMark || e.Args[0].Op != model.OpConst || len(x.r.Colours) == 1 {
		return
	}
	mark, why := x.r.Board.Landmarks[e.Int], ""
	other := func(c model.ColourInUse) bool {
		return mark.Values[c.Board] != mark.Values[x.r.Colours[e.Args[0].Int].Board]
	}
	names := func(a *model.Expr) bool {
		side := a.Type == model.Of(model.Colour) || a.Type == model.Of(model.Player)
		switch a.Op {
		case model.OpLocal:
			return side && x.domain(x.local(a.Local), nil).size() < len(x.r.Seats)
		case model.OpConst, model.OpIndex, model.OpFirst, model.OpLast, model.OpFind, model.OpVar:
			return side
		}
		return a.Op == model.OpField && a.Field == model.FieldSeat
	}
	if slices.ContainsFunc(x.r.Colours, other) && !slices.ContainsFunc(asked, func(a *model.Expr) bool { return a.Has(names) }) {
		why = "pieces of every colour come to this place of one; the own one of each is " + piece + "." + mark.Name
	}
	x.warn("one-colour", e.Span, why).info = true
}
