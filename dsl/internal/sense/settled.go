package sense

import "github.com/rulerun/rulerun/dsl/model"

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
	asks, moving := false, false
	var look func(x *model.Expr) bool
	look = func(x *model.Expr) bool {
		switch x.Op {
		case model.OpDie, model.OpVar, model.OpMine:
			asks = true
		case model.OpCell:
			asks, moving = true, moving || x.Cell != model.CellMe
		case model.OpField:
			switch x.Field {
			case model.FieldAt, model.FieldIndex, model.FieldPlaying, model.FieldRanked, model.FieldWon:
				asks = true
			}
		case model.OpSet:
			asks = asks || x.Set == model.SetVar || x.Set == model.SetCopies || x.Set == model.SetAfter || x.Set == model.SetHand ||
				x.Set == model.SetPiecesOf && x.Args[0].Type.Kind == model.Place
			moving = moving || x.Set == model.SetOffered
		case model.OpCall:
			x.Let.Body.Walk(look)
		}
		return true
	}
	e.Walk(look)
	return asks && !moving
}
