package locale

import (
	"encoding/json"
	"strings"

	"github.com/rulerun/rulerun/dsl/catalogue"
)

// text is a text by its plurals: "other", and "one" and so on where the language counts.
type text map[string]string

// UnmarshalJSON reads a text with plurals, or one without.
func (t *text) UnmarshalJSON(data []byte) error {
	var other string
	if err := json.Unmarshal(data, &other); err == nil {
		*t = text{"other": other}
		return nil
	}
	var all map[string]string
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	delete(all, "hash")
	delete(all, "description")
	*t = all
	return nil
}

// MarshalJSON writes a text without plurals as one string.
func (t text) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t["other"])
	}
	return json.Marshal(map[string]string(t))
}

// messages are the texts of a language by their keys, English ones where it has none.
func messages(lang string) map[string]text {
	out := map[string]text{}
	base, _, _ := strings.Cut(lang, "-")
	for _, name := range []string{"en", base, lang} {
		if data, err := files.ReadFile(name + ".json"); err == nil {
			if err := json.Unmarshal(data, &out); err != nil { // what is embedded is tested
				panic(err)
			}
		}
	}
	if lang == catalogue.PseudoLang {
		for _, t := range out {
			for plural, said := range t {
				t[plural] = catalogue.Pseudo{}.Text("", said)
			}
		}
	}
	return out
}
