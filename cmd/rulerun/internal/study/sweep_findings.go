package study

import (
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/interpreter/stats"
)

// outstanding is the sentence that says in which rows something is most and least: with the setting and the value of either.
type outstanding struct{ group, name, sure, unsure string }

// outstandings are what is said of a sweep: the same as the main differences of a comparison.
var outstandings = []outstanding{
	{stats.GroupGame, stats.MeasureThrows, "games are longest with %s (%s throws) and shortest with %s (%s)",
		"games seem longest with %s (%s throws) and shortest with %s (%s), which may be chance"},
	{stats.GroupGame, stats.MeasureDecisions, "there is most to decide with %s (%s decisions in a game) and least with %s (%s)",
		"there seems most to decide with %s (%s decisions in a game) and least with %s (%s), which may be chance"},
	{groupShares, stats.MeasureEdge, "the starter wins most with %s (%s) and least with %s (%s)",
		"the starter seems to win most with %s (%s) and least with %s (%s), which may be chance"},
	{groupShares, stats.MeasureUnfinished, "most games reach the limit of throws with %s (%s), fewest with %s (%s)",
		"most games seem to reach the limit of throws with %s (%s), fewest with %s (%s), which may be chance"},
}

// findings say what a sweep comes to: which setting has most and which least, and whether that is sure, which it is where
// their intervals do not meet. What is the same in all rows is left out, and so is who begins among different numbers of
// players.
func (s *Sweep) findings() []string {
	var out []string
	confidence := s.confidence()
	for _, x := range outstandings {
		c := s.column(x.group, x.name)
		if c == nil || len(s.Rows) < 2 || x.name == stats.MeasureEdge && !s.alike() {
			continue
		}
		most, least := -1, -1
		value := make([]float64, len(s.Rows))
		in := make([]stats.Interval, len(s.Rows))
		for i := range s.Rows {
			m, interval, known := c.of(s.Rows[i].Tally, confidence)
			if !known {
				continue
			}
			value[i], in[i] = m.Mean, interval
			if most < 0 || value[i] > value[most] {
				most = i
			}
			if least < 0 || value[i] < value[least] {
				least = i
			}
		}
		if most < 0 || value[most] == value[least] {
			continue
		}
		text := x.unsure
		if in[most].Low > in[least].High {
			text = x.sure
		}
		out = append(out, fmt.Sprintf(text, s.Rows[most].words(), c.cell(value[most], true), s.Rows[least].words(), c.cell(value[least], true)))
	}
	return out
}

// alike reports whether all rows have as many players.
func (s *Sweep) alike() bool {
	return !slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Tally.Subject.Players != s.Rows[0].Tally.Subject.Players })
}
