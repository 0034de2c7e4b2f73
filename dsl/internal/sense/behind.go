package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// behind records the first move to a landmark where no piece comes to squares of a track, as they lie behind all places where pieces come
// to it. A move to a square by its name may leave out squares on purpose.
func (x *setting) behind() {
	i := slices.IndexFunc(x.r.Moves, func(m *model.Move) bool {
		return m.Kind == model.MoveTo && m.Where.Op == model.OpMark && x.own(m.Where.Span)
	})
	if i < 0 || x.lives("behind", x.r.Moves[i].Where.Span) {
		return
	}
	why := ""
	if names := x.r.Board.Words(x.neverCome()); names != "" {
		why = "no piece ever comes to " + names + ": pieces come to the track farther on"
	}
	x.warnOf("behind", "unreachable-square", x.r.Moves[i].Where.Span, why).info = true
}

// goesAnyway records clauses that let a walk go on after which none says otherwise: where no clause applies it goes on too.
func (x *setting) goesAnyway() {
	for _, kind := range []model.ClauseKind{model.ClauseStep, model.ClauseEnd} {
		judged := false // by a later one
		for _, rule := range slices.Backward(x.r.Rules) {
			for _, c := range slices.Backward(rule.Clauses) {
				switch {
				case c.Kind != kind:
				case c.First != model.VerdictGo || c.Second != model.NoVerdict:
					judged = true
				case x.own(c.Span):
					why := ""
					if !judged {
						why = "the walk goes on anyway: no line after this says otherwise"
					}
					x.Study.warnOf("goes anyway", "no-effect", c.Span, why)
				}
			}
		}
	}
}

// neverCome names the squares on the tracks to which no piece comes.
func (x *setting) neverCome() []string {
	down, everywhere := x.setDown()
	if everywhere {
		return nil
	}
	come := make([]bool, len(x.r.Board.Places))
	for i, c := range x.r.Colours {
		nodes := x.r.Track.Runs[c.Board].Nodes
		been := make([]bool, len(nodes))
		var visit func(n int)
		visit = func(n int) {
			if been[n] {
				return
			}
			been[n], come[nodes[n].Place] = true, true
			for _, next := range nodes[n].Next {
				visit(next)
			}
			if x.did.back {
				for _, before := range nodes[n].Prev {
					visit(before)
				}
			}
		}
		for n := range nodes {
			if slices.ContainsFunc(down[i], func(d domain) bool { return d.has(nodes[n].Place) }) {
				visit(n)
			}
		}
	}
	var names []string
	for place, p := range x.r.Board.Places {
		if !p.Zone && !come[place] && slices.ContainsFunc(x.r.Colours, func(c model.ColourInUse) bool {
			return slices.Contains(x.r.Track.Runs[c.Board].Places(), place)
		}) {
			names = append(names, p.Name)
		}
	}
	return names
}
