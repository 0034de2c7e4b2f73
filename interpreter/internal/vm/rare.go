package vm

import "github.com/rulerun/rulerun/interpreter/internal/code"

// rare carries out what the loop of run.go leaves to calls because it comes up in few throws, and reports where execution goes on: nil after a
// fault.
func (m *Machine) rare(in *code.Word) *code.Word {
	r := &m.r
	switch in.Op {
	case code.Mul:
		r[in.A] = int(int32(r[in.B])) * int(int32(r[in.C]))
	case code.Div, code.Mod:
		if r[in.C] == 0 {
			m.fault(code.FaultZero, in)
			return nil
		}
		if in.Op == code.Div {
			r[in.A] = r[in.B] / r[in.C]
		} else {
			r[in.A] = r[in.B] % r[in.C]
		}
	case code.Shl:
		r[in.A] = r[in.B] << (uint(r[in.C]) & 63)
	case code.Shr:
		r[in.A] = r[in.B] >> (uint(r[in.C]) & 63)
	case code.ShlK:
		r[in.A] = r[in.B] << (uint(int(in.K)) & 63)
	case code.Eq:
		r[in.A] = truth(r[in.B] == r[in.C])
	case code.Ne:
		r[in.A] = truth(r[in.B] != r[in.C])
	case code.Lt:
		r[in.A] = truth(r[in.B] < r[in.C])
	case code.Le:
		r[in.A] = truth(r[in.B] <= r[in.C])
	case code.Not:
		r[in.A] = 1 - r[in.B]
	case code.Check:
		if b := &m.prog.Ranges[in.K]; r[in.A] < b.Low || r[in.A] > b.High {
			m.fault(code.FaultRange, in)
			return nil
		}
	case code.Offers:
		r[in.A] = len(m.opts)
	case code.Offer:
		o := &m.opts[r[in.B]]
		switch int(in.K) {
		case OfferPiece:
			r[in.A] = -1
			if m.prog.MovesPiece[o.Move] {
				r[in.A] = int(o.Params[0])
			}
		case OfferTo:
			r[in.A] = int(o.To)
		case OfferSteps:
			r[in.A] = int(o.Steps)
		default:
			r[in.A] = int(o.Move)
		}
	case code.Result:
		r[in.A] = m.result
	case code.TickOp:
		if m.st[code.CellPlays]++; m.st[code.CellPlays] > 3*code.MaxPlays {
			m.fault(code.FaultPlays, in)
			return nil
		}
	case code.LoadTNe:
		x := r[in.B]
		if x < 0 {
			m.fault(code.FaultNil, in)
			return nil
		}
		v := int(m.prog.Tables[int(in.K)+x])
		r[in.A] = v
		if v == in.Small() {
			return in.Next
		}
		return in.To
	case code.LoadTLt:
		x := r[in.B]
		if x < 0 {
			m.fault(code.FaultNil, in)
			return nil
		}
		v := int(m.prog.Tables[int(in.K)+x])
		r[in.A] = v
		if v >= in.Small() {
			return in.Next
		}
		return in.To
	case code.LoadTGe:
		x := r[in.B]
		if x < 0 {
			m.fault(code.FaultNil, in)
			return nil
		}
		v := int(m.prog.Tables[int(in.K)+x])
		r[in.A] = v
		if v < in.Small() {
			return in.Next
		}
		return in.To
	case code.AddEq:
		v := r[in.B] + int(in.K)
		r[in.A] = v
		if v != in.Small() {
			return in.Next
		}
		return in.To
	case code.AddNe:
		v := r[in.B] + int(in.K)
		r[in.A] = v
		if v == in.Small() {
			return in.Next
		}
		return in.To
	case code.BitsEq:
		v := ones(uint64(r[in.B]))
		r[in.A] = v
		if !(v == in.Small()) {
			return in.Next
		}
		return in.To
	case code.BitsNe:
		v := ones(uint64(r[in.B]))
		r[in.A] = v
		if !(v != in.Small()) {
			return in.Next
		}
		return in.To
	case code.Fail:
		m.fault(code.Fault(int(in.K)), in)
		return nil
	}
	return in.Next
}
