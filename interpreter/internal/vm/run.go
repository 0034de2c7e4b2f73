package vm

import (
	"math"

	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// fault stops the program at an instruction.
func (m *Machine) fault(kind code.Fault, in *code.Instr) { m.faultAt(kind, int(in.Site)) }

// unfit is the fault of a number outside a range.
func (m *Machine) unfit(in *code.Instr, v, low, high int64) {
	m.Fault = Fault{Kind: code.FaultRange, Site: int(in.Site), Value: v, Low: low, High: high}
}

func (m *Machine) faultAt(kind code.Fault, site int) { m.Fault = Fault{Kind: kind, Site: site} }

// at is the instruction at an address.
func (m *Machine) at(pc int32) *code.Instr { return &m.prog.Code[pc] }

// exec executes from an instruction to the next node, or to the end of an entry. It returns false after a fault.
//
// The registers are an array indexed by bytes, so accesses need no bounds check. The state is a slice, because its size differs from game
// to game; its bounds checks are the price. No local lives across a call: a called function receives the instruction and returns the next
// one.
func (m *Machine) exec(in *code.Instr) bool {
	r := &m.r
	m.fuel, m.sp = code.MaxFuel, 0
	for {
		switch in.Op {
		case code.LoadK:
			r[in.A] = int64(in.K)
		case code.Move:
			r[in.A] = r[in.B]
		case code.Load:
			r[in.A] = int64(m.st[in.K])
		case code.LoadX:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			r[in.A] = int64(m.st[int64(in.K)+x])
		case code.LoadT:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			r[in.A] = int64(m.prog.Tables[int64(in.K)+x])
		case code.LoadS:
			r[in.A] = int64(m.sc[int64(in.K)+r[in.B]])
		case code.LoadD:
			r[in.A] = int64(m.dv[int64(in.K)+r[in.B]])
		case code.LoadW:
			r[in.A] = int64(m.dv[in.K])
		case code.LoadM:
			r[in.A] = int64(m.prog.Masks[int64(in.K)+r[in.B]])
		case code.Store:
			v := r[in.A]
			if v != int64(int16(v)) {
				m.unfit(in, v, math.MinInt16, math.MaxInt16)
				goto failed
			}
			m.st[in.K] = int16(v)
		case code.StoreX:
			v, x := r[in.A], r[in.B]
			if v != int64(int16(v)) {
				m.unfit(in, v, math.MinInt16, math.MaxInt16)
				goto failed
			}
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			m.st[int64(in.K)+x] = int16(v)
		case code.StoreC:
			m.st[in.K] = int16(in.T)
		case code.StoreS:
			m.sc[int64(in.K)+r[in.B]] = int16(r[in.A])
		case code.Add:
			r[in.A] = r[in.B] + r[in.C]
		case code.Sub:
			r[in.A] = r[in.B] - r[in.C]
		case code.And:
			r[in.A] = r[in.B] & r[in.C]
		case code.Or:
			r[in.A] = r[in.B] | r[in.C]
		case code.AndNot:
			r[in.A] = r[in.B] &^ r[in.C]
		case code.AddK:
			r[in.A] = r[in.B] + int64(in.K)
		case code.MulK:
			r[in.A] = int64(int32(r[in.B])) * int64(in.K)
		case code.AndK:
			r[in.A] = r[in.B] & int64(in.K)
		case code.ShrK:
			r[in.A] = r[in.B] >> (uint(in.K) & 63)
		case code.EqK:
			r[in.A] = truth(r[in.B] == int64(in.K))
		case code.Bits:
			r[in.A] = ones(uint64(r[in.B]))
		case code.Lowest:
			r[in.A] = -1
			if w := uint64(r[in.B]); w != 0 {
				r[in.A] = int64(bits.TrailingZeros64(w))
			}
		case code.Jump:
			in = in.To
			continue
		case code.JumpZ:
			if r[in.A] == 0 {
				in = in.To
				continue
			}
		case code.JumpNZ:
			if r[in.A] != 0 {
				in = in.To
				continue
			}
		case code.JumpEq:
			if r[in.A] == r[in.B] {
				in = in.To
				continue
			}
		case code.JumpNe:
			if r[in.A] != r[in.B] {
				in = in.To
				continue
			}
		case code.JumpLt:
			if r[in.A] < r[in.B] {
				in = in.To
				continue
			}
		case code.JumpLe:
			if r[in.A] <= r[in.B] {
				in = in.To
				continue
			}
		case code.JumpEqK:
			if r[in.A] == in.Small() {
				in = in.To
				continue
			}
		case code.JumpNeK:
			if r[in.A] != in.Small() {
				in = in.To
				continue
			}
		case code.JumpLtK:
			if r[in.A] < in.Small() {
				in = in.To
				continue
			}
		case code.JumpLeK:
			if r[in.A] <= in.Small() {
				in = in.To
				continue
			}
		case code.JumpGtK:
			if r[in.A] > in.Small() {
				in = in.To
				continue
			}
		case code.JumpGeK:
			if r[in.A] >= in.Small() {
				in = in.To
				continue
			}
		case code.Present:
			if r[in.A] < 0 {
				m.fault(code.Fault(in.K), in)
				goto failed
			}
		case code.Call:
			m.calls[m.sp&63] = in.Next
			m.sp++
			in = in.To
			continue
		case code.Return:
			m.sp--
			in = m.calls[m.sp&63]
			continue
		case code.ReturnIn:
			in = m.prog.Points[m.st[in.K]].To
			continue
		case code.End:
			m.result = int(r[in.A])
			return true
		case code.Goto:
			if m.fuel--; m.fuel < 0 {
				m.fault(code.FaultSteps, in)
				goto failed
			}
			m.sp = 0
			in = in.To
			continue
		case code.Round:
			if m.fuel--; m.fuel < 0 {
				m.fault(code.FaultSteps, in)
				goto failed
			}
			in = in.To
			continue
		case code.Suspend:
			if in = m.suspend(in); in == nil {
				return true
			}
			continue
		case code.TryOp:
			m.inexact, m.pending, m.try = false, 0, in.To
		case code.LoadEq:
			v := int64(m.st[in.K])
			r[in.A] = v
			if v == in.Small() {
				in = in.To
				continue
			}
		case code.LoadNe:
			v := int64(m.st[in.K])
			r[in.A] = v
			if v != in.Small() {
				in = in.To
				continue
			}
		case code.LoadLt:
			v := int64(m.st[in.K])
			r[in.A] = v
			if v < in.Small() {
				in = in.To
				continue
			}
		case code.LoadGe:
			v := int64(m.st[in.K])
			r[in.A] = v
			if v >= in.Small() {
				in = in.To
				continue
			}
		case code.LoadXEq:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int64(m.st[int64(in.K)+x])
			r[in.A] = v
			if v == in.Small() {
				in = in.To
				continue
			}
		case code.LoadXNe:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int64(m.st[int64(in.K)+x])
			r[in.A] = v
			if v != in.Small() {
				in = in.To
				continue
			}
		case code.LoadXLt:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int64(m.st[int64(in.K)+x])
			r[in.A] = v
			if v < in.Small() {
				in = in.To
				continue
			}
		case code.LoadXGe:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int64(m.st[int64(in.K)+x])
			r[in.A] = v
			if v >= in.Small() {
				in = in.To
				continue
			}
		case code.LoadTEq:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int64(m.prog.Tables[int64(in.K)+x])
			r[in.A] = v
			if v == in.Small() {
				in = in.To
				continue
			}
		case code.LoadTNe:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int64(m.prog.Tables[int64(in.K)+x])
			r[in.A] = v
			if v != in.Small() {
				in = in.To
				continue
			}
		case code.AddLess:
			v := r[in.B] + int64(in.K)
			r[in.A] = v
			if v < r[in.C] {
				in = in.To
				continue
			}
		case code.AndZ:
			v := r[in.B] & r[in.C]
			r[in.A] = v
			if v == 0 {
				in = in.To
				continue
			}
		case code.AndNZ:
			v := r[in.B] & r[in.C]
			r[in.A] = v
			if v != 0 {
				in = in.To
				continue
			}
		case code.AndNotZ:
			v := r[in.B] &^ r[in.C]
			r[in.A] = v
			if v == 0 {
				in = in.To
				continue
			}
		case code.AndNotNZ:
			v := r[in.B] &^ r[in.C]
			r[in.A] = v
			if v != 0 {
				in = in.To
				continue
			}
		case code.AndW:
			w := int64(m.dv[in.K])
			r[in.A], r[in.C] = r[in.B]&w, w
		case code.AndNotW:
			w := int64(m.dv[in.K])
			r[in.A], r[in.C] = r[in.B]&^w, w
		case code.AndWZ:
			w := int64(m.dv[in.K])
			v := r[in.B] & w
			r[in.A], r[in.C] = v, w
			if v == 0 {
				in = in.To
				continue
			}
		case code.LoadLoad:
			r[in.A] = int64(m.st[in.K])
			r[in.B] = int64(m.st[in.T])
		case code.LoadMasks:
			x := int64(m.st[in.T])
			r[in.B] = x
			r[in.A] = int64(m.prog.Masks[int64(in.K)+x])
		case code.Copy:
			v := m.st[in.K]
			r[in.A] = int64(v)
			m.st[in.T] = v
		case code.FireOp:
			if m.Watch != nil {
				m.report(in.K)
			}
			m.Counters[in.K] += m.times
		case code.FireStore:
			if m.Watch != nil {
				m.report(in.K)
			}
			m.Counters[in.K] += m.times
			v := r[in.A]
			if v != int64(int16(v)) {
				m.unfit(in, v, math.MinInt16, math.MaxInt16)
				goto failed
			}
			m.st[in.T] = int16(v)
		case code.FireStoreC:
			if m.Watch != nil {
				m.report(in.K)
			}
			m.Counters[in.K] += m.times
			m.st[in.T] = int16(in.Small())
		case code.StoreCC:
			m.st[in.K] = int16(int8(in.B))
			m.st[in.T] = int16(in.Small())
		case code.WalkersIn:
			r[in.A] = int64(m.walkers(uint64(r[in.B]), int(m.st[in.K])))
		case code.TakeOp:
			in = m.takeOne(in)
			continue
		case code.PutOp:
			m.setDown(int(r[in.A]), int(r[in.B]), int(m.st[in.K]))
		case code.PutFrom:
			p, place := int(m.st[in.K]), int(m.st[in.T])
			r[in.A], r[in.B] = int64(p), int64(place)
			m.setDown(p, place, int(m.view.header[in.C%code.HeaderCells]))
		case code.ClearNext:
			m.clearTurn()
			if r[in.A] = int64(m.nextTurn(in.C != 0)); r[in.A] != 0 {
				in = in.To
				continue
			}
		case code.NextJump:
			if r[in.A] = int64(m.nextTurn(in.C != 0)); r[in.A] != 0 {
				in = in.To
				continue
			}
		case code.NextOp:
			r[in.A] = int64(m.nextTurn(in.C != 0))
		case code.ClearOp:
			m.clearTurn()
		case code.TickOp:
			if m.st[code.CellPlays] += int16(in.C); m.st[code.CellPlays] > 3*code.MaxPlays {
				m.st[code.CellPlays] = 3*code.MaxPlays + 1
				m.fault(code.FaultPlays, in)
				goto failed
			}
		case code.CountOp:
			c, v := m.view.header, r[in.A]
			if v != int64(int16(v)) {
				m.unfit(in, v, math.MinInt16, math.MaxInt16)
				goto failed
			}
			c[code.CellThrown], c[code.CellEarned] = int16(in.C), int16(1-in.C)
			c[code.CellSteps], c[code.CellWith] = int16(v), int16(r[in.B])
			if c[code.CellPlays]++; c[code.CellPlays] > 3*code.MaxPlays {
				m.fault(code.FaultPlays, in)
				goto failed
			}
		case code.RowsOp:
			if in = m.decide(in); in == nil {
				return true
			}
			continue
		case code.JumpPredicate, code.JumpNotPredicate:
			if in = m.jumpPredicate(in); in == nil {
				goto failed
			}
			continue
		case code.PredicateOp:
			if in = m.filterPredicate(in); in == nil {
				goto failed
			}
			continue
		default:
			if in = m.do(in); in == nil {
				if m.Fault.Kind == code.NoFault {
					return true
				}
				goto failed
			}
			continue
		}
		in = in.Next
		continue
	failed: // while options are computed as sets, a fault restarts the decision in plain form
		if m.try == nil || m.Fault.Kind == code.FaultSteps {
			return false
		}
		in, m.try, m.Fault = m.try, nil, Fault{}
		m.sp = 0
	}
}
