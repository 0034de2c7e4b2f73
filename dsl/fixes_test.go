package dsl

import (
	"path/filepath"
	"testing"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// TestFixesMend carries out every fix that is offered for the broken files, each alone, and looks whether what it is
// offered for is gone.
func TestFixesMend(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "broken", "*.rules"))
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, path := range paths {
		name := filepath.Base(path)
		text, diags := broken(t, path)
		for _, d := range diags {
			for _, f := range d.Fixes {
				if f.Title == "" || len(f.Edits) == 0 {
					t.Errorf("%s: %v has an empty fix", name, d)
				}
				if f.Edits[0].Span.Name() != name {
					continue
				}
				tried++
				mended := f.Apply(source.New(name, text))
				if has(found(besideBroken, name, mended), d) {
					t.Errorf("%s: %q does not mend\n%v", name, f.Title, d)
				}
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d fixes were offered", tried)
	}
}

// has reports whether a list says the same of the same place.
func has(l diag.List, d diag.Diagnostic) bool {
	for _, x := range l {
		if x.Code == d.Code && x.Message == d.Message && x.Span.Position() == d.Span.Position() {
			return true
		}
	}
	return false
}
