package compile

import (
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// A play that looks ahead lists its options many times, and each piece costs a walk. Pieces of one colour on one place often have equal
// options, of which the filter keeps the first. Where listing cannot tell such pieces apart, only the first of them is listed, and what the
// clauses count counts as often as there are such pieces. The plain form lists them all: the tests compare the two.

// alike reports whether listing cannot tell two pieces of a colour on a place apart: they stand on one node, no variable belongs to a piece or
// holds one, and no condition depends on the order of pieces.
func (c *compiler) alike() bool {
	if !c.masked() || c.notes != nil || len(c.prog.PieceVars) > 0 || slices.ContainsFunc(c.rules.Track.Runs, boards.Run.Revisits) ||
		slices.ContainsFunc(c.rules.Vars, func(v *model.Var) bool { return v.Type.Kind == model.Piece }) {
		return false
	}
	return !c.listingAsks(func(e *model.Expr) bool {
		switch e.Op {
		case model.OpConst, model.OpCell:
			return e.Type.Kind == model.Piece && (e.Op == model.OpCell || e.Int >= 0)
		case model.OpFind, model.OpFirst, model.OpLast, model.OpIndex, model.OpIndexOf, model.OpSortBy:
			return listsPieces(e.Args[0])
		case model.OpSet:
			return e.Set == model.SetOffered
		}
		return false
	})
}

// listsPieces reports whether a list is one of pieces, or made from one.
func listsPieces(list *model.Expr) bool {
	return list.Has(func(e *model.Expr) bool { return e.Type.List && e.Type.Kind == model.Piece })
}

// asksUsable reports whether a condition on options reads how many numbers can be used.
func (c *compiler) asksUsable() bool {
	return c.listingAsks(func(e *model.Expr) bool { return e.Op == model.OpCell && e.Cell == model.CellUsable })
}

// listingAsks reports whether an expression evaluated while options are listed satisfies a predicate.
func (c *compiler) listingAsks(is func(*model.Expr) bool) bool {
	list := seq.Flat(c.rules.Moves, (*model.Move).Exprs)
	for _, x := range c.allClauses() {
		if x.Block == nil { // no reaction
			list = append(append(list, x.By), seq.Map(x.Likes(), func(y *model.Clause) *model.Expr { return y.When })...)
		}
	}
	if c.rules.Mine != nil {
		list = append(list, c.rules.Mine.Body)
	}
	return slices.ContainsFunc(list, func(e *model.Expr) bool { return e.Has(is) })
}

// eachAlike loops over the first pieces of each colour on each place, of those in a bitset, in ascending order. The body counts for each of
// the pieces times times.
func (c *compiler) eachAlike(set *ir.Expr, times int, body func(*ir.Expr) ir.Body) ir.Body {
	return c.eachLeft(set, func(piece *ir.Expr, rest *ir.Local) ir.Body {
		others := local("alike")
		same := intersect(piecesOn(at(ir.CellAt, c.layout.At, piece)), at(ir.Masks, c.masks.mates, piece))
		number := ir.Op2(ir.Add, &ir.Expr{Op: ir.Bits, A: ir.Get(others)}, ir.K(1))
		return ir.Seq(ir.Assign(others, intersect(same, ir.Get(rest))),
			ir.Assign(rest, andNot(ir.Get(rest), ir.Get(others))), native(code.Times, ir.Op2(ir.Mul, ir.K(times), number)),
			body(piece), native(code.Times, ir.K(times)))
	})
}
