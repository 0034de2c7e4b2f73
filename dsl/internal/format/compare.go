package format

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// same reports whether text parses to the same tree, including comments.
func same(tree *syntax.File, text string) bool {
	var diags diag.List
	again := syntax.Parse(source.New(tree.Source.Name(), text), &diags)
	if diags.HasErrors() || !slices.Equal(comments(tree), comments(again)) {
		return false
	}
	return syntax.Same(tree.Header, again.Header) && syntax.Same(tree.Decls, again.Decls)
}

func comments(f *syntax.File) []string {
	var out []string
	for _, t := range f.Tokens() {
		if t.Kind == syntax.TokenComment {
			out = append(out, t.Text)
		}
	}
	return out
}
