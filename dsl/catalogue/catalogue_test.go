package catalogue

import (
	"slices"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

func TestHoles(t *testing.T) {
	if got := Saying("catch", "p sends q back, not pq", []string{"p", "q"}); got != "{{.p}} sends {{.q}} back, not pq" {
		t.Error(got)
	}
	if got := Saying("give_up", "", []string{"p", "_", "n"}); got != "give up {{.p}}, {{.n}}" {
		t.Error(got)
	}
	got := Fill("{{.p}} y {{ .q.f }}, {{x}} {{ {{.s}} {{.a b}} {{.r", func(name, form string) string { return "<" + name + " " + form + ">" })
	if got != "<p > y <q f>, {{x}} {{ <s > {{.a b}} {{.r" {
		t.Error(got)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string][2]string{
		"house.es.json": {"house", "es"}, "a.b.pt-BR.json": {"a.b", "pt-BR"}, "board.schema.json": {}, "house.json": {}, ".es.json": {},
	} {
		of, lang, ok := Split(name)
		if of != want[0] || lang != want[1] || ok != (want[1] != "") || ok && Name(of, lang) != name {
			t.Errorf("%s: %q, %q, %v", name, of, lang, ok)
		}
	}
}

// FuzzCatalogue looks for catalogues that panic, that lose a text when they are brought up to date, or that change when they are
// again.
func FuzzCatalogue(f *testing.F) {
	for _, text := range []string{
		"", "{}", `{"title": "Casa"}`, `{"rule.x": {"hash": "sha1-0", "other": "vieja", "description": "old"}, "rule.y.f": "y"}`, `{"a": {"b": 1}}`, `[{`,
	} {
		f.Add(text)
	}
	texts := []Text{{Key: "title", English: "House"}, {Key: "rule.x", English: "new"}, {Key: "act.go", English: "{{.p}} goes"}}
	f.Fuzz(func(t *testing.T, text string) {
		c, faults := Read(source.New("x.es.json", text), "es")
		c.Check(texts, nil, "es", source.Span{})
		if faults.HasErrors() {
			return
		}
		List{c}.Text("title", "House")
		updated := string(c.Update(texts))
		again, faults := Read(source.New("x.es.json", updated), "es")
		if len(faults) > 0 {
			t.Fatalf("%s\n%s", faults.Error(), updated)
		}
		for _, m := range c.Messages {
			if !slices.ContainsFunc(again.Messages, func(n Message) bool { return n.Key == m.Key }) {
				t.Errorf("%q is lost:\n%s", m.Key, updated)
			}
		}
		if twice := string(again.Update(texts)); twice != updated {
			t.Errorf("%s\nbecomes\n%s", updated, twice)
		}
	})
}
