package solve_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/solve"
)

// The exact length of a game.
func ExampleSolve() {
	text, _ := os.ReadFile("../../examples/games/snakes.rules")
	book, _ := dsl.Load(source.New("snakes.rules", string(text)), dsl.Library{Beside: os.DirFS("../../examples/games")})
	rules, _ := book.Rules(dsl.Setting{Players: 1})
	game, err := interpreter.Compile(rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := solve.Solve(context.Background(), game.Start(0), solve.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d positions, %.4f throws on average\n", r.States, r.Throws)
	// Output: 81 positions, 39.2251 throws on average
}
