package vm

import (
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// key is what stands on a place as a number: nothing, one piece of a colour, two by their colours in the order of arrival.
// It is -1 for more, which is not tabulated.
func (m *Machine) key(t *code.Tracks, place int) int {
	l, st := &m.prog.Layout, m.st
	switch st[l.Count+place] {
	case 0:
		return 0
	case 1:
		return 1 + int(m.prog.ColourOf[st[l.Head+place]&63])
	case 2:
		a, b := m.prog.ColourOf[st[l.Head+place]&63], m.prog.ColourOf[st[l.Tail+place]&63]
		return 1 + l.Colours + int(a)*l.Colours + int(b)
	}
	return -1
}

// held is which sets hold a place as it is now.
func (m *Machine) held(t *code.Tracks, place int) uint32 {
	if k := m.key(t, place); k >= 0 {
		return t.Holds[place*t.Keys+k]
	}
	_, holds := m.Spoken(t, place)
	return holds
}

// Spoken is which judges speak of a place as it is now, asked one by one, and which sets hold it.
func (m *Machine) Spoken(t *code.Tracks, place int) (says uint64, holds uint32) {
	a := m.aside()
	p0, to := m.st[code.CellP0], m.st[code.CellTo]
	for colour := range t.Base {
		if t.Index[colour*m.prog.Layout.Places+place] < 0 {
			continue
		}
		m.st[code.CellP0], m.st[code.CellTo] = int16(colour*m.prog.Layout.PerColour), int16(place)
		for j := range t.Judges {
			switch v, ok := a.Eval(t.Judges[j].Entry); {
			case !ok: // what is a fault of the rules the plain form will tell
				holds |= 1 << (8*code.SetHard + colour)
			case v != 0:
				says |= 1 << (8*j + colour)
				holds |= 1 << (8*t.Judges[j].Set + colour)
			}
		}
	}
	m.st[code.CellP0], m.st[code.CellTo] = p0, to
	return says, holds
}

// Settled is the derived words of the state before the first turn, with the sets of squares filled in.
func (m *Machine) Settled() []uint64 {
	for place := range m.prog.Layout.Places {
		m.changed(m.prog.Tracks, place, 0)
	}
	return m.dv
}

// aside is a machine for asking something on this one's state, in the middle of its run.
func (m *Machine) aside() *Machine {
	if m.other == nil {
		m.other = New(m.prog)
	}
	m.other.st, m.other.dv = m.st, m.dv
	return m.other
}

// changed brings the sets up to date where a place was held by the sets of before.
func (m *Machine) changed(t *code.Tracks, place int, before uint32) {
	colours := len(t.Base)
	for diff := m.held(t, place) ^ before; diff != 0; diff &= diff - 1 {
		bit := bits.TrailingZeros32(diff)
		set, colour := bit>>3, bit&7
		i := int(t.Index[colour*m.prog.Layout.Places+place])
		at := t.Sets + (set*colours+colour)*t.Words
		m.dv[at+i>>6] ^= 1 << (i & 63)
		if t.Loop && i < code.MaxStraight { // what comes after the last node once more
			i += t.Length[colour]
			m.dv[at+i>>6] ^= 1 << (i & 63)
		}
	}
}

// window is 64 bits of a set from index i on.
func (m *Machine) window(at, i int) uint64 {
	w, s := at+i>>6, uint(i&63)
	return m.dv[w]>>s | m.dv[w+1]<<1<<(63-s)
}

// walkers is the pieces of a set that can walk n steps, judged by the sets of squares. Where they cannot tell, the options
// will be listed in their plain form.
func (m *Machine) walkers(set uint64, n int) uint64 {
	if n <= 0 || n > code.MaxStraight {
		m.hard = m.hard || n != 0
		return 0
	}
	t, dv, nodes := m.prog.Tracks, m.dv, m.st[m.prog.Layout.Node:]
	steps := ^uint64(0) >> (64 - uint(n))
	ends, hard := t.Ends<<6+n-1, t.Hard
	if !t.HasEnds {
		ends = -1
	}
	if !t.HasHard {
		hard = 0
	}
	var stopped uint64
	for rest := set; rest != 0; rest &= rest - 1 {
		p := bits.TrailingZeros64(rest) & 63
		node := int(nodes[p])
		if node < 0 { // off its track
			stopped |= rest & -rest
			continue
		}
		i := t.Walker[p].First + node // of the next step, as a bit of the derived words
		at, shift := i>>6, uint(i&63)
		stops := (dv[at]>>shift | dv[at+1]<<1<<(63-shift)) & steps
		if ends >= 0 {
			end := i + ends
			stops |= dv[end>>6] >> uint(end&63) & 1
		}
		if hard > 0 {
			at += hard
			stops |= (dv[at]>>shift | dv[at+1]<<1<<(63-shift)) & steps
		}
		if stops != 0 {
			stopped |= rest & -rest
		}
	}
	if stopped == 0 {
		return set
	}
	for rest := stopped; rest != 0; rest &= rest - 1 {
		m.barred(t, bits.TrailingZeros64(rest), steps, 1<<uint(n-1))
	}
	return set &^ stopped
}

// barred settles what stops a walk: notes the clause that bars it, if one does, or that the sets cannot tell.
func (m *Machine) barred(t *code.Tracks, p int, steps, last uint64) {
	of := &t.Walker[p&63]
	node := int(m.st[m.prog.Layout.Node+p])
	if node < 0 { // off its track
		return
	}
	i := node - of.Node + 1
	bars := m.window(of.Word, i) & steps
	ends := m.window(of.Word+t.Ends, i) & last
	hard := m.window(of.Word+t.Hard, i) & steps
	if hard != 0 && (bars == 0 || bits.TrailingZeros64(bars) >= bits.TrailingZeros64(hard)) {
		m.hard = true
		return
	}
	colour := int(m.prog.ColourOf[p&63])
	kind := code.SetBars
	if bars == 0 {
		kind, bars = code.SetEnds, ends
	}
	i += bits.TrailingZeros64(bars)
	if i >= t.Length[colour] && !t.Loop {
		if t.Beyond >= 0 {
			m.later(t.Beyond, 1)
		}
		return
	}
	place := int(m.prog.Tables[m.prog.Layout.NodePlace+t.Base[colour]+i%t.Length[colour]])
	var says uint64
	if k := m.key(t, place); k >= 0 {
		says = t.Says[place*t.Keys+k]
	} else {
		says, _ = m.Spoken(t, place)
	}
	for j := range t.Judges {
		if t.Judges[j].Set == kind && says>>(8*j+colour)&1 != 0 {
			m.later(t.Judges[j].Counter, 1)
			return
		}
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

// pendingFire is a counter that is to count.
type pendingFire struct {
	counter, n int32
}
