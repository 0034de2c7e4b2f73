package sense

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// fact returns the facts about a clause found so far.
func fact(clauses map[source.Span]*clauseFact, c *model.Clause) *clauseFact {
	f := entry(clauses, c.Span)
	f.x = cmp.Or(f.x, c)
	return f
}

// clausesOf analyses the clauses of the file.
func (x *setting) clausesOf() {
	all := slices.Collect(x.r.Clauses())
	for _, head := range all {
		for _, c := range head.Likes() {
			x.clauseOf(c, head, all)
		}
		x.sameSides(head)
	}
	for i, n := range x.r.Counts {
		x.countsToo(n, x.r.Counts[:i])
		if n.Clause != nil {
			x.clauseOf(n.Clause, n.Clause, nil)
		} else if n.Value != nil && x.own(n.Value.Span) {
			x.prepare(nil)
			x.look(n.Value, 0, x.open())
			_, one := x.domain(x.intern(n.Value, nil, 0), nil).single()
			x.foundOf(one && !n.Worth, "elements", "always-same", n.Value.Span, "this is the same whatever happens in a game")
		}
	}
	x.turnsTo()
	for _, m := range x.r.Moves {
		if !x.own(m.Span) {
			x.noteLets(m.Exprs()...)
			continue
		}
		x.prepare(nil)
		x.moves(m)
		for _, e := range m.Exprs() {
			x.look(e, 0, x.open())
		}
	}
}

// turnsTo looks at whose turn comes next.
func (x *setting) turnsTo() {
	to := x.r.TurnsTo
	switch {
	case to == nil:
	case !x.own(to.Span):
		x.noteLets(to)
	default:
		x.prepare(nil)
		x.look(to, 0, x.open())
		after := to.Args
		usual := to.Op == model.OpFirst && after[0].Set == model.SetAfter && after[0].Args[0].Op == model.OpCell && after[0].Args[0].Cell == model.CellMe
		x.foundOf(usual, "order", "no-effect", to.Span, "the turn goes there anyway")
	}
}

// ofSide reports whether the condition of an ending can hold for a player who is still in the game: only they are asked about.
func (x *setting) ofSide(c *model.Clause, form *formula) bool {
	if c.Kind != model.ClauseEnding || c.Scope != model.ScopePlayer || len(c.Params) == 0 {
		return true
	}
	who := x.local(sides[c.Scope])
	cases := x.assume(x.field(who, model.FieldRanked), false, x.assume(x.field(who, model.FieldPlaying), true, x.open()))
	return len(x.holding(form.terms, cases)) > 0
}

// meant says what may be meant by a clause that never applies, "" where nothing suggests it.
func (x *setting) meant(c *model.Clause) string {
	if c.Kind == model.ClauseMay && c.By != nil && !c.By.Type.List && c.When.Has(isSteps) {
		return "in when, steps is what by gives; by itself can ask for the number that is played: by steps == 1 ? " + words(c.By.Span) + " : steps"
	}
	if c.Kind != model.ClauseOn || c.When == nil {
		return ""
	}
	switch c.Event {
	case model.EventLeave:
		if zones := *c; !c.Zones {
			zones.Zones = true
			if x.possibleAfter(x.begin(&zones), x.formulaOf(&zones, nil).terms...) {
				return "leave speaks of squares; of zones too speaks: on depart(p, s)"
			}
		}
	case model.EventTurnBegins:
		for e := range c.When.All() {
			if e.Op == model.OpVar && e.Var.Scope >= model.ScopeTurn && !x.r.Own(e.Var) {
				return quote(e.Var.Name) + " begins anew with each turn; a variable of the player keeps its value: var player " + e.Var.Name
			}
		}
	}
	return ""
}

// otherClauses records which clauses of other files can apply, and which duties some option can meet.
func (x *setting) otherClauses() {
	for c := range x.r.Clauses() {
		if x.own(c.Span) || len(c.Or) > 0 || c.Kind == model.ClauseAlways || c.Act != nil {
			continue
		}
		f := fact(x.others, c)
		if f.applies {
			continue
		}
		x.prepare(c)
		if c.Kind == model.ClauseMust {
			x.duty(c, f)
			f.applies = f.met
			continue
		}
		form := x.formulaOf(c, nil)
		why, _ := x.cannot(c, form, x.begin(c))
		if f.applies = why.none(); !f.applies {
			f.why = f.why.join(why)
		}
	}
}

// Idle is a clause of another file that never applies, and why, "" for a duty that no option can meet.
type Idle struct {
	Span source.Span
	Rule string
	Why  string
}

// Idle lists the clauses of other files that apply in none of the settings studied.
func (s *Study) Idle() []Idle {
	var out []Idle
	for _, at := range sorted(s.others) {
		if f := s.others[at]; !f.applies {
			out = append(out, Idle{at, f.x.Rule.Name, f.why.String()})
		}
	}
	return out
}

// cannot says why a clause never applies in this setting; the reason is none if it may, or has applied in another one.
func (x *setting) cannot(c *model.Clause, form *formula, known []*facts) (why reason, thrown bool) {
	f := x.clauses[c.Span]
	switch {
	case !x.possibleAfter(known, slices.Concat(form.terms, x.atPlay(c))...) || !x.ofSide(c, form):
		return x.why(form, known), form.onThrow()
	case f != nil && f.applies && c.Kind != model.ClauseAlways: // it applied in another setting: why it may not here is no matter
		return reason{}, false
	case !x.onTrack(c, form):
		return reason{text: "no piece of that colour ever comes there"}, false
	}
	return reason{text: x.comesTooLate(c, form, known)}, false
}

// clauseOf studies a clause, or one of the kinds of option of a duty.
func (x *setting) clauseOf(c, head *model.Clause, all []*model.Clause) {
	if x.undone(c.Act) {
		return
	}
	if !x.own(c.Span) {
		x.noteLets(c.When, c.By)
		return
	}
	f := fact(x.clauses, c)
	x.prepare(c)
	form := x.formulaOf(c, nil)
	known := x.begin(c)
	if why, thrown := x.cannot(c, form, known); !why.none() {
		if !f.applies {
			f.why, f.thrown, f.hint = f.why.join(why), thrown, x.meant(c)
		}
		if c.Kind == model.ClauseAlways {
			x.harm("never-applies", c.Span, "this cannot hold with "+strconv.Itoa(len(x.r.Seats))+" players: "+why.String(), "say what holds in every game")
		}
		x.look(c.When, 0, x.open()) // what is always so in other settings need not be so in this one
		return
	}
	f.applies = f.applies || c.Kind != model.ClauseMay || x.goes(c, f) && x.mayAt(form, f)
	x.noneThere(c, form)
	x.lastResort(c)
	x.takenToo(c)
	x.askedOfThrow(c, form)
	x.everyStep(c, form, all)
	if c.Kind == model.ClauseOn && c.Event == model.EventTurnBegins && slices.ContainsFunc(c.Block.Stmts, ends) {
		x.sitsOut(c.Span, form.terms)
	}
	x.names(c)
	if c.Kind == model.ClauseMust && !f.met {
		x.duty(c, f)
	}
	if c.Kind == model.ClauseNever && !f.met {
		x.likes(c, f, func(*formula) bool { return true })
	}
	if c.Kind == model.ClauseEnding {
		x.buries(c, all)
		x.overAnyway(c, form)
	}
	if len(head.Or) == 0 && (!f.covered || len(f.coverers) > 0) {
		x.cover(c, form, f, all)
	}
	for _, p := range c.Params {
		if p != nil && c.Event != model.EventTurned {
			x.name(p, x.eventValue(c, p))
		}
	}
	set := x.open()
	if c.Kind == model.ClauseOn {
		set = x.holding(x.setBefore(c), set)
		for _, p := range form.when {
			if x.own(p.e.Span) && asksVariable(p.e) {
				x.outcome(p.e, false, 0, set)
			}
		}
	}
	x.look(c.When, 0, set)
	x.seats(c.When, form.names, 0, known, c.Kind == model.ClauseMay)
	x.lookPlayed(c, form)
	x.countsAsThrown(c, form)
	x.turnsRound(c, form)
	x.sideHolds(c, known)
	thrown := slices.Contains(form.terms, x.ofCell(model.Flag, model.CellThrown)) || !seq.Any(x.r.Stmts(), playsEarned)
	if play := x.onlyPlay(); play != nil && thrown && c.Kind == model.ClauseMay && c.By != nil && x.own(c.By.Span) {
		x.sameAmounts(c.By, play, x.holding(form.terms, x.open()))
	}
	x.ofTheOther(c)
	x.ofTheFirst(c)
	x.ofTheNewOwner(c)
	x.certain(form, known)
	x.asBegun(c)
}

// lookPlayed looks at the "by" of a clause, where steps is the number that is played; elsewhere in the clause it is what "by" makes of that.
func (x *setting) lookPlayed(c *model.Clause, form *formula) {
	if c.By == nil {
		return
	}
	made, steps := x.steps, x.ofCell(model.Number, model.CellSteps)
	x.setSteps(x.played)
	asks := func(t id) bool { return x.contains(t, steps) }
	x.look(c.By, 0, x.holding(slices.DeleteFunc(slices.Clone(x.inNames(form)), asks), x.open()))
	x.setSteps(made)
}

// sideHolds records a side of || that holds wherever the pieces stand from which the move of an offer goes.
func (x *setting) sideHolds(c *model.Clause, known []*facts) {
	if c.Kind != model.ClauseMay || c.When == nil || c.When.Op != model.OpOr || c.Move.Kind == model.MoveNothing || !firstNamed(c) {
		return
	}
	at := x.field(x.local(c.Params[0]), model.FieldAt)
	cases := x.at(at, x.startsFrom(c.Move, known), known)
	for _, side := range chained(model.OpOr, c.When) {
		if !asksBoard(side) && side.Op != model.OpConst && x.own(side.Span) {
			t := x.intern(side, nil, 0)
			x.foundOf(len(cases) > 0 && x.contains(t, at) && len(x.assume(t, false, cases)) == 0, "side holds", "always-same", side.Span,
				"%s is always true here, and the other side of || adds nothing: the move goes only from there", said{side})
		}
	}
}

// turnsRound records a negative number of a "by" for a move that walks back: it goes forwards.
func (x *setting) turnsRound(c *model.Clause, form *formula) {
	if c.Kind != model.ClauseMay || c.By == nil || c.By.Type.List || c.Move.Kind != model.MoveWalk || !x.own(c.By.Span) {
		return
	}
	steps, where := x.ofCell(model.Number, model.CellSteps), x.intern(c.Move.Where, nil, 0)
	by := x.intern(c.By, nil, 0)
	walked := func(n int) domain { return x.domain(x.with(where, steps, x.number(n)), nil) }
	number := x.joined(by, x.holding(form.terms, x.open()))
	if y := x.terms[by]; y.op == model.OpNeg && y.args[0] == steps {
		number = only(-1)
	}
	x.foundOf(walked(1).hi < 0 && walked(-1).lo > 0 && !number.empty() && number.hi < 0, "round", "always-same", c.By.Span,
		"%s walks back already: with a number below 0 it goes forwards", c.Move.Name).info = true
}

// countsAsThrown records a "by" that is a number which its clause asks of the only die that is played.
func (x *setting) countsAsThrown(c *model.Clause, form *formula) {
	if c.Kind != model.ClauseMay || c.By == nil || c.By.Type.List || !x.own(c.By.Span) {
		return
	}
	var die *model.Die
	for s := range x.r.Stmts() {
		if s.Kind != model.StmtPlay {
			continue
		}
		if s.Value == nil || s.Value.Op != model.OpDie || die != nil && s.Value.Die != die || x.thrownAgain[s.Value.Die] {
			return
		}
		die = s.Value.Die
	}
	same := die != nil && x.oneNumber(x.intern(c.By, nil, 0), x.ofDie(die), x.holding(form.terms, x.open()))
	x.foundOf(same, "as thrown", "no-effect", c.By.Span, "this is the number that is counted here anyway")
}

// sameAmounts records numbers in the lists of a "by" that are others of the same list, where one number is played.
func (x *setting) sameAmounts(e *model.Expr, play *model.Stmt, cases []*facts) {
	switch e.Op {
	case model.OpIf:
		c := x.intern(e.Args[0], nil, 0)
		x.sameAmounts(e.Args[1], play, x.assume(c, true, cases))
		x.sameAmounts(e.Args[2], play, x.assume(c, false, cases))
	case model.OpList:
		number := func(a *model.Expr) domain {
			t := x.with(x.intern(a, nil, 0), x.ofCell(model.Number, model.CellSteps), x.intern(play.Value, nil, 0))
			return x.joined(t, cases)
		}
		for i, a := range e.Args {
			n, one := number(a).single()
			j := slices.IndexFunc(e.Args[:i], func(b *model.Expr) bool { return one && number(b).equal(only(n)) })
			if x.foundOf(j >= 0 && len(cases) > 0, "amounts", "done-twice", a.Span, "%s is %d here, as another number of this list is", said{a}, n); j < 0 {
				like := slices.ContainsFunc(e.Args[:i], func(b *model.Expr) bool { return x.intern(a, nil, 0) == x.intern(b, nil, 0) })
				x.foundOf(like, "amount", "done-twice", a.Span, "another number of this list is %s too", said{a})
			}
		}
	}
}

// certain records conditions on where pieces stand that the event of a reaction makes true. Of what is asked of numbers and of what an
// act is done to, care is no mistake: other changes may bring other numbers and other acts.
func (x *setting) certain(form *formula, known []*facts) {
	if form.x.Kind != model.ClauseOn && form.x.Kind != model.ClauseBefore || form.x.Act != nil {
		return
	}
	for _, p := range form.when {
		spot := p.e.Has(func(e *model.Expr) bool { return e.Type.Kind == model.Place })
		if p.e.Op == model.OpConst || !x.own(p.e.Span) || !spot {
			continue
		}
		harmed := func(at source.Span) bool { return within(at, []source.Span{p.e.Span}) }
		sure := !seq.Any(maps.Keys(x.harms), harmed) && len(x.assume(p.term, false, known)) == 0 && len(x.assume(p.term, false, x.open())) > 0
		x.foundOf(sure, "event", "always-same", p.e.Span, "%s is always true here", quote(p.text))
		known = x.assume(p.term, true, known)
	}
}

// asksVariable reports whether a condition compares a variable of a number with a die, which an earlier reaction may have made equal.
func asksVariable(e *model.Expr) bool {
	if e.Op != model.OpEq && e.Op != model.OpNe {
		return false
	}
	a, b := e.Args[0].Op, e.Args[1].Op
	return a == model.OpVar && b == model.OpDie || a == model.OpDie && b == model.OpVar
}

// eventValue is the domain of a parameter of a reaction or pattern: of a place, where pieces can land or go over.
func (x *setting) eventValue(c *model.Clause, p *model.Local) domain {
	if p.Type.Kind != model.Place || c.Kind != model.ClauseOn {
		return x.something(p.Type.Kind)
	}
	switch c.Event {
	case model.EventPass:
		return x.passed()
	case model.EventStep:
		return x.track()
	case model.EventLeave:
		return x.something(model.Place).keep(func(p int) bool { return c.Zones || !x.r.Board.Places[p].Zone })
	case model.EventLand:
		if d := x.landsOn(x.track(), func(*model.Move) []*facts { return x.open() }).without(-1); !d.empty() {
			return d
		}
	}
	return x.something(p.Type.Kind)
}

// passed is the domain of the places that a walk can go over: not the last of a track, unless a walk turns there.
func (x *setting) passed() domain {
	if seq.Any(x.r.Clauses(), func(c *model.Clause) bool { return judges(c, model.VerdictTurn) }) {
		return x.track()
	}
	return x.places(x.r.Colours, func(_, next int) bool { return next > 0 })
}

// judges reports whether a clause gives a verdict, or leaves it to choose.
func judges(c *model.Clause, v model.Verdict) bool { return c.First == v || c.Second == v }

// prepare sets the domains of dice and counts for a clause.
func (x *setting) prepare(c *model.Clause) {
	before := c == nil || c.Kind == model.ClauseEnding || c.Kind == model.ClauseAlways ||
		(c.Kind == model.ClauseOn || c.Kind == model.ClauseBefore) && c.Event != model.EventThrow && !slices.Contains(whileCounted, c.Event)
	x.thrown(!before)
	x.setPhase(phaseOf(c))
	x.throwsHad(c)
	switch {
	case c != nil && c.Kind == model.ClauseMay:
		x.counting(c)
	case before:
		x.setSteps(span(least, greatest))
	default:
		x.counting(nil)
	}
}

// whileCounted are the events that come while a number is counted.
var whileCounted = []model.EventKind{model.EventStep, model.EventPass, model.EventTurned, model.EventLand, model.EventMove, model.EventStuck}

// phaseOf is what the game is doing when a clause is asked.
func phaseOf(c *model.Clause) phase {
	switch {
	case c == nil || c.Event == model.EventGameEnds:
		return anyTime
	case c.Kind == model.ClauseEnding, c.Kind == model.ClauseAlways, c.Act != nil:
		return running
	case c.Kind != model.ClauseOn, slices.Contains(whileCounted, c.Event):
		return counting
	}
	return running
}

// throwsHad sets how many throws the turn has had at least: one, where a reaction to a throw or a play that a throw precedes asks.
func (x *setting) throwsHad(c *model.Clause) {
	v := x.r.Throws
	if v == nil {
		return
	}
	d := span(0, x.most(v))
	if c != nil && (c.Kind == model.ClauseOn && c.Event == model.EventThrow || !x.before && len(x.r.Dice) > 0 && !slices.Contains(slices.Collect(maps.Values(x.late)), true)) {
		d.lo = 1
	}
	if !d.equal(x.vars[v]) {
		x.vars[v] = d
		x.recall()
	}
}

// mayAt reports whether a may clause can offer an option that no never clause always forbids.
func (x *setting) mayAt(form *formula, f *clauseFact) bool {
	cases := x.holding(form.terms, x.begin(form.x))
	if len(cases) == 0 {
		f.why = reason{text: "its conditions are never true together"}
		return false
	}
	if m := form.x.Move; m.Kind == model.MoveTo && x.own(form.x.Span) {
		at := x.field(x.local(m.Params[0]), model.FieldAt)
		stays := len(x.assume(x.equal(at, x.intern(m.Where, nil, 0)), false, cases)) == 0
		x.foundOf(stays, "same place", "no-effect", form.x.Span, "this move ends where it begins")
	}
	for _, c := range x.never {
		if m := form.x.Move; !c.x.About(m) || c.x.To != nil && m.Kind == model.MoveNothing {
			continue // what is said of pieces, or of where they end, is not said of a move that displaces none
		}
		cases = x.not(x.formulaOf(c.x, form.x.Move).terms, cases)
		if len(cases) == 0 {
			f.why = reason{text: "rule \"" + c.x.Rule.Name + "\" always forbids it"}
			return false
		}
	}
	return true
}

// duty searches for an option that can meet a duty.
func (x *setting) duty(c *model.Clause, f *clauseFact) {
	x.likes(c, f, func(both *formula) bool { return x.mayAt(both, &clauseFact{}) })
}

// likes searches for an option that is like a duty, or like what is forbidden, and passes a test.
func (x *setting) likes(c *model.Clause, f *clauseFact, legal func(*formula) bool) {
	defer x.setSteps(x.steps)
	for _, may := range x.may {
		if c.Move != nil && may.x.Move != c.Move || len(may.x.Params) < len(c.Params) {
			continue
		}
		f.duty = true
		x.counting(may.x)
		like := x.formulaOf(c, may.x.Move)
		offered := x.formulaOf(may.x, nil)
		both := &formula{x: may.x, when: slices.Concat(offered.when, like.when), terms: slices.Concat(offered.terms, like.terms, x.atPlay(may.x))}
		if x.possible(both.terms...) && legal(both) {
			f.met = true
			return
		}
	}
}

// cover searches for clauses that make this one redundant.
func (x *setting) cover(c *model.Clause, form *formula, f *clauseFact, all []*model.Clause) {
	f.coverers, f.covered = seq.Filter(all, func(other *model.Clause) bool {
		same := func(o *model.Clause) bool { return o.Span == other.Span }
		return (!f.covered || slices.ContainsFunc(f.coverers, same)) && other != c && x.covers(other, c, form)
	}), true
}

// buries records an ending that holds wherever one of another file does, which so decides nothing any more.
func (x *setting) buries(c *model.Clause, all []*model.Clause) {
	why, at := "", source.Span{}
	for _, o := range all {
		ends := c.Ending == o.Ending || c.Ending == model.EndWin
		if o.Kind == c.Kind && ends && c.Scope == o.Scope && !x.own(o.Span) && x.implies(x.formulaOf(o, nil).terms, x.formulaOf(c, nil).terms) {
			why, at = "since this holds wherever it does, rule \""+o.Rule.Name+"\" decides nothing any more", o.Span
		}
	}
	x.warnOf("buries", "covered", c.Span, why).noted(at)
}

// covers reports whether clause y makes clause c redundant.
func (x *setting) covers(y, c *model.Clause, form *formula) bool {
	steps := func(k model.ClauseKind) bool {
		return k == model.ClauseStep || k == model.ClauseBeyond || k == model.ClauseEnd
	}
	first := y.Index < c.Index
	switch {
	case y.Kind != c.Kind, len(y.Or) > 0, y.Despite != c.Despite, y.Otherwise != c.Otherwise:
		return false
	case steps(c.Kind):
		bar := y.First == model.VerdictBar
		if c.First == model.VerdictBar && !bar || !bar && !first {
			return false
		}
	case c.Kind == model.ClauseMay:
		if y.Move != c.Move || x.counts(y) != x.counts(c) && !(y.By == nil && x.countsThrown(c, form)) {
			return false
		}
	case c.Kind == model.ClauseMust:
		if y.Move != c.Move || !first {
			return false
		}
	case c.Kind == model.ClauseNever:
		if y.Move != nil && y.Move != c.Move || y.To != nil && c.To == nil && c.Move != nil && c.Move.Kind == model.MoveNothing {
			return false
		}
	case c.Kind == model.ClauseEnding:
		part := y.Scope != c.Scope && len(y.Params) > 0
		if part && !(first && x.holdsOfAll(y, c, form)) || (part || y.Ending != c.Ending) && !x.endsAll(y, c) {
			return false
		}
		if part {
			return true
		}
		if !first && (y.Ending != c.Ending || y.Scope != c.Scope || c.By != nil || y.By != nil) {
			return false // of what a win counts the first one decides
		}
	case c.Kind == model.ClauseAlways:
	default:
		return false
	}
	other := x.formulaOf(y, c.Move)
	if c.Kind == model.ClauseAlways { // what must hold follows from what must hold, and not from what may
		form, other = other, form
	}
	back := func() bool { return x.implies(other.terms, form.terms) }
	if c.Kind == model.ClauseMust { // only an equal condition covers it
		return back() && x.implies(form.terms, other.terms) || x.sameOffers(c.Move, form, other)
	}
	later := !first && x.own(y.Span) && !(steps(c.Kind) && c.First != y.First) // of two equal clauses the later one is reported
	return x.implies(form.terms, other.terms) && !(later && back())
}

// sameSides records a duty with or of which one side is met wherever another one is.
func (x *setting) sameSides(c *model.Clause) {
	if len(c.Or) == 0 || !x.own(c.Span) {
		return
	}
	why, sides := "", c.Likes()
	x.prepare(c)
	x.emptySides(c, sides)
	for i, a := range sides {
		for j, b := range sides {
			if i != j && a.Move != nil && a.Move == b.Move && why == "" && x.implies(x.formulaOf(a, nil).terms, x.formulaOf(b, nil).terms) {
				why = "two sides of this are options of move " + quote(a.Move.Name) + ", and what meets one of them meets the other"
			}
		}
	}
	x.warnOf("sides", "covered", c.Span, why)
}

// emptySides records sides of a duty that no option meets, where others may be met.
func (x *setting) emptySides(c *model.Clause, sides []*model.Clause) {
	never := make([]string, len(sides))
	codes := make([]string, len(sides))
	for i, a := range sides {
		if a.Move == nil || x.lives("side "+strconv.Itoa(i), c.Span) {
			continue
		}
		x.prepare(c)
		met := &clauseFact{}
		if why, _ := x.cannot(a, x.formulaOf(a, nil), x.begin(a)); !why.none() {
			never[i], codes[i] = "no option of move "+quote(a.Move.Name)+" can meet this: "+why.String(), "never-applies"
		} else if x.duty(a, met); met.duty && !met.met {
			never[i], codes[i] = "no option of move "+quote(a.Move.Name)+" that is offered is like this", "impossible-duty"
		}
	}
	x.prepare(c)
	all := !slices.Contains(never, "") // which has a finding of its own
	for i, why := range never {
		if all {
			why = ""
		}
		x.warnOf("side "+strconv.Itoa(i), codes[i], c.Span, why)
	}
}

// sameOffers reports whether two duties are alike for all that may clauses offer of a move.
func (x *setting) sameOffers(m *model.Move, a, b *formula) bool {
	return x.allOffers(m, func(f *formula) bool {
		given := x.formulaOf(f.x, nil).terms
		return x.implies(slices.Concat(given, a.terms), b.terms) && x.implies(slices.Concat(given, b.terms), a.terms)
	})
}

// allOffers reports whether something holds for all may clauses that offer a move, and there is one.
func (x *setting) allOffers(m *model.Move, holds func(f *formula) bool) bool {
	offers := seq.Filter(x.may, func(f *formula) bool { return f.x.Move == m })
	return len(offers) > 0 && !slices.ContainsFunc(offers, func(f *formula) bool { return !holds(f) })
}

// holdsOfAll reports whether an ending of players or colours holds for all that belong to a player or team wherever another ending holds for
// that: what it asks of all its pieces, it asks of some of them then.
func (x *setting) holdsOfAll(y, c *model.Clause, form *formula) bool {
	wider := c.Scope == model.ScopeTeam && y.Scope == model.ScopePlayer || c.Scope != model.ScopeColour && y.Scope == model.ScopeColour
	if !wider || len(c.Params) == 0 || y.When == nil || !ofFewer(y.When, y.Params[0]) {
		return false
	}
	return x.implies(form.terms, []id{x.intern(y.When, substitution{y.Params[0]: x.local(sides[c.Scope])}, 0)})
}

// ofFewer reports whether a condition that holds for an owner holds as well for one that has only some of its pieces.
func ofFewer(e *model.Expr, l *model.Local) bool {
	fewer := func(a *model.Expr) bool { return ofFewer(a, l) }
	switch {
	case !mentions(e, l):
		return true
	case e.Op == model.OpAnd, e.Op == model.OpOr:
		return fewer(e.Args[0]) && fewer(e.Args[1])
	case e.Op == model.OpAll, e.Op == model.OpNone:
		of := e.Args[0]
		return of.Op == model.OpSet && of.Set == model.SetPiecesOf && of.Args[0].Op == model.OpLocal && of.Args[0].Local == l && !mentions(e.Args[1], l)
	case e.Op == model.OpCall:
		for i, a := range e.Args {
			if mentions(a, l) && !(a.Op == model.OpLocal && ofFewer(e.Let.Body, e.Let.Params[i])) {
				return false
			}
		}
		return true
	}
	return false
}

// endsAll reports whether an ending leaves nothing for another one to decide: it ends the game, or the part of the same player in it, and
// nothing that comes of that changes what is asked.
func (x *setting) endsAll(y, c *model.Clause) bool {
	switch y.Ending {
	case model.EndWin, model.EndOver, model.EndDraw:
		return true
	}
	asks := c.When.Has(func(e *model.Expr) bool {
		return e.Op == model.OpField && (e.Field == model.FieldPlaying || e.Field == model.FieldRanked) || e.Op == model.OpSet && e.Set == model.SetAfter
	})
	return len(c.Params) > 0 && !asks && len(x.raised(model.EventRank)) == 0 && len(x.raised(model.EventDrop)) == 0
}

// counts is the term of the numbers that the options of a may clause count.
func (x *setting) counts(c *model.Clause) id {
	if c.By == nil {
		return x.ofCell(model.Number, model.CellSteps)
	}
	t := x.intern(c.By, nil, 0)
	if y := x.terms[t]; y.op == model.OpList && len(y.args) == 1 {
		return y.args[0]
	}
	return t
}

// countsThrown reports whether the number that the options of a clause count is the one that is played: it is thrown, and the turn
// plays nothing else.
func (x *setting) countsThrown(c *model.Clause, form *formula) bool {
	thrown := x.ofCell(model.Flag, model.CellThrown)
	if c.By == nil || c.By.Op != model.OpDie || x.thrownAgain[c.By.Die] || !slices.Contains(form.terms, thrown) {
		return false
	}
	return !seq.Any(x.r.Stmts(), func(s *model.Stmt) bool {
		return s.Kind == model.StmtPlay && s.Play != model.PlayEarned && (s.Value.Op != model.OpDie || s.Value.Die != c.By.Die)
	})
}

// implies reports whether the conditions given imply the conditions then.
func (x *setting) implies(given, then []id) bool {
	cases := x.holding(given, x.open())
	for _, t := range then {
		if len(x.assume(t, false, cases)) > 0 {
			return false
		}
		cases = x.assume(t, true, cases)
	}
	return true
}
