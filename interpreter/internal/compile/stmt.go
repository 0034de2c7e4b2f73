package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// from sets the source position of statements that have none.
func (c *compiler) from(span source.Span, stmts ir.Body) ir.Body {
	for _, x := range stmts {
		if x.Site == 0 {
			x.Site = c.site(span)
		}
	}
	return stmts
}

// block lowers statements. In the turn itself (outer), it checks the endings after each statement.
func (c *compiler) block(b *model.Block, v *env, outer bool) ir.Body {
	if b == nil {
		return nil
	}
	var out ir.Body
	for _, s := range b.Stmts {
		stmts := ir.Seq(c.note(NoteStmt, s.Span), c.stmt(s, v, outer))
		out = append(out, c.from(s.Span, stmts)...)
		if outer {
			out = append(out, c.checkAfter(s)...)
		}
	}
	return out
}

// checkAfter checks the endings after a statement of the turn itself.
func (c *compiler) checkAfter(s *model.Stmt) ir.Body {
	switch s.Kind {
	case model.StmtIf, model.StmtFor, model.StmtPlay, model.StmtChoose, model.StmtEndTurn, model.StmtUndo:
		return nil // the statements inside check the endings themselves
	case model.StmtThrow: // the reactions to a throw check the endings too
		return c.checkEndings(effects{dice: true})
	}
	return c.checkEndings(c.writes(&model.Block{Stmts: []*model.Stmt{s}}))
}

func (c *compiler) stmt(s *model.Stmt, v *env, outer bool) ir.Body {
	c.spend()
	switch s.Kind {
	case model.StmtAssign:
		return c.assign(s.Target, s.Assign, s.Value, v)
	case model.StmtIf:
		return c.when(c.expr(s.Value, v), c.block(s.Then, v, outer), c.block(s.Else, v, outer))
	case model.StmtFor:
		return c.forEach(s, v, outer)
	case model.StmtPut:
		p, to := local("piece"), local("place")
		return ir.Seq(ir.Assign(p, c.expr(s.Value, v)), ir.Assign(to, c.expr(s.Other, v)), c.put(ir.Get(p), ir.Get(to)))
	case model.StmtExchange:
		p, q, a, b := local("p"), local("q"), local("a"), local("b")
		out := ir.Body{ir.Assign(p, c.expr(s.Value, v)), ir.Assign(q, c.expr(s.Other, v))}
		out = ir.Seq(out, ir.Assign(a, at(ir.CellAt, c.layout.At, ir.Get(p))), ir.Assign(b, at(ir.CellAt, c.layout.At, ir.Get(q))))
		out = append(out, c.put(ir.Get(p), ir.Get(b))...)
		return append(out, c.put(ir.Get(q), ir.Get(a))...)
	case model.StmtGive:
		return ir.Body{native(code.Give, c.expr(s.Value, v), c.expr(s.Other, v))}
	case model.StmtThrow:
		return c.throw(s, outer, outer && v.outer == nil)
	case model.StmtPlay:
		return c.play(s, v)
	case model.StmtEarn:
		return c.earn(s, v)
	case model.StmtChoose:
		return c.choose(s, v, outer)
	case model.StmtDo:
		args := seq.Map(s.Args, func(a *model.Expr) *ir.Expr { return c.expr(a, v) })
		return ir.Body{call(c.act(s.Act), args...)}
	case model.StmtAgain:
		return ir.Body{setCell(code.CellAgain, ir.K(1))}
	case model.StmtEndTurn:
		return c.breakOff()
	case model.StmtUndo:
		if c.unbegun { // before the first turn there is nothing to undo
			return c.breakOff()
		}
		out := ir.Body{native(code.Undo)}
		if c.playsMost() { // a search ahead by the interpreter is over before the undo hides how many numbers are left
			out = slices.Insert(out, 0, native(code.MostEnds))
		}
		return append(out, c.breakOff()...)
	case model.StmtFinish:
		return c.finish(s, v)
	}
	panic("there is no code for the statement " + s.Kind.String())
}

// stmt collects the writes of a statement, with those of all reactions it raises.
func (w *writer) stmt(s *model.Stmt) {
	w.block(s.Then)
	w.block(s.Else)
	to := func(e model.EventKind) func(x *model.Clause) bool {
		return func(x *model.Clause) bool { return x.Event == e }
	}
	switch s.Kind {
	case model.StmtAssign, model.StmtChoose:
		if s.Target != nil {
			w.out.add(effects{vars: map[*model.Var]bool{s.Target.Var: true}})
		}
	case model.StmtPut, model.StmtExchange:
		moved := effects{places: true}
		if s.Kind == model.StmtPut {
			if at, ok := w.placesOf(s.Other); ok {
				moved.only = at
			}
		}
		w.out.add(moved)
		w.event(to(model.EventLeave))
	case model.StmtGive: // the index of the piece on the track changes too
		w.out.add(effects{places: true, vars: map[*model.Var]bool{w.rules.Owner: true}})
	case model.StmtDo:
		w.block(s.Act.Block)
		w.event(func(x *model.Clause) bool { return x.Event == model.EventAct && x.Act == s.Act })
	case model.StmtThrow:
		w.out.dice = true
		w.event(to(model.EventThrow))
	case model.StmtFinish:
		switch s.Ending {
		case model.EndRank:
			w.out.status = true
			w.event(to(model.EventRank))
		case model.EndDrop:
			w.out.status = true
			w.event(to(model.EventDrop))
		case model.EndWin, model.EndOver, model.EndDraw: // no ending is checked after these
		default:
			panic(fmt.Sprintf("nothing says what the ending %d changes", s.Ending))
		}
	case model.StmtIf, model.StmtFor, model.StmtPlay, model.StmtEarn, model.StmtAgain, model.StmtEndTurn, model.StmtUndo: // these write no variable, place or status themselves
	default:
		panic("nothing says what the statement " + s.Kind.String() + " changes")
	}
}

// when is a conditional statement that asks a condition which may fault even if nothing depends on it.
func (c *compiler) when(cond *ir.Expr, body, els ir.Body) ir.Body {
	if len(body)+len(els) == 0 && !c.faultFree(cond) {
		return ir.Body{ir.Assign(local("asked"), cond)}
	}
	return ir.When(cond, body, els)
}

// breakOff jumps to the end of the turn.
func (c *compiler) breakOff() ir.Body { return ir.Body{{Op: ir.Jump, Mark: c.endTurn}} }

// put moves a piece outside a move: it leaves its square, but does not land.
func (c *compiler) put(p, to *ir.Expr) ir.Body {
	var out ir.Body
	if c.reactions(procKey{event: model.EventLeave}, 2) != nil {
		sure := func(x *ir.Expr) *ir.Expr { // checks for nil before any reaction runs
			if c.nonNil(x) {
				return x
			}
			there := &ir.Local{Name: x.Local.Name, NonNil: true}
			out = append(out, ir.Assign(there, ir.Must(x)))
			return ir.Get(there)
		}
		p, to = sure(p), sure(to)
		from := &ir.Local{Name: "from", NonNil: true}
		out = append(out, ir.Assign(from, at(ir.CellAt, c.layout.At, p)))
		// A piece in the hand has left its place already.
		lift, standing := ir.Body{native(code.TakeUp, p)}, ir.Negate(c.inHand(p))
		if len(c.clausesFor(procKey{event: model.EventLeave, what: ofZone})) > 0 {
			lift = append(lift, c.leaving(p, ir.Get(from), false)...)
		} else {
			standing = ir.AndAlso(ir.Op2(ir.Le, ir.K(c.tables.firstSquare), ir.Get(from)), standing)
			lift = append(lift, c.raise(procKey{event: model.EventLeave}, p, ir.Get(from))...)
		}
		out = append(out, ir.When(standing, lift, nil)...)
	}
	out = append(out, native(code.PutAt, p, to))
	return append(out, c.isCarried(p, model.AssignSub)...)
}

// inHand reports whether a piece has been taken up and not set down yet.
func (c *compiler) inHand(p *ir.Expr) *ir.Expr {
	return ir.Op2(ir.Eq, at(ir.CellAt, c.layout.Prev, p), ir.K(code.InHand))
}

// forEach loops over the elements a list has before the first iteration.
func (c *compiler) forEach(s *model.Stmt, v *env, outer bool) ir.Body {
	run := func(elem *ir.Expr) ir.Body {
		x := local(s.Local.Name)
		out := ir.Body{ir.Assign(x, elem)}
		if s.Once() && s.Value.Type.Kind == model.Number && elem.Op != ir.Const {
			out = append(out, c.fits(x, s.Value))
		}
		return append(out, c.block(s.Then, v.with(s.Local, ir.Get(x)), outer)...)
	}
	if !outer || c.checkEndings(c.writes(s.Then)) == nil {
		if loop := c.forEachOf(s, v); loop != nil {
			return loop
		}
	}
	if s.Once() || loopInvariant(s.Value) {
		return c.each(s.Value, v, run)
	}
	// Copy the list first: the body may change it. The copy is in the frame, since the body may reach a node.
	most := c.maxLen(s.Value)
	base := c.layout.FrameEnd
	c.layout.FrameEnd += most
	n := local("n")
	return ir.Seq(set(n, 0), c.each(s.Value, v, func(elem *ir.Expr) ir.Body {
		return ir.Seq(c.failIf(ir.Op2(ir.Le, ir.K(most), ir.Get(n)), code.FaultOptions, s.Span), setCellAt(base, ir.Get(n), elem), increment(n))
	}), times(ir.Get(n), func(i *ir.Expr) ir.Body { return run(at(ir.CellAt, base, i)) }))
}

// forEachOf loops over a bitset of pieces, filtered by the condition of an if around the whole body. The body may only
// assign variables, and an iteration must not affect the condition for another piece. It is nil for other loops.
func (c *compiler) forEachOf(s *model.Stmt, v *env) ir.Body {
	if s.Value.Type.Kind != model.Piece || !c.ascending(s.Value, v) || !onlyAssigns(s.Then) {
		return nil
	}
	set := c.mask(s.Value, v)
	if set == nil {
		return nil
	}
	then := s.Then
	if one := then.Stmts; len(one) == 1 && one[0].Kind == model.StmtIf && one[0].Else == nil && c.independent(one[0].Value, s.Local, then) {
		self := ir.Get(&ir.Local{Name: "each", NonNil: true})
		if where := c.filterMaskOf(one[0].Value, v.with(s.Local, self), self); where != nil {
			set, then = intersect(set, where), one[0].Then
		}
	}
	return c.eachPiece(set, func(piece *ir.Expr) ir.Body { return c.block(then, v.with(s.Local, piece), false) })
}

// onlyAssigns reports whether a block only assigns variables that are not lists.
func onlyAssigns(b *model.Block) bool {
	return !seq.Any(b.All(), func(s *model.Stmt) bool {
		return s.Kind != model.StmtIf && (s.Kind != model.StmtAssign || s.Target.Type.List)
	})
}

// independent reports whether the writes of a block for one piece leave a condition on other pieces unchanged.
func (c *compiler) independent(cond *model.Expr, piece *model.Local, b *model.Block) bool {
	own := func(x *model.Expr) bool {
		return len(x.Args) == 1 && x.Args[0].Op == model.OpLocal && x.Args[0].Local == piece
	}
	reads, written := c.readsOf(cond).vars, effects{vars: map[*model.Var]bool{}}
	for s := range b.All() {
		if s.Kind == model.StmtAssign && reads[s.Target.Var] {
			if written.vars[s.Target.Var] = true; !own(s.Target) {
				return false
			}
		}
	}
	return !seq.Any(cond.All(), func(x *model.Expr) bool {
		if x.Op == model.OpCall {
			only := effects{vars: c.readsOf(x.Let.Body).vars}
			return only.meets(written)
		}
		return written.vars[x.Var] && !own(x)
	})
}

// loopInvariant reports whether the body of a loop cannot change the list it iterates over.
func loopInvariant(e *model.Expr) bool {
	switch e.Op {
	case model.OpRange: // the bounds are evaluated once
		return true
	case model.OpList:
		return !slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return a.Op != model.OpConst })
	case model.OpSet:
		switch e.Set {
		case model.SetPieces, model.SetColours, model.SetPlayers, model.SetTeams, model.SetSquares:
			return true
		}
	}
	return false
}

// assign lowers an assignment.
func (c *compiler) assign(target *model.Expr, op model.AssignOp, value *model.Expr, v *env) ir.Body {
	if target.Type.List {
		return c.assignSet(target, op, value, v)
	}
	x := c.expr(value, v)
	s := c.slots[target.Var.Index]
	var owner *ir.Expr
	var out ir.Body
	if len(target.Args) > 0 {
		out, owner = c.operand("owner", c.expr(target.Args[0], v))
	}
	read := cell(s.Cell)
	if owner != nil {
		read = at(ir.CellAt, s.Cell, owner)
	}
	switch op {
	case model.AssignAdd:
		x = ir.Op2(ir.Add, read, x)
	case model.AssignSub:
		x = ir.Op2(ir.Sub, read, x)
	}
	if t := target.Var; t.Type.Kind == model.Number && (t.Low > -1<<15 || t.High < 1<<15-1) && x.Op != ir.Const {
		n := local("n")
		out = append(out, ir.Assign(n, x), &ir.Stmt{Op: ir.Check, A: ir.Get(n), Low: t.Low, High: t.High, Site: c.site(value.Span)})
		x = ir.Get(n)
	}
	return append(out, setCellAt(s.Cell, owner, x))
}

// store writes a lowered value to a variable.
func (c *compiler) store(target *model.Expr, x *ir.Expr, v *env) ir.Body {
	s := c.slots[target.Var.Index]
	var owner *ir.Expr
	if len(target.Args) > 0 {
		owner = c.expr(target.Args[0], v)
	}
	return ir.Body{setCellAt(s.Cell, owner, x)}
}

// assignSet lowers an assignment to a set variable. It marks the new elements in scratch words first, since they may depend
// on the old ones.
func (c *compiler) assignSet(target *model.Expr, op model.AssignOp, value *model.Expr, v *env) ir.Body {
	s := c.slots[target.Var.Index]
	owners := c.owners(target.Var.Scope)
	if target.Var.Bag {
		return c.assignBag(target, op, value, v)
	}
	low, high := c.bounds(target.Var)
	if op == model.AssignSet && len(target.Args) == 0 && value.Op == model.OpList && len(value.Args) == 0 && !c.plain {
		return seq.Of(s.Words, func(w int) *ir.Stmt { return setCell(s.Cell+w*owners, ir.K(0)) })
	}
	if out := c.assignWord(target, op, value, v); out != nil {
		return out
	}
	marks := c.scratch(s.Words)
	w := local("w")
	words := func(body func(w *ir.Expr) ir.Body) ir.Body {
		return ir.Seq(set(w, 0), countLoop(w, ir.K(s.Words), body))
	}
	out := words(func(w *ir.Expr) ir.Body { return ir.Body{storeScratch(marks, w, ir.K(0))} })
	mark := func(elem *ir.Expr) ir.Body {
		x := local("x")
		stmts := ir.Body{ir.Assign(x, elem)}
		bit := ir.Op2(ir.Sub, ir.Get(x), ir.K(low))
		word := &ir.Expr{Op: ir.Shr, A: bit, B: ir.K(4)}
		set := &ir.Expr{Op: ir.Or, A: at(ir.Scratch, marks, word), B: &ir.Expr{Op: ir.Shl, A: ir.K(1), B: &ir.Expr{Op: ir.And, A: bit, B: ir.K(15)}}}
		put := storeScratch(marks, word, set)
		if op == model.AssignSub { // removing a number outside the range does nothing
			inside := ir.AndAlso(ir.Op2(ir.Le, ir.K(low), ir.Get(x)), ir.Op2(ir.Le, ir.Get(x), ir.K(high)))
			return append(stmts, ir.When(inside, put, nil)...)
		}
		return ir.Seq(stmts, &ir.Stmt{Op: ir.Check, A: ir.Get(x), Low: low, High: high, Site: c.site(value.Span)}, put)
	}
	if value.Type.List {
		out = append(out, c.each(value, v, mark)...)
	} else {
		out = append(out, mark(c.expr(value, v))...)
	}
	owner := ir.K(0)
	if len(target.Args) > 0 {
		o := local("owner")
		out = append(out, ir.Assign(o, &ir.Expr{Op: ir.Present, A: c.expr(target.Args[0], v), Site: c.site(target.Span)}))
		owner = ir.Get(o)
	}
	return append(out, words(func(w *ir.Expr) ir.Body {
		index := ir.Op2(ir.Add, ir.Op2(ir.Mul, w, ir.K(owners)), owner)
		old, new := at(ir.CellAt, s.Cell, index), at(ir.Scratch, marks, w)
		x := new
		switch op {
		case model.AssignAdd:
			x = &ir.Expr{Op: ir.Or, A: old, B: new}
		case model.AssignSub:
			x = &ir.Expr{Op: ir.And, A: old, B: ir.Op2(ir.Sub, ir.K(-1), new)}
		}
		return ir.Body{setCellAt(s.Cell, index, x)}
	})...)
}

// earn appends a number to the queue, or to the queue of a player's next turn.
func (c *compiler) earn(s *model.Stmt, v *env) ir.Body {
	if s.Later() {
		return c.earnLater(s, v)
	}
	n := local("n")
	with := ir.K(-1)
	if s.Other != nil {
		with = c.expr(s.Other, v)
	}
	return ir.Seq(ir.Assign(n, cell(code.CellQueue)),
		c.failIf(ir.Op2(ir.Le, ir.K(code.MaxQueue), ir.Get(n)), code.FaultQueue, s.Span),
		setCellAt(c.layout.Queue, ir.Get(n), c.expr(s.Value, v)), setCellAt(c.layout.Queue+code.MaxQueue, ir.Get(n), with),
		setCell(code.CellQueue, ir.Op2(ir.Add, ir.Get(n), ir.K(1))))
}

// earnLater appends a number to the queue of a player's next turn.
func (c *compiler) earnLater(s *model.Stmt, v *env) ir.Body {
	base := c.slots[c.rules.Later.Index].Cell
	who, n, x := &ir.Local{Name: "who", NonNil: true}, local("n"), local("number")
	return ir.Seq(ir.Assign(who, c.must(s.Other, v)), ir.Assign(n, at(ir.CellAt, base, ir.Get(who))),
		c.failIf(ir.Op2(ir.Le, ir.K(code.MaxQueue), ir.Get(n)), code.FaultQueue, s.Span), ir.Assign(x, c.expr(s.Value, v)),
		c.fits(x, s.Value), setCellAt(base, ir.Get(who), ir.Op2(ir.Add, ir.Get(n), ir.K(1))),
		setCellAt(base, c.laterAt(ir.Get(n), ir.Get(who)), ir.Get(x)))
}

// laterAt is the index of a number in the queue of a player's next turn, relative to the cell of its length.
func (c *compiler) laterAt(i, who *ir.Expr) *ir.Expr {
	players := ir.K(c.layout.Players)
	return ir.Op2(ir.Add, ir.Op2(ir.Mul, ir.Op2(ir.Add, i, ir.K(1)), players), who)
}

// takeLater moves the numbers earned for this turn to its queue.
func (c *compiler) takeLater() ir.Body {
	if c.rules.Later == nil {
		return nil
	}
	base, l, me := c.slots[c.rules.Later.Index].Cell, c.layout, cell(code.CellMe)
	n, where := local("n"), local("where")
	take := ir.Seq(setCell(code.CellQueue, ir.Get(n)), setCell(c.slots[c.rules.Taken.Index].Cell, ir.Get(n)),
		setCellAt(base, me, ir.K(0)), times(ir.Get(n), func(i *ir.Expr) ir.Body {
			return ir.Body{
				ir.Assign(where, c.laterAt(i, me)),
				setCellAt(l.Queue, i, at(ir.CellAt, base, ir.Get(where))),
				setCellAt(l.Queue+code.MaxQueue, i, ir.K(-1)),
				setCellAt(base, ir.Get(where), ir.K(0)),
			}
		}))
	return ir.Seq(ir.Assign(n, at(ir.CellAt, base, me)), ir.When(ir.Op2(ir.Lt, ir.K(0), ir.Get(n)), take, nil))
}

// throw lowers a throw of dice, or the choice of a number, and raises its event.
func (c *compiler) throw(s *model.Stmt, outer, bare bool) ir.Body {
	t := code.Throw{Bare: bare, First: bare && s == c.rules.Turn.Stmts[0]}
	var names []string
	var out ir.Body
	for _, d := range s.Dice {
		t.Dice = append(t.Dice, d.Index)
		names = append(names, d.Name)
		if d.Kind == model.DieChoice {
			out = append(out, c.choices(d.Choice)...)
		}
	}
	c.prog.Throws = append(c.prog.Throws, t)
	out = ir.Seq(out, c.tick(), &ir.Stmt{Op: ir.Suspend, K: int(code.NodeThrow), Low: len(c.prog.Throws) - 1})
	if x := c.rules.Throws; x != nil {
		n := c.slots[x.Index].Cell
		out = append(out, setCell(n, ir.Op2(ir.Add, cell(n), ir.K(1))))
	}
	return append(out, c.raise(procKey{event: model.EventThrow, throw: strings.Join(names, " "), outer: outer})...)
}

// tick counts a play or throw of the turn. Too many of them are a fault.
func (c *compiler) tick() ir.Body {
	return ir.Body{native(code.Tick)}
}

// choose lets a player pick an element of a list. The rest of the block is the statement's Then.
func (c *compiler) choose(s *model.Stmt, v *env, outer bool) ir.Body {
	n, x := local("n"), local("picked")
	kind := code.Truth(s.Value.Type.Kind == model.Piece)
	out := ir.Seq(native(code.PickReset), c.each(s.Value, v, func(elem *ir.Expr) ir.Body {
		candidate := local("candidate")
		if s.Value.Type.Kind != model.Number && !c.nonNil(elem) {
			elem = &ir.Expr{Op: ir.Present, A: elem, Site: c.site(s.Value.Span)}
		}
		fits := c.fits(candidate, s.Value)
		if s.None && s.Value.Type.Kind == model.Number {
			fits.Low = code.NoPick + 1
		}
		return ir.Body{ir.Assign(candidate, elem), fits, nativeOf(code.PickAdd, kind, ir.Get(candidate))}
	}))
	if s.None { // one more candidate; if it is the only one, it is picked automatically
		out = append(out, nativeTo(n, code.PickCount), native(code.PickAdd, ir.K(code.NoPick)))
	}
	count := nativeTo(n, code.PickCount)
	count.Low = len(c.unit.Picks) + 1
	out = append(out, count)
	by := cell(code.CellMe)
	if s.Other != nil {
		by = c.must(s.Other, v)
	}
	c.unit.Picks = append(c.unit.Picks, s)
	one := ir.Body{nativeTo(x, code.PickGet, ir.K(0))}
	many := ir.Body{
		setCell(code.CellDecider, by),
		{Op: ir.Suspend, K: int(code.NodePick), Low: len(c.unit.Picks) - 1},
		nativeTo(x, code.PickGet, &ir.Expr{Op: ir.Result}),
	}
	rest := ir.Seq(set(x, -1), ir.When(ir.Op2(ir.Eq, ir.Get(n), ir.K(1)), one, many))
	if s.None {
		out, rest = append(out, rest...), nil
	}
	var written effects
	if s.Target != nil {
		if t := s.Target.Var; t.Type.Kind == model.Number && (t.Low > -1<<15 || t.High < 1<<15-1) {
			rest = append(rest, &ir.Stmt{Op: ir.Check, A: ir.Get(x), Low: t.Low, High: t.High, Site: c.site(s.Value.Span)})
		}
		rest = append(rest, c.store(s.Target, ir.Get(x), v)...)
		written.vars = map[*model.Var]bool{s.Target.Var: true}
	}
	if outer {
		rest = append(rest, c.checkEndings(written)...)
	}
	rest = append(rest, c.block(s.Then, v.with(s.Local, ir.Get(x)), outer)...)
	if s.None {
		return append(out, ir.When(ir.Op2(ir.Ne, ir.Get(x), ir.K(code.NoPick)), rest, nil)...)
	}
	return append(out, ir.When(ir.Op2(ir.Lt, ir.K(0), ir.Get(n)), rest, nil)...)
}
