package wasm

import (
	"errors"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Source is a program with the tree it was generated from, and what the module needs to find the leader.
type Source struct {
	Program *code.Program
	Main    *ir.Proc
	Entries []*ir.Proc // by number, from 1
	Lead    int        // entry that computes the lead of the player or team in CellP0, 0 if the rules define none
	Known   bool       // that lead depends only on the team's own pieces and on the cells in Reads
	Reads   []int      // cells
	Asked   [][]int    // for each team, the values of CellP0 that its lead is the sum of
	Team    []int      // team of each piece
	Far     []int      // distance of each node along its track
	Scalars []int      // cells that are single variables; build skips those that an index can reach
	Looks   bool       // options may be tried out to see what follows from them (lookahead)
	Choices bool       // many choices may follow one another without a throw
}

// build makes the module of a program. It returns ErrUnsupported if the program contains something that only the interpreter does.
func build(s *Source) (binary []byte, mem *memory, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok || !errors.Is(e, ErrUnsupported) {
				panic(r)
			}
			binary, mem, err = nil, nil, e
		}
	}()
	g := &gen{
		p: s.Program, entries: s.Entries, module: &module{}, made: map[any]*fn{}, procs: map[*ir.Proc]*proc{}, scalars: map[int]global{}, pending: map[int]int{},
		lead: leadForm{entry: s.Lead, incremental: s.Lead > 0 && s.Known && len(s.Asked) < 32, cells: map[int]bool{}, teams: s.Asked, piece: s.Team}, progress: s.Far, lookahead: s.Looks, choices: s.Choices,
	}
	for _, k := range s.Reads {
		g.lead.cells[k] = true
	}
	for w := range numberWords {
		g.words = append(g.words, g.module.newGlobal(w.kind()))
	}
	var indexed map[int]bool
	g.read, indexed = cellsUsed(append([]*ir.Proc{s.Main}, s.Entries...))
	g.read[code.CellUsable] = g.read[code.CellUsable] || s.Looks
	for _, k := range s.Scalars {
		if indexed[k] { // the only element of an array
			continue
		}
		g.scalars[k], g.order = g.module.newGlobal(i32), append(g.order, k)
	}
	for range min(code.DerivedPlaces, len(s.Program.Derived)) {
		g.sets = append(g.sets, g.module.newGlobal(i64))
	}
	g.mem = newMemory(s.Program, 1+len(s.Far), s.Looks)
	g.module.pages, g.module.top = g.mem.pages(), g.mem.top
	g.newPack()
	var all []*ir.Proc
	g.survey(s.Main, &all)
	if s.Lead > 0 {
		g.survey(s.Entries[s.Lead-1], &all)
	}
	if t := s.Program.Tracks; t != nil {
		for _, j := range t.Judges {
			g.survey(s.Entries[j.Entry-1], &all)
		}
	}
	g.width = newWidths(all)
	play := g.module.newFunc(playName, i32)
	g.begin, g.end = g.module.newFunc("begin", none), g.module.newFunc("end", none)
	g.play = play
	g.within(play, func() {
		g.f.do(g.begin)
		g.body(s.Main.Body)
		g.f.eval(c32(0))
	})
	for _, x := range g.packs {
		g.within(x.drain, func() { g.drainPack(x) })
	}
	g.within(g.begin, g.emitBegin)
	g.within(g.end, g.emitEnd)
	return g.module.encode(play), g.mem, nil
}

// cellsUsed returns the cells that a procedure or the module's own functions read, and the base cells of indexed accesses.
func cellsUsed(procs []*ir.Proc) (read, indexed map[int]bool) {
	read, indexed = map[int]bool{code.CellP0: true, code.CellTo: true, code.CellNode: true, code.CellSteps: true, code.CellWalk: true}, map[int]bool{}
	for _, p := range ir.Reached(procs) {
		ir.Walk(p.Body, func(s *ir.Stmt) bool {
			if s.Op == ir.Store && s.B != nil {
				indexed[s.K] = true
			}
			return true
		}, func(e *ir.Expr) bool {
			switch {
			case e.Op == ir.Cell:
				read[e.K] = true
			case e.Op == ir.CellAt && e.A.Op != ir.Const:
				indexed[e.K] = true
			}
			return true
		})
	}
	return read, indexed
}

const playName = "play"

// emitBegin emits the function that sets up a new game.
func (g *gen) emitBegin() {
	f, m := g.f, g.mem
	g.copyMemory(c32(m.state), c32(m.image), c32(m.stateSize()))
	f.eval(c32(m.counters))
	f.eval(c32(0))
	f.eval(c32(8 * g.p.Counters))
	f.emit(0xfc, 11, 0)
	g.reload()
	for _, w := range []word{wRandom, wMaxThrows, wLeads, wFirst} {
		g.setWord(w, load(w.kind(), int(width(w.kind())), f.base(), m.word(w)))
	}
	g.mix(c64(gamma))
	for _, w := range []word{wCheckAt, wLevel, wList, wPicked, wThrows, wDecisions, wUnfinished, wChanges, wBefore, wChoices, wEliminated} {
		g.setWord(w, c32(0))
	}
	g.setWord(wTimes, c64(1))
	g.setWord(wLeader, c32(-1))
	g.setWord(wRanked, c32(-1))
	g.clearCounters()
	g.resetLead()
	g.setCell(code.CellMe, g.word(wFirst))
	g.refuel()
}

// emitEnd emits the function that writes the results of a game to memory.
func (g *gen) emitEnd() {
	f := g.f
	g.flush()
	for w := wFirst; w <= wBefore; w++ {
		f.store(32, f.base(), g.mem.word(w), g.word(w))
	}
	g.flushCounters()
}

// endGame emits the end of a game.
func (g *gen) endGame() {
	g.f.do(g.end)
	if g.f == g.play {
		g.f.ret(c32(0))
		return
	}
	g.f.store(32, g.f.base(), g.mem.word(wOver), c32(1)) // inside a procedure only a trap leaves the game
	g.f.trap()
}
