// Package format writes rule files the one way all of them are written.
//
// It stands beside the checker: it works on the tokens and comments of package syntax, keeps the author's line
// breaks, and settles everything between them: spaces, indentation, blank lines, columns. What a newcomer gets
// wrong: the output is believed only after it has been read again and found to say the same.
package format

import (
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// File returns the text of a rule file, formatted. A file with syntax errors is returned as it is, with its faults.
func File(file *source.File) (string, diag.List) {
	var diags diag.List
	tree := syntax.Parse(file, &diags)
	diags.Sort()
	if diags.HasErrors() {
		return file.Text(), diags
	}
	out := layout(tree)
	if !same(tree, out) {
		diags.Errorf("format-failed", file.Span(0, 0), "this file cannot be formatted without changing what it says").
			WithHint("this is a fault of the formatter; the file is left as it is")
		return file.Text(), diags
	}
	return out, diags
}

// layout writes the file anew.
func layout(tree *syntax.File) string {
	lines := split(tree)
	markRows(lines)
	indent(lines)
	alignCells(lines)
	alignTails(lines)
	return write(lines)
}
