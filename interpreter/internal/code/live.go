package code

// registers is a set of registers.
type registers [4]uint64

func (s *registers) add(r uint8)      { s[r>>6] |= 1 << (r & 63) }
func (s *registers) drop(r uint8)     { s[r>>6] &^= 1 << (r & 63) }
func (s *registers) has(r uint8) bool { return s[r>>6]>>(r&63)&1 != 0 }

func (s *registers) join(o *registers) {
	for i := range s {
		s[i] |= o[i]
	}
}

// lives works out for each instruction, none of them fused yet, which registers are read after it has begun, before they are
// written again. Where a fault leads to a plain form, it may be reached from there as well.
func (p *Program) lives() []registers {
	live := make([]registers, len(p.Code)+1)
	plain, tried := p.tries()
	for changed := true; changed; {
		changed = false
		for pc := len(p.Code) - 1; pc >= 0; pc-- {
			now := p.after(live, pc)
			p.touch(&p.Code[pc], &now)
			for i, at := range plain {
				if tried[pc]>>min(i, 63)&1 != 0 {
					now.join(&live[at])
				}
			}
			if now != live[pc] {
				live[pc], changed = now, true
			}
		}
	}
	return live
}

// tries is the plain forms to which faults lead, and from which instructions to which, a bit each; those after the first 63 share one.
func (p *Program) tries() (plain []int32, tried []uint64) {
	tried = make([]uint64, len(p.Code)+1)
	bit := map[int32]uint64{}
	for pc := range p.Code {
		if in := &p.Code[pc]; in.Op == TryOp && bit[in.K] == 0 {
			bit[in.K] = 1 << min(len(plain), 63)
			plain = append(plain, in.K)
		}
	}
	for changed := len(plain) > 0; changed; {
		changed = false
		lead := func(to int32, set uint64) {
			if set&^tried[to] != 0 {
				tried[to] |= set
				changed = true
			}
		}
		for pc := range p.Code {
			in, set := &p.Code[pc], tried[pc]
			switch {
			case in.Op == TryOp:
				set = bit[in.K]
			case in.Op == RowsOp:
				continue
			case in.Op == SwitchOp:
				lead(in.T, set)
				for _, way := range in.Many.Ways {
					lead(way, set)
				}
				continue
			case jumps(in.Op), in.Op == Call, in.Op == Goto:
				lead(in.K, set)
			}
			switch in.Op {
			case Jump, Goto, Suspend, Fail, End, Return, ReturnIn:
			default:
				lead(int32(pc+1), set)
			}
		}
	}
	return plain, tried
}

// after is the registers that live after an instruction.
func (p *Program) after(live []registers, pc int) registers {
	in := &p.Code[pc]
	switch in.Op {
	case Jump, Goto:
		return live[in.K]
	case Suspend, Fail, End, Return, ReturnIn: // whoever calls has registers of its own
		return registers{}
	}
	out := live[pc+1]
	switch {
	case in.Op == SwitchOp:
		out = live[in.T]
		for _, way := range in.Many.Ways {
			out.join(&live[way])
		}
	case jumps(in.Op), in.Op == Call, in.Op == TryOp:
		out.join(&live[in.K])
	case in.Op == RowsOp:
		out.join(&live[p.Rows[in.K].None])
		out.join(&live[p.Rows[in.K].One])
	}
	return out
}

// touch takes what an instruction writes out of a set, and adds what it reads.
func (p *Program) touch(in *Instr, s *registers) {
	switch in.Op {
	case LoadK, Load, LoadW, Offers, Result, NextOp:
		s.drop(in.A)
	case Move, LoadX, LoadT, LoadS, LoadD, LoadM, AddK, MulK, AndK, ShlK, ShrK, EqK, Not, Bits, Lowest, Offer, WalkersIn, ToldOp:
		s.drop(in.A)
		s.add(in.B)
	case Add, Sub, Mul, Div, Mod, And, Or, AndNot, Shl, Shr, Eq, Ne, Lt, Le, WalkersOp, HavingOp:
		s.drop(in.A)
		s.add(in.B)
		s.add(in.C)
	case Store, JumpZ, JumpNZ, JumpEqK, JumpNeK, JumpLtK, JumpLeK, JumpGtK, JumpGeK, Present, Check, End, LiftOp, RelinkOp:
		s.add(in.A)
	case StoreX, StoreS, JumpEq, JumpNe, JumpLt, JumpLe, JumpTold, JumpNotTold, PutOp:
		s.add(in.A)
		s.add(in.B)
	case Native:
		for i := range in.B {
			s.add(in.A + i)
		}
	case EmitOp:
		for _, f := range p.Templates[in.K].Fields {
			if f.Reg >= 0 {
				s.add(uint8(f.Reg))
			}
		}
	case RowsOp:
		for i := range p.Rows[in.K].Rows {
			r := &p.Rows[in.K].Rows[i]
			s.add(r.Set)
			for _, f := range []*Source{&r.To, &r.Steps, &r.Number} {
				if f.Reg >= 0 {
					s.add(uint8(f.Reg))
				}
			}
		}
	}
}
