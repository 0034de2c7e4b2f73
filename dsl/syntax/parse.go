// Package syntax reads the text of a rule file into a tree of declarations. participle is owned here.
//
// It is the first stage of the pipeline: text to tree, no names resolved. A file is cut into its
// declarations first and each is parsed alone; inside a block a line that cannot be read is reported and
// left out. So one fault hides no other. What a newcomer gets wrong: an expression is text up to the end
// of its line or the next word of the statement; expr-lang reads it, not the grammar here.
package syntax

import (
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/source"
)

// File is a parsed rule file.
type File struct {
	Source *source.File
	Header *Decl // its Ruleset or Change is set; nil when the header is missing or broken
	Decls  []*Decl

	tokens   []lexer.Token
	comments []comment
}

// Lex satisfies participle's Definition; the tokens come from lex, never from here.
func (definition) Lex(string, io.Reader) (lexer.Lexer, error) {
	return nil, errors.New("rule files are cut into tokens before they reach participle")
}

var declParser = sync.OnceValue(func() *participle.Parser[Decl] {
	return participle.MustBuild[Decl](participle.Lexer(definition{}), participle.UseLookahead(1024))
})

// Grammar is the grammar of one declaration in EBNF, as the parser has it.
func Grammar() string { return declParser().String() }

// starters are the words that begin a declaration.
var starters = []string{
	"ruleset", "change", "replace", "without", "set", "rename", "board", "players", "seats", "teams", "turns", "pieces",
	"first", "dice", "option", "var", "secret", "let", "act", "turn", "setup", "move", "rule", "test",
}

// Parse reads a file. Every fault is added to diags; the tree holds whatever could be read.
func Parse(f *source.File, diags *diag.List) *File {
	out := &File{Source: f}
	if len(f.Text()) > MaxSize {
		diags.Errorf("too-large", f.Span(0, 0), "this file has %d bytes, the limit is %d", len(f.Text()), MaxSize)
		return out
	}
	out.tokens, out.comments = lex(f, diags)
	p := &fileParser{file: f, diags: diags}
	for _, chunk := range cut(f, out.tokens) {
		d := p.decl(chunk)
		if d == nil {
			continue
		}
		if d.Ruleset != nil || d.Change != nil {
			if out.Header != nil {
				diags.Errorf("second-header", d.Span(f), "a file has one ruleset or change line").
					WithNote(out.Header.Span(f), "the first one")
				continue
			}
			if len(out.Decls) > 0 {
				diags.Errorf("late-header", d.Span(f), "the ruleset or change line comes first")
			}
			out.Header = d
			continue
		}
		out.Decls = append(out.Decls, d)
	}
	if out.Header == nil && !diags.HasErrors() {
		diags.Errorf("no-header", f.Span(0, 0), "the file does not say what it is").
			WithHint("begin it with: ruleset NAME \"Title\"   or: change NAME \"Title\" for RULESET")
	}
	return out
}

// cut divides the tokens into declarations: each begins with a line outside all braces, or with a word that
// begins declarations in the first column.
func cut(f *source.File, tokens []lexer.Token) [][]lexer.Token {
	var chunks [][]lexer.Token
	depth, start, lineBegins := 0, 0, true
	for i, t := range tokens {
		if t.Type == tokenNewline {
			lineBegins = true
			continue
		}
		column1 := f.Position(t.Pos.Offset).Column == 1
		starter := t.Type == tokenName && slices.Contains(starters, t.Value)
		if lineBegins && i > start && t.Value != "}" && t.Type != tokenCite && (depth == 0 || column1 && starter) {
			chunks = append(chunks, tokens[start:i])
			start, depth = i, 0
		}
		lineBegins = false
		switch {
		case t.Type == tokenPunct && t.Value == "{":
			depth++
		case t.Type == tokenPunct && t.Value == "}":
			depth = max(0, depth-1)
		}
	}
	if start < len(tokens) {
		chunks = append(chunks, tokens[start:])
	}
	return slices.DeleteFunc(chunks, func(c []lexer.Token) bool {
		return !slices.ContainsFunc(c, func(t lexer.Token) bool { return t.Type != tokenNewline })
	})
}

type fileParser struct {
	file  *source.File
	diags *diag.List
}

// maxBadLines bounds the lines of one declaration that are left out before it is given up.
const maxBadLines = 50

func (p *fileParser) decl(tokens []lexer.Token) *Decl {
	for tokens[0].Type == tokenNewline {
		tokens = tokens[1:]
	}
	if at, deep := nestedTooDeep(tokens); deep {
		p.diags.Errorf("too-deep", p.file.Span(at, at+1), "blocks nest more than %d deep", maxNesting)
		return nil
	}
	first := tokens[0]
	if first.Type != tokenName || !slices.Contains(starters, first.Value) {
		d := p.diags.Errorf("unknown-declaration", p.spanOf(first), "%s does not begin a declaration", quote(first.Value))
		if near := diag.Nearest(first.Value, starters); near != "" && first.Type == tokenName {
			d.WithHint("did you mean %q?", near)
		} else {
			d.WithHint("declarations begin with one of: %s", strings.Join(starters, ", "))
		}
		return nil
	}
	end := tokens[len(tokens)-1].Pos
	end.Offset += len(tokens[len(tokens)-1].Value)
	for range maxBadLines {
		lex, err := lexer.Upgrade(&tokenLexer{tokens: tokens, end: end})
		if err != nil {
			return nil
		}
		d, err := declParser().ParseFromLexer(lex)
		if err == nil {
			d.File = p.file
			p.expressions(reflect.ValueOf(d))
			return d
		}
		at := p.fault(tokens, err)
		rest := withoutLine(tokens, at)
		if rest == nil {
			return nil
		}
		tokens = rest
	}
	return nil
}

func (p *fileParser) spanOf(t lexer.Token) source.Span {
	return p.file.Span(t.Pos.Offset, t.Pos.Offset+max(1, len(t.Value)))
}

const maxNesting = 40

func nestedTooDeep(tokens []lexer.Token) (at int, deep bool) {
	depth := 0
	for _, t := range tokens {
		if t.Type != tokenPunct {
			continue
		}
		switch t.Value {
		case "{", "(", "[":
			if depth++; depth > maxNesting+expr.MaxDepth {
				return t.Pos.Offset, true
			}
		case "}", ")", "]":
			depth--
		}
	}
	return 0, false
}

// fault reports a syntax error and returns the offset of the token it is about.
func (p *fileParser) fault(tokens []lexer.Token, err error) int {
	var unexpected *participle.UnexpectedTokenError
	offset := tokens[0].Pos.Offset
	var perr participle.Error
	if errors.As(err, &perr) {
		offset = perr.Position().Offset
	}
	token := lexer.Token{Type: lexer.EOF}
	for _, t := range tokens {
		if t.Pos.Offset >= offset {
			token = t
			break
		}
	}
	span := p.file.Span(offset, offset+1)
	message := "the declaration ends too early"
	switch {
	case errors.As(err, &unexpected) && unexpected.Unexpected.EOF() || token.Type == lexer.EOF:
		last := tokens[len(tokens)-1]
		for i := len(tokens) - 1; i > 0 && last.Type == tokenNewline; i-- {
			last = tokens[i-1]
		}
		span = p.spanOf(last)
		offset = last.Pos.Offset
		if unbalanced(tokens) {
			message = "a { of this declaration is not closed"
			span, offset = p.spanOf(tokens[0]), -1
		}
	case token.Type == tokenNewline:
		message = "the line ends too early"
		if before := slices.IndexFunc(tokens, func(t lexer.Token) bool { return t.Pos.Offset == offset }); before > 0 {
			span = p.spanOf(tokens[before-1])
			offset = tokens[before-1].Pos.Offset
		}
	default:
		span = p.spanOf(token)
		message = "did not expect " + quote(token.Value) + " here"
	}
	d := p.diags.Errorf("syntax", span, "%s", message)
	if form := formAt(tokens, max(offset, tokens[0].Pos.Offset)); form != "" {
		d.WithHint("the form is: %s", form)
	}
	return offset
}

func unbalanced(tokens []lexer.Token) bool {
	depth := 0
	for _, t := range tokens {
		if t.Type == tokenPunct && t.Value == "{" {
			depth++
		} else if t.Type == tokenPunct && t.Value == "}" {
			depth--
		}
	}
	return depth > 0
}

// withoutLine is tokens without the line of a block that holds offset (with the block it opens, if any); nil
// when there is nothing to leave out.
func withoutLine(tokens []lexer.Token, offset int) []lexer.Token {
	at := slices.IndexFunc(tokens, func(t lexer.Token) bool { return t.Pos.Offset >= offset })
	if at < 0 || offset < 0 {
		return nil
	}
	from := at
	for from > 0 && tokens[from-1].Type != tokenNewline && tokens[from-1].Value != "{" && tokens[from-1].Value != ";" {
		from--
	}
	if from == 0 || tokens[from].Value == "}" {
		return nil // the head itself, or the end of the block
	}
	depth, to := 0, from
	for ; to < len(tokens); to++ {
		t := tokens[to]
		if t.Value == "{" && t.Type == tokenPunct {
			depth++
		}
		if t.Value == "}" && t.Type == tokenPunct {
			if depth == 0 {
				break
			}
			depth--
		}
		if depth == 0 && to > from && (t.Type == tokenNewline || t.Value == ";") {
			to++
			break
		}
	}
	if to == from {
		return nil
	}
	return slices.Concat(tokens[:from], tokens[to:])
}

// expressions has expr-lang read every expression of a declaration.
func (p *fileParser) expressions(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if e, ok := v.Interface().(*Expr); ok {
			e.Node = expr.Parse(e.Span(p.file), p.diags)
			return
		}
		if _, ok := v.Interface().(*source.File); ok {
			return
		}
		p.expressions(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			p.expressions(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			p.expressions(v.Index(i))
		}
	}
}
