package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// walker generates the walk of one option: a loop over its steps, the piece being off its square. Where a verdict or
// the track divides the path, the other branch is kept on a stack in the scratch memory and walked afterwards.
type walker struct {
	*offering
	v *env

	node, back, left, taken, turned, next, place *ir.Local // back: 1 when it goes backwards
	verdict, second, forced, way, ways, bad      *ir.Local
	depth, number                                *ir.Local
	load                                         *ir.Local // how many pieces are carried
	carried                                      int       // scratch: which
	stack                                        int       // scratch

	steps, ends, beyonds []*model.Clause
	turns, stops, splits bool // verdicts there are
	forks                bool
	trace                bool // the path is needed
}

// frameSize is the cells of one branch on the stack; maxBranches bounds them.
const (
	frameSize   = 8
	maxBranches = 64
)

func (g *offering) walk(v *env) []*ir.Stmt {
	c := g.c
	defer func(was bool) { c.handFree = was }(c.handFree)
	c.handFree = false // the walker is off its place
	local := func(name string) *ir.Local { return &ir.Local{Name: name} }
	w := &walker{
		offering: g, v: v, node: local("node"), back: local("back"), left: local("left"), taken: local("taken"), turned: local("turned"),
		next: local("next"), place: local("s"), verdict: local("verdict"), second: local("second"), forced: local("forced"),
		way: local("way"), ways: local("ways"), bad: local("bad"), depth: local("depth"), number: local("number"), load: local("load"),
		steps: c.clauses(model.ClauseStep), ends: c.clauses(model.ClauseEnd), beyonds: c.clauses(model.ClauseBeyond),
		forks: c.tables.nodeForks >= 0, trace: c.prog.Traced,
	}
	for _, list := range [][]*model.Clause{w.steps, w.ends, w.beyonds} {
		for _, x := range list {
			for _, verdict := range []model.Verdict{x.First, x.Second} {
				w.turns = w.turns || verdict == model.VerdictTurn
				w.stops = w.stops || verdict == model.VerdictStop
			}
			w.splits = w.splits || x.Second != model.NoVerdict
		}
	}
	if w.splits || w.forks {
		w.stack = c.scratch(frameSize * maxBranches)
	}
	if g.may.Move.Carrying != nil {
		w.carried = c.scratch(c.layout.Pieces)
	}
	if !w.turns && !w.stops && !w.branches() && !w.site.explain && !w.fails() {
		return w.straight()
	}
	return w.generate()
}

// fails reports whether a clause that says go may fail, and so matters where nothing turns, stops or divides a walk.
func (w *walker) fails() bool {
	place := ir.Get(&ir.Local{Name: "s", NonNil: true})
	return slices.ContainsFunc(slices.Concat(w.steps, w.ends), func(x *model.Clause) bool {
		return x.First != model.VerdictBar && x.When != nil && !w.c.sound(w.c.expr(x.When, w.stepEnv(x, place, ir.Get(w.left))))
	})
}

// straight is the walk of rules that only bar: nothing turns, stops or divides it, so the end clauses can wait for
// its end, and its direction is settled before it begins.
func (w *walker) straight() []*ir.Stmt {
	c, p, t := w.c, w.args[0], &w.c.tables
	number := c.expr(w.may.Move.Where, w.bind(w.may.Move.Params, w.v))
	low := c.lowest(w.may.Move.Where)
	var out []*ir.Stmt
	if number.Op != ir.Cell && number.Op != ir.Const {
		out = append(out, ir.Assign(w.number, number))
		number = ir.Get(w.number)
	}
	out = append(out, ir.Assign(w.node, at(ir.CellAt, c.layout.Node, p)), ir.Assign(w.left, number))
	ahead, heading := at(ir.Table, t.nodeNext, ir.Get(w.node)), ir.K(1)
	if low < 0 {
		out = append(out, set(w.back, 0))
		out = append(out, ir.When(ir.Op2(ir.Lt, number, ir.K(0)),
			[]*ir.Stmt{ir.Assign(w.left, ir.Op2(ir.Sub, ir.K(0), number)), set(w.back, 1)}, nil)...)
		ahead = ir.Choose(is(w.back, 0), ahead, at(ir.Table, t.nodePrev, ir.Get(w.node)))
		heading = ir.Op2(ir.Sub, ir.K(1), ir.Op2(ir.Mul, ir.Get(w.back), ir.K(2)))
	}
	w.place.NonNil = true
	walks, failed, steps := ir.NewBlock(), ir.NewBlock(), ir.NewLoop()
	step := []*ir.Stmt{ir.Assign(w.node, ahead)}
	step = append(step, ir.When(ir.Op2(ir.Lt, ir.Get(w.node), ir.K(0)), w.beyond(failed), nil)...)
	step = append(step, ir.Assign(w.place, at(ir.Table, t.nodePlace, ir.Get(w.node))))
	step = append(step, w.verdicts(w.steps, failed)...)
	if w.trace {
		step = append(step, native(code.PathPush, ir.K(1)))
	}
	step = append(step, ir.Assign(w.left, ir.Op2(ir.Sub, ir.Get(w.left), ir.K(1))))
	step = append(step, ir.BreakIf(is(w.left, 0), steps)...)
	good := []*ir.Stmt{{Op: ir.Declare, Local: w.place}, ir.LoopOf(steps, step...)}
	for _, x := range w.ends {
		if x.First != model.VerdictBar {
			continue // go says nothing that is not so without it
		}
		cond := ir.K(1)
		if x.When != nil {
			cond = c.expr(x.When, w.stepEnv(x, ir.Get(w.place), ir.K(0)))
		}
		good = append(good, ir.When(c.asked(x, cond), w.barred(x, failed), nil)...)
	}
	var body, back []*ir.Stmt
	if !w.stays(good) {
		body, back = w.lift(), w.relink()
	}
	if w.trace {
		body = append(body, native(code.PathReset))
	}
	good = append(good, back...)
	good = append(good, w.option(ir.Get(w.place), ir.Get(w.node), heading, number, w.v)...)
	good = append(good, ir.BreakTo(walks))
	body = append(append(body, ir.BlockOf(failed, good...)), back...)
	// A piece off its track does not walk, and no step is no move.
	moves := ir.Op2(ir.Le, ir.K(0), ir.Get(w.node))
	if low <= 0 {
		moves = ir.AndAlso(moves, ir.Op2(ir.Ne, ir.Get(w.left), ir.K(0)))
	}
	return append(out, ir.BlockOf(walks, ir.When(moves, body, nil)...))
}

// stays reports whether a straight walk can be judged with its piece where it stands: nothing else is taken up, no track comes to a place twice, and of
// what taking the piece up changes, what is asked reads no more than which pieces stand where the step goes.
func (w *walker) stays(body []*ir.Stmt) bool {
	c, l := w.c, w.c.layout
	if c.prog.TakesUp || !c.once() {
		return false
	}
	places := map[*ir.Local]bool{w.place: true} // locals that hold nothing but where a step goes
	there := func(e *ir.Expr) bool { return e.Op == ir.Use && places[e.Local] }
	ir.Walk(body, func(s *ir.Stmt) bool {
		if l := s.Local; l != nil && l != w.place {
			before, known := places[l]
			places[l] = (before || !known) && s.Op == ir.Set && there(s.A)
		}
		return true
	}, nil)
	stays := true
	ir.Walk(body, func(s *ir.Stmt) bool {
		stays = stays && s.Op != ir.Call && s.Asks == nil
		return stays
	}, func(e *ir.Expr) bool {
		if a, b := e.A, e.B; e.Op == ir.AndNot && a.Op == ir.Derived && a.K == code.DerivedPlaces && there(a.A) && b.Op == ir.Derived && b.K == code.DerivedHand {
			return false // the pieces that stand there
		}
		switch {
		case e.Op == ir.Walkers, e.Asks != nil:
			stays = false
		case e.Op == ir.Derived && (e.K == code.DerivedHand || e.K == code.DerivedCrowd):
			stays = false
		case (e.Op == ir.Cell || e.Op == ir.CellAt) && l.Listed(e.K):
			stays = stays && (e.Op == ir.CellAt && (e.K == l.Count || e.K == l.Head) && there(e.A) || e.K == l.Next)
		}
		return stays
	})
	return stays
}

// once reports whether no track comes to a place twice.
func (c *compiler) once() bool {
	for _, run := range c.rules.Track.Runs {
		seen := map[int]bool{}
		for _, n := range run.Nodes {
			if seen[n.Place] {
				return false
			}
			seen[n.Place] = true
		}
		for i, n := range run.Nodes {
			if slices.ContainsFunc(n.Next, func(next int) bool { return next <= i }) {
				return false
			}
		}
	}
	return true
}

func (w *walker) branches() bool { return w.splits || w.forks }

func set(l *ir.Local, v int) *ir.Stmt { return ir.Assign(l, ir.K(v)) }

func is(l *ir.Local, v int) *ir.Expr { return ir.Op2(ir.Eq, ir.Get(l), ir.K(v)) }

func native(op code.NativeOp, args ...*ir.Expr) *ir.Stmt {
	return &ir.Stmt{Op: ir.Native, K: int(op), Args: args}
}

// generate is the whole walk: off its square, every path, and back again.
func (w *walker) generate() []*ir.Stmt {
	c, p := w.c, w.args[0]
	number := w.number
	begin := []*ir.Stmt{
		ir.Assign(number, c.expr(w.may.Move.Where, w.bind(w.may.Move.Params, w.v))),
		ir.Assign(w.node, at(ir.CellAt, c.layout.Node, p)),
		set(w.back, 0), ir.Assign(w.left, ir.Get(number)), set(w.taken, 0), set(w.turned, 0),
		set(w.next, -1), set(w.place, -1),
	}
	begin = append(begin, ir.When(ir.Op2(ir.Lt, ir.Get(number), ir.K(0)),
		[]*ir.Stmt{ir.Assign(w.left, ir.Op2(ir.Sub, ir.K(0), ir.Get(number))), set(w.back, 1)}, nil)...)
	if w.branches() {
		begin = append(begin, set(w.depth, 0), set(w.forced, 0), set(w.way, 0), set(w.ways, 1))
	}
	if w.turns || w.stops || w.branches() {
		begin = append(begin, set(w.verdict, 0), set(w.second, 0))
	}
	if w.trace {
		begin = append(begin, native(code.PathReset))
	}
	path := w.path()
	if w.branches() {
		all := ir.NewLoop()
		path = append(path, ir.BreakIf(is(w.depth, 0), all)...)
		path = append(path, w.pop()...)
		path = []*ir.Stmt{ir.LoopOf(all, path...)}
	}
	body := append(begin, w.lift()...)
	body = append(body, path...)
	body = append(body, w.relink()...)
	// A piece off its track, or a count of nothing, does not walk. Where it explains, it tells so.
	moves := ir.Op2(ir.Le, ir.K(0), at(ir.CellAt, c.layout.Node, p))
	if !w.site.explain && c.lowest(w.may.Move.Where) <= 0 {
		body = append(body[:1:1], ir.When(ir.Op2(ir.Ne, ir.Get(number), ir.K(0)), body[1:], nil)...)
	}
	return ir.When(moves, body, nil)
}

// lift takes the walker, and what it carries, off their squares; relink undoes it in the opposite order.
func (w *walker) lift() []*ir.Stmt {
	lift, m := native(code.Lift, w.args[0]), w.may.Move
	if m.Carrying == nil {
		return []*ir.Stmt{lift}
	}
	c := w.c
	n, i := w.load, &ir.Local{Name: "i"}
	kept := func(i *ir.Expr) *ir.Expr { return at(ir.Scratch, w.carried, i) }
	out := c.carried(m, w.bind(w.may.Move.Params, w.v), w.args[0], n, kept, func(q *ir.Expr) *ir.Stmt {
		return &ir.Stmt{Op: ir.StoreScr, K: w.carried, B: ir.Get(n), A: q}
	})
	out = append(out, lift, set(i, 0))
	return append(out, c.counting(i, ir.Get(n), false, ir.K(0), func(i *ir.Expr) []*ir.Stmt {
		q := &ir.Local{Name: "carried", NonNil: true}
		return []*ir.Stmt{ir.Assign(q, kept(i)), native(code.Lift, ir.Get(q))}
	})...)
}

func (w *walker) relink() []*ir.Stmt {
	var out []*ir.Stmt
	if w.may.Move.Carrying != nil {
		loop, q := ir.NewLoop(), &ir.Local{Name: "carried", NonNil: true}
		stmts := ir.BreakIf(is(w.load, 0), loop)
		stmts = append(stmts, ir.Assign(w.load, ir.Op2(ir.Sub, ir.Get(w.load), ir.K(1))), ir.Assign(q, at(ir.Scratch, w.carried, ir.Get(w.load))), native(code.Relink, ir.Get(q)))
		out = append(out, ir.LoopOf(loop, stmts...))
	}
	return append(out, native(code.Relink, w.args[0]))
}

// path walks one branch to its end and emits the option.
func (w *walker) path() []*ir.Stmt {
	c := w.c
	failed, walk := ir.NewBlock(), ir.NewLoop()
	step := ir.BreakIf(is(w.left, 0), walk)
	step = append(step, w.ahead()...)
	step = append(step, w.judge(failed, walk)...)
	step = append(step, w.advance()...)
	body := []*ir.Stmt{ir.LoopOf(walk, step...)}
	// No step, no move.
	if w.site.explain {
		body = append(body, set(w.bad, 0))
	} else {
		body = append(body, ir.BreakIf(is(w.taken, 0), failed)...)
	}
	if w.turns || w.stops { // it ended before its number did: the square it ended on is judged now
		early := ir.Op2(ir.Lt, ir.K(0), ir.Get(w.left))
		if w.site.explain {
			early = ir.AndAlso(early, is(w.taken, 1))
		}
		body = append(body, ir.When(early, w.judgeEnd(failed), nil)...)
	}
	heading := ir.Op2(ir.Sub, ir.K(1), ir.Op2(ir.Mul, ir.Get(w.back), ir.K(2)))
	if w.turns { // the direction of the last step, not of a turn after it
		heading = ir.Choose(is(w.turned, 1), ir.Op2(ir.Sub, ir.K(0), heading), heading)
	}
	end := &ir.Local{Name: "end"}
	body = append(body, ir.Assign(end, at(ir.Table, c.tables.nodePlace, ir.Get(w.node))))
	emit := append(w.relink(), w.option(ir.Get(end), ir.Get(w.node), heading, ir.Get(w.number), w.v)...)
	emit = append(emit, w.lift()...)
	if w.site.explain { // where no step could be taken there is no end
		none := append(w.relink(), w.option(ir.K(-1), ir.K(-1), ir.K(1), ir.Get(w.number), w.v)...)
		none = append(none, w.lift()...)
		emit = ir.When(ir.AndAlso(ir.Op2(ir.Lt, ir.K(0), ir.Get(w.taken)), is(w.bad, 0)), emit, none)
	}
	body = append(body, emit...)
	return []*ir.Stmt{ir.BlockOf(failed, body...)}
}

// ahead finds the next node in the present direction, -1 past the track's end.
func (w *walker) ahead() []*ir.Stmt {
	t := &w.c.tables
	plain := ir.Choose(is(w.back, 0), at(ir.Table, t.nodeNext, ir.Get(w.node)), at(ir.Table, t.nodePrev, ir.Get(w.node)))
	if !w.forks {
		return []*ir.Stmt{ir.Assign(w.next, plain)}
	}
	row := ir.Op2(ir.Mul, ir.Get(w.node), ir.K(maxWays+1))
	number := ir.Choose(is(w.back, 0), at(ir.Table, t.nodeForks, row), at(ir.Table, t.nodeBacks, row))
	out := []*ir.Stmt{ir.Assign(w.ways, number)}
	// Where the track divides, the other ways are for later; a branch taken up from the stack says which it is.
	i := &ir.Local{Name: "i"}
	others := []*ir.Stmt{ir.Assign(i, ir.K(1))}
	others = append(others, w.c.counting(i, ir.Get(w.ways), false, ir.K(0), func(i *ir.Expr) []*ir.Stmt {
		return w.push(ir.K(0), ir.Op2(ir.Add, i, ir.K(1)))
	})...)
	others = append(others, set(w.way, 1))
	out = append(out, ir.When(ir.AndAlso(is(w.way, 0), ir.Op2(ir.Lt, ir.K(1), ir.Get(w.ways))), others, nil)...)
	chosen := ir.Op2(ir.Add, row, ir.Choose(is(w.way, 0), ir.K(1), ir.Get(w.way)))
	out = append(out, ir.Assign(w.next, ir.Choose(ir.Op2(ir.Eq, ir.Get(w.ways), ir.K(0)), ir.K(-1),
		ir.Choose(is(w.back, 0), at(ir.Table, t.nodeForks, chosen), at(ir.Table, t.nodeBacks, chosen)))))
	return out
}

// judge asks the clauses about the step ahead and acts on the verdict; what it leaves to advance is "go".
func (w *walker) judge(failed, walk *ir.Label) []*ir.Stmt {
	beyond := w.beyond(failed)
	into := []*ir.Stmt{ir.Assign(w.place, at(ir.Table, w.c.tables.nodePlace, ir.Get(w.next)))}
	into = append(into, w.verdicts(append(append([]*model.Clause{}, w.steps...), w.ends...), failed)...)
	ask := []*ir.Stmt{{Op: ir.If, A: ir.Op2(ir.Lt, ir.Get(w.next), ir.K(0)), Body: beyond, Else: into}}
	if !w.turns && !w.stops && !w.branches() {
		return ask
	}
	var out []*ir.Stmt
	fresh := append([]*ir.Stmt{set(w.verdict, int(model.VerdictGo)), set(w.second, 0)}, ask...)
	if w.splits {
		fresh = append(fresh, ir.When(ir.Op2(ir.Ne, ir.Get(w.second), ir.K(0)), w.push(ir.Get(w.second), ir.Get(w.way)), nil)...)
	}
	if w.branches() { // a branch from the stack has its verdict already
		out = append(out, &ir.Stmt{Op: ir.If, A: is(w.forced, 0), Body: fresh,
			Else: []*ir.Stmt{ir.Assign(w.verdict, ir.Get(w.forced)), set(w.forced, 0)}})
	} else {
		out = fresh
	}
	if w.stops {
		out = append(out, ir.BreakIf(is(w.verdict, int(model.VerdictStop)), walk)...)
	}
	if w.turns {
		// Turning twice with no step between ends the walk.
		turn := []*ir.Stmt{ir.Assign(w.back, ir.Op2(ir.Sub, ir.K(1), ir.Get(w.back)))}
		if w.trace {
			met := ir.K(code.PathTurn)
			if w.forks {
				met = ir.Choose(ir.Op2(ir.Le, ir.Get(w.way), ir.K(1)), met, ir.Op2(ir.Add, ir.Get(w.way), ir.K(maxWays-1)))
			}
			turn = append(turn, native(code.PathPush, met))
		}
		turn = append(turn, ir.When(is(w.turned, 1), []*ir.Stmt{set(w.turned, 0), ir.BreakTo(walk)}, nil)...)
		turn = append(turn, set(w.turned, 1))
		if w.forks {
			turn = append(turn, set(w.way, 0))
		}
		turn = append(turn, ir.ContinueTo(walk))
		out = append(out, ir.When(is(w.verdict, int(model.VerdictTurn)), turn, nil)...)
	}
	return out
}

// stepEnv is what a clause that judges a step sees.
func (w *walker) stepEnv(x *model.Clause, place *ir.Expr, left *ir.Expr) *env {
	v := w.v.saying(map[model.Cell]*ir.Expr{model.CellRemaining: left})
	return v.with(x.Params[0], w.args[0]).with(x.To, place)
}

// verdicts asks clauses about a step: any bar ends the path; of the others the first that applies decides.
func (w *walker) verdicts(clauses []*model.Clause, failed *ir.Label) []*ir.Stmt {
	c := w.c
	left := ir.Op2(ir.Sub, ir.Get(w.left), ir.K(1))
	cond := func(x *model.Clause) *ir.Expr {
		holds := ir.K(1)
		if x.When != nil {
			holds = c.expr(x.When, w.stepEnv(x, ir.Get(w.place), left))
		}
		holds = c.asked(x, holds)
		if x.Kind == model.ClauseEnd {
			holds = ir.AndAlso(is(w.left, 1), holds)
		}
		return holds
	}
	var out []*ir.Stmt
	for _, x := range clauses {
		if x.First == model.VerdictBar {
			out = append(out, ir.When(cond(x), w.barred(x, failed), nil)...)
		}
	}
	done := ir.NewBlock()
	var rest []*ir.Stmt
	for _, x := range clauses {
		if x.First == model.VerdictBar {
			continue
		}
		var say []*ir.Stmt
		if w.turns || w.stops || w.branches() {
			say = append(say, set(w.verdict, int(x.First)), set(w.second, int(x.Second)))
		}
		if !w.site.explain && x.First != model.VerdictGo {
			say = append(say, c.fire(x))
		}
		say = append(say, c.note(NoteSaid, x.Span)...)
		rest = append(rest, ir.When(cond(x), append(say, ir.BreakTo(done)), nil)...)
	}
	if len(rest) > 0 {
		out = append(out, ir.BlockOf(done, rest...))
	}
	return out
}

// barred ends the path; an explaining site notes why and walks on.
func (w *walker) barred(x *model.Clause, failed *ir.Label) []*ir.Stmt {
	if w.site.explain {
		return []*ir.Stmt{w.c.reason(x)}
	}
	return []*ir.Stmt{w.c.fire(x), ir.BreakTo(failed)}
}

// beyond asks about a step past the end of the track; without a clause it is barred.
func (w *walker) beyond(failed *ir.Label) []*ir.Stmt {
	c := w.c
	left := ir.Op2(ir.Sub, ir.Get(w.left), ir.K(1))
	decided := ir.NewBlock()
	var out []*ir.Stmt
	holds := func(x *model.Clause) *ir.Expr {
		if x.When == nil {
			return c.asked(x, ir.K(1))
		}
		return c.asked(x, c.expr(x.When, w.stepEnv(x, ir.K(-1), left)))
	}
	none := func() []*ir.Stmt { // an explaining walk ends here, nowhere
		out := append(w.relink(), w.option(ir.K(-1), ir.K(-1), ir.K(1), ir.Get(w.number), w.v)...)
		return append(append(out, w.lift()...), ir.BreakTo(failed))
	}
	barred := &ir.Local{Name: "barred"}
	if w.site.explain { // whatever bars is a reason
		out = append(out, set(barred, 0))
	}
	for _, x := range w.beyonds {
		if x.First != model.VerdictBar {
			continue
		}
		bars := []*ir.Stmt{c.fire(x), ir.BreakTo(failed)}
		if w.site.explain {
			bars = []*ir.Stmt{c.reason(x), set(barred, 1)}
		}
		out = append(out, ir.When(holds(x), bars, nil)...)
	}
	if w.site.explain {
		out = append(out, ir.When(is(barred, 1), none(), nil)...)
	}
	for _, x := range w.beyonds {
		if x.First == model.VerdictBar {
			continue
		}
		say := []*ir.Stmt{set(w.verdict, int(x.First)), set(w.second, int(x.Second))}
		if !w.site.explain {
			say = append(say, c.fire(x))
		}
		out = append(out, ir.When(holds(x), append(say, ir.BreakTo(decided)), nil)...)
	}
	if w.site.explain {
		out = append(out, &ir.Stmt{Op: ir.Native, K: int(code.Reason), Low: code.NoClause})
		out = append(out, none()...)
	} else {
		out = append(out, ir.BreakTo(failed))
	}
	return []*ir.Stmt{ir.BlockOf(decided, out...)}
}

// judgeEnd asks the end clauses about the square a walk ended on before its number was used up.
func (w *walker) judgeEnd(failed *ir.Label) []*ir.Stmt {
	out := []*ir.Stmt{ir.Assign(w.place, at(ir.Table, w.c.tables.nodePlace, ir.Get(w.node)))}
	for _, x := range w.ends {
		if x.First != model.VerdictBar {
			continue
		}
		cond := ir.K(1)
		if x.When != nil {
			cond = w.c.expr(x.When, w.stepEnv(x, ir.Get(w.place), ir.Get(w.left)))
		}
		out = append(out, ir.When(w.c.asked(x, cond), w.barred(x, failed), nil)...)
	}
	return out
}

// advance takes the step.
func (w *walker) advance() []*ir.Stmt {
	out := []*ir.Stmt{
		ir.Assign(w.node, ir.Get(w.next)), ir.Assign(w.left, ir.Op2(ir.Sub, ir.Get(w.left), ir.K(1))), set(w.taken, 1),
	}
	if w.turns {
		out = append(out, set(w.turned, 0))
	}
	if w.trace {
		way := ir.K(1)
		if w.forks {
			way = ir.Choose(is(w.way, 0), ir.K(1), ir.Get(w.way))
		}
		out = append(out, native(code.PathPush, way))
	}
	if w.forks {
		out = append(out, set(w.way, 0))
	}
	return out
}

// fields are what a branch on the stack remembers, but for its verdict, way and path.
func (w *walker) fields() []*ir.Local {
	return []*ir.Local{w.node, w.back, w.left, w.taken, w.turned}
}

// push keeps a branch for later: the walk as it stands, with the verdict it goes on with and the way it takes.
func (w *walker) push(verdict, way *ir.Expr) []*ir.Stmt {
	base := ir.Op2(ir.Mul, ir.Get(w.depth), ir.K(frameSize))
	full := &ir.Stmt{Op: ir.Fail, K: int(code.FaultPath)}
	out := ir.When(ir.Op2(ir.Le, ir.K(maxBranches), ir.Get(w.depth)), []*ir.Stmt{full}, nil)
	store := func(i int, x *ir.Expr) {
		out = append(out, &ir.Stmt{Op: ir.StoreScr, K: w.stack + i, B: base, A: x})
	}
	for i, l := range w.fields() {
		store(i, ir.Get(l))
	}
	store(5, verdict)
	store(6, way)
	if w.trace {
		n := &ir.Local{Name: "length"}
		out = append(out, &ir.Stmt{Op: ir.Native, K: int(code.PathLen), Local: n})
		store(7, ir.Get(n))
	}
	if w.site.explain {
		out = append(out, native(code.ReasonsKeep))
	}
	return append(out, ir.Assign(w.depth, ir.Op2(ir.Add, ir.Get(w.depth), ir.K(1))))
}

// pop takes up the branch kept last.
func (w *walker) pop() []*ir.Stmt {
	out := []*ir.Stmt{ir.Assign(w.depth, ir.Op2(ir.Sub, ir.Get(w.depth), ir.K(1)))}
	base := &ir.Local{Name: "base"}
	out = append(out, ir.Assign(base, ir.Op2(ir.Mul, ir.Get(w.depth), ir.K(frameSize))))
	load := func(i int) *ir.Expr { return at(ir.Scratch, w.stack+i, ir.Get(base)) }
	for i, l := range w.fields() {
		out = append(out, ir.Assign(l, load(i)))
	}
	out = append(out, ir.Assign(w.forced, load(5)), ir.Assign(w.way, load(6)))
	if w.trace {
		out = append(out, native(code.PathCut, load(7)))
	}
	if w.site.explain {
		out = append(out, native(code.ReasonsBack))
	}
	return out
}
