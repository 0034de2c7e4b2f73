package check

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
)

// remedy says how to turn e into a value of type t, "" if there is no usual way. of is the replacement text, "" if
// the author has to choose.
func remedy(e *model.Expr, t model.Type) (words, of string) {
	text := e.Span.Text()
	field := func(name, is string) (string, string) {
		of := text + "." + name
		return fmt.Sprintf("%s is %s", short(of), is), of
	}
	from, to := e.Type, t
	switch {
	case from.Kind == model.Fraction && to == model.Of(model.Number):
		return "numbers are whole: write int(" + short(text) + ")", "int(" + text + ")"
	case from.List && to == model.Of(model.Number):
		return fmt.Sprintf("len(%s) is how many there are", short(text)), "len(" + text + ")"
	case from.List && to == model.Of(model.Flag):
		return fmt.Sprintf("len(%s) > 0 asks whether there is one, any(%s, CONDITION) whether one is like this", short(text), short(text)), ""
	case from.List && to == from.Elem():
		return fmt.Sprintf("first(%s) is one of them", short(text)), ""
	case from.List || to.List:
		return "", ""
	case from.Kind == model.Place && to.Kind == model.Colour && e.Op == model.OpField && e.Field == model.FieldAt && e.Args[0].Type.Kind == model.Piece:
		text = e.Args[0].Span.Text()
		return field("colour", "the colour of the piece")
	case from.Kind == model.Piece && to.Kind == model.Place:
		return field("at", "where it stands")
	case from.Kind == model.Piece && to.Kind == model.Colour:
		return field("colour", "its colour")
	case from.Kind == model.Player && to.Kind == model.Colour:
		return fmt.Sprintf("a player may have several colours: first(%s.colours) is one of them", short(text)), "first(" + text + ".colours)"
	case (from.Kind == model.Piece || from.Kind == model.Colour) && to.Kind == model.Player:
		return field("player", "whose it is")
	case from.Kind.Ref() && to.Kind == model.Team && from.Kind != model.Place:
		return field("team", "the team")
	case from.Kind == model.Number && to.Kind == model.Place:
		if _, err := strconv.Atoi(text); err == nil {
			return fmt.Sprintf("a square is written square(%q)", text), fmt.Sprintf("square(%q)", text)
		}
		return "the place at an index of a track is " + trackOf(e) + ".track[" + short(text) + "]", ""
	case from.Kind == model.Word && to.Kind == model.Place:
		return fmt.Sprintf("a square is written square(%s)", short(text)), "square(" + text + ")"
	case from.Kind == model.Word && to.Kind == model.Number:
		if n := strings.Trim(text, "\""); strings.Trim(n, "0123456789") == "" {
			return "a number is written without quotes: " + n, n
		}
	case from.Kind == model.Word && (to.Kind == model.Colour || to.Kind == model.Player):
		name := strings.Trim(text, "\"")
		return "a colour is written without quotes: " + name, name
	case from.Kind == model.Number && to.Kind == model.Flag && (text == "0" || text == "1"):
		return "a flag is true or false, and needs no comparison: it stands alone, or with ! before it", ""
	case from.Kind == model.Number && to.Kind == model.Flag:
		return "a flag is what a comparison gives, such as " + short(text) + " > 0", ""
	}
	return "", ""
}

// trackOf names the colour of the piece whose index an expression asks for, or a colour.
func trackOf(e *model.Expr) string {
	for a := range e.All() {
		if a.Op == model.OpField && a.Field == model.FieldIndex && a.Args[0].Op == model.OpLocal {
			return a.Args[0].Local.Name + ".colour"
		}
	}
	return "COLOUR"
}

// addRemedy adds the remedy of a type mismatch to a diagnostic, and reports whether there is one.
func addRemedy(d diag.Ref, e *model.Expr, t model.Type) bool {
	words, of := remedy(e, t)
	if words == "" {
		return false
	}
	d.WithHint("%s", words)
	if of != "" {
		d.WithFix(e.Span, of, "write %s", short(of))
	}
	return true
}
