package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// throw is an outcome of dice, in which conditions on dice are evaluated.
type throw struct {
	faces  map[*model.Die]int
	locals map[*model.Local]int
	elem   int
	fuel   *int // evaluations left
}

// valueFor evaluates a number or flag for an outcome of dice; ok is false if it depends on more than that, or takes too long.
func valueFor(faces map[*model.Die]int, e *model.Expr) (v int, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, fine := r.(undecided); !fine {
				panic(r)
			}
			ok = false
		}
	}()
	fuel := maxOutcomes
	return (&throw{faces: faces, fuel: &fuel}).eval(e), true
}

// undecided is what a throw does not decide.
type undecided struct{}

func (t *throw) eval(e *model.Expr) int {
	if *t.fuel--; *t.fuel < 0 {
		panic(undecided{})
	}
	arg := func(i int) int { return t.eval(e.Args[i]) }
	switch e.Op {
	case model.OpConst:
		return e.Int
	case model.OpDie:
		if v, ok := t.faces[e.Die]; ok {
			return v
		}
	case model.OpLocal:
		if v, ok := t.locals[e.Local]; ok {
			return v
		}
	case model.OpElem:
		return t.elem
	case model.OpCall:
		inner := &throw{t.faces, map[*model.Local]int{}, 0, t.fuel}
		for i, p := range e.Let.Params {
			if p.Type.List {
				panic(undecided{})
			}
			inner.locals[p] = arg(i)
		}
		return inner.eval(e.Let.Body)
	case model.OpNot:
		return 1 - arg(0)
	case model.OpAnd:
		return flagNumber(arg(0) != 0 && arg(1) != 0)
	case model.OpOr:
		return flagNumber(arg(0) != 0 || arg(1) != 0)
	case model.OpIf:
		if arg(0) != 0 {
			return arg(1)
		}
		return arg(2)
	case model.OpNeg:
		return -arg(0)
	case model.OpAbs:
		return max(arg(0), -arg(0))
	case model.OpInt:
		return arg(0)
	case model.OpIn:
		return flagNumber(slices.Contains(t.list(e.Args[1]), arg(0)))
	case model.OpIndexOf:
		return slices.Index(t.list(e.Args[0]), arg(1))
	case model.OpAll, model.OpAny, model.OpNone, model.OpCount, model.OpSum:
		return t.overList(e)
	case model.OpMin, model.OpMax:
		var values []int
		if e.Args[0].Type.List {
			values = t.list(e.Args[0])
		} else {
			values = seq.Map(e.Args, t.eval)
		}
		switch {
		case len(values) == 0:
		case e.Op == model.OpMin:
			return slices.Min(values)
		default:
			return slices.Max(values)
		}
	case model.OpIndex:
		if list, i := t.list(e.Args[0]), arg(1); i >= 0 && i < len(list) {
			return list[i]
		}
	default:
		if len(e.Args) == 2 {
			if v, ok := model.Compute(e.Op, arg(0), arg(1)); ok {
				return v
			}
		}
	}
	panic(undecided{})
}

// overList evaluates what is asked of all elements of a list.
func (t *throw) overList(e *model.Expr) int {
	held, sum, list := 0, 0, t.list(e.Args[0])
	for _, v := range list {
		if len(e.Args) > 1 {
			v = t.with(v).eval(e.Args[1])
		} else if e.Op == model.OpCount {
			v = 1
		}
		sum += v
		held += flagNumber(v != 0)
	}
	switch e.Op {
	case model.OpSum:
		return sum
	case model.OpCount:
		return held
	case model.OpAll:
		return flagNumber(held == len(list))
	case model.OpAny:
		return flagNumber(held > 0)
	}
	return flagNumber(held == 0)
}

func (t *throw) with(elem int) *throw { return &throw{t.faces, t.locals, elem, t.fuel} }

// list evaluates a list of numbers or flags.
func (t *throw) list(e *model.Expr) []int {
	var out []int
	switch e.Op {
	case model.OpList:
		return seq.Map(e.Args, t.eval)
	case model.OpRange:
		from, to := t.eval(e.Args[0]), t.eval(e.Args[1])
		if *t.fuel -= max(0, to-from); *t.fuel < 0 {
			panic(undecided{})
		}
		for v := from; v <= to; v++ {
			out = append(out, v)
		}
		return out
	case model.OpFilter, model.OpMap:
		for _, v := range t.list(e.Args[0]) {
			switch w := t.with(v).eval(e.Args[1]); {
			case e.Op == model.OpMap:
				out = append(out, w)
			case w != 0:
				out = append(out, v)
			}
		}
		return out
	case model.OpSortBy:
		return t.list(e.Args[0])
	case model.OpCall:
		if len(e.Args) == 0 {
			return t.list(e.Let.Body)
		}
	}
	panic(undecided{})
}

// onlyDice reports whether a condition depends on nothing but what dice show.
func onlyDice(e *model.Expr) bool {
	return !e.Has(func(x *model.Expr) bool { return x.Op == model.OpLocal || asksBesideDice(x) })
}

// asksBesideDice reports whether an expression by itself, beside a name, asks for something that dice do not show.
func asksBesideDice(e *model.Expr) bool {
	switch e.Op {
	case model.OpVar, model.OpSet, model.OpField, model.OpCell, model.OpMine, model.OpTag, model.OpFamily, model.OpAttr, model.OpMark:
		return true
	}
	return false
}
