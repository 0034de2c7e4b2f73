package interpreter

import (
	"errors"
	"math/bits"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
	"github.com/rulerun/rulerun/interpreter/internal/wasm"
)

// RunOptions says how a Runner plays. The zero value plays at random, and the first seat begins every game.
type RunOptions struct {
	// First is the seat that begins every game, or ByTheRules.
	First int
	// Rotate makes game k begin k seats later.
	Rotate bool
	// MaxThrows ends an endless game; 0 is DefaultMaxThrows.
	MaxThrows int
	// Leads records at every throw who leads.
	Leads bool
	// Players decide for the seats; nil, for all or one, is random play: each option is equally likely at each
	// decision. They have a separate source of random numbers, so that the dice are the same for all players. The
	// runner keeps the slice: changing its elements between games changes the players.
	Players []Chooser
	// Deal, if not 0, is the number of Players: they change seats. Seat s of game k has player s+k, counted round; with
	// Rotate they change when every seat has begun.
	Deal int
	// Watch, if not nil, gets the events.
	Watch Watcher
	// Look, if not nil, gets the position before every throw. It must not change it.
	Look func(p *Position)
	// Decide, if not nil, gets the position at every choice, and the index of the option that is taken there. It must not
	// change the position.
	Decide func(p *Position, i int)
	// Games, if not 0, is about how many games are played in all: it settles early whether WebAssembly pays.
	Games int
	// Interpret forces the interpreter for all games. Without it long runs use WebAssembly, if available and without
	// Players, Watch, Look or Decide; the results are the same.
	Interpret bool
	// Stop, if not nil and true, ends a game within a thousand throws or some choices, with ErrStopped. Any goroutine
	// may set it.
	Stop *atomic.Bool
}

// ErrStopped means that RunOptions.Stop ended a game.
var ErrStopped = errors.New("the game was stopped")

// Chooser decides for a seat. It belongs to one goroutine.
type Chooser interface {
	// Choose returns the index of the option taken at a choice.
	Choose(p *Position, r *Random) int
	// Number returns the number chosen if the player chooses it instead of throwing.
	Number(p *Position, r *Random) int
}

// DefaultMaxThrows ends an endless game.
const DefaultMaxThrows = 100_000

// Played has the results of one game. It belongs to the runner and is overwritten by the next game.
type Played struct {
	First  int // the seat that began; ByTheRules if the game ended before the rules determined it
	Throws int
	Turns  int
	// Decisions counts the choices of a turn, including questions. Each has two options or more.
	Decisions int
	// Forced counts the decisions with one option.
	Forced int
	Moves  []uint64 // how often each move of the rules was made
	Acts   []uint64 // how often each act was done
	Rules  []uint64 // how often clauses of each rule took effect
	Counts []int    // the value of each count of the rules
	// Won reports for each seat whether its side has won; for none in a draw.
	Won        []bool
	Dealt      []int // of each seat the number of its player, only with RunOptions.Deal
	Ranking    []int // as in Result
	Places     []int // of each seat its rank, from 0, see Position.Place; None without a ranking, or if not ranked in an unfinished game
	Unfinished bool  // ended by RunOptions.MaxThrows, or by MaxChoices
	// LeadChanges is how often the leading team changed, and Settled the number of throws after which the winner led
	// to the end; both only with RunOptions.Leads. A team that draws level does not lead.
	LeadChanges int
	Settled     int
	// FirstRanked is the number of throws after which the first player was ranked, only with RunOptions.Leads; 0 if
	// no player is ranked, or if another ending determines the winner.
	FirstRanked int
	// FirstDecisions is the number of decisions until then, only if FirstRanked is not 0.
	FirstDecisions int
}

// Copy is a copy that the runner does not overwrite.
func (x *Played) Copy() *Played {
	y := *x
	y.Moves, y.Acts, y.Rules, y.Counts = slices.Clone(x.Moves), slices.Clone(x.Acts), slices.Clone(x.Rules), slices.Clone(x.Counts)
	y.Won, y.Dealt, y.Ranking, y.Places = slices.Clone(x.Won), slices.Clone(x.Dealt), slices.Clone(x.Ranking), slices.Clone(x.Places)
	return &y
}

// FirstWinner is the number of throws until the first winner is certain: the first player is ranked, or the game is
// over. Throws includes the rest of the ranking.
func (x *Played) FirstWinner() int {
	if x.FirstRanked > 0 {
		return x.FirstRanked
	}
	return x.Throws
}

// Runner plays whole games one after the other in the same memory. It belongs to one goroutine.
type Runner struct {
	study  *study
	p      *Position
	o      RunOptions
	ask    *Position // for evaluating the lead
	random Random
	own    Random // for the players
	played Played
	leader int   // the leading team, None if there is none
	come   []int // the progress of each piece at the last look, then the sum for each team
	stand  []int
	read   []int16 // the cells that the lead depends on, at the last look
	since  []int   // the throw at which each team took the lead
	ranked int     // the throw after which the first player was ranked, -1 if none is
	before int     // the decisions until then

	byChance bool         // no players and no observers: the machine itself samples
	player   *wasm.Player // plays whole games, see batched
	alone    bool         // the interpreter plays all games
	troubles int          // number of games that player could not play
}

// study is a game in the form that counts.
type study struct {
	*Game
	counted *compile.Studied
	index   []int    // of each node of the tracks: its index
	pieces  []uint64 // of each team the set of its pieces, as a mask for Machine.Moved
	batches batches
}

// studied is the game in the form that counts, compiled once.
func (g *Game) studied() (*study, error) {
	g.studying.Do(func() { g.study, g.studyError = newStudy(g) })
	return g.study, g.studyError
}

func newStudy(g *Game) (*study, error) {
	counted, err := compile.Study(g.rules)
	if err != nil {
		return nil, err
	}
	x := &study{Game: &Game{unit: counted.Unit, prog: counted.Unit.Program, rules: g.rules, secrets: g.secrets, counted: counted, keeps: g.keeps}, counted: counted}
	x.Game.leading = &leadForm{unit: counted.Unit, lead: counted.Lead, values: counted.Values}
	x.pieces = make([]uint64, len(g.rules.Teams))
	for colour, c := range g.rules.Colours {
		x.index = append(x.index, make([]int, x.prog.Nodes[colour]-len(x.index))...)
		x.index = append(x.index, seq.Map(g.rules.Track.Runs[c.Board].Nodes, func(n boards.Node) int { return n.Index })...)
		for i := range g.rules.PieceCount {
			x.pieces[g.rules.Seats[c.Seat].Team] |= 1 << ((colour*g.rules.PieceCount + i) % 64)
		}
	}
	return x, nil
}

// NewRunner makes a runner for a game. It fails only if the rules are too large for a program.
func NewRunner(g *Game, o RunOptions) (*Runner, error) {
	x, err := g.studied()
	if err != nil {
		return nil, err
	}
	if o.MaxThrows <= 0 {
		o.MaxThrows = DefaultMaxThrows
	}
	r := &Runner{study: x, p: x.Start(0), o: o, since: make([]int, len(g.rules.Teams))}
	r.ask = r.p.Copy()
	r.come, r.stand = make([]int, len(g.rules.Colours)*g.rules.PieceCount), make([]int, len(g.rules.Teams))
	r.read = make([]int16, len(x.counted.Reads.Cells))
	r.p.Watch(o.Watch)
	r.byChance = o.Players == nil && o.Watch == nil && o.Look == nil && o.Decide == nil
	r.played = Played{
		Moves: make([]uint64, len(g.rules.Moves)), Acts: make([]uint64, len(g.rules.Acts)), Rules: make([]uint64, len(g.rules.Rules)),
		Counts: make([]int, len(g.rules.Counts)), Won: make([]bool, g.Players()), Places: make([]int, g.Players()),
	}
	if o.Deal > 0 {
		r.played.Dealt = make([]int, g.Players())
	}
	return r, nil
}

// Game is the game of the runner's positions: it plays the same as the one the runner was made for.
func (r *Runner) Game() *Game { return r.study.Game }

// Play plays game k of a seed: the result depends only on these two. The error is a fault of the rules, or
// ErrStopped.
func (r *Runner) Play(seed, k uint64) (*Played, error) {
	p, m, x := r.p, r.p.m, &r.played
	r.random = NewRandom(seed, k)
	random := &r.random
	r.own = NewRandom(^seed, k)
	clear(m.Counters)
	p.chance = vm.Chance{}
	x.First, x.Decisions, x.LeadChanges, x.Settled, x.Unfinished = r.o.First, 0, 0, 0, false
	if r.o.Rotate && x.First >= 0 {
		x.First = int((uint64(x.First) + k) % uint64(r.study.Players()))
	}
	for seat := range x.Dealt {
		change := k
		if r.o.Rotate && r.o.First >= 0 {
			change /= uint64(len(x.Dealt))
		}
		x.Dealt[seat] = int((uint64(seat) + change) % uint64(r.o.Deal))
	}
	r.leader, r.ranked = None, -1
	if r.o.Stop != nil && r.o.Stop.Load() {
		return nil, ErrStopped
	}
	if b := r.batched(); b != nil && r.playBatched(b) {
		return x, nil
	}
	if !r.alone {
		began := time.Now()
		defer func() { r.study.batches.played(time.Since(began), r.o.Games) }()
	}
	if r.byChance {
		p.byChance(random)
	}
	p.Restart(x.First)
	c := &p.chance
	for p.err == nil {
		switch m.Node {
		case code.NodeThrow:
			c.Choices = 0
			if r.o.Stop != nil && r.o.Stop.Load() {
				return nil, ErrStopped
			}
			if x.First < 0 && !p.Opening() {
				x.First = p.Turn()
			}
			if p.throws >= r.o.MaxThrows {
				x.Unfinished = true
				r.count()
				return x, nil
			}
			if r.o.Leads {
				r.lead()
			}
			if r.o.Look != nil {
				r.o.Look(p)
			}
			switch {
			case !r.byChance:
				r.throw(random)
			case r.o.Leads || p.Opening():
				p.throwOn(random, 0)
			default:
				p.throwOn(random, min(r.o.MaxThrows-p.throws, throwsAtOnce)-1)
			}
		case code.NodeOver:
			if r.o.Leads {
				r.lead()
			}
			r.count()
			return x, nil
		default:
			if c.Choices++; c.Choices > MaxChoices {
				x.Unfinished = true
				r.count()
				return x, nil
			}
			if c.Choices%64 == 0 && r.o.Stop != nil && r.o.Stop.Load() {
				return nil, ErrStopped
			}
			if m.State()[code.CellPlays] >= 0 {
				x.Decisions++
			}
			r.choose(random)
		}
	}
	return nil, p.err
}

// throwsAtOnce is the number of throws between two tests of Stop.
const throwsAtOnce = 1000

// chooser is the player that decides now, nil for random play.
func (r *Runner) chooser() Chooser {
	seat := r.p.Player()
	if seat >= 0 && r.o.Deal > 0 {
		seat = r.played.Dealt[seat]
	}
	if seat >= 0 && seat < len(r.o.Players) {
		return r.o.Players[seat]
	}
	return nil
}

func (r *Runner) throw(random *Random) {
	if r.o.Players != nil && r.p.ChosenNumber() {
		if c := r.chooser(); c != nil {
			if err := r.p.Throw(c.Number(r.p, &r.own)); err != nil {
				panic("a player chose a number that is none of the outcomes: " + err.Error())
			}
			return
		}
	}
	r.p.ThrowRandom(random)
}

// choose takes one of the present options.
func (r *Runner) choose(random *Random) {
	i := 0
	switch c := r.chooser(); {
	case c != nil:
		i = c.Choose(r.p, &r.own)
	case r.o.Decide == nil:
		r.p.ChooseRandom(random)
		return
	default:
		i = random.IntN(r.p.OptionCount())
	}
	if r.o.Decide != nil {
		r.o.Decide(r.p, i)
	}
	r.p.take(i)
}

// lead updates the leading team. It stays the same until another is ahead of all others. It also records the first
// ranking.
func (r *Runner) lead() {
	g := r.study
	switch {
	case r.p.Ranked() == 0: // an undo may have taken it back
		r.ranked = -1
	case r.ranked < 0:
		r.ranked, r.before = r.p.throws, r.played.Decisions+r.p.chance.Decisions
	}
	moved := r.p.m.Moved()
	switch {
	case g.rules.Lead != nil:
		r.askTeams(moved)
	case moved == 0:
		return
	default:
		r.measure(moved)
	}
	best, leader := 0, None
	for team, far := range r.stand {
		switch {
		case team == 0 || far > best:
			best, leader = far, team
		case far == best:
			leader = None
		}
	}
	if leader == None || leader == r.leader {
		return
	}
	if r.leader != None {
		r.played.LeadChanges++
	}
	r.since[leader], r.leader = r.p.throws, leader
}

// askTeams evaluates the lead of the teams whose result may have changed since the last look.
func (r *Runner) askTeams(moved uint64) {
	g := r.study
	if !g.counted.Reads.Known || r.changed() {
		moved = ^uint64(0)
	}
	for team, seats := range g.rules.Teams {
		switch {
		case moved&g.pieces[team] == 0:
		case g.rules.Lead.Params[0].Type.Kind == model.Team:
			r.stand[team] = r.far(team)
		default:
			r.stand[team] = seq.Sum(seats, r.far)
		}
	}
}

// changed reports whether a cell that the lead depends on has changed since the last look.
func (r *Runner) changed() bool {
	cells, changed := r.p.m.State(), false
	for i, k := range r.study.counted.Reads.Cells {
		if cells[k] != r.read[i] {
			r.read[i], changed = cells[k], true
		}
	}
	return changed
}

// far evaluates the lead of a team or player. It passes the owner in a scratch cell and restores it afterwards.
func (r *Runner) far(owner int) int {
	cells := r.p.m.State()
	was := cells[code.CellP0]
	cells[code.CellP0] = int16(owner)
	far, ok := r.p.m.Eval(r.study.counted.Lead)
	cells[code.CellP0] = was
	if !ok {
		return 0
	}
	return far
}

// measure computes the progress of the pieces that moved since the last look.
func (r *Runner) measure(moved uint64) {
	g := r.study
	nodes := r.p.m.State()[g.prog.Layout.Node:]
	for ; moved != 0; moved &= moved - 1 {
		for p := bits.TrailingZeros64(moved); p < len(r.come); p += 64 {
			far := 0
			if n := nodes[p]; n >= 0 {
				far = g.index[n] + 1
			}
			seat := g.rules.Colours[p/g.rules.PieceCount].Seat
			r.stand[g.rules.Seats[seat].Team] += far - r.come[p]
			r.come[p] = far
		}
	}
}

// count records the counts of the game.
func (r *Runner) count() {
	x, g, st := &r.played, r.study, r.p.m.State()
	counters := r.p.m.Counters
	x.Throws = r.p.throws
	x.Turns = int(counters[g.counted.Turns])
	copy(x.Acts, counters[g.prog.ActCounters:])
	clear(x.Moves)
	clear(x.Rules)
	clear(x.Counts)
	made := 0
	for i, c := range g.unit.Clauses {
		if c.Rule.Index >= 0 {
			x.Rules[c.Rule.Index] += counters[i]
		}
		if c.Kind == model.ClauseMay {
			x.Moves[c.Move.Index] += counters[i]
			made += int(counters[i])
		}
	}
	x.Decisions += r.p.chance.Decisions
	x.Forced = max(0, made-x.Decisions)
	for i, n := range g.rules.Counts {
		if n.Clause != nil {
			x.Counts[i] = int(counters[n.Clause.Index])
			continue
		}
		r.ask.CopyFrom(r.p)
		if v, ok := r.ask.m.Eval(g.counted.Values[i]); ok {
			x.Counts[i] = v
		}
	}
	r.finish(st)
}

// finish records the winners.
func (r *Runner) finish(st []int16) {
	x, g := &r.played, r.study
	clear(x.Won)
	if x.FirstRanked, x.FirstDecisions = 0, 0; r.o.Leads && st[code.CellWinner] == None && st[code.CellRanked] > 0 {
		if x.FirstRanked, x.FirstDecisions = r.ranked, r.before; r.ranked < 0 { // in the last throw before the limit
			x.FirstRanked, x.FirstDecisions = x.Throws, x.Decisions
		}
	}
	x.Ranking = g.ranking(x.Ranking[:0], st)
	ranked := int(st[code.CellRanked])
	for seat := range x.Places {
		x.Places[seat] = None
		if ranked > 0 && (!x.Unfinished || st[g.prog.Layout.Rank+seat] > 0) {
			x.Places[seat] = g.place(st, seat) - 1
		}
	}
	if x.Unfinished {
		return
	}
	team := g.side(st)
	if team < 0 {
		return
	}
	for _, seat := range g.rules.Teams[team] {
		x.Won[seat] = true
	}
	if x.Settled = x.Throws; r.leader == team {
		x.Settled = r.since[team]
	}
}
