package cli

import (
	"bytes"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/catalogue"
)

// spoken runs the command in the language for tests and finds words that are no texts of a catalogue: those with a letter that this
// language has not. Names of files, and what programs read, are cut out.
func spoken(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code := Main(append(args, "--lang", catalogue.PseudoLang), strings.NewReader(""), &out, &out); code != want {
		t.Fatalf("%q: exit code %d, want %d:\n%s", args, code, want, &out)
	}
	escaped(t, out.String())
	return out.String()
}

var (
	ownNames = regexp.MustCompile(`\b\w+\.(txt|rules|json|html)\b|--[a-z]+|^rulerun: `)
	unmarked = regexp.MustCompile(`[\pL]*[aeioun][\pL]*`)
)

func escaped(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if word := unmarked.FindString(ownNames.ReplaceAllString(line, "")); word != "" {
			t.Errorf("%q escapes, in %q", word, line)
		}
	}
}

// TestAnalysisIsSpoken: what --analyse prints and draws comes from the catalogue.
func TestAnalysisIsSpoken(t *testing.T) {
	t.Chdir(t.TempDir())
	for rules, options := range map[string][]string{"ur": nil, "ludoteka_teams": {"--playouts", "2"}} {
		file := rules + ".txt"
		var out bytes.Buffer
		if code := Main([]string{"play", rules, "--plain", "--seats", "", "--seed", "3", "--record", file}, strings.NewReader(""), &out, &out); code != exitFine {
			t.Fatal(code, out.String())
		}
		text := spoken(t, exitFine, append([]string{"play", file, "--analyse", "--page", "x.html"}, options...)...)
		for _, want := range []string{"%", "1,", "→"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: there is no %s:\n%s", rules, want, text)
			}
		}
		page, err := os.ReadFile("x.html")
		if err != nil {
			t.Fatal(err)
		}
		markup := regexp.MustCompile(`(?s)<(style|pre)\b.*?</(style|pre)>|<[^>]*>`)
		escaped(t, html.UnescapeString(markup.ReplaceAllString(string(page), "\n")))
	}
}
