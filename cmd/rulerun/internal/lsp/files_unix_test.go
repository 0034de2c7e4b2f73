//go:build unix

package lsp_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOddFiles: a file that is no regular one is a finding of those that build on it, and nothing waits for it.
func TestOddFiles(t *testing.T) {
	dir := write(t, nil)
	for _, name := range []string{"pipe.rules", "pool.yaml", "list.clauses"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"out.rules": "/etc/passwd", "environ.yaml": "/proc/self/environ", "zero.rules": "/dev/zero"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	e := start(t, dir)
	for name, want := range map[string]string{
		"on_pipe":    "in " + dir + "/pipe.rules, line 1: this is a named pipe, want a file",
		"on_out":     "in " + dir + "/out.rules, line 1: this is a link to where no file is read",
		"on_zero":    "in " + dir + "/zero.rules, line 1: this is a link to where no file is read",
		"on_environ": "in " + dir + "/environ.yaml, line 1: this is a link to where no file is read",
		"on_pool":    "in " + dir + "/pool.yaml, line 1: this is a named pipe, want a file",
	} {
		_, base, _ := strings.Cut(name, "_")
		text := "change " + name + " \"It builds on an odd file\" for " + base + "\n"
		if base == "pool" || base == "environ" {
			text = strings.Replace(strings.Replace(sprint, "cross68", base, 1), "sprint", name, 1)
		}
		got := e.findings(e.open(filepath.Join(dir, name+".rules"), text))
		if len(got) == 0 || got[0].Code != "unreadable-file" || !strings.HasPrefix(got[0].Message, want) {
			t.Errorf("%s: got %+v, want %q", name, got, want)
		}
	}
}
