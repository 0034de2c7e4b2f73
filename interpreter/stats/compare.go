package stats

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/parallel"
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
	// Progress, if not nil, gets now and then how many games of each are done.
	Progress func(done int)

	apart uint64             // game k of the second is game k+apart: for a test whose games must differ
	look  func([]Difference) // what there is at every look: for a test that peeks
	made  func() [2]player   // plays instead of runners: for a test that knows what is true
}

// player plays games, as interpreter.Runner does.
type player interface {
	Play(seed, k uint64) (*interpreter.Played, error)
}

// Confidence is the probability with which an interval holds; of a comparison all of them together, at all looks.
const Confidence = 0.95

// What is small enough to be called no difference.
const (
	smallLength = 0.01 // of the mean, or of one a game
	smallShare  = 0.02 // of the games
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
	MeasureThrows = "throws"
	// MeasureFirstWinner is after how many throws the first winner is known, where players are ranked; MeasureThrows goes on to
	// the end of the ranking.
	MeasureFirstWinner = "first_winner"
	// Half of the games, and nine of ten, take as many throws or fewer.
	MeasureHalf      = "half_throws"
	MeasureNineTenth = "nine_tenths_throws"
	// MeasureLong is the share of games with more throws than MeasureThrows counts.
	MeasureLong        = "long"
	MeasureTurns       = "turns"
	MeasureDecisions   = "decisions"
	MeasureForced      = "forced"
	MeasureLeadChanges = "lead_changes"
	// MeasureSettled is the part of a game after which the lead does not change any more; all of it where no player wins.
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

// Difference is how two games differ in one thing, the second less the first: in the mean of a share, in the mean of a number
// that is counted up to a limit, or in a quantile. Of means without a limit nothing can be said for certain: a game that
// has not been seen yet may be so long that it changes them.
type Difference struct {
	Group, Name string
	Words       string  // of a count; of MeasureThrows where players are ranked
	Main        bool    // whether the comparison goes on until it is sure
	Share       bool    // a share, from 0 to 1, rather than a number
	Quantile    float64 // 0 for a mean; A and B then have the quantile as their mean, and no deviation
	// Least and Limit are the bounds a number is counted up to, in the difference and in A and B; both 0 where there are
	// none. Of MeasureLong, Limit is how many throws the games are longer than.
	Least, Limit int
	// Beyond is how many games of either go beyond the bounds, and Whole the means with all that they come to.
	Beyond [2]int
	Whole  [2]float64
	A, B   Mean // a game
	Value  float64
	// Interval holds with those of all other differences, at all looks, with a probability of Confidence.
	Interval Interval
	// Small is up to where a difference is small, either way; 0 where none is, however small: of MeasureLong.
	Small   float64
	Verdict Verdict
}

// TooRare reports whether there are games beyond the bounds: too rare to say what they make of the mean.
func (d *Difference) TooRare() bool { return d.Beyond[0]+d.Beyond[1] > 0 }

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
	quantile           float64 // of throws, 0 for a mean
	// What is counted lies between two bounds. They are known beforehand of shares, which have no lower one, and come from
	// a trial of others.
	least, limit int
	of           [2]func(*interpreter.Played) int
}

// both is a measure that is read in the same way from either game.
func both(group, name string, of func(*interpreter.Played) int) measure {
	return measure{group: group, name: name, scale: 1, of: [2]func(*interpreter.Played) int{of, of}}
}

// asShare makes a measure a share: a part of so many.
func (m measure) asShare(parts int, main bool) measure {
	m.share, m.limit, m.scale, m.main = true, parts, 1/float64(parts), main
	return m
}

func (m *measure) isLong() bool { return m.group == GroupGame && m.name == MeasureLong }

// counted is a number as it is counted: within the bounds.
func (m *measure) counted(v int) int { return min(max(v, m.least), m.limit) }

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// measures are what two games are compared in. The bounds of numbers are still to be found.
func measures(a, b *interpreter.Game) []measure {
	of := func(name string, read func(*interpreter.Played) int) measure { return both(GroupGame, name, read) }
	throws := of(MeasureThrows, func(x *interpreter.Played) int { return x.Throws })
	half, nineTenths := throws, throws
	half.name, half.quantile = MeasureHalf, 0.5
	nineTenths.name, nineTenths.quantile = MeasureNineTenth, 0.9
	throws.main = true
	decisions := of(MeasureDecisions, func(x *interpreter.Played) int { return x.Decisions })
	decisions.main = true
	settled := of(MeasureSettled, func(x *interpreter.Played) int {
		if !slices.Contains(x.Won, true) {
			return 1000
		}
		return thousandths(x.Settled, x.Throws)
	})
	edge := of(MeasureEdge, func(x *interpreter.Played) int { return yes(x.First >= 0 && x.Won[x.First]) })
	edge.offset = 1/float64(len(a.Rules().Teams)) - 1/float64(len(b.Rules().Teams))
	list := []measure{
		throws,
		of(MeasureFirstWinner, (*interpreter.Played).FirstWinner),
		half, nineTenths,
		of(MeasureTurns, func(x *interpreter.Played) int { return x.Turns }),
		decisions,
		of(MeasureForced, func(x *interpreter.Played) int { return x.Forced }),
		of(MeasureLeadChanges, func(x *interpreter.Played) int { return x.LeadChanges }),
		settled.asShare(1000, false),
		edge.asShare(1, true),
		of(MeasureUnfinished, func(x *interpreter.Played) int { return yes(x.Unfinished) }).asShare(1, true),
		of(MeasureLong, nil).asShare(1, false),
	}
	if ranks(a) || ranks(b) {
		list[0].words = "to the end of the ranking"
	} else {
		list = slices.DeleteFunc(list, func(m measure) bool { return m.name == MeasureFirstWinner })
	}
	if a.Players() == b.Players() {
		for seat := range a.Players() {
			list = append(list, both(GroupWins, a.SeatName(seat), func(x *interpreter.Played) int { return yes(x.Won[seat]) }).asShare(1, false))
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

// A trial finds up to where numbers are counted. Its games are not counted: what is compared must not depend on them.
const (
	trialGames = 100
	trialFrom  = min(1<<41, math.MaxInt/2) // the number of its first game, about
)

// bound finds the bounds of numbers, given what a trial came to.
func bound(list []measure, trial []Histogram) {
	for i := range list {
		if m := &list[i]; !m.share {
			m.least, m.limit = -usual(&trial[i], -1), max(1, usual(&trial[i], 1))
		}
	}
	throws := list[0].limit
	for i := range list {
		if m := &list[i]; m.isLong() {
			m.of[0] = func(x *interpreter.Played) int { return yes(x.Throws > throws) }
			m.of[1] = m.of[0]
		}
	}
}

// maxLimit is the largest limit: squares of differences must be added up.
const maxLimit = 1 << 29

// usual is a number that is rarely exceeded by those of one sign: twice what 95 % of them come to, rounded up to two
// digits; 0 where there are none.
func usual(h *Histogram, sign int) int {
	var some Histogram
	for v, n := range h.All() {
		if v*sign > 0 {
			some.add(v*sign, n)
		}
	}
	limit, round := 2*min(some.Quantile(0.95), maxLimit/4), 1
	for limit > 100*round {
		round *= 10
	}
	return (limit + round - 1) / round * round
}

// ranks reports whether the rules rank players.
func ranks(g *interpreter.Game) bool {
	found := false
	g.Rules().Walk(func(s *model.Stmt) { found = found || s.Kind == model.StmtFinish && s.Ending == model.EndRank })
	for _, r := range g.Rules().Rules {
		for _, c := range r.Clauses {
			found = found || c.Kind == model.ClauseEnding && c.Ending == model.EndRank
		}
	}
	return found
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

// gathered is what a measure came to: as it is counted, of either game and the differences; and what goes beyond.
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

// findings are what the games so far came to.
type findings struct {
	measures []gathered
	throws   [2]Histogram
	differ   int // games that did not come to the same with both
}

// take takes all that another has, and leaves it empty.
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
	values   [2][]int    // of the game at hand
	trial    []Histogram // of each measure what it came to; nil when the trial is over
	found    findings
}

// When a comparison looks at what it has.
const (
	firstBlocks = 100
	firstGames  = 400
	lookGrowth  = 1.1
)

// Compare plays the same games with both until it is sure how they differ, or there have been as many as allowed. Game k
// of both has the same chance, and the seats take turns in beginning, so that all differences are between like and like.
// It looks at them after blocks of as many games as it takes until every seat of both has begun equally often. The result
// depends on the games and the seed alone, unless ctx is done before. The error is a fault of the rules.
func Compare(ctx context.Context, a, b *interpreter.Game, o CompareOptions) (*Comparison, error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	c := &Comparison{A: SubjectOf(a, o.side(0)), B: SubjectOf(b, o.side(1))}
	block := lcm(a.Players(), b.Players())
	first := max(firstBlocks, (firstGames+block-1)/block)
	most := max(first, o.Games/block)
	list := measures(a, b)
	workers, err := parallel.Workers(o.Threads, most, func() (*comparer, error) {
		w := &comparer{measures: list, trial: make([]Histogram, len(list)), found: findings{measures: make([]gathered, len(list))}}
		for side, g := range [2]*interpreter.Game{a, b} {
			w.values[side] = make([]int, len(list))
			if o.made != nil {
				continue
			}
			ro := interpreter.RunOptions{Rotate: true, MaxThrows: o.MaxThrows, Leads: true, Stop: &stop}
			if o.Players[side] != nil {
				ro.Players = o.Players[side]()
			}
			r, err := interpreter.NewRunner(g, ro)
			if err != nil {
				return nil, err
			}
			w.players[side] = r
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
		c.Differences = differences(list, &all, c.Games, c.A.MaxThrows)
		if o.look != nil {
			o.look(c.Differences)
		}
		if c.Sure = c.enough(o.Precision); c.Sure || done == most {
			break
		}
	}
	c.Alike = c.Games > 0 && all.differ == 0
	slices.SortStableFunc(c.Differences, importance)
	return c, nil
}

// try plays games to find the bounds of numbers; false where ctx was done before.
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

// side are the options of one of the two games.
func (o *CompareOptions) side(i int) Options {
	return Options{Seed: o.Seed, Rotate: true, MaxThrows: o.MaxThrows, Seats: o.Seats[i]}
}

// stretch plays blocks from one to another; false where ctx was done before.
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

// block plays some games with both and takes down how they differ.
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

// game takes down the game at hand.
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

// differences works out all differences after some games. The probability of being wrong is shared out among them
// (Bonferroni): one half among the main ones, which say when it is enough, the other half among the others.
func differences(list []measure, all *findings, games, maxThrows int) []Difference {
	out := make([]Difference, len(list))
	main := 0
	for i := range list {
		main += yes(list[i].main)
	}
	for i := range list {
		m, g := &list[i], &all.measures[i]
		alpha := (1 - Confidence) / 2 / float64(len(list)-main)
		if m.main {
			alpha = (1 - Confidence) / 2 / float64(main)
		}
		d := Difference{Group: m.group, Name: m.name, Words: m.words, Main: m.main, Share: m.share, Quantile: m.quantile}
		switch {
		case m.quantile > 0:
			var in [2]Interval
			for side := range in {
				h := &all.throws[side]
				in[side] = quantileSequence(h, m.quantile, maxThrows, alpha/2)
				*[2]*Mean{&d.A, &d.B}[side] = Mean{N: games, Mean: float64(h.Quantile(m.quantile))}
			}
			d.Value = d.B.Mean - d.A.Mean
			d.Interval = Interval{in[1].Low - in[0].High, in[1].High - in[0].Low}
		default:
			if !m.share {
				d.Least, d.Limit = m.least, m.limit
			}
			if m.isLong() {
				d.Limit = list[0].limit
			}
			d.Beyond = g.beyond
			d.Whole = [2]float64{g.whole[0].Over(games).Mean * m.scale, g.whole[1].Over(games).Mean * m.scale}
			d.A, d.B = scaled(g.side[0].Over(games), m.scale), scaled(g.side[1].Over(games), m.scale)
			in := sequence(games, g.differences, float64(m.limit-m.least), alpha)
			d.Value = g.differences.Over(games).Mean*m.scale + m.offset
			d.Interval = Interval{in.Low*m.scale + m.offset, in.High*m.scale + m.offset}
		}
		switch {
		case m.isLong(): // no share is small of games that may be of any length
		case m.share:
			d.Small = smallShare
		default:
			d.Small = smallLength * d.size()
		}
		switch {
		case d.Interval.Low > 0:
			d.Verdict = More
		case d.Interval.High < 0:
			d.Verdict = Less
		case d.Small > 0 && d.Interval.Low >= -d.Small && d.Interval.High <= d.Small:
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
