// Package heat plays many games and counts what happens where: on which places pieces wait, where they are set down,
// where an act is done.
//
// It stands beside package stats, which counts what happens in a game as a whole. Counts are whole numbers and game k
// depends on the seed and k alone, so that the result is the same for any number of threads. What a newcomer gets wrong:
// a place counts as the board has it, not as a node of a colour's track; a square that two colours share is one place.
package heat

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// What may be counted besides the acts of the rules.
const (
	Waits    = "waits"    // the pieces that stand on a place, at every throw
	Landings = "landings" // pieces that are set down on a place, by whatever sets them down
)

// Options says what is counted in which games. The zero value plays none.
type Options struct {
	// Of is Waits, Landings, or the name of an act.
	Of    string
	Games int
	Seed  uint64
	// Threads is how many games are played at the same time; 0 is one a processor. It has no effect on the result.
	Threads int
	// First is the seat that begins every game, or interpreter.ByTheRules.
	First int
	// Rotate lets game k be begun k seats further on.
	Rotate bool
	// MaxThrows ends a game that goes on and on; 0 is interpreter.DefaultMaxThrows.
	MaxThrows int
	// Players makes who plays, in turn order, anew for every thread; nil is chance.
	Players func() []interpreter.Chooser
	// Progress, where it is there, gets now and then how many games are done. Calls may come from any goroutine,
	// one at a time.
	Progress func(done int)
}

// Map is what happened where. It belongs to one goroutine while it is added to.
type Map struct {
	Of    string
	Games int
	// Throws are the throws that were looked at. Those that settle who begins are left out.
	Throws uint64
	// Counts are by place of the board and by colour of the rules: of the piece that stood there, or that the act was
	// done to.
	Counts [][]uint64
	// Nowhere are acts that have no place: those of no piece and no place.
	Nowhere uint64
}

// Total is how much was counted on all places.
func (m *Map) Total() uint64 {
	total := m.Nowhere
	for place := range m.Counts {
		total += m.At(place)
	}
	return total
}

// At is how much was counted on a place, of all colours.
func (m *Map) At(place int) uint64 {
	total := uint64(0)
	for _, n := range m.Counts[place] {
		total += n
	}
	return total
}

// Value is a count as it is reported: of Waits how many pieces stand there on average, of all else how often in a game.
func (m *Map) Value(n uint64) float64 {
	per := uint64(m.Games)
	if m.Of == Waits {
		per = m.Throws
	}
	if per == 0 {
		return 0
	}
	return float64(n) / float64(per)
}

// Acts are the names of the acts of a game that have a place: those done to a piece or on a place.
func Acts(g *interpreter.Game) []string {
	var out []string
	for _, a := range g.Rules().Acts {
		for _, p := range a.Params {
			if p.Type == model.Of(model.Piece) || p.Type == model.Of(model.Place) {
				out = append(out, a.Name)
				break
			}
		}
	}
	return out
}

// eye looks on while one runner plays.
type eye struct {
	game   *interpreter.Game
	of     string
	where  []int // where each piece stands
	counts [][]uint64
	no     uint64
	throws uint64
}

func (e *eye) look(p *interpreter.Position) {
	e.where = p.Places(e.where[:0])
	if p.Opening() {
		return
	}
	e.throws++
	if e.of == Waits {
		for piece, place := range e.where {
			if place >= 0 {
				e.counts[place][e.game.ColourOf(piece)]++
			}
		}
	}
}

// Fired implements interpreter.Watcher.
func (e *eye) Fired(*model.Clause) {}

// Put implements interpreter.Watcher.
func (e *eye) Put(piece, _, to int) {
	e.where[piece] = to
	if e.of == Landings && to >= 0 {
		e.counts[to][e.game.ColourOf(piece)]++
	}
}

// Acted implements interpreter.Watcher. An act is where its place is; one without, where the last of its pieces stands
// when it begins: of two, the one it is done to.
func (e *eye) Acted(a *model.Act, args []int) {
	if a.Name != e.of {
		return
	}
	place, piece := interpreter.None, interpreter.None
	for i, p := range a.Params {
		switch p.Type {
		case model.Of(model.Place):
			place = args[i]
		case model.Of(model.Piece):
			if args[i] >= 0 {
				piece = args[i]
			}
		}
	}
	if place < 0 && piece >= 0 {
		place = e.where[piece]
	}
	if place < 0 {
		e.no++
		return
	}
	colour := 0
	if piece >= 0 {
		colour = e.game.ColourOf(piece)
	}
	e.counts[place][colour]++
}

func newEye(g *interpreter.Game, of string) *eye {
	e := &eye{game: g, of: of, counts: make([][]uint64, len(g.Rules().Board.Places))}
	for place := range e.counts {
		e.counts[place] = make([]uint64, len(g.Rules().Colours))
	}
	e.where = g.Start(0).Places(nil)
	return e
}

// Run plays games and counts. When ctx is done it ends early; what there is then are the first of the games, and
// Games says how many. The error is a fault of the rules, that of the first game that has one.
func Run(ctx context.Context, g *interpreter.Game, o Options) (*Map, error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	threads := o.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	r := &run{game: g, o: o, size: batch, sum: newEye(g, o.Of), waiting: map[int]*eye{}}
	if o.Players != nil {
		r.size = 1 // who thinks may think long
	}
	r.batches = (o.Games + r.size - 1) / r.size
	workers := make([]*worker, max(1, min(threads, r.batches)))
	for i := range workers {
		w := &worker{}
		ro := interpreter.RunOptions{
			First: o.First, Rotate: o.Rotate, MaxThrows: o.MaxThrows, Watch: w, Look: func(p *interpreter.Position) { w.look(p) }, Stop: &stop,
		}
		if o.Players != nil {
			ro.Players = o.Players()
		}
		var err error
		if w.runner, err = interpreter.NewRunner(g, ro); err != nil {
			return nil, err
		}
		workers[i] = w
	}
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() { r.play(ctx, w) })
	}
	wg.Wait()
	if r.err != nil {
		return nil, r.err
	}
	return &Map{Of: o.Of, Games: r.games, Throws: r.sum.throws, Counts: r.sum.counts, Nowhere: r.sum.no}, nil
}

// batch is how many games are played at a time by chance.
const batch = 32

// worker plays on one thread. What its runner does is seen by the eye of the batch at hand.
type worker struct {
	*eye
	runner *interpreter.Runner
}

// run is what the threads of Run share.
type run struct {
	game          *interpreter.Game
	o             Options
	size, batches int // games of a batch, and how many batches there are
	next          atomic.Int64

	mu      sync.Mutex
	sum     *eye
	games   int          // in sum: the first of all games
	joined  int          // batches in sum
	waiting map[int]*eye // batches whose turn has not come
	err     error
	failed  int // the batch of err
}

// play plays batches until there are none left.
func (r *run) play(ctx context.Context, w *worker) {
	for ctx.Err() == nil {
		k := int(r.next.Add(1)) - 1
		if k >= r.batches {
			return
		}
		err := r.batch(w, k)
		if err == interpreter.ErrStopped {
			return
		}
		r.mu.Lock()
		if err != nil {
			if r.err == nil || k < r.failed {
				r.err, r.failed = err, k
			}
			r.next.Store(int64(r.batches))
		} else {
			r.join(k, w.eye)
		}
		r.mu.Unlock()
	}
}

// batch plays the games of a batch under an eye of its own.
func (r *run) batch(w *worker, k int) error {
	w.eye = newEye(r.game, r.o.Of)
	for game := k * r.size; game < min((k+1)*r.size, r.o.Games); game++ {
		if _, err := w.runner.Play(r.o.Seed, uint64(game)); err != nil {
			return err
		}
	}
	return nil
}

// join adds a batch to the sum, or keeps it until those before it are there: what an early end leaves are the first games.
func (r *run) join(k int, e *eye) {
	r.waiting[k] = e
	for {
		e := r.waiting[r.joined]
		if e == nil {
			return
		}
		delete(r.waiting, r.joined)
		r.joined++
		r.games = min(r.joined*r.size, r.o.Games)
		r.sum.throws += e.throws
		r.sum.no += e.no
		for place, row := range e.counts {
			for colour, n := range row {
				r.sum.counts[place][colour] += n
			}
		}
		if r.o.Progress != nil {
			r.o.Progress(r.games)
		}
	}
}
