// Package vm runs the programs of package code: one machine for one game at a time.
//
// A machine holds what does not belong to the position: registers, the options of the current decision, and what observers asked for. The
// position itself is the state, a block of 16-bit cells that callers may copy at every node. A common mistake: options are derived data, so
// code that copies a state at a decision must copy the options too. CopyFrom does.
package vm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Option is a legal move of the current decision.
type Option struct {
	Move    int16
	Params  [4]int16
	From    int16 // place of the first piece, or -1
	To      int16 // place, or -1
	Node    int16 // of the track, or -1
	Steps   int16
	Heading int16
	Walk    int16 // the number of steps it walks
	Number  int16 // index of the number it uses, in a play of several numbers
	Clause  int16 // counter of the may that offers it
	Path    int32 // start of its path in the machine's paths
	PathLen int32
	Duties  uint64 // the duties it meets, a bit each
	Reasons int32  // explaining: start of its reasons
	ReasonN int32
}

// Fields of an option that programs read.
const (
	OfferPiece = iota
	OfferTo
	OfferSteps
	OfferMove
)

// Fault is the reason why a program cannot continue.
type Fault struct {
	Kind code.Fault
	Site int // the place in the rules, as numbered by the compiler

	Value, Low, High int64 // of FaultRange: the number, and what fits
}

// Event is something that happened, for watchers.
type Event struct {
	Kind EventKind
	ID   int // counter of a clause, act or variable; piece
	Args [4]int16
}

// EventKind says what happened.
type EventKind uint8

// The kinds of event.
const (
	EventFire     EventKind = iota // counter ID
	EventAct                       // act ID with Args
	EventPut                       // piece ID from place Args[0] to Args[1]
	EventGiven                     // piece ID from colour Args[0] to Args[1]
	EventDecided                   // the options of play ID are ready
	EventAsked                     // the candidates of question ID are ready
	EventTurnEnds                  // the turn, or the setup, is over
	EventIgnored                   // no option that the duty of counter Args[0] left meets the duty of counter ID
)

// Watcher receives events. A machine may have none.
type Watcher interface {
	Event(Event)
}

// Machine runs one game. It belongs to one goroutine.
type Machine struct {
	prog *code.Program
	r    [256]int64 // numbers and sets: 64 bits on every platform
	st   []int16
	sc   []int16
	dv   []uint64 // derived words, see derived.go
	sq   []byte   // track sets of each square
	view views    // typed views of the lists of pieces in st and dv

	opts           []Option
	refused        []Option
	paths          []uint8
	path           []uint8
	reasons        []int16
	fresh          int               // start of the reasons of the option being tried
	pendingReasons [][]int16         // reasons of each branch of a walk that is not finished yet
	rows           [code.MaxRows]row // options as sets, instead of opts
	rowN           int               // length of rows
	colours        int               // number of colours, and the first key of two pieces on a place
	pairs          int
	turns          bool // walks may turn
	pathed         bool // the rules read the path of a walk
	winding        bool // turns || pathed
	count          int  // number of options in rows
	inexact        bool // the sets are not exact: use the plain form
	fires          [maxFires]pendingFire
	pending        int         // number of pending counts in fires
	try            *code.Instr // target of a fault while options are computed as sets
	other          *Machine    // see aside
	picks          []int16
	pieces         bool // the picks are pieces

	chance      *Chance // nil: stop at every node
	touched     uint64  // see Moved
	result      int
	Node        code.NodeKind
	Site        int
	Fault       Fault
	Counters    []uint64
	times       uint64 // how often a counter counts
	Notes       []bool // notes taken, in a program that takes notes
	Watch       Watcher
	OneOf       func(p, q int) // called for interchangeable pieces, of which options or candidates have the first only; may be nil
	calls       [64]*code.Instr
	sp          int      // depth of calls
	fuel        int      // backward jumps left to the run, or left over by it
	values      []int16  // for each option, how many numbers can be used
	tried       []Option // those options, and their paths
	triedPaths  []uint8
	ahead       *Machine // the copy for lookahead
	outcome     []int16  // outcome of a finished lookahead
	looking     bool     // this machine is a lookahead of another
	leftOver    int16    // result of the lookahead: numbers left over
	depth       int
	root        *Machine // the machine that started the outermost lookahead
	spent       int      // jumps of all lookaheads since the decision
	undo        []int16
	undoDerived []uint64
	undoSquares []byte
}

// New returns a machine in the program's initial state, at no node yet.
func New(p *code.Program) *Machine {
	m := &Machine{prog: p, sc: make([]int16, p.Scratch), Counters: make([]uint64, p.Counters), times: 1}
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
	m.view.of(p, m.st, m.dv, m.sq)
	m.colours, m.pairs = p.Layout.Colours, 1+p.Layout.Colours
	m.turns, m.pathed = p.Tracks != nil && p.Tracks.Has[code.SetTurns], p.Layout.Path >= 0
	m.winding = m.turns || m.pathed
	if p.Notes > 0 {
		m.Notes = make([]bool, p.Notes)
	}
	if p.Layout.Keeps {
		m.undo, m.undoDerived, m.undoSquares = make([]int16, p.Layout.Size), make([]uint64, len(p.Derived)), make([]byte, len(p.Squares))
		m.saveUndo()
	}
	return m
}

// Reset restores the initial state. Counters keep their values.
func (m *Machine) Reset() {
	copy(m.st, m.prog.Initial)
	copy(m.dv, m.prog.Derived)
	copy(m.sq, m.prog.Squares)
	m.touched = ^uint64(0)
	m.opts, m.picks, m.rowN = m.opts[:0], m.picks[:0], 0
	m.Fault = Fault{}
	m.saveUndo()
}

// State is the machine's state. It belongs to the machine.
func (m *Machine) State() []int16 { return m.st }

// CopyFrom copies the position of another machine. Both must run the same program.
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
	if m.undo != nil {
		copy(m.undo, o.undo)
		copy(m.undoDerived, o.undoDerived)
		copy(m.undoSquares, o.undoSquares)
	}
	m.Node, m.Site, m.Fault = o.Node, o.Site, o.Fault
}

// Kept is the state that an undo restores, nil in a program without undo. It belongs to the machine.
func (m *Machine) Kept() []int16 { return m.undo }

// Stand puts the machine at a throw, with a state that a machine of the same program had there. In programs with undo, undo is the state
// that an undo restores.
func (m *Machine) Stand(site int, state, undo []int16) {
	if m.undo != nil {
		m.Assume(undo)
		m.saveUndo()
	}
	m.Assume(state)
	m.Node, m.Site = code.NodeThrow, site
}

// Options are the options of the current decision. They belong to the machine.
func (m *Machine) Options() []Option {
	if m.rowN > 0 {
		m.list()
	}
	return m.opts
}

// OptionCount is the number of options.
func (m *Machine) OptionCount() int {
	if m.rowN > 0 {
		return m.count
	}
	return len(m.opts)
}

// Picks are the candidates of a pick, or the numbers of a chosen die. They belong to the machine.
func (m *Machine) Picks() []int16 { return m.picks }

// Refused are the options that an explaining entry found and did not offer.
func (m *Machine) Refused() []Option { return m.refused }

// ReasonsOf are the clauses that refuse an option.
func (m *Machine) ReasonsOf(o *Option) []int16 { return m.reasons[o.Reasons : o.Reasons+o.ReasonN] }

// PathOf is the path of an option: code.PathTurn and steps.
func (m *Machine) PathOf(o *Option) []uint8 { return m.paths[o.Path : o.Path+o.PathLen] }

// Start runs from an entry to the first node.
func (m *Machine) Start(entry int) bool {
	return m.exec(m.at(m.prog.Entries[entry]))
}

// Eval runs an entry that reaches no node and returns its value.
func (m *Machine) Eval(entry int) (int, bool) {
	ok := m.exec(m.at(m.prog.Entries[entry]))
	return m.result, ok
}

// Explain runs the explaining entry of a play. Options, Refused and ReasonsOf are the result. The state does not change.
func (m *Machine) Explain(play int) bool {
	m.refused, m.reasons, m.fresh = m.refused[:0], m.reasons[:0], 0
	return m.exec(m.at(m.prog.Plays[play].Explain))
}

// Resume continues after a node. result is the number of the option or candidate chosen; at a throw the values are already in the state.
func (m *Machine) Resume(result int) bool {
	m.result = result
	return m.exec(m.prog.Points[m.view.header[code.CellPoint]].To)
}

// Thrown continues after a throw whose number is stored to a cell.
func (m *Machine) Thrown(cell int, number int16) bool {
	m.result, m.st[cell] = 0, number
	return m.exec(m.prog.Points[m.view.header[code.CellPoint]].To)
}

// Equal reports whether two pieces are interchangeable: equal in colour, place and variables.
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
	return m.sameVars(p, q)
}

// oneOf reports that of two pieces, -1 for none, the first stands for both.
func (m *Machine) oneOf(p, q int) {
	if m.OneOf != nil && p != q {
		m.OneOf(p, q)
	}
}

// sameVars reports whether the variables of two pieces are equal, and no lasting variable names one of them alone.
func (m *Machine) sameVars(p, q int) bool {
	for _, v := range m.prog.PieceVars {
		if m.st[v+p] != m.st[v+q] {
			return false
		}
	}
	for _, v := range m.prog.Named {
		if n := int(m.st[v]); n == p || n == q {
			return false
		}
	}
	for _, v := range m.prog.Members {
		if (m.st[v.Cell+p/16*v.Stride]>>(p%16)^m.st[v.Cell+q/16*v.Stride]>>(q%16))&1 != 0 {
			return false
		}
	}
	return true
}

// Moved returns the pieces that may have been set down since the last call: piece p is bit p modulo 64.
func (m *Machine) Moved() uint64 {
	moved := m.touched
	m.touched = 0
	return moved
}
