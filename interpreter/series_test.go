package interpreter_test

import (
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// beginning is parchis4a with another line that says who begins.
func beginning(t *testing.T, first string, players int) *interpreter.Game {
	t.Helper()
	text := "change series \"Who begins\" for parchis4a\n\nreplace first " + first + "\n"
	g, err := interpreter.Compile(testbook.Rules(t, "series.rules", text, nil, dsl.Setting{Players: players}))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestFirstAfter asks who begins after games that ended in all sorts of ways.
func TestFirstAfter(t *testing.T) {
	const byTheRules = interpreter.ByTheRules
	results := []struct {
		name          string
		result        interpreter.Result
		loser, winner int
	}{
		{"all are ranked", interpreter.Result{Winners: []int{2}, Ranking: []int{2, 0, 3, 1}}, 1, 2},
		{"no player is ranked", interpreter.Result{Winners: []int{0}}, 1, 0},
		{"a team, no player ranked", interpreter.Result{Winners: []int{1, 3}}, 0, 1},
		{"a team, one of it ranked last", interpreter.Result{Winners: []int{1, 3}, Ranking: []int{1, 0, 2, 3}}, 2, 1},
		{"no winner", interpreter.Result{}, byTheRules, byTheRules},
		{"all win", interpreter.Result{Winners: []int{0, 1, 2, 3}}, byTheRules, 0},
	}
	for _, first := range []string{"loser", "winner", "lot", "red", "highest die"} {
		g := beginning(t, first, 4)
		for _, r := range results {
			want := byTheRules
			switch first {
			case "loser":
				want = r.loser
			case "winner":
				want = r.winner
			}
			if got := g.FirstAfter(r.result); got != want {
				t.Errorf("first %s, %s: seat %d begins, want %d", first, r.name, got, want)
			}
		}
	}
	if got := beginning(t, "loser", 1).FirstAfter(interpreter.Result{Winners: []int{0}, Ranking: []int{0}}); got != byTheRules {
		t.Errorf("alone: seat %d begins, want the rules to say it", got)
	}
}

// TestSeries plays a series by chance: the first game begins with a lot, each other one with the seat that lost the one
// before, at once.
func TestSeries(t *testing.T) {
	g := beginning(t, "loser", 3)
	first := interpreter.ByTheRules
	for game := range uint64(5) {
		p := g.Start(first)
		if lot := p.Kind() == interpreter.Throw && len(p.Dice()) == 0; lot != (game == 0) {
			t.Fatalf("game %d: a lot is %v", game+1, lot)
		}
		if game > 0 && p.Turn() != first {
			t.Fatalf("game %d: seat %d begins, want %d", game+1, p.Turn(), first)
		}
		r := interpreter.NewRandom(3, game)
		for p.Kind() != interpreter.Over {
			step(t, p, &r)
		}
		ranking := p.Result().Ranking
		if first = g.FirstAfter(p.Result()); first != ranking[len(ranking)-1] {
			t.Fatalf("game %d: after the ranking %v seat %d begins", game+1, ranking, first)
		}
	}
}
