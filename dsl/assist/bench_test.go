package assist_test

import (
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/rulesets"
)

// BenchmarkRead reads the longest shipped rule book, as with every key that is pressed.
func BenchmarkRead(b *testing.B) {
	lib := dsl.Library{Shipped: rulesets.FS}
	longest, _ := lib.Rules(lib.RulesNames()[0], nil)
	for _, name := range lib.RulesNames() {
		if f, _ := lib.Rules(name, nil); len(f.Text()) > len(longest.Text()) {
			longest = f
		}
	}
	for b.Loop() {
		assist.Read(longest, lib)
	}
}
