package wasm

import (
	"math/bits"
	"slices"
)

// fn is a function under construction. Statements are appended to the body in order. Expressions are values that carry their own
// instructions; each is used once, at the block depth where it was created.
type fn struct {
	module  *module
	name    string
	number  int
	result  kind
	params  []kind
	locals  []kind
	body    []byte
	depth   int   // of open blocks
	zero    local // always 0: the base of constant addresses
	hasBase bool  // zero is in use
	indexes []index
}

// index is a local used in many addresses, and another local that holds it times two: cells have two bytes.
type index struct {
	of, twice local
	depth     int // depth of the block in which it is valid
}

// local is the number of a local.
type local struct {
	at   int
	kind kind
}

// label is an open block. A branch to a block leaves it; a branch to a loop starts the next iteration.
type label struct{ depth int }

// val is an expression: its type and the instructions that push its value.
type val struct {
	kind  kind
	code  []byte
	konst bool
	k     int64
	// The negation of a condition costs no extra operation: inverse replaces the last operation if it is not 0; if the condition is "of is
	// 0", the negation is "of is not 0".
	inverse byte
	of      *val
	// The value before its lowest bits were shifted out, and how many bits.
	unshifted  *val
	shiftedOut int64
	from       *local // the local that the value was read from
}

func (f *fn) param(i int) local { return local{i, f.params[i]} }

// local allocates a local.
func (f *fn) local(k kind) local {
	f.locals = append(f.locals, k)
	return local{len(f.params) + len(f.locals) - 1, k}
}

// temp allocates a local that holds a value.
func (f *fn) temp(v val) local {
	l := f.local(v.kind)
	f.set(l, v)
	return l
}

// read reads a variable of the module.
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

// join appends an operation to its operands.
func join(k kind, op []byte, args ...val) val {
	var code []byte
	for _, a := range args {
		code = append(code, a.code...)
	}
	return val{kind: k, code: append(code, op...)}
}

// operation is a binary operation: its opcodes for 32 and for 64 bits.
type operation struct{ narrow, wide byte }

// The operations. Comparisons have a 32-bit result for both operand widths.
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

// isIdentity reports whether the operation with right operand k returns the other operand.
func (o operation) isIdentity(k int64) bool {
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

// inverses maps each comparison to its negation.
var inverses = func() map[byte]byte {
	out := map[byte]byte{}
	for _, pair := range [][2]operation{{opEq, opNe}, {opLtS, opGeS}, {opLtU, opGeU}, {opGtS, opLeS}} {
		a, b := pair[0], pair[1]
		out[a.narrow], out[b.narrow], out[a.wide], out[b.wide] = b.narrow, a.narrow, b.wide, a.wide
	}
	return out
}()

func (o operation) compares() bool { return o.narrow >= 0x46 && o.narrow <= 0x4f }

// op returns a op b. If the widths differ, the 32-bit operand is sign-extended.
func (a val) op(o operation, b val) val {
	if a.kind != b.kind {
		a, b = a.wide(), b.wide()
	}
	k, code := a.kind, o.narrow
	if k == i64 {
		code = o.wide
	}
	switch {
	case b.konst && o.isIdentity(b.k):
		return a
	case a.konst && (o == opOr || o == opAnd || o == opAdd) && o.isIdentity(a.k):
		return b
	case (a.konst && a.k == 0 || b.konst && b.k == 0) && (o == opAnd || o == opMul):
		return konst(k, 0)
	case o == opMul && b.konst && b.k > 0 && b.k&(b.k-1) == 0:
		return a.shl(konst(k, int64(bits.TrailingZeros64(uint64(b.k)))))
	case o == opShl && b.konst && a.shiftedOut > 0 && a.shiftedOut == b.k: // a right shift followed by a left shift clears the low bits
		return a.unshifted.and(konst(k, -1<<b.k))
	case !o.compares():
		v := join(k, []byte{code}, a, b)
		if o == opShrU && b.konst {
			v.unshifted, v.shiftedOut = &a, b.k
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

// wide converts the value to 64 bits.
func (a val) wide() val {
	switch {
	case a.kind == i64:
		return a
	case a.konst:
		return konst(i64, a.k)
	}
	return join(i64, []byte{0xac}, a)
}

// narrow takes the low 32 bits.
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

// isZero is 1 if a is 0, otherwise 0.
func (a val) isZero() val {
	switch {
	case a.inverse != 0:
		v := join(i32, []byte{a.inverse}, val{code: a.code[:len(a.code)-1]})
		v.inverse = a.code[len(a.code)-1]
		return v
	case a.of != nil: // 0 or 1, whatever the operand was
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

// truth converts a to a condition.
func (a val) truth() val {
	if a.kind == i64 {
		return a.ne(c64(0))
	}
	return a
}

// bits counts the set bits of a 64-bit value, lowest finds the lowest one; both results have 32 bits.
func (a val) bits() val   { return a.ones().narrow() }
func (a val) lowest() val { return ctz(a).narrow() }

// withoutLowest is a set without its lowest element.
func withoutLowest(set local) val { return get(set).and(get(set).sub(c64(1))) }

// ctz counts trailing zeros, 64 if no bit is set; the result has 64 bits.
func ctz(a val) val { return join(i64, []byte{0x7a}, a.wide()) }

// ones counts the set bits; the result has 64 bits.
func (a val) ones() val { return join(i64, []byte{0x7b}, a.wide()) }

// rotl rotates 64 bits to the left.
func rotl(a, by val) val { return join(i64, []byte{0x89}, a, by.wide()) }

// not inverts all bits.
func (a val) not() val { return a.xor(konst(a.kind, -1)) }

// choose selects a if cond holds, otherwise b; both are evaluated.
func choose(cond, a, b val) val {
	if a.kind != b.kind {
		a, b = a.wide(), b.wide()
	}
	return join(a.kind, []byte{0x1b}, a, b, cond.truth())
}

// load reads width bits at addr+offset, extended to k: 16 bits with their sign, 8 and 32 bits with zeros.
func load(k kind, width int, addr val, offset int) val {
	op := map[[2]int]byte{
		{int(i32), 32}: 0x28, {int(i32), 16}: 0x2e, {int(i32), 8}: 0x2d, {int(i64), 64}: 0x29, {int(i64), 16}: 0x32, {int(i64), 32}: 0x35,
	}[[2]int{int(k), width}]
	return join(k, uleb([]byte{op, 0}, uint64(offset)), addr)
}

// store writes the low width bits of v at addr+offset.
func (f *fn) store(width int, addr val, offset int, v val) {
	op := map[[2]int]byte{
		{int(i32), 32}: 0x36, {int(i32), 16}: 0x3b, {int(i32), 8}: 0x3a, {int(i64), 64}: 0x37, {int(i64), 16}: 0x3d, {int(i64), 32}: 0x3e,
	}[[2]int{int(v.kind), width}]
	f.body = append(f.body, join(none, uleb([]byte{op, 0}, uint64(offset)), addr, v).code...)
}

// base is address 0 as one value for the whole function. wazero then knows that one bounds check of the highest address covers all lower
// ones.
func (f *fn) base() val {
	if !f.hasBase {
		f.zero, f.hasBase = f.local(i32), true
	}
	return get(f.zero)
}

// index returns a local that holds an index times two until the block ends; the index must not be negative. wazero identifies an address by
// the SSA value of its base. Therefore the highest address used with the index is checked once, and later accesses need no bounds check.
// Inside a loop, an index created outside must not change.
func (f *fn) index(of local) local {
	if at, ok := f.indexed(of); ok {
		return at
	}
	at := f.temp(get(of).shl(c32(1)))
	f.indexes = append(f.indexes, index{of, at, f.depth})
	f.drop(load(i32, 16, get(at), f.module.top))
	return at
}

// indexed returns the local of an index that exists already.
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

// drop evaluates a value and leaves it unused, for the bounds check of its address.
func (f *fn) drop(v val) {
	f.eval(v)
	f.emit(0x1a)
}

// dropIndexes removes the indexes created in blocks deeper than depth.
func (f *fn) dropIndexes(depth int) {
	f.indexes = slices.DeleteFunc(f.indexes, func(x index) bool { return x.depth > depth })
}

// refreshAddresses is called at control-flow joins. wazero sees a new SSA value after a join, so the base and the indexes are assigned
// again.
func (f *fn) refreshAddresses() {
	if f.hasBase {
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

func (f *fn) increment(l local) { f.set(l, get(l).add(c32(1))) }

// eval pushes a value on the stack.
func (f *fn) eval(v val) { f.body = append(f.body, v.code...) }

// call is the value of a call.
func call(g *fn, args ...val) val {
	for i := range args {
		args[i] = args[i].as(g.params[i])
	}
	return join(g.result, uleb([]byte{0x10}, uint64(g.number)), args...)
}

// do calls a function without a result.
func (f *fn) do(g *fn, args ...val) { f.eval(call(g, args...)) }

func (f *fn) open(op byte) label {
	f.emit(op, byte(none))
	f.depth++
	return label{f.depth}
}

func (f *fn) close() {
	f.emit(0x0b)
	f.depth--
	f.dropIndexes(f.depth)
	f.refreshAddresses()
}

// block emits a block that br leaves.
func (f *fn) block(body func(out label)) {
	body(f.open(0x02))
	f.close()
}

// repeat emits a loop: br to again starts the next iteration, br to out leaves the loop.
//
// The base and the indexes stay on the stack during the loop. After a loop wazero would treat them as different values and repeat their
// bounds checks.
func (f *fn) repeat(body func(again, out label)) {
	var waiting []local
	if f.hasBase {
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
	f.refreshAddresses()
	body(again, out)
	f.br(again)
	f.close()
	f.emit(0x0b)
	f.depth--
	f.dropIndexes(f.depth)
	for _, l := range slices.Backward(waiting) {
		f.body = uleb(append(f.body, 0x21), uint64(l.at))
	}
}

func (f *fn) br(l label) { f.body = uleb(append(f.body, 0x0c), uint64(f.depth-l.depth)) }

// brIf emits an if around a br, not a br_if: wazero fuses a comparison with its branch only if no other branch has the same target. Every
// if has an else: without one wazero forgets which addresses it has checked.
func (f *fn) brIf(l label, cond val) {
	f.eval(cond.truth())
	f.emit(0x04, byte(none))
	f.body = uleb(append(f.body, 0x0c), uint64(f.depth+1-l.depth))
	f.emit(0x05, 0x0b)
}

// when emits a conditional statement. Either branch may be nil.
func (f *fn) when(cond val, then, els func()) {
	f.eval(cond.truth())
	f.open(0x04)
	if then != nil {
		then()
	}
	f.emit(0x05)
	f.dropIndexes(f.depth - 1)
	if els != nil {
		f.refreshAddresses()
		els()
	}
	f.close()
}

// ret returns a value from the function.
func (f *fn) ret(v val) {
	f.eval(v.as(f.result))
	f.emit(0x0f)
}

// trap aborts the game; the interpreter plays it instead.
func (f *fn) trap() { f.emit(0x00) }

// each iterates over the set bits from the lowest; it consumes rest.
func (f *fn) each(rest local, body func(p local)) {
	p := f.local(i32)
	f.repeat(func(_, out label) {
		f.brIf(out, get(rest).isZero())
		f.set(p, get(rest).lowest())
		body(p)
		f.set(rest, withoutLowest(rest))
	})
}

// times iterates over 0 to n-1.
func (f *fn) times(n val, body func(i local)) {
	i, end := f.local(i32), f.temp(n)
	f.set(i, c32(0))
	f.repeat(func(_, out label) {
		f.brIf(out, get(i).ge(get(end)))
		body(i)
		f.increment(i)
	})
}
