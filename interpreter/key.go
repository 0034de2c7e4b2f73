package interpreter

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Equal reports whether two positions of a game are at the same node in the same state, as far as rules can read it,
// and whether an undo would restore the same state.
func (p *Position) Equal(o *Position) bool {
	if p.Kind() != o.Kind() || p.m.Node != o.m.Node || p.m.Site != o.m.Site {
		return false
	}
	same := slices.Equal(p.m.State(), o.m.State()) && slices.Equal(p.m.Kept(), o.m.Kept())
	return same || slices.Equal(p.AppendKey(nil), o.AppendKey(nil))
}

// Alike reports whether two positions have the same state and are at the same kind of node, as far as rules can read it. They may be of
// two games with the same board, players, dice and variables. Whether another go follows shows when the turn goes on, and how many there were
// no rule can read.
func (p *Position) Alike(o *Position) bool {
	if p.Kind() != o.Kind() || p.m.Node != o.m.Node {
		return false
	}
	left := []int{code.CellPoint, code.CellAgain, code.CellPlays}
	if off := p.game.off(); off != None {
		left = append(left, off)
	}
	if frame := p.game.prog.Layout.Frame; p.game.unit == o.game.unit {
		a, b := p.m.State(), o.m.State()
		i := 0
		for i < frame && (a[i] == b[i] || slices.Contains(left, i)) {
			i++
		}
		if i == frame {
			return true
		}
	}
	cells := func(p *Position) []byte {
		dst := p.appendPresent(nil, nil)[:2*p.game.prog.Layout.Frame]
		for _, cell := range left {
			binary.LittleEndian.PutUint16(dst[2*cell:], 0)
		}
		return dst
	}
	return bytes.Equal(cells(p), cells(o))
}

// AppendKey appends a canonical key to dst, for sets of positions: keys are equal exactly if Equal holds, ignoring
// how long the turn has lasted. At the beginning of a turn (TurnBegins) it omits what no rule can read any more:
// temporary values of the previous turn, the last value of dice, and the order of pieces in zones.
func (p *Position) AppendKey(dst []byte) []byte {
	dst = append(dst, byte(p.Kind()), byte(p.m.Node), byte(p.m.Site), byte(p.m.Site>>8))
	if p.TurnBegins() {
		begin := len(dst)
		dst = p.appendPresent(dst, nil)
		p.freshen(dst[begin:], p.m.State(), p.Dice())
	} else {
		begin := len(dst)
		for _, cell := range p.m.State() {
			dst = append(dst, byte(cell), byte(uint16(cell)>>8))
		}
		binary.LittleEndian.PutUint16(dst[begin+2*code.CellPlays:], 0)
	}
	if kept := p.m.Kept(); kept != nil && p.Kind() <= Choice {
		begin := len(dst)
		dst = p.appendCells(dst, kept, true, nil)
		p.freshen(dst[begin:], kept, nil)
		binary.LittleEndian.PutUint16(dst[begin+2*code.CellPoint:], 0) // left over from the previous turn
	}
	return dst
}

// freshen sets the cells of dice that nothing reads any more, and of decks that will be shuffled, in those of a state at the beginning of
// a turn, before a throw of some dice.
func (p *Position) freshen(cells []byte, st []int16, thrown []int) {
	set := func(cell int, v int16) { binary.LittleEndian.PutUint16(cells[2*cell:], uint16(v)) }
	l := &p.game.prog.Layout
	for i := range p.game.prog.Dice {
		d := &p.game.prog.Dice[i]
		if slices.Contains(thrown, i) || !p.game.beginning().old[i] {
			set(l.Dice+i, 0)
		}
		if d.Deck >= 0 && deck(st, d) == nil {
			for j, w := range d.Weights {
				set(d.Deck+j, int16(w))
			}
		}
	}
}

// setOrder sets the cells with the order of arrival of the pieces on a place.
func (g *Game) setOrder(set func(cell int, v int16), place int, order []int) {
	l := &g.prog.Layout
	for i, q := range order {
		before, after := int16(None), int16(None)
		if i > 0 {
			before = int16(order[i-1])
		}
		if i < len(order)-1 {
			after = int16(order[i+1])
		}
		set(l.Prev+q, before)
		set(l.Next+q, after)
	}
	set(l.Head+place, int16(order[0]))
	set(l.Tail+place, int16(order[len(order)-1]))
}
