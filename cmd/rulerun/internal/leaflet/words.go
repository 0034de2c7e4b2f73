package leaflet

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// English is the language of a sheet where no other is known.
const English = "en"

//go:embed en.json es.json
var catalogues embed.FS

// message is a text in the format of go-i18n.
type message struct {
	One   string `json:"one,omitempty"`
	Other string `json:"other"`
}

// words are the texts of sheets in a language.
type words struct {
	lang  string
	texts map[string]message
}

// Languages lists the languages of sheets.
func Languages() []string { return []string{English, "es"} }

// Preferred is the first language of a browser's list, as "es-MX,es;q=0.9,en;q=0.8", that sheets have; English if there is none.
func Preferred(languages string) string {
	for _, l := range strings.Split(languages, ",") {
		l, _, _ = strings.Cut(strings.TrimSpace(l), ";")
		if base, _, _ := strings.Cut(l, "-"); slices.Contains(Languages(), base) {
			return base
		}
	}
	return English
}

// in finds the texts of a language, "es" or "es-MX"; English ones where there is no catalogue.
func in(lang string) words {
	base, _, _ := strings.Cut(lang, "-")
	data, err := catalogues.ReadFile(base + ".json")
	if err != nil {
		base = English
		data, _ = catalogues.ReadFile(base + ".json")
	}
	w := words{lang: base}
	if err := json.Unmarshal(data, &w.texts); err != nil {
		panic(err) // a test reads all of them
	}
	return w
}

// say is a text with values for the names in it: pairs of a name and a value. The value N selects the singular.
func (w words) say(key string, pairs ...any) string {
	m, ok := w.texts[key]
	if !ok {
		panic("leaflet: there is no text " + key)
	}
	values := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i].(string)] = pairs[i+1]
	}
	text := m.Other
	if m.One != "" && values["N"] == 1 {
		text = m.One
	}
	var out strings.Builder
	if err := template.Must(template.New(key).Parse(text)).Execute(&out, values); err != nil {
		panic(fmt.Sprintf("leaflet: %s: %v", key, err))
	}
	return out.String()
}

// join lists words: "a, b and c".
func (w words) join(list []string) string { return w.list(list, "list.and") }

// or lists words to choose from: "a, b or c".
func (w words) or(list []string) string { return w.list(list, "list.or") }

func (w words) list(list []string, last string) string {
	n := len(list) - 1
	if n < 1 {
		return strings.Join(list, "")
	}
	return w.say(last, "A", strings.Join(list[:n], ", "), "B", list[n])
}
