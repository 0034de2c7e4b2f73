package solve

import (
	"context"
	"fmt"

	"github.com/rulerun/rulerun/interpreter"
)

// SizeError reports that a game has too many positions, by an estimate before the enumeration.
type SizeError struct {
	States float64 // approximate
	Most   int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("about %.3g positions at throws are more than %d", e.States, e.Most)
}

// Size estimates the number of positions of a game reachable from p. It counts the placements of pieces consistent with a
// sample of random games, for each state of the rules' other variables in the sample. It is 0 if positions have no short
// keys. The estimate may include unreachable placements, and may miss rare states of variables.
func Size(ctx context.Context, p *interpreter.Position, play []Play) (float64, error) {
	const throws = 60_000
	census := canonical(p.Game(), play).Census()
	r := interpreter.NewRandom(1, 0)
	q := p.Copy()
	for range throws {
		switch q.Kind() {
		case interpreter.Over, interpreter.Broken:
			q.CopyFrom(p)
			if p.Kind() != interpreter.Throw && p.Kind() != interpreter.Choice {
				return 0, ctx.Err()
			}
		case interpreter.Choice:
			q.ChooseRandom(&r)
			continue
		}
		census.Add(q)
		q.ThrowRandom(&r)
		if ctx.Err() != nil {
			break
		}
	}
	return census.Positions(), ctx.Err()
}
