package interpreter

import (
	"encoding/binary"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// Coder makes keys and reads them back. It belongs to one goroutine.
type Coder struct {
	c      *Canonical
	known  map[string]uint32
	texts  map[uint32]string
	rest   []int16
	bytes  []byte
	codes  []int32
	key    []uint64
	cells  []int16
	stack  []group
	named  []int // the pieces that variables hold, each once
	queued int   // how many numbers wait
	parted bool  // see Parted
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

// Watch makes Parted speak of what happens in a position, a copy of one with a key or what followed from it. Copies are not watched.
func (k *Coder) Watch(p *Position) {
	if k.c.merged {
		p.m.OneOf = func(q, r int) { k.parted = k.parted || k.apart(p, q, r) }
	}
}

// Parted reports whether, since it was last called, one of two pieces moved or was offered for both that the rules may tell apart. Which
// of them does so depends on their numbers, and these are not in a key: what follows then differs from one position of the key to another.
func (k *Coder) Parted() bool {
	was := k.parted
	k.parted = false
	return was
}

// apart reports whether the rules may tell two interchangeable pieces apart: a variable names one, or other pieces arrived between them.
func (k *Coder) apart(p *Position, q, r int) bool {
	c, l, st := k.c, &k.c.game.prog.Layout, p.m.State()
	names := func(cell int) bool { return int(st[cell]) == q || int(st[cell]) == r }
	if slices.ContainsFunc(c.cells, func(x otherCell) bool { return x.kind == model.Piece && names(x.cell) }) ||
		c.naming && slices.ContainsFunc(c.locals, names) || st[l.Prev+q] == code.InHand || st[l.Prev+r] == code.InHand {
		return true
	}
	if slices.ContainsFunc(st[l.Queue+code.MaxQueue:][:st[code.CellQueue]], func(piece int16) bool { return int(piece) == q || int(piece) == r }) {
		return true
	}
	place := int(st[l.At+q])
	if !c.lines || place < l.FirstSquare && !c.game.beginning().zones[place] {
		return false
	}
	within := false // between the two
	for x := int(st[l.Head+place]); x >= 0; x = int(st[l.Next+x]) {
		switch {
		case x == q || x == r:
			if within {
				return false
			}
			within = true
		case within && !p.m.Equal(x, q):
			return true
		}
	}
	return true
}

// Home appends, for each colour, the number of pieces at the end of its track in the position of the last key. Of
// positions that differ only in the names of the players, the least list of all.
func (k *Coder) Home(dst []int) []int {
	c, l := k.c, &k.c.game.prog.Layout
	counts := make([]int, l.Colours)
	for q, code := range k.codes {
		if c.home[q/l.PerColour][int(code)/c.factor] {
			counts[q/l.PerColour]++
		}
	}
	begin := len(dst)
	dst = append(dst, counts...)
	other := make([]int, l.Colours)
	for _, s := range c.syms[1:] {
		for colour, to := range s.colours {
			other[to] = counts[colour]
		}
		if slices.Compare(other, dst[begin:]) < 0 {
			copy(dst[begin:], other)
		}
	}
	return dst
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

// settled reports whether what describes a count is not read any more, no name that a statement binds has a value, and nothing
// waits that names a piece.
func (k *Coder) settled(p *Position, st []int16) bool {
	c, l := k.c, &k.c.game.prog.Layout
	initial := c.game.prog.Initial
	if named := st[l.Queue+code.MaxQueue:][:st[code.CellQueue]]; slices.ContainsFunc(named, func(piece int16) bool { return piece >= 0 }) {
		return false
	}
	if c.idle && c.game.prog.Throws[p.m.Site].Bare {
		return true
	}
	still := func(cell int) bool { return st[cell] != initial[cell] }
	if slices.ContainsFunc(countCells[:], still) || slices.ContainsFunc(c.locals, still) {
		return false
	}
	if p.TurnBegins() {
		return true
	}
	return !slices.ContainsFunc(spentCells[:], still) && slices.Equal(st[l.Numbers:l.NumbersEnd], initial[l.Numbers:l.NumbersEnd])
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
	k.queued = int(st[code.CellQueue])
	k.rest = append(k.rest, st[l.Queue:l.Queue+k.queued]...)
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

// beside is what describes the position of the last key besides placements: k.rest without the places of named pieces and stacks.
func (k *Coder) beside() string {
	end := 1 + len(k.c.cells) + k.queued
	text := slices.Clone(k.bytes[:2*end])
	for i := range k.named {
		text = append(text, k.bytes[2*(end+2*i):2*(end+2*i)+2]...) // the colour
	}
	return string(text)
}

// chosen is in how many ways the pieces that variables hold can be chosen from those of their colours.
func (k *Coder) chosen() float64 {
	if !k.c.merged {
		return 1
	}
	each := k.c.game.prog.Layout.PerColour
	out, taken := 1, map[int]int{}
	for _, q := range k.named {
		out *= each - taken[q/each]
		taken[q/each]++
	}
	return float64(out)
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
