package sense

import (
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// ranges records statements that count a variable out of its range, and wins that may count nothing. What is known of how often something
// happens is little, so it looks only at variables that no condition keeps from it.
func (x *setting) ranges() {
	for _, v := range x.r.Vars {
		if v.Type != model.Of(model.Number) || x.r.Own(v) || v.Scope == model.ScopeTurn || v.Scope == model.ScopeGo || x.limits(v) {
			continue
		}
		if up, down, ok := x.countsOf(v); ok {
			x.outOfRange(v, up, down)
			x.worthNothing(v, up, down)
		}
	}
}

// passedOver records an ending that asks for one value of a number that only grows, and can grow by several at once: several pieces may be
// what an act is done to.
func (x *setting) passedOver() {
	for c := range x.r.Clauses() {
		if c.Kind != model.ClauseEnding || c.When == nil || !x.own(c.Span) {
			continue
		}
		for _, e := range chained(model.OpAnd, c.When) {
			if e.Op != model.OpEq || e.Args[0].Op != model.OpVar || e.Args[0].Type != model.Of(model.Number) || e.Args[1].Op != model.OpConst || x.r.Own(e.Args[0].Var) {
				continue
			}
			up, down, ok := x.countsOf(e.Args[0].Var)
			several := slices.ContainsFunc(up, func(n counted) bool { return !n.asks && x.manyTimes(n.site) })
			x.foundOf(ok && len(down) == 0 && several && e.Args[1].Int > 1, "passed over", "always-same", e.Span,
				"%s may grow by more than 1 at once, as a loop counts it, and pass %d over: ask for >= %d", said{e.Args[0]}, e.Args[1].Int, e.Args[1].Int).info = true
		}
	}
}

// manyTimes reports whether a statement may be done several times between two looks at the endings: it stands in a loop, or in what is done in
// reaction to an act that a loop does.
func (x *setting) manyTimes(p site) bool {
	loops := func(p site) bool {
		return slices.ContainsFunc(p.loops, func(s *model.Stmt) bool { return s.Loops() && x.longest(x.intern(s.Value, nil, 0), x.open()) > 1 })
	}
	act := p.act
	if p.clause != nil {
		act = p.clause.Act
	}
	return loops(p) || act != nil && slices.ContainsFunc(x.sites(), func(o site) bool { return o.s.Kind == model.StmtDo && o.s.Act == act && loops(o) })
}

// counted is a statement that adds to a variable, or takes from it.
type counted struct {
	site
	by   int  // at least
	asks bool // its value, or a condition around it, asks for the variable
}

// countsOf lists the statements that count a variable up, and down; ok is false where others give it a value.
func (x *setting) countsOf(v *model.Var) (up, down []counted, ok bool) {
	is := func(e *model.Expr) bool { return e.Var == v }
	for _, p := range x.sites() {
		if !p.s.Writes(v) {
			continue
		}
		if p.s.Kind != model.StmtAssign || p.s.Assign == model.AssignSet {
			return nil, nil, false
		}
		x.prepare(p.clause)
		n := counted{site: p}
		n.asks = p.s.Value.Has(is) || slices.ContainsFunc(p.under, func(c condition) bool { return c.e.Has(is) })
		adds := x.amount(n)
		if p.s.Assign == model.AssignSub {
			adds = adds.reverse()
		}
		switch {
		case adds.lo > 0:
			n.by = adds.lo
			up = append(up, n)
		case adds.hi < 0:
			n.by = -adds.hi
			down = append(down, n)
		}
	}
	x.prepare(nil)
	return up, down, true
}

// amount is the domain of what a statement adds or takes: of a die the greatest number, which may come each time.
func (x *setting) amount(n counted) domain {
	t := x.intern(n.s.Value, nil, 0)
	if n.act != nil && len(x.calls[n.act]) > 0 && len(x.calls[n.act]) <= maxCases {
		return x.joined(t, x.calls[n.act])
	}
	d := x.domain(t, nil)
	if d.lo > 0 && n.s.Value.Op == model.OpDie {
		return only(d.hi)
	}
	return d
}

// limits reports whether what asks for a variable may keep it in its range: an ending, a duty, a ban, a verdict, or a condition of what ends
// the turn or the game. What it is only spent on, or given to, leaves it free to grow.
func (x *setting) limits(v *model.Var) bool {
	asks := func(e *model.Expr) bool { return e.Has(func(e *model.Expr) bool { return e.Var == v }) }
	ends := func(b *model.Block) bool {
		return seq.Any(b.All(), func(s *model.Stmt) bool { return isFinish(s) || finishesTurn(s) || s.Kind == model.StmtDo })
	}
	return seq.Any(x.r.Stmts(), func(s *model.Stmt) bool {
		switch s.Kind {
		case model.StmtIf:
			return asks(s.Value) && (ends(s.Then) || ends(s.Else))
		case model.StmtFor, model.StmtChoose, model.StmtPut, model.StmtExchange, model.StmtDo, model.StmtPlay:
			return slices.ContainsFunc(s.Reads(), asks)
		}
		return false
	}) || seq.Any(x.r.Clauses(), func(c *model.Clause) bool {
		return c.Kind == model.ClauseMay && asks(c.By) || slices.ContainsFunc(c.Likes(), func(l *model.Clause) bool {
			return asks(l.When) && (c.Kind != model.ClauseMay && c.Kind != model.ClauseOn || ends(c.Block))
		})
	}) || slices.ContainsFunc(x.r.Moves, func(m *model.Move) bool { return asks(m.From) || asks(m.Where) || asks(m.Carrying) }) ||
		slices.ContainsFunc(x.r.Dice, func(d *model.Die) bool { return asks(d.Choice) })
}

// outOfRange records statements that count a variable beyond its declared range.
func (x *setting) outOfRange(v *model.Var, up, down []counted) {
	if v.Low == least && v.High == greatest {
		return
	}
	say := func(n counted, room, end int, way, ask string) {
		if times, ok := x.times(n, v); ok && times*n.by > room && x.own(n.s.Span) {
			name := words(n.s.Target.Span)
			hint := "ask first: " + name + ask + strconv.Itoa(end)
			if value := words(n.s.Value.Span); n.s.Value.Op != model.OpConst && end == v.High {
				hint = "count only what fits: min(" + value + ", " + strconv.Itoa(end) + " - " + name + ")"
			}
			x.harm("bad-number", n.s.Span, quote(name)+way+strconv.Itoa(end)+", which is the end of its range, and nothing asks before", hint)
		}
	}
	if !slices.ContainsFunc(down, func(n counted) bool { return !x.chosen(n) }) {
		for _, n := range up {
			say(n, v.High-slices.Max(v.Initial), v.High, " can go above ", " < ")
		}
	}
	if !slices.ContainsFunc(up, func(n counted) bool { return !x.chosen(n) }) {
		for _, n := range down {
			say(n, slices.Min(v.Initial)-v.Low, v.Low, " can go below ", " > ")
		}
	}
}

// chosen reports whether a statement is done only where a player has chosen a move.
func (x *setting) chosen(n counted) bool {
	c := n.clause
	return c != nil && c.Act == nil && c.Move != nil && (c.Kind == model.ClauseBefore || c.Kind == model.ClauseOn && c.Event == model.EventMove)
}

// times is how often a statement can be done for one player, or one piece, at the least of what the rules and the board allow; ok is false
// where that is not known.
func (x *setting) times(n counted, v *model.Var) (times int, ok bool) {
	if n.asks {
		return 0, false
	}
	if times, ok = x.timesOf(n.site, 0); ok && v.Scope == model.ScopePiece {
		times /= x.r.PieceCount
	}
	return times, ok
}

func (x *setting) timesOf(n site, deep int) (times int, ok bool) {
	c, pieces := n.clause, x.r.PieceCount
	switch {
	case deep > maxCalls || slices.ContainsFunc(n.under, func(c condition) bool { return !x.comesAgain(c.e) }):
		return 0, false
	case n.between():
		act := n.act
		if act == nil && c != nil {
			act = c.Act
		}
		if act != nil && x.comesBack(act.Block) || act == nil && x.comesBack(n.loops[len(n.loops)-1].Then) {
			return 2 * pieces * max(1, len(x.r.Colours)-1), true
		}
		return pieces, true
	case len(n.loops) > 0:
		return 0, false
	case n.act != nil:
		return x.timesDone(n.act, deep)
	case c == nil:
		return x.throwsHadAtLeast(), slices.Contains(x.r.Turn.Stmts, n.s)
	case c.Kind != model.ClauseOn:
		return 0, false
	case c.Act != nil:
		return x.timesDone(c.Act, deep)
	case c.Event == model.EventThrow || c.Event == model.EventTurnBegins || c.Event == model.EventTurnEnds:
		return x.throwsHadAtLeast(), true
	case c.Event != model.EventLand && c.Event != model.EventPass || c.Move != nil || len(c.Params) < 2 || c.Params[1] == nil || c.When == nil:
		return 0, false
	}
	s, form := c.Params[1], x.formulaOf(c, nil)
	for _, p := range form.when {
		if p.e.Op != model.OpTag && p.e.Op != model.OpFamily || !isName(p.e.Args[0], s) {
			return 0, false
		}
	}
	places := greatest
	for _, colour := range x.r.Colours {
		here := seq.Filter(x.r.Track.Runs[colour.Board].Places(), func(place int) bool {
			return !slices.ContainsFunc(form.when, func(p part) bool {
				return !x.flagOf(p.e.Op, p.e.Field, p.e.Int)(place)
			})
		})
		places = min(places, len(here))
	}
	return places * pieces, true
}

// timesDone is how often an act can be done.
func (x *setting) timesDone(a *model.Act, deep int) (times int, ok bool) {
	for _, p := range x.sites() {
		if p.s.Kind == model.StmtDo && p.s.Act == a {
			if here, known := x.timesOf(p, deep+1); known {
				times, ok = max(times, here), true
			}
		}
	}
	return times, ok
}

// throwsHadAtLeast is how many throws a player may need, who brings all pieces along the shortest track with the greatest number.
func (x *setting) throwsHadAtLeast() int {
	lengths := seq.Map(x.r.Colours, func(c model.ColourInUse) int { return len(x.r.Track.Runs[c.Board].Nodes) - 1 })
	return slices.Min(lengths) * x.r.PieceCount / max(1, x.played.hi)
}

// comesAgain reports whether a condition may hold again and again in a game: it asks for dice, for a place and who stands there, and for what
// is forgotten when the turn ends.
func (x *setting) comesAgain(e *model.Expr) bool {
	return !e.Has(func(a *model.Expr) bool {
		switch a.Op {
		case model.OpVar:
			return a.Var.Scope != model.ScopeTurn && a.Var.Scope != model.ScopeGo
		case model.OpMine:
			return true
		case model.OpSet:
			return a.Set != model.SetPiecesOf || a.Args[0].Type.Kind != model.Place
		case model.OpField:
			return ofPart(a.Field)
		}
		return false
	})
}

// comesBack reports whether statements send a piece to where all pieces begin: the same can be done to it again.
func (x *setting) comesBack(b *model.Block) bool {
	return seq.Any(b.All(), func(s *model.Stmt) bool {
		return s.Kind == model.StmtPut && x.domain(x.intern(s.Other, nil, 0), nil).equal(x.begins()) || s.Kind == model.StmtDo && x.comesBack(s.Act.Block)
	})
}

// between reports whether a statement is done in a deed between two pieces, which no player can count on.
func (n site) between() bool {
	params := []*model.Local(nil)
	switch {
	case n.act != nil:
		params = n.act.Params
	case n.clause == nil:
	case n.clause.Act != nil:
		params = n.clause.Act.Params
	case n.clause.Event == model.EventLand && n.clause.Kind == model.ClauseOn && len(n.loops) > 0:
		loop := n.loops[len(n.loops)-1]
		return loop.Local != nil && loop.Local.Type.Kind == model.Piece && loop.Value.Has(isPiecesThere) && loop.Value.Has(func(e *model.Expr) bool {
			return e.Op == model.OpNe && (e.Args[0].Type.Kind == model.Colour || e.Args[0].Type.Kind == model.Player || e.Args[0].Type.Kind == model.Team)
		})
	}
	return len(seq.Filter(params, func(p *model.Local) bool { return p.Type == model.Of(model.Piece) })) > 1
}

// The numbers that a win can count.
const (
	leastWorth = 1
	mostWorth  = 1000
)

// worthNothing records wins that count too little or too much with some value of a variable: the first, as long as no deed between pieces
// counts it up, or one that it comes to.
func (x *setting) worthNothing(v *model.Var, up, down []counted) {
	values := []int(nil)
	if len(up) > 0 && len(down) == 0 && !slices.ContainsFunc(up, func(n counted) bool { return !n.between() }) {
		values = v.Initial
	}
	for i, n := range slices.Concat(up, down) {
		by := n.by
		if i >= len(up) {
			by = -by
		}
		times, _ := x.times(n, v)
		for k := range min(times, mostWorth) {
			if now := v.Initial[0] + (k+1)*by; v.Low <= now && now <= v.High {
				values = append(values, now)
			}
		}
	}
	if len(values) == 0 {
		return
	}
	for c := range x.r.Clauses() {
		if c.Kind == model.ClauseEnding && c.By != nil {
			x.worth(c.By, v, values)
		}
	}
	for s := range x.r.Stmts() {
		if s.Kind == model.StmtFinish && s.Other != nil {
			x.worth(s.Other, v, values)
		}
	}
}

// worth records what a win counts if it does not fit with some value of a variable.
func (x *setting) worth(by *model.Expr, v *model.Var, values []int) {
	if !x.own(by.Span) || x.harms[by.Span] != nil || !by.Has(func(e *model.Expr) bool { return e.Var == v }) {
		return
	}
	t, text := x.intern(by, nil, 0), words(by.Span)
	vars := x.parts(t, func(t id) bool { return x.terms[t].op == model.OpVar && x.terms[t].what == any(v) })
	for _, n := range values {
		now := t
		for _, of := range vars {
			now = x.with(now, of, x.number(n))
		}
		worth, one := x.domain(now, nil).single()
		limit, hint := ", and a win counts 1 or more", "count at least 1: max(1, "+text+")"
		if worth > mostWorth {
			limit, hint = ", and a win counts 1000 at most", "count no more: min(1000, "+text+")"
		}
		if one && (worth < leastWorth || worth > mostWorth) {
			x.harm("bad-number", by.Span, quote(text)+" can be "+strconv.Itoa(worth)+limit, hint)
			return
		}
	}
}

// multiplies records a statement that gives a number twice its value, or more, where no condition around it asks for the number.
func (x *setting) multiplies() {
	for _, p := range x.sites() {
		s := p.s
		if s.Kind != model.StmtAssign || s.Assign != model.AssignSet || s.Value.Op != model.OpMul || s.Target.Var == nil || s.Target.Type.List || !x.own(s.Span) {
			continue
		}
		v, target := s.Target.Var, x.intern(s.Target, nil, 0)
		times := 0
		for i, a := range s.Value.Args {
			if x.intern(a, nil, 0) == target && s.Value.Args[1-i].Op == model.OpConst {
				times = s.Value.Args[1-i].Int
			}
		}
		asked := slices.ContainsFunc(p.under, func(c condition) bool { return looksAt(c.e, v) })
		lasts := v.Scope != model.ScopeTurn && v.Scope != model.ScopeGo
		begun := x.assignsIn(v, model.EventTurnBegins, model.EventTurnEnds) && !(p.clause != nil && (p.clause.Event == model.EventTurnBegins || p.clause.Event == model.EventTurnEnds))
		if times > 1 && lasts && slices.Max(v.Initial) > 0 && !asked && !begun {
			x.harm("bad-number", s.Span, quote(words(s.Target.Span))+" is "+strconv.Itoa(times)+" times as great each time, and can come beyond "+strconv.Itoa(v.High)+
				", which is the end of its range: nothing asks before", "limit it: min("+strconv.Itoa(v.High)+", "+words(s.Value.Span)+")")
		}
	}
}

// wrongBound records a least, or a greatest, of two by which a number is to be kept in its range, and that keeps it out of it.
func (w *walk) wrongBound(s *model.Stmt) {
	v := s.Target.Var
	if s.Assign != model.AssignSet || v == nil || v.Type != model.Of(model.Number) || v.Low == least && v.High == greatest {
		return
	}
	d := w.domain(w.intern(s.Value, nil, 0), nil)
	switch {
	case s.Value.Op == model.OpMin && d.hi == v.Low && d.lo < v.Low:
		w.harm("bad-number", s.Value.Span, quote(words(s.Value.Span))+" is never more than "+strconv.Itoa(v.Low)+", the least that "+quote(v.Name)+" takes", "max(…) gives the greater one")
	case s.Value.Op == model.OpMax && d.lo == v.High && d.hi > v.High:
		w.harm("bad-number", s.Value.Span, quote(words(s.Value.Span))+" is never less than "+strconv.Itoa(v.High)+", the most that "+quote(v.Name)+" takes", "min(…) gives the smaller one")
	}
}

// overflows records a number of a die, or the one that is counted after a throw, that its variable cannot take.
func (w *walk) overflows(s *model.Stmt, known []*facts) {
	v := s.Target.Var
	counted := isSteps(s.Value)
	if v == nil || v.Type.Kind != model.Number || s.Value.Op != model.OpDie && !counted || s.Assign == model.AssignSub || s.Assign == model.AssignAdd && !v.Type.List {
		return
	}
	value, thrown := w.intern(s.Value, nil, 0), w.ofCell(model.Flag, model.CellThrown)
	all, fits := nothing, span(v.Low, v.High)
	for _, f := range known {
		if !counted || w.domain(thrown, f).equal(only(1)) { // not one that is earned
			all = all.join(w.domain(value, f))
		}
	}
	all = all.keep(func(n int) bool { // a die may show 0 before it is thrown
		return counted || slices.ContainsFunc(s.Value.Die.Faces, func(face model.Face) bool { return face.Value == n })
	})
	if all.meets(fits) && !all.meet(fits).equal(all) {
		w.harm("bad-number", s.Value.Span, quote(words(s.Value.Span))+" is "+all.words()+" here, and "+quote(v.Name)+" takes "+fits.words(), "give the variable a wider range, or ask before")
	}
}
