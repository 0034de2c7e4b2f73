package interpreter

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// secret is a secret choice: the candidates, and the variable of its side.
type secret struct {
	v          *model.Var
	owner      int
	candidates []int
}

// secretVars lists the secret variables of the rules.
func secretVars(rules *model.Rules) []*model.Var {
	return seq.Filter(rules.Vars, func(v *model.Var) bool { return v.Secret })
}

// remember records the candidates at a secret pick.
func (p *Position) remember() {
	t := p.game.unit.Picks[p.m.Site].Target
	if t == nil || !t.Var.Secret {
		return
	}
	s := secret{v: t.Var, owner: p.Player(), candidates: seq.Map(p.m.Picks(), func(n int16) int { return int(n) })}
	if s.v.Scope == model.ScopeTeam {
		s.owner = p.game.rules.Seats[s.owner].Team
	}
	p.secrets = slices.DeleteFunc(p.secrets, func(o secret) bool { return o.v == s.v && o.owner == s.owner })
	p.secrets = append(p.secrets, s)
}

// Hides reports whether there are values that a seat may not see. After the game nothing is hidden. None is a
// spectator.
func (p *Position) Hides(seat int) bool {
	found := false
	p.hidden(seat, func(*model.Var, int) { found = true })
	return found
}

// Guess samples everything that a seat may not see (see View), uniformly over the possible values: over the
// candidates that were offered to the player who chose it; or over the whole domain of the variable, if no player was
// asked since the position was set up or the rules have changed it since. Values not chosen yet stay unset.
//
// A bot searches on copies with sampled values, so it knows no more than a person would. It does not infer anything
// from the play of others.
func (p *Position) Guess(seat int, r *Random) {
	p.hidden(seat, func(v *model.Var, owner int) {
		before := p.game.getVar(p.m.State(), v, owner)
		values := p.guess(v, owner, before, r)
		if kept := p.m.Kept(); kept != nil && slices.Equal(p.game.getVar(kept, v, owner), before) {
			p.game.setVar(kept, v, owner, values)
		}
		p.game.setVar(p.m.State(), v, owner, values)
	})
}

// hidden calls f for every variable that a seat may not see and that is no longer at its initial value.
func (p *Position) hidden(seat int, f func(v *model.Var, owner int)) {
	if len(p.game.secrets) == 0 || p.Kind() == Over {
		return
	}
	for _, v := range p.game.secrets {
		own := seat
		if v.Scope == model.ScopeTeam && p.game.isSeat(seat) {
			own = p.game.rules.Seats[seat].Team
		}
		for owner := range p.game.owners(v.Scope) {
			if owner != own && !slices.Equal(p.game.getVar(p.m.State(), v, owner), p.game.getVar(p.game.prog.Initial, v, owner)) {
				f(v, owner)
			}
		}
	}
}

// guess samples a value of a hidden variable.
func (p *Position) guess(v *model.Var, owner int, now []int, r *Random) []int {
	for _, s := range p.secrets {
		if !v.Type.List && s.v == v && s.owner == owner && slices.Contains(s.candidates, now[0]) {
			return []int{s.candidates[r.IntN(len(s.candidates))]}
		}
	}
	low, high := p.game.domain(v)
	if !v.Type.List {
		return []int{low + r.IntN(high-low+1)}
	}
	if v.Bag { // as many as there are
		return seq.Map(now, func(int) int { return low + r.IntN(high-low+1) })
	}
	var out []int
	for n := low; n <= high; n++ {
		if r.IntN(2) == 1 {
			out = append(out, n)
		}
	}
	return out
}

// domain is the range of a variable, or of an element if it is a set, without nil.
func (g *Game) domain(v *model.Var) (low, high int) {
	if v.Type.Kind == model.Number {
		return v.Low, v.High
	}
	return 0, g.values(v.Type.Kind) - 1
}
