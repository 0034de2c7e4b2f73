package difference

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// unit is the unit of comparison: a declaration without clauses, or a clause of a rule.
type unit struct {
	parts []part
	order string // the group of clauses in which its order matters; "" if none
}

// part is a part of a unit: its head, a condition, a statement. Its text has marks around names, see shown and
// canonical.
type part struct {
	text  string
	depth int
	glue  bool // no line break before it when the unit is printed as text
	brace bool // a brace, which a comparison by parts ignores
}

// Marks around a local name, with its number, and around a name of the book, with its kind.
const (
	localOpen, localClose = "\x01", "\x02"
	nameOpen, nameClose   = "\x03", "\x04"
)

// sameOpen, sameMiddle and sameClose mark two spellings with one meaning: the one in the file, and the canonical one.
const sameOpen, sameMiddle, sameClose = "\x05", "\x06", "\x07"

var (
	localMark = pattern.Of(localOpen + `(\d+):([^` + localClose + `]*)` + localClose)
	sameMark  = pattern.Of(sameOpen + `([^` + sameMiddle + `]*)` + sameMiddle + `([^` + sameClose + `]*)` + sameClose)
	nameMark  = pattern.Of(nameOpen + `([a-z]+):([^` + nameClose + `]*)` + nameClose)
)

// shown is a text without marks, for people.
func shown(text string) string {
	return nameMark().ReplaceAllString(localMark().ReplaceAllString(sameMark().ReplaceAllString(text, "$1"), "$2"), "$2")
}

// canonical replaces local names by numbers, and names of the book by the result of rename.
func canonical(text string, rename func(kind, name string) string) string {
	text = localMark().ReplaceAllString(sameMark().ReplaceAllString(text, "$2"), "\x01$1\x02")
	return nameMark().ReplaceAllStringFunc(text, func(s string) string {
		m := nameMark().FindStringSubmatch(s)
		return rename(m[1], m[2])
	})
}

// named marks a name of the book. The kinds are bare (values: options, lets, dice, variables without an owner),
// field, act and move.
func named(kind, name string) string { return nameOpen + kind + ":" + name + nameClose }

// text is the unit in lines, for people; none for no unit.
func (u *unit) text() []string {
	if u == nil {
		return nil
	}
	var out []string
	for i, p := range u.parts {
		if p.glue && i > 0 {
			out[len(out)-1] += " " + shown(p.text)
		} else {
			out = append(out, strings.Repeat("  ", p.depth)+shown(p.text))
		}
	}
	return out
}

// keys are the canonical parts, without braces.
func (u *unit) keys(rename func(kind, name string) string) []string {
	return u.lines(func(text string) string { return canonical(text, rename) })
}

// lines are the parts without braces, one per line, as write has their texts.
func (u *unit) lines(write func(string) string) []string {
	parts := seq.Filter(u.parts, func(p part) bool { return !p.brace })
	return seq.Map(parts, func(p part) string { return strings.Repeat("  ", p.depth) + write(p.text) })
}

// printer prints the declarations of a book in canonical form, so that equal meanings have equal texts. It prints the
// tree, because files contain old names of renamed declarations.
type printer struct {
	book   *book.Book
	scopes []map[string]int
	locals int
	unit   *unit
}

func (p *printer) open()  { p.scopes = append(p.scopes, map[string]int{}) }
func (p *printer) close() { p.scopes = p.scopes[:len(p.scopes)-1] }

func (p *printer) begin() {
	p.unit, p.scopes, p.locals = &unit{}, []map[string]int{{}}, 0
}

// local declares a local name of the unit.
func (p *printer) local(n *syntax.Name) string {
	if n == nil {
		return ""
	}
	p.locals++
	p.scopes[len(p.scopes)-1][n.Text] = p.locals
	return localOpen + strconv.Itoa(p.locals) + ":" + n.Text + localClose
}

// find is the number of a local name.
func (p *printer) find(name string) (int, bool) {
	for i := len(p.scopes) - 1; i >= 0; i-- {
		if n, ok := p.scopes[i][name]; ok {
			return n, true
		}
	}
	return 0, false
}

// value prints a name with a value: a local one, or one of the book.
func (p *printer) value(name string) string {
	if n, ok := p.find(name); ok {
		return localOpen + strconv.Itoa(n) + ":" + name + localClose
	}
	return named("bare", name)
}

func (p *printer) add(depth int, text string) {
	p.unit.parts = append(p.unit.parts, part{text: text, depth: depth})
}
func (p *printer) glue(depth int, text string) {
	p.unit.parts = append(p.unit.parts, part{text: text, depth: depth, glue: true})
}

// tail adds what a word begins, if it is there.
func (p *printer) tail(word string, e *syntax.Expr) {
	if e != nil {
		p.glue(1, word+" "+p.of(e))
	}
}

// condition adds an expression, one part for each operand of &&.
func (p *printer) condition(word string, e *syntax.Expr) {
	if e == nil || e.Node == nil {
		return
	}
	all := e.Node.Operands("&&")
	around := 0
	if len(all) > 1 {
		around = precedence["&&"]
	}
	for i, n := range all {
		if i > 0 {
			word = "&&"
		}
		p.glue(1, strings.TrimSpace(word+" "+p.expr(n, around)))
	}
}

// of prints an expression.
func (p *printer) of(e *syntax.Expr) string {
	if e == nil || e.Node == nil {
		return ""
	}
	return p.expr(e.Node, 0)
}

// precedence of binary operators, strongest last; fields and calls are stronger.
var precedence = map[string]int{
	"?": 1, "||": 2, "&&": 3, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "in": 4, "..": 5, "+": 6, "-": 6,
	"*": 7, "/": 7, "%": 7, "!": 8,
}

// strongest is the precedence of an expression that never needs brackets.
const strongest = 10

// expr prints an expression. around is the precedence of the enclosing operator, which decides about brackets.
func (p *printer) expr(n *expr.Node, around int) string {
	bracket := func(own int, s string) string {
		if own < around {
			return "(" + s + ")"
		}
		return s
	}
	list := func(nodes []*expr.Node) string {
		return strings.Join(seq.Map(nodes, func(a *expr.Node) string { return p.expr(a, 0) }), ", ")
	}
	switch n.Kind {
	case expr.Nil:
		return "nil"
	case expr.Int:
		return strconv.Itoa(n.Int)
	case expr.Bool:
		return strconv.FormatBool(n.Int != 0)
	case expr.String:
		return strconv.Quote(n.Name)
	case expr.Name:
		return p.value(n.Name)
	case expr.Element:
		return "#" + n.Name
	case expr.Field:
		if n.Args[0].Kind == expr.Element && n.Args[0].Name == "" {
			return "." + named("field", n.Name)
		}
		return p.expr(n.Args[0], strongest) + "." + named("field", n.Name)
	case expr.Index:
		return p.expr(n.Args[0], strongest) + "[" + p.expr(n.Args[1], 0) + "]"
	case expr.Unary:
		if in := n.Args[0]; n.Name == "!" && in.Kind == expr.Binary && in.Name == "in" {
			return bracket(precedence["in"], p.expr(in.Args[0], precedence["in"])+" not in "+p.expr(in.Args[1], precedence["in"]+1))
		}
		return bracket(precedence["!"], n.Name+p.expr(n.Args[0], precedence["!"]))
	case expr.Binary:
		own := precedence[n.Name]
		if n.Name == ".." {
			return bracket(own, p.expr(n.Args[0], own+1)+".."+p.expr(n.Args[1], own+1))
		}
		if n.Name == "??" {
			return "(" + p.expr(n.Args[0], strongest) + " ?? " + p.expr(n.Args[1], strongest) + ")"
		}
		return bracket(own, p.expr(n.Args[0], own)+" "+n.Name+" "+p.expr(n.Args[1], own+1))
	case expr.Ternary:
		own := precedence["?"]
		return bracket(own, p.expr(n.Args[0], own+1)+" ? "+p.expr(n.Args[1], own+1)+" : "+p.expr(n.Args[2], own))
	case expr.Array:
		return "[" + list(n.Args) + "]"
	case expr.Piece:
		return n.Name + "@" + n.Args[0].Name
	case expr.Call:
		return named("bare", n.Name) + "(" + list(n.Args) + ")"
	}
	return n.Name + "(" + list(n.Args) + ")"
}

func (p *printer) typeOf(t *syntax.Type) string {
	switch {
	case t.Set != nil:
		return "set of " + p.typeOf(t.Set)
	case t.Bag != nil:
		return "bag of " + p.typeOf(t.Bag)
	case t.From != nil:
		return number(t.From) + ".." + number(t.To)
	}
	return t.Name.Text
}

func number(n *syntax.Number) string {
	v, _ := n.Value()
	return strconv.Itoa(v)
}

func (p *printer) params(ps []*syntax.ParamOf) string {
	return strings.Join(seq.Map(ps, func(x *syntax.ParamOf) string { return p.typeOf(x.Type) + " " + p.local(x.Name) }), ", ")
}

// arguments declares the names of a pattern or event.
func (p *printer) arguments(names []*syntax.Name) string {
	return strings.Join(seq.Map(names, p.local), ", ")
}

func (p *printer) conditions(conds []*book.Cond) {
	var texts []string
	for _, c := range conds {
		text := p.of(c.Expr)
		if c.Not {
			text = "!(" + text + ")"
		} else if len(conds) > 1 {
			text = "(" + text + ")"
		}
		texts = append(texts, text)
	}
	if len(texts) > 0 {
		p.glue(1, "if "+strings.Join(texts, " && "))
	}
}

func (p *printer) sides(sides []*syntax.Side) {
	out := seq.Map(sides, func(side *syntax.Side) string {
		return strings.Join(seq.Map(side.Colours, func(n *syntax.Name) string { return n.Text }), " ")
	})
	p.glue(0, "{ "+strings.Join(out, " | ")+" }")
}

func (p *printer) device(d *syntax.Device) string {
	faces := func(fs []*syntax.Face) string {
		texts := seq.Map(fs, func(f *syntax.Face) string {
			if f.Weight != nil {
				return number(f.Value) + ": " + number(f.Weight)
			}
			return number(f.Value)
		})
		return "{" + strings.Join(texts, ", ") + "}"
	}
	switch {
	case d.Choice != nil:
		return "choice of " + p.of(d.Choice)
	case d.Deck != nil:
		return "deck " + faces(d.Deck)
	case d.Sides != nil:
		return d.Sides.Text
	case d.Times != nil:
		return fmt.Sprintf("%s x %s", number(d.Times), faces(d.Faces))
	}
	return faces(d.Faces)
}
