package compile

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// A study asks who leads after every throw, and a throw moves one or two pieces. If the dependencies of a team's lead are
// known, the study evaluates it again only when they change.

// Reads are the dependencies of a team's lead: the places of its own pieces, and some cells. If Known is false, it may
// depend on more.
type Reads struct {
	Known bool
	Cells []int
}

// maxReads bounds the cells that are worth comparing.
const maxReads = 64

// leadReads collects the dependencies of the let "lead".
func (c *compiler) leadReads() Reads {
	l := c.rules.Lead
	if l == nil {
		return Reads{}
	}
	r := &reader{compiler: c, known: true, seen: map[int]bool{}}
	r.own(l.Body, (&env{}).with(l.Params[0], markHere))
	return Reads{Known: r.known && len(r.cells) <= maxReads, Cells: r.cells}
}

// reader collects the dependencies of an expression about a team. A name is bound to markHere if its value, or every element
// of its list, belongs to the team, otherwise to markOther.
type reader struct {
	*compiler
	known bool
	cells []int
	seen  map[int]bool
}

// reads adds cells to the dependencies.
func (r *reader) reads(first, n int) {
	for k := first; k < first+n; k++ {
		if !r.seen[k] {
			r.seen[k] = true
			r.cells = append(r.cells, k)
		}
	}
}

// own collects the dependencies of a value. It reports whether the value is the team, or one of its players, colours or
// pieces; for a list, whether all elements are.
func (r *reader) own(e *model.Expr, v *env) bool {
	r.spend()
	switch e.Op {
	case model.OpLocal:
		return v.lookup(e.Local) == markHere
	case model.OpElem:
		return v.elem == markHere
	case model.OpCell, model.OpDie, model.OpMine:
		r.known = false
		return false
	case model.OpCall:
		inner := &env{}
		for i, p := range e.Let.Params {
			inner = inner.with(p, ownMark(r.own(e.Args[i], v)))
		}
		return r.own(e.Let.Body, inner)
	case model.OpMap:
		return r.own(e.Args[1], v.withElem(ownMark(r.own(e.Args[0], v))))
	case model.OpFilter, model.OpSortBy, model.OpFind, model.OpAll, model.OpAny, model.OpNone, model.OpCount, model.OpSum:
		list := r.own(e.Args[0], v)
		if len(e.Args) > 1 {
			r.own(e.Args[1], v.withElem(ownMark(list)))
		}
		return list && (e.Op == model.OpFilter || e.Op == model.OpSortBy || e.Op == model.OpFind)
	}
	all := len(e.Args) > 0
	for _, a := range e.Args {
		own := r.own(a, v)
		all = all && own
	}
	switch e.Op {
	case model.OpVar:
		s := r.slots[e.Var.Index]
		r.reads(s.Cell, s.Each*r.owners(e.Var.Scope))
	case model.OpField:
		switch e.Field {
		case model.FieldAt, model.FieldIndex:
			r.known = r.known && all
		case model.FieldColour, model.FieldPlayer, model.FieldTeam:
			return all
		case model.FieldPlaying, model.FieldRanked:
			r.reads(r.layout.Status, r.layout.Players)
		case model.FieldSeat, model.FieldSquare, model.FieldWon: // the lead is not evaluated after the end
		default:
			r.known = false
		}
	case model.OpSet:
		switch e.Set {
		case model.SetPiecesOf:
			r.known = r.known && e.Args[0].Type.Kind != model.Place
			return all
		case model.SetColoursOf, model.SetPlayersOf:
			return all
		case model.SetAfter:
			r.reads(r.layout.Status, r.layout.Players)
		case model.SetVar, model.SetCopies:
			s := r.slots[e.Var.Index]
			r.reads(s.Cell, s.Each*r.owners(e.Var.Scope))
		case model.SetHand, model.SetOffered:
			r.known = false
		}
	case model.OpFirst, model.OpLast, model.OpList, model.OpCoalesce:
		return all
	case model.OpIndex:
		return r.own(e.Args[0], v)
	case model.OpIf:
		return r.own(e.Args[1], v) && r.own(e.Args[2], v)
	}
	return false
}

func ownMark(own bool) *ir.Expr {
	if own {
		return markHere
	}
	return markOther
}
