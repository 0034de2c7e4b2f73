package dsl

import (
	"os"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

// BenchmarkCheck reads and checks shipped rule books, in every setting and with their tests.
func BenchmarkCheck(b *testing.B) {
	for _, name := range []string{"parchis4a", "parchis", "ludoteka", "cicloparchis", "patolli"} {
		b.Run(name, func(b *testing.B) {
			lib := Library{Shipped: os.DirFS("../rulesets")}
			text, err := os.ReadFile("../rulesets/" + name + ".rules")
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				book, l := Load(source.New(name+".rules", string(text)), lib)
				if book == nil {
					b.Fatal(l)
				}
				Check(book)
			}
		})
	}
}
