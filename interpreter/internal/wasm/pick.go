package wasm

import "github.com/rulerun/rulerun/interpreter/internal/code"

// maxChoices is the number of choices allowed after a throw; beyond it the interpreter plays the game.
const maxChoices = 10_000

// picks draws one of two or more candidates. In a lookahead the script selects the candidate.
func (g *gen) picks() {
	draw := func() { g.drawOne(wPicks) }
	if on, perhaps := g.looking(); perhaps {
		g.f.when(on, func() { g.setWord(wTaken, call(g.nextPick())) }, draw)
		return
	}
	draw()
}

// drawOne draws one of at least two options or candidates; count holds their number.
func (g *gen) drawOne(count word) {
	n := g.f.temp(g.word(count).wide())
	g.setWord(wTaken, get(g.draw(n)).narrow())
	g.refuel()
}

// countDecision counts a decision. several is -1 if there was more than one option, otherwise 0.
func (g *gen) countDecision(several val) {
	if g.choices {
		n := g.f.temp(g.word(wChoices).sub(several))
		g.setWord(wChoices, get(n))
		g.f.when(get(n).op(opGtS, c32(maxChoices)), g.tooLong, nil)
	}
	outside := g.cell(code.CellPlays).op(opShrS, c32(31))
	g.setWord(wDecisions, g.word(wDecisions).sub(several.and(outside.not())))
}

// candidate appends a candidate, unless it equals, or is interchangeable with, one of the list.
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
				y := f.temp(g.at16(g.mem.picks, get(i)))
				f.brIf(out, get(y).eq(get(x)))
				if pieces {
					f.when(get(y).or(get(x)).ge(c32(0)), func() { f.brIf(out, g.interchangeable(x, y)) }, nil)
				}
			})
			n := f.temp(g.word(wPicks))
			f.when(get(n).ge(c32(code.MaxOptions)), f.trap, nil)
			f.store(16, get(n).shl(c32(1)), g.mem.picks, get(x))
			g.setWord(wPicks, get(n).add(c32(1)))
		})
	})
}

// interchangeable reports whether two pieces are interchangeable.
func (g *gen) interchangeable(p, q local) val {
	l := &g.p.Layout
	same := g.colour(get(p)).eq(g.colour(get(q)))
	for _, k := range []int{l.At, l.Node} {
		same = same.and(g.cellAt(k, get(p)).eq(g.cellAt(k, get(q))))
	}
	return g.sameVars(p, q, same)
}

// sameVars reports whether same holds, the variables of two pieces are equal, and no lasting variable names one of them alone.
func (g *gen) sameVars(p, q local, same val) val {
	for _, k := range g.p.PieceVars {
		same = same.and(g.cellAt(k, get(p)).eq(g.cellAt(k, get(q))))
	}
	for _, k := range g.p.Named {
		same = same.and(g.cell(k).ne(get(p))).and(g.cell(k).ne(get(q)))
	}
	for _, v := range g.p.Members {
		has := func(p local) val {
			word := g.cellAt(v.Cell, get(p).shr(c32(4)).op(opMul, c32(v.Stride)))
			return word.shr(get(p).and(c32(15))).and(c32(1))
		}
		same = same.and(has(p).eq(has(q)))
	}
	return same
}
