package learn

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/parallel"
)

// Options configures Train.
type Options struct {
	Games   int // upper limit, including the games of the evaluation to continue from; 0 is no limit
	Seed    uint64
	Threads int // 0 is one per processor; no effect on the result
	Units   int // hidden units of the net; 0 selects a number for a file of a few kilobytes
	// Progress, if not nil, is called after each round of games.
	Progress func(Progress)
}

// Progress is the progress of Train.
type Progress struct {
	Games int
	// Surprise is the mean log loss of the predictions in recent games, in bits.
	Surprise float64
}

const (
	fewUnits    = 8
	manyUnits   = 24
	weights     = 2_000 // approximate size of a net, within these limits on units
	roundGames  = 32    // games between two updates of the weights
	batchSize   = 64    // positions per gradient step
	maxThrows   = 3_000 // throws per game
	lambda      = 0.6
	initialRate = 0.005 // initial learning rate
	rateDecay   = 5_000 // games after which the rate is 1/2, twice as many 1/3, and so on
	recency     = 8     // larger values weight late steps more in the average of the weights
	smoothing   = 0.05  // weight of the newest round in the reported moving average
)

// ErrAlone reports that a game has only one side: there is nothing to win.
var ErrAlone = errors.New("there is one side only, and no opponent")

// Train trains an evaluation by self-play: TD(λ) on the positions before a throw (R. S. Sutton, Learning to predict by the
// methods of temporal differences, 1988; G. Tesauro, Temporal difference learning and TD-Gammon, 1995). It continues from an
// evaluation of the game, or starts from scratch if that is nil, until ctx is done or the number of games is reached. The
// result depends only on that evaluation, the seed and the number of games. The error is ErrAlone, or that of the rules.
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
		rounds += smoothing * (1 - rounds)
		surprise += smoothing * (loss - surprise)
		if o.Progress != nil {
			o.Progress(Progress{next, surprise / rounds})
		}
	}
	e := *t.e
	e.net = newNet(len(e.names), t.e.net.units)
	copy(e.net.all, t.average)
	return &e, nil
}

// sample is a training example: a position of a game, with the TD(λ) target for each team.
type sample struct {
	views [][]Term // nil for teams that no longer play
	value []float64
}

// trainer updates the weights of an evaluation.
type trainer struct {
	e            *Eval
	grad         *net
	mean, square []float32 // Adam's moments of the gradient
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
		for _, layer := range [][]float32{e.net.inner, e.net.outer} {
			for i := range layer {
				layer[i] = float32(r.IntN(401)-200) / 1000
			}
		}
	}
	t.random = interpreter.NewRandom(o.Seed, math.MaxUint64-uint64(e.Games))
	n := len(e.net.all)
	t.grad = newNet(len(e.names), e.net.units)
	t.mean, t.square, t.average = make([]float32, n), make([]float32, n), slices.Clone(e.net.all)
	return t
}

// learn updates the weights after a round of games, and returns the mean log loss before the update.
func (t *trainer) learn(round []sample) float64 {
	for i := len(round) - 1; i > 0; i-- {
		j := t.random.IntN(i + 1)
		round[i], round[j] = round[j], round[i]
	}
	rate := initialRate / (1 + float64(t.e.Games)/rateDecay)
	loss := 0.0
	for some := range slices.Chunk(round, batchSize) {
		clear(t.grad.all)
		for i := range some {
			loss += t.backprop(&some[i], 1/float32(len(some)))
		}
		t.step(rate)
	}
	return loss / float64(max(1, len(round)))
}

// backprop adds the gradient of the log loss of a sample, and returns the loss.
func (t *trainer) backprop(s *sample, times float32) float64 {
	shares := make([]float64, len(s.views))
	sums := make([][maxUnits]float32, len(s.views))
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
			loss -= s.value[team] * math.Log2(max(1e-12, shares[team]))
			t.e.net.gradient(t.grad, view, &sums[team], times*float32(shares[team]-s.value[team]))
		}
	}
	return loss
}

// step updates the weights by the gradient (D. P. Kingma and J. Ba, Adam, 2015), and averages them (B. T. Polyak and A. B.
// Juditsky, Acceleration of stochastic approximation by averaging, 1992).
func (t *trainer) step(rate float64) {
	const one, two, tiny = 0.9, 0.999, 1e-8
	t.steps++
	by := float32(rate * math.Sqrt(1-math.Pow(two, float64(t.steps))) / (1 - math.Pow(one, float64(t.steps))))
	keep := float32(1+recency) / float32(t.steps+recency)
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

// level has the buffers for one nesting depth of choices.
type level struct {
	p     *interpreter.Position
	value []float64
}

func newPlayer(e *Eval) *player {
	return &player{rules: e.Features, judge: e.Judge(), p: e.game.Start(interpreter.ByTheRules)}
}

// play plays game k of a seed. The target of a position is the TD(λ) return: the mean of the later estimates and the result
// of the game, with weights that decay by λ per throw.
func (w *player) play(seed, k uint64) ([]sample, error) {
	r := interpreter.NewRandom(seed, k)
	p := w.p
	p.Restart(interpreter.ByTheRules)
	teams := len(w.rules.rules.Teams)
	var game []sample
	for choices := 0; p.Throws() < maxThrows && choices < interpreter.MaxChoices && Winner(p) < 0; {
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
			value := make([]float64, teams)
			s := sample{views: make([][]Term, teams), value: value}
			for team, view := range w.judge.Shares(p, value) {
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
	w.value(p, 0, after)
	for i := len(game) - 1; i >= 0; i-- {
		estimated := game[i].value
		game[i].value = slices.Clone(after)
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

// choose is the best option for the player, and the value of the position for each team.
func (w *player) choose(p *interpreter.Position, depth, n int) (best int, value []float64) {
	team := w.rules.rules.Seats[p.Player()].Team
	for len(w.levels) < 2*depth+2 {
		w.levels = append(w.levels, level{w.p.Copy(), make([]float64, len(w.rules.rules.Teams))})
	}
	x, y := &w.levels[2*depth], &w.levels[2*depth+1]
	x.value[team] = -1
	for i := range n {
		y.p.CopyFrom(p)
		if !take(y.p, i) {
			continue
		}
		w.value(y.p, depth+1, y.value)
		if y.value[team] > x.value[team] {
			best = i
			copy(x.value, y.value)
		}
	}
	return best, x.value
}

// maxDepth bounds the search through consecutive choices.
const maxDepth = 6

// value is the value of a position for each team. At a choice, it is that of the player's best option.
func (w *player) value(p *interpreter.Position, depth int, out []float64) {
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
	if n := options(p); n > 0 && depth < maxDepth {
		_, value := w.choose(p, depth, n)
		copy(out, value)
		return
	}
	w.judge.Shares(p, out)
}
