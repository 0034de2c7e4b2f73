package interpreter_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

const countedRace = `ruleset counted "A race that counts"

board   cross68
players 2
pieces  1 at home
dice    die = d2

var player ticks = 0

let lead(player x) = x.ticks

turn { throw die; play die }

move tick(p in mine) stay

rule race "A 2 ticks, a 1 too" {
  may tick(p)
  on  tick(p) { p.player.ticks += die }
  win player x when x.ticks >= 6
}

count twos "twos" on throw(die) when die == 2
count ticks_left "ticks of the loser" = min(map(game.players, .ticks))
count close = min(map(game.players, .ticks)) > 3
`

// TestRunner holds what a runner tells of a game against a game driven by hand.
func TestRunner(t *testing.T) {
	g := odd(t, countedRace)
	r, err := interpreter.NewRunner(g, interpreter.RunOptions{Rotate: true, Leads: true})
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for k := range uint64(200) {
		got, err := r.Play(5, k)
		if err != nil {
			t.Fatal(err)
		}
		first := int(k % 2)
		p, random := g.Start(first), interpreter.NewRandom(5, k)
		want := interpreter.Played{First: first, Acts: []uint64{}, Won: []bool{false, false}, Counts: []int{0, 0, 0}}
		var ticks [2]int
		leader := -1
		for p.Kind() != interpreter.Over {
			seat := p.Turn()
			p.ThrowRandom(&random)
			want.Throws++
			die := p.Numbers()[0]
			if die == 2 {
				want.Counts[0]++
			}
			ticks[seat] += die
			if ticks[seat] > ticks[1-seat] && leader != seat {
				if leader >= 0 {
					want.LeadChanges++
				}
				leader, want.Settled = seat, want.Throws
			}
			want.Won[seat] = ticks[seat] >= 6
		}
		want.Turns, want.Forced = want.Throws, want.Throws
		want.Moves = []uint64{uint64(want.Throws)}
		want.Rules = append([]uint64(nil), got.Rules...)
		want.Places = []int{interpreter.None, interpreter.None}
		want.Counts[1] = min(ticks[0], ticks[1])
		if want.Counts[1] > 3 {
			want.Counts[2] = 1
		}
		changed += want.LeadChanges
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Fatalf("game %d: %s", k, diff)
		}
	}
	if changed == 0 {
		t.Error("the lead never changed")
	}
	if p := g.Start(0); len(p.Game().Rules().Counts) != 3 || p.Game().ProgramSize() >= r.Game().ProgramSize() {
		t.Error("counting costs games that are not studied")
	}
}

type firstChoice struct{ asked int }

func (c *firstChoice) Choose(*interpreter.Position, *interpreter.Random) int { c.asked++; return 0 }
func (c *firstChoice) Number(p *interpreter.Position, _ *interpreter.Random) int {
	return p.Outcomes(nil, 0)[0].Value
}

// TestRunnerPlayers: players decide for their seats, and the limit ends a game without a winner.
func TestRunnerPlayers(t *testing.T) {
	games(t, func(t *testing.T, g *interpreter.Game) {
		c := &firstChoice{}
		players := make([]interpreter.Chooser, g.Players())
		players[0] = c
		r, err := interpreter.NewRunner(g, interpreter.RunOptions{Players: players, MaxThrows: 300})
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(3) {
			x, err := r.Play(1, k)
			if err != nil {
				t.Fatal(err)
			}
			if x.Unfinished && (x.Throws != 300 || x.Won[0]) {
				t.Errorf("%+v", x)
			}
		}
		if c.asked == 0 {
			t.Error("the player was never asked")
		}
	})
}

// TestRunnerDecide: an observer of decisions sees all of them, and the games stay the same.
func TestRunnerDecide(t *testing.T) {
	games(t, func(t *testing.T, g *interpreter.Game) {
		for _, players := range [][]interpreter.Chooser{nil, {&firstChoice{}}} {
			plain, err := interpreter.NewRunner(g, interpreter.RunOptions{Players: players, MaxThrows: 300})
			if err != nil {
				t.Fatal(err)
			}
			asked, bad := 0, 0
			decide := func(p *interpreter.Position, i int) {
				if p.Turn() >= 0 {
					asked++
				}
				if i < 0 || i >= p.OptionCount() || len(p.OptionNames()) < 2 {
					bad++
				}
			}
			watched, err := interpreter.NewRunner(g, interpreter.RunOptions{Players: players, MaxThrows: 300, Decide: decide})
			if err != nil {
				t.Fatal(err)
			}
			for k := range uint64(3) {
				asked = 0
				want, err := plain.Play(1, k)
				if err != nil {
					t.Fatal(err)
				}
				got, err := watched.Play(1, k)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" || bad > 0 || asked < got.Decisions {
					t.Fatalf("game %d: %d decisions seen of %d, %d bad\n%s", k, asked, got.Decisions, bad, diff)
				}
			}
		}
	})
}

// TestRunnerWatch: what counts is no rule, and no watcher gets it.
func TestRunnerWatch(t *testing.T) {
	w := &fireWatch{}
	r, err := interpreter.NewRunner(odd(t, countedRace), interpreter.RunOptions{Watch: w})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Play(1, 1); err != nil {
		t.Fatal(err)
	}
	if w.fired == 0 || w.odd > 0 {
		t.Errorf("%+v", w)
	}
}

type fireWatch struct{ fired, odd int }

func (w *fireWatch) Fired(x *model.Clause) {
	w.fired++
	if x.Rule.Index == model.NoRule {
		w.odd++
	}
}
func (w *fireWatch) Acted(*model.Act, []int) {}
func (w *fireWatch) Put(_, _, _ int)         {}
