package sense

import (
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// solver decides for one setting whether conditions are satisfiable.
type solver struct {
	r         *model.Rules
	terms     []term
	room      []id    // for arguments of terms
	blank     []facts // for new facts
	index     index
	calls     map[callKey]id
	unknowns  int
	vars      map[*model.Var]domain   // all values a variable can have in a game
	locals    map[*model.Local]domain // a domain smaller than that of the type
	arrive    map[*model.Local]id     // the place a name refers to: the destination of a move
	steps     domain                  // the numbers that a move can count
	onTracks  domain                  // see track
	reached   domain                  // the places where pieces can stand; empty where that is not known
	standing  [][]domain              // for each colour, where its pieces can stand
	indexed   [][2]domain             // places, and their indexes
	indexesOf [][]int                 // the indexes of each place on the tracks
	before    bool                    // the dice may not be thrown yet
	phase     phase
	late      map[*model.Die]bool  // dice that may not be thrown yet when a number is played
	rolled    map[*model.Stmt]bool // of the turn: whether all dice have been thrown before it
	start     bool                 // the game begins: all pieces stand where they begin
	deep      int                  // conditions on elements that are looked into
	cut       bool                 // some were not, since they stand too deep
	moments   []*moment
	now       *moment
	counted   map[model.Cell]domain  // the numbers of throws, and of the queue
	coarse    bool                   // nothing is asked about the elements of lists
	counters  []*model.Var           // of the turn, which count throws from 0
	throws    int                    // see most; 0 until it is known
	did       *doings                // nil where not all of the rules are known
	straight  *bool                  // see ahead
	sides     map[sideKey]*sideTable // see sideOf
	fullest   map[*model.Var]int     // see mostIn
	flags     map[flagKey]domain     // see flagged
	allSites  []site                 // see sites
}

// usualTerms is for how many terms room is made at once.
const usualTerms = 512

func newSolver(r *model.Rules) *solver {
	s := emptySolver(r)
	s.terms, s.index.slots = make([]term, 0, usualTerms), make([]id, 2*usualTerms)
	s.did = doingsOf(r)
	s.did.back = true // until the numbers that are counted are known
	for _, v := range r.Vars {
		if r.Throws != nil && v.Scope == model.ScopeTurn && v.Type == model.Of(model.Number) && !r.Own(v) {
			if adds := s.counter(v); adds != nil && adds.Event == model.EventThrow && s.resets(v) <= 0 {
				s.counters = append(s.counters, v)
			}
		}
	}
	s.moved()
	s.valuesOfVariables()
	s.boundNames()
	s.reach()
	s.late, s.rolled = map[*model.Die]bool{}, map[*model.Stmt]bool{}
	s.lateDice(r.Turn, map[*model.Die]bool{})
	return s
}

// moved notes that what an event of the engine is about is there, but for the place before which a walk turns.
func (s *solver) moved() {
	for c := range s.r.Clauses() {
		if c.Kind != model.ClauseOn || c.Act != nil {
			continue
		}
		for _, p := range c.Params {
			if p != nil && !p.Type.List && p.Type.Kind.Ref() && (c.Event != model.EventTurned || p.Type.Kind != model.Place) {
				s.locals[p] = s.something(p.Type.Kind)
			}
		}
	}
}

// again is a solver of the same rules that has asked nothing yet.
func (s *solver) again() *solver {
	out := emptySolver(s.r)
	out.vars, out.locals, out.late, out.did, out.reached = maps.Clone(s.vars), maps.Clone(s.locals), s.late, s.did, s.reached
	return out
}

// lateDice finds the dice that may not be thrown yet at a play of the turn, and the statements of the turn before which all are; thrown are
// those thrown before.
func (s *solver) lateDice(b *model.Block, thrown map[*model.Die]bool) {
	for _, x := range stmts(b) {
		s.rolled[x] = len(thrown) == len(s.r.Dice)
		switch {
		case x.Kind == model.StmtThrow:
			for _, d := range x.Dice {
				thrown[d] = true
			}
		case x.Kind == model.StmtPlay:
			for _, d := range s.r.Dice {
				s.late[d] = s.late[d] || !thrown[d]
			}
		case x.Kind == model.StmtChoose || x.Once():
			s.lateDice(x.Then, thrown)
		case x.Kind == model.StmtIf || x.Loops():
			then, otherwise := maps.Clone(thrown), maps.Clone(thrown)
			s.lateDice(x.Then, then)
			s.lateDice(x.Else, otherwise)
			for d := range then {
				if otherwise[d] {
					thrown[d] = true
				}
			}
		}
	}
}

// boundNames computes the values that the names of loops and questions can have.
func (s *solver) boundNames() {
	s.before = true
	for x := range s.r.Stmts() {
		if x.Local == nil || x.Local.Type.Kind == model.Flag {
			continue
		}
		if l, ok := s.elements(s.intern(x.Value, nil, 0), nil); ok {
			d := l.all
			if x.Kind == model.StmtChoose && x.Local.Type.Kind.Ref() {
				d = d.without(-1) // a candidate that is nil is a fault
			}
			if !d.empty() {
				s.locals[x.Local] = d
			}
		}
	}
	s.before = false
	s.forget()
}

// freeSolver is a solver in which a variable may have any value of its type, and dice may not be thrown yet.
func freeSolver(r *model.Rules) *solver {
	s := emptySolver(r)
	s.before = true
	for range r.Colours {
		s.standing = append(s.standing, []domain{s.ofKind(model.Place)})
	}
	for _, v := range r.Vars {
		s.vars[v] = s.ofKind(v.Type.Kind)
		if v.Type.Kind == model.Number {
			s.vars[v] = span(v.Low, v.High)
		}
	}
	return s
}

// startSolver is a solver of the position in which a game without a setup begins.
func startSolver(r *model.Rules) *solver {
	s := emptySolver(r)
	s.before, s.start, s.steps = true, true, only(0)
	for _, v := range r.Vars {
		if v.Type.List {
			s.vars[v] = s.ofKind(v.Type.Kind)
		} else {
			s.vars[v] = listed(v.Initial...)
		}
	}
	return s
}

func emptySolver(r *model.Rules) *solver {
	s := &solver{
		r: r, index: newIndex(), calls: map[callKey]id{}, vars: map[*model.Var]domain{}, locals: map[*model.Local]domain{},
		arrive: map[*model.Local]id{}, sides: map[sideKey]*sideTable{}, fullest: map[*model.Var]int{}, flags: map[flagKey]domain{}, steps: span(least, greatest), reached: nothing,
	}
	s.recall()
	return s
}

// facts is a linked list of facts about terms: the newest fact about a term counts. nil means no facts.
type facts struct {
	before *facts
	term   id
	is     domain
}

// fact adds one to those before. There are many, so room is made for several at once.
func (s *solver) fact(before *facts, t id, is domain) *facts {
	if len(s.blank) == 0 {
		s.blank = make([]facts, 64)
	}
	f := &s.blank[0]
	s.blank = s.blank[1:]
	*f = facts{before, t, is}
	return f
}

func (f *facts) of(t id) (domain, bool) {
	for ; f != nil; f = f.before {
		if f.term == t {
			return f.is, true
		}
	}
	return domain{}, false
}

// maxCases limits into how many cases a condition is split; a further split adds no facts.
const maxCases = 48

// assume adds the fact that a condition has the wanted value, and returns one case for each way in which it can. No
// case is left if it cannot. It may return a case that is not possible.
func (s *solver) assume(t id, want bool, cases []*facts) []*facts {
	if len(cases) == 0 {
		return nil
	}
	x := &s.terms[t]
	switch x.op {
	case model.OpConst:
		if (x.n != 0) == want {
			return cases
		}
		return nil
	case model.OpNot:
		return s.assume(x.args[0], !want, cases)
	case model.OpAnd, model.OpOr:
		a, b, both := x.args[0], x.args[1], (x.op == model.OpAnd) == want
		first := s.assume(a, want, cases)
		if both {
			return s.assume(b, want, first)
		}
		return s.either(cases, first, s.assume(b, want, s.assume(a, !want, cases)))
	case model.OpIf:
		c, a, b := x.args[0], x.args[1], x.args[2]
		return s.either(cases, s.assume(a, want, s.assume(c, true, cases)), s.assume(b, want, s.assume(c, false, cases)))
	}
	var out []*facts
	for _, f := range cases {
		if g, ok := s.learn(t, want, f); ok {
			out = append(out, g)
		}
	}
	return out
}

func (s *solver) either(before, a, b []*facts) []*facts {
	if len(a)+len(b) > maxCases {
		return before
	}
	return slices.Concat(a, b)
}

// possible reports whether a conjunction of conditions is satisfiable.
func (s *solver) possible(conditions ...id) bool {
	return s.possibleAfter([]*facts{nil}, conditions...)
}

// possibleAfter reports whether a conjunction of conditions is satisfiable where something is known.
func (s *solver) possibleAfter(known []*facts, conditions ...id) bool {
	forward, backward := known, known
	for i, c := range conditions {
		forward = s.assume(c, true, forward)
		if len(conditions) > 1 { // what is known later may say more about what came before
			backward = s.assume(conditions[len(conditions)-1-i], true, backward)
		}
	}
	return len(forward) > 0 && len(backward) > 0
}

// holding adds the facts that conditions hold.
func (s *solver) holding(conditions []id, cases []*facts) []*facts {
	for _, c := range conditions {
		cases = s.assume(c, true, cases)
	}
	return cases
}

var negated = map[model.Op]model.Op{
	model.OpEq: model.OpNe, model.OpNe: model.OpEq, model.OpLt: model.OpGe, model.OpGe: model.OpLt, model.OpGt: model.OpLe, model.OpLe: model.OpGt,
}

// learn adds the fact that an atomic condition has the wanted value; ok is false if it cannot.
func (s *solver) learn(t id, want bool, f *facts) (g *facts, ok bool) {
	x, ok := &s.terms[t], true
	truth := flagNumber(want)
	follows := func(t id, d domain) { // notes what else is known then
		if ok {
			f, ok = s.narrow(t, d, f)
		}
	}
	switch x.op {
	case model.OpEq, model.OpNe, model.OpLt, model.OpLe, model.OpGt, model.OpGe:
		op := x.op
		if !want {
			op = negated[op]
		}
		if f, ok = s.compare(op, x.args[0], x.args[1], f); !ok {
			return nil, false
		}
		return s.ordered(op, x.args[0], x.args[1], f)
	case model.OpIn:
		if y := s.terms[x.args[1]]; !want && y.op == model.OpSet && y.set == model.SetPiecesOf {
			if owner := s.terms[y.args[0]]; owner.op == model.OpField && owner.typ.Kind != model.Place && owner.args[0] == x.args[0] {
				return nil, false // a piece is one of those of its side
			}
		}
		if list, fine := s.elements(x.args[1], f); fine {
			was := s.domain(x.args[0], f)
			d := was
			switch {
			case want:
				d = d.meet(list.all)
			case list.sure:
				d = d.keep(func(v int) bool { return !list.all.has(v) })
			}
			f, ok = s.narrowed(x.args[0], was, d, f)
		}
	case model.OpAll, model.OpAny, model.OpNone:
		if f != nil && !s.overElements(*x, f).has(truth) {
			return nil, false
		}
		f, ok = s.likewise(*x, want, f)
	case model.OpCell:
		if x.cell != model.CellThrown && x.cell != model.CellEarned || !want && s.phase != counting {
			break
		}
		if numbers, known := s.counted[x.cell]; want && known {
			follows(s.ofCell(model.Number, model.CellSteps), numbers)
		}
		follows(s.ofCell(model.Flag, model.CellThrown+model.CellEarned-x.cell), only(1-truth)) // a number is one or the other
	case model.OpTag, model.OpFamily, model.OpField:
		if want && x.op == model.OpField && (x.field == model.FieldRanked || x.field == model.FieldPlaying) { // never both
			follows(s.field(x.args[0], model.FieldRanked+model.FieldPlaying-x.field), only(0))
		}
		if places, is := s.flagged(x, want); is && ok {
			was := s.domain(x.args[0], f)
			f, ok = s.narrowed(x.args[0], was, was.meet(places), f)
		}
	}
	if !ok {
		return nil, false
	}
	return s.narrow(t, only(truth), f)
}

// follows reports whether a is the next player or colour after b, which is never b itself.
func (s *solver) follows(a, b id) bool {
	x := s.terms[a]
	if x.op != model.OpFirst {
		return false
	}
	list := s.terms[x.args[0]]
	return list.op == model.OpSet && list.set == model.SetAfter && list.args[0] == b
}

// ordered adds the fact that a comparison holds, under one name for it and its opposite: two that contradict each other are not
// possible, whatever is compared.
func (s *solver) ordered(op model.Op, a, b id, f *facts) (*facts, bool) {
	truth := 1
	switch op {
	case model.OpNe:
		op, truth = model.OpEq, 0
	case model.OpGe:
		op, truth = model.OpLt, 0
	case model.OpGt:
		op, a, b = model.OpLt, b, a
	case model.OpLe:
		op, a, b, truth = model.OpLt, b, a, 0
	}
	if op == model.OpEq {
		a, b = s.sameSide(a, b)
	}
	if op == model.OpEq && a > b {
		a, b = b, a
	}
	t := s.flag(op, a, b)
	if d, known := f.of(t); known {
		return f, d.has(truth)
	}
	return s.fact(f, t, only(truth)), true
}

// sameSide replaces two teams by their players, and two players by their colours, where each has only one.
func (s *solver) sameSide(a, b id) (id, id) {
	x, y := s.terms[a], s.terms[b]
	if x.op != model.OpField || y.op != model.OpField || x.typ != y.typ || x.field != y.field || s.terms[x.args[0]].typ != s.terms[y.args[0]].typ {
		return a, b
	}
	of := s.terms[x.args[0]].typ.Kind
	switch {
	case x.field == model.FieldTeam && len(s.r.Teams) == len(s.r.Seats) && of == model.Player:
		return x.args[0], y.args[0]
	case x.field == model.FieldTeam && len(s.r.Teams) == len(s.r.Seats):
		return s.sameSide(s.field(x.args[0], model.FieldPlayer), s.field(y.args[0], model.FieldPlayer))
	case x.field == model.FieldPlayer && len(s.r.Seats) == len(s.r.Colours) && of == model.Colour:
		return x.args[0], y.args[0]
	case x.field == model.FieldPlayer && len(s.r.Seats) == len(s.r.Colours):
		return s.field(x.args[0], model.FieldColour), s.field(y.args[0], model.FieldColour)
	}
	return a, b
}

// opposite is the term of the opposite of a condition.
func (s *solver) opposite(t id) id {
	x := s.terms[t]
	if x.op == model.OpNot {
		return x.args[0]
	}
	if op, ok := negated[x.op]; ok {
		return s.add(term{op: op, typ: x.typ}, x.args...)
	}
	return s.add(term{op: model.OpNot, typ: x.typ}, t)
}

// likewise adds what follows from all, any or none of a list for the other two, and for those of the opposite.
func (s *solver) likewise(x term, want bool, f *facts) (*facts, bool) {
	low, _ := s.length(x.args[0], f)
	follows := map[model.Op]int{}
	switch {
	case x.op == model.OpNone:
		follows[model.OpAny] = flagNumber(!want)
	case x.op == model.OpAny:
		follows[model.OpNone] = flagNumber(!want)
	case want && low > 0:
		follows[model.OpAny], follows[model.OpNone] = 1, 0
	}
	if low > 0 && (follows[model.OpNone] == 1 || x.op == model.OpNone && want) {
		follows[model.OpAll] = 0
	}
	ok := true
	for _, op := range []model.Op{model.OpAll, model.OpAny, model.OpNone} {
		if v, known := follows[op]; known && ok {
			f, ok = s.narrow(s.add(term{op: op, typ: x.typ, n: x.n}, x.args...), only(v), f)
		}
	}
	if len(x.args) < 2 || !ok {
		return f, ok
	}
	some := want // whether the opposite holds for some element
	op := model.OpAll
	switch x.op {
	case model.OpAll:
		op, some = model.OpAny, !want
	case model.OpNone:
		some = !want
	}
	if op == model.OpAll { // any is that not all are the opposite
		some = !some
	}
	truth := flagNumber(some)
	same := s.add(term{op: op, typ: x.typ, n: x.n}, x.args[0], s.opposite(x.args[1]))
	if d, known := f.of(same); known {
		return f, d.has(truth)
	}
	return s.fact(f, same, only(truth)), true
}

// flagOf returns the flag of places that a term is, if it depends on the board only, nil for any other term.
func (s *solver) flagOf(op model.Op, field model.Field, n int) func(place int) bool {
	places := s.r.Board.Places
	switch {
	case op == model.OpTag:
		return func(p int) bool { return p >= 0 && places[p].Tags[n] }
	case op == model.OpFamily:
		return func(p int) bool { return p >= 0 && places[p].Family == n }
	case op == model.OpField && field == model.FieldSquare:
		return func(p int) bool { return p >= 0 && !places[p].Zone }
	}
	return nil
}

// flagKey is a flag of places that depends on the board only, and whether it holds.
type flagKey struct {
	op    model.Op
	field model.Field
	n     int
	holds bool
}

// flagged is the domain of the places, nil among them, of which such a flag holds or does not; ok is false if a term is none.
func (s *solver) flagged(x *term, holds bool) (places domain, ok bool) {
	key := flagKey{x.op, x.field, x.n, holds}
	if places, ok = s.flags[key]; ok {
		return places, true
	}
	is := s.flagOf(x.op, x.field, x.n)
	if is == nil || len(s.r.Board.Places) >= maxListed {
		return domain{}, false
	}
	places = s.ofKind(model.Place).keep(func(p int) bool { return is(p) == holds })
	s.flags[key] = places
	return places, true
}

func (s *solver) compare(op model.Op, a, b id, f *facts) (*facts, bool) {
	if a == b {
		return f, op == model.OpEq || op == model.OpLe || op == model.OpGe
	}
	if s.terms[a].typ.Kind.Ref() {
		var of, to [4]id
		for _, c := range s.equals(of[:0], a, f) {
			for _, d := range s.equals(to[:0], b, f) {
				switch {
				case c == d:
					return f, op == model.OpEq
				case s.follows(c, d) || s.follows(d, c) || f != nil && (s.unequal(c, d, f) || s.differ(c, d, f)):
					return f, op == model.OpNe
				}
			}
		}
	}
	if s.within(a, b) && op == model.OpGt || s.within(b, a) && op == model.OpLt {
		return f, false // a part of a list is no longer than the list
	}
	if op == model.OpLt && (s.farthest(model.OpMin, b, a, f) || s.farthest(model.OpMax, a, b, f)) || op == model.OpGt && (s.farthest(model.OpMax, b, a, f) || s.farthest(model.OpMin, a, b, f)) {
		return f, false // what is in a list is neither below its least nor above its greatest
	}
	wasA, wasB := s.domain(a, f), s.domain(b, f)
	x, y := wasA, wasB
	switch op {
	case model.OpEq:
		m := x.meet(y)
		x, y = m, m
	case model.OpNe:
		v, one := y.single()
		w, other := x.single()
		if one {
			x = x.without(v)
		}
		if other {
			y = y.without(w)
		}
	case model.OpLt:
		x, y = x.meet(span(least, y.hi-1)), y.meet(span(x.lo+1, greatest))
	case model.OpLe:
		x, y = x.meet(span(least, y.hi)), y.meet(span(x.lo, greatest))
	case model.OpGt:
		x, y = x.meet(span(y.lo+1, greatest)), y.meet(span(least, x.hi-1))
	case model.OpGe:
		x, y = x.meet(span(y.lo, greatest)), y.meet(span(least, x.hi))
	}
	g, ok := s.narrowed(a, wasA, x, f)
	switch {
	case !ok:
		return nil, false
	case g != f:
		wasB = s.domain(b, g)
	}
	return s.narrowed(b, wasB, y, g)
}

// unequal reports whether two terms are known not to be the same.
func (s *solver) unequal(a, b id, f *facts) bool {
	x := term{op: model.OpEq, typ: model.Of(model.Flag)}
	slot, _ := s.find(&x, []id{min(a, b), max(a, b)})
	if *slot == 0 {
		return false // it was never asked
	}
	d, known := f.of(*slot - 1)
	return known && d.hi == 0
}

// equals adds a term to a list, and those that are known to be the same.
func (s *solver) equals(out []id, t id, f *facts) []id {
	out = append(out, t)
	for g := f; g != nil; g = g.before {
		if y := &s.terms[g.term]; y.op == model.OpEq && g.is.lo == 1 && (y.args[0] == t || y.args[1] == t) {
			out = append(out, y.args[0]+y.args[1]-t)
		}
	}
	return out
}

// within reports whether one count is of a part of the list of another.
func (s *solver) within(a, b id) bool {
	x, y := s.terms[a], s.terms[b]
	if x.op != model.OpCount || y.op != model.OpCount || len(y.args) > 1 {
		return false
	}
	list := x.args[0]
	for len(x.args) == 1 && s.terms[list].op == model.OpFilter && list != y.args[0] {
		list = s.terms[list].args[0]
	}
	return list == y.args[0]
}

// differ reports whether two pieces, or two of their colours or players, are known not to be the same, as something of them is not.
func (s *solver) differ(a, b id, f *facts) bool {
	x, y := s.terms[a], s.terms[b]
	fields := []model.Field{model.FieldAt, model.FieldColour, model.FieldPlayer, model.FieldTeam}
	switch {
	case x.typ.Kind == model.Piece:
	case x.op == model.OpField && y.op == model.OpField && x.field == y.field && (x.field == model.FieldColour || x.field == model.FieldPlayer):
		if fields = fields[2:]; !slices.ContainsFunc(s.r.Seats, func(seat model.Seat) bool { return len(seat.Colours) != 1 }) {
			fields = append(fields, model.FieldColour)
		}
		a, b = x.args[0], y.args[0]
	default:
		return false
	}
	if s.terms[a].op == model.OpConst || s.terms[b].op == model.OpConst {
		return false
	}
	return slices.ContainsFunc(fields, func(field model.Field) bool {
		of, one := s.knownField(a, field)
		other, both := s.knownField(b, field)
		return one && both && (s.unequal(of, other, f) || field == model.FieldAt && !s.domain(of, f).meets(s.domain(other, f)))
	})
}

// narrow adds the fact that a term is in a domain, and what follows for its parts.
func (s *solver) narrow(t id, d domain, f *facts) (*facts, bool) {
	return s.narrowed(t, s.domain(t, f), d, f)
}

// narrowed is narrow of a term whose domain is known.
func (s *solver) narrowed(t id, was, d domain, f *facts) (*facts, bool) {
	d = was.meet(d)
	if d.empty() {
		return nil, false
	}
	if d.equal(was) {
		return f, true
	}
	f = s.fact(f, t, d)
	x := s.terms[t]
	ok := true
	follows := func(t id, d domain) { // notes what else is known then
		if ok {
			f, ok = s.narrow(t, d, f)
		}
	}
	if x.typ.Kind.Ref() { // what is the same is there too
		for g := f; g != nil && ok; g = g.before {
			if y := &s.terms[g.term]; y.op == model.OpEq && g.is.lo == 1 && (y.args[0] == t || y.args[1] == t) {
				follows(y.args[0]+y.args[1]-t, d)
			}
		}
		if !ok {
			return nil, false
		}
	}
	switch x.op {
	case model.OpAdd, model.OpSub:
		for i, part := range x.args {
			switch v, one := s.domain(x.args[1-i], f).single(); {
			case !one || !ok:
			case x.op == model.OpAdd:
				follows(part, d.shift(-v))
			case i == 0:
				follows(part, d.shift(v))
			default: // v - part is d
				follows(part, d.reverse().shift(v))
			}
		}
	case model.OpVar: // a throw counts one at most
		if x.what == any(s.r.Throws) && s.did != nil {
			for _, v := range s.counters {
				follows(s.ofVar(v), span(v.Low, d.hi))
			}
		}
	case model.OpField: // a piece has the index of its place
		if x.field == model.FieldAt && d.size() <= maxIndexed {
			if index, known := s.knownField(x.args[0], model.FieldIndex); known {
				follows(index, s.indexes(d))
			}
		}
	case model.OpAttr: // it is one of the places with such a value
		values := s.r.Board.Attributes[x.n].Values
		follows(x.args[0], s.domain(x.args[0], f).keep(func(p int) bool { return p < 0 && d.has(-1) || p >= 0 && d.has(values[p]) }))
	case model.OpNeg:
		follows(x.args[0], d.reverse())
	case model.OpMod, model.OpAbs, model.OpMul:
		values := only(0)
		if len(x.args) > 1 {
			values = s.domain(x.args[1], f)
		}
		if n, one := values.single(); one && (n != 0 || x.op != model.OpMod) {
			of := s.domain(x.args[0], f).keep(func(v int) bool {
				switch x.op {
				case model.OpMod:
					return d.has(v % n)
				case model.OpMul:
					return d.has(v * n)
				}
				return d.has(max(v, -v))
			})
			follows(x.args[0], of)
		}
	}
	return f, ok
}
