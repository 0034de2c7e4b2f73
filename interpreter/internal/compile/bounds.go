package compile

import "github.com/rulerun/rulerun/dsl/model"

// lowest is a number that the value of a number, or of every number of a list, is never below. Steps are bounded by
// what the rules play and earn.
func (c *compiler) lowest(e *model.Expr) int {
	const none = -1 << 15
	switch e.Op {
	case model.OpConst:
		return e.Int
	case model.OpDie:
		if len(e.Die.Faces) == 0 {
			if e.Die.Choice == nil {
				return none
			}
			return min(0, c.lowest(e.Die.Choice))
		}
		return min(0, e.Die.Faces[0].Value) // before it is thrown it is 0
	case model.OpIf:
		return min(c.lowest(e.Args[1]), c.lowest(e.Args[2]))
	case model.OpCall:
		return c.lowest(e.Let.Body)
	case model.OpAdd:
		return max(none, c.lowest(e.Args[0])+c.lowest(e.Args[1]))
	case model.OpCount:
		return 0
	case model.OpList, model.OpMin, model.OpMax:
		low := 1 << 15
		for _, a := range e.Args {
			low = min(low, c.lowest(a))
		}
		return low
	case model.OpRange, model.OpFilter:
		return c.lowest(e.Args[0])
	case model.OpSet:
		if e.Set == model.SetVar {
			return c.slots[e.Var.Index].Low
		}
	case model.OpVar:
		return e.Var.Low
	case model.OpCell:
		if e.Cell == model.CellSteps {
			return c.lowestSteps()
		}
	}
	return none
}

// lowestSteps is what steps are never below.
func (c *compiler) lowestSteps() int {
	if c.stepsLow != nil {
		return *c.stepsLow
	}
	low := -1 << 15
	c.stepsLow = &low // what is counted in terms of steps themselves stays unknown
	least := 1 << 15
	c.rules.Walk(func(s *model.Stmt) {
		if s.Kind == model.StmtEarn || s.Kind == model.StmtPlay && s.Value != nil {
			least = min(least, c.lowest(s.Value))
		}
	})
	for _, r := range c.rules.Rules {
		for _, x := range r.Clauses {
			if x.By != nil {
				least = min(least, c.lowestBy(x.By))
			}
		}
	}
	low = least
	return low
}

// lowestBy is lowest for the numbers of by, where steps themselves say nothing new.
func (c *compiler) lowestBy(e *model.Expr) int {
	const all = 1 << 15
	switch {
	case e.Op == model.OpCell && e.Cell == model.CellSteps:
		return all
	case e.Op == model.OpList:
		low := all
		for _, a := range e.Args {
			low = min(low, c.lowestBy(a))
		}
		return low
	case e.Op == model.OpIf:
		return min(c.lowestBy(e.Args[1]), c.lowestBy(e.Args[2]))
	case e.Op == model.OpCall:
		return c.lowestBy(e.Let.Body)
	}
	return c.lowest(e)
}
