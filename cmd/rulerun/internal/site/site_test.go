package site

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/browser"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/web"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/examples"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/learn"
)

// ours are rule files that do not come with rulerun.
var ours = books.Texts{
	"ours.rules":         "change ours \"Our table\" for base_of_ours\n\nrule more \"A capture throws again\" {\n  on capture(p, victims) { again }\n}\n",
	"base_of_ours.rules": "change base_of_ours \"Parchís at home\" for parchis\n\nset capture_count = 10\n",
}

func made(t *testing.T, dir string) *Size {
	t.Helper()
	ur, err := fs.ReadFile(examples.Shipped(), "ur.rules")
	if err != nil {
		t.Fatal(err)
	}
	texts := maps.Clone(ours)
	texts["mine.rules"] = strings.Replace(string(ur), "ruleset ur", "ruleset mine", 1)
	rules, err := books.Listed(examples.Shipped(), texts, []string{"mine.rules"}).Rules(door.Pick{Rules: "mine.rules"}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	e, err := learn.Train(t.Context(), g, nil, learn.Options{Games: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var learned learn.File
	var text strings.Builder
	learned.Put(e)
	if err := learned.Write(&text); err != nil {
		t.Fatal(err)
	}
	texts["mine.learned"] = text.String()
	size, err := Make(t.Context(), dir, Options{
		Page: web.Page(), Policy: web.Policy, Files: texts, Listed: []string{"ours.rules", "mine.rules"}, Version: "test", Say: func(text string) { t.Log(text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// TestClauses: leaflets of given rule files have the clauses that are written beside them, in each language.
func TestClauses(t *testing.T) {
	folder := fstest.MapFS{
		"table.rules":             {Data: []byte("change table \"Our table\" for parchis\n\nrule more \"A capture throws again\" [TAB-01] {\n  on capture(p, victims) { again }\n}\n")},
		"clauses/table.clauses":   {Data: []byte("TAB-01 Who captures has another throw.\n")},
		"clauses/table.es.json":   {Data: []byte(`{"clause.TAB-01": {"hash": "` + catalogue.Hash("Who captures has another throw.") + `", "other": "Quien come tira otra vez."}}`)},
		"clauses/another.clauses": {Data: []byte("OTH-01 Nothing of this is cited.\n")},
	}
	file := source.New("table.rules", string(folder["table.rules"].Data))
	clauses := books.Clauses(books.Given{Name: "table.rules", File: file, Library: dsl.Library{Beside: folder}})
	files, err := page(Options{Page: web.Page(), Policy: web.Policy, Files: books.Texts{"table.rules": file.Text()}, Clauses: clauses, Listed: []string{"table.rules"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"leaflet.table.rules.en.html": "Who captures has another throw.", "leaflet.table.rules.es.html": "Quien come tira otra vez."} {
		if text := string(files[name]); !strings.Contains(text, want) || strings.Contains(text, "OTH-01") {
			t.Errorf("%s has no %q, or what nothing cites:\n%s", name, want, text)
		}
	}
	if strings.Contains(string(files[given]), "TAB-01 Who") {
		t.Error("the engine gets the clauses, which it does not need")
	}
}

// TestWithoutGo: where Go is missing it says so, and leaves nothing behind.
func TestWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	_, err := Make(t.Context(), filepath.Join(dir, "public"), Options{Page: web.Page(), Policy: web.Policy, Version: "test"})
	if !errors.Is(err, ErrNoGo) {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}

// TestSource: a program whose checkout is gone is built from the version that it is, if it is one.
func TestSource(t *testing.T) {
	for version, want := range map[string]bool{"v0.1.0": true, "v0.1.0-rc.1": true, "v0.0.0-20261122225200-0123456789ab": true, "(devel)": false, "v0.1.0+dirty": false, "test": false} {
		if got := released().MatchString(version); got != want {
			t.Errorf("%s: %v", version, got)
		}
	}
	if dir, err := sourceOf(t.Context(), "(devel)", t.TempDir()); err != nil || !strings.HasSuffix(filepath.ToSlash(mustAbs(t, "../../../..")), filepath.ToSlash(dir)) {
		t.Errorf("the source of a test is %s, %v", dir, err)
	}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	out, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// maxPlay is how much may be loaded to play, packed.
const maxPlay = 4_350_000

// TestSite makes a site and uses it in a browser.
func TestSite(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds two modules")
	}
	b := browser.Start(t)
	dir := filepath.Join(t.TempDir(), "public")
	size := made(t, dir)
	t.Logf("%d bytes to play, %d more to edit", size.Play, size.Editor)
	if size.Play > maxPlay {
		t.Errorf("%d bytes are loaded to play, want at most %d", size.Play, maxPlay)
	}
	var known map[string]door.Answer
	if data, err := os.ReadFile(filepath.Join(dir, "prepared.en.json")); err != nil || json.Unmarshal(data, &known) != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"parchis", "mine.rules"} {
		if b := known["book "+name].Book; b == nil || b.Usual != "strong" {
			t.Errorf("the usual bot is not the strong one, though it has learned %s: %+v", name, b)
		}
	}
	at := func(t *testing.T) *httptest.Server {
		server := httptest.NewServer(http.FileServer(http.Dir(dir)))
		t.Cleanup(server.Close)
		return server
	}

	t.Run("soon playable, and offline", func(t *testing.T) {
		server := at(t)
		begin := time.Now()
		p := b.Open(t, server.URL+"/#rules=ours.rules", desktop)
		p.Until("document.querySelector('dialog button.main')")
		chosen := time.Since(begin)
		p.Click("dialog button.main")
		p.Until("document.body.dataset.waits == 'throw'")
		t.Logf("a game can be chosen after %v, the first position is there after %v", chosen.Round(time.Millisecond), time.Since(begin).Round(time.Millisecond))
		if !strings.Contains(p.Text("footer"), "secret") {
			t.Errorf("the page does not say what it knows: %q", p.Text("footer"))
		}
		if rules := p.Text("#rules"); !strings.Contains(rules, "A capture throws again") {
			t.Errorf("the rule of the file is not played: %s", rules)
		}
		var usual string
		p.Eval("import('./door.js').then(m => m.call({ do: 'book', rules: 'mine.rules', players: 2 })).then(a => a.book.usual)", &usual)
		if usual != "strong" {
			t.Errorf("the engine does not have what was learned: the usual bot is %s", usual)
		}
		p.Click("#actions button")
		p.Until("/throw/.test(document.body.dataset.waits) || /option/.test(document.body.dataset.waits)")
		p.Eval("navigator.serviceWorker.ready.then(() => 1)", nil)
		var kept string
		p.Eval("caches.match('engine.wasm.gz').then(r => r.headers.get('Content-Type'))", &kept)
		if kept != "application/wasm" {
			t.Errorf("the engine is kept as %s, and browsers do not keep its machine code", kept)
		}
		p.Until("document.querySelector('#leaflet:not([hidden]) a')?.href.endsWith('/leaflet.ours.rules.en.html')")
		const openLeaflet = "fetch(document.querySelector('#leaflet a').href).then(r => r.text()).then(text => text.includes('A capture throws again') ? 'ours' : text)"
		var read string
		p.Until("navigator.serviceWorker.controller")
		if p.Eval(openLeaflet, &read); read != "ours" {
			t.Errorf("the leaflet says %q", read)
		}
		p.Eval("(async () => { while (!await caches.match(document.querySelector('#leaflet a').href)) await new Promise(done => setTimeout(done, 5)) })()", nil)
		server.Close()
		if _, err := http.Get(server.URL); err == nil {
			t.Fatal("the server still answers")
		}
		p.Reload() // the game goes on where it was
		p.Until("document.querySelectorAll('#log li').length > 1 && document.body.dataset.waits && document.body.dataset.waits != 'busy'")
		if p.Eval(openLeaflet, &read); read != "ours" {
			t.Errorf("without the network the leaflet says %q", read)
		}
		const stored = "sessionStorage.getItem('rulerun-game')"
		p.Eval(`(async () => {
			const { record } = JSON.parse(`+stored+`)
			document.querySelector('#new').click()
			while (!document.querySelector('#record')) await new Promise(done => setTimeout(done, 10))
			const files = new DataTransfer()
			files.items.add(new File([record], 'kept.game.txt'))
			document.querySelector('#record').files = files.files
			document.querySelector('dialog button[value=replay]').click()
		})()`, nil)
		p.Until("document.body.dataset.waits == 'replay' && " + stored + ".includes(location.hash.slice('#replay='.length))")
		p.Reload() // a game that is watched, too
		p.Until("document.body.dataset.waits == 'replay' && document.querySelector('#slider').max > 0")
	})

	t.Run("the playground", func(t *testing.T) {
		p := b.Open(t, at(t).URL+"/#rules=ours.rules", desktop)
		p.Until("document.querySelector('dialog button.main')")
		p.Click("dialog button.main")
		p.Until("document.body.dataset.waits == 'throw'")
		begin := time.Now()
		p.Click("#edit")
		p.Until("document.querySelector('#workshop')?.dataset.found == '0 0'") // of the file and the one it builds on
		t.Logf("the editor has its first findings after %v", time.Since(begin).Round(time.Millisecond))
		const inEditor = "document.querySelector('#workshop .editor').shadowRoot"
		p.Eval(inEditor+".querySelector('.cm-content').focus()", nil)
		p.Eval("getSelection().selectAllChildren("+inEditor+".querySelector('.cm-content')); getSelection().collapseToEnd()", nil)
		p.Press("Enter", "set nothing = 5")
		p.Until("/^1 /.test(document.querySelector('#workshop').dataset.found)")
		p.Click("#workshop .main")
		p.Until("document.querySelector('#workshop .status').textContent")
		if text := p.Text("#workshop .status.fault"); !strings.HasPrefix(text, "ours.rules:") {
			t.Errorf("a file with a mistake is played: %s", text)
		}
	})

	t.Run("in Spanish", func(t *testing.T) {
		look := desktop
		look.Languages = "es-AR,es"
		p := b.Open(t, at(t).URL+"/#rules=parchis", look)
		p.Until("document.querySelector('dialog button.main')?.textContent == 'Empezar'")
		p.Click("dialog button.main")
		p.Until("document.querySelector('#question').textContent.startsWith('Le toca tirar al amarillo')")
		p.Press("Enter")
		p.Until("/throw|option/.test(document.body.dataset.waits)")
		p.Eval("(f => { f.value = 'en'; f.dispatchEvent(new Event('change')) })(document.querySelector('#language select'))", nil)
		p.Until("/^yellow throws/m.test(document.querySelector('#log').innerText) && document.querySelector('#new').textContent == 'New game'")
		if text := p.Text("footer"); !strings.Contains(text, "in secret") {
			t.Errorf("the page says %q", text)
		}
	})

	t.Run("a link", func(t *testing.T) {
		p := b.Open(t, at(t).URL+"/", desktop)
		p.Until("document.querySelector('dialog button.main')")
		var link string
		p.Eval(fmt.Sprintf("import('./link.js').then(m => m.linkOf({rules: 'linked.rules', files: {'linked.rules': %q}}))",
			"change linked \"Ours\" for ur\n\nset pieces_each = 3\n"), &link)
		t.Logf("%d characters", len(link))
		p = b.Open(t, at(t).URL+"/"+link, desktop)
		p.Until("document.querySelector('dialog pre')")
		if text := p.Text("dialog pre"); !strings.Contains(text, "set pieces_each = 3") {
			t.Errorf("the link shows %s", text)
		}
		p.Click("dialog button.main")
		p.Until("document.body.dataset.waits == 'throw'")
		made, err := books.Link("linked.rules", books.Texts{"linked.rules": "change linked \"Ours\" for ur\n\nset pieces_each = 4\n"})
		if err != nil {
			t.Fatal(err)
		}
		p = b.Open(t, at(t).URL+"/"+made, desktop)
		p.Until("document.querySelector('dialog pre')?.textContent.includes('set pieces_each = 4')")
		for want, bad := range map[string]string{"damaged": link[:len(link)/2], "too much": bomb(t)} {
			p = b.Open(t, at(t).URL+"/"+bad, desktop)
			p.Until("document.querySelector('dialog .lines')")
			if text := p.Text("dialog .lines"); !strings.Contains(text, want) {
				t.Errorf("a bad link says %s, want %s", text, want)
			}
		}
	})
}

var times = flag.Int("times", 0, "measure a site this `number` of times")

// TestTimes measures how soon people can play on a site, and how long a choice takes.
func TestTimes(t *testing.T) {
	if *times == 0 {
		t.Skip("skipped without -times")
	}
	b := browser.Start(t)
	dir := filepath.Join(t.TempDir(), "public")
	size := made(t, dir)
	t.Logf("%.1f MB to play, %.1f MB more to edit", float64(size.Play)/1e6, float64(size.Editor)/1e6)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	var chosen, first, again, choices []float64
	for range *times {
		p := b.Open(t, server.URL+"/#rules=parchis", desktop)
		at := func(condition string) (ms float64) { // since the page was asked for
			p.Eval("new Promise(done => { const look = () => "+condition+" ? done(performance.now()) : setTimeout(look, 2); look() })", &ms)
			return ms
		}
		chosen = append(chosen, at("document.querySelector('dialog button.main')"))
		p.Eval("document.querySelector('dialog button.main').click()", nil)
		first = append(first, at("document.body.dataset.waits == 'throw'"))
		var took []float64
		p.Eval(playing, &took)
		choices = append(choices, took...)
		p.Eval("navigator.serviceWorker.ready.then(() => 1)", nil)
		p.Reload() // the game goes on, without the network
		again = append(again, at("document.body.dataset.waits && document.body.dataset.waits != 'busy'"))
	}
	for _, x := range []struct {
		what string
		ms   []float64
	}{{"a game can be chosen after", chosen}, {"the first position is there after", first}, {"at the next visit the game goes on after", again}, {"a choice, with the bots' replies", choices}} {
		slices.Sort(x.ms)
		t.Logf("%-42s median %5.0f ms, nine of ten within %5.0f ms (of %d)", x.what, x.ms[len(x.ms)/2], x.ms[len(x.ms)*9/10], len(x.ms))
	}
}

// playing plays 200 throws and choices, and gives how long each took the engine.
const playing = `(async () => {
	for (let i = 0; i < 200; i++) {
		while (!['throw', 'option', 'over'].includes(document.body.dataset.waits)) await new Promise(done => setTimeout(done, 1))
		const button = document.querySelector('#actions button')
		if (document.body.dataset.waits === 'option') button.click() // it points
		button.click()
	}
	return performance.getEntriesByName('rulerun act').map(m => m.duration)
})()`

// bomb is a link whose small text becomes a large one.
func bomb(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(bytes.Repeat([]byte(" "), 5_000_000))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return "#r=" + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

var desktop = browser.Look{Width: 1280, Height: 800}
