package locale

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nicksnyder/go-i18n/v2/i18n"

	"github.com/rulerun/rulerun/dsl/catalogue"
)

func read(t *testing.T, lang string) map[string]*i18n.Message {
	t.Helper()
	out := map[string]*i18n.Message{}
	for _, text := range sources(lang) {
		list, err := i18n.ParseMessageFileBytes(text, lang+".json", map[string]i18n.UnmarshalFunc{"json": json.Unmarshal})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list.Messages {
			if out[m.ID] != nil {
				t.Errorf("%s: %s is there twice", lang, m.ID)
			}
			out[m.ID] = m
		}
	}
	return out
}

var hole = regexp.MustCompile(`\{\{\.([a-z]+)`)

func holes(text string) []string {
	var out []string
	for _, m := range hole.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// faults compares a catalogue with the English one: what is missing, outdated, unused, and holes that the English text has not.
func faults(english, other map[string]*i18n.Message) []string {
	var out []string
	for key, m := range english {
		x := other[key]
		switch {
		case x == nil || x.Other == "" || m.One != "" && x.One == "":
			out = append(out, key+": missing")
		case x.Hash != catalogue.Hash(m.Other):
			out = append(out, key+": outdated; the hash of the English text is "+catalogue.Hash(m.Other))
		default:
			for _, h := range append(holes(x.One), holes(x.Other)...) {
				if !slices.Contains(holes(m.Other), h) {
					out = append(out, fmt.Sprintf("%s: the English text has no hole %q", key, h))
				}
			}
		}
	}
	for key := range other {
		base := strings.TrimSuffix(strings.TrimSuffix(key, ".f"), ".m") // for nouns of a gender
		if english[key] == nil && english[base] == nil {
			out = append(out, key+": no English text")
		}
	}
	slices.Sort(out)
	return out
}

// TestCatalogues holds every language against English.
func TestCatalogues(t *testing.T) {
	english := read(t, "en")
	for _, lang := range Languages()[1:] {
		for _, fault := range faults(english, read(t, lang)) {
			t.Errorf("%s.json: %s", lang, fault)
		}
	}
	m := func(text string) *i18n.Message {
		return &i18n.Message{Other: text, Hash: catalogue.Hash("the " + text)}
	}
	got := faults(map[string]*i18n.Message{"a": {Other: "the a"}, "b": {Other: "the new b"}, "c": {Other: "the c"}, "e": {Other: "the {{.x}}"}},
		map[string]*i18n.Message{"a": m("a"), "b": m("b"), "d": m("d"), "e": {Other: "{{.y}}", Hash: catalogue.Hash("the {{.x}}")}})
	if len(got) != 4 {
		t.Errorf("the check finds %q, want one that is outdated, missing, unused and has a wrong hole", got)
	}
}

var (
	said = regexp.MustCompile(`\b(?:[sS]ay|told|hinted)\(["']([^"']*)["']([,)])`)
	// sentences are those of packages that have them in English: with their keys.
	sentences = regexp.MustCompile("(?:\\{Key: \"([a-z]+\\.)([a-z_]+)\", Text: |\\b(say|refuse)\\(\"([a-z_0-9]+)\", )(\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)")
	texts     = regexp.MustCompile(`["']([a-z][a-z_]*\.[a-z_.]*)["']`)
)

// TestKeys holds the keys that the code says against the texts there are.
func TestKeys(t *testing.T) {
	english := read(t, "en")
	used := map[string]bool{}
	err := filepath.WalkDir("../../", func(path string, d fs.DirEntry, err error) error {
		ext := filepath.Ext(path)
		if err != nil || d.IsDir() || ext != ".go" && ext != ".js" && ext != ".html" || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range said.FindAllStringSubmatch(string(text), -1) {
			used[m[1]] = true
			if key := m[1]; key != "" && english[key] == nil {
				t.Errorf("%s: there is no text %q", path, key)
			}
		}
		for _, m := range texts.FindAllStringSubmatch(string(text), -1) {
			used[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sayings, err := filepath.Glob("../../../../interpreter/record/*.go")
	if err != nil || len(sayings) == 0 {
		t.Fatal(sayings, err)
	}
	for _, name := range []string{"position", "setup", "scenario", "error", "review/judge", "bot/spec", "bot/greedy", "solve/table", "solve/store"} {
		sayings = append(sayings, "../../../../interpreter/"+name+".go")
	}
	for _, path := range sayings {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range sentences.FindAllStringSubmatch(string(text), -1) {
			key, said := m[1]+m[2], m[5]
			switch m[3] {
			case "say":
				key = "record." + m[4]
			case "refuse":
				key = "position." + m[4]
			}
			used[key] = true
			if want, err := strconv.Unquote(said); err != nil || english[key] == nil || english[key].Other != want {
				t.Errorf("%s: %s is %s, and another text in English", path, key, said)
			}
		}
	}
	for key := range english {
		family := key[:strings.LastIndexByte(key, '.')+1] // what a program adds the rest to
		if !used[key] && !used[family] {
			t.Errorf("nothing says %q", key)
		}
	}
}

func TestChoose(t *testing.T) {
	for want, preferences := range map[string][]string{
		"es":    {"es"},
		"":      {"C"},
		"es-MX": {"", "es_MX.UTF-8"},
		"es-AR": {"de-DE,es-AR;q=0.8,en;q=0.5"},
		"qps":   {"qps"},
	} {
		if got := Choose(preferences...); got != want {
			t.Errorf("%q: got %q, want %q", preferences, got, want)
		}
	}
	for _, p := range []string{"en_GB.UTF-8", "", "POSIX", "de", "en,es;q=0.5", "de,en,es", "\x00", "zz zz"} {
		if got := Choose(p); got != "" {
			t.Errorf("%q: got %q, want English", p, got)
		}
	}
}

// TestPage: a page names its languages, and says in each of them what it needs.
func TestPage(t *testing.T) {
	const page = `<html lang="en"><noscript></noscript>`
	for lang, want := range map[string]string{
		"": `<html lang="en" data-languages="{&#34;en&#34;:&#34;English&#34;,&#34;es&#34;:&#34;Español&#34;}">`, "es-MX": `<html lang="es-MX" data-lang="es-MX"`,
	} {
		got := Page(page, lang)
		if !strings.HasPrefix(got, want) || !strings.Contains(got, `<p lang="es">Esta página`) {
			t.Errorf("%q: got %s, want %s", lang, got, want)
		}
	}
	var texts map[string]any
	if err := json.Unmarshal(PageFiles()["words.es.json"], &texts); err != nil {
		t.Fatal(err)
	}
	if texts["page.new"] != "Partida nueva" || texts["leaflet.board"] != nil {
		t.Errorf("the texts of the page are %v", texts)
	}
	if plurals, _ := texts["workshop.mistakes"].(map[string]any); len(plurals) != 2 || plurals["one"] != "{{.n}} error" {
		t.Errorf("a text with plurals is %v", texts["workshop.mistakes"])
	}
}

type woman struct{}

func (woman) String() string { return "Ana" }

func (woman) Form(name string) string { return map[string]string{"gender": "f", "f": "la Ana"}[name] }

func TestSay(t *testing.T) {
	for got, want := range map[string]string{
		For("").Say("series.won", "n", 1, "list", "x"):   "Won after 1 game: x.",
		For("").Say("series.won", "n", 2, "list", "x"):   "Won after 2 games: x.",
		For("es").Say("series.won", "n", 1, "list", "x"): "Ganadas después de 1 partida: x.",
		For("es-MX").Say("answer.yes"):                   "sí",
		For("fr").Say("answer.yes"):                      "yes",
		For("qps").Say("answer.yes"):                     "«yés»",
		For("es").List([]string{"a", "b", "c"}):          "a, b y c",
		For("").Say("event.out", "who", woman{}):         "Ana is out",
		For("es").Decimal(12.54, 1):                      "12,5",
		For("").Decimal(12.54, 1):                        "12.5",
		For("").Say("no such key"):                       "no such key",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
