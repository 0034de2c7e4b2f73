package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// NoteKind says what a note stands for.
type NoteKind uint8

// The kinds of note.
const (
	NoteAsked NoteKind = iota // a clause was asked whether it applies
	NoteSaid                  // a may offered an option, a verdict was given
	NoteYes                   // a condition held
	NoteNo                    // a condition did not hold
	NoteStmt                  // a statement was carried out
	NoteLet                   // a let was used
)

// Note is something a program comes to and takes note of.
type Note struct {
	Kind NoteKind
	Span source.Span
}

// notes numbers the notes of a program that takes them; a program that does not has none, and no instruction for them.
type notes struct {
	numbers map[Note]int
	off     bool // what is generated now asks without playing
	// What tests ask takes notes inside the lets that nothing else uses, whose bodies these are.
	tests bool
	asked []source.Span
}

// Noting compiles rules to a program that notes which clauses, statements and conditions it comes to. The game it plays
// is the same.
func Noting(rules *model.Rules) (*Unit, error) {
	return compileRules(rules, func(c *compiler) { c.notes, c.traced = &notes{numbers: map[Note]int{}}, true }, func(*compiler) {})
}

// skips reports whether no note is taken of a place now.
func (n *notes) skips(at source.Span) bool {
	return n.off && !slices.ContainsFunc(n.asked, func(s source.Span) bool { return s.File == at.File && s.Start <= at.Start && at.End <= s.End })
}

// note takes a note, in programs that take them.
func (c *compiler) note(kind NoteKind, span source.Span) []*ir.Stmt {
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
	return []*ir.Stmt{{Op: ir.Native, K: int(code.TakeNote), Low: n}}
}

// unnoted generates something that takes no notes.
func (c *compiler) unnoted(generate func()) {
	if c.notes == nil {
		generate()
		return
	}
	was := c.notes.off
	c.notes.off = true
	generate()
	c.notes.off = was
}

// usedByTests takes notes in a let from here on if a test uses it, and no rule does.
func (c *compiler) usedByTests(l *model.Let) {
	if c.notes == nil || !c.notes.tests {
		return
	}
	if _, used := c.notes.numbers[Note{NoteLet, l.Span}]; !used {
		c.notes.asked = append(c.notes.asked, l.Span, l.Body.Span)
	}
}

// asked is a clause's condition, with a note that the clause is asked.
func (c *compiler) asked(x *model.Clause, cond *ir.Expr) *ir.Expr {
	return ir.With(c.note(NoteAsked, x.Span), cond)
}

// judged is a condition with notes on how it comes out. What joins conditions follows from its parts.
func (c *compiler) judged(e *model.Expr, x *ir.Expr) *ir.Expr {
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
