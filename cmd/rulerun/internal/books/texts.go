package books

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Texts is a folder of texts by name, as an fs.FS.
type Texts map[string]string

// Open implements fs.FS.
func (f Texts) Open(name string) (fs.File, error) {
	if text, ok := f[name]; ok {
		return fstest.MapFS{name: {Data: []byte(text), Mode: 0o444}}.Open(name)
	}
	folder := fstest.MapFS{} // to be listed
	for of := range f {
		folder[of] = &fstest.MapFile{Mode: 0o444}
	}
	return folder.Open(name)
}

// ReadFile implements fs.ReadFileFS.
func (f Texts) ReadFile(name string) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

// With implements door.Books. A text takes the place of the file given with that name; what it builds on is looked for
// among the texts, then beside that file.
func (s *Shelf) With(files map[string]string) (door.Books, error) {
	texts := Texts(files)
	if err := texts.check(); err != nil {
		return nil, err
	}
	var all []Given
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if path.Ext(name) != ".rules" {
			continue
		}
		g := Given{Name: name}
		for i, was := range s.givens() {
			if i == 0 || path.Base(was.Name) == name {
				g.Library = was.Library
			}
		}
		g.File = source.New(name, texts[name])
		g.Library.Beside, g.Library.Shipped, g.Library.Shared = Over(texts, g.Library.Beside), s.files, nil
		all = append(all, g)
	}
	return New(s.files, append(all, s.givens()...)).In(s.lang), nil
}

func (s *Shelf) givens() []Given {
	var out []Given
	for _, b := range s.list {
		if g, ok := s.given[b.Name]; ok {
			out = append(out, g)
		}
	}
	return out
}

// Listed makes a shelf of texts: of the rule files named, and of what comes with rulerun.
func Listed(shipped fs.FS, files Texts, names []string) *Shelf {
	lib := dsl.Library{Beside: files, Shipped: shipped}
	return New(shipped, seq.Map(names, func(name string) Given { return Given{Name: name, File: source.New(name, files[name]), Library: lib} }))
}

// Over is a folder over another one, which may be nil: a file of the upper one hides one of the lower.
func Over(upper, lower fs.FS) fs.FS { return over{upper, lower} }

type over struct{ upper, lower fs.FS }

// Open implements fs.FS.
func (o over) Open(name string) (fs.File, error) {
	file, err := o.upper.Open(name)
	if o.lower != nil && errors.Is(err, fs.ErrNotExist) {
		return o.lower.Open(name)
	}
	return file, err
}

// ReadFile implements fs.ReadFileFS.
func (o over) ReadFile(name string) ([]byte, error) {
	text, err := fs.ReadFile(o.upper, name)
	if o.lower != nil && errors.Is(err, fs.ErrNotExist) {
		return fs.ReadFile(o.lower, name)
	}
	return text, err
}

// Glob implements fs.GlobFS.
func (o over) Glob(pattern string) ([]string, error) {
	names, err := fs.Glob(o.upper, pattern)
	if err == nil && o.lower != nil {
		var more []string
		more, err = fs.Glob(o.lower, pattern)
		names = append(names, more...)
	}
	return slices.Compact(slices.Sorted(slices.Values(names))), err
}

// Folders is the folders of files given, one over the other, as they are when they are read.
func Folders(given []Given) fs.FS {
	var out fs.FS = Texts{}
	for _, g := range slices.Backward(given) {
		if g.Library.Beside != nil {
			out = Over(g.Library.Beside, out)
		}
	}
	return out
}

// Needs returns the texts of a rule file and of the files it builds on, those that come with rulerun apart, by name. It
// has what can be read of a file with mistakes.
func Needs(g Given) Texts {
	out := Texts{path.Base(g.Name): g.File.Text()}
	lib := g.Library
	lib.Shared = nil
	lib = Seen(lib, func(_ dsl.Folder, name string, text []byte, read bool) {
		if _, ok := out[name]; read && !ok && path.Ext(name) != ".clauses" {
			out[name] = string(text)
		}
	})
	if book, _ := dsl.Load(g.File, lib); book != nil {
		book.Rules(dsl.Setting{}) // it reads the board
		for _, lang := range book.Langs() {
			book.In(lang).Rules(dsl.Setting{}) // and the catalogues
		}
	}
	return out
}

// Seen is a library that tells which files are asked for in its folders, those that come with rulerun apart, and the texts of those that
// are read.
func Seen(lib dsl.Library, tell func(folder dsl.Folder, name string, text []byte, read bool)) dsl.Library {
	if lib.Beside != nil {
		lib.Beside = seen{dsl.Folder{FS: lib.Beside, Prefix: lib.Prefix}, tell}
	}
	lib.Path = seq.Map(lib.Path, func(folder dsl.Folder) dsl.Folder { return dsl.Folder{FS: seen{folder, tell}, Prefix: folder.Prefix} })
	return lib
}

type seen struct {
	dsl.Folder
	tell func(folder dsl.Folder, name string, text []byte, read bool)
}

// Open implements fs.FS.
func (s seen) Open(name string) (fs.File, error) {
	if name != "." {
		s.tell(s.Folder, name, nil, false)
	}
	return s.FS.Open(name)
}

// ReadFile implements fs.ReadFileFS.
func (s seen) ReadFile(name string) ([]byte, error) {
	text, err := fs.ReadFile(s.FS, name)
	s.tell(s.Folder, name, text, err == nil)
	return text, err
}

// Clauses returns the lists of written clauses beside a rule file, with their catalogues, by name: leaflets have them, games do not.
func Clauses(g Given) Texts {
	out := Texts{}
	for _, pattern := range []string{"*.clauses", "clauses/*.clauses"} {
		lists, _ := fs.Glob(g.Library.Beside, pattern)
		for _, list := range lists {
			names, _ := fs.Glob(g.Library.Beside, strings.TrimSuffix(list, ".clauses")+".*.json")
			for _, name := range append(names, list) {
				if text, err := fs.ReadFile(g.Library.Beside, name); err == nil {
					out[name] = string(text)
				}
			}
		}
	}
	return out
}

// Source implements door.Books. With changes it has the text of a shipped rule book, too.
func (s *Shelf) Source(p door.Pick) (*door.Source, error) {
	out := &door.Source{Files: Texts{}}
	for i, name := range append([]string{p.Rules}, p.With...) {
		b, err := s.find(name)
		if err != nil {
			return nil, err
		}
		file := path.Base(b.Name)
		if g, ok := s.given[b.Name]; ok {
			maps.Copy(out.Files, Needs(g))
		} else {
			shipped, _ := s.shipped.Rules(b.Name, nil)
			file += ".rules"
			out.Files[file] = shipped.Text()
		}
		if i == 0 {
			out.Rules = file
		} else {
			out.With = append(out.With, file)
		}
	}
	return out, nil
}

// Base implements door.Books. A text with the name of a shipped rule book changes that one.
func (s *Shelf) Base(p door.Pick) (door.Pick, error) {
	if len(p.With) > 0 {
		return door.Pick{Rules: p.Rules}, nil
	}
	b, book, err := s.load(p)
	if err != nil {
		return p, err
	}
	if base := book.Base(); base != "" {
		if other := base + ".rules"; s.given[other].File != nil {
			return door.Pick{Rules: other}, nil
		}
		return door.Pick{Rules: base}, nil
	}
	shipped := strings.TrimSuffix(path.Base(b.Name), ".rules")
	if _, ok := s.shipped.Rules(shipped, nil); ok && b.Name != shipped {
		return door.Pick{Rules: shipped}, nil
	}
	return p, fmt.Errorf("%s changes no other rule book: there is nothing to compare it with", book.Name())
}

// Limits on the texts of a client.
const (
	maxTexts = 20
	maxBytes = 2 << 20
)

// check refuses texts that are too large, and names that are not those of rule files, boards and catalogues in one folder.
func (f Texts) check() error {
	size := 0
	for name, text := range f {
		ext := path.Ext(name)
		_, _, words := catalogue.Split(name)
		if ext != ".rules" && ext != ".yaml" && ext != ".yml" && !words || len(name) == len(ext) || len(name) > 100 || strings.ContainsAny(name, `/\:`) {
			return fmt.Errorf("%q is no name of a rule file, a board or a catalogue", name)
		}
		size += len(text)
	}
	if len(f) > maxTexts || size > maxBytes {
		return fmt.Errorf("got %d files of %d bytes, want at most %d of %d", len(f), size, maxTexts, maxBytes)
	}
	return nil
}
