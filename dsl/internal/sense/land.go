package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// barred says why no move can end as a reaction to landings wants it: the clauses that judge last steps bar that, and those that offer
// moves to a place ask for something else. It is "" if a move may.
func (x *setting) barred(c *model.Clause, form *formula, known []*facts) string {
	p, s, ok := x.landing(c)
	asks := func(t id) bool { return x.contains(t, x.piecesOf(s)) } // who stands there
	if x.did == nil || !ok || !slices.ContainsFunc(form.terms, asks) {
		return ""
	}
	exact, ok := x.undisturbed(c, x.holding(form.terms, known), s)
	if !ok {
		return ""
	}
	bars := x.bars()
	if x.mayLand(c, form, known, p, s, exact, bars) {
		return ""
	}
	for i, b := range bars {
		if x.mayLand(c, form, known, p, s, exact, slices.Delete(slices.Clone(bars), i, i+1)) {
			return "rule " + quote(b.Rule.Name) + " lets no walk end so"
		}
	}
	return "no move can end so"
}

// landing returns the piece and the place that a reaction to the end of a move is about.
func (x *setting) landing(c *model.Clause) (p, s id, ok bool) {
	if c.Kind != model.ClauseOn || !firstNamed(c) {
		return 0, 0, false
	}
	p = x.local(c.Params[0])
	switch {
	case c.Event == model.EventLand && len(c.Params) > 1 && c.Params[1] != nil:
		return p, x.local(c.Params[1]), true
	case c.Event == model.EventMove && c.To != nil && c.Act == nil:
		return p, x.local(c.To), true
	}
	return 0, 0, false
}

func (s *solver) contains(t, part id) bool {
	return t == part || slices.ContainsFunc(s.terms[t].args, func(a id) bool { return s.contains(a, part) })
}

// bars lists the clauses that bar last steps.
func (x *setting) bars() []*model.Clause {
	return seq.Filter(slices.Collect(x.r.Clauses()), func(c *model.Clause) bool {
		return (c.Kind == model.ClauseEnd || c.Kind == model.ClauseStep) && c.First == model.VerdictBar
	})
}

// undisturbed reports whether no piece comes to a place between the judgement of a move and a reaction to its end; exact is whether none
// goes away either.
func (x *setting) undisturbed(c *model.Clause, known []*facts, s id) (exact, ok bool) {
	if slices.ContainsFunc(x.may, func(f *formula) bool { return f.x.Move.Carrying != nil || f.x.Move.Kind == model.MoveStay }) {
		return false, false
	}
	ends := x.joined(s, known)
	blocks := seq.Flat([]model.EventKind{
		model.EventLeave, model.EventStep, model.EventPass, model.EventTurned, model.EventLand, model.EventMove, model.EventRank, model.EventDrop,
	}, x.raised)
	for o := range x.r.Clauses() {
		if o.Kind == model.ClauseBefore {
			blocks = append(blocks, o.Block)
		}
	}
	exact = true
	for _, b := range blocks {
		if b == c.Block {
			continue
		}
		for t := range b.All() {
			switch t.Kind {
			case model.StmtPut:
				if x.domain(x.intern(t.Other, nil, 0), nil).without(-1).meets(ends) {
					return false, false
				}
				exact = false
			case model.StmtExchange, model.StmtGive:
				return false, false
			case model.StmtDo: // its statements are among the blocks, or before it
				exact = false
			}
		}
	}
	return exact, true
}

// newest assumes that the piece that has moved came to its place last, if no other one may have come there since.
func (b *beginning) newest(p, at, place id) {
	if b.asked == nil {
		found := seq.Any(b.r.Stmts(), func(s *model.Stmt) bool { return slices.ContainsFunc(s.Reads(), asksForLast) }) ||
			seq.Any(b.r.Clauses(), func(c *model.Clause) bool { return asksForLast(c.When) })
		b.asked = &found
	}
	if !*b.asked {
		return
	}
	if _, ok := b.undisturbed(b.c, b.cases, place); ok {
		for _, s := range []id{at, place} {
			b.yes(b.equal(b.add(term{op: model.OpLast, typ: model.Of(model.Piece)}, b.piecesOf(s)), p))
		}
	}
}

// asksForLast reports whether an expression asks for the last element of a list.
func asksForLast(e *model.Expr) bool {
	return e.Has(func(a *model.Expr) bool { return a.Op == model.OpLast })
}

// mayLand reports whether some move may end as a reaction wants it, where only some clauses bar last steps.
func (x *setting) mayLand(c *model.Clause, form *formula, known []*facts, p, s id, exact bool, bars []*model.Clause) bool {
	for _, f := range x.may {
		m := f.x.Move
		if m.Kind == model.MoveNothing || c.Event == model.EventMove && c.Move != nil && m != c.Move {
			continue
		}
		cases := x.open()
		if m.Kind == model.MoveWalk {
			for _, b := range bars {
				cases = x.not(x.renamedTerms(x.formulaOf(b, nil).terms, x.local(anyPiece), p, x.local(walked), s), cases)
			}
		} else {
			where := x.intern(m.Where, nil, 0)
			mover := x.local(m.Params[0])
			if m.From == nil || x.startsFrom(m, x.open()).meets(x.domain(where, nil)) { // it may begin where it ends
				return true
			}
			cases = x.holding(x.renamedTerms(f.terms, where, s, mover, p), cases)
			for _, n := range x.never {
				if n.x.About(m) {
					against := x.formulaOf(n.x, m)
					cases = x.not(x.renamedTerms(x.renamedTerms(against.terms, x.local(x.endOf(m)), s, where, s), mover, p, mover, p), cases)
				}
			}
		}
		if len(x.holding(form.terms, x.carriedOver(cases, known, p, s, exact))) > 0 {
			return true
		}
	}
	return false
}

// renamedTerms are terms in which two others are replaced.
func (x *setting) renamedTerms(terms []id, a, as, b, bs id) []id {
	return seq.Map(terms, func(t id) id { return x.with(x.with(t, a, as), b, bs) })
}

// not keeps the cases in which not all of some conditions hold.
func (x *setting) not(terms []id, cases []*facts) []*facts {
	var left []*facts
	now := cases
	for _, t := range terms {
		left = append(left, x.assume(t, false, now)...)
		now = x.assume(t, true, now)
	}
	if len(left) > maxCases {
		return cases
	}
	return left
}

// carriedOver adds to what is known where a move has ended what was known of the pieces on its last place before: now its own piece is
// one of them, and unless exact others may have gone.
func (x *setting) carriedOver(before, known []*facts, p, s id, exact bool) []*facts {
	list := x.piecesOf(s)
	var out []*facts
	for _, b := range before {
		now := known
		for g := b; g != nil; g = g.before {
			if d, newer := b.of(g.term); !newer || !d.equal(g.is) {
				continue
			}
			for _, t := range x.countsAfter(g, list, p, exact) {
				now = x.at(t.term, t.is, now)
			}
			if x.fixed(g.term) {
				now = x.at(g.term, g.is, now)
			}
		}
		if out = append(out, now...); len(out) > maxCases {
			return known
		}
	}
	return out
}

// countsAfter is what a fact about the pieces on a place says when one more has come.
func (x *setting) countsAfter(f *facts, list, p id, exact bool) []facts {
	y := x.terms[f.term]
	d, none := f.is, false
	switch {
	case y.op == model.OpCount && len(y.args) == 1 && y.args[0] != list:
		if y = x.terms[y.args[0]]; y.op != model.OpFilter || y.args[0] != list {
			return nil
		}
	case y.op == model.OpCount && y.args[0] == list:
	case (y.op == model.OpAny && d.hi == 0 || y.op == model.OpNone && d.lo == 1) && len(y.args) > 1 && y.args[0] == list:
		d, none = only(0), true
	default:
		return nil
	}
	low, high := 1, 1 // how many the piece adds
	if len(y.args) > 1 {
		is := x.with(y.args[1], x.elem(list, y.n), p)
		if !x.fixed(is) {
			return nil
		}
		low, high = flagNumber(len(x.assume(is, false, x.open())) == 0), flagNumber(len(x.assume(is, true, x.open())) > 0)
	}
	if d = span(d.lo+low, d.hi+high); !exact {
		d.lo = 0
	}
	if len(y.args) == 1 {
		return []facts{{term: x.count(list), is: d}}
	}
	counted := term{op: model.OpCount, typ: model.Of(model.Number), n: y.n}
	out := []facts{{term: x.count(x.filter(y)), is: d}, {term: x.add(counted, y.args...), is: d}}
	if none && d.hi == 0 {
		out = append(out, facts{term: x.add(term{op: model.OpAny, typ: model.Of(model.Flag), n: y.n}, y.args...), is: only(0)})
	}
	return out
}
