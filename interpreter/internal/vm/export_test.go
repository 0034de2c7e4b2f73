package vm

import "github.com/rulerun/rulerun/interpreter/internal/code"

// Native performs a native on arguments and gives its result.
func (m *Machine) Native(op code.NativeOp, k int, args ...int) (int, code.Fault) {
	for i, a := range args {
		m.r[i] = int64(a)
	}
	f := m.native(&code.Instr{Op: code.NativeCall, C: uint8(op), B: uint8(len(args)), K: int32(k)})
	return int(m.r[0]), f
}

// Lift and Relink are the instructions of that name.
func (m *Machine) Lift(p int)   { m.lift(p) }
func (m *Machine) Relink(p int) { m.relink(p) }

// First keeps the first of each group of interchangeable pieces of a set.
func (m *Machine) First(set uint64) uint64 { return m.first(set) }

// Told evaluates a predicate from the tables, Asked by running the clause.
func (m *Machine) Told(question, p, place int) bool {
	yes, _ := m.predicate(question, p, place)
	return yes && !m.falseAlone(1<<question, p, place)
}

func (m *Machine) Asked(question, p, place int) bool {
	yes, _ := m.ask(m.aside(), &m.prog.Tracks.Questions[question], p, place)
	return yes
}

// AsRows reports whether the options are rows; ListRows replaces them by a list.
func (m *Machine) AsRows() bool { return m.rowN > 0 }
func (m *Machine) ListRows()    { m.list() }

// Chosen is the piece of option i of the rows.
func (m *Machine) Chosen(i int) int { _, p := m.chosen(i); return p }

// TakeOption writes an option to the state.
func (m *Machine) TakeOption(i int) { m.take(i) }

// FilterOptions keeps some options by duty.
func (m *Machine) FilterOptions(opts []Option) []Option {
	m.opts = append(m.opts[:0], opts...)
	m.filter(0, false)
	return m.opts
}

// SortScratch sorts keys and values.
func (m *Machine) SortScratch(keys, values []int16) {
	n := len(keys)
	m.sc = append(append(m.sc[:0], keys...), values...)
	m.sort(code.SortArea{Base: 0, Capacity: n}, n)
	copy(keys, m.sc)
	copy(values, m.sc[n:])
}

// Inside is everything that a copy of a machine must contain.
func (m *Machine) Inside() []any {
	return []any{m.st, m.dv, m.sq, append([]Option{}, m.opts...), append([]uint8{}, m.paths...), m.rowsInside(), m.rowN, append([]int16{}, m.picks...), m.pieces, m.undo, m.undoDerived, m.undoSquares, m.Node, m.Site, m.Fault}
}

func (m *Machine) rowsInside() (out []any) {
	for _, r := range m.rows[:m.rowN] {
		out = append(out, r.set, r.to, r.steps, r.number)
	}
	if m.rowN > 0 {
		out = append(out, m.count)
	}
	return out
}
