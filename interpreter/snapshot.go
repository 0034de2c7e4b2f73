package interpreter

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Counted is the game in the form that counts turns. It plays as g does; positions of one are none of the other.
func (g *Game) Counted() (*Game, error) {
	x, err := g.studied()
	if err != nil {
		return nil, err
	}
	return x.Game, nil
}

// TurnsBegun is how many turns have begun since the position was made, in a game that Counted gave; in others 0. Copies
// do not count what their original did, so it is the difference over a throw or choice that says something.
func (p *Position) TurnsBegun() int {
	if p.game.counted == nil {
		return 0
	}
	return int(p.m.Counters[p.game.counted.Turns])
}

// AppendSnapshot appends to dst what a position is, as bytes: always the same number of them for one game. Two positions with
// the same snapshot go on in the same way. Left out is what nothing can ask any more: how long the turn has lasted, the
// last value of dice about to be thrown, and at the beginning of a turn (TurnBegins) what the turn before has left behind. For
// programs that look at very many positions; Restore reads it back.
func (p *Position) AppendSnapshot(dst []byte) []byte {
	begin := len(dst)
	dst = append(dst, byte(p.m.Node), byte(p.m.Site), byte(p.m.Site>>8))
	if p.err != nil {
		dst[begin] = 0xff
	}
	dst = p.appendCells(dst, p.m.State(), p.TurnBegins(), p.thrown())
	if kept := p.m.Kept(); kept != nil {
		dst = p.appendCells(dst, kept, true, nil)
	}
	return dst
}

// appendCells appends the cells of a state, those that nothing asks any more as they are at first: where its dice are about
// to be thrown, their values.
func (p *Position) appendCells(dst []byte, st []int16, atTurn bool, thrown *code.Throw) []byte {
	begin := len(dst)
	dst = append(dst, make([]byte, 2*len(st))...)
	for i, out := 0, dst[begin:]; i < len(st) && len(out) >= 2; i, out = i+1, out[2:] {
		out[0], out[1] = byte(st[i]), byte(uint16(st[i])>>8)
	}
	l, initial := &p.game.prog.Layout, p.game.prog.Initial
	set := func(cell int, v int16) { binary.LittleEndian.PutUint16(dst[begin+2*cell:], uint16(v)) }
	set(code.CellPlays, 0)
	for i := int(st[code.CellQueue]); i < code.MaxQueue; i++ {
		set(l.Queue+i, 0)
		set(l.Queue+code.MaxQueue+i, 0)
	}
	if thrown != nil {
		for _, die := range thrown.Dice {
			set(l.Dice+die, 0)
		}
	}
	if !atTurn {
		return dst
	}
	for _, cell := range spentCells {
		set(cell, initial[cell])
	}
	for i := range code.MaxNumbers {
		set(l.Numbers+i, 0)
	}
	if l.Path >= 0 {
		for i := range code.MaxPath / 4 {
			set(l.Path+i, 0)
		}
	}
	for place := range p.game.rules.Board.Places { // in zones whose order nothing asks, that of their numbers
		if !p.game.rules.Board.Places[place].Zone || st[l.Count+place] < 2 || p.game.beginning().zones[place] {
			continue
		}
		var order []int
		for q := range l.Pieces {
			if int(st[l.At+q]) == place && st[l.Prev+q] != code.InHand {
				order = append(order, q)
			}
		}
		p.game.setOrder(set, place, order)
	}
	return dst
}

// spentCells say what is being counted or carried out: nothing, when a turn begins.
var spentCells = [...]int{
	code.CellSteps, code.CellHeading, code.CellUsable, code.CellDecider, code.CellWith, code.CellMove, code.CellP0, code.CellP1,
	code.CellP2, code.CellP3, code.CellTo, code.CellNode, code.CellNumber, code.CellPathLen, code.CellPathLast, code.CellWalk, code.CellNumbers,
}

// thrown is the throw at hand, whose dice lose their last value; nil where there is none or the player picks the number.
func (p *Position) thrown() *code.Throw {
	if p.Kind() != Throw {
		return nil
	}
	t := &p.game.prog.Throws[p.m.Site]
	for _, die := range t.Dice {
		if p.game.prog.Dice[die].Choice {
			return nil
		}
	}
	return t
}

// ErrNoSnapshot says that bytes are not the snapshot of a throw in a game.
var ErrNoSnapshot = errors.New("this is not the snapshot of a throw in this game")

// Restore makes p stand where a position of its game stood when its snapshot was taken. That must have been at a throw of
// dice: at a choice, or where a player picks a number, there is more to a position than its snapshot. TurnBegins does not hold afterwards,
// and Throws goes on from where p was.
func (p *Position) Restore(snapshot []byte) error {
	cells, states := len(p.m.State()), 1
	if p.m.Kept() != nil {
		states = 2
	}
	if len(snapshot) != 3+2*states*cells || code.NodeKind(snapshot[0]) != code.NodeThrow {
		return ErrNoSnapshot
	}
	site := int(snapshot[1]) | int(snapshot[2])<<8
	if site >= len(p.game.prog.Throws) {
		return ErrNoSnapshot
	}
	p.cells = slices.Grow(p.cells[:0], states*cells)
	for at := 3; at < len(snapshot); at += 2 {
		p.cells = append(p.cells, int16(binary.LittleEndian.Uint16(snapshot[at:])))
	}
	p.cells[code.CellPlays] = 1
	p.m.Stand(site, p.cells[:cells], p.cells[cells:])
	p.err, p.fresh = nil, false
	return nil
}
