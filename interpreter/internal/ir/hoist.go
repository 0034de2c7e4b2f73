package ir

import "slices"

// Effect is the side effect of a native on what expressions read.
type Effect uint8

// The effects.
const (
	Harmless Effect = iota // nothing
	Lists                  // the linked lists of pieces on places
	Anything
)

// Machine answers the questions of passes about numbers in a program.
type Machine struct {
	Effect func(native int) Effect
	Listed func(cell int) bool // the cell is part of the linked lists of pieces
}

// Hoist is loop-invariant code motion. A loop-invariant condition of some cost is evaluated on first use in the loop and cached. The first
// evaluation keeps its position, so a fault still occurs there, and a condition that the loop never reaches is never evaluated. A condition
// moves out of the outermost loop in which it is invariant. Loops that contain a node or a call stay unchanged.
func Hoist(p *Proc, m Machine) {
	h := &hoister{m, map[*Local]bool{}}
	p.Body = h.hoist(p.Body)
}

type hoister struct {
	Machine
	cached map[*Local]bool // the locals that cache conditions
}

func (m *hoister) hoist(body Body) Body {
	out, shared := body, true
	for i, s := range body {
		x := *s
		var before Body
		if s.Op == Loop {
			if effects, ok := m.effects(s.Body); ok {
				x.Body = rewrite(s.Body, func(e *Expr) *Expr {
					if e.Op == Do && e.A.Op == Use && m.cached[e.A.Local] {
						return e
					}
					if !condition(e) || weight(nil, e, cheap) <= cheap || !effects.invariant(e) {
						return nil
					}
					l := &Local{Name: "known"}
					m.cached[l] = true
					before = append(before, Assign(l, K(-1)))
					ask := When(Op2(Lt, Get(l), K(0)), Body{Assign(l, e)}, nil)
					return With(ask, Get(l))
				})
			}
		}
		x.Body, x.Else = m.hoist(x.Body), m.hoist(x.Else)
		changed := !same(x.Body, s.Body) || !same(x.Else, s.Else)
		if changed && shared {
			out, shared = slices.Clone(body[:i]), false
		}
		if changed {
			s = clone(x)
		}
		if !shared {
			out = append(append(out, before...), s)
		}
	}
	return out
}

// cheap is the largest weight of a condition that is not worth caching.
const cheap = 10

// condition reports whether the value of an expression is 0 or 1.
func condition(e *Expr) bool {
	switch e.Op {
	case Eq, Ne, Lt, Le, Not, Both, Either, Search:
		return true
	}
	return false
}

// loopEffects is what an iteration of a loop changes.
type loopEffects struct {
	Machine
	sets    map[*Local]int // number of assignments to each local
	cells   map[int]bool
	indexed bool // cells are written through an index
	lists   bool
	scratch bool
}

// effects collects what a loop body changes; ok is false if it may change anything.
func (m Machine) effects(body Body) (r *loopEffects, ok bool) {
	r, ok = &loopEffects{Machine: m, sets: map[*Local]int{}, cells: map[int]bool{}}, true
	Walk(body, func(s *Stmt) bool {
		switch s.Op {
		case Set, Declare:
			r.sets[s.Local]++
		case Store:
			r.cells[s.K] = true
			r.indexed = r.indexed || s.B != nil
		case StoreScr:
			r.scratch = true
		case Native:
			if s.Local != nil {
				r.sets[s.Local]++
			}
			switch m.Effect(s.K) {
			case Lists:
				r.lists = true
			case Anything:
				ok = false
			}
		case Call, Suspend, Decide, Place, Try:
			ok = false
		}
		return ok
	}, func(e *Expr) bool {
		ok = ok && e.Op != NextTurn
		return ok
	})
	return r, ok
}

// invariant reports whether an expression has the same value in every iteration, and no side effect.
func (r *loopEffects) invariant(e *Expr) bool {
	var own map[*Local]int // assignments inside the expression, nil where there are none
	ok := true
	walkExpr(e, func(s *Stmt) bool {
		switch s.Op {
		case Set, Declare:
			if own == nil {
				own = map[*Local]int{}
			}
			own[s.Local]++
		case If, Block, Loop, Break, Continue, Check, Fail:
		default:
			ok = false
		}
		return ok
	}, func(*Expr) bool { return ok })
	walkExpr(e, nil, func(x *Expr) bool {
		switch x.Op {
		case Use:
			ok = ok && r.sets[x.Local] == own[x.Local]
		case Cell:
			ok = ok && !r.indexed && !r.cells[x.K] && !(r.lists && r.Listed(x.K))
		case CellAt, Having:
			ok = ok && !r.indexed && len(r.cells) == 0 && !(r.lists && r.Listed(x.K))
		case Derived, Walkers:
			ok = ok && !r.lists
		case Scratch:
			ok = ok && !r.scratch
		case Offers, Offer, Result, Rows, NextTurn:
			ok = false
		}
		return ok
	})
	return ok
}
