package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// drawn is how many rows of a sweep with three options or more are drawn.
const drawn = 60

// SweepFigure draws a sweep: lines where one option changes, lines and a grid where two do, rows otherwise.
func SweepFigure(s *Sweep, again string) *picture.Figure {
	f := &picture.Figure{Title: "What " + strings.Join(s.Over, " and ") + " does"}
	if len(s.Over) > 1 {
		f.Title = "What " + strings.Join(s.Over, " and ") + " do"
	}
	if len(s.Rows) == 0 {
		f.Words = []string{"It was stopped before there was anything to draw."}
		return f
	}
	first := s.Rows[0].Tally
	f.Words = []string{first.Subject.Title}
	if len(first.Subject.Changes) > 0 {
		f.Words[0] += " with " + strings.Join(first.Subject.Changes, ", ")
	}
	for _, finding := range s.findings() {
		f.Words = append(f.Words, capital(finding)+".")
	}
	f.Small = []string{
		fmt.Sprintf("%s a row %s, the seats take turns in beginning, seed %d", plural(first.Games(), "game"), byWhom(first.Subject.Seats), first.Subject.Seed),
		fmt.Sprintf("intervals are so wide that all %s of the table hold together with a probability of 95 %%; those of means take it that %s", Thousands(float64(s.cells())), seen),
	}
	if again != "" {
		f.Small = append(f.Small, again)
	}
	switch len(s.Over) {
	case 1:
		f.Parts = s.lines()
	case 2:
		f.Parts = s.twoWays()
	default:
		f.Parts = []picture.Part{s.rows()}
		if len(s.Rows) > drawn {
			f.Small = append(f.Small, fmt.Sprintf("the first %d of %d settings", drawn, len(s.Rows)))
		}
	}
	return f
}

// lines draws what one option does to the length of games, to who begins and to each act.
func (s *Sweep) lines() []picture.Part {
	labels, at := s.steps(0)
	var parts []picture.Part
	part := func(title, y, group, name string) {
		l := &picture.Lines{Title: title, X: s.Over[0], Y: y, Labels: labels, At: at, Marks: [][]picture.Mark{nil}}
		for i := range s.Rows {
			m, ok := s.mark(group, name, &s.Rows[i])
			if !ok {
				return
			}
			l.Marks[0] = append(l.Marks[0], m)
		}
		parts = append(parts, l)
	}
	part("How long games are", "throws in a game", stats.GroupGame, stats.MeasureThrows)
	part("Who begins", "wins, per cent", groupShares, stats.MeasureEdge)
	for _, name := range s.named(acts) {
		part(name, "times in a game", stats.GroupActs, name)
	}
	return parts
}

// mark is a value of a row with its interval, shares in per cent; false where the rules of the row know nothing of it.
func (s *Sweep) mark(group, name string, r *Row) (picture.Mark, bool) {
	c := s.column(group, name)
	if c == nil {
		return picture.Mark{}, false
	}
	m, in, known := c.of(r.Tally, s.confidence())
	by := 1.0
	if c.share {
		by = 100
	}
	return markOf(m.Mean*by, stats.Interval{Low: in.Low * by, High: in.High * by}), known
}

// steps are the values of an option in the order of the rows, each once; where all are numbers that grow, they stand
// where they belong.
func (s *Sweep) steps(axis int) (labels []string, at []float64) {
	for _, r := range s.Rows {
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

// twoWays draws what two options do to the length of games: a line for each value of the second where there are few, and
// a grid.
func (s *Sweep) twoWays() []picture.Part {
	rows, at := s.steps(0)
	columns, _ := s.steps(1)
	g := &picture.Grid{Title: "How long games are", X: s.Over[1], Y: s.Over[0], Columns: columns, Rows: rows, Unit: "throws in a game", Decimals: 1}
	l := &picture.Lines{Title: "How long games are", X: s.Over[0], Y: "throws in a game", Labels: rows, At: at}
	for range rows {
		row := make([]float64, len(columns))
		for i := range row {
			row[i] = math.NaN()
		}
		g.Values = append(g.Values, row)
	}
	for _, v := range columns {
		l.Keys = append(l.Keys, s.Over[1]+"="+v)
		l.Marks = append(l.Marks, nil)
	}
	for i, r := range s.Rows {
		k, j := i/len(columns), i%len(columns)
		m, _ := s.mark(stats.GroupGame, stats.MeasureThrows, &r)
		g.Values[k][j] = m.Mid
		l.Marks[j] = append(l.Marks[j], m)
	}
	if len(columns) <= 6 && len(rows) > 1 && len(s.Rows) == len(rows)*len(columns) {
		return []picture.Part{l, g}
	}
	return []picture.Part{g}
}

// rows draws the length of games of each setting.
func (s *Sweep) rows() picture.Part {
	d := &picture.Dots{Title: "How long games are", X: "throws in a game, on average", Reference: math.NaN()}
	for _, r := range s.Rows[:min(len(s.Rows), drawn)] {
		m, _ := s.mark(stats.GroupGame, stats.MeasureThrows, &r)
		d.Rows = append(d.Rows, picture.Row{Name: r.words(), Marks: []picture.Mark{m}, Note: Number(m.Mid)})
	}
	return d
}
