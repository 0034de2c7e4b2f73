package interpreter_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// TestResults ends games of four in every way: who has won, and the places.
func TestResults(t *testing.T) {
	const yellow, blue, red, green = 0, 1, 2, 3
	for _, c := range []struct {
		block   string // of the first throw
		teams   bool
		winners []int
		ranking []int
		places  []int
	}{
		{"over", false, nil, nil, []int{1, 1, 1, 1}},
		{"win blue", false, []int{blue}, nil, []int{1, 1, 1, 1}},
		{"rank red; over", false, []int{red}, []int{red, yellow, blue, green}, []int{2, 2, 1, 2}},
		{"rank red; win blue", false, []int{blue}, []int{red, yellow, blue, green}, []int{2, 2, 1, 2}},
		{"drop blue; over", false, nil, []int{yellow, red, green, blue}, []int{1, 4, 1, 1}},
		{"drop yellow; drop blue; drop red; over", false, []int{green}, []int{green, yellow, blue, red}, []int{4, 4, 4, 1}},
		{"drop yellow; rank blue; over", false, []int{blue}, []int{blue, red, green, yellow}, []int{4, 1, 2, 2}},
		{"drop yellow; drop red; over", true, []int{blue, green}, []int{blue, green, yellow, red}, []int{4, 1, 4, 1}},
		{"drop yellow; over", true, nil, []int{blue, red, green, yellow}, []int{4, 1, 1, 1}},
		{"for x in game.players { drop x }", false, nil, []int{yellow, blue, red, green}, []int{4, 4, 4, 4}},
		{"for x in game.players { rank x }", false, []int{yellow}, []int{yellow, blue, red, green}, []int{1, 2, 3, 4}},
	} {
		teams := ""
		if c.teams {
			teams = "teams { yellow red | blue green }\n"
		}
		text := "change ends \"It ends\" for parchis4a\n\n" + teams + "without finish\nrule ends \"The first throw ends it\" {\n  on throw(die) { " + c.block +
			" }\n  over when none(game.players, .playing)\n}\n"
		rules := testbook.Rules(t, "ends.rules", text, nil, dsl.Setting{})
		g, err := interpreter.Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Start(0)
		if err := p.Throw(1); err != nil {
			t.Fatal(err)
		}
		if p.Kind() != interpreter.Over {
			t.Fatalf("%s: the game goes on", c.block)
		}
		places := make([]int, 4)
		for seat := range places {
			places[seat] = p.Place(seat)
		}
		if diff := cmp.Diff(interpreter.Result{Winners: c.winners, Worth: min(len(c.winners), 1), Ranking: c.ranking}, p.Result()); diff != "" {
			t.Errorf("%s:\n%s", c.block, diff)
		}
		if diff := cmp.Diff(c.places, places); diff != "" {
			t.Errorf("%s: places\n%s", c.block, diff)
		}
		tally, err := stats.Run(t.Context(), g, stats.Options{To: 40, First: 0})
		if err != nil {
			t.Fatal(err)
		}
		won := 0
		for _, n := range tally.Wins {
			won += n
		}
		drawn := tally.Drawn().K
		if want := len(c.winners) * 40; won != want || (drawn == 40) != (c.winners == nil) {
			t.Errorf("%s: got %d wins and %d draws in 40 games", c.block, won, drawn)
		}
	}
}
