package bot

import "github.com/rulerun/rulerun/interpreter"

// look is what bots share that look ahead: a judge, a position to try things on, and room to work in.
type look struct {
	judge
	root, next *interpreter.Position
	outcomes   []interpreter.Outcome
	worth      []float64 // of each way on
	best       []int
}

// base is the look of a bot that embeds it.
func (l *look) base() *look { return l }

// searcher chooses among n ways on, two or more, after look.begin.
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
	return 0
}

// Number implements Bot.
func (b player) Number(p *interpreter.Position, r *interpreter.Random) int {
	return b.base().number(p, b.Choose(p, r))
}

// guesses is over how many guesses of what is hidden a bot averages that does not guess anew for every playout.
const guesses = 4

// begin gets ready for a decision.
func (l *look) begin(p *interpreter.Position) {
	l.learn(p)
	if l.next == nil || l.next.Game() != p.Game() {
		l.root, l.next = p.Copy(), p.Copy()
	}
	l.root.CopyFrom(p)
	l.ranked = p.Ranked()
}

// guess makes the root a position as the one who decides may see it, what is hidden drawn by chance.
func (l *look) guess(p *interpreter.Position, r *interpreter.Random) {
	if !p.Hides(p.Player()) {
		return
	}
	l.root.CopyFrom(p)
	l.root.Guess(p.Player(), r)
}

// team is the team that decides.
func (l *look) team(p *interpreter.Position) int { return l.game.Rules().Seats[p.Player()].Team }

// decision is how many ways on the player has to choose from; 0 where the position waits for chance, or for nothing.
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

// take goes one of the ways on.
func (l *look) take(p *interpreter.Position, i int) bool {
	var err error
	if p.Kind() == interpreter.Choice {
		err = p.Choose(i)
	} else {
		l.outcomes = p.Outcomes(l.outcomes[:0], 0)
		err = p.Throw(l.outcomes[i].Value)
	}
	return err == nil && p.Err() == nil
}

// number is the number that way i stands for.
func (l *look) number(p *interpreter.Position, i int) int {
	l.outcomes = p.Outcomes(l.outcomes[:0], 0)
	return l.outcomes[i].Value
}

// clear makes n ways on worth nothing.
func (l *look) clear(n int) {
	l.worth = append(l.worth[:0], make([]float64, n)...)
}

// almost is how close worths are that count as equal: sums of the same fractions in another order.
const almost = 1e-9

// pick is one of the ways on that are worth most, each as likely.
func (l *look) pick(r *interpreter.Random) int {
	l.best = l.best[:0]
	most := l.worth[0]
	for _, w := range l.worth {
		most = max(most, w)
	}
	for i, w := range l.worth {
		if w >= most-almost*max(1, most, -most) {
			l.best = append(l.best, i)
		}
	}
	return l.best[r.IntN(len(l.best))]
}
