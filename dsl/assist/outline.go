package assist

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Symbol is a declaration in the outline of a file.
type Symbol struct {
	Name   string
	Word   string // its keyword: "rule", "test"; for a board the kind of thing
	Detail string // its text
	Span   source.Span
	At     source.Span // its name, within Span
	Parts  []Symbol    // the named steps in it
}

// Outline lists the declarations of a rule file in order.
func Outline(f *syntax.File) []Symbol {
	var out []Symbol
	decls := f.Decls
	if f.Header != nil {
		decls = slices.Concat([]*syntax.Decl{f.Header}, decls)
	}
	for _, d := range decls {
		s := d.Span(f.Source)
		at := s
		if i := strings.IndexFunc(s.Text(), func(r rune) bool { return !unicode.IsLetter(r) }); i > 0 {
			at = f.Source.Span(s.Start, s.Start+i)
		}
		x := Symbol{Word: at.Text(), Detail: d.Words(), Span: s, At: at}
		if name := d.Name(); name != nil {
			x.At = name.Span(f.Source)
			x.Name = name.Text
		}
		switch k := d.Kind; {
		case d.Test != nil:
			x.At, x.Name = d.Test.Name.Span(f.Source), d.Test.Name.String()
		case d.Replace && k != nil:
			x.Word = d.Head().Word
			if x.Detail = "replaced"; d.Words() != "" {
				x.Detail = "replaced: " + d.Words()
			}
		case x.Name == "":
			line, _, _ := strings.Cut(s.Text(), "{")
			line, _, _ = strings.Cut(line, "\n")
			x.Name = strings.TrimSpace(line)
		}
		for step := range syntax.All[*syntax.NamedStep](d.Kind) {
			if step != d.Kind.Step {
				x.Parts = append(x.Parts, Symbol{Name: step.Name.Text, Word: "step", Span: step.Span(f.Source), At: step.Name.Span(f.Source)})
			}
		}
		out = append(out, x)
		if h := d.Head(); len(h.Names) > 1 {
			for _, n := range h.Names[1:] {
				out = append(out, Symbol{Name: n.Text, Word: h.Word, Span: s, At: n.Span(f.Source)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Symbol) int { return cmp.Compare(a.Span.Start, b.Span.Start) }) // a header may be late
	return out
}

// BoardOutline lists the declarations of a board in order.
func BoardOutline(b *boards.Board) []Symbol {
	var out []Symbol
	for _, n := range index.OfBoard(b) {
		if at := n.Decl; at.Name() == b.Span.Name() && !at.IsZero() {
			out = append(out, Symbol{Name: n.Text, Word: n.Kind.String(), Span: at, At: at})
		}
	}
	slices.SortStableFunc(out, func(a, b Symbol) int { return cmp.Compare(a.At.Start, b.At.Start) })
	return out
}

// Fold is a folding range of a rule file, by its first and last line, counted from 1. Comment marks a range of
// comments.
type Fold struct {
	From, To int
	Comment  bool
}

// Folds lists the blocks and comments of more than one line.
func Folds(f *syntax.File) []Fold {
	var out []Fold
	add := func(from, to int, comment bool) {
		if to > from {
			out = append(out, Fold{from, to, comment})
		}
	}
	var open []int
	comments, last := 0, 0
	for _, t := range f.Tokens() {
		line := f.Source.LineAt(t.Start)
		if t.Kind == syntax.TokenComment && strings.TrimSpace(f.Source.Line(line)) == t.Text {
			if comments == 0 || line != last+1 {
				add(comments, last, true)
				comments = line
			}
			last = line
			continue
		}
		switch {
		case t.Kind != syntax.TokenMark:
		case t.Text == "{":
			open = append(open, line)
		case t.Text == "}" && len(open) > 0:
			add(open[len(open)-1], line, false)
			open = open[:len(open)-1]
		}
	}
	add(comments, last, true)
	slices.SortFunc(out, func(a, b Fold) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	return slices.Compact(out)
}

// Token is a token of a rule file and its class, for highlighting.
type Token struct {
	Span source.Span
	Kind TokenKind
	Decl bool // the name of a declaration
}

// TokenKind is the class of a token.
type TokenKind uint8

// The classes of tokens.
const (
	KeywordToken TokenKind = iota
	NumberToken
	TextToken
	CommentToken
	CiteToken     // clause ids
	NameToken     // names with a value: lets, dice
	LocalToken    // local names
	FunctionToken // built-in functions, moves, acts, events
	RuleToken
	OptionToken
	PropertyToken // after a dot
	TypeToken
	BoardToken // names the board declares
)

var tokenKinds = [...]TokenKind{
	index.Word: KeywordToken, index.Function: FunctionToken, index.Field: PropertyToken, index.Event: FunctionToken, index.Type: TypeToken,
	index.Local: LocalToken, index.Option: OptionToken, index.Let: NameToken, index.Var: NameToken, index.Die: NameToken,
	index.Move: FunctionToken, index.Act: FunctionToken, index.Rule: RuleToken, index.Step: RuleToken, index.Count: RuleToken, index.Book: RuleToken, index.Board: BoardToken,
	index.Parameter: BoardToken, index.Track: BoardToken, index.Zone: BoardToken, index.Square: BoardToken, index.Colour: BoardToken,
	index.Tag: PropertyToken, index.Family: PropertyToken, index.Attribute: PropertyToken, index.Landmark: PropertyToken,
}

// Tokens lists the highlighted tokens of the draft's file, in order. They do not overlap, and none spans two lines.
func (d *Draft) Tokens() []Token {
	refs := d.Names.In(d.File.Name())
	var out []Token
	upTo := 0
	for _, t := range d.Tree.Tokens() {
		x := Token{Span: d.File.Span(t.Start, t.Start+len(t.Text))}
		for len(refs) > 0 && refs[0].Use.End <= t.Start {
			refs = refs[1:]
		}
		if t.Start < upTo {
			continue
		}
		switch t.Kind {
		case syntax.TokenNumber, syntax.TokenWord:
			x.Kind = NumberToken
			if t.Kind == syntax.TokenWord {
				x.Kind = KeywordToken
			}
			if len(refs) > 0 && refs[0].Use.Start == t.Start { // the name of a square may be several tokens: yellow-5
				x.Kind, x.Span, x.Decl = tokenKinds[refs[0].Kind], refs[0].Use, refs[0].IsDecl()
			}
		case syntax.TokenText:
			x.Kind = TextToken
		case syntax.TokenComment:
			x.Kind = CommentToken
		case syntax.TokenIDs:
			x.Kind = CiteToken
		default:
			continue
		}
		upTo = x.Span.End
		out = append(out, x)
	}
	return out
}
