package vm

import (
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// fault stops the program.
func (m *Machine) fault(kind code.Fault, pc int) bool {
	m.Fault = Fault{Kind: kind, Site: int(m.prog.Sites[pc])}
	return false
}

func bc(in *code.Instr) int { return int(int16(uint16(in.B) | uint16(in.C)<<8)) }

// run executes from pc to the next node, or to the end of an entry. It reports false after a fault. What faults while
// options are worked out as sets is worked out once more in its plain form.
func (m *Machine) run(start int32) bool {
	pc := int(start)
	for !m.exec(pc) {
		if m.tryPC == 0 {
			return false
		}
		pc, m.tryPC, m.Fault = m.tryPC, 0, Fault{}
	}
	return true
}

// exec executes from pc.
//
// The registers are an array indexed by bytes, so that no access needs a bounds check; the state is a slice, whose
// checks are the price of sizes that differ from game to game.
func (m *Machine) exec(pc int) bool {
	r, st, ins := &m.r, m.st, m.prog.Words
	m.fuel, m.sp = code.MaxFuel, 0
	for {
		in := ins[pc]
		pc++
		switch in.Op() {
		case code.LoadK:
			r[in.A()] = in.K()
			continue
		case code.Move:
			r[in.A()] = r[in.B()]
			continue
		case code.Load:
			r[in.A()] = int(st[in.K()])
			continue
		case code.LoadX:
			x := r[in.B()]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			r[in.A()] = int(st[in.K()+x])
			continue
		case code.LoadT:
			x := r[in.B()]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			r[in.A()] = int(m.prog.Tables[in.K()+x])
			continue
		case code.LoadS:
			r[in.A()] = int(m.sc[in.K()+r[in.B()]])
			continue
		case code.LoadD:
			r[in.A()] = int(m.dv[in.K()+r[in.B()]])
			continue
		case code.LoadW:
			r[in.A()] = int(m.dv[in.K()])
			continue
		case code.LoadM:
			r[in.A()] = int(m.prog.Masks[in.K()+r[in.B()]])
			continue
		case code.Store:
			v := r[in.A()]
			if v != int(int16(v)) {
				return m.fault(code.FaultRange, pc-1)
			}
			st[in.K()] = int16(v)
			continue
		case code.StoreX:
			v, x := r[in.A()], r[in.B()]
			if v != int(int16(v)) {
				return m.fault(code.FaultRange, pc-1)
			}
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			st[in.K()+x] = int16(v)
			continue
		case code.StoreC:
			st[in.K()] = in.BC()
			continue
		case code.StoreS:
			m.sc[in.K()+r[in.B()]] = int16(r[in.A()])
			continue
		case code.Add:
			r[in.A()] = r[in.B()] + r[in.C()]
			continue
		case code.Sub:
			r[in.A()] = r[in.B()] - r[in.C()]
			continue
		case code.Mul:
			r[in.A()] = int(int32(r[in.B()])) * int(int32(r[in.C()]))
			continue
		case code.Div, code.Mod:
			if r[in.C()] == 0 {
				return m.fault(code.FaultZero, pc-1)
			}
			if in.Op() == code.Div {
				r[in.A()] = r[in.B()] / r[in.C()]
			} else {
				r[in.A()] = r[in.B()] % r[in.C()]
			}
			continue
		case code.And:
			r[in.A()] = r[in.B()] & r[in.C()]
			continue
		case code.Or:
			r[in.A()] = r[in.B()] | r[in.C()]
			continue
		case code.AndNot:
			r[in.A()] = r[in.B()] &^ r[in.C()]
			continue
		case code.Shl:
			r[in.A()] = r[in.B()] << (uint(r[in.C()]) & 63)
			continue
		case code.Shr:
			r[in.A()] = r[in.B()] >> (uint(r[in.C()]) & 63)
			continue
		case code.AddK:
			r[in.A()] = r[in.B()] + in.K()
			continue
		case code.MulK:
			r[in.A()] = int(int32(r[in.B()])) * in.K()
			continue
		case code.AndK:
			r[in.A()] = r[in.B()] & in.K()
			continue
		case code.ShlK:
			r[in.A()] = r[in.B()] << (uint(in.K()) & 63)
			continue
		case code.ShrK:
			r[in.A()] = r[in.B()] >> (uint(in.K()) & 63)
			continue
		case code.Eq:
			r[in.A()] = truth(r[in.B()] == r[in.C()])
			continue
		case code.Ne:
			r[in.A()] = truth(r[in.B()] != r[in.C()])
			continue
		case code.Lt:
			r[in.A()] = truth(r[in.B()] < r[in.C()])
			continue
		case code.Le:
			r[in.A()] = truth(r[in.B()] <= r[in.C()])
			continue
		case code.EqK:
			r[in.A()] = truth(r[in.B()] == in.K())
			continue
		case code.Not:
			r[in.A()] = 1 - r[in.B()]
			continue
		case code.Bits:
			r[in.A()] = ones(uint64(r[in.B()]))
			continue
		case code.Lowest:
			r[in.A()] = -1
			if w := uint64(r[in.B()]); w != 0 {
				r[in.A()] = bits.TrailingZeros64(w)
			}
			continue
		case code.Jump:
		case code.JumpZ:
			if r[in.A()] != 0 {
				continue
			}
		case code.JumpNZ:
			if r[in.A()] == 0 {
				continue
			}
		case code.JumpEq:
			if r[in.A()] != r[in.B()] {
				continue
			}
		case code.JumpNe:
			if r[in.A()] == r[in.B()] {
				continue
			}
		case code.JumpLt:
			if r[in.A()] >= r[in.B()] {
				continue
			}
		case code.JumpLe:
			if r[in.A()] > r[in.B()] {
				continue
			}
		case code.JumpEqK:
			if r[in.A()] != in.Small() {
				continue
			}
		case code.JumpNeK:
			if r[in.A()] == in.Small() {
				continue
			}
		case code.JumpLtK:
			if r[in.A()] >= in.Small() {
				continue
			}
		case code.JumpLeK:
			if r[in.A()] > in.Small() {
				continue
			}
		case code.JumpGtK:
			if r[in.A()] <= in.Small() {
				continue
			}
		case code.JumpGeK:
			if r[in.A()] < in.Small() {
				continue
			}
		case code.Present:
			if r[in.A()] < 0 {
				return m.fault(code.Fault(in.K()), pc-1)
			}
			continue
		case code.Check:
			if b := &m.prog.Ranges[in.K()]; r[in.A()] < b.Low || r[in.A()] > b.High {
				return m.fault(code.FaultRange, pc-1)
			}
			continue
		case code.Call:
			m.calls[m.sp&63] = pc
			m.sp++
			pc = in.K()
			continue
		case code.Return:
			m.sp--
			pc = m.calls[m.sp&63]
			continue
		case code.ReturnIn:
			pc = int(m.prog.Points[st[in.K()]].PC)
			continue
		case code.End:
			m.result = r[in.A()]
			return true
		case code.Goto:
			if m.fuel--; m.fuel < 0 {
				return m.fault(code.FaultSteps, pc-1)
			}
			m.sp = 0
			pc = in.K()
			continue
		case code.Offers:
			r[in.A()] = len(m.opts)
			continue
		case code.Offer:
			o := &m.opts[r[in.B()]]
			switch in.K() {
			case OfferPiece:
				r[in.A()] = -1
				if m.prog.MovesPiece[o.Move] {
					r[in.A()] = int(o.Params[0])
				}
			case OfferTo:
				r[in.A()] = int(o.To)
			case OfferSteps:
				r[in.A()] = int(o.Steps)
			default:
				r[in.A()] = int(o.Move)
			}
			continue
		case code.Result:
			r[in.A()] = m.result
			continue
		case code.Suspend:
			st[code.CellPoint] = int16(in.K())
			m.Node, m.Site = code.NodeKind(in.A()), int(in.BC())
			m.used = code.MaxFuel - m.fuel
			return true
		case code.TryOp:
			m.hard, m.pending, m.tryPC = false, 0, in.K()
			continue
		case code.TickOp:
			if st[code.CellPlays]++; st[code.CellPlays] > 3*code.MaxPlays {
				return m.fault(code.FaultPlays, pc-1)
			}
			continue
		case code.LoadEq:
			v := int(st[in.Low()])
			r[in.A()] = v
			if v != in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadNe:
			v := int(st[in.Low()])
			r[in.A()] = v
			if v == in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadLt:
			v := int(st[in.Low()])
			r[in.A()] = v
			if v >= in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadGe:
			v := int(st[in.Low()])
			r[in.A()] = v
			if v < in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadXEq:
			x := r[in.B()]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(st[in.Low()+x])
			r[in.A()] = v
			if v != in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadXNe:
			x := r[in.B()]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(st[in.Low()+x])
			r[in.A()] = v
			if v == in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadXLt:
			x := r[in.B()]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(st[in.Low()+x])
			r[in.A()] = v
			if v >= in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadXGe:
			x := r[in.B()]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(st[in.Low()+x])
			r[in.A()] = v
			if v < in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadTEq:
			x := r[in.B()]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(m.prog.Tables[in.Low()+x])
			r[in.A()] = v
			if v != in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadTNe:
			x := r[in.B()]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(m.prog.Tables[in.Low()+x])
			r[in.A()] = v
			if v == in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadTLt:
			x := r[in.B()]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(m.prog.Tables[in.Low()+x])
			r[in.A()] = v
			if v >= in.Small() {
				pc++
				continue
			}
			goto fused
		case code.LoadTGe:
			x := r[in.B()]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(m.prog.Tables[in.Low()+x])
			r[in.A()] = v
			if v < in.Small() {
				pc++
				continue
			}
			goto fused
		case code.AddEq:
			v := r[in.B()] + in.Signed()
			r[in.A()] = v
			if v != in.Small() {
				pc++
				continue
			}
			goto fused
		case code.AddNe:
			v := r[in.B()] + in.Signed()
			r[in.A()] = v
			if v == in.Small() {
				pc++
				continue
			}
			goto fused
		case code.AddLt:
			v := r[in.B()] + in.Signed()
			r[in.A()] = v
			if v >= in.Small() {
				pc++
				continue
			}
			goto fused
		case code.AddLess:
			v := r[in.B()] + in.Signed()
			r[in.A()] = v
			if v >= r[in.C()] {
				pc++
				continue
			}
			goto fused
		case code.BitsEq:
			v := ones(uint64(r[in.B()]))
			r[in.A()] = v
			if !(v == in.Small()) {
				pc += 1
				continue
			}
			goto fused
		case code.BitsNe:
			v := ones(uint64(r[in.B()]))
			r[in.A()] = v
			if !(v != in.Small()) {
				pc += 1
				continue
			}
			goto fused
		case code.AndZ:
			v := r[in.B()] & r[in.C()]
			r[in.A()] = v
			if !(v == 0) {
				pc += 1
				continue
			}
			goto fused
		case code.AndNZ:
			v := r[in.B()] & r[in.C()]
			r[in.A()] = v
			if !(v != 0) {
				pc += 1
				continue
			}
			goto fused
		case code.AndNotZ:
			v := r[in.B()] &^ r[in.C()]
			r[in.A()] = v
			if !(v == 0) {
				pc += 1
				continue
			}
			goto fused
		case code.AndNotNZ:
			v := r[in.B()] &^ r[in.C()]
			r[in.A()] = v
			if !(v != 0) {
				pc += 1
				continue
			}
			goto fused
		case code.AndWZ:
			w := int(m.dv[in.Low()])
			v := r[in.B()] & w
			r[in.C()] = w
			r[in.A()] = v
			if !(v == 0) {
				pc += 2
				continue
			}
			goto fused
		case code.AndWNZ:
			w := int(m.dv[in.Low()])
			v := r[in.B()] & w
			r[in.C()] = w
			r[in.A()] = v
			if !(v != 0) {
				pc += 2
				continue
			}
			goto fused
		case code.AndNotWZ:
			w := int(m.dv[in.Low()])
			v := r[in.B()] &^ w
			r[in.C()] = w
			r[in.A()] = v
			if !(v == 0) {
				pc += 2
				continue
			}
			goto fused
		case code.AndNotWNZ:
			w := int(m.dv[in.Low()])
			v := r[in.B()] &^ w
			r[in.C()] = w
			r[in.A()] = v
			if !(v != 0) {
				pc += 2
				continue
			}
			goto fused
		case code.AndW:
			w := int(m.dv[in.Low()])
			v := r[in.B()] & w
			r[in.C()] = w
			r[in.A()] = v
			pc++
			continue
		case code.AndNotW:
			w := int(m.dv[in.Low()])
			v := r[in.B()] &^ w
			r[in.C()] = w
			r[in.A()] = v
			pc++
			continue
		case code.LoadLoadM:
			x := int(st[in.T()])
			r[in.B()] = x
			r[in.A()] = int(m.prog.Masks[in.Low()+x])
			pc++
			continue
		case code.LoadLoad:
			r[in.A()] = int(st[in.Low()])
			r[in.B()] = int(st[in.T()])
			pc++
			continue
		case code.LoadKK:
			r[in.A()] = in.Low()
			r[in.B()] = int(in.T())
			pc++
			continue
		case code.Copy:
			v := st[in.Low()]
			r[in.A()] = int(v)
			st[in.T()] = v
			pc++
			continue
		case code.StoreCC:
			st[in.Low()] = int16(int8(in.B()))
			st[in.T()] = int16(int8(in.C()))
			pc++
			continue
		case code.StoreCCC:
			v := int16(in.A())
			st[in.Low()] = v&3 - 2
			st[in.T()] = v>>2&3 - 2
			st[in.BC()] = v>>4 - 2
			pc += 2
			continue
		case code.TickTry:
			if st[code.CellPlays]++; st[code.CellPlays] > 3*code.MaxPlays {
				return m.fault(code.FaultPlays, pc-1)
			}
			m.hard, m.pending, m.tryPC = false, 0, in.Low()
			r[in.A()] = 0
			pc += 2
			continue
		case code.TryZero:
			m.hard, m.pending, m.tryPC = false, 0, in.Low()
			r[in.A()] = 0
			pc++
			continue
		case code.TickTick:
			if st[code.CellPlays] += 2; st[code.CellPlays] > 3*code.MaxPlays {
				return m.fault(code.FaultPlays, pc-1+(truth(st[code.CellPlays] == 3*code.MaxPlays+1)))
			}
			pc++
			continue
		case code.Fail:
			return m.fault(code.Fault(in.K()), pc-1)
		case code.WalkersIn:
			m.pc = pc
			m.walkersIn(in)
			pc = m.pc
			continue
		case code.PutIn:
			m.pc = pc + 2
			m.putIn(in)
			pc = m.pc
			continue
		case code.TakeOp:
			m.pc = pc
			m.take(m.result * (1 - int(in.C())))
			pc = m.pc
			continue
		case code.ClearNext, code.NextJump:
			m.pc = pc
			m.turnOver(in)
			if pc = m.pc; pc < 0 {
				return m.fault(code.FaultSteps, -pc)
			}
			continue
		case code.RowsOp:
			if pc = m.decide(in.K(), pc); pc < 0 {
				return true
			}
			continue
		case code.FireOp:
			if m.Watch != nil {
				goto call
			}
			m.Counters[in.K()]++
			continue
		case code.FireStoreC:
			if m.Watch != nil {
				goto call
			}
			m.Counters[in.Low()]++
			st[in.T()] = in.BC()
			pc++
			continue
		case code.FireStore:
			v := r[in.A()]
			if m.Watch != nil || v != int(int16(v)) {
				goto call
			}
			m.Counters[in.Low()]++
			st[in.T()] = int16(v)
			pc++
			continue
		case code.Nop:
			continue
		default:
			goto call
		}
		// A jump is taken. Those backwards are counted, so that no program runs for ever.
		if in.K() < pc {
			if m.fuel--; m.fuel < 0 {
				return m.fault(code.FaultSteps, pc-1)
			}
		}
		pc = in.K()
		continue
	fused:
		if in.T() < pc {
			if m.fuel--; m.fuel < 0 {
				return m.fault(code.FaultSteps, pc-1)
			}
		}
		pc = in.T()
		continue
	call:
		if pc = m.do(pc); pc < 0 {
			return pc == stopped
		}
	}
}

// ones is how many bits are set. The library's, in the loop, would ask at every instruction what the processor can do.
func ones(x uint64) int {
	const low, pairs, nibbles, sum = 0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x0101010101010101
	x -= x >> 1 & low
	x = x&pairs + x>>2&pairs
	return int((x + x>>4) & nibbles * sum >> 56)
}

// What do gives for an address where execution ends.
const (
	faulted = -1
	stopped = -2 // at a node, or where a look ahead has seen enough
)

func (m *Machine) walkersIn(in code.Word) {
	m.r[in.A()] = int(m.walkers(uint64(m.r[in.B()]), int(m.st[in.K()])))
}

// turnOver gives the turn to the next, and leaves in m.pc where execution goes on, below 0 after too many turns.
func (m *Machine) turnOver(in code.Word) {
	skip := 1
	if in.Op() == code.ClearNext {
		m.clearTurn()
		skip = 2
	}
	next := m.nextTurn(in.C() != 0)
	m.r[in.A()] = next
	if next == 0 {
		m.pc += skip
		return
	}
	if in.T() < m.pc {
		if m.fuel--; m.fuel < 0 {
			m.pc = -(m.pc - 1 + skip)
			return
		}
	}
	m.pc = in.T()
}

func (m *Machine) putIn(in code.Word) {
	p, place, node := int(m.st[in.Low()]), int(m.st[in.T()]), int(m.st[in.C()])
	m.r[in.A()], m.r[in.B()] = p, place
	m.setDown(p, place, node)
}

// do carries out an instruction that takes more than a line, and reports where execution goes on.
func (m *Machine) do(pc int) int {
	r, in := &m.r, &m.prog.Code[pc-1]
	switch in.Op {
	case code.PutOp:
		m.setDown(r[in.A], r[in.B], int(m.st[in.K]))
	case code.NextOp:
		r[in.A] = m.nextTurn(in.C != 0)
	case code.ClearOp:
		m.clearTurn()
	case code.WalkersOp:
		r[in.A] = int(m.walkers(uint64(r[in.B]), r[in.C]))
	case code.HavingOp:
		r[in.A] = int(m.having(uint64(r[in.B]), int(in.K), r[in.C]))
	case code.LiftOp:
		m.lift(r[in.A])
	case code.RelinkOp:
		m.relink(r[in.A])
	case code.EmitOp:
		if !m.emit(&m.prog.Templates[in.K]) {
			m.fault(code.FaultOptions, pc-1)
			return faulted
		}
	case code.FireOp:
		m.fire(in.K)
	case code.FireStoreC:
		m.fire(in.K)
		m.st[in.T] = int16(bc(in))
		pc++
	case code.FireStore:
		m.fire(in.K)
		v := r[in.A]
		if v != int(int16(v)) {
			m.fault(code.FaultRange, pc)
			return faulted
		}
		m.st[in.T] = int16(v)
		pc++
	case code.Native:
		switch f := m.native(in); f {
		case code.NoFault:
		case code.StopLooking:
			m.used = code.MaxFuel - m.fuel
			return stopped
		default:
			m.fault(f, pc-1)
			return faulted
		}
	}
	return pc
}

// fire counts a clause that takes effect.
func (m *Machine) fire(counter int32) {
	m.Counters[counter]++
	if m.Watch != nil {
		m.Watch.Event(Event{Kind: EventFire, ID: int(counter)})
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// native performs a native operation.
func (m *Machine) native(in *code.Instr) code.Fault {
	a := int(in.A)
	r := &m.r
	switch code.NativeOp(in.C) {
	case code.TakeUp:
		m.leave(r[a])
		m.st[m.prog.Layout.Prev+r[a]] = code.InHand
	case code.SetDown:
		m.setDown(r[a], r[a+1], r[a+2])
	case code.PutAt:
		if r[a] < 0 || r[a+1] < 0 {
			return code.FaultNil
		}
		m.putAt(r[a], r[a+1])
	case code.OptReset:
		m.opts, m.paths, m.path, m.rowN = m.opts[:0], m.paths[:0], m.path[:0], 0
	case code.PathReset:
		m.path = m.path[:0]
	case code.PathPush:
		if len(m.path) >= code.MaxPath {
			return code.FaultPath
		}
		m.path = append(m.path, uint8(r[a]))
	case code.PathCut:
		m.path = m.path[:r[a]]
	case code.PathLen:
		r[a] = len(m.path)
	case code.Reason:
		m.reasons = append(m.reasons, int16(in.K))
	case code.Filter:
		m.filter(int(in.K), r[a], r[a+1])
		if m.Watch != nil && r[a+1] >= 0 {
			m.Watch.Event(Event{Kind: EventDecided, ID: r[a+1]})
		}
	case code.Most:
		return m.most(int(in.K))
	case code.FewerOut:
		m.fewerOut(r[a] != 0)
	case code.MostEnds:
		if m.looking {
			m.seen = 0
			return code.StopLooking
		}
	case code.Take:
		m.take(r[a])
	case code.PathAt:
		r[a] = m.pathAt(r[a])
	case code.PickReset:
		m.picks = m.picks[:0]
	case code.PickAdd:
		if len(m.picks) >= code.MaxOptions {
			return code.FaultOptions
		}
		m.picks = append(m.picks, int16(r[a]))
		m.pieces = in.K == 1
	case code.PickCount:
		r[a] = m.pickCount()
	case code.PickGet:
		r[a] = int(m.picks[r[a]])
	case code.ActBegins:
		m.Counters[m.prog.ActCounters+int(in.K)]++
		if m.Watch != nil {
			args := [4]int16{-1, -1, -1, -1}
			for i := range min(int(in.B), len(args)) {
				args[i] = int16(r[a+i])
			}
			m.Watch.Event(Event{Kind: EventAct, ID: int(in.K), Args: args})
		}
	case code.TakeNote:
		m.Notes[in.K] = true
	case code.Stride:
		r[a] = m.stride(r[a], r[a+1], r[a+2] != 0, int(in.K))
	case code.Later:
		m.later(int(in.K), bits.OnesCount64(uint64(r[a])))
	case code.Sort:
		m.sort(m.prog.Sorts[in.K], r[a])
	case code.Snapshot:
		copy(m.kept, m.st)
		copy(m.keptDerived, m.dv)
	case code.Undo:
		copy(m.st, m.kept)
		copy(m.dv, m.keptDerived)
		m.touched = ^uint64(0)
	}
	return code.NoFault
}
