package wasm

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/tetratelabs/wazero"
)

// result runs a function without parameters that returns 64 bits.
func result(t *testing.T, body func(f *fn)) int64 {
	t.Helper()
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("there is no compiler of WebAssembly for this machine")
	}
	m := &module{pages: 1}
	f := m.newFunc(playName, i64)
	body(f)
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	x, err := r.Instantiate(ctx, m.encode(f))
	if err != nil {
		t.Fatal(err)
	}
	out, err := x.ExportedFunction(playName).Call(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return int64(out[0])
}

// sample is an expression with its expected value.
type sample struct {
	v    val
	want int64
}

// TestValues evaluates random expressions: folding, widening and negation of conditions change no value.
func TestValues(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	ops := []struct {
		op  operation
		say func(a, b int64) int64
	}{
		{opAdd, func(a, b int64) int64 { return a + b }}, {opSub, func(a, b int64) int64 { return a - b }}, {opMul, func(a, b int64) int64 { return a * b }},
		{opAnd, func(a, b int64) int64 { return a & b }}, {opOr, func(a, b int64) int64 { return a | b }}, {opXor, func(a, b int64) int64 { return a ^ b }},
		{opEq, func(a, b int64) int64 { return truth(a == b) }}, {opNe, func(a, b int64) int64 { return truth(a != b) }},
		{opLtS, func(a, b int64) int64 { return truth(a < b) }}, {opLeS, func(a, b int64) int64 { return truth(a <= b) }},
		{opGtS, func(a, b int64) int64 { return truth(a > b) }}, {opGeS, func(a, b int64) int64 { return truth(a >= b) }},
	}
	for range 300 {
		var want int64
		got := result(t, func(f *fn) {
			var make func(depth int) sample
			make = func(depth int) sample {
				if depth == 0 || r.IntN(5) == 0 {
					k := int64(r.IntN(5)) - 1
					kind := []kind{i32, i64}[r.IntN(2)]
					if r.IntN(2) == 0 {
						return sample{konst(kind, k), k}
					}
					return sample{get(f.temp(konst(kind, k))), k}
				}
				a := make(depth - 1)
				switch r.IntN(6) {
				case 0:
					return sample{a.v.isZero(), truth(a.want == 0)}
				case 1:
					b, c := make(depth-1), make(depth-1)
					out := c.want
					if a.want != 0 {
						out = b.want
					}
					return sample{choose(a.v, b.v, c.v), out}
				case 2:
					return sample{a.v.wide(), a.want}
				}
				b, o := make(depth-1), ops[r.IntN(len(ops))]
				return sample{a.v.op(o.op, b.v), o.say(a.want, b.want)}
			}
			x := make(3)
			want = x.want
			f.eval(x.v.wide())
		})
		if got != want {
			t.Fatalf("an expression is %d, want %d", got, want)
		}
	}
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// TestControl runs blocks, loops and branches.
func TestControl(t *testing.T) {
	sum := result(t, func(f *fn) {
		total := f.temp(c64(0))
		f.times(c32(10), func(i local) {
			f.when(get(i).and(c32(1)), func() { f.set(total, get(total).add(get(i).wide())) }, nil)
		})
		f.eval(get(total))
	})
	if sum != 25 {
		t.Errorf("the odd numbers below 10 come to %d", sum)
	}
	set := int64(0b1011001)
	low := result(t, func(f *fn) {
		rest, out := f.temp(c64(set)), f.temp(c64(0))
		f.each(rest, func(p local) { f.set(out, get(out).shl(c64(4)).or(get(p).wide())) })
		f.eval(get(out))
	})
	if low != 0x0346 {
		t.Errorf("the bits come as %x", low)
	}
	if n := result(t, func(f *fn) { f.eval(get(f.temp(c64(set))).ones()) }); n != int64(bits.OnesCount64(uint64(set))) {
		t.Errorf("%d bits are set", n)
	}
	out := result(t, func(f *fn) {
		x := f.temp(c64(7))
		f.block(func(out label) {
			f.brIf(out, get(x).eq(c64(7)))
			f.set(x, c64(1))
		})
		f.eval(get(x))
	})
	if out != 7 {
		t.Errorf("a block that is left goes on: %d", out)
	}
}

// TestLEB encodes numbers as in the specification.
func TestLEB(t *testing.T) {
	for v, want := range map[int64]string{0: "\x00", -1: "\x7f", 63: "\x3f", 64: "\xc0\x00", -64: "\x40", -65: "\xbf\x7f", 624485: "\xe5\x8e\x26", -123456: "\xc0\xbb\x78"} {
		if got := string(sleb(nil, v)); got != want {
			t.Errorf("%d is %x, want %x", v, got, want)
		}
	}
	if got := string(uleb(nil, 624485)); got != "\xe5\x8e\x26" {
		t.Errorf("624485 is %x", got)
	}
}
