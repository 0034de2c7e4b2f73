package syntax

import (
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// TestEndOfFile reads declarations that end at any number of tokens behind an operand.
func TestEndOfFile(t *testing.T) {
	for n := range 40 {
		for _, head := range []string{"let x =", "pieces", "turn { earn", "count \"c\" on", "rule r \"R\" { may m(p) when"} {
			Parse(source.New("x.rules", head+strings.Repeat(" a", n)), &diag.List{})
			Parse(source.New("x.rules", head+strings.Repeat(" a", n)+"\n"), &diag.List{})
		}
	}
}

// TestSpans: the span of a node ends where its last token does, before blanks and comments.
func TestSpans(t *testing.T) {
	const text = "ruleset x \"A // end\" // end\n// end\n\npieces 2 at home // end\r\n// end\n\nvar piece way: set of 1..4 // end\nrename a to b // \" // end\n" +
		"rule r \"R\" // end\n{ may m(p) // end\n}\n// \"// end\n"
	f := source.New("x.rules", text)
	nodes := 0
	tree := Parse(f, &diag.List{})
	Walk(append([]*Decl{tree.Header}, tree.Decls...), func(node any) bool {
		if n, ok := node.(interface {
			Span(f *source.File) source.Span
		}); ok {
			nodes++
			if got := n.Span(f).Text(); got != strings.TrimSpace(got) || strings.HasSuffix(got, "// end") {
				t.Errorf("%T: %q", n, got)
			}
		}
		return true
	})
	if nodes < 20 {
		t.Errorf("%d nodes", nodes)
	}
}
