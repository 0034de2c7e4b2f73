package heat_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/heat"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/interpreter/stats"
)

func game(t *testing.T, name string, options map[string]string) *interpreter.Game {
	t.Helper()
	g, err := interpreter.Compile(testbook.Shipped(t, name, dsl.Setting{Options: options}))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func run(t *testing.T, g *interpreter.Game, of string, games, threads int) *heat.Map {
	t.Helper()
	m, err := heat.Run(context.Background(), g, heat.Options{Of: of, Options: stats.Options{To: games, Seed: 3, Threads: threads}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestEveryPieceStandsSomewhere: at each throw each piece is counted once.
func TestEveryPieceStandsSomewhere(t *testing.T) {
	for _, name := range []string{"parchis", "cicloparchis", "patolli"} {
		g := game(t, name, nil)
		m := run(t, g, heat.Waits, 20, 2)
		pieces := uint64(g.Rules().PieceCount * len(g.Rules().Colours))
		if m.Throws == 0 || m.Total() > m.Throws*pieces || m.Nowhere != 0 {
			t.Errorf("%s: %d stand somewhere at %d throws of %d pieces", name, m.Total(), m.Throws, pieces)
		}
		if name == "parchis" && m.Total() != m.Throws*pieces {
			t.Errorf("%s: %d stand somewhere at %d throws of %d pieces", name, m.Total(), m.Throws, pieces)
		}
	}
}

// TestThreadsDoNotMatter: the same games, however many are played at a time, also where the last batch is short.
func TestThreadsDoNotMatter(t *testing.T) {
	g := game(t, "parchis4a", nil)
	for _, of := range []string{heat.Waits, heat.Landings, "capture"} {
		one := run(t, g, of, 75, 1)
		if many := run(t, g, of, 75, 5); !reflect.DeepEqual(one, many) {
			t.Errorf("%s: one thread and five differ", of)
		}
		if one.Games != 75 || one.Total() == 0 {
			t.Errorf("%s: %d in %d games", of, one.Total(), one.Games)
		}
	}
}

// TestActsAreWhereTheyAreDone holds captures against how often the same games have them, and against the squares on which
// they cannot be.
func TestActsAreWhereTheyAreDone(t *testing.T) {
	g := game(t, "parchis", nil)
	if acts := heat.Acts(g); !slices.Contains(acts, "capture") {
		t.Fatal(acts)
	}
	m := run(t, g, "capture", 200, 0)
	r, err := interpreter.NewRunner(g, interpreter.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	act := slices.IndexFunc(g.Rules().Acts, func(a *model.Act) bool { return a.Name == "capture" })
	want := uint64(0)
	for k := range 200 {
		x, err := r.Play(3, uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		want += x.Acts[act]
	}
	if m.Total() != want {
		t.Errorf("%d captures on the map, %d in the games", m.Total(), want)
	}
	b := g.Rules().Board
	for place := range b.Places {
		name := b.Places[place].Name
		corridor := strings.Contains(name, "-") || b.Places[place].Zone
		if n := m.At(place); corridor && n > 0 {
			t.Errorf("%d captures on %s", n, name)
		}
	}
	// On the squares where pieces come out a stranger that fills them up is eaten; on no other safe square is any piece.
	if at, _ := b.Place("12"); m.At(at) != 0 {
		t.Errorf("%d captures on a safe square", m.At(at))
	}
	if at, _ := b.Place("13"); m.At(at) == 0 {
		t.Error("none on an ordinary square")
	}
}

// TestStopped: an early end leaves the first games, whole batches only.
func TestStopped(t *testing.T) {
	g := game(t, "parchis4a", nil)
	ctx, cancel := context.WithCancel(context.Background())
	m, err := heat.Run(ctx, g, heat.Options{Of: heat.Landings, Options: stats.Options{To: 5000, Seed: 3, Threads: 2, Progress: func(done int) {
		if done >= 64 {
			cancel()
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Games < 64 || m.Games >= 5000 {
		t.Fatalf("%d games", m.Games)
	}
	if want := run(t, g, heat.Landings, m.Games, 1); !reflect.DeepEqual(m, want) {
		t.Error("not the first games")
	}
}

// TestPlayers: who plays makes a difference, and the number of threads does not. The dice are those of the games by chance.
func TestPlayers(t *testing.T) {
	g := game(t, "parchis4a", nil)
	o := heat.Options{Of: "capture", Options: stats.Options{To: 40, Seed: 3, Threads: 1, Players: func() []interpreter.Chooser {
		eager, err := bot.New("greedy:progress=0,others=0,acts=100,home=0,earned=0,again=0")
		if err != nil {
			t.Fatal(err)
		}
		return []interpreter.Chooser{eager, eager, eager, eager}
	}}}
	var maps [2]*heat.Map
	for i := range maps {
		var err error
		if maps[i], err = heat.Run(t.Context(), g, o); err != nil {
			t.Fatal(err)
		}
		o.Threads = 3
	}
	if !reflect.DeepEqual(maps[0], maps[1]) {
		t.Error("one thread and three differ")
	}
	if chance := run(t, g, "capture", 40, 0); maps[0].Value(maps[0].Total()) < 1.5*chance.Value(chance.Total()) {
		t.Errorf("%d by those who strive for it, %d by chance", maps[0].Total(), chance.Total())
	}
}
