package vm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// apart are the operations that do nothing but for those who read the program, whose registers follow from tables of the program, or that need the sets of squares, a player in turn or options: what they touch is
// tested where those are.
var apart = []code.Op{
	code.Assume, code.NativeCall, code.EmitOp, code.RowsOp, code.TakeOp, code.JumpTold, code.JumpNotTold, code.ToldOp, code.WalkersOp, code.WalkersIn, code.Call, code.Return,
	code.ReturnIn, code.End, code.Suspend, code.Goto, code.Fail, code.Offer, code.LiftOp, code.RelinkOp, code.PutOp, code.PutFrom, code.NextOp, code.NextJump,
	code.ClearNext,
}

// TestOperationsDoWhatTheTableSays runs each operation alone: it writes no other registers than the table says, and no others make a difference.
func TestOperationsDoWhatTheTableSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for op := code.Op(0); op.String() != "" && int(op) < code.Operations; op++ {
		if slices.Contains(apart, op) {
			continue
		}
		t.Run(op.String(), func(t *testing.T) {
			for range 200 {
				in := code.Instr{Op: op, A: uint8(r.IntN(6)), B: uint8(r.IntN(6)), C: uint8(r.IntN(6)), K: int32(1 + r.IntN(3))}
				p := program(in)
				m := New(p)
				for i := range 6 {
					m.r[i] = r.IntN(4)
				}
				for i := range m.st {
					m.st[i] = int16(r.IntN(4))
				}
				m.r[200], m.r[201] = 1, 2
				before := m.r
				state, result := run(t, m)
				reads, writes := map[uint8]bool{}, map[uint8]bool{}
				p.Code[0].Registers(p, func(r uint8, use code.Use) {
					if use == code.Reads {
						reads[r] = true
					} else {
						writes[r] = true
					}
				})
				after := m.r
				for i := range before {
					if before[i] != after[i] && !writes[uint8(i)] {
						t.Fatalf("%s writes r%d", p.Text(0), i)
					}
				}
				for i := range uint8(6) {
					if reads[i] {
						continue
					}
					n := New(p)
					copy(n.st, state[0])
					n.r = before
					n.r[i] += 1 + r.IntN(3)
					if other, got := run(t, n); got != result || !slices.Equal(other[1], state[1]) {
						t.Fatalf("%s depends on r%d", p.Text(0), i)
					}
					for w := range writes {
						if result >= 0 && n.r[w] != after[w] {
							t.Fatalf("%s: r%d depends on r%d", p.Text(0), w, i)
						}
					}
				}
			}
		})
	}
}

// program is an instruction that goes on to an end with r200, or jumps to one with r201.
func program(in code.Instr) *code.Program {
	p := &code.Program{
		Code: []code.Instr{in, {Op: code.End, A: 200}, {Op: code.End, A: 201}}, Tables: []int16{5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6}, Masks: make([]uint64, 16),
		Scratch: 16, Counters: 16, Ranges: []code.Range{{Low: 0, High: 9}, {Low: 0, High: 9}, {Low: 0, High: 9}, {Low: 0, High: 9}}, Entries: []int32{0},
	}
	for i := range p.Masks {
		p.Masks[i] = uint64(i)
	}
	p.Layout.Size, p.Layout.Pieces, p.Layout.Frame, p.Layout.FrameEnd = 64, 4, 60, 64
	switch d := in.Op.Of(); d.T {
	case code.Target:
		p.Code[0].T = 2
	case code.None:
	default:
		p.Code[0].T = 3
	}
	p.Initial = make([]int16, p.Layout.Size)
	p.Derived = nil
	code.Link(p)
	return p
}

// run runs a program from its beginning. It gives the state before and after, and which end was come to, -1 for a fault.
func run(t *testing.T, m *Machine) (state [2][]int16, end int) {
	t.Helper()
	if len(m.dv) == 0 {
		m.dv = []uint64{3, 5, 9, 12, 7, 6, 1, 2}
	}
	state[0] = slices.Clone(m.st)
	v, ok := m.Eval(0)
	if !ok {
		v = -1
	}
	state[1] = slices.Clone(m.st)
	return state, v
}
