package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// In the plain form, the options of a decision are an array of records in memory: wOptions records from number wList on. The path of the
// option under construction has a buffer of its own; Emit copies it to the path of the record.

// The fields of an option, in bytes. Equal options have equal first 8 bytes.
const (
	optMove    = 0
	optSteps   = 2
	optTo      = 4
	optNode    = 6
	optParams  = 8 // four of them
	optHeading = 16
	optNumber  = 18
	optWalk    = 20
	optClause  = 22
	optDuties  = 24 // 32 bits
	optLength  = 28 // of its path
	optPath    = 30 // number of its path

	optionShift = 5
	optionSize  = 1 << optionShift
	pathSize    = code.MaxPath / 2 // 4 bits for each step
)

// emitFields are the fields that receive the arguments of code.Emit.
var emitFields = [12]int{
	optMove, optParams, optParams + 2, optParams + 4, optParams + 6, optTo, optNode, optSteps, optHeading, optNumber, optDuties, optWalk,
}

// traced reports whether options have paths.
func (g *gen) traced() bool { return g.p.Layout.Path >= 0 }

// option is the offset of the record of option i of the list from the first record.
func (g *gen) option(i val) val { return g.word(wList).add(i).op(opMul, c32(optionSize)) }

// opt loads a field of a record.
func (g *gen) opt(option local, k int) val {
	return load(i32, 16, get(option), g.mem.options+k)
}

// emit appends an option.
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
	g.f.drop(load(i32, 16, get(at), g.mem.options+optionSize-2)) // checks the highest address of the record
	for i, v := range args {
		size := 16
		if emitFields[i] == optDuties {
			size = 32
		}
		f.store(size, get(at), g.mem.options+emitFields[i], v)
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

// offered loads a field of an option for the rules.
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

// takeListed writes an option to the state. Its parameter is the offset of the record.
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
		f.store(64, get(clause), g.mem.counters, load(i64, 64, get(clause), g.mem.counters).add(g.countUnit()))
		if !g.traced() {
			return
		}
		g.setCell(code.CellPathLen, g.opt(at, optLength))
		g.copyMemory(c32(g.mem.state+2*l.Path), g.opt(at, optPath).op(opMul, c32(pathSize)).add(c32(g.mem.paths)), c32(pathSize))
		i, step := f.temp(g.opt(at, optLength)), f.local(i32)
		f.repeat(func(_, out label) { // the last step that is not a turn
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

// filter keeps the options that meet the earliest duties, then drops options that are equal to an earlier one or no choice. carry
// carries an option out if that can end the game on the way. With perNumber, a duty compares only options of the same number.
func (g *gen) filter(perNumber bool, carry *ir.Proc) *fn {
	duties := g.p.Duties
	if perNumber {
		return g.function("filter per number", none, nil, func() {
			for d, clause := range duties {
				g.dutyPerNumber(d, clause)
			}
			g.dropDuplicates(carry)
		})
	}
	return g.function("filter", none, nil, func() {
		f := g.f
		if len(duties) > 0 {
			part := f.temp(call(g.dividingDuties()))
			for d, clause := range duties {
				f.when(get(part).and(c32(1<<d)), func() {
					g.fire(clause)
					g.retain(func(option local, drop label) {
						f.brIf(drop, load(i32, 32, get(option), g.mem.options+optDuties).and(c32(1<<d|code.Spared)).isZero())
					})
					if d < len(duties)-1 {
						f.set(part, call(g.dividingDuties()))
					}
				}, nil)
			}
		}
		g.dropDuplicates(carry)
	})
}

// dutyPerNumber drops the options that do not meet a duty that another option of the same number meets.
func (g *gen) dutyPerNumber(d, clause int) {
	f := g.f
	met := func(option local) val { return load(i32, 32, get(option), g.mem.options+optDuties).and(c32(1 << d)) }
	kept := func(option local) val {
		return load(i32, 32, get(option), g.mem.options+optDuties).and(c32(1<<d | code.Spared))
	}
	number := func(option local) val { return c64(1).shl(g.opt(option, optNumber).wide()) }
	numbers, lost := f.temp(c64(0)), f.temp(c32(0)) // numbers with an option that meets the duty
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
		g.retain(func(option local, drop label) { f.brIf(drop, loses(option)) })
	}, nil)
}

// dividingDuties is the set of duties that some options of the list meet and others do not; spared options are ignored.
func (g *gen) dividingDuties() *fn {
	return g.function("dividing duties", i32, nil, func() {
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

// retain filters the list in place: judge branches to drop for each option to remove. While judge runs, the list holds the options retained
// so far.
func (g *gen) retain(judge func(option local, drop label)) {
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
				for k := optionSize - 8; k >= 0; k -= 8 { // highest address first: one bounds check
					f.store(64, get(to), g.mem.options+k, load(i64, 64, get(at), g.mem.options+k))
				}
			}, nil)
			g.setWord(wOptions, get(kept).add(c32(1)))
		})
	})
}

// dropDuplicates drops options that are equal to an earlier one, or no choice beside it.
func (g *gen) dropDuplicates(carry *ir.Proc) {
	hashes := g.f.temp(c64(0))
	g.retain(func(option local, drop label) {
		if carry != nil { // whether options are a choice does not depend on where they end, so the hash filter does not apply
			g.dropEqual(option, drop, carry)
			return
		}
		g.f.when(g.maybeEqual(option, hashes), func() { g.dropEqual(option, drop, nil) }, nil)
	})
}

// maybeEqual is a hash filter: it is 0 if the option differs from all earlier ones. hashes is a Bloom filter of 64 bits, one bit for each
// option, over the fields in which equal options agree.
func (g *gen) maybeEqual(option, hashes local) val {
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

// equalOptions reports whether two options are equal.
func (g *gen) equalOptions(a, b local) val {
	f := g.f
	word := func(at local, k int) val { return load(i64, 64, get(at), g.mem.options+k) }
	equal := f.temp(word(a, 0).eq(word(b, 0)))
	f.when(get(equal), func() {
		f.when(word(a, optParams).ne(word(b, optParams)), func() { f.set(equal, call(g.sameParams(), get(a), get(b))) }, nil)
	}, nil)
	return get(equal)
}

// sameParams reports whether the parameters of two options of one move are equal up to interchangeable pieces.
func (g *gen) sameParams() *fn {
	return g.function("same params", i32, []kind{i32, i32}, func() {
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
				f.when(pieces.and(get(x).or(get(y)).ge(c32(0))).isZero(), func() { f.ret(c32(0)) }, nil)
				f.when(g.interchangeable(x, y).isZero(), func() { f.ret(c32(0)) }, nil)
			}, nil)
		}
		f.eval(c32(1))
	})
}

// pathPush appends a step, or a turn, to the path under construction; pathCut truncates the path. The bits of the last word beyond the path
// are 0.
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
		retain := c64(1).shl(g.word(wPathLen).and(c32(15)).shl(c32(2)).wide()).sub(c64(1))
		f.store(64, get(at), g.mem.path, load(i64, 64, get(at), g.mem.path).and(retain))
	}, nil)
}
