package learn_test

import (
	"testing"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/solve"
)

// against is the probability that a bot wins a duel against best play, averaged over both starting players.
func against(t *testing.T, g *interpreter.Game, name string) (share float64) {
	t.Helper()
	counted, err := g.Counted()
	if err != nil {
		t.Fatal(err)
	}
	for first := range 2 {
		r, err := solve.Solve(t.Context(), counted.Start(first), solve.Options{
			Wins: true, Tolerance: 1e-9, Bots: []string{"", name}, Bot: func(name string) (interpreter.Chooser, error) { return bot.New(name) },
		})
		if err != nil {
			t.Fatal(err)
		}
		share += r.Wins[1] / 2
	}
	return share
}
