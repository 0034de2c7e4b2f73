package leaflet

import (
	"regexp"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/rulesets"
)

// TestNothingEscapes writes the leaflets of all rule books in the language for tests: a word with a letter that it has not is no
// text of a catalogue. Ids of clauses and quoted parts of rules stay as they are, and so do the letters of the board in text.
func TestNothingEscapes(t *testing.T) {
	own := regexp.MustCompile("(?s)```text.*?```|<sub>.*?</sub>|`[^`]*`")
	unmarked := regexp.MustCompile(`[\pL]*[aeioun][\pL]*`)
	lib := dsl.Library{Shipped: rulesets.FS}
	for _, name := range lib.RulesNames() {
		file, _ := lib.Rules(name, nil)
		book, faults := dsl.Load(file, lib)
		if book == nil {
			t.Fatal(faults)
		}
		text := written(t, make1(t, book, Options{Lang: catalogue.PseudoLang}).Markdown)
		seen := map[string]bool{}
		for _, word := range unmarked.FindAllString(own.ReplaceAllString(text, ""), -1) {
			if !seen[word] {
				seen[word] = true
				t.Errorf("%s: %q escapes", name, word)
			}
		}
	}
}
