package record

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/interpreter"
)

// Words names the options of the choice at hand, see interpreter.Position.Names.
func Words(p *interpreter.Position) []string { return p.OptionNames() }

// What earlier versions of the program did not write into the names of options: the parameters of moves, and before that which of
// several pieces it is.
var (
	parameters = pattern.Of(`\(.*\)`)
	ordinals   = pattern.Of(`#[0-9]+`)
)

// older names the options of the choice at hand as earlier versions of the program did.
func older(p *interpreter.Position) [][]string {
	words := p.EarlierNames()
	out := [][]string{slices.Clone(words)}
	for i, o := range p.Options() {
		if o.Move == interpreter.None && o.Piece == interpreter.None && o.Colour == interpreter.None && o.To == interpreter.None {
			words[i] = strconv.Itoa(o.Value)
		}
	}
	for _, x := range []*regexp.Regexp{parameters(), ordinals()} {
		for i, w := range words {
			words[i] = x.ReplaceAllString(w, "")
		}
		out = append(out, numbered(words))
	}
	return out
}

// numbered is texts with a number behind each that has come before: "rest (2)".
func numbered(texts []string) []string {
	seen := map[string]int{}
	out := slices.Clone(texts)
	for i, w := range texts {
		if seen[w]++; seen[w] > 1 {
			out[i] = fmt.Sprintf("%s (%d)", w, seen[w])
		}
	}
	return out
}
