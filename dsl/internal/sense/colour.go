package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// onTrack reports whether the conditions of a clause about a piece and a place can hold for a piece of some colour, which comes only
// to places of its own track and where moves set it down.
func (x *setting) onTrack(c *model.Clause, form *formula) bool {
	p, places := x.movedTo(c)
	if p == nil || len(places) == 0 || !namesPlace(form) && !asksWhoStands(form) {
		return true
	}
	for i := range x.r.Colours {
		if len(x.casesOf(c, form, p, places, i)) > 0 {
			return true
		}
	}
	return len(x.r.Colours) == 0
}

// casesOf are the cases in which the conditions of a clause hold for a piece of a colour that comes to some places.
func (x *setting) casesOf(c *model.Clause, form *formula, p *model.Local, places []*model.Local, colour int) []*facts {
	cases := x.ofColour(p, colour)
	for _, s := range places {
		cases = x.at(x.local(s), x.comesTo(c, colour), cases)
	}
	return x.holding(form.terms, cases)
}

// noneThere records a loop that a reaction begins with over pieces of which none can stand where pieces of the colour in question come.
func (x *setting) noneThere(c *model.Clause, form *formula) {
	p, places := x.movedTo(c)
	if p == nil || len(places) == 0 || empty(c.Block) || c.Block.Stmts[0].Kind != model.StmtFor {
		return
	}
	s := c.Block.Stmts[0]
	if x.lives("none there", s.Span) {
		return
	}
	list, none := x.intern(s.Value, nil, 0), true
	for i := range x.r.Colours {
		none = none && x.longest(list, x.casesOf(c, form, p, places, i)) == 0
	}
	x.foundOf(none, "none there", "no-effect", s.Span, "no piece that this goes through ever stands there")
}

// movedTo returns the piece a clause is about and the places on its way; no place where another place is possible too.
func (x *setting) movedTo(c *model.Clause) (p *model.Local, places []*model.Local) {
	switch c.Kind {
	case model.ClauseStep, model.ClauseEnd:
		return anyPiece, []*model.Local{walked}
	case model.ClauseMay, model.ClauseMust, model.ClauseNever:
		if c.Move != nil && c.To != nil && c.Move.Kind == model.MoveWalk {
			return c.Move.Params[0], []*model.Local{x.endOf(c.Move)}
		}
	case model.ClauseOn:
		switch c.Event {
		case model.EventLand, model.EventPass:
			if len(c.Params) == 2 && c.Params[1] != nil {
				p, places = c.Params[0], c.Params[1:]
			}
		case model.EventStep:
			if len(c.Params) == 3 && c.Params[2] != nil {
				p, places = c.Params[0], c.Params[2:]
			}
		case model.EventMove:
			if c.Move != nil && c.To != nil && (c.Move.Kind == model.MoveWalk || c.Move.Kind == model.MoveTo) && len(c.Params) > 0 {
				p, places = c.Params[0], []*model.Local{c.To}
			}
		}
	}
	return p, places
}

// namesPlace reports whether a condition compares a place.
func namesPlace(form *formula) bool {
	return slices.ContainsFunc(form.when, func(p part) bool {
		return seq.Any(p.e.All(), func(e *model.Expr) bool {
			return (e.Op == model.OpEq || e.Op == model.OpIn) && e.Args[0].Type.Kind == model.Place
		})
	})
}

// asksWhoStands reports whether a condition asks for the colours of the pieces on a place.
func asksWhoStands(form *formula) bool {
	return form.has(func(e *model.Expr) bool {
		return e.Op == model.OpField && (e.Field == model.FieldColour || e.Field == model.FieldPlayer || e.Field == model.FieldTeam)
	}) && form.has(isPiecesThere)
}

// isPiecesThere reports whether an expression is the list of the pieces on a place.
func isPiecesThere(e *model.Expr) bool {
	return e.Op == model.OpSet && e.Set == model.SetPiecesOf && e.Args[0].Type.Kind == model.Place
}

// coloursAt is the domain of the colours of which pieces can stand on some places: where they begin, on their tracks, and where moves and
// statements put them.
func (s *solver) coloursAt(places domain) domain {
	if s.standing == nil {
		out, everywhere := s.setDown()
		for i, c := range s.r.Colours {
			out[i] = append(out[i], listed(s.r.Track.Runs[c.Board].Places()...))
			if everywhere {
				out[i] = append(out[i], s.ofKind(model.Place))
			}
		}
		s.standing = out
	}
	return listed(seq.Indexes(s.standing, func(at []domain) bool { return slices.ContainsFunc(at, places.meets) })...)
}

// destinations are the places that moves and statements put pieces on, with the name of the piece.
func (s *solver) destinations() (pieces []*model.Local, to []*model.Expr) {
	for _, m := range s.r.Moves {
		if m.Kind == model.MoveTo {
			pieces, to = append(pieces, m.Params[0]), append(to, m.Where)
		}
	}
	for x := range s.r.Stmts() {
		if x.Kind == model.StmtPut {
			pieces, to = append(pieces, x.Value.Local), append(to, x.Other) // nil if it has none
		}
	}
	return pieces, to
}

// setDown lists for each colour where its pieces begin, and where moves and statements put them; everywhere is whether they may come
// to places of other colours too.
func (s *solver) setDown() (out [][]domain, everywhere bool) {
	out = make([][]domain, len(s.r.Colours))
	pieces, to := s.destinations()
	for i, c := range s.r.Colours {
		for j, e := range to {
			if e.Op == model.OpMark && isName(e.Args[0], pieces[j]) {
				out[i] = append(out[i], only(s.r.Board.Landmarks[e.Int].Values[c.Board]))
			} else {
				out[i] = append(out[i], s.domain(s.intern(e, nil, 0), nil))
			}
		}
		out[i] = append(out[i], only(s.r.PiecesAt[i]))
	}
	return out, s.r.Owner != nil || slices.ContainsFunc(s.r.Moves, func(m *model.Move) bool { return m.Carrying != nil }) ||
		seq.Any(s.r.Stmts(), func(x *model.Stmt) bool { return x.Kind == model.StmtExchange })
}

// reach computes the places where pieces can stand: where they begin, on the tracks, and where moves and statements put them.
func (s *solver) reach() {
	_, destinations := s.destinations()
	to := seq.Map(destinations, func(e *model.Expr) id { return s.intern(e, nil, 0) })
	s.before = true
	for d := s.begins().join(s.track()); !d.equal(s.reached); {
		s.reached = d
		s.forget() // where a piece is put may depend on where others stand
		for _, t := range to {
			d = d.join(s.domain(t, nil).without(-1))
		}
	}
	s.before = false
	s.forget()
}

// ofColour is the case that a piece is of a colour.
func (x *setting) ofColour(p *model.Local, colour int) []*facts {
	of, seat := x.local(p), x.r.Colours[colour].Seat
	cases := x.at(x.field(of, model.FieldColour), only(colour), x.open())
	cases = x.at(x.field(of, model.FieldPlayer), only(seat), cases)
	return x.at(x.field(of, model.FieldTeam), only(x.r.Seats[seat].Team), cases)
}

// at keeps the cases in which a term is in a domain.
func (x *setting) at(t id, d domain, cases []*facts) []*facts {
	var out []*facts
	for _, f := range cases {
		if g, ok := x.narrow(t, d, f); ok {
			out = append(out, g)
		}
	}
	return out
}

// comesTo is the domain of the places to which moves take the pieces of a colour.
func (x *setting) comesTo(c *model.Clause, colour int) domain {
	walks := x.places(x.r.Colours[colour:colour+1], x.steppedOn)
	cases := func(m *model.Move) []*facts { return x.ofColour(m.Params[0], colour) }
	switch {
	case c.Kind == model.ClauseOn && c.Event == model.EventMove && c.Move.Kind == model.MoveTo:
		return x.joined(x.intern(c.Move.Where, nil, 0), cases(c.Move))
	case c.Kind == model.ClauseOn && c.Event == model.EventLand:
		return x.landsOn(walks, cases)
	}
	return walks
}

// landsOn is the domain of the places where pieces land: walks is that of those to which walks lead, cases is what is known of each move.
func (x *setting) landsOn(walks domain, cases func(m *model.Move) []*facts) domain {
	d := nothing
	for _, f := range x.may {
		switch m := f.x.Move; m.Kind {
		case model.MoveTo:
			d = d.join(x.joined(x.intern(m.Where, nil, 0), cases(m)))
		case model.MoveWalk:
			d = d.join(walks)
		case model.MoveStay:
			d = d.join(x.startsFrom(m, cases(m)))
		}
	}
	return d
}
