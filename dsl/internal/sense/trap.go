package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// sitsOut records what ends the turns of a player as they begin, on conditions that stay true once they are. Where they are set when all
// pieces of a side have come somewhere, that side may be meant to be out.
func (x *setting) sitsOut(at source.Span, conditions []id) {
	v := x.forGood(conditions)
	x.found(v != nil && v.Scope != model.ScopeTurn && !x.setForAll(v), "nothing-to-do", at,
		"once this holds it holds for ever, as nothing makes it false again: each turn of the player ends as it begins")
}

// sitsOutTurn does so for what the turn begins with.
func (x *setting) sitsOutTurn() {
	for _, s := range stmts(x.r.Turn) {
		if s.Kind != model.StmtIf {
			return
		}
		if slices.ContainsFunc(s.Then.Stmts, finishesTurn) && x.own(s.Span) {
			x.sitsOut(s.Value.Span, []id{x.intern(s.Value, nil, 0)})
		}
	}
}

// setForAll reports whether a variable is assigned where a condition asks for all pieces, or for how many.
func (x *setting) setForAll(v *model.Var) bool {
	asks := func(e *model.Expr) bool { return e.Op == model.OpAll || e.Op == model.OpNone || e.Op == model.OpCount }
	return slices.ContainsFunc(x.sites(), func(p site) bool {
		return p.s.Writes(v) && slices.ContainsFunc(p.under, func(c condition) bool { return c.e.Has(asks) })
	})
}

// forGood is the variable that conditions are about, if they stay true once they are: no statement gives it a value for which they do not
// hold. It is nil if they do not, or ask for more than one variable of the turn, a player or the game.
func (x *setting) forGood(conditions []id) *model.Var {
	var of id
	fine, some := true, false
	var look func(t id)
	look = func(t id) {
		switch y := &x.terms[t]; y.op {
		case model.OpVar:
			fine = fine && (!some || t == of) && x.fixedAll(y.args)
			of, some = t, true
			return
		case model.OpConst, model.OpNot, model.OpAnd, model.OpOr, model.OpEq, model.OpNe, model.OpLt, model.OpLe, model.OpGt, model.OpGe:
			for _, a := range y.args {
				look(a)
			}
		default:
			fine = false
		}
	}
	for _, c := range conditions {
		look(c)
	}
	if !fine || !some {
		return nil
	}
	v, held := x.terms[of].what.(*model.Var), x.joined(of, x.holding(conditions, x.open()))
	if held.empty() || v.Scope == model.ScopeGo || x.r.Own(v) || seq.Any(x.r.Stmts(), func(s *model.Stmt) bool {
		return s.Writes(v) && len(x.not(conditions, x.at(of, assigned(s.Assign, held, x.given(s.Value, s.Value.Type.List, nil)), x.open()))) > 0
	}) {
		return nil
	}
	return v
}

// fixedAll reports whether terms are constant during the game.
func (x *setting) fixedAll(terms []id) bool {
	return !slices.ContainsFunc(terms, func(t id) bool { return !x.fixed(t) })
}
