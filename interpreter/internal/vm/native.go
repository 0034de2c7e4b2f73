package vm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// emit adds an option described by a template.
func (m *Machine) emit(t *code.Template) bool {
	if len(m.opts)+len(m.refused) >= code.MaxOptions {
		return false
	}
	var r [12]int64
	for i := range t.Fields {
		f := &t.Fields[i]
		r[i] = int64(f.Const)
		if f.Reg >= 0 {
			r[i] = m.r[f.Reg&255]
		}
	}
	o := Option{
		Move: int16(r[0]), Params: [4]int16{int16(r[1]), int16(r[2]), int16(r[3]), int16(r[4])},
		To: int16(r[5]), Node: int16(r[6]), Steps: int16(r[7]), Heading: int16(r[8]), Number: int16(r[9]), Duties: uint64(r[10]), Walk: int16(r[11]),
		Clause: int16(t.Clause), From: -1,
	}
	if p := m.prog.MovesPiece[o.Move]; p && o.Params[0] >= 0 {
		o.From = m.st[m.prog.Layout.At+int(o.Params[0])]
	}
	if m.prog.Traced {
		o.Path, o.PathLen = int32(len(m.paths)), int32(len(m.path))
		m.paths = append(m.paths, m.path...)
	}
	if n := len(m.reasons) - m.fresh; n > 0 {
		o.Reasons, o.ReasonN = int32(m.fresh), int32(n)
		m.fresh = len(m.reasons)
		m.refused = append(m.refused, o)
		return true
	}
	if o.To < 0 && m.prog.MovesPiece[o.Move] { // a walk of no steps, which only an explaining play reaches
		return true
	}
	m.opts = append(m.opts, o)
	return true
}

// filter keeps the options that meet the earliest duties, then drops options that are equal to an earlier one. A duty that drops options
// increments its counter. With perNumber, a duty compares only options of the same number. An explaining run has a negative play; it
// refuses the options that a duty drops.
func (m *Machine) filter(play int, perNumber bool) {
	explain := play < 0
	opts := m.opts
	could, stronger := uint64(0), 0 // duties that some option met at the beginning, and the last duty that dropped options
	if m.Watch != nil {
		for i := range opts {
			could |= opts[i].Duties
		}
	}
	for d, clause := range m.prog.Duties {
		bit := uint64(1) << d
		meets := uint64(0) // numbers with an option that meets the duty
		for i := range opts {
			if opts[i].Duties&bit != 0 {
				meets |= group(&opts[i], perNumber)
			}
		}
		lost := func(o *Option) bool { return o.Duties&(bit|code.Spared) == 0 && meets&group(o, perNumber) != 0 }
		if meets == 0 && could&bit != 0 {
			m.Watch.Event(Event{Kind: EventIgnored, ID: clause, Args: [4]int16{int16(stronger)}})
		}
		divides := false
		for i := range opts {
			divides = divides || lost(&opts[i])
		}
		if !divides {
			continue
		}
		stronger = clause
		m.Counters[clause]++
		if m.Watch != nil {
			m.Watch.Event(Event{Kind: EventFire, ID: clause})
		}
		kept := opts[:0]
		for i := range opts {
			if !lost(&opts[i]) {
				kept = append(kept, opts[i])
				continue
			}
			if explain {
				o := opts[i]
				o.Reasons, o.ReasonN = int32(len(m.reasons)), 1
				m.reasons = append(m.reasons, int16(clause))
				m.fresh = len(m.reasons)
				m.refused = append(m.refused, o)
			}
		}
		opts = kept
	}
	if len(opts) > 1 {
		kept := opts[:1]
	next:
		for i := 1; i < len(opts); i++ {
			for j := range kept {
				if m.same(&kept[j], &opts[i]) {
					m.merged(&kept[j], &opts[i])
					continue next
				}
				if m.prog.WalkEnds && !explain && m.partTooLate(&kept[j], &opts[i], play) {
					continue next
				}
			}
			kept = append(kept, opts[i])
		}
		opts = kept
	}
	m.opts = opts
}

// group is the bit of the options with which a duty compares an option: those of its number, or all.
func group(o *Option, perNumber bool) uint64 {
	if perNumber {
		return 1 << o.Number
	}
	return 1
}

// same reports whether two options are equal in move, steps, end, and parameters, up to interchangeable pieces.
func (m *Machine) same(a, b *Option) bool {
	if a.Move != b.Move || a.Steps != b.Steps || a.To != b.To || a.Node != b.Node || a.From != b.From {
		return false
	}
	if a.Params == b.Params {
		return true
	}
	pieces := m.prog.PieceParams[a.Move]
	for i := range a.Params {
		if a.Params[i] == b.Params[i] {
			continue
		}
		if pieces>>i&1 == 0 || !m.Equal(int(a.Params[i]), int(b.Params[i])) {
			return false
		}
	}
	return true
}

// merged reports the pieces in which two options differ that are the same.
func (m *Machine) merged(a, b *Option) {
	for i := range a.Params {
		m.oneOf(int(a.Params[i]), int(b.Params[i]))
	}
}

// take writes an option to the state.
func (m *Machine) take(i int) {
	if m.rowN > 0 {
		m.takeRow(i)
		return
	}
	o, st, l := &m.opts[i], m.st, &m.prog.Layout
	st[code.CellMove] = o.Move
	copy(st[code.CellP0:code.CellP3+1], o.Params[:])
	st[code.CellTo], st[code.CellNode], st[code.CellSteps] = o.To, o.Node, o.Steps
	st[code.CellHeading], st[code.CellNumber], st[code.CellWalk] = o.Heading, o.Number, o.Walk
	m.Counters[o.Clause]++
	if m.Watch != nil {
		m.Watch.Event(Event{Kind: EventFire, ID: int(o.Clause)})
	}
	if l.Path < 0 {
		return
	}
	m.setPath(m.paths[o.Path : o.Path+o.PathLen])
}

// setPath writes the path of an option to the state.
func (m *Machine) setPath(path []uint8) {
	st, l := m.st, &m.prog.Layout
	st[code.CellPathLen] = int16(len(path))
	clear(st[l.Path : l.Path+code.MaxPath/4])
	for j, c := range path {
		if c != code.PathTurn && c <= code.MaxWays {
			st[code.CellPathLast] = int16(j)
		}
		st[l.Path+j/4] |= int16(uint16(c) << (j % 4 * 4))
	}
}

func (m *Machine) pathAt(i int) int {
	return int(uint16(m.st[m.prog.Layout.Path+i/4]) >> (i % 4 * 4) & 15)
}

// pickCount drops candidates equal to earlier ones.
func (m *Machine) pickCount() int {
	kept := m.picks[:0]
next:
	for _, v := range m.picks {
		for _, k := range kept {
			if k == v || m.pieces && m.Equal(int(k), int(v)) {
				m.oneOf(int(k), int(v))
				continue next
			}
		}
		kept = append(kept, v)
	}
	m.picks = kept
	return len(kept)
}

// sort sorts n values of a sort area by their keys; the sort is stable.
func (m *Machine) sort(area code.SortArea, n int) {
	keys, values := m.sc[area.Base:area.Base+n], m.sc[area.Base+area.Capacity:area.Base+area.Capacity+n]
	for i := 1; i < n; i++ {
		k, v := keys[i], values[i]
		j := i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j], values[j] = keys[j-1], values[j-1]
		}
		keys[j], values[j] = k, v
	}
}

// nextTurn passes the turn to the next player, or colour, still in the game.
func (m *Machine) nextTurn(colours bool) int {
	l, st := &m.prog.Layout, m.st
	n, x := l.Players, int(st[code.CellMe])
	if colours {
		n, x = l.Colours, int(st[code.CellColour])
	}
	for range n {
		if x++; x >= n {
			x = 0
		}
		player := x
		if colours {
			player = int(m.prog.Tables[l.ColourPlayer+x])
		}
		if st[l.Status+player] == code.Playing {
			st[code.CellMe] = int16(player)
			if colours {
				st[code.CellColour] = int16(x)
			}
			return 1
		}
	}
	return 0
}

// clearTurn resets the cells that live only within a turn.
func (m *Machine) clearTurn() {
	if m.Watch != nil {
		m.Watch.Event(Event{Kind: EventTurnEnds})
	}
	head := m.view.header
	head[code.CellAgain], head[code.CellPlays], head[code.CellQueue], head[code.CellThrown], head[code.CellEarned] = 0, 0, 0, 0, 0
	head[code.CellSteps], head[code.CellHeading], head[code.CellUsable] = 0, 1, 0
	if f := m.view.small; f != nil { // common size: cleared without a call
		*f = [code.SmallFrame]int16{}
		return
	}
	clear(m.view.frame)
}

// stride takes the steps of the path being carried out from step i on, up to a turn or a step that may trigger a reaction. For each node,
// the table has bit 1 if leaving it may trigger a reaction, and bit 2 for entering it.
func (m *Machine) stride(i, node int, back bool, table int) int {
	ways, heading := m.ways(back)
	reacts := m.prog.Tables[table:]
	for n := int(m.st[code.CellPathLen]); i < n && m.pathAt(i) != code.PathTurn; i++ {
		next := int(ways[node])
		if reacts[node]&1 != 0 || reacts[next]&2 != 0 {
			break
		}
		node = next
		m.st[code.CellHeading] = heading
	}
	return i | node<<16
}

// strideAll takes all steps of the path being carried out if it has no turn and no step may trigger a reaction; it returns 1 in that case,
// otherwise 0.
func (m *Machine) strideAll(table int) int {
	ways, heading := m.ways(m.st[code.CellWalk] < 0)
	reacts, node := m.prog.Tables[table:], int(m.st[m.prog.Layout.Node+int(m.st[code.CellP0])])
	n := int(m.st[code.CellPathLen])
	for i := range n {
		next := int(ways[node])
		if m.pathAt(i) == code.PathTurn || reacts[node]&1 != 0 || reacts[next]&2 != 0 {
			return 0
		}
		node = next
	}
	if n > 0 {
		m.st[code.CellHeading] = heading
	}
	return 1
}

// ways returns the table of the next, or previous, node of each node, and the direction.
func (m *Machine) ways(back bool) ([]int16, int16) {
	if back {
		return m.prog.Tables[m.prog.Layout.NodePrev:], -1
	}
	return m.prog.Tables[m.prog.Layout.NodeNext:], 1
}
