package stats

import (
	"math"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// measure is something that is compared.
type measure struct {
	group, name, words string
	main, share        bool
	scale              float64    // the size of one unit
	fair               [2]float64 // what A and B have by right: values are counted from there
	quantile           float64    // of throws, 0 for a mean
	// Bounds of the counted number. Shares have fixed bounds, without a lower one. Those of other measures come from
	// a trial.
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

// counted clamps a number to the bounds.
func (m *measure) counted(v int) int { return min(max(v, m.least), m.limit) }

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// measures lists the measures for two games. The bounds of numbers are not set yet.
func measures(a, b *interpreter.Game, ofA, ofB *Subject) []measure {
	pace := ofA.Pace
	of := func(name string, read func(*interpreter.Played) int) measure { return both(GroupGame, name, read) }
	throws := of(MeasureThrows, func(x *interpreter.Played) int { return x.Throws })
	half, nineTenths := throws, throws
	half.name, half.quantile = MeasureHalf, 0.5
	nineTenths.name, nineTenths.quantile = MeasureNineTenth, 0.9
	throws.main = true
	minutes := of(MeasureMinutes, func(x *interpreter.Played) int {
		all, _ := pace.Seconds(x)
		return all
	})
	firstMinutes := of(MeasureFirstMinutes, func(x *interpreter.Played) int {
		_, first := pace.Seconds(x)
		return first
	})
	minutes.scale, firstMinutes.scale = 1.0/60, 1.0/60
	decisions := of(MeasureDecisions, func(x *interpreter.Played) int { return x.Decisions })
	decisions.main = true
	settled := of(MeasureSettled, func(x *interpreter.Played) int {
		if !slices.Contains(x.Won, true) {
			return 1000
		}
		return thousandths(x.Settled, x.Throws)
	})
	edge := of(MeasureEdge, func(x *interpreter.Played) int { return yes(x.First >= 0 && x.Won[x.First]) })
	edge.fair = [2]float64{1 / float64(len(a.Rules().Teams)), 1 / float64(len(b.Rules().Teams))}
	list := []measure{
		throws,
		of(MeasureFirstWinner, (*interpreter.Played).FirstWinner),
		half, nineTenths, minutes, firstMinutes,
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
		list = slices.DeleteFunc(list, func(m measure) bool { return m.name == MeasureFirstWinner || m.name == MeasureFirstMinutes })
	}
	if a.Players() == b.Players() {
		for seat := range a.Players() {
			list = append(list, both(GroupWins, a.SeatName(seat), func(x *interpreter.Played) int { return yes(x.Won[seat]) }).asShare(1, false))
		}
	}
	list = append(list, dealtMeasures(dealt(a, ofA.Dealt), dealt(b, ofB.Dealt), ofA.Dealt, ofB.Dealt)...)
	list = append(list, named(GroupActs, actNames(a), actNames(b), func(i int) func(*interpreter.Played) int {
		return func(x *interpreter.Played) int { return int(x.Acts[i]) }
	})...)
	counts := named(GroupCounts, countNames(a), countNames(b), func(i int) func(*interpreter.Played) int {
		return func(x *interpreter.Played) int { return x.Counts[i] }
	})
	for i := range counts {
		for side, g := range []*interpreter.Game{a, b} {
			for _, c := range g.Rules().Counts {
				if c.Name != counts[i].name {
					continue
				}
				counts[i].words = c.Words
				if other := []*interpreter.Game{a, b}[1-side]; c.Worth && other.Rules().Worth == nil && c.Seat < other.Players() { // its wins count 1
					counts[i].of[1-side] = func(x *interpreter.Played) int { return yes(x.Won[c.Seat]) }
				}
			}
		}
	}
	return append(list, counts...)
}

// A trial determines the bounds of numbers. Its games are not counted: bounds must not depend on the compared games.
const (
	trialGames = 100
	trialFrom  = min(1<<41, math.MaxInt/2) // the number of its first game, about
)

// bound sets the bounds of numbers from the results of a trial.
func bound(list []measure, trial []Histogram) {
	for i := range list {
		if m := &list[i]; !m.share {
			m.least, m.limit = -usual(&trial[i], -1), max(1, usual(&trial[i], 1))
			unit := int(math.Round(1 / m.scale)) // limits are in whole units
			m.limit = (m.limit + unit - 1) / unit * unit
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

// maxLimit is the largest limit, so that sums of squared differences do not overflow.
const maxLimit = 1 << 29

// usual is a bound that numbers of one sign rarely exceed: twice their 95 % quantile, rounded up to two digits; 0 if
// there are none.
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

func ranks(g *interpreter.Game) bool {
	return seq.Any(g.Rules().Stmts(), func(s *model.Stmt) bool { return s.Kind == model.StmtFinish && s.Ending == model.EndRank }) ||
		seq.Any(g.Rules().Clauses(), func(c *model.Clause) bool { return c.Kind == model.ClauseEnding && c.Ending == model.EndRank })
}

func actNames(g *interpreter.Game) []string {
	return names(g.Rules().Acts, func(a *model.Act) string { return a.Name })
}

func countNames(g *interpreter.Game) []string {
	return names(g.Rules().Counts, func(c *model.Count) string { return c.Name })
}

// named makes measures of things with the same name in both games; a thing that one game lacks counts as 0 there.
func named(group string, a, b []string, read func(int) func(*interpreter.Played) int) []measure {
	var list []measure
	for _, name := range seq.Distinct(slices.Concat(a, b)) {
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
