// Package stats plays many games of a rule book and counts what happens in them.
//
// Run plays a range of games on any number of threads and gives a Tally: nothing but whole numbers, so that adding up in
// any order comes to the same. Parts of one run, played on different machines, are written down, read and joined into
// exactly what one run would have given. Compare plays two games side by side until it is sure how they differ: in shares, in
// quantiles and in numbers counted up to a limit, whatever the games are like.
//
// What a newcomer gets wrong: means, deviations and intervals are worked out from a tally when they are asked for, and
// are never added up.
package stats

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rulerun/rulerun/interpreter"
)

// Options says which games are played, and how. The zero value plays none.
type Options struct {
	// From and To are the numbers of the first game and of the one after the last. Game k depends on the seed and k
	// alone.
	From, To int
	// Of is how many games the whole run has that these are a part of; 0 is To.
	Of   int
	Seed uint64
	// Threads is how many games are played at the same time; 0 is one a processor. It has no effect on the result.
	Threads int
	// First is the seat that begins every game, or interpreter.ByTheRules.
	First int
	// Rotate lets game k be begun k seats further on. It has no effect where the rules say who begins.
	Rotate bool
	// MaxThrows ends a game that goes on and on; 0 is interpreter.DefaultMaxThrows.
	MaxThrows int
	// Seats names who plays, in turn order, and Players makes them, anew for every thread; nil is chance.
	Seats   []string
	Players func() []interpreter.Chooser
	// Progress, where it is there, gets now and then how many games are done. Calls may come from any goroutine,
	// one at a time.
	Progress func(done int)
}

// threads is how many threads play n games.
func threads(want, n int) int {
	if want <= 0 {
		want = runtime.GOMAXPROCS(0)
	}
	return max(1, min(want, n))
}

// Run plays games From to To. It is the same for any number of threads. When ctx is done it ends early: the tally then has
// the first of the games, whole ones only, and its To says how many. The error is a fault of the rules, that of the first
// game that has one.
func Run(ctx context.Context, g *interpreter.Game, o Options) (*Tally, error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	d := &dealer{next: o.From, to: o.To, failed: -1}
	c := &collector{all: NewTally(g, o), progress: o.Progress}
	workers := make([]*worker, threads(o.Threads, o.To-o.From))
	for i := range workers {
		w, err := newWorker(g, o, &stop)
		if err != nil {
			return nil, err
		}
		workers[i] = w
	}
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() { w.work(ctx, d, c, o.Seed) })
	}
	wg.Wait()
	if d.err != nil {
		return nil, d.err
	}
	return c.all, nil
}

// worker plays games on one thread.
type worker struct {
	runner *interpreter.Runner
	batch  *Tally // of the games at hand
	most   int    // games of a batch
}

func newWorker(g *interpreter.Game, o Options, stop *atomic.Bool) (*worker, error) {
	ro := interpreter.RunOptions{First: o.First, Rotate: o.Rotate, MaxThrows: o.MaxThrows, Leads: true, Stop: stop}
	w := &worker{batch: NewTally(g, o), most: batchGames}
	if o.Players != nil {
		ro.Players = o.Players()
		w.most = 1 // who thinks may think long
	}
	var err error
	w.runner, err = interpreter.NewRunner(g, ro)
	return w, err
}

// A batch is about so many throws and at most so many games: long enough that threads do not wait for one another, short
// enough that what is done is soon known.
const (
	batchThrows = 50_000
	batchGames  = 1024
)

// work plays batches of games while there are any. They are handed out in order.
func (w *worker) work(ctx context.Context, d *dealer, c *collector, seed uint64) {
	size := 1
	for ctx.Err() == nil {
		from, to := d.take(size)
		if from == to {
			return
		}
		w.batch.From, w.batch.To = from, from
		throws := 0
		for k := from; k < to; k++ {
			x, err := w.runner.Play(seed, uint64(k))
			if err == interpreter.ErrStopped {
				break
			}
			if err != nil {
				d.fail(k, err)
				return
			}
			w.batch.Add(x)
			throws += x.Throws
		}
		w.batch = c.take(w.batch)
		size = min(w.most, 2*size, max(1, size*batchThrows/max(1, throws)))
	}
}

// dealer hands out games. It is safe for several goroutines.
type dealer struct {
	mu       sync.Mutex
	next, to int
	failed   int // the first game that failed, -1 while none has
	err      error
}

// take is the next batch of at most n games, empty when there is none.
func (d *dealer) take(n int) (from, to int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	from = d.next
	if d.err == nil && from < d.to {
		d.next = min(d.to, from+n)
	}
	return from, d.next
}

// fail takes down that game k failed.
func (d *dealer) fail(k int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed < 0 || k < d.failed {
		d.failed, d.err = k, err
	}
}

// collector adds up batches in the order of their games, so that what it has is always the beginning of the run, whenever
// it is stopped. It is safe for several goroutines.
type collector struct {
	mu       sync.Mutex
	all      *Tally
	early    []*Tally // batches that are done before others that come before them
	spare    []*Tally // for use again
	progress func(done int)
}

// take takes a batch, and gives an empty one for it.
func (c *collector) take(batch *Tally) *Tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.early = append(c.early, batch)
	for {
		i := slices.IndexFunc(c.early, func(b *Tally) bool { return b.From == c.all.To && b.Games() > 0 })
		if i < 0 {
			break
		}
		c.all.add(c.early[i])
		c.early[i].clear()
		c.spare = append(c.spare, c.early[i])
		c.early = slices.Delete(c.early, i, i+1)
	}
	if c.progress != nil {
		c.progress(c.all.Games())
	}
	if n := len(c.spare); n > 0 {
		next := c.spare[n-1]
		c.spare = c.spare[:n-1]
		return next
	}
	return c.all.empty()
}
