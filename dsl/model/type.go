package model

// Kind is the kind of a value.
type Kind uint8

// The kinds of value.
const (
	Invalid Kind = iota // a value with a fault, which has been reported
	Nothing             // nil
	Number
	Flag
	Word
	Place
	Piece
	Colour
	Player
	Team
	Offer // a legal option of the decision being carried out
	Fraction
)

var kindNames = [...]string{
	Invalid: "something wrong", Nothing: "nil", Number: "number", Flag: "flag", Word: "word", Place: "place", Piece: "piece",
	Colour: "colour", Player: "player", Team: "team", Offer: "offered move", Fraction: "fraction",
}

var pluralNames = [...]string{
	Invalid: "something wrong", Nothing: "nothing", Number: "numbers", Flag: "flags", Word: "words", Place: "places", Piece: "pieces",
	Colour: "colours", Player: "players", Team: "teams", Offer: "offered moves", Fraction: "fractions",
}

// String is the name of the kind.
func (k Kind) String() string { return kindNames[k] }

// Type is the type of a value: a kind, or a list of a kind.
type Type struct {
	Kind Kind
	List bool
}

// String is the type as the language writes it.
func (t Type) String() string {
	if t.List {
		return "list of " + pluralNames[t.Kind]
	}
	return kindNames[t.Kind]
}

// TypeNamed is the type that String writes so.
func TypeNamed(text string) (Type, bool) {
	for k := range kindNames {
		for _, t := range []Type{Of(Kind(k)), ListOf(Kind(k))} {
			if t.String() == text {
				return t, true
			}
		}
	}
	return Type{}, false
}

// With is the type with an article: "a number", "an offered move", "a list of pieces".
func (t Type) With() string {
	s := t.String()
	switch {
	case t.Kind == Nothing && !t.List, t.Kind == Invalid:
		return s
	case s[0] == 'o':
		return "an " + s
	}
	return "a " + s
}

// Of is the type of single values of a kind.
func Of(k Kind) Type { return Type{Kind: k} }

// ListOf is the type of a list of a kind.
func ListOf(k Kind) Type { return Type{Kind: k, List: true} }

// Elem is the type of a list's elements.
func (t Type) Elem() Type { return Type{Kind: t.Kind} }

// Ref reports whether values of the kind can be nil: no player, no place.
func (k Kind) Ref() bool {
	return k == Place || k == Piece || k == Colour || k == Player || k == Team || k == Nothing
}
