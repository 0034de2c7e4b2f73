package solve_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter/solve"
)

// TestSize counts the placements of the Royal Game of Ur. With up to five pieces a side, every placement is a position.
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

// TestSizeOfMemory counts variables of the rules too, here the number of sixes. The count is close to the number of
// positions.
func TestSizeOfMemory(t *testing.T) {
	p := example(t, "ludo.rules", dsl.Setting{Options: map[string]string{"tokens": "1"}, Players: 2}).Start(0)
	var settled []int
	r, err := solve.Solve(t.Context(), p, solve.Options{Wins: true, Progress: func(s solve.Progress) {
		if s.Settled > 0 {
			settled = append(settled, s.Settled)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(settled) < 10 || !slices.IsSorted(settled) || settled[len(settled)-1] > r.States { // progress is reported within a component that has half of the positions
		t.Errorf("progress is reported as %v", settled)
	}
	if n, err := solve.Size(t.Context(), p, nil); err != nil || math.Abs(n/float64(r.States)-1) > 0.1 {
		t.Errorf("%f, want about %d: %v", n, r.States, err)
	}
}
