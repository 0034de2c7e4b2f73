package study

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/interpreter/stats"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// pageData is what a page is made from. Lists and tables without entries are left out.
type pageData struct {
	Title       string
	Lead        []string
	Lists       []pageList
	Picture     template.HTML
	Tables      []pageTable
	Played      []pageFact
	Again       string
	Light, Dark []pageColour
}

type pageList struct {
	Title string
	Items []string
}

type pageTable struct {
	Title string
	Head  []string
	Rows  [][]string
	Note  string
}

type pageFact struct{ Name, Value string }

type pageColour struct{ Name, Value template.CSS }

// write fills the page in: one file that needs no other.
func (d *pageData) write(w io.Writer, f *picture.Figure) error {
	colours := func(t *picture.Theme) []pageColour {
		var out []pageColour
		for _, v := range t.Variables() {
			out = append(out, pageColour{template.CSS(v.Name), template.CSS(v.Value)})
		}
		return out
	}
	d.Light, d.Dark = colours(picture.Light()), colours(picture.Dark())
	if len(f.Parts) > 0 {
		var svg bytes.Buffer
		if err := picture.Inline(&svg, f); err != nil {
			return err
		}
		d.Picture = template.HTML(svg.String())
	}
	return page.Execute(w, d)
}

// TallyPage writes a tally as a page for a browser.
func TallyPage(w io.Writer, t *stats.Tally, again string) error {
	f := TallyFigure(t, again)
	d := &pageData{Title: f.Title, Lead: f.Words, Again: again, Played: factsOf(&t.Subject, "")}
	d.Played = append(d.Played, pageFact{"games", Thousands(float64(t.Games()))}, pageFact{"seed", strconv.FormatUint(t.Subject.Seed, 10)},
		pageFact{"beginning", beginning(&t.Subject)})
	if t.Games() > 0 {
		d.Tables = tallyTables(t)
	}
	return d.write(w, f)
}

func tallyTables(t *stats.Tally) []pageTable {
	lengthTable := pageTable{
		Title: "A game", Head: distributionHead,
		Note: "± is one standard error of the mean; it takes it that " + seen + ". 5 % of the games have no more than the column says.",
	}
	for _, x := range lengths(t) {
		if shown(t, x.of) {
			lengthTable.Rows = append(lengthTable.Rows, distribution(x.words, x.of.Mean(), x.of))
		}
	}
	out := []pageTable{lengthTable}
	for _, g := range groups(t) {
		table := pageTable{Title: capital(g.title) + ", in a game", Head: []string{"", "mean", "±"}}
		for i, name := range g.names {
			m := g.sums[i].Over(t.Games())
			if g.sums[i].Total() == 0 {
				continue
			}
			table.Rows = append(table.Rows, []string{name, Number(m.Mean), Number(m.SE)})
		}
		out = append(out, table)
	}
	counted := pageTable{Title: "Counts, in a game", Head: distributionHead}
	for i := range t.Counts {
		counted.Rows = append(counted.Rows, distribution(countName(t, i), t.Counts[i].Sum.Over(t.Games()), &t.Counts[i].Histogram))
	}
	return append(out, counted)
}

// factsOf are the parameters of what was played.
func factsOf(s *stats.Subject, before string) []pageFact {
	facts := []pageFact{
		{before + "rule book", fmt.Sprintf("%s (%s)", s.Title, s.Ruleset)},
		{before + "players", fmt.Sprintf("%d, %s", s.Players, byWhom(s.Seats))},
	}
	if len(s.Changes) > 0 {
		facts = append(facts, pageFact{before + "house rules", strings.Join(s.Changes, ", ")})
	}
	var options []string
	for _, o := range s.Options {
		options = append(options, o.Name+"="+o.Value)
	}
	if len(options) > 0 {
		facts = append(facts, pageFact{before + "options", strings.Join(options, ", ")})
	}
	return append(facts, pageFact{before + "print of the rules", s.Rules})
}

// beginning says who begins.
func beginning(s *stats.Subject) string {
	switch {
	case s.Players == 1:
		return "alone"
	case s.Starter == "thrown":
		return "the rules say who begins"
	case s.Rotate:
		return "the seats take turns in beginning"
	}
	return s.Starter + " begins"
}

// ComparePage writes a comparison as a page for a browser. a and b are tallies of games of either, or nil.
func ComparePage(w io.Writer, c *stats.Comparison, a, b *stats.Tally, again string) error {
	f := CompareFigure(c, a, b, again)
	found := FindingsOf(c)
	d := &pageData{
		Title: f.Title, Lead: f.Words, Again: again,
		Lists: []pageList{{"From A to B", sentences(found.Found)}, {"Not known yet", sentences(found.Open)}, {"No difference that matters", sentences(found.Same)},
			{"Too rare to say", sentences(TooRare(c))}},
	}
	d.Played = append(factsOf(&c.A, "A: "), factsOf(&c.B, "B: ")...)
	d.Played = append(d.Played, pageFact{"games", fmt.Sprintf("%s of each, the same chance for both, the seats take turns in beginning", Thousands(float64(c.Games)))},
		pageFact{"seed", strconv.FormatUint(c.A.Seed, 10)}, pageFact{"end", ending(c)})
	if c.Games > 0 {
		d.Tables = []pageTable{differenceTable(c)}
	}
	return d.write(w, f)
}

func sentences(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = capital(s)
	}
	return out
}

func differenceTable(c *stats.Comparison) pageTable {
	t := pageTable{
		Title: "Numbers", Head: []string{"", "A", "B", "B − A", "95% interval", "up to"},
		Note: "Last change of the lead: after which part of a game. Of shares B − A is in points. " +
			"Up to: what is more in a game counts as this, as a trial of other games has it. All intervals hold together, at every look, with a probability of 95 %.",
	}
	minus := func(text string) string { return strings.Replace(text, "-", "−", 1) }
	for _, r := range comparedRows(c) {
		t.Rows = append(t.Rows, []string{nameOf(r.d), r.a, r.b, minus(r.difference), minus(r.low) + " to " + minus(r.high), minus(upTo(r.d))})
	}
	return t
}
