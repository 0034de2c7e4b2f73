package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Most endings depend on the places of pieces: "all(x.pieces, .at == goal)" can become true only when a piece arrives at the
// goal. The endings are checked whenever one of their dependencies changes. Such an ending needs no check if a piece is set
// down elsewhere.

// triggers are the places where a piece must arrive for an ending to become true. ok is false if they are not known
// statically.
func (c *compiler) triggers(x *model.Clause) (places []int, ok bool) {
	if c.plain || x.When == nil {
		return nil, false
	}
	places, strict := c.arrivals(x.When)
	begins := func(place int) bool { return slices.Contains(c.rules.PiecesAt, place) }
	return places, strict && !slices.ContainsFunc(places, begins)
}

// arrivals are the places whose pieces a condition counts. strict reports that the condition is false while such a place is
// empty, and that an arrival there cannot make it false. A conjunct that does not depend on places is ignored.
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

// owned reports whether a list contains all pieces of an owner, and so is never empty.
func (c *compiler) owned(e *model.Expr) bool {
	return e.Op == model.OpSet && (e.Set == model.SetPieces || e.Set == model.SetPiecesOf && e.Args[0].Type.Kind != model.Place)
}

// standsAt are the places in a condition of the form: the piece stands on one of these places.
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

// placesOf are the possible values of a place expression, if they are known statically.
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

// placeless reports whether a condition does not depend on the places of pieces.
func (c *compiler) placeless(e *model.Expr) bool {
	reads := c.readsOf(e)
	return !reads.places
}

// atTurnEnd lists the endings that may hold at the end of a turn although the last check found them false. Either a block
// wrote their dependencies and then ended the turn, or they depend on context that no statement writes.
func (c *compiler) atTurnEnd() []*ending {
	var written effects
	all := c.plain || slices.ContainsFunc(c.rules.Acts, func(a *model.Act) bool { return endsTurn(a.Block) })
	for _, x := range c.clauses(model.ClauseOn, model.ClauseBefore) {
		if endsTurn(x.Block) {
			all = all || !c.raisedAlone(x)
			written.add(c.writes(x.Block))
			written.add(writtenBefore(x.Event))
		}
	}
	if c.leavesHand() {
		written.add(effects{places: true, only: []int{}})
	}
	return seq.Filter(c.endings(), func(e *ending) bool { return all || c.mayBegin(e, written) })
}

// leavesHand reports whether a turn can end with pieces in the hand.
func (c *compiler) leavesHand() bool {
	if !c.needPath && !c.reacts(model.EventLeave) {
		return false
	}
	if c.removes() || slices.ContainsFunc(c.rules.Acts, func(a *model.Act) bool { return endsTurn(a.Block) }) {
		return true
	}
	return slices.ContainsFunc(c.clauses(model.ClauseOn, model.ClauseBefore), func(x *model.Clause) bool {
		switch x.Event {
		case model.EventMove, model.EventLand, model.EventStuck, model.EventTurnBegins:
			return false
		case model.EventThrow:
			return endsTurn(x.Block) && !c.raisedAlone(x)
		}
		return endsTurn(x.Block)
	})
}

// endsTurn reports whether a block contains a statement that ends the turn.
func endsTurn(b *model.Block) bool {
	return seq.Any(b.All(), func(s *model.Stmt) bool { return s.Kind == model.StmtEndTurn || s.Kind == model.StmtUndo })
}

// raisedAlone reports whether no other block is running when a reaction's event is raised. All earlier writes have then been
// followed by a check of the endings.
func (c *compiler) raisedAlone(x *model.Clause) bool {
	switch x.Event {
	case model.EventMove, model.EventLand, model.EventStep, model.EventPass, model.EventTurned, model.EventStuck, model.EventTurnBegins:
		return true
	case model.EventThrow:
		throws := func(s *model.Stmt) bool {
			return s.Kind == model.StmtThrow && !slices.ContainsFunc(x.Dice, func(d *model.Die) bool { return !slices.Contains(s.Dice, d) })
		}
		return !seq.Any(c.rules.Blocks(), func(b *model.Block) bool { return b != c.rules.Turn && seq.Any(b.All(), throws) })
	}
	return false
}

// contextual reports whether a condition reads context that changes without a statement that writes it: whose turn it is,
// the number being played, or variables with the scope of a turn or a go.
func (c *compiler) contextual(e *model.Expr) bool {
	return e.Has(func(x *model.Expr) bool {
		return x.Op == model.OpCell || x.Op == model.OpMine || x.Op == model.OpSet && (x.Set == model.SetHand || x.Set == model.SetOffered) ||
			x.Var != nil && (x.Var.Scope == model.ScopeTurn || x.Var.Scope == model.ScopeGo)
	})
}
