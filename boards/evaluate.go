package boards

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// expression is a parsed value of the file. at is the span of its faults if the text is not in the file byte for byte,
// otherwise the zero span.
type expression struct {
	root *expr.Node
	at   source.Span
}

// maxWork limits the cost of all expressions and tracks of a board together.
const maxWork = 5_000_000

// expression parses n and checks that its names are known in s. The result is nil after a fault.
func (r *reader) expression(n *node, s *scope) *expression {
	if n.kind != scalarNode {
		r.wrongKind(n, "an expression")
		return nil
	}
	if n.null {
		if d := r.fault("missing-expression", n.span, "a value is missing here"); n.span.Text() != "" {
			d.Get().Hint = "in expressions nothing is called nil"
		}
		return nil
	}
	if x := decimal(n); x != nil {
		return x
	}
	e := &expression{}
	span := n.inner
	if !n.exact {
		e.at = n.inner
		text := strings.TrimRight(n.text, "\n")
		span = source.New(n.span.Name(), text).Span(0, len(text))
	}
	var faults diag.List
	e.root = expr.Parse(span, &faults)
	for _, d := range faults {
		if !n.exact {
			d.Span, d.Notes = n.inner, nil
		}
		r.add(d)
	}
	if e.root == nil || !r.checkNames(e, e.root, s) {
		return nil
	}
	r.parsed = append(r.parsed, e)
	return e
}

// decimal is the expression for a number such as 1.5: the expression language has none.
func decimal(n *node) *expression {
	if !strings.Contains(n.text, ".") || len(n.text) > 12 || strings.Trim(n.text, "-.0123456789") != "" {
		return nil
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		return nil
	}
	part := func(i int) *expr.Node { return &expr.Node{Kind: expr.Int, Int: i, Span: n.span} }
	parts := []*expr.Node{part(int(math.Round(f * 1000))), part(1000)}
	return &expression{root: &expr.Node{Kind: expr.Binary, Name: "/", Args: parts, Span: n.span}}
}

func (e *expression) span(n *expr.Node) source.Span { return cmp.Or(e.at, n.Span) }

// checkNames reports every unknown name, also in branches that are never taken.
func (r *reader) checkNames(e *expression, n *expr.Node, s *scope) bool {
	ok := true
	switch n.Kind {
	case expr.Name:
		if n.Name == "all" {
			break
		}
		if _, known := s.find(n.Name); !known {
			r.unknownName(e.span(n), n.Name, s)
			return false
		}
		r.used[n.Name] = true
	case expr.Element, expr.Piece:
		r.fault("not-in-format", e.span(n), "%q does not belong to boards", e.span(n).Text())
		return false
	case expr.Call, expr.Builtin:
		i := slices.IndexFunc(functions, func(f function) bool { return f.name == n.Name })
		if i < 0 {
			known := seq.Map(functions, func(f function) string { return f.name })
			r.suggest(r.fault("unknown-function", e.span(n), "boards have no function %q", n.Name), n.Name, known)
			return false
		}
		if want := functions[i].args; want >= 0 && len(n.Args) != want || len(n.Args) == 0 {
			r.fault("wrong-arguments", e.span(n), "%s got %d arguments, want %d", n.Name, len(n.Args), max(want, 1))
			return false
		}
	}
	for _, a := range n.Args {
		ok = r.checkNames(e, a, s) && ok
	}
	return ok
}

func (r *reader) unknownName(span source.Span, name string, s *scope) {
	if r.suppressed[name] {
		return
	}
	d := r.fault("unknown-variable", span, "nothing here is called %q", shorten(name))
	switch strings.ToLower(name) {
	case "yes", "on", "no", "off", "true", "false":
		d.WithHint("a flag is written true or false")
		return
	}
	if span, ok := r.removed[name]; ok {
		d.WithNote(span, "this takes %q out of the board", name)
	} else if later, ok := r.later[name]; ok {
		d.Get().Hint = "the " + later + " " + quote(name) + " comes later in the file"
	} else if len(*r.diags) <= maxSuggested {
		r.suggest(d, name, s.known())
	}
}

// ends returns the two operands of an expression with one operator: 1 and 12 of 1..12.
func (e *expression) ends(operator string) (low, high int, ok bool) {
	if e == nil || e.root.Kind != expr.Binary || e.root.Name != operator {
		return 0, 0, false
	}
	a, b := e.root.Args[0], e.root.Args[1]
	return a.Int, b.Int, a.Kind == expr.Int && b.Kind == expr.Int
}

func (e *expression) uses(name string) bool { return e != nil && usesName(e.root, name) }

func usesName(n *expr.Node, name string) bool {
	return n.Kind == expr.Name && n.Name == name ||
		slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return usesName(a, name) })
}

// eval evaluates e in s. The value is bad after a fault, and for a nil expression.
func (r *reader) eval(e *expression, s *scope) value {
	if e == nil || r.exhausted {
		return value{}
	}
	return (&evaluation{reader: r, e: e, scope: s}).node(e.root)
}

// want evaluates e and reports a value that is not of kind.
func (r *reader) want(e *expression, s *scope, kind valueKind) (value, bool) {
	v := r.eval(e, s)
	if v.kind == badValue {
		return v, false
	}
	return v, r.wantKind(v, kind, e.span(e.root))
}

func (r *reader) wantKind(v value, kind valueKind, span source.Span) bool {
	if v.kind != kind && v.kind != badValue {
		d := r.fault("type-mistake", span, "got %s, want %s", r.describe(v), valueKindNames[kind])
		if kind == placeValue && (v.kind == numValue || v.kind == textValue) && r.board.places[strings.Trim(span.Text(), "\"'")] > 0 {
			d.WithHint("a square is written square(%q)", strings.Trim(span.Text(), "\"'"))
		}
	}
	return v.kind == kind
}

// whole evaluates e, which must be a whole number.
func (r *reader) whole(e *expression, s *scope) (int, bool) {
	v, ok := r.want(e, s, numValue)
	if !ok {
		return 0, false
	}
	if !v.isWhole() {
		r.fault("type-mistake", e.span(e.root), "got %s, want a whole number", formatNumber(v.num))
		return 0, false
	}
	return int(v.num), true
}

type evaluation struct {
	*reader
	e     *expression
	scope *scope
}

func (v *evaluation) bad(n *expr.Node, code, format string, args ...any) value {
	v.fault(code, v.e.span(n), format, args...)
	return value{}
}

// spend counts work and reports false above the limit.
func (r *reader) spend(at source.Span, work int) bool {
	if r.work += work; r.work > maxWork {
		if !r.exhausted {
			r.fault("too-large", at, "working out this board takes too long")
		}
		r.exhausted = true
	}
	return !r.exhausted
}

func (v *evaluation) spend(n *expr.Node, work int) bool { return v.reader.spend(v.e.span(n), work) }

func (v *evaluation) node(n *expr.Node) value {
	if !v.spend(n, 1) {
		return value{}
	}
	switch n.Kind {
	case expr.Nil:
		return value{kind: nilValue}
	case expr.Int:
		return number(float64(n.Int))
	case expr.Bool:
		return truth(n.Int == 1)
	case expr.String:
		return value{kind: textValue, text: n.Name}
	case expr.Name:
		if n.Name == "all" {
			return v.bad(n, "type-mistake", "\"all\" stands only alone, as in {ring: all}")
		}
		found, _ := v.scope.find(n.Name)
		if v.suppressed[n.Name] {
			return value{}
		}
		return found
	case expr.Field:
		return v.field(n)
	case expr.Index:
		return v.element(n)
	case expr.Unary:
		return v.unary(n)
	case expr.Binary:
		return v.binary(n)
	case expr.Ternary:
		cond, ok := v.want(n.Args[0], flagValue)
		switch {
		case !ok:
			return value{}
		case cond.num == 1:
			return v.node(n.Args[1])
		}
		return v.node(n.Args[2])
	case expr.Array:
		if list, known := v.constants[n]; known {
			v.spend(n, len(n.Args))
			return list
		}
		list := value{kind: listValue, items: make([]value, 0, len(n.Args))}
		for _, a := range n.Args {
			item := v.node(a)
			if item.kind == badValue {
				return item
			}
			list.items = append(list.items, item)
		}
		if !slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return a.Kind != expr.Int && a.Kind != expr.String }) {
			v.constants[n] = list
		}
		return list
	case expr.Call, expr.Builtin:
		return v.call(n)
	}
	return v.bad(n, "not-in-format", "this does not belong to boards")
}

func (v *evaluation) want(n *expr.Node, kind valueKind) (value, bool) {
	got := v.node(n)
	return got, v.wantKind(got, kind, v.e.span(n))
}

func (v *evaluation) field(n *expr.Node) value {
	of := v.node(n.Args[0])
	known := []string{"name"}
	switch of.kind {
	case badValue:
		return of
	case colourValue:
		switch n.Name {
		case "name":
			return value{kind: textValue, text: v.colours[of.index]}
		case "seat":
			return number(float64(of.index))
		}
		known = append(known, "seat")
		for _, l := range v.landmarks {
			if l.name == n.Name && of.index < len(l.values) {
				return l.values[of.index]
			}
			known = append(known, l.name)
		}
	case placeValue:
		if n.Name == "name" {
			return value{kind: textValue, text: v.board.Places[of.index].Name}
		}
	default:
		return v.bad(n, "unknown-field", "a %s has no fields", valueKindNames[of.kind])
	}
	v.suggest(v.fault("unknown-field", v.e.span(n), "a %s has no field %q", valueKindNames[of.kind], n.Name), n.Name, known)
	return value{}
}

func (v *evaluation) element(n *expr.Node) value {
	of := v.node(n.Args[0])
	if of.kind == badValue {
		return of
	}
	if of.kind != familyValue && of.kind != listValue {
		return v.bad(n.Args[0], "type-mistake", "got %s, want family of squares or list", v.describe(of))
	}
	at, ok := v.want(n.Args[1], numValue)
	if !ok {
		return value{}
	}
	if !at.isWhole() {
		return v.bad(n.Args[1], "type-mistake", "got %s, want a whole number", formatNumber(at.num))
	}
	i, length, what := int(at.num), len(of.items), "this list"
	if of.kind == familyValue {
		f := v.families[of.index]
		length, what = len(f.squares), "family "+quote(f.name)
		if f.broken && (i < 1 || i > length) {
			return value{}
		}
	}
	if i < 1 || i > length {
		return v.bad(n.Args[1], "out-of-range", "%s has no element %d: it is numbered from 1 to %d", what, i, length)
	}
	if of.kind == familyValue {
		return value{kind: placeValue, index: v.families[of.index].squares[i-1].place}
	}
	return of.items[i-1]
}

func (v *evaluation) unary(n *expr.Node) value {
	kind := numValue
	if n.Name == "!" {
		kind = flagValue
	}
	switch got, ok := v.want(n.Args[0], kind); {
	case !ok:
		return value{}
	case kind == flagValue:
		return truth(got.num == 0)
	default:
		return number(-got.num)
	}
}

func (v *evaluation) binary(n *expr.Node) value {
	switch n.Name {
	case "&&", "||":
		left, ok := v.want(n.Args[0], flagValue)
		if !ok || (left.num == 1) == (n.Name == "||") {
			return left
		}
		right, _ := v.want(n.Args[1], flagValue)
		return right
	case "??":
		left := v.node(n.Args[0])
		if left.kind != nilValue {
			return left
		}
		return v.node(n.Args[1])
	}
	left := v.node(n.Args[0])
	right := v.node(n.Args[1])
	if left.kind == badValue || right.kind == badValue {
		return value{}
	}
	switch n.Name {
	case "==", "!=":
		if left.kind != right.kind && left.kind != nilValue && right.kind != nilValue {
			return v.bad(n, "type-mistake", "%s and %s cannot be compared", v.describe(left), v.describe(right))
		}
		same := v.same(n, left, right)
		if v.exhausted {
			return value{}
		}
		return truth(same == (n.Name == "=="))
	case "in":
		return v.in(n, left, right)
	case "+":
		if left.kind == textValue && right.kind == textValue {
			if len(left.text)+len(right.text) > 1000 {
				return v.bad(n, "too-large", "this text is longer than 1000 bytes")
			}
			return value{kind: textValue, text: left.text + right.text}
		}
		if left.kind == textValue && right.kind == numValue {
			v.fault("type-mistake", v.e.span(n.Args[1]), "got %s, want text", v.describe(right)).Get().Hint = "write string(…)"
			return value{}
		}
	}
	if !v.wantKind(left, numValue, v.e.span(n.Args[0])) || !v.wantKind(right, numValue, v.e.span(n.Args[1])) {
		return value{}
	}
	return v.arithmetic(n, left, right)
}

func (v *evaluation) in(n *expr.Node, left, right value) value {
	if right.kind != listValue {
		v.wantKind(right, listValue, v.e.span(n.Args[1]))
		return value{}
	}
	for _, item := range right.items {
		if item.kind != left.kind && item.kind != nilValue {
			return v.bad(n, "type-mistake", "%s and %s cannot be compared", v.describe(left), v.describe(item))
		}
		same := v.same(n, item, left)
		if v.exhausted {
			return value{}
		}
		if same {
			return truth(true)
		}
	}
	return truth(false)
}

// same compares two values, which is work for each element of a list.
func (v *evaluation) same(n *expr.Node, a, b value) bool {
	return v.spend(n, 1) && a.alike(b) && slices.EqualFunc(a.items, b.items, func(a, b value) bool { return v.same(n, a, b) })
}

func (v *evaluation) arithmetic(n *expr.Node, left, right value) value {
	a, b := left.num, right.num
	var out float64
	switch n.Name {
	case "<":
		return truth(a < b)
	case "<=":
		return truth(a <= b)
	case ">":
		return truth(a > b)
	case ">=":
		return truth(a >= b)
	case "+":
		out = a + b
	case "-":
		out = a - b
	case "*":
		out = a * b
	case "/":
		if b == 0 {
			return v.bad(n.Args[1], "division-by-zero", "this divides by zero")
		}
		out = a / b
	case "%", "..":
		for i, x := range []value{left, right} {
			if !x.isWhole() {
				return v.bad(n.Args[i], "type-mistake", "got %s, want a whole number", formatNumber(x.num))
			}
		}
		if n.Name == ".." {
			return v.span(n, int(a), int(b))
		}
		if b == 0 {
			return v.bad(n.Args[1], "division-by-zero", "this divides by zero")
		}
		out = math.Mod(a, b)
	default:
		return v.bad(n, "not-in-format", "%q does not belong to boards", n.Name)
	}
	if math.Abs(out) > 1e12 {
		return v.bad(n, "too-large", "this number is too large")
	}
	return number(out)
}

func (v *evaluation) span(n *expr.Node, from, to int) value {
	list := value{kind: listValue}
	if to-from >= maxIterations {
		return v.bad(n, "too-large", "this range has more than %d numbers", maxIterations)
	}
	if !v.spend(n, 4*max(0, to-from+1)) {
		return value{}
	}
	for i := from; i <= to; i++ {
		list.items = append(list.items, number(float64(i)))
	}
	return list
}

type function struct {
	name string
	args int // -1: at least one
}

// functions are the functions of board expressions.
var functions = []function{{"int", 1}, {"string", 1}, {"abs", 1}, {"len", 1}, {"first", 1}, {"last", 1}, {"min", -1}, {"max", -1}, {"square", 1}}

func (v *evaluation) call(n *expr.Node) value {
	args := make([]value, len(n.Args))
	for i, a := range n.Args {
		if args[i] = v.node(a); args[i].kind == badValue {
			return value{}
		}
	}
	arg, at := args[0], v.e.span(n.Args[0])
	switch n.Name {
	case "string":
		switch arg.kind {
		case textValue:
			return arg
		case numValue:
			return value{kind: textValue, text: formatNumber(arg.num)}
		}
		return v.bad(n.Args[0], "type-mistake", "got %s, want number", v.describe(arg))
	case "len", "first", "last":
		return v.ofList(n, arg)
	case "square":
		if arg.isWhole() {
			v.fault("type-mistake", at, "got %s, want text", v.describe(arg)).WithHint("write square(%q), or square(string(…))", formatNumber(arg.num))
			return value{}
		}
		if !v.wantKind(arg, textValue, at) {
			return value{}
		}
		if p, ok := v.board.places[arg.text]; ok {
			return value{kind: placeValue, index: p}
		}
		if v.brokenSquares {
			return value{}
		}
		v.suggestPlace(v.fault("unknown-square", at, "there is no square %q", shorten(arg.text)), arg.text)
		return value{}
	}
	out := 0.0
	for i, a := range args {
		if !v.wantKind(a, numValue, v.e.span(n.Args[i])) {
			return value{}
		}
		switch {
		case i == 0:
			out = a.num
		case n.Name == "min":
			out = min(out, a.num)
		case n.Name == "max":
			out = max(out, a.num)
		}
	}
	switch n.Name {
	case "int":
		out = math.Trunc(out)
	case "abs":
		out = math.Abs(out)
	}
	return number(out)
}

func (v *evaluation) ofList(n *expr.Node, arg value) value {
	length, item := len(arg.items), func(i int) value { return arg.items[i] }
	switch arg.kind {
	case listValue:
	case familyValue:
		f := v.families[arg.index]
		if f.broken {
			return value{}
		}
		length, item = len(f.squares), func(i int) value { return value{kind: placeValue, index: f.squares[i].place} }
	default:
		v.wantKind(arg, listValue, v.e.span(n.Args[0]))
		return value{}
	}
	switch {
	case n.Name == "len":
		return number(float64(length))
	case length == 0:
		return v.bad(n, "out-of-range", "this list is empty")
	case n.Name == "first":
		return item(0)
	}
	return item(length - 1)
}
