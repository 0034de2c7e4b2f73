package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
	"github.com/rulerun/rulerun/examples"
)

// noLeaflet knows one game.
func noLeaflet(game, languages string) ([]byte, error) {
	if game != "known" {
		return nil, errors.New("there is no such game")
	}
	return []byte("<p>" + languages), nil
}

// TestLeaflet: a leaflet may use its own style and loads nothing; without a game there is none.
func TestLeaflet(t *testing.T) {
	_, address := served(t)
	answer, text := send(t, http.MethodGet, address+"leaflet.html?game=known", "", func(r *http.Request) { r.Header.Set("Accept-Language", "es") })
	if answer.StatusCode != http.StatusOK || text != "<p>es" || answer.Header.Get("Content-Security-Policy") != leafletPolicy {
		t.Errorf("%s: %s: %v", answer.Status, text, answer.Header)
	}
	answer, text = send(t, http.MethodGet, strings.Replace(address, secret, "tset", 1), "", func(r *http.Request) { r.Header.Set("Accept-Language", "es") })
	if answer.StatusCode != http.StatusNotFound || !strings.Contains(text, "no hay nada") {
		t.Errorf("an address of before: %s: %s", answer.Status, text)
	}
	if answer, _ := send(t, http.MethodGet, address+"leaflet.html?game=other", "", nil); answer.StatusCode != http.StatusNotFound {
		t.Error(answer.Status)
	}
}

// send sends a request to a server; change may change it.
func send(t *testing.T, method, address, body string, change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(r)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// TestRefused: what does not come from a page of the server is refused, as are other methods and what is too large.
func TestRefused(t *testing.T) {
	_, address := served(t)
	door := address + "door"
	const list = `{"do":"list"}`
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	port := strings.TrimSuffix(strings.TrimPrefix(address, "http://127.0.0.1:"), "/"+secret+"/")
	for name, c := range map[string]struct {
		method, address, body string
		change                func(*http.Request)
		want                  int
	}{
		"a request":                     {http.MethodPost, door, list, nil, 200},
		"the page":                      {http.MethodGet, address, "", nil, 200},
		"a file of the page":            {http.MethodGet, address + "board.js", "", nil, 200},
		"another address of the host":   {http.MethodPost, door, list, host("[::1]:99"), 200},
		"a tunnel":                      {http.MethodPost, door, list, host("localhost:4000"), 200},
		"the page's own origin":         {http.MethodPost, door, list, header("Origin", "http://127.0.0.1:"+port), 200},
		"another host":                  {http.MethodPost, door, list, host("rulerun.example:" + port), 421},
		"a host like an address":        {http.MethodPost, door, list, host("127.0.0.1.example"), 421},
		"the page for another host":     {http.MethodGet, address, "", host("rulerun.example"), 421},
		"another origin":                {http.MethodPost, door, list, header("Origin", "http://rulerun.example"), 403},
		"another port as origin":        {http.MethodPost, door, list, header("Origin", "http://127.0.0.1:1"), 403},
		"a hidden origin":               {http.MethodPost, door, list, header("Origin", "null"), 403},
		"another site":                  {http.MethodPost, door, list, header("Sec-Fetch-Site", "cross-site"), 403},
		"a form":                        {http.MethodPost, door, list, header("Content-Type", "text/plain"), 415},
		"no secret":                     {http.MethodPost, strings.Replace(door, secret+"/", "", 1), list, nil, 404},
		"another secret":                {http.MethodPost, strings.Replace(door, secret, "tset", 1), list, nil, 404},
		"the page without the secret":   {http.MethodGet, strings.Replace(address, secret+"/", "", 1), "", nil, 404},
		"reading the door":              {http.MethodGet, door, "", nil, 404},
		"another method":                {http.MethodPut, door, list, nil, 405},
		"a large request":               {http.MethodPost, door, `{"do":"load","text":"` + strings.Repeat("x", maxBody) + `"}`, nil, 413},
		"a file outside":                {http.MethodGet, address + "../server.go", "", nil, 404},
		"what is no request is a fault": {http.MethodPost, door, "[]", nil, 200},
	} {
		t.Run(name, func(t *testing.T) {
			answer, text := send(t, c.method, c.address, c.body, c.change)
			if answer.StatusCode != c.want {
				t.Errorf("got %s, want %d: %.200s", answer.Status, c.want, text)
			}
			if c.want != 421 && c.want != 403 && !strings.Contains(answer.Header.Get("Content-Security-Policy"), "default-src 'none'") {
				t.Error("no policy for the page")
			}
		})
	}
}

// TestPageIsWhole: the page names no file that is not there, and nothing elsewhere.
func TestPageIsWhole(t *testing.T) {
	_, address := served(t)
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		answer, text := send(t, http.MethodGet, address+name, "", nil)
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", name, answer.Status)
		}
		if name == "editor.js" {
			return // a bundle, with a test of its own
		}
		for _, begin := range []string{`href="`, `src="`, "from './", "import('./"} {
			for _, rest := range strings.Split(text, begin)[1:] {
				visit(rest[:strings.IndexAny(rest, `"'`)])
			}
		}
		for _, elsewhere := range []string{"https:", "//cdn", "@import"} {
			if strings.Contains(text, elsewhere) {
				t.Errorf("%s has %q", name, elsewhere)
			}
		}
	}
	visit("")
	if len(seen) < 8 {
		t.Errorf("only %d files", len(seen))
	}
}

// TestServe ends a server while a page still holds a connection to it.
func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	host := door.NewHost(books.New(examples.Shipped(), nil), 1, counter())
	go func() {
		done <- Serve(ctx, l, Handler(host, secret, "", lsp.Options{Shipped: examples.Shipped(), Delay: lsp.Delay}, &Changes{}, noLeaflet))
	}()
	if answer, _ := send(t, http.MethodPost, "http://"+l.Addr().String()+"/"+secret+"/door", `{"do":"list"}`, nil); answer.StatusCode != 200 {
		t.Error(answer.Status)
	}
	stop()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it does not end")
	}
}

// TestHidden plays a game with secret choices of several people on one screen: no answer that such a page gets depends on what
// another one has chosen, but for the options of a secret question that one person asks for.
func TestHidden(t *testing.T) {
	const book = "cicloparchis"
	answers := func(choice int) (told []string, options int) {
		host, address := served(t)
		ask := func(r door.Request) *door.Answer {
			t.Helper()
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			_, answer := send(t, http.MethodPost, address+"door", string(text), nil)
			var out door.Answer
			if err := json.Unmarshal([]byte(answer), &out); err != nil {
				t.Fatal(err)
			}
			if r.Seat == "" {
				told = append(told, answer)
			}
			return &out
		}
		at := begun(t, host, door.Request{Rules: book, Options: map[string]string{"mode": "secret"}, Seats: slices.Repeat([]string{"human"}, 4), Seed: seed(987654321)})
		id := strings.TrimPrefix(at, "#game=")
		first := 0
		ask(door.Request{Do: door.DoBoard, Game: id})
		ask(door.Request{Do: door.DoRules, Game: id})
		secretly := 0
		for range 60 {
			s := ask(door.Request{Do: door.DoState, Game: id, Shared: true, At: &first}).State
			r := door.Request{Do: door.DoAct, Game: id, Shared: true, At: &s.At}
			switch {
			case s.Hidden:
				if len(s.Options) > 0 || s.Question != "" {
					t.Fatalf("the question is shown to all: %+v", s)
				}
				own := ask(door.Request{Do: door.DoState, Game: id, Seat: s.Asked, At: &s.At}).State
				i := 0
				if secretly == 0 {
					i, options = choice, len(own.Options)
				}
				secretly++
				r.Option = &i
			case s.Waits == door.WaitsThrow:
				r.Throw = true
			case s.Waits == door.WaitsOption:
				i := 0
				r.Option = &i
			default:
				t.Fatalf("waits for %q", s.Waits)
			}
			if a := ask(r); a.Error != nil {
				t.Fatal(a.Error)
			}
			ask(door.Request{Do: door.DoWhy, Game: id, Shared: true})
			if a := ask(door.Request{Do: door.DoRecord, Game: id}); a.Error == nil && secretly > 0 {
				t.Fatal("the record is given away")
			}
		}
		if secretly < 2 {
			t.Fatalf("%d secret choices", secretly)
		}
		return told, options
	}
	want, options := answers(0)
	if options < 2 {
		t.Fatalf("%d colours to name", options)
	}
	for i := 1; i < options; i++ {
		got, _ := answers(i)
		for n := range want {
			if got[n] != want[n] {
				t.Fatalf("answer %d tells choice %d from choice 0:\n%s\n%s", n, i, got[n], want[n])
			}
		}
	}
	if !strings.Contains(strings.Join(want, ""), "in secret") {
		t.Error("the log does not say that players choose in secret")
	}
}
