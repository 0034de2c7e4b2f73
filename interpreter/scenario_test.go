package interpreter_test

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// TestRemarks wants a failure to say what was offered, which clauses refuse what was expected, and the row it is about.
func TestRemarks(t *testing.T) {
	const barred = "Nothing passes or joins a barrera, a barrier of two pieces of one colour (barriers_block, P4A-18)"
	for _, c := range []struct {
		name, lines   string
		message       string
		remarks       []string
		clausesQuoted int // remarks with the place of a clause
	}{
		{"a move that is barred", "given yellow 10 20 home home | red 12 12 home home\n throw 3\n expect moves 10 -> 13, 20 -> 23",
			"yellow is not offered: 10 -> 13", []string{"yellow is offered: 20 -> 23", "red is to throw; the decision meant was yellow's, counting 3", "yellow 10 → 13: " + barred}, 1},
		{"a move of no piece", "given yellow 10 20 home home | red 12 12 home home\n throw 3\n expect moves red 30 -> 33, 20 -> 23",
			"yellow is not offered: red 30 -> 33", []string{"yellow is offered: 20 -> 23", "red is to throw; the decision meant was yellow's, counting 3", "30 → 33: no piece of red stands on 30"}, 0},
		{"a place too far", "given yellow 10 home home home | red home home home home\n throw 3\n expect moves 10 -> 14",
			"yellow is not offered: 10 -> 14; is offered as well: 10 -> 13", []string{"yellow is offered: 10 -> 13", "red is to throw; the decision meant was yellow's, counting 3", "10 → 14: no move leads there with this number"}, 0},
		{"a choice already made", "given yellow 10 home home home | red home home home home\n throw 3\n play 10 -> 13\n play 10 -> 13",
			"there is nothing to choose here: red is to throw", []string{"10 -> 13 has been taken before: leave this line out, or write such lines in the order of the moves"}, 0},
		{"a choice of nothing", "given yellow 10 home home home | red 12 12 home home\n throw 3\n play 10 -> 13",
			"there is nothing to choose here: red is to throw", []string{"nothing was offered to yellow", "yellow 10 → 13: " + barred}, 1},
		{"another of alike pieces", "given yellow 10 10 home home | red home home home home\n throw 3\n play 10#2 -> 13", "there is nothing to choose here: red is to throw",
			[]string{"the only option of yellow was taken: 10 -> 13", "10#2 -> 13: pieces that are alike have one option; write 10 -> 13"}, 0},
		{"before a throw", "given yellow 10 10 home home | red home home home home\n expect moves 10 -> 13", "no move has been asked for yet: yellow is to throw",
			[]string{"write before this line what is thrown, such as: throw 1"}, 0},
		{"another rule", "given yellow 10 20 home home | red 12 12 home home\n throw 3\n expect refused 10 -> 13 by goal_exact",
			"yellow is refused this move by barriers_block, not by goal_exact",
			[]string{"yellow 10 → 13: " + barred, "red is to throw; the decision meant was yellow's, counting 3"}, 1},
		{"a decision that is open", "given yellow 10 20 home home | red 40 home home home\n throw 3\n expect yellow 13 20 home home",
			"yellow stands on 10 20 home home", []string{"a decision is still open: yellow chooses among 10 -> 13, 20 -> 23"}, 0},
		{"a throw of another die", "given yellow 10 home home home | red 40 home home home\n throw 3\n expect refused 10 -> 13",
			"no move has been asked for yet: yellow is to throw", []string{`the last throw was one of "sky"; what comes next is one of "die"`, "write before this line what is thrown, such as: throw 1"}, 0},
		{"the position after it", "given yellow 10 home home home | red 40 home home home\n throw 3\n expect yellow 13 home home home",
			"yellow stands on 10 home home home", []string{`the last throw was one of "sky"; what comes next is one of "die"`}, 0},
		{"a die that is not thrown yet", "given yellow 10 home home home | red 40 home home home\n throw die 3\n expect yellow 13 home home home",
			`the throw at hand is one of "sky", not of "die"`, nil, 0},
		{"a game that is over", "given yellow goal goal goal yellow-5 | red home home home home\n throw 3\n expect no choices\n expect not over",
			"the game is over", nil, 0},
		{"a row", "cases n to\n 3 33\n given yellow 10 home home home | red home home home home\n throw n\n expect yellow to home home home",
			"yellow stands on 13 home home home", []string{"in the row where n is 3, to is 33"}, 1},
	} {
		head := "change says \"What a failure says\" for parchis4a\n"
		if strings.Contains(strings.Join(append(c.remarks, c.message), " "), "sky") {
			head += "dice sky = d3\nrule rain \"The weather is thrown as a turn begins\" { on turn begins { throw sky } }\n"
		}
		text := head + "test \"it fails\" {\n " + c.lines + "\n}\n"
		rules := testbook.Tested(t, "says.rules", text, nil)
		game, err := interpreter.Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		failures := game.RunTest(rules.Tests[0])
		if len(failures) != 1 || failures[0].Message != c.message {
			t.Errorf("%s: %v", c.name, failures)
			continue
		}
		var got []string
		quoted := 0
		for _, r := range failures[0].Remarks {
			got = append(got, r.Message)
			if !r.Span.IsZero() {
				quoted++
			}
		}
		if diff := cmp.Diff(c.remarks, got); diff != "" || quoted != c.clausesQuoted {
			t.Errorf("%s: %d clauses quoted\n%s", c.name, quoted, diff)
		}
	}
}

// TestAlikeSay wants a failure to say which option to write for a piece that is like the first one of its place, and only for such a piece.
func TestAlikeSay(t *testing.T) {
	const alike = "pieces that are alike have one option; write "
	const given = "given yellow 10 20 20 home | red 13 13 home home\n turn yellow\n throw 3\n "
	for lines, want := range map[string]string{
		given + "play yellow 20#2":                                                 "yellow 20",
		given + "expect choices yellow 20#2":                                       "yellow 20",
		given + "play none\n play swap(10, 13#2)":                                  "swap(10, 13)",
		given + "play none\n play swap(10, 13#3)":                                  "",
		"set red@13#2.tired = true\n " + given + "play none\n play swap(20, 13#2)": "",
	} {
		head := "change says \"What a failure says\" for parchis4a\n var player pet: piece\n" +
			"move swap(p in mine, q in game.pieces)\nvar piece tired: flag\n" +
			"rule pets \"R\" { on throw { choose me.pet \"Which?\" from game.pieces or none }; on land(p, s) when p == me.pet { p.tired = true }\n" +
			"may swap(p, q) when p.at.square && q.at.square && !q.tired && q.colour != p.colour\n on swap(p, q) { exchange p, q } }\n"
		rules := testbook.Tested(t, "says.rules", head+"test \"it fails\" {\n "+lines+"\n}\n", nil)
		game, err := interpreter.Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		failures := game.RunTest(rules.Tests[0])
		if len(failures) != 1 || (want == "") == slices.ContainsFunc(failures[0].Remarks, func(r interpreter.Remark) bool { return strings.Contains(r.Message, alike+want) }) {
			t.Errorf("%s: %v", lines, failures)
		}
	}
}

// TestTooFewPieces wants a position with too few pieces to be refused once, where pieces change hands.
func TestTooFewPieces(t *testing.T) {
	const head = "change few \"Who is caught changes hands\" for parchis4a\nreplace act capture(piece p, piece q) \"p keeps q\" { give q to p.colour; send q to home }\n"
	rules := testbook.Tested(t, "few.rules", head+"test \"few\" {\n given yellow 10 20 | red 30\n throw 3\n expect turn red\n}\n", nil)
	game, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	const want = "this position is not possible: pieces: there are 3 in all, want 8"
	if failures := game.RunTest(rules.Tests[0]); len(failures) != 1 || failures[0].Message != want {
		t.Error(failures)
	}
}

// TestOffersSay wants a failure over options to say what would have to be written.
func TestOffersSay(t *testing.T) {
	text, err := os.ReadFile("testdata/rules/offers.rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, lines, message string }{
		{"parameters", "given yellow home home | blue home home\n turn yellow\n throw 6 1 0 1\n play ram",
			"this fits 2 options of yellow; write one of: ram(1), ram(3)"},
		{"moves", "given yellow 5 5 | blue home home\n turn yellow\n throw 3 1 0 1\n play 5 -> 8",
			"this fits 2 options of yellow; write one of: 5 -> 8 by advance, 5 -> 8 by heap"},
		{"not offered", "given yellow home home | blue home home\n turn yellow\n throw 6 1 0 1\n play ram(2)",
			"yellow is not offered this; there is: ram(1), ram(3), bid(yellow, yes), bid(yellow, no)"},
		{"too many", "given yellow home home | blue home home\n turn yellow\n expect refused throw 9 9 9 9 9",
			"this throw takes 4 numbers, got 5"},
		{"no question", "given yellow home home | blue home home\n turn yellow\n expect choices 5",
			"no question is asked: yellow is to throw"},
		{"candidates", "given yellow 3 4 | blue home home\n turn yellow\n throw 5 1 0 1\n play pass\n expect choices 5, 7",
			"yellow is not offered: 7; is offered as well: 9"},
		{"a player has a choice", "given yellow 3 4 | blue home home\n turn yellow\n expect no choices\n expect not over\n throw 5 1 0 1\n play pass\n expect no choices",
			"a player has to choose: yellow chooses among 5, 9"},
		{"what can be chosen", "given yellow 3 4 | blue home home\n turn yellow\n throw 5 1 0 1\n play pass\n expect refused 9", "yellow can choose this"},
		{"a question, no move", "given yellow 3 4 | blue home home\n turn yellow\n expect no moves", "no move has been asked for yet: yellow is to throw"},
		{"no position", "throw 3 1 0 1\n expect refused position", "no position is given that could be refused"},
		{"more than expected", "given yellow 3 4 | blue home home\n turn yellow\n throw 5 1 0 1\n play pass\n expect choices 5", "yellow is offered as well: 9"},
		{"a question of one player", "given yellow 3 4 | blue home home\n turn yellow\n throw 5 1 0 1\n play pass\n expect refused 7 by counting",
			"yellow is asked a question: what cannot be chosen is refused by no rule"},
		{"a move that is offered", "given yellow 3 4 | blue home home\n turn yellow\n throw 5 1 0 1\n expect refused pass", "yellow is offered this move"},
		{"a throw that can come up", "given yellow 3 4 | blue home home\n turn yellow\n expect refused throw 5 1 0 1", "yellow can throw this"},
		{"a weight", "given yellow 3 4 | blue home home\n turn yellow\n expect chance lots 1 == 2", "lots gives 1 with weight 3, of 4"},
		{"a part", "given yellow 3 4 | blue home home\n turn yellow\n expect chance beans 1 == 1/4", "beans gives 1 with weight 2, of 4"},
		{"no draw", "given yellow 3 4 | blue home home\n turn yellow\n expect draw", "the game goes on: yellow is to throw"},
		{"another way", "given yellow 3 home | blue home home\n turn yellow\n throw 3 1 0 1\n expect moves 3 -> 6 via p1, 3 -> 7",
			"yellow is not offered: 3 -> 6 via p1; is offered as well: 3 -> 6"},
		{"another way refused", "given yellow 3 p1 | blue home home\n turn yellow\n throw 3 1 0 1\n expect refused 3 -> 7 via p2 by ramming",
			"yellow is refused this move by counting, not by ramming"},
	} {
		source := source.New("offers.rules", string(text)+"\ntest \"it fails\" {\n "+c.lines+"\n}\n")
		book, faults := dsl.Load(source, dsl.Library{Beside: os.DirFS("testdata/rules")})
		if book == nil {
			t.Fatal(c.name, faults)
		}
		all := book.Scenarios()
		rules, faults := all[len(all)-1].Rules()
		if rules == nil {
			t.Fatal(c.name, faults)
		}
		for _, compile := range []func(*model.Rules) (*interpreter.Game, error){interpreter.Compile, interpreter.CompileNoting} {
			game, err := compile(rules)
			if err != nil {
				t.Fatal(err)
			}
			if failures := game.RunTest(rules.Tests[0]); len(failures) != 1 || failures[0].Message != c.message {
				t.Errorf("%s: %v", c.name, failures)
			}
		}
	}
}

// TestDecidedByItself: a test speaks of each decision that is made by itself, a question too, and of the choice of a number.
func TestDecidedByItself(t *testing.T) {
	const rules = `ruleset alone "What decides itself"

board   cross68
players 2
pieces  2 at home
dice    die  = d6
dice    pick = choice of me.left
first   yellow

var player gift: piece
var player luck = 0
var player left: set of -2..9 = [-2, 1, 3]

turn {
  choose me.gift "Which piece is the gift?" from filter(mine, .at.square)
  throw die
  play die
  play 1
  if die == 5 {
    choose x "Again?"
    choose me.luck "Which number?" from [1, 2] or none
    choose me.gift "Which piece?" from game.pieces
  }
  throw pick
  play pick
}

move enter(p in mine)   from home    to p.start
move advance(p in mine) from squares walk steps

rule counting "One piece counts the throw" {
  may enter(p) when steps == 6
  may advance(p)
}
rule finish "The goal wins" { win player x when all(x.pieces, .at == goal) || x.gift == nil && x.luck == 9 }

test "it fails" {
  given yellow 10 home | blue 30 home
  turn  yellow
`
	const question = "play yes\n play 1\n "
	linesSay(t, "alone", rules, []said{
		{"expect choices yellow 10\n expect refused yellow home\n play yellow 10\n expect choices 10\n throw 6\n expect asks yellow", "", nil},
		{"throw 3\n play 10 -> 13\n expect moves 13 -> 14\n expect refused 13 -> 14 via 5\n", "no rule is about this move; yellow is offered: 13 -> 14", nil},
		{"throw 3\n play 13 -> 14\n expect moves 13 -> 14\n expect refused 13 -> 14", "yellow is offered this move",
			[]string{"yellow chooses among -2, 1, 3; the decision meant was yellow's, counting 1"}},
		{"throw 3\n expect moves 13 -> 14", "yellow is not offered: 13 -> 14; is offered as well: 10 -> 13",
			[]string{"yellow is offered: 10 -> 13", "yellow chooses among -2, 1, 3; the decision meant was yellow's, counting 3",
				"13 -> 14 was offered after that: write before this line: play 10 -> 13"}},
		{"throw 3\n play 10 -> 13\n play 13 -> 15", "yellow is not offered this; there is: -2, 1, 3", nil},
		{"throw 3\n play 10 -> 13\n expect choices -2, 1, 3\n expect refused 2\n expect asks yellow\n play 3\n expect yellow 17 home\n expect moves 14 -> 17", "", nil},
		{"throw 3\n play 10 -> 13\n throw pick 3\n expect yellow 17 home", "", nil},
		{"throw 3\n play 10 -> 13\n expect choices 1, 2", "yellow is not offered: 2; is offered as well: -2, 3", []string{"yellow is offered: -2, 1, 3"}},
		{"throw 3\n play 10 -> 13\n expect no choices", "a player has to choose: yellow chooses among -2, 1, 3", nil},
		{"throw 3\n play 10 -> 13\n expect refused blue", "blue is no answer to this question: it takes a number", []string{"yellow is offered: -2, 1, 3"}},
		{"throw 3\n play 10 -> 13\n play 2", "yellow is not offered this; there is: -2, 1, 3", nil},
		{"throw 3\n play 10 -> 13\n expect no moves", "yellow is offered as well: 13 -> 14", nil},
		{"expect choices yellow home", "yellow is not offered: yellow home; is offered as well: yellow 10",
			[]string{"yellow is offered: yellow 10", "yellow is to throw; the question meant was yellow's, and had 1 candidate"}},
		{"expect refused yellow 10", "yellow can choose this", []string{"yellow is to throw; the question meant was yellow's, and had 1 candidate"}},
		{"throw 5\n play 10 -> 15\n expect choices yes, no\n expect refused 5", "5 is no answer to this question: it takes yes or no", []string{"yellow is offered: yes, no"}},
		{"throw 5\n play 10 -> 15\n expect refused none", "none is no answer to this question: it takes yes or no", []string{"yellow is offered: yes, no"}},
		{"throw 5\n play 10 -> 15\n play yes\n expect refused 5\n expect refused yes", "yes is no answer to this question: it takes a number, or none", []string{"yellow is offered: 1, 2, none"}},
		{"throw 5\n play 10 -> 15\n " + question + "expect refused none\n expect refused yellow 9", "yellow 9 is no answer to this question: it takes a piece, named by its colour and the place where it stands",
			[]string{"yellow is offered: yellow 16, yellow home, blue 30, blue home"}},
	})
}

// said is what a test of some lines says: the message of its only failure, "" for none, and its remarks, unless nil.
type said struct {
	lines, message string
	remarks        []string
}

// linesSay runs tests whose beginnings end a rule file.
func linesSay(t *testing.T, name, rules string, cases []said) {
	t.Helper()
	for _, c := range cases {
		tested := testbook.Tested(t, name+".rules", rules+" "+c.lines+"\n}\n", nil)
		game, err := interpreter.Compile(tested)
		if err != nil {
			t.Fatal(err)
		}
		failures := game.RunTest(tested.Tests[0])
		if c.message == "" && len(failures) == 0 {
			continue
		}
		if len(failures) != 1 || failures[0].Message != c.message {
			t.Errorf("%s: %v", c.lines, failures)
			continue
		}
		var got []string
		for _, r := range failures[0].Remarks {
			got = append(got, r.Message)
		}
		if diff := cmp.Diff(c.remarks, got); c.remarks != nil && diff != "" {
			t.Errorf("%s:\n%s", c.lines, diff)
		}
	}
}

// TestLeftOut: what the list of a move leaves out is refused, unless it could not be otherwise; and a failure says what is wrong with a line.
func TestLeftOut(t *testing.T) {
	const rules = `ruleset lists "What lists leave out"

board   cross68
players 2
pieces  2 at home
dice    a, b = d6
first   yellow

let free = filter(board.squares, len(.pieces) == 0)
let tops = filter(mine, .at.square && none(.at.pieces, .colour != #outer.colour))

turn {
  throw a, b
  play each of [a, b]
}

move enter(p in mine)   from home    to p.start
move advance(p in tops) from squares walk steps
move build(s in free)
move change(p in tops, q in filter(game.pieces, .colour != p.colour))
move pay(n in 1..3)

rule counting "One piece counts the throw" {
  may enter(p) when steps == 6
  may advance(p)
  may build(s) when steps == 1 && s == square("7")
  may change(p, q) when steps == 1 && q.at.square
}
rule finish "The goal wins" { win player x when all(x.pieces, .at == goal) }

test "it fails" {
  turn  yellow
  given `
	const noRule = "no rule is about this move; yellow is offered: "
	const at10, held = "yellow 10 home | blue 30 40\n throw 2 3\n expect ", "yellow 31 31 | blue 31 40\n throw 2 3\n expect "
	const both = noRule + "10 -> 12, 10 -> 13"
	const builds = "yellow 10 home | blue 30 40\n throw 1 1\n expect "
	linesSay(t, "lists", rules, []said{
		{at10 + "refused build(30)", "", nil},
		{at10 + "refused build(home)", "", nil},
		{held + "refused 31 -> 33", "", nil},
		{held + "refused yellow 31 -> 33 by advance", "", nil},
		{held + "refused 31 -> 33 by counting", "yellow is refused this move by the list of the move, not by counting",
			[]string{"yellow 31 is not in the list of the move advance: p in tops", "blue is to throw; the decision meant was yellow's"}},
		{held + "moves 31 -> 33", "yellow is not offered: 31 -> 33",
			[]string{"yellow is offered: nothing", "blue is to throw; the decision meant was yellow's", "31 → 33: yellow 31 is not in the list of the move advance: p in tops"}},
		{builds + "refused change(10, 10)", "", nil},
		{builds + "refused change(10, blue home)", noRule + "10 -> 11, build(7), change(10, blue 30), change(10, blue 40)",
			[]string{"change(10, blue home): no piece of blue stands on home"}},
		{at10 + "refused 10 -> 40", both, []string{"10 → 40: no move leads there with this number"}},
		{at10 + "refused blue 30 -> 32 by enter", both, []string{"30 → 32: blue 30 is not in the list of the move enter: p in mine"}},
		{at10 + "refused pay(5)", both, []string{"pay(5): 5 is not in the list of the move pay: n in 1..3"}},
		{at10 + "refused 10 -> 12 via 20", both, []string{"10 -> 12 is offered, but not via 20"}},
		{at10 + "refused 10 -> 12 counting 3", both, []string{"10 -> 12 is offered, but not counting 3"}},
		{at10 + "refused 10 -> 12 by enter", both, []string{"10 -> 12 is offered, but not by enter"}},
		{at10 + "refused 10#2 -> 12", both, []string{"10#2 → 12: no piece stands on 10#2"}},
		{"yellow 10 10 | blue 30 40\n throw 2 3\n play 10#2 -> 12", "yellow is not offered this; there is: 10 -> 12, 10 -> 13",
			[]string{"10#2 -> 12: pieces that are alike have one option; write 10 -> 12"}},
		{"yellow 10 goal | blue 30 40\n throw 2 2\n play 10 -> 12\n expect moves 12 -> 15", "yellow is not offered: 12 -> 15; is offered as well: 12 -> 14",
			[]string{"yellow is offered: 12 -> 14", "blue is to throw; the decision meant was yellow's, counting 2", "12 → 15: no move leads there with this number"}},
	})
}

// TestBeginningsSay: a failure says what a position lacks where the rules refuse a line that sets something, and that it is open who begins.
func TestBeginningsSay(t *testing.T) {
	const head = `change opens "It begins" for parchis4a
dice card = deck {1: 2, 2: 1}
var game n = 5
setup { n = 7 }
test "it fails" {
`
	linesSay(t, "opens", head, []said{
		{"expect that n == 7", "this does not hold: n == 7",
			[]string{"it is still open who begins, and setup has not run: throw for it, or write before this line: turn yellow", "n is 5"}},
		{"turn yellow\n expect that n == 7", "", nil},
	})
	const throws = `change opens "Each begins with a number" for parchis4a
replace first yellow
var player luck = 0
setup { for x in game.players { throw die; x.luck = die } }
test "it fails" {
  players 2
`
	const waits = "setup has not ended, and waits for a throw: write its numbers before this line: throw N …"
	linesSay(t, "opens", throws, []said{
		{"throw 3\n expect that any(game.players, .luck == 4)", "this does not hold: any(game.players, .luck == 4)",
			[]string{waits, "any(game.players, .luck == 4) is false, as it holds for none", "game.players is [yellow, red]"}},
		{"throw 3 4\n expect that any(game.players, .luck == 4)", "", nil},
		{"throw 3 4\n expect that any(game.players, .luck == 5)", "this does not hold: any(game.players, .luck == 5)",
			[]string{"any(game.players, .luck == 5) is false, as it holds for none", "game.players is [yellow, red]"}},
	})
	tested := testbook.Tested(t, "opens.rules", head+" given yellow 10 home home home | blue home home home home\n set card = [1, 1, 1]\n throw 1\n expect turn yellow\n}\n", nil)
	game, err := interpreter.Compile(tested)
	if err != nil {
		t.Fatal(err)
	}
	if f := game.RunTest(tested.Tests[0]); len(f) != 1 || f[0].Span.Text() != "set card = [1, 1, 1]" {
		t.Error(f)
	}
}

// TestRankingsSay: a failure shows which players share a place.
func TestRankingsSay(t *testing.T) {
	const head = `change ranked "It ends with the first" for parchis4a
replace rule finish "Who has one piece in the goal is first" { rank player x when any(x.pieces, .at == goal); over when any(game.players, .ranked) }
test "it fails" {
  players 4
  turn yellow
  given yellow `
	const shared = "the ranking is yellow, blue red green share a place; those who share a place are named in turn order"
	linesSay(t, "ranked", head, []said{
		{"goal home home home\n expect ranking yellow green", shared, nil},
		{"goal home home home\n expect ranking yellow blue red", "", nil},
		{"home home home home | green goal home home home\n set blue.ranked = true\n set red.ranked = true\n expect ranking green",
			"the ranking is blue red green yellow", nil},
	})
}

// TestRecordedDecisions: a game that makes its decisions by itself, without end, fails a test soon, and holds no memory for each.
func TestRecordedDecisions(t *testing.T) {
	const endless = `ruleset endless "Nothing is thrown"

board   cross68
players 2
pieces  1 at home

turn { play 0 }

move pass()

rule passing "One passes" { may pass() }
rule finish  "Whose piece is in the goal wins" { win player x when all(x.pieces, .at == goal) }

test "it goes on" {
  given yellow home | blue home
  turn  yellow
  expect turn yellow
}
`
	rules := testbook.Tested(t, "endless.rules", endless, nil)
	game, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	failures := game.RunTest(rules.Tests[0])
	runtime.ReadMemStats(&after)
	if len(failures) == 0 {
		t.Error("the test passes")
	}
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 200 {
		t.Errorf("%d MiB are taken", mib)
	}
}
