package assist_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// TestOffered: words of sound rule files are offered where they stand. New names are not, nor what the file takes away, nor
// dice of any number of sides, nor functions, since what stands in their brackets means nothing without them.
func TestOffered(t *testing.T) {
	every := 48
	if testing.Short() {
		every = 160
	}
	seen := 0
	for _, path := range ruleFiles(t) {
		d := open(t, path)
		for i, token := range d.Tree.Tokens() {
			p := d.File.Position(token.Start)
			line := d.File.Line(p.Line)
			if token.Kind != syntax.TokenWord || i%every > 0 || strings.HasPrefix(line, "without ") || strings.HasPrefix(line, "dice ") || strings.HasPrefix(line[p.Column-1+len(token.Text):], "(") ||
				slices.ContainsFunc(d.Names.At(d.File.Name(), token.Start), func(r index.Ref) bool { return r.IsDecl() }) {
				continue
			}
			seen++
			found, _ := d.Complete(token.Start)
			if !slices.ContainsFunc(found, func(c assist.Candidate) bool {
				return c.Label == token.Text || strings.HasPrefix(c.Label, token.Text+" ") || strings.HasPrefix(c.Label, token.Text+"-") || strings.Contains(c.Label, " "+token.Text)
			}) {
				t.Errorf("%s:%d: %q is not offered: %s", path, p.Line, token.Text, strings.TrimSpace(line))
			}
		}
	}
	if seen < 100 {
		t.Error("only", seen, "words were seen")
	}
}
