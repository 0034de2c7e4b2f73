package catalogue

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Check compares the catalogue with the texts of its file. It reports texts without translation, translations of a text
// that has changed since, and those of neither these nor the other texts that the catalogue is for. A nil catalogue has nothing:
// then at is the place of the finding.
func (c *Catalogue) Check(texts, others []Text, lang string, at source.Span) diag.List {
	var diags diag.List
	if c == nil {
		if len(texts) > 0 {
			diags.Infof("untranslated", at, "there is no catalogue in %s: %s without translation", lang, diag.Plural(len(texts), "text")).
				WithHint("rulerun words writes one")
		}
		return diags
	}
	used := seq.Set(slices.Concat(texts, others), func(t Text) string { return t.Key })
	for _, t := range texts {
		if i, ok := c.byKey[t.Key]; ok {
			c.check(&c.Messages[i], t, &diags)
		} else {
			diags.Infof("untranslated", t.Span, "there are no words in %s for %s", c.Lang, t.Key).
				WithHint("rulerun words adds the key to %s", c.file.Name())
		}
	}
	for _, m := range c.Messages {
		if !used[m.Key] && !c.isForm(m.Key, used) {
			diags.Warnf("unused-words", m.Span, "the file has no text %q", m.Key).WithHint("take it out, or give it the key of the text it is for")
		}
	}
	diags.Sort()
	return diags
}

func (c *Catalogue) check(m *Message, t Text, diags *diag.List) {
	switch {
	case m.Other == "":
		diags.Infof("untranslated", m.Span, "there are no words in %s for %s", c.Lang, m.Key)
		return
	case m.Hash == "":
		diags.Warnf("outdated-words", m.Span, "nothing says which English text this is a translation of").WithHint("rulerun words adds the hash of the present one")
	case m.Hash != Hash(t.English):
		diags.Warnf("outdated-words", m.Span, "the English text has changed: %q", t.English).WithNote(t.Span, "here").
			WithHint("rulerun words marks it; translate it again")
	}
	want, _ := holesOf(t.English)
	got, wrong := holesOf(m.Other)
	if wrong != "" || slices.ContainsFunc(got, func(name string) bool { return !slices.Contains(want, name) }) {
		d := diags.Errorf("bad-catalogue", m.Span, "the text has a hole that the English one has not, in %q", m.Other)
		if len(want) > 0 {
			d.WithHint("there is: {{.%s}}", strings.Join(want, "}}, {{."))
		}
	}
}

// isForm reports whether a key is that of a form of a text: colour.red.f.
func (c *Catalogue) isForm(key string, used map[string]bool) bool {
	i := strings.LastIndexByte(key, '.')
	return i > 0 && used[key[:i]] && kind(key) == "colour"
}

// Outdated begins the part of a description that keeps a translation of a former English text.
const outdated = " — translation of the text before: "

// Update is the catalogue with the texts of its file as they are: those it lacks are added without translation, one of a
// text that has changed is kept in the description, and one of no text stays at the end. c may be nil.
func (c *Catalogue) Update(texts []Text) []byte {
	var out []Message
	done := map[string]bool{}
	if c == nil {
		c = &Catalogue{}
	}
	for _, t := range texts {
		if done[t.Key] {
			continue
		}
		done[t.Key] = true
		m := Message{Key: t.Key, Hash: Hash(t.English), Description: t.English}
		if i, ok := c.byKey[t.Key]; ok {
			old := c.Messages[i]
			switch {
			case old.Hash != "" && old.Hash != m.Hash && old.Other != "":
				m.Description += outdated + old.Other
			case old.Other == "":
				if _, kept, ok := strings.Cut(old.Description, outdated); ok {
					m.Description += outdated + kept
				}
			default:
				m.Other = old.Other
			}
		}
		out = append(out, m)
		for _, form := range c.Messages {
			if strings.HasPrefix(form.Key, t.Key+".") && !done[form.Key] && !slices.ContainsFunc(texts, func(t Text) bool { return t.Key == form.Key }) {
				done[form.Key] = true
				out = append(out, form)
			}
		}
	}
	return write(append(out, seq.Filter(c.Messages, func(m Message) bool { return !done[m.Key] })...))
}

func write(messages []Message) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	put := func(v any) {
		_ = e.Encode(v) // plain texts can always be encoded
		b.Truncate(b.Len() - 1)
	}
	b.WriteString("{")
	for i, m := range messages {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  ")
		put(m.Key)
		b.WriteString(": {")
		for j, f := range [][2]string{{"description", m.Description}, {"hash", m.Hash}, {"other", m.Other}} {
			if f[1] == "" && j < 2 {
				continue
			}
			if b.Bytes()[b.Len()-1] != '{' {
				b.WriteString(",")
			}
			b.WriteString("\n    ")
			put(f[0])
			b.WriteString(": ")
			put(f[1])
		}
		b.WriteString("\n  }")
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}
