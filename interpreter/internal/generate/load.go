package generate

import (
	"io/fs"
	"testing/fstest"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// FS is a folder with the book's files.
func (b *Book) FS() fs.FS {
	all := fstest.MapFS{}
	for name, text := range b.Files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// Load reads the book as dsl.Load does.
func (b *Book) Load() (*dsl.Book, diag.List) {
	return dsl.Load(source.New(b.Main, b.Files[b.Main]), dsl.Library{Beside: b.FS()}, b.Changes...)
}

// Check loads the book and checks it in every setting. It is nil if there is an error; warnings are ignored.
func (b *Book) Check() (*dsl.Book, diag.List) {
	book, faults := b.Load()
	if book == nil {
		return nil, faults
	}
	if found := dsl.Check(book); found.HasErrors() {
		return nil, found
	}
	return book, nil
}
