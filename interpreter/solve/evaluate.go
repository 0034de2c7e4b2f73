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
	fixed    bool        // options are not chosen anew
	missed   float64     // with fixed: how much more likely a win is by another option, at most
}

// place is the row of a position of a layer.
func (e *evaluator) place(l *layer, i uint32) []float64 {
	at := int(i) * e.row
	if l == e.of && e.others(i) {
		return e.before[at : at+e.row]
	}
	return l.rows[at : at+e.row]
}

// others reports whether a position of the layer is of another share.
func (e *evaluator) others(i uint32) bool { return i-e.from >= e.to-e.from }

// node computes the row of the node of t at an offset, and returns the offset after it. depth is 0 at the root of a tree.
func (e *evaluator) node(t []byte, at int, out []float64, depth int) int {
	op := little.Uint16(t[at:])
	wins, row := e.wins, e.row
	switch op & opKind {
	case opLeaf:
		by := &e.g.labels[op&opNumber]
		from := e.place(e.g.layers[by.layer], little.Uint32(t[at+2:]))
		perm := e.g.perms[by.perm]
		switch {
		case !e.duel:
			for s := range wins {
				out[s] = from[perm[s]]
			}
		case perm[0] == 0:
			out[0] = from[0]
		default:
			out[0] = 1 - from[0]
		}
		if row > wins {
			out[wins], out[wins+1] = from[wins], from[wins+1]+float64(by.turns)
		}
		return at + 6
	case opEnd:
		by := &e.g.labels[op&opNumber]
		clear(out)
		side := int(by.side)
		if side == noSide {
			side = e.sides
		}
		if !e.duel {
			out[side] = 1
		} else if side == 0 {
			out[0] = 1
		}
		if row > wins {
			out[wins+1] = float64(by.turns)
		}
		return at + 2
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
		by := &e.g.labels[op&opNumber]
		to := little.Uint32(t[at+2:])
		rows := e.rows[by.layer]
		if by.layer == e.own && e.others(to) {
			rows = e.before
		}
		if win = rows[to]; by.turned {
			win = 1 - win
		}
		return win, at + 6
	case opEnd:
		if e.g.labels[op&opNumber].side == 0 {
			win = 1
		}
		return win, at + 2
	case opChance:
		dist := e.g.dists[little.Uint16(t[at+2:])]
		at += 4
		for _, p := range dist {
			if looped && e.again(t, at) {
				e.back += p
				at += 6
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

// duelFar is far for the two sides of a duel.
func (e *evaluator) duelFar(t []byte, at int) (one, two float64, next int) {
	op := little.Uint16(t[at:])
	switch op & opKind {
	case opLeaf:
		by := &e.g.labels[op&opNumber]
		if by.layer != e.own {
			return 0, 0, at + 6
		}
		to := little.Uint32(t[at+2:])
		from := e.reach
		if e.others(to) {
			from = e.past
		}
		one, two = float64(from[2*to]), float64(from[2*to+1])
		if by.turned {
			one, two = two, one
		}
		return one, two, at + 6
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
	e.node(e.of.of(i), 0, out, 0)
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
		win, _ := e.duelled(e.of.of(i), 0, true)
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
		by := &e.g.labels[op&opNumber]
		if e.g.layers[by.layer] != e.of {
			clear(out)
			return next
		}
		from, i := e.reach, little.Uint32(t[at+2:])
		if e.others(i) {
			from = e.past
		}
		row, perm := from[int(i)*sides:][:sides], e.g.perms[by.perm]
		for s := range out {
			out[s] = float64(row[perm[s]])
		}
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
	if e.sides == 2 {
		out[0], out[1], _ = e.duelFar(e.of.of(i), 0)
	} else {
		e.far(e.of.of(i), 0, out, 0)
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
