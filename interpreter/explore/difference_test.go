package explore

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/suite"
)

// TestNoDifference: clauses, options and changes that make no difference are found, and no others; not those that a finding or a test
// explains.
func TestNoDifference(t *testing.T) {
	never := func(source.Span) bool { return false }
	for _, x := range []struct {
		file      string
		explained func(source.Span) bool
		want      string
	}{
		{"alike", never, "12 on throw(die)\n16 on capture(p, q)\n4 shelter\n"},
		{"alike", func(at source.Span) bool { return strings.HasPrefix(at.Text(), "on ") }, "4 shelter\n"},
		{"alike_whole", never, "1 change alike_whole\n"},
		{"alike_whole", func(source.Span) bool { return true }, ""},
		{"alike_tested", never, ""},
		{"pair", never, ""},
		{"lets", never, "7 step into s: go\n"},
		{"alike_teams", never, ""},  // but for who wins
		{"alike_values", never, ""}, // but for what may be chosen
		{"at_once", never, ""},      // its games have no throws: their number is limited
	} {
		got := ""
		book := load(t, filepath.Join("testdata", x.file+".rules"))
		games := Of(book)
		_, noticed := suite.Prove(context.Background(), book, games.Compile).UnnoticedChange(games.TestLines)
		for _, d := range games.NoDifference(context.Background(), 1, x.explained, noticed) {
			text, _, _ := strings.Cut(d.Span.Text(), " when")
			text, _, _ = strings.Cut(text, " {")
			text, _, _ = strings.Cut(text, " \"")
			got += fmt.Sprintln(d.Span.Position().Line, text)
		}
		if diff := cmp.Diff(x.want, got); diff != "" {
			t.Errorf("%s: %s", x.file, diff)
		}
	}
}

// TestNoEffect: a play in which a clause takes no effect goes the same without the clause. Comparisons do not play it twice.
func TestNoEffect(t *testing.T) {
	files, _ := filepath.Glob("../../examples/house/*.rules")
	without := 0
	for _, path := range files {
		gs := Of(load(t, path))
		g, err := gs.of(0)
		if err != nil {
			t.Fatal(err)
		}
		for play := range uint64(3) {
			f := &effects{}
			f.play(g, nil, interpreter.NewRandom(1, play), comparedGame)
			for _, r := range gs.rules(0).Rules {
				for _, c := range r.Clauses {
					if c.Span.File != gs.book.File() || !omits(c) || f.of(c.Index) > 0 {
						continue
					}
					without++
					if !(&effects{}).play(g, g.Without(c), interpreter.NewRandom(1, play), comparedGame) {
						t.Errorf("%s: %q takes no effect in play %d, which goes another way without it", path, c.Span.Text(), play)
					}
				}
			}
		}
	}
	if without < 20 {
		t.Errorf("only %d plays without a clause", without)
	}
}
