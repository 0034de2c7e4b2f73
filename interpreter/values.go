package interpreter

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// ValueChange is the value of a public variable before and now, as texts for people.
type ValueChange struct {
	Name     string // "yellow's reserve"
	From, To string // "20", "yes", "red 12"
}

// ValueChanges lists the variables that outlast a turn, are not secret and have another value than in an earlier position of the same
// game, in an order that depends on the game alone. A nil wording is English.
func (p *Position) ValueChanges(before *Position, w Wording) []ValueChange {
	if w == nil {
		w = names{p.game}
	}
	now, then := namer{p.game, p, w, false}, namer{p.game, before, w, false}
	var out []ValueChange
	for _, v := range p.game.rules.Vars {
		if v.Secret || !p.game.outlasts(v) {
			continue
		}
		for owner := range p.game.owners(v.Scope) {
			from, to := p.game.getVar(before.m.State(), v, owner), p.game.getVar(p.m.State(), v, owner)
			if !slices.Equal(from, to) {
				out = append(out, ValueChange{now.owned(v, owner), then.valueWords(v, from), now.valueWords(v, to)})
			}
		}
	}
	return out
}

// Value is what a variable has, as a text for people.
type Value struct {
	Var     *model.Var
	Owner   int    // a seat, team, colour or piece; 0 of the game
	Text    string // "20", "yes", "red 12"
	Changed bool   // no game begins with it
}

// Values lists the variables that outlast a turn, each of all its owners, as a seat may see them: see View. A nil wording is English.
func (p *Position) Values(seat int, w Wording) []Value {
	if w == nil {
		w = names{p.game}
	}
	n, unseen := namer{p.game, p, w, false}, p.unseen(seat)
	var out []Value
	for _, v := range seq.Filter(p.game.rules.Vars, p.game.outlasts) {
		for owner := range p.game.owners(v.Scope) {
			if now := p.game.getVar(p.m.State(), v, owner); !unseen(v, owner) {
				out = append(out, Value{v, owner, n.valueWords(v, now), !slices.Equal(now, p.game.getVar(p.game.prog.Initial, v, owner))})
			}
		}
	}
	return out
}

// owned names a variable of an owner.
func (n namer) owned(v *model.Var, owner int) string {
	colour := func(seat int) string { return n.w.ColourName(n.g.rules.Seats[seat].Colours[0]) }
	switch name := n.w.VarName(v); v.Scope {
	case model.ScopeTeam:
		return n.w.Owned(colour(n.g.rules.Teams[owner][0]), name)
	case model.ScopePlayer:
		return n.w.Owned(colour(owner), name)
	case model.ScopeColour:
		return n.w.Owned(n.w.ColourName(owner), name)
	case model.ScopePiece:
		return n.w.OfPiece(n.w.PieceName(n.p.ColourOf(owner))+" "+n.pieceText(owner, false), name)
	default:
		return name
	}
}

// valueWords is the value of a variable, for people.
func (n namer) valueWords(v *model.Var, values []int) string {
	if len(values) == 0 {
		return n.w.Answer("none")
	}
	words := seq.Map(values, func(x int) string { return n.valueWord(v, x) })
	return strings.Join(words, " ")
}

// valueWord is one value, for people.
func (n namer) valueWord(v *model.Var, value int) string {
	if v.Type.Kind != model.Piece || value < 0 {
		return n.valueText(v.Type.Kind, value)
	}
	_, place, _ := strings.Cut(n.p.pieceName(value), "@")
	if at, ok := n.g.rules.Board.Place(place); ok { // otherwise it has an ordinal
		place = n.w.PlaceName(at)
	}
	return n.w.ColourName(n.p.ColourOf(value)) + " " + place
}
