package interpreter_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// TestConstructs plays the scenarios of small rule books that between them use every construct of the language which
// the shipped ones do not.
func TestConstructs(t *testing.T) {
	files, err := filepath.Glob("testdata/rules/*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			book := testbook.Book(t, filepath.Base(path), string(data), os.DirFS(filepath.Dir(path)))
			if faults := dsl.Check(book); faults.HasErrors() {
				t.Fatal(faults)
			}
			for _, s := range book.Scenarios() {
				rules, faults := s.Rules()
				if rules == nil {
					t.Errorf("%s: %v", s.Name, faults)
					continue
				}
				game, err := interpreter.Compile(rules)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range game.RunTest(rules.Tests[0]) {
					t.Error(f.Error())
				}
			}
		})
	}
}
