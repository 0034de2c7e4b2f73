package phrase

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/interpreter/stats"
)

// ByWhom names the players.
func ByWhom(s *stats.Subject) string {
	if len(s.Dealt) > 0 {
		return "by " + strings.Join(s.Dealt, " and ") + ", who change seats"
	}
	if slices.ContainsFunc(s.Seats, func(who string) bool { return who != stats.Chance }) {
		return "by " + strings.Join(s.Seats, ", ")
	}
	return "by chance"
}

// Beginning says who begins.
func Beginning(s *stats.Subject) string {
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

// apart names what A and B of a comparison differ in besides their rules, for side 0 or 1; "" for nothing.
func apart(c *stats.Comparison, side int) string {
	s := [2]*stats.Subject{&c.A, &c.B}[side]
	var list []string
	if c.A.Players != c.B.Players {
		list = append(list, Plural(s.Players, "player"))
	}
	if ByWhom(&c.A) != ByWhom(&c.B) {
		list = append(list, ByWhom(s))
	}
	if c.A.Starter != c.B.Starter || c.A.Rotate != c.B.Rotate {
		list = append(list, Beginning(s))
	}
	return strings.Join(list, ", ")
}

// Side names a side of a comparison: its rules, and what it differs in from the other one.
func Side(c *stats.Comparison, side int) string {
	name := Heading([2]*stats.Subject{&c.A, &c.B}[side])
	if text := apart(c, side); text != "" {
		name += ", " + text
	}
	return name
}

// Began says who begins in both games of a comparison.
func Began(c *stats.Comparison) string {
	if a, b := Beginning(&c.A), Beginning(&c.B); a != b {
		return "A: " + a + ", B: " + b
	}
	return Beginning(&c.B)
}
