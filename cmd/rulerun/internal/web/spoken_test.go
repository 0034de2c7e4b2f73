package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/browser"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl/catalogue"
)

// TestSpoken plays in the language that the browser prefers, and changes it on the page.
func TestSpoken(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	b := browser.Start(t)
	host, address := served(t)
	phone := browser.Look{Width: 360, Height: 740, Touch: true, Languages: "es-MX,es"}

	t.Run("a first game in Spanish", func(t *testing.T) {
		look := desktop
		look.Languages = phone.Languages
		g := table{b.Open(t, address, look), t}
		g.Until("document.querySelector('dialog [data-seat]')")
		if title, lang := g.Text("dialog h2"), g.Text("dialog button.main"); title != "Partida nueva" || lang != "Empezar" {
			t.Errorf("the first dialog says %q, %q", title, lang)
		}
		g.Click("dialog button.main")
		if g.ready() != door.WaitsThrow || g.Text("#question") != "Le toca tirar al amarillo para ver quién empieza" {
			t.Errorf("the question is %q", g.Text("#question"))
		}
		var lang string
		if g.Eval("document.documentElement.lang", &lang); lang != "es-MX" {
			t.Errorf("the page is in %q", lang)
		}
	})

	t.Run("another language", func(t *testing.T) {
		at := begun(t, host, door.Request{Rules: "parchis", Seed: seed(6)})
		g := table{b.Open(t, address+at, desktop), t}
		for range 4 {
			for g.ready() != door.WaitsOption {
				g.Press("Enter")
			}
			g.Press("1")
		}
		for g.ready() != door.WaitsOption {
			g.Press("Enter")
		}
		const standing = "[...document.querySelectorAll('.piece')].map(p => p.dataset.piece + p.getAttribute('transform')).sort().join() + document.body.dataset.at"
		choose := func(lang string) {
			g.Eval(fmt.Sprintf("(f => { delete document.body.dataset.waits; f.value = %q; f.dispatchEvent(new Event('change')) })(document.querySelector('#language select'))", lang), nil)
			g.Until(fmt.Sprintf("document.documentElement.lang == %q", lang))
			g.Until("document.body.dataset.waits == 'option'")
		}
		var before, now string
		english := g.Text("#log") + g.Text("#question")
		g.Eval(standing, &before)
		choose("es")
		if g.Eval(standing, &now); now != before {
			t.Errorf("another position: %s, before %s", now, before)
		}
		if text := g.Text("#log"); !strings.Contains(text, "amarillo") || strings.Contains(text, "yellow") || g.Text("#new") != "Partida nueva" {
			t.Errorf("the page says %q, the log:\n%s", g.Text("#new"), text)
		}
		if text := g.Text("#described"); !strings.HasPrefix(text, "amarillas: ") {
			t.Errorf("who does not see the board hears %q", text)
		}
		g.Press("1") // the game goes on
		for g.ready() != door.WaitsOption {
			g.Press("Enter")
		}
		g.Press("u")
		g.Until("document.querySelector('#note').textContent.startsWith('Jugada deshecha')")
		g.Reload() // the choice is remembered
		g.Until("document.body.dataset.waits == 'option'")
		if g.Text("#new") != "Partida nueva" {
			t.Errorf("loaded again the page says %q", g.Text("#new"))
		}
		choose("en")
		if text := g.Text("#log") + g.Text("#question"); text != english {
			t.Errorf("back in English:\n%s\nbefore:\n%s", text, english)
		}
	})

	t.Run("rules beside the game", func(t *testing.T) {
		g := table{b.Open(t, address+begun(t, host, door.Request{Rules: "parchis", Seed: seed(6)}), desktop), t}
		g.ready()
		g.Click("#edit")
		g.Until("document.querySelector('dialog button[value=house]')")
		g.Click("dialog button[value=house]")
		g.Until("document.querySelector('#workshop')?.dataset.found == '0 0'")
		g.Press("// kept\n")
		g.Eval("(f => { f.value = 'es'; f.dispatchEvent(new Event('change')) })(document.querySelector('#language select'))", nil)
		g.Until("document.querySelector('#workshop .main')?.textContent == 'Seguir jugando' && document.querySelector('#workshop').dataset.found == '0 0'")
		var text string
		if g.Eval(inEditor+".querySelector('.cm-content').innerText", &text); !strings.HasPrefix(text, "// kept") || g.Text("#workshop .found") != "sin avisos" {
			t.Errorf("the editor says %q of\n%s", g.Text("#workshop .found"), text)
		}
		g.Click("#workshop .main")
		g.Until("document.querySelector('#workshop .status').textContent.startsWith('Ahora se juega con estas reglas')")
	})

	t.Run("a phone", func(t *testing.T) {
		at := begun(t, host, door.Request{Rules: "parchis4a", Seed: seed(4)})
		g := table{b.Open(t, address+at, phone), t}
		g.Eval(axe(t), nil)
		for g.ready() != door.WaitsOption {
			g.Tap("#actions button")
		}
		g.Tap("[data-option='0']")
		g.examine("a phone in Spanish, a move")
		shot(t, g.Page, "es-phone-move")
		g.Tap("#new")
		g.Until("document.querySelector('dialog [data-seat]')")
		g.examine("a phone in Spanish, a new game")
		shot(t, g.Page, "es-phone-new")
	})
}

// escaped lists what the page shows or says that has a word with a letter that the language for tests has not. Names of rules
// and files and the text of rules are the same in every language.
const escaped = `(() => {
	const found = [], unmarked = /[\p{L}]*[aeioun][\p{L}]*/u
	const look = (text, of) => { if (unmarked.test((text ?? '').replace(/^rulerun$|– rulerun$|[\w-]+\.(game\.txt|rules)|\([a-z_0-9]+(, [A-Z0-9-]+)*\)/g, ''))) found.push(of + ': ' + text) }
	const walk = node => {
		if (node.nodeType === Node.TEXT_NODE) return look(node.data, node.parentElement.tagName + '#' + node.parentElement.id)
		if (node.nodeType !== Node.ELEMENT_NODE || node.matches('script, style, noscript, .where, .editor, .language option, textarea, pre, .file')) return
		for (const name of ['aria-label', 'title', 'placeholder', 'label', 'alt', 'data-take']) look(node.getAttribute(name), node.tagName + ' ' + name)
		node.childNodes.forEach(walk)
	}
	walk(document.body)
	look(document.title, 'title')
	return [...new Set(found)]
})()`

// TestNothingEscapes looks at the page in the language for tests.
func TestNothingEscapes(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	b := browser.Start(t)
	host, address := servedIn(t, catalogue.PseudoLang)
	seen := map[string]bool{}
	look := func(g table) {
		t.Helper()
		var found []string
		g.Eval(escaped, &found)
		for _, text := range found {
			if !seen[text] {
				seen[text] = true
				t.Errorf("this escapes: %s", text)
			}
		}
	}

	g := table{b.Open(t, address, desktop), t}
	g.Until("document.querySelector('dialog [data-seat]')")
	names := []string{"parchis"} // the last one is played
	for _, book := range host.Do(&door.Request{Do: door.DoList}).Books {
		names = append(names, book.Name)
	}
	for _, name := range slices.Backward(names) {
		g.Eval(fmt.Sprintf("(book => { book.value = %q; document.querySelector('#details').replaceChildren(); book.dispatchEvent(new Event('change')) })(document.querySelector('#book'))", name), nil)
		g.Until("document.querySelector('dialog [data-seat]')")
		look(g)
	}
	g.Click("dialog .row .main")
	g.ready()
	for _, key := range []string{"F1", "?", "g", "n", "e"} {
		for g.ready() != door.WaitsOption {
			g.Press("Enter")
		}
		g.Press(key)
		g.Until("document.querySelector('dialog')")
		look(g)
		g.Press("Escape")
		g.Until("!document.querySelector('dialog')")
	}
	g.Eval("URL.createObjectURL = () => '#'", nil)
	for _, key := range []string{"h", "s", "u", "u", "9", "r", "l"} {
		g.Press(key)
		g.Until("!/^«Thî/.test(document.querySelector('#note').textContent)") // it thinks
		look(g)
	}
	g.Click("#edit")
	g.Until("document.querySelector('dialog button[value=house]')")
	g.Click("dialog button[value=house]")
	g.Until("document.querySelector('#workshop')?.dataset.found")
	look(g)
	g.Eval(inEditor+".querySelector('.cm-content').dispatchEvent(new KeyboardEvent('keydown', {key: 'f', ctrlKey: true, keyCode: 70, bubbles: true}))", nil)
	g.Until(inEditor + ".querySelector('.cm-search')")
	var said []string
	g.Eval("[..."+inEditor+".querySelectorAll('.cm-search :is(label, button:not([name=close]))')].map(e => e.textContent)", &said)
	if len(said) == 0 || slices.ContainsFunc(said, func(text string) bool { return !strings.Contains(text, "«") }) {
		t.Errorf("the editor says %q", said)
	}
	g.Click("#workshop button[title^='«Wrîté whàt']")
	g.Until("document.querySelector('#workshop .status').textContent")
	look(g)
	g.Click("#workshop button[title^='«A lîñk']")
	g.Until("document.querySelector('dialog textarea')")
	look(g)

	for name, c := range map[string]door.Request{
		"everybody": {Rules: "parchis4a", Seats: slices.Repeat([]string{"human"}, 4), Seed: seed(3)},
		"secret":    {Rules: "cicloparchis", Options: map[string]string{"mode": "secret"}, Seats: []string{"human", "human", "easy", "easy"}, Seed: seed(5)},
		"patolli":   {Rules: "patolli", Seed: seed(2)},
	} {
		g := table{b.Open(t, address+begun(t, host, c), desktop), t}
		for n := 0; n < 25 && g.ready() != door.WaitsOver; n++ {
			look(g)
			if g.waits() == door.WaitsOption && n%7 == 0 {
				g.Press("?")
				g.Until("document.querySelector('dialog')")
				look(g)
				g.Press("Escape")
			}
			if g.waits() == door.WaitsThrow || g.waits() == "hidden" {
				g.Press("Enter")
			} else {
				g.Press("ArrowDown", "Enter")
			}
		}
		look(g)
		var at string
		g.Eval("document.body.dataset.at", &at)
		t.Logf("%s: %s events", name, at)
	}
	_, id, _ := strings.Cut(begun(t, host, door.Request{Rules: "ur", Seats: []string{"easy", "easy"}, Seed: seed(9)}), "=")
	played(t, host, id, 3000)
	replay := host.Do(&door.Request{Do: door.DoReplay, Text: host.Do(&door.Request{Do: door.DoRecord, Game: id}).Record})
	g = table{b.Open(t, address+"#replay="+replay.Game, desktop), t}
	g.Until("document.querySelector('#slider')")
	look(g)
	g.Press("End")
	look(g)
	g = table{b.Open(t, address+begun(t, host, door.Request{Rules: "ur", Seats: []string{"easy", "easy"}, Seed: seed(9)}), desktop), t}
	g.Until("document.body.dataset.waits == 'over'")
	look(g)
	var marked bool
	if g.Eval("document.body.textContent.includes('«')", &marked); !marked {
		t.Error("nothing is in the language for tests")
	}
}
