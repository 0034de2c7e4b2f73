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
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Row is one setting of a sweep and its result.
type Row struct {
	Setting []model.OptionValue // in the order of Sweep.Over
	Tally   *stats.Tally
	Sides   int // that can win
}

// String names the setting of a row: "option=3 players=2".
func (r *Row) String() string {
	return strings.Join(seq.Map(r.Setting, model.OptionValue.String), " ")
}

// Sweep has the results for the settings of some options.
type Sweep struct {
	Over []string // the options, and "players"
	Of   int      // number of rows if none is left out
	Rows []Row
}

// sweepColumn is a measure of every row.
type sweepColumn struct {
	group, name string
	of          string // the name of the measure
	share       bool   // from 0 to 1
	players     int    // the smallest number of players for which it has a meaning
}

// key is the name of the column in the table.
func (c *sweepColumn) key() string {
	switch c.group {
	case stats.GroupActs:
		return "act_" + c.name
	case stats.GroupCounts:
		return "count_" + c.name
	}
	return c.name
}

func (c *sweepColumn) unit() *Unit {
	switch {
	case c.name == stats.MeasureEdge:
		return unitEdge
	case c.share:
		return unitShare
	case c.name == stats.MeasureSettled:
		return unitPart
	}
	return unitMean
}

func (s *Sweep) columns() []sweepColumn {
	var out []sweepColumn
	for _, name := range []string{
		stats.MeasureThrows, stats.MeasureFirstWinner, stats.MeasureTurns, stats.MeasureDecisions, stats.MeasureForced, stats.MeasureLeadChanges, stats.MeasureSettled,
		stats.MeasureMinutes,
	} {
		c := sweepColumn{stats.GroupGame, name, name, false, 1}
		switch {
		case name == stats.MeasureFirstWinner && !slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Tally.Ranked() }):
			continue
		case name == stats.MeasureLeadChanges, name == stats.MeasureSettled:
			c.players = 2
		}
		out = append(out, c)
	}
	out = append(out, sweepColumn{stats.GroupGame, stats.MeasureEdge, starterWins, true, 2}, sweepColumn{stats.GroupGame, stats.MeasureUnfinished, stats.MeasureUnfinished, true, 1})
	for _, x := range []struct {
		group string
		names func(*stats.Tally) []string
	}{
		{stats.GroupActs, func(t *stats.Tally) []string { return t.Names.Acts }},
		{stats.GroupCounts, func(t *stats.Tally) []string { return t.Names.Counts }},
	} {
		for _, name := range seq.Distinct(seq.Flat(s.Rows, func(r Row) []string { return x.names(r.Tally) })) {
			out = append(out, sweepColumn{x.group, name, name, false, 1})
		}
	}
	return out
}

// value is the value of a row, given its measures, and its interval at a confidence level; false if the rules of the
// row do not have it.
func (c *sweepColumn) value(r *Row, list []measure, confidence float64) (v stats.Mean, in stats.Interval, known bool) {
	for _, m := range list {
		if m.name != c.of || (m.share != nil) != c.share || !c.share && m.group != c.group {
			continue
		}
		if m.share != nil {
			v, in = stats.Mean{N: m.share.N, Mean: m.share.Value()}, m.share.IntervalAt(confidence)
			if c.name == stats.MeasureEdge {
				fair := 1 / float64(r.Sides)
				v.Mean, in.Low, in.High = v.Mean-fair, in.Low-fair, in.High-fair
			}
			continue
		}
		v, in = m.mean, m.mean.IntervalAt(confidence)
		if c.group != stats.GroupCounts && !math.IsInf(in.Low, 0) {
			in.Low = max(0, in.Low)
		}
	}
	return v, in, v.N > 0 && r.Tally.Subject.Players >= c.players
}

// cells is the number of intervals in all rows.
func (s *Sweep) cells() int { return max(1, s.Of) * len(s.columns()) }

// confidence is the level of a single interval, chosen so that all intervals hold together with stats.Confidence
// (Bonferroni). Otherwise nearly every table would have a false positive.
func (s *Sweep) confidence() float64 { return 1 - (1-stats.Confidence)/float64(s.cells()) }

// swept is a sweep with its table.
type swept struct {
	*Sweep
	list  []sweepColumn
	table Table
}

// table is the table of a sweep at a confidence: a row for each setting.
func (s *Sweep) table(confidence float64) *swept {
	x := &swept{Sweep: s, list: s.columns()}
	t := &x.table
	t.Columns = append(columns(s.Over...), Column{Name: "games"})
	for _, c := range x.list {
		key := c.key()
		t.Columns = append(t.Columns, Column{Name: key})
		if !c.share {
			t.Columns = append(t.Columns, columns(key+"_se", key+"_sd")...)
		}
		t.Columns = append(t.Columns, Column{Name: key + "_low"}, Column{Name: key + "_high"}, Column{Name: key + "_half", Hidden: true})
	}
	unknown := Cell{Unit: &Unit{func(float64) string { return "-" }}, Number: math.Inf(1)}
	for i := range s.Rows {
		r := &s.Rows[i]
		row := seq.Map(r.Setting, func(o model.OptionValue) Cell { return words(o.Value) })
		row = append(row, count(r.Tally.Games()))
		list := measures(r.Tally)
		for _, c := range x.list {
			m, in, known := c.value(r, list, confidence)
			half := in.High - m.Mean
			if c.share {
				half = (in.High - in.Low) / 2
			}
			values := []float64{m.Mean, m.SE, m.SD, in.Low, in.High, half}
			if c.share {
				values = []float64{m.Mean, in.Low, in.High, half}
			}
			for i, v := range values {
				unit := c.unit()
				switch { // the mean, and half its interval
				case unit == unitMean && (i == 0 || i == 5):
					unit = within(half)
				case unit == unitEdge && i == 3:
					unit = unitPoints
				}
				cell := number(v, unit)
				if !known {
					cell = unknown
				}
				row = append(row, cell)
			}
		}
		t.add(row...)
	}
	return x
}

// value is a value of a row, with its interval; false if the rules of the row do not have it.
func (x *swept) value(row int, key string) (v float64, in stats.Interval, known bool) {
	if !slices.ContainsFunc(x.table.Columns, func(c Column) bool { return c.Name == key }) {
		return 0, in, false
	}
	v = x.table.cell(row, key).Number
	return v, stats.Interval{Low: x.table.cell(row, key+"_low").Number, High: x.table.cell(row, key+"_high").Number}, !math.IsInf(v, 0)
}

func (x *swept) people() *grid {
	list := seq.Map(x.Over, func(name string) shown { return shown{name, name, ""} })
	for _, c := range x.list {
		key := c.key()
		list = append(list, shown{strings.ReplaceAll(c.name, "_", " "), key, ""})
		switch c.name {
		case stats.MeasureThrows:
			list = append(list, shown{"±", key + "_half", ""}, shown{"sd", key + "_sd", ""})
		case stats.MeasureMinutes, stats.MeasureEdge:
			list = append(list, shown{"±", key + "_half", ""})
		}
	}
	return x.table.view(nil, list...)
}

// Result is the result of a sweep.
func (s *Sweep) Result() *Result {
	x := s.table(s.confidence())
	findings := x.findings()
	does := " does"
	if len(s.Over) > 1 {
		does = " do"
	}
	r := &Result{Title: "What " + strings.Join(s.Over, " and ") + does, Data: x.table, Object: x.object(findings)}
	together := "±: half an interval of 95 %; all " + phrase.Thousands(float64(s.cells())) + " intervals, those of the csv and json formats too, hold together with a probability of 95 %"
	g := x.people()
	text := Section{In: inText, Table: g, Again: len(s.Over), Lines: []string{
		"  (means of a game; settled: from which part of a game on the winner leads; edge: how often the starter wins,\n  less its fair share, in points; " + together + s.pace() + ")",
	}}
	if len(s.Rows) == 0 {
		r.Lead = []string{"It was stopped before there was anything to draw."}
		r.Sections = []Section{text}
		return r
	}
	first := s.Rows[0].Tally
	title := first.Subject.Title
	if len(first.Subject.Changes) > 0 {
		title += " with " + strings.Join(first.Subject.Changes, ", ")
	}
	games := phrase.Plural(first.Games(), "game")
	if i := slices.IndexFunc(s.Rows, func(r Row) bool { return r.Tally.Games() != first.Games() }); i >= 0 {
		games = "about " + games
	}
	played := fmt.Sprintf("%s a row %s", games, phrase.ByWhom(&first.Subject))
	r.Head = []string{fmt.Sprintf("%s: %s, seed %d, the seats take turns in beginning", title, played, first.Subject.Seed)}
	r.Lead = []string{title}
	r.Found = seq.Map(findings, func(finding string) string { return phrase.Capital(finding) + "." })
	r.Sections = []Section{
		text,
		{In: inText, Items: findings, Flat: true},
		{In: inPage, Title: "what it comes to", Items: findings},
		{In: inPage, Title: "numbers", Table: g, Again: len(s.Over), Note: "Means of a game. Settled: from which part of a game on the winner leads. Edge: how often the starter wins, less its fair share, in points. " + phrase.Capital(together) + s.pace() + "."},
	}
	r.Facts = append(s.facts(), Fact{"games", games + " a row, the seats take turns in beginning"},
		Fact{"seed", strconv.FormatUint(first.Subject.Seed, 10)})
	r.Small = []string{
		fmt.Sprintf("%s, the seats take turns in beginning, seed %d", played, first.Subject.Seed),
		fmt.Sprintf("intervals are so wide that all %s of the table hold together with a probability of 95 %%; those of means take it that %s", phrase.Thousands(float64(s.cells())), seen),
	}
	switch len(s.Over) {
	case 1:
		r.Parts = x.lines()
	case 2:
		r.Parts = x.twoWays()
	default:
		r.Parts = []picture.Part{x.rows()}
		if len(s.Rows) > drawn {
			r.Small = append(r.Small, fmt.Sprintf("the first %d of %d settings", drawn, len(s.Rows)))
		}
	}
	return r
}

// pace says how the minutes are meant.
func (s *Sweep) pace() string {
	if len(s.Rows) == 0 {
		return ""
	}
	return "; minutes: " + s.Rows[0].Tally.Subject.Pace.String()
}

// facts are the parameters common to all rows of a sweep.
func (s *Sweep) facts() []Fact {
	x := s.Rows[0].Tally.Subject
	x.Options = slices.DeleteFunc(slices.Clone(x.Options), func(o model.OptionValue) bool { return slices.Contains(s.Over, o.Name) })
	facts := factsOf(&x, "")
	if slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Tally.Subject.Players != s.Rows[0].Tally.Subject.Players }) {
		return playersAs(facts, phrase.ByWhom(&x))
	}
	return facts
}

// playersAs replaces the fact about players.
func playersAs(facts []Fact, words string) []Fact {
	for i := range facts {
		if facts[i].Name == "players" {
			facts[i].Value = words
		}
	}
	return facts
}

func (x *swept) object(findings []string) object.Fields {
	rows := []object.Fields{}
	for i, r := range x.Rows {
		groups := map[string]object.Fields{}
		for _, c := range x.list {
			if _, in, known := x.value(i, c.key()); known && r.Tally.Games() > 1 && !math.IsInf(in.High, 0) {
				groups[c.group] = append(groups[c.group], object.Field{c.name, in})
			}
		}
		intervals := object.Fields{
			{stats.GroupGame, groups[stats.GroupGame]}, {stats.GroupActs, groups[stats.GroupActs]}, {stats.GroupCounts, groups[stats.GroupCounts]},
		}
		rows = append(rows, object.Fields{{"setting", OptionFields(r.Setting)}, {"intervals", intervals}, {"sim", simObject(r.Tally, seenOnly(measures(r.Tally)), 0)}})
	}
	return object.Fields{
		{"version", 1}, {"tool", "rulerun"}, {"kind", "sweep"}, {"over", x.Over}, {"of", x.Of}, {"confidence", stats.Confidence},
		{"confidence_each", x.confidence()}, {"findings", append([]string{}, findings...)}, {"rows", rows},
	}
}

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

// mark is a value of a row with its interval unless that is unbounded, shares in per cent; false if the rules of the row do not have it.
func (x *swept) mark(key string, row int) (picture.Mark, bool) {
	v, in, known := x.value(row, key)
	if !known {
		return picture.Mark{}, false
	}
	by := 1.0
	if unit := x.table.cell(row, key).Unit; unit == unitShare || unit == unitEdge {
		by = 100
	}
	if math.IsInf(in.Low, 0) || math.IsInf(in.High, 0) {
		in = stats.Interval{Low: v, High: v}
	}
	return picture.Mark{Low: in.Low * by, Mid: v * by, High: in.High * by}, true
}

// steps are the values of an option in the order of the rows, without duplicates; ascending numbers are placed to
// scale.
func (x *swept) steps(axis int) (labels []string, at []float64) {
	labels = seq.Distinct(seq.Map(x.Rows, func(r Row) string { return r.Setting[axis].Value }))
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
	g.Values = seq.Of(len(rows), func(int) []float64 { return slices.Repeat([]float64{math.NaN()}, len(columns)) })
	l.Keys, l.Marks = seq.Map(columns, func(v string) string { return x.Over[1] + "=" + v }), make([][]picture.Mark, len(columns))
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
