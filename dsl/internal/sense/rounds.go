package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// maxActs is how many acts in acts are looked into.
const maxActs = 3

// sameRounds records an act that a loop does for each element of a list, where neither the act nor what reacts to it looks at the element,
// and what they do is the same done once or several times.
func (x *setting) sameRounds(s *model.Stmt) {
	if !s.Loops() || s.Local == nil || s.Value == nil || len(s.Then.Stmts) != 1 || s.Then.Stmts[0].Kind != model.StmtDo || !x.own(s.Span) {
		return
	}
	if _, most := x.length(x.intern(s.Value, nil, 0), nil); most <= 1 {
		return
	}
	why, do := "", s.Then.Stmts[0]
	if uses(s.Then, s.Local) && x.sameAgain(s.Then, map[*model.Local]bool{s.Local: true}, 0) {
		why = "this does the same for each of them: neither " + quote(do.Act.Name) + " nor what reacts to it looks at " + quote(s.Local.Name)
	}
	x.Study.warnOf("rounds", "done-twice", do.Span, why)
}

// sameAgain reports whether statements look at none of some names, and do the same done once or several times.
func (x *setting) sameAgain(b *model.Block, elems map[*model.Local]bool, depth int) bool {
	looks := func(e *model.Expr) bool {
		return e.Has(func(a *model.Expr) bool { return a.Op == model.OpLocal && elems[a.Local] })
	}
	same := func(all ...*model.Expr) bool {
		return !slices.ContainsFunc(all, func(e *model.Expr) bool { return looks(e) || !x.fixed(x.intern(e, nil, 0)) })
	}
	if empty(b) {
		return true
	}
	for _, s := range b.Stmts {
		switch s.Kind {
		case model.StmtAgain:
		case model.StmtPut:
			if !same(s.Value, s.Other) || len(x.raised(model.EventLeave)) > 0 {
				return false
			}
		case model.StmtAssign:
			if s.Assign != model.AssignSet || s.Target.Var == nil || s.Target.Type.List || s.Value.Op != model.OpConst || !same(s.Target.Args...) {
				return false
			}
		case model.StmtDo:
			if depth >= maxActs || slices.ContainsFunc(x.r.Counts, func(n *model.Count) bool { return n.Clause != nil && n.Clause.Act == s.Act }) {
				return false
			}
			in := func(params []*model.Local) map[*model.Local]bool {
				out := map[*model.Local]bool{}
				for i, a := range s.Args {
					if i < len(params) && params[i] != nil && looks(a) {
						out[params[i]] = true
					}
				}
				return out
			}
			if slices.ContainsFunc(s.Args, func(a *model.Expr) bool { return !looks(a) && !same(a) }) || !x.sameAgain(s.Act.Block, in(s.Act.Params), depth+1) {
				return false
			}
			for _, rule := range x.r.Rules {
				for _, c := range rule.Clauses {
					if c.Act == s.Act && (c.When != nil || !x.sameAgain(c.Block, in(c.Params), depth+1)) {
						return false
					}
				}
			}
		default:
			return false
		}
	}
	return true
}
