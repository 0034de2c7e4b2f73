package assist

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// TestReferenceHasWords: the reference names every verdict, type and scope. Its tables of other words are made from the same table as
// these.
func TestReferenceHasWords(t *testing.T) {
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []syntax.Role{syntax.VerdictWord, syntax.TypeWord, syntax.ScopeWord} {
		for _, w := range syntax.Words(role) {
			if !strings.Contains(string(data), "`"+w.Text+"`") {
				t.Errorf("the reference does not have %q", w.Text)
			}
		}
	}
}

// TestTypesOfWords: the checker gives a word, and a call of a function, the type that the table of words says.
func TestTypesOfWords(t *testing.T) {
	example := strings.NewReplacer("L, x", "mine, mine[0]", "L", "mine", "C", "true", "E", "1", "n)", "1)", "x", "me", "…", "1, 2", "NAME", "5")
	for _, role := range []syntax.Role{syntax.ValueWord, syntax.FunctionWord} {
		for _, w := range syntax.Words(role) {
			if w.Type == "" || w.Text == "nil" || w.Text == "true" || w.Text == "false" {
				continue
			}
			value := w.Text
			if role == syntax.FunctionWord {
				_, args, _ := strings.Cut(w.Form, "(")
				value += "(" + example.Replace(args)
			}
			line := "let value = " + value
			if w.Text == "p" {
				line = "let value(piece p) = p"
			}
			body := "ruleset x \"X\"\nboard cross68\nplayers 2..4\npieces 4 at home\nturn { }\n" + line + "\n"
			d := Read(sourceOf(body), noFiles{})
			found := d.Names.At(d.File.Name(), strings.Index(body, "value"))
			if len(found) == 0 || found[0].Type.String() != w.Type {
				t.Errorf("%s is not of type %s: %v", value, w.Type, found)
			}
		}
	}
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

// TestEndsOfLines completes the words that a line goes on with.
func TestEndsOfLines(t *testing.T) {
	const text = "ruleset x \"X\"\nboard cross68\nplayers 2..4\npieces 4 at home\ndice die = d6\nmove pass()\nturn {\n  again\n}\nrule r \"R\" {\n  always true\n}\n"
	for _, c := range []struct{ line, want string }{
		{"always true", "may pass() ^despite duties"}, {"always true", "may pass() ^otherwise"}, {"always true", "must pass() ^or"},
		{"always true", "^draw"}, {"again", "^draw"}, {"again", "^give"}, {"again", "give mine[0] ^to"},
		{"again", "^let"}, {"again", "let n = ^die"}, {"again", "let q = mine[0]; give ^q"},
		{"again", "choose q from mine ^or none"}, {"again", "play each of [1, 2] ^apart"}, {"again", "play all of [1, 2] ^or"},
	} {
		line, word, _ := strings.Cut(c.want, "^")
		body := strings.Replace(text, c.line, line, 1)
		found, _ := Read(sourceOf(body), noFiles{}).Complete(strings.Index(body, "  "+line+"\n") + 2 + len(line))
		if !slices.ContainsFunc(found, func(c Candidate) bool { return c.Label == word }) {
			t.Errorf("%q is not offered after %q", word, line)
		}
	}
}

// TestLinesOfTests completes what a test can expect, counts among it, which rules cannot ask for.
func TestLinesOfTests(t *testing.T) {
	const text = "ruleset x \"X\"\nboard cross68\nplayers 2..4\npieces 4 at home\ndice die = d6\nmove pass()\nturn { throw die }\n" +
		"count fives \"fives\" on throw(die) when die == 5\ncount left(player x) \"left\" = count(x.pieces, .at == home)\n" +
		"rule r \"R\" {\n  always true\n}\ntest \"t\" {\n  throw 3\n  expect over\n}\n"
	for _, c := range []struct {
		line, word string
		offered    int
	}{
		{"expect ", "not over", 1}, {"expect ", "no choices", 1}, {"expect that ", "fives", 1}, {"expect that ", "left", 1},
		{"expect that 3 == yellow@", "home", 1}, {"always ", "fives", 0},
	} {
		old := "expect over"
		if c.line == "always " {
			old = "always true"
		}
		body := strings.Replace(text, old, c.line, 1)
		found, _ := Read(sourceOf(body), noFiles{}).Complete(strings.Index(body, "  "+c.line+"\n") + 2 + len(c.line))
		n := 0
		for _, x := range found {
			if x.Label == c.word {
				n++
			}
		}
		if n != c.offered {
			t.Errorf("%q is offered %d times after %q", c.word, n, c.line)
		}
	}
}

// TestLetTwice: a let in a block is another form than the declaration.
func TestLetTwice(t *testing.T) {
	const text = "ruleset x \"X\"\nboard cross68\nplayers 2..4\npieces 4 at home\ndice die = d6\nlet far = 3\nturn {\n  let n = far\n}\n"
	d := Read(sourceOf(text), noFiles{})
	for _, c := range []struct{ at, want, not string }{
		{"let far", "let NAME[(TYPE NAME, …)] = EXPRESSION", "block"}, {"let n", "let NAME = VALUE", "EXPRESSION"}, {"n = far", "n: number", "let"},
	} {
		if got, _ := d.Hover("x.rules", strings.Index(text, c.at)+1); !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("hover over %q: %q", c.at, got)
		}
	}
	if found, _ := d.Complete(strings.Index(text, "n = far")); len(found) > 0 {
		t.Errorf("a new name is completed: %v", found)
	}
}
