// Package code is the program of a game as instructions for a register machine: plain data, made from the
// tree of package ir by Generate, checked by Verify, run by package vm.
//
// What a newcomer gets wrong: registers do not outlive a node. Between two nodes only the state lives, a block
// of 16-bit cells; where the program goes on is a cell of it too.
package code

// Op is an operation.
type Op uint8

// The operations. r is the registers, st the state, tb the tables, sc the scratch memory. K is the immediate, C as a number
// is signed, BC is the bytes B and C as a signed 16-bit number. An index register below 0 is a fault (nobody, nowhere).
const (
	Nop    Op = iota
	LoadK     // r[A] = K
	Move      // r[A] = r[B]
	Load      // r[A] = st[K]
	LoadX     // r[A] = st[K+r[B]]
	LoadT     // r[A] = tb[K+r[B]]
	LoadS     // r[A] = sc[K+r[B]]
	LoadD     // r[A] = derived[K+r[B]]; r[B] may be -1
	LoadW     // r[A] = derived[K]
	LoadM     // r[A] = masks[K+r[B]]; likewise
	Store     // st[K] = r[A], which must fit 16 bits
	StoreX    // st[K+r[B]] = r[A]
	StoreC    // st[K] = BC
	StoreS    // sc[K+r[B]] = r[A]
	Add       // r[A] = r[B] op r[C]
	Sub
	Mul
	Div
	Mod
	And
	Or
	AndNot
	Shl
	Shr
	AddK // r[A] = r[B] op K
	MulK
	AndK
	ShlK
	ShrK
	Eq // r[A] = 1 if r[B] op r[C], else 0
	Ne
	Lt
	Le
	EqK    // r[A] = 1 if r[B] op K, else 0
	Not    // r[A] = 1 - r[B]
	Bits   // r[A] = how many bits of r[B] are set
	Lowest // r[A] = number of the lowest bit of r[B], or -1
	Jump
	JumpZ  // to K if r[A] is 0
	JumpNZ // to K if it is not
	JumpEq // to K if r[A] op r[B]
	JumpNe
	JumpLt
	JumpLe
	JumpEqK // to K if r[A] op C
	JumpNeK
	JumpLtK
	JumpLeK
	JumpGtK
	JumpGeK
	JumpTold    // to K if the answer to question C of piece r[A] and place r[B] is yes
	JumpNotTold // or not
	Present     // fault K if r[A] is nil
	Check       // fault if r[A] lies outside the bounds Ranges[K]
	Call        // procedure at K; registers stay
	Return      // from it
	ReturnIn    // from it, to the point in cell K
	End         // of an entry; r[A] is its value
	Offers      // r[A] = number of options
	Offer       // r[A] = field K of option r[B]
	Result      // r[A] = what the last node gave
	Native      // native C on B arguments from r[A]; its result, if any, in r[A]; K is its own
	Suspend     // node of kind A, of site B|C<<8; goes on at point K
	Goto        // main label at K, leaving all procedures
	Fail        // fault K
	LiftOp      // piece r[A] off its place, for Relink
	RelinkOp    // and back
	EmitOp      // an option, made by Templates[K]
	TakeOp      // the option to carry out goes to the cells: what the last node gave, or option 0 where C is 1
	PutOp       // piece r[A] to place r[B], its node in cell K, out of the hand or from where it stands
	ClearOp     // what lives only within a turn is 0 again
	NextOp      // the turn goes to the next player, or colour where C is 1; r[A] = whether there is one
	TryOp       // a fault before the next RowsOp goes on at K
	WalkersOp   // r[A] = the pieces of set r[B] that can walk r[C] steps
	WalkersIn   // likewise, st[K] steps
	HavingOp    // r[A] = the pieces p of set r[B] whose st[K+p] is r[C]
	ToldOp      // r[A] = the pieces of set r[B] of whom the answer to question C is yes where they stand
	RowsOp      // the options are Rows[K]; goes on to a node or where those lead, past it where they cannot tell
	TickOp      // one more count or throw of the turn
	FireOp      // counter K
	// The fused operations: a load or AddK into r[A], then to T if r[A] compares so with C (signed), else on. AddLess compares with r[C].
	LoadEq
	LoadNe
	LoadLt
	LoadGe
	LoadXEq
	LoadXNe
	LoadXLt
	LoadXGe
	LoadTEq
	LoadTNe
	LoadTLt
	LoadTGe
	AddEq
	AddNe
	AddLt
	AddLess
	BitsEq // likewise
	BitsNe
	// Operations on sets, then to T if the result is empty, or not.
	AndZ // r[A] = r[B] & r[C]
	AndNZ
	AndNotZ
	AndNotNZ
	AndWZ // r[C] = derived[K], r[A] = r[B] & r[C]
	AndWNZ
	AndNotWZ
	AndNotWNZ
	ClearNext // ClearOp, NextOp, and to T if there is one
	NextJump  // NextOp, then to T if there is one
	// Two in one.
	AndW // r[C] = derived[K], r[A] = r[B] & r[C]
	AndNotW
	LoadLoadM  // r[B] = st[T], r[A] = masks[K+r[B]]
	LoadLoad   // r[A] = st[K], r[B] = st[T]
	LoadKK     // r[A] = K, r[B] = T, both at least 0
	Copy       // r[A] = st[K], st[T] = r[A]
	StoreCC    // st[K] = B, st[T] = C, as signed bytes
	PutIn      // with the cells that are the lowest three bytes of K: r[A] and r[B] are the first two, piece r[A] to place r[B], its node in the third
	TryZero    // TryOp, and r[A] = 0
	FireStoreC // counter K, st[T] = BC
	FireStore  // counter K, st[T] = r[A]
	AddCell    // r[B] = st[K], r[A] = st[K] = r[B] + C, signed
	StoreXC    // r[A] = C, signed, r[B] = st[T], st[K+r[B]] = r[A]
	// Many in one, see Many.
	MuchStore  // a counter and cells; then to T
	MuchNode   // a counter, cells, ticks, and a node
	MuchTry    // a counter, cells, ticks and what a fault leads to; then to T
	MuchOp     // anything; then to T
	TestsOp    // to the target of the first that holds, else to T
	TestsFar   // likewise, of cells that are not all near
	MineWalkOp // the pieces of an owner that can walk
	PutInNe    // PutIn, then to T if r[B] is not C
	SwitchOp   // to the way of the number in st[K], or to T
	RoundOp    // counts a jump backwards; only among the words
	RowOp      // RowsOp of a single row; likewise
	numberOps  // how many there are
)

// Native is an operation of the machine on pieces, options and choices.
type NativeOp uint8

// The natives, with their arguments.
const (
	Lift        NativeOp = iota // piece: off its place, to be put back by Relink (LiftOp)
	TakeUp                      // piece: off its place into the hand
	Relink                      // piece: back to where it was lifted from
	SetDown                     // piece, place, node: out of the hand, or from where it stands
	PutAt                       // piece, place: the same at the first node of its track there
	OptReset                    // begin a list of options
	PathReset                   // begin a path
	PathPush                    // code: one more step of it
	PathCut                     // length: back to that many steps
	PathLen                     // → length
	Reason                      // K: a clause that speaks against the option being tried
	Unreasoned                  // forget the clauses that speak against an option that came to nothing
	ReasonsKeep                 // what speaks against the option being tried is kept for a branch that waits
	ReasonsBack                 // and is what speaks against the option now: that of the branch kept last
	Emit                        // move, p0, p1, p2, p3, to, node, steps, heading, number, duties, walk: an option; K is its clause
	Filter                      // number of duties, play or -1 when explaining: keep options by duty (their counters from Duties[K] on), drop equal ones
	Most                        // K: play; how many of its numbers can be used from each option, and at most (CellUsable)
	FewerOut                    // 1 when explaining: options from which fewer numbers can be used go
	MostEnds                    // K: play; no number of it is left
	Take                        // number: the option to carry out goes to the cells
	PathAt                      // index → code of the path being carried out
	PickReset                   // begin a list of candidates
	PickAdd                     // value: a candidate; K is 1 for pieces
	PickBits                    // word → how many: the candidates are the numbers of its bits, from K on
	PickCount                   // → how many, equal ones counted once
	PickGet                     // number → candidate
	Fire                        // K: counter (FireOp)
	ActBegins                   // its arguments: act K is done
	Sort                        // count: the scratch from K on, keys first, by the keys; Sorts[K]
	Snapshot                    // the state as it is now is kept
	Undo                        // the state becomes what was kept
	Changed                     // K: variable, for those who watch
	ClearTurn                   // what lives only within a turn is 0 again: the frame, and what is being counted
	Stride                      // i, node, back: steps of the path being carried out that no reaction waits for → i | node<<16; K: table of places that matter
	StrideAll                   // → 1, with all steps of the path taken, if no reaction waits for any of them, else 0; K likewise
	WalkEnd                     // piece, number → the node a walk comes to that the sets of squares allow
	Later                       // set: K is a counter, to count once for each element when the options stand
	Tick                        // one more count or throw of the turn; too many are a fault (TickOp)
	TakeNote                    // K: note, in programs that take them
	numberNatives
)

// NonNil reports whether argument i of a native must not be nil: the machine does not look.
func NonNil(native, i int) bool {
	switch NativeOp(native) {
	case Lift, TakeUp, Relink, SetDown:
		return i < 2
	case WalkEnd:
		return i == 0
	}
	return false
}

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
	FaultNil           // a field of nobody or nowhere
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
)

// PathTurn in a path is a turn before the first way on; codes up to MaxWays are steps: 1 along the first way on, 2 along the second …
// Those above are turns before another way: MaxWays+1 before the second.
const (
	PathTurn = 0
	MaxWays  = 8
)

// NoClause is the reason that no clause stands for: the track ends.
const NoClause = -1

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
	MaxNumbers = 8 // numbers of one play each of
)

// Instr is one instruction.
type Instr struct {
	Op      Op
	A, B, C uint8
	K       int32
	T       int32 // target of a fused operation
	Many    *Many // of those that stand for many
}

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
	CellNumbers // how many numbers of a play any, each or most are left
	HeaderCells
)

// Words of what follows from the state, in programs that keep it.
const (
	DerivedHand    = 0 // the pieces off their places
	DerivedSquares = 1 // the pieces whose place is a square
	DerivedCrowd   = 2 // the pieces that stand together with others of their colour
	DerivedPlaces  = 4 // for each place the pieces whose place it is; the word before is nowhere
)

// Near is how many cells of the state are reached by a byte: the header, the queue, the dice and variables that belong to nobody are
// among them, unless there are very many.
const Near = 256

// SettingUp in CellPlays says that no turn has begun: it stays below 0, however much the setup throws.
const SettingUp = -1 << 15

// SmallFrame is how many cells a frame has that needs no more.
const SmallFrame = 32

// MaxListed is how many places a game may have for such words.
const MaxListed = 256

// InHand in a piece's Prev cell says that it has been taken up and stands nowhere.
const InHand = -2

// Player status.
const (
	Playing = 0
	Ranked  = 1
	Dropped = 2
)

// Layout says where things are in the state and the tables.
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
	Numbers     int // numbers of play each
	Frame       int // first cell that lives only within a turn
	FrameEnd    int
	Size        int  // of the state
	Keeps       bool // a turn may be undone
	FirstSquare int  // places below are zones

	// In the tables.
	PieceColour  int
	ColourPlayer int
	NodePlace    int // place of each node
	NodeNext     int // the next node, and the one before
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
	Usual   []int // of a choice: numbers that may be among those to choose from
	Deck    int   // cells of what is left of a deck, one a value; -1 if it is none
}

// Throw is a place in the program that throws.
type Throw struct {
	Dice  []int
	Lot   bool    // who begins, drawn by lot: the number of a seat
	Start bool    // thrown to find who begins
	Fair  []int16 // the values of one die that gives each as likely as the others; nil for other throws
	Cell  int     // which it goes to
}

// Point is where the program goes on after a node or a call.
type Point struct {
	PC int32
	To *Word // the instruction there
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
	Words    []Word  // the same, for the machine
	Sites    []int32 // for each instruction where it comes from, 0 for nowhere
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
	Duties   []int // counters of the duties of each play, from the offset Filter names
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
	Tracks      *Tracks          // nil where no sets of squares are kept
	Plain       [MaxListed]uint8 // 1 for each square that no set of squares holds with one piece or none
	PlaceOf     [MaxNodes]int16  // of each node its place, where sets of squares are kept
	Rows        []RowSet         // of each decision that works with sets of pieces

	copies int32 // instructions before this one have no rounds, however they jump, see apart
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
