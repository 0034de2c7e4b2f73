package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rulerun/rulerun/interpreter/internal/parallel"
)

func workers(t *testing.T, threads, n int) []int {
	t.Helper()
	made := 0
	out, err := parallel.Workers(threads, n, func() (int, error) { made++; return made, nil })
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestOrder wants results in the order of the tasks, each once, with any number of workers and any size of batches.
func TestOrder(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 7} {
		for _, size := range []int{0, 3, 1000} {
			var got []int
			next, err := parallel.Run(t.Context(), workers(t, threads, 100), parallel.Tasks[int, []int]{
				From: 5, To: 105, Batch: size,
				Work: func(_, from, to int) ([]int, error) {
					var out []int
					for k := from; k < to; k++ {
						out = append(out, k)
					}
					if from%3 == 0 {
						time.Sleep(time.Millisecond) // later batches come earlier
					}
					return out, nil
				},
				Collect: func(from, to int, list []int) bool {
					if max(1, size) < to-from {
						t.Errorf("a batch has %d tasks, want %d at most", to-from, max(1, size))
					}
					got = append(got, list...)
					return true
				},
			})
			if err != nil || next != 105 {
				t.Errorf("%d threads: got next %d, error %v", threads, next, err)
			}
			for i, k := range got {
				if k != i+5 {
					t.Fatalf("%d threads, batches of %d: task %d comes as number %d", threads, size, k, i)
				}
			}
			if len(got) != 100 {
				t.Errorf("%d threads: %d of 100 tasks were collected", threads, len(got))
			}
		}
	}
}

// TestWorkers wants a worker per thread, no more than there are tasks, and the error of one that cannot be made.
func TestWorkers(t *testing.T) {
	for _, x := range []struct{ threads, n, want int }{{3, 10, 3}, {10, 3, 3}, {4, 0, 1}, {1, 1, 1}} {
		if got := len(workers(t, x.threads, x.n)); got != x.want {
			t.Errorf("%d threads for %d tasks: got %d workers, want %d", x.threads, x.n, got, x.want)
		}
	}
	want := errors.New("no worker")
	if _, err := parallel.Workers(2, 2, func() (int, error) { return 0, want }); err != want {
		t.Errorf("got %v, want %v", err, want)
	}
}

// TestFirstError wants the error of the first task that fails, and all before it collected, whichever worker fails first.
func TestFirstError(t *testing.T) {
	for _, threads := range []int{1, 2, 8} {
		collected := 0
		next, err := parallel.Run(t.Context(), workers(t, threads, 50), parallel.Tasks[int, int]{
			To: 50,
			Work: func(_, k, _ int) (int, error) {
				switch {
				case k == 20:
					time.Sleep(5 * time.Millisecond)
					return 0, fmt.Errorf("task %d", k)
				case k > 20:
					return 0, fmt.Errorf("task %d", k)
				}
				return k, nil
			},
			Collect: func(int, int, int) bool { collected++; return true },
		})
		if err == nil || err.Error() != "task 20" || next != 20 || collected != 20 {
			t.Errorf("%d threads: got error %v, next %d, collected %d", threads, err, next, collected)
		}
	}
}

// TestStop wants nothing collected after Collect has stopped the run.
func TestStop(t *testing.T) {
	for _, threads := range []int{1, 4} {
		var got []int
		var started atomic.Int64
		next, err := parallel.Run(t.Context(), workers(t, threads, 1000), parallel.Tasks[int, int]{
			To:      1000,
			Work:    func(_, k, _ int) (int, error) { started.Add(1); return k, nil },
			Collect: func(_, _, k int) bool { got = append(got, k); return k < 3 },
		})
		if err != nil || next != 3 || !slices.Equal(got, []int{0, 1, 2, 3}) {
			t.Errorf("%d threads: got %v, next %d, error %v", threads, got, next, err)
		}
		if threads == 1 && started.Load() != 4 {
			t.Errorf("one worker has begun %d tasks, want 4", started.Load())
		}
	}
}

// TestCancel wants the first tasks, without a gap, where the context ends.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	collected := 0
	next, err := parallel.Run(ctx, workers(t, 4, 1_000_000), parallel.Tasks[int, int]{
		To: 1_000_000,
		Work: func(_, k, _ int) (int, error) {
			if k == 100 {
				cancel()
			}
			return k, nil
		},
		Collect: func(_, _, k int) bool {
			if k != collected {
				t.Errorf("got task %d after %d", k, collected)
			}
			collected++
			return true
		},
	})
	if err != nil || next != collected || next <= 100 || next > 200 {
		t.Errorf("got next %d, collected %d, error %v", next, collected, err)
	}
}

// TestPanic wants the panic of a task on the goroutine of the caller, with the task and its stack.
func TestPanic(t *testing.T) {
	cause := errors.New("a bug")
	for _, threads := range []int{1, 3} {
		func() {
			defer func() {
				p, ok := recover().(*parallel.Panic)
				if !ok || p.From != 7 || !errors.Is(p, cause) || !strings.Contains(p.Error(), "parallel_test.go") {
					t.Errorf("%d threads: got %v", threads, p)
				}
			}()
			parallel.Run(t.Context(), workers(t, threads, 20), parallel.Tasks[int, int]{
				To: 20,
				Work: func(_, k, _ int) (int, error) {
					if k == 7 {
						panic(cause)
					}
					return k, nil
				},
				Collect: func(int, int, int) bool { return true },
			})
		}()
	}
}

// TestOpen holds up the first batch: the others wait when so many are open, and all are collected in order.
func TestOpen(t *testing.T) {
	const open = 5
	hold, begun := make(chan struct{}), make(chan int, 100)
	var collected []int
	done := make(chan error)
	go func() {
		_, err := parallel.Run(t.Context(), make([]struct{}, 3), parallel.Tasks[struct{}, int]{To: 40, Open: open,
			Work: func(_ struct{}, from, _ int) (int, error) {
				if begun <- from; from == 0 {
					<-hold
				}
				return from, nil
			},
			Collect: func(_, _, from int) bool { collected = append(collected, from); return true },
		})
		done <- err
	}()
	for range open {
		<-begun
	}
	select {
	case from := <-begun:
		t.Errorf("task %d begins while %d are open", from, open)
	case <-time.After(20 * time.Millisecond):
	}
	close(hold)
	if err := <-done; err != nil || len(collected) != 40 || !slices.IsSorted(collected) {
		t.Errorf("%v, %v", collected, err)
	}
}

// TestOpenStops ends a run while workers wait.
func TestOpenStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	next, err := parallel.Run(ctx, make([]struct{}, 3), parallel.Tasks[struct{}, int]{To: 40, Open: 3,
		Work: func(_ struct{}, from, _ int) (int, error) {
			if from == 0 {
				time.Sleep(5 * time.Millisecond)
				cancel()
				<-ctx.Done()
			}
			return from, nil
		},
		Collect: func(int, int, int) bool { return true },
	})
	if err != nil || next > 6 {
		t.Errorf("%d, %v", next, err)
	}
}
