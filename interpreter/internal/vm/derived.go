package vm

import (
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Derived words are redundant data computed from the state: the set of pieces on each place, and the sets that contain each square of each
// colour's track. They are stored beside the state, so that comparing and hashing a state skips them.

// Derived are the derived words; empty in a program without them. They belong to the machine.
func (m *Machine) Derived() []uint64 { return m.dv }

// Squares are the track sets of each square; empty in a program without them. They belong to the machine.
func (m *Machine) Squares() []byte { return m.sq }

// having returns the subset of the pieces whose cell, counted from base, holds a value.
func (m *Machine) having(set uint64, base, value int) uint64 {
	n := m.prog.Layout.Pieces
	cells := m.st[base : base+n]
	var out uint64
	if value != 0 && set&(1<<n-1) == 1<<n-1 { // common case: no cell holds a value other than 0
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

// first keeps only the first of each group of interchangeable pieces of a set.
func (m *Machine) first(set uint64) uint64 {
	v, crowd := &m.view, set&m.view.all[code.DerivedCrowd]
next:
	for rest := crowd & (crowd - 1); rest != 0; rest &= rest - 1 {
		p := bits.TrailingZeros64(rest) & 63
		bit := rest & -rest
		same := set & (bit - 1) & v.set[v.at[p]&(code.MaxListed-1)] & m.prog.Mates[p]
		for ; same != 0; same &= same - 1 {
			if q := bits.TrailingZeros64(same) & 63; v.node[q] == v.node[p] && m.sameVars(p, q) {
				set &^= bit
				m.oneOf(q, p)
				continue next
			}
		}
	}
	return set
}

// Mirror copies the state of a machine whose program has the same layout.
func (m *Machine) Mirror(o *Machine) {
	if len(m.dv) != len(o.dv) || len(m.sq) != len(o.sq) {
		m.Assume(o.st)
		return
	}
	copy(m.st, o.st)
	copy(m.dv, o.dv)
	copy(m.sq, o.sq)
}

// Assume copies the state of another program of the same rules, as far as both have the same cells, and recomputes the derived words.
func (m *Machine) Assume(state []int16) {
	m.Reset()
	l, t := &m.prog.Layout, m.prog.Tracks
	var before []uint64
	if t != nil {
		for place := range l.Places {
			before = append(before, m.trackSets(t, place))
		}
	}
	copy(m.st, state)
	if len(m.dv) == 0 {
		return
	}
	head := (*[code.DerivedPlaces]uint64)(m.dv)
	head[code.DerivedHand], head[code.DerivedSquares], head[code.DerivedCrowd] = 0, 0, 0
	clear(m.view.set[:l.Places])
	for p := range l.Pieces {
		place, bit := m.st[l.At+p], uint64(1)<<p
		m.view.set[place] |= bit
		if int(place) >= l.FirstSquare {
			head[code.DerivedSquares] |= bit
		}
		if m.st[l.Prev+p] == code.InHand {
			head[code.DerivedHand] |= bit
		}
	}
	for p := range l.Pieces {
		if m.view.set[m.st[l.At+p]]&m.prog.Mates[p]&^(1<<p) != 0 {
			head[code.DerivedCrowd] |= 1 << p
		}
	}
	for place, sets := range before {
		m.updateTrackSets(t, place, sets)
	}
}
