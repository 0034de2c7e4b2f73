package vm

import (
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// What the loop of run.go leaves to calls: operations that take more than a line.

func (m *Machine) walkersIn(in *code.Word) *code.Word {
	m.r[in.A] = int(m.walkers(uint64(m.r[in.B]), int(m.st[in.K])))
	return in.Next
}

// clearNext clears what lives only within a turn and gives the turn to the next. It reports where execution goes on.
func (m *Machine) clearNext(in *code.Word) *code.Word {
	m.clearTurn()
	if in.C == 0 && m.nextPlayer() {
		m.r[in.A] = 1
		return in.To
	}
	return m.turnOver(in)
}

// turnOver gives the turn to the next. It reports where execution goes on.
func (m *Machine) turnOver(in *code.Word) *code.Word {
	m.r[in.A] = 1
	if in.C != 0 || !m.nextPlayer() {
		next := m.nextTurn(in.C != 0)
		if m.r[in.A] = next; next == 0 {
			return in.Next
		}
	}
	return in.To
}

// nextPlayer gives the turn to the next seat, if that is still in the game.
func (m *Machine) nextPlayer() bool {
	l := &m.prog.Layout
	x := int(m.on.near[code.CellMe]) + 1
	if x == l.Players {
		x = 0
	}
	if m.st[l.Status+x] != code.Playing {
		return false
	}
	m.on.near[code.CellMe] = int16(x)
	return true
}

// mineWalk finds the pieces of an owner that can walk.
func (m *Machine) mineWalk(in *code.Word) *code.Word {
	e, head := in.Many, m.on.near
	mine := m.prog.Masks[int(e.Mask)+int(head[e.Owner])]
	m.r[in.A] = int(mine)
	set := mine & m.on.all[e.Word%code.DerivedPlaces]
	if set != 0 {
		set = m.walkers(set, int(head[e.Steps]))
	}
	m.r[in.B] = int(set)
	return in.Next
}

func (m *Machine) putInNe(in *code.Word) *code.Word {
	head, k := m.on.near, uint32(in.K)
	p, place := int(head[k%code.Near]), int(head[k>>8%code.Near])
	m.r[in.A], m.r[in.B] = p, place
	to := in.To
	if place == in.Small() {
		to = in.Next
	}
	node := int(head[k>>16%code.Near])
	if m.on.set != nil {
		return m.settle(p, place, node, to)
	}
	m.setDown(p, place, node)
	return to
}

// oneByOne does what a MuchOp does, as one who watches must see it. It reports whether it goes on.
func (m *Machine) oneByOne(e *code.Many) bool {
	for i := range e.Each {
		in := &e.Each[i]
		switch in.Op {
		case code.FireOp:
			m.fire(in.K)
		case code.StoreC:
			m.st[in.K] = in.BC()
		case code.LoadK:
			m.r[in.A] = int(in.K)
		case code.Load:
			m.r[in.A] = int(m.st[in.K])
		case code.Store:
			m.st[in.K] = int16(m.r[in.A])
		case code.TickOp:
			if m.st[code.CellPlays]++; m.st[code.CellPlays] > 3*code.MaxPlays {
				m.faultAt(code.FaultPlays, int(in.Site))
				return false
			}
		case code.TryOp:
			m.hard, m.pending, m.tryPC = false, 0, int(in.K)
		case code.Suspend:
			m.st[code.CellPoint] = int16(in.K)
			m.Node, m.Site = code.NodeKind(in.A), int(in.BC())
			m.Fault = Fault{}
			return false
		}
	}
	return true
}

func (m *Machine) putIn(in *code.Word) *code.Word {
	p, place, node := int(m.st[in.K]), int(m.st[in.T]), int(m.st[in.C])
	m.r[in.A], m.r[in.B] = p, place
	if len(m.dv) > 0 {
		return m.settle(p, place, node, in.Next)
	} else {
		m.setDown(p, place, node)
	}
	return in.Next
}

func (m *Machine) takeOne(in *code.Word) *code.Word {
	switch {
	case in.C != 0:
		m.take(0)
	case m.rowN > 0:
		return m.takeRow(m.result)
	default:
		m.take(m.result)
	}
	return in.Next
}

// do carries out an instruction that takes more than a line, and reports where execution goes on: nil after a fault, or
// where a look ahead has seen enough.
func (m *Machine) do(in *code.Word) *code.Word {
	r := &m.r
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
			m.fault(code.FaultOptions, in)
			return nil
		}
	case code.FireOp:
		m.fire(in.K)
	case code.FireStoreC:
		m.fire(in.K)
		m.st[in.T] = in.BC()
	case code.FireStore:
		m.fire(in.K)
		v := r[in.A]
		if v != int(int16(v)) {
			m.fault(code.FaultRange, in)
			return nil
		}
		m.st[in.T] = int16(v)
	case code.MuchStore, code.MuchTry, code.MuchOp:
		if !m.oneByOne(in.Many) {
			return nil
		}
		return in.To
	case code.Native:
		switch f := m.native(in); f {
		case code.NoFault:
		case code.StopLooking:
			m.Fault = Fault{}
			return nil
		default:
			m.fault(f, in)
			return nil
		}
	}
	return in.Next
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
func (m *Machine) native(in *code.Word) code.Fault {
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
	case code.PickBits:
		m.picks, m.pieces = m.picks[:0], false
		for rest := uint64(r[a]); rest != 0; rest &= rest - 1 {
			m.picks = append(m.picks, int16(int(in.K)+bits.TrailingZeros64(rest)))
		}
		r[a] = len(m.picks)
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
	case code.WalkEnd:
		r[a], _, _ = m.follow(r[a], r[a+1], false, false)
	case code.StrideAll:
		r[a] = m.strideAll(int(in.K))
	case code.Later:
		m.later(int(in.K), bits.OnesCount64(uint64(r[a])))
	case code.Sort:
		m.sort(m.prog.Sorts[in.K], r[a])
	case code.Snapshot:
		copy(m.kept, m.st)
		copy(m.keptDerived, m.dv)
		copy(m.keptSquares, m.sq)
	case code.Undo:
		copy(m.st, m.kept)
		copy(m.dv, m.keptDerived)
		copy(m.sq, m.keptSquares)
		m.touched = ^uint64(0)
	}
	return code.NoFault
}
