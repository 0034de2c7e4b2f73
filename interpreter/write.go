package interpreter

import (
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Setup writes the position, at any node. If AtTurn holds, Game.Setup reads back the same position. Elsewhere it has
// all places and values, but not the progress of the turn; and in the opening no player is in turn, so that it cannot
// be read back.
func (p *Position) Setup() *Setup { return p.write(nil) }

// Vars are the variables that outlast a turn, if they differ from their initial values, in the format of Setup.
func (p *Position) Vars() map[string]any {
	s := &Setup{Vars: map[string]any{}}
	p.writeVars(s, nil)
	return s.Vars
}

// write writes the position without the hidden variables; a nil function hides nothing.
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
	p.writePieces(s)
	for place := range g.rules.Board.Places {
		if order := p.arrived(place); !slices.IsSorted(order) {
			s.Arrived[g.PlaceName(place)] = p.arrivals(order)
		}
	}
	s.Ranking = seq.Map(seq.Filter(p.Result().Ranking, func(seat int) bool { return st[l.Rank+seat] > 0 }), g.SeatName)
	s.Dropped = seq.Map(seq.Which(g.Players(), func(seat int) bool { return st[l.Status+seat] == code.Dropped }), g.SeatName)
	p.writeDice(s)
	p.writeVars(s, hidden)
	return s
}

// put sets an element of a map of a position, which it makes if there is none.
func put[V any](to *map[string]V, key string, v V) {
	if *to == nil {
		*to = map[string]V{}
	}
	(*to)[key] = v
}

// writePieces writes where the pieces stand, and their numbers where these do not follow from that.
func (p *Position) writePieces(s *Setup) {
	g, st := p.game, p.m.State()
	counts := make([]int, len(g.rules.Colours))
	for colour := range counts {
		pieces := g.piecesIn(st, colour)
		s.Pieces[g.ColourName(colour)] = append([]string{}, seq.Map(pieces, p.spot)...)
		counts[colour] = len(pieces)
	}
	for colour, usual := range g.numbers(counts) {
		if pieces := g.piecesIn(st, colour); !slices.Equal(pieces, usual) {
			put(&s.Numbers, g.ColourName(colour), pieces)
		}
	}
}

// numbers are the usual numbers of the pieces of each colour, given how many it has: those it began with, then those that others lack.
func (g *Game) numbers(counts []int) [][]int {
	out, per := make([][]int, len(counts)), g.rules.PieceCount
	var free []int
	for colour, n := range counts {
		for i := range per {
			if piece := colour*per + i; i < n {
				out[colour] = append(out[colour], piece)
			} else {
				free = append(free, piece)
			}
		}
	}
	for colour, n := range counts {
		for len(out[colour]) < n && len(free) > 0 {
			out[colour], free = append(out[colour], free[0]), free[1:]
		}
	}
	return out
}

// arrived lists the pieces on a place in order of arrival; in zones whose order is never read, by number.
func (p *Position) arrived(place int) []int {
	order := p.PiecesOn(nil, place)
	if p.game.rules.Board.Places[place].Zone && !p.game.beginning().zones[place] {
		slices.Sort(order)
	}
	return order
}

// arrivals writes an order of pieces: each by its colour, with its ordinal if it is not the first of those that are
// not listed yet.
func (p *Position) arrivals(order []int) []string {
	g := p.game
	out := make([]string, len(order))
	for i, piece := range order {
		out[i] = g.ColourName(p.ColourOf(piece))
		if slices.ContainsFunc(order[i+1:], func(later int) bool { return later < piece && p.ColourOf(later) == p.ColourOf(piece) }) {
			out[i] += "#" + strconv.Itoa(p.ordinal(piece))
		}
	}
	return out
}

// writeDice writes the last numbers of dice, and the rest of decks, as far as rules can read them.
func (p *Position) writeDice(s *Setup) {
	g, st := p.game, p.m.State()
	for i := range g.prog.Dice {
		d := &g.prog.Dice[i]
		if n := int(st[g.prog.Layout.Dice+i]); n != 0 && p.lastAsked(i) {
			put(&s.Dice, d.Name, n)
		}
		left := p.deck(d)
		if left == nil {
			continue
		}
		full, cards := true, map[string]int{}
		for j, n := range left {
			if full = full && int(n) == d.Weights[j]; n > 0 {
				cards[strconv.Itoa(d.Values[j])] = int(n)
			}
		}
		if !full {
			put(&s.Decks, d.Name, cards)
		}
	}
}

// lastAsked reports whether the rules read the last number of a die before it is thrown again. After an undo the
// throw is still to come.
func (p *Position) lastAsked(die int) bool {
	if slices.Contains(p.Dice(), die) && p.m.Kept() == nil {
		return p.game.beginning().before[die]
	}
	return p.game.beginning().old[die]
}

// writeVars writes the variables.
func (p *Position) writeVars(s *Setup, hidden func(v *model.Var, owner int) bool) {
	for _, v := range seq.Filter(p.game.rules.Vars, p.game.outlasts) {
		p.writeVar(s, v, hidden)
	}
}

// outlasts reports whether a variable of the file outlasts a turn.
func (g *Game) outlasts(v *model.Var) bool {
	return v.Scope != model.ScopeTurn && v.Scope != model.ScopeGo && v != g.rules.Owner
}

// varKey is the key of a variable in a position: its name, with its scope if several variables have that name.
func (g *Game) varKey(v *model.Var) string {
	if slices.ContainsFunc(g.rules.Vars, func(o *model.Var) bool { return o != v && o.Name == v.Name && g.outlasts(o) }) {
		return model.ScopeNames[v.Scope] + "." + v.Name
	}
	return v.Name
}

// writeVar writes a variable if it differs from its initial value and is not hidden.
func (p *Position) writeVar(s *Setup, v *model.Var, hidden func(v *model.Var, owner int) bool) {
	whole := s.Pieces != nil && p.TurnBegins()
	g, st, key := p.game, p.m.State(), p.game.varKey(v)
	owned := map[string]any{}
	for owner := range g.owners(v.Scope) {
		values := g.getVar(st, v, owner)
		if v == g.rules.Later && owner == p.Turn() && whole {
			values = append(p.taken(), values...)
		}
		if hidden != nil && hidden(v, owner) || slices.Equal(values, g.getVar(g.prog.Initial, v, owner)) {
			continue
		}
		x := p.writeValue(v, values)
		switch v.Scope {
		case model.ScopeGame:
			s.Vars[key] = x
			return
		case model.ScopePiece:
			owned[p.ownerName(v, owner)] = x
		default:
			owned[g.nameOf(v.Scope.Owner(), owner)] = x
		}
	}
	if len(owned) > 0 {
		s.Vars[key] = owned
	}
}

// taken are the numbers of the queue that were earned before the turn, at its first node. The one being counted has left the queue.
func (p *Position) taken() []int {
	var out []int
	if st := p.m.State(); p.Kind() == Choice && st[code.CellEarned] != 0 {
		out = append(out, int(st[code.CellSteps]))
	}
	out = append(out, p.Waiting()...)
	return out[:p.game.getVar(p.m.State(), p.game.rules.Taken, 0)[0]]
}

// ownerName names the piece that owns a variable, "red@39": all of red's pieces there if they have the same value,
// otherwise the piece with its ordinal, "red@39#1".
func (p *Position) ownerName(v *model.Var, piece int) string {
	g, st := p.game, p.m.State()
	at := st[g.prog.Layout.At:]
	name := g.ColourName(p.ColourOf(piece)) + "@" + g.PlaceName(int(at[piece]))
	other := func(q int) bool {
		return at[q] == at[piece] && !slices.Equal(g.getVar(st, v, q), g.getVar(st, v, piece))
	}
	if slices.ContainsFunc(g.piecesIn(st, p.ColourOf(piece)), other) {
		name += "#" + strconv.Itoa(p.ordinal(piece))
	}
	return name
}

// writeValue is a variable's value as JSON.
func (p *Position) writeValue(v *model.Var, values []int) any {
	scalar := func(i int) any { return p.game.scalar(v.Type.Kind, values[i], p.pieceName) }
	if v.Type.List {
		return seq.Of(len(values), scalar)
	}
	return scalar(0)
}

// scalar is one value as JSON; named says what a piece is called.
func (g *Game) scalar(kind model.Kind, n int, named func(piece int) string) any {
	switch {
	case kind == model.Number:
		return float64(n)
	case kind == model.Flag:
		return n != 0
	case n < 0:
		return nil
	case kind == model.Piece:
		return named(n)
	}
	return g.nameOf(kind, n)
}

// nameOf is the name of a place, a colour, a player or a team, and the text of a number. Of a team it is that of its first seat.
func (g *Game) nameOf(kind model.Kind, n int) string {
	switch kind {
	case model.Place:
		return g.PlaceName(n)
	case model.Colour:
		return g.ColourName(n)
	case model.Player:
		return g.SeatName(n)
	case model.Team:
		return g.SeatName(g.rules.Teams[n][0])
	}
	return strconv.Itoa(n)
}

// Effects lists the clauses that have taken effect since the position was made, including endings that Game.Setup
// found to apply already. A copy starts without effects.
func (p *Position) Effects() []*model.Clause {
	clauses := p.game.unit.Clauses
	fired := seq.Which(len(clauses), func(i int) bool { return p.m.Counters[i] > 0 })
	return seq.Map(fired, func(i int) *model.Clause { return clauses[i] })
}

// Forbidding lists the always clauses that are false in the present position. They need to hold only when a turn
// begins.
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
