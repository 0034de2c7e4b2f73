package suite

import (
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/interpreter"
)

// Proof finds what the tests of a book do not prove. It runs them once, and only if it has to. It is not safe for several goroutines.
type Proof struct {
	book    *dsl.Book
	run     func(b *dsl.Book, o Options) []*Result
	compile func(*model.Rules) (*interpreter.Game, error)
	results func() []*Result // of all tests, those not run included
}

// Prove makes the proof of a book, with games that compile makes; nil is as in Options. Tests are not begun once ctx is done.
func Prove(ctx context.Context, b *dsl.Book, compile func(*model.Rules) (*interpreter.Game, error)) *Proof {
	run := func(b *dsl.Book, o Options) []*Result {
		o.Parallel = 1
		return Run(ctx, Of(b), o, nil)
	}
	return &Proof{b, run, compile, sync.OnceValue(func() []*Result { return run(b, Options{Compile: compile, Note: true}) })}
}

// UnnoticedChange warns of a change whose tests all pass, and pass as well by the rules that it changes, and of tests with changes likewise.
// lines reports whether a test fails without some line of the change, and whether the change is only such lines. A test that does notices
// the change. Where the tests name what only the change has, they cannot be run by the rules that it changes: then the lines decide. It
// reports too whether a test notices the change.
func (p *Proof) UnnoticedChange(lines func() (fails, only bool)) (out diag.List, noticed bool) {
	b := p.book
	tests, unchanged := b.Scenarios(), b.Unchanged()
	if len(tests) == 0 || unchanged == nil {
		return nil, false
	}
	fails, only := lines()
	if fails {
		return nil, true
	}
	results, without := p.run(unchanged, Options{FailFast: true}), "without the change too"
	if !pass(results) {
		if without = "whichever line of the rules here is left out"; has(results, Failed) || !only {
			return nil, true
		}
	}
	if !pass(p.results()) {
		return nil, false
	}
	last := tests[len(tests)-1].Span
	switch {
	case b.TestsOnly():
		out.Warnf("unnoticed-change", last, "all tests of this file pass without the changes that it names: none notices what they change")
	case len(tests) == 1:
		out.Warnf("unnoticed-change", last, "this test passes %s: it does not notice what is changed", without)
	default:
		out.Warnf("unnoticed-change", last, "all tests of this change pass %s: none notices what is changed", without)
	}
	out.Last().WithHint("expect something that is so only with the change")
	return out, false
}

// UnprovedOptions notes each option of the file of which no test shows what it changes: all that set it pass with its default too.
func (p *Proof) UnprovedOptions() (out diag.List) {
	for _, o := range p.book.Options() {
		if unset, at := p.book.WithoutSets(o.Name); unset != nil && pass(p.results()) && pass(p.run(unset, Options{FailFast: true, Compile: p.compile})) {
			out.Infof("proves-nothing", at, "no test shows what option %q changes: all that set it pass with its default too", o.Name).
				WithHint("expect something that is so only with the value that is set")
		}
	}
	return out
}

// pass reports whether all tests passed.
func pass(results []*Result) bool {
	return !has(results, Failed) && !has(results, Broken) && !has(results, Skipped)
}

func has(results []*Result, o Outcome) bool {
	return slices.ContainsFunc(results, func(r *Result) bool { return r.Outcome == o })
}

// denies are words of a title by which something need not happen in its test.
var denies = pattern.Of(`(?i)\b(?:no\w*|never|without|cannot|only|must|may|can|could|if|but|before|stays?|free|alone)\b|n't\b`)

// Untold notes each test whose title speaks of an act which is not done in it, though it plays.
func (p *Proof) Untold() (out diag.List) {
	for _, r := range p.results() {
		if r.Outcome != Passed || r.Noted == nil || denies().MatchString(r.Test.Name) {
			continue
		}
		rules := r.Game.Rules()
		i := slices.IndexFunc(rules.Tests, func(t *model.Test) bool { return t.Span == r.Test.Span })
		if i < 0 || !plays(rules.Tests[i]) {
			continue
		}
		words := strings.FieldsFunc(strings.ToLower(r.Test.Name), func(c rune) bool { return !unicode.IsLetter(c) })
		for _, a := range rules.Acts {
			stem := strings.TrimSuffix(a.Name, "e")
			said := slices.ContainsFunc(words, func(w string) bool { return len(stem) > 3 && strings.HasPrefix(w, stem) && len(w) <= len(a.Name)+3 })
			n := slices.Index(r.Game.Notes(), interpreter.Note{Kind: interpreter.ActDone, Span: a.Span})
			if said && (n < 0 || !r.Noted[n]) {
				out.Infof("misnamed", r.Test.Span, "the title speaks of act %q, and it is not done in this test", a.Name)
			}
		}
	}
	return out
}

// plays reports whether a test plays, from what it gives alone, and does not ask for what may be played.
func plays(t *model.Test) bool {
	does := slices.ContainsFunc(t.Lines, func(l *model.TestLine) bool { return l.Kind == model.LineThrow || l.Kind == model.LinePlay })
	return does && !slices.ContainsFunc(t.Lines, func(l *model.TestLine) bool {
		return slices.Contains([]model.LineKind{model.LineSet, model.ExpectMoves, model.ExpectRefused, model.ExpectChoices}, l.Kind)
	})
}

// Failing warns of each test that does not pass, at the first line of it that fails.
func (p *Proof) Failing() (out diag.List) {
	for _, r := range p.results() {
		if found := r.Findings(); r.Outcome == Failed {
			found[0].Severity = diag.Warning
			out.Add(found[0])
		}
	}
	return out
}

// Moot warns of moves that the tests of the book want refused and of which no rule speaks, unless that has been found.
func (p *Proof) Moot(known diag.List) (out diag.List) {
	if !slices.ContainsFunc(p.book.Scenarios(), (*dsl.Scenario).RefusesMove) {
		return nil
	}
	for _, r := range p.results() {
		for _, f := range r.Failures {
			told := func(d diag.Diagnostic) bool { return d.Code == "proves-nothing" && d.Span == f.Span }
			if f.Moot != "" && !slices.ContainsFunc(known, told) && !slices.ContainsFunc(out, told) {
				out.Warnf("proves-nothing", f.Span, "this is refused whatever the rules say: %s", f.Moot).
					WithHint("name a move that would be possible if the rules were others")
			}
		}
	}
	return out
}
