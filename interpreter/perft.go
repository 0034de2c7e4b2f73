package interpreter

import "math"

// Perft counts the ways a game can go on from a position through 1, 2, … depth throws (as in chess programming). At a
// throw every distinct outcome counts once, regardless of its probability; at a choice every distinct option. It
// compares two implementations of the same rules: one wrong rule changes a number. At the end of a game every count
// is 1. The error is a fault of the rules.
func Perft(p *Position, depth int) ([]uint64, error) {
	counts := make([]uint64, max(0, depth))
	c := &counter{}
	for n := 1; n <= depth; n++ {
		counts[n-1] = c.count(p, n)
		if c.err != nil {
			return nil, c.err
		}
	}
	return counts, nil
}

// counter counts with one position per depth, to allocate only once.
type counter struct {
	levels []*Position
	depth  int
	err    error
}

func (c *counter) level(p *Position) *Position {
	if c.depth == len(c.levels) {
		c.levels = append(c.levels, p.Copy())
	}
	c.levels[c.depth].CopyFrom(p)
	return c.levels[c.depth]
}

func (c *counter) count(p *Position, n int) uint64 {
	if c.err != nil {
		return 0
	}
	switch p.Kind() {
	case Over:
		return 1
	case Broken:
		c.err = p.Err()
		return 0
	case Throw:
		if n == 0 {
			return 1
		}
		return c.throw(p, n)
	}
	var sum uint64
	for i := range p.OptionCount() {
		q := c.level(p)
		c.depth++
		q.after(q.m.Resume(i))
		sum += c.count(q, n)
		c.depth--
	}
	return sum
}

// throw sums over the outcomes of all devices.
func (c *counter) throw(p *Position, n int) uint64 {
	t := &p.game.prog.Throws[p.m.Site]
	throws, _ := p.EveryThrow(math.MaxInt)
	var sum uint64
	for numbers := range throws {
		q := c.level(p)
		c.depth++
		q.give(t, numbers)
		sum += c.count(q, n-1)
		c.depth--
	}
	return sum
}
