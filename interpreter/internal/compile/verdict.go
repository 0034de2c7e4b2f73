package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// judge evaluates the clauses about the step ahead and acts on the verdict. Control reaches advance only for "go".
func (w *walker) judge(failed, walk *ir.Label) ir.Body {
	beyond := w.beyond(failed, walk)
	clauses := w.steps
	if !w.late {
		clauses = slices.Concat(w.steps, w.ends)
	}
	into := w.verdicts(clauses, failed, walk)
	if len(into) > 0 {
		into = ir.Seq(ir.Assign(w.place, at(ir.Table, w.c.tables.nodePlace, ir.Get(w.next))), into)
	}
	out := ir.Body{{Op: ir.If, A: ir.Op2(ir.Lt, ir.Get(w.next), ir.K(0)), Body: beyond, Else: into}}
	goes := ir.NewBlock()
	if w.splits { // a branch from the stack has its verdict already
		fresh := ir.Seq(set(w.verdict, int(model.VerdictGo)), set(w.second, 0), out,
			ir.When(ir.Op2(ir.Ne, ir.Get(w.second), ir.K(0)), w.push(ir.Get(w.second), ir.Get(w.way)), nil))
		known := ir.Body{ir.Assign(w.verdict, ir.Get(w.forced)), set(w.forced, 0)}
		out = ir.Seq(&ir.Stmt{Op: ir.If, A: is(w.forced, 0), Body: fresh, Else: known},
			only(w.stops, ir.BreakIf(is(w.verdict, int(model.VerdictStop)), walk)),
			only(w.turns, ir.BreakIf(is(w.verdict, int(model.VerdictTurn)), w.turning)))
	}
	if !w.turns {
		return out
	}
	// Turning twice with no step between ends the walk.
	met := ir.K(code.PathTurn)
	if w.forks {
		met = ir.Choose(ir.Op2(ir.Le, ir.Get(w.way), ir.K(1)), met, ir.Op2(ir.Add, ir.Get(w.way), ir.K(maxWays-1)))
	}
	turn := ir.Seq(ir.Assign(w.back, ir.Op2(ir.Sub, ir.K(w.prevOffset()), ir.Get(w.back))), only(w.trace, native(code.PathPush, met)),
		ir.When(is(w.turned, 1), ir.Body{set(w.turned, 0), ir.BreakTo(walk)}, nil), set(w.turned, 1),
		only(w.forks, set(w.way, 0)), ir.ContinueTo(walk))
	return ir.Body{ir.BlockOf(goes, ir.BlockOf(w.turning, out, ir.BreakTo(goes)), turn)}
}

// act carries out the verdict of a clause that does not bar the step; goes is the label after all verdicts. If a verdict may
// be a choice of two, it is stored until the choice is known.
func (w *walker) act(x *model.Clause, goes, walk *ir.Label) ir.Body {
	switch {
	case w.splits:
		first := x.First
		if stopping(first) {
			first = model.VerdictStop
		}
		return ir.Body{set(w.verdict, int(first)), set(w.second, int(x.Second)), ir.BreakTo(goes)}
	case stopping(x.First):
		return ir.Body{ir.BreakTo(walk)}
	case x.First == model.VerdictTurn:
		return ir.Body{ir.BreakTo(w.turning)}
	}
	return ir.Body{ir.BreakTo(goes)}
}

// stepEnv is the env of a clause that judges a step.
func (w *walker) stepEnv(x *model.Clause, place, left, here *ir.Expr) *env {
	v := w.v.withCells(map[model.Cell]*ir.Expr{model.CellRemaining: left, model.CellHere: here})
	return v.with(x.Params[0], w.args[0]).with(x.To, place)
}

// here is the place of the node before a step.
func (w *walker) here(node *ir.Local) *ir.Expr {
	if node == nil { // no clause reads it
		return ir.K(-1)
	}
	return at(ir.Table, w.c.tables.nodePlace, ir.Get(node))
}

// split divides clauses: those that bar a step, and the others.
func split(clauses []*model.Clause) (bars, others []*model.Clause) {
	bar := func(x *model.Clause) bool { return x.First == model.VerdictBar }
	return seq.Filter(clauses, bar), seq.Filter(clauses, func(x *model.Clause) bool { return !bar(x) })
}

// verdicts evaluates clauses about a step. Any bar ends the path; otherwise the first clause that applies decides.
func (w *walker) verdicts(clauses []*model.Clause, failed, walk *ir.Label) ir.Body {
	c := w.c
	left := ir.Op2(ir.Sub, ir.Get(w.left), ir.K(1))
	cond := func(x *model.Clause) *ir.Expr {
		holds := c.noteAsked(x, c.holds(x.When, w.stepEnv(x, ir.Get(w.place), left, w.here(w.node))))
		if x.Kind == model.ClauseEnd {
			holds = ir.AndAlso(is(w.left, 1), holds)
		}
		return holds
	}
	var out ir.Body
	bars, others := split(clauses)
	for _, x := range bars {
		out = append(out, ir.When(cond(x), w.barred(x, failed), nil)...)
	}
	done := ir.NewBlock()
	var rest ir.Body
	for _, x := range others {
		var say ir.Body
		if !w.site.explain && x.First != model.VerdictGo {
			say = append(say, c.fire(x))
		}
		say = append(say, c.note(NoteSaid, x.Span)...)
		act := w.act(x, done, walk)
		if w.site.explain && stopping(x.First) && x.Second == model.NoVerdict { // this clause refuses the option that would exist without it
			act = ir.Seq(w.push(ir.K(int(model.VerdictStop)), ir.Get(w.way)), c.reason(x), ir.BreakTo(done))
		}
		rest = append(rest, ir.When(cond(x), append(say, act...), nil)...)
	}
	if len(rest) > 0 {
		out = append(out, ir.BlockOf(done, rest))
	}
	return out
}

// barred ends the path. An explaining site records the reason and walks on.
func (w *walker) barred(x *model.Clause, failed *ir.Label) ir.Body {
	if w.site.explain {
		return ir.Body{w.c.reason(x)}
	}
	return ir.Body{w.c.fire(x), ir.BreakTo(failed)}
}

// beyond judges a step past the end of the track. Without a clause it is barred.
func (w *walker) beyond(failed, walk *ir.Label) ir.Body {
	c := w.c
	left := ir.Op2(ir.Sub, ir.Get(w.left), ir.K(1))
	decided := ir.NewBlock()
	var out ir.Body
	holds := func(x *model.Clause) *ir.Expr {
		return c.noteAsked(x, c.holds(x.When, w.stepEnv(x, ir.K(-1), left, w.here(w.node))))
	}
	none := func() ir.Body { return ir.Seq(w.nowhere(), ir.BreakTo(failed)) } // an explaining walk ends here
	barred := local("barred")
	if w.site.explain { // record every clause that bars
		out = append(out, set(barred, 0))
	}
	bars, others := split(w.beyonds)
	for _, x := range bars {
		says := w.barred(x, failed)
		if w.site.explain {
			says = append(says, set(barred, 1))
		}
		out = append(out, ir.When(holds(x), says, nil)...)
	}
	if w.site.explain {
		out = append(out, ir.When(is(barred, 1), none(), nil)...)
	}
	for _, x := range others {
		var say ir.Body
		if !w.site.explain {
			say = append(say, c.fire(x))
		}
		out = append(out, ir.When(holds(x), append(say, w.act(x, decided, walk)...), nil)...)
	}
	if w.site.explain {
		out = ir.Seq(out, nativeOf(code.Reason, code.NoClause), none())
	} else {
		out = append(out, ir.BreakTo(failed))
	}
	return ir.Body{ir.BlockOf(decided, out)}
}

// judgeEnd evaluates the end clauses about the square where a walk ended, after all its steps or early.
func (w *walker) judgeEnd(end *ir.Local, barred *ir.Label) (out ir.Body) {
	bars, _ := split(w.ends) // go is the default
	for _, x := range bars {
		out = append(out, ir.When(w.endsAt(x, end), w.barred(x, barred), nil)...)
	}
	return out
}

// endsAt is the condition of an end clause about the square where a walk ended.
func (w *walker) endsAt(x *model.Clause, end *ir.Local) *ir.Expr {
	return w.c.noteAsked(x, w.c.holds(x.When, w.stepEnv(x, ir.Get(end), ir.Get(w.left), w.here(w.prior))))
}

// goBack evaluates the end clauses about the square where a walk ended early. While a clause says back, it goes on with the
// square before.
func (w *walker) goBack(end *ir.Local, early *ir.Expr, failed *ir.Label) ir.Body {
	c, loop, back := w.c, ir.NewLoop(), ir.NewBlock()
	out := ir.Seq(ir.BreakIf(ir.Negate(early), loop), w.judgeEnd(end, failed))
	var asked ir.Body
	_, others := split(w.ends)
	for _, x := range others {
		cond := w.endsAt(x, end)
		var say ir.Body
		to := loop
		if x.First == model.VerdictBack {
			if to = back; !w.site.explain {
				say = ir.Body{c.fire(x)}
			}
		}
		say = append(say, c.note(NoteSaid, x.Span)...)
		asked = append(asked, ir.When(cond, append(say, ir.BreakTo(to)), nil)...)
	}
	out = append(out, ir.BlockOf(back, asked, ir.BreakTo(loop)))
	base := local("base")
	saved := func(steps *ir.Expr) *ir.Stmt { return ir.Assign(base, ir.Op2(ir.Mul, steps, ir.K(trailSize))) }
	at := func(i int) *ir.Expr { return at(ir.Scratch, w.trail+i, ir.Get(base)) }
	out = append(out, ir.Assign(w.count, ir.Op2(ir.Sub, ir.Get(w.count), ir.K(1))), increment(w.left))
	none := ir.Body{ir.BreakTo(failed)} // no step is left
	if w.site.explain {
		none = ir.Body{set(w.taken, 0), ir.BreakTo(loop)}
	}
	out = ir.Seq(out, ir.When(is(w.count, 0), none, nil),
		only(w.prior != nil, saved(ir.Op2(ir.Sub, ir.Get(w.count), ir.K(1))), ir.Assign(w.prior, at(0))),
		saved(ir.Get(w.count)), ir.Assign(w.node, at(0)),
		only(w.backs, ir.Assign(w.back, at(1))), only(w.turns, set(w.turned, 0)), only(w.trace, native(code.PathCut, at(2))),
		ir.Assign(end, w.here(w.node)))
	return ir.Body{ir.LoopOf(loop, out)}
}
