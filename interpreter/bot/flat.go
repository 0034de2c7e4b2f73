package bot

import "github.com/rulerun/rulerun/interpreter"

// flat is flat Monte Carlo: it plays games by chance from every option, the same number from each, and takes the option
// from which they end best. A game that is broken off is judged by the lead.
type flat struct {
	Playouts int // games a decision in all, at least one an option
	Depth    int // throws after which a game is broken off
	look
	shares []float64
}

// decide plays round by round a game from each way on. In a round all have the same guess and the same chance.
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
