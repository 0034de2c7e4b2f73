package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/rulerun/rulerun/dsl/source"
)

// The tree of a file limits where links on its path may lead. It is the repository of the file: the nearest folder
// above that contains .git. Otherwise it is the working folder, if the file is below it, else the file's own folder.
// It depends on the name of the file only, so a link cannot select another tree.
//
// A link may lead to a regular file of the same ending in the tree, but not in a hidden folder: a repository contains
// secrets too, such as .git/config. os.Root refuses links that leave the tree, including absolute links.

// treeOf splits a path into its tree and the name in it.
func treeOf(path string) (root, name string, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return "", "", err
	}
	root = filepath.Dir(path)
	top := filepath.VolumeName(path) + string(filepath.Separator) // the search for a repository ends here
	work, err := os.Getwd()
	below := err == nil && work != top && Within(path, work)
	for dir := root; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && !(below && throughLink(work, dir)) {
			root = dir
			break
		}
		if below && dir == work {
			root = work // unless a repository contains it
		}
		if dir == top || dir == filepath.Dir(dir) {
			break
		}
	}
	name, err = filepath.Rel(root, path)
	return root, name, err
}

// SameTree reports whether a file lies in the tree of another one, by their names.
func SameTree(path, other string) bool {
	root, _, err := treeOf(other)
	if err != nil {
		return false
	}
	path, err = filepath.Abs(path)
	return err == nil && Within(path, root)
}

// Within reports whether a path lies below a folder, by their names.
func Within(path, folder string) bool {
	folder = strings.TrimSuffix(folder, string(filepath.Separator)) + string(filepath.Separator)
	return path != folder && strings.HasPrefix(path, folder)
}

// throughLink reports whether what is between a folder and a name below it, or has that name, is a link.
func throughLink(above, path string) bool {
	for ; Within(path, above); path = filepath.Dir(path) {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// leadsOut is the reason for refusing a file behind a link.
func leadsOut() error {
	return &source.Unreadable{
		Code: "unreadable-file", Message: "this is a link to where no file is read",
		Hint: "put a copy in its place: a link must be relative and lead to a file of the same ending, in no hidden folder, inside the repository or the folder that is checked",
	}
}

// inTree opens the tree of a path, checks that links do not leave it, and calls use with the name in the tree and what is there.
func inTree(path string, use func(root *os.Root, name string, info fs.FileInfo) error) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return err // most files that are looked for are elsewhere
	}
	dir, name, err := treeOf(path)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err == nil && throughLink(dir, filepath.Join(dir, name)) {
		err = sameKind(dir, name)
	}
	if err == nil {
		err = use(root, name, info)
	}
	var system syscall.Errno
	var p *fs.PathError
	if errors.As(err, &p) && !errors.As(err, &system) { // refusals of os.Root are no errors of the system
		return leadsOut()
	}
	return err
}

// sameKind refuses a link to a file of another ending or in a hidden folder.
func sameKind(dir, name string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	target, err = filepath.Rel(dir, target)
	if err != nil || target == filepath.Clean(name) {
		return err
	}
	hidden := func(part string) bool { return strings.HasPrefix(part, ".") && part != "." }
	if slices.ContainsFunc(strings.Split(target, string(filepath.Separator)), hidden) || !strings.EqualFold(filepath.Ext(target), filepath.Ext(name)) {
		return leadsOut()
	}
	return nil
}
