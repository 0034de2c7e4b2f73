package interpreter

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// TurnBegins reports whether the position is at the first throw of a turn, or at its first move if the turn begins
// without a throw.
func (p *Position) TurnBegins() bool {
	if p.m.State()[code.CellPlays] != 2 {
		return false
	}
	return p.Kind() == Throw && !p.Opening() || p.Kind() == Choice && p.m.Node == code.NodeOption
}

// AtTurn reports whether TurnBegins, and Setup describes the position completely: reading it back gives the same node
// and state. It is false if the rules have changed something since the turn began that they would change again.
func (p *Position) AtTurn() bool {
	if !p.TurnBegins() || p.holding() {
		return false
	}
	if p.game.beginning().quiet && p.allPlay() {
		return true
	}
	q := p.game.empty()
	t := &setter{g: p.game, m: q.m, s: p.Setup()}
	t.state()
	if len(t.faults) == 0 {
		t.endings()
	}
	if len(t.faults) > 0 {
		return false
	}
	q.begin()
	return p.Equal(q)
}

// allPlay reports whether every player is still in the game. A player who is out may be in a position in which the
// rules would not put one out.
func (p *Position) allPlay() bool {
	l := &p.game.prog.Layout
	return !slices.ContainsFunc(p.m.State()[l.Status:l.Status+l.Players], func(status int16) bool { return status != code.Playing })
}

// holding reports whether a piece is on no place: its walk was interrupted.
func (p *Position) holding() bool {
	l, st := &p.game.prog.Layout, p.m.State()
	return slices.Contains(st[l.Prev:l.Prev+l.Pieces], code.InHand)
}

// beginning says what the rules can read of a position at the beginning of a turn, apart from places of pieces and
// values of variables. Setups omit what the rules cannot read.
type beginning struct {
	// quiet means that no statement before the first node of a turn writes lasting state, and that no ending can
	// begin to apply there.
	quiet bool
	// before are the dice whose last values are read before the first node of a turn, old those read before they are
	// thrown in it.
	before, old []bool
	// zones are the zones in which the rules read the order of arrival of pieces.
	zones []bool
}

// beginning computes the analysis once for each game.
func (g *Game) beginning() *beginning {
	g.asked.Do(func() {
		b := &beginning{before: make([]bool, len(g.rules.Dice)), old: make([]bool, len(g.rules.Dice))}
		b.quiet = quiet(g.rules)
		b.dice(g.rules)
		b.zones = orderedZones(g.rules)
		g.asks = b
	})
	return g.asks
}

// quiet reports whether the beginning of a turn changes no lasting state.
func quiet(r *model.Rules) bool {
	for _, x := range clauses(r) {
		switch {
		case x.Event == model.EventTurnBegins && (x.Kind == model.ClauseOn || x.Kind == model.ClauseBefore) && lasting(x.Block, false),
			x.Kind == model.ClauseEnding && readsTurn(x.When):
			return false
		}
	}
	for _, s := range r.Turn.Stmts {
		if s.Kind == model.StmtThrow { // a play may have no numbers
			return true
		}
		if lasting(&model.Block{Stmts: []*model.Stmt{s}}, true) {
			return false
		}
	}
	return true
}

// clauses lists all clauses of the rules.
func clauses(r *model.Rules) []*model.Clause {
	return seq.Flat(slices.Collect(r.Clauses()), (*model.Clause).Likes)
}

// lasting reports whether a block may write lasting state. Numbers may be thrown and played only if that is the first
// node.
func lasting(b *model.Block, inTurn bool) bool {
	return seq.Any(b.All(), func(s *model.Stmt) bool {
		switch s.Kind {
		case model.StmtIf, model.StmtFor, model.StmtAgain, model.StmtEndTurn:
			return false
		case model.StmtEarn:
			return s.Later()
		case model.StmtThrow, model.StmtPlay:
			return !inTurn
		case model.StmtAssign:
			return s.Target.Var == nil || s.Target.Var.Scope != model.ScopeTurn && s.Target.Var.Scope != model.ScopeGo
		}
		return true
	})
}

// readsTurn reports whether an expression reads something that changes when a turn begins.
func readsTurn(e *model.Expr) bool {
	return e.Has(func(x *model.Expr) bool {
		return x.Op == model.OpMine || x.Op == model.OpCell && x.Var == nil || x.Op == model.OpSet && (x.Set == model.SetHand || x.Set == model.SetOffered) ||
			x.Var != nil && (x.Var.Scope == model.ScopeTurn || x.Var.Scope == model.ScopeGo)
	})
}

// dice computes which last values of dice are read.
func (b *beginning) dice(r *model.Rules) {
	var first []*model.Die // thrown in every turn before anything else
	if s := r.Turn.Stmts; len(s) > 0 && s[0].Kind == model.StmtThrow {
		first = s[0].Dice
	}
	ask := func(e *model.Expr, fresh []*model.Die, into []bool) {
		walkLets(e, map[*model.Let]bool{}, func(x *model.Expr) bool {
			if x.Op == model.OpDie && !slices.Contains(fresh, x.Die) {
				into[x.Die.Index] = true
			}
			return true
		})
	}
	var block func(x *model.Block, fresh []*model.Die, into []bool)
	block = func(x *model.Block, fresh []*model.Die, into []bool) {
		if x == nil {
			return
		}
		for _, s := range x.Stmts {
			for _, e := range s.Reads() {
				ask(e, fresh, into)
			}
			block(s.Then, fresh, into)
			block(s.Else, fresh, into)
			if s.Kind == model.StmtThrow {
				fresh = append(slices.Clip(fresh), s.Dice...)
			}
		}
	}
	for _, d := range r.Dice {
		ask(d.Choice, nil, b.before)
	}
	for i, s := range r.Turn.Stmts {
		if s.Kind == model.StmtThrow || s.Kind == model.StmtPlay {
			break
		}
		block(&model.Block{Stmts: r.Turn.Stmts[i : i+1]}, nil, b.before)
	}
	for _, x := range clauses(r) {
		fresh, into := first, b.old
		switch {
		case x.Kind == model.ClauseEnding || x.Kind == model.ClauseAlways,
			x.Block != nil && (x.Event == model.EventTurnBegins || x.Event == model.EventDrop || x.Event == model.EventRank):
			fresh, into = nil, b.before
		case x.Block != nil && x.Event == model.EventTurnEnds:
			fresh = nil
		case x.Block != nil && x.Event == model.EventThrow:
			fresh = append(slices.Clip(fresh), x.Dice...)
		}
		ask(x.When, fresh, into)
		ask(x.By, fresh, into)
		block(x.Block, fresh, into)
	}
	block(r.Turn, nil, b.old)
	for _, a := range r.Acts {
		block(a.Block, first, b.old)
	}
	for _, m := range r.Moves {
		for _, e := range m.Exprs() {
			ask(e, first, b.old)
		}
	}
	if r.Mine != nil {
		ask(r.Mine.Body, nil, b.before)
	}
	unite(b.old, b.before)
}

// zoneSet is a set of zones, by place number.
type zoneSet map[int]bool

// ordering is an analysis that finds the zones in which the order of arrival is read: wherever a list of their pieces
// is enumerated, not only counted or searched for any element.
type ordering struct {
	rules  *model.Rules
	all    zoneSet
	track  zoneSet                        // on tracks
	reach  zoneSet                        // possible ends of moves
	locals map[*model.Local]zoneSet       // of local names with known zones
	from   map[*model.Local][]*model.Expr // the values of parameters of acts, and of names in loops and choices
	busy   map[*model.Local]bool
	asked  zoneSet
	done   map[string]bool // calls already analysed
	elems  []zoneSet
}

// orderedZones reports for every place whether it is such a zone.
func orderedZones(r *model.Rules) []bool {
	o := &ordering{
		rules: r, all: zoneSet{}, track: zoneSet{}, locals: map[*model.Local]zoneSet{}, from: map[*model.Local][]*model.Expr{},
		busy: map[*model.Local]bool{}, asked: zoneSet{}, done: map[string]bool{},
	}
	for i, p := range r.Board.Places {
		if p.Zone {
			o.all[i] = true
		}
	}
	o.calls()
	for n := range r.Nodes() {
		if o.all[n.Place] {
			o.track[n.Place] = true
		}
	}
	o.reach = maps.Clone(o.track)
	for _, m := range r.Moves {
		switch m.Kind {
		case model.MoveTo:
			maps.Copy(o.reach, o.zones(m.Where))
		case model.MoveStay:
			maps.Copy(o.reach, o.all)
		}
	}
	for _, x := range clauses(r) {
		o.params(x)
	}
	stated(r, true, o.look)
	return seq.Of(len(r.Board.Places), func(p int) bool { return o.asked[p] })
}

// calls records the values of parameters of acts, and of names in loops and choices.
func (o *ordering) calls() {
	for s := range o.rules.Stmts() {
		if s.Kind == model.StmtDo {
			for i, p := range s.Act.Params {
				o.from[p] = append(o.from[p], s.Args[i])
			}
		}
		if (s.Kind == model.StmtFor || s.Kind == model.StmtChoose) && s.Local != nil {
			o.from[s.Local] = append(o.from[s.Local], &model.Expr{Op: model.OpFirst, Type: s.Local.Type, Args: []*model.Expr{s.Value}})
		}
	}
}

// params records the possible places of the names that a clause binds.
func (o *ordering) params(x *model.Clause) {
	for i, p := range append(slices.Clone(x.Params), x.To) {
		if p == nil || p.Type != model.Of(model.Place) {
			continue
		}
		zones := maps.Clone(o.reach)
		if x.Kind == model.ClauseStep || x.Kind == model.ClauseEnd || x.Block != nil && (x.Event == model.EventStep || x.Event == model.EventPass || x.Event == model.EventTurned) {
			zones = maps.Clone(o.track)
		}
		reacts := x.Kind == model.ClauseOn || x.Kind == model.ClauseBefore
		switch {
		case reacts && x.Event == model.EventAct && i < len(x.Params):
			zones = maps.Clone(o.local(x.Act.Params[i]))
		case reacts && x.Event == model.EventLeave && x.Zones:
			zones = maps.Clone(o.all)
		case reacts && x.Event == model.EventLeave:
			clear(zones)
		case reacts && x.Event == model.EventMove && i < len(x.Params):
			zones = maps.Clone(o.all)
		}
		o.guard(x.When, p, zones)
		o.locals[p] = zones
	}
}

// guard removes the zones that a condition excludes.
func (o *ordering) guard(when *model.Expr, p *model.Local, zones zoneSet) {
	switch {
	case when == nil:
	case when.Op == model.OpAnd:
		o.guard(when.Args[0], p, zones)
		o.guard(when.Args[1], p, zones)
	case when.Op == model.OpCall:
		for i, a := range when.Args {
			if a.Op == model.OpLocal && a.Local == p {
				o.guard(when.Let.Body, when.Let.Params[i], zones)
			}
		}
	case len(when.Args) == 0 || when.Args[0].Op != model.OpLocal || when.Args[0].Local != p:
	case when.Op == model.OpFamily, when.Op == model.OpField && when.Field == model.FieldSquare:
		clear(zones)
	case when.Op == model.OpTag:
		maps.DeleteFunc(zones, func(z int, _ bool) bool {
			tags := o.rules.Board.Places[z].Tags
			return when.Int >= len(tags) || !tags[when.Int]
		})
	}
}

// guarded calls f with the zones that a condition excludes removed from names.
func (o *ordering) guarded(when *model.Expr, f func()) {
	before := maps.Clone(o.locals)
	for x := range when.All() {
		if x.Op == model.OpLocal && x.Type == model.Of(model.Place) {
			zones := maps.Clone(o.local(x.Local))
			o.guard(when, x.Local, zones)
			o.locals[x.Local] = zones
		}
	}
	f()
	o.locals = before
}

// local returns the possible zones of a name.
func (o *ordering) local(p *model.Local) zoneSet {
	if z, ok := o.locals[p]; ok {
		return z
	}
	from := o.from[p]
	if len(from) == 0 || o.busy[p] {
		return o.all
	}
	o.busy[p] = true
	elems := o.elems
	o.elems = nil // those belong to another expression
	out := o.zonesOf(from)
	o.elems = elems
	o.busy[p] = false
	return out
}

// zonesOf returns the possible zones of one of some places.
func (o *ordering) zonesOf(list []*model.Expr) zoneSet {
	out := zoneSet{}
	for _, e := range list {
		maps.Copy(out, o.zones(e))
	}
	return out
}

// zones returns the possible zones of a place.
func (o *ordering) zones(e *model.Expr) zoneSet {
	out := zoneSet{}
	add := func(places ...int) {
		for _, p := range places {
			if o.all[p] {
				out[p] = true
			}
		}
	}
	switch e.Op {
	case model.OpConst:
		add(e.Int)
	case model.OpMark:
		add(o.rules.Board.Landmarks[e.Int].Values...)
	case model.OpAttr:
		add(o.rules.Board.Attributes[e.Int].Values...)
	case model.OpLocal:
		return o.local(e.Local)
	case model.OpElem:
		if len(o.elems) > 0 {
			return o.elems[len(o.elems)-1]
		}
		return o.all
	case model.OpIf:
		return o.zonesOf(e.Args[1:])
	case model.OpCoalesce:
		return o.zonesOf(e.Args)
	case model.OpFind, model.OpFirst, model.OpLast, model.OpIndex:
		return o.elements(e.Args[0])
	case model.OpCall:
		o.within(e, func() { out = o.zones(e.Let.Body) })
	case model.OpField:
		if e.Field == model.FieldTo {
			return o.reach
		}
		return o.all
	default:
		return o.all
	}
	return out
}

// elements returns the possible zones of the elements of a list of places.
func (o *ordering) elements(e *model.Expr) zoneSet {
	switch e.Op {
	case model.OpSet:
		switch e.Set {
		case model.SetSquares:
			return zoneSet{}
		case model.SetTrackOf:
			return o.track
		}
	case model.OpList:
		return o.zonesOf(e.Args)
	case model.OpFilter, model.OpSortBy:
		return o.elements(e.Args[0])
	case model.OpCall:
		out := o.all
		o.within(e, func() { out = o.elements(e.Let.Body) })
		return out
	}
	return o.all
}

// within calls f with the parameters of a let bound to the arguments of a call.
func (o *ordering) within(e *model.Expr, f func()) {
	locals, elems := maps.Clone(o.locals), o.elems
	for i, p := range e.Let.Params {
		if p.Type == model.Of(model.Place) {
			locals[p] = o.zones(e.Args[i])
		}
	}
	before := o.locals
	o.locals, o.elems = locals, nil
	f()
	o.locals, o.elems = before, elems
}

// look records the zones whose pieces an expression lists in an order that matters.
func (o *ordering) look(e *model.Expr, strict bool) {
	if e == nil {
		return
	}
	if e.Op == model.OpSet && e.Set == model.SetPiecesOf && strict && e.Args[0].Type == model.Of(model.Place) {
		maps.Copy(o.asked, o.zones(e.Args[0]))
	}
	for i, a := range e.Args {
		inner := func() { o.look(a, ordered(e, i, strict)) }
		switch {
		case i == 1 && e.Op == model.OpAnd:
			o.guarded(e.Args[0], inner)
		case i == 1 && e.OverElements():
			elems := o.all
			if e.Args[0].Type == model.ListOf(model.Place) {
				elems = o.elements(e.Args[0])
			}
			o.elems = append(o.elems, elems)
			inner()
			o.elems = o.elems[:len(o.elems)-1]
		default:
			inner()
		}
	}
	if e.Op == model.OpCall {
		o.within(e, func() {
			key := fmt.Sprintf("%p %t", e.Let, strict)
			for _, p := range e.Let.Params {
				key += fmt.Sprint(o.locals[p])
			}
			if !o.done[key] {
				o.done[key] = true
				o.look(e.Let.Body, strict)
			}
		})
	}
}
