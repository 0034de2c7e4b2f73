package vm

import (
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// row is a row of options with its values.
type row struct {
	set               uint64
	of                *code.Row
	to, steps, number int16
}

func (m *Machine) value(s *code.Source) int16 {
	switch {
	case s.Reg >= 0:
		return int16(m.r[s.Reg&255])
	case s.Reg == -2:
		return m.st[s.Const]
	}
	return int16(s.Const)
}

// decide makes the rows the options; of interchangeable pieces each row keeps the first. It takes a single option at once. It returns the
// next instruction: nil at a node, and in.Next (the plain form) if the sets are not exact or a watcher must see the clauses.
func (m *Machine) decide(in *code.Instr) *code.Instr {
	m.try = nil
	if m.inexact || m.Watch != nil {
		return in.Next
	}
	x, n, count := in.Rows, 0, 0
	for i := range x.Rows {
		if m.r[x.Rows[i].Set] == 0 {
			continue
		}
		r := &m.rows[n&(code.MaxRows-1)]
		m.makeRow(&x.Rows[i], r)
		if m.repeated(r, n) {
			return in.Next
		}
		count += bits.OnesCount64(r.set)
		n++
	}
	for _, f := range m.fires[:m.pending] { // the counts are no longer pending: the rows are exact
		m.Counters[f.counter] += uint64(f.n)
	}
	switch count {
	case 0:
		return x.ToNone
	case 1:
		m.takeOf(&m.rows[0], bits.TrailingZeros64(m.rows[0].set))
		return x.ToOne
	}
	m.rowN, m.count = n, count
	if c := m.chooses(); c != nil {
		m.takeRow(m.draw(c, count))
		return x.ToOne
	}
	m.view.header[code.CellPoint] = int16(x.Point)
	m.Node, m.Site = code.NodeOption, x.Play
	return nil
}

// makeRow computes a row.
func (m *Machine) makeRow(x *code.Row, r *row) {
	set := uint64(m.r[x.Set])
	if set&m.view.all[code.DerivedCrowd] != 0 {
		set = m.first(set)
	}
	r.set, r.of = set, x
	m.fillRow(x, r)
}

// fillRow fills in the values shared by all options of a row.
func (m *Machine) fillRow(x *code.Row, r *row) {
	if x.Kind == code.RowTo {
		r.to = m.value(&x.To)
	}
	r.steps = m.value(&x.Steps)
	if r.number = r.steps; !x.Counts {
		r.number = m.value(&x.Number)
	}
}

// repeated reports whether one of the first n rows may offer the same option as this row. Then the plain form must compare the options.
func (m *Machine) repeated(r *row, n int) bool {
	x := r.of
	for j := range n {
		o := &m.rows[j&(code.MaxRows-1)]
		if y := o.of; y.Move == x.Move && o.steps == r.steps && (y.Colour == x.Colour || y.Colour < 0 || x.Colour < 0) {
			return true
		}
	}
	return false
}

// takeRow writes option i of the rows to the state.
func (m *Machine) takeRow(i int) {
	r, p := m.chosen(i)
	m.rowN = 0
	m.takeOf(r, p)
}

// nth returns the number of the i-th set bit of a set. The position is unpredictable, so the first three steps have no branch.
func nth(set uint64, i int) int {
	if i > 3 {
		for ; i > 3; i-- {
			set &= set - 1
		}
	}
	less := set & (set - 1)
	if i > 0 {
		set = less
	}
	less = set & (set - 1)
	if i > 1 {
		set = less
	}
	less = set & (set - 1)
	if i > 2 {
		set = less
	}
	return bits.TrailingZeros64(set)
}

// chosen returns the row and the piece of option i.
func (m *Machine) chosen(i int) (*row, int) {
	if m.rowN == 1 {
		return &m.rows[0], nth(m.rows[0].set, i)
	}
	for n := 0; n < m.rowN; n++ {
		r := &m.rows[n]
		if end := m.groupEnd(n); end > n+1 {
			var all uint64
			for k := n; k < end; k++ {
				all |= m.rows[k].set
			}
			for ; all != 0; all &= all - 1 {
				p := bits.TrailingZeros64(all)
				for k := n; k < end; k++ {
					if m.rows[k].set>>p&1 != 0 {
						if i == 0 {
							return &m.rows[k], p
						}
						i--
					}
				}
			}
			n = end - 1
			continue
		}
		set := r.set
		for ; set != 0; set &= set - 1 {
			if i == 0 {
				return r, bits.TrailingZeros64(set)
			}
			i--
		}
	}
	return &m.rows[0], 0
}

// groupEnd returns the end of the group of row n; the rows of a group form one list.
func (m *Machine) groupEnd(n int) int {
	end, group := n+1, m.rows[n].of.Group
	for group != 0 && end < m.rowN && m.rows[end].of.Group == group {
		end++
	}
	return end
}

// takeOf writes the option that moves piece p to the state.
func (m *Machine) takeOf(r *row, p int) {
	x := r.of
	if x.Kind != code.RowWalk || r.number <= 0 || m.Watch != nil || m.winding && (m.pathed || m.bends(p, int(r.number))) {
		m.takeAny(r, p)
		return
	}
	// Fast path: a walk straight ahead.
	of, cells := &m.prog.Tracks.Walker[p&63], m.view.header
	node := int(m.view.node[p&63]) + int(r.number)
	if node >= of.End {
		node -= of.End - of.Node
	}
	to := m.prog.PlaceOf[node&(code.MaxNodes-1)]
	cells[code.CellMove], cells[code.CellNumber], cells[code.CellSteps] = int16(x.Move), 0, r.steps
	four((*[4]int16)(cells[code.CellP0:]), onlyPiece|uint64(p&63))
	four((*[4]int16)(cells[code.CellTo:]), ahead|uint64(uint16(r.number))<<32|uint64(uint16(node))<<16|uint64(uint16(to)))
	m.Counters[x.Clause]++
}

// Four cells as one word: no parameters but the first, and the heading of a walk straight ahead. They are variables, not constants, because
// the Go compiler then writes each word with one store.
var (
	onlyPiece = ^uint64(1<<16 - 1)
	ahead     = uint64(1) << (16 * (code.CellHeading - code.CellTo))
)

// bends is bent with a fast path for short walks ahead.
func (m *Machine) bends(p, n int) bool {
	if n < 1 || n > code.Ahead {
		return m.bent(p, n)
	}
	return m.window(int(m.view.node[p&63])+1)&(code.Every>>(8*(code.Ahead-n))<<code.SetTurns) != 0
}

// takeAny is takeOf for all kinds of rows.
func (m *Machine) takeAny(r *row, p int) {
	x := r.of
	st, l := m.st, &m.prog.Layout
	to, node, walk, heading := int(r.to), -1, 0, 1
	straight := true
	switch x.Kind {
	case code.RowWalk:
		of := &m.prog.Tracks.Walker[p&63]
		walk = int(r.number)
		if straight = walk > 0 && !(m.turns && m.bends(p, walk)); straight {
			if node = int(m.view.node[p&63]) + walk; node >= of.End {
				node -= of.End - of.Node
			}
		} else {
			node, heading, _ = m.follow(p, walk, false, l.Path >= 0)
		}
		to = int(m.prog.Tables[l.NodePlace+node])
	case code.RowTo:
		node = int(m.prog.Tables[l.NodeAt+int(m.prog.ColourOf[p&63])*l.Places+to])
	case code.RowStay:
		to, node = int(m.view.at[p&63]), int(m.view.node[p&63])
	case code.RowNone:
		to = int(m.view.at[p&63])
	}
	cells := (*[code.HeaderCells]int16)(st)
	cells[code.CellMove], cells[code.CellP0], cells[code.CellP1], cells[code.CellP2], cells[code.CellP3] = int16(x.Move), int16(p), -1, -1, -1
	cells[code.CellTo], cells[code.CellNode], cells[code.CellNumber] = int16(to), int16(node), 0
	cells[code.CellSteps], cells[code.CellHeading], cells[code.CellWalk] = r.steps, int16(heading), int16(walk)
	m.Counters[x.Clause]++
	if m.Watch != nil {
		m.Watch.Event(Event{Kind: EventFire, ID: x.Clause})
	}
	switch {
	case l.Path < 0:
		return
	case !straight:
		m.setPath(m.path)
		return
	}
	const four = 0x1111 // four steps straight ahead
	path := st[l.Path : l.Path+code.MaxPath/4]
	clear(path)
	st[code.CellPathLen] = int16(walk)
	for j := range walk / 4 {
		path[j] = four
	}
	if rest := walk % 4; rest > 0 {
		path[walk/4] = four & (1<<(4*rest) - 1)
	}
	if walk > 0 {
		st[code.CellPathLast] = int16(walk - 1)
	}
}

// list replaces the rows by a list of options in plain form.
func (m *Machine) list() {
	a := m.aside()
	a.Eval(int(m.prog.Plays[m.Site].List))
	m.opts = append(m.opts[:0], a.opts...)
	m.paths = append(m.paths[:0], a.paths...)
	m.rowN = 0
}
