package door

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// Find finds the option that a person typed at the present choice: its number from 1, or words that identify it.
// fault says why no single option matches; orders are the other possible inputs.
func (s *Session) Find(typed string, orders []string) (option int, fault string) {
	words, said := record.Words(s.pos), s.menu()
	numbered := numbered(words)
	if typed == "" {
		return 0, s.How()
	}
	if n, err := strconv.Atoi(typed); err == nil && numbered && n >= 1 && n <= len(words) {
		return n - 1, ""
	}
	for _, i := range []int{slices.Index(words, typed), slices.Index(said, arrows(typed)), s.YesNo(typed)} {
		if i >= 0 {
			return i, ""
		}
	}
	tokens := s.tokens(typed)
	rest, by := s.narrowed(tokens)
	var found, whole []int // those that match the words typed, and those that have no others
	places, calls := s.pos.WholeNames()
	for _, names := range [][]string{words, places, calls} {
		if len(found) > 0 {
			break
		}
		for i, name := range names {
			named := s.fits(name, rest) || len(rest) == 0 && len(tokens) > 0
			if named && by.counts(&s.pos.Options()[i]) && by.passes(s.pos.Way(nil, i)) {
				found = append(found, i)
				if own, _ := s.narrowed(s.tokens(name)); slices.Equal(own, rest) {
					whole = append(whole, i)
				}
			}
		}
	}
	if len(whole) == 1 {
		found = whole
	}
	switch len(found) {
	case 1:
		return found[0], ""
	case 0:
		if len(tokens) == 0 {
			return 0, s.Say("find.number", "typed", strconv.Quote(typed))
		}
		return 0, s.unknown(typed, tokens, orders)
	}
	numbers := seq.Map(found, func(i int) string {
		if !numbered {
			return said[i]
		}
		return strconv.Itoa(i + 1)
	})
	return 0, s.Say("find.several", "typed", strconv.Quote(typed), "options", s.words.Either(numbers))
}

// How says what to type at the present choice.
func (s *Session) How() string {
	said := s.menu()
	if !numbered(record.Words(s.pos)) {
		return s.Say("find.which", "options", s.words.Either(said))
	}
	return s.Say("find.how", "n", len(said))
}

// YesNo is the candidate that y or n means at a question of yes and no, -1 at any other choice.
func (s *Session) YesNo(typed string) int {
	if s.pos.Kind() != interpreter.Choice || typed == "" {
		return -1
	}
	words := record.Words(s.pos)
	if !slices.Equal(slices.Sorted(slices.Values(words)), []string{"no", "yes"}) {
		return -1
	}
	return slices.IndexFunc(words, func(w string) bool {
		_, n := utf8.DecodeRuneInString(s.words.Answer(w))
		return strings.EqualFold(typed, s.words.Answer(w)[:n])
	})
}

// narrowing is what words typed say of an option beside its name: "counting 5" and "via 11".
type narrowing struct {
	counting string // "" for any number
	via      int    // a place of its way, None for any
}

// narrowed separates such words from the others.
func (s *Session) narrowed(tokens []string) (rest []string, by narrowing) {
	by.via = interpreter.None
	for i := 0; i < len(tokens); i++ {
		next := ""
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		_, err := strconv.Atoi(next)
		place, known := s.game.Rules().Board.Place(next)
		switch {
		case tokens[i] == "counting" && err == nil:
			by.counting = next
			i++
		case tokens[i] == "via" && known:
			by.via = place
			i++
		default:
			rest = append(rest, tokens[i])
		}
	}
	return rest, by
}

func (n narrowing) counts(o *interpreter.Option) bool {
	return n.counting == "" || o.Move != interpreter.None && n.counting == strconv.Itoa(o.Steps)
}

func (n narrowing) passes(way []int) bool {
	return n.via == interpreter.None || len(way) > 1 && slices.Contains(way[1:], n.via)
}

// fits reports whether the words typed match an option: from, to, and its other names, in this order.
func (s *Session) fits(words string, tokens []string) bool {
	own := s.tokens(words)
	return len(tokens) > 0 && !slices.ContainsFunc(tokens, func(tok string) bool {
		i := slices.Index(own, tok)
		own = own[i+1:]
		return i < 0
	})
}

// tokens splits a line into words and names of places: "12 17", "12->17", "12-17".
func (s *Session) tokens(text string) []string {
	text = strings.NewReplacer("->", " ", "→", " ", ",", " ", "(", " ", ")", " ").Replace(text)
	skip := strings.Fields("to from by - " + s.Say("find.skip"))
	var out []string
	for _, w := range strings.FieldsFunc(text, unicode.IsSpace) {
		if _, place := s.place(w); place || !slices.Contains(skip, w) {
			out = append(out, s.places(w)...)
		}
	}
	return out
}

// places reads a word as the name of a place, in full or as boards show it, or as two names with a hyphen between
// them.
func (s *Session) places(w string) []string {
	if name, ok := s.place(w); ok {
		return []string{name}
	}
	for i, r := range w {
		if r == '-' && i > 0 {
			from, ok1 := s.place(w[:i])
			to, ok2 := s.place(w[i+1:])
			if ok1 && ok2 {
				return []string{from, to}
			}
		}
	}
	if counting := strings.Fields(s.words.Counting("", 0)); strings.EqualFold(w, counting[0]) {
		return []string{"counting"}
	}
	return []string{s.words.named(strings.ToLower(w))}
}

// place finds a place by its name or a short form of it: the first letter of a colour for the colour, "y3" for
// "yellow-3".
func (s *Session) place(w string) (string, bool) {
	b := s.game.Rules().Board
	if _, ok := b.Place(w); ok {
		return w, true
	}
	if _, ok := b.Place(strings.ToLower(w)); ok {
		return strings.ToLower(w), true
	}
	if name := s.words.named(w); name != w {
		_, ok := b.Place(name)
		return name, ok
	}
	found := ""
	for _, c := range b.Colours {
		if len(w) > 1 && strings.EqualFold(w[:1], c.Name[:1]) {
			name := c.Name + "-" + w[1:]
			if _, ok := b.Place(name); ok {
				if found != "" {
					return "", false
				}
				found = name
			}
		}
	}
	return found, found != ""
}

// unknown answers words that match no option: a misspelt word, or a move that is not offered.
func (s *Session) unknown(typed string, tokens, orders []string) string {
	g := s.game
	moves := seq.Map(g.Rules().Moves, func(m *model.Move) string { return m.Name })
	tokens, _ = s.narrowed(tokens)
	known := slices.Concat(orders, g.Rules().Board.PlaceNames(), colourNames(g), moves)
	for _, tok := range tokens {
		if slices.Contains(known, tok) {
			continue
		}
		if _, err := strconv.Atoi(tok); err == nil {
			return s.Say("why.no_place", "typed", strconv.Quote(tok))
		}
		if near := diag.Nearest(tok, known); near != "" {
			return s.Say("find.nearest", "typed", strconv.Quote(tok), "near", strconv.Quote(near))
		}
		return s.Say("find.help", "typed", strconv.Quote(tok))
	}
	return strings.Join(append([]string{s.Say("find.not_offered", "typed", strconv.Quote(typed))}, s.Why(typed)...), "\n")
}
