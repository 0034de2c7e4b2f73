package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// NoteKind is the kind of a note.
type NoteKind uint8

// The kinds of note.
const (
	NoteAsked NoteKind = iota // a clause was evaluated
	NoteSaid                  // a may offered an option, or a verdict was given
	NoteYes                   // a condition held
	NoteNo                    // a condition did not hold
	NoteStmt                  // a statement was executed
	NoteLet                   // a let was used
)

// Note is a point of the rules whose execution is recorded, for coverage.
type Note struct {
	Kind NoteKind
	Span source.Span
}

// notes numbers the notes. It is nil in a program without notes, which then has no instruction for them.
type notes struct {
	numbers map[Note]int
	off     bool // generated code evaluates without playing
	// With tests, the conditions of tests take notes inside lets that no rule uses. asked holds the bodies of these lets.
	tests bool
	asked []source.Span
}

// Noting compiles rules to a program that records the clauses, statements and conditions it executes. The game is the same.
func Noting(rules *model.Rules) (*Unit, error) {
	return compileRules(rules, func(c *compiler) { c.notes, c.traced = &notes{numbers: map[Note]int{}}, true }, func(*compiler) {})
}

// Switched is Noting for rules whose clauses can be switched off, if wanted reports true: clause n does not apply while the last variable of
// the unit is n+1. At the beginning all of them apply.
func Switched(rules *model.Rules, wanted func(*model.Clause) bool) (*Unit, error) {
	off := &model.Var{Type: model.Of(model.Number), Index: len(rules.Vars), Initial: []int{0}}
	out := *rules
	out.Vars, out.Rules = append(slices.Clone(rules.Vars), off), slices.Clone(rules.Rules)
	for i, r := range out.Rules {
		rule := *r
		rule.Clauses = slices.Clone(r.Clauses)
		for k, x := range r.Clauses {
			off.High = max(off.High, x.Index+1)
			if wanted(x) {
				rule.Clauses[k] = switched(x, off, x.Index+1)
			}
		}
		out.Rules[i] = &rule
	}
	return Noting(&out)
}

// switched is a clause that does not apply while a variable is n.
func switched(x *model.Clause, off *model.Var, n int) *model.Clause {
	number, flag := model.Of(model.Number), model.Of(model.Flag)
	y := *x
	y.When = &model.Expr{Op: model.OpNe, Type: flag, Args: []*model.Expr{{Op: model.OpVar, Var: off, Type: number}, {Op: model.OpConst, Int: n, Type: number}}}
	if x.When != nil {
		y.When = &model.Expr{Op: model.OpAnd, Type: flag, Args: []*model.Expr{y.When, x.When}}
	}
	y.Or = seq.Map(x.Or, func(z *model.Clause) *model.Clause { return switched(z, off, n) })
	return &y
}

// skips reports whether notes are off for a place.
func (n *notes) skips(at source.Span) bool {
	return n.off && !slices.ContainsFunc(n.asked, func(s source.Span) bool { return s.File == at.File && s.Start <= at.Start && at.End <= s.End })
}

// note emits a note, in programs with notes.
func (c *compiler) note(kind NoteKind, span source.Span) ir.Body {
	if c.notes == nil || c.notes.skips(span) || span.IsZero() {
		return nil
	}
	key := Note{kind, span}
	n, ok := c.notes.numbers[key]
	if !ok {
		n = len(c.unit.Notes)
		c.notes.numbers[key] = n
		c.unit.Notes = append(c.unit.Notes, key)
		c.prog.Notes = len(c.unit.Notes)
	}
	return ir.Body{nativeOf(code.TakeNote, n)}
}

// withoutNotes generates code with notes off.
func (c *compiler) withoutNotes(generate func()) {
	if c.notes == nil {
		generate()
		return
	}
	was := c.notes.off
	c.notes.off = true
	generate()
	c.notes.off = was
}

// usedByTests turns on notes inside a let that a test uses and no rule does.
func (c *compiler) usedByTests(l *model.Let) {
	if c.notes == nil || !c.notes.tests {
		return
	}
	if _, used := c.notes.numbers[Note{NoteLet, l.Span}]; !used {
		c.notes.asked = append(c.notes.asked, l.Span, l.Body.Span)
	}
}

// noteAsked adds to a clause's condition the note that the clause is evaluated.
func (c *compiler) noteAsked(x *model.Clause, cond *ir.Expr) *ir.Expr {
	return ir.With(c.note(NoteAsked, x.Span), cond)
}

// noteOutcome adds to a condition the notes of its outcome. A compound condition needs none: its outcome follows from its
// parts.
func (c *compiler) noteOutcome(e *model.Expr, x *ir.Expr) *ir.Expr {
	if c.notes == nil || c.notes.skips(e.Span) || e.Type != model.Of(model.Flag) {
		return x
	}
	switch e.Op {
	case model.OpAnd, model.OpOr, model.OpNot, model.OpIf, model.OpConst:
		return x
	}
	yes, no := ir.With(c.note(NoteYes, e.Span), ir.K(1)), ir.With(c.note(NoteNo, e.Span), ir.K(0))
	return ir.Choose(x, yes, no)
}
