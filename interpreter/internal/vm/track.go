package vm

import (
	"encoding/binary"
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// key encodes the pieces on a place as a table index: none, one piece of a colour, or two by colour in order of arrival. It is -1 for more
// pieces, which the tables do not cover. The count is unpredictable, so the code has no branch.
func (m *Machine) key(place int) int {
	v, of, at := &m.view, &m.prog.ColourOf, place&(code.MaxListed-1)
	count, first := v.count[at], int(of[v.head[at]&63])
	k := 1 + first
	if count == 0 {
		k = 0
	}
	two := m.pairs + first*m.colours + int(of[v.tail[at]&63])
	if count == 2 {
		k = two
	}
	if count > 2 {
		k = -1
	}
	return k
}

// trackSets returns the track sets that contain a place in its current state.
func (m *Machine) trackSets(t *code.Tracks, place int) uint64 {
	if k := m.key(place); k >= 0 {
		return t.Holds[place*t.Keys+k]
	}
	_, holds := m.Spoken(t, place)
	return holds
}

// Spoken evaluates the judges of a place one by one. says is the judges that apply, holds the track sets that contain the place.
func (m *Machine) Spoken(t *code.Tracks, place int) (says, holds uint64) {
	a := m.aside()
	p0, to := m.st[code.CellP0], m.st[code.CellTo]
	for colour := range t.Base {
		if t.Nodes[colour*m.prog.Layout.Places+place] == 0 {
			continue
		}
		m.st[code.CellP0], m.st[code.CellTo] = int16(colour*m.prog.Layout.PerColour), int16(place)
		for j := range t.Judges {
			switch v, ok := a.Eval(t.Judges[j].Entry); {
			case !ok: // a fault of the rules: the plain form reports it
				holds |= code.In(code.SetHard) << (8 * colour)
			case v != 0:
				says |= 1 << (8*j + colour)
				holds |= code.In(t.Judges[j].Set) << (8 * colour)
			}
		}
	}
	m.st[code.CellP0], m.st[code.CellTo] = p0, to
	return says, code.Parted(holds)
}

// Settled fills in the track sets of the state before the first turn and returns the squares.
func (m *Machine) Settled() []byte {
	for place := range m.prog.Layout.Places {
		m.updateTrackSets(m.prog.Tracks, place, 0)
	}
	return m.sq
}

// aside is a machine that evaluates entries on this machine's state in the middle of a run.
func (m *Machine) aside() *Machine {
	if m.other == nil {
		m.other = New(m.prog)
	}
	m.other.st, m.other.dv, m.other.sq, m.other.view = m.st, m.dv, m.sq, m.view
	return m.other
}

// updateTrackSets updates the track sets of a place; before holds its previous sets. If the place is off a colour's track, the flip goes to
// a dummy square.
func (m *Machine) updateTrackSets(t *code.Tracks, place int, before uint64) {
	diff := m.trackSets(t, place) ^ before
	if diff == 0 {
		return
	}
	sets := m.view.sets
	for at := place; at < len(t.Nodes); at += m.prog.Layout.Places {
		node := int(t.Nodes[at]) & (code.MaxNodes - 1)
		sets[node] ^= uint8(diff)
		if t.Loop {
			m.updateWrapped(t, at, node, uint8(diff))
		}
		diff >>= 8
	}
}

// updateWrapped updates the copy of a square behind the end of a loop track.
func (m *Machine) updateWrapped(t *code.Tracks, at, node int, diff uint8) {
	if colour := at / m.prog.Layout.Places; node < t.Base[colour]+code.MaxStraight {
		m.view.sets[(node+t.Length[colour])&(code.MaxNodes-1)] ^= diff
	}
}

// window loads the sets of the next code.Ahead squares from node i on.
func (m *Machine) window(i int) uint64 {
	return binary.LittleEndian.Uint64(m.view.sets[i&(code.MaxNodes-1):])
}

// stopMasks select what stops a walk of n steps, see code.Way.
var stopMasks = func() (out [code.Ahead + 1]uint64) {
	for n := 1; n < len(out); n++ {
		out[n] = code.Way(n)
	}
	return out
}()

// freeSteps returns the number of steps before the first of the next n squares, from node i on, that stops a walk; n if none does.
func (m *Machine) freeSteps(i, n int) int {
	for free := 0; free < n; free += code.Ahead {
		way := uint64(code.Every << code.SetStops)
		if left := n - free; left <= code.Ahead {
			way = stopMasks[left]
		}
		if stops := m.window(i+free) & way; stops != 0 {
			return free + bits.TrailingZeros64(stops)>>3
		}
	}
	return n
}

// walkers keeps the pieces of a set that can walk n steps, according to the track sets. If they are not exact, m.inexact makes the decision
// use the plain form.
func (m *Machine) walkers(set uint64, n int) uint64 {
	if n <= 0 || n > code.MaxStraight {
		return m.followers(set, set, n)
	}
	var stopped uint64
	if n <= code.Ahead {
		sets, nodes, way := m.view.sets, m.view.node, stopMasks[n]
		for rest := set; rest != 0; rest &= rest - 1 {
			p := bits.TrailingZeros64(rest) & 63
			if binary.LittleEndian.Uint64(sets[(int(nodes[p])+1)&(code.MaxNodes-1):])&way != 0 {
				stopped |= rest & -rest
			}
		}
	} else {
		for rest := set; rest != 0; rest &= rest - 1 {
			p := bits.TrailingZeros64(rest) & 63
			if m.freeSteps(int(m.view.node[p])+1, n) < n {
				stopped |= rest & -rest
			}
		}
	}
	if stopped == 0 {
		return set
	}
	return set &^ m.stopped(stopped, n)
}

// stopped returns the pieces of a set that cannot walk n steps; something stops each of them on the straight way.
func (m *Machine) stopped(set uint64, n int) uint64 {
	t := m.prog.Tracks
	if t.Has[code.SetTurns] || t.Has[code.SetHardLast] {
		return set &^ m.followers(set, set, n)
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		p := bits.TrailingZeros64(rest) & 63
		node := int(m.view.node[p])
		if node < 0 { // off its track
			continue
		}
		free := 0
		if n > code.Ahead {
			free = m.freeSteps(node+1, n)
		} else {
			free = bits.TrailingZeros64(m.window(node+1)&stopMasks[n]) >> 3
		}
		at := node + 1 + free
		squareSets := m.view.sets[at&(code.MaxNodes-1)]
		if squareSets&(1<<code.SetStops|1<<code.SetHard) == 1<<code.SetStops|1<<code.SetHard {
			if _, _, ok := m.follow(p, n, true, false); ok {
				set &^= 1 << p
			}
			continue
		}
		of, by := &t.Walker[p], code.SetEnds
		if squareSets&(1<<code.SetStops) != 0 {
			by = code.SetStops
		}
		if at >= of.End && t.Loop {
			at -= of.End - of.Node
		}
		m.noteClause(t, of, p, node, at, by)
	}
	return set
}

// followers removes from set the pieces of some whose walk of n steps is not permitted.
func (m *Machine) followers(set, some uint64, n int) uint64 {
	for ; some != 0; some &= some - 1 {
		if _, _, ok := m.follow(bits.TrailingZeros64(some), n, true, false); !ok {
			set &^= some & -some
		}
	}
	return set
}

// follow walks piece p according to the track sets, backwards if n is negative. It returns the end node and the direction of the last step;
// ok is false if the walk is not permitted. It sets m.inexact if the sets are not exact. With counts, it adds pending counts for the clauses
// that apply; with trace, it leaves the path in m.path.
//
// During the walk the piece is off its own square, which matters if the walk turns round and returns there.
func (m *Machine) follow(p, n int, counts, trace bool) (node, heading int, ok bool) {
	t := m.prog.Tracks
	of := &t.Walker[p&63]
	own := int(m.st[m.prog.Layout.Node+p]) - of.Node
	left, back := n, n < 0
	if back {
		left = -n
	}
	if own < -of.Node || left == 0 { // off its track
		return 0, 0, false
	}
	if left > code.MaxStraight {
		m.inexact = true
		return 0, 0, false
	}
	if trace {
		m.path = m.path[:0]
	}
	at, taken, turned, away := own, false, false, false
	for left > 0 {
		if back && at < left && !t.Loop {
			m.inexact = true
			return 0, 0, false
		}
		next := of.On(t, at, 1, back)
		squareSets := m.sq[of.Node+next]
		if away && next == own {
			if squareSets, ok = m.setsWithout(t, p); !ok {
				m.inexact = true
				return 0, 0, false
			}
		}
		if left > 1 { // these sets concern only the last step
			squareSets &^= 1<<code.SetEnds | 1<<code.SetHardLast
		}
		in := func(set int) bool { return squareSets>>set&1 != 0 }
		passes := !in(code.SetStops) && !in(code.SetEnds)
		set, asked := code.SetTurns, -1
		switch {
		case passes:
		case in(code.SetHard) || in(code.SetHardLast):
			switch what, counter := m.askStep(t, of, p, next, left-1); {
			case what == code.SaidGo:
				passes = true
			case what == code.SaidBar:
				if counts {
					m.fireLater(counter, 1)
				}
				return 0, 0, false
			case what == code.SaidTurn && in(code.SetTurns):
				asked = counter
			default:
				m.inexact = true
				return 0, 0, false
			}
		case in(code.SetStops) && !in(code.SetTurns):
			set = code.SetStops
		case in(code.SetEnds):
			set = code.SetEnds
		}
		if passes {
			if at, taken, turned, left = next, true, false, left-1; trace {
				m.path = append(m.path, 1)
			}
			continue
		}
		switch {
		case !counts:
		case asked >= 0:
			m.fireLater(asked, 1)
		default:
			m.noteClause(t, of, p, of.Node+own, of.Node+next, set)
		}
		if set != code.SetTurns {
			return 0, 0, false
		}
		if trace {
			m.path = append(m.path, code.PathTurn)
		}
		back, away = !back, true
		if turned { // two turns without a step between: the walk ends
			break
		}
		turned = true
	}
	if left > 0 && taken && t.Early { // the walk may end here
		m.inexact = true
	}
	return of.Node + at, int(1 - 2*truth(back)), taken
}

// askCost is the cost of asking the clauses about a step, in jumps.
const askCost = 20

// askStep evaluates the clauses about a step to the square at an index, with left steps after it. The piece is off its square during the
// evaluation.
func (m *Machine) askStep(t *code.Tracks, of *code.Walker, p, at, left int) (what code.Said, counter int) {
	if t.Ask == 0 || at < 0 || at >= of.End-of.Node {
		return code.SaidOther, 0
	}
	m.fuel -= askCost
	a, cells := m.aside(), m.st
	p0, p1, to := cells[code.CellP0], cells[code.CellP1], cells[code.CellTo]
	cells[code.CellP0], cells[code.CellP1] = int16(p), int16(left)
	cells[code.CellTo] = m.prog.Tables[m.prog.Layout.NodePlace+of.Node+at]
	m.lift(p)
	v, ok := a.Eval(t.Ask)
	m.relink(p)
	cells[code.CellP0], cells[code.CellP1], cells[code.CellTo] = p0, p1, to
	if !ok {
		return code.SaidOther, 0
	}
	return code.Said(v).Of()
}

// bent reports whether an option's walk may turn.
func (m *Machine) bent(p, n int) bool {
	t := m.prog.Tracks
	if !t.Has[code.SetTurns] {
		return false
	}
	of := &t.Walker[p&63]
	at, back := int(m.view.node[p&63])-of.Node, n < 0
	for left := max(n, -n); left > 0; left-- {
		at = of.On(t, at, 1, back)
		if at < 0 || m.sq[of.Node+at]>>code.SetTurns&1 != 0 {
			return true
		}
	}
	return false
}

// setsWithout returns the track sets that would contain the square of a piece without the piece, if the tables cover that.
func (m *Machine) setsWithout(t *code.Tracks, p int) (squareSets uint8, ok bool) {
	place := int(m.st[m.prog.Layout.At+p])
	k := m.keyWithout(place, p)
	if k < 0 {
		return 0, false
	}
	return uint8(t.Holds[place*t.Keys+k] >> (8 * m.prog.ColourOf[p&63])), true
}

// keyWithout is the key of the pieces on a place without piece p, -1 if the tables do not cover them.
func (m *Machine) keyWithout(place, p int) int {
	l, st := &m.prog.Layout, m.st
	if st[l.Count+place] > 3 {
		return -1
	}
	k := 0
	for q := int(st[l.Head+place]); q >= 0; q = int(st[l.Next+q]) {
		if q == p {
			continue
		}
		if colour := int(m.prog.ColourOf[q&63]); k == 0 {
			k = 1 + colour
		} else {
			k = 1 + l.Colours + (k-1)*l.Colours + colour
		}
	}
	return k
}

// noteClause counts the clause that puts the square of a node into a set; own is the node of the piece.
func (m *Machine) noteClause(t *code.Tracks, of *code.Walker, p, own, node, set int) {
	if node < of.Node || node >= of.End {
		if t.Beyond >= 0 {
			m.fireLater(t.Beyond, 1)
		}
		return
	}
	place := int(m.prog.PlaceOf[node&(code.MaxNodes-1)])
	k := m.key(place)
	if node == own {
		k = m.keyWithout(place, p)
	}
	var says uint64
	if k >= 0 {
		says = t.Says[place*t.Keys+k]
	} else {
		says, _ = m.Spoken(t, place)
	}
	if says &= t.Speaks[set] & (code.Every << (m.prog.ColourOf[p&63] & 7)); says != 0 {
		m.fireLater(t.Judges[bits.TrailingZeros64(says)>>3].Counter, 1)
	}
}

// fireLater adds a pending count; pending counts are committed when the rows are exact.
func (m *Machine) fireLater(counter, n int) {
	if m.pending == len(m.fires) {
		m.inexact = true
		return
	}
	m.fires[m.pending] = pendingFire{int32(counter), int32(n)}
	m.pending++
}

// maxFires is the number of pending counts of a decision; with more, the plain form takes over.
const maxFires = 32

// pendingFire is a pending count of a counter.
type pendingFire struct {
	counter, n int32
}
