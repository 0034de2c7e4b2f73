package interpreter

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// failing are rules that fail at a certain throw, so that games come to Broken, after an opening and a setup that asks.
const failing = `ruleset failing "They fail"

board   cross68
players 2..4
pieces  2 at home
dice    die = d6
dice    pick = choice of [1, 2, 3]
first   highest die

var player banned: colour
secret banned

setup { choose me.banned "Whose pieces are banned?" from game.colours }

turn {
  choose me.banned "Whose pieces are banned now?" from game.colours
  play  1
  play  1
  throw die
  play  die
  throw pick
  if die == 3 && pick == 2 { put find(mine, .index > 60) on yellow.start }
}

move enter(p in mine)   from home    to p.start
move advance(p in mine) from squares walk steps
move rest()

rule counting "A piece counts it" {
  may enter(p)
  may advance(p)
  may rest() when thrown
}
rule finish "It ends" { over when all(game.pieces, .at.square) && die == 1 }
`

// withFailing are all rule files that tests play, and failing.
func withFailing(t *testing.T, each func(t *testing.T, g *Game)) {
	everyGame(t, func(t *testing.T, rules *model.Rules) {
		g, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		each(t, g)
	})
	book := testbook.Book(t, "failing.rules", failing, nil)
	for _, players := range []int{2, 4} {
		rules, faults := book.Rules(dsl.Setting{Players: players})
		if rules == nil {
			t.Fatal(faults)
		}
		t.Run(fmt.Sprintf("failing/%d", players), func(t *testing.T) {
			g, err := Compile(rules)
			if err != nil {
				t.Fatal(err)
			}
			each(t, g)
		})
	}
}

// strange are numbers of seats, colours, pieces, places and devices, such as there are and such as there are not.
var strange = []int{None, 0, 1, 3, 16, 1000}

// positionCalls are arguments for every exported method of a position: lists of them, given a position.
var positionCalls = map[string]func(p *Position) [][]any{
	"AppendKey": none, "Asking": none, "AppendSnapshot": none, "AtTurn": none, "ChosenNumber": none, "Copy": none, "Dice": none, "Effects": none, "Err": none,
	"Explain": none, "Figures": none, "Forbidding": none, "Game": none, "Kind": none, "Numbers": none, "Opening": none, "OptionCount": none, "Options": none,
	"Places": none, "Player": none, "Ordinal": each1(strange...), "Question": none, "Ranked": none, "Result": none, "Secret": none, "Setup": none, "Throws": none,
	"Turn": none, "TurnBegins": none, "TurnColour": none, "TurnsBegun": none, "Vars": none, "Waiting": none,
	"ColourOf": each1(strange...),
	"ValueChanges": func(p *Position) [][]any {
		return [][]any{{p.Copy(), Wording(names{p.game})}, {p.game.Start(0), Wording(nil)}}
	},
	"Changes": func(p *Position) [][]any { return [][]any{{p.Copy()}, {p.game.Start(0)}} },
	"Choose":  each1(strange...), "CopyFrom": func(p *Position) [][]any { return [][]any{{p.game.Start(0)}} },
	"ChooseRandom": byChance, "Draw": byChance, "EveryThrow": each1(strange...), "ThrowRandom": byChance,
	"Decisions": func(*Position) [][]any { return [][]any{{func(*Decision) {}}} },
	"Alike":     func(p *Position) [][]any { return [][]any{{p.Copy()}, {p.game.Start(0)}} },
	"Equal":     func(p *Position) [][]any { return [][]any{{p.Copy()}, {p.game.Start(0)}} },
	"Guess": func(*Position) [][]any {
		var out [][]any
		for _, seat := range strange {
			r := NewRandom(1, 2)
			out = append(out, []any{seat, &r})
		}
		return out
	},
	"Values": func(p *Position) [][]any {
		return [][]any{{None, Wording(names{p.game})}, {0, Wording(nil)}, {1000, Wording(nil)}}
	},
	"Hides": each1(strange...), "Index": each1(strange...),
	"Noted":       func(p *Position) [][]any { return [][]any{{make([]bool, len(p.game.Notes()))}} },
	"Offered":     func(*Position) [][]any { return [][]any{{}, {3}, {1, 1}, {0}} },
	"OptionNames": none, "EarlierNames": none, "WholeNames": none,
	"Node": each1(strange...),
	"Number": func(p *Position) [][]any {
		var out [][]any
		for _, v := range p.game.rules.Vars {
			for _, owner := range strange {
				out = append(out, []any{v, owner})
			}
		}
		return out
	},
	"Names": func(p *Position) [][]any { return [][]any{{p.Player(), p.Options()}, {None, p.Options()}} },
	"Outcomes": func(*Position) [][]any {
		return [][]any{{[]Outcome(nil), None}, {[]Outcome(nil), 0}, {[]Outcome(nil), 1}, {[]Outcome(nil), 16}}
	},
	"PiecesOn": func(*Position) [][]any {
		return [][]any{{[]int(nil), None}, {[]int(nil), 0}, {[]int(nil), 5}, {[]int(nil), 5000}}
	},
	"Place":   each1(strange...),
	"Playing": each1(strange...),
	"Playout": func(*Position) [][]any { r := NewRandom(3, 4); return [][]any{{&r, Until{Throws: 20}}} },
	"Restart": each1(strange...),
	"Restore": func(p *Position) [][]any { return [][]any{{p.AppendSnapshot(nil)}, {[]byte(nil)}} },
	"Throw":   func(*Position) [][]any { return [][]any{{}, {3}, {1, 1}, {99}} },
	"View":    each1(strange...),
	"Worded":  func(p *Position) [][]any { return [][]any{{Wording(names{p.game}), 0, p.Options()}} },
	"Watch":   func(*Position) [][]any { return [][]any{{Watcher(nil)}} },
	"Way":     func(*Position) [][]any { return [][]any{{[]int(nil), None}, {[]int(nil), 0}, {[]int(nil), 5000}} },
}

// gameCalls are arguments for every exported method of a game.
var gameCalls = map[string]func(p *Position) [][]any{
	"Counted": none, "Dice": none, "Notes": none, "Players": none, "ProgramSize": none, "Rules": none, "StateSize": none,
	"Canonical":  func(*Position) [][]any { return [][]any{{[]int(nil)}, {[]int{1}}, {[]int{0, 1, 0, 1, 0, 1, 0}}} },
	"ColourName": each1(strange...), "ColourOf": each1(strange...), "PlaceName": each1(strange...), "Seat": func(p *Position) [][]any { return each([]string{"", "no such seat", p.game.SeatName(0)}) }, "SeatName": each1(strange...), "SeatOf": each1(strange...), "Start": each1(strange...),
	"FirstAfter":     func(p *Position) [][]any { return [][]any{{p.Result()}, {Result{}}} },
	"OptionText":     func(p *Position) [][]any { return each(p.Options()) },
	"OptionTexts":    func(p *Position) [][]any { return [][]any{{p.Options()}} },
	"RefusalRemarks": func(p *Position) [][]any { return [][]any{{p.Explain()}} },
	"RefusedText":    func(p *Position) [][]any { return each(p.Options()) },
	"Refused":        func(p *Position) [][]any { return [][]any{{Wording(names{p.game}), Option{Word: "none"}}} },
	"Given":          func(p *Position) [][]any { return each(p.game.rules.Tests) },
	"Traced":         none,
	"Without":        func(*Position) [][]any { return [][]any{{(*model.Clause)(nil)}, {&model.Clause{Index: 1000}}} },
	"RunTest":        func(p *Position) [][]any { return each(p.game.rules.Tests) },
	"RunTestNoting":  func(p *Position) [][]any { return nil },
	"FollowTest":     func(p *Position) [][]any { return nil },
	"Same":           func(p *Position) [][]any { return [][]any{{p.game}} },
	"Setup":          func(p *Position) [][]any { return [][]any{{p.Setup()}, {p.View(0)}, {&Setup{}}} },
	"Once":           func(*Position) [][]any { return [][]any{{"a key", func() any { return 1 }}} },
	"WriteProgram": func(*Position) [][]any {
		return [][]any{{io.Discard, FormSets, "link", ""}, {io.Discard, FormPlain, "lower", ""}}
	},
	"SpotName": func(p *Position) [][]any {
		return [][]any{{None, None, None}, {0, 0, 0}, {1, 5, 1}, {1, 5, 7}, {1000, 1000, 1}}
	},
}

func none(*Position) [][]any { return [][]any{{}} }

func byChance(*Position) [][]any { r := NewRandom(7, 7); return [][]any{{&r}} }

func each1(list ...int) func(*Position) [][]any {
	return func(*Position) [][]any { return each(list) }
}

func each[T any](list []T) [][]any {
	var out [][]any
	for _, x := range list {
		out = append(out, []any{x})
	}
	return out
}

// goesOn are the methods of a position that change it; they are called on copies.
var goesOn = []string{"Choose", "ChooseRandom", "CopyFrom", "Guess", "Playout", "Restart", "Restore", "Throw", "ThrowRandom"}

// callAll calls every exported method of a position and of its game; those that look at no position only if it is the first one.
func callAll(t *testing.T, p *Position, first bool) {
	t.Helper()
	for _, on := range []struct {
		of    any
		calls map[string]func(*Position) [][]any
	}{{p, positionCalls}, {p.game, gameCalls}} {
		v := reflect.ValueOf(on.of)
		for i := range v.NumMethod() {
			name := v.Type().Method(i).Name
			calls, ok := on.calls[name]
			if !ok {
				t.Fatalf("method %s is not in the table of this test", name)
			}
			if (name == "Counted" || name == "Given" || name == "RunTest" || name == "Traced" || name == "Same" || name == "WriteProgram") && !first {
				continue
			}
			for _, args := range calls(p) {
				m := v.Method(i)
				if slices.Contains(goesOn, name) {
					m = reflect.ValueOf(p.Copy()).Method(i)
				}
				call(t, m, name, args)
			}
		}
	}
}

// call calls a method with arguments; those of a list of bytes or numbers to append to are left out.
func call(t *testing.T, m reflect.Value, name string, args []any) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%s%v: panic: %v", name, args, r)
		}
	}()
	var in []reflect.Value
	for i, a := range args {
		if a == nil {
			in = append(in, reflect.Zero(m.Type().In(i)))
		} else {
			in = append(in, reflect.ValueOf(a))
		}
	}
	for !m.Type().IsVariadic() && len(in) < m.Type().NumIn() {
		in = append(in, reflect.Zero(m.Type().In(len(in))))
	}
	m.Call(in)
}

// sensible wants the accessors of a position to agree with its kind.
func sensible(t *testing.T, p *Position) {
	t.Helper()
	g := p.game
	want := func(ok bool, what string) {
		if !ok {
			t.Helper() // takes longer than most conditions
			t.Fatalf("kind %d: %s", p.Kind(), what)
		}
	}
	kind, turn, player := p.Kind(), p.Turn(), p.Player()
	want((kind == Broken) == (p.Err() != nil), "Err")
	want(kind == Throw || len(p.Dice()) == 0 && !p.ChosenNumber() && !p.Opening() && len(p.Outcomes(nil, 0)) == 0, "a throw where there is none")
	want((kind == Choice) == (p.OptionCount() > 0) && len(p.Options()) == p.OptionCount(), "options")
	want(kind == Choice || p.Question() == "" && !p.Secret() && len(p.Explain()) == 0, "a question where there is none")
	want(p.Opening() == (turn == None) && (turn == None || g.isSeat(turn)), "Turn")
	want((p.TurnColour() == None) == (turn == None) && g.SeatOf(p.TurnColour()) == turn, "TurnColour")
	switch {
	case kind == Over || kind == Broken || kind == Throw && len(p.Dice()) == 0:
		want(player == None, "Player where there is no decision")
	default:
		want(g.isSeat(player), "Player")
	}
	if kind == Throw {
		for i := range max(1, len(p.Dice())) {
			outcomes := p.Outcomes([]Outcome{{99, 99}}, i)
			want(len(outcomes) > 1 && outcomes[0] == Outcome{99, 99}, "Outcomes")
			want(slices.IsSortedFunc(outcomes[1:], func(a, b Outcome) int { return a.Value - b.Value }), "Outcomes are not ascending")
		}
		want(len(p.Outcomes(nil, max(1, len(p.Dice())))) == 0, "Outcomes of a device that is not there")
	}
	want(len(p.Places(nil)) == g.prog.Layout.Pieces && len(p.Numbers()) == len(g.Dice()), "lengths")
	want(len(p.Result().Winners) == 0 || kind == Over, "Winners before the end")
	want(!p.AtTurn() || kind == Throw && !p.Opening() || kind == Choice, "AtTurn")
	want(len(p.Changes(p.Copy())) == 0, "Changes since now")
	want(kind != Over || !p.Hides(None), "something is hidden after the end")
}

// TestEveryMethodAtEveryNode calls every exported method of positions and games at every node of games by chance: in the opening,
// in the setup, at throws and choices, at the end and where the rules fail. None panics, all answer what fits the node, and
// those that only look change nothing.
func TestEveryMethodAtEveryNode(t *testing.T) {
	kinds := map[string]bool{}
	withFailing(t, func(t *testing.T, g *Game) {
		r := NewRandom(21, 1)
		p := g.Start(ByTheRules)
		for node := range 400 {
			before := slices.Clone(p.m.State())
			if node < 20 || node%31 == 0 || p.Kind() == Over || p.Kind() == Broken {
				callAll(t, p, node == 0)
			}
			sensible(t, p)
			if !slices.Equal(before, p.m.State()) {
				t.Fatal("a method that only looks has changed the position")
			}
			switch p.Kind() {
			case Throw:
				p.ThrowRandom(&r)
			case Choice:
				p.ChooseRandom(&r)
			default:
				if strings.Contains(t.Name(), "failing") {
					kinds[fmt.Sprint(p.Kind())] = true
				}
				p.Restart(ByTheRules)
			}
		}
	})
	if !kinds[fmt.Sprint(Over)] || !kinds[fmt.Sprint(Broken)] {
		t.Error("the games that fail came neither to an end nor to a fault", kinds)
	}
}
