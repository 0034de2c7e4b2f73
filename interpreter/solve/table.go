package solve

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/interpreter"
)

// Table looks up the solution for best play by all. It is safe for several goroutines.
type Table struct {
	g      *graph
	v      *values
	home   map[string]int
	coders sync.Pool
}

// ErrUnsolved reports that a store is incomplete, or not for best play by all.
var ErrUnsolved error = &catalogue.Sentence{Key: "solve.unsolved", Text: "the work is not complete here, or not for best play by all"}

// Open loads a table from the store of a complete solution. The game may have any form, but must have the same rules and
// options. A table takes about 30 bytes of memory per position.
func Open(g *interpreter.Game, s Store) (*Table, error) {
	counted, err := g.Counted()
	if err != nil {
		return nil, err
	}
	start := counted.Start(0)
	t := &Table{g: newGraph(counted, make([]Play, g.Players()), start.AppendSnapshot(nil)), home: map[string]int{}}
	k := &keeper{Store: s, game: fingerprint(counted), g: t.g}
	found, err := k.load()
	if err != nil {
		return nil, err
	}
	t.v = &values{g: t.g, keep: k, sides: len(g.Rules().Teams)}
	if _, err := fmt.Sscanf(k.form, "%t %d", &t.v.duel, &t.v.row); !found || err != nil || !k.best {
		return nil, ErrUnsolved
	}
	for _, l := range t.g.layers {
		t.home[homeText(l.home)] = l.n
		if l.count == 0 {
			continue
		}
		if !l.solved {
			return nil, ErrUnsolved
		}
		if err := k.keys(l.n); err != nil {
			return nil, err
		}
		if ok, err := k.rows(l.n, t.v.row); err != nil || !ok {
			return nil, errors.Join(ErrUnsolved, err)
		}
		l.keys.index()
	}
	t.coders.New = func() any { return t.g.canon.Coder() }
	return t, nil
}

// Chance is the probability that a side wins from a position with best play by all. ok is false if the position is not in
// the table. p may be of any form of the game.
func (t *Table) Chance(p *interpreter.Position, side int) (win float64, ok bool) {
	switch {
	case p.Kind() == interpreter.Over:
		if slices.ContainsFunc(p.Result().Winners, func(seat int) bool { return p.Game().Rules().Seats[seat].Team == side }) {
			return 1, true
		}
		return 0, true
	case p.Kind() == interpreter.Broken:
		return 0, false
	case chosen(p):
		_, by, ok := t.Best(p)
		return by[side], ok
	}
	coder := t.coders.Get().(*interpreter.Coder)
	defer t.coders.Put(coder)
	key, renaming, ok := coder.Key(nil, p)
	if !ok {
		return 0, false
	}
	n, ok := t.home[homeText(coder.Home(nil))]
	if len(t.g.layers) == 1 {
		n, ok = 0, true
	}
	if !ok {
		return 0, false
	}
	l := t.g.layers[n]
	i := l.keys.slots[l.keys.slot(key)]
	if i == 0 {
		return 0, false
	}
	return t.v.chance(l.rows[int(i-1)*t.v.row:], t.g.perms[renaming][side]), true
}

// Best is the option, or the index of the number, with the largest win probability for the deciding side, and the win
// probabilities of all sides with it. ok is false if a successor is not in the table.
func (t *Table) Best(p *interpreter.Position) (option int, chances []float64, ok bool) {
	all, ok := t.Options(p)
	if !ok {
		return 0, make([]float64, t.v.sides), false
	}
	own := p.Game().Rules().Seats[p.Player()].Team
	for i := range all {
		if all[i][own] > all[option][own]+gain {
			option = i
		}
	}
	return option, all[option], true
}

// Options lists, for each option of the present choice, the win probabilities of all sides.
func (t *Table) Options(p *interpreter.Position) (chances [][]float64, ok bool) {
	weights, take, err := allWays(p)
	if err != nil {
		return nil, false
	}
	q := p.Copy()
	for i := range weights {
		q.CopyFrom(p)
		if take(q, i) != nil {
			return nil, false
		}
		by := make([]float64, t.v.sides)
		for side := range by {
			if by[side], ok = t.Chance(q, side); !ok {
				return nil, false
			}
		}
		chances = append(chances, by)
	}
	return chances, len(chances) > 0
}

type tableKey struct{}

func held(g *interpreter.Game) *atomic.Pointer[Table] {
	return g.Once(tableKey{}, func() any { return new(atomic.Pointer[Table]) }).(*atomic.Pointer[Table])
}

// Use sets the table of a game, for all its forms.
func (t *Table) Use(g *interpreter.Game) { held(g).Store(t) }

// TableOf is the table of a game set by Use, or nil.
func TableOf(g *interpreter.Game) *Table { return held(g).Load() }
