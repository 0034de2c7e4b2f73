package model

import (
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/source"
)

// Numbers of the language lie between these.
const (
	MinNumber = -1 << 15
	MaxNumber = 1<<15 - 1
)

// Option is an option as a rule book has it, before a setting chooses its value: with its default and all it may be.
type Option struct {
	Name    string
	Words   string // for people; often ""
	Kind    Kind   // Number, Flag or Word
	Default string // as a setting writes it: "20", "true", "out"
	// Values are the values it may have, one by one, where they are listed: of a flag always, of a number or word
	// only if the rule book lists them. Without a list a number lies in Low..High and a word may be any.
	Values    []string
	Low, High int         // of a number; MinNumber and MaxNumber where nothing is said
	Origin    string      // name of the ruleset or change it is declared in
	Span      source.Span // its name, where it is declared
	Set       source.Span // the last line that gives it another default; zero if there is none
}

// Bounded reports whether the option is a number in a range the rule book gives.
func (o *Option) Bounded() bool {
	return o.Kind == Number && o.Values == nil && (o.Low > MinNumber || o.High < MaxNumber)
}

// Wants says in words what the option may be: "true or false", "one of 3, 5", "a number from 1 to 6".
func (o *Option) Wants() string {
	switch {
	case o.Kind == Flag:
		return "true or false"
	case o.Values != nil:
		return "one of " + strings.Join(o.Values, ", ")
	case o.Kind == Word:
		return "a word"
	case o.Bounded():
		return "a number from " + strconv.Itoa(o.Low) + " to " + strconv.Itoa(o.High)
	}
	return "a number"
}

// maxListed is how many values List goes through.
const maxListed = 100

// List lists the values the option may have, in order; nil where they are too many or have no end.
func (o *Option) List() []string {
	if !o.Bounded() || o.High-o.Low >= maxListed {
		return o.Values
	}
	var out []string
	for n := o.Low; n <= o.High; n++ {
		out = append(out, strconv.Itoa(n))
	}
	return out
}
