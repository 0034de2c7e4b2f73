package sense

import (
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// begin is what is known when a clause is asked: what its event says of its pieces and places, and what the moves that lead to it
// have in common.
func (x *setting) begin(c *model.Clause) []*facts {
	b := &beginning{setting: x, c: c, cases: x.open()}
	switch c.Kind {
	case model.ClauseMay, model.ClauseMust, model.ClauseNever:
		if c.Move != nil {
			b.offer(c.Move)
		}
	case model.ClauseBeyond:
		b.cases = x.at(x.field(x.local(anyPiece), model.FieldAt), x.walksFrom(), b.cases)
	case model.ClauseStep, model.ClauseEnd:
		b.walk()
	case model.ClauseBefore:
		if c.Move != nil {
			b.cases = x.moving(c, b.cases)
		}
		if c.Act != nil {
			b.cases = x.called(c)
		}
	case model.ClauseOn:
		b.event()
		b.yes(x.setBefore(c)...)
	}
	if phaseOf(c) == counting && x.did != nil {
		b.cases = x.whileCounting(b.cases)
	}
	if x.did != nil && (c.Kind <= model.ClauseEnd || c.Kind == model.ClauseOn && c.Event == model.EventThrow && !x.throwsBeside()) {
		b.cases = x.at(x.field(x.ofCell(model.Player, model.CellMe), model.FieldPlaying), only(1), b.cases) // who is out has no turn
	}
	if len(b.cases) == 0 {
		return x.open()
	}
	return b.cases
}

// beginning collects what is known when a clause is asked.
type beginning struct {
	*setting
	c     *model.Clause
	cases []*facts
}

// yes and no assume that terms hold, or that one does not.
func (b *beginning) yes(terms ...id) { b.cases = b.holding(terms, b.cases) }
func (b *beginning) no(t id)         { b.cases = b.assume(t, false, b.cases) }

// stands assumes that a piece is on a place.
func (b *beginning) stands(p, at id) {
	list := b.piecesOf(at)
	b.yes(b.in(p, list))
	b.cases = b.at(b.count(list), span(1, greatest), b.cases)
}

// param is parameter i of the clause; ok is false if it has no name.
func (b *beginning) param(i int) (t id, ok bool) {
	if i >= len(b.c.Params) || b.c.Params[i] == nil {
		return 0, false
	}
	return b.local(b.c.Params[i]), true
}

// offer is a clause about an option.
func (b *beginning) offer(m *model.Move) {
	for i, p := range m.Params {
		set := b.intern(m.Sets[i], nil, 0)
		b.cases = b.ofElement(set, b.local(p), b.cases)
		b.yes(b.in(b.local(p), set))
	}
	if len(m.Params) > 0 && m.Params[0].Type.Kind == model.Piece {
		b.stands(b.local(m.Params[0]), b.field(b.local(m.Params[0]), model.FieldAt))
	}
	switch {
	case b.c.To == nil:
	case m.Kind == model.MoveTo:
		b.yes(b.equal(b.local(b.endOf(m)), b.intern(m.Where, nil, 0)))
	case m.Kind == model.MoveWalk && b.ahead():
		b.no(b.equal(b.field(b.local(m.Params[0]), model.FieldAt), b.local(b.endOf(m))))
	}
}

// walk is a clause about a step, or the end, of a walk. The walker is in the hand.
func (b *beginning) walk() {
	at := b.field(b.local(anyPiece), model.FieldAt)
	b.no(b.in(b.local(anyPiece), b.piecesOf(b.local(walked))))
	b.no(b.equal(b.ofCell(model.Place, model.CellHere), b.local(walked)))
	if b.ahead() {
		b.no(b.equal(at, b.local(walked)))
	}
	b.cases = b.at(at, b.walksFrom(), b.cases)
	if b.c.Kind == model.ClauseEnd && !b.endsShort() {
		b.cases = b.at(b.ofCell(model.Number, model.CellRemaining), only(0), b.cases)
	}
}

// event is a reaction.
func (b *beginning) event() {
	c := b.c
	switch c.Event {
	case model.EventStep:
		from, ok := b.param(1)
		if to, both := b.param(2); ok && both {
			b.no(b.equal(from, to))
		}
	case model.EventLand, model.EventMove:
		b.displaced()
	case model.EventThrow:
		b.yes(b.beforeThrow(c)...)
		for _, d := range c.Dice {
			if len(d.Faces) > 0 && !slices.ContainsFunc(d.Faces, func(f model.Face) bool { return f.Value == 0 }) {
				b.no(b.equal(b.ofDie(d), b.number(0)))
			}
		}
	case model.EventAct:
		b.cases = b.called(c)
	case model.EventTurnBegins:
		b.cases = b.turnBegins(b.cases)
	case model.EventRank, model.EventDrop:
		who, named := b.param(0)
		if !named || c.Params[0].Type.Kind != model.Player {
			return
		}
		if b.no(b.field(who, model.FieldPlaying)); c.Event == model.EventRank {
			b.yes(b.field(who, model.FieldRanked))
		}
	}
}

// displaced is a reaction to a move that is carried out, or to a piece that lands.
func (b *beginning) displaced() {
	c, lands := b.c, b.c.Event == model.EventLand
	if !lands && c.Move != nil {
		b.cases = b.moving(c, b.cases)
	}
	p, named := b.param(0)
	if !named || !lands && c.Move != nil && c.Move.Kind == model.MoveNothing {
		return
	}
	b.cases = b.began(c, p, b.cases)
	if set := b.movable(); set != nil && (lands || c.Move == nil) {
		list := b.unfiltered(b.intern(set, nil, 0))
		if b.cases = b.ofElement(list, p, b.cases); b.terms[list].op == model.OpMine {
			b.yes(b.in(p, list))
		}
	}
	at := b.field(p, model.FieldAt)
	b.stands(p, at)
	place, ok := b.param(1)
	if !lands {
		if ok = c.To != nil; ok {
			place = b.local(c.To)
		} else if ok = c.Move != nil && c.Move.Kind == model.MoveTo; ok {
			place = b.intern(c.Move.Where, b.naming(c.Move.Params, c.Params), 0)
			ok = b.fixed(place)
		}
	}
	if !b.stays(c) {
		return
	}
	if !lands && c.Move != nil && c.Move.Kind == model.MoveWalk {
		b.cases = b.at(at, b.walksTo(), b.cases)
	}
	if ok {
		b.yes(b.equal(at, place))
		b.stands(p, place)
		b.newest(p, at, place)
	}
}

// endsShort reports whether a walk may end before its last step: it is stopped, or turns twice without a step between.
func (x *setting) endsShort() bool {
	return seq.Any(x.r.Clauses(), func(c *model.Clause) bool {
		return judges(c, model.VerdictStop) || c.Kind == model.ClauseStep && judges(c, model.VerdictTurn)
	})
}

// throwsBeside reports whether dice are thrown beside the turn.
func (x *setting) throwsBeside() bool {
	return seq.Any(maps.Values(x.thrownAgain), func(beside bool) bool { return beside })
}

// movable is the list of which every move moves a piece, nil if there are several.
func (x *setting) movable() *model.Expr {
	var set *model.Expr
	for _, f := range x.may {
		m := f.x.Move
		switch {
		case m.Kind == model.MoveNothing:
		case len(m.Sets) == 0 || set != nil && x.intern(set, nil, 0) != x.intern(m.Sets[0], nil, 0):
			return nil
		default:
			set = m.Sets[0]
		}
	}
	return set
}

// unfiltered is a list without the conditions on its elements: what held when a piece was to be moved need not hold where it stands then.
func (x *setting) unfiltered(list id) id {
	for x.terms[list].op == model.OpFilter {
		list = x.terms[list].args[0]
	}
	return list
}

// began adds where a move began: where it may, and on the way to where the piece stands now.
func (x *setting) began(c *model.Clause, p id, cases []*facts) []*facts {
	if x.r.Mover == nil {
		return cases
	}
	from, mover, d := x.ofVar(x.r.From), x.ofVar(x.r.Mover), nothing
	for _, f := range x.may {
		m := f.x.Move
		if c.Event == model.EventMove && c.Move != nil && m != c.Move || len(m.Params) == 0 {
			continue
		}
		d = d.join(x.startsFrom(m, x.open()))
	}
	if d = d.without(-1); d.empty() {
		return cases
	}
	cases = x.assume(x.equal(mover, p), true, cases)
	cases = x.assume(x.equal(mover, x.constant(model.Of(model.Piece), -1)), false, cases)
	return x.at(from, d, cases)
}

// moving adds what the may clauses that offer a move ask, as far as it does not depend on the position.
func (x *setting) moving(c *model.Clause, cases []*facts) []*facts {
	names := x.naming(c.Move.Params, c.Params)
	for i, p := range c.Params {
		if p != nil && i < len(c.Move.Sets) {
			list := x.intern(c.Move.Sets[i], names, 0)
			if c.Kind == model.ClauseOn {
				list = x.unfiltered(list)
			}
			cases = x.ofElement(list, x.local(p), cases)
		}
	}
	if c.To != nil && c.Move.Kind == model.MoveTo {
		if where := x.intern(c.Move.Where, names, 0); x.fixed(where) {
			cases = x.assume(x.equal(x.local(c.To), where), true, cases)
		}
	}
	var out []*facts
	steps := x.ofCell(model.Number, model.CellSteps)
	for _, may := range x.may {
		if may.x.Move != c.Move {
			continue
		}
		now := x.at(steps, x.playedBy(may.x), cases)
		if may.x.By != nil && may.x.By.Type.List {
			list := x.with(x.intern(may.x.By, x.naming(may.x.Params, c.Params), 0), steps, x.unknown(model.Of(model.Number)))
			now = x.assume(x.oneOf(steps, list, names), true, now)
		}
		for _, t := range x.renamed(may.terms, names) {
			if x.settled(t, names) {
				now = x.assume(t, true, now)
			}
		}
		if len(out)+len(now) > maxCases {
			return cases
		}
		out = append(out, now...)
	}
	return out
}

// oneOf is the condition that a number is in one of the lists that may be meant. Conditions that may not hold any more leave both.
func (x *setting) oneOf(n, list id, names substitution) id {
	y := x.terms[list]
	if y.op != model.OpIf {
		return x.in(n, list)
	}
	a, b := x.oneOf(n, y.args[1], names), x.oneOf(n, y.args[2], names)
	if x.settled(y.args[0], names) {
		return x.flag(model.OpIf, y.args[0], a, b)
	}
	return x.flag(model.OpOr, a, b)
}

// playedBy is the domain of the numbers that the options of a may clause count.
func (x *setting) playedBy(c *model.Clause) domain {
	if c.By == nil {
		return x.played
	}
	return x.given(c.By, c.By.Type.List, nil)
}

// settled reports whether a condition of an option still holds when its move is carried out: it asks about the number, dice that
// no reaction throws, and what never changes.
func (x *setting) settled(t id, names substitution) bool {
	unsettled := func(t id) bool { // by itself
		y := x.terms[t]
		switch y.op {
		case model.OpLocal:
			return !seq.Any(maps.Values(names), func(as id) bool { return t == as })
		case model.OpDie:
			return x.thrownAgain[y.what.(*model.Die)]
		case model.OpCell:
			return y.cell != model.CellSteps && y.cell != model.CellThrown && y.cell != model.CellEarned
		case model.OpConst, model.OpList, model.OpRange, model.OpAnd, model.OpOr, model.OpNot, model.OpIf, model.OpIn, model.OpEq, model.OpNe, model.OpLt, model.OpLe,
			model.OpGt, model.OpGe, model.OpAdd, model.OpSub, model.OpMul, model.OpMod, model.OpNeg, model.OpAbs, model.OpMin, model.OpMax, model.OpTag, model.OpFamily,
			model.OpAttr, model.OpMark:
			return false
		case model.OpField:
			return !x.fixed(t)
		}
		return true
	}
	return len(x.parts(t, unsettled)) == 0
}

// turnBegins is what is known when a turn begins, unless a reaction to that changes it.
func (x *setting) turnBegins(cases []*facts) []*facts {
	throws := x.brings(isThrow, model.EventTurnBegins)
	set := func(t id, values ...int) { cases = x.at(t, listed(values...), cases) }
	set(x.ofCell(model.Number, model.CellSteps), 0)
	set(x.ofCell(model.Number, model.CellUsable), 0)
	set(x.ofCell(model.Number, model.CellHeading), 1)
	set(x.ofCell(model.Flag, model.CellThrown), 0)
	set(x.ofCell(model.Flag, model.CellEarned), 0)
	me := x.ofCell(model.Player, model.CellMe)
	for _, v := range x.r.Vars {
		switch {
		case v.Scope == model.ScopePlayer && x.clearedForAll(v):
			set(x.add(term{op: model.OpVar, typ: v.Type, what: v}, me), v.Initial...)
		case v.Scope != model.ScopeTurn && v.Scope != model.ScopeGo || v.Type.List || len(v.Initial) != 1 || x.assignsIn(v, model.EventTurnBegins):
		case v == x.r.Throws && !throws:
			set(x.ofVar(v), 0)
		case !x.r.Own(v):
			set(x.ofVar(v), v.Initial...)
		}
	}
	return cases
}

// clearedForAll reports whether the only reaction to the end of a turn that assigns a variable gives all players its first value, and
// nothing else does before the next turn has begun.
func (x *setting) clearedForAll(v *model.Var) bool {
	if v.Type.List || len(v.Initial) != 1 || x.assignsIn(v, model.EventTurnBegins) || x.r.Setup != nil || seq.Any(x.r.Stmts(), isFinish) {
		return false
	}
	clears := func(s *model.Stmt) bool {
		if s.Kind != model.StmtFor || !s.Loops() || s.Value.Op != model.OpSet || s.Value.Set != model.SetPlayers || len(s.Then.Stmts) != 1 {
			return false
		}
		t := s.Then.Stmts[0]
		return t.Kind == model.StmtAssign && t.Assign == model.AssignSet && t.Target.Var == v && t.Value.IsConst(v.Initial[0]) &&
			isName(t.Target.Args[0], s.Local)
	}
	writes := func(s *model.Stmt) bool { return s.Writes(v) }
	all := slices.DeleteFunc(slices.Clone(x.raised(model.EventTurnEnds)), func(b *model.Block) bool { return !seq.Any(b.All(), writes) })
	return len(all) == 1 && slices.ContainsFunc(all[0].Stmts, clears) && seq.Any(x.r.Clauses(), func(c *model.Clause) bool {
		return c.Event == model.EventTurnEnds && c.Kind == model.ClauseOn && c.Block == all[0] && c.When == nil &&
			!slices.ContainsFunc(all[0].Stmts, func(s *model.Stmt) bool { return !clears(s) && seq.Any(one(s).All(), writes) })
	})
}

// raised lists the blocks that may be done in reaction to an event, and in reaction to what they do.
func (x *setting) raised(event model.EventKind) []*model.Block {
	if out, known := x.raises[event]; known {
		return out
	}
	var out []*model.Block
	seen := map[*model.Block]bool{}
	var add func(b *model.Block)
	react := func(is func(c *model.Clause) bool) {
		for c := range x.r.Clauses() {
			if (c.Kind == model.ClauseOn || c.Kind == model.ClauseBefore && c.Act != nil) && is(c) {
				add(c.Block)
			}
		}
	}
	to := func(events ...model.EventKind) func(c *model.Clause) bool {
		return func(c *model.Clause) bool { return slices.Contains(events, c.Event) }
	}
	add = func(b *model.Block) {
		if b == nil || seen[b] {
			return
		}
		seen[b] = true
		out = append(out, b)
		for s := range b.All() {
			switch s.Kind {
			case model.StmtDo:
				add(s.Act.Block)
				react(func(c *model.Clause) bool { return c.Act == s.Act })
			case model.StmtPut, model.StmtExchange:
				react(to(model.EventLeave))
			case model.StmtThrow:
				react(to(model.EventThrow))
			case model.StmtFinish:
				react(to(model.EventDrop, model.EventRank))
			}
		}
	}
	react(to(event))
	if x.raises == nil {
		x.raises = map[model.EventKind][]*model.Block{}
	}
	x.raises[event] = out
	return out
}

// startsFrom is the domain of the places where a move may begin.
func (x *setting) startsFrom(m *model.Move, cases []*facts) domain {
	if m.From != nil {
		cases = x.assume(x.intern(m.From, nil, 0), true, cases)
	}
	return x.joined(x.field(x.local(m.Params[0]), model.FieldAt), cases)
}

// walksFrom is the domain of the places where walks begin.
func (x *setting) walksFrom() domain {
	if x.begun == nil {
		d := nothing
		for _, f := range x.may {
			if m := f.x.Move; m.Kind == model.MoveWalk {
				d = d.join(x.startsFrom(m, x.open()))
			}
		}
		if d.empty() {
			d = x.ofKind(model.Place)
		}
		x.begun = &d
	}
	return *x.begun
}

// stays reports whether the piece that has moved is still where its move ended when a reaction is asked: nothing that comes before
// moves it elsewhere.
func (x *setting) stays(c *model.Clause) bool {
	if x.stayed == nil {
		x.stayed = map[model.EventKind]int{model.EventLand: 1 << 30, model.EventMove: 1 << 30}
		for o := range x.r.Clauses() {
			if at, ok := x.stayed[o.Event]; ok && o.Kind == model.ClauseOn && o.Index < at && x.movesWalker(o) {
				x.stayed[o.Event] = o.Index
			}
		}
	}
	return c.Index <= x.stayed[c.Event] && (c.Event != model.EventMove || x.stayed[model.EventLand] == 1<<30)
}

// movesWalker reports whether a reaction to a move may put its piece elsewhere.
func (x *setting) movesWalker(c *model.Clause) bool {
	if !raisesAny(c.Block) {
		return false
	}
	walker := term{op: unknownOp, typ: model.Of(model.Piece)}
	if firstNamed(c) {
		walker = term{op: model.OpLocal, typ: c.Params[0].Type, what: c.Params[0]}
	}
	p := x.add(walker)
	cases := x.holding(x.formulaOf(c, nil).terms, x.begin(c)) // it has stayed so far
	return x.mayPut(c.Block, p, cases, map[*model.Act]bool{})
}

// mayPut reports whether statements may put a piece elsewhere.
func (x *setting) mayPut(b *model.Block, p id, cases []*facts, in map[*model.Act]bool) bool {
	other := func(e *model.Expr) bool {
		now, t := cases, x.intern(e, nil, 0)
		if list, ok := x.taken(x.terms[t]); ok {
			now = x.ofElement(list, t, now)
		}
		return len(x.assume(x.equal(t, p), true, now)) == 0
	}
	return slices.ContainsFunc(stmts(b), func(s *model.Stmt) bool {
		switch s.Kind {
		case model.StmtPut:
			return !other(s.Value)
		case model.StmtExchange:
			return !other(s.Value) || !other(s.Other)
		case model.StmtIf:
			t := x.intern(s.Value, nil, 0)
			return x.mayPut(s.Then, p, x.assume(t, true, cases), in) || x.mayPut(s.Else, p, x.assume(t, false, cases), in)
		case model.StmtFor, model.StmtChoose:
			now := cases
			if s.Local != nil && s.Local.Type.Kind == model.Piece {
				now = x.ofName(s, cases)
			}
			return x.mayPut(s.Then, p, now, in)
		case model.StmtDo:
			if in[s.Act] || len(in) > maxCalls {
				return true
			}
			in[s.Act] = true
			others := map[*model.Local]bool{}
			for i, a := range s.Args {
				others[s.Act.Params[i]] = s.Act.Params[i].Type.Kind == model.Piece && !a.Type.List && other(a)
			}
			if x.actPuts(s.Act, s.Act.Params, s.Act.Block, others) || seq.Any(x.r.Clauses(), func(c *model.Clause) bool {
				return c.Act == s.Act && x.actPuts(s.Act, c.Params, c.Block, others)
			}) {
				return true
			}
			delete(in, s.Act)
		case model.StmtThrow, model.StmtFinish:
			return true // what reacts to it may put any piece
		}
		return false
	})
}

// actPuts reports whether the statements of an act, or of a reaction to it, may put other pieces than the parameters that are others than the piece asked for.
func (x *setting) actPuts(a *model.Act, params []*model.Local, b *model.Block, others map[*model.Local]bool) bool {
	fine := func(e *model.Expr) bool {
		i := slices.Index(params, e.Local)
		return e.Op == model.OpLocal && i >= 0 && others[a.Params[i]]
	}
	return seq.Any(b.All(), func(s *model.Stmt) bool {
		switch s.Kind {
		case model.StmtPut:
			return !fine(s.Value)
		case model.StmtExchange:
			return !fine(s.Value) || !fine(s.Other)
		case model.StmtThrow, model.StmtFinish:
			return true
		case model.StmtDo: // nested acts are followed no further, unless they put nothing
			return seq.Any(s.Act.Block.All(), func(t *model.Stmt) bool {
				return t.Kind != model.StmtAssign && t.Kind != model.StmtEarn && t.Kind != model.StmtAgain && t.Kind != model.StmtIf
			})
		}
		return false
	})
}
