package wasm

import (
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// native lowers a native operation.
func (g *gen) native(s *ir.Stmt) {
	f, l := g.f, &g.p.Layout
	args := func() []val {
		return seq.Map(s.Args, func(a *ir.Expr) val { return get(f.temp(g.expr(a).narrow())) })
	}
	result := func(v val) { f.set(g.home(s.Local), v) }
	switch code.NativeOp(s.K) {
	case code.Lift:
		f.do(g.lift(), args()...)
	case code.Relink:
		f.do(g.relink(), args()...)
	case code.OptReset:
		if on, perhaps := g.looking(); perhaps { // keep the current list and append the new one
			g.setWord(wList, choose(on, g.word(wList).add(g.word(wOptions)), g.word(wList)))
		}
		g.setWord(wOptions, c32(0))
	case code.PathReset, code.PathCut:
		n := c32(0)
		if len(s.Args) > 0 {
			n = g.expr(s.Args[0]).narrow()
		}
		if g.traced() {
			g.pathCut(n)
		}
	case code.PathPush:
		if g.traced() {
			f.do(g.pathPush(), args()...)
		}
	case code.PathLen:
		result(g.word(wPathLen))
	case code.Emit:
		g.emit(s)
	case code.Filter:
		f.do(g.filter(s.Args[1].K != 0, s.Proc))
	case code.Most:
		g.most(s.Proc, s.Args[0].K != 0)
	case code.Times:
		g.setWord(wTimes, g.expr(s.Args[0]).wide())
	case code.FewerOut:
		f.do(g.fewerOut())
	case code.Take:
		f.do(g.takeListed(), g.option(args()[0]))
	case code.TakeUp:
		p := f.temp(g.expr(s.Args[0]).narrow())
		g.leave(p)
		g.inHand(p, true)
		g.setCellAt(l.Prev, get(p), c32(code.InHand))
	case code.SetDown:
		var a [3]local
		for i, e := range s.Args {
			l, ok := g.reuse(e, i32)
			if !ok {
				l = f.temp(g.expr(e).narrow())
			}
			a[i] = l
		}
		g.setDownHere(a[0], a[1], a[2])
	case code.PutAt:
		f.do(g.putAt(), args()...)
	case code.Give:
		f.do(g.giveTo(), args()...)
	case code.Fire:
		g.fire(s.Low)
	case code.ActBegins:
		g.fire(g.p.ActCounters + s.Low)
	case code.ClearTurn:
		for _, k := range []int{code.CellAgain, code.CellPlays, code.CellQueue, code.CellThrown, code.CellEarned, code.CellSteps, code.CellUsable} {
			g.setCell(k, c32(0))
		}
		g.setCell(code.CellHeading, c32(1))
	case code.Tick:
		g.tick(1 + g.ticks)
		g.ticks = 0
	case code.Count:
		steps, with := f.temp(g.expr(s.Args[0])), f.temp(g.expr(s.Args[1]))
		if g.width.of(s.Args[0]) > ir.Sixteen {
			g.fits(steps)
		}
		g.setCell(code.CellSteps, get(steps))
		g.setCell(code.CellWith, get(with))
		g.setCell(code.CellThrown, c32(s.Low))
		g.setCell(code.CellEarned, c32(1-s.Low))
		g.tick(1)
	case code.Later:
		g.fireLater(s.Low, g.expr(s.Args[0]).bits())
	case code.PathAt:
		result(g.pathAt(g.expr(s.Args[0])))
	case code.Stride:
		result(call(g.stride(s.Low), args()...))
	case code.StrideAll:
		node := f.temp(g.cellAt(l.Node, g.cell(code.CellP0)))
		reached := call(g.stride(s.Low), c32(0), get(node), g.cell(code.CellWalk).lt(c32(0)))
		result(reached.and(c32(1<<16 - 1)).ge(g.cell(code.CellPathLen)))
	case code.WalkEnd:
		a := args()
		p, n := f.temp(a[0]), f.temp(a[1])
		result(get(g.walked(p, n, false)))
	case code.PickReset:
		g.setWord(wPicks, c32(0))
	case code.PickAdd:
		f.do(g.candidate(s.Low == 1), args()...)
	case code.PickBits:
		rest := f.temp(g.expr(s.Args[0]).wide())
		g.setWord(wPicks, c32(0))
		f.each(rest, func(i local) {
			n := f.temp(g.word(wPicks))
			f.store(16, get(n).shl(c32(1)), g.mem.picks, get(i).add(c32(s.Low)))
			g.setWord(wPicks, get(n).add(c32(1)))
		})
		result(g.word(wPicks))
	case code.PickCount:
		result(g.word(wPicks))
	case code.PickGet:
		result(g.at16(g.mem.picks, g.expr(s.Args[0])))
	case code.Sort:
		area := g.p.Sorts[s.Low]
		f.do(g.sort(), c32(area.Base), c32(area.Base+area.Capacity), g.expr(s.Args[0]))
	case code.MostEnds: // only the interpreter's lookahead stops here
	case code.Snapshot:
		g.flush()
		g.copyMemory(c32(g.mem.undo), c32(g.mem.state), c32(g.mem.stateSize()))
	case code.Undo:
		left := f.temp(g.cell(l.Shortest)) // a search ahead reads it at the end of the turn
		g.copyMemory(c32(g.mem.state), c32(g.mem.undo), c32(g.mem.stateSize()))
		g.reload()
		g.setCell(l.Shortest, get(left))
		g.resetLead()
	default:
		g.fail("operation", s.K)
	}
}

// tick adds n counts or throws to those of the turn.
func (g *gen) tick(n int) {
	f := g.f
	plays := f.temp(g.cell(code.CellPlays).add(c32(n)))
	g.setCell(code.CellPlays, get(plays))
	f.when(get(plays).op(opGtS, c32(3*code.MaxPlays)), f.trap, nil)
}

// fits faults if a value does not fit a cell.
func (g *gen) fits(x local) {
	op := byte(0xc1)
	if x.kind == i64 {
		op = 0xc3
	}
	g.f.when(join(x.kind, []byte{op}, get(x)).ne(get(x)), g.fault, nil)
}
