package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// afterwards are the facts after an assignment: those that do not depend on the variable, and its value.
func (x *setting) afterwards(s *model.Stmt, known []*facts) []*facts {
	v := s.Target.Var
	if v == nil {
		return x.lasting(known)
	}
	target, value := x.intern(s.Target, nil, 0), x.intern(s.Value, nil, 0)
	is := assigned(s.Assign, x.joined(target, known), x.joined(value, known))
	known = x.kept(known, func(t id) bool { return !x.hangsOn(t, v) })
	if y := x.terms[value]; v.Type.List && s.Assign == model.AssignSet && y.op == model.OpList && len(y.args) == 0 {
		for _, set := range []model.Set{model.SetVar, model.SetCopies} {
			known = x.at(x.count(x.listOf(s.Target, set)), only(0), known)
		}
	}
	switch {
	case v.Type.List || slices.ContainsFunc(x.terms[target].args, func(a id) bool { return x.hangsOn(a, v) }):
		return known
	case v.Type == model.Of(model.Number) && (s.Assign != model.AssignSet || x.hangsOn(value, v)):
		return x.at(target, is, known)
	case x.hangsOn(value, v):
		return known
	}
	return x.assume(x.equal(target, value), true, known)
}

// listOf is what a set or bag has that a statement changes: the different ones, or all copies.
func (x *setting) listOf(target *model.Expr, set model.Set) id {
	of := x.intern(target, nil, 0)
	return x.add(term{op: model.OpSet, typ: target.Type, set: set, what: target.Var}, x.terms[of].args...)
}

// passes are the facts that statements leave as they are, those inside included: quiet is false where they do more than assign, and may
// raise events.
func (x *setting) passes(b *model.Block, known []*facts) (left []*facts, quiet bool) {
	var assigned []*model.Var
	for s := range b.All() {
		switch {
		case s.Kind == model.StmtAssign && s.Target.Var != nil:
			assigned = append(assigned, s.Target.Var)
		case altersState(s):
			return nil, false
		}
	}
	return x.kept(known, func(t id) bool {
		return !slices.ContainsFunc(assigned, func(v *model.Var) bool { return x.hangsOn(t, v) })
	}), true
}

// reactsToThrow reports whether something is done when some dice are thrown.
func (x *setting) reactsToThrow(dice []*model.Die) bool {
	return seq.Any(x.r.Clauses(), func(c *model.Clause) bool {
		return c.Kind == model.ClauseOn && c.Event == model.EventThrow && (len(c.Dice) == 0 || slices.ContainsFunc(c.Dice, func(d *model.Die) bool { return slices.Contains(dice, d) }))
	})
}

// hangsOn reports whether a term asks for a variable or a die, or may.
func (x *setting) hangsOn(t id, v any) bool {
	y := &x.terms[t]
	return y.op == unknownOp || y.what == v || slices.ContainsFunc(y.args, func(a id) bool { return x.hangsOn(a, v) })
}

// outForGood reports whether a term says that a player has a place, or plays no more, and it is known to be so: that lasts.
func (x *setting) outForGood(t id, known []*facts) bool {
	y := &x.terms[t]
	return y.op == model.OpField && (y.field == model.FieldRanked && len(x.assume(t, false, known)) == 0 || y.field == model.FieldPlaying && len(x.assume(t, true, known)) == 0)
}

// placed adds where a piece stands after it has been put there, unless a piece's leaving may move one.
func (x *setting) placed(s *model.Stmt, known []*facts) []*facts {
	if s.Kind != model.StmtPut {
		return known
	}
	p, to := x.intern(s.Value, nil, 0), x.intern(s.Other, nil, 0)
	of := x.terms[to]
	fixed := x.fixed(to) || of.op == model.OpField && of.field == model.FieldAt && x.fixed(of.args[0])
	if !x.fixed(p) || !fixed || x.brings(movesPiece, model.EventLeave) {
		return known
	}
	return x.assume(x.equal(x.field(p, model.FieldAt), to), true, known)
}

// lasting returns the facts that stay true after any statement: local names keep their values.
func (x *setting) lasting(known []*facts) []*facts { return x.kept(known, x.fixed) }

// kept are the facts about some terms.
func (x *setting) kept(known []*facts, keep func(id) bool) []*facts {
	var out []*facts
	for _, f := range known {
		var kept *facts
		for ; f != nil; f = f.before {
			if _, newer := kept.of(f.term); !newer && keep(f.term) {
				kept = &facts{kept, f.term, f.is}
			}
		}
		if kept == nil {
			return x.open()
		}
		out = append(out, kept)
	}
	return out
}

// fixed reports whether a term is constant during the game.
func (x *setting) fixed(t id) bool {
	y := x.terms[t]
	switch y.op {
	case model.OpConst, model.OpLocal:
		return true
	case model.OpCell:
		return y.cell == model.CellMe
	case model.OpTag, model.OpFamily, model.OpAttr, model.OpMark, model.OpEq, model.OpNe, model.OpLt, model.OpLe, model.OpGt, model.OpGe:
	case model.OpField:
		switch y.field {
		case model.FieldSquare, model.FieldColour, model.FieldPlayer, model.FieldTeam, model.FieldSeat:
		default:
			return false
		}
	case model.OpIndex, model.OpFirst, model.OpLast:
	case model.OpSet: // as they are listed when the game begins; pieces only where none is given away
		switch y.set {
		case model.SetPiecesOf:
			if x.r.Owner != nil || x.terms[y.args[0]].typ.Kind == model.Place {
				return false
			}
		case model.SetColoursOf, model.SetPlayersOf, model.SetTrackOf, model.SetPieces, model.SetColours, model.SetPlayers, model.SetTeams, model.SetSquares:
		default:
			return false
		}
	default:
		return false
	}
	return !slices.ContainsFunc(y.args, func(a id) bool { return !x.fixed(a) })
}

// changes reports whether statements can change the value of a condition.
func changes(b *model.Block) bool { return seq.Any(b.All(), altersState) }

// altersState reports whether a statement by itself can change the value of a condition.
func altersState(s *model.Stmt) bool {
	switch s.Kind {
	case model.StmtIf, model.StmtFor, model.StmtEarn, model.StmtAgain:
		return false
	}
	return true
}
