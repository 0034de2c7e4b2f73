package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// AddPart analyses the rules of one setting without the clauses that have faults. It looks at each condition by
// itself: a variable may have any value of its type, since the clause that assigns it may be missing. It reports
// nothing that depends on what other clauses offer, forbid or cover. Once a study has a part, all its settings are
// treated in this way.
func (s *Study) AddPart(r *model.Rules) {
	s.part = true
	anything := span(least, greatest)
	x := &setting{Study: s, solver: freeSolver(r), endings: map[*model.Move]*model.Local{}, played: anything, by: anything}
	for c := range r.Clauses() {
		if len(c.Or) > 0 || !x.own(c.Span) || !whole(c) {
			continue
		}
		f := fact(x.clauses, c)
		x.prepare(c)
		if form := x.formulaOf(c, nil); x.possible(form.terms...) {
			f.applies = true
		} else {
			f.why, f.thrown = f.why.join(x.why(form, nil)), form.onThrow()
		}
		x.look(c.When, 0, x.open())
	}
	x.bodies()
}

// whole reports whether all names in a clause are resolved.
func whole(c *model.Clause) bool {
	lacks := func(p *model.Local) bool { return p == nil || p.Type.Kind == model.Invalid }
	m := c.Move
	return !slices.ContainsFunc(c.Params, lacks) &&
		(m == nil || !slices.ContainsFunc(m.Params, lacks) && (m.Where != nil || m.Kind != model.MoveTo && m.Kind != model.MoveWalk))
}

// Settled reports whether a condition of a test has the same value in every position that a test can set up: always
// true, or never. Variables may have any value of their types, because a test may set them. Both results are false
// for a condition on the rules alone, such as the number of pieces: its value differs between rule books.
func Settled(r *model.Rules, cond *model.Expr) (always, never bool) {
	if !asksPosition(cond) {
		return false, false
	}
	s := freeSolver(r)
	t := s.intern(cond, nil, 0)
	return !s.possible(s.flag(model.OpNot, t)), !s.possible(t)
}

// asksPosition reports whether a condition depends on the position, and not on the move being made.
func asksPosition(e *model.Expr) bool {
	moving := func(x *model.Expr) bool {
		return x.Op == model.OpCell && x.Cell != model.CellMe || x.Op == model.OpSet && x.Set == model.SetOffered
	}
	return !e.Has(moving) && e.Has(func(x *model.Expr) bool {
		switch x.Op {
		case model.OpDie, model.OpVar, model.OpMine, model.OpCell:
			return true
		case model.OpField:
			return x.Field == model.FieldAt || x.Field == model.FieldIndex || ofPart(x.Field)
		case model.OpSet:
			return x.Set == model.SetVar || x.Set == model.SetCopies || x.Set == model.SetAfter || x.Set == model.SetHand || isPiecesThere(x)
		}
		return false
	})
}

// ofPart reports whether a field is one of a player's part in the game.
func ofPart(f model.Field) bool {
	return f == model.FieldPlaying || f == model.FieldRanked || f == model.FieldWon
}
