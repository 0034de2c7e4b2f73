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

// series makes a histogram ready to be drawn.
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

// markOf is a value with its interval; where that has no end, the value alone.
func markOf(v float64, in stats.Interval) picture.Mark {
	if math.IsInf(in.Low, 0) || math.IsInf(in.High, 0) {
		in = stats.Interval{Low: v, High: v}
	}
	return picture.Mark{Low: in.Low, Mid: v, High: in.High}
}

// TallySentences say the most important of a tally in words.
func TallySentences(t *stats.Tally) []string {
	switch t.Games() {
	case 0:
		return []string{"It was stopped before a game was over."}
	case 1:
		return []string{fmt.Sprintf("The one game took %s.", plural(int(t.Throws.Sum().Total()), "throw"))}
	}
	m := t.Throws.Mean()
	i := m.Interval()
	number := digits((i.High - i.Low) / 2)
	out := []string{fmt.Sprintf("A game takes %s throws on average, 95%% interval %s to %s; half of the games take %s or fewer, nineteen of twenty %s or fewer.",
		number(m.Mean), number(i.Low), number(i.High), Thousands(float64(t.Throws.Quantile(0.5))), Thousands(float64(t.Throws.Quantile(0.95))))}
	if t.Ranked() {
		m := t.FirstWinner.Mean()
		i := m.Interval()
		number := digits((i.High - i.Low) / 2)
		out = append(out, fmt.Sprintf("The first winner is known after %s throws on average, 95%% interval %s to %s; the rest is about the other places.",
			number(m.Mean), number(i.Low), number(i.High)))
	}
	if t.Subject.Players > 1 && t.StarterWon().N > 0 {
		m, even := shareMark(t.StarterWon()), evenShare(t)
		verdict := "no more and no less than an even share, as far as these games tell"
		switch {
		case m.Low > even:
			verdict = "more than an even share"
		case m.High < even:
			verdict = "less than an even share"
		}
		out = append(out, fmt.Sprintf("Who begins wins %.1f %% of the games, 95%% interval %.1f to %.1f: %s.", m.Mid, m.Low, m.High, verdict))
	}
	if t.Settled.N() > 0 && t.Subject.Players > 1 {
		out = append(out, fmt.Sprintf("The last change of the lead comes after %.0f %% of a game, on average.", t.Settled.Mean().Mean/10))
	}
	if l := t.Limited(); l.K > 0 {
		out = append(out, fmt.Sprintf("%s of the games reach %s and are given up.", percent(l.Value()), plural(t.Subject.MaxThrows, "throw")))
	}
	return out
}

// seen is what intervals of single runs take for granted.
const seen = "no very long game is too rare to be among those played"

// TallyFigure draws a tally: how long games are, who wins, how much there is to decide, when the lead changes last, and what the
// rule book counts itself. again is the command line that gives it again, or "".
func TallyFigure(t *stats.Tally, again string) *picture.Figure {
	f := &picture.Figure{Title: heading(&t.Subject), Words: TallySentences(t), Small: []string{played(&t.Subject, t.Games()), "Intervals of means take it that " + seen + "."}}
	if again != "" {
		f.Small = append(f.Small, again)
	}
	if t.Games() == 0 {
		return f
	}
	length := &picture.Distribution{Title: "How long games are", X: "throws in a game", Series: []picture.Series{series("", t.Throws.Mean(), &t.Throws)}}
	if t.Ranked() {
		length.Series[0].Name = "whole ranking"
		length.Series = append([]picture.Series{series("first winner", t.FirstWinner.Mean(), &t.FirstWinner)}, length.Series...)
	}
	f.Parts = append(f.Parts, length)
	if wins := winsPart(t); wins != nil {
		f.Parts = append(f.Parts, wins)
	}
	if t.Decisions.Quantile(1) > 0 {
		f.Parts = append(f.Parts, &picture.Distribution{
			Title: "How much there is to decide", X: "decisions in a game", Series: []picture.Series{series("", t.Decisions.Mean(), &t.Decisions)},
		})
	}
	if t.Settled.N() > 0 && t.Subject.Players > 1 {
		f.Parts = append(f.Parts, &picture.Distribution{
			Title: "When the lead changes last", X: "per cent of the game after which the winner led to the end", Series: []picture.Series{settled(t)},
		})
	}
	for i := range t.Counts[:min(len(t.Counts), drawnCounts)] {
		c := &t.Counts[i]
		f.Parts = append(f.Parts, &picture.Distribution{
			Title: capital(countName(t, i)), X: t.Names.Counts[i] + " in a game", Series: []picture.Series{series("", c.Sum.Over(t.Games()), &c.Histogram)},
		})
	}
	return f
}

// settled is after which part of a game the winner led to the end, in per cent, ready to be drawn.
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

// winsPart draws who wins; nil where one seat plays alone.
func winsPart(t *stats.Tally) picture.Part {
	if t.Subject.Players < 2 {
		return nil
	}
	d := &picture.Dots{Title: "Who wins", X: "games won, per cent, with 95 % intervals", Reference: math.NaN()}
	row := func(name string, s stats.Share) {
		m := shareMark(s)
		d.Rows = append(d.Rows, picture.Row{Name: name, Marks: []picture.Mark{m}, Note: fmt.Sprintf("%.1f %% (%.1f to %.1f)", m.Mid, m.Low, m.High)})
	}
	for seat, name := range t.Names.Seats {
		row(name, t.Won(seat))
	}
	if d := t.Drawn(); d.K > 0 {
		row("draws", d)
	}
	if t.StarterWon().N > 0 {
		row("starter", t.StarterWon())
	}
	if even := evenShare(t); even > 0 {
		d.Reference, d.Words = even, "an even share"
	}
	return d
}

// evenShare is the share of games each seat would win if all won equally often, in per cent: where sides win together the
// shares come to more than all games.
func evenShare(t *stats.Tally) float64 {
	total := 0
	for _, n := range t.Wins {
		total += n
	}
	return 100 * float64(total) / float64(max(1, len(t.Wins))) / float64(max(1, t.Games()))
}

// measures are the names of what is measured of a game as a whole, for an axis or a table.
var measures = map[string]string{
	stats.MeasureForced: "forced moves", stats.MeasureLeadChanges: "changes of the lead", stats.MeasureSettled: "last change of the lead",
	stats.MeasureEdge: "the starter wins", stats.MeasureUnfinished: "games given up",
}

// throwNames are those of lengths other than the mean.
var throwNames = map[string]string{
	stats.MeasureFirstWinner: "throws, first winner", stats.MeasureHalf: "throws, median", stats.MeasureNineTenth: "throws, 90 % quantile",
	stats.MeasureLong: "games over @ throws",
}

// nameOf is what a difference is about, for an axis or a table.
func nameOf(d *stats.Difference) string {
	if d.Group == stats.GroupGame && throwNames[d.Name] != "" {
		return strings.ReplaceAll(throwNames[d.Name], "@", strconv.Itoa(d.Limit))
	}
	if d.Group == stats.GroupGame && d.Words != "" {
		return d.Name + ", whole ranking"
	}
	if name := measures[d.Name]; d.Group == stats.GroupGame && name != "" {
		return name
	}
	if d.Group == stats.GroupWins {
		return d.Name + " wins"
	}
	return d.Name
}

// CompareTitle names what is compared: what makes B another game, where the two have the same title.
func CompareTitle(c *stats.Comparison) string {
	if c.A.Title == c.B.Title {
		if with, ok := strings.CutPrefix(heading(&c.B), c.B.Title+" with "); ok && heading(&c.A) == c.A.Title {
			return c.A.Title + ": what " + with + " does"
		}
	}
	return heading(&c.A) + ", and " + heading(&c.B)
}

// Findings are the sentences of a comparison: differences there are, then what is not known, then what does not matter.
type Findings struct{ Found, Open, Same []string }

// FindingsOf tells a comparison in words.
func FindingsOf(c *stats.Comparison) Findings {
	var f Findings
	alone := c.A.Players == 1 && c.B.Players == 1
	for i := range c.Differences {
		d := &c.Differences[i]
		switch {
		case alone && !forOne(d):
		case c.Alike, tooRare(d):
		case d.Verdict == stats.More || d.Verdict == stats.Less:
			f.Found = append(f.Found, Sentence(d))
		case d.Verdict == stats.Unsure:
			f.Open = append(f.Open, Sentence(d))
		default:
			f.Same = append(f.Same, Sentence(d))
		}
	}
	return f
}

// Verdict says a comparison in a sentence or two: what is certain of its main differences.
func Verdict(c *stats.Comparison) string {
	if c.Games == 0 {
		return "It was stopped before there was anything to say."
	}
	if c.Alike {
		return fmt.Sprintf("Every one of the %s came to the same with both.", plural(c.Games, "game"))
	}
	var found, same, open []string
	alone := c.A.Players == 1 && c.B.Players == 1
	for i := range c.Differences {
		d := &c.Differences[i]
		if !d.Main || alone && !forOne(d) {
			continue
		}
		switch before, say := sayingOf(d); d.Verdict {
		case stats.More, stats.Less:
			found = append(found, Sentence(d))
		case stats.Same:
			same = append(same, before+say.same+note(d, true))
		default:
			open = append(open, before+say.unsure+note(d, true))
		}
	}
	text := ""
	for _, list := range [][]string{found, same, open} {
		if len(list) > 0 {
			text += " " + capital(strings.Join(list, "; ")) + "."
		}
	}
	return strings.TrimSpace(text)
}

// capital begins a sentence.
func capital(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// CompareFigure draws a comparison: each difference with its interval, and how long games of both are where tallies of
// games of either are given. again is the command line that gives it again, or "".
func CompareFigure(c *stats.Comparison, a, b *stats.Tally, again string) *picture.Figure {
	f := &picture.Figure{
		Title: CompareTitle(c), Words: []string{Verdict(c)},
		Small: []string{
			"A: " + sideText(&c.A), "B: " + sideText(&c.B),
			fmt.Sprintf("%s of each, the same chance for both, the seats take turns in beginning, seed %d. All intervals hold together with a probability of 95 %%.",
				plural(c.Games, "game"), c.A.Seed),
		},
	}
	if text := limits(c); text != "" {
		f.Small = append(f.Small, text)
	}
	if again != "" {
		f.Small = append(f.Small, again)
	}
	f.Parts = CompareParts(c, a, b)
	return f
}

// limits says up to where the main numbers of a game are counted.
func limits(c *stats.Comparison) string {
	var list []string
	for i := range c.Differences {
		if d := &c.Differences[i]; d.Group == stats.GroupGame && upTo(d) != "" && (d.Main || d.Name == stats.MeasureFirstWinner) {
			list = append(list, nameOf(d)+" up to "+upTo(d))
		}
	}
	slices.Sort(list)
	if len(list) == 0 {
		return ""
	}
	return "What is more in a game counts as its limit: " + strings.Join(list, "; ") + "."
}

// CompareParts are the drawings of a comparison.
func CompareParts(c *stats.Comparison, a, b *stats.Tally) []picture.Part {
	numbers := &picture.Dots{Title: "From A to B", X: "change, per cent of A", Reference: 0, Words: "no change"}
	points := &picture.Dots{Title: "From A to B, shares", X: "change, in percentage points", Reference: 0, Words: "no change"}
	alone := c.A.Players == 1 && c.B.Players == 1
	for i := range c.Differences {
		d := &c.Differences[i]
		if alone && !forOne(d) {
			continue
		}
		switch {
		case d.Share:
			points.Rows = append(points.Rows, differenceRow(d, 100))
		case d.A.Mean != 0:
			numbers.Rows = append(numbers.Rows, differenceRow(d, 100/math.Abs(d.A.Mean)))
		}
	}
	var parts []picture.Part
	for _, d := range []*picture.Dots{numbers, points} {
		if len(d.Rows) > 0 && c.Games > 0 {
			parts = append(parts, d)
		}
	}
	if a != nil && b != nil && a.Games() > 0 && b.Games() > 0 {
		parts = append(parts, &picture.Distribution{
			Title: "How long games are", X: "throws in a game",
			Series: []picture.Series{series("A", a.Throws.Mean(), &a.Throws), series("B", b.Throws.Mean(), &b.Throws)},
		})
	}
	return parts
}

// differenceRow is a difference with its interval, times by, and what it comes to.
func differenceRow(d *stats.Difference, by float64) picture.Row {
	r := picture.Row{Name: nameOf(d), Marks: []picture.Mark{{Low: d.Interval.Low * by, Mid: d.Value * by, High: d.Interval.High * by}}}
	scale, unit := 1.0, ""
	if d.Share {
		scale, unit = 100, " points"
	}
	low, high := d.Interval.Low*scale, d.Interval.High*scale
	number := digits((high - low) / 2)
	switch d.Verdict {
	case stats.Same:
		r.Mute, r.Note = true, "no difference that matters"
	case stats.Unsure:
		if r.Mute, r.Note = true, "not known yet"; tooRare(d) {
			r.Note = "too rare to say"
		}
	default:
		r.Note = strings.ReplaceAll(fmt.Sprintf("%s%s (%s to %s)", signed(number(d.Value*scale)), unit, number(low), number(high)), "-", "−")
	}
	return r
}
