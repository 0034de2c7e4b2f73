package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// main is the whole game: the starting player, the setup, then the loop of turns.
func (c *compiler) main() *ir.Proc {
	p := &ir.Proc{Name: "game"}
	p.Body = ir.Seq(p.Body, c.starter(), c.setup())
	turn := ir.NewLoop()
	body := ir.Seq(&ir.Stmt{Op: ir.Place, Mark: c.turnBegin}, c.resetVars(model.ScopeTurn))
	if c.layout.Keeps || c.reacts(model.EventTurnBegins) { // otherwise the procedure begins before anything reads them
		body = append(body, c.resetVars(model.ScopeGo)...)
	}
	body = ir.Seq(body, only(c.layout.Keeps, native(code.Snapshot)), c.takeLater(),
		c.raise(procKey{event: model.EventTurnBegins, outer: true}))
	run := ir.NewLoop()
	again := cell(code.CellAgain)
	goes := ir.Seq(setCell(code.CellAgain, ir.K(0)), c.resetVars(model.ScopeGo))
	count := c.tick()
	if len(c.rules.Turn.Stmts) > 0 {
		count = c.from(c.rules.Turn.Stmts[0].Span, count)
	}
	goes = ir.Seq(goes, count, c.block(c.rules.Turn, &env{}, true), ir.BreakIf(ir.Op2(ir.Eq, again, ir.K(0)), run))
	body = ir.Seq(body, ir.LoopOf(run, goes), &ir.Stmt{Op: ir.Place, Mark: c.turnEnd}, c.ending(),
		native(code.ClearTurn), passTurn(c.turnTo()))
	turns := ir.LoopOf(turn, body)
	if s := c.rules.Turn.Stmts; len(s) > 0 { // a cycle of turns without a node is reported at the first line of the turn
		turns.Site = c.site(s[0].Span)
	}
	p.Body = append(p.Body, turns, &ir.Stmt{Op: ir.Place, Mark: c.over})
	over := c.over
	if ends := c.raise(procKey{event: model.EventGameEnds}); len(ends) > 0 { // raised once, however often the machine continues from the node after it
		over = &ir.Mark{Name: "result"}
		p.Body = ir.Seq(p.Body, ends, &ir.Stmt{Op: ir.Place, Mark: over})
	}
	p.Body = append(p.Body, &ir.Stmt{Op: ir.Suspend, K: int(code.NodeOver)}, &ir.Stmt{Op: ir.Jump, Mark: over})
	return p
}

// setup runs the setup of the game, then checks the endings. If the starting player is out then, the next one begins.
func (c *compiler) setup() ir.Body {
	c.unbegun = true
	out := ir.Seq(setCell(code.CellPlays, ir.K(code.SettingUp)),
		c.outsideTurn(func() ir.Body { return c.block(c.rules.Setup, &env{}, false) }), c.checkOutside(c.endings()))
	c.unbegun = false
	out = append(out, native(code.ClearTurn))
	if c.removes() {
		gone := ir.Op2(ir.Ne, at(ir.CellAt, c.layout.Status, cell(code.CellMe)), ir.K(code.Playing))
		out = append(out, ir.When(gone, passTurn(c.nextTurn()), nil)...)
	}
	return out
}

// ending lowers the end of a turn: a check of the endings, then the reactions, each followed by another check.
func (c *compiler) ending() ir.Body {
	out := ir.Seq(c.noMove(), c.nothingCarried()) // the move may have been interrupted
	if c.playsMost() {                            // no number can be used after the turn
		out = append(out, native(code.MostEnds))
	}
	if c.leavesHand() {
		out = append(out, c.handBack()...)
	}
	out = append(out, c.checkOutside(c.atTurnEnd())...)
	for _, x := range c.clausesFor(procKey{event: model.EventTurnEnds}) {
		body := ir.Body{c.fire(x)}
		if !slices.Contains(c.counts, x) {
			body = ir.Seq(body, c.outsideTurn(func() ir.Body {
				return ir.Body{{Op: ir.Call, Proc: &ir.Proc{Name: "turn ends", Body: c.block(x.Block, &env{}, false)}}}
			}), c.checkOutside(c.affected(c.writes(x.Block))))
		}
		out = append(out, ir.When(c.noteAsked(x, c.condition(x, &env{})), body, nil)...)
	}
	return out
}

// outsideTurn emits code that runs while no turn does. A statement that ends the turn only ends this code.
func (c *compiler) outsideTurn(of func() ir.Body) ir.Body {
	end := &ir.Mark{Name: "end outside turns"}
	defer func(was *ir.Mark) { c.endTurn = was }(c.endTurn)
	if c.breaks() {
		c.endTurn = end
	}
	out := of()
	if len(out) == 0 {
		return nil
	}
	if c.endTurn == end {
		out = append(out, &ir.Stmt{Op: ir.Place, Mark: end})
		if c.reacts(model.EventLeave) {
			out = append(out, c.handBack()...)
		}
	}
	return out
}

// playsMost reports whether the turn has a play that looks ahead, to use as many numbers as possible.
func (c *compiler) playsMost() bool {
	return seq.Any(c.rules.Turn.All(), func(s *model.Stmt) bool { return s.Kind == model.StmtPlay && s.Play.LooksAhead() })
}

// checkOutside checks endings while no turn runs. If a reaction interrupts the check, it starts again.
func (c *compiler) checkOutside(list []*ending) ir.Body {
	if !c.breaks() || !c.reacts(model.EventRank) && !c.reacts(model.EventDrop) {
		return c.checkGiven(list, false, checkOutsideTurn)
	}
	if len(list) == 0 {
		return nil
	}
	loop := ir.NewLoop()
	return ir.Body{ir.LoopOf(loop, c.outsideTurn(func() ir.Body {
		return ir.Seq(c.checkGiven(c.endings(), false, checkOutsideTurn), ir.BreakTo(loop))
	}))}
}

// breaks reports whether an act or a reaction may end the turn.
func (c *compiler) breaks() bool {
	return slices.ContainsFunc(c.rules.Acts, func(a *model.Act) bool { return endsTurn(a.Block) }) ||
		slices.ContainsFunc(c.clauses(model.ClauseOn, model.ClauseBefore), func(x *model.Clause) bool { return endsTurn(x.Block) })
}

// handBack puts the pieces in the hand back to where they came from, after an interrupted move.
func (c *compiler) handBack() ir.Body {
	l := c.layout
	back := c.upTo(0, l.Pieces, func(p *ir.Expr) ir.Body {
		return ir.When(c.inHand(p), native(code.SetDown, p, at(ir.CellAt, l.At, p), at(ir.CellAt, l.Node, p)), nil)
	})
	if !c.masked() {
		return back
	}
	return ir.When(ir.Op2(ir.Ne, derived(code.DerivedHand), ir.K(0)), back, nil)
}

// passTurn calls a procedure that passes the turn, nextTurn or turnTo.
func passTurn(body ir.Body) *ir.Stmt {
	return &ir.Stmt{Op: ir.Call, Proc: &ir.Proc{Name: "next turn", Body: body}}
}

// resetVars stores the initial values of the variables of a scope.
func (c *compiler) resetVars(scope model.Scope) ir.Body {
	var out ir.Body
	for i, v := range c.rules.Vars {
		if v.Scope != scope {
			continue
		}
		s := c.slots[i]
		if s.Words == 0 {
			out = append(out, setCell(s.Cell, ir.K(v.Initial[0])))
			continue
		}
		words := make([]int16, s.Words)
		for _, n := range v.Initial {
			s.Put(words, 1, n)
		}
		for w, word := range words {
			out = append(out, setCell(s.Cell+w, ir.K(int(word))))
		}
	}
	return out
}

// turnTo passes the turn to whom the rules say comes next, if that one is still in the game, or else to the next one in the order.
func (c *compiler) turnTo() ir.Body {
	if c.rules.TurnsTo == nil {
		return c.nextTurn()
	}
	to := local("to")
	playing, give := c.turnOf(to)
	return ir.Seq(ir.Assign(to, c.expr(c.rules.TurnsTo, &env{})),
		ir.When(ir.AndAlso(ir.Op2(ir.Le, ir.K(0), ir.Get(to)), playing), give, c.nextTurn()))
}

// turnOf says whether a player, or colour with turns by colour, is still in the game, and gives it the turn.
func (c *compiler) turnOf(x *ir.Local) (playing *ir.Expr, give ir.Body) {
	player := ir.Get(x)
	give = ir.Body{setCell(code.CellMe, player)}
	if c.rules.TurnsByColour {
		player = at(ir.Table, c.tables.colourPlayer, ir.Get(x))
		give = ir.Body{setCell(code.CellMe, player), setCell(code.CellColour, ir.Get(x))}
	}
	return ir.Op2(ir.Eq, at(ir.CellAt, c.layout.Status, player), ir.K(code.Playing)), give
}

// nextTurn passes the turn to the next player, or colour, still in the game.
func (c *compiler) nextTurn() ir.Body {
	if !c.plain {
		next := &ir.Expr{Op: ir.NextTurn, K: code.Truth(c.rules.TurnsByColour)}
		return ir.When(ir.Negate(next), c.gameOver(ir.K(-1), false), nil)
	}
	n, current := c.layout.Players, code.CellMe
	if c.rules.TurnsByColour {
		n, current = c.layout.Colours, code.CellColour
	}
	i, x := local("i"), local("x")
	found := ir.NewBlock()
	body := ir.Seq(
		set(i, 1), ir.Assign(x, cell(current)),
		countUntil(i, ir.Op2(ir.Lt, ir.K(n), ir.Get(i)), func(*ir.Expr) ir.Body {
			step := ir.Seq(increment(x), ir.When(ir.Op2(ir.Le, ir.K(n), ir.Get(x)), set(x, 0), nil))
			playing, give := c.turnOf(x)
			return append(step, ir.When(playing, append(give, ir.BreakTo(found)), nil)...)
		}),
	)
	// No player is left: the game is over, without a winner.
	body = append(body, c.gameOver(ir.K(-1), false)...)
	return ir.Body{ir.BlockOf(found, body)}
}

// starter finds the starting player. CellMe holds a seat fixed by the caller, or -1.
func (c *compiler) starter() ir.Body {
	me := cell(code.CellMe)
	f := c.rules.First
	var find ir.Body
	switch {
	case f.Kind == model.FirstSeat:
		find = ir.Body{setCell(code.CellMe, ir.K(f.Seat))}
	case f.Kind == model.FirstLot || f.Kind == model.FirstLoser || f.Kind == model.FirstWinner || len(f.Dice) == 0:
		c.prog.Throws = append(c.prog.Throws, code.Throw{Lot: true})
		find = ir.Body{{Op: ir.Suspend, K: int(code.NodeThrow), Low: len(c.prog.Throws) - 1}}
	default:
		find = c.throwForStart(f)
	}
	out := ir.When(ir.Op2(ir.Lt, me, ir.K(0)), find, nil)
	if c.rules.TurnsByColour {
		out = append(out, setCell(code.CellColour, c.firstColour()))
	}
	return out
}

// firstColour is the first colour of the player in turn.
func (c *compiler) firstColour() *ir.Expr {
	t := c.tables.coloursOfPlayer
	x := at(ir.Table, t.start, cell(code.CellMe))
	if !t.run {
		x = at(ir.Table, 0, x)
	}
	return x
}

// throwForStart lets all players throw. Those with equal best throws throw again among themselves.
func (c *compiler) throwForStart(f model.First) ir.Body {
	t := code.Throw{Start: true}
	sum := ir.K(0)
	for _, d := range f.Dice {
		t.Dice = append(t.Dice, d.Index)
		sum = ir.Op2(ir.Add, sum, cell(c.layout.Dice+d.Index))
	}
	c.prog.Throws = append(c.prog.Throws, t)
	site := len(c.prog.Throws) - 1
	in, best, bestOf, next, rounds := local("in"), local("best"), local("of"), local("next"), local("count")
	i, score := local("i"), local("score")
	bit := &ir.Expr{Op: ir.Shl, A: ir.K(1), B: ir.Get(i)}
	loop := ir.NewLoop()
	better := ir.Op2(ir.Lt, ir.Get(best), ir.Get(score))
	if f.Kind == model.FirstLowest {
		better = ir.Op2(ir.Lt, ir.Get(score), ir.Get(best))
	}
	body := ir.Seq(
		set(best, 0), set(next, 0), set(rounds, 0), set(i, 0), set(score, 0), set(bestOf, 0),
		countLoop(i, ir.K(c.layout.Players), func(*ir.Expr) ir.Body {
			throw := ir.Body{
				setCell(code.CellMe, ir.Get(i)),
				{Op: ir.Suspend, K: int(code.NodeThrow), Low: site},
				ir.Assign(score, sum),
			}
			leads := ir.Body{ir.Assign(best, ir.Get(score)), ir.Assign(next, bit), set(rounds, 1), ir.Assign(bestOf, ir.Get(i))}
			ties := ir.Body{ir.Assign(next, &ir.Expr{Op: ir.Or, A: ir.Get(next), B: bit}), increment(rounds)}
			throw = append(throw, &ir.Stmt{Op: ir.If, A: ir.OrElse(is(rounds, 0), better), Body: leads,
				Else: ir.When(ir.Op2(ir.Eq, ir.Get(score), ir.Get(best)), ties, nil)})
			return ir.When(&ir.Expr{Op: ir.And, A: &ir.Expr{Op: ir.Shr, A: ir.Get(in), B: ir.Get(i)}, B: ir.K(1)}, throw, nil)
		}),
		ir.Assign(in, ir.Get(next)), ir.BreakIf(is(rounds, 1), loop),
	)
	return ir.Body{
		{Op: ir.Declare, Local: bestOf}, set(in, 1<<c.layout.Players-1), ir.LoopOf(loop, body),
		setCell(code.CellMe, ir.Get(bestOf)),
	}
}

// checks adds the entries that evaluate positions: always clauses, ranked players, and the conditions of scenarios.
func (c *compiler) checks() {
	value := func(e *ir.Expr) int { return c.value("value", e) }
	for _, x := range c.clauses(model.ClauseAlways) {
		a := Always{Clause: x, Entry: value(c.noteAsked(x, c.expr(x.When, &env{}))), Place: -1}
		if w := x.When; w.Op == model.OpAll && w.Args[0].Type.Kind == model.Place {
			wrong := &model.Expr{Op: model.OpNot, Type: w.Type, Args: []*model.Expr{w.Args[1]}, Span: w.Span}
			find := &model.Expr{Op: model.OpFind, Type: model.Of(model.Place), Args: []*model.Expr{w.Args[0], wrong}, Span: w.Span}
			c.withoutNotes(func() { a.Place = value(c.expr(find, &env{})) })
		}
		c.unit.Always = append(c.unit.Always, a)
	}
	c.unit.Ranked = -1
	ranked := ir.K(0)
	for _, x := range c.clauses(model.ClauseEnding) {
		if x.Ending == model.EndRank && x.Scope == model.ScopePlayer {
			c.withoutNotes(func() { ranked = ir.OrElse(ranked, c.expr(x.When, (&env{}).with(x.Params[0], cell(code.CellP0)))) })
		}
	}
	if ranked.Op != ir.Const {
		c.unit.Ranked = value(ranked)
	}
	if c.notes != nil {
		c.notes.tests = true
		defer func() { c.notes.tests, c.notes.asked = false, nil }()
	}
	moves := false
	for _, t := range c.rules.Tests {
		for _, l := range t.Lines {
			moves = moves || l.Kind == model.ExpectMoves || l.Kind == model.ExpectRefused
			if l.Cond != nil {
				c.withoutNotes(func() { c.unit.Probes = append(c.unit.Probes, value(c.expr(l.Cond, &env{}))) })
			}
		}
	}
	if moves {
		c.withoutNotes(func() { c.unit.Lists = seq.Map(c.rules.Moves, c.ranges) })
	}
}

// ranges adds the entries that report what a move ranges over.
func (c *compiler) ranges(m *model.Move) (out Lists) {
	here := inCells(m.Params)
	entry := func(e *model.Expr) int {
		if e == nil || e.Has(func(x *model.Expr) bool { return x.Op == model.OpCell && x.Cell == model.CellSteps }) {
			return 0
		}
		return c.value("list", c.expr(e, here))
	}
	for i, set := range m.Sets {
		param := &model.Expr{Op: model.OpLocal, Type: set.Type.Elem(), Local: m.Params[i], Span: set.Span}
		in := &model.Expr{Op: model.OpIn, Type: model.Of(model.Flag), Args: []*model.Expr{param, set}, Span: set.Span}
		out.Params = append(out.Params, entry(in))
	}
	out.From = entry(m.From)
	return out
}

// Question is an expression to evaluate on a state. The caller puts its arguments into the cells from CellP0 on.
type Question struct {
	Expr   *model.Expr
	Params []*model.Local
}

// WithQuestions compiles rules with an entry for each question.
func WithQuestions(rules *model.Rules, questions []Question) (unit *Unit, entries []int, err error) {
	unit, err = compileRules(rules, func(*compiler) {}, func(c *compiler) {
		entries = seq.Map(questions, func(q Question) int { return c.value("question", c.expr(q.Expr, inCells(q.Params))) })
	})
	return unit, entries, err
}
