package interpreter

import (
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// side is the team that has won a finished game: the one that the rules name; otherwise that of the player ranked
// first; otherwise, if players were dropped, that of all who are still in the game. It is None in a draw, which the
// rules may name too, and before
// the end.
func (g *Game) side(st []int16) int {
	l := &g.prog.Layout
	if st[code.CellOver] == 0 {
		return None
	}
	switch team := int(st[code.CellWinner]); {
	case team == code.Drawn:
		return None
	case team >= 0:
		return team
	}
	dropped, left, sides := false, None, 0
	for seat := range g.Players() {
		team := g.rules.Seats[seat].Team
		switch {
		case st[l.Rank+seat] == 1:
			return team
		case st[l.Status+seat] == code.Dropped:
			dropped = true
		case st[l.Status+seat] == code.Playing && team != left:
			left, sides = team, sides+1
		}
	}
	if dropped && sides == 1 {
		return left
	}
	return None
}

// ranking appends the seats in rank order. It appends nothing if no player was ranked or dropped.
func (g *Game) ranking(dst []int, st []int16) []int {
	l := &g.prog.Layout
	status := st[l.Status : l.Status+g.Players()]
	if st[code.CellRanked] == 0 && !slices.Contains(status, code.Dropped) {
		return dst
	}
	for place := range int(st[code.CellRanked]) {
		for seat := range status {
			if int(st[l.Rank+seat]) == place+1 {
				dst = append(dst, seat)
			}
		}
	}
	for _, of := range [...]int16{code.Playing, code.Dropped} {
		for seat, x := range status {
			if x == of {
				dst = append(dst, seat)
			}
		}
	}
	return dst
}

// place is a seat's rank, from 1. Players still in the game share the rank after the ranked ones, dropped players the
// last.
func (g *Game) place(st []int16, seat int) int {
	l := &g.prog.Layout
	switch {
	case st[l.Rank+seat] > 0:
		return int(st[l.Rank+seat])
	case st[l.Status+seat] == code.Playing:
		return int(st[code.CellRanked]) + 1
	}
	return g.Players()
}

// Place is a seat's rank, from 1, at every node. Players still in the game share the rank after the ranked ones,
// dropped players the last. It is 0 for None.
func (p *Position) Place(seat int) int {
	if !p.game.isSeat(seat) {
		return 0
	}
	return p.game.place(p.m.State(), seat)
}
