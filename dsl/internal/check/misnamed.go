package check

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// single are the letters that are words of their own, in English and in languages like Spanish: they need not name a parameter.
const single = "aeiouy"

// warnMisnamed warns of the words of an act that name a parameter with a letter which none has.
func warnMisnamed(e *book.Entry, diags *diag.List) {
	act := e.Decl.Kind.Act
	words := strings.FieldsFunc(act.Words.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	for _, p := range act.Params {
		if p.Name.Text == "_" || slices.Contains(words, p.Name.Text) {
			continue
		}
		stray := slices.IndexFunc(words, func(w string) bool {
			other := slices.ContainsFunc(act.Params, func(o *syntax.ParamOf) bool { return o.Name.Text == w })
			return len(w) == 1 && unicode.IsLower(rune(w[0])) && !strings.Contains(single, w) && !other
		})
		if stray >= 0 {
			diags.Warnf("misnamed", act.Words.Span(e.Decl.File), "act %q has no parameter %q, and these words do not name %q", e.Key.Name, words[stray], p.Name.Text).
				WithHint("messages show the piece or player where the words have the name of its parameter")
			return
		}
	}
}
