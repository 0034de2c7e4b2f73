package solve

// order sorts the positions for value iteration: strongly connected components by Tarjan's algorithm (R. Tarjan,
// Depth-first search and linear graph algorithms, 1972), in reverse topological order, and the positions of a
// component in postorder, so that successors mostly precede them.
func (g *graph) order() {
	n := len(g.kind)
	number := make([]uint32, n) // discovery index of the search, from 1
	low := make([]uint32, n)
	done := make([]bool, n) // its component is complete
	g.line, g.parts = make([]uint32, 0, n), []uint32{0}
	type frame struct {
		state uint32
		ways  []way // edges not followed yet
	}
	var path []frame
	var left []uint32 // Tarjan's stack: finished positions whose component is not complete
	met := uint32(0)
	meet := func(i uint32) {
		met++
		number[i], low[i] = met, met
		path = append(path, frame{i, g.row(i)})
	}
	meet(0) // every position is reachable from it
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
		// All positions above i on the stack belong to its component: they have larger indices.
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
