package lsp_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sprint = `ruleset sprint "Sprint"

option bonus = 20 of 10..30 "squares for a catch"
board   cross68
players 2..4
pieces  2 at home
dice    die = d6
first   highest die

var player purse: 0..99 = 20
var turn   sixes        = 0

let rivals(piece p1, place s) = filter(s.pieces, .colour != p1.colour)

turn {
  throw die
  play  die
  if die == 6 && sixes < 3 { again }
}

move enter(q in mine)   from home    to q.start
move advance(q in mine) from squares walk steps

act catch(piece a, piece b) "a sends b back" { send b to home }

rule counting "One piece counts the throw" {
  may advance(q)
  step beyond: bar
}

rule coming_out "A five brings a piece out" {
  may enter(q) when die == 5
}

rule catching "Ending on rivals sends them back" {
  on land(q, s) when s.ring && !s.safe { for r in rivals(q, s) { do catch(q, r) } }
  on catch(q, r) { q.player.purse += bonus; sixes += 1 }
}

rule finish "All in the goal" {
  win player x when all(x.pieces, .at == goal) || x.purse == 99
}

test "a piece that is caught goes back" {
  given yellow 10 home | red 13 home
  turn  yellow
  throw 3
  expect red home home
}
`

// write puts files into a folder of their own.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestDiagnostics(t *testing.T) {
	dir := write(t, nil)
	e := start(t, dir)
	u := e.open(filepath.Join(dir, "sprint.rules"), sprint)
	if got := e.findings(u); len(got) != 0 {
		t.Fatalf("a sound file: %+v", got)
	}
	e.edit(u, "when s.ring", "when s.rng")
	got := e.findings(u)
	if len(got) != 1 || got[0].Code != "unknown-field" || got[0].Severity != 1 || !strings.Contains(got[0].Message, `did you mean "ring"`) ||
		got[0].Range.Start != e.at(u, "s.rng", 0) {
		t.Fatalf("one fault: %+v", got)
	}
	e.edit(u, "when s.rng", "when s.ring")
	if got := e.findings(u); len(got) != 0 {
		t.Fatalf("mended: %+v", got)
	}
	e.edit(u, "; sixes += 1", "")
	if got := e.findings(u); len(got) != 1 || got[0].Code != "never-changed" {
		t.Fatalf("%+v", got)
	}
	e.edit(u, "&& sixes < 3", "")
	if got := e.findings(u); len(got) != 2 || got[0].Severity != 2 || got[0].Code != "unused" || got[1].Severity != 3 {
		t.Fatalf("a warning and a note: %+v", got)
	}
	e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": u}})
	e.until("nothing", func() bool { return len(e.said[u].Diagnostics) == 0 })
}

// TestWideCharacters: characters are counted in UTF-16 units.
func TestWideCharacters(t *testing.T) {
	dir := write(t, nil)
	e := start(t, dir)
	u := e.open(filepath.Join(dir, "sprint.rules"), strings.Replace(sprint, `"a sends b back" { send b to home }`, `"a 🎲🎲 é" { send b to hme }`, 1))
	got := e.findings(u)
	if len(got) == 0 || got[0].Range.Start != e.at(u, "hme", 0) {
		t.Fatalf("%+v", got)
	}
	e.edit(u, "🎲🎲 é", "🎲")
	if got := e.findings(u); len(got) == 0 || got[0].Range.Start != e.at(u, "hme", 0) {
		t.Fatalf("%+v", got)
	}
	e.edit(u, "hme", "home")
	if got := e.findings(u); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
}

const house = `change house "As we play it" for sprint

without counting
replace rule coming_out "Anything" { may enter(q); may advance(q) when len(rivals(q, q.at)) == 0 }
set bonus = 15
`

// TestDependents: a house rule sees the unsaved text of what it is for, and so does a rule file of its board.
func TestDependents(t *testing.T) {
	board := "board: tiny\ncolours: [yellow, red]\nzones: [home, goal]\nsquares:\n  ring:\n    for: {i: 1..6}\n    name: string(i)\n    tags: {safe: i == 3}\n    draw: {x: i, y: 0}\n" +
		"landmarks: {start: square(\"1\")}\ntracks:\n  race: [{ring: all}, goal]\n"
	dir := write(t, map[string]string{"sprint.rules": sprint, "house.rules": house, "tiny.yaml": board})
	e := start(t, dir)
	h := e.open(filepath.Join(dir, "house.rules"), house)
	if got := e.findings(h); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	s := e.open(filepath.Join(dir, "sprint.rules"), sprint)
	e.findings(s)
	e.edit(s, "rule coming_out", "rule leaving")
	e.until("a fault of the house rule", func() bool {
		l := e.said[h].Diagnostics
		return len(l) > 0 && strings.Contains(l[0].Message, `no rule "coming_out"`)
	})
	e.edit(s, "step beyond: bar", "step beyond: brr")
	e.until("the fault of the other file", func() bool {
		return slices.ContainsFunc(e.said[h].Diagnostics, func(f finding) bool {
			return strings.Contains(f.Message, "sprint.rules, line") && f.Range.Start.Line == 0
		})
	})
	e.edit(s, "step beyond: brr", "step beyond: bar")
	e.edit(s, "rule leaving", "rule coming_out")
	e.until("no fault", func() bool { return len(e.said[h].Diagnostics) == 0 })

	e.edit(s, "board   cross68", "board   tiny")
	e.edit(s, "players 2..4", "players 2")
	e.edit(s, "given yellow 10 home | red 13 home", "given yellow 1 home | red 4 home")
	b := e.open(filepath.Join(dir, "tiny.yaml"), board)
	e.findings(b)
	if got := e.findings(s); len(got) != 0 {
		t.Fatalf("with its own board: %+v", got)
	}
	e.edit(b, "safe: i", "sure: i")
	e.until("a fault of the rules", func() bool {
		l := e.said[s].Diagnostics
		return len(l) > 0 && strings.Contains(l[0].Message, `"safe"`)
	})
	e.edit(b, "sure: i", "safe: j")
	if got := e.findings(b); len(got) == 0 || got[0].Code != "unknown-variable" {
		t.Fatalf("a fault of the board: %+v", got)
	}
}

// TestUnopenedDependents: a file that is not open is checked when what it builds on is edited.
func TestUnopenedDependents(t *testing.T) {
	further := "change further \"More\" for casé\n\nreplace rule coming_out \"Now\" { may enter(q); may advance(q) }\n"
	dir := write(t, map[string]string{"sprint.rules": sprint, "casé.rules": strings.Replace(house, "change house", "change casé", 1), "further.rules": further, "other.rules": sprint})
	e := start(t, dir)
	s := e.open(filepath.Join(dir, "sprint.rules"), sprint)
	e.findings(s)
	e.edit(s, "rule coming_out", "rule leaving")
	for _, name := range []string{"casé.rules", "further.rules"} {
		u := uriOf(filepath.Join(dir, name))
		e.until("a fault of "+name, func() bool { return len(e.said[u].Diagnostics) > 0 })
	}
	e.edit(s, "rule leaving", "rule coming_out")
	for _, name := range []string{"casé.rules", "further.rules"} {
		u := uriOf(filepath.Join(dir, name))
		e.until("no fault of "+name, func() bool { return len(e.said[u].Diagnostics) == 0 })
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if p, said := e.said[uriOf(filepath.Join(dir, "other.rules"))]; said {
		t.Errorf("of a file that does not build on it: %+v", p)
	}
}

// TestWatchedFiles: the server asks for notices of changed files, and checks again what builds on one that no editor has open.
func TestWatchedFiles(t *testing.T) {
	dir := write(t, map[string]string{"sprint.rules": strings.Replace(sprint, "rule coming_out", "rule leaving", 1)})
	e := start(t, dir)
	e.until("a request for notices", func() bool {
		return slices.ContainsFunc(e.asked, func(m message) bool {
			return m.Method == "client/registerCapability" && bytes.Contains(m.Params, []byte(`"workspace/didChangeWatchedFiles"`)) &&
				bytes.Contains(m.Params, []byte(`"**/*.rules"`))
		})
	})
	h := e.open(filepath.Join(dir, "house.rules"), house)
	if got := e.findings(h); len(got) == 0 {
		t.Fatal("no fault, though the rule that is replaced is not there")
	}
	path := filepath.Join(dir, "sprint.rules")
	if err := os.WriteFile(path, []byte(sprint), 0o644); err != nil {
		t.Fatal(err)
	}
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": uriOf(path), "type": 2}}})
	e.until("no fault of house.rules", func() bool { return len(e.said[h].Diagnostics) == 0 })
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": uriOf(path), "type": 3}}})
	e.until("a fault of house.rules", func() bool { return len(e.said[h].Diagnostics) > 0 })
}

func (e *editor) hover(u, text string, into int) string {
	e.t.Helper()
	var h struct{ Contents struct{ Value string } }
	e.ask("textDocument/hover", e.position(u, text, into), &h)
	return h.Contents.Value
}

func TestHover(t *testing.T) {
	dir := write(t, map[string]string{"sprint.rules": sprint})
	e := start(t, dir)
	u := e.open(filepath.Join(dir, "sprint.rules"), sprint)
	for _, c := range []struct {
		text string
		into int
		want []string
	}{
		{"rivals(q, s)", 1, []string{"let rivals(piece p1, place s)", "list of pieces"}},
		{"+= bonus", 4, []string{"option bonus = 20 of 10..30", "squares for a catch", "number"}},
		{".purse +=", 2, []string{"var player purse: 0..99 = 20", "number"}},
		{"sixes < 3", 0, []string{"var turn   sixes        = 0"}},
		{"throw die", 7, []string{"dice    die = d6"}},
		{"do catch", 4, []string{"act catch(piece a, piece b)", "a sends b back"}},
		{"may enter", 5, []string{"move enter(q in mine)"}},
		{"rule catching", 6, []string{"Ending on rivals sends them back", "on land(q, s)"}},
		{"s.ring", 3, []string{"family ring", "68 squares"}},
		{"s.safe", 3, []string{"tag safe", "squares: 5"}},
		{"q.start", 3, []string{"landmark start", "yellow: 5"}},
		{"given yellow 10", 13, []string{"square 10", "track `race`: yellow 5"}},
		{"from squares walk steps", 19, []string{"steps: number", "the number being counted"}},
		{"filter(", 1, []string{"filter(L, C)", "those for which it holds"}},
		{"on land", 4, []string{"land(p, s)", "a move sets its piece down"}},
		{"s.pieces", 3, []string{"place.pieces: list of pieces", "oldest arrival first"}},
		{"== goal", 4, []string{"zone goal"}},
		{"(piece a", 2, []string{"a piece, or nil"}},
		{"do catch(q, r)", 12, []string{"r: piece"}},
		{"step beyond", 1, []string{"step into NAME: bar|turn|stop|go"}},
		{"  throw 3", 3, []string{"throw [DIE] NUMBER"}},
		{"cross68", 2, []string{"board cross68", "The cross of"}},
	} {
		got := e.hover(u, c.text, c.into)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("hover at %q: got %q, want %q", c.text, got, want)
			}
		}
	}
	if got := e.hover(u, "\"Sprint\"", 3); got != "" {
		t.Errorf("hover over a text: %q", got)
	}
}

type location struct {
	URI   string
	Range span
}

func TestDefinition(t *testing.T) {
	dir := write(t, map[string]string{"sprint.rules": sprint, "house.rules": house})
	e := start(t, dir)
	h := e.open(filepath.Join(dir, "house.rules"), house)
	s := e.open(filepath.Join(dir, "sprint.rules"), sprint)
	for _, c := range []struct {
		u, text string
		into    int
		file    string
		want    place
	}{
		{h, "for sprint", 5, "sprint.rules", place{0, 8}},
		{h, "counting", 2, "sprint.rules", e.at(s, "rule counting", 5)},
		{h, "coming_out", 2, "sprint.rules", e.at(s, "rule coming_out", 5)},
		{h, "enter(q)", 2, "sprint.rules", e.at(s, "move enter", 5)},
		{h, "rivals", 2, "sprint.rules", e.at(s, "let rivals", 4)},
		{h, "set bonus", 5, "sprint.rules", e.at(s, "option bonus", 7)},
		{s, "sixes < 3", 1, "sprint.rules", e.at(s, "sixes        =", 0)},
		{s, "for r in rivals(q, s)", 16, "sprint.rules", e.at(s, "on land(q", 8)},
	} {
		var got []location
		e.ask("textDocument/definition", e.position(c.u, c.text, c.into), &got)
		if len(got) != 1 || filepath.Base(got[0].URI) != c.file || got[0].Range.Start != c.want {
			t.Errorf("definition of %q: %+v, want %s %+v", c.text, got, c.file, c.want)
		}
	}
	for text, want := range map[string]string{"s.safe": "safe", "s.ring": "ring", "q.start": "start", "at home": "home", "== goal": "goal", "red 13": "red"} {
		into := strings.Index(text, want)
		var got []location
		e.ask("textDocument/definition", e.position(s, text, into+1), &got)
		if len(got) != 1 || filepath.Base(got[0].URI) != "cross.yaml" {
			t.Errorf("definition of %q: %+v", text, got)
			continue
		}
		path := strings.TrimPrefix(got[0].URI, "file://")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(data), "\n")
		r := got[0].Range
		if there := lines[r.Start.Line][r.Start.Character:r.End.Character]; there != want {
			t.Errorf("definition of %q is %q", text, there)
		}
	}
}

func TestReferencesAndRename(t *testing.T) {
	dir := write(t, map[string]string{"sprint.rules": sprint, "house.rules": house, "notes.txt": "rivals"})
	e := start(t, dir)
	s := e.open(filepath.Join(dir, "sprint.rules"), sprint)
	count := func(text string, into int) int {
		params := e.position(s, text, into)
		params["context"] = map[string]any{"includeDeclaration": true}
		var got []location
		e.ask("textDocument/references", params, &got)
		return len(got)
	}
	for text, want := range map[string]int{"rivals(": 3, "sixes < 3": 3, "die = d6": 6, "coming_out": 2, "bonus = 20": 3, "purse +=": 3, "catch(piece": 3, "enter(q)": 3} {
		if got := count(text, 1); got != want {
			t.Errorf("%q has %d references, want %d", text, got, want)
		}
	}
	rename := func(text string, into int, name string) map[string]any {
		params := e.position(s, text, into)
		params["newName"] = name
		return params
	}
	var edit struct{ Changes map[string][]textEdit }
	e.ask("textDocument/rename", rename("rivals(", 1, "others"), &edit)
	changed := map[string]int{}
	for u, edits := range edit.Changes {
		changed[filepath.Base(u)] = len(edits)
	}
	if changed["sprint.rules"] != 2 || changed["house.rules"] != 1 {
		t.Errorf("rename changes %v", changed)
	}
	text := apply(t, sprint, edit.Changes[s])
	if strings.Contains(text, "rivals(") || strings.Count(text, "others(") != 2 {
		t.Error(text)
	}
	edit.Changes = nil
	e.ask("textDocument/rename", rename("coming_out", 1, "leaving"), &edit)
	if len(edit.Changes) != 2 {
		t.Errorf("rename of a rule that is replaced: %+v", edit)
	}
	for text, x := range map[string]struct {
		into  int
		lines string // as they are then; the same name elsewhere stays
	}{
		"piece p1":         {6, "let rivals(piece it, place s) = filter(s.pieces, .colour != it.colour)"},
		"enter(q in mine)": {6, "move enter(it in mine)   from home    to it.start\nmove advance(q in mine)"},
		"piece b)":         {6, "act catch(piece a, piece it) \"a sends b back\" { send it to home }"},
		"land(q, s)":       {5, "on land(it, s) when s.ring && !s.safe { for r in rivals(it, s) { do catch(it, r) } }\n  on catch(q, r)"},
		"for r in":         {4, "{ for it in rivals(q, s) { do catch(q, it) } }\n  on catch(q, r)"},
	} {
		edit.Changes = nil
		e.ask("textDocument/rename", rename(text, x.into, "it"), &edit)
		if got := apply(t, sprint, edit.Changes[s]); !strings.Contains(got, x.lines) {
			t.Errorf("rename of %q does not give %q:\n%s", text, x.lines, got)
		}
	}
	for _, c := range []struct{ text, name, want string }{
		{"rivals(", "die", "is there already"},
		{"rivals(", "Rivals", "small letters"},
		{"rivals(", "two words", "small letters"},
		{"rivals(", "when", "goes on with a statement"},
		{"rivals(", "me", "is a word of the language"},
		{"rivals(", "filter", "is a function"},
		{"rivals(", "goal", "is a zone"},
		{"enter(q)", "catch", "is a move already"},
		{"a, piece b", "b", "has a meaning here already"},
		{"steps", "number_of_steps", "is a word of the language"},
		{"s.safe", "sure", "is a word"},
		{"sprint ", "race", "rename the file"},
	} {
		into := 0
		if c.text == "s.safe" {
			continue
		}
		if got := e.refused("textDocument/rename", rename(c.text, into, c.name)); !strings.Contains(got, c.want) {
			t.Errorf("rename %q to %q: %q, want %q", c.text, c.name, got, c.want)
		}
	}
	if got := e.refused("textDocument/prepareRename", e.position(s, "!s.safe", 4)); !strings.Contains(got, "comes with rulerun") {
		t.Error(got)
	}
	var prepared struct{ Placeholder string }
	e.ask("textDocument/prepareRename", e.position(s, "let rivals", 5), &prepared)
	if prepared.Placeholder != "rivals" {
		t.Errorf("%+v", prepared)
	}
	// A name of a shipped rule book cannot be changed.
	text = "change mine_own \"Mine\" for parchis4a\n\nrule more \"More\" {\n  on throw(die) when die == 6 { again }\n}\n"
	h := e.open(filepath.Join(dir, "mine_own.rules"), text)
	if got := e.refused("textDocument/prepareRename", e.position(h, "throw(die)", 7)); !strings.Contains(got, "comes with rulerun") {
		t.Error(got)
	}
}

// TestCompletion types something into a sound file and asks what may follow. | is where the cursor stands.
func TestCompletion(t *testing.T) {
	dir := write(t, map[string]string{
		"sprint.rules": sprint, "settings.yaml": "a: 1\n", "pond.yml": "board: pond\ntitle: A pond\nextends: cross68\n",
	})
	e := start(t, dir)
	for i, c := range []struct{ old, typed, want, not string }{
		{"rule finish", "|\nrule finish", "rule let act move test replace without var dice option", "may throw"},
		{"  may enter(q)", "  |\n  may enter(q)", "may must never step end on before win rank drop over always", "rule throw"},
		{"  may enter(q)", "  may |\n  may enter(q)", "enter advance", "catch die"},
		{"when die == 5", "when |", "die sixes q rivals bonus me mine steps home goal yellow all filter square", "enter purse"},
		{"when die == 5", "when di|", "die", "enter"},
		{"when die == 5", "when q.|", "at colour player team index start", "purse ring"},
		{"when die == 5", "when q.at.|", "pieces square ring safe", "colour start"},
		{"when die == 5", "when q.player.|", "pieces colours team playing ranked purse", "at"},
		{"when die == 5", "when any(mine, .|", "at colour index start", "purse ring"},
		{"when die == 5", "when any(mine, .at.|) && die == 5", "ring safe pieces", "colour"},
		{"when die == 5", "when game.|", "players teams colours pieces", "squares"},
		{"when die == 5", "when square(\"|\").ring", "10 yellow-5", "home"},
		{"when die == 5", "when count(q.at.pieces, .colour == |", "q yellow die", "enter"},
		{"{ send b to home }", "{ send | }", "a b mine", "q enter"},
		{"{ send b to home }", "{ send b to | }", "home goal a b", "enter"},
		{"{ send b to home }", "{ | }", "send put if for do again earn throw sixes", "may rivals"},
		{"{ send b to home }", "{ if a.| }", "at colour", "ring"},
		{"do catch(q, r)", "do |(q, r)", "catch", "enter"},
		{"do catch(q, r)", "do catch(q, |)", "q s r", "enter"},
		{"throw die\n", "throw |\n", "die", "sixes"},
		{"play  die", "play |", "die sixes any of each of most of earned", "catch"},
		{"on land(q, s)", "on |", "land leave catch enter advance turn begins", "die"},
		{"step beyond: bar", "step beyond: |", "bar stop turn", "die back go"},
		{"step beyond: bar", "step beyond: turn or |", "stop", "bar"},
		{"step beyond: bar", "step into s: |", "bar go stop turn", "back"},
		{"step beyond: bar", "end on s: |", "bar go stop turn back", "die"},
		{"board   cross68", "board |", "cross68 cross x52 pond", "sprint settings"},
		{"pieces  2 at home", "pieces 2 at |", "home goal", "yellow"},
		{"first   highest die", "first |", "highest lot yellow", "home"},
		{"var turn   sixes        = 0", "var |", "game team player turn go", "number"},
		{"purse: 0..99 = 20", "purse: |", "number flag piece place set", "game"},
		{"act catch(piece a", "act catch(|", "piece place number", "game"},
		{"given yellow 10", "given |", "yellow red", "home 10"},
		{"given yellow 10", "given yellow |", "home 10 yellow-3", "yellow"},
		{"  turn  yellow", "  turn |", "yellow red", "home"},
		{"  throw 3", "  |\n  throw 3", "given throw expect play set", "may"},
		{"  throw 3", "  set |", "bonus yellow", "purse catch"},
		{"  throw 3", "  set yellow.|", "purse", "sixes"},
		{"expect red home home", "expect |", "moves refused that earned red", "home"},
		{"expect red home home", "expect that |", "yellow goal len sixes", "q"},
		{"expect red home home", "expect that yellow.player.|", "purse pieces", "at"},
		{"expect red home home", "expect refused 10 -> 13 by |", "catching counting", "die"},
		{"ruleset sprint", "ruleset sprint extends |", "parchis4a ludoteka", "catch"},
	} {
		text := strings.Replace(sprint, c.old, c.typed, 1)
		at := strings.Index(text, c.typed) + strings.Index(c.typed, "|")
		text = text[:at] + text[at+1:]
		u := e.open(filepath.Join(dir, fmt.Sprintf("x%d.rules", i)), text)
		got := map[string]string{}
		var list struct {
			Items []struct{ Label, Detail string }
		}
		e.ask("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": u}, "position": placeOf(text, at)}, &list)
		for _, x := range list.Items {
			got[x.Label] = x.Detail
		}
		want := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(c.want, "any of", "any_of"), "each of", "each_of"), "most of", "most_of")
		want = strings.ReplaceAll(want, "turn begins", "turn_begins")
		for _, w := range strings.Fields(want) {
			w = strings.NewReplacer("any_of", "any of", "each_of", "each of", "most_of", "most of", "turn_begins", "turn begins").Replace(w)
			if _, ok := got[w]; !ok {
				t.Errorf("%q: %q is not offered", c.typed, w)
			}
		}
		for _, w := range strings.Fields(c.not) {
			if _, ok := got[w]; ok {
				t.Errorf("%q: %q is offered", c.typed, w)
			}
		}
	}
}
