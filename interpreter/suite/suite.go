// Package suite runs the tests beside the rules: many scenarios at once, each by the rules of its own setting, and
// recorded games, each by the rules as they are now.
//
// It stands above the interpreter: a scenario is played by Game.RunTest; this package finds the scenarios of a rule book,
// compiles each setting once for all of them, shares the work among the processors and hands the results back in the
// order of the file, the same whatever the processors.
//
//	tests := suite.Of(book)
//	suite.Run(ctx, tests, suite.Options{}, func(r *suite.Result) { … })
//
// What a newcomer gets wrong: scenarios of one setting share one Game, and a Game is safe for several goroutines; the
// positions inside failures are copies and belong to the caller.
package suite

import (
	"context"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// Test is a scenario or a recorded game that can be run. It is immutable and safe for several goroutines.
type Test struct {
	Name  string
	Cites []string    // ids of the clauses it shows
	Span  source.Span // its name

	scenario *dsl.Scenario
	group    *group
	index    int       // among the tests of the group's rules
	recorded *recorded // nil for a scenario
}

// group is the tests of one setting.
type group struct {
	dsl    *dsl.Group
	once   sync.Once
	rules  *model.Rules // nil where something is wrong with one of the tests
	faults diag.List
}

func (g *group) prepare() {
	g.once.Do(func() { g.rules, g.faults = g.dsl.Rules() })
}

// Of lists the scenarios of a book's last file, in its order.
func Of(book *dsl.Book) []*Test {
	byScenario := map[*dsl.Scenario]*Test{}
	for _, d := range book.Groups() {
		g := &group{dsl: d}
		for i, s := range d.Scenarios {
			byScenario[s] = &Test{Name: s.Name, Cites: s.Cites, Span: s.Span, scenario: s, group: g, index: i}
		}
	}
	var out []*Test
	for _, s := range book.Scenarios() {
		out = append(out, byScenario[s])
	}
	return out
}

// Filter says which tests are meant. The zero value means all.
type Filter struct {
	Name    *regexp.Regexp // nil: any
	Clauses []string       // tests that name one of them; none: any
}

// Keep lists the tests that are meant.
func (f Filter) Keep(tests []*Test) []*Test {
	var out []*Test
	for _, t := range tests {
		if f.Name != nil && !f.Name.MatchString(t.Name) {
			continue
		}
		if len(f.Clauses) > 0 && !slices.ContainsFunc(t.Cites, func(id string) bool { return slices.Contains(f.Clauses, id) }) {
			continue
		}
		out = append(out, t)
	}
	return out
}

// Options say how tests are run. The zero value runs them all on every processor.
type Options struct {
	Parallel int  // how many at once; 0 is one for each processor
	FailFast bool // leave out what comes after the first test that does not pass

	// Compile makes the game of a setting, once in a run; nil is interpreter.Compile. It may be called from several
	// goroutines. What it returns must have the tests of the rules it is given.
	Compile func(*model.Rules) (*interpreter.Game, error)
	// Play plays one scenario; nil is Game.RunTest. It may be called from several goroutines.
	Play func(*Test, *interpreter.Game, *model.Test) []interpreter.Failure
	// Replayed is given the position in which a recorded game ended; it may be nil. It may be called from several
	// goroutines.
	Replayed func(*Test, *interpreter.Position)
}

// Outcome says how a test ended.
type Outcome uint8

// The outcomes.
const (
	Passed  Outcome = iota
	Failed          // something expected did not hold: see Failures
	Broken          // it could not be run, as the rules of its setting or its own lines are wrong: see Faults
	Skipped         // it was not run
)

// String is the word for the outcome.
func (o Outcome) String() string {
	return [...]string{Passed: "passed", Failed: "failed", Broken: "broken", Skipped: "skipped"}[o]
}

// Result is what came of one test.
type Result struct {
	Test     *Test
	Outcome  Outcome
	Failures []interpreter.Failure
	Faults   diag.List
	Game     *interpreter.Game // that it was played by; nil where it was not
	Took     time.Duration
}

// Run runs tests and calls each with every result, in the order of the tests and from the caller's goroutine, as soon as
// all before it have ended; each may be nil. It returns all results. Where ctx ends first, the tests that did not begin are
// skipped.
func Run(ctx context.Context, tests []*Test, o Options, each func(*Result)) []*Result {
	r := &run{ctx: ctx, options: o, tests: tests, games: map[*group]*game{}, results: make([]*Result, len(tests)), done: make([]chan struct{}, len(tests))}
	for i, t := range tests {
		r.done[i] = make(chan struct{})
		if t.group != nil && r.games[t.group] == nil {
			r.games[t.group] = &game{}
		}
	}
	r.stop.Store(int64(len(tests)))
	workers := o.Parallel
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	for range min(workers, len(tests)) {
		go r.work()
	}
	for i := range tests {
		<-r.done[i]
		if int64(i) > r.stop.Load() { // it may have run beside the one that failed
			r.results[i] = &Result{Test: tests[i], Outcome: Skipped}
		}
		if each != nil {
			each(r.results[i])
		}
	}
	return r.results
}

// run is one call of Run.
type run struct {
	ctx     context.Context
	options Options
	tests   []*Test
	games   map[*group]*game
	next    atomic.Int64
	stop    atomic.Int64 // nothing after this test counts
	results []*Result
	done    []chan struct{}
}

// game is a group compiled for one run.
type game struct {
	once sync.Once
	game *interpreter.Game
	err  error
}

// work takes one test after the other. They are taken in order, so all before one that failed have begun.
func (r *run) work() {
	for {
		i := int(r.next.Add(1) - 1)
		if i >= len(r.tests) {
			return
		}
		result := &Result{Test: r.tests[i], Outcome: Skipped}
		if int64(i) <= r.stop.Load() && r.ctx.Err() == nil {
			r.one(result)
		}
		if r.options.FailFast && (result.Outcome == Failed || result.Outcome == Broken) {
			for at := r.stop.Load(); int64(i) < at && !r.stop.CompareAndSwap(at, int64(i)); at = r.stop.Load() {
			}
		}
		r.results[i] = result
		close(r.done[i])
	}
}

// one runs a test.
func (r *run) one(result *Result) {
	t := result.Test
	began := time.Now()
	defer func() { result.Took = time.Since(began) }()
	if t.recorded != nil {
		t.recorded.run(result, &r.options)
		return
	}
	g, scenario, err := r.game(t, result)
	switch {
	case len(result.Faults) > 0:
		result.Outcome = Broken
		return
	case err != nil:
		result.Outcome = Broken
		result.Faults.Errorf("too-large", t.Span, "%v", err)
		return
	}
	result.Game, result.Outcome = g, Passed
	if r.options.Play != nil {
		result.Failures = r.options.Play(t, g, scenario)
	} else {
		result.Failures = g.RunTest(scenario)
	}
	if len(result.Failures) > 0 {
		result.Outcome = Failed
	}
}

// game makes the game of a test, or finds it made; the faults of its rules are put into the result.
func (r *run) game(t *Test, result *Result) (*interpreter.Game, *model.Test, error) {
	compile := r.options.Compile
	if compile == nil {
		compile = interpreter.Compile
	}
	t.group.prepare()
	if t.group.rules == nil { // another test of the setting may be to blame
		rules, faults := t.scenario.Rules()
		if rules == nil {
			result.Faults = faults
			return nil, nil, nil
		}
		g, err := compile(rules)
		if err != nil {
			return nil, nil, err
		}
		return g, g.Rules().Tests[0], nil
	}
	made := r.games[t.group]
	made.once.Do(func() { made.game, made.err = compile(t.group.rules) })
	if made.err != nil {
		return nil, nil, made.err
	}
	return made.game, made.game.Rules().Tests[t.index], nil
}
