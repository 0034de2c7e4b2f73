// Package mutation runs the tests of a rule book against mutants of its rules, and reports the mutants that no test
// detects. Such a mutant shows a gap in the tests, or a line of the rules without an effect.
//
// It uses package suite: a mutant makes a variant of the book, and its tests run until one fails, those that cover
// the changed place first. Note: three kinds of mutants are no gaps: one that does not check is
// invalid, one that compiles to the same program is equivalent, and one without a result in time is unknown.
package mutation

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/cover"
	"github.com/rulerun/rulerun/interpreter/internal/parallel"
	"github.com/rulerun/rulerun/interpreter/suite"
)

// Options says how mutants are tried. The zero value tries all of them on every processor.
type Options struct {
	Parallel int    // number of workers; 0 is one for each processor
	Limit    int    // how many are tried; 0 is all
	Seed     uint64 // of the order in which they are tried
	// Progress, if not nil, gets the number of mutants tried, of all mutants, and of undetected ones. It is called on
	// the goroutine of the caller.
	Progress func(tried, all, unnoticed int)
}

// Outcome is the result for a mutant.
type Outcome uint8

// The outcomes.
const (
	Untried   Outcome = iota // there was no time
	Noticed                  // a test fails
	Unnoticed                // all tests pass
	Same                     // it compiles to the same program
	Unfit                    // the rules do not check
)

// String is the word for the outcome.
func (o Outcome) String() string {
	return [...]string{Untried: "untried", Noticed: "noticed", Unnoticed: "unnoticed", Same: "same", Unfit: "unfit"}[o]
}

// Result is the result for one mutant.
type Result struct {
	Mutant  dsl.Mutant
	Outcome Outcome
	By      string // the test that detected it
	Near    int    // how many tests cover the changed place
}

// Report has the results for all mutants of a file, in text order.
type Report struct {
	File    *source.File
	Tests   int
	Results []Result
}

// Count is the number of mutants with an outcome.
func (r *Report) Count(o Outcome) int {
	return seq.Count(r.Results, func(x Result) bool { return x.Outcome == o })
}

// Score is the percentage of detected mutants among those tried and detectable, rounded down; 100 if there are none.
func (r *Report) Score() int {
	noticed, missed := r.Count(Noticed), r.Count(Unnoticed)
	if noticed+missed == 0 {
		return 100
	}
	return 100 * noticed / (noticed + missed)
}

// ErrFailing means that a test fails without any mutation.
var ErrFailing = errors.New("the tests must pass before they can show which changes to the rules they notice")

// Run tries the mutants of one file with the tests of books that all have it as their File: a rule book, and files of
// tests for it. They must have been loaded without extra changes. If ctx ends first, the rest is untried. It returns
// ErrFailing if a test fails without a mutation.
func Run(ctx context.Context, books []*dsl.Book, o Options) (*Report, error) {
	file := books[0].File()
	report := &Report{File: file, Results: seq.Map(dsl.Mutants(file), func(m dsl.Mutant) Result { return Result{Mutant: m} })}
	base, err := begin(ctx, books, o)
	if err != nil {
		return nil, err
	}
	report.Tests = len(base.tests)
	if ctx.Err() != nil {
		return report, nil
	}
	order := rand.New(rand.NewPCG(o.Seed, 0)).Perm(len(report.Results))
	if o.Limit > 0 && o.Limit < len(order) {
		order = order[:o.Limit]
	}
	workers, _ := parallel.Workers(o.Parallel, len(order), func() (struct{}, error) { return struct{}{}, nil })
	unnoticed := 0
	parallel.Run(ctx, workers, parallel.Tasks[struct{}, *Result]{
		To: len(order),
		Work: func(_ struct{}, k, _ int) (*Result, error) {
			r := &report.Results[order[k]]
			base.try(ctx, r)
			return r, nil
		},
		Collect: func(k, _ int, r *Result) bool {
			if r.Outcome == Unnoticed {
				unnoticed++
			}
			if o.Progress != nil {
				o.Progress(k+1, len(order), unnoticed)
			}
			return true
		},
	})
	return report, nil
}

// baseline is the unmodified books, with their tests and coverage.
type baseline struct {
	books  []*dsl.Book
	tests  []*suite.Test       // of all books
	games  []*interpreter.Game // by test
	file   *cover.File
	extra  []dsl.Setting // settings other than those of the tests
	others []func() *interpreter.Game
}

// begin runs the tests without a mutation. The result is partial if ctx ends first.
func begin(ctx context.Context, books []*dsl.Book, o Options) (*baseline, error) {
	b := &baseline{books: books, tests: seq.Flat(books, suite.Of)}
	var c cover.Collector
	for _, r := range suite.Run(ctx, b.tests, suite.Options{Parallel: o.Parallel, Note: true}, nil) {
		switch r.Outcome {
		case suite.Skipped:
			return b, nil
		case suite.Passed:
			c.Add(cover.Test{Name: r.Test.Name}, cover.TraceOf(r.Game, r.Noted))
		default:
			return nil, ErrFailing
		}
	}
	book := books[0]
	b.file = c.Of(cover.Subject{File: book.File(), Groups: book.Parts()})
	// Compiled without notes, to compare programs.
	compiled := suite.Run(ctx, b.tests, suite.Options{Parallel: o.Parallel, CompileOnly: true}, nil)
	b.games = seq.Map(compiled, func(r *suite.Result) *interpreter.Game { return r.Game })
	b.extra = settings(book)
	b.others = seq.Map(b.extra, func(s dsl.Setting) func() *interpreter.Game {
		return sync.OnceValue(func() *interpreter.Game { return made(book, s) })
	})
	return b, nil
}

// made compiles the game of a setting, nil if there is none.
func made(book *dsl.Book, s dsl.Setting) *interpreter.Game {
	rules, _ := book.Rules(s)
	if rules == nil {
		return nil
	}
	g, _ := interpreter.Compile(rules)
	return g
}

// maxSettings limits the settings compared for a mutant that has no effect in the settings of the tests.
const maxSettings = 40

// settings are the defaults with each number of players, and each listed value of one option at a time.
func settings(book *dsl.Book) []dsl.Setting {
	out := seq.Map(book.PlayerNumbers(nil), func(n int) dsl.Setting { return dsl.Setting{Players: n} })
	for _, o := range book.Options() {
		values := o.Values
		if values == nil && o.Kind == model.Number {
			values = []string{"1", "2", "5"}
		}
		others := seq.Filter(values, func(v string) bool { return v != o.Default })
		out = append(out, seq.Map(others, func(v string) dsl.Setting { return dsl.Setting{Options: map[string]string{o.Name: v}} })...)
	}
	return out[:min(len(out), maxSettings)]
}

// try runs the tests on one mutant.
func (b *baseline) try(ctx context.Context, r *Result) {
	var variants []*dsl.Book
	for _, book := range b.books {
		v, _ := book.Variant(r.Mutant)
		if v == nil {
			r.Outcome = Unfit
			return
		}
		variants = append(variants, v)
	}
	order, near := b.nearest(r.Mutant)
	r.Near = near
	tests := seq.Flat(variants, suite.Of)
	sorted := seq.Map(order, func(n int) *suite.Test { return tests[n] })
	results := suite.Run(ctx, sorted, suite.Options{Parallel: 1, FailFast: true}, nil)
	same := true
	for i, result := range results {
		switch result.Outcome {
		case suite.Skipped:
			if ctx.Err() != nil {
				return
			}
		case suite.Broken, suite.Failed:
			r.Outcome, r.By = Noticed, result.Test.Name
			if result.Outcome == suite.Broken && !inTests(variants, result.Faults) {
				r.Outcome, r.By = Unfit, ""
			}
			return
		default:
			same = same && result.Game.Same(b.games[order[i]])
		}
	}
	r.Outcome = Unnoticed
	if same && b.sameElsewhere(variants[0]) {
		r.Outcome = Same
	}
}

// inTests reports whether an error is in a test: the test names something that was removed, and so detects the
// mutant.
func inTests(variants []*dsl.Book, faults diag.List) bool {
	return slices.ContainsFunc(faults, func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && slices.ContainsFunc(variants, func(v *dsl.Book) bool { return v.InTests(d.Span) })
	})
}

// sameElsewhere reports whether a variant is the same in the settings without tests.
func (b *baseline) sameElsewhere(variant *dsl.Book) bool {
	for i, s := range b.extra {
		was, is := b.others[i](), made(variant, s)
		if (was == nil) != (is == nil) || was != nil && !was.Same(is) {
			return false
		}
	}
	return true
}

// nearest orders the tests by how likely they are to detect a mutant: those that cover the innermost part around it,
// then those that cover its declaration, then the others. near is the number of tests in the first group.
func (b *baseline) nearest(m dsl.Mutant) (order []int, near int) {
	var inner, group []int
	width := -1
	for i := range b.file.Groups {
		g := &b.file.Groups[i]
		if g.Span.Start > m.Span.Start || m.Span.End > g.Span.End {
			continue
		}
		for _, p := range g.Points {
			if p.Kind != cover.Conditions {
				group = append(group, p.Tests...)
			}
			if p.Span.Start > m.Span.Start || m.Span.End > p.Span.End {
				continue
			}
			switch w := p.Span.End - p.Span.Start; {
			case width < 0 || w < width:
				inner, width = slices.Clone(p.Tests), w
			case w == width:
				inner = append(inner, p.Tests...)
			}
		}
	}
	all := seq.Of(len(b.tests), func(i int) int { return i })
	return seq.Distinct(slices.Concat(inner, group, all)), len(seq.Distinct(inner))
}
