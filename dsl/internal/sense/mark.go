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

// behind records the first move to a landmark where no piece comes to squares of a track, as they lie behind all places where pieces come
// to it. A move to a square by its name may leave out squares on purpose.
func (x *setting) behind() {
	i := slices.IndexFunc(x.r.Moves, func(m *model.Move) bool {
		return m.Kind == model.MoveTo && m.Where.Op == model.OpMark && x.own(m.Where.Span)
	})
	if i < 0 || x.lives("behind", x.r.Moves[i].Where.Span) {
		return
	}
	names := x.r.Board.Words(x.neverCome())
	x.foundOf(names != "", "behind", "unreachable-square", x.r.Moves[i].Where.Span,
		"no piece ever comes to %s: pieces come to the track farther on", names).info = true
}

// neverCome names the squares on the tracks to which no piece comes.
func (x *setting) neverCome() []string {
	down, everywhere := x.setDown()
	if everywhere {
		return nil
	}
	come := make([]bool, len(x.r.Board.Places))
	for i, c := range x.r.Colours {
		nodes := x.r.Track.Runs[c.Board].Nodes
		been := make([]bool, len(nodes))
		var visit func(n int)
		visit = func(n int) {
			if been[n] {
				return
			}
			been[n], come[nodes[n].Place] = true, true
			for _, next := range nodes[n].Next {
				visit(next)
			}
			if x.did.back {
				for _, before := range nodes[n].Prev {
					visit(before)
				}
			}
		}
		for n := range nodes {
			if slices.ContainsFunc(down[i], func(d domain) bool { return d.has(nodes[n].Place) }) {
				visit(n)
			}
		}
	}
	var names []string
	for place, p := range x.r.Board.Places {
		if !p.Zone && !come[place] && x.track().has(place) {
			names = append(names, p.Name)
		}
	}
	return names
}
