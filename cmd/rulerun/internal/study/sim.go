package study

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// lengths are the distributions of a tally, by name. Where players are ranked, the first winner is known before the end.
func lengths(t *stats.Tally) []struct {
	name, words string
	of          *stats.Histogram
} {
	throws := "throws"
	if t.Ranked() {
		throws = "throws, whole ranking"
	}
	return []struct {
		name, words string
		of          *stats.Histogram
	}{
		{"throws", throws, &t.Throws}, {"turns", "turns", &t.Turns}, {"decisions", "decisions", &t.Decisions},
		{"forced", "forced moves", &t.Forced}, {"lead_changes", "changes of the lead", &t.LeadChanges},
		{"first_winner", "throws, first winner", &t.FirstWinner},
	}
}

// shown reports whether people are shown a distribution: what says no more than another is left out.
func shown(t *stats.Tally, of *stats.Histogram) bool {
	return (t.Subject.Players > 1 || of != &t.LeadChanges) && (t.Ranked() || of != &t.FirstWinner)
}

// group is sums of a tally of one kind.
type group struct {
	name, title string
	names       []string
	sums        []stats.Sum
}

func groups(t *stats.Tally) []group {
	return []group{
		{"moves", "moves", t.Names.Moves, t.Moves},
		{"acts", "acts", t.Names.Acts, t.Acts},
		{"rules", "rules that took effect", t.Names.Rules, t.Rules},
	}
}

// countName is the name of a count and what it counts.
func countName(t *stats.Tally, i int) string {
	if words := t.Names.CountWords[i]; words != "" {
		return t.Names.Counts[i] + ": " + words
	}
	return t.Names.Counts[i]
}

// shares are the shares of a histogram of a game that people ask for.
var shares = []float64{0.05, 0.25, 0.5, 0.75, 0.95}

// TallyText writes a tally for people.
func TallyText(w io.Writer, t *stats.Tally) error {
	var b strings.Builder
	s := &t.Subject
	fmt.Fprintf(&b, "%s: %s %s\n", heading(s), plural(t.Games(), "game"), byWhom(s.Seats))
	fmt.Fprintf(&b, "%s, seed %d, %s\n\n", plural(s.Players, "player"), s.Seed, beginning(s))
	if t.Games() == 0 {
		_, err := io.WriteString(w, b.String())
		return err
	}

	b.WriteString("a game\n")
	var length table
	length.add(distributionHead...)
	for _, x := range lengths(t) {
		if !shown(t, x.of) {
			continue
		}
		length.add(distribution(x.words, x.of.Mean(), x.of)...)
	}
	length.write(&b, 28)
	fmt.Fprintf(&b, "  (± is one standard error of the mean; 5 %% of the games have no more than the column says)\n")

	b.WriteString("\nthrows of a game\n")
	bins(&b, &t.Throws)

	b.WriteString("\nwins\n")
	var wins table
	wins.add("", "share", "95 % interval")
	share := func(name string, s stats.Share) {
		i := s.Interval()
		wins.add(name, percent(s.Value()), fmt.Sprintf("%.1f to %.1f", 100*i.Low, 100*i.High))
	}
	for seat, name := range t.Names.Seats {
		share(name, t.Won(seat))
	}
	if d := t.Drawn(); d.K > 0 {
		share("draws", d)
	}
	if s.Players > 1 {
		share("starter", t.StarterWon())
	}
	wins.write(&b, 28)
	if t.Settled.N() > 0 && s.Players > 1 {
		part := func(q float64) string { return fmt.Sprintf("%.0f %%", float64(t.Settled.Quantile(q))/10) }
		fmt.Fprintf(&b, "  the winner leads to the end from %.1f %% of a game on, on average;\n  in half of the games from %s or earlier, in a quarter from %s\n",
			t.Settled.Mean().Mean/10, part(0.5), part(0.25))
	}
	if t.Ranked() {
		b.WriteString("\nplaces\n")
		var ranks table
		head := []string{""}
		for place := range t.Names.Seats {
			head = append(head, strconv.Itoa(place+1)+".")
		}
		ranks.add(head...)
		for seat, name := range t.Names.Seats {
			row := []string{name}
			for _, n := range t.Ranks[seat] {
				row = append(row, percent(stats.Share{K: n, N: t.Games()}.Value()))
			}
			ranks.add(row...)
		}
		ranks.write(&b, 28)
	}
	for _, g := range groups(t) {
		var rows table
		for i, name := range g.names {
			if m := g.sums[i].Over(t.Games()); g.sums[i].Total() != 0 {
				rows.add(name, Number(m.Mean), "± "+Number(m.SE))
			}
		}
		if len(rows.rows) > 0 {
			fmt.Fprintf(&b, "\n%s, in a game\n", g.title)
			rows.write(&b, 28)
		}
	}
	if len(t.Counts) > 0 {
		b.WriteString("\ncounts, in a game\n")
		var rows table
		rows.add(distributionHead...)
		for i := range t.Counts {
			rows.add(distribution(countName(t, i), t.Counts[i].Sum.Over(t.Games()), &t.Counts[i].Histogram)...)
		}
		rows.write(&b, 28)
	}
	l := t.Limited()
	i := l.Interval()
	number := digits(50 * (i.High - i.Low))
	reached := fmt.Sprintf("%s reached %s and was given up", plural(l.K, "game"), plural(s.MaxThrows, "throw"))
	if l.K == 0 {
		reached = "no game reached " + plural(s.MaxThrows, "throw")
	}
	fmt.Fprintf(&b, "\n%s (%s %%, 95 %% interval %s to %s)\n", reached, number(100*l.Value()), number(100*i.Low), number(100*i.High))
	_, err := io.WriteString(w, b.String())
	return err
}

// distributionHead is the head of a table of distributions.
var distributionHead = []string{"", "mean", "±", "sd", "least", "5 %", "25 %", "half", "75 %", "95 %", "most"}

// distribution is a row of such a table. The mean is given: a histogram may be rounded.
func distribution(name string, m stats.Mean, h *stats.Histogram) []string {
	row := []string{name, Number(m.Mean), Number(m.SE), Number(m.SD), strconv.Itoa(h.Quantile(0))}
	for _, q := range shares {
		row = append(row, strconv.Itoa(h.Quantile(q)))
	}
	return append(row, strconv.Itoa(h.Quantile(1)))
}

// barWidth is how many blocks the longest bar has.
const barWidth = 40

// Up to quantile binsTo a histogram has at most maxBins bars, and one for all above.
const (
	maxBins = 15
	binsTo  = 0.98
)

// bins draws a histogram.
func bins(b *strings.Builder, h *stats.Histogram) {
	list := h.Bins(maxBins, binsTo)
	most := uint64(1)
	width := 0
	for _, x := range list {
		most = max(most, x.N)
		width = max(width, len(stretch(x)))
	}
	for _, x := range list {
		name := stretch(x)
		line := fmt.Sprintf("  %s%s  %s", strings.Repeat(" ", width-len(name)), name, bar(int((x.N*barWidth*8+most/2)/most)))
		b.WriteString(strings.TrimRight(line, " ") + " " + Thousands(float64(x.N)) + "\n")
	}
}

// stretch names a bin.
func stretch(x stats.Bin) string {
	if x.From == x.To {
		return strconv.Itoa(x.From)
	}
	return fmt.Sprintf("%d to %d", x.From, x.To)
}

// mean is a mean as programs read it.
type mean struct {
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
	SD   float64 `json:"sd"`
}

func meanOf(m stats.Mean) mean { return mean{m.Mean, m.SE, m.SD} }

// spread is a distribution as programs read it.
type spread struct {
	mean
	Min       int              `json:"min"`
	Max       int              `json:"max"`
	Quantiles fields           `json:"quantiles"`
	Histogram *stats.Histogram `json:"histogram"`
}

func spreadOf(m stats.Mean, h *stats.Histogram) spread {
	x := spread{mean: meanOf(m), Min: h.Quantile(0), Max: h.Quantile(1), Histogram: h}
	for _, q := range shares {
		x.Quantiles = append(x.Quantiles, field{exact(q), h.Quantile(q)})
	}
	return x
}

// part is a share as programs read it.
type part struct {
	K     int     `json:"k"`
	N     int     `json:"n"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func partOf(s stats.Share) part {
	i := s.Interval()
	return part{s.K, s.N, s.Value(), i.Low, i.High}
}

// TallyJSON writes a tally for programs: rulerun schema sim describes it.
func TallyJSON(w io.Writer, t *stats.Tally, time Timing) error {
	return object.Line(w, tallyFields(t, time))
}

// tallyFields is a tally as programs read it.
func tallyFields(t *stats.Tally, time Timing) fields {
	f := fields{{"version", 1}, {"tool", "rulerun"}, {"kind", "sim"}}
	f = append(f, subjectFields(&t.Subject)...)
	f = append(f, field{"games", t.Games()})
	if time.Seconds > 0 {
		f = append(f, field{"seconds", time.Seconds}, field{"games_per_s", float64(t.Games()) / time.Seconds},
			field{"throws_per_s", float64(t.Throws.Sum().Total()) / time.Seconds})
	}
	for _, x := range lengths(t) {
		f = append(f, field{x.name, spreadOf(x.of.Mean(), x.of)})
	}
	f = append(f, field{"settled", spreadOf(t.Settled.Mean(), &t.Settled)})
	for _, g := range groups(t) {
		means := fields{}
		for i, name := range g.names {
			if g.sums[i].Total() != 0 {
				means = append(means, field{name, meanOf(g.sums[i].Over(t.Games()))})
			}
		}
		f = append(f, field{g.name, means})
	}
	counts := fields{}
	for i, name := range t.Names.Counts {
		counts = append(counts, field{name, spreadOf(t.Counts[i].Sum.Over(t.Games()), &t.Counts[i].Histogram)})
	}
	f = append(f, field{"counts", counts})
	wins, winShares, places := fields{}, fields{}, fields{}
	for seat, name := range t.Names.Seats {
		wins = append(wins, field{name, t.Wins[seat]})
		winShares = append(winShares, field{name, partOf(t.Won(seat))})
		places = append(places, field{name, t.Ranks[seat]})
	}
	f = append(f, field{"wins", wins}, field{"win_shares", winShares}, field{"starter_wins", partOf(t.StarterWon())})
	if t.Ranked() {
		f = append(f, field{"places", places})
	}
	f = append(f, field{"draws", t.Drawn().K}, field{"draw_share", partOf(t.Drawn())})
	return append(f, field{"unfinished", t.Unfinished}, field{"unfinished_share", partOf(t.Limited())})
}

// TallyCSV writes a tally as a table: a row for each thing counted.
func TallyCSV(w io.Writer, t *stats.Tally) error {
	rows := [][]string{{"group", "name", "games", "mean", "se", "sd", "low", "high", "min", "q05", "q25", "q50", "q75", "q95", "max"}}
	numbers := func(group, name string, m stats.Mean, h *stats.Histogram) {
		i := m.Interval()
		row := []string{group, name, strconv.Itoa(m.N), exact(m.Mean), exact(m.SE), exact(m.SD), bound(i.Low), bound(i.High), strconv.Itoa(h.Quantile(0))}
		for _, q := range shares {
			row = append(row, strconv.Itoa(h.Quantile(q)))
		}
		rows = append(rows, append(row, strconv.Itoa(h.Quantile(1))))
	}
	for _, x := range lengths(t) {
		numbers("game", x.name, x.of.Mean(), x.of)
	}
	numbers("game", "settled", t.Settled.Mean(), &t.Settled)
	for _, g := range groups(t) {
		for i, name := range g.names {
			if m := g.sums[i].Over(t.Games()); g.sums[i].Total() != 0 {
				in := m.Interval()
				rows = append(rows, []string{g.name, name, strconv.Itoa(m.N), exact(m.Mean), exact(m.SE), exact(m.SD), bound(in.Low), bound(in.High), "", "", "", "", "", "", ""})
			}
		}
	}
	for i, name := range t.Names.Counts {
		numbers("counts", name, t.Counts[i].Sum.Over(t.Games()), &t.Counts[i].Histogram)
	}
	share := func(group, name string, s stats.Share) {
		in := s.Interval()
		rows = append(rows, []string{group, name, strconv.Itoa(s.N), exact(s.Value()), "", "", exact(in.Low), exact(in.High), "", "", "", "", "", "", ""})
	}
	for seat, name := range t.Names.Seats {
		share("wins", name, t.Won(seat))
	}
	share("wins", "starter", t.StarterWon())
	if d := t.Drawn(); d.K > 0 {
		share("game", "draws", d)
	}
	share("game", "unfinished", t.Limited())
	return writeCSV(w, rows)
}
