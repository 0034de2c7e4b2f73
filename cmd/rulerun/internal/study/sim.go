package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// starterWins is the name of the measure for the starter's share of wins.
const starterWins = "starter"

// measure is one statistic of many games.
type measure struct {
	group, name string
	words       string // for people; "" if the tables omit it
	mean        stats.Mean
	histogram   *stats.Histogram // of a distribution
	share       *stats.Share     // of a share
}

// Groups of the table besides those of package stats.
const (
	groupMoves = "moves"
	groupRules = "rules"
)

// measures lists the statistics of a tally, in the order of the table.
func measures(t *stats.Tally) []measure {
	var out []measure
	alone := t.Subject.Players == 1
	spread := func(name, words string, m stats.Mean, h *stats.Histogram) {
		out = append(out, measure{stats.GroupGame, name, words, m, h, nil})
	}
	length := func(name, words string, h *stats.Histogram) { spread(name, words, h.Mean(), h) }
	only := func(words string, known bool) string {
		if !known {
			return ""
		}
		return words
	}
	throws := "throws"
	if t.Ranked() {
		throws = "throws, whole ranking"
	}
	length("throws", throws, &t.Throws)
	length("turns", "turns", &t.Turns)
	length("decisions", "decisions", &t.Decisions)
	length("forced", "forced moves", &t.Forced)
	length("lead_changes", only("changes of the lead", !alone), &t.LeadChanges)
	length("first_winner", only("throws, first winner", t.Ranked()), &t.FirstWinner)
	length("settled", "", &t.Settled)
	mean, minutes := stats.Minutes(&t.Seconds)
	spread(stats.MeasureMinutes, "minutes at the table", mean, minutes)
	mean, minutes = stats.Minutes(&t.FirstSeconds)
	spread(stats.MeasureFirstMinutes, only("minutes, first winner", t.Ranked()), mean, minutes)
	sums := func(group string, names []string, sums []stats.Sum) {
		for i, name := range names {
			out = append(out, measure{group, name, name, sums[i].Over(t.Games()), nil, nil})
		}
	}
	sums(groupMoves, t.Names.Moves, t.Moves)
	sums(stats.GroupActs, t.Names.Acts, t.Acts)
	sums(groupRules, t.Names.Rules, t.Rules)
	for i, name := range t.Names.Counts {
		out = append(out, measure{stats.GroupCounts, name, countName(t, i), t.Counts[i].Sum.Over(t.Games()), &t.Counts[i].Histogram, nil})
	}
	share := func(group, name, words string, s stats.Share) {
		out = append(out, measure{group, name, words, stats.Mean{}, nil, &s})
	}
	for seat, name := range t.Names.Seats {
		share(stats.GroupWins, name, name, t.Won(seat))
	}
	if drawn := t.Drawn(); drawn.K > 0 {
		share(stats.GroupGame, "draws", "draws", drawn)
	}
	share(stats.GroupWins, starterWins, only("starter", !alone), t.StarterWon())
	for i := range t.Dealt {
		d := &t.Dealt[i]
		share(stats.GroupDealt, d.Name, d.Name, stats.Share{K: d.Wins, N: t.Games()})
		for place, s := range byPlace(d) {
			share(stats.GroupDealt, fmt.Sprintf("%s %d", d.Name, place+1), d.Name+" in turn "+strconv.Itoa(place+1), s)
		}
	}
	share(stats.GroupGame, "unfinished", "", t.Limited())
	return out
}

// byPlace are the wins of a player that changes seats, by its place in turn order; none where the rules never settle who begins.
func byPlace(d *stats.Dealt) []stats.Share {
	sat := seq.Which(len(d.Sat), func(place int) bool { return d.Sat[place] > 0 })
	return seq.Map(sat, func(place int) stats.Share { return stats.Share{K: d.Won[place], N: d.Sat[place]} })
}

// countName is the name of a count and what it counts.
func countName(t *stats.Tally, i int) string {
	if words := t.Names.CountWords[i]; words != "" {
		return t.Names.Counts[i] + ": " + words
	}
	return t.Names.Counts[i]
}

// seenOnly drops events that never happened.
func seenOnly(list []measure) []measure {
	return slices.DeleteFunc(list, func(m measure) bool {
		return m.histogram == nil && m.share == nil && m.mean.Mean == 0 && m.mean.SD == 0
	})
}

// quantiles are the quantiles of a distribution that the table has, with their columns and heads.
var quantiles = []struct {
	of           float64
	column, head string
}{{0.05, "q05", "5 %"}, {0.25, "q25", "25 %"}, {0.5, "q50", "half"}, {0.75, "q75", "75 %"}, {0.95, "q95", "95 %"}}

// simTable is the table of a tally: a row for each measure.
func simTable(list []measure) Table {
	t := Table{Columns: append(columns("group", "name", "games", "mean", "se", "sd", "low", "high", "min", "q05", "q25", "q50", "q75", "q95", "max"),
		Column{Name: "words", Hidden: true}, Column{Name: "half", Hidden: true})}
	for _, m := range list {
		row, last := []Cell{words(m.group), words(m.name)}, Cell{}
		if s := m.share; s != nil {
			row = append(row, count(s.N), number(s.Value(), unitShare), Cell{}, Cell{})
			row = append(row, bounds(s.Interval(), unitPoints)...)
		} else {
			in := m.mean.Interval()
			half := (in.High - in.Low) / 2
			row = append(row, count(m.mean.N), number(m.mean.Mean, within(half)), number(m.mean.SE, unitMean), number(m.mean.SD, unitMean))
			row = append(row, bounds(in, unitMean)...)
			last = number(half, within(half))
		}
		if h := m.histogram; h != nil {
			row = append(row, count(h.Quantile(0)))
			for _, q := range quantiles {
				row = append(row, count(h.Quantile(q.of)))
			}
			row = append(row, count(h.Quantile(1)))
		}
		t.add(append(row, make([]Cell, len(t.Columns)-2-len(row))...)...)
		*t.cell(len(t.Rows)-1, "words"), *t.cell(len(t.Rows)-1, "half") = words(m.words), last
	}
	return t
}

// Sim is the result of many games. seconds is how long they took, 0 prints nothing.
func Sim(t *stats.Tally, seconds float64) *Result {
	s := &t.Subject
	list := seenOnly(measures(t))
	r := &Result{
		Title: phrase.Heading(s), Lead: simSentences(t), Data: simTable(list), Object: simObject(t, list, seconds), Parts: simParts(t, list),
		Head: []string{
			fmt.Sprintf("%s: %s %s", phrase.Heading(s), phrase.Plural(t.Games(), "game"), phrase.ByWhom(s)),
			fmt.Sprintf("%s, seed %d, %s", phrase.Plural(s.Players, "player"), s.Seed, phrase.Beginning(s)),
		},
		Small: []string{played(s, t.Games()), "Intervals of means take it that " + seen + "."},
		Facts: append(factsOf(s, ""), Fact{"games", phrase.Thousands(float64(t.Games()))}, Fact{"seed", strconv.FormatUint(s.Seed, 10)}, Fact{"beginning", phrase.Beginning(s)}),
	}
	if t.Games() > 0 {
		r.Sections = simSections(t, list, &r.Data)
	}
	return r
}

func simSections(t *stats.Tally, list []measure, data *Table) []Section {
	// of is a view of the measures of some kind; nil where there are none.
	of := func(keep func(m *measure) bool, columns ...shown) *grid {
		g := data.view(func(i int) bool { return list[i].words != "" && keep(&list[i]) }, columns...)
		if len(g.rows) == 1 {
			return nil
		}
		return g
	}
	spread := []shown{{"", "words", ""}, {"mean", "mean", ""}, {"±", "half", ""}, {"sd", "sd", ""}, {"least", "min", ""}}
	for _, q := range quantiles {
		spread = append(spread, shown{q.head, q.column, ""})
	}
	spread = append(spread, shown{"most", "max", ""})
	shares := []shown{{"", "words", ""}, {"share", "mean", ""}, {"95 % interval", "low", "high"}}
	const wide = 28
	out := []Section{{
		Title: "a game", Least: wide,
		Table: of(func(m *measure) bool { return m.group == stats.GroupGame && m.histogram != nil }, spread...),
		Lines: []string{"  (± is half a 95 % interval of the mean; 5 % of the games have no more than the column says;", "  minutes: " + t.Subject.Pace.String() + ")"},
		Note:  "± is half a 95 % interval of the mean; it takes it that " + seen + ". 5 % of the games have no more than the column says. Minutes: " + t.Subject.Pace.String() + ".",
	}, {
		In: inText, Title: "throws of a game", Lines: bins(&t.Throws),
	}, {
		In: inText, Title: "wins", Least: wide, Lines: settledLines(t),
		Table: of(func(m *measure) bool { return m.share != nil && m.group != stats.GroupDealt }, shares...),
	}, {
		Title: "wins by player, whatever the seat", Least: wide,
		Table: of(func(m *measure) bool { return m.group == stats.GroupDealt }, shares...),
	}}
	if t.Ranked() {
		out = append(out, Section{In: inText, Title: "places", Least: wide, Table: places(t)})
	}
	for _, x := range []struct{ group, title string }{{groupMoves, "moves"}, {stats.GroupActs, "acts"}, {groupRules, "rules that took effect"}} {
		g := of(func(m *measure) bool { return m.group == x.group }, shown{"", "words", ""}, shown{"mean", "mean", ""}, shown{"±", "half", ""})
		if g == nil {
			continue
		}
		plain := &grid{} // the text has no head
		for _, row := range g.rows[1:] {
			plain.add(row[0], row[1], "± "+row[2])
		}
		title := x.title + ", in a game"
		out = append(out, Section{In: inText, Title: title, Table: plain, Least: wide}, Section{In: inPage, Title: title, Table: g})
	}
	if g := of(func(m *measure) bool { return m.group == stats.GroupCounts }, spread...); g != nil {
		out = append(out, Section{Title: "counts, in a game", Table: g, Least: wide})
	}
	return append(out, Section{In: inText, Lines: []string{limitLine(t)}})
}

// settledLines describe when the winner took the lead for good.
func settledLines(t *stats.Tally) []string {
	if t.Settled.N() == 0 || t.Subject.Players == 1 {
		return nil
	}
	part := func(q float64) string { return fmt.Sprintf("%.0f %%", float64(t.Settled.Quantile(q))/10) }
	return []string{
		fmt.Sprintf("  the winner leads to the end from %.1f %% of a game on, on average;", t.Settled.Mean().Mean/10),
		fmt.Sprintf("  in half of the games from %s or earlier, in a quarter from %s", part(0.5), part(0.25)),
	}
}

// places is how often each seat took each place.
func places(t *stats.Tally) *grid {
	g := &grid{}
	g.add(append([]string{""}, seq.Of(len(t.Names.Seats), func(place int) string { return strconv.Itoa(place+1) + "." })...)...)
	for seat, name := range t.Names.Seats {
		share := func(n int) string { return phrase.Percent(stats.Share{K: n, N: t.Games()}.Value()) }
		g.add(append([]string{name}, seq.Map(t.Ranks[seat], share)...)...)
	}
	return g
}

// limitLine says how many games reached the limit of throws.
func limitLine(t *stats.Tally) string {
	l := t.Limited()
	i := l.Interval()
	number := phrase.Digits(50 * (i.High - i.Low))
	verb := "was"
	if l.K > 1 {
		verb = "were"
	}
	reached := fmt.Sprintf("%s reached %s and %s given up", phrase.Plural(l.K, "game"), phrase.Plural(t.Subject.MaxThrows, "throw"), verb)
	if l.K == 0 {
		reached = "no game reached " + phrase.Plural(t.Subject.MaxThrows, "throw")
	}
	return fmt.Sprintf("%s (%s %%, 95 %% interval %s to %s)", reached, number(100*l.Value()), number(100*i.Low), number(100*i.High))
}

// barWidth is how many blocks the longest bar has.
const barWidth = 40

// A histogram has at most maxBins bars up to quantile binsTo, and one for larger numbers.
const (
	maxBins = 15
	binsTo  = 0.98
)

func bins(h *stats.Histogram) []string {
	list := h.Bins(maxBins, binsTo)
	most := max(1, seq.Most(list, func(x stats.Bin) uint64 { return x.N }))
	width := seq.Most(list, func(x stats.Bin) int { return len(stretch(x)) })
	var out []string
	for _, x := range list {
		name := stretch(x)
		line := fmt.Sprintf("  %s%s  %s", strings.Repeat(" ", width-len(name)), name, bar(int((x.N*barWidth*8+most/2)/most)))
		out = append(out, strings.TrimRight(line, " ")+" "+phrase.Thousands(float64(x.N)))
	}
	return out
}

func stretch(x stats.Bin) string {
	if x.From == x.To {
		return strconv.Itoa(x.From)
	}
	return fmt.Sprintf("%d to %d", x.From, x.To)
}

// meanFields are a mean as JSON.
func meanFields(m stats.Mean) object.Fields {
	return object.Fields{{"mean", m.Mean}, {"se", m.SE}, {"sd", m.SD}}
}

// shareFields are a share as JSON.
func shareFields(s stats.Share) object.Fields {
	i := s.Interval()
	return object.Fields{{"k", s.K}, {"n", s.N}, {"share", s.Value()}, {"low", i.Low}, {"high", i.High}}
}

// fields are a mean, and the distribution if there is one, as JSON.
func (m *measure) fields() object.Fields {
	f, h := meanFields(m.mean), m.histogram
	if h == nil {
		return f
	}
	of := object.Fields(seq.Of(len(quantiles), func(i int) object.Field { return object.Field{exact(quantiles[i].of), h.Quantile(quantiles[i].of)} }))
	return append(f, object.Fields{{"min", h.Quantile(0)}, {"max", h.Quantile(1)}, {"quantiles", of}, {"histogram", h}}...)
}

func simObject(t *stats.Tally, list []measure, seconds float64) object.Fields {
	f := object.Fields{{"version", 1}, {"tool", "rulerun"}, {"kind", "sim"}}
	f = append(f, subjectFields(&t.Subject)...)
	f = append(f, object.Field{"games", t.Games()}, object.Field{"pace", t.Subject.Pace})
	if seconds > 0 {
		f = append(f, object.Field{"seconds", seconds}, object.Field{"games_per_s", float64(t.Games()) / seconds},
			object.Field{"throws_per_s", float64(t.Throws.Sum().Total()) / seconds})
	}
	groups := map[string]object.Fields{}
	for i := range list {
		switch m := &list[i]; {
		case m.share != nil:
		case m.group == stats.GroupGame:
			f = append(f, object.Field{m.name, m.fields()})
		default:
			groups[m.group] = append(groups[m.group], object.Field{m.name, m.fields()})
		}
	}
	inOrder := []string{groupMoves, stats.GroupActs, groupRules, stats.GroupCounts}
	f = append(f, seq.Map(inOrder, func(group string) object.Field { return object.Field{group, groups[group]} })...)
	wins, winShares, places := object.Fields{}, object.Fields{}, object.Fields{}
	for seat, name := range t.Names.Seats {
		wins = append(wins, object.Field{name, t.Wins[seat]})
		winShares = append(winShares, object.Field{name, shareFields(t.Won(seat))})
		places = append(places, object.Field{name, t.Ranks[seat]})
	}
	f = append(f, object.Field{"wins", wins}, object.Field{"win_shares", winShares}, object.Field{"starter_wins", shareFields(t.StarterWon())})
	if t.Ranked() {
		f = append(f, object.Field{"places", places})
	}
	var dealt []object.Fields
	for i := range t.Dealt {
		d := &t.Dealt[i]
		turns := append([]object.Fields{}, seq.Map(byPlace(d), shareFields)...)
		dealt = append(dealt, object.Fields{{"player", d.Name}, {"fair", d.FairShare()}, {"wins", shareFields(stats.Share{K: d.Wins, N: t.Games()})}, {"turns", turns}})
	}
	f = append(f.Some("wins_dealt", dealt), object.Field{"draws", t.Drawn().K}, object.Field{"draw_share", shareFields(t.Drawn())})
	return append(f, object.Field{"unfinished", t.Unfinished}, object.Field{"unfinished_share", shareFields(t.Limited())})
}

// simSentences summarise a tally.
func simSentences(t *stats.Tally) []string {
	switch t.Games() {
	case 0:
		return []string{"It was stopped before a game was over."}
	case 1:
		return []string{fmt.Sprintf("The one game took %s.", phrase.Plural(int(t.Throws.Sum().Total()), "throw"))}
	}
	mean := func(m stats.Mean) (mean, low, high string) {
		in := m.Interval()
		number := phrase.Digits((in.High - in.Low) / 2)
		return number(m.Mean), number(in.Low), number(in.High)
	}
	throws, low, high := mean(t.Throws.Mean())
	out := []string{fmt.Sprintf("A game takes %s throws on average, 95%% interval %s to %s; half of the games take %s or fewer, nineteen of twenty %s or fewer.",
		throws, low, high, phrase.Thousands(float64(t.Throws.Quantile(0.5))), phrase.Thousands(float64(t.Throws.Quantile(0.95))))}
	spent, _ := stats.Minutes(&t.Seconds)
	minutes, _, _ := mean(spent)
	out = append(out, fmt.Sprintf("At the table that is %s minutes, with %s.", minutes, t.Subject.Pace))
	if t.Ranked() {
		throws, low, high := mean(t.FirstWinner.Mean())
		out = append(out, fmt.Sprintf("The first winner is known after %s throws on average, 95%% interval %s to %s; the rest is about the other places.", throws, low, high))
	}
	if t.Subject.Players > 1 && t.StarterWon().N > 0 {
		m, even := shareMark(t.StarterWon()), evenShare(t)
		verdict := beside(m, even, "more than an even share", "less than an even share", "no more and no less than an even share, as far as these games tell")
		out = append(out, fmt.Sprintf("Who begins wins %.1f %% of the games, 95%% interval %.1f to %.1f: %s.", m.Mid, m.Low, m.High, verdict))
	}
	for _, d := range t.Dealt {
		m, fair := shareMark(stats.Share{K: d.Wins, N: t.Games()}), 100*d.FairShare()
		verdict := beside(m, fair, "stronger than its opponents", "weaker than its opponents", "neither stronger nor weaker, as far as these games tell")
		out = append(out, fmt.Sprintf("%s wins %.1f %% of the games, 95%% interval %.1f to %.1f, where equals win %.1f: %s.", d.Name, m.Mid, m.Low, m.High, fair, verdict))
	}
	if t.Settled.N() > 0 && t.Subject.Players > 1 {
		out = append(out, fmt.Sprintf("The last change of the lead comes after %.0f %% of a game, on average.", t.Settled.Mean().Mean/10))
	}
	if l := t.Limited(); l.K > 0 {
		out = append(out, fmt.Sprintf("%s of the games reach %s and are given up.", phrase.Percent(l.Value()), phrase.Plural(t.Subject.MaxThrows, "throw")))
	}
	return out
}

// seen is an assumption of the intervals of a single run.
const seen = "no very long game is too rare to be among those played"

// simParts draws a tally: how long games are, who wins, how much there is to decide, when the lead changes last, and the
// counts of the rule book.
func simParts(t *stats.Tally, list []measure) []picture.Part {
	if t.Games() == 0 {
		return nil
	}
	spread := func(title, x string, list ...picture.Series) picture.Part {
		return &picture.Distribution{Title: title, X: x, Series: list}
	}
	lengths := []picture.Series{series("", t.Throws.Mean(), &t.Throws)}
	if t.Ranked() {
		lengths = []picture.Series{series("first winner", t.FirstWinner.Mean(), &t.FirstWinner), series("whole ranking", t.Throws.Mean(), &t.Throws)}
	}
	parts := []picture.Part{spread("How long games are", "throws in a game", lengths...)}
	if t.Subject.Players > 1 {
		parts = append(parts, winsPart("Who wins", list, evenShare(t), func(m *measure) bool { return m.group != stats.GroupDealt }))
	}
	if len(t.Dealt) > 0 {
		even := 0.0 // a line where it is the same for all rows: each player has one seat
		if len(t.Dealt) == t.Subject.Players {
			even = 100 * t.Dealt[0].FairShare()
		}
		parts = append(parts, winsPart("Who wins, whatever the seat", list, even, func(m *measure) bool { return m.group == stats.GroupDealt }))
	}
	if t.Decisions.Quantile(1) > 0 {
		parts = append(parts, spread("How much there is to decide", "decisions in a game", series("", t.Decisions.Mean(), &t.Decisions)))
	}
	if t.Settled.N() > 0 && t.Subject.Players > 1 {
		parts = append(parts, spread("When the lead changes last", "per cent of the game after which the winner led to the end", settled(t)))
	}
	for i := range t.Counts[:min(len(t.Counts), drawnCounts)] {
		c := &t.Counts[i]
		parts = append(parts, spread(phrase.Capital(countName(t, i)), t.Names.Counts[i]+" in a game", series("", c.Sum.Over(t.Games()), &c.Histogram)))
	}
	return parts
}

func series(name string, m stats.Mean, h *stats.Histogram) picture.Series {
	s := picture.Series{Name: name, Mean: m.Mean}
	for v, n := range h.All() {
		s.Counts = append(s.Counts, picture.Count{Value: v, N: n})
	}
	return s
}

// shareMark is a share with its interval, in per cent.
func shareMark(s stats.Share) picture.Mark {
	i := s.Interval()
	return picture.Mark{Low: 100 * i.Low, Mid: 100 * s.Value(), High: 100 * i.High}
}

// beside is what an interval says beside a value: all of it above, all below, or neither.
func beside(m picture.Mark, value float64, above, below, neither string) string {
	switch {
	case m.Low > value:
		return above
	case m.High < value:
		return below
	}
	return neither
}

// settled is the distribution of the part of a game after which the winner led to the end, in per cent, for drawing.
func settled(t *stats.Tally) picture.Series {
	s := picture.Series{Mean: t.Settled.Mean().Mean / 10}
	for v, n := range t.Settled.All() {
		if last := len(s.Counts) - 1; last >= 0 && s.Counts[last].Value == v/10 {
			s.Counts[last].N += n
			continue
		}
		s.Counts = append(s.Counts, picture.Count{Value: v / 10, N: n})
	}
	return s
}

// drawnCounts is how many of the rule book's own counts are drawn.
const drawnCounts = 6

// winsPart draws who wins; even is the share of equals, 0 for no line.
func winsPart(title string, list []measure, even float64, keep func(*measure) bool) picture.Part {
	d := &picture.Dots{Title: title, X: "games won, per cent, with 95 % intervals", Reference: math.NaN()}
	for _, x := range list {
		if x.share == nil || x.words == "" || x.share.N == 0 || !keep(&x) {
			continue
		}
		m := shareMark(*x.share)
		d.Rows = append(d.Rows, picture.Row{Name: x.words, Marks: []picture.Mark{m}, Note: fmt.Sprintf("%.1f %% (%.1f to %.1f)", m.Mid, m.Low, m.High)})
	}
	if even > 0 {
		d.Reference, d.Words = even, "an even share"
	}
	return d
}

// evenShare is the share of games that each seat would win if all were equal, in per cent: if a side has several
// seats, the shares add up to more than 100.
func evenShare(t *stats.Tally) float64 {
	return 100 * float64(seq.Total(t.Wins)) / float64(max(1, len(t.Wins))) / float64(max(1, t.Games()))
}
