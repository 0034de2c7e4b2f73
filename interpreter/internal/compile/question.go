package compile

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// inquiry is a condition on a piece and a place that asks for no more than the place, the colours of what stands there, and
// the piece's colour: what clauses that judge steps are asked, others can be asked too. The answers are kept in a table.
type inquiry struct {
	cond  *model.Expr
	piece *model.Local
	place *model.Local // nil: where the piece stands
}

// question is the number of a condition's question, -1 where it is none.
func (c *compiler) question(cond *model.Expr, piece, place *model.Local) int {
	if c.tracks == nil {
		return -1
	}
	for i, q := range c.questions {
		if q.cond == cond && q.piece == piece && q.place == place {
			return i
		}
	}
	v := (&env{}).with(piece, markHere)
	if place != nil {
		v = (&env{}).with(piece, markWalker).with(place, markPlace)
	}
	if len(c.questions) == code.MaxQuestions || c.kindOf(cond, v) != kindValue {
		return -1
	}
	c.questions = append(c.questions, inquiry{cond, piece, place})
	return len(c.questions) - 1
}

// condition is that of a reaction.
func (c *compiler) condition(x *model.Clause, v *env) *ir.Expr {
	place := x.To
	if place == nil && len(x.Params) > 1 && x.Params[1].Type.Kind == model.Place {
		place = x.Params[1]
	}
	if c.tracks == nil || place == nil || len(x.Params) == 0 || x.Params[0].Type.Kind != model.Piece || !c.nonNil(v.lookup(x.Params[0])) || !c.nonNil(v.lookup(place)) {
		return c.expr(x.When, v)
	}
	out := ir.K(1)
	for _, part := range conjuncts(x.When) {
		cond := c.expr(part, v)
		if ir.Weight(nil, cond) > lightest {
			if n := c.question(part, x.Params[0], place); n >= 0 {
				asking := *cond
				asking.Asks = &ir.Asks{K: n, Piece: v.lookup(x.Params[0]), Place: v.lookup(place)}
				cond = &asking
			}
		}
		out = ir.AndAlso(out, cond)
	}
	return out
}

// lightest is how many parts a condition may have that is worked out as soon as looked up.
const lightest = 7

// questionEntries makes the entries that ask the questions.
func (c *compiler) questionEntries() {
	for _, q := range c.questions {
		v := (&env{}).with(q.piece, cell(code.CellP0))
		if q.place != nil {
			v = v.with(q.place, cell(code.CellTo))
		}
		c.tracks.Questions = append(c.tracks.Questions, code.Question{Entry: c.value("question", c.expr(q.cond, v)), Stands: q.place == nil})
	}
}

// answer asks the questions about a place as it is. What is a fault the table does not tell.
func (c *compiler) answer(m *vm.Machine, place, key int) {
	t := c.tracks
	told, faults := m.Answers(t.Questions, place)
	t.Told[place*t.Keys+key] = told
	t.Tabled[place] &^= faults
}
