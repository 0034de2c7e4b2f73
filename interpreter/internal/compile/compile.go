// Package compile turns checked rules into a program. It is the last stage before a game runs.
//
// The plain form lowers every rule directly: a walk is a loop over its steps, a list a loop over its elements. The other
// form replaces loops by bitsets where it can. Note: a list never exists as a value. "each" emits the loop
// over the elements, and the consumer of the list supplies the loop body.
package compile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Unit is a compiled rule book: the program and the tables that explain its numbers.
type Unit struct {
	Program *code.Program
	Rules   *model.Rules
	Sites   []source.Span   // by site
	Notes   []Note          // by note
	Clauses []*model.Clause // by counter; the counters of acts follow
	Vars    []Slot          // by model.Var.Index
	// Entry points of the program, see the constants.
	Probes []int   // entry of each probe, by its index among the conditions of the tests
	Lists  []Lists // by move, if a test expects moves or wants one refused
	Always []Always
	Picks  []*model.Stmt // by pick site
	Ranked int           // entry that reports whether player CellP0 is ranked by a clause; -1 without such clauses
	// IllFormed is the reason for falling back to the plain form: a bug in the compiler. No program in the tests has one.
	IllFormed error
	// The tree of the program, for another back end: the main procedure, and the entries numbered from 1. Other units have
	// nil.
	Main    *ir.Proc
	Entries []*ir.Proc
}

// Lists are the entries that report whether a move ranges over values of its parameters, in the cells from CellP0 on.
type Lists struct {
	Params []int // by parameter: whether its list has it, with the parameters before it; 0 where the list depends on the number counted
	From   int   // whether the move can begin where they are; 0 without a condition
}

// Always is a condition that holds in every position.
type Always struct {
	Clause *model.Clause
	Entry  int
	// Place is the entry that finds the place where the condition fails, or -1 if the condition has another form.
	Place int
}

// Slot describes the cells of a variable.
type Slot struct {
	Cell  int
	Each  int  // cells per owner: 1, or the number of words of a set or bag
	Words int  // of a set or bag; 0 for single values
	Low   int  // the number of a set's first bit, or of a bag's first word
	Bag   bool // each word counts the copies of one number
	Queue bool // the first word is the length, the others are the numbers in order
}

// Put adds a number to the words of a set, bag or queue. stride is the distance between two words of one owner.
func (s *Slot) Put(words []int16, stride, n int) {
	if s.Queue {
		words[0]++
		words[int(words[0])*stride] = int16(n)
		return
	}
	n -= s.Low
	if s.Bag {
		words[n*stride]++
		return
	}
	words[n/16*stride] |= int16(uint16(1) << (n % 16))
}

// Numbers decodes the words of a set or bag, ascending, or of a queue, in order.
func (s *Slot) Numbers(words []int16, stride int) []int {
	out := []int{}
	if s.Queue {
		return seq.Of(int(words[0]), func(i int) int { return int(words[(i+1)*stride]) })
	}
	for w := range s.Words {
		word := words[w*stride]
		if s.Bag {
			for range word {
				out = append(out, w+s.Low)
			}
			continue
		}
		for bit := range 16 {
			if uint16(word)>>bit&1 != 0 {
				out = append(out, 16*w+bit+s.Low)
			}
		}
	}
	return out
}

// The entries of every program.
const (
	EntryStart  = iota // a new game: finds who begins, sets up, first turn
	EntryTurn          // a position at the beginning of a turn
	EntryDerive        // applies the endings that already hold in a position
)

// maxTree bounds the size of a program's tree, since every use of a let is inlined.
const maxTree = 2_000_000

// maxDuties bounds the must clauses of a rule book: the duties of an option are a bitset.
const maxDuties = 30

type compiler struct {
	rules   *model.Rules
	counts  []*model.Clause // reactions of "count" declarations, which run after all others
	unit    *Unit
	prog    *code.Program
	layout  *code.Layout
	tables  tables
	sites   map[source.Span]int
	slots   []Slot
	bags    []*model.Var // the bags that are played
	procs   map[procKey]*ir.Proc
	entries []*ir.Proc
	budget  int

	turnBegin, turnEnd, over *ir.Mark
	endTurn                  *ir.Mark // the target of a jump that ends the turn: turnEnd, or another mark while no turn runs
	unbegun                  bool     // the first turn has not begun
	endingList               []*ending
	ruleClauses              []*model.Clause // see allClauses

	notes    *notes     // nil in a program without notes
	needPath bool       // a reaction asks for the path of a walk
	traced   bool       // options record their paths, for display
	steps    *interval  // memo of rangeOfSteps
	explains []*ir.Proc // explaining entries, by play

	watch     Stage
	plain     bool // use the plain form only, without bitsets
	tree      bool // keep the tree in the unit
	masks     maskTables
	ordered   bool  // the pieces of each player and team are listed in ascending order
	handFree  bool  // no piece is in the hand at this point of the code
	sureMarks []int // landmarks that exist for every colour

	listings   []listing
	flagTables map[[4]int]int
	judges     []judge
	questions  []inquiry
	tracks     *code.Tracks
	pastEnd    int  // the set for squares past the end of the tracks
	winding    bool // some track comes to a place again
	judging    bool // the cells of the piece and place in question are not nil
}

// tooLarge is the compiler's private panic value for an exceeded budget.
type tooLarge struct{}

// Compile compiles rules to a program. It fails only if the rules are too large.
func Compile(rules *model.Rules) (*Unit, error) {
	return compileRules(rules, func(*compiler) {}, func(*compiler) {})
}

// Plain compiles rules to their plain form, with a loop for every list and every walk. It is slower, and the oracle that
// tests compare the other form with.
func Plain(rules *model.Rules) (*Unit, error) {
	return compileRules(rules, func(c *compiler) { c.plain = true }, func(*compiler) {})
}

// Traced compiles rules to a program whose options record the path of their walk. The game is the same.
func Traced(rules *model.Rules) (*Unit, error) {
	return compileRules(rules, func(c *compiler) { c.traced = true }, func(*compiler) {})
}

// compileRules compiles rules. before sets flags of the compiler, more adds entries. If the fast form is ill-formed, it
// compiles the plain form instead.
func compileRules(rules *model.Rules, before, more func(*compiler)) (*Unit, error) {
	unit, err := compileForm(rules, before, more)
	if !errors.Is(err, ir.ErrIllFormed) {
		return unit, err
	}
	unit, again := compileForm(rules, func(c *compiler) { before(c); c.plain = true }, more)
	if again != nil {
		return nil, err
	}
	unit.IllFormed = err
	return unit, nil
}

// compileForm compiles rules once, without a fallback.
func compileForm(rules *model.Rules, before, more func(*compiler)) (unit *Unit, err error) {
	c := &compiler{
		rules: rules, unit: &Unit{Rules: rules, Sites: []source.Span{{}}}, prog: &code.Program{}, sites: map[source.Span]int{},
		procs: map[procKey]*ir.Proc{}, turnBegin: &ir.Mark{Name: "turn begins"}, turnEnd: &ir.Mark{Name: "turn ends"}, over: &ir.Mark{Name: "over"},
	}
	c.endTurn = c.turnEnd
	c.layout = &c.prog.Layout
	c.unit.Program = c.prog
	before(c)
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(tooLarge); !ok {
				panic(r)
			}
			unit, err = nil, fmt.Errorf("ruleset %q: %w", rules.Name, code.ErrTooLarge)
		}
	}()
	c.winding = slices.ContainsFunc(rules.Track.Runs, func(r boards.Run) bool { return !r.OnlyForward() })
	c.needPath = c.reacts(model.EventStep) || c.reacts(model.EventPass) || c.reacts(model.EventTurned)
	c.prog.Traced = c.traced || c.needPath
	c.handFree = !c.needPath && !c.reacts(model.EventLeave) && !slices.ContainsFunc(rules.Moves, func(m *model.Move) bool { return m.Carrying != nil })
	c.prog.TakesUp = !c.handFree
	c.makeTables()
	c.makeLayout()
	c.numberCounters()
	c.makeDice()
	c.prog.WalkEnds = c.walkEnds()
	c.findJudges()
	main := c.main()
	c.entries = append(c.entries,
		&ir.Proc{Name: "turn", Entry: true, Body: ir.Body{{Op: ir.Jump, Mark: c.turnBegin}}},
		&ir.Proc{Name: "endings", Entry: true, Body: c.passes(ir.K(0), true)})
	c.checks()
	c.judgeEntries()
	more(c)
	first := len(c.entries) + 1
	c.entries = append(c.entries, c.explains...)
	for _, x := range c.listings {
		c.entries = append(c.entries, x.proc)
		c.prog.Plays[x.play].List = int32(len(c.entries))
	}
	if len(c.prog.Duties) > maxDuties {
		panic(tooLarge{})
	}
	c.fairThrows()
	procs := append([]*ir.Proc{main}, c.entries...)
	for i, p := range treePasses {
		p.run(c, procs)
		c.reached(p.name, procs)
		if c.watch.Tree == nil && i < len(treePasses)-1 {
			continue // a fault shows after the last one too
		}
		if err := ir.Verify(procs, code.NonNil); err != nil {
			return nil, fmt.Errorf("ruleset %q: %s: %w", rules.Name, p.name, err)
		}
	}
	if err := code.Generate(c.prog, main, c.entries, c.watch.Code); err != nil {
		return nil, fmt.Errorf("ruleset %q: %w", rules.Name, err)
	}
	if c.tree {
		c.unit.Main, c.unit.Entries = main, c.entries
	}
	for i := range c.prog.Plays {
		c.prog.Plays[i].Explain = c.prog.Entries[first+i]
	}
	c.layout.FrameEnd = max(c.layout.FrameEnd, c.layout.Frame+code.SmallFrame)
	c.layout.Size = max(c.layout.Size, c.layout.FrameEnd)
	c.initial()
	c.prog.Scratch = c.tables.scratch
	c.tabulate()
	c.usual()
	if err := code.Verify(c.prog); err != nil {
		return nil, fmt.Errorf("ruleset %q: %w", rules.Name, err)
	}
	return c.unit, nil
}

// site interns a source span and returns its number.
func (c *compiler) site(s source.Span) int {
	if s.IsZero() {
		return 0
	}
	if n, ok := c.sites[s]; ok {
		return n
	}
	c.unit.Sites = append(c.unit.Sites, s)
	c.sites[s] = len(c.unit.Sites) - 1
	return len(c.unit.Sites) - 1
}

func (c *compiler) spend() {
	if c.budget++; c.budget > maxTree {
		panic(tooLarge{})
	}
}

// clauses lists the clauses of the given kinds, in file order.
func (c *compiler) clauses(kinds ...model.ClauseKind) []*model.Clause {
	of := func(x *model.Clause) bool { return slices.Contains(kinds, x.Kind) }
	return append(seq.Filter(c.allClauses(), of), seq.Filter(c.counts, of)...)
}

// reacts reports whether any clause reacts to an event.
func (c *compiler) reacts(e model.EventKind) bool {
	return slices.ContainsFunc(c.clauses(model.ClauseOn, model.ClauseBefore), func(x *model.Clause) bool { return x.Event == e })
}

// numberCounters gives every clause and act a counter. Moves need none: the counters of the clauses that offer them say how
// often a move is made.
func (c *compiler) numberCounters() {
	c.unit.Clauses = slices.Concat(c.allClauses(), c.counts)
	c.prog.Duties = seq.Map(c.clauses(model.ClauseMust), func(x *model.Clause) int { return x.Index })
	c.prog.ActCounters = len(c.unit.Clauses)
	c.prog.Counters = c.prog.ActCounters + len(c.rules.Acts)
	for _, m := range c.rules.Moves {
		pieces := bitset(seq.Indexes(m.Params, func(p *model.Local) bool { return p.Type == model.Of(model.Piece) }))
		c.prog.MovesPiece, c.prog.PieceParams = append(c.prog.MovesPiece, pieces&1 != 0), append(c.prog.PieceParams, uint8(pieces))
	}
}

func (c *compiler) makeDice() {
	for _, d := range c.rules.Dice {
		die := code.Die{Name: d.Name, Choice: d.Kind == model.DieChoice, Deck: -1}
		for _, f := range d.Faces {
			die.Values = append(die.Values, f.Value)
			die.Weights = append(die.Weights, f.Weight)
			die.Total += f.Weight
		}
		if d.Kind == model.DieDeck {
			die.Deck = c.layout.Size
			c.layout.Size += len(d.Faces)
		}
		c.prog.Dice = append(c.prog.Dice, die)
	}
	c.layout.Frame, c.layout.FrameEnd = c.layout.Size, c.layout.Size
}

// fairThrows marks the throws of one ordinary die.
func (c *compiler) fairThrows() {
	for i := range c.prog.Throws {
		t := &c.prog.Throws[i]
		if t.Lot || t.Start || len(t.Dice) != 1 {
			continue
		}
		d := &c.prog.Dice[t.Dice[0]]
		if d.Choice || d.Deck >= 0 || d.Total != len(d.Values) {
			continue
		}
		t.Cell = c.layout.Dice + t.Dice[0]
		t.Fair = seq.Map(d.Values, func(v int) int16 { return int16(v) })
	}
}
