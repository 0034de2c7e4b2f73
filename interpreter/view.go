package interpreter

import "github.com/rulerun/rulerun/dsl/model"

// View writes the position as a seat may see it: like Setup, but during the game without the secret variables of
// other players or teams. After the game nothing is hidden. None is a spectator.
//
// It does not hide public values that the rules derive from a secret.
func (p *Position) View(seat int) *Setup {
	if p.Kind() == Over {
		return p.Setup()
	}
	return p.write(p.unseen(seat))
}

// unseen says which variables a seat may not see.
func (p *Position) unseen(seat int) func(v *model.Var, owner int) bool {
	return func(v *model.Var, owner int) bool {
		switch {
		case !v.Secret || p.Kind() == Over:
			return false
		case !p.game.isSeat(seat):
			return true
		case v.Scope == model.ScopeTeam:
			return owner != p.game.rules.Seats[seat].Team
		}
		return owner != seat
	}
}
