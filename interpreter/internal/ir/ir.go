// Package ir is the program of a game as a tree: procedures of structured statements over cells of the
// state, tables that never change, and locals.
//
// It stands between the compiler, which knows the rules language, and package code, which turns it into
// instructions. It knows no rules: places, pieces and lists are numbers here. What a newcomer gets wrong: a
// procedure is never entered twice at a time (the language has no recursion), so locals have fixed homes,
// in registers, or in the state where a node may come while they live.
package ir

// Op is what an expression computes.
type Op uint8

// The expressions. Values are integers; a condition is 0 or 1; -1 is nil.
const (
	Const   Op = iota // K
	Use               // Local
	Cell              // state[K]
	CellAt            // state[K+A]; A is an index that must not be negative
	Table             // tables[K+A]; likewise
	Scratch           // scratch[K+A]
	Derived           // derived[K+A]: a word of what follows from the state
	Masks             // masks[K+A]: a set of pieces that never changes
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
	Bits     // how many bits of A are set
	Lowest   // the number of the lowest bit of A that is set, -1 where none is
	Both     // A and B, B only where A holds
	Either   // A or B, B only where A does not hold
	Pick     // A ? B : C
	Do       // Body, then A
	Search   // 1 or 0: where Body breaks to Yes or No; K where it does neither
	Present  // A, which must not be nil (-1); K is the fault if it is, 0 for the usual one
	Offers   // how many options there are
	Offer    // field K of option A
	Result   // what the last node gave: the number of the option or candidate taken
	NextTurn // the turn goes to the next player still in the game, or colour where K is 1; 0 if there is none
	Having   // the pieces p of set A whose state[K+p] is B
	Walkers  // the pieces of set A that can walk B steps
	Rows     // of Decide: the rows K with the fields Args
)

// Expr is an expression.
type Expr struct {
	Op      Op
	K       int
	A, B, C *Expr
	Local   *Local
	Args    []*Expr // of Rows, four for each row
	Body    []*Stmt
	Yes, No *Label
	Asks    *Asks // it is a condition with a number
	Site    int   // where it comes from, for messages; 0 is nowhere
}

// Asks says that a condition, or a Block, can be had from a table as well: question K of a piece and the place, or where Set
// is given, that the block leaves in it the pieces of which the answer is yes where they stand. A machine without a table evaluates what is
// written.
type Asks struct {
	K            int
	Piece, Place *Expr
	Set          *Local
}

// Local is a variable of one procedure. The zero value is ready to use.
type Local struct {
	Name   string
	NonNil bool // it never holds nil: no need to look
	Brief  bool // it does not outlive a node: a register will do anywhere
}

// Label marks a Block that statements inside may leave or begin anew.
type Label struct {
	begin *Label // of a loop: its beginning
}

// StmtOp is what a statement does.
type StmtOp uint8

// The statements.
const (
	Set      StmtOp = iota // Local = A
	Declare                // Local lives from here on; it has no value yet, unless Sure: then what guards its readings has seen to it
	Store                  // state[K] = A, or state[K+B] = A
	StoreScr               // scratch[K+B] = A
	If                     // A ? Body : Else
	Block                  // Body, which Break Label leaves
	Loop                   // Body again and again until Break Label
	Break                  // leave Label's Block or Loop
	Continue               // begin Label's Loop anew
	Call                   // Proc with Args
	Return                 // from the procedure, with A as its value where that is given
	Jump                   // to Mark, leaving all procedures
	Place                  // Mark is here; only in the main procedure
	Native                 // operation K of package code on Args, with immediate Low; its result goes to Local
	Suspend                // a node of kind K at site Low; execution goes on after it
	Check                  // A lies in Low..High, else a fault
	Fail                   // fault K
	Try                    // up to the next Decide a fault leads to its Else
	Decide                 // the rows of A are the options of play K: one is taken, or Body where there are none; Else where they cannot tell
)

// Mark is a place in the main procedure that Jump reaches from anywhere.
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
	Proc      *Proc // of a Call; of a Native what it runs to look ahead, for those who run the tree
	Body      []*Stmt
	Else      []*Stmt
	Low, High int
	Asks      *Asks // of a Block
	Sure      bool  // of a Loop that begins with its exit: the first round is sure; of a Declare, see there
	Site      int
}

// Proc is a procedure.
type Proc struct {
	Name   string
	Params []*Local
	Body   []*Stmt
	Entry  bool // may be run from outside, without parameters
}

// NewLoop returns the label of a loop.
func NewLoop() *Label { return &Label{begin: &Label{}} }

// NewBlock returns the label of a block.
func NewBlock() *Label { return &Label{} }

// Begin is the label of a loop's beginning, nil for a block.
func (l *Label) Begin() *Label { return l.begin }

// K is a constant.
func K(v int) *Expr { return &Expr{Op: Const, K: v} }

// Get is a local's value.
func Get(l *Local) *Expr { return &Expr{Op: Use, Local: l} }

// Is reports whether e is the constant v.
func (e *Expr) Is(v int) bool { return e.Op == Const && e.K == v }

// Op2 is A op B, computed at once for constants.
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

// Must is e, which must not be nil; where that is plain, e itself.
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

// With is e after some statements.
func With(body []*Stmt, e *Expr) *Expr {
	if len(body) == 0 {
		return e
	}
	return &Expr{Op: Do, Body: body, A: e}
}

// Assign sets a local.
func Assign(l *Local, e *Expr) *Stmt { return &Stmt{Op: Set, Local: l, A: e} }

// When is a conditional statement; a constant condition leaves one branch, or nothing.
func When(cond *Expr, body, els []*Stmt) []*Stmt {
	if cond.Op == Const {
		if cond.K != 0 {
			return body
		}
		return els
	}
	if len(body) == 0 && len(els) == 0 {
		return nil
	}
	return []*Stmt{{Op: If, A: cond, Body: body, Else: els}}
}

// LoopOf is a loop.
func LoopOf(l *Label, body ...*Stmt) *Stmt { return &Stmt{Op: Loop, Label: l, Body: body} }

// BlockOf is a block that can be left.
func BlockOf(l *Label, body ...*Stmt) *Stmt { return &Stmt{Op: Block, Label: l, Body: body} }

// BreakTo leaves a block or loop.
func BreakTo(l *Label) *Stmt { return &Stmt{Op: Break, Label: l} }

// BreakIf leaves a block or loop on a condition.
func BreakIf(cond *Expr, l *Label) []*Stmt { return When(cond, []*Stmt{BreakTo(l)}, nil) }

// ContinueTo begins a loop anew.
func ContinueTo(l *Label) *Stmt { return &Stmt{Op: Continue, Label: l} }
