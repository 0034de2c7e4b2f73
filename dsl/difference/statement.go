package difference

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/syntax"
)

func (p *printer) block(depth int, b *syntax.Block) {
	if b == nil {
		return
	}
	p.open()
	defer p.close()
	p.unit.parts = append(p.unit.parts, part{text: "{", depth: depth, glue: true, brace: true})
	from := len(p.unit.parts)
	for _, s := range b.Stmts {
		p.statement(depth+1, s)
	}
	short := len(b.Stmts) == 0 || len(b.Stmts) == 1 && b.Stmts[0].If == nil && b.Stmts[0].For == nil
	if short {
		for i := from; i < len(p.unit.parts); i++ {
			p.unit.parts[i].glue = true
		}
	}
	p.unit.parts = append(p.unit.parts, part{text: "}", depth: depth, glue: short, brace: true})
}

func (p *printer) statement(depth int, s *syntax.Stmt) {
	switch {
	case s.If != nil:
		p.branch(depth, "if", s.If)
	case s.For != nil:
		set := p.of(s.For.Set)
		p.open()
		p.add(depth, "for "+p.local(s.For.Name)+" in "+set)
		p.block(depth, s.For.Body)
		p.close()
	case s.Let != nil: // its name is in scope until the end of the block
		value := p.of(s.Let.Value)
		p.add(depth, "let "+p.local(s.Let.Name)+" = "+value)
	case s.Put != nil && s.Put.Send:
		p.add(depth, same("send", "put")+" "+p.of(s.Put.Who)+" "+same("to", "on")+" "+p.of(s.Put.Where))
	case s.Step != nil:
		p.namedStep(depth, s.Step)
	default: // the others hold no blocks
		p.add(depth, syntax.Written(s, p.part))
	}
}

// namedStep writes a step of the turn as the book has it, with what stands before and after it.
func (p *printer) namedStep(depth int, n *syntax.NamedStep) {
	name := n.Name.Text
	head := func(word string) { p.add(depth, word+" "+named("step", name)) }
	write := func(word string) (found bool) {
		for _, e := range p.book.Entries {
			if e.Key.Kind == word && e.Key.Name == name {
				head(word)
				p.conditions(e.If)
				p.block(depth, e.Decl.Kind.Step.Block)
				found = true
			}
		}
		return found
	}
	write("before step")
	gone := slices.ContainsFunc(p.book.Removed, func(r *book.Removal) bool { return r.Entry.Key == book.Key{Kind: "step", Name: name} })
	if !write("step") && !gone {
		head("step")
		p.block(depth, n.Block)
	}
	write("after step")
}

// same marks a spelling and its canonical form.
func same(written, meant string) string { return sameOpen + written + sameMiddle + meant + sameClose }

func (p *printer) branch(depth int, word string, s *syntax.If) {
	p.add(depth, word+" "+p.of(s.Cond))
	p.block(depth, s.Then)
	switch {
	case s.ElseIf != nil:
		p.branch(depth, "else if", s.ElseIf)
	case s.Else != nil:
		p.add(depth, "else")
		p.block(depth, s.Else)
	}
}

// part prints a node below a statement without blocks; ok is false if the grammar prints it.
func (p *printer) part(parent, node any) (text string, ok bool) {
	switch n := node.(type) {
	case *syntax.Expr:
		return p.of(n), true
	case *syntax.Target:
		if _, choice := parent.(*syntax.Choose); choice && p.fresh(n) {
			return p.local(n.Names[0]), true // until the end of the block
		}
		return p.target(n), true
	case *syntax.Text:
		return strconv.Quote(n.String()), true
	case *syntax.Cites:
		return "", true
	case *syntax.Name:
		switch parent.(type) {
		case *syntax.Throw:
			return named("bare", n.Text), true
		case *syntax.Do:
			return named("act", n.Text), true
		}
		panic(fmt.Sprintf("nothing says what a name of a %T stands for", parent))
	}
	return "", false
}

// fresh reports whether a choice declares the name of its target.
func (p *printer) fresh(t *syntax.Target) bool {
	name := t.Names[0].Text
	_, known := p.find(name)
	return len(t.Names) == 1 && !known && !p.declares("name", name)
}

func (p *printer) target(t *syntax.Target) string {
	text := p.value(t.Names[0].Text)
	for _, n := range t.Names[1:] {
		text += "." + named("field", n.Text)
	}
	return text
}
