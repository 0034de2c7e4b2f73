package suite

import (
	"context"
	"slices"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
)

// Moot warns of moves that the tests of a book want refused and of which no rule speaks, unless that has been found.
func Moot(ctx context.Context, b *dsl.Book, known diag.List) (out diag.List) {
	for _, r := range Run(ctx, Of(b), Options{Parallel: 1}, nil) {
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
