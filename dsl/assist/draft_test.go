package assist_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
	"github.com/rulerun/rulerun/rulesets"
)

// ruleFiles lists the shipped and example rule files.
func ruleFiles(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"../../rulesets/*.rules", "../../examples/*/*.rules", "../testdata/rules/*.rules"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		out = append(out, paths...)
	}
	return out
}

// open reads a rule file with its neighbours.
func open(t *testing.T, path string) *assist.Draft {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lib := dsl.Library{Beside: os.DirFS(filepath.Dir(path)), Shipped: rulesets.FS}
	return assist.Read(source.New(filepath.Base(path), string(text)), lib)
}

// unnamed are words that mean no thing: a die's sides, what expr-lang reads.
var unnamed = regexp.MustCompile(`^(d[0-9]+|squares|true|false|nil|and|or|not|in)$`)

// TestEveryName: every word of a sound rule file is a word of the grammar or has a meaning.
func TestEveryName(t *testing.T) {
	grammar := map[string]bool{}
	for _, m := range regexp.MustCompile(`"([a-z]+)"`).FindAllStringSubmatch(syntax.Grammar(), -1) {
		grammar[m[1]] = true
	}
	for _, word := range []string{"game", "turn", "go", "piece", "team", "player", "colour"} { // scopes
		grammar[word] = true
	}
	seen := 0
	for _, path := range ruleFiles(t) {
		d := open(t, path)
		if d.Names == nil {
			t.Fatal(path, "has no names")
		}
		for _, token := range d.Tree.Tokens() {
			if token.Kind != syntax.TokenWord || grammar[token.Text] || unnamed.MatchString(token.Text) {
				continue
			}
			seen++
			if len(d.Names.At(d.File.Name(), token.Start)) == 0 {
				p := d.File.Position(token.Start)
				if line := d.File.Line(p.Line); !strings.HasPrefix(strings.TrimSpace(line), "set ") { // a word an option can be
					t.Errorf("%s:%d:%d: %q means nothing: %s", path, p.Line, p.Column, token.Text, line)
				}
			}
		}
	}
	if seen < 10000 {
		t.Errorf("only %d names were seen", seen)
	}
}
