package assist

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Limits on the text of a hover.
const (
	maxHoverLines = 24
	maxHoverNames = 12
)

// Hover describes in Markdown the name at an offset of a file of the draft's book, a rule file or a board; "" if
// there is none. The span is the described name.
func (d *Draft) Hover(file string, offset int) (text string, span source.Span) {
	for _, r := range d.Names.At(file, offset) {
		if text := d.Describe(r.Name); text != "" {
			return text, r.Use
		}
	}
	if file != d.File.Name() {
		return "", source.Span{}
	}
	for _, t := range d.Tree.Tokens() {
		if t.Kind != syntax.TokenWord || offset < t.Start || offset > t.Start+len(t.Text) {
			continue
		}
		w := d.where(t.Start)
		if len(w.line) > 0 && (len(w.line) > 1 || w.line[0].Text != "replace" && w.line[0].Text != "else") {
			continue // it does not begin a line
		}
		inner, test := w.depth > 0, w.kind == "test"
		if form := syntax.Form(t.Text, inner, test); form != "" {
			doc := ""
			if s, ok := syntax.FindWord(syntax.StatementWord, t.Text); ok && inner && !test {
				doc = s.Doc
			}
			return explain(form, doc), d.File.Span(t.Start, t.Start+len(t.Text))
		}
	}
	return "", source.Span{}
}

func code(text string) string { return "```rules\n" + strings.ReplaceAll(text, "\r", "") + "\n```" }

var link = pattern.Of(`\[([^]]*)\]\([^)]*\)`)

// explain adds what the reference says, without its links.
func explain(form, doc string) string { return code(form) + "\n" + link().ReplaceAllString(doc, "$1") }

// roles maps kinds of names to the roles of the language's words.
var roles = map[index.Kind]syntax.Role{
	index.Word: syntax.ValueWord, index.Function: syntax.FunctionWord, index.Event: syntax.EventWord, index.Type: syntax.TypeWord,
}

// Describe describes a name in Markdown, "" if there is nothing to show.
func (d *Draft) Describe(n index.Name) string {
	typed := ""
	if n.Type.Kind != model.Invalid {
		typed = ": " + n.Type.String()
	}
	if role, ok := roles[n.Kind]; ok {
		w, ok := syntax.FindWord(role, n.Text)
		if !ok {
			return ""
		}
		return explain(cmp.Or(w.Form, w.Text+typed), w.Doc)
	}
	switch n.Kind {
	case index.Field:
		for _, w := range syntax.Words(syntax.FieldWord) {
			whole := n.Of == model.Invalid && (w.Of == "game" || w.Of == "board")
			if w.Text == n.Text && (whole || w.Of == n.Of.String()) {
				return explain(w.Of+"."+n.Text+typed, w.Doc)
			}
		}
		return ""
	case index.Local:
		return code(n.Text + typed)
	}
	if n.Kind.OfBoard() {
		return describeBoard(d.Names.Board, n)
	}
	if n.Kind == index.Book { // its file need not be part of the book: a change may be for another rule book
		if head := syntax.Parse(n.Decl.File, &diag.List{}).Header; head != nil {
			return code(head.Span(n.Decl.File).Text())
		}
		return ""
	}
	return d.describeDeclaration(n, typed)
}

// Declaration finds the declaration with its name at a place, and its file.
func (d *Draft) Declaration(at source.Span) (*syntax.Decl, *syntax.File) {
	if d.Book == nil {
		return nil, nil
	}
	for _, l := range d.Book.Layers {
		if l.File.Source.Name() != at.Name() {
			continue
		}
		for _, decl := range l.File.Decls {
			if s := decl.Span(decl.File); s.Start <= at.Start && at.End <= s.End {
				return decl, l.File
			}
		}
	}
	return nil, nil
}

func (d *Draft) describeDeclaration(n index.Name, typed string) string {
	decl, file := d.Declaration(n.Decl)
	if decl == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(code(shorten(decl.Span(decl.File).Text())))
	if words := decl.Words(); words != "" {
		b.WriteString("\n" + words)
	}
	if typed != "" && decl.Kind != nil && (decl.Kind.Let != nil || decl.Kind.Var != nil || decl.Kind.Option != nil) {
		b.WriteString("\n\n" + strings.TrimPrefix(typed, ": "))
	}
	if name := file.Name(); file.Source.Name() != d.File.Name() && name != nil {
		fmt.Fprintf(&b, "\n\nfrom `%s`", name.Text)
	}
	return b.String()
}

// shorten keeps the first lines of a text.
func shorten(text string) string {
	lines := strings.Split(text, "\n")
	if len(lines) > maxHoverLines {
		lines = append(lines[:maxHoverLines], "…")
	}
	return strings.Join(lines, "\n")
}

func describeBoard(b *boards.Board, n index.Name) string {
	head := code(n.Kind.String() + " " + n.Text)
	if b == nil {
		return head
	}
	switch n.Kind {
	case index.Board:
		text := head + "\n" + b.Title
		for _, p := range b.Parameters {
			text += fmt.Sprintf("\n- `%s`: %d to %d, here %d", p.Name, p.From, p.To, p.Value)
		}
		return text
	case index.Square:
		return head + "\n" + squareWords(b, n.Text)
	case index.Tag, index.Family:
		tag, family := slices.Index(b.Tags, n.Text), slices.Index(b.Families, n.Text)
		of := b.SquaresOf(func(p boards.Place) bool {
			return n.Kind == index.Family && p.Family == family || n.Kind == index.Tag && tag >= 0 && p.Tags[tag]
		})
		return head + "\n" + listed(seq.Map(of, func(p int) string { return b.Places[p].Name }), "square")
	case index.Landmark:
		if i := slices.IndexFunc(b.Landmarks, func(l boards.Landmark) bool { return l.Name == n.Text }); i >= 0 {
			return head + "\n" + perColour(b, func(c int) string { return placeName(b, b.Landmarks[i].Values[c]) })
		}
	case index.Attribute:
		a := seq.First(b.Attributes, func(a boards.Attribute) bool { return a.Name == n.Text })
		return head + "\n" + listed(b.Pairs(a), "place")
	case index.Track:
		if t := b.Track(n.Text); t != nil {
			return head + "\n" + perColour(b, func(c int) string { return fmt.Sprintf("%d places", len(t.Runs[c].Nodes)) })
		}
	}
	return head
}

func placeName(b *boards.Board, p int) string {
	if p == boards.None {
		return "nowhere"
	}
	return b.Places[p].Name
}

func perColour(b *boards.Board, what func(c int) string) string {
	lines := seq.Of(len(b.Colours), func(c int) string { return fmt.Sprintf("- %s: %s", b.Colours[c].Name, what(c)) })
	return strings.Join(lines, "\n")
}

func listed(names []string, what string) string {
	text := fmt.Sprintf("%d %ss", len(names), what)
	switch len(names) {
	case 0:
		return "no " + what
	case 1:
		text = "one " + what
	}
	if len(names) > maxHoverNames {
		names = append(slices.Clone(names[:maxHoverNames]), "…")
	}
	return text + ": " + strings.Join(names, ", ")
}

// squareWords describes a square: its family and tags, and its positions on the tracks.
func squareWords(b *boards.Board, name string) string {
	p, ok := b.Place(name)
	if !ok || b.Places[p].Zone {
		return ""
	}
	words := []string{b.Families[b.Places[p].Family]}
	for i, has := range b.Places[p].Tags {
		if has {
			words = append(words, b.Tags[i])
		}
	}
	text := strings.Join(words, ", ")
	for _, t := range b.Tracks {
		var at []string
		for c, run := range t.Runs {
			if i := slices.IndexFunc(run.Nodes, func(n boards.Node) bool { return n.Place == p }); i >= 0 {
				at = append(at, fmt.Sprintf("%s %d", b.Colours[c].Name, run.Nodes[i].Index))
			}
		}
		if len(at) > 0 {
			text += fmt.Sprintf("\n\ntrack `%s`: %s", t.Name, strings.Join(at, ", "))
		}
	}
	return text
}
