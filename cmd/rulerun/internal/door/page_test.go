package door

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/interpreter"
)

// TestBoard: of every rule book the drawing is XML with ids of its own, shows every place, and has a spot for every piece wherever it is put.
func TestBoard(t *testing.T) {
	books := newLibrary(t)
	for name := range books {
		g, err := game(books, Pick{Rules: name}, nil, 0, interpreter.CompileTraced)
		if err != nil {
			t.Fatal(err)
		}
		h := NewHost(books, 1, counter())
		a := ask(t, h, Request{Do: DoNew, Rules: name})
		b := ask(t, h, Request{Do: DoBoard, Game: a.Game}).Board
		ids, drawn := map[string]bool{}, map[string]bool{}
		for d := xml.NewDecoder(strings.NewReader(b.SVG)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			for _, x := range e.Attr {
				switch x.Name.Local {
				case "id":
					if ids[x.Value] {
						t.Errorf("%s: two elements are called %q", name, x.Value)
					}
					ids[x.Value] = true
				case "data-place":
					drawn[x.Value] = true
				case "style": // the page forbids it
					t.Errorf("%s: a style: %v", name, x)
				}
			}
		}
		places := map[string]bool{}
		for _, p := range b.Places {
			places[p.Name] = true
			if !drawn[p.Name] && !p.Tray {
				t.Errorf("%s: %s is not drawn", name, p.Name)
			}
			for n, row := range p.Spots {
				if len(row) != 3*(n+1) {
					t.Errorf("%s: %s has %d numbers for %d pieces", name, p.Name, len(row), n+1)
				}
			}
		}
		for _, p := range g.Rules().Board.Places {
			if !places[p.Name] {
				t.Errorf("%s: pieces have no spot on %s", name, p.Name)
			}
		}
		letters := map[string]bool{}
		for _, c := range b.Colours {
			letters[c.Letter] = true
		}
		if len(letters) != len(g.Rules().Colours) {
			t.Errorf("%s: %d letters for %d colours", name, len(letters), len(g.Rules().Colours))
		}
		stage := g.Rules().Board.Stage()
		if first := g.Rules().PiecesAt[0]; stage.Spots(first, g.Rules().Colours[0].Board, 1) == nil || boards.TrayHeight <= 0 {
			t.Errorf("%s: pieces do not begin on the board", name)
		}
	}
}

// TestEntries: what answers tell of the log piece by piece is the log as a whole, with decisions taken back, too.
func TestEntries(t *testing.T) {
	books := newLibrary(t)
	h := NewHost(books, 1, counter())
	seed := uint64(8)
	a := ask(t, h, Request{Do: DoNew, Rules: "parchis", Seed: &seed, Seats: []string{"human", "greedy", "greedy", "greedy"}, Shared: true})
	shown := map[int][]string{}
	take := func(a *Answer) {
		for at := range shown {
			if at >= a.State.At {
				delete(shown, at)
			}
		}
		for _, e := range a.Log {
			shown[e.At] = e.Lines
		}
	}
	take(a)
	for n := range 300 {
		r := Request{Do: DoAct, Game: a.Game, Shared: true, At: &a.State.At}
		zero := 0
		switch a.State.Waits {
		case WaitsThrow:
			r.Throw = true
		case WaitsOption:
			r.Option = &zero
		case WaitsOther: // bots that go on
			r.Do = DoGo
		default:
			t.Fatalf("waits for %q", a.State.Waits)
		}
		if n%20 == 19 && a.State.Undo {
			r = Request{Do: DoUndo, Game: a.Game, Shared: true, At: &a.State.At}
		}
		id := a.Game
		a = ask(t, h, r)
		a.Game = id
		take(a)
		want := map[int][]string{}
		for _, e := range ask(t, h, Request{Do: DoState, Game: id, Shared: true, At: &zero}).Log {
			want[e.At] = e.Lines
		}
		if diff := cmp.Diff(want, shown); diff != "" {
			t.Fatalf("after %d: %s", n, diff)
		}
	}
}

// TestGo: a game of bots alone goes on at request, some events at a time, to the end of the game that a whole run has.
func TestGo(t *testing.T) {
	books := newLibrary(t)
	h := NewHost(books, 1, counter())
	seed := uint64(9)
	a := ask(t, h, Request{Do: DoNew, Rules: "ur", Seed: &seed, Seats: []string{"random", "random"}, Shared: true})
	id := a.Game
	for n := 0; a.State.Waits != WaitsOver; n++ {
		if a.State.Waits != WaitsOther || n > 1000 {
			t.Fatalf("waits for %q", a.State.Waits)
		}
		before := a.State.At
		a = ask(t, h, Request{Do: DoGo, Game: id, Shared: true, At: &before})
		if got := a.State.At - before; got < 1 || got > botEvents {
			t.Fatalf("%d events at once", got)
		}
	}
	if late := send(t, h, Request{Do: DoGo, Game: id, At: new(int)}); late.Error == nil || late.Error.Code != FaultLate {
		t.Errorf("a late request: %+v", late.Error)
	}
}

// TestReplay shows a recorded game forwards and backwards: each event leads to one state, however it is reached; then the game is played on.
func TestReplay(t *testing.T) {
	books := newLibrary(t)
	h := NewHost(books, 3, counter())
	seed := uint64(10)
	a := ask(t, h, Request{Do: DoNew, Rules: "ur", Seed: &seed, Seats: []string{"random", "human"}})
	id := a.Game
	for range 30 {
		s := ask(t, h, Request{Do: DoState, Game: id, Shared: true}).State
		r := Request{Do: DoAct, Game: id, Shared: true, At: &s.At, Throw: s.Waits == WaitsThrow}
		if !r.Throw {
			r.Option = new(int)
		}
		ask(t, h, r)
	}
	text := ask(t, h, Request{Do: DoRecord, Game: id}).Record
	replay := ask(t, h, Request{Do: DoReplay, Text: text})
	states := []*State{replay.State}
	for n := 1; n <= replay.Replay.Events; n++ {
		a := ask(t, h, Request{Do: DoStep, Game: replay.Game, At: &n})
		if a.Replay.At != n || a.Replay.Misfit != "" {
			t.Fatalf("%+v", a.Replay)
		}
		for _, e := range a.Events {
			if e.At != n-1 {
				t.Fatalf("event %d tells of %d", n-1, e.At)
			}
		}
		states = append(states, a.State)
	}
	for n, want := range slices.Backward(states) {
		got := ask(t, h, Request{Do: DoStep, Game: replay.Game, At: &n}).State
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("back to %d: %s", n, diff)
		}
	}
	for _, do := range []string{DoAct, DoUndo, DoHint, DoGo} {
		at := 0
		if a := send(t, h, Request{Do: do, Game: replay.Game, At: &at}); a.Error == nil || a.Error.Code != FaultNotNow {
			t.Errorf("%s in a replay: %+v", do, a.Error)
		}
	}
	n := len(states) / 2
	on := ask(t, h, Request{Do: DoLoad, Game: replay.Game, At: &n, Shared: true})
	if on.State.At < n {
		t.Errorf("it goes on at event %d, want %d", on.State.At, n)
	}
	wrong := strings.Replace(text, "plays", "plays 99 ->", 1)
	broken := ask(t, h, Request{Do: DoReplay, Text: wrong})
	end := broken.Replay.Events
	if a := ask(t, h, Request{Do: DoStep, Game: broken.Game, At: &end}); a.Replay.Misfit == "" || a.Replay.At >= end {
		t.Errorf("a record that does not fit: %+v", a.Replay)
	}
}

// TestFindsMoves names moves by their squares.
func TestFindsMoves(t *testing.T) {
	books := newLibrary(t)
	h := NewHost(books, 1, counter())
	seed := uint64(11)
	a := ask(t, h, Request{Do: DoNew, Rules: "ur", Seed: &seed})
	for range 200 {
		s := ask(t, h, Request{Do: DoState, Game: a.Game, Shared: true}).State
		r := Request{Do: DoAct, Game: a.Game, Shared: true, At: &s.At, Throw: s.Waits == WaitsThrow}
		if s.Waits == WaitsOption {
			if len(s.Options) > 1 {
				for i, o := range s.Options {
					found := ask(t, h, Request{Do: DoFind, Game: a.Game, Shared: true, Text: fmt.Sprintf("%s %s", o.From, o.To)})
					if found.Option == nil || *found.Option != i {
						t.Errorf("%s is %+v, want %d", o.Words, found, i)
					}
				}
				if none := ask(t, h, Request{Do: DoFind, Game: a.Game, Shared: true, Text: "nowhere"}); none.Option != nil || len(none.Lines) == 0 {
					t.Errorf("nowhere is %+v", none)
				}
				return
			}
			r.Option = new(int)
		}
		ask(t, h, r)
	}
	t.Error("no choice")
}
