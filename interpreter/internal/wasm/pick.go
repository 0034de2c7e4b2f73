package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Where the host looks ahead, its machine must be able to go on from any node. Such a program keeps what lives across a node in the
// state, where that machine looks for it.

// keep gives a local a value; kept is what it holds.
func (g *gen) keep(l *ir.Local, v val) {
	if cell, ok := g.cellOf(l); ok {
		g.setCell(cell, v)
		return
	}
	g.f.set(g.home(l), v)
}

func (g *gen) kept(l *ir.Local) val {
	if cell, ok := g.cellOf(l); ok {
		return g.cell(cell)
	}
	return get(g.home(l))
}

// cellOf is the cell of a local that lives across nodes.
func (g *gen) cellOf(l *ir.Local) (cell int, ok bool) {
	if g.frame == nil {
		return 0, false
	}
	if cell, ok = g.frame.Locals[l]; ok && cell < 0 {
		g.fail("two places of", l.Name)
	}
	return cell, ok
}

// comesBack takes down where a procedure that may meet a node goes on when it has ended.
func (g *gen) comesBack(s *ir.Stmt) {
	if g.frame == nil {
		return
	}
	if cell, ok := g.frame.Returns[s.Proc]; ok {
		g.setCell(cell, c32(g.point(s)))
	}
}

// point is where the host's machine would go on after a statement.
func (g *gen) point(s *ir.Stmt) int {
	n, ok := g.frame.Points[s]
	if !ok || n < 0 {
		g.fail("no point after", s.Op)
	}
	return n
}

// maxChoices is how many choices may follow a throw; the interpreter ends games with too many.
const maxChoices = 10_000

// picks draws one of two candidates or more.
func (g *gen) picks() {
	n := g.f.temp(g.word(wPicks).wide())
	g.setWord(wTaken, get(g.draw(n)).narrow())
	g.refuel()
}

// stands makes the state that of the node at which an option is chosen.
func (g *gen) stands(s *ir.Stmt) {
	if g.frame != nil {
		g.setCell(code.CellPoint, c32(g.p.Plays[s.K].Point))
	}
	g.flush()
}

// decides counts a decision, if it is one.
func (g *gen) decides(one val) {
	if g.choices {
		n := g.f.temp(g.word(wChoices).add(one))
		g.setWord(wChoices, get(n))
		g.f.when(get(n).op(opGtS, c32(maxChoices)), g.tooLong, nil)
	}
	in := g.cell(code.CellPlays).ge(c32(0))
	g.setWord(wDecisions, g.word(wDecisions).add(in.and(one)))
}

// candidate adds a candidate: one that is not there yet, nor a piece that is like one that is.
func (g *gen) candidate(pieces bool) *fn {
	name := "pick"
	if pieces {
		name = "pick piece"
	}
	return g.function(name, none, []kind{i32}, func() {
		f := g.f
		x := f.param(0)
		f.block(func(out label) {
			f.times(g.word(wPicks), func(i local) {
				y := f.temp(at16(g.mem.picks, get(i)))
				f.brIf(out, get(y).eq(get(x)))
				if pieces {
					f.when(get(y).or(get(x)).ge(c32(0)), func() { f.brIf(out, g.alike(x, y)) }, nil)
				}
			})
			n := f.temp(g.word(wPicks))
			f.when(get(n).ge(c32(code.MaxOptions)), f.trap, nil)
			f.store(16, get(n).shl(c32(1)), g.mem.picks, get(x))
			g.setWord(wPicks, get(n).add(c32(1)))
		})
	})
}

// alike is whether two pieces are interchangeable.
func (g *gen) alike(p, q local) val {
	l := &g.p.Layout
	same := g.colour(get(p)).eq(g.colour(get(q)))
	for _, k := range append([]int{l.At, l.Node}, g.p.PieceVars...) {
		same = same.and(g.cellAt(k, get(p)).eq(g.cellAt(k, get(q))))
	}
	return same
}
