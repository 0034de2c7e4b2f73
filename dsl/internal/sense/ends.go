package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// neverEnds records the endings of the file where none of the game holds in this setting: it has no end.
func (x *setting) neverEnds() {
	ends := false
	x.r.Walk(func(s *model.Stmt) { ends = ends || s.Kind == model.StmtFinish })
	var own []*model.Clause
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			if c.Kind != model.ClauseEnding || ends {
				continue
			}
			x.prepare(c)
			form := x.formulaOf(c, nil)
			ends = x.possibleAfter(x.begin(c), form.terms...) && x.ofSide(c, form)
			if x.own(c.Span) {
				own = append(own, c)
			}
		}
	}
	for _, c := range own {
		if !ends {
			x.harm("no-ending", c.Span, "this never holds"+x.inSetting(true)+", and nothing else ends the game there",
				"say what ends it in every setting")
		}
	}
}

// names records names of endings and of the place where a move ends that nothing looks at.
func (x *setting) names(c *model.Clause) {
	unused := func(l *model.Local, why string) {
		if x.own(l.Span) && l.Name != "_" {
			if mentions(c.When, l) || c.Kind != model.ClauseEnding && (mentions(c.By, l) || uses(c.Block, l)) {
				why = ""
			}
			x.Study.warn("unused", l.Span, why)
		}
	}
	switch {
	case c.Kind == model.ClauseEnding && len(c.Params) > 0 && c.When != nil && c.When.Op != model.OpConst:
		unused(c.Params[0], "nothing looks at "+quote(c.Params[0].Name)+": the condition is the same for all of them")
		x.endsByOther(c)
	case c.To == nil || c.When != nil && c.When.Op == model.OpConst:
	case c.Kind == model.ClauseEnd && c.When != nil:
		unused(c.To, "nothing looks at "+quote(c.To.Name)+": it is the same wherever the walk ends")
	case c.Move != nil:
		unused(c.To, "nothing looks at "+quote(c.To.Name))
	}
}

// endsByOther records a condition of an ending that asks of the player in turn, where those beside it ask of the one it is about.
func (x *setting) endsByOther(c *model.Clause) {
	parts := chained(model.OpAnd, c.When)
	about := func(e *model.Expr) bool { return mentions(e, c.Params[0]) }
	other := func(e *model.Expr) bool { return asksMe(e) && !about(e) }
	mixed := slices.ContainsFunc(parts, func(e *model.Expr) bool { return about(e) && asksMe(e) })
	for _, e := range parts {
		why := ""
		if !mixed && x.own(e.Span) && other(e) && slices.ContainsFunc(parts, about) && c.Params[0].Type == model.Of(model.Player) {
			why = "this asks of the player in turn, and the rest of the condition of " + quote(c.Params[0].Name)
		}
		x.Study.warnOf("ending", "misnamed", e.Span, why)
	}
}
