package compile

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Studied is the program of a game that counts what the rules ask to be counted. It plays as the plain one does.
type Studied struct {
	Unit   *Unit
	Turns  int   // the clause that counts turns
	Values []int // of each count of the rules the entry that gives its value; 0 where a clause counts
	Lead   int   // the entry that says how far ahead the one in CellP0 is; 0 where the rules do not say
}

// Study compiles rules with everything that studies of the game look at.
func Study(rules *model.Rules) (*Studied, error) {
	s := &Studied{Values: make([]int, len(rules.Counts))}
	unit, err := compileRules(rules, func(c *compiler) {
		for _, n := range rules.Counts {
			if n.Clause != nil {
				c.counts = append(c.counts, n.Clause)
			}
		}
		turns := &model.Clause{
			Kind: model.ClauseOn, Event: model.EventTurnBegins, Block: &model.Block{}, Rule: &model.Rule{Name: "turns", Index: model.NoRule},
			Index: len(c.allClauses()) + len(c.counts),
		}
		s.Turns = turns.Index
		c.counts = append(c.counts, turns)
	}, func(c *compiler) {
		ask := func(e *model.Expr, v *env) int {
			c.entries = append(c.entries, &ir.Proc{Name: "count", Entry: true, Body: []*ir.Stmt{{Op: ir.Return, A: c.expr(e, v)}}})
			return len(c.entries)
		}
		for i, n := range rules.Counts {
			if n.Value != nil {
				s.Values[i] = ask(n.Value, &env{})
			}
		}
		if l := rules.Lead; l != nil {
			s.Lead = ask(l.Body, (&env{}).with(l.Params[0], cell(code.CellP0)))
		}
	})
	s.Unit = unit
	return s, err
}

// allClauses lists the clauses of all rules.
func (c *compiler) allClauses() []*model.Clause {
	var out []*model.Clause
	for _, r := range c.rules.Rules {
		out = append(out, r.Clauses...)
	}
	return out
}
