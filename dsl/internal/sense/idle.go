package sense

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// idleFact is the result for a statement or a reaction that may have no effect.
type idleFact struct {
	code string
	why  string
	note source.Span // where the same is done, if it is
	live bool        // it has an effect in some setting
	info bool        // it may be meant: a note, no warning
	ever bool        // it is one only if it is there in every setting
	seen int         // the settings in which it is there
}

// idle says what is idle: the place, and what it is looked at for.
type idle struct {
	at   source.Span
	what string
}

// warn records whether what stands at a place has an effect in this setting: it has where why is "". warnOf does so where it is looked at for
// several things: what is this one.
func (s *Study) warn(code string, at source.Span, why string) *idleFact {
	return s.warnOf(code, code, at, why)
}

// found and foundOf are warn and warnOf for what has one reason: is says whether it holds. The words are made only where it does.
func (s *Study) found(is bool, code string, at source.Span, format string, args ...any) {
	s.foundOf(is, code, code, at, format, args...)
}

func (s *Study) foundOf(is bool, what, code string, at source.Span, format string, args ...any) *idleFact {
	why := ""
	if is {
		why = fmt.Sprintf(format, args...)
	}
	return s.warnOf(what, code, at, why)
}

// said is the text of an expression, in quotes.
type said struct{ *model.Expr }

func (e said) String() string { return quote(words(e.Span)) }

// entry is what a map has for a key, a new one if it has none.
func entry[K comparable, V any](m map[K]*V, k K) *V {
	v := m[k]
	if v == nil {
		v = new(V)
		m[k] = v
	}
	return v
}

// noted notes where the same is done, where nothing is noted yet.
func (f *idleFact) noted(at source.Span) *idleFact {
	if f.note.IsZero() {
		f.note = at
	}
	return f
}

func (s *Study) warnOf(what, code string, at source.Span, why string) *idleFact {
	if !s.own(at) {
		return &idleFact{}
	}
	f := entry(s.idles, idle{at, what})
	f.live = f.live || why == ""
	f.seen++
	if f.why == "" {
		f.code, f.why = code, why
	}
	return f
}

// lives reports whether what stands at a place is known to have an effect: no further setting can change that.
func (s *Study) lives(what string, at source.Span) bool {
	f := s.idles[idle{at, what}]
	return f != nil && f.live
}

// statement records whether a statement has an effect, given what is known before it.
func (w *walk) statement(s *model.Stmt, known []*facts) {
	if !w.own(s.Span) || len(known) == 0 || s.Kind == model.StmtAgain {
		return
	}
	w.slips(s, known)
	if s.Kind == model.StmtFor && s.Local != nil && s.Local.Name != "_" && (s.Once() || !empty(s.Then)) {
		instead := ""
		if !s.Once() {
			instead = ": _ stands for a name that is not used"
		}
		w.found(!uses(s.Then, s.Local), "unused", s.Local.Span, "nothing looks at %q%s", s.Local.Name, instead)
	}
	if s.Kind == model.StmtChoose {
		if s.Other != nil && len(w.conditions) == 0 { // what decides may leave it out where it is nil
			w.alwaysNil(s.Other, 0, known)
		}
		w.answersForAll(s)
		w.saysWhose(s, known)
		if s.Value != nil && !w.lives("choice", s.Span) {
			w.warnOf("choice", "no-effect", s.Span, w.noChoice(s, known))
		}
		if s.Local != nil && (!s.None || s.Value != nil && s.Value.Type.List) {
			w.found(!uses(s.Then, s.Local), "unused", s.Span, "nothing looks at what is chosen")
		}
		return
	}
	if s.Kind == model.StmtPlay {
		w.sameNumbers(s)
		for _, e := range append([]*model.Expr{s.Value}, s.Args...) {
			w.uncounted(e)
		}
	}
	switch {
	case s.Kind == model.StmtEarn && !s.Later() && len(w.may) > 0 && seq.Any(w.r.Stmts(), playsEarned):
		offered := w.offersFor(w.domain(w.intern(s.Value, nil, 0), nil), model.CellEarned)
		w.foundOf(!offered, "counted", "no-move", s.Value.Span, "no rule offers a move that counts what is earned")
	case s.Kind == model.StmtEarn && s.Later():
		w.alwaysNil(s.Other, 0, known)
	case s.Kind == model.StmtAssign && len(s.Target.Args) > 0: // whose variable it is
		w.alwaysNil(s.Target.Args[0], 0, known)
	case s.Kind == model.StmtPut, s.Kind == model.StmtExchange:
		w.putFrom(s)
		w.alwaysNil(s.Value, 0, known)
		w.alwaysNil(s.Other, 0, known)
	case s.Kind == model.StmtDo:
		w.asksTheOther(s)
		for i, a := range s.Args {
			if p := s.Act.Params[i]; p != nil && p.Type == model.Of(model.Player) && readsOf(s.Act.Block, p) {
				w.alwaysNil(a, 0, known)
			}
		}
	}
	if !w.lives("no-effect", s.Span) {
		w.warn("no-effect", s.Span, w.idleBecause(s, known))
	}
}

// readsOf reports whether statements read a field of what a name stands for, without asking whether it is nil.
func readsOf(b *model.Block, l *model.Local) bool {
	is := func(e *model.Expr) bool { return isName(e, l) }
	of := false
	for s := range b.All() {
		of = of || s.Target != nil && slices.ContainsFunc(s.Target.Args, is) // whose variable it is
		for _, e := range s.Reads() {
			for a := range e.All() {
				if (a.Op == model.OpEq || a.Op == model.OpNe || a.Op == model.OpCoalesce) && slices.ContainsFunc(a.Args, is) {
					return false
				}
				of = of || a.Op != model.OpCall && len(a.Args) > 0 && is(a.Args[0])
			}
		}
	}
	return of
}

// noChoice says why a question leaves nothing to choose, "" if it may.
func (w *walk) noChoice(s *model.Stmt, known []*facts) string {
	switch most := w.longest(w.intern(s.Value, nil, 0), known); {
	case most == 0:
		return "there is nothing to choose from"
	case most == 1 && !s.None:
		return "there is never more than one to choose from here"
	}
	return ""
}

// idleBecause says why a statement has no effect, "" if it may have one.
func (w *walk) idleBecause(s *model.Stmt, known []*facts) string {
	switch s.Kind {
	case model.StmtIf:
		switch {
		case empty(s.Then) && empty(s.Else):
			return "nothing is done either way"
		case s.Else != nil && empty(s.Else):
			return "its else does nothing"
		case empty(s.Then):
			return "where the condition holds nothing is done: ask for the opposite, and leave the else out"
		case s.Else != nil && s.Value.Op != model.OpConst && model.Alike(s.Then, s.Else):
			return "both ways do the same"
		}
	case model.StmtFor:
		if empty(s.Then) && s.Loops() {
			return "nothing is done for any of them"
		}
		if w.longest(w.intern(s.Value, nil, 0), known) == 0 {
			return "there is nothing to go through"
		}
		if s.Value.Op == model.OpRange && len(known) > 0 {
			low, high := w.intern(s.Value.Args[0], nil, 0), w.intern(s.Value.Args[1], nil, 0)
			upwards := func(f *facts) bool {
				from := w.domain(low, f)
				return from.size() == 1 || from.lo < w.domain(high, f).hi
			}
			switch to := w.domain(high, known[0]); {
			case !slices.ContainsFunc(known, upwards):
				return "a range goes upwards: this has no number, or only " + strconv.Itoa(to.hi)
			case s.Value.Args[1].Op == model.OpConst && to.hi <= 1 && w.domain(low, nil).hi > to.hi+1:
				return "a range goes upwards: this has a number only up to " + strconv.Itoa(to.hi)
			}
		}
	case model.StmtAssign:
		w.overflows(s, known)
		w.wrongBound(s)
		switch {
		case s.Assign != model.AssignSet && !s.Target.Type.List && w.always(w.intern(s.Value, nil, 0), 0, known):
			return "it adds nothing"
		case s.Assign == model.AssignSet && w.alike(w.intern(s.Target, nil, 0), w.intern(s.Value, nil, 0), known) && !s.Target.Type.List:
			return "it has this value already"
		}
		if why := cmp.Or(w.startsAnew(s.Target.Var), w.setsNothing(s, known)); why != "" {
			return why
		}
		if w.misfits(s, known) {
			return "no value of this fits: " + quote(s.Target.Var.Name) + " takes " + span(s.Target.Var.Low, s.Target.Var.High).words()
		}
	case model.StmtPut:
		at := w.standsOn(w.intern(s.Value, nil, 0))
		if w.alike(at, w.intern(s.Other, nil, 0), known) && !w.handed {
			return "the piece stands there already"
		}
	case model.StmtExchange:
		a, b := w.intern(s.Value, nil, 0), w.intern(s.Other, nil, 0)
		known = w.asElement(b, w.asElement(a, known))
		if w.alike(a, b, known) {
			return "it is the same piece twice"
		}
		if !w.handed && w.alike(w.standsOn(a), w.standsOn(b), known) {
			return "both pieces stand on the same place"
		}
	case model.StmtEarn:
		switch {
		case w.always(w.intern(s.Value, nil, 0), 0, known) && !slices.ContainsFunc(w.may, w.countsNothing):
			if !s.Value.IsConst(0) {
				return quote(words(s.Value.Span)) + " is 0 here, and no move counts 0"
			}
			return "no move counts 0"
		case s.Value.Op == model.OpConst && w.tooFar(s.Value.Int) != "":
			return w.tooFar(s.Value.Int)
		case w.over && !s.Later():
			return "the turn is over, and what it has earned is lost"
		case s.Other != nil && s.Other.Type.Kind == model.Piece && w.movesNot(s.Other, known):
			return "no move of this turn moves that piece"
		case s.Other != nil && s.Other.Type.Kind == model.Piece && w.standsStill(w.intern(s.Other, nil, 0), known):
			return "no move moves that piece from where it stands"
		}
	case model.StmtPlay:
		lists := append([]*model.Expr{s.Value}, s.Args...)
		if !slices.ContainsFunc(lists, func(e *model.Expr) bool { return e == nil || !e.Type.List || w.longest(w.intern(e, nil, 0), known) > 0 }) {
			return "there is nothing to play"
		}
	case model.StmtDo:
		w.sameTwice(s, known)
		w.givesBack(s, known)
		return w.doesNone(s, known)
	case model.StmtFinish:
		if s.Value != nil && s.Value.Type == model.Of(model.Player) && (s.Ending == model.EndRank || s.Ending == model.EndDrop) {
			playing := w.field(w.intern(s.Value, nil, 0), model.FieldPlaying)
			if len(known) > 0 && len(w.assume(playing, true, known)) == 0 {
				return quote(words(s.Value.Span)) + " is out of the game already, or has a place"
			}
		}
	case model.StmtGive:
		own := w.add(term{op: model.OpVar, what: w.r.Owner, typ: model.Of(model.Colour)}, w.intern(s.Value, nil, 0))
		if own == w.intern(s.Other, nil, 0) {
			return "the piece is of that colour already"
		}
	}
	return ""
}

// movesNot reports whether a piece is known not to be one of those that moves move.
func (w *walk) movesNot(piece *model.Expr, known []*facts) bool {
	set := w.movable()
	if set == nil || w.terms[w.intern(set, nil, 0)].op != model.OpMine || w.r.TurnsByColour || w.reactsToStuck() {
		return false
	}
	return len(w.ofElement(w.intern(set, nil, 0), w.intern(piece, nil, 0), known)) == 0
}

// countsNothing reports whether a may clause may offer a move that counts 0.
func (w *walk) countsNothing(f *formula) bool {
	steps := w.ofCell(model.Number, model.CellSteps)
	return f.x.Move.Kind != model.MoveWalk && w.possibleAfter(w.assume(w.equal(steps, w.number(0)), true, w.open()), f.terms...)
}

// standsOn is the place where a piece stands: of one of those on a place, this.
func (x *setting) standsOn(piece id) id {
	switch y := x.terms[piece]; y.op {
	case model.OpFirst, model.OpLast, model.OpFind, model.OpIndex:
		list := x.terms[y.args[0]]
		for list.op == model.OpFilter || list.op == model.OpSortBy {
			list = x.terms[list.args[0]]
		}
		if list.op == model.OpSet && list.set == model.SetPiecesOf && x.terms[list.args[0]].typ.Kind == model.Place {
			return list.args[0]
		}
	}
	return x.field(piece, model.FieldAt)
}

// always reports whether a value is the same in all that is known.
func (x *setting) always(t id, n int, known []*facts) bool {
	return !slices.ContainsFunc(known, func(f *facts) bool { return !x.domain(t, f).equal(only(n)) })
}

// alike reports whether two values are known to be the same.
func (x *setting) alike(a, b id, known []*facts) bool {
	a, b = x.picks(a, known), x.picks(b, known)
	return a == b || len(known) > 0 && len(x.assume(x.equal(a, b), false, known)) == 0
}

// asElement adds what holds of an element of a list as all of these have it, where there is one.
func (x *setting) asElement(t id, known []*facts) (out []*facts) {
	for _, f := range known {
		cases := []*facts{f}
		for _, u := range x.equals(nil, t, f) {
			if y := x.terms[u]; y.op == model.OpFirst || y.op == model.OpLast || y.op == model.OpIndex {
				cases = x.ofElement(y.args[0], t, cases)
			}
		}
		out = append(out, cases...)
	}
	return out
}

// picks is the value of a condition with two of them that is known to be the one, otherwise the value itself.
func (x *setting) picks(t id, known []*facts) id {
	y := x.terms[t]
	switch {
	case y.op != model.OpIf || len(known) == 0:
		return t
	case len(x.assume(y.args[0], true, known)) == 0:
		return x.picks(y.args[2], known)
	case len(x.assume(y.args[0], false, known)) == 0:
		return x.picks(y.args[1], known)
	}
	return t
}

// looksAt reports whether an expression asks for a variable.
func looksAt(e *model.Expr, v *model.Var) bool {
	return e.Has(func(a *model.Expr) bool { return a.Var == v })
}

// misfits reports whether no value that an assignment can give lies in the range of its variable.
func (w *walk) misfits(s *model.Stmt, known []*facts) bool {
	v := s.Target.Var
	if v == nil || v.Type.Kind != model.Number {
		return false
	}
	target, value := w.intern(s.Target, nil, 0), w.intern(s.Value, nil, 0)
	for _, f := range known {
		var d domain
		switch list, ok := w.elements(value, f); {
		case !v.Type.List:
			d = assigned(s.Assign, w.domain(target, f), w.domain(value, f))
		case s.Assign == model.AssignSub || s.Value.Type.List && !ok:
			return false
		case s.Value.Type.List:
			d = list.all
		default:
			d = w.domain(value, f)
		}
		if d.meets(span(v.Low, v.High)) || d.empty() {
			return false
		}
	}
	return true
}

// stmts are the statements of a block, none if there is no block.
func stmts(b *model.Block) []*model.Stmt {
	if b == nil {
		return nil
	}
	return b.Stmts
}

func empty(b *model.Block) bool { return len(stmts(b)) == 0 }

// uses reports whether statements look at a name.
func uses(b *model.Block, l *model.Local) bool {
	return seq.Any(b.Reads(), func(e *model.Expr) bool { return mentions(e, l) })
}

// reactions records which reactions do nothing, or do again what another one does, and acts that are only a name.
func (x *setting) reactions() {
	first := map[model.Digest]*model.Clause{}
	reacted := map[*model.Act]bool{}
	asked := map[*model.Local]bool{} // parameters of acts that a reaction has a name for: whether it looks at it
	type happening struct {
		kind  model.ClauseKind
		event model.EventKind
	}
	mine := map[happening]bool{} // what the file reacts to
	for c := range x.r.WithCounts() {
		mine[happening{c.Kind, c.Event}] = mine[happening{c.Kind, c.Event}] || c.Rule.Index != model.NoRule && x.own(c.Span)
		for i, p := range c.Params {
			if c.Act != nil && p != nil && i < len(c.Act.Params) {
				q := c.Act.Params[i]
				asked[q] = asked[q] || mentions(c.When, p) || mentions(c.By, p) || uses(c.Block, p)
			}
		}
		reacted[c.Act] = true
	}
	for c := range x.r.Clauses() {
		if c.Kind != model.ClauseOn && c.Kind != model.ClauseBefore || !mine[happening{c.Kind, c.Event}] {
			continue
		}
		if empty(c.Block) {
			x.warn("no-effect", c.Span, "this reaction does nothing")
			continue
		}
		x.likeBefore(c)
		k := model.DigestOfClause(x.inOneForm(c))
		other := first[k]
		if other == nil {
			first[k] = c
		} else if !x.own(c.Span) {
			c, other = other, c // a later file has put its own before it
		}
		x.twice(c, other)
	}
	for _, a := range x.r.Acts {
		x.actNames(a, asked)
		x.found(empty(a.Block) && !reacted[a], "no-effect", a.Span, "this act does nothing, and nothing reacts to it")
	}
}

// actNames records parameters of an act that nothing asks for: not its statements, not its words, and no reaction to it.
func (x *setting) actNames(a *model.Act, asked map[*model.Local]bool) {
	said := source.Words(a.Words)
	for _, p := range a.Params {
		if p == nil || !x.own(p.Span) || p.Name == "_" {
			continue
		}
		why := ""
		used, named := asked[p]
		switch {
		case empty(a.Block) || used || uses(a.Block, p):
		case !slices.Contains(said, p.Name):
			if !named {
				why = "nothing looks at " + quote(p.Name)
			}
		case p.Type == model.Of(model.Number):
			why = "only the words of the act name " + quote(p.Name) + ": what it does is the same for every number"
		case p.Type == model.Of(model.Player) && slices.ContainsFunc(a.Params, func(q *model.Local) bool { return q != p && q != nil && q.Type == p.Type && uses(a.Block, q) }):
			why = "only the words of the act name " + quote(p.Name) + ": it does nothing to this player"
		case asksOther(a.Block, p.Type):
			why = "only the words of the act name " + quote(p.Name) + ": what it does asks for another " + p.Type.Kind.String()
		}
		x.warn("unused", p.Span, why)
	}
}

// ofAnother are the operations that give whose turn it is, what another thing has, or one of a list.
var ofAnother = []model.Op{model.OpCell, model.OpField, model.OpIndex, model.OpFirst, model.OpLast, model.OpFind}

// asksOther reports whether statements ask for a thing of some type that is in no name.
func asksOther(b *model.Block, t model.Type) bool {
	is := func(a *model.Expr) bool { return a.Type == t && slices.Contains(ofAnother, a.Op) }
	return seq.Any(b.Reads(), func(e *model.Expr) bool { return e.Has(is) })
}

// twice records that a reaction does again what another one does; other is nil if none does.
func (x *setting) twice(c, other *model.Clause) {
	why, at := "", source.Span{}
	if other != nil {
		why, at = "this is done twice: rule \""+other.Rule.Name+"\" does the same when it happens", other.Span
		if other.Rule == c.Rule {
			why = "this is done twice: another line of this rule does the same when it happens"
		}
	}
	x.warn("done-twice", c.Span, why).noted(at)
}

// isName reports whether an expression is a name.
func isName(e *model.Expr, l *model.Local) bool { return e.Op == model.OpLocal && e.Local == l }

// mentions reports whether an expression looks at a name.
func mentions(e *model.Expr, l *model.Local) bool {
	return seq.Any(e.All(), func(a *model.Expr) bool { return isName(a, l) })
}

// parameters records the parameters of a let that nothing looks at.
func (x *setting) parameters(l *model.Let) {
	for _, p := range l.Params {
		if p.Name != "_" {
			x.found(!mentions(l.Body, p), "unused", p.Span, "nothing looks at %q", p.Name)
		}
	}
}

// lastResort records a duty to make a move that has no piece to choose and is offered only where nothing else is.
func (x *setting) lastResort(c *model.Clause) {
	if c.Kind != model.ClauseMust || c.Move == nil || len(c.Move.Params) > 0 || len(c.Or) > 0 {
		return
	}
	beside := func(f *formula) bool { return (f.x.Move == c.Move) != f.x.Otherwise } // it is offered beside others, or others are as it is
	x.foundOf(!slices.ContainsFunc(x.may, beside), "last resort", "no-effect", c.Span,
		"what this asks for is offered only where nothing else is: the duty takes nothing away")
}

// everyStep records a verdict on each step of each walk.
func (x *setting) everyStep(c *model.Clause, form *formula, all []*model.Clause) {
	if c.Kind != model.ClauseStep && c.Kind != model.ClauseEnd || c.Second != model.NoVerdict {
		return
	}
	before := slices.ContainsFunc(all, func(o *model.Clause) bool {
		return o.Kind == c.Kind && o.Index < c.Index && o.First != model.VerdictBar
	})
	why := ""
	later := x.flag(model.OpNe, x.ofCell(model.Place, model.CellHere), x.field(x.local(anyPiece), model.FieldAt))
	switch step := c.Kind == model.ClauseStep; {
	case step && c.First == model.VerdictStop && c.When != nil && !x.possible(append(slices.Clone(form.terms), later)...):
		why = "this stops a walk before its first step, which is no move then: say bar"
	case !x.implies(nil, form.terms):
	case c.First == model.VerdictBar && step:
		why = "this bars every step: no piece can ever walk"
	case c.First == model.VerdictBar:
		why = "this bars every last step: no walk can ever end"
	case c.First == model.VerdictBack && !before:
		why = "this takes every walk back to where it begins: no walk can ever end"
	case before || !step:
	case c.First == model.VerdictStop:
		why = "this stops every walk after its first step"
	case c.First == model.VerdictTurn:
		why = "every walk turns before its first step, and is no move"
	}
	x.warn("every-step", c.Span, why)
}

// goesAnyway records clauses that let a walk go on after which none says otherwise: where no clause applies it goes on too. Those about the
// last step come after those about every step.
func (x *setting) goesAnyway() {
	all := slices.Collect(x.r.Clauses())
	judged := false // by a later one
	for _, kind := range []model.ClauseKind{model.ClauseEnd, model.ClauseStep} {
		for _, c := range slices.Backward(all) {
			switch {
			case c.Kind != kind:
			case c.First != model.VerdictGo || c.Second != model.NoVerdict:
				judged = true
			default:
				x.foundOf(!judged, "goes anyway", "no-effect", c.Span, "the walk goes on anyway: no line after this says otherwise")
			}
		}
	}
}

// goes reports whether a move that walks can take a step.
func (x *setting) goes(c *model.Clause, f *clauseFact) bool {
	if c.Kind != model.ClauseMay || c.Move.Kind != model.MoveWalk {
		return true
	}
	steps := x.domain(x.intern(c.Move.Where, nil, 0), nil)
	leads := func(prev, next int) bool { // on from a place
		return steps.lo < 0 && prev > 0 || steps.hi > 0 && (next > 0 || x.did.turns)
	}
	switch {
	case steps.equal(only(0)):
		f.why = reason{text: "it walks 0 steps"}
		return false
	case c.Move.From == nil || x.startsFrom(c.Move, x.open()).meets(x.places(x.r.Colours, leads)):
		return true
	}
	f.why = reason{text: "no track leads on from where it begins"}
	return false
}

// moves records moves that end where they begin, or displace nothing without anything that reacts to them.
func (x *setting) moves(m *model.Move) {
	why := ""
	if m.Kind == model.MoveNothing && len(m.Params) > 0 && m.Params[0].Type.Kind == model.Piece && !x.reactsTo(m) {
		why = "this move displaces nothing, and nothing reacts to it"
	}
	if m.Kind == model.MoveTo && m.From != nil && m.From.Op == model.OpEq && x.intern(m.From.Args[1], nil, 0) == x.intern(m.Where, nil, 0) {
		why = "this move ends where it begins"
	}
	x.warn("no-effect", m.Span, why)
	if e := m.Carrying; e != nil && len(m.Params) > 0 {
		q := x.local(standing)
		cases := x.ofElement(x.intern(e, nil, 0), q, x.open())
		alone := len(cases) > 0 && len(x.assume(x.equal(q, x.local(m.Params[0])), false, cases)) == 0
		x.found(alone, "no-effect", e.Span, "the move takes along only %q, the piece that goes anyway", m.Params[0].Name)
		named := slices.ContainsFunc(m.Params, func(p *model.Local) bool { return mentions(e, p) })
		x.foundOf(!alone && !named, "carried", "misnamed", e.Span, "what the move takes along has nothing to do with %q", m.Params[0].Name)
	}
	for i, p := range m.Params[min(1, len(m.Params)):] {
		x.found(p.Name != "_" && !x.asksParameter(m, i+1), "unused", p.Span, "nothing looks at %q", p.Name)
	}
}

// asksParameter reports whether a move depends on a parameter beside its piece: where it goes, what it carries, or what a clause says of it.
func (x *setting) asksParameter(m *model.Move, i int) bool {
	if slices.ContainsFunc(m.Exprs(), func(e *model.Expr) bool { return mentions(e, m.Params[i]) }) {
		return true
	}
	return seq.Any(x.r.Clauses(), func(head *model.Clause) bool {
		return slices.ContainsFunc(head.Likes(), func(c *model.Clause) bool {
			return c.Move == m && i < len(c.Params) && c.Params[i] != nil && (mentions(c.When, c.Params[i]) || mentions(c.By, c.Params[i]) || uses(c.Block, c.Params[i]))
		})
	})
}

// reactsTo reports whether something is done when a move is made.
func (x *setting) reactsTo(m *model.Move) bool {
	return seq.Any(x.r.Clauses(), func(c *model.Clause) bool {
		return (c.Kind == model.ClauseBefore || c.Kind == model.ClauseOn && c.Event == model.EventMove) && c.Act == nil && c.About(m)
	})
}

// firstMoves records clauses that offer a move, where none of the rules offers one before a piece has moved, and nothing else moves one.
func (s *Study) firstMoves(first *solver) {
	r := first.r
	if !seq.Any(r.Clauses(), func(c *model.Clause) bool { return c.Kind == model.ClauseMay && s.own(c.Span) }) {
		return
	}
	x := &setting{Study: s, solver: first, endings: map[*model.Move]*model.Local{}}
	x.solver.start = true
	x.forget()
	x.setSteps(span(least, greatest))
	x.offers()
	moved := r.Setup != nil || r.Owner != nil || seq.Any(r.Stmts(), movesPiece)
	offer := source.Span{}
	for _, f := range x.may {
		moved = moved || f.x.Move.Kind == model.MoveNothing || x.possible(f.terms...)
		if offer.IsZero() && x.own(f.x.Span) {
			offer = f.x.Span
		}
	}
	x.found(!moved, "never-possible", offer, "no move is possible before a piece has moved, so none ever is")
}

// movesPiece reports whether a statement puts pieces elsewhere.
func movesPiece(s *model.Stmt) bool { return s.Kind == model.StmtPut || s.Kind == model.StmtExchange }

// start records endings that hold as the game begins, in this setting or in all.
func (s *Study) start(r *model.Rules) {
	if r.Setup != nil || r.Owner != nil { // which pieces a colour has then is not known here
		return
	}
	x := &setting{Study: s, solver: startSolver(r), endings: map[*model.Move]*model.Local{}}
	for c := range r.Clauses() {
		if c.Kind == model.ClauseEnding && s.harms[c.Span] == nil && x.implies(nil, x.formulaOf(c, nil).terms) {
			x.harm("ends-at-once", c.Span, "this holds when the game begins"+settingWords(r), "say what must have happened before")
		}
	}
}
