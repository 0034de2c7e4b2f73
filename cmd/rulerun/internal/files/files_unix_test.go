//go:build unix

package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

// refused reads a file and wants it refused with words.
func refused(t *testing.T, path, words string) {
	t.Helper()
	data, err := Read(path, Limit(path))
	var why *source.Unreadable
	if !errors.As(err, &why) || !strings.Contains(err.Error(), words) || data != nil {
		t.Errorf("%s: got %d bytes and %v, want an error with %q", filepath.Base(path), len(data), err, words)
	}
}

func TestOnlyRegularFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(at("pipe.rules"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(at("folder.rules"), 0o700); err != nil {
		t.Fatal(err)
	}
	socket, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(socket)
	t.Chdir(dir) // a socket's name is short
	if err := syscall.Bind(socket, &syscall.SockaddrUnix{Name: "socket.rules"}); err != nil {
		t.Fatal(err)
	}
	refused(t, at("pipe.rules"), "this is a named pipe")
	refused(t, at("folder.rules"), "this is a folder")
	refused(t, at("socket.rules"), "this is a socket")
	if _, err := Folder(dir).ReadFile("pipe.rules"); err == nil {
		t.Error("a pipe in a folder is read")
	}
	if f, err := Folder(dir).Open("pipe.rules"); err == nil {
		f.Close()
		t.Error("a pipe in a folder is opened")
	}
	if _, err := OpenToAppend(at("pipe.rules"), Max); err == nil {
		t.Error("a pipe is opened to append")
	}
}

func TestLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.rules")
	if err := os.WriteFile(path, []byte(strings.Repeat("/", Limit(path))), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(path, Limit(path)); err != nil || len(data) != Limit(path) {
		t.Errorf("got %d bytes, %v", len(data), err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Fatal(err)
	}
	refused(t, path, "more than 262144 bytes")
	if _, err := ReadAll(endless{}, 100); err == nil {
		t.Error("a stream without end is read")
	}
}

// endless has no end.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func TestFolderKeepsInside(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "above.rules"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../above.rules", filepath.Join(dir, "above.rules"), "in/../../above.rules", ""} {
		if _, err := Folder(filepath.Join(dir, "in")).ReadFile(name); err == nil {
			t.Errorf("%q is read", name)
		}
	}
}
