// Package phrase puts numbers of studies, and the differences that a comparison finds, into words.
//
// It draws nothing and prints nothing, so that a page in a browser can use it too.
package phrase

import (
	"math"
	"slices"
	"strconv"
	"strings"

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

// Percent writes a share for people.
func Percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }

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

// Plural is "1 game", "2 games".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(float64(n)) + " " + noun + "s"
}

// Digits formats numbers for people with the decimals that the width of an interval justifies.
func Digits(half float64) func(float64) string {
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

func Signed(text string) string {
	if strings.HasPrefix(text, "-") || strings.Trim(text, "0.") == "" {
		return text
	}
	return "+" + text
}

// Capital begins a sentence.
func Capital(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// Heading names the game: the title, the changes applied and the options that differ from their defaults.
func Heading(s *stats.Subject) string {
	with := slices.Clone(s.Changes)
	for _, o := range s.Options {
		if !o.Default {
			with = append(with, o.String())
		}
	}
	if len(with) == 0 {
		return s.Title
	}
	return s.Title + " with " + strings.Join(with, ", ")
}
