package suite_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/interpreter/suite"
)

// text is a game with a test for each way a test can end. The numbers in the names are their order.
const text = `ruleset race "A race"

option far = 3 of 3, 6

board   cross68
players 2
pieces  1 at home
dice    die = d6
first   yellow

turn { throw die; play die }

move enter(p in mine)   from home    to p.start
move advance(p in mine) from squares walk steps

rule counting "One piece counts the throw" [RAC-01] {
  may enter(p)
  may advance(p) when die != far
}

rule finish "The goal wins" { win player x when all(x.pieces, .at == goal) }

test "1 passes" [RAC-01] {
  turn  yellow
  throw 2
  expect yellow 5
}
test "2 fails" {
  given yellow 5 | blue home
  throw 2
  expect yellow 8
  expect blue 22
}
test "3 passes in another setting" [RAC-02] {
  given yellow 5 | blue home
  set   far = 6
  throw 3
  expect yellow 8
}
test "4 is broken" {
  given yellow 5 | blue home
  set   far = 4
  throw 3
  expect yellow 8
}
test "5 passes" {
  given yellow 5 | blue home
  throw 3
  expect no moves
}
test "6 to 9" {
  cases n  to
        1  6
        2  77
        2  7
        3  88
  given yellow 5 | blue home
  set   far = 6
  throw n
  expect moves 5 -> to
}
`

func tests(t *testing.T) []*suite.Test {
	t.Helper()
	book := testbook.Book(t, "race.rules", text, nil)
	return suite.Of(book)
}

// outcomes lists results in one line.
func outcomes(results []*suite.Result) string {
	var out []string
	for _, r := range results {
		out = append(out, fmt.Sprintf("%s %s", strings.Fields(r.Test.Name)[0], r.Outcome))
	}
	return strings.Join(out, ", ")
}

// TestRun wants the same results in the same order however many tests run at once, and whatever ends a run.
func TestRun(t *testing.T) {
	for _, parallel := range []int{0, 1, 2, 7} {
		seen := 0
		results := suite.Run(t.Context(), tests(t), suite.Options{Parallel: parallel}, func(r *suite.Result) {
			if seen++; !strings.HasPrefix(r.Test.Name, fmt.Sprint(min(seen, 6))) {
				t.Errorf("test %q comes as number %d", r.Test.Name, seen)
			}
		})
		if got, want := outcomes(results), "1 passed, 2 failed, 3 passed, 4 broken, 5 passed, 6 passed, 6 broken, 6 passed, 6 broken"; got != want {
			t.Errorf("%d at once: got %s, want %s", parallel, got, want)
		}
		if n := len(results[1].Findings()); n != 2 {
			t.Errorf("a test of two failures has %d findings", n)
		}
		if found := results[3].Findings(); len(found) != 1 || found[0].Code != "bad-option" {
			t.Errorf("the broken test has the findings %v", found)
		}
		if results[0].Game != results[1].Game || results[0].Game == results[2].Game || results[5].Game == nil || results[6].Game != nil {
			t.Error("a game belongs to a setting, neither more nor less")
		}
		results = suite.Run(t.Context(), tests(t), suite.Options{Parallel: parallel, FailFast: true}, nil)
		if got, want := outcomes(results), "1 passed, 2 failed, 3 skipped, 4 skipped, 5 skipped, 6 skipped, 6 skipped, 6 skipped, 6 skipped"; got != want {
			t.Errorf("%d at once, fail fast: got %s, want %s", parallel, got, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, want := outcomes(suite.Run(ctx, tests(t)[:2], suite.Options{}, nil)), "1 skipped, 2 skipped"; got != want {
		t.Errorf("cancelled: got %s, want %s", got, want)
	}
}

// TestFilter wants the tests that fit both the name and the clauses.
func TestFilter(t *testing.T) {
	all := tests(t)
	for _, c := range []struct {
		filter suite.Filter
		want   int
	}{
		{suite.Filter{}, 9},
		{suite.Filter{Name: regexp.MustCompile(`\[2 7\]`)}, 1},
		{suite.Filter{Name: regexp.MustCompile("passes$")}, 2},
		{suite.Filter{Clauses: []string{"RAC-01", "RAC-02"}}, 2},
		{suite.Filter{Name: regexp.MustCompile("setting"), Clauses: []string{"RAC-01", "RAC-02"}}, 1},
		{suite.Filter{Clauses: []string{"RAC-03"}}, 0},
	} {
		if got := len(c.filter.Keep(all)); got != c.want {
			t.Errorf("%+v keeps %d tests, want %d", c.filter, got, c.want)
		}
	}
}

// TestNote wants what each test that ran comes to, and no notes of one that did not run.
func TestNote(t *testing.T) {
	for i, r := range suite.Run(t.Context(), tests(t), suite.Options{Note: true}, nil) {
		if r.Outcome == suite.Broken {
			if r.Noted != nil {
				t.Errorf("test %d is broken and has notes", i)
			}
			continue
		}
		if len(r.Noted) == 0 || len(r.Noted) != len(r.Game.Notes()) {
			t.Errorf("test %d has notes of %d things, want %d", i, len(r.Noted), len(r.Game.Notes()))
		}
		if i == 1 && !slices.Contains(r.Noted, true) {
			t.Errorf("test %d comes to nothing", i)
		}
	}
}

// TestCompileOnly wants games and no failures.
func TestCompileOnly(t *testing.T) {
	results := suite.Run(t.Context(), tests(t)[:3], suite.Options{CompileOnly: true}, nil)
	if got, want := outcomes(results), "1 passed, 2 passed, 3 passed"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if results[0].Game == nil || results[0].Game != results[1].Game || results[0].Game == results[2].Game {
		t.Error("want a game for each setting")
	}
}
