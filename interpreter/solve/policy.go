package solve

import (
	"context"

	"github.com/rulerun/rulerun/interpreter"
)

// Decision is a position with a decision, and the best option there. It is valid only during the callback.
type Decision struct {
	Position *interpreter.Position
	Option   int     // the option taken; for a chosen number, the index of the outcome
	Win      float64 // probability that the side wins with it
	Throws   float64 // expected number of throws that follow
	Worst    float64 // probability of winning after the worst option and best play afterwards
}

// Decisions calls f with each reachable position with a decision of a side with best play, in a deterministic order.
// p is the position that was solved. Of positions that differ only in interchangeable pieces or players one stands for
// all. The error is that of f, or of ctx.
func (r *Result) Decisions(ctx context.Context, p *interpreter.Position, f func(*Decision) error) error {
	g, v := r.graph, r.values
	x := newExplorer(ctx, p, r.play, Options{})
	x.g, x.coder = g, g.canon.Coder()
	x.meet = func(state int, q *interpreter.Position) error {
		i := uint32(state)
		if g.kind[i] != best {
			return nil
		}
		side := g.side[i]
		d := Decision{Position: q, Option: int(v.taken[i]), Win: min(1, v.won(i)[side]), Throws: v.throws[i], Worst: 1}
		for _, w := range g.row(i) {
			d.Worst = min(d.Worst, v.chance(w, side))
		}
		return f(&d)
	}
	return x.all(p)
}
