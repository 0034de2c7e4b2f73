package door

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Why explains why moves are not offered: all, or those that match the places or words typed. It also says how likely
// the moves that are offered are to win, if that is known; see Chances.
func (s *Session) Why(typed string) []string {
	lines := s.why(typed)
	if wins, estimate := s.wins(); len(wins) > 1 && len(s.tokens(typed)) == 0 {
		by := s.Say("why.by_best_play")
		if estimate {
			by = s.Say("why.by_estimate")
		}
		lines = append(lines, by)
		words, order := s.optionWords(), seq.Of(len(wins), func(i int) int { return i })
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(wins[b], wins[a]) })
		for _, i := range order {
			lines = append(lines, "  "+s.Say("why.wins", "option", arrows(words[i]), "win", s.words.perCent(wins[i], estimate)))
		}
	}
	return lines
}

func (s *Session) why(typed string) []string {
	last := "" // said where it is not the choice at hand that is explained
	refusals := s.pos.Explain()
	options := s.pos.Options()
	asked := s.asked()
	if s.pos.Kind() != interpreter.Choice || asked != nil {
		if s.last == nil && asked != nil {
			return asked
		}
		if s.last == nil {
			return []string{s.Say("why.nothing")}
		}
		refusals, options = s.last.Explain(), s.last.Options
		last = s.Say("why.last")
	}
	tokens, by := s.narrowed(s.tokens(typed))
	var lines []string
	there := map[string]bool{} // what is offered, or was: another filling of the move, with the same words, need not be
	for i := range options {
		if by.counts(&options[i]) {
			there[s.game.Refused(s.words, options[i])] = true
		}
	}
	for i := range refusals {
		r := &refusals[i]
		if !there[s.game.Refused(s.words, r.Option)] && (len(tokens) == 0 || s.about(&r.Option, tokens) && by.counts(&r.Option)) {
			lines = append(lines, "  "+s.words.refusal(r, s.Brief))
		}
	}
	lines = seq.Distinct(lines)
	var wins []float64
	estimate := false
	if last == "" {
		wins, estimate = s.wins()
	}
	for i := range options {
		o := &options[i]
		if len(tokens) == 0 || !s.about(o, tokens) || !by.counts(o) {
			continue
		}
		offered := s.Say("why.offered")
		switch {
		case last != "":
			offered = s.Say("why.done")
		case wins != nil:
			key := "why.offered_wins"
			if estimate {
				key = "why.offered_estimate"
			}
			offered = s.Say(key, "win", s.words.perCent(wins[i], estimate), "best", s.words.perCent(slices.Max(wins), estimate))
		}
		lines = append(lines, "  "+s.Say("colon", "text", s.game.Refused(s.words, *o), "more", offered))
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
	return []string{s.Say("why.all")}
}

// asked says what the question at hand is about, and what asks it; nil where none is asked.
func (s *Session) asked() []string {
	q := s.pos.Asking()
	if q == nil {
		return nil
	}
	by := s.Say("why.turn_asks")
	asks := func(x *model.Stmt) bool { return x == q }
	rules := s.game.Rules()
	for _, a := range rules.Acts {
		if seq.Any(a.Block.All(), asks) {
			by = s.Say("why.act_asks", "act", a.Name)
		}
	}
	for x := range rules.Clauses() {
		if seq.Any(x.Block.All(), asks) {
			by = s.Say("why.rule_asks", "rule", lowerFirst(x.Rule.Words))
		}
	}
	said := s.Say("why.question")
	if q.Words != "" {
		said = s.Say("colon", "text", said, "more", q.Words)
	}
	lines := []string{said, "  " + by}
	if q.None {
		lines = append(lines, "  "+s.Say("why.none"))
	}
	return lines
}

// nothingAbout is the answer if no move matches the words typed.
func (s *Session) nothingAbout(tokens []string) string {
	g := s.game
	for _, tok := range tokens {
		if _, ok := g.Rules().Board.Place(tok); !ok {
			if _, err := strconv.Atoi(tok); err == nil {
				return s.Say("why.no_place", "typed", strconv.Quote(tok))
			}
			return s.Say("why.no_move_about", "typed", strconv.Quote(s.Called(tok)))
		}
	}
	place, _ := g.Rules().Board.Place(tokens[0])
	for _, piece := range s.pos.PiecesOn(nil, place) {
		if g.SeatOf(s.pos.ColourOf(piece)) != s.pos.Player() {
			continue
		}
		if len(tokens) > 1 {
			return s.Say("why.not_from_to", "from", s.words.place(place), "to", s.words.called(tokens[1]))
		}
		return s.Say("why.stuck", "place", s.words.place(place))
	}
	if len(tokens) > 1 {
		return s.Say("why.no_piece", "who", s.words.seat(s.pos.Player()), "place", s.words.place(place))
	}
	return s.Say("why.none_there", "who", s.words.seat(s.pos.Player()), "place", s.words.place(place))
}

// about reports whether a move matches all words typed.
func (s *Session) about(o *interpreter.Option, tokens []string) bool {
	words := []string{s.game.PlaceName(o.From), s.game.PlaceName(o.To), s.game.PlaceName(o.OtherAt), s.game.ColourName(o.Colour)} // "" of none
	if o.Move != interpreter.None {
		words = append(words, s.game.Rules().Moves[o.Move].Name)
	}
	if slices.ContainsFunc(tokens, func(tok string) bool { return !slices.Contains(words, tok) }) {
		return false
	}
	back := len(tokens) == 2 && o.From != interpreter.None && o.To != interpreter.None &&
		tokens[0] != tokens[1] && tokens[0] == s.game.PlaceName(o.To) && tokens[1] == s.game.PlaceName(o.From)
	return !back
}
