package catalogue

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
)

var hole = pattern.Of(`\{\{\s*\.([\pL_][\pL\pN_]*)(?:\.([a-z_]+))?\s*\}\}`)

// Spaced is a name as a text: with spaces for underscores.
func Spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

var word = pattern.Of(`[_\pL\pN]+`)

// Saying is the text of an act with holes for the parameters that it names. Without words it is the name and the parameters.
func Saying(name, words string, params []string) string {
	if words == "" {
		words = strings.TrimSuffix(Spaced(name)+" "+strings.Join(slices.DeleteFunc(slices.Clone(params), func(p string) bool { return p == "_" }), ", "), " ")
	}
	return word().ReplaceAllStringFunc(words, func(w string) string {
		if slices.Contains(params, w) {
			return "{{." + w + "}}"
		}
		return w
	})
}

// Fill puts values into the holes of a text: {{.p}} is the value of p, {{.p.f}} its form f. A game fills
// hundreds of texts for a throw, so it does without the regular expression.
func Fill(text string, value func(name, form string) string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inside, after, closed := strings.Cut(rest, "}}")
		path, named := strings.CutPrefix(strings.TrimSpace(inside), ".")
		if !closed || !named || strings.ContainsAny(path, " {") {
			b.WriteString("{{")
			text = rest
			continue
		}
		text = after
		name, form, _ := strings.Cut(path, ".")
		b.WriteString(value(name, form))
	}
}

// holesOf lists the names in the holes of a text, and text in braces that is no hole.
func holesOf(text string) (names []string, wrong string) {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "}}") {
		return nil, ""
	}
	names = seq.Distinct(seq.Map(hole().FindAllStringSubmatch(text, -1), func(m []string) string { return m[1] }))
	if rest := hole().ReplaceAllString(text, ""); strings.Contains(rest, "{{") || strings.Contains(rest, "}}") {
		wrong = rest
	}
	return names, wrong
}
