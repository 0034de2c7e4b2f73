package ir

import (
	"errors"
	"fmt"
	"slices"
)

// ErrIllFormed says that a program reads what it may not have written. It is a mistake of the compiler.
var ErrIllFormed = errors.New("ill-formed program")

// Verify checks what the stages after this one rely on: on every path a local is written before it is read, in the body it is read in or
// one around it; one that is Brief is not read after a node; and one that is NonNil never gets the value of one that may be nil.
// sure reports whether argument i of a native must not be nil; such an argument is a NonNil local or a cell of the state. The procedures that calls and
// natives name are checked too.
func Verify(procs []*Proc, sure func(native, i int) bool) error {
	v := &verifier{sure: sure, roots: slices.Clone(procs), suspends: map[*Proc]bool{}, labels: map[*Label]exit{}}
	done := map[*Proc]bool{}
	var visit func(p *Proc)
	visit = func(p *Proc) {
		if done[p] {
			return
		}
		done[p] = true
		v.suspends[p] = v.calls(p.Body, visit)
		v.proc(p)
	}
	for i := 0; i < len(v.roots); i++ { // it grows
		visit(v.roots[i])
	}
	return v.err
}

// verifier goes through one procedure at a time. The locals in scope stand on a stack; what is written on every path to the present place is
// a set of them by their place on it, nil where no path leads.
type verifier struct {
	sure     func(native, i int) bool
	roots    []*Proc        // those that no statement calls: what a native runs may come back to that native
	suspends map[*Proc]bool // of procedures gone through: whether a node may come
	labels   map[*Label]exit
	name     string
	scope    []*Local
	written  []bool
	dead     bool // no path leads here
	err      error
}

// exit is what is written wherever a body is left, as far as its scope goes.
type exit struct {
	depth   int
	written []bool // nil where it is not left
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("%w: procedure %q: %s", ErrIllFormed, v.name, fmt.Sprintf(format, args...))
	}
}

// calls visits the procedures that statements call, and notes whether those or the statements themselves come to a node. What natives run is left for later.
func (v *verifier) calls(body []*Stmt, visit func(*Proc)) (node bool) {
	Walk(body, func(s *Stmt) bool {
		switch {
		case s.Op == Call:
			visit(s.Proc)
			node = node || v.suspends[s.Proc]
		case s.Proc != nil:
			v.roots = append(v.roots, s.Proc)
		}
		node = node || s.Op == Suspend || s.Op == Decide
		return true
	}, func(*Expr) bool { return false }) // nothing is called inside an expression
	return node
}

func (v *verifier) proc(p *Proc) {
	v.name, v.scope, v.written, v.dead = p.Name, v.scope[:0], v.written[:0], false
	for _, l := range p.Params {
		v.declare(l, true)
	}
	v.body(p.Body)
}

func (v *verifier) declare(l *Local, written bool) {
	v.scope, v.written = append(v.scope, l), append(v.written, written)
}

// find is the place of a local in scope, below 0 for others.
func (v *verifier) find(l *Local) int {
	for i := len(v.scope) - 1; i >= 0; i-- {
		if v.scope[i] == l {
			return i
		}
	}
	return -1
}

func (v *verifier) leave(depth int) {
	v.scope, v.written = v.scope[:depth], v.written[:depth]
}

// join makes what is written what is written here and there; other is nil where no path leads there.
func (v *verifier) join(other []bool) {
	switch {
	case other == nil:
	case v.dead:
		copy(v.written, other)
		v.dead = false
	default:
		for i := range min(len(v.written), len(other)) {
			v.written[i] = v.written[i] && other[i]
		}
	}
}

// here is what is written, nil where no path leads.
func (v *verifier) here() []bool {
	if v.dead {
		return nil
	}
	return append(make([]bool, 0, len(v.written)), v.written...)
}

func (v *verifier) restore(was []bool) {
	if v.dead = was == nil; !v.dead {
		copy(v.written, was)
	}
}

// branches is two ways, of which one is taken.
func (v *verifier) branches(one, other func()) {
	was := v.here()
	one()
	then := v.here()
	v.restore(was)
	other()
	v.join(then)
}

// body is statements with a scope of their own.
func (v *verifier) body(stmts []*Stmt) {
	depth := len(v.scope)
	v.stmts(stmts)
	v.leave(depth)
}

func (v *verifier) stmts(stmts []*Stmt) {
	for _, s := range stmts {
		v.stmt(s)
	}
}

func (v *verifier) stmt(s *Stmt) {
	for _, a := range s.Args {
		v.expr(a)
	}
	if s.Op != If && s.Op != Decide {
		v.expr(s.A)
		v.expr(s.B)
	}
	switch s.Op {
	case Set:
		if s.Local.NonNil && mayBeNil(s.A) {
			v.fail("%q must not be nil", s.Local.Name)
		}
		v.set(s.Local)
	case Declare:
		v.declare(s.Local, s.Sure)
	case If:
		v.expr(s.A)
		v.branches(func() { v.body(s.Body) }, func() { v.body(s.Else) })
	case Block:
		if s.Asks != nil {
			v.read(s.Asks.Set)
		}
		v.open(s.Label)
		v.body(s.Body)
		v.close(s.Label)
	case Loop:
		v.open(s.Label)
		v.labels[s.Label.Begin()] = exit{depth: len(v.scope)}
		v.body(s.Body)
		v.dead = true // it goes round until it is left
		v.close(s.Label)
	case Break:
		v.exit(s.Label)
	case Continue:
		v.exit(s.Label.Begin())
	case Call:
		if v.suspends[s.Proc] {
			v.suspend()
		}
	case Return, Jump, Fail:
		v.dead = true
	case Place: // reached from anywhere, and by those that have written nothing
		v.dead = false
		clear(v.written)
	case Native:
		for i, a := range s.Args {
			if v.sure(s.K, i) && !(a.Op == Cell || a.Op == CellAt || a.Op == Use && a.Local.NonNil) {
				v.fail("argument %d of native %d may be nil", i, s.K)
			}
		}
		if s.Local != nil {
			v.set(s.Local)
		}
	case Suspend:
		v.suspend()
	case Decide:
		was := v.here()
		depth := len(v.scope)
		v.expr(s.A)
		v.leave(depth)
		v.restore(slices.Clone(was))
		v.body(s.Body)
		v.restore(slices.Clone(was))
		v.body(s.Else)
		v.restore(was)
		v.suspend()
	}
}

// set notes that a local is written. One that is in no scope yet is in this one from here on.
func (v *verifier) set(l *Local) {
	if i := v.find(l); i >= 0 {
		v.written[i] = true
		return
	}
	v.declare(l, true)
}

func (v *verifier) read(l *Local) {
	if v.dead {
		return
	}
	if i := v.find(l); i < 0 || !v.written[i] {
		v.fail("%q is read where it may not have been written", l.Name)
	}
}

// suspend is a node: what is brief does not outlive it.
func (v *verifier) suspend() {
	for i, l := range v.scope {
		v.written[i] = v.written[i] && !l.Brief
	}
}

func (v *verifier) open(l *Label) { v.labels[l] = exit{depth: len(v.scope)} }

func (v *verifier) exit(l *Label) {
	x, ok := v.labels[l]
	if !ok {
		v.fail("a body is left that is none")
		return
	}
	if !v.dead {
		if x.written == nil {
			x.written = append(make([]bool, 0, x.depth), v.written[:x.depth]...)
		} else {
			for i := range x.written {
				x.written[i] = x.written[i] && v.written[i]
			}
		}
		v.labels[l] = x
	}
	v.dead = true
}

func (v *verifier) close(l *Label) {
	v.join(v.labels[l].written)
	delete(v.labels, l)
}

func (v *verifier) expr(e *Expr) {
	if e == nil {
		return
	}
	depth := len(v.scope)
	if e.Asks != nil {
		v.expr(e.Asks.Piece)
		v.expr(e.Asks.Place)
	}
	switch e.Op {
	case Const, Cell, Offers, Result, NextTurn:
		return
	case Use:
		v.read(e.Local)
		return
	case Both, Either:
		v.expr(e.A)
		was := v.here()
		v.expr(e.B)
		v.restore(was)
	case Pick:
		v.expr(e.A)
		v.branches(func() { v.expr(e.B) }, func() { v.expr(e.C) })
	case Do:
		v.stmts(e.Body)
		v.expr(e.A)
	case Search:
		v.open(e.Yes)
		v.open(e.No)
		v.body(e.Body)
		v.close(e.Yes)
		v.close(e.No)
	default:
		v.expr(e.A)
		v.expr(e.B)
		v.expr(e.C)
		for _, a := range e.Args {
			v.expr(a)
		}
	}
	v.leave(depth)
}

// mayBeNil reports whether a value is plainly one that may be nil.
func mayBeNil(e *Expr) bool {
	switch e.Op {
	case Const:
		return e.K < 0
	case Use:
		return !e.Local.NonNil
	case Pick:
		return mayBeNil(e.B) || mayBeNil(e.C)
	case Do:
		return mayBeNil(e.A)
	}
	return false
}
