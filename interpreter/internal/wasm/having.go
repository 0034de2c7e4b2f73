package wasm

import "github.com/rulerun/rulerun/interpreter/internal/ir"

// Four cells are looked at together, one in each lane of 16 bits.
const (
	lanes    = 4
	laneOnes = 0x0001000100010001
	laneLow  = 0x7fff7fff7fff7fff // all of a lane but its highest bit
	// A product with gather brings the lowest bits of the lanes together, in bits 48 to 51.
	gather = 1<<48 | 1<<33 | 1<<18 | 1<<3
)

// having is the pieces of a set whose cells, from one on, hold a value.
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
		for at := (n - 1) / lanes * lanes; at >= 0; at -= lanes { // the highest address first
			x := f.temp(four(at).xor(get(want)))
			some := get(x).and(c64(laneLow)).add(c64(laneLow)).or(get(x)).shr(c64(15)) // its lowest bit in each lane: it is another
			there := some.not().and(c64(laneOnes)).op(opMul, c64(gather)).shr(c64(48)).and(c64(1<<lanes - 1))
			f.set(out, get(out).or(there.shl(c64(int64(at)))))
		}
		f.set(out, get(out).and(get(set)))
	}
	cond := get(set).truth()
	if value.konst && value.k != 0 { // mostly none has it
		any := c64(0)
		for at := (n - 1) / lanes * lanes; at >= 0; at -= lanes {
			any = any.or(four(at))
		}
		cond = cond.and(any.truth())
	}
	if g.width.of(e.B) > ir.Sixteen { // no cell holds more than 16 bits
		cond = cond.and(value.wide().op(opShl, c64(48)).op(opShrS, c64(48)).eq(value))
	}
	f.when(cond, look, nil)
	return get(out)
}
