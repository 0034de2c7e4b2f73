package stats

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// CompareOptions says how two games are compared. The zero value compares nothing.
type CompareOptions struct {
	// Games is how many games of each are played at most; as many as the first look wants, some 400, are always played.
	Games   int
	Seed    uint64
	Threads int // see Options
	// MaxThrows ends a game that goes on and on; 0 is interpreter.DefaultMaxThrows.
	MaxThrows int
	// Seats names who plays either game, in turn order, and Players makes them, anew for every thread; nil is chance.
	Seats   [2][]string
	Players [2]func() []interpreter.Chooser
	// Precision is how narrow the intervals of the main differences shall be, half the width as a share of the mean or of
	// the games: 0.01 is one in a hundred. 0 stops as soon as each is sure, see Difference.Sure.
	Precision float64
	// Progress, where it is there, is told now and then how many games of each are done.
	Progress func(done int)

	apart uint64             // game k of the second is game k+apart: for a test whose games must differ
	look  func([]Difference) // what there is at every look: for a test that peeks
}

// Confidence is the probability with which an interval holds; of a comparison all of them together, at all looks.
const Confidence = 0.95

// What is small enough to be called no difference.
const (
	SmallLength = 0.01 // of the mean, or of one a game
	SmallShare  = 0.02 // of the games
)

// Groups of measures.
const (
	GroupGame   = "game"   // of a game as a whole
	GroupWins   = "wins"   // how often a seat wins
	GroupActs   = "acts"   // how often an act is done
	GroupCounts = "counts" // what a count of the rules comes to
)

// Names of measures in GroupGame.
const (
	MeasureThrows      = "throws"
	MeasureTurns       = "turns"
	MeasureDecisions   = "decisions"
	MeasureForced      = "forced"
	MeasureLeadChanges = "lead_changes"
	// MeasureSettled is the part of a game after which the winner leads to the end; all of it where nobody wins.
	MeasureSettled = "settled"
	// MeasureEdge is how much more than its fair share of the games the side of who begins wins.
	MeasureEdge = "edge"
	// MeasureUnfinished is the share of games that reach the limit of throws.
	MeasureUnfinished = "unfinished"
)

// Verdict is what is known of a difference.
type Verdict string

// The verdicts.
const (
	More   Verdict = "more"   // the second has more: the whole interval is above 0
	Less   Verdict = "less"   // the second has less
	Same   Verdict = "same"   // whatever difference there is is small: the whole interval is
	Unsure Verdict = "unsure" // none of these
)

// Difference is how two games differ in one thing, the second less the first.
type Difference struct {
	Group, Name string
	Words       string // of a count
	Main        bool   // whether the comparison goes on until it is sure
	Share       bool   // a share, from 0 to 1, rather than a number
	A, B        Mean   // a game
	Value       float64
	// Interval holds with those of all other differences, at all looks, with a probability of Confidence.
	Interval Interval
	// Small is up to where a difference is small, either way.
	Small   float64
	Verdict Verdict
}

// Sure reports whether no more games are needed: the difference is small, or there is one and the interval is no wider, to
// either side, than what is small or a quarter of the difference.
func (d *Difference) Sure() bool {
	half := (d.Interval.High - d.Interval.Low) / 2
	switch d.Verdict {
	case Same:
		return true
	case Unsure:
		return false
	}
	return half <= max(d.Small, math.Abs(d.Value)/4)
}

// size is what a difference of numbers is a part of: the mean, and one a game at least.
func (d *Difference) size() float64 { return max(1, math.Abs(d.A.Mean), math.Abs(d.B.Mean)) }

// Comparison is how two games differ.
type Comparison struct {
	A, B  Subject
	Games int // of each
	Looks int
	// Sure reports whether the comparison ended because each main difference is sure, or as precise as was asked.
	Sure bool
	// Stopped reports whether it ended because the context did.
	Stopped bool
	// Alike reports whether every game came to the same with both.
	Alike bool
	// Differences are in order of importance: those there are, the main ones and the larger ones first, then those of
	// which nothing is known, then those that are small.
	Differences []Difference
}

// measure is something that is compared.
type measure struct {
	group, name, words string
	main, share        bool
	scale              float64 // what a 1 stands for
	offset             float64 // of the second less the first
	unit               int     // the smallest difference worth the name, before the scale
	of                 [2]func(*interpreter.Played) int
}

// both is a measure that is read in the same way from either game.
func both(group, name string, of func(*interpreter.Played) int) measure {
	return measure{group: group, name: name, scale: 1, unit: 1, of: [2]func(*interpreter.Played) int{of, of}}
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// measures are what two games are compared in.
func measures(a, b *interpreter.Game) []measure {
	throws := both(GroupGame, MeasureThrows, func(x *interpreter.Played) int { return x.Throws })
	throws.main = true
	decisions := both(GroupGame, MeasureDecisions, func(x *interpreter.Played) int { return x.Decisions })
	decisions.main = true
	settled := both(GroupGame, MeasureSettled, func(x *interpreter.Played) int {
		if !slices.Contains(x.Won, true) {
			return 1000
		}
		return Thousandths(x.Settled, x.Throws)
	})
	settled.share, settled.scale, settled.unit = true, 0.001, 1000
	edge := both(GroupGame, MeasureEdge, func(x *interpreter.Played) int { return yes(x.First >= 0 && x.Won[x.First]) })
	edge.main, edge.share = true, true
	edge.offset = 1/float64(len(a.Rules().Teams)) - 1/float64(len(b.Rules().Teams))
	unfinished := both(GroupGame, MeasureUnfinished, func(x *interpreter.Played) int { return yes(x.Unfinished) })
	unfinished.main, unfinished.share = true, true
	list := []measure{
		throws,
		both(GroupGame, MeasureTurns, func(x *interpreter.Played) int { return x.Turns }),
		decisions,
		both(GroupGame, MeasureForced, func(x *interpreter.Played) int { return x.Forced }),
		both(GroupGame, MeasureLeadChanges, func(x *interpreter.Played) int { return x.LeadChanges }),
		settled, edge, unfinished,
	}
	if a.Players() == b.Players() {
		for seat := range a.Players() {
			w := both(GroupWins, a.SeatName(seat), func(x *interpreter.Played) int { return yes(x.Won[seat]) })
			w.share = true
			list = append(list, w)
		}
	}
	list = append(list, named(GroupActs, actNames(a), actNames(b), func(i int) func(*interpreter.Played) int {
		return func(x *interpreter.Played) int { return int(x.Acts[i]) }
	})...)
	counts := named(GroupCounts, countNames(a), countNames(b), func(i int) func(*interpreter.Played) int {
		return func(x *interpreter.Played) int { return x.Counts[i] }
	})
	for i := range counts {
		for _, g := range []*interpreter.Game{a, b} {
			for _, c := range g.Rules().Counts {
				if c.Name == counts[i].name {
					counts[i].words = c.Words
				}
			}
		}
	}
	return append(list, counts...)
}

func actNames(g *interpreter.Game) []string {
	return names(g.Rules().Acts, func(a *model.Act) string { return a.Name })
}

func countNames(g *interpreter.Game) []string {
	return names(g.Rules().Counts, func(c *model.Count) string { return c.Name })
}

// named are measures of things either game has under the same name; what only one has is 0 in the other.
func named(group string, a, b []string, read func(int) func(*interpreter.Played) int) []measure {
	var list []measure
	for _, name := range slices.Concat(a, b) {
		if slices.ContainsFunc(list, func(m measure) bool { return m.name == name }) {
			continue
		}
		m := both(group, name, func(*interpreter.Played) int { return 0 })
		for side, names := range [2][]string{a, b} {
			if i := slices.Index(names, name); i >= 0 {
				m.of[side] = read(i)
			}
		}
		list = append(list, m)
	}
	return list
}

// gathered is what a measure came to: of either game, and by block the differences.
type gathered struct {
	side   [2]Sum
	blocks Sum
}

// comparer plays blocks of games on one thread.
type comparer struct {
	runners  [2]*interpreter.Runner
	measures []measure
	values   [2][]int // of the block at hand
	sums     []gathered
}

// When a comparison looks at what it has. Before the first look the intervals do not hold yet.
const (
	firstBlocks = 100
	firstGames  = 400
	lookGrowth  = 1.1
)

// Compare plays the same games with both until it is sure how they differ, or there have been as many as allowed. Game k
// of both has the same chance, and the seats take turns in beginning, so that all differences are between like and like.
// They are taken over blocks of as many games as it takes until every seat of both has begun equally often. The result
// depends on the games and the seed alone, unless ctx is done before. The error is a fault of the rules.
func Compare(ctx context.Context, a, b *interpreter.Game, o CompareOptions) (*Comparison, error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	c := &Comparison{A: SubjectOf(a, o.side(0)), B: SubjectOf(b, o.side(1))}
	block := lcm(a.Players(), b.Players())
	first := max(firstBlocks, (firstGames+block-1)/block)
	most := max(first, o.Games/block)
	workers := make([]*comparer, threads(o.Threads, most))
	list := measures(a, b)
	for i := range workers {
		w := &comparer{measures: list, sums: make([]gathered, len(list))}
		for side, g := range [2]*interpreter.Game{a, b} {
			ro := interpreter.RunOptions{Rotate: true, MaxThrows: o.MaxThrows, Leads: true, Stop: &stop}
			if o.Players[side] != nil {
				ro.Players = o.Players[side]()
			}
			r, err := interpreter.NewRunner(g, ro)
			if err != nil {
				return nil, err
			}
			w.runners[side], w.values[side] = r, make([]int, len(list))
		}
		workers[i] = w
	}
	all := make([]gathered, len(list))
	done := 0
	for next := first; ; next = min(most, max(next+1, int(float64(next)*lookGrowth))) {
		whole, err := stretch(ctx, workers, done, next, block, o)
		if err != nil {
			return nil, err
		}
		if !whole {
			c.Stopped = true
			break
		}
		for _, w := range workers {
			for i := range w.sums {
				all[i].side[0].join(w.sums[i].side[0])
				all[i].side[1].join(w.sums[i].side[1])
				all[i].blocks.join(w.sums[i].blocks)
				w.sums[i] = gathered{}
			}
		}
		done = next
		c.Looks++
		c.Games = done * block
		c.Differences = differences(list, all, done, block)
		if o.look != nil {
			o.look(c.Differences)
		}
		if c.Sure = c.enough(o.Precision); c.Sure || done == most {
			break
		}
	}
	c.Alike = c.Games > 0
	for i := range all {
		c.Alike = c.Alike && all[i].blocks.Squares().Sign() == 0
	}
	slices.SortStableFunc(c.Differences, importance)
	return c, nil
}

// side are the options of one of the two games.
func (o *CompareOptions) side(i int) Options {
	return Options{Seed: o.Seed, Rotate: true, MaxThrows: o.MaxThrows, Seats: o.Seats[i]}
}

// stretch plays blocks from one to another; false where ctx was done before.
func stretch(ctx context.Context, workers []*comparer, from, to, block int, o CompareOptions) (bool, error) {
	d := &dealer{next: from, to: to, failed: -1}
	var mu sync.Mutex
	done := from
	finish := func(blocks int) {
		mu.Lock()
		defer mu.Unlock()
		if done += blocks; o.Progress != nil {
			o.Progress(done * block)
		}
	}
	var wg sync.WaitGroup
	size := max(1, min(64, (to-from)/(4*len(workers))))
	for _, w := range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				first, last := d.take(size)
				if first == last {
					return
				}
				for k := first; k < last; k++ {
					err := w.block(o.Seed, k*block, block, o.apart)
					if err == interpreter.ErrStopped {
						return
					}
					if err != nil {
						d.fail(k, err)
						return
					}
				}
				finish(last - first)
			}
		})
	}
	wg.Wait()
	return done == to && d.err == nil, d.err
}

// block plays some games with both and takes down how they differ as a whole.
func (c *comparer) block(seed uint64, first, n int, apart uint64) error {
	for side, r := range c.runners {
		clear(c.values[side])
		for k := first; k < first+n; k++ {
			x, err := r.Play(seed, uint64(k)+uint64(side)*apart)
			if err != nil {
				return err
			}
			for i := range c.measures {
				v := c.measures[i].of[side](x)
				c.values[side][i] += v
				c.sums[i].side[side].Add(v)
			}
		}
	}
	for i := range c.sums {
		c.sums[i].blocks.Add(c.values[1][i] - c.values[0][i])
	}
	return nil
}

// differences works out all differences after some blocks. The probability of being wrong is shared out among them
// equally (Bonferroni).
func differences(list []measure, all []gathered, blocks, block int) []Difference {
	out := make([]Difference, len(list))
	alpha := (1 - Confidence) / float64(len(list))
	for i := range list {
		m, g := &list[i], &all[i]
		games := blocks * block
		d := Difference{Group: m.group, Name: m.name, Words: m.words, Main: m.main, Share: m.share}
		d.A, d.B = scaled(g.side[0].Over(games), m.scale), scaled(g.side[1].Over(games), m.scale)
		// As if one more block had differed by the smallest difference worth the name: what has not been seen yet may
		// still happen.
		s := g.blocks
		s.squares(0, uint64(m.unit*m.unit))
		sd := s.Over(blocks).SD
		d.Value = g.blocks.Over(blocks).Mean/float64(block)*m.scale + m.offset
		half := radius(blocks, sd*sd, alpha) / float64(block) * m.scale
		d.Interval = Interval{d.Value - half, d.Value + half}
		d.Small = SmallShare
		if !m.share {
			d.Small = SmallLength * d.size()
		}
		switch {
		case d.Interval.Low > 0:
			d.Verdict = More
		case d.Interval.High < 0:
			d.Verdict = Less
		case half <= d.Small && d.Interval.Low >= -d.Small && d.Interval.High <= d.Small:
			d.Verdict = Same
		default:
			d.Verdict = Unsure
		}
		out[i] = d
	}
	return out
}

func scaled(m Mean, by float64) Mean { return Mean{m.N, m.Mean * by, m.SD * by, m.SE * by} }

// enough reports whether no more games are needed.
func (c *Comparison) enough(precision float64) bool {
	for i := range c.Differences {
		d := &c.Differences[i]
		if !d.Main {
			continue
		}
		if precision == 0 && !d.Sure() {
			return false
		}
		wanted := precision
		if !d.Share {
			wanted *= d.size()
		}
		if precision > 0 && (d.Interval.High-d.Interval.Low)/2 > wanted {
			return false
		}
	}
	return true
}

// importance orders differences.
func importance(a, b Difference) int {
	class := func(d *Difference) int {
		at := map[Verdict]int{More: 0, Less: 0, Unsure: 2, Same: 4}[d.Verdict]
		return at + yes(!d.Main)
	}
	size := func(d *Difference) float64 {
		if d.Small == 0 {
			return 0
		}
		return math.Abs(d.Value) / d.Small
	}
	if x := class(&a) - class(&b); x != 0 {
		return x
	}
	return cmp.Compare(size(&b), size(&a))
}

func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}
