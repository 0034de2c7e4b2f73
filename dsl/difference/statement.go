package difference

import (
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/syntax"
)

// block adds the statements of a block, in braces.
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
	case s.Put != nil && s.Put.Send:
		p.add(depth, same("send", "put")+" "+p.of(s.Put.Who)+" "+same("to", "on")+" "+p.of(s.Put.Where))
	case s.Put != nil:
		p.add(depth, "put "+p.of(s.Put.Piece)+" on "+p.of(s.Put.Place))
	case s.Exchange != nil:
		p.add(depth, "exchange "+p.of(s.Exchange.First)+", "+p.of(s.Exchange.Second))
	case s.Throw != nil:
		var dice []string
		for _, n := range s.Throw.Names {
			dice = append(dice, named("bare", n.Text))
		}
		p.add(depth, "throw "+strings.Join(dice, ", "))
	case s.Play != nil:
		p.play(depth, s.Play)
	case s.Earn != nil:
		text := "earn " + p.of(s.Earn.Number)
		if s.Earn.With != nil {
			text += " with " + p.of(s.Earn.With)
		}
		p.add(depth, text)
	case s.Choose != nil:
		p.choose(depth, s.Choose)
	case s.Do != nil:
		var args []string
		for _, a := range s.Do.Args {
			args = append(args, p.of(a))
		}
		p.add(depth, "do "+named("act", s.Do.Name.Text)+"("+strings.Join(args, ", ")+")")
	case s.EndTurn:
		p.add(depth, "end turn")
	case s.Undo:
		p.add(depth, "undo turn")
	case s.Finish != nil:
		p.add(depth, s.Finish.Word+" "+p.of(s.Finish.Who))
	case s.Assign != nil:
		p.add(depth, p.target(s.Assign.Target)+" "+s.Assign.Op+" "+p.of(s.Assign.Value))
	case s.Again:
		p.add(depth, "again")
	case s.Over:
		p.add(depth, "over")
	}
}

// same is a word with the one that means the same and stands for both.
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

func (p *printer) play(depth int, s *syntax.Play) {
	switch {
	case s.Earned:
		p.add(depth, "play earned")
	case s.How != "":
		p.add(depth, "play "+s.How+" of "+p.of(s.Number))
	default:
		p.add(depth, "play "+p.of(s.Number))
	}
}

func (p *printer) choose(depth int, s *syntax.Choose) {
	tail := ""
	if s.Words != nil {
		tail += " " + strconv.Quote(s.Words.String())
	}
	tail += " from " + p.of(s.From)
	if s.By != nil {
		tail += " by " + p.of(s.By)
	}
	n := s.Target.Names[0]
	target := p.target(s.Target)
	if _, known := p.find(n.Text); len(s.Target.Names) == 1 && !known && !p.declares("name", n.Text) {
		target = p.local(n) // a new name, for the rest of the block
	}
	p.add(depth, "choose "+target+tail)
}

func (p *printer) target(t *syntax.Target) string {
	text := p.value(t.Names[0].Text)
	for _, n := range t.Names[1:] {
		text += "." + named("field", n.Text)
	}
	return text
}
