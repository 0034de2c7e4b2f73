package model

import "github.com/rulerun/rulerun/dsl/source"

// Test is a scenario with its names resolved for its own setting.
type Test struct {
	Name  string
	Cites []string
	Lines []*TestLine
	Span  source.Span // its name

	Row   source.Span // its row of a table; zero without a table
	Words string      // the values of the columns in this row: "n is 1, to is 13"
}

// LineKind is the kind of a line of a scenario.
type LineKind uint8

// The kinds of line of a scenario.
const (
	LineGiven             LineKind = iota // Places by Colour: the position
	LineTurn                              // Colour is in turn
	LineArrived                           // Place, and Colours in order of arrival, with Ordinals
	LineSet                               // Var of Owner is Values, or Die's last number, or what is left in it
	LineRanked                            // Colour's player has a place already, behind those of earlier lines
	LineDropped                           // Colour's player is out
	LineThrow                             // Numbers, of Die or of the next throw
	LinePlay                              // Options[0]
	ExpectMoves                           // Options are exactly those offered
	ExpectChoices                         // Options are exactly the candidates of a question
	ExpectNoChoices                       // no player has to choose
	ExpectRefused                         // Options[0] is not offered, by Rule
	ExpectRefusedPosition                 // the given position is refused, by Rule
	ExpectRefusedThrow                    // Numbers cannot come up now
	ExpectChance                          // Die gives Numbers[0] with weight Numbers[1], or Numbers[1] times of Numbers[2]
	ExpectAsks                            // Colour has to choose
	ExpectEarned                          // Numbers[0] is the last number in the queue
	ExpectTurn                            // Colour is in turn
	ExpectWinner                          // Colours have won, counting Numbers[0] if there is one
	ExpectRanking                         // Colours, first to last
	ExpectThat                            // Cond holds
	ExpectOver                            // the game is over
	ExpectNotOver                         // it is not
	ExpectDraw                            // the game is over, and no side has won
	ExpectPieces                          // Colour's pieces are on Places
)

// TestOption selects options, by as much as the line of the test gives. Either it has Words, which all name the option, or From and
// To are places, or Move has Args.
type TestOption struct {
	Words    []string
	Colour   int // -1 if the line does not give it
	From, To Spot
	Move     *Move     // nil if the line does not give it
	Args     []TestArg // of Move's last parameters; all of them where there is no place
	Called   bool      // the line gives Args, perhaps none
	Counting bool
	Steps    int
	Via      int // a place the walk visits, -1 if the line does not give it
	Span     source.Span
}

// Arrow reports whether the option is named by where it begins and ends.
func (o *TestOption) Arrow() bool { return len(o.Words) == 0 && o.From.Place >= 0 }

// Plain is the option without what tells it apart from others that begin and end alike: what it counts, its way and its move.
func (o TestOption) Plain() TestOption {
	o.Counting, o.Via = false, -1
	if o.Arrow() || len(o.Words) > 0 {
		o.Move, o.Args, o.Called = nil, nil, false
	}
	return o
}

// TestArg is a parameter: a value, or a piece of a colour, -1 for any, on a spot.
type TestArg struct {
	Value  int
	Piece  bool
	Colour int
	Spot   Spot
}

// TestLine is one line of a scenario. Kind says which fields are used.
type TestLine struct {
	Kind    LineKind
	Colour  int
	Colours []int
	// Ordinals are the ordinals of the pieces in Colours, 0 if not given.
	Ordinals []int
	Place    int
	Places   map[int][]Spot // places by colour
	Var      *Var
	Owner    int    // the owner of Var: a team, player or colour; for piece variables a colour
	Spot     Spot   // the location of the piece of Owner that owns the variable
	Values   []int  // -1 is nil
	Left     bool   // Values are the cards left in Die
	Pieces   []Spot // where the pieces that are values stand: those of the colours Values
	Die      *Die
	Numbers  []int
	Options  []TestOption
	Rule     *Rule // nil: any
	Cond     *Expr
	Probe    int // index of Cond among the conditions of the rules' tests
	Span     source.Span
}
