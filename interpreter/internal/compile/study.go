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
	Reads  Reads // what that depends on
}

// Study compiles rules with everything that studies of the game look at.
func Study(rules *model.Rules) (*Studied, error) {
	s := &Studied{Values: make([]int, len(rules.Counts))}
	unit, err := compileRules(rules, func(c *compiler) {
		c.tree = true
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
		for i, n := range rules.Counts {
			if n.Value != nil {
				s.Values[i] = c.value("count", c.expr(n.Value, &env{}))
			}
		}
		s.Lead, s.Reads = c.lead(), c.leadReads()
	})
	s.Unit = unit
	return s, err
}

// Asked is the program of a game with entries that give values of a position.
type Asked struct {
	Unit   *Unit
	Lead   int   // as in Studied
	Values []int // of each count of the rules, as in Studied
}

// Ask compiles rules with the entries for the lead and for the counts that are values.
func Ask(rules *model.Rules) (*Asked, error) {
	a := &Asked{Values: make([]int, len(rules.Counts))}
	unit, err := compileRules(rules, func(*compiler) {}, func(c *compiler) {
		a.Lead = c.lead()
		for i, n := range rules.Counts {
			if n.Value != nil {
				a.Values[i] = c.value("count", c.expr(n.Value, &env{}))
			}
		}
	})
	a.Unit = unit
	return a, err
}

// value adds an entry that gives a value, and tells its number.
func (c *compiler) value(name string, e *ir.Expr) (entry int) {
	c.entries = append(c.entries, &ir.Proc{Name: name, Entry: true, Body: []*ir.Stmt{{Op: ir.Return, A: e}}})
	return len(c.entries)
}

// lead adds the entry of who leads.
func (c *compiler) lead() int {
	l := c.rules.Lead
	if l == nil {
		return 0
	}
	return c.value("count", c.expr(l.Body, (&env{}).with(l.Params[0], cell(code.CellP0))))
}

// allClauses lists the clauses of all rules.
func (c *compiler) allClauses() []*model.Clause {
	var out []*model.Clause
	for _, r := range c.rules.Rules {
		out = append(out, r.Clauses...)
	}
	return out
}
