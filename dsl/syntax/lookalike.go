package syntax

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
)

// entity is a character as web pages write it.
var entity = pattern.Of(`^&(?:amp|lt|gt|quot|nbsp|#39|apos);`)

// lookalikes are what word processors and web pages make of the characters of the language.
var lookalikes = map[string]string{
	"≠": "!=", "≤": "<=", "≥": ">=", "−": "-", "‐": "-", "‑": "-", "–": "-", "—": "-", "×": "*", "·": "*", "∙": "*", "÷": "/", "…": "..",
	"→": "->", "¬": "!", "∧": "&&", "∨": "||", "∈": "in", "、": ",",
	"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": `"`, "&nbsp;": " ", "&#39;": "'", "&apos;": "'",
}

// lookalike is what an author means by a character that does not belong into a rule file; ok is false if nothing is known. The result
// is empty for characters that cannot be seen.
func lookalike(at source.Span) (meant string, ok bool) {
	text := at.Text()
	r := firstRune(text)
	switch {
	case (r == '–' || r == '—' || r == '−') && digitsAround(at):
		return "..", true
	case lookalikes[text] != "":
		return lookalikes[text], true
	case r >= '！' && r <= '～':
		return string(r - '！' + '!'), true
	case r != ' ' && unicode.Is(unicode.Zs, r):
		return " ", true
	case unicode.Is(unicode.Cf, r):
		return "", true
	}
	return "", false
}

// digitsAround reports whether a span stands right between digits, as in "2–4".
func digitsAround(at source.Span) bool {
	text := at.File.Text()
	return at.Start > 0 && at.End < len(text) && digits(text[at.Start-1:at.Start]) && digits(text[at.End:at.End+1])
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// nameCharacter names a character in a message; of one that cannot be seen alone the number.
func nameCharacter(s string) string {
	if r := firstRune(s); unicode.Is(unicode.M, r) || r != ' ' && unicode.Is(unicode.Zs, r) {
		return fmt.Sprintf("U+%04X", r)
	}
	return quote(s)
}
