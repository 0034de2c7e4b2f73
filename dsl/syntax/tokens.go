package syntax

import "github.com/alecthomas/participle/v2/lexer"

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

// Tokens lists the tokens and comments of the file in the order of its text.
func (f *File) Tokens() []Token {
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
