package wasm

import "github.com/rulerun/rulerun/interpreter/internal/ir"

// Four cells are compared at once, one in each 16-bit lane.
const (
	lanes    = 4
	laneOnes = 0x0001000100010001
	laneLow  = 0x7fff7fff7fff7fff // all bits of a lane but the highest
	// A product with gather collects the lowest bits of the four lanes in bits 48 to 51.
	gather = 1<<48 | 1<<33 | 1<<18 | 1<<3
)

// having emits the subset of the pieces whose cells, starting at cell K, hold a value.
func (g *gen) having(e *ir.Expr) val {
	f, n := g.f, g.p.Layout.Pieces
	set := f.temp(g.expr(e.A).wide().and(c64(-1).shr(c64(int64(64 - n)))))
	value := g.expr(e.B)
	if !value.konst {
		value = get(f.temp(value))
	}
	want, out := f.temp(value.wide().and(c64(1<<16-1)).op(opMul, c64(laneOnes))), f.temp(c64(0))
	four := func(at int) val { return load(i64, 64, f.base(), g.mem.state+2*(e.K+at)) }
	look := func() {
		for at := (n - 1) / lanes * lanes; at >= 0; at -= lanes { // highest address first: one bounds check
			x := f.temp(four(at).xor(get(want)))
			some := get(x).and(c64(laneLow)).add(c64(laneLow)).or(get(x)).shr(c64(15)) // the low bit of each lane that differs from the value
			there := some.not().and(c64(laneOnes)).op(opMul, c64(gather)).shr(c64(48)).and(c64(1<<lanes - 1))
			f.set(out, get(out).or(there.shl(c64(int64(at)))))
		}
		f.set(out, get(out).and(get(set)))
	}
	cond := get(set).truth()
	if value.konst && value.k != 0 { // common case: no cell holds a value other than 0
		any := c64(0)
		for at := (n - 1) / lanes * lanes; at >= 0; at -= lanes {
			any = any.or(four(at))
		}
		cond = cond.and(any.truth())
	}
	if g.width.of(e.B) > ir.Sixteen { // a cell holds 16 bits
		cond = cond.and(value.wide().op(opShl, c64(48)).op(opShrS, c64(48)).eq(value))
	}
	f.when(cond, look, nil)
	return get(out)
}
