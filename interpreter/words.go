package interpreter

import (
	"fmt"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// RuleText quotes the rule of a clause: its text, its name and the clause ids it cites.
func RuleText(x *model.Clause) string { return x.Rule.Words + codes(x) }

// codes is the name of a clause's rule and the ids it cites.
func codes(x *model.Clause) string {
	cites := x.Cites
	if len(cites) == 0 {
		cites = x.Rule.Cites
	}
	return fmt.Sprintf(" (%s)", strings.Join(append([]string{x.Rule.Name}, cites...), ", "))
}

// ReasonText says why a clause refuses a move, with its rule and citations. A nil clause means the end of the track.
func ReasonText(x *model.Clause) string {
	if x == nil {
		return ReasonWords(x)
	}
	return ReasonWords(x) + codes(x)
}

// ReasonWords is the same as text only.
func ReasonWords(x *model.Clause) string {
	switch {
	case x == nil:
		return "the track ends there"
	case x.Kind == model.ClauseMay:
		return "not now: " + x.Rule.Words
	case x.Kind == model.ClauseMust:
		return "something else must be done: " + x.Rule.Words
	}
	return x.Rule.Words
}

// RefusedText names a move that is not offered, for people: "red 1 → 4".
func (g *Game) RefusedText(o Option) string { return g.Refused(names{g}, o) }

// Refused is RefusedText in other words.
func (g *Game) Refused(w Wording, o Option) string {
	n := namer{g, nil, w, false}
	switch {
	case o.Word != "" || o.Move == None || o.Piece == None || g.rules.Moves[o.Move].Kind == model.MoveNothing:
		return n.optionText(o)
	case o.To == None:
		return fmt.Sprintf("%s %s, %s", w.PieceName(o.Colour), n.from(o), w.MoveName(o.Move))
	}
	return fmt.Sprintf("%s %s → %s", w.PieceName(o.Colour), n.from(o), n.spot(o.Colour, o.To, o.ToPassage))
}

// RefusalRemarks explains why moves are not offered: a remark for every clause that refuses one, with its place.
func (g *Game) RefusalRemarks(refusals []Refusal) []Remark {
	var out []Remark
	for _, r := range refusals {
		for _, x := range r.Reasons {
			at := source.Span{}
			if x != nil {
				at = x.Span
			}
			out = append(out, Remark{at, g.RefusedText(r.Option) + ": " + ReasonText(x)})
		}
		if r.Fewer {
			out = append(out, Remark{source.Span{}, g.RefusedText(r.Option) + ": " + FewerText})
		}
	}
	return seq.Distinct(out)
}

// FewerText is the reason for refusing a move that lets fewer numbers be used.
const FewerText = "with another move more of the numbers can be used"
