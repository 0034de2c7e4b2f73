package interpreter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/interpreter"
)

// TestCorners plays what the page says in passing with tests that stand beside the rules.
func TestCorners(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"a turn begins with nothing counted", oddMoves + neverOver + `var game was = 9
turn {
  throw die
  play  die
}
rule a "A" { on turn begins { was = steps + usable + heading } }
test "a" {
  given yellow 2 4 | blue 7 home
  turn  yellow
  throw 3
  play  2 -> 5
  expect turn blue
  throw 1
  expect that was == 1
}
`},
		{"a die that was not thrown is 0", oddMoves + neverOver + `dice extra = d6
turn {
  throw die
  play  extra
  play  die
}
rule a "A" { step into s: bar when s == square("3") }
test "a" {
  given yellow 2 7 | blue 8 home
  turn  yellow
  throw 2
  expect yellow 2 9
}
`},
		{"candidates are checked", oddMoves + neverOver + `var game few: 0..2
turn {
  throw die
  choose few from [1, 2]
  play  die
}
test "a" {
  given yellow 2 7 | blue 8 home
  turn  yellow
  throw 2
  play  2
  expect that few == 2
}
`},
		{"a number earned with a piece is for no move without one", oddMoves + neverOver + `move rest()
rule a "A" {
  may rest()
  on land(p, s) when thrown { earn 3 with p }
}
turn {
  throw die
  play  die
  play  earned
}
test "a" {
  given yellow 2 7 | blue 8 home
  turn  yellow
  throw 2
  play  2 -> 4
  expect yellow 7 7
}
`},
	} {
		scenarios(t, c.name, c.text)
	}
}

// TestNothingUsableAfterTheTurn plays as many numbers as can be used, where one of the moves ends the turn.
func TestNothingUsableAfterTheTurn(t *testing.T) {
	g := odd(t, oddHead+oddMoves+neverOver+"turn { play most of [2, 2] }\nrule a \"A\" { on land(p, s) when s == square(\"4\") { end turn } }\n")
	p, err := g.Setup(&interpreter.Setup{Turn: "yellow", Pieces: map[string][]string{"yellow": {"2", "7"}, "blue": {"8", "11"}}})
	if err != nil {
		t.Fatal(err)
	}
	if p.Kind() != interpreter.Choice || p.Player() != 0 || p.OptionCount() != 2 {
		t.Errorf("player %d has %d options, want player 0 with 2", p.Player(), p.OptionCount())
	}
}

// TestNarrowChoice picks what does not fit.
func TestNarrowChoice(t *testing.T) {
	oddFault(t, neverOver+"var game few: 0..2\nturn {\n  throw die\n  choose few from [die, die + 2]\n  if few == 9 { again }\n}\n", "this number does not fit here")
}

// TestNoSuchElement asks the first piece of an empty square for its colour.
func TestNoSuchElement(t *testing.T) {
	oddFault(t, neverOver+"turn {\n  throw die\n  if square(\"5\").pieces[0].colour == yellow { again }\n}\n", "the list has no such element")
}

// TestLargeProduct multiplies numbers until they are too large.
func TestLargeProduct(t *testing.T) {
	oddFault(t, neverOver+"var game n = 20000\nturn {\n  throw die\n  if n * n * n * n > 0 { again }\n}\n", "this number does not fit here")
}

func oddFault(t *testing.T, text, want string) {
	t.Helper()
	p := odd(t, oddHead+text).Start(0)
	for range 50 {
		if p.Kind() == interpreter.Broken {
			break
		}
		runOdd(p, 1)
	}
	if err := p.Err(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

// TestChoiceAscends throws a choice of numbers that are not written in their order.
func TestChoiceAscends(t *testing.T) {
	p := odd(t, oddHead+neverOver+"dice pick = choice of [3, 1, 2, 1]\nturn { throw pick }\n").Start(0)
	var got []int
	for _, o := range p.Outcomes(nil, 0) {
		got = append(got, o.Value)
	}
	if !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("got %s", fmt.Sprint(got))
	}
}
