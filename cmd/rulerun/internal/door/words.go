package door

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
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

// refusal describes a refused move and the reason, in brief without the rules' names and citations.
func (w wording) refusal(r *interpreter.Refusal, brief bool) string {
	reasons := seq.Distinct(seq.Map(r.Reasons, func(x *model.Clause) string { return w.reason(x, brief) }))
	if r.Fewer {
		reasons = append(reasons, w.Say("why.fewer"))
	}
	if len(reasons) == 0 {
		reasons = []string{w.Say("why.no_rule")}
	}
	return w.Say("colon", "text", w.Refused(w, r.Option), "more", strings.Join(reasons, "; "))
}

// reason says why a clause refuses a move, in brief without its rule and citations. A nil clause means the end of the track.
func (w wording) reason(x *model.Clause, brief bool) string {
	if x == nil {
		return w.Say("why.track_ends")
	}
	text := x.Rule.Words
	if !brief {
		text = interpreter.RuleText(x)
	}
	if w.Lang != "" {
		text = lowerFirst(text)
	}
	switch x.Kind {
	case model.ClauseMay:
		return w.Say("why.not_now", "rule", text)
	case model.ClauseMust:
		return w.Say("why.must", "rule", text)
	}
	return text
}

// actWords is the text of an act, with its arguments in place of parameters.
func (w wording) actWords(p *interpreter.Position, a *model.Act, args []int) string {
	return catalogue.Fill(a.Saying(), func(name, form string) string {
		for i, x := range a.Params {
			if x.Name != name {
				continue
			}
			value := w.argument(p, x.Type.Kind, args[i])
			if form != "" {
				return value.Form(form)
			}
			return value.text
		}
		return name
	})
}

func (w wording) argument(p *interpreter.Position, kind model.Kind, v int) noun {
	if v < 0 && kind != model.Number {
		return noun{w.Answer("none"), plain}
	}
	switch kind {
	case model.Piece:
		return w.colour(p.ColourOf(v))
	case model.Place:
		return w.place(v)
	case model.Colour:
		return w.colour(v)
	case model.Player:
		return w.seat(v)
	case model.Team:
		return w.seat(w.Rules().Teams[v][0])
	case model.Flag:
		if v != 0 {
			return noun{w.Answer("yes"), plain}
		}
		return noun{w.Answer("no"), plain}
	}
	return noun{strconv.Itoa(v), plain}
}

var oneWord = pattern.Of(`[\w\x{80}-\x{10ffff}]+`)

// EachWord replaces the words of a text.
func EachWord(s string, f func(string) string) string { return oneWord().ReplaceAllStringFunc(s, f) }

// Join lists words: "a, b and c".
func Join(words []string) string { return locale.For("").List(words) }

// ordinal is "1st", "2nd", "3rd", "4th".
func (w wording) ordinal(n int) string {
	if own := [...]string{1: "ordinal.first", 2: "ordinal.second", 3: "ordinal.third"}; 0 < n && n < len(own) {
		return w.Say(own[n])
	}
	return w.Say("ordinal.more", "number", n)
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
	if teams := seq.Filter(s.game.Rules().Teams, func(seats []int) bool { return len(seats) > 1 }); len(teams) > 0 {
		members := func(seats []int) string {
			return s.words.List(seq.Map(seats, func(seat int) string { return s.words.seat(seat).text }))
		}
		text = s.Say("welcome.partners", "text", text, "teams", strings.Join(seq.Map(teams, members), "; "))
	}
	return text
}

// TitleOf is the title of a game, with the names of the house rules in force.
func TitleOf(g *interpreter.Game) string {
	rules := g.Rules()
	switch w := in(g); {
	case len(rules.Changes) == 0:
		return rules.Title
	case rules.Lang == "":
		return w.Say("title.with", "title", rules.Title, "changes", w.List(rules.Changes))
	default:
		quoted := seq.Map(rules.ChangeTitles, func(title string) string { return w.Say("title.quoted", "title", title) })
		return w.Say("title.with", "title", rules.Title, "changes", w.List(quoted))
	}
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
			kinds = append(kinds, s.Say("welcome.bot", "who", s.words.seat(seat), "bot", s.words.computer(s.header.Seats[seat])))
		}
		*list = append(*list, seq.Map(x.Colours, s.words.ColourName)...)
	}
	switch w := s.words; {
	case seats == 0:
		return w.Say("welcome.bots", "bots", strings.Join(kinds, ", "), "seed", s.header.Seed)
	case len(bots) == 0 && seats == 1:
		return w.Say("welcome.you", "colours", w.List(people))
	case len(bots) == 0:
		return w.Say("welcome.people", "colours", w.List(people))
	case seats == 1:
		return w.Say("welcome.you_and_bots", "colours", w.List(people), "bots", s.words.List(bots))
	}
	return s.Say("welcome.people_and_bots", "colours", s.words.List(people), "bots", s.words.List(bots))
}

// TakenBack says that the last decision was taken back.
func (s *Session) TakenBack() string {
	return s.Say("taken_back", "who", s.words.seat(s.pos.Player()))
}

// ResultLines say how a game ended, and what was hidden up to then.
func ResultLines(p *interpreter.Position) []string {
	w, r := in(p.Game()), p.Result()
	winners := seq.Map(r.Winners, func(s int) string { return w.seat(s).text })
	line := w.Say("over.wins", "n", len(winners), "winners", w.List(winners))
	switch {
	case len(winners) == 0:
		line = w.Say("over.draw")
	case w.Rules().Worth != nil:
		line = w.Say("over.wins_worth", "n", len(winners), "winners", w.List(winners), "worth", r.Worth)
	}
	lines := []string{line}
	if p.Ranked() > 0 && len(r.Ranking) > 1 {
		places := seq.Map(r.Ranking, func(seat int) string { return strconv.Itoa(p.Place(seat)) + " " + w.seat(seat).text })
		lines = append(lines, w.Say("over.ranking", "list", strings.Join(places, ", ")))
	}
	for _, f := range p.Figures() {
		parts := seq.Of(len(f.Values), func(seat int) string { return w.seat(seat).text + " " + strconv.Itoa(f.Values[seat]) })
		lines = append(lines, w.Say("colon", "text", f.Title, "more", strings.Join(parts, ", ")))
	}
	return append(lines, secretLines(p)...)
}

// secretLines are the hidden choices of a game that is over.
func secretLines(p *interpreter.Position) []string {
	if p.Kind() != interpreter.Over {
		return nil
	}
	w := in(p.Game())
	secrets := seq.Filter(p.Values(interpreter.None, w), func(x interpreter.Value) bool { return x.Var.Secret && x.Changed })
	return seq.Map(seq.Runs(secrets, func(x, next interpreter.Value) bool { return x.Var == next.Var }), func(of []interpreter.Value) string {
		parts := seq.Map(of, func(x interpreter.Value) string {
			return w.Say("over.hidden_of", "owner", w.owner(x.Var.Scope, x.Owner), "name", w.VarName(x.Var), "value", x.Text)
		})
		return w.Say("over.hidden", "list", strings.Join(parts, "; "))
	})
}
