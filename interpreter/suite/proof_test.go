package suite_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/interpreter/suite"
)

// TestMoot: a move that is refused though no rule speaks of it gives one finding, one that a rule, a throw or the end of the track refuses is not.
func TestMoot(t *testing.T) {
	book := testbook.Book(t, "moot.rules", `ruleset moot "A race"

board   cross68
players 2
pieces  2 at home
dice    die = d6
first   yellow

turn { throw die; play die }

move enter(p in mine)   from home    to p.start
move advance(p in mine) from squares walk steps

rule counting "One piece counts the throw" {
  may enter(p) when die == 5
  may advance(p)
  step into s: bar when len(s.pieces) == 2
}

rule finish "The goal wins" { win player x when all(x.pieces, .at == goal) }

test "moot" {
  cases n
        1
        2
  given yellow 7 home | blue 30 30
  turn  yellow
  throw n
  expect refused 20 -> 24
  expect refused 30 -> 32
  expect refused 7 -> 12 by counting
  expect refused 7 -> 10
}
test "refused" {
  given yellow 29 yellow-7 | blue 30 30
  turn  yellow
  throw 4
  expect refused 29 -> 33 by counting
  expect no moves
}
test "not at home" {
  given yellow 7 home | blue 30 30
  turn  yellow
  throw 4
  expect refused home -> 5
}
`, nil)
	proof := suite.Prove(t.Context(), book, nil)
	found := proof.Moot(nil)
	var got []string
	for _, d := range found {
		got = append(got, fmt.Sprint(d.Span.Position().Line, " ", d.Code, " ", d.Message))
	}
	want := []string{
		"29 proves-nothing this is refused whatever the rules say: 20 → 24: no piece stands on 20",
		"30 proves-nothing this is refused whatever the rules say: 30 → 32: blue 30 is not in the list of the move advance: p in mine",
		"31 proves-nothing this is refused whatever the rules say: 7 → 12: no move leads there with this number",
		"32 proves-nothing this is refused whatever the rules say: 7 → 10: no move leads there with this number",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if again := proof.Moot(found); len(again) > 0 {
		t.Error("what is known already is found again:", again)
	}
}

// TestUnprovedOptions: an option is noted of which all tests pass with its default too, unless a table sets it.
func TestUnprovedOptions(t *testing.T) {
	book := testbook.Book(t, "house.rules", `change house "Sixes" for parchis

option pay    = false "a capture counts, too"
option throws_on = true  "a 6 throws again"
option far    = 10    "how far is far"

replace rule capture_counts "Who eats throws again, and counts only where the house says so" {
  on capture(p, q) { if pay { earn capture_count }; if throws_on { again } }
}
rule far_out "Who goes far throws again" { on land(p, s) when p.index >= far { again } }

test "counting where the house pays" {
  set   pay = true
  set   throws_on = false
  set   far = 90
  given yellow 10 40 home home | red 13 home home home
  turn  yellow
  throw 3
  play  10 -> 13
  expect red home home home home
}
test "no more throws" {
  set   throws_on = false
  set   far = 90
  given yellow 10 home home home | red 13 home home home
  turn  yellow
  throw 3
  expect turn red
}
test "far" {
  cases n
        80
  set   far = n
  given yellow 10 home home home | red 50 home home home
  turn  yellow
  throw 3
  expect turn red
}
`, nil)
	var got []string
	for _, d := range suite.Prove(t.Context(), book, nil).UnprovedOptions() {
		got = append(got, fmt.Sprint(d.Span.Position().Line, " ", d.Code, " ", d.Message))
	}
	want := []string{`13 proves-nothing no test shows what option "pay" changes: all that set it pass with its default too`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestUntold: a title that speaks of an act which does not come about in its test gives one finding; one that says that it does not, one of
// what may be played and one of what a line sets give none.
func TestUntold(t *testing.T) {
	book := testbook.Book(t, "untold.rules", `ruleset untold "A race"

board   cross68
players 2
pieces  2 at home
dice    die = d6
first   yellow

var player fame: flag

turn { throw die; play die }

move advance(p in mine) from squares walk steps

act chase(piece p, piece q) "p chases q home" { put q on home }

rule counting "One piece counts the throw" {
  may advance(p)
  step beyond: stop
  on land(p, s) when s.square { for q in filter(s.pieces, .colour != p.colour) { do chase(p, q) } }
  on chase(p, q) { p.player.fame = true }
}

rule finish "The famous win" { win player x when all(x.pieces, .at == goal) && x.fame }

test "a piece chases another one" {
  given yellow 10 home | blue 13 home
  turn  yellow
  throw 3
  expect blue home home
}
test "a piece is chased home" {
  given yellow 10 home | blue 14 home
  turn  yellow
  throw 3
  expect blue 14 home
}
test "no piece is chased from far away" {
  given yellow 10 home | blue 14 home
  turn  yellow
  throw 3
  expect blue 14 home
}
test "chasing as one likes" {
  given yellow 10 20 | blue 13 home
  turn  yellow
  throw 3
  expect moves 10 -> 13, 20 -> 23
}
test "who has chased wins" {
  given yellow yellow-5 goal | blue 14 home
  set   yellow.fame = true
  turn  yellow
  throw 3
  expect winner yellow
}
`, nil)
	var got []string
	for _, d := range suite.Prove(t.Context(), book, nil).Untold() {
		got = append(got, fmt.Sprint(d.Span.Position().Line, " ", d.Code, " ", d.Message))
	}
	if diff := cmp.Diff([]string{`32 misnamed the title speaks of act "chase", and it is not done in this test`}, got); diff != "" {
		t.Error(diff)
	}
}
