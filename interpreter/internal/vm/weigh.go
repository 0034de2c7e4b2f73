package vm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Weigher counts complete options: a move together with what its player picks while it is carried out. It belongs to one goroutine.
type Weigher struct {
	levels  []*Machine // for looking ahead
	weights []int
}

// maxPicks bounds how many picks on the way of one move are looked at together.
const maxPicks = 6

// Weigh counts the complete options that begin with each option of the choice a machine stands at, and all of them.
func (w *Weigher) Weigh(m *Machine) int {
	w.weights = w.weights[:0]
	total, seat := 0, m.Decider()
	for i := range m.choices() {
		n := w.after(0, m, i, seat)
		w.weights = append(w.weights, n)
		total += n
	}
	return total
}

// Chosen is the option with which complete option at begins, as weighed last, and which it is among those.
func (w *Weigher) Chosen(at int) (option, rest int) {
	for option < len(w.weights)-1 && at >= w.weights[option] {
		at -= w.weights[option]
		option++
	}
	return option, at
}

// complete is how many complete options there are at a choice.
func (w *Weigher) complete(depth int, m *Machine) int {
	if depth == maxPicks {
		return 1
	}
	total, seat := 0, m.Decider()
	for i := range m.choices() {
		total += w.after(depth, m, i, seat)
	}
	return total
}

// after is how many complete options begin with option i.
func (w *Weigher) after(depth int, m *Machine, i, seat int) int {
	if m.prog.PicksAtTurns && m.Node == code.NodeOption && !m.Turns(i) {
		return 1
	}
	for len(w.levels) <= depth {
		w.levels = append(w.levels, New(m.prog))
	}
	a := w.levels[depth]
	a.CopyFrom(m)
	if a.Resume(i) && a.Node == code.NodePick && a.Decider() == seat {
		return w.complete(depth+1, a)
	}
	return 1
}

// Decider is the seat that decides at the node.
func (m *Machine) Decider() int {
	if m.Node == code.NodePick {
		return int(m.st[code.CellDecider])
	}
	return int(m.st[code.CellMe])
}

// choices is how many options or candidates there are.
func (m *Machine) choices() int {
	if m.Node == code.NodePick {
		return len(m.picks)
	}
	return m.OptionCount()
}
