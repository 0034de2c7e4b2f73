package learn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/rulerun/rulerun/interpreter"
)

// table is a small game of two sides worked out: every position at a throw, for each outcome what can follow.
type table struct {
	coder *interpreter.Coder // equal pieces are one another; the seats are not
	index map[string]int
	rolls [][]roll
	turn  []int                 // the seat that throws
	ended map[int]int           // final positions: the seat that has won
	best  []float64             // of seat 0, with best play by both
	at    [][]byte              // snapshots
	p     *interpreter.Position // a buffer
}

// roll is an outcome of a throw: its probability, and the positions that the seat in turn can choose from.
type roll struct {
	weight  float64
	ways    []int
	numbers []int
}

// newTable works out all positions that follow when a seat begins.
func newTable(t *testing.T, g *interpreter.Game) *table {
	x := &table{index: map[string]int{}, ended: map[int]int{}, p: g.Start(0), coder: g.Canonical([]int{0, 1}).Coder()}
	for seat := range g.Players() {
		x.add(g.Start(seat))
	}
	for i := 0; i < len(x.at); i++ {
		x.rolls = append(x.rolls, nil)
		if _, over := x.ended[i]; over {
			continue
		}
		p := x.p
		if err := p.Restore(x.at[i]); err != nil {
			t.Fatal(err)
		}
		total := 0.0
		x.throw(p, nil, 1, func(weight float64, numbers []int, q *interpreter.Position) {
			r := roll{weight: weight, numbers: numbers}
			if q.Kind() == interpreter.Choice {
				for k := range q.OptionCount() {
					y := q.Copy()
					if err := y.Choose(k); err != nil || y.Kind() == interpreter.Choice {
						t.Fatal("two choices in a row", err)
					}
					r.ways = append(r.ways, x.add(y))
				}
			} else {
				r.ways = []int{x.add(q)}
			}
			total += weight
			x.rolls[i] = append(x.rolls[i], r)
		})
		for k := range x.rolls[i] {
			x.rolls[i][k].weight /= total
		}
	}
	x.best = x.settle(func(i int, r *roll, worth []float64) int {
		best := 0
		for k, w := range r.ways {
			if a, b := worth[w], worth[r.ways[best]]; x.turn[i] == 0 && a > b || x.turn[i] == 1 && a < b {
				best = k
			}
		}
		return best
	})
	return x
}

// add numbers a position.
func (x *table) add(p *interpreter.Position) int {
	key := "over"
	if p.Kind() == interpreter.Over {
		key += fmt.Sprint(p.Result().Winners)
	} else {
		k, _, _ := x.coder.Key(nil, p)
		key = fmt.Sprint(k)
	}
	i, ok := x.index[key]
	if !ok {
		i = len(x.at)
		x.index[key] = i
		if p.Kind() == interpreter.Over {
			x.ended[i] = p.Result().Winners[0]
			x.at = append(x.at, nil)
		} else {
			x.at = append(x.at, p.AppendSnapshot(nil))
		}
		x.turn = append(x.turn, p.Turn())
	}
	return i
}

// throw calls f with the position after each outcome.
func (x *table) throw(p *interpreter.Position, numbers []int, weight float64, f func(float64, []int, *interpreter.Position)) {
	if len(numbers) == len(p.Dice()) {
		q := p.Copy()
		if err := q.Throw(numbers...); err != nil {
			panic(err)
		}
		f(weight, numbers, q)
		return
	}
	for _, o := range p.Outcomes(nil, len(numbers)) {
		x.throw(p, append(numbers[:len(numbers):len(numbers)], o.Value), weight*float64(o.Weight), f)
	}
}

// settle finds how likely seat 0 is to win from each position, with what choose takes at each roll.
func (x *table) settle(choose func(i int, r *roll, worth []float64) int) []float64 {
	worth := make([]float64, len(x.at))
	for i, seat := range x.ended {
		if seat == 0 {
			worth[i] = 1
		}
	}
	for change := 1.0; change > 1e-10; {
		change = 0
		for i := len(x.rolls) - 1; i >= 0; i-- {
			if len(x.rolls[i]) == 0 {
				continue
			}
			sum := 0.0
			for k := range x.rolls[i] {
				r := &x.rolls[i][k]
				sum += r.weight * worth[r.ways[choose(i, r, worth)]]
			}
			change = max(change, math.Abs(sum-worth[i]))
			worth[i] = sum
		}
	}
	return worth
}

// against is the probability that a player wins against the optimum, over both seats and both that can begin.
func (x *table) against(b interpreter.Chooser) (share float64, same float64) {
	taken := map[*roll]int{}
	random := interpreter.NewRandom(1, 1)
	decisions, agree := 0, 0
	for seat := range 2 {
		worth := x.settle(func(i int, r *roll, _ []float64) int {
			if len(r.ways) == 1 {
				return 0
			}
			best := 0
			for k, w := range r.ways {
				if a, b := x.best[w], x.best[r.ways[best]]; x.turn[i] == 0 && a > b || x.turn[i] == 1 && a < b {
					best = k
				}
			}
			if x.turn[i] != seat {
				return best
			}
			k, ok := taken[r]
			if !ok {
				if err := x.p.Restore(x.at[i]); err != nil {
					panic(err)
				}
				if err := x.p.Throw(r.numbers...); err != nil {
					panic(err)
				}
				k = b.Choose(x.p, &random)
				taken[r] = k
				decisions++
				if math.Abs(x.best[r.ways[k]]-x.best[r.ways[best]]) < 1e-9 {
					agree++
				}
			}
			return k
		})
		for first := range 2 { // positions 0 and 1 are those where a game begins
			if seat == 0 {
				share += worth[first] / 4
			} else {
				share += (1 - worth[first]) / 4
			}
		}
	}
	return share, float64(agree) / float64(decisions)
}
