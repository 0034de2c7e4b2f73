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

// saysWhose records a question that calls its candidates those of the one who is asked, where they are the pieces of another one, or those
// of a rival, where they are the pieces of the one who is asked.
func (w *walk) saysWhose(s *model.Stmt, known []*facts) {
	if s.Value == nil || s.Value.Type != model.ListOf(model.Piece) || w.r.Owner != nil || !w.own(s.Value.Span) {
		return
	}
	says := func(names ...string) bool {
		return slices.ContainsFunc(strings.Fields(strings.ToLower(s.Words)), func(word string) bool {
			word = strings.TrimSuffix(strings.Trim(word, ",.;:?!"), "'s")
			return slices.Contains(names, strings.TrimSuffix(word, "s"))
		})
	}
	your, rival := says("your"), says("rival", "opponent", "enemy")
	if your == rival {
		return
	}
	list, asked := w.intern(s.Value, nil, 0), w.ofCell(model.Player, model.CellMe)
	if s.Other != nil {
		asked = w.intern(s.Other, nil, 0)
	}
	if w.terms[asked].typ.Kind != model.Player {
		return
	}
	theirs := w.equal(w.field(w.local(standing), model.FieldPlayer), asked)
	cases := w.ofElement(list, w.local(standing), known)
	others := your && len(w.assume(theirs, true, cases)) == 0
	if base := w.terms[w.unfiltered(list)]; your && !others && base.op == model.OpSet && base.set == model.SetPiecesOf {
		others = w.twoNamed(base.args[0], asked)
	}
	w.foundOf(others, "your", "misnamed", s.Value.Span, "the words say \"your\", and these are not the pieces of the player who is asked")
	own := rival && len(cases) > 0 && len(w.assume(theirs, false, cases)) == 0
	w.foundOf(own, "rival", "misnamed", s.Value.Span, "the words say that these are another one's, and they are the pieces of the player who is asked")
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

// neverWhich records questions whose answer is kept in a variable, while all that looks at it asks whether there is one.
func (x *setting) neverWhich() {
	more := map[*model.Var]int{} // how often more is asked of a variable than whether it is nil
	look := func(e *model.Expr) {
		if e.Op == model.OpVar {
			more[e.Var]++
		}
		if e.Op == model.OpEq || e.Op == model.OpNe {
			for i, a := range e.Args {
				if a.Op == model.OpVar && e.Args[1-i].IsConst(-1) {
					more[a.Var]--
				}
			}
		}
	}
	x.r.Exprs(look)
	for _, d := range x.r.Dice {
		for e := range d.Choice.All() {
			look(e)
		}
	}
	for s := range x.r.Stmts() {
		if s.Kind == model.StmtChoose && s.Target != nil && s.Target.Var != nil && s.Target.Type.Kind.Ref() && !s.Target.Type.List {
			v := s.Target.Var
			n, read := more[v]
			x.foundOf(read && n == 0, "which", "unused", s.Span, "which %s is chosen makes no difference: %q is only compared with nil", v.Type.Kind, v.Name)
		}
	}
}
