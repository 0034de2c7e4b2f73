package sense

import (
	"iter"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// maxThrown is how many throws a turn has at most.
const maxThrown = 600

// most is the largest number a variable can have. One of the turn that throws count up, and at which a reaction to the same throws ends
// the turn, comes no further.
func (s *solver) most(v *model.Var) int {
	most := v.High
	if v == s.r.Throws {
		if s.throws == 0 {
			s.throws = min(most, maxThrown, s.throwsAgain(), s.throwsCounted(), s.stopsAt(v, nil))
		}
		return s.throws
	}
	if v.Scope == model.ScopeGo && v.Type == model.Of(model.Number) {
		switch adds := s.counter(v); {
		case adds == nil:
		case adds.Event == model.EventThrow:
			if n, ok := s.throwsOfGo(adds.Dice); ok {
				return min(most, s.resets(v)+n)
			}
		case (adds.Event == model.EventLand || adds.Event == model.EventMove) && s.movesOnce():
			return min(most, s.resets(v)+1)
		}
	}
	if v.Scope != model.ScopeTurn || v.Type != model.Of(model.Number) {
		return most
	}
	adds := s.counter(v)
	switch {
	case adds == nil || adds.Event == model.EventLand || adds.Event == model.EventMove:
		return most
	case adds.Event == model.EventTurnBegins:
		return min(most, s.resets(v)+1)
	}
	return min(most, s.resets(v)+s.throwsAgain(), s.stopsAt(v, adds))
}

// stopsAt is the number at which reactions to a throw end the turn, or set a variable of the turn back, that throws count up.
func (s *solver) stopsAt(v *model.Var, adds *model.Clause) int {
	most, reset := v.High, s.resets(v)
	for c := range s.r.Clauses() {
		at, ends := endsAt(c, v)
		same := len(c.Dice) == 0 || adds == nil && len(s.r.Dice) == 1 || adds != nil && len(adds.Dice) == 1 && len(c.Dice) == 1 && adds.Dice[0] == c.Dice[0]
		if ends && same && at > reset && (adds == nil || c.Index > adds.Index) {
			most = min(most, at)
		}
	}
	return most
}

// whileCounting adds that variables of the turn at which throws end it have not come so far where a number is counted.
func (x *setting) whileCounting(cases []*facts) []*facts {
	for _, v := range x.r.Vars {
		if v.Scope != model.ScopeTurn || v.Type != model.Of(model.Number) || x.r.Own(v) {
			continue
		}
		if adds := x.counter(v); adds != nil && adds.Event == model.EventThrow {
			if at := x.stopsAt(v, adds); at < v.High {
				cases = x.at(x.ofVar(v), span(v.Low, at-1), cases)
			}
		}
	}
	return cases
}

// oneThrow reports whether each go begins with a throw, and has no other.
func (s *solver) oneThrow() bool {
	n, ok := s.throwsOfGo(nil)
	return ok && n == 1 && len(s.r.Turn.Stmts) > 0 && isThrow(s.r.Turn.Stmts[0])
}

// throwsAgain is how many throws a turn has at most, where each go is one throw and another one is given only up to some number of throws.
func (s *solver) throwsAgain() int {
	if !s.oneThrow() {
		return maxThrown
	}
	var again [][]condition
	limited := true
	for _, p := range s.sites() {
		if p.s.Kind == model.StmtAgain {
			again = append(again, p.under)
			limited = limited && s.r.Throws != nil && slices.ContainsFunc(p.under, func(c condition) bool { return looksAt(c.e, s.r.Throws) })
		}
	}
	most := 1
	if !limited {
		most = maxThrown
	}
	for ; most < maxThrown; most++ {
		goesOn := func(under []condition) bool {
			return !slices.ContainsFunc(under, func(c condition) bool { return !s.atThrow(c.e, most).has(flagNumber(c.want)) })
		}
		if !slices.ContainsFunc(again, goesOn) {
			break
		}
	}
	for _, x := range s.r.Turn.Stmts {
		if x.Kind == model.StmtIf && slices.ContainsFunc(x.Then.Stmts, ends) && (x.Value.Op == model.OpEq || x.Value.Op == model.OpGe) {
			if a, b := x.Value.Args[0], x.Value.Args[1]; a.Op == model.OpVar && a.Var == s.r.Throws && b.Op == model.OpConst && b.Int > 0 {
				most = min(most, b.Int)
			}
		}
	}
	return most
}

// throwsCounted is how many throws a turn has at most, where each go is one throw, every throw that gives another go is counted and the
// turn ends at some number of those.
func (s *solver) throwsCounted() int {
	if !s.oneThrow() {
		return maxThrown
	}
	most := maxThrown
	for _, v := range s.counters {
		adds, sets := s.counter(v), 0
		for x := range s.r.Stmts() {
			sets += flagNumber(x.Writes(v))
		}
		at := s.stopsAt(v, adds) - v.Initial[0]
		if sets > 1 || at >= most || adds.When != nil && !onlyDice(adds.When) || len(adds.Dice) > 0 && !slices.Equal(adds.Dice, s.r.Turn.Stmts[0].Dice) {
			continue
		}
		uncounted := func(p site) bool {
			if p.s.Kind != model.StmtAgain || adds.When == nil {
				return false
			}
			dice := seq.Filter(p.under, func(c condition) bool { return onlyDice(c.e) })
			return len(s.assume(s.intern(adds.When, nil, 0), false, s.assumed(dice, []*facts{nil}))) > 0
		}
		if !slices.ContainsFunc(s.sites(), uncounted) {
			most = at
		}
	}
	return most
}

func flagNumber(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// atThrow is what a condition can be when the turn has had n throws.
func (s *solver) atThrow(e *model.Expr, n int) domain {
	number := func(a *model.Expr) (int, bool) {
		if a.Op == model.OpVar && a.Var == s.r.Throws {
			return n, true
		}
		return a.Int, a.Op == model.OpConst
	}
	switch e.Op {
	case model.OpConst:
		return only(e.Int)
	case model.OpNot:
		d := s.atThrow(e.Args[0], n)
		return truth(d.has(0), d.has(1))
	case model.OpAnd:
		a, b := s.atThrow(e.Args[0], n), s.atThrow(e.Args[1], n)
		return truth(a.has(1) && b.has(1), a.has(0) || b.has(0))
	case model.OpOr:
		a, b := s.atThrow(e.Args[0], n), s.atThrow(e.Args[1], n)
		return truth(a.has(1) || b.has(1), a.has(0) && b.has(0))
	case model.OpCall:
		return s.atThrow(e.Let.Body, n)
	case model.OpEq, model.OpNe, model.OpLt, model.OpLe, model.OpGt, model.OpGe:
		a, fine := number(e.Args[0])
		if b, too := number(e.Args[1]); fine && too {
			_, yes := s.compare(e.Op, s.number(a), s.number(b), nil)
			return truth(yes, !yes)
		}
	}
	return anyTruth
}

// endsAt is the number of a variable at which a reaction to a throw ends the turn, or sets the variable back.
func endsAt(c *model.Clause, v *model.Var) (int, bool) {
	if c.Kind != model.ClauseOn || c.Event != model.EventThrow || c.When == nil || c.When.Op != model.OpEq && c.When.Op != model.OpGe {
		return 0, false
	}
	a, b := c.When.Args[0], c.When.Args[1]
	if a.Op != model.OpVar || a.Var != v || b.Op != model.OpConst {
		return 0, false
	}
	for _, s := range c.Block.Stmts {
		if ends(s) || s.Kind == model.StmtAssign && s.Assign == model.AssignSet && s.Target.Var == v && s.Value.Op == model.OpConst && s.Value.Int < b.Int {
			return b.Int, true
		}
	}
	return 0, false
}

// counter is the reaction to a throw, to the beginning of a turn or to a move that is carried out, that adds 1 to a variable, nil unless it
// is the only statement that makes it larger, but for resets.
func (s *solver) counter(v *model.Var) *model.Clause {
	var adds []site
	for _, p := range s.sites() {
		switch x := p.s; {
		case !x.Writes(v) || x.Assign == model.AssignSub && x.Value.Op == model.OpConst && x.Value.Int >= 0:
		case x.Kind == model.StmtAssign && x.Assign == model.AssignAdd && x.Value.IsConst(1):
			adds = append(adds, p)
		case x.Kind == model.StmtAssign && x.Assign == model.AssignSet && x.Value.Op == model.OpConst:
		default:
			return nil
		}
	}
	if len(adds) != 1 {
		return nil
	}
	c := adds[0].clause
	counts := c != nil && c.Kind == model.ClauseOn &&
		(c.Event == model.EventThrow || c.Event == model.EventTurnBegins || c.Event == model.EventLand || c.Event == model.EventMove)
	if !counts || !slices.Contains(c.Block.Stmts, adds[0].s) {
		return nil
	}
	return c
}

// resets is the largest number that statements set a variable to, and that it begins with.
func (s *solver) resets(v *model.Var) int {
	most := v.Initial[0]
	for x := range s.r.Stmts() {
		if x.Kind == model.StmtAssign && x.Assign == model.AssignSet && x.Writes(v) {
			most = max(most, x.Value.Int)
		}
	}
	return most
}

// movesOnce reports whether a go has one move at most: it plays one number, once.
func (s *solver) movesOnce() bool {
	plays := 0
	for x := range s.r.Turn.All() {
		if x.Loops() || x.Kind == model.StmtPlay && x.Play != model.PlayNumber && x.Play != model.PlayAny {
			return false
		}
		plays += flagNumber(x.Kind == model.StmtPlay)
	}
	return plays == 1
}

// throwsOfGo is how many throws of some dice, or of any, a go has; ok is false if nothing says so.
func (s *solver) throwsOfGo(dice []*model.Die) (n int, ok bool) {
	throws := func(all iter.Seq[*model.Stmt]) (n int) {
		for x := range all {
			n += flagNumber(isThrow(x) && (len(dice) == 0 || slices.ContainsFunc(x.Dice, func(d *model.Die) bool { return slices.Contains(dice, d) })))
		}
		return n
	}
	n = throws(s.r.Turn.All())
	return n, n == throws(s.r.Stmts()) && !seq.Any(s.r.Turn.All(), (*model.Stmt).Loops)
}
