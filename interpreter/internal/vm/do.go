package vm

import (
	"math/bits"
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Out-of-line operations: slow paths of the loop in run.go, and operations of more than one line.

func (m *Machine) takeOne(in *code.Instr) *code.Instr {
	switch {
	case in.C != 0:
		m.take(0)
	case m.rowN > 0:
		m.takeRow(m.result)
	default:
		m.take(m.result)
	}
	return in.Next
}

// do executes an instruction that is cold or takes more than one line. It returns the next instruction: nil after a fault, or when a
// lookahead is done.
func (m *Machine) do(in *code.Instr) *code.Instr {
	r := &m.r
	fail := func(kind code.Fault) *code.Instr {
		m.fault(kind, in)
		return nil
	}
	switch in.Op {
	case code.Mul:
		r[in.A] = int64(int32(r[in.B])) * int64(int32(r[in.C]))
	case code.Div, code.Mod:
		switch {
		case r[in.C] == 0:
			return fail(code.FaultZero)
		case in.Op == code.Div:
			r[in.A] = r[in.B] / r[in.C]
		default:
			r[in.A] = r[in.B] % r[in.C]
		}
	case code.Shl:
		r[in.A] = r[in.B] << (uint(r[in.C]) & 63)
	case code.Shr:
		r[in.A] = r[in.B] >> (uint(r[in.C]) & 63)
	case code.ShlK:
		r[in.A] = r[in.B] << (uint(in.K) & 63)
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
		if b := &m.prog.Ranges[in.K]; r[in.A] < int64(b.Low) || r[in.A] > int64(b.High) {
			m.unfit(in, r[in.A], int64(b.Low), int64(b.High))
			return nil
		}
	case code.Offers:
		r[in.A] = int64(len(m.opts))
	case code.Offer:
		r[in.A] = int64(m.offerField(&m.opts[r[in.B]], int(in.K)))
	case code.Result:
		r[in.A] = int64(m.result)
	case code.Fail:
		return fail(code.Fault(in.K))
	case code.WalkersOp:
		r[in.A] = int64(m.walkers(uint64(r[in.B]), int(r[in.C])))
	case code.HavingOp:
		r[in.A] = int64(m.having(uint64(r[in.B]), int(in.K), int(r[in.C])))
	case code.LiftOp:
		m.lift(int(r[in.A]))
	case code.RelinkOp:
		m.relink(int(r[in.A]))
	case code.EmitOp:
		if !m.emit(&m.prog.Templates[in.K]) {
			return fail(code.FaultOptions)
		}
	case code.NativeCall:
		switch f := m.native(in); f {
		case code.NoFault:
		case code.StopLooking:
			m.Fault = Fault{}
			return nil
		default:
			if m.Fault.Kind != code.NoFault { // a lookahead has failed elsewhere
				return nil
			}
			return fail(f)
		}
	}
	return in.Next
}

// offerField is a field of an option, as programs read it.
func (m *Machine) offerField(o *Option, field int) int {
	switch field {
	case OfferPiece:
		if m.prog.MovesPiece[o.Move] {
			return int(o.Params[0])
		}
		return -1
	case OfferTo:
		return int(o.To)
	case OfferSteps:
		return int(o.Steps)
	}
	return int(o.Move)
}

// report reports a counter to the watcher.
func (m *Machine) report(counter int32) { m.Watch.Event(Event{Kind: EventFire, ID: int(counter)}) }

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// keep saves the state for an undo.
func (m *Machine) saveUndo() {
	copy(m.undo, m.st)
	copy(m.undoDerived, m.dv)
	copy(m.undoSquares, m.sq)
}

// ones counts the set bits. The library function would check for processor support in each iteration of the loop.
func ones(x uint64) int64 {
	const low, pairs, nibbles, sum = 0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x0101010101010101
	x -= x >> 1 & low
	x = x&pairs + x>>2&pairs
	return int64((x + x>>4) & nibbles * sum >> 56)
}

// native performs a native operation.
func (m *Machine) native(in *code.Instr) code.Fault {
	a := int(in.A)
	r := &m.r
	switch code.NativeOp(in.C) {
	case code.TakeUp:
		m.leave(int(r[a]))
		m.st[m.prog.Layout.Prev+int(r[a])] = code.InHand
	case code.SetDown:
		m.setDown(int(r[a]), int(r[a+1]), int(r[a+2]))
	case code.PutAt:
		if r[a] < 0 || r[a+1] < 0 {
			return code.FaultNil
		}
		m.putAt(int(r[a]), int(r[a+1]))
	case code.Give:
		if r[a] < 0 || r[a+1] < 0 {
			return code.FaultNil
		}
		m.give(int(r[a]), int(r[a+1]))
	case code.OptReset:
		m.opts, m.paths, m.path, m.pendingReasons, m.rowN = m.opts[:0], m.paths[:0], m.path[:0], m.pendingReasons[:0], 0
	case code.PathReset:
		m.path = m.path[:0]
	case code.PathPush:
		if len(m.path) >= code.MaxPath && m.pathed {
			return code.FaultPath
		}
		m.path = append(m.path, uint8(r[a]))
	case code.PathCut:
		m.path = m.path[:r[a]]
	case code.PathLen:
		r[a] = int64(len(m.path))
	case code.Reason:
		m.reasons = append(m.reasons, int16(in.K))
	case code.Unreasoned:
		m.reasons = m.reasons[:m.fresh]
	case code.ReasonsKeep:
		m.pendingReasons = append(m.pendingReasons, slices.Clone(m.reasons[m.fresh:]))
	case code.ReasonsBack:
		last := len(m.pendingReasons) - 1
		m.reasons, m.pendingReasons = append(m.reasons[:m.fresh], m.pendingReasons[last]...), m.pendingReasons[:last]
	case code.Filter:
		m.filter(int(r[a]), r[a+1] != 0)
		if m.Watch != nil && r[a] >= 0 {
			m.Watch.Event(Event{Kind: EventDecided, ID: int(r[a])})
		}
	case code.Most:
		return m.most(int(in.K))
	case code.Times:
		m.times = uint64(r[a])
	case code.FewerOut:
		m.fewerOut(r[a] != 0)
	case code.MostEnds:
		if m.looking {
			m.leftOver = m.st[m.prog.Layout.Shortest]
			return code.StopLooking
		}
	case code.Take:
		m.take(int(r[a]))
	case code.PathAt:
		r[a] = int64(m.pathAt(int(r[a])))
	case code.PickReset:
		m.picks = m.picks[:0]
	case code.PickAdd:
		if len(m.picks) >= code.MaxOptions {
			return code.FaultOptions
		}
		m.picks = append(m.picks, int16(r[a]))
		m.pieces = in.K == 1
	case code.PickBits:
		m.picks, m.pieces = m.picks[:0], false
		for rest := uint64(r[a]); rest != 0; rest &= rest - 1 {
			m.picks = append(m.picks, int16(int(in.K)+bits.TrailingZeros64(rest)))
		}
		r[a] = int64(len(m.picks))
	case code.PickCount:
		r[a] = int64(m.pickCount())
		if m.Watch != nil && in.K > 0 {
			m.Watch.Event(Event{Kind: EventAsked, ID: int(in.K) - 1})
		}
	case code.PickGet:
		r[a] = int64(m.picks[r[a]])
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
		r[a] = int64(m.stride(int(r[a]), int(r[a+1]), r[a+2] != 0, int(in.K)))
	case code.WalkEnd:
		end, _, _ := m.follow(int(r[a]), int(r[a+1]), false, false)
		r[a] = int64(end)
	case code.StrideAll:
		r[a] = int64(m.strideAll(int(in.K)))
	case code.Later:
		m.fireLater(int(in.K), bits.OnesCount64(uint64(r[a])))
	case code.Sort:
		m.sort(m.prog.Sorts[in.K], int(r[a]))
	case code.Snapshot:
		m.saveUndo()
	case code.Undo:
		copy(m.st, m.undo)
		copy(m.dv, m.undoDerived)
		copy(m.sq, m.undoSquares)
		m.touched = ^uint64(0)
	}
	return code.NoFault
}
