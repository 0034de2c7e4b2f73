package model

import (
	"iter"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// StmtKind is the kind of a statement.
type StmtKind uint8

// The kinds of statement.
const (
	StmtAssign   StmtKind = iota // Target Assign Value
	StmtIf                       // Value ? Then : Else
	StmtFor                      // Then for each Local in Value; a let is a loop over a list of one value, and Then is the rest of its block
	StmtPut                      // piece Value on place Other
	StmtExchange                 // pieces Value and Other
	StmtGive                     // piece Value to colour Other
	StmtThrow                    // Dice
	StmtPlay                     // Play, Value; of several numbers Args are other lists instead, and Target is a bag whose numbers they are
	StmtEarn                     // Value, with piece Other, or for the next turn of player Other, or nil
	StmtChoose                   // Local or Target from Value, or None, by Other (nil: me), then Then
	StmtDo                       // Act with Args
	StmtAgain
	StmtEndTurn
	StmtUndo
	StmtFinish // Ending of Value (player, team or colour); a win counts Other, nil for the usual 1
)

// stmtTable has for each kind its name in messages for programmers, and whether it raises an event by itself.
var stmtTable = [...]struct {
	name   string
	raises bool
}{
	StmtAssign: {name: "assign"}, StmtIf: {name: "if"}, StmtFor: {name: "for"}, StmtPut: {name: "put", raises: true},
	StmtExchange: {name: "exchange", raises: true}, StmtGive: {name: "give"}, StmtThrow: {name: "throw", raises: true}, StmtPlay: {name: "play"},
	StmtEarn: {name: "earn"}, StmtChoose: {name: "choose"}, StmtDo: {name: "do", raises: true}, StmtAgain: {name: "again"},
	StmtEndTurn: {name: "end turn"}, StmtUndo: {name: "undo turn"}, StmtFinish: {name: "finish", raises: true},
}

// StmtKinds is the number of kinds.
const StmtKinds = StmtKind(len(stmtTable))

// String is the name of the kind, for messages for programmers.
func (k StmtKind) String() string { return stmtTable[k].name }

// Raises reports whether statements of the kind raise an event or an act by themselves.
func (k StmtKind) Raises() bool { return stmtTable[k].raises }

// PlayKind says which numbers a play statement counts.
type PlayKind uint8

// The kinds of play.
const (
	PlayNumber PlayKind = iota
	PlayAny             // one of a list
	PlayEach            // all of a list
	PlayMost            // all of a list, as many as can be used
	PlayAll             // all of a list, or none
	PlayEarned          // the queue
)

// LooksAhead reports whether the options depend on what can be counted after them.
func (k PlayKind) LooksAhead() bool { return k == PlayMost || k == PlayAll }

// AssignOp is the operator of an assignment.
type AssignOp uint8

// The assignment operators.
const (
	AssignSet AssignOp = iota
	AssignAdd
	AssignSub
)

// Block is a list of statements.
type Block struct {
	Stmts []*Stmt
}

// Stmt is a statement. Kind says which fields are used.
type Stmt struct {
	Kind   StmtKind
	Target *Expr // OpCell or OpVar
	Assign AssignOp
	Value  *Expr
	Other  *Expr
	Local  *Local
	Then   *Block
	Else   *Block
	Dice   []*Die
	Play   PlayKind
	Apart  bool // duties look at the options of each number by themselves
	Act    *Act
	Args   []*Expr
	Ending EndingKind
	Words  string
	None   bool
	Span   source.Span
}

// Later reports whether a number is earned for the next turn of a player.
func (s *Stmt) Later() bool {
	return s.Kind == StmtEarn && s.Other != nil && s.Other.Type.Kind == Player
}

// Once reports whether a loop goes through a list of one value: it is a let, or means the same.
func (s *Stmt) Once() bool {
	return s.Kind == StmtFor && s.Value.Op == OpList && len(s.Value.Args) == 1
}

// Loops reports whether the statement may do something several times.
func (s *Stmt) Loops() bool { return s.Kind == StmtFor && !s.Once() }

// Writes reports whether the statement gives a variable a value, puts something into it or takes something out.
func (s *Stmt) Writes(v *Var) bool { return s.Target != nil && s.Target.Var == v }

// Reads are the expressions that the statement evaluates itself, without those of the blocks inside. Of a target they are those that say
// whose variable it is.
func (s *Stmt) Reads() []*Expr {
	var out []*Expr
	if s.Target != nil {
		out = append(out, s.Target.Args...)
	}
	out = append(out, seq.Filter([]*Expr{s.Value, s.Other}, func(e *Expr) bool { return e != nil })...)
	return append(out, s.Args...)
}

// All goes through the statements of the block and of the blocks inside, each before those inside it.
func (b *Block) All() iter.Seq[*Stmt] {
	return func(yield func(*Stmt) bool) { b.each(yield) }
}

func (b *Block) each(yield func(*Stmt) bool) bool {
	if b == nil {
		return true
	}
	for _, s := range b.Stmts {
		if !yield(s) || !s.Then.each(yield) || !s.Else.each(yield) {
			return false
		}
	}
	return true
}

// Reads goes through the expressions that the statements of the block and of the blocks inside evaluate.
func (b *Block) Reads() iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) {
		for s := range b.All() {
			for _, e := range s.Reads() {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// Blocks goes through the blocks of the rules: the setup, the turn, the acts and the clauses, in this order. Some may be nil.
func (r *Rules) Blocks() iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		if !yield(r.Setup) || !yield(r.Turn) {
			return
		}
		for _, a := range r.Acts {
			if !yield(a.Block) {
				return
			}
		}
		for c := range r.Clauses() {
			if !yield(c.Block) {
				return
			}
		}
	}
}

// Stmts goes through the statements of the rules, in the order of Blocks.
func (r *Rules) Stmts() iter.Seq[*Stmt] {
	return func(yield func(*Stmt) bool) {
		for b := range r.Blocks() {
			if !b.each(yield) {
				return
			}
		}
	}
}

// Exprs calls f for every expression of the clauses, statements and moves, of whose turn comes next, and in the lets they use.
func (r *Rules) Exprs(f func(*Expr)) {
	seen := map[*Let]bool{}
	var look func(e *Expr) bool
	look = func(e *Expr) bool {
		f(e)
		if e.Op == OpCall && !seen[e.Let] {
			seen[e.Let] = true
			e.Let.Body.Walk(look)
		}
		return true
	}
	for b := range r.Blocks() {
		for e := range b.Reads() {
			e.Walk(look)
		}
	}
	for c := range r.WithCounts() {
		for _, x := range c.Likes() {
			x.When.Walk(look)
			x.By.Walk(look)
		}
	}
	for _, n := range r.Counts {
		n.Value.Walk(look)
	}
	for _, m := range r.Moves {
		for _, e := range m.Exprs() {
			e.Walk(look)
		}
	}
	r.TurnsTo.Walk(look)
}
