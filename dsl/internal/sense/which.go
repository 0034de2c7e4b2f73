package sense

import "github.com/rulerun/rulerun/dsl/model"

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
		d.Choice.Walk(func(e *model.Expr) bool { look(e); return true })
	}
	x.r.Walk(func(s *model.Stmt) {
		if s.Kind != model.StmtChoose || s.Target == nil || s.Target.Var == nil || !s.Target.Type.Kind.Ref() || s.Target.Type.List || !x.own(s.Span) {
			return
		}
		v, why := s.Target.Var, ""
		if n, read := more[v]; read && n == 0 {
			why = "which " + v.Type.Kind.String() + " is chosen makes no difference: " + quote(v.Name) + " is only compared with nil"
		}
		x.Study.warnOf("which", "unused", s.Span, why)
	})
}
