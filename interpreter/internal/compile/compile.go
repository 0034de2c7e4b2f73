// Package compile turns checked rules into a program: the last stage before a game runs.
//
// Every rule is lowered in its plain form: walks are loops over steps, lists are loops over their elements. What
// a newcomer gets wrong: lists never exist as values; "each" generates the loop that visits their elements, and
// the consumer of a list puts its own statements inside.
package compile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Unit is a compiled rule book: the program and what its numbers mean.
type Unit struct {
	Program *code.Program
	Rules   *model.Rules
	Sites   []source.Span   // by site
	Notes   []Note          // by note
	Clauses []*model.Clause // by counter, up to the moves
	Vars    []Slot          // by model.Var.Index
	// Entries into the program, see the constants.
	Probes []int // entry of each probe, by its place among the conditions of the tests
	Always []Always
	Picks  []*model.Stmt // by pick site
	Ranked int           // entry: whether player CellP0 is ranked by its clauses, -1 if none are
	// IllFormed is why the fast form was given up: a mistake of the compiler. It is nil in all programs that tests know.
	IllFormed error
	// The tree the program was made of, for another back end: the main procedure, and the
	// entries by their numbers from 1. nil in other units.
	Main    *ir.Proc
	Entries []*ir.Proc
}

// Always is a condition that holds in every position.
type Always struct {
	Clause *model.Clause
	Entry  int
	// Place is the entry that finds the place where it does not hold, -1 where the condition is of another form.
	Place int
}

// Slot is where a variable lives.
type Slot struct {
	Cell  int
	Each  int  // cells of one owner: 1, or the words of a set or bag
	Words int  // of a set or bag; 0 for plain values
	Low   int  // of a set: the number its first bit stands for; of a bag: the number its first word counts
	Bag   bool // each word says how often a number is there
	Queue bool // the first word says how many follow, the others are the numbers in their order
}

// Put adds a number to the words of a set, bag or queue; stride is how far its words are apart.
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

// Numbers are the elements of a set or bag in its words, ascending, or of a queue in their order.
func (s *Slot) Numbers(words []int16, stride int) []int {
	out := []int{}
	if s.Queue {
		for i := range int(words[0]) {
			out = append(out, int(words[(i+1)*stride]))
		}
		return out
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

// The entries every program has.
const (
	EntryStart  = iota // a new game: finds who begins, sets up, first turn
	EntryTurn          // a position at the beginning of a turn
	EntryDerive        // ends what the position has ended already
	fixedEntries
)

// maxTree bounds the tree of a program, since lets are expanded where they are used.
const maxTree = 2_000_000

// maxDuties bounds the must clauses of a rule book: an option's duties are bits of a number.
const maxDuties = 30

type compiler struct {
	rules   *model.Rules
	counts  []*model.Clause // reactions that do nothing but count, after all others
	unit    *Unit
	prog    *code.Program
	layout  *code.Layout
	tables  tables
	sites   map[source.Span]int
	slots   []Slot
	bags    []*model.Var // that are played
	procs   map[procKey]*ir.Proc
	entries []*ir.Proc
	budget  int

	turnBegin, turnEnd, over *ir.Mark
	endTurn                  *ir.Mark // where the end of a turn leads that a block says: turnEnd, or on, where no turn is on
	unbegun                  bool     // there has been no turn yet
	endingList               []*ending

	notes    *notes     // nil in a program that takes none
	needPath bool       // a reaction asks for the way of a walk
	traced   bool       // options keep their ways for those who watch
	steps    *interval  // see rangeOfSteps
	explains []*ir.Proc // explaining entries, by play

	watch     Stage
	plain     bool // every clause in its plain form, without sets
	tree      bool // the tree is kept
	masks     maskTables
	ordered   bool  // the pieces of players and teams are listed in the order of their numbers
	handFree  bool  // nothing is off its place here
	sureMarks []int // landmarks that every colour has

	listings   []listing
	flagTables map[[4]int]int
	judges     []judge
	questions  []inquiry
	tracks     *code.Tracks
	pastEnd    int  // the set that holds what lies past the end of the tracks
	judging    bool // the cells of the piece and place asked about are not nil
}

// tooLarge is what the compiler panics with, privately, when the budget is spent.
type tooLarge struct{}

// Compile makes the program of a game. It fails only when the rules are too large.
func Compile(rules *model.Rules) (*Unit, error) {
	return compileRules(rules, func(*compiler) {}, func(*compiler) {})
}

// Plain compiles rules to their plain form: every list is gone through, every walk walked. It is what the other form is
// held against, and the slower one.
func Plain(rules *model.Rules) (*Unit, error) {
	return compileRules(rules, func(c *compiler) { c.plain = true }, func(*compiler) {})
}

// Traced compiles rules to a program whose options keep the way of their walk. The game it plays is the same.
func Traced(rules *model.Rules) (*Unit, error) {
	return compileRules(rules, func(c *compiler) { c.traced = true }, func(*compiler) {})
}

// compileRules compiles; before settles how, more adds entries of its own. Where the fast form turns out to be ill-formed, the plain form of
// everything takes over.
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

// compileForm compiles in one form.
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
		&ir.Proc{Name: "turn", Entry: true, Body: []*ir.Stmt{{Op: ir.Jump, Mark: c.turnBegin}}},
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
	if len(c.clauses(model.ClauseMust)) > maxDuties {
		panic(tooLarge{})
	}
	c.fairThrows()
	procs := append([]*ir.Proc{main}, c.entries...)
	for _, p := range treePasses {
		p.run(c, procs)
		c.reached(p.name, procs)
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

// site numbers a place in the files.
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

// clauses lists the clauses of some kinds, in file order.
func (c *compiler) clauses(kinds ...model.ClauseKind) []*model.Clause {
	var out []*model.Clause
	for _, r := range c.rules.Rules {
		for _, x := range r.Clauses {
			if slices.Contains(kinds, x.Kind) {
				out = append(out, x)
			}
		}
	}
	for _, x := range c.counts {
		if slices.Contains(kinds, x.Kind) {
			out = append(out, x)
		}
	}
	return out
}

// reacts reports whether any clause waits for an event.
func (c *compiler) reacts(e model.EventKind) bool {
	return slices.ContainsFunc(c.clauses(model.ClauseOn, model.ClauseBefore), func(x *model.Clause) bool { return x.Event == e })
}

// numberCounters gives every clause and act a counter. How often a move is made the clauses tell that offer it.
func (c *compiler) numberCounters() {
	c.unit.Clauses = append(c.allClauses(), c.counts...)
	c.prog.ActCounters = len(c.unit.Clauses)
	c.prog.Counters = c.prog.ActCounters + len(c.rules.Acts)
	for _, m := range c.rules.Moves {
		c.prog.MovesPiece = append(c.prog.MovesPiece, len(m.Params) > 0 && m.Params[0].Type == model.Of(model.Piece))
		var bits uint8
		for i, p := range m.Params {
			if p.Type == model.Of(model.Piece) {
				bits |= 1 << i
			}
		}
		c.prog.PieceParams = append(c.prog.PieceParams, bits)
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
		for _, v := range d.Values {
			t.Fair = append(t.Fair, int16(v))
		}
	}
}
