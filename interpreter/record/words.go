package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/interpreter"
)

// Words names the options of the choice at hand, each by a text of its own: "12 -> 17", "red 12 -> 17" where the
// player has several colours, "12/2 -> 17" where the piece is there for the second time, "12 -> 17 counting 5" where that
// tells options apart, "12#2 -> 17" for the second of pieces that differ, the name of a move that moves no piece, and what
// is picked at a pick.
func Words(p *interpreter.Position) []string {
	return Name(p, p.Player(), p.Options())
}

// Name names options that stand, or stood, before a seat.
func Name(p *interpreter.Position, seat int, options []interpreter.Option) []string {
	return name(p, seat, options, true)
}

// name names options. Records of earlier versions of the program did not tell pieces that differ by their ordinals.
func name(p *interpreter.Position, seat int, options []interpreter.Option, ordinals bool) []string {
	g := p.Game()
	out := make([]string, len(options))
	for i := range options {
		out[i] = plain(p, seat, &options[i], "")
	}
	tellApart(out, func(i int) string { return fmt.Sprintf(" counting %d", options[i].Steps) })
	tellApart(out, func(i int) string {
		if m := options[i].Move; m != interpreter.None {
			return " by " + g.Rules().Moves[m].Name
		}
		return ""
	})
	if ordinals {
		for _, w := range twice(out) {
			for i := range options {
				if o := &options[i]; out[i] == w && o.Piece != interpreter.None {
					with := plain(p, seat, o, "#"+strconv.Itoa(p.Ordinal(o.Piece)))
					out[i] = with + strings.TrimPrefix(w, plain(p, seat, o, ""))
				}
			}
		}
	}
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

// twice are the texts that occur more than once.
func twice(words []string) []string {
	var out []string
	for i, w := range words {
		if slices.Contains(words[:i], w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// plain names an option without a look at the others. ordinal says which of the pieces there it is.
func plain(p *interpreter.Position, seat int, o *interpreter.Option, ordinal string) string {
	g := p.Game()
	from := g.SpotName(o.Colour, o.From, o.FromPassage) + ordinal
	colour := ""
	if o.Colour != interpreter.None && (g.SeatOf(o.Colour) != seat || len(g.Rules().Seats[seat].Colours) > 1) {
		colour = g.ColourName(o.Colour) + " "
	}
	switch {
	case o.Move == interpreter.None:
		return picked(g, o, from)
	case o.Piece == interpreter.None:
		return g.Rules().Moves[o.Move].Name
	case o.To == interpreter.None:
		return fmt.Sprintf("%s%s %s", colour, g.Rules().Moves[o.Move].Name, from)
	}
	return fmt.Sprintf("%s%s -> %s", colour, from, g.SpotName(o.Colour, o.To, o.ToPassage))
}

func picked(g *interpreter.Game, o *interpreter.Option, from string) string {
	switch {
	case o.Piece != interpreter.None:
		return fmt.Sprintf("%s %s", g.ColourName(o.Colour), from)
	case o.Colour != interpreter.None:
		return g.ColourName(o.Colour)
	case o.To != interpreter.None:
		return g.PlaceName(o.To)
	case o.Value == interpreter.None:
		return "none"
	}
	return strconv.Itoa(o.Value)
}
