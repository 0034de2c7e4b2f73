package assist_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// TestOffered: every word of a sound rule file is offered where it stands, but for new names.
func TestOffered(t *testing.T) {
	missed := map[string]int{}
	seen := 0
	for _, path := range ruleFiles(t) {
		d := open(t, path)
		for _, token := range d.Tree.Tokens() {
			if token.Kind != syntax.TokenWord {
				continue
			}
			if refs := d.Names.At(d.File.Name(), token.Start); slices.ContainsFunc(refs, func(r index.Ref) bool { return r.IsDecl() }) {
				continue
			}
			seen++
			found, _ := d.Complete(token.Start)
			if !slices.ContainsFunc(found, func(c assist.Candidate) bool {
				return c.Label == token.Text || strings.HasPrefix(c.Label, token.Text+" ") || strings.Contains(c.Label, " "+token.Text)
			}) {
				p := d.File.Position(token.Start)
				line := d.File.Line(p.Line)
				first := regexp.MustCompile(`^\s*\w*`).FindString(line)
				missed[first+" | "+token.Text]++
				if missed[first+" | "+token.Text] <= 1 {
					t.Logf("%s:%d: %q is not offered: %s", filepath.Base(path), p.Line, token.Text, strings.TrimSpace(line))
				}
			}
		}
	}
	n := 0
	for _, k := range missed {
		n += k
	}
	t.Log(seen, n)
}
