package sense

import (
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// open is the set of facts that says nothing.
func (x *setting) open() []*facts { return []*facts{nil} }

// look analyses the comparisons and divisions of an expression, given the facts known there.
func (x *setting) look(e *model.Expr, depth int, known []*facts) {
	if e == nil || len(known) == 0 {
		return
	}
	inner := depth
	switch e.Op {
	case model.OpNot: // not in stands at the place of its in
		if a := e.Args[0]; a.Op == model.OpIn && a.Span == e.Span {
			x.comparison(a, true, depth, known)
			x.listed(a, depth, known)
			x.look(a.Args[0], depth, known)
			x.look(a.Args[1], depth, known)
			return
		}
	case model.OpAnd, model.OpOr:
		x.thrownTogether(e)
		x.repeats(e, depth, known)
		x.look(e.Args[0], depth, known)
		known = x.assume(x.intern(e.Args[0], nil, depth), e.Op == model.OpAnd, known)
		x.second(e, depth, known)
		x.look(e.Args[1], depth, known)
		return
	case model.OpIf:
		if y := e.Args[1]; y.Op == model.OpVar && y.Var == x.r.From { // .from: what decides is not written
			x.look(e.Args[2], depth, known)
			return
		}
		x.sameWays(e, e.Args[1], e.Args[2], depth)
		x.exchangedWays(e)
		x.otherwiseTheSame(e)
		x.look(e.Args[0], depth, known)
		c := x.intern(e.Args[0], nil, depth)
		x.sameAnyway(e, c, depth, known)
		x.ways++
		x.look(e.Args[1], depth, x.assume(c, true, known))
		x.look(e.Args[2], depth, x.assume(c, false, known))
		x.ways--
		return
	case model.OpEq, model.OpNe, model.OpLt, model.OpLe, model.OpGt, model.OpGe, model.OpIn:
		x.thrownTogether(e)
		x.comparison(e, false, depth, known)
		x.listed(e, depth, known)
		x.oneTooFar(e)
	case model.OpAdd:
		x.dieTwice(e)
	case model.OpCoalesce:
		x.sameWays(e, e.Args[0], e.Args[1], depth)
	case model.OpVar:
		if e.Type == model.Of(model.Flag) && x.own(e.Span) && !x.constantVariable(e) {
			x.outcome(e, false, depth, known)
		}
	case model.OpMin, model.OpMax:
		x.extremeOf(e, depth, known)
	case model.OpDiv, model.OpMod:
		x.division(e, depth, known)
	case model.OpIndex:
		x.index(e, depth, known)
	case model.OpCount, model.OpSum:
		x.alwaysNone(e, depth, known)
	case model.OpField, model.OpTag, model.OpFamily, model.OpAttr, model.OpMark:
		x.alwaysNil(e.Args[0], depth, known)
		x.alwaysNone(e, depth, known)
		x.askedAlready(e, depth, known)
		x.ofOnePiece(e)
	case model.OpCall:
		x.noteLet(e.Let)
	}
	x.ofOne(e)
	if e.OverElements() {
		inner++
		x.ofNone(e, depth, known)
		x.ofAny(e)
		x.findsItself(e)
		x.ofAllAtOnce(e)
	}
	for i, a := range e.Args {
		at := depth
		if i > 0 {
			at = inner
			if list := e.Args[0]; inner > depth && list.Type.List {
				l := x.intern(list, nil, depth)
				known = x.ofElement(l, x.elem(l, inner), known)
			}
		}
		x.look(a, at, known)
	}
}

// thrownTogether records a condition that no throw of several dice meets.
func (x *setting) thrownTogether(e *model.Expr) {
	if x.own(e.Span) && e.Op != model.OpOr {
		x.foundOf(x.noThrow(e), "dice", "always-same", e.Span, "no throw of these dice makes this true")
	}
}

// second records a condition in the second side of && or || that is never true where it is asked. What the squares of the board
// make so is no mistake: the rules may be meant for other boards too.
func (x *setting) second(e *model.Expr, depth int, known []*facts) {
	if len(known) == 0 || asksBoard(e.Args[0]) {
		return
	}
	for _, b := range chained(model.OpAnd, e.Args[1]) {
		if !x.own(b.Span) || b.Op == model.OpConst || x.lives("side", b.Span) || asksBoard(b) {
			continue
		}
		t := x.intern(b, nil, depth)
		x.foundOf(x.terms[t].op != model.OpConst && len(x.assume(t, true, known)) == 0, "side", "always-same", b.Span, "%s is never true here", said{b})
	}
}

// asksBoard reports whether an expression asks what the squares of the board are.
func asksBoard(e *model.Expr) bool {
	return e.Has(func(a *model.Expr) bool {
		return a.Op == model.OpTag || a.Op == model.OpFamily || a.Op == model.OpAttr || a.Op == model.OpMark
	})
}

// repeats records the conditions in a chain of && or || that are asked a second time, and in a chain of || the second of two that
// are opposites.
func (x *setting) repeats(e *model.Expr, depth int, known []*facts) {
	if !x.own(e.Span) {
		return
	}
	chain := chained(e.Op, e)
	x.tooLate(chain, e.Op == model.OpAnd, depth)
	if e.Op == model.OpAnd {
		x.implied(chain, depth)
	} else {
		x.contained(chain, depth)
	}
	last := chain[len(chain)-1]
	t := x.intern(last, nil, depth)
	not := x.flag(model.OpNot, t)
	if y := x.terms[t]; y.op == model.OpNot {
		not = y.args[0]
	}
	again, opposite, contrary := false, false, false
	for _, a := range chain[:len(chain)-1] {
		if a.Op == model.OpConst {
			continue
		}
		u := x.intern(a, nil, depth)
		same := u == t || e.Op == model.OpAnd && last.Op == model.OpNe && a.Op == model.OpNe && x.entails(u, t)
		differ := min(a.Op, last.Op) == model.OpEq && max(a.Op, last.Op) == model.OpNe && x.intern(a.Args[0], nil, depth) == x.intern(last.Args[0], nil, depth) &&
			x.intern(a.Args[1], nil, depth) == x.intern(last.Args[1], nil, depth)
		contrary = contrary || e.Op == model.OpAnd && (u == not || differ)
		again, opposite = again || same, opposite || e.Op == model.OpOr && (u == not || x.oneHolds(u, t))
	}
	if last.Op != model.OpConst && len(known) > 0 {
		always := opposite || again && e.Op == model.OpAnd
		x.found(always || again || contrary, "always-same", last.Span, "%s is %s true here", said{last}, ever(always))
	}
}

// entails reports whether a condition holds wherever another one does, and not everywhere.
func (x *setting) entails(a, b id) bool {
	return len(x.assume(b, false, x.open())) > 0 && len(x.assume(b, false, x.assume(a, true, x.open()))) == 0
}

// oneHolds reports whether one of two conditions holds wherever the other does not, though neither holds everywhere.
func (x *setting) oneHolds(a, b id) bool {
	not := x.assume(a, false, x.open())
	return len(not) > 0 && len(x.assume(b, false, x.open())) > 0 && len(x.assume(b, false, not)) == 0
}

// implied records a condition that holds wherever the last one of a chain of && does, unless the last can only be asked where it holds.
func (x *setting) implied(chain []*model.Expr, depth int) {
	last := chain[len(chain)-1]
	u := x.intern(last, nil, depth)
	if last.Op == model.OpConst || asksBoard(last) || len(x.assume(u, true, x.open())) == 0 {
		return
	}
	for _, a := range chain[:len(chain)-1] {
		part := last.Span.Start <= a.Span.Start && a.Span.End <= last.Span.End // a guard that is not written
		if part || a.Op == model.OpConst || asksBoard(a) {
			continue
		}
		t := x.intern(a, nil, depth)
		x.foundOf(u != t && x.entails(u, t), "implied", "always-same", a.Span, "%s holds wherever %s does", said{a}, said{last})
	}
}

// contained records a condition in a chain of || that holds only where another one of the chain does.
func (x *setting) contained(chain []*model.Expr, depth int) {
	for i, a := range chain {
		t, why := x.intern(a, nil, depth), ""
		for j, b := range chain {
			if u := x.intern(b, nil, depth); i != j && u != t && x.possible(t) && x.entails(t, u) && !(j > i && x.entails(u, t)) {
				why = quote(words(a.Span)) + " holds only where " + quote(words(b.Span)) + " does: it adds nothing"
			}
		}
		x.warnOf("contained", "always-same", a.Span, why)
	}
}

// comparison records the possible results of a comparison with a constant, of a variable with a die, or of a thing with itself, and of any
// comparison in one of two ways, which the condition before may decide. not is whether the opposite of it stands there.
func (x *setting) comparison(e *model.Expr, not bool, depth int, known []*facts) {
	fixed := func(a *model.Expr) bool {
		return a.Op == model.OpConst || a.Op == model.OpList || a.Op == model.OpRange
	}
	if !x.own(e.Span) || slices.ContainsFunc(e.Args, x.constantVariable) || slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return x.lacks(a, depth) }) {
		return
	}
	a, b := x.intern(e.Args[0], nil, depth), x.intern(e.Args[1], nil, depth)
	if x.ways == 0 && a != b && !asksVariable(e) && !slices.ContainsFunc(e.Args, fixed) && !x.solver.follows(a, b) && !x.solver.follows(b, a) {
		return
	}
	x.outcome(e, not, depth, known)
}

// outcome records the possible results of a condition.
func (x *setting) outcome(e *model.Expr, not bool, depth int, known []*facts) {
	f := entry(x.Study.flags, e.Span)
	if f.yes && f.no {
		return
	}
	t := x.intern(e, nil, depth)
	f.yes = f.yes || len(x.assume(t, !not, known)) > 0
	f.no = f.no || len(x.assume(t, not, known)) > 0
	if len(x.assume(t, true, x.open())) > 0 && len(x.assume(t, false, x.open())) > 0 {
		f.here = true // the facts known here decide, not the operands alone
	} else {
		f.why = f.why.join(reason{bounds: x.bounds(e, t)})
	}
}

// lacks reports whether a value is an element that its list never has, which is a finding of its own.
func (x *setting) lacks(e *model.Expr, depth int) bool {
	if e.Op != model.OpIndex {
		return false
	}
	_, high := x.length(x.intern(e.Args[0], nil, depth), nil)
	return x.domain(x.intern(e.Args[1], nil, depth), nil).lo >= high
}

// constantVariable reports whether a value is a variable that is never assigned, which is a finding of its own.
func (x *setting) constantVariable(e *model.Expr) bool {
	if e.Op != model.OpVar || x.r.Own(e.Var) {
		return false
	}
	_, one := x.vars[e.Var].single()
	return one
}

// division records a divisor that can be zero.
func (x *setting) division(e *model.Expr, depth int, known []*facts) {
	if !plainNumber(e.Args[1]) {
		return
	}
	by, text := x.intern(e.Args[1], nil, depth), words(e.Args[1].Span)
	if slices.ContainsFunc(known, func(f *facts) bool { return x.domain(by, f).has(0) }) {
		x.harm("may-divide-by-zero", e.Args[1].Span, quote(text)+" can be 0, and nothing divides by 0", "ask first: "+text+" != 0 ? … : …")
	}
}

// alwaysNone records a count of 0, or the index of a piece that stands off its track, wherever what is known decides it.
func (x *setting) alwaysNone(e *model.Expr, depth int, known []*facts) {
	if !x.own(e.Span) || depth > 0 || x.lives("none", e.Span) || e.Type != model.Of(model.Number) || e.Op == model.OpField && e.Field != model.FieldIndex {
		return
	}
	t, none := x.intern(e, nil, depth), -flagNumber(e.Op == model.OpField)
	differs := func(f *facts) bool { return !x.domain(t, f).equal(only(none)) }
	x.foundOf(differs(nil) && !slices.ContainsFunc(known, differs), "none", "always-same", e.Span, "%s is always %d here", said{e}, none)
}

// plainNumber reports whether an expression consists of dice, variables and numbers, whose values are all known.
func plainNumber(e *model.Expr) bool {
	switch e.Op {
	case model.OpConst, model.OpDie, model.OpVar:
		return true
	case model.OpAdd, model.OpSub, model.OpMul, model.OpNeg, model.OpAbs:
		return !slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return !plainNumber(a) })
	}
	return false
}

// bodies analyses the bodies of the lets used so far.
func (x *setting) bodies() {
	x.thrown(false)
	x.setPhase(anyTime)
	x.setSteps(span(least, greatest))
	if x.r.Lead != nil {
		x.noteLet(x.r.Lead)
	}
	for i := 0; i < len(x.lets); i++ {
		let := x.lets[i]
		if !x.own(let.Span) {
			x.noteLets(let.Body)
			continue
		}
		x.parameters(let)
		x.look(let.Body, 0, x.open())
		if let.Body.Op == model.OpAnd {
			byOption := slices.ContainsFunc(chained(model.OpAnd, let.Body), func(e *model.Expr) bool { return e.Op == model.OpConst }) // otherwise in another setting
			x.foundOf(!byOption && !x.possible(x.intern(let.Body, nil, 0)), "elements", "always-same", let.Body.Span, "%q is never true", let.Name)
		}
	}
}

// walk analyses the statements of a block in order.
type walk struct {
	*setting
	conditions []condition    // path conditions of the statements
	event      bool           // an event other than a throw leads to them
	handed     bool           // a piece may be in the hand
	over       bool           // the turn is over
	clause     *model.Clause  // the reaction whose block it is
	picked     []*model.Local // names of which the throw and the players' answers give the value
	loops      []*model.Stmt  // the loops they stand in
	resets     []reset        // assignments before
}

// condition is the condition of an if or of a clause.
type condition struct {
	e    *model.Expr
	want bool
}

// statements analyses the statements of the turn, the acts and the reactions.
func (x *setting) statements() {
	x.findStops()
	x.throwsHad(nil)
	x.thrown(false)
	x.setSteps(span(least, greatest))
	x.setPhase(anyTime)
	x.setUp()
	for _, b := range []*model.Block{x.r.Setup, x.r.Turn} {
		if b != nil && x.concerns(b) {
			w := &walk{setting: x}
			w.block(b, x.open())
		}
	}
	x.throwsHad(nil)
	x.thrown(false)
	handed := seq.Flat([]model.EventKind{model.EventLeave, model.EventStep, model.EventPass, model.EventTurned}, x.raised)
	for _, a := range x.r.Acts {
		if a.Block != nil && x.concerns(a.Block) && !x.undone(a) {
			w := &walk{setting: x, event: true, handed: slices.Contains(handed, a.Block)}
			w.block(a.Block, x.open())
			w.first(a)
		}
	}
	for c := range x.r.Clauses() {
		if c.Block == nil || !x.own(c.Span) && !x.concerns(c.Block) || x.undone(c.Act) {
			continue
		}
		x.prepare(c)
		known := x.holding(x.formulaOf(c, nil).terms, x.begin(c))
		over := c.Event == model.EventTurnEnds || c.Event == model.EventGameEnds
		w := &walk{setting: x, clause: c, handed: slices.Contains(handed, c.Block), over: over, resets: x.resetsOf(c)}
		w.event = !over && c.Event != model.EventThrow && c.Event != model.EventTurnBegins
		if c.When != nil {
			w.conditions = append(w.conditions, condition{c.When, true})
		}
		if x.own(c.Span) {
			w.earning(c)
		}
		w.block(c.Block, known)
	}
}

// first records the first statement of an act if it puts a piece where it stands wherever the act is done; it may be all that a loop or an if
// does.
func (w *walk) first(a *model.Act) {
	if !w.own(a.Span) || empty(a.Block) {
		return
	}
	b, known := a.Block, w.doneFirst(a)
	w.assignedFirst(b, known)
	for !empty(b) {
		s := b.Stmts[0]
		if movesPiece(s) {
			w.warnOf("act", "no-effect", s.Span, w.idleBecause(s, known))
			return
		}
		if b = s.Then; b == nil || len(b.Stmts) > 1 {
			return
		}
		switch {
		case s.Kind == model.StmtIf && empty(s.Else):
			known = w.assume(w.intern(s.Value, nil, 0), true, known)
		case s.Kind == model.StmtFor && s.Loops():
			known = w.ofName(s, known)
		default:
			return
		}
	}
}

// assignedFirst records assignments among the first of an act that give a variable the value it has wherever the act is done.
func (w *walk) assignedFirst(b *model.Block, known []*facts) {
	for i, s := range b.Stmts {
		if s.Kind != model.StmtAssign {
			return
		}
		anew := slices.ContainsFunc(b.Stmts[:i], func(o *model.Stmt) bool { return looksAt(s.Target, o.Target.Var) || looksAt(s.Value, o.Target.Var) })
		same := s.Assign == model.AssignSet && !s.Target.Type.List && w.alike(w.intern(s.Target, nil, 0), w.intern(s.Value, nil, 0), known)
		w.foundOf(same && !anew, "act", "no-effect", s.Span, "wherever the act is done it has this value already")
	}
}

// concerns reports whether a statement of the file is in a block. The lets that a block of another file uses are noted for later.
func (x *setting) concerns(b *model.Block) bool {
	own := seq.Any(b.All(), func(s *model.Stmt) bool { return x.own(s.Span) })
	if !own {
		x.noteLets(slices.Collect(b.Reads())...)
	}
	return own
}

// noteLets notes the lets that expressions of another file use, to look at them later.
func (x *setting) noteLets(all ...*model.Expr) {
	for _, e := range all {
		for a := range e.All() {
			if a.Op == model.OpCall {
				x.noteLet(a.Let)
			}
		}
	}
}

func (x *setting) noteLet(l *model.Let) {
	if !slices.Contains(x.lets, l) {
		x.lets = append(x.lets, l)
	}
}

// block analyses statements, given the facts before the first, and returns those after the last.
func (w *walk) block(b *model.Block, known []*facts) []*facts {
	again := false
	for i, s := range stmts(b) {
		if all, ofTurn := w.rolled[s]; ofTurn {
			w.thrown(all)
		}
		if i > 0 {
			w.undone(b.Stmts[i-1], s, known)
			w.thrownOver(b.Stmts[i-1], s)
			w.endsAfter(b.Stmts[i-1], s)
			w.sameAsLast(b.Stmts[i-1], s)
		}
		for _, e := range s.Reads() {
			w.look(e, 0, known)
			w.readsReset(e, known)
			w.seats(e, nil, 0, known, false)
		}
		w.statement(s, known)
		var done []*facts // after an if that always goes one way
		switch s.Kind {
		case model.StmtIf:
			c := w.intern(s.Value, nil, 0)
			then, otherwise := w.branch(s.Then, s.Value, true, c, known), w.branch(s.Else, s.Value, false, c, known)
			if len(w.assume(c, false, known)) == 0 {
				done = then
			} else if len(w.assume(c, true, known)) == 0 {
				done = otherwise
			}
		case model.StmtFor:
			inner := w.ofName(s, known)
			if !s.Loops() || !changes(s.Then) || w.idle(s.Then, inner) { // what does nothing in the first round never does
			} else if now, quiet := w.passes(s.Then, inner); quiet {
				inner = now
			} else {
				inner = w.kept(inner, func(t id) bool { return w.fixed(t) || w.outForGood(t, inner) })
			}
			w.sameRounds(s)
			w.allButOne(s)
			w.meForEach(s)
			w.pastEnd(s, inner)
			w.everyRound(s, inner)
			w.within(s, inner)
		case model.StmtChoose:
			chosen := w.ofName(s, w.lasting(known))
			if s.Value != nil && w.longest(w.intern(s.Value, nil, 0), known) == 0 {
				chosen = nil // the rest of the block is left out
			}
			w.within(s, chosen)
		case model.StmtAgain:
			w.again(s, len(known) > 0)
			why := ""
			switch {
			case again:
				why = "said twice it is still one go"
			case w.over:
				why = "the turn is over already"
			case w.clause != nil && w.clause.Event == model.EventTurnBegins && w.clause.Kind == model.ClauseOn:
				why = "the first go has not begun yet"
			case slices.ContainsFunc(b.Stmts, ends):
				why = "the turn ends here, and there is no other go"
			}
			w.warn("no-effect", s.Span, why)
			again = true
		}
		if s.Kind == model.StmtThrow && b == w.r.Turn && w.r.Throws != nil {
			w.vars[w.r.Throws] = span(1, w.most(w.r.Throws))
			w.recall()
		}
		switch {
		case done != nil:
			known = done
		case s.Kind == model.StmtAssign:
			known = w.afterwards(s, known)
			w.reset(s)
		case s.Kind == model.StmtThrow && !w.reactsToThrow(s.Dice):
			known = w.kept(known, func(t id) bool {
				return !slices.ContainsFunc(s.Dice, func(d *model.Die) bool { return w.hangsOn(t, d) }) && !w.hangsOn(t, w.r.Throws)
			})
		case changes(one(s)):
			now, quiet := w.passes(one(s), known)
			if !quiet {
				now = w.placed(s, w.lasting(known))
			}
			known = now
		}
		if s.Kind == model.StmtThrow {
			for _, d := range s.Dice {
				if d.Kind != model.DieChoice { // it shows one of its faces now
					known = w.at(w.ofDie(d), listed(seq.Map(d.Faces, func(f model.Face) int { return f.Value })...), known)
				}
			}
		}
		if s.Kind == model.StmtFinish && s.Value != nil && s.Value.Type == model.Of(model.Player) && (s.Ending == model.EndRank || s.Ending == model.EndDrop) {
			known = w.assume(w.field(w.intern(s.Value, nil, 0), model.FieldPlaying), false, known)
		}
	}
	return known
}

// idle reports whether a statement that stands alone in a block, or alone under an if, does nothing where something is known.
func (w *walk) idle(b *model.Block, known []*facts) bool {
	if empty(b) || len(b.Stmts) > 1 {
		return empty(b)
	}
	s := b.Stmts[0]
	if s.Kind == model.StmtIf {
		c := w.intern(s.Value, nil, 0)
		return w.idle(s.Then, w.assume(c, true, known)) && w.idle(s.Else, w.assume(c, false, known))
	}
	return w.idleBecause(s, known) != ""
}

// within analyses what a loop or a question contains.
func (w *walk) within(s *model.Stmt, known []*facts) {
	inner := *w
	inner.conditions = slices.Clone(w.conditions)
	if s.Local != nil && s.Local.Type.Kind <= model.Flag {
		if _, _, ok := w.diceOnly(s.Value); ok {
			inner.picked = append(slices.Clip(w.picked), s.Local)
		}
	}
	if s.Loops() && s.Local != nil {
		inner.loops = append(slices.Clip(w.loops), s)
	}
	inner.block(s.Then, known)
}

// branch analyses one branch of an if, and returns the facts after it.
func (w *walk) branch(b *model.Block, cond *model.Expr, want bool, c id, known []*facts) []*facts {
	now := w.assume(c, want, known)
	if empty(b) || len(known) == 0 {
		return now
	}
	if at := b.Stmts[0].Span; w.own(at) {
		f := entry(w.paths, at)
		f.at = cond.Span
		switch {
		case len(now) > 0:
			f.reached = true
		case want && !w.possible(c):
			f.why = f.why.join(w.neverTrue(part{e: cond, term: c, text: words(cond.Span)}))
		default:
			f.why = f.why.join(reason{text: fmt.Sprintf("%s is %s true here", said{cond}, ever(!want))})
		}
	}
	inner := *w
	inner.conditions = append(slices.Clone(w.conditions), condition{cond, want})
	return inner.block(b, now)
}

// ends reports whether a statement ends the turn.
func ends(s *model.Stmt) bool {
	return finishesTurn(s) || isFinish(s) && (s.Ending != model.EndRank && s.Ending != model.EndDrop || s.Value.Op == model.OpCell && s.Value.Cell == model.CellMe)
}
