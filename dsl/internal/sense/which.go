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
