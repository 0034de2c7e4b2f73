package vm

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// apart are the operations that other tests cover: those without effect at run time, those whose registers follow from tables of the
// program, and those that need track sets, a player in turn or options.
var apart = []code.Op{
	code.Assume, code.NativeCall, code.EmitOp, code.RowsOp, code.TakeOp, code.JumpPredicate, code.JumpNotPredicate, code.PredicateOp, code.WalkersOp, code.WalkersIn, code.Call, code.Return,
	code.ReturnIn, code.End, code.Suspend, code.Goto, code.Fail, code.Offer, code.LiftOp, code.RelinkOp, code.PutOp, code.PutFrom, code.NextOp, code.NextJump,
	code.ClearNext,
}

// TestOperationsDoWhatTheTableSays runs each operation alone: it writes only the registers in the table, and depends only on those.
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
					m.r[i] = r.Int64N(4)
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
					n.r[i] += 1 + r.Int64N(3)
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

// program is an instruction followed by an end with r200; its jump target is an end with r201.
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

// run runs a program. It returns the state before and after, and the end that was reached, -1 for a fault.
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

// TestFusedDoesBoth runs each fused pair as two instructions and as one: registers, cells, counters and the successor are equal.
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
				if k == 20 && !found { // this pair has no superinstruction
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
					m.r[i] = r.Int64N(4)
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

// instr is an instruction with random operands.
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

// pair is two instructions followed by an end with r200; their jump target is an end with r201.
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

// TestComparisons compares each comparing operation with its name.
func TestComparisons(t *testing.T) {
	holds := map[string]func(a, b int64) bool{
		"eq": func(a, b int64) bool { return a == b }, "ne": func(a, b int64) bool { return a != b }, "lt": func(a, b int64) bool { return a < b },
		"le": func(a, b int64) bool { return a <= b }, "gt": func(a, b int64) bool { return a > b }, "ge": func(a, b int64) bool { return a >= b },
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
		for a := range int64(4) {
			for b := range int64(4) {
				d := op.Of()
				in := code.Instr{Op: op, A: 0, B: 1, K: 5}
				p := program(in)
				m := New(p)
				m.r[0], m.r[1], m.r[2] = a, b, b
				switch {
				case d.A == code.Writes && d.C == code.Small: // it loads an operand of the comparison
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

// TestOperations compares the results of operations with the expected ones: registers r1 and r2, and the memory as laid out below.
func TestOperations(t *testing.T) {
	bit := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	values := map[code.Op]func(a, b int) int{
		code.Move: func(a, _ int) int { return a }, code.Add: func(a, b int) int { return a + b }, code.Sub: func(a, b int) int { return a - b },
		code.Mul: func(a, b int) int { return a * b }, code.Div: func(a, b int) int { return a / b }, code.Mod: func(a, b int) int { return a % b },
		code.And: func(a, b int) int { return a & b }, code.Or: func(a, b int) int { return a | b }, code.AndNot: func(a, b int) int { return a &^ b },
		code.Shl: func(a, b int) int { return a << (b & 63) }, code.Shr: func(a, b int) int { return a >> (b & 63) },
		code.Eq: func(a, b int) int { return bit(a == b) }, code.Ne: func(a, b int) int { return bit(a != b) },
		code.Lt: func(a, b int) int { return bit(a < b) }, code.Le: func(a, b int) int { return bit(a <= b) },
		code.Not: func(a, _ int) int { return 1 - a }, code.Bits: func(a, _ int) int { return bits.OnesCount64(uint64(a)) },
		code.Lowest: func(a, _ int) int {
			if a == 0 {
				return -1
			}
			return bits.TrailingZeros64(uint64(a))
		},
	}
	constants := map[code.Op]code.Op{code.AddK: code.Add, code.MulK: code.Mul, code.AndK: code.And, code.ShlK: code.Shl, code.ShrK: code.Shr, code.EqK: code.Eq}
	numbers := []int{0, 1, 2, 3, 5, 7, 62, 100, -1, -2, -7}
	check := func(in code.Instr, a, b, want int) {
		t.Helper()
		p := program(in)
		p.Code[1].A = 0
		m := New(p)
		m.r[1], m.r[2] = int64(a), int64(b)
		if _, got := run(t, m); m.Fault.Kind != code.NoFault || got != want {
			t.Errorf("%s of %d and %d is %d, want %d", p.Text(0), a, b, got, want)
		}
	}
	for _, a := range numbers {
		for _, b := range numbers {
			for op, value := range values {
				if (op == code.Div || op == code.Mod) && b == 0 {
					continue
				}
				check(code.Instr{Op: op, A: 0, B: 1, C: 2}, a, b, value(a, b))
			}
			for op, of := range constants {
				check(code.Instr{Op: op, A: 0, B: 1, K: int32(b)}, a, 0, values[of](a, b))
			}
		}
	}
	// Reads and writes.
	p := program(code.Instr{})
	m := New(p)
	for i := range m.st {
		m.st[i] = int16(i * 3)
	}
	m.dv, m.sc = []uint64{3, 5, 9, 12, 7, 6}, []int16{9, 8, 7, 6, 5, 4}
	for _, c := range []struct {
		in        code.Instr
		want      int // in r0
		cell, has int // expected value of a cell
	}{
		{code.Instr{Op: code.LoadK, K: -70000}, -70000, 0, 0}, {code.Instr{Op: code.Load, K: 5}, 15, 0, 0}, {code.Instr{Op: code.LoadX, B: 1, K: 5}, 21, 0, 0},
		{code.Instr{Op: code.LoadT, B: 1, K: 1}, 2, 0, 0}, {code.Instr{Op: code.LoadS, B: 1, K: 1}, 6, 0, 0}, {code.Instr{Op: code.LoadD, B: 1, K: 1}, 12, 0, 0},
		{code.Instr{Op: code.LoadW, K: 2}, 9, 0, 0}, {code.Instr{Op: code.LoadM, B: 1, K: 4}, 6, 0, 0}, {code.Instr{Op: code.Result}, 77, 0, 0},
		{code.Instr{Op: code.Store, A: 2, K: 9}, 50, 9, 4}, {code.Instr{Op: code.StoreX, A: 2, B: 1, K: 9}, 50, 11, 4}, {code.Instr{Op: code.StoreC, K: 9, T: -6}, 50, 9, -6},
		{code.Instr{Op: code.LoadLoad, A: 0, B: 3, K: 5, T: 6}, 15, 0, 0}, {code.Instr{Op: code.LoadMasks, A: 0, B: 3, K: 1, T: 2}, 7, 0, 0}, {code.Instr{Op: code.Copy, K: 5, T: 9}, 15, 9, 15},
		{code.Instr{Op: code.FireStore, A: 2, K: 1, T: 9}, 50, 9, 4}, {code.Instr{Op: code.FireStoreC, C: 0xfd, K: 1, T: 9}, 50, 9, -3},
		{code.Instr{Op: code.StoreCC, B: 0xfd, C: 2, K: 9, T: 10}, 50, 9, -3}, {code.Instr{Op: code.StoreCC, B: 0xfd, C: 2, K: 9, T: 10}, 50, 10, 2},
		{code.Instr{Op: code.AndW, A: 0, B: 4, C: 3, K: 3}, 8, 0, 0}, {code.Instr{Op: code.AndNotW, A: 0, B: 4, C: 3, K: 3}, 2, 0, 0},
		{code.Instr{Op: code.HavingOp, A: 0, B: 4, C: 2, K: 12}, 0, 0, 0},
		{code.Instr{Op: code.TickOp, C: 3}, 50, code.CellPlays, 3*code.CellPlays + 3},
		{code.Instr{Op: code.CountOp, A: 2, B: 1, C: 1}, 50, code.CellSteps, 4}, {code.Instr{Op: code.CountOp, A: 2, B: 1, C: 1}, 50, code.CellWith, 2},
		{code.Instr{Op: code.CountOp, A: 2, B: 1, C: 1}, 50, code.CellThrown, 1}, {code.Instr{Op: code.CountOp, A: 2, B: 1, C: 1}, 50, code.CellEarned, 0},
		{code.Instr{Op: code.CountOp, A: 2, B: 1, C: 0}, 50, code.CellThrown, 0}, {code.Instr{Op: code.CountOp, A: 2, B: 1, C: 0}, 50, code.CellEarned, 1},
		{code.Instr{Op: code.CountOp, A: 2, B: 1, C: 0}, 50, code.CellPlays, 3*code.CellPlays + 1},
	} {
		q := program(c.in)
		q.Code[0].T, q.Code[1].A = c.in.T, 0
		code.Link(q)
		n := New(q)
		copy(n.st, m.st)
		n.dv, n.sc = m.dv, slices.Clone(m.sc)
		n.result = 77
		n.r[0], n.r[1], n.r[2], n.r[4] = 50, 2, 4, 0b1010
		if _, got := run(t, n); got != c.want {
			t.Errorf("%s: r0 is %d, want %d (fault %d)", q.Text(0), got, c.want, n.Fault.Kind)
		}
		if c.cell != 0 && int(n.st[c.cell]) != c.has {
			t.Errorf("%s: cell %d is %d, want %d", q.Text(0), c.cell, n.st[c.cell], c.has)
		}
	}
	// Faults.
	for _, c := range []struct {
		in   code.Instr
		want code.Fault
	}{
		{code.Instr{Op: code.LoadX, B: 1}, code.FaultNil}, {code.Instr{Op: code.LoadT, B: 1}, code.FaultNil}, {code.Instr{Op: code.LoadXEq, B: 1}, code.FaultNil}, {code.Instr{Op: code.StoreX, B: 1}, code.FaultNil},
		{code.Instr{Op: code.Present, A: 1, K: int32(code.FaultIndex)}, code.FaultIndex}, {code.Instr{Op: code.Present, A: 2, K: int32(code.FaultIndex)}, code.NoFault},
		{code.Instr{Op: code.Check, A: 1}, code.FaultRange}, {code.Instr{Op: code.Check, A: 3}, code.FaultRange}, {code.Instr{Op: code.Check, A: 2}, code.NoFault},
		{code.Instr{Op: code.Store, A: 3, K: 9}, code.FaultRange}, {code.Instr{Op: code.Div, B: 2, C: 4}, code.FaultZero}, {code.Instr{Op: code.Mod, B: 2, C: 4}, code.FaultZero},
		{code.Instr{Op: code.Fail, K: int32(code.FaultQueue)}, code.FaultQueue}, {code.Instr{Op: code.CountOp, A: 3, B: 1}, code.FaultRange},
	} {
		p := program(c.in)
		m := New(p)
		m.r[1], m.r[2], m.r[3] = -1, 4, 40_000
		if run(t, m); m.Fault.Kind != c.want {
			t.Errorf("%s: fault %d, want %d", p.Text(0), m.Fault.Kind, c.want)
		}
	}
}

// TestTurnEnds clears what lives only within a turn, and nothing else; then the turn passes to the next player still in the game.
func TestTurnEnds(t *testing.T) {
	for _, frame := range []int{code.SmallFrame, code.SmallFrame + 5} {
		p := program(code.Instr{Op: code.ClearOp})
		p.Layout.Frame, p.Layout.FrameEnd, p.Layout.Size = 60, 60+frame, 61+frame
		p.Initial = make([]int16, p.Layout.Size)
		m := New(p)
		for i := range m.st {
			m.st[i] = 7
		}
		run(t, m)
		cleared := []int{code.CellAgain, code.CellPlays, code.CellQueue, code.CellThrown, code.CellEarned, code.CellSteps, code.CellUsable}
		for i, v := range m.st {
			want := int16(7)
			switch {
			case slices.Contains(cleared, i) || i >= 60 && i < 60+frame:
				want = 0
			case i == code.CellHeading:
				want = 1
			}
			if v != want {
				t.Errorf("when a turn has ended @%s is %d, want %d", p.CellName(i), v, want)
			}
		}
	}
	for status := range 1 << 3 {
		for me := range 3 {
			for _, colours := range []bool{false, true} {
				p := program(code.Instr{Op: code.NextOp, A: 0, C: uint8(truth(colours))})
				p.Layout.Players, p.Layout.Colours, p.Layout.Status, p.Layout.ColourPlayer = 3, 3, 40, 12
				p.Tables = append(p.Tables, 2, 0, 1) // the player of each colour
				p.Code[1].A = 0
				m := New(p)
				of, at := []int{0, 1, 2}, code.CellMe
				if colours {
					of, at = []int{2, 0, 1}, code.CellColour
				}
				for i := range 3 {
					m.st[40+i] = int16(status >> i & 1) // out where it is 1
				}
				m.st[at] = int16(me)
				want, found := me, 0
				for k := 1; k <= 3 && found == 0; k++ {
					if x := (me + k) % 3; status>>of[x]&1 == 0 {
						want, found = x, 1
					}
				}
				_, got := run(t, m)
				if got != found || int(m.st[at]) != want || found == 1 && int(m.st[code.CellMe]) != of[want] {
					t.Errorf("after %d, out %03b, by colour %v: %d with %d, want %d with %d", me, status, colours, m.st[at], got, want, found)
				}
			}
		}
	}
}

// TestSetsHave64Bits loads a set of pieces whose highest bits are set: a register holds all bits, on 32-bit platforms too.
func TestSetsHave64Bits(t *testing.T) {
	const set uint64 = 1<<63 | 1<<40 | 1
	for _, in := range []code.Instr{
		{Op: code.LoadW, A: 0}, {Op: code.LoadD, A: 0, B: 1}, {Op: code.LoadM, A: 0, B: 1}, {Op: code.AndW, A: 0, B: 2, C: 3},
		{Op: code.AndWZ, A: 0, B: 2, C: 3}, {Op: code.LoadMasks, A: 0, B: 3},
	} {
		p := program(in)
		p.Masks[0] = set
		m := New(p)
		m.dv, m.r[2] = []uint64{set}, -1
		run(t, m)
		if got := m.r[0]; uint64(got) != set {
			t.Errorf("%s loads %x, want %x", p.Text(0), uint64(got), set)
		}
	}
}
