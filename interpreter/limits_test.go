package interpreter_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// oddHead is what the odd rule books of this file have in common: two players on a ring of twelve squares.
const oddHead = `ruleset odd "Odd"
board   loop12
players 2
pieces  2 at home
dice    die = d6
`

// oddMoves lets pieces in and on, and ends the game when all of a player stand on one square.
const oddMoves = `
move enter(p in mine)   from home    to p.start
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" {
  may enter(p)
  may advance(p)
}
`

const oddTurn = `turn {
  throw die
  play  die
}
`

// neverOver is an ending nobody reaches.
const neverOver = `rule finish "Nobody wins" { over when len(game.players) == 9 }
`

// oddLibrary holds the boards of the odd rule books.
var oddLibrary = dsl.Library{Beside: os.DirFS("testdata/rules")}

// oddRules is an odd rule book, as far as the checker lets it pass.
func oddRules(t *testing.T, text string) (*dsl.Book, error) {
	t.Helper()
	book, faults := dsl.Load(source.New("odd.rules", text), oddLibrary)
	if book == nil {
		return nil, fmt.Errorf("%v", faults)
	}
	if faults := book.Check(); faults.HasErrors() {
		return nil, fmt.Errorf("%v", faults)
	}
	return book, nil
}

// odd compiles an odd rule book.
func odd(t *testing.T, text string) *interpreter.Game {
	t.Helper()
	g, err := oddGame(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func oddGame(t *testing.T, text string) (*interpreter.Game, error) {
	t.Helper()
	book, err := oddRules(t, text)
	if err != nil {
		t.Fatal(err)
	}
	rules, faults := book.Rules(dsl.Setting{})
	if rules == nil {
		t.Fatal(faults)
	}
	return interpreter.Compile(rules)
}

// runOdd plays at random until the game is over or broken, or for some nodes.
func runOdd(p *interpreter.Position, nodes int) {
	r := interpreter.NewRandom(1, 1)
	for range nodes {
		switch p.Kind() {
		case interpreter.Throw:
			p.ThrowRandom(&r)
		case interpreter.Choice:
			p.ChooseRandom(&r)
		default:
			return
		}
	}
}

// TestFaultsOfRules plays rule books that break: each ends with an error that names the place and the reason.
func TestFaultsOfRules(t *testing.T) {
	const wait = "move wait()\nrule waiting \"Nothing happens\" { may wait() }\n"
	cases := []struct {
		name string
		text string // of the file, after its head
		at   string // how the text begins where the error points
		want string
	}{
		{"again for ever", oddMoves + neverOver + "turn {\n  throw die\n  play die\n  again\n}\n",
			"throw die", "a turn has more than 600 throws and counts"},
		{"again for ever without a throw", oddMoves + neverOver + "turn {\n  again\n  if len(mine) == 9 { play 1 }\n}\n",
			"again", "a turn has more than 600 throws and counts"},
		{"earning for ever", wait + neverOver + "rule more \"More\" { on wait() { earn 1 } }\nturn {\n  throw die\n  play  die\n  play  earned\n}\n",
			"play  earned", "a turn has more than 600 throws and counts"},
		{"a debt", wait + neverOver + "var player purse: 0..20 = 2\nturn {\n  throw die\n  play die\n  me.purse -= 3\n}\n",
			"3", "this number does not fit here"},
		{"a purse too full", wait + neverOver + "var player purse: 0..20 = 2\nact pay(player x, number n) { x.purse += n }\nturn {\n  throw die\n  play die\n  do pay(me, 19)\n}\n",
			"n }", "this number does not fit here"},
		{"a number beyond 16 bits", wait + neverOver + "var game much = 2\nturn {\n  throw die\n  play die\n  much = much * 200\n}\n",
			"much = much * 200", "this number does not fit here"},
		{"a large number in between", wait + neverOver + "var game much = 32767\nturn {\n  throw die\n  play die\n  much = int(much * much * much * much * much * much / much)\n}\n",
			"much = int(", "this number does not fit here"},
		{"an element outside its range", wait + neverOver + "var player seen: set of 2..4\nturn {\n  throw die\n  play die\n  me.seen += die\n}\n",
			"die", "this number does not fit here"},
		{"an element below its range", wait + neverOver + "var player seen: set of 2..4\nturn {\n  throw die\n  play die\n  me.seen += die - 9\n}\n",
			"die - 9", "this number does not fit here"},
		{"a division by zero", wait + neverOver + "var game a = 5\nvar game b = 0\nturn {\n  throw die\n  play die\n  a = int(a / b)\n}\n",
			"a / b", "this divides by zero"},
		{"a rest of zero", wait + neverOver + "var game a = 5\nvar game b = 0\nturn {\n  throw die\n  play die\n  a = a % b\n}\n",
			"a % b", "this divides by zero"},
		{"nobody's field", wait + neverOver + "var game who: piece\nturn {\n  throw die\n  play die\n  if who.at == home { again }\n}\n",
			"who.at", "this asks something of nobody or nowhere (nil)"},
		{"nobody's variable", wait + neverOver + "var game who: piece\nvar piece tired = false\nturn {\n  throw die\n  play die\n  who.tired = true\n  if any(mine, .tired) { again }\n}\n",
			"who.tired", "this asks something of nobody or nowhere (nil)"},
		{"a put to nowhere", wait + neverOver + "var game spot: place\nturn {\n  throw die\n  play die\n  put mine[0] on spot\n}\n",
			"put mine[0] on spot", "this asks something of nobody or nowhere (nil)"},
		{"an exchange with nobody", wait + neverOver + "var game who: piece\nturn {\n  throw die\n  play die\n  exchange mine[0], who\n}\n",
			"exchange mine[0], who", "this asks something of nobody or nowhere (nil)"},
		{"a move to nowhere", "move hop(p in mine) from home to p.colour.gate\nvar colour gate: place\nrule hopping \"Pieces hop\" { may hop(p) }\n" + neverOver + oddTurn,
			"p.colour.gate", "this asks something of nobody or nowhere (nil)"},
		{"an element too far", wait + neverOver + "turn {\n  throw die\n  play die\n  if mine[die + 1].at == goal { again }\n}\n",
			"mine[die + 1]", "the list has no such element"},
		{"an element before the first", wait + neverOver + "turn {\n  throw die\n  play die\n  if mine[die - 7].at == goal { again }\n}\n",
			"mine[die - 7]", "the list has no such element"},
		{"the least of nothing", wait + neverOver + "turn {\n  throw die\n  play die\n  if min(map(filter(mine, .at == goal), .index)) == 3 { again }\n}\n",
			"min(", "the list has no such element"},
		{"seventeen counts wait", wait + neverOver + "turn {\n  throw die\n  play die\n  for i in 1..17 { earn i }\n  play earned\n}\n",
			"earn i", "more than 16 earned counts wait"},
		{"nine numbers each", wait + neverOver + "turn {\n  throw die\n  play each of 1..(die + 8)\n}\n",
			"play each of", "there are too many options or elements here"},
		{"nine numbers most", wait + neverOver + "turn {\n  throw die\n  play most of 1..(die + 8)\n}\n",
			"play most of", "there are too many options or elements here"},
		{"too many options", "move hop(p in mine, s in board.squares, a in 1..20, b in 1..20)\nrule hopping \"Pieces hop\" { may hop(p, s, a, b) }\n" + neverOver + oddTurn,
			"may hop(", "there are too many options or elements here"},
		{"a choice of nothing", wait + neverOver + "dice number = choice of filter(1..6, # == 9)\nturn {\n  throw number\n  play number + die\n}\n",
			"throw number", "there is no number to choose from"},
		{"too much between two decisions", wait + neverOver +
			"var game n = 0\nturn {\n  throw die\n  for a in board.squares { for b in board.squares { for c in board.squares { for d in board.squares { for e in board.squares { for f in board.squares { if a == f && b == e && c == d { n = 1 } } } } } } }\n  play die + n\n}\n",
			"for f in", "the rules do too much between two decisions"},
		{"a range of too many numbers", wait + neverOver +
			"var game n = 0\nturn {\n  throw die\n  for a in 1..30000 { for b in 1..30000 { if a == b { n = 1 } } }\n  play die + n\n}\n",
			"for b in", "the rules do too much between two decisions"},
		{"too many orders to look ahead at", "move hop(p in mine, s in filter(board.squares, .ring)) from home\nrule hopping \"Pieces hop\" {\n  may hop(p, s)\n  on hop(p, s) { put p on home }\n}\n" + neverOver + "turn {\n  throw die\n  play most of 1..(die - die + 8)\n}\n",
			"play most of", "the rules do too much between two decisions"},
		{"a long walk that is told", "move enter(p in mine) from home to p.start\nmove run(p in mine) from squares walk 300\nrule running \"Pieces run\" {\n  may enter(p)\n  may run(p)\n  on pass(p, s) when len(s.pieces) == 9 { again }\n}\n" + neverOver + oddTurn,
			"may run(p)", "a walk has more than 256 steps or ways"},
		{"a walk that divides at every step", "move enter(p in mine) from home to p.start\nmove run(p in mine) from squares walk 100\nrule running \"Pieces run\" {\n  may enter(p)\n  may run(p)\n  step into s: go or turn\n}\n" + neverOver + oddTurn,
			"may run(p)", "a walk has more than 256 steps or ways"},
		{"a walk with too many ends", "move enter(p in mine) from home to p.start\nmove run(p in mine) from squares walk 40\nrule running \"Pieces run\" {\n  may enter(p)\n  may run(p)\n  step into s: go or turn\n}\n" + neverOver + oddTurn,
			"may run(p)", "there are too many options or elements here"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := oddHead + c.text
			begun := time.Now()
			g := odd(t, text)
			p := g.Start(0)
			runOdd(p, 5000)
			var fault *interpreter.RuleError
			if p.Kind() != interpreter.Broken || !errors.As(p.Err(), &fault) {
				t.Fatalf("the game goes on: %v", p.Kind())
			}
			if fault.Message != c.want {
				t.Errorf("got %q, want %q", fault.Message, c.want)
			}
			if fault.Span.IsZero() {
				t.Fatal("the error has no place")
			}
			at := fault.Span.Position()
			if want := fmt.Sprintf("odd.rules:%d:%d: %s", at.Line, at.Column, c.want); fault.Error() != want {
				t.Errorf("got %q, want %q", fault.Error(), want)
			}
			line := strings.Split(text, "\n")[at.Line-1][at.Column-1:]
			if c.at == "" || !strings.HasPrefix(line, c.at) {
				t.Errorf("the error points at %q, want %q", line, c.at)
			}
			if d := time.Since(begun); d > 3*time.Second {
				t.Errorf("it took %v", d)
			}
			oddBroken(t, g, p)
		})
	}
}

// oddBroken checks that nothing can be done with a broken game, and that everything that plays it says why.
func oddBroken(t *testing.T, g *interpreter.Game, p *interpreter.Position) {
	t.Helper()
	if err := p.Throw(1); !errors.Is(err, interpreter.ErrNotNow) {
		t.Errorf("throw: %v", err)
	}
	if err := p.Choose(0); !errors.Is(err, interpreter.ErrNotNow) {
		t.Errorf("choose: %v", err)
	}
	if len(p.Options()) != 0 {
		t.Error("a broken game has options")
	}
	if q := p.Copy(); q.Kind() != interpreter.Broken || q.Err() == nil {
		t.Error("the copy of a broken game is none")
	}
	if _, err := interpreter.Perft(p, 1); err == nil || err.Error() != p.Err().Error() {
		t.Errorf("perft: got %v, want %v", err, p.Err())
	}
	if _, err := interpreter.Simulate(context.Background(), g, interpreter.SimOptions{Games: 3, MaxThrows: 3000}); err == nil {
		t.Error("a simulation does not report that the rules fail")
	}
	if p.Restart(0); p.Kind() == interpreter.Over {
		t.Error("a broken game cannot be begun again")
	}
}

// TestNobodyCanMove plays a rule book that offers nothing: every turn passes, up to the limit of throws.
func TestNobodyCanMove(t *testing.T) {
	g := odd(t, oddHead+"move wait()\nrule waiting \"Nobody ever may\" { may wait() when die == 7 }\n"+neverOver+oddTurn)
	p := g.Start(0)
	for turn := range 10 {
		if p.Kind() != interpreter.Throw || p.Turn() != turn%2 {
			t.Fatalf("turn %d: kind %v, seat %d", turn, p.Kind(), p.Turn())
		}
		if err := p.Throw(6); err != nil {
			t.Fatal(err)
		}
	}
	s, err := interpreter.Simulate(context.Background(), g, interpreter.SimOptions{Games: 20, MaxThrows: 50})
	if err != nil {
		t.Fatal(err)
	}
	if s.Games != 20 || s.Unfinished != 20 || s.TotalThrow != 20*50 || s.Wins[0]+s.Wins[1] != 0 {
		t.Errorf("got %+v", s)
	}
	if counts, err := interpreter.Perft(g.Start(0), 2); err != nil || !slices.Equal(counts, []uint64{6, 36}) {
		t.Errorf("perft: %v, %v", counts, err)
	}
}

// TestGameWithoutEnd plays a rule book whose pieces go round for ever.
func TestGameWithoutEnd(t *testing.T) {
	g := odd(t, oddHead+oddMoves+neverOver+oddTurn)
	s, err := interpreter.Simulate(context.Background(), g, interpreter.SimOptions{Games: 20, MaxThrows: 200})
	if err != nil {
		t.Fatal(err)
	}
	if s.Games != 20 || s.Unfinished != 20 || s.Throws.Mean != 200 || s.Wins[0]+s.Wins[1] != 0 {
		t.Errorf("got %+v", s)
	}
}

// TestEmptyTurn plays a turn that asks for nothing: no position is ever reached.
func TestEmptyTurn(t *testing.T) {
	p := odd(t, oddHead+oddMoves+neverOver+"turn {\n}\n").Start(0)
	if p.Kind() != interpreter.Broken || p.Err().Error() != "the rules do too much between two decisions" {
		t.Errorf("got %v %v", p.Kind(), p.Err())
	}
}

// TestCancelledSimulation ends with what there is.
func TestCancelledSimulation(t *testing.T) {
	g := odd(t, oddHead+oddMoves+neverOver+oddTurn)
	ctx, cancel := context.WithCancel(context.Background())
	s, err := interpreter.Simulate(ctx, g, interpreter.SimOptions{Games: 1_000_000, Threads: 2, MaxThrows: 50, Progress: func(done int) {
		if done >= 100 {
			cancel()
		}
	}})
	if err != nil || s.Games < 100 || s.Games > 1000 || s.Unfinished != s.Games {
		t.Errorf("got %v, %v", s, err)
	}
	s, err = interpreter.Simulate(ctx, g, interpreter.SimOptions{Games: 10})
	if err != nil || s.Games != 0 {
		t.Errorf("begun after the end: %v, %v", s, err)
	}
}
