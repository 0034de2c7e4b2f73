package sense

import (
	"slices"
	"strings"

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
	w.warn("one-answers", s.Span, why).info = !s.Target.Var.Secret
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

// saysYour records a question that calls its candidates those of the one who is asked, where they are the pieces of another one.
func (w *walk) saysYour(s *model.Stmt, known []*facts) {
	if s.Value == nil || !s.Value.Type.List || !slices.ContainsFunc(strings.Fields(strings.ToLower(s.Words)), func(word string) bool { return word == "your" }) {
		return
	}
	others, list := false, w.terms[w.unfiltered(w.intern(s.Value, nil, 0))]
	if list.op == model.OpSet && list.set == model.SetPiecesOf && w.r.Owner == nil {
		owner, asked := list.args[0], w.ofCell(model.Player, model.CellMe)
		if s.Other != nil {
			asked = w.intern(s.Other, nil, 0)
		}
		if w.terms[owner].typ.Kind == model.Colour {
			owner = w.field(owner, model.FieldPlayer)
		}
		others = w.terms[owner].typ.Kind == model.Player && w.terms[asked].typ.Kind == model.Player &&
			(w.twoNamed(owner, asked) || len(w.assume(w.equal(owner, asked), true, known)) == 0)
	}
	w.foundOf(others, "your", "misnamed", s.Value.Span, "the words say \"your\", and these are not the pieces of the player who is asked")
}

// twoNamed reports whether two players are those of two names.
func (x *setting) twoNamed(a, b id) bool {
	name := func(t id) (id, bool) {
		y := x.terms[t]
		if y.op == model.OpField && y.field == model.FieldPlayer {
			t = y.args[0]
		}
		return t, x.terms[t].op == model.OpLocal
	}
	p, one := name(a)
	q, other := name(b)
	return one && other && p != q
}
