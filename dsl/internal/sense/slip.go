package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
)

// slips records what is likely a slip of the pen in a statement.
func (w *walk) slips(s *model.Stmt, known []*facts) {
	switch s.Kind {
	case model.StmtDo:
		w.swapped(s)
		for _, a := range s.Args {
			w.lastCome(a, known)
		}
	case model.StmtPut:
		w.lastCome(s.Value, known)
	case model.StmtChoose:
		if s.Other != nil {
			w.foundOf(s.Other.Op == model.OpCell && s.Other.Cell == model.CellMe, "asked", "no-effect", s.Other.Span, "the player in turn is asked anyway")
		}
		if e := s.Value; e != nil && isBag(e, e.Var) {
			w.foundOf(w.neverTaken(e.Var), "stays", "never-changed", e.Span, "nothing takes a number out of %q: what is chosen stays in it, for the next time too", e.Var.Name).info = true
		}
	case model.StmtFor:
		adds := func(t *model.Stmt) bool {
			return t.Kind == model.StmtAssign && t.Assign == model.AssignAdd && !t.Target.Type.List && mentions(t.Value, s.Local)
		}
		of := s.Value
		w.foundOf(isBag(of, of.Var) && s.Local != nil && seq.Any(s.Then.All(), adds), "bag", "misnamed", s.Value.Span,
			"this goes through the numbers of a bag, each once, however often it has one: sum(%s) adds all", words(of.Span)).info = true
	case model.StmtAssign:
		w.lastsTooLong(s)
		v := s.Target.Var
		if s.Assign != model.AssignSub || v == nil || !v.Bag || w.clause == nil || w.clause.Event == model.EventThrow {
			return
		}
		played := func(t *model.Stmt) bool {
			return t.Kind == model.StmtPlay && t.Play == model.PlayAny && isBag(t.Value, v)
		}
		w.foundOf(isSteps(s.Value) && seq.Any(w.r.Stmts(), played), "played", "done-twice", s.Span, "the number that is played is taken out of %q already", v.Name).info = true
	}
}

// neverTaken reports whether numbers come into a bag, from which the same one may be chosen again, and none is ever taken out.
func (x *setting) neverTaken(v *model.Var) bool {
	adds, takes, goesOn := false, false, v.Scope != model.ScopeTurn
	for s := range x.r.Stmts() {
		goesOn = goesOn || s.Kind == model.StmtAgain || s.Kind == model.StmtFor && s.Loops() && v.Scope == model.ScopeTurn
		takes = takes || s.Kind == model.StmtPlay && (isBag(s.Value, v) || slices.ContainsFunc(s.Args, func(e *model.Expr) bool { return isBag(e, v) }))
		if s.Kind == model.StmtAssign && s.Target.Var == v {
			adds, takes = adds || s.Assign == model.AssignAdd, takes || s.Assign != model.AssignAdd
		}
	}
	return adds && goesOn && !takes
}

// ofTurn finds titles that speak of one turn.
var ofTurn = pattern.Of(`(?i)\b(?:this|(?:in|during|of|per) (?:a|the|that|one|each|every)) turn\b`)

// lastsTooLong records a flag of the game that a rule sets for good though its title speaks of one turn.
func (w *walk) lastsTooLong(s *model.Stmt) {
	v, c := s.Target.Var, w.clause
	if v == nil || v.Scope != model.ScopeGame || v.Type != model.Of(model.Flag) || c == nil || c.Rule == nil || !ofTurn().MatchString(c.Rule.Words) {
		return
	}
	sets := func(t *model.Stmt) bool { return t.Kind == model.StmtAssign && t.Target.Var == v }
	back := func(t *model.Stmt) bool { return sets(t) && (!setsConstant(t) || t.Value.Int != s.Value.Int) }
	w.foundOf(setsConstant(s) && !slices.Equal(v.Initial, []int{s.Value.Int}) && !seq.Any(w.r.Stmts(), back), "lasts", "misnamed", s.Span,
		"the title speaks of a turn, and %q stays so for the rest of the game: var turn %s begins anew", v.Name, v.Name).info = true
}

// onlyCounted records bags of which nothing but how many numbers they have is looked at.
func (x *setting) onlyCounted() {
	named, counted := map[*model.Var]int{}, map[*model.Var]int{}
	x.r.Exprs(func(e *model.Expr) {
		if e.Op == model.OpSet && e.Var != nil {
			named[e.Var]++
		}
		if e.Op == model.OpCount && len(e.Args) == 1 && e.Args[0].Op == model.OpSet && e.Args[0].Var != nil {
			counted[e.Args[0].Var]++
		}
	})
	for s := range x.r.Stmts() {
		if s.Target != nil && s.Target.Var != nil && (s.Kind == model.StmtPlay || s.Assign == model.AssignSub) {
			named[s.Target.Var]++
		}
	}
	for _, v := range x.r.Vars {
		if v.Bag && x.own(v.Span) {
			x.foundOf(counted[v] > 0 && counted[v] == named[v], "counted", "never-read", v.Span,
				"nothing but how many numbers %q has is looked at: a set has different ones only, and a number says how many in all", v.Name).info = true
		}
	}
}

// isBag reports whether an expression is a variable, which is a bag.
func isBag(e *model.Expr, v *model.Var) bool {
	return e != nil && e.Op == model.OpSet && e.Set == model.SetVar && e.Var == v && v.Bag
}

// lastCome records the last piece of a square where that is the piece which a reaction is about: it has just come there.
func (w *walk) lastCome(e *model.Expr, known []*facts) {
	if e.Op != model.OpLast || w.clause == nil || len(known) == 0 || !firstNamed(w.clause) || !w.own(e.Span) {
		return
	}
	p, act := w.clause.Params[0], w.clause.Act
	come := len(w.assume(w.equal(w.intern(e, nil, 0), w.local(p)), false, known)) == 0
	if list := e.Args[0]; act != nil && w.clause.Kind == model.ClauseOn && !empty(act.Block) && list.Op == model.OpSet && list.Set == model.SetPiecesOf && list.Args[0].Op == model.OpLocal {
		moves := func(s *model.Stmt) bool { return movesPiece(s) || s.Kind == model.StmtDo }
		puts := seq.Filter(slices.Collect(act.Block.All()), moves)
		only := seq.Count(slices.Collect(w.clause.Block.All()), moves) == 1 && !seq.Any(w.r.Clauses(), func(c *model.Clause) bool {
			return c.Act == act && c != w.clause && seq.Any(c.Block.All(), moves)
		})
		is := func(of *model.Expr, i int) bool { return i >= 0 && isName(of, act.Params[i]) }
		at := slices.Index(w.clause.Params, list.Args[0].Local)
		come = come || len(puts) == 1 && puts[0].Kind == model.StmtPut && is(puts[0].Value, 0) && is(puts[0].Other, at) && only
	}
	w.foundOf(come, "last", "misnamed", e.Span, "this is %q, which has come last; who was there before is first(…)", p.Name).info = true
}

// swapped records an act that a reaction does to two things under each other's names.
func (w *walk) swapped(s *model.Stmt) {
	if w.clause == nil {
		return
	}
	given := func(i int) string {
		if s.Args[i].Op == model.OpLocal && s.Act.Params[i] != nil {
			return s.Args[i].Local.Name
		}
		return ""
	}
	for i := range s.Args {
		for j := range s.Args[:i] {
			a, b := given(j), given(i)
			other := func(o *model.Stmt) bool { // it does so to both, on purpose
				return o.Kind == model.StmtDo && o.Act == s.Act && a == words(o.Args[i].Span) && b == words(o.Args[j].Span)
			}
			w.foundOf(a != "" && b != "" && a != b && a == s.Act.Params[i].Name && b == s.Act.Params[j].Name && !seq.Any(w.clause.Block.All(), other), "swapped", "misnamed", s.Span,
				"%q is %q in the act, and %q is %q", a, b, b, a).info = true
		}
	}
}

// goesTo are the names of places that words say something goes to.
var goesTo = pattern.Of(`\b(?:to|into|onto) (?:(?:the|its|his|her|their) )?([\p{Ll}_]+)`)

// putsElsewhere records the only put of an act, into another zone than the words of the act say.
func (x *setting) putsElsewhere() {
	for _, a := range x.r.Acts {
		if !x.own(a.Span) {
			continue
		}
		puts := seq.Filter(slices.Collect(a.Block.All()), movesPiece)
		var said []string
		for _, m := range goesTo().FindAllStringSubmatch(a.Words, -1) {
			if at, ok := x.r.Board.Place(m[1]); ok && x.r.Board.Places[at].Zone {
				said = append(said, m[1])
			}
		}
		if len(puts) != 1 || puts[0].Kind != model.StmtPut || len(said) != 1 || puts[0].Other.Op != model.OpConst {
			continue
		}
		on := words(puts[0].Other.Span)
		x.foundOf(on != said[0], "elsewhere", "misnamed", puts[0].Other.Span, "the words of the act say %q, and this is %q", said[0], on).info = true
	}
}

// oneOfTeam records the ending of a team that asks of one of its players.
func (x *setting) oneOfTeam() {
	for c := range x.r.Clauses() {
		if c.Kind != model.ClauseEnding || c.Scope != model.ScopeTeam || !x.own(c.Span) || c.When == nil || len(c.Params) == 0 || c.Params[0] == nil {
			continue
		}
		for e := range c.When.All() {
			if e.Op != model.OpIndex && e.Op != model.OpFirst || e.Args[0].Op != model.OpSet || e.Args[0].Set != model.SetPlayersOf {
				continue
			}
			several := slices.ContainsFunc(x.r.Teams, func(t []int) bool { return len(t) > 1 })
			x.foundOf(several && mentions(e.Args[0], c.Params[0]), "one of team", "team-wins", e.Span, "this is one of the players of the team").info = true
		}
	}
}

// dieTwice records a sum of a die and itself, where there are others.
func (x *setting) dieTwice(e *model.Expr) {
	a, b := e.Args[0], e.Args[1]
	if a.Op != model.OpDie || b.Op != model.OpDie || len(x.r.Dice) < 2 || !x.own(e.Span) {
		return
	}
	x.foundOf(a.Die == b.Die, "die twice", "misnamed", e.Span, "these are die %[1]q and itself: 2 * %[1]s says so, if it is meant", a.Die.Name).info = true
}

// mineTooLate records a condition in the list of one's own pieces that holds only when the game is over.
func (x *setting) mineTooLate() {
	l := x.r.Mine
	if l == nil || l.Body.Op != model.OpIf || !x.own(l.Body.Args[0].Span) {
		return
	}
	is, over := x.intern(l.Body.Args[0], nil, 0), false
	for c := range x.r.Clauses() {
		if c.Kind == model.ClauseEnding && c.Ending == model.EndWin && c.Scope != model.ScopeGame && len(c.Params) > 0 && c.Params[0] != nil && c.When != nil {
			side := map[model.Scope]id{model.ScopePlayer: x.ofCell(model.Player, model.CellMe)}
			side[model.ScopeTeam] = x.field(side[model.ScopePlayer], model.FieldTeam)
			of, known := side[c.Scope]
			over = over || known && x.implies([]id{is}, x.renamed([]id{x.intern(c.When, nil, 0)}, substitution{c.Params[0]: of}))
		}
	}
	x.foundOf(over, "mine", "always-same", l.Body.Args[0].Span, "%s is never true before the game is over", said{l.Body.Args[0]})
}
