package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
	"github.com/rulerun/rulerun/rulesets"
)

// editor is a client that speaks the protocol in plain JSON, as an editor would.
type editor struct {
	t       *testing.T
	out     io.WriteCloser
	ended   chan error
	writing sync.Mutex

	mu      sync.Mutex
	changed chan struct{} // closed and made anew with every message
	next    int
	answers map[string]message
	said    map[string]published // by URI: the last findings
	shown   []string
	asked   []message // requests of the server
	texts   map[string]string
	version map[string]int
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int
		Message string
	} `json:"error"`
}

type place struct{ Line, Character int }

type span struct{ Start, End place }

type finding struct {
	Range              span
	Severity           int
	Code               string
	Message            string
	RelatedInformation []struct{ Message string }
}

type published struct {
	URI         string
	Version     int
	Diagnostics []finding
	times       int
}

// start runs a server in this process.
func start(t *testing.T, folders ...string) *editor {
	t.Helper()
	return startWith(t, 5*time.Millisecond, folders...)
}

func startWith(t *testing.T, delay time.Duration, folders ...string) *editor {
	t.Helper()
	e := connect(t, delay)
	e.initialize(folders...)
	return e
}

// connect runs a server that has not been initialized.
func connect(t *testing.T, delay time.Duration) *editor {
	t.Helper()
	return connectWith(t, lsp.Options{
		Shipped: rulesets.FS, Disk: files.Disk, Copies: files.NewCopies(filepath.Join(t.TempDir(), "shipped")), Version: "test", Delay: delay,
	})
}

func connectWith(t *testing.T, o lsp.Options) *editor {
	t.Helper()
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := lsp.Serve(context.Background(), toServer, fromServer, o)
		fromServer.Close()
		ended <- err
	}()
	e := newEditor(t, fromEditor, toEditor, ended)
	t.Cleanup(e.quit)
	return e
}

func newEditor(t *testing.T, out io.WriteCloser, in io.Reader, ended chan error) *editor {
	e := &editor{
		t: t, out: out, ended: ended, changed: make(chan struct{}), answers: map[string]message{}, said: map[string]published{},
		texts: map[string]string{}, version: map[string]int{},
	}
	go e.listen(bufio.NewReader(in))
	return e
}

func (e *editor) listen(in *bufio.Reader) {
	for {
		length := 0
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			line = strings.TrimSpace(line)
			if line == "" {
				break
			}
			if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				length, _ = strconv.Atoi(n)
			}
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			e.t.Errorf("the server said %q", body)
			return
		}
		e.take(m)
	}
}

func (e *editor) take(m message) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case m.Method == "textDocument/publishDiagnostics":
		var p published
		if err := json.Unmarshal(m.Params, &p); err != nil {
			e.t.Error(err)
		}
		p.times = e.said[p.URI].times + 1
		e.said[p.URI] = p
	case m.Method == "window/showMessage":
		var p struct{ Message string }
		_ = json.Unmarshal(m.Params, &p)
		e.shown = append(e.shown, p.Message)
	case m.Method != "" && len(m.ID) > 0:
		e.asked = append(e.asked, m)
		go e.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": nil})
	case m.Method == "":
		e.answers[string(m.ID)] = m
	}
	close(e.changed)
	e.changed = make(chan struct{})
}

// until waits for something to be so.
func (e *editor) until(what string, ok func() bool) {
	e.t.Helper()
	limit := time.After(20 * time.Second)
	for {
		e.mu.Lock()
		fine, changed := ok(), e.changed
		e.mu.Unlock()
		if fine {
			return
		}
		select {
		case <-changed:
		case <-limit:
			e.mu.Lock()
			defer e.mu.Unlock()
			e.t.Fatalf("waited in vain for %s; said: %+v", what, e.said)
		}
	}
}

func (e *editor) raw(text string) {
	e.writing.Lock()
	defer e.writing.Unlock()
	_, _ = io.WriteString(e.out, text)
}

func (e *editor) send(m map[string]any) {
	body, err := json.Marshal(m)
	if err != nil {
		e.t.Error(err)
		return
	}
	e.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

func (e *editor) notify(method string, params any) {
	e.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// begin sends a request and returns its number.
func (e *editor) begin(method string, params any) string {
	e.mu.Lock()
	e.next++
	id := e.next
	e.mu.Unlock()
	e.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return strconv.Itoa(id)
}

func (e *editor) answer(id string) message {
	e.t.Helper()
	var m message
	e.until("an answer", func() bool {
		var ok bool
		m, ok = e.answers[id]
		return ok
	})
	return m
}

// ask sends a request and reads its answer.
func (e *editor) ask(method string, params, result any) {
	e.t.Helper()
	m := e.answer(e.begin(method, params))
	if m.Error != nil {
		e.t.Fatalf("%s: %d %s", method, m.Error.Code, m.Error.Message)
	}
	if err := json.Unmarshal(m.Result, result); err != nil {
		e.t.Fatalf("%s: %v: %s", method, err, m.Result)
	}
}

// refused sends a request that is answered with an error, and returns its words.
func (e *editor) refused(method string, params any) string {
	e.t.Helper()
	m := e.answer(e.begin(method, params))
	if m.Error == nil {
		e.t.Fatalf("%s: %s", method, m.Result)
	}
	return m.Error.Message
}

func (e *editor) initialize(folders ...string) {
	e.t.Helper()
	var list []any
	for _, f := range folders {
		list = append(list, map[string]any{"uri": uriOf(f), "name": filepath.Base(f)})
	}
	var result struct {
		Capabilities map[string]any
		ServerInfo   struct{ Name string }
	}
	e.ask("initialize", map[string]any{
		"processId": nil, "rootUri": nil, "workspaceFolders": list,
		"capabilities": map[string]any{"workspace": map[string]any{"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true}}},
	}, &result)
	if result.ServerInfo.Name != "rulerun" || result.Capabilities["hoverProvider"] != true {
		e.t.Errorf("initialize: %+v", result)
	}
	e.notify("initialized", map[string]any{})
}

func (e *editor) quit() {
	select {
	case <-e.ended:
		return
	default:
	}
	e.answer(e.begin("shutdown", nil))
	e.notify("exit", nil)
	select {
	case err := <-e.ended:
		if err != nil && !errors.Is(err, io.EOF) {
			e.t.Errorf("the server ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		e.t.Error("the server does not end")
	}
}

func uriOf(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// open opens a document.
func (e *editor) open(path, text string) string {
	u := uriOf(path)
	e.texts[u], e.version[u] = text, 1
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": u, "languageId": "rulerun", "version": 1, "text": text}})
	return u
}

// edit replaces a text that stands once in a document.
func (e *editor) edit(u, old, text string) {
	e.t.Helper()
	at := e.at(u, old, 0)
	end := e.at(u, old, len(old))
	e.version[u]++
	e.texts[u] = strings.Replace(e.texts[u], old, text, 1)
	e.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": u, "version": e.version[u]},
		"contentChanges": []any{map[string]any{"range": span{at, end}, "text": text}},
	})
}

func (s place) MarshalJSON() ([]byte, error) {
	return []byte(fmt.Sprintf(`{"line":%d,"character":%d}`, s.Line, s.Character)), nil
}

func (s span) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]place{"start": s.Start, "end": s.End})
}

// at is the place some bytes into the first occurrence of a text.
func (e *editor) at(u, text string, into int) place {
	e.t.Helper()
	i := strings.Index(e.texts[u], text)
	if i < 0 {
		e.t.Fatalf("there is no %q in %s", text, u)
	}
	return placeOf(e.texts[u], i+into)
}

func placeOf(text string, offset int) place {
	line := strings.Count(text[:offset], "\n")
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	units := 0
	for _, r := range text[start:offset] {
		units++
		if r >= 0x10000 {
			units++
		}
	}
	return place{line, units}
}

// position names a place of a document in the parameters of a request.
func (e *editor) position(u, text string, into int) map[string]any {
	e.t.Helper()
	return map[string]any{"textDocument": map[string]any{"uri": u}, "position": e.at(u, text, into)}
}

// findings waits until the current version of a document has been checked.
func (e *editor) findings(u string) []finding {
	e.t.Helper()
	var out []finding
	e.until("findings of "+u, func() bool {
		p, ok := e.said[u]
		out = p.Diagnostics
		return ok && p.Version == e.version[u]
	})
	return out
}

// apply carries out edits of a document's text.
func apply(t *testing.T, text string, edits []textEdit) string {
	t.Helper()
	for i := len(edits) - 1; i >= 0; i-- {
		from, to := offsetOf(text, edits[i].Range.Start), offsetOf(text, edits[i].Range.End)
		text = text[:from] + edits[i].NewText + text[to:]
	}
	return text
}

type textEdit struct {
	Range   span
	NewText string
}

func offsetOf(text string, p place) int {
	for i := range len(text) + 1 {
		if placeOf(text, i) == p {
			return i
		}
	}
	return len(text)
}
