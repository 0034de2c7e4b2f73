package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Looking ahead carries an option out on the state itself, which is kept before and restored after. wLevel is how many options are being
// carried out in this way, one within the other; their lists of options follow one another in the memory. Meanwhile nothing counts, and
// a node, or the end of the turn, ends the run. Where a player picks something, the run is repeated for each candidate: a script says
// which is picked at which of the picks on the way.

const (
	// Each level but the last uses up one of a play's numbers.
	maxLevels = code.MaxNumbers
	// Of jumps the module counts fewer than the interpreter does, so that it gives up earlier; the interpreter then sees to the game.
	maxSpent, tryCost = code.MaxLook / 4, 25
	// An entry of the script: the candidate that is picked, and how many there are.
	pickSize = 8
)

// looking is whether a look ahead is on; nothing of main runs in one.
func (g *gen) looking() (on val, perhaps bool) {
	return g.word(wLevel).ne(c32(0)), g.looks && g.f != g.play
}

// one is what counts when something comes up: 1, and nothing in a look ahead.
func (g *gen) one() val {
	if on, perhaps := g.looking(); perhaps {
		return on.isZero().wide()
	}
	return c64(1)
}

// stop ends a look ahead at a node.
func (g *gen) stop() {
	if on, perhaps := g.looking(); perhaps {
		g.f.when(on, func() { g.jump(stopped) }, nil)
	}
}

// stopped is where a look ahead ends that comes to a node.
var stopped = &ir.Mark{Name: "stopped"}

// run is the function of a procedure that plays on in a look ahead: how many numbers are left over when it has ended.
func (g *gen) run(p *ir.Proc) *fn {
	f := g.runs[p]
	if f == nil {
		f = g.module.newFunc("look: "+p.Name, i32)
		g.runs[p] = f
		g.within(f, func() {
			g.f.block(func(out label) {
				g.ends = &out
				g.body(p.Body)
			})
			g.f.eval(g.cell(g.p.Layout.Shortest))
		})
	}
	return f
}

// tries finds out how many numbers can be used from each option of the list, its values, and gives the most. p plays on after an option
// and looks ahead in turn.
func (g *gen) tries(p *ir.Proc) *fn {
	f := g.tried[p]
	if f != nil {
		return f
	}
	f = g.module.newFunc("tries", i32)
	g.tried[p] = f
	g.within(f, func() {
		f := g.f
		left, best := f.temp(g.cell(g.p.Layout.Longest)), f.temp(c32(0))
		f.when(get(left).op(opLeS, c32(1)), func() { // nothing to look for
			f.times(g.word(wOptions), func(i local) { f.store(16, g.word(wList).add(get(i)).shl(c32(1)), g.mem.values, c32(1)) })
			f.give(g.word(wOptions).ne(c32(0)))
		}, nil)
		t, hashes := g.keepState(), f.temp(c64(0))
		f.block(func(enough label) {
			f.times(get(t.options), func(i local) {
				at := f.temp(g.option(get(i)))
				used := f.temp(c32(1))
				f.block(func(known label) {
					f.when(g.perhapsEqual(at, hashes), func() {
						f.times(get(i), func(j local) { // equal options are of the same use
							other := f.temp(g.option(get(j)))
							f.when(g.opt(other, optNumber).eq(g.opt(at, optNumber)), func() {
								f.when(g.equalOptions(at, other), func() {
									f.set(used, g.value(get(j)))
									f.br(known)
								}, nil)
							}, nil)
						})
					}, nil)
					g.trial(t, at, func() {
						uses := f.temp(get(left).sub(call(g.run(p))))
						f.set(used, choose(get(uses).op(opGtS, get(used)), get(uses), get(used)))
					})
				})
				f.store(16, g.word(wList).add(get(i)).shl(c32(1)), g.mem.values, get(used))
				f.set(best, choose(get(used).op(opGtS, get(best)), get(used), get(best)))
				// One within another is only asked for the most.
				f.brIf(enough, g.word(wLevel).ne(c32(0)).and(get(best).ge(get(left))))
			})
		})
		f.eval(get(best))
	})
	return f
}

// value is how many numbers can be used from option i of the list.
func (g *gen) value(i val) val { return g.at16(g.mem.values, g.word(wList).add(i)) }

// kept is what is restored after an option has been carried out.
type kept struct {
	at                         local // where the state is kept
	options, list, fuel, picks local
	moved, ahead               local
}

// keepState keeps the state of the next level.
func (g *gen) keepState() *kept {
	f := g.f
	k := &kept{
		options: f.temp(g.word(wOptions)), list: f.temp(g.word(wList)), fuel: f.temp(g.word(wFuel)), picks: f.temp(g.word(wPicked)),
		moved: f.temp(g.word(wMoved)), ahead: f.temp(g.word(wAhead)),
	}
	f.when(g.word(wLevel).ge(c32(maxLevels)), g.tooLong, nil)
	f.when(g.word(wLevel).isZero(), func() { g.setWord(wSpent, c32(0)) }, nil)
	k.at = f.temp(g.word(wLevel).op(opMul, c32(g.mem.stateSize())).add(c32(g.mem.saved)))
	g.flush()
	g.copyMemory(get(k.at), c32(g.mem.state), c32(g.mem.stateSize()))
	return k
}

// restore makes the state what was kept.
func (g *gen) restore(k *kept) {
	g.copyMemory(c32(g.mem.state), get(k.at), c32(g.mem.stateSize()))
	g.reload()
	for _, x := range []struct {
		w word
		l local
	}{{wOptions, k.options}, {wList, k.list}, {wMoved, k.moved}, {wAhead, k.ahead}} {
		g.setWord(x.w, get(x.l))
	}
}

// trial carries an option out, once for each way to pick what is picked meanwhile. run plays on; then the state is what was kept.
func (g *gen) trial(k *kept, option local, run func()) {
	f := g.f
	g.setWord(wLevel, g.word(wLevel).add(c32(1)))
	f.repeat(func(again, out label) {
		g.setWord(wPick, get(k.picks))
		g.refuel()
		f.do(g.takeListed(), get(option))
		run()
		g.restore(k)
		g.setWord(wSpent, g.word(wSpent).add(c32(maxFuel+tryCost)).sub(g.word(wFuel)))
		f.when(g.word(wSpent).op(opGtS, c32(maxSpent)), g.tooLong, nil)
		// The last pick of the script that has candidates left is made anew.
		f.repeat(func(_, _ label) {
			f.brIf(out, g.word(wPicked).eq(get(k.picks)))
			last := f.temp(g.word(wPicked).sub(c32(1)).op(opMul, c32(pickSize)))
			next := f.temp(load(i32, 32, get(last), g.mem.script).add(c32(1)))
			f.store(32, get(last), g.mem.script, get(next))
			f.brIf(again, get(next).lt(load(i32, 32, get(last), g.mem.script+4)))
			g.setWord(wPicked, g.word(wPicked).sub(c32(1)))
		})
	})
	g.setWord(wFuel, get(k.fuel))
	g.setWord(wLevel, g.word(wLevel).sub(c32(1)))
}

// nextPick is the candidate that the script picks next; beyond its end the first.
func (g *gen) nextPick() *fn {
	return g.function("next pick", i32, nil, func() {
		f := g.f
		at := f.temp(g.word(wPick).op(opMul, c32(pickSize)))
		f.when(g.word(wPick).eq(g.word(wPicked)), func() {
			f.when(g.word(wPicked).add(g.word(wLevel)).ge(c32(code.MaxDepth)), g.tooLong, nil)
			f.store(32, get(at), g.mem.script, c32(0))
			f.store(32, get(at), g.mem.script+4, g.word(wPicks))
			g.setWord(wPicked, g.word(wPicked).add(c32(1)))
		}, nil)
		g.setWord(wPick, g.word(wPick).add(c32(1)))
		f.eval(load(i32, 32, get(at), g.mem.script))
	})
}

// most looks how many of a play's numbers can be used. In a look ahead that is what was asked for; else the list of options that
// follows stands behind this one, until fewerOut.
func (g *gen) most(p *ir.Proc) {
	most := call(g.tries(p))
	if g.ends != nil {
		l, best := &g.p.Layout, g.f.temp(most)
		g.f.give(choose(g.word(wOptions).isZero(), g.cell(l.Shortest), g.cell(l.Longest).sub(get(best))))
		return
	}
	g.setCell(code.CellUsable, most)
	g.setWord(wTried, g.word(wOptions))
	g.setWord(wList, g.word(wOptions))
}

// fewerOut drops the options from which fewer numbers can be used than from others, by the values of the list before.
func (g *gen) fewerOut() *fn {
	return g.function("fewer out", none, nil, func() {
		f := g.f
		g.keep(func(option local, drop label) {
			f.block(func(keep label) {
				i := f.temp(get(option).shr(c32(optionShift)).sub(g.word(wList))) // mostly it stood at the same place
				f.times(g.word(wTried), func(local) {
					f.set(i, choose(get(i).lt(g.word(wTried)), get(i), c32(0)))
					other := f.temp(get(i).shl(c32(optionShift)))
					word := func(at local, k int) val { return load(i64, 64, get(at), g.mem.options+k) }
					const rest = ^(0xffff << (8 * (optWalk - optHeading))) // how long the walk is follows from the others
					same := word(option, 0).eq(word(other, 0)).and(word(option, optParams).eq(word(other, optParams)))
					same = same.and(word(option, optHeading).xor(word(other, optHeading)).and(c64(rest)).isZero())
					f.when(same, func() {
						f.block(func(another label) {
							if g.traced() {
								g.samePath(option, other, another)
							}
							f.brIf(keep, g.at16(g.mem.values, get(i)).eq(g.cell(code.CellUsable)))
							f.br(drop)
						})
					}, nil)
					f.set(i, get(i).add(c32(1)))
				})
				f.br(drop)
			})
		})
		size := g.word(wOptions).op(opMul, c32(optionSize))
		g.copyMemory(c32(g.mem.options), g.option(c32(0)).add(c32(g.mem.options)), size)
		g.setWord(wList, c32(0))
	})
}

// samePath goes to another where the paths of two options are not the same.
func (g *gen) samePath(a, b local, another label) {
	f := g.f
	f.brIf(another, g.opt(a, optLength).ne(g.opt(b, optLength)))
	word := func(at local, k local) val {
		return load(i64, 64, g.opt(at, optPath).op(opMul, c32(pathSize)).add(get(k).shl(c32(3))), g.mem.paths)
	}
	f.times(g.opt(a, optLength).add(c32(15)).shr(c32(4)), func(k local) { f.brIf(another, word(a, k).ne(word(b, k))) })
}

// partTooLate is whether two ways of one piece's count are no choice: the game ends before they part. Both are options of the list.
func (g *gen) partTooLate(carry *ir.Proc) *fn {
	return g.function("part too late", i32, []kind{i32, i32}, func() {
		f, l := g.f, &g.p.Layout
		out, fate := f.temp(c32(0)), f.temp(c32(g.mem.saved+maxLevels*g.mem.stateSize()))
		k := g.keepState()
		for i := range 2 {
			f.set(out, c32(0))
			g.trial(k, f.param(i), func() {
				f.eval(call(g.run(carry)))
				f.emit(0x1a)
				g.flush()
				ended := g.cell(code.CellOver).ne(c32(0)).and(g.cellAt(l.Prev, g.opt(f.param(i), optParams)).eq(c32(code.InHand)))
				ended = get(f.temp(ended.and(g.word(wPicked).eq(get(k.picks)))))
				g.setWord(wPicked, get(k.picks)) // what is picked may be a choice
				if i == 0 {
					f.set(out, ended)
					g.copyMemory(get(fate), c32(g.mem.state), c32(g.mem.stateSize()))
					return
				}
				f.when(ended, func() { f.set(out, call(g.sameFate())) }, nil)
			})
			f.when(get(out).isZero(), func() { f.give(c32(0)) }, nil)
		}
		f.eval(c32(1))
	})
}

// sameFate is whether a game that has ended is as the other that is kept, but for the option that was carried out.
func (g *gen) sameFate() *fn {
	return g.function("same fate", i32, nil, func() {
		f, l := g.f, &g.p.Layout
		places := l.Numbers
		if l.Path >= 0 {
			places = l.Path
		}
		fate := g.mem.saved + maxLevels*g.mem.stateSize()
		for _, part := range [][2]int{{code.CellWinner, code.CellWinner + 1}, {l.Status, places}, {l.NumbersEnd, l.Frame}} {
			f.times(c32(part[1]-part[0]), func(i local) {
				at := f.temp(get(i).add(c32(part[0])).shl(c32(1)))
				f.when(load(i32, 16, get(at), g.mem.state).ne(load(i32, 16, get(at), fate)), func() { f.give(c32(0)) }, nil)
			})
		}
		f.eval(c32(1))
	})
}
