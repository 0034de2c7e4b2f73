package ir

import "github.com/rulerun/rulerun/dsl/seq"

// Walk traverses statements and expressions in pre-order. stmt and expr may be nil; if one returns false, the parts of that node are
// skipped. Walk does not enter callees.
func Walk(body []*Stmt, stmt func(*Stmt) bool, expr func(*Expr) bool) {
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
func Weight(body []*Stmt, e *Expr) int {
	n := 0
	stmt, expr := func(*Stmt) bool { n++; return true }, func(*Expr) bool { n++; return true }
	Walk(body, stmt, expr)
	walkExpr(e, stmt, expr)
	return n
}

// Uses reports whether statements read a local. The Set of an Asks counts: a machine with a table reads nothing else.
func Uses(body []*Stmt, l *Local) bool {
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

// rewrite copies statements and replaces each expression for which expr returns another one; if it returns nil, the parts are rewritten.
// Locals and labels are shared.
func rewrite(body []*Stmt, expr func(*Expr) *Expr) []*Stmt {
	var out []*Stmt
	for _, s := range body {
		x := *s
		x.A, x.B, x.Args = rewriteExpr(s.A, expr), rewriteExpr(s.B, expr), rewriteAll(s.Args, expr)
		x.Body, x.Else = rewrite(s.Body, expr), rewrite(s.Else, expr)
		out = append(out, &x)
	}
	return out
}

func rewriteExpr(e *Expr, expr func(*Expr) *Expr) *Expr {
	if e == nil {
		return nil
	}
	if x := expr(e); x != nil {
		return x
	}
	x := *e
	x.A, x.B, x.C, x.Args = rewriteExpr(e.A, expr), rewriteExpr(e.B, expr), rewriteExpr(e.C, expr), rewriteAll(e.Args, expr)
	x.Body = rewrite(e.Body, expr)
	if e.Asks != nil {
		asks := *e.Asks
		asks.Piece, asks.Place = rewriteExpr(asks.Piece, expr), rewriteExpr(asks.Place, expr)
		x.Asks = &asks
	}
	return &x
}

func rewriteAll(list []*Expr, expr func(*Expr) *Expr) []*Expr {
	return seq.Map(list, func(e *Expr) *Expr { return rewriteExpr(e, expr) })
}

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
