package lsp

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.lsp.dev/uri"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Limits on reading a workspace.
const (
	maxFiles = 500    // rule files that are searched for names
	maxWalk  = 20_000 // files and folders visited to find them
)

// document is a file open in the editor. It is immutable: an edit makes a new one.
type document struct {
	uri     uri.URI
	name    string
	version int32
	file    *source.File
	edited  bool // since it was opened
}

// view is a snapshot of the editor's documents and the disk. It is immutable and safe for several goroutines; a
// request uses the same view to its end.
type view struct {
	server *server
	docs   map[string]*document // by name
	disk   int64                // version of the files on the disk
	roots  []string             // folders of the workspace, with slashes
	shared dsl.Shared           // cache of files for all requests of the view
}

// isRules reports whether a file is a rule file, by its name.
func isRules(name string) bool { return path.Ext(name) == ".rules" }

// file finds a file: in the editor, on the disk, or among the shipped ones.
func (v *view) file(name string, read *reads) (*source.File, bool) {
	read.add(name)
	if d := v.docs[name]; d != nil {
		return d.file, true
	}
	if shipped(name) {
		if text, err := fs.ReadFile(v.server.options.Shipped, name); err == nil {
			return source.New(name, string(text)), true
		}
		if board, ok := strings.CutSuffix(path.Base(name), ".yaml"); ok {
			return boards.Shipped(board)
		}
		return nil, false
	}
	text, err := fs.ReadFile(v.server.options.Disk, diskName(name))
	if why, ok := errors.AsType[*source.Unreadable](err); ok {
		return source.Unread(name, why), true
	}
	if err != nil {
		return nil, false
	}
	return source.New(name, string(text)), true
}

// reads records the files that a result depends on, existing or not.
type reads struct{ names sync.Map }

func (r *reads) add(name string) { r.names.Store(name, true) }

// all lists the recorded files.
func (r *reads) all() map[string]bool {
	out := map[string]bool{}
	for name := range r.names.Range {
		out[name.(string)] = true
	}
	return out
}

// library finds the files that a file builds on: in its folder, unsaved texts first, then among the shipped ones.
func (v *view) library(name string, read *reads) dsl.Library {
	lib := dsl.Library{Shipped: v.server.options.Shipped, Shared: &v.shared}
	if path.IsAbs(name) || filepath.IsAbs(filepath.FromSlash(name)) {
		lib.Prefix = strings.TrimSuffix(path.Dir(name), "/") + "/"
		lib.Beside = folder{view: v, dir: path.Dir(name), read: read}
	}
	for _, dir := range v.server.options.Path {
		if dir, err := filepath.Abs(dir); err == nil {
			dir = filepath.ToSlash(dir)
			lib.Path = append(lib.Path, dsl.Folder{FS: folder{view: v, dir: dir, read: read}, Prefix: dir + "/"})
		}
	}
	return lib
}

// folder is a folder with unsaved texts as an overlay.
type folder struct {
	view *view
	dir  string
	read *reads
}

// Open implements fs.FS: it knows no unsaved texts.
func (f folder) Open(name string) (fs.File, error) {
	return f.view.server.options.Disk.Open(diskName(path.Join(f.dir, name)))
}

// ReadFile implements fs.ReadFileFS.
func (f folder) ReadFile(name string) ([]byte, error) {
	file, ok := f.view.file(path.Join(f.dir, name), f.read)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if why := file.Unreadable(); why != nil {
		return nil, why
	}
	return []byte(file.Text()), nil
}

// Glob implements fs.GlobFS.
func (f folder) Glob(pattern string) ([]string, error) {
	names, err := f.view.glob(f.dir, pattern)
	if err != nil {
		return nil, err
	}
	for name := range f.view.docs {
		if ok, _ := path.Match(pattern, path.Base(name)); ok && path.Dir(name) == f.dir {
			names = append(names, path.Base(name))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names))), nil
}

// cache caches results computed from files, until one of their dependencies changes.
type cache[T any] struct {
	mu      sync.Mutex
	entries map[string]*entry[T]
}

type entry[T any] struct {
	once  sync.Once
	done  atomic.Bool
	view  *view
	made  map[string]bool // its dependencies
	value T
}

// holds reports whether an entry is valid for a view.
func (e *entry[T]) holds(v *view) bool {
	if e.view == v {
		return true
	}
	if !e.done.Load() || e.view.disk != v.disk {
		return false
	}
	return !seq.Any(maps.Keys(e.made), func(name string) bool { return e.view.docs[name] != v.docs[name] })
}

// get returns the cached result for a file, or computes it.
func (c *cache[T]) get(v *view, name string, work func(read *reads) T) (T, map[string]bool) {
	c.mu.Lock()
	if c.entries == nil {
		c.entries = map[string]*entry[T]{}
	}
	e := c.entries[name]
	if e == nil || !e.holds(v) {
		e = &entry[T]{view: v}
		c.entries[name] = e
	}
	c.mu.Unlock()
	e.once.Do(func() {
		read := &reads{}
		e.value = work(read)
		e.made = read.all()
		e.done.Store(true)
	})
	return e.value, e.made
}

// draft is the draft of a rule file, nil if the file does not exist.
func (v *view) draft(name string) *assist.Draft {
	d, _ := v.server.drafts.get(v, name, func(read *reads) *assist.Draft {
		file, ok := v.file(name, read)
		if !ok {
			return nil
		}
		return assist.Read(file, v.library(name, read))
	})
	return d
}

// findings lists all findings of a rule file or a board, in every setting, and the files they depend on.
func (v *view) findings(name string) (diag.List, map[string]bool) {
	return v.server.checks.get(v, name, func(read *reads) diag.List {
		file, ok := v.file(name, read)
		if !ok {
			return nil
		}
		lib := v.library(name, read)
		if !isRules(name) {
			_, l := readBoard(file, lib)
			return l
		}
		book, l := dsl.Load(file, lib)
		if book != nil {
			l = dsl.Check(book)
		}
		l.Sort()
		return l
	})
}

// board is a board with its default parameters, nil if it cannot be read.
func (v *view) board(name string) *boards.Board {
	read := &reads{}
	file, ok := v.file(name, read)
	if !ok {
		return nil
	}
	b, _ := readBoard(file, v.library(name, read))
	return b
}

// readBoard reads a board with its default parameters. A YAML file that is no board has no findings.
func readBoard(file *source.File, lib dsl.Library) (*boards.Board, diag.List) {
	if !slices.Contains(boards.Endings, path.Ext(file.Name())) || !boards.Recognise(file) {
		return nil, nil
	}
	return boards.Read(file, nil, func(board string) (*source.File, bool) { return lib.Board(board, nil) })
}

// glob lists the files of a folder on the disk whose names match a pattern.
func (v *view) glob(dir, pattern string) ([]string, error) {
	sub, err := fs.Sub(v.server.options.Disk, diskName(dir))
	if err != nil {
		return nil, err
	}
	return fs.Glob(sub, pattern)
}

// about lists the drafts that may use the declarations of a file: the file itself, open files, and those of its
// folder and of the workspace.
func (v *view) about(name string) []*assist.Draft {
	names := []string{}
	if isRules(name) {
		names = append(names, name)
	}
	for _, other := range v.ruleFiles(path.Dir(name)) {
		if !slices.Contains(names, other) && len(names) < maxFiles {
			names = append(names, other)
		}
	}
	return seq.Filter(seq.Map(names, v.draft), func(d *assist.Draft) bool { return d != nil && d.Names != nil })
}

// ruleFiles lists the rule files that are open, in a folder or in the workspace.
func (v *view) ruleFiles(dir string) []string {
	names := slices.Sorted(maps.Keys(v.docs))
	if path.IsAbs(dir) {
		found, _ := v.glob(dir, "*.rules")
		names = append(names, seq.Map(found, func(f string) string { return path.Join(dir, f) })...)
	}
	walked := 0
	for _, root := range v.roots {
		top := diskName(root)
		_ = fs.WalkDir(v.server.options.Disk, top, func(p string, d fs.DirEntry, err error) error {
			walked++
			switch {
			case walked > maxWalk:
				return fs.SkipAll
			case err != nil:
				return nil
			case d.IsDir() && p != top && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
				return fs.SkipDir
			case d.Type().IsRegular() && isRules(d.Name()):
				names = append(names, path.Join(root, strings.TrimPrefix(p, top)))
			}
			return nil
		})
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(n string) bool {
		again := seen[n] || !isRules(n)
		seen[n] = true
		return again
	})
}
