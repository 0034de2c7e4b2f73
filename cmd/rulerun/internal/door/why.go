package door

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// Why explains why moves are not offered: all, or those that match the places or words typed.
func (s *Session) Why(typed string) []string {
	last := "" // said where it is not the choice at hand that is explained
	refusals := s.pos.Explain()
	options := s.pos.Options()
	asked := s.asked()
	if s.pos.Kind() != interpreter.Choice || asked != nil {
		if s.last == nil && asked != nil {
			return asked
		}
		if s.last == nil {
			return []string{"There is nothing to explain: no move is to be chosen now."}
		}
		refusals, options = s.last.Explain(), s.last.Options
		last = "Of the last count:"
	}
	tokens := s.tokens(typed)
	var lines []string
	for i := range refusals {
		r := &refusals[i]
		if len(tokens) == 0 || s.about(&r.Option, tokens) {
			if line := "  " + s.refusalWords(r); !slices.Contains(lines, line) {
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
		if len(tokens) > 0 && s.about(o, tokens) {
			lines = append(lines, "  "+s.game.RefusedText(*o)+": "+offered)
		}
	}
	switch {
	case len(tokens) == 0 && len(lines) == 0 && asked != nil:
		return asked
	case len(lines) > 0 && last != "":
		return append(asked, append([]string{last}, lines...)...)
	case len(lines) > 0:
		return lines
	case len(tokens) > 0:
		return []string{s.nothingAbout(tokens)}
	}
	return []string{"Everything that could be moved is offered."}
}

// asked says what the question at hand is about, and what asks it; nil where none is asked.
func (s *Session) asked() []string {
	q := s.pos.Asking()
	if q == nil {
		return nil
	}
	by := "the turn asks it"
	has := func(b *model.Block) bool {
		found := false
		b.Walk(func(x *model.Stmt) { found = found || x == q })
		return found
	}
	rules := s.game.Rules()
	for _, a := range rules.Acts {
		if has(a.Block) {
			by = "the act " + a.Name + " asks it"
		}
	}
	for _, r := range rules.Rules {
		for _, x := range r.Clauses {
			if has(x.Block) {
				by = "it is asked because of: " + lowerFirst(r.Words)
			}
		}
	}
	said := "This is a question, no count"
	if q.Words != "" {
		said += ": " + q.Words
	}
	lines := []string{said, "  " + by}
	if q.None {
		lines = append(lines, "  none leaves out what would follow")
	}
	return lines
}

// nothingAbout is the answer if no move matches the words typed.
func (s *Session) nothingAbout(tokens []string) string {
	g := s.game
	for _, tok := range tokens {
		if _, ok := g.Rules().Board.Place(tok); !ok {
			if _, err := strconv.Atoi(tok); err == nil {
				return fmt.Sprintf("There is no place called %q.", tok)
			}
			return fmt.Sprintf("No move has to do with %q now.", tok)
		}
	}
	place, _ := g.Rules().Board.Place(tokens[0])
	for _, piece := range s.pos.PiecesOn(nil, place) {
		if g.SeatOf(s.pos.ColourOf(piece)) != s.pos.Player() {
			continue
		}
		if len(tokens) > 1 {
			return fmt.Sprintf("This count does not lead from %s to %s.", tokens[0], tokens[1])
		}
		return fmt.Sprintf("The piece on %s cannot be moved now.", tokens[0])
	}
	if len(tokens) > 1 {
		return fmt.Sprintf("%s has no piece on %s.", g.SeatName(s.pos.Player()), tokens[0])
	}
	return fmt.Sprintf("This count leads no piece of %s to %s.", g.SeatName(s.pos.Player()), tokens[0])
}

// about reports whether a move matches all words typed.
func (s *Session) about(o *interpreter.Option, tokens []string) bool {
	words := []string{}
	add := func(place int) {
		if place != interpreter.None {
			words = append(words, s.game.PlaceName(place))
		}
	}
	add(o.From)
	add(o.To)
	if o.Colour != interpreter.None {
		words = append(words, s.game.ColourName(o.Colour))
	}
	if o.Move != interpreter.None {
		words = append(words, s.game.Rules().Moves[o.Move].Name)
	}
	for _, tok := range tokens {
		if !slices.Contains(words, tok) {
			return false
		}
	}
	if len(tokens) == 2 && o.From != interpreter.None && o.To != interpreter.None &&
		tokens[0] != tokens[1] && tokens[0] == s.game.PlaceName(o.To) && tokens[1] == s.game.PlaceName(o.From) {
		return false // the other way round
	}
	return true
}
