package interpreter

import (
	"errors"
	"math/bits"
	"sync/atomic"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
	"github.com/rulerun/rulerun/interpreter/internal/wasm"
)

// RunOptions says how a Runner plays. The zero value plays by chance, the first seat beginning every game.
type RunOptions struct {
	// First is the seat that begins every game, or ByTheRules.
	First int
	// Rotate lets game k be begun k seats further on.
	Rotate bool
	// MaxThrows ends a game that goes on and on; 0 is DefaultMaxThrows.
	MaxThrows int
	// Leads looks at every throw who leads.
	Leads bool
	// Players decide for the seats; nil, for all or one, is chance: at each decision every option is equally likely. They
	// have a source of random numbers of their own, so that the dice are the same for all players. The runner keeps the slice:
	// changing its elements between games changes who plays.
	Players []Chooser
	// Watch, if it is there, gets what happens.
	Watch Watcher
	// Look, if it is there, sees the position before every throw. It must not change it.
	Look func(p *Position)
	// Interpret lets the interpreter play all games. Without it long runs are played as WebAssembly, where that can be had
	// and there are no Players, Watch or Look; what comes out is the same.
	Interpret bool
	// Stop, if it is there and true, ends a game within a thousand throws or some choices, with ErrStopped. Any goroutine may set it.
	Stop *atomic.Bool
}

// ErrStopped says that a game was ended by RunOptions.Stop.
var ErrStopped = errors.New("the game was stopped")

// Chooser decides for a seat. It belongs to one goroutine.
type Chooser interface {
	// Choose is the number of the option taken at a choice.
	Choose(p *Position, r *Random) int
	// Number is the number chosen where the player picks one instead of throwing.
	Number(p *Position, r *Random) int
}

// DefaultMaxThrows ends a game that goes on and on.
const DefaultMaxThrows = 100_000

// Played is what happened in one game. It belongs to the runner and changes with the next game.
type Played struct {
	First  int // the seat that began; ByTheRules in a game that never came to a throw and left it to the rules
	Throws int
	Turns  int
	// Decisions are the choices of a turn, questions among them. Each has two options or more.
	Decisions int
	// Forced are the moments at which the only option was taken.
	Forced int
	Moves  []uint64 // how often each move of the rules was made
	Acts   []uint64 // how often each act was done
	Rules  []uint64 // how often clauses of each rule took effect
	Counts []int    // what each count of the rules came to
	// Won says of each seat whether its side has won; of none in a draw.
	Won        []bool
	Ranking    []int // as in Result
	Places     []int // of each seat its place, from 0, see Position.Place; None where no player is ranked, or not yet in an unfinished game
	Unfinished bool  // ended by RunOptions.MaxThrows, or by MaxChoices
	// LeadChanges is how often another team came to lead, and Settled the number of throws after which the winner led
	// to the end; both only where leads are looked at. Who draws level does not lead yet.
	LeadChanges int
	Settled     int
	// FirstRanked is the number of throws after which the first player was ranked, only where leads are looked at; 0 where
	// no player is ranked, or where another ending says who wins.
	FirstRanked int
}

// FirstWinner is the number of throws until the first winner is known for sure: the first player is ranked, or the game is
// over. Throws goes on to the end of the ranking.
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
	ask    *Position // for asking the rules
	random Random
	own    Random // for the players
	played Played
	leader int   // the team that leads, None while none does
	come   []int // how far each piece has come along its track, as of the last look, and each team's pieces together
	stand  []int
	read   []int16 // the cells that who leads depends on, as of the last look
	since  []int   // the throws after which each team came to lead
	ranked int     // the throws after which the first player was ranked, -1 while there is none

	byChance bool         // there are no players and no observers: the machine draws by itself
	player   *wasm.Player // of whole games, see batched
	alone    bool         // the interpreter plays all games
	troubles int          // games that player could not play
}

// study is a game in the form that counts.
type study struct {
	*Game
	counted *compile.Studied
	index   []int    // of each node of the tracks: how far along it is
	pieces  []uint64 // of each team its pieces, as Machine.Moved tells them
	batches batches
}

// studied is the game in the form that counts, made once.
func (g *Game) studied() (*study, error) {
	g.studying.Do(func() { g.study, g.studyError = newStudy(g) })
	return g.study, g.studyError
}

func newStudy(g *Game) (*study, error) {
	counted, err := compile.Study(g.rules)
	if err != nil {
		return nil, err
	}
	x := &study{Game: &Game{unit: counted.Unit, prog: counted.Unit.Program, rules: g.rules, secrets: g.secrets, counted: counted}, counted: counted}
	x.Game.leading = &leadForm{unit: counted.Unit, lead: counted.Lead}
	x.pieces = make([]uint64, len(g.rules.Teams))
	for colour, c := range g.rules.Colours {
		x.index = append(x.index, make([]int, x.prog.Nodes[colour]-len(x.index))...)
		for _, n := range g.rules.Track.Runs[c.Board].Nodes {
			x.index = append(x.index, n.Index)
		}
		for i := range g.rules.PieceCount {
			x.pieces[g.rules.Seats[c.Seat].Team] |= 1 << ((colour*g.rules.PieceCount + i) % 64)
		}
	}
	return x, nil
}

// NewRunner makes a runner for a game. It fails only when the rules are too large for a program.
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
	r.byChance = o.Players == nil && o.Watch == nil && o.Look == nil
	r.played = Played{
		Moves: make([]uint64, len(g.rules.Moves)), Acts: make([]uint64, len(g.rules.Acts)), Rules: make([]uint64, len(g.rules.Rules)),
		Counts: make([]int, len(g.rules.Counts)), Won: make([]bool, g.Players()), Places: make([]int, g.Players()),
	}
	return r, nil
}

// Game is the game the runner's positions belong to: it plays as the one the runner was made for.
func (r *Runner) Game() *Game { return r.study.Game }

// Play plays game k of a seed: what happens depends on the two alone. The error is a fault of the rules, or ErrStopped.
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
	r.leader, r.ranked = None, -1
	if r.o.Stop != nil && r.o.Stop.Load() {
		return nil, ErrStopped
	}
	if b := r.batched(); b != nil && r.playBatched(b) {
		return x, nil
	}
	if !r.alone {
		defer func() { r.study.batches.throws.Add(int64(p.throws)) }()
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

// throwsAtOnce is how many throws follow one another before it is looked whether the game is to stop.
const throwsAtOnce = 1000

// chooser is who decides now, nil for chance.
func (r *Runner) chooser() Chooser {
	if seat := r.p.Player(); seat >= 0 && seat < len(r.o.Players) {
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

// choose takes one of the options at hand.
func (r *Runner) choose(random *Random) {
	if r.o.Players != nil {
		if c := r.chooser(); c != nil {
			r.p.take(c.Choose(r.p, &r.own))
			return
		}
	}
	r.p.ChooseRandom(random)
}

// lead looks who leads: the one before, while none is ahead of all others. It takes down the first ranking, too.
func (r *Runner) lead() {
	g := r.study
	switch {
	case r.p.Ranked() == 0: // an undo may have taken it back
		r.ranked = -1
	case r.ranked < 0:
		r.ranked = r.p.throws
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

// askTeams asks the rules how far ahead the teams are whose answer may have changed since the last look.
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
			r.stand[team] = 0
			for _, seat := range seats {
				r.stand[team] += r.far(seat)
			}
		}
	}
}

// changed reports whether a cell that the answers depend on is another than at the last look.
func (r *Runner) changed() bool {
	cells, changed := r.p.m.State(), false
	for i, k := range r.study.counted.Reads.Cells {
		if cells[k] != r.read[i] {
			r.read[i], changed = cells[k], true
		}
	}
	return changed
}

// far is how far ahead a team or player is, as the rules say. It is asked in passing: that changes nothing but one cell.
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

// measure works out how far the pieces have come that have been set down since the last look.
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

// count takes down how the game went.
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

// finish takes down who has won.
func (r *Runner) finish(st []int16) {
	x, g := &r.played, r.study
	clear(x.Won)
	if x.FirstRanked = 0; r.o.Leads && st[code.CellWinner] < 0 && st[code.CellRanked] > 0 {
		if x.FirstRanked = r.ranked; r.ranked < 0 { // by the last throw before the limit
			x.FirstRanked = x.Throws
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
