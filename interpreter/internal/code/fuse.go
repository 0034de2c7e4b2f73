package code

// Fuse replaces pairs of instructions by superinstructions if the second is no jump target: instruction dispatch is the largest cost of the
// machine. A superinstruction may be part of another pair.
func Fuse(p *Program) {
	targets, from := p.targets(), 0
	p.rewrite(func(out []Instr, at int) []Instr {
		if targets[at] {
			from = len(out)
		}
		in := p.Code[at]
		for last := len(out) - 1; last >= from; last-- {
			both, ok := fused(out[last], in)
			if !ok {
				break
			}
			in, out = both, out[:last]
		}
		return append(out, in)
	})
}

// byteSized reports whether a number fits a signed byte.
func byteSized(v int32) bool { return v == int32(int8(v)) }

// compareFused maps a load or a logical operation, and a jump that compares its result with a constant, to their superinstruction.
var compareFused = map[[2]Op]Op{
	{Load, JumpEqK}: LoadEq, {Load, JumpNeK}: LoadNe, {Load, JumpLtK}: LoadLt, {Load, JumpGeK}: LoadGe,
	{LoadX, JumpEqK}: LoadXEq, {LoadX, JumpNeK}: LoadXNe, {LoadX, JumpLtK}: LoadXLt, {LoadX, JumpGeK}: LoadXGe,
	{LoadT, JumpEqK}: LoadTEq, {LoadT, JumpNeK}: LoadTNe,
	{And, JumpEqK}: AndZ, {And, JumpNeK}: AndNZ, {AndNot, JumpEqK}: AndNotZ, {AndNot, JumpNeK}: AndNotNZ,
}

// fused returns the superinstruction for a pair; ok is false if there is none. Its site is that of the instruction that can fault, of the
// first if both can.
func fused(a, b Instr) (both Instr, ok bool) {
	if b.Op == JumpZ || b.Op == JumpNZ { // one form for both
		b.Op, b.C = [2]Op{JumpEqK, JumpNeK}[Truth(b.Op == JumpNZ)], 0
	}
	if op, ok := compareFused[[2]Op{a.Op, b.Op}]; ok && a.A == b.A && (a.Op != And && a.Op != AndNot || b.C == 0) {
		if a.Op != And && a.Op != AndNot {
			a.C = b.C
		}
		a.Op, a.T = op, b.T
		return a, true
	}
	switch {
	case a.Op == AddK && b.Op == JumpLt && a.A == b.A:
		return Instr{Op: AddLess, A: a.A, B: a.B, C: b.B, K: a.K, T: b.T, Site: a.Site}, a.A != b.B
	case a.Op == LoadW && (b.Op == And || b.Op == AndNot) && b.C == a.A && b.B != a.A:
		return Instr{Op: [2]Op{AndW, AndNotW}[Truth(b.Op == AndNot)], A: b.A, B: b.B, C: b.C, K: a.K, Site: a.Site}, b.A != b.C
	case a.Op == Load && b.Op == LoadM && b.B == a.A:
		return Instr{Op: LoadMasks, A: b.A, B: a.A, K: b.K, T: a.K, Site: b.Site}, true
	case a.Op == Load && b.Op == Load:
		return Instr{Op: LoadLoad, A: a.A, B: b.A, K: a.K, T: b.K, Site: a.Site}, true
	case a.Op == Load && b.Op == Store && a.A == b.A:
		return Instr{Op: Copy, A: a.A, K: a.K, T: b.K, Site: b.Site}, true
	case a.Op == LoadLoad && b.Op == PutOp && a.A == b.A && a.B == b.B && a.A != a.B:
		return Instr{Op: PutFrom, A: a.A, B: a.B, C: uint8(b.K), K: a.K, T: a.T, Site: b.Site}, b.K < HeaderCells
	case a.Op == FireOp && b.Op == Store:
		return Instr{Op: FireStore, A: b.A, K: a.K, T: b.K, Site: b.Site}, true
	case a.Op == FireOp && b.Op == StoreC:
		return Instr{Op: FireStoreC, C: uint8(b.T), K: a.K, T: b.K, Site: b.Site}, byteSized(b.T)
	case a.Op == StoreC && b.Op == StoreC:
		return Instr{Op: StoreCC, B: uint8(a.T), C: uint8(b.T), K: a.K, T: b.K, Site: a.Site}, byteSized(a.T) && byteSized(b.T)
	case a.Op == TickOp && b.Op == TickOp:
		return Instr{Op: TickOp, C: a.C + b.C, Site: b.Site}, a.C+b.C < 8
	case a.Op == AndW && b.Op == JumpEqK && b.A == a.A && b.C == 0:
		a.Op, a.T = AndWZ, b.T
		return a, true
	case a.Op == NextOp && b.Op == JumpNeK && b.A == a.A && b.C == 0:
		a.Op, a.T = NextJump, b.T
		return a, true
	case a.Op == ClearOp && b.Op == NextJump:
		b.Op = ClearNext
		return b, true
	}
	return Instr{}, false
}
