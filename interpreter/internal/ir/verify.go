package ir

import (
	"errors"
	"fmt"
	"slices"
)

// ErrIllFormed says that a program may read a value that was not written. It is a compiler bug.
var ErrIllFormed = errors.New("ill-formed program")

// Verify checks what later stages rely on. On every path a local is written before it is read, in the body of the read or an enclosing one.
// A Brief local is not read after a node. A NonNil local is never assigned a value that may be nil. nonNil reports whether argument i of a
// native must not be nil; such an argument is a NonNil local or a cell of the state. Procedures referenced by calls and natives are checked
// too.
func Verify(procs []*Proc, nonNil func(native, i int) bool) error {
	v := &verifier{nonNil: nonNil, roots: slices.Clone(procs), suspends: map[*Proc]bool{}, labels: map[*Label]exit{}}
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
	for i := 0; i < len(v.roots); i++ { // the list grows
		visit(v.roots[i])
	}
	return v.err
}

// verifier checks one procedure at a time. scope is a stack of locals; written has the same indexes and is true for locals written on every
// path to the current point.
type verifier struct {
	nonNil   func(native, i int) bool
	roots    []*Proc        // procedures that no statement calls; the procedure of a native may contain that native again
	suspends map[*Proc]bool // for each procedure visited, whether it may reach a node
	labels   map[*Label]exit
	name     string
	scope    []*Local
	written  []bool
	dead     bool // unreachable
	err      error
}

// exit is the intersection of written over all exits of a body, up to the scope outside it.
type exit struct {
	depth   int
	written []bool // nil if there is no exit
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("%w: procedure %q: %s", ErrIllFormed, v.name, fmt.Sprintf(format, args...))
	}
}

// calls visits the callees of statements, and reports whether these or the statements themselves may reach a node. Procedures of natives
// are visited later.
func (v *verifier) calls(body Body, visit func(*Proc)) (node bool) {
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
	}, func(*Expr) bool { return false }) // expressions contain no calls
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

// find is the index of a local in scope, -1 if it is not in scope.
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

// join intersects written with another path; other is nil for an unreachable path.
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

// current copies written, nil if this point is unreachable.
func (v *verifier) current() []bool {
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

// branches verifies two alternative paths.
func (v *verifier) branches(one, other func()) {
	was := v.current()
	one()
	then := v.current()
	v.restore(was)
	other()
	v.join(then)
}

// body verifies statements in a scope of their own.
func (v *verifier) body(stmts Body) {
	depth := len(v.scope)
	v.stmts(stmts)
	v.leave(depth)
}

func (v *verifier) stmts(stmts Body) {
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
		if s.Local.NonNil && MayBeNil(s.A) {
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
		v.dead = true // a loop ends only through its exits
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
	case Place: // reached from anywhere: nothing is known to be written
		v.dead = false
		clear(v.written)
	case Native:
		for i, a := range s.Args {
			if v.nonNil(s.K, i) && !(a.Op == Cell || a.Op == CellAt || a.Op == Use && a.Local.NonNil) {
				v.fail("argument %d of native %d may be nil", i, s.K)
			}
		}
		if s.Local != nil {
			v.set(s.Local)
		}
	case Suspend:
		v.suspend()
	case Decide:
		was := v.current()
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

// set marks a local as written. A local without a scope enters the current one.
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

// suspend is a node: Brief locals lose their values.
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
		was := v.current()
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

// MayBeNil reports whether a value is known to be possibly nil.
func MayBeNil(e *Expr) bool {
	switch e.Op {
	case Const:
		return e.K < 0
	case Use:
		return !e.Local.NonNil
	case Pick:
		return MayBeNil(e.B) || MayBeNil(e.C)
	case Do:
		return MayBeNil(e.A)
	}
	return false
}
