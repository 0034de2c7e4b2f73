package diag

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulerun/rulerun/dsl/source"
)

// Edit replaces the text of Span by New; an empty span inserts.
type Edit struct {
	Span source.Span
	New  string
}

// Fix is a correction that is safe to apply automatically: one or more edits that do not overlap. An editor offers it
// under its title.
type Fix struct {
	Title string
	Edits []Edit
}

// WithFix adds a correction that replaces the text of a span.
func (d *Diagnostic) WithFix(span source.Span, text, format string, args ...any) *Diagnostic {
	if !span.IsZero() {
		d.Fixes = append(d.Fixes, Fix{Title: fmt.Sprintf(format, args...), Edits: []Edit{{Span: span, New: text}}})
	}
	return d
}

// DidYouMean suggests a name as a hint and as a fix. The fix replaces the last word of the finding's span.
func (d *Diagnostic) DidYouMean(name string) *Diagnostic {
	return d.WithHint("did you mean %q?", name).WithFix(lastWord(d.Span), name, "replace %q with %q", lastWord(d.Span).Text(), name)
}

// Instead adds a fix that replaces the last word of the finding's span; the hint stays.
func (d *Diagnostic) Instead(name string) *Diagnostic {
	return d.WithFix(lastWord(d.Span), name, "replace %q with %q", lastWord(d.Span).Text(), name)
}

// lastWord is the name at the end of a span: all of it, the part after its last dot, or the part inside quotes. It is
// the zero span if the span ends with something else.
func lastWord(s source.Span) source.Span {
	text := s.Text()
	if n := len(text); n >= 2 && text[0] == '"' && text[n-1] == '"' && !strings.ContainsAny(text[1:n-1], "\"\\\n") {
		return s.File.Span(s.Start+1, s.End-1)
	}
	end := len(text)
	start := end
	for start > 0 {
		r, w := utf8.DecodeLastRuneInString(text[:start])
		if r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			break
		}
		start -= w
	}
	if start == end {
		return source.Span{}
	}
	return s.File.Span(s.Start+start, s.End)
}

// Apply returns the text of a file after the fix; it ignores edits of other files.
func (f Fix) Apply(file *source.File) string {
	edits := slices.Clone(f.Edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Span.Start - b.Span.Start })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.Span.Name() != file.Name() || e.Span.Start < at {
			continue
		}
		b.WriteString(file.Text()[at:e.Span.Start])
		b.WriteString(e.New)
		at = e.Span.End
	}
	b.WriteString(file.Text()[at:])
	return b.String()
}
