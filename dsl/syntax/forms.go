package syntax

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/rulerun/rulerun/dsl/seq"
)

// place describes what is allowed at token at, inside the braces of a declaration, and lists the words it can begin
// with.
func place(tokens []lexer.Token, at int) (what string, words []string) {
	depth := seq.Sum(tokens[:at], deeper)
	switch kind := declared(tokens); {
	case kind == "test":
		return "a line of a test", testWords
	case kind == "rule" && depth <= 1:
		return "a clause", clauseWords
	}
	return "a statement", statementWords
}

// declared is the keyword of a declaration.
func declared(tokens []lexer.Token) string {
	if tokens[0].Value == "replace" && len(tokens) > 1 {
		return tokens[1].Value
	}
	return tokens[0].Value
}

// formOf is the form of the innermost line with token at; known means that the line begins with a word that has a
// form.
func formOf(tokens []lexer.Token, at int) (form string, known bool) {
	at = max(0, min(at, len(tokens)-1))
	if at > 0 && tokens[at].Type == tokenNewline {
		at--
	}
	for at > 0 && !endsLine(tokens[at-1]) {
		at--
	}
	word, declaration := tokens[at].Value, declared(tokens)
	switch {
	case at == 0:
		return Form(declaration, false, false), true
	case declaration == "test":
		if !slices.Contains(testWords, word) {
			if slices.ContainsFunc(tokens[:at], func(t lexer.Token) bool { return t.Type == tokenName && t.Value == "cases" }) {
				return Form("cases", true, true), false
			}
			return Form("test", false, false), false
		}
		return Form(word, true, true), true
	}
	if slices.Contains(clauseWords, word) || slices.Contains(statementWords, word) {
		return Form(word, true, false), true
	}
	return Form(declaration, false, false), false
}

// Starters lists the first words of lines inside a declaration, by its keyword; for "" the keywords of declarations.
// inner means a block inside a rule.
func Starters(declaration string, inner bool) []string {
	switch {
	case declaration == "":
		return slices.Clone(starters)
	case declaration == "test":
		return slices.Clone(testWords)
	case declaration == "rule" && !inner:
		return slices.Clone(clauseWords)
	}
	return slices.Clone(statementWords)
}
