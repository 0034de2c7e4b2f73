package interpreter

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// counting says what the rules read of a number being counted, or of the move being made, when that is over.
type counting struct {
	rules *model.Rules
	idle  bool  // nothing but while a number is counted
	left  []int // the cells that one count leaves for others to read
}

// countsOf analyses the rules.
func countsOf(r *model.Rules) *counting {
	c := &counting{rules: r, idle: true}
	outside := &reader{of: c, acts: map[*model.Act]bool{}, cell: func(model.Cell) { c.idle = false }}
	stuck := &reader{of: c, acts: map[*model.Act]bool{}, cell: func(x model.Cell) { c.leaves(x) }}
	outside.block(r.Turn)
	for _, d := range r.Dice {
		outside.expr(d.Choice)
	}
	if r.Mine != nil {
		outside.expr(r.Mine.Body)
	}
	for _, x := range clauses(r) {
		switch {
		case x.Kind == model.ClauseEnding || x.Kind == model.ClauseAlways:
			outside.expr(x.When)
		case x.Kind != model.ClauseOn && x.Kind != model.ClauseBefore: // the number is known, and no option has been taken
			c.offer(x.When, x.By)
		case x.Event == model.EventThrow, x.Event == model.EventTurnBegins, x.Event == model.EventTurnEnds, x.Event == model.EventDrop,
			x.Event == model.EventRank, x.Event == model.EventGameEnds:
			outside.reaction(x)
		case x.Event == model.EventStuck: // of several numbers none has become the one being counted
			stuck.reaction(x)
		}
	}
	for _, m := range r.Moves {
		c.offer(m.Exprs()...)
	}
	expressions(r, func(e *model.Expr) bool {
		if e.Op == model.OpCell && e.Var == nil && e.Cell == model.CellUsable { // a play that does not look ahead leaves it as it is
			c.leaves(e.Cell)
		}
		return true
	})
	return c
}

// offer looks at expressions that are read before an option has been taken.
func (c *counting) offer(list ...*model.Expr) {
	for _, e := range list {
		cells(e, func(x model.Cell) {
			if x == model.CellHeading {
				c.leaves(x)
			}
		})
	}
}

// leaves notes a cell that a later count reads.
func (c *counting) leaves(x model.Cell) {
	at, ok := map[model.Cell]int{model.CellSteps: code.CellSteps, model.CellHeading: code.CellHeading, model.CellUsable: code.CellUsable}[x]
	if ok && !slices.Contains(c.left, at) {
		c.left = append(c.left, at)
	}
}

// cells calls f for the cells of the game that an expression reads.
func cells(e *model.Expr, f func(x model.Cell)) {
	walkLets(e, map[*model.Let]bool{}, func(x *model.Expr) bool {
		if x.Op == model.OpCell && x.Var == nil && x.Cell != model.CellMe {
			f(x.Cell)
		}
		return true
	})
}

// reader goes through what is done together with some statements.
type reader struct {
	of   *counting
	cell func(x model.Cell)
	acts map[*model.Act]bool
	left bool // a piece leaves its place
}

func (r *reader) expr(e *model.Expr) { cells(e, r.cell) }

func (r *reader) reaction(x *model.Clause) {
	r.expr(x.When)
	r.block(x.Block)
}

// block looks at statements, at the acts they do and at the reactions to them.
func (r *reader) block(b *model.Block) {
	for s := range b.All() {
		for _, e := range s.Reads() {
			r.expr(e)
		}
		switch {
		case s.Kind == model.StmtDo && !r.acts[s.Act]:
			r.acts[s.Act] = true
			r.block(s.Act.Block)
			r.reactions(func(x *model.Clause) bool { return x.Event == model.EventAct && x.Act == s.Act })
		case (s.Kind == model.StmtPut || s.Kind == model.StmtExchange) && !r.left:
			r.left = true
			r.reactions(func(x *model.Clause) bool { return x.Event == model.EventLeave })
		}
	}
}

func (r *reader) reactions(to func(x *model.Clause) bool) {
	for _, x := range clauses(r.of.rules) {
		if (x.Kind == model.ClauseOn || x.Kind == model.ClauseBefore) && to(x) {
			r.reaction(x)
		}
	}
}
