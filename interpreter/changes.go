package interpreter

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
)

// Changes lists the differences from an earlier position of the same game, in the format of records: pieces on other
// places, "yellow 12 -> 17", variables with another value, "named yellow red", and numbers in the queue, "earned 20".
// It is empty if nothing has changed; the order is deterministic.
func (p *Position) Changes(before *Position) []string {
	g := p.game
	var out []string
	for piece := range g.prog.Layout.Pieces {
		was, colour := before.where(piece), p.ColourOf(piece)
		if old := before.ColourOf(piece); old != colour {
			out = append(out, fmt.Sprintf("%s %s to %s", g.ColourName(old), before.spot(piece), g.ColourName(colour)))
		}
		if is := p.where(piece); is != was {
			out = append(out, fmt.Sprintf("%s %s -> %s", g.ColourName(colour), g.SpotName(colour, was.Place, was.Passage), g.SpotName(colour, is.Place, is.Passage)))
		}
	}
	for _, v := range g.rules.Vars {
		if !g.outlasts(v) {
			continue
		}
		for owner := range g.owners(v.Scope) {
			values := g.getVar(p.m.State(), v, owner)
			if !slices.Equal(values, g.getVar(before.m.State(), v, owner)) {
				out = append(out, v.Name+p.ownerText(v.Scope, owner)+" "+p.valueText(v, values))
			}
		}
	}
	if now := p.Waiting(); !slices.Equal(now, before.Waiting()) {
		text := "earned"
		for _, n := range now {
			text += fmt.Sprintf(" %d", n)
		}
		if len(now) == 0 {
			text += " nothing"
		}
		out = append(out, text)
	}
	return out
}

// ownerText is " yellow" for a variable of yellow, "" for one of the game.
func (p *Position) ownerText(scope model.Scope, owner int) string {
	switch {
	case scope == model.ScopePiece:
		return " " + p.pieceName(owner)
	case scope.Owned():
		return " " + p.game.nameOf(scope.Owner(), owner)
	}
	return ""
}

// valueText is the value of a variable on one line.
func (p *Position) valueText(v *model.Var, values []int) string {
	x := p.writeValue(v, values)
	if s, ok := x.(string); ok {
		return s
	}
	if x == nil {
		return "nil"
	}
	data, err := json.Marshal(x)
	if err != nil { // numbers, flags and names always have a form
		return fmt.Sprint(x)
	}
	return strings.ReplaceAll(string(data), `"`, "")
}
