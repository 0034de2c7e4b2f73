package syntax

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pattern"
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

// A comment is stored beside the tokens: the parser never sees it, the formatter prints it.
type comment struct {
	start, end int
}

var punctuations = []string{
	"->", "+=", "-=", "==", "!=", "<=", ">=", "&&", "||", "??", "..",
	"(", ")", "[", "]", "{", "}", ",", ";", ":", "|", "=", "<", ">", "+", "-", "*", "/", "%", "!", "?", "#", ".", "@",
}

// After a token in continues and before a token in leads, a line end does not end the statement.
var (
	continues = []string{"->", "+=", "-=", "==", "!=", "<=", ">=", "&&", "||", "??", "..", ",", ":", "=", "<", ">", "+", "-", "*", "/", "%", "!", "?", "(", "[", "|", "and", "or", "not"}
	leads     = []string{"&&", "||", "??", "?", "==", "!=", "|", "and", "or", "when"}
)

// MaxSize is the largest rule file that is read, in bytes.
const MaxSize = 1 << 18

// maxBadCharacters limits how many invalid characters of one file are reported.
const maxBadCharacters = 20

// scanner splits a file into tokens and comments.
type scanner struct {
	file     *source.File
	text     string
	at       int
	depth    int // nesting depth of round and square brackets
	diags    *diag.List
	bad      int
	tokens   []lexer.Token
	comments []comment
}

// lex splits a file into tokens and comments. It drops empty lines, and line ends inside round and square brackets,
// after an operator and before a leading one.
func lex(f *source.File, diags *diag.List) (tokens []lexer.Token, comments []comment) {
	s := &scanner{file: f, text: f.Text(), diags: diags}
	s.tokens = make([]lexer.Token, 0, len(s.text)/4)
	s.at = len(s.text) - len(strings.TrimPrefix(s.text, "\uFEFF"))
	for s.at < len(s.text) {
		s.next()
	}
	return joinLines(s.text, s.tokens), s.comments
}

func (s *scanner) emit(kind lexer.TokenType, n int) {
	s.tokens = append(s.tokens, lexer.Token{
		Type: kind, Value: s.text[s.at : s.at+n], Pos: lexer.Position{Filename: s.file.Name(), Offset: s.at},
	})
	s.at += n
}

// next scans one token, comment or blank.
func (s *scanner) next() {
	rest := s.text[s.at:]
	switch c := rest[0]; {
	case c == '\n' && s.depth > 0 && begins(rest[1:]):
		s.depth = 0 // an unclosed bracket
		s.emit(tokenNewline, 1)
	case c == '\n' && s.depth == 0:
		s.emit(tokenNewline, 1)
	case c == '\r' && !endOfLine(rest):
		s.characters(rest[:1])
		s.at++
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		s.at++
	case strings.HasPrefix(rest, "//"):
		n := len(strings.TrimRight(rest[:lineEnd(rest)], " \t\r"))
		s.characters(rest[:n])
		s.comments = append(s.comments, comment{s.at, s.at + n})
		s.at += n
	case c == '"':
		n := stringEnd(rest)
		if n < 0 {
			n = len(unclosedText().ReplaceAllString(rest[:lineEnd(rest)], ""))
			s.diags.Errorf("unclosed-string", s.file.Span(s.at, s.at+n), "this text is not closed").
				WithHint("end it with a double quote on the same line").WithFix(s.file.Span(s.at+n, s.at+n), `"`, "close the text")
			s.emit(tokenString, n)
			return
		}
		s.characters(rest[:n])
		s.emit(tokenString, n)
	case (c == '\'' || c == '`' || c >= utf8.RuneSelf) && quoteLength(rest[:lineEnd(rest)]) > 0:
		n := quoteLength(rest[:lineEnd(rest)])
		s.badCharacter(0, n, "these are not the quotes of the language")
		s.emit(tokenString, n)
	case c == '[':
		if n := citeLength(rest); n > 0 && s.depth == 0 {
			s.emit(tokenCite, n)
			return
		}
		s.depth++
		s.emit(tokenPunct, 1)
	case c >= '0' && c <= '9':
		n := 1
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == '_') {
			n++
		}
		s.emit(tokenInt, n)
	default:
		if n := nameLength(rest); n > 0 {
			s.emit(tokenName, n)
			return
		}
		i := slices.IndexFunc(punctuations, func(p string) bool { return strings.HasPrefix(rest, p) })
		if i < 0 {
			n := 1
			for n < len(rest) && (!utf8.RuneStart(rest[n]) || broken(rest) && broken(rest[n:])) {
				n++ // one report for a run of invalid bytes
			}
			s.characters(rest[:n])
			if _, w := utf8.DecodeRuneInString(rest); w == n && badWords(rest) == "" {
				if m := entity().FindString(rest); m != "" {
					n = len(m)
				}
				s.badCharacter(0, n, "the character "+nameCharacter(rest[:n])+" does not belong here")
			}
			s.at += n
			return
		}
		switch punctuations[i] {
		case "(":
			s.depth++
		case ")", "]":
			s.depth = max(0, s.depth-1)
		case "{", "}":
			s.depth = 0
		}
		s.emit(tokenPunct, len(punctuations[i]))
	}
}

// characters reports invalid characters in a text.
func (s *scanner) characters(text string) {
	for i := 0; i < len(text); {
		_, w := utf8.DecodeRuneInString(text[i:])
		if words := badWords(text[i:]); words != "" {
			for broken(text[i:]) && broken(text[i+w:]) {
				w++ // one report for a run of invalid bytes
			}
			s.badCharacter(i, w, words)
		}
		i += w
	}
}

func (s *scanner) badCharacter(offset, n int, words string) {
	if s.bad++; s.bad > maxBadCharacters {
		return
	}
	at := s.file.Span(s.at+offset, s.at+offset+n)
	d := s.diags.Errorf("bad-character", at, "%s", words)
	switch meant, ok := lookalike(at); {
	case ok && meant == "":
		d.WithHint("take it away").WithFix(at, "", "take it away")
	case ok && meant == " ":
		d.WithHint("write a blank").WithFix(at, meant, "write a blank")
	case ok:
		d.WithHint("write %s", meant).WithFix(at, meant, "write %s", meant)
	case unicode.Is(unicode.M, firstRune(at.Text())):
		d.WithHint("write a letter and its accent as one character")
	case strings.HasSuffix(words, "UTF-8"):
		d.WithHint("save the file as UTF-8")
	case s.text[s.at+offset] == '\r':
		d.WithHint("%s", lineEnds)
	case strings.HasSuffix(words, "of the language"):
		d.WithHint("words stand between straight double quotes: \"so\"").
			WithFix(at, `"`+strings.Trim(at.Text(), "“”„‟«»‘’'`´\"")+`"`, "make the quotes straight")
	}
}

// lineEnds describes valid line ends.
const lineEnds = "a line ends in a line feed, or in a carriage return and a line feed"

// endOfLine reports whether the carriage return at the beginning of s is part of a line end.
func endOfLine(s string) bool {
	s = strings.TrimLeft(s, "\r")
	return s == "" || s[0] == '\n'
}

// notText says why a whole file is not a rule file, with a hint; "" if it may be one.
func notText(text string) (words, hint string) {
	switch {
	case strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff"):
		return "this file is written as UTF-16", "save the file as UTF-8"
	case strings.Contains(strings.TrimRight(text, "\r"), "\r") && !strings.Contains(text, "\n"):
		return "no line of this file ends", lineEnds
	}
	return "", ""
}

// broken reports whether text begins with an invalid UTF-8 byte.
func broken(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return r == utf8.RuneError && n == 1
}

// badWords describes the first character of text if it is invalid, "" otherwise.
func badWords(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	switch {
	case r == utf8.RuneError && n <= 1:
		return "this byte is not valid UTF-8"
	case r != '\t' && !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r):
		return fmt.Sprintf("the character U+%04X does not belong in a rule file", r)
	}
	return ""
}

// begins reports whether a line begins a declaration, clause or statement, and so does not continue an expression: in
// an expression a name never follows a name.
func begins(line string) bool {
	word := line[:nameLength(line)]
	if word != "" && slices.Contains(starters, word) {
		return true
	}
	line = strings.TrimLeft(line, " \t")
	n := nameLength(line)
	if n == 0 || n+1 >= len(line) || line[n] != ' ' {
		return false
	}
	first, rest := line[:n], line[n+1:]
	switch rest[:nameLength(rest)] {
	case "", "in", "and", "or", "not":
		return false
	}
	return slices.Contains(clauseWords, first) || slices.Contains(statementWords, first) || slices.Contains(testWords, first)
}

func lineEnd(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

// nameLength is the length of the name at the beginning of s.
func nameLength(s string) int {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsNumber(r)) {
			return i
		}
	}
	return len(s)
}

// citeLength is the length of the clause ids in brackets at the beginning of s, 0 if there are none.
func citeLength(s string) int {
	i, ids := 1, 0
	for i < len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\t':
			i++
		case s[i] == ']':
			if ids == 0 {
				return 0
			}
			return i + 1
		default:
			n := idLength(s[i:])
			if n == 0 {
				return 0
			}
			i += n
			ids++
		}
	}
	return 0
}

// idLength is the length of the clause id at the beginning of s: P4A-08.
func idLength(s string) int {
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	i := 0
	for i < len(s) && (upper(s[i]) || i > 0 && digit(s[i])) {
		i++
	}
	if i == 0 || i >= len(s) || s[i] != '-' {
		return 0
	}
	from := i + 1
	for i = from; i < len(s) && (upper(s[i]) || digit(s[i]) || s[i] >= 'a' && s[i] <= 'z'); i++ {
	}
	if i == from || i < len(s) && s[i] != ' ' && s[i] != '\t' && s[i] != ']' {
		return 0
	}
	return i
}

// joinLines drops line ends inside statements.
func joinLines(text string, tokens []lexer.Token) []lexer.Token {
	out := tokens[:0]
	for i, t := range tokens {
		if t.Type == tokenNewline {
			if len(out) == 0 || out[len(out)-1].Type == tokenNewline {
				continue
			}
			if last := out[len(out)-1]; !begins(text[t.Pos.Offset+1:]) && last.Type != tokenString && slices.Contains(continues, last.Value) && last.Type != tokenCite {
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

// otherQuotes is a text in quotes of other styles, or a lone such quote. A closing single quote must be followed by
// certain characters, because it can be an apostrophe too.
var otherQuotes = pattern.Of("^(?:[“”„‟«»](?:[^“”„‟«»\"{]*[“”„‟«»\"])?|(['‘’`´][^\"{]*?['‘’`´])(?:$|[\\s,;{}()\\[\\]])|['‘’`´])")

// longestQuoted is how many bytes are searched for the closing quote. It avoids quadratic time on a line of quotes.
const longestQuoted = 200

// quoteLength is the length of a text in quotes of another style at the beginning of a line, 0 if there is none.
func quoteLength(line string) int {
	if n := longestQuoted; len(line) > n {
		for n > longestQuoted-utf8.UTFMax && !utf8.RuneStart(line[n]) { // invalid UTF-8 may have no rune start
			n--
		}
		line = line[:n]
	}
	m := otherQuotes().FindStringSubmatchIndex(line)
	switch {
	case m == nil:
		return 0
	case m[3] > 0:
		return m[3]
	}
	return m[1]
}

// unclosedText matches the end of a line that does not belong to an unclosed text: blanks, and the brace that opens a
// block, perhaps after clause ids.
var unclosedText = pattern.Of(`(\s+(\[[A-Z0-9 -]+\]\s*)?\{)?\s*$`)

// stringEnd is the length of the quoted text at the beginning of s, or -1 if it is not closed on its line.
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

// deeper is how much deeper in braces what follows a token stands.
func deeper(t lexer.Token) int {
	switch {
	case t.Type == tokenPunct && t.Value == "{":
		return 1
	case t.Type == tokenPunct && t.Value == "}":
		return -1
	}
	return 0
}

// quoteToken is a token in a message: texts have their quotes already.
func quoteToken(t lexer.Token) string {
	if t.Type == tokenString {
		return quote(strings.Trim(t.Value, `"`))
	}
	return quote(t.Value)
}

func quote(s string) string {
	if len(s) > 30 {
		s = strings.ToValidUTF8(s[:30], "") + "…"
	}
	return `"` + s + `"`
}

// stream gives tokens to a parser. To make one takes longer than to fill it, so it is used again.
type stream struct {
	lex   *lexer.PeekingLexer
	begin lexer.Checkpoint
	room  int // for how many tokens, with the end
}

var streams sync.Pool

// streamOf is a stream of tokens, and an end.
func streamOf(tokens []lexer.Token, end lexer.Position) *stream {
	s, _ := streams.Get().(*stream)
	if need := len(tokens) + 1; s == nil || s.room < need {
		s = &stream{room: max(256, 2*need)}
		left := blanks(s.room)
		s.lex, _ = lexer.Upgrade(&left) // blanks have no fault
		s.begin = s.lex.MakeCheckpoint()
	}
	s.lex.LoadCheckpoint(s.begin)
	into := s.lex.Range(0, lexer.RawCursor(s.room))
	into[copy(into, tokens)] = lexer.EOFToken(end)
	return s
}

// blanks is a number of tokens without content, the last one an end.
type blanks int

func (n *blanks) Next() (lexer.Token, error) {
	if *n--; *n == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	return lexer.Token{Type: tokenNewline}, nil
}

// definition implements the lexer definition of participle, which needs the symbols; lex makes the tokens.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType { return symbols }

// TokenKind is the kind of a token.
type TokenKind uint8

// The kinds of token.
const (
	TokenWord TokenKind = iota
	TokenNumber
	TokenText    // with its quotes
	TokenIDs     // clause ids with their brackets
	TokenMark    // a bracket, an operator
	TokenComment // up to the end of its line
	TokenLineEnd // a line end that ends a statement; other line ends are not tokens
)

// Token is a token or comment with its source text.
type Token struct {
	Kind  TokenKind
	Text  string
	Start int // byte offset in the file
}

var tokenKinds = map[lexer.TokenType]TokenKind{
	tokenName: TokenWord, tokenInt: TokenNumber, tokenString: TokenText, tokenCite: TokenIDs,
	tokenPunct: TokenMark, tokenNewline: TokenLineEnd,
}

// Tokens lists the tokens and comments of the file in the order of its text. It must not be changed.
func (f *File) Tokens() []Token {
	if f.all == nil {
		return nil // it could not be read
	}
	return f.all()
}

// Has reports whether a token of the file is this word.
func (f *File) Has(word string) bool {
	return slices.ContainsFunc(f.tokens, func(t lexer.Token) bool { return t.Value == word })
}

func (f *File) list() []Token {
	out := make([]Token, 0, len(f.tokens)+len(f.comments))
	rest := f.comments
	upTo := func(offset int) {
		for len(rest) > 0 && rest[0].start < offset {
			out = append(out, Token{Kind: TokenComment, Text: f.Source.Text()[rest[0].start:rest[0].end], Start: rest[0].start})
			rest = rest[1:]
		}
	}
	for _, t := range f.tokens {
		upTo(t.Pos.Offset)
		out = append(out, Token{Kind: tokenKinds[t.Type], Text: t.Value, Start: t.Pos.Offset})
	}
	upTo(len(f.Source.Text()) + 1)
	return out
}
