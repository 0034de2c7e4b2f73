package sense

import (
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
)

// extremeOf records a number that is always the least or the greatest of some, so that the others make no difference.
func (x *setting) extremeOf(e *model.Expr, depth int, known []*facts) {
	if len(e.Args) < 2 || !x.own(e.Span) {
		return
	}
	t := x.intern(e.Args[0], nil, depth)
	one := !slices.ContainsFunc(e.Args[1:], func(a *model.Expr) bool { return x.intern(a, nil, depth) != t })
	if x.foundOf(one, "extreme", "always-same", e.Span, "this is always %s", said{e.Args[0]}); one {
		return
	}
	for i, a := range e.Args {
		t, wins := x.intern(a, nil, depth), true
		for j, b := range e.Args {
			u := x.intern(b, nil, depth)
			for _, f := range known {
				one, other := x.domain(t, f), x.domain(u, f)
				if i != j && (e.Op == model.OpMin && one.hi > other.lo || e.Op == model.OpMax && one.lo < other.hi) {
					wins = false
				}
			}
		}
		x.foundOf(wins, "extreme "+strconv.Itoa(i), "always-same", e.Span, "this is always %s", said{a})
	}
}

// ofOne records a list of one element, as written, of which something is asked that is only asked of several.
func (x *setting) ofOne(e *model.Expr) {
	switch e.Op {
	case model.OpMin, model.OpMax, model.OpSum, model.OpMap, model.OpSortBy, model.OpFirst, model.OpLast:
		if list := e.Args[0]; list.Op == model.OpList && x.own(list.Span) {
			x.foundOf(len(list.Args) == 1, "of one", "always-same", list.Span, "this list has one element only")
		}
	}
}

// sameWays records two values of which one is chosen, and which are written alike.
func (x *setting) sameWays(e, a, b *model.Expr, depth int) {
	if x.own(e.Span) {
		x.foundOf(words(a.Span) == words(b.Span) && x.intern(a, nil, depth) == x.intern(b, nil, depth), "ways", "always-same", e.Span,
			"both ways give the same: %s", said{b})
		x.foundOf(x.sameSide(a, b, depth) || x.sameSide(b, a, depth), "teams", "always-same", e.Span,
			"both ways give the same: no players are together in a team")
	}
}

// sameSide reports whether one list is of the pieces of a player's team, another one those of the player, and the team has no other player.
func (x *setting) sameSide(a, b *model.Expr, depth int) bool {
	t, u := x.terms[x.intern(a, nil, depth)], x.terms[x.intern(b, nil, depth)]
	if t.op != model.OpSet || u.op != model.OpSet || t.set != model.SetPiecesOf || u.set != model.SetPiecesOf || len(x.r.Teams) < len(x.r.Seats) {
		return false
	}
	team := x.terms[t.args[0]]
	return team.op == model.OpField && team.field == model.FieldTeam && team.args[0] == u.args[0]
}

// exchangedWays records a choice between two lists by whether two dice are equal, of which the one for equal dice names both, and the one for
// others names one of them alone.
func (x *setting) exchangedWays(e *model.Expr) {
	c, equal, other := e.Args[0], e.Args[1], e.Args[2]
	if c.Op == model.OpNe {
		equal, other = other, equal
	} else if c.Op != model.OpEq {
		return
	}
	a, b := c.Args[0], c.Args[1]
	if !x.own(e.Span) || a.Op != model.OpDie || b.Op != model.OpDie || equal.Op != model.OpList || other.Op != model.OpList {
		return
	}
	names := func(list, d *model.Expr) bool {
		return list.Has(func(o *model.Expr) bool { return o.Op == model.OpDie && o.Die == d.Die })
	}
	x.foundOf(names(equal, a) && names(equal, b) && names(other, a) != names(other, b), "exchanged", "always-same", equal.Span,
		"%s and %s are equal here, and where they are not only one of them is named", said{a}, said{b})
}

// otherwiseTheSame records a value that is what its condition asks for where the condition does not hold: "x == 4 ? y : 4".
func (x *setting) otherwiseTheSame(e *model.Expr) {
	c, other := e.Args[0], e.Args[2]
	if c.Op != model.OpEq || c.Args[1].Op != model.OpConst || other.Op != model.OpConst || !x.own(other.Span) {
		return
	}
	n := c.Args[1].Int
	x.foundOf(e.Type.Kind == model.Number && n > 1 && other.Int == n && !e.Args[1].IsConst(n), "the same", "misnamed", other.Span,
		"this is %d where %s is not %d", n, said{c.Args[0]}, n).info = true
}

// sameAnyway records a condition c that decides between two values, of which wherever it holds, or wherever it does not, one is the other.
func (x *setting) sameAnyway(e *model.Expr, c id, depth int, known []*facts) {
	a, b := e.Args[1], e.Args[2]
	if !x.own(e.Span) || e.Type.List || a.Op == model.OpConst && b.Op == model.OpConst || x.lives("anyway", e.Span) {
		return
	}
	differ, why := x.flag(model.OpNe, x.intern(a, nil, depth), x.intern(b, nil, depth)), ""
	for i, other := range []*model.Expr{b, a} { // the value where it does not hold, and where it does
		holds := i == 0
		cases := x.assume(c, holds, known)
		if len(cases) > 0 && len(x.assume(c, !holds, known)) > 0 && len(x.assume(differ, true, cases)) == 0 {
			why = "this is always " + quote(words(other.Span))
		}
	}
	x.warnOf("anyway", "always-same", e.Span, why)
}

// askedAlready records a flag of the board, or of a player's part in the game, that a condition around this one has asked for.
func (x *setting) askedAlready(e *model.Expr, depth int, known []*facts) {
	part := e.Op == model.OpField && ofPart(e.Field)
	if e.Op != model.OpTag && e.Op != model.OpFamily && !part || !x.own(e.Span) || x.lives("asked already", e.Span) {
		return
	}
	t, yes, no := x.intern(e, nil, depth), true, true
	for _, f := range known {
		is, known := f.of(t)
		yes, no = yes && known && is.lo == 1, no && known && is.hi == 0
	}
	asked := ": it has been asked"
	if part { // or the event says so
		asked = ""
	}
	x.foundOf(len(known) > 0 && (yes || no), "asked already", "always-same", e.Span, "%s is %s true here%s", said{e}, ever(yes), asked)
}
