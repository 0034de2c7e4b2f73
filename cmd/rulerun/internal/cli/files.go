package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
)

func readText(path string) (string, error) {
	data, err := files.Read(path, files.Limit(path))
	if err != nil {
		return "", fileError(path, err)
	}
	return string(data), nil
}

// readSource reads a text that is then parsed. One that is there and is not read is found at fault there.
func readSource(path string, limit int) (*source.File, error) {
	file, err := files.Source(path, limit)
	if err != nil {
		return nil, fileError(path, err)
	}
	return file, nil
}

// readStdin reads the standard input as a rule file.
func readStdin(r io.Reader) (*source.File, error) {
	const name = "<stdin>"
	data, err := files.ReadAll(r, dsl.MaxRules)
	if why, ok := errors.AsType[*source.Unreadable](err); ok {
		return source.Unread(name, why), nil
	}
	if err != nil {
		return nil, fileError("standard input", err)
	}
	return source.New(name, string(data)), nil
}

// wantFile refuses a folder.
func wantFile(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return told("usage.folder", "path", strconv.Quote(path))
	}
	return nil
}

// fileError says in plain words why a file cannot be had. One that is not there is a mistake in the command.
func fileError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return told("usage.no_file", "path", strconv.Quote(path))
	case errors.Is(err, fs.ErrPermission):
		return sayable("file.not_allowed", "path", path)
	}
	if why, ok := errors.AsType[*source.Unreadable](err); ok {
		return cmp.Or(wantFile(path), fmt.Errorf("%s: %w", path, why))
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// collect lists the files that arguments name: files as they are, of folders all files inside with one of the
// extensions, hidden folders left out. A folder without such files is no mistake, as a change that takes the last one
// away must not fail: there is nothing to do.
func collect(args []string, extensions ...string) ([]string, error) {
	var out []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, fileError(arg, err)
		}
		if !info.IsDir() {
			if !endsIn(arg, extensions) {
				return nil, told("file.not_known", "path", strconv.Quote(arg), "endings", extensions)
			}
			out = append(out, arg)
			continue
		}
		if out, err = (&scan{extensions: extensions}).folder(arg, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// scan lists the files in a folder. A link to a folder in the same tree is followed, if the scan does not come to that folder
// anyway.
type scan struct {
	extensions []string
	seen       []string // folders that have been scanned, without links
}

func (s *scan) folder(dir string, out []string) ([]string, error) {
	real, err := realPath(dir)
	if err != nil {
		return nil, fileError(dir, err)
	}
	s.seen = append(s.seen, real)
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		dir += string(filepath.Separator) // WalkDir does not follow the link otherwise
	}
	var links []string
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		link := err == nil && d.Type()&fs.ModeSymlink != 0
		switch {
		case err != nil:
			return fileError(path, err)
		case d.IsDir() && path != dir && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case link && s.isFolder(path):
			links = append(links, path)
		case endsIn(path, s.extensions) && (d.Type().IsRegular() || !d.IsDir() && refused(path)):
			out = append(out, path)
		}
		return nil
	})
	for _, link := range links {
		real, failed := realPath(link)
		if err != nil || failed != nil || slices.ContainsFunc(s.seen, func(dir string) bool { return real == dir || files.Within(real, dir) }) {
			continue
		}
		out, err = s.folder(link, out)
	}
	return out, err
}

// isFolder reports whether a link leads to a folder that is read: one in the tree, and not hidden.
func (s *scan) isFolder(link string) bool {
	info, err := os.Stat(link)
	if err != nil || !info.IsDir() || strings.HasPrefix(filepath.Base(link), ".") {
		return false
	}
	f, err := files.Folder(link).ReadDir(".")
	return err == nil && len(f) > 0
}

func realPath(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// refused reports whether a link, a pipe or a device in a folder is a fault. A link to a file of the folder is none: the scan
// comes to the file itself.
func refused(path string) bool {
	if slices.Contains(boards.Endings, filepath.Ext(path)) { // of any program
		return false
	}
	f, err := files.Open(path, files.Limit(path))
	if err == nil {
		f.Close()
	}
	var why *source.Unreadable
	return errors.As(err, &why)
}

func endsIn(path string, extensions []string) bool {
	return slices.ContainsFunc(extensions, func(e string) bool { return strings.HasSuffix(path, e) })
}

// rulePaths is collect for verbs that take shipped rule books by their names too.
func (s *session) rulePaths(args []string, extensions ...string) ([]string, error) {
	var out []string
	for _, arg := range args {
		if _, err := os.Stat(arg); err != nil && filepath.Ext(arg) == "" && !isPath(arg) {
			if _, _, err := s.rulesFile(arg); err != nil {
				return nil, err
			}
			out = append(out, arg)
			continue
		}
		files, err := collect([]string{arg}, extensions...)
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	return out, nil
}

// writeFile writes a file whole or not at all: beside it first, then in its place.
func writeFile(path string, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return told("usage.folder", "path", strconv.Quote(path))
		}
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return writeError(path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = writeError(path, err)
		}
	}()
	b := bufio.NewWriterSize(f, 1<<20)
	if err := cmp.Or(write(b), b.Flush(), f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// newFile makes a file that must not be there yet.
func newFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// save writes a text to a file, whole or not at all.
func save(path string, text []byte) error {
	return writeFile(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

func writeError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return sayable("file.no_folder", "path", path)
	case errors.Is(err, fs.ErrPermission):
		return sayable("file.not_writable", "path", path)
	}
	return sayable("file.cannot_write", "path", path, "why", err)
}
