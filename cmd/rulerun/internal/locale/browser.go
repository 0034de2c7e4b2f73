//go:build js

package locale

import (
	"encoding/json"
	"strings"

	"github.com/rulerun/rulerun/dsl/catalogue"
)

// messages is a localizer without go-i18n, which would make the module for browsers a tenth larger. It knows the plural rule of
// English, Spanish and most of their neighbours: one, and other.
type messages map[string]text

type text struct{ One, Other string }

// UnmarshalJSON reads a text with plurals, or one without.
func (t *text) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &t.Other); err == nil {
		return nil
	}
	type plain text
	return json.Unmarshal(data, (*plain)(t))
}

func newLocalizer(lang string) localizer {
	out := messages{}
	base, _, _ := strings.Cut(lang, "-")
	for _, name := range []string{"en", base} {
		if data, err := files.ReadFile(name + ".json"); err == nil {
			if err := json.Unmarshal(data, &out); err != nil { // what is embedded is tested
				panic(err)
			}
		}
	}
	if lang == catalogue.PseudoLang {
		for key, t := range out {
			out[key] = text{catalogue.Pseudo{}.Text("", t.One), catalogue.Pseudo{}.Text("", t.Other)}
		}
	}
	return out
}

func (l messages) text(key string, n any, args []any) (string, bool) {
	t, ok := l[key]
	if n == 1 && t.One != "" {
		t.Other = t.One
	}
	return fill(t.Other, args), ok
}
