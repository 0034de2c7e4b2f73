package assist

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// TestWordsAgree: the words the language is explained with here are the ones of the reference: each stands in it, in code,
// on a line that says the same.
func TestWordsAgree(t *testing.T) {
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	reference := string(data)
	says := func(word, text string) bool {
		for line := range strings.Lines(reference) {
			if !strings.HasPrefix(line, "|") {
				continue
			}
			line = strings.ReplaceAll(line, `\|`, "|")
			if regexp.MustCompile("`[^`]*\\b"+regexp.QuoteMeta(word)+"\\b[^`]*`").MatchString(line) && strings.Contains(line, text) {
				return true
			}
		}
		return false
	}
	for _, m := range syntax.Words(syntax.ValueWord) {
		if !says(m.Text, m.Doc) {
			t.Errorf("the reference does not say of %q: %s", m.Text, m.Doc)
		}
	}
	for _, table := range []syntax.Role{syntax.FunctionWord, syntax.EventWord, syntax.VerdictWord} {
		for _, m := range syntax.Words(table) {
			if !strings.Contains(reference, "`"+firstOf(m)+"`") && !strings.Contains(reference, "`"+m.Text+"(") && !strings.Contains(reference, "`"+m.Text+"`") {
				t.Errorf("the reference does not have %q", firstOf(m))
			}
		}
	}
	for _, f := range syntax.Words(syntax.FieldWord) {
		if !regexp.MustCompile("[.`]" + f.Text + "\\b").MatchString(reference) {
			t.Errorf("the reference does not have the field .%s", f.Text)
		}
	}
}

func firstOf(m syntax.Word) string {
	if m.Form != "" {
		return m.Form
	}
	return m.Text
}

// TestFieldsExplained: every field of the language that the checker knows has words, and every word and function it offers.
func TestFieldsExplained(t *testing.T) {
	const text = "ruleset x \"X\"\nboard cross68\nplayers 2..4\npieces 4 at home\nturn { }\nrule r \"R\" {\n  always A\n}\n"
	for _, value := range []string{"mine[0]", "mine[0].at", "yellow", "me", "me.team", "game", "board", "offered[0]"} {
		body := strings.Replace(text, "always A", "always "+value+".", 1)
		if value == "offered[0]" {
			body = strings.Replace(text, "always A", "before move(q) when offered[0]. { again }", 1)
		}
		at := strings.Index(body, value+".") + len(value) + 1
		found, _ := Read(sourceOf(body), noFiles{}).Complete(at)
		if len(found) == 0 {
			t.Errorf("%s has nothing", value)
		}
		for _, c := range found {
			if c.Name.Kind == index.Field && (&Draft{}).Describe(c.Name) == "" {
				t.Errorf("%s.%s is not explained", value, c.Label)
			}
		}
	}
	body := strings.Replace(text, "always A", "always ", 1)
	found, _ := Read(sourceOf(body), noFiles{}).Complete(strings.Index(body, "always ") + len("always "))
	offered := map[string]bool{}
	for _, c := range found {
		offered[c.Label] = true
	}
	for _, word := range []string{"me", "mine", "steps", "game", "all", "sortBy", "square", "next", "home", "yellow"} {
		if !offered[word] {
			t.Errorf("%q is not offered", word)
		}
	}
}
