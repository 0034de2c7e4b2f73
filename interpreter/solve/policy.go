package solve

import (
	"context"
	"math"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Decision is a position with a decision, and the best option. It is valid only during the callback.
type Decision struct {
	Position *interpreter.Position
	Option   int     // the best option; for a chosen number, the index of the outcome
	Win      float64 // probability that the side wins with this option
	Throws   float64 // expected number of throws that follow; NaN without lengths
	Worst    float64 // win probability after the worst option, followed by best play
}

// Decisions calls f with each reachable position where a side with best play decides, in a deterministic order. p is the
// position that was solved. Positions that differ only by a symmetry of pieces or players have one representative. The error
// is that of f, or of ctx.
func (r *Result) Decisions(ctx context.Context, p *interpreter.Position, f func(*Decision) error) error {
	v := r.values
	x := newExplorer(ctx, p, r.play, v.o)
	g := *v.g // a copy: expanding again adds to it
	g.dists = slices.Clip(g.dists)
	x.g, x.flat, x.byWeights = &g, true, map[string]uint16{}
	w := &walker{evaluator: v.evaluator(), f: f}
	w.e = x.expander()
	w.e.record = true
	if err := w.position(p.Copy(), v.g.root); err != nil {
		return err
	}
	for _, l := range v.g.layers {
		if err := v.keep.open(l.n); err != nil {
			return err
		}
		for i := range uint32(l.count) {
			if i&0x3ff == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			q, err := w.e.restore(l.keys.at(int(i)), l.held[i])
			if err == nil {
				err = w.position(q, l.of(i))
			}
			if err != nil {
				return err
			}
		}
		v.keep.drop(l)
	}
	return nil
}

// walker walks a tree together with its positions.
type walker struct {
	*evaluator
	e       *expander
	f       func(*Decision) error
	chances int // number of chance nodes so far
	steps   []*interpreter.Position
}

// position calls f for the choices of a tree.
func (w *walker) position(p *interpreter.Position, t []byte) error {
	if n, _ := w.g.branches(t, 0); n == 0 {
		return nil
	}
	w.e.out, w.e.held, w.e.branchOf, w.chances = w.e.out[:0], nil, w.e.branchOf[:0], 0
	if err := w.e.expand(p); err != nil {
		return err
	}
	// The chosen options are not stored. Compute them from the values.
	w.fixed = false
	w.tree(t, 0, make([]float64, w.row))
	w.fixed = true
	_, err := w.decide(p, t, 0, 0)
	return err
}

// decide calls f for the choices below the node of a tree at an offset, whose position is p. It returns the offset after the
// node.
func (w *walker) decide(p *interpreter.Position, t []byte, at, depth int) (int, error) {
	op := little.Uint16(t[at:])
	n, next := w.g.branches(t, at)
	if n == 0 {
		return next, nil
	}
	if op&opKind == opChoice {
		each, side, now := w.row, int(op&opSide), int(little.Uint16(t[at+4:]))
		rows := make([]float64, n*each)
		for i, to := 0, next; i < n; i++ {
			to = w.tree(t, to, rows[i*each:(i+1)*each])
		}
		d := Decision{Position: p, Option: now, Win: min(1, w.chance(rows[now*each:], side)), Throws: math.NaN(), Worst: 1}
		for i := range n {
			d.Worst = min(d.Worst, w.chance(rows[i*each:], side))
		}
		if w.row > w.wins {
			d.Throws = rows[now*each+w.wins]
			if op&opThrows != 0 {
				d.Throws++
			}
		}
		if err := w.f(&d); err != nil {
			return 0, err
		}
	}
	weights, take, err := w.e.ways(p)
	if err != nil {
		return 0, err
	}
	var branchOf []int
	if op&opKind == opChance {
		branchOf = w.e.branchOf[w.chances]
		w.chances++
	} else {
		branchOf = seq.Of(len(weights), func(i int) int { return i })
	}
	type place struct{ at, chances int }
	var met []place // by branch; equal ways share a branch
	for i, b := range branchOf {
		for len(w.steps) <= depth {
			w.steps = append(w.steps, p.Copy())
		}
		q := w.steps[depth]
		q.CopyFrom(p)
		if err := take(q, i); err != nil {
			return 0, err
		}
		at, on := place{next, w.chances}, w.chances
		if b < len(met) {
			at, w.chances = met[b], met[b].chances
		}
		end, err := w.decide(q, t, at.at, depth+1)
		if err != nil {
			return 0, err
		}
		if b < len(met) {
			w.chances = on
			continue
		}
		met, next = append(met, at), end
	}
	return next, nil
}
