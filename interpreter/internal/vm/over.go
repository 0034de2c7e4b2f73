package vm

import "github.com/rulerun/rulerun/interpreter/internal/code"

// A machine that stands over memory of somebody else, who runs the program, is told what it cannot know of itself.

// Keep makes memory of the other what an undo brings back; nothing where the program has no undo.
func (m *Machine) Keep(state []int16, derived []uint64, squares []byte) {
	if m.kept != nil {
		m.kept, m.keptDerived, m.keptSquares = state, derived, squares
	}
}

// Decides makes the machine stand at the choice among the options listed last; the state says where it goes on.
func (m *Machine) Decides() { m.Node = code.NodeOption }

// Picking makes the machine stand at a pick; it begins a list of candidates, to which Candidate adds.
func (m *Machine) Picking() { m.Node, m.picks = code.NodePick, m.picks[:0] }

// Candidate adds one to those of the pick at hand.
func (m *Machine) Candidate(v int16) { m.picks = append(m.picks, v) }
