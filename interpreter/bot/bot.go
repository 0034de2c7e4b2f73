// Package bot holds players that are programs, from one that takes anything to one that searches a tree of games.
//
// A bot is asked at the nodes of a position where its seat decides: at a choice, and where a number is chosen instead
// of thrown. It knows no game. What it prefers it reads from what the rules do: who wins, which acts are done to whose
// pieces, and how far ahead a side is, by the let "lead" of the rule book or else by how far its pieces have come along
// their tracks. What a lead is worth it learns from some twenty games by chance, always the same ones.
//
// A bot sees what its seat may see. Where something is hidden from it, it looks ahead on positions in which that has
// been drawn by chance (interpreter.Position.Guess). What it does depends on the position and the source of random
// numbers alone, not on what it was asked before.
//
// What a newcomer gets wrong: a bot keeps memory to work in, so each belongs to one goroutine. It may play several
// seats, and games of several rule books, one after the other.
package bot

import "github.com/rulerun/rulerun/interpreter"

// Bot decides for a seat. It belongs to one goroutine.
type Bot = interpreter.Chooser

// Random takes every option with the same chance. The zero value is ready for use.
type Random struct{}

// Choose implements Bot.
func (Random) Choose(p *interpreter.Position, r *interpreter.Random) int {
	return r.IntN(p.OptionCount())
}

// Number implements Bot.
func (Random) Number(p *interpreter.Position, r *interpreter.Random) int {
	outcomes := p.Outcomes(nil, 0)
	return outcomes[r.IntN(len(outcomes))].Value
}
