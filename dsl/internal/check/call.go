package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// let types a let at its first use.
func (c *checker) let(entry *letEntry, at *expr.Node) *model.Let {
	d := entry.entry.Decl
	c.used(entry.entry.NameSpan())
	if entry.let != nil {
		return sound(entry.let.Body != nil, entry.let)
	}
	if i := slices.Index(c.typing, entry); i >= 0 {
		chain := c.typing[i:]
		fault := c.errorf("cycle", entry.entry.NameSpan(), "%q is defined by itself", d.Kind.Let.Name.Text)
		for j, x := range chain {
			if len(chain) > 1 {
				fault.WithNote(x.entry.NameSpan(), "%s uses %s", letName(x), letName(chain[(j+1)%len(chain)]))
			}
		}
		return nil
	}
	if len(c.typing) >= maxLetDepth {
		c.errorf("too-deep", at.Span, "more than %d lets use one another here", maxLetDepth)
		return nil
	}
	c.typing = append(c.typing, entry)
	defer func() { c.typing = c.typing[:len(c.typing)-1] }()
	// A let is typed in its own context: its file, and no local names of the place that uses it.
	file, current, scopes, elems, where := c.file, c.entry, c.scopes, c.elems, c.where
	defer func() { c.file, c.entry, c.scopes, c.elems, c.where = file, current, scopes, elems, where }()
	c.in(entry.entry)
	c.where = context{step: true, before: true}
	c.push()
	l := &model.Let{Name: d.Kind.Let.Name.Text, Span: entry.entry.NameSpan()}
	fine := true
	for _, p := range d.Kind.Let.Params {
		t, ok := c.paramType(p.Type)
		fine = fine && ok
		l.Params = append(l.Params, c.local(p.Name, t))
	}
	l.Body = c.value(d.Kind.Let.Value)
	if l.Body != nil && l.Body.Type.Kind == model.Fraction {
		l.Body = c.want(l.Body, model.Of(model.Number))
	}
	if !fine {
		l.Body = nil
	}
	entry.let = l
	if entry.size = c.size(l.Body); entry.size > maxLetSize {
		c.errorf("too-large", l.Span, "let %q grows too large when the lets it uses are written out", l.Name)
		l.Body = nil
	}
	return sound(l.Body != nil, l)
}

// Limits on lets. Each use of a let is expanded inline.
const (
	maxLetDepth = 100
	maxLetSize  = 50_000
)

// size is the number of nodes of an expression, after expanding its lets.
func (c *checker) size(e *model.Expr) int {
	n := 0
	e.Walk(func(x *model.Expr) bool {
		n++
		if x.Op == model.OpCall && c.lets[x.Let.Name] != nil {
			n += c.lets[x.Let.Name].size
		}
		return true
	})
	return n
}

func letName(x *letEntry) string { return x.entry.Decl.Kind.Let.Name.Text }

// callLet is the value of a let; a constant body needs no call.
func (c *checker) callLet(l *model.Let, args []*model.Expr, span source.Span) *model.Expr {
	if l.Body.Op == model.OpConst || l.Body.Op == model.OpWord {
		folded := *l.Body
		folded.Span = span
		c.rules.Decided = append(c.rules.Decided, model.Decided{Span: l.Span, Holds: true})
		return &folded
	}
	return &model.Expr{Op: model.OpCall, Type: l.Body.Type, Let: l, Args: args, Span: span}
}

// call types NAME(…): a let, or one of square, after, next.
func (c *checker) call(n *expr.Node) *model.Expr {
	if c.where.options {
		return noExpr(c.errorf("not-constant", n.Span, "only options and the number of players can stand here"))
	}
	switch n.Name {
	case "square":
		c.means(n.Word, index.Function, n.Name, source.Span{}, model.Of(model.Place))
		return c.square(n)
	case "indexOf":
		c.means(n.Word, index.Function, n.Name, source.Span{}, model.Of(model.Number))
		return c.indexOf(n)
	case "after", "next":
		c.means(n.Word, index.Function, n.Name, source.Span{}, model.Type{})
		return c.after(n)
	}
	c.completeName(n)
	entry := c.lets[n.Name]
	if entry == nil {
		if x, found := c.countNamed(n); found {
			return x
		}
		name := n.Span.File.Span(n.Span.Start, n.Span.Start+len(n.Name))
		if c.spoilt[n.Name] || c.tookAway(name, n.Name) {
			return nil
		}
		if what := c.globalMeaning(n.Name); what != "" || c.findLocal(n.Name) != nil {
			d := c.errorf("wrong-arguments", n.Span, "%q takes no arguments", n.Name).WithHint("write it without the brackets")
			if at := brackets(n); !at.IsZero() {
				d.WithFix(at, "", "leave the brackets out")
			}
			return nil
		}
		d := c.errorf("unknown-name", name, "there is no function or let %q", n.Name)
		known := slices.AppendSeq(syntax.Texts(syntax.FunctionWord), maps.Keys(c.lets))
		if c.book.Renamed(d, n.Name) {
			return nil
		}
		hint := c.countHint(n.Name)
		if c.acts[n.Name] != nil {
			hint = fmt.Sprintf("%q is an act: it is done with do, it has no value", n.Name)
		}
		if hint != "" {
			d.WithHint("%s", hint)
			return nil
		}
		d.Suggest(n.Name, sorted(known), "")
		return nil
	}
	l := c.let(entry, n)
	c.meansLet(n.Word, entry)
	args := c.nodes(n.Args)
	if l == nil || args == nil {
		return nil
	}
	if len(args) != len(l.Params) {
		return noExpr(c.errorf("wrong-arguments", n.Span, "%q takes %s, got %d", n.Name, plural(len(l.Params), "argument"), len(args)).
			WithNote(l.Span, "declared here"))
	}
	if !c.wantEach(args, l.Params) {
		return nil
	}
	return c.callLet(l, args, n.Span)
}

// wantEach reports the first argument that is of another type than its parameter. Two that only stand in the wrong order can change places.
func (c *checker) wantEach(args []*model.Expr, params []*model.Local) bool {
	wrong := []int{}
	for i, a := range args {
		if a == nil {
			return false
		}
		if !fits(a, params[i].Type) {
			wrong = append(wrong, i)
		}
	}
	switch {
	case len(wrong) == 0:
		return true
	case len(wrong) == 2 && args[wrong[0]].Type == params[wrong[1]].Type && args[wrong[1]].Type == params[wrong[0]].Type:
		a, b := args[wrong[0]].Span, args[wrong[1]].Span
		names := strings.Join(seq.Map(params, typedName), ", ")
		at := a.To(b)
		text := b.Text() + at.File.Text()[a.End:b.Start] + a.Text()
		c.errorf("wrong-type", a, "got %s, want %s", args[wrong[0]].Type.With(), params[wrong[0]].Type.With()).
			WithHint("the parameters are %s: write %s", names, short(text)).WithFix(at, text, "write %s", short(text))
	default:
		c.want(args[wrong[0]], params[wrong[0]].Type)
	}
	return false
}

// brackets is the span of the brackets of a call, if they are empty or end on the same line.
func brackets(n *expr.Node) source.Span {
	text := n.Span.File.Text()[n.Word.End:]
	open := len(text) - len(strings.TrimLeft(text, " "))
	if open == len(text) || text[open] != '(' {
		return source.Span{}
	}
	depth := 0
	for i, c := range text[open:] {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return n.Span.File.Span(n.Word.End, n.Word.End+open+i+1)
			}
		case '\n', '"':
			return source.Span{}
		}
	}
	return source.Span{}
}

func (c *checker) nodes(ns []*expr.Node) []*model.Expr {
	out := make([]*model.Expr, len(ns))
	fine := true
	for i, n := range ns {
		out[i] = c.node(n)
		fine = fine && out[i] != nil
	}
	if !fine {
		return nil
	}
	return out
}

func (c *checker) square(n *expr.Node) *model.Expr {
	if len(n.Args) != 1 || n.Args[0].Kind != expr.String {
		return noExpr(c.errorf("wrong-arguments", n.Span, "square takes the name of a square in quotes").WithHint(`for example square("5")`))
	}
	name := n.Args[0].Name
	p, ok := c.board.Place(name)
	if !ok {
		return noExpr(c.errorf("unknown-square", n.Args[0].Span, "board %q has no square %q", c.board.Name, name).
			Suggest(name, c.board.PlaceNames(), "it has: %s", c.board.PlaceWords()))
	}
	c.meansPlace(n.Args[0].Span, p)
	return model.Const(model.Of(model.Place), p, n.Span)
}

func (c *checker) after(n *expr.Node) *model.Expr {
	if len(n.Args) != 1 {
		return noExpr(c.errorf("wrong-arguments", n.Span, "%q takes one player or colour", n.Name))
	}
	a := c.node(n.Args[0])
	if a == nil {
		return nil
	}
	if a.Type.List || a.Type.Kind != model.Player && a.Type.Kind != model.Colour {
		d := c.errorf("wrong-type", a.Span, "got %s, want a player or a colour", a.Type.With())
		if a.Type == model.Of(model.Place) || a.Type == model.Of(model.Piece) {
			d.WithHint("%s goes through those who play; a later place of a track is p.colour.track[p.index + 1]", n.Name)
		}
		return nil
	}
	e := &model.Expr{Op: model.OpSet, Set: model.SetAfter, Type: model.ListOf(a.Type.Kind), Args: []*model.Expr{a}, Span: n.Span}
	if n.Name == "next" {
		return &model.Expr{Op: model.OpFirst, Type: a.Type, Args: []*model.Expr{e}, Span: n.Span}
	}
	return e
}

// indexOf types the place of a value in a list.
func (c *checker) indexOf(n *expr.Node) *model.Expr {
	if len(n.Args) != 2 {
		return noExpr(c.errorf("wrong-arguments", n.Span, "indexOf takes a list and what is looked for in it"))
	}
	args := c.nodes(n.Args)
	if args == nil {
		return nil
	}
	if !args[0].Type.List {
		return noExpr(c.errorf("wrong-type", args[0].Span, "got %s, want a list", args[0].Type.With()))
	}
	if c.want(args[1], args[0].Type.Elem()) == nil {
		return nil
	}
	return &model.Expr{Op: model.OpIndexOf, Type: model.Of(model.Number), Args: args, Span: n.Span}
}

var predicates = map[string]model.Op{
	"all": model.OpAll, "any": model.OpAny, "none": model.OpNone, "count": model.OpCount, "filter": model.OpFilter,
	"find": model.OpFind, "map": model.OpMap, "sortBy": model.OpSortBy, "sum": model.OpSum,
}

// functions are the built-in functions without a predicate.
var functions = map[string]model.Op{
	"len": model.OpCount, "first": model.OpFirst, "last": model.OpLast, "min": model.OpMin, "max": model.OpMax, "abs": model.OpAbs, "int": model.OpInt,
}

// builtin types a call of a built-in function.
func (c *checker) builtin(n *expr.Node) *model.Expr {
	c.means(n.Word, index.Function, n.Name, source.Span{}, model.Type{})
	if op, ok := predicates[n.Name]; ok {
		return c.predicate(n, op)
	}
	args := c.nodes(n.Args)
	if args == nil {
		return nil
	}
	number := model.Of(model.Number)
	e := &model.Expr{Op: functions[n.Name], Type: number, Args: args, Span: n.Span}
	switch n.Name {
	case "len", "first", "last":
		if len(args) != 1 || !args[0].Type.List {
			return noExpr(c.errorf("wrong-type", n.Span, "%s takes a list", n.Name))
		}
		if n.Name == "len" {
			args[0] = copies(args[0])
			return e
		}
		if k := args[0].Type.Kind; !k.Ref() {
			return noExpr(c.errorf("wrong-type", n.Span, "%s takes a list of pieces, places, colours, players or teams", n.Name))
		}
		e.Type = args[0].Type.Elem()
		return e
	case "min", "max":
		if len(args) == 0 {
			return noExpr(c.errorf("wrong-arguments", n.Span, "%s takes numbers, or a list of numbers", n.Name))
		}
		if len(args) == 1 && args[0].Type == model.ListOf(model.Number) {
			return e
		}
		if slices.ContainsFunc(args, func(a *model.Expr) bool { return c.want(a, number) == nil }) {
			return nil
		}
		return foldExtreme(e)
	case "abs", "int":
		if len(args) != 1 {
			return noExpr(c.errorf("wrong-arguments", n.Span, "%s takes one number", n.Name))
		}
		if n.Name == "int" && args[0].Type == model.Of(model.Fraction) {
			if x := args[0].Args; x[0].Op == model.OpConst && x[1].Op == model.OpConst {
				return c.number(x[0].Int/x[1].Int, n)
			}
			return e
		}
		if c.want(args[0], number) == nil {
			return nil
		}
		if n.Name == "int" {
			return args[0]
		}
		return e
	}
	return noExpr(c.errorf("not-in-language", n.Span, "%q does not belong to the language of rules", n.Name))
}

func foldExtreme(e *model.Expr) *model.Expr {
	if slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return a.Op != model.OpConst }) {
		return e
	}
	best := slices.Min[[]int]
	if e.Op == model.OpMax {
		best = slices.Max[[]int]
	}
	return model.Const(e.Type, best(seq.Map(e.Args, func(a *model.Expr) int { return a.Int })), e.Span)
}

// copies is a list with each number of a bag as often as it is there; other lists are as they are. A let that names a bag is that bag.
func copies(list *model.Expr) *model.Expr {
	switch {
	case list.Op == model.OpSet && list.Set == model.SetVar && list.Var.Bag:
		out := *list
		out.Set = model.SetCopies
		return &out
	case list.Op == model.OpCall:
		if body := copies(list.Let.Body); body != list.Let.Body {
			out, let := *list, *list.Let
			let.Body, out.Let = body, &let
			return &out
		}
	}
	return list
}

// predicate types a function with a condition on each element of a list.
func (c *checker) predicate(n *expr.Node, op model.Op) *model.Expr {
	optional := op == model.OpCount || op == model.OpSum
	if len(n.Args) != 2 && !(optional && len(n.Args) == 1) {
		return noExpr(c.errorf("wrong-arguments", n.Span, "%s takes a list and a condition on its elements", n.Name))
	}
	list := c.node(n.Args[0])
	if list == nil {
		return nil
	}
	if !list.Type.List {
		return noExpr(c.errorf("wrong-type", list.Span, "got %s, want a list", list.Type.With()))
	}
	e := &model.Expr{Op: op, Args: []*model.Expr{list}, Span: n.Span, Type: model.Of(model.Flag)}
	number := model.Of(model.Number)
	want := model.Of(model.Flag)
	switch op {
	case model.OpCount:
		e.Type = number
	case model.OpSum, model.OpSortBy:
		want, e.Type = number, number
	}
	if optional {
		e.Args[0] = copies(list)
	}
	if op == model.OpFilter || op == model.OpSortBy {
		e.Type = list.Type
	}
	if op == model.OpFind {
		e.Type = list.Type.Elem()
		if !e.Type.Kind.Ref() {
			c.errorf("wrong-type", list.Span, "find looks through pieces, places, colours, players or teams, not %s", strings.TrimPrefix(list.Type.String(), "list of "))
			return nil
		}
	}
	if len(n.Args) == 1 {
		if op == model.OpSum {
			if list.Type.Kind != model.Number {
				return noExpr(c.errorf("wrong-type", list.Span, "got %s, want a list of numbers", list.Type.With()))
			}
			return e
		}
		if list.Type.Kind != model.Flag {
			return noExpr(c.errorf("wrong-type", list.Span, "count without a condition takes flags").WithHint("the number of elements is len(…)").
				WithFix(n.Word, "len", "write len"))
		}
	}
	of := element{Type: list.Type.Elem()}
	if len(n.Args) == 2 && asksOuter(n.Args[1], 0) {
		of.local = &model.Local{Name: "#outer", Type: of.Type, Span: n.Span}
	}
	c.elems = append(c.elems, of)
	body := &model.Expr{Op: model.OpElem, Type: of.Type, Span: n.Span}
	if len(n.Args) == 2 {
		body = c.node(n.Args[1])
	}
	c.elems = c.elems[:len(c.elems)-1]
	if body == nil {
		return nil
	}
	if of.local != nil {
		body = letOf(of.local, body, n.Span)
	}
	if op == model.OpMap {
		if body.Type.List || body.Type.Kind == model.Fraction || body.Type.Kind == model.Word {
			return noExpr(c.errorf("wrong-type", body.Span, "got %s, want a plain value for each element", body.Type.With()))
		}
		e.Type = model.ListOf(body.Type.Kind)
	} else if c.want(body, want) == nil {
		return nil
	}
	e.Args = append(e.Args, body)
	return e
}

// element is what # means inside a predicate. It has a name where a predicate inside that one asks for it.
type element struct {
	model.Type
	local *model.Local
}

// asksOuter reports whether predicates in the body of another ask for its element. depth is how many of them stand around the node.
func asksOuter(n *expr.Node, depth int) bool {
	if n.Kind == expr.Element {
		return n.Name == "outer" && depth == 1
	}
	_, predicate := predicates[n.Name]
	for i, a := range n.Args {
		inner := depth
		if n.Kind == expr.Builtin && predicate && i == 1 {
			inner++
		}
		if asksOuter(a, inner) {
			return true
		}
	}
	return false
}

// letOf makes a body that names the element of its list a call of a let that has this name as a parameter, and all others the body uses.
func letOf(of *model.Local, body *model.Expr, span source.Span) *model.Expr {
	let := &model.Let{Name: of.Name, Params: []*model.Local{of}, Body: body, Span: span}
	args := []*model.Expr{{Op: model.OpElem, Type: of.Type, Span: span}}
	body.Walk(func(x *model.Expr) bool {
		if x.Op == model.OpLocal && !slices.Contains(let.Params, x.Local) {
			let.Params = append(let.Params, x.Local)
			args = append(args, x)
		}
		return true
	})
	return &model.Expr{Op: model.OpCall, Type: body.Type, Let: let, Args: args, Span: body.Span}
}
