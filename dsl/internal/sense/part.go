package sense

import "github.com/rulerun/rulerun/dsl/model"

// AddPart studies the rules of one setting of which clauses that have faults are left out. Only conditions are looked at,
// each by itself: a variable may have any value of its type, since what changes it may be missing, and nothing is said of
// what other clauses offer, forbid or cover. A study that has a part reports no more than that of any setting.
func (s *Study) AddPart(r *model.Rules) {
	s.part = true
	anything := span(least, greatest)
	x := &setting{Study: s, solver: freeSolver(r), endings: map[*model.Move]*model.Local{}, played: anything, by: anything}
	for _, rule := range r.Rules {
		for _, c := range rule.Clauses {
			if !x.own(c.Span) || !whole(c) {
				continue
			}
			f := x.fact(c)
			x.prepare(c)
			if form := x.formulaOf(c, nil); x.possible(form.terms...) {
				f.applies = true
			} else if f.why == "" {
				f.why, f.thrown = x.why(form), form.onThrow()
			}
			x.look(c.When, 0, x.open())
		}
	}
	x.bodies()
}

// whole reports whether all that a clause names is known.
func whole(c *model.Clause) bool {
	for _, p := range c.Params {
		if p == nil || p.Type.Kind == model.Invalid {
			return false
		}
	}
	m := c.Move
	if m == nil {
		return true
	}
	for _, p := range m.Params {
		if p == nil || p.Type.Kind == model.Invalid {
			return false
		}
	}
	return m.Where != nil || m.Kind != model.MoveTo && m.Kind != model.MoveWalk
}
