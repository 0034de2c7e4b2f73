package rulesets_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/rulesets"
)

// TestShipped checks every shipped rule book without a finding, and plays its scenarios.
func TestShipped(t *testing.T) {
	files, err := fs.Glob(rulesets.FS, "*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("no rule books", err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(rulesets.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { run(t, source.New(name, string(data)), dsl.Library{Shipped: rulesets.FS}) })
	}
}

// TestHouse does the same for the house rules among the examples.
func TestHouse(t *testing.T) {
	files, err := filepath.Glob("../examples/house/*.rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lib := dsl.Library{Beside: os.DirFS(filepath.Dir(path)), Shipped: rulesets.FS}
		t.Run(filepath.Base(path), func(t *testing.T) { run(t, source.New(filepath.Base(path), string(data)), lib) })
	}
}

func run(t *testing.T, file *source.File, lib dsl.Library) {
	book, faults := dsl.Load(file, lib)
	if book != nil {
		faults = append(faults, book.Check()...)
	}
	if len(faults) > 0 {
		var b strings.Builder
		_ = diag.Write(&b, faults, diag.Style{})
		t.Fatalf("findings:\n%s", b.String())
	}
	if len(book.Scenarios()) == 0 {
		t.Error("no tests beside the rules")
	}
	for _, s := range book.Scenarios() {
		rules, faults := s.Rules()
		if rules == nil {
			t.Errorf("%s: %v", s.Name, faults)
			continue
		}
		game, err := interpreter.Compile(rules)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		for _, f := range game.RunTest(rules.Tests[0]) {
			t.Error(f.Error())
		}
	}
}
