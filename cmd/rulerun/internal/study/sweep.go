package study

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Row is one setting of a sweep and what came of it.
type Row struct {
	Setting []stats.Option // in the order of Sweep.Over
	Tally   *stats.Tally
}

// words names the setting of a row: "option=3 players=2".
func (r *Row) words() string {
	var words []string
	for _, o := range r.Setting {
		words = append(words, o.Name+"="+o.Value)
	}
	return strings.Join(words, " ")
}

// Sweep is what the settings of some options come to.
type Sweep struct {
	Over []string // the options, and "players"
	Of   int      // how many rows there are if none is left out
	Rows []Row
}

// column is something reported of every row, with an interval.
type column struct {
	group, name string
	share       bool // from 0 to 1
	// of is the value of a row and its interval at a confidence; false where the rules of the row know nothing of it.
	of func(t *stats.Tally, confidence float64) (v stats.Mean, in stats.Interval, known bool)
}

// Groups of columns besides those of measures.
const groupShares = "shares"

// columns are all that is reported of a row.
func (s *Sweep) columns() []column {
	var out []column
	length := func(name string, of func(*stats.Tally) *stats.Histogram, least int) {
		out = append(out, column{stats.GroupGame, name, false, func(t *stats.Tally, c float64) (stats.Mean, stats.Interval, bool) {
			m := of(t).Mean()
			return m, notBelow0(m.IntervalAt(c)), t.Subject.Players >= least && m.N > 0
		}})
	}
	length(stats.MeasureThrows, func(t *stats.Tally) *stats.Histogram { return &t.Throws }, 1)
	if slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Tally.Ranked() }) {
		length(stats.MeasureFirstWinner, func(t *stats.Tally) *stats.Histogram { return &t.FirstWinner }, 1)
	}
	length(stats.MeasureTurns, func(t *stats.Tally) *stats.Histogram { return &t.Turns }, 1)
	length(stats.MeasureDecisions, func(t *stats.Tally) *stats.Histogram { return &t.Decisions }, 1)
	length(stats.MeasureForced, func(t *stats.Tally) *stats.Histogram { return &t.Forced }, 1)
	length(stats.MeasureLeadChanges, func(t *stats.Tally) *stats.Histogram { return &t.LeadChanges }, 2)
	length(stats.MeasureSettled, func(t *stats.Tally) *stats.Histogram { return &t.Settled }, 2)
	share := func(name string, of func(*stats.Tally) stats.Share, least int) {
		out = append(out, column{groupShares, name, true, func(t *stats.Tally, c float64) (stats.Mean, stats.Interval, bool) {
			x := of(t)
			return stats.Mean{N: x.N, Mean: x.Value()}, x.IntervalAt(c), t.Subject.Players >= least && x.N > 0
		}})
	}
	share(stats.MeasureEdge, (*stats.Tally).StarterWon, 2)
	share(stats.MeasureUnfinished, (*stats.Tally).Limited, 1)
	sums := func(group string, names func(*stats.Tally) []string, of func(*stats.Tally) []stats.Sum) {
		for _, name := range s.named(names) {
			out = append(out, column{group, name, false, func(t *stats.Tally, c float64) (stats.Mean, stats.Interval, bool) {
				i := slices.Index(names(t), name)
				if i < 0 {
					return stats.Mean{}, stats.Interval{}, false
				}
				m := of(t)[i].Over(t.Games())
				in := m.IntervalAt(c)
				if group == stats.GroupActs {
					in = notBelow0(in)
				}
				return m, in, true
			}})
		}
	}
	sums(stats.GroupActs, acts, func(t *stats.Tally) []stats.Sum { return t.Acts })
	sums(stats.GroupCounts, counts, func(t *stats.Tally) []stats.Sum {
		var out []stats.Sum
		for i := range t.Counts {
			out = append(out, t.Counts[i].Sum)
		}
		return out
	})
	return out
}

// notBelow0 is an interval of what is never below 0.
func notBelow0(in stats.Interval) stats.Interval {
	if !math.IsInf(in.Low, 0) {
		in.Low = max(0, in.Low)
	}
	return in
}

// column is the column of a name in a group; nil where there is none.
func (s *Sweep) column(group, name string) *column {
	list := s.columns()
	i := slices.IndexFunc(list, func(c column) bool { return c.group == group && c.name == name })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// cells is how many intervals there are in all rows.
func (s *Sweep) cells() int { return max(1, s.Of) * len(s.columns()) }

// confidence is that of a single interval: so high that all of them hold together with stats.Confidence (Bonferroni).
// A search for the row that stands out would otherwise find one by chance in nearly every table.
func (s *Sweep) confidence() float64 { return 1 - (1-stats.Confidence)/float64(s.cells()) }

// named lists the names of acts or counts of all rows, each once.
func (s *Sweep) named(of func(*stats.Tally) []string) []string {
	var out []string
	for _, r := range s.Rows {
		for _, name := range of(r.Tally) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

func acts(t *stats.Tally) []string   { return t.Names.Acts }
func counts(t *stats.Tally) []string { return t.Names.Counts }

// SweepText writes a sweep for people, for a screen with some columns; 0 are any number.
func SweepText(w io.Writer, s *Sweep, columns int) error {
	var b strings.Builder
	if len(s.Rows) > 0 {
		first := s.Rows[0].Tally
		b.WriteString(first.Subject.Title)
		if len(first.Subject.Changes) > 0 {
			b.WriteString(" with " + strings.Join(first.Subject.Changes, ", "))
		}
		b.WriteString(": " + plural(first.Games(), "game") + " a row " + byWhom(first.Subject.Seats) + ", seed " +
			strconv.FormatUint(first.Subject.Seed, 10) + ", the seats take turns in beginning\n")
	}
	head, rows := s.table()
	var t table
	t.add(head...)
	for _, row := range rows {
		t.add(row...)
	}
	for _, part := range t.fit(columns, len(s.Over)) {
		b.WriteString("\n")
		part.write(&b, 0)
	}
	b.WriteString(fold("  (means of a game; settled: from which part of a game on the winner leads; edge: how often the starter wins;\n  "+
		s.together()+")", columns, "  ") + "\n")
	if found := s.findings(); len(found) > 0 {
		b.WriteString("\n" + fold(strings.Join(found, "\n"), columns, "  ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// together says what the intervals promise.
func (s *Sweep) together() string {
	return "±: half an interval; all " + Thousands(float64(s.cells())) + " intervals, those of --csv and --json too, hold together with a probability of 95 %"
}

// table is the rows as people read them.
func (s *Sweep) table() (head []string, rows [][]string) {
	head = append(head, s.Over...)
	list := s.columns()
	for _, c := range list {
		head = append(head, strings.ReplaceAll(c.name, "_", " "))
		switch c.name {
		case stats.MeasureThrows:
			head = append(head, "±", "sd")
		case stats.MeasureEdge:
			head = append(head, "±")
		}
	}
	confidence := s.confidence()
	for i := range s.Rows {
		r := &s.Rows[i]
		var row []string
		for _, o := range r.Setting {
			row = append(row, o.Value)
		}
		for _, c := range list {
			m, in, known := c.of(r.Tally, confidence)
			half := in.High - m.Mean
			if c.share {
				half = (in.High - in.Low) / 2
			}
			row = append(row, c.cell(m.Mean, known))
			switch c.name {
			case stats.MeasureThrows:
				row = append(row, infinite(half, Number), Number(m.SD))
			case stats.MeasureEdge:
				row = append(row, c.cell(half, known))
			}
		}
		rows = append(rows, row)
	}
	return head, rows
}

// infinite writes a number, or that it has no end.
func infinite(v float64, number func(float64) string) string {
	if math.IsInf(v, 0) {
		return "∞"
	}
	return number(v)
}

// cell writes a value of a column for people.
func (c *column) cell(v float64, known bool) string {
	switch {
	case !known:
		return "-"
	case c.share:
		return percent(v)
	case c.name == stats.MeasureSettled:
		return percent(v / 1000)
	}
	return Number(v)
}

// SweepJSON writes a sweep for programs: rulerun schema sweep describes it.
func SweepJSON(w io.Writer, s *Sweep) error {
	rows := []fields{}
	confidence := s.confidence()
	for _, r := range s.Rows {
		setting, intervals := fields{}, fields{}
		for _, o := range r.Setting {
			setting = append(setting, field{o.Name, o.Value})
		}
		groups := map[string]fields{}
		for _, c := range s.columns() {
			group := c.group
			if group == groupShares {
				group = stats.GroupGame
			}
			if m, in, known := c.of(r.Tally, confidence); known && m.N > 1 {
				groups[group] = append(groups[group], field{c.name, in})
			}
		}
		for _, group := range []string{stats.GroupGame, stats.GroupActs, stats.GroupCounts} {
			intervals = append(intervals, field{group, append(fields{}, groups[group]...)})
		}
		rows = append(rows, fields{{"setting", setting}, {"intervals", intervals}, {"sim", tallyFields(r.Tally, Timing{})}})
	}
	return object.Line(w, fields{
		{"version", 1}, {"tool", "rulerun"}, {"kind", "sweep"}, {"over", s.Over}, {"of", s.Of}, {"confidence", stats.Confidence},
		{"confidence_each", confidence}, {"findings", append([]string{}, s.findings()...)}, {"rows", rows},
	})
}

// SweepCSV writes a sweep as a table, a row for each setting. The intervals hold together.
func SweepCSV(w io.Writer, s *Sweep) error {
	prefix := map[string]string{stats.GroupActs: "act_", stats.GroupCounts: "count_"}
	head := append([]string{}, s.Over...)
	head = append(head, "games")
	list := s.columns()
	for _, c := range list {
		name := prefix[c.group] + c.name
		head = append(head, name)
		if !c.share {
			head = append(head, name+"_se", name+"_sd")
		}
		head = append(head, name+"_low", name+"_high")
	}
	rows := [][]string{head}
	confidence := s.confidence()
	for _, r := range s.Rows {
		var row []string
		for _, o := range r.Setting {
			row = append(row, o.Value)
		}
		row = append(row, strconv.Itoa(r.Tally.Games()))
		for _, c := range list {
			m, in, known := c.of(r.Tally, confidence)
			numbers := []float64{m.Mean, m.SE, m.SD, in.Low, in.High}
			if c.share {
				numbers = []float64{m.Mean, in.Low, in.High}
			}
			for _, v := range numbers {
				if !known {
					v = math.Inf(1)
				}
				row = append(row, bound(v))
			}
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}
