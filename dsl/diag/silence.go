package diag

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
)

// Silence is a comment that silences findings of one code on one line: "// allow CODE: REASON" at the end of the line, or
// on a line of its own right above it.
type Silence struct {
	Code   string
	Reason string
	Line   int         // the line it applies to, from 1
	Span   source.Span // the comment
}

var allow = pattern.Of(`^(?://|#)[ \t]*allow[ \t]+([A-Za-z0-9-]+)[ \t]*(:?)[ \t]*(.*)$`)

// ReadSilence parses a comment of a file, including its // or #; ok is false if it is an ordinary comment.
func ReadSilence(comment source.Span) (s Silence, ok bool) {
	m := allow().FindStringSubmatch(strings.TrimRight(comment.Text(), " \t\r\n"))
	if m == nil || m[2] == "" && m[3] != "" {
		return Silence{}, false // an ordinary sentence that begins in the same way
	}
	f, at := comment.File, comment.Position().Line
	s = Silence{Code: m[1], Reason: strings.TrimSpace(m[3]), Line: at, Span: comment}
	if strings.TrimSpace(f.Text()[f.LineStart(at):comment.Start]) == "" {
		s.Line++ // a comment on its own line applies to the next one
	}
	return s, true
}

// Silenced is a finding that a comment silences.
type Silenced struct {
	Diagnostic
	By Silence
}

// Silence removes the silenced findings from a list. It adds a warning for every comment that silences nothing, gives
// no reason, or tries to silence an error. later reports whether another command looks for a code: then an unused
// comment is no mistake. If the list has errors, warnings are incomplete, so it does not warn of comments.
func (l *List) Silence(file *source.File, comments []Silence, later func(code string) bool) []Silenced {
	var out []Silenced
	used := make([]bool, len(comments))
	kept := (*l)[:0:0]
	for _, d := range *l {
		by := slices.IndexFunc(comments, func(c Silence) bool {
			return d.Span.File == file && c.Code == d.Code && c.Line == d.Span.Position().Line
		})
		if by >= 0 {
			used[by] = true
			if d.Severity == Error {
				d.Notes = append(d.Notes[:len(d.Notes):len(d.Notes)], Note{Span: comments[by].Span, Message: "an error cannot be silenced"})
			} else if comments[by].Reason != "" {
				out = append(out, Silenced{d, comments[by]})
				continue
			}
		}
		kept = append(kept, d)
	}
	*l = kept
	if l.HasErrors() {
		return out
	}
	for i, c := range comments {
		switch {
		case c.Reason == "":
			l.Warnf("no-reason", c.Span, "this silences %q without a reason", c.Code).WithHint("write: allow %s: why it is fine here", c.Code)
		case !used[i] && !later(c.Code):
			l.Warnf("silences-nothing", c.Span, "there is no %q here to silence", c.Code).WithHint("take the comment away").
				WithFix(withBlanks(c.Span), "", "take the comment away")
		}
	}
	return out
}

// withBlanks extends the span of a comment by the blanks before it, and by its line end if it is alone on its line.
func withBlanks(at source.Span) source.Span {
	text := at.File.Text()
	start := len(strings.TrimRight(text[:at.Start], " \t"))
	end := at.End
	if (start == 0 || text[start-1] == '\n') && end < len(text) && text[end] == '\n' {
		end++
	}
	return at.File.Span(start, end)
}
