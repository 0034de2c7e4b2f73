package sense

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// neverEnds records the endings of the file where none of the game holds in this setting: it has no end.
func (x *setting) neverEnds() {
	if seq.Any(x.r.Stmts(), isFinish) {
		return
	}
	var own []*model.Clause
	for c := range x.r.Clauses() {
		if c.Kind != model.ClauseEnding {
			continue
		}
		x.prepare(c)
		form := x.formulaOf(c, nil)
		if x.possibleAfter(x.begin(c), form.terms...) && x.ofSide(c, form) {
			return
		}
		own = append(own, c)
	}
	for _, c := range own {
		x.harm("no-ending", c.Span, "this never holds"+x.inSetting(true)+", and nothing else ends the game there", "say what ends it in every setting")
	}
}

// overAnyway records an over that holds only when no player is left: then the game is over without it.
func (x *setting) overAnyway(c *model.Clause, form *formula) {
	if c.Ending != model.EndOver || c.When == nil {
		return
	}
	left := x.open()
	for e := range c.When.All() {
		if len(e.Args) != 2 || !e.OverElements() || e.Args[0].Op != model.OpSet || e.Args[0].Set != model.SetPlayers || e.Args[1].Op != model.OpField || e.Args[1].Field != model.FieldPlaying {
			continue
		}
		switch t := x.intern(e, nil, 0); e.Op {
		case model.OpCount:
			left = x.assume(x.flag(model.OpGe, t, x.number(1)), true, left)
		case model.OpAny:
			left = x.assume(t, true, left)
		case model.OpNone:
			left = x.assume(t, false, left)
		}
	}
	x.foundOf(len(x.holding(form.terms, left)) == 0, "over", "no-effect", c.Span, "when no player is left the game is over without this")
}

// names records names of endings and of the place where a move ends that nothing looks at.
func (x *setting) names(c *model.Clause) {
	unused := func(l *model.Local, where string) {
		looked := mentions(c.When, l) || c.Kind != model.ClauseEnding && (mentions(c.By, l) || uses(c.Block, l))
		if l.Name != "_" {
			x.found(!looked, "unused", l.Span, "nothing looks at %q%s", l.Name, where)
		}
	}
	switch {
	case c.Kind == model.ClauseEnding && len(c.Params) > 0 && c.When != nil && c.When.Op != model.OpConst:
		unused(c.Params[0], ": the condition is the same for all of them")
		x.endsByOther(c)
	case c.To == nil || c.When != nil && c.When.Op == model.OpConst:
	case c.Kind == model.ClauseEnd && c.When != nil:
		unused(c.To, ": it is the same wherever the walk ends")
	case c.Move != nil:
		unused(c.To, "")
	}
}

// endsByOther records a condition of an ending that asks of the player in turn, where those beside it ask of the one it is about.
func (x *setting) endsByOther(c *model.Clause) {
	parts, of := chained(model.OpAnd, c.When), c.Params[0]
	about := func(e *model.Expr) bool { return mentions(e, of) }
	mixed := slices.ContainsFunc(parts, func(e *model.Expr) bool { return about(e) && asksMe(e) })
	for _, e := range parts {
		other := !mixed && asksMe(e) && !about(e) && slices.ContainsFunc(parts, about)
		x.foundOf(other && of.Type == model.Of(model.Player), "ending", "misnamed", e.Span,
			"this asks of the player in turn, and the rest of the condition of %q", of.Name)
	}
}

// perTurn are the words that say that something is counted in one turn.
var perTurn = []string{"of a turn", "in a turn", "of one turn", "in one turn", "of the turn", "in the same turn", "of the same turn", "within a turn"}

// countsForGood records numbers that a rule asks for, or else counts, as those of a turn, as its title says, and which nothing begins anew.
func (x *setting) countsForGood() {
	asked := map[*model.Var]bool{}
	for _, counts := range []bool{false, true} {
		for c := range x.r.Clauses() {
			title := strings.ToLower(c.Rule.Words)
			i := slices.IndexFunc(perTurn, func(words string) bool { return strings.Contains(title, words) })
			if i < 0 || !x.own(c.Span) {
				continue
			}
			say := func(at source.Span, v *model.Var) {
				forGood := v.Scope != model.ScopeTurn && v.Scope != model.ScopeGo && !x.r.Own(v)
				if forGood {
					up, down, ok := x.countsOf(v)
					forGood = ok && len(up) > 0 && len(down) == 0
				}
				x.foundOf(forGood, "for good", "misnamed", at, "the title says %q, and %q is never begun anew: it counts through the whole game", perTurn[i], v.Name)
			}
			switch {
			case !counts && c.When != nil:
				for _, e := range chained(model.OpAnd, c.When) {
					if v := comparedNumber(e); v != nil {
						asked[v] = true
						say(e.Span, v)
					}
				}
			case counts && (c.When == nil || !asksVariable(c.When)): // what it adds else may be counted for another reason
				for s := range c.Block.All() {
					if s.Kind == model.StmtAssign && s.Assign == model.AssignAdd && !asked[s.Target.Var] && x.isCompared(s.Target.Var) {
						say(s.Target.Span, s.Target.Var)
					}
				}
			}
		}
	}
}

// comparedNumber is the variable that a comparison with a number is about, nil if it is another condition.
func comparedNumber(e *model.Expr) *model.Var {
	if e.Op < model.OpEq || e.Op > model.OpGe || e.Args[0].Op != model.OpVar || e.Args[0].Type != model.Of(model.Number) || e.Args[1].Op != model.OpConst {
		return nil
	}
	return e.Args[0].Var
}

// isCompared reports whether a rule, or the turn, compares a variable with a number.
func (x *setting) isCompared(v *model.Var) bool {
	found := false
	x.r.Exprs(func(e *model.Expr) { found = found || v != nil && comparedNumber(e) == v })
	return found
}
