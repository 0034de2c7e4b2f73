// Package code is the program of a game as instructions for a register machine: plain data, generated from the tree of package ir by
// Generate, checked by Verify, run by package vm.
//
// A common misunderstanding: registers do not survive a node. Between two nodes only the state lives, a block of 16-bit cells; the point
// where the program continues is a cell too.
package code

// NodeKind is the kind of input that a node waits for.
type NodeKind uint8

// The kinds of node.
const (
	NodeThrow  NodeKind = iota // numbers of devices
	NodeOption                 // one of the options
	NodePick                   // one of the candidates
	NodeOver                   // nothing
)

// Fault says why a program cannot continue.
type Fault uint8

// The faults.
const (
	NoFault      Fault = iota
	FaultNil           // a field of nil
	FaultIndex         // an index out of range
	FaultRange         // a value outside a variable's range
	FaultZero          // division by zero
	FaultPlays         // more than MaxPlays counts in a turn
	FaultQueue         // more than MaxQueue queued numbers
	FaultSteps         // more than MaxFuel jumps between two nodes
	FaultOptions       // more than MaxOptions options
	FaultPath          // a walk longer than MaxPath steps
	FaultEmpty         // no number to choose from
	StopLooking        // no fault: a lookahead is done
	numberFaults
)

// PathTurn in a path is a turn before the first way on. Codes up to MaxWays are steps: 1 along the first way on, 2 along the second … Codes
// above are turns before another way: MaxWays+1 before the second.
const (
	PathTurn = 0
	MaxWays  = 8
)

// NoClause is the reason of a refusal by no clause: the track ends.
const NoClause = -1

// Spared among the duties of an option means that no duty drops the option.
const Spared = 1 << 30

// NoPick is the candidate "none".
const NoPick = -1 << 15

// FewerUsed is the reason of a refusal because another option allows more numbers to be used.
const FewerUsed = -2

// Limits of a running game.
const (
	MaxPlays   = 200
	MaxQueue   = 16
	MaxFuel    = 2_000_000
	MaxLook    = 64 * MaxFuel // jumps of all lookaheads at one decision
	MaxOptions = 4096
	MaxPath    = 256
	MaxNumbers = 8              // numbers of one list
	MaxUnion   = 2 * MaxNumbers // numbers of all lists of a play
	MaxDepth   = 2 * MaxNumbers // nesting of lookaheads: one for each number, and one for each pick on the way
)

// Header cells, the same in every program. Cells usually written together are adjacent, in groups of four.
const (
	CellPoint  = iota // index in Points where the program continues
	CellMe            // player in turn
	CellColour        // colour in turn, if turns go by colour
	CellAgain         // another go follows

	CellSteps  // the number being counted …
	CellThrown //
	CellEarned //
	CellWith   // the piece for which an earned number counts, or nil

	CellUsable //
	CellPlays  // counts and goes of this turn; negative during setup
	CellOver   // the game has ended
	CellWinner // team that has won, or nil

	CellRanked  // number of ranked players
	CellDecider // the player who picks
	CellMove    // the option carried out: its move …
	CellNumber  // index of the number it counts

	CellP0 // its parameters
	CellP1
	CellP2
	CellP3

	CellTo
	CellNode
	CellWalk    // the steps it walks
	CellHeading //

	CellPathLen // its path
	CellPathLast
	CellQueue   // number of queued numbers
	CellNumbers // numbers left in a play of several numbers
	CellAhead   // a lookahead is running
	HeaderCells
)

// Derived words, in programs that keep them.
const (
	DerivedHand    = 0 // the pieces off their places
	DerivedSquares = 1 // the pieces whose place is a square
	DerivedCrowd   = 2 // the pieces that share their place with a piece of their colour
	DerivedPlaces  = 4 // for each place the set of its pieces; the word before is for "nowhere"
)

// SettingUp in CellPlays means that no turn has begun. The cell stays negative, however often the setup throws.
const SettingUp = -1 << 15

// SmallFrame is the usual number of cells of a frame.
const SmallFrame = 32

// MaxListed is the largest number of places in a game with derived words.
const MaxListed = 256

// InHand in a piece's Prev cell means that the piece is in the hand and stands nowhere.
const InHand = -2

// Drawn in CellWinner means that the rules call the game a draw.
const Drawn = -2

// Player status.
const (
	Playing = 0
	Ranked  = 1
	Dropped = 2
)

// Members is where a set of pieces stands: piece p is bit p modulo 16 of cell Cell + p/16*Stride.
type Members struct{ Cell, Stride int }

// NamedCell is the first cell of a variable.
type NamedCell struct {
	Name string
	Cell int
}

// Layout is the sizes of a game, and the location of its data in the state and in the tables.
type Layout struct {
	Players, Teams, Colours, Pieces, Places, PerColour int

	Queue       int // MaxQueue numbers, then MaxQueue pieces
	Dice        int // last value of each die
	Status      int // of each player
	Rank        int // rank of each player, from 1
	Count       int // pieces on each place
	Head        int // first piece on each place
	Tail        int
	Next        int // for each piece, the one that arrived after it
	Prev        int
	At          int // place
	Node        int // of its track, or -1
	Path        int // cells of the path, four codes each; -1 if the program uses no path
	Numbers     int // numbers of a play of several numbers, then their other data
	NumbersEnd  int
	Lists       int // for each number its list; -1 if no play has several lists
	Longest     int // length of the longest list that is left, and of the shortest
	Shortest    int
	Bag         int // which bag is played, -1 for none, and its owner; -1 if no play has bags
	Owner       int // colour of each piece; -1 if no piece changes colour
	Frame       int // first cell of the frame: cells that live only within a turn
	FrameEnd    int
	Size        int  // of the state
	Keeps       bool // a turn may be undone
	FirstSquare int  // places with a lower number are zones
	// In the tables.
	ColourPlayer int
	NodePlace    int // place of each node
	NodeNext     int // the next node, and the previous one; -2 if there are several
	NodePrev     int
	NodeAt       int // for each colour and place its first node, or -1
}

// Die is a device, as callers see it.
type Die struct {
	Name    string
	Values  []int
	Weights []int // probabilities, not normalised; of a deck the number of cards
	Total   int
	Choice  bool
	Deck    int // cells of the remaining cards of a deck, one per value; -1 if it is no deck
}

// Throw is a throw in the program.
type Throw struct {
	Dice  []int
	Lot   bool    // the seat that begins is drawn by lot
	Start bool    // thrown to find who begins
	Bare  bool    // thrown by the turn itself, outside loops and after no question: no local is live
	First bool    // Bare, and the first action of the turn or go
	Fair  []int16 // the values of a single die with equal probabilities; nil for other throws
	Cell  int     // the cell that receives the number
}

// Point is where the program continues after a node or a call.
type Point struct {
	PC int32
	To *Instr // the instruction at PC
}

// Range is the bounds of a variable.
type Range struct {
	Low, High int
}

// Play is a decision between options in the program.
type Play struct {
	Explain int32 // entry that lists the refused options and the reasons
	List    int32 // entry that lists the options in plain form, -1 if the decision has only the plain form
	Point   int   // continues here after the choice of an option
}

// Program is a compiled game. It is immutable and safe for several goroutines.
type Program struct {
	Code     []Instr
	Points   []Point
	Tables   []int16
	Masks    []uint64   // constant sets of pieces
	ColourOf [64]uint8  // of each piece, in programs with sets of pieces
	Mates    [64]uint64 // for each piece the set of its colour
	Initial  []int16    // the state before the first turn
	Derived  []uint64   // its derived words; empty in a program without them
	Squares  []byte     // its track sets, by node; empty in a program without them
	Nodes    []int      // first node of each colour's track
	Ranges   []Range
	Layout   Layout
	Scratch  int
	Dice     []Die
	Throws   []Throw
	Plays    []Play
	Counters int
	Vars     []NamedCell // the variables, by their first cell
	Duties   []int       // their counters
	Entries  []int32
	// PieceVars are the first cells of the variables of pieces; pieces that differ in one are not interchangeable.
	PieceVars []int
	// Named are the cells of lasting variables that name a piece, Members the words of those that name a set of them: pieces that one of
	// these tells apart are not interchangeable either.
	Named       []int
	Members     []Members
	Templates   []Template
	MovesPiece  []bool  // for each move whether its first parameter is a piece
	PieceParams []uint8 // for each move a bitset of the parameters that are pieces
	Traced      bool    // options store the path of their walk
	WalkEnds    bool    // a reaction to a step can end the game
	ActCounters int     // first counter of the acts
	Notes       int     // number of notes; 0 unless compiled for them
	Sorts       []SortArea
	TakesUp     bool             // during a move, the piece and those it carries are in the hand while reactions run
	Tracks      *Tracks          // nil without track sets
	Unaffected  [MaxListed]uint8 // 1 for each square whose track sets one piece does not change
	PlaceOf     [MaxNodes]int16  // place of each node, in programs with track sets
	Rows        []RowSet         // for each decision that works with sets
}

// Template is the sources of the fields of an option, in the order of Emit's arguments.
type Template struct {
	Fields [12]Source
	Clause int // counter of the may that offers it
}

// Source is a register, a constant if Reg is -1, or a cell if Reg is -2.
type Source struct {
	Reg, Const int
}

// SortArea is a range of scratch memory: keys, then values, of equal capacity.
type SortArea struct {
	Base, Capacity int
}
