package bot

import "github.com/rulerun/rulerun/interpreter"

// flat is flat Monte Carlo: it plays the same number of random games after every option and takes the option with the
// best mean result. An unfinished game is evaluated by the lead.
type flat struct {
	Playouts int // games in a decision, at least one per option
	Depth    int // throws after which a game is cut off
	look
	shares []float64
}

// decide plays rounds of one game per option. All games of a round have the same sampled hidden values and the same
// random numbers.
func (b *flat) decide(p *interpreter.Position, r *interpreter.Random, n int) int {
	team := b.team(p)
	b.shares = append(b.shares[:0], b.far...)
	b.clear(n)
	for round := range uint64(max(1, b.Playouts/n)) {
		b.guess(p, r)
		seed := r.Uint64()
		for i := range n {
			chance := interpreter.NewRandom(seed, round)
			b.next.CopyFrom(b.root)
			if !b.take(b.next, i) {
				continue
			}
			b.playout(b.next, &chance, b.horizon(p, b.Depth))
			b.judge.shares(b.next, b.shares)
			b.worth[i] += b.shares[team]
		}
	}
	return b.pick(r)
}
