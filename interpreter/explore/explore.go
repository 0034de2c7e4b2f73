// Package explore plays a rule book by chance, from the beginning and from odd positions, in every setting, and reports
// what goes wrong: players with nothing to do, duties that contradict each other, clauses that never take effect, turns
// and games without end, positions the rules reach and refuse, and rules that fail.
//
// It stands beside the engine and knows nothing of it but its door. The work is cut into plays. Play k depends on the
// book, the seed and k alone, so the same number of plays finds the same things on any machine with any number of
// threads. What a newcomer gets wrong: a play that runs out of time is not counted, and neither is any after it, so
// what a run finds is always what its first so many plays find.
package explore

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// Options say how much is played. The zero value plays until its context is done.
type Options struct {
	Seed    uint64
	Plays   int // how many; 0: as many as there is time for
	Threads int // 0: as many as there are processors
}

// MaxPlays is the largest number of plays of one run.
const MaxPlays = 1_000_000

// Finding is something that goes wrong.
type Finding struct {
	diag.Diagnostic
	// Witness is a position at the beginning of a turn in which it happens, nil where there is none.
	Witness *interpreter.Setup
}

// Report is what a run found.
type Report struct {
	Findings []Finding // by place and code
	Plays    int       // plays that were finished, counted from the first
	Throws   int       // in them
	Settings int       // in which there was at least one
}

// explorer is one run.
type explorer struct {
	o      Options
	header source.Span // of the book's last file
	arenas []*arena
	stop   atomic.Bool

	mu      sync.Mutex
	numbers map[source.Span]int // of the clauses, over all settings
	clauses []*model.Clause     // by number
}

// Book explores a checked rule book until all plays are done or ctx is. The error is a book that is too large to play.
func Book(ctx context.Context, b *dsl.Book, o Options) (*Report, error) {
	if o.Plays <= 0 || o.Plays > MaxPlays {
		o.Plays = MaxPlays
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	x := &explorer{o: o, header: b.Header(), numbers: map[source.Span]int{}}
	for _, s := range b.Settings() {
		x.arenas = append(x.arenas, &arena{book: b, setting: s})
	}
	if len(x.arenas) == 0 {
		return &Report{}, nil
	}
	defer context.AfterFunc(ctx, func() { x.stop.Store(true) })()
	workers := make([]*worker, min(o.Threads, o.Plays))
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range workers {
		w := &worker{x: x, whole: o.Plays}
		w.found[0], w.found[1] = map[key]*sighting{}, map[key]*sighting{}
		workers[i] = w
		wg.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= o.Plays {
					return
				}
				if !w.play(k) {
					w.whole = k
					return
				}
			}
		})
	}
	wg.Wait()
	for _, a := range x.arenas {
		if a.err != nil {
			return nil, a.err
		}
	}
	return x.report(workers), nil
}

// number is the number of a clause over all settings.
func (x *explorer) number(c *model.Clause) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	n, known := x.numbers[c.Span]
	if !known {
		n = len(x.clauses)
		x.numbers[c.Span] = n
		x.clauses = append(x.clauses, c)
	}
	return n
}

// key tells findings apart: those of one kind at one place are one.
type key struct {
	kind kind
	at   source.Span
}

// sighting is a finding as a play comes upon it.
type sighting struct {
	key
	play  int
	arena *arena
	odd   bool               // the play began with an odd position
	from  *interpreter.Setup // the position when the turn began, nil where no turn has
	path  path               // what was thrown and chosen since
	seat  int                // of who can do nothing
	words string             // what the fault or the reasons for a refusal say
	other *model.Clause      // the duty that comes first
	under []*model.Clause    // clauses that refuse the moves
}

// path is a course through the nodes of a turn.
type path struct {
	throws  [][]int
	choices []int
}

func (p *path) clear() { p.throws, p.choices = p.throws[:0], p.choices[:0] }

func (p *path) clone() path {
	q := path{choices: slices.Clone(p.choices)}
	for _, n := range p.throws {
		q.throws = append(q.throws, slices.Clone(n))
	}
	return q
}

// worker plays and remembers what it has seen.
type worker struct {
	x     *explorer
	whole int // the first play it could not finish
	plays []played
	fired []int                // by clause number: one more than the first play in which it took effect, 0 for none
	lost  [][]int              // by clause number: the plays in which the duty was ignored
	found [2]map[key]*sighting // the first of each key: from the beginning, from odd positions
}

// played is a play that was finished.
type played struct {
	play, throws int
	arena        *arena
}

// grow makes room for a clause's number.
func (w *worker) grow(n int) {
	for len(w.fired) <= n {
		w.fired = append(w.fired, 0)
		w.lost = append(w.lost, nil)
	}
}

// saw keeps a sighting if it is the first of its kind.
func (w *worker) saw(s *sighting) {
	i := 0
	if s.odd {
		i = 1
	}
	if old := w.found[i][s.key]; old == nil || s.play < old.play {
		w.found[i][s.key] = s
	}
}
