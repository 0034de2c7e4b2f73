package interpreter_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// oddHead is what the odd rule books of this file have in common: two players on a ring of twelve squares.
const oddHead = `ruleset odd "Odd"
board   loop12
players 2
pieces  2 at home
dice    die = d6
`

// oddMoves lets pieces in and on.
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

// neverOver is an ending that is never reached.
const neverOver = `rule finish "Nobody wins" { over when len(game.players) == 9 }
`

// oddLibrary holds the boards of the odd rule books.
var oddLibrary = dsl.Library{Beside: os.DirFS("testdata/rules"), Shared: &dsl.Shared{}}

// oddRules is an odd rule book, as far as the checker lets it pass.
func oddRules(t *testing.T, text string) (*dsl.Book, error) {
	t.Helper()
	book, faults := dsl.Load(source.New("odd.rules", text), oddLibrary)
	if book == nil {
		return nil, fmt.Errorf("%v", faults)
	}
	if faults := dsl.Check(book); faults.HasErrors() {
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
			"3", "this number does not fit here: -1 is not in 0..20"},
		{"a purse too full", wait + neverOver + "var player purse: 0..20 = 2\nact pay(player x, number n) { x.purse += n }\nturn {\n  throw die\n  play die\n  do pay(me, 19)\n}\n",
			"n }", "this number does not fit here: 21 is not in 0..20"},
		{"a number beyond 16 bits", wait + neverOver + "var game much = 2\nturn {\n  throw die\n  play die\n  much = much * 200\n}\n",
			"much = much * 200", "this number does not fit here: 80000 is not in -32768..32767"},
		{"a large number in between", wait + neverOver + "var game much = 32767\nturn {\n  throw die\n  play die\n  much = int(much * much * much * much * much * much / much)\n}\n",
			"much * much", "this number does not fit here: 35181150961663 is not in -1073741823..1073741824"},
		{"an element outside its range", wait + neverOver + "var player seen: set of 2..4\nturn {\n  throw die\n  play die\n  me.seen += die\n}\n",
			"die", "this number does not fit here: 5 is not in 2..4"},
		{"an element below its range", wait + neverOver + "var player seen: set of 2..4\nturn {\n  throw die\n  play die\n  me.seen += die - 9\n}\n",
			"die - 9", "this number does not fit here: -4 is not in 2..4"},
		{"a division by zero", wait + neverOver + "var game a = 5\nvar game b = 0\nturn {\n  throw die\n  play die\n  a = int(a / b)\n}\n",
			"a / b", "this divides by zero"},
		{"a rest of zero", wait + neverOver + "var game a = 5\nvar game b = 0\nturn {\n  throw die\n  play die\n  a = a % b\n}\n",
			"a % b", "this divides by zero"},
		{"a field of nil", wait + neverOver + "var game who: piece\nturn {\n  throw die\n  play die\n  if who.at == home { again }\n}\n",
			"who.at", "got nil, want a piece, place, colour or player"},
		{"a variable of nil", wait + neverOver + "var game who: piece\nvar piece tired = false\nturn {\n  throw die\n  play die\n  who.tired = true\n  if any(mine, .tired) { again }\n}\n",
			"who.tired", "got nil, want a piece, place, colour or player"},
		{"a put to nowhere", wait + neverOver + "var game spot: place\nturn {\n  throw die\n  play die\n  put mine[0] on spot\n}\n",
			"put mine[0] on spot", "got nil, want a piece, place, colour or player"},
		{"nil carried", "move hop(p in mine) from home to p.start carrying [find(mine, .at == goal)]\nrule hopping \"Pieces hop\" { may hop(p) }\n" + neverOver + oddTurn,
			"[find(", "got nil, want a piece, place, colour or player"},
		{"nil carried on a walk", "move enter(p in mine) from home to p.start\nmove run(p in mine) from squares walk steps carrying [find(mine, .at == goal)]\nrule running \"Pieces run\" {\n  may enter(p)\n  may run(p)\n  on leave(p, s) when s.nook { again }\n}\n" + neverOver + oddTurn,
			"[find(", "got nil, want a piece, place, colour or player"},
		{"nil put", wait + neverOver + "var game who: piece\nrule leaving \"Leaving\" { on leave(p, s) { again } }\nturn {\n  throw die\n  play die\n  put who on goal\n}\n",
			"put who on goal", "got nil, want a piece, place, colour or player"},
		{"a choice by nil", wait + neverOver + "var game who: player\nturn {\n  throw die\n  play die\n  choose n \"Which?\" from 1..2 by who\n  if n == 1 { again }\n}\n",
			"who", "got nil, want a piece, place, colour or player"},
		{"nil dropped", wait + neverOver + "var game who: player\nturn {\n  throw die\n  play die\n  drop who\n}\n",
			"drop who", "got nil, want a piece, place, colour or player"},
		{"nil moves", "move hop(p in [find(mine, .at == goal)]) to p.start\nrule hopping \"Pieces hop\" { may hop(p) }\n" + neverOver + oddTurn,
			"may hop(p)", "got nil, want a piece, place, colour or player"},
		{"nil stays", "move sit(p in [find(mine, .at == goal)]) stay\nrule sitting \"Pieces sit\" {\n  may sit(p)\n  on land(p, s) { again }\n}\n" + neverOver + oddTurn,
			"may sit(p)", "got nil, want a piece, place, colour or player"},
		{"an exchange with nil", wait + neverOver + "var game who: piece\nturn {\n  throw die\n  play die\n  exchange mine[0], who\n}\n",
			"exchange mine[0], who", "got nil, want a piece, place, colour or player"},
		{"a move to nowhere", "move hop(p in mine) from home to p.colour.gate\nvar colour gate: place\nrule hopping \"Pieces hop\" { may hop(p) }\n" + neverOver + oddTurn,
			"p.colour.gate", "got nil, want a piece, place, colour or player"},
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
		{"too many orders to look ahead at", "move hop(p in mine, s in filter(board.squares, .ring)) from home\nrule hopping \"Pieces hop, but not with a 1\" {\n  may hop(p, s) when steps > 1\n  on hop(p, s) { put p on home }\n}\n" + neverOver + "turn {\n  throw die\n  play most of 1..(die - die + 8)\n}\n",
			"play most of", "the rules do too much between two decisions"},
		{"turns that end as they begin", wait + neverOver + "rule e \"E\" { on turn begins { end turn } }\n" + oddTurn,
			"end turn", "the rules do too much between two decisions"},
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
	if _, err := stats.Run(t.Context(), g, stats.Options{To: 3, MaxThrows: 3000}); err == nil {
		t.Error("a simulation does not report that the rules fail")
	}
	if p.Restart(0); p.Kind() == interpreter.Over {
		t.Error("a broken game cannot be begun again")
	}
}

// TestNoMoves plays a rule book that offers nothing: every turn passes, up to the limit of throws.
func TestNoMoves(t *testing.T) {
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
	s, err := stats.Run(t.Context(), g, stats.Options{To: 20, MaxThrows: 50})
	if err != nil {
		t.Fatal(err)
	}
	if s.Games() != 20 || s.Unfinished != 20 || s.Throws.Sum().Total() != 20*50 || s.Wins[0]+s.Wins[1] != 0 {
		t.Errorf("got %+v", s)
	}
	if counts, err := interpreter.Perft(g.Start(0), 2); err != nil || !slices.Equal(counts, []uint64{6, 36}) {
		t.Errorf("perft: %v, %v", counts, err)
	}
}

// TestGameWithoutEnd plays a rule book whose pieces go round for ever.
func TestGameWithoutEnd(t *testing.T) {
	g := odd(t, oddHead+oddMoves+neverOver+oddTurn)
	s, err := stats.Run(t.Context(), g, stats.Options{To: 20, MaxThrows: 200})
	if err != nil {
		t.Fatal(err)
	}
	if s.Games() != 20 || s.Unfinished != 20 || s.Throws.Mean().Mean != 200 || s.Wins[0]+s.Wins[1] != 0 {
		t.Errorf("got %+v", s)
	}
}

// TestGameWithoutThrows: a game without throws and without a winner is taken to be endless, by all that play it.
func TestGameWithoutThrows(t *testing.T) {
	g := odd(t, `ruleset odd "Odd"
board   cross68 track loop
players 2
pieces  2 at home
dice    die = d6
setup { for c in game.colours { put c.pieces[0] on c.start; put c.pieces[1] on c.start } }
turn {
  play 1
  play 2
}
move advance(p in mine) from squares walk steps
rule on_and_on "On and on" { may advance(p) }
`+neverOver)
	r, err := interpreter.NewRunner(g, interpreter.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if x, err := r.Play(1, 1); err != nil || !x.Unfinished || x.Throws != 0 {
		t.Errorf("got %+v, %v", x, err)
	}
}

// TestEmptyTurn plays a turn that asks for nothing: no position is ever reached.
func TestEmptyTurn(t *testing.T) {
	p := odd(t, oddHead+oddMoves+neverOver+"turn {\n  if heading == 5 { again }\n}\n").Start(0)
	if p.Kind() != interpreter.Broken || !strings.HasSuffix(p.Err().Error(), ":3: the rules do too much between two decisions") {
		t.Errorf("got %v %v", p.Kind(), p.Err())
	}
}

// TestCancelledSimulation ends with what there is.
func TestCancelledSimulation(t *testing.T) {
	g := odd(t, oddHead+oddMoves+neverOver+oddTurn)
	ctx, cancel := context.WithCancel(context.Background())
	s, err := stats.Run(ctx, g, stats.Options{To: 1_000_000, Threads: 2, MaxThrows: 50, Progress: func(done int) {
		if done >= 100 {
			cancel()
		}
	}})
	if err != nil || s.Games() < 100 || s.Games() > 10_000 || s.Unfinished != s.Games() {
		t.Errorf("got %v, %v", s, err)
	}
	s, err = stats.Run(ctx, g, stats.Options{To: 10})
	if err != nil || s.Games() != 0 {
		t.Errorf("begun after the end: %v, %v", s, err)
	}
}

// TestRefusedByTheChecker loads rule books that are never played: the checker says why.
func TestRefusedByTheChecker(t *testing.T) {
	rest := oddMoves + neverOver + oddTurn
	var doubling strings.Builder
	doubling.WriteString("let n0 = die\n")
	for i := range 101 {
		fmt.Fprintf(&doubling, "let n%d = n%d + n%d\n", i+1, i, i)
	}
	doubling.WriteString("rule much \"Much\" { on throw(die) when n101 == 3 { again } }\n")
	for _, c := range []struct{ name, text, want string }{
		{"team without a player", "teams { yellow blue | }\n" + rest, ""},
		{"team of an unknown colour", "teams { yellow | pink }\n" + rest, "pink"},
		{"colour in no team", "teams { yellow }\n" + rest, "blue"},
		{"player without a colour", "seats 2 { yellow blue | }\n" + rest, ""},
		{"too few players listed", "seats 2 { yellow blue }\n" + rest, "these are seats for 2 players, but 1 are listed"},
		{"unknown colour begins", "first pink\n" + rest, "pink"},
		{"end of a turn that is over", "rule e \"E\" { on turn ends { end turn } }\n" + rest, "there is no turn to end here"},
		{"lets that double", doubling.String() + rest, "grows too large when the lets it uses are written out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := oddRules(t, oddHead+c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "odd.rules:") {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestTooLarge compiles rules beyond what a program can hold.
func TestTooLarge(t *testing.T) {
	var duties, lets strings.Builder
	duties.WriteString("rule duties \"Duties\" {\n")
	for i := range 31 {
		fmt.Fprintf(&duties, "  must enter(p) when die == %d\n", i%6+1)
	}
	duties.WriteString("}\n")
	lets.WriteString("let n0 = die\n")
	for i := range 12 {
		fmt.Fprintf(&lets, "let n%d = n%d + n%d\n", i+1, i, i)
	}
	lets.WriteString("rule much \"Much\" {\n")
	for i := range 150 {
		fmt.Fprintf(&lets, "  on throw(die) when n12 == %d { again }\n", i)
	}
	lets.WriteString("}\n")
	for name, text := range map[string]string{"duties": duties.String(), "lets": lets.String()} {
		t.Run(name, func(t *testing.T) {
			book, err := oddRules(t, oddHead+text+oddMoves+neverOver+oddTurn)
			if err != nil {
				t.Fatal(err)
			}
			rules, _ := book.Rules(dsl.Setting{})
			g, err := interpreter.Compile(rules)
			if want := `ruleset "odd": the rules are too large for one program`; g != nil || err == nil || err.Error() != want {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

// TestDeckRunsEmpty draws a deck of three cards twice.
func TestDeckRunsEmpty(t *testing.T) {
	g := odd(t, oddHead+"dice card = deck {1: 1, 2: 2}\n"+oddMoves+neverOver+"turn {\n  throw card\n  play  card\n}\n")
	p := g.Start(0)
	r := interpreter.NewRandom(1, 1)
	for range 20 {
		sum := 0
		for range 3 {
			for p.Kind() == interpreter.Choice {
				p.ChooseRandom(&r)
			}
			p.ThrowRandom(&r)
			sum += p.Numbers()[slices.IndexFunc(g.Dice(), func(d interpreter.Die) bool { return d.Name == "card" })]
		}
		if sum != 5 {
			t.Fatalf("three cards sum to %d, want 5", sum)
		}
	}
}

// TestWrongNode asks a position for what it does not wait for.
func TestWrongNode(t *testing.T) {
	p := odd(t, oddHead+oddMoves+neverOver+"turn {\n  throw die\n  choose q \"Which?\" from game.colours\n  play die\n  if q == yellow { over }\n}\n").Start(0)
	if err := p.Choose(0); !errors.Is(err, interpreter.ErrNotNow) {
		t.Errorf("choose at a throw: %v", err)
	}
	for _, numbers := range [][]int{nil, {0}, {7}, {1, 2}} {
		if err := p.Throw(numbers...); err == nil {
			t.Errorf("throw %v is taken", numbers)
		}
	}
	if err := p.Throw(3); err != nil {
		t.Fatal(err)
	}
	if err := p.Throw(3); !errors.Is(err, interpreter.ErrNotNow) {
		t.Errorf("throw at a choice: %v", err)
	}
	for _, i := range []int{-1, 2, 1000} {
		if err := p.Choose(i); err == nil || p.Kind() != interpreter.Choice {
			t.Errorf("option %d is taken", i)
		}
	}
	for p.Kind() != interpreter.Over {
		if p.Kind() == interpreter.Throw {
			_ = p.Throw(1)
		} else if err := p.Choose(0); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(p.Throw(1), p.Choose(0)); !errors.Is(err, interpreter.ErrNotNow) {
		t.Errorf("after the end: %v", err)
	}
}

// TestOddEndings plays scenarios in which a turn or game ends in an unusual place.
func TestOddEndings(t *testing.T) {
	for name, text := range map[string]string{
		"everyone dropped": oddMoves + neverOver + "turn {\n  throw die\n  for x in game.players { drop x }\n  play die\n}\n" +
			"test \"over\" {\n  throw 1\n  expect turn blue\n  throw 1\n  expect over\n  expect that none(game.players, .playing)\n}\n",
		"a pick without a candidate": oddMoves + neverOver + "var game n = 0\nturn {\n  throw die\n  if die == 1 {\n    choose q \"Which?\" from filter(mine, .at == goal)\n    n = 5\n    send q to home\n  }\n  n += 1\n}\n" +
			"test \"skipped\" {\n  throw 1\n  expect that n == 1\n}\n",
		"undo": oddMoves + neverOver + "var game n = 0\nturn {\n  throw die\n  n += 1\n  play die\n  if die == 6 { undo turn }\n}\n" +
			"test \"undone\" {\n  given yellow 2 2 | blue home home\n  turn yellow\n  throw 6\n  expect yellow 2 2\n  expect that n == 0\n  expect turn blue\n}\n",
		"win inside": oddMoves + neverOver + "act a(player x) { do b(x) }\nact b(player x) { if x == me { for i in 1..3 { win x } } }\nrule r \"R\" { on land(p, s) { do a(p.player) } }\n" + oddTurn +
			"test \"won\" {\n  given yellow 2 2 | blue home home\n  turn yellow\n  throw 6\n  expect over\n  expect winner yellow\n}\n",
		"drop inside": oddMoves + neverOver + "act a(player x) { drop x }\nrule r \"R\" {\n  on land(p, s) { do a(p.player) }\n  on drop(x) { for q in x.pieces { put q on home } }\n  win player x when len(after(x)) == 0\n}\n" + oddTurn +
			"test \"dropped\" {\n  given yellow 2 2 | blue home home\n  turn yellow\n  throw 6\n  expect yellow home home\n  expect winner blue\n}\n",
		"rank inside": oddMoves + neverOver + "act a(player x) { rank x }\nrule r \"R\" { on land(p, s) { do a(p.player) } }\nrule done \"D\" { over when count(game.players, .ranked) == 1 }\n" + oddTurn +
			"test \"ranked\" {\n  given yellow 2 2 | blue home home\n  turn yellow\n  throw 6\n  expect ranking yellow blue\n}\n",
		"between two barriers": "move advance(p in mine) from squares walk steps\nlet barrier(place s) = len(s.pieces) == 2\nrule counting \"C\" {\n  may advance(p)\n  step into s: turn when barrier(s)\n}\n" + neverOver +
			"replace-pieces\n" + oddTurn +
			"test \"it turns twice and stops\" {\n  given yellow 3 home home home home | blue 2 2 4 4 home\n  turn yellow\n  throw 6\n  expect no moves\n  expect yellow 3 home home home home\n  expect turn blue\n}\n",
	} {
		scenarios(t, name, text)
	}
	for _, on := range []string{"throw", "leave(p, s)", "step(p) from a to b", "pass(p, s)", "land(p, s)", "advance(p)", "move(p)", "deed(p)"} {
		text := oddMoves + neverOver + "act deed(piece p) { put p on p.at }\nrule ends \"E\" {\n  on land(p, s) { do deed(p) }\n  on " + on + " { if die > 0 { end turn } }\n}\nturn {\n  throw die\n  play die\n  again\n  if die == 7 { play 3 }\n}\n" +
			"test \"ends\" {\n  given yellow 2 2 | blue home home\n  turn yellow\n  throw 6\n  expect turn TURN\n}\n"
		scenarios(t, "end turn on "+on, strings.Replace(text, "TURN", "blue", 1))
	}
}

// scenarios runs the tests of an odd rule book.
func scenarios(t *testing.T, name, text string) {
	t.Run(name, func(t *testing.T) {
		head := oddHead
		if strings.Contains(text, "replace-pieces\n") {
			head, text = strings.Replace(head, "pieces  2", "pieces  5", 1), strings.Replace(text, "replace-pieces\n", "", 1)
		}
		book, err := oddRules(t, head+text)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range book.Scenarios() {
			rules, faults := s.Rules()
			if rules == nil {
				t.Fatal(faults)
			}
			g, err := interpreter.Compile(rules)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range g.RunTest(rules.Tests[0]) {
				t.Error(f.Error())
			}
		}
	})
}

// TestPositionsThatCannotBe lists every reason at once.
func TestPositionsThatCannotBe(t *testing.T) {
	g := odd(t, oddHead+oddMoves+neverOver+oddTurn)
	_, err := g.Setup(&interpreter.Setup{Players: 3, Turn: "pink", Pieces: map[string][]string{"yellow": {"99", "p1"}, "green": nil}})
	var wrong *interpreter.SetupError
	if !errors.As(err, &wrong) {
		t.Fatal(err)
	}
	want := []string{
		"the position is for 3 players, the game for 2",
		`turn: "pink" does not play in this game (yellow, blue do)`,
		`pieces: "green" does not play in this game (yellow, blue do)`,
		`pieces: "yellow" stands on "99", which the board does not have`,
		`pieces: "yellow" stands on "p1", which is not on its track`,
		`pieces: "blue" is missing`,
	}
	if !slices.Equal(wrong.Reasons, want) {
		t.Errorf("got %q", wrong.Reasons)
	}
}

// TestNothingToCount explains a choice between numbers of which one is 0: no move counts it, so that it stands against
// none.
func TestNothingToCount(t *testing.T) {
	g := odd(t, oddHead+oddMoves+neverOver+"turn {\n  throw die\n  play  most of [0, die]\n}\n")
	p, err := g.Setup(&interpreter.Setup{Turn: "yellow", Pieces: map[string][]string{"yellow": {"1", "7"}, "blue": {"home", "home"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Throw(2); err != nil {
		t.Fatal(err)
	}
	if n := p.OptionCount(); n != 2 {
		t.Errorf("got %d options, want 2", n)
	}
	if refused := p.Explain(); len(refused) > 0 {
		t.Errorf("got %v, want nothing refused", refused)
	}
}

// TestUsableInConditions plays rules that make the options depend on how many numbers can be used.
func TestUsableInConditions(t *testing.T) {
	g := odd(t, oddHead+"var turn n = 1\nmove rest()\nmove enter(p in mine)\nrule counting \"What may be done\" {\n  may enter(p) to s\n  may rest() when usable == n\n}\n"+
		neverOver+"turn {\n  throw die\n  play most of [die, die]\n}\n")
	runOdd(g.Start(0), 500)
}
