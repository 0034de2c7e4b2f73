// Package expr owns the library github.com/expr-lang/expr. It parses the expressions of rule files and boards into a
// tree of our own, with byte spans in their file. For tests it can evaluate text with expr's virtual machine.
//
// No type or message of the library leaves this package. It is public because boards compute with the same expressions.
// Note: expr counts places in runes of the expression; our spans are bytes of the whole file.
package expr

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
)

// Kind says what a node is.
type Kind uint8

// The kinds of node.
const (
	Nil     Kind = iota
	Int          // Int
	Bool         // Int is 0 or 1
	String       // Name
	Name         // Name
	Element      // # : the current element; with Name "outer" that of the list around
	Field        // Args[0].Name; with Args[0].Kind == Element for ".field" too
	Index        // Args[0][Args[1]]
	Unary        // Name Args[0]; Name is "-" or "!"
	Binary       // Args[0] Name Args[1]; && and || in this spelling, "not in" as Unary "!" over "in"
	Ternary      // Args[0] ? Args[1] : Args[2]
	Array        // [Args…]
	Call         // Name(Args…): a name the file declares
	Builtin      // Name(Args…): a built-in function; a predicate is an unevaluated argument
	Piece        // Name@Args[0].Name: the piece of a colour at a spot; its Word is the colour
)

// Node is one node of an expression. It is immutable once parsed and safe for several goroutines.
type Node struct {
	Kind Kind
	Name string
	Int  int
	Args []*Node
	Span source.Span
	Word source.Span // of a name, field or call: the name alone
}

// Operands are the parts that an operator joins, as all those of a && b && c; a node with another operator is one part.
func (n *Node) Operands(operator string) []*Node {
	if n.Kind != Binary || n.Name != operator {
		return []*Node{n}
	}
	return append(n.Args[0].Operands(operator), n.Args[1].Operands(operator)...)
}

// Idle is the text of what a sum, product or quotient comes to where one of its numbers, as written, makes no difference to the other or
// leaves nothing of it: x + 0, x * 1, x * 0. It is "" of others.
func (n *Node) Idle() string {
	if n.Kind != Binary || len(n.Args) != 2 {
		return ""
	}
	is := func(a *Node, v int) bool { return a.Kind == Int && a.Int == v }
	a, b := n.Args[0], n.Args[1]
	switch n.Name {
	case "*":
		switch {
		case is(a, 0), is(b, 0):
			return "0"
		case is(a, 1):
			return b.Span.Text()
		case is(b, 1):
			return a.Span.Text()
		}
	case "/":
		if is(b, 1) {
			return a.Span.Text()
		}
	case "+", "-":
		switch {
		case is(b, 0):
			return a.Span.Text()
		case is(a, 0) && n.Name == "+":
			return b.Span.Text()
		}
	}
	return ""
}

// Limits on one expression; a larger one is an error.
const (
	MaxLength = 4000 // bytes
	MaxDepth  = 60   // nesting of brackets, operators and conditions
	maxNodes  = 2000
)

// Parse parses the text of span. Faults are added to diags; the result is nil after one.
func Parse(span source.Span, diags *diag.List) *Node {
	text := span.Text()
	if strings.TrimSpace(text) == "" {
		diags.Errorf("missing-expression", span, "an expression is missing here")
		return nil
	}
	if len(text) > MaxLength {
		diags.Errorf("too-large", span, "this expression is %d bytes long, the limit is %d", len(text), MaxLength).
			WithHint("name parts of it with let")
		return nil
	}
	if !utf8.ValidString(text) {
		diags.Errorf("bad-character", span, "this expression is not valid UTF-8")
		return nil
	}
	if at, deep := tooDeep(text); deep {
		diags.Errorf("too-deep", span.File.Span(span.Start+at, span.Start+at+1), "brackets nest more than %d deep", MaxDepth).
			WithHint("name parts of it with let")
		return nil
	}
	c := &converter{span: span, text: text, diags: diags}
	tree, err := parser.ParseWithConfig(maskPieces(text), config())
	if err != nil {
		c.fault(err)
		return nil
	}
	node := c.node(tree.Node, 0)
	if c.failed {
		return nil
	}
	return node
}

// piece is a quoted text, or a piece by its colour and spot: yellow@39/2#2.
var piece = pattern.Of(`"(?:\\.|[^"\\])*"|'[^']*'|[\pL_][\pL\pN_]*[ \t]*@[ \t]*[\pL\pN_]+(?:[-/#][\pL\pN_]+)*`)

// maskPieces writes the pieces of an expression as names of the same length, which expr can parse. No dot stands before a piece.
func maskPieces(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	masked := []byte(text)
	for _, at := range piece().FindAllStringIndex(text, -1) {
		if text[at[0]] == '"' || text[at[0]] == '\'' || at[0] > 0 && text[at[0]-1] == '.' {
			continue
		}
		for i := at[0]; i < at[1]; i++ {
			if strings.IndexByte("@-/# \t", masked[i]) >= 0 {
				masked[i] = '_'
			}
		}
	}
	return string(masked)
}

func tooDeep(text string) (at int, deep bool) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[':
			if depth++; depth > MaxDepth {
				return i, true
			}
		case ')', ']':
			depth--
		}
	}
	// Runs of prefix operators nest without brackets.
	run := 0
	for i := range len(text) {
		switch text[i] {
		case '!', '-':
			if run++; run > MaxDepth {
				return i, true
			}
		case ' ', '\t', '\n':
		default:
			run = 0
		}
	}
	return 0, false
}

// config is the part of expr-lang that this package uses. Its parser only reads it.
var config = sync.OnceValue(func() *conf.Config {
	c := &conf.Config{MaxNodes: maxNodes, DisableIfOperator: true, Disabled: map[string]bool{}}
	for _, name := range builtin.Names {
		c.Disabled[name] = !builtins[name]
	}
	return c
})

type converter struct {
	span   source.Span
	text   string
	diags  *diag.List
	failed bool
}

// offset turns expr's place (runes) into a byte offset in the file.
func (c *converter) offset(runes int) int {
	i := 0
	for range runes {
		if i >= len(c.text) {
			break
		}
		_, w := utf8.DecodeRuneInString(c.text[i:])
		i += w
	}
	return c.span.Start + i
}

func (c *converter) fault(err error) {
	span := c.span
	message := "this expression cannot be read"
	if e, ok := err.(*file.Error); ok {
		at := c.offset(e.From)
		end := at + 1
		if e.To > e.From {
			end = c.offset(e.To)
		}
		if at >= c.span.End {
			at = c.span.End - 1
			end = c.span.End
		}
		span = c.span.File.Span(at, end)
		message = faultWords(e.Message, span.Text())
		if i := openBracket(c.text); i >= 0 && strings.Contains(e.Message, "EOF") {
			span = c.span.File.Span(c.span.Start+i, c.span.Start+i+1)
			message = "this " + span.Text() + " is not closed"
		} else if t := span.Text(); (t == "#" || t == ".") && strings.Contains(e.Message, "unexpected token") {
			c.diags.Errorf("no-element", span, "%s stands only inside all, any, none, count, filter and the like", map[string]string{"#": "#", ".": ".field"}[t]).
				WithHint("%s", hintOutside(c.text[:max(0, at-c.span.Start)]))
			return
		}
	}
	d := c.diags.Errorf("bad-expression", span, "%s", message)
	before := strings.TrimRight(c.text[:max(0, span.Start-c.span.Start)], " ")
	if span.Text() == ">" && strings.HasSuffix(before, "<") {
		d.WithHint("write !=")
	} else if strings.HasPrefix(message, "this takes a list") {
		d.WithHint("a comma parts them: any(mine, .at == home)")
	} else if line := c.span.File.Text()[:c.span.Start]; slices.Contains([]string{"any", "each", "most", "all"}, before) && strings.HasSuffix(strings.TrimRight(line, " "), "play") {
		d.WithHint("numbers of a list are played: play %s of LIST", before)
	} else if span.Text() == "@" {
		d.WithHint("a piece is named COLOUR@SQUARE, in tests only")
	} else if hint, known := meant[span.Text()]; known {
		d.WithHint("%s", hint)
	} else if r, _ := utf8.DecodeRuneInString(span.Text()); strings.ContainsRune("“”„‟«»‘’´`", r) {
		d.WithHint("words stand between straight quotes")
	}
}

// meant maps spellings of other languages to those of this language.
var meant = map[string]string{
	"=": "== compares", "===": "write ==", "<>": "write !=", "=>": "write >=", "=<": "write <=", "&": "write && or the word and",
	"|": "write || or the word or", "y": "write and", "o": "write or", "is": "write ==", "to": "a range is written LOW..HIGH",
	"than": "write < or >", "equals": "write ==", "mod": "the rest of a division is written %", "then": "write CONDITION ? VALUE : VALUE", ":": "no colon stands here", "...": "a range is written LOW..HIGH",
}

// openBracket finds the last unclosed bracket, -1 if there is none.
func openBracket(text string) int {
	var open []int
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case quoted:
		case text[i] == '(' || text[i] == '[':
			open = append(open, i)
		case (text[i] == ')' || text[i] == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[len(open)-1]
}

// faultWords translates a message of expr's parser.
func faultWords(message, text string) string {
	switch {
	case strings.Contains(message, "EOF"), strings.Contains(message, "end of expression"):
		return "the expression ends too early"
	case strings.Contains(message, "literal not terminated"):
		return "a quoted word is not closed"
	case strings.Contains(message, "exceeds maximum"):
		return "this expression is too large; name parts of it with let"
	case strings.Contains(message, "out of range"):
		return "numbers lie between -32768 and 32767"
	case strings.Contains(message, "literal:"), strings.Contains(message, "bad number"), strings.Contains(message, "invalid number"):
		return "this is not a number"
	case strings.Contains(message, "at least 2 arguments"):
		return "this takes a list and a condition on its elements"
	case strings.Contains(message, "cannot be mixed"):
		return "another operator follows ??; put one of them in brackets"
	case strings.Contains(message, "unexpected token"):
		return "did not expect " + quoteShort(text) + " here"
	case strings.Contains(message, "not enough arguments"), strings.Contains(message, "invalid number of arguments"):
		return "wrong number of arguments"
	case strings.Contains(message, "predicate") || strings.Contains(message, "pointer"):
		return "# and .field stand only inside all, any, none, count, filter and the like"
	}
	return "this expression cannot be read at " + quoteShort(text)
}

// method is a function written behind its list: "x.pieces.all(".
var method = pattern.Of(`([\w.]+)\.(all|any|none|count|filter|find|map|sortBy|sum)\($`)

// hintOutside says how to write # or .field where there is no list around; before is the text before it.
func hintOutside(before string) string {
	if m := method().FindStringSubmatch(before); m != nil {
		return "the list stands inside: " + m[2] + "(" + m[1] + ", …)"
	}
	return "write what is meant by its name"
}

func quoteShort(s string) string {
	if len(s) > 20 {
		s = strings.ToValidUTF8(s[:20], "") + "…"
	}
	return "\"" + s + "\""
}

func (c *converter) refuse(n ast.Node, format string, args ...any) *Node {
	c.failed = true
	c.diags.Errorf("not-in-language", c.at(n), format, args...)
	return nil
}

func (c *converter) at(n ast.Node) source.Span {
	loc := n.Location()
	return c.span.File.Span(c.offset(loc.From), max(c.offset(loc.To), c.offset(loc.From)+1))
}

// balance extends a span by the brackets around its operands, which are not in the tree.
func (c *converter) balance(s source.Span) source.Span {
	open, missing := 0, 0
	inText := false
	for i := s.Start; i < s.End; i++ {
		switch b := c.text[i-c.span.Start]; {
		case b == '"':
			inText = !inText
		case inText:
		case b == '(' || b == '[':
			open++
		case b == ')' || b == ']':
			if open--; open < 0 {
				open, missing = 0, missing+1
			}
		}
	}
	for ; missing > 0 && s.Start > c.span.Start; s.Start-- {
		if b := c.text[s.Start-1-c.span.Start]; b == '(' || b == '[' {
			missing--
		} else if b == ')' || b == ']' {
			missing++
		}
	}
	for ; open > 0 && s.End < c.span.End; s.End++ {
		if b := c.text[s.End-c.span.Start]; b == ')' || b == ']' {
			open--
		} else if b == '(' || b == '[' {
			open++
		}
	}
	return s
}

var builtins = map[string]bool{
	"all": true, "none": true, "any": true, "filter": true, "map": true, "count": true, "sum": true,
	"find": true, "sortBy": true, "len": true, "first": true, "last": true, "min": true, "max": true,
	"abs": true, "int": true, "string": true,
}

func (c *converter) node(n ast.Node, depth int) *Node {
	if c.failed {
		return nil
	}
	if depth > 4*MaxDepth {
		c.failed = true
		c.diags.Errorf("too-deep", c.at(n), "this expression nests too deep").WithHint("name parts of it with let")
		return nil
	}
	if n == nil {
		c.failed = true
		c.diags.Errorf("bad-expression", c.span, "this expression cannot be read")
		return nil
	}
	out := &Node{Span: c.at(n), Word: c.at(n)}
	args := func(nodes ...ast.Node) *Node {
		for _, a := range nodes {
			arg := c.node(a, depth+1)
			if arg == nil {
				return nil
			}
			out.Args = append(out.Args, arg)
			out.Span = out.Span.To(arg.Span)
		}
		out.Span = c.balance(out.Span)
		return out
	}
	switch n := n.(type) {
	case *ast.NilNode:
		out.Kind = Nil
	case *ast.IntegerNode:
		out.Kind, out.Int = Int, n.Value
	case *ast.BoolNode:
		out.Kind = Bool
		if n.Value {
			out.Int = 1
		}
	case *ast.StringNode:
		out.Kind, out.Name = String, n.Value
	case *ast.IdentifierNode:
		out.Kind, out.Name = Name, n.Value
		if colour, spot, ok := strings.Cut(out.Span.Text(), "@"); ok {
			colour, spot = strings.TrimSpace(colour), strings.TrimSpace(spot)
			at := out.Span.File.Span(out.Span.End-len(spot), out.Span.End)
			out.Kind, out.Name, out.Word = Piece, colour, out.Span.File.Span(out.Span.Start, out.Span.Start+len(colour))
			out.Args = []*Node{{Kind: String, Name: spot, Span: at, Word: at}}
		}
	case *ast.PointerNode:
		if n.Name != "" && n.Name != "outer" {
			c.refuse(n, "did not expect %q here", "#"+n.Name)
			c.diags.Last().WithHint("the field of an element is .%s", n.Name).WithFix(c.at(n), "."+n.Name, "write .%s", n.Name)
			return nil
		}
		out.Kind, out.Name = Element, n.Name
	case *ast.UnaryNode:
		out.Kind = Unary
		switch n.Operator {
		case "not", "!":
			out.Name = "!"
		case "-":
			out.Name = "-"
		default:
			return c.refuse(n, "%q does not belong to the language", n.Operator)
		}
		return args(n.Node)
	case *ast.BinaryNode:
		out.Kind = Binary
		switch n.Operator {
		case "and", "&&":
			out.Name = "&&"
		case "or", "||":
			out.Name = "||"
		case "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "in", "??", "..":
			out.Name = n.Operator
		default:
			return c.refuse(n, "%q does not belong to the language", n.Operator)
		}
		return args(n.Left, n.Right)
	case *ast.ConditionalNode:
		out.Kind = Ternary
		return args(n.Cond, n.Exp1, n.Exp2)
	case *ast.ArrayNode:
		out.Kind = Array
		return args(n.Nodes...)
	case *ast.ChainNode:
		return c.refuse(n, "\"?.\" does not belong to the language")
	case *ast.MemberNode:
		if n.Optional {
			return c.refuse(n, "\"?.\" does not belong to the language")
		}
		if name, ok := n.Property.(*ast.StringNode); ok && !n.Method && c.dotted(n) {
			out.Kind, out.Name = Field, name.Value
			return args(n.Node)
		}
		out.Kind = Index
		return args(n.Node, n.Property)
	case *ast.CallNode:
		callee, ok := n.Callee.(*ast.IdentifierNode)
		if !ok {
			if m, method := n.Callee.(*ast.MemberNode); method {
				name := c.at(m.Property).Text()
				c.refuse(n.Callee, "a function stands before its brackets, not behind a dot")
				c.diags.Last().WithHint("write %s(…)", strings.Trim(name, "."))
				return nil
			}
			return c.refuse(n, "only names can be called")
		}
		out.Kind, out.Name = Call, callee.Value
		return args(n.Arguments...)
	case *ast.BuiltinNode:
		if !builtins[n.Name] {
			return c.refuse(n, "%q does not belong to the language", n.Name)
		}
		out.Kind, out.Name = Builtin, n.Name
		return args(n.Arguments...)
	case *ast.PredicateNode:
		return c.node(n.Node, depth+1)
	case *ast.SliceNode:
		return c.refuse(n, "parts of lists do not belong to the language; filter takes some of the elements")
	case *ast.FloatNode:
		return c.refuse(n, "numbers have no decimals in the language; on a board 22.5 is 45/2")
	default:
		return c.refuse(n, "this does not belong to the language")
	}
	return out
}

// dotted distinguishes a.b, a field, from a["b"], an index.
func (c *converter) dotted(n *ast.MemberNode) bool {
	at := c.offset(n.Property.Location().From) - c.span.Start
	return at >= len(c.text) || c.text[at] != '"' && c.text[at] != '\''
}

// IsBuiltin reports whether name is a built-in function.
func IsBuiltin(name string) bool { return builtins[name] }
