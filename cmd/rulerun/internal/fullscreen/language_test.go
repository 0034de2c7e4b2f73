package fullscreen

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/examples"
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

// TestWholeWords: the panel beside the board has every word of its labels whole, in each language, on the smallest terminals too.
func TestWholeWords(t *testing.T) {
	shipped := examples.Shipped()
	paths, err := fs.Glob(shipped, "*.rules")
	if err != nil {
		t.Fatal(err)
	}
	games := 0
	for _, path := range paths {
		lib := dsl.Library{Beside: shipped, Shipped: shipped}
		text, err := fs.ReadFile(shipped, path)
		if err != nil {
			t.Fatal(err)
		}
		book, faults := dsl.Load(source.New(path, string(text)), lib)
		if book == nil {
			t.Fatal(faults)
		}
		if book.IsChange() {
			continue
		}
		for _, lang := range append(locale.Languages(), catalogue.PseudoLang) {
			if lang == "en" {
				lang = ""
			}
			rules, faults := book.In(lang).Rules(dsl.Setting{})
			if rules == nil {
				t.Fatal(faults)
			}
			g, err := interpreter.Compile(rules)
			if err != nil {
				t.Fatal(err)
			}
			games++
			m := sit(t, g, 5, 1)
			for _, size := range [][2]int{{MinColumns, MinRows}, {80, 24}, {100, 30}} {
				m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				width := panelColumns
				if m.arrange(); m.layout != nil {
					width = m.panelWidth(m.layout.Width)
				}
				lines := append(m.panelHead(width, size[1]), m.legend(width)...)
				words := strings.Fields(strings.NewReplacer(",", "", ".", "").Replace(stripped(strings.Join(lines, " "))))
				var labels []string
				if zones := m.zones(); len(zones) <= 4 {
					for _, z := range zones {
						labels = append(labels, m.session.Called(rules.Board.Places[z].Name))
					}
				}
				for c := range rules.Colours {
					labels = append(labels, m.session.Called(g.ColourName(c)))
				}
				for _, sign := range rules.Board.Legend() {
					labels = append(labels, strings.ReplaceAll(sign, "_", " "))
				}
				for _, word := range strings.Fields(strings.Join(labels, " ")) {
					if !slices.Contains(words, word) && !slices.Contains(words, "+"+word) {
						t.Errorf("%s in %q at %v: %q is not there whole:\n%s", path, lang, size, word, stripped(strings.Join(lines, "\n")))
					}
				}
				for _, line := range lines {
					if lipgloss.Width(line) > width {
						t.Errorf("%s in %q at %v: %q is wider than %d", path, lang, size, line, width)
					}
				}
			}
		}
	}
	if games < 20 {
		t.Errorf("%d games were looked at", games)
	}
}

// TestSentence: the first letter of a note is a capital, whatever it is.
func TestSentence(t *testing.T) {
	for text, want := range map[string]string{"": "", "it ends": "It ends.", "él gana": "Él gana.", "ñ": "Ñ."} {
		if got := sentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
