// Package model is a rule book after checking, made for one setting of its options and one number of
// players: every name resolved, every expression typed, every declaration that does not hold left out.
//
// It stands between the language and the engine: package check builds it, the interpreter compiles it.
// It is plain data and immutable once built. What a newcomer gets wrong: options do not occur in it; they
// have become constants.
package model

import (
	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/source"
)

// Rules is a checked rule book for one setting.
type Rules struct {
	Name    string
	Title   string
	Changes []string // names of the changes applied
	Options []OptionValue
	Board   *boards.Board
	Track   *boards.Track // the runs the pieces use
	Seats   []Seat
	Teams   [][]int // seats of each team
	// Colours are the board's colours in use, in turn order; every colour index in the rules counts these.
	Colours       []ColourInUse
	TurnsByColour bool
	PieceCount    int // of each colour
	PiecesAt      int // place
	First         First
	Dice          []*Die
	Vars          []*Var
	Moves         []*Move
	Acts          []*Act
	Rules         []*Rule
	Setup         *Block // nil if there is none
	Turn          *Block
	Mine          *Let // nil: the pieces of the colours in hand
	Lead          *Let // how far ahead a player or team is; nil where the rules do not say
	Counts        []*Count
	Tests         []*Test
	Decided       []Decided
}

// Decided is a condition, or part of one, that the setting decides; of a let that it is a constant.
type Decided struct {
	Span  source.Span
	Holds bool
}

// OptionValue is an option with its value in this setting.
type OptionValue struct {
	Name    string
	Value   string
	Default bool
	Words   string
}

// Seat is a player.
type Seat struct {
	Colours []int // in Rules.Colours
	Team    int
}

// ColourInUse is a colour that plays.
type ColourInUse struct {
	Name  string
	Board int // its index on the board
	Seat  int
}

// FirstKind says how the one who begins is found.
type FirstKind uint8

// The ways.
const (
	FirstSeat FirstKind = iota
	FirstLot
	FirstLoser  // of the game before; the first game of a series by lot
	FirstWinner // likewise
	FirstHighest
	FirstLowest
)

// First says who begins.
type First struct {
	Kind FirstKind
	Seat int
	Dice []*Die
}

// DieKind says how a device gives its numbers.
type DieKind uint8

// The kinds of device.
const (
	DieFaces  DieKind = iota // drawn with weights
	DieDeck                  // drawn without putting back
	DieChoice                // picked by the player
)

// Die is a device that gives numbers.
type Die struct {
	Name   string
	Index  int
	Kind   DieKind
	Faces  []Face // distinct values, ascending
	Choice *Expr
	Span   source.Span
}

// Face is a value with its weight, or the number of cards of that value.
type Face struct {
	Value, Weight int
}

// Scope says what a variable belongs to.
type Scope uint8

// The scopes.
const (
	ScopeGame Scope = iota
	ScopeTeam
	ScopePlayer
	ScopeColour
	ScopePiece
	ScopeTurn
	ScopeGo
)

// ScopeNames are the words for the scopes.
var ScopeNames = [...]string{"game", "team", "player", "colour", "piece", "turn", "go"}

// Owned reports whether variables of the scope are fields of something.
func (s Scope) Owned() bool { return s >= ScopeTeam && s <= ScopePiece }

// Var is a variable.
type Var struct {
	Name    string
	Index   int
	Scope   Scope
	Type    Type // of its values; of a set, ListOf its elements
	Low     int  // numbers and the numbers of a set
	High    int
	Initial []int // one value; of a set its elements
	Secret  bool
	Span    source.Span
}

// Displacement says what a move does to its first piece.
type Displacement uint8

// The displacements.
const (
	MoveNothing Displacement = iota
	MoveTo
	MoveWalk
	MoveStay
)

// Move is a displacement of pieces; by itself it offers nothing.
type Move struct {
	Name     string
	Index    int
	Params   []*Local
	Sets     []*Expr // what each parameter ranges over
	From     *Expr   // flag over the parameters, nil for anywhere
	Kind     Displacement
	Where    *Expr // place of MoveTo, number of MoveWalk
	Carrying *Expr
	Span     source.Span
}

// Act is a deed the file names.
type Act struct {
	Name   string
	Index  int
	Words  string
	Params []*Local
	Block  *Block
	Cites  []string
	Span   source.Span
}

// NoRule is the index of what counts and is no rule of the game.
const NoRule = -1

// Rule is a named rule.
type Rule struct {
	Name    string
	Index   int
	Words   string
	Cites   []string
	Clauses []*Clause
	Origin  string // name of the ruleset or change it comes from
	Span    source.Span
}

// Count is a number that studies of the game report. It has no effect on the game.
type Count struct {
	Name   string
	Words  string
	Clause *Clause // a reaction that does nothing, of a rule that is not among the rules; nil where Value counts
	Value  *Expr   // a number or flag when the game is over
	Span   source.Span
}

// ClauseKind says what a clause does.
type ClauseKind uint8

// The kinds of clause.
const (
	ClauseMay ClauseKind = iota
	ClauseMust
	ClauseNever
	ClauseStep   // judges every step of a walk
	ClauseBeyond // judges a step past the end of the track
	ClauseEnd    // judges the last step
	ClauseOn
	ClauseBefore
	ClauseEnding
	ClauseAlways
)

// Verdict judges a step.
type Verdict uint8

// The verdicts.
const (
	NoVerdict Verdict = iota
	VerdictGo
	VerdictBar
	VerdictTurn
	VerdictStop
)

// EventKind is what a reaction waits for.
type EventKind uint8

// The events, with the parameters their clauses get.
const (
	EventThrow  EventKind = iota // none
	EventLeave                   // piece, place
	EventStep                    // piece, place, place
	EventPass                    // piece, place
	EventTurned                  // piece, place (nil at the track's end)
	EventLand                    // piece, place
	EventMove                    // the move's
	EventAct                     // the act's
	EventStuck                   // none
	EventTurnBegins
	EventTurnEnds
	EventDrop // player
	EventRank // player
)

// EndingKind is how a game, or somebody's part in it, ends.
type EndingKind uint8

// The endings.
const (
	EndWin EndingKind = iota
	EndRank
	EndDrop
	EndOver
)

// Clause is one line of a rule. Which fields count depends on Kind.
type Clause struct {
	Kind   ClauseKind
	Index  int // among all clauses of the rule book
	Rule   *Rule
	Cites  []string
	Params []*Local // of the pattern or event, in order; nil for those without a name
	Move   *Move    // of may, must, never and move events; nil in the latter two is any move
	To     *Local   // the place an option ends on, nil if unnamed
	By     *Expr    // may: number or list of numbers
	When   *Expr    // nil is always; the condition of an ending or an always too
	First  Verdict
	Second Verdict
	Event  EventKind
	Dice   []*Die // of a throw event; nil is any
	Act    *Act
	Block  *Block
	Ending EndingKind
	Scope  Scope // of the ending's Params[0]: ScopePlayer, ScopeTeam or ScopeColour
	Span   source.Span
}
