// Package assist answers what people ask while they write rules: what a name means, where it is declared and used, what
// may be written here, what another name would change.
//
// It stands beside the door of the language and above package index; a language server asks it, and other tools can. What a
// newcomer gets wrong: a file that is being written is broken most of the time. A Draft is read from whatever is there,
// and nothing here reports faults.
package assist

import (
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Draft is a rule file as it stands, with what its names mean. It is immutable and safe for several goroutines.
type Draft struct {
	File *source.File
	Tree *syntax.File
	// Book is the file with everything it builds on; nil where that cannot be had.
	Book *book.Book
	// Names is what the names of all files of the book mean; nil without a book.
	Names *index.Index

	finder book.Finder
}

// Read reads a rule file with everything it builds on.
func Read(file *source.File, finder book.Finder) *Draft { return read(file, finder, nil) }

func read(file *source.File, finder book.Finder, spot *index.Spot) *Draft {
	var faults diag.List
	d := &Draft{File: file, finder: finder}
	d.Book = book.Load(file, nil, finder, &faults)
	if d.Book == nil {
		d.Tree = syntax.Parse(file, &faults)
		return d
	}
	d.Tree = d.Book.Top().File
	d.Names = check.Names(d.Book, spot)
	return d
}
