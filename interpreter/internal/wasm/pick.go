package wasm

import "github.com/rulerun/rulerun/interpreter/internal/code"

// maxChoices is how many choices may follow a throw; the interpreter ends games with too many.
const maxChoices = 10_000

// picks takes one of two candidates or more. In a look ahead the script says which.
func (g *gen) picks() {
	draw := func() { g.drawn(wPicks) }
	if on, perhaps := g.looking(); perhaps {
		g.f.when(on, func() { g.setWord(wTaken, call(g.nextPick())) }, draw)
		return
	}
	draw()
}

// drawn draws one of so many, two or more.
func (g *gen) drawn(many word) {
	n := g.f.temp(g.word(many).wide())
	g.setWord(wTaken, get(g.draw(n)).narrow())
	g.refuel()
}

// decides counts a decision, if it is one: then several is -1, else 0.
func (g *gen) decides(several val) {
	if g.choices {
		n := g.f.temp(g.word(wChoices).sub(several))
		g.setWord(wChoices, get(n))
		g.f.when(get(n).op(opGtS, c32(maxChoices)), g.tooLong, nil)
	}
	outside := g.cell(code.CellPlays).op(opShrS, c32(31))
	g.setWord(wDecisions, g.word(wDecisions).sub(several.and(outside.not())))
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
				y := f.temp(g.at16(g.mem.picks, get(i)))
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
