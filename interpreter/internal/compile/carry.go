package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// carry is the procedure that carries out the option in the header cells.
func (c *compiler) carry() *ir.Proc {
	return c.proc(procKey{what: "carry"}, "carry out", func(p *ir.Proc) {
		move := cell(code.CellMove)
		for i, m := range slices.Backward(c.rules.Moves) {
			body := c.carryMove(m)
			if i == len(c.rules.Moves)-1 { // the last one may be a move that does nothing
				p.Body = body
				continue
			}
			p.Body = ir.Body{{Op: ir.If, A: ir.Op2(ir.Eq, move, ir.K(i)), Body: body, Else: p.Body}}
		}
		p.Body = ir.Seq(c.removePlayed(), p.Body)
	})
}

// proc is the procedure with a key. The first call makes it: body fills it in, and may call it.
func (c *compiler) proc(k procKey, name string, body func(p *ir.Proc)) *ir.Proc {
	p, ok := c.procs[k]
	if !ok {
		p = &ir.Proc{Name: name}
		c.procs[k] = p
		body(p)
	}
	return p
}

// uninterrupted reports whether carrying out a move never reaches a node.
func (c *compiler) uninterrupted() bool {
	blocks := seq.Map(c.rules.Acts, func(a *model.Act) *model.Block { return a.Block })
	blocks = append(blocks, seq.Map(c.clauses(model.ClauseOn, model.ClauseBefore), func(x *model.Clause) *model.Block { return x.Block })...)
	return !c.plain && !slices.ContainsFunc(blocks, func(b *model.Block) bool {
		return seq.Any(b.All(), func(s *model.Stmt) bool { return s.Kind == model.StmtChoose || s.Kind == model.StmtThrow })
	})
}

func cell(k int) *ir.Expr { return &ir.Expr{Op: ir.Cell, K: k} }

func setCell(k int, x *ir.Expr) *ir.Stmt { return &ir.Stmt{Op: ir.Store, K: k, A: x} }

// setCellAt writes an element of an array of cells; without an index it is setCell.
func setCellAt(k int, index, x *ir.Expr) *ir.Stmt {
	return &ir.Stmt{Op: ir.Store, K: k, B: index, A: x}
}

// carryMove lowers one move, in this order: before clauses, leaving, the path, landing, on clauses.
func (c *compiler) carryMove(m *model.Move) ir.Body {
	args := append(seq.Of(len(m.Params), func(i int) *ir.Expr { return cell(code.CellP0 + i) }), cell(code.CellTo)) // for "to s"
	key := procKey{event: model.EventMove, move: m, outer: true}
	before := key
	before.before = true
	p, to, node := cell(code.CellP0), cell(code.CellTo), cell(code.CellNode)
	dropped := ir.NewBlock()
	out := ir.Seq(c.moveBegins(m, p), c.raise(before, args...))
	var given ir.Body
	var begin *ir.Expr // the node where the walk begins, saved because reactions may move the piece
	if m.Kind == model.MoveWalk && c.needPath && len(out) > 0 && c.mayMovePieces(func(x *model.Clause) bool { return c.reactsTo(x, before) }) {
		was := local("was")
		begin = ir.Get(was)
		out = ir.Seq(ir.Assign(was, at(ir.CellAt, c.layout.Node, p)), out)
	}
	if (m.Kind == model.MoveTo || m.Kind == model.MoveWalk) && c.rules.Owner != nil && c.mayGivePieces(before) { // a piece that changes its owner does not move
		was := local("colour")
		out = ir.Seq(ir.Assign(was, c.colourOf(p)), out)
		given = ir.BreakIf(ir.Op2(ir.Ne, c.colourOf(p), ir.Get(was)), dropped)
	}
	if c.uninterrupted() {
		args = slices.Clone(args)
		hold := func(name string, x *ir.Expr) *ir.Expr {
			l := &ir.Local{Name: name, NonNil: m.Kind != model.MoveNothing, Brief: true}
			out = append(out, ir.Assign(l, x))
			return ir.Get(l)
		}
		if len(m.Params) > 0 {
			p = hold("piece", p)
			args[0] = p
		}
		to = hold("to", to)
		args[len(args)-1] = to
	}
	switch m.Kind {
	case model.MoveStay:
		out = ir.Seq(out, c.checkEndings(effects{}), c.landing(p, to))
	case model.MoveTo, model.MoveWalk:
		load, lift, put := c.load(m, p, to)
		body := append(given, load...)
		if leave := c.leaving(p, at(ir.CellAt, c.layout.At, p), true); leave != nil {
			body = ir.Seq(body, native(code.TakeUp, p), leave, c.stillAfter(model.EventLeave, p, dropped))
		} else if m.Kind == model.MoveWalk && c.needPath {
			body = append(body, native(code.TakeUp, p))
		}
		body = append(body, lift...)
		if m.Kind == model.MoveWalk && c.needPath {
			body = append(body, c.replayPath(p, begin, dropped)...)
		}
		body = append(body, native(code.SetDown, p, to, node))
		body = append(body, put...)
		body = append(body, c.checkArrival(to)...)
		body = append(body, c.landing(p, to)...)
		out = append(out, ir.BlockOf(dropped, body))
		if m.Carrying != nil {
			out = append(out, c.handBack()...)
		}
	}
	out = ir.Seq(out, c.raise(key, args...), c.noMove())
	if m.Carrying != nil {
		out = append(out, c.nothingCarried()...)
	}
	return out
}

// moveBegins stores the moving piece and its place, if the rules read them.
func (c *compiler) moveBegins(m *model.Move, p *ir.Expr) ir.Body {
	if c.rules.Mover == nil || !c.prog.MovesPiece[m.Index] {
		return nil
	}
	return ir.Body{setCell(c.slots[c.rules.Mover.Index].Cell, p), setCell(c.slots[c.rules.From.Index].Cell, at(ir.CellAt, c.layout.At, p))}
}

// noMove clears the moving piece.
func (c *compiler) noMove() ir.Body {
	if c.rules.Mover == nil {
		return nil
	}
	return ir.Body{setCell(c.slots[c.rules.Mover.Index].Cell, ir.K(-1))}
}

// nothingCarried clears the set of carried pieces, if the rules read it.
func (c *compiler) nothingCarried() ir.Body {
	x := c.rules.Carried
	if x == nil {
		return nil
	}
	return c.assignSet(carriedSet(x), model.AssignSet, &model.Expr{Op: model.OpList, Type: x.Type}, &env{})
}

// isCarried adds a piece to the set of carried pieces, or removes it (AssignSub).
func (c *compiler) isCarried(q *ir.Expr, op model.AssignOp) ir.Body {
	x := c.rules.Carried
	if x == nil {
		return nil
	}
	l := &model.Local{Name: "carried", Type: x.Type.Elem()}
	return c.assignSet(carriedSet(x), op, &model.Expr{Op: model.OpLocal, Type: l.Type, Local: l}, (&env{}).with(l, q))
}

func carriedSet(x *model.Var) *model.Expr {
	return &model.Expr{Op: model.OpSet, Set: model.SetVar, Var: x, Type: x.Type}
}

// carried collects the pieces that a move carries, without duplicates and without the moving piece. taken reads a collected
// element by index, take appends one, and n counts them.
func (c *compiler) carried(m *model.Move, v *env, p *ir.Expr, n *ir.Local, taken func(i *ir.Expr) *ir.Expr, take func(q *ir.Expr) *ir.Stmt) ir.Body {
	return ir.Seq(set(n, 0), c.each(m.Carrying, v, func(elem *ir.Expr) ir.Body {
		q, known := &ir.Local{Name: "carried", NonNil: true}, ir.NewBlock()
		if !c.nonNil(elem) {
			elem = &ir.Expr{Op: ir.Present, A: elem, Site: c.site(m.Carrying.Span)}
		}
		body := ir.BreakIf(ir.Op2(ir.Eq, ir.Get(q), p), known)
		if !distinct(m.Carrying) {
			body = append(body, times(ir.Get(n), func(i *ir.Expr) ir.Body { return ir.BreakIf(ir.Op2(ir.Eq, taken(i), ir.Get(q)), known) })...)
		}
		body = append(body, take(ir.Get(q)), increment(n))
		return ir.Body{ir.Assign(q, elem), ir.BlockOf(known, body)}
	}))
}

// distinct reports whether a list contains no nil and no duplicate for certain.
func distinct(e *model.Expr) bool {
	switch e.Op {
	case model.OpMine, model.OpSet:
		return true
	case model.OpFilter, model.OpSortBy:
		return distinct(e.Args[0])
	case model.OpIf:
		return distinct(e.Args[1]) && distinct(e.Args[2])
	case model.OpCall:
		return distinct(e.Let.Body)
	}
	return false
}

// load emits the code that finds the pieces a move carries, lifts them after the moving piece, and puts them down after it.
// Each leaves its square like the moving piece, but does not land.
func (c *compiler) load(m *model.Move, p, to *ir.Expr) (find, lift, put ir.Body) {
	if m.Carrying == nil {
		return nil, nil, nil
	}
	v := inCells(m.Params)
	most := c.layout.Pieces
	base := c.layout.FrameEnd
	c.layout.FrameEnd += most
	n := local("load")
	kept := func(i *ir.Expr) *ir.Expr { return at(ir.CellAt, base, i) }
	find = c.carried(m, v, p, n, kept, func(q *ir.Expr) *ir.Stmt { return setCellAt(base, ir.Get(n), q) })
	takes := func(q *ir.Expr) ir.Body { return c.isCarried(q, model.AssignAdd) }
	all := func(body func(q *ir.Expr) ir.Body) ir.Body {
		return times(ir.Get(n), func(i *ir.Expr) ir.Body { return hold(&ir.Local{Name: "carried", NonNil: true}, kept(i), body) })
	}
	if c.rules.Carried != nil {
		find = append(find, all(takes)...)
	}
	lift = all(func(q *ir.Expr) ir.Body {
		return ir.Seq(native(code.TakeUp, q), takes(q), c.leaving(q, at(ir.CellAt, c.layout.At, q), true))
	})
	put = all(func(q *ir.Expr) ir.Body { return ir.When(c.inHand(q), native(code.PutAt, q, to), nil) })
	return find, lift, put
}

func (c *compiler) landing(p, to *ir.Expr) ir.Body {
	return c.raise(procKey{event: model.EventLand, outer: true}, p, to)
}

// stillAfter follows the reactions to an event: it ends the move if the piece is no longer in the hand. It emits nothing if
// the reactions cannot move pieces.
func (c *compiler) stillAfter(event model.EventKind, p *ir.Expr, dropped *ir.Label) ir.Body {
	if !c.mayMovePieces(func(x *model.Clause) bool { return x.Event == event }) {
		return nil
	}
	return ir.When(ir.Negate(c.inHand(p)), ir.Seq(c.nothingCarried(), ir.BreakTo(dropped)), nil)
}

// mayMovePieces reports whether the reactions that satisfy reacts may move pieces. Reactions to rank and drop count too,
// since the endings are checked afterwards.
func (c *compiler) mayMovePieces(reacts func(x *model.Clause) bool) bool {
	return c.plain || slices.ContainsFunc(c.clauses(model.ClauseOn, model.ClauseBefore), func(x *model.Clause) bool {
		return (reacts(x) || x.Event == model.EventRank || x.Event == model.EventDrop) && c.writes(x.Block).places
	})
}

// mayGivePieces reports whether the reactions to an event may change the owner of pieces.
func (c *compiler) mayGivePieces(e procKey) bool {
	return c.plain || slices.ContainsFunc(c.clauses(model.ClauseOn, model.ClauseBefore), func(x *model.Clause) bool {
		return (c.reactsTo(x, e) || x.Event == model.EventRank || x.Event == model.EventDrop) && c.writes(x.Block).vars[c.rules.Owner]
	})
}

// replayPath walks the path of the option again, step by step, and raises the events of the steps. It starts at node begin,
// or at the node of the piece if begin is nil.
func (c *compiler) replayPath(p, begin *ir.Expr, dropped *ir.Label) ir.Body {
	t := &c.tables
	i, node, back, turn := local("i"), local("node"), local("back"), local("code")
	from, place := &ir.Local{Name: "from", NonNil: true}, &ir.Local{Name: "place", NonNil: true}
	next := func(way *ir.Expr) *ir.Expr {
		if t.nodeForks < 0 {
			return ir.Choose(is(back, 0), at(ir.Table, t.nodeNext, ir.Get(node)), at(ir.Table, t.nodePrev, ir.Get(node)))
		}
		row := ir.Op2(ir.Add, ir.Op2(ir.Mul, ir.Get(node), ir.K(maxWays+1)), way)
		return ir.Choose(is(back, 0), at(ir.Table, t.nodeForks, row), at(ir.Table, t.nodeBacks, row))
	}
	heading := setCell(code.CellHeading, ir.Op2(ir.Sub, ir.K(1), ir.Op2(ir.Mul, ir.Get(back), ir.K(2))))
	first := begin
	if first == nil {
		first = at(ir.CellAt, c.layout.Node, p)
	}
	// A negative number of steps begins backwards.
	out := ir.Body{
		set(i, 0), ir.Assign(node, first), set(turn, 0),
		ir.Assign(back, ir.Op2(ir.Lt, cell(code.CellWalk), ir.K(0))), heading, // unchanged by a turn
	}
	var turned ir.Body
	if r := c.reactions(procKey{event: model.EventTurned, outer: true}, 2); r != nil {
		// The place ahead at the turn, or nil past the end of the track.
		way := ir.K(1)
		if t.nodeForks >= 0 {
			way = ir.Choose(is(turn, code.PathTurn), way, ir.Op2(ir.Sub, ir.Get(turn), ir.K(maxWays-1)))
		}
		ahead := next(way)
		met := local("met")
		turned = append(turned, ir.Assign(met, ahead))
		turned = append(turned, ir.When(ir.Op2(ir.Le, ir.K(0), ir.Get(met)), ir.Assign(met, at(ir.Table, t.nodePlace, ir.Get(met))), nil)...)
		turned = append(turned, call(r, p, ir.Get(met)))
		turned = append(turned, c.stillAfter(model.EventTurned, p, dropped)...)
	}
	turned = append(turned, ir.Assign(back, ir.Op2(ir.Sub, ir.K(1), ir.Get(back))))
	step := ir.Body{
		ir.Assign(from, at(ir.Table, t.nodePlace, ir.Get(node))), ir.Assign(node, next(ir.Get(turn))),
		ir.Assign(place, at(ir.Table, t.nodePlace, ir.Get(node))), heading,
	}
	if s := c.raise(procKey{event: model.EventStep, outer: true}, p, ir.Get(from), ir.Get(place)); s != nil {
		step = ir.Seq(step, s, c.stillAfter(model.EventStep, p, dropped))
	}
	if s := c.raise(procKey{event: model.EventPass, outer: true}, p, ir.Get(place)); s != nil {
		s = append(s, c.stillAfter(model.EventPass, p, dropped)...)
		step = append(step, ir.When(ir.Op2(ir.Lt, ir.Get(i), cell(code.CellPathLast)), s, nil)...)
	}
	loop := ir.NewLoop()
	var quick, ahead ir.Body
	if table := c.stepTable(); table >= 0 && begin == nil {
		far := &ir.Local{Name: "far", Brief: true}
		out := func(all *ir.Expr) ir.Body { return ir.BreakIf(all, loop) }
		quick = ir.Body{{Op: ir.Native, K: int(code.StrideAll), Low: table, Local: far}}
		quick = append(quick, out(ir.Op2(ir.Ne, ir.Get(far), ir.K(0)))...)
		ahead = ir.Body{
			{Op: ir.Native, K: int(code.Stride), Low: table, Local: far, Args: []*ir.Expr{ir.Get(i), ir.Get(node), ir.Get(back)}},
			ir.Assign(i, &ir.Expr{Op: ir.And, A: ir.Get(far), B: ir.K(1<<16 - 1)}),
			ir.Assign(node, &ir.Expr{Op: ir.Shr, A: ir.Get(far), B: ir.K(16)}),
		}
		ahead = append(ahead, out(ir.Op2(ir.Le, cell(code.CellPathLen), ir.Get(i)))...)
	}
	turns := is(turn, code.PathTurn)
	if t.nodeForks >= 0 {
		turns = ir.OrElse(turns, ir.Op2(ir.Lt, ir.K(maxWays), ir.Get(turn)))
	}
	rest := countLoop(i, cell(code.CellPathLen), func(i *ir.Expr) ir.Body {
		return append(ahead, ir.Body{
			nativeTo(turn, code.PathAt, i),
			{Op: ir.If, A: turns, Body: turned, Else: step},
		}...)
	})
	return ir.Body{ir.BlockOf(loop, quick, out, rest)}
}

// stepTable is the offset of a table over track nodes. It says whether any reaction to a step may apply when a piece leaves
// the node (bit 1) or enters it (bit 2). It is negative if this is not known statically.
func (c *compiler) stepTable() int {
	if c.plain || c.notes != nil || c.tables.nodeForks >= 0 || c.reacts(model.EventPass) {
		return -1
	}
	var values []int
	for colour, of := range c.rules.Colours {
		values = append(values, make([]int, c.prog.Nodes[colour]-len(values))...)
		for _, n := range c.rules.Track.Runs[of.Board].Nodes {
			value := 0
			for _, x := range c.clauses(model.ClauseOn) {
				if x.Event != model.EventStep {
					continue
				}
				mark, bit := c.stepLandmark(x)
				if mark < 0 {
					return -1
				}
				if c.rules.Board.Landmarks[mark].Values[of.Board] == n.Place {
					value |= bit
				}
			}
			values = append(values, value)
		}
	}
	return c.table(values...)
}

// stepLandmark is the landmark, of the walker's colour, that a reaction to a step tests for, and whether the piece must
// leave it (1) or enter it (2). The landmark is -1 if the condition has another form.
func (c *compiler) stepLandmark(x *model.Clause) (mark, bit int) {
	if x.When == nil || len(x.Params) != 3 {
		return -1, 0
	}
	for _, part := range conjuncts(x.When) {
		if part.Op != model.OpEq {
			continue
		}
		place, of := part.Args[0], part.Args[1]
		if place.Op != model.OpLocal {
			place, of = of, place
		}
		if place.Op != model.OpLocal || of.Op != model.OpMark || !colourOf(of.Args[0], x.Params[0]) {
			continue
		}
		for i := 1; i <= 2; i++ {
			if place.Local == x.Params[i] {
				return of.Int, i
			}
		}
	}
	return -1, 0
}

// colourOf reports whether an expression is the colour of a named piece.
func colourOf(e *model.Expr, p *model.Local) bool {
	return e.Op == model.OpField && e.Field == model.FieldColour && e.Args[0].Op == model.OpLocal && e.Args[0].Local == p
}
