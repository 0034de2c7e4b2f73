// Package code is the program of a game as instructions for a register machine: plain data, made from the
// tree of package ir by Generate, checked by Verify, run by package vm.
//
// What a newcomer gets wrong: registers do not outlive a node. Between two nodes only the state lives, a block
// of 16-bit cells; where the program goes on is a cell of it too.
package code

// NodeKind says what the outside has to give.
type NodeKind uint8

// The kinds of node.
const (
	NodeThrow  NodeKind = iota // numbers of devices
	NodeOption                 // one of the options
	NodePick                   // one of the candidates
	NodeOver                   // nothing
)

// Fault says why a program cannot go on.
type Fault uint8

// The faults.
const (
	NoFault      Fault = iota
	FaultNil           // a field of nil
	FaultIndex         // an element that is not there
	FaultRange         // a number a variable cannot hold
	FaultZero          // division by zero
	FaultPlays         // more than MaxPlays counts in a turn
	FaultQueue         // more than MaxQueue numbers wait
	FaultSteps         // more than MaxFuel jumps between two nodes
	FaultOptions       // more than MaxOptions options
	FaultPath          // a walk longer than MaxPath steps
	FaultEmpty         // no number to choose from
	StopLooking        // no fault: a look ahead has seen enough
	numberFaults
)

// PathTurn in a path is a turn before the first way on; codes up to MaxWays are steps: 1 along the first way on, 2 along the second …
// Those above are turns before another way: MaxWays+1 before the second.
const (
	PathTurn = 0
	MaxWays  = 8
)

// NoClause is the reason that no clause stands for: the track ends.
const NoClause = -1

// Spared among the duties of an option says that no duty takes it away.
const Spared = 1 << 30

// NoPick among the candidates of a pick stands for none of them.
const NoPick = -1 << 15

// FewerUsed is the reason that with another option more numbers can be used.
const FewerUsed = -2

// Limits of a running game.
const (
	MaxPlays   = 200
	MaxQueue   = 16
	MaxFuel    = 2_000_000
	MaxLook    = 64 * MaxFuel // jumps of all looks ahead at one decision
	MaxOptions = 4096
	MaxPath    = 256
	MaxNumbers = 8              // numbers of one list that is played
	MaxUnion   = 2 * MaxNumbers // numbers of all lists of a play
	MaxDepth   = 2 * MaxNumbers // how deep looks ahead go: one for each number, and for each pick on the way
)

// Header cells, the same in every program. What is mostly written together stands together, four by four.
const (
	CellPoint  = iota // where the program goes on: index in Points
	CellMe            // player in turn
	CellColour        // colour in turn, where turns go by colour
	CellAgain         // another go follows

	CellSteps  // what is being counted …
	CellThrown //
	CellEarned //
	CellWith   // the piece an earned count is for, or nil

	CellUsable //
	CellPlays  // counts and goes of this turn; below 0 in the setup
	CellOver   // the game has ended
	CellWinner // team that has won, or nil

	CellRanked  // how many players are ranked
	CellDecider // who chooses at a pick
	CellMove    // the option carried out: its move …
	CellNumber  // which of several numbers it counts

	CellP0 // its parameters
	CellP1
	CellP2
	CellP3

	CellTo
	CellNode
	CellWalk    // the number it walks
	CellHeading //

	CellPathLen // its path
	CellPathLast
	CellQueue   // how many numbers wait
	CellNumbers // how many numbers of a play of several are left
	CellAhead   // an option is being tried: it is asked how many numbers can be used after it
	HeaderCells
)

// Words of what follows from the state, in programs that keep it.
const (
	DerivedHand    = 0 // the pieces off their places
	DerivedSquares = 1 // the pieces whose place is a square
	DerivedCrowd   = 2 // the pieces that stand together with others of their colour
	DerivedPlaces  = 4 // for each place the pieces whose place it is; the word before is nowhere
)

// SettingUp in CellPlays says that no turn has begun: it stays below 0, however much the setup throws.
const SettingUp = -1 << 15

// SmallFrame is how many cells a frame has that needs no more.
const SmallFrame = 32

// MaxListed is how many places a game may have for such words.
const MaxListed = 256

// InHand in a piece's Prev cell says that it has been taken up and stands nowhere.
const InHand = -2

// Drawn in CellWinner says that the rules call the game a draw.
const Drawn = -2

// Player status.
const (
	Playing = 0
	Ranked  = 1
	Dropped = 2
)

// NamedCell is the first cell of a variable.
type NamedCell struct {
	Name string
	Cell int
}

// Layout says how many things a game has, in which cells of the state they are, and where in the tables.
type Layout struct {
	Players, Teams, Colours, Pieces, Places, PerColour int

	Queue       int // MaxQueue numbers, then MaxQueue pieces
	Dice        int // last value of each die
	Status      int // of each player
	Rank        int // of each player: its place, from 1
	Count       int // pieces on each place
	Head        int // first piece on each place
	Tail        int
	Next        int // of each piece: the one that arrived after it
	Prev        int
	At          int // place
	Node        int // of its track, or -1
	Path        int // cells of the path, four codes each; -1 if no program part needs it
	Numbers     int // numbers of a play of several, then what else is known of them
	NumbersEnd  int
	Lists       int // for each number which of several lists it is of; -1 if no play has several
	Longest     int // how many numbers the longest list has that is left, and the shortest
	Shortest    int
	Bag         int // which bag is played, -1 for none, and its owner; -1 if no play has one
	Owner       int // of each piece: the colour it belongs to; -1 if no piece changes hands
	Frame       int // first cell that lives only within a turn
	FrameEnd    int
	Size        int  // of the state
	Keeps       bool // a turn may be undone
	FirstSquare int  // places below are zones
	// In the tables.
	PieceColour  int
	ColourPlayer int
	NodePlace    int // place of each node
	NodeNext     int // the next node, and the one before; -2 where there are several
	NodePrev     int
	NodeAt       int // for each colour and place its first node, or -1
}

// Die is a device as the outside sees it.
type Die struct {
	Name    string
	Values  []int
	Weights []int // probabilities, not normalised; of a deck the number of cards
	Total   int
	Choice  bool
	Deck    int // cells of what is left of a deck, one a value; -1 if it is none
}

// Throw is a place in the program that throws.
type Throw struct {
	Dice  []int
	Lot   bool    // who begins, drawn by lot: the number of a seat
	Start bool    // thrown to find who begins
	Bare  bool    // thrown by the turn itself, in no loop and after no question: nothing but the state lives there
	First bool    // likewise, and nothing precedes it in the turn or a go of it
	Fair  []int16 // the values of one die that gives each as likely as the others; nil for other throws
	Cell  int     // which it goes to
}

// Point is where the program goes on after a node or a call.
type Point struct {
	PC int32
	To *Instr // the instruction there
}

// Range is the bounds of a variable.
type Range struct {
	Low, High int
}

// Play is a place in the program where options are offered.
type Play struct {
	Explain int32 // entry that lists what is refused and why
	List    int32 // entry that lists the options in their plain form, -1 where they are listed at once
	Point   int   // where an option that has been chosen is taken
}

// Program is a compiled game. It is immutable and safe for several goroutines.
type Program struct {
	Code     []Instr
	Points   []Point
	Tables   []int16
	Masks    []uint64   // sets of pieces that never change
	ColourOf [64]uint8  // of each piece, where sets of them are kept
	Mates    [64]uint64 // of each piece its colour's pieces
	Initial  []int16    // the state before the first turn
	Derived  []uint64   // what follows from it; empty in a program that keeps nothing of the kind
	Squares  []byte     // likewise: of each node the sets that hold its square
	Nodes    []int      // of each colour the first node of its track
	Ranges   []Range
	Layout   Layout
	Scratch  int
	Dice     []Die
	Throws   []Throw
	Plays    []Play
	Counters int
	Vars     []NamedCell // the variables, by their first cells
	Duties   []int       // counters of the duties of each play, from the offset Filter names
	Entries  []int32
	// PieceVars are the first cells of the variables of pieces; pieces that differ in one are not interchangeable.
	PieceVars   []int
	Templates   []Template
	MovesPiece  []bool  // for each move whether its first parameter is a piece
	PieceParams []uint8 // for each move which parameters are pieces, a bit each
	Traced      bool    // options keep the way of their walk
	WalkEnds    bool    // a reaction to a step can end the game
	ActCounters int     // first counter of the acts
	Notes       int     // how many notes it takes; none unless compiled for it
	Sorts       []SortArea
	TakesUp     bool             // a move has its piece in the hand, with those it carries, while rules react
	Tracks      *Tracks          // nil where no sets of squares are kept
	Plain       [MaxListed]uint8 // 1 for each square that no set of squares holds with one piece or none
	PlaceOf     [MaxNodes]int16  // of each node its place, where sets of squares are kept
	Rows        []RowSet         // of each decision that works with sets of pieces
}

// Template says where the fields of an option come from, in the order of Emit's arguments.
type Template struct {
	Fields [12]Source
	Clause int // counter of the may that offers it
}

// Source is a register, a constant where Reg is -1, or a cell where it is -2.
type Source struct {
	Reg, Const int
}

// SortArea is a stretch of scratch: keys, then values, of the same capacity.
type SortArea struct {
	Base, Capacity int
}
