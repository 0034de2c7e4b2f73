// Package review says how likely each side is to win along a game, what each throw gave and what each decision cost.
//
// It values positions by what is known of the game: the table of a solved game, a learned evaluation, or games by chance.
// A position in which a side decides has the value of its best option. So a decision can only lose. The luck of a throw
// is the value after it less the mean over all throws, so that luck is zero on average, whatever the judge is worth.
//
// Note: the figures are those of the judge. Only a table knows best play.
package review

import (
	"errors"
	"math"
	"slices"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/learn"
	"github.com/rulerun/rulerun/interpreter/solve"
)

// Judge values positions. It belongs to one goroutine.
type Judge struct {
	By catalogue.Sentence // how it values positions
	// Doubt is the standard error of a value, as far as it comes from chance.
	Doubt float64

	game  *interpreter.Game
	throw func(p *interpreter.Position, out []float64) error // values a position at a throw
	free  []*interpreter.Position
}

// ErrSecrets means that a game has secrets. A judge sees all of a position, and would say more than players can know.
var ErrSecrets error = &catalogue.Sentence{Key: "judge.secrets", Text: "the rules have secrets: what players could know is not judged"}

// secret reports whether rules have secrets.
func secret(g *interpreter.Game) bool {
	return slices.ContainsFunc(g.Rules().Vars, func(v *model.Var) bool { return v.Secret })
}

// Known makes a judge by what is known of a game: its table, if one is in use, or its learned evaluation; nil where there
// is neither, and for rules with secrets.
func Known(g *interpreter.Game) (*Judge, error) {
	if secret(g) {
		return nil, nil
	}
	j := &Judge{game: g}
	if t := solve.TableOf(g); t != nil {
		j.By = catalogue.Sentence{Key: "judge.table", Text: "the table of best play"}
		var begins []float64 // the mean over who begins: no table has the throws that settle it
		j.throw = func(p *interpreter.Position, out []float64) error {
			if p.Opening() {
				if begins == nil {
					begins = make([]float64, len(out))
					for seat := range g.Players() {
						if err := j.Value(g.Start(seat), out); err != nil {
							return err
						}
						for side, win := range out {
							begins[side] += win / float64(g.Players())
						}
					}
				}
				copy(out, begins)
				return nil
			}
			for side := range out {
				win, ok := t.Chance(p, side)
				if !ok {
					return errors.New("the table does not have a position of the game")
				}
				out[side] = win
			}
			return nil
		}
		return j, nil
	}
	e, err := learn.For(g)
	if e == nil || err != nil {
		return nil, err
	}
	j.By = catalogue.Sentence{Key: "judge.learned", Text: "the evaluation learned from {{.n}} games", Args: []any{"n", e.Games}}
	judge := e.Judge()
	j.throw = func(p *interpreter.Position, out []float64) error {
		judge.Shares(p, out)
		return nil
	}
	return j, nil
}

// NewJudge makes the best judge there is of a game: what is known of it, or games by chance, so many from each position. The
// error is ErrSecrets, or that of a file of evaluations.
func NewJudge(g *interpreter.Game, playouts int, seed uint64) (*Judge, error) {
	if secret(g) {
		return nil, ErrSecrets
	}
	if j, err := Known(g); j != nil || err != nil {
		return j, err
	}
	j := &Judge{game: g}
	j.By = catalogue.Sentence{Key: "judge.chance", Text: "{{.n}} games by chance from each position", Args: []any{"n", playouts}}
	j.Doubt = 0.5 / math.Sqrt(float64(playouts))
	j.throw = func(p *interpreter.Position, out []float64) error {
		clear(out)
		q := j.position(p)
		defer j.release(q)
		for k := range playouts { // the same chance from every position
			q.CopyFrom(p)
			r := interpreter.NewRandom(seed, uint64(k))
			q.Playout(&r, interpreter.Until{Ranked: 1})
			if side := learn.Winner(q); side >= 0 {
				out[side] += 1 / float64(playouts)
			}
		}
		return q.Err()
	}
	return j, nil
}

// position is a copy of a position.
func (j *Judge) position(p *interpreter.Position) *interpreter.Position {
	if n := len(j.free); n > 0 {
		q := j.free[n-1]
		j.free = j.free[:n-1]
		q.CopyFrom(p)
		return q
	}
	return p.Copy()
}

func (j *Judge) release(p *interpreter.Position) { j.free = append(j.free, p) }

// Decided reports whether the first winner is known, or that there is none.
func Decided(p *interpreter.Position) bool { return p.Kind() == interpreter.Over || p.Ranked() > 0 }

// Value sets the probability of each side to win.
func (j *Judge) Value(p *interpreter.Position, out []float64) error {
	switch {
	case p.Err() != nil:
		return p.Err()
	case Decided(p):
		clear(out)
		if side := learn.Winner(p); side >= 0 {
			out[side] = 1
		}
		return nil
	case p.Kind() == interpreter.Throw:
		return j.throw(p, out)
	}
	list, best, err := j.Options(p)
	if err != nil {
		return err
	}
	copy(out, list[best])
	return nil
}

// Options values the options of the present choice, and says which is the best for the side that decides.
func (j *Judge) Options(p *interpreter.Position) (list [][]float64, best int, err error) {
	own := p.Game().Rules().Seats[p.Player()].Team
	q := j.position(p)
	defer j.release(q)
	for i := range p.OptionCount() {
		q.CopyFrom(p)
		if err := q.Choose(i); err != nil {
			return nil, 0, err
		}
		out := make([]float64, len(p.Game().Rules().Teams))
		if err := j.Value(q, out); err != nil {
			return nil, 0, err
		}
		if list = append(list, out); out[own] > list[best][own] {
			best = i
		}
	}
	return list, best, nil
}

// stake is how much more the best of some options is worth to a side than the worst.
func stake(list [][]float64, best, side int) float64 {
	return list[best][side] - slices.Min(seq.Map(list, func(by []float64) float64 { return by[side] }))
}

// maxThrows is the largest number of outcomes of a throw that are averaged over.
const maxThrows = 4096

// expect sets the mean of the values after the present throw; ok is false if there are too many outcomes.
func (j *Judge) expect(p *interpreter.Position, out []float64) (ok bool, err error) {
	throws, ok := p.EveryThrow(maxThrows)
	if !ok {
		return false, nil
	}
	clear(out)
	q := j.position(p)
	defer j.release(q)
	value, total := make([]float64, len(out)), 0.0
	for numbers, weight := range throws {
		q.CopyFrom(p)
		if q.Throw(numbers...) != nil {
			continue // the rules forbid it
		}
		if err := j.Value(q, value); err != nil {
			return false, err
		}
		total += weight
		for side, v := range value {
			out[side] += weight * v
		}
	}
	for side := range out {
		out[side] /= total
	}
	return total > 0, nil
}
