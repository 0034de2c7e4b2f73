package difference

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// declaration prints an entry in canonical form: a rule as one unit per clause, anything else as one unit. An
// entry has one die: those that are declared together are printed one by one.
func (p *printer) declaration(e *book.Entry) []*unit {
	if r := e.Decl.Kind.Rule; r != nil {
		return p.rule(r, e.If)
	}
	p.begin()
	var sides []*syntax.Side
	switch k := e.Decl.Kind; {
	case k.Board != nil:
		p.board(k.Board)
	case k.Players != nil:
		p.add(0, "players "+p.of(k.Players.Count))
		p.tail("of", k.Players.Of)
	case k.Seats != nil:
		p.add(0, "seats "+number(k.Seats.Count))
		sides = k.Seats.Sides
	case k.Teams != nil:
		p.add(0, "teams")
		sides = k.Teams.Sides
	case k.Turns != nil:
		p.add(0, "turns")
		if k.Turns.By != "" {
			p.glue(1, "by colour")
		}
		p.tail("to", k.Turns.To)
	case k.Pieces != nil:
		p.add(0, "pieces "+p.of(k.Pieces.Count)+" at "+k.Pieces.Place.Text)
	case k.First != nil:
		p.first(k.First)
	case k.Dice != nil:
		p.add(0, "dice "+named("bare", k.Dice.Names[0].Text)+" = "+p.device(k.Dice.Device))
	case k.Var != nil:
		p.variable(k.Var)
	case k.Secret != nil:
		p.add(0, "secret "+named("field", k.Secret.Name.Text))
	case k.Let != nil:
		head := "let " + named("bare", k.Let.Name.Text)
		if len(k.Let.Params) > 0 {
			head += "(" + p.params(k.Let.Params) + ")"
		}
		p.add(0, head+" =")
		p.condition("", k.Let.Value)
	case k.Act != nil:
		p.add(0, "act "+named("act", k.Act.Name.Text)+"("+p.params(k.Act.Params)+")")
	case k.Turn != nil, k.Setup != nil:
		p.add(0, e.Decl.Head().Word)
	case k.Step != nil:
		p.add(0, e.Decl.Head().Word+" "+named("step", k.Step.Name.Text))
	case k.Move != nil:
		p.move(k.Move)
	case k.Count != nil:
		p.count(k.Count)
	default:
		kind, _ := syntax.Variant(k)
		panic("the declaration " + kind + " is not written")
	}
	p.conditions(e.If)
	if sides != nil {
		p.sides(sides)
	}
	p.block(0, e.Decl.Head().Block)
	return []*unit{p.unit}
}

func (p *printer) board(b *syntax.Board) {
	head := "board " + b.Name.Text
	if len(b.Parameters) > 0 {
		params := seq.Map(b.Parameters, func(x *syntax.Param) string { return x.Name.Text + " = " + p.of(x.Value) })
		head += "(" + strings.Join(params, ", ") + ")"
	}
	p.add(0, head)
	if b.Track != nil {
		p.glue(1, "track "+b.Track.Text)
	}
}

func (p *printer) first(f *syntax.First) {
	switch {
	case f.How != "":
		dice := seq.Map(f.Dice, func(n *syntax.Name) string { return named("bare", n.Text) })
		p.add(0, "first "+f.How+" "+strings.Join(dice, ", "))
	case f.Lot:
		p.add(0, "first lot")
	case f.Last != "":
		p.add(0, "first "+f.Last)
	default:
		p.add(0, "first "+f.Name.Text)
	}
}

func (p *printer) variable(v *syntax.Var) {
	kind := "field"
	if v.Scope == "game" || v.Scope == "turn" || v.Scope == "go" {
		kind = "bare"
	}
	text := "var " + v.Scope + " " + named(kind, v.Name.Text)
	if v.Type != nil {
		text += ": " + p.typeOf(v.Type)
	}
	if v.Value != nil {
		text += " = " + p.of(v.Value)
	}
	p.add(0, text)
}

func (p *printer) move(m *syntax.Move) {
	binds := seq.Map(m.Binds, func(b *syntax.Bind) string {
		set := p.of(b.Set)
		return p.local(b.Name) + " in " + set
	})
	p.add(0, "move "+named("move", m.Name.Text)+"("+strings.Join(binds, ", ")+")")
	p.tail("from", m.From)
	p.tail("to", m.To)
	p.tail("walk", m.Walk)
	if m.Stay {
		p.glue(1, "stay")
	}
	p.tail("carrying", m.Carrying)
}

func (p *printer) rule(r *syntax.Rule, conds []*book.Cond) []*unit {
	var out []*unit
	if len(conds) > 0 {
		p.begin()
		p.conditions(conds)
		p.unit.parts[0].depth = 0
		out = append(out, p.unit)
	}
	for _, c := range r.Clauses {
		p.begin()
		p.clause(c)
		out = append(out, p.unit)
	}
	return out
}

func (p *printer) clause(c *syntax.Clause) {
	switch {
	case c.May != nil:
		p.add(0, "may "+p.pattern(c.May.Pattern))
		p.tail("by", c.May.By)
		p.ends(c.May.To)
		switch c.May.Against {
		case "despite":
			p.glue(1, "despite duties")
		case "otherwise":
			p.glue(1, "otherwise")
		}
		p.condition("when", c.May.When)
	case c.Must != nil:
		if c.Must.Word == "must" {
			p.unit.order = "duties"
		}
		p.add(0, c.Must.Word+" "+p.pattern(c.Must.Pattern))
		p.ends(c.Must.To)
		for _, like := range c.Must.Or {
			p.glue(1, "or "+p.pattern(like.Pattern))
			p.ends(like.To)
		}
		p.condition("when", c.Must.When)
	case c.Step != nil:
		p.step(c.Step)
	case c.React != nil:
		var event string
		event, p.unit.order = p.event(c.React.Event)
		p.add(0, c.React.Word+" "+event)
		p.condition("when", c.React.When)
		p.block(0, c.React.Block)
	case c.Ending != nil:
		p.unit.order = "endings"
		head := "over"
		switch {
		case c.Ending.Draw:
			head = "draw"
		case !c.Ending.Over:
			head = c.Ending.Word + " " + c.Ending.Scope + " " + p.local(c.Ending.Name)
		}
		p.add(0, head)
		p.tail("counting", c.Ending.Worth)
		p.condition("when", c.Ending.When)
	case c.Always != nil:
		p.add(0, "always")
		p.condition("", c.Always)
	default:
		kind, _ := syntax.Variant(c)
		panic("the clause " + kind + " is not written")
	}
}

func (p *printer) pattern(x *syntax.Pattern) string {
	return named("move", x.Name.Text) + "(" + p.arguments(x.Args) + ")"
}

func (p *printer) ends(to *syntax.Name) {
	if to != nil {
		p.glue(1, "to "+p.local(to))
	}
}

func (p *printer) step(s *syntax.Step) {
	head := "step beyond"
	switch {
	case s.Into != nil:
		head = "step into " + p.local(s.Into)
	case s.End != nil:
		head = "end on " + p.local(s.End)
	}
	if s.First != "bar" {
		p.unit.order = "verdicts" // one bar is enough, whatever else is said
	}
	verdict := s.First
	if s.Second != "" {
		verdict += " or " + s.Second
	}
	p.add(0, head+": "+verdict)
	p.condition("when", s.When)
}

// count prints a counter; counters have no order.
func (p *printer) count(k *syntax.Count) {
	head := "count " + named("count", k.Name.Text)
	if k.Each != nil {
		head += "(player " + p.local(k.Each) + ")"
	}
	if k.Event == nil {
		p.add(0, head+" =")
		p.condition("", k.Value)
	} else {
		event, _ := p.event(k.Event)
		p.add(0, head+" on "+event)
		p.condition("when", k.When)
	}
}

// event prints an event, and returns the group of reactions to it, which run in order.
func (p *printer) event(e *syntax.Event) (head, order string) {
	switch {
	case e.Turn != "":
		head = "turn " + e.Turn
		order = "reactions to turn " + e.Turn
	case e.Game != "":
		head = "game " + e.Game
		order = "reactions to game " + e.Game
	case e.Name.Text == "throw":
		head = "throw"
		dice := seq.Map(e.Args, func(n *syntax.Name) string { return named("bare", n.Text) })
		if len(dice) > 0 {
			head += "(" + strings.Join(dice, ", ") + ")"
		}
		order = "reactions to throw"
	default:
		kind := "act"
		if !p.declares("act", e.Name.Text) {
			kind = "move"
		}
		head = named(kind, e.Name.Text)
		if e.Call {
			head += "(" + p.arguments(e.Args) + ")"
		}
		order = "reactions to " + e.Name.Text
		if kind == "move" && (e.Name.Text == "move" || p.declares("move", e.Name.Text)) {
			order = "reactions to moves"
		}
	}
	if e.From != nil {
		head += " from " + p.local(e.From)
	}
	if e.To != nil {
		head += " to " + p.local(e.To)
	}
	return head, order
}

// declares reports whether the book declares a name of a kind.
func (p *printer) declares(kind, name string) bool {
	return slices.ContainsFunc(p.book.Entries, func(e *book.Entry) bool { return e.Key.Kind == kind && e.Declares(name) })
}
