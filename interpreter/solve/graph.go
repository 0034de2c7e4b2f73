package solve

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
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
	edges  map[label]uint32

	parts []uint32 // start of each component in line; the last element is the end
	line  []uint32 // the positions, component after component, in reverse topological order

	// Positions at throws have canonical keys where the rules allow; those that differ only in interchangeable pieces or
	// players are one. The others are known by their snapshots, and choices after a throw not at all: only that throw
	// leads to them.
	canon  *interpreter.Canonical
	packed *words
	whole  *keys
	places []place // of the positions that are known, in the order of their numbers
	// ofPacked and ofWhole are the positions of the keys.
	ofPacked, ofWhole []uint32
	perms             [][]int // of each renaming of the players: the new number of each side, and of none
	first             int     // the renaming from the initial position to position 0
}

// place is a position and its key: the number of its packed key, or the complement of that of its snapshot.
type place struct {
	state uint32
	key   int32
}

// noSide is the side of a position without a choice or a winner.
const noSide = -1

// way is an edge: its target and its label. There are few distinct labels.
type way struct {
	to, label uint32
}

// label is the probability of an edge at a random node, the number of turns that begin on it, and the renaming of the
// players between its ends.
type label struct {
	p     float64
	turns uint32
	perm  uint32 // how the target names the sides: an index of perms
}

// draft is an edge under construction.
type draft struct {
	to, turns, perm uint32
	weight          uint64
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
		l := label{turns: w.turns, perm: w.perm}
		if g.kind[i] == chance {
			l.p = float64(w.weight) / float64(total)
		}
		n, ok := g.edges[l]
		if !ok {
			n = uint32(len(g.labels))
			g.edges[l] = n
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
	coder    *interpreter.Coder
	snapshot []byte
	packed   []uint64
	known    bool // choices are known too: the rules have decisions in a row that no throw parts
	looked   int
	steps    int
	meet     func(state int, p *interpreter.Position) error // called for choices in a second enumeration
	next     int                                            // in that: the number that a new position gets
}

// Limits on a single position.
const (
	maxDepth    = 20_000 // choices in a row without a throw
	maxOutcomes = wayBlock - 1
)

// explore enumerates all reachable positions.
func explore(ctx context.Context, start *interpreter.Position, play []Play, o Options) (*graph, error) {
	x := newExplorer(ctx, start, play, o)
	kinds := make([]int, len(play))
	for seat, how := range play {
		kinds[seat] = int(how)
	}
	g := &graph{canon: start.Game().Canonical(kinds), whole: newKeys(start.AppendSnapshot(nil)), edges: map[label]uint32{}}
	g.packed = newWords(g.canon.Words())
	for r := range g.canon.Symmetries() {
		var perm []int
		for team := range start.Game().Rules().Teams {
			perm = append(perm, g.canon.Team(r, team))
		}
		g.perms = append(g.perms, append(perm, len(perm)))
	}
	x.g, x.coder = g, g.canon.Coder()
	return g, x.all(start)
}

// all expands the positions in the order of their numbers.
func (x *explorer) all(start *interpreter.Position) error {
	_, first, err := x.enter(start, 0)
	if err != nil {
		return err
	}
	g, p := x.g, start.Copy()
	g.first = int(first)
	for i := 0; i < len(g.places); i++ {
		at := g.places[i]
		if g.kind[at.state] == over || g.choice[at.state] {
			continue
		}
		if at.key >= 0 {
			x.coder.Restore(p, g.packed.at(int(at.key)))
		} else if at.state > 0 {
			x.snapshot = g.whole.snapshot(x.snapshot[:0], int(^at.key))
			if err := p.Restore(x.snapshot); err != nil {
				return err
			}
		}
		if err := x.expand(int(at.state), p, 0); err != nil {
			return err
		}
	}
	return nil
}

func newExplorer(ctx context.Context, start *interpreter.Position, play []Play, o Options) *explorer {
	x := &explorer{ctx: ctx, o: o, play: play}
	rules := start.Game().Rules()
	for _, s := range rules.Seats {
		x.sides = append(x.sides, s.Team)
	}
	throws := false
	rules.Turn.Walk(func(s *model.Stmt) { throws = throws || s.Kind == model.StmtThrow })
	x.known = !throws || slices.ContainsFunc(rules.Dice, func(d *model.Die) bool { return d.Kind == model.DieChoice })
	return x
}

// enter returns the number of a position and the renaming of the players to it. It expands a new position with a
// choice at once, because neither key nor snapshot contains all of it.
func (x *explorer) enter(p *interpreter.Position, depth int) (state, renaming uint32, err error) {
	g, k, side := x.g, chance, noSide
	if p.Kind() == interpreter.Broken {
		return 0, 0, p.Err()
	}
	choice := p.Kind() == interpreter.Choice || p.Kind() == interpreter.Throw && p.ChosenNumber()
	at := place{state: uint32(len(g.kind))}
	if x.meet != nil {
		at.state = uint32(x.next)
	}
	fresh := true
	if !choice || x.known {
		if at, renaming, fresh = x.look(p, at); !fresh {
			return at.state, renaming, nil
		}
	}
	n := int(at.state)
	if x.meet != nil {
		x.next++
		if !choice {
			return at.state, renaming, nil
		}
		if err := x.meet(n, p); err != nil {
			return 0, 0, err
		}
		return at.state, renaming, x.expand(n, p, depth)
	}
	if n >= x.o.MaxStates {
		return 0, 0, &LimitError{n, x.looked}
	}
	switch {
	case p.Kind() == interpreter.Over:
		k = over
		if w := p.Result().Winners; len(w) > 0 {
			side = x.sides[w[0]]
		}
	case choice && x.play[p.Player()] == Best:
		k, side = best, x.sides[p.Player()]
	}
	g.kind, g.side, g.choice = append(g.kind, k), append(g.side, int8(side)), append(g.choice, choice)
	g.throws = append(g.throws, p.Kind() == interpreter.Throw && !p.Opening())
	g.rows = append(g.rows, 0)
	if !choice {
		return at.state, renaming, nil
	}
	return at.state, renaming, x.expand(n, p, depth)
}

// look finds a position by its key, or notes a new one. In a second enumeration it is new where it was new before.
func (x *explorer) look(p *interpreter.Position, at place) (found place, renaming uint32, fresh bool) {
	g := x.g
	var ok bool
	var r, n int
	if x.packed, r, ok = x.coder.Key(x.packed[:0], p); ok && !x.o.apart {
		n, fresh = g.packed.number(x.packed)
		at.key = int32(n)
	} else {
		r = 0
		if p.Kind() == interpreter.Over { // all that is left is who has won
			side := noSide
			if w := p.Result().Winners; len(w) > 0 {
				side = x.sides[w[0]]
			}
			x.snapshot = append(x.snapshot[:0], 0xfe, byte(side))
		} else {
			x.snapshot = p.AppendSnapshot(x.snapshot[:0])
		}
		n, fresh = g.whole.number(x.snapshot)
		at.key = ^int32(n)
	}
	list := &g.ofPacked
	if at.key < 0 {
		list = &g.ofWhole
	}
	if fresh {
		*list = append(*list, at.state)
		g.places = append(g.places, at)
		return at, uint32(r), true
	}
	state := (*list)[n]
	return place{state, at.key}, uint32(r), x.meet != nil && state == at.state
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
	to, perm, err := x.enter(q, depth+1)
	if err != nil {
		return err
	}
	x.ways[depth] = append(x.ways[depth], draft{to, turns, perm, weight})
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
			return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.turns, b.turns), cmp.Compare(a.perm, b.perm))
		})
		kept := ways[:0]
		for _, w := range ways {
			if last := len(kept) - 1; last >= 0 && kept[last].to == w.to && kept[last].turns == w.turns && kept[last].perm == w.perm {
				kept[last].weight += w.weight
				continue
			}
			kept = append(kept, w)
		}
		ways = kept
	}
	g.keep(n, ways, total)
}
