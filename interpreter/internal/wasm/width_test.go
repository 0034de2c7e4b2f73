package wasm

import (
	"testing"

	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// TestWidths finds which locals need 64 bits: sets of pieces, and locals with large values, assigned directly or through other locals.
func TestWidths(t *testing.T) {
	number, set, copied, sum, count := &ir.Local{Name: "number"}, &ir.Local{Name: "set"}, &ir.Local{Name: "copied"}, &ir.Local{Name: "sum"}, &ir.Local{Name: "count"}
	param := &ir.Local{Name: "param"}
	callee := &ir.Proc{Name: "callee", Params: []*ir.Local{param}}
	p := &ir.Proc{Name: "p", Body: ir.Body{
		ir.Assign(number, &ir.Expr{Op: ir.Cell, K: 3}),
		ir.Assign(set, &ir.Expr{Op: ir.Derived, A: ir.K(0)}),
		ir.Assign(copied, ir.Get(number)),
		ir.Assign(copied, ir.Get(set)), // one assignment is enough
		ir.Assign(sum, ir.Op2(ir.Add, ir.Get(number), ir.Get(number))),
		ir.Assign(count, &ir.Expr{Op: ir.Bits, A: ir.Get(set)}),
		{Op: ir.Call, Proc: callee, Args: []*ir.Expr{ir.Get(copied)}},
	}}
	w := newWidths([]*ir.Proc{p, callee})
	for l, want := range map[*ir.Local]kind{number: i32, set: i64, copied: i64, sum: i32, count: i32, param: i64} {
		if got := w.kindOf(l); got != want {
			t.Errorf("%s has type %x, want %x", l.Name, got, want)
		}
	}
	grows := &ir.Local{Name: "grows"}
	loop := ir.NewLoop()
	q := &ir.Proc{Name: "q", Body: ir.Body{ir.Assign(grows, ir.K(1)), ir.LoopOf(loop, ir.Assign(grows, ir.Op2(ir.Mul, ir.Get(grows), ir.K(3))))}}
	if got := newWidths([]*ir.Proc{q}).kindOf(grows); got != i64 {
		t.Errorf("what grows without end has type %x", got)
	}
}
