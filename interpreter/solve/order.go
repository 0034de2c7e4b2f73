package solve

// order puts the positions in the order in which their values are worked out: components by Tarjan's algorithm (R. Tarjan,
// Depth-first search and linear graph algorithms, 1972), which meets those that come last in a game first, and in each the
// positions as the search leaves them, so that what follows mostly stands before.
func (g *graph) order() {
	n := len(g.kind)
	number := make([]uint32, n) // in which the search meets them, from 1
	low := make([]uint32, n)
	done := make([]bool, n) // its component is known
	g.line, g.parts = make([]uint32, 0, n), []uint32{0}
	type frame struct {
		state uint32
		ways  []way // not followed yet
	}
	var path []frame
	var left []uint32 // positions the search has left whose component is not known
	met := uint32(0)
	meet := func(i uint32) {
		met++
		number[i], low[i] = met, met
		path = append(path, frame{i, g.row(i)})
	}
	meet(0) // everything can be reached from there
	for len(path) > 0 {
		f := &path[len(path)-1]
		i := f.state
		if len(f.ways) > 0 {
			j := f.ways[0].to
			f.ways = f.ways[1:]
			switch {
			case number[j] == 0:
				meet(j)
			case !done[j]:
				low[i] = min(low[i], number[j])
			}
			continue
		}
		path = path[:len(path)-1]
		left = append(left, i)
		if len(path) > 0 {
			up := path[len(path)-1].state
			low[up] = min(low[up], low[i])
		}
		if low[i] != number[i] {
			continue
		}
		// All left after i was met belong to its component: they have higher numbers.
		at := len(left) - 1
		for at > 0 && number[left[at-1]] > number[i] {
			at--
		}
		for _, j := range left[at:] {
			done[j] = true
		}
		g.line = append(g.line, left[at:]...)
		left = left[:at]
		g.parts = append(g.parts, uint32(len(g.line)))
	}
}
