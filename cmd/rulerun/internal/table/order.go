package table

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// orderWords are the words people may type besides what they choose.
func orderWords() []string {
	return []string{"help", "why", "undo", "save", "resume", "board", "rules", "quit"}
}

// maxTyped is the longest line that is looked at.
const maxTyped = 4096

// order carries out a line if it is an order. done says that the question need not be asked again.
func (t *Table) order(line string) (r reply, done bool, err error) {
	if len(line) > maxTyped {
		t.Screen.Say("That is too long.")
		return reply{}, false, nil
	}
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(word, "?") {
		word, rest = "why", strings.TrimSpace(line[1:])
	}
	switch strings.ToLower(word) {
	case "help", "h":
		t.Screen.Say(helpLines()...)
	case "why":
		t.Screen.Say(t.why(rest)...)
	case "board", "b":
		fmt.Fprint(t.Screen.Out, t.Screen.Board(t.pos, nil)+t.Screen.Counts(t.pos))
	case "rules":
		t.Screen.Say(t.ruleLines()...)
	case "save":
		t.Screen.Say(t.save(rest))
	case "undo", "u":
		undone, err := t.undo()
		if err == nil && !undone {
			t.Screen.Say("There is nothing to take back: nobody has decided anything yet.")
			return reply{}, false, nil
		}
		return reply{again: true}, true, err
	case "resume":
		if rest == "" {
			t.Screen.Say("Resume what? Type: resume FILE")
			break
		}
		if err := t.CanResume(rest); err != nil {
			t.Screen.Say("That cannot be gone on with: " + err.Error())
			break
		}
		return reply{text: rest, end: ended(Resume)}, true, nil
	case "quit", "q", "exit":
		return reply{end: ended(Quit)}, true, nil
	default:
		return reply{text: line}, true, nil
	}
	return reply{}, false, nil
}

func helpLines() []string {
	return []string{
		"  12 17   12 -> 17   move from one place to another; one place is enough if it is clear",
		"  3                  take option 3",
		"  why 12 17   ? 12   why a move is not offered; ? alone: all that are not",
		"  undo               go back to the last decision of a person",
		"  board   rules      draw the board; say the rules",
		"  save FILE          write the game down",
		"  resume FILE        go on with a game that was written down",
		"  quit               stop; the game is kept to be gone on with",
	}
}

// notUnderstood answers a line that is nothing that can be typed now.
func (t *Table) notUnderstood(text string, known []string, want string) string {
	word, _, _ := strings.Cut(text, " ")
	if near := diag.Nearest(word, append(known, orderWords()...)); near != "" {
		return fmt.Sprintf("Nothing is called %q. Did you mean %q?", word, near)
	}
	if text == "" {
		return want
	}
	return fmt.Sprintf("%q is not understood. %s", text, want)
}

// ruleLines are the rules in their own words.
func (t *Table) ruleLines() []string {
	var lines []string
	for _, r := range t.Game.Rules().Rules {
		line := fmt.Sprintf("  %s (%s)", r.Words, strings.Join(append([]string{r.Name}, r.Cites...), ", "))
		lines = append(lines, line)
	}
	return lines
}

// save writes the game to a file.
func (t *Table) save(name string) string {
	if name == "" {
		return "Save where? Type: save FILE"
	}
	var b bytes.Buffer
	w, err := record.NewWriter(&b, t.Header)
	for _, e := range t.events {
		if err == nil {
			err = w.Add(e.Event)
		}
	}
	if err == nil {
		err = t.Save(name, b.Bytes())
	}
	if err != nil {
		return fmt.Sprintf("The game could not be saved: %v", err)
	}
	return fmt.Sprintf("Saved. Go on with: resume %s", name)
}

// why says why moves are not offered: all, or those that have to do with the places or words typed.
func (t *Table) why(typed string) []string {
	last := "" // said where it is not the choice at hand that is explained
	refusals := t.pos.Explain()
	options := t.pos.Options()
	if t.pos.Kind() != interpreter.Choice || t.pos.Question() != "" || len(options) > 0 && options[0].Move == interpreter.None {
		if t.tell.Last == nil {
			return []string{"There is nothing to explain: no move is to be chosen now."}
		}
		refusals, options = t.tell.Last.Explain(), t.tell.Last.Options
		last = "Of the last count:"
	}
	tokens := t.tokens(typed)
	var lines []string
	for i := range refusals {
		r := &refusals[i]
		if len(tokens) == 0 || t.about(&r.Option, tokens) {
			if line := "  " + RefusalWords(t.Game, r); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	offered := "this is offered"
	if last != "" {
		offered = "this was done"
	}
	for i := range options {
		o := &options[i]
		if len(tokens) > 0 && t.about(o, tokens) {
			lines = append(lines, "  "+t.Game.RefusedText(*o)+": "+offered)
		}
	}
	switch {
	case len(lines) > 0 && last != "":
		return append([]string{last}, lines...)
	case len(lines) > 0:
		return lines
	case len(tokens) > 0:
		return []string{t.nothingAbout(tokens)}
	}
	return []string{"Everything that could be moved is offered."}
}

// nothingAbout answers where no move has to do with what was typed.
func (t *Table) nothingAbout(tokens []string) string {
	g := t.Game
	for _, tok := range tokens {
		if _, ok := g.Rules().Board.Place(tok); !ok {
			if _, err := strconv.Atoi(tok); err == nil {
				return fmt.Sprintf("There is no place called %q.", tok)
			}
			return fmt.Sprintf("No move has to do with %q now.", tok)
		}
	}
	place, _ := g.Rules().Board.Place(tokens[0])
	for _, piece := range t.pos.PiecesOn(nil, place) {
		if g.SeatOf(g.ColourOf(piece)) != t.pos.Player() {
			continue
		}
		if len(tokens) > 1 {
			return fmt.Sprintf("This count does not lead from %s to %s.", tokens[0], tokens[1])
		}
		return fmt.Sprintf("The piece on %s cannot be moved now.", tokens[0])
	}
	if len(tokens) > 1 {
		return fmt.Sprintf("%s has no piece on %s.", g.SeatName(t.pos.Player()), tokens[0])
	}
	return fmt.Sprintf("This count leads no piece of %s to %s.", g.SeatName(t.pos.Player()), tokens[0])
}

// about reports whether a move has to do with all of the words typed.
func (t *Table) about(o *interpreter.Option, tokens []string) bool {
	words := []string{}
	add := func(place int) {
		if place != interpreter.None {
			words = append(words, t.Game.PlaceName(place))
		}
	}
	add(o.From)
	add(o.To)
	if o.Colour != interpreter.None {
		words = append(words, t.Game.ColourName(o.Colour))
	}
	if o.Move != interpreter.None {
		words = append(words, t.Game.Rules().Moves[o.Move].Name)
	}
	for _, tok := range tokens {
		if !slices.Contains(words, tok) {
			return false
		}
	}
	if len(tokens) == 2 && o.From != interpreter.None && o.To != interpreter.None &&
		tokens[0] != tokens[1] && tokens[0] == t.Game.PlaceName(o.To) && tokens[1] == t.Game.PlaceName(o.From) {
		return false // the other way round
	}
	return true
}
