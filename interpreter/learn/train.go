package learn

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/parallel"
)

// Options say how to learn.
type Options struct {
	Games   int // at most, those of the evaluation it goes on from included; 0 is no limit
	Seed    uint64
	Threads int // 0 is one per processor; no effect on the result
	Units   int // hidden units of the net; 0 is as many as make a file of a few kilobytes
	// Progress, if not nil, is called after each round of games.
	Progress func(Progress)
}

// Progress is how far learning is.
type Progress struct {
	Games int
	// Surprise is the mean error of the predictions in recent games: the log loss in bits.
	Surprise float64
}

const (
	fewUnits   = 8
	manyUnits  = 24
	weights    = 2_000 // about, within these numbers of units
	roundGames = 32    // games between two changes of the weights
	part       = 64    // positions of a change
	mostThrows = 3_000 // of a game
	lambda     = 0.6
	fastest    = 0.005 // the rate of change at first
	halving    = 5_000 // games after which it is a half, then a third and so on
	late       = 8     // the higher, the more of the mean of the weights comes from late changes
	slack      = 0.05  // of a mean over recent rounds
)

// ErrAlone means that a game has only one side: there is nothing to win.
var ErrAlone = errors.New("there is one side only, and no opponent")

// Train learns a game by playing against itself: TD(λ) with the positions before a throw (R. S. Sutton, Learning to
// predict by the methods of temporal differences, 1988; G. Tesauro, Temporal difference learning and TD-Gammon,
// 1995). It goes on from an evaluation of the game, or from nothing if that is nil, until ctx is done or the games are
// played. The result depends on what it began with, the seed and the number of games alone. The error is ErrAlone, or that of
// the rules.
func Train(ctx context.Context, g *interpreter.Game, from *Eval, o Options) (*Eval, error) {
	if len(g.Rules().Teams) < 2 {
		return nil, ErrAlone
	}
	t := newTrainer(g, from, o)
	workers, err := parallel.Workers(o.Threads, roundGames, func() (*player, error) { return newPlayer(t.e), nil })
	if err != nil {
		return nil, err
	}
	surprise, rounds := 0.0, 0.0
	for ctx.Err() == nil && (o.Games == 0 || t.e.Games < o.Games) {
		var round []sample
		next, err := parallel.Run(ctx, workers, parallel.Tasks[*player, []sample]{
			From: t.e.Games, To: t.e.Games + roundGames,
			Work: func(w *player, k, _ int) ([]sample, error) { return w.play(o.Seed, uint64(k)) },
			Collect: func(_, _ int, game []sample) bool {
				round = append(round, game...)
				return true
			},
		})
		if err != nil {
			return nil, err
		}
		if next < t.e.Games+roundGames {
			break
		}
		loss := t.learn(round)
		t.e.Games = next
		rounds += slack * (1 - rounds)
		surprise += slack * (loss - surprise)
		if o.Progress != nil {
			o.Progress(Progress{next, surprise / rounds})
		}
	}
	return t.result(), nil
}

// sample is a position of a game, with what it is worth to each team as it turned out.
type sample struct {
	views [][]Term // nil for teams that no longer play
	worth []float64
}

// trainer changes the weights of an evaluation.
type trainer struct {
	e            *Eval
	grad         *net
	mean, square []float32 // of the gradients, as in Adam
	average      []float32 // of the weights
	steps        int
	random       interpreter.Random
}

func newTrainer(g *interpreter.Game, from *Eval, o Options) *trainer {
	e := &Eval{Features: NewFeatures(g), Seed: o.Seed}
	t := &trainer{e: e}
	switch {
	case from != nil:
		e.Features, e.Games = from.Features, from.Games
		e.net = newNet(len(e.names), from.net.units)
		copy(e.net.all, from.net.all)
	default:
		if o.Units == 0 {
			o.Units = max(fewUnits, min(manyUnits, weights/len(e.names)))
		}
		e.net = newNet(len(e.names), o.Units)
		r := interpreter.NewRandom(o.Seed, math.MaxUint64)
		for _, part := range [][]float32{e.net.inner, e.net.outer} {
			for i := range part {
				part[i] = float32(r.IntN(401)-200) / 1000
			}
		}
	}
	t.random = interpreter.NewRandom(o.Seed, math.MaxUint64-uint64(e.Games))
	n := len(e.net.all)
	t.grad = newNet(len(e.names), e.net.units)
	t.mean, t.square, t.average = make([]float32, n), make([]float32, n), slices.Clone(e.net.all)
	return t
}

// result is what has been learned.
func (t *trainer) result() *Eval {
	e := *t.e
	e.net = newNet(len(e.names), t.e.net.units)
	copy(e.net.all, t.average)
	return &e
}

// learn changes the weights after a round of games, and returns the mean log loss before.
func (t *trainer) learn(round []sample) float64 {
	for i := len(round) - 1; i > 0; i-- {
		j := t.random.IntN(i + 1)
		round[i], round[j] = round[j], round[i]
	}
	rate := fastest / (1 + float64(t.e.Games)/halving)
	loss := 0.0
	for some := range slices.Chunk(round, part) {
		clear(t.grad.all)
		for i := range some {
			loss += t.slope(&some[i], 1/float32(len(some)))
		}
		t.step(rate)
	}
	return loss / float64(max(1, len(round)))
}

// slope adds the gradient of the log loss of a sample, and returns the loss.
func (t *trainer) slope(s *sample, times float32) float64 {
	shares := make([]float64, len(s.views))
	sums := make([][mostUnits]float32, len(s.views))
	for team, view := range s.views {
		shares[team] = math.Inf(-1)
		if view != nil {
			shares[team] = float64(t.e.net.score(view, &sums[team]))
		}
	}
	softmax(shares)
	loss := 0.0
	for team, view := range s.views {
		if view != nil {
			loss -= s.worth[team] * math.Log2(max(1e-12, shares[team]))
			t.e.net.slope(t.grad, view, &sums[team], times*float32(shares[team]-s.worth[team]))
		}
	}
	return loss
}

// step changes the weights by the gradient (D. P. Kingma and J. Ba, Adam, 2015), and averages them (B. T. Polyak and
// A. B. Juditsky, Acceleration of stochastic approximation by averaging, 1992).
func (t *trainer) step(rate float64) {
	const one, two, tiny = 0.9, 0.999, 1e-8
	t.steps++
	by := float32(rate * math.Sqrt(1-math.Pow(two, float64(t.steps))) / (1 - math.Pow(one, float64(t.steps))))
	keep := float32(1+late) / float32(t.steps+late)
	for i, g := range t.grad.all {
		if g != 0 || t.square[i] != 0 {
			t.mean[i] += (1 - one) * (g - t.mean[i])
			t.square[i] += (1 - two) * (g*g - t.square[i])
			t.e.net.all[i] -= by * t.mean[i] / (float32(math.Sqrt(float64(t.square[i]))) + tiny)
		}
		t.average[i] += keep * (t.e.net.all[i] - t.average[i])
	}
}

// player plays games against itself. It belongs to one goroutine.
type player struct {
	rules  *Features
	judge  *Judge
	p      *interpreter.Position
	levels []level
}

// level has the buffers for one choice after another.
type level struct {
	p     *interpreter.Position
	worth []float64
}

func newPlayer(e *Eval) *player {
	return &player{rules: e.Features, judge: e.Judge(), p: e.game.Start(interpreter.ByTheRules)}
}

// play plays game k of a seed. What a position is worth is the mean of what later ones are estimated at and how the
// game ends, with weights that fall by λ from throw to throw.
func (w *player) play(seed, k uint64) ([]sample, error) {
	r := interpreter.NewRandom(seed, k)
	p := w.p
	p.Restart(interpreter.ByTheRules)
	teams := len(w.rules.rules.Teams)
	var game []sample
	for choices := 0; p.Throws() < mostThrows && choices < interpreter.MaxChoices && Winner(p) < 0; {
		if n := options(p); n > 0 {
			take(p, w.best(n))
			choices++
			continue
		}
		if p.Kind() != interpreter.Throw {
			break
		}
		choices = 0
		if !p.Opening() {
			worth := make([]float64, teams)
			s := sample{views: make([][]Term, teams), worth: worth}
			for team, view := range w.judge.Shares(p, worth) {
				if plays(p, team) {
					s.views[team] = slices.Clone(view)
				}
			}
			game = append(game, s)
		}
		p.ThrowRandom(&r)
	}
	if p.Err() != nil {
		return nil, p.Err()
	}
	after := make([]float64, teams)
	w.worth(p, 0, after)
	for i := len(game) - 1; i >= 0; i-- {
		estimated := game[i].worth
		game[i].worth = slices.Clone(after)
		for team, v := range estimated {
			after[team] = lambda*after[team] + (1-lambda)*v
		}
	}
	return game, nil
}

// options is the number of options at a choice or a chosen number.
func options(p *interpreter.Position) int {
	switch {
	case p.Kind() == interpreter.Choice:
		return p.OptionCount()
	case p.Kind() == interpreter.Throw && p.ChosenNumber():
		return len(p.Outcomes(nil, 0))
	}
	return 0
}

// take takes option i.
func take(p *interpreter.Position, i int) bool {
	if p.Kind() == interpreter.Choice {
		return p.Choose(i) == nil && p.Err() == nil
	}
	return p.Throw(p.Outcomes(nil, 0)[i].Value) == nil && p.Err() == nil
}

// best is the best of n options.
func (w *player) best(n int) int {
	if n == 1 {
		return 0
	}
	best, _ := w.choose(w.p, 0, n)
	return best
}

// choose is the option that is best for the player, and what it is worth to each team.
func (w *player) choose(p *interpreter.Position, depth, n int) (best int, worth []float64) {
	team := w.rules.rules.Seats[p.Player()].Team
	for len(w.levels) < 2*depth+2 {
		w.levels = append(w.levels, level{w.p.Copy(), make([]float64, len(w.rules.rules.Teams))})
	}
	x, y := &w.levels[2*depth], &w.levels[2*depth+1]
	x.worth[team] = -1
	for i := range n {
		y.p.CopyFrom(p)
		if !take(y.p, i) {
			continue
		}
		w.worth(y.p, depth+1, y.worth)
		if y.worth[team] > x.worth[team] {
			best = i
			copy(x.worth, y.worth)
		}
	}
	return best, x.worth
}

// deepest is how many choices in a row are looked through.
const deepest = 6

// worth is what a position is worth to each team; at a choice, with what is best for the player.
func (w *player) worth(p *interpreter.Position, depth int, out []float64) {
	if team := Winner(p); team >= 0 {
		clear(out)
		out[team] = 1
		return
	}
	if p.Kind() == interpreter.Over || p.Kind() == interpreter.Broken {
		for team := range out {
			out[team] = 1 / float64(len(out))
		}
		return
	}
	if n := options(p); n > 0 && depth < deepest {
		_, worth := w.choose(p, depth, n)
		copy(out, worth)
		return
	}
	w.judge.Shares(p, out)
}
