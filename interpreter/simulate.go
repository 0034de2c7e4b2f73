package interpreter

import (
	"context"
	"math"
	"math/big"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
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
	const batch = 64
	var next, done atomic.Int64
	var mu sync.Mutex
	var failed error
	simulators, tallies := make([]*simulator, threads), make([]*tally, threads)
	for i := range threads {
		s, err := newSimulator(g, o)
		if err != nil {
			return nil, err
		}
		simulators[i], tallies[i] = s, s.tally
	}
	var wg sync.WaitGroup
	for i := range threads {
		wg.Go(func() {
			s := simulators[i]
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

// simulator adds up the games of a runner.
type simulator struct {
	runner *Runner
	seed   uint64
	tally  *tally
	game   []uint64 // this game's numbers, in the order of the tally
}

func newSimulator(g *Game, o SimOptions) (*simulator, error) {
	r, err := NewRunner(g, RunOptions{First: o.First, MaxThrows: o.MaxThrows})
	if err != nil {
		return nil, err
	}
	n := firstSum + len(g.rules.Moves) + len(g.rules.Acts) + len(g.rules.Rules)
	return &simulator{
		runner: r, seed: o.Seed, game: make([]uint64, n),
		tally: &tally{sum: make([]uint64, n), squares: make([]uint64, n), wins: make([]int, g.Players())},
	}, nil
}

// play plays game k.
func (s *simulator) play(k uint64) error {
	x, err := s.runner.Play(s.seed, k)
	if err != nil {
		return err
	}
	t := s.tally
	s.game[sumThrows], s.game[sumDecisions] = uint64(x.Throws), uint64(x.Decisions)
	n := firstSum + copy(s.game[firstSum:], x.Moves)
	n += copy(s.game[n:], x.Acts)
	copy(s.game[n:], x.Rules)
	for i, v := range s.game {
		t.sum[i] += v
		t.squares[i] += v * v
	}
	for seat, won := range x.Won {
		if won {
			t.wins[seat]++
		}
	}
	if x.Unfinished {
		t.over++
	}
	t.games++
	return nil
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
