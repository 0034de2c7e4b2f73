package stats_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// race can be solved by hand. Two steps win, and a turn takes one or two: greedy wins at once, random in half of its turns.
// So greedy wins always where it begins, and half of the games where it does not.
const race = `
ruleset race "Race"
board cross68
players 2 of 2..4
pieces 1 at home
dice die = d6
option far = 2 of 1..2 "how far more goes"
var player steps_made: 0..9 = 0
turn { throw die; play die }
move one(p in mine) stay
move more(p in mine) stay
rule race "Two steps win" {
  may one(p)
  may more(p)
  on one(p) { p.player.steps_made += 1 }
  on more(p) { p.player.steps_made += far }
  win player x when x.steps_made >= 2
}
`

func dealtOptions(games int, names ...string) stats.Options {
	return stats.Options{To: games, Seed: 5, Rotate: true, Deal: true, Seats: names, Players: func() (out []interpreter.Chooser) {
		for _, name := range names {
			b, err := bot.New(name)
			if err != nil {
				panic(err)
			}
			out = append(out, b)
		}
		return out
	}}
}

// TestDeal tells players and seats apart where the truth is known.
func TestDeal(t *testing.T) {
	near := func(what string, got stats.Share, want float64) {
		t.Helper()
		if se := math.Sqrt(want * (1 - want) / float64(max(1, got.N))); got.N == 0 || math.Abs(got.Value()-want) > 4*se {
			t.Errorf("%s: %d of %d, want %g", what, got.K, got.N, want)
		}
	}
	const games = 4000
	g := made(t, nil, "race.rules", race, dsl.Setting{})
	for _, names := range [][]string{{"greedy", "random"}, {"random", "greedy"}} {
		tally := run(t, g, dealtOptions(games, names...))
		for _, d := range tally.Dealt {
			first, second, all := 1.0, 0.5, 0.75
			if d.Name == "random" {
				first, second, all = 0.5, 0, 0.25
			}
			near(d.Name, stats.Share{K: d.Wins, N: games}, all)
			near(d.Name+" first", stats.Share{K: d.Won[0], N: d.Sat[0]}, first)
			near(d.Name+" second", stats.Share{K: d.Won[1], N: d.Sat[1]}, second)
			if d.Sat[0] != games/2 || d.FairShare() != 0.5 {
				t.Errorf("%s begins %d of %d games, and would win %g among equals", d.Name, d.Sat[0], games, d.FairShare())
			}
		}
		near("the starter", tally.StarterWon(), 0.75)
		for seat := range 2 {
			near("a seat", tally.Won(seat), 0.5)
		}
	}
	tally := run(t, snakes(t, 4), dealtOptions(games, "greedy", "random", "random")) // no player decides anything
	near("luck", stats.Share{K: tally.Dealt[0].Wins, N: games}, 1.0/3)
	near("luck", stats.Share{K: tally.Dealt[1].Wins, N: games}, 2.0/3)
	if fair := tally.Dealt[1].FairShare(); len(tally.Dealt) != 2 || math.Abs(fair-2.0/3) > 1e-9 {
		t.Errorf("%d players, random wins %g among equals", len(tally.Dealt), fair)
	}
}

// TestDealParts plays in parts and threads what is dealt.
func TestDealParts(t *testing.T) {
	g := made(t, nil, "race.rules", race, dsl.Setting{Players: 3})
	o := dealtOptions(300, "greedy", "random")
	whole := run(t, g, o)
	var parts []*stats.Tally
	for _, to := range [][2]int{{0, 70}, {70, 300}} {
		o.From, o.To, o.Of, o.Threads = to[0], to[1], 300, 3
		data, err := run(t, g, o).Write()
		if err != nil {
			t.Fatal(err)
		}
		part, err := stats.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	joined, err := stats.Join(parts...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text(t, whole), text(t, joined)); diff != "" {
		t.Error(diff)
	}
	parts[0].Dealt[0].Won[1] = parts[0].Dealt[0].Sat[1] + 1
	if data, err := parts[0].Write(); err != nil {
		t.Fatal(err)
	} else if _, err := stats.Read(data); err == nil {
		t.Error("more games won than played are read")
	}
}

// TestCompareDealt finds whom a rule favours: with steps of one, the side that begins wins with any players.
func TestCompareDealt(t *testing.T) {
	a, b := made(t, nil, "race.rules", race, dsl.Setting{}), made(t, nil, "race.rules", race, dsl.Setting{Options: map[string]string{"far": "1"}})
	o := dealtOptions(0, "greedy", "random")
	c, err := stats.Compare(t.Context(), a, b, stats.CompareOptions{Games: 4000, Seed: 1, Seats: [2][]string{o.Seats, o.Seats},
		Players: [2]func() []interpreter.Chooser{o.Players, o.Players}, Deal: [2]bool{true, true}})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]stats.Difference{}
	for _, d := range c.Differences {
		found[d.Name] = d
	}
	for name, want := range map[string]float64{"greedy": -0.25, "random": 0.25, stats.MeasureEdge: 0.25} {
		d := found[name]
		if !(d.Interval.Low <= want && want <= d.Interval.High) || d.Sign() == 0 || d.B.Mean != map[string]float64{stats.MeasureEdge: 0.5}[name] {
			t.Errorf("%s: %g, from %g to %g, want %g; B has %g", name, d.Value, d.Interval.Low, d.Interval.High, want, d.B.Mean)
		}
	}
	if !found["greedy"].Main || found["random"].Main || c.Games%4 != 0 {
		t.Errorf("main: %v and %v; %d games", found["greedy"].Main, found["random"].Main, c.Games)
	}
}
