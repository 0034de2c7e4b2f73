//go:build js

package locale

// browser is a localizer without go-i18n, which would make the module for browsers a tenth larger. It knows the plural rule of
// English, Spanish and most of their neighbours: one, and other.
type browser map[string]text

// tags is the language that a page names.
func tags(lang string) []string { return []string{lang} }

func newLocalizer(lang string) localizer { return browser(messages(lang)) }

func (b browser) text(key string, n any, args []any) (string, bool) {
	t, ok := b[key]
	if one := t["one"]; n == 1 && one != "" {
		return fill(one, args), ok
	}
	return fill(t["other"], args), ok
}
