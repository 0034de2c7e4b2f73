package format

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/dsl/syntax"
)

// item is a token and the space before it.
type item struct {
	text  string
	kind  syntax.TokenKind
	space bool
}

// line is a line of the file.
type line struct {
	items       []item
	comment     string
	blank       bool   // an empty line precedes it
	continued   bool   // it continues the statement of the previous line
	opens       bool   // its statement ends with an opening brace
	row         bool   // a row of a test's table, or its header
	list        bool   // inside the braces of a list of faces or colours
	depth       int    // nesting depth of braces at its beginning
	closers     int    // closing braces at its beginning
	declaration string // keyword of its declaration
	indent      int

	body string // its tokens as printed, without clause ids at the end
	ids  string
}

// bare reports whether the line has only a comment.
func (l *line) bare() bool { return len(l.items) == 0 }

// word is the n-th token.
func (l *line) word(n int) string {
	if n >= len(l.items) {
		return ""
	}
	return l.items[n].text
}

// lists are the declarations whose braces hold no statements.
var lists = []string{"dice", "seats", "teams"}

// split cuts the tokens into lines at the author's line breaks.
func split(tree *syntax.File) []*line {
	tokens := withoutSpareSemicolons(tree.Tokens())
	text := tree.Source.Text()
	s := &spacer{begins: true}
	var lines []*line
	var current *line
	end := len(text) - len(strings.TrimPrefix(text, "\uFEFF"))
	within := false // inside a statement
	for i, t := range tokens {
		if t.Kind == syntax.TokenLineEnd {
			s.begins, s.glue, within = true, false, false
			continue
		}
		breaks := strings.Count(text[end:t.Start], "\n")
		end = t.Start + len(t.Text)
		if current == nil || breaks > 0 {
			current = &line{blank: breaks > 1 && len(lines) > 0, depth: s.depth, continued: within}
			lines = append(lines, current)
		}
		if t.Kind == syntax.TokenComment {
			current.comment = t.Text
			continue
		}
		if len(current.items) == 0 {
			current.opens = opensBlock(tokens[i:])
			current.list = s.depth > 0 && slices.Contains(lists, s.declaration)
			current.continued = within
		}
		within = true
		space := s.next(t)
		if t.Text == "}" && t.Kind == syntax.TokenMark && !slices.ContainsFunc(current.items, func(x item) bool { return x.text != "}" }) {
			current.closers++
		}
		current.declaration = s.declaration
		current.items = append(current.items, item{tidy(t), t.Kind, space && len(current.items) > 0})
	}
	return lines
}

// testLines are the first words of the lines of a test after its table.
var testLines = slices.DeleteFunc(syntax.Starters("test", false), func(word string) bool { return word == "cases" })

// markRows marks the rows of the tables of tests.
func markRows(lines []*line) {
	within := false
	for _, l := range lines {
		switch {
		case l.bare():
			continue
		case l.depth != 1 || l.declaration != "test" || l.closers > 0 || slices.Contains(testLines, l.word(0)):
			within = false
		case l.word(0) == "cases":
			within = true
		}
		l.row = within
	}
}

// withoutSpareSemicolons drops semicolons that do not separate two statements on a line.
func withoutSpareSemicolons(tokens []syntax.Token) []syntax.Token {
	var out []syntax.Token
	for i, t := range tokens {
		if t.Kind == syntax.TokenMark && t.Text == ";" {
			next := syntax.Token{Kind: syntax.TokenLineEnd}
			for _, n := range tokens[i+1:] {
				if n.Kind != syntax.TokenComment {
					next = n
					break
				}
			}
			if next.Kind == syntax.TokenLineEnd || next.Kind == syntax.TokenMark && (next.Text == "}" || next.Text == ";") {
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// opensBlock reports whether the statement that begins with tokens ends with an opening brace.
func opensBlock(tokens []syntax.Token) bool {
	last := ""
	for _, t := range tokens {
		if t.Kind == syntax.TokenLineEnd {
			break
		}
		if t.Kind != syntax.TokenComment {
			last = t.Text
		}
	}
	return last == "{"
}

// indent sets the indentation of each line and keeps single empty lines.
func indent(lines []*line) {
	for i, l := range lines {
		if l.bare() {
			continue
		}
		level := l.depth - l.closers
		if l.continued && !l.list && l.closers == 0 {
			switch first := l.items[0].text; {
			case first == ")" || first == "]":
			case l.opens:
				level += 2
			default:
				level++
			}
		}
		l.indent = 2 * max(0, level)
		// A comment has the indentation of the next line; before a closing brace, that of the block.
		for j := i - 1; j >= 0 && lines[j].bare(); j-- {
			lines[j].indent = l.indent
			if l.closers > 0 {
				lines[j].indent = 2 * l.depth
			}
		}
	}
	for i, l := range lines {
		if i == 0 || l.closers > 0 || lines[i-1].endsOpen() {
			l.blank = false
		}
	}
}

func (l *line) endsOpen() bool { return len(l.items) > 0 && l.items[len(l.items)-1].text == "{" }

// write joins the lines.
func write(lines []*line) string {
	var b strings.Builder
	for _, l := range lines {
		if l.blank {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(strings.Repeat(" ", l.indent)+l.body+l.ids+l.comment, " ") + "\n")
	}
	return b.String()
}

// render prints items in order.
func render(items []item) string {
	var b strings.Builder
	for i, x := range items {
		if x.space && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(x.text)
	}
	return b.String()
}

func width(s string) int { return utf8.RuneCountInString(s) }
