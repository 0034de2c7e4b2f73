package sense

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
)

// findCalls collects what is known of the parameters of acts where they are done, of those that the file has or reacts to.
func (x *setting) findCalls() {
	calls := map[*model.Act][]*facts{}
	for _, a := range x.r.Acts {
		if x.own(a.Span) {
			calls[a] = nil
		}
	}
	for c := range x.r.WithCounts() {
		if c.Act != nil && x.own(c.Span) {
			calls[c.Act] = nil
		}
	}
	if len(calls) > 0 {
		x.calls = calls
		x.collectCalls()
	}
}

// collectCalls collects what is known where the acts that are followed are done.
func (x *setting) collectCalls() {
	does := func(b *model.Block) bool {
		return seq.Any(b.All(), func(s *model.Stmt) bool { return s.Kind == model.StmtDo && x.follows(s.Act) })
	}
	acts := seq.Map(x.r.Acts, func(a *model.Act) *model.Block { return a.Block })
	for _, b := range append([]*model.Block{x.r.Setup, x.r.Turn}, acts...) {
		if does(b) {
			x.callsIn(b, x.open())
		}
	}
	for c := range x.r.Clauses() {
		if !does(c.Block) {
			continue
		}
		x.prepare(c)
		terms, known := x.formulaOf(c, nil).terms, x.open()
		if c.Act == nil { // of acts in reaction to acts nothing is known
			known = x.begin(c)
		}
		x.callsIn(c.Block, x.holding(terms, known))
	}
}

// follows reports whether it is collected where an act is done.
func (x *setting) follows(a *model.Act) bool { _, follows := x.calls[a]; return follows }

// undone reports whether in this setting nothing does an act.
func (x *setting) undone(a *model.Act) bool { return x.follows(a) && len(x.calls[a]) == 0 }

func (x *setting) callsIn(b *model.Block, known []*facts) {
	for _, s := range stmts(b) {
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
			if s.Kind == model.StmtChoose || s.Loops() && changes(s.Then) && !x.firstRound {
				inner = x.lasting(known)
			}
			x.callsIn(s.Then, x.ofName(s, inner))
		}
		if changes(one(s)) {
			known = x.lasting(known)
		}
	}
}

// ofName adds what is known of the name that a loop or a question gives elements of a list.
func (x *setting) ofName(s *model.Stmt, known []*facts) []*facts {
	if s.Local == nil || s.Value == nil || !s.Value.Type.List {
		return known
	}
	return x.ofElement(x.intern(s.Value, nil, 0), x.local(s.Local), known)
}

// record keeps what is known of the parameters of an act where it is done.
func (x *setting) record(s *model.Stmt, known []*facts) {
	names := substitution{}
	for i, a := range s.Args {
		if s.Act.Params[i] == nil {
			continue
		}
		p, t := x.local(s.Act.Params[i]), x.intern(a, nil, 0)
		y := x.terms[t]
		if l, ok := y.what.(*model.Local); ok && y.op == model.OpLocal && names[l] == 0 {
			names[l] = p
		} else if list, ok := x.taken(y); ok {
			known = x.ofElement(list, p, known)
		} else {
			known = x.assume(x.equal(p, t), true, known)
		}
	}
	for _, f := range known {
		x.calls[s.Act] = append(x.calls[s.Act], x.renamedFacts(f, names))
	}
}

// taken is the list of which a term is one element.
func (s *solver) taken(x term) (list id, ok bool) {
	switch x.op {
	case model.OpIndex, model.OpFirst, model.OpLast:
		return x.args[0], true
	case model.OpFind:
		return s.filter(x), true
	}
	return 0, false
}

// renamedFacts are facts in which names stand for others.
func (x *setting) renamedFacts(f *facts, names substitution) *facts {
	if f == nil {
		return nil
	}
	out := &facts{x.renamedFacts(f.before, names), x.renamed([]id{f.term}, names)[0], f.is}
	if y := x.terms[out.term]; y.op == model.OpEq && y.args[0] > y.args[1] {
		out.term = x.equal(y.args[1], y.args[0]) // which has its terms in their order
	}
	return out
}

// done is what is known where the statements of an act begin.
func (x *setting) done(a *model.Act) []*facts {
	known := x.calls[a]
	if len(known) == 0 || len(known) > maxCases {
		return x.open()
	}
	if seq.Any(x.r.Clauses(), func(c *model.Clause) bool { return c.Kind == model.ClauseBefore && c.Act == a }) {
		return x.lasting(known)
	}
	return known
}

// doneFirst is what is known where the statement that an act is begins in the first round of the loops around it: where that does nothing it
// never does, if nothing reacts to it.
func (x *setting) doneFirst(a *model.Act) []*facts {
	if len(a.Block.Stmts) > 1 || seq.Any(x.r.Clauses(), func(c *model.Clause) bool { return c.Act == a && raisesAny(c.Block) }) {
		return x.done(a)
	}
	calls := x.calls
	x.calls, x.firstRound = map[*model.Act][]*facts{a: nil}, true
	x.collectCalls()
	known := x.done(a)
	x.calls, x.firstRound = calls, false
	return known
}

// called is what is known where a clause reacts to an act.
func (x *setting) called(c *model.Clause) []*facts {
	known := x.calls[c.Act]
	if len(known) == 0 || len(known) > maxCases {
		return x.open()
	}
	if c.Kind == model.ClauseOn {
		moved := seq.Any(x.r.Clauses(), func(o *model.Clause) bool { return o.Act == c.Act && earlierOn(o, c) && raisesAny(o.Block) })
		if known = x.lasting(known); !moved {
			known = x.afterBlock(c.Act.Block, known)
		}
		known = x.gives(c, known)
	}
	names := x.naming(c.Act.Params, c.Params)
	return seq.Map(known, func(f *facts) *facts { return x.renamedFacts(f, names) })
}

// earlierOn reports whether a clause is a reaction before another clause.
func earlierOn(o, c *model.Clause) bool { return o.Kind == model.ClauseOn && o.Index < c.Index }

// raisesAny reports whether statements may move a piece, as they raise an event or an act.
func raisesAny(b *model.Block) bool {
	return seq.Any(b.All(), func(s *model.Stmt) bool { return s.Kind.Raises() })
}

// afterBlock adds where statements have put pieces.
func (x *setting) afterBlock(b *model.Block, known []*facts) []*facts {
	for _, s := range stmts(b) {
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
	for i, s := range stmts(c.Act.Block) {
		if !setsConstant(s) {
			continue
		}
		target, v := x.intern(s.Target, nil, 0), s.Target.Var
		again := func(o *model.Clause) bool { return o.Act == c.Act && earlierOn(o, c) && !x.spares(o.Block, v) }
		if x.fixedAll(x.terms[target].args) && x.spares(&model.Block{Stmts: c.Act.Block.Stmts[i+1:]}, v) && !seq.Any(x.r.Clauses(), again) {
			known = x.assume(x.equal(target, x.intern(s.Value, nil, 0)), true, known)
		}
	}
	return known
}

// spares reports whether neither statements nor what they raise assign a variable.
func (x *setting) spares(b *model.Block, v *model.Var) bool {
	return !seq.Any(b.All(), func(s *model.Stmt) bool {
		switch s.Kind {
		case model.StmtIf, model.StmtFor, model.StmtEarn, model.StmtAgain, model.StmtGive:
			return false
		case model.StmtAssign:
			return s.Writes(v)
		case model.StmtPut, model.StmtExchange:
			return x.assignsIn(v, model.EventLeave)
		}
		return true
	})
}

// sameTwice records that an act gets one piece, player or the like twice.
func (w *walk) sameTwice(s *model.Stmt, known []*facts) {
	why := ""
	for i, a := range s.Args {
		for _, b := range s.Args[:i] {
			if a.Type.Kind.Ref() && !a.Type.List && b.Type == a.Type && w.alike(w.intern(a, nil, 0), w.intern(b, nil, 0), known) {
				why = "the act gets one " + a.Type.Kind.String() + " twice: " + quote(words(b.Span)) + " is " + quote(words(a.Span))
			}
		}
	}
	w.warnOf("one piece", "always-same", s.Span, why)
}

// givesBack records that an act takes something from one owner and gives it to the same one here.
func (w *walk) givesBack(s *model.Stmt, known []*facts) {
	names := substitution{}
	for i, a := range s.Args {
		if p := s.Act.Params[i]; p != nil {
			names[p] = w.intern(a, nil, 0)
		}
	}
	adds := func(t *model.Stmt) bool {
		return t.Kind == model.StmtAssign && t.Assign != model.AssignSet && t.Target.Var != nil && len(t.Target.Args) == 1 && !t.Target.Type.List
	}
	why := ""
	for i, t := range stmts(s.Act.Block) {
		for _, u := range s.Act.Block.Stmts[:i] {
			if !adds(t) || !adds(u) || t.Assign == u.Assign || t.Target.Var != u.Target.Var {
				continue
			}
			by := w.intern(t.Value, names, 0)
			from, to := w.intern(u.Target.Args[0], names, 0), w.intern(t.Target.Args[0], names, 0)
			if w.fixed(by) && by == w.intern(u.Value, names, 0) && from != to && w.alike(from, to, known) {
				why = "the act gives back what it takes: " + quote(words(t.Target.Args[0].Span)) + " is " + quote(words(u.Target.Args[0].Span)) + " here"
			}
		}
	}
	w.warnOf("gives back", "no-effect", s.Span, why)
}

// doesNone says whether an act only goes through lists that are empty for its arguments, and nothing reacts to it.
func (w *walk) doesNone(s *model.Stmt, known []*facts) string {
	if len(s.Args) == 0 || empty(s.Act.Block) || seq.Any(w.r.WithCounts(), func(c *model.Clause) bool { return c.Act == s.Act }) {
		return ""
	}
	for i, a := range s.Args {
		if p := s.Act.Params[i]; p != nil && !a.Type.List {
			known = w.assume(w.equal(w.local(p), w.intern(a, nil, 0)), true, known)
		}
	}
	if slices.ContainsFunc(s.Act.Block.Stmts, func(t *model.Stmt) bool {
		return t.Kind != model.StmtFor || w.longest(w.intern(t.Value, nil, 0), known) > 0
	}) {
		return ""
	}
	return "with these values the act does nothing"
}

// ofTheOther records a variable that is called after what the first piece of an act does, as "has_hit" after "p hits q", and that a reaction to
// the act gives the side of the second.
func (x *setting) ofTheOther(c *model.Clause) {
	if c.Kind != model.ClauseOn || c.Act == nil || len(c.Params) < 2 || c.Params[0] == nil || c.Params[1] == nil || len(c.Act.Params) < 2 ||
		!strings.HasPrefix(c.Act.Words, c.Act.Params[0].Name+" ") {
		return
	}
	for s := range c.Block.All() {
		if s.Kind != model.StmtAssign || s.Target.Var == nil || len(s.Target.Args) == 0 || !x.own(s.Span) {
			continue
		}
		of, name := s.Target.Args[0], s.Target.Var.Name
		does := name == "has_"+c.Act.Name || name == c.Act.Name+"s"
		x.foundOf(does && mentions(of, c.Params[1]) && !mentions(of, c.Params[0]), "other", "misnamed", s.Target.Span,
			"%q is called after what %q does, and this is of %q", name, c.Params[0].Name, c.Params[1].Name).info = true
	}
}

// suffers finds titles that speak of the one to whom an act is done.
var suffers = pattern.Of(`(?i)^(?:who(?:ever)?|whose piece) (?:is|was|gets|has been) (?:\w+e[dn]|hit|caught)\b`)

// ofTheFirst records the one reaction of a rule to what the first piece of an act does to the second, where the title speaks of the second's
// side and nothing that is earned or counted is about it.
func (x *setting) ofTheFirst(c *model.Clause) {
	other := func(s *model.Stmt) bool {
		return s.Kind != model.StmtAssign && s.Kind != model.StmtEarn && s.Kind != model.StmtIf
	}
	if c.Kind != model.ClauseOn || c.Act == nil || c.Rule == nil || len(c.Rule.Clauses) > 1 || len(c.Params) < 2 || !x.own(c.Span) ||
		!suffers().MatchString(c.Rule.Words) || seq.Any(c.Block.All(), other) {
		return
	}
	first, done, second := c.Act.Params[0], c.Act.Params[1], c.Params[1]
	about := second != nil && (uses(c.Block, second) || mentions(c.When, second))
	named := strings.HasPrefix(c.Act.Words, first.Name+" ") && done.Type == model.Of(model.Piece)
	x.foundOf(named && !about && !empty(c.Block), "first", "misnamed", c.Span,
		"the title speaks of the side to which %q is done, and nothing here is about its piece", c.Act.Name).info = true
}

// ofTheNewOwner records a variable of the side of a piece, in a reaction to an act that has given this piece to another side.
func (x *setting) ofTheNewOwner(c *model.Clause) {
	if c.Kind != model.ClauseOn || c.Act == nil || empty(c.Act.Block) || x.r.Owner == nil {
		return
	}
	for s := range c.Block.All() {
		if s.Kind != model.StmtAssign || s.Target.Var == nil || len(s.Target.Args) == 0 || !x.own(s.Span) {
			continue
		}
		name := ""
		for i, p := range c.Params {
			gives := func(t *model.Stmt) bool { return t.Kind == model.StmtGive && isName(t.Value, c.Act.Params[i]) }
			if p != nil && i < len(c.Act.Params) && mentions(s.Target.Args[0], p) && slices.ContainsFunc(c.Act.Block.Stmts, gives) {
				name = p.Name
			}
		}
		x.foundOf(name != "", "new owner", "asked-late", s.Target.Span, "the act has given %q away by now: this is of the side that has got it", name).info = true
	}
}

// putFrom records a piece that an act, or a reaction to one, puts back to where its own move began, where it is not the first that the act
// names: it has not moved.
func (x *setting) putFrom(s *model.Stmt) {
	p, from := s.Value, s.Other
	if s.Kind != model.StmtPut || p.Op != model.OpLocal || from.Op != model.OpIf || from.Args[1].Op != model.OpVar || from.Args[1].Var != x.r.From || !x.own(s.Span) {
		return
	}
	second := func(params []*model.Local) bool { return len(params) > 1 && slices.Contains(params[1:], p.Local) }
	named := slices.ContainsFunc(x.r.Acts, func(a *model.Act) bool { return second(a.Params) }) ||
		seq.Any(x.r.Clauses(), func(c *model.Clause) bool { return c.Act != nil && second(c.Params) })
	x.foundOf(named && mentions(from.Args[0], p.Local), "from", "no-effect", s.Span, "%s stays where it is, unless it is the piece that moves: only that one comes from elsewhere", said{p}).info = true
}

// asksTheOther records an act that takes from the first of two what the second has been asked for.
func (w *walk) asksTheOther(s *model.Stmt) {
	if s.Kind != model.StmtDo || empty(s.Act.Block) || !w.own(s.Span) {
		return
	}
	changes := func(how model.AssignOp, v *model.Var) (of *model.Expr) { // whose variable the act counts
		for _, t := range s.Act.Block.Stmts {
			if t.Kind != model.StmtAssign || t.Assign != how || t.Target.Var != v || len(t.Target.Args) == 0 || t.Target.Args[0].Op != model.OpLocal {
				continue
			}
			if i := slices.Index(s.Act.Params, t.Target.Args[0].Local); i >= 0 {
				of = s.Args[i]
			}
		}
		return of
	}
	for _, c := range w.conditions {
		for _, e := range chained(model.OpAnd, c.e) {
			if !c.want || e.Op != model.OpGe && e.Op != model.OpGt || e.Args[0].Op != model.OpVar || len(e.Args[0].Args) == 0 {
				continue
			}
			v, asked := e.Args[0].Var, w.intern(e.Args[0].Args[0], nil, 0)
			from, to := changes(model.AssignSub, v), changes(model.AssignAdd, v)
			why := ""
			if from != nil && to != nil && w.intern(from, nil, 0) != asked && w.intern(to, nil, 0) == asked {
				why = "what is asked before is " + words(e.Args[0].Span) + ", and this takes it from " + words(from.Span)
			}
			w.warnOf("asks "+e.Span.Text(), "misnamed", s.Span, why).info = true
		}
	}
}
