package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// extreme has the sentences about the rows with the highest and the lowest value.
type extreme struct{ name, sure, unsure string }

// extremes are the measures with such sentences: the main differences of a comparison.
var extremes = []extreme{
	{stats.MeasureThrows, "games are longest with %s (%s throws) and shortest with %s (%s)",
		"games seem longest with %s (%s throws) and shortest with %s (%s), which may be chance"},
	{stats.MeasureDecisions, "there is most to decide with %s (%s decisions in a game) and least with %s (%s)",
		"there seems most to decide with %s (%s decisions in a game) and least with %s (%s), which may be chance"},
	{stats.MeasureEdge, "the starter's edge is largest with %s (%s points) and smallest with %s (%s)",
		"the starter's edge seems largest with %s (%s points) and smallest with %s (%s), which may be chance"},
	{stats.MeasureUnfinished, "most games reach the limit of throws with %s (%s), fewest with %s (%s)",
		"most games seem to reach the limit of throws with %s (%s), fewest with %s (%s), which may be chance"},
}

// findings name the settings with the highest and the lowest value, and say whether this is certain: whether their
// intervals are disjoint. They leave out a value that is the same in all rows.
func (x *swept) findings() []string {
	var out []string
	for _, e := range extremes {
		if len(x.Rows) < 2 {
			continue
		}
		most, least := -1, -1
		value := make([]float64, len(x.Rows))
		in := make([]stats.Interval, len(x.Rows))
		for i := range x.Rows {
			v, interval, known := x.value(i, e.name)
			if !known {
				continue
			}
			value[i], in[i] = v, interval
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
		text := e.unsure
		if in[most].Low > in[least].High {
			text = e.sure
		}
		out = append(out, fmt.Sprintf(text, x.Rows[most].String(), x.table.cell(most, e.name).people(), x.Rows[least].String(), x.table.cell(least, e.name).people()))
	}
	return out
}

// drawn is the number of rows drawn for a sweep with three options or more.
const drawn = 60

// markOf is a value with its interval, or without it if it is unbounded.
func markOf(v float64, in stats.Interval) picture.Mark {
	if math.IsInf(in.Low, 0) || math.IsInf(in.High, 0) {
		in = stats.Interval{Low: v, High: v}
	}
	return picture.Mark{Low: in.Low, Mid: v, High: in.High}
}

// lines draws the effect of one option on the length of games, on the advantage of the starter and on each act.
func (x *swept) lines() []picture.Part {
	labels, at := x.steps(0)
	var parts []picture.Part
	part := func(title, y, key string) {
		l := &picture.Lines{Title: title, X: x.Over[0], Y: y, Labels: labels, At: at, Marks: [][]picture.Mark{nil}}
		for i := range x.Rows {
			m, ok := x.mark(key, i)
			if !ok {
				return
			}
			l.Marks[0] = append(l.Marks[0], m)
		}
		parts = append(parts, l)
	}
	part("How long games are", "throws in a game", stats.MeasureThrows)
	part("The edge of who begins", "points over a fair share", stats.MeasureEdge)
	for _, c := range x.list {
		if c.group == stats.GroupActs {
			part(c.name, "times in a game", c.key())
		}
	}
	return parts
}

// mark is a value of a row with its interval, shares in per cent; false if the rules of the row do not have it.
func (x *swept) mark(key string, row int) (picture.Mark, bool) {
	v, in, known := x.value(row, key)
	if !known {
		return picture.Mark{}, false
	}
	by := 1.0
	if unit := x.table.cell(row, key).Unit; unit == unitShare || unit == unitEdge {
		by = 100
	}
	return markOf(v*by, stats.Interval{Low: in.Low * by, High: in.High * by}), true
}

// steps are the values of an option in the order of the rows, without duplicates; ascending numbers are placed to
// scale.
func (x *swept) steps(axis int) (labels []string, at []float64) {
	for _, r := range x.Rows {
		v := r.Setting[axis].Value
		if !slices.Contains(labels, v) {
			labels = append(labels, v)
		}
	}
	for i, text := range labels {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || i > 0 && v <= at[i-1] {
			return labels, nil
		}
		at = append(at, v)
	}
	return labels, at
}

// twoWays draws the effect of two options on the length of games: a line for each value of the second if there are
// few, and a grid.
func (x *swept) twoWays() []picture.Part {
	rows, at := x.steps(0)
	columns, _ := x.steps(1)
	g := &picture.Grid{Title: "How long games are", X: x.Over[1], Y: x.Over[0], Columns: columns, Rows: rows, Unit: "throws in a game", Decimals: 1}
	l := &picture.Lines{Title: "How long games are", X: x.Over[0], Y: "throws in a game", Labels: rows, At: at}
	for range rows {
		row := make([]float64, len(columns))
		for i := range row {
			row[i] = math.NaN()
		}
		g.Values = append(g.Values, row)
	}
	for _, v := range columns {
		l.Keys = append(l.Keys, x.Over[1]+"="+v)
		l.Marks = append(l.Marks, nil)
	}
	for i := range x.Rows {
		k, j := i/len(columns), i%len(columns)
		m, _ := x.mark(stats.MeasureThrows, i)
		g.Values[k][j] = m.Mid
		l.Marks[j] = append(l.Marks[j], m)
	}
	if len(columns) <= 6 && len(rows) > 1 && len(x.Rows) == len(rows)*len(columns) {
		return []picture.Part{l, g}
	}
	return []picture.Part{g}
}

// rows draws the length of games of each setting.
func (x *swept) rows() picture.Part {
	d := &picture.Dots{Title: "How long games are", X: "throws in a game, on average", Reference: math.NaN()}
	for i, r := range x.Rows[:min(len(x.Rows), drawn)] {
		m, _ := x.mark(stats.MeasureThrows, i)
		d.Rows = append(d.Rows, picture.Row{Name: r.String(), Marks: []picture.Mark{m}, Note: phrase.Number(m.Mid)})
	}
	return d
}
