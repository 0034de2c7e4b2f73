// Package diag has diagnostics: one type for all faults that any stage finds in rule files and boards, and the
// printers for them.
//
// A stage never prints and never stops at the first fault. It adds to a List, and the public function that was called
// returns this list sorted. Messages begin with a small letter, have no full stop and quote the author's own text.
// The remedy goes into Hint.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Severity says how serious a finding is.
type Severity uint8

// The severities, worst first.
const (
	Error   Severity = iota // the file cannot be used
	Warning                 // it can be used, but probably does not mean what the author wants
	Info                    // worth knowing
)

var severityNames = [...]string{Error: "error", Warning: "warning", Info: "note"}

// String is the word for the severity.
func (s Severity) String() string { return severityNames[s] }

// Note is a further remark on a diagnostic, with its own place or none.
type Note struct {
	Span    source.Span
	Message string
}

// Diagnostic is one finding.
type Diagnostic struct {
	Severity Severity
	Code     string // stable, in kebab-case: "unknown-name"
	Span     source.Span
	Message  string
	Notes    []Note
	Hint     string // how to correct it, "" if the message says it already
	Fixes    []Fix  // corrections a program can apply, the best first
}

// Error is the finding on one plain line, with its place.
func (d Diagnostic) Error() string {
	text := fmt.Sprintf("%s: %s", d.Severity, d.Message)
	if d.Hint != "" {
		text += "; " + d.Hint
	}
	return d.Span.Say(text)
}

// List is a set of findings. The zero value is empty and ready for use; it belongs to one goroutine.
type List []Diagnostic

// Add appends a diagnostic.
func (l *List) Add(d Diagnostic) { *l = append(*l, d) }

// Errorf appends an error and returns it, so that the caller can add notes or a hint.
func (l *List) Errorf(code string, span source.Span, format string, args ...any) Ref {
	return l.addf(Error, code, span, format, args...)
}

// Warnf appends a warning and returns it.
func (l *List) Warnf(code string, span source.Span, format string, args ...any) Ref {
	return l.addf(Warning, code, span, format, args...)
}

// Infof appends a note and returns it.
func (l *List) Infof(code string, span source.Span, format string, args ...any) Ref {
	return l.addf(Info, code, span, format, args...)
}

func (l *List) addf(s Severity, code string, span source.Span, format string, args ...any) Ref {
	l.Add(Diagnostic{Severity: s, Code: code, Span: span, Message: fmt.Sprintf(format, args...)})
	return l.Last()
}

// Unread reports why a file is not read, and whether it is not: what its folder says of it, or that it has more than limit bytes.
func (l *List) Unread(f *source.File, limit int) bool {
	if why := f.Unreadable(); why != nil {
		l.Errorf(why.Code, f.Span(0, 0), "%s", why.Message).WithHint("%s", why.Hint)
		return true
	}
	n := len(f.Text())
	if n > limit {
		l.Errorf("too-large", f.Span(0, 0), "this file has %d bytes, the limit is %d", n, limit)
	}
	return n > limit
}

// Last refers to the newest finding.
func (l *List) Last() Ref { return Ref{l, len(*l) - 1} }

// WithHint sets the remedy.
func (d *Diagnostic) WithHint(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// WithNote adds a remark.
func (d *Diagnostic) WithNote(span source.Span, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{Span: span, Message: fmt.Sprintf(format, args...)})
	return d
}

// Compare orders findings by file, place, severity and message.
func Compare(a, b Diagnostic) int {
	return cmp.Or(
		strings.Compare(a.Span.Name(), b.Span.Name()),
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Severity, b.Severity),
		strings.Compare(a.Code, b.Code),
		strings.Compare(a.Message, b.Message))
}

// Sort orders the list by file, place, severity and message, and drops duplicates.
func (l *List) Sort() {
	slices.SortStableFunc(*l, Compare)
	*l = slices.CompactFunc(*l, func(a, b Diagnostic) bool {
		return a.Span.Name() == b.Span.Name() && a.Span.Start == b.Span.Start && a.Code == b.Code && a.Message == b.Message
	})
}

// Overlaps reports whether a finding is about a place, or has a part in common with it.
func (l List) Overlaps(at source.Span) bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool {
		return d.Span.File == at.File && d.Span.Start < at.End && at.Start < d.Span.End
	})
}

// HasErrors reports whether the list holds an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Count is the number of findings of one severity.
func (l List) Count(s Severity) int {
	return seq.Count(l, func(d Diagnostic) bool { return d.Severity == s })
}

// Err is the list as an error: nil when it holds no error.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return l
}

// Error prints all findings, one on a line.
func (l List) Error() string {
	return strings.Join(seq.Map(l, Diagnostic.Error), "\n")
}

// Plural is a number with its noun: "1 cell", "2 cells".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
