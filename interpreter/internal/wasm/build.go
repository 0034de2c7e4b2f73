package wasm

import (
	"errors"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Source is a program with the tree it was made of, and what looking who leads takes.
type Source struct {
	Program *code.Program
	Main    *ir.Proc
	Entries []*ir.Proc // by number, from 1
	Lead    int        // entry of how far ahead the one in CellP0 is, 0 where the rules do not say
	Known   bool       // that depends on where a team's own pieces stand, and on Reads
	Reads   []int      // cells
	Asked   [][]int    // of each team who is asked then
	Team    []int      // of each piece
	Far     []int      // how far along its track each node is
	Scalars []int      // cells of the state that stand alone; those that an index reaches all the same are left out
	Looks   bool       // options may be carried out to see what comes of them
	Choices bool       // many choices may follow one another without a throw
}

// build makes the module of a program. It fails with ErrUnsupported where the program has something that only the interpreter
// does.
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
		p: s.Program, entries: s.Entries, module: &module{}, natives: map[string]*fn{}, procs: map[*ir.Proc]*proc{}, scalars: map[int]global{}, waits: map[int]int{},
		lead: leadForm{entry: s.Lead, known: s.Lead > 0 && s.Known && len(s.Asked) < 32, cells: map[int]bool{}, teams: s.Asked, piece: s.Team}, far: s.Far, looks: s.Looks, choices: s.Choices, runs: map[*ir.Proc]*fn{}, tried: map[*ir.Proc]*fn{},
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
		if indexed[k] { // the only word of a set
			continue
		}
		g.scalars[k], g.order = g.module.newGlobal(i32), append(g.order, k)
	}
	for range min(code.DerivedPlaces, len(s.Program.Derived)) {
		g.sets = append(g.sets, g.module.newGlobal(i64))
	}
	g.mem = newMemory(s.Program, 1+len(s.Far), s.Looks)
	g.module.pages, g.module.top = g.mem.pages(), g.mem.top
	g.newPool()
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
	for _, x := range g.pools {
		g.within(x.pour, func() { g.pouring(x) })
	}
	g.within(g.begin, g.beginning)
	g.within(g.end, g.ending)
	return g.module.encode(play), g.mem, nil
}

// cellsUsed are the cells that some procedure reads, with those that the machine's own functions do, and the first ones of those that an
// index reaches.
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

// beginning sets everything up for a new game.
func (g *gen) beginning() {
	f, m := g.f, g.mem
	g.copyMemory(c32(m.state), c32(m.image), c32(m.stateSize()))
	f.eval(c32(m.counters))
	f.eval(c32(0))
	f.eval(c32(8 * g.p.Counters))
	f.emit(0xfc, 11, 0)
	g.reload()
	for _, w := range []word{wRandom, wMaxThrows, wLeads, wFirst} {
		g.setWord(w, load(w.kind(), int(width(w.kind())), f.base(), m.words+8*int(w)))
	}
	g.mix(c64(gamma))
	for _, w := range []word{wAlarm, wLevel, wList, wPicked, wThrows, wDecisions, wUnfinished, wChanges, wBefore, wChoices, wOut} {
		g.setWord(w, c32(0))
	}
	g.setWord(wLeader, c32(-1))
	g.setWord(wRanked, c32(-1))
	g.clearCounts()
	g.standing()
	g.setCell(code.CellMe, g.word(wFirst))
	g.refuel()
}

// ending tells what the game has come to.
func (g *gen) ending() {
	f := g.f
	g.flush()
	for w := wFirst; w <= wBefore; w++ {
		f.store(32, f.base(), g.mem.words+8*int(w), g.word(w))
	}
	g.giveCounts()
}

// over is the end of a game.
func (g *gen) over() {
	g.f.do(g.end)
	if g.f == g.play {
		g.f.give(c32(0))
		return
	}
	g.f.store(32, g.f.base(), g.mem.words+8*int(wOver), c32(1)) // in the middle of a procedure there is no other way out
	g.f.trap()
}
