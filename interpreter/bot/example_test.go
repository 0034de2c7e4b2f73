package bot_test

import (
	"fmt"
	"os"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
)

// A bot that plays a game alone, with options after a colon.
func ExampleNew() {
	text, _ := os.ReadFile("../../examples/games/snakes.rules")
	book, _ := dsl.Load(source.New("snakes.rules", string(text)), dsl.Library{Beside: os.DirFS("../../examples/games")})
	rules, _ := book.Rules(dsl.Setting{Players: 1})
	game, err := interpreter.Compile(rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := bot.New("greedy:progress=2")
	if err != nil {
		fmt.Println(err)
		return
	}
	runner, err := interpreter.NewRunner(game, interpreter.RunOptions{Players: []interpreter.Chooser{b}})
	if err != nil {
		fmt.Println(err)
		return
	}
	played, err := runner.Play(1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(played.Throws, "throws")

	_, err = bot.New("greddy")
	fmt.Println(err)
	// Output:
	// 39 throws
	// there is no bot "greddy"
}
