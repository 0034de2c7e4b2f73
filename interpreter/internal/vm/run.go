package vm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// fault stops the program.
func (m *Machine) fault(kind code.Fault, pc int32) bool {
	m.Fault = Fault{Kind: kind, Site: int(m.prog.Sites[pc])}
	return false
}

func bc(in *code.Instr) int { return int(int16(uint16(in.B) | uint16(in.C)<<8)) }

// run executes from pc to the next node, or to the end of an entry. It reports false after a fault.
//
// The registers are an array indexed by bytes, so that no access needs a bounds check; the state is a slice, whose
// checks are the price of sizes that differ from game to game.
func (m *Machine) run(pc int32) bool {
	r, st, prog := &m.r, m.st, m.prog
	ins := prog.Code
	fuel := code.MaxFuel
	sp := 0
	for {
		in := &ins[pc]
		pc++
		switch in.Op {
		case code.LoadK:
			r[in.A] = int(in.K)
			continue
		case code.Move:
			r[in.A] = r[in.B]
			continue
		case code.Load:
			r[in.A] = int(st[in.K])
			continue
		case code.LoadX:
			x := r[in.B]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			r[in.A] = int(st[int(in.K)+x])
			continue
		case code.LoadT:
			x := r[in.B]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			r[in.A] = int(prog.Tables[int(in.K)+x])
			continue
		case code.LoadS:
			r[in.A] = int(m.sc[int(in.K)+r[in.B]])
			continue
		case code.Store:
			v := r[in.A]
			if v != int(int16(v)) {
				return m.fault(code.FaultRange, pc-1)
			}
			st[in.K] = int16(v)
			continue
		case code.StoreX:
			v, x := r[in.A], r[in.B]
			if v != int(int16(v)) {
				return m.fault(code.FaultRange, pc-1)
			}
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			st[int(in.K)+x] = int16(v)
			continue
		case code.StoreC:
			st[in.K] = int16(bc(in))
			continue
		case code.StoreS:
			m.sc[int(in.K)+r[in.B]] = int16(r[in.A])
			continue
		case code.Add:
			r[in.A] = r[in.B] + r[in.C]
			continue
		case code.Sub:
			r[in.A] = r[in.B] - r[in.C]
			continue
		case code.Mul:
			r[in.A] = int(int32(r[in.B])) * int(int32(r[in.C]))
			continue
		case code.Div, code.Mod:
			if r[in.C] == 0 {
				return m.fault(code.FaultZero, pc-1)
			}
			if in.Op == code.Div {
				r[in.A] = r[in.B] / r[in.C]
			} else {
				r[in.A] = r[in.B] % r[in.C]
			}
			continue
		case code.And:
			r[in.A] = r[in.B] & r[in.C]
			continue
		case code.Or:
			r[in.A] = r[in.B] | r[in.C]
			continue
		case code.Shl:
			r[in.A] = r[in.B] << (uint(r[in.C]) & 63)
			continue
		case code.Shr:
			r[in.A] = r[in.B] >> (uint(r[in.C]) & 63)
			continue
		case code.AddK:
			r[in.A] = r[in.B] + int(in.K)
			continue
		case code.MulK:
			r[in.A] = int(int32(r[in.B])) * int(in.K)
			continue
		case code.AndK:
			r[in.A] = r[in.B] & int(in.K)
			continue
		case code.ShlK:
			r[in.A] = r[in.B] << (uint(in.K) & 63)
			continue
		case code.ShrK:
			r[in.A] = r[in.B] >> (uint(in.K) & 63)
			continue
		case code.Eq:
			r[in.A] = truth(r[in.B] == r[in.C])
			continue
		case code.Ne:
			r[in.A] = truth(r[in.B] != r[in.C])
			continue
		case code.Lt:
			r[in.A] = truth(r[in.B] < r[in.C])
			continue
		case code.Le:
			r[in.A] = truth(r[in.B] <= r[in.C])
			continue
		case code.EqK:
			r[in.A] = truth(r[in.B] == int(in.K))
			continue
		case code.Not:
			r[in.A] = 1 - r[in.B]
			continue
		case code.Jump:
		case code.JumpZ:
			if r[in.A] != 0 {
				continue
			}
		case code.JumpNZ:
			if r[in.A] == 0 {
				continue
			}
		case code.JumpEq:
			if r[in.A] != r[in.B] {
				continue
			}
		case code.JumpNe:
			if r[in.A] == r[in.B] {
				continue
			}
		case code.JumpLt:
			if r[in.A] >= r[in.B] {
				continue
			}
		case code.JumpLe:
			if r[in.A] > r[in.B] {
				continue
			}
		case code.JumpEqK:
			if r[in.A] != int(int8(in.C)) {
				continue
			}
		case code.JumpNeK:
			if r[in.A] == int(int8(in.C)) {
				continue
			}
		case code.JumpLtK:
			if r[in.A] >= int(int8(in.C)) {
				continue
			}
		case code.JumpLeK:
			if r[in.A] > int(int8(in.C)) {
				continue
			}
		case code.JumpGtK:
			if r[in.A] <= int(int8(in.C)) {
				continue
			}
		case code.JumpGeK:
			if r[in.A] < int(int8(in.C)) {
				continue
			}
		case code.Present:
			if r[in.A] < 0 {
				return m.fault(code.Fault(in.K), pc-1)
			}
			continue
		case code.Check:
			if b := &prog.Ranges[in.K]; r[in.A] < b.Low || r[in.A] > b.High {
				return m.fault(code.FaultRange, pc-1)
			}
			continue
		case code.Call:
			m.calls[sp&63] = pc
			sp++
			pc = in.K
			continue
		case code.Return:
			sp--
			pc = m.calls[sp&63]
			continue
		case code.ReturnIn:
			pc = prog.Points[st[in.K]].PC
			continue
		case code.End:
			m.result = r[in.A]
			return true
		case code.Goto:
			if fuel--; fuel < 0 {
				return m.fault(code.FaultSteps, pc-1)
			}
			sp = 0
			pc = in.K
			continue
		case code.Offers:
			r[in.A] = len(m.opts)
			continue
		case code.Offer:
			o := &m.opts[r[in.B]]
			switch in.K {
			case OfferPiece:
				r[in.A] = -1
				if prog.MovesPiece[o.Move] {
					r[in.A] = int(o.Params[0])
				}
			case OfferTo:
				r[in.A] = int(o.To)
			case OfferSteps:
				r[in.A] = int(o.Steps)
			default:
				r[in.A] = int(o.Move)
			}
			continue
		case code.Result:
			r[in.A] = m.result
			continue
		case code.Native:
			if f := m.native(in); f != code.NoFault {
				if f == code.StopLooking {
					m.used = code.MaxFuel - fuel
					return true
				}
				return m.fault(f, pc-1)
			}
			continue
		case code.Suspend:
			st[code.CellPoint] = int16(in.K)
			m.Node, m.Site = code.NodeKind(in.A), bc(in)
			m.used = code.MaxFuel - fuel
			return true
		case code.LiftOp:
			m.lift(r[in.A])
			continue
		case code.RelinkOp:
			m.relink(r[in.A])
			continue
		case code.EmitOp:
			if !m.emit(&prog.Templates[in.K]) {
				return m.fault(code.FaultOptions, pc-1)
			}
			continue
		case code.TickOp:
			if st[code.CellPlays]++; st[code.CellPlays] > 3*code.MaxPlays {
				return m.fault(code.FaultPlays, pc-1)
			}
			continue
		case code.LoadEq:
			v := int(st[in.K])
			r[in.A] = v
			if v != int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadNe:
			v := int(st[in.K])
			r[in.A] = v
			if v == int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadLt:
			v := int(st[in.K])
			r[in.A] = v
			if v >= int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadGe:
			v := int(st[in.K])
			r[in.A] = v
			if v < int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadXEq:
			x := r[in.B]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(st[int(in.K)+x])
			r[in.A] = v
			if v != int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadXNe:
			x := r[in.B]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(st[int(in.K)+x])
			r[in.A] = v
			if v == int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadXLt:
			x := r[in.B]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(st[int(in.K)+x])
			r[in.A] = v
			if v >= int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadXGe:
			x := r[in.B]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(st[int(in.K)+x])
			r[in.A] = v
			if v < int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadTEq:
			x := r[in.B]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(prog.Tables[int(in.K)+x])
			r[in.A] = v
			if v != int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadTNe:
			x := r[in.B]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(prog.Tables[int(in.K)+x])
			r[in.A] = v
			if v == int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadTLt:
			x := r[in.B]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(prog.Tables[int(in.K)+x])
			r[in.A] = v
			if v >= int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.LoadTGe:
			x := r[in.B]
			if x < 0 {
				return m.fault(code.FaultNil, pc-1)
			}
			v := int(prog.Tables[int(in.K)+x])
			r[in.A] = v
			if v < int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.AddEq:
			v := r[in.B] + int(in.K)
			r[in.A] = v
			if v != int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.AddNe:
			v := r[in.B] + int(in.K)
			r[in.A] = v
			if v == int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.AddLt:
			v := r[in.B] + int(in.K)
			r[in.A] = v
			if v >= int(int8(in.C)) {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.AddLess:
			v := r[in.B] + int(in.K)
			r[in.A] = v
			if v >= r[in.C] {
				pc++
				continue
			}
			if in.T < pc {
				if fuel--; fuel < 0 {
					return m.fault(code.FaultSteps, pc-1)
				}
			}
			pc = in.T
			continue
		case code.FireOp:
			m.Counters[in.K]++
			if m.Watch != nil {
				m.Watch.Event(Event{Kind: EventFire, ID: int(in.K)})
			}
			continue
		case code.Fail:
			return m.fault(code.Fault(in.K), pc-1)
		case code.Nop:
			continue
		}
		// A jump is taken. Those backwards are counted, so that no program runs for ever.
		if in.K < pc {
			if fuel--; fuel < 0 {
				return m.fault(code.FaultSteps, pc-1)
			}
		}
		pc = in.K
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
		m.lift(r[a])
		m.st[m.prog.Layout.Prev+r[a]] = code.InHand
	case code.SetDown:
		m.setDown(r[a], r[a+1], r[a+2])
	case code.PutAt:
		if r[a] < 0 || r[a+1] < 0 {
			return code.FaultNil
		}
		m.putAt(r[a], r[a+1])
	case code.OptReset:
		m.opts, m.paths, m.path = m.opts[:0], m.paths[:0], m.path[:0]
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
			m.Watch.Event(Event{Kind: EventAct, ID: int(in.K), Args: [4]int16{int16(r[a]), int16(r[a+1]), int16(r[a+2]), int16(r[a+3])}})
		}
	case code.TakeNote:
		m.Notes[in.K] = true
	case code.Sort:
		m.sort(m.prog.Sorts[in.K], r[a])
	case code.Snapshot:
		copy(m.kept, m.st)
	case code.Undo:
		copy(m.st, m.kept)
	case code.ClearTurn:
		l, st := &m.prog.Layout, m.st
		st[code.CellAgain], st[code.CellPlays], st[code.CellQueue], st[code.CellThrown], st[code.CellEarned] = 0, 0, 0, 0, 0
		clear(m.st[l.Frame:l.FrameEnd])
	}
	return code.NoFault
}
