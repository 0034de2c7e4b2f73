package wasm

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// ErrUnsupported says that a program contains something that only the interpreter does.
var ErrUnsupported = errors.New("only the interpreter plays this")

// gen lowers one program.
type gen struct {
	p       *code.Program
	entries []*ir.Proc // by number; main not included
	mem     *memory
	module  *module
	funcState
	lead      leadForm
	progress  []int       // distance of each node along its track
	lookahead bool        // options may be tried out (lookahead)
	choices   bool        // many choices may follow one another without a throw
	made      map[any]*fn // functions created on first use: by name, by ir.Proc, by lookRun and lookTry
	play      *fn
	begin     *fn // sets up a new game
	end       *fn // writes the results of a game to memory

	// What is held in module variables instead of memory.
	words   []global       // by word
	scalars map[int]global // cells that no index reaches
	order   []int          // the keys of scalars, in order
	sets    []global       // the first derived words

	lowered int // statements lowered so far
	ticks   int // ticks to add to the next tick
	procs   map[*ir.Proc]*proc
	read    map[int]bool // cells that the program reads
	exits   []*ir.Mark   // marks, by the numbers that functions return, from 1

	tallies []tally
	packs   []*pack
	pending map[int]int // for each counter, the number of places in the decision that may count
	calls   []*ir.Proc  // procedures being inlined
	width   *widths
}

// funcState is the state of the function under construction.
type funcState struct {
	f            *fn
	inTry        *label              // target of a fault; nil: trap
	checked      bool                // a negative index is such a fault
	lookEnd      *label              // end of the run of a lookahead
	labels       map[any]label       // by ir.Label
	marks        map[any]label       // by ir.Mark
	homes        map[any]local       // by ir.Local
	colourStarts map[*ir.Local]local // for sets of one colour, the local with the first piece of that colour
}

// proc is what is known about a procedure.
type proc struct {
	jumps   map[*ir.Mark]bool // marks it may jump to
	callers int
	cold    bool // called only on cold paths
	size    int
}

// fail stops lowering. build recovers it.
func (g *gen) fail(what string, n any) {
	panic(fmt.Errorf("%w: %s %v", ErrUnsupported, what, n))
}

// survey visits a procedure and its callees.
func (g *gen) survey(p *ir.Proc, all *[]*ir.Proc) *proc {
	if x := g.procs[p]; x != nil {
		return x
	}
	x := &proc{jumps: map[*ir.Mark]bool{}, size: ir.Weight(p.Body, nil)}
	g.procs[p] = x
	ir.Walk(p.Body, func(s *ir.Stmt) bool {
		switch s.Op {
		case ir.Jump:
			x.jumps[s.Mark] = true
		case ir.Suspend:
			if g.lookahead && code.NodeKind(s.K) != code.NodePick {
				x.jumps[stoppedMark] = true
			}
		case ir.Decide: // the plain form is cold beside the sets: do not inline its callees
			for _, e := range s.Else {
				if e.Op == ir.Call {
					g.survey(e.Proc, all).cold = true
				}
			}
		case ir.Native: // the procedure runs in a lookahead, whatever ends it
			if s.Proc != nil {
				g.survey(s.Proc, all)
			}
		case ir.Call:
			callee := g.survey(s.Proc, all)
			callee.callers++
			for m := range callee.jumps {
				x.jumps[m] = true
			}
			if g.inlines(s.Proc) {
				x.size += callee.size
			}
		}
		return true
	}, nil)
	*all = append(*all, p)
	return x
}

// A call costs as much as twenty other instructions, so procedures with few call sites are inlined.
const inlineSmall, inlineTwice = 60, 1000

// maxLowered limits the statements of a module, inlined copies included: compiling more would take longer than it saves.
const maxLowered = 20_000

// inlines reports whether calls of a procedure are replaced by its body. The number of callers is complete only after the survey; during
// it, the answer affects only the size.
func (g *gen) inlines(p *ir.Proc) bool {
	x := g.procs[p]
	return !p.Entry && !x.cold && (x.size <= inlineSmall || x.callers <= 1 || x.callers == 2 && x.size <= inlineTwice)
}

// entry returns the function of an entry, created on first use. Its result has 64 bits.
func (g *gen) entry(number int) *fn {
	p := g.entries[number-1]
	if g.procs[p] == nil {
		g.fail("entry", number)
	}
	return g.functionOf(p, p.Name, i64, nil, func() {
		g.f.block(func(fault label) {
			if number == g.lead.entry { // while lots are drawn no player is in turn; the result is then 0
				g.inTry, g.checked = &fault, true
			}
			g.body(p.Body)
		})
		g.f.eval(c64(0))
	})
}

// callProc calls a procedure or inlines it.
func (g *gen) callProc(p *ir.Proc, args []*ir.Expr) {
	if g.inlines(p) {
		if slices.Contains(g.calls, p) {
			g.fail("a procedure that calls itself:", p.Name)
		}
		g.calls = append(g.calls, p)
		values := make([]local, len(args))
		for i, a := range args {
			param := p.Params[i]
			if l, ok := g.reuse(a, g.width.kindOf(param)); ok && g.width.singleAssignment(param) {
				values[i] = l
				continue
			}
			values[i] = g.f.temp(g.expr(a).as(g.width.kindOf(param)))
		}
		for i := range args {
			g.homes[p.Params[i]] = values[i]
		}
		g.f.block(func(out label) {
			was, had := g.labels[inlineEnd{}]
			g.labels[inlineEnd{}] = out
			g.body(p.Body)
			if delete(g.labels, inlineEnd{}); had {
				g.labels[inlineEnd{}] = was
			}
		})
		g.calls = g.calls[:len(g.calls)-1]
		return
	}
	x := g.procs[p]
	values := seq.Map(args, func(a *ir.Expr) val { return get(g.f.temp(g.expr(a))) })
	if len(x.jumps) == 0 {
		g.f.do(g.procedure(p, none), values...)
		return
	}
	// The callee may have jumped to a mark; then this function jumps too.
	to := g.f.temp(call(g.procedure(p, i32), values...))
	g.f.when(get(to), func() {
		if g.lookEnd != nil {
			g.f.br(*g.lookEnd)
			return
		}
		if g.f.result == i32 && len(g.marks) == 0 {
			g.f.ret(get(to))
			return
		}
		for i, m := range g.exits {
			if l, ok := g.marks[m]; ok && x.jumps[m] {
				g.f.when(get(to).eq(c32(i+1)), func() { g.f.br(l) }, nil)
			}
		}
		g.f.trap()
	}, nil)
}

// reuse returns the local that already holds the value of an expression and keeps it as long as the expression is used.
func (g *gen) reuse(e *ir.Expr, k kind) (l local, ok bool) {
	if e.Op != ir.Use || !g.width.singleAssignment(e.Local) {
		return local{}, false
	}
	l = g.home(e.Local)
	return l, l.kind == k
}

// procedure returns the function of a procedure, created on first use. If it jumps to marks, it returns the number of the mark,
// otherwise 0.
func (g *gen) procedure(p *ir.Proc, result kind) *fn {
	return g.functionOf(p, p.Name, result, seq.Map(p.Params, g.width.kindOf), func() {
		for i, l := range p.Params {
			g.homes[l] = g.f.param(i)
		}
		g.body(p.Body)
		if result != none {
			g.f.eval(c32(0))
		}
	})
}

// markNumber is the number, from 1, that functions return to jump to a mark.
func (g *gen) markNumber(m *ir.Mark) int {
	if i := slices.Index(g.exits, m); i >= 0 {
		return i + 1
	}
	g.exits = append(g.exits, m)
	return len(g.exits)
}

// inlineEnd is the label of the end of an inlined procedure.
type inlineEnd struct{}

// jump leaves to a mark.
func (g *gen) jump(m *ir.Mark) {
	if l, ok := g.marks[m]; ok {
		g.f.br(l)
		return
	}
	if g.lookEnd != nil {
		g.f.br(*g.lookEnd)
		return
	}
	if len(g.marks) > 0 || g.f.result != i32 {
		g.fail("a jump back to", m.Name)
	}
	g.f.ret(c32(g.markNumber(m)))
}

// body lowers statements. A mark among them is the end of a block.
func (g *gen) body(stmts ir.Body) {
	for i := len(stmts) - 1; i >= 0; i-- {
		if s := stmts[i]; s.Op == ir.Place && i > 0 {
			g.f.block(func(out label) {
				g.marks[s.Mark] = out
				g.body(stmts[:i])
				delete(g.marks, s.Mark)
			})
			stmts = stmts[i+1:]
			break
		}
	}
	for i, s := range stmts {
		if isTick(s) && i+1 < len(stmts) && isTick(stmts[i+1]) {
			g.ticks++ // merged with the next tick
			continue
		}
		g.stmt(s)
		if s.Op == ir.Suspend && code.NodeKind(s.K) == code.NodeOver { // unreachable after this
			return
		}
	}
}

// isTick reports whether a statement is a tick; consecutive ticks are merged.
func isTick(s *ir.Stmt) bool { return s.Op == ir.Native && code.NativeOp(s.K) == code.Tick }

func (g *gen) home(l *ir.Local) local {
	h, ok := g.homes[l]
	if !ok {
		h = g.f.local(g.width.kindOf(l))
		g.homes[l] = h
	}
	return h
}

func (g *gen) stmt(s *ir.Stmt) {
	f := g.f
	if g.lowered++; g.lowered > maxLowered {
		g.fail("more than", maxLowered)
	}
	switch s.Op {
	case ir.Set:
		var v val
		if s.A.Op == ir.Lowest && s.Local.NonNil { // the set is not empty
			v = g.expr(s.A.A).lowest()
		} else {
			v = g.expr(s.A)
		}
		f.set(g.home(s.Local), v)
		g.recordRoot(s.Local, s.A)
	case ir.Declare, ir.Place:
	case ir.Store:
		g.storeCell(s)
	case ir.StoreScr:
		v := f.temp(g.expr(s.A))
		f.store(16, g.expr(s.B).narrow().shl(c32(1)), g.mem.scratch+2*s.K, get(v))
	case ir.If:
		g.ifStmt(s)
	case ir.Block:
		f.block(func(out label) {
			g.labels[s.Label] = out
			g.body(s.Body)
			delete(g.labels, s.Label)
		})
	case ir.Loop:
		g.loop(s)
	case ir.Break:
		f.br(g.labels[s.Label])
	case ir.Continue:
		f.br(g.labels[s.Label.Begin()])
	case ir.Call:
		g.callProc(s.Proc, s.Args)
	case ir.Return:
		g.returnValue(s)
	case ir.Jump:
		g.jump(s.Mark)
	case ir.Native:
		g.native(s)
	case ir.Suspend:
		g.node(s)
	case ir.Check:
		v := g.expr(s.A)
		if v.kind == i32 {
			f.when(v.sub(c32(s.Low)).op(opGtU, c32(s.High-s.Low)), g.fault, nil)
			break
		}
		f.when(v.sub(c64(int64(s.Low))).op(opGtU, c64(int64(s.High-s.Low))), g.fault, nil)
	case ir.Decide:
		g.decision(s)
	case ir.Try:
	case ir.Fail:
		g.fault()
	default:
		g.fail("statement", s.Op)
	}
}

// fault is a fault of the rules. While options are computed as sets it branches to the plain form, which reports the fault.
func (g *gen) fault() {
	if g.inTry != nil {
		g.f.br(*g.inTry)
		return
	}
	g.f.trap()
}

func (g *gen) returnValue(s *ir.Stmt) {
	if out, ok := g.labels[inlineEnd{}]; ok {
		if s.A != nil {
			g.fail("a value of", "a procedure")
		}
		g.f.br(out)
		return
	}
	switch {
	case s.A != nil:
		g.f.ret(g.expr(s.A))
	case g.f.result == none:
		g.f.emit(0x0f)
	default:
		g.f.ret(konst(g.f.result, 0))
	}
}

// storeCell stores to a cell. Its value must fit 16 bits.
func (g *gen) storeCell(s *ir.Stmt) {
	f := g.f
	if s.K == code.CellRanked || g.lead.incremental && g.lead.cells[s.K] {
		g.setWord(wDirty, c32(-1))
	}
	v := g.expr(s.A)
	if s.A.Op != ir.Const && g.width.of(s.A) > ir.Sixteen {
		x := f.temp(v)
		g.fits(x)
		v = get(x)
	}
	if s.B == nil {
		if l := &g.p.Layout; s.K >= l.Status && s.K < l.Status+l.Players {
			g.setWord(wEliminated, c32(1))
		}
		g.setCell(s.K, v)
		return
	}
	x := f.temp(v.narrow())
	if s.K == g.p.Layout.Status {
		g.setWord(wEliminated, c32(1))
	}
	g.setCellAt(s.K, g.expr(s.B), get(x))
}

// width is the number of bits of a type.
func width(k kind) int64 {
	if k == i64 {
		return 64
	}
	return 32
}

// leaves returns the label if a body is nothing but a break or a continue.
func (g *gen) leaves(body ir.Body) (label, bool) {
	if len(body) != 1 {
		return label{}, false
	}
	switch s := body[0]; s.Op {
	case ir.Break:
		l, ok := g.labels[s.Label]
		return l, ok
	case ir.Continue:
		l, ok := g.labels[s.Label.Begin()]
		return l, ok
	}
	return label{}, false
}

func (g *gen) ifStmt(s *ir.Stmt) {
	f := g.f
	if l, ok := g.leaves(s.Body); ok && len(s.Else) == 0 {
		g.cond(s.A, l, true)
		return
	}
	switch s.A.Op {
	case ir.Eq, ir.Ne, ir.Lt, ir.Le:
		if len(s.Else) == 0 {
			f.when(g.expr(s.A), func() { g.body(s.Body) }, nil)
			return
		}
	}
	f.block(func(end label) {
		f.block(func(els label) {
			g.cond(s.A, els, false)
			g.body(s.Body)
			if len(s.Else) > 0 {
				f.br(end)
			}
		})
		g.body(s.Else)
	})
}

// loop lowers a loop. Each iteration consumes fuel, so that no game runs for ever between two nodes. Loops that throw need none: throws are
// limited.
func (g *gen) loop(s *ir.Stmt) {
	f := g.f
	f.repeat(func(_, out label) {
		g.labels[s.Label] = out
		f.block(func(next label) {
			g.labels[s.Label.Begin()] = next
			g.body(s.Body)
			delete(g.labels, s.Label.Begin())
		})
		if !g.throws(s.Body) {
			fuel := f.temp(g.word(wFuel).sub(c32(1)))
			g.setWord(wFuel, get(fuel))
			f.when(get(fuel).lt(c32(0)), g.tooLong, nil)
		}
		delete(g.labels, s.Label)
	})
}

// throws reports whether statements always reach a throw.
func (g *gen) throws(body ir.Body) bool {
	for _, s := range body {
		switch s.Op {
		case ir.Suspend:
			return code.NodeKind(s.K) == code.NodeThrow
		case ir.Loop, ir.Block:
			return g.throws(s.Body)
		case ir.Call:
			if len(g.procs[s.Proc].jumps) > 0 {
				return false
			}
		case ir.Place, ir.Declare, ir.Set, ir.Store, ir.Native:
		default:
			return false
		}
	}
	return false
}
