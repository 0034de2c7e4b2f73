package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// everyRound records what each round of a loop gives the same variable, so that only what the last one gives it lasts.
func (w *walk) everyRound(s *model.Stmt, known []*facts) {
	if s.Local == nil || changes(s.Then) && slices.ContainsFunc(s.Then.Stmts, mayRaise) {
		return
	}
	more := slices.ContainsFunc(known, func(f *facts) bool { low, _ := w.length(w.intern(s.Value, nil, 0), f); return low > 1 })
	for _, t := range s.Then.Stmts {
		if t.Target == nil || t.Target.Var == nil || t.Target.Type.List || t.Kind == model.StmtAssign && t.Assign != model.AssignSet || !w.own(t.Span) {
			continue
		}
		why, v := "", t.Target.Var
		different := t.Kind == model.StmtChoose || mentions(t.Value, s.Local)
		if more && different && !slices.ContainsFunc(t.Target.Args, func(e *model.Expr) bool { return !w.fixed(w.intern(e, nil, 0)) }) && !mentions(t.Target, s.Local) && !blockLooksAt(s.Then, v) {
			why = "each round of the loop gives " + quote(words(t.Target.Span)) + " another value: only the last one stays"
		}
		w.Study.warnOf("round", "no-effect", t.Span, why)
	}
}

// mayRaise reports whether a statement may do something in reaction to what it brings about.
func mayRaise(s *model.Stmt) bool {
	return s.Kind != model.StmtAssign && s.Kind != model.StmtChoose && s.Kind != model.StmtEarn
}

// undone records an assignment that the next statement takes back or writes over.
func (w *walk) undone(s, next *model.Stmt, known []*facts) {
	if s.Kind == model.StmtPut && next.Kind == model.StmtPut && w.own(s.Span) {
		why := ""
		if p := w.intern(s.Value, nil, 0); p == w.intern(next.Value, nil, 0) && w.fixed(p) && w.fixed(w.intern(next.Other, nil, 0)) && len(w.raised(model.EventLeave)) == 0 {
			why = "the next statement puts the piece elsewhere"
		}
		w.Study.warnOf("next", "no-effect", s.Span, why)
		return
	}
	if s.Kind != model.StmtAssign || !w.own(s.Span) {
		return
	}
	why := ""
	if next = w.ofSame(s.Target, next, known); next != nil && !s.Target.Type.List {
		switch same := w.intern(s.Value, nil, 0) == w.intern(next.Value, nil, 0); {
		case next.Assign == model.AssignSet && !looksAt(next.Value, s.Target.Var):
			why = "the next statement gives " + quote(words(s.Target.Span)) + " another value"
		case same && s.Assign != model.AssignSet && next.Assign != model.AssignSet && s.Assign != next.Assign:
			why = "the next statement takes it back"
		}
	}
	w.Study.warnOf("next", "no-effect", s.Span, why)
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

// endsAfter records a statement of which the next one, an end of the turn, leaves nothing.
func (w *walk) endsAfter(s, next *model.Stmt) {
	if !w.own(s.Span) {
		return
	}
	why := ""
	switch {
	case s.Kind == model.StmtEarn && !s.Later() && (next.Kind == model.StmtEndTurn || next.Kind == model.StmtUndo):
		why = "the turn ends here, and what it has earned is lost"
	case next.Kind == model.StmtUndo && (s.Kind == model.StmtPut || s.Kind == model.StmtExchange) && !slices.ContainsFunc(w.raised(model.EventLeave), finishes):
		why = "the turn is undone here, and this with it"
	case next.Kind == model.StmtUndo && s.Kind == model.StmtAssign:
		why = "the turn is undone here, and this with it"
	default:
		return
	}
	w.Study.warnOf("ended", "no-effect", s.Span, why)
}
