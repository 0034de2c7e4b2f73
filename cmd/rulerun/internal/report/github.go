package report

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
)

// maxAnnotations is the number of annotations of each kind that the service shows for a step; it drops others
// silently.
const maxAnnotations = 10

// commands are the workflow commands for the severities.
var commands = [...]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice"}

// writeGitHub prints the text for people into the log of a workflow, then a command for every finding that can be
// shown beside its line, and the number of those that cannot.
func writeGitHub(b *bytes.Buffer, r *Run) {
	var text bytes.Buffer
	writeText(&text, r, Style{})
	// The service must not execute commands in the quoted text. The text cannot contain its own checksum.
	stop := fmt.Sprintf("rulerun-%x", sha256.Sum256(text.Bytes()))
	fmt.Fprintf(b, "::stop-commands::%s\n%s::%s::\n", stop, text.Bytes(), stop)
	var shown, left [len(commands)]int
	for _, d := range r.all() {
		if shown[d.Severity] == maxAnnotations {
			left[d.Severity]++
			continue
		}
		shown[d.Severity]++
		b.WriteString(r.annotation(d) + "\n")
	}
	var more []string
	for severity, n := range left {
		if n > 0 {
			more = append(more, diag.Plural(n, "more "+diag.Severity(severity).String()))
		}
	}
	if len(more) > 0 {
		fmt.Fprintf(b, "%s above, not among the annotations\n", strings.Join(more, ", "))
	}
}

// annotation is the command that shows a finding beside its line. The service requires columns to be on one line; for
// other spans they are left out.
func (r *Run) annotation(d diag.Diagnostic) string {
	var b strings.Builder
	b.WriteString("::" + commands[d.Severity] + " ")
	if !d.Span.IsZero() {
		p := r.place(d.Span)
		fmt.Fprintf(&b, "file=%s,line=%d,endLine=%d,", property.Replace(p.File), p.Line, p.EndLine)
		if p.Line == p.EndLine {
			fmt.Fprintf(&b, "col=%d,endColumn=%d,", p.Column, p.EndColumn)
		}
	}
	fmt.Fprintf(&b, "title=%s::%s", property.Replace("rulerun "+r.Verb+": "+d.Code), data.Replace(words(d)+r.remarks(d)))
	return b.String()
}

// remarks prints the notes of a finding, one on a line.
func (r *Run) remarks(d diag.Diagnostic) string {
	var b strings.Builder
	for _, n := range d.Notes {
		b.WriteString("\nnote: " + n.Message)
		if !n.Span.IsZero() {
			p := r.place(n.Span)
			fmt.Fprintf(&b, " (%s:%d:%d)", p.File, p.Line, p.Column)
		}
	}
	return b.String()
}

// Characters to escape in the data of a command, and in its properties.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
