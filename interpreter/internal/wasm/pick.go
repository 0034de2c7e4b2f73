package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// What is picked while a move is carried out belongs to the move: whoever plays by chance counts complete options, each as likely as
// the others. For that somebody must look ahead, which takes a program that can go on from any node: the host's machine. So a
// program that picks keeps what lives across a node in the state, where that machine looks for it.

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
	if g.frame == nil || g.trying {
		return 0, false
	}
	if cell, ok = g.frame.Locals[l]; ok && cell < 0 {
		g.fail("two places of", l.Name)
	}
	return cell, ok
}

// comesBack takes down where a procedure that may meet a node goes on when it has ended.
func (g *gen) comesBack(s *ir.Stmt) {
	if g.frame == nil || g.trying {
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

// alone forgets what is left of a complete option: something else than a pick is decided.
func (g *gen) alone() {
	if g.frame != nil {
		g.setWord(wRest, c32(-1))
	}
}

// maxChoices is how many choices may follow a throw; the interpreter ends games with too many.
const maxChoices = 10_000

// picks draws one of two candidates or more.
func (g *gen) picks(s *ir.Stmt) {
	f := g.f
	f.block(func(done label) {
		f.when(g.word(wRest).ge(c32(0)).and(g.word(wTry).lt(g.word(wTries))).and(g.word(wSeat).eq(g.cell(code.CellDecider))), func() {
			g.planned()
			f.br(done)
		}, nil)
		g.picked(s)
	})
}

// picked is one of the candidates, with the host's help.
func (g *gen) picked(s *ir.Stmt) {
	f := g.f
	g.setCell(code.CellPoint, c32(g.point(s)))
	g.flush()
	total := f.temp(call(g.host.weighPicks, g.word(wPicks)))
	at := f.temp(g.word(wRest))
	f.when(get(at).lt(c32(0)).or(g.word(wSeat).ne(g.cell(code.CellDecider))), func() {
		f.set(at, g.belowMany(total))
		g.decides(c32(1))
		g.setWord(wSeat, g.cell(code.CellDecider))
	}, nil)
	g.setWord(wTaken, g.chosen(at))
}

// chosen is the option with which a complete option begins; what is left of it is kept.
func (g *gen) chosen(at local) val {
	f := g.f
	packed := f.temp(call(g.host.chosen, get(at)))
	g.setWord(wRest, get(packed).shr(c64(32)).narrow())
	g.setWord(wTries, c32(0))
	return get(packed).narrow()
}

// stands makes the state that of the node at which an option is chosen.
func (g *gen) stands(s *ir.Stmt) {
	if g.frame != nil {
		g.setCell(code.CellPoint, c32(g.p.Plays[s.K].Point))
	}
	g.flush()
}

// weighs takes one of the options that the host has listed, if complete options must be counted; then it goes to taken.
func (g *gen) weighs(s *ir.Stmt, n local, taken label) {
	if g.frame == nil {
		return
	}
	f := g.f
	f.when(get(n).op(opGtS, c32(1)), func() {
		f.when(g.expr(g.picking), func() {
			at := f.temp(g.belowMany(f.temp(call(g.host.weigh))))
			g.refuel()
			g.decides(c32(1))
			g.setWord(wSeat, g.cell(code.CellMe))
			f.do(g.host.take, g.chosen(at))
			g.reload()
			f.br(taken)
		}, nil)
	}, nil)
}

// decides counts a decision, if it is one.
func (g *gen) decides(one val) {
	if g.choices {
		n := g.f.temp(g.word(wChoices).add(one))
		g.setWord(wChoices, get(n))
		g.f.when(get(n).op(opGtS, c32(maxChoices)), g.tooLong, nil)
	}
	in := g.cell(code.CellPlays).op(opGtS, c32(0))
	g.setWord(wDecisions, g.word(wDecisions).add(in.and(one)))
}

// drawAmong is the number of an option of so many in rows. Where there are several, and on the way of one something may be picked,
// complete options are drawn.
func (g *gen) drawAmong(e *ir.Expr, rows []row, count local) local {
	f := g.f
	if g.frame == nil || g.picking.Is(0) {
		return g.draw(count)
	}
	i := f.local(i64)
	f.block(func(done label) {
		f.block(func(alone label) {
			f.brIf(alone, get(count).op(opLeS, c64(1)))
			g.cond(g.picking, alone, false)
			if g.p.PicksAtTurns {
				f.block(func(bent label) {
					g.bends(rows, bent)
					f.br(alone)
				})
			}
			if g.tries(rows) {
				f.block(func(host label) {
					f.brIf(host, g.cell(code.CellQueue))
					g.tried(rows, count, i, host)
					f.br(done)
				})
			}
			g.setCell(code.CellPoint, c32(g.p.Rows[e.K].Point))
			g.flush()
			for i := range rows {
				r, at := &rows[i], g.mem.rows+rowSize*i
				f.store(64, f.base(), at, get(r.set))
				if r.Kind == code.RowTo {
					f.store(32, f.base(), at+8, g.expr(r.to).narrow())
				}
				f.store(32, f.base(), at+12, g.expr(r.steps).narrow())
				f.store(32, f.base(), at+16, g.expr(r.number).narrow())
			}
			at := f.temp(g.belowMany(f.temp(call(g.host.weighRows, c32(e.K)))))
			g.refuel()
			g.decides(c32(1))
			g.setWord(wSeat, g.cell(code.CellMe))
			f.set(i, g.chosen(at))
			f.br(done)
		})
		f.set(i, get(g.draw(count)))
	})
	return i
}

// rowSize is how many bytes the host is told a row in: its set, where it leads, its steps and its number.
const rowSize = 24

// bends goes to bent if an option's walk may turn.
func (g *gen) bends(rows []row, bent label) {
	for i := range rows {
		if r := &rows[i]; r.Kind == code.RowWalk {
			n, rest := g.f.temp(g.expr(r.number).narrow()), g.f.temp(get(r.set))
			g.f.each(rest, func(p local) { g.f.brIf(bent, g.bent(p, n)) })
		}
	}
}

// turning is where on the next squares, no more than code.Ahead, a walk of so many steps may turn.
func (g *gen) turning(n local) val {
	return g.way(n).and(c64(code.Every << code.SetStops)).shl(c64(code.SetTurns - code.SetStops))
}

// bent is whether an option's walk may turn.
func (g *gen) bent(p, n local) val {
	f := g.f
	if !g.p.Tracks.Has[code.SetTurns] {
		return c32(0)
	}
	out := f.temp(c32(1))
	f.when(upTo(n, code.Ahead), func() {
		node := f.temp(g.cellAt(g.p.Layout.Node, get(p)))
		f.set(out, g.shown(after(node)).and(g.turning(n)).truth())
	}, nil)
	return get(out)
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
