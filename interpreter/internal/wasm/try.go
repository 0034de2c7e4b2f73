package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Where all that may be picked before the next node is picked while the option is carried out, the module looks ahead itself: what carries
// options out is lowered once more, in a form that counts nothing and leaves at the first node, and is run again and again with
// one choice of picks after the other. Then the state is brought back.

// maxTried is how many picks on the way of one move are looked at; where there are more the host looks.
const maxTried = 5

// tries reports whether the module can look ahead itself from a decision among rows.
func (g *gen) tries(rows []row) bool {
	if g.carry == nil || g.procs[g.carry].decides {
		return false
	}
	for i := range rows {
		if rows[i].Group != 0 {
			return false
		}
	}
	return true
}

// tried draws one of the complete options that begin with options in rows: its option goes to i, and what is picked on its way is planned.
// It goes to host where it cannot tell.
func (g *gen) tried(rows []row, count, i local, host label) {
	f := g.f
	g.setWord(wSeat, g.cell(code.CellMe))
	g.setWord(wDeep, c32(0))
	total := f.temp(get(count).narrow())
	each := func(n int, body func(p, weight local)) {
		rest, weight := f.temp(get(rows[n].set)), f.local(i32)
		f.each(rest, func(p local) { body(p, weight) })
	}
	weights := func(n int) int { return g.mem.weights + 4*64*n }
	take := func(r *row, p local) {
		was := g.trying
		g.trying = true
		g.takeOption(r, p)
		g.trying = was
	}
	for n := range rows {
		if r := &rows[n]; r.Kind == code.RowWalk {
			steps := f.temp(g.expr(r.number).narrow())
			each(n, func(p, weight local) {
				f.set(weight, c32(1))
				f.when(g.bent(p, steps), func() {
					take(r, p)
					f.set(weight, call(g.completions(), c32(-1)))
					f.set(total, get(total).add(get(weight)).sub(c32(1)))
				}, nil)
				f.store(32, get(p).shl(c32(2)), weights(n), get(weight))
			})
		}
	}
	f.brIf(host, g.word(wDeep))
	leaf := f.temp(g.belowMany(total))
	g.refuel()
	g.decides(c32(1))
	g.setWord(wRest, c32(0))
	g.setWord(wTry, c32(0))
	g.setWord(wTries, c32(0))
	f.set(i, c64(0))
	f.block(func(found label) {
		for n := range rows {
			r := &rows[n]
			if r.Kind != code.RowWalk {
				some := f.temp(get(r.count).narrow())
				f.when(get(leaf).lt(get(some)), func() {
					f.set(i, get(i).add(get(leaf).wide()))
					f.br(found)
				}, nil)
				f.set(leaf, get(leaf).sub(get(some)))
				f.set(i, get(i).add(get(r.count)))
				continue
			}
			each(n, func(p, weight local) {
				f.set(weight, load(i32, 32, get(p).shl(c32(2)), weights(n)))
				f.when(get(leaf).lt(get(weight)), func() {
					f.when(get(weight).op(opGtS, c32(1)), func() {
						take(r, p)
						picks := f.temp(call(g.completions(), get(leaf)))
						g.setWord(wTry, c32(0))
						g.setWord(wTries, get(picks))
					}, nil)
					f.br(found)
				}, nil)
				f.set(leaf, get(leaf).sub(get(weight)))
				f.set(i, get(i).add(c64(1)))
			})
		}
	})
}

// completions goes through the complete options that begin with the one taken. It gives how many there are; or with the number of one, how many
// picks there are on its way, which it leaves in the memory. Where there are too many wDeep is set.
func (g *gen) completions() *fn {
	return g.function("completions", i32, []kind{i32}, func() {
		f, m := g.f, g.mem
		want, found, depth, n := f.param(0), f.temp(c32(0)), f.temp(c32(0)), f.local(i32)
		at := func(of int) val { return load(i32, 32, get(depth).shl(c32(2)), of) }
		set := func(of int, v val) { f.store(32, get(depth).shl(c32(2)), of, v) }
		g.flush()
		g.copyMemory(m.tried, m.state, m.stateEnd-m.state)
		carry := g.triedProc(g.carry)
		f.repeat(func(again, _ label) {
			g.setWord(wTry, c32(0))
			g.setWord(wTries, get(depth))
			g.setWord(wOffered, c32(0))
			g.drop(call(carry))
			g.copyMemory(m.state, m.tried, m.stateEnd-m.state)
			g.reload()
			g.refuel()
			f.set(n, g.word(wOffered))
			f.when(get(n).ne(c32(0)), func() {
				f.when(get(depth).op(opGeS, c32(maxTried)), func() {
					g.setWord(wDeep, c32(1))
					f.give(c32(1))
				}, nil)
				set(m.offered, get(n))
				set(m.script, c32(0))
				f.set(depth, get(depth).add(c32(1)))
				f.br(again)
			}, nil)
			f.when(get(found).eq(get(want)), func() { f.give(get(depth)) }, nil)
			f.set(found, get(found).add(c32(1)))
			f.repeat(func(_, next label) { // the next choice of picks
				f.when(get(depth).isZero(), func() { f.give(get(found)) }, nil)
				f.set(depth, get(depth).sub(c32(1)))
				f.set(n, at(m.script).add(c32(1)))
				set(m.script, get(n))
				f.when(get(n).lt(at(m.offered)), func() {
					f.set(depth, get(depth).add(c32(1)))
					f.br(next)
				}, nil)
			})
		})
		f.eval(c32(0))
	})
}

// triedProc is a procedure in the form that only looks ahead. It gives 1 where it has come to a node or left to a mark.
func (g *gen) triedProc(p *ir.Proc) *fn {
	x := g.procs[p]
	if x.tried == nil {
		was := g.trying
		g.trying = true
		x.tried = g.newProc("try "+p.Name, p, i32)
		g.trying = was
	}
	return x.tried
}

// triedNode is a node met while looking ahead.
func (g *gen) triedNode(s *ir.Stmt) {
	f := g.f
	if code.NodeKind(s.K) == code.NodePick {
		f.when(g.word(wTry).lt(g.word(wTries)), func() { g.planned() }, func() {
			f.when(g.cell(code.CellDecider).eq(g.word(wSeat)), func() { g.setWord(wOffered, g.word(wPicks)) }, nil)
			f.give(c32(1))
		})
		return
	}
	f.give(c32(1))
}

// planned takes the candidate that was planned.
func (g *gen) planned() {
	at := g.f.temp(g.word(wTry))
	g.setWord(wTaken, load(i32, 32, get(at).shl(c32(2)), g.mem.script))
	g.setWord(wTry, get(at).add(c32(1)))
}
