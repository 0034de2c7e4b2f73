package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// valuesOfVariables computes the domain of each variable over a whole game.
func (s *solver) valuesOfVariables() {
	changes := s.changesOfVariables()
	for _, v := range s.r.Vars {
		s.vars[v] = s.atFirst(v)
	}
	s.before, s.coarse = true, true
	for round, grown := 0, true; grown; round++ {
		grown = false
		s.forget()
		for _, c := range changes {
			v := c.target.Var
			if v == nil || v.Type.List && c.how == model.AssignSub {
				continue
			}
			was, full := s.vars[v], s.ofVariable(v)
			if was.equal(full) {
				continue
			}
			if now := was.join(s.after(c, was).meet(full)); !now.equal(was) {
				if round >= maxRounds {
					now = widen(was, now, full)
				}
				s.vars[v], grown = now, true
			}
		}
	}
	s.before, s.coarse = false, false
	s.forget()
}

// change is a statement that changes a variable.
type change struct {
	target *model.Expr
	how    model.AssignOp
	value  *model.Expr
	under  []condition   // those that ask variables
	fresh  bool          // nothing has changed the variable since they were asked
	shown  []condition   // those that ask only what dice show that are not thrown meanwhile
	calls  [][]condition // of a statement of an act: likewise where the act is done
}

// changesOfVariables collects the statements that change variables, with the conditions that they stand under.
func (s *solver) changesOfVariables() []change {
	inTurn := map[*model.Stmt]bool{}
	s.r.Turn.Walk(func(x *model.Stmt) { inTurn[x] = true })
	beside := false // dice are thrown beside the turn
	s.r.Walk(func(x *model.Stmt) { beside = beside || x.Kind == model.StmtThrow && !inTurn[x] })
	asks := func(e *model.Expr) bool {
		found := false
		e.Walk(func(x *model.Expr) bool {
			found = found || x.Op == model.OpVar || x.Op == model.OpCall
			return !found
		})
		return found
	}
	var out []change
	fresh := s.unchanged()
	of, calls := map[*model.Stmt]*model.Act{}, map[*model.Act][][]condition{}
	for _, a := range s.r.Acts {
		a.Block.Walk(func(x *model.Stmt) { of[x] = a })
	}
	walkUnder(s.r, func(x *model.Stmt, under []condition) {
		if x.Kind == model.StmtDo {
			calls[x.Act] = append(calls[x.Act], seq.Filter(under, func(u condition) bool { return asks(u.e) }))
		}
	})
	walkUnder(s.r, func(x *model.Stmt, under []condition) {
		if x.Target == nil || x.Kind != model.StmtAssign && x.Kind != model.StmtChoose {
			return
		}
		c := change{target: x.Target, how: x.Assign, value: x.Value, fresh: fresh[x], calls: calls[of[x]]}
		if x.Kind == model.StmtChoose {
			c.how = model.AssignSet
		}
		for _, u := range under {
			if asks(u.e) {
				c.under = append(c.under, u)
			}
			if !beside && !inTurn[x] && onlyDice(u.e) {
				c.shown = append(c.shown, u)
			}
		}
		out = append(out, c)
	})
	return out
}

// unchanged finds the statements that change a variable which nothing can have changed since the conditions around them were asked.
func (s *solver) unchanged() map[*model.Stmt]bool {
	fresh := map[*model.Stmt]bool{}
	var look func(b *model.Block, changed map[*model.Var]bool) bool
	look = func(b *model.Block, changed map[*model.Var]bool) (still bool) {
		still = true
		if b == nil {
			return true
		}
		for _, x := range b.Stmts {
			switch x.Kind {
			case model.StmtAssign:
				fresh[x] = still && !changed[x.Target.Var]
				changed[x.Target.Var] = true
			case model.StmtIf:
				if still {
					a, b := look(x.Then, changed), look(x.Else, changed)
					still = a && b
				}
			case model.StmtFor:
				still = still && x.Once() && look(x.Then, changed)
			case model.StmtEarn, model.StmtAgain:
			default:
				still = false
			}
		}
		return still
	}
	blocks := []*model.Block{s.r.Setup, s.r.Turn}
	for _, a := range s.r.Acts {
		blocks = append(blocks, a.Block)
	}
	for _, rule := range s.r.Rules {
		for _, c := range rule.Clauses {
			blocks = append(blocks, c.Block)
		}
	}
	for _, b := range blocks {
		look(b, map[*model.Var]bool{})
	}
	return fresh
}

// atFirst is the domain of a variable before anything changes it, or the largest one if the rules do not own it.
func (s *solver) atFirst(v *model.Var) domain {
	switch {
	case v == s.r.Owner:
		return s.something(model.Colour)
	case !s.r.Own(v) && !v.Queue:
		return listed(v.Initial...)
	case v.Type.Kind == model.Number && v.Type.List:
		return s.ofKind(v.Type.Kind)
	}
	return s.ofVariable(v)
}

// ofVariable is the largest domain of a variable.
func (s *solver) ofVariable(v *model.Var) domain {
	if v.Type.Kind == model.Number {
		return span(v.Low, s.most(v))
	}
	return s.ofKind(v.Type.Kind)
}

// after is the domain of a variable after a change, with the values of variables known so far; it is empty if the conditions of the change
// exclude them.
func (s *solver) after(c change, was domain) domain {
	assumed := func(all []condition) []*facts {
		cases := []*facts{nil}
		for _, u := range all {
			cases = s.assume(s.intern(u.e, nil, 0), u.want, cases)
		}
		return cases
	}
	cases := assumed(c.under)
	if len(cases) == 0 || len(c.calls) > 0 && !slices.ContainsFunc(c.calls, func(all []condition) bool { return len(assumed(all)) > 0 }) {
		return nothing
	}
	if c.fresh && c.how != model.AssignSet { // what is counted has a value that the conditions allow
		target, allowed := s.intern(c.target, nil, 0), nothing
		for _, f := range cases {
			allowed = allowed.join(s.domain(target, f))
		}
		was = was.meet(allowed)
	}
	shown := assumed(c.shown)
	if len(shown) == 0 { // that it is never done is a finding of its own
		shown = []*facts{nil}
	}
	d := nothing
	for _, f := range shown {
		d = d.join(s.given(c.value, c.value != nil && c.value.Type.List, f))
	}
	if c.target.Var.Type.List {
		return d
	}
	return assigned(c.how, was, d)
}

// widen extends a domain that keeps growing to the limits of full, at the ends at which it grows.
func widen(was, now, full domain) domain {
	now = span(now.lo, now.hi)
	if now.lo < was.lo {
		now.lo = full.lo
	}
	if now.hi > was.hi {
		now.hi = full.hi
	}
	return now
}
