package interpreter

import (
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// OptionNames names the options of the choice at hand, as Names does.
func (p *Position) OptionNames() []string { return p.Names(p.Player(), p.Options()) }

// Names names options that stand, or stood, before a seat: each by a text of its own, which menus show, records keep and tests play.
// "12 -> 17"; "red 12 -> 17" where the player has several colours; "12/2 -> 17" where the piece is there for the second time;
// "12 -> 17 counting 5", "12 -> 17 by push" and "12 -> 17 by push(2)" where that tells options apart; "12#2 -> 17" for the second of
// pieces that differ; "ram(2)", "swap(12, red 17)" for a move that displaces no piece; and what is picked at a question.
func (p *Position) Names(seat int, options []Option) []string {
	return p.Worded(names{p.game}, seat, options)
}

// EarlierNames is OptionNames as records of version 0.1 have it: also a move that displaces nothing is named by its piece, "12 -> 12".
func (p *Position) EarlierNames() []string {
	return namer{p.game, p, names{p.game}, true}.names(p.Player(), p.Options())
}

// WholeNames are names of the options with all that can tell them apart, by the places of a piece and as a call:
// "yellow 12 -> 17 counting 5 by push(2)" and "push(12, 2)".
func (p *Position) WholeNames() (places, calls []string) {
	n := namer{p.game, p, names{p.game}, true}
	for _, o := range p.Options() {
		name := n.name(p.Player(), &o, false)
		call := name
		if n.arrow(&o) {
			call = n.call(p.Player(), &o, false)
			name = n.w.PieceName(o.Colour) + " " + n.byMove(&o, n.w.Counting(name, o.Steps)) + n.arguments(p.Player(), &o, 1, false)
		}
		places, calls = append(places, name), append(calls, call)
	}
	return places, calls
}

// Worded is Names in other words.
func (p *Position) Worded(w Wording, seat int, options []Option) []string {
	return namer{p.game, p, w, false}.names(seat, options)
}

// names adds to the names of options what tells apart those that read the same, in this order: what they count, their moves, the
// parameters beside the piece, which of several pieces moves, and which of several pieces a parameter is.
func (n namer) names(seat int, options []Option) []string {
	more := make([]additions, len(options))
	out := seq.Of(len(options), func(i int) string { return n.told(seat, &options[i], more[i]) })
	for _, a := range []additions{{counting: true}, {by: true}, {by: true, arguments: true}, {ordinal: true}, {by: true, arguments: true, ordinals: true}} {
		for _, group := range seq.Group(seq.Of(len(out), func(i int) int { return i }), func(i int) string { return out[i] }) {
			if len(group) == 1 {
				continue
			}
			with := func(k int) additions { return more[group[k]].and(a) }
			texts := seq.Of(len(group), func(k int) string { return n.told(seat, &options[group[k]], with(k)) })
			if len(seq.Distinct(texts)) == 1 {
				continue
			}
			for k, i := range group {
				out[i], more[i] = texts[k], with(k)
			}
		}
	}
	return out
}

// additions are what the name of an option says beside its shortest form.
type additions struct {
	counting, by, arguments bool
	ordinal                 bool // of the piece, and of all pieces of a call
	ordinals                bool // of the pieces among the parameters
}

func (a additions) and(b additions) additions {
	return additions{a.counting || b.counting, a.by || b.by, a.arguments || b.arguments, a.ordinal || b.ordinal, a.ordinals || b.ordinals}
}

// told is the name of an option with additions.
func (n namer) told(seat int, o *Option, a additions) string {
	name := n.name(seat, o, a.ordinal)
	if a.counting {
		name = n.w.Counting(name, o.Steps)
	}
	if a.by {
		name = n.byMove(o, name)
	}
	if a.arguments && n.arrow(o) && len(n.g.rules.Moves[o.Move].Params) > 1 {
		name += n.arguments(seat, o, 1, a.ordinals)
	}
	return name
}

// Wording says what options are called in menus.
type Wording interface {
	ColourName(colour int) string
	// PieceName is what a piece of a colour is called.
	PieceName(colour int) string
	PlaceName(place int) string
	MoveName(move int) string
	// Answer is the text of "none", "yes" or "no".
	Answer(word string) string
	// Counting and By add to the name of an option what it counts, and its move.
	Counting(option string, steps int) string
	By(option, move string) string
	VarName(v *model.Var) string
	// Owned names a variable of an owner: "yellow's reserve".
	Owned(owner, name string) string
	// OfPiece names a variable of a piece: "yellow 12 must leave".
	OfPiece(piece, name string) string
}

// names is the wording of records and tests.
type names struct{ *Game }

func (n names) PieceName(colour int) string { return n.ColourName(colour) }

func (n names) MoveName(move int) string { return n.rules.Moves[move].Name }

func (n names) VarName(v *model.Var) string { return strings.ReplaceAll(v.Name, "_", " ") }

func (n names) Owned(owner, name string) string { return owner + "'s " + name }

func (n names) OfPiece(piece, name string) string { return piece + " " + name }

func (n names) Answer(word string) string { return word }

func (n names) Counting(option string, steps int) string {
	return option + " counting " + strconv.Itoa(steps)
}

func (n names) By(option, move string) string { return option + " by " + move }

// namer names options. The position is nil where none is looked at.
type namer struct {
	g      *Game
	p      *Position
	w      Wording
	places bool // name every move of a piece by places, also one that displaces nothing
}

// arrow reports whether an option is named by the places of its piece.
func (n namer) arrow(o *Option) bool {
	return o.Move != None && o.Piece != None && o.To != None && (n.places || n.g.rules.Moves[o.Move].Kind != model.MoveNothing)
}

// byMove is a name with the move of its option.
func (n namer) byMove(o *Option, name string) string {
	if !n.arrow(o) {
		return name
	}
	return n.w.By(name, n.w.MoveName(o.Move))
}

// name names an option without a look at the others, with the ordinals of its pieces or without.
func (n namer) name(seat int, o *Option, ordinals bool) string {
	if o.Move == None {
		if o.Piece != None {
			return n.w.PieceName(o.Colour) + " " + n.pieceText(o.Piece, ordinals)
		}
		return n.optionText(*o)
	}
	if n.arrow(o) {
		return n.owner(seat, o.Colour) + n.pieceText(o.Piece, ordinals) + " -> " + n.spot(o.Colour, o.To, o.ToPassage)
	}
	return n.call(seat, o, ordinals)
}

// call is a move with its parameters: "pass", "swap(12, red 17)".
func (n namer) call(seat int, o *Option, ordinals bool) string {
	called := n.w.MoveName(o.Move)
	if len(n.g.rules.Moves[o.Move].Params) == 0 {
		return called
	}
	return called + n.arguments(seat, o, 0, ordinals)
}

// owner is a colour of pieces with a blank behind it, "" where a seat has no other colour.
func (n namer) owner(seat, c int) string {
	if n.g.SeatOf(c) != seat || len(n.g.rules.Seats[seat].Colours) > 1 {
		return n.w.PieceName(c) + " "
	}
	return ""
}

// pieceText is where a piece stands, with its ordinal or without.
func (n namer) pieceText(piece int, ordinal bool) string {
	at := n.p.where(piece)
	text := n.spot(n.p.ColourOf(piece), at.Place, at.Passage)
	if ordinal {
		text += "#" + strconv.Itoa(n.p.ordinal(piece))
	}
	return text
}

// arguments are the parameters of an option from one on, in brackets.
func (n namer) arguments(seat int, o *Option, from int, ordinals bool) string {
	params := n.g.rules.Moves[o.Move].Params
	var words []string
	for i := from; i < len(params); i++ {
		v := o.Params[i]
		piece := params[i].Type.Kind == model.Piece && v >= 0
		switch {
		case piece && n.p != nil:
			words = append(words, n.owner(seat, n.p.ColourOf(v))+n.pieceText(v, ordinals))
		case i == 0 && o.Piece != None:
			words = append(words, n.owner(seat, o.Colour)+n.from(*o))
		case i == 1 && o.Other != None:
			words = append(words, n.owner(seat, o.OtherColour)+n.w.PlaceName(o.OtherAt))
		default:
			words = append(words, n.valueText(params[i].Type.Kind, v))
		}
	}
	return "(" + strings.Join(words, ", ") + ")"
}

func (n namer) valueText(kind model.Kind, v int) string {
	switch {
	case kind == model.Number:
		return strconv.Itoa(v)
	case v < 0:
		return n.w.Answer("none")
	}
	switch kind {
	case model.Flag:
		if v == 0 {
			return n.w.Answer("no")
		}
		return n.w.Answer("yes")
	case model.Piece:
		return n.w.PieceName(n.g.ColourOf(v))
	case model.Colour:
		return n.w.ColourName(v)
	case model.Player:
		return n.w.ColourName(n.g.rules.Seats[v].Colours[0])
	case model.Team:
		return n.w.ColourName(n.g.rules.Seats[n.g.rules.Teams[v][0]].Colours[0])
	case model.Place:
		return n.w.PlaceName(v)
	}
	return strconv.Itoa(v)
}

// OptionText is an option without a look at the others or the position: "12 -> 17"; for a move that sets no piece down its name with its
// parameters, "swap(5, red 9)"; for a pick what is picked: "yellow 22", "yellow", "22".
func (g *Game) OptionText(o Option) string { return namer{g, nil, names{g}, false}.optionText(o) }

func (n namer) optionText(o Option) string {
	switch {
	case o.Word != "":
		return n.w.Answer(o.Word)
	case o.Move == None && o.Piece != None:
		return n.w.PieceName(o.Colour) + " " + n.from(o)
	case o.Move == None && o.Colour != None:
		return n.w.ColourName(o.Colour)
	case o.Move == None && o.To != None:
		return n.w.PlaceName(o.To)
	case o.Move == None:
		return strconv.Itoa(o.Value)
	case n.arrow(&o):
		return n.from(o) + " -> " + n.spot(o.Colour, o.To, o.ToPassage)
	}
	return n.call(n.g.SeatOf(o.Colour), &o, false)
}

func (n namer) spot(colour, place, passage int) string {
	return n.g.spot(n.w.PlaceName(place), colour, passage)
}

// from is where the piece of an option stands.
func (n namer) from(o Option) string { return n.spot(o.Colour, o.From, o.FromPassage) }

// OptionTexts lists options by OptionText: "nothing" where there is none.
func (g *Game) OptionTexts(options []Option) string {
	return listed(seq.Map(options, g.OptionText))
}

// listed lists texts: "nothing" where there is none.
func listed(texts []string) string {
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, ", ")
}
