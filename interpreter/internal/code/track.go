package code

// Track sets: sets of squares along each colour's track where the clauses that judge steps apply. Each square has a byte with one bit for
// each set, so that one load (a window) reads eight squares.
const (
	SetStops    = iota // no walk moves straight onto the square
	SetEnds            // no straight walk ends on the square
	SetHard            // subset of SetStops: the answer may depend on more, so the step must be judged individually
	SetHardLast        // subset of SetEnds: the same for the last step
	SetTurns           // subset of SetStops: a walk turns round before the square
	TrackSets
)

// In is the bit of a set.
func In(set int) uint64 { return 1 << set }

// Every is the lowest bit of each byte.
const Every = 0x0101010101010101

// Parted combines the sets of the judges of a place: a bar overrides a turn, and every set that stops a walk implies SetStops or SetEnds.
// SetHard does not override a turn.
func Parted(holds uint64) uint64 {
	set := func(n int) uint64 { return holds >> n & Every }
	bars, hard, last := set(SetStops), set(SetHard), set(SetHardLast)
	turns := set(SetTurns) &^ bars
	return (bars|hard|turns)<<SetStops | (set(SetEnds)|last)<<SetEnds | hard<<SetHard | last<<SetHardLast | turns<<SetTurns
}

// Ahead is the number of squares in a window.
const Ahead = 8

// Way is the mask that selects, from a window, what stops a walk of up to Ahead steps: SetStops on each square, and SetEnds on the last
// one.
func Way(steps int) uint64 {
	return Every>>(8*(Ahead-steps))<<SetStops | In(SetEnds)<<(8*(steps-1))
}

// MaxTrackColours is the largest number of colours in a game with track sets; MaxJudges the largest number of judges.
const (
	MaxTrackColours = 8
	MaxJudges       = 8
)

// MaxStraight is the longest walk that the track sets support.
const MaxStraight = 64

// Nodes of all tracks are numbered consecutively, with NodeFirst dummy numbers before the first track and NodeGap between tracks. The dummy
// squares stop walks past the end of a track, and walks of pieces off the track (node -1).
const (
	NodeFirst = Ahead
	NodeGap   = MaxStraight + Ahead
	MaxNodes  = 1 << 12 // including dummy numbers
)

// Tracks describes the tracks and tabulates the track sets of each square for the pieces on it. Tables are possible because the judges read
// only the square, the colours of the pieces on it, and the walker's colour.
type Tracks struct {
	Base   []int // first node of each colour's run
	Length []int // number of nodes of each colour
	Loop   bool  // the first node follows the last

	Nodes []int16 // for each colour and place the node on the colour's track, 0 off the track
	// Quiet is the largest number of pieces on each place with empty track sets, -1 if the sets of the empty place are not empty.
	Quiet [MaxListed]int16
	Keys  int // number of keys; a key encodes the pieces on a place, see Machine.key
	// Holds is the track sets for each place and key: bit 8*colour+set.
	Holds []uint64
	// Says is the judges that apply for each place and key: bit 8*judge+colour.
	Says   []uint64
	Judges []Judge
	Speaks [TrackSets]uint64 // for each set, the mask of its judges in Says
	// Told is the predicates that are true for each place and key: bit 8*question+colour. It is valid if the place is Tabled for the
	// question.
	Told      []uint64
	Tabled    [MaxListed]uint8
	Alone     [MaxListed]uint8 // for each place, the questions that are false for any piece that stands there alone
	Questions []Question
	// Walker describes each piece's track.
	Walker [64]Walker
	Has    [TrackSets]bool // the sets that are not always empty
	Ask    int             // entry that judges the step of piece CellP0 to place CellTo with CellP1 steps left, or 0; its value is a Said
	Early  bool            // a walk that ends early is judged again by the clauses about ends
	Beyond int             // counter of the clause about steps past the end of the track, or -1
}

// Walker is the range of nodes of a piece's track: the first node, and the one after the last.
type Walker struct{ Node, End int }

// On is the index after some steps forwards or backwards.
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

// Said is the verdict of all clauses on a step, with the counter of the deciding clause.
type Said int

// The verdicts.
const (
	SaidGo    Said = iota
	SaidBar        // barred
	SaidTurn       // the walk turns round before it
	SaidOther      // unknown: judge the step individually
	saidKinds
)

// SayingOf encodes the verdict of a clause.
func SayingOf(s Said, counter int) Said { return s + saidKinds*Said(counter) }

// Of decodes a verdict and the counter of the clause.
func (s Said) Of() (what Said, counter int) { return s % saidKinds, int(s / saidKinds) }

// Judge is a clause that judges steps.
type Judge struct {
	Set     int
	Counter int
	Entry   int // entry that evaluates it for piece CellP0 and place CellTo
}

// Question is a predicate on a piece and a place, or on a piece where it stands. It depends only on the piece's colour, the place, and the
// colours of the pieces on the place.
type Question struct {
	Entry  int  // entry that evaluates it for piece CellP0 and place CellTo
	Stands bool // the piece stands on the place
}

// MaxQuestions is the largest number of tabulated predicates.
const MaxQuestions = 8

// RowSet is the rows of a decision, with the jump targets.
type RowSet struct {
	Rows          []Row
	Play          int
	Point         int    // continues here after a choice
	None, One     int32  // targets without options, and with a single option, which is already taken
	ToNone, ToOne *Instr // the instructions there
}

// Row is the options of one clause with one number: each piece of a set may move. Options are ordered by piece number.
type Row struct {
	Clause, Move      int
	Kind              RowKind
	Set               uint8 // register of the set
	To, Steps, Number Source
	Counts            bool // Number is Steps
	Colour            int  // of the pieces, or -1 for the colour in turn or any
	Group             int  // rows of a group form one list, ordered by piece and then by row
}

// RowKind says where the options of a row end.
type RowKind uint8

// The kinds.
const (
	RowTo   RowKind = iota // on a place
	RowWalk                // after a walk of Number steps
	RowStay                // where the piece stands
	RowNone                // the same, but the piece is not set down
)

// MaxRows is the largest number of rows of a decision.
const MaxRows = 32
