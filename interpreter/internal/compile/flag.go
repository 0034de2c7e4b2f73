package compile

import (
	"slices"

	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// flags folds the conjunction of two board flags of one place into a single table; nil for other conditions.
func (c *compiler) flags(a, b *ir.Expr) *ir.Expr {
	x, notX := c.flag(a)
	y, notY := c.flag(b)
	if c.plain || c.notes != nil || x == nil || y == nil || x.A.Op != ir.Use || y.A.Op != ir.Use || x.A.Local != y.A.Local {
		return nil
	}
	key := [4]int{x.K, notX, y.K, notY}
	base, ok := c.flagTables[key]
	if !ok {
		base = c.tableOf(c.layout.Places, func(p int) int { return (int(c.prog.Tables[x.K+p]) ^ notX) & (int(c.prog.Tables[y.K+p]) ^ notY) })
		if c.flagTables == nil {
			c.flagTables = map[[4]int]int{}
		}
		c.flagTables[key] = base
		c.tables.joint = append(c.tables.joint, base)
	}
	return &ir.Expr{Op: ir.Table, K: base, A: x.A, Site: a.Site}
}

// flag is the access to the table of a flag of places, nil for other conditions. not is 1 for a negated flag.
func (c *compiler) flag(x *ir.Expr) (table *ir.Expr, not int) {
	if x.Op == ir.Not {
		x, not = x.A, 1
	}
	t := &c.tables
	if x.Op == ir.Table && (slices.Contains(t.tags, x.K) || slices.Contains(t.families, x.K) || slices.Contains(t.joint, x.K)) {
		return x, not
	}
	return nil, 0
}
