package study

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Number formats a mean for people, with the decimals it needs.
func Number(v float64) string {
	switch a := math.Abs(v); {
	case a >= 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.9995 || v == 0:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// percent writes a share for people.
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }

// Thousands writes a large number with blanks between its thousands.
func Thousands(v float64) string {
	text := strconv.FormatFloat(v, 'f', 0, 64)
	var parts []string
	for len(text) > 3 {
		parts = append([]string{text[len(text)-3:]}, parts...)
		text = text[:len(text)-3]
	}
	return strings.Join(append([]string{text}, parts...), " ")
}

// plural is "1 game", "2 games".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(float64(n)) + " " + noun + "s"
}

// infinite formats a number, or says that it is infinite.
func infinite(v float64, number func(float64) string) string {
	if math.IsInf(v, 0) {
		return "∞"
	}
	return number(v)
}

// digits formats numbers for people with the decimals that the width of an interval justifies.
func digits(half float64) func(float64) string {
	n := 0
	if half > 0 {
		n = min(6, max(0, -int(math.Floor(math.Log10(half/3)))))
	}
	return func(v float64) string {
		text := strconv.FormatFloat(v, 'f', n, 64)
		if strings.Trim(text, "-0.") == "" {
			return strings.TrimPrefix(text, "-")
		}
		return text
	}
}

func signed(text string) string {
	if strings.HasPrefix(text, "-") || strings.Trim(text, "0.") == "" {
		return text
	}
	return "+" + text
}

// capital begins a sentence.
func capital(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// fold wraps lines at blanks to a width, and indents continuations; a width of 0 means no limit.
func fold(text string, columns int, indent string) string {
	if columns <= 0 {
		return text
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		runes := []rune(line)
		for len(runes) > columns {
			at := columns
			for at > len(indent)+1 && runes[at] != ' ' {
				at--
			}
			if runes[at] != ' ' {
				break // a word wider than the line
			}
			out = append(out, strings.TrimRight(string(runes[:at]), " "))
			runes = append([]rune(indent), runes[at+1:]...)
		}
		out = append(out, string(runes))
	}
	return strings.Join(out, "\n")
}

// bar is a bar of block characters, its length in eighths.
func bar(eighths int) string {
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return s
}

// heading names the game: the title, the changes applied and the options that differ from their defaults.
func heading(s *stats.Subject) string {
	text := s.Title
	var with []string
	with = append(with, s.Changes...)
	for _, o := range s.Options {
		if !o.Default {
			with = append(with, o.Name+"="+o.Value)
		}
	}
	if len(with) > 0 {
		text += " with " + strings.Join(with, ", ")
	}
	return text
}

// byWhom names the players.
func byWhom(seats []string) string {
	for _, who := range seats {
		if who != stats.Chance {
			return "by " + strings.Join(seats, ", ")
		}
	}
	return "by chance"
}

// beginning says who begins.
func beginning(s *stats.Subject) string {
	switch {
	case s.Players == 1:
		return "alone"
	case s.Starter == "thrown":
		return "the rules say who begins"
	case s.Rotate:
		return "the seats take turns in beginning"
	}
	return s.Starter + " begins"
}

// played is the small print about the games: number, players, who began, seed.
func played(s *stats.Subject, games int) string {
	return fmt.Sprintf("%s %s, %s, %s, seed %d", plural(games, "game"), byWhom(s.Seats), plural(s.Players, "player"), beginning(s), s.Seed)
}

// factsOf are the parameters of the games.
func factsOf(s *stats.Subject, before string) []Fact {
	facts := []Fact{
		{before + "rule book", fmt.Sprintf("%s (%s)", s.Title, s.Ruleset)},
		{before + "players", fmt.Sprintf("%d, %s", s.Players, byWhom(s.Seats))},
	}
	if len(s.Changes) > 0 {
		facts = append(facts, Fact{before + "house rules", strings.Join(s.Changes, ", ")})
	}
	var options []string
	for _, o := range s.Options {
		options = append(options, o.Name+"="+o.Value)
	}
	if len(options) > 0 {
		facts = append(facts, Fact{before + "options", strings.Join(options, ", ")})
	}
	return append(facts, Fact{before + "print of the rules", s.Rules})
}

// subjectFields is the subject of a study as JSON.
func subjectFields(s *stats.Subject) object.Fields {
	options := object.Fields{}
	for _, o := range s.Options {
		options = append(options, object.Field{o.Name, o.Value})
	}
	return object.Fields{
		{"ruleset", s.Ruleset}, {"title", s.Title}, {"changes", s.Changes}, {"options", options}, {"players", s.Players}, {"rules_print", s.Rules},
		{"seed", s.Seed}, {"starter", s.Starter}, {"rotate", s.Rotate}, {"max_throws", s.MaxThrows}, {"seats", s.Seats},
	}
}
