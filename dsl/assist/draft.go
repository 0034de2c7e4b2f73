// Package assist answers an editor's questions: what a name means, where it is declared and used, what may be written
// here, what a rename would change.
//
// It uses package index; a language server or another tool calls it. Note: a file that is being
// edited has faults most of the time. A Draft uses every part of it that parses, and nothing here reports faults.
package assist

import (
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Draft is a rule file at one moment, with the meaning of its names. It is immutable and safe for several goroutines.
type Draft struct {
	File *source.File
	Tree *syntax.File
	// Book is the file with everything it builds on; nil if that cannot be loaded.
	Book *book.Book
	// Names holds the names of all files of the book; nil without a book.
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
