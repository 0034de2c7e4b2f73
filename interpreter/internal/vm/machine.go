// Package vm runs the programs of package code: one machine, one game at a time.
//
// A machine holds what does not belong to the position: registers, the list of options of the decision it
// stands at, and what observers asked for. The position itself is the state, a block of 16-bit cells that
// callers may copy at every node. What a newcomer gets wrong: options are derived: code that copies a state at a
// decision copies the options along (CopyFrom does).
package vm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Option is a legal move of the decision at hand.
type Option struct {
	Move    int16
	Params  [4]int16
	From    int16 // place of the first piece, or -1
	To      int16 // place, or -1
	Node    int16 // of the track, or -1
	Steps   int16
	Heading int16
	Walk    int16 // the number it walks
	Number  int16 // which of several numbers it counts
	Clause  int16 // counter of the may that offers it
	Path    int32 // where its path begins in the machine's paths
	PathLen int32
	Duties  uint64 // the duties it meets, a bit each
	Reasons int32  // explaining: where its reasons begin
	ReasonN int32
}

// Fields of an option that programs read.
const (
	OfferPiece = iota
	OfferTo
	OfferSteps
	OfferMove
)

// Fault is a program that cannot go on.
type Fault struct {
	Kind code.Fault
	Site int // where, as the compiler numbered it
}

// Event is something that happened, for those who watch.
type Event struct {
	Kind EventKind
	ID   int // counter of a clause, act or variable; piece
	Args [4]int16
}

// EventKind says what happened.
type EventKind uint8

// The kinds of event.
const (
	EventFire    EventKind = iota // counter ID
	EventAct                      // act ID with Args
	EventPut                      // piece ID from place Args[0] to Args[1]
	EventGiven                    // piece ID from colour Args[0] to Args[1]
	EventDecided                  // options stand at play ID
	EventIgnored                  // the duty of counter ID is met by no option that the duty of counter Args[0] has left
)

// Watcher gets what happens. A machine may have none.
type Watcher interface {
	Event(Event)
}

// Machine runs one game. It belongs to one goroutine.
type Machine struct {
	prog *code.Program
	r    [256]int64 // numbers and sets: 64 bits on every machine
	st   []int16
	sc   []int16
	dv   []uint64 // what follows from the state, see derived.go
	sq   []byte   // which sets hold the squares of the tracks, likewise
	on   lists    // who stands where, in the cells

	opts    []Option
	refused []Option
	paths   []uint8
	path    []uint8
	reasons []int16
	fresh   int               // where the reasons of the option being tried begin
	waiting [][]int16         // of each branch of a walk that waits, what speaks against it already
	rows    [code.MaxRows]row // options as sets, instead of opts
	rowN    int               // how many rows there are
	colours int               // how many, and the first key of two pieces on a place
	pairs   int
	turns   bool // walks may turn
	pathed  bool // the rules ask for the path of a walk
	winding bool // one or the other
	count   int  // of the options in rows
	hard    bool // the sets cannot tell
	fires   [maxFires]pendingFire
	pending int         // fires that count when it is settled that the options are rows
	try     *code.Instr // where a fault leads while options are worked out as sets
	other   *Machine    // see aside
	picks   []int16
	pieces  bool // the picks are pieces

	chance      *Chance // nil: it stops at every node
	touched     uint64  // see Moved
	result      int
	Node        code.NodeKind
	Site        int
	Fault       Fault
	Counters    []uint64
	Notes       []bool // of a program that takes notes: what it has come to
	Watch       Watcher
	calls       [64]*code.Instr
	sp          int      // procedures that have been called
	fuel        int      // jumps backwards left to the run, or that it has left
	values      []int16  // how many numbers can be used from each option
	tried       []Option // those options, with their paths
	triedPaths  []uint8
	ahead       *Machine // for looking ahead
	fate        []int16  // how a game ended that was looked at
	looking     bool     // this one looks ahead for another
	seen        int16    // what it has seen: how many numbers can still be used
	depth       int
	root        *Machine // the one this one looks ahead for
	spent       int      // jumps of all looks ahead since the decision
	kept        []int16
	keptDerived []uint64
	keptSquares []byte
}

// New returns a machine at the program's initial state, standing nowhere yet.
func New(p *code.Program) *Machine {
	m := &Machine{prog: p, sc: make([]int16, p.Scratch), Counters: make([]uint64, p.Counters)}
	m.st = make([]int16, p.Layout.Size, p.Layout.Size+code.MaxListed)
	copy(m.st, p.Initial)
	if n := len(p.Derived); n > 0 {
		m.dv = make([]uint64, n, n+code.MaxListed)
		copy(m.dv, p.Derived)
	}
	if n := len(p.Squares); n > 0 {
		m.sq = make([]byte, n, code.MaxNodes+code.Ahead)
		copy(m.sq, p.Squares)
	}
	m.on.of(p, m.st, m.dv, m.sq)
	m.colours, m.pairs = p.Layout.Colours, 1+p.Layout.Colours
	m.turns, m.pathed = p.Tracks != nil && p.Tracks.Has[code.SetTurns], p.Layout.Path >= 0
	m.winding = m.turns || m.pathed
	if p.Notes > 0 {
		m.Notes = make([]bool, p.Notes)
	}
	if p.Layout.Keeps {
		m.kept, m.keptDerived, m.keptSquares = make([]int16, p.Layout.Size), make([]uint64, len(p.Derived)), make([]byte, len(p.Squares))
		m.keep()
	}
	return m
}

// Reset goes back to the initial state. Counters stay.
func (m *Machine) Reset() {
	copy(m.st, m.prog.Initial)
	copy(m.dv, m.prog.Derived)
	copy(m.sq, m.prog.Squares)
	m.touched = ^uint64(0)
	m.opts, m.picks, m.rowN = m.opts[:0], m.picks[:0], 0
	m.Fault = Fault{}
	m.keep()
}

// State is the machine's state. It belongs to the machine.
func (m *Machine) State() []int16 { return m.st }

// CopyFrom makes the machine stand where the other one does. Both must run the same program.
func (m *Machine) CopyFrom(o *Machine) {
	copy(m.st, o.st)
	copy(m.dv, o.dv)
	copy(m.sq, o.sq)
	m.touched = ^uint64(0)
	m.opts = append(m.opts[:0], o.opts...)
	copy(m.rows[:], o.rows[:o.rowN])
	m.rowN, m.count = o.rowN, o.count
	if m.prog.Traced {
		m.paths = append(m.paths[:0], o.paths...)
	}
	m.picks = append(m.picks[:0], o.picks...)
	m.pieces = o.pieces
	if m.kept != nil {
		copy(m.kept, o.kept)
		copy(m.keptDerived, o.keptDerived)
		copy(m.keptSquares, o.keptSquares)
	}
	m.Node, m.Site, m.Fault = o.Node, o.Site, o.Fault
}

// Kept is the state that an undo brings back, nil where the program has none. It belongs to the machine.
func (m *Machine) Kept() []int16 { return m.kept }

// Stand makes the machine stand at a throw, with a state that a machine of the same program has had there, and in programs that have
// it the state that an undo brings back.
func (m *Machine) Stand(site int, state, kept []int16) {
	if m.kept != nil {
		m.Assume(kept)
		m.keep()
	}
	m.Assume(state)
	m.Node, m.Site = code.NodeThrow, site
}

// Options are the options of the decision the machine stands at. They belong to the machine.
func (m *Machine) Options() []Option {
	if m.rowN > 0 {
		m.list()
	}
	return m.opts
}

// OptionCount is how many options there are.
func (m *Machine) OptionCount() int {
	if m.rowN > 0 {
		return m.count
	}
	return len(m.opts)
}

// Picks are the candidates of a pick, or the numbers of a chosen die. They belong to the machine.
func (m *Machine) Picks() []int16 { return m.picks }

// Refused are the options an explaining entry found and did not offer.
func (m *Machine) Refused() []Option { return m.refused }

// ReasonsOf are the clauses that speak against a refused option.
func (m *Machine) ReasonsOf(o *Option) []int16 { return m.reasons[o.Reasons : o.Reasons+o.ReasonN] }

// PathOf is the path of an option: code.PathTurn and steps.
func (m *Machine) PathOf(o *Option) []uint8 { return m.paths[o.Path : o.Path+o.PathLen] }

// Start runs from an entry to the first node.
func (m *Machine) Start(entry int) bool {
	return m.exec(m.at(m.prog.Entries[entry]))
}

// Eval runs an entry that meets no node and returns its value.
func (m *Machine) Eval(entry int) (int, bool) {
	ok := m.exec(m.at(m.prog.Entries[entry]))
	return m.result, ok
}

// Explain runs the explaining entry of a play: Options, Refused and their reasons tell the outcome. The state is
// not changed.
func (m *Machine) Explain(play int) bool {
	m.refused, m.reasons, m.fresh = m.refused[:0], m.reasons[:0], 0
	return m.exec(m.at(m.prog.Plays[play].Explain))
}

// Resume goes on after a node. result is the number of the option or pick taken; at a throw the values are in the
// state already.
func (m *Machine) Resume(result int) bool {
	m.result = result
	return m.exec(m.prog.Points[m.on.top[code.CellPoint]].To)
}

// Thrown goes on after the throw of a number that belongs into a cell.
func (m *Machine) Thrown(cell int, number int16) bool {
	m.result, m.st[cell] = 0, number
	return m.exec(m.prog.Points[m.on.top[code.CellPoint]].To)
}

// Equal reports whether two pieces are interchangeable: alike in colour, place and variables.
func (m *Machine) Equal(p, q int) bool {
	if p == q {
		return true
	}
	if p < 0 || q < 0 {
		return false
	}
	l := &m.prog.Layout
	if m.colour(p) != m.colour(q) || m.st[l.At+p] != m.st[l.At+q] || m.st[l.Node+p] != m.st[l.Node+q] {
		return false
	}
	return m.alike(p, q)
}

// alike reports whether the variables of two pieces are the same.
func (m *Machine) alike(p, q int) bool {
	for _, v := range m.prog.PieceVars {
		if m.st[v+p] != m.st[v+q] {
			return false
		}
	}
	return true
}

// Moved is which pieces may have been set down since it was last asked, piece p as bit p modulo 64.
func (m *Machine) Moved() uint64 {
	moved := m.touched
	m.touched = 0
	return moved
}
