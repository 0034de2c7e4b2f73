package vm_test

import (
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/random"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// head is the beginning of the small rule books of these tests.
func head(track string, pieces string) string {
	return "ruleset small \"Small\"\nboard round track " + track + "\nplayers 3\npieces " + pieces + " at home\ndice die = {-2, 1, 2, 3}\nvar game n = 0\nvar piece tired: flag\n"
}

const walking = `
turn {
  throw die
  play  die
  if die == 3 { again }
}
move enter(p in mine)   from home to square("2")
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may enter(p) when die == 1; may advance(p) }
rule over "A piece in the goal ends it" { over when any(game.pieces, .at == goal) }
`

// books use the features of a machine: track sets along a strip and round a ring, walks that turn, pieces in the hand, undone turns,
// several numbers, questions, and no sets at all.
var books = map[string]string{
	"pairs":  head("strip", "3") + walking + `rule a "A" { step into s: bar when len(s.pieces) == 2; end on s: bar when len(s.pieces) == 3 }`,
	"ring":   head("loop", "3") + walking + `rule a "A" { step into s: bar when count(s.pieces, .colour != p.colour) >= 2; end on s: bar when any(s.pieces, .colour != p.colour) && s.nook }`,
	"turns":  head("strip", "3") + walking + `rule a "A" { step into s: turn when any(s.pieces, .colour != p.colour); end on s: bar when s.nook && len(s.pieces) > 0; step beyond: turn; on turned(p, s) { n += 1 } }`,
	"dodges": head("loop", "4") + walking + `rule a "A" { step into s: turn when len(s.pieces) == 1; step into s: bar when len(s.pieces) > 2 }`,
	"questions": head("strip", "3") + walking + `let crowded(piece p) = any(p.at.pieces, .colour != p.colour)
rule a "A" { must advance(p) when crowded(p); must advance(p) to s when s.nook || len(s.pieces) == 3; never advance(p) to s when count(s.pieces, .colour != p.colour) == 1 && s.nook; step into s: bar when len(s.pieces) > 3 }`,
	"undone": head("strip", "3") + `var turn sixes = 0
turn { throw die; play die; if die == 3 { sixes += 1; if sixes == 2 { undo turn } else { again } } }
move enter(p in mine)   from home to square("2")
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may enter(p); may advance(p); step into s: bar when len(s.pieces) == 2 }
rule over "A piece in the goal ends it" { over when any(game.pieces, .at == goal) }`,
	"carried": head("strip", "3") + `
turn { throw die; play die; play earned }
move enter(p in mine) from home to square("2")
move push(p in mine)  from squares walk steps carrying filter(p.at.pieces, .colour == p.colour)
rule counting "One piece counts the number" { may enter(p); may push(p); step into s: bar when count(s.pieces, .colour != p.colour) > 1; on leave(p, s) when len(s.pieces) == 1 { earn 1 } }
rule over "A piece in the goal ends it" { over when any(game.pieces, .at == goal) }`,
	"numbers": head("strip", "3") + `dice other = d6
turn { throw die, other; play each of [die, 1, other]; choose q "Who rests?" from mine; q.tired = !q.tired }
move enter(p in mine) from home to square("2")
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may enter(p); may advance(p) when !p.tired; may advance(p) by [1, 2] when p.tired }
rule over "A piece in the goal ends it" { over when any(game.pieces, .at == goal) }`,
	"two ways": head("strip", "4") + `
turn { throw die; play die }
move enter(p in mine) from home to square("2")
move advance(p in mine) from squares walk steps
move back(p in mine) from squares walk 0 - 1
move stand(p in mine) stay
rule counting "One piece counts the number" { may advance(p) by [die, 1]; may enter(p); may back(p); may stand(p) when p.tired; on advance(p) { p.tired = !p.tired } }
rule over "A piece in the goal ends it" { over when any(game.pieces, .at == goal) }`,
}

func compiled(t testing.TB, text string) *compile.Unit {
	t.Helper()
	book, faults := dsl.Load(source.New("small.rules", text), dsl.Library{Beside: os.DirFS("testdata")})
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.Rules(dsl.Setting{})
	if rules == nil {
		t.Fatal(faults)
	}
	unit, err := compile.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	return unit
}

// begin puts a machine at the first node of a new game.
func begin(t testing.TB, u *compile.Unit) *vm.Machine {
	t.Helper()
	m := vm.New(u.Program)
	if !m.Start(compile.EntryStart) {
		t.Fatal(m.Fault)
	}
	return m
}

// on continues from a node at random.
func on(m *vm.Machine, p *code.Program, r *rand.Rand) bool {
	switch m.Node {
	case code.NodeThrow:
		for _, d := range p.Throws[m.Site].Dice {
			m.State()[p.Layout.Dice+d] = int16(p.Dice[d].Values[r.IntN(len(p.Dice[d].Values))])
		}
		return m.Resume(0)
	case code.NodeOption:
		return m.Resume(r.IntN(m.OptionCount()))
	}
	return m.Resume(r.IntN(len(m.Picks())))
}

// nodes plays each rule book at random, and passes the machine at each node.
func nodes(t *testing.T, most int, see func(t *testing.T, u *compile.Unit, m *vm.Machine, r *rand.Rand)) {
	for name, text := range books {
		t.Run(name, func(t *testing.T) {
			u, r := compiled(t, text), rand.New(rand.NewPCG(7, 8))
			m := begin(t, u)
			for range most {
				if m.Node == code.NodeOver {
					m = begin(t, u)
				}
				see(t, u, m, r)
				if t.Failed() {
					return
				}
				if !on(m, u.Program, r) {
					t.Fatal(m.Fault)
				}
			}
		})
	}
}

// TestRowsAreTheList compares options as rows with the list of the plain form: the same count and order, and the same effect of each.
func TestRowsAreTheList(t *testing.T) {
	nodes(t, 3000, func(t *testing.T, u *compile.Unit, m *vm.Machine, r *rand.Rand) {
		if m.Node != code.NodeOption || !m.AsRows() {
			return
		}
		listed := vm.New(u.Program)
		listed.CopyFrom(m)
		listed.ListRows()
		options := slices.Clone(listed.Options())
		if m.OptionCount() != len(options) {
			t.Fatalf("the rows hold %d options, the list %d", m.OptionCount(), len(options))
		}
		for i, o := range options {
			if got := m.Chosen(i); got != int(o.Params[0]) {
				t.Fatalf("option %d moves piece %d as row, piece %d in the list", i, got, o.Params[0])
			}
			a, b := vm.New(u.Program), vm.New(u.Program)
			a.CopyFrom(m)
			b.CopyFrom(m)
			b.ListRows()
			a.TakeOption(i)
			b.TakeOption(i)
			for k := range a.State() {
				if x, y := a.State()[k], b.State()[k]; x != y {
					t.Fatalf("option %d taken: cell @%s is %d from the rows, %d from the list", i, u.Program.CellName(k), x, y)
				}
			}
			if !slices.Equal(a.Counters, b.Counters) {
				t.Fatalf("option %d taken: counters are %v from the rows, %v from the list", i, a.Counters, b.Counters)
			}
		}
	})
}

// TestCopyIsWhole copies onto a machine in another position: everything is equal, and stays equal.
func TestCopyIsWhole(t *testing.T) {
	nodes(t, 600, func(t *testing.T, u *compile.Unit, m *vm.Machine, r *rand.Rand) {
		other := begin(t, u)
		for range r.IntN(8) {
			if other.Node == code.NodeOver || !on(other, u.Program, r) {
				break
			}
		}
		other.CopyFrom(m)
		names := []string{"state", "derived words", "squares", "options", "paths", "rows", "number of rows", "picks", "kind of picks", "state kept", "derived words kept", "squares kept", "node", "site", "fault"}
		for i, x := range m.Inside() {
			if !u.Program.Traced && names[i] == "paths" {
				continue
			}
			if y := other.Inside()[i]; !reflect.DeepEqual(x, y) {
				t.Fatalf("a copy has other %s: %v, want %v", names[i], y, x)
			}
		}
	})
}

// TestFollowing compares the derived data of a machine with data computed from scratch.
func TestFollowing(t *testing.T) {
	nodes(t, 1500, func(t *testing.T, u *compile.Unit, m *vm.Machine, r *rand.Rand) {
		fresh := vm.New(u.Program)
		fresh.Assume(m.State())
		if !slices.Equal(m.Derived(), fresh.Derived()) {
			t.Errorf("derived words %b, want %b", m.Derived(), fresh.Derived())
		}
		if !slices.Equal(m.Squares(), fresh.Squares()) {
			t.Errorf("squares %v, want %v", m.Squares(), fresh.Squares())
		}
	})
}

// TestChance compares a machine that draws by itself with one that is given each number: the same games and the same number of decisions.
func TestChance(t *testing.T) {
	for name, text := range books {
		t.Run(name, func(t *testing.T) {
			u := compiled(t, text)
			p := u.Program
			give := func(m *vm.Machine, x *random.Source) { // the outcome of a throw
				for _, d := range p.Throws[m.Site].Dice {
					m.State()[p.Layout.Dice+d] = int16(p.Dice[d].Values[x.IntN(len(p.Dice[d].Values))])
				}
			}
			for game := range 30 {
				const most = 40 // throws
				hand, source, throws, decisions := random.Source(game), random.Source(game), 0, 0
				byHand, byItself := begin(t, u), begin(t, u)
				for ok := true; ok; {
					switch {
					case byHand.Node == code.NodeThrow && throws < most:
						throws++
						give(byHand, &hand)
						ok = byHand.Resume(0)
					case byHand.Node == code.NodeOption:
						decisions++
						ok = byHand.Resume(hand.IntN(byHand.OptionCount()))
					default:
						ok = false
					}
				}
				c := &vm.Chance{Source: &source, Throws: most}
				for ok := true; ok; {
					switch {
					case byItself.Node == code.NodeThrow && c.Throws > 0:
						c.Throws--
						give(byItself, &source)
						ok = byItself.ResumeOn(c, 0)
					case byItself.Node == code.NodeOption:
						c.Decisions++
						ok = byItself.ResumeOn(c, source.IntN(byItself.OptionCount()))
					default:
						ok = false
					}
				}
				if !slices.Equal(byItself.State(), byHand.State()) {
					t.Fatalf("game %d comes elsewhere by itself than by hand", game)
				}
				if c.Decisions != decisions {
					t.Fatalf("game %d has %d decisions by itself, %d by hand", game, c.Decisions, decisions)
				}
				if source != hand {
					t.Fatalf("game %d draws other numbers by itself", game)
				}
			}
		})
	}
}

// TestMostAtBest: if a player picks a candidate on the way, the best candidate counts.
func TestMostAtBest(t *testing.T) {
	for list, want := range map[string]int16{"[0, 1]": 2, "[1, 0]": 2, "[0, 2]": 2, "[2, 0, 1]": 2, "[1, 2]": 1} {
		m := begin(t, compiled(t, head("strip", "2")+`var go free = 0
setup { put yellow.pieces[0] on square("1"); put yellow.pieces[1] on square("5") }
turn { throw die; free = 0; play most of [1, 1] }
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may advance(p) when free == 0; on advance(p) { choose free from `+list+` } }`))
		m.State()[code.CellSteps] = 0
		m.Resume(0)
		if got := m.State()[code.CellUsable]; m.Node != code.NodeOption || got != want {
			t.Errorf("one of %s is picked, 0 to go on: %d numbers can be used at node %d, want %d", list, got, m.Node, want)
		}
	}
}

// TestMostKeepsTheBest offers, of several numbers, only options after which as many as possible can be used.
func TestMostKeepsTheBest(t *testing.T) {
	for _, c := range []struct {
		numbers, barred string
		second          string // where the second piece stands, the first on 1
		usable          int16
		options         int
	}{
		{"[1, 2]", "false", "5", 2, 4},                 // either piece, either number
		{"[1, 2]", "s == square(\"2\")", "5", 2, 2},    // the first piece goes nowhere
		{"[1, 1, 1]", "s == square(\"3\")", "5", 3, 2}, // the first piece goes one at most
		{"[1, 2]", "s == square(\"4\")", "10", 2, 2},   // where the first goes one nothing is left for the two
	} {
		m := begin(t, compiled(t, head("strip", "2")+`setup { put yellow.pieces[0] on square("1"); put yellow.pieces[1] on square("`+c.second+`") }
turn { throw die; play most of `+c.numbers+` }
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may advance(p); step into s: bar when `+c.barred+` }`))
		m.Resume(0)
		got := 1
		if m.Node == code.NodeOption {
			got = m.OptionCount()
		}
		if usable := m.State()[code.CellUsable]; m.Node == code.NodeOption && usable != c.usable || got != c.options {
			t.Errorf("of %s, barred where %s: %d options, %d numbers usable; want %d, %d", c.numbers, c.barred, got, usable, c.options, c.usable)
		}
	}
}

// TestPartTooLate: two options of a piece are one if the game ends before they differ, but not with other pieces.
func TestPartTooLate(t *testing.T) {
	m := begin(t, compiled(t, head("strip", "2")+`setup { put yellow.pieces[0] on square("1"); put blue.pieces[0] on square("5"); put blue.pieces[1] on square("6") }
turn { throw die; play 2 }
move pass(p in mine, q in filter(game.pieces, .at.square && .colour != p.colour)) from squares walk steps
rule counting "A piece passes on what one of the others says" { may pass(p, q); on step(p) from a to s { over } }`))
	m.Resume(0)
	if m.Node != code.NodeOption || m.OptionCount() != 2 {
		t.Errorf("%d options at node %d, want one with each of two pieces", m.OptionCount(), m.Node)
	}
}
