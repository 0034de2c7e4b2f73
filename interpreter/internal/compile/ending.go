package compile

import (
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// effects is what a piece of program may change, as far as endings care.
type effects struct {
	places bool
	only   []int // the places pieces come to; nil for any
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
	for v := range e.vars {
		if o.vars[v] {
			return true
		}
	}
	return e.places && o.places || e.status && o.status || e.dice && o.dice
}

// writes is what the statements of a block may change, acts and their reactions included.
func (c *compiler) writes(b *model.Block) effects {
	var out effects
	if b != nil {
		for _, s := range b.Stmts {
			out.add(c.writesOf(s))
		}
	}
	return out
}

func (c *compiler) writesOf(s *model.Stmt) effects {
	var out effects
	out.add(c.writes(s.Then))
	out.add(c.writes(s.Else))
	event := func(match func(x *model.Clause) bool) {
		for _, x := range c.clauses(model.ClauseOn, model.ClauseBefore) {
			if match(x) {
				out.add(c.writes(x.Block))
			}
		}
	}
	switch s.Kind {
	case model.StmtAssign, model.StmtChoose:
		if s.Target != nil {
			out.add(effects{vars: map[*model.Var]bool{s.Target.Var: true}})
		}
	case model.StmtPut, model.StmtExchange:
		to := effects{places: true}
		if s.Kind == model.StmtPut {
			if at, ok := c.placesOf(s.Other); ok {
				to.only = at
			}
		}
		out.add(to)
		event(func(x *model.Clause) bool { return x.Event == model.EventLeave })
	case model.StmtDo:
		out.add(c.writes(s.Act.Block))
		event(func(x *model.Clause) bool { return x.Event == model.EventAct && x.Act == s.Act })
	case model.StmtThrow:
		out.dice = true
		event(func(x *model.Clause) bool { return x.Event == model.EventThrow })
	case model.StmtFinish:
		out.status = true
		event(func(x *model.Clause) bool { return x.Event == model.EventDrop || x.Event == model.EventRank })
	}
	return out
}

// readsOf is what a condition looks at.
func (c *compiler) readsOf(cond *model.Expr) effects {
	var out effects
	var look func(e *model.Expr)
	look = func(e *model.Expr) {
		e.Walk(func(x *model.Expr) bool {
			if x.Var != nil {
				out.add(effects{vars: map[*model.Var]bool{x.Var: true}})
			}
			switch {
			case x.Op == model.OpField && (x.Field == model.FieldAt || x.Field == model.FieldIndex),
				x.Op == model.OpSet && x.Set == model.SetPiecesOf && x.Args[0].Type.Kind == model.Place:
				out.places = true
			case x.Op == model.OpField && (x.Field == model.FieldPlaying || x.Field == model.FieldRanked),
				x.Op == model.OpSet && x.Set == model.SetAfter:
				out.status = true
			case x.Op == model.OpDie:
				out.dice = true
			case x.Op == model.OpCall:
				look(x.Let.Body)
			}
			return true
		})
	}
	look(cond)
	return out
}

// removes reports whether anybody can be ranked or dropped before the game is over.
func (c *compiler) removes() bool {
	found := false
	c.rules.Walk(func(s *model.Stmt) {
		found = found || s.Kind == model.StmtFinish && (s.Ending == model.EndRank || s.Ending == model.EndDrop)
	})
	for _, r := range c.rules.Rules {
		for _, x := range r.Clauses {
			found = found || x.Kind == model.ClauseEnding && (x.Ending == model.EndRank || x.Ending == model.EndDrop)
		}
	}
	return found
}

// endings looks at the endings, if what has been written can bring one about.
func (c *compiler) endings(written effects) []*ir.Stmt {
	var clauses []*model.Clause
	for _, x := range c.clauses(model.ClauseEnding) {
		if c.begins(x, written) {
			clauses = append(clauses, x)
		}
	}
	if len(clauses) == 0 && !(written.status && c.removes()) {
		return nil
	}
	return []*ir.Stmt{{Op: ir.Call, Proc: c.someEndings(clauses)}}
}

// begins reports whether what has been written can make an ending hold.
func (c *compiler) begins(x *model.Clause, written effects) bool {
	reads := c.readsOf(x.When)
	if !reads.meets(written) {
		return false
	}
	if written.only == nil || !reads.places {
		return true
	}
	places, ok := c.triggers(x)
	if !ok || slices.ContainsFunc(places, func(p int) bool { return slices.Contains(written.only, p) }) {
		return true
	}
	written.places = false
	return reads.meets(written)
}

// endingsAt looks at the endings that a piece's coming to a place can bring about.
func (c *compiler) endingsAt(to *ir.Expr) []*ir.Stmt {
	stmts := c.endings(effects{places: true})
	near := ir.K(0)
	var seen []int
	for _, x := range c.clauses(model.ClauseEnding) {
		if !c.begins(x, effects{places: true}) {
			continue
		}
		places, ok := c.triggers(x)
		if !ok {
			return stmts
		}
		for _, p := range places {
			if !slices.Contains(seen, p) {
				seen = append(seen, p)
				near = ir.OrElse(near, ir.Op2(ir.Eq, to, ir.K(p)))
			}
		}
	}
	if len(seen) > 4 { // asking would cost as much as looking
		return stmts
	}
	return ir.When(near, stmts, nil)
}

// walkEnds reports whether what happens on a walk can end the game before the walk is over.
func (c *compiler) walkEnds() bool {
	for _, x := range c.clauses(model.ClauseOn) {
		if x.Event != model.EventStep && x.Event != model.EventPass && x.Event != model.EventTurned {
			continue
		}
		written := c.writes(x.Block)
		for _, e := range c.clauses(model.ClauseEnding) {
			if reads := c.readsOf(e.When); reads.meets(written) {
				return true
			}
		}
	}
	return false
}

// someEndings looks at the endings that what has been written can bring about. Only where one of them takes somebody
// out of the game, all are looked at.
func (c *compiler) someEndings(clauses []*model.Clause) *ir.Proc {
	key := ""
	for _, x := range clauses {
		key += fmt.Sprint(x.Index, " ")
	}
	k := procKey{what: "endings", throw: key + "of some"}
	if p, ok := c.procs[k]; ok {
		return p
	}
	p := &ir.Proc{Name: "some endings"}
	c.procs[k] = p
	changed := &ir.Local{Name: "changed"}
	p.Body = []*ir.Stmt{ir.Assign(changed, ir.K(truth(len(clauses) == 0)))}
	for _, x := range clauses {
		stmts, _ := c.endingClause(x, changed, false)
		p.Body = append(p.Body, stmts...)
	}
	if c.removes() {
		all := []*ir.Stmt{{Op: ir.Call, Proc: c.endingProc(false, false)}}
		out := ir.Op2(ir.Ne, at(ir.CellAt, c.layout.Status, &ir.Expr{Op: ir.Cell, K: code.CellMe}), ir.K(code.Playing))
		p.Body = append(p.Body, ir.When(ir.OrElse(ir.Op2(ir.Ne, ir.Get(changed), ir.K(0)), out), all, nil)...)
	}
	return p
}

// endingProc looks at all endings in file order, over those still in the game, until nothing changes. If the player
// in turn is ranked or dropped the turn ends there. derive is the form for a position from outside: nobody reacts.
// after is the form for the end of a turn, when nobody is in turn.
func (c *compiler) endingProc(derive, after bool) *ir.Proc {
	k := procKey{what: "endings", outer: derive, before: after}
	if p, ok := c.procs[k]; ok {
		return p
	}
	p := &ir.Proc{Name: "endings", Entry: derive}
	c.procs[k] = p
	changed := &ir.Local{Name: "changed"}
	again := ir.NewLoop()
	body := []*ir.Stmt{ir.Assign(changed, ir.K(0))}
	repeat := false
	for _, x := range c.clauses(model.ClauseEnding) {
		stmts, repeats := c.endingClause(x, changed, derive)
		body = append(body, stmts...)
		repeat = repeat || repeats
	}
	if repeat {
		body = append(body, ir.When(ir.Op2(ir.Eq, ir.Get(changed), ir.K(0)), []*ir.Stmt{ir.BreakTo(again)}, nil)...)
		p.Body = []*ir.Stmt{ir.LoopOf(again, body...)}
	} else {
		p.Body = body
	}
	if !derive && !after && c.removes() {
		out := ir.Op2(ir.Ne, at(ir.CellAt, c.layout.Status, &ir.Expr{Op: ir.Cell, K: code.CellMe}), ir.K(code.Playing))
		p.Body = append(p.Body, ir.When(out, []*ir.Stmt{{Op: ir.Jump, Mark: c.turnEnd}}, nil)...)
	}
	return p
}

// endingClause lowers one ending; repeats tells that it can change what others look at.
func (c *compiler) endingClause(x *model.Clause, changed *ir.Local, derive bool) (out []*ir.Stmt, repeats bool) {
	if x.Ending == model.EndOver {
		body := append([]*ir.Stmt{c.fire(x)}, c.gameOver(ir.K(-1), derive)...)
		return ir.When(c.asked(x, c.expr(x.When, &env{})), body, nil), false
	}
	each := func(body func(who *ir.Expr) []*ir.Stmt) []*ir.Stmt {
		status := func(player *ir.Expr) *ir.Expr {
			return ir.Op2(ir.Eq, at(ir.CellAt, c.layout.Status, player), ir.K(code.Playing))
		}
		switch x.Scope {
		case model.ScopePlayer:
			return c.upTo(0, c.layout.Players, func(y *ir.Expr) []*ir.Stmt { return ir.When(status(y), body(y), nil) })
		case model.ScopeColour:
			return c.upTo(0, c.layout.Colours, func(y *ir.Expr) []*ir.Stmt {
				return ir.When(status(at(ir.Table, c.tables.colourPlayer, y)), body(y), nil)
			})
		}
		return c.upTo(0, c.layout.Teams, func(y *ir.Expr) []*ir.Stmt {
			some, found := &ir.Local{Name: "some"}, ir.NewBlock()
			members := c.eachIn(c.tables.playersOfTeam, y, func(z *ir.Expr) []*ir.Stmt {
				return ir.When(status(z), []*ir.Stmt{ir.Assign(some, ir.K(1)), ir.BreakTo(found)}, nil)
			})
			stmts := []*ir.Stmt{ir.Assign(some, ir.K(0)), ir.BlockOf(found, members...)}
			return append(stmts, ir.When(ir.Op2(ir.Ne, ir.Get(some), ir.K(0)), body(y), nil)...)
		})
	}
	return each(func(who *ir.Expr) []*ir.Stmt {
		body := []*ir.Stmt{c.fire(x)}
		switch x.Ending {
		case model.EndWin:
			body = append(body, c.gameOver(c.teamOf(who, x.Scope), derive)...)
		default:
			body = append(body, c.removeAll(who, x.Scope, x.Ending, derive)...)
			body = append(body, ir.Assign(changed, ir.K(1)))
		}
		return ir.When(c.asked(x, c.expr(x.When, (&env{}).with(x.Params[0], who))), body, nil)
	}), x.Ending != model.EndWin
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

// gameOver ends the game.
func (c *compiler) gameOver(team *ir.Expr, derive bool) []*ir.Stmt {
	out := []*ir.Stmt{{Op: ir.Store, K: code.CellOver, A: ir.K(1)}, {Op: ir.Store, K: code.CellWinner, A: team}}
	if derive {
		return append(out, &ir.Stmt{Op: ir.Return})
	}
	return append(out, &ir.Stmt{Op: ir.Jump, Mark: c.over})
}

// removeAll ranks or drops a player, or all players of a team or colour who are still in the game.
func (c *compiler) removeAll(who *ir.Expr, scope model.Scope, ending model.EndingKind, derive bool) []*ir.Stmt {
	switch scope {
	case model.ScopeTeam:
		return c.eachIn(c.tables.playersOfTeam, who, func(y *ir.Expr) []*ir.Stmt { return c.remove(y, ending, derive) })
	case model.ScopeColour:
		y := &ir.Local{Name: "player"}
		return append([]*ir.Stmt{ir.Assign(y, at(ir.Table, c.tables.colourPlayer, who))}, c.remove(ir.Get(y), ending, derive)...)
	}
	return c.remove(who, ending, derive)
}

func (c *compiler) remove(y *ir.Expr, ending model.EndingKind, derive bool) []*ir.Stmt {
	status, event := code.Dropped, model.EventDrop
	var body []*ir.Stmt
	if ending == model.EndRank {
		status, event = code.Ranked, model.EventRank
		next := ir.Op2(ir.Add, &ir.Expr{Op: ir.Cell, K: code.CellRanked}, ir.K(1))
		body = append(body, &ir.Stmt{Op: ir.Store, K: code.CellRanked, A: next},
			&ir.Stmt{Op: ir.Store, K: c.layout.Rank, B: y, A: &ir.Expr{Op: ir.Cell, K: code.CellRanked}})
	}
	body = append(body, &ir.Stmt{Op: ir.Store, K: c.layout.Status, B: y, A: ir.K(status)})
	if !derive {
		body = append(body, c.raise(procKey{event: event}, y)...)
	}
	return ir.When(ir.Op2(ir.Eq, at(ir.CellAt, c.layout.Status, y), ir.K(code.Playing)), body, nil)
}

// finish is an ending as a statement.
func (c *compiler) finish(s *model.Stmt, v *env) []*ir.Stmt {
	if s.Ending == model.EndOver {
		return c.gameOver(ir.K(-1), false)
	}
	scope := model.ScopePlayer
	switch s.Value.Type.Kind {
	case model.Colour:
		scope = model.ScopeColour
	case model.Team:
		scope = model.ScopeTeam
	}
	who := &ir.Local{Name: "who"}
	out := []*ir.Stmt{ir.Assign(who, &ir.Expr{Op: ir.Present, A: c.expr(s.Value, v)})}
	if s.Ending == model.EndWin {
		return append(out, c.gameOver(c.teamOf(ir.Get(who), scope), false)...)
	}
	return append(out, c.removeAll(ir.Get(who), scope, s.Ending, false)...)
}
