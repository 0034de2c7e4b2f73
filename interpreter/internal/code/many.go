package code

import (
	"math/bits"
	"slices"
)

// Many is what an instruction does that stands for many: the jump from one instruction to the next is what costs most in
// the machine.
type Many struct {
	// Of MuchStore, MuchNode, MuchTry and MuchOp, done in this order. What a watcher must see in the order of the rules is in Each.
	Fire     int32 // counter, -1 for none
	Four     Four
	Stores   [4]Cell   // where there are fewer, the last once more
	Pairs    [2]uint64 // those, two in a word: 16 bits each for where one is and what it gets. One look takes less time than four
	From, To int16     // a cell that gets the value of another
	Reg      uint8     // a register that gets a constant
	Value    int32
	Count    int    // of the stores
	cells    []Cell // that get constants, as they come
	end      int    // cells from there on do not count as near
	Copies   bool
	Consts   bool
	Ticks    int16
	Sites    [2]int32 // of the ticks
	Try      int32    // as TryOp, 0 for none
	Node     *Instr   // the Suspend at the end
	Cast     *Cast    // where that is a throw of one ordinary die whose cell is near
	Each     []Step

	// Of TestsOp: the first that holds is where execution goes on, else past them.
	Tests [3]Test // where there are two, the second once more

	// Of SwitchOp: where each number leads, from Low on.
	Low   int16
	Ways  []int32
	Begin []*Word

	// Of MineWalkOp: masks[Mask+st[Owner]] to r[A], and those of them in derived[Word] that can walk st[Steps] steps to r[B].
	Mask               int32
	Owner, Word, Steps uint8
	Own                *[maxOwners + 1]Owned // of each owner, and last of nobody
}

// maxOwners is how many owners of pieces a game may have for MineWalkOp.
const maxOwners = 15

// Owned is somebody's pieces.
type Owned struct {
	Set   uint64
	First int  // the number of the first, rounded down to one that four divides
	Four  bool // they are the four from there on
}

// own fills in whose pieces they are.
func (e *Many) own(p *Program) {
	e.Own = new([maxOwners + 1]Owned)
	for i := range e.Own {
		at := int(e.Mask) + i
		if i == maxOwners {
			at = int(e.Mask) - 1
		}
		if at < len(p.Masks) {
			set := p.Masks[at]
			first := bits.TrailingZeros64(set) &^ 3 & 63
			e.Own[i] = Owned{set, first, set>>first == 1<<4-1}
		}
	}
}

// Cast is a throw of one ordinary die.
type Cast struct {
	Cell  uint8 // that its number goes to
	Faces []Face
}

// Face is a number of a die, and where execution goes on with it.
type Face struct {
	To    *Word
	Value int16
}

// cast makes a throw of one ordinary die what a node may be joined with; nil where it is another throw.
func (p *Program) cast(node *Instr) *Cast {
	if node == nil || NodeKind(node.A) != NodeThrow {
		return nil
	}
	t := &p.Throws[node.BC()]
	if t.Fair == nil || t.Cell >= Near {
		return nil
	}
	c, begin := &Cast{Cell: uint8(t.Cell)}, p.Points[node.K].To
	if begin == nil { // Verify will tell
		return nil
	}
	for _, v := range t.Fair {
		to := begin
		if to.Op == SwitchOp && int(to.K) == t.Cell { // as mostly
			if x := int(v) - int(to.Many.Low); x >= 0 && x < len(to.Many.Begin) {
				to = to.Many.Begin[x]
			} else {
				to = to.To
			}
		}
		c.Faces = append(c.Faces, Face{to, v})
	}
	return c
}

// Cell is a cell that gets a constant.
type Cell struct {
	At, Value int16
}

// Four is constants for four near cells that stand together. Not for fewer of them: the others would have to be read with one look, for which the
// processor waits where they have just been written one by one.
type Four struct {
	At    uint8
	All   bool // there are any
	Value uint64
}

// Step is one of the instructions that a MuchOp stands for.
type Step struct {
	Instr
	Site int32
}

// Test asks whether a cell lies between Low and Low+Span, which may lead past the highest number to the lowest.
type Test struct {
	To      *Word
	Target  int32
	At, Low uint16
	Span    uint16
	Packed  uint64 // these, 16 bits each
}

// pack packs what the machine reads with one look.
func (e *Many) pack() {
	for i, c := range e.Stores {
		e.Pairs[i/2] |= (uint64(uint16(c.At)) | uint64(uint16(c.Value))<<16) << (32 * (i % 2))
	}
	for i := range e.Tests {
		t := &e.Tests[i]
		t.Packed = uint64(t.At) | uint64(t.Low)<<16 | uint64(t.Span)<<32
	}
}

// holds reports whether it does with a number in the cell.
func (t *Test) holds(v int) bool { return uint16(v)-t.Low <= t.Span }

// turn makes it ask the contrary.
func (t *Test) turn() { t.Low, t.Span = t.Low+t.Span+1, ^uint16(0)-1-t.Span }

// maxMany is how many instructions one may stand for.
const maxMany = 16

// much joins what changes cells and counters, asks nothing and cannot fail but by too many ticks. It goes on through jumps and past
// what others jump to, up to a node or to something else. It reports how many instructions it takes the place of; those
// after them stay for the others.
func (p *Program) much(pc int, target []bool, live []registers) (many *Many, in Instr, n int) {
	many = &Many{Fire: -1, Reg: 255, end: p.Layout.Frame}
	at, own, parts := pc, true, 0 // own: still where nobody jumps to
	for steps := 0; steps < maxMany && at < len(p.Code); steps++ {
		if at != pc && target[at] {
			own = false
		}
		took := many.take(p, at, !target[at+1], live)
		if took == 0 {
			break
		}
		if p.Code[at].Op != Jump {
			parts++
		}
		for i := range took {
			if p.Code[at+i].Op != Jump {
				many.Each = append(many.Each, Step{p.Code[at+i], p.Sites[at+i]})
			}
		}
		if own {
			n += took
		}
		if p.Code[at].Op == Jump {
			if own = false; int(p.Code[at].K) <= at {
				break // rounds of a loop are counted
			}
			at = int(p.Code[at].K)
			continue
		}
		if at += took; many.Node != nil {
			break
		}
	}
	if parts < 3 && many.Node == nil || parts < 2 || n == 0 { // two have an instruction of their own
		return nil, Instr{}, 0
	}
	many.settle()
	op := MuchOp
	switch plain := many.few() && !many.Consts && (!many.Copies || many.Try != 0); {
	case plain && many.Node == nil && many.Ticks == 0 && many.Try == 0:
		op = MuchStore
	case plain && many.Node != nil && many.Try == 0:
		op = MuchNode
	case plain && many.Node == nil && many.Fire >= 0 && many.Ticks > 0 && many.Try != 0:
		op = MuchTry
	}
	at = min(at, len(p.Code)-1)
	target[at] = true // no other takes what execution goes on with into its middle
	return many, Instr{Op: op, T: int32(at)}, n
}

// take adds what the instruction at an address does, or with two perhaps that and the next. It reports how many they are, 0 where it does
// something else, or where the order would matter.
func (e *Many) take(p *Program, at int, two bool, live []registers) int {
	in := &p.Code[at]
	switch in.Op {
	case Jump:
		if len(e.Each) == 0 || int(in.K) <= at {
			return 0
		}
		return 1
	case FireOp:
		if e.Fire >= 0 {
			return 0
		}
		e.Fire = in.K
		return 1
	case StoreC:
		if !cellSized(in.K) || in.K == CellPlays || e.Copies && (int32(e.From) == in.K || int32(e.To) == in.K) || !e.room(int(in.K)) {
			return 0
		}
		e.cells = append(e.cells, Cell{int16(in.K), in.BC()})
		return 1
	case TickOp:
		if e.Ticks == 2 || e.Try != 0 {
			return 0
		}
		e.Sites[e.Ticks] = p.Sites[at]
		e.Ticks++
		return 1
	case TryOp:
		if e.Try != 0 || in.K == 0 {
			return 0
		}
		e.Try = in.K
		return 1
	case LoadK:
		if e.Consts {
			return 0
		}
		e.Reg, e.Value, e.Consts = in.A, in.K, true
		return 1
	case Load:
		if !cellSized(in.K) || in.K == CellPlays || e.Copies || e.Consts && e.Reg == in.A {
			return 0
		}
		if next := &p.Code[at+1]; two && next.Op == Store && next.A == in.A && cellSized(next.K) && next.K != CellPlays && !live[at+2].has(in.A) {
			e.From, e.To, e.Copies = int16(in.K), int16(next.K), true
			return 2
		}
		return 0
	case Suspend:
		e.Node = in
		return 1
	}
	return 0
}

// few reports whether there are constants for cells, and all are near.
func (e *Many) few() bool {
	return e.Count > 0 && max(e.From, e.To) < Near && !slices.ContainsFunc(e.Stores[:], func(c Cell) bool { return c.At >= Near })
}

// room reports whether one more cell can get a constant.
func (e *Many) room(k int) bool {
	cells := append(slices.Clone(e.cells), Cell{At: int16(k)})
	_, rest := fourOf(cells, e.end)
	return len(rest) <= len(e.Stores)
}

// settle sorts what gets constants: four cells of the header at once, and single ones.
func (e *Many) settle() {
	four, rest := fourOf(e.cells, e.end)
	if len(rest) == 0 && len(e.cells) > 0 { // there is always a single one
		rest = e.cells[len(e.cells)-1:]
	}
	e.Four, e.Count = four, len(rest)
	copy(e.Stores[:], rest)
	for i := max(1, e.Count); i < len(e.Stores); i++ { // once more
		e.Stores[i] = e.Stores[i-1]
	}
}

// fourOf takes out of cells with constants four near ones, before the end, that stand together. The later of two for one
// cell holds.
func fourOf(cells []Cell, end int) (four Four, rest []Cell) {
	var last []Cell
	for _, c := range cells {
		last = append(slices.DeleteFunc(last, func(d Cell) bool { return d.At == c.At }), c)
	}
	var in [Near / 4]int
	best := 0
	for _, c := range last {
		if n := int(c.At) / 4; n < len(in) && 4*n+4 <= end {
			if in[n]++; in[n] > in[best] {
				best = n
			}
		}
	}
	four = Four{At: uint8(4 * best), All: in[best] == 4}
	for _, c := range last {
		if !four.All || int(c.At)/4 != best {
			rest = append(rest, c)
			continue
		}
		four.Value |= uint64(uint16(c.Value)) << (16 * (c.At % 4))
	}
	return four, rest
}

// cellSized reports whether a cell's number fits.
func cellSized(k int32) bool { return 0 <= k && k < 1<<15 }

// BC is the bytes B and C as one number with a sign.
func (in *Instr) BC() int16 { return int16(uint16(in.B) | uint16(in.C)<<8) }

// tests joins tests of cells that follow one another, however they do: past a test that does not hold, or where it leads.
func (p *Program) tests(pc int, live []registers) (*Many, Instr) {
	many, at, n := &Many{Fire: -1}, pc, 0
	for n < len(many.Tests) {
		t, ok := p.test(at, live)
		if !ok {
			break
		}
		next := int32(at + 2)
		if _, follows := p.test(int(t.Target), live); follows && int(t.Target) > at { // the other way round
			t.turn()
			t.Target, next = next, t.Target
		}
		many.Tests[n] = t
		n++
		at = int(next)
	}
	if n < 2 {
		return nil, Instr{}
	}
	for ; n < len(many.Tests); n++ {
		many.Tests[n] = many.Tests[n-1]
	}
	op := TestsOp
	for _, t := range many.Tests {
		if t.At >= Near {
			op = TestsFar
		}
	}
	return many, Instr{Op: op, T: int32(at)}
}

// test is the load and jump at an address as a test of a cell, whose value nobody needs afterwards.
func (p *Program) test(at int, live []registers) (Test, bool) {
	if at+2 >= len(p.Code) {
		return Test{}, false
	}
	load, jump := &p.Code[at], &p.Code[at+1]
	if load.Op != Load || jump.A != load.A || !cellSized(load.K) || !jumps(jump.Op) || jump.Op == Jump {
		return Test{}, false
	}
	if live[at+2].has(load.A) || live[jump.K].has(load.A) {
		return Test{}, false
	}
	const lowest, highest = -1 << 15, 1<<15 - 1
	t := Test{Target: jump.K, At: uint16(load.K)}
	k, low, high, not := int(int8(jump.C)), lowest, highest, false
	switch jump.Op {
	case JumpZ, JumpNZ:
		low, high, not = 0, 0, jump.Op == JumpNZ
	case JumpEqK, JumpNeK:
		low, high, not = k, k, jump.Op == JumpNeK
	case JumpLtK:
		high = k - 1
	case JumpLeK:
		high = k
	case JumpGtK:
		low = k + 1
	case JumpGeK:
		low = k
	default:
		return Test{}, false
	}
	if t.Low, t.Span = uint16(low), uint16(high-low); not {
		t.turn()
	}
	return t, true
}

// settleRows lets each row of a decision go on behind the questions for the move.
func (p *Program) settleRows() {
	live := p.lives()
	for i := range p.Rows {
		for j := range p.Rows[i].Rows {
			row := &p.Rows[i].Rows[j]
			row.One = p.Rows[i].One
			for range maxMany {
				t, ok := p.test(int(row.One), live)
				if !ok || t.At != CellMove {
					break
				}
				if row.One += 2; t.holds(row.Move) {
					row.One = t.Target
				}
			}
		}
	}
}

// mineWalk joins what finds the pieces of an owner that can walk.
func (p *Program) mineWalk(pc int, target []bool, live []registers) (*Many, Instr, int) {
	if pc+6 >= len(p.Code) {
		return nil, Instr{}, 0
	}
	for i := 1; i < 6; i++ {
		if target[pc+i] {
			return nil, Instr{}, 0
		}
	}
	owner, mask, word, and, jump, walk := &p.Code[pc], &p.Code[pc+1], &p.Code[pc+2], &p.Code[pc+3], &p.Code[pc+4], &p.Code[pc+5]
	if owner.Op != Load || mask.Op != LoadM || mask.B != owner.A || word.Op != LoadW || word.A == mask.A || and.Op != And || and.B != mask.A || and.C != word.A {
		return nil, Instr{}, 0
	}
	if zero, ok := onZero(*jump, and.A); !ok || !zero || int(jump.K) != pc+6 || walk.Op != WalkersIn || walk.A != and.A || walk.B != and.A || mask.A == and.A {
		return nil, Instr{}, 0
	}
	after := &live[pc+6]
	if owner.A != mask.A && owner.A != and.A && after.has(owner.A) || word.A != and.A && after.has(word.A) {
		return nil, Instr{}, 0
	}
	if owner.K >= HeaderCells || walk.K >= HeaderCells || word.K >= DerivedPlaces || max(p.Layout.Players, p.Layout.Colours) > maxOwners {
		return nil, Instr{}, 0
	}
	many := &Many{Fire: -1, Mask: mask.K, Owner: uint8(owner.K), Word: uint8(word.K), Steps: uint8(walk.K)}
	return many, Instr{Op: MineWalkOp, A: mask.A, B: and.A}, 6
}

// putIn joins what sets a piece down and asks for its place.
func (p *Program) putIn(pc int, target []bool) (Instr, int) {
	if pc+4 >= len(p.Code) || target[pc+1] || target[pc+2] || target[pc+3] {
		return Instr{}, 0
	}
	piece, place, put, jump := &p.Code[pc], &p.Code[pc+1], &p.Code[pc+2], &p.Code[pc+3]
	if piece.Op != Load || place.Op != Load || put.Op != PutOp || put.A != piece.A || put.B != place.A || piece.A == place.A || jump.Op != JumpNeK || jump.A != place.A {
		return Instr{}, 0
	}
	if piece.K >= HeaderCells || place.K >= HeaderCells || put.K >= HeaderCells {
		return Instr{}, 0
	}
	return Instr{Op: PutInNe, A: piece.A, B: place.A, C: jump.C, K: piece.K | place.K<<8 | put.K<<16, T: jump.K}, 4
}

// hoist moves constants for registers before loads of others, where what is joined can take them along.
func (p *Program) hoist(target []bool) {
	for pc := 1; pc < len(p.Code); pc++ {
		if p.Code[pc].Op != LoadK {
			continue
		}
		for at := pc; at > 0 && !target[at]; at-- {
			in, before := &p.Code[at], &p.Code[at-1]
			switch before.Op {
			case Load, LoadM, LoadW:
			default:
				before = nil
			}
			if before == nil || before.A == in.A || before.Op == LoadM && before.B == in.A {
				break
			}
			*in, *before = *before, *in
			p.Sites[at], p.Sites[at-1] = p.Sites[at-1], p.Sites[at]
		}
	}
}
