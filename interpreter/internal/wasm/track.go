package wasm

import (
	"strconv"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// firstNode is the first node of a piece's track, nodes the number of nodes.
func (g *gen) firstNode(p val) val {
	return g.byColour(p, at32(g.mem.node0, p), func(q int) int { return g.p.Tracks.Walker[q].Node })
}

func (g *gen) nodes(p val) val {
	return g.byColour(p, at32(g.mem.length, p), func(q int) int { return g.p.Tracks.Walker[q].End - g.p.Tracks.Walker[q].Node })
}

// key encodes the pieces on a place as a table index, see vm.Machine; -1 if there are more pieces than the tables cover.
func (g *gen) key(place local) local {
	f, l := g.f, &g.p.Layout
	at := g.cells(place)
	key, count := f.local(i32), f.temp(at(l.Count))
	colour := func(k int) val { return g.colour(at(k)) }
	f.block(func(out label) {
		f.set(key, c32(0))
		f.brIf(out, get(count).isZero())
		f.set(key, c32(-1))
		f.brIf(out, get(count).op(opGtS, c32(2)))
		f.set(key, colour(l.Head).add(c32(1)))
		f.brIf(out, get(count).eq(c32(1)))
		f.set(key, get(key).op(opMul, c32(l.Colours)).add(colour(l.Tail)).add(c32(1)))
	})
	return key
}

// lookupTrack reads a table for the current pieces of a place. If the tables do not cover them, it asks the judges.
func (g *gen) lookupTrack(name string, table int, w word) *fn {
	return g.function(name, i64, []kind{i32}, func() {
		f := g.f
		place := f.param(0)
		k := g.key(place)
		f.when(get(k).ge(c32(0)), func() { f.ret(at64(table, get(place).op(opMul, c32(g.p.Tracks.Keys)).add(get(k)))) }, nil)
		f.do(g.askJudges(), get(place))
		f.eval(g.word(w))
	})
}

// trackSets returns the track sets that contain a place now; judgesAt returns the judges that apply to it.
func (g *gen) trackSets() *fn { return g.lookupTrack("track sets", g.mem.setTable, wSets) }
func (g *gen) judgesAt() *fn  { return g.lookupTrack("judges at", g.mem.judgeTable, wJudges) }

// askJudges evaluates the judges of a place one by one.
func (g *gen) askJudges() *fn {
	return g.function("ask judges", none, []kind{i32}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		place := f.param(0)
		says, holds := f.local(i64), f.local(i64)
		p0, to := f.temp(g.cell(code.CellP0)), f.temp(g.cell(code.CellTo))
		g.setCell(code.CellTo, get(place))
		for colour := range t.Base {
			f.when(g.at16(g.mem.square+2*colour*l.Places, get(place)), func() {
				g.setCell(code.CellP0, c32(colour*l.PerColour))
				for j := range t.Judges {
					f.when(call(g.entry(t.Judges[j].Entry)), func() {
						f.set(says, get(says).or(c64(1<<(8*j+colour))))
						f.set(holds, get(holds).or(c64(int64(code.In(t.Judges[j].Set)<<(8*colour)))))
					}, nil)
				}
			}, nil)
		}
		g.setCell(code.CellP0, get(p0))
		g.setCell(code.CellTo, get(to))
		g.setWord(wJudges, get(says))
		g.setWord(wSets, g.resolveSets(holds))
	})
}

// resolveSets combines the sets of the judges as code.Parted does.
func (g *gen) resolveSets(holds local) val {
	f := g.f
	set := func(n int) val { return get(holds).shr(c64(int64(n))).and(c64(code.Every)) }
	in := func(n int, v val) val { return v.shl(c64(int64(n))) }
	bars, hard, last := f.temp(set(code.SetStops)), f.temp(set(code.SetHard)), f.temp(set(code.SetHardLast))
	turns := f.temp(set(code.SetTurns).and(get(bars).not()))
	out := in(code.SetStops, get(bars).or(get(hard)).or(get(turns))).or(in(code.SetEnds, set(code.SetEnds).or(get(last))))
	return out.or(in(code.SetHard, get(hard))).or(in(code.SetHardLast, get(last))).or(in(code.SetTurns, get(turns)))
}

// currentSets is the track sets of a place. Unless loud holds, they are the sets of the empty place.
func (g *gen) currentSets(place local, loud val) val {
	f, t := g.f, g.p.Tracks
	holds := f.temp(c64(0))
	f.when(loud, func() { f.set(holds, call(g.trackSets(), get(place))) }, func() {
		for p := range g.p.Layout.Places {
			if t.Holds[p*t.Keys] != 0 {
				f.set(holds, at64(g.mem.emptySets, get(place)))
				return
			}
		}
	})
	return get(holds)
}

// updateTrackSets updates the track sets of a place; before holds its previous sets.
func (g *gen) updateTrackSets(place, before local, loud val) {
	f := g.f
	f.set(before, get(before).xor(g.currentSets(place, loud)))
	f.when(get(before), func() { f.do(g.flipTrackSets(), get(place), get(before)) }, nil)
}

// flipTrackSets flips bits of the track sets: parameters place, and one bit for each colour and set, as in code.Tracks.Holds. A place off a
// colour's track maps to a dummy square.
func (g *gen) flipTrackSets() *fn {
	return g.function("flip track sets", none, []kind{i32, i64}, func() {
		f, l, t := g.f, &g.p.Layout, g.p.Tracks
		at, diff := f.temp(get(f.param(0)).shl(c32(1))), f.param(1)
		for colour := l.Colours - 1; colour >= 0; colour-- { // highest address first: one bounds check
			i := f.temp(load(i32, 16, get(at), g.mem.square+2*colour*l.Places))
			turned := f.temp(get(diff).shr(c64(int64(8 * colour))).narrow())
			flip := func(more int) {
				at := g.mem.squares + more
				f.store(8, get(i), at, load(i32, 8, get(i), at).xor(get(turned)))
			}
			if t.Loop {
				f.when(get(i).lt(c32(t.Base[colour]+code.MaxStraight)), func() { flip(t.Length[colour]) }, nil)
			}
			flip(0)
		}
	})
}

// window loads the sets of the next code.Ahead squares from a node on.
func (g *gen) window(i val) val { return load(i64, 64, i, g.mem.squares) }

// stopMask selects what stops a walk of at most code.Ahead steps, see code.Way.
func (g *gen) stopMask(n local) val { return at64(g.mem.ways, get(n)) }

// shortStopMask is stopMask for a walk of at least one step, without a load.
func shortStopMask(n local) val {
	return c64(int64(code.Way(code.Ahead))).shr(get(n).wide().op(opMul, c64(-8)))
}

// upTo is the test 1 <= n <= most, as one unsigned comparison.
func upTo(n local, most int) val { return get(n).sub(c32(1)).op(opLtU, c32(most)) }

// after is the next node; off its track (-1) that is number 0, whose squares stop every walk.
func after(node local) val { return get(node).add(c32(1)) }

// freeSteps is the number of steps before the first square that stops a straight walk: parameters node, steps. It is at least steps if
// nothing stops it.
func (g *gen) freeSteps() *fn {
	return g.function("free steps", i32, []kind{i32, i32}, func() {
		f := g.f
		at, n := f.param(0), f.param(1)
		free, left, stops := f.temp(c32(0)), f.local(i32), f.local(i64)
		f.repeat(func(_, out label) {
			f.brIf(out, get(free).ge(get(n)))
			f.set(left, get(n).sub(get(free)))
			f.set(left, choose(get(left).op(opGtS, c32(code.Ahead)), c32(code.Ahead+1), get(left)))
			f.set(stops, g.window(get(at).add(get(free))).and(g.stopMask(left)))
			f.when(get(stops), func() { f.ret(get(free).add(get(stops).lowest().shr(c32(3)))) }, nil)
			f.set(free, get(free).add(c32(code.Ahead)))
		})
		f.eval(get(free))
	})
}

// walkers keeps in a set the pieces that can walk n steps; of is the expression of the set. Walks that turn, and walks backwards, are
// followed step by step.
func (g *gen) walkers(set, n local, of *ir.Expr) {
	f, t, l := g.f, g.p.Tracks, &g.p.Layout
	f.block(func(out label) {
		stopped := f.temp(c64(0))
		f.when(upTo(n, code.Ahead), func() { g.findStopped(set, stopped, n, of, 1) }, func() {
			f.when(upTo(n, code.MaxStraight), nil, func() {
				f.set(set, g.followers(set, n))
				f.br(out)
			})
			f.when(upTo(n, maxWindows*code.Ahead), func() { g.findStopped(set, stopped, n, of, maxWindows) }, func() {
				rest := f.temp(get(set))
				f.each(rest, func(p local) {
					node := f.temp(g.cellAt(l.Node, get(p)))
					stops := call(g.freeSteps(), after(node), get(n)).lt(get(n))
					f.set(stopped, get(stopped).or(stops.wide().shl(get(p).wide())))
				})
			})
		})
		f.brIf(out, get(stopped).isZero())
		f.set(set, get(set).xor(get(stopped)))
		if t.Has[code.SetTurns] || t.Has[code.SetHardLast] {
			f.set(set, get(set).or(g.followers(stopped, n)))
			return
		}
		f.each(stopped, func(p local) { g.noteBarred(p, n) })
	})
}

// maxTogether is the largest number of pieces of a colour for which all are tested, in the set or not.
const maxTogether = 4

// maxWindows is the largest number of windows that are tested side by side.
const maxWindows = 3

// findStopped finds the pieces of a set that are stopped within some windows. Which and how many are stopped is unpredictable, so the code
// for pieces of one colour has no branch.
func (g *gen) findStopped(set, stopped, n local, of *ir.Expr, windows int) {
	f, l := g.f, &g.p.Layout
	ways := []local{f.temp(c64(code.Every << code.SetStops))}
	if windows == 1 {
		ways[0] = f.temp(shortStopMask(n))
	}
	for k := 1; k < windows; k++ { // for each window: the walk is over before it, passes through it, or ends in it
		left := f.temp(get(n).sub(c32(code.Ahead * k)))
		f.set(left, choose(get(left).op(opGtS, c32(code.Ahead)), c32(code.Ahead+1), get(left)))
		ways = append(ways, f.temp(g.stopMask(f.temp(get(left).and(get(left).op(opShrS, c32(31)).not())))))
	}
	free := func(node local) val { // 0 or 1: ctz is 64 if no bit is set
		if windows == 1 {
			return ctz(g.window(after(node)).and(get(ways[0]))).shr(c64(6))
		}
		at := f.temp(after(node))
		out := c64(0)
		for k := windows - 1; k >= 0; k-- { // highest address first: one bounds check
			out = load(i64, 64, get(at), g.mem.squares+code.Ahead*k).and(get(ways[k])).or(out)
		}
		return ctz(out).shr(c64(6))
	}
	if l.PerColour > maxTogether {
		rest := f.temp(get(set))
		f.each(rest, func(p local) {
			node := f.temp(g.cellAt(l.Node, get(p)))
			f.set(stopped, get(stopped).or(free(node).xor(c64(1)).shl(get(p).wide())))
		})
		return
	}
	together := func(begin local) {
		at := f.temp(get(begin).shl(c32(1)))
		some := f.local(i64)
		for p := l.PerColour - 1; p >= 0; p-- { // highest address first: one bounds check
			one := free(f.temp(g.field(at, l.Node+p)))
			if p < l.PerColour-1 {
				one = get(some).shl(c64(1)).or(one)
			}
			f.set(some, one)
		}
		f.set(stopped, get(some).xor(c64(1<<l.PerColour-1)).shl(get(begin).wide()).and(get(set)).or(get(stopped)))
	}
	if begin, ok := g.sameColour(of); ok {
		together(begin)
		return
	}
	rest := f.temp(get(set))
	f.repeat(func(_, out label) { // colour by colour
		f.brIf(out, get(rest).isZero())
		begin := f.temp(g.colour(get(rest).lowest()).op(opMul, c32(l.PerColour)))
		together(begin)
		f.set(rest, get(rest).and(c64(1<<l.PerColour-1).shl(get(begin).wide()).not()))
	})
}

// noteBarred counts the clause that bars a straight walk.
func (g *gen) noteBarred(p, n local) {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	f.block(func(out label) {
		node := f.temp(g.cellAt(l.Node, get(p)))
		f.brIf(out, get(node).lt(c32(0)))
		next := f.temp(after(node))
		free, squareSets := f.local(i32), f.local(i32)
		f.when(upTo(n, code.Ahead), func() {
			ahead := f.temp(g.window(get(next)))
			at := f.temp(get(ahead).and(shortStopMask(n)).lowest().and(c32(^7)))
			f.set(free, get(at).shr(c32(3)))
			f.set(squareSets, get(ahead).shr(get(at).wide()).narrow().and(c32(255)))
		}, func() {
			f.set(free, call(g.freeSteps(), get(next), get(n)))
			f.set(squareSets, load(i32, 8, get(next).add(get(free)), g.mem.squares))
		})
		if t.Has[code.SetHard] {
			hard := get(squareSets).and(c32(1<<code.SetStops | 1<<code.SetHard)).eq(c32(1<<code.SetStops | 1<<code.SetHard))
			f.when(hard, g.fault, nil)
		}
		length := f.temp(g.nodes(get(p)))
		i := f.temp(get(node).sub(g.firstNode(get(p))).add(c32(1)).add(get(free)))
		if t.Loop {
			f.set(i, get(i).op(opRem, get(length)))
		} else {
			f.when(get(i).ge(get(length)), func() {
				if t.Beyond >= 0 {
					g.fireLater(t.Beyond, c32(1))
				}
				f.br(out)
			}, nil)
		}
		place := f.temp(g.at16(g.mem.tables+2*l.NodePlace, g.firstNode(get(p)).add(get(i))))
		stops := get(squareSets).and(c32(1 << code.SetStops))
		note := func(set int) func() {
			return func() {
				g.firstJudge(set, p, func() val { return get(place) }, func(j int) { g.fireLater(t.Judges[j].Counter, c32(1)) })
			}
		}
		f.when(stops, note(code.SetStops), note(code.SetEnds))
	})
}

// firstJudge emits note for the first judge that puts a place into a set. A single candidate needs no lookup, and not the place.
func (g *gen) firstJudge(set int, p local, place func() val, note func(judge int)) {
	f := g.f
	judges := seq.Indexes(g.p.Tracks.Judges, func(x code.Judge) bool { return x.Set == set })
	if len(judges) == 1 {
		note(judges[0])
		return
	}
	says := f.temp(call(g.judgesAt(), place()).shr(g.colour(get(p)).wide()))
	f.block(func(out label) {
		for _, j := range judges {
			f.when(get(says).shr(c64(int64(8*j))).and(c64(1)), func() {
				note(j)
				f.br(out)
			}, nil)
		}
	})
}

// walked is the node at the end of a permitted walk. With cells, it writes the direction and the path to the state.
func (g *gen) walked(p, n local, cells bool) local {
	f, l, t := g.f, &g.p.Layout, g.p.Tracks
	node, out := f.temp(g.cellAt(l.Node, get(p))), f.local(i32)
	straight := func() {
		f.set(out, get(node).add(get(n)))
		if t.Loop {
			size := f.temp(g.nodes(get(p)))
			f.set(out, get(out).sub(choose(get(out).sub(g.firstNode(get(p))).ge(get(size)), get(size), c32(0))))
		}
		if cells {
			g.setCell(code.CellHeading, c32(1))
			if l.Path >= 0 {
				g.straightPath(n)
			}
		}
	}
	winding := func() {
		end := f.temp(call(g.follow(true), get(p), get(n)))
		f.when(get(end).lt(c32(0)), f.trap, nil) // it has been followed before
		f.set(out, get(end).op(opShrS, c32(2)))
		if cells {
			g.setCell(code.CellHeading, c32(1).sub(get(end).and(c32(walkBack))))
		}
	}
	if !t.Has[code.SetTurns] {
		f.when(upTo(n, code.MaxStraight), straight, winding)
		return out
	}
	f.when(upTo(n, code.Ahead), func() {
		f.when(g.window(after(node)).and(g.turnMask(n)), winding, straight)
	}, winding)
	return out
}

// pathAt is the code of a step of the path being carried out.
func (g *gen) pathAt(i val) val {
	at := g.f.temp(i.narrow())
	return load(i32, 16, get(at).shr(c32(2)).shl(c32(1)), g.mem.state+2*g.p.Layout.Path).shr(get(at).and(c32(3)).shl(c32(2))).and(c32(15))
}

// stride takes the steps that trigger no reaction: parameters step, node, whether backwards; result step | node<<16.
func (g *gen) stride(table int) *fn {
	return g.function("stride "+strconv.Itoa(table), i32, []kind{i32, i32, i32}, func() {
		f, l := g.f, &g.p.Layout
		i, node, back := f.param(0), f.param(1), f.param(2)
		ways := f.temp(choose(get(back), c32(2*l.NodePrev), c32(2*l.NodeNext)))
		heading := f.temp(choose(get(back), c32(-1), c32(1)))
		n, next := f.temp(g.cell(code.CellPathLen)), f.local(i32)
		f.repeat(func(_, out label) {
			f.brIf(out, get(i).ge(get(n)))
			f.brIf(out, g.pathAt(get(i)).eq(c32(code.PathTurn)))
			f.set(next, load(i32, 16, get(ways).add(get(node).shl(c32(1))), g.mem.tables))
			left := g.at16(g.mem.tables+2*table, get(node)).and(c32(1))
			entered := g.at16(g.mem.tables+2*table, get(next)).and(c32(2))
			f.brIf(out, left.or(entered))
			f.set(node, get(next))
			g.setCell(code.CellHeading, get(heading))
			f.increment(i)
		})
		f.eval(get(i).or(get(node).shl(c32(16))))
	})
}

// turnMask selects the squares, at most code.Ahead, where a walk of n steps may turn.
func (g *gen) turnMask(n local) val {
	return shortStopMask(n).and(c64(code.Every << code.SetStops)).shl(c64(code.SetTurns - code.SetStops))
}
