package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// answersForAll records a question about what each player, team or colour of a loop has, where nothing says who is asked: it is the player
// in turn, each time.
func (w *walk) answersForAll(s *model.Stmt) {
	if s.Other != nil || s.Target == nil || len(s.Target.Args) == 0 {
		return
	}
	owner, why := s.Target.Args[0], ""
	i := slices.IndexFunc(w.loops, func(l *model.Stmt) bool { return mentions(owner, l.Local) })
	asked := map[model.Kind]string{model.Player: "", model.Colour: ".player", model.Team: ".players[0]"}
	by, sides := asked[owner.Type.Kind]
	if i >= 0 && sides && !asksMe(w.loops[i].Value) && !slices.ContainsFunc(w.conditions, func(c condition) bool { return asksMe(c.e) }) {
		why = "the player in turn answers this for all of them; to ask each one add: by " + words(owner.Span) + by
		if s.Target.Var.Secret {
			why = quote(s.Target.Var.Name) + " is a secret of each, but " + why
		}
	}
	w.Study.warn("one-answers", s.Span, why).info = !s.Target.Var.Secret
}

// asksMe reports whether an expression depends on who is in turn. Those after a player are the others.
func asksMe(e *model.Expr) bool {
	found := false
	e.Walk(func(a *model.Expr) bool {
		found = found || a.Op == model.OpCell && a.Cell == model.CellMe || a.Op == model.OpMine || a.Op == model.OpSet && a.Set == model.SetHand ||
			a.Op == model.OpCall && asksMe(a.Let.Body)
		return !found && !(a.Op == model.OpSet && a.Set == model.SetAfter)
	})
	return found
}
