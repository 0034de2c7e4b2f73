package door

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/rulesets"
)

// library holds every shipped rule book, house rule and example by name.
type library map[string]*dsl.Book

func newLibrary(t testing.TB) library {
	t.Helper()
	out, err := loadLibrary()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// loadLibrary reads the files once for all tests.
var loadLibrary = sync.OnceValues(func() (library, error) {
	out := library{}
	shared := &dsl.Shared{}
	for folder, lib := range map[string]dsl.Library{
		"../../../../rulesets":       {},
		"../../../../examples/house": {Beside: os.DirFS("../../../../examples/house")},
		"../../../../examples/games": {Beside: os.DirFS("../../../../examples/games")},
	} {
		found, err := filepath.Glob(filepath.Join(folder, "*.rules"))
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("%s: no files: %w", folder, err)
		}
		lib.Shipped, lib.Shared = rulesets.FS, shared
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			book, faults := dsl.Load(source.New(filepath.Base(path), string(data)), lib)
			if book == nil {
				return nil, faults
			}
			out[strings.TrimSuffix(filepath.Base(path), ".rules")] = book
		}
	}
	return out, nil
})

func (l library) List() []Book {
	var out []Book
	for name := range l {
		out = append(out, Book{Name: name})
	}
	return out
}

func (l library) In(string) Books { return l }

func (l library) With(map[string]string) (Books, error) { return l, nil }

func (l library) Base(p Pick) (Pick, error) { return p, errors.New("there is none") }

func (l library) Source(Pick) (*Source, error) { return nil, errors.New("there are no texts") }

func (l library) Details(p Pick, options map[string]string) (*Details, error) {
	name := p.Rules
	book := l[name]
	if book == nil {
		return nil, fmt.Errorf("there is no rule book %q", name)
	}
	return &Details{Book: Book{Name: name, Title: book.Title()}, Players: book.PlayerNumbers(options)}, nil
}

func (l library) Rules(p Pick, options map[string]string, players int) (*model.Rules, error) {
	name := p.Rules
	book := l[name]
	if book == nil {
		return nil, fmt.Errorf("there is no rule book %q", name)
	}
	rules, faults := book.Rules(dsl.Setting{Options: options, Players: players})
	if rules == nil {
		return nil, errors.New(faults[0].Message)
	}
	return rules, nil
}

// counter gives numbers one after the other.
func counter() func() uint64 {
	n := uint64(0)
	return func() uint64 { n++; return n }
}

// ask sends a request as JSON, and wants an answer without a fault.
func ask(t testing.TB, h *Host, r Request) *Answer {
	t.Helper()
	a := send(t, h, r)
	if a.Error != nil {
		t.Fatalf("%+v: %v", r, a.Error)
	}
	return a
}

func send(t testing.TB, h *Host, r Request) *Answer {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var a Answer
	if err := json.Unmarshal(h.Serve(text), &a); err != nil {
		t.Fatal(err)
	}
	return &a
}

// TestWholeGames plays a game of every rule book through the door, all seats persons, and compares every state with a position of
// the engine that gets the same throws and choices.
func TestWholeGames(t *testing.T) {
	books := newLibrary(t)
	for name := range books {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, err := game(books, Pick{Rules: name}, nil, 0, interpreter.CompileTraced)
			if err != nil {
				t.Fatal(err)
			}
			h := NewHost(books, 4, counter())
			seed := uint64(11)
			a := ask(t, h, Request{Do: DoNew, Rules: name, Seats: slices.Repeat([]string{"human"}, g.Players()), Seed: &seed})
			p := g.Start(interpreter.ByTheRules)
			r := interpreter.NewRandom(3, 0)
			id, at := a.Game, 0
			events := a.Events
			for n := 0; ; n++ {
				follow(t, p, events)
				same(t, p, a.State)
				if a.State.Waits == WaitsOver || n > 8_000 {
					break
				}
				seat := a.State.Asked
				if n%50 == 7 {
					changesNothing(t, h, id, a.State, g)
				}
				a = ask(t, h, Request{Do: DoState, Game: id, Seat: seat})
				at = a.State.At
				next := Request{Do: DoAct, Game: id, Seat: seat, At: &at}
				switch a.State.Waits {
				case WaitsThrow:
					next.Throw = true
				case WaitsNumber:
					next.Number = &a.State.Numbers[r.IntN(len(a.State.Numbers))]
				case WaitsOption:
					if got, want := len(a.State.Options), p.OptionCount(); got != want {
						t.Fatalf("%d options, want %d", got, want)
					}
					for i, words := range record.Words(p) {
						o := a.State.Options[i]
						said := fmt.Sprintf(" counting %d", o.Steps) // of numbers of a bag
						if strings.TrimSuffix(o.Words, said) != strings.TrimSuffix(arrows(words), said) {
							t.Fatalf("option %d is %q, want %q", i, a.State.Options[i].Words, words)
						}
					}
					i := r.IntN(len(a.State.Options))
					next.Option = &i
					if err := p.Choose(i); err != nil {
						t.Fatal(err)
					}
				default:
					t.Fatalf("event %d waits for %q", at, a.State.Waits)
				}
				a = ask(t, h, next)
				events = a.Events
			}
			if p.Kind() != interpreter.Over {
				t.Skip("a long game")
			}
			text := ask(t, h, Request{Do: DoRecord, Game: id}).Record
			again := send(t, h, Request{Do: DoLoad, Text: text})
			if again.Error != nil || !cmp.Equal(again.State.Pieces, a.State.Pieces) {
				t.Errorf("the record leads elsewhere: %v", again.Error)
			}
		})
	}
}

// follow gives a position the throws that events tell.
func follow(t *testing.T, p *interpreter.Position, events []Event) {
	t.Helper()
	for _, e := range events {
		numbers := e.Numbers
		switch e.Kind {
		case EventLot:
			for seat := range p.Game().Players() {
				if p.Game().SeatName(seat) == e.Seat {
					numbers = []int{seat}
				}
			}
		case EventThrow, EventNumber:
		default:
			continue
		}
		if err := p.Throw(numbers...); err != nil {
			t.Fatal(err)
		}
	}
}

// same compares a state with a position.
func same(t *testing.T, p *interpreter.Position, s *State) {
	t.Helper()
	g := p.Game()
	var want []Piece
	for place := range g.Rules().Board.Places {
		for _, piece := range p.PiecesOn(nil, place) {
			want = append(want, Piece{piece, g.ColourName(p.ColourOf(piece)), g.PlaceName(place)})
		}
	}
	if diff := cmp.Diff(want, s.Pieces); diff != "" {
		t.Fatalf("event %d: pieces\n%s", s.At, diff)
	}
	if (p.Kind() == interpreter.Over) != (s.Waits == WaitsOver) {
		t.Fatalf("event %d: waits for %q, the engine is at kind %d", s.At, s.Waits, p.Kind())
	}
	for seat, x := range s.Seats {
		if x.Playing != p.Playing(seat) {
			t.Fatalf("event %d: %s plays: %v", s.At, x.Name, x.Playing)
		}
	}
}

// changesNothing sends requests that are malformed, late, doubled or of another seat: each is refused with its code, and the game
// stands as before.
func changesNothing(t *testing.T, h *Host, id string, s *State, g *interpreter.Game) {
	t.Helper()
	seat := s.Asked
	before := h.Serve([]byte(fmt.Sprintf(`{"do":"state","game":%q,"seat":%q}`, id, seat)))
	for request, code := range map[string]string{
		``:                           FaultMalformed,
		`{}`:                         FaultUnknown,
		`[1]`:                        FaultMalformed,
		`{"do":"act"} {}`:            FaultMalformed,
		`{"do":"act","game":"none"}`: FaultUnknown,
		fmt.Sprintf(`{"do":"act","game":%q,"sea":"x"}`, id):                                             FaultMalformed,
		fmt.Sprintf(`{"do":"why","game":%q,"option":0}`, id):                                            FaultMalformed,
		fmt.Sprintf(`{"do":"state","Game":%q}`, id):                                                     FaultMalformed,
		fmt.Sprintf(`{"do":"dance","game":%q}`, id):                                                     FaultUnknown,
		fmt.Sprintf(`{"do":"act","game":%q,"seat":"pink","at":%d,"throw":true}`, id, s.At):              FaultUnknown,
		fmt.Sprintf(`{"do":"act","game":%q,"seat":%q,"throw":true}`, id, seat):                          FaultMalformed,
		fmt.Sprintf(`{"do":"act","game":%q,"seat":%q,"at":%d}`, id, seat, s.At):                         FaultMalformed,
		fmt.Sprintf(`{"do":"act","game":%q,"seat":%q,"at":%d,"throw":true,"option":0}`, id, seat, s.At): FaultMalformed,
		fmt.Sprintf(`{"do":"act","game":%q,"seat":%q,"at":%d,"throw":true}`, id, seat, s.At-1):          FaultLate,
		fmt.Sprintf(`{"do":"act","game":%q,"seat":%q,"at":%d,"throw":true}`, id, seat, s.At+1):          FaultLate,
		fmt.Sprintf(`{"do":"undo","game":%q,"seat":%q,"at":%d}`, id, seat, s.At-1):                      FaultLate,
		fmt.Sprintf(`{"do":"act","game":%q,"at":%d,"throw":true}`, id, s.At):                            FaultSeat,
		fmt.Sprintf(`{"do":"act","game":%q,"seat":%q,"at":%d,"option":9999}`, id, seat, s.At):           FaultNotNow,
		fmt.Sprintf(`{"do":"act","game":%q,"seat":%q,"at":%d,"option":-1}`, id, seat, s.At):             FaultNotNow,
		fmt.Sprintf(`{"do":"act","game":%q,"seat":%q,"at":%d,"number":-9999}`, id, seat, s.At):          FaultNotNow,
	} {
		var a Answer
		if err := json.Unmarshal(h.Serve([]byte(request)), &a); err != nil {
			t.Fatal(err)
		}
		if a.Error == nil || a.Error.Code != code || a.Error.Message == "" {
			t.Fatalf("%s: got %+v, want the fault %q", request, a.Error, code)
		}
	}
	for other := range g.Players() {
		if name := g.SeatName(other); name != seat {
			if a := send(t, h, Request{Do: DoAct, Game: id, Seat: name, At: &s.At, Throw: true}); a.Error == nil || a.Error.Code != FaultSeat {
				t.Fatalf("%s throws for %s: %+v", name, seat, a.Error)
			}
			if a := ask(t, h, Request{Do: DoState, Game: id, Seat: name}); len(a.State.Options) > 0 || a.State.Waits != WaitsOther {
				t.Fatalf("%s sees the options of %s", name, seat)
			}
		}
	}
	if after := h.Serve([]byte(fmt.Sprintf(`{"do":"state","game":%q,"seat":%q}`, id, seat))); string(after) != string(before) {
		t.Fatalf("refused requests changed the game:\n%s\n%s", before, after)
	}
}

// TestHidden plays games with hidden choices through the door: no answer to a seat or an onlooker depends on what another seat has
// chosen in secret, nor tells the seed. The same game is played with every pair of choices, and all answers are compared.
func TestHidden(t *testing.T) {
	books := newLibrary(t)
	options := map[string]string{"mode": "secret"}
	seed := uint64(987654321)
	g, err := game(books, Pick{Rules: "cicloparchis"}, options, 0, interpreter.CompileTraced)
	if err != nil {
		t.Fatal(err)
	}
	seats := slices.Repeat([]string{"human"}, g.Players())
	// answers collects all answers to an onlooker and to the seats that did not choose, for one choice of yellow.
	answers := func(choice int) (told string, own *State) {
		h := NewHost(books, 1, counter())
		a := ask(t, h, Request{Do: DoNew, Rules: "cicloparchis", Options: options, Seats: seats, Seed: &seed})
		id := a.Game
		chosen := 0
		for range 60 {
			s := ask(t, h, Request{Do: DoState, Game: id}).State
			mine := ask(t, h, Request{Do: DoState, Game: id, Seat: s.Asked}).State
			r := Request{Do: DoAct, Game: id, Seat: s.Asked, At: &s.At}
			switch mine.Waits {
			case WaitsThrow:
				r.Throw = true
			case WaitsOption:
				i := 0
				if mine.Hidden && s.Asked == g.SeatName(0) {
					i, own = choice, mine
				}
				if mine.Hidden {
					chosen++
				}
				r.Option = &i
			default:
				t.Fatalf("waits for %q", mine.Waits)
			}
			ask(t, h, r)
			zero := 0
			for _, seat := range []string{"", g.SeatName(1), g.SeatName(3)} {
				for _, do := range []string{DoState, DoRecord, DoWhy, DoRules} {
					text, _ := json.Marshal(Request{Do: do, Game: id, Seat: seat, At: &zero})
					answer := string(h.Serve(text))
					told += answer + "\n"
					if strings.Contains(answer, fmt.Sprint(seed)) {
						t.Fatalf("%s tells the seed: %s", do, answer)
					}
				}
			}
		}
		if chosen < 2 {
			t.Fatalf("%d hidden choices", chosen)
		}
		return told, own
	}
	first, own := answers(0)
	if len(own.Options) < 2 {
		t.Fatalf("%d colours to name", len(own.Options))
	}
	for i := range own.Options[1:] {
		if other, _ := answers(i + 1); other != first {
			t.Errorf("choice %d can be told from choice 0:\n%s", i+1, cmp.Diff(strings.Split(first, "\n"), strings.Split(other, "\n")))
		}
	}
}

// TestUndo takes a decision back: the game stands where it stood, and goes on to the same future.
func TestUndo(t *testing.T) {
	books := newLibrary(t)
	seed := uint64(5)
	h := NewHost(books, 1, counter())
	a := ask(t, h, Request{Do: DoNew, Rules: "parchis", Seed: &seed, Seats: []string{"human", "random", "random", "random"}})
	id := a.Game
	var states []*State
	for len(states) < 12 {
		s := ask(t, h, Request{Do: DoState, Game: id, Seat: "yellow"}).State
		r := Request{Do: DoAct, Game: id, Seat: "yellow", At: &s.At}
		if r.Throw = s.Waits == WaitsThrow; !r.Throw {
			states = append(states, s)
			zero := 0
			r.Option = &zero
		}
		ask(t, h, r)
	}
	last := ask(t, h, Request{Do: DoState, Game: id, Seat: "yellow"}).State
	for _, want := range slices.Backward(states) {
		got := ask(t, h, Request{Do: DoUndo, Game: id, Seat: "yellow", At: &last.At}).State
		want.Undo = got.Undo
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		last = got
	}
	if a := send(t, h, Request{Do: DoUndo, Game: id, Seat: "yellow", At: &last.At}); a.Error == nil || a.Error.Code != FaultNotNow {
		t.Errorf("nothing is left to take back: %+v", a.Error)
	}
}

// FuzzServe sends anything: the door answers, and the game stays playable.
func FuzzServe(f *testing.F) {
	for _, text := range []string{`{"do":"list"}`, `{"do":"new","rules":"parchis"}`, `{"do":"act","game":"0000000000000001","seat":"yellow","at":0,"throw":true}`,
		`{"do":"load","text":"rulerun record 2\nrules parchis\nplayers 4\nseats human random random random\nseed 1\n\n"}`, `{"do":"why","game":"0000000000000001","text":"12 17"}`} {
		f.Add([]byte(text))
	}
	books := newLibrary(f)
	f.Fuzz(func(t *testing.T, request []byte) {
		h := NewHost(books, 2, counter())
		seed := uint64(1)
		ask(t, h, Request{Do: DoNew, Rules: "ludoteka", Seed: &seed})
		var a Answer
		if err := json.Unmarshal(h.Serve(request), &a); err != nil {
			t.Fatal(err)
		}
	})
}

// english is a session of a game in English.
func english(t *testing.T) *Session {
	t.Helper()
	r, err := newLibrary(t).Rules(Pick{Rules: "ludoteka"}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	g, err := interpreter.Compile(r)
	if err != nil {
		t.Fatal(err)
	}
	return &Session{game: g, words: in(g)}
}

// TestSaidOnce has a rule say what the reason for no move has said.
func TestSaidOnce(t *testing.T) {
	got := english(t).Lines([]Event{
		{Kind: EventThrow, Seat: "red", Words: "red throws 1"},
		{Kind: EventNothing, Seat: "red", Words: "no move: a six brings in a piece"},
		{Kind: EventRule, Seat: "red", Words: "a six brings in a piece"},
		{Kind: EventRule, Seat: "red", Words: "a throw of 1 ends the turn"},
	}, false)
	want := []string{"red throws 1: no move: a six brings in a piece; a throw of 1 ends the turn"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestChoices has the choices of two players told in a line each.
func TestChoices(t *testing.T) {
	got := english(t).Lines([]Event{{Kind: EventPick, Seat: "red", Words: "red chooses in secret"}, {Kind: EventPick, Seat: "blue", Words: "blue chooses in secret"}}, false)
	if diff := cmp.Diff([]string{"red chooses in secret", "blue chooses in secret"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestTurns begins a line with each turn and names another player who moves in it.
func TestTurns(t *testing.T) {
	got := english(t).Lines([]Event{
		{Kind: EventThrow, Seat: "red", turn: "red", Words: "red throws 1"},
		{Kind: EventMove, Seat: "red", turn: "red", Words: "1 → 2"},
		{Kind: EventMove, Seat: "blue", turn: "red", Words: "7 → 8"},
		{Kind: EventNothing, Seat: "green", turn: "red", Words: "no move"},
		{Kind: EventFired, Seat: "blue", turn: "blue", fresh: true, Words: "Blue waits"},
		{Kind: EventMove, Seat: "green", turn: "green", fresh: true, Words: "3 → 4"},
		{Kind: EventRanked, Seat: "blue", turn: "green", Words: "blue finishes first"},
		{Kind: EventPick, Seat: "blue", turn: "red", fresh: true, Words: "blue chooses yes"},
		{Kind: EventMove, Seat: "red", turn: "red", Words: "2 → 4"},
		{Kind: EventRanked, Seat: "red", turn: "yellow", fresh: true, Words: "red finishes second"},
	}, true)
	want := []string{
		"red throws 1: 1 → 2; blue plays 7 → 8; green: no move",
		"blue", "    Blue waits",
		"green plays 3 → 4: blue finishes first",
		"red: blue chooses yes; 2 → 4",
		"yellow: red finishes second",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestRepeatedActs has an act that goes on from what it changed before told once, and others each.
func TestRepeatedActs(t *testing.T) {
	act := func(name, from, to string) Event {
		changes := []interpreter.ValueChange{{Name: name, From: from, To: to}}
		return Event{Kind: EventAct, Seat: "red", Words: english(t).words.changed("red pays", changes), act: "red pays", changes: changes}
	}
	got := english(t).Lines([]Event{
		{Kind: EventThrow, Seat: "red", Words: "red throws 1"},
		act("reserve", "9", "8"), act("reserve", "8", "7"), act("debt", "0", "1"),
	}, false)
	want := []string{"red throws 1: red pays (2 times), reserve 9 → 7; red pays, debt 0 → 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPutWhere says with an act where it puts the one piece that it puts elsewhere.
func TestPutWhere(t *testing.T) {
	act := Event{Kind: EventAct, Seat: "red", Words: "red eats blue"}
	put := func(from string) Event {
		return Event{Kind: EventPut, Seat: "red", From: from, To: "home", Words: "blue " + from + " → home"}
	}
	for want, events := range map[string][]Event{
		"red: red eats blue, 7 → home":                          {act, put("7")},
		"red: red eats blue; blue 7 → home; blue 8 → home":      {act, put("7"), put("8")},
		"red: red eats blue, 7 → home; red eats blue, 8 → home": {act, put("7"), act, put("8")},
	} {
		if diff := cmp.Diff([]string{want}, english(t).Lines(events, false)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestPlayed says by what a game is played, and if that is unusual; not of rules that a page has written.
func TestPlayed(t *testing.T) {
	h := NewHost(newLibrary(t), 3, counter())
	for _, x := range []struct {
		request Request
		want    *Played
	}{
		{Request{Rules: "parchis"}, &Played{Pick: Pick{Rules: "parchis"}}},
		{Request{Rules: "parchis", Options: map[string]string{"capture_count": "10"}}, &Played{Pick{Rules: "parchis"}, true}},
		{Request{Rules: "parchis", Files: map[string]string{"parchis.rules": "ours"}}, nil},
	} {
		x.request.Do = DoNew
		got := ask(t, h, Request{Do: DoRules, Game: ask(t, h, x.request).Game}).Played
		if diff := cmp.Diff(x.want, got); diff != "" {
			t.Error(diff)
		}
	}
}
