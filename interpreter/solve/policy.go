package solve

import (
	"context"

	"github.com/rulerun/rulerun/interpreter"
)

// Decision is a position at which a side decides, and what it does best. It belongs to the walk that gives it.
type Decision struct {
	Position *interpreter.Position
	Option   int     // the option taken; where a number is chosen instead of thrown, which of the outcomes
	Win      float64 // how likely the side wins with it
	Throws   float64 // how many throws follow on average
	Worst    float64 // how likely it wins with the worst option, if it plays on as well as it can
}

// Decisions calls f with each position that can come up at which a side plays its best, in an order that is always the same. p is the position
// that was solved. The error is that of f, or of ctx.
func (r *Result) Decisions(ctx context.Context, p *interpreter.Position, f func(*Decision) error) error {
	g, v := r.graph, r.values
	x := newExplorer(ctx, p, r.play, Options{})
	x.g, x.met = g, make([]bool, len(g.kind))
	x.meet = func(state int, q *interpreter.Position) error {
		i := uint32(state)
		if g.kind[i] != best {
			return nil
		}
		side := g.side[i]
		d := Decision{Position: q, Option: int(v.taken[i]), Win: min(1, v.won(i)[side]), Throws: v.throws[i], Worst: 1}
		for _, w := range g.row(i) {
			d.Worst = min(d.Worst, v.won(w.to)[side])
		}
		return f(&d)
	}
	return x.all(p)
}
