package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// setBefore is what reactions that come before one, to the same event, have set variables to, or counted them up by, whatever else happens
// in between: where such a reaction has a condition, and this still holds, if it does.
func (x *setting) setBefore(c *model.Clause) []id {
	followed := []model.EventKind{model.EventThrow, model.EventTurnBegins, model.EventAct, model.EventMove, model.EventLand}
	if x.did == nil || !slices.Contains(followed, c.Event) {
		return nil
	}
	var out []id
	flag, number := model.Of(model.Flag), model.Of(model.Number)
	for o := range x.r.Clauses() {
		before := o.Kind == model.ClauseBefore && (c.Act != nil || c.Event == model.EventMove)
		same := before || earlierOn(o, c) && o.Event == c.Event && (len(o.Dice) == 0 || slices.Equal(o.Dice, c.Dice))
		if !same || o.Act != c.Act || o.Move != c.Move || !slices.ContainsFunc(o.Block.Stmts, setsValue) {
			continue
		}
		names, when := x.naming(o.Params, c.Params), id(-1)
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
	return out
}

// setsValue reports whether a statement gives a variable that holds one value a constant, a die or what it reacts to, or counts it up.
func setsValue(s *model.Stmt) bool {
	return s.Kind == model.StmtAssign && s.Target.Var != nil && !s.Target.Type.List &&
		(s.Value.Op == model.OpConst || s.Assign == model.AssignSet && (s.Value.Op == model.OpLocal || s.Value.Op == model.OpDie))
}

// nextTo reports whether nothing assigns a variable again between a statement of a reaction and a later reaction to the same event.
func (x *setting) nextTo(set *model.Stmt, o, c *model.Clause) bool {
	if o.Kind != model.ClauseOn || x.assignsIn(set.Target.Var, model.EventRank, model.EventDrop) {
		return false
	}
	disturbs := func(s *model.Stmt) bool {
		quiet := s.Kind == model.StmtIf || s.Kind == model.StmtFor || s.Kind == model.StmtAgain || !mayRaise(s)
		return !quiet || s != set && s.Writes(set.Target.Var)
	}
	return !seq.Any(x.r.Clauses(), func(between *model.Clause) bool {
		return between.Event == c.Event && o.Index <= between.Index && earlierOn(between, c) && seq.Any(between.Block.All(), disturbs)
	})
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
	first := x.oneThrow()
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

// asBegun records conditions of a reaction to the only move of a go that ask for a variable of the go, to which nothing has given a value
// before: it begins anew with each throw.
func (x *setting) asBegun(c *model.Clause) {
	if c.Kind != model.ClauseOn || c.Event != model.EventLand && c.Event != model.EventMove || c.When == nil || !x.movesOnce() ||
		slices.ContainsFunc(x.r.Moves, func(m *model.Move) bool { return m.Carrying != nil }) {
		return
	}
	for _, side := range chained(model.OpAnd, c.When) {
		var v *model.Var
		for e := range side.All() {
			if e.Op == model.OpVar && e.Var.Scope == model.ScopeGo && !e.Type.List {
				v = e.Var
			}
		}
		if v == nil || len(v.Initial) != 1 || x.r.Own(v) || x.writesBefore(v, c) {
			continue
		}
		t, begun := x.intern(side, nil, 0), x.assume(x.equal(x.ofVar(v), x.constant(v.Type, v.Initial[0])), true, x.open())
		holds := len(x.assume(t, true, begun)) > 0
		x.foundOf(!holds || len(x.assume(t, false, begun)) == 0, "begun", "always-same", side.Span,
			"%s is %s true here: %q begins anew with each throw, and nothing gives it a value before", said{side}, ever(holds), v.Name)
	}
}

// writesBefore reports whether anything may give a variable of the go a value before a reaction to the only move of the go.
func (x *setting) writesBefore(v *model.Var, c *model.Clause) bool {
	writes := func(s *model.Stmt) bool { return s.Writes(v) }
	later := map[*model.Block]bool{}
	for o := range x.r.Clauses() {
		later[o.Block] = o.Kind == model.ClauseOn && (o.Event == c.Event && o.Index >= c.Index || o.Event == model.EventMove && c.Event == model.EventLand)
	}
	return seq.Any(x.r.Blocks(), func(b *model.Block) bool { return !later[b] && seq.Any(b.All(), writes) })
}

// assignsIn reports whether what some events raise assigns a variable.
func (x *setting) assignsIn(v *model.Var, events ...model.EventKind) bool {
	return x.brings(func(s *model.Stmt) bool { return s.Writes(v) }, events...)
}

// brings reports whether a statement of some kind may be done in reaction to some events.
func (x *setting) brings(is func(*model.Stmt) bool, events ...model.EventKind) bool {
	return slices.ContainsFunc(events, func(event model.EventKind) bool {
		return slices.ContainsFunc(x.raised(event), func(b *model.Block) bool { return seq.Any(b.All(), is) })
	})
}

// lasts reports whether nothing that is done in reaction to an event assigns a variable again before a later reaction to it. What other
// reactions bring about in a move or an act is not followed: it may be anything but what a turn begins and ends with.
func (x *setting) lasts(set *model.Stmt, c *model.Clause) bool {
	writes := func(s *model.Stmt) bool { return s != set && s.Writes(set.Target.Var) }
	if c.Event != model.EventThrow && c.Event != model.EventTurnBegins {
		return !slices.ContainsFunc(x.r.Acts, func(a *model.Act) bool { return seq.Any(a.Block.All(), writes) }) &&
			!seq.Any(x.r.Clauses(), func(o *model.Clause) bool {
				return o.Event != model.EventTurnBegins && o.Event != model.EventTurnEnds && seq.Any(o.Block.All(), writes)
			})
	}
	later := map[*model.Block]bool{}
	for o := range x.r.Clauses() {
		later[o.Block] = o.Event == c.Event && o.Kind == model.ClauseOn && o.Index >= c.Index
	}
	for _, event := range []model.EventKind{c.Event, model.EventRank, model.EventDrop} {
		for _, b := range x.raised(event) {
			if seq.Any(b.All(), func(s *model.Stmt) bool { return s.Kind == model.StmtThrow || !later[b] && writes(s) }) {
				return false
			}
		}
	}
	return true
}

// askedEarly records reactions to a throw that end the turn at some number of a variable which the same throw only counts afterwards: they
// end it one throw late, whatever that shows.
func (x *setting) askedEarly() {
	for c := range x.r.Clauses() {
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
		x.warn("asked-early", c.Span, why).noted(at)
	}
}

func finishesTurn(s *model.Stmt) bool { return s.Kind == model.StmtEndTurn || s.Kind == model.StmtUndo }

// askedOfThrow records that a reaction to a throw asks for "thrown", or "steps": nothing of this throw is played yet. A throw may come while a
// number is counted, though.
func (x *setting) askedOfThrow(c *model.Clause, form *formula) {
	if c.Kind != model.ClauseOn || c.Event != model.EventThrow {
		return
	}
	for _, p := range form.when {
		if p.e.Op == model.OpCell && p.e.Cell == model.CellThrown {
			x.foundOf(!x.throwsBeside(), "of throw", "asked-early", p.e.Span,
				"\"thrown\" says nothing of this throw, which is not played yet: it is false at the first throw of a turn, and then about the number before")
		}
		for e := range p.e.All() {
			if isSteps(e) {
				x.foundOf(!x.throwsBeside(), "of throw", "asked-early", e.Span,
					"\"steps\" says nothing of this throw, which is not played yet: it is about the number before; ask for the die")
			}
		}
	}
}
