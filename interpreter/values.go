package interpreter

import (
	"fmt"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
)

// Value is the value of a public variable, as text for people.
type Value struct {
	Name string // "reserve"
	Of   string // its owner: "yellow's ", "yellow 12 ", "" for the game
	Text string // "20", "yes", "red 12"
}

// Values appends to dst the variables that outlast a turn and are not secret, one for each owner, at every node in
// the same order.
func (p *Position) Values(dst []Value) []Value {
	g := p.game
	for _, v := range g.rules.Vars {
		if v.Secret || !g.outlasts(v) {
			continue
		}
		name := strings.ReplaceAll(v.Name, "_", " ")
		for owner := range g.owners(v.Scope) {
			var words []string
			for _, n := range g.getVar(p.m.State(), v, owner) {
				words = append(words, p.valueWord(v, n))
			}
			text := strings.Join(words, " ")
			if text == "" {
				text = "none"
			}
			dst = append(dst, Value{name, p.ownerWords(v.Scope, owner), text})
		}
	}
	return dst
}

// ownerWords names the owner of a variable, for people.
func (p *Position) ownerWords(scope model.Scope, owner int) string {
	g := p.game
	switch scope {
	case model.ScopeTeam:
		return g.SeatName(g.rules.Teams[owner][0]) + "'s "
	case model.ScopePlayer:
		return g.SeatName(owner) + "'s "
	case model.ScopeColour:
		return g.ColourName(owner) + "'s "
	case model.ScopePiece:
		return g.ColourName(p.ColourOf(owner)) + " " + p.spot(owner) + " "
	}
	return ""
}

// valueWord is one value, for people.
func (p *Position) valueWord(v *model.Var, n int) string {
	switch x := p.writeScalar(v, n).(type) {
	case nil:
		return "none"
	case bool:
		if x {
			return "yes"
		}
		return "no"
	case string:
		return strings.Replace(x, "@", " ", 1)
	default:
		return fmt.Sprint(x)
	}
}
