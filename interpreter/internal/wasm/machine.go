package wasm

import (
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Functions of the module that package vm has in Go; the comments there explain them. Each is created only for programs that call it.

// cell is a cell of the state.
func (g *gen) cell(k int) val {
	if x, ok := g.scalars[k]; ok {
		return read(x)
	}
	return load(i32, 16, g.f.base(), g.mem.state+2*k)
}

// cellAt is cell k+i. A negative index lies outside the memory and traps.
func (g *gen) cellAt(k int, i val) val { return g.at16(g.mem.state+2*k, i) }

// transient are cells whose values matter only for a moment; none is read after the game has ended.
var transient = []int{
	code.CellThrown, code.CellEarned, code.CellWith, code.CellUsable, code.CellDecider, code.CellNumber, code.CellP1, code.CellP2, code.CellP3,
	code.CellNode, code.CellHeading,
}

// deadCell reports whether the program never reads a cell.
func (g *gen) deadCell(k int) bool { return !g.read[k] && slices.Contains(transient, k) }

func (g *gen) setCell(k int, v val) {
	if g.deadCell(k) {
		return
	}
	if x, ok := g.scalars[k]; ok {
		g.f.write(x, v)
		return
	}
	g.f.store(16, g.f.base(), g.mem.state+2*k, v.narrow())
}

// flush writes the module variables to the state in memory; reload reads them back.
func (g *gen) flush() {
	for k, x := range slices.Backward(g.sets) { // highest address first: one bounds check
		g.f.store(64, g.f.base(), g.mem.derived+8*k, read(x))
	}
	for _, k := range slices.Backward(g.order) {
		g.f.store(16, g.f.base(), g.mem.state+2*k, read(g.scalars[k]))
	}
}

func (g *gen) reload() {
	for k, x := range slices.Backward(g.sets) { // highest address first: one bounds check
		g.f.write(x, load(i64, 64, g.f.base(), g.mem.derived+8*k))
	}
	for _, k := range slices.Backward(g.order) {
		g.f.write(g.scalars[k], load(i32, 16, g.f.base(), g.mem.state+2*k))
	}
}

func (g *gen) setCellAt(k int, i, v val) {
	g.f.store(16, g.f.twice(i), g.mem.state+2*k, v)
}

func (g *gen) word(w word) val { return read(g.words[w]) }

func (g *gen) setWord(w word, v val) { g.f.write(g.words[w], v) }

// at32, at64 and at16 load table elements.
func at32(table int, i val) val { return load(i32, 32, i.shl(c32(2)), table) }
func at64(table int, i val) val { return load(i64, 64, i.narrow().shl(c32(3)), table) }

func (g *gen) at16(table int, i val) val { return load(i32, 16, g.f.twice(i), table) }

// derived is derived word k.
func (g *gen) derived(k int) val {
	if k < len(g.sets) {
		return read(g.sets[k])
	}
	return g.setAt(g.f.base(), g.mem.sets+g.mem.setSize*(k-code.DerivedPlaces))
}

// setDerived sets one of the first derived words.
func (g *gen) setDerived(k int, v val) { g.f.write(g.sets[k], v) }

// bit is the set that holds one piece.
func bit(p local) val { return c64(1).shl(get(p).wide()) }

// allBut is the set of all pieces but one.
func allBut(p local) val { return rotl(c64(-2), get(p)) }

// function returns a helper function, created on first use.
func (g *gen) function(name string, result kind, params []kind, body func()) *fn {
	return g.functionOf(name, name, result, params, body)
}

// functionOf is function for what has a key of its own.
func (g *gen) functionOf(key any, name string, result kind, params []kind, body func()) *fn {
	if f := g.made[key]; f != nil {
		return f
	}
	f := g.module.newFunc(name, result, params...)
	g.made[key] = f
	g.within(f, body)
	return f
}

// within generates the body of a function.
func (g *gen) within(f *fn, body func()) {
	was := g.funcState
	g.funcState = funcState{f: f, labels: map[any]label{}, marks: map[any]label{}, homes: map[any]local{}, colourStarts: map[*ir.Local]local{}}
	body()
	g.funcState = was
}

// random returns the next 64 random bits: splitmix64, as in the interpreter. They were computed in advance, so that dependent instructions
// do not wait for them.
func (g *gen) random() val {
	x := g.f.temp(g.word(wNext))
	g.mix(c64(gamma))
	return get(x)
}

// gamma is the increment of splitmix64.
const gamma = -0x61c8864680b583eb

// mix advances the generator by after and computes the next random bits.
func (g *gen) mix(after val) {
	f := g.f
	s := f.temp(g.word(wRandom).add(after))
	g.setWord(wRandom, get(s))
	f.set(s, get(s).xor(get(s).shr(c64(30))).op(opMul, c64(-0x40a7b892e31b1a47)))
	f.set(s, get(s).xor(get(s).shr(c64(27))).op(opMul, c64(-0x6b2fb644ecceee15)))
	g.setWord(wNext, get(s).xor(get(s).shr(c64(31))))
}

// below is a random number from 0 to n-1, the same as interpreter.Random returns, in 64 bits. n is at most 1<<16.
func (g *gen) below(n val) val {
	n = n.wide()
	if !n.konst {
		n = get(g.f.temp(n))
	}
	return part(g.random(), n)
}

// part scales random bits to a number below n.
func part(bits, n val) val { return bits.shr(c64(16)).op(opMul, n).shr(c64(48)) }

// belowMany is below for any n, in 32 bits.
func (g *gen) belowMany(n local) val {
	f := g.f
	x, all := f.temp(g.random()), f.temp(get(n).wide())
	out := f.temp(part(get(x), get(all)))
	f.when(get(all).op(opGtS, c64(1<<16)), func() { // the high half of the product with all 64 bits
		low := get(x).and(c64(1<<32-1)).op(opMul, get(all)).shr(c64(32))
		f.set(out, get(x).shr(c64(32)).op(opMul, get(all)).add(low).shr(c64(32)))
	}, nil)
	return get(out).narrow()
}

// nextTurn passes the turn to the next player, or colour, still in the game and branches to found; if there is none it falls through.
// Usually it is the next seat.
func (g *gen) nextTurn(colours bool, found label) {
	f, l := g.f, &g.p.Layout
	n, at := l.Players, code.CellMe
	if colours {
		n, at = l.Colours, code.CellColour
	}
	x, left, player := f.temp(g.cell(at)), f.temp(c32(n)), f.local(i32)
	step := func() {
		f.increment(x)
		if n&(n-1) == 0 {
			f.set(x, get(x).and(c32(n-1)))
		} else {
			f.set(x, choose(get(x).ge(c32(n)), c32(0), get(x)))
		}
		f.set(player, get(x))
		if colours {
			f.set(player, g.at16(g.mem.tables+2*l.ColourPlayer, get(x)))
		}
	}
	take := func() {
		g.setCell(code.CellMe, get(player))
		if colours {
			g.setCell(code.CellColour, get(x))
		}
		f.br(found)
	}
	f.when(g.word(wEliminated), nil, func() {
		step()
		take()
	})
	f.repeat(func(_, out label) {
		step()
		f.when(g.cellAt(l.Status, get(player)).eq(c32(code.Playing)), take, nil)
		f.set(left, get(left).sub(c32(1)))
		f.brIf(out, get(left).isZero())
	})
}

// sort sorts n values in scratch memory by their keys; the sort is stable.
func (g *gen) sort() *fn {
	return g.function("sort", none, []kind{i32, i32, i32}, func() {
		f := g.f
		keys, values := f.temp(get(f.param(0)).shl(c32(1))), f.temp(get(f.param(1)).shl(c32(1)))
		n := f.param(2)
		read := func(list, i local) val {
			return load(i32, 16, get(list).add(get(i).shl(c32(1))), g.mem.scratch)
		}
		write := func(list, i local, v val) {
			f.store(16, get(list).add(get(i).shl(c32(1))), g.mem.scratch, v)
		}
		k, v, j, before := f.local(i32), f.local(i32), f.local(i32), f.local(i32)
		f.times(get(n), func(i local) {
			f.set(k, read(keys, i))
			f.set(v, read(values, i))
			f.set(j, get(i))
			f.repeat(func(_, out label) {
				f.brIf(out, get(j).isZero())
				f.set(before, get(j).sub(c32(1)))
				f.brIf(out, read(keys, before).op(opLeS, get(k)))
				write(keys, j, read(keys, before))
				write(values, j, read(values, before))
				f.set(j, get(before))
			})
			write(keys, j, get(k))
			write(values, j, get(v))
		})
	})
}

// copyMemory copies n bytes.
func (g *gen) copyMemory(to, from, n val) {
	g.f.eval(to)
	g.f.eval(from)
	g.f.eval(n)
	g.f.emit(0xfc, 10, 0, 0)
}
