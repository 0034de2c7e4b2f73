// Package ir is the program of a game as a tree: procedures of structured statements over cells of the state, constant tables, and locals.
//
// The compiler, which knows the rules language, generates the tree; package code generates instructions from it. The tree knows no rules:
// places, pieces and lists are numbers. A common misunderstanding: a procedure has at most one activation, because the language has no
// recursion. Therefore a local has a fixed location: a register, or a cell of the state if a node can occur while the local is live.
package ir

// Op is what an expression computes.
type Op uint8

// The expressions. Values are integers; a condition is 0 or 1; -1 is nil.
const (
	Const   Op = iota // K
	Use               // Local
	Cell              // state[K]
	CellAt            // state[K+A]; the index A must not be negative
	Table             // tables[K+A]; the index A must not be negative
	Scratch           // scratch[K+A]
	Derived           // derived[K+A]: a derived word
	Masks             // masks[K+A]: a constant set of pieces
	Add               // A op B
	Sub
	Mul
	Div // rounds towards zero; B is not 0
	Mod // the sign of A; B is not 0
	And
	Or
	AndNot // A and not B, bit by bit
	Shl
	Shr
	Eq // conditions
	Ne
	Lt
	Le
	Not      // of a condition
	Bits     // number of set bits of A
	Lowest   // number of the lowest set bit of A, -1 if there is none
	Both     // A and B; short-circuit
	Either   // A or B; short-circuit
	Pick     // A ? B : C
	Do       // Body, then A
	Search   // 1 if Body breaks to Yes, 0 if to No, otherwise K
	Present  // A, which must not be nil (-1); otherwise fault K, or FaultNil if K is 0
	Offers   // number of options
	Offer    // field K of option A
	Result   // result of the last node: the number of the option or candidate taken
	NextTurn // 1 after passing the turn to the next player still in the game, or colour if K is 1; 0 if there is none
	Having   // the pieces p of set A whose state[K+p] is B
	Walkers  // the pieces of set A that can walk B steps
	Rows     // only in Decide: the rows K with the fields Args
)

// Expr is an expression.
type Expr struct {
	Op      Op
	K       int
	A, B, C *Expr
	Local   *Local
	Args    []*Expr // of Rows, four per row
	Body    Body
	Yes, No *Label
	Asks    *Asks // the condition can be looked up
	Site    int   // the place in the rules, for messages; 0 for none
}

// Asks says that a condition is predicate K of a piece and a place, which a table may hold. For a Block, Set is given: the block keeps in
// Set the pieces for which the predicate is true where they stand. A machine without the table evaluates the expression or the block.
type Asks struct {
	K            int
	Piece, Place *Expr
	Set          *Local
}

// Local is a variable of one procedure. The zero value is ready to use.
type Local struct {
	Name   string
	NonNil bool // never nil: needs no check
	Brief  bool // not live across a node: can always be in a register
}

// Label marks a Block or a Loop that statements inside may leave or continue.
type Label struct {
	begin *Label // of a loop: the label of its start
}

// StmtOp is what a statement does.
type StmtOp uint8

// The statements.
const (
	Set      StmtOp = iota // Local = A
	Declare                // the scope of Local begins; it has no value yet. Sure: its reads are guarded by other conditions
	Store                  // state[K] = A, or state[K+B] = A
	StoreScr               // scratch[K+B] = A
	If                     // A ? Body : Else
	Block                  // Body, which Break Label leaves
	Loop                   // repeat Body until Break Label
	Break                  // leave Label's Block or Loop
	Continue               // next iteration of Label's Loop
	Call                   // Proc with Args
	Return                 // from the procedure, with value A if given
	Jump                   // to Mark, leaving all procedures
	Place                  // the target of Mark; only in the main procedure
	Native                 // native operation K on Args with immediate Low; the result goes to Local
	Suspend                // a node of kind K at site Low; execution continues after it
	Check                  // a fault unless A is in Low..High
	Fail                   // fault K
	Try                    // until the next Decide, a fault continues at its Else
	Decide                 // the rows of A are the options of play K: take one; Body if there are none; Else if the sets are not exact
)

// Mark is a label in the main procedure that Jump reaches from anywhere.
type Mark struct {
	Name string
}

// Stmt is a statement.
type Stmt struct {
	Op        StmtOp
	K         int
	A, B      *Expr
	Args      []*Expr
	Local     *Local
	Label     *Label
	Mark      *Mark
	Proc      *Proc // of a Call; of a Native the procedure that a lookahead runs
	Body      Body
	Else      Body
	Low, High int
	Asks      *Asks // of a Block
	Sure      bool  // of a Loop that begins with its exit: the first iteration always runs; of a Declare, see there
	Site      int
}

// Body is statements, one after the other.
type Body []*Stmt

// Code is a statement, or several.
type Code interface{ stmts() Body }

func (s *Stmt) stmts() Body { return Body{s} }
func (b Body) stmts() Body  { return b }

// Seq is code after code, in a list of its own; nil if there is nothing. A part that is nil is left out.
func Seq(parts ...Code) Body {
	var out Body
	for _, p := range parts {
		if p != nil {
			out = append(out, p.stmts()...)
		}
	}
	return out
}

// Proc is a procedure.
type Proc struct {
	Name   string
	Params []*Local
	Body   Body
	Entry  bool // callable from outside, without parameters
}

// NewLoop returns the label of a loop.
func NewLoop() *Label { return &Label{begin: &Label{}} }

// NewBlock returns the label of a block.
func NewBlock() *Label { return &Label{} }

// Begin is the label of a loop's start, nil for a block.
func (l *Label) Begin() *Label { return l.begin }

// K is a constant.
func K(v int) *Expr { return &Expr{Op: Const, K: v} }

// Get is a local's value.
func Get(l *Local) *Expr { return &Expr{Op: Use, Local: l} }

// Is reports whether e is the constant v.
func (e *Expr) Is(v int) bool { return e.Op == Const && e.K == v }

// Op2 is A op B, with constant folding.
func Op2(op Op, a, b *Expr) *Expr {
	if a.Op == Const && b.Op == Const {
		truth := func(t bool) *Expr {
			if t {
				return K(1)
			}
			return K(0)
		}
		switch op {
		case Add:
			return K(a.K + b.K)
		case Sub:
			return K(a.K - b.K)
		case Mul:
			return K(a.K * b.K)
		case Eq:
			return truth(a.K == b.K)
		case Ne:
			return truth(a.K != b.K)
		case Lt:
			return truth(a.K < b.K)
		case Le:
			return truth(a.K <= b.K)
		}
	}
	if op == Add && b.Is(0) || op == Sub && b.Is(0) || op == Mul && b.Is(1) {
		return a
	}
	return &Expr{Op: op, A: a, B: b}
}

// Must is e with a nil check, or e itself if it is known not to be nil.
func Must(e *Expr) *Expr {
	if e.Op == Use && e.Local.NonNil || e.Op == Const && e.K >= 0 || e.Op == Present {
		return e
	}
	return &Expr{Op: Present, A: e, Site: e.Site}
}

// Negate is the condition that e does not hold.
func Negate(e *Expr) *Expr {
	switch e.Op {
	case Const:
		return K(1 - e.K)
	case Not:
		return e.A
	case Eq:
		return &Expr{Op: Ne, A: e.A, B: e.B}
	case Ne:
		return &Expr{Op: Eq, A: e.A, B: e.B}
	case Lt:
		return &Expr{Op: Le, A: e.B, B: e.A}
	case Le:
		return &Expr{Op: Lt, A: e.B, B: e.A}
	}
	return &Expr{Op: Not, A: e}
}

// AndAlso is the condition that both hold.
func AndAlso(a, b *Expr) *Expr {
	switch {
	case a.Is(0), b.Is(1):
		return a
	case a.Is(1):
		return b
	}
	return &Expr{Op: Both, A: a, B: b}
}

// OrElse is the condition that at least one holds.
func OrElse(a, b *Expr) *Expr {
	switch {
	case a.Is(1), b.Is(0):
		return a
	case a.Is(0):
		return b
	}
	return &Expr{Op: Either, A: a, B: b}
}

// Choose is a ? b : c.
func Choose(a, b, c *Expr) *Expr {
	if a.Op == Const {
		if a.K != 0 {
			return b
		}
		return c
	}
	return &Expr{Op: Pick, A: a, B: b, C: c}
}

// With is e after statements.
func With(body Body, e *Expr) *Expr {
	if len(body) == 0 {
		return e
	}
	return &Expr{Op: Do, Body: body, A: e}
}

// Assign sets a local.
func Assign(l *Local, e *Expr) *Stmt { return &Stmt{Op: Set, Local: l, A: e} }

// When is a conditional statement; for a constant condition it is one branch, or nothing.
func When(cond *Expr, then, otherwise Code) Body {
	body, els := Seq(then), Seq(otherwise)
	switch {
	case cond.Is(0):
		return els
	case cond.Op == Const:
		return body
	case len(body) == 0 && len(els) == 0:
		return nil
	}
	return Body{{Op: If, A: cond, Body: body, Else: els}}
}

// LoopOf is a loop.
func LoopOf(l *Label, body ...Code) *Stmt { return &Stmt{Op: Loop, Label: l, Body: Seq(body...)} }

// BlockOf is a block that can be left.
func BlockOf(l *Label, body ...Code) *Stmt { return &Stmt{Op: Block, Label: l, Body: Seq(body...)} }

// BreakTo leaves a block or loop.
func BreakTo(l *Label) *Stmt { return &Stmt{Op: Break, Label: l} }

// BreakIf leaves a block or loop on a condition.
func BreakIf(cond *Expr, l *Label) Body { return When(cond, BreakTo(l), nil) }

// ContinueTo starts the next iteration of a loop.
func ContinueTo(l *Label) *Stmt { return &Stmt{Op: Continue, Label: l} }
