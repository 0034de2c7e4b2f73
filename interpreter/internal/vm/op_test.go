package vm

import (
	"math/rand/v2"
	"slices"
	"strings"
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

// TestFusedDoesBoth runs each pair of instructions that is fused, as two and as one: registers, cells, counters and the way on are the same.
func TestFusedDoesBoth(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pairs := map[code.Op]int{}
	for a := code.Op(0); int(a) < code.Operations; a++ {
		for b := code.Op(0); int(b) < code.Operations; b++ {
			if a.Of().T == code.Target || slices.Contains(apart, a) || slices.Contains(apart, b) {
				continue
			}
			found := false
			for k := range 60 {
				if k == 20 && !found { // nothing that is fused
					break
				}
				first, second := instr(r, a), instr(r, b)
				one, two := pair(first, second), pair(first, second)
				if code.Fuse(one); len(one.Code) == len(two.Code) {
					continue
				}
				found = true
				code.Link(one)
				code.Link(two)
				pairs[one.Code[0].Op]++
				m, n := New(one), New(two)
				for i := range 6 {
					m.r[i] = r.IntN(4)
				}
				for i := range m.st {
					m.st[i] = int16(r.IntN(4))
				}
				m.r[200], m.r[201] = 1, 2
				n.r = m.r
				copy(n.st, m.st)
				text := two.Text(0) + "; " + two.Text(1)
				x, end := run(t, m)
				y, ends := run(t, n)
				if end != ends || m.Fault.Kind != n.Fault.Kind {
					t.Fatalf("%s: as one it goes on to %d, as two to %d", text, end, ends)
				}
				if end < 0 {
					continue
				}
				if m.r != n.r || !slices.Equal(x[1], y[1]) || !slices.Equal(m.Counters, n.Counters) {
					t.Fatalf("%s: as %s it leaves other registers, cells or counters", text, one.Text(0))
				}
			}
		}
	}
	for _, op := range []code.Op{code.LoadEq, code.LoadXLt, code.LoadTNe, code.AddLess, code.AndZ, code.AndWZ, code.LoadMasks, code.FireStore, code.StoreCC, code.Copy} {
		if pairs[op] == 0 {
			t.Errorf("nothing was fused to %s", op)
		}
	}
}

// instr is an instruction with operands by chance.
func instr(r *rand.Rand, op code.Op) code.Instr {
	in := code.Instr{Op: op, A: uint8(r.IntN(3)), B: uint8(r.IntN(3)), C: uint8(r.IntN(3)), K: int32(1 + r.IntN(3))}
	switch op.Of().T {
	case code.Target:
		in.T = 3
	case code.None:
	default:
		in.T = int32(r.IntN(4))
	}
	return in
}

// pair is two instructions that go on to an end with r200, or jump to one with r201.
func pair(a, b code.Instr) *code.Program {
	p := program(a)
	a.T = p.Code[0].T
	if a.Op.Of().T == code.Sixteen {
		a.T = 2
	}
	p.Code = []code.Instr{a, b, {Op: code.End, A: 200}, {Op: code.End, A: 201}}
	p.Derived = make([]uint64, 8)
	return p
}

// TestComparisons holds each operation that compares to what its name says.
func TestComparisons(t *testing.T) {
	holds := map[string]func(a, b int) bool{
		"eq": func(a, b int) bool { return a == b }, "ne": func(a, b int) bool { return a != b }, "lt": func(a, b int) bool { return a < b },
		"le": func(a, b int) bool { return a <= b }, "gt": func(a, b int) bool { return a > b }, "ge": func(a, b int) bool { return a >= b },
	}
	compared := 0
	for op := code.Op(0); int(op) < code.Operations; op++ {
		name, constant := strings.CutSuffix(op.String(), "-const")
		at := strings.LastIndexByte(name, '-') + 1
		cond := holds[name[at:]]
		if cond == nil {
			continue
		}
		compared++
		for a := range 4 {
			for b := range 4 {
				d := op.Of()
				in := code.Instr{Op: op, A: 0, B: 1, K: 5}
				p := program(in)
				m := New(p)
				m.r[0], m.r[1], m.r[2] = a, b, b
				switch {
				case d.A == code.Writes && d.C == code.Small: // it loads what it compares
					p.Code[0].C = uint8(b)
					m.st[5], m.r[1] = int16(a), 0
					p.Tables[5] = int16(a)
				case d.A == code.Writes && constant:
					p.Code[0].K, m.r[1] = int32(b), a
				case d.A == code.Writes:
					p.Code[0].C = 2
					m.r[1] = a
				case constant:
					p.Code[0].C = uint8(b)
				}
				m.r[200], m.r[201] = 1, 2
				_, end := run(t, m)
				got := end == 2
				if d.T != code.Target {
					got = m.r[0] != 0
				}
				if got != cond(a, b) {
					t.Errorf("%s: of %d and %d it says %v", op, a, b, got)
				}
			}
		}
	}
	if compared < 20 {
		t.Errorf("%d operations compare", compared)
	}
}
