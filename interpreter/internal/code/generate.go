package code

import (
	"errors"
	"fmt"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// ErrTooLarge says that a rule book needs more registers or instructions than a program can have.
var ErrTooLarge = errors.New("the rules are too large for one program")

// MaxCode is the largest number of instructions of a program.
const MaxCode = 1 << 20

// generator generates instructions from procedures.
type generator struct {
	p        *Program
	procs    []*procInfo
	info     map[*ir.Proc]*procInfo
	cur      *procInfo
	regs     int // registers in use
	labels   map[*ir.Label]*label
	marks    map[*ir.Mark]*label
	locals   map[*ir.Local]home
	live     []*ir.Local // locals in registers, in order of allocation
	depth    int         // call depth in collect
	inExpr   int         // inside a Do: locals get registers in every procedure
	site     int
	frame    int
	noInline bool // no inlining
	try      int  // address of the TryOp that belongs to the next RowsOp
	failed   error
	fixups   []fixup
}

// maxCalls limits the call depth: the machine has a fixed number of return addresses.
const maxCalls = 60

// procInfo is what is known about a procedure.
type procInfo struct {
	proc     *ir.Proc
	suspends bool
	base     int // first register
	pc       int32
	homes    []home // of the parameters; registers are relative to base
	ret      int    // cell of the return point
	done     bool
	visiting bool
	calls    []*ir.Proc
	callers  int
	size     int
	returns  bool // contains a Return
	called   bool
}

// home is the location of a local: a register or a cell.
type home struct {
	cell bool
	at   int
}

type label struct {
	pc   int32
	refs []int
}

// fixup is an instruction that needs the address, or a parameter register, of a callee.
type fixup struct {
	instr int
	proc  *procInfo
	param int // -1: the address
}

// Generate generates the instructions of the procedures, main first. p holds the tables and the layout; Generate allocates the frame cells,
// from p.Layout.Frame on.
//
// watch, which may be nil, receives the program after each stage.
func Generate(p *Program, main *ir.Proc, entries []*ir.Proc, watch Watcher) error {
	begin, rows := p.Layout.FrameEnd, len(p.Rows)
	err := generate(p, main, entries, false)
	if errors.Is(err, ErrTooLarge) { // without inlining the program needs fewer registers
		p.Code, p.Points, p.Ranges, p.Templates, p.Layout.FrameEnd = nil, nil, nil, nil, begin
		p.Rows = p.Rows[:rows]
		err = generate(p, main, entries, true)
	}
	if err != nil {
		return err
	}
	if watch == nil {
		watch = func(string, *Program) {}
	}
	watch(generated, p)
	for _, x := range passes {
		x.run(p)
		watch(x.name, p)
	}
	return nil
}

func generate(p *Program, main *ir.Proc, entries []*ir.Proc, noInline bool) error {
	g := &generator{p: p, noInline: noInline, info: map[*ir.Proc]*procInfo{}, marks: map[*ir.Mark]*label{}, frame: p.Layout.FrameEnd}
	for _, proc := range append([]*ir.Proc{main}, entries...) {
		if err := g.collect(proc); err != nil {
			return err
		}
	}
	for changed := true; changed; { // a caller of a suspending procedure suspends
		changed = false
		for _, i := range g.procs {
			for _, c := range i.calls {
				if g.info[c].suspends && !i.suspends {
					i.suspends, changed = true, true
				}
			}
		}
	}
	p.Code = make([]Instr, 0, min(g.measure()/5*3, MaxCode)) // a node takes a little more than half an instruction
	// g.procs is in post-order, callees first. Callers are generated before their callees.
	for n := len(g.procs) - 1; n >= 0; n-- {
		if i := g.procs[n]; i.called || i.proc.Entry || i.proc == main {
			g.proc(i)
		}
		if g.failed != nil {
			return g.failed
		}
	}
	for _, f := range g.fixups {
		if f.param < 0 {
			p.Code[f.instr].T = f.proc.pc
			continue
		}
		p.Code[f.instr].A = uint8(f.proc.base + f.param)
	}
	for _, m := range g.marks {
		g.patch(m)
	}
	p.Entries = seq.Map(append([]*ir.Proc{main}, entries...), func(e *ir.Proc) int32 { return g.info[e].pc })
	p.Layout.FrameEnd = g.frame
	if len(p.Code) > MaxCode || len(p.Points) > 1<<15-1 {
		return ErrTooLarge
	}
	return nil
}

// collect visits a procedure and its callees.
func (g *generator) collect(proc *ir.Proc) error {
	if i := g.info[proc]; i != nil {
		if i.visiting {
			return fmt.Errorf("procedure %s calls itself", proc.Name)
		}
		return nil
	}
	if g.depth++; g.depth > maxCalls {
		return ErrTooLarge
	}
	defer func() { g.depth-- }()
	i := &procInfo{proc: proc, visiting: true, ret: -1}
	g.info[proc] = i
	var err error
	ir.Walk(proc.Body, func(s *ir.Stmt) bool {
		switch s.Op {
		case ir.Suspend:
			i.suspends = true
		case ir.Return:
			i.returns = true
		case ir.Call:
			i.calls = append(i.calls, s.Proc)
			if e := g.collect(s.Proc); err == nil {
				err = e
			}
		}
		return true
	}, func(*ir.Expr) bool { return false }) // expressions contain no nodes and no calls
	i.visiting = false
	g.procs = append(g.procs, i)
	return err
}

func (g *generator) emit(in Instr) int {
	in.Site = int32(g.site)
	g.p.Code = append(g.p.Code, in)
	return len(g.p.Code) - 1
}

// at sets the place in the rules, if there is one, until the function it returns is called.
func (g *generator) at(site int) (back func()) {
	was := g.site
	if site != 0 {
		g.site = site
	}
	return func() { g.site = was }
}

func (g *generator) here() int32 { return int32(len(g.p.Code)) }

// reg allocates a register.
func (g *generator) reg() int {
	if g.regs >= 256 {
		g.failed = ErrTooLarge
		g.regs = 128 // continue; the program is discarded
	}
	g.regs++
	return g.regs - 1
}

func (g *generator) cell() int {
	g.frame++
	return g.frame - 1
}

func (g *generator) proc(i *procInfo) {
	if i.done {
		return
	}
	i.done = true
	g.cur = i
	i.pc = g.here()
	g.regs = i.base
	g.labels = map[*ir.Label]*label{}
	g.locals = map[*ir.Local]home{}
	g.live = nil
	g.inExpr = 0
	for n, l := range i.proc.Params {
		if i.suspends {
			// The caller has stored the argument; the first call allocated the cell.
			g.locals[l] = i.homes[n]
			continue
		}
		g.locals[l] = home{at: g.reg()}
	}
	g.body(i.proc.Body)
	g.finish(nil)
}

// finish generates the end of a procedure.
func (g *generator) finish(value *ir.Expr) {
	r := 0
	if value != nil {
		mark := g.regs
		r = g.expr(value)
		g.release(mark)
	}
	switch {
	case g.cur.proc.Entry:
		g.emit(Instr{Op: End, A: uint8(r)})
	case g.cur.suspends:
		g.emit(Instr{Op: ReturnIn, K: int32(g.returnCell(g.cur))})
	default:
		g.emit(Instr{Op: Return})
	}
}

func (g *generator) returnCell(i *procInfo) int {
	if i.ret < 0 {
		i.ret = g.cell()
	}
	return i.ret
}

// body generates statements and ends the scope of their locals.
func (g *generator) body(stmts ir.Body) {
	mark := g.regs
	g.bodyKeep(stmts)
	g.release(mark)
}

// bodyKeep generates statements but keeps the scope of their locals open.
func (g *generator) bodyKeep(stmts ir.Body) {
	for _, s := range stmts {
		g.stmt(s)
	}
}

// homeOf returns the location of a local; the first use allocates it.
func (g *generator) homeOf(l *ir.Local) home {
	if h, ok := g.locals[l]; ok {
		return h
	}
	h := home{}
	if g.cur.suspends && g.inExpr == 0 && !l.Brief {
		h = home{cell: true, at: g.cell()}
	} else {
		h.at = g.reg()
		g.live = append(g.live, l)
	}
	g.locals[l] = h
	return h
}

// release frees the registers from mark on and removes the locals they held: the same tree may be generated again.
func (g *generator) release(mark int) {
	g.regs = mark
	for n := len(g.live); n > 0; n-- {
		l := g.live[n-1]
		if g.locals[l].at < mark {
			break
		}
		delete(g.locals, l)
		g.live = g.live[:n-1]
	}
}

func (g *generator) point() int {
	g.p.Points = append(g.p.Points, Point{PC: -1})
	return len(g.p.Points) - 1
}

func (g *generator) stmt(s *ir.Stmt) {
	defer g.at(s.Site)()
	mark := g.regs
	switch s.Op {
	case ir.Set:
		h := g.homeOf(s.Local)
		if h.cell {
			g.emit(Instr{Op: Store, A: uint8(g.expr(s.A)), K: int32(h.at)})
			g.release(mark)
			return
		}
		top := g.regs
		g.exprTo(s.A, h.at)
		g.release(top)
		return
	case ir.Declare:
		if h := g.homeOf(s.Local); s.Sure && !h.cell {
			g.emit(Instr{Op: Assume, A: uint8(h.at)})
		}
		return
	case ir.Store:
		if s.B == nil && s.A.Op == ir.Const && s.A.K == int(int16(s.A.K)) {
			g.emit(Instr{Op: StoreC, K: int32(s.K), T: int32(s.A.K)})
			break
		}
		if s.A.Op == ir.Pick && s.B == nil { // store in each branch
			no, end := &label{}, &label{}
			g.cond(s.A.A, no, false)
			g.release(mark)
			g.stmt(&ir.Stmt{Op: ir.Store, K: s.K, A: s.A.B, Site: s.Site})
			g.jump(end)
			g.bind(no, nil)
			g.stmt(&ir.Stmt{Op: ir.Store, K: s.K, A: s.A.C, Site: s.Site})
			g.bind(end, nil)
			break
		}
		r := g.expr(s.A)
		if s.B == nil {
			g.emit(Instr{Op: Store, A: uint8(r), K: int32(s.K)})
			break
		}
		g.emit(Instr{Op: StoreX, A: uint8(r), B: uint8(g.expr(s.B)), K: int32(s.K)})
	case ir.StoreScr:
		g.emit(Instr{Op: StoreS, A: uint8(g.expr(s.A)), B: uint8(g.expr(s.B)), K: int32(s.K)})
	case ir.If:
		g.ifStmt(s)
	case ir.Block:
		if s.Asks != nil {
			if h := g.homeOf(s.Asks.Set); !h.cell {
				g.emit(Instr{Op: PredicateOp, A: uint8(h.at), B: uint8(h.at), C: uint8(s.Asks.K)})
				return
			}
		}
		l := g.open(s.Label)
		g.body(s.Body)
		g.bind(l, s.Label)
	case ir.Loop:
		g.loop(s)
	case ir.Break:
		g.jump(g.labels[s.Label])
	case ir.Continue:
		g.jump(g.labels[s.Label.Begin()])
	case ir.Call:
		g.call(s)
	case ir.Return:
		g.finish(s.A)
	case ir.Jump:
		at := g.emit(Instr{Op: Goto})
		m := g.mark(s.Mark)
		m.refs = append(m.refs, at)
	case ir.Place:
		g.mark(s.Mark).pc = g.here()
	case ir.Native:
		g.native(s)
		return
	case ir.Suspend:
		n := g.point()
		g.emit(Instr{Op: Suspend, A: uint8(s.K), K: int32(n), T: int32(s.Low)})
		g.p.Points[n].PC = g.here()
		if NodeKind(s.K) == NodeOption {
			g.p.Plays[s.Low].Point = n
		}
	case ir.Check:
		r := g.expr(s.A)
		g.p.Ranges = append(g.p.Ranges, Range{s.Low, s.High})
		g.emit(Instr{Op: Check, A: uint8(r), K: int32(len(g.p.Ranges) - 1)})
	case ir.Try:
		g.try = g.emit(Instr{Op: TryOp})
	case ir.Decide:
		g.decide(s)
	case ir.Fail:
		g.emit(Instr{Op: Fail, K: int32(s.K)})
	}
	g.release(mark)
}

func (g *generator) mark(m *ir.Mark) *label {
	l := g.marks[m]
	if l == nil {
		l = &label{}
		g.marks[m] = l
	}
	return l
}

func (g *generator) open(l *ir.Label) *label {
	x := &label{}
	g.labels[l] = x
	return x
}

// patch completes the jumps to a label.
func (g *generator) patch(x *label) {
	for _, at := range x.refs {
		g.p.Code[at].T = x.pc
	}
}

func (g *generator) bind(x *label, l *ir.Label) {
	x.pc = g.here()
	g.patch(x)
	if l != nil {
		delete(g.labels, l)
	}
}

func (g *generator) jump(x *label) {
	x.refs = append(x.refs, g.emit(Instr{Op: Jump}))
}

func (g *generator) loop(s *ir.Stmt) {
	end := g.open(s.Label)
	again := &label{}
	g.labels[s.Label.Begin()] = again
	body := s.Body
	// Loop inversion: the exit condition of a loop is tested once before it, and then at the end of each round.
	if len(body) > 0 && body[0].Op == ir.If && len(body[0].Else) == 0 && g.leaves(body[0].Body) == end {
		exit := body[0].A
		mark := g.regs
		if !s.Sure {
			g.cond(exit, end, true)
			g.release(mark)
		}
		round := &label{pc: g.here()}
		g.body(body[1:])
		g.bind(again, nil)
		g.cond(exit, round, false)
		g.release(mark)
		g.patch(round)
	} else {
		again.pc = g.here()
		if n := len(body); n > 0 && body[n-1].Op == ir.If && len(body[n-1].Else) == 0 && g.leaves(body[n-1].Body) == end {
			// The exit is at the end: locals of the body stay in scope for the condition.
			mark := g.regs
			g.bodyKeep(body[:n-1])
			g.cond(body[n-1].A, again, false)
			g.release(mark)
		} else {
			g.body(body)
			g.jump(again)
		}
		g.patch(again)
	}
	delete(g.labels, s.Label.Begin())
	g.bind(end, s.Label)
}

// leaves returns the label if a body is nothing but a break or a continue, otherwise nil.
func (g *generator) leaves(body ir.Body) *label {
	if len(body) != 1 {
		return nil
	}
	switch body[0].Op {
	case ir.Break:
		return g.labels[body[0].Label]
	case ir.Continue:
		return g.labels[body[0].Label.Begin()]
	}
	return nil
}

func (g *generator) ifStmt(s *ir.Stmt) {
	if l := g.leaves(s.Body); l != nil && len(s.Else) == 0 {
		mark := g.regs
		g.cond(s.A, l, true)
		g.release(mark)
		return
	}
	els := &label{}
	mark := g.regs
	g.cond(s.A, els, false)
	g.release(mark)
	g.body(s.Body)
	if len(s.Else) == 0 {
		g.bind(els, nil)
		return
	}
	end := &label{}
	g.jump(end)
	g.bind(els, nil)
	g.body(s.Else)
	g.bind(end, nil)
}

// call generates the arguments and the call.
func (g *generator) call(s *ir.Stmt) {
	i := g.info[s.Proc]
	if g.inlines(i) {
		g.inline(i, s.Args)
		return
	}
	i.called = true
	mark := g.regs
	if i.suspends {
		if i.homes == nil {
			i.homes = seq.Of(len(s.Proc.Params), func(int) home { return home{cell: true, at: g.cell()} })
		}
		regs := seq.Map(s.Args, g.expr)
		for n := range s.Args {
			g.emit(Instr{Op: Store, A: uint8(regs[n]), K: int32(i.homes[n].at)})
		}
		g.release(mark)
		n := g.point()
		r := g.reg()
		g.emit(Instr{Op: LoadK, A: uint8(r), K: int32(n)})
		g.emit(Instr{Op: Store, A: uint8(r), K: int32(g.returnCell(i))})
		g.fixups = append(g.fixups, fixup{g.emit(Instr{Op: Jump}), i, -1})
		g.p.Points[n].PC = g.here()
		g.release(mark)
		return
	}
	// A constant or a cell is loaded directly into its parameter register, after the other arguments.
	regs := make([]int, len(s.Args))
	for n, a := range s.Args {
		if a.Op != ir.Const && a.Op != ir.Cell {
			regs[n] = g.expr(a)
		}
	}
	i.base = max(i.base, g.regs)
	for n, a := range s.Args {
		in := Instr{Op: Move, B: uint8(regs[n])}
		switch a.Op {
		case ir.Const:
			in = Instr{Op: LoadK, K: int32(a.K)}
		case ir.Cell:
			in = Instr{Op: Load, K: int32(a.K)}
		}
		g.fixups = append(g.fixups, fixup{g.emit(in), i, n})
	}
	g.fixups = append(g.fixups, fixup{g.emit(Instr{Op: Call}), i, -1})
	g.release(mark)
}

// native evaluates the arguments into consecutive registers.
func (g *generator) native(s *ir.Stmt) {
	out := home{}
	if s.Local != nil {
		out = g.homeOf(s.Local)
	}
	first := g.regs
	defer g.release(first)
	switch NativeOp(s.K) {
	case Lift, Relink:
		g.emit(Instr{Op: map[NativeOp]Op{Lift: LiftOp, Relink: RelinkOp}[NativeOp(s.K)], A: uint8(g.expr(s.Args[0]))})
		return
	case Emit:
		g.option(s)
		return
	case Take:
		switch a := s.Args[0]; {
		case a.Op == ir.Result:
			g.emit(Instr{Op: TakeOp})
			return
		case a.Is(0):
			g.emit(Instr{Op: TakeOp, C: 1})
			return
		}
	case SetDown:
		if s.Args[2].Op == ir.Cell {
			g.emit(Instr{Op: PutOp, A: uint8(g.expr(s.Args[0])), B: uint8(g.expr(s.Args[1])), K: int32(s.Args[2].K)})
			return
		}
	case Fire:
		g.emit(Instr{Op: FireOp, K: int32(s.Low)})
		return
	case ClearTurn:
		g.emit(Instr{Op: ClearOp})
		return
	case Tick:
		g.emit(Instr{Op: TickOp, C: 1})
		return
	case Count:
		g.emit(Instr{Op: CountOp, A: uint8(g.expr(s.Args[0])), B: uint8(g.expr(s.Args[1])), C: uint8(s.Low)})
		return
	}
	for range max(1, len(s.Args)) {
		g.reg()
	}
	for n, a := range s.Args {
		top := g.regs
		g.exprTo(a, first+n)
		g.release(top)
	}
	g.emit(Instr{Op: NativeCall, A: uint8(first), B: uint8(len(s.Args)), C: uint8(s.K), K: int32(s.Low)})
	switch {
	case s.Local == nil:
	case out.cell:
		g.emit(Instr{Op: Store, A: uint8(first), K: int32(out.at)})
	default:
		g.emit(Instr{Op: Move, A: uint8(out.at), B: uint8(first)})
	}
}

// option generates the instruction that adds an option; a template names the sources of its fields.
func (g *generator) option(s *ir.Stmt) {
	mark := g.regs
	t := Template{Clause: s.Low}
	for i, a := range s.Args {
		if a.Op == ir.Const {
			t.Fields[i] = Source{Const: a.K, Reg: -1}
			continue
		}
		t.Fields[i] = Source{Reg: g.expr(a)}
	}
	g.p.Templates = append(g.p.Templates, t)
	g.emit(Instr{Op: EmitOp, K: int32(len(g.p.Templates) - 1)})
	g.release(mark)
}

// decide generates a choice between rows of sets.
func (g *generator) decide(s *ir.Stmt) {
	mark := g.regs
	e := s.A
	g.inExpr++
	if e.Op == ir.Do {
		g.bodyKeep(e.Body)
		e = e.A
	}
	list := &g.p.Rows[e.K]
	for i, a := range e.Args {
		row := &list.Rows[i/4]
		if i%4 == 0 {
			row.Set = uint8(g.expr(a))
			continue
		}
		source := Source{Reg: -1, Const: a.K}
		switch a.Op {
		case ir.Const:
		case ir.Cell:
			source = Source{Reg: -2, Const: a.K}
		default:
			source = Source{Reg: g.expr(a)}
		}
		*[]*Source{&row.To, &row.Steps, &row.Number}[i%4-1] = source
	}
	for i := range list.Rows {
		list.Rows[i].Counts = list.Rows[i].Number == list.Rows[i].Steps
	}
	g.emit(Instr{Op: RowsOp, K: int32(e.K)})
	g.p.Code[g.try].T = g.here()
	g.inExpr--
	g.release(mark)
	g.body(s.Else)
	list.None = g.here()
	g.body(s.Body)
	list.Play, list.Point = s.K, g.point()
	g.p.Points[list.Point].PC = g.here()
	g.emit(Instr{Op: TakeOp})
	list.One = g.here()
}
