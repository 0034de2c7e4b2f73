package solve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/interpreter"
)

// kind is the kind of a node of the graph.
type kind uint8

const (
	chance kind = iota // random; throws says whether it is a throw
	best               // the best option for the side that decides
	over               // terminal
)

// graph is the graph of reachable positions. Position 0 is the initial one.
type graph struct {
	kind   []kind
	side   []int8 // the side that chooses; at an end the winner; noSide if there is none
	throws []bool // a throw counts at it
	choice []bool // a choice, random or not
	rows   []uint64
	blocks [][]way // edges, see row
	labels []label
	known  map[label]uint32

	parts []uint32 // start of each component in line; the last element is the end
	line  []uint32 // the positions, component after component, in reverse topological order
	keys  *keys
}

// noSide is the side of a position without a choice or a winner.
const noSide = -1

// way is an edge: its target and its label. There are few distinct labels.
type way struct {
	to, label uint32
}

// label is the probability of an edge at a random node, and the number of turns that begin on it.
type label struct {
	p     float64
	turns uint32
}

// draft is an edge under construction.
type draft struct {
	to, turns uint32
	weight    uint64
}

// wayBlock is the number of edges in a block; more than a position can have.
const wayBlock = 1 << 17

// row lists the edges of a position. In kind best they are the options in order; in kind chance no two edges have the
// same target and number of turns.
func (g *graph) row(i uint32) []way {
	r := g.rows[i]
	block, at, size := r>>34, r>>17&(wayBlock-1), r&(wayBlock-1)
	if size == 0 {
		return nil
	}
	return g.blocks[block][at : at+size]
}

// keep stores the edges of a position.
func (g *graph) keep(i int, ways []draft, total uint64) {
	last := len(g.blocks) - 1
	if last < 0 || len(g.blocks[last])+len(ways) > wayBlock {
		g.blocks = append(g.blocks, make([]way, 0, wayBlock))
		last++
	}
	b := g.blocks[last]
	g.rows[i] = uint64(last)<<34 | uint64(len(b))<<17 | uint64(len(ways))
	for _, w := range ways {
		l := label{turns: w.turns}
		if g.kind[i] == chance {
			l.p = float64(w.weight) / float64(total)
		}
		n, ok := g.known[l]
		if !ok {
			n = uint32(len(g.labels))
			g.known[l] = n
			g.labels = append(g.labels, l)
		}
		b = append(b, way{w.to, n})
	}
	g.blocks[last] = b
}

// explorer enumerates the positions.
type explorer struct {
	ctx      context.Context
	g        *graph
	o        Options
	play     []Play
	sides    []int                   // of the seats
	levels   []*interpreter.Position // one for each nesting level of choices
	ways     [][]draft               // the same
	snapshot []byte
	looked   int
	steps    int
	meet     func(state int, p *interpreter.Position) error // called for choices in a second enumeration
	met      []bool
}

// Limits on a single position.
const (
	maxDepth    = 20_000 // choices in a row without a throw
	maxOutcomes = wayBlock - 1
)

// explore enumerates all reachable positions.
func explore(ctx context.Context, start *interpreter.Position, play []Play, o Options) (*graph, error) {
	x := newExplorer(ctx, start, play, o)
	x.g = &graph{keys: newKeys(start.AppendSnapshot(nil)), known: map[label]uint32{}}
	return x.g, x.all(start)
}

// all expands the positions in the order of their numbers.
func (x *explorer) all(start *interpreter.Position) error {
	if _, err := x.enter(start, 0); err != nil {
		return err
	}
	g, root := x.g, start.Copy()
	for i := 0; i < len(g.kind); i++ {
		if g.kind[i] == over || g.choice[i] {
			continue
		}
		if i > 0 {
			x.snapshot = g.keys.snapshot(x.snapshot[:0], i)
			if err := root.Restore(x.snapshot); err != nil {
				return err
			}
		}
		if err := x.expand(i, root, 0); err != nil {
			return err
		}
	}
	return nil
}

func newExplorer(ctx context.Context, start *interpreter.Position, play []Play, o Options) *explorer {
	x := &explorer{ctx: ctx, o: o, play: play}
	for _, s := range start.Game().Rules().Seats {
		x.sides = append(x.sides, s.Team)
	}
	return x
}

// enter returns the number of a position. It expands a new position with a choice at once, because its snapshot does
// not contain everything.
func (x *explorer) enter(p *interpreter.Position, depth int) (uint32, error) {
	g, k, side := x.g, chance, noSide
	switch p.Kind() {
	case interpreter.Broken:
		return 0, p.Err()
	case interpreter.Over: // all that is left is who has won
		k = over
		if w := p.Result().Winners; len(w) > 0 {
			side = x.sides[w[0]]
		}
		x.snapshot = append(x.snapshot[:0], 0xfe, byte(side))
	default:
		x.snapshot = p.AppendSnapshot(x.snapshot[:0])
	}
	n, fresh := g.keys.number(x.snapshot)
	if x.meet != nil {
		return uint32(n), x.again(n, fresh, p, depth)
	}
	if !fresh {
		return uint32(n), nil
	}
	if n >= x.o.MaxStates {
		return 0, &LimitError{n, x.looked}
	}
	choice := p.Kind() == interpreter.Choice || p.Kind() == interpreter.Throw && p.ChosenNumber()
	if choice && x.play[p.Player()] == Best {
		k, side = best, x.sides[p.Player()]
	}
	g.kind, g.side, g.choice = append(g.kind, k), append(g.side, int8(side)), append(g.choice, choice)
	g.throws = append(g.throws, p.Kind() == interpreter.Throw && !p.Opening())
	g.rows = append(g.rows, 0)
	if !choice {
		return uint32(n), nil
	}
	return uint32(n), x.expand(n, p, depth)
}

// again visits a position in the second enumeration.
func (x *explorer) again(n int, fresh bool, p *interpreter.Position, depth int) error {
	if fresh {
		return errNoWay
	}
	if !x.g.choice[n] || x.met[n] {
		return nil
	}
	x.met[n] = true
	if err := x.meet(n, p); err != nil {
		return err
	}
	return x.expand(n, p, depth)
}

// expand computes the edges of a position.
func (x *explorer) expand(n int, p *interpreter.Position, depth int) error {
	if depth >= maxDepth {
		return fmt.Errorf("%d choices follow one another without a throw: solve is for games in which dice are thrown", maxDepth)
	}
	if x.steps++; x.steps&0x3ff == 0 {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		if x.o.Progress != nil {
			x.o.Progress(Progress{States: len(x.g.kind), Looked: x.looked})
		}
	}
	for len(x.levels) <= depth {
		x.levels = append(x.levels, p.Copy())
		x.ways = append(x.ways, nil)
	}
	x.ways[depth] = x.ways[depth][:0]
	var err error
	if p.Kind() == interpreter.Throw {
		err = x.numbers(p, depth)
	} else {
		err = x.options(p, depth)
	}
	if err != nil || x.meet != nil {
		return err
	}
	x.looked++
	x.write(n, x.ways[depth])
	return nil
}

// numbers tries all outcomes of the present throw.
func (x *explorer) numbers(p *interpreter.Position, depth int) error {
	devices := max(1, len(p.Dice()))
	all := make([][]interpreter.Outcome, devices)
	total := 1
	for i := range devices {
		all[i] = p.Outcomes(nil, i)
		if total *= len(all[i]); total > maxOutcomes {
			return fmt.Errorf("a throw has more than %d outcomes", maxOutcomes)
		}
	}
	numbers := make([]int, devices)
	for k := range total {
		weight := uint64(1)
		for i := devices - 1; i >= 0; i-- {
			o := all[i][k%len(all[i])]
			k /= len(all[i])
			numbers[i] = o.Value
			weight *= uint64(o.Weight)
		}
		err := x.follow(p, depth, weight, func(q *interpreter.Position) error { return q.Throw(numbers...) })
		if err != nil {
			return err
		}
	}
	return nil
}

// options tries all options of the present choice.
func (x *explorer) options(p *interpreter.Position, depth int) error {
	for i := range p.OptionCount() {
		err := x.follow(p, depth, 1, func(q *interpreter.Position) error { return q.Choose(i) })
		if err != nil {
			return err
		}
	}
	return nil
}

// follow makes one step and adds the edge to its target.
func (x *explorer) follow(p *interpreter.Position, depth int, weight uint64, act func(*interpreter.Position) error) error {
	q := x.levels[depth]
	q.CopyFrom(p)
	before := q.TurnsBegun()
	if err := act(q); err != nil {
		return err
	}
	turns := uint32(q.TurnsBegun() - before)
	to, err := x.enter(q, depth+1)
	if err != nil {
		return err
	}
	x.ways[depth] = append(x.ways[depth], draft{to, turns, weight})
	return nil
}

// write stores the edges of a position.
func (x *explorer) write(n int, ways []draft) {
	g := x.g
	total := uint64(0)
	for _, w := range ways {
		total += w.weight
	}
	if g.kind[n] == chance {
		slices.SortFunc(ways, func(a, b draft) int {
			if a.to != b.to {
				return int(a.to) - int(b.to)
			}
			return int(a.turns) - int(b.turns)
		})
		kept := ways[:0]
		for _, w := range ways {
			if last := len(kept) - 1; last >= 0 && kept[last].to == w.to && kept[last].turns == w.turns {
				kept[last].weight += w.weight
				continue
			}
			kept = append(kept, w)
		}
		ways = kept
	}
	g.keep(n, ways, total)
}

// errNoWay cannot happen: the enumeration is deterministic.
var errNoWay = errors.New("a position was met that was not found before")
