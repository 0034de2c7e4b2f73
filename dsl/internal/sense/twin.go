package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// twins records moves of the file that always go as another one does, where no rule tells the two apart.
func (x *setting) twins() {
	for i, m := range x.r.Moves {
		if !x.own(m.Span) || m.Kind != model.MoveWalk && m.Kind != model.MoveTo {
			continue
		}
		why := ""
		for j, o := range x.r.Moves {
			if why == "" && o != m && x.goesAs(m, o, j < i || !x.own(o.Span)) && !x.toldApart(m, o) {
				why = "this move goes just as " + quote(o.Name) + " does, and no rule tells them apart"
			}
		}
		x.warn("same-move", m.Span, why).info = true // a name of its own may be all that is wanted
	}
}

// goesAs reports whether a move takes the same pieces along as another one and ends where that would with the number played: wherever it
// begins if that begins there too, and is offered when it is, or (same) if both begin in the same places.
func (x *setting) goesAs(m, o *model.Move, same bool) bool {
	typed := func(p, q *model.Local) bool { return p.Type == q.Type }
	if m.Kind != o.Kind || !slices.EqualFunc(m.Params, o.Params, typed) || (m.Carrying == nil) != (o.Carrying == nil) {
		return false
	}
	names := x.naming(m.Params, o.Params)
	alike := func(a, b *model.Expr) bool {
		return a == nil || b != nil && x.intern(a, names, 0) == x.intern(b, nil, 0)
	}
	if !alike(m.Carrying, o.Carrying) || !slices.EqualFunc(m.Sets, o.Sets, alike) {
		return false
	}
	if (m.From == nil) != (o.From == nil) || !alike(m.From, o.From) {
		return x.intern(m.Where, names, 0) == x.intern(o.Where, nil, 0) && x.offeredToo(m, o, names)
	}
	if !same {
		return false
	}
	steps, where := x.ofCell(model.Number, model.CellSteps), x.intern(m.Where, names, 0)
	return x.allOffers(m, func(f *formula) bool {
		if by := f.x.By; by != nil {
			return !by.Type.List && x.walksAlike(f, x.with(x.intern(m.Where, nil, 0), steps, x.intern(by, nil, 0)), o)
		}
		return where == x.intern(o.Where, nil, 0)
	})
}

// offeredToo reports whether a move is offered only where another one is, of which the parameters have other names.
func (x *setting) offeredToo(m, o *model.Move, names substitution) bool {
	return x.allOffers(m, func(f *formula) bool {
		x.prepare(f.x)
		terms := x.renamed(f.terms, names)
		return f.x.By == nil && x.possible(terms...) && slices.ContainsFunc(x.may, func(g *formula) bool {
			return g.x.Move == o && g.x.By == nil && !g.x.Despite && !g.x.Otherwise && x.implies(terms, g.terms)
		})
	})
}

// walksAlike reports whether the options of a clause take a number of steps that is the one another move takes with the number played.
func (x *setting) walksAlike(f *formula, takes id, o *model.Move) bool {
	play := x.onlyPlay()
	if play == nil || o.Kind != model.MoveWalk || !slices.ContainsFunc(x.may, func(g *formula) bool { return g.x.Move == o && g.x.By == nil }) {
		return false
	}
	x.prepare(f.x)
	steps := x.ofCell(model.Number, model.CellSteps)
	played := x.intern(play.Value, nil, 0)
	takes, other := x.with(takes, steps, played), x.with(x.intern(o.Where, nil, 0), steps, played)
	return x.oneNumber(takes, other, x.holding(f.terms, x.open()))
}

// oneNumber reports whether two terms are known to be the same number in each of some cases, and there is one.
func (x *setting) oneNumber(a, b id, cases []*facts) bool {
	return len(cases) > 0 && !slices.ContainsFunc(cases, func(f *facts) bool {
		n, one := x.domain(a, f).single()
		return !one || !x.domain(b, f).equal(only(n))
	})
}

// toldApart reports whether the rules ask more of a move, or of another one where this is offered, than whether it is.
func (x *setting) toldApart(m, o *model.Move) bool {
	apart := func(c *model.Clause) bool {
		switch {
		case c.Move != m && c.Move != o:
			return false
		case c.Move == m || c.Kind != model.ClauseMust && c.Kind != model.ClauseNever:
			return c.Kind != model.ClauseMay || c.Despite || c.Otherwise
		}
		like := x.formulaOf(c, nil)
		return slices.ContainsFunc(x.may, func(f *formula) bool {
			if f.x.Move != m {
				return false
			}
			x.counting(f.x)
			terms := x.renamed(slices.Concat(f.terms, x.atPlay(f.x)), x.naming(m.Params, o.Params))
			return x.possible(slices.Concat(terms, like.terms)...)
		})
	}
	return seq.Any(x.r.WithCounts(), func(c *model.Clause) bool { return slices.ContainsFunc(c.Likes(), apart) })
}
