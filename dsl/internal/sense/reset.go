package sense

import (
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// reset is an assignment of a constant to a variable.
type reset struct {
	target id
	s      *model.Stmt
}

// reset notes an assignment of a constant.
func (w *walk) reset(s *model.Stmt) {
	if isReset(s) {
		w.resets = append(slices.Clip(w.resets), reset{w.intern(s.Target, nil, 0), s})
	}
}

func isReset(s *model.Stmt) bool { return setsConstant(s) && s.Value.Type.Kind != model.Flag }

// setsConstant reports whether a statement gives a variable a constant value.
func setsConstant(s *model.Stmt) bool {
	return s.Kind == model.StmtAssign && s.Assign == model.AssignSet && s.Target.Var != nil && s.Value.Op == model.OpConst
}

// readsReset records a variable that an expression reads after a statement before has set it to nil, 0 or the value it begins with: the
// read was perhaps meant to come first. Another constant may be kept in a variable to have a name.
func (w *walk) readsReset(e *model.Expr, known []*facts) {
	if len(w.resets) == 0 || len(known) == 0 {
		return
	}
	e.Walk(func(a *model.Expr) bool {
		switch {
		case a.Op >= model.OpEq && a.Op <= model.OpGe || a.Op == model.OpIn: // a comparison is looked at by itself
			return a.Args[0].Op != model.OpConst && a.Args[1].Op != model.OpConst && a.Op != model.OpIn
		case a.OverElements(), a.Op == model.OpAnd, a.Op == model.OpOr, a.Op == model.OpIf:
			w.readsReset(a.Args[0], known)
			return false
		case a.Op != model.OpVar || !w.own(a.Span) || w.harms[a.Span] != nil:
			return true
		}
		t := w.intern(a, nil, 0)
		for _, r := range slices.Backward(w.resets) {
			if r.target == t {
				n, v := r.s.Value.Int, r.s.Target.Var
				w.foundOf((n <= 0 || len(v.Initial) == 1 && v.Initial[0] == n) && w.always(t, n, known), "reset", "always-same", a.Span,
					"%s is always %s here", said{a}, valueWords(v.Type.Kind, n, r.s)).noted(r.s.Span)
				break
			}
		}
		return true
	})
}

// valueWords names the constant that a statement assigns.
func valueWords(k model.Kind, n int, s *model.Stmt) string {
	switch {
	case k == model.Number:
		return strconv.Itoa(n)
	case n < 0:
		return "nil"
	}
	return words(s.Value.Span)
}

// resetsOf are the constants that the statements of an act have given variables where a clause reacts to it.
func (x *setting) resetsOf(c *model.Clause) []reset {
	if c.Kind != model.ClauseOn || c.Act == nil {
		return nil
	}
	names := x.naming(c.Act.Params, c.Params)
	return seq.Map(seq.Filter(stmts(c.Act.Block), isReset), func(s *model.Stmt) reset { return reset{x.intern(s.Target, names, 0), s} })
}

// setForGood records a statement that gives a variable of each piece of a side a constant when every turn ends, or begins, where no other
// gives it another one: after the first turn it says nothing any more.
func (x *setting) setForGood() {
	for c := range x.r.Clauses() {
		if c.Kind != model.ClauseOn || c.When != nil || c.Event != model.EventTurnEnds && c.Event != model.EventTurnBegins {
			continue
		}
		for _, each := range c.Block.Stmts {
			if !each.Loops() || each.Value.Op != model.OpMine && (each.Value.Op != model.OpSet || each.Value.Set != model.SetPieces) {
				continue
			}
			for _, s := range each.Then.Stmts {
				if !setsConstant(s) || s.Target.Var.Scope != model.ScopePiece || !isName(s.Target.Args[0], each.Local) {
					continue
				}
				v := s.Target.Var
				another := func(o *model.Stmt) bool { return o.Writes(v) && (!setsConstant(o) || o.Value.Int != s.Value.Int) }
				x.foundOf(!slices.Equal(v.Initial, []int{s.Value.Int}) && !seq.Any(x.r.Stmts(), another), "for good", "always-same", s.Span,
					"from the first turn on %q is always %s: nothing gives it another value", v.Name, valueWords(v.Type.Kind, s.Value.Int, s))
			}
		}
	}
}
