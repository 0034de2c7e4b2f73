package leaflet

import (
	"html"
	"regexp"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	shipped "github.com/rulerun/rulerun/examples"
)

// TestNothingEscapes writes all leaflets in the language for tests: a word with a letter that it has not is no text of a catalogue.
// Ids of clauses, quoted parts of rules and
// squares such as a1 stay as they are, and so do the letters of the board in text.
func TestNothingEscapes(t *testing.T) {
	own := regexp.MustCompile("(?s)```text.*?```|<sub>.*?</sub>|`[^`]*`|<(style|code)\\b.*?</(style|code)>|<span class=\"id\">.*?</span>|<[^>]*>|\\b[a-z]\\d+\\b")
	unmarked := regexp.MustCompile(`[\pL]*[aeioun][\pL]*`)
	lib, load := library(t)
	for _, name := range lib.RulesNames() {
		book, o := load(name), Options{Lang: catalogue.PseudoLang}
		if book.TestsOnly() {
			continue
		}
		if book.IsChange() {
			o.Base = load(book.Base())
		}
		sheet, seen := make1(t, book, o), map[string]bool{}
		for _, text := range []string{written(t, sheet.Markdown), html.UnescapeString(own.ReplaceAllString(written(t, sheet.HTML), " "))} {
			for _, word := range unmarked.FindAllString(own.ReplaceAllString(text, ""), -1) {
				if !seen[word] {
					seen[word] = true
					t.Errorf("%s: %q escapes", name, word)
				}
			}
		}
	}
}

// library is what comes with the program, and what loads a book of it.
func library(t *testing.T) (lib dsl.Library, load func(name string) *dsl.Book) {
	lib = dsl.Library{Shipped: shipped.Shipped(), Shared: &dsl.Shared{}}
	return lib, func(name string) *dsl.Book {
		t.Helper()
		file, _ := lib.Rules(name, nil)
		book, faults := dsl.Load(file, lib)
		if book == nil {
			t.Fatal(faults)
		}
		return book
	}
}
