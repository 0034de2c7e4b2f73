package files

import (
	"os"
	"path/filepath"
	"strings"
)

// Copies is a folder for copies of shipped files, which editors show.
type Copies struct{ dir string }

// NewCopies makes copies in a folder.
func NewCopies(dir string) Copies {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return Copies{dir}
}

// Path is the path of the copy of a file, with slashes. The copy is made if it does not exist.
func (c Copies) Path(name, text string) string {
	target := filepath.Join(c.dir, filepath.FromSlash(name))
	if there, err := Read(target, Limit(target)); err == nil && string(there) == text {
		return filepath.ToSlash(target)
	}
	if os.MkdirAll(filepath.Dir(target), 0o755) == nil {
		_ = os.Remove(target)
		_ = os.WriteFile(target, []byte(text), 0o444)
	}
	return filepath.ToSlash(target)
}

// Name is the name of the file that a path with slashes is the copy of.
func (c Copies) Name(path string) (string, bool) {
	return strings.CutPrefix(path, filepath.ToSlash(c.dir)+"/")
}
