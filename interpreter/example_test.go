package interpreter_test

import (
	"fmt"
	"io/fs"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/rulesets"
)

// Load a shipped rule book, compile it and play a game by chance.
func Example() {
	text, _ := fs.ReadFile(rulesets.FS, "parchis4a.rules")
	book, faults := dsl.Load(source.New("parchis4a.rules", string(text)), dsl.Library{Shipped: rulesets.FS})
	if faults.HasErrors() {
		fmt.Println(faults)
		return
	}
	rules, faults := book.Rules(dsl.Setting{Players: 2})
	if faults.HasErrors() {
		fmt.Println(faults)
		return
	}
	game, err := interpreter.Compile(rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	pos := game.Start(0)
	random := interpreter.NewRandom(1, 0)
	for pos.Kind() != interpreter.Over {
		switch pos.Kind() {
		case interpreter.Throw:
			pos.ThrowRandom(&random)
		case interpreter.Choice:
			pos.ChooseRandom(&random)
		case interpreter.Broken:
			fmt.Println(pos.Err())
			return
		}
	}
	fmt.Println(len(pos.Result().Ranking), "players are ranked")
	// Output: 2 players are ranked
}

// How often a position is won, by playing it out many times.
func ExamplePosition_Playout() {
	text, _ := fs.ReadFile(rulesets.FS, "parchis4a.rules")
	book, _ := dsl.Load(source.New("parchis4a.rules", string(text)), dsl.Library{Shipped: rulesets.FS})
	rules, _ := book.Rules(dsl.Setting{Players: 2})
	game, _ := interpreter.Compile(rules)
	pos, _ := game.Setup(&interpreter.Setup{
		Turn: "yellow",
		Pieces: map[string][]string{
			"yellow": {"goal", "goal", "goal", "60"},
			"red":    {"goal", "goal", "goal", "33"},
		},
	})
	won := 0
	random, end := interpreter.NewRandom(1, 0), game.Start(0)
	for range 1000 {
		end.CopyFrom(pos)
		end.Playout(&random, interpreter.Until{Ranked: 1})
		if end.Kind() == interpreter.Over && end.Result().Ranking[0] == 0 {
			won++
		}
	}
	fmt.Printf("yellow comes first in %d of 1000 games", won)
	// Output: yellow comes first in 447 of 1000 games
}

// A position from outside, the options it offers, and why another move is not offered.
func ExampleGame_Setup() {
	text, _ := fs.ReadFile(rulesets.FS, "parchis4a.rules")
	book, _ := dsl.Load(source.New("parchis4a.rules", string(text)), dsl.Library{Shipped: rulesets.FS})
	rules, _ := book.Rules(dsl.Setting{Players: 2})
	game, _ := interpreter.Compile(rules)
	pos, err := game.Setup(&interpreter.Setup{
		Turn: "yellow",
		Pieces: map[string][]string{
			"yellow": {"10", "20", "30", "home"},
			"red":    {"12", "12", "home", "home"},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = pos.Throw(3)
	for _, o := range pos.Options() {
		fmt.Println(game.OptionText(o))
	}
	for _, r := range pos.Explain() {
		if r.Option.To != interpreter.None && r.Reasons[0] != nil && r.Option.From != r.Option.To {
			fmt.Println("not", game.OptionText(r.Option), "because of", r.Reasons[0].Rule.Name)
			break
		}
	}
	// Output:
	// 20 -> 23
	// 30 -> 33
	// not 10 -> 13 because of barriers_block
}

// A position that cannot be is refused with its reasons.
func ExampleSetupError() {
	text, _ := fs.ReadFile(rulesets.FS, "parchis4a.rules")
	book, _ := dsl.Load(source.New("parchis4a.rules", string(text)), dsl.Library{Shipped: rulesets.FS})
	rules, _ := book.Rules(dsl.Setting{Players: 2})
	game, _ := interpreter.Compile(rules)
	_, err := game.Setup(&interpreter.Setup{
		Turn:   "yellow",
		Pieces: map[string][]string{"yellow": {"10", "20", "99", "home"}, "blue": {"home", "home", "home", "home"}},
	})
	for _, reason := range err.(*interpreter.SetupError).Reasons {
		fmt.Println(reason)
	}
	// Output:
	// pieces: "blue" does not play in this game (yellow, red do)
	// pieces: "yellow" stands on "99", which the board does not have
	// pieces: "red" is missing
}
