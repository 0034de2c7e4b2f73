package compile_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// head begins the rule books of these tests: two players with two pieces on a strip of twelve squares. Their rules append
// digits to a log: "LOG(3)" is a statement.
const head = `ruleset small "Small"
board   strip
players 2
pieces  2 at home
dice    die = d6
var game log = 0
var game n = 0
`

const advance = `
turn {
  throw die
  play  die
}
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may advance(p) }
`

var logs = regexp.MustCompile(`LOG\(((?:[^()]|\([^()]*\))*)\)`)

// small compiles a small rule book; it gets head if it has no head of its own.
func small(t *testing.T, text string) *model.Rules {
	t.Helper()
	if !strings.HasPrefix(text, "ruleset ") {
		text = head + text
	}
	book, faults := dsl.Load(source.New("small.rules", logs.ReplaceAllString(text, "log = log * 10 + ($1)")), dsl.Library{Beside: os.DirFS("testdata")})
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.Rules(dsl.Setting{})
	if rules == nil {
		t.Fatal(faults)
	}
	return rules
}

// played is a game of a small rule book on a machine.
type played struct {
	*testing.T
	unit *compile.Unit
	m    *vm.Machine
	told []string // the options at each choice
}

// play plays a script in one form of the rules: numbers are thrown, "#1" takes an option, "?1" a candidate. The result is
// the visible state: the options at each choice, the log, the pieces on each place in order of arrival, the ranking, and the
// end.
func play(t *testing.T, rules *model.Rules, form func(*model.Rules) (*compile.Unit, error), script string) string {
	t.Helper()
	unit, err := form(rules)
	if err != nil {
		t.Fatal(err)
	}
	if unit.IllFormed != nil {
		t.Errorf("the fast form is ill-formed: %v", unit.IllFormed)
	}
	g := played{T: t, unit: unit, m: vm.New(unit.Program)}
	g.m.State()[code.CellMe] = -1 // by the rules
	ok := g.m.Start(compile.EntryStart)
	for _, word := range strings.Fields(script) {
		if !ok {
			break
		}
		ok = g.step(word)
	}
	if !ok {
		return fmt.Sprintf("fault %d", g.m.Fault.Kind)
	}
	g.tell()
	return strings.Join(append(g.told, g.final()...), " ")
}

// step continues from a node.
func (g *played) step(word string) bool {
	m, p := g.m, g.unit.Program
	n, err := strconv.Atoi(strings.TrimLeft(word, "#?"))
	if want := map[byte]code.NodeKind{'#': code.NodeOption, '?': code.NodePick}[word[0]]; err != nil || m.Node != want {
		g.tell()
		g.Fatalf("%q at a node of kind %d, after %v", word, m.Node, g.told)
	}
	g.tell()
	if m.Node == code.NodeThrow {
		for _, d := range p.Throws[m.Site].Dice { // all dice show the same number
			m.State()[p.Layout.Dice+d] = int16(n)
		}
		n = 0
	}
	return m.Resume(n)
}

// tell records the present options.
func (g *played) tell() {
	var out []string
	switch g.m.Node {
	case code.NodeOption:
		for _, o := range g.m.Options() {
			out = append(out, g.piece(int(o.Params[0]))+">"+g.place(int(o.To)))
		}
		g.told = append(g.told, fmt.Sprint(out))
	case code.NodePick:
		g.told = append(g.told, fmt.Sprint(g.m.Picks()))
	}
}

func (g *played) place(i int) string { return g.unit.Rules.Board.Places[i].Name }

func (g *played) piece(p int) string {
	if p < 0 {
		return "-"
	}
	l := &g.unit.Program.Layout
	return g.unit.Rules.Board.Colours[p/l.PerColour].Name[:1] + strconv.Itoa(p%l.PerColour)
}

// final describes the final state.
func (g *played) final() (out []string) {
	l, st := &g.unit.Program.Layout, g.m.State()
	for i, v := range g.unit.Rules.Vars {
		if v.Name == "log" {
			out = append(out, fmt.Sprint("log=", st[g.unit.Vars[i].Cell]))
		}
	}
	for place := range l.Places {
		var here []string
		for p := int(st[l.Head+place]); p >= 0; p = int(st[l.Next+p]) {
			here = append(here, g.piece(p))
		}
		if !slices.Contains(g.unit.Rules.PiecesAt, place) && len(here) > 0 {
			out = append(out, g.place(place)+":"+strings.Join(here, ","))
		}
	}
	for player := range l.Players {
		switch st[l.Status+player] {
		case code.Ranked:
			out = append(out, fmt.Sprintf("player %d is ranked %d", player, st[l.Rank+player]))
		case code.Dropped:
			out = append(out, fmt.Sprintf("player %d is dropped", player))
		}
	}
	for i, x := range g.unit.Clauses {
		if x.Rule.Name == "counted" {
			out = append(out, fmt.Sprint("fired=", g.m.Counters[i]))
		}
	}
	if g.m.Node == code.NodeOver {
		return append(out, fmt.Sprint("over, winner ", st[code.CellWinner]))
	}
	return append(out, fmt.Sprint("turn ", st[code.CellMe]))
}

// forms are the forms a rule book is compiled to. All have the same meaning.
var forms = map[string]func(*model.Rules) (*compile.Unit, error){"fast": compile.Compile, "plain": compile.Plain}

// means compares the result of a script, in each form, with the expected one.
func means(t *testing.T, name, text, script, want string) {
	t.Run(name, func(t *testing.T) {
		rules := small(t, text)
		for form, compiled := range forms {
			if got := play(t, rules, compiled, script); got != want {
				t.Errorf("%s form, after %q:\n got %s\nwant %s", form, script, got, want)
			}
		}
	})
}

// TestStatements compares each kind of statement, and the order of events, with the language page.
func TestStatements(t *testing.T) {
	const once = "turn { throw die }\n"
	for _, c := range []struct{ name, text, script, want string }{
		{"reactions run in file order", once + `rule a "A" { on throw { LOG(1) }; on throw(die) { LOG(2) } }
rule b "B" { on throw { LOG(3) } }`, "3", "log=123 turn 1"},
		{"a condition is read just before its block", once + `rule a "A" { on throw { LOG(1); n = 1 }; on throw when n == 1 { LOG(2) }; on throw when n == 0 { LOG(3) } }`, "3", "log=12 turn 1"},
		{"an act is followed by its reactions, and preceded by others", once + `act a(number k) { LOG(k) }
rule a "A" { on throw { do a(2); LOG(4) }; before a(k) { LOG(k - 1) }; on a(k) { LOG(k + 1) } }`, "3", "log=1234 turn 1"},
		{"if and else", once + `rule a "A" { on throw { if die == 3 { LOG(1) } else if die == 4 { LOG(2) } else { LOG(3) } } }`, "3 4 5", "log=123 turn 1"},
		{"for goes through a range and a list", once + `setup { for i in 1..3 { LOG(i) }; for q in blue.pieces { put q on square("5") } }`, "", "log=123 5:b0,b1 turn 0"},
		{"exchanged pieces take one another's places", once + `setup { put yellow.pieces[0] on square("2"); put blue.pieces[0] on square("5"); exchange yellow.pieces[0], blue.pieces[0] }`, "", "log=0 2:b0 5:y0 turn 0"},
		{"who comes stands behind those who are there", once + `setup { for i in 0..1 { put yellow.pieces[i] on square("2"); put blue.pieces[i] on square("2") }; put yellow.pieces[0] on square("2") }`, "", "log=0 2:b0,y1,b1,y0 turn 0"},
		{"the first of those who leave a place", once + `setup { for i in 0..1 { put yellow.pieces[i] on square("2"); put blue.pieces[i] on square("2") }; put yellow.pieces[0] on square("3"); put blue.pieces[1] on square("3") }`, "", "log=0 2:b0,y1 3:y0,b1 turn 0"},
		{"a candidate", once + `setup { choose q from [7, 8, 9]; LOG(q) }`, "?1", "[7 8 9] log=8 turn 0"},
		{"one candidate decides itself", once + `setup { choose q from filter([7, 8, 9], # == 8); LOG(q) }`, "", "log=8 turn 0"},
		{"with no candidate the rest of the block is left out", once + `setup { choose q from filter([7, 8, 9], # > 9); LOG(q) }`, "", "log=0 turn 0"},
		{"equal candidates are one", once + `setup { choose q from [7, 8, 7]; LOG(q) }`, "?1", "[7 8] log=8 turn 0"},
		{"pieces that are alike are one candidate", once + `setup { put mine[1] on square("3"); choose q from game.pieces; put q on square("7") }`, "?2", "[0 1 2] log=0 3:y1 7:b0 turn 0"},
		{"another go", `turn { throw die; LOG(die); if die == 6 { again } }`, "6 6 2", "log=662 turn 1"},
		{"variables of a turn and of a go", `var turn k = 0
var go g = 0
turn { k += 1; g += 1; LOG(k); LOG(g); throw die; if die == 6 { again } }`, "6", "log=1121 turn 0"},
		{"variables of a turn begin anew", `var turn k = 0
var go g = 0
turn { k += 1; g += 1; LOG(k); LOG(g); throw die; if die == 6 { again } }`, "3", "log=1111 turn 1"},
		{"the end of a turn drops what was asked for", `turn { throw die; again; if die == 1 { end turn }; LOG(1) }`, "2 1", "log=1 turn 1"},
		{"an undone turn", `turn { throw die; LOG(die); if die == 1 { undo turn }; if die == 6 { again } }`, "6 1 2", "log=2 turn 0"},
		{"a throw in a reaction", `dice other = d6
turn { throw die }
rule a "A" { on throw(die) { throw other; LOG(die) }; on throw(other) { LOG(other) } }`, "3 4", "log=43 turn 1"},
		{"the numbers of a deck", `dice card = deck {1: 2, 2: 1}
turn { throw card; LOG(card) }`, "1 2", "log=12 turn 0"},
		{"sets", `var game s: set of 0..40
turn { throw die }
setup { s += [3, 20, 40]; s -= [20]; LOG(len(s)); if 40 in s { LOG(1) }; if 20 in s { LOG(2) } }`, "", "log=21 turn 0"},
	} {
		means(t, c.name, c.text, c.script, c.want)
	}
}

// TestTurns compares the starting player, the order of turns, and the queue with the language page.
func TestTurns(t *testing.T) {
	const once = "turn { LOG(1); throw die }\n"
	for _, c := range []struct{ name, text, script, want string }{
		{"the first seat begins", once, "", "log=1 turn 0"},
		{"a colour begins", "first blue\n" + once, "", "log=1 turn 1"},
		{"the highest begins", "first highest die\n" + once, "3 5", "log=1 turn 1"},
		{"the highest is the first", "first highest die\n" + once, "5 3", "log=1 turn 0"},
		{"the lowest begins", "first lowest die\n" + once, "5 3", "log=1 turn 1"},
		{"the lowest is the first", "first lowest die\n" + once, "3 5", "log=1 turn 0"},
		{"those who tie throw again", "first lowest die\n" + once, "3 3 5 2", "log=1 turn 1"},
		{"turns go round", once, "1 2 3", "log=1111 turn 1"},
		{"who is out is passed over", "ruleset small \"Small\"\nboard strip\nplayers 2\npieces 2 at home\ndice die = d6\nvar game log = 0\n" + once + `rule a "A" { on throw when die == 1 { drop next(me) } }`, "1 2", "log=111 player 1 is dropped turn 0"},
		{"the queue is played oldest first, each number with its piece", `setup { put yellow.pieces[0] on square("1"); put yellow.pieces[1] on square("6") }
turn { throw die; play earned }
move advance(p in mine) from squares walk steps
rule a "A" { may advance(p); on throw { earn 1 with yellow.pieces[1]; earn 2 with yellow.pieces[0]; earn 3 with yellow.pieces[1] }; on advance(p) { LOG(steps) } }`, "3", "log=123 3:y0 10:y1 turn 1"},
		{"what is left of the queue when the turn ends is lost", `setup { put yellow.pieces[0] on square("1") }
turn { throw die; if die == 2 { play earned } else { earn die } }
move advance(p in mine) from squares walk steps
rule a "A" { may advance(p) }`, "3 3 2", "log=0 1:y0 turn 1"},
		{"earned of earned", `setup { put yellow.pieces[0] on square("1") }
turn { throw die; play die; play earned }
move advance(p in mine) from squares walk steps
rule a "A" { may advance(p); on advance(p) when steps > 1 { earn steps - 1 }; on advance(p) { LOG(earned ? 2 : 1) } }`, "3", "log=122 7:y0 turn 1"},
	} {
		means(t, c.name, c.text, c.script, c.want)
	}
}

// TestMoves compares how options are found and carried out with the language page.
func TestMoves(t *testing.T) {
	at := func(yellow, blue string) string {
		var b strings.Builder
		b.WriteString("\nsetup {")
		for _, x := range [][2]string{{"yellow", yellow}, {"blue", blue}} {
			for i, p := range strings.Fields(x[1]) {
				fmt.Fprintf(&b, " put %s.pieces[%d] on square(%q);", x[0], i, p)
			}
		}
		return strings.TrimSuffix(b.String(), ";") + " }\n"
	}
	on := func(track string) string { return strings.Replace(head, "strip", "strip track "+track, 1) }
	for _, c := range []struct{ name, text, script, want string }{
		{"one piece counts", advance + at("1 5", ""), "2", "[y0>3 y1>7] log=0 1:y0 5:y1 turn 0"},
		{"pieces that are alike are one option", advance + at("5 5", ""), "2", "log=0 5:y1 7:y0 turn 1"},
		{"the track ends", advance + at("11", ""), "3", "log=0 11:y0 turn 1"},
		{"stuck", advance + at("11", "") + `rule a "A" { on stuck { LOG(1) } }`, "3", "log=1 11:y0 turn 1"},
		{"the first duty is the stronger one", advance + at("1 5", "") + `rule a "A" { must advance(p) to s when s == square("7"); must advance(p) to s when s == square("3") }`, "2", "log=0 1:y0 7:y1 turn 1"},
		{"the first duty is the stronger one, the other way round", advance + at("1 5", "") + `rule a "A" { must advance(p) to s when s == square("3"); must advance(p) to s when s == square("7") }`, "2", "log=0 3:y0 5:y1 turn 1"},
		{"duties of some pieces", advance + at("1 5", "") + `rule a "A" { must advance(p) when p.index > 2; must advance(p) when p.index < 2 }`, "2", "log=0 1:y0 7:y1 turn 1"},
		{"a duty narrows and counts", advance + at("1 5", "") + `rule counted "A" { must advance(p) to s when s == square("7") }`, "2", "log=0 1:y0 7:y1 fired=1 turn 1"},
		{"a duty that all options meet counts for nothing", advance + at("1 5", "") + `rule counted "A" { must advance(p) to s when s.ring }`, "2", "[y0>3 y1>7] log=0 1:y0 5:y1 fired=0 turn 0"},
		{"never", advance + at("1 5", "") + `rule counted "A" { never advance(p) to s when s == square("7") }`, "2", "log=0 3:y0 5:y1 fired=1 turn 1"},
		{"of equal numbers the first gives options", `turn { throw die; play any of [die, die] }
move advance(p in mine) from squares walk steps
rule a "A" { may advance(p) }` + at("1 5", "") + `rule counted "A" { never advance(p) to s when s == square("7") }`, "2", "log=0 3:y0 5:y1 fired=1 turn 1"},
		{"each number of a list", `turn { throw die; play each of [die, 1] }
move advance(p in mine) from squares walk steps
rule a "A" { may advance(p); on advance(p) { LOG(steps) } }` + at("1", ""), "2 #1", "[y0>3 y0>2] log=12 4:y0 turn 1"},
		{"as many numbers as can be used", `turn { throw die; play most of [die, 1] }
move advance(p in mine) from squares walk steps
rule a "A" { may advance(p); step into s: bar when s == square("2"); on advance(p) { LOG(usable) } }` + at("3 1", ""), "2", "[y0>5 y0>4] log=0 1:y1 3:y0 turn 0"},
		{"the first verdict on a step decides", advance + at("2", "") + `rule a "A" { step into s: go when s == square("4"); step into s: stop when s.nook }`, "5", "log=0 7:y0 turn 1"},
		{"the first verdict on a step decides, the other way round", advance + at("2", "") + `rule a "A" { step into s: stop when s.nook; step into s: go when s == square("4") }`, "5", "log=0 3:y0 turn 1"},
		{"one bar is enough", advance + at("2", "") + `rule a "A" { step into s: go when s.nook; step into s: bar when s.nook }`, "5", "log=0 2:y0 turn 1"},
		{"a walk goes to and fro", on("race") + advance + at("4", "2 6") + `rule a "A" { step into s: turn when len(s.pieces) == 1 }
rule b "B" { on turned(p, s) { LOG(s == square("6") ? 1 : 2) } }`, "5", "log=12 2:b0 5:y0 6:b1 turn 1"},
		{"who turns twice without a step between stops", on("race") + advance + at("4", "3 6") + `rule a "A" { step into s: turn when len(s.pieces) == 1 && s != square("4") }`, "2", "log=0 3:b0 4:y0 6:b1 turn 1"},
		{"each fork has its own way", on("fork") + advance + at("2", ""), "4", "[y0>6 y0>p2 y0>7 y0>p3] log=0 2:y0 turn 0"},
		{"a go or a turn", on("race") + advance + at("3", "") + `rule a "A" { step into s: go or turn when s.nook }`, "2 #1", "[y0>5 y0>1] log=0 1:y0 turn 1"},
		{"what is carried comes down after its carrier, in its order", `turn { throw die; play die }
move push(p in mine) from squares walk steps carrying filter(game.pieces, .at == p.at)
rule a "A" { may push(p) when p == yellow.pieces[1] }` + at("3 3", "3"), "2", "log=0 5:y1,y0,b0 turn 1"},
		{"reactions on the way", advance + at("3", "4") + `rule a "A" { on leave(p, s) { LOG(1) }; on pass(p, s) when s.nook { LOG(2) }; on step(p) from a to b when a.nook { LOG(3) }; on land(p, s) { LOG(4) }; on advance(p) { LOG(5) } }`, "2", "log=12345 4:b0 5:y0 turn 1"},
		{"a piece in the hand stands nowhere", advance + at("3 3", "3") + `rule a "A" { on leave(p, s) { LOG(len(s.pieces)); LOG(count(s.pieces, .colour == p.colour)); LOG(count(mine, .at == s)) } }`, "2", "log=212 3:y1,b0 5:y0 turn 1"},
		{"endings are looked at before the landing", advance + at("11", "") + `rule a "A" { on land(p, s) { LOG(1); send p to home } }
rule b "B" { rank player x when any(x.pieces, .at == goal) }`, "2", "log=0 goal:y0 player 0 is ranked 1 turn 1"},
		{"a walker that is moved away goes no further", advance + at("3", "") + `rule a "A" { on step(p) from a to b when b.nook { put p on square("9") }; on land(p, s) { LOG(1) } }`, "4", "log=0 9:y0 turn 1"},
	} {
		means(t, c.name, c.text, c.script, c.want)
	}
}

// TestConditionsAsSets compares conditions that are lowered to bitsets with the language page.
func TestConditionsAsSets(t *testing.T) {
	const begin = `var piece tired: flag
turn { throw die }
let lone(place s) = len(s.pieces) == 1
let four(place s) = s == square("4")
let far(number k) = k > 4
let other(colour c) = c != yellow
let stands(piece p, place s) = p.at == s
setup { put yellow.pieces[0] on square("4"); put blue.pieces[0] on square("10"); put yellow.pieces[1] on square("10"); for q in filter(blue.pieces, .at == square("10")) { q.tired = true }; put blue.pieces[1] on goal }
rule a "A" { on throw { log = %s } }
`
	for expr, want := range map[string]int{
		"count(game.pieces, lone(.at))":                                                  2,
		"count(mine, lone(.at))":                                                         1,
		"count(game.pieces, stands(#, square(\"10\")))":                                  2,
		"count(game.pieces, stands(#, mine[1].at))":                                      2,
		"count(game.pieces, four(.at))":                                                  1,
		"count(mine, far(.index))":                                                       1,
		"count(game.pieces, other(.colour))":                                             2,
		"count(game.pieces, .tired)":                                                     1,
		"count(game.pieces, !.tired)":                                                    3,
		"count(game.pieces, .at.square)":                                                 3,
		"count(game.pieces, .at.nook)":                                                   3,
		"count(game.pieces, .at.nook && .colour == yellow)":                              2,
		"count(game.pieces, .at == goal || .tired)":                                      2,
		"count(game.pieces, not (.at == goal || .tired))":                                2,
		"count(filter(mine, .at.square), .at != square(\"4\"))":                          1,
		"count(square(\"10\").pieces, .colour == blue)":                                  1,
		"count(game.pieces, die == 3 ? .tired : .at.square)":                             1,
		"count(game.pieces, .player == me)":                                              2,
		"count(me.team.pieces, .at.nook)":                                                2,
		"all(mine, .at.nook) ? 1 : 2":                                                    1,
		"all(game.pieces, .at.square) ? 1 : 2":                                           2,
		"all(blue.pieces, .tired) ? 1 : 2":                                               2,
		"none(mine, .tired) ? 1 : 2":                                                     1,
		"none(game.pieces, .tired) ? 1 : 2":                                              2,
		"any(mine, .at == goal) ? 1 : 2":                                                 2,
		"any(game.pieces, .at == goal) ? 1 : 2":                                          1,
		"find(game.pieces, .at.nook && .colour == blue) == blue.pieces[0] ? 1 : 2":       1,
		"first(filter(mine, .at == square(\"10\"))) == mine[1] ? 1 : 2":                  1,
		"last(square(\"10\").pieces) == blue.pieces[0] ? 1 : 2":                          2,
		"first(square(\"10\").pieces) == mine[1] ? 1 : 2":                                2,
		"find(square(\"10\").pieces, .at.nook) == blue.pieces[0] ? 1 : 2":                1,
		"first(filter(square(\"10\").pieces, .at.nook)) == mine[1] ? 1 : 2":              2,
		"count(mine, .at == goal && 7 % n == 0)":                                         0,
		"any(mine, .at == goal && int(7 / n) == 0) ? 1 : 2":                              2,
		"find(mine, .tired) == nil ? 1 : 2":                                              1,
		"len(filter(game.pieces, any(mine, lone(.at))))":                                 4,
		"sortBy(game.pieces, 0 - .index)[1] == yellow.pieces[1] ? 1 : 2":                 1,
		"sortBy(game.pieces, .index)[1] == yellow.pieces[1] ? 1 : 2":                     1,
		"sum(game.pieces, .tired ? 3 : 1)":                                               6,
		"count(map(game.pieces, .tired))":                                                1,
		"max(2, 3) - min([3, 4]) + abs(0 - 3) + int(7 / 2) + 7 % 4 - int(8 / 8) * 2 + 1": 8,
	} {
		means(t, expr, fmt.Sprintf(begin, expr), "3", fmt.Sprintf("log=%d goal:b1 4:y0 10:b0,y1 turn 1", want))
	}
}

// TestEndingsBegin tests that an ending is checked after every change of a dependency, however indirect.
func TestEndingsBegin(t *testing.T) {
	turn := "turn { throw die; LOG(9) }\nact hit(number k) { n = k }\nact idle(number k) { LOG(k) }\ndice other = d6\n"
	ends := func(name, block, rest, cond string) {
		script := "3"
		if strings.Contains(block, "throw") {
			script = "3 4"
		}
		text := turn + "rule a \"A\" { on throw(die) { " + block + " } }\n" + rest + "\nrule z \"Z\" { over when " + cond + " }\n"
		t.Run(name, func(t *testing.T) {
			rules := small(t, text)
			for form, compiled := range forms {
				// The game is over before the turn continues after its throw.
				if got := play(t, rules, compiled, script); !strings.Contains(got, "over") || strings.Contains(got, "9") {
					t.Errorf("%s form: with %q the game does not end where it begins to hold that %s: %s", form, block, cond, got)
				}
			}
		})
	}
	// A variable is written, directly or indirectly.
	for name, c := range map[string][2]string{
		"assigned":             {"n = 1", ""},
		"added to":             {"n += 1", ""},
		"chosen":               {"choose n from [1]", ""},
		"in a branch":          {"if die == 3 { n = 1 }", ""},
		"in the other branch":  {"if die == 4 { log = 0 } else { n = 1 }", ""},
		"in a loop":            {"for i in 0..1 { n = i }", ""},
		"by an act":            {"do hit(1)", ""},
		"after an act":         {"do idle(0)", `rule b "B" { on idle(k) { n = 1 } }`},
		"before an act":        {"do idle(0)", `rule b "B" { before idle(k) { n = 1 } }`},
		"by an act of an act":  {"do idle(0)", `rule b "B" { on idle(k) { do hit(1) } }`},
		"as a piece is put":    {`put blue.pieces[0] on square("3"); put blue.pieces[0] on square("4")`, `rule b "B" { on leave(p, s) { n = 1 } }`},
		"as pieces exchange":   {`put blue.pieces[0] on square("3"); exchange blue.pieces[0], yellow.pieces[0]`, `rule b "B" { on leave(p, s) { n = 1 } }`},
		"as another is thrown": {"throw other", `rule b "B" { on throw(other) { n = 1 } }`},
		"as a player is out":   {"drop next(me)", `rule b "B" { on drop(x) { n = 1 } }`},
		"as a player is first": {"rank next(me)", `rule b "B" { on rank(x) { n = 1 } }`},
		"as the turn ends":     {"n = 1; end turn", ""},
	} {
		ends("a variable is written "+name, c[0], c[1], "n == 1")
	}
	// A condition, and a statement that makes it true.
	goal := `put blue.pieces[1] on goal`
	for name, c := range map[string][2]string{
		"a place":                 {goal, "any(blue.pieces, .at == goal)"},
		"the pieces of a place":   {goal, "len(goal.pieces) == 1"},
		"an index":                {goal, "any(blue.pieces, .index > 11)"},
		"how many":                {goal, "count(game.pieces, .at == goal) >= 1"},
		"either of two places":    {goal, "any(blue.pieces, .at == square(\"3\") || .at == goal)"},
		"a place or a variable":   {"n = 1", "any(blue.pieces, .at == goal) || n == 1"},
		"a variable or a place":   {goal, "n == 1 || any(blue.pieces, .at == goal)"},
		"a place or a fuller one": {`put blue.pieces[1] on square("3")`, "any(game.pieces, .at == goal) || len(square(\"3\").pieces) == 1"},
		"a place and a variable":  {"n = 1; " + goal, "any(blue.pieces, .at == goal) && n == 1"},
		"none left at home":       {"for q in blue.pieces { put q on square(\"3\") }", "none(blue.pieces, .at == home)"},
		"a place, exchanged":      {"exchange blue.pieces[0], yellow.pieces[0]", "any(yellow.pieces, .at == square(\"5\"))"},
		"a die":                   {"n = 2", "die == 3"},
		"another die":             {"throw other", "other == 4"},
		"who is playing":          {"drop next(me)", "!blue.player.playing"},
		"who is ranked":           {"rank next(me)", "blue.player.ranked"},
		"who comes next":          {"drop next(me)", "len(after(me)) == 0"},
		"a let":                   {goal, "there"},
	} {
		ends("it reads "+name, c[0], "setup { put blue.pieces[0] on square(\"5\") }\nlet there = any(blue.pieces, .at == goal)", c[1])
	}
}

// TestConditionsOfPieces tests conditions on one piece, in each position in the rules, against the pieces for which they
// hold.
func TestConditionsOfPieces(t *testing.T) {
	const begin = `ruleset small "Small"
board   strip
players 2
pieces  4 at home
dice    die = d6
var piece tired: flag
var piece marked: flag
let lone(place s) = len(s.pieces) == 1
let four(place s) = s == square("4")
let far(number k) = k > 4
let near(piece p, piece q) = p.index - q.index < 4
turn {
  throw die
  play  die
}
move advance(p in mine) from squares walk steps
setup {
  put yellow.pieces[0] on square("4"); put yellow.pieces[1] on square("10"); put yellow.pieces[2] on square("1"); put yellow.pieces[3] on square("7")
  put blue.pieces[0] on square("10")
  for q in filter(yellow.pieces, # == mine[0] || # == mine[3]) { q.tired = true }
}
`
	for cond, want := range map[string]string{
		"p.at.nook":                  "[y0>5 y1>11]",
		"four(p.at) || far(p.index)": "[y0>5 y1>11 y3>8]",
		"not four(p.at)":             "[y1>11 y2>2 y3>8]",
		"lone(p.at)":                 "[y0>5 y2>2 y3>8]",
		"p.tired":                    "[y0>5 y3>8]",
		"p.tired == false":           "[y1>11 y2>2]",
		"p.at != square(\"1\")":      "[y0>5 y1>11 y3>8]",
		"p.at.nook && any(game.pieces, .at == goal || .colour == blue && .at == p.at) || p.tired": "[y0>5 y1>11 y3>8]",
		"near(p, mine[0])":                           "[y0>5 y2>2 y3>8]",
		"die == 1 ? p.at.nook : p.tired":             "[y0>5 y1>11]",
		"die != 1 ? p.at.nook : p.tired":             "[y0>5 y3>8]",
		"p.at in [square(\"4\"), square(\"1\")]":     "[y0>5 y2>2]",
		"p.index % 3 == 0":                           "[y0>5 y1>11 y2>2 y3>8]",
		"p == mine[1] || p == mine[2]":               "[y1>11 y2>2]",
		"p.colour == blue || p.at.square && p.tired": "[y0>5 y3>8]",
	} {
		for where, rules := range map[string]string{
			"may":    `may advance(p) when ` + cond,
			"never":  `may advance(p); never advance(p) when not (` + cond + `)`,
			"must":   `may advance(p); must advance(p) when ` + cond,
			"may to": `may advance(p) to s when s.ring && (` + cond + `)`,
			"for if": `on throw { for p in mine { if ` + cond + ` { p.marked = true } } }; may advance(p) when p.marked`,
			"for":    `on throw { for p in filter(mine, marks(#)) { p.marked = true } }; may advance(p) when p.marked`,
		} {
			text := begin + "let marks(piece p) = " + cond + "\nrule a \"A\" { " + rules + " }"
			rules := small(t, text)
			for form, compiled := range forms {
				if got, _, _ := strings.Cut(play(t, rules, compiled, "1"), "]"); got+"]" != want {
					t.Errorf("%s form, %s %s: got %s], want %s", form, where, cond, got, want)
				}
			}
		}
	}
}

// TestNumbers computes large numbers: a result in range is exact, a result out of range is a fault.
func TestNumbers(t *testing.T) {
	const begin = `var game large = 32767
var game low = 0 - 32767
turn { throw die }
rule a "A" { on throw { %s } }
`
	for block, want := range map[string]string{
		"log = (large - low) * (large - low) > 0 ? 1 : 2":            "fault 3",
		"log = (die == 3 ? 1 : large * 2) * (large * 2) > 0 ? 1 : 2": "log=1 turn 1",
		"log = (die == 3 ? large * 2 : 1) * (large * 2) > 0 ? 1 : 2": "fault 3",
		"log = (die == 4 ? 1 : large * 2) * (large * 2) > 0 ? 1 : 2": "fault 3",
		"log = large * large > large * (large - 1) ? 1 : 2":          "log=1 turn 1",
		"log = large * large * large > 0 ? 1 : 2":                    "fault 3",
		"log = abs(low) + large == large * 2 ? 1 : 2":                "log=1 turn 1",
		"n = large; n += 1": "fault 3",
		"n = low; n -= 2":   "fault 3",
		"log = int((0 - 7) / 2) + 5; log = log * 10 + ((0 - 7) % 4 + 4); log = log * 10 + int(7 / (die - 1))": "log=213 turn 1",
		"log = int(7 / (die - 3))": "fault 4",
	} {
		means(t, block, fmt.Sprintf(begin, block), "3", want)
	}
}

// TestWalksOfAnyNumber walks forwards and backwards, with the number of steps from each source.
func TestWalksOfAnyNumber(t *testing.T) {
	const begin = `dice other = {-3, 0, 2}
setup { put yellow.pieces[0] on square("6") }
%s
`
	for _, c := range []struct{ name, text, script, want string }{
		{"of a die with negative numbers", "turn { throw other; play other }\nmove go_on(p in mine) from squares walk steps\nrule a \"A\" { may go_on(p) }", "-3", "log=0 3:y0 turn 1"},
		{"none", "turn { throw other; play other }\nmove go_on(p in mine) from squares walk steps\nrule a \"A\" { may go_on(p); on stuck { LOG(1) } }", "0", "log=1 6:y0 turn 1"},
		{"by another number", "turn { throw die; play die }\nmove go_on(p in mine) from squares walk steps\nrule a \"A\" { may go_on(p) by 0 - die; on go_on(p) { LOG(heading + 2) } }", "2", "log=1 4:y0 turn 1"},
		{"by a choice of numbers", "turn { throw die; play die }\nmove go_on(p in mine) from squares walk steps\nrule a \"A\" { may go_on(p) by die == 2 ? 3 : 0 - 2 }", "5", "log=0 4:y0 turn 1"},
		{"earned", "turn { throw die; earn die == 2 ? 3 : 0 - 2; play earned }\nmove go_on(p in mine) from squares walk steps\nrule a \"A\" { may go_on(p) }", "5", "log=0 4:y0 turn 1"},
		{"the move's own", "turn { throw die; play die }\nmove go_on(p in mine) from squares walk 0 - steps\nrule a \"A\" { may go_on(p) }", "5", "log=0 1:y0 turn 1"},
	} {
		means(t, c.name, fmt.Sprintf(begin, c.text), c.script, c.want)
	}
}

// TestFirstVerdict: the first of two verdicts on one step decides, whatever other verdicts the rules have.
func TestFirstVerdict(t *testing.T) {
	ends := map[string]string{"go": "5", "stop": "3", "turn": "1"} // of a walk of three steps from square 2
	for first, end := range ends {
		for second := range ends {
			for _, more := range []string{"", `; step into s: go or turn when s == square("12")`, `; step into s: stop when s == square("12"); step into s: turn when s == square("11")`} {
				rules := `rule a "A" { step into s: ` + first + ` when s.nook; step into s: ` + second + ` when s.ring && s.nook` + more + ` }`
				means(t, rules, advance+"setup { put yellow.pieces[0] on square(\"2\") }\n"+rules, "3", "log=0 "+end+":y0 turn 1")
			}
		}
	}
}

// TestClausesOfSteps compares verdicts on steps with the resulting walks: whole conditions and parts, for the last step and
// for any step.
func TestClausesOfSteps(t *testing.T) {
	const begin = `setup { put yellow.pieces[0] on square("1"); put yellow.pieces[1] on square("6"); put blue.pieces[0] on square("4"); put blue.pieces[1] on square("8") }
` + advance
	for clause, want := range map[string]string{
		`step into s: bar when s.nook || len(s.pieces) > 0`:                          "log=0 1:y0 4:b0 6:y1 8:b1 turn 1",
		`step into s: bar when s.nook && len(s.pieces) > 0`:                          "log=0 1:y0 4:b0 8:b1 9:y1 turn 1",
		`step into s: bar when len(s.pieces) > 0 && p.at == square("6")`:             "log=0 4:b0,y0 6:y1 8:b1 turn 1",
		`step into s: bar when any(s.pieces, .at == p.at) || s == square("9")`:       "log=0 4:b0,y0 6:y1 8:b1 turn 1",
		`step into s: bar when any(s.pieces, .index > 5)`:                            "log=0 4:b0,y0 6:y1 8:b1 turn 1",
		`step into s: bar when remaining == 0 && len(s.pieces) > 0`:                  "log=0 1:y0 4:b0 8:b1 9:y1 turn 1",
		`step into s: bar when remaining == 1 && len(s.pieces) > 0`:                  "log=0 4:b0,y0 6:y1 8:b1 turn 1",
		`end on s: bar when len(s.pieces) > 0`:                                       "log=0 1:y0 4:b0 8:b1 9:y1 turn 1",
		`step into s: bar when !next(me).playing && len(s.pieces) > 0`:               "[y0>4 y1>9] log=0 1:y0 4:b0 6:y1 8:b1 turn 0",
		`step into s: bar when len(s.pieces) > 0 && s.pieces[0].colour.player == me`: "[y0>4 y1>9] log=0 1:y0 4:b0 6:y1 8:b1 turn 0",
	} {
		means(t, clause, begin+"rule b \"B\" { "+clause+" }", "3", want)
	}
	means(t, "of who is out", begin+`rule b "B" { on throw { drop next(me) }; step into s: bar when len(s.pieces) > 0 && !s.pieces[0].player.playing }`, "3", "log=0 1:y0 4:b0 6:y1 8:b1 player 1 is dropped turn 0")
}
