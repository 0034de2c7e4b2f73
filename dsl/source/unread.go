package source

import (
	"fmt"
	"io/fs"
)

// Unreadable is the reason why an existing file is not read. It is an error.
type Unreadable struct {
	Code    string // of the finding
	Message string // "this is a named pipe, want a file"
	Hint    string // how to correct it
}

// Error is the message and the hint on one line.
func (u *Unreadable) Error() string { return u.Message + "; " + u.Hint }

// Unread returns a file called name without its text. Parsers report why it was not read.
func Unread(name string, why *Unreadable) *File {
	f := New(name, "")
	f.why = why
	return f
}

// Unreadable is why the file was not read, nil if it was.
func (f *File) Unreadable() *Unreadable { return f.why }

// Refuse says why a file is not read: it is not a regular file, or it has more than limit bytes. It returns nil for a
// file that can be read.
func Refuse(info fs.FileInfo, limit int) *Unreadable {
	what := ""
	switch mode := info.Mode(); {
	case mode.IsRegular() && info.Size() > int64(limit):
		return TooLarge(limit)
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = "not a regular file"
	}
	return &Unreadable{"unreadable-file", "this is " + what + ", want a file", "put a regular file in its place, or name another one"}
}

// TooLarge is the reason for refusing a file of more than limit bytes.
func TooLarge(limit int) *Unreadable {
	return &Unreadable{"too-large", fmt.Sprintf("this file has more than %d bytes and is not read", limit), "split it, or name another one"}
}
