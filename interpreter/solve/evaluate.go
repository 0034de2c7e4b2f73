package solve

import "math"

// evaluator computes rows, by evaluating trees. It belongs to one goroutine.
type evaluator struct {
	*values
	of         *layer
	exit       []float32   // by position and column: see values.exitTime
	exits      int         // columns of exit: one a side, or one if nothing is decided
	from, to   uint32      // the positions of this share; for positions of other shares it reads the rows from before the sweep
	before     []float64   // rows before the sweep
	exitBefore []float32   // exit before the sweep
	own        uint16      // the number of this layer
	rows       [][]float64 // by layer
	choosing   bool        // store the chosen options in the tree
	self       uint32      // the position being evaluated
	looped     bool        // eliminate self-loops
	back       float64
	levels     [][]float64 // by nesting depth: rows of the branches of a node
	in         []float64   // rows of the leaves of a tree, see read
	next       int         // index of the next leaf
	seen       float64     // keeps what prefetch reads
	fixed      bool        // keep the chosen options
	regret     float64     // with fixed: the largest gain in win probability by switching to another option
}

// otherShare reports whether a position of the layer belongs to another share.
func (e *evaluator) otherShare(i uint32) bool { return i-e.from >= e.to-e.from }

// read collects the rows of the leaves and ends below the node of t at an offset. It reads the whole tree before anything is
// computed, so that the processor overlaps the cache misses.
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
			if by.layer == e.own && e.otherShare(to) {
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

// prefetch reads the ends of each row that the tree of a position leads to: the processor waits for memory once, not for each row. A
// sweep over 33 million positions takes 0.78 of the time without it.
func (e *evaluator) prefetch(i uint32) {
	t := e.of.of(i)
	at := 0
	for open := 1; open > 0; open-- {
		op := little.Uint16(t[at:])
		switch op & opKind {
		case opLeaf:
			n, to := e.g.labels[op&opNumber].layer, little.Uint32(t[at+2:])
			at += 6
			rows := e.rows[n]
			if n == e.own && e.otherShare(to) {
				rows = e.before
			}
			row := rows[int(to)*e.row:][:e.row]
			e.seen += row[0] + row[e.row-1]
		case opEnd:
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

// leaf appends the row of a leaf, computed from the row of its target.
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

// end appends the row of an end.
func (e *evaluator) end(by *label) {
	at := len(e.in)
	e.in = append(e.in, make([]float64, e.row)...)
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

// tree computes the row of the node of t at an offset. It returns the offset after the node.
func (e *evaluator) tree(t []byte, at int, out []float64) int {
	e.read(t, at)
	return e.node(t, at, out, 0)
}

// node computes the row of the node of t at an offset, after read. It returns the offset after the node. Self-loops may be
// eliminated only at depth 0.
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
			if depth == 0 && e.looped && e.selfEdge(t, at) {
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
				out[c] += float64(p * v) // rounded explicitly, to prevent a fused multiply-add: all machines compute the same result
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
				e.regret = max(e.regret, e.chance(rows[i*row:], side)-e.chance(rows[now*row:], side))
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

// level is the buffer for the rows of the branches of a node at a depth.
func (e *evaluator) level(depth, n int) []float64 {
	for len(e.levels) <= depth {
		e.levels = append(e.levels, nil)
	}
	if cap(e.levels[depth]) < n {
		e.levels[depth] = make([]float64, n)
	}
	return e.levels[depth][:n]
}

// duelled is node for rows of one number: the probability that side 0 of two wins. Large games use this form.
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
			if looped && e.selfEdge(t, at) {
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

// readExit is read for exitTree.
func (e *evaluator) readExit(t []byte) {
	e.in, e.next = e.in[:0], 0
	for ways := (leaves{open: 1}); ; {
		by, to, ok := ways.next(e.g, t)
		if !ok {
			return
		}
		if by.end {
			continue
		}
		from := e.exit
		if e.otherShare(to) {
			from = e.exitBefore
		}
		if by.layer != e.own {
			e.in = append(e.in, make([]float64, e.exits)...)
			continue
		}
		row := from[int(to)*e.exits:][:e.exits]
		if e.exits == 1 {
			e.in = append(e.in, float64(row[0]))
			continue
		}
		for _, s := range e.g.perms[by.perm][:e.exits] {
			e.in = append(e.in, float64(row[s]))
		}
	}
}

// duelExit is exitTree for the two sides of a duel.
func (e *evaluator) duelExit(t []byte, at int) (one, two float64, next int) {
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
			a, b, at = e.duelExit(t, at)
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
		a, b, at = e.duelExit(t, at)
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

// selfEdge reports whether the node at an offset leads to the current position, without a renaming of the sides.
func (e *evaluator) selfEdge(t []byte, at int) bool {
	op := little.Uint16(t[at:])
	if op&opKind != opLeaf || little.Uint32(t[at+2:]) != e.self {
		return false
	}
	by := &e.g.labels[op&opNumber]
	return by.perm == 0 && e.g.layers[by.layer] == e.of
}

// chance is the probability that a side wins, from a row.
func (v *values) chance(row []float64, side int) float64 {
	if v.duel && side == 1 {
		return 1 - row[0]
	}
	return row[side]
}

// decide chooses the best option from several rows: the one with the largest win probability. Among equal ones it switches
// from the present one only to an option that makes the game clearly shorter.
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

// position computes the row of a position of the layer. With looped, it eliminates self-loops algebraically instead of by
// iteration.
func (e *evaluator) position(i uint32, looped bool, out []float64) {
	e.self, e.looped, e.back, e.regret = i, looped, 0, 0
	e.tree(e.of.of(i), 0, out)
	if e.back > 0 {
		for c := range out {
			out[c] /= 1 - e.back
		}
	}
}

// update computes a position's row from the rows of its successors. It returns the largest change; for lengths, the relative
// change.
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

// exitTree computes the exit times from the node of t at an offset: for each side the expected number of positions until
// play leaves the layer. The side maximises it, while the others take the chosen options. If nothing is decided, there is one
// exit time for all sides. It returns the offset after the node.
func (e *evaluator) exitTree(t []byte, at int, out []float64, depth int) int {
	op := little.Uint16(t[at:])
	n, next := e.g.branches(t, at)
	switch op & opKind {
	case opLeaf:
		e.next += copy(out, e.in[e.next:e.next+e.exits])
	case opEnd:
		clear(out)
	case opChance:
		in := e.level(depth, e.exits)
		clear(out)
		for _, p := range e.g.dists[little.Uint16(t[at+2:])] {
			next = e.exitTree(t, next, in, depth+1)
			for s, f := range in {
				out[s] += float64(p * f)
			}
		}
	default:
		in := e.level(depth, e.exits)
		own, now := int(op&opSide), int(little.Uint16(t[at+4:]))
		most := 0.0
		for i := range n {
			next = e.exitTree(t, next, in, depth+1)
			most = max(most, in[own])
			if i == now {
				copy(out, in)
			}
		}
		out[own] = most
	}
	return next
}

// updateExit is update for exit times. It returns the largest increase.
func (e *evaluator) updateExit(i uint32, out []float64) (more float64) {
	if e.of.hopeless != nil && e.of.hopeless[i] {
		return 0
	}
	out = out[:e.exits]
	t := e.of.of(i)
	e.readExit(t)
	if e.exits == 2 {
		out[0], out[1], _ = e.duelExit(t, 0)
	} else {
		e.exitTree(t, 0, out, 0)
	}
	row := e.exit[int(i)*e.exits:][:e.exits]
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
