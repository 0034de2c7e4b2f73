// Package suite runs the tests of a rule book: scenarios in parallel, each with the rules of its own setting, and
// recorded games with the present rules.
//
// It uses the interpreter: Game.RunTest plays a scenario. This package finds the scenarios of a rule book, compiles
// each setting once, distributes the work over the processors, and returns the results in file order, independent of
// the processors.
//
//	tests := suite.Of(book)
//	suite.Run(ctx, tests, suite.Options{}, func(r *suite.Result) { … })
//
// Note: scenarios of one setting share one Game, and a Game is safe for several goroutines; the
// positions inside failures are copies and belong to the caller.
package suite

import (
	"context"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/parallel"
)

// Test is a scenario or a recorded game that can be run. It is immutable and safe for several goroutines.
type Test struct {
	Name  string
	Cites []string    // ids of the clauses it cites
	Span  source.Span // its name

	scenario *dsl.Scenario
	group    *dsl.Group
	index    int       // among the tests of the group's rules
	recorded *recorded // nil for a scenario
}

// Of lists the scenarios of a book's last file, in its order.
func Of(book *dsl.Book) []*Test {
	byScenario := map[*dsl.Scenario]*Test{}
	for _, g := range book.Groups() {
		for i, s := range g.Scenarios {
			byScenario[s] = &Test{Name: s.Name, Cites: s.Cites, Span: s.Span, scenario: s, group: g, index: i}
		}
	}
	return seq.Map(book.Scenarios(), func(s *dsl.Scenario) *Test { return byScenario[s] })
}

// Filter selects tests. The zero value selects all.
type Filter struct {
	Name    *regexp.Regexp // nil: any
	Clauses []string       // tests that cite one of them; empty: any
}

// Keep lists the selected tests.
func (f Filter) Keep(tests []*Test) []*Test {
	wanted := func(id string) bool { return slices.Contains(f.Clauses, id) }
	return seq.Filter(tests, func(t *Test) bool {
		return (f.Name == nil || f.Name.MatchString(t.Name)) && (len(f.Clauses) == 0 || slices.ContainsFunc(t.Cites, wanted))
	})
}

// Options says how tests are run. The zero value runs all of them on every processor.
type Options struct {
	Parallel int  // number of workers; 0 is one for each processor
	FailFast bool // skip the tests after the first that does not pass

	// Note records the coverage of each test in Result.Noted.
	Note bool
	// Compile makes the game of the tests of one setting; nil is interpreter.Compile, or CompileNoting with Note.
	Compile func(*model.Rules) (*interpreter.Game, error)
	// CompileOnly compiles the games of scenarios and does not play them.
	CompileOnly bool
}

// Outcome is the result of a test.
type Outcome uint8

// The outcomes.
const (
	Passed  Outcome = iota
	Failed          // an expectation did not hold: see Failures
	Broken          // it could not be run, because its rules or its own lines have faults: see Faults
	Skipped         // it was not run
)

// String is the word for the outcome.
func (o Outcome) String() string {
	return [...]string{Passed: "passed", Failed: "failed", Broken: "broken", Skipped: "skipped"}[o]
}

// Result is the result of one test.
type Result struct {
	Test     *Test
	Outcome  Outcome
	Failures []interpreter.Failure
	Faults   diag.List
	Game     *interpreter.Game // the game it was played with, or nil
	Noted    []bool            // of Options.Note: by the indices of Game.Notes, whether the test executed the part; nil if it did not run
	Took     time.Duration
}

// Run runs tests and calls each with every result, in the order of the tests and on the goroutine of the caller, as
// soon as all earlier ones have ended; each may be nil. It returns all results. When ctx is done, tests that have not
// begun are skipped.
func Run(ctx context.Context, tests []*Test, o Options, each func(*Result)) []*Result {
	r := &run{options: o, games: map[*dsl.Group]*game{}}
	for _, t := range tests {
		if t.group != nil && r.games[t.group] == nil {
			r.games[t.group] = &game{}
		}
	}
	results := make([]*Result, 0, len(tests))
	add := func(result *Result) {
		results = append(results, result)
		if each != nil {
			each(result)
		}
	}
	workers, _ := parallel.Workers(o.Parallel, len(tests), func() (struct{}, error) { return struct{}{}, nil })
	parallel.Run(ctx, workers, parallel.Tasks[struct{}, *Result]{
		To:   len(tests),
		Work: func(_ struct{}, k, _ int) (*Result, error) { return r.one(tests[k]), nil },
		Collect: func(_, _ int, result *Result) bool {
			add(result)
			return !o.FailFast || result.Outcome == Passed
		},
	})
	for _, t := range tests[len(results):] {
		add(&Result{Test: t, Outcome: Skipped})
	}
	return results
}

// run is one call of Run.
type run struct {
	options Options
	games   map[*dsl.Group]*game
}

// game is a group compiled for one run.
type game struct {
	once sync.Once
	game *interpreter.Game
	err  error
}

// one runs a test.
func (r *run) one(t *Test) *Result {
	result := &Result{Test: t}
	began := time.Now()
	defer func() { result.Took = time.Since(began) }()
	if t.recorded != nil {
		t.recorded.run(result, &r.options)
		return result
	}
	g, scenario, err := r.game(t, result)
	result.Game = g
	switch {
	case len(result.Faults) > 0:
		result.Outcome = Broken
	case err != nil:
		result.tooLarge(err)
	case r.options.CompileOnly:
	case r.options.Note:
		result.Noted = make([]bool, len(g.Notes()))
		result.Failures = g.RunTestNoting(scenario, result.Noted)
	default:
		result.Failures = g.RunTest(scenario)
	}
	if len(result.Failures) > 0 {
		result.Outcome = Failed
	}
	return result
}

// tooLarge marks a test as broken, because its rules cannot be compiled.
func (r *Result) tooLarge(err error) {
	r.Outcome = Broken
	r.Faults.Errorf("too-large", r.Test.Span, "%v", err)
}

// game compiles the game of a test, or returns the compiled one; faults of its rules go into the result.
func (r *run) game(t *Test, result *Result) (*interpreter.Game, *model.Test, error) {
	compile := interpreter.Compile
	switch {
	case r.options.Compile != nil:
		compile = r.options.Compile
	case r.options.Note:
		compile = interpreter.CompileNoting
	}
	rules, _ := t.group.Rules()
	if rules == nil { // the fault may be in another test of the setting
		own, faults := t.scenario.Rules()
		if own == nil {
			result.Faults = faults
			return nil, nil, nil
		}
		g, err := compile(own)
		if err != nil {
			return nil, nil, err
		}
		return g, g.Rules().Tests[0], nil
	}
	made := r.games[t.group]
	made.once.Do(func() { made.game, made.err = compile(rules) })
	if made.err != nil {
		return nil, nil, made.err
	}
	return made.game, made.game.Rules().Tests[t.index], nil
}
