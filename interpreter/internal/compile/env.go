package compile

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// env is what names and context words mean where an expression stands. It is never changed; with… makes another.
type env struct {
	outer *env
	local *model.Local
	value *ir.Expr

	list   *model.Expr // of a list parameter: the list, and where it stands
	listAt *env
	arg    *model.Expr // of another parameter: what was given for it, and where that stands
	argAt  *env

	elem  *ir.Expr                // what # is
	cells map[model.Cell]*ir.Expr // context words that are not cells here
}

func (e *env) with(l *model.Local, v *ir.Expr) *env {
	if l == nil {
		return e
	}
	return &env{outer: e, local: l, value: v, elem: e.elem, cells: e.cells}
}

func (e *env) looking(at *ir.Expr) *env {
	return &env{outer: e, elem: at, cells: e.cells}
}

func (e *env) saying(cells map[model.Cell]*ir.Expr) *env {
	all := map[model.Cell]*ir.Expr{}
	for k, v := range e.cells {
		all[k] = v
	}
	for k, v := range cells {
		all[k] = v
	}
	return &env{outer: e, elem: e.elem, cells: all}
}

func (e *env) lookup(l *model.Local) *ir.Expr {
	for x := e; x != nil; x = x.outer {
		if x.local == l && l != nil {
			return x.value
		}
	}
	return ir.K(-1)
}

// listOf is the list a parameter stands for.
func (e *env) listOf(l *model.Local) (*model.Expr, *env) {
	for x := e; x != nil; x = x.outer {
		if x.local == l {
			return x.list, x.listAt
		}
	}
	return nil, nil
}

// argOf is what was given for a parameter of a let, nil for other names.
func (e *env) argOf(l *model.Local) (*model.Expr, *env) {
	for x := e; x != nil; x = x.outer {
		if x.local == l {
			return x.arg, x.argAt
		}
	}
	return nil, nil
}

// call binds a let's parameters: plain ones to their place, others to a local.
func (c *compiler) call(e *model.Expr, v *env) ([]*ir.Stmt, *env) {
	inner := &env{cells: v.cells}
	c.usedByTests(e.Let)
	body := c.note(NoteLet, e.Let.Span)
	for i, p := range e.Let.Params {
		if p.Type.List {
			// A list parameter is the list itself, looked at anew each time.
			inner = &env{outer: inner, local: p, list: e.Args[i], listAt: v, cells: inner.cells}
			continue
		}
		hold, x := c.held(p.Name, c.expr(e.Args[i], v))
		body = append(body, hold...)
		inner = inner.with(p, x)
		inner.arg, inner.argAt = e.Args[i], v
	}
	return body, inner
}

// held is a value that can be read more than once: a constant or a local, which hold assigns it to if need be.
func (c *compiler) held(name string, x *ir.Expr) (hold []*ir.Stmt, value *ir.Expr) {
	if x.Op == ir.Const || x.Op == ir.Use {
		return nil, x
	}
	l := &ir.Local{Name: name, NonNil: c.nonNil(x)}
	return []*ir.Stmt{ir.Assign(l, x)}, ir.Get(l)
}
