//go:build unix

package lsp_test

import (
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
	e := start(t, dir)
	for name, want := range map[string]string{
		"on_pipe":  "in " + dir + "/pipe.rules, line 1: this is a named pipe, want a file",
		"on_board": "in " + dir + "/pool.yaml, line 1: this is a named pipe, want a file",
	} {
		text := "change " + name + " \"It builds on a pipe\" for pipe\n"
		if name == "on_board" {
			text = strings.Replace(strings.Replace(sprint, "cross68", "pool", 1), "sprint", name, 1)
		}
		got := e.findings(e.open(filepath.Join(dir, name+".rules"), text))
		if len(got) == 0 || got[0].Code != "unreadable-file" || !strings.HasPrefix(got[0].Message, want) {
			t.Errorf("%s: got %+v, want %q", name, got, want)
		}
	}
}
