// Package syntax parses rule files into a tree of declarations. It owns the library participle.
//
// It is the first stage of the pipeline and resolves no names. It first splits a file into declarations and parses
// each of them alone. Inside a block, a line with a syntax error is reported and skipped. So one fault hides no
// other. Note: for this grammar an expression is a text up to the end of its line or the next
// word of the statement; package expr parses it.
//
// It is public for tools that analyse rule files, such as the tests of package interpreter. Programs that only load
// rules need package dsl alone.
package syntax

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// File is a parsed rule file.
type File struct {
	Source *source.File
	Header *Decl // its Ruleset, Change or Tests is set; nil when the header is missing or broken
	Decls  []*Decl
	// Lost are the names in text that could not be parsed. Other faults about them may be consequences.
	Lost map[string]bool

	tokens   []lexer.Token
	comments []comment
	all      func() []Token
}

// Name is the name in the header of the file, nil if there is none.
func (f *File) Name() *Name {
	if f.Header == nil {
		return nil
	}
	return f.Header.Name()
}

// Lex implements participle's Definition; lex makes the tokens.
func (definition) Lex(string, io.Reader) (lexer.Lexer, error) {
	return nil, errors.New("rule files are cut into tokens before they reach participle")
}

// The parsers of declarations: of tests, and of all others. Making either takes as long as reading a long file.
var (
	declParser = sync.OnceValue(parserOf[Decl])
	testParser = sync.OnceValue(parserOf[TestDecl])
)

func parserOf[T any]() *participle.Parser[T] {
	return participle.MustBuild[T](participle.Lexer(definition{}), participle.UseLookahead(1))
}

// Grammar is the grammar of one declaration in EBNF, printed by the parsers.
func Grammar() string {
	lines := strings.Split(declParser().String()+"\n"+testParser().String(), "\n")
	return strings.Join(seq.Distinct(lines), "\n")
}

// parseDecl parses a declaration that begins with a word, up to its end.
func parseDecl(word string, tokens []lexer.Token, end lexer.Position) (*Decl, error) {
	s := streamOf(tokens, end)
	defer streams.Put(s)
	if word != "test" {
		return declParser().ParseFromLexer(s.lex)
	}
	t, err := testParser().ParseFromLexer(s.lex)
	if err != nil {
		return nil, err
	}
	return &Decl{At: t.At, Test: t.Test, Cites: t.Cites}, nil
}

// Parse parses a file. Every fault is added to diags; the tree has everything that could be parsed.
func Parse(f *source.File, diags *diag.List) *File { return parse(f, diags, false) }

// ParseUntested is Parse without the tests of the file, which it skips. They are most of the text of many files.
func ParseUntested(f *source.File, diags *diag.List) *File { return parse(f, diags, true) }

func parse(f *source.File, diags *diag.List, untested bool) *File {
	out := &File{Source: f}
	before := len(*diags)
	if diags.Unread(f, MaxSize) {
		return out
	}
	if words, hint := notText(f.Text()); words != "" {
		diags.Errorf("bad-character", f.Span(0, 0), "%s", words).WithHint("%s", hint)
		return out
	}
	go declParser() // the parsers are made beside one another, and beside what comes before they are needed
	if !untested && strings.Contains(f.Text(), "\ntest ") {
		go testParser()
	}
	out.tokens, out.comments = lex(f, diags)
	out.all = sync.OnceValue(out.list)
	out.Lost = map[string]bool{}
	p := &fileParser{file: f, diags: diags, enough: before + maxFaults, lost: out.Lost}
	p.lexical = seq.Map((*diags)[before:], func(d diag.Diagnostic) source.Span { return d.Span })
	chunks := cut(f, out.tokens)
	if untested {
		chunks = slices.DeleteFunc(chunks, func(c []lexer.Token) bool { return firstToken(c).Value == "test" })
	}
	clean := p.ahead(chunks)
	for i, chunk := range chunks {
		if len(*diags) >= p.enough {
			diags.Errorf("too-many-faults", p.spanOf(firstToken(chunk)), "there are %d faults before this; from here on the file was not read", maxFaults)
			break
		}
		d := clean[i]
		if d == nil || p.open != nil {
			d = p.decl(chunk)
		}
		if d == nil {
			p.lose(chunk)
			continue
		}
		p.fill(d)
		if d.Ruleset != nil || d.Change != nil || d.Tests != nil {
			if out.Header != nil {
				diags.Errorf("second-header", d.Span(f), "a file has one ruleset, change or tests line").
					WithNote(out.Header.Span(f), "the first one")
				continue
			}
			if len(out.Decls) > 0 {
				diags.Errorf("late-header", d.Span(f), "the ruleset, change or tests line comes first")
			}
			out.Header = d
			continue
		}
		out.Decls = append(out.Decls, d)
	}
	if out.Header == nil && !diags.HasErrors() {
		diags.Errorf("no-header", f.Span(0, 0), "the file does not say what it is").
			WithHint("begin it with: ruleset NAME \"Title\"   or: change NAME \"Title\" for RULESET   or: tests NAME \"Title\" for RULESET")
	}
	return out
}

// ahead parses all declarations in parallel. The result is nil for declarations with a fault.
func (p *fileParser) ahead(chunks [][]lexer.Token) []*Decl {
	out := make([]*Decl, len(chunks))
	isTest := func(c []lexer.Token) bool { return firstToken(c).Value == "test" }
	tests := seq.Indexes(chunks, isTest) // first, since their parser is ready first
	order := append(tests, seq.Indexes(chunks, func(c []lexer.Token) bool { return !isTest(c) })...)
	seq.Each(runtime.GOMAXPROCS(0), len(order), func(k int) {
		i := order[k]
		own := &diag.List{}
		alone := &fileParser{file: p.file, diags: own, enough: maxFaults, lexical: p.lexical, lost: map[string]bool{}, once: true}
		if d := alone.decl(chunks[i]); len(*own) == 0 {
			out[i] = d
		}
	})
	return out
}

// Tests lists the scenarios of the file in its order, those of tables row by row.
func (f *File) Tests() []*Test {
	var out []*Test
	for _, d := range f.Decls {
		switch {
		case d.Test == nil:
		case d.Test.Cases == nil:
			out = append(out, d.Test)
		default:
			out = append(out, d.Test.Each...)
		}
	}
	return out
}

// ParseDecl parses a text with one declaration. Every fault is added to diags; the result is nil after one.
func ParseDecl(f *source.File, diags *diag.List) *Decl {
	own := diag.List{}
	tokens, _ := lex(f, &own)
	p := &fileParser{file: f, diags: &own, enough: maxFaults, lost: map[string]bool{}}
	var d *Decl
	if chunks := cut(f, tokens); len(chunks) == 1 {
		d = p.decl(chunks[0])
	}
	if d != nil {
		p.fill(d)
	}
	*diags = append(*diags, own...)
	if own.HasErrors() {
		return nil
	}
	return d
}

// cut splits the tokens into declarations. Each begins with a line outside all braces, or with the keyword of a
// declaration in the first column.
func cut(f *source.File, tokens []lexer.Token) [][]lexer.Token {
	var chunks [][]lexer.Token
	depth, start, lineBegins := 0, 0, true
	for i, t := range tokens {
		if t.Type == tokenNewline {
			lineBegins = true
			continue
		}
		column1 := t.Pos.Offset == 0 || f.Text()[t.Pos.Offset-1] == '\n'
		starter := declares(tokens[i:])
		if lineBegins && i > start && t.Value != "}" && t.Type != tokenCite && (depth == 0 || column1 && starter) {
			chunks = append(chunks, tokens[start:i])
			start, depth = i, 0
		}
		lineBegins = false
		depth = max(0, depth+deeper(t))
	}
	if start < len(tokens) {
		chunks = append(chunks, tokens[start:])
	}
	return slices.DeleteFunc(chunks, func(c []lexer.Token) bool {
		return !slices.ContainsFunc(c, func(t lexer.Token) bool { return t.Type != tokenNewline })
	})
}

// declares reports whether a declaration begins with these tokens. A clause too can begin with before.
func declares(tokens []lexer.Token) bool {
	first := tokens[0]
	if first.Type != tokenName || !slices.Contains(starters, first.Value) {
		return false
	}
	if first.Value == "before" || first.Value == "after" {
		return len(tokens) > 2 && tokens[1].Value == "step" && tokens[2].Type == tokenName
	}
	return true
}

func firstToken(tokens []lexer.Token) lexer.Token {
	for _, t := range tokens {
		if t.Type != tokenNewline {
			return t
		}
	}
	return tokens[0]
}

type fileParser struct {
	file    *source.File
	diags   *diag.List
	enough  int           // number of findings after which parsing stops
	open    *open         // the previous declaration is not closed
	lexical []source.Span // lexical faults; consequences of them are not reported
	lost    map[string]bool
	once    bool  // do not parse a declaration again without its faulty line
	partial *Decl // the last declaration from which lines were removed
	filled  int   // bytes of the tests made from tables so far
}

// open is a declaration whose closing brace is missing.
type open struct {
	fault int // index of its fault among the findings
	brace int // offset of the brace, or of the place where it is missing
	noted bool
}

// Limits on the work for one file.
const (
	maxFaults    = 100     // of one file; the parser stops after them
	maxBadLines  = 50      // of one declaration; after them it is skipped
	maxReadAgain = 200_000 // tokens of one declaration, summed over all attempts
	maxNesting   = 40      // of braces
	maxBranches  = 500     // else if, in one declaration
	maxSetOf     = 3       // set of set of …
)

// decl parses a declaration, nil after a fault that leaves nothing of it.
func (p *fileParser) decl(tokens []lexer.Token) *Decl {
	for tokens[0].Type == tokenNewline {
		tokens = tokens[1:]
	}
	if p.tooDeep(tokens) {
		return nil
	}
	first := tokens[0]
	starts := declares(tokens)
	if p.open != nil && !p.open.noted {
		p.open.noted = true
		d := (*p.diags)[p.open.fault].WithNote(p.spanOf(first), "the next declaration begins here")
		if insideToo(first.Value) {
			d.WithHint("lines inside braces are indented: what begins in the first column begins a declaration")
		}
	}
	if p.open != nil && !starts {
		return nil // remaining lines of a skipped declaration
	}
	if p.open != nil && insideToo(first.Value) {
		quiet := &fileParser{file: p.file, diags: &diag.List{}, enough: 1, lost: map[string]bool{}}
		if d := quiet.decl(tokens); d == nil || quiet.diags.HasErrors() {
			return nil // such a line too
		}
	}
	p.open = nil
	if !starts {
		d := p.diags.Errorf("unknown-declaration", p.spanOf(first), "%s does not begin a declaration", quote(first.Value))
		if near := diag.Nearest(first.Value, starters); near != "" && first.Type == tokenName && !inside(first.Value) {
			d.DidYouMean(near)
			p.lost[near] = true
		} else {
			text := p.file.Text()[first.Pos.Offset:]
			d.WithHint("%s", misplaced(text, first))
			if strings.HasPrefix(text, "/*") {
				p.open = &open{fault: len(*p.diags) - 1, noted: true} // the note's own lines follow
			}
		}
		return nil
	}
	before := len(*p.diags)
	defer func() { p.forgetInside(before) }()
	tokens = joinSeparators(tokens)
	end := tokens[len(tokens)-1].Pos
	end.Offset += len(tokens[len(tokens)-1].Value)
	for attempt := range min(maxBadLines, 1+maxReadAgain/len(tokens)) {
		d, err := parseDecl(first.Value, tokens, end)
		if err == nil {
			d.File = p.file
			p.finish(d, tokens)
			if attempt > 0 {
				p.partial = d
			}
			return d
		}
		at := p.fault(tokens, err)
		if p.once {
			return nil
		}
		rest := withoutLine(tokens, at)
		if rest == nil {
			return nil
		}
		p.lose(tokens, rest...)
		tokens = rest
	}
	return nil
}

// lose records the names in skipped tokens: those of tokens that are not in rest.
func (p *fileParser) lose(tokens []lexer.Token, rest ...lexer.Token) {
	kept := seq.Set(rest, func(t lexer.Token) int { return t.Pos.Offset })
	for _, t := range tokens {
		if t.Type == tokenName && !kept[t.Pos.Offset] {
			p.lost[t.Value] = true
		}
	}
}

// joinSeparators reduces several line ends and semicolons in a row to one.
func joinSeparators(tokens []lexer.Token) []lexer.Token {
	separates := func(t lexer.Token) bool { return t.Type == tokenNewline || t.Type == tokenPunct && t.Value == ";" }
	for i := 1; i < len(tokens); i++ {
		if separates(tokens[i-1]) && separates(tokens[i]) {
			return slices.CompactFunc(slices.Clone(tokens), func(a, b lexer.Token) bool { return separates(a) && separates(b) })
		}
	}
	return tokens
}

func (p *fileParser) spanOf(t lexer.Token) source.Span {
	return p.file.Span(t.Pos.Offset, t.Pos.Offset+max(1, len(t.Value)))
}

// tooDeep reports nesting that exceeds the limits.
func (p *fileParser) tooDeep(tokens []lexer.Token) bool {
	depth, branches, sets := 0, 0, 0
	for i, t := range tokens {
		before := lexer.Token{}
		if i > 0 {
			before = tokens[i-1]
		}
		switch {
		case deeper(t) != 0:
			depth += deeper(t)
		case t.Type == tokenName && t.Value == "if" && before.Value == "else":
			branches++
		case t.Type == tokenName && t.Value == "of" && (before.Value == "set" || before.Value == "bag"):
			sets++
		case t.Type != tokenName || t.Value != "set" && t.Value != "bag":
			sets = 0
		}
		words := ""
		switch {
		case depth > maxNesting:
			words = fmt.Sprintf("blocks nest more than %d deep", maxNesting)
		case branches > maxBranches:
			words = fmt.Sprintf("there are more than %d else branches in this declaration", maxBranches)
		case sets > maxSetOf:
			words = "a set cannot hold sets"
		default:
			continue
		}
		p.diags.Errorf("too-deep", p.spanOf(t), "%s", words)
		return true
	}
	return false
}

// lexicalIn reports whether the span has a lexical fault.
func (p *fileParser) lexicalIn(span source.Span) bool {
	return slices.ContainsFunc(p.lexical, func(s source.Span) bool { return s.Start < span.End && s.End > span.Start })
}

// neighbourhood extends a span by the adjacent characters, ignoring blanks. A lexical fault there removed a part of
// the expression.
func (p *fileParser) neighbourhood(span source.Span) source.Span {
	before := strings.TrimRight(p.file.Text()[:span.Start], " \t")
	behind := strings.TrimLeft(p.file.Text()[span.End:], " \t")
	return p.file.Span(len(before)-1, len(p.file.Text())-len(behind)+1)
}

// lexicalOn reports whether the line of an offset has a lexical fault.
func (p *fileParser) lexicalOn(offset int) bool {
	if len(p.lexical) == 0 || offset < 0 {
		return false
	}
	line := p.file.Position(offset).Line
	return slices.ContainsFunc(p.lexical, func(s source.Span) bool { return s.Position().Line == line })
}

// withoutLine removes the line of a block that contains offset, with the block it opens, if any; nil if nothing can
// be removed.
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
		if depth += deeper(t); depth < 0 {
			break
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

// finish sets the ends of the nodes of a declaration, parses its expressions with package expr, and checks its texts and
// numbers; those of a table hang on its columns.
func (p *fileParser) finish(d *Decl, tokens []lexer.Token) {
	Walk(d, func(node any) bool {
		if n, ok := node.(interface{ end([]lexer.Token) }); ok {
			n.end(tokens)
		}
		switch n := node.(type) {
		case *Expr:
			if span := n.Span(p.file); len(*p.diags) < p.enough && !p.lexicalIn(p.neighbourhood(span)) {
				n.Node = expr.Parse(span, p.diags)
			}
			return false
		case *Text:
			if _, err := strconv.Unquote(n.Quoted); err != nil && !p.lexicalIn(n.Span(p.file)) {
				p.diags.Errorf("bad-character", n.Span(p.file), "a \\ stands before \" and \\ only, in texts").
					WithHint("write \\\\ for a \\ and \\\" for a quote")
			}
		case *Number:
			if _, fits := n.Value(); !fits {
				p.diags.Errorf("bad-number", n.Span(p.file), "numbers lie between -32768 and 32767")
			}
		}
		return true
	})
	if d.Test != nil && d.Test.Cases == nil {
		p.numbersOf(d.Test, nil)
	}
}
