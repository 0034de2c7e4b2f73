package record

import (
	"fmt"
	"strconv"

	"github.com/rulerun/rulerun/interpreter"
)

// Words names the options of the choice at hand, each by a text of its own: "12 -> 17", "red 12 -> 17" where the
// player has several colours, "12 -> 17 counting 5" where that tells options apart, the name of a move that moves no
// piece, and what is picked at a pick.
func Words(p *interpreter.Position) []string {
	return Name(p, p.Player(), p.Options())
}

// Name names options that stand, or stood, before a seat.
func Name(p *interpreter.Position, seat int, options []interpreter.Option) []string {
	g := p.Game()
	out := make([]string, len(options))
	for i := range options {
		out[i] = plain(p, seat, &options[i])
	}
	tellApart(out, func(i int) string { return fmt.Sprintf(" counting %d", options[i].Steps) })
	tellApart(out, func(i int) string {
		if m := options[i].Move; m != interpreter.None {
			return " by " + g.Rules().Moves[m].Name
		}
		return ""
	})
	seen := map[string]int{}
	for i, w := range out {
		seen[w]++
		if n := seen[w]; n > 1 {
			out[i] = fmt.Sprintf("%s (%d)", w, n)
		}
	}
	return out
}

// tellApart adds something to texts that occur more than once, where it makes a difference.
func tellApart(words []string, more func(int) string) {
	groups := map[string][]int{}
	for i, w := range words {
		groups[w] = append(groups[w], i)
	}
	for _, g := range groups {
		differ := false
		for _, i := range g {
			differ = differ || more(i) != more(g[0])
		}
		for _, i := range g {
			if differ {
				words[i] += more(i)
			}
		}
	}
}

// plain names an option without a look at the others.
func plain(p *interpreter.Position, seat int, o *interpreter.Option) string {
	g := p.Game()
	colour := ""
	if o.Colour != interpreter.None && (g.SeatOf(o.Colour) != seat || len(g.Rules().Seats[seat].Colours) > 1) {
		colour = g.ColourName(o.Colour) + " "
	}
	switch {
	case o.Move == interpreter.None:
		return picked(g, o)
	case o.Piece == interpreter.None:
		return g.Rules().Moves[o.Move].Name
	case o.To == interpreter.None:
		return fmt.Sprintf("%s%s %s", colour, g.Rules().Moves[o.Move].Name, g.PlaceName(o.From))
	}
	return fmt.Sprintf("%s%s -> %s", colour, g.PlaceName(o.From), g.PlaceName(o.To))
}

func picked(g *interpreter.Game, o *interpreter.Option) string {
	switch {
	case o.Piece != interpreter.None:
		return fmt.Sprintf("%s %s", g.ColourName(o.Colour), g.PlaceName(o.From))
	case o.Colour != interpreter.None:
		return g.ColourName(o.Colour)
	case o.To != interpreter.None:
		return g.PlaceName(o.To)
	case o.Value == interpreter.None:
		return "none"
	}
	return strconv.Itoa(o.Value)
}
