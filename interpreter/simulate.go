package interpreter

import (
	"context"
	"math"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// SimOptions says how a simulation plays. The zero value plays no game.
type SimOptions struct {
	Games   int
	Seed    uint64
	Threads int // 0: as many as there are processors
	// First is the seat that begins every game, or ByTheRules.
	First int
	// MaxThrows ends a game that goes on and on; 0 is 100,000.
	MaxThrows int
	// Progress, where it is there, is told now and then how many games are done. Calls may come from any goroutine,
	// one at a time.
	Progress func(done int)
}

// Mean is the mean of a number over the games played.
type Mean struct {
	Name string  `json:"name,omitempty"`
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"` // standard error of the mean
	SD   float64 `json:"sd"` // standard deviation of one game
}

// Statistics is what a simulation counted. They depend on the game, the seed and the number of games alone, but for
// Seconds.
type Statistics struct {
	Games   int
	Seconds float64
	Throws  Mean
	// Decisions are the moments of a turn with two options or more; what a player picks while a move is carried out
	// belongs to the move.
	Decisions  Mean
	Moves      []Mean // how often each move was made
	Acts       []Mean // how often each act was done
	Rules      []Mean // how often a clause of each rule took effect
	Wins       []int  // by seat; all seats of a side that wins
	Unfinished int    // games ended by MaxThrows
	TotalThrow uint64 // throws in all games
}

// defaultMaxThrows ends a game that goes on and on.
const defaultMaxThrows = 100_000

// tally sums whole numbers, so that the order of the games does not matter.
type tally struct {
	sum     []uint64
	squares []uint64
	wins    []int
	games   int
	over    int // ended by the limit
}

// Simulate plays games with every complete option as likely as the others at each choice: a move together with what
// its player picks while it is carried out. Game k depends on the seed and k
// alone, so the result is the same for any number of threads. It ends early, with what there is, when ctx is done. The
// error is a fault of the rules.
func Simulate(ctx context.Context, g *Game, o SimOptions) (*Statistics, error) {
	begun := time.Now()
	threads := o.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	threads = max(1, min(threads, o.Games))
	if o.MaxThrows <= 0 {
		o.MaxThrows = defaultMaxThrows
	}
	const batch = 64
	var next, done atomic.Int64
	var mu sync.Mutex
	var failed error
	tallies := make([]*tally, threads)
	var wg sync.WaitGroup
	for i := range threads {
		wg.Go(func() {
			s := newSimulator(g, o)
			tallies[i] = s.tally
			for {
				first := int(next.Add(batch)) - batch
				if first >= o.Games || ctx.Err() != nil {
					return
				}
				last := min(first+batch, o.Games)
				for k := first; k < last; k++ {
					if err := s.play(uint64(k)); err != nil {
						mu.Lock()
						if failed == nil {
							failed = err
						}
						mu.Unlock()
						next.Store(int64(o.Games))
						return
					}
				}
				n := done.Add(int64(last - first))
				if o.Progress != nil {
					mu.Lock()
					o.Progress(int(n))
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if failed != nil {
		return nil, failed
	}
	s := g.statistics(tallies)
	s.Seconds = time.Since(begun).Seconds()
	return s, nil
}

// What a tally sums, before the moves, acts and rules.
const (
	sumThrows = iota
	sumDecisions
	firstSum
)

// simulator plays one game after the other in the same memory.
type simulator struct {
	p      *Position
	o      SimOptions
	tally  *tally
	levels []*Position // for looking ahead
	game   []uint64    // this game's numbers, in the order of the tally
	seats  int
}

func newSimulator(g *Game, o SimOptions) *simulator {
	n := firstSum + len(g.rules.Moves) + len(g.rules.Acts) + len(g.rules.Rules)
	s := &simulator{p: g.Start(o.First), o: o, game: make([]uint64, n), seats: g.Players()}
	s.tally = &tally{sum: make([]uint64, n), squares: make([]uint64, n), wins: make([]int, s.seats)}
	return s
}

// play plays game k.
func (s *simulator) play(k uint64) error {
	p, m := s.p, s.p.m
	r := NewRandom(s.o.Seed, k)
	clear(m.Counters)
	clear(s.game)
	p.Restart(s.o.First)
	decisions := uint64(0)
	for p.err == nil {
		switch m.Node {
		case code.NodeThrow:
			if p.throws >= s.o.MaxThrows {
				s.tally.over++
				s.count(decisions)
				return nil
			}
			p.ThrowRandom(&r)
		case code.NodeOver:
			s.wins()
			s.count(decisions)
			return nil
		default:
			inTurn := m.State()[code.CellPlays] > 0
			if s.choose(&r) && inTurn {
				decisions++
			}
		}
	}
	return p.err
}

// choose takes one of the complete options at hand, each as likely: a move together with what its player picks while it
// is carried out. It reports whether there was more than one.
func (s *simulator) choose(r *Random) bool {
	p := s.p
	if len(p.game.unit.Picks) == 0 {
		p.ChooseRandom(r)
		return true
	}
	total := s.complete(0, p)
	at := r.IntN(total)
	seat := p.Player()
	for {
		i := 0
		for ; i < p.OptionCount()-1; i++ {
			n := s.after(0, p, i, seat)
			if at < n {
				break
			}
			at -= n
		}
		p.after(p.m.Resume(i))
		if p.err != nil || p.m.Node != code.NodePick || p.Player() != seat {
			return total > 1
		}
	}
}

// complete is how many complete options there are at a choice.
func (s *simulator) complete(depth int, p *Position) int {
	if depth == maxPicks {
		return 1
	}
	total := 0
	seat := p.Player()
	for i := range p.OptionCount() {
		total += s.after(depth, p, i, seat)
	}
	return total
}

// maxPicks bounds how many picks on the way of one move are looked at together.
const maxPicks = 6

// after is how many complete options begin with option i.
func (s *simulator) after(depth int, p *Position, i, seat int) int {
	if g := p.game.prog; g.PicksAtTurns && p.m.Node == code.NodeOption && !slices.Contains(p.m.PathOf(&p.m.Options()[i]), code.PathTurn) {
		return 1
	}
	for len(s.levels) <= depth {
		s.levels = append(s.levels, p.Copy())
	}
	q := s.levels[depth]
	q.CopyFrom(p)
	q.after(q.m.Resume(i))
	if q.err == nil && q.m.Node == code.NodePick && q.Player() == seat {
		return s.complete(depth+1, q)
	}
	return 1
}

func (s *simulator) wins() {
	g, st := s.p.game, s.p.m.State()
	team := int(st[code.CellWinner])
	if team < 0 {
		for seat := range s.seats {
			if st[g.prog.Layout.Rank+seat] == 1 {
				team = g.rules.Seats[seat].Team
			}
		}
	}
	if team >= 0 {
		for _, seat := range g.rules.Teams[team] {
			s.tally.wins[seat]++
		}
	}
}

// count adds the game to the tally.
func (s *simulator) count(decisions uint64) {
	g, counters := s.p.game, s.p.m.Counters
	s.game[sumThrows], s.game[sumDecisions] = uint64(s.p.throws), decisions
	n := copy(s.game[firstSum:], counters[g.prog.MoveCounters:g.prog.ActCounters])
	n += copy(s.game[firstSum+n:], counters[g.prog.ActCounters:])
	rules := s.game[firstSum+n:]
	for i, x := range g.unit.Clauses {
		rules[x.Rule.Index] += counters[i]
	}
	for i, v := range s.game {
		s.tally.sum[i] += v
		s.tally.squares[i] += v * v
	}
	s.tally.games++
}

// statistics joins the tallies.
func (g *Game) statistics(tallies []*tally) *Statistics {
	all := tallies[0]
	for _, t := range tallies[1:] {
		for i := range t.sum {
			all.sum[i] += t.sum[i]
			all.squares[i] += t.squares[i]
		}
		for i := range t.wins {
			all.wins[i] += t.wins[i]
		}
		all.games += t.games
		all.over += t.over
	}
	s := &Statistics{Games: all.games, Wins: all.wins, Unfinished: all.over, TotalThrow: all.sum[sumThrows]}
	at := 0
	next := func(name string) Mean {
		m := meanOf(all.sum[at], all.squares[at], all.games)
		m.Name = name
		at++
		return m
	}
	s.Throws, s.Decisions = next(""), next("")
	for _, m := range g.rules.Moves {
		s.Moves = append(s.Moves, next(m.Name))
	}
	for _, a := range g.rules.Acts {
		s.Acts = append(s.Acts, next(a.Name))
	}
	for _, r := range g.rules.Rules {
		s.Rules = append(s.Rules, next(r.Name))
	}
	return s
}

// meanOf works out the mean of whole numbers from their sum and the sum of their squares, exactly up to the last step.
func meanOf(sum, squares uint64, n int) Mean {
	if n == 0 {
		return Mean{}
	}
	m := Mean{Mean: float64(sum) / float64(n)}
	if n > 1 { // n·Σx² − (Σx)² in whole numbers
		a := new(big.Int).Mul(new(big.Int).SetUint64(squares), big.NewInt(int64(n)))
		b := new(big.Int).SetUint64(sum)
		a.Sub(a, b.Mul(b, b))
		v, _ := new(big.Float).SetInt(a).Float64()
		m.SD = math.Sqrt(v / (float64(n) * float64(n-1)))
		m.SE = m.SD / math.Sqrt(float64(n))
	}
	return m
}
