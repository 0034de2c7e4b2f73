package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// findCalls collects what is known of the parameters of acts where they are done, of those that the file has or reacts to.
func (x *setting) findCalls() {
	calls := map[*model.Act][]*facts{}
	for _, a := range x.r.Acts {
		if x.own(a.Span) {
			calls[a] = nil
		}
	}
	reacts := func(c *model.Clause) {
		if c != nil && c.Act != nil && x.own(c.Span) {
			calls[c.Act] = nil
		}
	}
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			reacts(c)
		}
	}
	for _, n := range x.r.Counts {
		reacts(n.Clause)
	}
	if len(calls) == 0 {
		return
	}
	x.calls = calls
	does := func(b *model.Block) bool {
		some := false
		b.Walk(func(s *model.Stmt) { some = some || s.Kind == model.StmtDo && x.follows(s.Act) })
		return some
	}
	blocks := []*model.Block{x.r.Setup, x.r.Turn}
	for _, a := range x.r.Acts {
		blocks = append(blocks, a.Block)
	}
	for _, b := range blocks {
		if does(b) {
			x.callsIn(b, x.open())
		}
	}
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			if !does(c.Block) {
				continue
			}
			x.prepare(c)
			form := x.formulaOf(c, nil)
			known := x.open()
			if c.Act == nil { // of acts in reaction to acts nothing is known
				known = x.begin(c)
			}
			known = x.holding(form.terms, known)
			x.callsIn(c.Block, known)
		}
	}
}

// follows reports whether it is collected where an act is done.
func (x *setting) follows(a *model.Act) bool { _, follows := x.calls[a]; return follows }

// undone reports whether in this setting nothing does an act.
func (x *setting) undone(a *model.Act) bool { return x.follows(a) && len(x.calls[a]) == 0 }

func (x *setting) callsIn(b *model.Block, known []*facts) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		switch s.Kind {
		case model.StmtDo:
			if x.follows(s.Act) {
				x.record(s, known)
			}
		case model.StmtIf:
			t := x.intern(s.Value, nil, 0)
			x.callsIn(s.Then, x.assume(t, true, known))
			x.callsIn(s.Else, x.assume(t, false, known))
		case model.StmtFor, model.StmtChoose:
			inner := known
			if s.Kind == model.StmtChoose || s.Loops() && changes(s.Then) {
				inner = x.lasting(known)
			}
			if s.Local != nil && s.Value != nil && s.Value.Type.List {
				inner = x.ofElement(x.intern(s.Value, nil, 0), x.local(s.Local), inner)
			}
			x.callsIn(s.Then, inner)
		}
		if changes(&model.Block{Stmts: []*model.Stmt{s}}) {
			known = x.lasting(known)
		}
	}
}

// record keeps what is known of the parameters of an act where it is done.
func (x *setting) record(s *model.Stmt, known []*facts) {
	names := map[id]id{}
	for i, a := range s.Args {
		if s.Act.Params[i] == nil {
			continue
		}
		p, t := x.local(s.Act.Params[i]), x.intern(a, nil, 0)
		switch y := x.terms[t]; {
		case y.op == model.OpLocal && names[t] == 0:
			names[t] = p
		case y.op == model.OpIndex, y.op == model.OpFirst, y.op == model.OpLast:
			known = x.ofElement(y.args[0], p, known)
		case y.op == model.OpFind:
			known = x.ofElement(x.filter(y), p, known)
		default:
			known = x.assume(x.equal(p, t), true, known)
		}
	}
	for _, f := range known {
		x.calls[s.Act] = append(x.calls[s.Act], x.renamed(f, names))
	}
}

// renamed are facts in which names stand for others.
func (x *setting) renamed(f *facts, names map[id]id) *facts {
	if f == nil {
		return nil
	}
	t := f.term
	for old, now := range names {
		t = x.with(t, old, now)
	}
	return x.ordinary(&facts{x.renamed(f.before, names), t, f.is})
}

// ordinary is a fact with the terms of an equation in their order.
func (x *setting) ordinary(f *facts) *facts {
	if y := x.terms[f.term]; y.op == model.OpEq && y.args[0] > y.args[1] {
		f.term = x.equal(y.args[1], y.args[0])
	}
	return f
}

// done is what is known where the statements of an act begin.
func (x *setting) done(a *model.Act) []*facts {
	known := x.calls[a]
	if len(known) == 0 || len(known) > maxCases {
		return x.open()
	}
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			if c.Kind == model.ClauseBefore && c.Act == a {
				return x.lasting(known)
			}
		}
	}
	return known
}

// called is what is known where a clause reacts to an act.
func (x *setting) called(c *model.Clause) []*facts {
	known := x.calls[c.Act]
	if len(known) == 0 || len(known) > maxCases {
		return x.open()
	}
	if c.Kind == model.ClauseOn {
		known = x.gives(c, x.after(c, x.lasting(known)))
	}
	names := map[id]id{}
	for i, p := range c.Params {
		if p != nil && i < len(c.Act.Params) && c.Act.Params[i] != nil {
			names[x.local(c.Act.Params[i])] = x.local(p)
		}
	}
	var out []*facts
	for _, f := range known {
		out = append(out, x.renamed(f, names))
	}
	return out
}

// after adds where the statements of an act have put its parameters, if nothing else that it raises moves a piece.
func (x *setting) after(c *model.Clause, known []*facts) []*facts {
	if x.moved == nil {
		x.firstMoved()
	}
	if at, ok := x.moved[c.Act]; ok && at < c.Index {
		return known
	}
	return x.afterBlock(c.Act.Block, known)
}

func (x *setting) afterBlock(b *model.Block, known []*facts) []*facts {
	if b == nil {
		return known
	}
	for _, s := range b.Stmts {
		switch s.Kind {
		case model.StmtPut:
			known = x.placed(s, known)
		case model.StmtIf:
			then, other := x.afterBlock(s.Then, known), x.afterBlock(s.Else, known)
			known = append(slices.Clip(then), other...)
			if len(known) > maxCases {
				return x.open()
			}
		case model.StmtFor:
			if !s.Once() {
				return known
			}
			known = x.afterBlock(s.Then, known)
		case model.StmtAssign, model.StmtEarn, model.StmtAgain, model.StmtGive:
		default:
			return known
		}
	}
	return known
}

// gives adds the constants that the statements of an act have given variables, if nothing assigns these again before a reaction to it.
func (x *setting) gives(c *model.Clause, known []*facts) []*facts {
	if empty(c.Act.Block) {
		return known
	}
	for i, s := range c.Act.Block.Stmts {
		if s.Kind != model.StmtAssign || s.Assign != model.AssignSet || s.Target.Var == nil || s.Target.Type.List || s.Value.Op != model.OpConst {
			continue
		}
		target := x.intern(s.Target, nil, 0)
		lasts := x.fixedAll(x.terms[target].args) && x.spares(&model.Block{Stmts: c.Act.Block.Stmts[i+1:]}, s.Target.Var)
		for _, rule := range x.r.Rules {
			for _, o := range rule.Clauses {
				if o.Kind == model.ClauseOn && o.Act == c.Act && o.Index < c.Index {
					lasts = lasts && x.spares(o.Block, s.Target.Var)
				}
			}
		}
		if lasts {
			known = x.assume(x.equal(target, x.intern(s.Value, nil, 0)), true, known)
		}
	}
	return known
}

// spares reports whether neither statements nor what they raise assign a variable.
func (x *setting) spares(b *model.Block, v *model.Var) bool {
	fine := true
	b.Walk(func(s *model.Stmt) {
		switch s.Kind {
		case model.StmtIf, model.StmtFor, model.StmtEarn, model.StmtAgain, model.StmtGive:
		case model.StmtAssign:
			fine = fine && s.Target.Var != v
		case model.StmtPut, model.StmtExchange:
			fine = fine && !x.assignsIn(v, model.EventLeave)
		default:
			fine = false
		}
	})
	return fine
}

// firstMoved finds the first reaction to each act that moves a piece, or may.
func (x *setting) firstMoved() {
	x.moved = map[*model.Act]int{}
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			if at, known := x.moved[c.Act]; c.Kind != model.ClauseOn || c.Act == nil || known && at < c.Index {
				continue
			}
			c.Block.Walk(func(s *model.Stmt) {
				switch s.Kind {
				case model.StmtPut, model.StmtExchange, model.StmtDo, model.StmtThrow, model.StmtFinish:
					x.moved[c.Act] = c.Index
				}
			})
		}
	}
}
