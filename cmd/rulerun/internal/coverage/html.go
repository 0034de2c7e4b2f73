package coverage

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/cover"
)

//go:embed page.html
var pageText string

// pageData is the input of the template.
type pageData struct {
	Version string
	Tests   []pageTest
	Files   []pageFile
	All     cover.Count
	Passed  int
	Marks   []*pageMark // the details of each mark for scripts, by index
}

type pageTest struct {
	Name  string   `json:"name"`
	Where string   `json:"where"`
	Href  string   `json:"href,omitempty"` // its line on the page, "" where the file is not on it
	Cites []string `json:"cites,omitempty"`
	Fails bool     `json:"fails,omitempty"`
}

type pageFile struct {
	ID    string
	Name  string
	Title string
	All   cover.Count
	Bars  []pageBar
	Gaps  []pageGaps
	Lines []pageLine
	IDs   []pageID
}

type pageBar struct {
	Name  string
	Count cover.Count
}

// pageGaps are the gaps of one declaration.
type pageGaps struct {
	Title, Words string
	Count        cover.Count
	Gaps         []pageGap
}

type pageGap struct {
	Line                  int
	Href                  string
	Missing, Text, Advice string
}

type pageLine struct {
	Number int
	ID     string
	HTML   template.HTML
	Status string // "full", "half", "none" or ""
	cover.Count
	Test bool
}

// pageID is a clause of the written rule book.
type pageID struct {
	ID, Text string
	Tests    []int
}

// pageMark is a range of the text with its points.
type pageMark struct {
	start, end int
	status     string
	Title      string    `json:"title"`
	Text       string    `json:"text"`
	Rows       []pageRow `json:"rows"`
}

type pageRow struct {
	Label   string `json:"label"`
	Tests   []int  `json:"tests"`
	Missing string `json:"missing,omitempty"`
	Advice  string `json:"advice,omitempty"`
}

// WriteHTML writes a self-contained page that shows each file with a mark on every point.
func (s *Sheet) WriteHTML(w io.Writer) error {
	passed := seq.Count(s.Tests, func(t cover.Test) bool { return t.Passed })
	d := &pageData{Version: s.Version, All: s.Count(), Passed: passed, Marks: []*pageMark{}}
	ids := map[string]string{}
	for i, f := range s.Files {
		ids[f.Source.Name()] = fmt.Sprintf("f%d", i+1)
	}
	for _, t := range s.Tests {
		p := pageTest{Name: t.Name, Where: fmt.Sprintf("%s:%d", t.File, t.Line), Cites: t.Cites, Fails: !t.Passed}
		if id := ids[t.File]; id != "" {
			p.Href = fmt.Sprintf("#%s-%d", id, t.Line)
		}
		d.Tests = append(d.Tests, p)
	}
	d.Files = seq.Map(s.Files, func(f *cover.File) pageFile { return d.file(f, ids[f.Source.Name()]) })
	return template.Must(template.New("page").Parse(pageText)).Execute(w, d)
}

func (d *pageData) file(f *cover.File, id string) pageFile {
	out := pageFile{ID: id, Name: f.Source.Name(), Title: f.Title, All: f.All}
	for _, k := range cover.Kinds() {
		if n := f.ByKind[k]; n.Total > 0 {
			out.Bars = append(out.Bars, pageBar{kindWords[k], n})
		}
	}
	for _, l := range byGroup(f) {
		g := pageGaps{Title: l.group.Title(), Words: l.group.Words, Count: l.group.Count()}
		for _, p := range l.gaps {
			gap := pageGap{Missing: p.Missing, Advice: p.Advice, Text: strings.TrimPrefix(excerpt(p), ": ")}
			if p.Span.File == f.Source && p.Span.Start < p.Span.End {
				gap.Line = p.Span.Position().Line
				gap.Href = fmt.Sprintf("#%s-%d", id, gap.Line)
			}
			g.Gaps = append(g.Gaps, gap)
		}
		out.Gaps = append(out.Gaps, g)
	}
	var marks []*pageMark
	for i := range f.Groups {
		g := &f.Groups[i]
		for j := range g.Points {
			p := &g.Points[j]
			if p.Kind == cover.IDs {
				out.IDs = append(out.IDs, pageID{p.What, p.Advice, p.Tests})
				continue
			}
			marks = addPoint(marks, g, p)
		}
	}
	trim(f.Source, marks)
	first := len(d.Marks)
	d.Marks = append(d.Marks, marks...)
	out.Lines = lines(f.Source, marks, first, id)
	return out
}

// addPoint adds a point to the mark of its range.
func addPoint(marks []*pageMark, g *cover.Group, p *cover.Point) []*pageMark {
	i := slices.IndexFunc(marks, func(m *pageMark) bool { return m.start == p.Span.Start && m.end == p.Span.End })
	if i < 0 {
		i = len(marks)
		marks = append(marks, &pageMark{start: p.Span.Start, end: p.Span.End, Title: markTitles[p.Kind] + " " + g.Title(), Text: short(p.Span.Text())})
	}
	m := marks[i]
	m.Rows = append(m.Rows, pageRow{Label: cmp.Or(p.What, rowLabels[p.Kind]), Tests: append([]int{}, p.Tests...), Missing: p.Missing, Advice: p.Advice})
	slices.SortStableFunc(m.Rows, func(a, b pageRow) int { return cmp.Compare(min(1, len(b.Missing)), min(1, len(a.Missing))) })
	m.status = status(m.count())
	return marks
}

// status is the class of a range of the text on the page.
func status(n cover.Count) string {
	switch n.Covered {
	case n.Total:
		return "full"
	case 0:
		return "none"
	}
	return "half"
}

var markTitles = map[cover.Kind]string{
	cover.Clauses: "Clause of", cover.Conditions: "Condition in", cover.Statements: "Statement in", cover.Names: "Name:",
	cover.Values: "Values of", cover.Players: "Number of",
}

var rowLabels = map[cover.Kind]string{cover.Clauses: "took effect", cover.Statements: "carried out", cover.Names: "used"}

// trim ends each mark where the first inner mark, its block or the next line begins: the mark of a clause covers its
// head.
func trim(f *source.File, marks []*pageMark) {
	slices.SortStableFunc(marks, func(a, b *pageMark) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	for _, m := range marks {
		if strings.HasPrefix(m.Title, markTitles[cover.Conditions]) {
			continue
		}
		text := f.Text()[m.start:m.end]
		if i := strings.IndexAny(text, "{\n"); i > 0 {
			text = text[:i]
		}
		for _, inner := range marks {
			if inner.start > m.start && inner.start < m.start+len(text) {
				text = text[:inner.start-m.start]
			}
		}
		if i := strings.Index(text, " ["); i > 0 { // clause ids
			text = text[:i]
		}
		text = strings.TrimRight(text, " \t(!")
		text = strings.TrimRight(strings.TrimSuffix(text, " when"), " \t:=")
		m.end = m.start + len(text)
	}
}

// lines splits a file into lines with their marks.
func lines(f *source.File, marks []*pageMark, first int, id string) []pageLine {
	var out []pageLine
	test := false
	shown := map[*pageMark]bool{}
	for n := 1; n <= f.LineCount(); n++ {
		text, start := f.Line(n), f.LineStart(n)
		if n == f.LineCount() && text == "" {
			break
		}
		l := pageLine{Number: n, ID: fmt.Sprintf("%s-%d", id, n)}
		test = test && text != "" || strings.HasPrefix(text, "test ")
		l.Test = test
		if strings.HasPrefix(text, "}") {
			test = false
		}
		cuts := []int{start, start + len(text)}
		for _, m := range marks {
			if m.start >= start+len(text) || m.end <= start {
				continue
			}
			cuts = append(cuts, max(m.start, start), min(m.end, start+len(text)))
			if m.start >= start {
				n := m.count()
				l.Total += n.Total
				l.Covered += n.Covered
				l.Status = status(l.Count)
			}
		}
		cuts = slices.Compact(slices.Sorted(slices.Values(cuts)))
		var b strings.Builder
		for i := 1; i < len(cuts); i++ {
			b.WriteString(segment(f.Text()[cuts[i-1]:cuts[i]], cuts[i-1], cuts[i], marks, first, shown))
		}
		l.HTML = template.HTML(b.String())
		out = append(out, l)
	}
	return out
}

// segment is a part of a line that is inside the same marks throughout; the innermost one is visible. The first
// segment of a mark can be reached with the keyboard.
func segment(text string, start, end int, marks []*pageMark, first int, shown map[*pageMark]bool) string {
	inner := -1
	for i, m := range marks {
		if m.start <= start && end <= m.end && (inner < 0 || m.end-m.start <= marks[inner].end-marks[inner].start) {
			inner = i
		}
	}
	escaped := html.EscapeString(text)
	if inner < 0 {
		if i := strings.Index(text, "//"); i >= 0 {
			return html.EscapeString(text[:i]) + `<span class="note">` + html.EscapeString(text[i:]) + `</span>`
		}
		return escaped
	}
	m := marks[inner]
	focus := ""
	if !shown[m] {
		shown[m] = true
		focus = ` tabindex="0" role="button"`
	}
	return fmt.Sprintf(`<span class="m %s" data-m="%d"%s title="%s">%s</span>`, m.status, first+inner, focus, html.EscapeString(m.tip()), escaped)
}

func (m *pageMark) count() cover.Count {
	return cover.Count{Total: len(m.Rows), Covered: seq.Count(m.Rows, func(r pageRow) bool { return r.Missing == "" })}
}

// tip describes a mark in a few words.
func (m *pageMark) tip() string {
	var words []string
	for _, r := range m.Rows {
		if r.Missing != "" {
			if !slices.Contains(words, r.Missing) {
				words = append(words, r.Missing)
			}
			continue
		}
		words = append(words, fmt.Sprintf("%s: %s", r.Label, diag.Plural(len(r.Tests), "test")))
	}
	return strings.Join(words, "; ")
}
