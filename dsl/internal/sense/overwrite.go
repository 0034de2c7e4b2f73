package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// everyRound records what each round of a loop gives the same variable, so that only what the last one gives it lasts.
func (w *walk) everyRound(s *model.Stmt, known []*facts) {
	if len(s.Then.Stmts) == 1 && s.Local != nil {
		w.everyPut(s, s.Then.Stmts[0], known)
	}
	var dice []*model.Die
	raises := func(t *model.Stmt) bool {
		dice = append(dice, t.Dice...)
		return mayRaise(t) && t.Kind != model.StmtThrow
	}
	if s.Local == nil || slices.ContainsFunc(s.Then.Stmts, raises) && changes(s.Then) {
		return
	}
	list := w.intern(s.Value, nil, 0)
	if w.longest(list, known) == 1 || len(dice) > 0 && w.reactsToThrow(dice) { // of one round, as for the only player, nothing can be said
		return
	}
	more := slices.ContainsFunc(known, func(f *facts) bool { low, _ := w.length(list, f); return low > 1 })
	for _, t := range s.Then.Stmts {
		if t.Target == nil || t.Target.Var == nil || t.Kind == model.StmtAssign && t.Assign != model.AssignSet || !w.own(t.Span) {
			continue
		}
		different := t.Kind == model.StmtChoose || mentions(t.Value, s.Local) || asksDie(t.Value, dice)
		fixed := !slices.ContainsFunc(t.Target.Args, func(e *model.Expr) bool { return !w.fixed(w.intern(e, nil, 0)) })
		w.foundOf(more && different && fixed && !mentions(t.Target, s.Local) && !blockLooksAt(s.Then, t.Target.Var), "round", "no-effect", t.Span,
			"each round of the loop gives %s another value: only the last one stays", said{t.Target})
	}
}

// everyPut records a loop that puts the same piece on one place after the other, where nothing is done when it leaves.
func (w *walk) everyPut(s, put *model.Stmt, known []*facts) {
	if put.Kind != model.StmtPut || !w.own(put.Span) {
		return
	}
	more := len(known) > 0 && !slices.ContainsFunc(known, func(f *facts) bool { low, _ := w.length(w.intern(s.Value, nil, 0), f); return low < 2 })
	same := w.fixed(w.intern(put.Value, nil, 0)) && !mentions(put.Value, s.Local)
	w.foundOf(more && same && mentions(put.Other, s.Local) && len(w.raised(model.EventLeave)) == 0, "round", "no-effect", put.Span,
		"each round of the loop puts %s elsewhere: it stays where the last one does", said{put.Value})
}

// mayRaise reports whether a statement may do something in reaction to what it brings about.
func mayRaise(s *model.Stmt) bool {
	return s.Kind != model.StmtAssign && s.Kind != model.StmtChoose && s.Kind != model.StmtEarn
}

// undone records an assignment that the next statement takes back or writes over.
func (w *walk) undone(s, next *model.Stmt, known []*facts) {
	switch {
	case s.Kind == model.StmtPut && next.Kind == model.StmtPut:
		p, to := w.intern(s.Value, nil, 0), w.intern(next.Other, nil, 0)
		elsewhere := p == w.intern(next.Value, nil, 0) && w.fixed(p) && w.fixed(to) && to != w.intern(s.Other, nil, 0)
		w.foundOf(elsewhere && len(w.raised(model.EventLeave)) == 0, "next", "no-effect", s.Span, "the next statement puts the piece elsewhere")
		return
	case s.Kind == model.StmtExchange && next.Kind == model.StmtExchange:
		w.foundOf(w.samePair(s, nil, next) && len(w.raised(model.EventLeave)) == 0, "next", "no-effect", next.Span,
			"the statement before exchanges the same two pieces: they are back where they stood").note = s.Span
		return
	case s.Kind == model.StmtFor && next.Kind == model.StmtFor:
		w.undoneInLoop(s, next)
		return
	case s.Kind != model.StmtAssign && s.Kind != model.StmtChoose || s.Target == nil || !w.own(s.Span):
		return
	}
	w.assignedBack(s, next)
	w.changedBetween(s, next)
	why := ""
	if next = w.ofSame(s.Target, next, known); next != nil && !s.Target.Type.List {
		switch same := s.Kind == model.StmtAssign && w.intern(s.Value, nil, 0) == w.intern(next.Value, nil, 0); {
		case next.Assign == model.AssignSet && !looksAt(next.Value, s.Target.Var) && !(same && s.Assign == model.AssignSet): // that is said of the next one
			why = "the next statement gives " + quote(words(s.Target.Span)) + " another value"
		case same && s.Assign != model.AssignSet && next.Assign != model.AssignSet && s.Assign != next.Assign:
			why = "the next statement takes it back"
		}
	}
	w.warnOf("next", "no-effect", s.Span, why)
}

// undoneInLoop records what a loop gives each element of a list, where the next loop gives each of the same list another value.
func (w *walk) undoneInLoop(s, next *model.Stmt) {
	if s.Local == nil || next.Local == nil || len(s.Then.Stmts) != 1 || empty(next.Then) || w.intern(s.Value, nil, 0) != w.intern(next.Value, nil, 0) {
		return
	}
	a, b := s.Then.Stmts[0], next.Then.Stmts[0]
	if !w.own(a.Span) || a.Target == nil || a.Target.Type.List || b.Kind != model.StmtAssign || b.Assign != model.AssignSet {
		return
	}
	v := a.Target.Var
	over := w.with(w.intern(b.Target, nil, 0), w.local(next.Local), w.local(s.Local)) == w.intern(a.Target, nil, 0) && mentions(a.Target, s.Local)
	w.foundOf(over && !looksAt(b.Value, v) && !looksAt(next.Value, v), "next", "no-effect", a.Span, "the next loop gives %s another value", said{a.Target})
}

// changedBetween records a value that two statements one after the other add or take, and that depends on what the first has changed.
func (w *walk) changedBetween(s, next *model.Stmt) {
	if s.Kind != model.StmtAssign || next.Kind != model.StmtAssign || s.Assign == model.AssignSet || next.Assign == model.AssignSet || !w.own(next.Span) {
		return
	}
	value, target := w.intern(s.Value, nil, 0), w.intern(s.Target, nil, 0)
	w.foundOf(value != target && value == w.intern(next.Value, nil, 0) && w.contains(value, target), "changed", "asked-late", next.Value.Span,
		"%s is another number by now, as the statement before has changed %s: keep it in a let before", said{next.Value}, words(s.Target.Span))
}

// assignedBack records an assignment of a value to where that was just taken from.
func (w *walk) assignedBack(s, next *model.Stmt) {
	if s.Kind != model.StmtAssign || next.Kind != model.StmtAssign || s.Assign != model.AssignSet || next.Assign != model.AssignSet || !w.own(next.Span) {
		return
	}
	moves := func(e *model.Expr) bool { // another variable may be meant since the first
		return slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return looksAt(a, s.Target.Var) })
	}
	back := w.intern(s.Target, nil, 0) == w.intern(next.Value, nil, 0) && w.intern(s.Value, nil, 0) == w.intern(next.Target, nil, 0)
	w.foundOf(back && !moves(s.Target) && !moves(next.Target), "back", "no-effect", next.Span,
		"it has this value already: to exchange the two, keep one in a let before")
}

// ofSame is the assignment to the same target in the next statement: the statement itself, or what a loop begins with that goes through the
// owner of the variable too. It is nil if there is none.
func (w *walk) ofSame(target *model.Expr, next *model.Stmt, known []*facts) *model.Stmt {
	t := w.intern(target, nil, 0)
	if next.Kind == model.StmtFor && next.Local != nil && len(target.Args) == 1 && len(next.Then.Stmts) > 0 && len(known) > 0 {
		list, owner := w.intern(next.Value, nil, 0), w.terms[t].args[0]
		if !slices.ContainsFunc(known, func(f *facts) bool { return !slices.Contains(w.members(list, f), owner) }) {
			if s := next.Then.Stmts[0]; s.Kind == model.StmtAssign && w.with(w.intern(s.Target, nil, 0), w.local(next.Local), owner) == t {
				return s
			}
		}
	}
	if next.Kind == model.StmtAssign && w.intern(next.Target, nil, 0) == t {
		return next
	}
	return nil
}

// thrownOver records a throw that the next one writes over, where nothing looks at it.
func (w *walk) thrownOver(s, next *model.Stmt) {
	if !isThrow(s) || !isThrow(next) || !w.own(s.Span) {
		return
	}
	stays := func(d *model.Die) bool { return d.Kind != model.DieFaces || !slices.Contains(next.Dice, d) }
	looks := func(c *model.Clause) bool { // the event of some dice needs all of them
		reacts := c.Event == model.EventThrow && !slices.ContainsFunc(c.Dice, func(d *model.Die) bool { return !slices.Contains(s.Dice, d) })
		return c.Kind == model.ClauseOn && reacts || c.Kind == model.ClauseEnding && asksDie(c.When, s.Dice)
	}
	w.foundOf(w.r.Throws == nil && !slices.ContainsFunc(s.Dice, stays) && !seq.Any(w.r.WithCounts(), looks), "throw", "no-effect", s.Span,
		"the next throw writes over it before anything looks at it")
}

// sameAsLast records a statement that is the same as the one before, unless that is no slip or is reported otherwise.
func (w *walk) sameAsLast(s, next *model.Stmt) {
	if s.Kind != next.Kind || !w.own(next.Span) || !slices.Contains([]model.StmtKind{model.StmtIf, model.StmtFor, model.StmtDo, model.StmtPlay, model.StmtEarn}, s.Kind) && !adds(s) {
		return
	}
	w.foundOf(model.Alike(one(s), one(next)), "last", "done-twice", next.Span, "the statement before is the same: this is done twice").info = true
}

// endsAfter records a statement of which the next one, an end of the turn, leaves nothing.
func (w *walk) endsAfter(s, next *model.Stmt) {
	switch {
	case s.Kind == model.StmtEarn && !s.Later() && finishesTurn(next):
		w.warnOf("ended", "no-effect", s.Span, "the turn ends here, and what it has earned is lost")
	case next.Kind == model.StmtUndo && w.undoes(s):
		w.warnOf("ended", "no-effect", s.Span, "the turn is undone here, and this with it")
	}
}

// undoes reports whether nothing is left of a statement once the turn is undone, and it does not end the game.
func (w *walk) undoes(s *model.Stmt) bool {
	all := func(b *model.Block) bool {
		return !slices.ContainsFunc(stmts(b), func(t *model.Stmt) bool { return !w.undoes(t) })
	}
	switch s.Kind {
	case model.StmtAssign, model.StmtGive, model.StmtEarn:
		return true
	case model.StmtPut, model.StmtExchange:
		return !w.brings(isFinish, model.EventLeave)
	case model.StmtIf, model.StmtFor:
		return all(s.Then) && all(s.Else)
	case model.StmtDo:
		return all(s.Act.Block) && !seq.Any(w.r.WithCounts(), func(c *model.Clause) bool { return c.Act == s.Act })
	}
	return false
}

// undoneByOthers records what a reaction does where another one to the same event does the opposite: an exchange again, or what a variable
// gets it loses again.
func (x *setting) undoneByOthers() {
	x.answers(model.StmtExchange, func(c *model.Clause, s *model.Stmt, before, after []*model.Clause) {
		x.undoneBy(c, s, "done-twice", before, after, "exchanges the same two pieces: they are back where they stood", func(t *model.Stmt, names substitution) bool {
			return t.Kind == model.StmtExchange && x.samePair(t, names, s)
		})
	})
	x.answers(model.StmtAssign, func(c *model.Clause, s *model.Stmt, before, after []*model.Clause) {
		if s.Assign == model.AssignSet || s.Target.Type.List {
			return
		}
		target, by := x.intern(s.Target, nil, 0), x.intern(s.Value, nil, 0)
		x.undoneBy(c, s, "no-effect", before, after, "takes back what this does", func(t *model.Stmt, names substitution) bool {
			return t.Kind == model.StmtAssign && t.Assign != model.AssignSet && t.Assign != s.Assign &&
				x.intern(t.Target, names, 0) == target && x.intern(t.Value, names, 0) == by
		})
	})
}

// undoneBy records a statement of a reaction that one of another reaction to the same event, under the same condition, undoes.
func (x *setting) undoneBy(c *model.Clause, s *model.Stmt, code string, before, after []*model.Clause, how string,
	undoes func(t *model.Stmt, names substitution) bool) {
	why, at := "", source.Span{}
	for i, o := range slices.Concat(before, after) {
		names, ok := x.alongside(c, o)
		if !ok || (o.When == nil) != (c.When == nil) {
			continue
		}
		j := slices.IndexFunc(o.Block.Stmts, func(t *model.Stmt) bool { return undoes(t, names) })
		if j >= 0 && (i < len(before) || !x.own(o.Block.Stmts[j].Span)) {
			why, at = "rule "+quote(o.Rule.Name)+" "+how, o.Block.Stmts[j].Span
		}
	}
	x.warnOf("back", code, s.Span, why).noted(at)
}

// samePair reports whether two statements exchange the same two pieces, whatever happens between; the first has other names.
func (x *setting) samePair(s *model.Stmt, names substitution, t *model.Stmt) bool {
	a, b := x.intern(s.Value, names, 0), x.intern(s.Other, names, 0)
	v, w := x.intern(t.Value, nil, 0), x.intern(t.Other, nil, 0)
	return x.fixed(v) && x.fixed(w) && (v == a && w == b || v == b && w == a)
}

// answers calls f for each statement of a kind that stands in the block of a reaction, with the reactions before and after that one.
func (x *setting) answers(kind model.StmtKind, f func(c *model.Clause, s *model.Stmt, before, after []*model.Clause)) {
	all := seq.Filter(slices.Collect(x.r.Clauses()), func(c *model.Clause) bool { return c.Kind == model.ClauseOn && c.Block != nil })
	for i, c := range all {
		for _, s := range c.Block.Stmts {
			if s.Kind == kind && x.own(s.Span) {
				f(c, s, all[:i], all[i+1:])
			}
		}
	}
}

// alongside reports whether a reaction runs wherever another one does, as it has the same event, that of any move, or that of the landing
// after the move, and the same condition or none, and returns the names it has in that.
func (x *setting) alongside(c, o *model.Clause) (names substitution, ok bool) {
	lands := false
	switch {
	case o == c:
		return nil, false
	case o.Event == model.EventLand && c.Event == model.EventMove && o.Act == nil && c.Act == nil && c.To != nil && len(o.Params) > 1:
		lands = true
	case o.Event != c.Event || o.Act != c.Act || o.Move != c.Move && (c.Move == nil || !o.About(c.Move)) || !slices.Equal(o.Dice, c.Dice) || (o.To == nil) != (c.To == nil):
		return nil, false
	}
	names = x.naming(o.Params, c.Params)
	if lands && o.Params[1] != nil {
		names[o.Params[1]] = x.local(c.To)
	}
	if o.To != nil {
		names[o.To] = x.local(c.To)
	}
	return names, o.When == nil || c.When != nil && x.inAnyOrder(x.intern(o.When, names, 0), x.intern(c.When, nil, 0))
}

// inAnyOrder reports whether two conditions are the same, in whatever order && joins their sides.
func (x *setting) inAnyOrder(a, b id) bool {
	return a == b || slices.Equal(slices.Sorted(slices.Values(x.conjuncts(a))), slices.Sorted(slices.Values(x.conjuncts(b))))
}

// dropped records other goes that a reaction asks for where a later one to the same event ends the turn: it drops them.
func (x *setting) dropped() {
	x.answers(model.StmtAgain, func(c *model.Clause, s *model.Stmt, _, after []*model.Clause) {
		why := ""
		for _, o := range after {
			if _, ok := x.alongside(c, o); ok && o.When == nil && why == "" && slices.ContainsFunc(o.Block.Stmts, finishesTurn) {
				why = "rule " + quote(o.Rule.Name) + " ends the turn then, and there is no other go"
			}
		}
		x.warnOf("dropped", "no-effect", s.Span, why)
	})
}

// putTwice records a landing on a square of which two reactions put the piece elsewhere, whatever else is so: what the first does is for nothing.
func (x *setting) putTwice() {
	puts := seq.Filter(slices.Collect(x.r.Clauses()), func(c *model.Clause) bool {
		return c.Kind == model.ClauseOn && c.Event == model.EventLand && c.When != nil && firstNamed(c) && len(c.Params) > 1 && c.Params[1] != nil &&
			slices.ContainsFunc(c.Block.Stmts, func(s *model.Stmt) bool { return putsOf(s, c.Params[0]) })
	})
	for i, c := range puts {
		if !x.own(c.Span) {
			continue
		}
		why, note := "", source.Span{}
		for _, o := range puts[:i] {
			for at, place := range x.r.Board.Places {
				if !place.Zone && why == "" && x.holdsAt(o, at) && x.holdsAt(c, at) && o.Rule != c.Rule {
					why, note = "who lands on "+quote(place.Name)+" is put twice: rule "+quote(o.Rule.Name)+" has put it elsewhere", o.Span
				}
			}
		}
		x.warnOf("put twice", "done-twice", c.Span, why).noted(note).info = true
	}
}

// holdsAt reports whether the condition of a reaction to a landing holds on a place, whatever else is so.
func (x *setting) holdsAt(c *model.Clause, place int) bool {
	cases := x.at(x.local(c.Params[1]), only(place), x.open())
	return len(cases) > 0 && len(x.assume(x.intern(c.When, nil, 0), false, cases)) == 0
}

// putsOf reports whether a statement puts a piece, itself or by an act.
func putsOf(s *model.Stmt, p *model.Local) bool {
	is := func(e *model.Expr) bool { return isName(e, p) }
	if s.Kind == model.StmtPut {
		return is(s.Value)
	}
	i := slices.IndexFunc(s.Args, is)
	return s.Kind == model.StmtDo && i >= 0 &&
		slices.ContainsFunc(stmts(s.Act.Block), func(t *model.Stmt) bool { return t.Kind == model.StmtPut && putsOf(t, s.Act.Params[i]) })
}
