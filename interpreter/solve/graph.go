package solve

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// graph is the graph of reachable positions. Positions at throws of dice have numbers; the choices after a throw are part of
// its tree. Positions at throws have canonical keys if the rules allow them: positions that differ only by a symmetry of
// pieces or players are merged. Other positions are identified by their snapshots.
//
// If all positions have canonical keys, they are partitioned into layers, by the number of pieces of each colour at the end
// of their track, provided that this number never decreases. A layer has edges only to itself and to later layers.
type graph struct {
	canon     *interpreter.Canonical
	snapshots *keys // the positions without a canonical key
	layers    []*layer
	labels    []label
	labelled  map[label]uint16
	dists     [][]float64
	perms     [][]int // by renaming of the players: the new number of each side, and of none
	root      []byte  // the tree of the initial position, a leaf if it has a number
	drawn     bool    // a game can end without a winner

	states, choices, transitions, ends int
}

// layer is a subset of the positions.
type layer struct {
	n        int   // its index
	count    int   // number of positions
	expanded int   // number of positions with trees
	stored   bool  // keys and trees are in the store
	home     []int // by colour: pieces at the end of their track
	keys     *words
	trees
	held   map[uint32]*interpreter.Position // positions that no key or snapshot can restore
	places []uint32                         // by position: its place while the layer is arranged, see values.arrange; nil if it is not
	solution
}

func newLayer(n int, home []int, words int) *layer {
	return &layer{n: n, home: slices.Clone(home), keys: newWords(words), held: map[uint32]*interpreter.Position{}}
}

// sum is the number of pieces at the end of their track. It is larger in later layers.
func (l *layer) sum() int { return seq.Total(l.home) }

// explorer enumerates the positions.
type explorer struct {
	ctx           context.Context
	g             *graph
	o             Options
	play          []Play
	sides         []int // by seat
	numberChoices bool  // positions at choices have numbers too: decisions can follow each other without a throw
	flat          bool  // all positions are in one layer
	start         *interpreter.Position
	keep          *keeper

	mu        sync.Mutex // guards what workers add: layers, dists, snapshots
	byHome    map[string]uint16
	byWeights map[string]uint16
	workers   []*expander
	expanded  int
}

// explore enumerates all reachable positions, except those already in the store.
func explore(ctx context.Context, start *interpreter.Position, play []Play, o Options) (*explorer, error) {
	x := newExplorer(ctx, start, play, o)
	if o.Store != nil {
		if x.numberChoices {
			return nil, ErrNoKeys
		}
		x.keep = &keeper{Store: o.Store, game: fingerprint(x.start.Game())}
		x.keep.best = !slices.ContainsFunc(play, func(p Play) bool { return p != Best })
		x.keep.play = fmt.Sprintf("%v %q %x", x.play, x.o.Bots, x.start.AppendSnapshot(nil))
	}
	err := x.all()
	if err == errFlat {
		x.flat = true
		err = x.all()
	}
	if err == errParted {
		if x.keep != nil {
			return nil, ErrNoKeys
		}
		x.flat, x.o.apart = true, true
		err = x.all()
	}
	if err != nil && x.ctx.Err() != nil {
		err = errors.Join(x.ctx.Err(), x.keep.save())
	}
	return x, err
}

// fingerprint identifies the rules of a store.
func fingerprint(g *interpreter.Game) string {
	return fmt.Sprintf("%x", (&model.Digests{}).Of(g.Rules()))
}

func newExplorer(ctx context.Context, start *interpreter.Position, play []Play, o Options) *explorer {
	x := &explorer{ctx: ctx, o: o, play: play, start: start, flat: o.apart}
	rules := start.Game().Rules()
	x.sides = seq.Map(rules.Seats, func(s model.Seat) int { return s.Team })
	throws := seq.Any(rules.Turn.All(), func(s *model.Stmt) bool { return s.Kind == model.StmtThrow })
	x.numberChoices = !throws || slices.ContainsFunc(rules.Dice, func(d *model.Die) bool { return d.Kind == model.DieChoice })
	return x
}

// canonical is the canonical form that keeps the policies of the seats apart.
func canonical(game *interpreter.Game, play []Play) *interpreter.Canonical {
	return game.Canonical(seq.Map(play, func(how Play) int { return int(how) }))
}

// newGraph is a graph without positions.
func newGraph(game *interpreter.Game, play []Play, snapshot []byte) *graph {
	g := &graph{canon: canonical(game, play), snapshots: newKeys(snapshot), labelled: map[label]uint16{}}
	for r := range g.canon.Symmetries() {
		perm := seq.Of(len(game.Rules().Teams), func(team int) int { return g.canon.Team(r, team) })
		g.perms = append(g.perms, append(perm, len(perm)))
	}
	return g
}

// reset starts again without positions.
func (x *explorer) reset() {
	game := x.start.Game()
	g := newGraph(game, x.play, x.start.AppendSnapshot(nil))
	x.g, x.expanded = g, 0
	x.byHome, x.byWeights = map[string]uint16{}, map[string]uint16{}
	x.workers = seq.Of(runtime.GOMAXPROCS(0), func(int) *expander { return x.expander() })
}

// expander makes an expander for the present graph.
func (x *explorer) expander() *expander {
	return &expander{x: x, coder: x.g.canon.Coder(), layers: map[string]uint16{}, bots: make([]interpreter.Chooser, len(x.play))}
}

// all expands all positions, layer by layer.
func (x *explorer) all() error {
	x.reset()
	g := x.g
	if x.keep != nil {
		x.keep.g, x.keep.flat = g, x.flat
		if found, err := x.keep.load(); err != nil || found {
			if err == nil {
				err = x.resume()
			}
			if err != nil || x.keep.all {
				return err
			}
		}
	}
	if g.root == nil {
		if x.flat {
			x.layer(nil)
		}
		e := x.workers[0]
		if err := e.enter(x.start, 0); err != nil {
			return err
		}
		in := inserter{x: x, held: e.held, in: e.out}
		if err := in.node(); err != nil {
			return err
		}
		g.root = in.out
	}
	for {
		left := seq.Filter(g.layers, func(l *layer) bool { return l.expanded < l.count })
		if len(left) == 0 {
			break
		}
		next := slices.MinFunc(left, (*layer).compare)
		if err := x.fill(next); err != nil {
			return err
		}
		next.keys.slots = nil
		if err := x.keep.expanded(next.n); err != nil {
			return err
		}
	}
	if x.keep != nil {
		x.keep.all = true
	}
	return x.keep.save()
}

// resume continues from the contents of a store.
func (x *explorer) resume() error {
	x.flat = x.keep.flat
	for _, l := range x.g.layers {
		x.byHome[homeText(l.home)] = uint16(l.n)
		x.expanded += l.expanded
		if !l.stored && l.count > 0 {
			if err := x.keep.open(l.n); err != nil {
				return err
			}
			l.keys.index()
		}
	}
	return nil
}

// homeText encodes a list of numbers as a map key.
func homeText(home []int) string {
	var text []byte
	for _, n := range home {
		text = binary.AppendUvarint(text, uint64(n))
	}
	return string(text)
}

// compare is the topological order of the layers: no position leads to an earlier one.
func (l *layer) compare(o *layer) int {
	return cmp.Or(cmp.Compare(l.sum(), o.sum()), slices.Compare(l.home, o.home))
}

// layer interns a layer and returns its index.
func (x *explorer) layer(home []int) uint16 {
	text := homeText(home)
	x.mu.Lock()
	defer x.mu.Unlock()
	n, ok := x.byHome[text]
	if !ok {
		n = uint16(len(x.g.layers))
		x.byHome[text] = n
		x.g.layers = append(x.g.layers, newLayer(int(n), home, x.g.canon.Words()))
	}
	return n
}

// distribution interns a distribution, given by its weights, and returns its number.
func (x *explorer) distribution(weights []float64) (uint16, error) {
	var text []byte
	total := 0.0
	for _, w := range weights {
		text = little.AppendUint64(text, math.Float64bits(w))
		total += w
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	n, ok := x.byWeights[string(text)]
	if !ok {
		if len(x.g.dists) == 1<<16 {
			return 0, fmt.Errorf("more than %d distributions of chance", 1<<16)
		}
		n = uint16(len(x.g.dists))
		x.byWeights[string(text)] = n
		p := seq.Map(weights, func(w float64) float64 { return w / total })
		x.g.dists = append(x.g.dists, p)
	}
	return n, nil
}

// A layer is expanded in rounds of chunks. The results are inserted in the order of the chunks, so that the numbers do not
// depend on the number of workers.
const (
	chunkSize = 128
	roundSize = 1 << 15
)

// chunk is a range of positions of a layer, with their trees.
type chunk struct {
	from, to  int
	keys      []uint64
	positions []*interpreter.Position // the held ones
	out       []byte
	held      []*interpreter.Position
	err       error
	done      chan struct{}
}

// fill expands all positions of a layer.
func (x *explorer) fill(l *layer) error {
	for from := l.expanded; from < l.count; {
		to := min(l.count, from+roundSize)
		var chunks []*chunk
		for ; from < to; from += chunkSize {
			c := &chunk{from: from, to: min(to, from+chunkSize), done: make(chan struct{})}
			c.keys = slices.Clone(l.keys.all[c.from*l.keys.each : c.to*l.keys.each])
			for i := c.from; i < c.to; i++ {
				if p := l.held[uint32(i)]; p != nil || x.numberChoices {
					c.positions = append(c.positions, p)
				}
			}
			chunks = append(chunks, c)
		}
		from = to
		if err := x.round(l, chunks); err != nil {
			return err
		}
	}
	return nil
}

// round expands chunks in parallel and inserts the results.
func (x *explorer) round(l *layer, chunks []*chunk) error {
	queue := make(chan *chunk, len(chunks))
	for _, c := range chunks {
		queue <- c
	}
	close(queue)
	var all sync.WaitGroup
	defer all.Wait()
	ctx, cancel := context.WithCancel(x.ctx)
	defer cancel()
	for _, e := range x.workers[:min(len(x.workers), len(chunks))] {
		all.Go(func() {
			for c := range queue {
				if c.err = ctx.Err(); c.err == nil {
					c.err = e.chunk(l, c)
				}
				close(c.done)
			}
		})
	}
	in := inserter{x: x}
	for _, c := range chunks {
		<-c.done
		if c.err != nil {
			return c.err
		}
		if err := in.chunk(l, c); err != nil {
			return err
		}
		if x.o.Progress != nil {
			x.o.Progress(Progress{States: x.g.states, Looked: x.expanded})
		}
	}
	return nil
}

// chunk expands the positions of a chunk.
func (e *expander) chunk(l *layer, c *chunk) error {
	each := l.keys.each
	e.out, e.held = nil, nil
	for i := range c.to - c.from {
		var held *interpreter.Position
		if len(c.positions) > 0 {
			held = c.positions[i]
		}
		p, err := e.restore(c.keys[i*each:(i+1)*each], held)
		if err == nil {
			err = e.expand(p)
		}
		if err != nil {
			return err
		}
	}
	c.out, c.held = e.out, e.held
	return nil
}

// restore decodes the position of a key, or returns the one held for it. It is valid until the next call.
func (e *expander) restore(key []uint64, held *interpreter.Position) (*interpreter.Position, error) {
	if held != nil {
		return held, nil
	}
	if e.scratch == nil {
		e.scratch = e.x.start.Copy()
	}
	n, whole := e.x.g.canon.IsReserved(key)
	if !whole {
		e.coder.Restore(e.scratch, key)
		return e.scratch, nil
	}
	e.x.mu.Lock()
	e.snapshot = e.x.g.snapshots.snapshot(e.snapshot[:0], int(n))
	e.x.mu.Unlock()
	return e.scratch, e.scratch.Restore(e.snapshot)
}

// inserter replaces the keys in trees by numbers.
type inserter struct {
	x    *explorer
	in   []byte
	held []*interpreter.Position
	out  []byte
	key  []uint64
	from *layer
}

// chunk adds the trees of a chunk to its layer.
func (in *inserter) chunk(l *layer, c *chunk) error {
	in.in, in.held, in.from = c.out, c.held, l
	for range c.to - c.from {
		in.out = in.out[:0]
		if err := in.node(); err != nil {
			return err
		}
		l.keep(in.out)
		l.expanded++
		in.x.expanded++
	}
	return nil
}

// take reads a number.
func (in *inserter) take() uint16 {
	n := little.Uint16(in.in)
	in.in = in.in[2:]
	return n
}

// node converts one node with its branches.
func (in *inserter) node() error {
	x := in.x
	op := in.take()
	arg := in.take()
	n := 0
	switch op & opKind {
	case opLeaf:
		return in.leaf(int(op&opNumber), arg)
	case opEnd:
		side := int8(op&opNumber) - 1
		x.g.drawn = x.g.drawn || side == noSide
		x.g.ends++
		x.g.transitions++
		by, err := x.g.number(label{turns: arg, end: true, side: side})
		in.out = little.AppendUint16(in.out, opEnd|by)
		return err
	case opChance:
		in.out = little.AppendUint16(little.AppendUint16(in.out, op), arg)
		x.mu.Lock()
		n = len(x.g.dists[arg])
		x.mu.Unlock()
		if op&opPlayer != 0 {
			x.g.choices++
		}
	case opChoice:
		in.out = little.AppendUint16(little.AppendUint16(in.out, op), arg)
		in.out = little.AppendUint16(in.out, in.take())
		x.g.choices++
		n = int(arg)
	}
	for range n {
		if err := in.node(); err != nil {
			return err
		}
	}
	return nil
}

// leaf replaces a key by a number, a new one if the key is new.
func (in *inserter) leaf(perm int, turns uint16) error {
	x := in.x
	by := label{turns: turns, layer: in.take(), perm: uint16(perm)}
	x.mu.Lock()
	l := x.g.layers[by.layer]
	x.mu.Unlock()
	if in.from != nil && l != in.from && l.sum() <= in.from.sum() {
		return errFlat
	}
	in.key = in.key[:0]
	for range l.keys.each {
		in.key, in.in = append(in.key, little.Uint64(in.in)), in.in[8:]
	}
	n, fresh := l.keys.number(in.key)
	if fresh {
		if x.g.states >= x.o.MaxStates {
			return &LimitError{x.g.states, x.expanded}
		}
		x.g.states++
		l.count++
	}
	if x.numberChoices {
		if p := in.held[0]; p != nil && fresh {
			l.held[uint32(n)] = p
		}
		in.held = in.held[1:]
	}
	x.g.transitions++
	number, err := x.g.number(by)
	in.out = little.AppendUint32(little.AppendUint16(in.out, opLeaf|number), uint32(n))
	return err
}
