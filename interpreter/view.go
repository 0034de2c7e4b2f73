package interpreter

import "github.com/rulerun/rulerun/dsl/model"

// View writes the position out as a seat may see it: like Setup, but while the game goes on the variables the rules
// keep secret are left out where they belong to another player or team. Once it is over nothing is hidden. None is
// an onlooker.
//
// Everything else is written as it is: where rules let something that all see depend on a secret, it tells.
func (p *Position) View(seat int) *Setup {
	if p.Kind() == Over {
		return p.Setup()
	}
	return p.write(func(v *model.Var, owner int) bool {
		switch {
		case !v.Secret:
			return false
		case !p.game.isSeat(seat):
			return true
		case v.Scope == model.ScopeTeam:
			return owner != p.game.rules.Seats[seat].Team
		}
		return owner != seat
	})
}
