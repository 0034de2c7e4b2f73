package boards

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/seq"
)

// asked are expressions with all scopes they are evaluated in.
type asked struct {
	of     []*expression
	scopes []*scope
	free   []string // loop variables that have the same values whatever the parameters are
}

// ask records the expressions parsed since the last call.
func (r *reader) ask(scopes []*scope, free []string) {
	r.asked = append(r.asked, asked{r.parsed, scopes, free})
	r.parsed = nil
}

// neverTrue warns of values in comparisons and lists that what they are compared with never has. An empty tag has been reported.
func (r *reader) neverTrue() {
	quiet := *r
	quiet.diags = &diag.List{}
	empty := diagsOf(r, "empty-tag")
	var known []*expression
	for _, f := range r.families {
		for _, n := range f.named {
			if empty[r.board.declared[n.key.text].span] {
				known = append(known, n.expr)
			}
		}
	}
	for _, a := range r.asked {
		for _, e := range a.of {
			if r.own(e.span(e.root)) && !slices.Contains(known, e) {
				r.comparisons(&quiet, a, e, e.root)
			}
		}
	}
}

// comparisons looks at those in n. Expressions are evaluated by quiet.
func (r *reader) comparisons(quiet *reader, a asked, e *expression, n *expr.Node) {
	for _, x := range n.Args {
		r.comparisons(quiet, a, e, x)
	}
	if n.Kind == expr.Binary && n.Name == "%" {
		r.remainder(quiet, a, e, n)
		return
	}
	if n.Kind != expr.Binary || !slices.Contains([]string{"==", "!=", "<", "<=", ">", ">=", "in"}, n.Name) {
		return
	}
	x, y := n.Args[0], n.Args[1]
	if r.same(x) {
		x, y = y, x
	}
	switch {
	case n.Name == "in" && n.Args[1].Kind == expr.Array && x == n.Args[0]:
		for _, item := range y.Args {
			r.compare(quiet, a, e, x, item, nil)
		}
	case n.Name == "==", n.Name == "!=":
		r.compare(quiet, a, e, x, y, nil)
	default:
		r.compare(quiet, a, e, x, y, n)
	}
}

// compare warns if n, or x == y without n, is true in no scope.
func (r *reader) compare(quiet *reader, a asked, e *expression, x, y, n *expr.Node) {
	if !r.same(y) || r.same(x) || len(r.board.Parameters) > 0 && strange(x, func(name string) bool { return slices.Contains(a.free, name) }) {
		return
	}
	at, it, message := y, "it", quote(x.Span.Text())+" is never "+y.Span.Text()
	switch {
	case n == nil:
	case n.Name == "in": // the span of n may be that of "not in"
		at, message = n, quote(n.Args[0].Span.Text())+" is never in "+n.Args[1].Span.Text()
	default:
		at, it, message = n, x.Span.Text(), quote(n.Span.Text())+" is never true"
	}
	test := &expression{root: cmp.Or(n, &expr.Node{Kind: expr.Binary, Name: "==", Args: []*expr.Node{x, y}, Span: y.Span}), at: e.at}
	var values []float64
	for _, s := range a.scopes {
		if v := quiet.eval(test, s); v.kind != flagValue || v.num == 1 {
			return
		}
		if v := quiet.eval(&expression{root: x, at: e.at}, s); v.kind == numValue {
			values = append(values, v.num)
		}
	}
	if len(values) == len(a.scopes) {
		slices.Sort(values)
		there := Ranges(seq.Map(slices.Compact(values), formatNumber), " to ")
		if len(there) > maxPlaceWords {
			there = append(there[:maxPlaceWords], "…")
		}
		message += ": " + it + " is " + strings.Join(there, ", ")
	}
	if len(a.scopes) > 0 {
		r.warn("always-same", e.span(at), "%s", message)
	}
}

// remainder warns if n, the remainder of various values, is one value in all scopes.
func (r *reader) remainder(quiet *reader, a asked, e *expression, n *expr.Node) {
	if !r.same(n.Args[1]) || r.same(n.Args[0]) || len(r.board.Parameters) > 0 {
		return
	}
	of, is := map[float64]bool{}, map[float64]bool{}
	for _, s := range a.scopes {
		x, rest := quiet.eval(&expression{root: n.Args[0], at: e.at}, s), quiet.eval(&expression{root: n, at: e.at}, s)
		if rest.kind != numValue {
			return
		}
		of[x.num], is[rest.num] = true, true
	}
	for v := range is {
		if len(is) == 1 && len(of) > 1 {
			r.warn("always-same", e.span(n), "%s is always %s", quote(n.Span.Text()), formatNumber(v))
		}
	}
}

// same reports whether n has one value in all scopes, and whatever the parameters are.
func (r *reader) same(n *expr.Node) bool {
	return !strange(n, func(name string) bool {
		_, global := r.global.names[name]
		return global && len(r.board.Parameters) == 0
	})
}

// strange reports whether n has a name that is not known.
func strange(n *expr.Node, known func(name string) bool) bool {
	return n.Kind == expr.Name && !known(n.Name) || slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return strange(a, known) })
}
