package study

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/interpreter/stats"
)

// Row is one setting of a sweep and what came of it.
type Row struct {
	Setting []stats.Option // in the order of Sweep.Over
	Tally   *stats.Tally
}

// Sweep is what the settings of some options come to.
type Sweep struct {
	Over []string // the options, and "players"
	Of   int      // how many rows there are if none is left out
	Rows []Row
}

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

// sumOf is the mean of what has a name; false where the rules of the row do not have it.
func sumOf(t *stats.Tally, name string, names []string, sums []stats.Sum) (stats.Mean, bool) {
	i := slices.Index(names, name)
	if i < 0 {
		return stats.Mean{}, false
	}
	return sums[i].Over(t.Games()), true
}

// SweepText writes a sweep for people.
func SweepText(w io.Writer, s *Sweep) error {
	var b strings.Builder
	if len(s.Rows) > 0 {
		first := s.Rows[0].Tally
		b.WriteString(first.Subject.Title)
		if len(first.Subject.Changes) > 0 {
			b.WriteString(" with " + strings.Join(first.Subject.Changes, ", "))
		}
		b.WriteString(": " + plural(first.Games(), "game") + " a row " + byWhom(first.Subject.Seats) + ", seed " +
			strconv.FormatUint(first.Subject.Seed, 10) + ", the seats take turns in beginning\n\n")
	}
	var t table
	head := append([]string{}, s.Over...)
	head = append(head, "throws", "±", "sd", "turns", "decisions", "forced", "lead changes", "settled", "edge", "unfinished")
	actNames, countNames := s.named(acts), s.named(counts)
	t.add(slices.Concat(head, actNames, countNames)...)
	for _, r := range s.Rows {
		x := r.Tally
		var row []string
		for _, o := range r.Setting {
			row = append(row, o.Value)
		}
		throws := x.Throws.Mean()
		row = append(row, Number(throws.Mean), Number(throws.SE), Number(throws.SD), Number(x.Turns.Mean().Mean), Number(x.Decisions.Mean().Mean),
			Number(x.Forced.Mean().Mean), Number(x.LeadChanges.Mean().Mean), percent(x.Settled.Mean().Mean/1000), percent(x.StarterWon().Value()),
			percent(x.Limited().Value()))
		for _, name := range actNames {
			row = append(row, cell(sumOf(x, name, x.Names.Acts, x.Acts)))
		}
		for _, name := range countNames {
			row = append(row, cell(sumOf(x, name, x.Names.Counts, x.Counts)))
		}
		t.add(row...)
	}
	t.write(&b, 0)
	b.WriteString("  (means of a game; ±: the standard error of the throws; settled: from which part of a game on the winner leads;\n" +
		"  edge: how often whoever begins wins)\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func cell(m stats.Mean, known bool) string {
	if !known {
		return "-"
	}
	return Number(m.Mean)
}

// SweepJSON writes a sweep for programs: rulerun schema sweep describes it.
func SweepJSON(w io.Writer, s *Sweep) error {
	rows := []fields{}
	for _, r := range s.Rows {
		setting := fields{}
		for _, o := range r.Setting {
			setting = append(setting, field{o.Name, o.Value})
		}
		rows = append(rows, fields{{"setting", setting}, {"sim", tallyFields(r.Tally, Timing{})}})
	}
	return writeJSON(w, fields{{"version", 1}, {"tool", "rulerun"}, {"kind", "sweep"}, {"over", s.Over}, {"of", s.Of}, {"rows", rows}})
}

// SweepCSV writes a sweep as a table, a row for each setting.
func SweepCSV(w io.Writer, s *Sweep) error {
	head := append([]string{}, s.Over...)
	head = append(head, "games")
	for _, name := range []string{"throws", "turns", "decisions", "forced", "lead_changes", "settled"} {
		head = append(head, name, name+"_se", name+"_sd")
	}
	head = append(head, "edge", "edge_low", "edge_high", "unfinished", "unfinished_low", "unfinished_high")
	actNames, countNames := s.named(acts), s.named(counts)
	for _, name := range actNames {
		head = append(head, "act_"+name, "act_"+name+"_se")
	}
	for _, name := range countNames {
		head = append(head, "count_"+name, "count_"+name+"_se")
	}
	rows := [][]string{head}
	for _, r := range s.Rows {
		x := r.Tally
		var row []string
		for _, o := range r.Setting {
			row = append(row, o.Value)
		}
		row = append(row, strconv.Itoa(x.Games()))
		for _, h := range []*stats.Histogram{&x.Throws, &x.Turns, &x.Decisions, &x.Forced, &x.LeadChanges, &x.Settled} {
			m := h.Mean()
			row = append(row, exact(m.Mean), exact(m.SE), exact(m.SD))
		}
		for _, p := range []stats.Share{x.StarterWon(), x.Limited()} {
			row = append(row, exact(p.Value()), exact(p.Interval().Low), exact(p.Interval().High))
		}
		add := func(m stats.Mean, known bool) {
			if !known {
				row = append(row, "", "")
				return
			}
			row = append(row, exact(m.Mean), exact(m.SE))
		}
		for _, name := range actNames {
			add(sumOf(x, name, x.Names.Acts, x.Acts))
		}
		for _, name := range countNames {
			add(sumOf(x, name, x.Names.Counts, x.Counts))
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}
