// Package locale says what players read in their language: sentences by key, from a catalogue for each language.
//
// It owns go-i18n, which is maintained, knows the plural rules of languages, and whose files translation tools read: no code
// of ours has to know how a language counts. en.json is the source; the other catalogues have the hash of the English text that
// each of theirs translates. A catalogue more in this folder, and one in the folder command for what the command alone says, is a
// language more. The module for browsers has no room for it, see browser.go.
//
// What people meet who play is here: games, the verbs that show them with their help and faults, bots, boards, leaflets, pages. What
// authors meet is English and stands where it is said: the checker, the editor, the reference, the verbs that write, check and study
// rules (of these the first help alone is here), and what is wrong inside a file of rules, a board or a position.
package locale

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/seq"
)

//go:embed *.json
var files embed.FS

// Locale says texts in one language.
type Locale struct {
	Lang string // "es", "" for English
	say  localizer
}

// localizer is the texts of one language. n chooses the plural, unless it is nil; ok is false for a key without a text.
type localizer interface {
	text(key string, n any, args []any) (text string, ok bool)
}

// Noun is a value for a text that has forms: {{.Name.f}} is its form f. The form "gender" chooses between texts: if a text
// has the key "moved", that for feminine nouns may be "moved.f".
type Noun interface {
	String() string
	Form(name string) string
}

// Languages lists the languages there are catalogues for: English first.
func Languages() []string {
	list, _ := files.ReadDir(".")
	langs := seq.Map(list, func(f fs.DirEntry) string { return strings.TrimSuffix(f.Name(), ".json") })
	return append([]string{"en"}, slices.DeleteFunc(langs, func(lang string) bool { return lang == "en" })...)
}

var all sync.Map // Locale by language

// For is the locale of a language, "es-MX", as rules have it. What there is no catalogue for is English.
func For(lang string) *Locale {
	if l, ok := all.Load(lang); ok {
		return l.(*Locale)
	}
	l, _ := all.LoadOrStore(lang, &Locale{lang, newLocalizer(lang)})
	return l.(*Locale)
}

// Choose is the language that suits preferences best, the most wanted first: names of languages, "es_MX.UTF-8" as environments have
// them, "es, en;q=0.5" as browsers do. It is "" for English, and if there is nothing that suits.
func Choose(preferences ...string) string {
	for _, p := range preferences {
		if p == catalogue.PseudoLang {
			return p
		}
		if i := strings.IndexAny(p, ".@"); i >= 0 && !strings.Contains(p, ";") {
			p = p[:i]
		}
		for _, tag := range tags(strings.ReplaceAll(p, "_", "-")) {
			switch base, _, _ := strings.Cut(tag, "-"); {
			case base == "en":
				return ""
			case slices.Contains(Languages(), base):
				return tag
			}
		}
	}
	return ""
}

// Say is the text of a key. The arguments are names and values for its holes, {{.name}}; that of a number "n" chooses the plural.
func (l *Locale) Say(key string, args ...any) string {
	var n any
	gendered := ""
	for i := 0; i+1 < len(args); i += 2 {
		switch v := args[i+1].(type) {
		case int:
			if args[i] == "n" {
				n = v
			}
		case Noun:
			if gender := v.Form("gender"); gender != v.String() {
				gendered = key + "." + gender
			}
		}
	}
	if gendered != "" {
		if text, ok := l.say.text(gendered, n, args); ok {
			return text
		}
	}
	text, ok := l.say.text(key, n, args)
	if !ok { // the tests find keys without a text
		return key
	}
	return text
}

// fill fills the holes of a text as rule books' catalogues have them.
func fill(text string, args []any) string {
	return catalogue.Fill(text, func(name, form string) string {
		for i := 0; i+1 < len(args); i += 2 {
			if args[i] != name {
				continue
			}
			if n, ok := args[i+1].(Noun); ok && form != "" {
				return n.Form(form)
			}
			return fmt.Sprint(args[i+1])
		}
		return "{{." + name + "}}"
	})
}

// Decimal is a number with some decimals, as the language writes it.
func (l *Locale) Decimal(v float64, decimals int) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', decimals, 64), ".", l.Say("decimal"), 1)
}

// List lists words: "a, b and c".
func (l *Locale) List(words []string) string { return l.list("list.and", words) }

// Either lists words: "a, b or c".
func (l *Locale) Either(words []string) string { return l.list("list.or", words) }

func (l *Locale) list(key string, words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return l.Say(key, "first", strings.Join(words[:len(words)-1], ", "), "last", words[len(words)-1])
}
