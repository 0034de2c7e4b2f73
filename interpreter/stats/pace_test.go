package stats

import (
	"math"
	"testing"

	"github.com/rulerun/rulerun/interpreter"
)

// TestPace adds up the time of throws and decisions, of the whole game and until the first winner.
func TestPace(t *testing.T) {
	x := &interpreter.Played{Throws: 100, Decisions: 40, FirstRanked: 50, FirstDecisions: 30}
	for _, c := range []struct {
		pace       Pace
		all, first int
	}{{Pace{}, 620, 340}, {Pace{Throw: 2}, 200, 100}, {Pace{Choice: 1.5}, 60, 45}} {
		if all, first := c.pace.orDefault().Seconds(x); all != c.all || first != c.first {
			t.Errorf("%v: %d and %d seconds, want %d and %d", c.pace, all, first, c.all, c.first)
		}
	}
	g := small(t, nil)
	tally, err := Run(t.Context(), g, Options{To: 500, Seed: 1, Pace: Pace{Throw: 30, Choice: 6}})
	if err != nil {
		t.Fatal(err)
	}
	mean, whole := Minutes(&tally.Seconds)
	if want := (30*tally.Throws.Mean().Mean + 6*tally.Decisions.Mean().Mean) / 60; math.Abs(mean.Mean-want) > 1e-9 || math.Abs(whole.Mean().Mean-want) > 0.5 {
		t.Errorf("%g minutes and %g, want %g", mean.Mean, whole.Mean().Mean, want)
	}
	c, err := Compare(t.Context(), g, small(t, map[string]string{"need": "9"}), CompareOptions{Games: 1, Seed: 1, Pace: Pace{Throw: 60}})
	if err != nil {
		t.Fatal(err)
	}
	var throws, minutes Difference
	for _, d := range c.Differences {
		switch d.Name {
		case MeasureThrows:
			throws = d
		case MeasureMinutes:
			minutes = d
		}
	}
	if math.Abs(minutes.Value-throws.Value) > 1e-9 || minutes.Limit > throws.Limit+1 || minutes.Verdict != More {
		t.Errorf("with a minute a throw: %+v and %+v", minutes, throws)
	}
}
