package wasm

import (
	"maps"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Most sets passed to Walkers hold only pieces of the player in turn. If that can be proved, the colour need not be looked up.

// sameColour returns the local that holds the first piece of the colour that all pieces of a set have; ok is false if that is not provable.
func (g *gen) sameColour(e *ir.Expr) (begin local, ok bool) {
	begin, ok = g.colourStarts[g.root(e, map[*ir.Local]bool{})]
	return begin, ok
}

// recordRoot records the first piece of the colour of a local that is a root.
func (g *gen) recordRoot(l *ir.Local, e *ir.Expr) {
	if g.root(ir.Get(l), map[*ir.Local]bool{}) == l {
		g.colourStarts[l] = g.f.temp(g.expr(e.A).op(opMul, c32(g.p.Layout.PerColour)))
	}
}

// anyRoot is the root of an empty set.
var anyRoot = &ir.Local{Name: "no pieces"}

// root returns the local, assigned once, that holds one colour's pieces and of which the set is a subset; nil if there is none. It skips
// locals already in seen: the caller that added them handles them.
func (g *gen) root(e *ir.Expr, seen map[*ir.Local]bool) *ir.Local {
	switch e.Op {
	case ir.Const:
		if e.K == 0 {
			return anyRoot
		}
	case ir.And:
		if a := g.root(e.A, maps.Clone(seen)); a != nil {
			return a
		}
		return g.root(e.B, seen)
	case ir.AndNot, ir.Walkers, ir.Having, ir.Do:
		return g.root(e.A, seen)
	case ir.Use:
		sets := g.width.sets[e.Local]
		if len(sets) == 1 && sets[0].Op == ir.Masks && g.teams(sets[0]) {
			return e.Local
		}
		if seen[e.Local] {
			return anyRoot
		}
		seen[e.Local] = true
		root := anyRoot
		for _, x := range sets {
			switch of := g.root(x, seen); {
			case of == anyRoot || of == root:
			case root == anyRoot && of != nil:
				root = of
			default:
				return nil
			}
		}
		return root
	}
	return nil
}

// mask computes an element of a mask table with shifts instead of a load; ok reports whether that is possible.
func (g *gen) mask(e *ir.Expr) (v val, ok bool) {
	first, n := g.maskRange(e)
	return c64(1<<n - 1).shl(first).and(c64(1<<g.p.Layout.Pieces - 1)), n > 0
}

// maskRange handles masks that are n consecutive pieces each. It returns the number of the first piece, which lies beyond all pieces if the
// index is nil (-1). For other masks n is 0.
func (g *gen) maskRange(e *ir.Expr) (first val, n int) {
	l := &g.p.Layout
	single := func(p int) uint64 { return 1 << p }
	mates := func(p int) uint64 { return g.team(p / l.PerColour) }
	switch {
	case e.Op != ir.Masks || e.A.Op == ir.Const || l.Pieces > 64-l.PerColour:
		return c64(0), 0
	case g.masksAre(e, l.Pieces, single):
		return g.expr(e.A).wide(), 1
	case g.teams(e):
		return g.expr(e.A).op(opMul, c32(l.PerColour)).wide(), l.PerColour
	case g.shift() >= 0 && g.masksAre(e, l.Pieces, mates):
		return g.expr(e.A).narrow().and(c32(-l.PerColour)).wide(), l.PerColour
	}
	return c64(0), 0
}

// team is the set of all pieces of a colour.
func (g *gen) team(colour int) uint64 {
	n := g.p.Layout.PerColour
	return (1<<n - 1) << (colour * n)
}

// masksAre reports whether the first n masks of a table are those of a function.
func (g *gen) masksAre(e *ir.Expr, n int, of func(i int) uint64) bool {
	for i := range n {
		if at := e.K + i; at >= len(g.p.Masks) || g.p.Masks[at] != of(i) {
			return false
		}
	}
	return n > 0
}

// teams reports whether the masks are indexed by the seat or colour in turn, and mask i is all pieces of colour i.
func (g *gen) teams(e *ir.Expr) bool {
	switch l := &g.p.Layout; {
	case e.A.Op != ir.Cell:
		return false
	case e.A.K == code.CellMe:
		return g.masksAre(e, l.Players, g.team)
	default:
		return e.A.K == code.CellColour && g.masksAre(e, l.Colours, g.team)
	}
}
