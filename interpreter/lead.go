package interpreter

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Lead evaluates the let "lead" of the rules: how far ahead a player or team is. It belongs to one goroutine.
type Lead struct {
	game  *Game
	m     *vm.Machine
	entry int
	team  bool // the parameter of the let is a team
}

// leadForm is a game compiled with the lead.
type leadForm struct {
	unit *compile.Unit
	lead int
}

// NewLead returns an evaluator for the positions of a game, nil if the rules do not declare a lead.
func NewLead(g *Game) *Lead {
	l := g.rules.Lead
	if l == nil {
		return nil
	}
	g.asking.Do(func() {
		if g.leading != nil {
			return
		}
		if unit, lead, err := compile.Ask(g.rules); err == nil && unit.Program.Layout == g.prog.Layout {
			g.leading = &leadForm{unit, lead}
		}
	})
	if g.leading == nil { // too large with one more let
		return nil
	}
	return &Lead{game: g, m: vm.New(g.leading.unit.Program), entry: g.leading.lead, team: l.Params[0].Type.Kind == model.Team}
}

// Of is how far ahead a team is in a position of the game, at any node; for a lead of players, the sum over its
// players. The result is 0 if the rules fail or the team does not exist.
func (l *Lead) Of(p *Position, team int) int {
	if team < 0 || team >= len(l.game.rules.Teams) {
		return 0
	}
	copy(l.m.State(), p.m.State())
	if l.team {
		return l.ask(team)
	}
	sum := 0
	for _, seat := range l.game.rules.Teams[team] {
		sum += l.ask(seat)
	}
	return sum
}

func (l *Lead) ask(owner int) int {
	l.m.State()[code.CellP0] = int16(owner)
	if v, ok := l.m.Eval(l.entry); ok {
		return v
	}
	return 0
}
