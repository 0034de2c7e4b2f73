package vm

import (
	"encoding/binary"
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// key is what stands on a place as a number: nothing, one piece of a colour, two by their colours in the order of arrival.
// It is -1 for more, which is not tabulated. How many they are cannot be foreseen: so there is no branch.
func (m *Machine) key(place int) int {
	v, of, at := &m.on, &m.prog.ColourOf, place&(code.MaxListed-1)
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

// held is which sets hold a place as it is now.
func (m *Machine) held(t *code.Tracks, place int) uint64 {
	if k := m.key(place); k >= 0 {
		return t.Holds[place*t.Keys+k]
	}
	_, holds := m.Spoken(t, place)
	return holds
}

// Spoken is which judges speak of a place as it is now, asked one by one, and which sets hold it.
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
			case !ok: // what is a fault of the rules the plain form will tell
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

// Settled is the squares of the state before the first turn, with the sets filled in that hold them.
func (m *Machine) Settled() []byte {
	for place := range m.prog.Layout.Places {
		m.changed(m.prog.Tracks, place, 0)
	}
	return m.sq
}

// aside is a machine for asking something on this one's state, in the middle of its run.
func (m *Machine) aside() *Machine {
	if m.other == nil {
		m.other = New(m.prog)
	}
	m.other.st, m.other.dv, m.other.sq, m.other.on = m.st, m.dv, m.sq, m.on
	return m.other
}

// changed brings the sets up to date where a place was held by the sets of before. Where the place is not on a colour's track nothing is
// turned, at a square that is none.
func (m *Machine) changed(t *code.Tracks, place int, before uint64) {
	diff := m.held(t, place) ^ before
	if diff == 0 {
		return
	}
	sets := m.on.sets
	for at := place; at < len(t.Nodes); at += m.prog.Layout.Places {
		node := int(t.Nodes[at]) & (code.MaxNodes - 1)
		sets[node] ^= uint8(diff)
		if t.Loop {
			m.alsoChanged(t, at, node, uint8(diff))
		}
		diff >>= 8
	}
}

// alsoChanged turns what comes after the last square of a track that goes round once more.
func (m *Machine) alsoChanged(t *code.Tracks, at, node int, diff uint8) {
	if colour := at / m.prog.Layout.Places; node < t.Base[colour]+code.MaxStraight {
		m.on.sets[(node+t.Length[colour])&(code.MaxNodes-1)] ^= diff
	}
}

// shown is the squares from node i on.
func (m *Machine) shown(i int) uint64 {
	return binary.LittleEndian.Uint64(m.on.sets[i&(code.MaxNodes-1):])
}

// ways says what stops walks of so many steps, see code.Way.
var ways = func() (out [code.Ahead + 1]uint64) {
	for n := 1; n < len(out); n++ {
		out[n] = code.Way(n)
	}
	return out
}()

// met is where on the next n squares, from node i on, something stops a walk: how many it goes before that, n where nothing does.
func (m *Machine) met(i, n int) int {
	for gone := 0; gone < n; gone += code.Ahead {
		way := uint64(code.Every << code.SetStops)
		if left := n - gone; left <= code.Ahead {
			way = ways[left]
		}
		if stops := m.shown(i+gone) & way; stops != 0 {
			return gone + bits.TrailingZeros64(stops)>>3
		}
	}
	return n
}

// walkers is the pieces of a set that can walk n steps, judged by the sets of squares. Where they cannot tell, the options
// will be listed in their plain form.
func (m *Machine) walkers(set uint64, n int) uint64 {
	if n <= 0 || n > code.MaxStraight {
		return m.followers(set, set, n)
	}
	var stopped uint64
	if n <= code.Ahead {
		sets, nodes, way := m.on.sets, m.on.node, ways[n]
		for rest := set; rest != 0; rest &= rest - 1 {
			p := bits.TrailingZeros64(rest) & 63
			if binary.LittleEndian.Uint64(sets[(int(nodes[p])+1)&(code.MaxNodes-1):])&way != 0 {
				stopped |= rest & -rest
			}
		}
	} else {
		for rest := set; rest != 0; rest &= rest - 1 {
			p := bits.TrailingZeros64(rest) & 63
			if m.met(int(m.on.node[p])+1, n) < n {
				stopped |= rest & -rest
			}
		}
	}
	if stopped == 0 {
		return set
	}
	return set &^ m.stopped(stopped, n)
}

// stopped is which pieces of a set cannot walk n steps, of whom something stops the walk straight ahead.
func (m *Machine) stopped(set uint64, n int) uint64 {
	t := m.prog.Tracks
	if t.Has[code.SetTurns] || t.Has[code.SetHardLast] {
		return set &^ m.followers(set, set, n)
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		p := bits.TrailingZeros64(rest) & 63
		node := int(m.on.node[p])
		if node < 0 { // off its track
			continue
		}
		gone := 0
		if n > code.Ahead {
			gone = m.met(node+1, n)
		} else {
			gone = bits.TrailingZeros64(m.shown(node+1)&ways[n]) >> 3
		}
		at := node + 1 + gone
		said := m.on.sets[at&(code.MaxNodes-1)]
		if said&(1<<code.SetStops|1<<code.SetHard) == 1<<code.SetStops|1<<code.SetHard {
			if _, _, ok := m.follow(p, n, true, false); ok {
				set &^= 1 << p
			}
			continue
		}
		of, by := &t.Walker[p], code.SetEnds
		if said&(1<<code.SetStops) != 0 {
			by = code.SetStops
		}
		if at >= of.End && t.Loop {
			at -= of.End - of.Node
		}
		m.speak(t, of, p, node, at, by)
	}
	return set
}

// followers is a set without those of some pieces whose walk of n steps leads nowhere.
func (m *Machine) followers(set, some uint64, n int) uint64 {
	for ; some != 0; some &= some - 1 {
		if _, _, ok := m.follow(bits.TrailingZeros64(some), n, true, false); !ok {
			set &^= some & -some
		}
	}
	return set
}

// follow walks piece p as the sets of squares say, backwards where n is below 0: the node it comes to, and the direction of its last
// step. It reports false where it comes nowhere, and sets hard where the sets cannot tell. With counts, the clauses that
// speak will count; with trace, the machine's path is that of the walk.
//
// The piece is off its square meanwhile, which matters where it turns round and comes by there again.
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
		m.hard = true
		return 0, 0, false
	}
	if trace {
		m.path = m.path[:0]
	}
	at, taken, turned, away := own, false, false, false
	for left > 0 {
		if back && at < left && !t.Loop {
			m.hard = true
			return 0, 0, false
		}
		next := of.On(t, at, 1, back)
		said := m.sq[of.Node+next]
		if away && next == own {
			if said, ok = m.absent(t, p); !ok {
				m.hard = true
				return 0, 0, false
			}
		}
		if left > 1 { // of the last step alone
			said &^= 1<<code.SetEnds | 1<<code.SetHardLast
		}
		in := func(set int) bool { return said>>set&1 != 0 }
		goes := !in(code.SetStops) && !in(code.SetEnds)
		set, asked := code.SetTurns, -1
		switch {
		case goes:
		case in(code.SetHard) || in(code.SetHardLast):
			switch what, counter := m.askStep(t, of, p, next, left-1); {
			case what == code.SaidGo:
				goes = true
			case what == code.SaidBar:
				if counts {
					m.later(counter, 1)
				}
				return 0, 0, false
			case what == code.SaidTurn && in(code.SetTurns):
				asked = counter
			default:
				m.hard = true
				return 0, 0, false
			}
		case in(code.SetStops) && !in(code.SetTurns):
			set = code.SetStops
		case in(code.SetEnds):
			set = code.SetEnds
		}
		if goes {
			if at, taken, turned, left = next, true, false, left-1; trace {
				m.path = append(m.path, 1)
			}
			continue
		}
		switch {
		case !counts:
		case asked >= 0:
			m.later(asked, 1)
		default:
			m.speak(t, of, p, of.Node+own, of.Node+next, set)
		}
		if set != code.SetTurns {
			return 0, 0, false
		}
		if trace {
			m.path = append(m.path, code.PathTurn)
		}
		back, away = !back, true
		if turned { // twice with no step between: there it ends
			break
		}
		turned = true
	}
	if left > 0 && taken && t.Early { // may it end there?
		m.hard = true
	}
	return of.Node + at, int(1 - 2*truth(back)), taken
}

// askCost is what asking the clauses about one step costs, in jumps.
const askCost = 20

// askStep asks the clauses themselves about a step to the square at an index, with so many steps left after it. The piece is off
// its square meanwhile.
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
	at, back := int(m.on.node[p&63])-of.Node, n < 0
	for left := max(n, -n); left > 0; left-- {
		at = of.On(t, at, 1, back)
		if at < 0 || m.sq[of.Node+at]>>code.SetTurns&1 != 0 {
			return true
		}
	}
	return false
}

// absent is which sets would hold the square of a piece without it, if that is tabulated.
func (m *Machine) absent(t *code.Tracks, p int) (said uint8, ok bool) {
	place := int(m.st[m.prog.Layout.At+p])
	k := m.keyWithout(place, p)
	if k < 0 {
		return 0, false
	}
	return uint8(t.Holds[place*t.Keys+k] >> (8 * m.prog.ColourOf[p&63])), true
}

// keyWithout is the key of what stands on a place beside piece p, -1 where that is not tabulated.
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

// speak counts the clause that says something of a node to a piece whose own is another, as which a set holds its square.
func (m *Machine) speak(t *code.Tracks, of *code.Walker, p, own, node, set int) {
	if node < of.Node || node >= of.End {
		if t.Beyond >= 0 {
			m.later(t.Beyond, 1)
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
		m.later(t.Judges[bits.TrailingZeros64(says)>>3].Counter, 1)
	}
}

// later counts for a clause when it is settled that the options are rows.
func (m *Machine) later(counter, n int) {
	if m.pending == len(m.fires) {
		m.hard = true
		return
	}
	m.fires[m.pending] = pendingFire{int32(counter), int32(n)}
	m.pending++
}

// maxFires is how many counts may wait at a decision; with more it is left to the plain form.
const maxFires = 32

// pendingFire is a counter that is to count, when it is settled that the options are rows.
type pendingFire struct {
	counter, n int32
}
