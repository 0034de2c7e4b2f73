package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

// turnFact is the result for an again, or for a count that earns another.
type turnFact struct {
	limited bool // in some setting it depends on more than the throw
	always  bool // it happens for every throw
	said    bool // always is set
	earns   bool
	words   string
}

func (s *Study) turnFact(at source.Span) *turnFact {
	f := s.turns[at]
	if f == nil {
		f = &turnFact{}
		s.turns[at] = f
	}
	return f
}

// maxOutcomes is the largest number of outcomes that are enumerated.
const maxOutcomes = 5000

// again analyses an again. If it depends on the dice alone, and on what a player chooses, no counter limits the turn.
func (w *walk) again(s *model.Stmt) {
	if !w.own(s.Span) {
		return
	}
	f := w.turnFact(s.Span)
	if w.event {
		f.limited = true
		return
	}
	var dice []*model.Die
	var terms []condition
	before := w.before
	w.thrown(true)
	defer w.thrown(!before)
	chosen := false
	for _, c := range w.conditions {
		t := w.intern(c.e, nil, 0)
		if len(w.assume(t, !c.want, w.open())) == 0 {
			continue // always true
		}
		if !w.diceOnly(c.e, &dice, &chosen) {
			f.limited = true
			return
		}
		terms = append(terms, c)
	}
	thrown := map[*model.Die]bool{}
	w.r.Turn.Walk(func(s *model.Stmt) {
		for _, d := range s.Dice {
			thrown[d] = true
		}
	})
	outcomes := 1
	for _, d := range dice {
		if !thrown[d] { // it shows what it did before
			f.limited = true
			return
		}
		if outcomes *= max(1, len(d.Faces)); outcomes > maxOutcomes {
			f.limited = true
			return
		}
	}
	always, some, free := true, false, false
	eachThrow(dice, map[*model.Die]int{}, func(faces map[*model.Die]int) {
		holds, sure := true, !chosen
		for _, c := range terms {
			v, ok := throw{faces, nil, 0, maxOutcomes}.of(c.e)
			holds, sure = holds && (!ok || (v != 0) == c.want), sure && ok
		}
		always = always && holds && sure
		some = some || holds
		free = free || holds && !w.endsTurn(faces)
	})
	switch {
	case !some:
		return
	case !free:
		f.limited = true
		return
	}
	if len(terms) > 0 {
		f.words = words(terms[len(terms)-1].e.Span)
	}
	f.always = always && len(w.stops) == 0 && (f.always || !f.said)
	f.said = true
}

// endsTurn reports whether a statement may end a turn early in which the dice always show the same numbers.
func (w *walk) endsTurn(faces map[*model.Die]int) bool {
	var shown *facts
	for d, v := range faces {
		shown = &facts{shown, w.add(term{op: model.OpDie, typ: model.Of(model.Number), what: d}), only(v)}
	}
	possible := func(conditions []condition) bool {
		cases := []*facts{shown}
		for _, c := range conditions {
			cases = w.assume(w.intern(c.e, nil, 0), c.want, cases)
		}
		return len(cases) > 0
	}
	for v, assigned := range w.assigned {
		if !slices.ContainsFunc(assigned, possible) {
			shown = &facts{shown, w.add(term{op: model.OpVar, typ: v.Type, what: v}), listed(v.Initial...)}
		}
	}
	return slices.ContainsFunc(w.stops, possible)
}

// findStops collects the conditions under which statements end a turn early, and those under which they assign variables of the turn.
func (x *setting) findStops() {
	x.assigned = map[*model.Var][][]condition{}
	walkUnder(x.r, func(s *model.Stmt, under []condition) {
		if s.Kind == model.StmtEndTurn || s.Kind == model.StmtUndo || s.Kind == model.StmtFinish {
			x.stops = append(x.stops, under)
		}
		if s.Target == nil || s.Target.Var == nil {
			return
		}
		v := s.Target.Var
		if s.Kind == model.StmtChoose || !v.Type.List && (v.Scope == model.ScopeTurn || v.Scope == model.ScopeGo) {
			x.assigned[v] = append(x.assigned[v], under)
		}
	})
}

// walkUnder calls f for every statement, with the conditions it stands under.
func walkUnder(r *model.Rules, f func(s *model.Stmt, under []condition)) {
	var look func(b *model.Block, under []condition)
	look = func(b *model.Block, under []condition) {
		if b == nil {
			return
		}
		for _, s := range b.Stmts {
			f(s, under)
			then, otherwise := under, under
			if s.Kind == model.StmtIf {
				then, otherwise = append(slices.Clip(under), condition{s.Value, true}), append(slices.Clip(under), condition{s.Value, false})
			}
			look(s.Then, then)
			look(s.Else, otherwise)
		}
	}
	look(r.Setup, nil)
	look(r.Turn, nil)
	for _, a := range r.Acts {
		look(a.Block, nil)
	}
	for _, rule := range r.Rules {
		for _, c := range rule.Clauses {
			var under []condition
			if c.When != nil {
				under = []condition{{c.When, true}}
			}
			look(c.Block, under)
		}
	}
}

// eachThrow calls f for every outcome of some dice.
func eachThrow(dice []*model.Die, faces map[*model.Die]int, f func(map[*model.Die]int)) {
	if len(dice) == 0 {
		f(faces)
		return
	}
	for _, face := range dice[0].Faces {
		faces[dice[0]] = face.Value
		eachThrow(dice[1:], faces, f)
	}
}

// diceOnly reports whether a condition depends only on thrown dice and on answers to questions, and collects these dice.
func (w *walk) diceOnly(e *model.Expr, dice *[]*model.Die, chosen *bool, params ...*model.Local) bool {
	fine := true
	e.Walk(func(x *model.Expr) bool {
		switch x.Op {
		case model.OpVar, model.OpSet, model.OpField, model.OpCell, model.OpMine, model.OpTag, model.OpFamily, model.OpAttr, model.OpMark:
			fine = false
		case model.OpLocal:
			if slices.Contains(w.picked, x.Local) {
				*chosen = true
			} else if !slices.Contains(params, x.Local) {
				fine = false
			}
		case model.OpCall:
			fine = fine && w.diceOnly(x.Let.Body, dice, chosen, x.Let.Params...)
		case model.OpDie:
			if x.Die.Kind != model.DieFaces {
				fine = false
			} else if !slices.Contains(*dice, x.Die) {
				*dice = append(*dice, x.Die)
			}
		}
		return fine
	})
	return fine
}

// earning finds a reaction by which every count earns another count.
func (w *walk) earning(c *model.Clause) {
	if c.Kind != model.ClauseOn || c.When != nil || c.Event != model.EventMove && c.Event != model.EventLand {
		return
	}
	if c.Event == model.EventMove && c.Move != nil && slices.ContainsFunc(w.may, func(f *formula) bool { return f.x.Move != c.Move }) {
		return // another move may be made instead
	}
	for _, s := range c.Block.Stmts {
		if s.Kind == model.StmtEarn && w.earned && len(w.stops) == 0 && !w.domain(w.intern(s.Value, nil, 0), nil).has(0) {
			f := w.turnFact(s.Span)
			f.earns, f.always = true, true
		}
	}
}
