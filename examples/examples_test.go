package examples

import (
	"io/fs"
	"testing"

	"github.com/rulerun/rulerun/boards"
)

// TestShipped: no two files that come with the program have the same name, and each can be found.
func TestShipped(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range boards.Names() {
		seen[name+".yaml"] = true
	}
	all := 0
	for _, pattern := range []string{"*.rules", "*.yaml"} {
		names, err := fs.Glob(Shipped(), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if text, err := fs.ReadFile(Shipped(), name); err != nil || len(text) == 0 || seen[name] {
				t.Errorf("%s: %v, seen before %v", name, err, seen[name])
			}
			seen[name] = true
			all++
		}
	}
	files := 0
	_ = fs.WalkDir(folders, ".", func(string, fs.DirEntry, error) error { files++; return nil })
	if all < files-3 {
		t.Errorf("%d names of %d files", all, files)
	}
	if _, err := fs.Stat(Shipped(), "clauses"); err != nil {
		t.Error(err)
	}
	if _, err := fs.ReadFile(Shipped(), "nothing.rules"); err == nil {
		t.Error("a file that is not there is found")
	}
}
