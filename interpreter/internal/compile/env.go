package compile

import (
	"maps"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// env binds names and context words to values. It is immutable; the with methods return an extended copy.
type env struct {
	outer *env
	local *model.Local
	value *ir.Expr

	list   *model.Expr // of a list parameter: the argument list and its env
	listAt *env
	arg    *model.Expr // of another parameter: the argument and its env
	argAt  *env

	elem  *ir.Expr                // the value of #
	cells map[model.Cell]*ir.Expr // context words that are not read from cells here
}

func (e *env) with(l *model.Local, v *ir.Expr) *env {
	if l == nil {
		return e
	}
	return &env{outer: e, local: l, value: v, elem: e.elem, cells: e.cells}
}

// inCells binds names to the cells of parameters.
func inCells(names []*model.Local) *env {
	v := &env{}
	for i, l := range names {
		v = v.with(l, cell(code.CellP0+i))
	}
	return v
}

func (e *env) withElem(at *ir.Expr) *env {
	return &env{outer: e, elem: at, cells: e.cells}
}

func (e *env) withCells(cells map[model.Cell]*ir.Expr) *env {
	all := map[model.Cell]*ir.Expr{}
	maps.Copy(all, e.cells)
	maps.Copy(all, cells)
	return &env{outer: e, elem: e.elem, cells: all}
}

func (e *env) lookup(l *model.Local) *ir.Expr {
	if x := e.binding(l); l != nil && x.local == l {
		return x.value
	}
	return ir.K(-1)
}

// binding is the env that binds a name, an empty one for a name that is not bound.
func (e *env) binding(l *model.Local) *env {
	for x := e; x != nil; x = x.outer {
		if x.local == l {
			return x
		}
	}
	return &env{}
}

// listOf is the list that a parameter is bound to.
func (e *env) listOf(l *model.Local) (*model.Expr, *env) {
	x := e.binding(l)
	return x.list, x.listAt
}

// argOf is the argument of a let's parameter, nil for other names.
func (e *env) argOf(l *model.Local) (*model.Expr, *env) {
	x := e.binding(l)
	return x.arg, x.argAt
}

// call binds the parameters of a let: a list to its expression, other arguments to a local.
func (c *compiler) call(e *model.Expr, v *env) (ir.Body, *env) {
	inner := &env{cells: v.cells}
	c.usedByTests(e.Let)
	body := c.note(NoteLet, e.Let.Span)
	for i, p := range e.Let.Params {
		if p.Type.List {
			// A list parameter is bound by name: each use evaluates the list again.
			inner = &env{outer: inner, local: p, list: e.Args[i], listAt: v, cells: inner.cells}
			continue
		}
		hold, x := c.operand(p.Name, c.expr(e.Args[i], v))
		body = append(body, hold...)
		inner = inner.with(p, x)
		inner.arg, inner.argAt = e.Args[i], v
	}
	return body, inner
}

// operand makes a value that can be read repeatedly: a constant or a local. If needed, hold assigns the local.
func (c *compiler) operand(name string, x *ir.Expr) (hold ir.Body, value *ir.Expr) {
	if x.Op == ir.Const || x.Op == ir.Use {
		return nil, x
	}
	l := &ir.Local{Name: name, NonNil: c.nonNil(x)}
	return ir.Body{ir.Assign(l, x)}, ir.Get(l)
}
