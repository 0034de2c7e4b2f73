package syntax

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// fault reports a syntax error and returns the offset of its token.
func (p *fileParser) fault(tokens []lexer.Token, err error) int {
	var unexpected *participle.UnexpectedTokenError
	offset := tokens[0].Pos.Offset
	if perr, ok := errors.AsType[participle.Error](err); ok {
		offset = perr.Position().Offset
	}
	at := slices.IndexFunc(tokens, func(t lexer.Token) bool { return t.Pos.Offset >= offset })
	if at < 0 || errors.As(err, &unexpected) && unexpected.Unexpected.EOF() {
		at = len(tokens)
	}
	if at == len(tokens) {
		if brace, missing := p.unclosed(tokens); missing {
			p.open = &open{fault: len(*p.diags), brace: brace.Pos.Offset}
			p.diags.Errorf("unclosed-brace", p.spanOf(brace), "this { is not closed")
			return -1
		}
	}
	word := ""
	if at < len(tokens) && at > 0 && endsLine(tokens[at-1]) && tokens[at].Type == tokenName {
		word = tokens[at].Value
		_, fits := place(tokens, at)
		if _, known := formOf(tokens, at); known && slices.Contains(fits, word) {
			at++ // the keyword is correct, the token after it is not
			word = ""
		}
	}
	var span source.Span
	var message string
	hint, meant := "", ""
	switch {
	case at == len(tokens) || tokens[at].Type == tokenNewline:
		message = "the line ends too early"
		if at == len(tokens) {
			message = "the declaration ends too early"
		}
		for at > 0 && (at == len(tokens) || tokens[at].Type == tokenNewline) {
			at--
		}
		span, offset = p.spanOf(tokens[at]), tokens[at].Pos.Offset
		if p.headAlone(tokens, at) {
			message, hint = "the { of this declaration is missing", "it stands at the end of its first line"
			p.open = &open{fault: len(*p.diags), brace: span.End, noted: true}
		}
	case word != "" && declared(tokens) == "dice":
		span = p.spanOf(tokens[at])
		message, hint = "did not expect "+quoteToken(tokens[at])+" here", "the sides of a die are numbers: {0, 1}, and a remark says what they stand for"
	case word != "":
		span = p.spanOf(tokens[at])
		what, known := place(tokens, at)
		message = quote(word) + " does not begin " + what
		if hint = cmp.Or(belongs(word), p.habit(tokens, at)); hint == "" {
			hint, meant = "lines begin with: "+strings.Join(known, ", "), diag.Alike(word, known)
		}
	default:
		span, offset = p.spanOf(tokens[at]), tokens[at].Pos.Offset
		message = "did not expect " + quoteToken(tokens[at]) + " here"
		if hint = p.habit(tokens, at); hint == "" && boundBefore(tokens, at) {
			hint = quote(tokens[at].Value) + " goes on with a statement; give the value that is called so another name"
		}
	}
	if p.lexicalOn(offset) || p.saidOn(span) {
		return offset // reported already
	}
	d := p.diags.Errorf("syntax", span, "%s", message)
	switch form, _ := formOf(tokens, at); {
	case meant != "":
		d.DidYouMean(meant)
	case hint != "":
		d.WithHint("%s", hint)
	case form != "":
		d.WithHint("the form is: %s", form)
	}
	return offset
}

// boundBefore reports whether a token is a word that goes on with a statement, which a parameter or loop before it has as its name.
func boundBefore(tokens []lexer.Token, at int) bool {
	binds := []string{"number", "flag", "piece", "place", "colour", "player", "team", "for", "choose", "let"}
	for i := 1; i < at && Reserved(tokens[at].Value); i++ {
		if tokens[i].Value == tokens[at].Value && slices.Contains(binds, tokens[i-1].Value) {
			return true
		}
	}
	return false
}

// saidOn reports whether the line has a fault of this kind already: another one is usually a consequence.
func (p *fileParser) saidOn(span source.Span) bool {
	n := len(*p.diags)
	if n == 0 {
		return false
	}
	last := (*p.diags)[n-1]
	return last.Code == "syntax" && last.Span.File == p.file && last.Span.Position().Line == span.Position().Line
}

func endsLine(t lexer.Token) bool {
	return t.Type == tokenNewline || t.Type == tokenPunct && (t.Value == "{" || t.Value == ";")
}

// unclosed finds the unmatched {. It is one with a larger indentation than the } that would match it, otherwise the
// innermost.
func (p *fileParser) unclosed(tokens []lexer.Token) (lexer.Token, bool) {
	var braces []lexer.Token
	var suspect *lexer.Token
	for _, t := range tokens {
		switch {
		case t.Type == tokenPunct && t.Value == "{":
			braces = append(braces, t)
		case t.Type == tokenPunct && t.Value == "}" && len(braces) > 0:
			last := braces[len(braces)-1]
			if suspect == nil && p.indent(last) > p.indent(t) {
				suspect = &last
			}
			braces = braces[:len(braces)-1]
		}
	}
	switch {
	case len(braces) == 0:
		return lexer.Token{}, false
	case suspect != nil:
		return *suspect, true
	}
	return braces[len(braces)-1], true
}

// indent is the indentation of the line of a token.
func (p *fileParser) indent(t lexer.Token) int {
	line := p.file.Line(p.file.Position(t.Pos.Offset).Line)
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// forgetInside drops faults in lines after an unclosed brace, which were parsed as if they were inside it. A line
// that begins with a clause proves the missing brace, since a block contains no clauses.
func (p *fileParser) forgetInside(before int) {
	if p.open == nil || p.open.fault < before {
		return
	}
	kept := (*p.diags)[:before:before]
	for i, d := range (*p.diags)[before:] {
		if d.Code == "syntax" && d.Span.Start > p.open.brace && slices.Contains(clauseWords, firstWord(p.file.Line(d.Span.Position().Line))) {
			continue
		}
		if before+i == p.open.fault {
			p.open.fault = len(kept)
		}
		kept = append(kept, d)
	}
	*p.diags = kept
}

func firstWord(line string) string {
	line = strings.TrimLeft(line, " \t")
	return line[:nameLength(line)]
}
