// Package solve solves games exactly: the probability of each side to win, and the expected length of a game.
//
// It uses only the public API of the engine. Positions that differ only in which of a colour's pieces stands where, or in
// the names of the players, are one (see interpreter.Canonical). It enumerates the reachable positions at throws, parts
// them in layers by what never goes back, keeps for each the tree of what can follow until the next throw, and finds the
// values by value iteration: R. Bellman, Dynamic Programming (1957); for games of two sides L. S. Shapley, Stochastic
// Games (1953). It solves layers and their strongly connected components in reverse topological order, as J. Glenn,
// H. Fang and C. P. Kruskal did for a dice race (A retrograde approximation algorithm for one-player Can't Stop, 2006), and
// extrapolates the sweeps over a component.
//
// The number of positions is exponential in the number of pieces; Size estimates it.
package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rulerun/rulerun/interpreter"
)

// Play is how a seat decides.
type Play uint8

// The ways to decide.
const (
	// Best maximises the probability that its own side wins; among equal options it takes the shortest game, then the
	// first option.
	Best Play = iota
	// Random takes each option of each decision with the same probability. A question is a separate decision.
	Random
	byBot // and above: a bot
)

// Options says what is solved. The zero value is best play by all.
type Options struct {
	Play []Play // by seat; Best if missing
	// Bots names by seat the bot that decides, none if it is empty; then Play does not matter. Bot makes a bot, for each
	// goroutine another one. Bots must decide equally in equal positions; each decision gets the same random numbers, but where a bot has
	// the method Equal() []int, the options among which it has drawn last, each of them is as likely.
	Bots      []string
	Bot       func(name string) (interpreter.Chooser, error)
	MaxStates int     // maximum number of positions; 0 is DefaultMaxStates
	Tolerance float64 // allowed error of a value, relative for lengths; 0 is DefaultTolerance
	// Wins leaves out the lengths, which take three quarters of the memory for values.
	Wins bool
	// Store, if not nil, keeps what is worked out. Solve goes on with what it has. Only positions with short keys can be
	// stored; for others the error is ErrNoKeys, and ErrStored for a store of another game.
	Store Store
	// Progress, if not nil, is called from time to time.
	Progress func(Progress)

	apart bool // positions that differ only in names stay apart, for tests
}

// The default limits.
const (
	DefaultMaxStates = 20_000_000
	DefaultTolerance = 1e-12
)

// Progress is the state of the work.
type Progress struct {
	States  int // positions found so far
	Looked  int // of them, positions with known transitions
	Settled int // of them, positions with known values; of those worked on together a part, by the digits that they have
	Sweeps  int // over the layer being worked on
	// Expected is, in the first report, about how many positions there are; see Size.
	Expected float64
}

// Result is a solved game, seen from the initial position.
type Result struct {
	// Wins is by seat the probability that its side wins. Drawn is the probability that the game ends without a
	// winner, and Endless the probability that it never ends.
	Wins           []float64
	Drawn, Endless float64
	// Throws and Turns are the expected numbers in a game from here, including those before the initial position.
	// Both are infinite if Endless is above 0, and not numbers if they were not asked for.
	Throws, Turns float64

	States      int // reachable positions at throws of dice, those that the rules cannot tell apart being one
	Choices     int // choices of players after these throws; equal ones after different numbers are one
	Layers      int // parts of the positions from which none leads back to an earlier one
	Hopeless    int // of them, those from which no end is reachable
	Transitions int // ways from one of them to another, or to the end
	Components  int // strongly connected components
	Largest     int // positions of the largest component
	Sweeps      int // the largest number of sweeps over a component
	// Residual is the largest change that one more update makes to a probability, LengthResidual the largest change
	// of throws or turns.
	Residual, LengthResidual float64
	// Error and LengthError are bounds on the errors of Wins, and of Throws and Turns; infinite if no bound is known.
	Error, LengthError float64
	// Stopped means that ctx was done before the values were as exact as requested. Error and LengthError hold.
	Stopped bool
	// Avoidable means that the deciding sides together could make the game endless. Then best play is one
	// equilibrium, and there may be others.
	Avoidable bool
	// Sides is the number of sides. For more than two the values are those of one equilibrium.
	Sides int

	play   []Play
	values *values
}

// LimitError means that there are more positions than the limit.
type LimitError struct{ States, Looked int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d positions are reachable, and %d of them are not expanded yet", e.States, e.States-e.Looked)
}

// UnsettledError means that the values of a component did not converge.
type UnsettledError struct {
	States, Sweeps int
	Change         float64 // change in the last sweep
	Endless        bool    // with the chosen options the game may be endless
}

func (e *UnsettledError) Error() string {
	if e.Endless {
		return fmt.Sprintf("under best play the game can go on for ever: among %d positions of a cycle no player gains by ending it", e.States)
	}
	return fmt.Sprintf("the values of %d positions of a cycle do not converge: they still change by %.2g after %d sweeps", e.States, e.Change, e.Sweeps)
}

// ErrSecret means that the rules have secrets, and that a side has best play.
var ErrSecret = errors.New("the rules have secrets, and solve does not support best play with hidden information")

// Solve solves the game from a position, which must belong to a game in the form that counts (see
// interpreter.Game.Counted). It does not change the position. The same position and options give the same result, bit
// for bit, unless ctx is done: where something is known of the initial position by then, the result is Stopped. To bound
// its error takes some more time. The error is a fault of the rules, a *SizeError, a *LimitError, an *UnsettledError, ErrSecret or that of ctx.
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
	var bots []string
	for seat, name := range o.Bots {
		if name == "" {
			continue
		}
		if !slices.Contains(bots, name) {
			bots = append(bots, name)
		}
		play[seat] = byBot + Play(slices.Index(bots, name))
	}
	for _, v := range rules.Vars {
		if v.Secret && slices.ContainsFunc(play, func(p Play) bool { return p != Random }) {
			return nil, ErrSecret
		}
	}
	if size, err := Size(ctx, p, play); err != nil {
		return nil, err
	} else if size > float64(o.MaxStates) && !o.apart {
		return nil, &SizeError{size, o.MaxStates}
	} else if o.Progress != nil {
		o.Progress(Progress{Expected: size})
	}
	x, err := explore(ctx, p, play, o)
	if err != nil {
		return nil, err
	}
	v, err := x.g.settle(ctx, o, len(rules.Teams), x.keep)
	if err != nil {
		return nil, err
	}
	r := v.result(p)
	r.play = play
	return r, nil
}

// result reads the result from the tree of the initial position.
func (v *values) result(p *interpreter.Position) *Result {
	g, rules := v.g, p.Game().Rules()
	out := make([]float64, v.row)
	e := v.evaluator()
	e.tree(g.root, 0, out)
	r := &Result{
		States: g.states, Choices: g.choices, Transitions: g.transitions, Hopeless: v.hopeless, Sweeps: v.sweeps, Avoidable: v.avoidable, Stopped: v.stopped,
		Sides: v.sides, Throws: math.NaN(), Turns: math.NaN(), values: v,
	}
	for _, l := range g.layers {
		if l.count > 0 {
			r.Layers++
		}
		r.Components += l.components
		r.Largest = max(r.Largest, l.largest)
		r.Residual, r.LengthResidual = max(r.Residual, l.residual), max(r.LengthResidual, l.lengthResidual)
		r.Error, r.LengthError = max(r.Error, l.error), max(r.LengthError, l.lengthError)
	}
	for seat := range p.Game().Players() {
		r.Wins = append(r.Wins, min(1, v.chance(out, rules.Seats[seat].Team))) // rounding may exceed 1
	}
	if !v.duel {
		all := 0.0
		for _, x := range out[:v.wins] {
			all += x
		}
		r.Drawn = min(1, out[v.sides])
		if v.hopeless > 0 {
			r.Endless = max(0, 1-all)
		}
	}
	if v.row > v.wins {
		r.Throws, r.Turns = out[v.wins], out[v.wins+1]+float64(p.TurnsBegun())
		if !math.IsInf(r.Throws, 1) {
			r.Endless = 0
		}
	}
	return r
}
