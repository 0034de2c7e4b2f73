package code

import "math/bits"

// What follows a throw asks again and again which number it was. So it stands once more for the numbers of an ordinary die, or those
// usually chosen, with all settled that the number settles, up to where another choice is offered or the state changes by more
// than single cells. There the copy goes on in what it is a copy of: it keeps the cells as that has them, and by then the registers.
//
// Numbers of which the rules ask nothing that tells one from the other share a copy. That is shorter, and nobody can foresee which number
// comes up: the fewer ways there are from a throw, the less often the processor has gone the wrong one.

// Limits of the copies.
const (
	maxApart     = 4000 // instructions of them all
	maxApartEach = 1000 // of those for some numbers
	maxVersions  = 3    // of one instruction for some numbers
	maxTwice     = 3    // instructions that stand twice rather than be jumped to
)

// MaxUsual is how many numbers a die may have, from the lowest to the highest, to get copies.
const MaxUsual = 32

// block is a stretch of copies: what stands at an address, if something is known.
type block struct {
	from  int
	known facts
	code  []Instr // the address of a jump that is below 0 is that of a block, see ofBlock
	sites []int32
	at    int
}

// ofBlock is the address of block n as long as nobody knows where it will stand, and back.
func ofBlock(n int) int { return -1 - n }

// copier makes the copies for numbers that share them.
type copier struct {
	parted values // 1 for each number that goes another way than the others, if any does
	p      *Program
	target []bool
	live   []registers
	plain  []int32 // see tries
	tried  []uint64
	blocks []*block
	size   int
}

// apart gives each throw of one die copies of what follows, one for each number.
func (p *Program) apart() {
	var throws []int
	for pc := range p.Code {
		if in := &p.Code[pc]; in.Op == Suspend && NodeKind(in.A) == NodeThrow && p.oneDie(&p.Throws[in.BC()]) {
			throws = append(throws, pc)
		}
	}
	if len(throws) == 0 {
		return
	}
	target, live := targets(p), p.lives()
	plain, tried := p.tries()
	var code []Instr
	var sites []int32
	begins := map[int]int{} // of the copies for a point
	for _, pc := range throws {
		point := int(p.Code[pc].K)
		if _, done := begins[point]; done {
			continue
		}
		t := &p.Throws[p.Code[pc].BC()]
		die := &p.Dice[t.Dice[0]]
		cell := int32(p.Layout.Dice + t.Dice[0])
		numbers := die.numbers()
		low, high := bounds(numbers)
		begins[point] = len(code)
		many := &Many{Fire: -1, Low: int16(low), Ways: make([]int32, high-low+1)}
		code, sites = append(code, Instr{Op: SwitchOp, K: cell, T: p.Points[point].PC, Many: many}), append(sites, 0)
		for i := range many.Ways {
			many.Ways[i] = p.Points[point].PC
		}
		for groups := [][]int{numbers}; len(groups) > 0 && len(code) <= maxApart; {
			group := groups[0]
			groups = groups[1:]
			c := copier{p: p, target: target, live: live, plain: plain, tried: tried}
			first := c.to(int(p.Points[point].PC), facts{cells: map[int32]values{cell: values(group).of(func(v int) int { return v })}, regs: map[uint8]values{}})
			if first >= 0 {
				continue
			}
			for i := 0; i < len(c.blocks) && c.parted == nil; i++ {
				c.fill(c.blocks[i])
			}
			if c.parted != nil {
				groups = append([][]int{pick(group, c.parted, 0), pick(group, c.parted, 1)}, groups...)
				continue
			}
			at := len(code)
			code, sites = c.lay(code, sites)
			for _, v := range group {
				many.Ways[v-low] = int32(ofBlock(at))
			}
		}
	}
	p.prepend(code, sites)
	for point, at := range begins {
		p.Points[point].PC = int32(at)
	}
}

// pick is the numbers of a group of whom parted says one thing.
func pick(group []int, parted values, says int) []int {
	var out []int
	for i, v := range group {
		if parted[i] == says {
			out = append(out, v)
		}
	}
	return out
}

// oneDie reports whether a throw is that of one die with few numbers.
func (p *Program) oneDie(t *Throw) bool {
	if t.Lot || t.Start || len(t.Dice) != 1 || p.Layout.Dice+t.Dice[0] >= Near {
		return false
	}
	numbers := p.Dice[t.Dice[0]].numbers()
	low, high := bounds(numbers)
	return len(numbers) > 0 && high-low < MaxUsual && int(int16(low)) == low && int(int16(high)) == high
}

// numbers are those a die gives, or usually gives.
func (d *Die) numbers() []int {
	if d.Choice {
		return d.Usual
	}
	return d.Values
}

func bounds(values []int) (low, high int) {
	for i, v := range values {
		if i == 0 {
			low, high = v, v
		}
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// prepend puts copies before the program. In them the addresses of copies are below 0, see ofBlock; others are those of the program.
func (p *Program) prepend(code []Instr, sites []int32) {
	moved := make([]int32, len(p.Code)+1)
	for i := range moved {
		moved[i] = int32(i + len(code))
	}
	p.relocate(moved)
	to := func(at int32) int32 {
		if at < 0 {
			return int32(ofBlock(int(at)))
		}
		return moved[at]
	}
	for i := range code {
		in := &code[i]
		switch {
		case jumps(in.Op), in.Op == TryOp:
			in.K = to(in.K)
		case in.Op == SwitchOp:
			in.T = to(in.T)
			for j := range in.Many.Ways {
				in.Many.Ways[j] = to(in.Many.Ways[j])
			}
		}
	}
	p.Code, p.Sites = append(code, p.Code...), append(sites, p.Sites...)
	p.copies = int32(len(code))
}

// lay appends the blocks, each before the one it leads to if that has no place yet.
func (c *copier) lay(code []Instr, sites []int32) ([]Instr, []int32) {
	begin := len(code)
	for _, b := range c.blocks {
		for b != nil && b.at < 0 {
			b.at = len(code)
			n := len(b.code)
			next := c.leadsTo(b)
			switch {
			case next == nil:
			case next.at < 0: // it goes on there anyway
				n--
			case len(next.code) <= maxTwice && c.leadsTo(next) == nil: // rather than jump there
				code, sites = append(code, b.code[:n-1]...), append(sites, b.sites[:n-1]...)
				b, n = next, len(next.code)
			}
			code, sites = append(code, b.code[:n]...), append(sites, b.sites[:n]...)
			b = next
		}
	}
	for i := begin; i < len(code); i++ {
		if in := &code[i]; jumps(in.Op) && in.K < 0 {
			in.K = int32(ofBlock(c.blocks[ofBlock(int(in.K))].at))
		}
	}
	return code, sites
}

// leadsTo is the block to which a block jumps at its end, nil where it jumps to none.
func (c *copier) leadsTo(b *block) *block {
	if last := &b.code[len(b.code)-1]; last.Op == Jump && last.K < 0 {
		return c.blocks[ofBlock(int(last.K))]
	}
	return nil
}

// to is where a jump leads to an address with something known: to a block, or to the address itself.
func (c *copier) to(pc int, known facts) int {
	for r := range known.regs {
		if !c.live[pc].has(r) {
			delete(known.regs, r)
			known.due.drop(r)
		}
	}
	if c.size > maxApartEach || len(known.cells)+len(known.regs) == 0 {
		return c.exit(pc, known)
	}
	versions := 0
	for i, b := range c.blocks {
		if b.from != pc {
			continue
		}
		if b.known.equal(&known) {
			real := registers{^b.known.due[0], ^b.known.due[1], ^b.known.due[2], ^b.known.due[3]}
			return c.by(ofBlock(i), known, &real)
		}
		if versions++; versions >= maxVersions {
			return c.exit(pc, known)
		}
	}
	c.blocks = append(c.blocks, &block{from: pc, known: known, at: -1})
	return ofBlock(len(c.blocks) - 1)
}

// exit is where a jump leads that leaves the copies for an address.
func (c *copier) exit(pc int, known facts) int { return c.by(pc, known, &c.live[pc]) }

// by is a way to an address where registers of a set must have what is due: by a block that gives it to them, if there are any.
func (c *copier) by(to int, known facts, set *registers) int {
	b := &block{from: -1, known: known, at: -1}
	if c.settle(b, &known, set, 0); len(b.code) == 0 {
		return to
	}
	c.emit(b, Instr{Op: Jump, K: int32(to)}, 0)
	c.blocks = append(c.blocks, b)
	return ofBlock(len(c.blocks) - 1)
}

// settle gives registers of a set what is due.
func (c *copier) settle(b *block, f *facts, set *registers, site int32) {
	for i := range f.due {
		for rest := f.due[i] & set[i]; rest != 0; rest &= rest - 1 {
			r := uint8(64*i + bits.TrailingZeros64(rest))
			c.emit(b, Instr{Op: LoadK, A: r, K: int32(f.regs[r][0])}, site)
		}
		f.due[i] &^= set[i]
	}
}

func (c *copier) emit(b *block, in Instr, site int32) {
	b.code, b.sites = append(b.code, in), append(b.sites, site)
	c.size++
}

// fill makes the copies of a block.
func (c *copier) fill(b *block) {
	if len(b.code) > 0 {
		return
	}
	f := b.known.clone()
	for pc := b.from; ; pc++ {
		in, site := c.p.Code[pc], c.p.Sites[pc]
		emit := func(in Instr) {
			var reads registers
			c.p.touch(&in, &reads)
			c.settle(b, &f, &reads, site)
			c.emit(b, in, site)
		}
		leave := func(to int) { c.emit(b, Instr{Op: Jump, K: int32(to)}, site) }
		if pc > b.from && c.target[pc] {
			leave(c.to(pc, f))
			return
		}
		for i, at := range c.plain {
			if in.Op == TryOp && in.K == at || c.tried[pc]>>min(i, 63)&1 != 0 {
				c.settle(b, &f, &c.live[at], site)
			}
		}
		switch {
		case jumps(in.Op):
			if int(in.K) <= pc { // rounds are counted where they are
				leave(c.exit(pc, f))
				return
			}
			switch yes := f.decides(in); {
			case in.Op == Jump, yes.is(1):
				leave(c.to(int(in.K), f))
				return
			case len(yes) > 1:
				c.parted = yes
				return
			case len(yes) == 0:
				in.K = int32(c.to(int(in.K), f.clone()))
				emit(in)
			}
			continue
		case in.Op == Suspend, in.Op == Fail:
			emit(in)
			return
		case in.Op == RowsOp:
			after := c.p.after(c.live, pc)
			c.settle(b, &f, &after, site)
			in.K = c.rows(in.K, &f)
			emit(in)
			leave(pc + 1)
			return
		}
		v, due := f.regs[in.A], f.due.has(in.A)
		next, ok := f.after(c.p, in)
		if !ok {
			leave(c.exit(pc, f))
			return
		}
		if next.Op == Nop {
			continue
		}
		var reads registers
		if c.p.touch(&next, &reads); due && reads.has(in.A) { // before it is written
			c.emit(b, Instr{Op: LoadK, A: in.A, K: int32(v[0])}, site)
			f.due.drop(in.A)
		}
		emit(next)
	}
}

// rows is a decision without the rows that are known to be empty.
func (c *copier) rows(n int32, f *facts) int32 {
	x := c.p.Rows[n]
	var left []Row
	for _, r := range x.Rows {
		if !f.regs[r.Set].is(0) {
			left = append(left, r)
		}
	}
	if len(left) == len(x.Rows) {
		return n
	}
	x.Rows = left
	c.p.Rows = append(c.p.Rows, x)
	return int32(len(c.p.Rows) - 1)
}

// sweep takes out what gives registers values that nobody reads, and jumps to what follows anyway.
func (p *Program) sweep() {
	for range 4 {
		live := p.lives()
		moved := make([]int32, len(p.Code)+1)
		n := 0
		for pc, in := range p.Code {
			moved[pc] = int32(n)
			switch in.Op {
			case Jump:
				if int(in.K) == pc+1 {
					continue
				}
			case LoadK, Move, Load, LoadW, LoadM, And, Or, AndNot, Eq, Ne, Lt, Le, EqK, Not, AddK:
				if after := p.after(live, pc); !after.has(in.A) {
					continue
				}
			}
			p.Code[n], p.Sites[n] = in, p.Sites[pc]
			n++
		}
		moved[len(p.Code)] = int32(n)
		done := n == len(p.Code)
		p.Code, p.Sites = p.Code[:n], p.Sites[:n]
		p.relocate(moved)
		if done {
			return
		}
	}
}
