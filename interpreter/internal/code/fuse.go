package code

// fusions says what a load or addition followed by a comparing jump on its result becomes.
var fusions = map[[2]Op]Op{
	{Load, JumpEqK}:  LoadEq,
	{Load, JumpNeK}:  LoadNe,
	{Load, JumpLtK}:  LoadLt,
	{Load, JumpGeK}:  LoadGe,
	{LoadX, JumpEqK}: LoadXEq,
	{LoadX, JumpNeK}: LoadXNe,
	{LoadX, JumpLtK}: LoadXLt,
	{LoadX, JumpGeK}: LoadXGe,
	{LoadT, JumpEqK}: LoadTEq,
	{LoadT, JumpNeK}: LoadTNe,
	{LoadT, JumpLtK}: LoadTLt,
	{LoadT, JumpGeK}: LoadTGe,
	{AddK, JumpEqK}:  AddEq,
	{AddK, JumpNeK}:  AddNe,
	{AddK, JumpLtK}:  AddLt,
	{AddK, JumpLt}:   AddLess,
	{Bits, JumpEqK}:  BitsEq,
	{Bits, JumpNeK}:  BitsNe,
}

// fuse joins two or three instructions into one where nothing jumps between them.
func fuse(p *Program) {
	thread(p)
	p.settleRows()
	p.apart()
	thread(p)
	p.sweep()
	thread(p)
	target := targets(p)
	p.hoist(target)
	live := p.lives()
	moved := make([]int32, len(p.Code)+1) // where each instruction is now
	var code []Instr
	var sites []int32
	for pc := 0; pc < len(p.Code); {
		n, in, site := 1, p.Code[pc], p.Sites[pc]
		if pc+1 < len(p.Code) && !target[pc+1] && idle(in, p.Code[pc+1]) {
			n = 2
		} else if many, joined, size := p.many(pc, target, live); size > 0 {
			n, in = size, joined
			in.Many = many
		} else if pc+1 < len(p.Code) && !target[pc+1] {
			if n = join(p.Code[pc:], pc+2 >= len(p.Code) || target[pc+2]); n > 1 {
				switch p.Code[pc].Op {
				case FireStore: // what fires is no fault
					site = p.Sites[pc+1]
				case AddCell, StoreXC: // nor are loads
					site = p.Sites[pc+2]
				}
			}
			if packs(p.Code[pc]) {
				in = p.Code[pc]
			} else {
				n, site = 1, p.Sites[pc]
			}
		}
		for i := range n {
			moved[pc+i] = int32(len(code))
		}
		code, sites = append(code, in), append(sites, site)
		pc += n
	}
	moved[len(p.Code)] = int32(len(code))
	p.Code, p.Sites = code, sites
	p.relocate(moved)
}

// idle reports whether a jump after an instruction that gives a register a constant is never taken: so loops begin whose first
// round is sure.
func idle(in, jump Instr) bool {
	if in.Op != LoadK || jump.A != in.A {
		return false
	}
	k, c := in.K, int32(int8(jump.C))
	switch jump.Op {
	case JumpEqK:
		return k != c
	case JumpNeK:
		return k == c
	case JumpLtK:
		return k >= c
	case JumpLeK:
		return k > c
	case JumpGtK:
		return k <= c
	case JumpGeK:
		return k < c
	}
	return false
}

// many finds an instruction that stands for many from an address on, and how many it takes the place of.
func (p *Program) many(pc int, target []bool, live []registers) (*Many, Instr, int) {
	if m, in, n := p.mineWalk(pc, target, live); m != nil {
		return m, in, n
	}
	if in, n := p.putIn(pc, target); n > 0 {
		return nil, in, n
	}
	if m, in, n := p.much(pc, target, live); m != nil {
		return m, in, n
	}
	if pc+1 < len(p.Code) && !target[pc+1] {
		if m, in := p.tests(pc, live); m != nil {
			return m, in, 2
		}
	}
	return nil, Instr{}, 0
}

// relocate gives every address in a program its new value.
func (p *Program) relocate(moved []int32) {
	for pc := range p.Code {
		in := &p.Code[pc]
		if in.Many != nil {
			in.Many.Try = moved[in.Many.Try]
			for i := range in.Many.Tests {
				in.Many.Tests[i].Target = moved[in.Many.Tests[i].Target]
			}
			for i := range in.Many.Ways {
				in.Many.Ways[i] = moved[in.Many.Ways[i]]
			}
			for i := range in.Many.Each {
				if e := &in.Many.Each[i]; e.Op == TryOp {
					e.K = moved[e.K]
				}
			}
		}
		switch {
		case jumps(in.Op), in.Op == Call, in.Op == Goto, in.Op == TryOp, in.Op == TryZero:
			in.K = moved[in.K]
		case targetIn(in.Op):
			in.T = moved[in.T]
		}
	}
	p.copies = moved[p.copies]
	for i := range p.Rows {
		x := &p.Rows[i]
		x.None, x.One = moved[x.None], moved[x.One]
		for j := range x.Rows {
			x.Rows[j].One = moved[x.Rows[j].One]
		}
	}
	for i := range p.Points {
		p.Points[i].PC = moved[p.Points[i].PC]
	}
	for i := range p.Entries {
		p.Entries[i] = moved[p.Entries[i]]
	}
}

// thread lets what leads to jumps lead where those go. Jumps back are counted: so they stay.
func thread(p *Program) {
	ahead := func(pc int32) int32 {
		for range 8 {
			next := &p.Code[pc]
			if next.Op != Jump || next.K <= pc {
				break
			}
			pc = next.K
		}
		return pc
	}
	for pc := range p.Code {
		in := &p.Code[pc]
		switch {
		case in.Op == SwitchOp:
			for i := range in.Many.Ways {
				in.Many.Ways[i] = ahead(in.Many.Ways[i])
			}
		case jumps(in.Op):
			for range 8 {
				next := &p.Code[in.K]
				if next.Op != Jump || next == in {
					break
				}
				in.K = next.K
			}
		}
	}
	for i := range p.Rows {
		x := &p.Rows[i]
		x.None, x.One = ahead(x.None), ahead(x.One)
		for j := range x.Rows {
			x.Rows[j].One = ahead(x.Rows[j].One)
		}
	}
}

func jumps(o Op) bool { return o >= Jump && o <= JumpNotTold }

// targets are the instructions that something leads to other than the one before.
func targets(p *Program) []bool {
	target := make([]bool, len(p.Code)+1)
	for pc, in := range p.Code {
		if jumps(in.Op) {
			target[in.K] = true
		}
		switch in.Op {
		case Call: // comes back here
			target[in.K], target[pc+1] = true, true
		case Goto, TryOp, TryZero:
			target[in.K] = true
		case SwitchOp:
			target[in.T] = true
			for _, way := range in.Many.Ways {
				target[way] = true
			}
		}
	}
	for _, x := range p.Rows {
		target[x.None], target[x.One] = true, true
		for i := range x.Rows {
			target[x.Rows[i].One] = true
		}
	}
	for _, point := range p.Points {
		target[point.PC] = true
	}
	for _, e := range p.Entries {
		target[e] = true
	}
	return target
}

// byteSized reports whether a number fits a signed byte.
func byteSized(v int16) bool { return v == int16(int8(v)) }

// onZero is the kind of a jump on a register's being 0 (true) or not (false).
func onZero(in Instr, r uint8) (zero, ok bool) {
	if in.A != r {
		return false, false
	}
	switch in.Op {
	case JumpZ:
		return true, true
	case JumpNZ:
		return false, true
	case JumpEqK:
		return true, in.C == 0
	case JumpNeK:
		return false, in.C == 0
	}
	return false, false
}

const firstFused = LoadEq

// join makes the first instruction do what the first few do, if there is an operation for that. It reports how many
// those are. A third must not be touched where two is set.
func join(code []Instr, two bool) int {
	in, next := &code[0], code[1]
	third := Instr{}
	if !two {
		third = code[2]
	}
	switch {
	case in.Op == LoadW && (next.Op == And || next.Op == AndNot) && next.C == in.A && next.B != in.A:
		k := in.K
		if zero, ok := onZero(third, next.A); ok {
			op := [2][2]Op{{AndWNZ, AndWZ}, {AndNotWNZ, AndNotWZ}}[truth(next.Op == AndNot)][truth(zero)]
			*in = Instr{Op: op, A: next.A, B: next.B, C: next.C, K: k, T: third.K}
			return 3
		}
		*in = Instr{Op: [2]Op{AndW, AndNotW}[truth(next.Op == AndNot)], A: next.A, B: next.B, C: next.C, K: k}
		return 2
	case in.Op == And || in.Op == AndNot:
		if zero, ok := onZero(next, in.A); ok {
			in.Op = [2][2]Op{{AndNZ, AndZ}, {AndNotNZ, AndNotZ}}[truth(in.Op == AndNot)][truth(zero)]
			in.T = next.K
			return 2
		}
	case in.Op == Load && next.Op == LoadM && next.B == in.A:
		*in = Instr{Op: LoadLoadM, A: next.A, B: in.A, K: next.K, T: in.K}
		return 2
	case in.Op == Load && next.Op == Load && third.Op == PutOp && third.A == in.A && third.B == next.A && in.A != next.A && max(in.K, next.K, third.K) < Near:
		*in = Instr{Op: PutIn, A: in.A, B: next.A, K: in.K | next.K<<8 | third.K<<16}
		return 3
	case in.Op == Load && next.Op == Load:
		in.Op, in.B, in.T = LoadLoad, next.A, next.K
		return 2
	case in.Op == Load && next.Op == AddK && next.B == in.A && third.Op == Store && third.A == next.A && third.K == in.K && byteSized(int16(next.K)) && int32(int16(next.K)) == next.K:
		*in = Instr{Op: AddCell, A: next.A, B: in.A, C: uint8(next.K), K: in.K}
		return 3
	case in.Op == LoadK && next.Op == Load && third.Op == StoreX && third.A == in.A && third.B == next.A && byteSized(int16(in.K)) && int32(int16(in.K)) == in.K:
		*in = Instr{Op: StoreXC, A: in.A, B: next.A, C: uint8(in.K), K: third.K, T: next.K}
		return 3
	case in.Op == Load && next.Op == Store && next.A == in.A:
		in.Op, in.T = Copy, next.K
		return 2
	case in.Op == LoadK && next.Op == LoadK:
		in.Op, in.B, in.T = LoadKK, next.A, next.K
		return 2
	case in.Op == ClearOp && next.Op == NextOp && third.Op == JumpNZ && third.A == next.A:
		*in = Instr{Op: ClearNext, A: next.A, C: next.C, T: third.K}
		return 3
	case in.Op == NextOp && in.A == next.A && next.Op == JumpNZ:
		in.Op, in.T = NextJump, next.K
		return 2
	case in.Op == TryOp && next.Op == LoadK && next.K == 0:
		in.Op, in.A = TryZero, next.A
		return 2
	case in.Op == StoreC && next.Op == StoreC:
		a, b := in.BC(), next.BC()
		if byteSized(a) && byteSized(b) {
			*in = Instr{Op: StoreCC, B: uint8(a), C: uint8(b), K: in.K, T: next.K}
			return 2
		}
	case in.Op == FireOp && next.Op == StoreC:
		in.Op, in.B, in.C, in.T = FireStoreC, next.B, next.C, next.K
		return 2
	case in.Op == FireOp && next.Op == Store:
		in.Op, in.A, in.T = FireStore, next.A, next.K
		return 2
	case in.A == next.A:
		if zero, ok := onZero(next, in.A); ok { // one form for both
			next.Op, next.C = [2]Op{JumpNeK, JumpEqK}[truth(zero)], 0
		}
		op, ok := fusions[[2]Op{in.Op, next.Op}]
		if !ok {
			break
		}
		in.Op, in.T = op, next.K
		if in.C = next.C; op == AddLess {
			in.C = next.B
		}
		return 2
	}
	return 1
}

// targetIn reports whether an operation has a target in T.
func targetIn(o Op) bool {
	return o >= LoadEq && o <= NextJump || o == MuchStore || o == MuchNode || o == MuchTry || o == MuchOp || o == TestsOp || o == TestsFar || o == PutInNe || o == SwitchOp
}
