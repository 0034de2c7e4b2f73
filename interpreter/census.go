package interpreter

import "math"

// Census estimates how many positions at throws a game has, by counting placements of the pieces that agree with what
// has been met in some games: how many pieces of a colour stand on a place at most, and whether colours share it. What
// the rules remember besides is not counted. A Census belongs to one goroutine.
type Census struct {
	c      *Canonical
	coder  *Coder
	key    []uint64
	most   [][]int // of each colour and place: pieces on it at most
	shared []bool  // of each place: colours have stood on it together
	met    bool
}

// Census begins with no position.
func (c *Canonical) Census() *Census {
	l := &c.game.prog.Layout
	n := &Census{c: c, coder: c.Coder(), shared: make([]bool, l.Places)}
	for range l.Colours {
		n.most = append(n.most, make([]int, l.Places))
	}
	return n
}

// Add takes a position into account. Those without a key do not count.
func (n *Census) Add(p *Position) {
	var ok bool
	if n.key, _, ok = n.coder.Key(n.key[:0], p); !ok {
		return
	}
	n.met = true
	l := &n.c.game.prog.Layout
	here := make([]int, l.Colours*l.Places)
	for q := range l.Pieces {
		here[q/l.PerColour*l.Places+int(p.m.State()[l.At+q])]++
	}
	for place := range l.Places {
		colours := 0
		for colour := range l.Colours {
			k := here[colour*l.Places+place]
			n.most[colour][place] = max(n.most[colour][place], k)
			colours += min(k, 1)
		}
		n.shared[place] = n.shared[place] || colours > 1
	}
}

// Positions is the estimate, 0 if no position with a key was met. Positions that differ only in names count once.
func (n *Census) Positions() float64 {
	if !n.met {
		return 0
	}
	l := &n.c.game.prog.Layout
	// Symmetries make the same limits hold for all colours that they rename to one another.
	for _, s := range n.c.syms {
		for colour, to := range s.colours {
			for place, there := range s.places {
				n.most[to][there] = max(n.most[to][there], n.most[colour][place])
				n.shared[there] = n.shared[there] || n.shared[place]
			}
		}
	}
	size := 1 // of a vector of how many pieces of each colour are placed
	for range l.Colours {
		size *= l.PerColour + 1
	}
	ways := make([]float64, size)
	ways[0] = 1
	const large = 1 << 12
	if size > large { // colour by colour, as if none were in the way of another
		total := 1.0
		for colour := range l.Colours {
			total *= n.alone(colour)
		}
		return total * n.names()
	}
	for place := range l.Places {
		next := make([]float64, size)
		n.place(place, 0, 1, 0, 1, 0, func(used int, w float64, digits []int) {
			for from, x := range ways {
				if x > 0 && n.fits(from, digits) {
					next[from+used] += x * w
				}
			}
		}, make([]int, l.Colours))
		ways = next
	}
	return ways[size-1] * n.names()
}

// place calls f with each way to have pieces on a place: the vector of how many, and the number of ways for it.
func (n *Census) place(place, colour, unit, used int, ways float64, colours int, f func(used int, ways float64, digits []int), digits []int) {
	l := &n.c.game.prog.Layout
	if colour == l.Colours {
		f(used, ways, digits)
		return
	}
	for k := 0; k <= n.most[colour][place]; k++ {
		if k > 0 && colours > 0 && !n.shared[place] {
			break
		}
		digits[colour] = k
		n.place(place, colour+1, unit*(l.PerColour+1), used+k*unit, ways*n.stack(colour, place, k), colours+min(k, 1), f, digits)
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
	m := 0
	for _, s := range n.c.spots[colour] {
		if int(s.place) == place {
			m++
		}
	}
	m *= n.c.factor
	out := 1.0
	for i := range k { // multisets of k out of m
		out = out * float64(m+i) / float64(i+1)
	}
	return out
}

// alone is the number of placements of one colour.
func (n *Census) alone(colour int) float64 {
	l := &n.c.game.prog.Layout
	ways := make([]float64, l.PerColour+1)
	ways[0] = 1
	for place := range l.Places {
		for from := l.PerColour; from >= 0; from-- {
			for k := 1; k <= n.most[colour][place] && from+k <= l.PerColour; k++ {
				ways[from+k] += ways[from] * n.stack(colour, place, k)
			}
		}
	}
	return ways[l.PerColour]
}

// names is how often placements count by who is in turn, and by which piece is which.
func (n *Census) names() float64 {
	l := &n.c.game.prog.Layout
	out := float64(n.c.game.Players()) / float64(len(n.c.syms))
	if !n.c.merged {
		out *= math.Pow(math.Gamma(float64(l.PerColour)+1), float64(l.Colours))
	}
	return out
}
