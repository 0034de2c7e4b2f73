package interpreter_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rulerun/rulerun/interpreter"
)

// spread is a position with so many options: pieces of one colour on squares of their own.
func spread(t *testing.T, options int) *interpreter.Position {
	t.Helper()
	g := odd(t, "ruleset odd \"Odd\"\nboard loop12\nplayers 2\npieces 6 at home\ndice die = d6\nvar game ticks = 0\n"+oddTurn+oddMoves+`rule clock "A game has 30 throws" { on throw { ticks += 1 }; over when ticks >= 30 }`)
	s := &interpreter.Setup{Turn: "yellow", Pieces: map[string][]string{"yellow": {}, "blue": {"12", "12", "12", "12", "12", "12"}}}
	for i := range 6 {
		s.Pieces["yellow"] = append(s.Pieces["yellow"], fmt.Sprint(min(1+i, options)))
	}
	p, err := g.Setup(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Throw(1); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestEveryOptionComesUp draws options: each as often as the others.
func TestEveryOptionComesUp(t *testing.T) {
	const draws = 3000
	r := interpreter.NewRandom(9, 9)
	for n := 2; n <= 6; n++ {
		begin := spread(t, n)
		if begin.OptionCount() != n {
			t.Fatalf("there are %d options, want %d", begin.OptionCount(), n)
		}
		var moved [13]int
		for range draws {
			p := begin.Copy()
			p.ChooseRandom(&r)
			for i, place := range p.Places(nil)[:6] {
				if place != begin.Places(nil)[i] {
					moved[min(1+i, n)]++
				}
			}
		}
		want := draws / float64(n)
		for i, got := range moved[1 : n+1] {
			if math.Abs(float64(got)-want) > 6*math.Sqrt(want) {
				t.Errorf("of %d options number %d is taken %d times in %d draws, want about %.0f", n, i+1, got, draws, want)
			}
		}
	}
}

// TestPlayoutCountsThrows plays out from a throw and from a decision: as many throws as the rules have counted.
func TestPlayoutCountsThrows(t *testing.T) {
	for n := 2; n <= 4; n++ {
		r := interpreter.NewRandom(1, uint64(n))
		p := spread(t, n)
		p.Playout(&r, interpreter.Until{})
		if got := fmt.Sprint(p.Vars()["ticks"]); p.Kind() != interpreter.Over || got != fmt.Sprint(p.Throws()) {
			t.Errorf("from a decision between %d options: %d throws, by the rules %s", n, p.Throws(), got)
		}
	}
}

// wholeBook has everything a position can have.
const wholeBook = `ruleset odd "Odd"
board   cross68
players 4
pieces  2 at home
teams   { yellow blue | red green }
dice    die = d6
dice    card = deck {1: 2, 2: 2, 3: 2}
var game   marks: set of 0..40
var game   named: colour
var team   purse = 0
var team   had: set of 0..40
var player seen: set of 0..40
var player gold = 5
var colour points = 0
var piece  tired: flag
turn { throw die; throw card; play die; if die == 7 { rank me; drop next(me) } }
move advance(p in mine) from squares walk steps
rule a "A" { may advance(p); on advance(p) { p.tired = die == 3 } }
rule b "B" { over when len(game.players) == 9 }
`

// written is a setup as JSON has it.
func written(t *testing.T, s *interpreter.Setup) *interpreter.Setup {
	t.Helper()
	text, err := json.Marshal(s)
	out := &interpreter.Setup{}
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPositionsMeanWhatTheySay reads positions that say one thing each, and asks the position for it; written out they say the same.
func TestPositionsMeanWhatTheySay(t *testing.T) {
	g := odd(t, wholeBook)
	seats := map[string]int{}
	for seat := range 4 {
		seats[g.SeatName(seat)] = seat
	}
	read := func(change func(s *interpreter.Setup)) (*interpreter.Position, *interpreter.Setup) {
		t.Helper()
		s := &interpreter.Setup{Turn: "yellow", Pieces: map[string][]string{"yellow": {"10", "20"}, "blue": {"10", "30"}, "red": {"home", "30"}, "green": {"30", "goal"}}}
		s.Arrived, s.Dice, s.Decks, s.Vars = map[string][]string{}, map[string]int{}, map[string]map[string]int{}, map[string]any{}
		change(s)
		s = written(t, s)
		p, err := g.Setup(s)
		if err != nil {
			t.Fatal(err)
		}
		ignored := cmpopts.IgnoreFields(interpreter.Setup{}, "Ruleset", "Options", "Players")
		if diff := cmp.Diff(s, written(t, p.Setup()), ignored, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("read, and written out again\n%s", diff)
		}
		return p, s
	}
	colours := []string{"yellow", "blue", "red", "green"}
	for _, turn := range colours {
		if p, _ := read(func(s *interpreter.Setup) { s.Turn = turn }); g.ColourName(p.TurnColour()) != turn {
			t.Errorf("it is the turn of %s, want %s", g.ColourName(p.TurnColour()), turn)
		}
	}
	for _, ranking := range [][]string{{"blue"}, {"blue", "red"}, {"red", "blue"}, {"green", "red", "blue"}} {
		p, _ := read(func(s *interpreter.Setup) { s.Ranking = ranking })
		for i, name := range ranking {
			if got := p.Result().Ranking[i]; got != seats[name] || p.Playing(seats[name]) {
				t.Errorf("%v are ranked, and place %d has %s", ranking, i+1, g.SeatName(got))
			}
		}
	}
	for _, dropped := range [][]string{{"blue"}, {"blue", "red"}} {
		p, _ := read(func(s *interpreter.Setup) { s.Dropped = dropped })
		for _, name := range dropped {
			if p.Playing(seats[name]) || p.Ranked() != 0 || p.Result().Ranking[0] == seats[name] {
				t.Errorf("%s is dropped: playing %v, %d ranked, ranking %v", name, p.Playing(seats[name]), p.Ranked(), p.Result().Ranking)
			}
		}
	}
	ten := 0
	for g.PlaceName(ten) != "10" {
		ten++
	}
	for _, order := range [][]string{{"yellow", "blue"}, {"blue", "yellow"}} {
		p, _ := read(func(s *interpreter.Setup) {
			if order[0] == "blue" {
				s.Arrived["10"] = order
			}
		})
		for i, piece := range p.PiecesOn(nil, ten) {
			if got := g.ColourName(g.ColourOf(piece)); got != order[i] {
				t.Errorf("of %v the one at %d is %s", order, i, got)
			}
		}
	}
	for _, left := range []map[string]int{{"1": 1}, {"2": 2, "3": 1}, {"1": 2, "2": 1, "3": 2}} {
		p, _ := read(func(s *interpreter.Setup) { s.Decks["card"] = left })
		if err := p.Throw(1); err != nil {
			t.Fatal(err)
		}
		for card := 1; card <= 3; card++ {
			if err := p.Copy().Throw(card); (err == nil) != (left[fmt.Sprint(card)] > 0) {
				t.Errorf("of %v card %d is drawn: %v", left, card, err)
			}
		}
	}
	plain, _ := read(func(*interpreter.Setup) {})
	for _, name := range colours {
		for key, value := range map[string]any{"purse": 7, "gold": 4, "points": 3, "had": []any{17, 33}, "seen": []any{2, 16, 40}} {
			p, _ := read(func(s *interpreter.Setup) {
				owner := name
				if key == "purse" || key == "had" { // a team is named by its first colour
					owner = colours[slices.Index(colours, name)/2*2]
				}
				s.Vars[key] = map[string]any{owner: value}
			})
			want := strings.Trim(fmt.Sprint(value), "[]")
			of := name + "'s "
			if key == "purse" || key == "had" {
				of = colours[slices.Index(colours, name)/2*2] + "'s "
			}
			changes := p.ValueChanges(plain, nil)
			if len(changes) != 1 || changes[0].Name != of+key || changes[0].To != want {
				t.Errorf("%s of %s is %v: %v", key, name, value, changes)
			}
		}
	}
	for bit := range 41 {
		read(func(s *interpreter.Setup) { s.Vars["marks"] = []any{bit} })
	}
}

// TestTurnOfColour reads whose turn it is where turns go by colour.
func TestTurnOfColour(t *testing.T) {
	g := odd(t, "ruleset odd \"Odd\"\nboard cross68\nplayers 2\nseats 2 { yellow red | blue green }\nturns by colour\npieces 1 at home\ndice die = d6\n"+oddTurn+oddMoves+neverOver)
	seat := map[string]int{"yellow": 0, "red": 0, "blue": 1, "green": 1}
	for _, turn := range []string{"yellow", "blue", "red", "green"} {
		p, err := g.Setup(&interpreter.Setup{Turn: turn, Pieces: map[string][]string{"yellow": {"10"}, "blue": {"30"}, "red": {"45"}, "green": {"60"}}})
		if err != nil {
			t.Fatal(err)
		}
		if g.ColourName(p.TurnColour()) != turn || p.Turn() != seat[turn] {
			t.Errorf("it is the turn of %s, seat %d; want %s, seat %d", g.ColourName(p.TurnColour()), p.Turn(), turn, seat[turn])
		}
		was := p.Places(nil)
		if err := p.Throw(1); err != nil {
			t.Fatal(err)
		}
		for piece, place := range p.Places(nil) {
			if name := g.ColourName(g.ColourOf(piece)); (place != was[piece]) != (name == turn) {
				t.Errorf("%s is in turn, and the piece of %s goes from %d to %d", turn, name, was[piece], place)
			}
		}
	}
}
