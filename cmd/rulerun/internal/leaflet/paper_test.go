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

// TestPaper prints the leaflets that come with the program on A4 and Letter: a house rule takes one page of either. Letter is lower, so that
// other leaflets may take a page more on it. Spanish texts are the longest.
func TestPaper(t *testing.T) {
	if testing.Short() {
		t.Skip("it prints all leaflets")
	}
	var shown *Sheet
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if shown != nil && r.URL.Path == "/leaflet" { // browsers also ask for an icon
			_ = shown.HTML(w)
		}
	}))
	defer server.Close()
	page := browser.Start(t).Open(t, server.URL, browser.Look{Width: 800, Height: 600})
	lib, load := library(t)
	for _, name := range lib.RulesNames() {
		book, most := load(name), pages[name]
		if book.TestsOnly() || most == 0 && !book.IsChange() {
			continue
		}
		o := Options{Lang: "es"}
		if most == 0 {
			most, o.Base = 1, load(book.Base())
		}
		shown = make1(t, book, o)
		page.Load(server.URL + "/leaflet")
		if title := page.Text("h1"); title != shown.Title {
			t.Errorf("%s: the leaflet of %q shows", name, title)
		}
		if a4, letter := page.Beyond(most); a4 > 0 || letter > min(1, most-1) {
			t.Errorf("%s: beyond %d there are %d pages of A4, %d of Letter", name, most, a4, letter)
		}
	}
	for _, name := range (dsl.Library{Shipped: rulesets.FS}).RulesNames() {
		if pages[name] == 0 && !load(name).TestsOnly() {
			t.Errorf("how many pages may %s have?", name)
		}
	}
}
