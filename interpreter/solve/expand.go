package solve

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Limits for a single position.
const (
	maxDepth    = 20_000 // consecutive choices without a throw
	maxOutcomes = 1 << 17
	maxBranches = 1 << 16
)

// errFlat reports that the positions do not form layers. errParted reports that what follows from a position depends on more than its
// canonical key.
var (
	errFlat   = errors.New("no layers")
	errParted = errors.New("rules distinguish pieces that count as one")
)

// expander builds the trees of positions. It belongs to one goroutine.
//
// Its trees name positions by their keys: a leaf is opLeaf | renaming, turns, layer and the words of the key; an end is
// opEnd | side+1 and turns. Equal branches then have equal bytes, and equal branches of a chance node are merged.
type expander struct {
	x        *explorer
	coder    *interpreter.Coder
	levels   []*interpreter.Position // by nesting depth of choices
	scratch  *interpreter.Position
	out      []byte
	held     []*interpreter.Position // the positions of leaves without a canonical key
	record   bool                    // record branchOf
	branchOf [][]int                 // by chance node: the branch of each way
	turns    int                     // turns begun since the root
	key      []uint64
	snapshot []byte
	home     []int
	text     []byte
	layers   map[string]uint16
	bots     []interpreter.Chooser // by seat, created on first use
}

// expand appends the tree of a position to e.out.
func (e *expander) expand(p *interpreter.Position) error {
	e.turns = 0
	return e.node(p, 0)
}

// enter appends the subtree of a position that a way leads to.
func (e *expander) enter(q *interpreter.Position, depth int) error {
	choice := chosen(q)
	switch {
	case q.Kind() == interpreter.Broken:
		return q.Err()
	case q.Kind() == interpreter.Over:
		side := noSide
		if w := q.Result().Winners; len(w) > 0 {
			side = e.x.sides[w[0]]
		}
		return e.put(opEnd|(side+1), e.turns)
	case choice && !e.x.numberChoices:
		return e.node(q, depth)
	}
	return e.leaf(q, choice)
}

// put appends two numbers.
func (e *expander) put(op, n int) error {
	if n < 0 || n > 1<<16-1 {
		return fmt.Errorf("%d turns begin without a throw", n)
	}
	e.out = little.AppendUint16(little.AppendUint16(e.out, uint16(op)), uint16(n))
	return nil
}

// leaf appends a leaf for a position that has a number.
func (e *expander) leaf(q *interpreter.Position, choice bool) error {
	var ok bool
	var renaming int
	layer := uint16(0)
	if e.key, renaming, ok = e.coder.Key(e.key[:0], q); ok && !e.x.o.apart {
		if !e.x.flat {
			e.home = e.coder.Home(e.home[:0])
			layer = e.layer()
		}
	} else {
		if !e.x.flat {
			return errFlat
		}
		renaming = 0
		e.snapshot = q.AppendSnapshot(e.snapshot[:0])
		e.x.mu.Lock()
		n, _ := e.x.g.snapshots.number(e.snapshot)
		e.x.mu.Unlock()
		e.key = e.x.g.canon.Reserved(e.key[:0], uint32(n))
	}
	if err := e.put(opLeaf|renaming, e.turns); err != nil {
		return err
	}
	e.out = little.AppendUint16(e.out, layer)
	for _, w := range e.key {
		e.out = little.AppendUint64(e.out, w)
	}
	if choice { // neither the key nor the snapshot holds the full state of a choice
		e.held = append(e.held, q.Copy())
	} else if e.x.numberChoices {
		e.held = append(e.held, nil)
	}
	return nil
}

// layer is the number of the layer of the last key.
func (e *expander) layer() uint16 {
	e.text = e.text[:0]
	for _, n := range e.home {
		e.text = binary.AppendUvarint(e.text, uint64(n))
	}
	if n, ok := e.layers[string(e.text)]; ok {
		return n
	}
	n := e.x.layer(e.home)
	e.layers[string(e.text)] = n
	return n
}

// chosen reports whether a player decides what happens at a position.
func chosen(p *interpreter.Position) bool {
	return p.Kind() == interpreter.Choice || p.Kind() == interpreter.Throw && p.ChosenNumber()
}

// step takes way i from a position; q is a copy of the position.
type step func(q *interpreter.Position, i int) error

// ways are the outcomes of the present throw, or the options of the present choice; for a bot, only the options it may take.
// It returns their weights, and a function that takes one of them.
func (e *expander) ways(p *interpreter.Position) ([]float64, step, error) {
	weights, take, err := allWays(p)
	if err != nil || !chosen(p) || e.x.play[p.Player()] < byBot {
		return weights, take, err
	}
	list, err := e.bot(p)
	return slices.Repeat([]float64{1}, len(list)), func(q *interpreter.Position, i int) error { return take(q, list[i]) }, err
}

// allWays is ways, with every option of a bot. Weights are floating-point numbers, because those of several dice multiply beyond 64 bits.
func allWays(p *interpreter.Position) ([]float64, step, error) {
	if p.Kind() != interpreter.Throw {
		return slices.Repeat([]float64{1}, p.OptionCount()), (*interpreter.Position).Choose, nil
	}
	devices := max(1, len(p.Dice()))
	all := make([][]interpreter.Outcome, devices)
	total := 1
	for i := range devices {
		all[i] = p.Outcomes(nil, i)
		if total *= len(all[i]); total >= maxOutcomes {
			return nil, nil, fmt.Errorf("a throw has more than %d outcomes", maxOutcomes)
		}
	}
	numbers := make([]int, devices)
	outcome := func(k int) (weight float64) {
		weight = 1
		for i := devices - 1; i >= 0; i-- {
			o := all[i][k%len(all[i])]
			k /= len(all[i])
			numbers[i] = o.Value
			weight *= float64(o.Weight)
		}
		return weight
	}
	return seq.Of(total, outcome), func(q *interpreter.Position, k int) error {
		outcome(k)
		return q.Throw(numbers...)
	}, nil
}

// drawer is a bot that draws among equal options at random.
type drawer interface {
	// Equal are the options among which the last decision was drawn, with equal probability. The slice belongs to the bot.
	Equal() []int
}

// bot lists the options that the bot in turn takes, with equal probability.
func (e *expander) bot(p *interpreter.Position) ([]int, error) {
	seat := p.Player()
	if e.bots[seat] == nil {
		var err error
		if e.bots[seat], err = e.x.o.Bot(e.x.o.Bots[seat]); err != nil {
			return nil, err
		}
	}
	b, r := e.bots[seat], interpreter.NewRandom(0, 0)
	var list []int
	if p.Kind() == interpreter.Choice {
		list = []int{b.Choose(p, &r)}
	} else {
		number := b.Number(p, &r)
		list = []int{slices.IndexFunc(p.Outcomes(nil, 0), func(o interpreter.Outcome) bool { return o.Value == number })}
	}
	if d, ok := b.(drawer); ok {
		list = slices.Clone(d.Equal())
	}
	return list, nil
}

// node appends the tree of a position at a throw or a choice.
func (e *expander) node(p *interpreter.Position, depth int) error {
	if depth >= maxDepth {
		return fmt.Errorf("%d choices follow one another without a throw: solve is for games in which dice are thrown", maxDepth)
	}
	for len(e.levels) <= depth {
		q := p.Copy()
		e.coder.Watch(q)
		e.levels = append(e.levels, q)
	}
	weights, take, err := e.ways(p)
	if err != nil {
		return err
	}
	throws := 0
	if p.Kind() == interpreter.Throw && !p.Opening() {
		throws = opThrows
	}
	if chosen(p) && e.x.play[p.Player()] == Best {
		return e.choice(p, depth, throws, len(weights), take)
	}
	if chosen(p) {
		throws |= opPlayer
	}
	return e.chance(p, depth, throws, weights, take)
}

// branch takes one way from p and appends the subtree of the result.
func (e *expander) branch(p *interpreter.Position, depth, i int, take step) error {
	q := e.levels[depth]
	q.CopyFrom(p)
	before := q.TurnsBegun()
	if err := take(q, i); err != nil {
		return err
	}
	if e.coder.Parted() && !e.x.o.apart {
		return errParted
	}
	turns := q.TurnsBegun() - before
	e.turns += turns
	err := e.enter(q, depth+1)
	e.turns -= turns
	return err
}

// choice appends a choice node of a side with best play.
func (e *expander) choice(p *interpreter.Position, depth, throws, n int, take step) error {
	if n >= maxBranches {
		return fmt.Errorf("a choice has more than %d options", maxBranches-1)
	}
	if err := e.put(opChoice|throws|e.x.sides[p.Player()], n); err != nil {
		return err
	}
	e.out = little.AppendUint16(e.out, 0)
	for i := range n {
		if err := e.branch(p, depth, i, take); err != nil {
			return err
		}
	}
	return nil
}

// chance appends a chance node. It merges equal branches.
func (e *expander) chance(p *interpreter.Position, depth, flags int, weights []float64, take step) error {
	head := len(e.out)
	e.out = append(e.out, 0, 0, 0, 0)
	kept, starts := weights[:0], []int{}
	node := len(e.branchOf)
	if e.record {
		e.branchOf = append(e.branchOf, nil)
	}
	var known map[string]int
	if len(weights) > 16 {
		known = map[string]int{}
	}
	for i, w := range weights {
		start, held, branches := len(e.out), len(e.held), len(e.branchOf)
		if err := e.branch(p, depth, i, take); err != nil {
			return err
		}
		text, same := e.out[start:], -1
		if known != nil {
			if n, ok := known[string(text)]; ok {
				same = n
			}
		} else {
			same = slices.IndexFunc(starts, func(s int) bool { return bytes.HasPrefix(e.out[s:start], text) })
		}
		if same >= 0 {
			kept[same] += w
			if e.record {
				e.branchOf[node] = append(e.branchOf[node], same)
			}
			e.out, e.held, e.branchOf = e.out[:start], e.held[:held], e.branchOf[:branches]
			continue
		}
		if known != nil {
			known[string(text)] = len(starts)
		}
		kept, starts = append(kept, w), append(starts, start)
		if e.record {
			e.branchOf[node] = append(e.branchOf[node], len(starts)-1)
		}
	}
	n, err := e.x.distribution(kept)
	if err != nil {
		return err
	}
	little.PutUint16(e.out[head:], uint16(opChance|flags))
	little.PutUint16(e.out[head+2:], n)
	return nil
}
