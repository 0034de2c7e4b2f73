package sense

import (
	"runtime"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// lanes is how many parts a study has, which are made beside one another. It is fixed, so that what is found is the same on every machine.
const lanes = 4

// Run analyses the settings that are planned.
func (s *Study) Run() {
	planned := s.planned
	s.planned = nil
	parts := []*Study{s}
	for s.others == nil && len(parts) < min(lanes, len(planned)) { // clauses of others that apply in the first setting need no other look
		parts = append(parts, New(s.file))
	}
	seq.Each(runtime.GOMAXPROCS(0), len(parts), func(lane int) {
		for i := lane; i < len(planned); i += len(parts) {
			parts[lane].study(planned[i], s.studied+i)
		}
	})
	for _, part := range parts[1:] {
		s.merge(part)
	}
	s.studied += len(planned)
}

// merge adds the facts of a study of other settings.
func (s *Study) merge(o *Study) {
	join(s.clauses, o.clauses, mergeClauses)
	join(s.flags, o.flags, func(f, g *flagFact) {
		f.yes, f.no, f.here, f.why = f.yes || g.yes, f.no || g.no, f.here || g.here, f.why.join(g.why)
	})
	join(s.paths, o.paths, func(f, g *pathFact) {
		f.reached, f.why = f.reached || g.reached, f.why.join(g.why)
	})
	join(s.turns, o.turns, func(f, g *turnFact) {
		f.always = (f.always || !f.said) && (g.always || !g.said) && (f.always || g.always)
		f.limited, f.said, f.earns = f.limited || g.limited, f.said || g.said, f.earns || g.earns
		if g.once != "" {
			f.once = g.once
		}
		f.asked = g.asked
	})
	join(s.idles, o.idles, func(f, g *idleFact) {
		f.live, f.info, f.ever, f.seen = f.live || g.live, f.info || g.info, f.ever || g.ever, f.seen+g.seen
		if f.why == "" {
			f.code, f.why = g.code, g.why
		}
		f.noted(g.note)
	})
	join(s.harms, o.harms, func(f, g *harmFact) {
		if g.setting < f.setting {
			*f = *g
		}
	})
	s.askedLate = append(s.askedLate, o.askedLate...)
	for option, why := range o.far {
		if was, known := s.far[option]; !known || was != "" {
			s.far[option] = why
		}
	}
}

// mergeClauses adds the facts about a clause in other settings: what covers it is what does so in all of them.
func mergeClauses(f, g *clauseFact) {
	if !f.applies {
		f.why, f.thrown, f.hint = f.why.join(g.why), g.thrown, g.hint
	}
	f.applies, f.duty, f.met = f.applies || g.applies, f.duty || g.duty, f.met || g.met
	switch {
	case !f.covered:
		f.coverers, f.covered = g.coverers, g.covered
	case g.covered:
		f.coverers = seq.Filter(f.coverers, func(c *model.Clause) bool {
			return slices.ContainsFunc(g.coverers, func(o *model.Clause) bool { return o.Span == c.Span })
		})
	}
}

// join adds the facts of one map to another; both makes one of two about the same.
func join[K comparable, F any](into, from map[K]*F, both func(f, g *F)) {
	for k, g := range from {
		if f := into[k]; f != nil {
			both(f, g)
		} else {
			into[k] = g
		}
	}
}
