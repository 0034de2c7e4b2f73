package code

// The sets of squares that are kept along each colour's track: where the clauses that judge steps say something. They are bits of
// a byte for each square, so that one look shows eight squares.
const (
	SetStops    = iota // no walk goes straight into it
	SetEnds            // no walk ends on it, going straight
	SetHard            // of those that stop: something else may be said there, the walk must be walked
	SetHardLast        // of those that end no walk: likewise, of its last step
	SetTurns           // of those that stop: a walk turns round before it
	TrackSets
)

// In is a set as the bit of a byte.
func In(set int) uint64 { return 1 << set }

// Every is the lowest bit of each byte.
const Every = 0x0101010101010101

// Parted makes the sets that hold a place, as they were told one by one, such that no walk turns before what is barred, and all
// that stop a walk are in the sets for that. What is hard may turn.
func Parted(holds uint64) uint64 {
	set := func(n int) uint64 { return holds >> n & Every }
	bars, hard, last := set(SetStops), set(SetHard), set(SetHardLast)
	turns := set(SetTurns) &^ bars
	return (bars|hard|turns)<<SetStops | (set(SetEnds)|last)<<SetEnds | hard<<SetHard | last<<SetHardLast | turns<<SetTurns
}

// Ahead is how many squares one look shows.
const Ahead = 8

// Way is the bits, in one look at the squares ahead, of what stops a walk of up to Ahead steps: what no walk goes into, and on the last
// square also what no walk ends on.
func Way(steps int) uint64 {
	return Every>>(8*(Ahead-steps))<<SetStops | In(SetEnds)<<(8*(steps-1))
}

// MaxTrackColours is how many colours a game may have for sets along their tracks; MaxJudges how many clauses may judge.
const (
	MaxTrackColours = 8
	MaxJudges       = 8
)

// MaxStraight is the longest walk that the sets can tell of.
const MaxStraight = 64

// The nodes of the colours' tracks are numbered one after the other, with NodeFirst numbers before the first and NodeGap between two
// tracks that are no nodes. So the squares can be looked up by nodes: there walks past the end are stopped, and those off the
// track, where the node is -1.
const (
	NodeFirst = Ahead
	NodeGap   = MaxStraight + Ahead
	MaxNodes  = 1 << 12 // numbers, with those
)

// Tracks says where the squares of the tracks lie, each at its node, and which sets hold them for what stands on them. That can
// be tabulated because the clauses look at nothing but the square, the colours of what stands there and the walker's colour.
type Tracks struct {
	Base   []int // of each colour the first node of its run
	Length []int // of each colour how many nodes it has
	Loop   bool  // after the last node comes the first

	Nodes []int16 // for each colour and place the place's node on its track, 0 where it is not on it
	// Quiet is for each place how many pieces may stand there without any set holding it, -1 where one does with none.
	Quiet [MaxListed]int16
	Keys  int // how many things that can stand on a place are tabulated, see Machine.key
	// Holds says for each place and key which sets hold it: bit 8*colour+set.
	Holds []uint64
	// Says says for each place and key which judges speak: bit 8*judge+colour.
	Says   []uint64
	Judges []Judge
	Speaks [TrackSets]uint64 // of each set the judges whose set it is: every bit of theirs in Says
	// Told says for each place and key which questions are answered yes: bit 8*question+colour, if the place is Tabled for the question.
	Told      []uint64
	Tabled    [MaxListed]uint8
	Alone     [MaxListed]uint8 // a bit for each question that is answered no of a piece and the place where it stands alone, whatever its colour
	Questions []Question
	// Walker is for each piece what its walks need.
	Walker [64]Walker
	Has    [TrackSets]bool // which sets may hold squares
	Ask    int             // entry that asks all clauses about the step of piece CellP0 to place CellTo with CellP1 steps left after it, or 0; it gives a Said
	Early  bool            // who ends a walk before its number is used up asks the clauses about ends once more
	Beyond int             // counter of the clause that speaks of a step past the end of the track, or -1
}

// Walker is where a piece's track lies: its first node, and the one after its last.
type Walker struct{ Node, End int }

// On is the index so many steps on, or back.
func (w *Walker) On(t *Tracks, at, steps int, back bool) int {
	if back {
		steps = -steps
	}
	at += steps
	if length := w.End - w.Node; t.Loop && at >= length {
		return at - length
	} else if t.Loop && at < 0 {
		return at + length
	}
	return at
}

// Said is what all clauses together say of a step, with the counter of the clause that decides.
type Said int

// What can be said of a step.
const (
	SaidGo    Said = iota
	SaidBar        // it is barred
	SaidTurn       // the walk turns round before it
	SaidOther      // it must be walked
	saidKinds
)

// SayingOf is what a clause with a counter says.
func SayingOf(s Said, counter int) Said { return s + saidKinds*Said(counter) }

// Of is what is said, and the counter of the clause.
func (s Said) Of() (what Said, counter int) { return s % saidKinds, int(s / saidKinds) }

// Judge is a clause that judges steps.
type Judge struct {
	Set     int
	Counter int
	Entry   int // entry that asks it of piece CellP0 and place CellTo
}

// Question is a condition on a piece and a place, or on a piece where it stands, that asks for no more of the piece than its colour, and of the place
// for no more than what stands there, by colours.
type Question struct {
	Entry  int  // entry that asks it of piece CellP0 and place CellTo
	Stands bool // the piece stands on the place
}

// MaxQuestions is how many questions a game may have answers of in a table.
const MaxQuestions = 8

// RowSet is the rows of a decision, and where it leads.
type RowSet struct {
	Rows          []Row
	Play          int
	Point         int    // where what has been chosen is taken
	None, One     int32  // where execution goes on without options, and with the only one taken
	ToNone, ToOne *Instr // the instructions there
}

// Row is options of one clause with one number: a set of pieces, each of which may be moved. They are in the order of the
// pieces' numbers.
type Row struct {
	Clause, Move      int
	Kind              RowKind
	Set               uint8 // register of the set
	To, Steps, Number Source
	Counts            bool // Number is Steps
	Colour            int  // of the pieces, or -1 for the colour in turn or any
	Group             int  // rows of a group are one list: piece by piece, then row by row
}

// RowKind says where an option of a row ends.
type RowKind uint8

// The kinds.
const (
	RowTo   RowKind = iota // at a place
	RowWalk                // after a walk of Number steps
	RowStay                // where the piece stands
	RowNone                // likewise, but the piece is not set down
)

// MaxRows is how many rows a decision may have.
const MaxRows = 32
