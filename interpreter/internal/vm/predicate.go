package vm

import (
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// predicate evaluates a question about a piece and a place: from the table if it covers the place, otherwise by running the clause. ok is
// false after a fault.
func (m *Machine) predicate(question, p, place int) (yes, ok bool) {
	t, v, at := m.prog.Tracks, &m.view, place&(code.MaxListed-1)
	if t.Tabled[at]>>(question&7)&1 == 0 || v.count[at] > 2 {
		return m.ask(m.aside(), &t.Questions[question], p, place)
	}
	of, k := &m.prog.ColourOf, 0 // the key of the place, see key
	switch v.count[at] {
	case 1:
		k = 1 + int(of[v.head[at]&63])
	case 2:
		colours := m.prog.Layout.Colours
		k = 1 + colours + int(of[v.head[at]&63])*colours + int(of[v.tail[at]&63])
	}
	return t.Told[place*t.Keys+k]>>((8*question+int(of[p&63]))&63)&1 != 0, true
}

// falseAlone reports whether a piece stands alone on a place for which the answer to a question, given as a bit, is then always no.
func (m *Machine) falseAlone(question uint8, p, place int) bool {
	v, at := &m.view, place&(code.MaxListed-1)
	return v.alone[at]&question != 0 && int(v.head[at]) == p && int(v.tail[at]) == p
}

// ask evaluates a question about a piece and a place on another machine.
func (m *Machine) ask(a *Machine, q *code.Question, p, place int) (yes, ok bool) {
	p0, to := m.st[code.CellP0], m.st[code.CellTo]
	m.st[code.CellP0], m.st[code.CellTo] = int16(p), int16(place)
	v, ok := a.Eval(q.Entry)
	m.st[code.CellP0], m.st[code.CellTo] = p0, to
	if !ok {
		m.Fault = a.Fault
	}
	return v != 0, ok
}

// jumpPredicate branches on the answer to a question. It returns nil after a fault.
func (m *Machine) jumpPredicate(in *code.Instr) *code.Instr {
	p, place := int(m.r[in.A]), int(m.r[in.B])
	if p|place < 0 {
		m.fault(code.FaultNil, in)
		return nil
	}
	if m.falseAlone(1<<in.C, p, place) { // fast path
		if in.Op == code.JumpNotPredicate {
			return in.To
		}
		return in.Next
	}
	yes, ok := m.predicate(int(in.C), p, place)
	switch {
	case !ok:
		return nil
	case yes == (in.Op == code.JumpPredicate):
		return in.To
	}
	return in.Next
}

// filterPredicate keeps the pieces of a set for which the answer to a question is yes. It returns nil after a fault.
func (m *Machine) filterPredicate(in *code.Instr) *code.Instr {
	var set uint64
	for rest := uint64(m.r[in.B]); rest != 0; rest &= rest - 1 {
		p := bits.TrailingZeros64(rest)
		place := int(m.view.at[p&63])
		if m.falseAlone(1<<in.C, p, place) {
			continue
		}
		yes, ok := m.predicate(int(in.C), p, place)
		if !ok {
			return nil
		}
		if yes {
			set |= rest & -rest
		}
	}
	m.r[in.A] = int64(set)
	return in.Next
}

// Answers evaluates questions about a place in its current state, one by one: bit 8*question+colour of answers is set if the answer is yes.
// Bit i of faults is set if question i is a fault.
func (m *Machine) Answers(questions []code.Question, place int) (answers uint64, faults uint8) {
	l, a := &m.prog.Layout, m.aside()
	for colour := range l.Colours {
		for i := range questions {
			q, p := &questions[i], colour*l.PerColour
			if q.Stands {
				here := m.view.set[place&(code.MaxListed-1)] & m.prog.Mates[p]
				if here == 0 {
					continue
				}
				p = bits.TrailingZeros64(here)
			}
			yes, ok := m.ask(a, q, p, place)
			faults |= uint8(truth(!ok)) << i
			answers |= uint64(truth(yes)) << (8*i + colour)
		}
	}
	m.Fault = Fault{}
	return answers, faults
}
