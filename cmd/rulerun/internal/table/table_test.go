package table

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/rulesets"
)

func game(t *testing.T, name string, options map[string]string) *interpreter.Game {
	t.Helper()
	lib := dsl.Library{Shipped: rulesets.FS}
	file, ok := lib.Rules(name, nil)
	if !ok {
		t.Fatalf("no rule book %q", name)
	}
	book, faults := dsl.Load(file, lib)
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.Rules(dsl.Setting{Options: options})
	if rules == nil {
		t.Fatal(faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func session(t *testing.T, g *interpreter.Game, head *record.Header) *door.Session {
	t.Helper()
	s, err := door.Open(g, head, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// samePlaces compares positions of two forms of one game.
func samePlaces(p, q *interpreter.Position) bool {
	return p.Kind() == q.Kind() && p.Player() == q.Player() && cmp.Equal(p.Setup(), q.Setup())
}

// TestTypedNonsense types words by chance at a table of people: whatever comes, the game goes on, and the record kept
// meanwhile leads to where it stands.
func TestTypedNonsense(t *testing.T) {
	for _, name := range (dsl.Library{Shipped: rulesets.FS}).RulesNames() {
		for _, tall := range []bool{false, true} {
			t.Run(name, func(t *testing.T) { nonsense(t, game(t, name, nil), tall) })
		}
	}
}

func nonsense(t *testing.T, g *interpreter.Game, tall bool) {
	words := []string{"", "", "", "", "1", "1", "2", "3", "why", "? 5", "undo", "help", "rules", "board", "save x", "save", "resume", "resume x",
		"12 17", "12-17", "5->10", "y3", "\x00", "-", "--", "?", "?? 4", "home -> 5", "to", "why yellow", "t", "99999999999999999999", "ß ß"}
	words = append(words, g.Rules().Board.PlaceNames()[:10]...)
	r := interpreter.NewRandom(9, 0)
	lines := make(chan string)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		defer close(lines)
		for range 1500 {
			select {
			case lines <- words[r.IntN(len(words))]:
			case <-ctx.Done():
				return
			}
		}
	}()
	var log strings.Builder
	head := &record.Header{Rules: "x", Players: g.Players(), Seed: 5}
	w, err := record.NewWriter(&log, head)
	if err != nil {
		t.Fatal(err)
	}
	screen := &Screen{Out: io.Discard}
	if tall {
		screen.Color = true
		screen.Size = func() (int, int) { return 100, 70 }
	}
	table := &Table{
		Session: session(t, g, head), Lines: lines, Screen: screen, Explain: tall, Echo: true,
		Save:      func(string, []byte) error { return errors.New("no room") },
		CanResume: func(string) error { return errors.New("no such game") },
	}
	table.Session.Log = w
	out, err := table.Play(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if out.End != door.InputEnds && out.End != door.Over {
		t.Fatalf("the game ended by %v", out.End)
	}
	rec, err := record.Read(strings.NewReader(log.String()), "log")
	if err != nil {
		t.Fatal(err)
	}
	p, err := rec.Begin(g)
	if err != nil {
		t.Fatal(err)
	}
	again := rec.Replay(p)
	for _, e := range rec.Live() {
		if err := again.Next(e); err != nil {
			t.Fatal(err)
		}
	}
	if !samePlaces(p, table.Session.Position()) {
		t.Error("the record leads elsewhere")
	}
}

// TestSecret plays with a choice that is hidden: no line says it.
func TestSecret(t *testing.T) {
	g := game(t, "cicloparchis", map[string]string{"mode": "secret"})
	var seen strings.Builder
	lines := make(chan string, 3)
	lines <- "2"
	lines <- "1"
	close(lines)
	head := &record.Header{Players: g.Players(), Seed: 3, Seats: []string{"human", "random", "random", "random"}}
	table := &Table{Session: session(t, g, head), Lines: lines, Screen: &Screen{Out: &seen}, AutoThrow: true}
	if _, err := table.Play(t.Context()); err != nil {
		t.Fatal(err)
	}
	secrets := 0
	for line := range strings.Lines(seen.String()) {
		if strings.Contains(line, " chooses ") {
			secrets++
			if !strings.Contains(line, "chooses in secret") {
				t.Errorf("this tells too much: %q", line)
			}
		}
	}
	if secrets == 0 {
		t.Errorf("no player chose:\n%s", seen.String())
	}
}

// TestWords substitutes in the words of an act.
func TestWords(t *testing.T) {
	got := door.EachWord("p sends q's friend home, p!", func(w string) string {
		switch w {
		case "p":
			return "red"
		case "q":
			return "blue"
		}
		return w
	})
	if want := "red sends blue's friend home, red!"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPainted paints the names of colours, and no part of another word.
func TestPainted(t *testing.T) {
	g := game(t, "parchis", nil)
	red := boards.PieceText(g.Rules().Board, g.Rules().Board.Colour("red"), "red")
	if got, want := door.Painted(g, "red shared: redder, red!"), red+" shared: redder, "+red+"!"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
