// Package bot has computer players, from random choice to tree search.
//
// A bot decides for a seat at the nodes of a position: it takes an option at a choice, and a number if the number is
// chosen instead of thrown. It has no knowledge of a particular game. Its evaluation uses what the rules declare: who
// wins, which acts affect whose pieces, and how far ahead a side is. The lead is the let "lead" of the rule book, or
// otherwise the progress of the pieces along their tracks. The value of a lead is estimated from some twenty random
// games, always the same ones.
//
// A bot sees what its seat may see. If something is hidden from it, it searches positions in which the hidden values
// are sampled (interpreter.Position.Guess). Its decision depends only on the position and the source of random
// numbers, not on earlier decisions.
//
// Note: a bot has working memory, so it belongs to one goroutine. It may play several seats,
// and games of several rule books, one after the other.
package bot

import "github.com/rulerun/rulerun/interpreter"

// Bot decides for a seat. It belongs to one goroutine.
type Bot = interpreter.Chooser

// Random takes every option with the same probability. The zero value is ready for use.
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
