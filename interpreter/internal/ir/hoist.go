package ir

// Effect is what a native changes of what expressions read.
type Effect uint8

// The effects.
const (
	Harmless Effect = iota // nothing
	Lists                  // which pieces stand where, and in which order
	Anything
)

// Machine is what passes ask about the numbers in a program.
type Machine struct {
	Effect func(native int) Effect
	Listed func(cell int) bool // the cell is among those that say which pieces stand where
}

// Hoist is loop-invariant code motion. A condition that costs something, and whose value no round of a loop changes, is worked out when the loop first comes
// to it, and then remembered: so what the first evaluation does, a fault included, happens where it did, and what no round comes to is never asked. It moves
// conditions out of the outermost loop that they can leave. Loops in which a node may come, or a procedure is called, stay as they are.
func Hoist(p *Proc, m Machine) {
	h := &hoister{m, map[*Local]bool{}}
	p.Body = h.hoist(p.Body)
}

type hoister struct {
	Machine
	known map[*Local]bool // what conditions are remembered in
}

func (m *hoister) hoist(body []*Stmt) []*Stmt {
	var out []*Stmt
	for _, s := range body {
		x := *s
		if s.Op == Loop {
			if round, ok := m.round(s.Body); ok {
				var before []*Stmt
				x.Body = rewrite(s.Body, func(e *Expr) *Expr {
					if e.Op == Do && e.A.Op == Use && m.known[e.A.Local] {
						return e
					}
					if !condition(e) || Weight(nil, e) <= cheap || !round.keeps(e) {
						return nil
					}
					l := &Local{Name: "known"}
					m.known[l] = true
					before = append(before, Assign(l, K(-1)))
					ask := When(Op2(Lt, Get(l), K(0)), []*Stmt{Assign(l, e)}, nil)
					return With(ask, Get(l))
				})
				out = append(out, before...)
			}
		}
		x.Body, x.Else = m.hoist(x.Body), m.hoist(x.Else)
		out = append(out, &x)
	}
	return out
}

// cheap is how many parts a condition may have that is asked as soon as remembered.
const cheap = 10

// condition reports whether a value is 0 or 1.
func condition(e *Expr) bool {
	switch e.Op {
	case Eq, Ne, Lt, Le, Not, Both, Either, Search:
		return true
	}
	return false
}

// round is what one round of a loop changes.
type round struct {
	Machine
	sets    map[*Local]int // how often a local is set
	cells   map[int]bool
	indexed bool // cells that an index reaches
	lists   bool
	scratch bool
}

// round says what a round changes; ok is false where it may change anything.
func (m Machine) round(body []*Stmt) (r *round, ok bool) {
	r, ok = &round{Machine: m, sets: map[*Local]int{}, cells: map[int]bool{}}, true
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

// keeps reports whether an expression has the same value in every round, and does nothing but have it.
func (r *round) keeps(e *Expr) bool {
	own := map[*Local]int{} // what the expression itself sets
	ok := true
	walkExpr(e, func(s *Stmt) bool {
		switch s.Op {
		case Set, Declare:
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
