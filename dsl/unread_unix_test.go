//go:build unix

package dsl

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

// TestUnreadable: a library reads regular files of a bounded size alone, and says why it does not read another one.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"pipe.rules", "pool.yaml", "a.clauses"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zero.rules")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "huge.rules"), make([]byte, MaxRules+1), 0o600); err != nil {
		t.Fatal(err)
	}
	lib := Library{Beside: os.DirFS(dir), Prefix: "house/"}
	for base, want := range map[string]string{
		"pipe": "this is a named pipe, want a file",
		"zero": "this is a device, want a file",
		"huge": "this file has more than 262144 bytes and is not read",
	} {
		_, l := Load(source.New("x.rules", "change x \"X\" for "+base+" [A-1]\n"), lib)
		if len(l) != 1 || l[0].Message != want || l[0].Span.Name() != "house/"+base+".rules" || l[0].Hint == "" {
			t.Errorf("%s: got %v, want %q", base, l, want)
		}
	}
	board, ok := lib.Board("pool", nil)
	if !ok || board.Unreadable() == nil {
		t.Error("a board that is a pipe is found and not refused")
	}
	for _, list := range lib.ClauseLists() {
		if _, l := ReadClauses(list); len(l) != 1 || l[0].Code != "unreadable-file" {
			t.Errorf("a list of clauses: %v", l)
		}
	}
}
