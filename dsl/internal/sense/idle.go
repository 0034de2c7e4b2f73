package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

// idleFact is the result for a statement or a reaction that may have no effect.
type idleFact struct {
	code string
	why  string
	note source.Span // where the same is done, if it is
	live bool        // it has an effect in some setting
}

// warn records whether what stands at a place has an effect in this setting: it has where why is "".
func (s *Study) warn(code string, at source.Span, why string) *idleFact {
	f := s.idles[at]
	if f == nil {
		f = &idleFact{}
		s.idles[at] = f
	}
	f.live = f.live || why == ""
	if f.why == "" {
		f.code, f.why = code, why
	}
	return f
}

// statement records whether a statement has an effect, given what is known before it.
func (w *walk) statement(s *model.Stmt, known []*facts) {
	if !w.own(s.Span) || len(known) == 0 || s.Kind == model.StmtAgain {
		return
	}
	if s.Kind == model.StmtChoose {
		if s.Local != nil && !s.None {
			why := ""
			if !uses(s.Then, s.Local) {
				why = "nothing looks at what is chosen"
			}
			w.Study.warn("unused", s.Span, why)
		}
		return
	}
	w.Study.warn("no-effect", s.Span, w.idleBecause(s, known))
}

// idleBecause says why a statement has no effect, "" if it may have one.
func (w *walk) idleBecause(s *model.Stmt, known []*facts) string {
	same := func(a, b id) bool { return a == b }
	switch s.Kind {
	case model.StmtIf:
		switch {
		case empty(s.Then) && empty(s.Else):
			return "nothing is done either way"
		case s.Else != nil && empty(s.Else):
			return "its else does nothing"
		case s.Else != nil && s.Value.Op != model.OpConst && model.DigestOf(s.Then) == model.DigestOf(s.Else):
			return "both ways do the same"
		}
	case model.StmtFor:
		if empty(s.Then) {
			return "nothing is done for any of them"
		}
		list := w.intern(s.Value, nil, 0)
		if !slices.ContainsFunc(known, func(f *facts) bool { _, high := w.length(list, f); return high > 0 }) {
			return "there is nothing to go through"
		}
	case model.StmtAssign:
		switch {
		case s.Assign != model.AssignSet && !s.Target.Type.List && s.Value.IsConst(0):
			return "it adds nothing"
		case s.Assign == model.AssignSet && same(w.intern(s.Target, nil, 0), w.intern(s.Value, nil, 0)):
			return "it has this value already"
		}
	case model.StmtPut:
		at := w.add(term{op: model.OpField, field: model.FieldAt, typ: model.Of(model.Place), args: []id{w.intern(s.Value, nil, 0)}})
		if !w.handed && same(at, w.intern(s.Other, nil, 0)) {
			return "the piece stands there already"
		}
	case model.StmtExchange:
		if same(w.intern(s.Value, nil, 0), w.intern(s.Other, nil, 0)) {
			return "it is the same piece twice"
		}
	}
	return ""
}

func empty(b *model.Block) bool { return b == nil || len(b.Stmts) == 0 }

// uses reports whether statements look at a name.
func uses(b *model.Block, l *model.Local) bool {
	found := false
	look := func(e *model.Expr) bool {
		found = found || e.Op == model.OpLocal && e.Local == l
		return !found
	}
	b.Walk(func(s *model.Stmt) {
		for _, e := range append([]*model.Expr{s.Target, s.Value, s.Other}, s.Args...) {
			e.Walk(look)
		}
	})
	return found
}

// reactions records which reactions do nothing, or do again what another one does, and acts that are only a name.
func (x *setting) reactions() {
	first := map[model.Digest]*model.Clause{}
	reacted := map[*model.Act]bool{}
	react := func(c *model.Clause) {
		if c.Act != nil {
			reacted[c.Act] = true
		}
	}
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			react(c)
			if c.Kind != model.ClauseOn && c.Kind != model.ClauseBefore {
				continue
			}
			if empty(c.Block) {
				x.doesNothing(c.Span, "this reaction does nothing")
				continue
			}
			k := model.DigestOfClause(c)
			other := first[k]
			if other == nil {
				first[k] = c
				x.twice(c, nil)
				continue
			}
			if !x.own(c.Span) {
				c, other = other, c // a later file has put its own before it
			}
			x.twice(c, other)
		}
	}
	for _, n := range x.r.Counts {
		if n.Clause != nil {
			react(n.Clause)
		}
	}
	for _, a := range x.r.Acts {
		switch {
		case !empty(a.Block) || reacted[a]:
			x.doesNothing(a.Span, "")
		default:
			x.doesNothing(a.Span, "this act does nothing, and nothing reacts to it")
		}
	}
}

func (x *setting) doesNothing(at source.Span, why string) {
	if x.own(at) {
		x.Study.warn("no-effect", at, why)
	}
}

// twice records that a reaction does again what another one does; other is nil if none does.
func (x *setting) twice(c, other *model.Clause) {
	if !x.own(c.Span) {
		return
	}
	why := ""
	if other != nil {
		why = "this is done twice: rule \"" + other.Rule.Name + "\" does the same when it happens"
		if other.Rule == c.Rule {
			why = "this is done twice: another line of this rule does the same when it happens"
		}
	}
	f := x.Study.warn("done-twice", c.Span, why)
	if other != nil && f.note.IsZero() {
		f.note = other.Span
	}
}
