package suite

import (
	"context"
	"slices"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
)

// UnnoticedChange warns of a change whose tests all pass, and pass as well by the rules that it changes, and of tests with changes likewise.
// It reports too whether a test does not pass by the rules that are changed.
func UnnoticedChange(ctx context.Context, b *dsl.Book) (out diag.List, noticed bool) {
	tests, unchanged := b.Scenarios(), b.Unchanged()
	if len(tests) == 0 || unchanged == nil {
		return nil, false
	}
	if !passes(ctx, unchanged) {
		return nil, true
	}
	if !passes(ctx, b) {
		return nil, false
	}
	last := tests[len(tests)-1].Span
	switch {
	case b.TestsOnly():
		out.Warnf("unnoticed-change", last, "all tests of this file pass without the changes that it names: none notices what they change")
	case len(tests) == 1:
		out.Warnf("unnoticed-change", last, "this test passes without the change too: it does not notice what is changed")
	default:
		out.Warnf("unnoticed-change", last, "all tests of this change pass without it too: none notices what is changed")
	}
	out.Last().WithHint("expect something that is so only with the change")
	return out, false
}

// passes reports whether all tests of a book pass.
func passes(ctx context.Context, b *dsl.Book) bool {
	results := Run(ctx, Of(b), Options{FailFast: true, Parallel: 1}, nil)
	return !slices.ContainsFunc(results, func(r *Result) bool { return r.Outcome != Passed })
}
