// Package bot holds players that are programs.
//
// A bot is asked at the nodes of a position where its seat decides: at a choice, and where a number is chosen instead
// of thrown. It knows no game: whatever it prefers it reads from what the rules do. What a newcomer gets wrong: a bot
// may keep memory to work in, so each belongs to one goroutine.
package bot

import "github.com/rulerun/rulerun/interpreter"

// Bot decides for a seat. It belongs to one goroutine.
type Bot interface {
	// Choose is the number of the option taken at a choice.
	Choose(p *interpreter.Position, r *interpreter.Random) int
	// Number is the number chosen where the player picks one instead of throwing: the number itself, one of the
	// outcomes of the only device.
	Number(p *interpreter.Position, r *interpreter.Random) int
}

// Names lists the bots there are, the usual one first.
func Names() []string { return []string{"greedy", "random"} }

// New makes the bot called name; nil when there is none.
func New(name string) Bot {
	switch name {
	case "greedy":
		return &Greedy{}
	case "random":
		return Random{}
	}
	return nil
}

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
