// Package explore plays a rule book at random, from the beginning and from odd positions, in every setting, and
// reports faults: players who can never act, contradictory duties, clauses that never take effect, turns and games
// without end, positions that the rules reach and refuse, and rules that fail. Or it plays a book beside itself without a line, and
// reports lines that make no difference.
//
// It uses the exported API of the interpreter only. The work is divided into plays. Play k depends on the book, the
// seed and k only, so the same number of plays finds the same things on any machine with any number of threads. Note: a play that runs out of time does not count, and neither does any later one, so the findings
// are always those of the first plays.
package explore

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/parallel"
	"github.com/rulerun/rulerun/interpreter/suite"
)

// Options says how much is played. The zero value plays until its context is done.
type Options struct {
	Seed    uint64
	Plays   int // number of plays; 0: as many as time allows
	Throws  int // no play is begun after so many throws; 0: plays alone count
	Threads int // 0: one per processor
	// Brief plays short games of one setting from the beginning, that of tests if there are any, and reports only what a game leads to.
	Brief bool
	// Usual makes Brief play in the usual setting, whatever that of tests is.
	Usual bool
	// Enough plays until everything of the last file has taken effect, or enough for a report of what has not, or much, and
	// reports nothing that only odd positions lead to.
	Enough bool
}

// MaxPlays is the largest number of plays of one run.
const MaxPlays = 1_000_000

// FewTests are so few that running them takes no longer than a play: a report names as silent only what they do not execute either.
const FewTests = 12

// Finding is a fault found by playing.
type Finding struct {
	diag.Diagnostic
	// Witness is a position at the beginning of a turn in which the fault occurs, or nil.
	Witness *interpreter.Setup
}

// Report is the result of a run.
type Report struct {
	Findings []Finding     // by place and code
	Plays    int           // number of complete plays, counted from the first
	Throws   int           // throws in these plays
	Settings int           // settings with at least one play
	Silent   []source.Span // what of the last file has not taken effect, enough played or not
	Endless  bool          // no play was over when it was given up
}

// List is the findings without their witnesses.
func (r *Report) List() diag.List {
	return seq.Map(r.Findings, func(f Finding) diag.Diagnostic { return f.Diagnostic })
}

// explorer is one run.
type explorer struct {
	o      Options
	header source.Span // of the book's last file
	groups []model.PartGroup
	arenas []*arena
	stop   atomic.Bool

	mu      sync.Mutex
	numbers map[source.Span]int // of the clauses, over all settings
	clauses []*model.Clause     // by number

	// Observations of the plays collected.
	plays, throws map[*arena]int
	fired         map[int]bool // by clause number: it took effect
	noted         map[interpreter.Note]bool
	collected     int                        // plays
	thrown        int                        // in these plays
	later         bool                       // a play of the first setting was not over in its first turn, it seems
	ended         int                        // plays that were over
	endless       int                        // plays from the beginning that were given up before they were over
	lost          map[int]int                // by clause number: in how many plays the duty was not met
	found         map[bool]map[key]*sighting // by whether it began in an odd position, the first of each key

	tested func() map[interpreter.Note]bool // what the tests of the book execute
	few    bool                             // there are few of them
}

// Explore plays until all plays are complete or ctx is done. The error is a book that is too large to play.
func (gs *Games) Explore(ctx context.Context, o Options) (*Report, error) {
	b := gs.book
	if o.Plays <= 0 || o.Plays > MaxPlays {
		o.Plays = MaxPlays
	}
	x := &explorer{
		o: o, header: b.Header(), noted: map[interpreter.Note]bool{}, numbers: map[source.Span]int{}, plays: map[*arena]int{}, throws: map[*arena]int{},
		fired: map[int]bool{}, lost: map[int]int{}, found: map[bool]map[key]*sighting{false: {}, true: {}},
	}
	x.arenas = seq.Of(len(gs.settings), func(i int) *arena { return &arena{Games: gs, setting: i} })
	if len(x.arenas) == 0 {
		return &Report{}, nil
	}
	x.groups, x.few = b.Parts(), len(b.Scenarios()) <= FewTests
	switch {
	case o.Brief:
		x.arenas = x.arenas[gs.played(o.Usual):][:1]
	case o.Enough:
		x.arenas = x.newFirst()
	}
	x.tested = sync.OnceValue(func() map[interpreter.Note]bool { return gs.tested(context.WithoutCancel(ctx)) })
	defer context.AfterFunc(ctx, func() { x.stop.Store(true) })()
	workers, err := parallel.Workers(o.Threads, o.Plays, func() (*worker, error) {
		found, bases := map[bool]map[key]bool{false: {}, true: {}}, map[*arena]*interpreter.Position{}
		return &worker{x: x, found: found, noted: map[*arena][]bool{}, bases: bases}, nil
	})
	if err != nil {
		return nil, err
	}
	plays, err := parallel.Run(ctx, workers, parallel.Tasks[*worker, *played]{
		To:      o.Plays,
		Work:    func(w *worker, k, _ int) (*played, error) { return w.play(k) },
		Collect: func(_, _ int, p *played) bool { return x.add(p) },
	})
	if err != nil {
		return nil, err
	}
	return x.report(plays), nil
}

// newFirst puts settings that have clauses of the last file which none before has before the others, but the first.
func (x *explorer) newFirst() []*arena {
	unmet := seq.Set(clausesOf(x.groups), func(at source.Span) source.Span { return at })
	var first, rest []*arena
	for i, a := range x.arenas {
		before := len(unmet)
		if before > 0 {
			maps.DeleteFunc(unmet, func(at source.Span, _ bool) bool { return clauseAt(a.rules(a.setting), at) != nil })
		}
		if i == 0 || len(unmet) < before {
			first = append(first, a)
		} else {
			rest = append(rest, a)
		}
	}
	return append(first, rest...)
}

// tested is what the tests of a book execute.
func (gs *Games) tested(ctx context.Context) map[interpreter.Note]bool {
	out := map[interpreter.Note]bool{}
	for _, r := range suite.Run(ctx, suite.Of(gs.book), suite.Options{Note: true, Compile: gs.Compile}, nil) {
		if r.Outcome != suite.Passed {
			continue
		}
		for i, n := range r.Game.Notes() {
			out[n] = out[n] || r.Noted[i]
		}
	}
	return out
}

// number is the index of a clause over all settings.
func (x *explorer) number(c *model.Clause) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	n, known := x.numbers[c.Span]
	if !known {
		n = len(x.clauses)
		x.numbers[c.Span] = n
		x.clauses = append(x.clauses, c)
	}
	return n
}

// When enough was played.
const (
	lookEvery  = 8       // after how many plays it is asked
	inTurn     = 4       // plays of one setting in a row
	mostToFill = 400_000 // throws after which it is, whatever has not taken effect
	mostLost   = 50_000  // likewise, where no game comes to its end
)

// add adds the observations of the next play; false if time ran out in it.
func (x *explorer) add(p *played) bool {
	if p == nil {
		return false
	}
	if p.arena != nil {
		x.plays[p.arena]++
		x.later = x.later || p.arena == x.arenas[0] && !p.odd && !p.atOnce
		if p.ended {
			x.ended++
		}
		if p.endless {
			x.endless++
		}
		x.throws[p.arena] += p.throws
		x.thrown += p.throws
	}
	for _, n := range p.fired {
		x.fired[n] = true
	}
	for _, n := range p.noted {
		x.noted[n] = true
	}
	for _, n := range p.lost {
		x.lost[n]++
	}
	for _, s := range p.found {
		if x.found[s.odd][s.key] == nil {
			x.found[s.odd][s.key] = s
		}
	}
	x.collected++
	most := mostToFill
	if x.ended == 0 {
		most = mostLost
	}
	if x.o.Throws > 0 && x.thrown >= x.o.Throws {
		return false
	}
	return !x.o.Enough || x.collected%lookEvery > 0 || x.thrown < most &&
		(x.unmet() || slices.ContainsFunc(x.missing(), func(m missing) bool { return !m.enough() && !x.tested()[m.Note] }))
}

// unmet reports whether settings not played yet have a clause of the last file that those played do not have.
func (x *explorer) unmet() bool {
	later := x.arenas[min(len(x.arenas), x.collected/inTurn):]
	return slices.ContainsFunc(clausesOf(x.groups), func(at source.Span) bool {
		x.mu.Lock()
		_, met := x.numbers[at]
		x.mu.Unlock()
		return !met && slices.ContainsFunc(later, func(a *arena) bool { return clauseAt(a.rules(a.setting), at) != nil })
	})
}

// key identifies a finding: findings of one kind at one place are equal.
type key struct {
	kind kind
	at   source.Span
}

// sighting is one occurrence of a finding in a play.
type sighting struct {
	key
	play  int
	arena *arena
	odd   bool               // the play began in an odd position
	from  *interpreter.Setup // the position at the beginning of the turn, nil before the first turn
	path  path               // the throws and choices since then
	seat  int                // the seat that can never act
	never []*model.Expr      // of a game without end: the places that endings ask for, and where no piece stood
	words string             // the message of the fault, or the reasons for a refusal
	other *model.Clause      // the duty with priority
	last  *model.Clause      // the last reaction before a fault, nil if there was none in this turn
	why   causes             // clauses that refuse or undo the moves
}

// path is a sequence of throws and choices in a turn.
type path struct {
	throws  [][]int
	choices []int
}

// worker plays on one goroutine. It remembers the findings it has reported, to report each once.
type worker struct {
	x     *explorer
	fired []bool // by clause number
	noted map[*arena][]bool
	bases map[*arena]*interpreter.Position // positions of games, to copy others into
	found map[bool]map[key]bool            // as in explorer
}

// played has the observations of one complete play.
type played struct {
	arena       *arena // nil if the setting has no game
	throws      int
	fired, lost []int // clause numbers
	noted       []interpreter.Note
	found       []*sighting
	atOnce      bool // it was over, and no turn seemed to begin after its first
	odd         bool // it began in an odd position
	ended       bool // it was over
	endless     bool // it began where games begin, and was not over when it was given up
}
