package dsl

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/internal/mutate"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Mutant is one small change to a file of rules: a rule left out, a number one higher.
type Mutant = mutate.Mutant

// LeftOut is the kind of the mutants without a rule, a replacement or a line of a house rule.
const LeftOut = mutate.Declaration

// Mutants lists the mutants of a file of rules, each for Variant. A file with faults has those of what can be parsed.
func Mutants(file *source.File) []Mutant {
	var faults diag.List
	return mutate.Of(syntax.Parse(file, &faults))
}

// Variant is the book with one mutation of File. It parses nothing else again, so it takes a fraction of the time of
// Load. The book must have been loaded without extra changes. It is nil if the list has errors; their places in the
// mutated declaration count from its beginning.
func (b *Book) Variant(m Mutant) (*Book, diag.List) {
	var diags diag.List
	was := b.joined.Rules().File
	tree := *was
	tree.Decls = append([]*syntax.Decl{}, was.Decls[:m.Decl]...)
	if m.Text != "" {
		d := syntax.ParseDecl(source.New(was.Source.Name(), m.Text), &diags)
		if d == nil {
			return nil, diags
		}
		tree.Decls = append(tree.Decls, d)
	}
	tree.Decls = append(tree.Decls, was.Decls[m.Decl+1:]...)
	joined := book.Again(b.joined, &tree, &diags)
	if joined == nil || diags.HasErrors() {
		return nil, diags
	}
	check.ShareBoards(joined, b.joined)
	return bookOf(joined, b.lib), diags
}

// InTests reports whether a place is inside a test of the book's last file.
func (b *Book) InTests(at source.Span) bool {
	top := b.joined.Top().File
	return slices.ContainsFunc(top.Decls, func(d *syntax.Decl) bool {
		span := d.Span(top.Source)
		return d.Test != nil && at.File == top.Source && span.Start <= at.Start && at.Start < span.End
	})
}
