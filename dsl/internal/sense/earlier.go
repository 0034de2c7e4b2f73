package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

// setBefore is what reactions that come before one, to the same event, have set variables to, or counted them up by, whatever else happens
// in between: where such a reaction has a condition, and this still holds, if it does.
func (x *setting) setBefore(c *model.Clause) []id {
	if x.did == nil {
		return nil
	}
	switch c.Event {
	case model.EventThrow, model.EventTurnBegins, model.EventAct, model.EventMove, model.EventLand:
	default:
		return nil
	}
	var out []id
	flag, number := model.Of(model.Flag), model.Of(model.Number)
	for _, rule := range x.r.Rules {
		for _, o := range rule.Clauses {
			before := o.Kind == model.ClauseBefore && (c.Act != nil || c.Event == model.EventMove)
			same := before || o.Kind == model.ClauseOn && o.Event == c.Event && o.Index < c.Index && (len(o.Dice) == 0 || slices.Equal(o.Dice, c.Dice))
			if !same || o.Act != c.Act || o.Move != c.Move || !slices.ContainsFunc(o.Block.Stmts, setsValue) {
				continue
			}
			names := substitution{}
			for i, p := range o.Params {
				if p != nil && i < len(c.Params) && c.Params[i] != nil {
					names[p] = x.local(c.Params[i])
				}
			}
			when := id(-1)
			if o.When != nil {
				if when = x.intern(o.When, names, 0); !x.settled(when, names) {
					continue
				}
			}
			for _, s := range o.Block.Stmts {
				if !setsValue(s) || !x.lasts(s, c) && !x.nextTo(s, o, c) {
					continue
				}
				target, value, is := x.intern(s.Target, names, 0), x.intern(s.Value, names, 0), id(-1)
				switch {
				case !x.fixedAll(x.terms[target].args), s.Value.Op == model.OpLocal && !x.settled(value, names),
					s.Value.Op == model.OpDie && c.Event != model.EventThrow: // another throw may come between
					continue
				case s.Assign == model.AssignSet:
					is = x.equal(target, value)
				case s.Assign == model.AssignAdd && s.Value.Int > 0 && s.Target.Type == number:
					is = x.flag(model.OpGe, target, x.number(x.domain(target, nil).lo+s.Value.Int))
				default:
					continue
				}
				switch {
				case s.Target.Type != flag || s.Value.Op != model.OpConst:
				case s.Value.Int != 0:
					is = target
				default:
					is = x.flag(model.OpNot, target)
				}
				if when >= 0 {
					is = x.flag(model.OpIf, when, is, x.constant(flag, 1))
				}
				out = append(out, is)
			}
		}
	}
	return out
}

// setsValue reports whether a statement gives a variable that holds one value a constant, a die or what it reacts to, or counts it up.
func setsValue(s *model.Stmt) bool {
	if s.Kind != model.StmtAssign || s.Target.Var == nil || s.Target.Type.List {
		return false
	}
	return s.Value.Op == model.OpConst || s.Assign == model.AssignSet && (s.Value.Op == model.OpLocal || s.Value.Op == model.OpDie)
}

// nextTo reports whether nothing assigns a variable again between a statement of a reaction and a later reaction to the same event.
func (x *setting) nextTo(set *model.Stmt, o, c *model.Clause) bool {
	if o.Kind != model.ClauseOn || x.assignsIn(set.Target.Var, model.EventRank, model.EventDrop) {
		return false
	}
	fine := true
	for _, rule := range x.r.Rules {
		for _, between := range rule.Clauses {
			if between.Kind == model.ClauseOn && between.Event == c.Event && o.Index <= between.Index && between.Index < c.Index {
				between.Block.Walk(func(s *model.Stmt) {
					quiet := s.Kind == model.StmtIf || s.Kind == model.StmtFor || s.Kind == model.StmtAgain || !mayRaise(s)
					fine = fine && quiet && (s == set || s.Target == nil || s.Target.Var != set.Target.Var)
				})
			}
		}
	}
	return fine
}

// beforeThrow is what is known of variables where a reaction to a throw is asked: those of the go are as they began, where a go has one throw
// and begins with it, and those that a later reaction counts up have not come to the number at which the throw before ended the turn.
func (x *setting) beforeThrow(c *model.Clause) []id {
	if x.did == nil {
		return nil
	}
	var out []id
	number := func(op model.Op, v *model.Var, n int) {
		out = append(out, x.flag(op, x.ofVar(v), x.constant(v.Type, n)))
	}
	n, ok := x.throwsOfGo(nil)
	first := ok && n == 1 && x.r.Turn.Stmts[0].Kind == model.StmtThrow
	for _, v := range x.r.Vars {
		if v.Type.List || len(v.Initial) != 1 || x.r.Own(v) {
			continue
		}
		switch {
		case v.Scope == model.ScopeGo && first && !x.assignsIn(v, model.EventThrow, model.EventRank, model.EventDrop):
			number(model.OpEq, v, v.Initial[0])
		case v.Scope == model.ScopeTurn && v.Type == model.Of(model.Number):
			adds := x.counter(v)
			if adds == nil || adds.Event != model.EventThrow || c.Index >= adds.Index {
				continue
			}
			if at := x.stopsAt(v, adds); at < v.High {
				number(model.OpLt, v, at)
			}
		}
	}
	return out
}

// assignsIn reports whether what some events raise assigns a variable.
func (x *setting) assignsIn(v *model.Var, events ...model.EventKind) bool {
	found := false
	for _, event := range events {
		for _, b := range x.raised(event) {
			b.Walk(func(s *model.Stmt) { found = found || s.Target != nil && s.Target.Var == v })
		}
	}
	return found
}

// lasts reports whether nothing that is done in reaction to an event assigns a variable again before a later reaction to it. What other
// reactions bring about in a move or an act is not followed: it may be anything but what a turn begins and ends with.
func (x *setting) lasts(set *model.Stmt, c *model.Clause) bool {
	later, blocks := map[*model.Block]bool{}, []*model.Block(nil)
	turns := c.Event == model.EventThrow || c.Event == model.EventTurnBegins
	if turns {
		for _, event := range []model.EventKind{c.Event, model.EventRank, model.EventDrop} {
			blocks = append(blocks, x.raised(event)...)
		}
	} else {
		for _, a := range x.r.Acts {
			blocks = append(blocks, a.Block)
		}
	}
	for _, rule := range x.r.Rules {
		for _, o := range rule.Clauses {
			later[o.Block] = turns && o.Event == c.Event && o.Kind == model.ClauseOn && o.Index >= c.Index
			if !turns && o.Event != model.EventTurnBegins && o.Event != model.EventTurnEnds {
				blocks = append(blocks, o.Block)
			}
		}
	}
	fine := true
	for _, b := range blocks {
		b.Walk(func(s *model.Stmt) {
			fine = fine && !(turns && s.Kind == model.StmtThrow) && (later[b] || s == set || s.Target == nil || s.Target.Var != set.Target.Var)
		})
	}
	return fine
}

// askedEarly records reactions to a throw that end the turn at some number of a variable which the same throw only counts afterwards: they
// end it one throw late, whatever that shows.
func (x *setting) askedEarly() {
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			if c.Kind != model.ClauseOn || c.Event != model.EventThrow || c.When == nil || !x.own(c.Span) {
				continue
			}
			why, at := "", source.Span{}
			for _, v := range x.r.Vars {
				stop, ends := endsAt(c, v)
				if !ends || v.Scope != model.ScopeTurn || len(v.Initial) != 1 || stop <= x.resets(v)+1 || !slices.ContainsFunc(c.Block.Stmts, finishesTurn) {
					continue
				}
				if adds := x.counter(v); adds != nil && adds.Event == model.EventThrow && adds.Index > c.Index && adds.When != nil {
					why, at = "this is asked before the throw is counted: it ends the turn one throw late", adds.Span
				}
			}
			if f := x.Study.warn("asked-early", c.Span, why); f.note.IsZero() {
				f.note = at
			}
		}
	}
}

func finishesTurn(s *model.Stmt) bool { return s.Kind == model.StmtEndTurn || s.Kind == model.StmtUndo }

// askedOfThrow records that a reaction to a throw asks for "thrown": nothing of this throw is played yet.
func (x *setting) askedOfThrow(c *model.Clause, form *formula) {
	if c.Kind != model.ClauseOn || c.Event != model.EventThrow {
		return
	}
	for _, p := range form.when {
		if p.e.Op != model.OpCell || p.e.Cell != model.CellThrown || !x.own(p.e.Span) {
			continue
		}
		why := "\"thrown\" says nothing of this throw, which is not played yet: it is false at the first throw of a turn, and then about the number before"
		if x.throwsBeside() {
			why = "" // a throw may come while a number is counted
		}
		x.Study.warnOf("of throw", "asked-early", p.e.Span, why)
	}
}
