package suite_test

import (
	"context"
	"fmt"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/suite"
	"github.com/rulerun/rulerun/rulesets"
)

// The tests of a house rule, and what came of them.
func Example() {
	const house = `change slow "Nobody walks sixes" for parchis4a

rule slow "A 6 is walked by nobody" { never advance(p) when steps == 6 }

test "who walks where" {
  cases n to
        4 14
        6 16
  given yellow 10 goal goal home
  turn  yellow
  throw n
  expect moves 10 -> to
}
`
	book, faults := dsl.Load(source.New("slow.rules", house), dsl.Library{Shipped: rulesets.FS})
	if book == nil {
		fmt.Println(faults)
		return
	}
	suite.Run(context.Background(), suite.Of(book), suite.Options{}, func(r *suite.Result) {
		fmt.Println(r.Outcome, r.Test.Name)
		for _, d := range r.Findings() {
			fmt.Println("  " + d.Message)
		}
	})
	// Output:
	// passed who walks where [4 14]
	// failed who walks where [6 16]
	//   yellow is not offered: 10 -> 16
}
