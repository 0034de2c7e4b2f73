package suite

import "github.com/rulerun/rulerun/dsl/diag"

// Findings converts a result to diagnostics: the faults of a test that could not be run, or the failures of a failed
// one. It is empty if the test passed or was skipped.
func (r *Result) Findings() diag.List {
	if r.Outcome == Broken {
		return r.Faults
	}
	var out diag.List
	for _, f := range r.Failures {
		d := diag.Diagnostic{Code: "test-failed", Span: f.Span, Message: f.Message}
		for _, n := range f.Remarks {
			d.WithNote(n.Span, "%s", n.Message)
		}
		out.Add(d)
	}
	return out
}
