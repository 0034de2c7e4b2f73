package door

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// wording is what a game's colours, places and moves are called in its language. In English they have their names, which are
// what people type.
type wording struct {
	*interpreter.Game
	*locale.Locale
}

func in(g *interpreter.Game) wording { return wording{g, locale.For(g.Rules().Lang)} }

// noun is a name with its forms.
type noun struct {
	text string
	form func(string) string
}

func (n noun) String() string { return n.text }

func (n noun) Form(name string) string { return cmp.Or(n.form(name), n.text) }

func plain(string) string { return "" }

func (w wording) colour(c int) noun {
	if w.Lang == "" || c < 0 || c >= len(w.Rules().Colours) {
		return noun{w.Game.ColourName(c), plain}
	}
	x := w.Rules().Board.Colours[w.Rules().Colours[c].Board]
	return noun{x.Words, x.Form}
}

func (w wording) place(at int) noun {
	if w.Lang == "" || at < 0 || at >= len(w.Rules().Board.Places) {
		return noun{w.Game.PlaceName(at), plain}
	}
	x := w.Rules().Board.Places[at]
	return noun{x.Words, x.Form}
}

// seat is what a player is called: by a colour.
func (w wording) seat(seat int) noun {
	if seat < 0 || seat >= w.Players() {
		return noun{"", plain}
	}
	return w.colour(w.Rules().Seats[seat].Colours[0])
}

// called is what the place or the colour of a name is called.
func (w wording) called(name string) noun {
	if at, ok := w.Rules().Board.Place(name); ok {
		return w.place(at)
	}
	if c := slices.Index(colourNames(w.Game), name); c >= 0 {
		return w.colour(c)
	}
	return noun{name, plain}
}

// named is the name of what is called by a word: of a colour, a place, a move or an answer.
func (w wording) named(word string) string {
	same := func(text string) bool { return w.Lang != "" && strings.EqualFold(text, word) }
	for c := range w.Rules().Colours {
		if same(w.colour(c).text) || same(w.colour(c).Form("f")) {
			return w.Game.ColourName(c)
		}
	}
	for at := range w.Rules().Board.Places {
		if same(w.place(at).text) {
			return w.Game.PlaceName(at)
		}
	}
	for i := range w.Rules().Moves {
		if same(w.MoveName(i)) {
			return w.Rules().Moves[i].Name
		}
	}
	return cmp.Or(seq.First(answers, func(answer string) bool { return same(w.Answer(answer)) }), word)
}

// answers are the candidates of questions that are words.
var answers = []string{"yes", "no", "none"}

func (w wording) ColourName(c int) string { return w.colour(c).text }

func (w wording) PieceName(c int) string { return w.Say("option.piece", "colour", w.colour(c)) }

func (w wording) PlaceName(at int) string { return w.place(at).text }

func (w wording) MoveName(m int) string {
	if w.Lang == "" {
		return w.Rules().Moves[m].Name
	}
	return w.Rules().Moves[m].Words
}

func (w wording) VarName(v *model.Var) string {
	if w.Lang == "" {
		return strings.ReplaceAll(v.Name, "_", " ")
	}
	return v.Words
}

func (w wording) Owned(owner, name string) string {
	return w.Say("value.owned", "owner", owner, "name", name)
}

func (w wording) OfPiece(piece, name string) string {
	return w.Say("value.of_piece", "piece", piece, "name", name)
}

func (w wording) Answer(word string) string {
	if slices.Contains(answers, word) {
		return w.Say("answer." + word)
	}
	return word
}

func (w wording) Counting(option string, steps int) string {
	return w.Say("option.counting", "option", option, "steps", steps)
}

func (w wording) By(option, move string) string {
	return w.Say("option.by", "option", option, "move", move)
}

// thrown prints the numbers of a throw or of a choice instead: "5 and 3". Of several devices it names those that are not the first ones
// in the turn: "bonus 5".
func (w wording) thrown(e record.Event) string {
	usual := w.usual(e)
	return w.List(seq.Map(e.Numbers, func(n record.Number) string {
		text := strconv.Itoa(n.Value)
		for _, d := range w.Rules().Dice {
			if d.Name == n.Die && !usual {
				text = w.Say("event.of_die", "die", cmp.Or(d.Words, strings.ReplaceAll(d.Name, "_", " ")), "number", n.Value)
			}
		}
		return text
	}))
}

// usual reports whether the devices of a throw are the first ones in the turn, or the only ones: of those that are thrown, or of those of
// which a number is chosen.
func (w wording) usual(e record.Event) bool {
	is := func(name string) bool {
		return slices.ContainsFunc(e.Numbers, func(n record.Number) bool { return n.Die == name })
	}
	dice := w.Dice()
	chosen := slices.ContainsFunc(dice, func(d interpreter.Die) bool { return d.Chosen && is(d.Name) })
	for s := range w.Rules().Turn.All() {
		if s.Kind == model.StmtThrow && dice[s.Dice[0].Index].Chosen == chosen {
			return len(s.Dice) == len(e.Numbers) && !slices.ContainsFunc(s.Dice, func(d *model.Die) bool { return !is(d.Name) })
		}
	}
	return !slices.ContainsFunc(dice, func(d interpreter.Die) bool { return d.Chosen == chosen && !is(d.Name) })
}

// computer is what players call a bot: by its name, if there is a word for it.
func (w wording) computer(name string) string {
	if key := "computer." + name; w.Say(key) != key {
		return w.Say(key)
	}
	return name
}

// ColourText is what a colour of a game is called.
func ColourText(g *interpreter.Game, colour int) string { return in(g).ColourName(colour) }

// Painted is a line with what colours are called, in the language of the game, in the ANSI colours of their pieces.
func Painted(g *interpreter.Game, line string) string {
	b, w := g.Rules().Board, in(g)
	return EachWord(line, func(word string) string {
		if c := b.Colour(w.named(word)); c != boards.None {
			return boards.PieceText(b, c, word)
		}
		return word
	})
}

// counts reports whether the name of an option says what it counts.
func (w wording) counts(option string, steps int) bool {
	return strings.Contains(option, strings.TrimSpace(w.Counting("", steps)))
}
