// Package format writes rule files in the canonical form.
//
// It works on the tokens and comments of package syntax. It keeps the author's line breaks and sets everything
// between them: spaces, indentation, blank lines, columns. Note: File parses its own output
// again and returns it only if it has the same meaning as the input.
package format

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// File returns the text of a rule file, formatted. A file with syntax errors is returned unchanged, with its faults.
func File(file *source.File) (string, diag.List) {
	var diags diag.List
	tree := syntax.Parse(file, &diags)
	diags.Sort()
	if diags.HasErrors() {
		return file.Text(), diags
	}
	lines := split(tree)
	markRows(lines)
	indent(lines)
	alignCells(lines)
	alignTails(lines)
	out := write(lines)
	if !same(tree, out) {
		diags.Errorf("format-failed", file.Span(0, 0), "this file cannot be formatted without changing what it says").
			WithHint("this is a fault of the formatter; the file is left as it is")
		return file.Text(), diags
	}
	return out, diags
}

// same reports whether text parses to the same tree, including comments.
func same(tree *syntax.File, text string) bool {
	var diags diag.List
	again := syntax.Parse(source.New(tree.Source.Name(), text), &diags)
	comments := func(f *syntax.File) []string {
		of := seq.Filter(f.Tokens(), func(t syntax.Token) bool { return t.Kind == syntax.TokenComment })
		return seq.Map(of, func(t syntax.Token) string { return t.Text })
	}
	return !diags.HasErrors() && slices.Equal(comments(tree), comments(again)) &&
		syntax.Same(tree.Header, again.Header) && syntax.Same(tree.Decls, again.Decls)
}
