package door

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/rulesets"
)

// keeping is a house rule that keeps something of everything.
const keeping = `change keeping "Much is kept" for parchis

var game   open_for_all = true
var game   hunted: piece
var team   named: colour
var player purse: 0..99 = 20
var player saved_throw: 0..6
var player hand: bag of 1..6
var player ready = false
var colour seen: set of colour
var piece  age: 0..99 = 1
var piece  tired: flag
var piece  stood: place
var turn   told = 0
secret hand

rule telling "Everything is kept, and each throw changes it" {
  on throw(die) { told += 1; me.ready = true; me.purse -= 1; me.hand += die }
}
`

// TestFigures shows what the rules keep beyond a turn: what no game begins with, secrets to those who may see them.
func TestFigures(t *testing.T) {
	s := opened(t, keeping, nil)
	shown := func(seat int) []string {
		return seq.Map(s.figures(seat), func(f Figure) string { return f.Name + ": " + f.Text() })
	}
	purses := []string{"purse: yellow 20", "purse: blue 20", "purse: red 20", "purse: green 20"}
	if diff := cmp.Diff(purses, shown(0)); diff != "" {
		t.Errorf("at the beginning: %s", diff)
	}
	set := func(vars string) {
		t.Helper()
		from := &interpreter.Setup{
			Turn: "yellow",
			Pieces: map[string][]string{
				"yellow": {"10", "10", "12", "home"}, "blue": {"30", "31", "home", "home"},
				"red": {"home", "home", "home", "home"}, "green": {"home", "home", "home", "home"},
			},
		}
		err := json.Unmarshal([]byte(vars), &from.Vars)
		if err == nil {
			s.pos, err = s.game.Setup(from)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	set(`{"open_for_all": false, "hunted": "yellow@12", "named": {"blue": "red"}, "saved_throw": {"red": 3},
		"hand": {"yellow": [5, 2, 5], "blue": [1]}, "ready": {"yellow": true, "red": true}, "seen": {"red": ["blue", "green"]},
		"age": {"yellow@10": 3, "yellow@12": 4, "blue@31": 0}, "tired": {"yellow@12": true}, "stood": {"yellow@12": "10"}}`)
	want := slices.Concat([]string{"open for all: no", "hunted: yellow 12", "named: blue (red)"}, purses, []string{
		"saved throw: red 3", "ready: yellow", "ready: red", "seen: red (blue green)",
		"age: yellow 10 (3) 12 (4)", "age: blue 31 (0)", "tired: yellow 12",
	})
	if diff := cmp.Diff(want, shown(interpreter.None)); diff != "" {
		t.Errorf("to all: %s", diff)
	}
	if diff := cmp.Diff(slices.Insert(slices.Clone(want), 8, "hand: yellow 2 5 5"), shown(0)); diff != "" {
		t.Errorf("to yellow: %s", diff)
	}
	set(`{"ready": {"yellow": true, "blue": true, "red": true, "green": true}}`)
	if diff := cmp.Diff(append(purses, "ready: yes"), shown(interpreter.None)); diff != "" {
		t.Errorf("the same of all: %s", diff)
	}
}

// TestFiguresOfScreen: the screen shows the secrets of a person who plays alone, and no secret where several people look at it.
func TestFiguresOfScreen(t *testing.T) {
	for people, want := range map[int]bool{1: true, 2: false, 4: false} {
		s := opened(t, keeping, append(slices.Repeat([]string{"human"}, people), slices.Repeat([]string{"random"}, 4-people)...))
		for range 60 {
			if s.Asks() == interpreter.None {
				_ = s.Bot()
			} else {
				_ = s.Act(0)
			}
		}
		hands := seq.Filter(s.Figures(), func(f Figure) bool { return f.Name == "hand" })
		if got := len(hands) == 1 && hands[0].Of == "yellow"; got != want || !want && len(hands) > 0 {
			t.Errorf("with %d people the screen shows %v", people, hands)
		}
	}
}

// opened begins a game of a rule file. Without seats all are persons.
func opened(t *testing.T, text string, seats []string) *Session {
	t.Helper()
	book, faults := dsl.Load(source.New("ours.rules", text), dsl.Library{Shipped: rulesets.FS})
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.Rules(dsl.Setting{})
	if rules == nil {
		t.Fatal(faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	if seats == nil {
		seats = slices.Repeat([]string{"human"}, g.Players())
	}
	s, err := Open(g, &record.Header{Players: g.Players(), Seed: 3, Seats: seats, First: g.SeatName(0)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCarriedInMenu tells two moves apart by the piece that one takes along, and has the words of a question in the log.
func TestCarriedInMenu(t *testing.T) {
	s := opened(t, `change riding "Two may go together" for parchis
var player careful = false
move carry(p in mine, q in mine) from squares walk 2 carrying [q]
rule riding "Two go together" { may carry(p, q) when p != q && q.at == p.at && thrown }
rule asking "Who throws says it" { on throw(die) { choose me.careful "Careful now?" } }
`, nil)
	p, err := s.game.Setup(&interpreter.Setup{Turn: "yellow", Pieces: map[string][]string{
		"yellow": {"10", "10", "goal", "goal"}, "blue": {"home", "home", "home", "home"},
		"red": {"home", "home", "home", "home"}, "green": {"home", "home", "home", "home"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.pos = p
	s.watch = collect(s)
	for range 2 { // the throw, and the answer
		if err := s.Act(0); err != nil {
			t.Fatal(err)
		}
	}
	does := map[string]string{}
	for _, o := range s.State(0).Options {
		does[o.Words] += o.Does
	}
	if diff := cmp.Diff(map[string]string{"10 → 12 by advance": "", "10 → 12 by carry": "yellow 10 → 12"}, does); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"yellow throws 2: yellow chooses yes (Careful now?)"}, s.Lines(s.Happened(0), false)); diff != "" {
		t.Error(diff)
	}
}
