package sense

import "github.com/rulerun/rulerun/dsl/model"

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
