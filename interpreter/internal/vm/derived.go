package vm

import (
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Derived words follow from the state and are kept beside it, so that comparing and hashing a state need not look at
// them: of each place the pieces that stand there, of each square of each colour's track what the clauses say of it.

// Derived are the words that follow from the state; empty in a program that keeps none. They belong to the machine.
func (m *Machine) Derived() []uint64 { return m.dv }

// Squares are the sets that hold the squares of the tracks, as they follow from the state; empty in a program that keeps none. They
// belong to the machine.
func (m *Machine) Squares() []byte { return m.sq }

// having is the pieces of a set whose cell, of those that begin at base, holds a value.
func (m *Machine) having(set uint64, base, value int) uint64 {
	n := m.prog.Layout.Pieces
	cells := m.st[base : base+n]
	var out uint64
	if value != 0 && set&(1<<n-1) == 1<<n-1 { // mostly none has it
		var any int16
		for _, c := range cells {
			any |= c
		}
		if any == 0 {
			return 0
		}
	}
	for rest := set & (1<<n - 1); rest != 0; rest &= rest - 1 {
		if p := bits.TrailingZeros64(rest); int(cells[p]) == value {
			out |= rest & -rest
		}
	}
	return out
}

// first is the first of each interchangeable pieces of a set.
func (m *Machine) first(set uint64) uint64 {
	v, crowd := &m.on, set&m.on.all[code.DerivedCrowd]
next:
	for rest := crowd & (crowd - 1); rest != 0; rest &= rest - 1 {
		p := bits.TrailingZeros64(rest) & 63
		bit := rest & -rest
		same := set & (bit - 1) & v.set[v.at[p]&(code.MaxListed-1)] & m.prog.Mates[p]
		for ; same != 0; same &= same - 1 {
			if q := bits.TrailingZeros64(same) & 63; v.node[q] == v.node[p] && m.alike(p, q) {
				set &^= bit
				continue next
			}
		}
	}
	return set
}

// Assume makes the machine's state what another program of the same rules has come to, as far as both have the same cells.
func (m *Machine) Assume(state []int16) {
	m.Reset()
	l, t := &m.prog.Layout, m.prog.Tracks
	var before []uint64
	if t != nil {
		for place := range l.Places {
			before = append(before, m.held(t, place))
		}
	}
	copy(m.st, state)
	if len(m.dv) == 0 {
		return
	}
	head := (*[code.DerivedPlaces]uint64)(m.dv)
	head[code.DerivedHand], head[code.DerivedSquares], head[code.DerivedCrowd] = 0, 0, 0
	clear(m.on.set[:l.Places])
	for p := range l.Pieces {
		place, bit := m.st[l.At+p], uint64(1)<<p
		m.on.set[place] |= bit
		if int(place) >= l.FirstSquare {
			head[code.DerivedSquares] |= bit
		}
		if m.st[l.Prev+p] == code.InHand {
			head[code.DerivedHand] |= bit
		}
	}
	for p := range l.Pieces {
		if m.on.set[m.st[l.At+p]]&m.prog.Mates[p]&^(1<<p) != 0 {
			head[code.DerivedCrowd] |= 1 << p
		}
	}
	for place, held := range before {
		m.changed(t, place, held)
	}
}
