package code

import (
	"maps"
	"math"
	"slices"
)

// values are what a cell or a register holds: for each of the numbers that share a copy, or one for all.
type values []int

// of is f of values, with is f of two; nothing where they are not known.
func (v values) of(f func(int) int) values {
	return v.with(values{0}, func(a, _ int) int { return f(a) })
}

func (v values) with(w values, f func(a, b int) int) values {
	if len(v) == 0 || len(w) == 0 {
		return nil
	}
	out, same := make(values, max(len(v), len(w))), true
	for i := range out {
		out[i] = f(v[min(i, len(v)-1)], w[min(i, len(w)-1)])
		same = same && out[i] == out[0]
	}
	if same {
		return out[:1]
	}
	return out
}

// is reports whether the value is that, whatever the number.
func (v values) is(x int) bool { return len(v) == 1 && v[0] == x }

// within reports whether none is lower or higher.
func (v values) within(low, high int) bool {
	return len(v) > 0 && slices.Min(v) >= low && slices.Max(v) <= high
}

// facts are the cells and registers whose values are known. Registers with one value do not have it as long as nobody reads it: it is due.
type facts struct {
	cells map[int32]values
	regs  map[uint8]values
	due   registers
}

func (f *facts) clone() facts { return facts{maps.Clone(f.cells), maps.Clone(f.regs), f.due} }

func (f *facts) equal(g *facts) bool {
	return maps.EqualFunc(f.cells, g.cells, slices.Equal[values]) && maps.EqualFunc(f.regs, g.regs, slices.Equal[values])
}

// small is what a jump compares with.
func (in *Instr) small() int {
	switch in.Op {
	case JumpZ, JumpNZ:
		return 0
	}
	return int(int8(in.C))
}

// decides is 1 where a jump leads on and 0 where it does not, nothing where that is not known.
func (f *facts) decides(in Instr) values {
	a, b := f.regs[in.A], values{in.small()}
	switch in.Op {
	case JumpEq, JumpNe, JumpLt, JumpLe:
		b = f.regs[in.B]
	}
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	asks := func(holds func(a, b int) bool) values {
		return a.with(b, func(a, b int) int { return truth(holds(a, b)) })
	}
	switch in.Op {
	case JumpZ, JumpEqK, JumpEq:
		return asks(func(a, b int) bool { return a == b })
	case JumpNZ, JumpNeK, JumpNe:
		return asks(func(a, b int) bool { return a != b })
	case JumpLtK, JumpLt:
		return asks(func(a, b int) bool { return a < b })
	case JumpLeK, JumpLe:
		return asks(func(a, b int) bool { return a <= b })
	case JumpGtK:
		return asks(func(a, b int) bool { return a > b })
	case JumpGeK:
		return asks(func(a, b int) bool { return a >= b })
	}
	return nil
}

// folds are the operations on two registers that are worked out where both are known.
var folds = map[Op]func(a, b int) int{
	Eq:     func(a, b int) int { return truth(a == b) },
	Ne:     func(a, b int) int { return truth(a != b) },
	Lt:     func(a, b int) int { return truth(a < b) },
	Le:     func(a, b int) int { return truth(a <= b) },
	And:    func(a, b int) int { return a & b },
	Or:     func(a, b int) int { return a | b },
	AndNot: func(a, b int) int { return a &^ b },
}

// after is an instruction with what is known put in, Nop where nothing is left of it, and takes note of what is known after it. It
// reports false for what may change more.
func (f *facts) after(p *Program, in Instr) (Instr, bool) {
	a, b := f.regs[in.B], f.regs[in.C]
	var v values
	switch in.Op {
	case Nop:
		return in, true
	case LoadK:
		v = values{int(in.K)}
	case Move:
		v = a
	case Load:
		v = f.cells[in.K]
	case AddK:
		v = a.of(func(a int) int { return a + int(in.K) })
	case EqK:
		v = a.of(func(a int) int { return truth(a == int(in.K)) })
	case Not:
		v = a.of(func(a int) int { return 1 - a })
	case Eq, Ne, Lt, Le, And, Or, AndNot:
		switch {
		case len(a) > 0 && len(b) > 0:
			v = a.with(b, folds[in.Op])
		case in.Op == And && (a.is(0) || b.is(0)), in.Op == AndNot && a.is(0):
			v = values{0}
		case in.Op == Or && a.is(0):
			in = Instr{Op: Move, A: in.A, B: in.C}
		case in.Op == Or && b.is(0), in.Op == AndNot && b.is(0):
			in = Instr{Op: Move, A: in.A, B: in.B}
		}
	case LoadX, LoadT, LoadS, LoadD, LoadW, LoadM, Add, Sub, Mul, Div, Mod, Shl, Shr, MulK, AndK, ShlK, ShrK, Bits, Lowest,
		WalkersOp, WalkersIn, HavingOp, ToldOp:
	case Store:
		v := f.regs[in.A]
		if !v.within(-1<<15, 1<<15-1) {
			delete(f.cells, in.K)
			return in, true
		}
		f.cells[in.K] = v
		if len(v) > 1 {
			return in, true
		}
		return Instr{Op: StoreC, B: uint8(v[0]), C: uint8(v[0] >> 8), K: in.K}, true
	case StoreC:
		f.cells[in.K] = values{int(in.BC())}
		return in, true
	case StoreX:
		for k := range f.cells {
			if k >= in.K {
				delete(f.cells, k)
			}
		}
		return in, true
	case TickOp:
		delete(f.cells, CellPlays)
		return in, true
	case StoreS, TryOp, FireOp:
		return in, true
	case Present:
		if f.regs[in.A].within(0, math.MaxInt) {
			return Instr{}, true
		}
		return in, true
	case Check:
		if r := p.Ranges[in.K]; f.regs[in.A].within(r.Low, r.High) {
			return Instr{}, true
		}
		return in, true
	case Native:
		return in, NativeOp(in.C) == Later
	default:
		return in, false
	}
	f.due.drop(in.A)
	if !v.within(math.MinInt32, math.MaxInt32) {
		delete(f.regs, in.A)
		return in, true
	}
	f.regs[in.A] = v
	if len(v) > 1 { // each number gives it another
		return in, true
	}
	f.due.add(in.A)
	return Instr{}, true
}
