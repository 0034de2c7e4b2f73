package syntax_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// FuzzParse looks for texts that panic or take long, and for tokens that do not stand in the text.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"../testdata/rules/*.rules", "../testdata/format/*.rules", "../testdata/broken/*.rules"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	for _, quote := range []string{"`", "'", "’", "“", "\x94"} { // quotes that nothing closes, and bytes that are no text
		f.Add("ruleset a \"A\"\nboard turn {8\n" + strings.Repeat(quote, 19000/len(quote)) + "\"")
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20000 {
			return
		}
		begin := time.Now()
		var diags diag.List
		tree := syntax.Parse(source.New("fuzz.rules", text), &diags)
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("took %v", took)
		}
		for _, d := range diags {
			if d.Span.IsZero() || d.Message == "" || d.Code == "" {
				t.Errorf("a fault without place, words or code: %+v", d)
			}
		}
		end := 0
		for _, token := range tree.Tokens() {
			if token.Start < end || text[token.Start:token.Start+len(token.Text)] != token.Text {
				t.Fatalf("token %q is not at %d", token.Text, token.Start)
			}
			end = token.Start + len(token.Text)
		}
	})
}
