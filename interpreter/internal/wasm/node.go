package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// leadForm is how the leader is found: by the lead that the rules define, otherwise by the progress of the pieces.
type leadForm struct {
	entry       int  // entry that computes the lead for CellP0, 0 if the rules define none
	incremental bool // the lead depends only on the team's own pieces and on some cells, so it is recomputed only for dirty teams
	cells       map[int]bool
	teams       [][]int // for each team, the values of CellP0: its seats, or the team itself
	piece       []int   // team of each piece
}

// node lowers a node: where the interpreter asks its caller, the module draws at random.
func (g *gen) node(s *ir.Stmt) {
	switch code.NodeKind(s.K) {
	case code.NodeThrow:
		g.stopLookahead()
		g.throw(&g.p.Throws[s.Low])
	case code.NodeOver:
		g.observe()
		g.endGame()
	case code.NodePick:
		g.picks()
	case code.NodeOption:
		g.stopLookahead()
		g.drawOne(wOptions)
	}
}

// throw draws the numbers of a throw.
func (g *gen) throw(t *code.Throw) {
	f, l := g.f, &g.p.Layout
	throws := f.temp(g.word(wThrows))
	f.when(get(throws).ge(g.word(wCheckAt)), func() { // only at the first throws and at the limit
		if !t.Lot && !t.Start {
			f.when(g.word(wFirst).lt(c32(0)), func() { g.setWord(wFirst, g.cell(code.CellMe)) }, nil)
			g.setWord(wCheckAt, g.word(wMaxThrows))
		}
		f.when(get(throws).ge(g.word(wMaxThrows)), func() {
			g.setWord(wUnfinished, c32(1))
			g.endGame()
		}, nil)
	}, nil)
	g.observe()
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

// number draws the number of a die.
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

// card draws a card: each remaining card is equally likely. An empty deck is refilled first.
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

// observe records when the first player was ranked, and the leader if requested. Both are checked only if a dirty bit is set; if the
// dependencies of the lead are unknown, the leader is checked at every throw.
func (g *gen) observe() {
	updateLeader := func() { g.f.when(g.word(wLeads), g.updateLeader, nil) }
	always := g.lead.entry > 0 && !g.lead.incremental
	g.f.when(g.word(wDirty), func() {
		if g.read[code.CellRanked] { // ranking a player reads this cell
			none := func() val { return g.word(wRanked).lt(c32(0)) }
			g.setWord(wBefore, choose(none(), g.word(wDecisions), g.word(wBefore)))
			since := choose(none(), g.word(wThrows), g.word(wRanked))
			g.setWord(wRanked, choose(g.cell(code.CellRanked).isZero(), c32(-1), since))
		}
		if !always {
			updateLeader()
		}
		g.setWord(wDirty, c32(0))
	}, nil)
	if always {
		updateLeader()
	}
}

// updateLeader records the current leader.
func (g *gen) updateLeader() {
	f, x := g.f, &g.lead
	moved := f.temp(g.word(wDirty))
	k := i32
	if x.entry > 0 {
		k = i64
	}
	best, leader := f.local(k), f.temp(c32(0))
	progress := make([]local, len(x.teams))
	for team := len(x.teams) - 1; team >= 0; team-- { // highest address first: one bounds check
		if x.entry == 0 {
			progress[team] = f.temp(load(i32, 32, f.base(), g.mem.teamProgress+4*team))
			continue
		}
		progress[team] = f.temp(konst(k, 0))
		ask := func() {
			was := f.temp(g.cell(code.CellP0))
			for _, who := range x.teams[team] {
				g.setCell(code.CellP0, c32(who))
				f.set(progress[team], get(progress[team]).add(call(g.entry(x.entry))))
			}
			g.setCell(code.CellP0, get(was))
		}
		if at := g.mem.teamProgress + 8*team; x.incremental {
			f.when(get(moved).shr(c32(team)).and(c32(1)), func() {
				ask()
				f.store(64, f.base(), at, get(progress[team]))
			}, func() { f.set(progress[team], load(i64, 64, f.base(), at)) })
			continue
		}
		ask()
	}
	f.set(best, get(progress[0]))
	for team := 1; team < len(progress); team++ {
		at := get(progress[team])
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
				g.setWord(wBest, get(best))
			}
		}, nil)
	}, nil)
}

// progressAt is the progress of a piece at a node, 0 off its track.
func (g *gen) progressAt(p, node local) val {
	if g.p.Tracks != nil && g.linearNodes() {
		return choose(get(node).lt(c32(0)), c32(0), get(node).sub(g.firstNode(get(p))).add(c32(1)))
	}
	return g.at16(g.mem.progress, get(node).add(c32(1)))
}

// linearNodes reports whether nodes are numbered in the order of their tracks.
func (g *gen) linearNodes() bool {
	for _, w := range g.p.Tracks.Walker[:g.p.Layout.Pieces] {
		for n := w.Node; n < w.End; n++ {
			if g.progress[n] != n-w.Node {
				return false
			}
		}
	}
	return true
}

// updateProgress records the progress of a piece that moves to a node; cells is its index.
func (g *gen) updateProgress(p, cells, node local) {
	f := g.f
	was := f.temp(g.field(cells, g.p.Layout.Node))
	gain := f.temp(get(node).sub(get(was)))
	if g.p.Tracks == nil || !g.linearNodes() {
		f.set(gain, g.progressAt(p, node).sub(g.progressAt(p, was)))
	} else { // common case: on its track before and after
		f.when(get(node).or(get(was)).lt(c32(0)), func() { f.set(gain, g.progressAt(p, node).sub(g.progressAt(p, was))) }, nil)
	}
	team := f.temp(g.byColour(get(p), load(i32, 8, get(p), g.mem.team), func(q int) int { return 4 * g.lead.piece[q] }))
	now := f.temp(load(i32, 32, get(team), g.mem.teamProgress).add(get(gain)))
	f.store(32, get(team), g.mem.teamProgress, get(now))
	// The leader can change only if a team falls back or reaches the leader's progress.
	leads := f.temp(get(team).eq(g.word(wLeader).shl(c32(2))))
	ahead := f.temp(g.word(wBest))
	perhaps := get(now).ge(get(ahead)).xor(get(leads)).or(get(gain).shr(c32(31)))
	g.setWord(wDirty, g.word(wDirty).or(perhaps))
	g.setWord(wBest, choose(get(leads), get(now), get(ahead)))
}

// markTeamDirty marks the piece's team dirty if the rules define the lead.
func (g *gen) markTeamDirty(p local) {
	if g.lead.incremental {
		team := g.byColour(get(p), load(i32, 8, get(p), g.mem.team), func(q int) int { return 4 * g.lead.piece[q] }).shr(c32(2))
		g.setWord(wDirty, g.word(wDirty).or(c32(1).shl(team)))
	}
}

// resetLead recomputes the leader's progress in a new state.
func (g *gen) resetLead() {
	f := g.f
	g.setWord(wDirty, c32(-1))
	if g.lead.entry > 0 {
		return
	}
	leads := f.temp(c32(-1 << 30)) // below the progress of any team, if no team leads
	for team := range g.lead.teams {
		f.set(leads, choose(g.word(wLeader).eq(c32(team)), load(i32, 32, f.base(), g.mem.teamProgress+4*team), get(leads)))
	}
	g.setWord(wBest, get(leads))
}
