// Package catalogue reads, checks and writes the texts of rule books and boards in another language.
//
// A catalogue is a JSON file in the message format of go-i18n, which translation tools know. It lies beside the file it is
// for: the Spanish texts of house.rules are in house.es.json. Each text has a key made of what the rule file names, and the
// hash of the English text it was made from: a text whose English has changed since is not used.
package catalogue

import (
	"crypto/sha1"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
)

// MaxBytes is the largest catalogue that is read.
const MaxBytes = 1 << 20

// Text is an English text of a file, and its key.
type Text struct {
	Key, English string
	Span         source.Span
}

// Message is an entry of a catalogue.
type Message struct {
	Key         string      `json:"-"`
	Description string      `json:"description,omitempty"` // the English text, for people who translate
	Hash        string      `json:"hash,omitempty"`
	Other       string      `json:"other"`
	Span        source.Span `json:"-"`
}

// Catalogue is the texts of a file in one language. It is immutable.
type Catalogue struct {
	Lang     string
	Messages []Message
	byKey    map[string]int
	byText   map[string]string // by kind of key and hash
	file     *source.File
}

var name = pattern.Of(`^(.+)\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.json$`)

var language = pattern.Of(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// IsLang reports whether a text can be the name of a language: "es", "pt-BR".
func IsLang(lang string) bool { return language().MatchString(lang) }

// Split takes the name of a catalogue apart: "house.es.json" is "house" in "es".
func Split(file string) (of, lang string, ok bool) {
	m := name().FindStringSubmatch(file)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// Name is the name of the catalogue of a file called of, without its ending.
func Name(of, lang string) string { return of + "." + lang + ".json" }

// Hash identifies an English text, as the tool goi18n does.
func Hash(english string) string { return fmt.Sprintf("sha1-%x", sha1.Sum([]byte(english))) }

// Read reads a catalogue. It has what could be read, even if there are faults.
func Read(file *source.File, lang string) (*Catalogue, diag.List) {
	c := &Catalogue{Lang: lang, byKey: map[string]int{}, byText: map[string]string{}, file: file}
	var diags diag.List
	if !diags.Unread(file, MaxBytes) {
		c.read(file, &diags)
	}
	for _, m := range c.Messages {
		if m.Other == "" || m.Hash == "" {
			continue
		}
		if _, ok := c.byText[kind(m.Key)+m.Hash]; !ok {
			c.byText[kind(m.Key)+m.Hash] = m.Other
		}
	}
	return c, diags
}

// maxFaults is how many faults of a catalogue are reported.
const maxFaults = 100

func (c *Catalogue) read(file *source.File, diags *diag.List) {
	text := file.Text()
	if !json.Valid([]byte(text)) {
		err := json.Unmarshal([]byte(text), new(json.RawMessage))
		at := len(text)
		if s, ok := errors.AsType[*json.SyntaxError](err); ok && s.Offset > 0 {
			at = int(s.Offset) - 1
		}
		diags.Errorf("bad-catalogue", file.Span(at, at), "this is no JSON: %s", err).WithHint(`a text is written "rule.some_name": {"hash": "…", "other": "the text"}`)
		return
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if open, _ := d.Token(); open != json.Delim('{') {
		diags.Errorf("bad-catalogue", file.Span(0, 0), "a catalogue is a map of keys and texts, in {}")
		return
	}
	for d.More() && len(*diags) < maxFaults {
		from := int(d.InputOffset())
		key, _ := d.Token()
		to := int(d.InputOffset())
		from += strings.IndexByte(text[from:to], '"')
		m := Message{Key: fmt.Sprint(key), Span: file.Span(from, to)}
		var into any = &m
		if strings.HasPrefix(strings.TrimLeft(text[to:], " \t\r\n:"), `"`) {
			into = &m.Other
		}
		err := d.Decode(into)
		if first, twice := c.byKey[m.Key]; twice {
			diags.Errorf("bad-catalogue", m.Span, "a second text has the key %q", m.Key).WithNote(c.Messages[first].Span, "the first one")
			continue
		}
		if err != nil {
			diags.Errorf("bad-catalogue", m.Span, "this is no text: %s", strings.TrimPrefix(err.Error(), "json: ")).
				WithHint(`a text has "hash", "other" and perhaps "description"`)
			continue
		}
		c.byKey[m.Key] = len(c.Messages)
		c.Messages = append(c.Messages, m)
	}
}

// kind is the first part of a key: "rule".
func kind(key string) string {
	k, _, _ := strings.Cut(key, ".")
	return k
}

// text is the text for an English one: that of its key, or one of the same kind and English.
func (c *Catalogue) text(key, hash string) (string, bool) {
	if i, ok := c.byKey[key]; ok && c.Messages[i].Hash == hash && c.Messages[i].Other != "" {
		return c.Messages[i].Other, true
	}
	text, ok := c.byText[kind(key)+hash]
	return text, ok
}

// Words gives texts in another language.
type Words interface {
	// Text is the text with a key, the English one if there is no other.
	Text(key, english string) string
	// Forms are the forms of the text with a key that sentences need, by name: those of "colour.red" have keys such as
	// "colour.red.f".
	Forms(key string) map[string]string
}

// List is several catalogues: the first that has a text gives it.
type List []*Catalogue

// Text implements Words.
func (l List) Text(key, english string) string {
	hash := Hash(english)
	for _, c := range l {
		if text, ok := c.text(key, hash); ok {
			return text
		}
	}
	return english
}

// Forms implements Words.
func (l List) Forms(key string) map[string]string {
	out := map[string]string{}
	for _, c := range slices.Backward(l) {
		for _, m := range c.Messages {
			if form, ok := strings.CutPrefix(m.Key, key+"."); ok && m.Other != "" {
				out[form] = m.Other
			}
		}
	}
	return out
}

// Pseudo is a language for tests: every text that passes through it is in «».
type Pseudo struct{}

// PseudoLang is its name.
const PseudoLang = "qps"

var (
	accents = strings.NewReplacer("a", "à", "e", "é", "i", "î", "o", "ö", "u", "û", "n", "ñ")
	holes   = pattern.Of(`\{\{[^{}]*\}\}`)
)

// Text implements Words.
func (Pseudo) Text(_, english string) string {
	if english == "" {
		return ""
	}
	parts, kept := holes().Split(english, -1), holes().FindAllString(english, -1)
	var b strings.Builder
	for i, part := range parts {
		b.WriteString(accents.Replace(part))
		if i < len(kept) {
			b.WriteString(kept[i])
		}
	}
	return "«" + b.String() + "»"
}

// Forms implements Words.
func (Pseudo) Forms(string) map[string]string { return nil }
