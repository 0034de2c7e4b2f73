package vm

import (
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// A machine that stands over memory of somebody else, who runs the program, is told what it cannot know of itself.

// Keep makes memory of the other what an undo brings back; nothing where the program has no undo.
func (m *Machine) Keep(state []int16, derived []uint64, squares []byte) {
	if m.kept != nil {
		m.kept, m.keptDerived, m.keptSquares = state, derived, squares
	}
}

// Decides makes the machine stand at the choice among the options listed last; the state says where it goes on.
func (m *Machine) Decides() { m.Node = code.NodeOption }

// Sheet makes the machine stand at a decision among the options of rows, to which Row adds one.
func (m *Machine) Sheet(x *code.RowSet) {
	m.rowN, m.count = 0, 0
	m.Node, m.Site = code.NodeOption, x.Play
}

// Row adds a row of the decision at hand: which pieces, to which place, with which steps, walking which number.
func (m *Machine) Row(x *code.Row, set uint64, to, steps, number int) {
	if set == 0 {
		return
	}
	m.rows[m.rowN] = row{set, x, int16(to), int16(steps), int16(number)}
	m.rowN++
	m.count += bits.OnesCount64(set)
}

// Picking makes the machine stand at a pick; it begins a list of candidates, to which Candidate adds.
func (m *Machine) Picking() { m.Node, m.picks = code.NodePick, m.picks[:0] }

// Candidate adds one to those of the pick at hand.
func (m *Machine) Candidate(v int16) { m.picks = append(m.picks, v) }
