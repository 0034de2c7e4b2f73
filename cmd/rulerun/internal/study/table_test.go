package study

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
)

// sample is a result with a cell of every kind.
func sample() *Result {
	r := &Result{
		Title: "A <study>", Head: []string{"sample: 1 234 games"}, Lead: []string{"It is so."}, Found: []string{"And so."}, Again: "rulerun sample",
		Facts: []Fact{{"seed", "1"}}, Small: []string{"small print"}, Object: object.Fields{{"kind", "sample"}},
	}
	t := &r.Data
	t.Columns = append(columns("name", "n", "share", "low", "high"), Column{Name: "words", Hidden: true})
	t.add(words("a,b"), count(1234567), number(0.25, unitShare), number(-0.1, unitPoints), number(0.5, unitPoints), words("a and b"))
	t.add(words("c"), Cell{}, number(1.0/3, unitShare), number(math.Inf(-1), unitPoints), number(math.Inf(1), unitPoints), words("c"))
	first := func(row int) bool { return row == 0 }
	r.Sections = []Section{
		{Title: "findings", Items: []string{"one", "two"}},
		{Title: "nothing"},
		{Title: "shares", Table: t.view(first, shown{"", "words", ""}, shown{"share", "share", ""}, shown{"95 % interval", "low", "high"}), Note: "A note."},
		{In: inText, Lines: []string{"for the text"}},
		{In: inPage, Title: "for the page", Items: []string{"three"}},
	}
	return r
}

// TestForms wants each form to show what it is for: programs all numbers as they are, people words and units.
func TestForms(t *testing.T) {
	r := sample()
	var text, csv, page, json bytes.Buffer
	for _, err := range []error{r.Text(&text, 0), r.CSV(&csv), r.Page(&page), r.JSON(&json)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	wantText := `sample: 1 234 games

findings
  one
  two

shares
            share  95 % interval
  a and b  25.0 %  -10.0 to 50.0

for the text
`
	if diff := cmp.Diff(wantText, text.String()); diff != "" {
		t.Error("text", diff)
	}
	wantCSV := "name,n,share,low,high\n\"a,b\",1234567,0.25,-0.1,0.5\nc,,0.3333333333333333,,\n"
	if diff := cmp.Diff(wantCSV, csv.String()); diff != "" {
		t.Error("CSV", diff)
	}
	if json.String() != `{"kind":"sample"}`+"\n" {
		t.Errorf("JSON: %s", json.String())
	}
	for _, want := range []string{"<h1>A &lt;study&gt;</h1>", "<li>Three</li>", "<td>−10.0 to 50.0</td>", "<dd>1</dd>", "<pre>rulerun sample</pre>", "A note."} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, not := range []string{"for the text", "Nothing"} {
		if strings.Contains(page.String(), not) {
			t.Errorf("the page has %q", not)
		}
	}
	f := r.Figure()
	if diff := cmp.Diff([]string{"It is so.", "And so."}, f.Words); diff != "" {
		t.Error("figure", diff)
	}
	if diff := cmp.Diff([]string{"small print", "rulerun sample"}, f.Small); diff != "" {
		t.Error("figure", diff)
	}
}

// TestMinus wants minus signs before numbers and between words, and hyphens inside words.
func TestMinus(t *testing.T) {
	for text, want := range map[string]string{
		"-1.5": "−1.5", "-1 to -0.5": "−1 to −0.5", "B - A": "B − A", "-": "-", "well-known": "well-known", "a-1": "a-1", "+3": "+3",
	} {
		if got := minus(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestUnits wants each unit as people read it.
func TestUnits(t *testing.T) {
	for _, x := range []struct {
		cell          Cell
		people, exact string
	}{
		{number(12.3456, unitMean), "12.35", "12.3456"},
		{number(math.Inf(1), unitMean), "∞", ""},
		{count(20), "20", "20"},
		{number(0.125, unitShare), "12.5 %", "0.125"},
		{number(0.125, unitPoints), "12.5", "0.125"},
		{number(875, unitPart), "87.5 %", "875"},
		{number(231.4, unitElo), "+231", "231.4"},
		{number(-231.4, unitElo), "-231", "-231.4"},
		{number(0.456, unitSkill), "0.46", "0.456"},
		{truth(true), "true", "true"},
		{Cell{}, "", ""},
	} {
		if got := x.cell.people(); got != x.people {
			t.Errorf("people read %q, want %q", got, x.people)
		}
		if got := x.cell.exact(); got != x.exact {
			t.Errorf("programs read %q, want %q", got, x.exact)
		}
	}
}

// TestWidePage splits a wide table of a page, with the first columns in each part.
func TestWidePage(t *testing.T) {
	g := &grid{}
	for range 2 {
		var row []string
		for i := range 40 {
			row = append(row, "column"+strings.Repeat("i", i%3))
		}
		g.add(row...)
	}
	s := Section{Table: g, Again: 2}
	parts := s.Tables()
	if len(parts) < 3 || len(parts[1].Head()) < 3 || parts[1].Head()[1] != g.Head()[1] {
		t.Errorf("%d parts, %q", len(parts), parts[len(parts)-1].Head())
	}
	if s.Again = 0; len(s.Tables()) != 1 {
		t.Error("a table without columns to repeat is split")
	}
}

// TestNumberedRows splits a table whose repeated columns are wide: the other parts have the numbers of the rows.
func TestNumberedRows(t *testing.T) {
	g := &grid{}
	g.add("a long option", "another option", "throws", "edge", "decisions")
	g.add("yes", "no", "10", "1", "5")
	g.add("no", "no", "20", "2", "6")
	var got []string
	for _, part := range g.fit(38, 2) {
		for _, row := range part.rows {
			got = append(got, strings.Join(row, "|"))
		}
	}
	want := []string{"row|a long option|another option", "1|yes|no", "2|no|no", "row|throws|edge|decisions", "1|10|1|5", "2|20|2|6"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if parts := g.fit(100, 2); len(parts) != 1 || len(parts[0].rows[0]) != 5 {
		t.Errorf("a table that fits has %d parts", len(parts))
	}
}
