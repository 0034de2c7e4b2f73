package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// leadForm says who leads: how the rules say it, else how far the pieces have come.
type leadForm struct {
	entry int     // of how far ahead the one in CellP0 is, 0 where the rules do not say
	teams [][]int // who is asked for each team: its seats, or itself
	piece []int   // of each piece its team
}

// node is what the outside has to give to the interpreter: here it is drawn.
func (g *gen) node(s *ir.Stmt) {
	switch code.NodeKind(s.K) {
	case code.NodeThrow:
		g.throw(&g.p.Throws[s.Low])
	case code.NodeOver:
		g.look()
		g.end()
	default:
		g.fail("a choice in the middle of", "a move")
	}
}

// throw draws the numbers of a throw.
func (g *gen) throw(t *code.Throw) {
	f, l := g.f, &g.p.Layout
	if !t.Lot && !t.Start {
		f.when(g.word(wFirst).lt(c32(0)), func() { g.setWord(wFirst, g.cell(code.CellMe)) }, nil)
	}
	throws := f.temp(g.word(wThrows))
	f.when(get(throws).ge(g.word(wMaxThrows)), func() {
		g.setWord(wUnfinished, c32(1))
		g.end()
	}, nil)
	g.look()
	g.refuel()
	if t.Lot {
		g.setCell(code.CellMe, g.below(c32(l.Players)))
		return
	}
	for _, die := range t.Dice {
		g.setCell(l.Dice+die, g.number(&g.p.Dice[die]))
	}
	if !t.Start {
		g.setWord(wThrows, get(throws).add(c32(1)))
	}
}

// number is what a die gives.
func (g *gen) number(d *code.Die) val {
	f := g.f
	if d.Deck >= 0 {
		g.fail("the deck", d.Name)
	}
	if d.Choice {
		return at16(g.mem.picks, g.below(g.word(wPicks)))
	}
	at := f.temp(g.below(c32(d.Total)))
	first, row := d.Values[0], d.Total == len(d.Values)
	for i, v := range d.Values {
		row = row && v == first+i
	}
	if row {
		return get(at).add(c32(first))
	}
	out := c32(d.Values[len(d.Values)-1])
	below := d.Total - d.Weights[len(d.Values)-1]
	for i := len(d.Values) - 2; i >= 0; i-- {
		out = choose(get(at).lt(c32(below)), c32(d.Values[i]), out)
		below -= d.Weights[i]
	}
	return out
}

// look looks who leads, if the host wants to know.
func (g *gen) look() {
	g.f.when(g.word(wLeads), func() { g.f.do(g.leading()) }, nil)
}

// leading takes down who leads now.
func (g *gen) leading() *fn {
	return g.function("leading", none, nil, func() {
		f, x := g.f, &g.lead
		if x.entry == 0 {
			moved := f.temp(g.word(wMoved))
			f.when(get(moved).isZero(), func() { f.emit(0x0f) }, nil)
			g.setWord(wMoved, c64(0))
			g.measure(moved)
		}
		best, leader, far := f.local(i64), f.local(i32), f.local(i64)
		for team, asked := range x.teams {
			if x.entry == 0 {
				f.set(far, load(i32, 32, f.base(), g.mem.stand+4*team))
			} else {
				f.set(far, c64(0))
				was := f.temp(g.cell(code.CellP0))
				for _, who := range asked {
					g.setCell(code.CellP0, c32(who))
					f.set(far, get(far).add(call(g.entry(x.entry))))
				}
				g.setCell(code.CellP0, get(was))
			}
			if team == 0 {
				f.set(best, get(far))
				continue
			}
			f.set(leader, choose(get(far).eq(get(best)), c32(-1), choose(get(far).lt(get(best)), get(leader), c32(team))))
			f.set(best, choose(get(far).lt(get(best)), get(best), get(far)))
		}
		before := f.temp(g.word(wLeader))
		f.when(get(leader).lt(c32(0)).or(get(leader).eq(get(before))), func() { f.emit(0x0f) }, nil)
		g.setWord(wChanges, g.word(wChanges).add(get(before).ge(c32(0))))
		f.store(32, get(leader).shl(c32(2)), g.mem.since, g.word(wThrows))
		g.setWord(wLeader, get(leader))
	})
}

// measure works out how far the pieces have come that have been set down since the last look; piece p is bit p modulo 64.
func (g *gen) measure(moved local) {
	f, l := g.f, &g.p.Layout
	each := func(p local) {
		node, far := f.temp(g.cellAt(l.Node, get(p))), f.local(i32)
		f.set(far, c32(0))
		f.when(get(node).ge(c32(0)), func() { f.set(far, at16(g.mem.far, get(node)).add(c32(1))) }, nil)
		team := f.temp(at16(g.mem.far+2*g.farNodes, get(p)).shl(c32(2)))
		come := f.temp(get(p).shl(c32(2)))
		gain := get(far).sub(load(i32, 32, get(come), g.mem.come))
		f.store(32, get(team), g.mem.stand, load(i32, 32, get(team), g.mem.stand).add(gain))
		f.store(32, get(come), g.mem.come, get(far))
	}
	f.set(moved, get(moved).and(c64(-1).shr(c64(int64(64-min(64, l.Pieces))))))
	f.each(moved, func(p local) {
		each(p)
		for more := 64; more < l.Pieces; more += 64 {
			q := f.temp(get(p).add(c32(more)))
			f.when(get(q).lt(c32(l.Pieces)), func() { each(q) }, nil)
		}
	})
}
