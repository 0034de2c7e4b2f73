package phrase

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Words says differences in a language.
type Words struct{ *locale.Locale }

// In are the words of a language, "" for English.
func In(lang string) Words { return Words{locale.For(lang)} }

// saying is what a difference is in words: "more" or "less" by a size, the "same", or "unsure".
func (w Words) saying(d *stats.Difference, which, size string) string {
	key, what := d.Name, d.Name
	switch d.Group {
	case stats.GroupWins:
		key = "wins"
	case stats.GroupDealt:
		key = cmp.Or(strength(d), "wins")
	case stats.GroupReview:
		key = "review_" + d.Name
	case stats.GroupActs:
		key = "acts"
	case stats.GroupCounts:
		key = "counts"
		if d.Words != "" {
			what += " (" + d.Words + ")"
		}
	}
	return w.Say("compare."+key+"_"+which, "what", what, "size", size, "limit", d.Limit)
}

// strength says what a player that changes seats is in both games: "stronger", "weaker", or "" where that is not known.
func strength(d *stats.Difference) string {
	switch a, b := d.A.Interval(), d.B.Interval(); {
	case a.Low > 0 && b.Low > 0:
		return "stronger"
	case a.High < 0 && b.High < 0:
		return "weaker"
	}
	return ""
}

// Favours says whom B favours in comparison with A, of the players that change seats and of the seats.
func Favours(c *stats.Comparison) string {
	var player, edge *stats.Difference
	for i := range c.Differences {
		switch d := &c.Differences[i]; {
		case d.Group == stats.GroupDealt && strength(d) != "" && (player == nil || d.A.Mean+d.B.Mean > player.A.Mean+player.B.Mean):
			player = d
		case d.Group == stats.GroupGame && d.Name == stats.MeasureEdge:
			edge = d
		}
	}
	switch {
	case len(c.A.Dealt) == 0 || len(c.B.Dealt) == 0 || edge == nil:
		return ""
	case player == nil:
		return "No player is known to be the stronger in both."
	}
	stronger, weaker := "the stronger player", "the weaker player"
	if strength(player) == "weaker" {
		stronger, weaker = weaker, stronger
	}
	return Capital(favour(player, stronger, weaker) + ", and " + favour(edge, "who begins", "who does not begin") + ".")
}

// favour says which of two a difference favours.
func favour(d *stats.Difference, one, other string) string {
	switch d.Verdict {
	case stats.More:
		return "B favours " + one + " more than A does"
	case stats.Less:
		return "B favours " + other + " more than A does"
	case stats.Same:
		return "B favours " + one + " as much as A does"
	}
	return "whether B favours " + one + " more or less is not known yet"
}

// UpTo describes the limit of a counted number, "" without a limit.
func UpTo(d *stats.Difference) string {
	switch {
	case d.Share || d.Limit == 0:
		return ""
	case d.Least < 0:
		return fmt.Sprintf("%d to %d", d.Least, d.Limit)
	}
	return strconv.Itoa(d.Limit)
}

// note describes in brackets what was counted, and its limit.
func (w Words) note(d *stats.Difference, limited bool) string {
	var notes []string
	if d.Group == stats.GroupGame && d.Words != "" {
		notes = append(notes, w.Say("compare.ranking"))
	}
	if limited && UpTo(d) != "" {
		key := "compare.counted"
		if d.Least < 0 {
			key = "compare.counted_from"
		}
		notes = append(notes, w.Say(key, "low", d.Least, "high", d.Limit))
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

// Sentence describes a difference in a line. A statement of no difference refers to the numbers counted.
func Sentence(d *stats.Difference) string { return In("").Sentence(d) }

// Sentence is the same in a language.
func (w Words) Sentence(d *stats.Difference) string {
	by := 1.0
	if d.Share {
		by = 100
	}
	low, high := d.Interval.Low*by, d.Interval.High*by
	digits := Digits((high - low) / 2)
	number := func(v float64) string { return strings.Replace(digits(v), ".", w.Say("decimal"), 1) }
	in := func(key string, low, high float64) string {
		return w.Say(key, "low", number(low), "high", number(high))
	}
	least := ""
	if d.Verdict == stats.Same {
		least = w.Say("compare.least")
	}
	by *= d.Value
	size := number(max(by, -by))
	if d.Share {
		size = w.Say("compare.points", "size", size)
	}
	switch sign := d.Sign(); {
	case sign > 0:
		return w.saying(d, "more", size) + least + in("compare.interval", low, high) + w.note(d, least != "")
	case sign < 0:
		return w.saying(d, "less", size) + least + in("compare.interval", -high, -low) + w.note(d, least != "")
	}
	key, which := "compare.interval", "unsure"
	if d.Share {
		key = "compare.interval_points"
	}
	if d.Verdict == stats.Same {
		which = "same"
	}
	return w.saying(d, which, "") + in(key, low, high) + w.note(d, true)
}

// TooRare reports whether an event is too rare for a conclusion.
func TooRare(d *stats.Difference) bool {
	return d.Group == stats.GroupGame && d.Name == stats.MeasureLong && d.Verdict == stats.Unsure
}

// Beyond describes the games beyond the limits of length, about which nothing is certain.
func Beyond(c *stats.Comparison) []string {
	var out []string
	for i := range c.Differences {
		d := &c.Differences[i]
		if TooRare(d) {
			out = append(out, Sentence(d))
		}
		if d.Group != stats.GroupGame || !d.TooRare() || !d.Main && d.Name != stats.MeasureFirstWinner {
			continue
		}
		number := Digits((d.Interval.High - d.Interval.Low) / 2)
		out = append(out, fmt.Sprintf("%s beyond %d: %s of A and %s of B; with all of them the means are %s and %s, and no interval of those holds",
			NameOf(d), d.Limit, Plural(d.Beyond[0], "game"), Thousands(float64(d.Beyond[1])), number(d.Whole[0]), number(d.Whole[1])))
	}
	return out
}

// measureNames are the names of measures of whole games, for an axis or a table.
var measureNames = map[string]string{
	stats.MeasureForced: "forced moves", stats.MeasureLeadChanges: "changes of the lead", stats.MeasureSettled: "last change of the lead",
	stats.MeasureEdge: "edge of the starter", stats.MeasureUnfinished: "games given up",
}

// throwNames are the names of measures of length other than the mean.
var throwNames = map[string]string{
	stats.MeasureFirstWinner: "throws, first winner", stats.MeasureFirstMinutes: "minutes, first winner", stats.MeasureHalf: "throws, median", stats.MeasureNineTenth: "throws, 90 % quantile",
	stats.MeasureLong: "games over @ throws",
}

// NameOf is the subject of a difference, for an axis or a table.
func NameOf(d *stats.Difference) string {
	if d.Group == stats.GroupGame && throwNames[d.Name] != "" {
		return strings.ReplaceAll(throwNames[d.Name], "@", strconv.Itoa(d.Limit))
	}
	if d.Group == stats.GroupGame && d.Words != "" {
		return d.Name + ", whole ranking"
	}
	if name := measureNames[d.Name]; d.Group == stats.GroupGame && name != "" {
		return name
	}
	if d.Group == stats.GroupWins || d.Group == stats.GroupDealt {
		return d.Name + " wins"
	}
	return d.Name
}

// Title names the games compared: by their changes and options, if both have the same title.
func Title(c *stats.Comparison) string {
	if c.A.Title == c.B.Title {
		if with, ok := strings.CutPrefix(Heading(&c.B), c.B.Title+" with "); ok && Heading(&c.A) == c.A.Title {
			if apart(c, 0)+apart(c, 1) == "" {
				return c.A.Title + ": what " + with + " does"
			}
		}
		if Heading(&c.A) == Heading(&c.B) {
			return Heading(&c.A) + ": " + apart(c, 0) + ", and " + apart(c, 1)
		}
	}
	return Side(c, 0) + ", and " + Side(c, 1)
}

// Verdict summarises a comparison in a sentence or two: the certain main differences.
func (w Words) Verdict(c *stats.Comparison) string {
	if c.Games == 0 {
		return w.Say("compare.nothing")
	}
	if c.Alike {
		return w.Say("compare.alike", "games", Thousands(float64(c.Games)), "n", c.Games)
	}
	var found, same, open []string
	for _, d := range Listed(c) {
		if !d.Main {
			continue
		}
		switch d.Verdict {
		case stats.More, stats.Less:
			found = append(found, w.Sentence(d))
		case stats.Same:
			if d.Sign() != 0 {
				same = append(same, w.Sentence(d))
				continue
			}
			same = append(same, w.saying(d, "same", "")+w.note(d, true))
		default:
			open = append(open, w.saying(d, "unsure", "")+w.note(d, true))
		}
	}
	text := ""
	for _, list := range [][]string{found, same, open} {
		if len(list) > 0 {
			text += " " + Capital(strings.Join(list, "; ")) + "."
		}
	}
	return strings.TrimSpace(text + " " + Favours(c))
}

// Limits describes the limits of the main numbers of a game.
func Limits(c *stats.Comparison) string {
	limited := seq.Filter(c.Differences, func(d stats.Difference) bool {
		return d.Group == stats.GroupGame && UpTo(&d) != "" && (d.Main || d.Name == stats.MeasureFirstWinner)
	})
	if len(limited) == 0 {
		return ""
	}
	list := seq.Map(limited, func(d stats.Difference) string { return NameOf(&d) + " up to " + UpTo(&d) })
	slices.Sort(list)
	return "What is more in a game counts as its limit: " + strings.Join(list, "; ") + "."
}

// Same names the differences that do not matter, with the thresholds.
func Same(c *stats.Comparison) string {
	short := func(v float64) string { return strconv.FormatFloat(100*v, 'g', 4, 64) }
	return fmt.Sprintf("no difference that matters: under %s %% of a number, under %s points of a share", short(c.Small.Number), short(c.Small.Share))
}

// Ending says why the comparison ended.
func Ending(c *stats.Comparison) string {
	name := func(d stats.Difference) string { return strings.ReplaceAll(d.Name, "_", " ") }
	main := seq.Map(seq.Filter(c.Differences, func(d stats.Difference) bool { return d.Main }), name)
	open := seq.Map(seq.Filter(c.Differences, func(d stats.Difference) bool { return d.Main && !d.Sure() }), name)
	switch {
	case c.Sure:
		return fmt.Sprintf("sure of %s after %s of each", strings.Join(main, ", "), Plural(c.Games, "game"))
	case c.Stopped && len(open) > 0:
		return fmt.Sprintf("stopped before it was sure: of %s", strings.Join(open, ", "))
	case c.Stopped:
		return "stopped before it was as precise as it was asked to be"
	case len(open) > 0:
		return fmt.Sprintf("not sure within %s: of %s; --games allows more", Plural(c.Games, "game"), strings.Join(open, ", "))
	}
	return fmt.Sprintf("not as precise within %s as it was asked to be; --games allows more", Plural(c.Games, "game"))
}

// Listed lists the differences for people; for a game of one player some have no meaning.
func Listed(c *stats.Comparison) []*stats.Difference {
	alone := c.A.Players == 1 && c.B.Players == 1
	var out []*stats.Difference
	for i := range c.Differences {
		d := &c.Differences[i]
		single := d.Group != stats.GroupWins && d.Name != stats.MeasureEdge && d.Name != stats.MeasureLeadChanges && d.Name != stats.MeasureSettled
		if !alone || single {
			out = append(out, d)
		}
	}
	return out
}

// ShortName is the subject of a difference, for the text.
func ShortName(d *stats.Difference) string {
	switch {
	case d.Group == stats.GroupDealt:
		return NameOf(d)
	case d.Group != stats.GroupGame:
		return d.Group + " " + d.Name
	case throwNames[d.Name] != "" || d.Words != "":
		return NameOf(d)
	}
	return strings.ReplaceAll(d.Name, "_", " ")
}
