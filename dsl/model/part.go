package model

import "github.com/rulerun/rulerun/dsl/source"

// PartKind says what a part is.
type PartKind uint8

// The kinds of part.
const (
	PartMay       PartKind = iota // a clause that offers moves
	PartMust                      // a duty
	PartNever                     // a prohibition
	PartStep                      // a clause that judges steps, whatever its verdict
	PartReaction                  // an "on" or "before" clause
	PartEnding                    // a clause that ends the game, or a player's part in it
	PartAlways                    // a clause that must hold of positions
	PartCondition                 // a piece of a condition
	PartStatement                 // a statement other than "if", "for" and "let", which their conditions and what is inside or after them cover
	PartLet                       // a let: its name
	PartMove                      // a move: its name
	PartAct                       // an act: its name
)

// Clause reports whether a part of the kind is a clause of a rule.
func (k PartKind) Clause() bool { return k <= PartAlways }

// Part is one part of a declaration that a game can come to. It is listed before names are resolved, so it holds in any
// setting. Its span is the one the checked rules carry.
type Part struct {
	Kind PartKind
	Span source.Span
	// Bars says of a PartStep that its verdict is bar.
	Bars bool
	// In is the number, within the group, of the part around this one: of a condition or statement the clause, -1 for
	// none.
	In    int
	Cites []string
}

// PartGroup is a declaration with its parts, in the order of the text; the clauses of a rule before what is in them.
type PartGroup struct {
	Word  string // "rule", "turn", "let"…
	Name  string // "" where the declaration has none
	Words string // what a rule or act says of itself
	Head  source.Span
	Span  source.Span
	Cites []string
	Parts []Part
}
