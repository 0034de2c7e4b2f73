package boards

import (
	"math"

	"github.com/rulerun/rulerun/dsl/expr"
)

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
	items := arg.items
	switch arg.kind {
	case listValue:
	case familyValue:
		for _, s := range v.families[arg.index].squares {
			items = append(items, value{kind: placeValue, index: s.place})
		}
		if v.families[arg.index].broken {
			return value{}
		}
	default:
		v.wantKind(arg, listValue, v.e.span(n.Args[0]))
		return value{}
	}
	if n.Name == "len" {
		return number(float64(len(items)))
	}
	if len(items) == 0 {
		return v.bad(n, "out-of-range", "this list is empty")
	}
	if n.Name == "first" {
		return items[0]
	}
	return items[len(items)-1]
}
