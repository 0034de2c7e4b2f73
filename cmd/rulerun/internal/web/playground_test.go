package web

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/browser"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
)

// shot keeps a screenshot for people, if they name a folder for it.
func shot(t *testing.T, p *browser.Page, name string) {
	t.Helper()
	if dir := os.Getenv("RULERUN_SHOTS"); dir != "" {
		data, err := p.Screenshot()
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// inEditor is the start of expressions about the editor, which has its own tree.
const inEditor = "document.querySelector('#workshop .editor').shadowRoot"

// TestPlayground writes a house rule beside a game, with the language server of this process.
func TestPlayground(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	b := browser.Start(t)
	host, address := served(t)
	at := begun(t, host, door.Request{Rules: "parchis", Players: 2, Seats: []string{"human", "greedy"}, Seed: seed(2)})
	g := table{b.Open(t, address+at, browser.Look{Width: 1400, Height: 900}), t}
	g.ready()
	for range 30 { // some pieces come out
		switch g.ready() {
		case door.WaitsThrow:
			g.Press("Enter")
		default:
			g.Press("1")
		}
	}
	g.ready()
	g.Click("#edit")
	g.Until("document.querySelector('dialog button[value=house]')")
	g.Click("dialog button[value=house]")
	g.Until("document.querySelector('#workshop')?.dataset.found == '0 0'")
	shot(t, g.Page, "pg-house")

	// A definition that comes with rulerun is shown, and a click leads back.
	const shown = "[..." + inEditor + ".querySelectorAll('.cm-line')].some(l => l.textContent.startsWith('ruleset parchis '))"
	for range 50 { // colours replace what was selected, and the editor sees a selection a moment later
		g.Eval("(l => l?.lastChild?.firstChild && getSelection().collapse(l.lastChild.firstChild, 2))("+inEditor+".querySelectorAll('.cm-line')[1])", nil)
		g.Eval("new Promise(done => setTimeout(done, 200))", nil)
		var done bool
		if g.Eval(shown, &done); done {
			break
		}
		g.Eval(inEditor+".querySelector('.cm-content')?.dispatchEvent(new KeyboardEvent('keydown', {key: 'F12', keyCode: 123, bubbles: true}))", nil)
	}
	g.Until(shown)
	shot(t, g.Page, "pg-definition")
	g.Eval("[..."+inEditor+".querySelectorAll('button')].find(b => b.textContent == '← Back').click()", nil)
	g.Until("!" + shown)

	// A mistake is found, and the quick fix mends it.
	g.Eval(inEditor+".querySelector('.cm-content').focus()", nil)
	g.Eval(`(async () => { const s = getSelection(); s.selectAllChildren(`+inEditor+`.querySelector('.cm-content')); s.collapseToEnd() })()`, nil)
	g.Press("Enter", "rule more \"A 6 that captures throws again\" {", "Enter", "on capture(p, victims) when dye == 6 { again }")
	g.Until("/^1 /.test(document.querySelector('#workshop').dataset.found)")
	shot(t, g.Page, "pg-broken")
	g.Until(inEditor + ".querySelector('.cm-lintRange-error')")
	g.Until(inEditor + ".querySelector('.cm-lintRange-error').textContent == 'dye'")
	hover(g, inEditor+".querySelector('.cm-lintRange-error')", inEditor+".querySelector('.cm-diagnosticAction')", "pg-fix")
	g.Until("/^0 /.test(document.querySelector('#workshop').dataset.found)")
	var text string
	g.Eval(inEditor+".querySelector('.cm-content').innerText", &text)
	if !strings.Contains(text, "when die == 6") {
		t.Errorf("the fix is not there:\n%s", text)
	}

	// It is played from the position.
	const standing = "[...document.querySelectorAll('.piece')].map(p => p.getAttribute('transform')).sort().join()"
	var before, now string
	g.Eval(standing, &before)
	g.Click("#workshop .main")
	g.Until("/played now/.test(document.querySelector('#workshop .status').textContent)")
	if g.Eval(standing, &now); now != before || before == "" {
		t.Errorf("the pieces are elsewhere: %s, before %s", now, before)
	}
	if rules := g.Text("#rules"); !strings.Contains(rules, "A 6 that captures throws again") {
		t.Errorf("the rules are others: %s", rules)
	}
	for range 4 {
		if g.ready() == door.WaitsThrow {
			g.Press("Escape")
			g.Click("#actions button")
		} else {
			g.Click("[data-option='0']")
			g.Until("document.querySelector('[data-option].on') || document.body.dataset.waits == 'busy'")
			g.Eval("document.querySelector('[data-option].on')?.click()", nil)
		}
	}
	g.ready()
	g.Click("#workshop button[title^='Write what']")
	g.Until("/The test is at the end/.test(document.querySelector('#workshop .status').textContent)")
	g.Until(inEditor + ".querySelector('.cm-lens')")
	shot(t, g.Page, "pg-test")
	g.Eval("[..."+inEditor+".querySelectorAll('.cm-lens')].at(-1).click()", nil)
	g.Until("/1 passed/.test(document.querySelector('#workshop .status').textContent)")
	shot(t, g.Page, "pg-passed")

	g.Click("#workshop button[title^='Play some']")
	g.Until("document.querySelector('#workshop').dataset.compared > 0")
	if text := g.Text("#workshop .figures"); !strings.Contains(text, "games of each") {
		t.Errorf("compare says %s", text)
	}
	shot(t, g.Page, "pg-compared")
}

// hover moves the mouse over an element and presses the button that it opens. Findings may be shown again meanwhile, which
// closes it.
func hover(g table, element, button, picture string) {
	g.Helper()
	for n := range 20 {
		var at []float64
		g.Eval("(() => { const r = "+element+".getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()", &at)
		g.Move(at[0]+float64(n%2), at[1])
		time.Sleep(500 * time.Millisecond) // what a pointer has to rest
		shot(g.T, g.Page, picture)
		var pressed bool
		if g.Eval("(b => !!b && (b.dispatchEvent(new MouseEvent('mousedown', {bubbles: true})), true))("+button+")", &pressed); pressed {
			return
		}
	}
	g.Fatalf("%s does not open %s", element, button)
}
