package check

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// define checks all expressions and statements.
func (c *checker) define(entries []*book.Entry) {
	c.steps = slices.DeleteFunc(slices.Clone(entries), func(e *book.Entry) bool { return e.Decl.Kind.Step == nil })
	for _, e := range entries { // heads first, because clauses refer to them
		c.in(e)
		switch k := e.Decl.Kind; {
		case k.Move != nil:
			c.move(k.Move)
		case k.Act != nil:
			c.actHead(k.Act)
		case k.Dice != nil && k.Dice.Device.Choice != nil:
			list := c.want(c.value(k.Dice.Device.Choice), model.ListOf(model.Number))
			for _, n := range k.Dice.Names {
				c.dice[n.Text].Choice = list
			}
		}
	}
	for _, e := range entries {
		c.in(e)
		switch k := e.Decl.Kind; {
		case k.Act != nil:
			c.actBody(k.Act)
		case k.Let != nil:
			if entry := c.lets[k.Let.Name.Text]; entry != nil && entry.let == nil {
				was := c.use.marks[e.NameSpan()]
				if n := k.Let.Value.Node; n != nil {
					c.let(entry, n)
				}
				c.use.marks[e.NameSpan()] = was // that is no use of it
			}
		case k.Rule != nil:
			c.rule(e)
		case k.Setup != nil:
			if c.rules.Setup != nil {
				c.errorf("declared-twice", declSpan(e), "there are two setups in this setting")
			}
			c.where.setup = true
			c.rules.Setup = c.block(k.Setup.Block)
		case k.Turn != nil:
			c.where.turn = true
			c.rules.Turn = c.block(k.Turn.Block)
			if len(c.rules.Turn.Stmts) == 0 && c.book.Whole && !c.diags.HasErrors() {
				c.errorf("no-turn", declSpan(e), "the turn is empty: it would go round the table for ever").WithHint("write: turn { throw die; play die }")
			}
		case k.First != nil:
			c.first(k.First)
		case k.Turns != nil && k.Turns.To != nil:
			c.turnsTo(k.Turns.To)
		}
	}
	c.counts(of(entries, "count", "*"))
	c.worths()
	if entry := c.lets["lead"]; entry != nil && entry.let != nil && c.leads(entry.let) {
		c.rules.Lead = entry.let
		c.used(entry.entry.NameSpan())
	}
	if c.rules.Lead == nil && c.rules.Owner != nil {
		c.rules.Lead = c.ownLead()
	}
	if entry := c.lets["mine"]; entry != nil && entry.let != nil {
		c.rules.Mine = entry.let
		if len(entry.let.Params) > 0 || entry.let.Body == nil || entry.let.Body.Type != model.ListOf(model.Piece) {
			c.errorf("wrong-type", entry.let.Span, "mine is a list of pieces, without parameters")
		}
		c.used(entry.entry.NameSpan())
	}
}

// turnsTo types whose turn comes next.
func (c *checker) turnsTo(e *syntax.Expr) {
	kind := model.Player
	if c.rules.TurnsByColour {
		kind = model.Colour
	}
	c.rules.TurnsTo = c.want(c.value(e), model.Of(kind))
}

func (c *checker) move(d *syntax.Move) {
	m := c.moves[d.Name.Text]
	c.push()
	defer c.pop()
	for _, b := range d.Binds {
		set := c.value(b.Set)
		if set != nil && (!set.Type.List || set.Type.Kind == model.Offer || set.Type.Kind == model.Nothing) {
			c.errorf("wrong-type", set.Span, "got %s, want a list for %q to range over", set.Type.With(), b.Name.Text)
			set = nil
		}
		if set == nil {
			c.local(b.Name, model.Of(model.Invalid))
			m.Params = append(m.Params, nil)
			continue
		}
		m.Sets = append(m.Sets, set)
		m.Params = append(m.Params, c.local(b.Name, set.Type.Elem()))
	}
	if len(m.Params) > 4 {
		c.errorf("too-large", m.Span, "a move has at most four parameters")
	}
	if slices.Contains(m.Params, nil) {
		return
	}
	walker := func() *model.Expr {
		if len(m.Params) == 0 || m.Params[0].Type != model.Of(model.Piece) {
			return noExpr(c.errorf("no-piece", m.Span, "the first parameter of move %q must be the piece it moves", m.Name).
				WithHint("write: move %s(p in mine) …", m.Name))
		}
		return &model.Expr{Op: model.OpLocal, Local: m.Params[0], Type: model.Of(model.Piece), Span: m.Span}
	}
	if d.From != nil {
		if p := walker(); p != nil {
			at := &model.Expr{Op: model.OpField, Field: model.FieldAt, Type: model.Of(model.Place), Args: []*model.Expr{p}, Span: d.From.Span(c.file)}
			m.From = c.fromCondition(d.From, at)
		}
	}
	switch {
	case d.To != nil:
		m.Kind, m.Where = model.MoveTo, c.want(c.value(d.To), model.Of(model.Place))
	case d.Walk != nil:
		m.Kind, m.Where = model.MoveWalk, c.want(c.value(d.Walk), model.Of(model.Number))
	case d.Stay:
		m.Kind = model.MoveStay
	}
	if m.Kind != model.MoveNothing && d.From == nil {
		walker()
	}
	if d.Carrying != nil {
		m.Carrying = c.want(c.value(d.Carrying), model.ListOf(model.Piece))
		if m.Kind != model.MoveTo && m.Kind != model.MoveWalk {
			c.errorf("out-of-place", c.span(d.Carrying.At), "only a move that goes somewhere carries pieces along").
				WithHint("give it a to PLACE or a walk STEPS")
		}
	}
}

// fromCondition is the condition that follows from the "from" of a move.
func (c *checker) fromCondition(e *syntax.Expr, at *model.Expr) *model.Expr {
	span := e.Span(c.file)
	if strings.TrimSpace(span.Text()) == "squares" {
		return &model.Expr{Op: model.OpField, Field: model.FieldSquare, Type: model.Of(model.Flag), Args: []*model.Expr{at}, Span: span}
	}
	v := c.value(e)
	if v == nil {
		return nil
	}
	switch v.Type {
	case model.Of(model.Place):
		return &model.Expr{Op: model.OpEq, Type: model.Of(model.Flag), Args: []*model.Expr{at, v}, Span: span}
	case model.ListOf(model.Place):
		return &model.Expr{Op: model.OpIn, Type: model.Of(model.Flag), Args: []*model.Expr{at, v}, Span: span}
	}
	return noExpr(c.errorf("wrong-type", v.Span, "got %s, want a place, a list of places, or the word squares", v.Type.With()))
}

func (c *checker) actHead(d *syntax.Act) {
	a := c.acts[d.Name.Text]
	c.push()
	for _, p := range d.Params {
		t, _ := c.paramType(p.Type)
		if t.List {
			c.errorf("wrong-type", p.Type.Span(c.file), "an act takes plain values, not lists")
		}
		a.Params = append(a.Params, c.local(p.Name, t))
	}
	c.pop()
}

func (c *checker) actBody(d *syntax.Act) {
	a := c.acts[d.Name.Text]
	c.push()
	for _, p := range a.Params {
		c.scopes[len(c.scopes)-1][p.Name] = p
	}
	c.where.carries = true
	a.Block = c.block(d.Block)
	c.pop()
}

func (c *checker) first(d *syntax.First) {
	f := &c.rules.First
	switch {
	case d.Lot:
		f.Kind = model.FirstLot
	case d.Last == "loser":
		f.Kind = model.FirstLoser
	case d.Last == "winner":
		f.Kind = model.FirstWinner
	case d.How != "":
		f.Kind = model.FirstHighest
		if d.How == "lowest" {
			f.Kind = model.FirstLowest
		}
		f.Dice = c.diceNamed(d.Dice)
		for i, die := range f.Dice {
			if die.Kind == model.DieChoice {
				bad := c.errorf("bad-first", d.Dice[i].Span(c.file), "%q is chosen, not thrown; it cannot say who begins", die.Name)
				if c.file != c.book.Top().File.Source {
					bad.WithHint("add: replace first lot")
				} else {
					bad.WithHint("write: first lot").WithFix(c.span(d.At), "first lot", "let the lot decide")
				}
			}
		}
		if len(f.Dice) > 0 && !slices.ContainsFunc(f.Dice, func(die *model.Die) bool { return len(die.Faces) != 1 }) {
			c.errorf("bad-first", c.span(d.At), "all players throw the same number: no player could ever begin").
				WithHint("write: first lot").WithFix(c.span(d.At), "first lot", "let the lot decide")
		}
	default:
		i := c.colour(d.Name.Text)
		if i < 0 {
			c.errorf("unknown-colour", d.Name.Span(c.file), "there is no colour %q in this game", d.Name.Text).
				WithHint("write: first highest DIE, first lowest DIE, first lot, or first COLOUR")
			return
		}
		c.meansColour(d.Name.Span(c.file), d.Name.Text)
		f.Kind, f.Seat = model.FirstSeat, c.rules.Colours[i].Seat
	}
}

func (c *checker) diceNamed(names []*syntax.Name) []*model.Die {
	var out []*model.Die
	for _, n := range names {
		d := c.dice[n.Text]
		if d == nil {
			if c.spoilt[n.Text] || c.tookAway(n.Span(c.file), n.Text) {
				continue
			}
			known := seq.Map(c.rules.Dice, func(x *model.Die) string { return x.Name })
			hint := "declare it: dice " + n.Text + " = d6"
			if len(known) > 0 {
				hint = "there is: " + strings.Join(known, ", ")
			}
			c.errorf("unknown-name", n.Span(c.file), "there is no die %q", n.Text).Suggest(n.Text, known, "%s", hint)
			continue
		}
		if slices.Contains(out, d) {
			c.errorf("declared-twice", n.Span(c.file), "%q is listed twice", n.Text)
			continue
		}
		c.used(d.Span)
		c.means(n.Span(c.file), index.Die, n.Text, d.Span, model.Of(model.Number))
		out = append(out, d)
	}
	return out
}

var verdicts = map[string]model.Verdict{"": model.NoVerdict, "go": model.VerdictGo, "bar": model.VerdictBar, "turn": model.VerdictTurn, "stop": model.VerdictStop, "back": model.VerdictBack}
