package sense

import (
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// setsNothing says why a set or bag is after an assignment what it was before, "" if it may be another.
func (w *walk) setsNothing(s *model.Stmt, known []*facts) string {
	if s.Target.Var == nil || !s.Target.Type.List || len(known) == 0 {
		return ""
	}
	list := w.listOf(s.Target, model.SetVar)
	none, values := w.longest(list, known) == 0, []*model.Expr{s.Value}
	switch {
	case s.Value.Type.List && w.longest(w.intern(s.Value, nil, 0), known) == 0:
		switch {
		case s.Assign == model.AssignAdd:
			return "it adds nothing"
		case s.Assign == model.AssignSub:
			return "it takes nothing out"
		case none:
			return "it is empty already"
		}
		return ""
	case s.Value.Op == model.OpList:
		values = s.Value.Args
	case s.Value.Type.List:
		values = nil
	}
	has := func(want bool) bool { // whether it is known to have the values, or to have none of them
		lacks := func(e *model.Expr) bool { return len(w.assume(w.in(w.intern(e, nil, 0), list), !want, known)) > 0 }
		return len(values) > 0 && !slices.ContainsFunc(values, lacks)
	}
	switch {
	case s.Assign == model.AssignSub && (none || has(false)):
		return "there is nothing to take out"
	case s.Assign == model.AssignAdd && !s.Target.Var.Bag && has(true):
		return "the set has this already"
	}
	return ""
}

// unfilled records sets and bags of which statements only take something out, or into which they put all numbers one by one but one.
func (x *setting) unfilled() {
	taken, filled := map[*model.Var]bool{}, map[*model.Var]bool{}
	numbers := map[*model.Var][]int{} // as statements name them
	open := map[*model.Var]bool{}     // others may come in
	for s := range x.r.Stmts() {
		if s.Target == nil || s.Target.Var == nil || !s.Target.Type.List {
			continue
		}
		v := s.Target.Var
		taken[v] = true
		if s.Kind != model.StmtChoose && (s.Kind != model.StmtAssign || s.Assign == model.AssignSub) {
			continue
		}
		values := []*model.Expr{s.Value}
		if s.Kind == model.StmtAssign && s.Value.Op == model.OpList {
			values = s.Value.Args
		}
		filled[v] = filled[v] || len(values) > 0
		for _, e := range values {
			numbers[v] = append(numbers[v], e.Int)
			open[v] = open[v] || s.Kind == model.StmtChoose || e.Op != model.OpConst || words(e.Span) != strconv.Itoa(e.Int)
		}
	}
	for v := range taken {
		if v.Queue {
			continue
		}
		x.found(!filled[v] && len(v.Initial) == 0, "never-changed", v.Span, "nothing is ever put into %q", v.Name)
		why := ""
		if !open[v] && v.Type.Kind == model.Number {
			why = leftOut(v, slices.Concat(numbers[v], v.Initial))
		}
		x.warnOf("left out", "never-changed", v.Span, why).info = true
	}
}

// leftOut says which number of its range a set or bag never has, if it gets all others, and one of them from two statements or some
// larger and some smaller than it.
func leftOut(v *model.Var, numbers []int) string {
	slices.Sort(numbers)
	each := slices.Compact(slices.Clone(numbers))
	if len(each) < 2 || len(each) != v.High-v.Low {
		return ""
	}
	missing := v.Low
	for missing-v.Low < len(each) && each[missing-v.Low] == missing {
		missing++
	}
	if len(each) == len(numbers) && (missing == v.Low || missing == v.High) {
		return ""
	}
	return quote(v.Name) + " is never given " + strconv.Itoa(missing) + ", though it gets all other numbers of its range"
}

// mostIn is how many elements a set or bag has at most, as far as conditions say so under which statements put one in.
func (s *solver) mostIn(v *model.Var) int {
	if n, known := s.fullest[v]; known {
		return n
	}
	limit, puts, skipped := 0, 0, 0
	puttingInto := func(y *model.Stmt) bool { return y.Writes(v) && y.Kind != model.StmtPlay }
	for _, p := range s.sites() {
		switch x := p.s; {
		case x.Loops() && seq.Any(x.Then.All(), puttingInto):
			limit = greatest
		case !puttingInto(x) || x.Kind == model.StmtAssign && x.Assign == model.AssignSub:
		case x.Kind == model.StmtAssign && x.Assign == model.AssignSet && x.Value.Op == model.OpList && len(x.Value.Args) == 0:
		case x.Kind != model.StmtAssign || x.Assign == model.AssignSet || x.Value.Type.List:
			limit = greatest
		default:
			n := greatest
			for _, c := range p.under {
				n = min(n, s.fewerThan(c.e, c.want, x.Target))
			}
			if n <= 0 { // in this setting it is never done
				skipped++
			} else {
				limit, puts = max(limit, n), puts+1
			}
		}
	}
	n := greatest
	if limit < greatest && puts+skipped > 0 && len(v.Initial) == 0 && !v.Queue {
		n = max(0, limit-1) + puts // of several that put one in, one may be done inside another
	}
	n = min(n, s.differentIn(v))
	s.fullest[v] = n
	return n
}

// differentIn is how many different elements a set may have, as far as conditions say so of the names that are put in.
func (s *solver) differentIn(v *model.Var) int {
	if v.Bag || v.Queue || len(v.Initial) > 0 {
		return greatest
	}
	all := nothing
	for _, p := range s.sites() {
		switch x := p.s; {
		case !x.Writes(v), x.Kind == model.StmtAssign && x.Assign == model.AssignSub:
		case x.Kind == model.StmtAssign && x.Assign == model.AssignSet && x.Value.Op == model.OpList && len(x.Value.Args) == 0:
		case x.Kind == model.StmtAssign && x.Assign == model.AssignAdd && x.Value.Op == model.OpLocal:
			t := s.intern(x.Value, nil, 0)
			for _, f := range s.assumed(p.under, []*facts{nil}) {
				all = all.join(s.domain(t, f))
			}
		default:
			return greatest
		}
	}
	if all.empty() {
		return greatest // nothing puts one in, or the rules of moves do
	}
	return all.size()
}

// fewerThan is the number of elements below which a set or bag is where a condition has a value.
func (s *solver) fewerThan(e *model.Expr, want bool, target *model.Expr) int {
	if e.Op == model.OpConst && (e.Int != 0) != want {
		return 0
	}
	if e.Op == model.OpAnd && want {
		return min(s.fewerThan(e.Args[0], true, target), s.fewerThan(e.Args[1], true, target))
	}
	if len(e.Args) != 2 || e.Args[1].Op != model.OpConst || e.Args[0].Op != model.OpCount || len(e.Args[0].Args) != 1 {
		return greatest
	}
	same := func(a, b *model.Expr) bool { return s.intern(a, nil, 0) == s.intern(b, nil, 0) }
	if list := e.Args[0].Args[0]; list.Op != model.OpSet || list.Var != target.Var || !slices.EqualFunc(list.Args, target.Args, same) {
		return greatest
	}
	op := e.Op
	if !want {
		op = negated[op]
	}
	switch op {
	case model.OpLt:
		return e.Args[1].Int
	case model.OpLe:
		return e.Args[1].Int + 1
	}
	return greatest
}
