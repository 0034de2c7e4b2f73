package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Most endings wait for pieces to come somewhere: "all(x.pieces, .at == goal)" can begin to hold only when a piece is set
// down in the goal. As every ending is looked at whenever what it asks about has changed, such a one need not be looked at
// when a piece is set down elsewhere.

// triggers are the places of which one must be reached for an ending to begin to hold; ok is false where that cannot be told.
func (c *compiler) triggers(x *model.Clause) (places []int, ok bool) {
	if c.plain || x.When == nil {
		return nil, false
	}
	places, strict := c.arrivals(x.When)
	begins := func(place int) bool { return slices.Contains(c.rules.PiecesAt, place) }
	return places, strict && !slices.ContainsFunc(places, begins)
}

// arrivals are the places whose pieces a condition counts; strict tells that it does not hold while the place is empty, and
// that it does not cease to hold when a piece arrives there. What asks for no place is no hindrance beside what does.
func (c *compiler) arrivals(e *model.Expr) (places []int, strict bool) {
	switch e.Op {
	case model.OpAnd:
		a, strictA := c.arrivals(e.Args[0])
		b, strictB := c.arrivals(e.Args[1])
		if (strictA || c.placeless(e.Args[0])) && (strictB || c.placeless(e.Args[1])) {
			return append(a, b...), strictA || strictB
		}
	case model.OpOr:
		a, strictA := c.arrivals(e.Args[0])
		b, strictB := c.arrivals(e.Args[1])
		if strictA && strictB {
			return append(a, b...), true
		}
	case model.OpAll, model.OpAny:
		if c.owned(e.Args[0]) {
			return c.standsAt(e.Args[1])
		}
	case model.OpGe, model.OpGt:
		n, count := e.Args[1], e.Args[0]
		if n.Op == model.OpConst && count.Op == model.OpCount && len(count.Args) == 2 && c.owned(count.Args[0]) && n.Int >= code.Truth(e.Op == model.OpGe) {
			return c.standsAt(count.Args[1])
		}
	case model.OpCall:
		return c.arrivals(e.Let.Body)
	}
	return nil, false
}

// owned reports whether a list is all pieces of an owner: never empty.
func (c *compiler) owned(e *model.Expr) bool {
	return e.Op == model.OpSet && (e.Set == model.SetPieces || e.Set == model.SetPiecesOf && e.Args[0].Type.Kind != model.Place)
}

// standsAt are the places of a condition that a piece stands on one of some.
func (c *compiler) standsAt(e *model.Expr) (places []int, ok bool) {
	switch e.Op {
	case model.OpOr:
		a, okA := c.standsAt(e.Args[0])
		b, okB := c.standsAt(e.Args[1])
		return append(a, b...), okA && okB
	case model.OpEq:
		if a := e.Args[0]; a.Op == model.OpField && a.Field == model.FieldAt && a.Args[0].Op == model.OpElem {
			return c.placesOf(e.Args[1])
		}
	}
	return nil, false
}

// placesOf are the places an expression can be, where they are few and plain.
func (c *compiler) placesOf(e *model.Expr) ([]int, bool) {
	switch e.Op {
	case model.OpConst:
		return []int{e.Int}, e.Int >= 0
	case model.OpMark:
		out := seq.Map(c.rules.Colours, func(x model.ColourInUse) int { return c.rules.Board.Landmarks[e.Int].Values[x.Board] })
		return out, !slices.Contains(out, -1)
	}
	return nil, false
}

// placeless reports whether a condition asks nothing about where pieces stand.
func (c *compiler) placeless(e *model.Expr) bool {
	reads := c.readsOf(e)
	return !reads.places
}

// atTurnEnd are the endings that may hold when a turn is over and did not when they were last looked at: by what a block had written that
// was broken off, or as they wait for nothing to be written.
func (c *compiler) atTurnEnd() []*ending {
	var written effects
	all := c.plain || slices.ContainsFunc(c.rules.Acts, func(a *model.Act) bool { return breaksOff(a.Block) })
	for _, x := range c.clauses(model.ClauseOn, model.ClauseBefore) {
		if breaksOff(x.Block) {
			all = all || !c.raisedAlone(x)
			written.add(c.writes(x.Block))
			written.add(before(x.Event))
		}
	}
	if c.leavesHand() {
		written.add(effects{places: true, only: []int{}})
	}
	return seq.Filter(c.endings(), func(e *ending) bool { return all || c.begins(e, written) })
}

// leavesHand reports whether a turn can end while pieces are in the hand.
func (c *compiler) leavesHand() bool {
	if !c.needPath && !c.reacts(model.EventLeave) {
		return false
	}
	if c.removes() || slices.ContainsFunc(c.rules.Acts, func(a *model.Act) bool { return breaksOff(a.Block) }) {
		return true
	}
	return slices.ContainsFunc(c.clauses(model.ClauseOn, model.ClauseBefore), func(x *model.Clause) bool {
		switch x.Event {
		case model.EventMove, model.EventLand, model.EventStuck, model.EventTurnBegins:
			return false
		case model.EventThrow:
			return breaksOff(x.Block) && !c.raisedAlone(x)
		}
		return breaksOff(x.Block)
	})
}

// breaksOff reports whether a block ends the turn.
func breaksOff(b *model.Block) bool {
	found := false
	b.Walk(func(s *model.Stmt) { found = found || s.Kind == model.StmtEndTurn || s.Kind == model.StmtUndo })
	return found
}

// raisedAlone reports whether no other block is being carried out when a reaction's event comes, so that what was written
// before it has been looked at.
func (c *compiler) raisedAlone(x *model.Clause) bool {
	switch x.Event {
	case model.EventMove, model.EventLand, model.EventStep, model.EventPass, model.EventTurned, model.EventStuck, model.EventTurnBegins:
		return true
	case model.EventThrow:
		alone := true
		look := func(s *model.Stmt) {
			alone = alone && (s.Kind != model.StmtThrow || slices.ContainsFunc(x.Dice, func(d *model.Die) bool { return !slices.Contains(s.Dice, d) }))
		}
		c.rules.Setup.Walk(look)
		for _, a := range c.rules.Acts {
			a.Block.Walk(look)
		}
		for _, y := range c.clauses(model.ClauseOn, model.ClauseBefore) {
			y.Block.Walk(look)
		}
		return alone
	}
	return false
}

// contextual reports whether a condition asks for what changes without being written by a statement: whose turn it is, the number
// being counted, variables that last for a turn or a go.
func (c *compiler) contextual(e *model.Expr) bool {
	found := false
	e.Walk(func(x *model.Expr) bool {
		found = found || x.Op == model.OpCell || x.Op == model.OpMine || x.Op == model.OpSet && (x.Set == model.SetHand || x.Set == model.SetOffered) ||
			x.Var != nil && (x.Var.Scope == model.ScopeTurn || x.Var.Scope == model.ScopeGo) || x.Op == model.OpCall && c.contextual(x.Let.Body)
		return !found
	})
	return found
}
