package interpreter

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/wasm"
)

// batches plays whole random games as WebAssembly, if available and worth the cost. The games are the same as without
// it.
type batches struct {
	spent  atomic.Int64 // time of the games in the interpreter so far, by all runners of the game, in nanoseconds
	making sync.Mutex
	made   atomic.Bool
	batch  *wasm.Batch // nil if not available
}

// batchAfter is the time in the interpreter after which compiling a batch pays: it takes less, and a batch plays five
// times as fast or more.
const batchAfter = 100 * time.Millisecond

// played notes the time of a game in the interpreter, of so many. It foresees that the others take as long.
func (b *batches) played(d time.Duration, games int) {
	if d >= 2*batchAfter/time.Duration(max(games, 1)) {
		d = batchAfter
	}
	b.spent.Add(int64(d))
}

// due reports whether compiling a batch pays by now.
func (b *batches) due() bool { return b.spent.Load() >= int64(batchAfter) }

// newBatch compiles the batch of a study. It fails with wasm.ErrUnsupported if this machine has no compiler or the
// game is too large.
func (x *study) newBatch() (*wasm.Batch, error) {
	s := &wasm.Source{Program: x.prog, Main: x.unit.Main, Entries: x.unit.Entries, Lead: x.counted.Lead, Known: x.counted.Reads.Known, Reads: x.counted.Reads.Cells, Far: x.index, Scalars: x.scalars()}
	most := seq.Any(x.rules.Turn.All(), func(s *model.Stmt) bool { return s.Kind == model.StmtPlay && s.Play.LooksAhead() })
	turn := x.rules.Turn.Stmts
	s.Looks = most || x.prog.WalkEnds
	s.Choices = most || len(x.unit.Picks) > 0 || len(turn) == 0 || turn[0].Kind != model.StmtThrow
	for team, seats := range x.rules.Teams {
		if l := x.rules.Lead; l != nil && l.Params[0].Type.Kind == model.Team {
			seats = []int{team}
		}
		s.Asked = append(s.Asked, seats)
	}
	s.Team = seq.Of(x.prog.Layout.Pieces, func(p int) int { return x.rules.Seats[x.SeatOf(x.ColourOf(p))].Team })
	return wasm.Compile(s)
}

// scalars are the cells of the state that are never indexed: those every program has, the dice, and variables of the
// game, the turn and the go that are not sets.
func (x *study) scalars() []int {
	out := seq.Of(code.HeaderCells, func(k int) int { return k })
	out = append(out, seq.Of(len(x.rules.Dice), func(d int) int { return x.prog.Layout.Dice + d })...)
	for i, v := range x.rules.Vars {
		if s := x.unit.Vars[i]; s.Words == 0 && !v.Scope.Owned() {
			out = append(out, s.Cell)
		}
	}
	return out
}

// ready returns the batch, which it compiles when that pays; nil before, and while another runner compiles it.
func (b *batches) ready(x *study) *wasm.Batch {
	if b.made.Load() {
		return b.batch
	}
	if !b.due() || !b.making.TryLock() {
		return nil
	}
	defer b.making.Unlock()
	if !b.made.Load() {
		b.batch, _ = x.newBatch() // otherwise the interpreter plays on
		b.made.Store(true)
	}
	return b.batch
}

// batched returns the player of a runner's games in a batch, nil if the interpreter has to play them.
func (r *Runner) batched() *wasm.Player {
	if r.player == nil && !r.alone {
		if r.o.Interpret || !r.byChance {
			r.alone = true
			return nil
		}
		b := r.study.batches.ready(r.study)
		if b == nil {
			r.alone = r.study.batches.made.Load()
			return nil
		}
		p, err := b.NewPlayer()
		if err != nil {
			r.alone = true
			return nil
		}
		r.player = p
	}
	return r.player
}

// maxTroubles is the number of failed games after which a runner stops using the batch.
const maxTroubles = 20

// playBatched plays a game in a batch. It returns false if the interpreter must play it.
func (r *Runner) playBatched(p *wasm.Player) bool {
	x := &r.played
	if err := p.Play(wasm.Request{Random: uint64(r.random.source), First: x.First, MaxThrows: r.o.MaxThrows, Leads: r.o.Leads}); err != nil {
		if r.troubles++; r.troubles > maxTroubles {
			r.player, r.alone = nil, true
		}
		return false
	}
	p.Final(r.p.m)
	r.p.err, r.p.throws = nil, p.Throws
	x.First, x.Decisions, x.Unfinished, x.LeadChanges = p.First, p.Decisions, p.Unfinished, p.LeadChanges
	if r.leader = p.Leader; r.leader != None {
		r.since[r.leader] = p.Since
	}
	if r.ranked = -1; r.o.Leads {
		r.ranked, r.before = p.Ranked, p.Before
	}
	r.count()
	return true
}
