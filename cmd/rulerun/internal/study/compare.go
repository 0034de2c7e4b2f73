package study

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// saying is the sentence of a difference: with # for how large it is, @ for a limit, and when there is none, or none that is known.
type saying struct{ more, less, same, unsure string }

// sayings are those of a game as a whole.
var sayings = map[string]saying{
	stats.MeasureThrows: {"games are # throws longer", "games are # throws shorter",
		"games take as many throws", "games may be longer or shorter, in throws"},
	stats.MeasureFirstWinner: {"the first winner is known # throws later", "the first winner is known # throws earlier",
		"the first winner is known after as many throws", "the first winner may be known after more or fewer throws"},
	stats.MeasureHalf: {"the median game is # throws longer", "the median game is # throws shorter",
		"the median game takes as many throws", "the median game may be longer or shorter, in throws"},
	stats.MeasureNineTenth: {"nine games of ten are over # throws later", "nine games of ten are over # throws earlier",
		"nine games of ten are over after as many throws", "nine games of ten may be over after more or fewer throws"},
	stats.MeasureLong: {"more games take over @ throws, by #", "fewer games take over @ throws, by #",
		"as many games take over @ throws", "games over @ throws are too rare to say whether there are more or fewer"},
	stats.MeasureTurns: {"games take # turns more", "games take # turns fewer",
		"games take as many turns", "games may take more or fewer turns"},
	stats.MeasureDecisions: {"there are # decisions more in a game", "there are # decisions fewer in a game",
		"there is as much to decide", "there may be more or less to decide"},
	stats.MeasureForced: {"# more moves of a game are forced", "# fewer moves of a game are forced",
		"as many moves are forced", "more or fewer moves may be forced"},
	stats.MeasureLeadChanges: {"the lead changes # times more in a game", "the lead changes # times less in a game",
		"the lead changes as often", "the lead may change more or less often"},
	stats.MeasureSettled: {"the last change of the lead comes later in the game, by #", "the last change of the lead comes earlier in the game, by #",
		"the last change of the lead comes as early", "the last change of the lead may come earlier or later"},
	stats.MeasureEdge: {"the first seat's edge grows by #", "the first seat's edge shrinks by #",
		"the first seat's edge does not change", "the first seat's edge may change"},
	stats.MeasureUnfinished: {"more games reach the limit of throws, by #", "fewer games reach the limit of throws, by #",
		"as many games reach the limit of throws", "more or fewer games may reach the limit of throws"},
}

// sayingOf is the sentence of a difference, and what stands before it.
func sayingOf(d *stats.Difference) (before string, say saying) {
	switch d.Group {
	case stats.GroupWins:
		return d.Name, saying{" wins more often, by #", " wins less often, by #", " wins as often", " may win more or less often"}
	case stats.GroupActs:
		return d.Name, saying{" is done # times more in a game", " is done # times less in a game", " is done as often", " may be done more or less often"}
	case stats.GroupCounts:
		before := d.Name
		if d.Words != "" {
			before += " (" + d.Words + ")"
		}
		return before, saying{": # more in a game", ": # less in a game", ": as many", " may be more or fewer"}
	}
	say = sayings[d.Name]
	limit := strconv.Itoa(d.Limit)
	for _, text := range []*string{&say.more, &say.less, &say.same, &say.unsure} {
		*text = strings.ReplaceAll(*text, "@", limit)
	}
	return "", say
}

// upTo says up to where a number is counted, "" of what has no limit.
func upTo(d *stats.Difference) string {
	switch {
	case d.Share || d.Limit == 0:
		return ""
	case d.Least < 0:
		return fmt.Sprintf("%d to %d", d.Least, d.Limit)
	}
	return strconv.Itoa(d.Limit)
}

// note says in brackets what has been counted, where limited up to which limit.
func note(d *stats.Difference, limited bool) string {
	var notes []string
	if d.Group == stats.GroupGame && d.Words != "" {
		notes = append(notes, d.Words)
	}
	if text := upTo(d); text != "" && limited {
		if d.Least == 0 {
			text = "up to " + text
		}
		notes = append(notes, "counted "+text)
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

// digits writes numbers for people with as many decimals as an interval of some width deserves.
func digits(half float64) func(float64) string {
	n := 0
	if half > 0 {
		n = min(6, max(0, -int(math.Floor(math.Log10(half/3)))))
	}
	return func(v float64) string {
		text := strconv.FormatFloat(v, 'f', n, 64)
		if strings.Trim(text, "-0.") == "" {
			return strings.TrimPrefix(text, "-")
		}
		return text
	}
}

// Sentence says what a difference comes to, in a line. That there is none that matters is said of what has been counted.
func Sentence(d *stats.Difference) string {
	before, say := sayingOf(d)
	by := 1.0
	unit := ""
	if d.Share {
		by, unit = 100, " points"
	}
	low, high := d.Interval.Low*by, d.Interval.High*by
	number := digits((high - low) / 2)
	in := func(low, high float64) string {
		return fmt.Sprintf(", 95%% interval %s to %s", number(low), number(high))
	}
	switch d.Verdict {
	case stats.More:
		return before + strings.Replace(say.more, "#", number(d.Value*by)+unit, 1) + in(low, high) + note(d, false)
	case stats.Less:
		return before + strings.Replace(say.less, "#", number(-d.Value*by)+unit, 1) + in(-high, -low) + note(d, false)
	case stats.Same:
		return before + say.same + in(low, high) + unit + note(d, true)
	}
	return before + say.unsure + in(low, high) + unit + note(d, true)
}

// tooRare reports whether something is too rare to say whether it differs.
func tooRare(d *stats.Difference) bool {
	return d.Group == stats.GroupGame && d.Name == stats.MeasureLong && d.Verdict == stats.Unsure
}

// TooRare says of the lengths of games what there is beyond their limits: nothing certain.
func TooRare(c *stats.Comparison) []string {
	var out []string
	for i := range c.Differences {
		d := &c.Differences[i]
		if tooRare(d) {
			out = append(out, Sentence(d))
		}
		if d.Group != stats.GroupGame || !d.TooRare() || !d.Main && d.Name != stats.MeasureFirstWinner {
			continue
		}
		number := digits((d.Interval.High - d.Interval.Low) / 2)
		out = append(out, fmt.Sprintf("%s beyond %d: %s of A and %s of B; with all of them the means are %s and %s, and no interval of those holds",
			nameOf(d), d.Limit, plural(d.Beyond[0], "game"), Thousands(float64(d.Beyond[1])), number(d.Whole[0]), number(d.Whole[1])))
	}
	return out
}

// CompareText writes a comparison for people.
func CompareText(w io.Writer, c *stats.Comparison) error {
	var b strings.Builder
	fmt.Fprintf(&b, "A: %s\nB: %s\n", sideText(&c.A), sideText(&c.B))
	fmt.Fprintf(&b, "%s of each, the same chance for both (seed %d), the seats take turns in beginning\n", plural(c.Games, "game"), c.A.Seed)
	if c.Games == 0 {
		b.WriteString("\nit was stopped before there was anything to say\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	b.WriteString("numbers of a game are counted up to the limits of the table\n")
	if c.Alike {
		b.WriteString("\nevery one of the games came to the same with both\n")
	}
	alone := c.A.Players == 1 && c.B.Players == 1
	verdicts := []struct {
		title string
		list  []stats.Verdict
	}{
		{"from A to B", []stats.Verdict{stats.More, stats.Less}},
		{"not known yet", []stats.Verdict{stats.Unsure}},
		{"no difference that matters", []stats.Verdict{stats.Same}},
	}
	if c.Alike {
		verdicts = nil
	}
	for _, v := range verdicts {
		title := "\n" + v.title + "\n"
		for i := range c.Differences {
			d := &c.Differences[i]
			if d.Verdict != v.list[0] && d.Verdict != v.list[len(v.list)-1] || alone && !forOne(d) || tooRare(d) {
				continue
			}
			b.WriteString(title + "  " + Sentence(d) + "\n")
			title = ""
		}
	}
	if rare := TooRare(c); len(rare) > 0 && !c.Alike {
		b.WriteString("\ntoo rare to say\n  " + strings.Join(rare, "\n  ") + "\n")
	}
	b.WriteString("\n" + ending(c) + "\n\n")
	var t table
	t.add("", "A", "B", "B - A", "95% interval", "up to")
	for _, r := range comparedRows(c) {
		name := r.d.Group + " " + r.d.Name
		if r.d.Group == stats.GroupGame {
			name = strings.ReplaceAll(r.d.Name, "_", " ")
			if throwNames[r.d.Name] != "" || r.d.Words != "" {
				name = nameOf(r.d)
			}
		}
		t.add(name, r.a, r.b, r.difference, r.low+" to "+r.high, upTo(r.d))
	}
	t.write(&b, 24)
	b.WriteString("  (edge: how often the starter wins, in B - A less its fair share; settled: the part of a game\n" +
		"  after which the lead does not change; of shares B - A is in points; up to: what is more counts as\n" +
		"  this, as a trial of other games has it. All intervals hold together, at every look, with a\n" +
		"  probability of 95 %)\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// comparedRow is a difference in numbers for people.
type comparedRow struct {
	d                           *stats.Difference
	a, b, difference, low, high string
}

// comparedRows are the differences that mean something to those who play, shares in points.
func comparedRows(c *stats.Comparison) []comparedRow {
	alone := c.A.Players == 1 && c.B.Players == 1
	var out []comparedRow
	for i := range c.Differences {
		d := &c.Differences[i]
		if alone && !forOne(d) {
			continue
		}
		by, unit := 1.0, ""
		if d.Share {
			by, unit = 100, " %"
		}
		number := digits((d.Interval.High - d.Interval.Low) / 2 * by)
		out = append(out, comparedRow{
			d, number(d.A.Mean*by) + unit, number(d.B.Mean*by) + unit, signed(number(d.Value * by)), number(d.Interval.Low * by), number(d.Interval.High * by),
		})
	}
	return out
}

// forOne reports whether a difference means anything to a player who plays alone.
func forOne(d *stats.Difference) bool {
	switch d.Name {
	case stats.MeasureEdge, stats.MeasureLeadChanges, stats.MeasureSettled:
		return false
	}
	return d.Group != stats.GroupWins
}

func signed(text string) string {
	if strings.HasPrefix(text, "-") || strings.Trim(text, "0.") == "" {
		return text
	}
	return "+" + text
}

func sideText(s *stats.Subject) string {
	return fmt.Sprintf("%s, %s %s", heading(s), plural(s.Players, "player"), byWhom(s.Seats))
}

// ending says why the comparison ended.
func ending(c *stats.Comparison) string {
	var open []string
	for i := range c.Differences {
		if d := &c.Differences[i]; d.Main && !d.Sure() {
			open = append(open, strings.ReplaceAll(d.Name, "_", " "))
		}
	}
	switch {
	case c.Sure:
		return "sure of it after " + plural(c.Games, "game") + " of each"
	case c.Stopped && len(open) > 0:
		return fmt.Sprintf("stopped before it was sure: of %s", strings.Join(open, ", "))
	case c.Stopped:
		return "stopped before it was as precise as it was asked to be"
	case len(open) > 0:
		return fmt.Sprintf("not sure within %s: of %s; --games allows more", plural(c.Games, "game"), strings.Join(open, ", "))
	}
	return fmt.Sprintf("not as precise within %s as it was asked to be; --games allows more", plural(c.Games, "game"))
}

// CompareJSON writes a comparison for programs: rulerun schema compare describes it.
func CompareJSON(w io.Writer, c *stats.Comparison, precision float64) error {
	list := []fields{}
	for i := range c.Differences {
		d := &c.Differences[i]
		f := fields{{"group", d.Group}, {"name", d.Name}}
		if d.Words != "" {
			f = append(f, field{"words", d.Words})
		}
		f = append(f, fields{{"main", d.Main}, {"share", d.Share}}...)
		if d.Quantile > 0 {
			f = append(f, field{"quantile", d.Quantile})
		}
		if d.Least < 0 {
			f = append(f, field{"least", d.Least})
		}
		if d.Limit > 0 {
			f = append(f, field{"limit", d.Limit})
		}
		if d.TooRare() {
			f = append(f, field{"beyond", fields{{"a", d.Beyond[0]}, {"b", d.Beyond[1]}, {"mean_a", d.Whole[0]}, {"mean_b", d.Whole[1]}}})
		}
		list = append(list, append(f, fields{
			{"a", meanOf(d.A)}, {"b", meanOf(d.B)}, {"difference", d.Value}, {"low", d.Interval.Low},
			{"high", d.Interval.High}, {"small", d.Small}, {"verdict", d.Verdict}, {"sentence", Sentence(d)},
		}...))
	}
	return object.Line(w, fields{
		{"version", 1}, {"tool", "rulerun"}, {"kind", "compare"}, {"a", subjectFields(&c.A)}, {"b", subjectFields(&c.B)}, {"games", c.Games},
		{"looks", c.Looks}, {"sure", c.Sure}, {"stopped", c.Stopped}, {"alike", c.Alike}, {"confidence", stats.Confidence},
		{"precision", precision}, {"differences", list},
	})
}

// CompareCSV writes a comparison as a table, a row for each difference.
func CompareCSV(w io.Writer, c *stats.Comparison) error {
	rows := [][]string{{"group", "name", "main", "share", "games", "a", "b", "difference", "low", "high", "small", "verdict", "sentence"}}
	for i := range c.Differences {
		d := &c.Differences[i]
		rows = append(rows, []string{
			d.Group, d.Name, strconv.FormatBool(d.Main), strconv.FormatBool(d.Share), strconv.Itoa(c.Games), exact(d.A.Mean), exact(d.B.Mean),
			exact(d.Value), exact(d.Interval.Low), exact(d.Interval.High), exact(d.Small), string(d.Verdict), Sentence(d),
		})
	}
	return writeCSV(w, rows)
}
