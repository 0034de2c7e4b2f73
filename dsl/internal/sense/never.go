package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// doings are what the statements and clauses of the rules bring about at all. What nothing brings about is never so.
type doings struct {
	ranks, drops bool // a player gets a place, or is put out
	earns        bool // a number of the queue is counted
	most         bool // a play tells how many numbers can be used
	back         bool // a walk may go backwards
	turns        bool // a walk may turn round
	stops        bool // a walk may end before its last step
}

// doingsOf collects the doings of some rules.
func doingsOf(r *model.Rules) *doings {
	d := &doings{}
	earns, plays, round := false, false, endless(r)
	finish := func(e model.EndingKind) {
		d.ranks, d.drops = d.ranks || e == model.EndRank, d.drops || e == model.EndDrop
	}
	for s := range r.Stmts() {
		switch s.Kind {
		case model.StmtFinish:
			finish(s.Ending)
		case model.StmtEarn:
			earns = true
		case model.StmtPlay:
			plays = plays || s.Play == model.PlayEarned
			d.most = d.most || s.Play.LooksAhead()
		}
	}
	d.earns = earns && plays
	for c := range r.Clauses() {
		if c.Kind == model.ClauseEnding {
			finish(c.Ending)
		}
		if c.Kind != model.ClauseBeyond || !round {
			d.turns = d.turns || judges(c, model.VerdictTurn)
			d.stops = d.stops || judges(c, model.VerdictStop) || judges(c, model.VerdictBack)
		}
	}
	return d
}

// walksBack finds whether a walk may go backwards: it turns, or its number may be below 0.
func (x *setting) walksBack() {
	x.did.back = x.did.turns
	for _, f := range x.may {
		if f.x.Move.Kind == model.MoveWalk {
			x.counting(f.x)
			x.did.back = x.did.back || x.domain(x.intern(f.x.Move.Where, nil, 0), nil).lo < 0
		}
	}
	x.forget()
}

// ahead reports whether walks only go forward, and come to no place twice.
func (s *solver) ahead() bool {
	if s.did == nil || s.did.back {
		return false
	}
	if s.straight == nil {
		straight := !slices.ContainsFunc(s.r.Colours, func(c model.ColourInUse) bool { return !s.r.Track.Runs[c.Board].OnlyForward() })
		s.straight = &straight
	}
	return *s.straight
}

// endless reports whether no track begins or ends anywhere.
func endless(r *model.Rules) bool {
	for n := range r.Nodes() {
		if len(n.Next) == 0 || len(n.Prev) == 0 {
			return false
		}
	}
	return true
}

// walksTo is the domain of the places that a step can lead to.
func (s *solver) walksTo() domain { return s.places(s.r.Colours, s.steppedOn) }

// steppedOn reports whether a step can lead to a place of a track: not to the first one, where walks only go forward.
func (s *solver) steppedOn(prev, _ int) bool { return s.did == nil || s.did.back || prev > 0 }

// places is the domain of the places on the tracks of some colours for which something holds of how many are right before and after each.
func (s *solver) places(colours []model.ColourInUse, is func(prev, next int) bool) domain {
	var all []int
	for _, c := range colours {
		for _, n := range s.r.Track.Runs[c.Board].Nodes {
			if is(len(n.Prev), len(n.Next)) {
				all = append(all, n.Place)
			}
		}
	}
	return listed(all...)
}
