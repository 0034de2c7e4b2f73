package wasm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Numbers of the rules are small, sets of pieces take 64 bits, and the tree does not say which is which. widths finds for
// each local how large its values can become; what may not fit 32 bits gets 64.
type widths struct {
	most   map[*ir.Local]int64
	sets   map[*ir.Local][]*ir.Expr // all that is assigned to each
	list   []*ir.Local
	writes map[*ir.Local]int  // how many statements write each; a parameter is written by calls
	loose  map[*ir.Local]bool // may be read before they are written
}

// steady reports whether one place alone gives a local its value, and comes before all that read it.
func (w *widths) steady(l *ir.Local) bool { return w.writes[l] == 1 && !w.loose[l] }

// A local that counts up by no more than smallStep a time stays far below 2³¹ in as many jumps as a run may take.
const smallStep, counted = 64, 1 << 28

// newWidths looks at the procedures of a program.
func newWidths(procs []*ir.Proc) *widths {
	w := &widths{most: map[*ir.Local]int64{}, sets: map[*ir.Local][]*ir.Expr{}, writes: map[*ir.Local]int{}, loose: map[*ir.Local]bool{}}
	for _, p := range procs {
		for _, l := range p.Params {
			w.writes[l]++
		}
		w.assignments(p.Body)
	}
	for round := 0; ; round++ {
		changed := false
		for _, l := range w.list {
			most := w.most[l]
			for _, e := range w.sets[l] {
				most = max(most, w.assigned(l, e))
			}
			if most != w.most[l] {
				if round > 16 {
					most = ir.Unbounded
				}
				w.most[l], changed = most, true
			}
		}
		if !changed {
			return w
		}
	}
}

// assigned is how large a value assigned to a local can be.
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

// assignments notes what statements assign to locals.
func (w *widths) assignments(body []*ir.Stmt) {
	ir.Walk(body, func(s *ir.Stmt) bool {
		switch s.Op {
		case ir.Set:
			w.assign(s.Local, s.A)
			w.writes[s.Local]++
		case ir.Declare:
			w.loose[s.Local] = true
		case ir.Call:
			for i, a := range s.Args {
				w.assign(s.Proc.Params[i], a)
			}
		case ir.Native:
			w.writes[s.Local]++
			most := int(ir.Sixteen)
			if code.NativeOp(s.K) == code.Stride {
				most = 1 << 30
			}
			if s.Local != nil {
				w.assign(s.Local, ir.K(most))
			}
		}
		return true
	}, nil)
}

// kindOf is the type of a local.
func (w *widths) kindOf(l *ir.Local) kind { return kindFor(w.most[l]) }

func kindFor(most int64) kind {
	if most >= 1<<31 {
		return i64
	}
	return i32
}

// of is how large an expression's value can be, either side of 0.
func (w *widths) of(e *ir.Expr) int64 {
	return ir.Largest(e, func(x *ir.Expr) int64 {
		if x.Op == ir.Use {
			return w.most[x.Local]
		}
		return ir.Sixteen
	})
}
