package vm

import (
	"math"
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// most computes how many of a play's numbers can be used after each option, by playing on with copies of the machine. A machine that is
// itself a lookahead stops here: its result is the best of its own options.
func (m *Machine) most(play int) code.Fault {
	if m.values = m.values[:0]; !m.looking {
		m.spent = 0
	}
	best, left := int16(0), m.st[m.prog.Layout.Longest]
	m.st[code.CellUsable] = 0
	for i := range m.opts {
		n := int16(1)
		if left > 1 { // the last number: no lookahead is needed
			over, f := m.lookFrom(i, play)
			if f != code.NoFault {
				return f
			}
			n = left - over
		}
		m.values = append(m.values, n)
		if best = max(best, n); m.looking && best >= left { // a nested lookahead needs only the maximum
			break
		}
	}
	m.tried, m.triedPaths = append(m.tried[:0], m.opts...), append(m.triedPaths[:0], m.paths...)
	m.st[code.CellUsable] = best
	if m.looking {
		if m.leftOver = left - best; len(m.opts) == 0 {
			m.leftOver = m.st[m.prog.Layout.Shortest]
		}
		return code.StopLooking
	}
	return code.NoFault
}

// lookCost is the cost of a copy, in jumps.
const lookCost = 100

// lookFrom carries out option i on a copy and returns the least number of numbers left over. Equal options have equal values. Where a
// statement fails on the way, it is the fault of this machine too.
func (m *Machine) lookFrom(i, play int) (int16, code.Fault) {
	for j := range m.values {
		if m.opts[j].Number == m.opts[i].Number && m.same(&m.opts[j], &m.opts[i]) {
			m.merged(&m.opts[j], &m.opts[i])
			return m.st[m.prog.Layout.Longest] - m.values[j], code.NoFault
		}
	}
	a := m.copyAhead()
	if a == nil {
		return 0, code.FaultSteps
	}
	a.st[code.CellPoint], a.st[code.CellAhead] = int16(m.prog.Plays[play].Point), 1
	over, f := a.look(i)
	m.Fault = a.Fault
	return over, f
}

func (m *Machine) copyAhead() *Machine {
	if m.depth >= code.MaxDepth {
		return nil
	}
	if m.ahead == nil {
		m.ahead = New(m.prog)
		m.ahead.looking, m.ahead.depth, m.ahead.root = true, m.depth+1, m
		if m.looking {
			m.ahead.root = m.root
		}
	}
	m.ahead.CopyFrom(m)
	m.ahead.OneOf = m.OneOf
	return m.ahead
}

// look continues until the play needs its next number, or has none left. If a player picks a candidate on the way, the best candidate
// counts.
func (m *Machine) look(result int) (int16, code.Fault) {
	m.leftOver, m.Node = -1, code.NodeOver
	if !m.Resume(result) {
		return 0, m.Fault.Kind
	}
	if m.root.spent += code.MaxFuel - m.fuel + lookCost; m.root.spent > code.MaxLook {
		return 0, code.FaultSteps
	}
	if m.Node != code.NodePick {
		if m.leftOver < 0 { // the turn or the game has ended before the next number
			m.leftOver = m.st[m.prog.Layout.Shortest]
		}
		return m.leftOver, code.NoFault
	}
	best := int16(math.MaxInt16)
	for i := range m.picks {
		a := m.copyAhead()
		if a == nil {
			return 0, code.FaultSteps
		}
		n, f := a.look(i)
		m.Fault = a.Fault
		if f != code.NoFault {
			return 0, f
		}
		best = min(best, n)
	}
	return best, code.NoFault
}

// partTooLate reports whether two ways of one piece's count are no choice: the game ends before the ways differ.
func (m *Machine) partTooLate(a, b *Option, play int) bool {
	if a.Move != b.Move || a.Steps != b.Steps || a.Walk != b.Walk || a.Params != b.Params || a.Walk == 0 || m.looking {
		return false
	}
	if !m.endsOnTheWay(*a, play) {
		return false
	}
	m.outcome = m.ahead.outcomeOf(m.outcome[:0])
	if !m.endsOnTheWay(*b, play) {
		return false
	}
	n := len(m.outcome)
	m.outcome = m.ahead.outcomeOf(m.outcome)
	return slices.Equal(m.outcome[:n], m.outcome[n:])
}

// endsOnTheWay carries out an option on a copy and reports whether the game ends while the piece is in the hand.
func (m *Machine) endsOnTheWay(o Option, play int) bool {
	a := m.copyAhead()
	if a == nil {
		return false
	}
	a.opts, a.rowN = append(a.opts[:0], o), 0
	a.st[code.CellPoint] = int16(m.prog.Plays[play].Point)
	if !a.Resume(0) || a.Node != code.NodeOver {
		return false
	}
	return a.st[m.prog.Layout.Prev+int(o.Params[0])] == code.InHand
}

// outcomeOf appends the cells by which finished games are compared: all but those of the option that was carried out.
func (m *Machine) outcomeOf(dst []int16) []int16 {
	l := &m.prog.Layout
	places := l.Numbers
	if l.Path >= 0 {
		places = l.Path
	}
	dst = append(dst, m.st[code.CellWinner])
	dst = append(dst, m.st[l.Status:places]...)
	return append(dst, m.st[l.NumbersEnd:l.Frame]...)
}

// fewerOut drops the options from which fewer numbers can be used than from others. With explain, it refuses them instead.
func (m *Machine) fewerOut(explain bool) {
	kept := m.opts[:0]
	for i, o := range m.opts {
		// If the rules read the usable count, the list may have changed since the values were computed.
		if at := m.triedAt(i, &o); at >= 0 && m.values[at] == m.st[code.CellUsable] {
			kept = append(kept, o)
			continue
		}
		if explain {
			o.Reasons, o.ReasonN = int32(len(m.reasons)), 1
			m.reasons = append(m.reasons, code.FewerUsed)
			m.fresh = len(m.reasons)
			m.refused = append(m.refused, o)
		}
	}
	m.opts = kept
}

// triedAt returns the index of an option in the list whose values were computed, -1 if it is not there. Usually the index is the same.
func (m *Machine) triedAt(near int, o *Option) int {
	same := func(x *Option) bool {
		return x.Clause == o.Clause && x.Params == o.Params && x.Number == o.Number && x.Steps == o.Steps && x.To == o.To && x.Node == o.Node &&
			x.Heading == o.Heading && slices.Equal(m.triedPaths[x.Path:x.Path+x.PathLen], m.paths[o.Path:o.Path+o.PathLen])
	}
	if near < len(m.tried) && same(&m.tried[near]) {
		return near
	}
	return slices.IndexFunc(m.tried, func(x Option) bool { return same(&x) })
}
