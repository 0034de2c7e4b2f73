package interpreter

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Setup writes the position out. Read back by Game.Setup it is the same position where p stands at the first throw of
// a turn; within a turn it says where everything stands, but not what the turn has come to.
func (p *Position) Setup() *Setup { return p.write(nil) }

// write writes the position out, the variables of some owners left out; nil hides nothing.
func (p *Position) write(hidden func(v *model.Var, owner int) bool) *Setup {
	g, st := p.game, p.m.State()
	l := &g.prog.Layout
	s := &Setup{
		Ruleset: g.rules.Name, Options: map[string]any{}, Players: g.Players(), Turn: g.ColourName(p.TurnColour()),
		Pieces: map[string][]string{}, Arrived: map[string][]string{}, Vars: map[string]any{},
	}
	for _, o := range g.rules.Options {
		if !o.Default {
			s.Options[o.Name] = o.Value
		}
	}
	for c := range g.rules.Colours {
		for i := range l.PerColour {
			at := int(st[l.At+c*l.PerColour+i])
			s.Pieces[g.ColourName(c)] = append(s.Pieces[g.ColourName(c)], g.PlaceName(at))
		}
	}
	for place := range g.rules.Board.Places {
		if st[l.Count+place] < 2 || g.rules.Board.Places[place].Zone {
			continue
		}
		var colours []string
		inOrder := true
		before := -1
		for _, piece := range p.PiecesOn(nil, place) {
			inOrder = inOrder && g.ColourOf(piece) >= before
			before = g.ColourOf(piece)
			colours = append(colours, g.ColourName(before))
		}
		if !inOrder {
			s.Arrived[g.PlaceName(place)] = colours
		}
	}
	for _, seat := range p.Result().Ranking {
		if st[l.Rank+seat] > 0 {
			s.Ranking = append(s.Ranking, g.SeatName(seat))
		}
	}
	for _, v := range g.rules.Vars {
		if v.Scope != model.ScopeTurn && v.Scope != model.ScopeGo {
			p.writeVar(s, v, hidden)
		}
	}
	return s
}

// writeVar writes a variable where it differs from what it begins with and is not hidden.
func (p *Position) writeVar(s *Setup, v *model.Var, hidden func(v *model.Var, owner int) bool) {
	g := p.game
	st := p.m.State()
	l := &g.prog.Layout
	owned := map[string]any{}
	for owner := range g.owners(v.Scope) {
		values := g.getVar(st, v, owner)
		if hidden != nil && hidden(v, owner) || sameValues(values, g.getVar(g.prog.Initial, v, owner)) {
			continue
		}
		x := p.writeValue(v, values)
		switch v.Scope {
		case model.ScopeGame:
			s.Vars[v.Name] = x
			return
		case model.ScopeTeam:
			owned[g.SeatName(g.rules.Teams[owner][0])] = x
		case model.ScopePlayer:
			owned[g.SeatName(owner)] = x
		case model.ScopeColour:
			owned[g.ColourName(owner)] = x
		case model.ScopePiece:
			owned[g.ColourName(g.ColourOf(owner))+"@"+g.PlaceName(int(st[l.At+owner]))] = x
		}
	}
	if len(owned) == 0 {
		return
	}
	if old, ok := s.Vars[v.Name].(map[string]any); ok { // another scope's variable of the same name
		for k, x := range old {
			owned[k] = x
		}
	}
	s.Vars[v.Name] = owned
}

func sameValues(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// writeValue is a variable's value as JSON has it.
func (p *Position) writeValue(v *model.Var, values []int) any {
	if v.Type.List {
		out := []any{}
		for _, n := range values {
			out = append(out, p.writeScalar(v, n))
		}
		return out
	}
	return p.writeScalar(v, values[0])
}

func (p *Position) writeScalar(v *model.Var, n int) any {
	g := p.game
	switch v.Type.Kind {
	case model.Number:
		return float64(n)
	case model.Flag:
		return n != 0
	}
	if n < 0 {
		return nil
	}
	switch v.Type.Kind {
	case model.Place:
		return g.PlaceName(n)
	case model.Colour:
		return g.ColourName(n)
	case model.Player:
		return g.SeatName(n)
	case model.Team:
		return g.SeatName(g.rules.Teams[n][0])
	}
	return g.ColourName(g.ColourOf(n)) + "@" + g.PlaceName(int(p.m.State()[g.prog.Layout.At+n]))
}

// AtTurn reports whether the position stands at the first throw of a turn, or at its first move where the turn throws
// nothing before, so that Setup says all of it.
func (p *Position) AtTurn() bool {
	if p.m.State()[code.CellPlays] != 2 {
		return false
	}
	return p.Kind() == Throw && !p.Opening() || p.Kind() == Choice && p.m.Node == code.NodeOption
}

// AppendKey appends to dst bytes that are the same for two positions of a game exactly where Equal holds but for how long
// the turn has lasted, which no rule can ask: for sets of positions.
func (p *Position) AppendKey(dst []byte) []byte {
	dst = append(dst, byte(p.Kind()))
	for i, cell := range p.m.State() {
		if i != code.CellPlays {
			dst = append(dst, byte(cell), byte(uint16(cell)>>8))
		}
	}
	return dst
}

// Effects lists the clauses that have taken effect since the position was made, those included that Game.Setup found to
// have ended something already. Copies do not count what their original did.
func (p *Position) Effects() []*model.Clause {
	var out []*model.Clause
	for i, c := range p.game.unit.Clauses {
		if p.m.Counters[i] > 0 {
			out = append(out, c)
		}
	}
	return out
}

// Forbidding lists the always clauses that do not hold as the position stands. They need hold only when a turn begins.
func (p *Position) Forbidding() []*model.Clause {
	var out []*model.Clause
	for _, a := range p.game.unit.Always {
		if ok, fine := p.m.Eval(a.Entry); !fine || ok == 0 {
			out = append(out, a.Clause)
		}
	}
	p.m.Fault = vm.Fault{}
	return out
}
