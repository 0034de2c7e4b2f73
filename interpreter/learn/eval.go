package learn

import (
	"math"
	"slices"

	"github.com/rulerun/rulerun/interpreter"
)

// Eval is a trained evaluation of the positions of a game. It is immutable and safe for several goroutines.
type Eval struct {
	*Features
	net   *net
	Games int    // number of training games
	Seed  uint64 // of the training games
}

// Judge estimates win probabilities. It belongs to one goroutine.
type Judge struct {
	eval *Eval
	read *Reader
}

// Judge makes a judge.
func (e *Eval) Judge() *Judge { return &Judge{e, e.NewReader()} }

// Shares estimates, at a throw, the probability of each team to win, or to be ranked next. They sum to 1; a team that no
// longer plays has 0. It returns the views of the position, which are valid until the next call.
func (j *Judge) Shares(p *interpreter.Position, out []float64) [][]Term {
	var sums [maxUnits]float32
	views := j.read.Read(p)
	for team, view := range views {
		out[team] = math.Inf(-1)
		if plays(p, team) {
			out[team] = float64(j.eval.net.score(view, &sums))
		}
	}
	softmax(out)
	return views
}

// plays reports whether a player of a team is still in the game.
func plays(p *interpreter.Position, team int) bool {
	return slices.ContainsFunc(p.Game().Rules().Teams[team], p.Playing)
}

// Winner is the team that has won, or that has the player ranked first; interpreter.None if there is none.
func Winner(p *interpreter.Position) int {
	seats := p.Game().Rules().Seats
	if p.Ranked() > 0 {
		return seats[p.Result().Ranking[0]].Team
	}
	if p.Kind() == interpreter.Over {
		if w := p.Result().Winners; len(w) > 0 {
			return seats[w[0]].Team
		}
	}
	return interpreter.None
}
