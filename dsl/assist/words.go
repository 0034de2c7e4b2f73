package assist

import "github.com/rulerun/rulerun/dsl/model"

// Meaning is a word of the language with what the reference says of it.
type Meaning struct {
	Word string
	Form string // how it is written, where that is more than the word
	Text string
}

// valueWords are the words expressions are made of.
var valueWords = []Meaning{
	{"me", "", "the player in turn"},
	{"hand", "", "the colours in hand"},
	{"mine", "", "the pieces that may be moved"},
	{"steps", "", "the number being counted, or the option's own where `by` gave one; negative is backwards"},
	{"thrown", "", "whether the turn plays that number"},
	{"earned", "", "it comes from the queue"},
	{"heading", "", "1 or -1, the direction of this move's last step"},
	{"remaining", "", "in step and end clauses: the steps left after this one"},
	{"p", "", "in step and end clauses: the walker"},
	{"usable", "", "in `play most of`: how many numbers can be used"},
	{"offered", "", "in `before` clauses of moves: the legal options of this decision"},
	{"players", "", "the number of players, a constant"},
	{"nil", "", "nobody or nowhere"},
	{"true", "", "flags"},
	{"false", "", "flags"},
	{"game", "", "`game.players game.teams game.colours game.pieces board.squares`"},
	{"board", "", "`game.players game.teams game.colours game.pieces board.squares`"},
}

// functions are the functions of the language.
var functions = []Meaning{
	{"all", "all(L, C)", "whether the condition holds for all"},
	{"any", "any(L, C)", "whether the condition holds for some"},
	{"none", "none(L, C)", "whether the condition holds for none"},
	{"count", "count(L, C)", "for how many; `count(L)` counts a list of flags"},
	{"filter", "filter(L, C)", "those for which it holds"},
	{"find", "find(L, C)", "the first of them or nil"},
	{"map", "map(L, E)", "the value for each"},
	{"sortBy", "sortBy(L, E)", "the list by it, smallest first, equals as they were"},
	{"sum", "sum(L, E)", "the sum"},
	{"len", "len(L)", "how many"},
	{"first", "first(L)", "the first, nil of an empty list"},
	{"last", "last(L)", "the last, nil of an empty list"},
	{"min", "min(…)", "the smallest of numbers, or of a list of numbers"},
	{"max", "max(…)", "the largest of numbers, or of a list of numbers"},
	{"abs", "abs(n)", "the number without its sign"},
	{"int", "int(n)", "the whole number, the rest cut off"},
	{"square", `square("NAME")`, "the place of that name"},
	{"after", "after(x)", "the players (or colours) still in the game, in turn order from the one after x on, x left out"},
	{"next", "next(x)", "the first of the players (or colours) after x still in the game"},
}

// events are what reactions wait for.
var events = []Meaning{
	{"throw", "throw(DICE)", "dice have been thrown, or those dice"},
	{"leave", "leave(p, s)", "a piece goes away from a square, in whatever way"},
	{"step", "step(p) from a to b", "a walk takes a step"},
	{"pass", "pass(p, s)", "a walk goes over a square without ending there"},
	{"turned", "turned(p, s)", "a walk turns round before s (nil at the end of the track)"},
	{"land", "land(p, s)", "a move sets its piece down; not for `put` and `send`"},
	{"move", "move(p)", "any move of a piece has been carried out"},
	{"stuck", "", "a number cannot be counted"},
	{"turn begins", "", "a turn begins"},
	{"turn ends", "", "a turn ends"},
	{"drop", "drop(x)", "a player is out"},
	{"rank", "rank(x)", "a player takes a place"},
}

// types are the words for types.
var types = []Meaning{
	{"number", "", "a whole number; a range such as `0..9` narrows it"},
	{"flag", "", "true or false"},
	{"piece", "", "a piece, or nil"},
	{"place", "", "a square or a zone, or nil"},
	{"colour", "", "a set of pieces, or nil"},
	{"player", "", "who decides, or nil"},
	{"team", "", "players who win together, or nil"},
}

// scopes are what a variable can belong to.
var scopes = []Meaning{
	{"game", "", "begins anew: never"},
	{"team", "", "of each team"},
	{"player", "", "of each player"},
	{"colour", "", "of each colour"},
	{"piece", "", "of each piece"},
	{"turn", "", "begins anew when a turn begins (not by `again`)"},
	{"go", "", "begins anew whenever the procedure of the turn begins"},
}

// verdicts are what a step or end clause can say.
var verdicts = []Meaning{
	{"go", "", "walk on"},
	{"bar", "", "no such walk"},
	{"stop", "", "the walk ends before this step"},
	{"turn", "", "turn round; the step is not spent"},
}

// fieldKey is a field of a kind of value.
type fieldKey struct {
	of   model.Kind
	name string
}

// fields are the fields the language gives to values.
var fields = map[fieldKey]string{
	{model.Place, "pieces"}:    "the pieces that stand there, oldest arrival first",
	{model.Place, "square"}:    "whether it is a square, not a zone",
	{model.Piece, "at"}:        "where it stands; of the walker in the hand, where it came from",
	{model.Piece, "colour"}:    "its colour",
	{model.Piece, "player"}:    "whose it is",
	{model.Piece, "team"}:      "its side",
	{model.Piece, "index"}:     "on its track, -1 off it",
	{model.Colour, "pieces"}:   "its pieces",
	{model.Colour, "player"}:   "who holds it",
	{model.Colour, "team"}:     "its side",
	{model.Colour, "seat"}:     "the number of its player, from 0",
	{model.Colour, "track"}:    "its places",
	{model.Player, "pieces"}:   "the pieces of the player's colours",
	{model.Player, "colours"}:  "the player's colours",
	{model.Player, "team"}:     "the player's side",
	{model.Player, "playing"}:  "neither ranked nor dropped",
	{model.Player, "ranked"}:   "whether the player has a place",
	{model.Team, "pieces"}:     "the pieces of the team's colours",
	{model.Team, "colours"}:    "the team's colours",
	{model.Team, "players"}:    "the players of the team",
	{model.Offer, "piece"}:     "the piece it moves",
	{model.Offer, "to"}:        "the place it ends on",
	{model.Offer, "steps"}:     "the number it counts",
	{model.Invalid, "players"}: "every player",
	{model.Invalid, "teams"}:   "every team",
	{model.Invalid, "colours"}: "every colour in the game",
	{model.Invalid, "pieces"}:  "every piece",
	{model.Invalid, "squares"}: "every square of the board",
}

// meaningOf finds a word in a table.
func meaningOf(table []Meaning, word string) (Meaning, bool) {
	for _, m := range table {
		if m.Word == word {
			return m, true
		}
	}
	return Meaning{}, false
}
