package review

import (
	"slices"

	"github.com/rulerun/rulerun/interpreter"
)

// Step is a throw or a decision.
type Step struct {
	Throw bool
	At    int // number of throws up to here
	Seat  int // that throws or decides; interpreter.None for a lot
	// Shares are the probabilities of the sides to win after it.
	Shares []float64
	// Gain is what the own side gained: of a throw its luck, of a decision minus what it lost against the best option.
	Gain float64
	// Of a decision: the number of options, the best and the one taken, and how much more the best is worth than the
	// worst.
	Options, Best, Taken int
	Stake                float64
}

// Walk values a game as it is played. It belongs to one goroutine.
type Walk struct {
	judge *Judge
	p     *interpreter.Position
	last  *interpreter.Position
	now   []float64
	// Luck has by side what all throws gave it, Choices what all decisions did, those of others too, and Rest what the judge
	// saw only later; it is zero by a table. Their sum is the result less the chance at the beginning.
	Luck, Choices, Rest []float64
}

// NewWalk begins at a position, which the caller plays on.
func NewWalk(j *Judge, p *interpreter.Position) (*Walk, error) {
	n := len(p.Game().Rules().Teams)
	w := &Walk{judge: j, p: p, last: p.Copy(), now: make([]float64, n), Luck: make([]float64, n), Choices: make([]float64, n), Rest: make([]float64, n)}
	return w, j.Value(p, w.now)
}

// Shares are the probabilities of the sides to win now.
func (w *Walk) Shares() []float64 { return w.now }

// Next values a throw or a choice, which play makes. ok is false for one that leaves nothing to say: a choice with one
// option, or what comes after the first winner is known.
func (w *Walk) Next(play func() error) (s Step, ok bool, err error) {
	decided := Decided(w.p)
	throw, seat := w.p.Kind() == interpreter.Throw, w.p.Player()
	var list [][]float64
	best := 0
	if !throw && !decided && w.p.OptionCount() > 1 {
		if list, best, err = w.judge.Options(w.p); err != nil {
			return s, false, err
		}
	}
	w.last.CopyFrom(w.p)
	before := slices.Clone(w.now)
	if throw && !decided && !w.p.ChosenNumber() {
		mean := make([]float64, len(w.now))
		ok, err := w.judge.expect(w.p, mean)
		if err != nil {
			return s, false, err
		}
		if ok {
			for side, v := range mean {
				w.Rest[side] += v - before[side]
			}
			before = mean
		}
	}
	if err := play(); err != nil {
		return s, false, err
	}
	if decided {
		return s, false, nil
	}
	if err := w.judge.Value(w.p, w.now); err != nil {
		return s, false, err
	}
	s = Step{Throw: throw, At: w.p.Throws(), Seat: seat, Shares: slices.Clone(w.now), Options: len(list), Best: best}
	of := w.Choices
	if throw {
		of = w.Luck
	}
	for side := range of {
		of[side] += w.now[side] - before[side]
	}
	if seat < 0 {
		return s, throw, nil
	}
	own := w.p.Game().Rules().Seats[seat].Team
	s.Gain = w.now[own] - before[own]
	if list == nil {
		return s, throw, nil
	}
	q := w.judge.position(w.last)
	defer w.judge.release(q)
	for i := range list { // the option taken leads to this position
		q.CopyFrom(w.last)
		if s.Taken = i; q.Choose(i) == nil && q.Equal(w.p) {
			break
		}
	}
	s.Stake = stake(list, best, own)
	return s, true, nil
}
