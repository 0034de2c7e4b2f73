package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// takenToo records conditions, in what is done before a move, on the options of the decision that the option taken itself meets: it is
// one of them.
func (x *setting) takenToo(c *model.Clause) {
	if c.Kind != model.ClauseBefore || c.Move == nil {
		return
	}
	look := func(e *model.Expr) {
		if e.Op != model.OpAny && e.Op != model.OpNone || e.Args[0].Op != model.OpSet || e.Args[0].Set != model.SetOffered || !x.own(e.Span) {
			return
		}
		meets, ok := ofTaken(e.Args[1], c)
		x.foundOf(ok && len(x.assume(x.intern(meets, nil, 0), false, x.open())) == 0, "taken", "always-same", e.Span,
			"%s is %s true: the option that is carried out is one of them", said{e}, ever(e.Op == model.OpAny))
	}
	for _, all := range append(slices.Collect(c.Block.Reads()), c.When) {
		for e := range all.All() {
			look(e)
		}
	}
}

// ofTaken is a condition on options for the one that is carried out, in the names of the clause; ok is false if it has none for something.
func ofTaken(e *model.Expr, c *model.Clause) (out *model.Expr, ok bool) {
	if e.Op == model.OpField && e.Args[0].Op == model.OpElem {
		named := c.To
		if e.Field == model.FieldPiece && len(c.Params) > 0 {
			named = c.Params[0]
		}
		if named == nil || e.Field != model.FieldPiece && e.Field != model.FieldTo {
			return nil, false
		}
		return &model.Expr{Op: model.OpLocal, Type: e.Type, Local: named, Span: e.Span}, true
	}
	if e.Op == model.OpElem || e.OverElements() {
		return nil, false
	}
	whole := *e
	whole.Args = slices.Clone(e.Args)
	for i, a := range e.Args {
		if whole.Args[i], ok = ofTaken(a, c); !ok {
			return nil, false
		}
	}
	return &whole, true
}

// spared records duties that take nothing away, as every move that they do not ask for is offered despite duties. Where the duty is of
// another file, it is said of the line that offers such a move.
func (x *setting) spared() {
	duties := seq.Any(x.r.Clauses(), func(c *model.Clause) bool { return c.Kind == model.ClauseMust })
	for _, may := range x.may {
		if may.x.Despite && x.own(may.x.Span) {
			x.foundOf(!duties, "no duty", "misnamed", may.x.Span, "there is no duty here, and \"despite duties\" says nothing")
		}
		if may.x.Otherwise && x.own(may.x.Span) {
			x.foundOf(x.playsWhole(), "whole", "never-applies", may.x.Span,
				"this is never offered: \"play all\" does not look for what is offered otherwise; \"on stuck\" says what happens then")
		}
	}
	for c := range x.r.Clauses() {
		if c.Kind != model.ClauseMust {
			continue
		}
		takes, despite := false, []*model.Clause(nil)
		for _, may := range x.may {
			asked := slices.ContainsFunc(c.Likes(), func(l *model.Clause) bool { return l.About(may.x.Move) })
			switch {
			case may.x.Otherwise:
			case may.x.Despite && !asked:
				despite = append(despite, may.x)
			case !may.x.Despite:
				takes = takes || !asked || slices.ContainsFunc(c.Likes(), func(l *model.Clause) bool { return l.When != nil || l.To != nil })
			}
		}
		if x.own(c.Span) {
			x.foundOf(!takes && len(despite) > 0, "spared", "no-effect", c.Span, "this duty takes nothing away: all other moves are offered despite duties")
			continue
		}
		for _, d := range despite {
			x.foundOf(!takes, "spares "+c.Span.Text(), "no-effect", d.Span,
				"since this is offered despite duties, the duty of rule %q takes nothing away", c.Rule.Name).note = c.Span
		}
	}
}

// playsWhole reports whether every play counts all of several numbers, or none.
func (x *setting) playsWhole() bool {
	single := func(e *model.Expr) bool { return e.Op != model.OpList || len(e.Args) < 2 }
	return x.r.Turn != nil && !seq.Any(x.r.Turn.All(), func(s *model.Stmt) bool {
		return s.Kind == model.StmtPlay && (s.Play != model.PlayAll || s.Target != nil || single(s.Value) || slices.ContainsFunc(s.Args, single))
	})
}
