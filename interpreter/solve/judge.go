package solve

import (
	"context"
	"math"
	"slices"
)

// lastsForever reports whether play from the node of a tree at an offset can last forever: all branches of a chance node, or
// one branch of a choice, lead to lasting positions. It returns the offset after the node.
func (v *values) lastsForever(t []byte, at int) (bool, int) {
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
		if one, next = v.lastsForever(t, next); one == choice {
			all = one
		}
	}
	return all, next
}

// endings finds the hopeless positions of a layer, and whether the deciding sides together could make the game endless. Both
// are fixpoints over a component.
func (v *values) endings(l *layer, parts []uint32) {
	g := v.g
	l.lasting, l.hopeless = make([]bool, l.count), make([]bool, l.count)
	some, lost := false, 0
	for c := range len(parts) - 1 {
		first, last := parts[c], parts[c+1]
		hope := false
		for i := first; i < last && !hope; i++ {
			t := l.of(i)
			for ways := (leaves{open: 1}); !hope; {
				by, to, ok := ways.next(g, t)
				if !ok {
					break
				}
				o := g.layers[by.layer]
				hope = by.end || (o != l || to < first || to >= last) && (o.hopeless == nil || !o.hopeless[to])
			}
		}
		for i := first; i < last; i++ {
			l.hopeless[i], l.lasting[i] = !hope, hope // a hopeless position has no decisions
		}
		if !hope {
			lost += int(last - first)
		}
		for changed := hope; changed; {
			changed = false
			for i := first; i < last; i++ {
				if !l.lasting[i] {
					continue
				}
				if on, _ := v.lastsForever(l.of(i), 0); !on {
					l.lasting[i], changed = false, true
				}
			}
		}
		some = some || slices.Contains(l.lasting[first:last], true)
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

// reachesEnd reports whether the chosen options lead from every position of a component, the range from..to, to an end or a
// hopeless position.
func (v *values) reachesEnd(l *layer, from, to uint32) bool {
	found := make([]bool, to-from)
	var node func(t []byte, at int) (bool, int)
	node = func(t []byte, at int) (bool, int) {
		op := little.Uint16(t[at:])
		n, next := v.g.branches(t, at)
		switch op & opKind {
		case opEnd:
			return true, next
		case opLeaf:
			i := little.Uint32(t[at+2:])
			return v.g.layers[v.g.labels[op&opNumber].layer] != l || i < from || i >= to || found[i-from], next
		}
		some := false
		for i := range n {
			var one bool
			one, next = node(t, next)
			some = some || one && (op&opKind == opChance || i == int(little.Uint16(t[at+4:])))
		}
		return some, next
	}
	for changed := true; changed; {
		changed = false
		for i := from; i < to; i++ {
			if !found[i-from] {
				found[i-from], _ = node(l.of(i), 0)
				changed = changed || found[i-from]
			}
		}
	}
	return !slices.Contains(found, false)
}

// errorBounds bounds the errors of a layer by its residuals. Let r be the largest difference between a value and the mean
// over its edges. Then the error of a value is at most r times the expected number of positions until play leaves the layer,
// plus the error of the later layers. For best play, that exit time is the largest that one side can reach while the others
// take the chosen options: no side can gain more by other options. It is at most h/(1-d), where h is the computed exit time
// and d the largest increase in one more update.
func (v *values) errorBounds(ctx context.Context, l *layer, parts []uint32, settled int) error {
	e := v.sweeper(l, 0, 0, nil).shares[0]
	e.fixed, e.choosing = true, true
	out := make([]float64, v.row)
	widest, longest, residual, lengths := 0.0, 0.0, 0.0, 0.0
	exits := 1
	l.error, l.lengthError = 0, 0
	for i := range uint32(l.count) {
		if l.hopeless != nil && l.hopeless[i] {
			continue
		}
		width := 0
		t := l.of(i)
		on := leaves{open: 1}
		for ; ; width++ {
			by, _, ok := on.next(v.g, t)
			if !ok {
				break
			}
			if o := v.g.layers[by.layer]; !by.end && o != l {
				l.error, l.lengthError = max(l.error, o.error), max(l.lengthError, o.lengthError)
			}
		}
		widest = max(widest, float64(width))
		if on.decided {
			exits = v.sides
		}
		if v.duel && v.row == 1 {
			e.read(t, 0)
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
		residual = max(residual, e.regret)
	}
	l.residual, l.lengthResidual = residual, lengths
	exit := math.Inf(1)
	if !v.avoidable {
		var err error
		if exit, err = v.exitTime(ctx, l, parts, exits, settled); err != nil {
			return err
		}
	}
	rounding := (widest + 3) * unit
	l.error, l.lengthError = l.error+exit*(residual+rounding), l.lengthError+exit*(lengths+rounding*longest)
	if l.hopeless != nil {
		l.lengthError = math.Inf(1)
	}
	return nil
}

// exitTime bounds the expected number of positions until play leaves a layer. exits is the number of exit times of a
// position: of each side, or one if nothing is decided in the layer.
func (v *values) exitTime(ctx context.Context, l *layer, parts []uint32, exits, settled int) (float64, error) {
	loose := 0.9
	if l.count > int(shared) { // a bound ten times as large costs half as much
		loose = 0.99
	}
	exit, most := make([]float32, l.count*exits), 0.0
	for c := range len(parts) - 1 {
		w := v.sweeper(l, parts[c], parts[c+1], exit)
		more, err := w.leave(ctx, loose, settled)
		if err != nil || math.IsInf(more, 1) {
			return more, err
		}
		most = max(most, more)
	}
	return float64(slices.Max(exit)) / (1 - most), nil
}

// leave iterates the exit times of a component until one more update adds less than 1 to each. It returns the largest
// increase, infinite if the iteration does not converge.
func (w *sweeper) leave(ctx context.Context, loose float64, settled int) (float64, error) {
	for n := range maxSweeps {
		if v := w.shares[0].values; v.o.Progress != nil && w.to-w.from > large {
			v.o.Progress(Progress{States: v.g.states, Looked: v.g.states, Settled: settled + int(w.to), Sweeps: n, Bounding: true})
		}
		more, err := w.sweep(ctx, (*evaluator).updateExit)
		if err != nil {
			return 0, err
		}
		if more > loose {
			continue
		}
		w.fix(true)
		more, err = w.sweep(ctx, (*evaluator).updateExit)
		if more <= (1+loose)/2 {
			return more, err
		}
		w.fix(false)
	}
	return math.Inf(1), nil
}

func (w *sweeper) fix(fixed bool) {
	for _, e := range w.shares {
		e.fixed = fixed
	}
}
