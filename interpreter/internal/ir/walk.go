package ir

import (
	"math"
	"slices"
)

// Walk traverses statements and expressions in pre-order. stmt and expr may be nil; if one returns false, the parts of that node are
// skipped. Walk does not enter callees.
func Walk(body Body, stmt func(*Stmt) bool, expr func(*Expr) bool) {
	for _, s := range body {
		if stmt != nil && !stmt(s) {
			continue
		}
		walkExpr(s.A, stmt, expr)
		walkExpr(s.B, stmt, expr)
		for _, e := range s.Args {
			walkExpr(e, stmt, expr)
		}
		Walk(s.Body, stmt, expr)
		Walk(s.Else, stmt, expr)
	}
}

// walkExpr is Walk for an expression, nil included.
func walkExpr(e *Expr, stmt func(*Stmt) bool, expr func(*Expr) bool) {
	if e == nil || expr != nil && !expr(e) {
		return
	}
	walkExpr(e.A, stmt, expr)
	walkExpr(e.B, stmt, expr)
	walkExpr(e.C, stmt, expr)
	for _, x := range e.Args {
		walkExpr(x, stmt, expr)
	}
	if e.Asks != nil {
		walkExpr(e.Asks.Piece, stmt, expr)
		walkExpr(e.Asks.Place, stmt, expr)
	}
	Walk(e.Body, stmt, expr)
}

// Weight counts the statements and expressions in statements and in an expression that may be nil: about the number of instructions.
func Weight(body Body, e *Expr) int { return weight(body, e, math.MaxInt) }

// weight is Weight, or more than most: then it does not count on.
func weight(body Body, e *Expr, most int) int {
	n := 0
	stmt, expr := func(*Stmt) bool { n++; return n <= most }, func(*Expr) bool { n++; return n <= most }
	Walk(body, stmt, expr)
	walkExpr(e, stmt, expr)
	return n
}

// Uses reports whether statements read a local. The Set of an Asks counts: a machine with a table reads nothing else.
func Uses(body Body, l *Local) bool {
	found := false
	Walk(body, func(s *Stmt) bool {
		found = found || s.Asks != nil && s.Asks.Set == l
		return !found
	}, func(e *Expr) bool {
		found = found || e.Op == Use && e.Local == l
		return !found
	})
	return found
}

// rewrite replaces each expression for which expr returns another one; if it returns nil, the parts are rewritten. What changes is copied,
// the rest is shared: locals, labels, and all of body if nothing in it changes.
func rewrite(body Body, expr func(*Expr) *Expr) Body {
	return shareAll(body, func(s *Stmt) *Stmt {
		a, b, args := rewriteExpr(s.A, expr), rewriteExpr(s.B, expr), rewriteAll(s.Args, expr)
		body, els := rewrite(s.Body, expr), rewrite(s.Else, expr)
		if a == s.A && b == s.B && same(args, s.Args) && same(body, s.Body) && same(els, s.Else) {
			return s
		}
		x := clone(*s)
		x.A, x.B, x.Args, x.Body, x.Else = a, b, args, body, els
		return x
	})
}

func rewriteExpr(e *Expr, expr func(*Expr) *Expr) *Expr {
	if e == nil {
		return nil
	}
	if x := expr(e); x != nil {
		return x
	}
	a, b, c, args := rewriteExpr(e.A, expr), rewriteExpr(e.B, expr), rewriteExpr(e.C, expr), rewriteAll(e.Args, expr)
	body, asks := rewrite(e.Body, expr), e.Asks
	if asks != nil {
		piece, place := rewriteExpr(asks.Piece, expr), rewriteExpr(asks.Place, expr)
		if piece != asks.Piece || place != asks.Place {
			asks = clone(*asks)
			asks.Piece, asks.Place = piece, place
		}
	}
	if a == e.A && b == e.B && c == e.C && asks == e.Asks && same(args, e.Args) && same(body, e.Body) {
		return e
	}
	x := clone(*e)
	x.A, x.B, x.C, x.Args, x.Body, x.Asks = a, b, c, args, body, asks
	return x
}

func rewriteAll(list []*Expr, expr func(*Expr) *Expr) []*Expr {
	return shareAll(list, func(e *Expr) *Expr { return rewriteExpr(e, expr) })
}

// shareAll applies f to a list, and returns the list itself if that changes nothing.
func shareAll[T any](list []*T, f func(*T) *T) []*T {
	out := list
	for i, x := range list {
		y := f(x)
		if y != x && same(out, list) {
			out = slices.Clone(list)
		}
		out[i] = y
	}
	return out
}

// same reports whether two lists of one length are one list.
func same[T any](a, b []*T) bool { return len(a) == 0 || &a[0] == &b[0] }

// clone is a copy.
func clone[T any](x T) *T { return &x }

// Reached returns procedures and all procedures they reference, by calls and natives: callers first, each once.
func Reached(procs []*Proc) []*Proc {
	var out []*Proc
	seen := map[*Proc]bool{}
	var visit func(p *Proc)
	visit = func(p *Proc) {
		if seen[p] {
			return
		}
		seen[p] = true
		out = append(out, p)
		Walk(p.Body, func(s *Stmt) bool {
			if s.Proc != nil {
				visit(s.Proc)
			}
			return true
		}, nil)
	}
	for _, p := range procs {
		visit(p)
	}
	return out
}
