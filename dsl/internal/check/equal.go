package check

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

func (c *checker) equality(n *expr.Node, a, b *model.Expr) *model.Expr {
	for i, x := range []*model.Expr{a, b} {
		y := []*model.Expr{b, a}[i]
		if x.Type == model.Of(model.Nothing) && !y.Type.Kind.Ref() || x.Type == model.Of(model.Nothing) && y.Type.List {
			d := c.errorf("never-nil", n.Span, "%s is never nil", y.Type.With())
			switch {
			case y.Type.List:
				text := "len(" + y.Span.Text() + ") == 0"
				if n.Name == "!=" {
					text = "len(" + y.Span.Text() + ") > 0"
				}
				d.WithHint("whether it is empty is asked so: len(%s) == 0", short(y.Span.Text())).WithFix(n.Span, text, "write %s", short(text))
			case y.Type.Kind == model.Number:
				d.WithHint("nothing counted is 0")
			case y.Type.Kind == model.Flag:
				d.WithHint("a flag is true or false")
			}
			return nil
		}
	}
	t, ok := c.unify(a, b)
	if !ok {
		return nil
	}
	equal := n.Name == "=="
	if t.List {
		return sameElements(a, b, t, equal, n.Span)
	}
	if t.Kind == model.Word {
		if !c.knownWord(n.Args[0], b) || !c.knownWord(n.Args[1], a) {
			return nil
		}
		return flagConst((a.Word == b.Word) == equal, n.Span)
	}
	if a.Op == model.OpConst && b.Op == model.OpConst {
		return flagConst((a.Int == b.Int) == equal, n.Span)
	}
	if t.Kind == model.Flag { // x == true becomes x
		for i, x := range []*model.Expr{a, b} {
			y := []*model.Expr{b, a}[i]
			if x.Op == model.OpConst {
				if (x.Int != 0) == equal {
					return y
				}
				return &model.Expr{Op: model.OpNot, Type: y.Type, Args: []*model.Expr{y}, Span: n.Span}
			}
		}
	}
	e := &model.Expr{Op: model.OpEq, Type: model.Of(model.Flag), Args: []*model.Expr{a, b}, Span: n.Span}
	if !equal {
		e.Op = model.OpNe
	}
	return e
}

// sameElements compares lists: each element is in both as often, in whatever order.
func sameElements(a, b *model.Expr, t model.Type, equal bool, span source.Span) *model.Expr {
	of := func(op model.Op, t model.Type, args ...*model.Expr) *model.Expr {
		return &model.Expr{Op: op, Type: t, Args: args, Span: span}
	}
	flag, number := model.Of(model.Flag), model.Of(model.Number)
	named := func(name string, t model.Type) (*model.Local, *model.Expr) {
		l := &model.Local{Name: name, Type: t, Span: span}
		return l, &model.Expr{Op: model.OpLocal, Type: t, Local: l, Span: span}
	}
	p, x := named("#first", t)
	q, y := named("#second", t)
	outer, element := named("#outer", t.Elem())
	often := func(list *model.Expr) *model.Expr {
		return of(model.OpCount, number, list, of(model.OpEq, flag, of(model.OpElem, t.Elem()), element))
	}
	each := letOf(outer, of(model.OpEq, flag, often(x), often(y)), span)
	body := of(model.OpAnd, flag, of(model.OpEq, flag, of(model.OpCount, number, x), of(model.OpCount, number, y)), of(model.OpAll, flag, x, each))
	out := of(model.OpCall, flag, copies(a), copies(b))
	out.Let = &model.Let{Name: "==", Params: []*model.Local{p, q}, Body: body, Span: span}
	if !equal {
		out = of(model.OpNot, flag, out)
	}
	return out
}

// knownWord reports a word that is not a value of the option. In a file before the one that takes the word away it is one, and no value of
// the option is equal to it.
func (c *checker) knownWord(n *expr.Node, literal *model.Expr) bool {
	if n.Kind != expr.Name || c.options[n.Name] == nil || c.options[n.Name].words == nil {
		return true
	}
	known := c.options[n.Name].words
	later := func(g gone) bool {
		at := slices.IndexFunc(c.book.Layers, func(l *book.Layer) bool { return l.File.Source == literal.Span.File })
		return g.word == literal.Word && at < slices.Index(c.book.Layers, g.layer)
	}
	if slices.Contains(known, literal.Word) || slices.ContainsFunc(c.options[n.Name].gone, later) {
		return true
	}
	return wrong(c.errorf("never-equal", literal.Span, "option %q is never %q", n.Name, literal.Word).
		Suggest(literal.Word, known, "it is one of: %s", strings.Join(known, ", ")))
}

func (c *checker) membership(n *expr.Node, a, b *model.Expr) *model.Expr {
	if !b.Type.List {
		d := c.errorf("wrong-type", b.Span, "got %s, want a list after in", b.Type.With())
		if low, high, dashed := strings.Cut(b.Span.Text(), "-"); dashed && b.Type == model.Of(model.Number) {
			d.WithHint("a range is written %s..%s", strings.TrimSpace(low), strings.TrimSpace(high))
		} else {
			d.WithHint("a list is written [a, b]")
		}
		return nil
	}
	if b.Type.Kind == model.Word {
		if slices.ContainsFunc(b.Args, func(w *model.Expr) bool { return !c.knownWord(n.Args[0], w) }) {
			return nil
		}
		return flagConst(slices.ContainsFunc(b.Args, func(w *model.Expr) bool { return w.Word == a.Word }), n.Span)
	}
	if b.Type.Kind == model.Nothing {
		return flagConst(false, n.Span)
	}
	if a.Type.List || a.Type.Kind != b.Type.Kind && a.Type.Kind != model.Nothing {
		return noExpr(c.errorf("wrong-type", a.Span, "got %s, want %s to look for among %s", a.Type.With(), b.Type.Elem().With(), b.Type.With()))
	}
	if list, ok := constList(b); ok && a.Op == model.OpConst {
		return flagConst(slices.Contains(list, a.Int), n.Span)
	}
	return &model.Expr{Op: model.OpIn, Type: model.Of(model.Flag), Args: []*model.Expr{a, b}, Span: n.Span}
}

// unify finds the common type of two values and reports if there is none.
func (c *checker) unify(a, b *model.Expr) (model.Type, bool) {
	switch {
	case a.Type == b.Type:
		return a.Type, true
	case a.Type == model.Of(model.Nothing) && !b.Type.List && b.Type.Kind.Ref(), a.Type.List && b.Type.List && a.Type.Kind == model.Nothing:
		return b.Type, true
	case b.Type == model.Of(model.Nothing) && !a.Type.List && a.Type.Kind.Ref(), a.Type.List && b.Type.List && b.Type.Kind == model.Nothing:
		return a.Type, true
	}
	d := c.errorf("wrong-type", b.Span, "got %s, want %s like %q", b.Type.With(), a.Type.With(), short(a.Span.Text()))
	if !addRemedy(d, b, a.Type) {
		addRemedy(d, a, b.Type)
	}
	return model.Type{}, false
}
