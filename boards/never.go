package boards

import (
	"cmp"
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/seq"
)

// asked are expressions with all scopes they are evaluated in.
type asked struct {
	of     []*expression
	scopes []*scope
	free   []string // loop variables that have the same values whatever the parameters are
	here   string   // " here" if there are other scopes, which a condition leaves out
}

// ask records the expressions parsed since the last call.
func (r *reader) ask(scopes []*scope, free []string) {
	r.asked = append(r.asked, asked{of: r.parsed, scopes: scopes, free: free})
	r.parsed = nil
}

// alwaysSame warns of conditions that come out the same for all squares, or colours, and of what a let, attribute or landmark is made of
// if it comes to the same. An empty tag has been reported.
func (r *reader) alwaysSame() {
	quiet := *r
	quiet.diags = &diag.List{}
	empty := diagsOf(r, "empty-tag")
	var known []*expression
	for _, f := range r.families {
		if empty[r.board.declared[f.name].span] {
			known = append(known, f.where)
		}
		for _, n := range f.named {
			if empty[r.board.declared[n.key.text].span] {
				known = append(known, n.expr)
			}
		}
	}
	for _, f := range r.families {
		if w := f.where; w != nil && w.root.Kind == expr.Bool && w.root.Int == 1 && r.own(w.span(w.root)) {
			r.warn("always-same", w.span(w.root), "this leaves out no square")
		}
	}
	for _, a := range r.asked {
		for _, e := range a.of {
			if r.own(e.span(e.root)) && !slices.Contains(known, e) && !r.conditions(&quiet, a, e, e.root, "never") {
				said := r.conditions(&quiet, a, e, e.root, "always")
				if !said && slices.Contains(r.results, e) {
					r.oneValue(&quiet, a, e)
				}
			}
		}
	}
}

// conditions looks at the comparisons in n, and at what is made of them, which never or always hold. Expressions are evaluated by quiet.
// It reports whether something was said.
func (r *reader) conditions(quiet *reader, a asked, e *expression, n *expr.Node, when string) bool {
	before := len(*r.diags)
	for i, x := range n.Args {
		in := a
		if n.Kind == expr.Ternary && i > 0 && r.differs(a, n.Args[0]) {
			in.here, in.scopes = " here", quiet.where(e, n.Args[0], i == 1, a.scopes)
		}
		if when == "never" || n.Name != "&&" || !isRange(x, n.Args[1-i]) {
			r.conditions(quiet, in, e, x, when)
		}
	}
	if len(*r.diags) == before && when == "always" && (n.Name == "&&" || n.Name == "||") && r.differs(a, n.Args[0]) && r.differs(a, n.Args[1]) {
		r.oneSide(quiet, a, e, n)
	}
	if n.Kind == expr.Binary && n.Name == "in" && n.Args[1].Kind == expr.Array && when == "never" {
		for i, item := range n.Args[1].Args {
			if slices.ContainsFunc(n.Args[1].Args[:i], func(o *expr.Node) bool { return o.Span.Text() == item.Span.Text() }) {
				r.warn("done-twice", e.span(item), "%s stands twice in this list", quote(item.Span.Text()))
			}
		}
	}
	if to := n.Idle(); to != "" && when == "never" {
		r.warn("no-effect", e.span(n), "this is always %q", to)
	}
	if n.Kind == expr.Binary && n.Name == "%" && when == "always" {
		r.remainder(quiet, a, e, n)
	}
	if len(*r.diags) > before || !isCondition(n) {
		return len(*r.diags) > before
	}
	x, y := n, (*expr.Node)(nil)
	if n.Kind == expr.Binary && n.Name != "&&" && n.Name != "||" {
		if x, y = n.Args[0], n.Args[1]; r.same(x) {
			x, y = y, x
		}
	}
	switch {
	case n.Name == "in" && n.Args[1].Kind == expr.Array && x == n.Args[0]:
		for _, item := range y.Args {
			r.compare(quiet, a, e, x, item, nil, when)
		}
		if len(*r.diags) == before {
			r.compare(quiet, a, e, x, y, n, when)
		}
	case n.Name == "==", n.Name == "!=":
		r.compare(quiet, a, e, x, y, nil, when)
	default:
		r.compare(quiet, a, e, x, y, n, when)
	}
	return len(*r.diags) > before
}

// where returns the scopes in which a condition of e holds, or does not.
func (r *reader) where(e *expression, n *expr.Node, want bool, scopes []*scope) []*scope {
	return slices.DeleteFunc(slices.Clone(scopes), func(s *scope) bool {
		return !r.eval(&expression{root: n, at: e.at}, s).same(truth(want))
	})
}

// oneSide warns if one side of && holds wherever the other one does, or one side of || only there. Sides about various names are
// left alone: of which squares there are more may be known to the reader of one of them alone.
func (r *reader) oneSide(quiet *reader, a asked, e *expression, n *expr.Node) {
	holds := n.Name == "&&"
	knows := func(x *expr.Node) func(string) bool {
		return func(name string) bool { return strange(x, func(other string) bool { return other != name }) }
	}
	if holds && isRange(n.Args[0], n.Args[1]) || strange(n.Args[0], knows(n.Args[1])) || strange(n.Args[1], knows(n.Args[0])) {
		return
	}
	for i, x := range n.Args {
		other := n.Args[1-i]
		if in := quiet.where(e, other, holds, a.scopes); len(in) == 0 || len(quiet.where(e, x, holds, in)) < len(in) {
			continue
		}
		known := func(x *expr.Node) int {
			return len(quiet.where(e, x, true, a.scopes)) + len(quiet.where(e, x, false, a.scopes))
		}
		if known(x)+known(other) < 2*len(a.scopes) { // one keeps the other from a fault
			continue
		}
		why := "holds only where"
		if holds {
			why = "holds wherever"
		}
		r.warn("no-effect", e.span(x), "%s %s %s does: it adds nothing", quote(x.Span.Text()), why, quote(other.Span.Text()))
		return
	}
}

// isCondition reports whether n is true or false.
func isCondition(n *expr.Node) bool {
	return n.Kind == expr.Binary && slices.Contains([]string{"==", "!=", "<", "<=", ">", ">=", "in", "&&", "||"}, n.Name) ||
		n.Kind == expr.Unary && n.Name == "!"
}

// isRange reports whether x bounds what y, or a part of y, bounds too: of such a range one end may be said for the sake of the reader.
func isRange(x, y *expr.Node) bool {
	if y.Kind == expr.Binary && y.Name == "&&" {
		return isRange(x, y.Args[0]) || isRange(x, y.Args[1])
	}
	bound := []string{"<", "<=", ">", ">="}
	if x.Kind != expr.Binary || y.Kind != expr.Binary || !slices.Contains(bound, x.Name) || !slices.Contains(bound, y.Name) {
		return false
	}
	return slices.ContainsFunc(x.Args, func(a *expr.Node) bool {
		return a.Kind != expr.Int && slices.ContainsFunc(y.Args, func(b *expr.Node) bool { return a.Span.Text() == b.Span.Text() })
	})
}

// compare warns if n, or x == y without n, is true in no scope, or in all of several.
func (r *reader) compare(quiet *reader, a asked, e *expression, x, y, n *expr.Node, when string) {
	test := &expression{root: cmp.Or(n, &expr.Node{Kind: expr.Binary, Name: "==", Args: []*expr.Node{x, y}}), at: e.at}
	if !r.differs(a, test.root) || len(a.scopes) == 0 || when == "always" && len(a.scopes) < 2 {
		return
	}
	var values []float64
	for _, s := range a.scopes {
		if v := quiet.eval(test, s); v.kind != flagValue || (v.num == 1) != (when == "always") {
			return
		}
		if v := quiet.eval(&expression{root: x, at: e.at}, s); v.kind == numValue {
			values = append(values, v.num)
		}
	}
	at, it, message := x, x.Span.Text(), ""
	against := y != nil && r.same(y)
	switch {
	case n == nil && against:
		at, it, message = y, "it", quote(x.Span.Text())+" is "+when+" "+y.Span.Text()+a.here
	case n == nil:
		message = quote(x.Span.Text()) + " is " + when + " " + quote(y.Span.Text()) + a.here
	case n.Name == "in": // the span of n may be that of "not in"
		at, it, message = n, "it", quote(n.Args[0].Span.Text())+" is "+when+" in "+n.Args[1].Span.Text()+a.here
	default:
		at, message = n, quote(n.Span.Text())+" is "+when+" true"+a.here
	}
	if slices.Sort(values); against && len(values) == len(a.scopes) && (when == "never" || n != nil) {
		message += ": " + it + " is " + r.board.Words(seq.Map(slices.Compact(values), formatNumber))
	}
	r.warn("always-same", e.span(at), "%s", message)
}

// oneValue warns if something is made of various values and comes to one in all scopes.
func (r *reader) oneValue(quiet *reader, a asked, e *expression) {
	if e.root.Kind == expr.Name || len(a.scopes) < 2 || !r.differs(a, e.root) || !varies(e.root, a.scopes) {
		return
	}
	first := quiet.eval(e, a.scopes[0])
	for _, s := range a.scopes {
		if v := quiet.eval(e, s); v.kind == badValue || !v.same(first) {
			return
		}
	}
	is := r.describe(first)
	if first.kind == numValue {
		is = formatNumber(first.num)
	}
	r.warn("always-same", e.span(e.root), "%s is always %s", quote(e.root.Span.Text()), is)
}

// varies reports whether a name in n has various values.
func varies(n *expr.Node, scopes []*scope) bool {
	if n.Kind == expr.Name {
		first, _ := scopes[0].find(n.Name)
		return slices.ContainsFunc(scopes, func(s *scope) bool {
			v, _ := s.find(n.Name)
			return !v.same(first)
		})
	}
	return slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return varies(a, scopes) })
}

// differs reports whether n is of what is different in each scope, and the same whatever the parameters are.
func (r *reader) differs(a asked, n *expr.Node) bool {
	return !r.same(n) && (len(r.board.Parameters) == 0 || !strange(n, func(name string) bool { return slices.Contains(a.free, name) }))
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
		_, global := r.global.own(name)
		return global && len(r.board.Parameters) == 0
	})
}

// strange reports whether n has a name that is not known.
func strange(n *expr.Node, known func(name string) bool) bool {
	return n.Kind == expr.Name && !known(n.Name) || slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return strange(a, known) })
}
