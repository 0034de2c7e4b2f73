package leaflet

import (
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"
	markdown "text/template"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/pattern"
)

//go:embed page.html
var pageText string

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"svg":   func(s string) template.HTML { return template.HTML(s) }, // drawings of package scene, which escapes texts
		"cites": func(list []string) string { return strings.Join(list, " ") },
		"code":  quoted,
	}).Parse(pageText))
})

// quoted is a text with what stands in back quotes as code.
func quoted(s string) template.HTML {
	parts := strings.Split(template.HTMLEscapeString(s), "`")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "<code>" + parts[i] + "</code>"
	}
	return template.HTML(strings.Join(parts, ""))
}

// HTML writes the sheet as a page that needs nothing else.
func (s *Sheet) HTML(w io.Writer) error { return page().Execute(w, s) }

// Say is a text of the sheet, for its template.
func (s *Sheet) Say(key string, args ...any) string { return s.text.Say(key, args...) }

// Drawing is the board.
func (s *Sheet) Drawing() string { return boardSVG(s.Board) }

// Whole reports whether the sheet is of a whole rule book.
func (s *Sheet) Whole() bool { return s.Subtitle == "" }

// Pictures reports whether the sheet has examples, which need the drawing of the board.
func (s *Sheet) Pictures() bool {
	return slices.ContainsFunc(s.Sections, func(x Section) bool {
		return len(x.Examples) > 0 || slices.ContainsFunc(x.Entries, func(e Entry) bool { return e.Example != nil })
	})
}

//go:embed sheet.md
var sheetText string

// control matches what is alone on a line of the template and writes nothing: the line is none of the sheet.
var control = pattern.Of(`(?m)^({{(?:define|end|if|else|with|range|template|\$)[^{}]*}})\n`)

// Text is the board as text.
func (s *Sheet) Text() (string, error) {
	var text strings.Builder
	err := boards.Text(&text, s.Board, nil, boards.TextOptions{})
	return strings.TrimRight(text.String(), "\n"), err
}

// Markdown writes the sheet for a repository: the board and positions in text.
func (s *Sheet) Markdown(w io.Writer) error {
	sheet := markdown.Must(markdown.New("sheet").Funcs(markdown.FuncMap{
		"say": s.Say, "join": strings.Join, "number": func(i int) int { return i + 1 },
	}).Parse(control().ReplaceAllString(sheetText, "$1")))
	var text strings.Builder
	if err := sheet.Execute(&text, s); err != nil {
		return err
	}
	var b strings.Builder
	drawing := false
	for line := range strings.Lines(text.String()) {
		line = strings.TrimRight(line, " \n")
		if strings.HasPrefix(line, "```") {
			drawing = !drawing
		} else if !drawing {
			line = wrap(line)
		}
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// columns is how long lines of Markdown are.
const columns = 100

var (
	indent = pattern.Of(`^(> )?( *(?:- |\d+\. )?)`)
	sign   = pattern.Of(`^(?:[-+*>#]|\d+[.)])`) // what would begin something else if a line began with it
)

// wrap breaks a paragraph or an item of a list into lines.
func wrap(text string) string {
	if strings.HasPrefix(text, "#") {
		return text
	}
	m := indent().FindStringSubmatch(text)
	hang := "\n" + m[1] + strings.Repeat(" ", len(m[2]))
	out, width := m[0], len(m[0])
	for i, word := range strings.Fields(text[len(m[0]):]) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+n > columns && !sign().MatchString(word):
			out += hang
			width = len(hang) - 1
		default:
			out += " "
			width++
		}
		out += word
		width += n
	}
	return out
}

// With is an example of the sheet, for its template.
func (s *Sheet) With(x *Example) any {
	return struct {
		S *Sheet
		X *Example
	}{s, x}
}
