// Package solve works out small games exactly: how likely each side is to win, and how long a game lasts on average.
//
// It stands beside the engine and knows nothing of it but its door. It visits every position that can come up, keeps each as
// a few bytes, writes down the ways from one to the next as the rows of a sparse matrix, and finds the values that agree with
// one another along all of them by value iteration: R. Bellman, Dynamic Programming (1957); for games of two sides L. S.
// Shapley, Stochastic Games (1953). Positions that lead back to one another form a component; components are settled one
// after the other, those that come last in a game first, as J. Glenn, H. Fang and C. P. Kruskal did it for a race of dice
// (A retrograde approximation algorithm for one-player Can't Stop, 2006).
//
// What a newcomer gets wrong: positions grow with the power of the pieces. One or two pieces a side on a short
// track are within reach, four are not.
package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rulerun/rulerun/interpreter"
)

// Play says how a seat decides.
type Play uint8

// The ways to decide.
const (
	// Best takes what makes its own side most likely to win, of that what makes the game shortest, of that the first.
	Best Play = iota
	// Random takes each option of each decision with the same chance, a question being a decision of its own.
	Random
)

// Options say what is worked out. The zero value is best play by all.
type Options struct {
	Play      []Play  // by seat; Best where there is none
	MaxStates int     // positions looked at before giving up; 0 is DefaultMaxStates
	Tolerance float64 // how far off a value may be, lengths in proportion; 0 is DefaultTolerance
	// Progress, if not nil, gets now and then how far the work is.
	Progress func(Progress)
}

// The usual bounds.
const (
	DefaultMaxStates = 2_000_000
	DefaultTolerance = 1e-12
)

// Progress is how far the work is.
type Progress struct {
	States  int // found so far
	Looked  int // of them, positions whose ways on are known
	Settled int // of them, positions whose value is known
}

// Result is a solved game, seen from the position asked about.
type Result struct {
	// Wins is by seat how likely its side wins. Drawn is how likely the game ends with no winner, and Endless how likely it
	// never ends.
	Wins           []float64
	Drawn, Endless float64
	// Throws and Turns are how many a game takes on average from here; those begun since
	// the position was made count too. Both are infinite where Endless is above 0.
	Throws, Turns float64

	States      int // positions that can come up
	Choices     int // of them, those at which a player has a choice
	Ends        int // of them, those in which the game is over
	Hopeless    int // of them, those from which no end can be reached
	Transitions int // ways from one to the next
	Components  int // sets of positions that lead back to one another
	Largest     int // positions of the largest
	Sweeps      int // times that a component's values were worked out anew, at most for any
	// Residual is the largest difference that working out a chance to win once more makes anywhere, LengthResidual the
	// largest difference in throws or turns.
	Residual, LengthResidual float64
	// Error and LengthError bound how far Wins, and Throws and Turns, can be off; infinite where no bound is known.
	Error, LengthError float64
	// Avoidable says that those who decide could keep the game from ending for ever if all of them wanted to. Then
	// best play is an equilibrium of what was found, and need not be the only one.
	Avoidable bool
	// Sides is how many sides play. Of more than two the values are those of one equilibrium.
	Sides int

	play   []Play
	graph  *graph
	values *values
}

// LimitError says that there are more positions than were asked for.
type LimitError struct{ States, Looked int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d positions can come up, and the ways on from %d of them are not known yet", e.States, e.States-e.Looked)
}

// UnsettledError says that the values of a component did not come to rest.
type UnsettledError struct {
	States, Sweeps int
	Change         float64 // what the last sweep still changed
	Endless        bool    // by what was chosen the game need not end
}

func (e *UnsettledError) Error() string {
	if e.Endless {
		return fmt.Sprintf("under best play the game can go on for ever: among %d positions that lead back to one another no player gains by ending it", e.States)
	}
	return fmt.Sprintf("the values of %d positions that lead back to one another still change by %.2g after %d sweeps", e.States, e.Change, e.Sweeps)
}

// ErrSecret says that the rules keep something secret, and that a side plays its best.
var ErrSecret = errors.New("the rules keep something secret, and the best play against what one does not know is not worked out here")

// Solve works out the game that goes on from a position, which must belong to a game in the form that counts (see
// interpreter.Game.Counted). The position is not changed. The same position and options give the same result, bit for bit. The
// error is a fault of the rules, a *LimitError, an *UnsettledError, ErrSecret or that of ctx.
func Solve(ctx context.Context, p *interpreter.Position, o Options) (*Result, error) {
	if o.MaxStates <= 0 {
		o.MaxStates = DefaultMaxStates
	}
	if o.Tolerance <= 0 {
		o.Tolerance = DefaultTolerance
	}
	rules := p.Game().Rules()
	play := make([]Play, p.Game().Players())
	copy(play, o.Play)
	for _, v := range rules.Vars {
		if v.Secret && slices.Contains(play, Best) {
			return nil, ErrSecret
		}
	}
	g, err := explore(ctx, p, play, o)
	if err != nil {
		return nil, err
	}
	g.order()
	v := newValues(g, len(rules.Teams))
	if err := v.settle(ctx, o); err != nil {
		return nil, err
	}
	r := v.result(p)
	r.play = play
	r.Turns += float64(p.TurnsBegun())
	return r, nil
}

// result reads the result off at the first state.
func (v *values) result(p *interpreter.Position) *Result {
	g, rules := v.g, p.Game().Rules()
	r := &Result{
		States: len(g.kind), Components: len(g.parts) - 1, Sweeps: v.sweeps, Avoidable: v.avoidable,
		Sides: len(rules.Teams), Throws: v.throws[0], Turns: v.turns[0], graph: g, values: v,
	}
	for i, k := range g.kind {
		r.Transitions += len(g.row(uint32(i)))
		switch {
		case k == over:
			r.Ends++
		case g.choice[i]:
			r.Choices++
		}
		if v.hopeless[i] {
			r.Hopeless++
		}
	}
	for c := range r.Components {
		r.Largest = max(r.Largest, int(g.parts[c+1]-g.parts[c]))
	}
	all := 0.0
	for _, x := range v.won(0) {
		all += x
	}
	for seat := range p.Game().Players() {
		r.Wins = append(r.Wins, min(1, v.won(0)[rules.Seats[seat].Team])) // 1 and a little by rounding
	}
	r.Drawn = min(1, v.won(0)[v.sides])
	if math.IsInf(v.throws[0], 1) {
		r.Endless = max(0, 1-all)
	}
	v.judge(r)
	return r
}
