package ladder_test

import (
	"context"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/interpreter/ladder"
)

func game(t *testing.T, name string, s dsl.Setting) *interpreter.Game {
	t.Helper()
	g, err := interpreter.Compile(testbook.In(t, os.DirFS("../../examples/games"), name+".rules", s))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func small(t *testing.T) *interpreter.Game {
	return game(t, "ur", dsl.Setting{Options: map[string]string{"pieces_each": "3"}})
}

func entrants(names ...string) []ladder.Entrant {
	var out []ladder.Entrant
	for _, name := range names {
		out = append(out, ladder.Entrant{Name: name, Make: func() interpreter.Chooser {
			b, err := bot.New(name)
			if err != nil {
				panic(err)
			}
			return b
		}})
	}
	return out
}

// TestPureLuck plays a game without decisions: every player is as strong as any other, exactly.
func TestPureLuck(t *testing.T) {
	for players := 2; players <= 3; players++ {
		g := game(t, "snakes", dsl.Setting{Players: players})
		duels := ladder.All(2, players)
		if err := ladder.Play(t.Context(), g, entrants("greedy", "random"), duels, ladder.Options{Games: 50, Seed: 1}); err != nil {
			t.Fatal(err)
		}
		for _, d := range duels {
			if d.Decisions != 0 || d.Skill() != 0 || d.SkillInterval().Low != 0 || d.SkillInterval().High != 0 {
				t.Errorf("%d players: %d decisions, skill %v, %v", players, d.Decisions, d.Skill(), d.SkillInterval())
			}
		}
		if want := ladder.Rounds(50, players) * players; duels[0].Games != want || duels[0].Won*players != want {
			t.Errorf("%d players: %d of %d games won, want one in %d of %d", players, duels[0].Won, duels[0].Games, players, want)
		}
	}
}

// TestSkill finds the better player, the same on any number of threads.
func TestSkill(t *testing.T) {
	g := small(t)
	var all [2][]ladder.Duel
	for i := range all {
		all[i] = ladder.All(3, 2)
		last := 0
		o := ladder.Options{Games: 60, Seed: 4, Threads: 1 + 2*i, Progress: func(done int) { last = done }}
		if err := ladder.Play(t.Context(), g, entrants("random", "greedy", "expectimax:1"), all[i], o); err != nil {
			t.Fatal(err)
		}
		if last != ladder.Total(60, 2, 3) {
			t.Errorf("the last progress is %d of %d games", last, ladder.Total(60, 2, 3))
		}
	}
	if diff := cmp.Diff(all[0], all[1], cmpopts.IgnoreUnexported(ladder.Duel{})); diff != "" {
		t.Errorf("one thread and three (-one +three):\n%s", diff)
	}
	d := all[0][0] // random against greedy
	if d.Skill() >= 0 || d.SkillInterval().High >= 0 || d.Decisions == 0 || d.Throws == 0 {
		t.Errorf("skill %v, %v, %d decisions, %d throws", d.Skill(), d.SkillInterval(), d.Decisions, d.Throws)
	}
	order := ladder.Fit(3, all[0])
	if order[0].Entrant != 2 || order[1].Entrant != 1 || order[2].Entrant != 0 || order[1].Interval.Low <= order[2].Interval.High {
		t.Errorf("order %v", order)
	}
}

// TestIntervalsHold lets equals play many duels: about one in twenty intervals leaves out the half.
func TestIntervalsHold(t *testing.T) {
	g := small(t)
	out := 0
	const duels = 100
	for seed := range uint64(duels) {
		d := ladder.All(2, 2)
		if err := ladder.Play(t.Context(), g, entrants("random", "random"), d, ladder.Options{Games: 60, Seed: seed}); err != nil {
			t.Fatal(err)
		}
		if i := d[0].Interval(); i.Low > 0.5 || i.High < 0.5 {
			out++
		}
	}
	if out > 12 { // 5 are expected, with a deviation of 2.2
		t.Errorf("%d of %d intervals leave out the half", out, duels)
	}
}

// TestStops ends early, with whole rounds.
func TestStops(t *testing.T) {
	g := small(t)
	ctx, stop := context.WithCancel(t.Context())
	duels := ladder.All(2, 2)
	o := ladder.Options{Games: 100_000, Seed: 1, Threads: 1, Progress: func(done int) {
		if done >= 20 {
			stop()
		}
	}}
	if err := ladder.Play(ctx, g, entrants("random", "greedy"), duels, o); err != nil {
		t.Fatal(err)
	}
	if n := duels[0].Games; n != 20 {
		t.Errorf("%d games", n)
	}
}

// TestAlone has no opponent.
func TestAlone(t *testing.T) {
	err := ladder.Play(t.Context(), game(t, "snakes", dsl.Setting{Players: 1}), entrants("random", "greedy"), ladder.All(2, 1), ladder.Options{Games: 2})
	if !errors.Is(err, ladder.ErrAlone) {
		t.Errorf("got %v", err)
	}
}

// TestFit gives back the strengths that results were made from.
func TestFit(t *testing.T) {
	elo := []float64{-150, 200, 0, -50}
	for _, teams := range []int{2, 4} {
		duels := ladder.All(len(elo), teams)
		for i := range duels {
			d := &duels[i]
			odds := math.Pow(10, (elo[d.Alone]-elo[d.Others])/400) / float64(teams-1)
			d.Teams, d.Games = teams, 1_000_000
			d.Won = int(math.Round(odds / (1 + odds) * 1e6))
		}
		got := ladder.Fit(len(elo), duels)
		for i, want := range []int{1, 2, 3, 0} {
			if s := got[i]; s.Entrant != want || math.Abs(s.Elo-elo[want]) > 0.1 || s.Interval.Low > elo[want] || s.Interval.High < elo[want] || s.Interval.High-s.Interval.Low > 3 {
				t.Errorf("%d sides: place %d: %+v, want entrant %d with %v", teams, i+1, s, want, elo[want])
			}
		}
	}
}

// TestFitOfLittle works out strengths from next to nothing.
func TestFitOfLittle(t *testing.T) {
	if got := ladder.Fit(0, nil); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	all := ladder.All(3, 2)
	for i := range all {
		all[i].Teams, all[i].Games, all[i].Won = 2, 50, 50 // everything, in the order given
	}
	got := ladder.Fit(3, all)
	for i, s := range got {
		if s.Entrant != i || math.IsNaN(s.Elo) || math.IsInf(s.Elo, 0) || math.IsNaN(s.Interval.Low) {
			t.Errorf("place %d: %+v", i+1, s)
		}
	}
	if all := ladder.All(2, 2); len(all) == 1 {
		all[0].Teams = 2
		if got := ladder.Fit(2, all); got[0].Elo != 0 || got[0].Entrant != 0 {
			t.Errorf("of no games: %+v", got)
		}
	}
	// The interval of a duel of two is that of its odds: the difference has twice the deviation of each.
	one := []ladder.Duel{{Alone: 0, Others: 1, Teams: 2, Games: 399, Won: 200}}
	s := ladder.Fit(2, one)[0]
	want := 1.96 * math.Sqrt(1/(400*0.25)) / 2 * 400 / math.Ln10
	if half := (s.Interval.High - s.Interval.Low) / 2; math.Abs(half-want) > 0.5 {
		t.Errorf("half an interval is %.2f, want %.2f", half, want)
	}
}
