package interpreter

import (
	"encoding/binary"
	"math/big"
	"math/bits"
	"slices"
	"sync"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Canonical gives the positions at throws of dice short keys, for programs that enumerate millions of them. Positions
// that the rules cannot tell apart have the same key: those that differ only in which of a colour's pieces stands
// where, or in the names of the players. The analysis of the rules is in symmetry.go; where it is not sure, positions
// stay apart. A key is packed: the placements of each colour's pieces are numbered densely by the combinatorial number
// system (D. E. Knuth, The Art of Computer Programming, volume 4A, section 7.2.1.3), everything else is a number from
// a table that grows with the positions met.
//
// A Canonical is safe for several goroutines; each uses a Coder of its own.
type Canonical struct {
	game   *Game
	syms   []symmetry
	merged bool // pieces of a colour are interchangeable
	idle   bool // what describes a count is not read after it
	none   bool // no position has a key: an undo would restore another one, or pieces change hands

	spots   [][]spot    // of each colour: where a piece can be, by its code
	codes   [][]int32   // of each colour: the code by node, or by place off the track; -1 if there is none
	renamed [][][]int32 // of each symmetry and colour: the code in the renamed position
	vars    []pieceVar
	factor  int // how many values the variables of a piece have together

	cells  []plainCell
	target [][]int // of each symmetry: where the value of each plain cell goes
	other  []int   // cells that are none of these and nothing that is reset or follows from them: merged only at their initial values
	refs   [][]int // of each symmetry: the plain cells that hold pieces, by where they go

	width []uint // bits of the placement number of each colour
	shift []uint // where they stand in their word
	word  []int  // which word
	words int    // of a key
	binom [][]uint64
	first uint // bits of the first word that number the rest

	mu   sync.RWMutex
	rest map[string]uint32
	all  []string
}

// spot is where a piece is: a node of its track, or a place off it.
type spot struct{ place, node int16 }

// pieceVar is a variable of pieces.
type pieceVar struct{ cell, low, size int }

// plainCell is a cell of the state that is not the place of a piece.
type plainCell struct {
	cell int
	kind model.Kind // what its value names
	die  int        // the die whose last value it holds, or -1
}

// Canonical prepares keys for the positions of a game. Players are renamed only to others of the same kind: kinds has
// a number for each seat; the rest are of kind 0.
func (g *Game) Canonical(kinds []int) *Canonical {
	c := &Canonical{game: g, none: g.prog.Layout.Keeps || g.rules.Owner != nil, rest: map[string]uint32{}}
	c.idle = countsOnly(g.rules)
	c.syms = []symmetry{rotated(g.rules, 0)}
	if !c.none {
		c.merged = alike(g.rules)
		if c.merged {
			c.syms = slices.DeleteFunc(symmetries(g.rules), func(s symmetry) bool {
				kind := func(seat int) int {
					if seat < len(kinds) {
						return kinds[seat]
					}
					return 0
				}
				for seat, to := range s.seats {
					if kind(seat) != kind(to) {
						return true
					}
				}
				return false
			})
		}
	}
	for _, v := range g.rules.Vars {
		if v.Type.List && v.Type.Kind != model.Number { // a set of places, say, has no renaming
			c.syms = c.syms[:1]
		}
	}
	c.pieceVars()
	c.placements()
	c.plain()
	c.otherCells()
	for _, target := range c.target {
		var refs []int
		for i, x := range c.cells {
			if x.kind == model.Piece && c.merged {
				refs = append(refs, i)
			}
		}
		slices.SortFunc(refs, func(a, b int) int { return target[a] - target[b] })
		c.refs = append(c.refs, refs)
	}
	return c
}

// pieceVars decides whether the variables of pieces are part of where a piece is.
func (c *Canonical) pieceVars() {
	const most = 64
	c.factor = 1
	g := c.game
	for i, v := range g.rules.Vars {
		if v.Scope != model.ScopePiece {
			continue
		}
		slot := g.unit.Vars[i]
		low, size := v.Low, v.High-v.Low+1
		if v.Type.Kind == model.Flag {
			low, size = 0, 2
		}
		plain := slot.Words == 0 && (v.Type.Kind == model.Number || v.Type.Kind == model.Flag)
		if !plain || c.factor*size > most {
			c.merged, c.factor, c.vars, c.syms = false, 1, nil, c.syms[:1]
			return
		}
		c.factor *= size
		c.vars = append(c.vars, pieceVar{slot.Cell, low, size})
	}
}

// placements numbers where the pieces of each colour can be.
func (c *Canonical) placements() {
	g, l := c.game, &c.game.prog.Layout
	for colour := range l.Colours {
		run := g.rules.Track.Runs[g.rules.Colours[colour].Board].Nodes
		base := g.prog.Nodes[colour]
		codes := make([]int32, len(run)+l.Places)
		var spots []spot
		on := make([]bool, l.Places)
		for i, n := range run {
			codes[i] = int32(len(spots))
			spots = append(spots, spot{int16(n.Place), int16(base + i)})
			on[n.Place] = true
		}
		for p := range l.Places {
			codes[len(run)+p] = -1
			if !on[p] {
				codes[len(run)+p] = int32(len(spots))
				spots = append(spots, spot{int16(p), None})
			}
		}
		c.spots, c.codes = append(c.spots, spots), append(c.codes, codes)
	}
	for _, s := range c.syms {
		renamed := make([][]int32, l.Colours)
		for colour, to := range s.colours {
			run := len(g.rules.Track.Runs[g.rules.Colours[colour].Board].Nodes)
			for i, at := range c.spots[colour] {
				if i < run {
					renamed[colour] = append(renamed[colour], int32(i))
				} else {
					renamed[colour] = append(renamed[colour], c.codes[to][run+s.places[at.place]])
				}
			}
		}
		c.renamed = append(c.renamed, renamed)
	}
	// binom[k][n] is n over k. Overflow means that a placement does not fit a word; then pieces are numbered one by one.
	n, most := l.PerColour, 0
	for _, s := range c.spots {
		most = max(most, len(s)*c.factor+n)
	}
	if c.merged && new(big.Int).Binomial(int64(most), int64(n)).BitLen() > 62 {
		c.merged, c.syms, c.renamed = false, c.syms[:1], c.renamed[:1]
	}
	if c.merged {
		c.binom = make([][]uint64, n+1)
		for k := range c.binom {
			c.binom[k] = make([]uint64, most+1)
			for m := range c.binom[k] {
				c.binom[k][m] = new(big.Int).Binomial(int64(m), int64(k)).Uint64()
			}
		}
	}
	const restBits = 20
	word, used := 0, uint(restBits)
	add := func(width uint) {
		if used+width > 64 {
			word, used = word+1, 0
		}
		c.width, c.shift, c.word = append(c.width, width), append(c.shift, used), append(c.word, word)
		used += width
	}
	for colour := range l.Colours {
		if c.merged {
			add(uint(bits.Len64(c.binom[n][len(c.spots[colour])*c.factor+n-1] - 1)))
			continue
		}
		for range n {
			add(uint(bits.Len(uint(len(c.spots[colour])*c.factor - 1))))
		}
	}
	c.words, c.first = word+1, restBits
	if c.words == 1 { // the rest may take what is free
		free := 64 - used
		for i := range c.shift {
			c.shift[i] += free
		}
		c.first += free
	}
	c.first = min(c.first, 32)
}

// plain lists the cells that are not places of pieces, and where a renaming takes them.
func (c *Canonical) plain() {
	g, l := c.game, &c.game.prog.Layout
	c.target = make([][]int, len(c.syms))
	add := func(cell int, kind model.Kind, die int) {
		for s := range c.syms {
			c.target[s] = append(c.target[s], len(c.cells))
		}
		c.cells = append(c.cells, plainCell{cell, kind, die})
	}
	owned := func(scope model.Scope, cell int, kind model.Kind, n int) {
		begin := len(c.cells)
		for o := range n {
			add(cell+o, kind, -1)
			for s := range c.syms {
				if of := c.syms[s].owner(scope); of != nil {
					c.target[s][begin+o] = begin + of[o]
				}
			}
		}
	}
	for _, cell := range []int{code.CellPoint, code.CellAgain, code.CellOver, code.CellRanked, code.CellQueue} {
		add(cell, model.Number, -1)
	}
	add(code.CellMe, model.Player, -1)
	colour := model.Number
	if g.rules.TurnsByColour {
		colour = model.Colour
	}
	add(code.CellColour, colour, -1)
	add(code.CellWinner, model.Team, -1)
	for i := range g.prog.Dice {
		add(l.Dice+i, model.Number, i)
		if d := &g.prog.Dice[i]; d.Deck >= 0 {
			for j := range d.Values {
				add(d.Deck+j, model.Number, -1)
			}
		}
	}
	owned(model.ScopePlayer, l.Status, model.Number, l.Players)
	owned(model.ScopePlayer, l.Rank, model.Number, l.Players)
	for i, v := range g.rules.Vars {
		slot := g.unit.Vars[i]
		if v.Scope == model.ScopePiece && c.vars != nil {
			continue
		}
		n := 1
		switch v.Scope {
		case model.ScopeTeam:
			n = l.Teams
		case model.ScopePlayer:
			n = l.Players
		case model.ScopeColour:
			n = l.Colours
		case model.ScopePiece:
			n = l.Pieces
		}
		kind := v.Type.Kind
		if slot.Words > 0 {
			kind = model.Number
		}
		for w := range max(1, slot.Words) {
			owned(v.Scope, slot.Cell+w*n, kind, n)
		}
	}
}

// otherCells lists the cells that neither keys nor the beginning of a count account for.
func (c *Canonical) otherCells() {
	l := &c.game.prog.Layout
	known := make([]bool, l.Size)
	span := func(from, n int) {
		for i := range n {
			known[from+i] = true
		}
	}
	for _, x := range c.cells {
		known[x.cell] = true
	}
	for _, v := range c.vars {
		span(v.cell, l.Pieces)
	}
	for _, cell := range spentCells {
		known[cell] = true
	}
	for _, cell := range append(countCells[:], code.CellPlays) {
		known[cell] = true
	}
	span(l.Queue, 2*code.MaxQueue)
	for _, first := range []int{l.Count, l.Head, l.Tail} {
		span(first, l.Places)
	}
	for _, first := range []int{l.Next, l.Prev, l.At, l.Node} {
		span(first, l.Pieces)
	}
	if l.Path >= 0 {
		span(l.Path, code.MaxPath/4)
	}
	span(l.Numbers, l.NumbersEnd-l.Numbers)
	span(l.Frame, l.FrameEnd-l.Frame)
	for cell, known := range known {
		if !known {
			c.other = append(c.other, cell)
		}
	}
}

// owner is how a symmetry renames the owners of a scope, nil where there are none or they keep their numbers.
func (s *symmetry) owner(scope model.Scope) []int {
	switch scope {
	case model.ScopeTeam:
		return s.teams
	case model.ScopePlayer:
		return s.seats
	case model.ScopeColour:
		return s.colours
	}
	return nil
}

// Words is the length of a key.
func (c *Canonical) Words() int { return c.words }

// Merged reports whether pieces of a colour count as one another.
func (c *Canonical) Merged() bool { return c.merged }

// Symmetries is the number of renamings of the seats under which the rules stay the same, at least 1.
func (c *Canonical) Symmetries() int { return len(c.syms) }

// Seat is the seat in a canonical position of a seat in the position itself, for the renaming that Key returned.
func (c *Canonical) Seat(renaming, seat int) int { return c.syms[renaming].seats[seat] }

// Team is the team in a canonical position of a team in the position itself.
func (c *Canonical) Team(renaming, team int) int { return c.syms[renaming].teams[team] }

// number returns the number of a rest, a new one if it was not met before; ok is false if there are too many.
func (c *Canonical) number(rest []byte) (n uint32, ok bool) {
	c.mu.RLock()
	n, ok = c.rest[string(rest)]
	c.mu.RUnlock()
	if ok {
		return n, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.rest[string(rest)]; ok {
		return n, true
	}
	if uint64(len(c.all)) >= 1<<c.first {
		return 0, false
	}
	n = uint32(len(c.all))
	text := string(rest)
	c.rest[text] = n
	c.all = append(c.all, text)
	return n, true
}

// text is the rest with a number.
func (c *Canonical) text(n uint32) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.all[n]
}

// Coder makes keys and reads them back. It belongs to one goroutine.
type Coder struct {
	c     *Canonical
	known map[string]uint32
	texts map[uint32]string
	rest  []int16
	bytes []byte
	codes []int32
	key   []uint64
	cells []int16
	stack []group
	named []int // the pieces that variables hold, each once
}

// group is the pieces of a place in the order of their arrival.
type group struct {
	place  int
	pieces []int16
}

// Coder makes a coder.
func (c *Canonical) Coder() *Coder {
	l := &c.game.prog.Layout
	return &Coder{
		c: c, known: map[string]uint32{}, texts: map[uint32]string{}, codes: make([]int32, l.Pieces),
		key: make([]uint64, c.words), cells: make([]int16, l.Size),
	}
}

// Key appends the key of a position to dst, Words long, and returns the renaming from the position to the canonical
// one. ok is false for positions without a key: those that are not at a throw of dice, and those of which the state of
// a count or move may still be read.
func (k *Coder) Key(dst []uint64, p *Position) (key []uint64, renaming int, ok bool) {
	c := k.c
	st := p.m.State()
	if p.Kind() != Throw || p.Opening() || p.ChosenNumber() || !k.placed(st) || !k.settled(p, st) {
		return dst, 0, false
	}
	best, me := 0, int(st[code.CellMe])
	for s := range c.syms { // rotations give the player in turn different seats, so the least is of one only
		if c.syms[s].seats[me] < c.syms[best].seats[me] {
			best = s
		}
	}
	k.restOf(p, st, best)
	n, ok := k.number()
	if !ok {
		return dst, 0, false
	}
	clear(k.key)
	k.key[0] = uint64(n)
	k.pack(best)
	return append(dst, k.key...), best, true
}

// placed finds the codes of all pieces. It reports false if a piece is in the hand, or somewhere without a code.
func (k *Coder) placed(st []int16) bool {
	c, l := k.c, &k.c.game.prog.Layout
	if c.none {
		return false
	}
	for _, cell := range c.other {
		if st[cell] != c.game.prog.Initial[cell] {
			return false
		}
	}
	for q := range l.Pieces {
		colour := q / l.PerColour
		if st[l.Prev+q] == code.InHand {
			return false
		}
		run := len(c.codes[colour]) - l.Places
		at := run + int(st[l.At+q])
		if node := int(st[l.Node+q]); node >= 0 {
			at = node - c.game.prog.Nodes[colour]
		}
		spot := c.codes[colour][at]
		if spot < 0 {
			return false
		}
		code := int(spot)
		for _, v := range c.vars {
			code = code*v.size + int(st[v.cell+q]) - v.low
		}
		k.codes[q] = int32(code)
	}
	return true
}

// countCells say where the number being counted comes from.
var countCells = [...]int{code.CellThrown, code.CellEarned, code.CellAhead}

// settled reports whether what describes a count is not read any more, and nothing waits that names a piece.
func (k *Coder) settled(p *Position, st []int16) bool {
	c, l := k.c, &k.c.game.prog.Layout
	initial := c.game.prog.Initial
	for i := range int(st[code.CellQueue]) {
		if st[l.Queue+code.MaxQueue+i] >= 0 {
			return false
		}
	}
	if c.idle && c.game.prog.Throws[p.m.Site].Bare {
		return true
	}
	for _, cell := range countCells {
		if st[cell] != initial[cell] {
			return false
		}
	}
	if p.TurnBegins() {
		return true
	}
	for _, cell := range spentCells {
		if st[cell] != initial[cell] {
			return false
		}
	}
	return slices.Equal(st[l.Frame:l.FrameEnd], initial[l.Frame:l.FrameEnd]) && slices.Equal(st[l.Numbers:l.NumbersEnd], initial[l.Numbers:l.NumbersEnd])
}

// restOf collects everything but the places of pieces into k.rest.
func (k *Coder) restOf(p *Position, st []int16, renaming int) {
	c, l := k.c, &k.c.game.prog.Layout
	s := &c.syms[renaming]
	n := len(c.cells)
	k.rest = slices.Grow(k.rest[:0], n+1)[:n+1]
	k.rest[0] = int16(p.m.Site)
	first := p.TurnBegins() || c.idle && c.game.prog.Throws[p.m.Site].First
	target := c.target[renaming]
	for i := range c.cells {
		x := &c.cells[i]
		v := st[x.cell]
		if x.die >= 0 && (first && !c.game.beginning().old[x.die] || slices.Contains(c.game.prog.Throws[p.m.Site].Dice, x.die)) {
			v = 0
		}
		if renaming > 0 {
			v = int16(s.value(x.kind, int(v)))
		}
		k.rest[1+target[i]] = v
	}
	for i := range c.game.prog.Dice {
		if d := &c.game.prog.Dice[i]; d.Deck >= 0 && deck(st, d) == nil {
			for j, at := range c.cells {
				if at.cell >= d.Deck && at.cell < d.Deck+len(d.Values) {
					k.rest[1+target[j]] = int16(d.Weights[at.cell-d.Deck])
				}
			}
		}
	}
	queue := int(st[code.CellQueue])
	k.rest = append(k.rest, st[l.Queue:l.Queue+queue]...)
	k.names(st, renaming)
	k.stacks(st, renaming)
}

// names replaces pieces that variables hold by numbers in the order of the variables, and appends where the pieces
// with these numbers are: colour and code.
func (k *Coder) names(st []int16, renaming int) {
	c, l := k.c, &k.c.game.prog.Layout
	k.named = k.named[:0]
	for _, i := range c.refs[renaming] {
		q := int(st[c.cells[i].cell])
		if q < 0 {
			continue
		}
		at := slices.Index(k.named, q)
		if at < 0 {
			at = len(k.named)
			k.named = append(k.named, q)
			k.rest = append(k.rest, int16(c.syms[renaming].colours[q/l.PerColour]), int16(k.renamed(renaming, q)))
		}
		k.rest[1+c.target[renaming][i]] = int16(at)
	}
}

// stacks appends the order of arrival where it is read and the pieces differ: for each such place its number, the
// length of what follows, and of each piece its colour, its code and its number among those that variables hold.
func (k *Coder) stacks(st []int16, renaming int) {
	c, l := k.c, &k.c.game.prog.Layout
	k.stack = k.stack[:0]
	for place := range l.Places {
		if st[l.Count+place] < 2 || place < l.FirstSquare && !c.game.beginning().zones[place] {
			continue
		}
		q := int(st[l.Head+place])
		same := c.merged && !slices.Contains(k.named, q)
		for next := int(st[l.Next+q]); next >= 0 && same; next = int(st[l.Next+next]) {
			same = next/l.PerColour == q/l.PerColour && k.codes[next] == k.codes[q] && !slices.Contains(k.named, next)
		}
		if same {
			continue
		}
		n := len(k.stack)
		k.stack = slices.Grow(k.stack, 1)[:n+1]
		g := &k.stack[n]
		g.place, g.pieces = c.syms[renaming].places[place], g.pieces[:0]
		for ; q >= 0; q = int(st[l.Next+q]) {
			colour := q / l.PerColour
			if !c.merged {
				g.pieces = append(g.pieces, int16(q))
				continue
			}
			g.pieces = append(g.pieces, int16(c.syms[renaming].colours[colour]), int16(k.renamed(renaming, q)), int16(slices.Index(k.named, q)))
		}
	}
	slices.SortFunc(k.stack, func(a, b group) int { return a.place - b.place })
	for i := range k.stack {
		g := &k.stack[i]
		k.rest = append(append(k.rest, int16(g.place), int16(len(g.pieces))), g.pieces...)
	}
}

// renamed is the code of a piece after a renaming.
func (k *Coder) renamed(renaming, piece int) int {
	c := k.c
	code := int(k.codes[piece])
	spot, vars := code/c.factor, code%c.factor
	return int(c.renamed[renaming][piece/c.game.prog.Layout.PerColour][spot])*c.factor + vars
}

// number is the number of k.rest; ok is false if there are too many.
func (k *Coder) number() (n uint32, ok bool) {
	k.bytes = k.bytes[:0]
	for _, x := range k.rest {
		k.bytes = binary.LittleEndian.AppendUint16(k.bytes, uint16(x))
	}
	if n, ok := k.known[string(k.bytes)]; ok {
		return n, true
	}
	if n, ok = k.c.number(k.bytes); ok {
		k.known[string(k.bytes)] = n
	}
	return n, ok
}

// pack writes the placements into k.key.
func (k *Coder) pack(renaming int) {
	c, l := k.c, &k.c.game.prog.Layout
	n := l.PerColour
	if !c.merged {
		for q := range l.Pieces {
			k.key[c.word[q]] |= uint64(k.codes[q]) << c.shift[q]
		}
		return
	}
	var list [64]int
	for colour := range l.Colours {
		for i := range n {
			x, at := k.renamed(renaming, colour*n+i), i
			for ; at > 0 && list[at-1] > x; at-- {
				list[at] = list[at-1]
			}
			list[at] = x
		}
		rank := uint64(0)
		for i, x := range list[:n] { // a multiset is a set of x+i
			rank += c.binom[i+1][x+i]
		}
		to := c.syms[renaming].colours[colour]
		k.key[c.word[to]] |= rank << c.shift[to]
	}
}

// unpack reads the placements of a key into k.codes.
func (k *Coder) unpack(key []uint64) {
	c, l := k.c, &k.c.game.prog.Layout
	n := l.PerColour
	field := func(i int) uint64 { return key[c.word[i]] >> c.shift[i] & (1<<c.width[i] - 1) }
	if !c.merged {
		for q := range l.Pieces {
			k.codes[q] = int32(field(q))
		}
		return
	}
	for colour := range l.Colours {
		rank := field(colour)
		high := len(c.spots[colour])*c.factor + n - 1
		for i := n; i > 0; i-- {
			row := c.binom[i]
			for row[high] > rank {
				high--
			}
			rank -= row[high]
			k.codes[colour*n+i-1] = int32(high - (i - 1))
		}
	}
}

// Restore sets p, a position of the game, to the canonical position of a key. TurnBegins is false afterwards, and
// Throws continues from p's own count.
func (k *Coder) Restore(p *Position, key []uint64) {
	c, l := k.c, &k.c.game.prog.Layout
	n := uint32(key[0] & (1<<c.first - 1))
	text, ok := k.texts[n]
	if !ok {
		text = c.text(n)
		k.texts[n] = text
	}
	at := func(i int) int16 { return int16(uint16(text[2*i]) | uint16(text[2*i+1])<<8) }
	st := k.cells
	copy(st, c.game.prog.Initial)
	for i := range c.cells {
		st[c.cells[i].cell] = at(1 + i)
	}
	next := 1 + len(c.cells)
	for i := range int(st[code.CellQueue]) {
		st[l.Queue+i], st[l.Queue+code.MaxQueue+i] = at(next), -1
		next++
	}
	k.unpack(key)
	k.named = k.named[:0]
	for _, i := range c.refs[0] {
		cell := c.cells[i].cell
		n := int(st[cell])
		if n < 0 {
			continue
		}
		for len(k.named) <= n { // the first time that it is named
			k.named = append(k.named, k.find(int(at(next)), int32(at(next+1)), func(q int) bool { return !slices.Contains(k.named, q) }))
			next += 2
		}
		st[cell] = int16(k.named[n])
	}
	for place := range l.Places {
		st[l.Count+place], st[l.Head+place], st[l.Tail+place] = 0, -1, -1
	}
	for q := range l.Pieces {
		code := int(k.codes[q])
		for i := len(c.vars) - 1; i >= 0; i-- {
			v := &c.vars[i]
			st[v.cell+q] = int16(code%v.size + v.low)
			code /= v.size
		}
		where := c.spots[q/l.PerColour][code]
		st[l.At+q], st[l.Node+q], st[l.Prev+q] = where.place, where.node, unlisted
	}
	for next < len(text)/2 {
		place, count := int(at(next)), int(at(next+1))
		next += 2
		for end := next + count; next < end; {
			if !c.merged {
				arrive(st, l, int(at(next)), place)
				next++
				continue
			}
			named := int(at(next + 2))
			arrive(st, l, k.find(int(at(next)), int32(at(next+1)), func(q int) bool {
				return st[l.Prev+q] == unlisted && slices.Index(k.named, q) == named
			}), place)
			next += 3
		}
	}
	for q := range l.Pieces {
		if st[l.Prev+q] == unlisted {
			arrive(st, l, q, int(st[l.At+q]))
		}
	}
	st[code.CellPlays] = 1
	p.m.Stand(int(at(0)), st, nil)
	p.err, p.fresh = nil, false
}

// find is the first piece of a colour with a code that fits.
func (k *Coder) find(colour int, code int32, fits func(q int) bool) int {
	n := k.c.game.prog.Layout.PerColour
	for q := colour * n; q < (colour+1)*n; q++ {
		if k.codes[q] == code && fits(q) {
			return q
		}
	}
	panic("a key that no position has")
}

// unlisted in a piece's Prev cell says that it has not been put into the list of its place yet.
const unlisted = code.InHand

// arrive appends a piece to the list of a place.
func arrive(st []int16, l *code.Layout, q, place int) {
	last := st[l.Tail+place]
	st[l.Prev+q], st[l.Next+q] = last, -1
	if last < 0 {
		st[l.Head+place] = int16(q)
	} else {
		st[l.Next+int(last)] = int16(q)
	}
	st[l.Tail+place] = int16(q)
	st[l.Count+place]++
}
