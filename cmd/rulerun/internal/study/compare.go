package study

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// compareTable is the table of a comparison: a row for each difference. Its hidden columns are for people.
func compareTable(c *stats.Comparison) Table {
	t := Table{Columns: append(columns("group", "name", "main", "share", "games", "a", "b", "difference", "low", "high", "small", "verdict", "sentence"),
		Column{Name: "words", Hidden: true}, Column{Name: "short", Hidden: true}, Column{Name: "up to", Hidden: true})}
	for i := range c.Differences {
		t.add(differenceCells(&c.Differences[i], c.Games)...)
	}
	return t
}

func differenceCells(d *stats.Difference, games int) []Cell {
	by, unit := 1.0, ""
	if d.Share {
		by, unit = 100, " %"
	}
	round := phrase.Digits((d.Interval.High - d.Interval.Low) / 2 * by)
	size := &Unit{func(v float64) string { return round(v*by) + unit }}
	if d.Group == stats.GroupDealt || d.Group == stats.GroupGame && d.Name == stats.MeasureEdge {
		size = &Unit{func(v float64) string { return phrase.Signed(round(v * by)) }}
	}
	change := &Unit{func(v float64) string { return phrase.Signed(round(v * by)) }}
	bound := &Unit{func(v float64) string { return round(v * by) }}
	small := &Unit{func(v float64) string {
		if v == 0 { // every difference counts
			return ""
		}
		return strconv.FormatFloat(v*by, 'g', 2, 64)
	}}
	return []Cell{words(d.Group), words(d.Name), truth(d.Main), truth(d.Share), count(games), number(d.A.Mean, size), number(d.B.Mean, size),
		number(d.Value, change), number(d.Interval.Low, bound), number(d.Interval.High, bound), number(d.Small, small), words(string(d.Verdict)),
		words(phrase.Sentence(d)), words(phrase.NameOf(d)), words(phrase.ShortName(d)), words(phrase.UpTo(d))}
}

// Compare is the result of a comparison.
func Compare(c *stats.Comparison, precision float64) *Result {
	r := &Result{
		Title: phrase.Title(c), Lead: []string{phrase.In("").Verdict(c)}, Data: compareTable(c), Object: compareObject(c, precision), Parts: compareParts(c),
		Head: []string{
			"A: " + sideText(&c.A), "B: " + sideText(&c.B),
			fmt.Sprintf("%s of each, the same chance for both (seed %d), %s", phrase.Plural(c.Games, "game"), c.A.Seed, phrase.Began(c)),
		},
		Small: []string{
			"A: " + sideText(&c.A), "B: " + sideText(&c.B),
			fmt.Sprintf("%s of each, the same chance for both, %s, seed %d. All intervals hold together with a probability of 95 %%.",
				phrase.Plural(c.Games, "game"), phrase.Began(c), c.A.Seed),
		},
		Facts: append(append(factsOf(&c.A, "A: "), factsOf(&c.B, "B: ")...),
			Fact{"games", fmt.Sprintf("%s of each, the same chance for both, %s", phrase.Thousands(float64(c.Games)), phrase.Began(c))},
			Fact{"seed", strconv.FormatUint(c.A.Seed, 10)}, Fact{"end", phrase.Ending(c)}),
	}
	if text := phrase.Limits(c); text != "" {
		r.Small = append(r.Small, text)
	}
	if c.Games == 0 {
		r.Sections = []Section{{In: inText, Lines: []string{"it was stopped before there was anything to say"}}}
		return r
	}
	r.Head = append(r.Head, "numbers of a game are counted up to the limits of the table")
	if c.Alike {
		r.Sections = []Section{{In: inText, Lines: []string{"every one of the games came to the same with both"}}}
	} else {
		found := Section{Title: "from A to B"}
		open := Section{Title: "not known yet"}
		same := Section{Title: phrase.Same(c)}
		for _, d := range phrase.Listed(c) {
			list := &open
			switch {
			case phrase.TooRare(d):
				continue
			case d.Verdict == stats.More || d.Verdict == stats.Less:
				list = &found
			case d.Verdict == stats.Same:
				list = &same
			}
			list.Items = append(list.Items, phrase.Sentence(d))
		}
		r.Sections = []Section{found, open, same, {Title: "too rare to say", Items: phrase.Beyond(c)}}
	}
	shows := seq.Set(phrase.Listed(c), func(d *stats.Difference) string { return d.Group + " " + d.Name })
	view := func(name string) *grid {
		keep := func(i int) bool { return shows[r.Data.cell(i, "group").Text+" "+r.Data.cell(i, "name").Text] }
		return r.Data.view(keep, shown{"", name, ""}, shown{"A", "a", ""}, shown{"B", "b", ""}, shown{"B - A", "difference", ""}, shown{"95% interval", "low", "high"},
			shown{"small", "small", ""}, shown{"up to", "up to", ""})
	}
	var said []string
	if text := phrase.Favours(c); text != "" {
		said = []string{text}
	}
	r.Sections = append(r.Sections,
		Section{In: inText, Lines: append(said, phrase.Ending(c))},
		Section{In: inText, Table: view("short"), Least: 24, Lines: []string{
			"  (edge: how often the starter wins, less its fair share, in points; settled: the part of a game",
			"  after which the lead does not change; of shares B - A is in points; small: less does not matter;",
			"  up to: what is more counts as this, as a trial of other games has it. All intervals hold together,",
			"  at every look, with a probability of 95 %; minutes: " + c.A.Pace.String() + ")",
		}},
		Section{In: inPage, Title: "numbers", Table: view("words"), Note: "Last change of the lead: after which part of a game. Edge: how often the starter wins, less its fair share, in points; likewise of players who change seats. " +
			"Of shares B − A is in points. Small: a difference of less does not matter. Up to: what is more in a game counts as this, as a trial of other games has it. All intervals hold together, at every look, with a probability of 95 %. Minutes: " + c.A.Pace.String() + "."})
	return r
}

func sideText(s *stats.Subject) string {
	return fmt.Sprintf("%s, %s %s", phrase.Heading(s), phrase.Plural(s.Players, "player"), phrase.ByWhom(s))
}

func differenceFields(c *stats.Comparison) []object.Fields {
	list := []object.Fields{}
	for i := range c.Differences {
		d := &c.Differences[i]
		f := object.Fields{{"group", d.Group}, {"name", d.Name}}.Some("words", d.Words)
		f = append(f, object.Fields{{"main", d.Main}, {"share", d.Share}}...).Some("quantile", d.Quantile)
		f = f.Some("least", min(0, d.Least)).Some("limit", max(0, d.Limit))
		if d.TooRare() {
			f = append(f, object.Field{"beyond", object.Fields{{"a", d.Beyond[0]}, {"b", d.Beyond[1]}, {"mean_a", d.Whole[0]}, {"mean_b", d.Whole[1]}}})
		}
		list = append(list, append(f, object.Fields{
			{"a", meanFields(d.A)}, {"b", meanFields(d.B)}, {"difference", d.Value}, {"low", d.Interval.Low},
			{"high", d.Interval.High}, {"small", d.Small}, {"verdict", d.Verdict}, {"sentence", phrase.Sentence(d)},
		}...))
	}
	return list
}

func compareObject(c *stats.Comparison, precision float64) object.Fields {
	return object.Fields{
		{"version", 1}, {"tool", "rulerun"}, {"kind", "compare"}, {"a", subjectFields(&c.A)}, {"b", subjectFields(&c.B)}, {"games", c.Games},
		{"looks", c.Looks}, {"sure", c.Sure}, {"stopped", c.Stopped}, {"alike", c.Alike}, {"confidence", stats.Confidence},
		{"precision", precision}, {"pace", c.A.Pace}, {"small", object.Fields{{"number", c.Small.Number}, {"share", c.Small.Share}}}, {"differences", differenceFields(c)},
	}
}

func compareParts(c *stats.Comparison) []picture.Part {
	const band = "; the band: too little to matter"
	numbers := &picture.Dots{Title: "From A to B", X: "change, per cent of A" + band, Reference: 0, Words: "no change"}
	points := &picture.Dots{Title: "From A to B, shares", X: "change, in percentage points" + band, Reference: 0, Words: "no change"}
	lengths := &picture.Distribution{Title: "How long games are", X: "throws in a game"}
	for _, d := range phrase.Listed(c) {
		switch {
		case d.Share:
			points.Rows = append(points.Rows, differenceRow(d, 100))
		case d.A.Mean != 0:
			numbers.Rows = append(numbers.Rows, differenceRow(d, 100/math.Abs(d.A.Mean)))
		}
		if d.Group == stats.GroupGame && d.Name == stats.MeasureThrows {
			if d.TooRare() {
				lengths.X += fmt.Sprintf("; the means are of games counted up to %d", d.Limit)
			}
			lengths.Series = []picture.Series{series("A: "+phrase.Side(c, 0), d.A, &c.Throws[0]), series("B: "+phrase.Side(c, 1), d.B, &c.Throws[1])}
		}
	}
	var parts []picture.Part
	for _, d := range []*picture.Dots{numbers, points} {
		if len(d.Rows) > 0 {
			parts = append(parts, d)
		}
	}
	if len(lengths.Series) > 0 {
		parts = append(parts, lengths)
	}
	return parts
}

// differenceRow is a difference with its interval, multiplied by a factor, and its text.
func differenceRow(d *stats.Difference, by float64) picture.Row {
	r := picture.Row{Name: phrase.NameOf(d), Marks: []picture.Mark{{Low: d.Interval.Low * by, Mid: d.Value * by, High: d.Interval.High * by}}, Band: d.Small * by}
	scale, unit := 1.0, ""
	if d.Share {
		scale, unit = 100, " points"
	}
	low, high := d.Interval.Low*scale, d.Interval.High*scale
	number := phrase.Digits((high - low) / 2)
	r.Note = strings.ReplaceAll(fmt.Sprintf("%s%s (%s to %s)", phrase.Signed(number(d.Value*scale)), unit, number(low), number(high)), "-", "−")
	switch d.Verdict {
	case stats.Same:
		r.Mute, r.Note = true, "no difference that matters"
	case stats.Unsure:
		if r.Mute, r.Note = true, "not known yet"; phrase.TooRare(d) {
			r.Note = "too rare to say"
		}
	}
	return r
}
