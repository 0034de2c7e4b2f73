package compile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// effects are the reads or writes of some code, as far as endings depend on them.
type effects struct {
	places bool
	only   []int // the only places where pieces may arrive; nil for any place
	status bool
	vars   map[*model.Var]bool
	dice   bool
}

func (e *effects) add(o effects) {
	switch {
	case !o.places:
	case !e.places:
		e.only = o.only
	case e.only == nil || o.only == nil:
		e.only = nil
	default:
		e.only = append(slices.Clip(e.only), o.only...)
	}
	e.places, e.status, e.dice = e.places || o.places, e.status || o.status, e.dice || o.dice
	for v := range o.vars {
		if e.vars == nil {
			e.vars = map[*model.Var]bool{}
		}
		e.vars[v] = true
	}
}

func (e *effects) meets(o effects) bool {
	return seq.Any(maps.Keys(e.vars), func(v *model.Var) bool { return o.vars[v] }) || e.places && o.places || e.status && o.status || e.dice && o.dice
}

// writes collects the effects of a block, with those of all reactions it raises.
func (c *compiler) writes(b *model.Block) effects {
	w := writer{compiler: c, seen: map[*model.Block]bool{}}
	w.block(b)
	return w.out
}

// writer collects the writes of statements. It visits each block once.
type writer struct {
	*compiler
	out  effects
	seen map[*model.Block]bool
}

func (w *writer) block(b *model.Block) {
	if b == nil || w.seen[b] {
		return
	}
	w.seen[b] = true
	for _, s := range b.Stmts {
		w.stmt(s)
	}
}

// event adds the writes of the reactions to an event.
func (w *writer) event(waits func(x *model.Clause) bool) {
	for _, x := range w.clauses(model.ClauseOn, model.ClauseBefore) {
		if waits(x) {
			w.block(x.Block)
		}
	}
}

// readsOf collects the reads of a condition.
func (c *compiler) readsOf(cond *model.Expr) effects {
	var out effects
	var visit func(e *model.Expr)
	visit = func(e *model.Expr) {
		for x := range e.All() {
			if x.Var != nil && x.Var == c.rules.Throws { // throws change with the dice
				out.dice = true
			} else if x.Var != nil {
				out.add(effects{vars: map[*model.Var]bool{x.Var: true}})
			}
			switch {
			case x.Op == model.OpField && (x.Field == model.FieldAt || x.Field == model.FieldIndex),
				x.Op == model.OpSet && x.Set == model.SetPiecesOf && x.Args[0].Type.Kind == model.Place:
				out.places = true
			case x.Op == model.OpField && (x.Field == model.FieldPlaying || x.Field == model.FieldRanked || x.Field == model.FieldWon),
				x.Op == model.OpSet && x.Set == model.SetAfter:
				out.status = true
			case x.Op == model.OpDie:
				out.dice = true
			case x.Op == model.OpCall:
				visit(x.Let.Body)
			}
		}
	}
	visit(cond)
	return out
}

// removes reports whether a player can be ranked or dropped before the game is over.
func (c *compiler) removes() bool {
	out := func(e model.EndingKind) bool { return e == model.EndRank || e == model.EndDrop }
	return seq.Any(c.rules.Stmts(), func(s *model.Stmt) bool { return s.Kind == model.StmtFinish && out(s.Ending) }) ||
		slices.ContainsFunc(c.allClauses(), func(x *model.Clause) bool { return x.Kind == model.ClauseEnding && out(x.Ending) })
}

// ending is an ending clause with its dependencies.
type ending struct {
	*model.Clause
	number     int // index among the endings, in file order
	reads      effects
	contextual bool
	// If known, the condition can become true only when a piece arrives at one of places.
	places []int
	known  bool
}

// endings lists the ending clauses in file order.
func (c *compiler) endings() []*ending {
	if c.endingList == nil {
		for i, x := range c.clauses(model.ClauseEnding) {
			e := &ending{Clause: x, number: i, reads: c.readsOf(x.When), contextual: c.contextual(x.When)}
			e.places, e.known = c.triggers(x)
			c.endingList = append(c.endingList, e)
		}
	}
	return c.endingList
}

// checkKind selects the procedure that checks the endings.
type checkKind uint8

const (
	checkInTurn      checkKind = iota // if the player in turn goes out, the turn ends
	checkOutsideTurn                  // no turn runs: it is over or has not begun
)

// checkEndings checks, during a turn, the endings whose dependencies have been written since the last check.
func (c *compiler) checkEndings(written effects) ir.Body {
	return c.checkGiven(c.affected(written), written.status && c.removes(), checkInTurn)
}

// affected lists the endings that a write may have made true.
func (c *compiler) affected(written effects) []*ending {
	return seq.Filter(c.endings(), func(e *ending) bool { return c.mayBegin(e, written) })
}

// checkGiven checks the given endings. If gone is set, the player in turn may be out already.
func (c *compiler) checkGiven(list []*ending, gone bool, kind checkKind) ir.Body {
	if len(list) == 0 && (!gone || kind != checkInTurn) {
		return nil
	}
	return ir.Body{call(c.checkProc(list, kind))}
}

// mayBegin reports whether a write can make an ending true. A contextual ending can become true without a write.
func (c *compiler) mayBegin(e *ending, written effects) bool {
	if c.plain || e.contextual {
		return true
	}
	if !e.reads.meets(written) {
		return false
	}
	if written.only == nil || !e.reads.places {
		return true
	}
	if !e.known || slices.ContainsFunc(e.places, func(p int) bool { return slices.Contains(written.only, p) }) {
		return true
	}
	written.places = false
	return e.reads.meets(written)
}

// checkArrival checks the endings that the arrival of a piece at a place can make true.
func (c *compiler) checkArrival(to *ir.Expr) ir.Body {
	written := effects{places: true}
	stmts := c.checkEndings(written)
	near := ir.K(0)
	var seen []int
	for _, e := range c.endings() {
		switch {
		case !c.mayBegin(e, written):
			continue
		case !e.known || e.contextual:
			return stmts
		}
		for _, p := range e.places {
			if !slices.Contains(seen, p) {
				seen = append(seen, p)
				near = ir.OrElse(near, ir.Op2(ir.Eq, to, ir.K(p)))
			}
		}
	}
	if len(seen) > 4 { // the tests would cost as much as the call
		return stmts
	}
	return ir.When(near, stmts, nil)
}

// writtenBefore returns what the engine itself has written since the last check of the endings, when it raises an event.
func writtenBefore(event model.EventKind) effects {
	switch event {
	case model.EventThrow:
		return effects{dice: true}
	case model.EventLeave, model.EventStep, model.EventPass, model.EventTurned: // pieces are in the hand
		return effects{places: true, only: []int{}}
	}
	return effects{}
}

// walkEnds reports whether a reaction on a walk can end the game before the walk is over.
func (c *compiler) walkEnds() bool {
	for _, x := range c.clauses(model.ClauseOn) {
		if x.Event != model.EventLeave && x.Event != model.EventStep && x.Event != model.EventPass && x.Event != model.EventTurned {
			continue
		}
		written := c.writes(x.Block)
		written.add(writtenBefore(x.Event))
		if slices.ContainsFunc(c.endings(), func(e *ending) bool { return c.mayBegin(e, written) }) || c.finishes(x.Block) {
			return true
		}
	}
	return false
}

// finishes reports whether a block, or any act, contains a statement that ends the game.
func (c *compiler) finishes(b *model.Block) bool {
	blocks := append(seq.Map(c.rules.Acts, func(a *model.Act) *model.Block { return a.Block }), b)
	return slices.ContainsFunc(blocks, func(b *model.Block) bool {
		return seq.Any(b.All(), func(s *model.Stmt) bool {
			return s.Kind == model.StmtFinish && (s.Ending == model.EndWin || s.Ending == model.EndOver || s.Ending == model.EndDraw)
		})
	})
}

// checkProc is the procedure that checks some endings. As soon as one of them takes a player out of the game, it checks the
// rest of the file, then all endings up to a fixpoint.
func (c *compiler) checkProc(list []*ending, kind checkKind) *ir.Proc {
	key := fmt.Sprint("check ", kind)
	for _, e := range list {
		key += fmt.Sprint(" ", e.number)
	}
	return c.proc(c.key(procKey{what: key}), "check endings", func(p *ir.Proc) {
		changed, done := local("changed"), ir.NewBlock()
		takes := false
		for _, e := range list {
			stmts, some := c.endingClause(e.Clause, changed, false)
			p.Body = append(p.Body, stmts...)
			if some {
				takes = true
				rest := call(c.restProc(), ir.K(e.number+1))
				p.Body = append(p.Body, ir.When(ir.Op2(ir.Ne, ir.Get(changed), ir.K(0)), ir.Body{rest, ir.BreakTo(done)}, nil)...)
			}
		}
		if takes {
			p.Body = ir.Body{set(changed, 0), ir.BlockOf(done, p.Body)}
		}
		if kind == checkInTurn && c.removes() {
			out := ir.Op2(ir.Ne, at(ir.CellAt, c.layout.Status, cell(code.CellMe)), ir.K(code.Playing))
			p.Body = append(p.Body, ir.When(out, ir.Body{{Op: ir.Jump, Mark: c.endTurn}}, nil)...)
		}
	})
}

// restProc is the procedure that continues a check after a player has gone out: from the ending with the given number on,
// then all endings up to a fixpoint.
func (c *compiler) restProc() *ir.Proc {
	return c.proc(c.key(procKey{what: "rest of a check"}), "rest of a check", func(p *ir.Proc) {
		first := local("first")
		p.Params = []*ir.Local{first}
		p.Body = c.passes(ir.Get(first), false)
	})
}

// passes checks all endings in file order, for players still in the game, up to a fixpoint. The first pass starts at the
// ending with number first. With derive, for a position from outside, no reaction runs.
func (c *compiler) passes(first *ir.Expr, derive bool) ir.Body {
	from, changed, again := local("from"), local("changed"), ir.NewLoop()
	body := ir.Body{ir.Assign(changed, ir.Op2(ir.Ne, ir.Get(from), ir.K(0)))} // a partial pass is always followed by a full one
	for _, e := range c.endings() {
		stmts, _ := c.endingClause(e.Clause, changed, derive)
		body = append(body, ir.When(ir.Op2(ir.Le, ir.Get(from), ir.K(e.number)), stmts, nil)...)
	}
	body = ir.Seq(body, set(from, 0), ir.BreakIf(is(changed, 0), again))
	return ir.Body{ir.Assign(from, first), ir.LoopOf(again, body)}
}

// endingClause lowers one ending. takes reports whether it can take a player out of the game.
func (c *compiler) endingClause(x *model.Clause, changed *ir.Local, derive bool) (out ir.Body, takes bool) {
	if x.Ending == model.EndOver || x.Ending == model.EndDraw {
		body := ir.Seq(c.fire(x), c.gameOver(withoutWinner(x.Ending), derive))
		return ir.When(c.noteAsked(x, c.expr(x.When, &env{})), body, nil), false
	}
	takes = x.Ending != model.EndWin
	body := func(who *ir.Expr) ir.Body {
		v, then := (&env{}).with(x.Params[0], who), ir.Body{c.fire(x)}
		if takes {
			then = ir.Seq(then, c.removeAll(who, x.Scope, x.Ending, derive), set(changed, 1))
		} else {
			then = ir.Seq(then, c.worth(x.By, v), c.gameOver(c.teamOf(who, x.Scope), derive))
		}
		return ir.When(c.noteAsked(x, c.expr(x.When, v)), then, nil)
	}
	status := func(player *ir.Expr) *ir.Expr {
		return ir.Op2(ir.Eq, at(ir.CellAt, c.layout.Status, player), ir.K(code.Playing))
	}
	switch x.Scope {
	case model.ScopePlayer:
		return c.upTo(0, c.layout.Players, func(y *ir.Expr) ir.Body { return ir.When(status(y), body(y), nil) }), takes
	case model.ScopeColour:
		return c.upTo(0, c.layout.Colours, func(y *ir.Expr) ir.Body {
			return ir.When(status(at(ir.Table, c.tables.colourPlayer, y)), body(y), nil)
		}), takes
	}
	return c.upTo(0, c.layout.Teams, func(y *ir.Expr) ir.Body {
		some, found := local("some"), ir.NewBlock()
		members := c.eachIn(c.tables.playersOfTeam, y, func(z *ir.Expr) ir.Body {
			return ir.When(status(z), ir.Body{set(some, 1), ir.BreakTo(found)}, nil)
		})
		return ir.Seq(set(some, 0), ir.BlockOf(found, members),
			ir.When(ir.Op2(ir.Ne, ir.Get(some), ir.K(0)), body(y), nil))
	}), takes
}

func (c *compiler) teamOf(who *ir.Expr, scope model.Scope) *ir.Expr {
	switch scope {
	case model.ScopePlayer:
		return at(ir.Table, c.tables.playerTeam, who)
	case model.ScopeColour:
		return at(ir.Table, c.tables.colourTeam, who)
	}
	return who
}

// withoutWinner is the winner's value for an ending that names no side.
func withoutWinner(ending model.EndingKind) *ir.Expr {
	if ending == model.EndDraw {
		return ir.K(code.Drawn)
	}
	return ir.K(-1)
}

// won reports whether a team has won. The winner is the side that an ending names, otherwise the team of the player ranked
// first, otherwise the only team left.
func (c *compiler) won(team *ir.Expr) *ir.Expr {
	l := c.layout
	side, of := local("side"), local("team")
	gone, left, sides := local("gone"), local("left"), local("sides")
	teamOf := func(y *ir.Expr) *ir.Expr { return at(ir.Table, c.tables.playerTeam, y) }
	status := func(y *ir.Expr, is int) *ir.Expr { return ir.Op2(ir.Eq, at(ir.CellAt, l.Status, y), ir.K(is)) }
	first := c.upTo(0, l.Players, func(y *ir.Expr) ir.Body {
		return ir.When(ir.Op2(ir.Eq, at(ir.CellAt, l.Rank, y), ir.K(1)), ir.Assign(side, teamOf(y)), nil)
	})
	last := ir.Seq(set(gone, 0), set(left, -1), set(sides, 0), c.upTo(0, l.Players, func(y *ir.Expr) ir.Body {
		more := ir.When(ir.Op2(ir.Ne, teamOf(y), ir.Get(left)), ir.Body{ir.Assign(left, teamOf(y)), increment(sides)}, nil)
		return ir.Seq(ir.When(status(y, code.Dropped), set(gone, 1), nil), ir.When(status(y, code.Playing), more, nil))
	}), ir.When(ir.AndAlso(is(gone, 1), is(sides, 1)), ir.Assign(side, ir.Get(left)), nil))
	find := ir.When(ir.Op2(ir.Ne, cell(code.CellRanked), ir.K(0)), first, last)
	over := ir.Seq(ir.Assign(side, cell(code.CellWinner)), ir.When(is(side, -1), find, nil))
	stmts := ir.Seq(ir.Assign(of, team), set(side, -1), ir.When(ir.Op2(ir.Ne, cell(code.CellOver), ir.K(0)), over, nil))
	return ir.With(stmts, ir.Op2(ir.Eq, ir.Get(side), ir.Get(of)))
}

// worth stores what a win counts. A nil value leaves the variable at its default of 1.
func (c *compiler) worth(value *model.Expr, v *env) ir.Body {
	if value == nil {
		return nil
	}
	n, to := local("worth"), c.rules.Worth
	return ir.Body{
		ir.Assign(n, c.expr(value, v)), {Op: ir.Check, A: ir.Get(n), Low: to.Low, High: to.High, Site: c.site(value.Span)},
		setCell(c.slots[to.Index].Cell, ir.Get(n)),
	}
}

// gameOver stores the winner and jumps to the end of the game.
func (c *compiler) gameOver(team *ir.Expr, derive bool) ir.Body {
	out := ir.Body{setCell(code.CellOver, ir.K(1)), setCell(code.CellWinner, team)}
	if derive {
		return append(out, &ir.Stmt{Op: ir.Return})
	}
	return append(out, &ir.Stmt{Op: ir.Jump, Mark: c.over})
}

// removeAll ranks or drops a player, or all players of a team or colour who are still in the game.
func (c *compiler) removeAll(who *ir.Expr, scope model.Scope, ending model.EndingKind, derive bool) ir.Body {
	switch scope {
	case model.ScopeTeam:
		return c.eachIn(c.tables.playersOfTeam, who, func(y *ir.Expr) ir.Body { return c.remove(y, ending, derive) })
	case model.ScopeColour:
		y := &ir.Local{Name: "player", NonNil: true}
		return ir.Seq(ir.Assign(y, at(ir.Table, c.tables.colourPlayer, who)), c.remove(ir.Get(y), ending, derive))
	}
	return c.remove(who, ending, derive)
}

func (c *compiler) remove(y *ir.Expr, ending model.EndingKind, derive bool) ir.Body {
	status, event := code.Dropped, model.EventDrop
	var body ir.Body
	if ending == model.EndRank {
		status, event = code.Ranked, model.EventRank
		next := ir.Op2(ir.Add, cell(code.CellRanked), ir.K(1))
		body = append(body, setCell(code.CellRanked, next), setCellAt(c.layout.Rank, y, cell(code.CellRanked)))
	}
	body = append(body, setCellAt(c.layout.Status, y, ir.K(status)))
	if !derive {
		body = append(body, c.raise(procKey{event: event}, y)...)
	}
	return ir.When(ir.Op2(ir.Eq, at(ir.CellAt, c.layout.Status, y), ir.K(code.Playing)), body, nil)
}

// finish lowers an ending that is a statement.
func (c *compiler) finish(s *model.Stmt, v *env) ir.Body {
	if s.Ending == model.EndOver || s.Ending == model.EndDraw {
		return c.gameOver(withoutWinner(s.Ending), false)
	}
	scope := model.ScopePlayer
	switch s.Value.Type.Kind {
	case model.Colour:
		scope = model.ScopeColour
	case model.Team:
		scope = model.ScopeTeam
	}
	who := &ir.Local{Name: "who", NonNil: true}
	out := ir.Body{ir.Assign(who, &ir.Expr{Op: ir.Present, A: c.expr(s.Value, v)})}
	if s.Ending == model.EndWin {
		out = append(out, c.worth(s.Other, v)...)
		return append(out, c.gameOver(c.teamOf(ir.Get(who), scope), false)...)
	}
	return append(out, c.removeAll(ir.Get(who), scope, s.Ending, false)...)
}
