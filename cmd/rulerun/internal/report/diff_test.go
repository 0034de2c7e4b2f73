package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/difference"
	"github.com/rulerun/rulerun/dsl/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", name, diff)
	}
}

// everyChange is a difference with everything one can hold.
func everyChange() *Diff {
	file := source.New("house.rules", "rule shelter \"A | B\" {\n}\n")
	at := file.Span(0, 12)
	return &Diff{
		Version: "v1",
		Old:     Side{Name: "base", Title: "The base"},
		New:     Side{Name: "base", Title: "House", Changes: []string{"one", "two"}, Setting: []string{"bonus=5"}},
		Difference: &difference.Difference{
			Changes: []difference.Change{
				{Section: difference.Options, Kind: "option", Name: "bonus", Lines: []difference.Line{{Mark: '-', Text: "default 10"}, {Mark: '+', Text: "default 5"}},
					Numbers: []difference.Number{{Old: 10, New: 5}}, OldWords: "w", NewWords: "w", NewAt: at},
				{Section: difference.Players, Kind: "players", Lines: []difference.Line{{Mark: '-', Text: "players 2..4"}, {Mark: '+', Text: "players 2..6"}}},
				{Section: difference.Board, Kind: "tag", Name: "deep", What: difference.Added, Lines: []difference.Line{{Mark: '+', Text: "12"}}},
				{Section: difference.Rules, Kind: "rule", Name: "shelter", OldWords: "A | B", NewWords: "<b>C</b> @you `x` \n# _d_", OldAt: at, NewAt: at,
					Lines: []difference.Line{{Mark: ' ', Text: "```"}, {Mark: '-', Text: "  when a"}}},
				{Section: difference.Rules, Kind: "rule", Name: "late", Note: "now holds by default"},
				{Section: difference.Rules, Kind: "rule", Name: "gone", What: difference.Gone, OldWords: "Gone", OldAt: at},
				{Section: difference.Rules, Kind: "order", Name: "duties", Lines: []difference.Line{{Mark: '-', Text: "a, b"}, {Mark: '+', Text: "b, a"}}},
			},
			Renamed: []difference.Renamed{{Kind: "rule", Old: "x", New: "y"}, {Kind: "act", Old: "x", New: "y"}},
		},
	}
}

func diffText(t *testing.T, d *Diff, f Format, style Style) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteDiff(&b, f, d, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDiffFormats(t *testing.T) {
	d := everyChange()
	golden(t, "diff.txt", diffText(t, d, Text, Style{}))
	golden(t, "diff.color.txt", diffText(t, d, Text, Style{Color: true}))
	golden(t, "diff.md", diffText(t, d, Markdown, Style{}))
	json := diffText(t, d, JSON, Style{})
	golden(t, "diff.json", json)
	valid(t, Schema("diff"), json)
	none := &Diff{Old: d.Old, New: d.New, Difference: &difference.Difference{}}
	golden(t, "diff-none.md", diffText(t, none, Markdown, Style{}))
	golden(t, "diff-none.txt", diffText(t, none, Text, Style{}))
	valid(t, Schema("diff"), diffText(t, none, JSON, Style{}))
	if err := WriteDiff(&bytes.Buffer{}, JUnit, d, Style{}); err == nil {
		t.Error("a difference was written as a list of tests")
	}
}

// TestSections: every section has a title and is in the schema.
func TestSections(t *testing.T) {
	for i, title := range titles {
		if s := difference.Section(i); title == "" || !strings.Contains(Schema("diff"), "\""+s.String()+"\"") {
			t.Errorf("section %s: %q", s, title)
		}
	}
	if len(titles) != int(difference.Counts)+1 {
		t.Errorf("%d titles", len(titles))
	}
}

// TestDiffIsBounded: a remark on a pull request has at most 65,536 characters.
func TestDiffIsBounded(t *testing.T) {
	d := everyChange()
	for range 3000 {
		c := d.Difference.Changes[3]
		c.Lines = append(c.Lines, difference.Line{Mark: '+', Text: strings.Repeat("x", 100)})
		d.Difference.Changes = append(d.Difference.Changes, c)
	}
	if got := diffText(t, d, Markdown, Style{}); len(got) > 65_000 || !strings.Contains(got, "too long") || !strings.Contains(got, "</details>") {
		t.Errorf("%d bytes", len(got))
	}
}
