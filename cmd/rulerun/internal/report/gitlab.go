package report

import (
	"io"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl/diag"
)

// issue is a finding in GitLab's code quality format.
type issue struct {
	Description string   `json:"description"`
	CheckName   string   `json:"check_name"`
	Fingerprint string   `json:"fingerprint"`
	Severity    string   `json:"severity"`
	Location    location `json:"location"`
}

type location struct {
	Path  string `json:"path"`
	Lines lines  `json:"lines"`
}

type lines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

// grades are the words of the format for severities.
var grades = [...]string{diag.Error: "major", diag.Warning: "minor", diag.Info: "info"}

func writeGitLab(w io.Writer, r *Run) error {
	out := []issue{}
	marks := r.prints()
	for _, d := range r.all() {
		x := issue{Description: words(d) + r.remarks(d), CheckName: d.Code, Fingerprint: marks.of(d), Severity: grades[d.Severity]}
		p := r.place(d.Span)
		if d.Span.IsZero() { // the format requires a place
			p = jsonPlace{File: ".", Line: 1, EndLine: 1}
		}
		x.Location = location{Path: p.File, Lines: lines{Begin: p.Line, End: p.EndLine}}
		out = append(out, x)
	}
	return object.Indented(w, out)
}
