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
	f.Small = []string{fmt.Sprintf("%s a row %s, the seats take turns in beginning, seed %d; bands are 95 %% intervals", plural(first.Games(), "game"),
		byWhom(first.Subject.Seats), first.Subject.Seed)}
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
	part := func(title, y string, of func(*stats.Tally) (picture.Mark, bool)) *picture.Lines {
		l := &picture.Lines{Title: title, X: s.Over[0], Y: y, Labels: labels, At: at, Marks: [][]picture.Mark{nil}}
		for _, r := range s.Rows {
			m, ok := of(r.Tally)
			if !ok {
				return nil
			}
			l.Marks[0] = append(l.Marks[0], m)
		}
		return l
	}
	parts := []picture.Part{part("How long games are", "throws in a game", func(t *stats.Tally) (picture.Mark, bool) { return meanMark(t.Throws.Mean()), true })}
	edge := part("Who begins", "wins, per cent", func(t *stats.Tally) (picture.Mark, bool) {
		return shareMark(t.StarterWon()), t.Subject.Players > 1 && t.StarterWon().N > 0
	})
	if edge != nil {
		parts = append(parts, edge)
	}
	for _, name := range s.named(acts) {
		l := part(name, "times in a game", func(t *stats.Tally) (picture.Mark, bool) {
			m, ok := sumOf(t, name, t.Names.Acts, t.Acts)
			return meanMark(m), ok
		})
		if l != nil {
			parts = append(parts, l)
		}
	}
	return parts
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
		m := r.Tally.Throws.Mean()
		g.Values[k][j] = m.Mean
		l.Marks[j] = append(l.Marks[j], meanMark(m))
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
		var words []string
		for _, o := range r.Setting {
			words = append(words, o.Name+"="+o.Value)
		}
		m := meanMark(r.Tally.Throws.Mean())
		d.Rows = append(d.Rows, picture.Row{Name: strings.Join(words, " "), Marks: []picture.Mark{m}, Note: Number(m.Mid)})
	}
	return d
}
