package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// spatial extracts the part of a clause's condition that depends only on the square, the colours of the pieces there, and
// the walker's colour. whole reports whether that is the full condition, last whether it applies only to the last step of a
// walk.
func (c *compiler) spatial(x *model.Clause) (cond *model.Expr, whole, last bool) {
	if x.When == nil {
		return nil, true, false
	}
	v := (&env{}).with(x.Params[0], markWalker).with(x.To, markPlace)
	whole = true
	asked := true // a later part may be extracted only if no earlier part may fault
	for _, part := range c.parts(x.When) {
		switch {
		case c.kindOf(part, v) == kindOther:
			whole = false
			last = last || asked && part.Op == model.OpEq && part.Args[0].Op == model.OpCell && part.Args[0].Cell == model.CellRemaining && part.Args[1].IsConst(0)
			asked = asked && c.faultless(x, part)
		case asked:
			cond = joined(cond, part)
		}
	}
	return cond, whole, last
}

// faultless reports whether a condition on a step, or a part of it, can never fault.
func (c *compiler) faultless(x *model.Clause, cond *model.Expr) bool {
	if cond == nil {
		return true
	}
	there := func(name string) *ir.Expr { return ir.Get(&ir.Local{Name: name, NonNil: true}) }
	v := (&env{}).withCells(map[model.Cell]*ir.Expr{model.CellRemaining: ir.K(0), model.CellHere: ir.Get(&ir.Local{Name: "here", NonNil: true})})
	return c.faultFree(c.expr(cond, v.with(x.Params[0], there("walker")).with(x.To, there("place"))))
}

// conjuncts splits a condition at "and".
func conjuncts(e *model.Expr) []*model.Expr {
	if e.Op != model.OpAnd {
		return []*model.Expr{e}
	}
	return append(conjuncts(e.Args[0]), conjuncts(e.Args[1])...)
}

// parts splits a condition at "and", and inlines lets that consist of an "and" of simple arguments.
func (c *compiler) parts(e *model.Expr) []*model.Expr {
	c.spend()
	switch {
	case e.Op == model.OpAnd:
		return append(c.parts(e.Args[0]), c.parts(e.Args[1])...)
	case e.Op == model.OpCall && e.Let.Body.Op == model.OpAnd:
		names := map[*model.Local]*model.Expr{}
		for i, p := range e.Let.Params {
			if p.Type.List || e.Args[i].Op != model.OpLocal {
				return []*model.Expr{e}
			}
			names[p] = e.Args[i]
		}
		return c.parts(c.renamed(e.Let.Body, names))
	}
	return []*model.Expr{e}
}

// renamed substitutes names in an expression.
func (c *compiler) renamed(e *model.Expr, names map[*model.Local]*model.Expr) *model.Expr {
	c.spend()
	if x := names[e.Local]; e.Op == model.OpLocal && x != nil {
		return x
	}
	out := *e
	out.Args = seq.Map(e.Args, func(a *model.Expr) *model.Expr { return c.renamed(a, names) })
	return &out
}

// joined is the conjunction of some conditions, nil of none; the first ones may be nil.
func joined(parts ...*model.Expr) (all *model.Expr) {
	for _, p := range parts {
		if all != nil {
			p = &model.Expr{Op: model.OpAnd, Type: p.Type, Args: []*model.Expr{all, p}, Span: all.Span.To(p.Span)}
		}
		all = p
	}
	return all
}

// spatialKind is the abstract value of an expression: how far the square, its colours and the walker's colour determine it.
type spatialKind uint8

const (
	kindOther  spatialKind = iota // depends on something else
	kindValue                     // determined
	kindPlace                     // the square itself
	kindWalker                    // the walker: only its colour is determined
	kindHere                      // a piece on the square: only its colour is determined
)

// The values of names during this analysis.
var (
	markWalker = ir.Get(local("walker"))
	markPlace  = ir.Get(local("place"))
	markHere   = ir.Get(local("here"))
	markValue  = ir.Get(local("value"))
	markOther  = ir.Get(local("other"))

	marks = [...]*ir.Expr{kindOther: markOther, kindValue: markValue, kindPlace: markPlace, kindWalker: markWalker, kindHere: markHere}
)

func kindOfMark(x *ir.Expr) spatialKind { return spatialKind(max(0, slices.Index(marks[:], x))) }

func (k spatialKind) mark() *ir.Expr { return marks[k] }

// compares reports whether values of the kind may be compared and used in arithmetic.
func (k spatialKind) compares() bool { return k == kindValue || k == kindPlace }

// kindOf is the kind of a value, or of the elements of a list.
func (c *compiler) kindOf(e *model.Expr, v *env) spatialKind {
	c.spend()
	arg := func(i int) spatialKind { return c.kindOf(e.Args[i], v) }
	predicate := func(elem spatialKind) bool {
		return len(e.Args) < 2 || c.kindOf(e.Args[1], v.withElem(elem.mark())).compares()
	}
	settled := func(holds bool) spatialKind {
		if holds {
			return kindValue
		}
		return kindOther
	}
	switch e.Op {
	case model.OpConst:
		return kindValue
	case model.OpElem:
		return kindOfMark(v.elem)
	case model.OpLocal:
		if e.Type.List {
			list, where := v.listOf(e.Local)
			if list == nil {
				return kindOther
			}
			return c.kindOf(list, where)
		}
		return kindOfMark(v.lookup(e.Local))
	case model.OpField:
		return c.kindOfField(e.Field, arg(0))
	case model.OpTag, model.OpFamily, model.OpAttr, model.OpMark:
		return settled(arg(0).compares())
	case model.OpSet:
		return c.kindOfSet(e, v)
	case model.OpFilter, model.OpFind:
		if k := arg(0); k != kindOther && predicate(k) {
			return k
		}
	case model.OpAll, model.OpAny, model.OpNone, model.OpCount:
		k := arg(0)
		return settled(k != kindOther && predicate(k))
	case model.OpFirst, model.OpLast:
		return arg(0)
	case model.OpIndex:
		if arg(1) == kindValue {
			return arg(0)
		}
	case model.OpCall:
		inner := &env{}
		for i, p := range e.Let.Params {
			if p.Type.List {
				inner = &env{outer: inner, local: p, list: e.Args[i], listAt: v}
				continue
			}
			inner = inner.with(p, arg(i).mark())
		}
		return c.kindOf(e.Let.Body, inner)
	case model.OpIf:
		if a := arg(1); arg(0).compares() && a == arg(2) {
			return a
		}
	case model.OpEq, model.OpNe:
		a, b := arg(0), arg(1)
		isNil := e.Args[0].IsConst(-1) && b != kindOther || e.Args[1].IsConst(-1) && a != kindOther
		return settled(isNil || a.compares() && b.compares())
	case model.OpIn, model.OpAdd, model.OpSub, model.OpMul, model.OpMod, model.OpNeg, model.OpAbs, model.OpLt, model.OpLe, model.OpGt,
		model.OpGe, model.OpNot, model.OpAnd, model.OpOr, model.OpRange, model.OpList, model.OpMin, model.OpMax:
		return settled(!slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return !c.kindOf(a, v).compares() }))
	}
	return kindOther
}

func (c *compiler) kindOfField(f model.Field, k spatialKind) spatialKind {
	switch f {
	case model.FieldColour, model.FieldPlayer, model.FieldTeam:
		if k != kindOther && k != kindPlace {
			return kindValue
		}
	case model.FieldAt:
		if k == kindHere {
			return kindPlace
		}
	case model.FieldSquare, model.FieldSeat:
		if k.compares() {
			return kindValue
		}
	case model.FieldPlaying, model.FieldRanked:
		if k == kindValue && !c.removes() {
			return kindValue
		}
	}
	return kindOther
}

func (c *compiler) kindOfSet(e *model.Expr, v *env) spatialKind {
	arg := kindValue
	if len(e.Args) > 0 {
		arg = c.kindOf(e.Args[0], v)
	}
	switch e.Set {
	case model.SetPiecesOf:
		if arg == kindPlace {
			return kindHere
		}
	case model.SetColoursOf, model.SetPlayersOf, model.SetTrackOf, model.SetColours, model.SetPlayers, model.SetTeams, model.SetSquares:
		if arg == kindValue {
			return kindValue
		}
	case model.SetAfter:
		if arg == kindValue && !c.removes() {
			return kindValue
		}
	}
	return kindOther
}
