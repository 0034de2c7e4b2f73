package dsl_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/rulesets"
)

// TestBehind: squares before the place where pieces come to the track are named only where no piece can come to them.
func TestBehind(t *testing.T) {
	folder := filepath.Join("testdata", "broken")
	text, err := os.ReadFile(filepath.Join(folder, "behind_start.rules"))
	if err != nil {
		t.Fatal(err)
	}
	rules := func(edits ...string) string { return strings.NewReplacer(edits...).Replace(string(text)) }
	const first = "p.colour.track[0]"
	for name, test := range map[string]struct {
		text string
		said bool
	}{
		"as it is":             {rules(), true},
		"one who is sent back": {rules("step beyond: bar", "step beyond: bar\n  on land(p, s) when s == square(\"7\") { put p on nest }"), true},
		"some come in before":  {rules("may swim(p)", "may swim(p)\n  on hatch(p) when die == 6 { put p on "+first+" }"), false},
		"walks turn":           {rules("step beyond: bar", "step beyond: turn"), false},
		"places are exchanged": {rules("may swim(p)", "may swim(p)\n  on land(p, s) when s == square(\"7\") { for q in first(game.colours).pieces { exchange p, q } }"), false},
		"to a square by name":  {rules("to p.start", "to square(\"1\")"), false},
	} {
		b, found := dsl.Load(source.New("behind_start.rules", test.text), dsl.Library{Beside: os.DirFS(folder), Shipped: rulesets.FS})
		if b != nil {
			found = dsl.Check(b)
		}
		if said := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == "unreachable-square" }); said != test.said {
			t.Errorf("%s: said %v, want %v: %v", name, said, test.said, found)
		} else if found.HasErrors() {
			t.Errorf("%s: %v", name, found)
		}
	}
}
