package interpreter

import (
	"math/big"
	"math/bits"
	"slices"
	"sync"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
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
	home    [][]bool    // of each colour: whether a code is the end of its track
	vars    []pieceVar
	factor  int // how many values the variables of a piece have together

	cells  []otherCell
	target [][]int // of each symmetry: where the value of each other cell goes
	other  []int   // cells that are none of these and nothing that is reset or follows from them: merged only at their initial values
	locals []int   // cells of names that statements bind
	naming bool    // such a name may be one of a piece
	lines  bool    // the rules read the order in which pieces arrived on a place
	refs   [][]int // of each symmetry: the other cells that hold pieces, by where they go

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

// otherCell is a cell of the state that is not the place of a piece.
type otherCell struct {
	cell int
	kind model.Kind // what its value names
	die  int        // the die whose last value it holds, or -1
}

// Canonical prepares keys for the positions of a game. Players are renamed only to others of the same kind: kinds has
// a number for each seat; the rest are of kind 0.
func (g *Game) Canonical(kinds []int) *Canonical {
	c := &Canonical{game: g, none: g.prog.Layout.Keeps || g.rules.Owner != nil, rest: map[string]uint32{}}
	counts := countsOf(g.rules)
	c.idle = counts.idle
	c.naming = seq.Any(g.rules.Stmts(), func(s *model.Stmt) bool { return s.Local != nil && s.Local.Type.Kind == model.Piece })
	orders(g.rules, func(e *model.Expr, strict bool) {
		c.lines = c.lines || strict && e.Op == model.OpSet && e.Set == model.SetPiecesOf && e.Args[0].Type == model.Of(model.Place)
	})
	c.syms = []symmetry{rotated(g.rules, 0)}
	if c.merged = !c.none && alike(g.rules); c.merged {
		kinds = append(slices.Clip(kinds), make([]int, max(0, g.Players()-len(kinds)))...)
		c.syms = slices.DeleteFunc(symmetries(g.rules), func(s symmetry) bool {
			renamed := seq.Map(s.seats, func(to int) int { return kinds[to] })
			return !slices.Equal(renamed, kinds[:len(renamed)])
		})
	}
	for _, v := range g.rules.Vars {
		if v.Type.List && v.Type.Kind != model.Number { // a set of places, say, has no renaming
			c.syms = c.syms[:1]
		}
	}
	c.pieceVars()
	c.placements()
	c.others(counts.left)
	c.otherCells()
	for colour, spots := range c.spots {
		run := g.rules.Track.Runs[g.rules.Colours[colour].Board].Nodes
		c.home = append(c.home, seq.Of(len(spots), func(i int) bool { return i < len(run) && len(run[i].Next) == 0 }))
	}
	for _, target := range c.target {
		refs := seq.Indexes(c.cells, func(x otherCell) bool { return x.kind == model.Piece && c.merged })
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
		scalar := slot.Words == 0 && (v.Type.Kind == model.Number || v.Type.Kind == model.Flag)
		if !scalar || c.factor*size > most {
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
	n := l.PerColour
	most := seq.Most(c.spots, func(s []spot) int { return len(s)*c.factor + n })
	if c.merged && new(big.Int).Binomial(int64(most), int64(n)).BitLen() > 62 {
		c.merged, c.syms, c.renamed = false, c.syms[:1], c.renamed[:1]
	}
	if c.merged {
		c.binom = seq.Of(n+1, func(k int) []uint64 {
			return seq.Of(most+1, func(m int) uint64 { return new(big.Int).Binomial(int64(m), int64(k)).Uint64() })
		})
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

// others lists the cells that are not places of pieces, and where a renaming takes them. left are cells of a count.
func (c *Canonical) others(left []int) {
	g, l := c.game, &c.game.prog.Layout
	c.target = make([][]int, len(c.syms))
	add := func(cell int, kind model.Kind, die int) {
		for s := range c.syms {
			c.target[s] = append(c.target[s], len(c.cells))
		}
		c.cells = append(c.cells, otherCell{cell, kind, die})
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
	for _, cell := range append([]int{code.CellPoint, code.CellAgain, code.CellOver, code.CellRanked, code.CellQueue}, left...) {
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
		n := g.owners(v.Scope)
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
	for _, cell := range slices.Concat(spentCells[:], countCells[:], []int{code.CellPlays}) {
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
	for cell := l.Frame; cell < l.FrameEnd; cell++ {
		if !known[cell] {
			c.locals, known[cell] = append(c.locals, cell), true
		}
	}
	c.other = seq.Indexes(known, func(known bool) bool { return !known })
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

// Reserved appends a key that no position has, one for each number.
func (c *Canonical) Reserved(dst []uint64, n uint32) []uint64 {
	dst = append(dst, 1<<c.first-1|uint64(n)<<c.first)
	return append(dst, make([]uint64, c.words-1)...)
}

// IsReserved returns the number of a key that Reserved has made.
func (c *Canonical) IsReserved(key []uint64) (n uint32, ok bool) {
	last := uint64(1)<<c.first - 1
	return uint32(key[0] >> c.first), key[0]&last == last
}

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
	if uint64(len(c.all)) >= 1<<c.first-1 { // the last one is for Reserved
		return 0, false
	}
	n = uint32(len(c.all))
	text := string(rest)
	c.rest[text] = n
	c.all = append(c.all, text)
	return n, true
}

// Rests lists what keys number, in the order of the numbers. A store that keeps keys keeps it too.
func (c *Canonical) Rests() []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Clone(c.all)
}

// SetRests takes up a list that Rests of the same game returned, before the first key is made.
func (c *Canonical) SetRests(list [][]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, text := range list {
		c.all = append(c.all, string(text))
		c.rest[string(text)] = uint32(n)
	}
}

// text is the rest with a number.
func (c *Canonical) text(n uint32) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.all[n]
}
