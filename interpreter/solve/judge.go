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
