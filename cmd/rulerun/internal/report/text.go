package report

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pages"
	"github.com/rulerun/rulerun/dsl/seq"
)

func writeText(b *bytes.Buffer, r *Run, style Style) {
	if len(r.Findings) > 0 {
		b.WriteString(r.Findings.Text(diag.Style{Color: style.Color}) + "\n")
	}
	for i := range r.Tests {
		b.WriteString(r.Tests[i].Text(style))
	}
	b.WriteString(Summary(r) + "\n")
	if codes := explained(r.Findings); len(codes) > 0 {
		fmt.Fprintf(b, "rulerun check --explain %s says more\n", strings.Join(codes, " "))
	}
}

// Text is one test for people: its failures, or its name and duration if the style is verbose, or that it was skipped. A verb that
// prints tests as they end prints it for each, and the Summary at the end.
func (c *Case) Text(style Style) string {
	var b strings.Builder
	name := filepath.ToSlash(c.Suite) + ": " + c.Name
	if len(c.Cites) > 0 {
		name += " [" + strings.Join(c.Cites, " ") + "]"
	}
	switch {
	case c.Skipped != "":
		fmt.Fprintf(&b, "skip %s: %s\n", name, c.Skipped)
	case !c.Failed() && style.Verbose:
		if c.Duration > 0 {
			name += fmt.Sprintf(" (%.1f ms)", float64(c.Duration.Microseconds())/1000)
		}
		fmt.Fprintf(&b, "ok   %s\n", name)
	case c.Failed():
		fmt.Fprintf(&b, "FAIL %s\n", name)
		for _, f := range c.Failures {
			b.WriteString(diag.List{f.Finding}.Text(diag.Style{Color: style.Color}))
			for line := range strings.Lines(f.Detail) {
				b.WriteString("    " + line)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Summary is the last line of the text of a run: the number of files or tests, and the results.
func Summary(r *Run) string {
	var s string
	if r.Verb == "test" {
		n := r.counts()
		s = fmt.Sprintf("%d passed, %d failed", n.passed, n.failed)
		if n.skipped > 0 {
			s += fmt.Sprintf(", %d skipped", n.skipped)
		}
		if len(r.Broken) > 0 {
			s += fmt.Sprintf(", %s with mistakes", diag.Plural(len(r.Broken), "file"))
		}
		return s
	}
	s = fmt.Sprintf("%s: %s, %s", diag.Plural(len(r.Files), "file"),
		diag.Plural(r.Findings.Count(diag.Error), "error"), diag.Plural(r.Findings.Count(diag.Warning), "warning"))
	if n := r.Findings.Count(diag.Info); n > 0 {
		s += ", " + diag.Plural(n, "note")
	}
	if n := len(r.Silenced); n > 0 {
		s += fmt.Sprintf(", %d silenced", n)
	}
	return s
}

// maxExplained limits the codes in the line about further help.
const maxExplained = 6

// explained lists the first codes of the findings that have a page, without duplicates, in order.
func explained(l diag.List) []string {
	codes := seq.Distinct(seq.Map(l, func(d diag.Diagnostic) string { return d.Code }))
	codes = seq.Filter(codes, func(code string) bool { _, ok := pages.Find(code); return ok })
	return codes[:min(len(codes), maxExplained)]
}
