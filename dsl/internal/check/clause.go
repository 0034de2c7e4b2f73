package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// rule checks a rule's clauses.
func (c *checker) rule(e *book.Entry) {
	d := e.Decl.Kind.Rule
	c.goodName(d.Name)
	c.means(d.Name.Span(c.file), index.Rule, d.Name.Text, d.Name.Span(c.file), model.Type{})
	r := &model.Rule{Name: d.Name.Text, Index: len(c.rules.Rules), Words: d.Words.String(), Origin: e.Layer.Name, Span: d.Name.Span(c.file)}
	r.Cites = append(d.Cites.IDs(), e.Decl.Cites.IDs()...)
	c.rules.Rules = append(c.rules.Rules, r)
	for _, clause := range d.Clauses {
		c.scopes, c.elems, c.where = nil, nil, context{}
		c.push()
		x := c.clause(clause)
		if x == nil || x.When.IsConst(0) {
			continue
		}
		x.Cites, x.Span, x.Rule, x.Index = clause.Cites.IDs(), clause.Span(c.file), r, c.clauseCount()
		c.use.mark(x.Span, possible)
		for _, y := range x.Or {
			y.Cites, y.Span, y.Rule, y.Index = x.Cites, x.Span, x.Rule, x.Index
		}
		r.Clauses = append(r.Clauses, x)
	}
}

func (c *checker) clauseCount() int {
	return seq.Sum(c.rules.Rules, func(r *model.Rule) int { return len(r.Clauses) })
}

// listedTwice warns of numbers that a list has twice, in each of its cases.
func (c *checker) listedTwice(e *model.Expr) {
	switch {
	case e == nil || !e.Type.List:
	case e.Op == model.OpIf:
		c.listedTwice(e.Args[1])
		c.listedTwice(e.Args[2])
	case e.Op == model.OpList:
		for i, a := range e.Args {
			if a.Op == model.OpConst && slices.ContainsFunc(e.Args[:i], func(b *model.Expr) bool { return b.IsConst(a.Int) }) {
				c.diags.Warnf("declared-twice", a.Span, "%d is in the list twice", a.Int)
			}
		}
	}
}

// clause checks one clause; nil after a fault.
func (c *checker) clause(d *syntax.Clause) *model.Clause {
	x := &model.Clause{}
	var ok bool
	switch {
	case d.May != nil:
		x.Kind = model.ClauseMay
		if !c.pattern(d.May.Pattern, x, false) {
			return nil
		}
		c.used(x.Move.Span)
		c.destination(d.May.To, x)
		x.Despite, x.Otherwise = d.May.Against == "despite", d.May.Against == "otherwise"
		x.When, ok = c.when(d.May.When)
		if d.May.By != nil {
			x.By = c.value(d.May.By)
			if x.By != nil && (x.By.Type.Kind != model.Number) {
				c.errorf("wrong-type", x.By.Span, "got %s, want a number or a list of numbers", x.By.Type.With())
				return nil
			}
			c.listedTwice(x.By)
			ok = ok && x.By != nil
		}
	case d.Must != nil:
		x.Kind = model.ClauseMust
		if d.Must.Word == "never" {
			x.Kind = model.ClauseNever
		}
		if len(d.Must.Or) > 0 {
			ok = c.likes(d.Must, x)
			break
		}
		if !c.pattern(d.Must.Pattern, x, true) {
			return nil
		}
		c.destination(d.Must.To, x)
		x.When, ok = c.when(d.Must.When)
	case d.Step != nil:
		ok = c.step(d.Step, x)
	case d.React != nil:
		ok = c.react(d.React, x)
	case d.Ending != nil:
		ok = c.ending(d.Ending, x)
	case d.Always != nil:
		x.Kind = model.ClauseAlways
		x.When = c.flag(d.Always)
		ok = x.When != nil
	}
	return sound(ok, x)
}

// sound is a part of the rules if it is fine, nil after a fault in it.
func sound[T any](fine bool, part *T) *T {
	if !fine {
		return nil
	}
	return part
}

// likes checks a duty that is content with several kinds of option. A part of the condition that uses a name which only some of them
// have concerns these alone.
func (c *checker) likes(d *syntax.Must, x *model.Clause) bool {
	if x.Kind == model.ClauseNever {
		c.errorf("out-of-place", c.span(d.Or[0].At), "never forbids one kind of option").WithHint("write a line for each: never %s", short(c.span(d.Or[0].At).Text()))
		return false
	}
	all := append([]*syntax.Like{{At: d.Pattern.At, Pattern: d.Pattern, To: d.To}}, d.Or...)
	var parts []*expr.Node
	if d.When != nil && d.When.Node != nil {
		parts = d.When.Node.Operands("&&")
	}
	bound := map[string]bool{}
	for _, like := range all {
		maps.Copy(bound, boundBy(like))
	}
	var out []*model.Clause
	fine, said := true, make([]bool, len(parts))
	for _, like := range all {
		y := &model.Clause{Kind: model.ClauseMust}
		c.push()
		if !c.pattern(like.Pattern, y, true) {
			c.pop()
			fine = false
			continue
		}
		c.destination(like.To, y)
		own, holds := boundBy(like), true
		for i, part := range parts {
			if slices.ContainsFunc(namesIn(part), func(name string) bool { return bound[name] && !own[name] }) {
				continue
			}
			said[i] = true
			switch e := c.want(c.node(part), model.Of(model.Flag)); {
			case e == nil:
				fine = false
			case e.IsConst(0):
				holds = false
			case e.IsConst(1):
			case y.When == nil:
				y.When = e
			default:
				y.When = &model.Expr{Op: model.OpAnd, Type: e.Type, Args: []*model.Expr{y.When, e}, Span: y.When.Span.To(e.Span)}
			}
		}
		c.pop()
		if holds {
			out = append(out, y)
		}
	}
	for i, part := range parts {
		if !said[i] {
			c.errorf("unknown-name", part.Span, "none of these options has all the names of this condition").
				WithHint("a part of the condition speaks of the options that have its names")
			fine = false
		}
	}
	if len(out) == 0 {
		x.When = flagConst(false, c.span(d.At))
		return fine
	}
	*x = *out[0]
	x.Or = out[1:]
	return fine
}

// boundBy is the names that a kind of option has.
func boundBy(like *syntax.Like) map[string]bool {
	out := map[string]bool{}
	for _, n := range like.Pattern.Args {
		out[n.Text] = n.Text != "_"
	}
	if like.To != nil {
		out[like.To.Text] = like.To.Text != "_"
	}
	return out
}

// namesIn lists the bare names of an expression.
func namesIn(n *expr.Node) []string {
	out := seq.Flat(n.Args, namesIn)
	if n.Kind == expr.Name {
		out = append(out, n.Name)
	}
	return out
}

// pattern binds the parameters of a move pattern. any allows move(p), which matches every move of a piece.
func (c *checker) pattern(p *syntax.Pattern, x *model.Clause, any bool) bool {
	if any && p.Name.Text == "move" {
		if len(p.Args) != 1 {
			return wrong(c.errorf("wrong-arguments", p.Span(c.file), "move(p) has one parameter, the piece"))
		}
		c.means(p.Name.Span(c.file), index.Event, p.Name.Text, source.Span{}, model.Type{})
		x.Params = []*model.Local{c.local(p.Args[0], model.Of(model.Piece))}
		return true
	}
	m := c.moves[p.Name.Text]
	if m == nil && c.tookAway(p.Name.Span(c.file), p.Name.Text, "move") {
		return false
	}
	if m == nil {
		known := seq.Map(c.rules.Moves, func(x *model.Move) string { return x.Name })
		d := c.errorf("unknown-move", p.Name.Span(c.file), "there is no move %q", p.Name.Text)
		switch {
		case c.book.Renamed(d, p.Name.Text):
		case p.Name.Text == "move":
			d.WithHint("name the move that may be made")
		case len(known) > 0:
			d.Suggest(p.Name.Text, known, "there is: %s", strings.Join(known, ", "))
		}
		return false
	}
	x.Move = m
	c.means(p.Name.Span(c.file), index.Move, m.Name, m.Span, model.Type{})
	return c.args(p.Args, m.Params, x, p.Span(c.file), "move "+m.Name)
}

func (c *checker) args(names []*syntax.Name, params []*model.Local, x *model.Clause, span source.Span, what string) bool {
	if len(names) != len(params) {
		d := c.errorf("wrong-arguments", span, "%s has %s, got %d", what, plural(len(params), "parameter"), len(names))
		if of := seq.Map(seq.Filter(params, func(p *model.Local) bool { return p != nil }), typedName); len(of) > 0 {
			d.WithHint("it has: %s; write _ for one that does not matter", strings.Join(of, ", "))
		}
		return false
	}
	for i, n := range names {
		t := model.Of(model.Invalid)
		if params[i] != nil {
			t = params[i].Type
		}
		x.Params = append(x.Params, c.local(n, t))
	}
	return true
}

// typedName is the name of a parameter behind its type.
func typedName(p *model.Local) string { return p.Type.String() + " " + p.Name }

func (c *checker) destination(n *syntax.Name, x *model.Clause) {
	if n != nil {
		x.To = c.local(n, model.Of(model.Place))
	}
}

// step checks a clause that gives a verdict on a step. p is the name of the walking piece.
func (c *checker) step(d *syntax.Step, x *model.Clause) bool {
	c.where.step = true
	x.Params = []*model.Local{c.local(&syntax.Name{At: d.At, Text: walker}, model.Of(model.Piece))}
	switch {
	case d.Beyond:
		x.Kind = model.ClauseBeyond
	case d.Into != nil:
		x.Kind = model.ClauseStep
		x.To = c.local(d.Into, model.Of(model.Place))
	default:
		x.Kind = model.ClauseEnd
		x.To = c.local(d.End, model.Of(model.Place))
	}
	x.First, x.Second = verdicts[d.First], verdicts[d.Second]
	if x.First == model.VerdictBack && x.Kind != model.ClauseEnd {
		return wrong(c.errorf("bad-verdict", c.span(d.At), "back judges where a walk ends").WithHint("write: end on s: back, or: stop"))
	}
	if x.Second != model.NoVerdict && (x.First == x.Second || x.First == model.VerdictBack || x.First == model.VerdictBar || x.Second == model.VerdictBar) {
		return wrong(c.errorf("bad-verdict", c.span(d.At), "%s or %s is no choice", d.First, d.Second).WithHint("two of go, turn and stop can be joined by or"))
	}
	if x.Kind == model.ClauseBeyond && (x.First == model.VerdictGo || x.Second == model.VerdictGo) {
		return wrong(c.errorf("bad-verdict", c.span(d.At), "there is nowhere to go beyond the end of the track").WithHint("use bar, turn or stop"))
	}
	var ok bool
	x.When, ok = c.when(d.When)
	return ok
}

// endings are the words for the endings of a side.
var endings = map[string]model.EndingKind{"win": model.EndWin, "rank": model.EndRank, "drop": model.EndDrop}

func (c *checker) ending(d *syntax.Ending, x *model.Clause) bool {
	x.Kind, x.Ending = model.ClauseEnding, endings[d.Word]
	switch scope := slices.Index(model.ScopeNames[:], d.Scope); {
	case scope >= 0:
		x.Scope = model.Scope(scope)
		x.Params = []*model.Local{c.local(d.Name, model.Of(x.Scope.Owner()))}
	case d.Draw:
		x.Ending = model.EndDraw
	default:
		x.Ending = model.EndOver
	}
	if d.Worth != nil {
		if x.By = c.worth(d.Word, d.Worth); x.By == nil {
			return false
		}
	}
	x.When = c.flag(d.When)
	return x.When != nil
}

// worth checks what a win counts. It is kept in a variable of the engine's own, and counted for each player in studies of the game.
func (c *checker) worth(word string, d *syntax.Expr) *model.Expr {
	if word != "win" {
		c.errorf("out-of-place", c.span(d.At), "only a win counts a number, %s does not", word).WithHint("leave out: counting %s", short(c.span(d.At).Text()))
		return nil
	}
	v := c.want(c.value(d), model.Of(model.Number))
	switch {
	case v == nil:
		return nil
	case v.Op == model.OpConst && (v.Int < 1 || v.Int > maxWorth):
		return noExpr(c.errorf("bad-number", v.Span, "a win counts a number from 1 to %d, got %d", maxWorth, v.Int))
	case c.rules.Worth == nil:
		c.rules.Worth = c.ownVar(model.Var{Name: "worth", Scope: model.ScopeTurn, Type: model.Of(model.Number), Low: 1, High: maxWorth, Initial: []int{1}})
	}
	return v
}

// maxWorth is the most that a win can count.
const maxWorth = 1000

// react checks an on or before clause.
func (c *checker) react(d *syntax.React, x *model.Clause) bool {
	x.Kind = model.ClauseOn
	if d.Word == "before" {
		x.Kind = model.ClauseBefore
	}
	if !c.event(d.Event, x) {
		return false
	}
	c.where.before = x.Kind == model.ClauseBefore && x.Event == model.EventMove
	c.where.ends, c.where.carries = x.Event == model.EventTurnEnds, x.Kind == model.ClauseOn
	var ok bool
	x.When, ok = c.when(d.When)
	x.Block = c.block(d.Block)
	if x.Event == model.EventGameEnds {
		ok = c.afterTheGame(d.Block.Stmts) && ok
	}
	return ok
}

// afterTheGame checks that a block does nothing but change variables.
func (c *checker) afterTheGame(list []*syntax.Stmt) bool {
	for _, d := range list {
		switch {
		case d.Assign != nil, d.Let != nil:
		case d.For != nil:
			if !c.afterTheGame(d.For.Body.Stmts) {
				return false
			}
		case d.If != nil:
			for f := d.If; f != nil; f = f.ElseIf {
				if !c.afterTheGame(f.Then.Stmts) || f.Else != nil && !c.afterTheGame(f.Else.Stmts) {
					return false
				}
			}
		default:
			return wrong(c.errorf("out-of-place", c.span(d.At), "the game is over here: only variables can change"))
		}
	}
	return true
}

func (c *checker) event(d *syntax.Event, x *model.Clause) bool {
	before := x.Kind == model.ClauseBefore
	noSquares := func() bool {
		if d.From != nil || d.To != nil {
			return wrong(c.errorf("out-of-place", c.span(d.At), "from and to do not go with this event"))
		}
		return true
	}
	if d.Turn != "" {
		x.Event = model.EventTurnBegins
		if d.Turn == "ends" {
			x.Event = model.EventTurnEnds
		}
		return noSquares() && c.onlyOn(before, d)
	}
	if d.Game != "" {
		x.Event = model.EventGameEnds
		return noSquares() && c.onlyOn(before, d)
	}
	name, word := d.Name.Text, d.Name.Span(c.file)
	shape, ofEngine := events[name]
	switch m := c.moves[name]; {
	case name == "throw":
		x.Event = model.EventThrow
		c.means(word, index.Event, name, source.Span{}, model.Type{})
		if d.Call {
			x.Dice = c.diceNamed(d.Args)
			if len(x.Dice) != len(d.Args) {
				return false
			}
		}
		return noSquares() && c.onlyOn(before, d)
	case name == "move" || m != nil && (!ofEngine || d.Call && len(d.Args) == len(m.Params)):
		x.Event = model.EventMove
		ok := c.pattern(&syntax.Pattern{At: d.At, Name: d.Name, Args: d.Args}, x, true)
		if d.From != nil {
			return wrong(c.errorf("out-of-place", d.From.Span(c.file), "from goes with step only"))
		}
		if ok {
			c.destination(d.To, x)
		}
		return ok
	case c.acts[name] != nil:
		x.Event, x.Act = model.EventAct, c.acts[name]
		c.used(x.Act.Span)
		c.means(word, index.Act, name, x.Act.Span, model.Type{})
		return noSquares() && c.args(d.Args, x.Act.Params, x, c.span(d.At), "act "+name)
	}
	if !ofEngine {
		known := syntax.Texts(syntax.EventWord)
		known = slices.AppendSeq(known, maps.Keys(c.moves))
		known = slices.AppendSeq(known, maps.Keys(c.acts))
		if c.tookAway(d.Name.Span(c.file), name, "move", "act") {
			return false
		}
		diagnostic := c.errorf("unknown-event", d.Name.Span(c.file), "there is no move, act or event %q", name)
		if c.book.Renamed(diagnostic, name) {
			return false
		}
		diagnostic.Suggest(name, sorted(known),
			"events of the language: throw, move, leave, depart, step, pass, turned, land, stuck, turn begins, turn ends, game ends, drop, rank")
		return false
	}
	if !c.onlyOn(before, d) {
		return false
	}
	x.Event, x.Zones = shape.kind, name == "depart"
	c.means(word, index.Event, name, source.Span{}, model.Type{})
	if len(d.Args) != len(shape.params) {
		of := seq.Map(shape.params, func(p model.Kind) string { return "a " + p.String() })
		fault := c.errorf("wrong-arguments", c.span(d.At), "%s has %s, got %d", name, plural(len(shape.params), "parameter"), len(d.Args))
		if len(of) > 0 {
			fault.WithHint("give names to %s; write _ for one that does not matter", strings.Join(of, " and "))
		}
		return false
	}
	for i, n := range d.Args {
		x.Params = append(x.Params, c.local(n, model.Of(shape.params[i])))
	}
	if (d.From != nil) != shape.ends || (d.To != nil) != shape.ends {
		if shape.ends {
			return wrong(c.errorf("wrong-arguments", c.span(d.At), "step names both places").WithHint("write: step(p) from a to b"))
		}
		return noSquares()
	}
	if shape.ends {
		x.Params = append(x.Params, c.local(d.From, model.Of(model.Place)), c.local(d.To, model.Of(model.Place)))
	}
	return true
}

func (c *checker) onlyOn(before bool, d *syntax.Event) bool {
	if before {
		at := c.span(d.At)
		word := len(strings.TrimRight(c.file.Text()[:at.Start], " \t")) - len("before")
		return wrong(c.errorf("out-of-place", at, "before goes with moves and acts").WithHint("write on instead").
			WithFix(c.file.Span(word, word+len("before")), "on", "write on instead"))
	}
	return true
}
