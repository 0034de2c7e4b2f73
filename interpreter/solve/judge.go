package solve

import (
	"context"
	"math"
	"slices"
)

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
				if by.end {
					hope = true
					break
				}
				o := g.layers[by.layer]
				hope = (o != l || to < first || to >= last) && (o.hopeless == nil || !o.hopeless[to])
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
				if on, _ := v.lasts(l.of(i), 0); !on {
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

// leads reports whether with the chosen options an end, or a hopeless position, is reachable from everywhere in the
// component from one number up to another.
func (v *values) leads(l *layer, from, to uint32) bool {
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

// judge computes bounds on the errors of a layer from the residuals. If every
// value differs from the mean over its edges by at most r, then it differs from the true value by at most r times the
// expected number of positions until the layer is left, and by the error of what follows. For best play that number is
// the largest that one side can reach while the others take the options chosen: no side can gain more by other options.
// It is at most h/(1-d), where h is the computed one and d the largest by which one more update exceeds it.
func (v *values) judge(ctx context.Context, l *layer, parts []uint32) error {
	e := v.sweeper(l, 0, 0, nil).shares[0]
	e.fixed, e.choosing = true, true
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
		residual = max(residual, e.missed)
	}
	l.residual, l.lengthResidual = residual, lengths
	far := math.Inf(1)
	if !v.avoidable {
		var err error
		if far, err = v.reach(ctx, l, parts); err != nil {
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
func (v *values) reach(ctx context.Context, l *layer, parts []uint32) (float64, error) {
	loose := 0.9
	if l.count > int(shared) { // a bound that is ten times as large costs half as much
		loose = 0.99
	}
	reach, most := make([]float32, l.count*v.sides), 0.0
	for c := range len(parts) - 1 {
		w := v.sweeper(l, parts[c], parts[c+1], reach)
		more, err := w.leave(ctx, loose)
		if err != nil || math.IsInf(more, 1) {
			return more, err
		}
		most = max(most, more)
	}
	return float64(slices.Max(reach)) / (1 - most), nil
}

// leave computes how far it is out of the layer from the positions of a component, so far that one more update adds less than 1
// to each. It returns how much, infinite if it is always more.
func (w *sweeper) leave(ctx context.Context, loose float64) (float64, error) {
	for range maxSweeps {
		more, err := w.sweep(ctx, (*evaluator).updateFar)
		if err != nil {
			return 0, err
		}
		if more > loose {
			continue
		}
		w.fix(true)
		more, err = w.sweep(ctx, (*evaluator).updateFar)
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
