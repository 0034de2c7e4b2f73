package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Lookahead carries an option out on the state itself; a snapshot is saved before and restored afterwards. wLevel is the number of options
// carried out in this way, nested in each other; their option lists follow one another in memory. During lookahead, counters do not change,
// and a node or the end of the turn ends the run. If a player picks a candidate, the run is repeated for each candidate: a script holds the
// candidate for each pick of the run.

const (
	// Each level but the last uses up one number of the play.
	maxLevels = code.MaxNumbers
	// The module counts fewer kinds of jumps than the interpreter, so its limit is lower. Beyond it the interpreter plays the game.
	maxSpent, tryCost = code.MaxLook / 4, 25
	// An entry of the script: the candidate picked, and the number of candidates.
	pickSize = 8
)

// looking returns whether a lookahead is running; the main function never runs in one.
func (g *gen) looking() (on val, perhaps bool) {
	return g.word(wLevel).ne(c32(0)), g.lookahead && g.f != g.play
}

// countUnit is the increment of a counter, 0 during lookahead.
func (g *gen) countUnit() val {
	if !g.lookahead {
		return c64(1)
	}
	if _, perhaps := g.looking(); !perhaps {
		return g.word(wTimes)
	}
	return choose(g.word(wLevel), c64(0), g.word(wTimes))
}

// stopLookahead ends a lookahead at a node.
func (g *gen) stopLookahead() {
	if on, perhaps := g.looking(); perhaps {
		g.f.when(on, func() { g.jump(stoppedMark) }, nil)
	}
}

// stoppedMark is the target of a jump that ends a lookahead at a node.
var stoppedMark = &ir.Mark{Name: "stopped"}

// lookRun and lookTry are the keys of the functions that continue a lookahead with a procedure, and of those that start one.
type (
	lookRun struct{ *ir.Proc }
	lookTry struct{ *ir.Proc }
)

// run returns the function that continues a lookahead with a procedure. Its result is the number of numbers left over at the end.
func (g *gen) run(p *ir.Proc) *fn {
	return g.functionOf(lookRun{p}, "look: "+p.Name, i32, nil, func() {
		g.f.block(func(out label) {
			g.lookEnd = &out
			g.body(p.Body)
		})
		g.f.eval(g.cell(g.p.Layout.Shortest))
	})
}

// tryOptions computes how many numbers can be used after each option of the list, and returns the maximum. p continues after an option; it
// may start nested lookaheads.
func (g *gen) tryOptions(p *ir.Proc) *fn {
	return g.functionOf(lookTry{p}, "try options", i32, nil, func() {
		f := g.f
		left, best := f.temp(g.cell(g.p.Layout.Longest)), f.temp(c32(0))
		f.when(get(left).op(opLeS, c32(1)), func() { // the last number: no lookahead is needed
			f.times(g.word(wOptions), func(i local) { f.store(16, g.word(wList).add(get(i)).shl(c32(1)), g.mem.values, c32(1)) })
			f.ret(g.word(wOptions).ne(c32(0)))
		}, nil)
		t, hashes := g.saveState(), f.temp(c64(0))
		f.block(func(enough label) {
			f.times(get(t.options), func(i local) {
				at := f.temp(g.option(get(i)))
				used := f.temp(c32(1))
				f.block(func(known label) {
					f.when(g.maybeEqual(at, hashes), func() {
						f.times(get(i), func(j local) { // equal options have equal values
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
				// A nested lookahead needs only the maximum.
				f.brIf(enough, g.word(wLevel).ne(c32(0)).and(get(best).ge(get(left))))
			})
		})
		f.eval(get(best))
	})
}

// value is the number of numbers that can be used after option i of the list.
func (g *gen) value(i val) val { return g.at16(g.mem.values, g.word(wList).add(i)) }

// snapshot is what is restored after an option has been carried out.
type snapshot struct {
	at                         local // address of the saved state
	options, list, fuel, picks local
	moved, ahead               local
}

// saveState saves the state of the current level.
func (g *gen) saveState() *snapshot {
	f := g.f
	k := &snapshot{
		options: f.temp(g.word(wOptions)), list: f.temp(g.word(wList)), fuel: f.temp(g.word(wFuel)), picks: f.temp(g.word(wPicked)),
		moved: f.temp(g.word(wDirty)), ahead: f.temp(g.word(wBest)),
	}
	f.when(g.word(wLevel).ge(c32(maxLevels)), g.tooLong, nil)
	f.when(g.word(wLevel).isZero(), func() { g.setWord(wSpent, c32(0)) }, nil)
	k.at = f.temp(g.word(wLevel).op(opMul, c32(g.mem.stateSize())).add(c32(g.mem.saved)))
	g.flush()
	g.copyMemory(get(k.at), c32(g.mem.state), c32(g.mem.stateSize()))
	return k
}

// restore restores a snapshot.
func (g *gen) restore(k *snapshot) {
	g.copyMemory(c32(g.mem.state), get(k.at), c32(g.mem.stateSize()))
	g.reload()
	for _, x := range []struct {
		w word
		l local
	}{{wOptions, k.options}, {wList, k.list}, {wDirty, k.moved}, {wBest, k.ahead}} {
		g.setWord(x.w, get(x.l))
	}
}

// trial carries an option out, once for each combination of picks on the way. run continues from there; afterwards the snapshot is
// restored.
func (g *gen) trial(k *snapshot, option local, run func()) {
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
		// Advance the last pick of the script that has candidates left.
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

// nextPick returns the next candidate of the script, or the first candidate beyond the script's end.
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

// most computes how many of a play's numbers can be used. In a lookahead that is the result. If the options are listed again, the
// next list is stored behind the current one until fewerOut.
func (g *gen) most(p *ir.Proc, again bool) {
	most := call(g.tryOptions(p))
	if g.lookEnd != nil {
		l, best := &g.p.Layout, g.f.temp(most)
		g.f.ret(choose(g.word(wOptions).isZero(), g.cell(l.Shortest), g.cell(l.Longest).sub(get(best))))
		return
	}
	g.setCell(code.CellUsable, most)
	g.setWord(wTried, g.word(wOptions))
	if again {
		g.setWord(wList, g.word(wOptions))
	}
}

// fewerOut drops the options from which fewer numbers can be used than from others, according to the values of the list before.
func (g *gen) fewerOut() *fn {
	return g.function("fewer out", none, nil, func() {
		f := g.f
		g.retain(func(option local, drop label) {
			f.block(func(retain label) {
				i := f.temp(get(option).shr(c32(optionShift)).sub(g.word(wList))) // usually the same position
				f.times(g.word(wTried), func(local) {
					f.set(i, choose(get(i).lt(g.word(wTried)), get(i), c32(0)))
					other := f.temp(get(i).shl(c32(optionShift)))
					word := func(at local, k int) val { return load(i64, 64, get(at), g.mem.options+k) }
					const rest = ^(0xffff << (8 * (optWalk - optHeading))) // the length of the walk follows from the other fields
					same := word(option, 0).eq(word(other, 0)).and(word(option, optParams).eq(word(other, optParams)))
					same = same.and(word(option, optHeading).xor(word(other, optHeading)).and(c64(rest)).isZero())
					f.when(same, func() {
						f.block(func(another label) {
							if g.traced() {
								g.samePath(option, other, another)
							}
							f.brIf(retain, g.at16(g.mem.values, get(i)).eq(g.cell(code.CellUsable)))
							f.br(drop)
						})
					}, nil)
					f.increment(i)
				})
				f.br(drop)
			})
		})
		size := g.word(wOptions).op(opMul, c32(optionSize))
		g.copyMemory(c32(g.mem.options), g.option(c32(0)).add(c32(g.mem.options)), size)
		g.setWord(wList, c32(0))
	})
}

// samePath branches to another if the paths of two options differ.
func (g *gen) samePath(a, b local, another label) {
	f := g.f
	f.brIf(another, g.opt(a, optLength).ne(g.opt(b, optLength)))
	word := func(at local, k local) val {
		return load(i64, 64, g.opt(at, optPath).op(opMul, c32(pathSize)).add(get(k).shl(c32(3))), g.mem.paths)
	}
	f.times(g.opt(a, optLength).add(c32(15)).shr(c32(4)), func(k local) { f.brIf(another, word(a, k).ne(word(b, k))) })
}

// partTooLate reports whether two ways of one piece's count are no choice: the game ends before the ways differ. Both are options of the
// list.
func (g *gen) partTooLate(carry *ir.Proc) *fn {
	return g.function("part too late", i32, []kind{i32, i32}, func() {
		f, l := g.f, &g.p.Layout
		out, outcome := f.temp(c32(0)), f.temp(c32(g.mem.saved+maxLevels*g.mem.stateSize()))
		k := g.saveState()
		for i := range 2 {
			f.set(out, c32(0))
			g.trial(k, f.param(i), func() {
				f.drop(call(g.run(carry)))
				g.flush()
				ended := g.cell(code.CellOver).ne(c32(0)).and(g.cellAt(l.Prev, g.opt(f.param(i), optParams)).eq(c32(code.InHand)))
				ended = get(f.temp(ended.and(g.word(wPicked).eq(get(k.picks)))))
				g.setWord(wPicked, get(k.picks)) // a pick on the way may be a choice
				if i == 0 {
					f.set(out, ended)
					g.copyMemory(get(outcome), c32(g.mem.state), c32(g.mem.stateSize()))
					return
				}
				f.when(ended, func() { f.set(out, call(g.sameOutcome())) }, nil)
			})
			f.when(get(out).isZero(), func() { f.ret(c32(0)) }, nil)
		}
		f.eval(c32(1))
	})
}

// sameOutcome reports whether a finished game equals the saved one, except for the option carried out.
func (g *gen) sameOutcome() *fn {
	return g.function("same outcome", i32, nil, func() {
		f, l := g.f, &g.p.Layout
		places := l.Numbers
		if l.Path >= 0 {
			places = l.Path
		}
		outcome := g.mem.saved + maxLevels*g.mem.stateSize()
		for _, part := range [][2]int{{code.CellWinner, code.CellWinner + 1}, {l.Status, places}, {l.NumbersEnd, l.Frame}} {
			f.times(c32(part[1]-part[0]), func(i local) {
				at := f.temp(get(i).add(c32(part[0])).shl(c32(1)))
				f.when(load(i32, 16, get(at), g.mem.state).ne(load(i32, 16, get(at), outcome)), func() { f.ret(c32(0)) }, nil)
			})
		}
		f.eval(c32(1))
	})
}
