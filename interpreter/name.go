package interpreter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// OptionNames names the options of the choice at hand, as Names does.
func (p *Position) OptionNames() []string { return p.Names(p.Player(), p.Options()) }

// Names names options that stand, or stood, before a seat: each by a text of its own, which menus show, records keep and tests play.
// "12 -> 17"; "red 12 -> 17" where the player has several colours; "12/2 -> 17" where the piece is there for the second time;
// "12 -> 17 counting 5", "12 -> 17 by push" and "12 -> 17 by push(2)" where that tells options apart; "12#2 -> 17" for the second of
// pieces that differ; "ram(2)" for a move that displaces no piece, "stand 12" for one that sets none down; and what is picked at a
// question.
func (p *Position) Names(seat int, options []Option) []string {
	out := make([]string, len(options))
	for i := range options {
		out[i] = p.name(seat, &options[i], false)
	}
	tellApart(out, func(i int) string { return fmt.Sprintf(" counting %d", options[i].Steps) })
	for _, args := range []bool{false, true} {
		tellApart(out, func(i int) string { return p.byMove(seat, &options[i], args, out[i]) })
	}
	for _, w := range twice(out) {
		for i := range options {
			if o := &options[i]; out[i] == w {
				out[i] = p.name(seat, o, true) + strings.TrimPrefix(w, p.name(seat, o, false))
			}
		}
	}
	return out
}

// byMove is what the move of an option adds to its name, with the parameters beside its piece or without.
func (p *Position) byMove(seat int, o *Option, args bool, name string) string {
	if o.Move == None || o.Piece == None || o.To == None {
		return ""
	}
	by := " by " + p.game.rules.Moves[o.Move].Name
	if !args {
		return by
	}
	if len(p.game.rules.Moves[o.Move].Params) < 2 {
		return ""
	}
	if strings.HasSuffix(name, by) {
		by = ""
	}
	return by + p.arguments(seat, o, 1, false)
}

// tellApart adds something to texts that occur more than once, where it makes a difference.
func tellApart(words []string, more func(int) string) {
	groups := map[string][]int{}
	for i, w := range words {
		groups[w] = append(groups[w], i)
	}
	for _, g := range groups {
		texts := make([]string, len(g))
		differ := false
		for k, i := range g {
			texts[k] = more(i)
			differ = differ || texts[k] != texts[0]
		}
		for k, i := range g {
			if differ {
				words[i] += texts[k]
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

// name names an option without a look at the others, with the ordinals of its pieces or without.
func (p *Position) name(seat int, o *Option, ordinals bool) string {
	g := p.game
	if o.Move == None {
		if o.Piece != None {
			return g.ColourName(o.Colour) + " " + p.pieceText(o.Piece, ordinals)
		}
		return g.OptionText(*o)
	}
	m := g.rules.Moves[o.Move]
	first := 0
	if o.Piece != None {
		first = 1
	}
	switch {
	case o.To != None && o.Piece != None:
		return p.owner(seat, o.Piece) + p.pieceText(o.Piece, ordinals) + " -> " + g.SpotName(o.Colour, o.To, o.ToPassage)
	case len(m.Params) > first:
		return m.Name + p.arguments(seat, o, 0, ordinals)
	case o.Piece == None:
		return m.Name
	}
	return p.owner(seat, o.Piece) + m.Name + " " + p.pieceText(o.Piece, ordinals)
}

// owner is the colour of a piece with a blank behind it, "" where a seat has no other colour.
func (p *Position) owner(seat, piece int) string {
	g := p.game
	if c := p.ColourOf(piece); g.SeatOf(c) != seat || len(g.rules.Seats[seat].Colours) > 1 {
		return g.ColourName(c) + " "
	}
	return ""
}

// pieceText is where a piece stands, with its ordinal or without.
func (p *Position) pieceText(piece int, ordinal bool) string {
	at := p.where(piece)
	text := p.game.SpotName(p.ColourOf(piece), at.Place, at.Passage)
	if ordinal {
		text += "#" + strconv.Itoa(p.ordinal(piece))
	}
	return text
}

// arguments are the parameters of an option from one on, in brackets.
func (p *Position) arguments(seat int, o *Option, from int, ordinals bool) string {
	g := p.game
	params := g.rules.Moves[o.Move].Params
	var words []string
	for i := from; i < len(params); i++ {
		v := o.Params[i]
		if params[i].Type.Kind == model.Piece && v >= 0 {
			words = append(words, p.owner(seat, v)+p.pieceText(v, ordinals))
			continue
		}
		words = append(words, g.valueText(params[i].Type.Kind, v))
	}
	return "(" + strings.Join(words, ", ") + ")"
}

// valueText is a value in the words of menus: a piece by its colour.
func (g *Game) valueText(kind model.Kind, v int) string {
	switch {
	case kind == model.Number:
		return strconv.Itoa(v)
	case v < 0:
		return "none"
	}
	switch kind {
	case model.Flag:
		if v == 0 {
			return "no"
		}
		return "yes"
	case model.Piece:
		return g.ColourName(g.ColourOf(v))
	case model.Colour:
		return g.ColourName(v)
	case model.Player:
		return g.SeatName(v)
	case model.Team:
		return g.SeatName(g.rules.Teams[v][0])
	case model.Place:
		return g.PlaceName(v)
	}
	return strconv.Itoa(v)
}

// OptionText is an option without a look at the others or the position: "12 -> 17"; for a move that sets no piece down its name with its
// parameters, "swap(5, 9)"; for a pick what is picked: "yellow 22", "yellow", "22".
func (g *Game) OptionText(o Option) string {
	switch {
	case o.Word != "":
		return o.Word
	case o.Move == None && o.Piece != None:
		return g.ColourName(o.Colour) + " " + g.from(o)
	case o.Move == None && o.Colour != None:
		return g.ColourName(o.Colour)
	case o.Move == None && o.To != None:
		return g.PlaceName(o.To)
	case o.Move == None:
		return strconv.Itoa(o.Value)
	case o.From != None && o.To != None:
		return g.from(o) + " -> " + g.SpotName(o.Colour, o.To, o.ToPassage)
	}
	m := g.rules.Moves[o.Move]
	var words []string
	for i, param := range m.Params {
		switch {
		case i == 0 && o.From != None:
			words = append(words, g.from(o))
		case i == 1 && o.Other != None:
			words = append(words, g.PlaceName(o.OtherAt))
		default:
			words = append(words, g.valueText(param.Type.Kind, o.Params[i]))
		}
	}
	if len(words) == 0 {
		return m.Name
	}
	return m.Name + "(" + strings.Join(words, ", ") + ")"
}

// from is where the piece of an option stands.
func (g *Game) from(o Option) string { return g.SpotName(o.Colour, o.From, o.FromPassage) }

// OptionTexts lists options by OptionText: "nothing" where there is none.
func (g *Game) OptionTexts(options []Option) string {
	texts := make([]string, len(options))
	for i, o := range options {
		texts[i] = g.OptionText(o)
	}
	return listed(texts)
}

// listed lists texts: "nothing" where there is none.
func listed(texts []string) string {
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, ", ")
}

// asks reports whether the choice at hand is a question.
func (p *Position) asks() bool { return p.Kind() == Choice && p.m.Node == code.NodePick }
