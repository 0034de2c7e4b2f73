package heat_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/heat"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// The place of a board where pieces land most often.
func ExampleRun() {
	text, _ := os.ReadFile("../../examples/games/snakes.rules")
	book, _ := dsl.Load(source.New("snakes.rules", string(text)), dsl.Library{Beside: os.DirFS("../../examples/games")})
	rules, _ := book.Rules(dsl.Setting{Players: 2})
	game, err := interpreter.Compile(rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := heat.Run(context.Background(), game, heat.Options{Of: heat.Landings, Options: stats.Options{To: 500, Seed: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	most := 0
	for place := range m.Counts {
		if m.At(place) > m.At(most) {
			most = place
		}
	}
	fmt.Printf("%s: %.1f times in a game\n", game.PlaceName(most), m.Value(m.At(most)))
	// Output: 44: 1.6 times in a game
}
