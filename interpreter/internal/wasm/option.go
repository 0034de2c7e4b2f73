package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// The options of a decision in its plain form are a list of records in the memory: wOptions of them from number wList on. The path of the
// option being tried grows in a place of its own; Emit copies it to the path of the record's number.

// The fields of an option, in bytes. Options can be equal only where the first 8 bytes are.
const (
	optMove    = 0
	optSteps   = 2
	optTo      = 4
	optNode    = 6
	optParams  = 8 // four
	optHeading = 16
	optNumber  = 18
	optWalk    = 20
	optClause  = 22
	optDuties  = 24 // 32 bits
	optLength  = 28 // of its path
	optPath    = 30 // the number of its path

	optionShift = 5
	optionSize  = 1 << optionShift
	pathSize    = code.MaxPath / 2 // 4 bits a step
)

// emitted are the fields of the arguments of code.Emit.
var emitted = [12]int{
	optMove, optParams, optParams + 2, optParams + 4, optParams + 6, optTo, optNode, optSteps, optHeading, optNumber, optDuties, optWalk,
}

// traced reports whether options have paths.
func (g *gen) traced() bool { return g.p.Layout.Path >= 0 }

// option is where the record of option i of the list begins, without the address of the first of all.
func (g *gen) option(i val) val { return g.word(wList).add(i).op(opMul, c32(optionSize)) }

// opt is a field of a record.
func (g *gen) opt(option local, k int) val {
	return load(i32, 16, get(option), g.mem.options+k)
}

// emit adds an option.
func (g *gen) emit(s *ir.Stmt) {
	f := g.f
	args := make([]val, len(s.Args))
	for i, a := range s.Args {
		if args[i] = g.expr(a).narrow(); !args[i].konst {
			args[i] = get(f.temp(args[i]))
		}
	}
	n := f.temp(g.word(wOptions))
	slot := f.temp(g.word(wList).add(get(n)))
	f.when(get(slot).ge(c32(code.MaxOptions)), g.tooLong, nil)
	at := f.temp(g.option(get(n)))
	g.f.drop(load(i32, 16, get(at), g.mem.options+optionSize-2)) // what lies below needs no check
	for i, v := range args {
		size := 16
		if emitted[i] == optDuties {
			size = 32
		}
		f.store(size, get(at), g.mem.options+emitted[i], v)
	}
	f.store(16, get(at), g.mem.options+optClause, c32(s.Low))
	if g.traced() {
		f.store(16, get(at), g.mem.options+optLength, g.word(wPathLen))
		f.store(16, get(at), g.mem.options+optPath, get(slot))
		to := get(slot).op(opMul, c32(pathSize))
		f.store(64, to, g.mem.paths, load(i64, 64, f.base(), g.mem.path))
		f.when(g.word(wPathLen).op(opGtS, c32(16)), func() { g.copyMemory(to.add(c32(g.mem.paths)), c32(g.mem.path), c32(pathSize)) }, nil)
	}
	g.setWord(wOptions, get(n).add(c32(1)))
}

// offered is a field of an option that the rules ask for.
func (g *gen) offered(e *ir.Expr) val {
	at := g.f.temp(g.option(g.expr(e.A).narrow()))
	switch e.K {
	case vm.OfferPiece:
		out := c32(-1)
		for m, moves := range g.p.MovesPiece {
			if moves {
				out = choose(g.opt(at, optMove).eq(c32(m)), g.opt(at, optParams), out)
			}
		}
		return out
	case vm.OfferTo:
		return g.opt(at, optTo)
	case vm.OfferSteps:
		return g.opt(at, optSteps)
	}
	return g.opt(at, optMove)
}

// takeListed writes an option into the state: where its record begins.
func (g *gen) takeListed() *fn {
	return g.function("take", none, []kind{i32}, func() {
		f, l := g.f, &g.p.Layout
		at := f.param(0)
		for _, c := range [][2]int{
			{code.CellMove, optMove}, {code.CellP0, optParams}, {code.CellP1, optParams + 2}, {code.CellP2, optParams + 4}, {code.CellP3, optParams + 6},
			{code.CellTo, optTo}, {code.CellNode, optNode}, {code.CellSteps, optSteps}, {code.CellHeading, optHeading}, {code.CellNumber, optNumber},
			{code.CellWalk, optWalk},
		} {
			g.setCell(c[0], g.opt(at, c[1]))
		}
		clause := f.temp(g.opt(at, optClause).shl(c32(3)))
		f.store(64, get(clause), g.mem.counters, load(i64, 64, get(clause), g.mem.counters).add(g.one()))
		if !g.traced() {
			return
		}
		g.setCell(code.CellPathLen, g.opt(at, optLength))
		g.copyMemory(c32(g.mem.state+2*l.Path), g.opt(at, optPath).op(opMul, c32(pathSize)).add(c32(g.mem.paths)), c32(pathSize))
		i, step := f.temp(g.opt(at, optLength)), f.local(i32)
		f.repeat(func(_, out label) { // the last step that is no turn
			f.brIf(out, get(i).isZero())
			f.set(i, get(i).sub(c32(1)))
			f.set(step, g.pathAt(get(i)))
			f.when(get(step).sub(c32(1)).op(opLtU, c32(code.MaxWays)), func() {
				g.setCell(code.CellPathLast, get(i))
				f.br(out)
			}, nil)
		})
	})
}

// filter keeps the options that meet the earliest duties, then one of each that are equal or no choice. All decisions have the same duties,
// whose counters stand from base on. carry carries an option out, where that can end the game on the way.
// Apart, a duty looks at the options of each number by themselves.
func (g *gen) filter(base, duties int, apart bool, carry *ir.Proc) *fn {
	if apart {
		return g.function("filter apart", none, nil, func() {
			for d := range duties {
				g.dutyApart(d, g.p.Duties[base+d])
			}
			g.keepUnequal(carry)
		})
	}
	return g.function("filter", none, nil, func() {
		f := g.f
		if duties > 0 {
			part := f.temp(call(g.dividing()))
			for d := range duties {
				f.when(get(part).and(c32(1<<d)), func() {
					g.fire(g.p.Duties[base+d])
					g.keep(func(option local, drop label) {
						f.brIf(drop, load(i32, 32, get(option), g.mem.options+optDuties).and(c32(1<<d|code.Spared)).isZero())
					})
					if d < duties-1 {
						f.set(part, call(g.dividing()))
					}
				}, nil)
			}
		}
		g.keepUnequal(carry)
	})
}

// dutyApart drops the options that do not meet a duty that another option of the same number meets.
func (g *gen) dutyApart(d, clause int) {
	f := g.f
	met := func(option local) val { return load(i32, 32, get(option), g.mem.options+optDuties).and(c32(1 << d)) }
	kept := func(option local) val {
		return load(i32, 32, get(option), g.mem.options+optDuties).and(c32(1<<d | code.Spared))
	}
	number := func(option local) val { return c64(1).shl(g.opt(option, optNumber).wide()) }
	numbers, lost := f.temp(c64(0)), f.temp(c32(0)) // those with an option that meets it
	f.times(g.word(wOptions), func(i local) {
		at := f.temp(g.option(get(i)))
		f.when(met(at), func() { f.set(numbers, get(numbers).or(number(at))) }, nil)
	})
	loses := func(at local) val { return kept(at).isZero().and(get(numbers).and(number(at)).ne(c64(0))) }
	f.times(g.word(wOptions), func(i local) {
		at := f.temp(g.option(get(i)))
		f.set(lost, get(lost).or(loses(at)))
	})
	f.when(get(lost), func() {
		g.fire(clause)
		g.keep(func(option local, drop label) { f.brIf(drop, loses(option)) })
	}, nil)
}

// dividing is the duties that some options of the list meet and others do not, those apart that are spared.
func (g *gen) dividing() *fn {
	return g.function("dividing", i32, nil, func() {
		f := g.f
		some, all := f.temp(c32(0)), f.temp(c32(-1))
		f.times(g.word(wOptions), func(i local) {
			meets := f.temp(load(i32, 32, g.option(get(i)), g.mem.options+optDuties))
			f.set(some, get(some).or(get(meets)))
			spared := get(meets).and(c32(code.Spared)).ne(c32(0))
			f.set(all, get(all).and(get(meets).or(c32(0).sub(spared))))
		})
		f.eval(get(some).and(get(all).not()))
	})
}

// keep drops the options of the list that judge sends there. It is asked of each in turn, while the list is those that have been kept.
func (g *gen) keep(judge func(option local, drop label)) {
	f := g.f
	n := f.temp(g.word(wOptions))
	g.setWord(wOptions, c32(0))
	f.times(get(n), func(i local) {
		f.block(func(drop label) {
			at := f.temp(g.option(get(i)))
			judge(at, drop)
			kept := f.temp(g.word(wOptions))
			f.when(get(kept).ne(get(i)), func() {
				to := f.temp(g.option(get(kept)))
				for k := optionSize - 8; k >= 0; k -= 8 { // the highest address first
					f.store(64, get(to), g.mem.options+k, load(i64, 64, get(at), g.mem.options+k))
				}
			}, nil)
			g.setWord(wOptions, get(kept).add(c32(1)))
		})
	})
}

// keepUnequal drops options that are equal to an earlier one, or no choice beside it.
func (g *gen) keepUnequal(carry *ir.Proc) {
	hashes := g.f.temp(c64(0))
	g.keep(func(option local, drop label) {
		if carry != nil { // which are no choice does not depend on where they lead
			g.dropEqual(option, drop, carry)
			return
		}
		g.f.when(g.perhapsEqual(option, hashes), func() { g.dropEqual(option, drop, nil) }, nil)
	})
}

// perhapsEqual is 0 if an option is equal to none before: hashes are a Bloom filter, with one bit of 64 for each, of the part in which
// equal options are the same.
func (g *gen) perhapsEqual(option, hashes local) val {
	f := g.f
	hash := load(i64, 64, get(option), g.mem.options).op(opMul, c64(gamma)).shr(c64(58))
	bit := f.temp(c64(1).shl(hash))
	out := f.temp(get(hashes).and(get(bit)).ne(c64(0)))
	f.set(hashes, get(hashes).or(get(bit)))
	return get(out)
}

// dropEqual drops an option that is equal to one of the list, or no choice beside it.
func (g *gen) dropEqual(option local, drop label, carry *ir.Proc) {
	f := g.f
	f.times(g.word(wOptions), func(i local) {
		other := f.temp(g.option(get(i)))
		f.brIf(drop, g.equalOptions(option, other))
		if carry == nil {
			return
		}
		alike := g.opt(option, optWalk).ne(c32(0))
		for _, k := range []int{optMove, optSteps, optWalk} {
			alike = alike.and(g.opt(option, k).eq(g.opt(other, k)))
		}
		alike = alike.and(load(i64, 64, get(option), g.mem.options+optParams).eq(load(i64, 64, get(other), g.mem.options+optParams)))
		f.when(alike, func() { f.brIf(drop, call(g.partTooLate(carry), get(other), get(option))) }, nil)
	})
}

// equalOptions is whether two options are one.
func (g *gen) equalOptions(a, b local) val {
	f := g.f
	word := func(at local, k int) val { return load(i64, 64, get(at), g.mem.options+k) }
	equal := f.temp(word(a, 0).eq(word(b, 0)))
	f.when(get(equal), func() {
		f.when(word(a, optParams).ne(word(b, optParams)), func() { f.set(equal, call(g.alikeParams(), get(a), get(b))) }, nil)
	}, nil)
	return get(equal)
}

// alikeParams is whether the parameters of two options of one move are the same up to interchangeable pieces.
func (g *gen) alikeParams() *fn {
	return g.function("alike", i32, []kind{i32, i32}, func() {
		f := g.f
		a, b := f.param(0), f.param(1)
		for i := range 4 {
			x, y := f.temp(g.opt(a, optParams+2*i)), f.temp(g.opt(b, optParams+2*i))
			f.when(get(x).ne(get(y)), func() {
				pieces := c32(0)
				for m, params := range g.p.PieceParams {
					if params>>i&1 != 0 {
						pieces = pieces.or(g.opt(a, optMove).eq(c32(m)))
					}
				}
				f.when(pieces.and(get(x).or(get(y)).ge(c32(0))).isZero(), func() { f.give(c32(0)) }, nil)
				f.when(g.alike(x, y).isZero(), func() { f.give(c32(0)) }, nil)
			}, nil)
		}
		f.eval(c32(1))
	})
}

// pathPush adds a step, or a turn, to the path of the option being tried; pathCut goes back to so many. The word being filled holds nothing
// beyond.
func (g *gen) pathPush() *fn {
	return g.function("path push", none, []kind{i32}, func() {
		f := g.f
		n := f.temp(g.word(wPathLen))
		f.when(get(n).ge(c32(code.MaxPath)), f.trap, nil)
		at := f.temp(get(n).shr(c32(4)).shl(c32(3)))
		by := f.temp(get(n).and(c32(15)).shl(c32(2)).wide())
		before := load(i64, 64, get(at), g.mem.path).and(c64(1).shl(get(by)).sub(c64(1)))
		f.store(64, get(at), g.mem.path, before.or(get(f.param(0)).wide().shl(get(by))))
		g.setWord(wPathLen, get(n).add(c32(1)))
	})
}

func (g *gen) pathCut(n val) {
	f := g.f
	g.setWord(wPathLen, n)
	at := f.temp(g.word(wPathLen).shr(c32(4)).shl(c32(3)))
	f.when(g.word(wPathLen).lt(c32(code.MaxPath)), func() {
		keep := c64(1).shl(g.word(wPathLen).and(c32(15)).shl(c32(2)).wide()).sub(c64(1))
		f.store(64, get(at), g.mem.path, load(i64, 64, get(at), g.mem.path).and(keep))
	}, nil)
}
