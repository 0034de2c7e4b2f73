package door

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// arrows converts a text of a record for people.
func arrows(s string) string { return strings.ReplaceAll(s, "->", "→") }

// Where is the place of a clause: "house.rules:12".
func Where(x *model.Clause) string {
	if x.Span.IsZero() {
		return ""
	}
	return fmt.Sprintf("%s:%d", x.Span.Name(), x.Span.Position().Line)
}

// refusalWords describes a refused move and the reason.
func (s *Session) refusalWords(r *interpreter.Refusal) string {
	text, g := interpreter.ReasonText, s.game
	if s.Brief {
		text = interpreter.ReasonWords
	}
	var reasons []string
	for _, x := range r.Reasons {
		if text := text(x); !slices.Contains(reasons, text) {
			reasons = append(reasons, text)
		}
	}
	if r.Fewer {
		reasons = append(reasons, interpreter.FewerText)
	}
	if len(reasons) == 0 {
		reasons = []string{"no rule offers it"}
	}
	return g.RefusedText(r.Option) + ": " + strings.Join(reasons, "; ")
}

// actWords is the text of an act, with its arguments in place of parameters.
func actWords(p *interpreter.Position, a *model.Act, args []int) string {
	names := map[string]string{}
	var list []string
	for i, x := range a.Params {
		names[x.Name] = argument(p, x.Type.Kind, args[i])
		list = append(list, names[x.Name])
	}
	if a.Words == "" {
		return strings.TrimSuffix(a.Name+" "+strings.Join(list, ", "), " ")
	}
	return EachWord(a.Words, func(w string) string {
		if name, ok := names[w]; ok {
			return name
		}
		return w
	})
}

func argument(p *interpreter.Position, kind model.Kind, v int) string {
	g := p.Game()
	if v < 0 && kind != model.Number {
		return "none"
	}
	switch kind {
	case model.Piece:
		return g.ColourName(p.ColourOf(v))
	case model.Place:
		return g.PlaceName(v)
	case model.Colour:
		return g.ColourName(v)
	case model.Player:
		return g.SeatName(v)
	case model.Team:
		return g.SeatName(g.Rules().Teams[v][0])
	case model.Flag:
		if v != 0 {
			return "yes"
		}
		return "no"
	}
	return fmt.Sprint(v)
}

// EachWord replaces the words of a text.
func EachWord(s string, f func(string) string) string {
	var b strings.Builder
	word := ""
	for _, r := range s {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0x80 {
			word += string(r)
			continue
		}
		b.WriteString(f(word))
		word = ""
		b.WriteRune(r)
	}
	b.WriteString(f(word))
	return b.String()
}

// Join lists words: "a, b and c".
func Join(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// ordinal is "1st", "2nd", "3rd", "4th".
func ordinal(n int) string {
	switch n {
	case 1:
		return "1st"
	case 2:
		return "2nd"
	case 3:
		return "3rd"
	}
	return fmt.Sprintf("%dth", n)
}

// lowerFirst makes the first letter of a sentence small, unless the first word is a number or a name.
func lowerFirst(s string) string {
	r := []rune(s)
	if len(r) > 1 && 'A' <= r[0] && r[0] <= 'Z' && !('A' <= r[1] && r[1] <= 'Z') {
		r[0] += 'a' - 'A'
	}
	return string(r)
}

// Welcome lists the players and the teams.
func (s *Session) Welcome() string {
	text := s.players()
	var teams []string
	for _, seats := range s.game.Rules().Teams {
		if len(seats) > 1 {
			var names []string
			for _, seat := range seats {
				names = append(names, s.game.SeatName(seat))
			}
			teams = append(teams, Join(names))
		}
	}
	if len(teams) > 0 {
		text += " Partners: " + strings.Join(teams, "; ") + "."
	}
	return text
}

// TitleOf is the title of a game, with the names of the house rules in force.
func TitleOf(g *interpreter.Game) string {
	rules := g.Rules()
	if len(rules.Changes) == 0 {
		return rules.Title
	}
	return rules.Title + ", with " + Join(rules.Changes)
}

func (s *Session) players() string {
	var people, bots, kinds []string
	seats := 0 // of people
	for seat, x := range s.game.Rules().Seats {
		list := &bots
		if s.Person(seat) {
			list = &people
			seats++
		} else {
			kinds = append(kinds, s.game.SeatName(seat)+" "+s.header.Seats[seat])
		}
		for _, c := range x.Colours {
			*list = append(*list, s.game.ColourName(c))
		}
	}
	switch {
	case seats == 0:
		return fmt.Sprintf("The computer plays all: %s. Seed %d.", strings.Join(kinds, ", "), s.header.Seed)
	case len(bots) == 0 && seats == 1:
		return "You are " + Join(people) + "."
	case len(bots) == 0:
		return "People play " + Join(people) + "."
	case seats == 1:
		return "You are " + Join(people) + ". The computer plays " + Join(bots) + "."
	}
	return "People play " + Join(people) + ", the computer " + Join(bots) + "."
}

// TakenBack says that the last decision was taken back.
func (s *Session) TakenBack() string {
	return fmt.Sprintf("Taken back: %s to decide again.", s.game.SeatName(s.pos.Player()))
}

// ResultLines say how a game ended, and what was hidden up to then.
func ResultLines(p *interpreter.Position) []string {
	g, r := p.Game(), p.Result()
	name := func(seats []int) []string {
		var out []string
		for _, s := range seats {
			out = append(out, g.SeatName(s))
		}
		return out
	}
	line, worth := "The game is over", ""
	if g.Rules().Worth != nil {
		worth = fmt.Sprintf(", counting %d", r.Worth)
	}
	switch len(r.Winners) {
	case 0:
		line += ": a draw, as no side has won."
	case 1:
		line += ": " + g.SeatName(r.Winners[0]) + " wins" + worth + "."
	default:
		line += ": " + Join(name(r.Winners)) + " win" + worth + "."
	}
	lines := []string{line}
	if p.Ranked() > 0 && len(r.Ranking) > 1 {
		var places []string
		for _, seat := range r.Ranking {
			places = append(places, fmt.Sprintf("%d %s", p.Place(seat), g.SeatName(seat)))
		}
		lines = append(lines, "Ranking: "+strings.Join(places, ", "))
	}
	for _, f := range p.Figures() {
		var parts []string
		for seat, v := range f.Values {
			parts = append(parts, fmt.Sprintf("%s %d", g.SeatName(seat), v))
		}
		lines = append(lines, f.Title+": "+strings.Join(parts, ", "))
	}
	return append(lines, secretLines(p)...)
}

// secretLines are the hidden choices of a game that is over.
func secretLines(p *interpreter.Position) []string {
	if p.Kind() != interpreter.Over {
		return nil
	}
	var lines []string
	kept := p.Vars()
	for _, v := range p.Game().Rules().Vars {
		owners, ok := kept[v.Name].(map[string]any)
		if !v.Secret || !ok {
			continue
		}
		var parts []string
		for _, name := range ownerNames(p.Game(), v.Scope) {
			if x, ok := owners[name]; ok {
				parts = append(parts, name+" "+plainValue(x))
			}
		}
		lines = append(lines, fmt.Sprintf("Hidden until now, %s: %s", strings.ReplaceAll(v.Name, "_", " "), strings.Join(parts, ", ")))
	}
	return lines
}
