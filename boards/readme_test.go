package boards

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

// TestReadme makes the board that README.md shows, and looks for a key the page forgot.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ := strings.Cut(rest, "```")
	b, diags := Read(source.New("pond.yaml", text), nil, nil)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	same(t, "track", b.walk(b.Track("").Runs[1]), append(count(7, 6, 12), "shore"))
	_, rest, _ = strings.Cut(string(page), "board: twice68")
	text, _, _ = strings.Cut(rest, "```")
	twice, diags := Read(source.New("twice68.yaml", "board: twice68"+text), nil, nil)
	if len(diags) > 0 || twice.Track("twice") == nil || twice.Track("").Name != "race" {
		t.Fatal(diags)
	}
	words := slices.Concat(squareDrawKeys.all(), markNames(), formNames[:], groundNames[:], []string{"for", "let", "where", "name",
		"tags", "attributes", "draw", "closed", "list", "fork", "back", "around", "backwards", "from", "to", "use", "extends", "without", "take", "of",
		"kind", "count", "rows", "lanes", "reach", "turned", "clockwise", "ground", "palette", "marks", "landmarks", "tracks"})
	for _, f := range functions {
		words = append(words, f.name)
	}
	for _, w := range words {
		if !strings.Contains(string(page), w) {
			t.Errorf("README.md does not speak of %q", w)
		}
	}
}
