package study

import (
	"fmt"
	"math"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// infinite formats a number, or says that it is infinite.
func infinite(v float64, number func(float64) string) string {
	if math.IsInf(v, 0) {
		return "∞"
	}
	return number(v)
}

// bar is a bar of block characters, its length in eighths.
func bar(eighths int) string {
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return s
}

// played is the small print about the games: number, players, who began, seed.
func played(s *stats.Subject, games int) string {
	return fmt.Sprintf("%s %s, %s, %s, seed %d", phrase.Plural(games, "game"), phrase.ByWhom(s), phrase.Plural(s.Players, "player"), phrase.Beginning(s), s.Seed)
}

func factsOf(s *stats.Subject, before string) []Fact {
	facts := []Fact{
		{before + "rule book", fmt.Sprintf("%s (%s)", s.Title, s.Ruleset)},
		{before + "players", fmt.Sprintf("%d, %s", s.Players, phrase.ByWhom(s))},
	}
	if len(s.Changes) > 0 {
		facts = append(facts, Fact{before + "house rules", strings.Join(s.Changes, ", ")})
	}
	if len(s.Options) > 0 {
		facts = append(facts, Fact{before + "options", strings.Join(seq.Map(s.Options, model.OptionValue.String), ", ")})
	}
	return append(facts, Fact{before + "print of the rules", s.Rules})
}

// OptionFields are the values of options as JSON, by their names.
func OptionFields(list []model.OptionValue) object.Fields {
	return seq.Of(len(list), func(i int) object.Field { return object.Field{list[i].Name, list[i].Value} })
}

func subjectFields(s *stats.Subject) object.Fields {
	return object.Fields{
		{"ruleset", s.Ruleset}, {"title", s.Title}, {"changes", s.Changes}, {"options", OptionFields(s.Options)}, {"players", s.Players}, {"rules_print", s.Rules},
		{"seed", s.Seed}, {"starter", s.Starter}, {"rotate", s.Rotate}, {"max_throws", s.MaxThrows}, {"seats", s.Seats},
	}.Some("dealt", s.Dealt)
}
