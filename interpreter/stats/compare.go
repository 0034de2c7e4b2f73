package stats

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/parallel"
)

// CompareOptions says how two games are compared. The zero value compares nothing.
type CompareOptions struct {
	// Games is the maximum number of games of each. At least one look, some 400 games, is always played.
	Games   int
	Seed    uint64
	Threads int // see Options
	// MaxThrows ends an endless game; 0 is interpreter.DefaultMaxThrows.
	MaxThrows int
	// Seats names the players of both games, in turn order, and Players makes them, once per thread; nil is random
	// play.
	Seats   [2][]string
	Players [2]func() []interpreter.Chooser
	Deal    [2]bool // whether they change seats, see Options
	// First is the seat that begins every game, or interpreter.ByTheRules; nil lets the seats take turns.
	First [2]*int
	// Precision is the wanted half width of the intervals of the main differences, relative to the mean or as a share
	// of the games: 0.01 is one percent. With 0 the comparison stops when each is sure, see Difference.Sure.
	Precision float64
	// Small is the size below which a difference is small; see Difference.Verdict.
	Small Small
	Pace  Pace // of the minutes
	// Kept, if not nil, keeps the games of A for the next comparisons, which must have the same A, seed and limit of
	// throws: then they are played once. The results are the same.
	Kept *Kept
	// Among is the number of comparisons whose intervals hold together; 0 means 1.
	Among int
	// Progress, if not nil, is called from time to time with the number of games played of each.
	Progress func(done int)

	apart uint64             // game k of the second is game k+apart: for tests that need different games
	look  func([]Difference) // the differences at every look: for tests of optional stopping
	made  func() [2]player   // simulates games instead of runners: for tests with a known truth
}

// player plays games, as interpreter.Runner does.
type player interface {
	Play(seed, k uint64) (*interpreter.Played, error)
}

// Confidence is the confidence level of intervals; in a comparison it holds for all intervals together, at all looks.
const Confidence = 0.95

// Small has the thresholds below which a difference is small. 0 means the default.
type Small struct {
	Number float64 // of the mean, or of one per game
	Share  float64 // of the games
}

// The default thresholds.
const (
	DefaultSmallNumber = 0.01
	DefaultSmallShare  = 0.02
)

// Groups of measures.
const (
	GroupGame   = "game"   // of a whole game
	GroupWins   = "wins"   // how often a seat wins
	GroupDealt  = "dealt"  // how often a player that changes seats wins, less its fair share, in A and B too
	GroupActs   = "acts"   // how often an act is done
	GroupCounts = "counts" // what a count of the rules comes to
	GroupReview = "review" // what judged games show
)

// Names of measures in GroupGame.
const (
	MeasureThrows = "throws"
	// MeasureFirstWinner is the number of throws until the first winner is known, if players are ranked;
	// MeasureThrows includes the rest of the ranking.
	MeasureFirstWinner = "first_winner"
	// The median and the 90 % quantile of throws.
	MeasureHalf      = "half_throws"
	MeasureNineTenth = "nine_tenths_throws"
	// MeasureLong is the share of games longer than the limit of MeasureThrows.
	MeasureLong  = "long"
	MeasureTurns = "turns"
	// MeasureMinutes is how long people take at the table; see Pace.
	MeasureMinutes = "minutes"
	// MeasureFirstMinutes is how long until the first winner is known, if players are ranked.
	MeasureFirstMinutes = "first_winner_minutes"
	MeasureDecisions    = "decisions"
	MeasureForced       = "forced"
	MeasureLeadChanges  = "lead_changes"
	// MeasureSettled is the part of a game after which the lead does not change any more; 1 if no player wins.
	MeasureSettled = "settled"
	// MeasureEdge is the share of games that the side that begins wins, less its fair share, in A and B too.
	MeasureEdge = "edge"
	// MeasureUnfinished is the share of games that reach the limit of throws.
	MeasureUnfinished = "unfinished"
)

// Verdict is the conclusion about a difference.
type Verdict string

// The verdicts.
const (
	Same   Verdict = "same"   // no relevant difference: the whole interval is small, even if it is above or below 0
	More   Verdict = "more"   // otherwise: the second has more, the whole interval is above 0
	Less   Verdict = "less"   // the second has less
	Unsure Verdict = "unsure" // none of these
)

// Difference is the difference between two games in one measure, second minus first: in a mean share, in the mean of
// a number counted up to a limit, or in a quantile. No certain statement is possible about means without a limit: a
// rare game may be so long that it changes them.
type Difference struct {
	Group, Name string
	Words       string  // of a count; of MeasureThrows if players are ranked
	Main        bool    // whether the comparison continues until it is sure
	Share       bool    // a share, from 0 to 1, rather than a number
	Quantile    float64 // 0 for a mean; otherwise A and B have the quantile as their mean, and no deviation
	// Least and Limit are the bounds of a counted number, in the difference and in A and B; both 0 if there are none.
	// For MeasureLong, Limit is the length above which games count.
	Least, Limit int
	// Beyond is the number of games of either outside the bounds, and Whole has the means without bounds.
	Beyond [2]int
	Whole  [2]float64
	A, B   Mean // per game
	Value  float64
	// Interval is a simultaneous confidence interval: all intervals hold at all looks with a probability of
	// Confidence.
	Interval Interval
	// Small is the threshold of a small difference, in both directions; 0 for MeasureLong, where every difference
	// counts.
	Small   float64
	Verdict Verdict
}

// Of is the threshold for a difference.
func (s Small) Of(d *Difference) float64 {
	if d.Share {
		return s.Share
	}
	return s.Number * d.size()
}

// Conclude sets the verdict by the interval and the threshold.
func (d *Difference) Conclude() {
	switch sign := d.Sign(); {
	case d.Small > 0 && d.Interval.Low >= -d.Small && d.Interval.High <= d.Small:
		d.Verdict = Same
	case sign > 0:
		d.Verdict = More
	case sign < 0:
		d.Verdict = Less
	default:
		d.Verdict = Unsure
	}
}

// Sign is 1 if the whole interval is above 0, -1 if it is below, otherwise 0.
func (d *Difference) Sign() int { return yes(d.Interval.Low > 0) - yes(d.Interval.High < 0) }

// TooRare reports whether there are games outside the bounds: too few to estimate their effect on the mean.
func (d *Difference) TooRare() bool { return d.Beyond[0]+d.Beyond[1] > 0 }

// Sure reports whether no more games are needed: the difference is small, or it is not zero and the half width of the
// interval is at most the threshold of a small difference or a quarter of the difference.
func (d *Difference) Sure() bool {
	half := (d.Interval.High - d.Interval.Low) / 2
	return d.Verdict == Same || d.Verdict != Unsure && half <= max(d.Small, math.Abs(d.Value)/4)
}

// size is the reference size of a difference of numbers: the mean, and at least one per game.
func (d *Difference) size() float64 { return max(1, math.Abs(d.A.Mean), math.Abs(d.B.Mean)) }

// Comparison is the result of comparing two games.
type Comparison struct {
	A, B  Subject
	Small Small
	Games int // of each
	Looks int
	// Throws has the lengths of all games of each.
	Throws [2]Histogram
	// Sure means that the comparison ended because each main difference is sure, or as precise as requested.
	Sure bool
	// Stopped means that it ended because of the context.
	Stopped bool
	// Alike means that all games had the same result with both.
	Alike bool
	// Differences are in order of importance: real ones first, the main ones and the larger ones before others, then
	// undecided ones, then small ones.
	Differences []Difference
}

// gathered collects a measure: clamped, for either game and the differences; and the numbers outside the bounds.
type gathered struct {
	side, whole [2]Sum
	beyond      [2]int
	differences Sum
}

func (g *gathered) join(o *gathered) {
	for side := range g.side {
		g.side[side].join(o.side[side])
		g.whole[side].join(o.whole[side])
		g.beyond[side] += o.beyond[side]
	}
	g.differences.join(o.differences)
}

// findings collects the results of the games so far.
type findings struct {
	measures []gathered
	throws   [2]Histogram
	differ   int // games with different results
}

// take moves the contents of another into this one.
func (f *findings) take(o *findings) {
	for i := range o.measures {
		f.measures[i].join(&o.measures[i])
		o.measures[i] = gathered{}
	}
	for side := range f.throws {
		f.throws[side].join(&o.throws[side])
		o.throws[side].clear()
	}
	f.differ += o.differ
	o.differ = 0
}

// comparer plays blocks of games on one thread.
type comparer struct {
	players  [2]player
	measures []measure
	values   [2][]int    // of the present game
	trial    []Histogram // the results of the trial for each measure; nil after the trial
	found    findings
}

// The schedule of looks.
const (
	firstBlocks = 100
	firstGames  = 400
	lookGrowth  = 1.1
)

// Compare plays the same games with both until it is sure how they differ, or the maximum number is reached. Game k
// of both has the same random numbers, and the seats take turns in beginning, so that the differences are paired. It
// looks at them after blocks in which every seat of both begins equally often. The result depends on the games and
// the seed only, unless ctx is done first. The error is a fault of the rules.
func Compare(ctx context.Context, a, b *interpreter.Game, o CompareOptions) (*Comparison, error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	c := &Comparison{A: SubjectOf(a, o.Of(0)), B: SubjectOf(b, o.Of(1)),
		Small: Small{cmp.Or(o.Small.Number, DefaultSmallNumber), cmp.Or(o.Small.Share, DefaultSmallShare)}}
	block := lcm(c.A.period(), c.B.period())
	first := max(firstBlocks, (firstGames+block-1)/block)
	most := max(first, o.Games/block)
	list := measures(a, b, &c.A, &c.B)
	workers, err := parallel.Workers(o.Threads, most, func() (*comparer, error) {
		w := &comparer{measures: list, trial: make([]Histogram, len(list)), found: findings{measures: make([]gathered, len(list))}}
		for side, g := range [2]*interpreter.Game{a, b} {
			w.values[side] = make([]int, len(list))
			if o.made != nil {
				continue
			}
			so := o.Of(side)
			ro := so.run(&stop)
			ro.Leads = true
			r, err := interpreter.NewRunner(g, ro)
			if err != nil {
				return nil, err
			}
			if w.players[side] = r; side == 0 && o.Kept != nil {
				w.players[side] = &keeper{r, o.Kept}
			}
		}
		if o.made != nil {
			w.players = o.made()
		}
		return w, nil
	})
	if err != nil {
		return nil, err
	}
	whole, err := try(ctx, workers, list, block, o)
	if err != nil {
		return nil, err
	}
	c.Stopped = !whole
	all := findings{measures: make([]gathered, len(list))}
	done := 0
	for next := first; !c.Stopped; next = min(most, max(next+1, int(float64(next)*lookGrowth))) {
		whole, err := stretch(ctx, workers, done, next, block, o)
		if err != nil {
			return nil, err
		}
		if !whole {
			c.Stopped = true
			break
		}
		for _, w := range workers {
			all.take(&w.found)
		}
		done = next
		c.Looks++
		c.Games = done * block
		c.differences(list, &all, max(1, o.Among))
		if o.look != nil {
			o.look(c.Differences)
		}
		if c.Sure = c.enough(o.Precision); c.Sure || done == most {
			break
		}
	}
	c.Alike = c.Games > 0 && all.differ == 0
	c.Throws = all.throws
	slices.SortStableFunc(c.Differences, importance)
	return c, nil
}

// try plays games to determine the bounds of numbers; false if ctx was done first.
func try(ctx context.Context, workers []*comparer, list []measure, block int, o CompareOptions) (bool, error) {
	o.Progress = nil
	from := trialFrom / block
	whole, err := stretch(ctx, workers, from, from+(trialGames+block-1)/block, block, o)
	if err != nil || !whole {
		return false, err
	}
	trial := make([]Histogram, len(list))
	for _, w := range workers {
		for i := range trial {
			trial[i].join(&w.trial[i])
		}
		w.trial = nil
	}
	bound(list, trial)
	return true, nil
}

// Of returns the options of one of the two games.
func (o *CompareOptions) Of(i int) Options {
	first, rotate := 0, true
	if o.First[i] != nil {
		first, rotate = *o.First[i], false
	}
	return Options{Seed: o.Seed, First: first, Rotate: rotate, MaxThrows: o.MaxThrows, Seats: o.Seats[i], Players: o.Players[i], Deal: o.Deal[i], Threads: o.Threads, Pace: o.Pace}
}

// stretch plays a range of blocks; false if ctx was done first.
func stretch(ctx context.Context, workers []*comparer, from, to, block int, o CompareOptions) (bool, error) {
	next, err := parallel.Run(ctx, workers, parallel.Tasks[*comparer, bool]{
		From: from, To: to, Batch: 64,
		Work: func(w *comparer, from, to int) (bool, error) {
			for k := from; k < to; k++ {
				err := w.block(o.Seed, k*block, block, o.apart)
				if err == interpreter.ErrStopped {
					return false, nil
				}
				if err != nil {
					return false, err
				}
			}
			return true, nil
		},
		Collect: func(_, done int, whole bool) bool {
			if whole && o.Progress != nil {
				o.Progress(done * block)
			}
			return whole
		},
	})
	return err == nil && next == to, err
}

// block plays some games with both and records how they differ.
func (c *comparer) block(seed uint64, first, n int, apart uint64) error {
	for k := first; k < first+n; k++ {
		for side, p := range c.players {
			x, err := p.Play(seed, uint64(k)+uint64(side)*apart)
			if err != nil {
				return err
			}
			for i := range c.measures {
				if of := c.measures[i].of[side]; of != nil {
					c.values[side][i] = of(x)
				}
			}
			if c.trial == nil {
				c.found.throws[side].Add(x.Throws)
			}
		}
		c.game()
	}
	return nil
}

func (c *comparer) game() {
	same := true
	for i := range c.measures {
		m := &c.measures[i]
		a, b := c.values[0][i], c.values[1][i]
		if c.trial != nil {
			c.trial[i].Add(a)
			c.trial[i].Add(b)
			continue
		}
		same = same && a == b
		g := &c.found.measures[i]
		for side, v := range [2]int{a, b} {
			counted := m.counted(v)
			g.side[side].Add(counted)
			g.whole[side].Add(v)
			if v != counted {
				g.beyond[side]++
			}
		}
		g.differences.Add(m.counted(b) - m.counted(a))
	}
	if !same {
		c.found.differ++
	}
}

// differences computes all differences after some games. The error probability is divided among them (Bonferroni):
// one half among the main ones, which decide when to stop, the other half among the others; and among several comparisons.
func (c *Comparison) differences(list []measure, all *findings, among int) {
	c.Differences = make([]Difference, len(list))
	main := seq.Count(list, func(m measure) bool { return m.main })
	for i := range list {
		m, g := &list[i], &all.measures[i]
		alpha := (1 - Confidence) / 2 / float64(len(list)-main)
		if m.main {
			alpha = (1 - Confidence) / 2 / float64(main)
		}
		alpha /= float64(among)
		d := Difference{Group: m.group, Name: m.name, Words: m.words, Main: m.main, Share: m.share, Quantile: m.quantile}
		switch {
		case m.quantile > 0:
			var in [2]Interval
			for side := range in {
				h := &all.throws[side]
				in[side] = quantileSequence(h, m.quantile, c.A.MaxThrows, alpha/2)
				*[2]*Mean{&d.A, &d.B}[side] = Mean{N: c.Games, Mean: float64(h.Quantile(m.quantile))}
			}
			d.Value = d.B.Mean - d.A.Mean
			d.Interval = Interval{in[1].Low - in[0].High, in[1].High - in[0].Low}
		default:
			if !m.share {
				d.Least, d.Limit = m.least, int(math.Round(float64(m.limit)*m.scale))
			}
			if m.isLong() {
				d.Limit = list[0].limit
			}
			d.Beyond = g.beyond
			for side, mean := range []*Mean{&d.A, &d.B} {
				d.Whole[side] = g.whole[side].Over(c.Games).Mean*m.scale - m.fair[side]
				*mean = scaled(g.side[side].Over(c.Games), m.scale)
				mean.Mean -= m.fair[side]
			}
			in, offset := sequence(c.Games, g.differences, float64(m.limit-m.least), alpha), m.fair[0]-m.fair[1]
			d.Value = g.differences.Over(c.Games).Mean*m.scale + offset
			d.Interval = Interval{in.Low*m.scale + offset, in.High*m.scale + offset}
		}
		if !m.isLong() { // no share is small of games that may be of any length
			d.Small = c.Small.Of(&d)
		}
		d.Conclude()
		c.Differences[i] = d
	}
}

func scaled(m Mean, by float64) Mean { return Mean{m.N, m.Mean * by, m.SD * by, m.SE * by} }

// enough reports whether no more games are needed.
func (c *Comparison) enough(precision float64) bool {
	return !slices.ContainsFunc(c.Differences, func(d Difference) bool {
		wanted := precision
		if !d.Share {
			wanted *= d.size()
		}
		return d.Main && (precision == 0 && !d.Sure() || precision > 0 && (d.Interval.High-d.Interval.Low)/2 > wanted)
	})
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
	return cmp.Or(class(&a)-class(&b), cmp.Compare(size(&b), size(&a)))
}

// period is the number of games in which every seat begins equally often, with each of the players that change seats.
func (s *Subject) period() int { return s.Players * max(1, len(s.Dealt)) }

func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// maxKept is how many games are kept: some 100 MB at most.
const maxKept = 100_000

// Kept has the results of games. The zero value is empty; it is safe for several goroutines.
type Kept struct {
	mu    sync.RWMutex
	games map[uint64]*interpreter.Played
}

// keeper plays games that are not kept yet.
type keeper struct {
	player
	kept *Kept
}

// Play implements player.
func (p *keeper) Play(seed, k uint64) (*interpreter.Played, error) {
	p.kept.mu.RLock()
	x := p.kept.games[k]
	p.kept.mu.RUnlock()
	if x != nil {
		return x, nil
	}
	x, err := p.player.Play(seed, k)
	if err != nil {
		return nil, err
	}
	p.kept.mu.Lock()
	defer p.kept.mu.Unlock()
	if p.kept.games == nil {
		p.kept.games = map[uint64]*interpreter.Played{}
	}
	if len(p.kept.games) < maxKept {
		p.kept.games[k] = x.Copy()
	}
	return x, nil
}
