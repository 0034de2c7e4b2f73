package interpreter

import (
	"math"

	"github.com/rulerun/rulerun/dsl/seq"
)

// Census estimates how many positions at throws a game has. For each thing that the rules remember besides where the pieces are, such as
// who is in turn or how many sixes there have been, it counts the placements that agree with what has been met together with it in some
// games: how many pieces of a colour stand on a place at most, and whether colours share it. A Census belongs to one goroutine.
type Census struct {
	c      *Canonical
	coder  *Coder
	key    []uint64
	beside map[string]*limits // by what is remembered; nil beyond mostLimits
	here   []int
	size   int // of a vector of how many pieces of each colour are placed
}

// limits are what placements met with the same memory have in common.
type limits struct {
	ways   float64 // in which the pieces that are remembered can be chosen
	most   [][]int // of each colour and place: pieces on it at most
	shared []bool  // of each place: colours have stood on it together
}

// mostLimits is how many memories are looked at one by one. More count as often as these on average.
const mostLimits = 256

// Census begins with no position.
func (c *Canonical) Census() *Census {
	l := &c.game.prog.Layout
	n := &Census{c: c, coder: c.Coder(), beside: map[string]*limits{}, here: make([]int, l.Colours*l.Places), size: 1}
	for range l.Colours {
		n.size *= l.PerColour + 1
	}
	return n
}

// Add takes a position into account. Those without a key do not count.
func (n *Census) Add(p *Position) {
	var renaming int
	var ok bool
	if n.key, renaming, ok = n.coder.Key(n.key[:0], p); !ok {
		return
	}
	l := &n.c.game.prog.Layout
	beside := n.coder.beside()
	x, known := n.beside[beside]
	if !known {
		if len(n.beside) < mostLimits {
			most := seq.Of(l.Colours, func(int) []int { return make([]int, l.Places) })
			x = &limits{ways: n.coder.chosen(), most: most, shared: make([]bool, l.Places)}
		}
		n.beside[beside] = x
	}
	if x == nil {
		return
	}
	s := &n.c.syms[renaming]
	clear(n.here)
	for q := range l.Pieces {
		n.here[s.colours[q/l.PerColour]*l.Places+s.places[p.m.State()[l.At+q]]]++
	}
	for place := range l.Places {
		colours := 0
		for colour := range l.Colours {
			k := n.here[colour*l.Places+place]
			x.most[colour][place] = max(x.most[colour][place], k)
			colours += min(k, 1)
		}
		x.shared[place] = x.shared[place] || colours > 1
	}
}

// Positions is the estimate, 0 if no position with a key was met. Positions that differ only in names count once.
func (n *Census) Positions() float64 {
	l := &n.c.game.prog.Layout
	out, counted := 0.0, 0.0
	for _, x := range n.beside {
		if x != nil {
			out += x.ways * n.placements(x)
			counted++
		}
	}
	if counted == 0 {
		return 0
	}
	out *= float64(len(n.beside)) / counted
	if !n.c.merged { // which piece is which
		out *= math.Pow(math.Gamma(float64(l.PerColour)+1), float64(l.Colours))
	}
	return out
}

// placements is the number of placements within limits.
func (n *Census) placements(x *limits) float64 {
	l := &n.c.game.prog.Layout
	const large = 1 << 12
	if n.size > large { // colour by colour, as if none were in the way of another
		total := 1.0
		for colour := range l.Colours {
			total *= n.alone(x, colour)
		}
		return total
	}
	ways := make([]float64, n.size)
	ways[0] = 1
	for place := range l.Places {
		next := make([]float64, n.size)
		n.place(x, place, 0, 1, 0, 1, 0, func(used int, w float64, digits []int) {
			for from, x := range ways {
				if x > 0 && n.fits(from, digits) {
					next[from+used] += x * w
				}
			}
		}, make([]int, l.Colours))
		ways = next
	}
	return ways[n.size-1]
}

// place calls f with each way to have pieces on a place: the vector of how many, and the number of ways for it.
func (n *Census) place(x *limits, place, colour, unit, used int, ways float64, colours int, f func(used int, ways float64, digits []int), digits []int) {
	l := &n.c.game.prog.Layout
	if colour == l.Colours {
		f(used, ways, digits)
		return
	}
	for k := 0; k <= x.most[colour][place]; k++ {
		if k > 0 && colours > 0 && !x.shared[place] {
			break
		}
		digits[colour] = k
		n.place(x, place, colour+1, unit*(l.PerColour+1), used+k*unit, ways*n.stack(colour, place, k), colours+min(k, 1), f, digits)
	}
	digits[colour] = 0
}

// fits reports whether as many more pieces of each colour are left.
func (n *Census) fits(from int, digits []int) bool {
	each := n.c.game.prog.Layout.PerColour + 1
	for _, k := range digits {
		if from%each+k >= each {
			return false
		}
		from /= each
	}
	return true
}

// stack is the number of ways in which k pieces of a colour can be on a place: by their nodes of the track and variables.
func (n *Census) stack(colour, place, k int) float64 {
	m := n.c.factor * seq.Count(n.c.spots[colour], func(s spot) bool { return int(s.place) == place })
	out := 1.0
	for i := range k { // multisets of k out of m
		out = out * float64(m+i) / float64(i+1)
	}
	return out
}

// alone is the number of placements of one colour.
func (n *Census) alone(x *limits, colour int) float64 {
	l := &n.c.game.prog.Layout
	ways := make([]float64, l.PerColour+1)
	ways[0] = 1
	for place := range l.Places {
		for from := l.PerColour; from >= 0; from-- {
			for k := 1; k <= x.most[colour][place] && from+k <= l.PerColour; k++ {
				ways[from+k] += ways[from] * n.stack(colour, place, k)
			}
		}
	}
	return ways[l.PerColour]
}
