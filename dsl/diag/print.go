package diag

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/dsl/source"
)

// Style says how Write prints.
type Style struct {
	Color bool // ANSI colours
}

const (
	reset = "\x1b[0m"
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
)

var severityColors = [...]string{Error: "\x1b[1;31m", Warning: "\x1b[1;33m", Info: "\x1b[1;36m"}

type printer struct {
	b     strings.Builder
	style Style
}

func (p *printer) paint(color, s string) string {
	if !p.style.Color {
		return s
	}
	return color + s + reset
}

// Text is all findings with their excerpts, in the order of the list.
func (l List) Text(style Style) string {
	p := &printer{style: style}
	for i, d := range l {
		if i > 0 {
			p.b.WriteByte('\n')
		}
		p.diagnostic(d)
	}
	return p.b.String()
}

func (p *printer) diagnostic(d Diagnostic) {
	color := severityColors[d.Severity]
	if !d.Span.IsZero() {
		pos := d.Span.Position()
		p.b.WriteString(p.paint(bold, fmt.Sprintf("%s:%d:%d:", d.Span.Name(), pos.Line, pos.Column)) + " ")
	}
	fmt.Fprintf(&p.b, "%s %s %s\n", p.paint(color, d.Severity.String()+":"), d.Message, p.paint(dim, "["+d.Code+"]"))
	p.excerpt(d.Span, color)
	for _, n := range d.Notes {
		p.b.WriteString("  " + p.paint(bold, "note:") + " " + n.Message)
		if !n.Span.IsZero() {
			pos := n.Span.Position()
			fmt.Fprintf(&p.b, " (%s:%d:%d)", n.Span.Name(), pos.Line, pos.Column)
		}
		p.b.WriteByte('\n')
	}
	if d.Hint != "" {
		p.b.WriteString("  " + p.paint(bold, "help:") + " " + d.Hint + "\n")
	}
}

// maxExcerpt is the longest line printed whole; of a longer one only the part near the place is printed.
const maxExcerpt = 160

func (p *printer) excerpt(s source.Span, color string) {
	if s.IsZero() {
		return
	}
	pos := s.Position()
	line, start := s.File.Line(pos.Line), s.File.LineStart(pos.Line)
	from := max(0, min(s.Start-start, len(line))) // after a byte order mark a span may begin before the line
	to := max(from, min(s.End-start, len(line)))
	lead := ""
	if len(line) > maxExcerpt {
		cut := max(0, min(from-maxExcerpt/4, len(line)-maxExcerpt))
		for cut > 0 && !utf8.RuneStart(line[cut]) {
			cut--
		}
		end := min(len(line), cut+maxExcerpt)
		for end < len(line) && !utf8.RuneStart(line[end]) {
			end++
		}
		if cut > 0 {
			lead = "…"
		}
		line, from, to = line[cut:end], from-cut, min(to-cut, end-cut)
	}
	number := strconv.Itoa(pos.Line)
	gutter := strings.Repeat(" ", len(number))
	fmt.Fprintf(&p.b, " %s %s%s\n", p.paint(dim, number+" |"), lead, printable(line))
	marks := max(1, utf8.RuneCountInString(line[from:to]))
	fmt.Fprintf(&p.b, " %s %s%s\n", p.paint(dim, gutter+" |"),
		strings.Repeat(" ", utf8.RuneCountInString(lead))+blank(line[:from]), p.paint(color, strings.Repeat("^", marks)))
}

// printable replaces control characters, so that a file cannot send commands to the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && (r < ' ' || r == 0x7f) {
			return '\uFFFD'
		}
		return r
	}, s)
}

func blank(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return '\t'
		}
		return ' '
	}, s)
}
