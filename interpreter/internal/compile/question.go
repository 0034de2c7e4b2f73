package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// inquiry is a condition on a piece and a place. It depends only on the place, the colours of the pieces there, and the
// colour of the piece. Like the verdicts on steps, it is tabulated: its truth table is computed once.
type inquiry struct {
	cond  *model.Expr
	piece *model.Local
	place *model.Local // nil: the place of the piece
}

// question is the index of a condition's inquiry, -1 if it is not an inquiry.
func (c *compiler) question(cond *model.Expr, piece, place *model.Local) int {
	if c.tracks == nil {
		return -1
	}
	asked := inquiry{cond, piece, place}
	if i := slices.Index(c.questions, asked); i >= 0 {
		return i
	}
	v := (&env{}).with(piece, markHere)
	if place != nil {
		v = (&env{}).with(piece, markWalker).with(place, markPlace)
	}
	if len(c.questions) == code.MaxQuestions || c.kindOf(cond, v) != kindValue {
		return -1
	}
	c.questions = append(c.questions, asked)
	return len(c.questions) - 1
}

// condition lowers the condition of a reaction, by its truth table if possible.
func (c *compiler) condition(x *model.Clause, v *env) *ir.Expr {
	if x.When == nil {
		return ir.K(1)
	}
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
		if ir.Weight(nil, cond) > maxInline {
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

// maxInline is the largest condition, in nodes, that is as fast to evaluate as to look up.
const maxInline = 7

// questionEntries adds the entries that evaluate the inquiries.
func (c *compiler) questionEntries() {
	for _, q := range c.questions {
		v := (&env{}).with(q.piece, cell(code.CellP0))
		if q.place != nil {
			v = v.with(q.place, cell(code.CellTo))
		}
		c.tracks.Questions = append(c.tracks.Questions, code.Question{Entry: c.value("question", c.expr(q.cond, v)), Stands: q.place == nil})
	}
}

// answer evaluates the inquiries about a place in its present state and stores the results. A fault leaves the entry out of
// the table.
func (c *compiler) answer(m *vm.Machine, place, key int) {
	t := c.tracks
	told, faults := m.Answers(t.Questions, place)
	t.Told[place*t.Keys+key] = told
	t.Tabled[place] &^= faults
}
