package leaflet

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/browser"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/rulesets"
)

// pages are how many pages the leaflet of a rule book has at most.
var pages = map[string]int{
	"cicloparchis": 7, "ludoteka": 8, "ludoteka_sin_dados": 6, "ludoteka_teams": 8, "ludoteka_two": 8, "parchis": 9, "parchis4a": 10, "patolli": 8,
	"casa": 7, "ludo": 5, "parcheesi": 7, "senet": 6, "snakes": 3, "ur": 5, "yut": 5,
}

// TestPaper prints the leaflets that come with the program on A4 and Letter: a house rule takes one page. Spanish texts are the longest.
func TestPaper(t *testing.T) {
	if testing.Short() {
		t.Skip("it prints all leaflets")
	}
	b := browser.Start(t)
	sheets := map[string]*Sheet{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if s := sheets[r.URL.Path[1:]]; s != nil { // browsers also ask for an icon
			_ = s.HTML(w)
		}
	}))
	defer server.Close()
	lib, load := library(t)
	for _, name := range lib.RulesNames() {
		book, most := load(name), pages[name]
		if book.TestsOnly() || most == 0 && !book.IsChange() {
			continue
		}
		o := Options{Lang: "es"}
		if most == 0 {
			o.Base = load(book.Base())
		}
		sheets[name] = make1(t, book, o)
		a4, letter := b.Open(t, server.URL+"/"+name, browser.Look{Width: 800, Height: 600}).Pages()
		if a4 == 0 || max(a4, letter) > max(1, most) {
			t.Errorf("%s: %d pages of A4, %d of Letter, want at most %d", name, a4, letter, max(1, most))
		}
	}
	for _, name := range (dsl.Library{Shipped: rulesets.FS}).RulesNames() {
		if pages[name] == 0 && !load(name).TestsOnly() {
			t.Errorf("how many pages may %s have?", name)
		}
	}
}
