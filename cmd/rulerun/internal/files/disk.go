package files

import (
	"io/fs"
	"path/filepath"
	"strings"
)

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
