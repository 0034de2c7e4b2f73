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
}

// fuse joins pairs of instructions into one where nothing jumps between them. The second stays where it is, skipped,
// so that no address changes. On a game of random play this halves what a step of a walk costs.
func fuse(p *Program) {
	target := make([]bool, len(p.Code)+1)
	for pc, in := range p.Code {
		switch in.Op {
		case Jump, JumpZ, JumpNZ, JumpEq, JumpNe, JumpLt, JumpLe, JumpEqK, JumpNeK, JumpLtK, JumpLeK, JumpGtK, JumpGeK, Call, Goto:
			target[in.K] = true
		}
		if in.Op == Call { // comes back here
			target[pc+1] = true
		}
	}
	for _, point := range p.Points {
		target[point.PC] = true
	}
	for _, e := range p.Entries {
		target[e] = true
	}
	for pc := range p.Code {
		if pc+1 >= len(p.Code) || target[pc+1] {
			continue
		}
		in, next := &p.Code[pc], p.Code[pc+1]
		if pc > 0 && isFused(p.Code[pc-1].Op) {
			continue // in is the skipped half of a pair
		}
		op, ok := fusions[[2]Op{in.Op, next.Op}]
		if !ok || in.A != next.A {
			continue
		}
		in.Op, in.T = op, next.K
		if op == AddLess {
			in.C = next.B
			continue
		}
		in.C = next.C
	}
}

func isFused(o Op) bool { return o >= LoadEq && o <= AddLess }
