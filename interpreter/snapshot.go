package interpreter

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Counted is the game in the form that counts turns. It plays the same as g; positions of the two are not
// interchangeable.
func (g *Game) Counted() (*Game, error) {
	x, err := g.studied()
	if err != nil {
		return nil, err
	}
	return x.Game, nil
}

// TurnsBegun is the number of turns that have begun since the position was made, in a game returned by Counted; 0 in
// others. A copy starts at 0, so only differences over a throw or choice are meaningful.
func (p *Position) TurnsBegun() int {
	if p.game.counted == nil {
		return 0
	}
	return int(p.m.Counters[p.game.counted.Turns])
}

// AppendSnapshot appends a compact form of a position to dst, of the same length for all positions of a game. Two
// positions with equal snapshots go on in the same way. It omits what nothing can read any more: how long the turn
// has lasted, the last value of dice about to be thrown, and at the beginning of a turn (TurnBegins) temporary values
// of the previous turn. It is for programs that enumerate many positions; Restore reads it back.
func (p *Position) AppendSnapshot(dst []byte) []byte {
	begin := len(dst)
	dst = append(dst, byte(p.m.Node), byte(p.m.Site), byte(p.m.Site>>8))
	if p.err != nil {
		dst[begin] = 0xff
	}
	dst = p.appendPresent(dst, p.thrown())
	if kept := p.m.Kept(); kept != nil {
		dst = p.appendCells(dst, kept, true, nil)
	}
	return dst
}

// appendPresent appends the cells of the present state.
func (p *Position) appendPresent(dst []byte, thrown *code.Throw) []byte {
	begin := len(dst)
	dst = p.appendCells(dst, p.m.State(), p.TurnBegins(), thrown)
	if st := p.m.State(); p.Kind() == Choice && st[code.CellEarned] != 0 { // at the beginning of a turn too: it has left the queue
		binary.LittleEndian.PutUint16(dst[begin+2*code.CellSteps:], uint16(st[code.CellSteps]))
	}
	return dst
}

// appendCells appends the cells of a state. Cells that nothing reads any more have their initial value, such as those
// of dice about to be thrown.
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
	for k := l.Numbers; k < l.NumbersEnd; k++ {
		set(k, 0)
	}
	if l.Path >= 0 {
		for i := range code.MaxPath / 4 {
			set(l.Path+i, 0)
		}
	}
	for place := range p.game.rules.Board.Places { // in zones whose order is never read, by piece number
		if !p.game.rules.Board.Places[place].Zone || st[l.Count+place] < 2 || p.game.beginning().zones[place] {
			continue
		}
		p.game.setOrder(set, place, seq.Which(l.Pieces, func(q int) bool { return int(st[l.At+q]) == place && st[l.Prev+q] != code.InHand }))
	}
	return dst
}

// spentCells describe the number being counted or the move being made; they are unused at the beginning of a turn.
var spentCells = [...]int{
	code.CellSteps, code.CellHeading, code.CellUsable, code.CellDecider, code.CellWith, code.CellMove, code.CellP0, code.CellP1,
	code.CellP2, code.CellP3, code.CellTo, code.CellNode, code.CellNumber, code.CellPathLen, code.CellPathLast, code.CellWalk, code.CellNumbers,
}

// thrown is the present throw, whose dice lose their last value; nil if there is none or the player chooses the
// number.
func (p *Position) thrown() *code.Throw {
	if p.Kind() != Throw {
		return nil
	}
	t := &p.game.prog.Throws[p.m.Site]
	if slices.ContainsFunc(t.Dice, func(die int) bool { return p.game.prog.Dice[die].Choice }) {
		return nil
	}
	return t
}

// ErrNoSnapshot means that bytes are not the snapshot of a throw in a game.
var ErrNoSnapshot = errors.New("this is not the snapshot of a throw in this game")

// Restore sets p from a snapshot of a position of its game. That position must be at a throw of dice: at a choice, or
// at a number chosen by a player, a snapshot is not complete. TurnBegins is false afterwards, and Throws continues
// from p's own count.
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
