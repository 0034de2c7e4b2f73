package stats

import (
	"fmt"
	"math"

	"github.com/rulerun/rulerun/interpreter"
)

// Pace is how long people take at the table, in seconds. The zero value means DefaultThrow and DefaultChoice.
type Pace struct {
	Throw  float64 `json:"throw"`  // for a throw: to throw, move a piece, and pass the dice on
	Choice float64 `json:"choice"` // more, for a decision with two options or more
}

// The usual pace.
const (
	DefaultThrow  = 5
	DefaultChoice = 3
)

// orDefault is the pace, or the usual one.
func (p Pace) orDefault() Pace {
	if p == (Pace{}) {
		return Pace{DefaultThrow, DefaultChoice}
	}
	return p
}

func (p Pace) String() string { return fmt.Sprintf("%g s a throw, %g s a decision", p.Throw, p.Choice) }

// Seconds is how long a game takes, and how long until the first winner is known. The pace must not be zero.
func (p Pace) Seconds(x *interpreter.Played) (all, first int) {
	of := func(throws, decisions int) int {
		return int(math.Round(p.Throw*float64(throws) + p.Choice*float64(decisions)))
	}
	if all = of(x.Throws, x.Decisions); x.FirstRanked == 0 {
		return all, all
	}
	return all, of(x.FirstRanked, x.FirstDecisions)
}

// Minutes has the mean of minutes from seconds, and how often each number of whole minutes occurred, rounded.
func Minutes(seconds *Histogram) (Mean, *Histogram) {
	var h Histogram
	for v, n := range seconds.All() {
		h.add((v+30)/60, n)
	}
	return scaled(seconds.Mean(), 1.0/60), &h
}
