package fullscreen

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/rulesets"
)

var update = flag.Bool("update", false, "write the golden files anew")

// loadGame makes the game of a shipped rule book or an example.
func loadGame(t *testing.T, name string, options map[string]string) *interpreter.Game {
	t.Helper()
	lib := dsl.Library{Shipped: rulesets.FS}
	data, err := fs.ReadFile(rulesets.FS, name+".rules")
	for _, folder := range []string{"examples/house", "examples/games", "interpreter/testdata/rules"} {
		if err != nil {
			dir := filepath.Join("../../../..", folder)
			lib.Beside = os.DirFS(dir)
			data, err = os.ReadFile(filepath.Join(dir, name+".rules"))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, source.New(name+".rules", string(data)), lib, options)
}

// compiled makes the game of a rule file.
func compiled(t *testing.T, file *source.File, lib dsl.Library, options map[string]string) *interpreter.Game {
	t.Helper()
	book, faults := dsl.Load(file, lib)
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.Rules(dsl.Setting{Options: options})
	if rules == nil {
		t.Fatal(faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// sit makes the screen of a game: a person at the first seat, or at all.
func sit(t *testing.T, g *interpreter.Game, seed uint64, people int) *model {
	t.Helper()
	seats := make([]string, g.Players())
	for i := range seats {
		if seats[i] = "random"; i < people {
			seats[i] = "human"
		}
	}
	s, err := door.Open(g, &record.Header{Rules: "x", Players: g.Players(), Seats: seats, Seed: seed, First: g.SeatName(0)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return newModel(&Game{Session: s, Pace: time.Nanosecond, Save: func(string, []byte) error { return nil }}, false)
}

// run carries out commands until nothing is left to do.
func run(t *testing.T, m tea.Model, cmd tea.Cmd) (quit bool) {
	t.Helper()
	for n := 0; cmd != nil; n++ {
		if n > 100_000 {
			t.Fatal("it goes on and on")
		}
		msg := cmd()
		if _, ok := msg.(tea.QuitMsg); ok {
			return true
		}
		_, cmd = m.Update(msg)
	}
	return false
}

// press presses keys: names of special keys, else the characters themselves.
func press(t *testing.T, m tea.Model, keys ...string) (quit bool) {
	t.Helper()
	special := map[string]rune{"enter": tea.KeyEnter, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"esc": tea.KeyEscape, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "f1": tea.KeyF1, "tab": tea.KeyTab}
	for _, k := range keys {
		msg := tea.KeyPressMsg{Code: special[k]}
		if msg.Code == 0 {
			msg = tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
		}
		_, cmd := m.Update(msg)
		quit = run(t, m, cmd) || quit
	}
	return quit
}

var sizes = [...]struct{ columns, rows int }{{80, 24}, {120, 40}, {200, 60}}

// screens are the captures of a model at the sizes that people have.
func screens(t *testing.T, m *model) string {
	t.Helper()
	var out strings.Builder
	for _, size := range sizes {
		m.Update(tea.WindowSizeMsg{Width: size.columns, Height: size.rows})
		lines := m.lines()
		if len(lines) != size.rows {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		fmt.Fprintf(&out, "%d×%d\n", size.columns, size.rows)
		for i, l := range lines {
			if n := lipgloss.Width(l); n > size.columns {
				t.Errorf("%v: line %d has %d columns", size, i, n)
			}
			fmt.Fprintln(&out, strings.TrimRight(stripped(l), " "))
		}
	}
	return out.String()
}

// stripped is a text without the codes of a terminal.
func stripped(s string) string {
	for {
		before, rest, found := strings.Cut(s, "\x1b[")
		if !found {
			return s
		}
		_, after, _ := strings.Cut(rest, "m")
		s = before + after
	}
}

// TestScreens compares captures with golden files: read them, they are meant to be looked at.
func TestScreens(t *testing.T) {
	for _, x := range []struct {
		name    string
		options map[string]string
	}{
		{"parchis", nil}, {"parchis4a", nil}, {"ludoteka", map[string]string{"colours": "3"}}, {"ludoteka", map[string]string{"colours": "6"}},
		{"ludoteka_two", nil}, {"ludoteka_teams", nil}, {"ludoteka_sin_dados", nil}, {"cicloparchis", nil}, {"patolli", nil},
		{"ludo", nil}, {"parcheesi", nil}, {"ur", nil}, {"snakes", nil}, {"bonfire", nil},
	} {
		file := x.name + x.options["colours"]
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m := sit(t, loadGame(t, x.name, x.options), 7, 1)
			run(t, m, m.Init())
			for range 12 { // into the game
				press(t, m, "f")
				if len(m.state.Options) > 2 && m.state.At > 60 {
					break
				}
				press(t, m, "enter")
			}
			press(t, m, "down")
			got := screens(t, m)
			path := filepath.Join("testdata", file+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
			m.color = true
			for i, l := range m.lines() {
				if n := lipgloss.Width(l); n > m.columns {
					t.Errorf("in colour: line %d has %d columns", i, n)
				}
			}
		})
	}
}

// TestWholeGame plays games to their end by keys.
func TestWholeGame(t *testing.T) {
	for _, name := range []string{"parchis", "cicloparchis", "patolli", "snakes", "ludoteka_sin_dados"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := sit(t, loadGame(t, name, nil), 3, 1)
			m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
			run(t, m, m.Init())
			for n := 0; m.state.Waits != door.WaitsOver; n++ {
				if n > 5000 {
					t.Skip("a long game")
				}
				press(t, m, "f")
				m.lines()
				if len(m.state.Options) > 1 {
					press(t, m, "down", "2")
					if m.typed != "" {
						press(t, m, "enter")
					}
				} else {
					press(t, m, "enter")
				}
			}
			if text := strings.Join(m.lines(), "\n"); !strings.Contains(text, "The game is over") {
				t.Error(text)
			}
			for _, line := range m.players(34) { // ranked or not, the first place is marked
				if wins := slices.ContainsFunc(m.state.Winners, func(w string) bool { return strings.Contains(line, w) }); wins && line[0] != '1' {
					t.Errorf("a winner has the line %q", line)
				}
			}
			if press(t, m, "f", "enter") || m.note != "The game is over: press q to leave." {
				t.Errorf("a key that hurries leaves, or says %q", m.note)
			}
			if !press(t, m, "q") {
				t.Error("q does not leave")
			}
		})
	}
}

// TestResultStays reads what is on the terminal after a game.
func TestResultStays(t *testing.T) {
	m := sit(t, loadGame(t, "snakes", nil), 3, 0)
	for m.session.Position().Kind() != interpreter.Over {
		if err := m.session.Bot(); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	terminal := Terminal{In: strings.NewReader("q"), Out: &out, Columns: 80, Rows: 24}
	if _, err := Play(t.Context(), terminal, &Game{Session: m.session}); err != nil {
		t.Fatal(err)
	}
	want := strings.Join(door.ResultLines(m.session.Position()), "\n") + "\n"
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("%q does not end with %q", out.String(), want)
	}
}

// TestLongNote has what a move will do below the move, or where there is no room for all, a star there and as many rows as it needs at
// the foot.
func TestLongNote(t *testing.T) {
	m := sit(t, loadGame(t, "parchis", nil), 5, 1)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	run(t, m, m.Init())
	press(t, m, "f")
	for _, test := range []struct {
		words int
		foot  string
		star  bool
	}{{10, m.log[len(m.log)-1], false}, {35, "END", true}, {200, "…", true}} {
		m.state.Options[0].Does = strings.Repeat("word, ", test.words) + "END"
		lines := m.lines()
		if line := lines[len(lines)-2]; !strings.HasSuffix(line, test.foot) {
			t.Errorf("the foot of %d words ends with %q, want %q", test.words, line, test.foot)
		}
		text := stripped(strings.Join(lines, "\n"))
		if got := strings.Contains(text, m.state.Options[0].Words+" *"); got != test.star {
			t.Errorf("%d words: a star: %t, want %t", test.words, got, test.star)
		}
		if !test.star && !strings.Contains(text, "word, END") {
			t.Errorf("%d words are not on the screen:\n%s", test.words, text)
		}
	}
}

// TestKeys presses every key in turn, at every kind of moment: nothing breaks, and what a key says is on the screen.
func TestKeys(t *testing.T) {
	m := sit(t, loadGame(t, "parchis", nil), 5, 1)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	run(t, m, m.Init())
	has := func(want string) {
		t.Helper()
		if text := strings.Join(m.lines(), "\n"); !strings.Contains(text, want) {
			t.Errorf("%q is not on the screen:\n%s", want, text)
		}
	}
	has("You are yellow. The computer plays blue, red and green.")
	press(t, m, "1")
	has("Nothing to choose yet: press Enter to throw.")
	press(t, m, "f1")
	has("take the move pointed at")
	press(t, m, "esc", "r")
	has("The rules")
	for i, r := range m.session.Game().Rules().Rules {
		if got, want := stripped(m.page.lines[i]), fmt.Sprintf("%s [%s]", r.Words, strings.Join(r.Cites, " ")); got != want {
			t.Errorf("rule %d is %q, want %q", i, got, want)
		}
	}
	press(t, m, "x", "l")
	has("What happened")
	log := m.log
	m.log = append(slices.Repeat([]string{strings.Repeat("many words ", 20)}, 40), "The last line.")
	press(t, m, "x", "l")
	has("The last line.")
	m.log = log
	press(t, m, "x", "f")
	has("Which piece?")
	at := m.session.At()
	press(t, m, "?")
	has("Why the other moves are not there")
	for _, r := range m.session.Game().Rules().Rules {
		if text := strings.Join(m.page.lines, "\n"); strings.Contains(text, "("+r.Name) {
			t.Errorf("the reasons name rule %s:\n%s", r.Name, text)
		}
	}
	press(t, m, "x", "h")
	has("A good player might take")
	press(t, m, "9")
	has("to choose from")
	press(t, m, "g", "9", "9", "enter")
	has("There is no place called")
	press(t, m, "s", "a", "enter")
	has("Saved. Go on with: rulerun play --resume a")
	press(t, m, "q", "n")
	if m.session.At() != at {
		t.Error("keys that look changed the game")
	}
	press(t, m, "enter")
	if m.session.At() == at {
		t.Error("Enter takes no move")
	}
	press(t, m, "u")
	if m.session.At() != at {
		t.Error("u does not take back")
	}
	has("Taken back: yellow to decide again.")
	press(t, m, "z")
	has("Press F1 or * for help.")
	m.Update(tea.WindowSizeMsg{Width: 50, Height: 12})
	press(t, m, "enter")
	if m.session.At() != at {
		t.Error("a key takes a move that is not on the screen")
	}
	has("The board needs 60×20")
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if !press(t, m, "q", "y") {
		t.Error("q does not leave")
	}
}

// TestMouse clicks on the board and on the list: first a move is pointed at, then taken.
func TestMouse(t *testing.T) {
	m := sit(t, loadGame(t, "parchis", nil), 5, 1)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	press(t, m, "f")
	if len(m.state.Options) < 2 {
		t.Fatal("nothing to choose")
	}
	last := len(m.state.Options) - 1
	want := m.state.Options[last]
	for _, name := range []string{want.To, want.From} {
		for y := range m.rows {
			for x := range m.columns {
				if i := m.optionAt(x, y); i > last {
					t.Fatalf("option %d at %d, %d", i, x, y)
				}
			}
		}
		_ = name
	}
	click := func(x, y int) {
		_, cmd := m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		run(t, m, cmd)
	}
	at := m.session.At()
	for y, l := range m.lines() {
		if strings.Contains(stripped(l), fmt.Sprintf("%d %s", last+1, want.Words)) {
			click(m.columns-4, y)
			if m.cursor != last || m.session.At() != at {
				t.Fatalf("a click points at %d", m.cursor)
			}
			click(m.columns-4, y)
			break
		}
	}
	if m.session.At() == at {
		t.Error("a second click takes nothing")
	}
}

// TestHiddenOnScreen plays with hidden choices among people at one screen: the question waits until its player is alone, and what was
// chosen is nowhere on the screen afterwards.
func TestHiddenOnScreen(t *testing.T) {
	m := sit(t, loadGame(t, "cicloparchis", map[string]string{"mode": "secret"}), 5, 4)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	run(t, m, m.Init())
	asked := 0
	for range 30 {
		if m.state.Hidden {
			asked++
			before := strings.Join(m.lines(), "\n")
			if !strings.Contains(stripped(before), "alone looks") || strings.Contains(stripped(before), "1 "+m.state.Options[0].Words) {
				t.Fatalf("the question does not wait:\n%s", before)
			}
			words := m.state.Options[0].Words
			press(t, m, "enter", "enter")
			if text := strings.Join(m.log, "\n"); strings.Contains(text, "chooses "+words) {
				t.Fatalf("the log tells: %s", text)
			}
			for _, f := range m.state.Figures {
				t.Errorf("the screen tells %s of %s: %s", f.Name, f.Of, f.Value)
			}
			continue
		}
		press(t, m, "enter")
	}
	if asked < 2 {
		t.Errorf("%d hidden questions", asked)
	}
}

// TestSmall shows games on terminals of any size.
func TestSmall(t *testing.T) {
	m := sit(t, loadGame(t, "patolli", nil), 5, 1)
	run(t, m, m.Init())
	press(t, m, "f")
	for columns := 1; columns < 100; columns += 7 {
		for rows := 1; rows < 40; rows += 3 {
			m.Update(tea.WindowSizeMsg{Width: columns, Height: rows})
			if lines := m.lines(); columns >= MinColumns && rows >= MinRows && len(lines) != rows {
				t.Errorf("%d×%d: %d lines", columns, rows, len(lines))
			}
		}
	}
}

// TestReplay steps through a game forwards and backwards: the same position comes back.
func TestReplay(t *testing.T) {
	g := loadGame(t, "ur", nil)
	played := sit(t, g, 3, 0)
	run(t, played, played.Init())
	text, err := played.session.Record(played.session.Header())
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.Read(strings.NewReader(string(text)), "game")
	if err != nil {
		t.Fatal(err)
	}
	m := &replayer{Replay: &Replay{Game: g, Record: rec, Open: true}, live: rec.Live()}
	if err := m.to(0); err != nil {
		t.Fatal(err)
	}
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	first := strings.Join(m.lines(), "\n")
	press(t, m, "right", "right", "right")
	third := m.session.Position().Setup()
	press(t, m, "end")
	if m.state.Waits != door.WaitsOver || m.misfit != nil {
		t.Errorf("the record does not end: %q, %v", m.state.Waits, m.misfit)
	}
	press(t, m, "home")
	if diff := cmp.Diff(first, strings.Join(m.lines(), "\n")); diff != "" {
		t.Error(diff)
	}
	press(t, m, "right", "right", "right", "right", "left")
	if diff := cmp.Diff(third, m.session.Position().Setup()); diff != "" {
		t.Error(diff)
	}
	if !press(t, m, "q") {
		t.Error("q does not leave")
	}
}

// TestQuestions says what is asked, and what went before, in words a person understands.
func TestQuestions(t *testing.T) {
	m := sit(t, loadGame(t, "parchis", nil), 5, 1)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	has := func(want ...string) {
		t.Helper()
		for _, want := range want {
			if text := stripped(strings.Join(m.lines(), "\n")); !strings.Contains(text, want) {
				t.Errorf("%q is not on the screen:\n%s", want, text)
			}
		}
	}
	run(t, m, m.Init())
	has("yellow to throw: press Enter.")
	press(t, m, "u")
	has("There is nothing to take back")
	press(t, m, "f")
	has(fmt.Sprintf("yellow threw %d. Which piece?", m.state.Thrown[0].Value), "home goal", "q leave", "▸1 "+m.state.Options[0].Words)
	m.game.Kept = "file"
	press(t, m, "q")
	has("Leave the game? It is kept")
	press(t, m, "n", "enter")

	later := newModel(&Game{Session: m.session}, false)
	if diff := cmp.Diff(m.log[1:], later.log[1:]); diff != "" {
		t.Errorf("a game gone on with has another log: %s", diff)
	}
	m = sit(t, loadGame(t, "parchis", map[string]string{}), 5, 1)
	m.session.Header().First = ""
	s, err := door.Open(m.session.Game(), m.session.Header(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m = newModel(&Game{Session: s}, false)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	has("yellow to throw for the first turn: press")
	m = sit(t, loadGame(t, "ludoteka_teams", nil), 5, 1)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	has("You are yellow. The computer plays blue, red and green. Partners: yellow and red; blue and green.")
}

// TestNamedByNumbers answers a question by the name of a candidate, where that is the number of another one in the list.
func TestNamedByNumbers(t *testing.T) {
	file := source.New("bets.rules", `change bets "Bets" for parchis
var player bet = 0
rule betting "Who throws bets" { on throw(die) { choose n "How much?" from [3, 1, 12]; me.bet = n } }
`)
	m := sit(t, compiled(t, file, dsl.Library{Shipped: rulesets.FS}, nil), 8, 4)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	run(t, m, m.Init())
	for range 300 {
		if m.state.Waits == door.WaitsOption {
			break
		}
		press(t, m, "enter")
	}
	for _, want := range []struct {
		keys []string
		bet  string
	}{{[]string{"2", "3"}, "3"}, {[]string{"1", "2"}, "12"}, {[]string{"1", "enter"}, "1"}} {
		at := m.session.At()
		press(t, m, want.keys...)
		if events := m.session.Happened(at); len(events) == 0 || !strings.HasSuffix(events[0].Words, "chooses "+want.bet+" (How much?)") {
			t.Errorf("%v was answered by %v", want.keys, events)
		}
		for range 300 {
			if m.session.Position().Question() != "" {
				break
			}
			press(t, m, "enter")
		}
	}
}

// TestYesNo answers a question by the letter of its answer, after a look at what is asked.
func TestYesNo(t *testing.T) {
	m := sit(t, loadGame(t, "declining", nil), 5, 4)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	run(t, m, m.Init())
	for range 300 {
		if m.session.YesNo("y") >= 0 {
			break
		}
		press(t, m, "n", "enter") // n means nothing elsewhere
	}
	at := m.session.At()
	press(t, m, "?")
	if text := stripped(strings.Join(m.lines(), "\n")); !strings.Contains(text, "What is asked") || !strings.Contains(text, "the turn asks it") {
		t.Errorf("the question is not explained:\n%s", text)
	}
	press(t, m, "x", "n")
	events := m.session.Happened(at)
	if len(events) == 0 || !strings.Contains(events[0].Words, "no") {
		t.Errorf("n was answered by %v", events)
	}
}

// TestPages keeps columns of a page as they are, and sets further lines in.
func TestPages(t *testing.T) {
	for want, text := range map[string]string{"h   a hint": "h   a hint", "": "", "  one|    two|    three": "  one two three"} {
		if got := strings.Join(hang(text, 10), "|"); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got, want := fit("東西南北", 6)+"|"+wrap("東西", 3)[0], "東西… |東"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHurry presses keys while bots play: f and Enter do not wait for them any longer, others say why they do nothing.
func TestHurry(t *testing.T) {
	for _, key := range []tea.KeyPressMsg{{Code: tea.KeyEnter}, {Code: 'f', Text: "f"}} {
		m := sit(t, loadGame(t, "parchis", nil), 5, 1)
		m.game.Pace = time.Minute
		m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		_, cmd := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}) // throws
		m.Update(cmd())
		if m.state.Waits != door.WaitsOther || !m.busy {
			t.Fatalf("the game waits for %q", m.state.Waits)
		}
		for text, want := range map[string]string{"1": "the computer plays", "u": "Wait until you are asked", "h": "nothing to choose", "g": "nothing to choose"} {
			press(t, m, text)
			if !strings.Contains(m.note, want) {
				t.Errorf("%s says %q", text, m.note)
			}
		}
		m.Update(key)
		_, cmd = m.Update(pause{})
		m.Update(cmd())
		if m.session.Asks() != 0 {
			t.Errorf("after %v the game waits for another", key)
		}
	}
}

// TestManyFigures leaves room for what can be chosen, however much the rules keep; a key shows all of it.
func TestManyFigures(t *testing.T) {
	text := "change many \"Much is kept\" for parchis\n"
	for _, name := range []string{"gold", "silver", "copper", "tin", "lead_bars", "salt"} {
		text += "var player " + name + " = 20\n"
	}
	text += "rule asking \"Who throws is asked\" { on throw(die) { choose n \"Which?\" from 1..7; me.gold = n } }\n"
	m := sit(t, compiled(t, source.New("many.rules", text), dsl.Library{Shipped: rulesets.FS}, nil), 8, 4)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	run(t, m, m.Init())
	for n := 0; n < 20 && m.state.Waits != door.WaitsOption; n++ {
		press(t, m, "enter")
	}
	screen := stripped(strings.Join(m.lines(), "\n"))
	for _, want := range []string{"gold: yellow 20,", " …\n", "\u25b81", " 7"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not on the screen:\n%s", want, screen)
		}
	}
	press(t, m, "v")
	if page := stripped(strings.Join(m.lines(), "\n")); !strings.Contains(page, "salt: yellow 20, blue 20, red 20, green 20") {
		t.Errorf("the page of what is kept has not all:\n%s", page)
	}
}
