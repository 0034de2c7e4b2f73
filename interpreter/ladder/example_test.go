package ladder_test

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/ladder"
	"github.com/rulerun/rulerun/rulesets"
)

// How much skill a game needs: greedy play against random play.
func ExamplePlay() {
	text, _ := fs.ReadFile(rulesets.FS, "parchis.rules")
	book, _ := dsl.Load(source.New("parchis.rules", string(text)), dsl.Library{Shipped: rulesets.FS})
	rules, _ := book.Rules(dsl.Setting{Players: 2})
	game, err := interpreter.Compile(rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	var entrants []ladder.Entrant
	for _, name := range []string{"greedy", "random"} {
		entrants = append(entrants, ladder.Entrant{Name: name, Make: func() interpreter.Chooser {
			b, err := bot.New(name)
			if err != nil {
				panic(err)
			}
			return b
		}})
	}
	duels := ladder.All(len(entrants), len(rules.Teams))
	if err := ladder.Play(context.Background(), game, entrants, duels, ladder.Options{Games: 100, Seed: 1}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("greedy wins %.0f %% of %d games, skill %.2f\n", 100*duels[0].Share(), duels[0].Games, duels[0].Skill())
	// Output: greedy wins 90 % of 100 games, skill 0.80
}
