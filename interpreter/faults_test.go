package interpreter

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// leastFaults is how many faults .ci/faults has at least.
const leastFaults = 24

// TestFaultsApply: every fault that .ci/faults seeds still applies to the tree, and says what it breaks; also those that no book finds.
func TestFaultsApply(t *testing.T) {
	paths, err := filepath.Glob("testdata/faults/*.patch")
	if err != nil || len(paths) < leastFaults {
		t.Fatalf("got %d faults (%v), want at least %d", len(paths), err, leastFaults)
	}
	unfound, err := filepath.Glob("testdata/faults/unfound/*.patch")
	if err != nil {
		t.Fatal(err)
	}
	paths = append(paths, unfound...)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("whether the faults apply is not looked at: there is no git")
	}
	table, err := os.ReadFile("testdata/faults/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(text, []byte("# ")) {
				t.Error("its first line is no comment that says what it breaks")
			}
			if name := name[:len(name)-len(".patch")]; !bytes.Contains(table, []byte("| "+name+" |")) {
				t.Errorf("testdata/faults/README.md has no line for it")
			}
			apply := exec.Command(git, "apply", "--check", "-")
			apply.Dir, apply.Stdin = "..", bytes.NewReader(text)
			if out, err := apply.CombinedOutput(); err != nil {
				t.Errorf("it does not apply: %s", out)
			}
		})
	}
}
