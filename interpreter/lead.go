package interpreter

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
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

// leadForm is a game compiled with what it says of its positions.
type leadForm struct {
	unit   *compile.Unit
	lead   int
	values []int // of each count of the rules
}

// withValues is the game in this form; nil if it is too large for a program.
func (g *Game) withValues() *leadForm {
	g.asking.Do(func() {
		if g.leading != nil {
			return
		}
		if a, err := compile.Ask(g.rules); err == nil && a.Unit.Program.Layout == g.prog.Layout {
			g.leading = &leadForm{a.Unit, a.Lead, a.Values}
		}
	})
	return g.leading
}

// NewLead returns an evaluator for the positions of a game, nil if the rules do not declare a lead.
func NewLead(g *Game) *Lead {
	l := g.rules.Lead
	if l == nil || g.withValues() == nil {
		return nil
	}
	return &Lead{game: g, m: vm.New(g.leading.unit.Program), entry: g.leading.lead, team: l.Params[0].Type.Kind == model.Team}
}

// Figure is what a count of each player says at the end of a game.
type Figure struct {
	Title  string
	Values []int // of each seat
}

// Figures are the counts of each player, in the order of the rules; none before the game is over.
func (p *Position) Figures() []Figure {
	g := p.game
	each := slices.ContainsFunc(g.rules.Counts, func(n *model.Count) bool { return n.Each })
	if !each || p.Kind() != Over || g.withValues() == nil {
		return nil
	}
	m := vm.New(g.leading.unit.Program)
	var out []Figure
	for i, n := range g.rules.Counts {
		if !n.Each {
			continue
		}
		if n.Seat == 0 {
			out = append(out, Figure{n.Title, make([]int, g.Players())})
		}
		m.Mirror(p.m)
		if v, ok := m.Eval(g.leading.values[i]); ok {
			out[len(out)-1].Values[n.Seat] = v
		}
	}
	return out
}

// Of is how far ahead a team is in a position of the game, at any node; for a lead of players, the sum over its
// players. The result is 0 if the rules fail or the team does not exist.
func (l *Lead) Of(p *Position, team int) int {
	if team < 0 || team >= len(l.game.rules.Teams) {
		return 0
	}
	l.m.Mirror(p.m)
	if l.team {
		return l.ask(team)
	}
	return seq.Sum(l.game.rules.Teams[team], l.ask)
}

func (l *Lead) ask(owner int) int {
	l.m.State()[code.CellP0] = int16(owner)
	if v, ok := l.m.Eval(l.entry); ok {
		return v
	}
	return 0
}
