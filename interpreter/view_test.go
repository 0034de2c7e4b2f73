package interpreter_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
)

// TestView plays with hidden choices, all combinations of them: what a seat sees of a game is the same to the letter
// whatever the other team chose, up to the end; then all is seen.
func TestView(t *testing.T) {
	g := shipped(t, "cicloparchis", dsl.Setting{Options: map[string]string{"mode": "secret"}})
	var games [4]*interpreter.Position // number: the first team's choice, and twice the second's
	for n := range games {
		games[n] = g.Start(0)
		for team, i := range []int{n & 1, n >> 1} {
			if p := games[n].Player(); p != g.Rules().Teams[team][0] || !games[n].Secret() {
				t.Fatalf("seat %d is asked, secretly: %v", p, games[n].Secret())
			}
			seenBy(t, games[:n+1])
			if err := games[n].Choose(i); err != nil {
				t.Fatal(err)
			}
		}
	}
	for event := range uint64(400) {
		if slices.ContainsFunc(games[:], func(p *interpreter.Position) bool { return p.Kind() == interpreter.Over }) {
			break
		}
		for n, p := range games {
			for seat := range g.Players() {
				other := n ^ 2 // where the other team of seat chose otherwise
				if g.Rules().Seats[seat].Team == 1 {
					other = n ^ 1
				}
				if got, want := asJSON(t, p.View(seat)), asJSON(t, games[other].View(seat)); got != want {
					t.Fatalf("after %d events seat %d sees what the other team chose:\n%s\n%s", event, seat, got, want)
				}
			}
			if got, want := asJSON(t, p.View(interpreter.None)), asJSON(t, games[0].View(interpreter.None)); got != want {
				t.Fatalf("after %d events onlookers see what was chosen:\n%s\n%s", event, got, want)
			}
		}
		seenBy(t, games[:])
		for _, p := range games {
			r := interpreter.NewRandom(5, event)
			step(t, p, &r)
		}
	}
	for n, p := range games {
		for event := uint64(1000); p.Kind() != interpreter.Over; event++ {
			r := interpreter.NewRandom(5, event)
			step(t, p, &r)
			if p.Throws() > 100_000 {
				t.Fatalf("game %d goes on and on", n)
			}
		}
		for seat := range g.Players() {
			if got, want := asJSON(t, p.View(seat)), asJSON(t, p.Setup()); got != want {
				t.Errorf("after the end seat %d sees\n%s\nwant\n%s", seat, got, want)
			}
			if named, _ := p.View(seat).Vars["named"].(map[string]any); len(named) != 2 {
				t.Errorf("after the end seat %d sees the choices %v", seat, named)
			}
		}
	}
}

// seenBy checks that no player sees a choice of the other team in a game that goes on, and each sees those of their own.
func seenBy(t *testing.T, games []*interpreter.Position) {
	t.Helper()
	for n, p := range games {
		g := p.Game()
		all, _ := p.Setup().Vars["named"].(map[string]any)
		for seat := range g.Players() {
			own := g.SeatName(g.Rules().Teams[g.Rules().Seats[seat].Team][0])
			seen, _ := p.View(seat).Vars["named"].(map[string]any)
			for team, colour := range all {
				if x, ok := seen[team]; ok != (team == own) || ok && x != colour {
					t.Fatalf("game %d: seat %d sees %v of %v", n, seat, seen, all)
				}
			}
		}
	}
}

func asJSON(t *testing.T, s *interpreter.Setup) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
