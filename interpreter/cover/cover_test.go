package cover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/cover"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// rules have a part of every kind.
const rules = `ruleset hop "Hop"
option long = 6 of 5, 6
option far = 3 of 1..6
option twice = false
board cross68
players 2..3
pieces 2 at home
dice die = d6
first yellow
var turn sixes = 0
let extra = die == long && sixes < 2
turn {
  throw die
  play die
  if extra { sixes += 1; again }
}
move enter(p in mine) from home to p.start
move advance(p in mine) from squares walk steps
act hit(piece p, piece q) "p sends q back" { send q to home }
rule moving "Count" [HOP-01] {
  may enter(p) when die == 5 || twice && die == far
  may advance(p)
  never advance(p) when steps == 1 && len(p.at.pieces) == 2
  step into s: bar when len(s.pieces) == 2
}
rule doubled "Only with twice" [HOP-02] if twice { must enter(p) }
rule hitting "Hit" {
  on land(p, s) when len(s.pieces) == 2 { if s.pieces[0].colour != p.colour { do hit(p, s.pieces[0]) } else { earn 1 } } [HOP-03]
}
rule finish "All in" { win player x when all(x.pieces, .at == goal) }
rule crowd "Two at most" { always all(board.squares, len(.pieces) <= 2) }
`

// sheet is the coverage of the rules by tests.
func sheet(t *testing.T, tests string, ids ...cover.ClauseID) *cover.File {
	t.Helper()
	book := testbook.Book(t, "hop.rules", rules+tests, nil)
	var c cover.Collector
	for _, s := range book.Scenarios() {
		r, faults := s.Rules()
		if r == nil {
			t.Fatal(faults)
		}
		game, err := interpreter.CompileNoting(r)
		if err != nil {
			t.Fatal(err)
		}
		noted := make([]bool, len(game.Notes()))
		failures := game.RunTestNoting(r.Tests[0], noted)
		c.Add(cover.Test{Name: s.Name, File: "hop.rules", Line: s.Span.Position().Line, Cites: s.Cites, Passed: len(failures) == 0}, cover.TraceOf(game, noted))
	}
	return c.Of(cover.Subject{
		File: book.File(), Groups: book.Parts(), Options: book.Options(), Players: book.PlayerNumbers(nil), IDs: ids,
	})
}

// gaps lists what is missing, each with its declaration.
func gaps(f *cover.File) []string {
	var out []string
	for _, g := range f.Gaps() {
		text := strings.Join(strings.Fields(g.Point.Span.Text()), " ")
		if g.Point.Kind == cover.Values || g.Point.Kind == cover.Players || g.Point.Kind == cover.IDs {
			text = ""
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s: %s %s", g.Group.Title(), g.Point.Missing, text)))
	}
	return out
}

const one = `
test "a number that leads nowhere" [HOP-01] {
  given yellow home home | blue home home
  turn yellow
  throw 2
  expect turn blue
}
`

// TestGaps wants what one test leaves out in the order in which a person would mend it, and nothing that follows from
// something else in the list.
func TestGaps(t *testing.T) {
	want := []string{
		"rule moving: never asked never advance(p) when steps == 1 && len(p.at.pieces) == 2",
		"rule moving: never asked step into s: bar when len(s.pieces) == 2",
		"rule doubled: in no setting that a test plays must enter(p)",
		"rule hitting: never asked on land(p, s) when len(s.pieces) == 2 { if s.pieces[0].colour != p.colour { do hit(p, s.pieces[0]) } else { earn 1 } } [HOP-03]",
		"rule moving: never offers a move may enter(p) when die == 5 || twice && die == far",
		"rule moving: never offers a move may advance(p)",
		"rule finish: never ends anything win player x when all(x.pieces, .at == goal)",
		"move enter: never made enter",
		"move advance: never made advance",
		"act hit: never done hit",
		"let extra: never true die == long",
		"turn: never true extra",
		"rule moving: never true die == 5",
		"rule moving: never true twice",
		"rule finish: never true all(x.pieces, .at == goal)",
		"rule finish: never true .at == goal",
		"rule crowd: never false all(board.squares, len(.pieces) <= 2)",
		"rule crowd: never false len(.pieces) <= 2",
		"let extra: never looked at sixes < 2",
		"turn: never carried out sixes += 1",
		"turn: never carried out again",
		"option long: no test has 5",
		"option far: no test has another value than 3",
		"option twice: no test has true",
		"players: no test has 3 players",
		"clauses: no test exercises or cites HOP-09",
		"clauses: no test exercises or cites HOP-02",
		"clauses: no test exercises or cites HOP-03",
	}
	f := sheet(t, one, cover.ClauseID{ID: "HOP-09", Text: "Nobody has written it down"})
	got := gaps(f)
	slices.Sort(got)
	sorted := slices.Sorted(slices.Values(want))
	if diff := cmp.Diff(sorted, got); diff != "" {
		t.Error(diff)
	}
	first := gaps(f)[0]
	if !strings.Contains(first, "never asked") || !strings.Contains(gaps(f)[len(want)-1], "clauses:") {
		t.Errorf("the order is\n%s", strings.Join(gaps(f), "\n"))
	}
}

// TestMore wants single tests to close single gaps.
func TestMore(t *testing.T) {
	tests := []struct{ name, lines, closes string }{
		{"an option", "given yellow home home | blue home home\n set twice = true\n turn yellow\n throw 3\n expect yellow 5 home", "rule moving: never true twice"},
		{"a duty", "given yellow home 10 | blue home home\n set twice = true\n turn yellow\n throw 3\n expect yellow 5 10", "rule doubled: in no setting that a test plays must enter(p)"},
		{"a refused position", "given yellow 5 5 | blue 5 home\n expect refused position by crowd", "rule crowd: never false all(board.squares, len(.pieces) <= 2)"},
		{"a refused move", "given yellow 10 home | blue 12 12\n turn yellow\n throw 3\n expect refused 10 -> 13", "rule moving: never asked step into s: bar when len(s.pieces) == 2"},
		{"an end", "given yellow goal goal | blue home home\n expect over", "rule finish: never ends anything win player x when all(x.pieces, .at == goal)"},
		{"another number of players", "players 3\n turn yellow\n throw 1\n expect turn blue", "players: no test has 3 players"},
		{"a let", "given yellow home home | blue home home\n turn yellow\n throw 6\n expect turn yellow", "turn: never true extra"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := sheet(t, one+"test \"more\" {\n "+tt.lines+"\n}\n")
			if slices.Contains(gaps(f), tt.closes) {
				t.Errorf("%q is still missing", tt.closes)
			}
			if slices.Contains(gaps(sheet(t, one)), tt.closes) == false {
				t.Errorf("%q was not missing before", tt.closes)
			}
		})
	}
}

// TestLetOfTests: a let that only a count and tests use is used, and what it asks is looked at.
func TestLetOfTests(t *testing.T) {
	const far = "let distance(player x) = count(x.pieces, .at.square)\ncount dist \"pieces on the way\" = distance(yellow.player)\n"
	with := gaps(sheet(t, far+one+"test \"distance\" {\n given yellow 5 home | blue home home\n expect that distance(yellow.player) == 1\n}\n"))
	without := gaps(sheet(t, far+one))
	const gap = "let distance: never used distance"
	if slices.ContainsFunc(with, func(g string) bool { return strings.HasPrefix(g, "let distance") }) || !slices.Contains(without, gap) {
		t.Errorf("with a test:\n%s\nwithout:\n%s", strings.Join(with, "\n"), strings.Join(without, "\n"))
	}
}

// TestPercent rounds down, so that 100 means all.
func TestPercent(t *testing.T) {
	for _, tt := range []struct {
		n    cover.Count
		want int
	}{{cover.Count{}, 100}, {cover.Count{Covered: 199, Total: 200}, 99}, {cover.Count{Covered: 2, Total: 2}, 100}, {cover.Count{Total: 3}, 0}} {
		if got := tt.n.Percent(); got != tt.want {
			t.Errorf("%v is %d percent, want %d", tt.n, got, tt.want)
		}
	}
}
