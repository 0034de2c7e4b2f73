package sense

import (
	"cmp"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// turnFact is the result for an again, or for a count that earns another.
type turnFact struct {
	limited bool // in some setting it depends on more than the throw
	always  bool // it happens for every throw
	said    bool // always is set
	earns   bool
	once    string // a condition that stays true once it is, "" if there is none
	asked   []source.Span
}

// maxOutcomes is the largest number of outcomes that are enumerated.
const maxOutcomes = 5000

// again analyses an again, which may not be reached. If it depends on the dice alone, and on what a player chooses, no counter limits the turn.
func (w *walk) again(s *model.Stmt, reached bool) {
	if !w.own(s.Span) || !reached {
		return
	}
	f := entry(w.turns, s.Span)
	if w.event {
		f.limited = true
		return
	}
	var dice []*model.Die
	var terms []onDice
	defer w.thrown(!w.before)
	w.thrown(true)
	chosen, once := false, ""
	f.asked = nil
	for _, c := range w.conditions {
		f.asked = append(f.asked, c.e.Span)
		t := w.intern(c.e, nil, 0)
		if len(w.assume(t, !c.want, w.open())) == 0 {
			continue // always true
		}
		lasts := func(side *model.Expr) bool { return w.forGood([]id{w.intern(side, nil, 0)}) != nil }
		side := cmp.Or(seq.First(chained(model.OpOr, c.e), lasts), c.e)
		switch {
		case c.want && lasts(side):
			once = words(side.Span)
			f.once = once
		default:
			sides := w.sidesOnDice(c.e, c.want, &dice, &chosen)
			if len(sides) == 0 {
				f.limited = true
				return
			}
			terms = append(terms, onDice{sides, c.want})
		}
	}
	w.foundOf(once != "" && len(w.stops) > 0, "lasting", "endless-turn", s.Span,
		"once %q holds it holds for the rest of the turn: every go gives another one, until something else ends the turn", once).info = true
	thrown := func(d *model.Die) bool { // otherwise it shows what it did before
		return seq.Any(w.r.Turn.All(), func(s *model.Stmt) bool { return slices.Contains(s.Dice, d) })
	}
	if slices.ContainsFunc(dice, func(d *model.Die) bool { return !thrown(d) }) || !enumerable(dice) {
		f.limited = true
		return
	}
	always, some, free := true, false, false
	eachThrow(dice, func(faces map[*model.Die]int) {
		holds, sure := true, !chosen
		for _, c := range terms {
			may, does := false, false
			for _, e := range c.sides {
				v, ok := valueFor(faces, e)
				may, does = may || !ok || (v != 0) == c.want, does || ok && (v != 0) == c.want
			}
			holds, sure = holds && may, sure && does
		}
		always = always && holds && sure
		some = some || holds
		free = free || holds && !w.endsTurn(faces)
	})
	switch {
	case !some:
		return
	case !free:
		f.limited = true
		return
	}
	f.always = always && len(w.stops) == 0 && (f.always || !f.said)
	f.said = true
}

// onDice is a condition of which one side is enough, and the sides that depend on dice alone.
type onDice struct {
	sides []*model.Expr
	want  bool
}

// sidesOnDice are the sides of a condition that are each enough for it and depend only on dice and answers: a limit in another side of ||
// limits nothing.
func (w *walk) sidesOnDice(e *model.Expr, want bool, dice *[]*model.Die, chosen *bool) []*model.Expr {
	own, picks, ok := w.diceOnly(e)
	switch {
	case ok:
		*chosen = *chosen || picks
		*dice = seq.Distinct(append(*dice, own...))
		return []*model.Expr{e}
	case e.Op == model.OpCall && len(e.Args) == 0:
		return w.sidesOnDice(e.Let.Body, want, dice, chosen)
	case (e.Op == model.OpOr && want || e.Op == model.OpAnd && !want) && throwsAlways(w.r.Turn):
		return append(w.sidesOnDice(e.Args[0], want, dice, chosen), w.sidesOnDice(e.Args[1], want, dice, chosen)...)
	}
	return nil
}

// throwsAlways reports whether all throws of the turn belong to each go.
func throwsAlways(turn *model.Block) bool {
	return !slices.ContainsFunc(turn.Stmts, func(s *model.Stmt) bool {
		if s.Once() {
			return !throwsAlways(s.Then)
		}
		return !isThrow(s) && seq.Any(one(s).All(), isThrow)
	})
}

func isThrow(s *model.Stmt) bool { return s.Kind == model.StmtThrow }

// one is a block of one statement.
func one(s *model.Stmt) *model.Block { return &model.Block{Stmts: []*model.Stmt{s}} }

// uncounted records numbers written in a play that no clause lets a move count, where nothing reacts to that.
func (w *walk) uncounted(e *model.Expr) {
	switch {
	case e == nil || !w.own(e.Span):
	case e.Op == model.OpIf:
		w.uncounted(e.Args[1])
		w.uncounted(e.Args[2])
	case e.Op == model.OpList:
		for _, a := range e.Args {
			w.uncounted(a)
		}
	case (e.Op == model.OpConst || e.Op == model.OpNeg) && len(w.may) > 0:
		d := w.domain(w.intern(e, nil, 0), nil)
		_, one := d.single()
		w.foundOf(one && !d.has(0) && !w.offersFor(d, model.CellThrown), "counted", "no-move", e.Span, "no rule offers a move that counts %s", words(e.Span))
	}
}

// offersFor reports whether a move may be offered that counts some of the numbers that are thrown, or earned, or something is done where none is.
func (w *walk) offersFor(numbers domain, how model.Cell) bool {
	counted := w.at(w.ofCell(model.Number, model.CellSteps), numbers, w.open())
	counted = w.assume(w.ofCell(model.Flag, how), true, counted)
	offers := func(f *formula) bool { return len(w.holding(slices.Concat(w.atPlay(f.x), f.terms), counted)) > 0 }
	return w.reactsToStuck() || slices.ContainsFunc(w.may, offers)
}

// reactsToStuck reports whether something is done where a number cannot be counted.
func (x *setting) reactsToStuck() bool {
	return seq.Any(x.r.Clauses(), func(c *model.Clause) bool { return c.Event == model.EventStuck })
}

// endsTurn reports whether a statement may end a turn early in which the dice always show the same numbers.
func (w *walk) endsTurn(faces map[*model.Die]int) bool {
	var shown *facts
	for d, v := range faces {
		shown = &facts{shown, w.ofDie(d), only(v)}
	}
	possible := func(conditions []condition) bool { return len(w.assumed(conditions, []*facts{shown})) > 0 }
	for v, assigned := range w.assigned {
		if !slices.ContainsFunc(assigned, possible) {
			shown = &facts{shown, w.ofVar(v), listed(v.Initial...)}
		}
	}
	return slices.ContainsFunc(w.stops, possible)
}

// findStops collects the conditions under which statements end a turn early, and those under which they assign variables of the turn.
func (x *setting) findStops() {
	x.assigned = map[*model.Var][][]condition{}
	for _, p := range x.sites() {
		s, c := p.s, p.clause
		begins := c != nil && c.Kind == model.ClauseOn && c.Event == model.EventTurnBegins // a turn that is under way does not end there
		if !begins && (finishesTurn(s) || s.Kind == model.StmtFinish) {
			x.stops = append(x.stops, p.under)
		}
		if s.Target == nil || s.Target.Var == nil {
			continue
		}
		v := s.Target.Var
		if s.Kind == model.StmtChoose || !v.Type.List && (v.Scope == model.ScopeTurn || v.Scope == model.ScopeGo) {
			x.assigned[v] = append(x.assigned[v], p.under)
		}
	}
}

// site is a statement with what it stands in.
type site struct {
	s      *model.Stmt
	clause *model.Clause // or
	act    *model.Act
	under  []condition   // those of the clause and of the ifs around it
	loops  []*model.Stmt // around it
}

// sites lists the statements of the rules, in the order of model.Rules.Stmts.
func (s *solver) sites() []site {
	if s.allSites == nil {
		out := site{}.inside(s.r.Turn, site{}.inside(s.r.Setup, []site{}))
		for _, a := range s.r.Acts {
			out = site{act: a}.inside(a.Block, out)
		}
		for c := range s.r.Clauses() {
			of := site{clause: c}
			if c.When != nil {
				of.under = []condition{{c.When, true}}
			}
			out = of.inside(c.Block, out)
		}
		s.allSites = out
	}
	return s.allSites
}

// inside adds the statements of a block at a site to a list.
func (p site) inside(b *model.Block, out []site) []site {
	for _, s := range stmts(b) {
		p.s = s
		then, otherwise := p, p
		switch s.Kind {
		case model.StmtIf:
			then.under = append(slices.Clip(p.under), condition{s.Value, true})
			otherwise.under = append(slices.Clip(p.under), condition{s.Value, false})
		case model.StmtFor:
			then.loops = append(slices.Clip(p.loops), s)
		}
		out = otherwise.inside(s.Else, then.inside(s.Then, append(out, p)))
	}
	return out
}

// assumed adds the facts that conditions have their values.
func (s *solver) assumed(conditions []condition, cases []*facts) []*facts {
	for _, c := range conditions {
		cases = s.assume(s.intern(c.e, nil, 0), c.want, cases)
	}
	return cases
}

// eachThrow calls f for every outcome of some dice.
func eachThrow(dice []*model.Die, f func(faces map[*model.Die]int)) {
	faces := map[*model.Die]int{}
	var throw func(rest []*model.Die)
	throw = func(rest []*model.Die) {
		if len(rest) == 0 {
			f(faces)
			return
		}
		for _, face := range rest[0].Faces {
			faces[rest[0]] = face.Value
			throw(rest[1:])
		}
	}
	throw(dice)
}

// enumerable reports whether dice have few enough outcomes to look at all.
func enumerable(dice []*model.Die) bool {
	n := 1
	for _, d := range dice {
		if n *= max(1, len(d.Faces)); n > maxOutcomes {
			return false
		}
	}
	return true
}

// diceOnly reports whether a condition depends only on thrown dice and on answers to questions, and returns these dice.
func (w *walk) diceOnly(e *model.Expr, params ...*model.Local) (dice []*model.Die, chosen, ok bool) {
	ok = true
	e.Walk(func(x *model.Expr) bool {
		switch {
		case !ok: // as what stands before says
		case asksBesideDice(x):
			ok = false
		case x.Op == model.OpLocal:
			picked := slices.Contains(w.picked, x.Local)
			chosen, ok = chosen || picked, picked || slices.Contains(params, x.Local)
		case x.Op == model.OpCall:
			inner, picks, fine := w.diceOnly(x.Let.Body, x.Let.Params...)
			dice, chosen, ok = append(dice, inner...), chosen || picks, fine
		case x.Op == model.OpDie:
			dice, ok = append(dice, x.Die), x.Die.Kind == model.DieFaces
		}
		return ok
	})
	return seq.Distinct(dice), chosen, ok
}

// earning finds a reaction by which every count earns another count.
func (w *walk) earning(c *model.Clause) {
	if c.Kind != model.ClauseOn || c.When != nil || c.Event != model.EventMove && c.Event != model.EventLand {
		return
	}
	if c.Event == model.EventMove && c.Move != nil && slices.ContainsFunc(w.may, func(f *formula) bool { return f.x.Move != c.Move }) {
		return // another move may be made instead
	}
	for _, s := range c.Block.Stmts {
		if s.Kind == model.StmtEarn && len(w.stops) == 0 && seq.Any(w.r.Stmts(), playsEarned) && !w.domain(w.intern(s.Value, nil, 0), nil).has(0) {
			f := entry(w.turns, s.Span)
			f.earns, f.always = true, true
		}
	}
}

// atPlay is what holds of the options of a may clause that count a throw, where the turn plays one number: they count that number, and
// variables of the go that only moves change are as they began.
func (x *setting) atPlay(c *model.Clause) []id {
	play := x.onlyPlay()
	if play == nil || c.Kind != model.ClauseMay {
		return nil
	}
	thrown := x.ofCell(model.Flag, model.CellThrown)
	then := func(t id) id {
		return x.flag(model.OpIf, thrown, t, x.constant(model.Of(model.Flag), 1))
	}
	var out []id
	if c.By == nil {
		steps := x.ofCell(model.Number, model.CellSteps)
		var is func(t id) id
		is = func(t id) id {
			if y := x.terms[t]; y.op == model.OpIf {
				return x.flag(model.OpIf, y.args[0], is(y.args[1]), is(y.args[2]))
			}
			return x.equal(steps, t)
		}
		out = append(out, then(is(x.intern(play.Value, nil, 0))))
	}
	for _, v := range x.r.Vars {
		if v.Scope == model.ScopeGo && !v.Type.List && len(v.Initial) == 1 && !x.r.Own(v) && x.movesOnly(v) {
			out = append(out, then(x.equal(x.ofVar(v), x.constant(v.Type, v.Initial[0]))))
		}
	}
	return out
}

// onlyPlay is the statement of the turn that plays a number, before any other play and once in a go; nil if there are several.
func (x *setting) onlyPlay() *model.Stmt {
	var play *model.Stmt
	for s := range x.r.Turn.All() {
		switch {
		case s.Loops():
			return nil
		case s.Kind != model.StmtPlay:
		case play == nil && s.Play == model.PlayNumber && s.Value != nil:
			play = s
		case play == nil || s.Play != model.PlayEarned:
			return nil
		}
	}
	return play
}

// movesOnly reports whether a variable is assigned only by what moves bring about: not in the turn, nor when dice are thrown or a turn begins.
func (x *setting) movesOnly(v *model.Var) bool {
	return !seq.Any(x.r.Turn.All(), func(s *model.Stmt) bool { return s.Writes(v) || s.Kind == model.StmtDo || movesPiece(s) }) &&
		!x.assignsIn(v, model.EventThrow, model.EventTurnBegins, model.EventRank, model.EventDrop)
}

// noThrow reports whether a condition asks of several dice that are thrown together what no throw of them shows.
func (x *setting) noThrow(e *model.Expr) bool {
	w, dice, terms := &walk{setting: x}, []*model.Die(nil), []*model.Expr(nil)
	for _, part := range chained(model.OpAnd, e) {
		if of, chosen, ok := w.diceOnly(part); ok && !chosen && len(of) > 0 {
			terms, dice = append(terms, part), seq.Distinct(append(dice, of...))
		}
	}
	if len(dice) < 2 || !enumerable(dice) || !x.together(dice) {
		return false
	}
	none := true
	shows := func(faces map[*model.Die]int) {
		none = none && slices.ContainsFunc(terms, func(e *model.Expr) bool { v, ok := valueFor(faces, e); return ok && v == 0 })
	}
	before := map[*model.Die]int{} // before the first throw
	for _, d := range dice {
		before[d] = 0
	}
	shows(before)
	eachThrow(dice, shows)
	return none
}

// chained are the sides of a chain of one operator, in order: the expression itself if it is another one.
func chained(op model.Op, e *model.Expr) []*model.Expr {
	if e == nil || e.Op != op {
		return []*model.Expr{e}
	}
	return append(chained(op, e.Args[0]), chained(op, e.Args[1])...)
}

// together reports whether dice are never thrown one without the others.
func (x *setting) together(dice []*model.Die) bool {
	return !seq.Any(x.r.Stmts(), func(s *model.Stmt) bool {
		n := len(seq.Filter(dice, func(d *model.Die) bool { return slices.Contains(s.Dice, d) }))
		return n != 0 && n != len(dice)
	})
}
