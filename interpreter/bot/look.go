package bot

import (
	"slices"

	"github.com/rulerun/rulerun/interpreter"
)

// look is the common part of searching bots: a judge, a position to search on, and buffers.
type look struct {
	judge
	root, next *interpreter.Position
	outcomes   []interpreter.Outcome
	worth      []float64 // of each option
	best       []int
}

// base returns the look of a bot that embeds it.
func (l *look) base() *look { return l }

// searcher chooses among n options, two or more, after look.begin.
type searcher interface {
	decide(p *interpreter.Position, r *interpreter.Random, n int) int
	base() *look
}

// player is a Bot that searches.
type player struct{ searcher }

// Choose implements Bot.
func (b player) Choose(p *interpreter.Position, r *interpreter.Random) int {
	l := b.base()
	l.begin(p)
	if n := l.decision(p); n != 1 {
		return b.decide(p, r, n)
	}
	l.best = append(l.best[:0], 0)
	return 0
}

// Equal lists the options among which the last decision was drawn, each as likely. They belong to the bot.
func (b player) Equal() []int { return b.base().best }

// Number implements Bot.
func (b player) Number(p *interpreter.Position, r *interpreter.Random) int {
	return b.base().number(p, b.Choose(p, r))
}

// guesses is the number of samples of hidden values in a decision, for bots that do not sample for every playout; 1 if nothing is hidden.
func guesses(p *interpreter.Position) int {
	if p.Hides(p.Player()) {
		return 4
	}
	return 1
}

// begin prepares a decision.
func (l *look) begin(p *interpreter.Position) {
	l.learn(p)
	if l.next == nil || l.next.Game() != p.Game() {
		l.root, l.next = p.Copy(), p.Copy()
	}
	l.root.CopyFrom(p)
	l.ranked = p.Ranked()
}

// guess sets the root to a sample of what the deciding seat cannot see.
func (l *look) guess(p *interpreter.Position, r *interpreter.Random) {
	if !p.Hides(p.Player()) {
		return
	}
	l.root.CopyFrom(p)
	l.root.Guess(p.Player(), r)
}

func (l *look) team(p *interpreter.Position) int { return l.game.Rules().Seats[p.Player()].Team }

// decision is the number of options of the player; 0 if the position waits for a throw, or for nothing.
func (l *look) decision(p *interpreter.Position) int {
	switch p.Kind() {
	case interpreter.Choice:
		return p.OptionCount()
	case interpreter.Throw:
		if p.ChosenNumber() {
			l.outcomes = p.Outcomes(l.outcomes[:0], 0)
			return len(l.outcomes)
		}
	}
	return 0
}

func (l *look) take(p *interpreter.Position, i int) bool {
	var err error
	if p.Kind() == interpreter.Choice {
		err = p.Choose(i)
	} else {
		err = p.Throw(l.number(p, i))
	}
	return err == nil && p.Err() == nil
}

func (l *look) number(p *interpreter.Position, i int) int {
	l.outcomes = p.Outcomes(l.outcomes[:0], 0)
	return l.outcomes[i].Value
}

// clear sets the values of n options to 0.
func (l *look) clear(n int) {
	l.worth = append(l.worth[:0], make([]float64, n)...)
}

// almost is the tolerance for equal values: sums of the same fractions in another order.
const almost = 1e-9

// pick chooses uniformly among the options with the largest value.
func (l *look) pick(r *interpreter.Random) int {
	l.best = l.best[:0]
	most := slices.Max(l.worth)
	for i, w := range l.worth {
		if w >= most-almost*max(1, most, -most) {
			l.best = append(l.best, i)
		}
	}
	return l.best[r.IntN(len(l.best))]
}
