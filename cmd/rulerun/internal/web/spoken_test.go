package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/browser"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
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
