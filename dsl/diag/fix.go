package diag

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulerun/rulerun/dsl/source"
)

// Edit puts New in the place of what Span covers; an empty span inserts.
type Edit struct {
	Span source.Span
	New  string
}

// Fix is a remedy that needs no thought: edits of one or more places, which do not overlap and belong together. An
// editor offers it under its title.
type Fix struct {
	Title string
	Edits []Edit
}

// WithFix adds a remedy that replaces what span covers.
func (d *Diagnostic) WithFix(span source.Span, text, format string, args ...any) *Diagnostic {
	if !span.IsZero() {
		d.Fixes = append(d.Fixes, Fix{Title: fmt.Sprintf(format, args...), Edits: []Edit{{Span: span, New: text}}})
	}
	return d
}

// DidYouMean suggests the name that was meant, as a remedy and as its fix: the last word of the finding's span.
func (d *Diagnostic) DidYouMean(name string) *Diagnostic {
	return d.WithHint("did you mean %q?", name).WithFix(lastWord(d.Span), name, "replace %q with %q", lastWord(d.Span).Text(), name)
}

// Instead suggests another word in the place of the last word of the finding's span, beside whatever the hint says.
func (d *Diagnostic) Instead(name string) *Diagnostic {
	return d.WithFix(lastWord(d.Span), name, "replace %q with %q", lastWord(d.Span).Text(), name)
}

// lastWord is the name a span ends with: the whole of it, what stands behind its last dot, or between its quotes. It is
// no place where the span ends with something else.
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

// Apply is the text of a file with the fix carried out; edits of other files are left out.
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
