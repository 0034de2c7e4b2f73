package lsp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/rulesets"
)

// TestPoorEditors: an editor may leave out what it can do, in part or whole.
func TestPoorEditors(t *testing.T) {
	for _, can := range []string{`{}`, `{"workspace":{}}`, `{"workspace":{"didChangeWatchedFiles":{}}}`, `{"general":{}}`, `{"general":{},"textDocument":{},"window":{}}`} {
		e := connect(t, time.Millisecond)
		var result struct{ ServerInfo struct{ Name string } }
		e.ask("initialize", map[string]any{"processId": nil, "rootUri": nil, "capabilities": json.RawMessage(can)}, &result)
		if result.ServerInfo.Name != "rulerun" {
			t.Errorf("%s: %+v", can, result)
		}
		e.notify("initialized", map[string]any{})
	}
}

func TestOutline(t *testing.T) {
	dir := write(t, map[string]string{"sprint.rules": sprint, "house.rules": house})
	e := start(t, dir)
	u := e.open(filepath.Join(dir, "sprint.rules"), sprint)
	this := map[string]any{"textDocument": map[string]any{"uri": u}}
	var symbols []struct {
		Name, Detail          string
		Range, SelectionRange span
	}
	e.ask("textDocument/documentSymbol", this, &symbols)
	var names []string
	for _, s := range symbols {
		names = append(names, s.Name)
		if s.SelectionRange.Start.Line < s.Range.Start.Line || s.SelectionRange.End.Line > s.Range.End.Line {
			t.Errorf("%s is outside its range: %+v", s.Name, s)
		}
	}
	want := []string{"sprint", "bonus", "board   cross68", "players 2..4", "pieces  2 at home", "die", "first   highest die", "purse", "sixes", "rivals",
		"turn", "enter", "advance", "catch", "counting", "coming_out", "catching", "finish", "a piece that is caught goes back"}
	if !slices.Equal(names, want) {
		t.Errorf("got %q\nwant %q", names, want)
	}
	var folds []struct{ StartLine, EndLine int }
	e.ask("textDocument/foldingRange", this, &folds)
	if len(folds) != 6 {
		t.Errorf("folds: %+v", folds)
	}
	var tokens struct{ Data []int }
	e.ask("textDocument/semanticTokens/full", this, &tokens)
	if len(tokens.Data) < 500 || len(tokens.Data)%5 != 0 || !slices.Equal(tokens.Data[:10], []int{0, 0, 7, 0, 0, 0, 8, 6, 8, 1}) {
		t.Errorf("%d tokens: %v", len(tokens.Data)/5, tokens.Data[:10])
	}
	var found []struct {
		Name          string
		ContainerName string
		Location      location
	}
	e.ask("workspace/symbol", map[string]any{"query": "COMING"}, &found)
	if len(found) != 2 || found[0].Name != "coming_out" {
		t.Errorf("%+v", found)
	}
	var marks []struct{ Range span }
	e.ask("textDocument/documentHighlight", e.position(u, "sixes < 3", 1), &marks)
	if len(marks) != 3 {
		t.Errorf("highlights: %+v", marks)
	}
	b := e.open(filepath.Join(dir, "tiny.yaml"), "board: tiny\ncolours: [yellow, red]\nzones: [home]\nsquares:\n  ring: {for: {i: 1..6}, name: string(i), draw: {x: i, y: 0}}\ntracks: {race: [{ring: all}]}\n")
	e.ask("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": b}}, &symbols)
	if len(symbols) != 6 || symbols[4].Name != "ring" {
		t.Errorf("of a board: %+v", symbols)
	}
}

func TestFormatting(t *testing.T) {
	dir := write(t, nil)
	e := start(t, dir)
	messy := strings.Replace(sprint, "  may advance(q)", " may    advance( q )", 1)
	u := e.open(filepath.Join(dir, "sprint.rules"), messy)
	params := map[string]any{"textDocument": map[string]any{"uri": u}, "options": map[string]any{"tabSize": 2, "insertSpaces": true}}
	var edits []textEdit
	e.ask("textDocument/formatting", params, &edits)
	if got := apply(t, messy, edits); got != sprint || len(edits) != 1 {
		t.Errorf("%d edits: %s", len(edits), got)
	}
	e.edit(u, "rule finish", "rul finish")
	e.ask("textDocument/formatting", params, &edits)
	if len(edits) != 0 {
		t.Errorf("a broken file: %+v", edits)
	}
}

type action struct {
	Title string
	Edit  struct{ Changes map[string][]textEdit }
}

// TestCodeActions: each fix, carried out, leaves the file without the fault.
func TestCodeActions(t *testing.T) {
	dir := write(t, map[string]string{"sprint.rules": sprint})
	e := start(t, dir)
	for i, c := range []struct{ old, broken, title string }{
		{"s.ring", "s.rng", `replace "rng" with "ring"`},
		{"do catch", "do cach", `replace "cach" with "catch"`},
		{"  may advance", "  mya advance", `replace "mya" with "may"`},
		{"players 2..4\n", "", "add the line: players 2..4"},
		{`"One piece counts the throw"`, `"One piece counts the throw`, "close the text"},
		{"pieces  2 at home", "pieces  2 at hom", `replace "hom" with "home"`},
		{"cross68", "cros68", `replace "cros68" with "cross68"`},
		{"given yellow", "given yelow", `replace "yelow" with "yellow"`},
		{"steps\n", "steps / 2\n", "write int(steps / 2)"},
	} {
		text := strings.Replace(sprint, c.old, c.broken, 1)
		u := e.open(filepath.Join(dir, fmt.Sprintf("x%d.rules", i)), text)
		before := e.findings(u)
		if len(before) == 0 {
			t.Errorf("%q is no fault", c.broken)
			continue
		}
		mended := false
		for _, f := range before {
			var actions []action
			e.ask("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": u}, "range": f.Range, "context": map[string]any{"diagnostics": []any{}}}, &actions)
			for _, a := range actions {
				if a.Title != c.title {
					continue
				}
				mended = true
				again := apply(t, text, a.Edit.Changes[u])
				v := e.open(filepath.Join(dir, fmt.Sprintf("y%d.rules", i)), again)
				for _, left := range e.findings(v) {
					if left.Message == f.Message {
						t.Errorf("%q leaves %q", a.Title, left.Message)
					}
				}
			}
		}
		if !mended {
			t.Errorf("%q: there is no %q for %+v", c.broken, c.title, before)
		}
	}
}

type lens struct {
	Range   span
	Command struct {
		Title, Command string
		Arguments      []any
	}
}

func TestRunTests(t *testing.T) {
	dir := write(t, map[string]string{"sprint.rules": sprint})
	e := start(t, dir)
	text := sprint + "\ntest \"it is wrong\" {\n  given yellow 10 home | red 13 home\n  turn  yellow\n  throw 3\n  expect red 13 home\n}\n"
	u := e.open(filepath.Join(dir, "sprint.rules"), text)
	e.findings(u)
	var lenses []lens
	e.ask("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": u}}, &lenses)
	if len(lenses) != 3 || lenses[0].Command.Title != "run all 2 tests" || lenses[2].Range.Start != e.at(u, "\"it is wrong\"", 0) {
		t.Fatalf("%+v", lenses)
	}
	run := func(l lens) (r struct {
		Passed, Failed int
		Failures       []string
	}) {
		t.Helper()
		e.ask("workspace/executeCommand", map[string]any{"command": l.Command.Command, "arguments": l.Command.Arguments}, &r)
		return r
	}
	if r := run(lenses[1]); r.Passed != 1 || r.Failed != 0 {
		t.Errorf("%+v", r)
	}
	if r := run(lenses[0]); r.Passed != 1 || r.Failed != 1 || r.Failures[0] != "it is wrong" {
		t.Errorf("%+v", r)
	}
	e.until("the failure", func() bool {
		l := e.said[u].Diagnostics
		return len(l) == 1 && l[0].Code == "test-failed" && l[0].Range.Start == e.at(u, "expect red 13 home", 0)
	})
	e.until("the words", func() bool { return slices.Contains(e.shown, "1 passed, 1 failed") })
	e.edit(u, "expect red 13 home", "expect red home home")
	e.until("no failure", func() bool { // but the test is now the same as the other one
		l := e.said[u].Diagnostics
		return len(l) == 1 && l[0].Code == "same-test" && e.said[u].Version == e.version[u]
	})
	if r := run(lenses[0]); r.Passed != 2 {
		t.Errorf("%+v", r)
	}
	e.edit(u, "rule finish", "rul finish")
	for _, c := range []struct {
		command string
		args    []any
		want    string
	}{
		{"rulerun.runTests", []any{u}, "mistake"},
		{"rulerun.runTest", []any{u}, "takes the URI"},
		{"rulerun.runTests", []any{"file:///nowhere.rules"}, "not open"},
		{"rulerun.dance", nil, "no command"},
	} {
		if got := e.refused("workspace/executeCommand", map[string]any{"command": c.command, "arguments": c.args}); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
}

// TestRobust: what no editor should send does no harm.
func TestRobust(t *testing.T) {
	dir := write(t, map[string]string{"sprint.rules": sprint})
	e := start(t, dir)
	path := filepath.Join(dir, "sprint.rules")
	// Before it is opened, nothing is known of a file.
	unopened := map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}, "position": place{3, 4}, "context": map[string]any{"includeDeclaration": true}, "range": span{}}
	for _, method := range []string{"hover", "definition", "references", "completion", "documentSymbol", "codeAction", "codeLens", "foldingRange", "formatting", "documentHighlight", "semanticTokens/full"} {
		if m := e.answer(e.begin("textDocument/"+method, unopened)); m.Error != nil {
			t.Errorf("%s of a file that is not open: %+v", method, m.Error)
		}
	}
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uriOf(path), "version": 7}, "contentChanges": []any{map[string]any{"text": "x"}}})
	e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}})
	e.notify("$/unknown", map[string]any{"x": 1})
	e.notify("textDocument/didOpen", "no parameters")
	e.notify("$/cancelRequest", map[string]any{"id": 999})
	e.raw("Content-Length: 5\r\n\r\n{oh:}")
	e.raw("Content-Length: 2\r\n\r\n[]")
	e.raw("Content-Length: 0\r\n\r\n")
	if got := e.refused("textDocument/unknown", map[string]any{}); got == "" {
		t.Error("an unknown method is answered")
	}
	if got := e.refused("textDocument/hover", "no parameters"); got == "" {
		t.Error("a request without sense is answered")
	}
	if got := e.refused("initialize", map[string]any{"processId": nil, "rootUri": nil, "capabilities": map[string]any{}}); !strings.Contains(got, "before") {
		t.Error(got)
	}
	u := e.open(path, sprint)
	id := e.begin("workspace/symbol", map[string]any{"query": "a"})
	e.notify("$/cancelRequest", map[string]any{"id": 12})
	e.answer(id)
	for _, p := range []place{{0, 0}, {0, 9999}, {9999, 0}, {9999, 9999}} {
		for _, method := range []string{"hover", "definition", "completion"} {
			if m := e.answer(e.begin("textDocument/"+method, map[string]any{"textDocument": map[string]any{"uri": u}, "position": p})); m.Error != nil {
				t.Errorf("%s at %+v: %+v", method, p, m.Error)
			}
		}
	}
	e.version[u]++
	e.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": u, "version": e.version[u]},
		"contentChanges": []any{map[string]any{"range": span{place{50, 3}, place{2, 1}}, "text": ""}, map[string]any{"range": span{place{900, 3}, place{999, 1}}, "text": "\x00"}},
	})
	if got := e.findings(u); len(got) != 1 || got[0].Code != "bad-character" {
		t.Errorf("a change out of range: %+v", got)
	}
	long := e.open(filepath.Join(dir, "long.rules"), "ruleset long \"Long\"\n"+strings.Repeat("let a = (((((1)))))\n", 20000))
	if got := e.findings(long); len(got) != 1 || got[0].Code != "too-large" {
		t.Errorf("a long file: %+v", got)
	}
	untitled := "untitled:Untitled-1"
	e.texts[untitled], e.version[untitled] = sprint, 1
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": untitled, "languageId": "rulerun", "version": 1, "text": sprint}})
	if m := e.answer(e.begin("textDocument/hover", e.position(untitled, "rivals", 1))); m.Error != nil {
		t.Error(m.Error)
	}
}

// TestBeforeInitialize: nothing is answered before the first request.
func TestBeforeInitialize(t *testing.T) {
	e := start(t)
	if got := e.answer(e.begin("shutdown", nil)); got.Error != nil {
		t.Error(got.Error)
	}
	if got := e.refused("textDocument/hover", map[string]any{}); !strings.Contains(got, "shut down") {
		t.Error(got)
	}
}

// TestTyping types a file character by character, asking what may follow after each.
func TestTyping(t *testing.T) {
	dir := write(t, nil)
	e := start(t, dir)
	text := sprint[strings.Index(sprint, "let rivals"):strings.Index(sprint, "rule coming_out")]
	head := sprint[:strings.Index(sprint, "let rivals")]
	u := e.open(filepath.Join(dir, "sprint.rules"), head)
	typed := head
	for i, c := range []byte(text) {
		at := placeOf(typed, len(typed))
		typed += string(c)
		e.version[u]++
		e.texts[u] = typed
		e.notify("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": u, "version": e.version[u]},
			"contentChanges": []any{map[string]any{"range": span{at, at}, "text": string(c)}},
		})
		if i%5 == 0 {
			if m := e.answer(e.begin("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": u}, "position": placeOf(typed, len(typed))})); m.Error != nil {
				t.Fatalf("after %q: %+v", typed[len(typed)-20:], m.Error)
			}
		}
	}
	for _, f := range e.findings(u) {
		if f.Severity == 1 {
			t.Errorf("when all is typed: %+v", f)
		}
	}
}

// TestFast: on the largest shipped rule book everything is answered within a tenth of a second.
func TestFast(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures")
	}
	files, err := fs.Glob(rulesets.FS, "*.rules")
	if err != nil {
		t.Fatal(err)
	}
	var name string
	var text []byte
	for _, f := range files {
		data, err := fs.ReadFile(rulesets.FS, f)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > len(text) {
			name, text = f, data
		}
	}
	dir := write(t, map[string]string{name: string(text)})
	e := startWith(t, time.Hour, dir) // the check of all settings is not measured: nothing waits for it
	u := e.open(filepath.Join(dir, name), string(text))
	at := e.at(u, "rule ", 7)
	params := map[string]any{"textDocument": map[string]any{"uri": u}, "position": at, "context": map[string]any{"includeDeclaration": true}, "newName": "another_name"}
	limit := 2 * time.Second // they take a tenth of a second; a busy machine takes longer, and what grows out of bounds much longer
	for _, method := range []string{"hover", "definition", "references", "completion", "documentSymbol", "codeLens", "semanticTokens/full", "foldingRange", "rename"} {
		var all []time.Duration
		for range 5 {
			end := placeOf(e.texts[u], len(e.texts[u]))
			e.version[u]++
			e.texts[u] += "\n"
			e.notify("textDocument/didChange", map[string]any{
				"textDocument":   map[string]any{"uri": u, "version": e.version[u]},
				"contentChanges": []any{map[string]any{"range": span{end, end}, "text": "\n"}},
			})
			begin, used := time.Now(), processTime()
			if m := e.answer(e.begin("textDocument/"+method, params)); m.Error != nil {
				t.Errorf("%s: %+v", method, m.Error)
			}
			took := time.Since(begin)
			if cpu := processTime() - used; cpu > 0 {
				took = min(took, cpu) // others may use the machine
			}
			all = append(all, took)
		}
		slices.Sort(all)
		t.Logf("%-20s %v", method, all[len(all)/2])
		if all[0] > limit && !raceEnabled {
			t.Errorf("%s takes %v", method, all[0])
		}
	}
}

// TestLongLine: what is listed of a file on one line does not take the square of its length.
func TestLongLine(t *testing.T) {
	dir := write(t, nil)
	e := startWith(t, time.Hour, dir)
	u := e.open(filepath.Join(dir, "long.rules"), "ruleset long \"Long\"\nlet a = 1"+strings.Repeat(" + 1", 60000)+"\n")
	this := map[string]any{"textDocument": map[string]any{"uri": u}}
	e.answer(e.begin("textDocument/documentSymbol", this)) // reads the file
	for _, method := range []string{"semanticTokens/full", "foldingRange"} {
		begin, used := time.Now(), processTime()
		e.answer(e.begin("textDocument/"+method, this))
		took := time.Since(begin)
		if cpu := processTime() - used; cpu > 0 {
			took = min(took, cpu)
		}
		if took > 2*time.Second && !raceEnabled { // it takes a tenth of that
			t.Errorf("%s takes %v", method, took)
		}
	}
}

// TestBinary speaks with the built command over its streams.
func TestBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command")
	}
	binary := filepath.Join(t.TempDir(), "rulerun")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/rulerun/rulerun/cmd/rulerun").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir := write(t, map[string]string{"sprint.rules": sprint})
	cmd := exec.Command(binary, "lsp", "--stdio")
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
	var errs bytes.Buffer
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	e := newEditor(t, in, out, ended)
	e.initialize(dir)
	u := e.open(filepath.Join(dir, "sprint.rules"), sprint)
	if got := e.findings(u); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if got := e.hover(u, "rivals(q", 1); !strings.Contains(got, "list of pieces") {
		t.Error(got)
	}
	go func() { ended <- cmd.Wait() }()
	e.quit()
	if errs.Len() > 0 {
		t.Errorf("it said %s", errs.String())
	}
}

// TestBoards: in a board the names are those the rules of the workspace use.
func TestBoards(t *testing.T) {
	board := "board: tiny\ncolours: [yellow, red]\nzones: [home, goal]\nsquares:\n  ring:\n    for: {i: 1..6}\n    name: string(i)\n    tags: {safe: i == 3}\n    draw: {x: i, y: 0}\n" +
		"landmarks: {start: square(\"1\")}\ntracks:\n  race: [{ring: all}, goal]\n"
	rules := strings.NewReplacer("cross68", "tiny", "2..4", "2", "yellow 10 home | red 13 home", "yellow 1 home | red 4 home").Replace(sprint)
	dir := write(t, map[string]string{"tiny.yaml": board, "sprint.rules": rules})
	e := start(t, dir)
	u := e.open(filepath.Join(dir, "tiny.yaml"), board)
	for text, want := range map[string]string{"safe": "one square: 3", "ring": "6 squares", "start": "yellow: 1", "race": "7 places", "goal": "zone goal", "red": "colour red", "tiny": "board tiny"} {
		if got := e.hover(u, text, 1); !strings.Contains(got, want) {
			t.Errorf("hover over %q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{"safe": 1, "start": 1, "home": 7, "yellow": 2, "goal": 1} {
		params := e.position(u, text, 1)
		params["context"] = map[string]any{"includeDeclaration": false}
		var got []location
		e.ask("textDocument/references", params, &got)
		if len(got) != want {
			t.Errorf("%q has %d references, want %d", text, len(got), want)
		}
		for _, l := range got {
			if filepath.Base(l.URI) != "sprint.rules" {
				t.Errorf("%q is named in %s", text, l.URI)
			}
		}
	}
}

// TestClauses: the ids in brackets lead to the written rule book.
func TestClauses(t *testing.T) {
	text := strings.Replace(sprint, `"One piece counts the throw" {`, `"One piece counts the throw" [SPR-01 SPR-02] {`, 1)
	dir := write(t, map[string]string{"sprint.rules": text, "sprint.clauses": "SPR-01 A throw moves one piece.\n  settled: All of it.\nSPR-02 No piece goes beyond the goal.\n"})
	e := start(t, dir)
	u := e.open(filepath.Join(dir, "sprint.rules"), text)
	for id, want := range map[string]string{"SPR-01": "A throw moves one piece.\n\nsettled: All of it.", "SPR-02": "No piece goes beyond the goal."} {
		for _, into := range []int{0, 3, 6} {
			if got := e.hover(u, id, into); !strings.Contains(got, want) {
				t.Errorf("hover over %s, %d: %q", id, into, got)
			}
		}
		if got := e.hover(u, "SPR-02]", 7); got != "" {
			t.Errorf("hover behind the bracket: %q", got)
		}
		var got []location
		e.ask("textDocument/definition", e.position(u, id, 2), &got)
		if len(got) != 1 || filepath.Base(got[0].URI) != "sprint.clauses" {
			t.Errorf("definition of %s: %+v", id, got)
		}
	}
}
