package code

import (
	"maps"
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Frame says where a program keeps what lives across a node, and where it goes on: for those who run the tree themselves and want to
// hand a state over at a node. Of what was generated more than once nothing can be said: there is -1.
type Frame struct {
	Locals  map[*ir.Local]int // the cell a local lives in; others do not outlive a node
	Returns map[*ir.Proc]int  // of each procedure that meets nodes the cell of the point to which it returns
	Points  map[*ir.Stmt]int  // of each Suspend, and each Call of such a procedure, the point at which execution goes on
}

func newFrame() *Frame {
	return &Frame{map[*ir.Local]int{}, map[*ir.Proc]int{}, map[*ir.Stmt]int{}}
}

func (f *Frame) local(l *ir.Local, cell int) { note(f.Locals, l, cell) }

func (f *Frame) point(s *ir.Stmt, n int) { note(f.Points, s, n) }

func note[K comparable](m map[K]int, k K, v int) {
	if _, twice := m[k]; twice {
		v = -1
	}
	m[k] = v
}

// Cells are all its cells.
func (f *Frame) Cells() []int {
	out := slices.AppendSeq(slices.Collect(maps.Values(f.Returns)), maps.Values(f.Locals))
	slices.Sort(out)
	return slices.Compact(slices.DeleteFunc(out, func(k int) bool { return k < 0 }))
}
