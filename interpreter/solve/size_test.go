package solve_test

import (
	"errors"
	"math"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter/solve"
)

// TestSize counts the placements of the Royal Game of Ur: with up to five pieces a side there are as many as positions.
func TestSize(t *testing.T) {
	for pieces, want := range map[string]float64{"2": 12_869, "3": 263_121, "5": 14_669_769, "7": 137_913_936} {
		p := example(t, "ur.rules", dsl.Setting{Options: map[string]string{"pieces_each": pieces}}).Start(0)
		if n, err := solve.Size(t.Context(), p, nil); err != nil || math.Abs(n-want) > want/1000 {
			t.Errorf("%s pieces: %f, want %f: %v", pieces, n, want, err)
		}
		var large *solve.SizeError
		if _, err := solve.Solve(t.Context(), p, solve.Options{MaxStates: 10_000}); !errors.As(err, &large) || math.Abs(large.States-want) > want/1000 {
			t.Errorf("%s pieces: %v", pieces, err)
		}
	}
}
