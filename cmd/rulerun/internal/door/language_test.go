package door

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/rulesets"
)

// speak is a game of a rule book in a language.
func speak(t *testing.T, name, lang string, options map[string]string) *interpreter.Game {
	t.Helper()
	r, faults := newLibrary(t)[name].In(lang).Rules(dsl.Setting{Options: options})
	if r == nil {
		t.Fatal(faults)
	}
	g, err := interpreter.Compile(r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// unmarked are words with letters that the language for tests has with accents.
var unmarked = regexp.MustCompile(`[\pL]*[aeioun][\pL]*`)

// TestNothingEscapes plays games in the language for tests: a word with a letter that it has not is no text of a catalogue.
func TestNothingEscapes(t *testing.T) {
	for name, options := range map[string]map[string]string{
		"parchis4a": nil, "cicloparchis": {"mode": "secret"}, "patolli": nil, "ludoteka_teams": nil,
	} {
		g := speak(t, name, catalogue.PseudoLang, options)
		seats := make([]string, g.Players())
		seats[0] = "human"
		for i := range seats[1:] {
			seats[i+1] = "greedy"
		}
		s, err := Open(g, &record.Header{Rules: name, Players: g.Players(), Seats: seats, Seed: 5}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Brief = true
		seen := map[string]bool{}
		said := func(texts ...string) {
			for _, text := range texts {
				if word := unmarked.FindString(text); word != "" && !seen[word] {
					seen[word] = true
					t.Errorf("%s: %q escapes, in %q", name, word, text)
				}
			}
		}
		said(s.Welcome(), TitleOf(g))
		for n := 0; n < 1500 && s.Position().Kind() <= interpreter.Choice; n++ {
			x := s.State(0)
			said(x.Question, x.Threw, x.Title)
			said(s.Why("")...)
			for _, f := range x.Figures {
				said(f.Name, f.Of, f.Value)
			}
			for _, o := range x.Options {
				said(o.Words, o.Does)
			}
			switch {
			case len(x.Options) > 0:
				err = s.Choose(n % len(x.Options))
			case len(x.Numbers) > 0:
				err = s.Number(x.Numbers[n%len(x.Numbers)])
			case x.Waits == WaitsThrow:
				err = s.Throw()
			default:
				err = s.Bot()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		said(s.Lines(s.Happened(0), false)...)
		said(ResultLines(s.Position())...)
		said(s.State(0).Result...)
	}
}

// TestChoicesAreSentences: a piece that is chosen has its article, and a move without places is chosen, not played.
func TestChoicesAreSentences(t *testing.T) {
	file := source.New("passing.rules", `ruleset passing "Passing"
board cross68
players 2
pieces 2 at home
dice die = d2
setup { for c in game.colours { put c.pieces[0] on c.start } }
turn { throw die; choose p "Which?" from mine; play die }
move pass()
move advance(p in mine) from squares walk steps
rule may_pass "One may pass" {
  may pass()
  may advance(p)
}
rule last "Over" { over when false }
`)
	book, faults := dsl.Load(file, dsl.Library{Shipped: rulesets.FS})
	if book == nil {
		t.Fatal(faults)
	}
	for lang, want := range map[string][]string{
		"":   {"yellow chooses yellow home (Which?)", "yellow chooses pass"},
		"es": {"el amarillo elige la amarilla casa (Which?)", "el amarillo elige pass"},
	} {
		r, faults := book.In(lang).Rules(dsl.Setting{})
		if r == nil {
			t.Fatal(faults)
		}
		p := thrown(t, r)
		var got []string
		for range want {
			for _, words := range record.Words(p) {
				got = append(got, in(p.Game()).event(p, record.Event{Kind: record.Choice, Seat: "yellow", Words: words}))
			}
			if err := p.Choose(0); err != nil {
				t.Fatal(err)
			}
		}
		for _, sentence := range want {
			if !slices.Contains(got, sentence) {
				t.Errorf("%q: got %q, want %q", lang, got, sentence)
			}
		}
	}
}

// TestSameGame plays a game in two languages: names, records and the future are the same.
func TestSameGame(t *testing.T) {
	var kept []string
	for _, lang := range []string{"", "es"} {
		g := speak(t, "parchis4a", lang, nil)
		s, err := Open(g, &record.Header{Rules: "parchis4a", Print: record.Fingerprint(g), Players: 4, Seats: []string{"human", "greedy", "greedy", "greedy"}, Seed: 5}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			switch x := s.State(0); x.Waits {
			case WaitsOption:
				i, why := s.Find(x.Options[0].Words, nil)
				if why != "" {
					t.Fatalf("%s: what the menu says is not understood: %s", lang, why)
				}
				err = s.Choose(i)
			case WaitsThrow:
				err = s.Throw()
			default:
				err = s.Bot()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		text, err := s.Record(s.Header())
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, fmt.Sprint(string(text), s.State(0).Pieces))
	}
	if kept[0] != kept[1] {
		t.Errorf("the games differ:\n%s\n%s", kept[0], kept[1])
	}
}

// TestBots: every bot has words in every language, in English those of the bots themselves.
func TestBots(t *testing.T) {
	for _, b := range Bots(locale.For("")) {
		if b.Words != bot.Describe(b.Name) {
			t.Errorf("%s is described as %q, want %q", b.Name, b.Words, bot.Describe(b.Name))
		}
	}
}

// TestPieceNames: a piece is called by the form of its colour for pieces, a player by the colour.
func TestPieceNames(t *testing.T) {
	for lang, want := range map[string]string{"": "yellow, yellow", "es": "amarillo, amarilla"} {
		w := in(speak(t, "parchis4a", lang, nil))
		if got := w.ColourName(0) + ", " + w.PieceName(0); got != want {
			t.Errorf("%q: got %q, want %q", lang, got, want)
		}
	}
}

// TestFailures says in the players' language why rules stop and why a position cannot be.
func TestFailures(t *testing.T) {
	file := source.New("stops.rules", `ruleset stops "Stops"
board cross68
players 2
pieces 1 at home
dice die = d2
turn { throw die; if int(1 / (die - die)) > 0 { again } }
rule last "Over" { over when false }
`)
	book, faults := dsl.Load(file, dsl.Library{Shipped: rulesets.FS})
	if book == nil {
		t.Fatal(faults)
	}
	r, faults := book.Rules(dsl.Setting{})
	if r == nil {
		t.Fatal(faults)
	}
	p := thrown(t, r)
	_, refused := speak(t, "parchis4a", "", nil).Setup(&interpreter.Setup{Turn: "pink", Pieces: map[string][]string{"yellow": {"home", "home", "home", "999"}}})
	for _, x := range []struct {
		err         error
		lang, wants string
	}{
		{p.Err(), "", "stops.rules:6:26: this divides by zero"},
		{p.Err(), "es", "stops.rules:6:26: esto divide entre cero"},
		{refused, "", `turn: "pink" does not play in this game`},
		{refused, "", `; pieces: "yellow" stands on "999", which the board does not have`},
		{refused, "es", `turn: "pink" no juega en esta partida`},
		{refused, "es", `; pieces: "yellow" está en "999", y el tablero no tiene esa casilla`},
		{&record.SyntaxError{Name: "a.txt", Fault: refused}, "es", `a.txt: turn: "pink" no juega`},
	} {
		if got := Said(x.lang, x.err); !strings.Contains(got, x.wants) {
			t.Errorf("%q: got %q, want %q", x.lang, got, x.wants)
		}
	}
	if got := in(speak(t, "parchis4a", "es", nil)).Say("fault.no_going_on", "why", refused); !strings.Contains(got, "no juega") {
		t.Errorf("an error in a sentence: %q", got)
	}
}

// thrown is a game of some rules after a throw of 1.
func thrown(t *testing.T, r *model.Rules) *interpreter.Position {
	g, err := interpreter.Compile(r)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start(0)
	if err := p.Throw(1); err != nil {
		t.Fatal(err)
	}
	return p
}
