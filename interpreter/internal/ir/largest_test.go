package ir

import "testing"

// TestLargest bounds values of every kind.
func TestLargest(t *testing.T) {
	number, set := &Local{Name: "number"}, &Local{Name: "set"}
	of := func(e *Expr) int64 {
		if e.Op == Cell {
			return Sixteen
		}
		return map[*Local]int64{number: 100, set: Unbounded}[e.Local]
	}
	n, s, cell := Get(number), Get(set), &Expr{Op: Cell}
	op := func(op Op, a, b *Expr) *Expr { return &Expr{Op: op, A: a, B: b} }
	for name, c := range map[string]struct {
		e    *Expr
		want int64
	}{
		"constant":             {K(-7), 7},
		"local":                {n, 100},
		"cell":                 {cell, Sixteen},
		"set":                  {&Expr{Op: Derived, A: K(0)}, Unbounded},
		"condition":            {op(Lt, s, n), 1},
		"count":                {&Expr{Op: Bits, A: s}, 64},
		"sum":                  {op(Add, n, cell), Sixteen + 100},
		"difference":           {op(Sub, K(0), n), 100},
		"product":              {op(Mul, n, K(-3)), 300},
		"product of a set":     {op(Mul, s, K(2)), Unbounded},
		"quotient":             {op(Div, n, K(2)), 100},
		"remainder":            {op(Mod, s, K(6)), 6},
		"bits of a set":        {op(And, s, K(15)), 15},
		"bits of two numbers":  {op(And, n, cell), 2 * Sixteen},
		"union":                {op(Or, n, K(1)), 200},
		"shift by a constant":  {op(Shl, n, K(4)), 1600},
		"shift by a number":    {op(Shl, n, cell), Unbounded},
		"one of two":           {&Expr{Op: Pick, A: s, B: n, C: K(500)}, 500},
		"after statements":     {With(Body{Assign(set, n)}, n), 100},
		"what must not be nil": {&Expr{Op: Present, A: n}, 100},
	} {
		if got := Largest(c.e, of); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}
