// Package stats plays many games of a rule book and collects statistics.
//
// Run plays a range of games on any number of threads and returns a Tally. A tally has whole numbers only, so the
// order of addition does not matter. Parts of one run can be played on different machines, written to files, read and
// joined: the result equals that of one run. Collect does the same for a statistic of your own. Compare plays two
// games side by side until it is sure how they differ: in shares, in quantiles and in numbers counted up to a limit.
//
// Note: means, deviations and intervals are computed from a tally when needed; they are never added.
package stats

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/parallel"
)

// Options says which games are played, and how. The zero value plays none.
type Options struct {
	// From and To are the numbers of the first game and of the one after the last. Game k depends on the seed and k
	// only.
	From, To int
	// Of is the number of games of the whole run, if these are a part of one; 0 is To.
	Of   int
	Seed uint64
	// Threads is the number of worker goroutines; 0 is one per processor. It has no effect on the result.
	Threads int
	// First is the seat that begins every game, or interpreter.ByTheRules.
	First int
	// Rotate makes the next seat begin each game. It has no effect if the rules say who begins.
	Rotate bool
	// MaxThrows ends an endless game; 0 is interpreter.DefaultMaxThrows.
	MaxThrows int
	Pace      Pace // of the minutes
	// Seats names the players, in turn order, and Players makes them, once per thread; nil is random play.
	Seats   []string
	Players func() []interpreter.Chooser
	// Deal means that they change seats, see interpreter.RunOptions: their number need not be that of the seats.
	Deal bool
	// Open, if not 0, is how many batches may wait for a slow one, so that what is collected does not fill the memory.
	Open int
	// Progress, if not nil, is called from time to time with the number of games played, on the goroutine of the
	// caller.
	Progress func(done int)
}

// run has the options of a runner.
func (o *Options) run(stop *atomic.Bool) interpreter.RunOptions {
	ro := interpreter.RunOptions{First: o.First, Rotate: o.Rotate, MaxThrows: o.MaxThrows, Games: o.To - o.From, Stop: stop}
	if o.Players != nil {
		ro.Players = o.Players()
	}
	if o.Deal {
		ro.Deal = len(o.Seats)
	}
	return ro
}

// Counter collects a statistic over the games of one goroutine.
type Counter[T any] interface {
	// Add counts a finished game. It must not keep x.
	Add(x *interpreter.Played)
	// Take returns the statistic since the last call, and resets it.
	Take() T
}

// maxBatch is the largest number of games between two calls of Take.
const maxBatch = 1024

// Collect plays games From to To and collects a statistic. counter makes a counter for each thread; it may request
// more data from the runner by the options it gets: Leads, Watch, Look. join gets the results of Take, in the order
// of the games, on the goroutine of the caller; so the result does not depend on the number of threads. When ctx is
// done Collect ends early: join has then received a prefix of the games, and games is its length. The error is a
// fault of the rules, that of the first game that has one.
func Collect[T any](ctx context.Context, g *interpreter.Game, o Options, counter func(*interpreter.RunOptions) Counter[T], join func(T)) (games int, err error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	type worker struct {
		runner  *interpreter.Runner
		counter Counter[T]
	}
	workers, err := parallel.Workers(o.Threads, o.To-o.From, func() (worker, error) {
		ro := o.run(&stop)
		c := counter(&ro)
		r, err := interpreter.NewRunner(g, ro)
		return worker{r, c}, err
	})
	if err != nil {
		return 0, err
	}
	type part struct {
		counted T
		whole   bool // not ended by ctx
	}
	next, err := parallel.Run(ctx, workers, parallel.Tasks[worker, part]{
		From: o.From, To: o.To, Batch: maxBatch, Open: o.Open,
		Work: func(w worker, from, to int) (part, error) {
			for k := from; k < to; k++ {
				x, err := w.runner.Play(o.Seed, uint64(k))
				if err == interpreter.ErrStopped {
					return part{}, nil
				}
				if err != nil {
					return part{}, err
				}
				w.counter.Add(x)
			}
			return part{w.counter.Take(), true}, nil
		},
		Collect: func(_, to int, p part) bool {
			if !p.whole {
				return false
			}
			join(p.counted)
			if o.Progress != nil {
				o.Progress(to - o.From)
			}
			return true
		},
	})
	return next - o.From, err
}

// Run plays games From to To and counts what happens in them, see Collect. When ctx is done it ends early: To of the
// tally is then smaller.
func Run(ctx context.Context, g *interpreter.Game, o Options) (*Tally, error) {
	return RunWith(ctx, g, o, func(*interpreter.RunOptions) Counter[none] { return none{} }, func(none) {})
}

// RunWith is Run and Collect in one: it counts what happens in games and collects a statistic of the same games.
func RunWith[T any](ctx context.Context, g *interpreter.Game, o Options, counter func(*interpreter.RunOptions) Counter[T], join func(T)) (*Tally, error) {
	all := NewTally(g, o)
	spare := sync.Pool{New: func() any { return all.empty() }}
	both := func(ro *interpreter.RunOptions) Counter[tallied[T]] {
		ro.Leads = true
		return &tallier[T]{Counter: counter(ro), batch: all.empty(), spare: &spare}
	}
	_, err := Collect(ctx, g, o, both, func(part tallied[T]) {
		all.add(part.batch)
		part.batch.clear()
		spare.Put(part.batch)
		join(part.other)
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// tallied is what games come to, with another statistic of them.
type tallied[T any] struct {
	batch *Tally
	other T
}

// tallier counts batches of games beside another counter. It reuses its tallies.
type tallier[T any] struct {
	Counter[T]
	batch *Tally
	spare *sync.Pool
}

// Add implements Counter.
func (t *tallier[T]) Add(x *interpreter.Played) {
	t.batch.Add(x)
	t.Counter.Add(x)
}

// Take implements Counter.
func (t *tallier[T]) Take() tallied[T] {
	batch := t.batch
	t.batch = t.spare.Get().(*Tally)
	return tallied[T]{batch, t.Counter.Take()}
}

// none is a counter of nothing.
type none struct{}

// Add implements Counter.
func (none) Add(*interpreter.Played) {}

// Take implements Counter.
func (none) Take() none { return none{} }
