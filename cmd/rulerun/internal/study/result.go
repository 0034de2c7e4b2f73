// Package study writes the results of studies of a game.
//
// Each study has one function that makes a Result: a typed table of measures, with texts and drawings. Text, JSON,
// CSV, figures and pages are renderers of a Result. The package plays nothing and reads nothing; package stats
// counts.
//
// Note: the same counts must give the same bytes on any machine, so a Result contains a
// duration only if the caller provides it.
package study

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
)

// Result is the result of a study, independent of the output format.
type Result struct {
	Locale   *locale.Locale // of the page; nil for English
	Title    string         // of the figure and the page
	Head     []string       // the first lines of the text
	Lead     []string       // sentences at the beginning of the figure and the page
	Found    []string       // further sentences of the figure; the page has them in a section
	Sections []Section      // of the text and the page
	Facts    []Fact         // of the page: what was played
	Small    []string       // small print of the figure
	Again    string         // the command line to repeat the study, or ""; the caller sets it
	Parts    []picture.Part // of the figure
	Data     Table          // CSV
	Object   object.Fields  // JSON
}

// In says in which outputs a section appears.
type In uint8

// The forms of a section; the zero value is both.
const (
	inBoth In = iota
	inText
	inPage
)

// Section is a list, a table or lines under a title.
type Section struct {
	In    In
	Title string // "" for none
	Items []string
	Flat  bool // the text does not indent the items
	Table *grid
	Least int      // the minimum width of the first column, in the text
	Again int      // number of columns to repeat if the table is split
	Lines []string // of the text, after the table
	Note  string   // of the page, after the table
}

// Fact is a parameter of the games played.
type Fact struct{ Name, Value string }

// Text writes the result for people, for a screen of a width in columns; 0 means no limit.
func (r *Result) Text(w io.Writer, columns int) error {
	var b strings.Builder
	line := func(text string) { b.WriteString(phrase.Fold(text, columns, "  ") + "\n") }
	for _, text := range r.Head {
		b.WriteString(text + "\n")
	}
	for _, s := range r.Sections {
		if s.In == inPage || len(s.Items) == 0 && s.Table == nil && len(s.Lines) == 0 {
			continue
		}
		b.WriteString("\n")
		if s.Title != "" {
			b.WriteString(s.Title + "\n")
		}
		for _, item := range s.Items {
			if !s.Flat {
				item = "  " + item
			}
			line(item)
		}
		if s.Table != nil {
			width := columns
			if s.Again == 0 {
				width = 0
			}
			for j, part := range s.Table.fit(width, s.Again) {
				if j > 0 {
					b.WriteString("\n")
				}
				part.write(&b, s.Least)
			}
		}
		for _, text := range s.Lines {
			line(text)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// JSON writes the result for programs: rulerun schema describes it.
func (r *Result) JSON(w io.Writer) error { return object.Line(w, r.Object) }

// CSV writes the table of the result for programs.
func (r *Result) CSV(w io.Writer) error { return r.Data.writeCSV(w) }

// Figure draws the result.
func (r *Result) Figure() *picture.Figure {
	f := &picture.Figure{Title: r.Title, Words: append(r.Lead[:len(r.Lead):len(r.Lead)], r.Found...), Small: r.Small, Parts: r.Parts}
	if r.Again != "" {
		f.Small = append(f.Small[:len(f.Small):len(f.Small)], r.Again)
	}
	return f
}

//go:embed page.html
var pageText string

// Page writes the result as a self-contained page for a browser.
func (r *Result) Page(w io.Writer) error {
	var svg bytes.Buffer
	if len(r.Parts) > 0 {
		if err := picture.Inline(&svg, r.Figure()); err != nil {
			return err
		}
	}
	l := cmp.Or(r.Locale, locale.For(""))
	page := template.Must(template.New("page").Funcs(template.FuncMap{
		"capital": phrase.Capital, "minus": minus, "css": func(text string) template.CSS { return template.CSS(text) },
	}).Parse(pageText))
	return page.Execute(w, struct {
		*Result
		Lang        string
		Say         func(key string, args ...any) string
		Picture     template.HTML
		Light, Dark *picture.Theme
	}{r, cmp.Or(l.Lang, "en"), l.Say, template.HTML(svg.String()), picture.Light(), picture.Dark()})
}

// pageWide is how many characters of a table fit beside one another on a page.
const pageWide = 86

// Tables is the table as the page has it: in parts if it is wide.
func (s *Section) Tables() []*grid {
	if s.Again == 0 {
		return []*grid{s.Table}
	}
	return s.Table.fit(pageWide, s.Again)
}

// OnPage reports whether a section appears on the page.
func (s *Section) OnPage() bool { return s.In != inText }

// minus replaces hyphens at the beginning of a number or between words by minus signs.
func minus(text string) string {
	out := []rune(text)
	for i, r := range out {
		if r == '-' && i+1 < len(out) && (unicode.IsDigit(out[i+1]) || out[i+1] == ' ') && (i == 0 || out[i-1] == ' ') {
			out[i] = '−'
		}
	}
	return string(out)
}
