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
	calls  [][]condition // of a statement of an act: likewise where the act is done; of one that reacts to a move: where it is offered
}

// changesOfVariables collects the statements that change variables, with the conditions that they stand under.
func (s *solver) changesOfVariables() []change {
	inTurn := slices.Collect(s.r.Turn.All())
	beside := seq.Any(s.r.Stmts(), func(x *model.Stmt) bool { return isThrow(x) && !slices.Contains(inTurn, x) }) // dice are thrown beside the turn
	asks := func(u condition) bool {
		return seq.Any(u.e.All(), func(x *model.Expr) bool { return x.Op == model.OpVar || x.Op == model.OpCall })
	}
	var out []change
	fresh, calls := s.unchanged(), map[*model.Act][][]condition{}
	for _, p := range s.sites() {
		if p.s.Kind == model.StmtDo {
			calls[p.s.Act] = append(calls[p.s.Act], seq.Filter(p.under, asks))
		}
	}
	offered := map[*model.Move][][]condition{}
	for c := range s.r.Clauses() {
		if c.Kind == model.ClauseMay {
			offered[c.Move] = append(offered[c.Move], seq.Filter([]condition{{c.When, true}}, asks))
		}
	}
	for _, p := range s.sites() {
		x := p.s
		if x.Target == nil || x.Kind != model.StmtAssign && x.Kind != model.StmtChoose {
			continue
		}
		c := change{target: x.Target, how: x.Assign, value: x.Value, fresh: fresh[x], calls: calls[p.act], under: seq.Filter(p.under, asks)}
		if p.clause != nil && p.clause.Move != nil && p.clause.Act == nil {
			c.calls = offered[p.clause.Move]
		}
		if !beside && !slices.Contains(inTurn, x) {
			c.shown = seq.Filter(p.under, func(u condition) bool { return onlyDice(u.e) })
		}
		out = append(out, c)
	}
	return out
}

// unchanged finds the statements that change a variable which nothing can have changed since the conditions around them were asked.
func (s *solver) unchanged() map[*model.Stmt]bool {
	fresh := map[*model.Stmt]bool{}
	var look func(b *model.Block, changed map[*model.Var]bool) bool
	look = func(b *model.Block, changed map[*model.Var]bool) (still bool) {
		still = true
		for _, x := range stmts(b) {
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
	for b := range s.r.Blocks() {
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
	open := []*facts{nil}
	cases := s.assumed(c.under, open)
	if len(cases) == 0 || len(c.calls) > 0 && !slices.ContainsFunc(c.calls, func(all []condition) bool { return len(s.assumed(all, open)) > 0 }) {
		return nothing
	}
	if c.fresh && c.how != model.AssignSet { // what is counted has a value that the conditions allow
		was = was.meet(s.joined(s.intern(c.target, nil, 0), cases))
	}
	shown := s.assumed(c.shown, open)
	if len(shown) == 0 { // that it is never done is a finding of its own
		shown = open
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
