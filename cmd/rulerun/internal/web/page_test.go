package web

import (
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/browser"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
	"github.com/rulerun/rulerun/examples"
)

// counter gives numbers one after the other.
func counter() func() uint64 {
	n := uint64(0)
	return func() uint64 { n++; return n }
}

const secret = "test"

// served is a host behind HTTP and the address of its page.
func served(t testing.TB) (*door.Host, string) { return servedIn(t, "") }

// servedIn is the same with a page in a language.
func servedIn(t testing.TB, lang string) (*door.Host, string) {
	t.Helper()
	host := door.NewHost(books.New(examples.Shipped(), nil), MaxGames, counter())
	s := httptest.NewServer(Handler(host, secret, lang, lsp.Options{Shipped: examples.Shipped(), Delay: lsp.Delay}, &Changes{}, noLeaflet))
	t.Cleanup(s.Close)
	return host, s.URL + "/" + secret + "/"
}

// begun begins a game; the result is what follows the address.
func begun(t testing.TB, host *door.Host, r door.Request) string {
	t.Helper()
	r.Do = door.DoNew
	a := host.Do(&r)
	if a.Error != nil {
		t.Fatal(a.Error)
	}
	return "#game=" + a.Game
}

// played takes the first option of a game some times.
func played(t testing.TB, host *door.Host, id string, times int) {
	t.Helper()
	for range times {
		s := host.Do(&door.Request{Do: door.DoState, Game: id, Shared: true}).State
		r := &door.Request{Do: door.DoAct, Game: id, Shared: true, At: &s.At, Throw: s.Waits == door.WaitsThrow}
		switch s.Waits {
		case door.WaitsThrow:
		case door.WaitsNumber:
			r.Number = &s.Numbers[0]
		case door.WaitsOption:
			r.Option = new(int)
		case door.WaitsOther:
			r.Do = door.DoGo
		default:
			return
		}
		if a := host.Do(r); a.Error != nil {
			t.Fatal(a.Error)
		}
	}
}

// table is a page with a game on it.
type table struct {
	*browser.Page
	*testing.T
}

func (g table) waits() string {
	var out string
	g.Eval("document.body.dataset.waits", &out)
	return out
}

// ready waits until a person can act, and says what for.
func (g table) ready() string {
	g.Helper()
	g.Until("document.body.dataset.waits && document.body.dataset.waits != 'busy'")
	return g.waits()
}

// playOut plays with what a person has, until the game is over.
func (g table) playOut(throw, choose func()) {
	g.Helper()
	begin := time.Now()
	for n := 0; ; n++ {
		switch waits := g.ready(); waits {
		case door.WaitsThrow:
			throw()
		case door.WaitsOption, door.WaitsNumber:
			choose()
		case door.WaitsOver:
			if g.Text("#actions .result") == "" {
				g.Error("the game is over, and the page does not say how")
			}
			if turn := g.Text("#players [aria-current]"); turn != "" {
				g.Errorf("the game is over, and in turn is %s", turn)
			}
			g.Logf("%d throws and choices in %v", n, time.Since(begin).Round(time.Millisecond))
			return
		default:
			g.Fatalf("waits for %q", waits)
		}
		if n > 3000 || time.Since(begin) > time.Minute {
			g.Fatal("the game goes on and on")
		}
	}
}

var desktop = browser.Look{Width: 1280, Height: 800}

func seed(n uint64) *uint64 { return &n }

// TestPage plays in a browser.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	b := browser.Start(t)
	host, address := served(t)

	t.Run("a whole game by clicks", func(t *testing.T) {
		at := begun(t, host, door.Request{Rules: "ur", Options: map[string]string{"pieces_each": "3"}, Seats: []string{"human", "greedy"}, Seed: seed(1)})
		g := table{b.Open(t, address+at, desktop), t}
		pieces, lists := 0, 0
		g.playOut(func() { g.Click("#actions button") }, func() {
			var can bool
			if g.Eval("!!document.querySelector('.piece.can')", &can); !can {
				lists++
				g.Click("[data-option='0']")
				return
			}
			pieces++
			g.Click(".piece.can") // points at the move
			g.Until("document.querySelector('.end.on')")
			g.Click(".end.on") // and takes it
		})
		if pieces == 0 {
			t.Error("no piece has been clicked")
		}
	})

	t.Run("a whole game by keyboard", func(t *testing.T) {
		at := begun(t, host, door.Request{Rules: "patolli", Seed: seed(2)})
		g := table{b.Open(t, address+at, desktop), t}
		n := 0
		g.playOut(func() { g.Press("Enter") }, func() {
			switch n++; n % 3 {
			case 0:
				g.Press("1")
			case 1:
				g.Press("ArrowDown", "Enter")
			default:
				g.Press("Tab", "Enter")
			}
		})
	})

	t.Run("a whole game on a phone", func(t *testing.T) {
		at := begun(t, host, door.Request{Rules: "ur", Options: map[string]string{"pieces_each": "2"}, Seed: seed(3)})
		g := table{b.Open(t, address+at, browser.Look{Width: 360, Height: 740, Touch: true}), t}
		n := 0
		g.playOut(func() { g.Tap("#actions button") }, func() {
			var can bool
			if g.Eval("!!document.querySelector('.piece.can')", &can); can && n%2 == 0 {
				g.Tap(".piece.can")
				g.Until("document.querySelector('.end.on')")
				if n%4 == 0 {
					g.Tap(".end.on")
				} else {
					g.Tap("#take")
				}
			} else {
				g.Tap("[data-option='0']")
				g.Until("document.querySelector('[data-option].on')")
				var gone bool
				if g.Eval("(document.querySelector('#take').click(), document.querySelector('#chosen').hidden)", &gone); !gone {
					t.Error("a move that is being made is still offered")
				}
			}
			n++
		})
	})

	t.Run("a finger beside a small piece", func(t *testing.T) {
		at := begun(t, host, door.Request{Rules: "parchis", Seed: seed(7)})
		g := table{b.Open(t, address+at, browser.Look{Width: 360, Height: 740, Touch: true}), t}
		for g.ready() != door.WaitsOption {
			g.Tap("#actions button")
		}
		g.TapBeside(".square[data-place='30']", 0, 0) // nothing can go there
		g.Until("document.querySelector('#note').textContent == '30'")
		g.TapBeside(".piece.can", 11, -11) // two pieces of this size away
		g.Until("document.querySelector('.piece.chosen') && !document.querySelector('#chosen').hidden")
		g.TapBeside(".end.on", -11, 11)
		g.Until("document.body.dataset.waits != 'option' || !document.querySelector('.piece.chosen')")
	})

	t.Run("a hint that comes after the choice", func(t *testing.T) {
		g := table{b.Open(t, address+begun(t, host, door.Request{Rules: "parchis", Seats: slices.Repeat([]string{"human"}, 4), Seed: seed(6)}), desktop), t}
		g.Eval(`(send => { window.fetch = async (...request) => {
			const answer = await send(...request)
			if (!String(request[1]?.body).includes('"hint"')) return answer
			await new Promise(done => { window.late = done })
			window.told = true
			return answer
		} })(window.fetch)`, nil)
		for g.ready() != door.WaitsOption {
			g.Press("Enter")
		}
		g.Press("h")
		g.Until("window.late")
		for g.Press("1"); g.ready() != door.WaitsThrow; {
			g.Press("1")
		}
		g.Eval("window.late()", nil)
		g.Until("window.told")
		var note string
		if g.Eval("new Promise(done => setTimeout(() => done(document.querySelector('#note').textContent), 200))", &note); note != "" {
			t.Errorf("the note is %q", note)
		}
	})

	t.Run("several people and a secret", func(t *testing.T) {
		at := begun(t, host, door.Request{Rules: "cicloparchis", Options: map[string]string{"mode": "secret"}, Seats: slices.Repeat([]string{"human"}, 4), Seed: seed(5)})
		g := table{b.Open(t, address+at, desktop), t}
		secrets := 0
		for n := 0; secrets < 2 && n < 40; n++ {
			switch g.ready() {
			case "hidden":
				secrets++
				asked := g.Text("#players [aria-current] .name")
				if said := g.Text("body"); strings.Contains(said, "Which") || !strings.Contains(g.Text("#actions"), asked+" alone looks now") {
					t.Fatalf("the question is shown to all:\n%s", said)
				}
				g.Click("#actions button")
				g.Until("document.querySelectorAll('[data-option]').length > 1")
				if said := g.Text("#question"); !strings.Contains(said, "Which colour") {
					t.Errorf("%s alone is asked: %s", asked, said)
				}
				chosen := g.Text("[data-option='1'] .words")
				var at string
				g.Eval("document.body.dataset.at", &at)
				g.Press("2")
				g.Until(fmt.Sprintf("document.body.dataset.at != %q", at))
				g.ready()
				if log := g.Text("#log"); !strings.Contains(log, asked+" chooses in secret") || strings.Contains(log, "chooses "+chosen) {
					t.Errorf("the log of a secret choice: %s", log)
				}
				if said := g.Text("#side"); strings.Contains(said, "hidden") {
					t.Errorf("figures of a secret: %s", said)
				}
			case door.WaitsThrow:
				g.Press("Enter")
			default:
				g.Press("1")
			}
		}
		if secrets < 2 {
			t.Error("no secret question was asked")
		}
	})

	t.Run("a page loaded again, taken back and shown again", func(t *testing.T) {
		at := begun(t, host, door.Request{Rules: "parchis", Seed: seed(6)})
		g := table{b.Open(t, address+at, desktop), t}
		for n := 0; n < 6; n++ {
			for g.ready() != door.WaitsOption {
				g.Press("Enter")
			}
			g.Press("1")
		}
		for g.ready() != door.WaitsOption {
			g.Press("Enter")
		}
		shown := func() string { return g.Text("#described") + g.Text("#log") + g.Text("#question") }
		before := shown()
		g.Reload()
		g.Until("document.body.dataset.waits == 'option'")
		if again := shown(); again != before {
			t.Errorf("after loading again:\n%s\nbefore:\n%s", again, before)
		}
		g.Press("u")
		g.Until("document.querySelector('#note').textContent.startsWith('Taken back')")
		if now := shown(); now == before {
			t.Error("nothing has been taken back")
		}

		id := strings.TrimPrefix(at, "#game=")
		text := host.Do(&door.Request{Do: door.DoRecord, Game: id}).Record
		replay := host.Do(&door.Request{Do: door.DoReplay, Text: text})
		if replay.Error != nil {
			t.Fatal(replay.Error)
		}
		state := host.Do(&door.Request{Do: door.DoState, Game: id, Shared: true}).State
		g = table{b.Open(t, address+"#replay="+replay.Game, desktop), t}
		g.Until("document.querySelector('#slider')")
		last := g.Text("#where")
		if want := fmt.Sprintf("Event 0 of %d", state.At); last != want {
			t.Errorf("got %q, want %q", last, want)
		}
		g.Press("End")
		g.Until(fmt.Sprintf("document.querySelector('#where').textContent == 'Event %d of %d'", state.At, state.At))
		end := g.Text("#described")
		g.Press("ArrowUp", "Home")
		g.Until("document.querySelector('#where').textContent.startsWith('Event 0 ')")
		if g.Text("#described") == end {
			t.Error("the beginning looks like the end")
		}
		g.Press("End")
		g.Until(fmt.Sprintf("document.querySelector('#where').textContent == 'Event %d of %d'", state.At, state.At))
		g.Click("#replay > button") // plays on
		g.Until("location.hash.startsWith('#game=') && document.body.dataset.waits == 'option'")
		if now := g.Text("#described"); now != end {
			t.Errorf("it goes on elsewhere:\n%s\nwant\n%s", now, end)
		}
	})

	t.Run("moving pieces", func(t *testing.T) {
		at := begun(t, host, door.Request{Rules: "ur", Seed: seed(8)})
		look := desktop
		look.Moving = true
		g := table{b.Open(t, address+at, look), t}
		const places = "[...document.querySelectorAll('.piece')].map(p => p.dataset.piece + p.getAttribute('transform')).sort().join()"
		moved, before := 0, ""
		for moved < 3 {
			if g.ready() == door.WaitsThrow {
				g.Click("#actions .main")
				g.Eval("document.querySelector('#actions .quiet')?.click()", nil) // a person who does not want to wait
			} else {
				g.Press("1")
			}
			g.ready()
			var now string
			if g.Eval(places, &now); now != before {
				moved, before = moved+1, now
			}
		}
		g.Reload()
		g.ready()
		var again string
		if g.Eval(places, &again); again != before {
			t.Errorf("pieces stand at %s, want %s", before, again)
		}
	})

	t.Run("bots alone, saved and loaded", func(t *testing.T) {
		at := begun(t, host, door.Request{Rules: "ur", Options: map[string]string{"pieces_each": "2"}, Seats: []string{"random", "greedy"}, Seed: seed(9)})
		g := table{b.Open(t, address+at, desktop), t}
		g.Until("document.body.dataset.waits == 'over'")
		end := g.Text("#described") + g.Text("#actions .result")
		g.Eval("URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text }); return '#' }", nil)
		g.Click("#save")
		g.Until("window.saved")
		var text string
		if g.Eval("window.saved", &text); !strings.HasPrefix(text, "rulerun record ") {
			t.Fatalf("saved: %.100q", text)
		}
		g.Eval("window.reach = fetch; window.fetch = () => Promise.reject(new Error()); window.saved = ''", nil)
		g.Click("#save") // the server is gone, and the page has the game
		g.Until("window.saved")
		var again string
		if g.Eval("window.fetch = reach; window.saved", &again); again != text {
			t.Errorf("without a server it saves %.100q", again)
		}
		g.Press("n")
		g.Until("document.querySelector('dialog [data-seat]')")
		g.Eval(`(() => {
			const files = new DataTransfer()
			files.items.add(new File([window.saved], 'saved.game.txt'))
			document.querySelector('#record').files = files.files
			document.querySelector('dialog details:has(#record)').open = true
		})()`, nil)
		g.Click("dialog button[value=replay]")
		g.Until("document.body.dataset.waits == 'replay'")
		g.Press("End")
		g.Until("document.querySelector('#slider').value == document.querySelector('#slider').max")
		if now := g.Text("#described"); now == "" || !strings.HasPrefix(end, now) {
			t.Errorf("it ends with %s, want %s", now, end)
		}
	})

	t.Run("a new game", func(t *testing.T) {
		g := table{b.Open(t, address, desktop), t}
		g.Until("document.querySelector('dialog [data-seat]')")
		g.Eval(`(() => { const book = document.querySelector('#book'); book.value = 'ur'; book.dispatchEvent(new Event('change')) })()`, nil)
		g.Until("document.querySelector('dialog [data-seat=white]')")
		g.Click("dialog .row .main")
		if g.ready() != door.WaitsThrow || !strings.Contains(g.Text("#title"), "Ur") {
			t.Errorf("%q waits for %q", g.Text("#title"), g.waits())
		}
	})

	t.Run("every board", func(t *testing.T) {
		g := table{b.Open(t, address+begun(t, host, door.Request{Rules: "parchis", Seed: seed(1)}), desktop), t}
		g.ready()
		for _, book := range host.Do(&door.Request{Do: door.DoList}).Books {
			if book.For != "" {
				continue
			}
			at := begun(t, host, door.Request{Rules: book.Name, Seed: seed(7)})
			played(t, host, strings.TrimPrefix(at, "#game="), 60)
			g.Eval(fmt.Sprintf("delete document.body.dataset.waits; location.hash = %q; 0", at), nil)
			g.ready()
			var lost []string
			g.Eval(`(() => {
				const room = document.querySelector('#board svg').getBoundingClientRect()
				return [...document.querySelectorAll('.piece')].filter(p => {
					const r = p.getBoundingClientRect()
					return r.width < 8 || r.left < room.left || r.right > room.right || r.top < room.top || r.bottom > room.bottom
				}).map(p => p.getAttribute('aria-label'))
			})()`, &lost)
			if len(lost) > 0 {
				t.Errorf("%s: pieces that cannot be seen: %v", book.Name, lost)
			}
			var high int
			if g.Eval("document.documentElement.scrollHeight", &high); high > desktop.Height {
				t.Errorf("%s: the page is %d pixels high and does not fit the screen", book.Name, high)
			}
			shot(t, g.Page, "board-"+book.Name)
		}
	})

	t.Run("for everyone", func(t *testing.T) {
		source := axe(t)
		phone := browser.Look{Width: 360, Height: 740, Touch: true}
		dark := desktop
		dark.Dark = true
		for name, c := range map[string]struct {
			book string
			look browser.Look
		}{"light": {"parchis", desktop}, "dark": {"patolli", dark}, "phone": {"cicloparchis", phone}} {
			at := begun(t, host, door.Request{Rules: c.book, Seed: seed(4)})
			g := table{b.Open(t, address+at, c.look), t}
			g.Eval(source, nil)
			for n := 0; g.ready() != door.WaitsOption && n < 100; n++ {
				g.Press("Enter")
			}
			g.Press("ArrowDown")
			g.Until("document.querySelector('[data-option].on')")
			g.Click("#tab-rules")
			g.examine(name + ", a move")
			g.contrast(name)
			shot(t, g.Page, "move-"+name)
			g.Click("#new")
			g.Until("document.querySelector('dialog [data-seat]')")
			g.examine(name + ", a new game")
			shot(t, g.Page, "new-"+name)
			if c.look == desktop {
				g.Press("Escape")
				g.Click("#tab-log")
				g.Press("F1")
				g.Until("document.querySelector('dialog table')")
				g.examine(name + ", the keys")
			}
		}
	})
}

// axe is the script of axe-core.
func axe(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile("testdata/node_modules/axe-core/axe.min.js")
	if err != nil {
		if os.Getenv(browser.Required) != "" {
			t.Fatalf("no axe-core: run npm ci in testdata: %v", err)
		}
		t.Skip("skipped for want of axe-core: run npm ci in testdata")
	}
	return string(source) + ";0"
}

// examine holds what is on the page to the rules of accessibility that axe-core knows, contrast and labels among them, and to targets of
// 24 pixels.
func (g table) examine(what string) {
	g.Helper()
	var found []struct {
		ID, Help string
		Nodes    []struct{ HTML, FailureSummary string }
	}
	g.Eval(`axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}).then(r => r.violations.map(v => (
		{ID: v.id, Help: v.help, Nodes: v.nodes.map(n => ({HTML: n.html, FailureSummary: n.failureSummary}))})))`, &found)
	for _, f := range found {
		for _, n := range f.Nodes {
			if f.ID == "scrollable-region-focusable" && strings.Contains(n.HTML, "cm-scroller") { // the text in it can be edited, and takes the focus
				continue
			}
			g.Errorf("%s: %s (%s)\n%s\n%s", what, f.Help, f.ID, n.HTML, n.FailureSummary)
		}
	}
	var small []string
	g.Eval(`[...document.querySelectorAll('button, select, input, summary, a')].filter(e => {
		const r = (e.closest('label') ?? e).getBoundingClientRect()
		return r.width > 0 && (r.width < 24 || r.height < 24)
	}).map(e => e.outerHTML)`, &small)
	if len(small) > 0 {
		g.Errorf("%s: targets of less than 24 pixels: %v", what, small)
	}
	var wide []string
	g.Eval(`[document.documentElement, ...document.querySelectorAll('dialog, #side, #page-log, #page-rules')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.tagName + e.id)`, &wide)
	if len(wide) > 0 {
		g.Errorf("%s: wider than there is room: %v", what, wide)
	}
}

// contrast holds the labels of squares in the colour of the board to a contrast of 4.5, and wants a dark board on a dark page.
func (g table) contrast(name string) {
	g.Helper()
	var got struct{ Label, Square float64 }
	g.Eval(`(() => {
		const luminance = e => {
			const [r, g, b] = getComputedStyle(e).fill.match(/[0-9.]+/g).map(v => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)
			return 0.2126 * r + 0.7152 * g + 0.0722 * b
		}
		return {Label: luminance(document.querySelector('.label.plain .fill-ink')), Square: luminance(document.querySelector('.square.plain .fill-paper'))}
	})()`, &got)
	low, high := min(got.Label, got.Square), max(got.Label, got.Square)
	if (high+0.05)/(low+0.05) < 4.5 || name == "dark" && got.Square > 0.1 {
		g.Errorf("%s: luminances of labels and squares are %v", name, got)
	}
}
