package report

import (
	"io"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl/diag"
)

// grades are the words of the format for severities.
var grades = [...]string{diag.Error: "major", diag.Warning: "minor", diag.Info: "info"}

// writeGitLab prints findings in GitLab's code quality format.
func writeGitLab(w io.Writer, r *Run) error {
	out := []object.Fields{}
	marks := r.prints()
	for _, d := range r.all() {
		p := r.place(d.Span)
		if d.Span.IsZero() { // the format requires a place
			p = place{File: ".", Line: 1, EndLine: 1}
		}
		out = append(out, object.Fields{
			{"description", words(d) + r.remarks(d)}, {"check_name", d.Code}, {"fingerprint", marks.of(d)}, {"severity", grades[d.Severity]},
			{"location", object.Fields{{"path", p.File}, {"lines", object.Fields{{"begin", p.Line}, {"end", p.EndLine}}}}},
		})
	}
	return object.Indented(w, out)
}
