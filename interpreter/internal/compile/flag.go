package compile

import (
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// flags folds the conjunction of two board flags of one place into a single table; nil for other conditions.
func (c *compiler) flags(a, b *ir.Expr) *ir.Expr {
	baseA, notA := c.flag(a)
	baseB, notB := c.flag(b)
	if c.plain || c.notes != nil || baseA < 0 || baseB < 0 {
		return nil
	}
	x, y := a, b
	if notA != 0 {
		x = a.A
	}
	if notB != 0 {
		y = b.A
	}
	if x.A.Op != ir.Use || y.A.Op != ir.Use || x.A.Local != y.A.Local {
		return nil
	}
	key := [4]int{baseA, notA, baseB, notB}
	base, ok := c.flagTables[key]
	if !ok {
		base = c.tableOf(c.layout.Places, func(p int) int { return (int(c.prog.Tables[baseA+p]) ^ notA) & (int(c.prog.Tables[baseB+p]) ^ notB) })
		if c.flagTables == nil {
			c.flagTables = map[[4]int]int{}
		}
		c.flagTables[key] = base
		c.tables.joint = append(c.tables.joint, base)
	}
	return &ir.Expr{Op: ir.Table, K: base, A: x.A, Site: a.Site}
}

// flag is the table of a flag of places, negative for other conditions. not is 1 for a negated flag.
func (c *compiler) flag(x *ir.Expr) (base, not int) {
	if x.Op == ir.Not {
		x, not = x.A, 1
	}
	t := &c.tables
	if x.Op == ir.Table && (slices.Contains(t.tags, x.K) || slices.Contains(t.families, x.K) || slices.Contains(t.joint, x.K)) {
		return x.K, not
	}
	return -1, 0
}
