package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// leadForm says who leads: how the rules say it, else how far the pieces have come.
type leadForm struct {
	entry int  // of how far ahead the one in CellP0 is, 0 where the rules do not say
	known bool // that depends on where a team's own pieces stand, and on some cells
	cells map[int]bool
	teams [][]int // who is asked for each team: its seats, or itself
	piece []int   // of each piece its team
}

// node is what the outside has to give to the interpreter: here it is drawn.
func (g *gen) node(s *ir.Stmt) {
	switch code.NodeKind(s.K) {
	case code.NodeThrow:
		g.stop()
		g.throw(&g.p.Throws[s.Low])
	case code.NodeOver:
		g.look()
		g.over()
	case code.NodePick:
		g.picks()
	case code.NodeOption:
		g.stop()
		g.drawn(wOptions)
	}
}

// throw draws the numbers of a throw.
func (g *gen) throw(t *code.Throw) {
	f, l := g.f, &g.p.Layout
	throws := f.temp(g.word(wThrows))
	f.when(get(throws).ge(g.word(wAlarm)), func() { // at the first throws, and in the end
		if !t.Lot && !t.Start {
			f.when(g.word(wFirst).lt(c32(0)), func() { g.setWord(wFirst, g.cell(code.CellMe)) }, nil)
			g.setWord(wAlarm, g.word(wMaxThrows))
		}
		f.when(get(throws).ge(g.word(wMaxThrows)), func() {
			g.setWord(wUnfinished, c32(1))
			g.over()
		}, nil)
	}, nil)
	g.look()
	g.refuel()
	if g.choices {
		g.setWord(wChoices, c32(0))
	}
	if t.Lot {
		g.setCell(code.CellMe, g.below(c32(l.Players)).narrow())
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
		return g.card(d)
	}
	if d.Total > 1<<16 {
		g.fail("too many equal chances of", d.Name)
	}
	if d.Choice {
		return g.at16(g.mem.picks, g.below(g.word(wPicks)))
	}
	at := f.temp(g.below(c32(d.Total)).narrow())
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

// card is what is drawn from a deck: each card that is left as likely as the others. An empty one is made anew first.
func (g *gen) card(d *code.Die) val {
	f := g.f
	total, out := f.local(i32), f.temp(c32(d.Values[len(d.Values)-1]))
	left := func(i int) val { return g.cell(d.Deck + i) }
	count := func() {
		sum := left(0)
		for i := 1; i < len(d.Values); i++ {
			sum = sum.add(left(i))
		}
		f.set(total, sum)
	}
	count()
	f.when(get(total).isZero(), func() {
		for i, w := range d.Weights {
			g.setCell(d.Deck+i, c32(w))
		}
		count()
	}, nil)
	at := f.temp(g.belowMany(total))
	f.block(func(drawn label) {
		for i, v := range d.Values {
			f.set(at, get(at).sub(left(i)))
			f.when(get(at).lt(c32(0)), func() {
				f.set(out, c32(v))
				g.setCell(d.Deck+i, left(i).sub(c32(1)))
				f.br(drawn)
			}, nil)
		}
	})
	return get(out)
}

// look notes when the first player was ranked, and who leads, if that is asked for. Both are looked at only after something they depend
// on has changed; where it is not known what the leader depends on, at every throw.
func (g *gen) look() {
	leading := func() { g.f.when(g.word(wLeads), g.leading, nil) }
	always := g.lead.entry > 0 && !g.lead.known
	g.f.when(g.word(wMoved), func() {
		if g.read[code.CellRanked] { // ranking a player reads it
			none := func() val { return g.word(wRanked).lt(c32(0)) }
			g.setWord(wBefore, choose(none(), g.word(wDecisions), g.word(wBefore)))
			since := choose(none(), g.word(wThrows), g.word(wRanked))
			g.setWord(wRanked, choose(g.cell(code.CellRanked).isZero(), c32(-1), since))
		}
		if !always {
			leading()
		}
		g.setWord(wMoved, c32(0))
	}, nil)
	if always {
		leading()
	}
}

// leading takes down who leads now.
func (g *gen) leading() {
	f, x := g.f, &g.lead
	moved := f.temp(g.word(wMoved))
	k := i32
	if x.entry > 0 {
		k = i64
	}
	best, leader := f.local(k), f.temp(c32(0))
	far := make([]local, len(x.teams))
	for team := len(x.teams) - 1; team >= 0; team-- { // the highest address first
		if x.entry == 0 {
			far[team] = f.temp(load(i32, 32, f.base(), g.mem.stand+4*team))
			continue
		}
		far[team] = f.temp(konst(k, 0))
		ask := func() {
			was := f.temp(g.cell(code.CellP0))
			for _, who := range x.teams[team] {
				g.setCell(code.CellP0, c32(who))
				f.set(far[team], get(far[team]).add(call(g.entry(x.entry))))
			}
			g.setCell(code.CellP0, get(was))
		}
		if at := g.mem.stand + 8*team; x.known {
			f.when(get(moved).shr(c32(team)).and(c32(1)), func() {
				ask()
				f.store(64, f.base(), at, get(far[team]))
			}, func() { f.set(far[team], load(i64, 64, f.base(), at)) })
			continue
		}
		ask()
	}
	f.set(best, get(far[0]))
	for team := 1; team < len(far); team++ {
		at := get(far[team])
		ahead := f.temp(at.op(opGtS, get(best)))
		f.set(leader, choose(get(ahead), c32(team), choose(at.eq(get(best)), c32(-1), get(leader))))
		f.set(best, choose(get(ahead), at, get(best)))
	}
	before := f.temp(g.word(wLeader))
	f.when(get(leader).ne(get(before)), func() {
		f.when(get(leader).ge(c32(0)), func() {
			g.setWord(wChanges, g.word(wChanges).add(get(before).ge(c32(0))))
			f.store(32, get(leader).shl(c32(2)), g.mem.since, g.word(wThrows))
			g.setWord(wLeader, get(leader))
			if x.entry == 0 {
				g.setWord(wAhead, get(best))
			}
		}, nil)
	}, nil)
}

// farAt is how far a piece has come at a node, 0 off its track.
func (g *gen) farAt(p, node local) val {
	if g.p.Tracks != nil && g.inLine() {
		return choose(get(node).lt(c32(0)), c32(0), get(node).sub(g.firstNode(get(p))).add(c32(1)))
	}
	return g.at16(g.mem.far, get(node).add(c32(1)))
}

// inLine reports whether nodes are numbered as they lie along their tracks.
func (g *gen) inLine() bool {
	for _, w := range g.p.Tracks.Walker[:g.p.Layout.Pieces] {
		for n := w.Node; n < w.End; n++ {
			if g.far[n] != n-w.Node {
				return false
			}
		}
	}
	return true
}

// advance takes down how far a piece will have come at a node; cells is its index.
func (g *gen) advance(p, cells, node local) {
	f := g.f
	was := f.temp(load(i32, 16, get(cells), g.mem.state+2*g.p.Layout.Node))
	gain := f.temp(get(node).sub(get(was)))
	if g.p.Tracks == nil || !g.inLine() {
		f.set(gain, g.farAt(p, node).sub(g.farAt(p, was)))
	} else { // mostly it was on its track and still is
		f.when(get(node).or(get(was)).lt(c32(0)), func() { f.set(gain, g.farAt(p, node).sub(g.farAt(p, was))) }, nil)
	}
	team := f.temp(g.evenly(get(p), load(i32, 8, get(p), g.mem.team), func(q int) int { return 4 * g.lead.piece[q] }))
	now := f.temp(load(i32, 32, get(team), g.mem.stand).add(get(gain)))
	f.store(32, get(team), g.mem.stand, get(now))
	// Another can come to lead only where a team falls back, or comes as far as the leader.
	leads := f.temp(get(team).eq(g.word(wLeader).shl(c32(2))))
	ahead := f.temp(g.word(wAhead))
	perhaps := get(now).ge(get(ahead)).xor(get(leads)).or(get(gain).shr(c32(31)))
	g.setWord(wMoved, g.word(wMoved).or(perhaps))
	g.setWord(wAhead, choose(get(leads), get(now), get(ahead)))
}

// moves takes down that a piece will have moved, where the rules say who leads.
func (g *gen) moves(p local) {
	if g.lead.known {
		team := g.evenly(get(p), load(i32, 8, get(p), g.mem.team), func(q int) int { return 4 * g.lead.piece[q] }).shr(c32(2))
		g.setWord(wMoved, g.word(wMoved).or(c32(1).shl(team)))
	}
}

// standing takes down how far the leader has come in a state that is new.
func (g *gen) standing() {
	f := g.f
	g.setWord(wMoved, c32(-1))
	if g.lead.entry > 0 {
		return
	}
	leads := f.temp(c32(-1 << 30)) // less than any team has come, while none leads
	for team := range g.lead.teams {
		f.set(leads, choose(g.word(wLeader).eq(c32(team)), load(i32, 32, f.base(), g.mem.stand+4*team), get(leads)))
	}
	g.setWord(wAhead, get(leads))
}
