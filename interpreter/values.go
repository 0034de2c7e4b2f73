package interpreter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
)

// Value is the value of a public variable, as text for people.
type Value struct {
	Name string // "yellow's reserve"
	Text string // "20", "yes", "red 12"
}

// Values appends to dst the variables that outlast a turn and are not secret, one for each owner, at every node in
// the same order. A nil wording is English.
func (p *Position) Values(dst []Value, w Wording) []Value {
	if w == nil {
		w = names{p.game}
	}
	n := namer{p.game, p, w}
	for _, v := range n.g.rules.Vars {
		if v.Secret || !n.g.outlasts(v) {
			continue
		}
		for owner := range n.g.owners(v.Scope) {
			var words []string
			for _, x := range n.g.getVar(p.m.State(), v, owner) {
				words = append(words, n.valueWord(v, x))
			}
			text := strings.Join(words, " ")
			if text == "" {
				text = w.Answer("none")
			}
			dst = append(dst, Value{n.owned(v, owner), text})
		}
	}
	return dst
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
		return n.w.PieceName(n.p.ColourOf(owner)) + " " + n.pieceText(owner, false) + " " + name
	default:
		return name
	}
}

// valueWord is one value, for people.
func (n namer) valueWord(v *model.Var, value int) string {
	switch x := n.p.writeScalar(v, value).(type) {
	case nil:
		return n.w.Answer("none")
	case bool:
		if x {
			return n.w.Answer("yes")
		}
		return n.w.Answer("no")
	case string:
		words := strings.Split(x, "@")
		for i, word := range words {
			if c := n.g.rules.Board.Colour(word); c != None {
				words[i] = n.w.ColourName(slices.IndexFunc(n.g.rules.Colours, func(x model.ColourInUse) bool { return x.Board == c }))
			} else if at, ok := n.g.rules.Board.Place(word); ok {
				words[i] = n.w.PlaceName(at)
			}
		}
		return strings.Join(words, " ")
	default:
		return fmt.Sprint(x)
	}
}
