package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// maxThrown is how many throws a turn has at most.
const maxThrown = 600

// most is the largest number a variable can have. One of the turn that throws count up, and at which a reaction to the same throws ends
// the turn, comes no further.
func (s *solver) most(v *model.Var) int {
	most := v.High
	if v == s.r.Throws {
		most = min(most, maxThrown)
	}
	if v.Scope == model.ScopeGo && v.Type == model.Of(model.Number) {
		if adds := s.counter(v); adds != nil {
			if n, ok := s.throwsOfGo(adds.Dice); ok {
				return min(most, s.resets(v)+n)
			}
		}
	}
	if v.Scope != model.ScopeTurn || v.Type != model.Of(model.Number) {
		return most
	}
	adds := s.counter(v)
	if adds == nil && v != s.r.Throws {
		return most
	}
	reset := s.resets(v)
	for _, rule := range s.r.Rules {
		for _, c := range rule.Clauses {
			at, ends := endsAt(c, v)
			same := len(c.Dice) == 0 || adds == nil && len(s.r.Dice) == 1 || adds != nil && len(adds.Dice) == 1 && len(c.Dice) == 1 && adds.Dice[0] == c.Dice[0]
			if ends && same && at > reset && (adds == nil || c.Index > adds.Index) {
				most = min(most, at)
			}
		}
	}
	return most
}

// endsAt is the number of a variable at which a reaction to a throw ends the turn.
func endsAt(c *model.Clause, v *model.Var) (int, bool) {
	if c.Kind != model.ClauseOn || c.Event != model.EventThrow || c.When == nil || c.When.Op != model.OpEq && c.When.Op != model.OpGe {
		return 0, false
	}
	a, b := c.When.Args[0], c.When.Args[1]
	if a.Op != model.OpVar || a.Var != v || b.Op != model.OpConst {
		return 0, false
	}
	for _, s := range c.Block.Stmts {
		if ends(s) {
			return b.Int, true
		}
	}
	return 0, false
}

// counter is the reaction to a throw that adds 1 to a variable, nil unless it is the only statement that makes it larger, but for resets.
func (s *solver) counter(v *model.Var) *model.Clause {
	var found *model.Clause
	adds, others := 0, 0
	count := func(x *model.Stmt) {
		switch {
		case x.Target == nil || x.Target.Var != v || x.Assign == model.AssignSub && x.Value.Op == model.OpConst && x.Value.Int >= 0:
		case x.Kind == model.StmtAssign && x.Assign == model.AssignAdd && x.Value.IsConst(1):
			adds++
		case x.Kind == model.StmtAssign && x.Assign == model.AssignSet && x.Value.Op == model.OpConst:
		default:
			others++
		}
	}
	s.r.Walk(count)
	if adds != 1 || others > 0 {
		return nil
	}
	for _, rule := range s.r.Rules {
		for _, c := range rule.Clauses {
			if c.Kind == model.ClauseOn && c.Event == model.EventThrow && c.Block != nil {
				for _, x := range c.Block.Stmts {
					if x.Kind == model.StmtAssign && x.Assign == model.AssignAdd && x.Target.Var == v {
						found = c
					}
				}
			}
		}
	}
	return found
}

// resets is the largest number that statements set a variable to, and that it begins with.
func (s *solver) resets(v *model.Var) int {
	most := v.Initial[0]
	s.r.Walk(func(x *model.Stmt) {
		if x.Kind == model.StmtAssign && x.Assign == model.AssignSet && x.Target.Var == v {
			most = max(most, x.Value.Int)
		}
	})
	return most
}

// throwsOfGo is how many throws of some dice, or of any, a go has; ok is false if nothing says so.
func (s *solver) throwsOfGo(dice []*model.Die) (n int, ok bool) {
	ok = true
	throws := func(x *model.Stmt) bool {
		return x.Kind == model.StmtThrow && (len(dice) == 0 || slices.ContainsFunc(x.Dice, func(d *model.Die) bool { return slices.Contains(dice, d) }))
	}
	all := 0
	s.r.Walk(func(x *model.Stmt) {
		if throws(x) {
			all++
		}
	})
	s.r.Turn.Walk(func(x *model.Stmt) {
		if throws(x) {
			n++
		}
		ok = ok && x.Kind != model.StmtFor
	})
	return n, ok && n == all
}
