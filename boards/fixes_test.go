package boards

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

// TestFixesMend carries out every fix that is offered for the broken boards and looks whether what it is offered for is
// gone.
func TestFixesMend(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "broken", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, path := range paths {
		file, _ := openBroken(strings.TrimSuffix(filepath.Base(path), ".yaml"))
		_, diags := Read(file, nil, openBroken)
		for _, d := range diags {
			for _, f := range d.Fixes {
				if f.Edits[0].Span.Name() != file.Name() {
					continue
				}
				tried++
				_, left := Read(source.New(file.Name(), f.Apply(file)), nil, openBroken)
				for _, x := range left {
					if x.Code == d.Code && x.Message == d.Message && x.Span.Position() == d.Span.Position() {
						t.Errorf("%s: %q does not mend\n%v", path, f.Title, d)
					}
				}
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d fixes were offered", tried)
	}
}
