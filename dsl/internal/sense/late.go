package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// comesTooLate says why what a reaction waits for never comes, "" if it may.
func (x *setting) comesTooLate(c *model.Clause, form *formula, known []*facts) string {
	if c.Kind != model.ClauseOn {
		return ""
	}
	if c.Event == model.EventStuck {
		if may := x.neverStuck(); may != nil {
			return "rule " + quote(may.Rule.Name) + " offers a move for every number"
		}
	}
	if e := x.endsFirst(c, form, known); e != nil {
		return "where it would, rule " + quote(e.Rule.Name) + " has ended the game already"
	}
	return x.barred(c, form, known)
}

// endsFirst returns the ending that holds wherever a reaction to the end of a move would: endings are looked at before, and it comes too
// late. It returns nil if there is none.
func (x *setting) endsFirst(c *model.Clause, form *formula, known []*facts) *model.Clause {
	if x.did == nil || c.Kind != model.ClauseOn || c.Event != model.EventLand && c.Event != model.EventMove || len(c.Params) == 0 || c.Params[0] == nil ||
		c.Params[0].Type.Kind != model.Piece {
		return nil
	}
	for _, t := range form.terms {
		known = x.assume(t, true, known)
	}
	set := x.movable()
	alone := set != nil && x.terms[x.intern(set, nil, 0)].op == model.OpMine && len(x.r.Teams) == len(x.r.Seats)
	p := x.local(c.Params[0])
	for _, rule := range x.r.Rules {
		for _, e := range rule.Clauses {
			if e.Kind != model.ClauseEnding || e.When == nil || (e.Ending == model.EndRank || e.Ending == model.EndDrop) && !(alone && e.Scope == model.ScopePlayer) {
				continue
			}
			now := known
			for i, t := range x.formulaOf(e, nil).terms {
				if len(e.Params) > 0 {
					side := map[model.Scope]model.Field{model.ScopePlayer: model.FieldPlayer, model.ScopeTeam: model.FieldTeam, model.ScopeColour: model.FieldColour}[e.Scope]
					t = x.with(t, x.local(sides[e.Scope]), x.field(p, side))
				}
				if i == 0 {
					now = nil
				}
				now = append(now, x.assume(t, false, known)...)
			}
			if len(now) == 0 && len(known) > 0 {
				return e
			}
		}
	}
	return nil
}

// neverStuck is the may clause that offers a move for every number, nil if there is none.
func (x *setting) neverStuck() *model.Clause {
	fine := true
	x.r.Walk(func(s *model.Stmt) {
		switch s.Kind {
		case model.StmtPlay:
			fine = fine && (s.Play == model.PlayNumber || s.Play == model.PlayEarned)
		case model.StmtEarn:
			fine = fine && (s.Other == nil || s.Other.Type.Kind != model.Piece)
		}
	})
	for _, f := range x.may {
		m := f.x.Move
		forbidden := slices.ContainsFunc(x.never, func(n *formula) bool { return n.x.Move == nil || n.x.Move == m })
		if fine && m.Kind == model.MoveNothing && len(m.Params) == 0 && m.From == nil && f.x.When == nil && f.x.By == nil && !forbidden {
			return f.x
		}
	}
	return nil
}

// startsAnew says why an assignment is lost, as the variable begins anew before anything looks at it; "" if it is not.
func (w *walk) startsAnew(v *model.Var) string {
	if w.clause == nil || v == nil || v.Scope != model.ScopeGo && (v.Scope != model.ScopeTurn || w.clause.Event == model.EventTurnBegins) {
		return ""
	}
	switch w.clause.Event {
	case model.EventTurnBegins, model.EventTurnEnds:
	default:
		return ""
	}
	for _, rule := range w.r.Rules {
		for _, c := range rule.Clauses {
			switch {
			case c.Kind == model.ClauseEnding, c.Kind == model.ClauseAlways, c.Act != nil:
			case c.Kind == model.ClauseOn && c.Event == w.clause.Event:
			case c.Kind == model.ClauseOn && slices.Contains([]model.EventKind{model.EventLeave, model.EventThrow, model.EventDrop, model.EventRank, model.EventGameEnds}, c.Event):
			default:
				continue
			}
			if c.When != nil && looksAt(c.When, v) || blockLooksAt(c.Block, v) {
				return ""
			}
		}
	}
	if slices.ContainsFunc(w.r.Acts, func(a *model.Act) bool { return blockLooksAt(a.Block, v) }) ||
		slices.ContainsFunc(w.r.Counts, func(n *model.Count) bool {
			return n.Value != nil && looksAt(n.Value, v) || n.Clause != nil && n.Clause.When != nil && looksAt(n.Clause.When, v)
		}) {
		return ""
	}
	if w.clause.Event == model.EventTurnBegins {
		return quote(v.Name) + " begins anew with the go, which begins after this"
	}
	return "the turn is over, and " + quote(v.Name) + " begins anew with the next"
}

// blockLooksAt reports whether statements ask for a variable.
func blockLooksAt(b *model.Block, v *model.Var) bool {
	found := false
	b.Walk(func(s *model.Stmt) {
		for _, e := range append([]*model.Expr{s.Value, s.Other}, s.Args...) {
			found = found || e != nil && looksAt(e, v)
		}
		if s.Target != nil {
			for _, e := range s.Target.Args {
				found = found || looksAt(e, v)
			}
		}
	})
	return found
}

// thrownOver records a throw that the next one writes over, where nothing looks at it.
func (w *walk) thrownOver(s, next *model.Stmt) {
	if s.Kind != model.StmtThrow || next.Kind != model.StmtThrow || !w.own(s.Span) {
		return
	}
	why := "the next throw writes over it before anything looks at it"
	for _, d := range s.Dice {
		if d.Kind != model.DieFaces || !slices.Contains(next.Dice, d) {
			why = ""
		}
	}
	if w.r.Throws != nil || slices.ContainsFunc(w.r.Counts, func(n *model.Count) bool { return n.Clause != nil && n.Clause.Event == model.EventThrow }) {
		why = ""
	}
	for _, rule := range w.r.Rules {
		for _, c := range rule.Clauses {
			if c.Kind == model.ClauseOn && c.Event == model.EventThrow || c.Kind == model.ClauseEnding && c.When != nil && asksDie(c.When, s.Dice) {
				why = ""
			}
		}
	}
	w.Study.warnOf("throw", "no-effect", s.Span, why)
}

// asksDie reports whether an expression asks for one of some dice.
func asksDie(e *model.Expr, dice []*model.Die) bool {
	found := false
	e.Walk(func(a *model.Expr) bool {
		found = found || a.Op == model.OpDie && slices.Contains(dice, a.Die) || a.Op == model.OpCall && asksDie(a.Let.Body, dice)
		return !found
	})
	return found
}

// later lists the statements that may be done in a go after one of its statements.
func later(b *model.Block, s *model.Stmt) (out []*model.Stmt, found bool) {
	if b == nil {
		return nil, false
	}
	for i, t := range b.Stmts {
		in := t == s
		if !in {
			for _, inner := range []*model.Block{t.Then, t.Else} {
				if rest, ok := later(inner, s); ok {
					in, out = true, append(out, rest...)
				}
			}
			if in && t.Kind == model.StmtFor {
				t.Then.Walk(func(u *model.Stmt) { out = append(out, u) })
			}
		}
		if in {
			rest := &model.Block{Stmts: b.Stmts[i+1:]}
			rest.Walk(func(u *model.Stmt) { out = append(out, u) })
			return out, true
		}
	}
	return nil, false
}

// lost records numbers that are earned or played too late to be counted.
func (x *setting) lost() {
	plays := func(all []*model.Stmt) bool {
		return slices.ContainsFunc(all, func(s *model.Stmt) bool { return s.Kind == model.StmtPlay && s.Play == model.PlayEarned })
	}
	var turn []*model.Stmt
	under := map[*model.Stmt][]condition{}
	x.r.Turn.Walk(func(s *model.Stmt) { turn = append(turn, s) })
	walkUnder(x.r, func(s *model.Stmt, c []condition) { under[s] = c })
	if !plays(turn) {
		return // another finding says so
	}
	var again []*model.Stmt
	x.r.Walk(func(s *model.Stmt) {
		if s.Kind == model.StmtAgain {
			again = append(again, s)
		}
	})
	for _, s := range turn {
		if s.Kind != model.StmtEarn || s.Later() || !x.own(s.Span) {
			continue
		}
		why, rest := "", []*model.Stmt(nil)
		if rest, _ = later(x.r.Turn, s); !plays(rest) && !slices.ContainsFunc(again, func(a *model.Stmt) bool { return !slices.Contains(turn, a) || x.both(under[a], under[s]) }) {
			why = "what is earned here is lost: no part of the turn after this plays it"
		}
		x.Study.warnOf("lost", "never-played", s.Span, why)
	}
	x.earnedAfter(turn)
}

// both reports whether statements of the turn may be done in the same go, as far as their conditions hang on one throw of each die.
func (x *setting) both(a, b []condition) bool {
	w, cases := &walk{setting: x}, x.open()
	before := x.before
	x.thrown(true)
	defer x.thrown(!before)
	var add func(c condition)
	add = func(c condition) {
		if c.want && c.e.Op == model.OpAnd {
			add(condition{c.e.Args[0], true})
			add(condition{c.e.Args[1], true})
			return
		}
		var dice []*model.Die
		chosen := false
		if !w.diceOnly(c.e, &dice, &chosen) || chosen ||
			slices.ContainsFunc(dice, func(d *model.Die) bool { n, ok := x.throwsOfGo([]*model.Die{d}); return !ok || n != 1 }) {
			return
		}
		cases = x.assume(x.intern(c.e, nil, 0), c.want, cases)
	}
	for _, c := range slices.Concat(a, b) {
		add(c)
	}
	return len(cases) > 0
}

// earnedAfter records a play of what is earned that stands before the counts that earn.
func (x *setting) earnedAfter(turn []*model.Stmt) {
	first, last := -1, -1 // the last play of what is earned, the first of other numbers
	for i, s := range turn {
		switch {
		case s.Kind == model.StmtFor:
			return
		case s.Kind == model.StmtPlay && s.Play == model.PlayEarned:
			last = i
		case s.Kind == model.StmtPlay && first < 0:
			first = i
		}
	}
	s := turn[last]
	if !x.own(s.Span) {
		return
	}
	counts, others := false, slices.ContainsFunc(turn, func(s *model.Stmt) bool { return s.Kind == model.StmtEarn || s.Kind == model.StmtDo })
	earns := func(event model.EventKind) bool {
		return slices.ContainsFunc(x.raised(event), func(b *model.Block) bool {
			found := false
			b.Walk(func(s *model.Stmt) { found = found || s.Kind == model.StmtEarn })
			return found
		})
	}
	for _, e := range []model.EventKind{model.EventLand, model.EventMove, model.EventStep, model.EventPass} {
		counts = counts || earns(e)
	}
	for _, e := range []model.EventKind{model.EventThrow, model.EventTurnBegins, model.EventTurnEnds} {
		others = others || earns(e)
	}
	x.r.Walk(func(s *model.Stmt) { others = others || s.Later() })
	why := ""
	if first > last && counts && !others {
		why = "what a count earns comes too late for this: it stands before the play that counts"
	}
	x.Study.warnOf("lost", "never-played", s.Span, why)
}
