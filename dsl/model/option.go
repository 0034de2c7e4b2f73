package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// The range of numbers in the language.
const (
	MinNumber = -1 << 15
	MaxNumber = 1<<15 - 1
)

// Option is an option as declared, before a setting selects its value: with its default and its possible values.
type Option struct {
	Name    string
	Words   string // a description; often ""
	Kind    Kind   // Number, Flag or Word
	Default string // as a setting writes it: "20", "true", "out"
	// Declared is the default in the declaration, which Set may change; "" where it has none.
	Declared string
	// Values are the possible values, if they are listed: always for a flag, for a number or word only if the rule
	// book lists them. Without a list a number is in Low..High and a word is not restricted.
	Values    []string
	Said      []string    // Values in words, of words that are listed
	Low, High int         // of a number; MinNumber and MaxNumber if not declared
	Origin    string      // name of the ruleset or change that declares it
	Span      source.Span // its name in the declaration
	Set       source.Span // the last line that changes its default; zero if there is none
}

// Bounded reports whether the option is a number with a declared range.
func (o *Option) Bounded() bool {
	return o.Kind == Number && o.Values == nil && (o.Low > MinNumber || o.High < MaxNumber)
}

// Wants describes the possible values: "true or false", "one of 3, 5", "a number from 1 to 6".
func (o *Option) Wants() string {
	switch {
	case o.Kind == Flag:
		return strings.Join(o.Values, " or ")
	case o.Values != nil:
		return "one of " + strings.Join(o.Values, ", ")
	case o.Kind == Word:
		return "a word"
	case o.Bounded():
		return "a number from " + strconv.Itoa(o.Low) + " to " + strconv.Itoa(o.High)
	}
	return "a number"
}

// Takes reports whether a text is one of the possible values, as in a setting.
func (o *Option) Takes(text string) bool {
	text = strings.Trim(text, `"`)
	if o.Values != nil && o.Kind != Number {
		return slices.Contains(o.Values, text)
	}
	n, err := strconv.Atoi(text)
	switch {
	case o.Kind == Word:
		return true
	case err != nil:
		return false
	case o.Values != nil:
		return slices.Contains(o.Values, strconv.Itoa(n))
	}
	return o.Low <= n && n <= o.High
}

// maxListed is how many values List enumerates.
const maxListed = 100

// List enumerates the possible values, in order; nil if they are too many or not bounded.
func (o *Option) List() []string {
	if !o.Bounded() || o.High-o.Low >= maxListed {
		return o.Values
	}
	return seq.Of(o.High-o.Low+1, func(i int) string { return strconv.Itoa(o.Low + i) })
}
