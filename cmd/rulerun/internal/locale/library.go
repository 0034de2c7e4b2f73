//go:build !js

package locale

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
	"golang.org/x/text/language"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/seq"
)

// command has the texts that only the command says. The module for browsers does without.
//
//go:embed command/*.json
var command embed.FS

// sources are the files of a language.
func sources(lang string) [][]byte {
	var out [][]byte
	for _, from := range []struct {
		files fs.FS
		name  string
	}{{files, lang + ".json"}, {command, "command/" + lang + ".json"}} {
		text, err := fs.ReadFile(from.files, from.name)
		if err != nil { // what is embedded is tested
			panic(err)
		}
		out = append(out, text)
	}
	return out
}

// bundle has the texts of a language, and the English ones for those it lacks. Other languages are not read: a run speaks one.
func bundle(lang string) *i18n.Bundle {
	b := i18n.NewBundle(language.English)
	base, _, _ := strings.Cut(lang, "-")
	for _, from := range Languages() {
		if from != "en" && from != base {
			continue
		}
		for _, text := range sources(from) {
			if _, err := b.ParseMessageFileBytes(text, from+".json"); err != nil {
				panic(err)
			}
		}
	}
	return b
}

// tags are the languages of a browser's list, the most wanted first; none if it cannot be read.
func tags(list string) []string {
	parsed, _, _ := language.ParseAcceptLanguage(list)
	return seq.Map(parsed, language.Tag.String)
}

// pseudo is the English texts in the language for tests.
func pseudo() *i18n.Bundle {
	b := i18n.NewBundle(language.English)
	for _, text := range sources("en") {
		messages, err := b.ParseMessageFileBytes(text, "en.json")
		if err != nil {
			panic(err)
		}
		for _, m := range messages.Messages {
			m.One, m.Other = catalogue.Pseudo{}.Text("", m.One), catalogue.Pseudo{}.Text("", m.Other)
		}
		b.MustAddMessages(language.English, messages.Messages...)
	}
	return b
}

// library is a localizer of go-i18n.
type library struct{ *i18n.Localizer }

func newLocalizer(lang string) localizer {
	if lang == catalogue.PseudoLang {
		return library{i18n.NewLocalizer(pseudo(), lang)}
	}
	return library{i18n.NewLocalizer(bundle(lang), lang)}
}

func (l library) text(key string, n any, args []any) (string, bool) {
	text, err := l.Localize(&i18n.LocalizeConfig{MessageID: key, TemplateData: args, TemplateParser: parser{}, PluralCount: n})
	return text, text != "" || err == nil
}

// parser fills holes.
type parser struct{}

func (parser) Cacheable() bool { return true }

func (parser) Parse(text, _, _ string) (template.ParsedTemplate, error) { return filled(text), nil }

type filled string

func (f filled) Execute(data any) (string, error) {
	args, _ := data.([]any)
	return fill(string(f), args), nil
}
