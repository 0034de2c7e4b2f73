package fullscreen

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/rulesets"
)

// TestNothingEscapes looks at screens in the language for tests: a word with a letter that it has not is no text of a
// catalogue. Keys keep their names, and boards the letters they draw.
func TestNothingEscapes(t *testing.T) {
	lib := dsl.Library{Shipped: rulesets.FS}
	file, _ := lib.Rules("parchis4a", nil)
	book, faults := dsl.Load(file, lib)
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.In(catalogue.PseudoLang).Rules(dsl.Setting{})
	if rules == nil {
		t.Fatal(faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	unmarked := regexp.MustCompile(`[\pL]*[aeioun][\pL]*`)
	m := sit(t, g, 5, 1)
	m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
	seen := map[string]bool{}
	look := func() {
		for _, line := range m.lines() {
			for _, word := range unmarked.FindAllString(stripped(line), -1) {
				if !seen[word] {
					seen[word] = true
					t.Errorf("%q escapes, in %q", word, stripped(line))
				}
			}
		}
	}
	run(t, m, m.Init())
	for range 40 {
		look()
		press(t, m, "enter")
	}
	for _, key := range []string{"?", "h", "r", "l", "f1", "u", "s", "g", "q", "9"} {
		press(t, m, key)
		look()
		press(t, m, "esc", "esc")
		if m.prompt != nil {
			m.prompt = nil
		}
	}
	if !strings.Contains(strings.Join(m.lines(), ""), "«") {
		t.Error("nothing is in the language for tests")
	}
}
