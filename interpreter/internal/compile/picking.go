package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Whoever plays by chance looks ahead at every decision after which something may be picked. Of the conditions under which that happens
// a part can be told at the decision: dice stay as they are until the next throw, and a throw is a node.

// picking is whether something may be picked between a decision and the next node: 0 where it cannot be, else perhaps.
func (c *compiler) picking() *ir.Expr {
	if c.layout.Keeps && len(c.unit.Picks) > 0 { // a turn undone brings other dice back
		return ir.K(1)
	}
	p := &picker{c, c.earnsAfterThrows()}
	out := p.block(c.rules.Turn)
	for _, a := range c.rules.Acts {
		out = ir.OrElse(out, p.block(a.Block))
	}
	for _, x := range c.clauses(model.ClauseOn, model.ClauseBefore) {
		if x.Event == model.EventThrow { // which comes after a node
			continue
		}
		when := ir.K(1)
		if x.When != nil {
			when = p.perhaps(x.When)
		}
		out = ir.OrElse(out, ir.AndAlso(p.block(x.Block), when))
	}
	return out
}

// picksInMoves reports whether all that may be picked between a decision and the next node is picked while the option is carried out,
// unless numbers wait.
func (c *compiler) picksInMoves() bool {
	plays, picks := 0, false
	c.rules.Turn.Walk(func(s *model.Stmt) {
		picks = picks || s.Kind == model.StmtChoose
		if s.Kind == model.StmtFor { // what it plays it plays more than once
			s.Then.Walk(func(s *model.Stmt) { picks = picks || s.Kind == model.StmtPlay })
		}
		switch {
		case s.Kind != model.StmtPlay || s.Play == model.PlayEarned:
		case s.Play == model.PlayNumber:
			plays++
		default:
			plays += 2
		}
	})
	first := len(c.rules.Turn.Stmts) > 0 && c.rules.Turn.Stmts[0].Kind == model.StmtThrow
	return c.prog.PicksAtTurns && c.earnsAfterThrows() && !c.layout.Keeps && !picks && first && plays <= 1
}

// earnsAfterThrows reports whether nothing is earned but right after a throw.
func (c *compiler) earnsAfterThrows() bool {
	sure := true
	var look func(b *model.Block)
	look = func(b *model.Block) {
		if b == nil {
			return
		}
		thrown := false
		for _, s := range b.Stmts {
			thrown = thrown || s.Kind == model.StmtThrow
			sure = sure && (thrown || s.Kind != model.StmtEarn)
			look(s.Then)
			look(s.Else)
		}
	}
	for _, b := range c.blocks() {
		look(b)
	}
	return sure
}

// blocks are the blocks of all rules.
func (c *compiler) blocks() []*model.Block {
	out := []*model.Block{c.rules.Setup, c.rules.Turn}
	for _, a := range c.rules.Acts {
		out = append(out, a.Block)
	}
	for _, x := range c.allClauses() {
		out = append(out, x.Block)
	}
	return out
}

// picker finds what can be told of the conditions of picks.
type picker struct {
	*compiler
	thrown bool // nothing is earned but right after a throw
}

// block is whether a block may let something be picked.
func (p *picker) block(b *model.Block) *ir.Expr {
	out := ir.K(0)
	if b == nil {
		return out
	}
	for _, s := range b.Stmts {
		switch inner := p.block(s.Then); {
		case s.Kind == model.StmtChoose:
			return ir.K(1)
		case s.Kind == model.StmtIf:
			out = ir.OrElse(out, ir.OrElse(ir.AndAlso(inner, p.perhaps(s.Value)), p.block(s.Else)))
		default:
			out = ir.OrElse(out, inner)
		}
	}
	return out
}

// perhaps is 0 where a condition does not hold before the next throw, whatever happens.
func (p *picker) perhaps(e *model.Expr) *ir.Expr {
	switch {
	case e.Op == model.OpAnd:
		return ir.AndAlso(p.perhaps(e.Args[0]), p.perhaps(e.Args[1]))
	case e.Op == model.OpOr:
		return ir.OrElse(p.perhaps(e.Args[0]), p.perhaps(e.Args[1]))
	case e.Op == model.OpCall && len(e.Args) == 0:
		return p.perhaps(e.Let.Body)
	case e.Op == model.OpCell && e.Cell == model.CellEarned && p.thrown: // no number waits then but those that wait now
		return ir.OrElse(cell(code.CellEarned), ir.Op2(ir.Lt, ir.K(0), cell(code.CellQueue)))
	case p.fixed(e):
		return p.expr(e, &env{})
	}
	return ir.K(1)
}

// fixed reports whether a value depends on the dice alone.
func (p *picker) fixed(e *model.Expr) bool {
	switch e.Op {
	case model.OpConst, model.OpDie:
		return true
	case model.OpAdd, model.OpSub, model.OpEq, model.OpNe, model.OpLt, model.OpLe, model.OpGt, model.OpGe, model.OpNot, model.OpAnd, model.OpOr,
		model.OpIn, model.OpList, model.OpRange:
		return !slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return !p.fixed(a) })
	}
	return false
}
