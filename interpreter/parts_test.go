package interpreter_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// TestParts wants a condition that does not hold to be taken apart: what was looked at, outside first, each part once.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		cond string
		want []string
	}{
		{`sixes > 3`, []string{`sixes is 0`}},
		{`1 == 2`, nil},
		{`capture_count == 7`, []string{`capture_count is 20`}},
		{`yellow.pieces[0].at == nil && sixes == 0`, []string{
			`yellow.pieces[0].at == nil is false`, `yellow.pieces[0].at is 12`, `yellow.pieces[0] is yellow@12`,
			`yellow.pieces is [yellow@12, yellow@home, yellow@home, yellow@20]`}},
		{`sixes == 0 && sixes > 1`, []string{`sixes == 0 is true`, `sixes is 0`, `sixes > 1 is false`}},
		{`all(yellow.pieces, .at == home)`, []string{
			`all(yellow.pieces, .at == home) is false, as it does not hold for yellow@12, yellow@20`,
			`yellow.pieces is [yellow@12, yellow@home, yellow@home, yellow@20]`}},
		{`none(filter(red.pieces, .at == home), .at.square || any(.at.pieces, # == blue.pieces[1]))`, []string{
			`none(filter(red.pieces, .at == home), .at.square || any(.at.pieces, # == blue.pieces[1])) is false, as it holds for all`,
			`filter(red.pieces, .at == home) is [red@home, red@home, red@home, red@home]`,
			`red.pieces is [red@home, red@home, red@home, red@home]`}},
		{`any(goal.pieces, .at == home)`, []string{`goal.pieces is empty`}},
		{`first(goal.pieces) != nil`, []string{`first(goal.pieces) is nil`, `goal.pieces is empty`}},
		{`!(me == yellow.player)`, []string{`me == yellow.player is true`, `me is yellow`, `yellow.player is yellow`}},
		{`(sixes == 0 ? sixes : die) == 4`, []string{`sixes == 0 is true`, `sixes is 0`}},
		{`(find(home.pieces, .colour == blue) ?? goal.pieces[0]).at == goal`, []string{
			`(find(home.pieces, .colour == blue) ?? goal.pieces[0]).at is home`,
			`find(home.pieces, .colour == blue) ?? goal.pieces[0] is blue@home`, `find(home.pieces, .colour == blue) is blue@home`,
			`home.pieces is [yellow@home, yellow@home, blue@home, blue@home, blue@home, red@home, red@home, red@home, red@home, green@home, green@home, green@home, …]`}},
		{`yellow@20.at == blue@30.at`, []string{`yellow@20.at is 20`, `blue@30.at is 30`}},
		{`yellow@home#2 == yellow@12`, []string{`yellow@home#2 is yellow@home`}},
		{`yellow@home#3 != nil`, []string{`yellow@home#3 is nil`}},
	} {
		text := `change cond "A condition" for parchis4a
test "it does not hold" {
  given yellow 12 home home 20 | blue 30 home home home | red home home home home | green home home home home
  turn  yellow
  expect that ` + c.cond + `
}
`
		rules := testbook.Tested(t, "cond.rules", text, nil)
		game, err := interpreter.Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		failures := game.RunTest(rules.Tests[0])
		if len(failures) != 1 || !strings.Contains(failures[0].Message, "this does not hold: "+c.cond) {
			t.Errorf("%s: %v", c.cond, failures)
			continue
		}
		var got []string
		for _, r := range failures[0].Remarks {
			got = append(got, r.Message)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", c.cond, diff)
		}
	}
}

// TestPiecesBySquare wants what a test expects of COLOUR@SQUARE to hold of the pieces that it sets in these words.
func TestPiecesBySquare(t *testing.T) {
	const text = `change old "Pieces grow old" for parchis4a
var piece age = 0
var game  hunter: piece
rule ageing "A move makes a piece older" { on move(p) { p.age += 1; hunter = p } }
test "by square" {
  cases who    from to
        yellow 40   43
        blue   40   43
  given who from 20 home home | red 30 home home home
  set   who@from.age = 2
  set   who@home#2.age = 7
  set   hunter = who@20
  turn  who
  expect that hunter == who@20 && who@from.age == 2 && who@home.age == 0 && who@home#2.age == 7
  throw 3
  play  from -> to
  expect that hunter == who @ to && who@to.age == 3 && who@20.age - 1 == -1 && any(who.pieces, # == who@to/1)
  expect that who@from == nil && who@20/0 == nil && who@to/1 == who@to && who@home#2 != who@home && who@home#3 == nil
}
test "none is there" {
  given yellow 40 home home home
  turn  yellow
  expect that yellow@41.age == 0
}
`
	rules := testbook.Tested(t, "old.rules", text, nil)
	game, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range rules.Tests {
		failures := game.RunTest(test)
		switch {
		case i < 2 && len(failures) > 0:
			t.Errorf("%s: %v %v", test.Name, failures, failures[0].Remarks)
		case i == 2 && (len(failures) != 1 || !strings.Contains(failures[0].Message, "the condition fails") || len(failures[0].Remarks) != 2 ||
			failures[0].Remarks[1].Message != "yellow@41 is nil"):
			t.Errorf("%v", failures)
		}
	}
}

// TestPiecesByPassage wants COLOUR@SQUARE/2 to be the piece that comes to the square the second time.
func TestPiecesByPassage(t *testing.T) {
	const board = `board: laps
colours: [red, blue]
zones: [nest, shore]
squares:
  ring: {for: {i: 1..12}, name: string(i), draw: {x: i, y: 0}}
landmarks:
  start: ring[6 * c.seat + 1]
tracks:
  race: [{ring: {from: start, around: once}}, {ring: {from: start, around: once}}, shore]
`
	const text = `ruleset laps "Two laps"
board   laps
players 2
pieces  2 at nest
dice    die = d6
turn { throw die; play die }
var piece age = 0
move advance(p in mine) from squares walk steps
rule counting "A piece counts the throw, and grows older" { may advance(p); on advance(p) { p.age += 1 } }
rule finish   "All on the shore win" { win player x when all(x.pieces, .at == shore) }
test "by passage" {
  given red 3 3/2
  set   red@3/2.age = 4
  turn  red
  expect that red@3/1.age == 0 && red@3/2.age == 4 && red@3 == red@3/1 && red@3#2 == red@3/2 && red@3/0 == nil
  throw 2
  play  3/2 -> 5/2
  expect that red@5/2.age == 5 && red@5/1 == nil && red@5.age == 5 && red@3/2 == nil
}
`
	rules := testbook.Tested(t, "laps.rules", text, fstest.MapFS{"laps.yaml": {Data: []byte(board)}})
	game, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	if failures := game.RunTest(rules.Tests[0]); len(failures) > 0 {
		t.Errorf("%v %v", failures, failures[0].Remarks)
	}
}
