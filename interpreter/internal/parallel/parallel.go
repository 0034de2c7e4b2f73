// Package parallel is the one worker loop of all studies: it runs numbered tasks on several goroutines and collects their
// results in the order of the numbers.
//
// The order makes a study deterministic: what is collected does not depend on the number of workers. Where the context ends
// or a task fails, the results collected so far are those of the first tasks, without a gap.
//
// Note: Collect runs on the goroutine of the caller, so it needs no lock; Work runs on many goroutines,
// each with a worker of its own.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Workers makes the workers for n tasks: one per wanted thread, one per processor where threads is 0, at most n, at least one.
func Workers[W any](threads, n int, make func() (W, error)) ([]W, error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var out []W
	for range max(1, min(threads, n)) {
		w, err := make()
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}

// Tasks are the tasks From to To-1. W is what one goroutine needs for its work, R the result of a batch of tasks.
type Tasks[W, R any] struct {
	From, To int
	// Batch is the largest number of tasks handed out at once; 0 is 1. Batches grow while they take little time.
	Batch int
	// Open, if not 0, is the largest number of batches handed out and not collected: behind a slow batch the workers wait,
	// and their results do not pile up. It is at least the number of workers.
	Open int
	// Work runs a batch. An error ends the run.
	Work func(w W, from, to int) (R, error)
	// Collect gets the results of the batches in order, and reports whether the run goes on.
	Collect func(from, to int, r R) bool
}

// Panic is a panic of a task. Run panics with it on the goroutine of its caller.
type Panic struct {
	From, To int // the batch
	Value    any
	Stack    []byte // of the goroutine of the task
}

// Error implements error.
func (p *Panic) Error() string {
	return fmt.Sprintf("task %d to %d: %v\n\n%s", p.From, p.To-1, p.Value, p.Stack)
}

// Unwrap returns the value of the panic where it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// batchTime is how long a batch takes, about: long enough that workers do not wait for one another, short enough that
// progress is soon known.
const batchTime = 10 * time.Millisecond

// batch is a batch of tasks with its result.
type batch[R any] struct {
	from, to int
	result   R
	err      error
	panicked *Panic
}

// Run runs the tasks, one worker per goroutine, and returns the number of the first task that was not collected. It hands
// out the tasks in order until ctx is done, a task fails or Collect stops the run. The error is that of the first task, by
// number, that failed. With one worker everything runs on the goroutine of the caller.
func Run[W, R any](ctx context.Context, workers []W, t Tasks[W, R]) (next int, err error) {
	r := &run[W, R]{Tasks: t, ctx: ctx, waiting: map[int]batch[R]{}, collected: t.From}
	r.next, r.freed = t.From, sync.NewCond(&r.mu)
	if r.Open > 0 {
		r.Open = max(r.Open, len(workers))
	}
	defer context.AfterFunc(ctx, r.wake)()
	if len(workers) == 1 {
		r.work(workers[0], r.collect)
	} else {
		done := make(chan batch[R], len(workers))
		var wg sync.WaitGroup
		for _, w := range workers {
			wg.Go(func() { r.work(w, func(b batch[R]) { done <- b }) })
		}
		go func() {
			wg.Wait()
			close(done)
		}()
		for b := range done {
			r.collect(b)
		}
	}
	if r.panicked != nil {
		panic(r.panicked)
	}
	return r.collected, r.err
}

// run is one call of Run.
type run[W, R any] struct {
	Tasks[W, R]
	ctx     context.Context
	stopped atomic.Bool

	mu   sync.Mutex
	next int // the first task not handed out
	open int // batches handed out and not collected
	// freed is signalled when open falls, and when the run stops.
	freed *sync.Cond

	// The goroutine of the caller owns what follows.
	waiting   map[int]batch[R] // batches that were done before an earlier one, by their first task
	collected int              // the first task not collected
	ended     bool             // nothing more is collected
	err       error
	panicked  *Panic
}

// work runs batches until there are none left.
func (r *run[W, R]) work(w W, deliver func(batch[R])) {
	for size := 1; ; {
		b, ok := r.take(size)
		if !ok {
			return
		}
		began := time.Now()
		r.do(w, &b)
		if b.err != nil || b.panicked != nil {
			r.stopped.Store(true)
			r.wake()
		}
		switch took := time.Since(began); {
		case took < batchTime/2:
			size = min(2*size, max(1, r.Batch))
		case took > 2*batchTime:
			size = max(1, size/2)
		}
		deliver(b)
	}
}

// take is the next batch; false where there is none.
func (r *run[W, R]) take(size int) (batch[R], bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	stopped := func() bool { return r.stopped.Load() || r.ctx.Err() != nil }
	for r.Open > 0 && r.open >= r.Open && !stopped() {
		r.freed.Wait()
	}
	if stopped() {
		return batch[R]{}, false
	}
	r.open++
	from := r.next
	r.next = max(from, min(r.To, from+size))
	return batch[R]{from: from, to: r.next}, from < r.next
}

// wake wakes the workers that wait in take.
func (r *run[W, R]) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.freed.Broadcast()
}

// do runs a batch, and keeps its panic.
func (r *run[W, R]) do(w W, b *batch[R]) {
	defer func() {
		if v := recover(); v != nil {
			b.panicked = &Panic{b.from, b.to, v, debug.Stack()}
		}
	}()
	b.result, b.err = r.Work(w, b.from, b.to)
}

// collect collects a batch and those that wait for it. A batch that comes early waits.
func (r *run[W, R]) collect(b batch[R]) {
	r.waiting[b.from] = b
	for !r.ended {
		b, ok := r.waiting[r.collected]
		if !ok {
			return
		}
		delete(r.waiting, r.collected)
		switch {
		case b.panicked != nil, b.err != nil:
			r.panicked, r.err, r.ended = b.panicked, b.err, true
		case !r.Collect(b.from, b.to, b.result):
			r.ended = true
		default:
			r.collected = b.to
		}
		if r.ended {
			r.stopped.Store(true)
		}
		r.mu.Lock()
		r.open--
		r.mu.Unlock()
		r.wake()
	}
}
