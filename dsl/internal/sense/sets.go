package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// setsNothing says why a set or bag is after an assignment what it was before, "" if it may be another.
func (w *walk) setsNothing(s *model.Stmt, known []*facts) string {
	if s.Target.Var == nil || !s.Target.Type.List || len(known) == 0 {
		return ""
	}
	list := w.listOf(s.Target, model.SetVar)
	none, values := w.none(list, known), []*model.Expr{s.Value}
	switch {
	case s.Value.Type.List && w.none(w.intern(s.Value, nil, 0), known):
		switch {
		case s.Assign == model.AssignAdd:
			return "it adds nothing"
		case s.Assign == model.AssignSub:
			return "it takes nothing out"
		case none:
			return "it is empty already"
		}
		return ""
	case s.Value.Op == model.OpList:
		values = s.Value.Args
	case s.Value.Type.List:
		values = nil
	}
	has := func(want bool) bool { // whether it is known to have the values, or to have none of them
		lacks := func(e *model.Expr) bool { return len(w.assume(w.in(w.intern(e, nil, 0), list), !want, known)) > 0 }
		return len(values) > 0 && !slices.ContainsFunc(values, lacks)
	}
	switch {
	case s.Assign == model.AssignSub && (none || has(false)):
		return "there is nothing to take out"
	case s.Assign == model.AssignAdd && !s.Target.Var.Bag && has(true):
		return "the set has this already"
	}
	return ""
}

// none reports whether a list is known to be empty.
func (w *walk) none(list id, known []*facts) bool {
	return !slices.ContainsFunc(known, func(f *facts) bool { _, high := w.length(list, f); return high > 0 })
}

// unfilled records sets and bags of which statements only take something out.
func (x *setting) unfilled() {
	taken, filled := map[*model.Var]bool{}, map[*model.Var]bool{}
	x.r.Walk(func(s *model.Stmt) {
		if s.Target == nil || s.Target.Var == nil || !s.Target.Type.List {
			return
		}
		taken[s.Target.Var] = true
		cleared := s.Assign == model.AssignSet && s.Value != nil && s.Value.Op == model.OpList && len(s.Value.Args) == 0
		filled[s.Target.Var] = filled[s.Target.Var] || s.Kind == model.StmtChoose || s.Kind == model.StmtAssign && s.Assign != model.AssignSub && !cleared
	})
	for v := range taken {
		if x.own(v.Span) && !v.Queue {
			why := ""
			if !filled[v] && len(v.Initial) == 0 {
				why = "nothing is ever put into " + quote(v.Name)
			}
			x.Study.warn("never-changed", v.Span, why)
		}
	}
}
