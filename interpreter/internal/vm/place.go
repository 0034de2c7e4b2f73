package vm

import "github.com/rulerun/rulerun/interpreter/internal/code"

// lift removes a piece from its place. Its own links stay, so that relink can restore the exact position.
func (m *Machine) lift(p int) {
	m.unlink(p, int(m.st[m.prog.Layout.At+p]))
	if len(m.dv) > 0 {
		m.dv[code.DerivedHand] |= 1 << (p & 63)
	}
}

// unlink removes a piece from the linked list of its place.
func (m *Machine) unlink(p, place int) {
	l, st := &m.prog.Layout, m.st
	next, prev := st[l.Next+p], st[l.Prev+p]
	if prev < 0 {
		st[l.Head+place] = next
	} else {
		st[l.Next+int(prev)] = next
	}
	if next < 0 {
		st[l.Tail+place] = prev
	} else {
		st[l.Prev+int(next)] = prev
	}
	st[l.Count+place]--
}

// leave removes a piece from its place permanently.
func (m *Machine) leave(p int) {
	place := int(m.st[m.prog.Layout.At+p])
	t := m.prog.Tracks
	if t == nil || m.st[m.prog.Layout.Count+place] <= t.Quiet[place] {
		m.lift(p)
		return
	}
	before := m.trackSets(t, place)
	m.lift(p)
	m.updateTrackSets(t, place, before)
}

// relink undoes lift.
func (m *Machine) relink(p int) {
	l, st := &m.prog.Layout, m.st
	place := int(st[l.At+p])
	next, prev := st[l.Next+p], st[l.Prev+p]
	if prev < 0 {
		st[l.Head+place] = int16(p)
	} else {
		st[l.Next+int(prev)] = int16(p)
	}
	if next < 0 {
		st[l.Tail+place] = int16(p)
	} else {
		st[l.Prev+int(next)] = int16(p)
	}
	st[l.Count+place]++
	if len(m.dv) > 0 {
		m.dv[code.DerivedHand] &^= 1 << (p & 63)
	}
}

// setDown puts a piece on a place as the latest arrival, from the hand or from its place.
func (m *Machine) setDown(p, place, node int) {
	if len(m.dv) > 0 {
		m.setDownDerived(p, place, node)
		return
	}
	l, st := &m.prog.Layout, m.st
	m.touched |= 1 << (p & 63)
	next, prev := st[l.Next+p:], st[l.Prev+p:]
	from := int(st[l.At+p])
	if prev[0] != code.InHand {
		m.unlink(p, from)
	}
	last := &st[l.Tail+place]
	tail := *last
	prev[0], next[0] = tail, -1
	if tail < 0 {
		st[l.Head+place] = int16(p)
	} else {
		st[l.Next+int(tail)] = int16(p)
	}
	*last = int16(p)
	st[l.Count+place]++
	st[l.At+p], st[l.Node+p] = int16(place), int16(node)
	if m.Watch != nil {
		m.Watch.Event(Event{Kind: EventPut, ID: p, Args: [4]int16{int16(from), int16(place)}})
	}
}

// settle is setDown in a program with derived words; it updates them.
func (m *Machine) setDownDerived(p, place, node int) {
	t, from := m.prog.Tracks, int(m.view.at[p&63])
	if m.moveAlone(p, from, place, node) {
		return
	}
	if t == nil || m.view.count[from&255] <= t.Quiet[from&255] && m.view.count[place&255] < t.Quiet[place&255] {
		m.link(p, place, node)
	} else {
		m.relinkJudged(t, p, place, node)
	}
	if m.Watch != nil {
		m.Watch.Event(Event{Kind: EventPut, ID: p, Args: [4]int16{int16(from), int16(place)}})
	}
}

// moveAlone is the fast path: the piece stands alone on a square, the target square is empty, and no track set depends on one piece. All
// new lists and words are then constants.
func (m *Machine) moveAlone(p, from, place, node int) bool {
	v, q, to := &m.view, p&63, place&(code.MaxListed-1)
	from &= code.MaxListed - 1
	bit := uint64(1) << q
	if v.unaffected[from]&v.unaffected[to] == 0 || v.set[from] != bit || v.set[to] != 0 || v.head[from] != int16(q) || m.Watch != nil {
		return false
	}
	m.touched |= bit
	v.at[q], v.node[q] = int16(to), int16(node)
	v.head[from], v.head[to] = -1, int16(q)
	v.tail[from], v.tail[to] = -1, int16(q)
	v.count[from], v.count[to] = 0, 1
	v.set[from], v.set[to] = 0, bit
	return true
}

// relinkJudged is link for places whose track sets may change.
func (m *Machine) relinkJudged(t *code.Tracks, p, place, node int) {
	from := int(m.view.at[p&63])
	left, reached := m.view.count[from&255] > t.Quiet[from&255], m.view.count[place&255] >= t.Quiet[place&255] && place != from
	var before, there uint64
	if left || place == from {
		before = m.trackSets(t, from)
	}
	if reached {
		there = m.trackSets(t, place)
	}
	m.link(p, place, node)
	if left || place == from {
		m.updateTrackSets(t, from, before)
	}
	if reached {
		m.updateTrackSets(t, place, there)
	}
}

// link moves a piece to the linked list and the derived words of its new place. Its neighbours are unpredictable, so addresses are selected
// without branches.
func (m *Machine) link(p, place, node int) {
	v, q, to := &m.view, p&63, place&255
	m.touched |= 1 << q
	l, st, from := &m.prog.Layout, m.st, int(v.at[q])&255
	prev, next := v.prev[q], v.next[q]
	ahead, behind := l.Next+int(prev), l.Prev+int(next)
	if prev != code.InHand {
		before, after := l.Head+from, l.Tail+from
		if prev >= 0 {
			before = ahead
		}
		if next >= 0 {
			after = behind
		}
		st[before], st[after] = next, prev
		v.count[from]--
	}
	tail, last := v.tail[to], l.Head+to
	ahead = l.Next + int(tail)
	if tail >= 0 {
		last = ahead
	}
	st[last], v.tail[to] = int16(q), int16(q)
	v.count[to]++
	v.prev[q], v.next[q], v.at[q], v.node[q] = tail, -1, int16(to), int16(node)
	bit := uint64(1) << q
	left := v.set[from] &^ bit
	v.set[from] = left
	there := v.set[to] | bit
	v.set[to] = there
	all := v.all
	all[code.DerivedHand] &^= bit
	squares := all[code.DerivedSquares] | bit
	if to < l.FirstSquare {
		squares &^= bit
	}
	all[code.DerivedSquares] = squares
	// Pieces that do not stand alone within their colour.
	mates := m.prog.Mates[q]
	crowd := all[code.DerivedCrowd] &^ bit
	if left &= mates; left&(left-1) == 0 {
		crowd &^= left
	}
	if there &= mates; there&(there-1) != 0 {
		crowd |= there
	}
	all[code.DerivedCrowd] = crowd
}

// lists are typed views of the state and the derived words, in a program with derived words: for each piece the next and previous piece on
// its place, its place and its node; for each place the first and last piece, the count, and the set. Array pointers have a constant size,
// so accesses need no bounds check.
type views struct {
	next, prev, at, node *[64]int16
	head, tail, count    *[code.MaxListed]int16
	set                  *[code.MaxListed]uint64
	all                  *[code.DerivedPlaces]uint64
	unaffected, alone    *[code.MaxListed]uint8            // tables of the program
	header               *[code.HeaderCells]int16          // the header of the state, in every program
	frame                []int16                           // also in every program
	small                *[code.SmallFrame]int16           // the frame, if it has exactly this size
	sets                 *[code.MaxNodes + code.Ahead]byte // track sets by node, if there are any
}

// none is a table that is 0 for every place. noLists are the views of a program without derived words: they are empty and never written.
var (
	none    [code.MaxListed]uint8
	noViews = func() views {
		piece, place := new([64]int16), new([code.MaxListed]int16)
		return views{
			next: piece, prev: piece, at: piece, node: piece, head: place, tail: place, count: place,
			set: new([code.MaxListed]uint64), all: new([code.DerivedPlaces]uint64), unaffected: &none, alone: &none,
		}
	}()
)

// four writes four consecutive cells.
func four(c *[4]int16, w uint64) {
	c[0], c[1], c[2], c[3] = int16(w), int16(w>>16), int16(w>>32), int16(w>>48)
}

// of sets the views of a state and its derived words; the slices need spare capacity for views that extend past their end.
func (v *views) of(p *code.Program, st []int16, dv []uint64, squares []byte) {
	l := &p.Layout
	header, frame := (*[code.HeaderCells]int16)(st[:code.HeaderCells]), st[l.Frame:l.FrameEnd]
	var small *[code.SmallFrame]int16
	if len(frame) == code.SmallFrame {
		small = (*[code.SmallFrame]int16)(frame)
	}
	if len(dv) == 0 {
		*v = noViews
		v.header, v.frame, v.small = header, frame, small
		return
	}
	piece := func(at int) *[64]int16 { return (*[64]int16)(st[at : at+64]) }
	place := func(at int) *[code.MaxListed]int16 { return (*[code.MaxListed]int16)(st[at : at+code.MaxListed]) }
	*v = views{
		piece(l.Next), piece(l.Prev), piece(l.At), piece(l.Node), place(l.Head), place(l.Tail), place(l.Count),
		(*[code.MaxListed]uint64)(dv[code.DerivedPlaces : code.DerivedPlaces+code.MaxListed]),
		(*[code.DerivedPlaces]uint64)(dv), &p.Unaffected, &none, header, frame, small, nil,
	}
	if p.Tracks != nil {
		v.alone = &p.Tracks.Alone
		v.sets = (*[code.MaxNodes + code.Ahead]byte)(squares[:code.MaxNodes+code.Ahead])
	}
}

func (m *Machine) putAt(p, place int) {
	m.setDown(p, place, m.firstNode(m.colour(p), place))
}

// firstNode is the first node of a colour's track on a place, -1 if the place is off the track.
func (m *Machine) firstNode(colour, place int) int {
	l := &m.prog.Layout
	return int(m.prog.Tables[l.NodeAt+colour*l.Places+place])
}

// colour is the colour a piece belongs to.
func (m *Machine) colour(p int) int {
	if at := m.prog.Layout.Owner; at >= 0 {
		return int(m.st[at+p])
	}
	return p / m.prog.Layout.PerColour
}

// give gives a piece to another colour. Only programs without derived words do this.
func (m *Machine) give(p, colour int) {
	l, was := &m.prog.Layout, m.colour(p)
	if was == colour {
		return
	}
	m.st[l.Owner+p] = int16(colour)
	place := int(m.st[l.At+p])
	if m.st[l.Prev+p] == code.InHand {
		m.putAt(p, place)
	} else {
		m.st[l.Node+p] = int16(m.firstNode(colour, place))
	}
	m.touched |= 1 << (p & 63)
	if m.Watch != nil {
		m.Watch.Event(Event{Kind: EventGiven, ID: p, Args: [4]int16{int16(was), int16(colour)}})
	}
}

// Place puts a piece on the first node of its track on a place, for callers outside the program.
func (m *Machine) Place(p, place int) { m.putAt(p, place) }

// PlaceAt puts a piece on a place, at a node of its track or -1, for positions.
func (m *Machine) PlaceAt(p, place, node int) { m.setDown(p, place, node) }
