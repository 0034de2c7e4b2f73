package locale

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/catalogue"
)

// Page is a page in HTML with the languages there are, the one to begin with, "" if the browser chooses, and with what is said
// where scripts do not run. The page gets its other texts from files that it finds beside it, see PageFiles.
func Page(page, lang string) string {
	names := map[string]string{}
	var noscript strings.Builder
	for _, l := range Languages() {
		names[l] = For(l).Say("language") // what it calls itself: "Español"
		fmt.Fprintf(&noscript, "<p lang=%q>%s</p>", l, html.EscapeString(For(l).Say("page.no_script")))
	}
	if lang == catalogue.PseudoLang {
		names[lang] = lang
	}
	list, _ := json.Marshal(names)
	root := fmt.Sprintf("<html lang=%q", cmp.Or(lang, "en"))
	if lang != "" {
		root += fmt.Sprintf(" data-lang=%q", lang)
	}
	root += ` data-languages="` + html.EscapeString(string(list)) + `"`
	return strings.NewReplacer(`<html lang="en"`, root, "<noscript></noscript>", "<noscript>"+noscript.String()+"</noscript>").Replace(page)
}

// PageFiles are the texts of a page by the names of its files, one for each language.
func PageFiles(langs ...string) map[string][]byte {
	out := map[string][]byte{}
	for _, l := range slices.Concat(Languages(), langs) {
		texts := messages(l)
		maps.DeleteFunc(texts, func(key string, _ text) bool { // pages of their own, and what the door says
			return strings.HasPrefix(key, "leaflet.") || strings.HasPrefix(key, "compare.")
		})
		out["words."+l+".json"], _ = json.Marshal(texts) // plain texts can always be encoded
	}
	return out
}
