package vm

import (
	"encoding/binary"
	"math/bits"
	"slices"

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
	x, status := int(m.on.near[code.CellMe])+1, m.on.status
	x &= (x - len(status)) >> 63 // 0 after the last; whether it is the last cannot be foreseen
	if uint(x) >= uint(len(status)) || status[x] != code.Playing {
		return false
	}
	m.on.near[code.CellMe] = int16(x)
	return true
}

// mineWalk finds the pieces of an owner that can walk.
func (m *Machine) mineWalk(in *code.Word) *code.Word {
	e, head := in.Many, m.on.near
	own := &e.Own[uint(head[e.Owner])%uint(len(e.Own))]
	mine, first, four := own.Set, own.First&60, own.Four
	set, n := mine&m.on.all[e.Word%code.DerivedPlaces], int(head[e.Steps])
	m.r[in.A] = int(mine)
	if !four || uint(n-1) >= code.Ahead {
		m.r[in.B] = int(m.walkers(set, n))
		return in.Next
	}
	// Four pieces in a row, as mostly. Who is stopped cannot be foreseen: so there is no branch.
	sets, nodes, way := m.on.sets, (*[4]int16)(m.on.node[first:]), ways[n]
	look := func(node int16) uint64 {
		return uint64(truth(binary.LittleEndian.Uint64(sets[(int(node)+1)&(code.MaxNodes-1):])&way != 0))
	}
	stopped := (look(nodes[0]) | look(nodes[1])<<1 | look(nodes[2])<<2 | look(nodes[3])<<3) << first & set
	if stopped != 0 {
		set &^= m.stopped(stopped, n)
	}
	m.r[in.B] = int(set)
	return in.Next
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

// putIn puts a piece on a place. Mostly, in a program that keeps derived words, it stood alone on a square, the other is empty, and
// no set of squares holds either: then all lists and words are known without reading them.
func (m *Machine) putIn(in *code.Word) *code.Word {
	v, k := &m.on, uint32(in.K)
	p, place, node := int(v.near[uint8(k)]), int(v.near[uint8(k>>8)]), v.near[uint8(k>>16)]
	m.r[in.A], m.r[in.B] = p, place
	to := in.To
	if place == in.Small() {
		to = in.Next
	}
	q, at := p&63, place&255
	from, bit := int(v.at[q])&255, uint64(1)<<q
	if v.plain[from]&v.plain[at] == 0 || v.set[from] != bit || v.set[at] != 0 || v.head[from] != int16(q) || m.Watch != nil {
		m.setDown(p, place, int(node))
		return to
	}
	m.touched |= bit
	v.at[q], v.node[q] = int16(at), node
	v.head[from], v.head[at] = -1, int16(q)
	v.tail[from], v.tail[at] = -1, int16(q)
	v.count[from], v.count[at] = 0, 1
	v.set[from], v.set[at] = 0, bit
	if v.alone[at]&uint8(in.T) != 0 && place != in.Small() {
		return in.Alone
	}
	return to
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
	case code.MuchStore, code.MuchNode, code.MuchTry, code.MuchOp:
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
	default:
		return m.rare(in)
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

// keep keeps the state as what an undo brings back.
func (m *Machine) keep() {
	copy(m.kept, m.st)
	copy(m.keptDerived, m.dv)
	copy(m.keptSquares, m.sq)
}

// tick counts what an instruction for many counts of the turn's plays. It reports false after a fault.
func (m *Machine) tick(e *code.Many) bool {
	plays := &m.on.near[code.CellPlays]
	if *plays += e.Ticks; *plays <= 3*code.MaxPlays {
		return true
	}
	return m.tooMany(e, *plays)
}

func (m *Machine) tooMany(e *code.Many, plays int16) bool {
	over := plays - 3*code.MaxPlays
	m.faultAt(code.FaultPlays, int(e.Sites[(e.Ticks-over)&1]))
	return false
}

// ones is how many bits are set. The library's, in the loop, would ask at every instruction what the processor can do.
func ones(x uint64) int {
	const low, pairs, nibbles, sum = 0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x0101010101010101
	x -= x >> 1 & low
	x = x&pairs + x>>2&pairs
	return int((x + x>>4) & nibbles * sum >> 56)
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
		m.opts, m.paths, m.path, m.waiting, m.rowN = m.opts[:0], m.paths[:0], m.path[:0], m.waiting[:0], 0
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
		r[a] = len(m.path)
	case code.Reason:
		m.reasons = append(m.reasons, int16(in.K))
	case code.Unreasoned:
		m.reasons = m.reasons[:m.fresh]
	case code.ReasonsKeep:
		m.waiting = append(m.waiting, slices.Clone(m.reasons[m.fresh:]))
	case code.ReasonsBack:
		last := len(m.waiting) - 1
		m.reasons, m.waiting = append(m.reasons[:m.fresh], m.waiting[last]...), m.waiting[:last]
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
		m.keep()
	case code.Undo:
		copy(m.st, m.kept)
		copy(m.dv, m.keptDerived)
		copy(m.sq, m.keptSquares)
		m.touched = ^uint64(0)
	}
	return code.NoFault
}
