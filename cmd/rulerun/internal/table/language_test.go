package table

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/rulesets"
)

// TestNothingEscapes types orders and nonsense in the language for tests: a word with a letter that it has not is no text of a
// catalogue. Names of rules stay as they are, and so does what people type.
func TestNothingEscapes(t *testing.T) {
	own := regexp.MustCompile(`\([a-z_0-9]+(, [A-Z0-9-]+)*\)|"[^"]*"`)
	unmarked := regexp.MustCompile(`[\pL]*[aeioun][\pL]*`)
	seen := map[string]bool{}
	for name, options := range map[string]map[string]string{"parchis4a": nil, "cicloparchis": {"mode": "secret"}, "ludoteka_sin_dados": nil} {
		lib := dsl.Library{Shipped: rulesets.FS}
		file, _ := lib.Rules(name, nil)
		book, faults := dsl.Load(file, lib)
		if book == nil {
			t.Fatal(faults)
		}
		rules, faults := book.In(catalogue.PseudoLang).Rules(dsl.Setting{Options: options})
		if rules == nil {
			t.Fatal(faults)
		}
		g, err := interpreter.Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		typed := []string{"help", "why", "? 5", "undo", "rules", "save", "save XX", "save 1", "resume", "resume XX", "hlep", "zzz", "12 17", "99", "y-3", "", "1"}
		lines := make(chan string, 600)
		for n := range cap(lines) {
			lines <- typed[n*6%len(typed)]
		}
		close(lines)
		var out strings.Builder
		table := &Table{
			Session: session(t, g, &record.Header{Players: g.Players(), Seed: 3, Seats: append(slices.Repeat([]string{"human"}, g.Players()-1), "easy")}),
			Lines:   lines, Screen: &Screen{Out: &out},
			Save: func(name string, _ []byte) error {
				if name == "1" {
					return errors.New("«»")
				}
				return nil
			},
			CanResume: func(string) error { return errors.New("«»") },
		}
		if _, err := table.Play(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if word := unmarked.FindString(own.ReplaceAllString(line, "")); word != "" && !seen[word] {
				seen[word] = true
				t.Errorf("%s: %q escapes, in %q", name, word, line)
			}
		}
	}
}
