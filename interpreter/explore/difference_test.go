package explore

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/source"
)

// TestNoDifference: clauses, options and changes that make no difference are found, and no others; not those that a finding or a test
// explains.
func TestNoDifference(t *testing.T) {
	never := func(source.Span) bool { return false }
	for _, x := range []struct {
		file      string
		explained func(source.Span) bool
		want      string
	}{
		{"alike", never, "12 on throw(die)\n16 on capture(p, q)\n4 shelter\n"},
		{"alike", func(at source.Span) bool { return strings.HasPrefix(at.Text(), "on ") }, "4 shelter\n"},
		{"alike_whole", never, "1 change alike_whole\n"},
		{"alike_whole", func(source.Span) bool { return true }, ""},
		{"alike_tested", never, ""},
		{"pair", never, ""},
		{"at_once", never, ""}, // its games have no throws: their number is limited
	} {
		got := ""
		for _, d := range Of(load(t, filepath.Join("testdata", x.file+".rules"))).NoDifference(context.Background(), 1, x.explained) {
			text, _, _ := strings.Cut(d.Span.Text(), " when")
			text, _, _ = strings.Cut(text, " {")
			text, _, _ = strings.Cut(text, " \"")
			got += fmt.Sprintln(d.Span.Position().Line, text)
		}
		if diff := cmp.Diff(x.want, got); diff != "" {
			t.Errorf("%s: %s", x.file, diff)
		}
	}
}
