package syntax

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// The kinds of token.
const (
	tokenName lexer.TokenType = iota + 2
	tokenInt
	tokenString
	tokenCite
	tokenPunct
	tokenNewline
)

var symbols = map[string]lexer.TokenType{
	"EOF": lexer.EOF, "Name": tokenName, "Int": tokenInt, "String": tokenString,
	"Cite": tokenCite, "Punct": tokenPunct, "Newline": tokenNewline,
}

// A comment is kept beside the tokens: the parser never sees it, the formatter puts it back.
type comment struct {
	start, end int
}

var (
	citePattern  = regexp.MustCompile(`^\[[ \t]*[A-Z][A-Z0-9]*-[0-9A-Za-z]+([ \t]+[A-Z][A-Z0-9]*-[0-9A-Za-z]+)*[ \t]*\]`)
	namePattern  = regexp.MustCompile(`^[\pL_][\pL\pN_]*`)
	intPattern   = regexp.MustCompile(`^[0-9][0-9_]*`)
	punctuations = []string{
		"->", "+=", "-=", "==", "!=", "<=", ">=", "&&", "||", "??", "..",
		"(", ")", "[", "]", "{", "}", ",", ";", ":", "|", "=", "<", ">", "+", "-", "*", "/", "%", "!", "?", "#", ".", "@",
	}
)

// continues lists the tokens after which a line end does not count, and leads those before which it does not.
var (
	continues = []string{"->", "+=", "-=", "==", "!=", "<=", ">=", "&&", "||", "??", "..", ",", ":", "=", "<", ">", "+", "-", "*", "/", "%", "!", "?", "(", "[", "|", "and", "or", "not"}
	leads     = []string{"&&", "||", "??", "?", "==", "!=", "|", "and", "or", "when"}
)

// MaxSize is the largest rule file that is read, in bytes.
const MaxSize = 1 << 20

// lex cuts a file into tokens and comments. Line ends inside round and square brackets, after an operator
// and before a leading one are dropped, and so are empty lines.
func lex(f *source.File, diags *diag.List) (tokens []lexer.Token, comments []comment) {
	text := f.Text()
	pos := strings.TrimPrefix(text, "\uFEFF")
	at := len(text) - len(pos)
	depth := 0
	emit := func(kind lexer.TokenType, n int) {
		tokens = append(tokens, lexer.Token{Type: kind, Value: text[at : at+n], Pos: lexer.Position{Filename: f.Name(), Offset: at}})
		at += n
	}
	for at < len(text) {
		rest := text[at:]
		switch c := rest[0]; {
		case c == '\n':
			if depth == 0 {
				emit(tokenNewline, 1)
			} else {
				at++
			}
		case c == ' ' || c == '\t' || c == '\r':
			at++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			end = len(strings.TrimRight(rest[:end], " \t\r"))
			comments = append(comments, comment{at, at + end})
			at += end
		case c == '"':
			n := stringEnd(rest)
			if n < 0 {
				n = strings.IndexByte(rest, '\n')
				if n < 0 {
					n = len(rest)
				}
				diags.Errorf("unclosed-string", f.Span(at, at+n), "the text %s is not closed", quote(rest[:n])).
					WithHint("end it with a double quote on the same line")
				at += n
				continue
			}
			emit(tokenString, n)
		case c == '[':
			if cite := citePattern.FindString(rest); cite != "" && depth == 0 {
				emit(tokenCite, len(cite))
				continue
			}
			depth++
			emit(tokenPunct, 1)
		default:
			if name := namePattern.FindString(rest); name != "" {
				emit(tokenName, len(name))
				continue
			}
			if digits := intPattern.FindString(rest); digits != "" {
				emit(tokenInt, len(digits))
				continue
			}
			i := slices.IndexFunc(punctuations, func(p string) bool { return strings.HasPrefix(rest, p) })
			if i < 0 {
				r, n := utf8.DecodeRuneInString(rest)
				span := f.Span(at, at+n)
				switch {
				case r == utf8.RuneError && n <= 1:
					diags.Errorf("bad-character", span, "this byte is not valid UTF-8").WithHint("save the file as UTF-8")
				case r == '\'':
					diags.Errorf("bad-character", span, "texts stand in double quotes")
				case !unicode.IsPrint(r):
					diags.Errorf("bad-character", span, "the character U+%04X does not belong in a rule file", r)
				default:
					diags.Errorf("bad-character", span, "the character %s does not belong in a rule file", quote(string(r)))
				}
				at += max(n, 1)
				for at < len(text) && !utf8.RuneStart(text[at]) {
					at++ // one report for a run of broken bytes
				}
				continue
			}
			p := punctuations[i]
			switch p {
			case "(":
				depth++
			case ")", "]":
				depth = max(0, depth-1)
			case "{", "}":
				depth = 0
			}
			emit(tokenPunct, len(p))
		}
		if len(*diags) > 100 {
			break
		}
	}
	return joinLines(tokens), comments
}

// joinLines drops the line ends that end nothing.
func joinLines(tokens []lexer.Token) []lexer.Token {
	out := tokens[:0:0]
	for i, t := range tokens {
		if t.Type == tokenNewline {
			if len(out) == 0 || out[len(out)-1].Type == tokenNewline {
				continue
			}
			if last := out[len(out)-1]; last.Type != tokenString && slices.Contains(continues, last.Value) && !isCiteOrKeyword(last) {
				continue
			}
			next := i + 1
			for next < len(tokens) && tokens[next].Type == tokenNewline {
				next++
			}
			if next < len(tokens) && tokens[next].Type != tokenString && slices.Contains(leads, tokens[next].Value) {
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

func isCiteOrKeyword(t lexer.Token) bool { return t.Type == tokenCite }

// stringEnd is the length of the quoted text s begins with, or -1 when it is not closed on its line.
func stringEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			return -1
		case '"':
			return i + 1
		}
	}
	return -1
}

func quote(s string) string {
	if len(s) > 30 {
		s = strings.ToValidUTF8(s[:30], "") + "…"
	}
	return `"` + s + `"`
}

// tokenLexer hands a part of the tokens to participle.
type tokenLexer struct {
	tokens []lexer.Token
	end    lexer.Position
}

func (l *tokenLexer) Next() (lexer.Token, error) {
	if len(l.tokens) == 0 {
		return lexer.EOFToken(l.end), nil
	}
	t := l.tokens[0]
	l.tokens = l.tokens[1:]
	return t, nil
}

// definition satisfies participle, which wants to know the symbols; the tokens come from lex.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType { return symbols }
