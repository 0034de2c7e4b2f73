package wasm

import (
	"maps"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Most sets that walk are pieces of the one in turn. Where that is plain their colour need not be looked for.

// ofOne is the number of the first piece of the colour that all pieces of a set are of, if that is plain.
func (g *gen) ofOne(e *ir.Expr) (begin local, ok bool) {
	begin, ok = g.begins[g.root(e, map[*ir.Local]bool{})]
	return begin, ok
}

// noteRoot takes down where the colour of a local begins that is a root.
func (g *gen) noteRoot(l *ir.Local, e *ir.Expr) {
	if g.root(ir.Get(l), map[*ir.Local]bool{}) == l {
		g.begins[l] = g.f.temp(g.expr(e.A).op(opMul, c32(g.p.Layout.PerColour)))
	}
}

// anyRoot is the root of a set without pieces.
var anyRoot = &ir.Local{Name: "no pieces"}

// root is the local, set but once, to a colour's pieces, of which a set is a part; nil where there is none. Locals that have been
// seen are seen to elsewhere.
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

// mask is an element of the masks that is worked out with less than a look at the memory; ok reports whether it is.
func (g *gen) mask(e *ir.Expr) (v val, ok bool) {
	first, n := g.stretch(e)
	return c64(1<<n - 1).shl(first).and(c64(1<<g.p.Layout.Pieces - 1)), n > 0
}

// stretch is where masks are so many pieces that follow one another the number of the first one; where the index is nil, -1, it lies
// beyond all pieces. Of other masks n is 0.
func (g *gen) stretch(e *ir.Expr) (first val, n int) {
	l := &g.p.Layout
	switch {
	case e.Op != ir.Masks || e.A.Op == ir.Const || l.Pieces > 64-l.PerColour:
		return c64(0), 0
	case g.areSingle(e):
		return g.expr(e.A).wide(), 1
	case g.teams(e):
		return g.expr(e.A).op(opMul, c32(l.PerColour)).wide(), l.PerColour
	case g.shift() >= 0 && g.areMates(e):
		return g.expr(e.A).narrow().and(c32(-l.PerColour)).wide(), l.PerColour
	}
	return c64(0), 0
}

// areSingle reports whether masks are for each piece the piece itself.
func (g *gen) areSingle(e *ir.Expr) bool {
	for p := range g.p.Layout.Pieces {
		if at := e.K + p; at >= len(g.p.Masks) || g.p.Masks[at] != 1<<p {
			return false
		}
	}
	return true
}

// areMates reports whether masks are for each piece the pieces of its colour.
func (g *gen) areMates(e *ir.Expr) bool {
	l := &g.p.Layout
	for p := range l.Pieces {
		if at := e.K + p; at >= len(g.p.Masks) || g.p.Masks[at] != (1<<l.PerColour-1)<<(p/l.PerColour*l.PerColour) {
			return false
		}
	}
	return true
}

// teams reports whether masks are the pieces of the seat or colour in turn, and those of each are the colour of its number.
func (g *gen) teams(e *ir.Expr) bool {
	l, n := &g.p.Layout, 0
	switch {
	case e.A.Op != ir.Cell:
		return false
	case e.A.K == code.CellMe:
		n = l.Players
	case e.A.K == code.CellColour:
		n = l.Colours
	}
	for i := range n {
		if g.p.Masks[e.K+i] != (1<<l.PerColour-1)<<(i*l.PerColour) {
			return false
		}
	}
	return n > 0
}
