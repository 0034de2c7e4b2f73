package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// solution holds the values of the positions of a layer: of each a row of numbers, see values.
type solution struct {
	rows              []float64
	solved            bool
	hopeless, lasting []bool // no end is reachable; the deciding sides together could go on for ever; nil for none
	// bounds on the errors of probabilities and lengths, and the largest change that one more update makes to them
	error, lengthError, residual, lengthResidual float64
	components                                   int
	largest                                      int
}

// values computes the value of each position. Its row has the probability that each side wins, then that none does;
// in a duel, a game of two sides that always ends with a winner, only the first. After that come the expected numbers of
// throws and turns, unless only wins are asked for.
type values struct {
	g         *graph
	keep      *keeper
	o         Options
	sides     int
	duel      bool
	wins, row int // numbers of a row that are probabilities, and all of them
	avoidable bool
	sweeps    int
	hopeless  int
}

// errNotDuel says that a game does not always end.
type errNotDuel struct{}

func (errNotDuel) Error() string { return "the game need not end" }

// Constants of the iteration.
const (
	// gain is how much better an option must be than the one taken before; smaller differences are rounding errors.
	gain = 1e-13
	// shorter is how much shorter, relatively, an equally good option must be.
	shorter   = 1e-9
	maxSweeps = 200_000
	// lookEvery is the interval, in sweeps, of the test whether the chosen options lead to an end at all.
	lookEvery = 20_000
	// unit is the relative rounding error of one operation.
	unit = 1.0 / (1 << 53)
)

// A component of at least shared positions is worked on in parts at once: each sees what the others had before the
// sweep, so that the result does not depend on the number of cores.
var shared = 1 << 15 // a variable for tests

const shares = 4 // the parts

// form says what the rows are.
func (v *values) form() string { return fmt.Sprintf("%t %d", v.duel, v.row) }

// settle computes the values of all layers, from the last to the first, but those that the store has.
func (g *graph) settle(ctx context.Context, o Options, sides int, keep *keeper) (*values, error) {
	order := slices.Clone(g.layers)
	slices.SortFunc(order, func(a, b *layer) int {
		if b.before(a) {
			return -1
		}
		return 1
	})
	for _, duel := range []bool{true, false} {
		if duel && (sides != 2 || g.drawn) {
			continue
		}
		v := &values{g: g, keep: keep, o: o, sides: sides, duel: duel, wins: sides + 1}
		if duel {
			v.wins = 1
		}
		v.row = v.wins
		if !o.Wins {
			v.row += 2
		}
		if err := keep.begin(v); err != nil {
			return nil, err
		}
		settled := 0
		for _, l := range order {
			err := v.layer(ctx, l, settled)
			if err == (errNotDuel{}) {
				break
			}
			if err != nil {
				return nil, err
			}
			settled += l.count
		}
		if settled == g.states {
			return v, nil
		}
	}
	panic("no form fits")
}

// evaluator computes rows. It belongs to one goroutine.
type evaluator struct {
	*values
	of       *layer
	reach    []float32 // of each position and side, see reach
	before   []float64 // rows of positions of other shares, nil if there is one share only
	past     []float32 // their reach
	share    []uint8   // of each position
	mine     uint8
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
	if l == e.of && e.before != nil && e.share[i] != e.mine {
		return e.before[at : at+e.row]
	}
	return l.rows[at : at+e.row]
}

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
		if e.share != nil && by.layer == e.own && e.share[to] != e.mine {
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
		if e.share != nil && e.share[to] != e.mine {
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
		if e.past != nil && e.share[i] != e.mine {
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

// layer computes the values of a layer.
func (v *values) layer(ctx context.Context, l *layer, settled int) error {
	if l.solved {
		_, err := v.keep.rows(l.n, v.row)
		return err
	}
	if err := v.keep.open(l.n); err != nil {
		return err
	}
	line, parts := v.g.order(l)
	l.solution = solution{components: len(parts) - 1}
	if ok, err := v.keep.rows(l.n, v.row); err != nil {
		return err
	} else if !ok {
		l.rows = make([]float64, l.count*v.row)
		for i := 0; v.duel && i < len(l.rows); i += v.row {
			l.rows[i] = 0.5
		}
	}
	v.endings(l, line, parts)
	if v.duel && (l.hopeless != nil || l.lasting != nil) {
		return errNotDuel{}
	}
	for c := range len(parts) - 1 {
		part := line[parts[c]:parts[c+1]]
		l.largest = max(l.largest, len(part))
		if err := v.part(ctx, l, part); err != nil {
			return errors.Join(err, v.keep.solved(l.n, true))
		}
		if v.o.Progress != nil && (c&0xfff == 0 || len(part) > 0xfff) {
			v.o.Progress(Progress{States: v.g.states, Looked: v.g.states, Settled: settled + int(parts[c+1]), Sweeps: v.sweeps})
		}
	}
	if err := v.judge(ctx, l, line); err != nil {
		return errors.Join(err, v.keep.solved(l.n, true))
	}
	if err := v.keep.solved(l.n, false); err != nil {
		return err
	}
	v.keep.drop(l)
	return nil
}

// lasts reports whether all branches of the node of a tree at an offset lead to lasting positions, or one branch if a
// player decides; it returns the offset after the node.
func (v *values) lasts(t []byte, at int) (bool, int) {
	op := little.Uint16(t[at:])
	n, next := v.g.branches(t, at)
	switch op & opKind {
	case opEnd:
		return false, next
	case opLeaf:
		l := v.g.layers[v.g.labels[op&opNumber].layer]
		return l.lasting != nil && l.lasting[little.Uint32(t[at+2:])], next
	}
	choice := op&opKind == opChoice
	all := !choice
	for range n {
		var one bool
		if one, next = v.lasts(t, next); one == choice {
			all = one
		}
	}
	return all, next
}

// endings finds hopeless positions of a layer, and whether the deciding sides together could make the game endless.
func (v *values) endings(l *layer, line, parts []uint32) {
	g := v.g
	l.lasting, l.hopeless = make([]bool, l.count), make([]bool, l.count)
	part := make([]uint32, l.count)
	for c := range len(parts) - 1 {
		for _, i := range line[parts[c]:parts[c+1]] {
			part[i] = uint32(c)
		}
	}
	some, lost := false, 0
	for c := range len(parts) - 1 {
		members := line[parts[c]:parts[c+1]]
		hope := false
		for _, i := range members {
			t := l.of(i)
			for ways := (leaves{open: 1}); !hope; {
				by, to, ok := ways.next(g, t)
				if !ok {
					break
				}
				if by.end {
					hope = true
					break
				}
				o := g.layers[by.layer]
				hope = (o != l || part[to] != uint32(c)) && (o.hopeless == nil || !o.hopeless[to])
			}
			if hope {
				break
			}
		}
		for _, i := range members {
			l.hopeless[i], l.lasting[i] = !hope, hope // a hopeless position has no decisions
		}
		if !hope {
			lost += len(members)
		}
		for changed := hope; changed; {
			changed = false
			for _, i := range members {
				if !l.lasting[i] {
					continue
				}
				if on, _ := v.lasts(l.of(i), 0); !on {
					l.lasting[i], changed = false, true
				}
			}
		}
		some = some || slices.ContainsFunc(members, func(i uint32) bool { return l.lasting[i] })
	}
	v.avoidable = v.avoidable || some
	v.hopeless += lost
	if !some {
		l.lasting = nil
	}
	if lost == 0 {
		l.hopeless = nil
	}
}

// part computes the values of one component. It stops when the change in a sweep is a small part of the tolerance, or when only
// rounding errors are left.
func (v *values) part(ctx context.Context, l *layer, part []uint32) error {
	if l.hopeless != nil && l.hopeless[part[0]] {
		for _, i := range part {
			for c := v.wins; c < v.row; c++ {
				l.rows[int(i)*v.row+c] = math.Inf(1)
			}
		}
		return nil
	}
	w := v.sweeper(l, part, nil)
	least, since := math.Inf(1), 0
	for sweep := 1; ; sweep++ {
		change, err := w.sweep(ctx, (*evaluator).update)
		if err != nil {
			return err
		}
		v.sweeps = max(v.sweeps, sweep)
		if since++; change < least {
			least, since = change, 0
		}
		if change < max(4*unit, v.o.Tolerance*1e-4) || least < 1e-13 && since > 20 { // at the last, rounding errors alternate
			return nil
		}
		stuck := sweep%lookEvery == 0 && !v.leads(l, part)
		if stuck || sweep >= maxSweeps {
			return &UnsettledError{States: len(part), Sweeps: sweep, Change: change, Endless: stuck}
		}
	}
}

// sweeper updates positions of a layer, again and again.
type sweeper struct {
	l      *layer
	line   []uint32
	reach  []float32
	before []float64
	past   []float32
	shares []*evaluator
}

func (v *values) sweeper(l *layer, line []uint32, reach []float32) *sweeper {
	whole := evaluator{values: v, of: l, reach: reach}
	for n, o := range v.g.layers {
		whole.rows = append(whole.rows, o.rows)
		if o == l {
			whole.own = uint16(n)
		}
	}
	w := &sweeper{l: l, line: line, reach: reach, shares: []*evaluator{&whole}}
	if len(line) < shared {
		return w
	}
	if reach == nil {
		w.before = make([]float64, len(l.rows))
	}
	w.past, w.shares = make([]float32, len(reach)), nil
	share := make([]uint8, l.count)
	for s := range shares {
		for _, i := range w.slice(s) {
			share[i] = uint8(s)
		}
		e := whole
		e.before, e.past, e.share, e.mine = w.before, w.past, share, uint8(s)
		w.shares = append(w.shares, &e)
	}
	return w
}

// slice is the positions of a share.
func (w *sweeper) slice(s int) []uint32 {
	return w.line[s*len(w.line)/shares : (s+1)*len(w.line)/shares]
}

// sweep calls an update for each position once. It returns the largest result.
func (w *sweeper) sweep(ctx context.Context, update func(e *evaluator, i uint32, out []float64) float64) (change float64, err error) {
	work := func(e *evaluator, line []uint32) (most float64) {
		out := make([]float64, max(e.row, e.sides))
		for k, i := range line {
			most = max(most, update(e, i, out))
			if k&0xffff == 0xffff && ctx.Err() != nil {
				break
			}
		}
		return most
	}
	if len(w.shares) == 1 {
		return work(w.shares[0], w.line), ctx.Err()
	}
	copy(w.before, w.l.rows)
	copy(w.past, w.reach)
	var all sync.WaitGroup
	most := make([]float64, shares)
	for s, e := range w.shares {
		all.Go(func() { most[s] = work(e, w.slice(s)) })
	}
	all.Wait()
	return slices.Max(most), ctx.Err()
}

// leads reports whether with the chosen options an end, or a hopeless position, is reachable from everywhere in a
// component.
func (v *values) leads(l *layer, part []uint32) bool {
	in := map[uint32]bool{} // whether it leads
	for _, i := range part {
		in[i] = false
	}
	var node func(t []byte, at int) (bool, int)
	node = func(t []byte, at int) (bool, int) {
		op := little.Uint16(t[at:])
		n, next := v.g.branches(t, at)
		switch op & opKind {
		case opEnd:
			return true, next
		case opLeaf:
			leads, inside := in[little.Uint32(t[at+2:])]
			return !inside || v.g.layers[v.g.labels[op&opNumber].layer] != l || leads, next
		}
		some := false
		for i := range n {
			var one bool
			one, next = node(t, next)
			some = some || one && (op&opKind == opChance || i == int(little.Uint16(t[at+4:])))
		}
		return some, next
	}
	count := 0
	for before := -1; before < count; {
		before = count
		for _, i := range part {
			if !in[i] {
				if leads, _ := node(l.of(i), 0); leads {
					in[i] = true
					count++
				}
			}
		}
	}
	return count == len(part)
}

// judge computes bounds on the errors of a layer from the residuals. If every
// value differs from the mean over its edges by at most r, then it differs from the true value by at most r times the
// expected number of positions until the layer is left, and by the error of what follows. For best play that number is
// the largest that one side can reach while the others take the options chosen: no side can gain more by other options.
// It is at most h/(1-d), where h is the computed one and d the largest by which one more update exceeds it.
func (v *values) judge(ctx context.Context, l *layer, line []uint32) error {
	e := v.sweeper(l, line, nil).shares[0]
	e.before, e.share, e.fixed, e.choosing = nil, nil, true, true
	out := make([]float64, v.row)
	widest, longest, residual, lengths := 0.0, 0.0, 0.0, 0.0
	l.error, l.lengthError = 0, 0
	for i := range uint32(l.count) {
		if l.hopeless != nil && l.hopeless[i] {
			continue
		}
		width := 0
		t := l.of(i)
		for on := (leaves{open: 1}); ; width++ {
			by, _, ok := on.next(v.g, t)
			if !ok {
				break
			}
			if o := v.g.layers[by.layer]; !by.end && o != l {
				l.error, l.lengthError = max(l.error, o.error), max(l.lengthError, o.lengthError)
			}
		}
		widest = max(widest, float64(width))
		if v.duel && v.row == 1 {
			out[0], _ = e.duelled(t, 0, false)
		} else {
			e.position(i, false, out)
		}
		row := l.rows[int(i)*v.row:][:v.row]
		for c := range v.wins {
			residual = max(residual, math.Abs(out[c]-row[c]))
		}
		for c := v.wins; c < v.row; c++ {
			if !math.IsInf(row[c], 1) {
				lengths, longest = max(lengths, math.Abs(out[c]-row[c])), max(longest, row[c])
			}
		}
		residual = max(residual, e.missed)
	}
	l.residual, l.lengthResidual = residual, lengths
	far := math.Inf(1)
	if !v.avoidable {
		var err error
		if far, err = v.reach(ctx, l, line); err != nil {
			return err
		}
	}
	rounding := (widest + 3) * unit
	l.error, l.lengthError = l.error+far*(residual+rounding), l.lengthError+far*(lengths+rounding*longest)
	if l.hopeless != nil {
		l.lengthError = math.Inf(1)
	}
	return nil
}

// reach is a bound on the expected number of positions until a layer is left.
func (v *values) reach(ctx context.Context, l *layer, line []uint32) (float64, error) {
	loose := 0.9
	if len(line) > shared { // a bound that is ten times as large costs half as much
		loose = 0.99
	}
	live := line
	if l.hopeless != nil {
		live = slices.DeleteFunc(slices.Clone(line), func(i uint32) bool { return l.hopeless[i] })
	}
	reach := make([]float32, l.count*v.sides)
	w := v.sweeper(l, live, reach)
	for range maxSweeps {
		more, err := w.sweep(ctx, (*evaluator).updateFar)
		if err != nil {
			return 0, err
		}
		if more > loose {
			continue
		}
		for _, e := range w.shares {
			e.fixed = true
		}
		more, err = w.sweep(ctx, (*evaluator).updateFar)
		if more <= (1+loose)/2 {
			return float64(slices.Max(reach)) / (1 - more), err
		}
		for _, e := range w.shares {
			e.fixed = false
		}
	}
	return math.Inf(1), nil
}
