package interpreter

import (
	"encoding/binary"
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Equal reports whether two positions of a game stand at the same node in the same state, as far as rules can tell, and an undo would bring
// back the same.
func (p *Position) Equal(o *Position) bool {
	if p.Kind() != o.Kind() || p.m.Node != o.m.Node || p.m.Site != o.m.Site {
		return false
	}
	same := slices.Equal(p.m.State(), o.m.State()) && slices.Equal(p.m.Kept(), o.m.Kept())
	return same || slices.Equal(p.AppendKey(nil), o.AppendKey(nil))
}

// AppendKey appends to dst bytes that are the same for two positions of a game exactly where Equal holds, but for how long
// the turn has lasted: for sets of positions. What no rule can ask any more is left out at the beginning of a turn
// (TurnBegins): what the turn before has left behind, the last value of dice, and the order of pieces in zones.
func (p *Position) AppendKey(dst []byte) []byte {
	dst = append(dst, byte(p.Kind()), byte(p.m.Node), byte(p.m.Site), byte(p.m.Site>>8))
	if p.TurnBegins() {
		dst = p.appendTurn(dst, p.m.State(), p.Dice())
	} else {
		begin := len(dst)
		for _, cell := range p.m.State() {
			dst = append(dst, byte(cell), byte(uint16(cell)>>8))
		}
		binary.LittleEndian.PutUint16(dst[begin+2*code.CellPlays:], 0)
	}
	if kept := p.m.Kept(); kept != nil && p.Kind() <= Choice {
		begin := len(dst)
		dst = p.appendTurn(dst, kept, nil)
		binary.LittleEndian.PutUint16(dst[begin+2*code.CellPoint:], 0) // the turn before has left it
	}
	return dst
}

// appendTurn appends a state at the beginning of a turn, some dice about to be thrown.
func (p *Position) appendTurn(dst []byte, st []int16, thrown []int) []byte {
	begin := len(dst)
	dst = p.appendCells(dst, st, true, nil)
	set := func(cell int, v int16) { binary.LittleEndian.PutUint16(dst[begin+2*cell:], uint16(v)) }
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
	return dst
}

// setOrder sets the cells that say in what order the pieces of a place have come.
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
