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
