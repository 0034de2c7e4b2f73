package mutation_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/mutation"
	"github.com/rulerun/rulerun/rulesets"
)

const rules = `ruleset hop "Hop"
option unused = 3 of 3, 4
board cross68
players 2
pieces 2 at home
dice die = d6
first yellow
turn {
  throw die
  play die
  if die == 6 { again }
}
move enter(p in mine) from home to p.start
move advance(p in mine) from squares walk steps
rule moving "Count" {
  may enter(p) when die == 5
  may advance(p)
}
rule finish "All in" {
  win player x when all(x.pieces, .at == goal)
}
rule options "Just so that it is used" if unused == 4 { never enter(p) }
`

const tests = `
test "a 5 comes out" {
  given yellow home home | blue home home
  throw 5
  expect yellow 5 home
  expect turn blue
}
test "a 2 is counted" {
  given yellow 10 home | blue home home
  throw 2
  expect yellow 12 home
}
`

func load(t *testing.T, name, text string, lib dsl.Library) *dsl.Book {
	t.Helper()
	book, faults := dsl.Load(source.New(name, text), lib)
	if book == nil {
		t.Fatal(faults)
	}
	return book
}

// lines lists what came of each change that was not noticed.
func lines(r *mutation.Report) []string {
	var out []string
	for _, x := range r.Results {
		if x.Outcome != mutation.Noticed {
			out = append(out, fmt.Sprintf("%s: %s, %s", x.Outcome, x.Mutant.In, x.Mutant.Words))
		}
	}
	return out
}

// TestRun wants the holes of these tests and no others, the same however many changes are tried at once.
func TestRun(t *testing.T) {
	book := load(t, "hop.rules", rules+tests, dsl.Library{})
	want := []string{
		"unfit: option unused, 3 becomes 2",
		"unnoticed: players, 2 becomes 3",
		"unnoticed: dice die, d6 becomes d5",
		"unnoticed: dice die, d6 becomes d7",
		"unnoticed: turn, without this statement",
		"unnoticed: turn, 6 becomes 7",
		"unnoticed: rule finish, without the rule",
		"unnoticed: rule options, without the rule",
		"unnoticed: rule options, 4 becomes 5",
	}
	for _, parallel := range []int{1, 3} {
		var last [3]int
		r, err := mutation.Run(t.Context(), []*dsl.Book{book}, mutation.Options{Parallel: parallel, Seed: 7, Progress: func(tried, all, unnoticed int) {
			last = [3]int{tried, all, unnoticed}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]int{len(r.Results), len(r.Results), r.Count(mutation.Unnoticed)}; last != got {
			t.Errorf("progress ends with %v, the report has %v", last, got)
		}
		if diff := cmp.Diff(want, lines(r)); diff != "" {
			t.Errorf("%d at once:\n%s", parallel, diff)
		}
	}
}

// TestMoreTests wants another test to close a hole, from a file of tests too.
func TestMoreTests(t *testing.T) {
	base := rules + tests
	lib := dsl.Library{Beside: fstest.MapFS{"hop.rules": {Data: []byte(base)}}}
	book := load(t, "hop.rules", base, lib)
	before, err := mutation.Run(t.Context(), []*dsl.Book{book}, mutation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	more := load(t, "evening.rules", `tests evening "More" for hop
test "a 6 throws again" {
  given yellow 10 home | blue home home
  throw 6
  expect turn yellow
}
test "who has all in the goal has won" {
  given yellow goal goal | blue home home
  expect winner yellow
}
`, lib)
	after, err := mutation.Run(t.Context(), []*dsl.Book{book, more}, mutation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hole := "unnoticed: turn, without this statement"
	if !strings.Contains(strings.Join(lines(before), "\n"), hole) || strings.Contains(strings.Join(lines(after), "\n"), hole) {
		t.Errorf("before\n%s\nafter\n%s", strings.Join(lines(before), "\n"), strings.Join(lines(after), "\n"))
	}
	if after.Score() <= before.Score() || after.Tests != before.Tests+2 {
		t.Errorf("from %d %% by %d tests to %d %% by %d", before.Score(), before.Tests, after.Score(), after.Tests)
	}
}

// TestVariant wants the variants of the shipped rule books to be the books that their changed text makes.
func TestVariant(t *testing.T) {
	for _, name := range []string{"parchis", "patolli", "ludoteka_teams"} {
		text, err := fs.ReadFile(rulesets.FS, name+".rules")
		if err != nil {
			t.Fatal(err)
		}
		lib := dsl.Library{Shipped: rulesets.FS}
		book := load(t, name+".rules", string(text), lib)
		for i, m := range dsl.Mutants(book.File()) {
			if i%9 != 0 {
				continue
			}
			changed := string(text[:m.Span.Start]) + m.New + string(text[m.Span.End:])
			want, _ := dsl.Load(source.New(name+".rules", changed), lib)
			got, _ := book.Variant(m)
			if (want == nil) != (got == nil) {
				t.Errorf("%s: %s, %s: the variant is there: %v, the file is right: %v", name, m.In, m.Words, got != nil, want != nil)
				continue
			}
			if want == nil {
				continue
			}
			a, b := compiled(t, want), compiled(t, got)
			if (a == nil) != (b == nil) || a != nil && !a.Same(b) {
				t.Errorf("%s: %s, %s: the variant is another game than the changed file", name, m.In, m.Words)
			}
			if plain := compiled(t, book); m.Kind == "verdict" && b != nil && plain.Same(b) {
				t.Errorf("%s: %s, %s: it makes no difference", name, m.In, m.Words)
			}
		}
	}
}

// compiled is the game of a book, nil where its rules do not check.
func compiled(t *testing.T, book *dsl.Book) *interpreter.Game {
	t.Helper()
	rules, _ := book.Rules(dsl.Setting{})
	if rules == nil {
		return nil
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestHouseRule changes the lines of the house rule alone.
func TestHouseRule(t *testing.T) {
	lib := dsl.Library{Beside: fstest.MapFS{"hop.rules": {Data: []byte(rules)}}}
	book := load(t, "soft.rules", `change soft "Soft" for hop
without options
replace rule finish "Never" { over when len(game.players) == 5 }
test "a 5 comes out" {
  given yellow home home | blue home home
  throw 5
  expect yellow 5 home
}
`, lib)
	r, err := mutation.Run(t.Context(), []*dsl.Book{book}, mutation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Results {
		if x.Mutant.Span.Name() != "soft.rules" {
			t.Errorf("%s is changed: %s", x.Mutant.Span.Name(), x.Mutant.Words)
		}
	}
	if len(r.Results) < 4 {
		t.Errorf("only %d changes", len(r.Results))
	}
}

// TestLimits stops after so many changes, or when its context ends, and says what was not tried.
func TestLimits(t *testing.T) {
	book := load(t, "hop.rules", rules+tests, dsl.Library{})
	some, err := mutation.Run(t.Context(), []*dsl.Book{book}, mutation.Options{Limit: 5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(some.Results) - some.Count(mutation.Untried); n != 5 {
		t.Errorf("%d changes tried, want 5", n)
	}
	again, err := mutation.Run(t.Context(), []*dsl.Book{book}, mutation.Options{Limit: 5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(lines(some), lines(again)); diff != "" {
		t.Errorf("the same seed tries others:\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	none, err := mutation.Run(ctx, []*dsl.Book{book}, mutation.Options{})
	if err != nil || none.Count(mutation.Untried) != len(none.Results) || none.Score() != 100 {
		t.Errorf("cancelled: %v, %d of %d untried", err, none.Count(mutation.Untried), len(none.Results))
	}
}

// TestFailing refuses tests that do not pass to begin with.
func TestFailing(t *testing.T) {
	book := load(t, "hop.rules", rules+"test \"wrong\" {\n  given yellow 10 home | blue home home\n  throw 2\n  expect yellow 13 home\n}\n", dsl.Library{})
	if _, err := mutation.Run(t.Context(), []*dsl.Book{book}, mutation.Options{}); !errors.Is(err, mutation.ErrFailing) {
		t.Errorf("got %v", err)
	}
}
