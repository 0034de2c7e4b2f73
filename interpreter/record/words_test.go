package record

import (
	"os"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// TestWordsTellPiecesApart: options of pieces that differ, or stand there for another time, have words of their own, and a record
// that told them apart by numbers in brackets can still be read.
func TestWordsTellPiecesApart(t *testing.T) {
	g, err := interpreter.Compile(testbook.In(t, os.DirFS("../testdata/rules"), "laps.rules", dsl.Setting{}))
	if err != nil {
		t.Fatal(err)
	}
	home := []string{"home", "home", "home"}
	p, err := g.Setup(&interpreter.Setup{
		Turn: "yellow", Pieces: map[string][]string{"yellow": {"2", "2", "2/2"}, "blue": home, "red": home},
		Vars: map[string]any{"steps_gone": map[string]any{"yellow@2#2": 1.0}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Throw(2); err != nil {
		t.Fatal(err)
	}
	if got, want := Words(p), []string{"2#1 -> 4", "2#2 -> 4", "2/2 -> 4/2", "rest"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for words, other := range map[string]string{"2#2 -> 4": "2 -> 4 (2)", "2#1 -> 4": "2 -> 4"} {
		a, b := p.Copy(), p.Copy()
		for q, w := range map[*interpreter.Position]string{a: words, b: other} {
			if err := Apply(q, Event{Kind: Play, Seat: "yellow", Words: w}); err != nil {
				t.Fatal(err)
			}
		}
		if !a.Equal(b) {
			t.Errorf("%q and %q are two options", words, other)
		}
	}
}

// TestTeamByNumber reads a record that answers a question for a team by a number, as earlier versions of the program wrote it.
func TestTeamByNumber(t *testing.T) {
	g, err := interpreter.Compile(testbook.In(t, os.DirFS("../testdata/rules"), "menus.rules", dsl.Setting{}))
	if err != nil {
		t.Fatal(err)
	}
	a, b := g.Start(0), g.Start(0)
	if got, want := Words(a), []string{"yellow", "blue"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for p, w := range map[*interpreter.Position]string{a: "blue", b: "1"} {
		if err := Apply(p, Event{Kind: Choice, Seat: "yellow", Words: w}); err != nil {
			t.Fatal(err)
		}
	}
	if !a.Equal(b) {
		t.Error("the number is that of another team")
	}
}
