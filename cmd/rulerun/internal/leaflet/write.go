package leaflet

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"svg":   func(s string) template.HTML { return template.HTML(s) }, // drawings of package scene, which escapes texts
	"cites": func(list []string) string { return strings.Join(list, " ") },
	"code":  quoted,
}).Parse(pageText))

// quoted is a text with what stands in back quotes as code.
func quoted(s string) template.HTML {
	parts := strings.Split(template.HTMLEscapeString(s), "`")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "<code>" + parts[i] + "</code>"
	}
	return template.HTML(strings.Join(parts, ""))
}

// HTML writes the sheet as a page that needs nothing else.
func (s *Sheet) HTML(w io.Writer) error { return page.Execute(w, s) }

// Say is a text of the sheet, for its template.
func (s *Sheet) Say(key string, args ...any) string { return s.text.Say(key, args...) }

// Drawing is the board.
func (s *Sheet) Drawing() string { return boardSVG(s.Board) }

// Legend explains the signs of the board.
func (s *Sheet) Legend() []string { return s.Board.Legend() }

// Whole reports whether the sheet is of a whole rule book.
func (s *Sheet) Whole() bool { return s.Subtitle == "" }

// Pictures reports whether the sheet has examples, which need the drawing of the board.
func (s *Sheet) Pictures() bool {
	for _, x := range s.Sections {
		if len(x.Examples) > 0 {
			return true
		}
		for _, e := range x.Entries {
			if e.Example != nil {
				return true
			}
		}
	}
	return false
}

// Markdown writes the sheet for a repository: the board and positions in text.
func (s *Sheet) Markdown(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(wrap(fmt.Sprintf(format, args...)) + "\n") }
	line("# %s\n", s.Title)
	facts := func(list []Fact) {
		for _, f := range list {
			text := f.Text
			if f.Changed {
				text = "**" + text + "**"
			}
			line("- %s: %s", f.Term, text)
		}
		if len(list) > 0 {
			line("")
		}
	}
	if s.Whole() {
		line("## %s\n", s.Say("leaflet.section.board"))
		line("```text")
		var text strings.Builder
		if err := boards.Text(&text, s.Board, nil, boards.TextOptions{}); err != nil {
			return err
		}
		for l := range strings.Lines(strings.TrimRight(text.String(), "\n")) {
			b.WriteString(strings.TrimRight(l, " \n") + "\n")
		}
		line("```\n")
		facts(s.Names)
		line("## %s\n", s.Say("leaflet.section.things"))
	} else {
		line("%s\n", s.Subtitle)
	}
	facts(s.Facts)
	for _, x := range s.Sections {
		line("## %s\n", x.Title)
		for i, l := range x.Lines {
			if len(x.Lines) > 1 {
				l = strconv.Itoa(i+1) + ". " + l
			}
			line("%s", l)
		}
		if len(x.Lines) > 0 {
			line("")
		}
		s.written(line, x.Written, "")
		for _, e := range x.Examples {
			s.example(line, e)
		}
		for _, e := range x.Entries {
			s.entry(line, &e)
		}
	}
	line("%s", s.Say("leaflet.foot", "name", s.Title))
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

// columns is how long lines of Markdown are.
const columns = 100

var (
	indent = regexp.MustCompile(`^(> )?( *(?:- |\d+\. )?)`)
	sign   = regexp.MustCompile(`^(?:[-+*>#]|\d+[.)])`) // what would begin something else if a line began with it
)

// wrap breaks a paragraph or an item of a list into lines.
func wrap(text string) string {
	end := ""
	for strings.HasSuffix(text, "\n") {
		text, end = text[:len(text)-1], end+"\n"
	}
	m := indent.FindStringSubmatch(text)
	if strings.HasPrefix(text, "#") {
		return text + end
	}
	hang := "\n" + m[1] + strings.Repeat(" ", len(m[2]))
	out, width := m[0], len(m[0])
	for i, word := range strings.Fields(text[len(m[0]):]) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+n > columns && !sign.MatchString(word):
			out += hang
			width = len(hang) - 1
		default:
			out += " "
			width++
		}
		out += word
		width += n
	}
	return out + end
}

type printLine = func(format string, args ...any)

func (s *Sheet) written(line printLine, list []Written, indent string) {
	for _, c := range list {
		line("%s- %s <sub>%s</sub>", indent, c.Text, c.ID)
		if c.Settled != "" {
			line("%s  *%s* %s", indent, s.Say("leaflet.settled"), c.Settled)
		}
		for _, f := range c.Now {
			line("%s  *%s* %s: **%s**", indent, s.Say("leaflet.now"), f.Term, f.Text)
		}
	}
	if len(list) > 0 {
		line("")
	}
}

func (s *Sheet) entry(line printLine, e *Entry) {
	head := "**" + e.Words + "**"
	switch e.Mark {
	case Same:
	case Gone:
		head = "~~" + e.Words + "~~"
	default:
		head += " *(" + s.Say("leaflet.mark."+string(e.Mark)) + ")*"
	}
	if len(e.Cites) > 0 {
		head += " <sub>" + strings.Join(e.Cites, " ") + "</sub>"
	}
	line("%s\n", head)
	if e.Was != "" {
		line("~~%s~~\n", e.Was)
	}
	for _, f := range e.Facts {
		text := f.Text
		if f.Changed {
			text = "**" + text + "**"
		}
		line("- %s: %s", f.Term, text)
	}
	if len(e.Facts) > 0 && len(e.Written) == 0 {
		line("")
	}
	s.written(line, e.Written, "")
	if e.Example != nil {
		s.example(line, e.Example)
	}
}

func (s *Sheet) example(line printLine, x *Example) {
	title := s.Say("leaflet.example")
	if x.Title != "" {
		title += ": " + x.Title
	}
	line("> *%s*", title)
	line(">")
	line("> - %s: %s", s.Say("leaflet.before"), x.Before.Pieces)
	for _, t := range x.Steps {
		sign := ""
		if t.Refused {
			sign = "✗ "
		}
		line("> - %s%s", sign, t.Text)
	}
	if x.After != nil {
		line("> - %s: %s", s.Say("leaflet.after"), x.After.Pieces)
	}
	line("")
}

// With is an example of the sheet, for its template.
func (s *Sheet) With(x *Example) any {
	return struct {
		S *Sheet
		X *Example
	}{s, x}
}
