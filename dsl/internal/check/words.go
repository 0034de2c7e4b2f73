package check

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// The codes of the language's words. Which words there are and what types they have is in the table of package syntax; a word of
// that table without a code stops the program when it starts, with its name.
var (
	cellCodes = map[string]model.Cell{
		"me": model.CellMe, "steps": model.CellSteps, "thrown": model.CellThrown, "earned": model.CellEarned, "heading": model.CellHeading,
		"usable": model.CellUsable, "remaining": model.CellRemaining, "here": model.CellHere,
	}
	valueSets  = map[string]model.Set{"hand": model.SetHand, "offered": model.SetOffered}
	fieldCodes = map[string]model.Field{
		"at": model.FieldAt, "from": model.FieldAt, "colour": model.FieldColour, "player": model.FieldPlayer, "team": model.FieldTeam, "index": model.FieldIndex,
		"seat": model.FieldSeat, "playing": model.FieldPlaying, "ranked": model.FieldRanked, "square": model.FieldSquare,
		"piece": model.FieldPiece, "to": model.FieldTo, "steps": model.FieldSteps, "won": model.FieldWon,
	}
	fieldSets = map[string]model.Set{
		"pieces": model.SetPiecesOf, "colours": model.SetColoursOf, "players": model.SetPlayersOf, "track": model.SetTrackOf,
	}
	gameCodes = map[string]model.Set{
		"players": model.SetPlayers, "teams": model.SetTeams, "colours": model.SetColours, "pieces": model.SetPieces, "squares": model.SetSquares,
	}
	eventCodes = map[string]model.EventKind{
		"leave": model.EventLeave, "depart": model.EventLeave, "step": model.EventStep, "pass": model.EventPass, "turned": model.EventTurned, "land": model.EventLand,
		"stuck": model.EventStuck, "drop": model.EventDrop, "rank": model.EventRank,
	}
)

// languageNames are the words that have a meaning in expressions, the walker apart, which is bound where it has one.
var languageNames = slices.DeleteFunc(slices.Concat(syntax.Texts(syntax.ValueWord), syntax.Texts(syntax.OperatorWord)),
	func(w string) bool { return w == walker })

// late reports whether a name of the file goes before a word that is a value.
func late(name string) bool {
	w, _ := syntax.FindWord(syntax.ValueWord, name)
	return w.Late
}

// valueTypes are the types of the words that are values.
var valueTypes = func() map[string]model.Type {
	out := map[string]model.Type{}
	for _, w := range syntax.Words(syntax.ValueWord) {
		if w.Type != "" {
			out[w.Text] = typeOf(w, w.Type)
		}
	}
	return out
}()

type fieldOf struct {
	kind model.Kind
	name string
}

// languageField is a field that the language gives to values of a kind: a set if its type is a list.
type languageField struct {
	field model.Field
	set   model.Set
	typed model.Type
	late  bool // a variable of the same name goes before it
}

// languageFields are the fields of values, gameFields those of "game" and "board", by their whole text.
var languageFields, gameFields = func() (map[fieldOf]languageField, map[string]languageField) {
	fields, game := map[fieldOf]languageField{}, map[string]languageField{}
	for _, w := range syntax.Words(syntax.FieldWord) {
		f := languageField{typed: typeOf(w, w.Type), late: w.Late}
		switch {
		case w.Of == "game" || w.Of == "board":
			f.set = codeOf(w, gameCodes)
			game[w.Of+"."+w.Text] = f
			continue
		case f.typed.List:
			f.set = codeOf(w, fieldSets)
		default:
			f.field = codeOf(w, fieldCodes)
		}
		fields[fieldOf{typeOf(w, w.Of).Kind, w.Text}] = f
	}
	return fields, game
}()

type eventShape struct {
	kind   model.EventKind
	params []model.Kind
	ends   bool // step(p) from a to b
}

// events are the events that bind what their parameters name. The others are moves, acts, throws and turns.
var events = func() map[string]eventShape {
	out := map[string]eventShape{}
	for _, w := range syntax.Words(syntax.EventWord) {
		if w.Text == "throw" || w.Text == "move" || strings.Contains(w.Text, " ") {
			continue
		}
		shape := eventShape{kind: codeOf(w, eventCodes), ends: strings.Contains(w.Form, " from ")}
		if w.Type != "" {
			for _, name := range strings.Split(w.Type, ", ") {
				shape.params = append(shape.params, typeOf(w, name).Kind)
			}
		}
		out[w.Text] = shape
	}
	return out
}()

func typeOf(w syntax.Word, name string) model.Type {
	t, ok := model.TypeNamed(name)
	if !ok {
		panic("the word " + w.Text + " has no type " + name)
	}
	return t
}

func codeOf[T any](w syntax.Word, codes map[string]T) T {
	code, ok := codes[w.Text]
	if !ok {
		panic("the word " + w.Text + " has no code")
	}
	return code
}
