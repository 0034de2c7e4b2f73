package code

import (
	"strings"
	"testing"
)

// text is a program in printed form.
func text(t *testing.T, p *Program) string {
	t.Helper()
	var b strings.Builder
	if err := p.Print(&b, func(int) string { return "" }); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// programOf is a program of some instructions, with tables of sufficient size.
func programOf(code ...Instr) *Program {
	p := &Program{Code: code, Tables: make([]int16, 8), Masks: make([]uint64, 8), Derived: make([]uint64, DerivedPlaces+1), Counters: 4, Scratch: 4, Entries: []int32{0}}
	p.Layout.Size = HeaderCells + 8
	return p
}

// TestPasses shows the program before and after each pass.
func TestPasses(t *testing.T) {
	for _, c := range []struct {
		name, pass    string
		code          []Instr
		before, after string
	}{
		{
			"a jump to a jump leads where that leads", "thread",
			[]Instr{{Op: JumpZ, A: 1, T: 2}, {Op: End}, {Op: Jump, T: 3}, {Op: End, A: 1}},
			"    0: jump-zero r1 -> 2\n    1  end r0\n    2: jump -> 3\n    3: end r1\n",
			"    0: jump-zero r1 -> 3\n    1  end r0\n    2  jump -> 3\n    3: end r1\n",
		},
		{
			"a jump backwards stays: it is counted", "thread",
			[]Instr{{Op: Nop}, {Op: JumpZ, A: 1, T: 2}, {Op: Jump, T: 0}, {Op: End}},
			"    0: nop\n    1  jump-zero r1 -> 2\n    2: jump -> 0\n    3  end r0\n",
			"    0: nop\n    1  jump-zero r1 -> 2\n    2: jump -> 0\n    3  end r0\n",
		},
		{
			"what does nothing goes, and addresses follow", "drop",
			[]Instr{{Op: Assume, A: 3}, {Op: Jump, T: 2}, {Op: JumpNZ, A: 1, T: 4}, {Op: Nop}, {Op: End}},
			"    0: assume r3\n    1  jump -> 2\n    2: jump-nonzero r1 -> 4\n    3  nop\n    4: end r0\n",
			"    0: jump-nonzero r1 -> 1\n    1: end r0\n",
		},
		{
			"a load and a comparison become one", "fuse",
			[]Instr{{Op: Load, A: 1, K: CellSteps}, {Op: JumpEqK, A: 1, C: 5, T: 3}, {Op: End}, {Op: End, A: 1}},
			"    0: load r1 @steps\n    1  jump-eq-const r1 5 -> 3\n    2  end r0\n    3: end r1\n",
			"    0: load-jump-eq r1 5 @steps -> 2\n    1  end r0\n    2: end r1\n",
		},
		{
			"not where something leads between them", "fuse",
			[]Instr{{Op: JumpZ, A: 0, T: 2}, {Op: Load, A: 1, K: CellSteps}, {Op: JumpEqK, A: 1, C: 5, T: 3}, {Op: End}},
			"    0: jump-zero r0 -> 2\n    1  load r1 @steps\n    2: jump-eq-const r1 5 -> 3\n    3: end r0\n",
			"    0: jump-zero r0 -> 2\n    1  load r1 @steps\n    2: jump-eq-const r1 5 -> 3\n    3: end r0\n",
		},
		{
			"not where the comparison is of another register", "fuse",
			[]Instr{{Op: Load, A: 1, K: CellSteps}, {Op: JumpEqK, A: 2, C: 5, T: 2}, {Op: End}},
			"    0: load r1 @steps\n    1  jump-eq-const r2 5 -> 2\n    2: end r0\n",
			"    0: load r1 @steps\n    1  jump-eq-const r2 5 -> 2\n    2: end r0\n",
		},
		{
			"constants that fit a byte are stored together", "fuse",
			[]Instr{{Op: StoreC, K: CellAgain, T: 0}, {Op: StoreC, K: CellWith, T: -1}, {Op: StoreC, K: CellP0, T: 200}, {Op: End}},
			"    0: store-const @again 0\n    1  store-const @with -1\n    2  store-const @p0 200\n    3  end r0\n",
			"    0: store-two-const 0 -1 @again @with\n    1  store-const @p0 200\n    2  end r0\n",
		},
		{
			"three become one in two rounds", "fuse",
			[]Instr{{Op: Load, A: 0, K: CellP0}, {Op: Load, A: 1, K: CellTo}, {Op: PutOp, A: 0, B: 1, K: CellNode}, {Op: End}},
			"    0: load r0 @p0\n    1  load r1 @to\n    2  put r0 r1 @node\n    3  end r0\n",
			"    0: put-from r0 r1 21 @p0 @to\n    1  end r0\n",
		},
		{
			"a turn ends and the next begins", "fuse",
			[]Instr{{Op: ClearOp}, {Op: NextOp, A: 2}, {Op: JumpNZ, A: 2, T: 0}, {Op: End}},
			"    0: clear-turn\n    1  next-turn r2 0\n    2  jump-nonzero r2 -> 0\n    3  end r0\n",
			"    0: clear-next-turn-jump r2 0 -> 0\n    1  end r0\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := programOf(c.code...)
			if got := text(t, p); got != c.before {
				t.Fatalf("before:\n%s", got)
			}
			for _, x := range passes {
				if x.name == c.pass {
					x.run(p)
				}
			}
			if got := text(t, p); got != c.after {
				t.Errorf("after %s:\n%swant\n%s", c.pass, got, c.after)
			}
			if err := Verify(p); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLink counts backward jumps and no others.
func TestLink(t *testing.T) {
	p := programOf(Instr{Op: JumpZ, A: 1, T: 2}, Instr{Op: Jump, T: 0}, Instr{Op: End})
	Link(p)
	if p.Code[0].To != &p.Code[2] || p.Code[0].Next != &p.Code[1] {
		t.Error("a jump forwards, or the next instruction, is another")
	}
	if back := p.Code[1].To; back.Op != Round || back.To != &p.Code[0] {
		t.Error("a jump backwards is not counted")
	}
}

// TestVerify finds operands outside the program.
func TestVerify(t *testing.T) {
	for name, in := range map[string]Instr{
		"cell": {Op: Load, K: 999}, "target": {Op: JumpZ, T: 9}, "table": {Op: LoadT, K: 8}, "mask": {Op: LoadM, K: 0}, "mask past the last": {Op: LoadM, K: 9}, "word past the last": {Op: LoadD, K: DerivedPlaces + 2}, "variable of pieces": {Op: HavingOp, K: HeaderCells + 8 - 3}, "word": {Op: LoadW, K: 99},
		"counter": {Op: FireOp, K: 4}, "native": {Op: NativeCall, C: 255}, "arguments": {Op: NativeCall, C: uint8(PickAdd), B: 2}, "question": {Op: PredicateOp},
		"operation": {Op: Op(Operations)}, "rows": {Op: RowsOp}, "constant": {Op: StoreC, T: 1 << 15},
	} {
		p := programOf(in, Instr{Op: End})
		p.Layout.Pieces = 4
		if in.Op == RowsOp {
			p.Code[0].K = 3
		}
		if err := Verify(p); err == nil {
			t.Errorf("%s: nothing found", name)
		}
	}
	last := programOf(Instr{Op: LoadM, K: 8}, Instr{Op: LoadD, K: DerivedPlaces + 1}, Instr{Op: HavingOp, K: HeaderCells + 8 - 4}, Instr{Op: Load, K: HeaderCells + 7}, Instr{Op: End})
	if last.Layout.Pieces = 4; Verify(last) != nil {
		t.Errorf("the last that there is: %v", Verify(last))
	}
	if err := Verify(programOf(Instr{Op: Nop})); err == nil {
		t.Error("a program that goes on after its end is found in order")
	}
}

// TestVerifyFlow finds reads of registers that are not written on some path.
func TestVerifyFlow(t *testing.T) {
	good := programOf(Instr{Op: LoadK, A: 1}, Instr{Op: JumpZ, A: 1, T: 3}, Instr{Op: LoadK, A: 1}, Instr{Op: End, A: 1})
	if err := VerifyFlow(good); err != nil {
		t.Error(err)
	}
	one := programOf(Instr{Op: LoadK, A: 1}, Instr{Op: JumpZ, A: 1, T: 3}, Instr{Op: LoadK, A: 2}, Instr{Op: End, A: 2})
	if err := VerifyFlow(one); err == nil || !strings.Contains(err.Error(), "reads r2") {
		t.Errorf("a register that one path writes: %v", err)
	}
	node := programOf(Instr{Op: LoadK, A: 1}, Instr{Op: Suspend}, Instr{Op: End, A: 1})
	node.Points = []Point{{PC: 2}}
	if err := VerifyFlow(node); err == nil {
		t.Error("a register that lives across a node is found in order")
	}
	call := programOf(Instr{Op: LoadK, A: 1}, Instr{Op: Call, T: 3}, Instr{Op: End, A: 2}, Instr{Op: Move, A: 2, B: 1}, Instr{Op: Return})
	if err := VerifyFlow(call); err != nil {
		t.Error(err)
	}
	call.Code[3].A = 3
	if err := VerifyFlow(call); err == nil {
		t.Error("what a procedure does not write is found in order")
	}
}

// TestTable: each operation has a description with a name of its own.
func TestTable(t *testing.T) {
	seen := map[string]Op{}
	for op := range numberOps {
		name := op.String()
		if other, ok := seen[name]; name == "" || ok {
			t.Errorf("operation %d is called %q, as is %d", op, name, other)
		}
		seen[name] = op
	}
	for n := range numberNatives {
		if n.String() == "" {
			t.Errorf("native %d has no name", n)
		}
	}
}

// TestFusedNames: the name of a superinstruction consists of the names of its parts; the tests of the machine rely on that.
func TestFusedNames(t *testing.T) {
	for pair, op := range compareFused {
		how := strings.TrimSuffix(pair[1].String(), "-const")
		switch {
		case pair[0] != And && pair[0] != AndNot:
		case pair[1] == JumpEqK:
			how = "jump-zero"
		case pair[1] == JumpNeK:
			how = "jump-nonzero"
		}
		if want := pair[0].String() + "-" + how; op.String() != want {
			t.Errorf("%s and %s become %s, want %s", pair[0], pair[1], op, want)
		}
	}
}
