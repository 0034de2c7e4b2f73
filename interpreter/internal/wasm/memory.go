package wasm

import (
	"encoding/binary"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// memory is the layout of the linear memory, in bytes: first what games change, then read-only data.
type memory struct {
	words           int // input and results of a game, see word
	since           int // for each team, the number of throws after which it took the lead
	state, counters int
	derived         int
	sets, setSize   int // for each place, the set of its pieces, in as few bytes as possible; the set of "nowhere" precedes the first
	squares         int
	picks           int
	options         int // records of an option list, see option.go; their paths, and the path under construction
	paths, path     int
	values, script  int // lookahead: values of options, and the script of picks; then the saved states
	saved           int
	teamProgress    int // sum of the progress of each team's pieces
	scratch         int
	undo            int // state and derived words that an undo restores

	stateEnd int // end of the state and its derived data

	image, tables, masks         int
	quiet, square, setTable      int
	emptySets                    int // for each place, the track sets that contain it when it is empty
	judgeTable, node0            int
	length, ways, progress, team int
	size                         int
	top                          int // tables with two-byte elements are below this address
}

// word is a variable of a game, held in a module variable.
type word int

const (
	// Input of a game.
	wRandom    word = iota // 64 bits: the state of the random number generator
	wMaxThrows             // the game ends after this number of throws
	wLeads                 // 1: find the leader
	wFirst                 // the seat that begins, -1 if the rules choose; afterwards the seat that began
	// Results of a game.
	wThrows
	wDecisions
	wUnfinished // 1: ended by wMaxThrows
	wOver       // 1: ended inside a procedure
	wLong       // 1: out of fuel or choices; the interpreter must play the game
	wLeader     // the leading team, -1 for none, and how often it changed
	wChanges
	wRanked // number of throws before the first player was ranked, -1 if there is none
	wBefore // number of decisions up to that throw
	// Working variables.
	wEliminated // 1: a player may be out of the game
	wNext       // 64 bits: the next random bits
	wCheckAt    // number of throws after which the limits are checked
	wFuel       // loop iterations left until the next node
	wDirty      // dirty bits, one for each team whose lead may have changed; without a lead rule, not 0 if the leader may have changed
	wBest       // progress of the leader, if the rules define no lead
	wJudges     // 64 bits, as the next one; results of askJudges
	wSets
	wClauseCounts // 64 bits: how often each judge applied to walks that were followed, 8 bits each
	wBeyondCounts // and how often a walk reached the end of the track
	wPicks        // number of candidates
	wTaken        // number of the candidate, or option, that was drawn
	wList         // first record of the option list, and its length
	wOptions
	wPathLen // length of the path under construction
	// Variables of lookahead, see look.go.
	wLevel // nesting depth of lookaheads
	wTried // length of the previous option list
	wSpent // fuel consumed
	wTimes // 64 bits: how often a counter counts
	wPick  // number of the next pick in the script, and the length of the script
	wPicked
	wChoices // choices since the last throw, in games where many may follow one another
	numberWords
)

func (w word) kind() kind {
	if w == wRandom || w == wNext || w == wJudges || w == wSets || w == wClauseCounts || w == wTimes {
		return i64
	}
	return i32
}

// newMemory computes the layout. Read-only parts are indexed by values that the rules compute; an index of nil lies far outside the memory.
func newMemory(p *code.Program, nodes int, lookahead bool) *memory {
	m := &memory{}
	at := 0
	take := func(n int) int {
		was := at
		at += (n + 7) &^ 7
		return was
	}
	l := &p.Layout
	m.words = take(8 * int(numberWords))
	m.since = take(4 * l.Teams)
	m.state = take(2 * l.Size)
	m.derived, m.squares, m.teamProgress = take(8*min(code.DerivedPlaces, len(p.Derived))), take(len(p.Squares)), take(8*l.Teams)
	m.setSize = 2
	for 8*m.setSize < l.Pieces {
		m.setSize *= 2
	}
	m.sets = m.setSize + take(m.setSize*len(placeSets(p.Derived)))
	m.stateEnd = at
	m.counters = take(8 * p.Counters)
	m.scratch = take(2*p.Scratch + 8)
	m.picks, m.options = take(2*code.MaxOptions), take(optionSize*code.MaxOptions)
	if l.Path >= 0 {
		m.path, m.paths = take(pathSize), take(pathSize*code.MaxOptions)
	}
	if l.Keeps {
		m.undo = take(m.stateSize())
	}
	if lookahead {
		m.values, m.script = take(2*code.MaxOptions), take(pickSize*code.MaxDepth)
		m.saved = take((maxLevels + 1) * m.stateSize())
	}
	m.image = take(m.stateSize())
	m.tables, m.masks = take(2*len(p.Tables)), take(8*len(p.Masks))
	m.progress, m.team = take(2*nodes), take(l.Pieces)
	m.top = at
	if t := p.Tracks; t != nil {
		m.quiet, m.square = take(2*len(t.Quiet)), take(2*len(t.Nodes))
		m.top = at
		m.emptySets = take(8 * l.Places)
		m.setTable, m.judgeTable = take(8*len(t.Holds)), take(8*len(t.Says))
		m.node0, m.length = take(4*64), take(4*64)
		m.ways = take(8 * (code.Ahead + 2))
	}
	m.size = max(at+8*code.MaxListed+code.MaxNodes, m.top+2<<16) // reads past the end of a table are masked out
	return m
}

// word is the address of a variable of a game, for its input and its results.
func (m *memory) word(w word) int { return m.words + 8*int(w) }

// placeSets are the derived sets of the places, preceded by the set of "nowhere".
func placeSets(derived []uint64) []uint64 { return derived[min(code.DerivedPlaces-1, len(derived)):] }

// stateSize is the size of the state with its derived data.
func (m *memory) stateSize() int { return m.stateEnd - m.state }

// pages is the size in pages of 64 KiB.
func (m *memory) pages() uint32 { return uint32(m.size+1<<16-1) >> 16 }

// fill writes the read-only data into a new memory.
func (m *memory) fill(mem []byte, s *Source) {
	p := s.Program
	le := binary.LittleEndian
	put := func(at int, data any) {
		if _, err := binary.Encode(mem[at:], le, data); err != nil {
			panic(err) // the layout has room for it
		}
	}
	put(m.image, p.Initial)
	put(m.image+m.derived-m.state, p.Derived[:min(code.DerivedPlaces, len(p.Derived))])
	for i, set := range placeSets(p.Derived) {
		at := mem[m.image+m.sets-m.state+m.setSize*(i-1):]
		switch m.setSize {
		case 2:
			le.PutUint16(at, uint16(set))
		case 4:
			le.PutUint32(at, uint32(set))
		default:
			le.PutUint64(at, set)
		}
	}
	copy(mem[m.image+m.squares-m.state:], p.Squares)
	put(m.tables, p.Tables)
	put(m.masks, p.Masks)
	for i, v := range s.Far { // the first element is for pieces off the track
		le.PutUint16(mem[m.progress+2*(i+1):], uint16(v+1))
	}
	for i, team := range s.Team {
		mem[m.team+i] = byte(4 * team)
		if node := p.Initial[p.Layout.Node+i]; node >= 0 && s.Lead == 0 {
			progress := mem[m.image+m.teamProgress-m.state+4*team:]
			le.PutUint32(progress, le.Uint32(progress)+uint32(s.Far[node]+1))
		}
	}
	t := p.Tracks
	if t == nil {
		return
	}
	put(m.quiet, t.Quiet[:])
	put(m.square, t.Nodes)
	put(m.setTable, t.Holds)
	for place := range p.Layout.Places {
		put(m.emptySets+8*place, t.Holds[place*t.Keys])
	}
	put(m.judgeTable, t.Says)
	for i, w := range t.Walker {
		put(m.node0+4*i, int32(w.Node))
		put(m.length+4*i, int32(w.End-w.Node))
	}
	for n := 1; n <= code.Ahead; n++ {
		put(m.ways+8*n, code.Way(n))
	}
	put(m.ways+8*(code.Ahead+1), uint64(code.Every<<code.SetStops)) // more squares follow: only stops count
}
