package syntax

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Cases is the table at the beginning of a test: each row makes a test of its own, with the cells substituted for the
// names of their columns.
type Cases struct {
	At
	Columns []*Name `parser:"'cases' @@+ (Newline | ';')"`
	Rows    []*Row  `parser:"( @@ (Newline | ';') )*"`

	// Uses are the places in the lines of the test where a row is substituted, by the index of their columns.
	Uses [][]source.Span
}

// Unused lists the columns that no line of the test uses.
func (c *Cases) Unused() []*Name {
	unused := seq.Which(len(c.Uses), func(i int) bool { return len(c.Uses[i]) == 0 })
	return seq.Map(unused, func(i int) *Name { return c.Columns[i] })
}

// Inside reports whether a row fills in something inside a line.
func (c *Cases) Inside(line source.Span) bool {
	return slices.ContainsFunc(c.Uses, func(uses []source.Span) bool {
		return slices.ContainsFunc(uses, func(at source.Span) bool { return line.Start <= at.Start && at.End <= line.End })
	})
}

// Row is a row of a table.
type Row struct {
	At
	Cells []*Cell `parser:"(?! 'given' | 'turn' | 'players' | 'arrived' | 'set' | 'throw' | 'play' | 'expect') @@+"`
}

// Cell is the value that a row substitutes for the name of a column.
type Cell struct {
	At
	Number *Number `parser:"@@ |"`
	Text   *Text   `parser:"@@ |"`
	Ref    *Ref    `parser:"@@"`
}

// String is the source text of the cell.
func (c *Cell) String() string {
	switch {
	case c.Number != nil && c.Number.Minus:
		return "-" + c.Number.Digits
	case c.Number != nil:
		return c.Number.Digits
	case c.Text != nil:
		return c.Text.Quoted
	}
	return c.Ref.Text
}

// unquoted is the cell without quotes.
func (c *Cell) unquoted() string {
	if c.Text != nil {
		return c.Text.String()
	}
	return c.String()
}

// Case is the row from which a test is made.
type Case struct {
	Row   *Row
	Words string // "n is 1, to is 13"
}

// lineWords are the keywords of test lines; a column cannot have such a name.
var lineWords = slices.Concat(testWords, []string{
	"counting", "via", "moves", "no", "not", "choices", "chance", "refused", "position", "asks", "earned", "winner", "ranking", "over", "draw", "that", "by",
	"true", "false", "nil",
})

// maxFilled limits the size of the tests of all tables of a file, in bytes of their text outside the rows.
const maxFilled = 1 << 20

// fill makes the tests of a table, if the declaration is a test with a table.
func (p *fileParser) fill(d *Decl) {
	if d.Test != nil && d.Test.Cases != nil {
		d.Test.Each = p.tests(d.Test, d != p.partial)
	}
}

// tests makes a test of each row of a table. It reports faults of the table and skips rows that do not fit it. whole means that all lines
// of the test were parsed.
func (p *fileParser) tests(t *Test, whole bool) []*Test {
	p.numbersOf(t, p.columns(t.Cases))
	if len(t.Cases.Rows) == 0 && whole {
		p.diags.Errorf("bad-table", t.Cases.Span(p.file), "this table has no rows").WithHint("write a line for each case, with something for every column")
	}
	if n := len(t.Cases.Rows); n > 0 {
		rows := t.Cases.Rows[n-1].EndPos.Offset - t.Cases.Rows[0].Pos.Offset
		p.filled += n * (t.EndPos.Offset - t.Pos.Offset - rows)
	}
	if p.filled > maxFilled {
		p.diags.Errorf("too-large", t.Cases.Columns[0].Span(p.file), "with this table the rows of this file make tests of more than %d bytes", maxFilled).
			WithHint("write fewer rows, or part the file")
		return nil
	}
	var out []*Test
	seen := map[string]*Row{}
	for _, r := range t.Cases.Rows {
		if len(*p.diags) >= p.enough {
			break
		}
		if len(r.Cells) != len(t.Cases.Columns) {
			span := r.Span(p.file)
			if len(r.Cells) > len(t.Cases.Columns) {
				span = r.Cells[len(t.Cases.Columns)].Span(p.file)
			}
			d := p.diags.Errorf("bad-table", span, "this row has %s, the table %s", diag.Plural(len(r.Cells), "cell"), diag.Plural(len(t.Cases.Columns), "column")).
				WithNote(t.Cases.Columns[0].Span(p.file), "the columns")
			if near := diag.Nearest(r.Cells[0].String(), testWords); near != "" {
				d.WithHint("a line that begins with %q ends the table", near)
			}
			continue
		}
		cells := make([]string, len(r.Cells))
		words := make([]string, len(r.Cells))
		f := filling{file: p.file, cells: map[string]*Cell{}, uses: map[string][]source.Span{}}
		for i, c := range r.Cells {
			cells[i] = c.String()
			words[i] = t.Cases.Columns[i].Text + " is " + cells[i]
			f.cells[t.Cases.Columns[i].Text] = c
		}
		key := strings.Join(cells, " ")
		if first := seen[key]; first != nil {
			p.diags.Errorf("declared-twice", r.Span(p.file), "this row is there already").WithNote(first.Span(p.file), "the first one")
			continue
		}
		seen[key] = r
		one := Copy(t, f.replace)
		one.Case, one.Cases, one.Each = &Case{Row: r, Words: strings.Join(words, ", ")}, t.Cases, nil
		one.Name = &Text{At: t.Name.At, Quoted: strconv.Quote(t.Name.String() + " [" + key + "]")}
		if len(out) == 0 {
			t.Cases.Uses = seq.Map(t.Cases.Columns, func(c *Name) []source.Span { return f.uses[c.Text] })
		}
		out = append(out, one)
	}
	return out
}

// columns checks and lists the names of a table's columns.
func (p *fileParser) columns(c *Cases) []string {
	first := map[string]*Name{}
	for _, n := range c.Columns {
		switch {
		case len(*p.diags) >= p.enough:
		case slices.Contains(lineWords, n.Text):
			p.diags.Errorf("reserved", n.Span(p.file), "%q has a meaning in the lines of a test; give the column another name", n.Text)
		case first[n.Text] != nil:
			p.diags.Errorf("declared-twice", n.Span(p.file), "there is a column %q already", n.Text).WithNote(first[n.Text].Span(p.file), "the first one")
		default:
			first[n.Text] = n
		}
	}
	return seq.Map(c.Columns, func(n *Name) string { return n.Text })
}

// numbersOf reports names used as numbers that are not columns.
func (p *fileParser) numbersOf(t *Test, columns []string) {
	form := func(l *TestLine) string {
		return "the form is: " + Form(firstWord(p.file.Text()[l.Pos.Offset:]), true, true)
	}
	want := func(a *Amount, l *TestLine) {
		if a.Column == nil || slices.Contains(columns, a.Column.Text) {
			return
		}
		hint := form(l)
		switch {
		case slices.Contains(testWords, a.Column.Text):
			hint = betweenLines
		case len(columns) > 0:
			hint += "; the columns of the table are: " + strings.Join(columns, ", ")
		}
		p.diags.Errorf("syntax", a.Span(p.file), "did not expect %s here", quote(a.Column.Text)).WithHint("%s", hint)
	}
	for _, l := range t.Lines {
		die := l.Throw != nil && l.Throw.Parts[0].Column != nil && !slices.Contains(columns, l.Throw.Parts[0].Column.Text)
		if die && len(l.Throw.Parts) == 1 {
			p.diags.Errorf("syntax", l.Throw.Parts[0].Span(p.file), "the line ends too early").WithHint("%s", form(l))
		}
		for a := range All[*Amount](l) {
			if !die || a != l.Throw.Parts[0] {
				want(a, l)
			}
		}
	}
}

// filling is the substitution of cells for the names of their columns.
type filling struct {
	file  *source.File
	cells map[string]*Cell
	uses  map[string][]source.Span
}

// cell is the value of a column, nil if the name is not a column.
func (f filling) cell(name string, use source.Span) *Cell {
	c := f.cells[name]
	if c != nil {
		f.uses[name] = append(f.uses[name], use)
	}
	return c
}

// replace substitutes a row in a node; nil if there is nothing to substitute. A substituted node has the place of the
// cell.
func (f filling) replace(node any) any {
	switch x := node.(type) {
	case *Cases:
		return x
	case *Name:
		if c := f.cell(x.Text, x.Span(f.file)); c != nil {
			return &Name{At: c.At, Text: c.unquoted()}
		}
		return x
	case *Ref:
		return f.ref(x)
	case *Amount:
		if x.Column != nil {
			switch c := f.cell(x.Column.Text, x.Span(f.file)); {
			case c == nil:
			case c.Number != nil:
				return &Amount{At: c.At, Number: c.Number}
			default: // it remains a name; the checker reports it
				return &Amount{At: c.At, Column: &Name{At: c.At, Text: c.unquoted()}}
			}
		}
		return x
	case *TestLiteral:
		if x.Ref != nil && x.Square == nil {
			if c := f.cell(x.Ref.Text, x.Span(f.file)); c != nil {
				return &TestLiteral{At: c.At, Number: c.Number, Text: c.Text, Ref: c.Ref}
			}
		}
	case *Expr:
		if x.Node != nil {
			return &Expr{At: x.At, Node: f.node(x.Node)}
		}
		return x
	}
	return nil
}

// ref substitutes a place or colour, or parts of one, such as those between hyphens.
func (f filling) ref(r *Ref) *Ref {
	if c := f.cell(r.Text, r.Span(f.file)); c != nil {
		return &Ref{At: c.At, Text: c.unquoted()}
	}
	at, filled, from := r.At, false, r.Pos.Offset
	var text strings.Builder
	for rest := r.Text; ; {
		n := strings.IndexAny(rest, "-/#")
		part := rest
		if n >= 0 {
			part = rest[:n]
		}
		if c := f.cell(part, f.file.Span(from, from+len(part))); c != nil {
			part, at, filled = c.unquoted(), c.At, true
		}
		text.WriteString(part)
		if n < 0 {
			break
		}
		text.WriteByte(rest[n])
		from, rest = from+n+1, rest[n+1:]
	}
	if !filled {
		return r
	}
	return &Ref{At: at, Text: text.String()}
}

// node substitutes in an expression. The argument of square(…) is the name of a place.
func (f filling) node(n *expr.Node) *expr.Node {
	if n.Kind == expr.Name {
		if c := f.cell(n.Name, n.Span); c != nil {
			return c.node(n.Span.File)
		}
		return n
	}
	out := *n
	out.Args = slices.Clone(n.Args)
	if n.Kind == expr.Piece {
		spot := f.ref(&Ref{At: AtSpan(n.Args[0].Span), Text: n.Args[0].Name})
		out.Args[0] = &expr.Node{Kind: expr.String, Name: spot.Text, Span: spot.Span(f.file)}
		if c := f.cell(n.Name, n.Word); c != nil {
			out.Name, out.Word = c.unquoted(), c.Span(f.file)
		}
		return &out
	}
	for i, a := range n.Args {
		out.Args[i] = f.node(a)
		if n.Kind == expr.Call && n.Name == "square" && a.Kind == expr.Name && out.Args[i] != a {
			out.Args[i] = &expr.Node{Kind: expr.String, Name: f.cells[a.Name].unquoted(), Span: out.Args[i].Span}
		}
	}
	return &out
}

// node is a cell as an expression.
func (c *Cell) node(file *source.File) *expr.Node {
	n := &expr.Node{Kind: expr.Name, Name: c.unquoted(), Span: c.Span(file)}
	switch {
	case c.Number != nil:
		v, _ := c.Number.Value()
		n.Kind, n.Name, n.Int = expr.Int, "", v
	case c.Text != nil:
		n.Kind = expr.String
	case c.Ref.Text == "true" || c.Ref.Text == "false":
		n.Kind, n.Name = expr.Bool, ""
		if c.Ref.Text == "true" {
			n.Int = 1
		}
	case c.Ref.Text == "nil":
		n.Kind, n.Name = expr.Nil, ""
	}
	return n
}
