package model

import (
	"iter"
	"slices"

	"github.com/rulerun/rulerun/dsl/source"
)

// Op is the operation of an expression.
type Op uint8

// The operations.
const (
	OpConst  Op = iota // Int: a number, flag (0 or 1), or the index of a place, colour…; -1 is nil
	OpWord             // Word: an option's value or a quoted text
	OpLocal            // Local
	OpElem             // the current element of the innermost predicate
	OpCell             // Var without an owner, or a Cell of the game
	OpDie              // Die's last value
	OpVar              // Var of Args[0]
	OpField            // Field of Args[0]
	OpTag              // flag Int of place Args[0]: a tag of the board
	OpFamily           // whether place Args[0] is of square family Int
	OpAttr             // attribute Int of place Args[0]
	OpMark             // landmark Int of colour Args[0]
	OpCall             // Let with Args
	OpMine             // the pieces of the colours in hand
	OpSet              // a list: Set, of Args[0] where it takes one
	OpList             // the list of Args
	OpRange            // the numbers Args[0]..Args[1]
	OpFilter           // the elements of Args[0] for which Args[1] holds
	OpMap              // Args[1] for each element of Args[0]
	OpSortBy           // Args[0] by Args[1], ascending, stable
	OpAll              // Args[1] holds for all of Args[0]
	OpAny              // for at least one
	OpNone             // for none
	OpCount            // how many elements of Args[0] (for which Args[1] holds, if present)
	OpFind             // the first element of Args[0] for which Args[1] holds, or nil
	OpFirst            // the first of Args[0], or nil
	OpLast             // the last of Args[0], or nil
	OpIndex            // element Args[1] of Args[0], counted from 0
	OpSum              // the sum of Args[0] (of Args[1] over them, if it is there)
	OpMin              // the least of Args, or of the list Args[0]
	OpMax              // the greatest
	OpIn               // Args[0] is an element of Args[1]
	OpAdd              // arithmetic on numbers
	OpSub
	OpMul
	OpDiv // of numbers: a fraction, inside OpInt only
	OpMod
	OpNeg
	OpAbs
	OpInt // Args[0] cut to a whole number
	OpEq  // comparisons of values of one type
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpNot
	OpAnd
	OpOr
	OpIf       // Args[0] ? Args[1] : Args[2]
	OpCoalesce // Args[0], or Args[1] where that is nil
	OpIndexOf  // the index of Args[1] in Args[0], -1 where it is not there
)

// Cell is a value that every game has.
type Cell uint8

// The cells.
const (
	CellMe        Cell = iota // the player in turn
	CellSteps                 // the number being counted, or the option's own number
	CellThrown                // flag: the turn plays this number
	CellEarned                // flag: the number comes from the queue
	CellHeading               // 1 or -1: the direction of the move's last step
	CellRemaining             // in step and end clauses: steps left after this one
	CellUsable                // in play most: how many of the numbers can be used
	CellHere                  // in step and end clauses: the place before this step; a place
)

// Field is a property of a value.
type Field uint8

// The fields.
const (
	FieldAt      Field = iota // piece → place
	FieldColour               // piece → colour
	FieldPlayer               // piece, colour → player
	FieldTeam                 // piece, colour, player → team
	FieldIndex                // piece → number, -1 off its track
	FieldSeat                 // colour → number, from 0
	FieldSquare               // place → flag
	FieldPlaying              // player → flag
	FieldRanked               // player → flag
	FieldMove                 // offer → number of its move
	FieldPiece                // offer → piece
	FieldTo                   // offer → place
	FieldSteps                // offer → number
	FieldWon                  // colour, player, team → flag
)

// Set is a list the game knows.
type Set uint8

// The lists.
const (
	SetPiecesOf  Set = iota // of a place (oldest arrival first), colour, player, team
	SetColoursOf            // of a player, team
	SetPlayersOf            // of a team
	SetTrackOf              // places of a colour's track, along its main way
	SetPieces               // all
	SetColours              // in use
	SetPlayers
	SetTeams
	SetSquares
	SetAfter   // players or colours still in the game, in turn order, from the one after Args[0]
	SetVar     // the elements of set or bag Var (of Args[0], if it has an owner), ascending, each once
	SetHand    // the colours in hand
	SetOffered // the options of the decision being carried out
	SetCopies  // SetVar of a bag, each as often as it is there
)

// Expr is a typed expression. It is immutable.
type Expr struct {
	Op    Op
	Type  Type
	Args  []*Expr
	Int   int
	Word  string
	Field Field
	Set   Set
	Cell  Cell
	Local *Local
	Var   *Var
	Die   *Die
	Let   *Let
	Span  source.Span
}

// Local is a name bound in the file: a parameter, a loop or chosen variable, the piece and place of a clause.
// Its address is its identity.
type Local struct {
	Name string
	Type Type
	Span source.Span
}

// Let is a named expression with its parameters.
type Let struct {
	Name   string
	Params []*Local
	Body   *Expr
	Span   source.Span
}

// Const is a constant expression.
func Const(t Type, v int, span source.Span) *Expr {
	return &Expr{Op: OpConst, Type: t, Int: v, Span: span}
}

// IsConst reports whether e is the constant v.
func (e *Expr) IsConst(v int) bool { return e != nil && e.Op == OpConst && e.Int == v }

// OverElements reports whether the second argument is evaluated for each element of the first.
func (e *Expr) OverElements() bool {
	switch e.Op {
	case OpFilter, OpMap, OpSortBy, OpAll, OpAny, OpNone, OpCount, OpFind, OpSum:
		return len(e.Args) == 2
	}
	return false
}

// Walk calls f for e and every expression in it, parents first. It skips the children if f returns false.
func (e *Expr) Walk(f func(*Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, a := range e.Args {
		a.Walk(f)
	}
}

// All goes through e and every expression in it, parents first.
func (e *Expr) All() iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { e.each(yield) }
}

func (e *Expr) each(yield func(*Expr) bool) bool {
	return e == nil || yield(e) && !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !a.each(yield) })
}

// Has reports whether is holds for e, for an expression in it, or for one of a let that it calls.
func (e *Expr) Has(is func(*Expr) bool) bool {
	found := false
	e.Walk(func(x *Expr) bool {
		found = found || is(x) || x.Op == OpCall && x.Let.Body.Has(is)
		return !found
	})
	return found
}

// Compute is the value of an operation on two numbers: arithmetic or a comparison, of which 1 is true. ok is false for a division by 0 and
// all other operations.
func Compute(op Op, a, b int) (v int, ok bool) {
	holds := false
	switch op {
	case OpAdd:
		return a + b, true
	case OpSub:
		return a - b, true
	case OpMul:
		return a * b, true
	case OpDiv, OpMod:
		switch {
		case b == 0:
			return 0, false
		case op == OpDiv:
			return a / b, true
		}
		return a % b, true
	case OpEq:
		holds = a == b
	case OpNe:
		holds = a != b
	case OpLt:
		holds = a < b
	case OpLe:
		holds = a <= b
	case OpGt:
		holds = a > b
	case OpGe:
		holds = a >= b
	default:
		return 0, false
	}
	if holds {
		v = 1
	}
	return v, true
}
