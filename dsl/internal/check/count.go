package check

import (
	"cmp"
	"slices"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
)

// counts checks the counters for studies. Their clauses come after those of the rules.
func (c *checker) counts(entries []*book.Entry) {
	next := c.clauseCount()
	for _, e := range entries {
		c.in(e)
		d := e.Decl.Kind.Count
		c.goodName(d.Name)
		n := &model.Count{Name: d.Name.Text, Words: d.Words.String(), Span: d.Name.Span(c.file)}
		c.means(n.Span, index.Count, n.Name, n.Span, model.Type{})
		if d.Event == nil {
			c.push()
			var each *model.Local
			if d.Each != nil {
				each = c.local(d.Each, model.Of(model.Player))
			}
			v := c.value(d.Value)
			c.pop()
			if v == nil {
				continue
			}
			if v.Type != model.Of(model.Number) && v.Type != model.Of(model.Flag) {
				c.errorf("wrong-type", v.Span, "got %s, want a number to count", v.Type.With()).WithHint("the length of a list is len(…)")
				continue
			}
			if each != nil {
				c.eachPlayer(n, each, v)
				continue
			}
			n.Value = v
			c.rules.Counts = append(c.rules.Counts, n)
			continue
		}
		if d.Each != nil {
			c.errorf("out-of-place", d.Each.Span(c.file), "what happens is counted for the whole game, not for each player").
				WithHint("count it in a variable, var player NAME = 0, and write: count %s(player x) = x.NAME", n.Name)
			continue
		}
		c.push()
		x := &model.Clause{Kind: model.ClauseOn, Index: next, Span: c.span(d.At), Block: &model.Block{}}
		x.Rule = &model.Rule{Name: n.Name, Words: n.Words, Index: model.NoRule, Origin: e.Layer.Name, Span: n.Span}
		ok := c.event(d.Event, x)
		if ok {
			x.When, ok = c.when(d.When)
		}
		c.pop()
		if !ok || x.When != nil && x.When.IsConst(0) {
			continue
		}
		c.use.mark(x.Span, possible)
		n.Clause = x
		next++
		c.rules.Counts = append(c.rules.Counts, n)
	}
}

// countNamed is the value of a count in a test: of a count of players for the player that is the argument, or of that colour. found is false
// if there is no such count.
func (c *checker) countNamed(n *expr.Node) (e *model.Expr, found bool) {
	i := slices.IndexFunc(c.rules.Counts, func(x *model.Count) bool { return x.Called() == n.Name && !x.Span.IsZero() })
	if i < 0 || !c.where.test {
		return nil, false
	}
	x := c.rules.Counts[i]
	c.means(n.Word, index.Count, n.Name, x.Span, model.Of(model.Number))
	takes := 0
	if x.Each {
		takes = 1
	}
	switch args := c.nodes(n.Args); {
	case args == nil && len(n.Args) > 0:
		return nil, true
	case len(args) != takes:
		c.errorf("wrong-arguments", n.Span, "%q takes %s, got %d", n.Name, plural(takes, "argument"), len(args)).WithNote(x.Span, "declared here")
		return nil, true
	case x.Each:
		if args[0].Type == model.Of(model.Colour) {
			args[0] = &model.Expr{Op: model.OpField, Field: model.FieldPlayer, Type: model.Of(model.Player), Args: []*model.Expr{args[0]}, Span: args[0].Span}
		}
		if !c.wantEach(args, x.Value.Let.Params) {
			return nil, true
		}
		return &model.Expr{Op: model.OpCall, Type: x.Value.Type, Let: x.Value.Let, Args: args, Span: n.Span}, true
	case x.Value != nil:
		return x.Value, true
	}
	return readVar(c.counted(x), n.Span), true
}

// counted is the variable in which the rules of a test keep how often something has happened.
func (c *checker) counted(n *model.Count) *model.Var {
	if v := c.happened[n]; v != nil {
		return v
	}
	v := c.ownVar(model.Var{Name: "count " + n.Name, Scope: model.ScopeGame, Type: model.Of(model.Number), High: model.MaxNumber, Initial: []int{0}, Span: n.Span})
	x := *n.Clause
	one := model.Const(v.Type, 1, x.Span)
	x.Block = &model.Block{Stmts: []*model.Stmt{{Kind: model.StmtAssign, Assign: model.AssignAdd, Target: readVar(v, x.Span), Value: one, Span: x.Span}}}
	x.Index = c.clauseCount()
	x.Rule = &model.Rule{Name: n.Name, Words: n.Words, Index: len(c.rules.Rules), Origin: x.Rule.Origin, Span: n.Span, Clauses: []*model.Clause{&x}}
	c.rules.Rules = append(slices.Clip(c.rules.Rules), x.Rule)
	if c.happened == nil {
		c.happened = map[*model.Count]*model.Var{}
	}
	c.happened[n] = v
	return v
}

// worths counts what the wins of each player count, where that is not always 1. A count of the file of the same name goes before.
func (c *checker) worths() {
	worth := c.rules.Worth
	if worth == nil {
		return
	}
	declared := c.rules.Counts
	for seat, s := range c.rules.Seats {
		name := c.rules.Colours[s.Colours[0]].Name
		n := &model.Count{Name: "worth_" + name, Words: "what the wins of " + name + " count", Seat: seat, Worth: true}
		if slices.ContainsFunc(declared, func(x *model.Count) bool { return x.Name == n.Name }) {
			continue
		}
		number, flag := model.Of(model.Number), model.Of(model.Flag)
		player := model.Const(model.Of(model.Player), seat, n.Span)
		won := &model.Expr{Op: model.OpField, Field: model.FieldWon, Type: flag, Args: []*model.Expr{player}}
		counted := &model.Expr{Op: model.OpVar, Var: worth, Type: number}
		n.Value = &model.Expr{Op: model.OpIf, Type: number, Args: []*model.Expr{won, counted, model.Const(number, 0, n.Span)}}
		c.rules.Counts = append(c.rules.Counts, n)
	}
}

// eachPlayer makes a count of a value of each player: one for each of them.
func (c *checker) eachPlayer(n *model.Count, each *model.Local, v *model.Expr) {
	title := cmp.Or(n.Words, catalogue.Spaced(n.Name))
	let := &model.Let{Name: n.Name, Params: []*model.Local{each}, Body: v, Span: n.Span}
	for seat, s := range c.rules.Seats {
		name := c.rules.Colours[s.Colours[0]].Name
		of := []*model.Expr{model.Const(each.Type, seat, each.Span)}
		c.rules.Counts = append(c.rules.Counts, &model.Count{
			Name: n.Name + "_" + name, Words: title + ", " + name, Title: title, Each: true, Seat: seat, Span: n.Span,
			Value: &model.Expr{Op: model.OpCall, Type: v.Type, Let: let, Args: of, Span: v.Span},
		})
	}
}

// leads reports whether a let called lead has the right shape: a number for a player or a team.
func (c *checker) leads(l *model.Let) bool {
	if len(l.Params) != 1 || l.Body == nil || l.Body.Type != model.Of(model.Number) {
		return false
	}
	k := l.Params[0].Type
	return k == model.Of(model.Player) || k == model.Of(model.Team)
}
