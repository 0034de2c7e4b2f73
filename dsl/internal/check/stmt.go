package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// block checks a list of statements. A choose contains the rest of its block, because it may skip it, and a let, because it gives it a name.
func (c *checker) block(d *syntax.Block) *model.Block {
	c.push()
	defer c.pop()
	b := &model.Block{}
	c.stmts(d.Stmts, b)
	return b
}

func (c *checker) stmts(list []*syntax.Stmt, into *model.Block) {
	for i, d := range list {
		var s *model.Stmt
		if d.Step != nil {
			s = c.namedStep(d.Step, into)
		} else if s = c.stmt(d); s != nil {
			s.Span = d.Span(c.file)
			into.Stmts = append(into.Stmts, s)
		}
		if s == nil {
			continue
		}
		if d.Choose != nil || d.Let != nil {
			s.Then = &model.Block{}
			c.stmts(list[i+1:], s.Then)
			return
		}
		last := s.Kind == model.StmtEndTurn || s.Kind == model.StmtUndo || s.Kind == model.StmtFinish && s.Ending != model.EndRank && s.Ending != model.EndDrop
		if last && i+1 < len(list) {
			c.diags.Warnf("unreachable", list[i+1].Span(c.file), "nothing after %q is done", s.Span.Text())
		}
	}
}

// namedStep puts what a named step does into the block around it, as the last file that says something of it has it. It is the last
// of these statements, nil where there are none.
func (c *checker) namedStep(d *syntax.NamedStep, into *model.Block) *model.Stmt {
	if !c.where.turn {
		return noStmt(c.errorf("out-of-place", d.Name.Span(c.file), "named steps stand in the turn only"))
	}
	c.means(d.Name.Span(c.file), index.Step, d.Name.Text, d.Name.Span(c.file), model.Type{})
	file, entry, before := c.file, c.entry, len(into.Stmts)
	for _, where := range []string{"before step", "step", "after step"} {
		parts := of(c.steps, where, d.Name.Text)
		if where == "after step" {
			slices.Reverse(parts)
		}
		for _, e := range parts {
			c.file, c.entry = e.Decl.File, e
			into.Stmts = append(into.Stmts, c.block(e.Decl.Kind.Step.Block).Stmts...)
		}
	}
	c.file, c.entry = file, entry
	if len(into.Stmts) == before {
		return nil
	}
	return into.Stmts[len(into.Stmts)-1]
}

func (c *checker) stmt(d *syntax.Stmt) *model.Stmt {
	s := &model.Stmt{}
	switch {
	case d.If != nil:
		return c.ifStmt(d.If)
	case d.For != nil:
		return c.forStmt(d.For)
	case d.Let != nil:
		return c.letHere(d.Let)
	case d.Put != nil:
		if d.Put.Send {
			return c.pieceStmt(model.StmtPut, d.Put.Who, d.Put.Where, model.Place)
		}
		return c.pieceStmt(model.StmtPut, d.Put.Piece, d.Put.Place, model.Place)
	case d.Exchange != nil:
		return c.pieceStmt(model.StmtExchange, d.Exchange.First, d.Exchange.Second, model.Piece)
	case d.Give != nil:
		return c.pieceStmt(model.StmtGive, d.Give.Piece, d.Give.To, model.Colour)
	case d.Throw != nil:
		s.Kind, s.Dice = model.StmtThrow, c.diceNamed(d.Throw.Names)
		for i, die := range s.Dice {
			if die.Kind == model.DieChoice && len(s.Dice) > 1 {
				c.errorf("bad-throw", d.Throw.Names[i].Span(c.file), "%q is chosen; it is thrown alone", die.Name)
			}
		}
		if len(s.Dice) != len(d.Throw.Names) {
			return nil
		}
		outcomes := 1
		for _, die := range s.Dice {
			if outcomes *= max(1, len(die.Faces)); outcomes > 100000 {
				return noStmt(c.errorf("bad-throw", c.span(d.At), "this throw has more than 100000 outcomes"))
			}
		}
	case d.Play != nil:
		return c.play(d.Play)
	case d.Earn != nil:
		s.Kind = model.StmtEarn
		s.Value = c.want(c.value(d.Earn.Number), model.Of(model.Number))
		if d.Earn.With != nil {
			if s.Other = c.want(c.value(d.Earn.With), model.Of(model.Piece)); s.Other == nil {
				return nil
			}
		}
		if d.Earn.For != nil {
			if s.Other != nil {
				return noStmt(c.errorf("out-of-place", c.span(d.At), "a number is earned with a piece or for a player's next turn, not both").
					WithHint("choose one of them: earn %s for %s", short(d.Earn.Number.Span(c.file).Text()), short(d.Earn.For.Span(c.file).Text())))
			}
			if s.Other = c.want(c.value(d.Earn.For), model.Of(model.Player)); s.Other == nil {
				return nil
			}
			c.later()
		}
		if s.Value == nil {
			return nil
		}
	case d.Choose != nil:
		return c.choose(d.Choose)
	case d.Do != nil:
		return c.do(d.Do)
	case d.Again:
		s.Kind = model.StmtAgain
	case d.EndTurn, d.Undo:
		s.Kind = model.StmtEndTurn
		if d.Undo {
			s.Kind = model.StmtUndo
		}
		if c.where.setup || c.where.ends {
			return noStmt(c.errorf("out-of-place", c.span(d.At), "there is no turn to end here"))
		}
	case d.Finish != nil:
		s.Kind, s.Ending = model.StmtFinish, endings[d.Finish.Word]
		s.Value = c.value(d.Finish.Who)
		if s.Value == nil {
			return nil
		}
		if k := s.Value.Type.Kind; s.Value.Type.List || k != model.Player && k != model.Team && k != model.Colour {
			return noStmt(c.errorf("wrong-type", s.Value.Span, "got %s, want a player, a team or a colour", s.Value.Type.With()))
		}
		if d.Finish.Worth != nil {
			if s.Other = c.worth(d.Finish.Word, d.Finish.Worth); s.Other == nil {
				return nil
			}
		}
	case d.Over:
		s.Kind, s.Ending = model.StmtFinish, model.EndOver
	case d.Draw:
		s.Kind, s.Ending = model.StmtFinish, model.EndDraw
	case d.Assign != nil:
		return c.assign(d.Assign)
	default:
		name, _ := syntax.Variant(d)
		panic("the statement " + name + " is not checked")
	}
	return s
}

// pieceStmt is a statement of a piece and another value.
func (c *checker) pieceStmt(kind model.StmtKind, piece, other *syntax.Expr, k model.Kind) *model.Stmt {
	s := &model.Stmt{Kind: kind}
	s.Value = c.want(c.value(piece), model.Of(model.Piece))
	s.Other = c.want(c.value(other), model.Of(k))
	return sound(s.Value != nil && s.Other != nil, s)
}

// later makes the variables for numbers that are earned for the next turn of a player. No file can declare their names.
func (c *checker) later() {
	c.needed(&c.rules.Later, model.Var{
		Name: "earned later", Scope: model.ScopePlayer, Type: model.ListOf(model.Number), Queue: true, Low: -1 << 15, High: 1<<15 - 1,
	})
	c.needed(&c.rules.Taken, model.Var{Name: "earned before", Scope: model.ScopeTurn, Type: model.Of(model.Number), High: 1000, Initial: []int{0}})
}

func (c *checker) ifStmt(d *syntax.If) *model.Stmt {
	s := &model.Stmt{Kind: model.StmtIf, Value: c.flag(d.Cond)}
	s.Then = c.block(d.Then)
	switch {
	case d.Else != nil:
		s.Else = c.block(d.Else)
	case d.ElseIf != nil:
		if inner := c.ifStmt(d.ElseIf); inner != nil {
			inner.Span = d.ElseIf.Span(c.file)
			s.Else = &model.Block{Stmts: []*model.Stmt{inner}}
		}
	}
	return sound(s.Value != nil, s)
}

func (c *checker) forStmt(d *syntax.For) *model.Stmt {
	set := c.value(d.Set)
	c.push()
	defer c.pop()
	s := &model.Stmt{Kind: model.StmtFor, Value: set}
	t := model.Of(model.Invalid)
	if set != nil {
		t = set.Type.Elem()
		if !set.Type.List {
			c.errorf("wrong-type", set.Span, "got %s, want a list to go through", set.Type.With())
			set = nil
		}
	}
	s.Local = c.local(d.Name, t)
	s.Then = c.block(d.Body)
	return sound(set != nil, s)
}

// letHere checks a let in a block: it is a loop with one round.
func (c *checker) letHere(d *syntax.LetHere) *model.Stmt {
	v := c.value(d.Value)
	at, name := d.Name.Span(c.file), d.Name.Text
	switch {
	case v == nil:
	case v.Type.List:
		c.errorf("wrong-type", v.Span, "got %s, want one value", v.Type.With()).
			WithHint("a list gets a name outside the braces, and is worked out anew wherever that stands: let %s = %s", name+inputs(v), short(v.Span.Text()))
		v = nil
	case v.Type.Kind == model.Fraction:
		v = c.want(v, model.Of(model.Number))
	case v.Type.Kind == model.Nothing:
		c.errorf("wrong-type", v.Span, "nil alone says not of what kind %q is", name)
		v = nil
	case v.Type.Kind == model.Word || v.Type.Kind == model.Offer:
		d := c.errorf("wrong-type", v.Span, "got %s, want a number, a flag, a piece, a place, a colour, a player or a team", v.Type.With())
		if v.Type.Kind == model.Word {
			d.WithHint("an option is the same for the whole game: write its own name")
		}
		v = nil
	}
	t := model.Of(model.Invalid)
	if v != nil {
		t = v.Type
	}
	if name == "_" {
		c.errorf("bad-name", at, "a value is named to be used: _ stands for a name that is not used").WithHint("leave this line out, or give the value a name")
	}
	s := &model.Stmt{Kind: model.StmtFor, Local: c.local(d.Name, t)}
	if v == nil {
		return nil
	}
	s.Value = &model.Expr{Op: model.OpList, Type: model.ListOf(t.Kind), Args: []*model.Expr{v}, Span: v.Span}
	return s
}

// inputs writes the parameters that a let of an expression needs outside the block where it stands, "" if none.
func inputs(e *model.Expr) string {
	var list []string
	e.Walk(func(x *model.Expr) bool {
		if x.Op == model.OpLocal {
			list = append(list, x.Type.String()+" "+x.Local.Name)
		}
		return true
	})
	if list == nil {
		return ""
	}
	return "(" + strings.Join(seq.Distinct(list), ", ") + ")"
}

// playKinds are the words for the kinds of play.
var playKinds = map[string]model.PlayKind{"any": model.PlayAny, "each": model.PlayEach, "most": model.PlayMost, "all": model.PlayAll}

func (c *checker) play(d *syntax.Play) *model.Stmt {
	s := &model.Stmt{Kind: model.StmtPlay}
	if !c.where.turn {
		return noStmt(c.errorf("out-of-place", c.span(d.At), "play stands in the turn only").WithHint("a reaction earns a count: earn NUMBER"))
	}
	if d.Earned {
		s.Play = model.PlayEarned
		return s
	}
	s.Play = playKinds[d.How]
	if s.Apart = d.Apart; d.Apart && d.How == "" {
		c.errorf("out-of-place", c.span(d.At), "apart goes with several numbers").WithHint("write: play each of NUMBERS apart, or play any of NUMBERS apart")
		return nil
	}
	if d.How != "" && d.Number.Node != nil {
		return c.playLists(s, d.Number.Node)
	}
	v := c.value(d.Number)
	if v != nil && v.Type == model.ListOf(model.Number) {
		c.errorf("wrong-type", v.Span, "got a list of numbers, want a number").WithHint("write: play any of, each of, most of or all of %s", short(v.Span.Text())).
			WithFix(c.file.Span(v.Span.Start, v.Span.Start), "any of ", "play any of them").
			WithFix(c.file.Span(v.Span.Start, v.Span.Start), "each of ", "play each of them")
		return nil
	}
	s.Value = c.want(v, model.Of(model.Number))
	return sound(s.Value != nil, s)
}

// playLists types the numbers of a play: a list, or several joined by or. Those of a bag are taken out when they are counted.
func (c *checker) playLists(s *model.Stmt, n *expr.Node) *model.Stmt {
	lists := []*expr.Node{n}
	for lists[0].Kind == expr.Binary && lists[0].Name == "||" {
		lists = append(append([]*expr.Node{lists[0].Args[0]}, lists[0].Args[1]), lists[1:]...)
	}
	ok := true
	for _, n := range lists {
		v := c.want(c.node(n), model.ListOf(model.Number))
		if v == nil {
			ok = false
			continue
		}
		bag := v
		if v.Op == model.OpCall && len(v.Args) == 0 {
			bag = v.Let.Body
		}
		switch {
		case copies(v) == v:
		case len(lists) > 1 || bag.Op != model.OpSet:
			c.errorf("wrong-type", v.Span, "a bag is played by its own name, and by itself")
			ok = false
		default:
			s.Target, v = bag, bag
			c.use.mark(bag.Var.Span, written)
		}
		s.Args = append(s.Args, v)
	}
	if !ok {
		return nil
	}
	s.Value, s.Args = s.Args[0], s.Args[1:]
	return s
}

func (c *checker) choose(d *syntax.Choose) *model.Stmt {
	s := &model.Stmt{Kind: model.StmtChoose, Words: d.Words.String()}
	s.None = d.None
	if d.From == nil {
		span, flag := d.Target.Span(c.file), model.Of(model.Flag)
		yesNo := []*model.Expr{model.Const(flag, 1, span), model.Const(flag, 0, span)}
		s.Value = &model.Expr{Op: model.OpList, Type: model.ListOf(model.Flag), Args: yesNo, Span: span}
	} else if or := d.From.Node; or != nil && or.Kind == expr.Binary && or.Name == "||" && slices.Contains(decliners, or.Args[1].Name) {
		c.errorf("unknown-name", or.Args[1].Span, "there is no %q here", or.Args[1].Name).WithHint("the player may decline where the choice says: or none").
			WithFix(or.Args[1].Span, "none", "write: or none")
		c.node(or.Args[0])
	} else {
		s.Value = c.value(d.From)
	}
	if d.By != nil {
		if s.Other = c.want(c.value(d.By), model.Of(model.Player)); s.Other == nil {
			return nil
		}
	}
	t := model.Of(model.Invalid)
	if s.Value != nil {
		t = s.Value.Type.Elem()
		if !s.Value.Type.List || t.Kind == model.Nothing || t.Kind == model.Offer || t.Kind == model.Word {
			d := c.errorf("wrong-type", s.Value.Span, "got %s, want a list to choose from", s.Value.Type.With())
			switch of := short(s.Value.Span.Text()); s.Value.Type {
			case model.ListOf(model.Word):
				d.WithHint("choose a number, and say in the question what it means: choose n \"1 low, 2 high?\" from 1..2; or ask for yes or no: choose high \"High?\"")
			case model.Of(model.Number):
				d.WithHint("a list of numbers is written 1..%s, or [1, 3]", of)
			case model.Of(model.Place):
				d.WithHint("%s.pieces are the pieces there", of)
			}
			s.Value = nil
		}
	}
	names := d.Target.Names
	if len(names) == 1 && c.vars[names[0].Text] == nil {
		s.Local = c.local(names[0], t)
	} else {
		s.Target = c.target(d.Target)
		if s.Target == nil || s.Value == nil || c.want(s.Value, model.ListOf(s.Target.Type.Kind)) == nil {
			return nil
		}
		if s.None && s.Target.Var.Secret {
			return noStmt(c.errorf("out-of-place", c.span(d.At), "what is secret cannot be declined: all would see it").WithHint("leave out: or none"))
		}
	}
	return sound(s.Value != nil, s)
}

// decliners are what people call none of the candidates.
var decliners = []string{"nobody", "nothing", "noone", "nil", "null", "pass", "no"}

// target resolves the target of an assignment.
func (c *checker) target(d *syntax.Target) *model.Expr {
	node := &expr.Node{Kind: expr.Name, Name: d.Names[0].Text, Span: d.Names[0].Span(c.file), Word: d.Names[0].Span(c.file)}
	for _, n := range d.Names[1:] {
		node = &expr.Node{Kind: expr.Field, Name: n.Text, Args: []*expr.Node{node}, Span: node.Span.To(n.Span(c.file)), Word: n.Span(c.file)}
	}
	// An assignment is not a use: a variable that is only assigned is reported as never read.
	last := d.Names[len(d.Names)-1].Text
	looked := map[source.Span]bool{}
	for _, v := range append([]*model.Var{c.vars[last]}, c.fields[last]...) {
		if v != nil {
			looked[v.Span] = c.use.is(v.Span, used)
		}
	}
	c.assigned = node
	e := c.node(node)
	c.assigned = nil
	if e == nil {
		return nil
	}
	if e.Var != nil && e.Var == c.rules.Carried {
		c.errorf("not-a-variable", e.Span, "\"carried\" is what a move takes along; it cannot be given a value").WithHint("a move says what it takes along: carrying")
		return nil
	}
	if e.Var != nil && e.Var == c.rules.Throws {
		return noExpr(c.errorf("not-a-variable", e.Span, "\"throws\" counts the throws of the turn; it cannot be given a value").
			WithHint("a variable of the same name has the value you give it: var turn throws = 0"))
	}
	if e.Var != nil {
		c.use.mark(e.Var.Span, written)
		if !looked[e.Var.Span] {
			c.use.marks[e.Var.Span] &^= used
		}
	}
	if e.Op != model.OpVar && !(e.Op == model.OpSet && e.Set == model.SetVar) {
		d := c.errorf("not-a-variable", e.Span, "%q is not a variable; it cannot be given a value", short(e.Span.Text()))
		switch name := e.Span.Text(); {
		case c.options[name] != nil:
			d.WithHint("an option is the same for the whole game: declare a variable, var game NAME = %s", name)
		case c.dice[name] != nil:
			d.WithHint("a die is thrown: throw %s", name)
		case e.Op == model.OpLocal:
			d.WithHint("a name keeps its value to the end of its block; what changes is a variable: var turn NAME")
		case e.Op == model.OpField && e.Field == model.FieldColour && e.Args[0].Type.Kind == model.Piece:
			d.WithHint("a piece changes hands with give %s to COLOUR", strings.TrimSuffix(name, ".colour"))
		case e.Op == model.OpField && e.Field == model.FieldAt:
			d.WithHint("a piece is moved with put %s on PLACE or send %s to PLACE", strings.TrimSuffix(name, ".at"), strings.TrimSuffix(name, ".at"))
		}
		return nil
	}
	return e
}

func (c *checker) assign(d *syntax.Assign) *model.Stmt {
	target := c.target(d.Target)
	v := c.value(d.Value)
	if target == nil || v == nil {
		return nil
	}
	s := &model.Stmt{Kind: model.StmtAssign, Target: target, Value: v}
	switch d.Op {
	case "+=":
		s.Assign = model.AssignAdd
	case "-=":
		s.Assign = model.AssignSub
	}
	want := target.Type
	switch {
	case s.Assign == model.AssignSet:
	case want.List && !v.Type.List:
		want = want.Elem()
	case !want.List && want.Kind != model.Number:
		return noStmt(c.errorf("wrong-type", c.span(d.At), "%s goes with numbers, sets and bags, not with %s", d.Op, want.With()))
	}
	if c.want(v, want) == nil {
		return nil
	}
	if want.List && target.Var.Bag {
		s.Value = copies(v)
	}
	if target.Var.Type.Kind == model.Number && !target.Type.List && v.Op == model.OpConst && s.Assign == model.AssignSet && (v.Int < target.Var.Low || v.Int > target.Var.High) {
		return noStmt(c.errorf("bad-number", v.Span, "%d does not lie in %d..%d", v.Int, target.Var.Low, target.Var.High).WithNote(target.Var.Span, "declared here"))
	}
	return s
}

func (c *checker) do(d *syntax.Do) *model.Stmt {
	a := c.acts[d.Name.Text]
	if a == nil && c.tookAway(d.Name.Span(c.file), d.Name.Text, "act") {
		return nil
	}
	if a == nil {
		known := seq.Map(c.rules.Acts, func(x *model.Act) string { return x.Name })
		diagnostic := c.errorf("unknown-act", d.Name.Span(c.file), "there is no act %q", d.Name.Text)
		if c.book.Renamed(diagnostic, d.Name.Text) {
			return nil
		}
		hint := ""
		if c.moves[d.Name.Text] != nil {
			hint = fmt.Sprintf("%q is a move; a rule offers it: may %s(…)", d.Name.Text, d.Name.Text)
		}
		diagnostic.Suggest(d.Name.Text, known, "%s", hint)
		return nil
	}
	c.used(a.Span)
	c.means(d.Name.Span(c.file), index.Act, a.Name, a.Span, model.Type{})
	s := &model.Stmt{Kind: model.StmtDo, Act: a}
	if len(d.Args) != len(a.Params) {
		return noStmt(c.errorf("wrong-arguments", c.span(d.At), "act %q takes %s, got %d", a.Name, plural(len(a.Params), "argument"), len(d.Args)).
			WithNote(a.Span, "declared here"))
	}
	s.Args = seq.Map(d.Args, c.value)
	return sound(c.wantEach(s.Args, a.Params), s)
}
