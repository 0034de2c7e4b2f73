package compile

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Who leads is asked after every throw of a study, while a throw moves a piece or two. Where what a team's answer depends on can be told, it
// need be asked anew only when that has changed.

// Reads is what the answer for a team depends on: where its own pieces stand, and some cells. Known is false where it may
// depend on more.
type Reads struct {
	Known bool
	Cells []int
}

// maxReads is how many cells are worth comparing.
const maxReads = 64

// leadReads finds out what the let "lead" reads.
func (c *compiler) leadReads() Reads {
	l := c.rules.Lead
	if l == nil {
		return Reads{}
	}
	r := &reader{compiler: c, known: true, seen: map[int]bool{}}
	r.own(l.Body, (&env{}).with(l.Params[0], markHere))
	return Reads{Known: r.known && len(r.cells) <= maxReads, Cells: r.cells}
}

// reader goes through an expression about a team. A name stands for markHere if what it names, or what a list so named holds, is
// the team's own, else for markOther.
type reader struct {
	*compiler
	known bool
	cells []int
	seen  map[int]bool
}

// reads notes cells that the value depends on.
func (r *reader) reads(first, n int) {
	for k := first; k < first+n; k++ {
		if !r.seen[k] {
			r.seen[k] = true
			r.cells = append(r.cells, k)
		}
	}
}

// own notes what a value depends on, and reports whether it is the team, or a player, a colour or a piece of it; of a list, whether
// all in it are.
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
	case model.OpFilter, model.OpSortBy, model.OpFind:
		list := r.own(e.Args[0], v)
		if len(e.Args) > 1 {
			r.own(e.Args[1], v.looking(ownMark(list)))
		}
		return list
	case model.OpMap:
		return r.own(e.Args[1], v.looking(ownMark(r.own(e.Args[0], v))))
	case model.OpAll, model.OpAny, model.OpNone, model.OpCount, model.OpSum:
		list := r.own(e.Args[0], v)
		if len(e.Args) > 1 {
			r.own(e.Args[1], v.looking(ownMark(list)))
		}
		return false
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
		case model.FieldSeat, model.FieldSquare, model.FieldWon: // nothing is asked after the end
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
