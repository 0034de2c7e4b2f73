package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Studied is a program that counts what the rules declare to be counted. The game is the same.
type Studied struct {
	Unit   *Unit
	Turns  int   // the clause that counts turns
	Values []int // by count of the rules: the entry that computes its value; 0 if a clause counts
	Lead   int   // the entry that computes the lead of player or team CellP0; 0 if the rules define none
	Reads  Reads // the dependencies of Lead
}

// Study compiles rules with everything that studies of the game read.
func Study(rules *model.Rules) (*Studied, error) {
	s := &Studied{}
	unit, err := compileRules(rules, func(c *compiler) {
		c.tree = true
		counted := seq.Filter(rules.Counts, func(n *model.Count) bool { return n.Clause != nil })
		c.counts = seq.Map(counted, func(n *model.Count) *model.Clause { return n.Clause })
		turns := &model.Clause{
			Kind: model.ClauseOn, Event: model.EventTurnBegins, Block: &model.Block{}, Rule: &model.Rule{Name: "turns", Index: model.NoRule},
			Index: len(c.allClauses()) + len(c.counts),
		}
		s.Turns = turns.Index
		c.counts = append(c.counts, turns)
	}, func(c *compiler) {
		s.Values = c.values()
		s.Lead, s.Reads = c.lead(), c.leadReads()
	})
	s.Unit = unit
	return s, err
}

// Asked is a program with entries that compute values of a position.
type Asked struct {
	Unit   *Unit
	Lead   int   // as in Studied
	Values []int // by count of the rules, as in Studied
}

// Ask compiles rules with the entries for the lead and for the counts that are values.
func Ask(rules *model.Rules) (*Asked, error) {
	a := &Asked{}
	unit, err := compileRules(rules, func(*compiler) {}, func(c *compiler) {
		a.Lead, a.Values = c.lead(), c.values()
	})
	a.Unit = unit
	return a, err
}

// value adds an entry that returns a value.
func (c *compiler) value(name string, e *ir.Expr) (entry int) {
	c.entries = append(c.entries, &ir.Proc{Name: name, Entry: true, Body: ir.Body{{Op: ir.Return, A: e}}})
	return len(c.entries)
}

// values adds the entries of the counts that are values.
func (c *compiler) values() []int {
	return seq.Map(c.rules.Counts, func(n *model.Count) int {
		if n.Value == nil {
			return 0
		}
		return c.value("count", c.expr(n.Value, &env{}))
	})
}

// lead adds the entry that computes the lead.
func (c *compiler) lead() int {
	l := c.rules.Lead
	if l == nil {
		return 0
	}
	return c.value("count", c.expr(l.Body, (&env{}).with(l.Params[0], cell(code.CellP0))))
}

// allClauses lists the clauses of all rules.
func (c *compiler) allClauses() []*model.Clause {
	if c.ruleClauses == nil {
		c.ruleClauses = slices.Collect(c.rules.Clauses())
	}
	return c.ruleClauses
}
