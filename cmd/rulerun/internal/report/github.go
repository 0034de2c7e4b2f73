package report

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
)

// maxAnnotations is how many annotations of each kind the service shows of one step; it drops the others silently.
const maxAnnotations = 10

// commands are the workflow commands for the severities.
var commands = [...]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice"}

// writeGitHub prints the text for people into the log of a workflow, then a command for every finding that can be shown
// beside its line, and at the end how many could not.
func writeGitHub(w io.Writer, r *Run) error {
	var text, b bytes.Buffer
	if err := writeText(&text, r, Style{}); err != nil {
		return err
	}
	// What the text quotes must not be taken for commands. It cannot hold a word made of its own sum.
	stop := fmt.Sprintf("rulerun-%x", sha256.Sum256(text.Bytes()))
	fmt.Fprintf(&b, "::stop-commands::%s\n%s::%s::\n", stop, text.Bytes(), stop)
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
			more = append(more, plural(n, "more "+diag.Severity(severity).String()))
		}
	}
	if len(more) > 0 {
		fmt.Fprintf(&b, "%s above, not among the annotations\n", strings.Join(more, ", "))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// annotation is the command that shows a finding beside its line. Columns belong to places within one line; in others
// the service takes them for a mistake.
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

// remarks are the notes of a finding, each on a line of its own.
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

// What the runner of a workflow wants escaped in the data of a command, and in its properties.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
