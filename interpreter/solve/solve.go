// Package solve solves games exactly: the win probability of each side, and the expected length of a game.
//
// It uses only the public API of the engine. Positions that differ only by a symmetry, of the pieces of a colour or of the
// players, are merged by a canonical form (see interpreter.Canonical). The package enumerates the reachable positions at
// throws and partitions them into layers, by a quantity that never decreases. For each position it keeps the tree of
// everything that can follow until the next throw. It computes the values by value iteration: R. Bellman, Dynamic
// Programming (1957); for games of two sides L. S. Shapley, Stochastic Games (1953). It solves layers and their strongly
// connected components in reverse topological order, as J. Glenn, H. Fang and C. P. Kruskal did for a dice race (A
// retrograde approximation algorithm for one-player Can't Stop, 2006), and extrapolates the sweeps over a component.
//
// The number of positions is exponential in the number of pieces; Size estimates it.
package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Play is the policy of a seat.
type Play uint8

// The policies.
const (
	// Best maximises the win probability of its own side. Among equal options it takes the one with the shortest game, then
	// the first.
	Best Play = iota
	// Random takes each option of each decision with the same probability. A question is a separate decision.
	Random
	byBot // this and higher numbers: a bot
)

// Options configures Solve. The zero value is best play by all.
type Options struct {
	Play []Play // by seat; Best if missing
	// Bots names the bot of each seat; an empty name means no bot. The policy in Play is ignored for a bot's seat. Bot makes
	// a bot, one for each goroutine. A bot must decide equally in equal positions: it gets the same random numbers for each
	// decision. If it has the method Equal() []int, the options it last drew from, each of them is equally likely.
	Bots      []string
	Bot       func(name string) (interpreter.Chooser, error)
	MaxStates int     // maximum number of positions; 0 is DefaultMaxStates
	Tolerance float64 // allowed error of a value, relative for lengths; 0 is DefaultTolerance
	// Wins skips the lengths, which take three quarters of the memory for values.
	Wins bool
	// Store, if not nil, saves the work, and Solve resumes from it. Only positions with short keys can be stored; for others
	// the error is ErrNoKeys. The error is ErrStored for a store of another game.
	Store Store
	// Progress, if not nil, is called from time to time.
	Progress func(Progress)

	apart bool // do not merge symmetric positions
}

// The default limits.
const (
	DefaultMaxStates = 20_000_000
	DefaultTolerance = 1e-12
)

// Progress is the progress of Solve.
type Progress struct {
	States  int // positions found so far
	Looked  int // number of them with known transitions
	Settled int // number of them with known values; while a component is iterated, a fraction of it by the digits known
	Sweeps  int // sweeps over the present layer
	// Bounding reports that the values of the present layer are known, and their errors are being bounded.
	Bounding bool
	// Expected is, in the first report, the estimated number of positions; see Size.
	Expected float64
}

// Result is a solved game, for the initial position.
type Result struct {
	// Wins is by seat the win probability of its side. Drawn is the probability that the game ends without a winner, and
	// Endless the probability that it never ends.
	Wins           []float64
	Drawn, Endless float64
	// Throws and Turns are the expected numbers in a game from the initial position, plus those before it. Both are infinite
	// if Endless is above 0, and NaN without lengths.
	Throws, Turns float64

	States      int // reachable positions at throws of dice, symmetric ones merged
	Choices     int // choices after these throws; equal ones after different numbers are merged
	Layers      int // subsets of the positions from which no edge leads to an earlier one
	Hopeless    int // positions that cannot reach an end
	Transitions int // edges to positions and ends
	Components  int // strongly connected components
	Largest     int // positions of the largest component
	Sweeps      int // the largest number of sweeps over a component
	// Residual is the largest change of a probability in one more update, LengthResidual the largest change of throws or
	// turns.
	Residual, LengthResidual float64
	// Error and LengthError bound the errors of Wins, and of Throws and Turns. They are infinite if no bound is known.
	Error, LengthError float64
	// Stopped reports that ctx was done before the values reached the tolerance. Error and LengthError are still valid.
	Stopped bool
	// Avoidable reports that the deciding sides together could make the game endless. Best play is then one equilibrium, and
	// there may be others.
	Avoidable bool
	// Sides is the number of sides. For more than two, the values are those of one equilibrium.
	Sides int

	play   []Play
	values *values
}

// LimitError reports that there are more positions than the limit.
type LimitError struct{ States, Looked int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d positions are reachable, and %d of them are not expanded yet", e.States, e.States-e.Looked)
}

// UnsettledError reports that the values of a component did not converge.
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

// ErrSecret reports that the rules have secrets, and that a side has best play.
var ErrSecret = errors.New("the rules have secrets, and solve does not support best play with hidden information")

// Solve solves the game from a position, which must belong to a game in the counted form (see interpreter.Game.Counted). It
// does not change the position. The same position and options give the same result, bit for bit, unless ctx is done. In that
// case, if the initial position has a value, the result has Stopped set; computing its error bound takes some more time. The
// error is a fault of the rules, a *SizeError, a *LimitError, an *UnsettledError, ErrSecret or the error of ctx.
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
	bots := seq.Distinct(seq.Filter(o.Bots, func(name string) bool { return name != "" }))
	for seat, name := range o.Bots {
		if name != "" {
			play[seat] = byBot + Play(slices.Index(bots, name))
		}
	}
	secret := slices.ContainsFunc(rules.Vars, func(v *model.Var) bool { return v.Secret })
	if secret && slices.ContainsFunc(play, func(p Play) bool { return p != Random }) {
		return nil, ErrSecret
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
	v, err := x.g.solveLayers(ctx, x.o, len(rules.Teams), x.keep)
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
	r.Wins = seq.Of(len(rules.Seats), func(seat int) float64 { return min(1, v.chance(out, rules.Seats[seat].Team)) }) // rounding may exceed 1
	if !v.duel {
		if g.drawn {
			r.Drawn = min(1, out[v.sides])
		}
		if v.hopeless > 0 {
			r.Endless = max(0, 1-seq.Total(out[:v.wins]))
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
