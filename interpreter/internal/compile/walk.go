package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// walker emits the walk of one option: a loop over its steps, with the piece off its square. If a verdict or the track
// splits the path, the other branch is pushed on a stack in scratch memory and walked later.
type walker struct {
	*offering
	v *env

	prior                                        *ir.Local // the previous node, if an end clause reads it, otherwise nil
	node, back, left, taken, turned, next, place *ir.Local // back is 0 for forwards; for backwards, the offset from nodeNext to nodePrev
	verdict, second, forced, way                 *ir.Local
	depth                                        *ir.Local
	count                                        *ir.Local // of steps, if a walk may go back
	trail                                        int       // scratch area of the trail: three cells per step, see saveTrail
	load                                         *ir.Local // the number of carried pieces
	number                                       *ir.Expr  // of steps, negative for backwards
	carried                                      int       // scratch area of the carried pieces
	stack                                        int       // scratch area of the stack
	turning                                      *ir.Label // the code that turns around

	steps, ends, beyonds []*model.Clause
	turns, stops, splits bool // which verdicts occur
	returns              bool // the verdict back occurs too: it stops, and takes back steps that end early
	backs                bool // the walk may go backwards
	carries              bool // a clause reads the set of carried pieces
	late                 bool // the end clauses are evaluated only at the end
	forks                bool
	trace                bool // the path is recorded
	off                  off
}

// off is the time when the walker is off its square, for clauses that read which pieces stand where.
type off uint8

const (
	never  off = iota // no clause reads it
	atEnd             // only end clauses, evaluated at the end, read it
	always            // from the first step on
)

// frameSize is the number of cells of a branch on the stack; maxBranches bounds the stack.
const (
	frameSize   = 10
	maxBranches = 64
)

func (g *offering) walk(v *env) ir.Body {
	c := g.c
	handFree := c.handFree
	defer func() { c.handFree = handFree }()
	c.handFree = false // the walker is off its place
	w := &walker{
		offering: g, v: v, node: local("node"), back: local("back"), left: local("left"), taken: local("taken"), turned: local("turned"),
		next: local("next"), place: &ir.Local{Name: "s", NonNil: true}, verdict: local("verdict"), second: local("second"), forced: local("forced"),
		way: local("way"), depth: local("depth"), count: local("count"), load: local("load"),
		steps: c.clauses(model.ClauseStep), ends: c.clauses(model.ClauseEnd), beyonds: c.clauses(model.ClauseBeyond),
		forks: c.tables.nodeForks >= 0, trace: c.prog.Traced, turning: ir.NewBlock(),
	}
	if slices.ContainsFunc(w.ends, func(x *model.Clause) bool { return asksCell(x.When, model.CellHere) }) {
		w.prior = local("prior")
	}
	w.returns = w.gives(w.ends, model.VerdictBack)
	w.late = !w.returns && !w.site.explain && !w.fails()
	for i, list := range [][]*model.Clause{w.beyonds, w.steps, w.ends} {
		for _, x := range list {
			for _, verdict := range []model.Verdict{x.First, x.Second} {
				w.turns = w.turns || verdict == model.VerdictTurn
				w.stops = w.stops || stopping(verdict)
			}
			w.splits = w.splits || x.Second != model.NoVerdict
		}
		w.late = w.late && !w.turns && !w.splits && !(w.stops && i > 0 && w.gives(list, model.VerdictStop))
	}
	w.splits = w.splits || w.stops && w.site.explain
	w.backs = w.turns || c.lowest(g.may.Move.Where) < 0
	w.carries = g.may.Move.Carrying != nil && slices.ContainsFunc(slices.Concat(w.steps, w.ends, w.beyonds), func(x *model.Clause) bool {
		return asksVar(x.When, c.rules.Carried)
	})
	switch {
	case w.carries:
		w.off = always
	case w.readsBoard(w.steps) || w.readsBoard(w.beyonds) || !w.late && w.readsBoard(w.ends) || g.may.Move.Carrying != nil && !w.loadsSafely():
		w.off = always
	case w.readsBoard(w.ends):
		w.off = atEnd
	default:
		c.handFree = handFree
	}
	if w.branches() {
		w.stack = c.scratch(frameSize * maxBranches)
	}
	if w.returns {
		w.trail = c.scratch(trailSize * (code.MaxPath + 1))
	}
	if g.may.Move.Carrying != nil {
		w.carried = c.scratch(c.layout.Pieces)
	}
	return w.generate()
}

// stopping reports whether a verdict ends a walk before its step.
func stopping(v model.Verdict) bool { return v == model.VerdictStop || v == model.VerdictBack }

// gives reports whether any of the clauses gives a verdict.
func (w *walker) gives(clauses []*model.Clause, verdict model.Verdict) bool {
	return slices.ContainsFunc(clauses, func(x *model.Clause) bool { return x.First == verdict || x.Second == verdict })
}

// readsBoard reports whether any of the clauses depends on the walker being off its square, because it reads which pieces
// stand where. The pieces on the square of the step itself do not depend on that, unless other pieces are in the hand, or
// the walk may return to where it began.
func (w *walker) readsBoard(clauses []*model.Clause) (looks bool) {
	var asked ir.Body
	w.c.withoutNotes(func() {
		for _, x := range clauses {
			asked = append(asked, ir.Assign(&ir.Local{}, w.c.holds(x.When, w.stepEnv(x, ir.Get(w.place), ir.Get(w.left), w.here(w.node)))))
		}
	})
	l := w.c.layout
	places := map[*ir.Local]bool{w.place: !w.c.prog.TakesUp && !w.turns && !w.c.winding} // locals that hold only the place of the step
	there := func(e *ir.Expr) bool { return e.Op == ir.Use && places[e.Local] }
	ir.Walk(asked, func(s *ir.Stmt) bool {
		if s.Local != nil {
			before, known := places[s.Local]
			places[s.Local] = (before || !known) && s.Op == ir.Set && there(s.A)
		}
		looks = looks || s.Op == ir.Call || s.Asks != nil
		return true
	}, func(e *ir.Expr) bool {
		a, b := e.A, e.B
		switch {
		case e.Op == ir.AndNot && a.Op == ir.Derived && a.K == code.DerivedPlaces && there(a.A) && b.Op == ir.Derived && b.K == code.DerivedHand:
			return false // the pieces on that place
		case e.Op == ir.Walkers, e.Asks != nil, e.Op == ir.Derived && !(e.K == code.DerivedPlaces && there(a)):
			looks = true
		case (e.Op == ir.Cell || e.Op == ir.CellAt || e.Op == ir.Having) && l.Listed(e.K):
			looks = looks || !(e.Op == ir.CellAt && (e.K == l.Count || e.K == l.Head) && there(a) || e.Op == ir.CellAt && e.K == l.Next && places[w.place])
		}
		return !looks
	})
	return looks
}

// loadsSafely reports whether finding the pieces that a walk carries never faults.
func (w *walker) loadsSafely() (sound bool) {
	w.c.withoutNotes(func() { sound = w.c.faultFreeAll(w.loading(func(q *ir.Expr) *ir.Stmt { return ir.Assign(w.load, q) })) })
	return sound
}

// fails reports whether a clause that says go may fault. Such a clause matters even if no verdict turns, stops or splits a
// walk.
func (w *walker) fails() bool {
	place := ir.Get(&ir.Local{Name: "s", NonNil: true})
	return slices.ContainsFunc(slices.Concat(w.steps, w.ends), func(x *model.Clause) bool {
		return x.First != model.VerdictBar && x.When != nil && !w.c.faultFree(w.c.expr(x.When, w.stepEnv(x, place, ir.Get(w.left), w.here(w.node))))
	})
}

func (w *walker) branches() bool { return w.splits || w.forks }

// asksTaken reports whether the code must know if any step has been taken.
func (w *walker) asksTaken() bool { return w.turns || w.stops || w.site.explain }

// only is code that is there if a condition on the rules holds.
func only(cond bool, parts ...ir.Code) ir.Body {
	if !cond {
		return nil
	}
	return ir.Seq(parts...)
}

func local(name string) *ir.Local { return &ir.Local{Name: name} }

func set(l *ir.Local, v int) *ir.Stmt { return ir.Assign(l, ir.K(v)) }

func increment(l *ir.Local) *ir.Stmt { return ir.Assign(l, ir.Op2(ir.Add, ir.Get(l), ir.K(1))) }

func is(l *ir.Local, v int) *ir.Expr { return ir.Op2(ir.Eq, ir.Get(l), ir.K(v)) }

func native(op code.NativeOp, args ...*ir.Expr) *ir.Stmt {
	return &ir.Stmt{Op: ir.Native, K: int(op), Args: args}
}

// nativeOf is a native operation with an immediate operand.
func nativeOf(op code.NativeOp, low int, args ...*ir.Expr) *ir.Stmt {
	return &ir.Stmt{Op: ir.Native, K: int(op), Low: low, Args: args}
}

// nativeTo is a native operation with a result.
func nativeTo(l *ir.Local, op code.NativeOp, args ...*ir.Expr) *ir.Stmt {
	return &ir.Stmt{Op: ir.Native, K: int(op), Local: l, Args: args}
}

func call(p *ir.Proc, args ...*ir.Expr) *ir.Stmt { return &ir.Stmt{Op: ir.Call, Proc: p, Args: args} }

// storeScratch writes an element of an array in scratch memory.
func storeScratch(k int, index, x *ir.Expr) *ir.Stmt {
	return &ir.Stmt{Op: ir.StoreScr, K: k, B: index, A: x}
}

// generate emits the whole walk: lift the piece, follow every path, put the piece back.
func (w *walker) generate() ir.Body {
	c, p := w.c, w.args[0]
	w.number = c.expr(w.may.Move.Where, w.bind(w.may.Move.Params, w.v))
	var begin ir.Body
	if op := w.number.Op; op != ir.Cell && op != ir.Const && op != ir.Use {
		number := local("number")
		begin = append(begin, ir.Assign(number, w.number))
		w.number = ir.Get(number)
	}
	counted := len(begin)
	backwards := ir.Body{ir.Assign(w.left, ir.Op2(ir.Sub, ir.K(0), w.number)), set(w.back, w.prevOffset())}
	begin = ir.Seq(begin, ir.Assign(w.node, at(ir.CellAt, c.layout.Node, p)), ir.Assign(w.left, w.number),
		only(w.backs, set(w.back, 0), ir.When(ir.Op2(ir.Lt, w.number, ir.K(0)), backwards, nil)),
		only(w.asksTaken(), set(w.taken, 0)), only(w.turns, set(w.turned, 0)),
		only(w.prior != nil, ir.Assign(w.prior, ir.Get(w.node))), only(w.branches(), set(w.depth, 0), set(w.way, 0)),
		only(w.splits, set(w.forced, 0), set(w.verdict, 0), set(w.second, 0)), only(w.trace, native(code.PathReset)),
		only(w.returns, set(w.count, 0), w.saveTrail()))
	path := w.path()
	if w.branches() {
		all := ir.NewLoop()
		path = ir.Body{ir.LoopOf(all, path, ir.BreakIf(is(w.depth, 0), all), w.pop())}
	}
	body := ir.Seq(begin, w.lift(always), path, w.relink(always))
	// A piece off its track, or zero steps, makes no walk. An explaining site reports zero steps.
	moves := ir.Op2(ir.Le, ir.K(0), at(ir.CellAt, c.layout.Node, p))
	if !w.site.explain && c.lowest(w.may.Move.Where) <= 0 {
		body = ir.Seq(body[:counted:counted], ir.When(ir.Op2(ir.Ne, w.number, ir.K(0)), body[counted:], nil))
	}
	return ir.When(moves, body, nil)
}

// loading collects the pieces that the walk carries.
func (w *walker) loading(take func(q *ir.Expr) *ir.Stmt) ir.Body {
	kept := func(i *ir.Expr) *ir.Expr { return at(ir.Scratch, w.carried, i) }
	return w.c.carried(w.may.Move, w.bind(w.may.Move.Params, w.v), w.args[0], w.load, kept, take)
}

// lift takes the walker and the pieces it carries off their squares, if when is the chosen time. relink undoes it in reverse
// order.
func (w *walker) lift(when off) ir.Body {
	lift := native(code.Lift, w.args[0])
	switch {
	case when != w.off || when == never:
		return nil
	case w.may.Move.Carrying == nil:
		return ir.Body{lift}
	}
	n := w.load
	return ir.Seq(
		w.loading(func(q *ir.Expr) *ir.Stmt { return storeScratch(w.carried, ir.Get(n), q) }),
		lift,
		times(ir.Get(n), func(i *ir.Expr) ir.Body {
			q := &ir.Local{Name: "carried", NonNil: true}
			take := ir.Body{ir.Assign(q, at(ir.Scratch, w.carried, i)), native(code.Lift, ir.Get(q))}
			if w.carries {
				take = append(take, w.c.isCarried(ir.Get(q), model.AssignAdd)...)
			}
			return take
		}),
	)
}

func (w *walker) relink(when off) ir.Body {
	if when != w.off || when == never {
		return nil
	}
	var out ir.Body
	if w.may.Move.Carrying != nil {
		loop, q := ir.NewLoop(), &ir.Local{Name: "carried", NonNil: true}
		out = ir.Body{ir.LoopOf(loop, ir.BreakIf(is(w.load, 0), loop), ir.Assign(w.load, ir.Op2(ir.Sub, ir.Get(w.load), ir.K(1))),
			ir.Assign(q, at(ir.Scratch, w.carried, ir.Get(w.load))), native(code.Relink, ir.Get(q)))}
	}
	if w.carries {
		out = append(out, w.c.nothingCarried()...)
	}
	return append(out, native(code.Relink, w.args[0]))
}

// path walks one branch to its end and emits the option.
func (w *walker) path() ir.Body {
	c := w.c
	failed, walk := ir.NewBlock(), ir.NewLoop()
	steps := ir.LoopOf(walk, ir.BreakIf(is(w.left, 0), walk), w.nextNode(), w.judge(failed, walk), w.advance())
	steps.Sure = !w.site.explain
	end := &ir.Local{Name: "end", NonNil: true}
	// No step, no move.
	body := ir.Seq(steps, only(!w.site.explain && w.asksTaken(), ir.BreakIf(is(w.taken, 0), failed)),
		ir.Assign(end, at(ir.Table, c.tables.nodePlace, ir.Get(w.node))))
	barred := failed
	if w.off == atEnd {
		barred = ir.NewBlock()
	}
	last := w.lift(atEnd)
	switch {
	case w.late:
		last = append(last, w.judgeEnd(end, barred)...)
	case w.turns || w.stops: // the walk ended early: judge the square now
		early := ir.Op2(ir.Lt, ir.K(0), ir.Get(w.left))
		if w.site.explain {
			early = ir.AndAlso(early, is(w.taken, 1))
		}
		last = ir.When(early, w.judgeEnd(end, barred), nil)
		if w.returns {
			last = w.goBack(end, early, failed)
		}
	}
	heading := w.heading()
	if w.turns { // the direction of the last step, not of a turn after it
		heading = ir.Choose(is(w.turned, 1), ir.Op2(ir.Sub, ir.K(0), heading), heading)
	}
	emit := ir.Seq(w.relink(w.off), w.option(ir.Get(end), ir.Get(w.node), heading, w.number, w.v))
	if w.off == atEnd {
		emit = append(emit, ir.BreakTo(failed))
		body = ir.Seq(body, only(w.may.Move.Carrying != nil, &ir.Stmt{Op: ir.Declare, Local: w.load}),
			ir.BlockOf(barred, last, emit))
		return ir.Body{ir.BlockOf(failed, body, w.relink(atEnd))}
	}
	body = append(body, last...)
	emit = append(emit, w.lift(always)...)
	if w.site.explain { // without a step there is no end
		emit = ir.When(is(w.taken, 1), emit, w.nowhere())
	}
	return ir.Body{ir.BlockOf(failed, body, emit)}
}

// nowhere emits, at an explaining site, a walk that has no end.
func (w *walker) nowhere() ir.Body {
	return ir.Seq(w.relink(always), w.option(ir.K(-1), ir.K(-1), ir.K(1), w.number, w.v), w.lift(always))
}

// prevOffset is the offset from the table of next nodes to the table of previous ones.
func (w *walker) prevOffset() int { return w.c.tables.nodePrev - w.c.tables.nodeNext }

// heading is the present direction, 1 or -1.
func (w *walker) heading() *ir.Expr {
	if !w.backs {
		return ir.K(1)
	}
	return ir.Choose(is(w.back, 0), ir.K(1), ir.K(-1))
}

// nextNode finds the next node in the present direction, -1 past the end of the track.
func (w *walker) nextNode() ir.Body {
	t := &w.c.tables
	from := ir.Get(w.node)
	if w.backs {
		from = ir.Op2(ir.Add, from, ir.Get(w.back))
	}
	out := ir.Body{ir.Assign(w.next, at(ir.Table, t.nodeNext, from))}
	if !w.forks {
		return out
	}
	// At a fork, push the other ways. A branch popped from the stack names its way.
	row, i, ways := local("row"), local("i"), local("ways")
	way := func(n *ir.Expr) *ir.Expr { return at(ir.Table, t.nodeForks, n) }
	others := ir.Seq(ir.Assign(ways, way(ir.Get(row))), set(i, 1), countLoop(i, ir.Get(ways), func(i *ir.Expr) ir.Body {
		return w.push(ir.K(0), ir.Op2(ir.Add, i, ir.K(1)))
	}), set(w.way, 1))
	divided := ir.Seq(ir.Assign(row, ir.Op2(ir.Mul, from, ir.K(maxWays+1))), ir.When(is(w.way, 0), others, nil),
		ir.Assign(w.next, way(ir.Op2(ir.Add, ir.Get(row), ir.Get(w.way)))))
	return append(out, ir.When(ir.Op2(ir.Eq, ir.Get(w.next), ir.K(divides)), divided, nil)...)
}

// trailSize is the number of cells that save the walk after one step: its node, its direction, the length of its path.
const trailSize = 3

// saveTrail saves the walk after its steps so far.
func (w *walker) saveTrail() ir.Body {
	base, n := local("base"), local("length")
	store := func(i int, x *ir.Expr) *ir.Stmt { return storeScratch(w.trail+i, ir.Get(base), x) }
	return ir.Seq(ir.Assign(base, ir.Op2(ir.Mul, ir.Get(w.count), ir.K(trailSize))), store(0, ir.Get(w.node)),
		only(w.backs, store(1, ir.Get(w.back))), only(w.trace, nativeTo(n, code.PathLen), store(2, ir.Get(n))))
}

// advance takes the step.
func (w *walker) advance() ir.Body {
	far := w.c.failIf(ir.Op2(ir.Le, ir.K(code.MaxPath), ir.Get(w.count)), code.FaultPath, source.Span{})
	way := ir.K(1)
	if w.forks {
		way = ir.Choose(is(w.way, 0), ir.K(1), ir.Get(w.way))
	}
	return ir.Seq(only(w.returns, far, increment(w.count)), only(w.prior != nil, ir.Assign(w.prior, ir.Get(w.node))),
		ir.Assign(w.node, ir.Get(w.next)), ir.Assign(w.left, ir.Op2(ir.Sub, ir.Get(w.left), ir.K(1))),
		only(w.asksTaken(), set(w.taken, 1)), only(w.turns, set(w.turned, 0)), only(w.trace, native(code.PathPush, way)),
		only(w.forks, set(w.way, 0)), only(w.returns, w.saveTrail()))
}

// fields are the locals that a stack frame saves, besides the verdict, the way and the path.
func (w *walker) fields() []*ir.Local {
	out := []*ir.Local{w.node, w.left}
	for _, x := range []struct {
		local *ir.Local
		used  bool
	}{{w.taken, w.asksTaken()}, {w.back, w.backs}, {w.turned, w.turns}, {w.prior, w.prior != nil}, {w.count, w.returns}} {
		if x.used {
			out = append(out, x.local)
		}
	}
	return out
}

// push saves a branch on the stack: the present walk, with the verdict and the way to continue with.
func (w *walker) push(verdict, way *ir.Expr) ir.Body {
	base, n := ir.Op2(ir.Mul, ir.Get(w.depth), ir.K(frameSize)), local("length")
	store := func(i int, x *ir.Expr) *ir.Stmt { return storeScratch(w.stack+i, base, x) }
	out := w.c.failIf(ir.Op2(ir.Le, ir.K(maxBranches), ir.Get(w.depth)), code.FaultPath, source.Span{})
	for i, l := range w.fields() {
		out = append(out, store(i, ir.Get(l)))
	}
	return ir.Seq(out, only(w.splits, store(7, verdict)), store(8, way), only(w.trace, nativeTo(n, code.PathLen), store(9, ir.Get(n))),
		only(w.site.explain, native(code.ReasonsKeep)), increment(w.depth))
}

// pop restores the branch on top of the stack.
func (w *walker) pop() ir.Body {
	base := local("base")
	load := func(i int) *ir.Expr { return at(ir.Scratch, w.stack+i, ir.Get(base)) }
	out := ir.Body{ir.Assign(w.depth, ir.Op2(ir.Sub, ir.Get(w.depth), ir.K(1))),
		ir.Assign(base, ir.Op2(ir.Mul, ir.Get(w.depth), ir.K(frameSize)))}
	for i, l := range w.fields() {
		out = append(out, ir.Assign(l, load(i)))
	}
	return ir.Seq(out, only(w.splits, ir.Assign(w.forced, load(7))), ir.Assign(w.way, load(8)),
		only(w.trace, native(code.PathCut, load(9))), only(w.site.explain, native(code.ReasonsBack)))
}
