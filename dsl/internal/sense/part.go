package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// AddPart analyses the rules of one setting without the clauses that have faults. It looks at each condition by
// itself: a variable may have any value of its type, since the clause that assigns it may be missing. It reports
// nothing that depends on what other clauses offer, forbid or cover. Once a study has a part, all its settings are
// treated in this way.
func (s *Study) AddPart(r *model.Rules) {
	s.part = true
	anything := span(least, greatest)
	x := &setting{Study: s, solver: freeSolver(r), endings: map[*model.Move]*model.Local{}, played: anything, by: anything}
	for c := range r.Clauses() {
		if len(c.Or) > 0 || !x.own(c.Span) || !whole(c) {
			continue
		}
		f := fact(x.clauses, c)
		x.prepare(c)
		if form := x.formulaOf(c, nil); x.possible(form.terms...) {
			f.applies = true
		} else {
			f.why, f.thrown = f.why.join(x.why(form, nil)), form.onThrow()
		}
		x.look(c.When, 0, x.open())
	}
	x.bodies()
}

// whole reports whether all names in a clause are resolved.
func whole(c *model.Clause) bool {
	lacks := func(p *model.Local) bool { return p == nil || p.Type.Kind == model.Invalid }
	m := c.Move
	return !slices.ContainsFunc(c.Params, lacks) &&
		(m == nil || !slices.ContainsFunc(m.Params, lacks) && (m.Where != nil || m.Kind != model.MoveTo && m.Kind != model.MoveWalk))
}
