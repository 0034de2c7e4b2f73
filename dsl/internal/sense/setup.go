package sense

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// setUp records statements of the setup that put pieces where all of them begin, if it puts none elsewhere.
func (x *setting) setUp() {
	begins := x.begins()
	_, one := begins.single()
	elsewhere := !one || len(x.raised(model.EventLeave)) > 0 || seq.Any(x.r.Setup.All(), func(s *model.Stmt) bool {
		return s.Kind == model.StmtExchange || s.Kind == model.StmtDo || s.Kind == model.StmtPut && !x.domain(x.intern(s.Other, nil, 0), nil).equal(begins)
	})
	for s := range x.r.Setup.All() {
		if s.Kind == model.StmtPut {
			x.foundOf(!elsewhere, "setup", "no-effect", s.Span, "all pieces begin there")
		}
	}
	x.setAnew()
}

// setAnew records variables that begin with a value of their own, and that the setup gives another one before anything looks at it.
func (x *setting) setAnew() {
	anew := map[*model.Var]bool{}
	everyone := map[model.Scope]model.Set{model.ScopePlayer: model.SetPlayers, model.ScopeColour: model.SetColours, model.ScopePiece: model.SetPieces}
	for i, s := range stmts(x.r.Setup) {
		set := s
		if s.Kind == model.StmtFor && s.Value != nil && s.Value.Op == model.OpSet && len(s.Then.Stmts) > 0 {
			set = s.Then.Stmts[0]
		}
		if set.Kind != model.StmtAssign || set.Assign != model.AssignSet || looksAt(set.Value, set.Target.Var) {
			continue
		}
		v, ofAll := set.Target.Var, false
		if all, ok := everyone[v.Scope]; ok && set != s {
			ofAll = s.Value.Set == all && isName(set.Target.Args[0], s.Local)
		}
		if (ofAll || set == s && v.Scope == model.ScopeGame) && !blockLooksAt(&model.Block{Stmts: x.r.Setup.Stmts[:i]}, v) {
			anew[v] = true
		}
	}
	for _, v := range x.r.Vars {
		if !v.Type.List && len(v.Initial) > 0 {
			begins := v.Initial[0]
			x.foundOf(anew[v] && (begins > 0 || begins < 0 && !v.Type.Kind.Ref()), "set anew", "no-effect", v.Span,
				"the setup gives %q its first value: this one is never looked at", v.Name)
		}
	}
}
