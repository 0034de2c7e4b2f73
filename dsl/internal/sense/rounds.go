package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// maxActs is how many acts in acts are looked into.
const maxActs = 3

// sameRounds records an act that a loop does for each element of a list, where neither the act nor what reacts to it looks at the element,
// and what they do is the same done once or several times.
func (x *setting) sameRounds(s *model.Stmt) {
	if !s.Loops() || s.Local == nil || s.Value == nil || len(s.Then.Stmts) != 1 || s.Then.Stmts[0].Kind != model.StmtDo || !x.own(s.Span) ||
		x.longest(x.intern(s.Value, nil, 0), []*facts{nil}) <= 1 {
		return
	}
	do := s.Then.Stmts[0]
	same := uses(s.Then, s.Local) && x.sameAgain(s.Then, map[*model.Local]bool{s.Local: true}, 0)
	x.foundOf(same, "rounds", "done-twice", do.Span, "this does the same for each of them: neither %q nor what reacts to it looks at %q", do.Act.Name, s.Local.Name)
}

// allButOne records a loop over a list of all colours of the board but one, of which no other line speaks.
func (x *setting) allButOne(s *model.Stmt) {
	all := x.r.Board.Colours
	if !s.Loops() || s.Value == nil || s.Value.Op != model.OpList || s.Value.Type != model.ListOf(model.Colour) || !x.own(s.Value.Span) {
		return
	}
	named := map[int]bool{}
	x.r.Exprs(func(e *model.Expr) {
		if e.Op == model.OpConst && e.Type == model.Of(model.Colour) {
			named[e.Int] = true
		}
	})
	left := ""
	for i, c := range x.r.Colours {
		if !named[i] {
			left = all[c.Board].Name
		}
	}
	one := len(s.Value.Args) == len(all)-1 && len(all) > 3 && len(named) == len(s.Value.Args) && left != ""
	x.foundOf(one, "all but one", "odd-one-out", s.Value.Span, "these are all colours of the board but %s, and no line speaks of that one", left).info = true
}

// meForEach records a loop over all players that adds to, or takes from, what the one in turn has, in each round by another player's count.
func (x *setting) meForEach(s *model.Stmt) {
	if !s.Loops() || s.Local == nil || s.Value == nil || s.Value.Op != model.OpSet || s.Value.Set != model.SetPlayers {
		return
	}
	for _, t := range s.Then.Stmts {
		if t.Kind != model.StmtAssign || t.Assign == model.AssignSet || t.Target.Var == nil || t.Target.Var.Scope != model.ScopePlayer || !x.own(t.Span) {
			continue
		}
		of := t.Target.Args[0]
		x.foundOf(of.Op == model.OpCell && of.Cell == model.CellMe && mentions(t.Value, s.Local), "me for each", "misnamed", t.Target.Span,
			"for each player this is %s, of the one in turn: %q goes through all players, that one too", words(t.Target.Span), s.Local.Name).info = true
	}
}

// sameAgain reports whether statements look at none of some names, and do the same done once or several times.
func (x *setting) sameAgain(b *model.Block, elems map[*model.Local]bool, depth int) bool {
	looks := func(e *model.Expr) bool {
		return e.Has(func(a *model.Expr) bool { return a.Op == model.OpLocal && elems[a.Local] })
	}
	same := func(all ...*model.Expr) bool {
		return !slices.ContainsFunc(all, func(e *model.Expr) bool { return looks(e) || !x.fixed(x.intern(e, nil, 0)) })
	}
	return !slices.ContainsFunc(stmts(b), func(s *model.Stmt) bool {
		switch s.Kind {
		case model.StmtAgain:
			return false
		case model.StmtPut:
			return !same(s.Value, s.Other) || len(x.raised(model.EventLeave)) > 0
		case model.StmtAssign:
			return !setsConstant(s) || !same(s.Target.Args...)
		case model.StmtDo:
			if depth >= maxActs || slices.ContainsFunc(x.r.Counts, func(n *model.Count) bool { return n.Clause != nil && n.Clause.Act == s.Act }) {
				return true
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
			return slices.ContainsFunc(s.Args, func(a *model.Expr) bool { return !looks(a) && !same(a) }) || !x.sameAgain(s.Act.Block, in(s.Act.Params), depth+1) ||
				seq.Any(x.r.Clauses(), func(c *model.Clause) bool {
					return c.Act == s.Act && (c.When != nil || !x.sameAgain(c.Block, in(c.Params), depth+1))
				})
		}
		return true
	})
}
