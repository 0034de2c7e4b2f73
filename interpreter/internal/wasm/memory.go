package wasm

import (
	"encoding/binary"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// memory says where everything lies, in bytes. What games change comes first, then what never changes.
type memory struct {
	words           int // what a game reads when it begins and writes when it has ended, see word
	since           int // of each team after how many throws it came to lead
	state, counters int
	derived         int
	sets, setSize   int // of each place the pieces there, in as many bytes as they need; before the first the set of nowhere
	squares         int
	picks           int
	options         int // of a list, see option.go; their paths, and the one that is growing
	paths, path     int
	values, script  int // of options, and of picks, in looks ahead; then the states that are kept
	saved           int
	stand           int // of each team how far its pieces have come together
	scratch         int
	kept            int // the state and derived words that an undo brings back

	stateEnd int // where the state and what follows from it end

	image, tables, masks    int
	quiet, square, table    int
	resting                 int // of each place the sets that hold it when it is empty
	tableSays, node0        int
	length, ways, far, team int
	size                    int
	top                     int // the tables of two bytes an element are below
}

// word is something a game works with, in a variable of its own.
type word int

const (
	// What is settled before a game.
	wRandom    word = iota // 64 bits: where the source of random numbers stands
	wMaxThrows             // the number of throws that ends a game
	wLeads                 // 1 where it is looked at who leads
	wFirst                 // the seat that begins, -1 by the rules; then the one that began
	// What a game comes to.
	wThrows
	wDecisions
	wUnfinished // 1: ended by wMaxThrows
	wOver       // 1: ended in the middle of a procedure
	wLong       // 1: so much came between two nodes, or two throws, that the interpreter must see to it
	wLeader     // the team that leads, -1 for none, and how often that changed
	wChanges
	wRanked // the throws after which the first player was ranked, -1 while there is none
	wBefore // the decisions until then
	// What it works with.
	wOut   // 1: a player may be out of the game
	wNext  // 64 bits: the random bits that come next
	wAlarm // after so many throws there is something to see to
	wFuel  // jumps backwards left until the next node
	wMoved // not 0: there is something to look at; where the rules say who leads, the teams, a bit each, whose standing may have changed
	wAhead // how far the leader has come, where the rules do not say who leads
	wSays  // 64 bits, and so the next; what spoken has come to
	wHolds
	wTold   // 64 bits; how often each clause has spoken of walks that were followed, 8 bits for each
	wBeyond // and how often they met the end of the track
	wPicks  // how many candidates there are
	wTaken  // the number of the one, or of the option, that was drawn
	wList   // where the list of options begins, and how many there are
	wOptions
	wPathLen // of the path that is growing
	// What looks ahead work with, see look.go.
	wLevel // how many options are being carried out
	wTried // how many options stood in the list before
	wSpent // what has been spent
	wPick  // the number of the next pick in the script, and how many there are
	wPicked
	wChoices // how many choices there were since the last throw, where many may follow one another
	numberWords
)

func (w word) kind() kind {
	if w == wRandom || w == wNext || w == wSays || w == wHolds || w == wTold {
		return i64
	}
	return i32
}

// newMemory lays the memory out. Read-only parts are indexed by numbers that the rules work out; an index of nil lies far outside the memory.
func newMemory(p *code.Program, nodes int, looks bool) *memory {
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
	m.derived, m.squares, m.stand = take(8*min(code.DerivedPlaces, len(p.Derived))), take(len(p.Squares)), take(8*l.Teams)
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
		m.kept = take(m.stateSize())
	}
	if looks {
		m.values, m.script = take(2*code.MaxOptions), take(pickSize*code.MaxDepth)
		m.saved = take((maxLevels + 1) * m.stateSize())
	}
	m.image = take(m.stateSize())
	m.tables, m.masks = take(2*len(p.Tables)), take(8*len(p.Masks))
	m.far, m.team = take(2*nodes), take(l.Pieces)
	m.top = at
	if t := p.Tracks; t != nil {
		m.quiet, m.square = take(2*len(t.Quiet)), take(2*len(t.Nodes))
		m.top = at
		m.resting = take(8 * l.Places)
		m.table, m.tableSays = take(8*len(t.Holds)), take(8*len(t.Says))
		m.node0, m.length = take(4*64), take(4*64)
		m.ways = take(8 * (code.Ahead + 2))
	}
	m.size = max(at+8*code.MaxListed+code.MaxNodes, m.top+2<<16) // what is read past the end of a table is masked out
	return m
}

// placeSets are the sets of the places among the derived words, and before them that of nowhere.
func placeSets(derived []uint64) []uint64 { return derived[min(code.DerivedPlaces-1, len(derived)):] }

// stateSize is the size of the state with all that follows from it.
func (m *memory) stateSize() int { return m.stateEnd - m.state }

// pages is the size in pages of 64 KiB.
func (m *memory) pages() uint32 { return uint32(m.size+1<<16-1) >> 16 }

// fill writes all that never changes into a new memory.
func (m *memory) fill(mem []byte, s *Source) {
	p := s.Program
	le := binary.LittleEndian
	put16 := func(at int, list []int16) {
		for i, v := range list {
			le.PutUint16(mem[at+2*i:], uint16(v))
		}
	}
	put64 := func(at int, list []uint64) {
		for i, v := range list {
			le.PutUint64(mem[at+8*i:], v)
		}
	}
	put32 := func(at int, list []int) {
		for i, v := range list {
			le.PutUint32(mem[at+4*i:], uint32(v))
		}
	}
	put16(m.image, p.Initial)
	put64(m.image+m.derived-m.state, p.Derived[:min(code.DerivedPlaces, len(p.Derived))])
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
	put16(m.tables, p.Tables)
	put64(m.masks, p.Masks)
	for i, v := range s.Far { // the first is for off the track
		le.PutUint16(mem[m.far+2*(i+1):], uint16(v+1))
	}
	for i, team := range s.Team {
		mem[m.team+i] = byte(4 * team)
		if node := p.Initial[p.Layout.Node+i]; node >= 0 && s.Lead == 0 {
			far := mem[m.image+m.stand-m.state+4*team:]
			le.PutUint32(far, le.Uint32(far)+uint32(s.Far[node]+1))
		}
	}
	t := p.Tracks
	if t == nil {
		return
	}
	put16(m.quiet, t.Quiet[:])
	put16(m.square, t.Nodes)
	put64(m.table, t.Holds)
	for place := range p.Layout.Places {
		put64(m.resting+8*place, t.Holds[place*t.Keys:place*t.Keys+1])
	}
	put64(m.tableSays, t.Says)
	for i, w := range t.Walker {
		put32(m.node0+4*i, []int{w.Node})
		put32(m.length+4*i, []int{w.End - w.Node})
	}
	for n := 1; n <= code.Ahead; n++ {
		put64(m.ways+8*n, []uint64{code.Way(n)})
	}
	put64(m.ways+8*(code.Ahead+1), []uint64{code.Every << code.SetStops}) // as there are more squares to come
}
