package coverage_test

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/coverage"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/cover"
	"github.com/rulerun/rulerun/interpreter/mutation"
)

const rules = `ruleset hop "Hop & <run>"
option far = "near" of "near", "<far>"
board cross68
players 2
pieces 2 at home
dice die = d6
first yellow
turn { throw die; play die }
move enter(p in mine) from home to p.start
rule moving "Come <out>" {
  may enter(p) when die == 5 && far == "near"  // "quoted" & <marked>
  never enter(p) when any(mine, .at == goal)
}
rule finish "All in" { win player x when all(x.pieces, .at == goal) }
test "a <5>" { given yellow home home | blue home home; throw 5; expect yellow 5 home }
`

// sheet is the coverage of the rules by their test.
func sheet(t *testing.T) *coverage.Sheet {
	t.Helper()
	book, faults := dsl.Load(source.New("hop.rules", rules), dsl.Library{})
	if book == nil {
		t.Fatal(faults)
	}
	s := book.Scenarios()[0]
	r, faults := s.Rules()
	if r == nil {
		t.Fatal(faults)
	}
	game, err := interpreter.CompileNoting(r)
	if err != nil {
		t.Fatal(err)
	}
	noted := make([]bool, len(game.Notes()))
	if f := game.RunTestNoting(r.Tests[0], noted); len(f) > 0 {
		t.Fatal(f)
	}
	var c cover.Collector
	c.Add(cover.Test{Name: s.Name, File: "hop.rules", Line: 15, Passed: true}, cover.TraceOf(game, noted))
	f := c.Of(cover.Subject{Title: book.Title(), File: book.File(), Groups: book.Parts(), Options: book.Options(), Players: book.PlayerNumbers(nil)})
	return &coverage.Sheet{Version: "v1", Tests: c.Tests(), Files: []*cover.File{f}}
}

// TestJSON holds the documents against their schemas.
func TestJSON(t *testing.T) {
	valid(t, report.Schema("coverage"), sheet(t).WriteJSON)
	valid(t, report.Schema("mutation"), mutations(t).WriteJSON)
}

// mutations is what came of changes to the rules.
func mutations(t *testing.T) *coverage.Mutations {
	t.Helper()
	book, faults := dsl.Load(source.New("hop.rules", rules), dsl.Library{})
	if book == nil {
		t.Fatal(faults)
	}
	r, err := mutation.Run(t.Context(), []*dsl.Book{book}, mutation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &coverage.Mutations{Version: "v1", Reports: []*mutation.Report{r}}
}

// TestMutationText shows a change that no test notices as the line before and after it.
func TestMutationText(t *testing.T) {
	var b bytes.Buffer
	if err := mutations(t).WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := `hop.rules:12:23: no test notices: rule moving, the condition is turned round (1 test comes here)
  -   never enter(p) when any(mine, .at == goal)
  +   never enter(p) when !(any(mine, .at == goal))
`
	if strings.Contains(b.String(), want) {
		t.Error("a noticed change is listed")
	}
	want = `hop.rules:12:3: no test notices: rule moving, without this prohibition
  -   never enter(p) when any(mine, .at == goal)

`
	if !strings.Contains(b.String(), want) {
		t.Errorf("the text is\n%s", b.String())
	}
}

func valid(t *testing.T, text string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", schema); err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.MustCompile("schema.json").Validate(document); err != nil {
		t.Error(err)
	}
}

// TestHTML wants one page that needs no other, shows the whole file, and takes no text of the file for markup.
func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := sheet(t).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if m := regexp.MustCompile(`(?i)(?:src|href)="(?:[a-z]+:|/)|@import|url\(`).FindString(page); m != "" {
		t.Errorf("the page needs something else: %s", m)
	}
	for _, bad := range []string{"<far>", "<out>", "<5>", "<run>"} {
		if strings.Contains(page, bad) {
			t.Errorf("%s of the file became markup", bad)
		}
	}
	lines := regexp.MustCompile(`(?s)<span class="t">(.*?)</span></div>`).FindAllStringSubmatch(page, -1)
	tags := regexp.MustCompile(`<[^>]*>`)
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(unescape(tags.ReplaceAllString(l[1], "")) + "\n")
	}
	if text.String() != rules {
		t.Errorf("the page shows\n%s", text.String())
	}
	for _, want := range []string{
		`class="m half" data-m=`, `title="never false; true: 1 test"`, `title="never forbids a move"`, `title="took effect: 1 test"`, `#f1-15`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

func unescape(s string) string {
	return strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'").Replace(s)
}

// TestBelow says how far the coverage is below a minimum and what to test first.
func TestBelow(t *testing.T) {
	s := sheet(t)
	n := s.Count()
	if text := s.Below(n.Percent()); text != "" {
		t.Errorf("enough is too little: %s", text)
	}
	text := s.Below(100)
	for _, want := range []string{"less than the 100 % asked for", "too few", "test first:", "hop.rules:12:3: rule moving, never forbids a move: never enter(p)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing from\n%s", want, text)
		}
	}
}
