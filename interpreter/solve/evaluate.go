package solve

import "math"

// evaluator computes rows. It belongs to one goroutine.
type evaluator struct {
	*values
	of       *layer
	reach    []float32   // of each position and side, see reach
	from, to uint32      // the positions of this share; of others it sees what was before the sweep
	before   []float64   // rows before the sweep
	past     []float32   // reach before the sweep
	own      uint16      // the number of this layer
	rows     [][]float64 // of all layers
	choosing bool        // note the options chosen
	self     uint32      // the position worked on
	looped   bool        // edges from the position to itself are eliminated
	back     float64
	levels   [][]float64 // rows of the branches of nested nodes
	in       []float64   // the rows of the leaves of a tree, see read
	next     int         // the leaf that comes next
	fixed    bool        // options are not chosen anew
	missed   float64     // with fixed: how much more likely a win is by another option, at most
}

// others reports whether a position of the layer is of another share.
func (e *evaluator) others(i uint32) bool { return i-e.from >= e.to-e.from }

// read collects the rows of the leaves and ends below the node of t at an offset. Whole trees are read before anything is computed: so
// the processor asks the memory for many rows at once, in place of waiting for each.
func (e *evaluator) read(t []byte, at int) {
	e.in, e.next = e.in[:0], 0
	one := e.duel && e.row == 1
	for open := 1; open > 0; open-- {
		op := little.Uint16(t[at:])
		switch op & opKind {
		case opLeaf:
			by, to := &e.g.labels[op&opNumber], little.Uint32(t[at+2:])
			at += 6
			rows := e.rows[by.layer]
			if by.layer == e.own && e.others(to) {
				rows = e.before
			}
			if !one {
				e.leaf(by, rows[int(to)*e.row:])
				continue
			}
			win := rows[to]
			if by.turned {
				win = 1 - win
			}
			e.in = append(e.in, win)
		case opEnd:
			e.end(&e.g.labels[op&opNumber])
			at += 2
		case opChance:
			open += len(e.g.dists[little.Uint16(t[at+2:])])
			at += 4
		default:
			open += int(little.Uint16(t[at+2:]))
			at += 6
		}
	}
}

// leaf adds the row of a leaf, from that of its target.
func (e *evaluator) leaf(by *label, from []float64) {
	if e.duel {
		win := from[0]
		if by.turned {
			win = 1 - win
		}
		e.in = append(e.in, win)
	} else {
		for _, s := range e.g.perms[by.perm][:e.wins] {
			e.in = append(e.in, from[s])
		}
	}
	if e.row > e.wins {
		e.in = append(e.in, from[e.wins], from[e.wins+1]+float64(by.turns))
	}
}

// end adds the row of an end.
func (e *evaluator) end(by *label) {
	at := len(e.in)
	for range e.row {
		e.in = append(e.in, 0)
	}
	side := int(by.side)
	if side == noSide {
		side = e.sides
	}
	if !e.duel {
		e.in[at+side] = 1
	} else if side == 0 {
		e.in[at] = 1
	}
	if e.row > e.wins {
		e.in[at+e.wins+1] = float64(by.turns)
	}
}

// tree computes the row of the node of t at an offset, and returns the offset after it.
func (e *evaluator) tree(t []byte, at int, out []float64) int {
	e.read(t, at)
	return e.node(t, at, out, 0)
}

// node computes the row of the node of t at an offset, whose leaves have been read, and returns the offset after it. depth is 0 where
// edges to the position itself may be eliminated.
func (e *evaluator) node(t []byte, at int, out []float64, depth int) int {
	op := little.Uint16(t[at:])
	wins, row := e.wins, e.row
	switch op & opKind {
	case opLeaf, opEnd:
		e.next += copy(out, e.in[e.next:e.next+row])
		if op&opKind == opEnd {
			return at + 2
		}
		return at + 6
	}
	throws := 0.0
	if op&opThrows != 0 {
		throws = 1
	}
	if op&opKind == opChance {
		in := e.level(depth, row)
		clear(out)
		dist := e.g.dists[little.Uint16(t[at+2:])]
		at += 4
		for _, p := range dist {
			if depth == 0 && e.looped && e.again(t, at) {
				e.back += p
				if row > wins {
					out[wins+1] += float64(p * float64(e.g.labels[little.Uint16(t[at:])&opNumber].turns))
				}
				at += 6
				e.next += row
				continue
			}
			at = e.node(t, at, in, depth+1)
			for c, v := range in {
				out[c] += float64(p * v) // rounded explicitly, so that no machine uses a fused multiply-add: the result is the same on all
			}
		}
	} else {
		n, side := int(little.Uint16(t[at+2:])), int(op&opSide)
		taken := t[at+4 : at+6]
		at += 6
		rows := e.level(depth, n*row)
		for i := range n {
			at = e.node(t, at, rows[i*row:(i+1)*row], depth+1)
		}
		now := int(little.Uint16(taken))
		if e.fixed {
			for i := range n {
				e.missed = max(e.missed, e.chance(rows[i*row:], side)-e.chance(rows[now*row:], side))
			}
		} else {
			now = e.decide(rows, n, side, now)
			little.PutUint16(taken, uint16(now))
		}
		copy(out, rows[now*row:(now+1)*row])
	}
	if row > wins {
		out[wins] += throws
	}
	return at
}

// level is room for the rows of the branches of a node at a depth.
func (e *evaluator) level(depth, n int) []float64 {
	for len(e.levels) <= depth {
		e.levels = append(e.levels, nil)
	}
	if cap(e.levels[depth]) < n {
		e.levels[depth] = make([]float64, n)
	}
	return e.levels[depth][:n]
}

// duelled is node where a row is one number: the probability that side 0 of two wins. Large games are solved so.
func (e *evaluator) duelled(t []byte, at int, looped bool) (win float64, next int) {
	op := little.Uint16(t[at:])
	switch op & opKind {
	case opLeaf:
		e.next++
		return e.in[e.next-1], at + 6
	case opEnd:
		e.next++
		return e.in[e.next-1], at + 2
	case opChance:
		dist := e.g.dists[little.Uint16(t[at+2:])]
		at += 4
		for _, p := range dist {
			if looped && e.again(t, at) {
				e.back += p
				at += 6
				e.next++
				continue
			}
			var w float64
			w, at = e.duelled(t, at, false)
			win += float64(p * w)
		}
		return win, at
	}
	n, now := int(little.Uint16(t[at+2:])), at+4
	first := op&opSide == 0
	at += 6
	best := 0
	for i := range n {
		var w float64
		if w, at = e.duelled(t, at, false); i == 0 || first == (w > win) && w != win {
			win, best = w, i
		}
	}
	if e.choosing {
		little.PutUint16(t[now:], uint16(best))
	}
	return win, at
}

// readFar is read for far.
func (e *evaluator) readFar(t []byte) {
	e.in, e.next = e.in[:0], 0
	for ways := (leaves{open: 1}); ; {
		by, to, ok := ways.next(e.g, t)
		if !ok {
			return
		}
		if by.end {
			continue
		}
		from := e.reach
		if e.others(to) {
			from = e.past
		}
		for _, s := range e.g.perms[by.perm][:e.sides] {
			f := 0.0
			if by.layer == e.own {
				f = float64(from[int(to)*e.sides+s])
			}
			e.in = append(e.in, f)
		}
	}
}

// duelFar is far for the two sides of a duel.
func (e *evaluator) duelFar(t []byte, at int) (one, two float64, next int) {
	op := little.Uint16(t[at:])
	switch op & opKind {
	case opLeaf:
		e.next += 2
		return e.in[e.next-2], e.in[e.next-1], at + 6
	case opEnd:
		return 0, 0, at + 2
	case opChance:
		dist := e.g.dists[little.Uint16(t[at+2:])]
		at += 4
		for _, p := range dist {
			var a, b float64
			a, b, at = e.duelFar(t, at)
			one, two = one+float64(p*a), two+float64(p*b)
		}
		return one, two, at
	}
	n, now := int(little.Uint16(t[at+2:])), int(little.Uint16(t[at+4:]))
	side := op & opSide
	at += 6
	most := 0.0
	for i := range n {
		var a, b float64
		a, b, at = e.duelFar(t, at)
		if side == 0 {
			most = max(most, a)
		} else {
			most = max(most, b)
		}
		if i == now {
			one, two = a, b
		}
	}
	if side == 0 {
		one = most
	} else {
		two = most
	}
	return one, two, at
}

// again reports whether the node at an offset is the position itself, with the sides as they are.
func (e *evaluator) again(t []byte, at int) bool {
	op := little.Uint16(t[at:])
	if op&opKind != opLeaf || little.Uint32(t[at+2:]) != e.self {
		return false
	}
	by := &e.g.labels[op&opNumber]
	return by.perm == 0 && e.g.layers[by.layer] == e.of
}

// chance is the probability in a row that a side wins.
func (v *values) chance(row []float64, side int) float64 {
	if v.duel && side == 1 {
		return 1 - row[0]
	}
	return row[side]
}

// decide takes the best option of several rows: the one with the largest probability to win, among equal ones one that
// makes the game clearly shorter than the present one.
func (v *values) decide(rows []float64, n, side, now int) int {
	each := v.row
	most := 0.0
	for i := range n {
		most = max(most, v.chance(rows[i*each:], side))
	}
	if v.chance(rows[now*each:], side) < most-gain {
		now = none
	}
	for i := range n {
		if v.chance(rows[i*each:], side) < most-gain {
			continue
		}
		if now == none {
			now = i
		} else if v.row > v.wins {
			if length := rows[i*each+v.wins]; length+shorter*max(1, length) < rows[now*each+v.wins] {
				now = i
			}
		}
	}
	return now
}

// none means no option.
const none = -1

// position computes the row of a position of the layer. With looped, edges from the position to itself are eliminated
// algebraically instead of iterated.
func (e *evaluator) position(i uint32, looped bool, out []float64) {
	e.self, e.looped, e.back, e.missed = i, looped, 0, 0
	e.tree(e.of.of(i), 0, out)
	if e.back > 0 {
		for c := range out {
			out[c] /= 1 - e.back
		}
	}
}

// update computes a position's values from those of its successors. It returns the largest change, relative for
// lengths.
func (e *evaluator) update(i uint32, out []float64) (change float64) {
	if e.row == 1 && e.duel {
		e.self, e.back = i, 0
		t := e.of.of(i)
		e.read(t, 0)
		win, _ := e.duelled(t, 0, true)
		if e.back > 0 {
			win /= 1 - e.back
		}
		change, e.of.rows[i] = math.Abs(win-e.of.rows[i]), win
		return change
	}
	out = out[:e.row]
	e.position(i, true, out)
	row := e.of.rows[int(i)*e.row:][:e.row]
	for c := range e.wins {
		change = max(change, math.Abs(out[c]-row[c]))
		row[c] = out[c]
	}
	for c := e.wins; c < e.row; c++ {
		change = max(change, moved(&row[c], out[c]))
	}
	return change
}

// far computes for each side the expected number of positions from the node of t at an offset until the layer is left,
// if this side takes what makes it largest and the others the options chosen. It returns the offset after the node.
func (e *evaluator) far(t []byte, at int, out []float64, depth int) int {
	op := little.Uint16(t[at:])
	n, next := e.g.branches(t, at)
	sides := e.sides
	switch op & opKind {
	case opLeaf:
		e.next += copy(out, e.in[e.next:e.next+sides])
	case opEnd:
		clear(out)
	case opChance:
		in := e.level(depth, sides)
		clear(out)
		for _, p := range e.g.dists[little.Uint16(t[at+2:])] {
			next = e.far(t, next, in, depth+1)
			for s, f := range in {
				out[s] += float64(p * f)
			}
		}
	default:
		in := e.level(depth, sides)
		own, now := int(op&opSide), int(little.Uint16(t[at+4:]))
		most := 0.0
		for i := range n {
			next = e.far(t, next, in, depth+1)
			most = max(most, in[own])
			if i == now {
				copy(out, in)
			}
		}
		out[own] = most
	}
	return next
}

// updateFar does for far what update does for values. It returns how much more there is than before.
func (e *evaluator) updateFar(i uint32, out []float64) (more float64) {
	if e.of.hopeless != nil && e.of.hopeless[i] {
		return 0
	}
	out = out[:e.sides]
	t := e.of.of(i)
	e.readFar(t)
	if e.sides == 2 {
		out[0], out[1], _ = e.duelFar(t, 0)
	} else {
		e.far(t, 0, out, 0)
	}
	row := e.reach[int(i)*e.sides:][:e.sides]
	for s, f := range out {
		more = max(more, f+1-float64(row[s]))
		if !e.fixed {
			row[s] = float32(f + 1)
		}
	}
	return more
}

// moved assigns a new length and returns the relative change.
func moved(old *float64, now float64) float64 {
	was := *old
	*old = now
	switch {
	case was == now:
		return 0
	case math.IsInf(now, 1):
		return 1
	}
	return math.Abs(now-was) / max(1, now)
}
