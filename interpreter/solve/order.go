package solve

// order sorts the positions of a layer for value iteration. Strongly connected components, found by Tarjan's algorithm (R.
// Tarjan, Depth-first search and linear graph algorithms, 1972), are in reverse topological order. The positions of a
// component are in postorder, so that most successors precede a position. line holds the positions; parts holds the start of
// each component in it, and its end.
func (g *graph) order(l *layer) (line, parts []uint32) {
	n := l.count
	number := make([]uint32, n) // discovery index of the search, from 1
	low := make([]uint32, n)    // lowlink; 0 once the component is complete
	line, parts = make([]uint32, 0, n), []uint32{0}
	type frame struct {
		state uint32
		ways  leaves // edges not followed yet
	}
	var path []frame
	var left []uint32 // Tarjan's stack: visited positions whose component is not complete
	met := uint32(0)
	meet := func(i uint32) {
		met++
		number[i], low[i] = met, met
		path = append(path, frame{i, leaves{open: 1}})
	}
	for root := range uint32(n) {
		if number[root] == 0 {
			meet(root)
		}
		for len(path) > 0 {
			f := &path[len(path)-1]
			i := f.state
			if by, j, ok := f.ways.next(g, l.of(i)); ok {
				switch {
				case by.end || g.layers[by.layer] != l:
				case number[j] == 0:
					meet(j)
				case low[j] > 0:
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
				low[j] = 0
			}
			line = append(line, left[at:]...)
			left = left[:at]
			parts = append(parts, uint32(len(line)))
		}
	}
	return line, parts
}
