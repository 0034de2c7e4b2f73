package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Disk is the file system of this machine. A name in it is an absolute path with slashes, without the first slash.
type Disk struct{}

// Open implements fs.FS.
func (Disk) Open(name string) (fs.File, error) {
	path, err := diskPath("open", name)
	if err != nil {
		return nil, err
	}
	return Open(path, Limit(name))
}

// ReadFile implements fs.ReadFileFS.
func (Disk) ReadFile(name string) ([]byte, error) {
	path, err := diskPath("open", name)
	if err != nil {
		return nil, err
	}
	return Read(path, Limit(name))
}

// Stat implements fs.StatFS. It does not follow a link.
func (Disk) Stat(name string) (fs.FileInfo, error) {
	path, err := diskPath("stat", name)
	if err != nil {
		return nil, err
	}
	return os.Lstat(path)
}

// ReadDir implements fs.ReadDirFS.
func (Disk) ReadDir(name string) ([]fs.DirEntry, error) {
	path, err := diskPath("open", name)
	if err != nil {
		return nil, err
	}
	return Folder(path).ReadDir(".")
}

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
