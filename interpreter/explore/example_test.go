package explore_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/explore"
)

// The faults that random play finds in a rule book.
func ExampleGames() {
	text, _ := os.ReadFile("../../examples/games/snakes.rules")
	book, _ := dsl.Load(source.New("snakes.rules", string(text)), dsl.Library{Beside: os.DirFS("../../examples/games")})
	report, err := explore.Of(book).Explore(context.Background(), explore.Options{Seed: 1, Plays: 200})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d plays, %d findings\n", report.Plays, len(report.Findings))
	// Output: 200 plays, 0 findings
}
