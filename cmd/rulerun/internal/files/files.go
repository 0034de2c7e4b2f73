// Package files reads the files named on the command line, and in rule files, boards and records.
//
// A name may come from an untrusted source, such as a pull request. So this package reads only regular files of a
// limited size, never blocks on opening one, and does not follow links out of the tree of a file: see tree.go. Note: the command must not use os.Open, os.ReadFile or os.DirFS, not even for a file that was
// checked before.
package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
)

// Max is the size limit of files in bytes.
const Max = 64 << 20

// Limit is the size limit in bytes of files with the ending of name.
func Limit(name string) int {
	switch filepath.Ext(name) {
	case ".rules":
		return dsl.MaxRules
	case ".yaml", ".yml":
		return boards.MaxBytes
	case ".clauses":
		return dsl.MaxClauses
	}
	return Max
}

// Open opens a regular file of at most limit bytes. The error is a *source.Unreadable for an existing file that is
// refused.
func Open(path string, limit int) (*os.File, error) { return open(path, os.O_RDONLY, limit) }

// OpenToAppend opens a regular file of at most limit bytes to read and write it.
func OpenToAppend(path string, limit int) (*os.File, error) { return open(path, os.O_RDWR, limit) }

func open(path string, flag, limit int) (*os.File, error) {
	var f *os.File
	err := inTree(path, func(root *os.Root, name string, info fs.FileInfo) (err error) {
		if why := source.Refuse(info, limit); why != nil {
			return why
		}
		f, err = root.OpenFile(name, flag|noWait, 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	info, err := f.Stat() // it may have been replaced since
	if err != nil {
		f.Close()
		return nil, err
	}
	if why := source.Refuse(info, limit); why != nil {
		f.Close()
		return nil, why
	}
	return f, nil
}

// Read reads a regular file of at most limit bytes.
func Read(path string, limit int) ([]byte, error) {
	f, err := Open(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, limit)
}

// ReadAll reads to the end of a stream of at most limit bytes.
func ReadAll(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err == nil && len(data) > limit {
		return nil, source.TooLarge(limit)
	}
	return data, err
}

// Source reads a text. The result for a refused file contains the reason.
func Source(path string, limit int) (*source.File, error) {
	data, err := Read(path, limit)
	if why, ok := errors.AsType[*source.Unreadable](err); ok {
		return source.Unread(path, why), nil
	}
	if err != nil {
		return nil, err
	}
	return source.New(path, string(data)), nil
}

// Folder is a folder as a file system.
func Folder(path string) FS { return FS{dir: path} }

// FS is a folder, or the file system of this machine.
type FS struct {
	dir  string
	disk bool
}

// Open implements fs.FS.
func (f FS) Open(name string) (fs.File, error) {
	path, err := f.path("open", name)
	if err != nil {
		return nil, err
	}
	return Open(path, Limit(name))
}

// ReadFile implements fs.ReadFileFS.
func (f FS) ReadFile(name string) ([]byte, error) {
	path, err := f.path("open", name)
	if err != nil {
		return nil, err
	}
	return Read(path, Limit(name))
}

// Stat implements fs.StatFS.
func (f FS) Stat(name string) (fs.FileInfo, error) {
	path, err := f.path("stat", name)
	if err != nil {
		return nil, err
	}
	if f.disk {
		return os.Lstat(path)
	}
	var is fs.FileInfo
	err = inTree(path, func(_ *os.Root, _ string, info fs.FileInfo) error {
		is = info
		return nil
	})
	return is, err
}

// ReadDir implements fs.ReadDirFS.
func (f FS) ReadDir(name string) ([]fs.DirEntry, error) {
	path, err := f.path("open", name)
	if err != nil {
		return nil, err
	}
	var list []fs.DirEntry
	err = inTree(path, func(root *os.Root, name string, _ fs.FileInfo) error {
		list, err = fs.ReadDir(root.FS(), filepath.ToSlash(name))
		return err
	})
	return list, err
}

func (f FS) path(op, name string) (string, error) {
	if f.disk {
		return diskPath(op, name)
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) || !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return filepath.Join(f.dir, filepath.FromSlash(name)), nil
}

// Disk is the file system of this machine. A name in it is an absolute path with slashes, without the first slash. Stat
// does not follow a link.
var Disk = FS{disk: true}

func diskPath(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	path := filepath.FromSlash(strings.TrimPrefix(name, "."))
	if filepath.VolumeName(path) == "" {
		path = string(filepath.Separator) + path
	}
	return path, nil
}
