package web

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/browser"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
)

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
			g.Eval("document.querySelector('[data-option=\"0\"]').dataset.clicked = 1", nil)
			g.Click("[data-option='0']")
			g.Until("document.querySelector('[data-option].on') || document.body.dataset.waits == 'busy' || !document.querySelector('[data-clicked]')") // the move may be over already
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

	// A page that is loaded again goes on with what is being written.
	g.Eval(inEditor+".querySelector('.cm-content').focus()", nil)
	g.Press("// not played yet")
	g.Reload()
	g.Until("document.querySelector('#workshop')?.dataset.found")
	if g.Eval(inEditor+".querySelector('.cm-content').innerText", &text); !strings.Contains(text, "// not played yet") {
		t.Errorf("after loading again the editor has:\n%s", text)
	}
	g.Click("#workshop .row button:last-child") // closes it
	g.Click("#edit")
	g.Until("document.querySelector('#workshop')?.dataset.found")
	if g.Eval(inEditor+".querySelector('.cm-content').innerText", &text); !strings.Contains(text, "// not played yet") {
		t.Errorf("opened again the editor has:\n%s", text)
	}
}

// TestCopies: copies of files that come with rulerun are those files, as long as they are not changed; rules of a link that cannot be played
// can be edited.
func TestCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	b := browser.Start(t)
	host, address := served(t)
	at := begun(t, host, door.Request{Rules: "parchis", With: []string{"clean_win"}, Seed: seed(2)})
	g := table{b.Open(t, address+at, desktop), t}
	g.ready()
	g.Click("#edit")
	g.Until("document.querySelector('#workshop')?.dataset.found == '0 0'")
	g.Click("#workshop .main")
	g.Until("/played now/.test(document.querySelector('#workshop .status').textContent)")
	var id string
	g.Eval("location.hash.slice('#game='.length)", &id)
	if record := host.Do(&door.Request{Do: door.DoRecord, Game: id}).Record; !strings.Contains(record, "\nrules parchis\nwith clean_win\n") || strings.Contains(at, id) {
		t.Errorf("the record of rules that are not changed:\n%.200s", record)
	}

	var link string
	g.Eval(`import('./link.js').then(m => m.linkOf({ rules: 'ours.rules', files: { 'ours.rules': 'change ours "Ours" for ur\n\nset nothing = 5\n' } }))`, &link)
	g = table{b.Open(t, address+link, desktop), t}
	g.Until("document.querySelector('dialog button[value=edit]')")
	g.Click("dialog button[value=edit]")
	g.Until("/^1 /.test(document.querySelector('#workshop')?.dataset.found)")
	if title := g.Text("#title"); !strings.Contains(title, "Ur") {
		t.Errorf("a change for Ur is written beside %s", title)
	}
	g.Eval("(d => { d.setData('text/plain', ' '.repeat(300_000)); "+inEditor+".querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData: d, bubbles: true, composed: true, cancelable: true })) })(new DataTransfer())", nil)
	g.Until("/too long/.test(document.querySelector('#workshop .status.fault').textContent)")
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

// TestEditing uses what the language server offers in the editor, on a game with a change: completion, hover, rename and
// format. Then axe-core looks at the page, light and dark.
func TestEditing(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	b := browser.Start(t)
	host, address := served(t)
	const change = "change quick \"Quick\" for parchis\n\nlet  much = 5\nset capture_count = 7\n\nrule more \"A capture throws again\" {\n  on capture(p, victims) when much > 4 { again }\n}\n"
	books := map[string]any{"rules": "parchis.rules", "with": []string{"clean_win", "quick.rules"}, "files": host.Do(&door.Request{
		Do: door.DoSource, Rules: "parchis", With: []string{"clean_win", "quick.rules"}, Files: map[string]string{"quick.rules": change}}).Source.Files}
	rules, err := json.Marshal(books)
	if err != nil {
		t.Fatal(err)
	}
	for _, dark := range []bool{false, true} {
		look := browser.Look{Width: 1400, Height: 900}
		if dark {
			look = browser.Look{Width: 360, Height: 740, Dark: true, Touch: true}
		}
		var link string
		b.Open(t, address, look).Eval("import('./link.js').then(m => m.linkOf("+string(rules)+"))", &link)
		g := table{b.Open(t, address+link, look), t}
		g.Until("document.querySelector('dialog button[value=edit]')")
		g.Click("dialog button[value=edit]")
		g.Until("document.querySelector('#workshop')?.dataset.found")
		g.Until("document.querySelector('#workshop select').value == 'quick.rules'")
		if dark {
			g.Until(inEditor + ".querySelector('.t-keyword')")
			shot(t, g.Page, "editing-dark")
			g.Eval(axe(t), nil)
			g.examine("the editor, dark, on a phone")
			break
		}
		line := func(n int) string { return shownEditor + ".querySelectorAll('.cm-line')[" + fmt.Sprint(n) + "]" }
		text := func() (out string) { g.Eval(shownEditor+".querySelector('.cm-content').innerText", &out); return out }

		// Hover says what a name is.
		g.Until(line(6) + "?.querySelector('.t-keyword')")
		var where []float64
		g.Eval("(() => { const r = document.createRange(), at = [...("+line(6)+").querySelectorAll('span')].find(s => s.textContent.includes('capture')) ?? "+line(6)+"; r.selectNodeContents(at); const b = r.getBoundingClientRect(); return [b.x + 10, b.y + b.height / 2] })()", &where)
		for n := 0; n < 20; n++ {
			g.Move(where[0]+float64(n%3), where[1])
			time.Sleep(500 * time.Millisecond)
			var there bool
			if g.Eval("!!"+inEditor+".querySelector('.cm-tooltip-hover')", &there); there {
				break
			}
		}
		g.Until(inEditor + ".querySelector('.cm-tooltip-hover')?.textContent.includes('capture')")
		shot(t, g.Page, "editing-hover")
		g.Move(5, 5)

		// Format puts the spaces right.
		g.Click("#workshop button[title^='Format']")
		g.Until(line(2) + ".textContent == 'let much = 5'")

		// A name is changed wherever it is used.
		g.Eval("getSelection().collapse([...document.createTreeWalker("+line(2)+", NodeFilter.SHOW_TEXT).root.childNodes].flatMap(n => n.firstChild ?? n).find(n => n.textContent.includes('much')), 1)", nil)
		g.Eval(shownEditor+".querySelector('.cm-content').focus()", nil)
		g.Until(shownEditor + ".querySelector('.cm-activeLine')?.textContent == 'let much = 5'")
		g.Eval(shownEditor+".querySelector('.cm-content').dispatchEvent(new KeyboardEvent('keydown', {key: 'F2', keyCode: 113, bubbles: true}))", nil)
		g.Until(shownEditor + ".querySelector('.cm-panel input')")
		g.Eval("(i => { i.focus(); i.select() })("+shownEditor+".querySelector('.cm-panel input'))", nil)
		g.Press("plenty", "Enter")
		g.Until(line(6) + ".textContent.includes('plenty')")
		if got := text(); !strings.Contains(got, "let plenty = 5") || strings.Contains(got, "much") {
			t.Errorf("after the rename:\n%s", got)
		}

		// Completion offers what can stand there.
		g.Eval("(c => { c.focus(); getSelection().selectAllChildren(c); getSelection().collapseToEnd() })("+shownEditor+".querySelector('.cm-content'))", nil)
		g.Press("Enter", "set goal_c")
		g.Until(inEditor + ".querySelector('.cm-tooltip-autocomplete')?.textContent.includes('goal_count')")
		shot(t, g.Page, "editing-completion")
		time.Sleep(200 * time.Millisecond) // a completion that has just come takes no Enter
		g.Press("Enter")
		g.Until(shownEditor + ".querySelector('.cm-content').innerText.includes('set goal_count')")

		g.Eval(axe(t), nil)
		g.examine("the editor, light")
	}
}

// shownEditor is the file that the editor shows.
const shownEditor = "[..." + inEditor + ".querySelectorAll('.cm-editor')].find(e => e.style.display != 'none')"
