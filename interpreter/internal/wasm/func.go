package wasm

import (
	"math/bits"
	"slices"
)

// fn is a function being made. Its statements are appended to the body in order; expressions are values that carry
// their own instructions, and are used once, at the depth of blocks at which they were made.
type fn struct {
	module  *module
	name    string
	number  int
	result  kind
	params  []kind
	locals  []kind
	body    []byte
	depth   int   // of open blocks
	zero    local // always 0: the base of addresses that are known
	based   bool  // there is such a local
	indexes []index
}

// index is a local that many addresses are made with, and another that holds it twice: cells have two bytes.
type index struct {
	of, twice local
	depth     int // of the block it holds in
}

// local is the number of a local.
type local struct {
	at   int
	kind kind
}

// label is an open block; leaving one goes behind it, leaving a loop begins it anew.
type label struct{ depth int }

// val is an expression: its type and the instructions that leave its value.
type val struct {
	kind  kind
	code  []byte
	konst bool
	k     int64
	// How the opposite of a condition is had without another operation: with inverse instead of the last one, where
	// that is not 0, or as of, where the condition is nothing but of's being 0.
	inverse byte
	of      *val
	// What was there before its lowest bits were shifted out, and how many.
	whole   *val
	dropped int64
	from    *local // it is what a local holds
}

func (f *fn) param(i int) local { return local{i, f.params[i]} }

// local makes a new local.
func (f *fn) local(k kind) local {
	f.locals = append(f.locals, k)
	return local{len(f.params) + len(f.locals) - 1, k}
}

// temp is a new local that holds a value.
func (f *fn) temp(v val) local {
	l := f.local(v.kind)
	f.set(l, v)
	return l
}

// read is what a variable of the module holds.
func read(x global) val { return val{kind: x.kind, code: uleb([]byte{0x23}, uint64(x.at))} }

func (f *fn) write(x global, v val) {
	f.body = uleb(append(append(f.body, v.as(x.kind).code...), 0x24), uint64(x.at))
}

func get(l local) val {
	return val{kind: l.kind, code: uleb([]byte{0x20}, uint64(l.at)), from: &l}
}

func konst(k kind, v int64) val {
	op := byte(0x41)
	if k == i64 {
		op = 0x42
	} else {
		v = int64(int32(v))
	}
	return val{kind: k, code: sleb([]byte{op}, v), konst: true, k: v}
}

func c32(v int) val   { return konst(i32, int64(v)) }
func c64(v int64) val { return konst(i64, v) }

// join is a value made of instructions after those of others.
func join(k kind, op []byte, args ...val) val {
	var code []byte
	for _, a := range args {
		code = append(code, a.code...)
	}
	return val{kind: k, code: append(code, op...)}
}

// operation is a two-operand operation: its code for 32 bits, and for 64.
type operation struct{ narrow, wide byte }

// The operations. Comparisons give 32 bits whatever they compare.
var (
	opAdd  = operation{0x6a, 0x7c}
	opSub  = operation{0x6b, 0x7d}
	opMul  = operation{0x6c, 0x7e}
	opDiv  = operation{0x6d, 0x7f}
	opRem  = operation{0x6f, 0x81}
	opAnd  = operation{0x71, 0x83}
	opOr   = operation{0x72, 0x84}
	opXor  = operation{0x73, 0x85}
	opShl  = operation{0x74, 0x86}
	opShrS = operation{0x75, 0x87}
	opShrU = operation{0x76, 0x88}

	opEq  = operation{0x46, 0x51}
	opNe  = operation{0x47, 0x52}
	opLtS = operation{0x48, 0x53}
	opLtU = operation{0x49, 0x54}
	opGtS = operation{0x4a, 0x55}
	opGtU = operation{0x4b, 0x56}
	opLeS = operation{0x4c, 0x57}
	opGeS = operation{0x4e, 0x59}
	opGeU = operation{0x4f, 0x5a}
)

// idle reports whether the operation with k leaves the other operand as it is.
func (o operation) idle(k int64) bool {
	switch o {
	case opOr, opAdd, opSub, opXor, opShl, opShrS, opShrU:
		return k == 0
	case opAnd:
		return k == -1
	case opMul:
		return k == 1
	}
	return false
}

// inverses are the comparisons that hold where others do not.
var inverses = func() map[byte]byte {
	out := map[byte]byte{}
	for _, pair := range [][2]operation{{opEq, opNe}, {opLtS, opGeS}, {opLtU, opGeU}, {opGtS, opLeS}} {
		a, b := pair[0], pair[1]
		out[a.narrow], out[b.narrow], out[a.wide], out[b.wide] = b.narrow, a.narrow, b.wide, a.wide
	}
	return out
}()

func (o operation) compares() bool { return o.narrow >= 0x46 && o.narrow <= 0x4f }

// op is a op b; a narrow operand beside a wide one is widened, with its sign.
func (a val) op(o operation, b val) val {
	if a.kind != b.kind {
		a, b = a.wide(), b.wide()
	}
	k, code := a.kind, o.narrow
	if k == i64 {
		code = o.wide
	}
	switch {
	case b.konst && o.idle(b.k):
		return a
	case a.konst && (o == opOr || o == opAnd || o == opAdd) && o.idle(a.k):
		return b
	case (a.konst && a.k == 0 || b.konst && b.k == 0) && (o == opAnd || o == opMul):
		return konst(k, 0)
	case o == opMul && b.konst && b.k > 0 && b.k&(b.k-1) == 0:
		return a.shl(konst(k, int64(bits.TrailingZeros64(uint64(b.k)))))
	case o == opShl && b.konst && a.dropped > 0 && a.dropped == b.k: // what was shifted out and comes back
		return a.whole.and(konst(k, -1<<b.k))
	case !o.compares():
		v := join(k, []byte{code}, a, b)
		if o == opShrU && b.konst {
			v.whole, v.dropped = &a, b.k
		}
		return v
	}
	v := join(i32, []byte{code}, a, b)
	v.inverse = inverses[code]
	return v
}

func (a val) add(b val) val { return a.op(opAdd, b) }
func (a val) sub(b val) val { return a.op(opSub, b) }
func (a val) and(b val) val { return a.op(opAnd, b) }
func (a val) or(b val) val  { return a.op(opOr, b) }
func (a val) xor(b val) val { return a.op(opXor, b) }
func (a val) shl(b val) val { return a.op(opShl, b) }
func (a val) shr(b val) val { return a.op(opShrU, b) }
func (a val) eq(b val) val  { return a.op(opEq, b) }
func (a val) ne(b val) val  { return a.op(opNe, b) }
func (a val) lt(b val) val  { return a.op(opLtS, b) }
func (a val) ge(b val) val  { return a.op(opGeS, b) }

// wide is the value in 64 bits.
func (a val) wide() val {
	switch {
	case a.kind == i64:
		return a
	case a.konst:
		return konst(i64, a.k)
	}
	return join(i64, []byte{0xac}, a)
}

// narrow is the lower 32 bits.
func (a val) narrow() val {
	switch {
	case a.kind == i32:
		return a
	case a.konst:
		return konst(i32, a.k)
	}
	return join(i32, []byte{0xa7}, a)
}

func (a val) as(k kind) val {
	if k == i64 {
		return a.wide()
	}
	return a.narrow()
}

// isZero is 1 where a is 0.
func (a val) isZero() val {
	switch {
	case a.inverse != 0:
		v := join(i32, []byte{a.inverse}, val{code: a.code[:len(a.code)-1]})
		v.inverse = a.code[len(a.code)-1]
		return v
	case a.of != nil: // 0 or 1, whatever it was
		return a.of.ne(konst(a.of.kind, 0))
	}
	op := byte(0x45)
	if a.kind == i64 {
		op = 0x50
	}
	v := join(i32, []byte{op}, a)
	v.of = &a
	return v
}

// truth is a as a condition.
func (a val) truth() val {
	if a.kind == i64 {
		return a.ne(c64(0))
	}
	return a
}

// bits is how many bits of a 64-bit value are set, lowest the number of the lowest; both in 32 bits.
func (a val) bits() val   { return a.ones().narrow() }
func (a val) lowest() val { return ctz(a).narrow() }

// ctz is the number of the lowest bit that is set, 64 where none is, in 64 bits.
func ctz(a val) val { return join(i64, []byte{0x7a}, a.wide()) }

// ones is how many bits of a 64-bit value are set, in 64 bits.
func (a val) ones() val { return join(i64, []byte{0x7b}, a.wide()) }

// rotl is 64 bits rotated to the left.
func rotl(a, by val) val { return join(i64, []byte{0x89}, a, by.wide()) }

// not is all bits turned.
func (a val) not() val { return a.xor(konst(a.kind, -1)) }

// choose is a where cond holds, else b; both are worked out.
func choose(cond, a, b val) val {
	if a.kind != b.kind {
		a, b = a.wide(), b.wide()
	}
	return join(a.kind, []byte{0x1b}, a, b, cond.truth())
}

// load is what stands at addr+offset: width bits, with its sign, into k.
func load(k kind, width int, addr val, offset int) val {
	op := map[[2]int]byte{
		{int(i32), 32}: 0x28, {int(i32), 16}: 0x2e, {int(i32), 8}: 0x2d, {int(i64), 64}: 0x29, {int(i64), 16}: 0x32, {int(i64), 32}: 0x35,
	}[[2]int{int(k), width}]
	return join(k, uleb([]byte{op, 0}, uint64(offset)), addr)
}

// store puts the lower width bits of v at addr+offset.
func (f *fn) store(width int, addr val, offset int, v val) {
	op := map[[2]int]byte{
		{int(i32), 32}: 0x36, {int(i32), 16}: 0x3b, {int(i32), 8}: 0x3a, {int(i64), 64}: 0x37, {int(i64), 16}: 0x3d, {int(i64), 32}: 0x3e,
	}[[2]int{int(v.kind), width}]
	f.body = append(f.body, join(none, uleb([]byte{op, 0}, uint64(offset)), addr, v).code...)
}

// base is address 0 as one value for the whole function, so that the engine sees that one check of the highest address
// covers all those below.
func (f *fn) base() val {
	if !f.based {
		f.zero, f.based = f.local(i32), true
	}
	return get(f.zero)
}

// index is a local that holds twice an index, which must not be negative, to the end of the block. The engine tells addresses apart
// by the value they are made with. So the highest address that an index is used with is checked at once, and then no other is. In a
// loop, the index must not change where it has been made outside.
func (f *fn) index(of local) local {
	if at, ok := f.indexed(of); ok {
		return at
	}
	at := f.temp(get(of).shl(c32(1)))
	f.indexes = append(f.indexes, index{of, at, f.depth})
	f.drop(load(i32, 16, get(at), f.module.top))
	return at
}

// indexed is the local of an index that has been made.
func (f *fn) indexed(of local) (at local, ok bool) {
	for _, x := range f.indexes {
		if x.of == of {
			return x.twice, true
		}
	}
	return local{}, false
}

// twice is an index times two.
func (f *fn) twice(i val) val {
	if i.from != nil {
		if at, ok := f.indexed(*i.from); ok {
			return get(at)
		}
	}
	return i.narrow().shl(c32(1))
}

// drop works a value out for nothing but the check of its address.
func (f *fn) drop(v val) {
	f.eval(v)
	f.emit(0x1a)
}

// forget lets the indexes go that were made in blocks deeper than one.
func (f *fn) forget(depth int) {
	f.indexes = slices.DeleteFunc(f.indexes, func(x index) bool { return x.depth > depth })
}

// joined comes where ways join: the engine tells values apart by where they were named last, so that the base and the
// indexes are named anew.
func (f *fn) joined() {
	if f.based {
		f.set(f.zero, get(f.zero))
	}
	for _, x := range f.indexes {
		f.set(x.twice, get(x.twice))
	}
}

func (f *fn) emit(code ...byte) { f.body = append(f.body, code...) }

func (f *fn) set(l local, v val) {
	f.indexes = slices.DeleteFunc(f.indexes, func(x index) bool { return x.of == l })
	f.body = uleb(append(append(f.body, v.as(l.kind).code...), 0x21), uint64(l.at))
}

// eval works a value out and leaves it on the stack, for a block that gives it.
func (f *fn) eval(v val) { f.body = append(f.body, v.code...) }

// call is the value of a call.
func call(g *fn, args ...val) val {
	for i := range args {
		args[i] = args[i].as(g.params[i])
	}
	return join(g.result, uleb([]byte{0x10}, uint64(g.number)), args...)
}

// do calls a function that gives nothing.
func (f *fn) do(g *fn, args ...val) { f.eval(call(g, args...)) }

func (f *fn) open(op byte) label {
	f.emit(op, byte(none))
	f.depth++
	return label{f.depth}
}

func (f *fn) close() {
	f.emit(0x0b)
	f.depth--
	f.forget(f.depth)
	f.joined()
}

// block is statements that br leaves.
func (f *fn) block(body func(out label)) {
	body(f.open(0x02))
	f.close()
}

// repeat is statements again and again: br to again begins them anew, br to out leaves them.
//
// What addresses are made with waits on the stack meanwhile: behind a loop the engine would take it for another value, and check
// it again.
func (f *fn) repeat(body func(again, out label)) {
	var waiting []local
	if f.based {
		waiting = append(waiting, f.zero)
	}
	for _, x := range f.indexes {
		waiting = append(waiting, x.twice)
	}
	for _, l := range waiting {
		f.eval(get(l))
	}
	out := f.open(0x02)
	again := f.open(0x03)
	f.joined()
	body(again, out)
	f.br(again)
	f.close()
	f.emit(0x0b)
	f.depth--
	f.forget(f.depth)
	for _, l := range slices.Backward(waiting) {
		f.body = uleb(append(f.body, 0x21), uint64(l.at))
	}
}

func (f *fn) br(l label) { f.body = uleb(append(f.body, 0x0c), uint64(f.depth-l.depth)) }

// brIf is a jump inside an if, not a conditional one: the engine makes one instruction of a comparison and the jump it
// decides only where no other jump leads to the same place. And every if has an else: without one the engine forgets which
// addresses it has checked.
func (f *fn) brIf(l label, cond val) {
	f.eval(cond.truth())
	f.emit(0x04, byte(none))
	f.body = uleb(append(f.body, 0x0c), uint64(f.depth+1-l.depth))
	f.emit(0x05, 0x0b)
}

// when is a conditional statement. Either side may be nil.
func (f *fn) when(cond val, then, els func()) {
	f.eval(cond.truth())
	f.open(0x04)
	if then != nil {
		then()
	}
	f.emit(0x05)
	f.forget(f.depth - 1)
	if els != nil {
		f.joined()
		els()
	}
	f.close()
}

// give returns a value from the function.
func (f *fn) give(v val) {
	f.eval(v.as(f.result))
	f.emit(0x0f)
}

// trap ends everything: the game is in trouble.
func (f *fn) trap() { f.emit(0x00) }

// each goes through the numbers of the bits that are set, from the lowest; rest is used up.
func (f *fn) each(rest local, body func(p local)) {
	p := f.local(i32)
	f.repeat(func(_, out label) {
		f.brIf(out, get(rest).isZero())
		f.set(p, get(rest).lowest())
		body(p)
		f.set(rest, get(rest).and(get(rest).sub(c64(1))))
	})
}

// times goes through the numbers from 0 to below n.
func (f *fn) times(n val, body func(i local)) {
	i, end := f.local(i32), f.temp(n)
	f.set(i, c32(0))
	f.repeat(func(_, out label) {
		f.brIf(out, get(i).ge(get(end)))
		body(i)
		f.set(i, get(i).add(c32(1)))
	})
}
