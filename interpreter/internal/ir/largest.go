package ir

// Bounds of values. Cells and tables hold at most Sixteen; Unbounded means that no bound is known.
const (
	Sixteen   int64 = 1 << 15
	Unbounded int64 = 1 << 40
)

// Largest bounds the absolute value of an expression, in 64 bits on every platform. of bounds locals and cells.
func Largest(e *Expr, of func(*Expr) int64) int64 {
	sub := func(x *Expr) int64 { return Largest(x, of) }
	switch e.Op {
	case Const:
		return max(int64(e.K), -int64(e.K))
	case Use, Cell:
		return of(e)
	case Derived, Masks, Walkers, Having:
		return Unbounded
	case Eq, Ne, Lt, Le, Not, Both, Either, Search, NextTurn:
		return 1
	case Bits, Lowest:
		return 64
	case Add, Sub:
		return min(Unbounded, sub(e.A)+sub(e.B))
	case Mul:
		if a, b := sub(e.A), sub(e.B); a < 1<<31 && b < 1<<31 {
			return min(Unbounded, a*b)
		}
		return Unbounded
	case Div, Shr:
		return sub(e.A)
	case Mod:
		return sub(e.B)
	case And:
		for _, x := range []*Expr{e.A, e.B} {
			if x.Op == Const && x.K >= 0 {
				return int64(x.K)
			}
		}
		return 2 * max(sub(e.A), sub(e.B))
	case Or, AndNot:
		return 2 * max(sub(e.A), sub(e.B))
	case Shl:
		if a := sub(e.A); e.B.Op == Const && e.B.K < 32 && a < 1<<31 {
			return min(Unbounded, a<<e.B.K)
		}
		if e.A.Is(1) && sub(e.B) < 30 {
			return 1 << 30
		}
		return Unbounded
	case Pick:
		return max(sub(e.B), sub(e.C))
	case Do, Present:
		return sub(e.A)
	}
	return Sixteen
}
