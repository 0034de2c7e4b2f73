package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// widths infers the WebAssembly type of each local. Numbers of the rules are small and sets of pieces take 64 bits, but the tree does not
// distinguish them. A fixpoint over all assignments bounds the values of each local; a local that may not fit 32 bits gets 64.
type widths struct {
	bound      map[*ir.Local]int64
	sets       map[*ir.Local][]*ir.Expr // the expressions assigned to each local
	list       []*ir.Local
	writes     map[*ir.Local]int  // number of statements that write each local; a parameter is written by calls
	maybeUnset map[*ir.Local]bool // declared without a value: may be read before it is written
}

// singleAssignment reports whether a local is assigned exactly once, before all reads.
func (w *widths) singleAssignment(l *ir.Local) bool { return w.writes[l] == 1 && !w.maybeUnset[l] }

// A counter incremented by at most smallStep stays far below 2³¹ within the fuel of a run.
const smallStep, counted = 64, 1 << 28

// newWidths analyses procedures.
func newWidths(procs []*ir.Proc) *widths {
	w := &widths{bound: map[*ir.Local]int64{}, sets: map[*ir.Local][]*ir.Expr{}, writes: map[*ir.Local]int{}, maybeUnset: map[*ir.Local]bool{}}
	for _, p := range procs {
		for _, l := range p.Params {
			w.writes[l]++
		}
		w.assignments(p.Body)
	}
	for round := 0; ; round++ {
		changed := false
		for _, l := range w.list {
			bound := w.bound[l]
			for _, e := range w.sets[l] {
				bound = max(bound, w.assigned(l, e))
			}
			if bound != w.bound[l] {
				if round > 16 {
					bound = ir.Unbounded
				}
				w.bound[l], changed = bound, true
			}
		}
		if !changed {
			return w
		}
	}
}

// assigned bounds the value of an assignment.
func (w *widths) assigned(l *ir.Local, e *ir.Expr) int64 {
	if (e.Op == ir.Add || e.Op == ir.Sub) && e.A.Op == ir.Use && e.A.Local == l && w.of(e.B) <= smallStep {
		return counted
	}
	return min(ir.Unbounded, w.of(e))
}

func (w *widths) assign(l *ir.Local, e *ir.Expr) {
	if w.sets[l] == nil {
		w.list = append(w.list, l)
	}
	w.sets[l] = append(w.sets[l], e)
}

// assignments collects the assignments of statements.
func (w *widths) assignments(body ir.Body) {
	ir.Walk(body, func(s *ir.Stmt) bool {
		switch s.Op {
		case ir.Set:
			w.assign(s.Local, s.A)
			w.writes[s.Local]++
		case ir.Declare:
			w.maybeUnset[s.Local] = true
		case ir.Call:
			for i, a := range s.Args {
				w.assign(s.Proc.Params[i], a)
			}
		case ir.Native:
			w.writes[s.Local]++
			bound := int(ir.Sixteen)
			if code.NativeOp(s.K) == code.Stride {
				bound = 1 << 30
			}
			if s.Local != nil {
				w.assign(s.Local, ir.K(bound))
			}
		}
		return true
	}, nil)
}

// kindOf is the type of a local.
func (w *widths) kindOf(l *ir.Local) kind { return kindFor(w.bound[l]) }

func kindFor(bound int64) kind {
	if bound >= 1<<31 {
		return i64
	}
	return i32
}

// of bounds the absolute value of an expression.
func (w *widths) of(e *ir.Expr) int64 {
	return ir.Largest(e, func(x *ir.Expr) int64 {
		if x.Op == ir.Use {
			return w.bound[x.Local]
		}
		return ir.Sixteen
	})
}
