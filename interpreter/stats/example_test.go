package stats_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Two parts of a run, as two machines may play them, and what they come to together.
func ExampleJoin() {
	dir := os.DirFS("../../examples/games")
	text, _ := os.ReadFile("../../examples/games/snakes.rules")
	book, _ := dsl.Load(source.New("snakes.rules", string(text)), dsl.Library{Beside: dir})
	rules, _ := book.Rules(dsl.Setting{Players: 1})
	game, err := interpreter.Compile(rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	var parts []*stats.Tally
	for _, from := range []int{500, 0} {
		part, err := stats.Run(context.Background(), game, stats.Options{From: from, To: from + 500, Of: 1000, Seed: 1})
		if err != nil {
			fmt.Println(err)
			return
		}
		parts = append(parts, part)
	}
	all, err := stats.Join(parts...)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := all.Throws.Mean()
	fmt.Printf("%d games of %.0f throws, half of them with no more than %d\n", all.Games(), m.Mean, all.Throws.Quantile(0.5))
	// Output: 1000 games of 40 throws, half of them with no more than 33
}

// longest is a statistic of its own: the longest game.
type longest struct{ throws int }

// Add implements stats.Counter.
func (l *longest) Add(x *interpreter.Played) { l.throws = max(l.throws, x.Throws) }

// Take implements stats.Counter.
func (l *longest) Take() int {
	n := l.throws
	l.throws = 0
	return n
}

// A statistic of your own: the longest of many games.
func ExampleCollect() {
	text, _ := os.ReadFile("../../examples/games/snakes.rules")
	book, _ := dsl.Load(source.New("snakes.rules", string(text)), dsl.Library{Beside: os.DirFS("../../examples/games")})
	rules, _ := book.Rules(dsl.Setting{Players: 1})
	game, err := interpreter.Compile(rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	most := 0
	counter := func(*interpreter.RunOptions) stats.Counter[int] { return &longest{} }
	games, err := stats.Collect(context.Background(), game, stats.Options{To: 1000, Seed: 1}, counter, func(n int) { most = max(most, n) })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("the longest of %d games took %d throws\n", games, most)
	// Output: the longest of 1000 games took 211 throws
}
