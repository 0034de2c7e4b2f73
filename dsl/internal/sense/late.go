package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// comesTooLate says why what a reaction waits for never comes, "" if it may.
func (x *setting) comesTooLate(c *model.Clause, form *formula, known []*facts) string {
	if x.noStep(c, form, known) {
		return "no step leads from one such place to the other"
	}
	if c.Kind == model.ClauseBeyond && x.did != nil && endless(x.r) {
		return "the track has no end"
	}
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

// noStep reports whether no step on a track leads from and to such places as a clause about steps asks for.
func (x *setting) noStep(c *model.Clause, form *formula, known []*facts) bool {
	var a, b id
	switch {
	case c.Kind == model.ClauseOn && c.Event == model.EventStep && len(c.Params) == 3 && c.Params[1] != nil && c.Params[2] != nil:
		a, b = x.local(c.Params[1]), x.local(c.Params[2])
	case c.Kind == model.ClauseStep:
		a, b = x.ofCell(model.Place, model.CellHere), x.local(walked)
	default:
		return false
	}
	if x.did == nil || !slices.ContainsFunc(form.terms, func(t id) bool { return x.contains(t, a) }) {
		return false
	}
	goes := func(from, to int) bool {
		return len(x.holding(form.terms, x.at(b, only(to), x.at(a, only(from), known)))) > 0
	}
	for _, c := range x.r.Colours {
		nodes := x.r.Track.Runs[c.Board].Nodes
		for _, n := range nodes {
			for _, next := range n.Next {
				if goes(n.Place, nodes[next].Place) || x.did.back && goes(nodes[next].Place, n.Place) {
					return false
				}
			}
		}
	}
	return true
}

// endsFirst returns the ending that holds wherever a reaction to the end of a move would: endings are looked at before, and it comes too
// late. It returns nil if there is none.
func (x *setting) endsFirst(c *model.Clause, form *formula, known []*facts) *model.Clause {
	if x.did == nil || c.Kind != model.ClauseOn || c.Event != model.EventLand && c.Event != model.EventMove || !firstNamed(c) {
		return nil
	}
	known = x.holding(form.terms, known)
	set := x.movable()
	alone := set != nil && x.terms[x.intern(set, nil, 0)].op == model.OpMine && len(x.r.Teams) == len(x.r.Seats)
	p := x.local(c.Params[0])
	own := id(-1) // the pieces that may be moved are those of the player in turn
	if alone && !x.r.TurnsByColour {
		own = x.intern(set, nil, 0)
	}
	for e := range x.r.Clauses() {
		if e.Kind != model.ClauseEnding || e.When == nil || (e.Ending == model.EndRank || e.Ending == model.EndDrop) && !(alone && e.Scope == model.ScopePlayer) {
			continue
		}
		for _, pieces := range []id{-1, own} {
			now := known
			for i, t := range x.formulaOf(e, nil).terms {
				if len(e.Params) > 0 {
					side := x.local(sides[e.Scope])
					if pieces >= 0 && e.Scope == model.ScopePlayer {
						t = x.with(t, x.piecesOf(side), pieces)
					}
					t = x.with(t, side, x.field(p, sideFields[e.Params[0].Type.Kind]))
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
	if seq.Any(x.r.Stmts(), func(s *model.Stmt) bool {
		return s.Kind == model.StmtPlay && s.Play != model.PlayNumber && s.Play != model.PlayEarned ||
			s.Kind == model.StmtEarn && s.Other != nil && s.Other.Type.Kind == model.Piece
	}) {
		return nil
	}
	for _, f := range x.may {
		m := f.x.Move
		forbidden := slices.ContainsFunc(x.never, func(n *formula) bool { return n.x.About(m) })
		if m.Kind == model.MoveNothing && len(m.Params) == 0 && m.From == nil && f.x.When == nil && f.x.By == nil && !forbidden {
			return f.x
		}
	}
	return nil
}

// startsAnew says why an assignment is lost, as the variable begins anew before anything looks at it; "" if it is not.
func (w *walk) startsAnew(v *model.Var) string {
	begins := w.clause != nil && w.clause.Event == model.EventTurnBegins
	if v == nil || !begins && (w.clause == nil || w.clause.Event != model.EventTurnEnds) || v.Scope != model.ScopeGo && (v.Scope != model.ScopeTurn || begins) {
		return ""
	}
	looks := func(c *model.Clause) bool {
		switch {
		case c.Kind == model.ClauseEnding, c.Kind == model.ClauseAlways, c.Act != nil, c.Rule.Index == model.NoRule:
		case c.Kind == model.ClauseOn && c.Event == w.clause.Event && c.Index > w.clause.Index: // those before it have looked
		case c == w.clause:
			return blockLooksAt(c.Block, v)
		case c.Kind == model.ClauseOn && c.Event == model.EventThrow && w.throwsBeside():
		case c.Kind == model.ClauseOn && slices.Contains([]model.EventKind{model.EventLeave, model.EventDrop, model.EventRank, model.EventGameEnds}, c.Event):
		default:
			return false
		}
		return looksAt(c.When, v) || blockLooksAt(c.Block, v)
	}
	switch {
	case seq.Any(w.r.WithCounts(), looks), slices.ContainsFunc(w.r.Acts, func(a *model.Act) bool { return blockLooksAt(a.Block, v) }),
		slices.ContainsFunc(w.r.Counts, func(n *model.Count) bool { return looksAt(n.Value, v) }), looksAt(w.r.TurnsTo, v):
		return ""
	case begins:
		return quote(v.Name) + " begins anew with the go, which begins after this"
	}
	return "the turn is over, and " + quote(v.Name) + " begins anew with the next"
}

// blockLooksAt reports whether statements ask for a variable.
func blockLooksAt(b *model.Block, v *model.Var) bool {
	return seq.Any(b.Reads(), func(e *model.Expr) bool { return looksAt(e, v) })
}

// isFinish reports whether a statement ends the game, or the part of a player in it.
func isFinish(s *model.Stmt) bool { return s.Kind == model.StmtFinish }

// standsStill reports whether no move that counts what is earned takes a piece from where it is known to stand.
func (w *walk) standsStill(piece id, known []*facts) bool {
	if len(known) == 0 || len(w.may) == 0 {
		return false
	}
	stands := w.joined(w.field(piece, model.FieldAt), known)
	earned := w.ofCell(model.Flag, model.CellEarned)
	later, steps := !w.playsAtOnce(), w.steps
	defer w.setSteps(steps)
	for _, f := range w.may {
		m := f.x.Move
		if m.Kind == model.MoveNothing && len(m.Params) == 0 {
			continue // not for a number that a piece has earned
		}
		if m.Kind == model.MoveNothing || m.From == nil {
			return false // it may be moved by what reacts, or from anywhere
		}
		from := w.with(w.intern(m.From, nil, 0), w.local(m.Params[0]), piece)
		if len(w.assume(from, true, known)) == 0 {
			continue
		}
		w.setSteps(span(least, greatest))
		cases := w.at(w.field(w.local(m.Params[0]), model.FieldAt), stands, w.open())
		if later || len(w.holding(f.terms, w.assume(earned, true, cases))) > 0 {
			return false
		}
	}
	return true
}

// playsAtOnce reports whether what a count earns is played right after it: nothing else moves a piece before.
func (x *setting) playsAtOnce() bool {
	i := slices.Index(x.r.Turn.Stmts, x.onlyPlay()) + 1
	if i == 0 || i == len(x.r.Turn.Stmts) || !playsEarned(x.r.Turn.Stmts[i]) {
		return false
	}
	return !seq.Any(x.r.Stmts(), func(s *model.Stmt) bool {
		return s.Kind == model.StmtExchange || s.Kind == model.StmtPut && !x.domain(x.intern(s.Other, nil, 0), nil).equal(x.begins())
	})
}

func playsEarned(s *model.Stmt) bool { return s.Kind == model.StmtPlay && s.Play == model.PlayEarned }

// asksDie reports whether an expression asks for one of some dice.
func asksDie(e *model.Expr, dice []*model.Die) bool {
	return e.Has(func(a *model.Expr) bool { return a.Op == model.OpDie && slices.Contains(dice, a.Die) })
}

// later lists the statements that may be done in a go after one of its statements.
func later(b *model.Block, s *model.Stmt) (out []*model.Stmt, found bool) {
	for i, t := range stmts(b) {
		in := t == s
		for _, inner := range []*model.Block{t.Then, t.Else} {
			if rest, ok := later(inner, s); ok {
				in, out = true, append(out, rest...)
			}
		}
		if in && t != s && t.Loops() {
			out = slices.AppendSeq(out, t.Then.All())
		}
		if in {
			return slices.AppendSeq(out, (&model.Block{Stmts: b.Stmts[i+1:]}).All()), true
		}
	}
	return nil, false
}

// lost records numbers that are earned or played too late to be counted.
func (x *setting) lost() {
	turn := slices.Collect(x.r.Turn.All())
	if !slices.ContainsFunc(turn, playsEarned) {
		return // another finding says so
	}
	again := seq.Filter(x.sites(), func(p site) bool { return p.s.Kind == model.StmtAgain })
	for _, p := range x.sites() {
		s := p.s
		if s.Kind != model.StmtEarn || s.Later() || !x.own(s.Span) || !slices.Contains(turn, s) {
			continue
		}
		rest, _ := later(x.r.Turn, s)
		lost := !slices.ContainsFunc(rest, playsEarned) && !slices.ContainsFunc(again, func(a site) bool { return !slices.Contains(turn, a.s) || x.both(a.under, p.under) })
		x.foundOf(lost, "lost", "never-played", s.Span, "what is earned here is lost: no part of the turn after this plays it")
	}
	x.earnedAfter(turn)
}

// readBeforeThrow records statements of a reaction or an act that ask for a die which only a later statement of the same block throws.
func (x *setting) readBeforeThrow() {
	throws := map[*model.Die]int{}
	for s := range x.r.Stmts() {
		for _, d := range s.Dice {
			throws[d]++
		}
	}
	for b := range x.r.Blocks() {
		if b == nil || b == x.r.Setup || b == x.r.Turn {
			continue
		}
		for i, s := range b.Stmts {
			dice := s.Dice
			if s.Kind == model.StmtDo {
				for t := range s.Act.Block.All() {
					dice = append(slices.Clip(dice), t.Dice...)
				}
			}
			once := seq.Filter(dice, func(d *model.Die) bool { return throws[d] == 1 })
			if len(once) == 0 {
				continue
			}
			for _, e := range slices.Concat(seq.Map(b.Stmts[:i], (*model.Stmt).Reads)...) {
				x.foundOf(asksDie(e, once), "before throw", "asked-early", e.Span,
					"this die is thrown only after this: here it shows what was thrown the time before").info = true
			}
		}
	}
}

// askedBeforeThrow records statements of the turn, and reactions to its beginning, that ask for a die which the turn throws only afterwards,
// where that matters in the first go of a turn.
func (x *setting) askedBeforeThrow() {
	own, rest := false, map[*model.Die]bool{} // the dice to be thrown yet
	inTurn := map[*model.Stmt]bool{}
	for s := range x.r.Turn.All() {
		own, inTurn[s] = own || x.own(s.Span), true
		for _, d := range s.Dice {
			rest[d] = !x.thrownAgain[d]
		}
	}
	tell := func(e *model.Expr, under []condition, play bool) {
		if !x.own(e.Span) {
			return
		}
		why := ""
		for _, d := range x.r.Dice {
			if !rest[d] || !asksDie(e, []*model.Die{d}) {
				continue
			}
			switch {
			case play && len(under) == 0:
				why = "die " + quote(d.Name) + " is thrown after this: what it showed before is counted"
			case x.atFirstGo(e, under):
				why = "die " + quote(d.Name) + " is thrown only after this: in the first go of a turn it shows what was thrown before the turn"
			}
		}
		if play && len(under) == 0 {
			x.warnOf("played before", "never-thrown", e.Span, why)
		} else {
			x.warnOf("before throw", "asked-early", e.Span, why).info = true
		}
	}
	for c := range x.r.Clauses() {
		if c.Kind == model.ClauseOn && c.Event == model.EventTurnBegins && c.When != nil {
			tell(c.When, nil, false)
		}
	}
	if !own {
		return
	}
	for _, p := range x.sites() {
		if !inTurn[p.s] {
			continue
		}
		for _, e := range p.s.Reads() {
			tell(e, p.under, p.s.Kind == model.StmtPlay)
		}
		if p.s.Kind == model.StmtIf {
			continue // what is thrown inside comes after its condition
		}
		for t := range one(p.s).All() {
			for _, d := range t.Dice {
				delete(rest, d)
			}
		}
	}
}

// atFirstGo reports whether a value is asked for in the first go of a turn, and matters there. It is silent about what depends on variables
// that are not as they began then.
func (x *setting) atFirstGo(e *model.Expr, under []condition) bool {
	cases, begun := x.open(), map[*model.Var]bool{}
	for _, v := range x.r.Vars {
		if v.Type.List || len(v.Initial) != 1 || v.Scope != model.ScopeTurn && v.Scope != model.ScopeGo || x.r.Own(v) && v != x.r.Throws || x.assignsIn(v, model.EventTurnBegins) {
			continue
		}
		begun[v] = !seq.Any(x.r.Turn.All(), func(s *model.Stmt) bool { return s.Writes(v) })
		cases = x.assume(x.equal(x.ofVar(v), x.constant(v.Type, v.Initial[0])), true, cases)
	}
	unknown := func(a *model.Expr) bool { return a.Var != nil && !begun[a.Var] }
	if e.Has(unknown) || slices.ContainsFunc(under, func(c condition) bool { return c.e.Has(unknown) }) {
		return false
	}
	cases = x.assumed(under, cases)
	if e.Type != model.Of(model.Flag) {
		return len(cases) > 0 && !e.Has(func(a *model.Expr) bool { return a.Op == model.OpIf || a.Op == model.OpAnd || a.Op == model.OpOr })
	}
	t := x.intern(e, nil, 0)
	return len(x.assume(t, true, cases)) > 0 && len(x.assume(t, false, cases)) > 0
}

// both reports whether statements of the turn may be done in the same go, as far as their conditions depend on one throw of each die.
func (x *setting) both(a, b []condition) bool {
	w, cases := &walk{setting: x}, x.open()
	defer x.thrown(!x.before)
	x.thrown(true)
	for _, c := range slices.Concat(a, b) {
		parts := []*model.Expr{c.e}
		if c.want {
			parts = chained(model.OpAnd, c.e)
		}
		for _, e := range parts {
			often := func(d *model.Die) bool { n, ok := x.throwsOfGo([]*model.Die{d}); return !ok || n != 1 }
			if dice, chosen, ok := w.diceOnly(e); ok && !chosen && !slices.ContainsFunc(dice, often) {
				cases = x.assume(x.intern(e, nil, 0), c.want, cases)
			}
		}
	}
	return len(cases) > 0
}

// earnedAfter records a play of what is earned that stands before the counts that earn.
func (x *setting) earnedAfter(turn []*model.Stmt) {
	first, last := -1, -1 // the first play of other numbers, the last of what is earned
	for i, s := range turn {
		switch {
		case s.Loops():
			return
		case playsEarned(s):
			last = i
		case s.Kind == model.StmtPlay && first < 0:
			first = i
		}
	}
	s := turn[last]
	if !x.own(s.Span) {
		return
	}
	earns := func(s *model.Stmt) bool { return s.Kind == model.StmtEarn }
	others := slices.ContainsFunc(turn, func(s *model.Stmt) bool { return s.Kind == model.StmtEarn || s.Kind == model.StmtDo }) ||
		x.brings(earns, model.EventThrow, model.EventTurnBegins, model.EventTurnEnds) || seq.Any(x.r.Stmts(), (*model.Stmt).Later)
	counts := x.brings(earns, model.EventLand, model.EventMove, model.EventStep, model.EventPass)
	x.foundOf(first > last && counts && !others, "lost", "never-played", s.Span,
		"what a count earns comes too late for this: it stands before the play that counts")
}
