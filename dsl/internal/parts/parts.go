// Package parts lists the parts of a rule file that a game can execute: clauses, conditions, statements, lets, moves
// and acts.
//
// It reads the tree of package syntax, before names are resolved, so the list is the same for all settings. The
// checked rules carry the same spans; coverage finds parts by their span. Note: a condition is
// split into the operands of "and", "or", "not" and "? :". Each of them is true or false, and the last one evaluated
// decides the result.
package parts

import (
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Of lists the declarations of a file that have parts. It also lists options and the number of players, which have
// values instead.
func Of(f *syntax.File) []model.PartGroup {
	var out []model.PartGroup
	for _, d := range f.Decls {
		if d.Kind == nil {
			continue
		}
		l := &lister{file: f.Source}
		l.group.Span = d.Span(f.Source)
		l.group.Cites = d.Cites.IDs()
		if l.decl(d) {
			out = append(out, l.group)
		}
	}
	return out
}

// lister lists the parts of one declaration.
type lister struct {
	file  *source.File
	group model.PartGroup
	in    int
}

func (l *lister) add(p model.Part) int {
	p.In = l.in
	l.group.Parts = append(l.group.Parts, p)
	return len(l.group.Parts) - 1
}

// decl lists the parts of a declaration; false means that no game executes it.
func (l *lister) decl(d *syntax.Decl) bool {
	k, h := d.Kind, d.Head()
	l.in = -1
	l.group.Word, l.group.Words = h.Word, d.Words()
	l.group.Cites = append(h.Cites.IDs(), l.group.Cites...)
	if n := d.Name(); n != nil {
		l.group.Name, l.group.Head = n.Text, n.Span(l.file)
	} else { // the keyword
		l.group.Head = l.file.Span(k.Pos.Offset, k.Pos.Offset+len(h.Word))
	}
	switch {
	case k.Rule != nil:
		for _, c := range k.Rule.Clauses {
			l.clause(c)
		}
	case k.Act != nil:
		l.add(model.Part{Kind: model.PartAct, Span: l.group.Head})
	case k.Let != nil:
		if k.Let.Name.Text == "lead" && len(k.Let.Params) == 1 {
			return false // such as counts: for studies, without an effect on a game
		}
		l.add(model.Part{Kind: model.PartLet, Span: l.group.Head})
		l.value(k.Let.Value)
	case k.Move != nil:
		l.add(model.Part{Kind: model.PartMove, Span: l.group.Head})
		for _, b := range k.Move.Binds {
			l.value(b.Set)
		}
		l.value(k.Move.To)
		l.value(k.Move.Walk)
		l.value(k.Move.Carrying)
	case k.Turn != nil, k.Step != nil, k.Setup != nil, k.Players != nil:
	case k.Option != nil:
		l.group.Words = ""
	default:
		return false
	}
	l.block(h.Block)
	return true
}

var clauseKinds = map[string]model.PartKind{
	"May": model.PartMay, "Must": model.PartMust, "Step": model.PartStep, "React": model.PartReaction, "Ending": model.PartEnding, "Always": model.PartAlways,
}

func (l *lister) clause(c *syntax.Clause) {
	name, _ := syntax.Variant(c)
	kind, ok := clauseKinds[name]
	if !ok {
		panic("the clause " + name + " is no kind of part")
	}
	p := model.Part{Kind: kind, Span: c.Span(l.file), Cites: c.Cites.IDs(), Bars: c.Step != nil && c.Step.First == "bar"}
	if c.Must != nil && c.Must.Word == "never" {
		p.Kind = model.PartNever
	}
	l.in = -1
	l.in = l.add(p)
	if c.May != nil {
		l.value(c.May.By)
	}
	if c.Ending != nil {
		l.value(c.Ending.Worth)
	}
	l.condition(c.Condition())
	if c.React != nil {
		l.block(c.React.Block)
	}
}

func (l *lister) block(b *syntax.Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		if s.Step != nil {
			l.block(s.Step.Block)
			continue
		}
		if s.If == nil && s.For == nil && s.Let == nil {
			l.add(model.Part{Kind: model.PartStatement, Span: s.Span(l.file), Cites: s.Cites.IDs()})
		}
		if s.If != nil {
			l.branches(s.If)
			continue
		}
		for _, e := range syntax.Exprs(s) {
			l.value(e)
		}
		if s.For != nil {
			l.block(s.For.Body)
		}
	}
}

func (l *lister) branches(s *syntax.If) {
	l.condition(s.Cond)
	l.block(s.Then)
	l.block(s.Else)
	if s.ElseIf != nil {
		l.branches(s.ElseIf)
	}
}

func (l *lister) condition(e *syntax.Expr) {
	if e != nil && e.Node != nil {
		l.node(e.Node, true)
	}
}

func (l *lister) value(e *syntax.Expr) {
	if e != nil && e.Node != nil {
		l.node(e.Node, false)
	}
}

// node splits an expression into parts; flag means that it is used as a condition.
func (l *lister) node(n *expr.Node, flag bool) {
	leaf := func() { l.add(model.Part{Kind: model.PartCondition, Span: n.Span}) }
	switch n.Kind {
	case expr.Bool:
		return
	case expr.Unary:
		if n.Name == "!" {
			l.node(n.Args[0], true)
			return
		}
	case expr.Ternary:
		l.node(n.Args[0], true)
		l.node(n.Args[1], flag)
		l.node(n.Args[2], flag)
		return
	case expr.Binary:
		switch n.Name {
		case "&&", "||":
			l.node(n.Args[0], true)
			l.node(n.Args[1], true)
			return
		case "==", "!=":
			for i, a := range n.Args {
				if a.Kind == expr.Bool { // x == true becomes x
					l.node(n.Args[1-i], true)
					return
				}
			}
			flag = true
		case "<", "<=", ">", ">=", "in":
			flag = true
		}
	case expr.Builtin:
		switch n.Name {
		case "all", "any", "none":
			leaf()
			l.predicate(n)
			return
		case "count", "filter", "find":
			l.predicate(n)
			return
		}
	}
	if flag {
		leaf()
	}
	for _, a := range n.Args {
		l.node(a, false)
	}
}

// predicate lists the parts of a list and of the condition on its elements.
func (l *lister) predicate(n *expr.Node) {
	for i, a := range n.Args {
		l.node(a, i == 1)
	}
}
