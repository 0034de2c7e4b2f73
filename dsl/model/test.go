package model

import "github.com/rulerun/rulerun/dsl/source"

// Test is a scenario, its names resolved for its own setting.
type Test struct {
	Name  string
	Cites []string
	Lines []*TestLine
	Span  source.Span // its name

	Row   source.Span // of a table, where the test is made of one; else zero
	Words string      // what the columns are in this row: "n is 1, to is 13"
}

// LineKind says what a line of a scenario does.
type LineKind uint8

// The lines of a scenario.
const (
	LineGiven             LineKind = iota // Places by Colour: the position
	LineTurn                              // Colour is in turn
	LineArrived                           // Place, and Colours in order of arrival, with Ordinals
	LineSet                               // Var of Owner is Values, or Die's last number, or what is left in it
	LineThrow                             // Numbers, of Die or of the next throw
	LinePlay                              // Moves[0], or Words that name the choice
	ExpectMoves                           // Moves are exactly those offered
	ExpectRefused                         // Moves[0] is not offered, by Rule
	ExpectRefusedPosition                 // the position given cannot be, by Rule
	ExpectRefusedThrow                    // Numbers cannot come up now
	ExpectAsks                            // Colour is to choose
	ExpectEarned                          // Numbers[0] waits in the queue, last
	ExpectTurn                            // Colour is in turn
	ExpectWinner                          // Colours have won
	ExpectRanking                         // Colours, first to last
	ExpectThat                            // Cond holds
	ExpectOver                            // the game is over
	ExpectPieces                          // Colour stands on Places
)

// TestMove is a move by its places. Colour and Steps are -1 where the line does not say.
type TestMove struct {
	Colour, Steps int
	From, To      Spot
	Counting      bool
	Span          source.Span
}

// TestLine is one line of a scenario. Which fields count depends on Kind.
type TestLine struct {
	Kind    LineKind
	Colour  int
	Colours []int
	// Ordinals say which of a colour's pieces each of Colours is, 0 where it is not said.
	Ordinals []int
	Place    int
	Places   map[int][]Spot // places by colour
	Var      *Var
	Owner    int  // what Var belongs to: a team, player or colour; a colour for piece variables
	Spot     Spot // where the pieces of Owner stand that a piece variable belongs to
	Values   []int
	Left     bool // Values are the cards left in Die
	Piece    Spot // where the piece stands that is a value: of colour Values[0]
	Die      *Die
	Numbers  []int
	Moves    []TestMove
	Words    []string
	Rule     *Rule // nil: any
	Cond     *Expr
	Probe    int // number of Cond among the conditions of the rules' tests
	Span     source.Span
}
